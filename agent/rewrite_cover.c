/*
 * Checks of fields that need not be made again.
 *
 * Simple model.  A check before every access (rewrite_access.c).  In one epoch, only the first of them
 * changes the field's words.
 *
 * Here.  A read of o.f is covered if a read or write of o.f, by the same variable o, was checked on every way
 * to it, and all between was calm (rewrite_calm.h); a write, if a write was.  A covered access gets no check.
 *
 * Why no race is lost (after Flanagan and Freund, "RedCard").  Let A be the checked access, B the covered one
 * and X another thread's access that conflicts with B; A conflicts with it too, for it writes if B does.  If
 * X comes before A or between the two, what orders X before B must be acquired before A, since nothing is
 * acquired between: so it orders X before A.  If X comes after, what orders B before X was released behind A,
 * and orders A as well.  So if B and X race, A and X do, and A was checked against what came before it, as X
 * is against A.  What B would add is its own name to the report.
 *
 * With a plan every pair of sites is to have its verdict, so B's pairs must be answered too.  There A covers
 * B only if B runs whenever A has: nothing between the two jumps, is jumped to or may throw.  Then B meets
 * whatever A meets, ordered or not as A is, and A stands in for B: B's pairs are counted under A's number.
 *
 * Without a plan a read is covered as well if a write of the same field surely runs behind it, as in
 * `o.f += x`: if there is nothing between the two that jumps, may throw or is not calm.  X then is ordered
 * with the write as it is with the read, and if it conflicts with the read it does so with the write.  With a
 * plan the pair of the read and X is to be shown as the run saw it, with threads and stacks, so the read is
 * checked.
 *
 * Loops.  The first iteration has nothing before it that covers its accesses.  A variable of our own, a memo,
 * tells whether the access has been checked; all that is not calm, and stores into o, unset it:
 *
 *     if (!memo) { check; memo = true; }
 *
 * At the end of an iteration it is true in any case, which is enough for C2 to drop the check from all but
 * the first.  There are memos only in inner loops that are calm and leave o alone, where they stay set; and
 * only if the loop counts something, since one that does not may be waiting for another thread to write the
 * field.
 *
 * The epoch.  The same pass tells where the local surely has it or surely has not, for the checks that are
 * left.
 */
#include "rewrite_internal.h"

#include "race/opcodes.h"

enum { LOCATIONS = 16, MEMOS = 12, PASSES = 20 };

/* A field by the variable that it is reached by. */
struct location {
    struct cf_str owner, name;
    uint16_t local; /* of an instance field */
    bool is_static;
};

/* Bits of a location in a set: checked for reading, for writing. */
#define READ_OF(k) (UINT32_C(1) << (2 * (k)))
#define WRITE_OF(k) (UINT32_C(2) << (2 * (k)))

struct state {
    uint32_t covered;
    bool reached, knows, may_know; /* the epoch: on all ways, on some */
};

struct memo {
    uint16_t local;
    uint8_t location;
    bool is_write;
    uint32_t bci; /* with a plan: of the only site */
};

struct rw_cover {
    struct location locations[LOCATIONS];
    unsigned n_locations;
    uint8_t *access; /* by bci: 1 + 2 * location + is_write */
    uint8_t *ends;   /* by bci: ENDS_* */
    struct state *before;
    uint16_t *objects;   /* by bci: 1 + the local with the object of a field access */
    uint32_t *stand_ins; /* by bci: 1 + that of the access that stands in for this one; 0: none */
    struct memo memos[MEMOS];
    unsigned n_memos;
};

enum { ENDS_CALM = 1, ENDS_EPOCH = 2 };

/* --- What the instructions do -------------------------------------------------------------------------- */

static uint8_t ends(struct rw_method *m, const struct cf_insn *in) {
    if (calm_insn(m->c->policy, &m->c->cls, in)) return 0;
    if (in->op >= CF_OP_INVOKEVIRTUAL && in->op <= CF_OP_INVOKEDYNAMIC) return ENDS_CALM | ENDS_EPOCH;
    if (in->op == CF_OP_MONITORENTER || in->op == CF_OP_MONITOREXIT) return ENDS_CALM | ENDS_EPOCH;
    if (in->op == CF_OP_PUTFIELD || in->op == CF_OP_PUTSTATIC) return ENDS_CALM | ENDS_EPOCH;
    return ENDS_CALM;
}

