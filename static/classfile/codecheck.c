/*
 * Static constraints on code (JVMS 4.9.1): every instruction whole, every operand of the right kind, every
 * jump to the start of an instruction.  What values flow where is the verifier's business, not checked here.
 *
 * One pass marks the starts of instructions and the targets of jumps in two bit sets; a target that is not a
 * start is then a set difference, and only the error path has to search for the jump.
 */
#include "parse.h"
#include "race/opcodes.h"

#include <string.h>

struct insn_reader {
    struct cf_code_reader *cr;
    struct cursor c;    /* behind the opcode byte; over the code */
    uint32_t bci;       /* of the instruction */
    uint8_t op;         /* behind a wide prefix */
    const char *reason; /* set when the instruction is bad */
};

/* The message is put together by the caller, which has the name and the place of the instruction. */
static bool bad(struct insn_reader *in, const char *reason) {
    in->reason = reason;
    return false;
}

static const struct cf_class *class_of(const struct insn_reader *in) {
    return in->cr->r->cls;
}

/* Loads and stores of long and double use two locals. */
static bool is_two_words(uint8_t op) {
    switch (op) {
    case CF_OP_LLOAD:
    case CF_OP_DLOAD:
    case CF_OP_LSTORE:
    case CF_OP_DSTORE: return true;
    default:
        return (op >= CF_OP_LLOAD_0 && op <= CF_OP_LLOAD_3) || (op >= CF_OP_DLOAD_0 && op <= CF_OP_DLOAD_3) ||
               (op >= CF_OP_LSTORE_0 && op <= CF_OP_LSTORE_3) ||
               (op >= CF_OP_DSTORE_0 && op <= CF_OP_DSTORE_3);
    }
}

/* Operands that lie behind the end of the code read as 0; the caller reports the cut instruction, so a failed
   cursor makes every check below pass. */
static bool check_local(struct insn_reader *in, uint32_t index) {
    if (index + is_two_words(in->op) < in->cr->code->max_locals) return true;
    return in->c.failed || bad(in, "local variable is not below max_locals");
}

static bool check_local_n(struct insn_reader *in) {
    uint8_t first = in->op >= CF_OP_ISTORE_0 ? CF_OP_ISTORE_0 : CF_OP_ILOAD_0;
    return check_local(in, (uint32_t)(in->op - first) & 3);
}

/* in->op becomes the widened opcode, so that check_local() knows how many words it uses. */
static bool check_wide(struct insn_reader *in) {
    in->op = cursor_u1(&in->c);
    if (in->c.failed) return true;
    uint8_t format = in->op < CF_OPCODE_COUNT ? cf_opcodes[in->op].format : CF_F_NONE;
    if (format != CF_F_LOCAL && format != CF_F_IINC)
        return bad(in, "wide before an instruction without a wide form");
    uint16_t index = cursor_u2(&in->c);
    if (format == CF_F_IINC) cursor_u2(&in->c);
    return check_local(in, index);
}

/* Marked now, compared with the starts when all of those are known. */
static bool check_target(struct insn_reader *in, int32_t offset) {
    int64_t target = (int64_t)in->bci + offset;
    if (target < 0 || target >= in->cr->code->length)
        return in->c.failed || bad(in, "branch target lies outside the code");
    cf_bit_set(&in->cr->targets, (uint32_t)target);
    return true;
}

/* The padding may be anything since Java 7.  The JVM searches lookupswitch by bisection, so its keys must be
   sorted. */
static bool check_switch(struct insn_reader *in) {
    struct cursor *c = &in->c;
    bool table = in->op == CF_OP_TABLESWITCH;
    cursor_bytes(c, 3 - in->bci % 4);
    if (!check_target(in, (int32_t)cursor_u4(c))) return false;
    int32_t low = table ? (int32_t)cursor_u4(c) : 0;
    int32_t last = (int32_t)cursor_u4(c); /* the highest key, or the number of pairs */
    if (c->failed) return true;
    int64_t n = table ? (int64_t)last - low + 1 : last;
    if (n < 0 || (table && n == 0)) return bad(in, "switch of negative size");
    if (!cursor_fits(c, (size_t)n, table ? 4 : 8)) return bad(in, "switch is longer than the code");
    int64_t previous = INT64_MIN;
    for (int64_t i = 0; i < n; i++) {
        if (!table) {
            int32_t key = (int32_t)cursor_u4(c);
            if (key <= previous) return bad(in, "lookupswitch keys are not sorted");
            previous = key;
        }
        if (!check_target(in, (int32_t)cursor_u4(c))) return false;
    }
    return true;
}

