/* The class-file reader on a class written byte by byte, whole and damaged. */
#include "race/classfile.h"
#include "race/opcodes.h"

#include "sample_class.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct fixture {
    struct class_builder cb;
    struct sample_consts k;
    uint8_t *data;
    size_t size;
};

static int set_up(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    cb_init(&f->cb, 61);
    f->k = sample_build(&f->cb);
    f->data = cb_finish(&f->cb, &f->size);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    free(f->data);
    cb_release(&f->cb);
    free(f);
    return 0;
}

static void parse(const struct fixture *f, struct cf_class *cls) {
    struct race_error err = {0};
    if (!cf_parse(cls, f->data, f->size, &err)) fail_msg("offset %zu: %s", err.offset, err.what);
}

static const struct cf_code *sample_code_of(const struct cf_class *cls) {
    return cls->methods[0].code;
}

static void test_valid_header(void **state) {
    struct fixture *f = *state;
    struct cf_class cls;
    parse(f, &cls);
    assert_int_equal(cls.major, 61);
    assert_true(cf_str_is(cf_class_name(&cls, cls.this_class), "Sample"));
    assert_true(cf_str_is(cf_class_name(&cls, cls.super_class), "java/lang/Object"));
    assert_int_equal(cls.n_interfaces, 1);
    assert_true(cf_str_is(cf_utf8(&cls, cls.source_file), "Sample.java"));
    assert_int_equal(cls.pool_end, cb_offset(&f->cb, "access"));
    struct cf_member_ref m = cf_member(&cls, f->k.init);
    assert_true(cf_str_is(m.owner, "java/lang/Object"));
    assert_true(cf_str_is(m.name, "<init>"));
    assert_true(cf_str_is(m.desc, "()V"));
    assert_false(m.is_interface);
    assert_int_equal(cf_member(&cls, f->k.indy).owner.n, 0);
    assert_int_equal(cf_utf8(&cls, f->k.object).n, 0); /* of another kind */
    assert_int_equal(cf_utf8(&cls, 0xFFFF).n, 0);
    uint16_t l = f->k.init + 1;
    assert_int_equal(cls.pool[l].tag, CF_LONG);
    assert_true(cls.pool[l].u.l == INT64_C(0x123456789ABCDEF0));
    assert_int_equal(cls.pool[l + 1].tag, CF_UNUSABLE);
    cf_class_release(&cls);
}

static void test_valid_members(void **state) {
    struct fixture *f = *state;
    struct cf_class cls;
    parse(f, &cls);
    assert_int_equal(cls.n_fields, 1);
    assert_int_equal(cls.n_methods, 2);
    assert_null(cls.methods[1].code);
    assert_int_equal(cls.methods[0].offset, cb_offset(&f->cb, "method"));
    assert_int_equal(cls.fields[0].offset, cb_offset(&f->cb, "field"));
    assert_int_equal(cls.n_bootstraps, 1);
    assert_int_equal(cls.bootstraps[0].method, f->k.handle);
    assert_int_equal(cls.bootstraps[0].n_args, 1);
    assert_int_equal(cls.pool[cls.bootstraps[0].args[0]].tag, CF_STRING);
    assert_int_equal(cls.n_inners, 1);
    assert_int_equal(cls.attrs.n, 4);
    assert_int_equal(cls.attrs.v[3].kind, CF_ATTR_OTHER);
    assert_int_equal(cls.attrs.v[3].length, 1);
    assert_int_equal(cls.data[cls.attrs.v[3].offset + 6], 42);
    struct cf_str value;
    assert_true(cf_annotated(&cls, &cls.fields[0].attrs, "GuardedBy", &value));
    assert_true(cf_str_is(value, "this"));
    assert_false(cf_annotated(&cls, &cls.fields[0].attrs, "uardedBy", NULL));
    assert_false(cf_annotated(&cls, &cls.methods[0].attrs, "GuardedBy", NULL));
    cf_class_release(&cls);
}

