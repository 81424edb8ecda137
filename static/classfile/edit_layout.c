/*
 * Layout of an edited method: one list of items, positions to a fixed point, then the bytes.
 *
 * The simple model: every branch holds the index of the item it lands on; positions are assigned in order
 * with short branches; each branch that does not reach is marked wide, and positions are assigned again until
 * no new mark appears.  Marks are never taken back, so it ends; switch padding may shrink again between
 * rounds, which is why each round checks all branches anew.
 */
#include "edit.h"

#include "race/opcodes.h"

enum { CODE_LIMIT = 65535 };

static bool stop(struct cfe_layout *l, enum cfe_reason reason) {
    if (l->reason == CFE_OK) l->reason = reason;
    return false;
}

/* --- One list ------------------------------------------------------------------------------------------ */

static uint32_t count_asm(const struct cf_asm *a) {
    uint32_t n = 0;
    for (const struct cfe_item *it = a->first; it != NULL; it = it->next) n++;
    return n;
}

static uint32_t count_items(const struct cfe_layout *l) {
    uint32_t n = count_asm(&l->m->entry) + count_asm(&l->m->tail);
    for (uint32_t i = 0; i < l->m->n_spots; i++) {
        const struct cfe_spot *s = l->m->spots[i];
        n += count_asm(&s->before) + count_asm(&s->replace) + count_asm(&s->after);
    }
    return n + (l->code == NULL ? 0 : l->code->length);
}

static void take_asm(struct cfe_layout *l, const struct cf_asm *a) {
    for (const struct cfe_item *it = a->first; it != NULL; it = it->next) {
        if (it->form == CFE_BIND && it->target < l->m->n_labels) l->label[it->target] = l->n_items;
        l->items[l->n_items++] = *it;
    }
}

static void take_original(struct cfe_layout *l, const struct cf_insn *in) {
    struct cfe_item *it = &l->items[l->n_items++];
    *it = (struct cfe_item){.op = in->op,
                            .index = in->index,
                            .value = in->value,
                            .n = in->length,
                            .bytes = l->code->code + in->bci,
                            .bci = in->bci,
                            .target = (uint32_t)in->target};
    switch (cf_opcodes[in->op].format) {
    case CF_F_BRANCH:
    case CF_F_BRANCH_W: it->form = CFE_BRANCH; break;
    case CF_F_TABLE_SWITCH:
    case CF_F_LOOKUP_SWITCH: it->form = CFE_SWITCH; break;
    default: it->form = CFE_PLAIN; break;
    }
}

static void take_code(struct cfe_layout *l) {
    l->early[0] = l->n_items;
    for (uint32_t bci = 0; bci < l->code->length;) {
        struct cf_insn in = cf_insn_decode(l->code, bci);
        uint32_t at = l->m->spot_of == NULL ? 0 : l->m->spot_of[bci];
        const struct cfe_spot *s = at == 0 ? NULL : l->m->spots[at - 1];
        l->boundary[bci] = l->n_items;
        if (s != NULL) take_asm(l, &s->before);
        l->exact[bci] = l->n_items;
        if (s != NULL && s->replaced)
            take_asm(l, &s->replace);
        else
            take_original(l, &in);
        uint32_t behind = l->n_items;
        if (s != NULL) take_asm(l, &s->after);
        bci += in.length;
        l->early[bci] = s != NULL && s->guarded ? behind : l->n_items;
    }
    l->boundary[l->code->length] = l->exact[l->code->length] = l->n_items;
}

/* Labels at original boundaries, then every branch to an item index. */
static bool resolve(struct cfe_layout *l) {
    const struct cfe_method *m = l->m;
    for (uint32_t i = 0; i < m->n_labels; i++) {
        if (m->label_bci[i] == 0) continue;
        if (l->code == NULL || m->label_bci[i] - 1 > l->code->length) return stop(l, CFE_BAD_EDIT);
        l->label[i] = l->boundary[m->label_bci[i] - 1];
    }
    for (uint32_t i = 0; i < l->n_items; i++) {
        struct cfe_item *it = &l->items[i];
        if (it->form != CFE_BRANCH) continue;
        if (it->target_is_label)
            it->target = it->target < m->n_labels ? l->label[it->target] : CFE_NONE;
        else
            it->target = l->boundary[it->target];
        if (it->target >= l->n_items) return stop(l, CFE_BAD_EDIT);
    }
    return true;
}