/* ldc2_w is for long and double and only for those; a dynamic constant's type is in its descriptor. */
static bool check_ldc(struct insn_reader *in, uint16_t index) {
    const struct cf_class *cls = class_of(in);
    if (in->c.failed) return true;
    if (!cf_is_loadable(cls, index)) return bad(in, "constant cannot be loaded");
    uint8_t tag = cls->pool[index].tag;
    bool two = tag == CF_LONG || tag == CF_DOUBLE;
    if (tag == CF_DYNAMIC) {
        struct cf_str desc = cf_member(cls, index).desc;
        two = desc.p[0] == 'J' || desc.p[0] == 'D';
    }
    return two == (in->op == CF_OP_LDC2_W) || bad(in, "constant is of the wrong size");
}

static bool check_const(struct insn_reader *in, enum cf_tag tag, const char *reason) {
    return cf_is(class_of(in), cursor_u2(&in->c), tag) || in->c.failed || bad(in, reason);
}

/* Static and special calls may name interface methods since Java 8. */
static bool check_method(struct insn_reader *in) {
    uint16_t index = cursor_u2(&in->c);
    if (in->c.failed || cf_is(class_of(in), index, CF_METHODREF)) return true;
    if (in->op != CF_OP_INVOKEVIRTUAL && cf_is(class_of(in), index, CF_INTERFACE_METHODREF)) return true;
    return bad(in, "constant is not a method");
}

/* The count repeats the descriptor, for the sake of interpreters of 1995; HotSpot still compares. */
static bool check_interface(struct insn_reader *in) {
    uint16_t index = cursor_u2(&in->c);
    uint8_t count = cursor_u1(&in->c), zero = cursor_u1(&in->c);
    if (in->c.failed) return true;
    if (!cf_is(class_of(in), index, CF_INTERFACE_METHODREF))
        return bad(in, "constant is not an interface method");
    if (count != cf_desc_arg_words(cf_member(class_of(in), index).desc) + 1 || zero != 0)
        return bad(in, "invokeinterface has a wrong count");
    return true;
}

static bool check_indy(struct insn_reader *in) {
    if (!check_const(in, CF_INVOKE_DYNAMIC, "constant is not an InvokeDynamic")) return false;
    return cursor_u2(&in->c) == 0 || bad(in, "invokedynamic has operands that are not 0");
}

static bool check_class(struct insn_reader *in) {
    uint16_t index = cursor_u2(&in->c);
    if (in->c.failed) return true;
    if (!cf_is(class_of(in), index, CF_CLASS)) return bad(in, "constant is not a class");
    if (in->op == CF_OP_NEW && cf_class_name(class_of(in), index).p[0] == '[')
        return bad(in, "new of an array");
    return true;
}

/* It may create fewer dimensions than the array has, never more. */
static bool check_multi(struct insn_reader *in) {
    uint16_t index = cursor_u2(&in->c);
    uint8_t dims = cursor_u1(&in->c);
    if (in->c.failed) return true;
    if (!cf_is(class_of(in), index, CF_CLASS)) return bad(in, "constant is not a class");
    struct cf_str name = cf_class_name(class_of(in), index);
    uint32_t have = 0;
    while (have < name.n && name.p[have] == '[') have++;
    return (dims != 0 && dims <= have) || bad(in, "multianewarray has a wrong number of dimensions");
}

