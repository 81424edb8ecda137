#include "handed.h"

#include <string.h>

/* ---- handing over ---- */

static bool same_loop(const struct ir_body *body, const struct ir_stmt *a, const struct ir_stmt *b) {
    return body->blocks[ir_block_of(body, (uint32_t)(a - body->stmts))].loop ==
           body->blocks[ir_block_of(body, (uint32_t)(b - body->stmts))].loop;
}

static bool is_jdk_call(const struct races *r, const struct ir_stmt *s, const char *package,
                        const char *name) {
    const struct member_ref *ref = invoke_ref(r, s);
    return ref != NULL && name_is(r, ref->name, name) &&
           strncmp(program_class_name(r->p, ref->cls), package, strlen(package)) == 0;
}

static bool is_constructor_call(const struct races *r, const struct ir_stmt *s, uint32_t arg) {
    const struct member_ref *ref = invoke_ref(r, s);
    return ref != NULL && arg == 0 && s->sub == IR_CALL_SPECIAL && name_is(r, ref->name, "<init>");
}

/* Fields of the object itself: whoever touches them does not run it. */
static bool is_own_field(const struct ir_stmt *s, uint32_t arg) {
    return arg == 0 && (s->op == IR_GET_FIELD || s->op == IR_PUT_FIELD);
}

/*
 * Whether the object made here is used once, fields apart, by a statement that runs once for each of them:
 * `*use` and the number of the argument that it is.
 */
static bool used_once(const struct races *r, const struct ir_body *body, const struct ir_stmt *made,
                      const struct ir_stmt **use, uint32_t *arg) {
    *use = NULL;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (!ir_var_eq(var_origin(body, ir_arg(body, s, k)), made->def) || s->op == IR_CAST ||
                is_constructor_call(r, s, k) || is_own_field(s, k))
                continue;
            if (*use != NULL) return false;
            *use = s;
            *arg = k;
        }
    }
    return *use != NULL && (*use)->op == IR_INVOKE && (*use)->sub != IR_CALL_DYNAMIC &&
           same_loop(body, made, *use);
}

/* Who runs a list that is made here, filled, and given to an executor once. */
static const struct ir_stmt *task_list_given(const struct races *r, const struct ir_body *body, ir_var list) {
    const struct ir_stmt *made = ir_def(body, list), *given = NULL;
    if (made->op != IR_NEW || !class_is(r, (class_id){made->ref}, "java/util/ArrayList")) return NULL;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (!ir_var_eq(var_origin(body, ir_arg(body, s, k)), list) || s->op == IR_CAST ||
                is_constructor_call(r, s, k))
                continue;
            if (k == 0 && s->n_args == 2 && is_jdk_call(r, s, "java/util/", "add")) continue;
            if (given != NULL || k != 1 || !is_jdk_call(r, s, "java/util/concurrent/", "invokeAll"))
                return NULL;
            given = s;
        }
    }
    return given != NULL && same_loop(body, made, given) ? given : NULL;
}

const struct ir_stmt *handed_over_by(const struct races *r, const struct ir_body *body,
                                     const struct ir_stmt *made, ir_var *list) {
    const struct ir_stmt *use;
    uint32_t arg;
    *list = (ir_var){0};
    if (!used_once(r, body, made, &use, &arg) || arg != 1) return NULL;
    if (is_jdk_call(r, use, "java/util/concurrent/", "submit") ||
        is_jdk_call(r, use, "java/util/concurrent/", "execute"))
        return use;
    if (use->n_args != 2 || !is_jdk_call(r, use, "java/util/", "add")) return NULL;
    *list = var_origin(body, ir_arg(body, use, 0));
    return task_list_given(r, body, *list);
}

/* ---- who else has it ---- */

/* Whether the method uses `this` for its fields and for calls on it alone. */
static bool keeps_this(const struct ir_body *body) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (var_origin(body, ir_arg(body, s, k)).v != 1) continue;
            bool calls = s->op == IR_INVOKE && s->sub != IR_CALL_DYNAMIC && s->sub != IR_CALL_STATIC;
            bool uses = calls || s->op == IR_GET_FIELD || s->op == IR_PUT_FIELD ||
                        s->op == IR_MONITOR_ENTER || s->op == IR_MONITOR_EXIT;
            if (k != 0 || !uses) return false;
        }
    }
    return true;
}

/* Whether the instance has the object in no variable but where it was made and in a `this` that it keeps. */
static bool inst_keeps(struct races *r, pts_inst i, const struct ir_body *body, pts_obj o,
                       const struct pts_alloc_info *a) {
    bool is_static = (program_method(r->p, body->method)->access & CF_ACC_STATIC) != 0;
    for (uint32_t v = 1; v <= body->n_vars; v++) {
        if (body->vars[v].kind != IR_REF || !pts_has(pts_var(r->pts, i, (ir_var){v}), o)) continue;
        ir_var from = var_origin(body, (ir_var){v});
        if (method_id_eq(body->method, a->method) && ir_var_eq(from, body->stmts[a->stmt].def)) continue;
        if (is_static || from.v != 1 || !keeps_this(body)) return false;
    }
    return true;
}

static bool find_run_once(struct races *r, pts_obj o) {
    const struct pts_alloc_info *a = pts_alloc_info(r->pts, pts_obj_info(r->pts, o)->alloc);
    const struct ir_body *made = a->kind == PTS_ALLOC_NEW && a->method.v != 0 ? body_of(r, a->method) : NULL;
    ir_var list;
    if (made == NULL || a->stmt >= made->n_stmts || made->stmts[a->stmt].op != IR_NEW ||
        handed_over_by(r, made, &made->stmts[a->stmt], &list) == NULL)
        return false;
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
        const struct ir_body *body = is_app(r, m) ? body_of(r, m) : NULL;
        if (body != NULL && !inst_keeps(r, (pts_inst){i}, body, o, a)) return false;
    }
    return true;
}

bool is_run_once(struct races *r, pts_obj o) {
    if (r->handed_tried.w == NULL) {
        bits_init(&r->handed_tried, &r->arena, pts_n_objs(r->pts) + 1);
        bits_init(&r->handed_once, &r->arena, pts_n_objs(r->pts) + 1);
    }
    if (!bits_has(&r->handed_tried, o.v)) {
        bits_add(&r->handed_tried, o.v);
        if (find_run_once(r, o)) bits_add(&r->handed_once, o.v);
    }
    return bits_has(&r->handed_once, o.v);
}

bool is_task_call(struct races *r, const struct pts_call *call) {
    /* Of the fork-join pool only what execute() makes: the tasks of submit() can be made to run again. */
    static const char *const runners[] = {
        "java/util/concurrent/FutureTask", "java/util/concurrent/ForkJoinTask$RunnableExecuteAction",
        "java/util/concurrent/ThreadPoolExecutor", "java/util/concurrent/Executors$RunnableAdapter"};
    method_id m = pts_inst_info(r->pts, call->caller)->method;
    for (size_t i = 0; i < sizeof runners / sizeof *runners; i++) {
        if (class_is(r, program_method(r->p, m)->owner, runners[i])) return true;
    }
    return false;
}
