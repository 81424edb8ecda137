#include "roots.h"
#include "makers.h"
#include "target.h"

#include "race/vec.h"

#include <string.h>

void roots_release(struct roots *r) {
    vec_release(r);
}

static bool none_added(struct race_error *err, const char *text, const char *what) {
    race_error_set_file(err, text);
    return race_fail(err, "%s", what);
}

/* ---- main methods ---- */

static const char main_with_args[] = "([Ljava/lang/String;)V";

/* The nearest main method of that descriptor in the class or above it; 0 if there is none. */
static method_id nearest_main(struct program *p, class_id c, const char *desc, bool of_objects) {
    for (class_id at = c; at.v != 0; at = program_info(p, at)->super) {
        const struct class_info *info = program_info(p, at);
        for (uint32_t i = 0; i < info->n_methods; i++) {
            method_id id = {info->first_method.v + i};
            const struct method_info *m = program_method(p, id);
            bool is_static = m->access & CF_ACC_STATIC, is_private = m->access & CF_ACC_PRIVATE;
            if (!m->has_code || strcmp(program_str(p, m->name), "main") != 0) continue;
            if (strcmp(program_str(p, m->desc), desc) != 0 || (!is_static && !of_objects)) continue;
            if (!is_private || (is_static && class_id_eq(at, c))) return id;
        }
    }
    return (method_id){0};
}

/* As the launcher looks for it: with arguments first.  From Java 21 on (a preview until 25) it need not be
 * static, nor have arguments. */
static method_id find_main(struct program *p, class_id c, int release) {
    bool of_objects = release >= 21;
    method_id m = nearest_main(p, c, main_with_args, of_objects);
    return m.v != 0 || !of_objects ? m : nearest_main(p, c, "()V", true);
}

bool roots_add_main(struct roots *r, struct program *p, const struct classpath *cp, struct testdriver *driver,
                    const char *text, struct race_error *err) {
    struct target target;
    if (!target_init(&target, cp, text, err)) return false;
    class_id c = program_find_class(p, target.cls);
    target_release(&target);
    struct pts_root root = {.kind = PTS_ROOT_MAIN};
    if (c.v != 0) root.method = find_main(p, c, classpath_jdk_release(cp));
    if (root.method.v == 0) return none_added(err, text, "has no method main(String[])");
    const struct method_info *m = program_method(p, root.method);
    bool plain = (m->access & CF_ACC_STATIC) != 0 && class_id_eq(m->owner, c) &&
                 strcmp(program_str(p, m->desc), main_with_args) == 0;
    if (!plain) root.method = testdriver_make_main(driver, p, c, root.method, err);
    if (root.method.v == 0) return false;
    vec_push(r, root);
    return true;
}

bool roots_add_entry(struct roots *r, struct program *p, const struct classpath *cp, const char *text,
                     struct race_error *err) {
    struct target target;
    if (!target_init(&target, cp, text, err)) return false;
    class_id c = program_find_class(p, target.cls);
    size_t before = r->n;
    const struct class_info *info = c.v != 0 ? program_info(p, c) : NULL;
    for (uint32_t i = 0; info != NULL && i < info->n_methods; i++) {
        struct pts_root root = {.method = {info->first_method.v + i}, .kind = PTS_ROOT_ENTRY};
        if (program_method(p, root.method)->has_code && target_has_method(&target, p, root.method))
            vec_push(r, root);
    }
    target_release(&target);
    return r->n > before || none_added(err, text, "has no such method with code");
}

/* ---- open programs ---- */

/* Who calls: anybody, or also the code of the same package and of subclasses. */
enum callers { CALLERS_ANYBODY, CALLERS_PACKAGE };

static bool class_annotated(struct program *p, class_id c, const char *annotation) {
    const struct cf_class *file = program_class_file(p, c);
    return file != NULL && cf_annotated(file, &file->attrs, annotation, NULL);
}

static bool method_annotated(struct program *p, const struct method_info *m, const char *annotation) {
    const struct cf_class *file = program_class_file(p, m->owner);
    return file != NULL && cf_annotated(file, &file->methods[m->index].attrs, annotation, NULL);
}

/*
 * Constructors make the shared objects; they are no calls on one (see open_constructors).  What the compiler
 * made up is called by what its author wrote, and what is visible for testing only is called by tests, unless
 * it is said to be safe.
 */
static bool is_callable(struct program *p, const struct method_info *m, enum callers callers,
                        bool constructor) {
    if (!m->has_code || (m->access & (CF_ACC_SYNTHETIC | CF_ACC_PRIVATE)) != 0) return false;
    if (callers == CALLERS_ANYBODY && (m->access & CF_ACC_PUBLIC) == 0) return false;
    const char *name = program_str(p, m->name);
    if (constructor ? strcmp(name, "<init>") != 0 : name[0] == '<') return false;
    return !method_annotated(p, m, "VisibleForTesting") || method_annotated(p, m, "ThreadSafe");
}

/* Whether a class from `c` up to, not including, `top` declares a method of the same name and descriptor.
 * Bridges lead on to what they bridge. */
static bool is_overridden(struct program *p, class_id c, class_id top, const struct method_info *m) {
    for (; !class_id_eq(c, top); c = program_info(p, c)->super) {
        const struct class_info *info = program_info(p, c);
        for (uint32_t i = 0; i < info->n_methods; i++) {
            const struct method_info *other = program_method(p, (method_id){info->first_method.v + i});
            if ((other->access & CF_ACC_SYNTHETIC) != 0) continue;
            if (other->name.v == m->name.v && other->desc.v == m->desc.v) return true;
        }
    }
    return false;
}

