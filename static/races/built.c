#include "built.h"
#include "race/opcodes.h"

/* What was found in the method that waits. */
struct shape {
    struct races *r;
    const struct ir_body *body;
    field_id count, round, parties;
    const struct ir_stmt *inc, *reset, *flip; /* count + 1, count = 0, round + 1 */
    uint32_t test;                            /* the block that asks whether all have come */
    uint32_t equal;                           /* its end if they have */
};

/* ---- statements ---- */

/* The field of `this` that is read or written there, or none. */
static field_id own_field(const struct shape *x, const struct ir_stmt *s) {
    if ((s->op != IR_GET_FIELD && s->op != IR_PUT_FIELD) || var_origin(x->body, ir_arg(x->body, s, 0)).v != 1)
        return (field_id){0};
    return program_ref_field(x->r->p, (ref_id){s->ref});
}

static bool reads_own(const struct shape *x, ir_var v, field_id f) {
    const struct ir_stmt *def = ir_def(x->body, v);
    return f.v != 0 && def->op == IR_GET_FIELD && field_id_eq(own_field(x, def), f);
}

static bool is_int(const struct ir_body *body, ir_var v, int64_t value) {
    const struct ir_stmt *def = ir_def(body, v);
    return def->op == IR_CONST && def->sub == CONST_INT && ir_const(body, def).u.i == value;
}

static bool adds_one(const struct shape *x, const struct ir_stmt *put) {
    const struct ir_stmt *sum = ir_def(x->body, ir_arg(x->body, put, 1));
    return sum->op == IR_BINARY && sum->ref == CF_OP_IADD && is_int(x->body, ir_arg(x->body, sum, 1), 1) &&
           reads_own(x, ir_arg(x->body, sum, 0), own_field(x, put));
}

static uint32_t block_of(const struct shape *x, const struct ir_stmt *s) {
    return ir_block_of(x->body, (uint32_t)(s - x->body->stmts));
}

/* The three writes, and no other; none of them in a loop. */
static bool find_writes(struct shape *x) {
    const struct ir_stmt *sums[2] = {NULL, NULL};
    unsigned n = 0;
    for (uint32_t i = 0; i < x->body->n_stmts; i++) {
        const struct ir_stmt *s = &x->body->stmts[i];
        if (s->op != IR_PUT_FIELD) continue;
        if (own_field(x, s).v == 0 || x->body->blocks[block_of(x, s)].depth > 0) return false;
        if (x->reset == NULL && is_int(x->body, ir_arg(x->body, s, 1), 0))
            x->reset = s;
        else if (n < 2 && adds_one(x, s))
            sums[n++] = s;
        else
            return false;
    }
    if (x->reset == NULL || n != 2) return false;
    x->count = own_field(x, x->reset);
    bool first = field_id_eq(own_field(x, sums[0]), x->count);
    x->inc = sums[first ? 0 : 1];
    x->flip = sums[first ? 1 : 0];
    x->round = own_field(x, x->flip);
    return field_id_eq(own_field(x, x->inc), x->count) && !field_id_eq(x->round, x->count);
}

/* The two values that a block's last test compares for equality; `equal` is the end if they are. */
static bool compares(const struct ir_body *body, uint32_t b, ir_var v[2], uint32_t *equal) {
    const struct ir_stmt *s = &body->stmts[body->blocks[b].end - 1];
    if (s->op != IR_IF || (s->ref != CF_OP_IF_ICMPEQ && s->ref != CF_OP_IF_ICMPNE)) return false;
    v[0] = ir_arg(body, s, 0);
    v[1] = ir_arg(body, s, 1);
    *equal = s->ref == CF_OP_IF_ICMPEQ ? 1 : 0;
    return ir_succs(body, &body->blocks[b])[0].block != ir_succs(body, &body->blocks[b])[1].block;
}

