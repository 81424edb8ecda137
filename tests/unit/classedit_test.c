/* The editor on a class of a few bytes: everything it writes is read back and looked at. */
#include "race/classedit.h"
#include "race/framesim.h"
#include "race/opcodes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* class A extends Object, version 61, no members: pool 1 = Utf8 A, 2 = Class 1, 3 = Utf8 Object, 4 = Class 3
 */
static const uint8_t empty_class[] = {
    0xCA, 0xFE, 0xBA, 0xBE, 0,    0,   0,   61,  0,   5,   1,   0,   1,   'A', 7,   0,   1,   1,
    0,    16,   'j',  'a',  'v',  'a', '/', 'l', 'a', 'n', 'g', '/', 'O', 'b', 'j', 'e', 'c', 't',
    7,    0,    3,    0,    0x21, 0,   2,   0,   4,   0,   0,   0,   0,   0,   0,   0,   0};

struct world {
    struct cf_class cls;
    struct cf_edit e;
    struct cfe_buf out;
    struct cf_class again; /* what was written, parsed */
};

static void open_bytes(struct world *w, const uint8_t *bytes, size_t size) {
    struct race_error err = {0};
    *w = (struct world){0};
    if (!cf_parse(&w->cls, bytes, size, &err)) fail_msg("%s", err.what);
    cfe_init(&w->e, &w->cls);
}

static void write_and_read(struct world *w) {
    struct race_error err = {0};
    cf_class_release(&w->again); /* of an earlier round */
    assert_int_equal(cfe_write(&w->e, &w->out), CFE_OK);
    if (!cf_parse(&w->again, w->out.p, w->out.n, &err)) fail_msg("offset %zu: %s", err.offset, err.what);
}

static void close_world(struct world *w) {
    cf_class_release(&w->again);
    cfe_buf_release(&w->out);
    cfe_release(&w->e);
    cf_class_release(&w->cls);
}

static struct cfe_method *add_static(struct world *w, const char *name, const char *desc) {
    return cfe_add_method(&w->e, CF_ACC_STATIC, cf_z(name), cf_z(desc));
}

static void no_wish_gives_the_same_bytes(void **state) {
    (void)state;
    struct world w;
    open_bytes(&w, empty_class, sizeof empty_class);
    assert_false(cfe_changed(&w.e));
    write_and_read(&w);
    assert_int_equal(w.out.n, sizeof empty_class);
    assert_memory_equal(w.out.p, empty_class, sizeof empty_class);
    close_world(&w);
}

static void constants_are_found_before_they_are_added(void **state) {
    (void)state;
    struct world w;
    open_bytes(&w, empty_class, sizeof empty_class);
    assert_int_equal(cfe_utf8(&w.e, cf_z("A")), 1);
    assert_int_equal(cfe_class(&w.e, cf_z("java/lang/Object")), 4);
    assert_false(cfe_changed(&w.e));
    uint16_t l = cfe_long(&w.e, -7), i = cfe_int(&w.e, -7);
    assert_int_equal(l, 5);
    assert_int_equal(i, 7); /* a long takes two indices */
    assert_int_equal(cfe_long(&w.e, -7), l);
    uint16_t ref = cfe_ref(&w.e, CF_METHODREF, cf_z("A"), cf_z("m"), cf_z("()V"));
    assert_int_equal(cfe_ref(&w.e, CF_METHODREF, cf_z("A"), cf_z("m"), cf_z("()V")), ref);
    assert_int_not_equal(cfe_ref(&w.e, CF_INTERFACE_METHODREF, cf_z("A"), cf_z("m"), cf_z("()V")), ref);
    assert_true(cf_str_is(cfe_member_at(&w.e, ref).name, "m"));
    write_and_read(&w);
    assert_true(cf_str_is(cf_member(&w.again, ref).desc, "()V"));
    assert_true(w.again.pool[l].u.l == -7);
    close_world(&w);
}