static unsigned location_of(struct rw_cover *c, struct location l) {
    for (unsigned i = 0; i < c->n_locations; i++) {
        const struct location *k = &c->locations[i];
        if (k->is_static == l.is_static && k->local == l.local && cf_str_eq(k->name, l.name) &&
            cf_str_eq(k->owner, l.owner))
            return i;
    }
    if (c->n_locations < LOCATIONS) c->locations[c->n_locations] = l;
    return c->n_locations < LOCATIONS ? c->n_locations++ : LOCATIONS;
}

static void note_access(struct rw_method *m) {
    struct rw_field_access a;
    if (!rw_field_access(m, &a) || (!a.object.is_static && !a.object.from_local)) return;
    struct location l = {.owner = a.ref.owner, .name = a.ref.name, .is_static = a.object.is_static};
    if (!l.is_static) l.local = a.object.local;
    unsigned k = location_of(m->cover, l);
    if (k < LOCATIONS) m->cover->access[m->walk.insn.bci] = (uint8_t)(1 + 2 * k + a.is_write);
}

static void note_object(struct rw_method *m, const struct cf_insn *in) {
    char kind = cf_member(&m->c->cls, in->index).desc.p[0];
    unsigned slot = in->op == CF_OP_GETFIELD ? 0 : kind == 'J' || kind == 'D' ? 2 : 1;
    struct rw_object o = rw_object_at(m, slot);
    if (o.from_local) m->cover->objects[in->bci] = (uint16_t)(1 + o.local);
}

/* Marks that are given before the walk that inserts code; false: out of memory. */
static bool note(struct rw_method *m) {
    if (!fs_walk_begin(&m->walk, &m->c->edit, &m->c->arena, m->m)) return false;
    while (fs_walk_next(&m->walk)) {
        const struct cf_insn *in = &m->walk.insn;
        m->cover->ends[in->bci] = ends(m, in);
        if (in->op == CF_OP_GETFIELD || in->op == CF_OP_PUTFIELD) note_object(m, in);
        if (in->op >= CF_OP_GETSTATIC && in->op <= CF_OP_PUTFIELD) note_access(m);
    }
    return true;
}

static bool is_store(const struct cf_insn *in) {
    return in->op >= CF_OP_ISTORE && in->op <= CF_OP_ASTORE_3;
}

static bool is_wide_store(uint8_t op) {
    return op == CF_OP_LSTORE || op == CF_OP_DSTORE || (op >= CF_OP_LSTORE_0 && op <= CF_OP_LSTORE_3) ||
           (op >= CF_OP_DSTORE_0 && op <= CF_OP_DSTORE_3);
}

static bool stores_into(const struct cf_insn *in, const struct location *l) {
    if (!is_store(in) || l->is_static) return false;
    return in->index == l->local || (is_wide_store(in->op) && in->index + 1 == l->local);
}

/* Whether a write that comes later stands in for the read there. */
static bool is_left_to_write(const struct rw_cover *c, uint32_t bci) {
    return c->stand_ins[bci] > bci + 1;
}

/* --- What holds where ---------------------------------------------------------------------------------- */

static void step(const struct rw_cover *c, const struct cf_insn *in, struct state *s) {
    uint8_t access = c->access[in->bci];
    for (unsigned k = 0; is_store(in) && k < c->n_locations; k++)
        if (stores_into(in, &c->locations[k])) s->covered &= ~(READ_OF(k) | WRITE_OF(k));
    if (access != 0) {
        unsigned k = (access - 1) / 2;
        s->covered |= READ_OF(k) | ((access - 1) & 1 ? WRITE_OF(k) : 0);
        if (!is_left_to_write(c, in->bci)) s->knows = s->may_know = true;
    }
    bool is_element = (in->op >= CF_OP_IALOAD && in->op <= CF_OP_SALOAD) ||
                      (in->op >= CF_OP_IASTORE && in->op <= CF_OP_SASTORE);
    if (is_element) s->may_know = true; /* if it has a check of its own */
    if (c->ends[in->bci] & ENDS_CALM) s->covered = 0;
    if (c->ends[in->bci] & ENDS_EPOCH) s->knows = s->may_know = false;
}

