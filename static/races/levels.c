#include "levels.h"
#include "groups.h" /* argument_matches */
#include "handles.h"
#include "ints.h"
#include "race/opcodes.h"

#include <string.h>

enum { CLIMB_MAX = 4, GUARDS_MAX = 8 };

#define ATOMIC "java/util/concurrent/atomic/Atomic"

/* ---- what a statement does to a variable ---- */

enum level_use { USE_NONE, USE_READ, USE_SET, USE_ADD, USE_BREAK };

struct level_op {
    uint8_t use;
    field_id field; /* none: an atomic */
    ir_var object;  /* none: a static field */
    ir_var index;   /* of an array of atomics, or none */
    ir_var value;   /* USE_SET */
};

struct level_site {
    pts_inst inst;
    uint32_t stmt;
    struct level_op op;
};

struct levels {
    VEC(struct level_site) v; /* all that is done to volatile fields and atomics, but for reading */
};

static bool is_among(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(name, names[i]) == 0) return true;
    }
    return false;
}
#define IS_AMONG(name, names) is_among(name, names, sizeof names / sizeof *names)

/* The operation of that name; the variable's own arguments end before `first`. */
static struct level_op named_op(const struct ir_body *body, const struct ir_stmt *s, const char *name,
                                bool handle, uint32_t first) {
    static const char *const reads[] = {"get", "getAcquire", "getVolatile"};
    static const char *const sets[] = {"set", "lazySet", "setRelease", "setVolatile"};
    static const char *const adds[] = {"incrementAndGet", "getAndIncrement"};
    static const char *const idle[] = {"getPlain", "getOpaque", "toString", "intValue",
                                       "length",   "longValue", "hashCode"};
    struct level_op op = {.use = USE_BREAK};
    bool plain = handle && (strcmp(name, "get") == 0 || strcmp(name, "set") == 0); /* of a VarHandle */
    if (IS_AMONG(name, idle) || (plain && name[0] == 'g')) {
        op.use = USE_NONE;
    } else if (!plain && IS_AMONG(name, reads)) {
        op.use = USE_READ;
    } else if (!plain && IS_AMONG(name, sets) && s->n_args == first + 1) {
        op.use = USE_SET;
        op.value = ir_arg(body, s, first);
    } else if (IS_AMONG(name, adds)) {
        op.use = USE_ADD;
    }
    return op;
}

/* New atomics are zero unless they are given something. */
static bool starts_as_zero(const struct ir_body *body, const struct ir_stmt *s, bool array) {
    if (s->n_args < 2) return true;
    ir_var given = ir_arg(body, s, 1);
    const struct ir_stmt *c = ir_def(body, given);
    if (array) return body->vars[given.v].kind == IR_INT;
    return c->op == IR_CONST && (c->sub == CONST_INT || c->sub == CONST_LONG) && ir_const(body, c).u.i == 0;
}

static struct level_op atomic_op(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(r, s);
    struct level_op op = {.use = USE_NONE};
    if (ref == NULL || s->sub == IR_CALL_STATIC || s->n_args == 0) return op;
    const char *cls = program_class_name(r->p, ref->cls), *name = program_str(r->p, ref->name);
    bool array = strcmp(cls, ATOMIC "IntegerArray") == 0 || strcmp(cls, ATOMIC "LongArray") == 0 ||
                 strcmp(cls, ATOMIC "ReferenceArray") == 0;
    if (!array && strcmp(cls, ATOMIC "Integer") != 0 && strcmp(cls, ATOMIC "Long") != 0) return op;
    if (strcmp(name, "<init>") == 0) {
        op.use = starts_as_zero(body, s, array) ? USE_NONE : USE_BREAK;
    } else {
        op = named_op(body, s, name, false, array ? 2 : 1);
        if (array && s->n_args >= 2) op.index = ir_arg(body, s, 1);
    }
    op.object = ir_arg(body, s, 0);
    return op;
}

