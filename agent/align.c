#include "align.h"

#include "race/opcodes.h"

#include <stdlib.h>
#include <string.h>

/* One instruction that takes part in the comparison. */
struct token {
    uint64_t what; /* hash of the opcode and of what its operands name */
    uint32_t bci;
    bool counts; /* accesses memory or calls: must be found, in one way only */
};

struct tokens {
    struct token *v;
    uint32_t n;
};

/* ---- what an instruction is, apart from where its constants and variables are kept ---- */

static uint64_t mix(uint64_t h, uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t mix_str(uint64_t h, struct cf_str s) {
    for (uint32_t i = 0; i < s.n; i++) h = mix(h, (uint8_t)s.p[i]);
    return mix(h, s.n);
}

static uint64_t mix_member(uint64_t h, const struct cf_class *cls, uint16_t index) {
    struct cf_member_ref ref = cf_member(cls, index);
    return mix_str(mix_str(mix_str(h, ref.owner), ref.name), ref.desc);
}

static uint64_t mix_constant(uint64_t h, const struct cf_class *cls, uint16_t index) {
    const struct cf_const *c = &cls->pool[index];
    h = mix(h, c->tag);
    switch (c->tag) {
    case CF_INTEGER: return mix(h, (uint32_t)c->u.i);
    case CF_LONG: return mix(h, (uint64_t)c->u.l);
    case CF_FLOAT:
    case CF_DOUBLE: return h; /* not told apart either; only inserted ones could be confused */
    case CF_STRING:
    case CF_METHOD_TYPE: return mix_str(h, cf_utf8(cls, c->a));
    case CF_CLASS: return mix_str(h, cf_class_name(cls, index));
    case CF_DYNAMIC: return mix_member(h, cls, index);
    default: return h; /* method handles are not told apart */
    }
}

/* iload_2 is iload 2. */
static uint8_t base_op(uint8_t op) {
    if (op >= CF_OP_ILOAD_0 && op <= CF_OP_ALOAD_3) return (uint8_t)(CF_OP_ILOAD + (op - CF_OP_ILOAD_0) / 4);
    if (op >= CF_OP_ISTORE_0 && op <= CF_OP_ASTORE_3)
        return (uint8_t)(CF_OP_ISTORE + (op - CF_OP_ISTORE_0) / 4);
    return op == CF_OP_LDC_W ? CF_OP_LDC : op;
}

static bool is_local(uint8_t op) {
    return (op >= CF_OP_ILOAD && op <= CF_OP_ALOAD) || (op >= CF_OP_ISTORE && op <= CF_OP_ASTORE) ||
           op == CF_OP_IINC;
}

static bool is_jump(uint8_t op) {
    return (op >= CF_OP_IFEQ && op <= CF_OP_LOOKUPSWITCH) || op == CF_OP_IFNULL || op == CF_OP_IFNONNULL ||
           op == CF_OP_GOTO_W || op == CF_OP_JSR_W;
}

static bool accesses(uint8_t op) {
    return (op >= CF_OP_GETSTATIC && op <= CF_OP_INVOKEDYNAMIC) ||
           (op >= CF_OP_IALOAD && op <= CF_OP_SALOAD) || (op >= CF_OP_IASTORE && op <= CF_OP_SASTORE) ||
           op == CF_OP_MONITORENTER || op == CF_OP_MONITOREXIT;
}

/* Where the variables of the changed code are in the original: `extra` new ones stand before number `first`.
 */
struct moved {
    uint32_t first, extra;
};

static uint64_t token_of(const struct cf_class *cls, const struct cf_insn *i, struct moved moved) {
    uint8_t op = base_op(i->op);
    uint64_t h = mix(0, op);
    if (is_local(op)) {
        bool behind = i->index >= moved.first, is_new = behind && i->index < moved.first + moved.extra;
        return mix(mix(h, is_new   ? UINT32_MAX
                          : behind ? i->index - moved.extra
                                   : i->index),
                   (uint32_t)i->value);
    }
    if (op == CF_OP_LDC || op == CF_OP_LDC2_W) return mix_constant(h, cls, i->index);
    if (op >= CF_OP_GETSTATIC && op <= CF_OP_INVOKEDYNAMIC) return mix_member(h, cls, i->index);
    if (op == CF_OP_NEW || op == CF_OP_ANEWARRAY || op == CF_OP_CHECKCAST || op == CF_OP_INSTANCEOF ||
        op == CF_OP_MULTIANEWARRAY)
        return mix_str(h, cf_class_name(cls, i->index));
    return mix(mix(h, i->index), (uint32_t)i->value);
}

static bool is_new_local(const struct cf_insn *i, struct moved moved) {
    return is_local(base_op(i->op)) && i->index >= moved.first && i->index < moved.first + moved.extra;
}

/*
 * The end of a probe that starts here, or `bci` if there is none.  A probe is straight code that begins with
 * a variable the original does not have and uses up what it pushes: `covered[7] = true`, `hits[7]++`.  It
 * looks like the program's own accesses to arrays, so that the comparison alone could not tell them apart.
 */
static uint32_t probe_end(const struct cf_code *code, uint32_t bci, struct moved moved) {
    struct cf_insn i = cf_insn_decode(code, bci);
    if (base_op(i.op) != CF_OP_ALOAD || !is_new_local(&i, moved)) return bci;
    int depth = 1;
    for (uint32_t at = bci + i.length; at < code->length; at += i.length) {
        i = cf_insn_decode(code, at);
        const struct cf_opcode_info *op = &cf_opcodes[i.op];
        bool plain = op->format == CF_F_NONE || op->format == CF_F_BYTE || op->format == CF_F_SHORT;
        if (!plain || op->pops < 0 || op->pushes < 0 || op->pops > depth) return bci;
        depth += op->pushes - op->pops;
        if (depth == 0) return at + i.length;
    }
    return bci;
}

static bool tokens_init(struct tokens *t, const struct cf_class *cls, const struct cf_code *code,
                        struct moved moved) {
    *t = (struct tokens){.v = malloc((code->length + 1) * sizeof *t->v)};
    if (t->v == NULL) return false;
    for (uint32_t bci = 0; bci < code->length;) {
        uint32_t end = probe_end(code, bci, moved);
        if (end > bci) {
            bci = end;
            continue;
        }
        struct cf_insn i = cf_insn_decode(code, bci);
        if (!is_jump(i.op) && i.op != CF_OP_NOP)
            t->v[t->n++] = (struct token){token_of(cls, &i, moved), bci, accesses(i.op)};
        bci += i.length;
    }
    return true;
}

/* ---- the comparison ---- */

/*
 * Finds `a` in `b` from the front, then from the back.  An instruction that both ways put at the same place
 * has no other one.
 */
static bool embed(const struct tokens *a, const struct tokens *b, uint32_t *original) {
    uint32_t *place = malloc((a->n + 1) * sizeof *place), i = 0, j = 0;
    bool ok = place != NULL;
    for (; ok && i < a->n && j < b->n; j++)
        if (a->v[i].what == b->v[j].what) place[i++] = j;
    ok = ok && i == a->n;
    for (i = a->n, j = b->n; ok && i > 0; i--) {
        while (a->v[i - 1].what != b->v[--j].what) {
        }
        const struct token *t = &a->v[i - 1];
        ok = !t->counts || place[i - 1] == j;
        original[b->v[j].bci] = t->bci;
    }
    free(place);
    return ok;
}

static bool align_code(const struct cf_class *old, const struct cf_code *a, const struct cf_class *new,
                       const struct cf_code *b, struct moved moved, uint32_t *original) {
    struct tokens ta = {0}, tb = {0};
    for (uint32_t i = 0; i < b->length; i++) original[i] = ALIGN_NONE;
    bool ok = tokens_init(&ta, old, a, (struct moved){UINT32_MAX, 0}) && tokens_init(&tb, new, b, moved) &&
              embed(&ta, &tb, original);
    free(ta.v);
    free(tb.v);
    return ok;
}

static const struct cf_method *same_method(const struct cf_class *old, struct cf_str name,
                                           struct cf_str desc) {
    for (uint32_t i = 0; i < old->n_methods; i++)
        if (cf_str_eq(cf_utf8(old, old->methods[i].name), name) &&
            cf_str_eq(cf_utf8(old, old->methods[i].desc), desc))
            return &old->methods[i];
    return NULL;
}

/* Tools that need a variable take it behind the parameters and move the others up, or take one at the end. */
static bool align_method(struct align_method *am, const struct cf_class *old, const struct cf_class *new,
                         const struct cf_method *m) {
    am->name = cf_utf8(new, m->name);
    am->desc = cf_utf8(new, m->desc);
    am->length = m->code->length;
    const struct cf_method *was = same_method(old, am->name, am->desc);
    if (was == NULL || was->code == NULL) return was == NULL; /* all of it is new */
    am->original = malloc(((size_t)am->length + 1) * sizeof *am->original);
    if (am->original == NULL) return false;
    uint32_t first = cf_desc_arg_words(am->desc) + !(m->access & CF_ACC_STATIC);
    uint32_t extra = m->code->max_locals > was->code->max_locals
                         ? (uint32_t)(m->code->max_locals - was->code->max_locals)
                         : 0;
    return align_code(old, was->code, new, m->code, (struct moved){first, extra}, am->original) ||
           (extra > 0 && align_code(old, was->code, new, m->code, (struct moved){first, 0}, am->original));
}

static bool align_classes(struct align *a, const struct cf_class *old, const struct cf_class *new) {
    a->methods = calloc(new->n_methods + 1u, sizeof *a->methods);
    if (a->methods == NULL) return false;
    for (uint32_t i = 0; i < old->n_methods; i++)
        if (old->methods[i].code != NULL &&
            same_method(new, cf_utf8(old, old->methods[i].name), cf_utf8(old, old->methods[i].desc)) == NULL)
            return false;
    bool ok = true;
    for (uint32_t i = 0; ok && i < new->n_methods; i++)
        if (new->methods[i].code != NULL) ok = align_method(&a->methods[a->n++], old, new, &new->methods[i]);
    return ok;
}

bool align_init(struct align *a, const uint8_t *original, size_t original_size, const uint8_t *changed,
                size_t changed_size) {
    struct cf_class old, new;
    struct race_error err = {0};
    *a = (struct align){0};
    if (!cf_parse(&old, original, original_size, &err)) return false;
    bool ok = cf_parse(&new, changed, changed_size, &err);
    if (ok) {
        ok = cf_str_eq(cf_class_name(&old, old.this_class), cf_class_name(&new, new.this_class)) &&
             align_classes(a, &old, &new);
        cf_class_release(&new);
    }
    cf_class_release(&old);
    if (!ok) align_release(a);
    return ok;
}

void align_release(struct align *a) {
    for (size_t i = 0; i < a->n; i++) free(a->methods[i].original);
    free(a->methods);
    *a = (struct align){0};
}

uint32_t align_original(const struct align *a, struct cf_str method, struct cf_str desc, uint32_t bci) {
    for (size_t i = 0; i < a->n; i++) {
        const struct align_method *m = &a->methods[i];
        if (!cf_str_eq(m->name, method) || !cf_str_eq(m->desc, desc)) continue;
        return m->original != NULL && bci < m->length ? m->original[bci] : ALIGN_NONE;
    }
    return ALIGN_NONE;
}
