/* The reader's view of code: every instruction format, right and wrong, and every form of stack map frame. */
#include "race/classfile.h"
#include "race/opcodes.h"

#include "class_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Constants of the classes below, in the order in which build() makes them; small enough for one byte. */
enum {
    K_NAME = 1, /* Utf8 */
    K_THIS = 2,
    K_OBJECT = 4,
    K_GRID = 6, /* Class [[I */
    K_FIELD = 12,
    K_METHOD = 18,
    K_INTERFACE = 24, /* (JI)V: four words with the receiver */
    K_LONG = 25,
    K_STRING = 28,
    K_INT = 29
};

struct method_spec {
    uint16_t major;
    const char *desc;
    uint16_t access, max_stack, max_locals;
    const uint8_t *code;
    size_t length;
    const uint8_t *map; /* StackMapTable payload or NULL */
    size_t map_length;
};

static void make_constants(struct class_builder *cb) {
    assert_int_equal(cb_class(cb, "T"), K_THIS);
    assert_int_equal(cb_class(cb, "java/lang/Object"), K_OBJECT);
    assert_int_equal(cb_class(cb, "[[I"), K_GRID);
    assert_int_equal(cb_member(cb, 9, "T", "f", "I"), K_FIELD);
    assert_int_equal(cb_member(cb, 10, "T", "m", "()V"), K_METHOD);
    assert_int_equal(cb_member(cb, 11, "I", "i", "(JI)V"), K_INTERFACE);
    assert_int_equal(cb_long(cb, 7), K_LONG);
    assert_int_equal(cb_ref1(cb, 8, "text"), K_STRING);
    assert_int_equal(cb_const(cb, 3), K_INT);
    bytes_u4(&cb->pool, 100000);
}

static uint8_t *build(const struct method_spec *s, size_t *size) {
    struct class_builder cb;
    cb_init(&cb, s->major);
    make_constants(&cb);
    cb_u2(&cb, 0x0021);
    cb_u2(&cb, K_THIS);
    cb_u2(&cb, K_OBJECT);
    cb_u2(&cb, 0);
    cb_u2(&cb, 0);
    cb_u2(&cb, 1);
    cb_u2(&cb, s->access);
    cb_u2(&cb, cb_utf8(&cb, "m"));
    cb_u2(&cb, cb_utf8(&cb, s->desc));
    cb_u2(&cb, 1);
    size_t code = cb_attr_begin(&cb, "Code");
    cb_u2(&cb, s->max_stack);
    cb_u2(&cb, s->max_locals);
    cb_u4(&cb, (uint32_t)s->length);
    for (size_t i = 0; i < s->length; i++) cb_u1(&cb, s->code[i]);
    cb_u2(&cb, 0);
    cb_u2(&cb, s->map != NULL);
    if (s->map != NULL) {
        size_t map = cb_attr_begin(&cb, "StackMapTable");
        for (size_t i = 0; i < s->map_length; i++) cb_u1(&cb, s->map[i]);
        cb_attr_end(&cb, map);
    }
    cb_attr_end(&cb, code);
    cb_u2(&cb, 0);
    uint8_t *p = cb_finish(&cb, size);
    cb_release(&cb);
    return p;
}

/* ---- instructions ---- */

#define CODE(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})
#define RETURN CF_OP_RETURN

/* One instruction and a return.  A row without a complaint must be accepted and decode to these operands. */
struct row {
    const char *complaint;
    const uint8_t *code;
    size_t length;
    uint8_t op;
    uint16_t index;
    int32_t value, target;
};

