#include "draws.h"
#include "race/opcodes.h"
#include "sources.h"

#include <string.h>

enum { DEPTH_MAX = 4 };

#define ATOMIC "java/util/concurrent/atomic/Atomic"

/* ---- counters ---- */

static bool is_draw(const char *name) {
    return strcmp(name, "getAndIncrement") == 0 || strcmp(name, "incrementAndGet") == 0;
}

/* Methods that leave the counter as it is. */
static bool is_look(const char *name) {
    static const char *const looks[] = {"<init>",    "get",      "getAcquire", "getPlain",
                                        "getOpaque", "intValue", "longValue",  "toString",
                                        "hashCode",  "equals",   "doubleValue"};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        if (strcmp(name, looks[i]) == 0) return true;
    }
    return false;
}

/* The name of the method if the statement calls one of AtomicInteger or AtomicLong, or NULL. */
static const char *counter_call(const struct races *r, const struct ir_stmt *s) {
    const struct member_ref *ref = s->op == IR_INVOKE ? invoke_ref(r, s) : NULL;
    if (ref == NULL || s->sub == IR_CALL_STATIC || s->n_args == 0) return NULL;
    if (!class_is(r, ref->cls, ATOMIC "Integer") && !class_is(r, ref->cls, ATOMIC "Long")) return NULL;
    return program_str(r->p, ref->name);
}

/* Whether the body only looks at the counter or draws from it, by the one method `name` (set if it is NULL).
 */
static bool body_only_draws(struct races *r, const struct ir_body *body, pts_obj counter, const char **name) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const char *called = counter_call(r, &body->stmts[i]);
        if (called == NULL || is_look(called) ||
            !may_be_object(r, body, ir_arg(body, &body->stmts[i], 0), counter))
            continue;
        if (!is_draw(called) || (*name != NULL && strcmp(*name, called) != 0)) return false;
        *name = called;
    }
    return true;
}

static bool find_only_draws(struct races *r, pts_obj counter) {
    const char *name = NULL;
    if (bits_has(&r->foreign, counter.v)) return false;
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const struct ir_body *body = pts_is_reachable(r->pts, m) ? body_of(r, m) : NULL;
            if (body != NULL && !body_only_draws(r, body, counter, &name)) return false;
        }
    }
    return true;
}

static bool only_draws(struct races *r, pts_obj counter) {
    if (r->counters.tried.w == NULL) {
        bits_init(&r->counters.tried, &r->arena, pts_n_objs(r->pts) + 1);
        bits_init(&r->counters.fine, &r->arena, pts_n_objs(r->pts) + 1);
    }
    if (!bits_has(&r->counters.tried, counter.v)) {
        bits_add(&r->counters.tried, counter.v);
        if (find_only_draws(r, counter)) bits_add(&r->counters.fine, counter.v);
    }
    return bits_has(&r->counters.fine, counter.v);
}

/* ---- numbers ---- */

/* The one counter that all of some values are from so far. */
struct drawn {
    struct races *r;
    pts_obj counter;
    int depth;
};

static bool add_drawn(struct drawn *x, pts_inst i, const struct ir_body *body, ir_var v);

/* What the only callee returns, if it is the application's and draws whenever it returns. */
static bool add_returned(struct drawn *x, pts_inst i, uint32_t stmt) {
    uint32_t n;
    const struct pts_call *calls = pts_callees_at(x->r->pts, i, stmt, &n);
    if (n != 1 || calls[0].kind != PTS_EDGE_CALL) return false;
    method_id m = pts_inst_info(x->r->pts, calls[0].callee)->method;
    const struct ir_body *body = is_app(x->r, m) ? body_of(x->r, m) : NULL;
    bool any = false;
    for (uint32_t k = 0; body != NULL && k < body->n_stmts; k++) {
        const struct ir_stmt *s = &body->stmts[k];
        if (s->op != IR_RETURN) continue;
        if (s->n_args != 1 || !add_drawn(x, calls[0].callee, body, ir_arg(body, s, 0))) return false;
        any = true;
    }
    return any;
}

/* The only object that the variable is in the instance, if it exists once. */
static pts_obj only_value(const struct races *r, pts_inst i, ir_var v) {
    struct pts_view set = pts_var(r->pts, i, v);
    struct pts_iter it = {0};
    pts_obj o = {0};
    bool only = pts_count(set) == 1 && pts_next(set, &it, &o) && pts_obj_info(r->pts, o)->once;
    return only ? o : (pts_obj){0};
}

static bool add_drawn_at(struct drawn *x, pts_inst i, const struct ir_body *body, const struct ir_stmt *s) {
    if (s->op == IR_UNARY && s->ref == CF_OP_L2I) return add_drawn(x, i, body, ir_arg(body, s, 0));
    if (s->op == IR_PHI) {
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (!ir_var_eq(ir_arg(body, s, k), s->def) && !add_drawn(x, i, body, ir_arg(body, s, k)))
                return false;
        }
        return true;
    }
    if (s->op != IR_INVOKE || s->sub == IR_CALL_DYNAMIC) return false;
    const char *called = counter_call(x->r, s);
    if (called == NULL) return add_returned(x, i, (uint32_t)(s - body->stmts));
    pts_obj o = is_draw(called) ? only_value(x->r, i, ir_arg(body, s, 0)) : (pts_obj){0};
    if (o.v == 0 || (x->counter.v != 0 && !pts_obj_eq(o, x->counter))) return false;
    x->counter = o;
    return true;
}

static bool add_drawn(struct drawn *x, pts_inst i, const struct ir_body *body, ir_var v) {
    if (x->depth == DEPTH_MAX) return false;
    x->depth++;
    bool found = add_drawn_at(x, i, body, ir_def(body, v));
    x->depth--;
    return found;
}

static pts_obj checked(const struct drawn *x) {
    return x->counter.v != 0 && only_draws(x->r, x->counter) ? x->counter : (pts_obj){0};
}

pts_obj drawn_from(struct races *r, const struct ir_body *body, ir_var v) {
    struct drawn x = {.r = r};
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, body->method, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (!add_drawn(&x, insts[i], body, v)) return (pts_obj){0};
    }
    return checked(&x);
}

/* ---- threads ---- */

static bool see_argument(void *arg, const struct source *s);

static bool climb(struct drawn *x, const struct source *at) {
    if (ir_def(at->body, at->var)->op != IR_PARAM) return add_drawn(x, at->inst, at->body, at->var);
    if (x->depth == DEPTH_MAX) return false;
    x->depth++;
    bool found = each_source(x->r, at->thread, at->inst, at->var.v - 1, see_argument, x);
    x->depth--;
    return found;
}

/* What a function object captured was perhaps drawn by another thread. */
static bool see_argument(void *arg, const struct source *s) {
    return s->thread != ANY_THREAD && climb(arg, s);
}

pts_obj drawn_by_thread(struct races *r, uint32_t thread, pts_inst i, const struct ir_body *body, ir_var v) {
    struct drawn x = {.r = r};
    struct source at = {.thread = thread, .inst = i, .body = body, .var = v};
    return thread != ANY_THREAD && climb(&x, &at) ? checked(&x) : (pts_obj){0};
}