bool cfe_linearise(struct cfe_layout *l) {
    struct arena *a = &l->m->edit->scratch;
    if (l->m->overflow_locals) return stop(l, CFE_TOO_MANY_LOCALS);
    if (l->m->overflow_stack) return stop(l, CFE_STACK_TOO_DEEP);
    uint32_t n = count_items(l), length = l->code == NULL ? 0 : l->code->length;
    l->items = ARENA_NEW_N(a, n + 1, struct cfe_item);
    l->boundary = ARENA_NEW_N(a, length + 1, uint32_t);
    l->exact = ARENA_NEW_N(a, length + 1, uint32_t);
    l->early = ARENA_NEW_N(a, length + 1, uint32_t);
    l->label = ARENA_NEW_N(a, l->m->n_labels + 1, uint32_t);
    l->targeted = ARENA_NEW_N(a, n + 1, uint8_t);
    if (a->failed) return stop(l, CFE_NO_MEMORY);
    for (uint32_t i = 0; i < l->m->n_labels; i++) l->label[i] = CFE_NONE;
    take_asm(l, &l->m->entry);
    if (l->code != NULL) take_code(l);
    take_asm(l, &l->m->tail);
    return resolve(l);
}

/* --- Positions ----------------------------------------------------------------------------------------- */

static bool is_conditional(uint8_t op) {
    return op != CF_OP_GOTO && op != CF_OP_JSR && op != CF_OP_GOTO_W && op != CF_OP_JSR_W;
}

static uint32_t size_at(const struct cfe_layout *l, const struct cfe_item *it, uint32_t pos) {
    switch (it->form) {
    case CFE_BIND: return 0;
    case CFE_BRANCH:
        if (it->op == CF_OP_GOTO_W || it->op == CF_OP_JSR_W) return 5;
        if (!it->widened) return 3;
        return is_conditional(it->op) ? 8 : 5; /* inverted test around a goto_w; goto_w or jsr_w */
    case CFE_SWITCH: {
        struct cf_insn in = cf_insn_decode(l->code, it->bci);
        uint32_t table = it->op == CF_OP_TABLESWITCH ? 12 + 4 * in.n_cases : 8 + 8 * in.n_cases;
        return 1 + (3 - pos % 4) + table;
    }
    default: return it->n;
    }
}

static void assign(struct cfe_layout *l) {
    uint32_t pos = 0;
    for (uint32_t i = 0; i < l->n_items; i++) {
        l->items[i].pos = pos;
        pos += size_at(l, &l->items[i], pos);
    }
    l->length = pos;
}

uint32_t cfe_pos(const struct cfe_layout *l, uint32_t item) {
    return item < l->n_items ? l->items[item].pos : l->length;
}

uint16_t cfe_moved(const struct cfe_layout *l, uint32_t bci) {
    return (uint16_t)cfe_pos(l, l->boundary[bci]);
}

/* Marks the branches that do not reach; true if there was a new one. */
static bool widen(struct cfe_layout *l) {
    bool any = false;
    for (uint32_t i = 0; i < l->n_items; i++) {
        struct cfe_item *it = &l->items[i];
        if (it->form != CFE_BRANCH || it->widened || it->op == CF_OP_GOTO_W || it->op == CF_OP_JSR_W)
            continue;
        int32_t delta = (int32_t)(cfe_pos(l, it->target) - it->pos);
        if (delta >= -32768 && delta <= 32767) continue;
        it->widened = any = true;
    }
    return any;
}

bool cfe_place(struct cfe_layout *l) {
    do {
        assign(l);
        if (l->length > CODE_LIMIT) return stop(l, CFE_CODE_TOO_LARGE);
    } while (l->length > 32767 && widen(l));
    return l->length > 0 || stop(l, CFE_BAD_EDIT);
}

/* --- Bytes --------------------------------------------------------------------------------------------- */

/* The opposite test: pairs (ifeq, ifne) ... (if_acmpeq, if_acmpne) start at 153, ifnull/ifnonnull at 198. */
static uint8_t inverted(uint8_t op) {
    if (op >= CF_OP_IFNULL) return (uint8_t)(op ^ 1);
    return (uint8_t)(((op - CF_OP_IFEQ) ^ 1) + CF_OP_IFEQ);
}

static void write_branch(const struct cfe_layout *l, const struct cfe_item *it, struct cfe_buf *b) {
    uint32_t delta = cfe_pos(l, it->target) - it->pos;
    if (it->op == CF_OP_GOTO_W || it->op == CF_OP_JSR_W) {
        cfe_put1(b, it->op);
        cfe_put4(b, delta);
    } else if (!it->widened) {
        cfe_put1(b, it->op);
        cfe_put2(b, (uint16_t)delta);
    } else if (is_conditional(it->op)) {
        cfe_put1(b, inverted(it->op));
        cfe_put2(b, 8);
        cfe_put1(b, CF_OP_GOTO_W);
        cfe_put4(b, delta - 3);
    } else {
        cfe_put1(b, it->op == CF_OP_GOTO ? CF_OP_GOTO_W : CF_OP_JSR_W);
        cfe_put4(b, delta);
    }
}

