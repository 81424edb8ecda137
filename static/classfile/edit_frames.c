/*
 * Stack maps of an edited method.
 *
 * One pass over the items: frames of the original are taken over (with the typed locals added), and every
 * other jump target (a label in inserted code, the instruction behind a conditional that had to be
 * inverted) gets the types that the simulation has there.
 */
#include "edit.h"

#include "race/framesim.h"
#include "race/opcodes.h"

enum { TARGET = 1, HANDLER = 2 };

struct pass {
    struct cfe_layout *l;
    struct framesim sim;
    const struct cf_frame **stated; /* by item */
    uint32_t cap;
    bool last_stated; /* the newest frame is one of the original */
};

static bool stop(struct cfe_layout *l, enum cfe_reason reason) {
    if (l->reason == CFE_OK) l->reason = reason;
    return false;
}

static bool has_jumps(const struct cf_code *code) {
    if (code->n_handlers > 0) return true;
    for (uint32_t bci = 0; bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        uint8_t f = cf_opcodes[in.op].format;
        if (f == CF_F_BRANCH || f == CF_F_BRANCH_W || f == CF_F_TABLE_SWITCH || f == CF_F_LOOKUP_SWITCH)
            return true;
        bci += in.length;
    }
    return false;
}

/*
 * Java 7 files (51) must have frames, Java 5 files have none.  In Java 6 files both exist: a method that
 * jumps without frames is left to the old verifier, and one that did not jump gets frames.
 */
static bool needs_frames(const struct cfe_layout *l) {
    uint16_t major = l->m->edit->cls->major;
    if (major != 50) return major > 50;
    return l->code == NULL || l->code->has_frames || !has_jumps(l->code);
}

/* --- From types to frames ------------------------------------------------------------------------------ */

static struct cf_vtype to_vtype(struct pass *p, struct fs_type t) {
    struct cf_vtype v = {.tag = t.tag};
    if (t.tag == CF_V_OBJECT)
        v.arg = t.cls != 0 ? t.cls : cfe_class(p->l->m->edit, t.name);
    else if (t.tag == CF_V_UNINIT)
        v.arg = (uint16_t)cfe_pos(p->l, t.site);
    return v;
}

static struct cf_vtype *pack(struct pass *p, const struct fs_type *slots, uint32_t n, uint16_t *count) {
    struct cf_vtype *v = ARENA_NEW_N(&p->l->m->edit->scratch, n + 1, struct cf_vtype);
    *count = 0;
    if (v == NULL) return NULL;
    for (uint32_t i = 0; i < n; i++) {
        v[(*count)++] = to_vtype(p, slots[i]);
        if (slots[i].tag == CF_V_LONG || slots[i].tag == CF_V_DOUBLE) i++;
    }
    return v;
}

static struct cf_frame snapshot(struct pass *p, uint32_t pos) {
    const struct fs_state *now = &p->sim.now;
    uint32_t used = now->n_locals;
    /* Trailing unknowns need not be named; the second slot of a long is not one of them. */
    while (
        used > 0 && now->locals[used - 1].tag == CF_V_TOP &&
        !(used > 1 && (now->locals[used - 2].tag == CF_V_LONG || now->locals[used - 2].tag == CF_V_DOUBLE)))
        used--;
    struct cf_frame f = {.bci = (uint16_t)pos};
    f.locals = pack(p, now->locals, used, &f.n_locals);
    f.stack = pack(p, now->stack, now->depth, &f.n_stack);
    return f;
}

/* Two frames at one position: the original's own wins, else the later (it was merged from the earlier). */
static void add_frame(struct pass *p, uint32_t pos, bool is_stated) {
    struct cfe_layout *l = p->l;
    if (l->n_frames > 0 && l->frames[l->n_frames - 1].bci == pos) {
        if (p->last_stated) return;
        l->n_frames--;
    }
    if (l->n_frames == p->cap) return; /* cannot happen: room for one frame per item */
    l->frames[l->n_frames++] = snapshot(p, pos);
    p->last_stated = is_stated;
}

/* --- The pass ------------------------------------------------------------------------------------------ */

