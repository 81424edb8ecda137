#include "sources.h"
#include "groups.h" /* is_named_alike */

enum { HOLD_DEPTH = 8, HOLD_WORK = 300, CALLERS_MAX = 64 };

/* The method that a function object calls, and the statement that made it. */
static method_id lambda_target(struct races *r, const struct pts_alloc_info *a, const struct ir_stmt *made) {
    if (a->kind != PTS_ALLOC_LAMBDA || made->op != IR_INVOKE || made->sub != IR_CALL_DYNAMIC)
        return (method_id){0};
    if (program_dyn(r->p, (dyn_id){made->ref})->n_args < 2) return (method_id){0};
    struct const_value target = program_dyn_arg(r->p, (dyn_id){made->ref}, 1);
    if (target.kind != CONST_METHOD_HANDLE) return (method_id){0};
    return program_ref_method(r->p, program_handle(r->p, target.u.handle)->ref);
}

method_id function_target(struct races *r, pts_obj o) {
    const struct pts_alloc_info *a = pts_alloc_info(r->pts, pts_obj_info(r->pts, o)->alloc);
    const struct ir_body *body = a->kind == PTS_ALLOC_LAMBDA ? body_of(r, a->method) : NULL;
    if (body == NULL || a->stmt >= body->n_stmts) return (method_id){0};
    return lambda_target(r, a, &body->stmts[a->stmt]);
}

bool is_function_target(struct races *r, method_id m) {
    if (r->function_targets.w == NULL) {
        bits_init(&r->function_targets, &r->arena, program_n_methods(r->p) + 1);
        for (uint32_t o = 1; o <= pts_n_objs(r->pts); o++) {
            method_id target = function_target(r, (pts_obj){o});
            if (target.v != 0) bits_add(&r->function_targets, target.v);
        }
    }
    return bits_has(&r->function_targets, m.v);
}

/* The captured value that becomes the parameter of a function object's body, in every context of its maker.
 */
static bool captured_source(struct races *r, pts_obj o, uint32_t param, source_visitor *visit, void *arg) {
    const struct pts_alloc_info *a = pts_alloc_info(r->pts, pts_obj_info(r->pts, o)->alloc);
    const struct ir_body *body = body_of(r, a->method);
    const struct ir_stmt *made = &body->stmts[a->stmt];
    if (param >= made->n_args) return false;
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, a->method, &n);
    for (uint32_t k = 0; k < n; k++) {
        struct source s = {ANY_THREAD, insts[k], body, ir_arg(body, made, param), a->stmt};
        if (!visit(arg, &s)) return false;
    }
    return n > 0;
}

/* What the receivers that are function objects captured, of those that lead to the callee. */
static bool captured_sources(struct races *r, const struct pts_call *call, ir_var receiver, uint32_t param,
                             source_visitor *visit, void *arg, bool *any) {
    struct pts_view set = pts_var(r->pts, call->caller, receiver);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        if (!method_id_eq(function_target(r, o), pts_inst_info(r->pts, call->callee)->method)) continue;
        if (!captured_source(r, o, param, visit, arg)) return false;
        *any = true;
    }
    return true;
}

static bool call_sources(struct races *r, uint32_t thread, const struct pts_call *call, uint32_t param,
                         source_visitor *visit, void *arg) {
    method_id callee = pts_inst_info(r->pts, call->callee)->method;
    const struct ir_body *body = body_of(r, pts_inst_info(r->pts, call->caller)->method);
    if (body == NULL || call->stmt >= body->n_stmts) return false;
    const struct ir_stmt *s = &body->stmts[call->stmt];
    if (s->op != IR_INVOKE || s->n_args == 0 || s->sub == IR_CALL_DYNAMIC) return false;
    bool any = false;
    if (is_named_alike(r, s, callee) && param < s->n_args) {
        struct source from = {thread, call->caller, body, ir_arg(body, s, param), call->stmt};
        if (!visit(arg, &from)) return false;
        any = true;
    }
    /* A call of a function object: some of what the receiver may be leads here, the rest elsewhere. */
    if (s->sub != IR_CALL_VIRTUAL && s->sub != IR_CALL_INTERFACE) return any;
    return captured_sources(r, call, ir_arg(body, s, 0), param, visit, arg, &any) && any;
}

bool each_source(struct races *r, uint32_t thread, pts_inst i, uint32_t param, source_visitor *visit,
                 void *arg) {
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    bool any = false;
    if (n > CALLERS_MAX) return false;
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind == PTS_EDGE_THREAD && thread != ANY_THREAD &&
            !pts_inst_eq(pts_thread(r->pts, thread)->root, i))
            continue; /* the root of other threads */
        if (calls[k].kind != PTS_EDGE_CALL || calls[k].caller.v == 0) return false;
        if (thread != ANY_THREAD && !bits_has(&r->threads_of[calls[k].caller.v], thread)) continue;
        if (!call_sources(r, thread, &calls[k], param, visit, arg)) return false;
        any = true;
    }
    return any;
}

