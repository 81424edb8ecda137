/*
 * The code around the program that nobody has seen: it calls the roots, makes the objects that they are
 * called on and with, and sets fields that the program itself leaves empty.
 *
 * One object stands for all of a class that come from outside, whichever parameter they come by: callers may
 * share every one of them.  Objects of the application's classes went through their constructors, all of
 * them; of the JDK's classes only the object itself matters.
 *
 * Somebody else sets a field of an open class if the program puts no object into it (dependency injection, a
 * builder in another package, a test).  Each such field gets an object of its own: nothing says that two
 * fields mean the same one.
 */
#include "../plugin.h"

#include <stdio.h> /* snprintf */
#include <string.h>

/* What stands behind the commonest types of the JDK that are not classes: nothing in it has a lock. */
static const char *const stand_ins[][2] = {
    {"java/lang/Iterable", "java/util/ArrayList"},
    {"java/util/Collection", "java/util/ArrayList"},
    {"java/util/List", "java/util/ArrayList"},
    {"java/util/Set", "java/util/HashSet"},
    {"java/util/SortedSet", "java/util/TreeSet"},
    {"java/util/NavigableSet", "java/util/TreeSet"},
    {"java/util/Queue", "java/util/ArrayDeque"},
    {"java/util/Deque", "java/util/ArrayDeque"},
    {"java/util/Map", "java/util/HashMap"},
    {"java/util/SortedMap", "java/util/TreeMap"},
    {"java/util/NavigableMap", "java/util/TreeMap"},
    {"java/util/concurrent/ConcurrentMap", "java/util/concurrent/ConcurrentHashMap"},
    {"java/util/concurrent/BlockingQueue", "java/util/concurrent/LinkedBlockingQueue"},
    {"java/util/concurrent/locks/Lock", "java/util/concurrent/locks/ReentrantLock"},
    {"java/util/concurrent/locks/ReadWriteLock", "java/util/concurrent/locks/ReentrantReadWriteLock"},
};

/* ---- objects ---- */

struct wanted {
    struct pts *s;
    uint32_t node;     /* where they go */
    const char *label; /* which of a class */
    bool near;         /* from the packages of the roots only */
    unsigned n;
};

static void put_value(struct wanted *w, class_id type);

/* With constructors that others may call, or with the private ones behind its factories if there are none. */
static void construct(struct pts *s, class_id cls, uint32_t self) {
    const struct class_info *info = program_info(s->p, cls);
    name_id init = program_name(s->p, "<init>");
    bool any = false;
    for (uint32_t i = 0; i < 2 * info->n_methods; i++) {
        method_id m = {info->first_method.v + i % info->n_methods};
        const struct method_info *ctor = program_method(s->p, m);
        bool is_private = (ctor->access & CF_ACC_PRIVATE) != 0;
        if (ctor->name.v != init.v || is_private != (i >= info->n_methods) || (is_private && any)) continue;
        uint32_t args[256] = {self};
        any |= !is_private;
        for (uint32_t k = 0; k < ctor->sig->n_params && k < 255; k++) {
            args[k + 1] = PTS_NO_NODE;
            if (class_is_primitive(ctor->sig->params[k])) continue;
            args[k + 1] = pts_graph_nodes(&s->g, 1);
            put_value(&(struct wanted){.s = s, .node = args[k + 1], .label = "argument"},
                      ctor->sig->params[k]);
        }
        pts_derive_vm(s, IR_CALL_SPECIAL, m, args, (uint16_t)(ctor->sig->n_params + 1), PTS_NO_NODE);
    }
}

/* The constants of an enumeration are all there is of it. */
static void put_constants(struct wanted *w, class_id cls) {
    const struct class_info *info = program_info(w->s->p, cls);
    for (uint32_t i = 0; i < info->n_fields; i++) {
        field_id f = {info->first_field.v + i};
        if ((program_field(w->s->p, f)->access & CF_ACC_ENUM) != 0)
            pts_flow(w->s, pts_static_node(w->s, f), w->node);
    }
}

