/*
 * The methods that a call statement leads to, over all contexts of its method.
 *
 * Summaries and flows ask for them again and again while they are solved.  The methods are few where the
 * edges of the call graph are many, so the answer is kept.
 */
#include "groups.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(uint64_t) target_list; /* method << 1 | plain */

static int by_number(const void *p, const void *q) {
    const uint64_t *a = p, *b = q;
    return *a < *b ? -1 : *a > *b;
}

static void collect(struct races *r, const struct ir_body *body, uint32_t stmt, target_list *found) {
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(r->pts, body->method, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callees_at(r->pts, insts[i], stmt, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_CLINIT) continue; /* has no arguments */
            uint64_t m = pts_inst_info(r->pts, calls[k].callee)->method.v;
            uint64_t target = m << 1 | (calls[k].kind == PTS_EDGE_CALL);
            if (found->n == 0 || vec_last(found) != target) vec_push(found, target);
        }
    }
    if (found->n > 0) qsort(found->v, found->n, sizeof *found->v, by_number);
}

static struct call_targets *find_targets(struct races *r, const struct ir_body *body, uint32_t stmt) {
    target_list found = {0};
    collect(r, body, stmt, &found);
    struct call_targets *t = ARENA_NEW(&r->arena, struct call_targets);
    t->v = ARENA_NEW_N(&r->arena, found.n + 1, struct call_target);
    for (size_t i = 0; i < found.n; i++) {
        if (i > 0 && found.v[i] == found.v[i - 1]) continue;
        method_id m = {(uint32_t)(found.v[i] >> 1)};
        bool plain = (found.v[i] & 1) != 0 && argument_matches(r, &body->stmts[stmt], m);
        t->v[t->n++] = (struct call_target){.method = m, .plain = plain};
    }
    vec_release(&found);
    return t;
}

const struct call_targets *call_targets(struct races *r, const struct ir_body *body, uint32_t stmt) {
    struct method_facts *facts = facts_of(r, body->method);
    if (facts->targets == NULL) facts->targets = ARENA_NEW_N(&r->arena, body->n_stmts, struct call_targets *);
    struct call_targets **at = &facts->targets[stmt];
    if (*at == NULL) *at = find_targets(r, body, stmt);
    return *at;
}
