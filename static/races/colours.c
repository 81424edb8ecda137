#include "colours.h"
#include "elements.h"
#include "groups.h" /* argument_matches */
#include "phases.h"
#include "race/opcodes.h"

enum { TERMS_MAX = 4, DEPTH_MAX = 10 };

/* The lowest bit of an int: a constant plus variables, modulo two. */
struct parity {
    bool known;
    bool odd;
    unsigned n;
    ir_var terms[TERMS_MAX];
};

static struct parity constant(bool odd) {
    return (struct parity){.known = true, .odd = odd};
}

static struct parity variable(ir_var v) {
    return (struct parity){.known = true, .n = 1, .terms = {v}};
}

/* A term that stands twice is gone. */
static void add_term(struct parity *p, ir_var v) {
    for (unsigned i = 0; i < p->n; i++) {
        if (!ir_var_eq(p->terms[i], v)) continue;
        p->terms[i] = p->terms[--p->n];
        return;
    }
    p->known &= p->n < TERMS_MAX;
    if (p->known) p->terms[p->n++] = v;
}

static struct parity plus(struct parity a, const struct parity *b) {
    a.known &= b->known;
    a.odd ^= b->odd;
    for (unsigned i = 0; i < b->n; i++) add_term(&a, b->terms[i]);
    return a;
}

/* ---- expressions ---- */

/* The statement where the value is used: all variables that it was computed from still have their values
 * there, if it is in every loop whose counter is taken apart. */
struct use {
    const struct ir_body *body;
    uint32_t block;
};

static struct parity parity_of(const struct use *u, ir_var v, int depth);

static bool is_const(const struct ir_body *body, ir_var v, int64_t *value) {
    const struct ir_stmt *def = ir_def(body, v);
    if (def->op != IR_CONST || def->sub != CONST_INT) return false;
    *value = ir_const(body, def).u.i;
    return true;
}

/* An operation with a constant on its right. */
static struct parity by_constant(const struct use *u, const struct ir_stmt *s, int64_t c, int depth) {
    ir_var left = ir_arg(u->body, s, 0);
    switch (s->ref) {
    case CF_OP_IAND:
    case CF_OP_IMUL: return (c & 1) == 0 ? constant(false) : parity_of(u, left, depth);
    case CF_OP_ISHL: return (c & 31) != 0 ? constant(false) : parity_of(u, left, depth);
    case CF_OP_IREM: return (c & 1) == 0 && c != 0 ? parity_of(u, left, depth) : variable(s->def);
    default: return variable(s->def);
    }
}

static struct parity binary_parity(const struct use *u, const struct ir_stmt *s, int depth) {
    int64_t c;
    if (s->ref == CF_OP_IADD || s->ref == CF_OP_ISUB || s->ref == CF_OP_IXOR) {
        struct parity right = parity_of(u, ir_arg(u->body, s, 1), depth);
        return plus(parity_of(u, ir_arg(u->body, s, 0), depth), &right);
    }
    return is_const(u->body, ir_arg(u->body, s, 1), &c) ? by_constant(u, s, c, depth) : variable(s->def);
}

/* A counter that goes on by even steps is as odd as it was at the start. */
static struct parity counter_parity(const struct use *u, const struct ir_stmt *phi, int depth) {
    const struct ir_body *body = u->body;
    uint32_t at = ir_block_of(body, (uint32_t)(phi - body->stmts)), loop = body->blocks[at].loop;
    ir_var start = {0};
    if (!body->blocks[at].is_loop_header || body->loops[loop].irreducible ||
        !ir_in_loop(body, u->block, loop))
        return variable(phi->def);
    for (uint32_t k = 0; k < phi->n_args; k++) {
        ir_var v = ir_arg(body, phi, k);
        if (ir_in_loop(body, ir_preds(body, &body->blocks[at])[k].block, loop)) {
            int64_t step;
            const struct ir_stmt *next = ir_def(body, v);
            if (next->op != IR_BINARY || next->ref != CF_OP_IADD ||
                !ir_var_eq(ir_arg(body, next, 0), phi->def) ||
                !is_const(body, ir_arg(body, next, 1), &step) || (step & 1) != 0)
                return variable(phi->def);
        } else if (start.v == 0 || ir_var_eq(start, v)) {
            start = v;
        } else {
            return variable(phi->def);
        }
    }
    return start.v == 0 ? variable(phi->def) : parity_of(u, start, depth);
}

