/* Java's arithmetic, in C without undefined behaviour. */
#include "interp.h"

#include "race/opcodes.h"

#include <math.h>

static struct value of_int(int64_t v) {
    return (struct value){.kind = IR_INT, .u.i = (int32_t)(uint32_t)(uint64_t)v};
}

static struct value of_long(uint64_t v) {
    return (struct value){.kind = IR_LONG, .u.l = (int64_t)v};
}

static struct value of_float(float v) {
    return (struct value){.kind = IR_FLOAT, .u.f = v};
}

static struct value of_double(double v) {
    return (struct value){.kind = IR_DOUBLE, .u.d = v};
}

/* Integers are computed in 64 bits, where neither MIN / -1 of an int nor overflow of one is special. */
static uint64_t whole(unsigned which, int64_t a, int64_t b, bool *zero) {
    switch (which) {
    case 0: return (uint64_t)a + (uint64_t)b;
    case 1: return (uint64_t)a - (uint64_t)b;
    case 2: return (uint64_t)a * (uint64_t)b;
    default: break;
    }
    *zero = b == 0;
    if (b == 0) return 0;
    if (b == -1) return which == 3 ? 0 - (uint64_t)a : 0;
    return (uint64_t)(which == 3 ? a / b : a % b);
}

static double real(unsigned which, double a, double b) {
    switch (which) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a / b;
    default: return fmod(a, b);
    }
}

static struct value shift_or_logic(uint32_t op, struct value a, struct value b) {
    uint32_t x = (uint32_t)a.u.i;
    uint64_t y = (uint64_t)a.u.l;
    switch (op) {
    case CF_OP_ISHL: return of_int((int64_t)(x << (b.u.i & 31)));
    case CF_OP_LSHL: return of_long(y << (b.u.i & 63));
    case CF_OP_ISHR: return of_int(a.u.i >> (b.u.i & 31));
    case CF_OP_LSHR: return of_long((uint64_t)(a.u.l >> (b.u.i & 63)));
    case CF_OP_IUSHR: return of_int((int64_t)(x >> (b.u.i & 31)));
    case CF_OP_LUSHR: return of_long(y >> (b.u.i & 63));
    case CF_OP_IAND: return of_int(a.u.i & b.u.i);
    case CF_OP_LAND: return of_long((uint64_t)(a.u.l & b.u.l));
    case CF_OP_IOR: return of_int(a.u.i | b.u.i);
    case CF_OP_LOR: return of_long((uint64_t)(a.u.l | b.u.l));
    case CF_OP_IXOR: return of_int(a.u.i ^ b.u.i);
    default: return of_long((uint64_t)(a.u.l ^ b.u.l));
    }
}

static struct value compare(uint32_t op, struct value a, struct value b) {
    if (op == CF_OP_LCMP) return of_int((a.u.l > b.u.l) - (a.u.l < b.u.l));
    double x = op <= CF_OP_FCMPG ? a.u.f : a.u.d, y = op <= CF_OP_FCMPG ? b.u.f : b.u.d;
    if (x != x || y != y) return of_int(op == CF_OP_FCMPG || op == CF_OP_DCMPG ? 1 : -1);
    return of_int((x > y) - (x < y));
}

struct value interp_binary(uint32_t op, struct value a, struct value b, bool *zero) {
    *zero = false;
    if (op >= CF_OP_LCMP) return compare(op, a, b);
    if (op >= CF_OP_ISHL) return shift_or_logic(op, a, b);
    unsigned which = (op - CF_OP_IADD) / 4;
    switch ((op - CF_OP_IADD) % 4) {
    case 0: return of_int((int64_t)whole(which, a.u.i, b.u.i, zero));
    case 1: return of_long(whole(which, a.u.l, b.u.l, zero));
    case 2: return of_float(which == 4 ? fmodf(a.u.f, b.u.f) : (float)real(which, a.u.f, b.u.f));
    default: return of_double(real(which, a.u.d, b.u.d));
    }
}

static int64_t saturate(double d, int64_t low, int64_t high) {
    if (d != d) return 0;
    if (d <= (double)low) return low;
    if (d >= (double)high) return high;
    return (int64_t)d;
}

struct value interp_unary(uint32_t op, struct value a) {
    double real_of = a.kind == IR_FLOAT ? (double)a.u.f : a.u.d;
    switch (op) {
    case CF_OP_INEG: return of_int(-(int64_t)a.u.i);
    case CF_OP_LNEG: return of_long(0 - (uint64_t)a.u.l);
    case CF_OP_FNEG: return of_float(-a.u.f);
    case CF_OP_DNEG: return of_double(-a.u.d);
    case CF_OP_I2L: return of_long((uint64_t)(int64_t)a.u.i);
    case CF_OP_I2F: return of_float((float)a.u.i);
    case CF_OP_I2D: return of_double(a.u.i);
    case CF_OP_L2I: return of_int(a.u.l);
    case CF_OP_L2F: return of_float((float)a.u.l);
    case CF_OP_L2D: return of_double((double)a.u.l);
    case CF_OP_F2I:
    case CF_OP_D2I: return of_int(saturate(real_of, INT32_MIN, INT32_MAX));
    case CF_OP_F2L:
    case CF_OP_D2L: return of_long((uint64_t)saturate(real_of, INT64_MIN, INT64_MAX));
    case CF_OP_F2D: return of_double(a.u.f);
    case CF_OP_D2F: return of_float((float)a.u.d);
    case CF_OP_I2B: return of_int((int8_t)a.u.i);
    case CF_OP_I2C: return of_int((uint16_t)a.u.i);
    case CF_OP_I2S: return of_int((int16_t)a.u.i);
    default: interp_stop("unknown computation", "");
    }
}

bool interp_holds(uint32_t op, struct value a, struct value b) {
    switch (op) {
    case CF_OP_IFNULL: return a.u.r == NULL;
    case CF_OP_IFNONNULL: return a.u.r != NULL;
    case CF_OP_IF_ACMPEQ: return a.u.r == b.u.r;
    case CF_OP_IF_ACMPNE: return a.u.r != b.u.r;
    default: break;
    }
    switch (op >= CF_OP_IF_ICMPEQ ? op - CF_OP_IF_ICMPEQ : op - CF_OP_IFEQ) {
    case 0: return a.u.i == b.u.i;
    case 1: return a.u.i != b.u.i;
    case 2: return a.u.i < b.u.i;
    case 3: return a.u.i >= b.u.i;
    case 4: return a.u.i > b.u.i;
    default: return a.u.i <= b.u.i;
    }
}
