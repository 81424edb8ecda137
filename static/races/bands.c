#include "bands.h"
#include "formulas.h"
#include "ints.h" /* each_test */
#include "race/opcodes.h"

enum { DEPTH_MAX = 12, BOUNDS_MAX = 6 };

/* Formulas that a variable is never below (lo), and always below (hi). */
struct band {
    unsigned n_lo, n_hi;
    struct sym lo[BOUNDS_MAX], hi[BOUNDS_MAX];
};

static void add_lo(struct band *b, struct sym s) {
    if (s.known && b->n_lo < BOUNDS_MAX) b->lo[b->n_lo++] = s;
}

static void add_hi(struct band *b, struct sym s) {
    if (s.known && b->n_hi < BOUNDS_MAX) b->hi[b->n_hi++] = s;
}

static void find_band(struct formulas *f, const struct value_at *at, struct band *out, int depth);

static struct sym plus(struct formulas *f, struct sym a, int64_t k) {
    return sym_add(&f->world, a, sym_const(k), true);
}

/* ---- tests ---- */

struct testing {
    struct formulas *f;
    const struct frame *frame;
    struct band *out;
    int depth;
};

static void apply_test(void *arg, uint32_t op, ir_var right, uint32_t at) {
    struct testing *x = arg;
    struct band other = {0};
    struct value_at there = {x->frame, right, at};
    find_band(x->f, &there, &other, x->depth + 1);
    /* right < hi, so v < right gives v + 1 < hi, and v <= right gives v < hi. */
    bool less = op == CF_OP_IF_ICMPLT || op == CF_OP_IF_ICMPLE || op == CF_OP_IF_ICMPEQ;
    bool more = op == CF_OP_IF_ICMPGT || op == CF_OP_IF_ICMPGE || op == CF_OP_IF_ICMPEQ;
    for (unsigned i = 0; less && i < other.n_hi; i++)
        add_hi(x->out, plus(x->f, other.hi[i], op == CF_OP_IF_ICMPLT ? -1 : 0));
    for (unsigned i = 0; more && i < other.n_lo; i++)
        add_lo(x->out, plus(x->f, other.lo[i], op == CF_OP_IF_ICMPGT ? 1 : 0));
}

static void see_less(void *arg, uint32_t op, ir_var right, uint32_t at) {
    (void)right;
    (void)at;
    if (op == CF_OP_IF_ICMPLT) *(bool *)arg = true;
}

/* ---- merged values ---- */

static bool is_int_const(const struct ir_body *body, ir_var v, int64_t value) {
    const struct ir_stmt *def = ir_def(body, v);
    return def->op == IR_CONST && def->sub == CONST_INT && ir_const(body, def).u.i == value;
}

/* Whether the operand is v + 1, computed where v is less than some int: it does not wrap around. */
static bool counts_one(const struct ir_body *body, ir_var v, ir_var operand) {
    const struct ir_stmt *s = ir_def(body, operand);
    bool less = false;
    if (s->op != IR_BINARY || s->ref != CF_OP_IADD || !ir_var_eq(ir_arg(body, s, 0), v) ||
        !is_int_const(body, ir_arg(body, s, 1), 1))
        return false;
    each_test(body, v, ir_block_of(body, (uint32_t)(s - body->stmts)), see_less, &less);
    return less;
}

/* A loop's counter is never below where it starts. */
static bool counter_band(struct formulas *f, const struct frame *frame, const struct ir_stmt *phi,
                         struct band *out, int depth) {
    const struct ir_body *body = frame->body;
    ir_var start = {0};
    for (uint32_t k = 0; k < phi->n_args; k++) {
        ir_var v = ir_arg(body, phi, k);
        if (counts_one(body, phi->def, v)) continue;
        if (start.v != 0 && !ir_var_eq(start, v)) return false;
        start = v;
    }
    if (start.v == 0 || ir_def(body, start)->op == IR_NOP) return false;
    struct band from = {0};
    struct value_at at = {frame, start, ir_block_of(body, body->vars[start.v].def)};
    find_band(f, &at, &from, depth + 1);
    for (unsigned i = 0; i < from.n_lo; i++) add_lo(out, from.lo[i]);
    return true;
}