static void write_switch(const struct cfe_layout *l, const struct cfe_item *it, struct cfe_buf *b) {
    struct cf_insn in = cf_insn_decode(l->code, it->bci);
    cfe_put1(b, it->op);
    for (uint32_t i = it->pos; i % 4 != 3; i++) cfe_put1(b, 0);
    cfe_put4(b, cfe_moved(l, (uint32_t)in.target) - it->pos);
    if (it->op == CF_OP_TABLESWITCH) {
        cfe_put4(b, (uint32_t)in.low);
        cfe_put4(b, (uint32_t)in.low + in.n_cases - 1);
    } else {
        cfe_put4(b, in.n_cases);
    }
    for (uint32_t i = 0; i < in.n_cases; i++) {
        if (it->op == CF_OP_LOOKUPSWITCH) cfe_put4(b, (uint32_t)cf_insn_case_key(l->code, &in, i));
        cfe_put4(b, cfe_moved(l, (uint32_t)cf_insn_case_target(l->code, &in, i)) - it->pos);
    }
}

static void write_items(const struct cfe_layout *l, struct cfe_buf *b) {
    for (uint32_t i = 0; i < l->n_items; i++) {
        const struct cfe_item *it = &l->items[i];
        switch (it->form) {
        case CFE_BRANCH: write_branch(l, it, b); break;
        case CFE_SWITCH: write_switch(l, it, b); break;
        case CFE_PLAIN: cfe_put(b, it->bytes, it->n); break;
        default: break;
        }
    }
}

static uint32_t write_handler(struct cfe_buf *b, uint32_t start, uint32_t end, uint32_t handler,
                              uint16_t catch_type) {
    if (start >= end) return 0; /* nothing left in the range */
    cfe_put2(b, (uint16_t)start);
    cfe_put2(b, (uint16_t)end);
    cfe_put2(b, (uint16_t)handler);
    cfe_put2(b, catch_type);
    return 1;
}

static uint32_t write_added_handlers(struct cfe_layout *l, struct cfe_buf *b, bool first) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->m->n_handlers; i++) {
        const struct cfe_added_handler *h = &l->m->handlers[i];
        if (h->first != first) continue;
        if (h->start.id >= l->m->n_labels || h->end.id >= l->m->n_labels || h->handler.id >= l->m->n_labels ||
            l->label[h->handler.id] >= l->n_items) {
            stop(l, CFE_BAD_EDIT);
            continue;
        }
        n += write_handler(b, cfe_pos(l, l->label[h->start.id]), cfe_pos(l, l->label[h->end.id]),
                           cfe_pos(l, l->label[h->handler.id]), h->catch_type);
    }
    return n;
}

static void write_handlers(struct cfe_layout *l, struct cfe_buf *b) {
    size_t count_at = b->n;
    cfe_put2(b, 0);
    uint32_t n = l->n_first = write_added_handlers(l, b, true);
    for (uint32_t i = 0; l->code != NULL && i < l->code->n_handlers; i++) {
        const struct cf_handler *h = &l->code->handlers[i];
        n += write_handler(b, cfe_pos(l, l->early[h->start]), cfe_moved(l, h->end), cfe_moved(l, h->handler),
                           h->catch_type);
    }
    n += write_added_handlers(l, b, false);
    if (n > 65535)
        stop(l, CFE_TOO_MANY_HANDLERS);
    else
        cfe_set2(b, count_at, (uint16_t)n);
}

void cfe_write_code(struct cfe_layout *l, struct cfe_buf *b) {
    size_t start = b->n;
    cfe_put2(b, cfe_utf8(l->m->edit, cf_z("Code")));
    cfe_put4(b, 0);
    cfe_put2(b, l->m->max_stack);
    cfe_put2(b, l->m->max_locals);
    cfe_put4(b, l->length);
    write_items(l, b);
    write_handlers(l, b);
    cfe_write_code_attrs(l, b);
    cfe_set4(b, start + 2, (uint32_t)(b->n - start - 6));
}

uint32_t cfe_code_size(struct cfe_method *m) {
    struct cfe_layout l = {.m = m, .code = m->original == NULL ? NULL : m->original->code};
    arena_clear(&m->edit->scratch);
    if (l.code != NULL && !m->code_changed) return l.code->length;
    cfe_linearise(&l);
    if (l.reason == CFE_OK) cfe_place(&l);
    m->edit->scratch.failed = false;
    return l.reason == CFE_OK || l.reason == CFE_CODE_TOO_LARGE ? l.length : UINT32_MAX;
}