static void put_instance(struct wanted *w, class_id cls) {
    struct pts *s = w->s;
    bool is_new;
    const struct class_info *info = program_info(s->p, cls);
    pts_initialise(s, cls, 0, 0);
    if ((info->access & CF_ACC_ENUM) != 0) return put_constants(w, cls);
    /* Not merged with the program's own: a builder from outside says nothing about all others. */
    pts_alloc a =
        cls.v == CLASS_STRING ? pts_alloc_merged(s->world, cls) : pts_alloc_model(s->world, cls, w->label);
    uint32_t obj = pts_plain_obj(s, a);
    pts_put(s, w->node, obj);
    if (info->from_jdk) return;
    pts_map_at(&s->outside_objs, obj, &is_new);
    if (!is_new) return;
    uint32_t self = pts_graph_nodes(&s->g, 1);
    pts_put(s, self, obj);
    construct(s, cls, self);
}

/* Whether a root lies in the same package. */
static bool is_near(struct pts *s, class_id cls) {
    bool is_new;
    for (; s->packages_of < s->roots.n; s->packages_of++) {
        class_id owner = program_method(s->p, s->roots.v[s->packages_of].method)->owner;
        pts_map_at(&s->packages, program_info(s->p, owner)->package.v + 1u, &is_new);
    }
    return pts_map_get(&s->packages, program_info(s->p, cls)->package.v + 1u, PTS_NO_NODE) != PTS_NO_NODE;
}

static bool visit_below(void *arg, class_id sub) {
    enum { MOST = 64 };
    struct wanted *w = arg;
    const struct class_info *info = program_info(w->s->p, sub);
    if (info->state != CLASS_LOADED || info->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE)) return true;
    if (info->from_jdk || (w->near && !is_near(w->s, sub))) return true;
    put_instance(w, sub);
    return ++w->n < MOST;
}

static void put_array(struct wanted *w, class_id type, class_id component) {
    uint32_t array = pts_plain_obj(w->s, pts_alloc_model(w->s->world, type, w->label));
    pts_put(w->s, w->node, array);
    if (class_is_primitive(component)) return;
    struct wanted elements = {
        .s = w->s, .node = pts_field_node(w->s, array, PTS_FIELD_ELEMS), .label = w->label};
    put_value(&elements, component);
}

/* Some object of the declared type: the class itself, and the application's classes below it. */
static void put_value(struct wanted *w, class_id type) {
    struct pts *s = w->s;
    const struct class_info *info = program_info(s->p, type);
    if (info->component.v) return put_array(w, type, info->component);
    bool concrete = info->state == CLASS_LOADED && !(info->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE));
    const char *name = program_class_name(s->p, type);
    w->near = info->from_jdk;
    if (concrete) put_instance(w, type);
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
        if (strcmp(name, stand_ins[i][0]) == 0) put_instance(w, program_class(s->p, stand_ins[i][1]));
    if (type.v != CLASS_OBJECT) program_each_below(s->p, type, visit_below, w);
}

/* ---- roots ---- */

static class_id root_self(const struct pts *s, const struct pts_root *root) {
    return root->self.v != 0 ? root->self : program_method(s->p, root->method)->owner;
}

static bool is_constructor(const struct pts *s, const struct pts_root *root) {
    return strcmp(program_str(s->p, program_method(s->p, root->method)->name), "<init>") == 0;
}

