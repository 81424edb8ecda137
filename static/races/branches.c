#include "branches.h"
#include "race/opcodes.h"
#include "sources.h"

enum { CLIMB_MAX = 3 };

enum known_kind { KNOWN_NOTHING, KNOWN_INT, KNOWN_STRING, KNOWN_ANY }; /* NOTHING: no value has come yet */

struct known {
    uint8_t kind;
    int64_t value; /* or number of the text */
};

static const struct known any = {.kind = KNOWN_ANY};

static struct known join(struct known a, struct known b) {
    if (a.kind == KNOWN_NOTHING) return b;
    if (b.kind == KNOWN_NOTHING) return a;
    return a.kind == b.kind && a.value == b.value ? a : any;
}

static struct known int_of(int64_t v) {
    return (struct known){KNOWN_INT, v};
}

static struct known constant(const struct ir_body *body, const struct ir_stmt *s) {
    struct const_value c = ir_const(body, s);
    if (c.kind == CONST_INT) return int_of(c.u.i);
    return c.kind == CONST_STRING ? (struct known){KNOWN_STRING, c.u.name.v} : any;
}

/* ---- parameters ---- */

struct joining {
    struct races *r;
    struct known sum;
    int depth;
};

static struct known passed(struct races *r, uint32_t thread, pts_inst i, const struct ir_body *body,
                           uint32_t param, int depth);

static bool join_source(void *arg, const struct source *s) {
    struct joining *j = arg;
    ir_var v = var_origin(s->body, s->var);
    const struct ir_stmt *def = ir_def(s->body, v);
    struct known k = any;
    if (def->op == IR_CONST) k = constant(s->body, def);
    if (def->op == IR_PARAM) k = passed(j->r, s->thread, s->inst, s->body, v.v - 1, j->depth + 1);
    j->sum = join(j->sum, k);
    return j->sum.kind != KNOWN_ANY;
}

/* What the thread passes for the parameter whenever it runs the instance. */
static struct known passed(struct races *r, uint32_t thread, pts_inst i, const struct ir_body *body,
                           uint32_t param, int depth) {
    const struct ir_varinfo *v = &body->vars[param + 1];
    struct joining j = {.r = r, .depth = depth};
    bool followed = v->kind == IR_INT || (v->kind == IR_REF && v->type.v == CLASS_STRING);
    if (!followed || depth == CLIMB_MAX || !each_source(r, thread, i, param, join_source, &j)) return any;
    return j.sum.kind == KNOWN_NOTHING ? any : j.sum;
}

/* ---- one method ---- */

struct following {
    struct races *r;
    const struct ir_body *body;
    struct known *vars;
    bits *reached; /* blocks */
    bool changed;
};

/* String.hashCode() of text in which each byte is a character. */
static struct known hash_of(const char *text) {
    uint32_t h = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p != 0; p++) {
        if (*p >= 0x80) return any;
        h = 31 * h + *p;
    }
    return int_of((int32_t)h);
}

static struct known call(const struct following *x, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(x->r, s);
    if (ref == NULL || ref->cls.v != CLASS_STRING || s->sub == IR_CALL_STATIC || s->n_args == 0) return any;
    struct known self = x->vars[ir_arg(x->body, s, 0).v];
    if (self.kind == KNOWN_NOTHING) return self;
    if (self.kind != KNOWN_STRING) return any;
    if (s->n_args == 1 && name_is(x->r, ref->name, "hashCode"))
        return hash_of(program_str(x->r->p, (name_id){(uint32_t)self.value}));
    if (s->n_args != 2 || !name_is(x->r, ref->name, "equals")) return any;
    struct known other = x->vars[ir_arg(x->body, s, 1).v];
    if (other.kind == KNOWN_NOTHING) return other;
    return other.kind == KNOWN_STRING ? int_of(self.value == other.value) : any;
}

static bool compare(uint32_t op, int64_t a, int64_t b) {
    switch (op) {
    case CF_OP_IF_ICMPEQ: return a == b;
    case CF_OP_IF_ICMPNE: return a != b;
    case CF_OP_IF_ICMPLT: return a < b;
    case CF_OP_IF_ICMPGE: return a >= b;
    case CF_OP_IF_ICMPGT: return a > b;
    default: return a <= b;
    }
}

/* Whether control may leave the block by an ordinary edge to that place among its successors. */
static bool may_take(const struct following *x, const struct ir_block *b, uint32_t succ) {
    const struct ir_body *body = x->body;
    const struct ir_stmt *last = &body->stmts[b->end - 1];
    if (last->op != IR_IF && last->op != IR_SWITCH) return true;
    struct known v = x->vars[ir_arg(body, last, 0).v], w = int_of(0);
    if (last->n_args == 2) w = x->vars[ir_arg(body, last, 1).v];
    if (v.kind == KNOWN_NOTHING || w.kind == KNOWN_NOTHING) return false;
    if (v.kind != KNOWN_INT || w.kind != KNOWN_INT) return true;
    if (last->op == IR_SWITCH) {
        const struct ir_switch *s = &body->switches[last->ref];
        uint32_t target = s->fallback;
        for (uint32_t k = 0; k < s->n_cases; k++) {
            if (s->cases[k].key == v.value) target = s->cases[k].block;
        }
        return ir_succs(body, b)[succ].block == target;
    }
    bool zero = last->ref >= CF_OP_IFEQ && last->ref <= CF_OP_IFLE;
    if (!zero && (last->ref < CF_OP_IF_ICMPEQ || last->ref > CF_OP_IF_ICMPLE)) return true;
    uint32_t op = zero ? CF_OP_IF_ICMPEQ + (last->ref - CF_OP_IFEQ) : last->ref;
    /* Where both ways lead to one block there is one edge. */
    return b->n_succs < 2 || ir_succs(body, b)[1].exceptional || compare(op, v.value, w.value) == (succ == 1);
}