static void test_valid_code(void **state) {
    struct fixture *f = *state;
    struct cf_class cls;
    parse(f, &cls);
    const struct cf_code *code = sample_code_of(&cls);
    assert_int_equal(code->attr_offset, cb_offset(&f->cb, "code_attribute"));
    assert_int_equal(code->length, SAMPLE_CODE_LENGTH);
    static const uint8_t ops[] = {CF_OP_ALOAD_0, CF_OP_IFNULL,        CF_OP_GETSTATIC, CF_OP_POP,
                                  CF_OP_ILOAD_1, CF_OP_TABLESWITCH,   CF_OP_ICONST_0,  CF_OP_IRETURN,
                                  CF_OP_BIPUSH,  CF_OP_IRETURN,       CF_OP_POP,       CF_OP_NEW,
                                  CF_OP_DUP,     CF_OP_INVOKESPECIAL, CF_OP_POP,       CF_OP_ICONST_1,
                                  CF_OP_IRETURN};
    uint32_t bci = 0;
    for (size_t i = 0; i < sizeof ops; i++) {
        struct cf_insn in = cf_insn_decode(code, bci);
        assert_int_equal(in.op, ops[i]);
        bci += in.length;
    }
    assert_int_equal(bci, code->length);
    struct cf_insn sw = cf_insn_decode(code, 9);
    assert_int_equal(sw.n_cases, 1);
    assert_int_equal(sw.target, 28);
    assert_int_equal(cf_insn_case_key(code, &sw, 0), 0);
    assert_int_equal(cf_insn_case_target(code, &sw, 0), 30);
    assert_int_equal(cf_insn_decode(code, 1).target, 8);
    assert_int_equal(cf_insn_decode(code, 8).index, 1);
    assert_int_equal(cf_insn_decode(code, 30).value, 7);
    assert_int_equal(code->n_handlers, 1);
    assert_int_equal(code->handlers[0].handler, 33);
    assert_int_equal(cf_line_at(code, 0), 10);
    assert_int_equal(cf_line_at(code, 29), 10);
    assert_int_equal(cf_line_at(code, 43), 12);
    assert_int_equal(code->n_vars, 1);
    assert_int_equal(code->vars[0].length, SAMPLE_CODE_LENGTH);
    cf_class_release(&cls);
}

static void test_valid_frames(void **state) {
    struct fixture *f = *state;
    struct cf_class cls;
    parse(f, &cls);
    const struct cf_code *code = sample_code_of(&cls);
    static const uint16_t at[] = {8, 28, 30, 33};
    assert_true(code->has_frames);
    assert_int_equal(code->n_frames, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(code->frames[i].bci, at[i]);
        assert_int_equal(code->frames[i].n_locals, 2);
        assert_int_equal(code->frames[i].locals[0].tag, CF_V_OBJECT);
        assert_int_equal(code->frames[i].locals[0].arg, 0); /* from the descriptor */
        assert_int_equal(code->frames[i].locals[1].tag, CF_V_INTEGER);
    }
    assert_int_equal(code->frames[2].n_stack, 0);
    assert_int_equal(code->frames[3].n_stack, 1);
    assert_int_equal(code->frames[3].stack[0].arg, f->k.throwable);
    cf_class_release(&cls);
}

struct seen {
    uint32_t at[8];
    enum cf_pc_kind kind[8];
    size_t n;
};

static void see(void *ctx, enum cf_pc_kind kind, uint32_t at) {
    struct seen *s = ctx;
    assert_true(s->n < 8);
    s->kind[s->n] = kind;
    s->at[s->n++] = at;
}

static void test_type_annotation_offsets(void **state) {
    struct fixture *f = *state;
    struct cf_class cls;
    parse(f, &cls);
    const struct cf_attr *a =
        cf_attr_find(&sample_code_of(&cls)->attrs, CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS);
    assert_non_null(a);
    struct seen s = {0};
    cf_type_annotation_pcs(&cls, a, see, &s);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.kind[0], CF_PC_OFFSET);
    assert_int_equal(s.at[0], cb_offset(&f->cb, "type_annotation_offset"));
    assert_int_equal(s.kind[1], CF_PC_RANGE);
    assert_int_equal(s.at[1], cb_offset(&f->cb, "type_annotation_range"));
    cf_class_release(&cls);
}

/* One place overwritten, what the error must say, and that it must point at or into the place. */
struct damage {
    const char *mark;
    size_t plus;
    unsigned width;
    uint32_t value;
    const char *what;
};