static void mark_targets(struct cfe_layout *l) {
    for (uint32_t i = 0; i < l->n_items; i++) {
        const struct cfe_item *it = &l->items[i];
        if (it->form == CFE_BRANCH) {
            l->targeted[it->target] |= TARGET;
            if (it->widened && it->op != CF_OP_GOTO && it->op != CF_OP_JSR) l->targeted[i + 1] |= TARGET;
        } else if (it->form == CFE_SWITCH) {
            struct cf_insn in = cf_insn_decode(l->code, it->bci);
            l->targeted[l->boundary[in.target]] |= TARGET;
            for (uint32_t k = 0; k < in.n_cases; k++)
                l->targeted[l->boundary[cf_insn_case_target(l->code, &in, k)]] |= TARGET;
        }
    }
    for (uint32_t i = 0; i < l->m->n_handlers; i++) {
        uint32_t id = l->m->handlers[i].handler.id;
        if (id < l->m->n_labels && l->label[id] < l->n_items) l->targeted[l->label[id]] |= HANDLER;
    }
}

static void set_typed_locals(struct pass *p) {
    for (uint32_t i = 0; i < p->l->m->n_typed; i++) {
        const struct cfe_typed_local *t = &p->l->m->typed[i];
        if (t->index >= p->sim.now.n_locals) continue;
        p->sim.now.locals[t->index] = fs_of_vtype(&p->sim, t->type); /* a second slot is TOP already */
    }
}

static struct fs_type caught_at(const struct pass *p, uint32_t item) {
    const struct cfe_method *m = p->l->m;
    for (uint32_t i = 0; i < m->n_handlers; i++) {
        const struct cfe_added_handler *h = &m->handlers[i];
        if (p->l->label[h->handler.id] != item || h->catch_type == 0) continue;
        return fs_of_vtype(&p->sim, (struct cf_vtype){CF_V_OBJECT, h->catch_type});
    }
    return fs_object(cf_z("java/lang/Throwable"));
}

/* Here a range begins whose handler is to know the locals. */
static void offer_locals(struct pass *p, uint32_t i) {
    const struct cfe_method *m = p->l->m;
    struct fs_state saved = p->sim.now;
    for (uint32_t k = 0; k < m->n_handlers; k++) {
        const struct cfe_added_handler *h = &m->handlers[k];
        if (!h->keeps_locals || p->l->label[h->start.id] != i) continue;
        struct fs_type caught[1] = {caught_at(p, p->l->label[h->handler.id])};
        p->sim.now.stack = caught;
        p->sim.now.depth = 1;
        fs_jump(&p->sim, p->l->label[h->handler.id]);
        p->sim.now = saved;
    }
}

static void enter_handler(struct pass *p, uint32_t i) {
    struct cf_frame nothing = {0};
    if (p->sim.pending[i] != NULL) {
        p->sim.now.live = false;
        fs_arrive(&p->sim, i);
        return;
    }
    fs_load(&p->sim, &nothing, NULL);
    set_typed_locals(p);
    fs_set_stack(&p->sim, caught_at(p, i));
}

static bool arrive(struct pass *p, uint32_t i) {
    struct cfe_layout *l = p->l;
    if (p->stated[i] != NULL) {
        fs_load(&p->sim, p->stated[i], l->exact);
        set_typed_locals(p);
        add_frame(p, l->items[i].pos, true);
    } else if (l->targeted[i] & HANDLER) {
        enter_handler(p, i);
        add_frame(p, l->items[i].pos, false);
    } else if (l->targeted[i] & TARGET) {
        fs_arrive(&p->sim, i);
        if (!p->sim.now.live) return false; /* reached only from below, by no stated types */
        add_frame(p, l->items[i].pos, false);
    }
    return p->sim.now.live || l->items[i].form == CFE_BIND;
}

static void leave(struct pass *p, uint32_t i) {
    const struct cfe_item *it = &p->l->items[i];
    if (it->form == CFE_BIND) return;
    fs_step(&p->sim, it->op, it->index, it->value, i);
    /* Jumps to stated frames need no types, and a switch of the original has only such targets. */
    if (it->form != CFE_BRANCH || it->target <= i || p->stated[it->target] != NULL) return;
    bool goes_on = p->sim.now.live;
    p->sim.now.live = true;
    fs_jump(&p->sim, it->target);
    p->sim.now.live = goes_on;
}

static bool prepare(struct pass *p) {
    struct cfe_layout *l = p->l;
    struct arena *a = &l->m->edit->scratch;
    p->cap = l->n_items + 1;
    l->frames = ARENA_NEW_N(a, p->cap, struct cf_frame);
    p->stated = ARENA_NEW_N(a, l->n_items + 1, const struct cf_frame *);
    if (l->frames == NULL || p->stated == NULL ||
        !fs_init(&p->sim, l->m->edit, a, l->n_items, l->m->max_locals, l->m->max_stack))
        return stop(l, CFE_NO_MEMORY);
    for (uint32_t i = 0; l->code != NULL && i < l->code->n_frames; i++)
        p->stated[l->boundary[l->code->frames[i].bci]] = &l->code->frames[i];
    mark_targets(l);
    fs_enter(&p->sim, l->m->access, cfe_utf8_at(l->m->edit, l->m->name), cfe_utf8_at(l->m->edit, l->m->desc));
    return true;
}

