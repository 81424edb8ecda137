#include "ranges.h"
#include "sources.h"
#include "tasks.h" /* given_to_jdk */

enum { CLIMB_MAX = 4 };

/* The method of IntStream that the statement calls, or none. */
static name_id stream_call(const struct races *r, const struct ir_stmt *s) {
    const struct member_ref *ref = s->op == IR_INVOKE ? invoke_ref(r, s) : NULL;
    return ref != NULL && class_is(r, ref->cls, "java/util/stream/IntStream") ? ref->name : (name_id){0};
}

static bool is_range(const struct races *r, const struct ir_body *body, ir_var v) {
    for (int depth = 0; depth < CLIMB_MAX; depth++) {
        const struct ir_stmt *s = ir_def(body, var_origin(body, v));
        name_id name = stream_call(r, s);
        if (name.v == 0) return false;
        if (name_is(r, name, "range") || name_is(r, name, "rangeClosed")) return true;
        if (s->n_args != 1 || (!name_is(r, name, "parallel") && !name_is(r, name, "sequential")))
            return false;
        v = ir_arg(body, s, 0);
    }
    return false;
}

/* Whether the statement runs a function for all numbers of a range, and never before the last such run ended.
 */
static bool runs_range(struct races *r, const struct given *g) {
    const struct ir_body *body = body_of(r, pts_inst_info(r->pts, g->inst)->method);
    const struct ir_stmt *s = &body->stmts[g->stmt];
    name_id name = stream_call(r, s);
    if (name.v == 0 || s->n_args != 2 || !pts_inst_info(r->pts, g->inst)->once ||
        (!name_is(r, name, "forEach") && !name_is(r, name, "forEachOrdered")) ||
        !pts_has(pts_var(r->pts, g->inst, ir_arg(body, s, 1)), g->object) ||
        !is_range(r, body, ir_arg(body, s, 0)))
        return false;
    uint32_t at = ir_block_of(body, g->stmt);
    const struct ir_block *block = &body->blocks[at];
    for (uint32_t k = 0; k < block->n_succs; k++) {
        const struct ir_edge *e = &ir_succs(body, block)[k];
        if (e->exceptional && block_leads_to(r, body, e->block, at)) return false;
    }
    return true;
}

/* Whether the parameter is the one behind what the function object captured. */
static bool is_number(struct races *r, pts_obj function, uint32_t param) {
    const struct pts_alloc_info *a = pts_alloc_info(r->pts, pts_obj_info(r->pts, function)->alloc);
    const struct ir_body *maker = body_of(r, a->method);
    return function_target(r, function).v != 0 && param == maker->stmts[a->stmt].n_args;
}

static bool only_visit(void *arg, const struct source *s) {
    struct source *at = arg;
    if (at->body != NULL) return false;
    *at = *s;
    return true;
}

pts_obj range_number(struct races *r, uint32_t thread, pts_inst i, const struct ir_body *body, ir_var v) {
    struct source at = {.thread = thread, .inst = i, .body = body, .var = v};
    for (int depth = 0; depth < CLIMB_MAX && at.thread != ANY_THREAD; depth++) {
        struct given g;
        struct source from = {0};
        if (ir_def(at.body, at.var)->op != IR_PARAM) break;
        uint32_t param = at.var.v - 1;
        if (given_to_jdk(r, at.inst, &g))
            return is_number(r, g.object, param) && runs_range(r, &g) ? g.object : (pts_obj){0};
        if (!each_source(r, at.thread, at.inst, param, only_visit, &from)) break;
        at = from;
    }
    return (pts_obj){0};
}
