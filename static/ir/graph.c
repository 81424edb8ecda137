/*
 * Dominators and loops of a finished body.
 *
 * Dominators: the iterative algorithm of Cooper, Harvey and Kennedy; blocks are in reverse postorder, so
 * block numbers serve as its order.  Loops: one depth-first walk that tags each block with its innermost
 * header, after Wei, Mao, Zou and Chen, "A new algorithm for identifying loops in decompilation"; it also
 * copes with loops that are entered in several places.
 */
#include "builder.h"

/* ---- dominators ---- */

static uint32_t common(const struct ir_block *blocks, uint32_t a, uint32_t b) {
    while (a != b) {
        while (a > b) a = blocks[a].idom;
        while (b > a) b = blocks[b].idom;
    }
    return a;
}

static void find_dominators(struct ir_body *body) {
    struct ir_block *blocks = body->blocks;
    for (uint32_t i = 1; i < body->n_blocks; i++) blocks[i].idom = IR_NO_LOOP;
    blocks[0].idom = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < body->n_blocks; i++) {
            uint32_t idom = IR_NO_LOOP;
            const struct ir_edge *preds = ir_preds(body, &blocks[i]);
            for (uint32_t k = 0; k < blocks[i].n_preds; k++) {
                uint32_t from = preds[k].block;
                if (blocks[from].idom == IR_NO_LOOP) continue; /* not seen yet */
                idom = idom == IR_NO_LOOP ? from : common(blocks, idom, from);
            }
            changed |= blocks[i].idom != idom;
            blocks[i].idom = idom;
        }
    }
}

/* ---- loops ---- */

struct loop_walk {
    struct ir_body *body;
    uint32_t *header; /* innermost header strictly around a block */
    uint32_t *pos;    /* place on the current path, from 1; 0 = not on it */
    uint32_t *stack, *next_succ;
    bool *visited, *is_header, *irreducible;
    uint32_t depth;
};

/* Notes that block b lies in the loop of header h, keeping headers sorted from inner to outer. */
static void tag_header(struct loop_walk *w, uint32_t b, uint32_t h) {
    if (b == h || h == NONE) return;
    while (w->header[b] != NONE) {
        uint32_t outer = w->header[b];
        if (outer == h) return;
        if (w->pos[outer] < w->pos[h]) {
            w->header[b] = h;
            b = h;
            h = outer;
        } else {
            b = outer;
        }
    }
    w->header[b] = h;
}

/* An edge to a block that is done: if it enters a loop beside its header, that loop is irreducible. */
static void tag_done(struct loop_walk *w, uint32_t from, uint32_t to) {
    for (uint32_t h = w->header[to]; h != NONE; h = w->header[h]) {
        if (w->pos[h] > 0) {
            tag_header(w, from, h);
            return;
        }
        w->irreducible[h] = true;
    }
}

static void push_block(struct loop_walk *w, uint32_t block) {
    w->visited[block] = true;
    w->stack[w->depth] = block;
    w->next_succ[w->depth] = 0;
    w->pos[block] = ++w->depth;
}

static void tag_headers(struct loop_walk *w) {
    push_block(w, 0);
    while (w->depth > 0) {
        uint32_t from = w->stack[w->depth - 1];
        const struct ir_block *k = &w->body->blocks[from];
        uint32_t i = w->next_succ[w->depth - 1]++;
        if (i == k->n_succs) {
            w->pos[from] = 0;
            w->depth--;
            if (w->depth > 0) tag_header(w, w->stack[w->depth - 1], w->header[from]);
            continue;
        }
        uint32_t to = ir_succs(w->body, k)[i].block;
        if (!w->visited[to]) {
            push_block(w, to);
        } else if (w->pos[to] > 0) {
            w->is_header[to] = true;
            tag_header(w, from, to);
        } else {
            tag_done(w, from, to);
        }
    }
}

/* Numbers the loops by their headers.  A header can come after its inner loop's header only in irreducible
   flow, so depth is found by walking outwards. */
static void number_loops(struct loop_walk *w, struct arena *arena) {
    struct ir_body *body = w->body;
    uint32_t *depth = w->pos, *id = w->stack; /* both are free now */
    uint32_t n = 0, deepest = 0;
    for (uint32_t i = 0; i < body->n_blocks; i++) {
        depth[i] = 0;
        if (!w->is_header[i]) continue;
        n++;
        for (uint32_t h = i; h != NONE; h = w->header[h]) depth[i]++;
        if (depth[i] > deepest) deepest = depth[i];
    }
    body->n_loops = n;
    body->loops = ARENA_NEW_N(arena, n + 1, struct ir_loop);
    uint32_t at = 0;
    for (uint32_t d = 1; d <= deepest; d++) {
        for (uint32_t i = 0; i < body->n_blocks; i++) {
            if (depth[i] != d) continue;
            id[i] = at;
            body->loops[at++] =
                (struct ir_loop){.header = i,
                                 .parent = w->header[i] == NONE ? IR_NO_LOOP : id[w->header[i]],
                                 .depth = (uint16_t)d,
                                 .irreducible = w->irreducible[i]};
        }
    }
    for (uint32_t i = 0; i < body->n_blocks; i++) {
        struct ir_block *k = &body->blocks[i];
        uint32_t header = w->is_header[i] ? i : w->header[i];
        k->is_loop_header = w->is_header[i];
        k->loop = header == NONE ? IR_NO_LOOP : id[header];
        k->depth = header == NONE ? 0 : (uint16_t)depth[header];
    }
}

static bool has_retreating_edge(const struct ir_body *body) {
    for (uint32_t i = 0; i < body->n_blocks; i++) {
        const struct ir_edge *succs = ir_succs(body, &body->blocks[i]);
        for (uint32_t k = 0; k < body->blocks[i].n_succs; k++)
            if (succs[k].block <= i) return true;
    }
    return false;
}

void ir_graph_(struct ir_body *body, struct arena *arena) {
    find_dominators(body);
    if (!has_retreating_edge(body)) {
        for (uint32_t i = 0; i < body->n_blocks; i++) body->blocks[i].loop = IR_NO_LOOP;
        return;
    }
    uint32_t n = body->n_blocks;
    struct arena scratch;
    arena_init(&scratch);
    struct loop_walk w = {.body = body,
                          .header = ARENA_NEW_N(&scratch, n, uint32_t),
                          .pos = ARENA_NEW_N(&scratch, n, uint32_t),
                          .stack = ARENA_NEW_N(&scratch, n, uint32_t),
                          .next_succ = ARENA_NEW_N(&scratch, n, uint32_t),
                          .visited = ARENA_NEW_N(&scratch, n, bool),
                          .is_header = ARENA_NEW_N(&scratch, n, bool),
                          .irreducible = ARENA_NEW_N(&scratch, n, bool)};
    for (uint32_t i = 0; i < n; i++) w.header[i] = NONE;
    tag_headers(&w);
    number_loops(&w, arena);
    arena_release(&scratch);
}