static const struct row rows[] = {
    {NULL, CODE(CF_OP_BIPUSH, 0x80, RETURN), CF_OP_BIPUSH, 0, -128, 0},
    {NULL, CODE(CF_OP_SIPUSH, 0xFF, 0xFE, RETURN), CF_OP_SIPUSH, 0, -2, 0},
    {NULL, CODE(CF_OP_LDC, K_STRING, RETURN), CF_OP_LDC, K_STRING, 0, 0},
    {NULL, CODE(CF_OP_LDC, K_INT, RETURN), CF_OP_LDC, K_INT, 0, 0},
    {NULL, CODE(CF_OP_LDC_W, 0, K_OBJECT, RETURN), CF_OP_LDC_W, K_OBJECT, 0, 0},
    {NULL, CODE(CF_OP_LDC2_W, 0, K_LONG, RETURN), CF_OP_LDC2_W, K_LONG, 0, 0},
    {"ldc at 0: constant is of the wrong size", CODE(CF_OP_LDC, K_LONG, RETURN), 0, 0, 0, 0},
    {"ldc2_w at 0: constant is of the wrong size", CODE(CF_OP_LDC2_W, 0, K_INT, RETURN), 0, 0, 0, 0},
    {"ldc at 0: constant cannot be loaded", CODE(CF_OP_LDC, K_NAME, RETURN), 0, 0, 0, 0},
    {"ldc_w at 0: constant cannot be loaded", CODE(CF_OP_LDC_W, 0, K_LONG + 1, RETURN), 0, 0, 0, 0},
    {NULL, CODE(CF_OP_LLOAD, 2, RETURN), CF_OP_LLOAD, 2, 0, 0},
    {"lload at 0: local variable", CODE(CF_OP_LLOAD, 3, RETURN), 0, 0, 0, 0},
    {NULL, CODE(CF_OP_DSTORE_2, RETURN), CF_OP_DSTORE_2, 2, 0, 0},
    {"dstore_3 at 0: local variable", CODE(CF_OP_DSTORE_3, RETURN), 0, 0, 0, 0},
    {NULL, CODE(CF_OP_IINC, 3, 0xFF, RETURN), CF_OP_IINC, 3, -1, 0},
    {"iinc at 0: local variable", CODE(CF_OP_IINC, 4, 1, RETURN), 0, 0, 0, 0},
    {NULL, CODE(CF_OP_WIDE, CF_OP_IINC, 0, 3, 0xFE, 0, RETURN), CF_OP_IINC, 3, -512, 0},
    {NULL, CODE(CF_OP_WIDE, CF_OP_RET, 0, 1, RETURN), CF_OP_RET, 1, 0, 0},
    {"wide at 0: local variable", CODE(CF_OP_WIDE, CF_OP_LLOAD, 0, 3, RETURN), 0, 0, 0, 0},
    {"wide at 0: wide before", CODE(CF_OP_WIDE, CF_OP_NOP, 0, 3, RETURN), 0, 0, 0, 0},
    {NULL, CODE(CF_OP_GOTO, 0, 3, RETURN), CF_OP_GOTO, 0, 0, 3},
    {NULL, CODE(CF_OP_JSR, 0, 3, RETURN), CF_OP_JSR, 0, 0, 3},
    {NULL, CODE(CF_OP_GOTO_W, 0, 0, 0, 5, RETURN), CF_OP_GOTO_W, 0, 0, 5},
    {NULL, CODE(CF_OP_JSR_W, 0, 0, 0, 0, RETURN), CF_OP_JSR_W, 0, 0, 0},
    {"goto_w at 0: branch target lies outside", CODE(CF_OP_GOTO_W, 0x7F, 0xFF, 0xFF, 0xFF, RETURN), 0, 0, 0,
     0},
    {"goto_w at 0: branch target lies outside", CODE(CF_OP_GOTO_W, 0x80, 0, 0, 0, RETURN), 0, 0, 0, 0},
    {"goto at 0: branch target lies outside", CODE(CF_OP_GOTO, 0, 4, RETURN), 0, 0, 0, 0},
    {"goto at 0: target 2 is inside", CODE(CF_OP_GOTO, 0, 2, RETURN), 0, 0, 0, 0},
    {NULL, CODE(CF_OP_GETFIELD, 0, K_FIELD, RETURN), CF_OP_GETFIELD, K_FIELD, 0, 0},
    {"putstatic at 0: constant is not a field", CODE(CF_OP_PUTSTATIC, 0, K_METHOD, RETURN), 0, 0, 0, 0},
    {NULL, CODE(CF_OP_INVOKEVIRTUAL, 0, K_METHOD, RETURN), CF_OP_INVOKEVIRTUAL, K_METHOD, 0, 0},
    {NULL, CODE(CF_OP_INVOKESTATIC, 0, K_INTERFACE, RETURN), CF_OP_INVOKESTATIC, K_INTERFACE, 0, 0},
    {"invokevirtual at 0: constant is not", CODE(CF_OP_INVOKEVIRTUAL, 0, K_INTERFACE, RETURN), 0, 0, 0, 0},
    {NULL, CODE(CF_OP_INVOKEINTERFACE, 0, K_INTERFACE, 4, 0, RETURN), CF_OP_INVOKEINTERFACE, K_INTERFACE, 4,
     0},
    {"invokeinterface has a wrong count", CODE(CF_OP_INVOKEINTERFACE, 0, K_INTERFACE, 3, 0, RETURN), 0, 0, 0,
     0},
    {"invokeinterface has a wrong count", CODE(CF_OP_INVOKEINTERFACE, 0, K_INTERFACE, 4, 1, RETURN), 0, 0, 0,
     0},
    {"not an interface method", CODE(CF_OP_INVOKEINTERFACE, 0, K_METHOD, 1, 0, RETURN), 0, 0, 0, 0},
    {"not an InvokeDynamic", CODE(CF_OP_INVOKEDYNAMIC, 0, K_METHOD, 0, 0, RETURN), 0, 0, 0, 0},
    {NULL, CODE(CF_OP_NEW, 0, K_OBJECT, RETURN), CF_OP_NEW, K_OBJECT, 0, 0},
    {"new at 0: new of an array", CODE(CF_OP_NEW, 0, K_GRID, RETURN), 0, 0, 0, 0},
    {NULL, CODE(CF_OP_NEWARRAY, 11, RETURN), CF_OP_NEWARRAY, 11, 0, 0},
    {"newarray at 0: bad element type", CODE(CF_OP_NEWARRAY, 12, RETURN), 0, 0, 0, 0},
    {NULL, CODE(CF_OP_MULTIANEWARRAY, 0, K_GRID, 2, RETURN), CF_OP_MULTIANEWARRAY, K_GRID, 2, 0},
    {"wrong number of dimensions", CODE(CF_OP_MULTIANEWARRAY, 0, K_GRID, 3, RETURN), 0, 0, 0, 0},
    {"wrong number of dimensions", CODE(CF_OP_MULTIANEWARRAY, 0, K_GRID, 0, RETURN), 0, 0, 0, 0},
    {"checkcast at 0: constant is not a class", CODE(CF_OP_CHECKCAST, 0, K_STRING, RETURN), 0, 0, 0, 0},
    {"bad opcode 0xca", CODE(0xCA, RETURN), 0, 0, 0, 0},
    {"code ends inside", CODE(CF_OP_GOTO_W, 0, 0), 0, 0, 0, 0},
    {"code ends inside", CODE(CF_OP_INVOKEINTERFACE, 0, K_INTERFACE, 4), 0, 0, 0, 0},
};