static void make_arguments(struct pts *s, const struct pts_root *root, uint32_t *args, uint32_t n_args) {
    const struct method_info *m = program_method(s->p, root->method);
    bool is_static = m->access & CF_ACC_STATIC, makes = is_constructor(s, root);
    for (uint32_t i = 0; i < n_args; i++) {
        class_id type = !is_static && i == 0 ? root_self(s, root) : m->sig->params[is_static ? i : i - 1];
        args[i] = PTS_NO_NODE;
        if (class_is_primitive(type)) continue;
        args[i] = pts_graph_nodes(&s->g, 1);
        if (i == 0 && makes) { /* not one of those that others know */
            pts_put(s, args[i], pts_plain_obj(s, pts_alloc_model(s->world, type, "being made")));
            continue;
        }
        if (root->kind != PTS_ROOT_MAIN) {
            put_value(&(struct wanted){.s = s, .node = args[i], .label = "argument"}, type);
            continue;
        }
        uint32_t array = pts_model_obj(s, "[Ljava/lang/String;", "main arguments");
        pts_put(s, args[i], array);
        pts_put(s, pts_field_node(s, array, PTS_FIELD_ELEMS), pts_merged_obj(s, (class_id){CLASS_STRING}));
    }
}

void pts_enter_root(struct pts *s, uint32_t index) {
    const struct pts_root *root = &s->roots.v[index];
    const struct method_info *m = program_method(s->p, root->method);
    bool is_static = m->access & CF_ACC_STATIC;
    uint32_t args[256], n = m->sig->n_params + (is_static ? 0u : 1u);
    if (n > 255) return;
    make_arguments(s, root, args, n);
    pts_initialise(s, m->owner, 0, 0);
    struct pts_site call = {.stmt = index + 1, /* says which root the call enters */
                            .call = PTS_NO_VAR,
                            .method = root->method,
                            .ret = PTS_NO_NODE,
                            .args = args,
                            .n_args = (uint16_t)n,
                            .kind = is_static                 ? IR_CALL_STATIC
                                    : is_constructor(s, root) ? IR_CALL_SPECIAL
                                                              : IR_CALL_VIRTUAL,
                            .edge = PTS_EDGE_CALL};
    pts_enter_site(s, pts_new_site(s, call));
}

/* ---- fields ---- */

static bool set_field(struct pts *s, field_id f, uint32_t node) {
    const struct field_info *info = program_field(s->p, f);
    char label[600];
    bool is_new;
    if (pts_set_count(pts_graph_set(&s->g, node)) > 0) return false;
    pts_map_at(&s->outside_fields, f.v, &is_new);
    snprintf(label, sizeof label, "%s.%s from outside", program_class_name(s->p, info->owner),
             program_str(s->p, info->name));
    put_value(&(struct wanted){.s = s, .node = node, .label = label}, info->type);
    return pts_set_count(pts_graph_set(&s->g, node)) > 0;
}

static bool is_settable(const struct field_info *f, bool is_static) {
    return !class_is_primitive(f->type) && ((f->access & CF_ACC_STATIC) != 0) == is_static &&
           (f->access & CF_ACC_SYNTHETIC) == 0;
}

/* The fields that a class and those above it declare; `obj` is 0 for static ones. */
static bool set_fields_of(struct pts *s, class_id cls, uint32_t obj) {
    bool changed = false;
    for (class_id c = cls; c.v != 0 && !program_info(s->p, c)->from_jdk; c = program_info(s->p, c)->super) {
        const struct class_info *info = program_info(s->p, c);
        for (uint32_t i = 0; i < info->n_fields; i++) {
            field_id f = {info->first_field.v + i};
            if (!is_settable(program_field(s->p, f), obj == 0)) continue;
            changed |= set_field(s, f, obj == 0 ? pts_static_node(s, f) : pts_field_node(s, obj, f.v));
        }
    }
    return changed;
}

bool pts_set_fields(struct pts *s) {
    bool changed = false;
    for (size_t i = 0; i < s->roots.n; i++) {
        const struct pts_root *root = &s->roots.v[i];
        if (root->kind != PTS_ROOT_OPEN) continue;
        class_id self = root_self(s, root);
        if (i > 0 && root_self(s, &s->roots.v[i - 1]).v == self.v) continue; /* they stand class by class */
        changed |= set_fields_of(s, self, 0);
        const struct class_info *info = program_info(s->p, self);
        if ((info->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE | CF_ACC_ENUM)) != 0) continue;
        changed |= set_fields_of(s, self, pts_plain_obj(s, pts_alloc_model(s->world, self, "argument")));
    }
    return changed;
}