/* The count as it is after the call was counted. */
static bool is_new_count(const struct shape *x, ir_var v) {
    if (ir_var_eq(v, ir_arg(x->body, x->inc, 1))) return true;
    const struct ir_stmt *get = ir_def(x->body, v);
    return reads_own(x, v, x->count) && (block_of(x, get) == block_of(x, x->inc)
                                             ? get > x->inc
                                             : ir_dominates(x->body, block_of(x, x->inc), block_of(x, get)));
}

static bool find_test(struct shape *x) {
    for (uint32_t b = 0; b < x->body->n_blocks; b++) {
        ir_var v[2];
        if (x->body->blocks[b].depth > 0 || !compares(x->body, b, v, &x->equal)) continue;
        for (int k = 0; k < 2; k++) {
            const struct ir_stmt *get = ir_def(x->body, v[1 - k]);
            x->parties = own_field(x, get);
            if (get->op != IR_GET_FIELD || x->parties.v == 0 || !is_new_count(x, v[k])) continue;
            x->test = b;
            return ir_dominates(x->body, block_of(x, x->inc), b) &&
                   (program_field(x->r->p, x->parties)->access & CF_ACC_FINAL) != 0;
        }
    }
    return false;
}

/* ---- paths ---- */

static bool is_wait(const struct shape *x, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(x->r, s);
    return ref != NULL && ref->cls.v == CLASS_OBJECT && name_is(x->r, ref->name, "wait") &&
           var_origin(x->body, ir_arg(x->body, s, 0)).v == 1;
}

static bool is_notify(const struct shape *x, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(x->r, s);
    return ref != NULL && ref->cls.v == CLASS_OBJECT &&
           (name_is(x->r, ref->name, "notifyAll") || name_is(x->r, ref->name, "notify"));
}

/*
 * The end of a block by which `round` was seen to be another than at the beginning, or -1: it is read in the
 * block after anything that gives up the monitor, and compared with what was read before any wait.
 */
static int leaving_end(const struct shape *x, uint32_t b) {
    ir_var v[2];
    uint32_t equal;
    if (!compares(x->body, b, v, &equal) || !ir_dominates(x->body, x->test, b)) return -1;
    for (int k = 0; k < 2; k++) {
        const struct ir_stmt *now = ir_def(x->body, v[k]), *mine = ir_def(x->body, v[1 - k]);
        if (!reads_own(x, v[k], x->round) || !reads_own(x, v[1 - k], x->round) || block_of(x, now) != b)
            continue;
        bool fine = true;
        for (const struct ir_stmt *s = now; s < &x->body->stmts[x->body->blocks[b].end]; s++)
            fine &= s->op != IR_INVOKE;
        for (uint32_t i = 0; i < x->body->n_stmts && fine; i++)
            fine = !is_wait(x, &x->body->stmts[i]) ||
                   !stmt_leads_to(x->r, x->body, i, (uint32_t)(mine - x->body->stmts));
        if (fine) return (int)(1 - equal);
    }
    return -1;
}

enum cut { CUT_EQUAL, CUT_LEAVING };

/* The blocks that control gets to without that kind of edge and without the block `avoided`. */
static void reach(const struct shape *x, uint32_t from, enum cut cut, uint32_t avoided, bits *out) {
    if (from == avoided || bits_has(out, from)) return;
    bits_add(out, from);
    int leaving = cut == CUT_LEAVING ? leaving_end(x, from) : -1;
    const struct ir_block *block = &x->body->blocks[from];
    for (uint32_t k = 0; k < block->n_succs; k++) {
        if (cut == CUT_EQUAL && from == x->test && k == x->equal) continue;
        if (leaving >= 0 && k == (uint32_t)leaving) continue;
        reach(x, ir_succs(x->body, block)[k].block, cut, avoided, out);
    }
}

/* Whether one of the blocks reached has a statement that returns, or one that waits. */
static bool any_in(const struct shape *x, const bits *in, bool returns) {
    for (uint32_t i = 0; i < x->body->n_stmts; i++) {
        const struct ir_stmt *s = &x->body->stmts[i];
        if (bits_has(in, block_of(x, s)) && (returns ? s->op == IR_RETURN : is_wait(x, s))) return true;
    }
    return false;
}