static void check_row(const struct row *row) {
    struct method_spec s = {
        .major = 61, .desc = "()V", .access = CF_ACC_STATIC, .max_stack = 4, .max_locals = 4};
    s.code = row->code;
    s.length = row->length;
    size_t size;
    uint8_t *p = build(&s, &size);
    struct cf_class cls;
    struct race_error err = {0};
    bool ok = cf_parse(&cls, p, size, &err);
    if (ok != (row->complaint == NULL)) fail_msg("row %td: %s", row - rows, ok ? "accepted" : err.what);
    if (ok) {
        struct cf_insn in = cf_insn_decode(cls.methods[0].code, 0);
        assert_int_equal(in.op, row->op);
        assert_int_equal(in.index, row->index);
        assert_int_equal(in.value, row->value);
        assert_int_equal(in.target, row->target);
        assert_int_equal(in.length, row->length - 1);
        assert_int_equal(in.wide, row->code[0] == CF_OP_WIDE);
        cf_class_release(&cls);
    } else if (strstr(err.what, row->complaint) == NULL) {
        fail_msg("row %td: %s", row - rows, err.what);
    }
    free(p);
}

static void test_formats(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) check_row(&rows[i]);
}

static void test_lookupswitch(void **state) {
    (void)state;
    /* clang-format off */
    uint8_t code[] = {CF_OP_LOOKUPSWITCH, 9, 9, 9, /* padding may be anything */
                      0, 0, 0, 28,  0, 0, 0, 2,
                      0xFF, 0xFF, 0xFF, 0xFF,  0, 0, 0, 28,
                      0, 0, 0, 5,  0, 0, 0, 29,
                      RETURN, RETURN};
    /* clang-format on */
    struct method_spec s = {.major = 61,
                            .desc = "()V",
                            .access = CF_ACC_STATIC,
                            .max_stack = 1,
                            .code = code,
                            .length = sizeof code};
    size_t size;
    uint8_t *p = build(&s, &size);
    struct cf_class cls;
    struct race_error err = {0};
    assert_true(cf_parse(&cls, p, size, &err));
    const struct cf_code *c = cls.methods[0].code;
    struct cf_insn in = cf_insn_decode(c, 0);
    assert_int_equal(in.length, 28);
    assert_int_equal(in.n_cases, 2);
    assert_int_equal(cf_insn_case_key(c, &in, 0), -1);
    assert_int_equal(cf_insn_case_key(c, &in, 1), 5);
    assert_int_equal(cf_insn_case_target(c, &in, 1), 29);
    cf_class_release(&cls);
    free(p);
    code[12] = 0x7F; /* keys no longer sorted */
    p = build(&s, &size);
    assert_false(cf_parse(&cls, p, size, &err));
    assert_non_null(strstr(err.what, "keys are not sorted"));
    free(p);
}

