#include "roots.h"
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

static bool is_main(struct program *p, const struct method_info *m) {
    return strcmp(program_str(p, m->name), "main") == 0 &&
           strcmp(program_str(p, m->desc), "([Ljava/lang/String;)V") == 0 && (m->access & CF_ACC_STATIC) != 0;
}

/* Adds the methods of a class that the target and `kind` ask for. */
static void add_methods(struct roots *r, struct program *p, class_id c, const struct target *target,
                        enum pts_root_kind kind) {
    const struct class_info *info = program_info(p, c);
    for (uint32_t i = 0; i < info->n_methods; i++) {
        struct pts_root root = {.method = {info->first_method.v + i}, .kind = kind};
        const struct method_info *m = program_method(p, root.method);
        if (!m->has_code) continue;
        if (kind == PTS_ROOT_MAIN && !is_main(p, m)) continue;
        if (kind == PTS_ROOT_ENTRY && !target_has_method(target, p, root.method)) continue;
        /* Constructors make the shared objects; they are no calls on one. */
        if (kind == PTS_ROOT_OPEN && ((m->access & CF_ACC_PUBLIC) == 0 || program_str(p, m->name)[0] == '<'))
            continue;
        vec_push(r, root);
    }
}

static bool add_target(struct roots *r, struct program *p, const struct classpath *cp, const char *text,
                       enum pts_root_kind kind, struct race_error *err) {
    struct target target;
    if (!target_init(&target, cp, text, err)) return false;
    class_id c = program_find_class(p, target.cls);
    size_t before = r->n;
    if (c.v != 0) add_methods(r, p, c, &target, kind);
    target_release(&target);
    if (r->n > before) return true;
    return none_added(err, text,
                      kind == PTS_ROOT_MAIN    ? "has no method main(String[])"
                      : kind == PTS_ROOT_ENTRY ? "has no such method with code"
                                               : "has no public method with code");
}

bool roots_add_main(struct roots *r, struct program *p, const struct classpath *cp, const char *text,
                    struct race_error *err) {
    return add_target(r, p, cp, text, PTS_ROOT_MAIN, err);
}

bool roots_add_entry(struct roots *r, struct program *p, const struct classpath *cp, const char *text,
                     struct race_error *err) {
    return add_target(r, p, cp, text, PTS_ROOT_ENTRY, err);
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

static bool is_annotated(struct program *p, class_id c, const char *annotation) {
    const struct cf_class *file = program_class_file(p, c);
    return file != NULL && cf_annotated(file, &file->attrs, annotation, NULL);
}

bool roots_add_open(struct roots *r, struct program *p, const struct classpath *cp, const char *text,
                    struct race_error *err) {
    size_t before = r->n, n = classpath_class_count(cp, CLASSPATH_APP);
    for (size_t i = 0; i < n; i++) {
        const char *name = classpath_class_at(cp, CLASSPATH_APP, i)->name;
        if (!in_package(name, text)) continue;
        class_id c = program_find_class(p, name);
        /* A class that says it is not thread-safe leaves the locking to its users: calling it from all sides
           proves nothing.  Naming the class itself opens it all the same. */
        if (c.v != 0 && (program_info(p, c)->access & CF_ACC_PUBLIC) != 0 &&
            !is_annotated(p, c, "NotThreadSafe"))
            add_methods(r, p, c, NULL, PTS_ROOT_OPEN);
    }
    return r->n > before || add_target(r, p, cp, text, PTS_ROOT_OPEN, err);
}

bool roots_add_annotated(struct roots *r, struct program *p, const struct classpath *cp,
                         struct race_error *err) {
    size_t before = r->n, n = classpath_class_count(cp, CLASSPATH_APP);
    for (size_t i = 0; i < n; i++) {
        class_id c = program_find_class(p, classpath_class_at(cp, CLASSPATH_APP, i)->name);
        if (c.v != 0 && is_annotated(p, c, "ThreadSafe")) add_methods(r, p, c, NULL, PTS_ROOT_OPEN);
    }
    return r->n > before || race_fail(err, "--open-annotated: no class is annotated @ThreadSafe");
}
