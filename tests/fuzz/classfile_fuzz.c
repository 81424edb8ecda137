/*
 * libFuzzer target over the class-file reader, the editor and (when the build has it) the IR builder.
 *
 * Whatever the bytes are, nothing may crash, leak or hang.  Of a class that the reader accepts more is asked:
 *   - written back without wishes it is the same bytes;
 *   - with a nop or a jump before every instruction it is accepted again, and no method has lost an
 * instruction;
 *   - its IR, where the code makes sense at all, passes the IR's own checker.
 */
#include "race/classedit.h"
#include "race/classfile.h"
#include "race/opcodes.h"
#ifdef RACE_FUZZ_IR
#include "race/class_source.h"
#include "race/ir.h"
#include "race/program.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static void broken(const char *promise, const struct race_error *err) {
    fprintf(stderr, "broken promise: %s (offset %zu: %s)\n", promise, err->offset, err->what);
    abort();
}

static uint32_t count_instructions(const struct cf_code *code) {
    uint32_t n = 0;
    for (uint32_t bci = 0; bci < code->length; n++) bci += cf_insn_decode(code, bci).length;
    return n;
}

/* Touches everything that was decoded, so that a dangling pointer or a wild index shows. */
static uint64_t touch(const struct cf_class *cls) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < cls->n_pool; i++) sum += cf_member(cls, (uint16_t)i).desc.n;
    for (uint32_t i = 0; i < cls->n_bootstraps; i++)
        for (uint32_t k = 0; k < cls->bootstraps[i].n_args; k++) sum += cls->bootstraps[i].args[k];
    for (uint32_t m = 0; m < cls->n_methods; m++) {
        sum += cf_annotated(cls, &cls->methods[m].attrs, "GuardedBy", NULL);
        const struct cf_code *code = cls->methods[m].code;
        if (code == NULL) continue;
        sum += count_instructions(code) + (uint64_t)cf_line_at(code, code->length - 1);
        for (uint32_t f = 0; f < code->n_frames; f++) {
            for (uint32_t k = 0; k < code->frames[f].n_locals; k++) sum += code->frames[f].locals[k].arg;
            for (uint32_t k = 0; k < code->frames[f].n_stack; k++) sum += code->frames[f].stack[k].arg;
        }
    }
    return sum;
}

static void check_identity(const struct cf_class *cls) {
    struct cf_edit edit;
    struct cfe_buf out = {0};
    struct race_error none = {0};
    cfe_init(&edit, cls);
    if (cfe_write(&edit, &out) != CFE_OK) broken("an unchanged class can be written", &none);
    if (out.n != cls->size || memcmp(out.p, cls->data, out.n) != 0)
        broken("an unchanged class is written back byte for byte", &none);
    cfe_buf_release(&out);
    cfe_release(&edit);
}

static void check_reread(const struct cf_class *cls, struct cf_edit *edit, const struct cfe_buf *out) {
    struct cf_class again;
    struct race_error err = {0};
    if (!cf_parse(&again, out->p, out->n, &err)) broken("an edited class can be read again", &err);
    for (uint32_t m = 0; m < cls->n_methods; m++) {
        if (cls->methods[m].code == NULL) continue;
        bool edited = cfe_method(edit, m)->reason == CFE_OK;
        uint32_t before = count_instructions(cls->methods[m].code);
        uint32_t after = count_instructions(again.methods[m].code);
        /* Widened branches add instructions, so twice as many is the least. */
        if (edited ? after < 2 * before : after != before) broken("no instruction is lost", &err);
    }
    cf_class_release(&again);
}

static void insert_nop(struct cfe_method *m, uint32_t bci, uint16_t local) {
    (void)local;
    cfa_op(cfe_before(m, bci), CF_OP_NOP);
}

/* A jump makes the editor follow the types through the whole method, whatever sense its code makes. */
static void insert_jump(struct cfe_method *m, uint32_t bci, uint16_t local) {
    struct cf_asm *a = cfe_before(m, bci);
    struct cf_label skip = cfe_label(m);
    cfa_local(a, CF_OP_ILOAD, local);
    cfa_branch(a, CF_OP_IFEQ, skip);
    cfa_op(a, CF_OP_NOP);
    cfa_bind(a, skip);
}

