/*
 * Loops that join every thread of an array:
 *
 *     Thread[] a = new Thread[n];
 *     for (i = 0; i < n; i++) { a[i] = new Thread(...); a[i].start(); }
 *     for (Thread t : a) t.join();
 *
 * The last loop may be in a method that gets the array.  On the way out of it all elements have been joined.
 * That these are all threads of the kind follows if the array is a local variable used for nothing else, each
 * element is written at most once, and whatever is started was taken from it or put into it.  Threads of an
 * earlier round's array must be dead when the array is made; parallel.c checks that with its own result.
 */
#include "joins.h"
#include "groups.h" /* call_targets */
#include "race/opcodes.h"

static bool is_int(const struct ir_body *body, ir_var v, int64_t value) {
    const struct ir_stmt *def = ir_def(body, v);
    return def->op == IR_CONST && def->sub == CONST_INT && ir_const(body, def).u.i == value;
}

bool counts_up(const struct ir_body *body, ir_var v) {
    const struct ir_stmt *phi = ir_def(body, v);
    unsigned starts = 0, steps = 0;
    if (phi->op != IR_PHI) return false;
    for (uint32_t i = 0; i < phi->n_args; i++) {
        const struct ir_stmt *def = ir_def(body, ir_arg(body, phi, i));
        if (is_int(body, ir_arg(body, phi, i), 0)) {
            starts++;
        } else if (def->op == IR_BINARY && def->ref == CF_OP_IADD && ir_var_eq(ir_arg(body, def, 0), v) &&
                   is_int(body, ir_arg(body, def, 1), 1)) {
            steps++;
        } else {
            return false;
        }
    }
    return starts == 1 && steps >= 1;
}

/* Whether v is the array's length. */
static bool is_length(const struct ir_body *body, ir_var array, ir_var v) {
    const struct ir_stmt *def = ir_def(body, v), *made = ir_def(body, array);
    if (def->op == IR_ARRAY_LENGTH) return ir_var_eq(var_origin(body, ir_arg(body, def, 0)), array);
    if (made->op != IR_NEW_ARRAY) return false;
    ir_var n = ir_arg(body, made, 0);
    if (ir_var_eq(n, v)) return true;
    return def->op == IR_CONST && ir_def(body, n)->op == IR_CONST &&
           ir_const(body, def).u.i == ir_const(body, ir_def(body, n)).u.i;
}

/* Whether nothing is done with the array but to read it, to fill it at indices that count up, and to hand it
 * to methods that `reads` lets pass. */
static bool is_used_plainly(struct races *r, const struct ir_body *body, ir_var array,
                            bool (*reads)(struct races *r, const struct ir_body *body, uint32_t stmt,
                                          uint32_t arg)) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (!ir_var_eq(ir_arg(body, s, k), array)) continue;
            if (s->op == IR_ARRAY_LENGTH || (s->op == IR_ARRAY_LOAD && k == 0)) continue;
            if (s->op == IR_INVOKE && reads != NULL && reads(r, body, i, k)) continue;
            if (s->op != IR_ARRAY_STORE || k != 0 || !counts_up(body, ir_arg(body, s, 1))) return false;
        }
    }
    return true;
}

static bool is_made_here(const struct ir_body *body, ir_var array) {
    const struct ir_stmt *made = ir_def(body, array);
    return made->op == IR_NEW_ARRAY && made->n_args == 1;
}

bool is_plain_array(const struct ir_body *body, ir_var array) {
    return is_made_here(body, array) && is_used_plainly(NULL, body, array, NULL);
}

uint32_t loop_counted_by(const struct ir_body *body, ir_var v) {
    uint32_t b = ir_block_of(body, body->vars[v.v].def), loop = body->blocks[b].loop;
    bool counts = counts_up(body, v) && loop != IR_NO_LOOP && body->loops[loop].header == b;
    return counts && !body->loops[loop].irreducible ? loop : IR_NO_LOOP;
}

/*
 * Whether what is stored into the array stays there: one statement stores, each round of its loop at another
 * index, and the loop runs once for each array.
 */
