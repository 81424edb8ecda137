/* Methods that run on objects in the making only; see making.h. */
#include "making.h"
#include "groups.h" /* argument_matches */

static bool has_this(const struct races *r, method_id m) {
    return (program_method(r->p, m)->access & CF_ACC_STATIC) == 0;
}

static bool is_constructor(const struct races *r, method_id m) {
    return name_is(r, program_method(r->p, m)->name, "<init>");
}

/* Whether the call is one on `this` of a method that may count. */
static bool passes_this(struct races *r, const struct pts_call *call, method_id callee) {
    if (call->caller.v == 0 || call->kind != PTS_EDGE_CALL) return false;
    method_id from = pts_inst_info(r->pts, call->caller)->method;
    const struct ir_body *body = is_app(r, from) && bits_has(&r->making, from.v) ? body_of(r, from) : NULL;
    if (body == NULL) return false;
    const struct ir_stmt *s = &body->stmts[call->stmt];
    return s->op == IR_INVOKE && s->n_args > 0 && var_origin(body, ir_arg(body, s, 0)).v == 1 &&
           argument_matches(r, s, callee);
}

static bool all_pass_this(struct races *r, method_id m) {
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callers(r->pts, insts[i], &n);
        if (n == 0 || bits_has(&r->thread_roots, insts[i].v)) return false;
        for (uint32_t k = 0; k < n; k++) {
            if (!passes_this(r, &calls[k], m)) return false;
        }
    }
    return n_insts > 0;
}

/* The greatest solution: what some other call reaches drops out, and then what it calls. */
void making_init(struct races *r) {
    VEC(method_id) left = {0};
    uint32_t top = 0;
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
        if (m.v > top) top = m.v;
    }
    bits_init(&r->making, &r->arena, top + 1);
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
        if (bits_has(&r->making, m.v) || !is_app(r, m) || !has_this(r, m)) continue;
        bits_add(&r->making, m.v);
        if (!is_constructor(r, m)) vec_push(&left, m);
    }
    for (bool changed = true; changed;) {
        size_t kept = 0, before = left.n;
        for (size_t i = 0; i < before; i++) {
            method_id m = left.v[i];
            if (all_pass_this(r, m))
                left.v[kept++] = m;
            else
                bits_drop(&r->making, m.v);
        }
        left.n = kept;
        changed = kept < before;
    }
    vec_release(&left);
}

bool is_in_making(struct races *r, const struct races_access *a) {
    return bits_has(&r->making, a->method.v) && a->object.v != 0 && !a->stands_for &&
           var_origin(body_of(r, a->method), a->object).v == 1;
}
