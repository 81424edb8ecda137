/* Decoding instructions of code that cf_parse() has checked; nothing here can run past its end. */
#include "race/classfile.h"
#include "race/opcodes.h"

static int32_t s4(const uint8_t *p) {
    return (int32_t)((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
}

static uint16_t u2(const uint8_t *p) {
    return (uint16_t)(p[0] << 8 | p[1]);
}

/* The four short forms of each type follow each other: iload_0..3, lload_0..3, ... */
static uint16_t implied_local(uint8_t op) {
    return (op - (op >= CF_OP_ISTORE_0 ? CF_OP_ISTORE_0 : CF_OP_ILOAD_0)) & 3;
}

/* Sizes were checked, so the sums cannot overflow. */
static void decode_switch(struct cf_insn *in, const uint8_t *code) {
    uint32_t at = (in->bci + 4) & ~3u; /* operands are aligned relative to the start of the code */
    in->target = (int32_t)in->bci + s4(code + at);
    if (in->op == CF_OP_TABLESWITCH) {
        in->low = s4(code + at + 4);
        in->n_cases = (uint32_t)s4(code + at + 8) - (uint32_t)in->low + 1;
        in->cases = at + 12;
        in->length = in->cases + 4 * in->n_cases - in->bci;
    } else {
        in->n_cases = (uint32_t)s4(code + at + 4);
        in->cases = at + 8;
        in->length = in->cases + 8 * in->n_cases - in->bci;
    }
}

/* The prefix is folded into the instruction: users should not have to know that it exists. */
static void decode_wide(struct cf_insn *in, const uint8_t *p) {
    in->wide = true;
    in->op = p[1];
    in->index = u2(p + 2);
    in->length = in->op == CF_OP_IINC ? 6 : 4;
    if (in->op == CF_OP_IINC) in->value = (int16_t)u2(p + 4);
}

struct cf_insn cf_insn_decode(const struct cf_code *code, uint32_t bci) {
    const uint8_t *p = code->code + bci;
    struct cf_insn in = {.bci = bci, .op = p[0], .length = cf_opcodes[p[0]].length};
    switch (cf_opcodes[p[0]].format) {
    case CF_F_NONE: break;
    case CF_F_LOCAL_N: in.index = implied_local(p[0]); break;
    case CF_F_BYTE: in.value = (int8_t)p[1]; break;
    case CF_F_SHORT: in.value = (int16_t)u2(p + 1); break;
    case CF_F_LDC:
    case CF_F_LOCAL:
    case CF_F_NEWARRAY: in.index = p[1]; break;
    case CF_F_IINC:
        in.index = p[1];
        in.value = (int8_t)p[2];
        break;
    case CF_F_BRANCH: in.target = (int32_t)bci + (int16_t)u2(p + 1); break;
    case CF_F_BRANCH_W: in.target = (int32_t)bci + s4(p + 1); break;
    case CF_F_LDC_W:
    case CF_F_FIELD:
    case CF_F_METHOD:
    case CF_F_INDY:
    case CF_F_CLASS: in.index = u2(p + 1); break;
    case CF_F_INTERFACE:
    case CF_F_MULTI:
        in.index = u2(p + 1);
        in.value = p[3];
        break;
    case CF_F_TABLE_SWITCH:
    case CF_F_LOOKUP_SWITCH: decode_switch(&in, code->code); break;
    case CF_F_WIDE: decode_wide(&in, p); break;
    }
    return in;
}

/* The cases stay in the code: a decoded instruction owns no memory. */
int32_t cf_insn_case_key(const struct cf_code *code, const struct cf_insn *in, uint32_t i) {
    if (in->op == CF_OP_TABLESWITCH) return (int32_t)((uint32_t)in->low + i);
    return s4(code->code + in->cases + 8 * i);
}

int32_t cf_insn_case_target(const struct cf_code *code, const struct cf_insn *in, uint32_t i) {
    uint32_t at = in->op == CF_OP_TABLESWITCH ? in->cases + 4 * i : in->cases + 8 * i + 4;
    return (int32_t)in->bci + s4(code->code + at);
}

/* Tables need not be sorted and may name one offset twice; like HotSpot, the first exact hit counts, else the
   last entry of the nearest offset before. */
int cf_line_at(const struct cf_code *code, uint32_t bci) {
    int line = -1;
    uint32_t best = 0;
    for (uint32_t i = 0; i < code->n_lines; i++) {
        const struct cf_line *l = &code->lines[i];
        if (l->bci == bci) return l->line;
        if (l->bci > bci || l->bci < best) continue;
        best = l->bci;
        line = l->line;
    }
    return line;
}