bool cfe_simulate(struct cfe_layout *l) {
    if (!needs_frames(l)) return true;
    struct pass p = {.l = l};
    if (!prepare(&p)) return false;
    bool has_inner = false;
    for (uint32_t i = 0; i < l->m->n_handlers; i++) has_inner |= l->m->handlers[i].keeps_locals;
    for (uint32_t i = 0; i < l->n_items; i++) {
        if (!arrive(&p, i)) return stop(l, CFE_UNVERIFIABLE);
        if (has_inner && l->items[i].form == CFE_BIND) offer_locals(&p, i);
        leave(&p, i);
        if (p.sim.failed) return stop(l, CFE_UNVERIFIABLE);
    }
    if (l->n_frames > 65535) return stop(l, CFE_TOO_MANY_HANDLERS);
    return !l->m->edit->scratch.failed || stop(l, CFE_NO_MEMORY);
}

/* --- Encoding ------------------------------------------------------------------------------------------ */

static bool same_vtypes(const struct cf_vtype *x, const struct cf_vtype *y, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (x[i].tag != y[i].tag || x[i].arg != y[i].arg) return false;
    return true;
}

static void write_vtypes(const struct cf_vtype *v, uint32_t n, struct cfe_buf *b) {
    for (uint32_t i = 0; i < n; i++) {
        cfe_put1(b, v[i].tag);
        if (v[i].tag == CF_V_OBJECT || v[i].tag == CF_V_UNINIT) cfe_put2(b, v[i].arg);
    }
}

/* Picks the shortest form that says the difference to the previous frame. */
static void write_frame(const struct cf_frame *prev, const struct cf_frame *f, uint32_t delta,
                        struct cfe_buf *b) {
    uint32_t common = prev->n_locals < f->n_locals ? prev->n_locals : f->n_locals;
    int diff = (int)f->n_locals - (int)prev->n_locals;
    bool prefix = same_vtypes(prev->locals, f->locals, common);
    if (prefix && diff == 0 && f->n_stack <= 1) {
        bool is_short = delta < 64;
        if (f->n_stack == 0)
            cfe_put1(b, is_short ? (uint8_t)delta : 251);
        else
            cfe_put1(b, is_short ? (uint8_t)(64 + delta) : 247);
        if (!is_short) cfe_put2(b, (uint16_t)delta);
        write_vtypes(f->stack, f->n_stack, b);
    } else if (prefix && f->n_stack == 0 && diff >= -3 && diff <= 3) {
        cfe_put1(b, (uint8_t)(251 + diff));
        cfe_put2(b, (uint16_t)delta);
        if (diff > 0) write_vtypes(f->locals + common, (uint32_t)diff, b);
    } else {
        cfe_put1(b, 255);
        cfe_put2(b, (uint16_t)delta);
        cfe_put2(b, f->n_locals);
        write_vtypes(f->locals, f->n_locals, b);
        cfe_put2(b, f->n_stack);
        write_vtypes(f->stack, f->n_stack, b);
    }
}

void cfe_write_frames(struct cfe_layout *l, struct cfe_buf *b) {
    struct cf_edit *e = l->m->edit;
    struct pass p = {.l = l};
    if (!fs_init(&p.sim, e, &e->scratch, 0, l->m->max_locals, 0)) {
        stop(l, CFE_NO_MEMORY);
        return;
    }
    fs_enter(&p.sim, l->m->access, cfe_utf8_at(e, l->m->name), cfe_utf8_at(e, l->m->desc));
    struct cf_frame prev = snapshot(&p, 0);
    size_t start = b->n;
    cfe_put2(b, cfe_utf8(e, cf_z("StackMapTable")));
    cfe_put4(b, 0);
    cfe_put2(b, (uint16_t)l->n_frames);
    for (uint32_t i = 0; i < l->n_frames; i++) {
        const struct cf_frame *f = &l->frames[i];
        write_frame(&prev, f, i == 0 ? f->bci : (uint32_t)f->bci - prev.bci - 1, b);
        prev = *f;
    }
    cfe_set4(b, start + 2, (uint32_t)(b->n - start - 6));
}