static struct parity parity_of(const struct use *u, ir_var v, int depth) {
    const struct ir_stmt *s = ir_def(u->body, v);
    int64_t c;
    if (depth == DEPTH_MAX || u->body->vars[v.v].kind != IR_INT) return (struct parity){0};
    if (is_const(u->body, v, &c)) return constant((c & 1) != 0);
    if (s->op == IR_BINARY) return binary_parity(u, s, depth + 1);
    if (s->op == IR_PHI) return counter_parity(u, s, depth + 1);
    if (s->op == IR_UNARY && s->ref == CF_OP_INEG) return parity_of(u, ir_arg(u->body, s, 0), depth + 1);
    return variable(v);
}

/* ---- elements ---- */

/* An element: its own index, and the sum with that of its row if it has one. */
struct element {
    struct parity own, both;
    ir_var row;
};

static bool element_of(struct races *r, const struct races_access *a, struct element *out) {
    const struct ir_body *body = body_of(r, a->method);
    const struct ir_stmt *s = &body->stmts[a->stmt];
    struct use u = {body, ir_block_of(body, a->stmt)};
    if (a->kind != PLAN_ARRAY || (s->op != IR_ARRAY_LOAD && s->op != IR_ARRAY_STORE)) return false;
    out->own = parity_of(&u, ir_arg(body, s, 1), 0);
    out->row = var_origin(body, ir_arg(body, s, 0));
    const struct ir_stmt *load = ir_def(body, out->row);
    if (load->op == IR_ARRAY_LOAD) {
        out->both = parity_of(&u, ir_arg(body, load, 1), 0);
        out->both = plus(out->both, &out->own);
    }
    return true;
}

/* Whether rows that are the same object have the same index. */
static bool rows_stand_once(struct races *r, pts_inst i, ir_var p, pts_inst j, ir_var q) {
    struct pts_view a = pts_var(r->pts, i, p), b = pts_var(r->pts, j, q);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(a, &it, &o)) {
        if (pts_has(b, o) && !in_distinct_elements(r, o)) return false;
    }
    return true;
}

/* ---- calls ---- */

struct comparing {
    struct races *r;
    method_id methods[2];
    struct parity sides[2];
};

/* Puts in what the call passes for the parameters; false if anything but a constant is left. */
static bool settle(struct races *r, method_id m, const struct phase_call *call, const struct parity *p,
                   bool *odd) {
    const struct ir_body *callee = body_of(r, m);
    *odd = p->odd;
    for (unsigned i = 0; i < p->n; i++) {
        uint32_t param = p->terms[i].v - 1;
        if (ir_def(callee, p->terms[i])->op != IR_PARAM || param >= call->stmt->n_args ||
            !argument_matches(r, call->stmt, m))
            return false;
        struct use u = {call->body, ir_block_of(call->body, (uint32_t)(call->stmt - call->body->stmts))};
        struct parity passed = parity_of(&u, ir_arg(call->body, call->stmt, param), 0);
        if (!passed.known || passed.n > 0) return false;
        *odd ^= passed.odd;
    }
    return true;
}

static bool see_phase(void *arg, const struct phase_call *a, const struct phase_call *b) {
    struct comparing *x = arg;
    bool odd[2];
    return settle(x->r, x->methods[0], a, &x->sides[0], &odd[0]) &&
           settle(x->r, x->methods[1], b, &x->sides[1], &odd[1]) && odd[0] != odd[1];
}

static bool never_equal(struct comparing *x, struct races_side a, struct races_side b) {
    if (!x->sides[0].known || !x->sides[1].known) return false;
    if (x->sides[0].n == 0 && x->sides[1].n == 0) return x->sides[0].odd != x->sides[1].odd;
    return each_common_phase(x->r, a, b, see_phase, x);
}

bool apart_by_colour(struct races *r, const struct races_access *a, struct races_side x,
                     const struct races_access *b, struct races_side y) {
    struct element p = {0}, q = {0};
    struct comparing c = {.r = r, .methods = {a->method, b->method}};
    if (!element_of(r, a, &p) || !element_of(r, b, &q)) return false;
    c.sides[0] = p.own;
    c.sides[1] = q.own;
    if (never_equal(&c, x, y)) return true;
    c.sides[0] = p.both;
    c.sides[1] = q.both;
    return rows_stand_once(r, x.inst, p.row, y.inst, q.row) && never_equal(&c, x, y);
}