static void a_full_pool_fails_the_class(void **state) {
    (void)state;
    struct world w;
    open_bytes(&w, empty_class, sizeof empty_class);
    for (int32_t i = 0; i < 70000; i++) cfe_int(&w.e, i);
    assert_int_equal(cfe_utf8(&w.e, cf_z("one more")), 0);
    assert_int_equal(cfe_write(&w.e, &w.out), CFE_POOL_FULL);
    assert_string_equal(cfe_reason_text(CFE_POOL_FULL), "constant pool full");
    close_world(&w);
}

static void fields_are_added_with_their_value(void **state) {
    (void)state;
    struct world w;
    open_bytes(&w, empty_class, sizeof empty_class);
    cfe_add_field(&w.e, CF_ACC_PUBLIC, cf_z("x"), cf_z("J"), 0);
    cfe_add_field(&w.e, CF_ACC_STATIC | CF_ACC_FINAL, cf_z("y"), cf_z("J"), cfe_long(&w.e, 99));
    write_and_read(&w);
    assert_int_equal(w.again.n_fields, 2);
    assert_int_equal(w.again.fields[0].attrs.n, 0);
    assert_non_null(cf_attr_find(&w.again.fields[1].attrs, CF_ATTR_CONSTANT_VALUE));
    close_world(&w);
}

/* static int f(int n) { return n == 0 ? 7 : n; } with `fill` nops in the branch taken for 0. */
static void assemble_choice(struct world *w, int fill) {
    struct cfe_method *m = add_static(w, "f", "(I)I");
    struct cf_asm *a = cfe_tail(m);
    struct cf_label other = cfe_label(m);
    cfa_local(a, CF_OP_ILOAD, 0);
    cfa_branch(a, CF_OP_IFNE, other);
    for (int i = 0; i < fill; i++) cfa_op(a, CF_OP_NOP);
    cfa_push_int(a, 7);
    cfa_op(a, CF_OP_IRETURN);
    cfa_bind(a, other);
    cfa_local(a, CF_OP_ILOAD, 0);
    cfa_op(a, CF_OP_IRETURN);
    cfe_need_stack(m, 1);
}

static void a_jump_gets_a_frame(void **state) {
    (void)state;
    struct world w;
    open_bytes(&w, empty_class, sizeof empty_class);
    assemble_choice(&w, 0);
    write_and_read(&w);
    const struct cf_code *code = w.again.methods[0].code;
    assert_int_equal(code->n_frames, 1);
    assert_int_equal(code->frames[0].bci, cf_insn_decode(code, 1).target);
    assert_int_equal(code->frames[0].n_locals, 1);
    assert_int_equal(code->frames[0].locals[0].tag, CF_V_INTEGER);
    close_world(&w);
}

static void a_far_jump_is_inverted(void **state) {
    (void)state;
    struct world w;
    open_bytes(&w, empty_class, sizeof empty_class);
    assemble_choice(&w, 40000);
    write_and_read(&w);
    const struct cf_code *code = w.again.methods[0].code;
    struct cf_insn test = cf_insn_decode(code, 1), jump = cf_insn_decode(code, 4);
    assert_int_equal(test.op, CF_OP_IFEQ);
    assert_int_equal(test.target, 9);
    assert_int_equal(jump.op, CF_OP_GOTO_W);
    assert_int_equal(jump.target, code->frames[1].bci);
    assert_int_equal(code->frames[0].bci, 9);
    close_world(&w);
}

static void an_added_method_that_is_too_large_fails_the_class(void **state) {
    (void)state;
    struct world w;
    open_bytes(&w, empty_class, sizeof empty_class);
    assemble_choice(&w, 66000);
    assert_int_equal(cfe_write(&w.e, &w.out), CFE_CODE_TOO_LARGE);
    close_world(&w);
}