/* Neither a return nor a wait, from where all have come, without the write; no return from the beginning. */
static bool is_needed(const struct shape *x, const struct ir_stmt *write) {
    bits start, came;
    bits_init(&start, &x->r->arena, x->body->n_blocks);
    bits_init(&came, &x->r->arena, x->body->n_blocks);
    reach(x, 0, CUT_LEAVING, block_of(x, write), &start);
    reach(x, ir_succs(x->body, &x->body->blocks[x->test])[x->equal].block, CUT_LEAVING, block_of(x, write),
          &came);
    return !any_in(x, &start, true) && !any_in(x, &came, false);
}

static bool paths_fit(const struct shape *x) {
    bits others;
    bits_init(&others, &x->r->arena, x->body->n_blocks);
    reach(x, 0, CUT_EQUAL, UINT32_MAX, &others);
    return !bits_has(&others, block_of(x, x->flip)) && !bits_has(&others, block_of(x, x->reset)) &&
           is_needed(x, x->flip) && is_needed(x, x->reset);
}

/* Waits come after the test; other calls only where the method cannot return any more. */
static bool calls_fit(const struct shape *x) {
    for (uint32_t i = 0; i < x->body->n_stmts; i++) {
        const struct ir_stmt *s = &x->body->stmts[i];
        uint32_t b = block_of(x, s);
        if (s->op != IR_INVOKE || is_notify(x, s)) continue;
        if (is_wait(x, s)) {
            if (b == x->test || !ir_dominates(x->body, x->test, b)) return false;
            continue;
        }
        for (uint32_t k = 0; k < x->body->n_stmts; k++) {
            if (x->body->stmts[k].op == IR_RETURN && stmt_leads_to(x->r, x->body, i, k)) return false;
        }
    }
    return true;
}

/* ---- the class ---- */

/* Whether the body leaves the fields alone, apart from a constructor's first zero. */
static bool keeps_off(const struct shape *x, const struct ir_body *body) {
    bool init = name_is(x->r, program_method(x->r->p, body->method)->name, "<init>");
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op != IR_PUT_FIELD) continue;
        field_id f = program_ref_field(x->r->p, (ref_id){s->ref});
        if (field_id_eq(f, x->parties) && ir_arg(body, s, 1).v != 2) return false;
        if (!field_id_eq(f, x->count) && !field_id_eq(f, x->round)) continue;
        if (!init || ir_arg(body, s, 0).v != 1 || !is_int(body, ir_arg(body, s, 1), 0)) return false;
    }
    return true;
}

static bool fields_are_private(const struct shape *x) {
    struct races *r = x->r;
    if (field_facts(r, x->count)->named || field_facts(r, x->round)->named) return false;
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const struct ir_body *body = pts_is_reachable(r->pts, m) ? body_of(r, m) : NULL;
            if (body != NULL && body != x->body && !keeps_off(x, body)) return false;
        }
    }
    return true;
}

static bool waits_as_it_should(struct races *r, method_id m) {
    struct shape x = {.r = r, .body = body_of(r, m)};
    return x.body != NULL && find_writes(&x) && find_test(&x) && calls_fit(&x) && paths_fit(&x) &&
           fields_are_private(&x);
}

bool is_built_barrier(struct races *r, class_id c, method_id *wait) {
    const struct class_info *info = program_info(r->p, c);
    for (uint32_t k = 0; k < info->n_methods; k++) {
        *wait = (method_id){info->first_method.v + k};
        uint16_t access = program_method(r->p, *wait)->access;
        if ((access & CF_ACC_SYNCHRONIZED) != 0 && (access & CF_ACC_STATIC) == 0 &&
            pts_is_reachable(r->pts, *wait) && waits_as_it_should(r, *wait))
            return true;
    }
    return false;
}
