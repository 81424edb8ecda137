/*
 * Subroutines (jsr/ret, class files before Java 7): which code belongs to one.
 *
 * The JVM does not say where a subroutine ends.  Code belongs to it as long as it can still reach one of its
 * `ret` instructions, which are told apart by the local that keeps the return address.  Code that cannot (a
 * handler outside of the finally block that threw, say) has left the subroutine for good.
 */
#include "builder.h"

#include <string.h>

static bool reaches(const struct ir_builder *b, const uint8_t *reach, int32_t bci) {
    return reach[b->range_at.v[bci]] != 0;
}

static bool ordinary_reaches(const struct ir_builder *b, const struct code_range *r, uint32_t local,
                             const uint8_t *reach) {
    struct cf_insn in = cf_insn_decode(b->code, r->last);
    switch (in.op) {
    case CF_OP_RET: return in.index == local;
    case CF_OP_ATHROW: return false;
    case CF_OP_GOTO:
    case CF_OP_GOTO_W: return reaches(b, reach, in.target);
    case CF_OP_TABLESWITCH:
    case CF_OP_LOOKUPSWITCH:
        for (uint32_t i = 0; i < in.n_cases; i++)
            if (reaches(b, reach, cf_insn_case_target(b->code, &in, i))) return true;
        return reaches(b, reach, in.target);
    default: break;
    }
    if (in.op >= CF_OP_IRETURN && in.op <= CF_OP_RETURN) return false;
    bool is_branch = (in.op >= CF_OP_IFEQ && in.op <= CF_OP_IF_ACMPNE) || in.op == CF_OP_IFNULL ||
                     in.op == CF_OP_IFNONNULL;
    if (is_branch && reaches(b, reach, in.target)) return true;
    /* A nested jsr counts as coming back. */
    return r->end < b->code->length && reaches(b, reach, (int32_t)r->end);
}

static bool exception_reaches(const struct ir_builder *b, const struct code_range *r, const uint8_t *reach) {
    if (!r->throws) return false;
    for (uint16_t i = 0; i < b->code->n_handlers; i++) {
        const struct cf_handler *h = &b->code->handlers[i];
        if (r->start >= h->start && r->start < h->end && reaches(b, reach, h->handler)) return true;
    }
    return false;
}

/* Backwards from the rets, to a fixed point; a handful of rounds, since ranges are in code order. */
static void find_members(const struct ir_builder *b, uint32_t local, uint8_t *reach) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = b->ranges.n; i-- > 0;) {
            const struct code_range *r = &b->ranges.v[i];
            if (reach[i]) continue;
            reach[i] = ordinary_reaches(b, r, local, reach) || exception_reaches(b, r, reach);
            changed |= reach[i] != 0;
        }
    }
}

/* The local in which the first instruction keeps the return address, or NONE. */
static uint32_t address_local(const struct ir_builder *b, uint32_t entry) {
    struct cf_insn in = cf_insn_decode(b->code, entry);
    if (in.op == CF_OP_ASTORE) return in.index;
    if (in.op >= CF_OP_ASTORE_0 && in.op <= CF_OP_ASTORE_3) return in.op - CF_OP_ASTORE_0;
    return NONE;
}

uint32_t ir_subroutine_(struct ir_builder *b, uint32_t entry) {
    for (uint32_t i = 0; i < b->subroutines.n; i++)
        if (b->subroutines.v[i].entry == entry) return i;
    struct subroutine s = {
        .entry = entry, .local = address_local(b, entry), .members = (uint32_t)b->members.n};
    if (s.local == NONE) b->opaque = "subroutine that does not keep its return address";
    vec_reserve(&b->members, b->members.n + b->ranges.n);
    memset(b->members.v + b->members.n, 0, b->ranges.n);
    b->members.n += b->ranges.n;
    find_members(b, s.local, b->members.v + s.members);
    vec_push(&b->subroutines, s);
    return (uint32_t)b->subroutines.n - 1;
}

uint32_t ir_context_of_(const struct ir_builder *b, uint32_t context, uint32_t range) {
    while (context != 0) {
        const struct subroutine *s = &b->subroutines.v[b->contexts.v[context].subroutine];
        if (b->members.v[s->members + range]) break;
        context = b->contexts.v[context].parent;
    }
    return context;
}

uint32_t ir_ret_context_(const struct ir_builder *b, uint32_t context, uint32_t local) {
    while (context != 0 && b->subroutines.v[b->contexts.v[context].subroutine].local != local)
        context = b->contexts.v[context].parent;
    return context;
}