static struct level_op field_op(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    struct level_op op = {.field = program_ref_field(r->p, (ref_id){s->ref})};
    bool gets = s->op == IR_GET_FIELD || s->op == IR_GET_STATIC;
    bool handled = op.field.v != 0 && is_handled(r, op.field);
    if (op.field.v == 0) return op;
    bool is_volatile = (program_field(r->p, op.field)->access & CF_ACC_VOLATILE) != 0;
    if (!is_volatile && !handled) return op;
    if (s->op == IR_GET_FIELD || s->op == IR_PUT_FIELD) op.object = ir_arg(body, s, 0);
    if (!handled && field_facts(r, op.field)->named) {
        op.use = USE_BREAK; /* handles and updaters may write it unseen */
    } else if (gets) {
        op.use = is_volatile ? USE_READ : USE_NONE;
    } else {
        op.use = is_volatile ? USE_SET : USE_BREAK;
        op.value = ir_arg(body, s, s->n_args - 1u);
    }
    return op;
}

static struct level_op op_of(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    struct handle_call call;
    if (s->op >= IR_GET_FIELD && s->op <= IR_PUT_STATIC) return field_op(r, body, s);
    if (s->op != IR_INVOKE) return (struct level_op){.use = USE_NONE};
    if (!handle_call(r, body, s, &call)) return atomic_op(r, body, s);
    struct level_op op =
        named_op(body, s, program_str(r->p, invoke_ref(r, s)->name), call.kind == HANDLE_VAR, call.first);
    if (!is_handled(r, call.field)) op.use = USE_BREAK;
    op.field = call.field;
    op.object = call.holder;
    return op;
}

static const struct ir_body *app_body(struct races *r, pts_inst i) {
    method_id m = pts_inst_info(r->pts, i)->method;
    return is_app(r, m) ? body_of(r, m) : NULL;
}

static const struct levels *levels_of(struct races *r) {
    if (r->levels != NULL) return r->levels;
    r->levels = ARENA_NEW(&r->arena, struct levels);
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        const struct ir_body *body = app_body(r, (pts_inst){i});
        for (uint32_t k = 0; body != NULL && k < body->n_stmts; k++) {
            struct level_site site = {{i}, k, op_of(r, body, &body->stmts[k])};
            if (site.op.use > USE_READ) vec_push(&r->levels->v, site);
        }
    }
    return r->levels;
}

void levels_release(struct races *r) {
    if (r->levels != NULL) vec_release(&r->levels->v);
}

/* ---- formulas ---- */

/* root + k, or the constant k; sums that may wrap around are none. */
struct offset {
    ir_var root;
    int64_t k;
};

static bool offset_of(struct races *r, struct races_side side, const struct ir_body *body, ir_var v,
                      uint32_t block, struct offset *out) {
    int64_t reach = 0; /* each sum on the way lies within it */
    *out = (struct offset){v, 0};
    for (int depth = 0; depth < CLIMB_MAX; depth++) {
        const struct ir_stmt *s = ir_def(body, out->root), *c;
        if (s->op == IR_CONST && (s->sub == CONST_INT || s->sub == CONST_LONG)) {
            *out = (struct offset){.k = out->k + ir_const(body, s).u.i};
            return true;
        }
        if (s->op == IR_UNARY && s->ref == CF_OP_I2L) {
            out->root = ir_arg(body, s, 0);
            continue;
        }
        bool adds = s->op == IR_BINARY && s->ref == CF_OP_IADD;
        if (!adds && (s->op != IR_BINARY || s->ref != CF_OP_ISUB)) break;
        c = ir_def(body, ir_arg(body, s, 1));
        if (c->op != IR_CONST || c->sub != CONST_INT) break;
        int64_t k = adds ? ir_const(body, c).u.i : -ir_const(body, c).u.i;
        out->k += k;
        reach += k < 0 ? -k : k;
        out->root = ir_arg(body, s, 0);
    }
    if (body->vars[out->root.v].kind != IR_INT) return false;
    struct ints n = ints_of(r, side.thread, side.inst, out->root, block);
    return reach == 0 || (n.hi + reach <= INT32_MAX && n.lo - reach >= INT32_MIN);
}

/* ---- rounds of a loop ---- */