/* ---- objects ---- */

struct hold {
    struct races *r;
    pts_obj wanted;
    int depth;
    unsigned *work; /* left to be spent on one question */
    bool found;
};

static bool may_hold(struct races *r, const struct source *at, pts_obj o, int depth, unsigned *work);

static bool hold_visit(void *arg, const struct source *s) {
    struct hold *x = arg;
    x->found = may_hold(x->r, s, x->wanted, x->depth + 1, x->work);
    return !x->found;
}

static bool field_may_hold(struct races *r, const struct source *at, const struct ir_stmt *get, pts_obj o,
                           int depth, unsigned *work) {
    field_id f = program_ref_field(r->p, (ref_id){get->ref});
    if (f.v == 0) return true;
    struct source holder = {at->thread, at->inst, at->body, ir_arg(at->body, get, 0), 0};
    struct pts_view holders = pts_var(r->pts, holder.inst, holder.var);
    struct pts_iter it = {0};
    pts_obj h;
    while (pts_next(holders, &it, &h)) {
        if (pts_has(pts_field(r->pts, h, f), o) && may_hold(r, &holder, h, depth + 1, work)) return true;
    }
    return false;
}

/* Whether the root method runs only as the thread's first: nobody calls run() like any other method. */
static bool started_only(struct races *r, uint32_t thread) {
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, pts_thread(r->pts, thread)->root, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind == PTS_EDGE_CALL) return false;
    }
    return pts_thread(r->pts, thread)->kind == PTS_THREAD_START;
}

static bool may_hold(struct races *r, const struct source *at, pts_obj o, int depth, unsigned *work) {
    if (!pts_has(pts_var(r->pts, at->inst, at->var), o)) return false;
    if (depth > HOLD_DEPTH || *work == 0) return true;
    --*work;
    ir_var v = var_origin(at->body, at->var);
    const struct ir_stmt *def = ir_def(at->body, v);
    if (def->op == IR_GET_FIELD) return field_may_hold(r, at, def, o, depth, work);
    if (def->op != IR_PARAM) return true;
    if (at->thread != ANY_THREAD && pts_inst_eq(pts_thread(r->pts, at->thread)->root, at->inst))
        return v.v != 1 || !started_only(r, at->thread) || pts_obj_eq(pts_thread(r->pts, at->thread)->obj, o);
    struct hold x = {r, o, depth, work, false};
    return !each_source(r, at->thread, at->inst, v.v - 1, hold_visit, &x) || x.found;
}

struct hold_answer {
    uint32_t thread;
    pts_inst inst;
    ir_var var;
    pts_obj object; /* 0: nothing was asked yet */
    bool may_hold;
};

bool thread_may_hold(struct races *r, uint32_t thread, pts_inst i, ir_var v, pts_obj o) {
    if (r->hold_answers == NULL) r->hold_answers = ARENA_NEW_N(&r->arena, SIDE_ANSWERS, struct hold_answer);
    struct hold_answer *known = &r->hold_answers[side_hash(i.v, v.v, o.v, thread)];
    if (known->thread != thread || !pts_inst_eq(known->inst, i) || !ir_var_eq(known->var, v) ||
        !pts_obj_eq(known->object, o)) {
        struct source at = {thread, i, body_of(r, pts_inst_info(r->pts, i)->method), v, 0};
        unsigned work = HOLD_WORK;
        bool may = at.body == NULL || may_hold(r, &at, o, 0, &work);
        *known = (struct hold_answer){thread, i, v, o, may};
    }
    return known->may_hold;
}

/* ---- values that exist once ---- */

struct only_source {
    struct source at;
    unsigned n;
};

static bool only_visit(void *arg, const struct source *s) {
    struct only_source *x = arg;
    if (x->n > 0) return pts_inst_eq(x->at.inst, s->inst) && ir_var_eq(x->at.var, s->var);
    x->at = *s;
    x->n = 1;
    return true;
}

bool made_once(struct races *r, pts_inst i, ir_var v, struct source *at) {
    *at = (struct source){
        .thread = ANY_THREAD, .inst = i, .body = body_of(r, pts_inst_info(r->pts, i)->method), .var = v};
    for (int depth = 0; depth < HOLD_DEPTH && at->body != NULL; depth++) {
        at->var = var_origin(at->body, at->var);
        const struct ir_stmt *def = ir_def(at->body, at->var);
        uint32_t block = ir_block_of(at->body, (uint32_t)(def - at->body->stmts));
        if (pts_inst_info(r->pts, at->inst)->once && at->body->blocks[block].depth == 0) return true;
        struct only_source x = {0};
        if (def->op != IR_PARAM || !each_source(r, ANY_THREAD, at->inst, at->var.v - 1, only_visit, &x) ||
            x.n == 0)
            return false;
        *at = x.at;
    }
    return false;
}