static void check_edited(const struct cf_class *cls,
                         void (*insert)(struct cfe_method *m, uint32_t bci, uint16_t local)) {
    struct cf_edit edit;
    struct cfe_buf out = {0};
    cfe_init(&edit, cls);
    for (uint32_t i = 0; i < cls->n_methods; i++) {
        const struct cf_code *code = cls->methods[i].code;
        if (code == NULL) continue;
        struct cfe_method *m = cfe_method(&edit, i);
        uint16_t local = 0;
        if (insert == insert_jump) {
            local = cfe_add_typed_local(m, (struct cf_vtype){.tag = CF_V_INTEGER});
            cfe_need_stack(m, 1);
            cfa_push_int(cfe_entry(m), 1);
            cfa_local(cfe_entry(m), CF_OP_ISTORE, local);
        }
        for (uint32_t bci = 0; bci < code->length; bci += cf_insn_decode(code, bci).length)
            insert(m, bci, local);
    }
    if (cfe_write(&edit, &out) == CFE_OK) check_reread(cls, &edit, &out);
    cfe_buf_release(&out);
    cfe_release(&edit);
}

#ifdef RACE_FUZZ_IR
/* A class path of one class; all others are phantoms. */
struct one_class {
    const struct cf_class *cls;
    char name[256];
};

static bool find_one(void *ctx, const char *name, struct class_bytes *out, struct race_error *err) {
    (void)err;
    struct one_class *one = ctx;
    if (strcmp(name, one->name) != 0) return false;
    *out = (struct class_bytes){.data = one->cls->data, .size = one->cls->size, .origin = "input"};
    return true;
}

static void check_ir(const struct cf_class *cls) {
    struct one_class one = {.cls = cls};
    struct cf_str name = cf_class_name(cls, cls->this_class);
    if (name.n >= sizeof one.name) return;
    memcpy(one.name, name.p, name.n);
    struct class_source source = {.ctx = &one, .find = find_one};
    struct program *p = program_new(&source, (struct program_options){0});
    const struct class_info *info = program_info(p, program_class(p, one.name));
    struct ir_builder *b = ir_builder_new(p);
    struct arena arena;
    arena_init(&arena);
    for (uint32_t m = 0; m < info->n_methods; m++) {
        struct race_error err = {0};
        const struct ir_body *body = ir_build(b, (method_id){info->first_method.v + m}, &arena, &err);
        if (body == NULL) continue; /* code that no verifier would pass */
        if (!ir_check(p, body, &err)) broken("the IR keeps its invariants", &err);
        arena_clear(&arena);
    }
    arena_release(&arena);
    ir_builder_free(b);
    program_free(p);
}
#endif

/*
 * Inserting or deleting bytes nearly always breaks a length near the front, and then only the reader is
 * tried. So most mutations overwrite a few places and keep the layout; a small number that may be an index of
 * the pool, a count or an opcode is more telling than a random one.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    if (size < 16 || seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
    srand(seed);
    for (int n = 1 + rand() % 3; n > 0; n--) {
        size_t at = 10 + (size_t)rand() % (size - 10);
        switch (rand() % 4) {
        case 0: data[at] = (uint8_t)rand(); break;
        case 1: data[at] = (uint8_t)(data[at] + rand() % 9 - 4); break;
        case 2: data[at] = (uint8_t)(rand() % 203); break;
        default: data[at] = data[10 + (size_t)rand() % (size - 10)]; break;
        }
    }
    return size;
}

/* Seeds are run in this mode first: a reader that refuses everything would fuzz splendidly. */
static bool must_accept(void) {
    return getenv("RACE_FUZZ_ACCEPT") != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct cf_class cls;
    struct race_error err = {0};
    if (!cf_parse(&cls, data, size, &err)) {
        struct race_error none = {0};
        if (must_accept()) broken("a seed is accepted", &err);
        if (!err.set || err.what[0] == '\0') broken("a refused class has a reason", &none);
        return 0;
    }
    volatile uint64_t sink = touch(&cls);
    (void)sink;
    check_identity(&cls);
    check_edited(&cls, insert_nop);
    check_edited(&cls, insert_jump);
#ifdef RACE_FUZZ_IR
    check_ir(&cls);
#endif
    cf_class_release(&cls);
    return 0;
}