static const struct damage damages[] = {
    {"this_class", 0, 2, 0, "this_class"},
    {"this_class", 0, 2, 1, "this_class"},
    {"super_class", 0, 2, 999, "super_class"},
    {"super_class", 0, 2, 0, "no superclass"},
    {"interface", 0, 2, 1, "interface"},
    {"interfaces", 0, 2, 0xFFFF, "interfaces"},
    {"fields", 0, 2, 0xFFFF, "fields"},
    {"field", 2, 2, 0, "field name"},
    {"field", 4, 2, 2, "field descriptor"},
    {"methods", 0, 2, 0xFFFF, "methods"},
    {"method", 2, 2, 2, "method name"},
    {"method", 0, 2, 0x0408, "native or abstract"},
    {"native_method", 0, 2, 0, "without Code"},
    {"code_attribute", 0, 2, 0, "attribute name"},
    {"code_attribute", 2, 4, 0x7FFFFFFF, "longer than what encloses it"},
    {"max_locals", 0, 2, 1, "max_locals"},
    {"code_length", 0, 4, 0, "code length 0"},
    {"code_length", 0, 4, 70000, "code length 70000"},
    {"code_length", 0, 4, 60000, "code length 60000"},
    {"code", 0, 1, 0xCB, "bad opcode 0xcb at 0"},
    {"code", 0, 1, 45, "aload_3 at 0: local variable"},
    {"ifnull", 1, 2, 0x7000, "ifnull at 1: branch target lies outside"},
    {"ifnull", 1, 2, 0xFFF0, "ifnull at 1: branch target lies outside"},
    {"ifnull", 1, 2, 4, "ifnull at 1: target 5 is inside an instruction"},
    {"getstatic", 1, 2, 0, "getstatic at 4: constant is not a field"},
    {"getstatic", 1, 2, 0xFFFF, "getstatic at 4: constant is not a field"},
    {"iload_1", 0, 1, 31, "lload_1 at 8: local variable"},
    {"tableswitch", 7, 4, 5, "tableswitch at 9: switch of negative size"},
    {"tableswitch", 11, 4, 0x7FFFFFFF, "tableswitch at 9: switch is longer than the code"},
    {"tableswitch", 3, 4, 200, "tableswitch at 9: branch target"},
    {"bipush", 0, 2, 0xBC03, "newarray at 30: bad element type"},
    {"new", 1, 2, 1, "new at 34: constant is not a class"},
    {"invokespecial", 1, 2, 2, "invokespecial at 38: constant is not a method"},
    {"last", 0, 1, 16, "bipush at 43: code ends inside the instruction"},
    {"last", 0, 1, 196, "wide at 43: code ends inside the instruction"},
    {"handler", 0, 2, 2, "bad start_pc 2"},
    {"handler", 2, 2, 45, "bad end_pc 45"},
    {"handler", 2, 2, 0, "bad end_pc 0"},
    {"handler", 4, 2, 31, "bad handler_pc 31"},
    {"handler", 6, 2, 1, "exception table"},
    {"frame0", 0, 1, 60, "StackMapTable: frame lies outside the code"},
    {"frame0", 0, 1, 9 + 1, "StackMapTable: frame lies inside an instruction"},
    {"frame0", 0, 1, 200, "StackMapTable: bad frame type"},
    {"frame0", 0, 1, 250, "StackMapTable: "},
    {"frame3", 1, 1, 9, "StackMapTable: bad type tag"},
    {"frame3", 1, 1, 8, "Uninitialized type does not name a new"},
    {"frame3", 2, 2, 1, "StackMapTable: constant 1 is not a Class"},
    {"bootstrap", 0, 2, 2, "bootstrap method"},
    {"bootstrap", 4, 2, 1, "not loadable"},
    {"inner", 0, 2, 1, "inner class"},
};

static void put(uint8_t *p, unsigned width, uint32_t v) {
    for (unsigned i = 0; i < width; i++) p[i] = (uint8_t)(v >> (8 * (width - 1 - i)));
}

static void test_damaged(void **state) {
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        const struct damage *d = &damages[i];
        uint8_t *copy = malloc(f->size);
        memcpy(copy, f->data, f->size);
        put(copy + cb_offset(&f->cb, d->mark) + d->plus, d->width, d->value);
        struct cf_class cls;
        struct race_error err = {0};
        if (cf_parse(&cls, copy, f->size, &err)) fail_msg("%s+%zu was accepted", d->mark, d->plus);
        if (strstr(err.what, d->what) == NULL) fail_msg("%s+%zu: got: %s", d->mark, d->plus, err.what);
        assert_int_equal(err.exit_code, RACE_EXIT_INPUT);
        assert_true(err.has_offset && err.offset <= f->size);
        assert_null(cls.arena.chunks); /* released */
        free(copy);
    }
}

