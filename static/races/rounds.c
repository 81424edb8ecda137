#include "rounds.h"
#include "joins.h" /* is_plain_array */
#include "owner.h"
#include "sources.h"

enum { CLIMB_MAX = 6 };

static bool only_visit(void *arg, const struct source *s) {
    struct source *at = arg;
    if (at->body != NULL) return false;
    *at = *s;
    return true;
}

/* Follows the variable to what the thread's Runnable captured, with one source at each step. */
static bool captured_by_target(struct races *r, uint32_t t, pts_inst i, ir_var v, struct source *at) {
    *at = (struct source){
        .thread = t, .inst = i, .body = body_of(r, pts_inst_info(r->pts, i)->method), .var = v};
    for (int depth = 0; depth < CLIMB_MAX && at->body != NULL; depth++) {
        struct source from = {0};
        at->var = var_origin(at->body, at->var);
        if (ir_def(at->body, at->var)->op != IR_PARAM ||
            !each_source(r, t, at->inst, at->var.v - 1, only_visit, &from))
            return false;
        bool captured = from.thread == ANY_THREAD;
        if (captured && !is_target(r, t, at->inst)) return false;
        *at = from;
        if (captured) return true;
    }
    return false;
}

static bool in_loop(const struct ir_body *body, uint32_t stmt, uint32_t loop) {
    return ir_in_loop(body, ir_block_of(body, stmt), loop);
}

/* Whether what is started was made in the same round: the variable itself, or out of an array of the round.
 */
static bool starts_own(const struct thread_start *s, uint32_t loop) {
    const struct ir_stmt *start = &s->body->stmts[s->start];
    ir_var thread = var_origin(s->body, ir_arg(s->body, start, 0));
    if (s->body->vars[thread.v].def == s->made) return true;
    const struct ir_stmt *load = ir_def(s->body, thread);
    if (load->op != IR_ARRAY_LOAD) return false;
    ir_var array = var_origin(s->body, ir_arg(s->body, load, 0));
    return is_plain_array(s->body, array) && in_loop(s->body, s->body->vars[array.v].def, loop);
}

/* Whether the threads of the kind that are alive at one time all captured one value of the variable. */
static bool has_one_value(struct races *r, uint32_t t, const struct source *at) {
    struct thread_start s;
    const struct ir_body *body = at->body;
    uint32_t made = body->vars[at->var.v].def, loop = body->blocks[ir_block_of(body, made)].loop;
    if (loop == IR_NO_LOOP || body->loops[loop].irreducible || !pts_inst_info(r->pts, at->inst)->once ||
        !thread_start_of(r, t, &s) || !pts_inst_eq(s.inst, at->inst) || s.runnable.v == 0)
        return false;
    return in_loop(body, body->vars[s.runnable.v].def, loop) && in_loop(body, s.made, loop) &&
           in_loop(body, s.start, loop) && used_by_one_thread(r, body, s.runnable) && starts_own(&s, loop) &&
           dead_at(r, t, at->inst, body, made);
}

/* The variable that every thread which runs the instance captured its value from. */
static bool round_value(struct races *r, pts_inst i, ir_var v, struct source *out) {
    out->body = NULL;
    for (uint32_t t = 0; t < r->n_threads; t++) {
        struct source at;
        if (!bits_has(&r->threads_of[i.v], t)) continue;
        if (!captured_by_target(r, t, i, v, &at) || !has_one_value(r, t, &at)) return false;
        if (out->body != NULL && (!pts_inst_eq(out->inst, at.inst) || !ir_var_eq(out->var, at.var)))
            return false;
        *out = at;
    }
    return out->body != NULL;
}

bool same_in_round(struct races *r, pts_inst i, ir_var v, pts_inst j, ir_var w) {
    struct source a, b;
    return round_value(r, i, v, &a) && round_value(r, j, w, &b) && pts_inst_eq(a.inst, b.inst) &&
           ir_var_eq(a.var, b.var);
}

/* The outermost loop in which threads of the kind are made, each with a Runnable of its round, and started.
 */
static bool find_round(struct races *r, uint32_t t, struct common_round *out) {
    struct thread_start s;
    if (!thread_start_of(r, t, &s) || s.runnable.v == 0 || !pts_inst_info(r->pts, s.inst)->once) return false;
    const struct ir_body *body = s.body;
    const struct ir_stmt *runnable = ir_def(body, s.runnable);
    uint32_t made = body->vars[s.runnable.v].def, loop = body->blocks[ir_block_of(body, made)].loop;
    while (loop != IR_NO_LOOP && body->loops[loop].parent != IR_NO_LOOP) loop = body->loops[loop].parent;
    if (loop == IR_NO_LOOP || body->loops[loop].irreducible) return false;
    if (runnable->op != IR_NEW && (runnable->op != IR_INVOKE || runnable->sub != IR_CALL_DYNAMIC))
        return false;
    *out = (struct common_round){s.inst, body, loop};
    uint32_t first = body->blocks[body->loops[loop].header].first;
    return in_loop(body, s.made, loop) && in_loop(body, s.start, loop) &&
           used_by_one_thread(r, body, s.runnable) && starts_own(&s, loop) &&
           dead_at(r, t, s.inst, body, first);
}

struct thread_round {
    bool tried, found;
    struct common_round at;
};

static bool round_of(struct races *r, uint32_t t, struct common_round *out) {
    if (r->thread_rounds == NULL)
        r->thread_rounds = ARENA_NEW_N(&r->arena, r->n_threads, struct thread_round);
    struct thread_round *known = &r->thread_rounds[t];
    if (!known->tried) known->found = find_round(r, t, &known->at);
    known->tried = true;
    *out = known->at;
    return known->found;
}

bool have_common_round(struct races *r, uint32_t t, uint32_t u, struct common_round *out) {
    struct common_round other;
    return round_of(r, t, out) && round_of(r, u, &other) && pts_inst_eq(out->inst, other.inst) &&
           out->loop == other.loop;
}
