/* Finds the ranges of instructions that run as one. */
#include "builder.h"

#include <string.h>

static bool const_may_throw(const struct ir_builder *b, uint16_t index) {
    uint8_t tag = index < b->cf->n_pool ? b->cf->pool[index].tag : (uint8_t)CF_UNUSABLE;
    return tag == CF_CLASS || tag == CF_METHOD_HANDLE || tag == CF_METHOD_TYPE || tag == CF_DYNAMIC;
}

/*
 * Must agree with ir_may_throw().  Monitorexit is not among them: after the matching monitorenter it cannot
 * fail, and javac protects it by the handler that repeats it, which would look like a second release.
 */
bool ir_insn_may_throw_(const struct ir_builder *b, uint8_t op, uint16_t index) {
    switch (op) {
    case CF_OP_LDC:
    case CF_OP_LDC_W:
    case CF_OP_LDC2_W: return const_may_throw(b, index);
    case CF_OP_IDIV:
    case CF_OP_LDIV:
    case CF_OP_IREM:
    case CF_OP_LREM:
    case CF_OP_ARRAYLENGTH:
    case CF_OP_ATHROW:
    case CF_OP_CHECKCAST:
    case CF_OP_INSTANCEOF:
    case CF_OP_MONITORENTER:
    case CF_OP_MULTIANEWARRAY: return true;
    default:
        return (op >= CF_OP_IALOAD && op <= CF_OP_SALOAD) || (op >= CF_OP_IASTORE && op <= CF_OP_SASTORE) ||
               (op >= CF_OP_GETSTATIC && op <= CF_OP_ANEWARRAY);
    }
}

static bool changes_state(uint8_t op) {
    return (op >= CF_OP_ISTORE && op <= CF_OP_ASTORE_3) || op == CF_OP_IINC || op == CF_OP_MONITORENTER ||
           op == CF_OP_MONITOREXIT;
}

static bool ends_flow(uint8_t op) {
    return op == CF_OP_GOTO || op == CF_OP_GOTO_W || op == CF_OP_ATHROW || op == CF_OP_TABLESWITCH ||
           op == CF_OP_LOOKUPSWITCH || op == CF_OP_RET || (op >= CF_OP_IRETURN && op <= CF_OP_RETURN);
}

static bool is_jump(uint8_t op) {
    return (op >= CF_OP_IFEQ && op <= CF_OP_JSR) || (op >= CF_OP_IFNULL && op <= CF_OP_JSR_W);
}

static void mark_target(struct ir_builder *b, int32_t bci) {
    if (bci < 0 || (uint32_t)bci >= b->code->length)
        ir_fail_(b, "jump out of the method");
    else
        b->marks.v[bci] |= MARK_LEADER | MARK_JOIN;
}

static void mark_jumps(struct ir_builder *b, const struct cf_insn *in) {
    if (is_jump(in->op)) mark_target(b, in->target);
    if (in->op == CF_OP_TABLESWITCH || in->op == CF_OP_LOOKUPSWITCH) {
        mark_target(b, in->target);
        for (uint32_t i = 0; i < in->n_cases; i++) mark_target(b, cf_insn_case_target(b->code, in, i));
    }
    if (in->op == CF_OP_JSR || in->op == CF_OP_JSR_W || in->op == CF_OP_RET) b->has_subroutines = true;
    uint32_t next = in->bci + in->length;
    if (next >= b->code->length) {
        if (!ends_flow(in->op)) ir_fail_(b, "control falls off the end of the method");
        return;
    }
    if (!ends_flow(in->op)) b->marks.v[next] |= MARK_JOIN;
    if (ends_flow(in->op) || is_jump(in->op)) b->marks.v[next] |= MARK_LEADER;
}

static void mark_handlers(struct ir_builder *b) {
    const struct cf_code *code = b->code;
    if (code->n_handlers == 0) return;
    vec_zero(&b->cover, code->length + 1);
    for (uint16_t i = 0; i < code->n_handlers; i++) {
        const struct cf_handler *h = &code->handlers[i];
        if (h->start >= h->end || h->end > code->length || h->handler >= code->length) {
            ir_fail_(b, "bad exception table");
            return;
        }
        b->marks.v[h->start] |= MARK_LEADER;
        if (h->end < code->length) b->marks.v[h->end] |= MARK_LEADER;
        b->marks.v[h->handler] |= MARK_LEADER | MARK_HANDLER;
        b->cover.v[h->start]++;
        b->cover.v[h->end]--;
    }
}

/* Without handlers the marks say it all. */
static void make_plain_ranges(struct ir_builder *b) {
    uint32_t last = 0;
    for (uint32_t bci = 0; bci < b->code->length; bci++) {
        uint8_t mark = b->marks.v[bci];
        if (!(mark & MARK_INSN)) continue;
        if (mark & MARK_LEADER) {
            if (b->ranges.n > 0) vec_last(&b->ranges).end = bci, vec_last(&b->ranges).last = last;
            b->range_at.v[bci] = (uint32_t)b->ranges.n;
            vec_push(&b->ranges, ((struct code_range){.start = bci}));
        }
        last = bci;
    }
    vec_last(&b->ranges).end = b->code->length;
    vec_last(&b->ranges).last = last;
}

/*
 * Makes the ranges.  In try ranges one also ends where locals or locks changed between two instructions that
 * may throw, so that a handler sees one state per block.
 */
static void make_ranges(struct ir_builder *b) {
    const struct cf_code *code = b->code;
    int32_t covered = 0;
    bool threw = false, changed = false;
    for (uint32_t bci = 0, length; bci < code->length; bci += length) {
        struct cf_insn in = cf_insn_decode(code, bci);
        length = in.length;
        covered += b->cover.v[bci];
        bool throws = ir_insn_may_throw_(b, in.op, in.index);
        bool split = covered > 0 && throws && threw && changed;
        if ((b->marks.v[bci] & MARK_LEADER) || split) {
            if (b->ranges.n > 0) vec_last(&b->ranges).end = bci;
            b->range_at.v[bci] = (uint32_t)b->ranges.n;
            vec_push(&b->ranges, ((struct code_range){.start = bci, .last = bci}));
            threw = changed = false;
        }
        struct code_range *r = &vec_last(&b->ranges);
        r->last = bci;
        r->throws |= throws;
        threw |= throws;
        changed |= threw && changes_state(in.op);
    }
    vec_last(&b->ranges).end = code->length;
}

bool ir_scan_(struct ir_builder *b) {
    const struct cf_code *code = b->code;
    vec_zero(&b->marks, code->length);
    vec_zero(&b->range_at, code->length);
    vec_clear(&b->ranges);
    b->has_subroutines = false;
    b->marks.v[0] = MARK_LEADER;
    for (uint32_t bci = 0, length; bci < code->length && !b->failed; bci += length) {
        struct cf_insn in = cf_insn_decode(code, bci);
        length = in.length;
        b->bci = bci;
        b->marks.v[bci] |= MARK_INSN;
        mark_jumps(b, &in);
    }
    b->bci = 0;
    mark_handlers(b);
    if (b->marks.v[0] & MARK_HANDLER) b->marks.v[0] |= MARK_JOIN; /* the method's start is one way in */
    for (uint32_t bci = 0; bci < code->length && !b->failed; bci++)
        if ((b->marks.v[bci] & (MARK_LEADER | MARK_INSN)) == MARK_LEADER)
            ir_fail_(b, "jump into the middle of an instruction");
    if (b->failed) return false;
    if (code->n_handlers > 0)
        make_ranges(b);
    else
        make_plain_ranges(b);
    return true;
}
