#include "forward.h"

#include "race/vec.h"

#include <string.h>

struct forward {
    const struct pts *pts;
    const struct ir_body *const *bodies;
    struct forward_client client;
    struct arena *arena;
    struct arena scratch; /* states of the method under way */
    uint32_t words;
    uint64_t **entry, **exit; /* by inst; NULL: not reached yet */
    bool *queued;
    VEC(pts_inst) queue;
    uint64_t **blocks; /* of the method under way: state on entry */
    uint64_t *now, *before;
};

static size_t size_of(const struct forward *f) {
    return f->words * sizeof(uint64_t);
}

/* Merges `from` into *to; true if that changed anything.  The first state is taken as it is. */
static bool merge(struct forward *f, struct arena *arena, uint64_t **to, const uint64_t *from) {
    if (*to == NULL) {
        *to = arena_copy(arena, from, size_of(f));
        return true;
    }
    bool changed = false;
    for (uint32_t w = 0; w < f->words; w++) {
        uint64_t next = f->client.must ? (*to)[w] & from[w] : (*to)[w] | from[w];
        changed |= next != (*to)[w];
        (*to)[w] = next;
    }
    return changed;
}

static void enqueue(struct forward *f, pts_inst i) {
    if (f->queued[i.v]) return;
    f->queued[i.v] = true;
    vec_push(&f->queue, i);
}

/* ---- one statement ---- */

static bool is_followed(const struct forward *f, const struct pts_call *call) {
    if (call->kind == PTS_EDGE_THREAD) return false; /* the client's business */
    if (!f->client.app_only) return true;
    struct program *p = pts_program(f->pts);
    method_id m = pts_inst_info(f->pts, call->callee)->method;
    return !program_info(p, program_method(p, m)->owner)->from_jdk;
}

static void through_call(struct forward *f, pts_inst i, uint32_t stmt, bool propagate) {
    uint32_t n;
    const struct pts_call *calls = pts_callees_at(f->pts, i, stmt, &n);
    if (n == 0) return;
    memcpy(f->before, f->now, size_of(f));
    for (uint32_t k = 0; k < n; k++) {
        if (!is_followed(f, &calls[k])) continue;
        if (propagate && merge(f, f->arena, &f->entry[calls[k].callee.v], f->before))
            enqueue(f, calls[k].callee);
        const uint64_t *after = f->exit[calls[k].callee.v];
        for (uint32_t w = 0; after != NULL && !f->client.must && w < f->words; w++) f->now[w] |= after[w];
    }
}

/* Before the call for what the callee sees, after it for what comes back. */
static void through_statement(struct forward *f, pts_inst i, const struct ir_body *body, uint32_t stmt,
                              bool propagate) {
    through_call(f, i, stmt, propagate);
    f->client.step(f->client.arg, i, body, stmt, f->now);
}

/* ---- one method ---- */

static void begin_method(struct forward *f, pts_inst i, const struct ir_body *body) {
    arena_clear(&f->scratch);
    f->blocks = ARENA_NEW_N(&f->scratch, body->n_blocks + 1, uint64_t *);
    memcpy(f->now, f->entry[i.v], size_of(f));
    f->client.enter(f->client.arg, i, body, f->now);
    f->blocks[0] = arena_copy(&f->scratch, f->now, size_of(f));
}

/* Runs through a block up to `until`; the exception edges' state is collected in *thrown. */
static void run_block(struct forward *f, pts_inst i, const struct ir_body *body, uint32_t b, uint32_t until,
                      uint64_t **thrown, bool propagate) {
    memcpy(f->now, f->blocks[b], size_of(f));
    for (uint32_t s = body->blocks[b].first; s < until; s++) {
        if (thrown != NULL) merge(f, &f->scratch, thrown, f->now);
        through_statement(f, i, body, s, propagate);
    }
    if (thrown != NULL) merge(f, &f->scratch, thrown, f->now);
}