/* Writes the class with f() once and opens what came out for a second round of edits. */
static uint8_t *choice_class(size_t *size) {
    struct world w;
    open_bytes(&w, empty_class, sizeof empty_class);
    assemble_choice(&w, 0);
    write_and_read(&w);
    uint8_t *copy = malloc(w.out.n);
    memcpy(copy, w.out.p, w.out.n);
    *size = w.out.n;
    close_world(&w);
    return copy;
}

static void a_method_that_would_be_too_large_is_left_alone(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = choice_class(&size);
    struct world w;
    open_bytes(&w, bytes, size);
    struct cfe_method *m = cfe_method(&w.e, 0);
    for (int i = 0; i < 66000; i++) cfa_op(cfe_before(m, 1), CF_OP_NOP);
    assert_true(cfe_code_size(m) > 65535);
    write_and_read(&w);
    assert_int_equal(m->reason, CFE_CODE_TOO_LARGE);
    assert_int_equal(w.out.n, size);
    assert_memory_equal(w.out.p, bytes, size);
    close_world(&w);
    free(bytes);
}

/* before() runs for jumps too, after() does not; entry() is outside a range that starts at 0. */
static void places_are_where_the_header_says(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = choice_class(&size);
    struct world w;
    open_bytes(&w, bytes, size);
    struct cfe_method *m = cfe_method(&w.e, 0);
    const struct cf_code *old = w.cls.methods[0].code;
    uint32_t target = (uint32_t)cf_insn_decode(old, 1).target;
    uint16_t kept = cfe_add_typed_local(m, (struct cf_vtype){CF_V_LONG, 0});
    cfa_push_long(cfe_entry(m), 1);
    cfa_local(cfe_entry(m), CF_OP_LSTORE, kept);
    cfa_op(cfe_before(m, target), CF_OP_NOP);
    cfa_op(cfe_after(m, target), CF_OP_NOP);
    struct cf_label handler = cfe_label(m);
    cfa_bind(cfe_tail(m), handler);
    cfa_op(cfe_tail(m), CF_OP_ATHROW);
    cfe_add_handler(m, cfe_label_at(m, 0), cfe_label_at(m, old->length), handler, 0, true);
    cfe_need_stack(m, 2);
    write_and_read(&w);

    const struct cf_code *code = w.again.methods[0].code;
    assert_int_equal(code->code[0], CF_OP_LCONST_1);
    struct cf_insn jump = cf_insn_decode(code, 3);
    assert_int_equal(jump.op, CF_OP_IFNE);
    assert_int_equal(code->code[jump.target], CF_OP_NOP);
    assert_int_equal(code->code[jump.target + 1], CF_OP_ILOAD_0);
    assert_int_equal(code->code[jump.target + 2], CF_OP_NOP);
    assert_int_equal(code->n_handlers, 1);
    assert_int_equal(code->handlers[0].start, 2);
    assert_int_equal(code->code[code->handlers[0].handler], CF_OP_ATHROW);
    assert_int_equal(code->n_frames, 2);
    assert_int_equal(code->frames[0].n_locals, 2); /* int, long */
    assert_int_equal(code->frames[0].locals[1].tag, CF_V_LONG);
    assert_int_equal(code->frames[1].locals[0].tag, CF_V_TOP); /* the handler knows the typed local only */
    assert_int_equal(code->frames[1].locals[1].tag, CF_V_LONG);
    assert_int_equal(code->frames[1].stack[0].tag, CF_V_OBJECT);
    close_world(&w);
    free(bytes);
}

