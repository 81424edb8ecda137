/*
 * What stands behind the views, iterators and wrappers that a variable may hold: the containers that their
 * fields lead to, each with the mutex of the synchronized wrapper on the way.
 *
 * Any field of a class of java.util that has the name of such a link is followed; that may be too many.
 */
#include "internal.h"

#include "race/containercalls.h"

#include <stdlib.h>
#include <string.h>

/* What a search knows of an object; `round` tells its searches apart. */
struct behind_mark {
    uint32_t round;
    uint32_t found; /* 1 + its place among what was found */
    bool arrived;
    pts_obj mutex; /* held on every way that arrived here */
};

struct behind {
    struct behind_mark *marks; /* by object */
    uint32_t round;
    VEC(struct container_behind) sets; /* map and set (in the place of the mutex) made of it, by map */
    bits view_sets;                    /* sets that are views of other sets */
    bits asked, stands;                /* answers of stands_for_container */
    VEC(name_id) links;
    name_id mutex;
};

struct search {
    struct races *r;
    struct behind *b;
    bool iterates; /* takes no lock of a wrapper */
    bool writes;
    pts_obj mutex; /* of the object whose fields are looked at */
    VEC(struct container_behind) found, queue;
};

static void search_init(struct search *x, struct races *r) {
    *x = (struct search){.r = r, .b = r->behind};
    x->b->round++;
}

static void search_release(struct search *x) {
    vec_release(&x->found);
    vec_release(&x->queue);
}

static struct behind_mark *mark_of(struct search *x, pts_obj o) {
    struct behind_mark *m = &x->b->marks[o.v];
    if (m->round != x->b->round) *m = (struct behind_mark){.round = x->b->round};
    return m;
}

/* One and the same object, or whichever of two there is; the first of them names both. */
static pts_obj common_mutex(struct races *r, pts_obj a, pts_obj b) {
    if (a.v == 0 || b.v == 0 || !are_alternatives(r, a, b)) return (pts_obj){0};
    return a.v < b.v ? a : b;
}

static void put(struct search *x, pts_obj o, pts_obj mutex) {
    struct behind_mark *m = mark_of(x, o);
    if (m->found == 0) {
        vec_push(&x->found, ((struct container_behind){o, mutex}));
        m->found = (uint32_t)x->found.n;
    } else {
        struct container_behind *c = &x->found.v[m->found - 1];
        c->mutex = common_mutex(x->r, c->mutex, mutex);
    }
}

/* Another way leads to the object: it is looked at again only if less is held on that one. */
static void arrive(struct search *x, pts_obj o, pts_obj mutex) {
    struct behind_mark *m = mark_of(x, o);
    if (m->arrived) {
        mutex = common_mutex(x->r, m->mutex, mutex);
        if (pts_obj_eq(mutex, m->mutex)) return;
    }
    m->arrived = true;
    m->mutex = mutex;
    vec_push(&x->queue, ((struct container_behind){o, mutex}));
}

static const char *class_name(const struct races *r, pts_obj o) {
    return program_class_name(r->p, pts_obj_info(r->pts, o)->cls);
}

/* Of a field that the program declares; 0 for elements and what function objects captured. */
static name_id field_name(const struct races *r, field_id f) {
    if (f.v == 0 || f.v > program_n_fields(r->p)) return (name_id){0};
    return program_field(r->p, f)->name;
}

/* ---- sets, which are made of maps ---- */

struct inside {
    struct races *r;
    pts_obj set;
};

static void note_map(void *arg, field_id f, struct pts_view view) {
    struct inside *x = arg;
    name_id name = field_name(x->r, f);
    if (name.v == 0 || (!name_is(x->r, name, "map") && !name_is(x->r, name, "m"))) return;
    struct pts_iter it = {0};
    pts_obj map;
    while (pts_next(view, &it, &map)) {
        vec_push(&x->r->behind->sets, ((struct container_behind){map, x->set}));
        /* TreeSet.headSet and the like: a set over a part of another set's map */
        if (!container_class(x->r, pts_obj_info(x->r->pts, map)->cls))
            bits_add(&x->r->behind->view_sets, x->set.v);
    }
}

static int by_map(const void *p, const void *q) {
    const struct container_behind *a = p, *b = q;
    if (a->object.v != b->object.v) return a->object.v < b->object.v ? -1 : 1;
    return a->mutex.v < b->mutex.v ? -1 : a->mutex.v > b->mutex.v;
}

static void find_sets(struct races *r) {
    for (uint32_t i = 1; i <= pts_n_objs(r->pts); i++) {
        class_id base = container_base(r, pts_obj_info(r->pts, (pts_obj){i})->cls);
        const char *name = base.v == 0 ? "" : program_class_name(r->p, base);
        if (strcmp(name, "java/util/HashSet") != 0 && strcmp(name, "java/util/LinkedHashSet") != 0 &&
            strcmp(name, "java/util/TreeSet") != 0)
            continue;
        struct inside x = {r, {i}};
        pts_each_field(r->pts, x.set, note_map, &x);
    }
    struct behind *b = r->behind;
    if (b->sets.n > 0) qsort(b->sets.v, b->sets.n, sizeof *b->sets.v, by_map);
}