static bool pass_over(struct forward *f, pts_inst i, const struct ir_body *body, bool propagate) {
    bool changed = false;
    for (uint32_t b = 0; b < body->n_blocks; b++) {
        const struct ir_block *block = &body->blocks[b];
        uint64_t *thrown = NULL;
        if (f->blocks[b] == NULL) continue;
        run_block(f, i, body, b, block->end, &thrown, propagate);
        for (uint32_t e = 0; e < block->n_succs; e++) {
            const struct ir_edge *edge = &ir_succs(body, block)[e];
            changed |= merge(f, &f->scratch, &f->blocks[edge->block], edge->exceptional ? thrown : f->now);
        }
        bool leaves = block->n_succs == 0 || body->stmts[block->end - 1].op == IR_RETURN;
        if (propagate && leaves && merge(f, f->arena, &f->exit[i.v], f->now)) {
            uint32_t n;
            const struct pts_call *callers = pts_callers(f->pts, i, &n);
            for (uint32_t k = 0; k < n; k++) {
                if (callers[k].caller.v != 0 && f->entry[callers[k].caller.v] != NULL && !f->client.must)
                    enqueue(f, callers[k].caller);
            }
        }
    }
    return changed;
}

static void settle(struct forward *f, pts_inst i, const struct ir_body *body, bool propagate) {
    begin_method(f, i, body);
    while (pass_over(f, i, body, propagate)) continue;
}

static const struct ir_body *body_with_code(const struct forward *f, pts_inst i) {
    const struct ir_body *body = f->bodies[pts_inst_info(f->pts, i)->method.v];
    return body != NULL && body->n_blocks > 0 ? body : NULL;
}

/* A method without code of its own hands on what it got: its edges are the model's. */
static void settle_native(struct forward *f, pts_inst i) {
    uint32_t n;
    const struct pts_call *calls = pts_callees(f->pts, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (!is_followed(f, &calls[k])) continue;
        if (merge(f, f->arena, &f->entry[calls[k].callee.v], f->entry[i.v])) enqueue(f, calls[k].callee);
    }
    merge(f, f->arena, &f->exit[i.v], f->entry[i.v]);
}

/* ---- the program ---- */

static void start_at(struct forward *f, pts_inst i) {
    memset(f->now, 0, size_of(f));
    f->client.start(f->client.arg, i, f->now);
    if (merge(f, f->arena, &f->entry[i.v], f->now)) enqueue(f, i);
}

static void start_all(struct forward *f) {
    for (uint32_t t = 0; t < pts_n_threads(f->pts); t++) start_at(f, pts_thread(f->pts, t)->root);
    for (uint32_t i = 1; i <= pts_n_insts(f->pts); i++) {
        uint32_t n;
        const struct pts_call *callers = pts_callers(f->pts, (pts_inst){i}, &n);
        bool by_vm = n == 0;
        for (uint32_t k = 0; k < n; k++) by_vm |= callers[k].caller.v == 0;
        if (by_vm) start_at(f, (pts_inst){i});
    }
}

struct forward *forward_run(const struct pts *pts, const struct ir_body *const *bodies,
                            const struct forward_client *client, struct arena *arena) {
    struct forward *f = ARENA_NEW(arena, struct forward);
    uint32_t n = pts_n_insts(pts) + 1;
    *f = (struct forward){.pts = pts, .bodies = bodies, .client = *client, .arena = arena};
    f->words = client->width / 64 + 1;
    f->entry = ARENA_NEW_N(arena, n, uint64_t *);
    f->exit = ARENA_NEW_N(arena, n, uint64_t *);
    f->queued = ARENA_NEW_N(arena, n, bool);
    f->now = ARENA_NEW_N(arena, f->words, uint64_t);
    f->before = ARENA_NEW_N(arena, f->words, uint64_t);
    arena_init(&f->scratch);
    start_all(f);
    for (size_t head = 0; head < f->queue.n; head++) {
        pts_inst i = f->queue.v[head];
        const struct ir_body *body = body_with_code(f, i);
        f->queued[i.v] = false;
        if (body != NULL) {
            settle(f, i, body, true);
        } else {
            settle_native(f, i);
        }
    }
    vec_release(&f->queue);
    return f;
}

void forward_release(struct forward *f) {
    arena_release(&f->scratch);
}

const uint64_t *forward_before(struct forward *f, pts_inst i, uint32_t stmt) {
    const struct ir_body *body = body_with_code(f, i);
    if (body == NULL || f->entry[i.v] == NULL) return NULL;
    settle(f, i, body, false);
    uint32_t b = ir_block_of(body, stmt);
    if (f->blocks[b] == NULL) return NULL;
    run_block(f, i, body, b, stmt, NULL, false);
    return f->now;
}