/* True if that changed what is known at `to`. */
static bool flow(struct rw_cover *c, int64_t to, const struct state *s) {
    struct state *t = &c->before[to], old = *t;
    if (!t->reached) {
        *t = *s;
        t->reached = true;
        return true;
    }
    t->covered &= s->covered;
    t->knows &= s->knows;
    t->may_know |= s->may_know;
    return t->covered != old.covered || t->knows != old.knows || t->may_know != old.may_know;
}

static bool flow_on(struct rw_method *m, const struct cf_insn *in, const struct state *s) {
    const struct cf_code *code = m->m->code;
    bool changed = false;
    if (rw_is_jump(in->op) || rw_is_switch(in->op)) changed |= flow(m->cover, in->target, s);
    for (uint32_t i = 0; rw_is_switch(in->op) && i < in->n_cases; i++)
        changed |= flow(m->cover, cf_insn_case_target(code, in, i), s);
    if (rw_falls_through(in->op)) changed |= flow(m->cover, (int64_t)in->bci + in->length, s);
    return changed;
}

/* False if it does not come to an end soon: then nothing is covered. */
static bool settle(struct rw_method *m) {
    const struct cf_code *code = m->m->code;
    struct rw_cover *c = m->cover;
    const struct state nothing = {.reached = true};
    c->before[0] = nothing;
    for (uint32_t i = 0; i < code->n_handlers; i++) c->before[code->handlers[i].handler] = nothing;
    bool changed = true;
    for (int pass = 0; changed && pass < PASSES; pass++) {
        changed = false;
        for (uint32_t bci = 0; bci < code->length;) {
            struct cf_insn in = cf_insn_decode(code, bci);
            if (in.op == CF_OP_JSR || in.op == CF_OP_JSR_W || in.op == CF_OP_RET) return false;
            struct state s = c->before[bci];
            bci += in.length;
            if (!s.reached) continue;
            step(c, &in, &s);
            changed |= flow_on(m, &in, &s);
        }
    }
    return !changed;
}

/* --- Stand-ins ----------------------------------------------------------------------------------------- */

/* What was checked since the code was last jumped to, might have been left or was not calm. */
struct straight {
    bool takes_over; /* a write may stand in for reads before it */
    uint32_t begin;
    uint32_t read[LOCATIONS], written[LOCATIONS]; /* 1 + bci of the check; 0: none */
};

/* Whether the object of a field access is not null: an access by the same variable has shown it. */
static bool is_dereferenced(const struct rw_method *m, uint32_t bci, const struct straight *s) {
    const struct rw_cover *c = m->cover;
    if (c->objects[bci] == 1 && m->this_fixed) return true;
    for (unsigned k = 0; c->objects[bci] != 0 && k < c->n_locations; k++)
        if (s->read[k] != 0 && !c->locations[k].is_static && c->locations[k].local == c->objects[bci] - 1)
            return true;
    return false;
}

/* Whether the instruction after this one surely runs if this one has begun. */
static bool goes_on(const struct rw_method *m, const struct cf_insn *in, const struct straight *s) {
    uint8_t op = in->op;
    if (op == CF_OP_GETFIELD || op == CF_OP_PUTFIELD) return is_dereferenced(m, in->bci, s);
    if (op == CF_OP_GETSTATIC || op == CF_OP_PUTSTATIC) return true; /* of this class, or not calm */
    if (op == CF_OP_IDIV || op == CF_OP_LDIV || op == CF_OP_IREM || op == CF_OP_LREM) return false;
    return op <= CF_OP_ALOAD_3 || (op >= CF_OP_ISTORE && op <= CF_OP_ASTORE_3) ||
           (op >= CF_OP_POP && op <= CF_OP_DCMPG);
}

/* The first write at bci: the reads that one check was to stand in for are left to it, that one too. */
static void take_over(struct rw_cover *c, uint32_t bci, uint32_t read, const struct straight *s) {
    for (uint32_t i = s->begin; i < bci; i++)
        if (i + 1 == read || (c->access[i] != 0 && c->stand_ins[i] == read)) c->stand_ins[i] = bci + 1;
}