void behind_init(struct races *r) {
    static const char *const links[] = {"this$0", "this$1", "root",  "base",  "m", "c",
                                        "q",      "i",      "it",    "itr",   "s", "list",
                                        "map",    "outer",  "val$i", "val$it"};
    uint32_t n = pts_n_objs(r->pts) + 1;
    struct behind *b = r->behind = ARENA_NEW(&r->arena, struct behind);
    b->marks = ARENA_NEW_N(&r->arena, n, struct behind_mark);
    bits_init(&b->view_sets, &r->arena, n);
    bits_init(&b->asked, &r->arena, n);
    bits_init(&b->stands, &r->arena, n);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        vec_push(&b->links, program_name(r->p, links[i]));
    b->mutex = program_name(r->p, "mutex");
    find_sets(r);
}

void behind_release(struct races *r) {
    if (r->behind == NULL) return;
    vec_release(&r->behind->sets);
    vec_release(&r->behind->links);
}

/* The iterators of a set know only the map inside. */
static void put_sets(struct search *x, pts_obj map, pts_obj mutex) {
    const struct container_behind *v = x->b->sets.v;
    size_t lo = 0, hi = x->b->sets.n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        *(v[mid].object.v < map.v ? &lo : &hi) = v[mid].object.v < map.v ? mid + 1 : mid;
    }
    for (; lo < x->b->sets.n && v[lo].object.v == map.v; lo++) put(x, v[lo].mutex, mutex);
}

/* ---- links ---- */

static void follow(void *arg, field_id f, struct pts_view view) {
    struct search *x = arg;
    name_id name = field_name(x->r, f), *link;
    bool linked = false;
    VEC_FOREACH (link, &x->b->links) linked |= link->v == name.v;
    if (!linked) return;
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(view, &it, &o)) arrive(x, o, x->mutex);
}

static void find_mutex(void *arg, field_id f, struct pts_view view) {
    struct search *x = arg;
    struct pts_iter it = {0};
    pts_obj o, more;
    if (field_name(x->r, f).v != x->b->mutex.v || !pts_next(view, &it, &o) || pts_next(view, &it, &more))
        return;
    if (pts_obj_info(x->r->pts, o)->once) x->mutex = o;
}

static bool is_synchronized_wrapper(const char *name) {
    return strncmp(name, "java/util/Collections$Synchronized", 34) == 0;
}

static void look_at(struct search *x, pts_obj o, pts_obj mutex) {
    struct races *r = x->r;
    const char *name = class_name(r, o);
    /* It looks at a copy; only remove() goes to the set. */
    if (x->iterates && !x->writes && strcmp(name, "java/util/RegularEnumSet$EnumSetIterator") == 0) return;
    if (container_class(r, pts_obj_info(r->pts, o)->cls)) {
        put(x, o, mutex);
        put_sets(x, o, mutex);
        if (!bits_has(&x->b->view_sets, o.v)) return;
    }
    if (strncmp(name, "java/util/", 10) != 0) return;
    x->mutex = mutex;
    if (!x->iterates && is_synchronized_wrapper(name)) pts_each_field(r->pts, o, find_mutex, x);
    pts_each_field(r->pts, o, follow, x);
}

static void search(struct search *x) {
    while (x->queue.n > 0) {
        struct container_behind next = vec_pop(&x->queue);
        look_at(x, next.object, next.mutex);
    }
}

bool stands_for_container(struct races *r, pts_obj o) {
    struct behind *b = r->behind;
    if (container_class(r, pts_obj_info(r->pts, o)->cls)) return bits_has(&b->view_sets, o.v);
    if (!bits_has(&b->asked, o.v)) {
        struct search x;
        search_init(&x, r);
        arrive(&x, o, (pts_obj){0});
        search(&x);
        bits_add(&b->asked, o.v);
        if (x.found.n > 0) bits_add(&b->stands, o.v);
        search_release(&x);
    }
    return bits_has(&b->stands, o.v);
}

/* The mutex of the synchronized wrapper that a variable holds, if it is sure to be one. */
static pts_obj wrapper_mutex(struct races *r, pts_inst i, ir_var v) {
    struct pts_view view = pts_var(r->pts, i, v);
    struct pts_iter it = {0};
    pts_obj o, mutex = {0};
    while (pts_next(view, &it, &o)) {
        struct search x = {.r = r, .b = r->behind};
        if (is_synchronized_wrapper(class_name(r, o))) pts_each_field(r->pts, o, find_mutex, &x);
        mutex = mutex.v == 0 ? x.mutex : common_mutex(r, mutex, x.mutex);
        if (mutex.v == 0) return mutex;
    }
    return mutex;
}

const struct container_set *containers_behind(struct races *r, const struct races_access *a, pts_inst i) {
    struct search x;
    pts_obj mutex = {0};
    if (a->read_by.v != 0) mutex = wrapper_mutex(r, i, a->read_by);
    search_init(&x, r);
    x.iterates = a->use == CC_ITERATE;
    x.writes = a->is_write;
    struct pts_view view = pts_var(r->pts, i, a->object);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(view, &it, &o)) arrive(&x, o, mutex);
    search(&x);
    struct container_set *set = ARENA_NEW(&r->arena, struct container_set);
    set->n = (uint32_t)x.found.n;
    set->v = ARENA_NEW_N(&r->arena, x.found.n + 1, struct container_behind);
    if (x.found.n > 0) memcpy(set->v, x.found.v, x.found.n * sizeof *x.found.v);
    search_release(&x);
    return set;
}
