/*
 * Abstract threads and multiplicity.
 *
 * An instance of a method runs at most once if it has one way in, from a statement outside loops of an
 * instance that itself runs at most once.  An abstract object stands for one run-time object if one instance
 * makes it, once, outside loops.  Starting a thread object twice is an error in Java, so an abstract thread
 * stands for as many threads as its object for objects.
 */
#include "solver.h"

#include <stdlib.h>
#include <string.h>

/* ---- which instances run at most once ---- */

static bool call_in_loop(const struct pts_code *code, uint32_t stmt) {
    uint32_t lo = 0, hi = code->n_calls;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (code->calls[mid].stmt < stmt)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo == code->n_calls || code->calls[lo].stmt != stmt || code->calls[lo].loops;
}

static bool is_clinit(const struct pts *s, uint32_t inst) {
    name_id name = program_method(s->p, s->insts.v[inst].info.method)->name;
    return strcmp(program_str(s->p, name), "<clinit>") == 0;
}

/* Visits callees of an instance that runs once; those with this one way in run once too. */
static void spread_once(struct pts *s, uint32_t inst, uint32_t **stack, size_t *n) {
    uint32_t n_calls, n_in;
    const struct pts_call *calls = pts_callees(s, (pts_inst){inst}, &n_calls);
    for (uint32_t i = 0; i < n_calls; i++) {
        struct pts_instance *callee = &s->insts.v[calls[i].callee.v];
        if (callee->info.once || calls[i].kind == PTS_EDGE_CLINIT) continue;
        if (call_in_loop(s->insts.v[inst].code, calls[i].stmt)) continue;
        pts_callers(s, calls[i].callee, &n_in);
        if (n_in != 1) continue;
        callee->info.once = true;
        (*stack)[(*n)++] = calls[i].callee.v;
    }
}

/* The roots that are called once, by the VM alone, and initialisers. */
static void find_once_insts(struct pts *s) {
    uint32_t *stack = NULL, n_calls, n_in;
    size_t cap = 0, n = 0;
    vec_grow_((void **)&stack, &cap, s->insts.n + 1, sizeof *stack);
    const struct pts_call *calls = pts_callees(s, (pts_inst){0}, &n_calls);
    for (uint32_t i = 0; i < n_calls; i++) {
        if (calls[i].stmt == 0 || s->roots.v[calls[i].stmt - 1].kind == PTS_ROOT_OPEN) continue;
        pts_callers(s, calls[i].callee, &n_in);
        s->insts.v[calls[i].callee.v].info.once = n_in == 1;
    }
    for (uint32_t i = 1; i < s->insts.n; i++) {
        if (is_clinit(s, i)) s->insts.v[i].info.once = true;
        if (s->insts.v[i].info.once) stack[n++] = i;
    }
    while (n) spread_once(s, stack[--n], &stack, &n);
    free(stack);
}

/* ---- which objects are single ---- */

static void count_maker(struct pts *s, uint8_t *makers, pts_alloc a, uint32_t inst) {
    uint32_t obj = pts_make_obj(s, a, s->insts.v[inst].info.ctx);
    bool once = s->insts.v[inst].info.once && !s->world->allocs.v[a.v].in_loop;
    if (makers[obj] < 2) makers[obj] = (uint8_t)(once ? makers[obj] + 1 : 2);
}

