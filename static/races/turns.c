#include "turns.h"
#include "elements.h"
#include "phases.h"
#include "race/opcodes.h"
#include "rounds.h"

enum { MODULI_MAX = 2, MODULUS_MAX = 16 };

/* An access, and where its row was read from an array of rows; no statement: it was not. */
struct turn_access {
    struct races_side side;
    const struct ir_body *body;
    const struct ir_stmt *element, *row;
};

struct comparing {
    struct races *r;
    const struct turn_access *v;
    bool rows;
};

static bool access_of(struct races *r, const struct races_access *a, struct races_side side,
                      struct turn_access *out) {
    const struct ir_body *body = body_of(r, a->method);
    const struct ir_stmt *s = &body->stmts[a->stmt];
    *out = (struct turn_access){side, body, s, NULL};
    if (a->kind != PLAN_ARRAY || (s->op != IR_ARRAY_LOAD && s->op != IR_ARRAY_STORE)) return false;
    const struct ir_stmt *load = ir_def(body, var_origin(body, ir_arg(body, s, 0)));
    /* A row is of the round in which it is read. */
    uint32_t at = ir_block_of(body, a->stmt), from = ir_block_of(body, (uint32_t)(load - body->stmts));
    uint32_t loop = body->blocks[at].loop;
    while (loop != IR_NO_LOOP && body->loops[loop].parent != IR_NO_LOOP) loop = body->loops[loop].parent;
    if (load->op == IR_ARRAY_LOAD && loop != IR_NO_LOOP && ir_in_loop(body, from, loop)) out->row = load;
    return true;
}

static struct ints index_in(const struct comparing *x, int k, const struct supposition *that) {
    const struct turn_access *a = &x->v[k];
    const struct ir_stmt *s = x->rows ? a->row : a->element;
    uint32_t block = ir_block_of(a->body, (uint32_t)(s - a->body->stmts));
    return ints_supposing(x->r, a->side.thread, a->side.inst, ir_arg(a->body, s, 1), block, that);
}

static bool see_turn(void *arg, const struct supposition *a, const struct supposition *b) {
    const struct comparing *x = arg;
    return ints_disjoint(index_in(x, 0, a), index_in(x, 1, b));
}

/* Whether rows that are the same object have the same index. */
static bool rows_stand_once(struct races *r, const struct turn_access *v) {
    if (v[0].row == NULL || v[1].row == NULL) return false;
    struct pts_view a = pts_var(r->pts, v[0].side.inst, v[0].row->def);
    struct pts_view b = pts_var(r->pts, v[1].side.inst, v[1].row->def);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(a, &it, &o)) {
        if (pts_has(b, o) && !in_distinct_elements(r, o)) return false;
    }
    return true;
}

/* The next divisor of a remainder that the method computes, from statement `*at` on; 0 if there is none. */
static int64_t next_modulus(const struct ir_body *body, uint32_t *at) {
    while (*at < body->n_stmts) {
        const struct ir_stmt *s = &body->stmts[(*at)++];
        if (s->op != IR_BINARY || (s->ref != CF_OP_IREM && s->ref != CF_OP_IAND)) continue;
        const struct ir_stmt *c = ir_def(body, ir_arg(body, s, 1));
        if (c->op != IR_CONST || c->sub != CONST_INT) continue;
        int64_t m = ir_const(body, c).u.i + (s->ref == CF_OP_IAND ? 1 : 0);
        if (m >= 2 && m <= MODULUS_MAX) return m;
    }
    return 0;
}

/* The same for two threads of one round of a loop, whatever is left of one of its PHIs. */
static bool apart_in_round(struct races *r, const struct comparing *x) {
    struct common_round c;
    if (!have_common_round(r, x->v[0].side.thread, x->v[1].side.thread, &c)) return false;
    uint32_t at = 0;
    const struct ir_block *h = &c.body->blocks[c.body->loops[c.loop].header];
    int64_t m = next_modulus(c.body, &at);
    for (uint32_t s = h->first; m != 0 && s < h->end && c.body->stmts[s].op == IR_PHI; s++) {
        struct supposition that = {.runnable_in = c.inst, .counter = c.body->stmts[s].def, .step = m};
        while (that.rem < m && see_turn((void *)x, &that, &that)) that.rem++;
        if (that.rem == m) return true;
    }
    return false;
}

bool apart_by_turn(struct races *r, const struct races_access *a, struct races_side x,
                   const struct races_access *b, struct races_side y) {
    struct turn_access v[2];
    if (!access_of(r, a, x, &v[0]) || !access_of(r, b, y, &v[1])) return false;
    struct comparing elements = {r, v, false}, rows = {r, v, true};
    uint32_t at = 0;
    if (apart_in_round(r, &elements)) return true;
    if (!has_phases(r)) return false;
    for (unsigned tried = 0; tried < MODULI_MAX; tried++) {
        int64_t m = next_modulus(v[0].body, &at);
        if (m == 0) return false;
        if (each_common_turn(r, a, x, b, y, m, see_turn, &elements) ||
            (rows_stand_once(r, v) && each_common_turn(r, a, x, b, y, m, see_turn, &rows)))
            return true;
    }
    return false;
}
