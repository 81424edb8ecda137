#include "ints.h"
#include "owner.h" /* is_target */
#include "race/opcodes.h"

enum { DEPTH_MAX = 12, WORK_MAX = 500, ANSWERS = 8192 };
static const int64_t LONG_BOUND = (int64_t)1 << 61; /* sums of two stay in an int64_t */

/* ---- sets ---- */

static int64_t gcd(int64_t a, int64_t b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) {
        int64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static int64_t mod(int64_t a, int64_t m) {
    int64_t x = a % m;
    return x < 0 ? x + m : x;
}

static int64_t bound(bool is_long) {
    return is_long ? LONG_BOUND : INT32_MAX;
}

static struct ints all(bool is_long) {
    return (struct ints){.lo = -bound(is_long) - 1, .hi = bound(is_long), .step = 1};
}

struct ints ints_const(int64_t v) {
    if (v > LONG_BOUND || v < -LONG_BOUND) return all(true);
    return (struct ints){.lo = v, .hi = v, .rem = v};
}

bool ints_is_const(struct ints a) {
    return a.step == 0;
}

static struct ints with_step(struct ints a, int64_t step, int64_t rem) {
    a.step = step;
    a.rem = step == 0 ? a.lo : mod(rem, step);
    return a;
}

/* A result that may have wrapped around: 2^32 (2^64) divides what is added, so a power of two survives. */
static struct ints fit(struct ints a, bool is_long) {
    if (a.lo >= -bound(is_long) - 1 && a.hi <= bound(is_long)) return a;
    int64_t step = a.step == 0 ? (int64_t)1 << 32 : a.step;
    return with_step(all(is_long), step & -step, a.rem);
}

static struct ints join(struct ints a, struct ints b) {
    struct ints c = {.lo = a.lo < b.lo ? a.lo : b.lo, .hi = a.hi > b.hi ? a.hi : b.hi};
    return with_step(c, gcd(gcd(a.step, b.step), a.rem - b.rem), a.rem);
}

bool ints_disjoint(struct ints a, struct ints b) {
    if (a.lo > a.hi || b.lo > b.hi) return true; /* nothing at all */
    if (a.hi < b.lo || b.hi < a.lo) return true;
    int64_t g = gcd(a.step, b.step);
    return g > 1 && (a.rem - b.rem) % g != 0;
}

struct ints ints_add(struct ints a, struct ints b, bool is_long) {
    struct ints c = {.lo = a.lo + b.lo, .hi = a.hi + b.hi};
    return fit(with_step(c, gcd(a.step, b.step), a.rem + b.rem), is_long);
}

static struct ints negate(struct ints a, bool is_long) {
    struct ints c = {.lo = -a.hi, .hi = -a.lo};
    return fit(with_step(c, a.step, -a.rem), is_long);
}

static struct ints times(struct ints a, int64_t k, bool is_long) {
    int64_t limit = LONG_BOUND / ((k < 0 ? -k : k) + 1);
    if (a.hi > limit || a.lo < -limit) return all(is_long);
    struct ints c = {.lo = k < 0 ? a.hi * k : a.lo * k, .hi = k < 0 ? a.lo * k : a.hi * k};
    return fit(with_step(c, a.step * (k < 0 ? -k : k), a.rem * k), is_long);
}

/* The ends on numbers that the step reaches. */
static struct ints tight(struct ints a) {
    if (a.step == 0) return a;
    a.lo += mod(a.rem - a.lo, a.step);
    a.hi -= mod(a.hi - a.rem, a.step);
    return a.lo == a.hi ? ints_const(a.lo) : a;
}

/* x & mask for a mask without sign: between 0 and the mask, a multiple of its lowest bit. */
static struct ints masked(struct ints a, int64_t mask, bool is_long) {
    if (mask < 0) return all(is_long);
    if (ints_is_const(a)) return ints_const(a.rem & mask);
    if (mask == 0) return ints_const(0);
    struct ints c = {.lo = 0, .hi = mask};
    if (((mask + 1) & mask) == 0 && a.step > 0) return tight(with_step(c, gcd(a.step, mask + 1), a.rem));
    return with_step(c, mask & -mask, 0);
}

static struct ints remainder_of(struct ints a, int64_t k, bool is_long) {
    if (k <= 0) return all(is_long);
    if (ints_is_const(a)) return ints_const(a.rem % k);
    struct ints c = {.lo = a.lo < 0 ? -(k - 1) : 0, .hi = k - 1};
    return tight(with_step(c, a.lo < 0 ? 1 : gcd(a.step, k), a.rem));
}

static struct ints divided(struct ints a, int64_t k, bool is_long) {
    if (k <= 0) return all(is_long);
    if (ints_is_const(a)) return ints_const(a.rem / k);
    return (struct ints){.lo = a.lo / k, .hi = a.hi / k, .step = 1};
}

/* ---- variables ---- */

struct evaluation {
    struct races *r;
    uint32_t thread;
    pts_inst inst;
    const struct ir_body *body;
    int depth;
    unsigned *work;                 /* left to be spent on one question */
    const struct supposition *that; /* or NULL */
    bool is_here;                   /* it is about a variable of this body, in this run of it */
};

static struct ints value(struct evaluation *x, ir_var v, uint32_t block);

static bool is_long_var(const struct ir_body *body, ir_var v) {
    return body->vars[v.v].kind == IR_LONG;
}

struct joining {
    struct evaluation *x;
    struct ints sum;
    bool any;
};

/* From the thread's own methods on to where its Runnable captured the value. */
static void carry_supposition(const struct evaluation *x, struct evaluation *from) {
    if (x->that == NULL || x->is_here) return;
    bool captured = from->thread == ANY_THREAD;
    from->is_here =
        captured && pts_inst_eq(from->inst, x->that->runnable_in) && is_target(x->r, x->thread, x->inst);
    if (!captured || from->is_here) from->that = x->that;
}

static bool join_source(void *arg, const struct source *s) {
    struct joining *j = arg;
    struct evaluation from = {.r = j->x->r,
                              .thread = s->thread,
                              .inst = s->inst,
                              .body = s->body,
                              .depth = j->x->depth + 1,
                              .work = j->x->work};
    carry_supposition(j->x, &from);
    struct ints v = value(&from, s->var, ir_block_of(s->body, s->stmt));
    j->sum = j->any ? join(j->sum, v) : v;
    j->any = true;
    return true;
}

static struct ints parameter(struct evaluation *x, ir_var v) {
    struct joining j = {.x = x};
    bool known = each_source(x->r, x->thread, x->inst, v.v - 1, join_source, &j);
    return known && j.any ? j.sum : all(is_long_var(x->body, v));
}

/* v + constant, the way a loop counts; 0 if the operand is nothing of the kind. */
static int64_t step_of(struct evaluation *x, ir_var v, ir_var operand) {
    const struct ir_stmt *s = ir_def(x->body, operand);
    if (s->op != IR_BINARY) return 0;
    bool adds = s->ref == CF_OP_IADD || s->ref == CF_OP_LADD;
    bool subs = s->ref == CF_OP_ISUB || s->ref == CF_OP_LSUB;
    if ((!adds && !subs) || !ir_var_eq(ir_arg(x->body, s, 0), v)) return 0;
    const struct ir_stmt *c = ir_def(x->body, ir_arg(x->body, s, 1));
    if (c->op != IR_CONST || (c->sub != CONST_INT && c->sub != CONST_LONG)) return 0;
    int64_t k = ir_const(x->body, c).u.i;
    if (k > INT32_MAX || k < -INT32_MAX) return 0;
    return adds ? k : -k;
}

static struct ints refine(struct evaluation *x, ir_var v, uint32_t block, struct ints now);

/* A loop's counter: from where it starts, in steps; upwards only if no step can wrap around. */
static struct ints counter(struct evaluation *x, const struct ir_stmt *phi) {
    bool is_long = is_long_var(x->body, phi->def), any = false, up = true;
    struct ints start = all(is_long);
    int64_t step = 0;
    for (uint32_t k = 0; k < phi->n_args; k++) {
        ir_var v = ir_arg(x->body, phi, k);
        int64_t by = step_of(x, phi->def, v);
        if (by == 0 && !ir_var_eq(v, phi->def)) {
            struct ints from = value(x, v, ir_block_of(x->body, x->body->vars[v.v].def));
            start = any ? join(start, from) : from;
            any = true;
            continue;
        }
        step = gcd(step, by);
        struct ints top = {.lo = -bound(is_long) - 1, .hi = bound(is_long), .step = 1};
        top = refine(x, phi->def, ir_block_of(x->body, x->body->vars[v.v].def), top);
        up &= by > 0 && top.hi + by <= bound(is_long);
    }
    if (!any) return all(is_long);
    struct ints c = {.lo = start.lo, .hi = bound(is_long)};
    int64_t g = gcd(start.step, step);
    if (step == 0) return start;
    if (up) return with_step(c, g, start.rem);
    return with_step(all(is_long), g & -g, start.rem);
}

/* What other variables carry from one round of the counter's loop to the next is of another round. */
static struct ints merged_any(struct evaluation *x, const struct ir_stmt *phi) {
    for (uint32_t k = 0; k < phi->n_args; k++) {
        if (step_of(x, phi->def, ir_arg(x->body, phi, k)) != 0) return counter(x, phi);
    }
    struct ints sum = all(is_long_var(x->body, phi->def));
    for (uint32_t k = 0; k < phi->n_args; k++) {
        ir_var v = ir_arg(x->body, phi, k);
        struct ints from = value(x, v, ir_block_of(x->body, x->body->vars[v.v].def));
        sum = k == 0 ? from : join(sum, from);
    }
    return sum;
}

static struct ints merged(struct evaluation *x, const struct ir_stmt *phi) {
    struct evaluation any = *x;
    uint32_t at = ir_block_of(x->body, (uint32_t)(phi - x->body->stmts));
    if (x->is_here && at == ir_block_of(x->body, x->body->vars[x->that->counter.v].def))
        any.is_here = false, any.that = NULL;
    return merged_any(&any, phi);
}

static struct ints binary(struct evaluation *x, const struct ir_stmt *s, uint32_t block) {
    bool is_long = is_long_var(x->body, s->def);
    struct ints a = value(x, ir_arg(x->body, s, 0), block), b = value(x, ir_arg(x->body, s, 1), block);
    switch (s->ref) {
    case CF_OP_IADD:
    case CF_OP_LADD: return ints_add(a, b, is_long);
    case CF_OP_ISUB:
    case CF_OP_LSUB: return ints_add(a, negate(b, true), is_long);
    case CF_OP_IMUL:
    case CF_OP_LMUL:
        if (ints_is_const(b)) return times(a, b.rem, is_long);
        return ints_is_const(a) ? times(b, a.rem, is_long) : all(is_long);
    case CF_OP_ISHL:
        return ints_is_const(b) && b.rem >= 0 && b.rem < 31 ? times(a, (int64_t)1 << b.rem, false)
                                                            : all(false);
    case CF_OP_IAND:
    case CF_OP_LAND:
        if (ints_is_const(b)) return masked(a, b.rem, is_long);
        return ints_is_const(a) ? masked(b, a.rem, is_long) : all(is_long);
    case CF_OP_IREM:
    case CF_OP_LREM: return ints_is_const(b) ? remainder_of(a, b.rem, is_long) : all(is_long);
    case CF_OP_IDIV:
    case CF_OP_LDIV: return ints_is_const(b) ? divided(a, b.rem, is_long) : all(is_long);
    default: return all(is_long);
    }
}

static struct ints computed(struct evaluation *x, ir_var v, uint32_t block) {
    const struct ir_stmt *s = ir_def(x->body, v);
    bool is_long = is_long_var(x->body, v);
    switch (s->op) {
    case IR_CONST:
        return s->sub == CONST_INT || s->sub == CONST_LONG ? ints_const(ir_const(x->body, s).u.i) : all(true);
    case IR_PARAM: return parameter(x, v);
    case IR_PHI: return merged(x, s);
    case IR_BINARY: return binary(x, s, block);
    case IR_UNARY:
        if (s->ref == CF_OP_I2L) return value(x, ir_arg(x->body, s, 0), block);
        if (s->ref == CF_OP_L2I) return fit(value(x, ir_arg(x->body, s, 0), block), false);
        if (s->ref == CF_OP_INEG || s->ref == CF_OP_LNEG)
            return negate(value(x, ir_arg(x->body, s, 0), block), is_long);
        return all(is_long);
    case IR_ARRAY_LENGTH: {
        const struct ir_stmt *made = ir_def(x->body, var_origin(x->body, ir_arg(x->body, s, 0)));
        if (made->op == IR_NEW_ARRAY) return value(x, ir_arg(x->body, made, 0), block);
        return (struct ints){.lo = 0, .hi = INT32_MAX, .step = 1};
    }
    default: return all(is_long);
    }
}

/* ---- tests ---- */

/* v OP w holds: what that says about v. */
static void apply(struct ints *v, uint32_t op, struct ints w) {
    switch (op) {
    case CF_OP_IF_ICMPLT: v->hi = w.hi - 1 < v->hi ? w.hi - 1 : v->hi; break;
    case CF_OP_IF_ICMPLE: v->hi = w.hi < v->hi ? w.hi : v->hi; break;
    case CF_OP_IF_ICMPGT: v->lo = w.lo + 1 > v->lo ? w.lo + 1 : v->lo; break;
    case CF_OP_IF_ICMPGE: v->lo = w.lo > v->lo ? w.lo : v->lo; break;
    case CF_OP_IF_ICMPEQ:
        v->lo = w.lo > v->lo ? w.lo : v->lo;
        v->hi = w.hi < v->hi ? w.hi : v->hi;
        break;
    default: break;
    }
}

static uint32_t negated(uint32_t op) {
    switch (op) {
    case CF_OP_IF_ICMPLT: return CF_OP_IF_ICMPGE;
    case CF_OP_IF_ICMPGE: return CF_OP_IF_ICMPLT;
    case CF_OP_IF_ICMPGT: return CF_OP_IF_ICMPLE;
    case CF_OP_IF_ICMPLE: return CF_OP_IF_ICMPGT;
    case CF_OP_IF_ICMPEQ: return CF_OP_IF_ICMPNE;
    case CF_OP_IF_ICMPNE: return CF_OP_IF_ICMPEQ;
    default: return 0;
    }
}

static uint32_t swapped(uint32_t op) {
    switch (op) {
    case CF_OP_IF_ICMPLT: return CF_OP_IF_ICMPGT;
    case CF_OP_IF_ICMPGT: return CF_OP_IF_ICMPLT;
    case CF_OP_IF_ICMPLE: return CF_OP_IF_ICMPGE;
    case CF_OP_IF_ICMPGE: return CF_OP_IF_ICMPLE;
    default: return op;
    }
}

/* What the operands' comparison is: int compares, or lcmp with a test against zero. */
static bool comparison(const struct ir_body *body, const struct ir_stmt *test, uint32_t *op, ir_var *left,
                       ir_var *right) {
    if (test->op != IR_IF) return false;
    if (test->n_args == 2) {
        *op = test->ref;
        *left = ir_arg(body, test, 0);
        *right = ir_arg(body, test, 1);
        return test->ref >= CF_OP_IF_ICMPEQ && test->ref <= CF_OP_IF_ICMPLE;
    }
    const struct ir_stmt *cmp = ir_def(body, ir_arg(body, test, 0));
    if (cmp->op != IR_BINARY || cmp->ref != CF_OP_LCMP || test->ref < CF_OP_IFEQ || test->ref > CF_OP_IFLE)
        return false;
    *op = CF_OP_IF_ICMPEQ + (test->ref - CF_OP_IFEQ);
    *left = ir_arg(body, cmp, 0);
    *right = ir_arg(body, cmp, 1);
    return true;
}

void each_test(const struct ir_body *body, ir_var v, uint32_t block, test_visitor *visit, void *arg) {
    for (uint32_t b = block; b != 0; b = body->blocks[b].idom) {
        uint32_t d = body->blocks[b].idom, op;
        const struct ir_block *from = &body->blocks[d];
        ir_var left, right;
        if (!entered_once(body, b) || !comparison(body, &body->stmts[from->end - 1], &op, &left, &right))
            continue;
        const struct ir_edge *succs = ir_succs(body, from);
        if (succs[0].block == succs[1].block) continue;
        if (succs[0].block == b) op = negated(op);
        if (ir_var_eq(right, v)) {
            op = swapped(op);
            right = left;
            left = v;
        }
        if (ir_var_eq(left, v) && !ir_var_eq(right, v)) visit(arg, op, right, d);
    }
}

struct refining {
    struct evaluation x;
    struct ints now;
};

static void apply_test(void *arg, uint32_t op, ir_var right, uint32_t at) {
    struct refining *f = arg;
    apply(&f->now, op, value(&f->x, right, at));
}

/* v % k, or v & (k - 1) for a power of two. */
static bool is_rest_of(const struct ir_body *body, const struct ir_stmt *s, ir_var v, int64_t *k) {
    if (s->op != IR_BINARY || !ir_var_eq(ir_arg(body, s, 0), v)) return false;
    const struct ir_stmt *c = ir_def(body, ir_arg(body, s, 1));
    if (c->op != IR_CONST || c->sub != CONST_INT) return false;
    bool masks = s->ref == CF_OP_IAND;
    *k = ir_const(body, c).u.i + (masks ? 1 : 0);
    return *k > 1 && (masks ? (*k & (*k - 1)) == 0 : s->ref == CF_OP_IREM);
}

/* A test of what is left of v when it is divided: it holds for v = c (mod k) only.  `at` is its block. */
static bool tests_rest(struct evaluation *x, const struct ir_stmt *test, uint32_t at, bool taken, ir_var v,
                       int64_t *k, int64_t *c) {
    const struct ir_body *body = x->body;
    if (test->op != IR_IF) return false;
    bool equals = test->ref == CF_OP_IFEQ || test->ref == CF_OP_IF_ICMPEQ;
    if (!equals && test->ref != CF_OP_IFNE && test->ref != CF_OP_IF_ICMPNE) return false;
    uint32_t side = 0;
    while (side < test->n_args && !is_rest_of(body, ir_def(body, ir_arg(body, test, side)), v, k)) side++;
    if (side == test->n_args) return false;
    *c = 0;
    if (test->n_args == 2) {
        struct ints other = value(x, ir_arg(body, test, 1 - side), at); /* often a number of the thread's */
        if (!ints_is_const(other)) return false;
        *c = other.rem;
    }
    if (equals == taken) return true;
    if (*k != 2 || *c != 0) return false;
    *c = 1; /* not even: odd */
    return true;
}

static struct ints refine_rest(struct evaluation *x, ir_var v, uint32_t block, struct ints now) {
    const struct ir_body *body = x->body;
    for (uint32_t b = block; b != 0; b = body->blocks[b].idom) {
        uint32_t d = body->blocks[b].idom;
        const struct ir_block *from = &body->blocks[d];
        const struct ir_edge *succs = ir_succs(body, from);
        int64_t k = 0, c = 0;
        if (entered_once(body, b) && from->n_succs >= 2 && succs[0].block != succs[1].block &&
            tests_rest(x, &body->stmts[from->end - 1], d, succs[1].block == b, v, &k, &c) && now.step > 0 &&
            k % now.step == 0)
            now = with_step(now, k, c);
    }
    return now;
}

/* What the dominating tests of the variable say in the block. */
static struct ints refine(struct evaluation *x, ir_var v, uint32_t block, struct ints now) {
    struct refining f = {*x, now};
    f.x.depth++;
    each_test(x->body, v, block, apply_test, &f);
    return refine_rest(&f.x, v, block, f.now);
}

static struct ints value(struct evaluation *x, ir_var v, uint32_t block) {
    bool is_long = is_long_var(x->body, v);
    if ((!is_long && x->body->vars[v.v].kind != IR_INT) || x->depth > DEPTH_MAX || *x->work == 0)
        return all(is_long);
    --*x->work;
    x->depth++;
    struct ints c = refine(x, v, block, computed(x, v, block));
    x->depth--;
    if (x->is_here && ir_var_eq(x->that->counter, v) && c.step > 0 && x->that->step % c.step == 0)
        c = with_step(c, x->that->step, x->that->rem);
    return c;
}

struct ints ints_supposing(struct races *r, uint32_t thread, pts_inst i, ir_var v, uint32_t block,
                           const struct supposition *that) {
    unsigned work = WORK_MAX;
    struct evaluation x = {.r = r,
                           .thread = thread,
                           .inst = i,
                           .body = body_of(r, pts_inst_info(r->pts, i)->method),
                           .work = &work,
                           .that = that,
                           .is_here = that->runnable_in.v == 0};
    return value(&x, v, block);
}

/* Pairs ask about the same few indices again and again: the latest answers are kept. */
struct ints_answer {
    uint32_t thread;
    pts_inst inst;
    ir_var var;
    uint32_t block;
    struct ints ints;
};

struct ints ints_of(struct races *r, uint32_t thread, pts_inst i, ir_var v, uint32_t block) {
    if (r->ints_answers == NULL) r->ints_answers = ARENA_NEW_N(&r->arena, ANSWERS, struct ints_answer);
    uint32_t hash = ((thread * 31 + i.v) * 31 + v.v) * 31 + block;
    struct ints_answer *known = &r->ints_answers[hash % ANSWERS];
    if (known->thread != thread || !pts_inst_eq(known->inst, i) || !ir_var_eq(known->var, v) ||
        known->block != block) {
        const struct ir_body *body = body_of(r, pts_inst_info(r->pts, i)->method);
        unsigned work = WORK_MAX;
        struct evaluation x = {.r = r, .thread = thread, .inst = i, .body = body, .work = &work};
        *known = (struct ints_answer){thread, i, v, block, value(&x, v, block)};
    }
    return known->ints;
}