/* The end of `test` from which control comes to the PHI by its operand k only; -1 if that is not so. */
static int edge_of(const struct ir_body *body, uint32_t test, uint32_t merge, uint32_t k) {
    const struct ir_edge *succs = ir_succs(body, &body->blocks[test]);
    uint32_t from = ir_preds(body, &body->blocks[merge])[k].block;
    for (int i = 0; i < 2; i++) {
        if (from == test ? succs[i].block == merge
                         : succs[i].block == from && body->blocks[from].n_preds == 1)
            return i;
    }
    return -1;
}

/*
 * `to = number == bound - 1 ? rest : x`: below x in all threads but the last one.  That is enough: of two
 * threads only the upper end of the lower band matters, and that is never the last thread's.
 */
static void last_band(struct formulas *f, const struct frame *frame, const struct ir_stmt *phi,
                      struct band *out, int depth) {
    const struct ir_body *body = frame->body;
    uint32_t merge = ir_block_of(body, (uint32_t)(phi - body->stmts)), d = body->blocks[merge].idom;
    const struct ir_stmt *test = &body->stmts[body->blocks[d].end - 1];
    if (phi->n_args != 2 || body->blocks[merge].is_loop_header || test->op != IR_IF || test->n_args != 2 ||
        (test->ref != CF_OP_IF_ICMPNE && test->ref != CF_OP_IF_ICMPEQ))
        return;
    struct sym a = formula_at(f, frame, ir_arg(body, test, 0), depth + 1);
    struct sym b = formula_at(f, frame, ir_arg(body, test, 1), depth + 1);
    struct sym last = sym_sub(&f->world, plus(f, sym_number(f->world.r), 1), f->world.bound, true);
    struct sym d1 = sym_sub(&f->world, a, b, true), d2 = sym_sub(&f->world, b, a, true);
    if (!sym_equal(&d1, &last) && !sym_equal(&d2, &last)) return;
    int differs = test->ref == CF_OP_IF_ICMPNE ? 1 : 0;
    for (uint32_t k = 0; k < 2; k++) {
        if (edge_of(body, d, merge, k) != differs || edge_of(body, d, merge, 1 - k) != 1 - differs) continue;
        struct band other = {0};
        struct value_at at = {frame, ir_arg(body, phi, k), ir_preds(body, &body->blocks[merge])[k].block};
        find_band(f, &at, &other, depth + 1);
        for (unsigned i = 0; i < other.n_hi; i++) add_hi(out, other.hi[i]);
    }
}

/* ---- computed values ---- */

/* Math.max is at least each of the two, Math.min at most. */
static bool extreme_band(struct formulas *f, const struct frame *frame, const struct ir_stmt *s,
                         struct band *out, int depth) {
    struct races *r = f->world.r;
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL || s->n_args != 2 || !class_is(r, ref->cls, "java/lang/Math")) return false;
    bool max = name_is(r, ref->name, "max");
    if (!max && !name_is(r, ref->name, "min")) return false;
    for (uint32_t k = 0; k < 2; k++) {
        struct band one = {0};
        struct value_at at = {frame, ir_arg(frame->body, s, k),
                              ir_block_of(frame->body, (uint32_t)(s - frame->body->stmts))};
        find_band(f, &at, &one, depth + 1);
        for (unsigned i = 0; max && i < one.n_lo; i++) add_lo(out, one.lo[i]);
        for (unsigned i = 0; !max && i < one.n_hi; i++) add_hi(out, one.hi[i]);
    }
    return true;
}

