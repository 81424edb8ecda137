/*
 * Elements that are read to be written at once: a[i] += x, a[i]++.
 *
 * Compilers copy array and index (dup2), load, compute and store.  If all between load and store surely runs
 * and is calm, whatever conflicts with the read conflicts with the write, and is ordered with the one as with
 * the other: so the read needs no check of its own.  Fields have the same rule, with the same exception of
 * plans, whose pairs name the read (rewrite_cover.c).
 */
#include "rewrite_internal.h"

#include "race/opcodes.h"

static bool is_array_load(uint8_t op) {
    return op >= CF_OP_IALOAD && op <= CF_OP_SALOAD;
}

/* Whether it only moves and computes values, and cannot throw. */
static bool is_plain(const struct rw_method *m, const struct cf_insn *in) {
    uint8_t op = in->op;
    if (op == CF_OP_IDIV || op == CF_OP_LDIV || op == CF_OP_IREM || op == CF_OP_LREM) return false;
    if (op >= CF_OP_LDC && op <= CF_OP_LDC2_W) return calm_insn(m->c->policy, &m->c->cls, in);
    return op <= CF_OP_ALOAD_3 || (op >= CF_OP_ISTORE && op <= CF_OP_ASTORE_3) ||
           (op >= CF_OP_POP && op <= CF_OP_DCMPG);
}

/* Whether the copies below what `load` pushes are those that a store of the same kind takes further on. */
static bool leads_to_store(const struct rw_method *m, const struct cf_insn *load, const uint8_t *targets) {
    const struct cf_code *code = m->m->code;
    const int size = cf_opcodes[load->op].pushes;
    int above = size; /* words on the stack above array and index */
    for (uint32_t bci = load->bci + load->length; bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        if (targets[bci]) return false;
        if (in.op == load->op - CF_OP_IALOAD + CF_OP_IASTORE) return above == size;
        if (!is_plain(m, &in) || cf_opcodes[in.op].pops > above) return false;
        above += cf_opcodes[in.op].pushes - cf_opcodes[in.op].pops;
        bci += in.length;
    }
    return false;
}

bool rw_find_updates(struct rw_method *m) {
    const struct cf_code *code = m->m->code;
    const struct rewrite_policy *p = m->c->policy;
    m->updates = NULL;
    if (p->wants_site != NULL || p->site_added != NULL) return true;
    uint8_t *updates = ARENA_NEW_N(&m->c->arena, code->length + 1, uint8_t);
    uint8_t *targets = ARENA_NEW_N(&m->c->arena, code->length + 1, uint8_t);
    if (updates == NULL || targets == NULL) return false;
    rw_note_targets(code, targets);
    uint8_t last = 0;
    for (uint32_t bci = 0; bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        if (is_array_load(in.op) && in.op != CF_OP_AALOAD && last == CF_OP_DUP2 && !targets[bci])
            updates[bci] = leads_to_store(m, &in, targets);
        last = in.op;
        bci += in.length;
    }
    m->updates = updates;
    return true;
}

bool rw_is_update(const struct rw_method *m, uint32_t bci) {
    return m->updates != NULL && m->updates[bci];
}
