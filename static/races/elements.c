/*
 * Elements of arrays that cannot be the same.
 *
 *   - a[i] and b[k] are different if no integer is both i and k (ints.h): halves, stripes, constants; and if
 *     each thread drew its index from one counter (draws.h) or got it from one range (ranges.h), or is in a
 * task of its own that a loop numbered (shares.h).
 *   - What was read from a[i] and from b[k] is different then, too, if an object that may be both only ever
 *     got into arrays when it was made, each at one place: the rows of `new int[n][m]`, `a[i] = new A()`.
 *     Copies made by clone() and Arrays.copyOf are arrays that somebody else filled, and a store of anything
 *     but a new object ends the argument for the array and all that is in it.
 */
#include "elements.h"
#include "bands.h"
#include "draws.h"
#include "groups.h"
#include "ints.h"
#include "ranges.h"
#include "shares.h"
#include "summary.h"

enum { CLIMB_MAX = 4 };

/* ---- arrays that only ever get new objects ---- */

/* Whether the value is new, and put nowhere else into an array. */
static bool stores_new(struct races *r, const struct ir_body *body, const struct ir_stmt *store) {
    ir_var v = var_origin(body, ir_arg(body, store, 2));
    const struct ir_stmt *def = ir_def(body, v);
    if (def->op == IR_CONST) return true;
    if (def->op == IR_INVOKE) {
        if (def->sub != IR_CALL_DYNAMIC) {
            method_id m = only_callee(r, body->method, (uint32_t)(def - body->stmts));
            if (m.v == 0 || !summary_of(r, m)->fresh) return false;
        } else if (def->n_args == 0) { /* the JVM makes a function object without values once */
            return false;
        }
    } else if (def->op != IR_NEW && def->op != IR_NEW_ARRAY) {
        return false;
    }
    uint32_t at = ir_block_of(body, (uint32_t)(store - body->stmts));
    if (body->blocks[at].loop != body->blocks[ir_block_of(body, (uint32_t)(def - body->stmts))].loop)
        return false; /* put again without a new object */
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s != store && s->op == IR_ARRAY_STORE && ir_var_eq(var_origin(body, ir_arg(body, s, 2)), v))
            return false;
    }
    return true;
}

static void mark_all(bits *marked, struct pts_view set) {
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) bits_add(marked, o.v);
}

static void mark(struct races *r, pts_inst i, ir_var array) {
    mark_all(&r->mixed_arrays, pts_var(r->pts, i, array));
}

static bool is_arraycopy(struct races *r, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(r, s);
    return ref != NULL && s->n_args == 5 && name_is(r, ref->name, "arraycopy");
}

static void mark_stores(struct races *r, pts_inst i, const struct ir_body *body, bool app) {
    for (uint32_t k = 0; k < body->n_stmts; k++) {
        const struct ir_stmt *s = &body->stmts[k];
        if (s->op == IR_ARRAY_STORE && s->sub == IR_ELEM_REF) {
            if (!app || !stores_new(r, body, s)) mark(r, i, ir_arg(body, s, 0));
        } else if (s->op == IR_INVOKE && is_arraycopy(r, s)) {
            mark(r, i, ir_arg(body, s, 2));
        }
    }
}

/* Made when first asked for: it looks at all code, the JDK's too. */
static void find_mixed(struct races *r) {
    bits_init(&r->mixed_arrays, &r->arena, pts_n_objs(r->pts) + 1);
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
        const struct ir_body *body = body_of(r, m);
        if (body != NULL) mark_stores(r, (pts_inst){i}, body, is_app(r, m));
    }
    for (uint32_t o = 1; o <= pts_n_objs(r->pts); o++) { /* copies and arrays by reflection */
        const struct pts_alloc_info *a = pts_alloc_info(r->pts, pts_obj_info(r->pts, (pts_obj){o})->alloc);
        const struct ir_body *body = a->kind == PTS_ALLOC_NEW ? body_of(r, a->method) : NULL;
        bool plain = (body != NULL && body->stmts[a->stmt].op == IR_NEW_ARRAY) || a->kind == PTS_ALLOC_INNER;
        if (!plain) bits_add(&r->mixed_arrays, o);
    }
}