static bool keeps_elements(const struct ir_body *body, ir_var array) {
    unsigned stores = 0;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op != IR_ARRAY_STORE || !ir_var_eq(var_origin(body, ir_arg(body, s, 0)), array)) continue;
        uint32_t loop = loop_counted_by(body, ir_arg(body, s, 1));
        uint32_t made_in = body->blocks[ir_block_of(body, body->vars[array.v].def)].loop;
        if (loop == IR_NO_LOOP || body->blocks[ir_block_of(body, i)].loop != loop ||
            body->loops[loop].parent != made_in)
            return false;
        stores++;
    }
    return stores == 1;
}

/* The variable that the join's receiver was loaded from, at the loop's index, or none. */
static ir_var joined_array(struct races *r, const struct ir_body *body, const struct ir_stmt *s,
                           ir_var index) {
    const struct member_ref *ref = invoke_ref(r, s);
    ir_var none = {0};
    if (ref == NULL || s->n_args != 1 || !name_is(r, ref->name, "join") || !name_is(r, ref->desc, "()V") ||
        !program_is_subtype(r->p, ref->cls, (class_id){CLASS_THREAD}))
        return none;
    const struct ir_stmt *load = ir_def(body, var_origin(body, ir_arg(body, s, 0)));
    if (load->op != IR_ARRAY_LOAD || !ir_var_eq(ir_arg(body, load, 1), index)) return none;
    return var_origin(body, ir_arg(body, load, 0));
}

/* An interrupted join has joined nothing: its handler must not go on with the loop. */
static bool handlers_leave(struct races *r, const struct ir_body *body, uint32_t header, uint32_t at) {
    const struct ir_block *b = &body->blocks[at];
    for (uint32_t k = 0; k < b->n_succs; k++) {
        const struct ir_edge *e = &ir_succs(body, b)[k];
        if (e->exceptional && block_leads_to(r, body, e->block, header)) return false;
    }
    return true;
}

/* Whether the statement runs in every round: it dominates each way back to the header. */
static bool in_every_round(const struct ir_body *body, uint32_t header, uint32_t stmt) {
    const struct ir_block *h = &body->blocks[header];
    uint32_t at = ir_block_of(body, stmt);
    for (uint32_t k = 0; k < h->n_preds; k++) {
        uint32_t from = ir_preds(body, h)[k].block;
        if (ir_dominates(body, header, from) && !ir_dominates(body, at, from)) return false;
    }
    return at != header;
}

/* Whether the thread started there is in the array: loaded from it, or stored into it alongside. */
static bool is_in_array(const struct ir_body *body, uint32_t start, ir_var array) {
    const struct ir_stmt *s = &body->stmts[start];
    if (s->op != IR_INVOKE || s->n_args == 0) return false;
    ir_var thread = var_origin(body, ir_arg(body, s, 0));
    const struct ir_stmt *def = ir_def(body, thread);
    if (def->op == IR_ARRAY_LOAD) return ir_var_eq(var_origin(body, ir_arg(body, def, 0)), array);
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *store = &body->stmts[i];
        if (store->op == IR_ARRAY_STORE && ir_var_eq(ir_arg(body, store, 0), array) &&
            ir_var_eq(var_origin(body, ir_arg(body, store, 2)), thread) &&
            ir_dominates(body, ir_block_of(body, i), ir_block_of(body, start)))
            return true;
    }
    return false;
}

static bool elems_have(struct races *r, pts_inst i, ir_var array, pts_obj o) {
    struct pts_view set = pts_var(r->pts, i, array);
    struct pts_iter it = {0};
    pts_obj a;
    while (pts_next(set, &it, &a)) {
        if (pts_has(pts_elems(r->pts, a), o)) return true;
    }
    return false;
}

static bool all_in_array(struct races *r, pts_inst i, const struct ir_body *body, ir_var array, uint32_t t) {
    const struct pts_thread *thread = pts_thread(r->pts, t);
    if (thread->kind != PTS_THREAD_START || thread->n_starts == 0) return false;
    if (!elems_have(r, i, array, thread->obj)) return false;
    for (uint32_t k = 0; k < thread->n_starts; k++) {
        if (!pts_inst_eq(thread->starts[k].caller, i) || !is_in_array(body, thread->starts[k].stmt, array))
            return false;
    }
    return true;
}