/* The callable methods that `from`, the class itself or one above it, declares, on objects of the class. */
static void open_methods(struct roots *r, struct program *p, class_id c, class_id from,
                         enum callers callers) {
    const struct class_info *info = program_info(p, from);
    for (uint32_t i = 0; i < info->n_methods; i++) {
        struct pts_root root = {.method = {info->first_method.v + i}, .kind = PTS_ROOT_OPEN, .self = c};
        const struct method_info *m = program_method(p, root.method);
        if (!is_callable(p, m, callers, false) || is_overridden(p, c, from, m)) continue;
        if (class_id_eq(c, from) || (m->access & CF_ACC_STATIC) == 0) vec_push(r, root);
    }
}

/* Those that do something to others while they make an object. */
static void open_constructors(struct roots *r, struct program *p, class_id c, enum callers callers) {
    const struct class_info *info = program_info(p, c);
    if ((info->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE | CF_ACC_ENUM)) != 0) return;
    struct ir_builder *b = ir_builder_new(p);
    for (uint32_t i = 0; i < info->n_methods; i++) {
        struct pts_root root = {.method = {info->first_method.v + i}, .kind = PTS_ROOT_OPEN, .self = c};
        if (is_callable(p, program_method(p, root.method), callers, true) &&
            writes_elsewhere(p, b, root.method))
            vec_push(r, root);
    }
    ir_builder_free(b);
}

/* Whether the internal name lies in the package, written with dots or slashes, or below it. */
static bool in_package(const char *name, const char *package) {
    size_t i = 0;
    for (; package[i] != '\0'; i++) {
        char want = package[i] == '.' ? '/' : package[i];
        if (name[i] != want) return false;
    }
    return name[i] == '/';
}

/*
 * Whether opening the package opens the class.  One that says it is not thread-safe leaves the locking to its
 * users: calling it from all sides proves nothing.  Naming the class itself opens it all the same.
 */
static bool package_opens(struct program *p, class_id c, const char *package, enum callers callers) {
    if (package == NULL || !in_package(program_class_name(p, c), package)) return false;
    if (class_annotated(p, c, "NotThreadSafe")) return false;
    return callers == CALLERS_PACKAGE || (program_info(p, c)->access & CF_ACC_PUBLIC) != 0;
}

/* A class with what it inherits from classes of the application that are not opened themselves. */
static void open_class(struct roots *r, struct program *p, class_id c, const char *package,
                       enum callers callers) {
    open_methods(r, p, c, c, callers);
    open_constructors(r, p, c, callers);
    for (class_id from = program_info(p, c)->super; from.v != 0; from = program_info(p, from)->super) {
        if (program_info(p, from)->from_jdk || package_opens(p, from, package, callers)) break;
        open_methods(r, p, c, from, callers);
    }
}

static bool open_package(struct roots *r, struct program *p, const struct classpath *cp, const char *package,
                         enum callers callers) {
    size_t before = r->n, n = classpath_class_count(cp, CLASSPATH_APP);
    for (size_t i = 0; i < n; i++) {
        const char *name = classpath_class_at(cp, CLASSPATH_APP, i)->name;
        class_id c = in_package(name, package) ? program_find_class(p, name) : (class_id){0};
        if (c.v != 0 && package_opens(p, c, package, callers)) open_class(r, p, c, package, callers);
    }
    return r->n > before;
}

bool roots_add_open(struct roots *r, struct program *p, const struct classpath *cp, const char *text,
                    struct race_error *err) {
    struct target target;
    if (open_package(r, p, cp, text, CALLERS_ANYBODY)) return true;
    if (open_package(r, p, cp, text, CALLERS_PACKAGE)) {
        r->within = text;
        return true;
    }
    if (!target_init(&target, cp, text, err)) return false;
    size_t before = r->n;
    class_id c = target.method == NULL ? program_find_class(p, target.cls) : (class_id){0};
    if (c.v != 0) open_class(r, p, c, NULL, CALLERS_PACKAGE);
    target_release(&target);
    if (r->n > before) return true;
    return none_added(err, text,
                      c.v != 0 ? "has no method that other code can call" : "no such class or package");
}

/* A promise of the whole class, or of some of its methods, which then meet all others. */
static bool promises_safety(struct program *p, class_id c) {
    const struct class_info *info = program_info(p, c);
    bool promised = class_annotated(p, c, "ThreadSafe");
    for (uint32_t i = 0; i < info->n_methods && !promised; i++)
        promised =
            method_annotated(p, program_method(p, (method_id){info->first_method.v + i}), "ThreadSafe");
    return promised;
}

bool roots_add_annotated(struct roots *r, struct program *p, const struct classpath *cp,
                         struct race_error *err) {
    size_t before = r->n, n = classpath_class_count(cp, CLASSPATH_APP);
    for (size_t i = 0; i < n; i++) {
        class_id c = program_find_class(p, classpath_class_at(cp, CLASSPATH_APP, i)->name);
        if (c.v != 0 && promises_safety(p, c)) open_class(r, p, c, NULL, CALLERS_PACKAGE);
    }
    return r->n > before || race_fail(err, "--open-annotated: no class or method is annotated @ThreadSafe");
}
