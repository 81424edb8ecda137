/*
 * Aligning a changed class with its original.  Both are assembled here, the changed one with what coverage
 * tools insert: probes on a new local variable, turned-around jumps, methods of their own.
 */
#include "align.h"

#include "race/classedit.h"
#include "race/opcodes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

/* class T extends Object, of Java 5, without members. */
static const uint8_t empty[] = {0xca, 0xfe, 0xba, 0xbe, 0,   0,   0,   49,  0,   5,   1,   0,   1,    'T',
                                7,    0,    1,    1,    0,   16,  'j', 'a', 'v', 'a', '/', 'l', 'a',  'n',
                                'g',  '/',  'O',  'b',  'j', 'e', 'c', 't', 7,   0,   3,   0,   0x20, 0,
                                2,    0,    4,    0,    0,   0,   0,   0,   0,   0,   0};

enum change { UNCHANGED, PROBES, TURNED, SAME_AGAIN, LESS };

/* covered[n] = true, `covered` being the variable behind the parameter. */
static void probe(struct cf_asm *a, enum change change, int n) {
    if (change != PROBES && change != TURNED) return;
    cfa_local(a, CF_OP_ALOAD, 1);
    cfa_push_int(a, n);
    cfa_op(a, CF_OP_ICONST_1);
    cfa_op(a, CF_OP_BASTORE);
}

/* static void f(boolean[] p) { int i = 0; p[i] = true; if (s != 0) p[1] = false; s = i; } */
static void assemble(struct cf_edit *e, enum change change) {
    struct cfe_method *m = cfe_add_method(e, CF_ACC_STATIC, cf_z("f"), cf_z("([Z)V"));
    struct cf_asm *a = cfe_tail(m);
    struct cf_label end = cfe_label(m), inside = cfe_label(m);
    bool probes = change == PROBES || change == TURNED;
    uint16_t i = probes ? 2 : 1; /* moved up by the new variable */
    cfe_add_local(m, probes ? 3 : 2);
    cfe_need_stack(m, 8);
    if (probes) {
        cfa_invoke(a, CF_OP_INVOKESTATIC, "T", "$init", "()[Z");
        cfa_local(a, CF_OP_ASTORE, 1);
    }
    cfa_op(a, CF_OP_ICONST_0);
    cfa_local(a, CF_OP_ISTORE, i);
    cfa_local(a, CF_OP_ALOAD, 0);
    cfa_local(a, CF_OP_ILOAD, i);
    cfa_op(a, CF_OP_ICONST_1);
    probe(a, change, 0);
    cfa_op(a, CF_OP_BASTORE);
    if (change == SAME_AGAIN) {
        cfa_field(a, CF_OP_GETSTATIC, "T", "s", "I");
        cfa_op(a, CF_OP_POP);
    }
    cfa_field(a, CF_OP_GETSTATIC, "T", "s", "I");
    if (change == TURNED) {
        cfa_branch(a, CF_OP_IFNE, inside);
        probe(a, change, 1);
        cfa_branch(a, CF_OP_GOTO, end);
        cfa_bind(a, inside);
    } else {
        cfa_branch(a, CF_OP_IFEQ, end);
    }
    cfa_local(a, CF_OP_ALOAD, 0);
    cfa_op(a, CF_OP_ICONST_1);
    cfa_op(a, CF_OP_ICONST_0);
    cfa_op(a, CF_OP_BASTORE);
    probe(a, change, 2);
    cfa_bind(a, end);
    cfa_local(a, CF_OP_ILOAD, i);
    if (change == LESS)
        cfa_op(a, CF_OP_POP);
    else
        cfa_field(a, CF_OP_PUTSTATIC, "T", "s", "I");
    cfa_op(a, CF_OP_RETURN);
    if (!probes) return;
    m = cfe_add_method(e, CF_ACC_STATIC, cf_z("$init"), cf_z("()[Z"));
    cfe_need_stack(m, 2);
    cfa_field(cfe_tail(m), CF_OP_GETSTATIC, "T", "$data", "[Z");
    cfa_op(cfe_tail(m), CF_OP_ARETURN);
}

