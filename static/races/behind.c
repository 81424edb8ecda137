/*
 * What stands behind the views, iterators and wrappers that a variable may hold: the containers that their
 * fields lead to, each with the mutex of the synchronized wrapper on the way.
 *
 * Any field of a class of java.util that has the name of such a link is followed; that may be too many.
 */
#include "internal.h"

#include "race/containercalls.h"

#include <string.h>

enum { FAR = 16 };

typedef VEC(struct container_behind) behind_list;

struct search {
    struct races *r;
    behind_list *found;
    bool iterates; /* takes no lock of a wrapper */
    bool writes;
    pts_obj mutex;
    int depth;
};

/* One and the same object, or whichever of two there is; the first of them names both. */
static pts_obj common_mutex(struct races *r, pts_obj a, pts_obj b) {
    if (a.v == 0 || b.v == 0 || !are_alternatives(r, a, b)) return (pts_obj){0};
    return a.v < b.v ? a : b;
}

static void put(struct search *x, pts_obj o) {
    struct container_behind *c;
    VEC_FOREACH (c, x->found) {
        if (c->object.v != o.v) continue;
        c->mutex = common_mutex(x->r, c->mutex, x->mutex);
        return;
    }
    vec_push(x->found, ((struct container_behind){o, x->mutex}));
}

static const char *class_name(const struct races *r, pts_obj o) {
    return program_class_name(r->p, pts_obj_info(r->pts, o)->cls);
}

static const char *field_name(const struct races *r, field_id f) {
    return f.v == 0 ? "" : program_str(r->p, program_field(r->p, f)->name);
}

/* ---- sets, which are made of maps ---- */

struct inside {
    struct races *r;
    pts_obj set;
};

static void note_map(void *arg, field_id f, struct pts_view view) {
    struct inside *x = arg;
    if (strcmp(field_name(x->r, f), "map") != 0 && strcmp(field_name(x->r, f), "m") != 0) return;
    struct pts_iter it = {0};
    pts_obj map;
    while (pts_next(view, &it, &map)) {
        vec_push(&x->r->sets, ((struct container_behind){map, x->set}));
        /* TreeSet.headSet and the like: a set over a part of another set's map */
        if (!container_class(x->r, pts_obj_info(x->r->pts, map)->cls)) bits_add(&x->r->view_sets, x->set.v);
    }
}

void behind_init(struct races *r) {
    bits_init(&r->view_sets, &r->arena, pts_n_objs(r->pts) + 1);
    for (uint32_t i = 1; i <= pts_n_objs(r->pts); i++) {
        const char *name = class_name(r, (pts_obj){i});
        if (strcmp(name, "java/util/HashSet") != 0 && strcmp(name, "java/util/LinkedHashSet") != 0 &&
            strcmp(name, "java/util/TreeSet") != 0)
            continue;
        struct inside x = {r, {i}};
        pts_each_field(r->pts, x.set, note_map, &x);
    }
}

/* The iterators of a set know only the map inside. */
static void put_sets(struct search *x, pts_obj map) {
    struct container_behind *c;
    VEC_FOREACH (c, &x->r->sets) {
        if (c->object.v == map.v) put(x, c->mutex);
    }
}

/* ---- links ---- */

static void search(struct search *x, pts_obj o);

static void follow(void *arg, field_id f, struct pts_view view) {
    static const char *const links[] = {"this$0", "this$1", "root",  "base",  "m", "c",
                                        "q",      "i",      "it",    "itr",   "s", "list",
                                        "map",    "outer",  "val$i", "val$it"};
    struct search *x = arg;
    const char *name = field_name(x->r, f);
    bool linked = false;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) linked |= strcmp(links[i], name) == 0;
    if (!linked) return;
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(view, &it, &o)) search(x, o);
}

static void find_mutex(void *arg, field_id f, struct pts_view view) {
    struct search *x = arg;
    struct pts_iter it = {0};
    pts_obj o, more;
    if (strcmp(field_name(x->r, f), "mutex") != 0 || !pts_next(view, &it, &o) || pts_next(view, &it, &more))
        return;
    if (pts_obj_info(x->r->pts, o)->once) x->mutex = o;
}

static void search(struct search *x, pts_obj o) {
    struct races *r = x->r;
    /* It looks at a copy; only remove() goes to the set. */
    if (x->iterates && !x->writes &&
        strcmp(class_name(r, o), "java/util/RegularEnumSet$EnumSetIterator") == 0)
        return;
    if (container_class(r, pts_obj_info(r->pts, o)->cls)) {
        put(x, o);
        put_sets(x, o);
        if (!bits_has(&r->view_sets, o.v)) return;
    }
    const char *name = class_name(r, o);
    if (strncmp(name, "java/util/", 10) != 0 || x->depth == FAR) return;
    pts_obj outer = x->mutex;
    if (!x->iterates && strncmp(name, "java/util/Collections$Synchronized", 34) == 0)
        pts_each_field(r->pts, o, find_mutex, x);
    x->depth++;
    pts_each_field(r->pts, o, follow, x);
    x->depth--;
    x->mutex = outer;
}

bool stands_for_container(struct races *r, pts_obj o) {
    if (container_class(r, pts_obj_info(r->pts, o)->cls)) return bits_has(&r->view_sets, o.v);
    behind_list found = {0};
    struct search x = {.r = r, .found = &found};
    search(&x, o);
    bool any = found.n > 0;
    vec_release(&found);
    return any;
}

/* The mutex of the synchronized wrapper that a variable holds, if it is sure to be one. */
static pts_obj wrapper_mutex(struct races *r, pts_inst i, ir_var v) {
    struct pts_view view = pts_var(r->pts, i, v);
    struct pts_iter it = {0};
    pts_obj o, mutex = {0};
    while (pts_next(view, &it, &o)) {
        struct search x = {.r = r};
        if (strncmp(class_name(r, o), "java/util/Collections$Synchronized", 34) == 0)
            pts_each_field(r->pts, o, find_mutex, &x);
        mutex = mutex.v == 0 ? x.mutex : common_mutex(r, mutex, x.mutex);
        if (mutex.v == 0) return mutex;
    }
    return mutex;
}

const struct container_set *containers_behind(struct races *r, const struct races_access *a, pts_inst i) {
    behind_list found = {0};
    struct search x = {.r = r, .found = &found, .iterates = a->use == CC_ITERATE, .writes = a->is_write};
    if (a->read_by.v != 0) x.mutex = wrapper_mutex(r, i, a->read_by);
    struct pts_view view = pts_var(r->pts, i, a->object);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(view, &it, &o)) search(&x, o);
    struct container_set *set = ARENA_NEW(&r->arena, struct container_set);
    set->n = (uint32_t)found.n;
    set->v = ARENA_NEW_N(&r->arena, found.n + 1, struct container_behind);
    if (found.n > 0) memcpy(set->v, found.v, found.n * sizeof *found.v);
    vec_release(&found);
    return set;
}