/* static void g(Object o) { synchronized (o) {} } as compilers write it. */
static uint8_t *monitor_class(size_t *size) {
    struct world w;
    open_bytes(&w, empty_class, sizeof empty_class);
    struct cfe_method *m = add_static(&w, "g", "(Ljava/lang/Object;)V");
    struct cf_asm *a = cfe_tail(m);
    struct cf_label start = cfe_label(m), end = cfe_label(m), handler = cfe_label(m);
    uint16_t kept = cfe_add_typed_local(m, (struct cf_vtype){CF_V_OBJECT, 4});
    cfa_local(a, CF_OP_ALOAD, 0);
    cfa_local(a, CF_OP_ASTORE, kept);
    cfa_local(a, CF_OP_ALOAD, kept);
    cfa_op(a, CF_OP_MONITORENTER);
    cfa_bind(a, start);
    cfa_local(a, CF_OP_ALOAD, kept);
    cfa_op(a, CF_OP_MONITOREXIT);
    cfa_bind(a, end);
    cfa_op(a, CF_OP_RETURN);
    cfa_bind(a, handler);
    cfa_local(a, CF_OP_ALOAD, kept);
    cfa_op(a, CF_OP_MONITOREXIT);
    cfa_op(a, CF_OP_ATHROW);
    cfe_add_handler(m, start, end, handler, 0, false);
    cfe_need_stack(m, 2);
    write_and_read(&w);
    uint8_t *copy = malloc(w.out.n);
    memcpy(copy, w.out.p, w.out.n);
    *size = w.out.n;
    close_world(&w);
    return copy;
}

static void guarded_code_widens_the_range_behind_it(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = monitor_class(&size);
    for (int guarded = 0; guarded < 2; guarded++) {
        struct world w;
        open_bytes(&w, bytes, size);
        struct cfe_method *m = cfe_method(&w.e, 0);
        cfa_op(guarded ? cfe_after_guarded(m, 3) : cfe_after(m, 3), CF_OP_NOP);
        write_and_read(&w);
        const struct cf_code *code = w.again.methods[0].code;
        assert_int_equal(code->code[3], CF_OP_MONITORENTER);
        assert_int_equal(code->code[4], CF_OP_NOP);
        assert_int_equal(code->handlers[0].start, guarded ? 4 : 5);
        close_world(&w);
    }
    free(bytes);
}

static void an_inner_handler_knows_the_locals(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = monitor_class(&size);
    struct world w;
    open_bytes(&w, bytes, size);
    struct cfe_method *m = cfe_method(&w.e, 0);
    struct cf_label start = cfe_label(m), end = cfe_label(m), failed = cfe_label(m);
    struct cf_asm *a = cfe_before(m, 5);
    cfa_bind(a, start);
    cfa_op(a, CF_OP_NOP);
    cfa_bind(a, end);
    cfa_bind(cfe_tail(m), failed);
    cfa_op(cfe_tail(m), CF_OP_POP);
    cfa_local(cfe_tail(m), CF_OP_ALOAD, 1);
    cfa_branch(cfe_tail(m), CF_OP_GOTO, end);
    cfe_add_inner_handler(m, start, end, failed);
    write_and_read(&w);
    assert_int_equal(m->reason, CFE_OK);
    const struct cf_code *code = w.again.methods[0].code;
    const struct cf_frame *last = &code->frames[code->n_frames - 1];
    assert_int_equal(code->handlers[0].handler, last->bci); /* first in the table, last in the code */
    assert_int_equal(last->n_locals, 2);
    assert_int_equal(last->locals[1].tag, CF_V_OBJECT);
    assert_int_equal(last->n_stack, 1);
    close_world(&w);
    free(bytes);
}

static void a_method_can_be_renamed_and_replaced(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = choice_class(&size);
    struct world w;
    open_bytes(&w, bytes, size);
    struct cfe_method *m = cfe_method(&w.e, 0);
    cfe_rename(m, cf_z("old$f"));
    cfe_set_access(m, CF_ACC_STATIC | CF_ACC_PRIVATE);
    struct cfe_method *n = add_static(&w, "f", "(I)I");
    cfa_load_args(cfe_tail(n), cf_z("(I)I"), 0);
    cfa_invoke(cfe_tail(n), CF_OP_INVOKESTATIC, "A", "old$f", "(I)I");
    cfa_op(cfe_tail(n), cfa_return_op(cf_z("(I)I")));
    cfe_need_stack(n, 1);
    write_and_read(&w);
    assert_int_equal(w.again.n_methods, 2);
    assert_true(cf_str_is(cf_utf8(&w.again, w.again.methods[0].name), "old$f"));
    assert_int_equal(w.again.methods[0].access, CF_ACC_STATIC | CF_ACC_PRIVATE);
    assert_int_equal(w.again.methods[1].code->length, 5);
    close_world(&w);
    free(bytes);
}