/* The outermost loop around a statement of a method that runs once, in a thread that exists once. */
struct rounds {
    struct races_side side;
    const struct ir_body *body;
    uint32_t loop, at; /* at: the statement */
    ir_var counter;
    int64_t first, step;
};

static bool only_thread(const struct races *r, pts_inst i, uint32_t t) {
    return bits_only(&r->threads_of[i.v], t) && !pts_thread(r->pts, t)->many &&
           pts_inst_info(r->pts, i)->once;
}

/* Whether the PHI of the header goes from a constant upwards by a constant. */
static bool is_counter(const struct ir_stmt *phi, struct rounds *x) {
    const struct ir_body *body = x->body;
    const struct ir_block *h = &body->blocks[body->loops[x->loop].header];
    bool started = false;
    x->step = 0;
    if (phi->op != IR_PHI || body->vars[phi->def.v].kind != IR_INT) return false;
    for (uint32_t k = 0; k < phi->n_args; k++) {
        const struct ir_stmt *def = ir_def(body, ir_arg(body, phi, k)), *c = def;
        bool back = ir_in_loop(body, ir_preds(body, h)[k].block, x->loop);
        if (back) {
            if (def->op != IR_BINARY || def->ref != CF_OP_IADD || !ir_var_eq(ir_arg(body, def, 0), phi->def))
                return false;
            c = ir_def(body, ir_arg(body, def, 1));
        }
        if (c->op != IR_CONST || c->sub != CONST_INT) return false;
        int64_t n = ir_const(body, c).u.i, *known = back ? &x->step : &x->first;
        if ((back ? x->step != 0 : started) && *known != n) return false;
        *known = n;
        started |= !back;
    }
    x->counter = phi->def;
    return started && x->step > 0;
}

static bool find_rounds(struct races *r, const struct races_access *a, struct races_side side,
                        struct rounds *x) {
    const struct ir_body *body = app_body(r, side.inst);
    if (body == NULL || !only_thread(r, side.inst, side.thread)) return false;
    *x = (struct rounds){.side = side, .body = body, .at = a->stmt};
    x->loop = body->blocks[ir_block_of(body, a->stmt)].loop;
    if (x->loop == IR_NO_LOOP) return false;
    while (body->loops[x->loop].parent != IR_NO_LOOP) x->loop = body->loops[x->loop].parent;
    if (body->loops[x->loop].irreducible) return false;
    uint32_t header = body->loops[x->loop].header;
    for (uint32_t s = body->blocks[header].first; s < body->blocks[header].end; s++) {
        /* What ints_of says of the header is about counting alone: below the start it has wrapped around. */
        if (is_counter(&body->stmts[s], x) &&
            ints_of(r, side.thread, side.inst, x->counter, header).lo >= x->first)
            return true;
    }
    return false;
}

struct rounds_answer {
    const struct races_access *access;
    pts_inst inst;
    uint32_t thread;
    bool found;
    struct rounds rounds;
};

static bool rounds_of(struct races *r, const struct races_access *a, struct races_side side,
                      struct rounds *x) {
    if (r->rounds_answers == NULL)
        r->rounds_answers = ARENA_NEW_N(&r->arena, SIDE_ANSWERS, struct rounds_answer);
    struct rounds_answer *known =
        &r->rounds_answers[side_hash(a->method.v, a->stmt, side.inst.v, side.thread)];
    if (known->access != a || !pts_inst_eq(known->inst, side.inst) || known->thread != side.thread) {
        struct rounds_answer now = {.access = a, .inst = side.inst, .thread = side.thread};
        now.found = find_rounds(r, a, side, &now.rounds);
        *known = now;
    }
    *x = known->rounds;
    return known->found;
}

