/* The assembler for inserted code: each call appends one instruction in its shortest form. */
#include "edit.h"

#include "race/opcodes.h"

static struct cfe_item *add_item(struct cf_asm *a, enum cfe_form form, uint8_t op) {
    struct cf_edit *e = a->m->edit;
    struct cfe_item *it = cfe_alloc(e, 1, sizeof *it);
    if (it == NULL) return NULL;
    it->form = (uint8_t)form;
    it->op = op;
    it->bci = CFE_NONE;
    if (a->last == NULL)
        a->first = it;
    else
        a->last->next = it;
    a->last = it;
    return it;
}

/* `op` is the opcode whose effect counts; bytes may hold a wide prefix before it. */
static void add_plain(struct cf_asm *a, uint8_t op, const uint8_t *bytes, uint32_t n, uint16_t index,
                      int32_t value) {
    struct cfe_item *it = add_item(a, CFE_PLAIN, op);
    if (it == NULL) return;
    uint8_t *copy = cfe_alloc(a->m->edit, n, 1);
    if (copy == NULL) {
        it->form = CFE_BIND; /* harmless; the class is already marked as failed */
        it->target = CFE_NONE;
        return;
    }
    memcpy(copy, bytes, n);
    it->bytes = copy;
    it->n = n;
    it->index = index;
    it->value = value;
}

void cfa_op(struct cf_asm *a, uint8_t op) {
    add_plain(a, op, &op, 1, 0, 0);
}

/* The first of the four one-byte forms (iload_0...), for the five kinds of load and of store. */
static uint8_t short_form(uint8_t op) {
    if (op >= CF_OP_ILOAD && op <= CF_OP_ALOAD) return (uint8_t)(CF_OP_ILOAD_0 + 4 * (op - CF_OP_ILOAD));
    return (uint8_t)(CF_OP_ISTORE_0 + 4 * (op - CF_OP_ISTORE));
}

void cfa_local(struct cf_asm *a, uint8_t op, uint16_t index) {
    if (index < 4 && op != CF_OP_RET) {
        cfa_op(a, (uint8_t)(short_form(op) + index));
    } else if (index < 256) {
        uint8_t b[] = {op, (uint8_t)index};
        add_plain(a, op, b, 2, index, 0);
    } else {
        uint8_t b[] = {CF_OP_WIDE, op, (uint8_t)(index >> 8), (uint8_t)index};
        add_plain(a, op, b, 4, index, 0);
    }
}

void cfa_push_int(struct cf_asm *a, int32_t v) {
    if (v >= -1 && v <= 5) {
        cfa_op(a, (uint8_t)(CF_OP_ICONST_0 + v));
    } else if (v >= -128 && v <= 127) {
        uint8_t b[] = {CF_OP_BIPUSH, (uint8_t)v};
        add_plain(a, CF_OP_BIPUSH, b, 2, 0, v);
    } else if (v >= -32768 && v <= 32767) {
        uint8_t b[] = {CF_OP_SIPUSH, (uint8_t)((uint32_t)v >> 8), (uint8_t)v};
        add_plain(a, CF_OP_SIPUSH, b, 3, 0, v);
    } else {
        cfa_ldc(a, cfe_int(a->m->edit, v));
    }
}

void cfa_push_long(struct cf_asm *a, int64_t v) {
    if (v == 0 || v == 1)
        cfa_op(a, (uint8_t)(CF_OP_LCONST_0 + v));
    else
        cfa_const(a, CF_OP_LDC2_W, cfe_long(a->m->edit, v));
}

void cfa_ldc(struct cf_asm *a, uint16_t index) {
    if (index < 256) {
        uint8_t b[] = {CF_OP_LDC, (uint8_t)index};
        add_plain(a, CF_OP_LDC, b, 2, index, 0);
    } else {
        cfa_const(a, CF_OP_LDC_W, index);
    }
}

void cfa_const(struct cf_asm *a, uint8_t op, uint16_t index) {
    uint8_t b[5] = {op, (uint8_t)(index >> 8), (uint8_t)index, 0, 0};
    uint32_t n = op == CF_OP_INVOKEINTERFACE || op == CF_OP_INVOKEDYNAMIC ? 5 : 3;
    if (op == CF_OP_INVOKEINTERFACE)
        b[3] = (uint8_t)(1 + cf_desc_arg_words(cfe_member_at(a->m->edit, index).desc));
    add_plain(a, op, b, n, index, 0);
}

void cfa_newarray(struct cf_asm *a, uint8_t primitive) {
    uint8_t b[] = {CF_OP_NEWARRAY, primitive};
    add_plain(a, CF_OP_NEWARRAY, b, 2, primitive, 0);
}

void cfa_field(struct cf_asm *a, uint8_t op, const char *owner, const char *name, const char *desc) {
    cfa_const(a, op, cfe_ref(a->m->edit, CF_FIELDREF, cf_z(owner), cf_z(name), cf_z(desc)));
}

void cfa_invoke(struct cf_asm *a, uint8_t op, const char *owner, const char *name, const char *desc) {
    enum cf_tag tag = op == CF_OP_INVOKEINTERFACE ? CF_INTERFACE_METHODREF : CF_METHODREF;
    cfa_const(a, op, cfe_ref(a->m->edit, tag, cf_z(owner), cf_z(name), cf_z(desc)));
}

void cfa_branch(struct cf_asm *a, uint8_t op, struct cf_label target) {
    struct cfe_item *it = add_item(a, CFE_BRANCH, op);
    if (it == NULL) return;
    it->target = target.id;
    it->target_is_label = true;
}

void cfa_bind(struct cf_asm *a, struct cf_label label) {
    struct cfe_item *it = add_item(a, CFE_BIND, CF_OP_NOP);
    if (it != NULL) it->target = label.id;
}

/* Load instruction of a descriptor's type, and how many slots it takes. */
static uint8_t load_op(char kind) {
    switch (kind) {
    case 'J': return CF_OP_LLOAD;
    case 'F': return CF_OP_FLOAD;
    case 'D': return CF_OP_DLOAD;
    case 'L':
    case '[': return CF_OP_ALOAD;
    default: return CF_OP_ILOAD;
    }
}

void cfa_load_args(struct cf_asm *a, struct cf_str desc, uint16_t first) {
    uint32_t i = 1;
    while (i < desc.n && desc.p[i] != ')') {
        char kind = desc.p[i];
        cfa_local(a, load_op(kind), first);
        first = (uint16_t)(first + (kind == 'J' || kind == 'D' ? 2 : 1));
        while (i < desc.n && desc.p[i] == '[') i++;
        if (i < desc.n && desc.p[i] == 'L')
            while (i < desc.n && desc.p[i] != ';') i++;
        i++;
    }
}

uint8_t cfa_return_op(struct cf_str desc) {
    switch (cf_desc_return(desc)) {
    case 'V': return CF_OP_RETURN;
    case 'J': return CF_OP_LRETURN;
    case 'F': return CF_OP_FRETURN;
    case 'D': return CF_OP_DRETURN;
    case 'L':
    case '[': return CF_OP_ARETURN;
    default: return CF_OP_IRETURN;
    }
}
