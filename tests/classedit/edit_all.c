/*
 * Edits class files in bulk, for a JVM to verify.
 *
 *     edit_all MODE < list        each line of the list: INPUT OUTPUT
 *
 * Modes:  same    no wish: the output must equal the input
 *         nop     a nop before every instruction
 *         count   a call of java.lang.RewriteCounter.hit() before every instruction
 *         branch  a typed local set at entry, and before every instruction a test of it that jumps
 *         finally a handler over the whole method that rethrows
 *         fat     a long run of nops before the first backward or forward jump, so that jumps must widen
 *
 * Prints counts; exit code 1 if a class could not be read or written.
 */
#include "race/classedit.h"
#include "race/opcodes.h"

#include <stdio.h>
#include <stdlib.h>

struct totals {
    unsigned classes, methods, left[CFE_REASONS], failures;
};

static uint8_t *read_all(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    if (f == NULL) return NULL;
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t *p = malloc(*size + 1);
    if (p != NULL && fread(p, 1, *size, f) != *size) {
        free(p);
        p = NULL;
    }
    fclose(f);
    return p;
}

static bool write_all(const char *path, const uint8_t *p, size_t n) {
    FILE *f = fopen(path, "wb");
    if (f == NULL) return false;
    bool ok = fwrite(p, 1, n, f) == n;
    return fclose(f) == 0 && ok;
}

static void insert_nops(struct cfe_method *m, const struct cf_code *code) {
    for (uint32_t bci = 0; bci < code->length; bci += cf_insn_decode(code, bci).length)
        cfa_op(cfe_before(m, bci), CF_OP_NOP);
}

static void insert_counts(struct cfe_method *m, const struct cf_code *code) {
    for (uint32_t bci = 0; bci < code->length; bci += cf_insn_decode(code, bci).length)
        cfa_invoke(cfe_before(m, bci), CF_OP_INVOKESTATIC, "java/lang/RewriteCounter", "hit", "()V");
}

static void insert_branches(struct cfe_method *m, const struct cf_code *code) {
    uint16_t ep = cfe_add_typed_local(m, (struct cf_vtype){CF_V_LONG, 0});
    cfe_need_stack(m, 4);
    cfa_push_long(cfe_entry(m), 1);
    cfa_local(cfe_entry(m), CF_OP_LSTORE, ep);
    for (uint32_t bci = 0; bci < code->length; bci += cf_insn_decode(code, bci).length) {
        struct cf_asm *a = cfe_before(m, bci);
        struct cf_label skip = cfe_label(m);
        cfa_local(a, CF_OP_LLOAD, ep);
        cfa_push_long(a, 1);
        cfa_op(a, CF_OP_LCMP);
        cfa_branch(a, CF_OP_IFEQ, skip);
        cfa_push_long(a, 77777777777);
        cfa_local(a, CF_OP_LSTORE, ep);
        cfa_bind(a, skip);
    }
}

static void insert_finally(struct cfe_method *m, const struct cf_code *code) {
    struct cf_label handler = cfe_label(m);
    uint16_t flag = cfe_add_typed_local(m, (struct cf_vtype){CF_V_INTEGER, 0});
    cfe_need_stack(m, 2);
    cfa_push_int(cfe_entry(m), 100000);
    cfa_local(cfe_entry(m), CF_OP_ISTORE, flag);
    cfa_bind(cfe_tail(m), handler);
    cfa_local(cfe_tail(m), CF_OP_ILOAD, flag);
    cfa_op(cfe_tail(m), CF_OP_POP);
    cfa_op(cfe_tail(m), CF_OP_ATHROW);
    cfe_add_handler(m, cfe_label_at(m, 0), cfe_label_at(m, code->length), handler, 0, false);
}

static void insert_fat(struct cfe_method *m, const struct cf_code *code) {
    for (uint32_t bci = 0; bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        bci += in.length;
        if (cf_opcodes[in.op].format != CF_F_BRANCH || bci >= code->length) continue;
        for (int i = 0; i < 33000; i++) cfa_op(cfe_before(m, bci), CF_OP_NOP);
        return;
    }
}

/* HotSpot takes Object.finalize() for empty only if it is a single return; otherwise every object would have
   a finalizer, long before the JVM can run one. */
static bool must_stay(const struct cf_class *cls, const struct cf_method *m) {
    return cf_str_is(cf_class_name(cls, cls->this_class), "java/lang/Object") &&
           cf_str_is(cf_utf8(cls, m->name), "finalize");
}

static void edit_method(const char *mode, struct cf_edit *e, uint32_t i) {
    const struct cf_method *o = &e->cls->methods[i];
    struct cfe_method *m = cfe_method(e, i);
    if (o->code == NULL || must_stay(e->cls, o)) return;
    if (strcmp(mode, "nop") == 0) insert_nops(m, o->code);
    if (strcmp(mode, "count") == 0) insert_counts(m, o->code);
    if (strcmp(mode, "branch") == 0) insert_branches(m, o->code);
    if (strcmp(mode, "fat") == 0) insert_fat(m, o->code);
    /* A handler around the call of super() would see an object that is not yet one. */
    if (strcmp(mode, "finally") == 0 && !cf_str_is(cf_utf8(e->cls, o->name), "<init>"))
        insert_finally(m, o->code);
}

static void edit_file(const char *mode, const char *in, const char *out, struct totals *t) {
    size_t size = 0;
    uint8_t *data = read_all(in, &size);
    struct cf_class cls;
    struct race_error err = {0};
    if (data == NULL || !cf_parse(&cls, data, size, &err)) {
        fprintf(stderr, "%s: %s\n", in, data == NULL ? "cannot read" : err.what);
        t->failures++;
        free(data);
        return;
    }
    struct cf_edit e;
    struct cfe_buf b = {0};
    cfe_init(&e, &cls);
    for (uint32_t i = 0; i < cls.n_methods; i++) edit_method(mode, &e, i);
    enum cfe_reason r = cfe_write(&e, &b);
    bool same = b.n == size && memcmp(b.p, data, size) == 0;
    if (r != CFE_OK || !write_all(out, b.p, b.n) || (strcmp(mode, "same") == 0 && !same)) {
        fprintf(stderr, "%s: %s\n", in, cfe_reason_text(r));
        t->failures++;
    }
    for (uint32_t i = 0; i < cls.n_methods; i++) {
        enum cfe_reason why = cfe_method(&e, i)->reason;
        t->left[why]++;
        if (why != CFE_OK)
            fprintf(stderr, "%s: method %.*s left: %s\n", in, (int)cf_utf8(&cls, cls.methods[i].name).n,
                    cf_utf8(&cls, cls.methods[i].name).p, cfe_reason_text(why));
    }
    t->classes++;
    t->methods += cls.n_methods;
    cfe_buf_release(&b);
    cfe_release(&e);
    cf_class_release(&cls);
    free(data);
}

int main(int argc, char **argv) {
    struct totals t = {0};
    char in[4096], out[4096];
    if (argc != 2) {
        fputs("usage: edit_all same|nop|count|branch|finally|fat < list of INPUT OUTPUT\n", stderr);
        return 64;
    }
    while (scanf("%4095s %4095s", in, out) == 2) edit_file(argv[1], in, out, &t);
    printf("%u classes, %u methods", t.classes, t.methods);
    for (int r = 1; r < CFE_REASONS; r++)
        if (t.left[r] > 0) printf(", %u left: %s", t.left[r], cfe_reason_text((enum cfe_reason)r));
    printf(", %u failures\n", t.failures);
    return t.failures == 0 && t.classes > 0 ? 0 : 1;
}
