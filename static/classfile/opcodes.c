#include "race/opcodes.h"

/* Instruction length of each format, opcode byte included; 0 where it is not fixed. */
enum {
    LENGTH_NONE = 1,
    LENGTH_LOCAL_N = 1,
    LENGTH_BYTE = 2,
    LENGTH_SHORT = 3,
    LENGTH_LDC = 2,
    LENGTH_LDC_W = 3,
    LENGTH_LOCAL = 2,
    LENGTH_IINC = 3,
    LENGTH_BRANCH = 3,
    LENGTH_BRANCH_W = 5,
    LENGTH_TABLE_SWITCH = 0,
    LENGTH_LOOKUP_SWITCH = 0,
    LENGTH_FIELD = 3,
    LENGTH_METHOD = 3,
    LENGTH_INTERFACE = 5,
    LENGTH_INDY = 5,
    LENGTH_CLASS = 3,
    LENGTH_NEWARRAY = 2,
    LENGTH_MULTI = 4,
    LENGTH_WIDE = 0
};

#define INFO(suffix, text, fmt, pop, push)                                                                   \
    {.name = text, .format = CF_F_##fmt, .length = LENGTH_##fmt, .pops = pop, .pushes = push},

const struct cf_opcode_info cf_opcodes[CF_OPCODE_COUNT] = {CF_OPCODES(INFO)};

_Static_assert(CF_OP_JSR_W == CF_OPCODE_COUNT - 1, "the table must name every opcode");