/* Reads the operands of in->op and checks them. */
static bool check_insn(struct insn_reader *in) {
    struct cursor *c = &in->c;
    switch (cf_opcodes[in->op].format) {
    case CF_F_NONE: return true;
    case CF_F_LOCAL_N: return check_local_n(in);
    case CF_F_BYTE: return cursor_bytes(c, 1), true;
    case CF_F_SHORT: return cursor_bytes(c, 2), true;
    case CF_F_LDC: return check_ldc(in, cursor_u1(c));
    case CF_F_LDC_W: return check_ldc(in, cursor_u2(c));
    case CF_F_LOCAL: return check_local(in, cursor_u1(c));
    case CF_F_IINC: return check_local(in, cursor_u1(c)) && (cursor_u1(c), true);
    case CF_F_BRANCH: return check_target(in, (int16_t)cursor_u2(c));
    case CF_F_BRANCH_W: return check_target(in, (int32_t)cursor_u4(c));
    case CF_F_TABLE_SWITCH:
    case CF_F_LOOKUP_SWITCH: return check_switch(in);
    case CF_F_FIELD: return check_const(in, CF_FIELDREF, "constant is not a field");
    case CF_F_METHOD: return check_method(in);
    case CF_F_INTERFACE: return check_interface(in);
    case CF_F_INDY: return check_indy(in);
    case CF_F_CLASS: return check_class(in);
    case CF_F_NEWARRAY: {
        uint8_t type = cursor_u1(c);
        return (type >= 4 && type <= 11) || c->failed || bad(in, "bad element type");
    }
    case CF_F_MULTI: return check_multi(in);
    default: return check_wide(in);
    }
}

/* Does the instruction at bci jump to the target? */
static bool jumps_to(const struct cf_code *code, const struct cf_insn *in, int32_t target) {
    switch (cf_opcodes[in->op].format) {
    case CF_F_BRANCH:
    case CF_F_BRANCH_W: return in->target == target;
    case CF_F_TABLE_SWITCH:
    case CF_F_LOOKUP_SWITCH:
        for (uint32_t i = 0; i < in->n_cases; i++)
            if (cf_insn_case_target(code, in, i) == target) return true;
        return in->target == target;
    default: return false;
    }
}

/* Finds the jump that had marked a wrong target. */
static bool fail_target(struct cf_code_reader *cr, uint32_t target) {
    for (uint32_t bci = 0; bci < cr->code->length;) {
        struct cf_insn in = cf_insn_decode(cr->code, bci);
        if (jumps_to(cr->code, &in, (int32_t)target))
            return race_fail_at(cr->r->err, cr->code_at + bci, "%s at %u: target %u is inside an instruction",
                                cf_opcodes[in.op].name, bci, target);
        bci += in.length;
    }
    return race_fail_at(cr->r->err, cr->code_at, "branch into an instruction");
}

bool cf_check_instructions(struct cf_code_reader *cr) {
    uint32_t length = cr->code->length, words = length / 64 + 1;
    memset(cr->starts.w, 0, words * sizeof cr->starts.w[0]);
    memset(cr->targets.w, 0, words * sizeof cr->targets.w[0]);
    struct insn_reader in = {.cr = cr, .c = cursor_make(cr->r->cls->data, cr->code_at + length)};
    in.c.pos = cr->code_at;
    while (cursor_left(&in.c) != 0) {
        size_t at = in.c.pos;
        in.bci = (uint32_t)at - cr->code_at;
        cf_bit_set(&cr->starts, in.bci);
        in.op = cursor_u1(&in.c);
        if (in.op >= CF_OPCODE_COUNT)
            return race_fail_at(cr->r->err, at, "bad opcode 0x%02x at %u", in.op, in.bci);
        if (!check_insn(&in))
            return race_fail_at(cr->r->err, at, "%s at %u: %s", cf_opcodes[cr->r->cls->data[at]].name, in.bci,
                                in.reason);
        if (in.c.failed)
            return race_fail_at(cr->r->err, at, "%s at %u: code ends inside the instruction",
                                cf_opcodes[cr->r->cls->data[at]].name, in.bci);
    }
    for (uint32_t i = 0; i < words; i++) {
        uint64_t wrong = cr->targets.w[i] & ~cr->starts.w[i];
        if (wrong != 0) return fail_target(cr, i * 64 + (uint32_t)__builtin_ctzll(wrong));
    }
    return true;
}