bool in_distinct_elements(struct races *r, pts_obj o) {
    if (r->mixed_arrays.w == NULL) {
        find_mixed(r);
        bits_init(&r->mixed_elements, &r->arena, pts_n_objs(r->pts) + 1);
        for (uint32_t a = 1; a <= pts_n_objs(r->pts); a++) {
            if (bits_has(&r->mixed_arrays, a)) mark_all(&r->mixed_elements, pts_elems(r->pts, (pts_obj){a}));
        }
    }
    return !bits_has(&r->mixed_elements, o.v);
}

/* ---- indices ---- */

/* A value as one thread computes it. */
struct place {
    uint32_t thread;
    pts_inst inst;
    const struct ir_body *body;
    ir_var var;
    uint32_t block; /* whose tests hold */
};

static struct ints index_at(struct races *r, const struct place *p, ir_var index) {
    struct ints v = ints_of(r, p->thread, p->inst, index, p->block);
    if (v.lo < 0) v.lo = 0; /* anything else throws */
    return v;
}

/* The elements that an access touches. */
static struct ints touched(struct races *r, const struct place *p, const struct races_access *a) {
    const struct ir_stmt *s = &p->body->stmts[a->stmt];
    struct ints whole = {.lo = 0, .hi = INT32_MAX, .step = 1};
    if (s->op == IR_ARRAY_LOAD || s->op == IR_ARRAY_STORE) return index_at(r, p, ir_arg(p->body, s, 1));
    if (s->op != IR_INVOKE || !is_arraycopy(r, s)) return whole;
    struct ints from = index_at(r, p, ir_arg(p->body, s, a->is_write ? 3 : 1));
    struct ints count = index_at(r, p, ir_arg(p->body, s, 4));
    whole.lo = from.lo;
    if (from.hi + count.hi - 1 < whole.hi) whole.hi = from.hi + count.hi - 1;
    return whole;
}

/* Whether each of the two threads drew the number for itself, or got it from a stream. */
static bool drawn_apart(struct races *r, const struct place *p, ir_var i, const struct place *q, ir_var k) {
    pts_obj counter = drawn_by_thread(r, p->thread, p->inst, p->body, i);
    if (counter.v != 0) return pts_obj_eq(counter, drawn_by_thread(r, q->thread, q->inst, q->body, k));
    pts_obj function = range_number(r, p->thread, p->inst, p->body, i);
    return function.v != 0 && pts_obj_eq(function, range_number(r, q->thread, q->inst, q->body, k));
}

/* Whether no integer is both, by what is known of each or because the two are different threads. */
static bool indices_apart(struct races *r, const struct place *p, ir_var i, const struct place *q, ir_var k) {
    if (ints_disjoint(index_at(r, p, i), index_at(r, q, k)) || drawn_apart(r, p, i, q, k) ||
        numbered_by_task(r, p->thread, p->inst, i, q->thread, q->inst, k))
        return true;
    if (p->thread != q->thread || p->thread == ANY_THREAD) return false;
    struct seen_var a = {p->thread, p->inst, p->body, i, p->block};
    struct seen_var b = {q->thread, q->inst, q->body, k, q->block};
    return bands_apart(r, p->thread, &a, &b);
}

struct only_source {
    struct source s;
    unsigned n;
};

static bool see_source(void *arg, const struct source *s) {
    struct only_source *x = arg;
    x->s = *s;
    return ++x->n < 2;
}

/* Out of a method into the only call that passes the value. */
static bool climb_up(struct races *r, struct place *p) {
    while (ir_def(p->body, p->var)->op == IR_PARAM) {
        struct only_source x = {.n = 0};
        if (!each_source(r, p->thread, p->inst, p->var.v - 1, see_source, &x) || x.n != 1) return false;
        ir_var v = var_origin(x.s.body, x.s.var);
        *p =
            (struct place){x.s.thread, x.s.inst, x.s.body, v, ir_block_of(x.s.body, x.s.body->vars[v.v].def)};
    }
    return true;
}

