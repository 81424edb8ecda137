/* After the fixed point: indexes, and the queries of race/pointsto.h. */
#include "solver.h"
#include "plugin.h"

#include <stdlib.h>
#include <string.h>

/* ---- indexes ---- */

static int by_stmt(const void *a, const void *b) {
    const struct pts_call *x = a, *y = b;
    if (x->stmt != y->stmt) return x->stmt < y->stmt ? -1 : 1;
    if (x->callee.v != y->callee.v) return x->callee.v < y->callee.v ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

static int by_key(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static uint32_t end_of(const struct pts_call *call, bool callee) {
    return callee ? call->callee.v : call->caller.v;
}

/*
 * Puts calls in the order of the instances at one end of them, which keeps the order they had; start[i] is
 * the first of instance i, start[n_insts] their number.  There are millions: comparing them would cost
 * seconds.
 */
static void sort_by_end(const struct pts_call *from, size_t n, bool callee, uint32_t *start, size_t n_insts,
                        struct pts_call *to) {
    memset(start, 0, (n_insts + 1) * sizeof *start);
    for (size_t i = 0; i < n; i++) start[end_of(&from[i], callee)]++;
    uint32_t sum = 0;
    for (size_t i = 0; i <= n_insts; i++) {
        sum += start[i];
        start[i] = sum; /* behind the last one: each that is placed moves it forward */
    }
    for (size_t i = n; i-- > 0;) to[--start[end_of(&from[i], callee)]] = from[i];
}

/* Derived calls may repeat an edge of their statement.  `calls` are sorted; returns how many are left. */
static size_t drop_repeated(struct pts_call *calls, uint32_t *start, size_t n_insts) {
    size_t kept = 0, i = 0;
    for (size_t inst = 0; inst < n_insts; inst++) {
        size_t first = kept, end = start[inst + 1];
        start[inst] = (uint32_t)first;
        for (; i < end; i++)
            if (kept == first || by_stmt(&calls[kept - 1], &calls[i]) != 0) calls[kept++] = calls[i];
    }
    start[n_insts] = (uint32_t)kept;
    return kept;
}

static void sort_calls(struct pts *s) {
    size_t n = s->insts.n, n_calls = s->calls.n;
    vec_reserve(&s->callee_start, n + 1);
    vec_reserve(&s->caller_start, n + 1);
    vec_reserve(&s->callers, n_calls + 1);
    s->callee_start.n = s->caller_start.n = n + 1;
    uint32_t *start = s->callee_start.v;
    sort_by_end(s->calls.v, n_calls, false, start, n, s->callers.v);
    if (n_calls) memcpy(s->calls.v, s->callers.v, n_calls * sizeof *s->calls.v);
    for (size_t i = 0; i < n; i++)
        if (start[i + 1] - start[i] > 1)
            qsort(s->calls.v + start[i], start[i + 1] - start[i], sizeof *s->calls.v, by_stmt);
    s->calls.n = drop_repeated(s->calls.v, start, n);
    sort_by_end(s->calls.v, s->calls.n, true, s->caller_start.v, n, s->callers.v);
    s->callers.n = s->calls.n;
}

void pts_finish(struct pts *s) {
    sort_calls(s);
    for (size_t i = 0; i < s->heap_map.cap; i++)
        if (s->heap_map.entries[i].key) vec_push(&s->heap_keys, s->heap_map.entries[i].key);
    qsort(s->heap_keys.v, s->heap_keys.n, sizeof *s->heap_keys.v, by_key);
}

/* ---- sets ---- */

static struct pts_view view_of(const struct pts *s, uint32_t node) {
    struct pts_view empty = {NULL};
    if (node == PTS_NO_NODE) return empty;
    /* Looking for a representative shortens paths; that changes no answer. */
    const struct pts_set *set = pts_graph_set((struct pts_graph *)&s->g, node);
    return pts_set_is_empty(set) ? empty : (struct pts_view){set};
}

bool pts_next(struct pts_view view, struct pts_iter *it, pts_obj *o) {
    if (view.set == NULL) return false;
    struct pts_set_iter inner = {.pos = it->pos, .rest = it->rest, .started = it->started};
    bool found = pts_set_next(view.set, &inner, &o->v);
    *it = (struct pts_iter){.pos = inner.pos, .rest = inner.rest, .started = inner.started};
    return found;
}

uint32_t pts_count(struct pts_view view) {
    return view.set ? pts_set_count(view.set) : 0;
}

bool pts_has(struct pts_view view, pts_obj o) {
    return view.set && pts_set_has(view.set, o.v);
}

bool pts_intersects(struct pts_view a, struct pts_view b) {
    if (a.set == NULL || b.set == NULL) return false;
    if (a.set == b.set) return true;
    if (pts_count(a) > pts_count(b)) {
        struct pts_view t = a;
        a = b;
        b = t;
    }
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(a, &it, &o))
        if (pts_has(b, o)) return true;
    return false;
}

/* ---- objects, contexts, instances ---- */

uint32_t pts_n_allocs(const struct pts *s) {
    return (uint32_t)s->world->allocs.n - 1;
}

uint32_t pts_n_objs(const struct pts *s) {
    return (uint32_t)s->objs.n - 1;
}

uint32_t pts_n_ctxs(const struct pts *s) {
    return (uint32_t)s->ctxs.n - 1;
}

const struct pts_alloc_info *pts_alloc_info(const struct pts *s, pts_alloc a) {
    return &s->world->allocs.v[a.v];
}

const struct pts_obj_info *pts_obj_info(const struct pts *s, pts_obj o) {
    return &s->objs.v[o.v];
}

struct pts_ctx_info pts_ctx_info(const struct pts *s, pts_ctx c) {
    return s->ctxs.v[c.v];
}

uint32_t pts_n_insts(const struct pts *s) {
    return (uint32_t)s->insts.n - 1;
}

const struct pts_inst_info *pts_inst_info(const struct pts *s, pts_inst i) {
    return &s->insts.v[i.v].info;
}

pts_inst pts_inst_of(const struct pts *s, method_id m, pts_ctx c) {
    return (pts_inst){pts_map_get(&s->inst_map, (uint64_t)m.v << 32 | c.v, 0)};
}

const pts_inst *pts_insts_of(const struct pts *s, method_id m, uint32_t *n) {
    *n = m.v < s->methods.n ? (uint32_t)s->methods.v[m.v].insts.n : 0;
    return *n ? s->methods.v[m.v].insts.v : NULL;
}

bool pts_is_reachable(const struct pts *s, method_id m) {
    return m.v < s->methods.n && s->methods.v[m.v].insts.n != 0;
}

bool pts_is_modelled(const struct pts *s, method_id m) {
    const struct pts_model *model = m.v < s->methods.n ? s->methods.v[m.v].model : NULL;
    return model != NULL && model->replaces;
}

/* ---- relations ---- */

struct pts_view pts_var(const struct pts *s, pts_inst i, ir_var v) {
    const struct pts_instance *inst = &s->insts.v[i.v];
    const struct pts_code *code = inst->code;
    uint32_t var = PTS_NO_VAR;
    if (code->var_of && v.v <= code->n_ir_vars) var = code->var_of[v.v];
    return view_of(s, var == PTS_NO_VAR ? PTS_NO_NODE : inst->base + var);
}

static struct pts_view view_in(const struct pts *s, const struct pts_map *map, uint64_t key) {
    uint32_t at = pts_map_get(map, key, 0);
    return view_of(s, at ? at - 1 : PTS_NO_NODE);
}

struct pts_view pts_static(const struct pts *s, field_id g) {
    return view_in(s, &s->static_map, g.v);
}

struct pts_view pts_field(const struct pts *s, pts_obj o, field_id f) {
    return view_in(s, &s->heap_map, (uint64_t)o.v << 32 | f.v);
}

struct pts_view pts_elems(const struct pts *s, pts_obj array) {
    return view_in(s, &s->heap_map, (uint64_t)array.v << 32 | PTS_FIELD_ELEMS);
}

bool pts_set_outside(const struct pts *s, field_id f) {
    return pts_map_get(&s->outside_fields, f.v, PTS_NO_NODE) != PTS_NO_NODE;
}

void pts_each_field(const struct pts *s, pts_obj o, void (*visit)(void *arg, field_id f, struct pts_view set),
                    void *arg) {
    uint64_t from = (uint64_t)o.v << 32;
    size_t lo = 0, hi = s->heap_keys.n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (s->heap_keys.v[mid] < from)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < s->heap_keys.n && s->heap_keys.v[lo] >> 32 == o.v; lo++) {
        field_id f = {(uint32_t)s->heap_keys.v[lo]};
        struct pts_view set = view_in(s, &s->heap_map, s->heap_keys.v[lo]);
        if (set.set) visit(arg, f, set);
    }
}