/* The access at bci: an earlier check stands in for it, or it is checked and may stand in for others. */
static void stand_in(struct rw_cover *c, uint32_t bci, struct straight *s) {
    unsigned k = (c->access[bci] - 1u) / 2;
    bool is_write = (c->access[bci] - 1) & 1;
    c->stand_ins[bci] = is_write ? s->written[k] : s->read[k];
    if (is_write && s->written[k] == 0) {
        if (s->takes_over && s->read[k] != 0) take_over(c, bci, s->read[k], s);
        s->written[k] = bci + 1;
    }
    if (s->read[k] == 0) s->read[k] = bci + 1;
}

void rw_note_targets(const struct cf_code *code, uint8_t *targets) {
    for (uint32_t i = 0; i < code->n_handlers; i++) targets[code->handlers[i].handler] = 1;
    for (uint32_t bci = 0; bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        if (rw_is_jump(in.op) || rw_is_switch(in.op)) targets[in.target] = 1;
        for (uint32_t i = 0; rw_is_switch(in.op) && i < in.n_cases; i++)
            targets[cf_insn_case_target(code, &in, i)] = 1;
        bci += in.length;
    }
}

/* False: out of memory. */
static bool find_stand_ins(struct rw_method *m) {
    const struct cf_code *code = m->m->code;
    struct rw_cover *c = m->cover;
    const bool takes_over = m->c->policy->site_added == NULL;
    struct straight s = {.takes_over = takes_over};
    uint8_t *targets = ARENA_NEW_N(&m->c->arena, code->length + 1, uint8_t);
    if (targets == NULL) return false;
    rw_note_targets(code, targets);
    for (uint32_t bci = 0; bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        if (targets[bci] || (c->ends[bci] & ENDS_CALM) || !goes_on(m, &in, &s))
            s = (struct straight){.takes_over = takes_over, .begin = bci};
        if (c->access[bci] != 0) stand_in(c, bci, &s);
        for (unsigned k = 0; k < c->n_locations; k++)
            if (stores_into(&in, &c->locations[k])) s.read[k] = s.written[k] = 0;
        bci += in.length;
    }
    return true;
}

void rw_tell_stand_ins(struct rw_method *m) {
    const struct rewrite_policy *p = m->c->policy;
    if (m->cover == NULL || p->site_added == NULL) return;
    for (uint32_t bci = 0; bci < m->m->code->length; bci++) {
        uint32_t by = m->cover->stand_ins[bci];
        if (by != 0 && m->sites[by - 1] != 0) p->site_added(p->ctx, m->name, m->desc, bci, m->sites[by - 1]);
    }
}

bool rw_find_cover(struct rw_method *m) {
    size_t n = m->m->code->length + 1;
    struct rw_cover *c = ARENA_NEW_N(&m->c->arena, 1, struct rw_cover);
    m->cover = c;
    if (c == NULL) return false;
    c->access = ARENA_NEW_N(&m->c->arena, n, uint8_t);
    c->ends = ARENA_NEW_N(&m->c->arena, n, uint8_t);
    c->before = ARENA_NEW_N(&m->c->arena, n, struct state);
    c->objects = ARENA_NEW_N(&m->c->arena, n, uint16_t);
    c->stand_ins = ARENA_NEW_N(&m->c->arena, n, uint32_t);
    if (c->access == NULL || c->ends == NULL || c->before == NULL || c->objects == NULL ||
        c->stand_ins == NULL || !note(m) || !find_stand_ins(m))
        return false;
    if (!settle(m)) m->cover = NULL;
    return true;
}

/* --- What the checks ask ------------------------------------------------------------------------------- */

bool rw_is_covered(const struct rw_method *m) {
    uint32_t bci = m->walk.insn.bci;
    const struct rw_cover *c = m->cover;
    if (c == NULL || c->access[bci] == 0) return false;
    if (is_left_to_write(c, bci)) return true;
    if (m->c->policy->site_added != NULL)
        return c->stand_ins[bci] != 0 && m->sites[c->stand_ins[bci] - 1] != 0;
    unsigned k = (c->access[bci] - 1u) / 2;
    return c->before[bci].covered & ((c->access[bci] - 1) & 1 ? WRITE_OF(k) : READ_OF(k));
}

