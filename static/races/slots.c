#include "slots.h"

enum { ACCESSES_MAX = 12 };

/* ---- the array ---- */

static bool vars_meet(struct races *r, const struct ir_body *a, ir_var v, const struct ir_body *b, ir_var w) {
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, a->method, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct pts_view set = pts_var(r->pts, insts[i], v);
        struct pts_iter it = {0};
        pts_obj o;
        while (pts_next(set, &it, &o)) {
            if (may_be_object(r, b, w, o)) return true;
        }
    }
    return false;
}

/* Whether the operand is used for elements, or kept in a field, and goes to nobody else. */
static bool keeps_array(const struct ir_stmt *s, uint32_t k) {
    switch (s->op) {
    case IR_ARRAY_LOAD:
    case IR_ARRAY_STORE: return k == 0;
    case IR_ARRAY_LENGTH:
    case IR_CAST:
    case IR_PHI:
    case IR_IF: return true;
    case IR_PUT_FIELD: return k == 1;
    default: return false;
    }
}

static bool body_keeps(struct races *r, const struct ir_body *body, const struct ir_body *home,
                       ir_var array) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        for (uint32_t k = 0; k < s->n_args; k++) {
            ir_var v = ir_arg(body, s, k);
            if (body->vars[v.v].kind == IR_REF && !keeps_array(s, k) && vars_meet(r, home, array, body, v))
                return false;
        }
    }
    return true;
}

static bool stays_in_sight(struct races *r, const struct ir_body *home, ir_var array) {
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const struct ir_body *body = pts_is_reachable(r->pts, m) ? body_of(r, m) : NULL;
            if (body != NULL && !body_keeps(r, body, home, array)) return false;
        }
    }
    return true;
}

/* Whether the two accesses share a lock in all contexts. */
static bool always_share(struct races *r, const struct races_access *a, const struct races_access *b) {
    uint32_t n, m;
    const pts_inst *is = pts_insts_of(r->pts, a->method, &n), *js = pts_insts_of(r->pts, b->method, &m);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < m; j++) {
            if (!share_lock(r, a, is[i], b, js[j])) return false;
        }
    }
    return true;
}

static bool is_guarded(struct races *r, const struct ir_body *home, ir_var array) {
    const struct races_access *found[ACCESSES_MAX];
    unsigned n = 0;
    for (size_t i = 0; i < r->accesses.n; i++) {
        const struct races_access *a = &r->accesses.v[i];
        if (a->kind != PLAN_ARRAY || !pts_is_reachable(r->pts, a->method) ||
            !vars_meet(r, home, array, body_of(r, a->method), a->object))
            continue;
        if (n == ACCESSES_MAX) return false;
        found[n++] = a;
    }
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = i; k < n; k++) {
            if (!always_share(r, found[i], found[k])) return false;
        }
    }
    return n > 0 && stays_in_sight(r, home, array);
}

/* ---- taking out ---- */

/* The statement behind another if control gets nowhere else, exceptions apart; or NULL. */
static const struct ir_stmt *next_of(const struct ir_body *body, const struct ir_stmt *s) {
    uint32_t at = (uint32_t)(s - body->stmts);
    const struct ir_block *b = &body->blocks[ir_block_of(body, at)];
    if (at + 1 < b->end) return s + 1;
    if (s->op == IR_IF || s->op == IR_SWITCH || s->op == IR_RETURN || s->op == IR_THROW || b->n_succs == 0)
        return NULL;
    const struct ir_edge *e = ir_succs(body, b);
    const struct ir_block *next = &body->blocks[e->block];
    if (e->exceptional || (b->n_succs > 1 && !e[1].exceptional) || next->n_preds != 1) return NULL;
    return &body->stmts[next->first];
}

static const struct races_access *access_at(struct races *r, const struct ir_body *body,
                                            const struct ir_stmt *s) {
    for (size_t i = 0; i < r->accesses.n; i++) {
        const struct races_access *a = &r->accesses.v[i];
        if (method_id_eq(a->method, body->method) && a->stmt == (uint32_t)(s - body->stmts)) return a;
    }
    return NULL;
}

/* Whether everybody who writes the field that is read there holds a lock that is held there. */
static bool is_guarded_read(struct races *r, const struct ir_body *body, const struct ir_stmt *get) {
    const struct races_access *read = access_at(r, body, get);
    if (read == NULL) return false;
    for (size_t i = 0; i < r->accesses.n; i++) {
        const struct races_access *a = &r->accesses.v[i];
        if (a->is_write && a->kind == read->kind && field_id_eq(a->field, read->field) &&
            pts_is_reachable(r->pts, a->method) && !always_share(r, read, a))
            return false;
    }
    return true;
}

/* Whether two reads of one field give the same: nothing between them writes or gives up a lock. */
static bool same_read(struct races *r, const struct ir_body *body, ir_var v, ir_var w) {
    const struct ir_stmt *a = ir_def(body, v), *b = ir_def(body, w);
    if (a->op != IR_GET_FIELD || b->op != IR_GET_FIELD) return false;
    struct path p = path_of(r, body, ir_arg(body, a, 0)), q = path_of(r, body, ir_arg(body, b, 0));
    if (!path_equal(&p, &q) ||
        !field_id_eq(program_ref_field(r->p, (ref_id){a->ref}), program_ref_field(r->p, (ref_id){b->ref})))
        return false;
    const struct ir_stmt *s = a;
    while (s != NULL && s != b) {
        if (s->op == IR_INVOKE || s->op == IR_PUT_FIELD || s->op == IR_MONITOR_EXIT) return false;
        s = next_of(body, s);
    }
    return s == b && is_guarded_read(r, body, a);
}

static bool clears(struct races *r, const struct ir_body *body, const struct ir_stmt *store,
                   const struct ir_stmt *load) {
    struct path p = path_of(r, body, ir_arg(body, store, 0)), q = path_of(r, body, ir_arg(body, load, 0));
    const struct ir_stmt *value = ir_def(body, ir_arg(body, store, 2));
    ir_var i = ir_arg(body, load, 1), k = ir_arg(body, store, 1);
    return value->op == IR_CONST && value->sub == CONST_NULL && path_equal(&p, &q) &&
           (ir_var_eq(i, k) || same_read(r, body, i, k));
}

bool is_cleared(struct races *r, const struct ir_body *body, const struct ir_stmt *load) {
    const struct ir_stmt *s = next_of(body, load);
    while (s != NULL && s->op != IR_ARRAY_STORE) {
        if (s->op == IR_INVOKE || s->op == IR_MONITOR_EXIT || s->op == IR_MONITOR_ENTER) return false;
        s = next_of(body, s);
    }
    return s != NULL && clears(r, body, s, load);
}

bool takes_slot(struct races *r, const struct ir_body *body, const struct ir_stmt *load) {
    return is_cleared(r, body, load) && is_guarded(r, body, ir_arg(body, load, 0));
}

bool fills_slot(struct races *r, const struct ir_body *body, const struct ir_stmt *store) {
    return is_guarded(r, body, ir_arg(body, store, 0));
}
