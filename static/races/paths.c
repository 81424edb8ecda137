/* Symbolic names of values: the variable, static field or class constant they come from, and stable fields;
 * an element of an array goes by the variable that it was first read into. */
#include "kept.h"

#include <string.h>

bool path_extend(struct path *p, field_id f) {
    if (p->n == PATH_MAX || p->root == PATH_NONE) return false;
    p->fields[p->n++] = f;
    return true;
}

bool path_starts_with(const struct path *whole, const struct path *prefix) {
    if (whole->root != prefix->root || whole->id != prefix->id || whole->n < prefix->n) return false;
    for (unsigned i = 0; i < prefix->n; i++) {
        if (!field_id_eq(whole->fields[i], prefix->fields[i])) return false;
    }
    return true;
}

bool path_equal(const struct path *a, const struct path *b) {
    return a->n == b->n && path_starts_with(a, b);
}

struct callee_answer {
    method_id caller; /* 0: nothing was asked yet */
    uint32_t stmt;
    method_id only;
};

static method_id find_only_callee(struct races *r, method_id m, uint32_t stmt) {
    method_id only = {0};
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callees_at(r->pts, insts[i], stmt, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind != PTS_EDGE_CALL) continue;
            method_id callee = pts_inst_info(r->pts, calls[k].callee)->method;
            if (only.v != 0 && !method_id_eq(only, callee)) return (method_id){0};
            only = callee;
        }
    }
    return only;
}

method_id only_callee(struct races *r, method_id m, uint32_t stmt) {
    if (r->callee_answers == NULL)
        r->callee_answers = ARENA_NEW_N(&r->arena, SIDE_ANSWERS, struct callee_answer);
    struct callee_answer *known = &r->callee_answers[side_hash(m.v, stmt, 0, 0)];
    if (!method_id_eq(known->caller, m) || known->stmt != stmt)
        *known = (struct callee_answer){m, stmt, find_only_callee(r, m, stmt)};
    return known->only;
}

static struct path path_at(struct races *r, const struct ir_body *body, ir_var v, int depth);

/* The path of an accessor's result: a method that returns a stable field of its receiver, or a static one. */
static struct path accessor_path(struct races *r, const struct ir_body *body, const struct ir_stmt *call,
                                 int depth) {
    struct path none = {0};
    method_id m = only_callee(r, body->method, (uint32_t)(call - body->stmts));
    const struct ir_body *callee = m.v == 0 || !is_app(r, m) ? NULL : body_of(r, m);
    /* Captured values stand before the arguments of a lambda's body: only like calls like. */
    const struct member_ref *ref = invoke_ref(r, call);
    if (callee == NULL || callee->n_blocks != 1 || ref == NULL ||
        !name_id_eq(program_method(r->p, m)->name, ref->name))
        return none;
    const struct ir_stmt *last = &callee->stmts[callee->n_stmts - 1];
    if (last->op != IR_RETURN || last->n_args == 0) return none;
    struct path inner = path_at(r, callee, ir_arg(callee, last, 0), depth + 1);
    if (inner.root != PATH_VAR) return inner;
    if (inner.id > callee->n_params || inner.id > call->n_args) return none;
    struct path outer = path_at(r, body, ir_arg(body, call, inner.id - 1), depth + 1);
    for (unsigned i = 0; i < inner.n; i++) {
        if (!path_extend(&outer, inner.fields[i])) return none;
    }
    return outer;
}

static struct path phi_path(struct races *r, const struct ir_body *body, const struct ir_stmt *phi,
                            int depth) {
    struct path common = {0};
    for (uint32_t i = 0; i < phi->n_args; i++) {
        ir_var v = ir_arg(body, phi, i);
        if (ir_var_eq(v, phi->def)) continue;
        struct path p = path_at(r, body, v, depth + 1);
        /* A variable that changes in the loop would make the name mean two things. */
        if (p.root == PATH_VAR && p.id > body->n_params) return (struct path){0};
        if (common.root != PATH_NONE && !path_equal(&p, &common)) return (struct path){0};
        common = p;
    }
    return common;
}

