/* Local variables that keep their container to themselves. */
#include "rewrite_internal.h"

#include "race/opcodes.h"

static void escape_of(struct rw_method *m, unsigned slot) {
    struct fs_type t = fs_peek(&m->walk.sim, slot);
    if (t.from != 0) m->escapes[t.from - 1] = 1;
}

static void escape_all(struct rw_method *m) {
    for (unsigned i = 0; i < m->walk.sim.now.depth; i++) escape_of(m, i);
}

static void after_call(struct rw_method *m) {
    uint8_t op = m->walk.insn.op;
    struct cf_member_ref ref = cf_member(&m->c->cls, m->walk.insn.index);
    struct cc_touched t = cc_call(op, &ref);
    unsigned words = cf_desc_arg_words(ref.desc), slot = words, arg = 0;
    for (uint32_t i = 1; i < ref.desc.n && ref.desc.p[i] != ')'; arg++) {
        slot -= ref.desc.p[i] == 'J' || ref.desc.p[i] == 'D' ? 2 : 1;
        if (arg >= 8 || ((t.reads | t.writes) >> arg & 1) == 0) escape_of(m, slot);
        while (i < ref.desc.n && ref.desc.p[i] == '[') i++;
        if (i < ref.desc.n && ref.desc.p[i] == 'L')
            while (i < ref.desc.n && ref.desc.p[i] != ';') i++;
        i++;
    }
    /* The containers themselves keep no reference to `this`; their views and iterators stay with the thread
       that has the container. */
    if (op != CF_OP_INVOKESTATIC && op != CF_OP_INVOKEDYNAMIC && t.receiver == CC_NONE) escape_of(m, words);
}

/* Looks at one instruction: which values loaded from locals does it hand on? */
static void observe(struct rw_method *m) {
    const struct cf_insn *in = &m->walk.insn;
    uint8_t op = in->op, format = cf_opcodes[op].format;
    if (op >= CF_OP_INVOKEVIRTUAL && op <= CF_OP_INVOKEDYNAMIC) {
        after_call(m);
    } else if (op == CF_OP_ASTORE || (op >= CF_OP_ASTORE_0 && op <= CF_OP_ASTORE_3)) {
        struct fs_type t = fs_peek(&m->walk.sim, 0);
        if (t.origin != FS_FRESH || t.from != 0) m->escapes[in->index] = 1;
        escape_of(m, 0);
    } else if (op == CF_OP_AASTORE || op == CF_OP_PUTFIELD || op == CF_OP_PUTSTATIC || op == CF_OP_ARETURN ||
               op == CF_OP_CHECKCAST || op == CF_OP_ATHROW) {
        escape_of(m, 0);
    } else if (format == CF_F_BRANCH || format == CF_F_BRANCH_W || format == CF_F_TABLE_SWITCH) {
        escape_all(m); /* what stays on the stack across a jump is not followed */
    }
}

/* Parameters come from somewhere else, and so does everything in code whose types are not known. */
static void start(struct rw_method *m) {
    unsigned n = cf_desc_arg_words(m->desc) + 1;
    for (unsigned i = 0; i < n && i < m->m->code->max_locals; i++) m->escapes[i] = 1;
    if (m->m->code->has_frames || m->m->code->n_handlers > 0) return;
    if (m->c->cls.major < 50) memset(m->escapes, 1, m->m->code->max_locals);
}

bool rw_find_escapes(struct rw_method *m) {
    m->escapes = ARENA_NEW_N(&m->c->arena, m->m->code->max_locals + 1u, uint8_t);
    if (m->escapes == NULL || !fs_walk_begin(&m->walk, &m->c->edit, &m->c->arena, m->m)) return false;
    start(m);
    while (fs_walk_next(&m->walk)) observe(m);
    return true;
}