static void an_unbound_label_is_a_bad_edit(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = choice_class(&size);
    struct world w;
    open_bytes(&w, bytes, size);
    struct cfe_method *m = cfe_method(&w.e, 0);
    cfa_branch(cfe_before(m, 0), CF_OP_GOTO, cfe_label(m));
    write_and_read(&w);
    assert_int_equal(m->reason, CFE_BAD_EDIT);
    cfe_clear_code(m);
    write_and_read(&w);
    assert_int_equal(w.out.n, size);
    close_world(&w);
    free(bytes);
}

/* static int g(Object o, int n): aload_0; iload_1; iinc 1; ...: what is known of the operands. */
static void the_simulation_knows_where_values_come_from(void **state) {
    (void)state;
    struct world w;
    open_bytes(&w, empty_class, sizeof empty_class);
    struct arena arena;
    struct framesim s;
    arena_init(&arena);
    assert_true(fs_init(&s, &w.e, &arena, 8, 4, 6));
    fs_enter(&s, CF_ACC_STATIC, cf_z("g"), cf_z("([[Ljava/lang/String;I)V"));
    fs_step(&s, CF_OP_ALOAD_0, 0, 0, 0);
    fs_step(&s, CF_OP_ILOAD_1, 1, 0, 0);
    assert_int_equal(fs_peek(&s, 0).from, 2);
    assert_int_equal(fs_peek(&s, 1).from, 1);
    fs_step(&s, CF_OP_IINC, 1, 1, 0);
    assert_int_equal(fs_peek(&s, 0).from, 0);
    fs_step(&s, CF_OP_AALOAD, 0, 0, 0);
    assert_true(cf_str_is(fs_peek(&s, 0).name, "[Ljava/lang/String;"));
    assert_int_equal(fs_peek(&s, 0).origin, FS_HEAP);
    fs_step(&s, CF_OP_LCONST_0, 0, 0, 0);
    fs_step(&s, CF_OP_DUP2_X1, 0, 0, 0);
    assert_int_equal(s.now.depth, 5);
    assert_int_equal(s.now.stack[0].tag, CF_V_LONG);
    assert_int_equal(s.now.stack[2].tag, CF_V_OBJECT);
    assert_false(s.failed);
    fs_step(&s, CF_OP_POP2, 0, 0, 0);
    fs_step(&s, CF_OP_POP, 0, 0, 0);
    fs_step(&s, CF_OP_POP2, 0, 0, 0);
    fs_step(&s, CF_OP_POP, 0, 0, 0);
    assert_true(s.failed); /* the stack is empty */
    arena_release(&arena);
    close_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_wish_gives_the_same_bytes),
        cmocka_unit_test(constants_are_found_before_they_are_added),
        cmocka_unit_test(a_full_pool_fails_the_class),
        cmocka_unit_test(fields_are_added_with_their_value),
        cmocka_unit_test(a_jump_gets_a_frame),
        cmocka_unit_test(a_far_jump_is_inverted),
        cmocka_unit_test(an_added_method_that_is_too_large_fails_the_class),
        cmocka_unit_test(a_method_that_would_be_too_large_is_left_alone),
        cmocka_unit_test(places_are_where_the_header_says),
        cmocka_unit_test(guarded_code_widens_the_range_behind_it),
        cmocka_unit_test(an_inner_handler_knows_the_locals),
        cmocka_unit_test(a_method_can_be_renamed_and_replaced),
        cmocka_unit_test(an_unbound_label_is_a_bad_edit),
        cmocka_unit_test(the_simulation_knows_where_values_come_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