/* Whether control can get from one statement to the other within a round. */
static bool leads_in_round(const struct rounds *x, uint32_t from, uint32_t to) {
    const struct ir_body *body = x->body;
    uint32_t header = body->loops[x->loop].header, goal = ir_block_of(body, to);
    uint32_t start = ir_block_of(body, from);
    if (start == goal && from <= to) return true;
    VEC(uint32_t) queue = {0};
    VEC(bool) seen = {0};
    for (uint32_t b = 0; b < body->n_blocks; b++) vec_push(&seen, false);
    vec_push(&queue, start);
    while (queue.n > 0 && !seen.v[goal]) {
        const struct ir_block *b = &body->blocks[vec_pop(&queue)];
        for (uint32_t k = 0; k < b->n_succs; k++) {
            uint32_t n = ir_succs(body, b)[k].block;
            if (n == header || seen.v[n] || !ir_in_loop(body, n, x->loop)) continue;
            seen.v[n] = true;
            vec_push(&queue, n);
        }
    }
    bool found = seen.v[goal];
    vec_release(&queue);
    vec_release(&seen);
    return found;
}

/* ---- what was seen ---- */

/* X is at root + k at least, or its element root + k is set, behind the edge into the block. */
struct guard {
    uint32_t block;
    field_id field;
    pts_obj object;
    bool elements;
    struct offset at;
};

/* The variable that the value was read from, if it is one that exists once. */
static bool read_of(struct races *r, struct races_side side, const struct ir_body *body, ir_var v,
                    struct guard *g, ir_var *index) {
    struct level_op op = op_of(r, body, ir_def(body, var_origin(body, v)));
    if (op.use != USE_READ) return false;
    g->field = op.field;
    g->object = (pts_obj){0};
    g->elements = op.index.v != 0;
    *index = op.index;
    if (op.object.v == 0) return true;
    struct pts_view set = pts_var(r->pts, side.inst, op.object);
    struct pts_iter it = {0};
    pts_obj more;
    return pts_next(set, &it, &g->object) && !pts_next(set, &it, &more) &&
           pts_obj_info(r->pts, g->object)->once && (op.field.v != 0 || !bits_has(&r->foreign, g->object.v));
}

/* What `value OP other` says about the value: by how much it is above the other at least. */
static bool above_by(uint32_t op, int64_t *by) {
    *by = op == CF_OP_IF_ICMPGT ? 1 : 0;
    return op == CF_OP_IF_ICMPGT || op == CF_OP_IF_ICMPGE || op == CF_OP_IF_ICMPEQ;
}

struct guard_search {
    struct races *r;
    struct races_side side;
    const struct ir_body *body;
    struct guard *out;
    uint32_t block;
    bool found;
};

/* `value OP right` holds in the block: each_test. */
static void see_test(void *arg, uint32_t op, ir_var right, uint32_t at) {
    struct guard_search *x = arg;
    int64_t by;
    if (at != x->body->blocks[x->block].idom || x->found || !above_by(op, &by)) return;
    if (!offset_of(x->r, x->side, x->body, right, at, &x->out->at)) return;
    x->out->at.k += by;
    x->found = true;
}

/* The guard that the only edge into a block is, if it is one. */
static bool guard_at(struct races *r, struct races_side side, const struct ir_body *body, uint32_t block,
                     struct guard *g) {
    if (block == 0 || !entered_once(body, block)) return false;
    uint32_t from = body->blocks[block].idom;
    const struct ir_stmt *test = &body->stmts[body->blocks[from].end - 1];
    if (test->op != IR_IF ||
        ir_succs(body, &body->blocks[from])[0].block == ir_succs(body, &body->blocks[from])[1].block)
        return false;
    const struct ir_stmt *cmp = ir_def(body, ir_arg(body, test, 0));
    bool longs = test->n_args == 1 && cmp->op == IR_BINARY && cmp->ref == CF_OP_LCMP;
    ir_var index;
    g->block = block;
    for (uint32_t k = 0; k < 2; k++) {
        if (!longs && k >= test->n_args) break;
        ir_var v = longs ? ir_arg(body, cmp, k) : ir_arg(body, test, k);
        if (!read_of(r, side, body, v, g, &index)) continue;
        if (!g->elements) {
            struct guard_search x = {r, side, body, g, block, false};
            each_test(body, v, block, see_test, &x);
            return x.found;
        }
        bool taken = ir_succs(body, &body->blocks[from])[1].block == block;
        bool nonzero = taken ? test->ref == CF_OP_IFNE || test->ref == CF_OP_IFNONNULL
                             : test->ref == CF_OP_IFEQ || test->ref == CF_OP_IFNULL;
        const struct ir_stmt *zero = longs ? ir_def(body, ir_arg(body, cmp, 1 - k)) : NULL;
        if (longs && (zero->op != IR_CONST || ir_const(body, zero).u.i != 0)) return false;
        return nonzero && (longs || test->n_args == 1) && offset_of(r, side, body, index, from, &g->at);
    }
    return false;
}