static struct path path_at(struct races *r, const struct ir_body *body, ir_var v, int depth) {
    struct path self = {.root = PATH_VAR, .id = v.v}, p = {0};
    if (depth > 6) return self;
    const struct ir_stmt *s = ir_def(body, v);
    switch (s->op) {
    case IR_CAST: return path_at(r, body, ir_arg(body, s, 0), depth + 1);
    case IR_GET_FIELD: {
        field_id f = program_ref_field(r->p, (ref_id){s->ref});
        if (f.v == 0 || !field_facts(r, f)->stable) return self;
        p = path_at(r, body, ir_arg(body, s, 0), depth + 1);
        return path_extend(&p, f) ? p : self;
    }
    case IR_GET_STATIC: {
        field_id f = program_ref_field(r->p, (ref_id){s->ref});
        if (f.v == 0 || !field_facts(r, f)->stable) return self;
        return (struct path){.root = PATH_STATIC, .id = f.v};
    }
    case IR_CONST:
        if (s->sub == CONST_CLASS) return (struct path){.root = PATH_CLASS, .id = ir_const(body, s).u.cls.v};
        return self;
    case IR_ARRAY_LOAD: self.id = first_load(r, body, v).v; break;
    case IR_PHI: p = phi_path(r, body, s, depth); break;
    case IR_INVOKE:
        if (s->sub != IR_CALL_DYNAMIC) p = accessor_path(r, body, s, depth);
        break;
    default: break;
    }
    return p.root == PATH_NONE ? self : p;
}

struct path path_of(struct races *r, const struct ir_body *body, ir_var v) {
    return path_at(r, body, v, 0);
}

bool are_alternatives(struct races *r, pts_obj a, pts_obj b) {
    const struct pts_obj_info *x = pts_obj_info(r->pts, a), *y = pts_obj_info(r->pts, b);
    const struct pts_alloc_info *p = pts_alloc_info(r->pts, x->alloc), *q = pts_alloc_info(r->pts, y->alloc);
    if (pts_obj_eq(a, b)) return x->once;
    if (!x->once || !y->once || x->rest.v != y->rest.v || p->kind != PTS_ALLOC_NEW || q->kind != p->kind ||
        p->method.v == 0 || !method_id_eq(p->method, q->method))
        return false;
    const struct ir_body *body = body_of(r, p->method);
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, p->method, &n);
    return body != NULL && n == 1 && pts_inst_info(r->pts, insts[0])->once &&
           !stmt_leads_to(r, body, p->stmt, q->stmt) && !stmt_leads_to(r, body, q->stmt, p->stmt);
}

/* The first element of a set that stands for one run-time object: one element, or alternatives if nothing is
 * to be asked about its fields. */
static pts_obj only_object(struct races *r, struct pts_view set, bool last) {
    struct pts_iter it = {0};
    pts_obj first = {0}, more;
    if (!pts_next(set, &it, &first) || !pts_obj_info(r->pts, first)->once) return (pts_obj){0};
    while (pts_next(set, &it, &more)) {
        if (!last || !are_alternatives(r, first, more)) return (pts_obj){0};
    }
    return first;
}

pts_obj path_object(struct races *r, pts_inst i, const struct path *p) {
    struct pts_view set = {0};
    pts_obj o = {0};
    switch (p->root) {
    case PATH_VAR: set = pts_var(r->pts, i, (ir_var){p->id}); break;
    case PATH_STATIC: set = pts_static(r->pts, (field_id){p->id}); break;
    case PATH_OBJECT: o = (pts_obj){p->id}; break;
    default: return o;
    }
    if (p->root != PATH_OBJECT) o = only_object(r, set, p->n == 0);
    for (unsigned k = 0; k < p->n && o.v != 0; k++)
        o = only_object(r, pts_field(r->pts, o, p->fields[k]), k + 1u == p->n);
    return o;
}

pts_obj only_object_of(struct races *r, const struct ir_body *body, ir_var v) {
    pts_obj only = {0};
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, body->method, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct pts_iter it = {0};
        pts_obj o;
        while (pts_next(pts_var(r->pts, insts[i], v), &it, &o)) {
            if (only.v != 0 && !pts_obj_eq(only, o)) return (pts_obj){0};
            only = o;
        }
    }
    return only.v != 0 && pts_obj_info(r->pts, only)->once ? only : (pts_obj){0};
}

bool may_be_object(struct races *r, const struct ir_body *body, ir_var v, pts_obj o) {
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, body->method, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (pts_has(pts_var(r->pts, insts[i], v), o)) return true;
    }
    return false;
}