/* The PHI's operands by the edges that control may come by. */
static struct known merged(const struct following *x, const struct ir_stmt *phi) {
    const struct ir_body *body = x->body;
    uint32_t at = ir_block_of(body, (uint32_t)(phi - body->stmts));
    const struct ir_edge *preds = ir_preds(body, &body->blocks[at]);
    struct known sum = {.kind = KNOWN_NOTHING};
    for (uint32_t k = 0; k < phi->n_args; k++) {
        const struct ir_block *from = &body->blocks[preds[k].block];
        bool comes = false;
        for (uint32_t e = 0; e < from->n_succs && bits_has(x->reached, preds[k].block); e++) {
            const struct ir_edge *succ = &ir_succs(body, from)[e];
            comes |= succ->block == at && (succ->exceptional || may_take(x, from, e));
        }
        if (comes) sum = join(sum, x->vars[ir_arg(body, phi, k).v]);
    }
    return sum;
}

static void follow_stmt(struct following *x, const struct ir_stmt *s) {
    if (s->def.v == 0 || s->op == IR_PARAM) return;
    struct known now = any, *v = &x->vars[s->def.v];
    if (s->op == IR_CONST) now = constant(x->body, s);
    if (s->op == IR_PHI) now = merged(x, s);
    if (s->op == IR_CAST) now = x->vars[ir_arg(x->body, s, 0).v];
    if (s->op == IR_INVOKE) now = call(x, s);
    now = join(*v, now);
    x->changed |= now.kind != v->kind || now.value != v->value;
    *v = now;
}

static void follow(struct following *x) {
    const struct ir_body *body = x->body;
    bits_add(x->reached, 0);
    do {
        x->changed = false;
        for (uint32_t b = 0; b < body->n_blocks; b++) {
            const struct ir_block *block = &body->blocks[b];
            if (!bits_has(x->reached, b)) continue;
            for (uint32_t i = block->first; i < block->end; i++) follow_stmt(x, &body->stmts[i]);
            for (uint32_t k = 0; k < block->n_succs; k++) {
                const struct ir_edge *e = &ir_succs(body, block)[k];
                if (bits_has(x->reached, e->block) || (!e->exceptional && !may_take(x, block, k))) continue;
                bits_add(x->reached, e->block);
                x->changed = true;
            }
        }
    } while (x->changed);
}

/* ---- answers ---- */

struct branch_answer {
    uint32_t thread; /* + 1; 0: nothing was asked yet */
    pts_inst inst;
    const bits *reached; /* NULL: all blocks */
};

static const bits *reached_blocks(struct races *r, struct races_side side, const struct ir_body *body) {
    struct following x = {.r = r, .body = body};
    bool some = false;
    if (body->n_blocks < 3) return NULL;
    for (uint32_t k = 0; k < body->n_params; k++) {
        struct known now = passed(r, side.thread, side.inst, body, k, 0);
        if (now.kind != KNOWN_ANY && !some) x.vars = ARENA_NEW_N(&r->arena, body->n_vars + 1, struct known);
        for (uint32_t p = 0; p < k && now.kind != KNOWN_ANY && !some; p++) x.vars[p + 1] = any;
        some |= now.kind != KNOWN_ANY;
        if (some) x.vars[k + 1] = now;
    }
    if (!some) return NULL;
    x.reached = ARENA_NEW(&r->arena, bits);
    bits_init(x.reached, &r->arena, body->n_blocks);
    follow(&x);
    return x.reached;
}

/* Whether a test lies on every way to the block: without one no argument can keep control from it. */
static bool is_behind_test(const struct ir_body *body, uint32_t block) {
    for (uint32_t b = block; b != 0; b = body->blocks[b].idom) {
        const struct ir_block *from = &body->blocks[body->blocks[b].idom];
        uint8_t op = body->stmts[from->end - 1].op;
        if (op == IR_IF || op == IR_SWITCH) return true;
    }
    return false;
}

bool never_taken(struct races *r, struct races_side side, const struct races_access *a) {
    if (r->branch_answers == NULL)
        r->branch_answers = ARENA_NEW_N(&r->arena, SIDE_ANSWERS, struct branch_answer);
    const struct ir_body *body = body_of(r, a->method);
    if (!is_behind_test(body, ir_block_of(body, a->stmt))) return false;
    struct branch_answer *known = &r->branch_answers[side_hash(side.thread, side.inst.v, 0, 0)];
    if (known->thread != side.thread + 1 || !pts_inst_eq(known->inst, side.inst))
        *known = (struct branch_answer){side.thread + 1, side.inst, reached_blocks(r, side, body)};
    return known->reached != NULL && !bits_has(known->reached, ir_block_of(body, a->stmt));
}