/* ---- frames ---- */

/* Instance method (long, Object): the first frame is this, long, Object in four words. */
static struct method_spec frame_spec(const uint8_t *map, size_t n) {
    static uint8_t nops[600];
    nops[sizeof nops - 1] = RETURN;
    return (struct method_spec){.major = 61,
                                .desc = "(JLjava/lang/Object;)V",
                                .max_stack = 2,
                                .max_locals = 8,
                                .code = nops,
                                .length = sizeof nops,
                                .map = map,
                                .map_length = n};
}

static void test_frame_forms(void **state) {
    (void)state;
    /* clang-format off */
    static const uint8_t map[] = {0, 7,
        10,                                  /* 10: same */
        252, 0, 4, CF_V_FLOAT,               /* 15: append 1 */
        251, 0, 99,                          /* 115: same, extended */
        64 + 4, CF_V_NULL,                   /* 120: same locals, 1 on the stack */
        249, 0, 9,                           /* 130: chop 2 */
        247, 0, 19, CF_V_OBJECT, 0, K_GRID,  /* 150: same locals, 1 on the stack, extended */
        255, 0, 49, 0, 2, CF_V_DOUBLE, CF_V_TOP, 0, 1, CF_V_LONG /* 200: full */
    };
    static const struct { uint16_t bci, n_locals, n_stack; } want[] = {
        {10, 3, 0}, {15, 4, 0}, {115, 4, 0}, {120, 4, 1}, {130, 2, 0}, {150, 2, 1}, {200, 2, 1}};
    /* clang-format on */
    struct method_spec s = frame_spec(map, sizeof map);
    size_t size;
    uint8_t *p = build(&s, &size);
    struct cf_class cls;
    struct race_error err = {0};
    if (!cf_parse(&cls, p, size, &err)) fail_msg("%s", err.what);
    const struct cf_code *c = cls.methods[0].code;
    assert_int_equal(c->n_frames, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(c->frames[i].bci, want[i].bci);
        assert_int_equal(c->frames[i].n_locals, want[i].n_locals);
        assert_int_equal(c->frames[i].n_stack, want[i].n_stack);
    }
    const struct cf_vtype *locals = c->frames[1].locals;
    assert_int_equal(locals[0].tag, CF_V_OBJECT);
    assert_int_equal(locals[0].arg, K_THIS);
    assert_int_equal(locals[1].tag, CF_V_LONG);
    assert_int_equal(locals[2].tag, CF_V_OBJECT);
    assert_int_equal(locals[2].arg, 0);
    assert_int_equal(locals[3].tag, CF_V_FLOAT);
    assert_int_equal(c->frames[6].locals[0].tag, CF_V_DOUBLE);
    assert_int_equal(c->frames[5].stack[0].arg, K_GRID);
    cf_class_release(&cls);
    free(p);
}