/* ---- what was told ---- */

/* The write of a variable: of i + c, or of the element i + c. */
struct telling {
    uint32_t stmt; /* in the teller's loop */
    int64_t c;
};

static bool may_touch(struct races *r, const struct level_site *s, const struct guard *g) {
    if (!field_id_eq(s->op.field, g->field)) return false;
    if (s->op.object.v == 0) return g->object.v == 0;
    return g->object.v != 0 && pts_has(pts_var(r->pts, s->inst, s->op.object), g->object);
}

/* Out of methods that the loop calls for the write, as long as the value is a parameter. */
static bool climb_to_loop(struct races *r, const struct rounds *x, struct level_site *w, ir_var *value) {
    for (int i = 0; i < CLIMB_MAX && !pts_inst_eq(w->inst, x->side.inst); i++) {
        uint32_t n;
        const struct ir_body *body = app_body(r, w->inst), *outer;
        const struct pts_call *calls = pts_callers(r->pts, w->inst, &n);
        if (n != 1 || calls[0].caller.v == 0 || calls[0].kind != PTS_EDGE_CALL || value->v == 0) return false;
        *value = var_origin(body, *value);
        outer = app_body(r, calls[0].caller);
        if (outer == NULL || ir_def(body, *value)->op != IR_PARAM ||
            !argument_matches(r, &outer->stmts[calls[0].stmt], body->method))
            return false;
        *value = ir_arg(outer, &outer->stmts[calls[0].stmt], value->v - 1);
        *w = (struct level_site){calls[0].caller, calls[0].stmt, w->op};
    }
    return pts_inst_eq(w->inst, x->side.inst);
}

static bool told_by(struct races *r, const struct rounds *x, const struct guard *g, struct telling *t) {
    const struct levels *all = levels_of(r);
    const struct level_site *only = NULL;
    for (size_t i = 0; i < all->v.n; i++) {
        if (!may_touch(r, &all->v.v[i], g)) continue;
        if (only != NULL || all->v.v[i].op.use == USE_BREAK) return false;
        only = &all->v.v[i];
    }
    if (only == NULL) return false;
    struct level_site w = *only;
    bool counts = !g->elements && w.op.use == USE_ADD;
    ir_var value = g->elements ? w.op.index : w.op.value;
    if (!climb_to_loop(r, x, &w, &value)) return false;
    uint32_t block = ir_block_of(x->body, w.stmt);
    struct offset at;
    t->stmt = w.stmt;
    if (!ir_in_loop(x->body, block, x->loop)) return false;
    if (counts) { /* at most once a round, so that the n-th comes in round n or later */
        t->c = 1 - x->first;
        return x->step == 1 && x->first >= 0 && x->body->blocks[block].loop == x->loop;
    }
    if (!offset_of(r, x->side, x->body, value, block, &at) || !ir_var_eq(at.root, x->counter)) return false;
    t->c = at.k;
    return g->elements || x->first + at.k > 0;
}

/* By how much an access in round i must lie below what was seen: seen at v, i + lag <= v. */
static int64_t lag(const struct rounds *x, const struct telling *t) {
    return t->c + (leads_in_round(x, t->stmt, x->at) ? x->step : 0);
}

/* ---- pairs ---- */

static bool is_element(const struct ir_body *body, const struct races_access *a) {
    uint8_t op = body->stmts[a->stmt].op;
    return a->kind == PLAN_ARRAY && (op == IR_ARRAY_LOAD || op == IR_ARRAY_STORE);
}

