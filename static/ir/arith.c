/* Computations and stack shuffles. */
#include "builder.h"

static void binary(struct ir_builder *b, uint8_t op, enum ir_kind left, enum ir_kind right,
                   enum ir_kind result) {
    ir_var args[2];
    args[1] = ir_pop_(b, right);
    args[0] = ir_pop_(b, left);
    if (b->failed) return;
    ir_var def = ir_new_var_(b, result, (class_id){0});
    ir_emit_(b, IR_BINARY, def, args, 2)->ref = op;
    ir_push_(b, def);
}

static void unary(struct ir_builder *b, uint8_t op, enum ir_kind from, enum ir_kind to) {
    ir_var arg = ir_pop_(b, from);
    if (b->failed) return;
    ir_var def = ir_new_var_(b, to, (class_id){0});
    ir_emit_(b, IR_UNARY, def, &arg, 1)->ref = op;
    ir_push_(b, def);
}

static void convert(struct ir_builder *b, uint8_t op) {
    static const uint8_t from_to[][2] = {
        {IR_INT, IR_LONG},   {IR_INT, IR_FLOAT},   {IR_INT, IR_DOUBLE},   /* i2l i2f i2d */
        {IR_LONG, IR_INT},   {IR_LONG, IR_FLOAT},  {IR_LONG, IR_DOUBLE},  /* l2i ... */
        {IR_FLOAT, IR_INT},  {IR_FLOAT, IR_LONG},  {IR_FLOAT, IR_DOUBLE}, /* f2i ... */
        {IR_DOUBLE, IR_INT}, {IR_DOUBLE, IR_LONG}, {IR_DOUBLE, IR_FLOAT}, /* d2i ... */
        {IR_INT, IR_INT},    {IR_INT, IR_INT},     {IR_INT, IR_INT},      /* i2b i2c i2s */
    };
    const uint8_t *k = from_to[op - CF_OP_I2L];
    unary(b, op, k[0], k[1]);
}

static void arithmetic(struct ir_builder *b, uint8_t op) {
    static const uint8_t ilfd[4] = {IR_INT, IR_LONG, IR_FLOAT, IR_DOUBLE};
    if (op < CF_OP_INEG) {
        enum ir_kind k = ilfd[(op - CF_OP_IADD) % 4];
        binary(b, op, k, k, k);
    } else if (op <= CF_OP_DNEG) {
        enum ir_kind k = ilfd[op - CF_OP_INEG];
        unary(b, op, k, k);
    } else if (op <= CF_OP_LUSHR) { /* i and l in turn; the distance is an int */
        enum ir_kind k = ilfd[(op - CF_OP_ISHL) % 2];
        binary(b, op, k, IR_INT, k);
    } else if (op <= CF_OP_LXOR) {
        enum ir_kind k = ilfd[(op - CF_OP_IAND) % 2];
        binary(b, op, k, k, k);
    } else if (op <= CF_OP_I2S) {
        convert(b, op);
    } else {
        enum ir_kind k = op == CF_OP_LCMP ? IR_LONG : op <= CF_OP_FCMPG ? IR_FLOAT : IR_DOUBLE;
        binary(b, op, k, k, IR_INT);
    }
}

/* ---- stack shuffles ---- */

static unsigned words(const struct ir_builder *b, ir_var v) {
    uint8_t kind = b->vars.v[v.v].kind;
    return kind == IR_LONG || kind == IR_DOUBLE ? 2 : 1;
}

/* Pops values worth exactly n words into out (topmost first); returns how many. */
static unsigned pop_words(struct ir_builder *b, unsigned n, ir_var out[2]) {
    unsigned count = 0, got = 0;
    while (got < n && !b->failed) {
        out[count] = ir_pop_any_(b);
        got += words(b, out[count++]);
    }
    if (got != n) ir_fail_(b, "half of a long or double moved");
    return count;
}

static void push_back(struct ir_builder *b, const ir_var *v, unsigned n) {
    while (n > 0 && !b->failed) ir_push_(b, v[--n]);
}

/* dup, dup_x1 ... dup2_x2: copies `n` words below the `below` words under them. */
static void duplicate(struct ir_builder *b, unsigned n, unsigned below) {
    ir_var top[2], under[2];
    unsigned n_top = pop_words(b, n, top), n_under = pop_words(b, below, under);
    push_back(b, top, n_top);
    push_back(b, under, n_under);
    push_back(b, top, n_top);
}

static void shuffle(struct ir_builder *b, uint8_t op) {
    ir_var v[2], w[2];
    switch (op) {
    case CF_OP_POP: pop_words(b, 1, v); break;
    case CF_OP_POP2: pop_words(b, 2, v); break;
    case CF_OP_DUP: duplicate(b, 1, 0); break;
    case CF_OP_DUP_X1: duplicate(b, 1, 1); break;
    case CF_OP_DUP_X2: duplicate(b, 1, 2); break;
    case CF_OP_DUP2: duplicate(b, 2, 0); break;
    case CF_OP_DUP2_X1: duplicate(b, 2, 1); break;
    case CF_OP_DUP2_X2: duplicate(b, 2, 2); break;
    default: /* swap */
        pop_words(b, 1, v);
        pop_words(b, 1, w);
        if (b->failed) break;
        ir_push_(b, v[0]);
        ir_push_(b, w[0]);
        break;
    }
}

bool ir_arith_(struct ir_builder *b, const struct cf_insn *insn) {
    uint8_t op = insn->op;
    if (op >= CF_OP_POP && op <= CF_OP_SWAP)
        shuffle(b, op);
    else if (op >= CF_OP_IADD && op <= CF_OP_DCMPG && op != CF_OP_IINC)
        arithmetic(b, op);
    else
        return false;
    return true;
}
