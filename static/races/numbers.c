#include "numbers.h"
#include "bands.h" /* formula_of */
#include "joins.h"
#include "race/opcodes.h"

/* The counter of `for (i = 0; i < bound; i++)` by its header's test, or none. */
static ir_var loop_counter(const struct ir_body *body, uint32_t loop, ir_var *bound) {
    uint32_t header = body->loops[loop].header;
    const struct ir_stmt *test = &body->stmts[body->blocks[header].end - 1];
    ir_var none = {0};
    if (test->op != IR_IF || test->n_args != 2 || test->ref != CF_OP_IF_ICMPGE) return none;
    ir_var v = ir_arg(body, test, 0);
    const struct ir_edge *succs = ir_succs(body, &body->blocks[header]);
    if (!counts_up(body, v) || ir_block_of(body, body->vars[v.v].def) != header ||
        ir_in_loop(body, succs[1].block, loop))
        return none;
    *bound = ir_arg(body, test, 1);
    return v;
}

/* Whether the array holds each thread of the loop at the counter's place, and whatever starts is taken from
 * it.
 */
static bool starts_from_array(const struct thread_start *start, ir_var counter, ir_var *array) {
    const struct ir_body *body = start->body;
    const struct ir_stmt *load = ir_def(body, var_origin(body, ir_arg(body, &body->stmts[start->start], 0)));
    if (load->op != IR_ARRAY_LOAD) return false;
    *array = var_origin(body, ir_arg(body, load, 0));
    if (!is_plain_array(body, *array)) return false;
    unsigned stores = 0;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op != IR_ARRAY_STORE || !ir_var_eq(var_origin(body, ir_arg(body, s, 0)), *array)) continue;
        if (!ir_var_eq(ir_arg(body, s, 1), counter) ||
            !ir_var_eq(var_origin(body, ir_arg(body, s, 2)), body->stmts[start->made].def))
            return false;
        stores++;
    }
    return stores == 1;
}

static void number_directly(struct races *r, uint32_t t, struct numbering *n) {
    const struct thread_start *start = &n->start;
    const struct ir_body *body = start->body;
    uint32_t loop = body->blocks[ir_block_of(body, start->made)].loop;
    ir_var bound, array;
    if (loop == IR_NO_LOOP) return;
    ir_var counter = loop_counter(body, loop, &bound);
    if (counter.v == 0) return;
    ir_var started = var_origin(body, ir_arg(body, &body->stmts[start->start], 0));
    if (ir_var_eq(started, body->stmts[start->made].def)) {
        /* Started in the round that made it; those of an earlier run of the loop are dead. */
        if (body->blocks[ir_block_of(body, start->start)].loop != loop ||
            !dead_before(r, t, start->inst, body, loop))
            return;
    } else if (!starts_from_array(start, counter, &array) ||
               !dead_at(r, t, start->inst, body, body->vars[array.v].def)) {
        return;
    }
    n->known = true;
    n->number = counter;
    n->bound = formula_of(r, start->inst, bound);
}

static void number_by_array(struct races *r, struct numbering *n) {
    const struct ir_body *body = n->start.body;
    uint32_t loop = body->blocks[ir_block_of(body, n->start.made)].loop;
    ir_var bound;
    n->known = n->by_array = true;
    ir_var counter = loop_counter(body, loop, &bound);
    if (counter.v != 0 && ir_var_eq(counter, ir_arg(body, n->start.at, 1)))
        n->bound = formula_of(r, n->start.inst, bound);
}

const struct numbering *numbering_of(struct races *r, uint32_t t) {
    if (r->numbers == NULL) r->numbers = ARENA_NEW_N(&r->arena, r->n_threads, struct numbering);
    struct numbering *n = &r->numbers[t];
    if (n->tried) return n;
    n->tried = true;
    if (!pts_thread(r->pts, t)->many || !thread_start_of(r, t, &n->start)) return n;
    if (n->start.at == NULL) {
        number_directly(r, t, n);
    } else if (own_runnable(r, t, &n->start)) {
        number_by_array(r, n);
    }
    return n;
}

ir_var number_at(struct races *r, const struct numbering *n, pts_obj runs, pts_inst *inst) {
    const struct pts_alloc_info *a = pts_alloc_info(r->pts, pts_obj_info(r->pts, runs)->alloc);
    ir_var none = {0}, found = {0};
    uint32_t count;
    if ((a->kind != PTS_ALLOC_NEW && a->kind != PTS_ALLOC_LAMBDA) || a->method.v == 0) return none;
    const struct ir_body *body = body_of(r, a->method);
    const pts_inst *insts = pts_insts_of(r->pts, a->method, &count);
    if (body == NULL || count != 1 || a->stmt >= body->n_stmts) return none;
    *inst = insts[0];
    if (!n->by_array) { /* made in the same round as the thread */
        uint32_t loop = body->blocks[ir_block_of(body, a->stmt)].loop;
        bool same = method_id_eq(a->method, n->start.body->method) &&
                    body->blocks[ir_block_of(body, n->start.made)].loop == loop;
        return same ? n->number : none;
    }
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op != IR_ARRAY_STORE ||
            !ir_var_eq(var_origin(body, ir_arg(body, s, 2)), body->stmts[a->stmt].def))
            continue;
        if (found.v != 0) return none;
        found = ir_arg(body, s, 1);
    }
    return found;
}