/* The same elements are ordered, or all of the teller's rounds are over: what guards b says so. */
static bool seen_before(struct races *r, const struct rounds *x, const struct races_access *a,
                        const struct races_access *b, struct races_side y) {
    const struct ir_body *body = app_body(r, y.inst);
    uint32_t at = body == NULL ? 0 : ir_block_of(body, b->stmt), mine = ir_block_of(x->body, a->stmt);
    struct offset i, k;
    bool elements = body != NULL && is_element(x->body, a) && is_element(body, b) &&
                    offset_of(r, x->side, x->body, ir_arg(x->body, &x->body->stmts[a->stmt], 1), mine, &i) &&
                    ir_var_eq(i.root, x->counter) &&
                    offset_of(r, y, body, ir_arg(body, &body->stmts[b->stmt], 1), at, &k);
    for (uint32_t d = at; d != 0; d = body->blocks[d].idom) {
        struct guard g;
        struct telling t;
        if (!guard_at(r, y, body, d, &g)) continue;
        bool index = elements && g.at.root.v != 0 && ir_var_eq(g.at.root, k.root);
        bool constant = g.at.root.v == 0 && !g.elements;
        if ((!index && !constant) || !told_by(r, x, &g, &t)) continue;
        if (index && k.k - i.k + lag(x, &t) <= g.at.k) return true;
        int64_t last = ints_of(r, x->side.thread, x->side.inst, x->counter, mine).hi;
        if (constant && last + lag(x, &t) <= g.at.k) return true;
    }
    return false;
}

/* Whether the block is passed in every round. */
static bool in_every_round(const struct rounds *y, uint32_t block) {
    const struct ir_block *h = &y->body->blocks[y->body->loops[y->loop].header];
    for (uint32_t k = 0; k < h->n_preds; k++) {
        uint32_t from = ir_preds(y->body, h)[k].block;
        if (ir_in_loop(y->body, from, y->loop) && !ir_dominates(y->body, block, from)) return false;
    }
    return true;
}

/* The largest K for which rounds i of x with i - j <= K come before round j of y, by one of y's guards. */
static bool rounds_before(struct races *r, const struct rounds *x, const struct rounds *y, int64_t *most) {
    bool any = false;
    uint32_t at = ir_block_of(y->body, y->at);
    for (uint32_t b = 1; b < y->body->n_blocks; b++) {
        struct guard g;
        struct telling t;
        if (!ir_in_loop(y->body, b, y->loop) || b == y->body->loops[y->loop].header) continue;
        bool now = ir_dominates(y->body, b, at); /* else the last round's guard counts */
        if ((!now && !in_every_round(y, b)) || !guard_at(r, y->side, y->body, b, &g) ||
            !ir_var_eq(g.at.root, y->counter) || !told_by(r, x, &g, &t))
            continue;
        int64_t k = g.at.k - lag(x, &t) - (now ? 0 : y->step);
        if (!now && x->first <= y->first + k) continue; /* the first round has no last one */
        if (!any || k > *most) *most = k;
        any = true;
    }
    return any;
}

static int64_t gcd(int64_t a, int64_t b) {
    return b == 0 ? a : gcd(b, a % b);
}

/* Whether every two rounds are ordered one way or the other. */
static bool rounds_alternate(struct races *r, const struct rounds *x, const struct rounds *y) {
    int64_t up, down;
    if (!rounds_before(r, x, y, &up) || !rounds_before(r, y, x, &down)) return false;
    int64_t g = gcd(x->step, y->step);
    for (int64_t n = up + 1; n < -down; n++) { /* i - j = n is not ordered, if there are such rounds */
        if ((n - (x->first - y->first)) % g == 0) return false;
    }
    return true;
}

bool ordered_by_level(struct races *r, const struct races_access *a, struct races_side x,
                      const struct races_access *b, struct races_side y) {
    if (x.thread == y.thread) return false;
    struct rounds p, q;
    bool has_p = rounds_of(r, a, x, &p), has_q = rounds_of(r, b, y, &q);
    if (has_p && seen_before(r, &p, a, b, y)) return true;
    if (has_q && seen_before(r, &q, b, a, x)) return true;
    return has_p && has_q && rounds_alternate(r, &p, &q);
}