static struct cfe_buf make(enum change change) {
    struct cf_class cls;
    struct cf_edit e;
    struct race_error err = {0};
    struct cfe_buf out = {0};
    assert_true(cf_parse(&cls, empty, sizeof empty, &err));
    cfe_init(&e, &cls);
    assemble(&e, change);
    assert_int_equal(cfe_write(&e, &out), CFE_OK);
    cfe_release(&e);
    cf_class_release(&cls);
    return out;
}

/* Opcodes of the original that the changed class's instructions of this opcode stand for, in order, as text.
 */
static void describe(const struct align *a, const struct cfe_buf *original, const struct cfe_buf *changed,
                     uint8_t op, char *out) {
    struct cf_class old, new;
    struct race_error err = {0};
    assert_true(cf_parse(&old, original->p, original->n, &err) &&
                cf_parse(&new, changed->p, changed->n, &err));
    const struct cf_code *was = old.methods[0].code, *is = new.methods[0].code;
    for (uint32_t bci = 0; bci < is->length;) {
        struct cf_insn i = cf_insn_decode(is, bci);
        if (i.op == op) {
            uint32_t at = align_original(a, cf_z("f"), cf_z("([Z)V"), bci);
            if (at != ALIGN_NONE) assert_int_equal(cf_insn_decode(was, at).op, op);
            out += sprintf(out, at == ALIGN_NONE ? "- " : "%u ", (unsigned)at);
        }
        bci += i.length;
    }
    cf_class_release(&old);
    cf_class_release(&new);
}

static void aligned(enum change change, uint8_t op, const char *expected) {
    struct cfe_buf original = make(UNCHANGED), changed = make(change);
    struct align a;
    char text[200] = "";
    assert_true(align_init(&a, original.p, original.n, changed.p, changed.n));
    describe(&a, &original, &changed, op, text);
    assert_string_equal(text, expected);
    assert_int_equal(align_original(&a, cf_z("$init"), cf_z("()[Z"), 0), ALIGN_NONE);
    align_release(&a);
    cfe_buf_release(&original);
    cfe_buf_release(&changed);
}

static void not_aligned(enum change change) {
    struct cfe_buf original = make(UNCHANGED), changed = make(change);
    struct align a;
    assert_false(align_init(&a, original.p, original.n, changed.p, changed.n));
    cfe_buf_release(&original);
    cfe_buf_release(&changed);
}

static void same_class(void **state) {
    (void)state;
    aligned(UNCHANGED, CF_OP_BASTORE, "5 15 ");
    aligned(UNCHANGED, CF_OP_PUTSTATIC, "17 ");
}

/* Probes look like the program's own stores into its array, and are told apart by their variable. */
static void probes_are_not_the_programs(void **state) {
    (void)state;
    aligned(PROBES, CF_OP_BASTORE, "- 5 15 - ");
    aligned(PROBES, CF_OP_GETSTATIC, "6 ");
    aligned(PROBES, CF_OP_PUTSTATIC, "17 ");
}

static void jumps_may_be_turned_around(void **state) {
    (void)state;
    aligned(TURNED, CF_OP_BASTORE, "- 5 - 15 - ");
}

/* Which of two equal accesses is the program's cannot be known. */
static void ambiguous_insertion(void **state) {
    (void)state;
    not_aligned(SAME_AGAIN);
}

static void missing_instruction(void **state) {
    (void)state;
    not_aligned(LESS);
}

/* A class that is no class, or another one. */
static void damaged(void **state) {
    (void)state;
    struct cfe_buf original = make(UNCHANGED);
    struct align a;
    assert_false(align_init(&a, original.p, original.n, original.p, original.n - 1));
    assert_false(align_init(&a, original.p, 7, original.p, original.n));
    cfe_buf_release(&original);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_class),
        cmocka_unit_test(probes_are_not_the_programs),
        cmocka_unit_test(jumps_may_be_turned_around),
        cmocka_unit_test(ambiguous_insertion),
        cmocka_unit_test(missing_instruction),
        cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
