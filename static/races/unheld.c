#include "unheld.h"

enum { DEPTH_MAX = 10 };

/* Kept: constructors call the same few ones. */
struct held_answer {
    method_id method; /* 0: nothing was asked yet */
    uint32_t param;
    bool holds; /* true as well while it is under way */
};

static bool is_ref(const struct ir_body *body, ir_var v) {
    return v.v != 0 && body->vars[v.v].kind == IR_REF;
}

static bool is_plain_class(const struct class_info *c) {
    return c->state == CLASS_LOADED && (c->access & CF_ACC_INTERFACE) == 0;
}

/* Whether one object may be of both types, as far as the JVM verifies: it lets any object stand for an
 * interface, and PHIs are not looked at. */
static bool may_be_both(struct races *r, class_id a, class_id b) {
    if (a.v == 0 || b.v == 0 || class_id_eq(a, b)) return true;
    const struct class_info *x = program_peek(r->p, a), *y = program_peek(r->p, b);
    return !is_plain_class(x) || !is_plain_class(y) || program_is_subtype(r->p, a, b) ||
           program_is_subtype(r->p, b, a);
}

static void join(struct races *r, const struct ir_body *body, struct names *n, ir_var a, ir_var b) {
    if (!is_ref(body, a) || !is_ref(body, b) || group_of(&n->same, a) == group_of(&n->same, b) ||
        !may_be_both(r, body->vars[a.v].type, body->vars[b.v].type))
        return;
    uint32_t t = n->next[a.v];
    group_join(&n->same, a, b);
    n->next[a.v] = n->next[b.v];
    n->next[b.v] = t;
}

void names_build(struct races *r, const struct ir_body *body, struct names *n, struct arena *arena) {
    n->same.parent = ARENA_NEW_N(arena, body->n_vars + 1, uint32_t);
    n->next = ARENA_NEW_N(arena, body->n_vars + 1, uint32_t);
    for (uint32_t v = 0; v <= body->n_vars; v++) n->same.parent[v] = n->next[v] = v;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op != IR_CAST && s->op != IR_PHI && s->op != IR_INVOKE) continue;
        for (uint32_t k = 0; k < s->n_args; k++) join(r, body, n, s->def, ir_arg(body, s, k));
    }
}

static bool holds_param(struct races *r, method_id m, uint32_t param, int depth);

static bool call_holds(struct races *r, const struct ir_body *body, const struct ir_stmt *s, uint32_t arg,
                       int depth) {
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL) return true; /* a function object holds what it captures */
    method_id m = program_ref_method(r->p, (ref_id){s->ref});
    if (m.v != 0 && program_method(r->p, m)->owner.v == CLASS_OBJECT && s->sub == IR_CALL_SPECIAL)
        return false;
    const struct call_targets *t = call_targets(r, body, (uint32_t)(s - body->stmts));
    for (uint32_t i = 0; i < t->n; i++) {
        if (!t->v[i].plain || holds_param(r, t->v[i].method, arg, depth + 1)) return true;
    }
    /* Methods of Object keep nothing; of others that lead nowhere nothing is known. */
    return t->n == 0 && (m.v == 0 || program_method(r->p, m)->owner.v != CLASS_OBJECT);
}

static bool stmt_holds(struct races *r, const struct ir_body *body, const struct ir_stmt *s, uint32_t arg,
                       int depth) {
    switch (s->op) {
    case IR_PUT_STATIC:
    case IR_THROW: return true;
    case IR_PUT_FIELD: return arg == 1;
    case IR_ARRAY_STORE: return arg == 2;
    case IR_INVOKE: return call_holds(r, body, s, arg, depth);
    default: return false;
    }
}

static bool body_holds(struct races *r, const struct ir_body *body, ir_var v, int depth) {
    struct arena scratch;
    struct names n;
    bool holds = false;
    arena_init(&scratch);
    names_build(r, body, &n, &scratch);
    uint32_t self = group_of(&n.same, v);
    for (uint32_t i = 0; i < body->n_stmts && !holds; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        for (uint32_t k = 0; k < s->n_args && !holds; k++)
            holds = group_of(&n.same, ir_arg(body, s, k)) == self && stmt_holds(r, body, s, k, depth);
    }
    arena_release(&scratch);
    return holds;
}

static bool holds_param(struct races *r, method_id m, uint32_t param, int depth) {
    if (depth > DEPTH_MAX) return true;
    if (r->held_answers == NULL) r->held_answers = ARENA_NEW_N(&r->arena, SIDE_ANSWERS, struct held_answer);
    struct held_answer *known = &r->held_answers[side_hash(m.v, param, 0, 0)];
    if (method_id_eq(known->method, m) && known->param == param) return known->holds;
    *known = (struct held_answer){m, param, true};
    const struct ir_body *body = body_of(r, m);
    bool native_of_object = body == NULL && program_method(r->p, m)->owner.v == CLASS_OBJECT;
    bool holds = body == NULL || param >= body->n_params ? !native_of_object
                                                         : body_holds(r, body, (ir_var){param + 1}, depth);
    *known = (struct held_answer){m, param, holds}; /* another method may have taken the place */
    return holds;
}

bool is_made_after(const struct ir_body *body, ir_var made, ir_var v) {
    const struct ir_stmt *def = ir_def(body, made);
    if (def->op != IR_NEW && def->op != IR_NEW_ARRAY) return false;
    uint32_t at = body->vars[made.v].def, other = body->vars[v.v].def;
    uint32_t b = ir_block_of(body, at), first = ir_block_of(body, other);
    return b == first ? other < at : ir_dominates(body, first, b);
}

bool holds_argument(struct races *r, const struct ir_body *body, const struct ir_stmt *s, uint32_t arg) {
    return stmt_holds(r, body, s, arg, 0);
}
