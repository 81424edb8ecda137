#include "shares.h"
#include "handed.h"
#include "joins.h" /* counts_up */
#include "sources.h"
#include "tasks.h"

enum { CLIMB_MAX = 6 };

static bool only_visit(void *arg, const struct source *s) {
    struct source *at = arg;
    if (at->body != NULL) return false;
    *at = *s;
    return true;
}

/* Follows the variable out of the task to what its function object captured, one source at each step. */
static bool captured_by_task(struct races *r, const struct task *t, uint32_t thread, pts_inst i, ir_var v,
                             struct source *at) {
    *at = (struct source){
        .thread = thread, .inst = i, .body = body_of(r, pts_inst_info(r->pts, i)->method), .var = v};
    for (int depth = 0; depth < CLIMB_MAX && at->body != NULL && task_of(r, at->inst) == t; depth++) {
        struct source from = {0};
        at->var = var_origin(at->body, at->var);
        if (ir_def(at->body, at->var)->op != IR_PARAM ||
            !each_source(r, thread, at->inst, at->var.v - 1, only_visit, &from))
            return false;
        bool captured = from.thread == ANY_THREAD && pts_inst_eq(at->inst, t->root);
        *at = from;
        at->var = var_origin(at->body, at->var);
        if (captured) return pts_inst_eq(at->inst, t->maker);
        if (from.thread == ANY_THREAD) return false;
    }
    return false;
}

/* Whether each round of the counter's loop makes one task at most, and hands it over, and no two runs of the
 * loop make tasks that run at one time. */
static bool is_one_a_round(struct races *r, const struct task *t, const struct source *at) {
    const struct pts_alloc_info *a = pts_alloc_info(r->pts, pts_obj_info(r->pts, t->object)->alloc);
    const struct ir_body *body = at->body;
    uint32_t header = ir_block_of(body, body->vars[at->var.v].def), loop = body->blocks[header].loop;
    ir_var list;
    if (a->kind != PTS_ALLOC_LAMBDA || !method_id_eq(a->method, body->method) || a->stmt != at->stmt ||
        !body->blocks[header].is_loop_header || body->loops[loop].irreducible || !counts_up(body, at->var) ||
        body->blocks[ir_block_of(body, a->stmt)].loop != loop || !pts_inst_info(r->pts, t->maker)->once)
        return false;
    const struct ir_stmt *s = handed_over_by(r, body, &body->stmts[a->stmt], &list);
    if (s == NULL || (uint32_t)(s - body->stmts) != t->stmt) return false;
    uint32_t outer = body->loops[loop].parent;
    if (!t->listed) return outer == IR_NO_LOOP && !t->repeats;
    return body->blocks[ir_block_of(body, body->vars[list.v].def)].loop == outer &&
           !bits_has(&t->windows[ENDS_BY_POOL], t->stmt);
}

bool numbered_by_task(struct races *r, uint32_t thread, pts_inst i, ir_var v, uint32_t other, pts_inst j,
                      ir_var w) {
    const struct task *t = task_of(r, i);
    struct source a, b;
    return t != NULL && !t->once && t->maker.v != 0 && task_of(r, j) == t &&
           captured_by_task(r, t, thread, i, v, &a) && captured_by_task(r, t, other, j, w, &b) &&
           ir_var_eq(a.var, b.var) && a.stmt == b.stmt && is_one_a_round(r, t, &a);
}