struct climb_answer {
    uint32_t thread;
    pts_inst inst;
    ir_var var; /* 0: nothing was asked yet */
    bool found;
    struct place at;
};

static bool climb(struct races *r, struct place *p) {
    p->var = var_origin(p->body, p->var);
    if (ir_def(p->body, p->var)->op != IR_PARAM) return true;
    if (r->climb_answers == NULL)
        r->climb_answers = ARENA_NEW_N(&r->arena, SIDE_ANSWERS, struct climb_answer);
    struct climb_answer *known = &r->climb_answers[side_hash(p->inst.v, p->var.v, p->thread, 0)];
    if (known->thread != p->thread || !pts_inst_eq(known->inst, p->inst) || !ir_var_eq(known->var, p->var)) {
        struct climb_answer now = {.thread = p->thread, .inst = p->inst, .var = p->var, .at = *p};
        now.found = climb_up(r, &now.at);
        *known = now;
    }
    *p = known->at;
    return known->found;
}

static bool all_in_distinct_elements(struct races *r, const struct place *p, const struct place *q) {
    struct pts_view a = pts_var(r->pts, p->inst, p->var), b = pts_var(r->pts, q->inst, q->var);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(a, &it, &o)) {
        if (pts_has(b, o) && !in_distinct_elements(r, o)) return false;
    }
    return true;
}

/* Whether the two values were read from different elements, or are parts of such. */
static bool from_apart(struct races *r, struct place p, struct place q) {
    for (int i = 0; i < CLIMB_MAX; i++) {
        if (!climb(r, &p) || !climb(r, &q)) return false;
        const struct ir_stmt *s = ir_def(p.body, p.var), *t = ir_def(q.body, q.var);
        if (s->op != t->op) return false;
        if (s->op == IR_ARRAY_LOAD) {
            if (!all_in_distinct_elements(r, &p, &q)) return false;
            p.block = ir_block_of(p.body, (uint32_t)(s - p.body->stmts));
            q.block = ir_block_of(q.body, (uint32_t)(t - q.body->stmts));
            if (indices_apart(r, &p, ir_arg(p.body, s, 1), &q, ir_arg(q.body, t, 1))) return true;
        } else if (s->op == IR_GET_FIELD) {
            field_id f = program_ref_field(r->p, (ref_id){s->ref});
            if (f.v == 0 || !field_facts(r, f)->injective ||
                !field_id_eq(f, program_ref_field(r->p, (ref_id){t->ref})))
                return false;
        } else {
            return false;
        }
        p.var = ir_arg(p.body, s, 0);
        q.var = ir_arg(q.body, t, 0);
    }
    return false;
}

bool apart_by_index(struct races *r, const struct races_access *a, struct races_side x,
                    const struct races_access *b, struct races_side y) {
    if (a->object.v == 0) return false;
    const struct ir_body *ba = body_of(r, a->method), *bb = body_of(r, b->method);
    struct place p = {x.thread, x.inst, ba, a->object, ir_block_of(ba, a->stmt)};
    struct place q = {y.thread, y.inst, bb, b->object, ir_block_of(bb, b->stmt)};
    if (a->kind == PLAN_ARRAY && b->kind == PLAN_ARRAY) {
        const struct ir_stmt *s = &ba->stmts[a->stmt], *t = &bb->stmts[b->stmt];
        if (ints_disjoint(touched(r, &p, a), touched(r, &q, b))) return true;
        if (s->op != IR_INVOKE && t->op != IR_INVOKE &&
            indices_apart(r, &p, ir_arg(ba, s, 1), &q, ir_arg(bb, t, 1)))
            return true;
    }
    return from_apart(r, p, q);
}