/* The array of a loop `for (index = 0; index < array.length; index++) array[index].join()`. */
static bool join_loop(struct races *r, const struct ir_body *body, uint32_t header, uint32_t succ,
                      ir_var *array) {
    const struct ir_block *h = &body->blocks[header];
    const struct ir_stmt *test = &body->stmts[h->end - 1];
    if (!h->is_loop_header || test->op != IR_IF || test->n_args != 2 || test->ref != CF_OP_IF_ICMPGE ||
        succ != 1)
        return false;
    ir_var index = ir_arg(body, test, 0);
    if (!counts_up(body, index) || ir_block_of(body, body->vars[index.v].def) != header) return false;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        *array = joined_array(r, body, &body->stmts[i], index);
        if (array->v != 0 && in_every_round(body, header, i) &&
            handlers_leave(r, body, header, ir_block_of(body, i)) &&
            is_length(body, *array, ir_arg(body, test, 1)))
            return true;
    }
    return false;
}

/* Whether the method joins all threads of the array whenever it returns, and only reads it. */
static bool joins_all(struct races *r, const struct ir_body *body, ir_var array) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        if (body->stmts[i].op == IR_ARRAY_STORE && ir_var_eq(ir_arg(body, &body->stmts[i], 0), array))
            return false;
    }
    if (!is_used_plainly(r, body, array, NULL)) return false;
    for (uint32_t b = 0; b < body->n_blocks; b++) {
        ir_var joined;
        if (!join_loop(r, body, b, 1, &joined) || !ir_var_eq(joined, array)) continue;
        uint32_t behind = ir_succs(body, &body->blocks[b])[1].block;
        bool always = entered_once(body, behind) && body->blocks[behind].idom == b;
        for (uint32_t e = 0; e < body->n_blocks && always; e++)
            always = body->stmts[body->blocks[e].end - 1].op != IR_RETURN || ir_dominates(body, behind, e);
        if (always) return true;
    }
    return false;
}

/* `joinAll(array)`: the one method that the statement calls joins what it gets as that argument. */
static bool call_joins(struct races *r, const struct ir_body *body, uint32_t stmt, uint32_t arg) {
    if (body->stmts[stmt].sub == IR_CALL_DYNAMIC) return false;
    const struct call_targets *t = call_targets(r, body, stmt);
    const struct ir_body *callee = t->n == 1 && t->v[0].plain ? body_of(r, t->v[0].method) : NULL;
    return callee != NULL && arg < callee->n_params && is_app(r, t->v[0].method) &&
           joins_all(r, callee, (ir_var){arg + 1});
}

/* The threads of the kinds that the instance starts out of the array. */
static thread_set threads_in(struct races *r, pts_inst i, const struct ir_body *body, ir_var array,
                             uint32_t *made) {
    thread_set set = 0;
    if (!is_made_here(body, array) || !is_used_plainly(r, body, array, call_joins) ||
        !keeps_elements(body, array))
        return 0;
    *made = body->vars[array.v].def;
    for (uint32_t t = 0; t < r->n_threads && t < THREADS_MAX; t++) {
        if (all_in_array(r, i, body, array, t)) set |= (thread_set)1 << t;
    }
    return set;
}

thread_set joined_by_loop(struct races *r, pts_inst i, const struct ir_body *body, uint32_t header,
                          uint32_t succ, uint32_t *made) {
    ir_var array;
    return join_loop(r, body, header, succ, &array) ? threads_in(r, i, body, array, made) : 0;
}

thread_set joined_by_call(struct races *r, pts_inst i, const struct ir_body *body, uint32_t stmt,
                          uint32_t *made) {
    const struct ir_stmt *s = &body->stmts[stmt];
    if (s->op != IR_INVOKE || s->sub == IR_CALL_DYNAMIC) return 0;
    for (uint32_t k = 0; k < s->n_args; k++) {
        if (is_made_here(body, ir_arg(body, s, k)) && call_joins(r, body, stmt, k))
            return threads_in(r, i, body, ir_arg(body, s, k), made);
    }
    return 0;
}