const struct pts_call *pts_callees(const struct pts *s, pts_inst i, uint32_t *n) {
    *n = s->callee_start.v[i.v + 1] - s->callee_start.v[i.v];
    return s->calls.v + s->callee_start.v[i.v];
}

const struct pts_call *pts_callers(const struct pts *s, pts_inst i, uint32_t *n) {
    *n = s->caller_start.v[i.v + 1] - s->caller_start.v[i.v];
    return s->callers.v + s->caller_start.v[i.v];
}

const struct pts_call *pts_callees_at(const struct pts *s, pts_inst i, uint32_t stmt, uint32_t *n) {
    uint32_t total, first = 0, end;
    const struct pts_call *v = pts_callees(s, i, &total);
    for (uint32_t hi = total; first < hi;) {
        uint32_t mid = (first + hi) / 2;
        if (v[mid].stmt < stmt)
            first = mid + 1;
        else
            hi = mid;
    }
    for (end = first; end < total && v[end].stmt == stmt;) end++;
    *n = end - first;
    return v + first;
}

uint32_t pts_n_threads(const struct pts *s) {
    return (uint32_t)s->threads.n;
}

const struct pts_thread *pts_thread(const struct pts *s, uint32_t t) {
    return &s->threads.v[t];
}

uint32_t pts_n_gaps(const struct pts *s) {
    return (uint32_t)s->gaps.n;
}

const struct pts_gap *pts_gap(const struct pts *s, uint32_t i) {
    return &s->gaps.v[i];
}

struct program *pts_program(const struct pts *s) {
    return s->p;
}

struct pts_stats pts_stats(const struct pts *s) {
    return s->stats;
}