static const struct {
    const char *complaint;
    const uint8_t *map;
    size_t n;
} bad_maps[] = {
    {"chop of more locals", CODE(0, 2, 248, 0, 9, 250, 0, 9)},
    {"more locals than max_locals", CODE(0, 2, 254, 0, 9, 4, 4, 4)},
    {"more operands than max_stack", CODE(0, 1, 255, 0, 9, 0, 0, 0, 2, CF_V_LONG, CF_V_INTEGER)},
    {"bad frame type", CODE(0, 1, 128)},
    {"bad frame type", CODE(0, 1, 246)},
    {"bad type tag", CODE(0, 1, 64, 9)},
    {"attribute is cut off", CODE(0, 5, 1)},
    {"frame is cut off", CODE(0, 1, 251, 0)},
    {"frame is cut off", CODE(0, 1, 255, 0, 9, 0xFF, 0xFF)},
    {"wrong attribute length", CODE(0, 1, 1, 1)},
    {"frame lies outside the code", CODE(0, 1, 251, 2, 88)},
    {"Uninitialized type does not name a new", CODE(0, 1, 64, CF_V_UNINIT, 0, 0)},
    {"constant 1 is not a Class", CODE(0, 1, 64, CF_V_OBJECT, 0, K_NAME)},
};

static void test_bad_frames(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_maps / sizeof bad_maps[0]; i++) {
        struct method_spec s = frame_spec(bad_maps[i].map, bad_maps[i].n);
        size_t size;
        uint8_t *p = build(&s, &size);
        struct cf_class cls;
        struct race_error err = {0};
        if (cf_parse(&cls, p, size, &err)) fail_msg("%s: accepted", bad_maps[i].complaint);
        if (strstr(err.what, bad_maps[i].complaint) == NULL)
            fail_msg("%s: got: %s", bad_maps[i].complaint, err.what);
        free(p);
        /* In version 50 HotSpot would fall back to the old verifier; the table is set aside. */
        s.major = 50;
        p = build(&s, &size);
        err = (struct race_error){0};
        if (!cf_parse(&cls, p, size, &err)) fail_msg("version 50: %s", err.what);
        assert_false(cls.methods[0].code->has_frames);
        assert_int_equal(cls.methods[0].code->attrs.v[0].kind, CF_ATTR_OTHER);
        cf_class_release(&cls);
        free(p);
    }
}

/* Appending one local at a time to a long list, again and again, must not eat the memory. */
static void test_frames_cannot_explode(void **state) {
    (void)state;
    enum { CODE_LENGTH = 65535, FRAMES = 65000 };
    struct bytes map = {0};
    bytes_u2(&map, FRAMES);
    for (int i = 0; i < FRAMES; i++) {
        bool chop = i > 3 * FRAMES / 4 && i % 2 == 1;
        bytes_u1(&map, chop ? 250 : 252);
        bytes_u2(&map, 0);
        if (!chop) bytes_u1(&map, CF_V_INTEGER);
    }
    uint8_t *nops = calloc(1, CODE_LENGTH);
    struct method_spec s = {.major = 61,
                            .desc = "()V",
                            .access = CF_ACC_STATIC,
                            .max_locals = 65535,
                            .code = nops,
                            .length = CODE_LENGTH,
                            .map = map.p,
                            .map_length = map.n};
    size_t size;
    uint8_t *p = build(&s, &size);
    struct cf_class cls;
    struct race_error err = {0};
    assert_false(cf_parse(&cls, p, size, &err));
    assert_string_equal(err.what, "StackMapTable: expands to too many entries");
    free(p);
    free(nops);
    free(map.p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_lookupswitch),
        cmocka_unit_test(test_frame_forms),
        cmocka_unit_test(test_bad_frames),
        cmocka_unit_test(test_frames_cannot_explode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
