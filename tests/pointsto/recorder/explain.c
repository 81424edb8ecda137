#include "explain.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 24, MAX_STEPS = 20000 };

/* Bodies that are being walked; several at a time, hence not the one of verdict.c. */
struct explain {
    struct arena arena;
    const struct ir_body **bodies; /* by method */
    uint64_t *calls_to;            /* sorted: observed callee << 32 | index of the call */
    uint64_t *calls_at;            /* sorted: caller << 32 | index */
    size_t n;
    unsigned steps; /* of the question in work */
};

static int by_value(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static struct explain *explain_of(struct verdicts *v) {
    if (v->explain != NULL) return v->explain;
    struct explain *e = v->explain = ARENA_NEW_N(&v->arena, 1, struct explain);
    arena_init(&e->arena);
    e->n = v->o->calls.n;
    e->bodies = ARENA_NEW_N(&v->arena, program_n_methods(v->p) + 1, const struct ir_body *);
    e->calls_to = ARENA_NEW_N(&v->arena, e->n, uint64_t);
    e->calls_at = ARENA_NEW_N(&v->arena, e->n, uint64_t);
    for (size_t i = 0; i < e->n; i++) {
        struct obs_call c = v->o->calls.v[i];
        e->calls_to[i] = (uint64_t)v->methods[c.method].v << 32 | i;
        e->calls_at[i] = (uint64_t)v->methods[v->o->sites.v[c.site].method].v << 32 | i;
    }
    qsort(e->calls_to, e->n, sizeof *e->calls_to, by_value);
    qsort(e->calls_at, e->n, sizeof *e->calls_at, by_value);
    return e;
}

void explain_release(struct verdicts *v) {
    if (v->explain != NULL) arena_release(&v->explain->arena);
}

static const struct ir_body *body_of(struct verdicts *v, method_id m) {
    struct explain *e = explain_of(v);
    struct race_error err = {0};
    if (e->bodies[m.v] == NULL && program_method(v->p, m)->has_code)
        e->bodies[m.v] = ir_build(v->builder, m, &e->arena, &err);
    return e->bodies[m.v];
}

static size_t first_of(const uint64_t *v, size_t n, uint32_t key) {
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (v[mid] >> 32 < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The analysis knows no object of the variable in any context. */
static bool is_unknown(struct verdicts *v, method_id m, ir_var var) {
    uint32_t n;
    const pts_inst *insts = pts_insts_of(v->pts, m, &n);
    for (uint32_t i = 0; i < n; i++)
        if (pts_var(v->pts, insts[i], var).set != NULL) return false;
    return true;
}

static bool explained(struct verdicts *v, method_id m, ir_var var, unsigned depth);

static const struct ir_stmt *invoke_at(const struct ir_body *body, uint32_t bci) {
    for (uint32_t i = 0; body != NULL && i < body->n_stmts; i++)
        if (body->stmts[i].bci == bci && body->stmts[i].op == IR_INVOKE) return &body->stmts[i];
    return NULL;
}

/* Some call of the run passes a value that is explained. */
static bool explained_parameter(struct verdicts *v, method_id m, uint32_t param, unsigned depth) {
    struct explain *e = explain_of(v);
    for (size_t i = first_of(e->calls_to, e->n, m.v); i < e->n && e->calls_to[i] >> 32 == m.v; i++) {
        struct obs_site s = v->o->sites.v[v->o->calls.v[(uint32_t)e->calls_to[i]].site];
        method_id caller = v->methods[s.method];
        if (!verdicts_reached(v, caller)) return true;
        const struct ir_body *body = body_of(v, caller);
        const struct ir_stmt *call = invoke_at(body, s.bci);
        if (call != NULL && param < call->n_args && explained(v, caller, ir_arg(body, call, param), depth))
            return true;
    }
    return false;
}

/* Some method that the call entered in the run returns a value that is explained. */
static bool explained_return(struct verdicts *v, method_id m, uint32_t bci, unsigned depth) {
    struct explain *e = explain_of(v);
    for (size_t i = first_of(e->calls_at, e->n, m.v); i < e->n && e->calls_at[i] >> 32 == m.v; i++) {
        struct obs_call c = v->o->calls.v[(uint32_t)e->calls_at[i]];
        method_id callee = v->methods[c.method];
        if (v->o->sites.v[c.site].bci != bci || callee.v == 0) continue;
        if (!verdicts_reached(v, callee)) continue;
        const struct ir_body *body = body_of(v, callee);
        for (uint32_t k = 0; body != NULL && k < body->n_stmts; k++) {
            const struct ir_stmt *s = &body->stmts[k];
            if (s->op == IR_RETURN && s->n_args == 1 && explained(v, callee, ir_arg(body, s, 0), depth))
                return true;
        }
    }
    return false;
}

/* The call is listed itself, or it entered a method that the analysis does not reach. */
static bool is_listed_call(struct verdicts *v, method_id m, uint32_t bci) {
    struct explain *e = explain_of(v);
    if (verdicts_gap(v, m, bci) != NULL) return true;
    for (size_t i = 0; i < v->listed.n; i++)
        if (v->listed.v[i] == ((uint64_t)m.v << 32 | bci)) return true;
    for (size_t i = first_of(e->calls_at, e->n, m.v); i < e->n && e->calls_at[i] >> 32 == m.v; i++) {
        struct obs_call c = v->o->calls.v[(uint32_t)e->calls_at[i]];
        method_id callee = v->methods[c.method];
        if (v->o->sites.v[c.site].bci != bci || callee.v == 0) continue;
        if (!pts_is_modelled(v->pts, callee) && !verdicts_reached(v, callee)) return true;
    }
    return false;
}

/* A model makes its result of what it is given: of the receiver or, as Method.invoke, of an argument. */
static bool explained_invoke(struct verdicts *v, method_id m, const struct ir_body *body,
                             const struct ir_stmt *s, unsigned depth) {
    if (explained_return(v, m, s->bci, depth)) return true;
    if (s->sub == IR_CALL_DYNAMIC) return false;
    bool is_static = s->sub == IR_CALL_STATIC;
    method_id callee = program_ref_method(v->p, (ref_id){s->ref});
    uint32_t n = callee.v && pts_is_modelled(v->pts, callee) ? s->n_args : is_static ? 0 : 1;
    for (uint32_t i = 0; i < n; i++)
        if (explained(v, m, ir_arg(body, s, i), depth)) return true;
    return false;
}

/* Code that the analysis does not reach stored into the field. */
static bool is_written_unseen(struct verdicts *v, ref_id ref) {
    const struct member_ref *f = program_ref(v->p, ref);
    for (size_t i = 0; i < v->o->heap.n; i++) {
        struct obs_heap h = v->o->heap.v[i];
        if (h.field == 0 || verdicts_reached(v, v->methods[v->o->sites.v[h.site].method])) continue;
        if (strcmp(v->o->fields.v[h.field].name, program_str(v->p, f->name)) == 0 &&
            strcmp(v->o->fields.v[h.field].cls, program_class_name(v->p, f->cls)) == 0)
            return true;
    }
    return false;
}

static bool explained(struct verdicts *v, method_id m, ir_var var, unsigned depth) {
    const struct ir_body *body = body_of(v, m);
    if (depth == MAX_DEPTH || body == NULL || body->vars[var.v].kind != IR_REF) return false;
    if (explain_of(v)->steps++ > MAX_STEPS) return false;
    const struct ir_stmt *def = ir_def(body, var);
    if (def->op == IR_CAST) return explained(v, m, ir_arg(body, def, 0), depth);
    if (def->op == IR_INVOKE && is_listed_call(v, m, def->bci)) return true;
    if (def->op == IR_GET_FIELD && is_written_unseen(v, (ref_id){def->ref})) return true;
    if (!is_unknown(v, m, var)) return false;
    depth++;
    switch (def->op) {
    case IR_PARAM: return explained_parameter(v, m, def->ref, depth);
    case IR_INVOKE: return explained_invoke(v, m, body, def, depth);
    case IR_GET_FIELD:
    case IR_ARRAY_LOAD: return explained(v, m, ir_arg(body, def, 0), depth);
    case IR_PHI:
        for (uint32_t i = 0; i < def->n_args; i++)
            if (explained(v, m, ir_arg(body, def, i), depth)) return true;
        return false;
    default: return false;
    }
}

bool explained_receiver(struct verdicts *v, method_id m, uint32_t bci) {
    explain_of(v)->steps = 0;
    const struct ir_body *body = body_of(v, m);
    const struct ir_stmt *s = invoke_at(body, bci);
    return s != NULL && s->sub != IR_CALL_STATIC && s->n_args > 0 && explained(v, m, ir_arg(body, s, 0), 0);
}

bool explained_store(struct verdicts *v, method_id m, uint32_t bci) {
    explain_of(v)->steps = 0;
    const struct ir_body *body = body_of(v, m);
    for (uint32_t i = 0; body != NULL && i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->bci != bci) continue;
        if (s->op != IR_PUT_FIELD && s->op != IR_PUT_STATIC && s->op != IR_ARRAY_STORE) continue;
        for (uint32_t k = 0; k < s->n_args; k++)
            if (explained(v, m, ir_arg(body, s, k), 0)) return true;
    }
    return false;
}
