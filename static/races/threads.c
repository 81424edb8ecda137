/* Which abstract threads run an instance of a method, and by which shortest chain of calls. */
#include "internal.h"

#include <stdlib.h>

/* Breadth-first tree of one thread's calls. */
struct thread_paths {
    const struct pts_call **via; /* by inst: the call that reached it first; NULL: root or not reached */
};

typedef VEC(pts_inst) inst_queue;

/* Visits what `from` reaches in the thread; `via` may be NULL. */
static void spread(struct races *r, pts_inst from, bits *seen, const struct pts_call **via) {
    inst_queue queue = {0};
    if (!bits_has(seen, from.v)) {
        bits_add(seen, from.v);
        vec_push(&queue, from);
    }
    for (size_t head = 0; head < queue.n; head++) {
        uint32_t n;
        const struct pts_call *calls = pts_callees(r->pts, queue.v[head], &n);
        for (uint32_t i = 0; i < n; i++) {
            if (calls[i].kind == PTS_EDGE_THREAD || bits_has(seen, calls[i].callee.v)) continue;
            bits_add(seen, calls[i].callee.v);
            if (via != NULL) via[calls[i].callee.v] = &calls[i];
            vec_push(&queue, calls[i].callee);
        }
    }
    vec_release(&queue);
}

static bool entered_by_vm(struct races *r, pts_inst i) {
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].caller.v == 0) return true;
    }
    return n == 0;
}

/*
 * In an open program, constructors that nobody calls make the objects that the entries are called on, before
 * any of them runs: no thread runs them.
 */
static bool is_setup(struct races *r, pts_inst i) {
    const struct method_info *m = program_method(r->p, pts_inst_info(r->pts, i)->method);
    return pts_thread(r->pts, 0)->kind == PTS_THREAD_ENTRY && name_is(r, m->name, "<init>");
}

void threads_init(struct races *r) {
    r->n_insts = pts_n_insts(r->pts);
    r->n_threads = pts_n_threads(r->pts);
    r->threads_of = ARENA_NEW_N(&r->arena, r->n_insts + 1, bits);
    bits_init(&r->thread_roots, &r->arena, r->n_insts + 1);
    for (uint32_t t = 0; t < r->n_threads; t++) bits_add(&r->thread_roots, pts_thread(r->pts, t)->root.v);
    r->paths = ARENA_NEW_N(&r->arena, r->n_threads + 1, struct thread_paths *);
    for (uint32_t i = 0; i <= r->n_insts; i++) bits_init(&r->threads_of[i], &r->arena, r->n_threads + 1);
    bits any, seen;
    bits_init(&any, &r->arena, r->n_insts + 1);
    bits_init(&seen, &r->arena, r->n_insts + 1);
    for (uint32_t t = 0; t < r->n_threads; t++) {
        for (uint32_t w = 0; w < seen.n_words; w++) seen.w[w] = 0;
        spread(r, pts_thread(r->pts, t)->root, &seen, NULL);
        for (uint32_t i = 1; i <= r->n_insts; i++) {
            if (!bits_has(&seen, i)) continue;
            bits_add(&r->threads_of[i], t);
            bits_add(&any, i);
        }
    }
    /* What the VM calls by itself (initialisers at start-up) runs in the first thread. */
    for (uint32_t i = 1; i <= r->n_insts && r->n_threads > 0; i++) {
        if (bits_has(&any, i) || !entered_by_vm(r, (pts_inst){i})) continue;
        for (uint32_t w = 0; w < seen.n_words; w++) seen.w[w] = any.w[w];
        spread(r, (pts_inst){i}, &seen, NULL);
        bool setup = is_setup(r, (pts_inst){i});
        for (uint32_t k = 1; k <= r->n_insts; k++) {
            if (!bits_has(&seen, k) || bits_has(&any, k)) continue;
            if (!setup) bits_add(&r->threads_of[k], 0);
            bits_add(&any, k);
        }
    }
}

const struct pts_call *path_step(struct races *r, uint32_t thread, pts_inst to) {
    if (r->paths[thread] == NULL) {
        struct thread_paths *paths = r->paths[thread] = ARENA_NEW(&r->arena, struct thread_paths);
        paths->via = ARENA_NEW_N(&r->arena, r->n_insts + 1, const struct pts_call *);
        bits seen;
        bits_init(&seen, &r->arena, r->n_insts + 1);
        spread(r, pts_thread(r->pts, thread)->root, &seen, paths->via);
    }
    return r->paths[thread]->via[to.v];
}
