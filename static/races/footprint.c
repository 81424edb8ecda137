#include "footprint.h"

#include "race/containercalls.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct footprint_key {
    const void *set; /* of the points-to analysis, or a container_set */
    uintptr_t kind;  /* enum plan_kind; a word, so that the key has no padding */
};

struct footprint_entry {
    struct footprint_key key;
    struct footprint print;
    UT_hash_handle hh;
};

void footprints_init(struct footprints *f, struct races *r) {
    *f = (struct footprints){.r = r};
}

void footprints_release(struct footprints *f) {
    struct footprint_entry *e, *next;
    HASH_ITER (hh, f->entries, e, next) {
        HASH_DEL(f->entries, e);
        free(e->print.v);
        free(e);
    }
}

/* Whether the access may be one of the object: its variable may hold objects that are no containers, too. */
static bool may_be_touched(struct races *r, const struct races_access *a, pts_obj o) {
    const struct pts_obj_info *info = pts_obj_info(r->pts, o);
    if (a->kind == PLAN_ARRAY && pts_alloc_info(r->pts, info->alloc)->is_empty && !r->options.reach_only)
        return false; /* it has no elements */
    return a->kind != PLAN_CONTAINER || (container_class(r, info->cls) && container_exists(r, o));
}

typedef VEC(struct object_word) words;

static void add_object(struct races *r, const struct races_access *a, struct footprint *f, words *w,
                       pts_obj o) {
    if (!may_be_touched(r, a, o)) return;
    f->outline.w[o.v >> 6 & 3] |= (uint64_t)1 << (o.v & 63);
    f->reorders |= a->kind == PLAN_CONTAINER && container_reorders(r, o);
    if (w->n == 0 || w->v[w->n - 1].index != o.v / 64) vec_push(w, ((struct object_word){.index = o.v / 64}));
    w->v[w->n - 1].bits |= (uint64_t)1 << (o.v & 63);
}

static int by_index(const void *p, const void *q) {
    const struct object_word *a = p, *b = q;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Objects behind views come in any order: one word for each index. */
static void sort_words(words *w) {
    size_t n = 0;
    qsort(w->v, w->n, sizeof *w->v, by_index);
    for (size_t i = 0; i < w->n; i++) {
        if (n > 0 && w->v[n - 1].index == w->v[i].index)
            w->v[n - 1].bits |= w->v[i].bits;
        else
            w->v[n++] = w->v[i];
    }
    w->n = n;
}

static void fill(struct races *r, const struct races_access *a, struct pts_view view, struct footprint *f) {
    words w = {0};
    struct pts_iter it = {0};
    pts_obj o;
    if (f->behind != NULL) {
        for (uint32_t k = 0; k < f->behind->n; k++) add_object(r, a, f, &w, f->behind->v[k].object);
        if (w.n > 1) sort_words(&w);
    } else {
        while (pts_next(view, &it, &o)) add_object(r, a, f, &w, o);
    }
    f->n = (uint32_t)w.n;
    f->v = w.v;
}

const struct footprint *footprint_of(struct footprints *f, const struct races_access *a, pts_inst i) {
    struct pts_view view = pts_var(f->r->pts, i, a->object);
    const struct container_set *behind = stands_behind(a) ? containers_behind(f->r, a, i) : NULL;
    struct footprint_key key = {behind != NULL ? (const void *)behind : view.set, a->kind};
    struct footprint_entry *e;
    HASH_FIND(hh, f->entries, &key, sizeof key, e);
    if (e != NULL) return &e->print;
    e = calloc(1, sizeof *e);
    if (e == NULL) abort();
    e->key = key;
    e->print.behind = behind;
    fill(f->r, a, view, &e->print);
    HASH_ADD(hh, f->entries, key, sizeof key, e);
    return &e->print;
}

const struct footprint *footprints_together(struct footprints *f, const struct footprint *const *v,
                                            uint32_t n) {
    bool same = true;
    for (uint32_t i = 1; i < n; i++) same &= v[i] == v[0];
    if (same) return v[0];
    words w = {0};
    struct footprint *all = ARENA_NEW(&f->r->arena, struct footprint);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < v[i]->n; k++) vec_push(&w, v[i]->v[k]);
        for (int k = 0; k < 4; k++) all->outline.w[k] |= v[i]->outline.w[k];
    }
    if (w.n > 1) sort_words(&w);
    all->n = (uint32_t)w.n;
    if (w.n > 0) all->v = arena_copy(&f->r->arena, w.v, w.n * sizeof *w.v);
    vec_release(&w);
    return all;
}

bool meeting_next(struct meeting *m) {
    if (m->b == NULL) {
        if (m->i == m->a->n) return false;
        m->common = m->a->v[m->i++];
        return true;
    }
    while (m->i < m->a->n && m->j < m->b->n) {
        const struct object_word *x = &m->a->v[m->i], *y = &m->b->v[m->j];
        m->i += x->index <= y->index;
        m->j += y->index <= x->index;
        m->common = (struct object_word){x->index, x->index == y->index ? x->bits & y->bits : 0};
        if (m->common.bits != 0) return true;
    }
    return false;
}

pts_obj footprint_mutex(const struct footprint *f, pts_obj o) {
    for (uint32_t i = 0; f->behind != NULL && i < f->behind->n; i++)
        if (f->behind->v[i].object.v == o.v) return f->behind->v[i].mutex;
    return (pts_obj){0};
}