/* Odd debug tables are dropped, not fatal. */
static void test_odd_debug_tables(void **state) {
    struct fixture *f = *state;
    struct cf_class cls;
    put(f->data + cb_offset(&f->cb, "line0"), 2, 2);
    put(f->data + cb_offset(&f->cb, "var0") + 2, 2, 60);
    put(f->data + cb_offset(&f->cb, "type_annotation_offset"), 2, 35);
    put(f->data + cb_offset(&f->cb, "annotations"), 2, 9);
    parse(f, &cls);
    const struct cf_code *code = sample_code_of(&cls);
    assert_int_equal(code->n_lines, 0);
    assert_int_equal(code->n_vars, 0);
    assert_int_equal(cf_line_at(code, 0), -1);
    assert_null(cf_attr_find(&code->attrs, CF_ATTR_LINE_NUMBER_TABLE));
    assert_null(cf_attr_find(&code->attrs, CF_ATTR_LOCAL_VARIABLE_TABLE));
    assert_null(cf_attr_find(&code->attrs, CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS));
    assert_false(cf_annotated(&cls, &cls.fields[0].attrs, "GuardedBy", NULL));
    cf_class_release(&cls);
}

static void test_truncated_anywhere(void **state) {
    struct fixture *f = *state;
    for (size_t n = 0; n < f->size; n++) {
        uint8_t *exact = malloc(n); /* so that the sanitizer sees a read behind it */
        if (n != 0) memcpy(exact, f->data, n);
        struct cf_class cls;
        struct race_error err = {0};
        assert_false(cf_parse(&cls, exact, n, &err));
        assert_true(err.set && err.offset <= f->size);
        free(exact);
    }
}

/* No value of any single byte may crash the reader; the sanitizer build gives this test its teeth. */
static void test_every_byte_changed(void **state) {
    struct fixture *f = *state;
    static const uint8_t values[] = {0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF};
    size_t refused = 0;
    for (size_t at = 0; at < f->size; at++) {
        uint8_t old = f->data[at];
        for (size_t v = 0; v < sizeof values; v++) {
            f->data[at] = values[v];
            struct cf_class cls;
            struct race_error err = {0};
            if (cf_parse(&cls, f->data, f->size, &err))
                cf_class_release(&cls);
            else
                refused++;
        }
        f->data[at] = old;
    }
    assert_true(refused > f->size); /* most changes hit an index, a count or a length */
}

static void test_versions(void **state) {
    struct fixture *f = *state;
    struct cf_class cls;
    struct race_error err = {0};
    f->data[7] = 69;
    parse(f, &cls);
    cf_class_release(&cls);
    f->data[7] = 70;
    assert_false(cf_parse(&cls, f->data, f->size, &err));
    assert_string_equal(err.what, "class file version 70 is newer than 69 (Java 25)");
    err = (struct race_error){0};
    f->data[7] = 50; /* MethodHandle and InvokeDynamic came with 51 */
    assert_false(cf_parse(&cls, f->data, f->size, &err));
    assert_non_null(strstr(err.what, "constant in a class file of version 50"));
    err = (struct race_error){0};
    f->data[0] = 0;
    assert_false(cf_parse(&cls, f->data, f->size, &err));
    assert_non_null(strstr(err.what, "not a class file"));
}

static void test_descriptors(void **state) {
    (void)state;
    struct cf_str d = {.p = "(J[[DLjava/lang/String;I)[B", .n = 27};
    assert_int_equal(cf_desc_arg_words(d), 5);
    assert_int_equal(cf_desc_return(d), '[');
    struct cf_str empty = {.p = "", .n = 0};
    assert_int_equal(cf_desc_arg_words(empty), 0);
    assert_int_equal(cf_desc_return(empty), '\0');
}

static void test_opcode_table(void **state) {
    (void)state;
    assert_string_equal(cf_opcodes[CF_OP_NOP].name, "nop");
    assert_string_equal(cf_opcodes[177].name, "return");
    assert_string_equal(cf_opcodes[201].name, "jsr_w");
    assert_int_equal(CF_OP_INVOKEDYNAMIC, 186);
    assert_int_equal(CF_OP_IINC, 132);
    assert_int_equal(cf_opcodes[CF_OP_INVOKEINTERFACE].length, 5);
    assert_int_equal(cf_opcodes[CF_OP_TABLESWITCH].length, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
        TEST(test_valid_header),     TEST(test_valid_members),           TEST(test_valid_code),
        TEST(test_valid_frames),     TEST(test_type_annotation_offsets), TEST(test_damaged),
        TEST(test_odd_debug_tables), TEST(test_truncated_anywhere),      TEST(test_every_byte_changed),
        TEST(test_versions),         cmocka_unit_test(test_descriptors), cmocka_unit_test(test_opcode_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