/* A sum of something known and something between bounds.  All bounds must fit: then the sum does. */
static void sum_band(struct formulas *f, const struct value_at *at, const struct ir_stmt *s, struct band *out,
                     int depth) {
    const struct frame *frame = at->frame;
    bool sub = s->ref == CF_OP_ISUB;
    if (s->ref != CF_OP_IADD && !sub) return;
    for (uint32_t k = 0; k < (sub ? 1 : 2); k++) {
        struct sym known = formula_at(f, frame, ir_arg(frame->body, s, 1 - k), depth + 1);
        if (!known.known) continue;
        struct band one = {0}, moved = {0};
        struct value_at other = {frame, ir_arg(frame->body, s, k), at->block};
        find_band(f, &other, &one, depth + 1);
        for (unsigned i = 0; i < one.n_lo; i++) {
            struct sym v = sub ? sym_sub(&f->world, one.lo[i], known, false)
                               : sym_add(&f->world, one.lo[i], known, false);
            add_lo(&moved, v);
        }
        for (unsigned i = 0; i < one.n_hi; i++) {
            struct sym v = sub ? sym_sub(&f->world, one.hi[i], known, false)
                               : sym_add(&f->world, one.hi[i], known, false);
            add_hi(&moved, v);
        }
        /* With both ends in range nothing between them wraps around. */
        if (moved.n_lo == 0 || moved.n_hi == 0) continue;
        for (unsigned i = 0; i < moved.n_lo; i++) add_lo(out, moved.lo[i]);
        for (unsigned i = 0; i < moved.n_hi; i++) add_hi(out, moved.hi[i]);
    }
}

static void find_band(struct formulas *f, const struct value_at *at, struct band *out, int depth) {
    const struct frame *frame = at->frame;
    if (depth > DEPTH_MAX || f->work == 0 || frame->body->vars[at->var.v].kind != IR_INT) return;
    struct sym exact = formula_at(f, frame, at->var, depth);
    if (exact.known) {
        add_lo(out, exact);
        add_hi(out, plus(f, exact, 1));
        return;
    }
    const struct ir_stmt *s = ir_def(frame->body, at->var);
    struct value_at behind;
    if (s->op == IR_PHI) {
        if (!counter_band(f, frame, s, out, depth)) last_band(f, frame, s, out, depth);
    } else if (s->op == IR_BINARY) {
        sum_band(f, at, s, out, depth);
    } else if (s->op == IR_INVOKE && extreme_band(f, frame, s, out, depth)) {
        /* done */
    } else if (value_behind(f, frame, at->var, &behind)) {
        find_band(f, &behind, out, depth + 1);
    }
    struct testing x = {f, frame, out, depth};
    each_test(frame->body, at->var, at->block, apply_test, &x);
}

/* ---- questions ---- */

/* Whether, for p < q, what thread p has in a is less than what q has in b. */
static bool lies_below(const struct formulas *f, const struct band *a, const struct band *b) {
    for (unsigned i = 0; i < b->n_lo; i++) {
        if (!sym_grows(&f->world, &b->lo[i])) continue;
        struct sym next = sym_next(&f->world, b->lo[i]);
        for (unsigned k = 0; k < a->n_hi; k++) {
            if (next.known && sym_at_most(&a->hi[k], &next)) return true;
        }
    }
    return false;
}

static void band_of(struct races *r, uint32_t thread, const struct numbering *n, const struct seen_var *v,
                    struct formulas *f, struct band *out) {
    struct frame frame = {v->thread, v->inst, v->body, NULL, NULL, {0}};
    struct value_at at = {&frame, v->var, v->block};
    formulas_init(f, r, thread, n);
    find_band(f, &at, out, 0);
}

bool bands_apart(struct races *r, uint32_t thread, const struct seen_var *a, const struct seen_var *b) {
    const struct numbering *n = numbering_of(r, thread);
    struct formulas f;
    struct band x = {0}, y = {0};
    if (!n->known) return false;
    band_of(r, thread, n, a, &f, &x);
    if (x.n_lo == 0 || x.n_hi == 0) return false;
    band_of(r, thread, n, b, &f, &y);
    return lies_below(&f, &x, &y) && lies_below(&f, &y, &x);
}
