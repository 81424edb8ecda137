/* Allocation sites, abstract objects and contexts: interned, numbered in the order of discovery. */
#include "solver.h"

#include <string.h>

static pts_alloc push_alloc(struct pts_world *w, uint64_t key, struct pts_alloc_info info) {
    bool is_new;
    uint32_t *at = pts_map_at(&w->alloc_map, key, &is_new);
    if (is_new) {
        *at = (uint32_t)w->allocs.n;
        vec_push(&w->allocs, info);
    }
    return (pts_alloc){*at};
}

/* Keys: the kind in the top bits, then what tells the sites of the kind apart. */
static uint64_t key_of(uint64_t kind, uint64_t a, uint64_t b) {
    return (kind + 1) << 60 | a << 28 | b;
}

/*
 * Text under construction by the application: a builder that one site makes and nobody keeps is its thread's
 * own, which one object for all builders would hide.  Builders that the JDK makes are no business of anybody.
 */
static bool is_own_builder(const struct pts_world *w, const struct pts_alloc_info *info) {
    const char *name = program_class_name(w->p, info->cls);
    bool is_builder = strcmp(name, "java/lang/StringBuilder") == 0 ||
                      strcmp(name, "java/lang/StringBuffer") == 0 ||
                      strcmp(name, "java/util/StringJoiner") == 0;
    return is_builder && !program_info(w->p, program_method(w->p, info->method)->owner)->from_jdk;
}

pts_alloc pts_alloc_at(struct pts_world *w, struct pts_alloc_info info) {
    if (info.kind == PTS_ALLOC_NEW && pts_is_merged(w->p, info.cls, w->split) && !is_own_builder(w, &info))
        return pts_alloc_merged(w, info.cls);
    uint64_t dims = info.kind == PTS_ALLOC_INNER ? program_info(w->p, info.cls)->dimensions : 0;
    return push_alloc(w, key_of(info.kind, info.method.v, (uint64_t)info.stmt << 8 | (dims & 255)), info);
}

pts_alloc pts_alloc_merged(struct pts_world *w, class_id cls) {
    struct pts_alloc_info info = {.kind = PTS_ALLOC_MERGED, .cls = cls, .in_loop = true};
    return push_alloc(w, key_of(PTS_ALLOC_MERGED, cls.v, 0), info);
}

pts_alloc pts_alloc_class(struct pts_world *w, class_id type) {
    struct pts_alloc_info info = {.kind = PTS_ALLOC_CLASS, .cls = {CLASS_CLASS}, .type = type};
    return push_alloc(w, key_of(PTS_ALLOC_CLASS, type.v, 0), info);
}

pts_alloc pts_alloc_model(struct pts_world *w, class_id cls, const char *label) {
    struct pts_alloc_info info = {.kind = PTS_ALLOC_MODEL, .cls = cls, .in_loop = true};
    name_id name = program_name(w->p, label);
    info.label = program_str(w->p, name);
    return push_alloc(w, key_of(PTS_ALLOC_MODEL, cls.v, name.v & 0xFFFFFFF), info);
}

pts_alloc pts_alloc_call(struct pts_world *w, method_id m, const struct pts_code_call *call, class_id cls,
                         bool in_loop) {
    /* Two steps, as (method, statement, class) does not fit one key: first the statement gets a number. */
    bool is_new;
    uint32_t *at = pts_map_at(&w->alloc_map, key_of(8, m.v, call->stmt), &is_new);
    if (is_new) *at = (uint32_t)w->alloc_map.n;
    struct pts_alloc_info info = {.kind = PTS_ALLOC_NEW,
                                  .method = m,
                                  .stmt = call->stmt,
                                  .line = call->line,
                                  .bci = call->bci,
                                  .cls = cls,
                                  .in_loop = in_loop};
    return push_alloc(w, key_of(9, *at, cls.v), info);
}

pts_alloc pts_alloc_about(struct pts_world *w, class_id cls, const char *label, class_id type) {
    bool is_new;
    name_id name = program_name(w->p, label);
    uint32_t *at = pts_map_at(&w->alloc_map, key_of(10, cls.v, name.v), &is_new);
    if (is_new) *at = (uint32_t)w->alloc_map.n;
    struct pts_alloc_info info = {.kind = PTS_ALLOC_MODEL, .cls = cls, .in_loop = true, .type = type};
    info.label = program_str(w->p, name);
    return push_alloc(w, key_of(11, *at, type.v), info);
}

pts_alloc pts_alloc_string(struct pts_world *w, name_id text) {
    return pts_alloc_model(w, (class_id){CLASS_STRING}, program_str(w->p, text));
}

pts_ctx pts_make_ctx(struct pts *s, uint32_t obj, uint32_t origin) {
    bool is_new;
    if (obj == 0 && origin == 0 && s->ctxs.n > PTS_EPSILON) return (pts_ctx){PTS_EPSILON};
    uint32_t *at = pts_map_at(&s->ctx_map, ((uint64_t)obj << 32 | origin) + 1, &is_new);
    if (is_new) {
        struct pts_ctx_info info = {.obj = {obj}, .origin = {origin}};
        *at = (uint32_t)s->ctxs.n;
        vec_push(&s->ctxs, info);
    }
    return (pts_ctx){*at};
}

static uint32_t intern_obj(struct pts *s, pts_alloc a, pts_ctx rest) {
    bool is_new;
    uint32_t *at = pts_map_at(&s->obj_map, (uint64_t)a.v << 32 | rest.v, &is_new);
    if (!is_new) return *at;
    struct pts_obj_info info = {.alloc = a, .rest = rest, .cls = s->world->allocs.v[a.v].cls};
    *at = pts_graph_object(&s->g, pts_kind_of(s, a));
    uint32_t id = *at;
    vec_push(&s->objs, info);
    pts_on_object(s, id);
    return id;
}

/* The first n sites of a context; the origin stays. */
static pts_ctx truncate_ctx(struct pts *s, pts_ctx c, unsigned n) {
    struct pts_ctx_info info = s->ctxs.v[c.v];
    if (info.obj.v == 0) return c;
    if (n == 0) return pts_make_ctx(s, 0, info.origin.v);
    struct pts_obj_info o = s->objs.v[info.obj.v];
    pts_ctx rest = truncate_ctx(s, o.rest, n - 1);
    if (rest.v == o.rest.v) return c;
    return pts_make_ctx(s, intern_obj(s, o.alloc, rest), info.origin.v);
}

uint32_t pts_make_obj(struct pts *s, pts_alloc a, pts_ctx c) {
    const struct pts_alloc_info *info = &s->world->allocs.v[a.v];
    if (info->kind != PTS_ALLOC_NEW && info->kind != PTS_ALLOC_INNER && info->kind != PTS_ALLOC_LAMBDA)
        return pts_plain_obj(s, a);
    unsigned k = pts_k_of(s, a, c);
    return intern_obj(s, a, truncate_ctx(s, c, k - 1));
}

uint32_t pts_plain_obj(struct pts *s, pts_alloc a) {
    return intern_obj(s, a, (pts_ctx){PTS_EPSILON});
}

uint32_t pts_merged_obj(struct pts *s, class_id cls) {
    return pts_plain_obj(s, pts_alloc_merged(s->world, cls));
}

uint32_t pts_model_obj(struct pts *s, const char *cls, const char *label) {
    return pts_plain_obj(s, pts_alloc_model(s->world, program_class(s->p, cls), label));
}

uint32_t pts_class_obj(struct pts *s, class_id type) {
    return pts_plain_obj(s, pts_alloc_class(s->world, type));
}