static void find_once_objs(struct pts *s) {
    uint8_t *makers = NULL;
    size_t cap = 0, n_objs = s->objs.n;
    vec_grow_((void **)&makers, &cap, n_objs, 1);
    memset(makers, 0, n_objs);
    for (uint32_t i = 1; i < s->insts.n; i++) {
        const struct pts_code *code = s->insts.v[i].code;
        for (uint32_t k = 0; k < code->n_steps; k++)
            if (code->steps[k].op == PTS_STEP_NEW) count_maker(s, makers, (pts_alloc){code->steps[k].b}, i);
    }
    for (uint32_t a = 1; a < s->world->allocs.n; a++) {
        const struct pts_alloc_info *h = &s->world->allocs.v[a];
        if (h->kind != PTS_ALLOC_LAMBDA || h->method.v >= s->methods.n) continue;
        for (size_t k = 0; k < s->methods.v[h->method.v].insts.n; k++)
            count_maker(s, makers, (pts_alloc){a}, s->methods.v[h->method.v].insts.v[k].v);
    }
    for (size_t o = 1; o < n_objs; o++) {
        const struct pts_alloc_info *h = &s->world->allocs.v[s->objs.v[o].alloc.v];
        s->objs.v[o].once = makers[o] == 1 && (h->kind == PTS_ALLOC_NEW || h->kind == PTS_ALLOC_LAMBDA);
    }
    free(makers);
}

/* ---- the list ---- */

static int by_object(const void *a, const void *b) {
    const struct pts_started *x = a, *y = b;
    if (x->obj != y->obj) return x->obj < y->obj ? -1 : 1;
    if (x->root != y->root) return x->root < y->root ? -1 : 1;
    if (x->caller != y->caller) return x->caller < y->caller ? -1 : 1;
    return x->stmt < y->stmt ? -1 : x->stmt > y->stmt;
}

/* Each method that a root leads to by the class of its object, once. */
static void add_roots(struct pts *s) {
    uint32_t n;
    const struct pts_call *calls = pts_callees(s, (pts_inst){0}, &n); /* in the order of the roots */
    bool *seen = ARENA_NEW_N(&s->arena, s->insts.n, bool);
    for (uint32_t i = 0; i < n; i++) {
        if (calls[i].stmt == 0 || seen[calls[i].callee.v]) continue;
        enum pts_root_kind kind = s->roots.v[calls[i].stmt - 1].kind;
        seen[calls[i].callee.v] = true;
        struct pts_thread t = {.kind = kind == PTS_ROOT_MAIN ? PTS_THREAD_MAIN : PTS_THREAD_ENTRY,
                               .many = kind == PTS_ROOT_OPEN,
                               .root = calls[i].callee};
        vec_push(&s->threads, t);
    }
}

/* Starts of one thread object, as calls. */
static void add_started(struct pts *s, size_t from, size_t to) {
    struct pts_call *starts = ARENA_NEW_N(&s->arena, to - from, struct pts_call);
    const struct pts_started *first = &s->started.v[from];
    for (size_t i = from; i < to; i++) {
        const struct pts_started *at = &s->started.v[i];
        starts[i - from] = (struct pts_call){
            .caller = {at->caller}, .stmt = at->stmt, .callee = {at->root}, .kind = PTS_EDGE_THREAD};
    }
    struct pts_thread t = {.kind = PTS_THREAD_START,
                           .many = !s->objs.v[first->obj].once,
                           .obj = {first->obj},
                           .root = {first->root},
                           .starts = starts,
                           .n_starts = (uint32_t)(to - from)};
    vec_push(&s->threads, t);
}

static void add_vm_threads(struct pts *s) {
    uint32_t n;
    const struct pts_call *calls = pts_callees(s, (pts_inst){0}, &n);
    for (uint32_t i = 0; i < n; i++) {
        method_id m = s->insts.v[calls[i].callee.v].info.method;
        if (strcmp(program_str(s->p, program_method(s->p, m)->name), "finalize") != 0) continue;
        struct pts_thread t = {.kind = PTS_THREAD_VM, .many = true, .root = calls[i].callee};
        vec_push(&s->threads, t);
    }
}

void pts_find_threads(struct pts *s) {
    find_once_insts(s);
    find_once_objs(s);
    add_roots(s);
    qsort(s->started.v, s->started.n, sizeof *s->started.v, by_object);
    for (size_t from = 0, to; from < s->started.n; from = to) {
        for (to = from + 1; to < s->started.n; to++)
            if (s->started.v[to].obj != s->started.v[from].obj ||
                s->started.v[to].root != s->started.v[from].root)
                break;
        add_started(s, from, to);
    }
    add_vm_threads(s);
}