enum rw_known rw_knows_epoch(const struct rw_method *m) {
    const struct rw_cover *c = m->cover;
    const struct state *s = c == NULL ? NULL : &c->before[m->walk.insn.bci];
    if (s == NULL || !s->reached) return RW_MAYBE;
    return s->knows ? RW_KNOWN : s->may_know ? RW_MAYBE : RW_UNKNOWN;
}

/* The innermost loop around an instruction, as the stretch from a jump's target to the last jump there. */
static bool innermost(const struct cf_code *code, uint32_t at, uint32_t *head, uint32_t *last) {
    bool found = false;
    for (uint32_t bci = 0; bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        bool is_back =
            rw_is_jump(in.op) && in.target <= (int32_t)at && bci >= at && in.target <= (int32_t)bci;
        if (is_back && (!found || (uint32_t)in.target >= *head)) {
            *head = (uint32_t)in.target;
            *last = bci;
            found = true;
        }
        bci += in.length;
    }
    return found;
}

/* Whether the memo of the location stays set in the innermost loop around the access. */
static bool pays_in_loop(const struct rw_method *m, uint32_t at, const struct location *l) {
    const struct cf_code *code = m->m->code;
    uint32_t head = 0, last = 0;
    bool counts = false;
    if (!m->loops[at] || !innermost(code, at, &head, &last)) return false;
    for (uint32_t bci = head; bci <= last;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        if ((m->cover->ends[bci] & ENDS_CALM) || stores_into(&in, l)) return false;
        counts |= in.op == CF_OP_IINC;
        bci += in.length;
    }
    return counts;
}

static const struct memo *new_memo(struct rw_method *m, struct memo memo) {
    struct rw_cover *c = m->cover;
    if (c->n_memos == MEMOS) return NULL;
    memo.local = cfe_add_typed_local(m->out, (struct cf_vtype){CF_V_INTEGER, 0});
    cfa_op(cfe_entry(m->out), CF_OP_ICONST_0);
    cfa_local(cfe_entry(m->out), CF_OP_ISTORE, memo.local);
    c->memos[c->n_memos] = memo;
    return &c->memos[c->n_memos++];
}

bool rw_memo(struct rw_method *m, uint16_t *local) {
    struct rw_cover *c = m->cover;
    uint32_t bci = m->walk.insn.bci;
    if (c == NULL || c->access[bci] == 0) return false;
    uint8_t k = (uint8_t)((c->access[bci] - 1) / 2);
    if (!pays_in_loop(m, bci, &c->locations[k])) return false;
    struct memo wanted = {.location = k, .is_write = (c->access[bci] - 1) & 1};
    if (m->c->policy->site_added != NULL) wanted.bci = bci;
    const struct memo *found = NULL;
    for (unsigned i = 0; i < c->n_memos; i++)
        if (c->memos[i].location == k && c->memos[i].is_write == wanted.is_write &&
            c->memos[i].bci == wanted.bci)
            found = &c->memos[i];
    if (found == NULL) found = new_memo(m, wanted);
    if (found != NULL) *local = found->local;
    return found != NULL;
}

/* --- Unsetting the memos ------------------------------------------------------------------------------- */

static void unset(struct cf_asm *a, const struct memo *memo) {
    cfa_op(a, CF_OP_ICONST_0);
    cfa_local(a, CF_OP_ISTORE, memo->local);
}

void rw_unset_memos(struct rw_method *m) {
    const struct cf_code *code = m->m->code;
    const struct rw_cover *c = m->cover;
    if (c == NULL) return;
    for (uint32_t bci = 0; c->n_memos > 0 && bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        for (unsigned i = 0; rw_falls_through(in.op) && i < c->n_memos; i++)
            if ((c->ends[bci] & ENDS_CALM) || stores_into(&in, &c->locations[c->memos[i].location]))
                unset(cfe_after(m->out, bci), &c->memos[i]);
        bci += in.length;
    }
    for (uint32_t i = 0; i < code->n_handlers; i++) {
        uint16_t at = code->handlers[i].handler;
        if (m->marks[at] & RW_UNSET) continue;
        m->marks[at] |= RW_UNSET;
        for (unsigned k = 0; k < c->n_memos; k++) unset(cfe_before(m->out, at), &c->memos[k]);
    }
}
