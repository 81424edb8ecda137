/*
 * Sweeps: array accesses of simple loops, told as ranges when the loop is left.
 *
 * Simple model.  A check before every access (rewrite_access.c).
 *
 * Here.  A loop without inner loops in which all is calm (rewrite_calm.h) is told of at its exits.  With the
 * variable i that each iteration changes by a constant step, an access that every iteration makes once, of
 * a[i + c] with an array that stays the same, has touched a[first + c], a[first + step + c], ..., as often as
 * there were iterations; one of an element that stays the same has touched that, if there was an iteration.
 * So nothing is left to do in the loop but to keep a copy of i:
 *
 *     first = now = i; arrays...; at = epoch          before the loop
 *     now = i                                         behind its increment
 *     RaceElements.sweptRead(array, first + c, step, (now - first) / step, at, site)    at each exit, per
 * site
 *
 * An exit in the middle of an iteration adds or takes away one.  What has been done in the iteration at each
 * instruction is found by one pass, since jumps inside go forward only: `must` has what all ways to it have
 * done, `may` what some have.  A site where these differ at an exit, or where something may throw, is left to
 * the checks before every access; so is one that an iteration can leave out.  Exceptions are exits too: a
 * handler for each stretch with the same `must` tells the sweeps and throws on.
 *
 * A read whose index was read from an int[] that the loop sweeps, as in x[column[i]], is told with that
 * array, of which the helper takes the indices again:
 *
 *     RaceElements.gatheredRead(array, indices, first + c, step, n, at, site)
 *
 * The loop must not change elements of int[] itself.  If another thread has changed one in the meantime, it
 * has raced with the loop, which might as well have read the new index: that access is a possible one, too.
 *
 * Why this is exact.  No release and no acquire lies between an access and its telling, hence whoever is
 * unordered with the one is with the other.  If the epoch did move on (the making of an exception takes a
 * lock), the accesses are told in the epoch in which the loop began.  But if the loop calls methods of other
 * classes, then these may not have been as calm as they should (rewrite_calm.h), and nothing is told.
 */
#include "rewrite_internal.h"

#include "race/opcodes.h"

enum { STEP_MAX = 255, EXIT_CODE_MAX = 40 };
/* In the sets `must` and `may`: bit k for site k, and this for the increment of the variable. */
#define INCREMENTED (UINT32_C(1) << 30)

struct state {
    uint32_t must, may;
    bool reached;
};

/* One loop under study. */
struct study {
    struct rw_method *m;
    struct rw_loop *loop;
    const uint8_t *stored; /* by local: 1 + how often it is incremented, or STORED */
    struct state *states;  /* by bci */
    uint32_t at_latches;   /* done at every jump back */
    uint32_t disputed;     /* done on some ways only, at an exit or where something may throw */
    uint32_t exits;
};

enum { STORED = 255 };

/* --- Which loops --------------------------------------------------------------------------------------- */

static bool is_return(uint8_t op) {
    return op >= CF_OP_IRETURN && op <= CF_OP_RETURN;
}

static bool in_loop(const struct rw_loop *l, int64_t bci) {
    return bci >= l->head && bci <= l->last;
}

static bool may_throw(uint8_t op) {
    if (op <= CF_OP_ALOAD_3) return false; /* constants and loads; string constants may, before their use */
    if (op >= CF_OP_ISTORE && op <= CF_OP_ASTORE_3) return false;
    if (op == CF_OP_IDIV || op == CF_OP_LDIV || op == CF_OP_IREM || op == CF_OP_LREM) return true;
    if (op >= CF_OP_POP && op <= CF_OP_LOOKUPSWITCH) return false;
    return !rw_is_jump(op);
}

static bool is_guarded(const struct cf_code *code, const struct rw_loop *l) {
    for (uint32_t i = 0; i < code->n_handlers; i++) {
        const struct cf_handler *h = &code->handlers[i];
        if ((h->start <= l->last && h->end > l->head) || in_loop(l, h->handler)) return true;
    }
    return false;
}

/* A jump of the method, whether it is in the loop or not. */
static bool jump_fits(const struct rw_loop *l, uint32_t from, int32_t to, bool is_case) {
    if (!in_loop(l, from)) return !in_loop(l, to); /* entered from above only */
    if (is_case) return in_loop(l, to) && to > (int32_t)from;
    return to == (int32_t)l->head || to > (int32_t)from || !in_loop(l, to);
}

static bool jumps_fit(const struct cf_code *code, const struct rw_loop *l, const struct cf_insn *in) {
    if (rw_is_jump(in->op)) return jump_fits(l, in->bci, in->target, false);
    if (!rw_is_switch(in->op)) return true;
    for (uint32_t i = 0; i < in->n_cases; i++)
        if (!jump_fits(l, in->bci, cf_insn_case_target(code, in, i), true)) return false;
    return jump_fits(l, in->bci, in->target, true);
}

static bool stores_two(uint8_t op) {
    return op == CF_OP_LSTORE || op == CF_OP_DSTORE || (op >= CF_OP_LSTORE_0 && op <= CF_OP_LSTORE_3) ||
           (op >= CF_OP_DSTORE_0 && op <= CF_OP_DSTORE_3);
}

/* A call of another class is taken to be calm by what was found under its name, of which a class loader may
   have another version. */
static bool trusts_other_class(const struct rw_class *c, const struct cf_insn *in) {
    if (in->op < CF_OP_INVOKEVIRTUAL || in->op > CF_OP_INVOKEINTERFACE) return false;
    struct cf_member_ref ref = cf_member(&c->cls, in->index);
    return !calm_in_jdk(&ref) && !cf_str_eq(ref.owner, c->name);
}

static bool may_set_ints(const struct rw_class *c, const struct cf_insn *in) {
    if (in->op < CF_OP_INVOKEVIRTUAL || in->op > CF_OP_INVOKEDYNAMIC) return in->op == CF_OP_IASTORE;
    struct cf_member_ref ref = cf_member(&c->cls, in->index);
    return !calm_in_jdk(&ref);
}

/* Looks at the whole method; notes what comes before the loop and what its instructions store. */
static bool is_simple(struct rw_method *m, struct rw_loop *l, uint8_t *stored) {
    const struct cf_code *code = m->m->code;
    bool entered = false;
    if (is_guarded(code, l)) return false;
    for (uint32_t bci = 0; bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        if (!jumps_fit(code, l, &in)) return false;
        if (bci + in.length == l->head && rw_falls_through(in.op)) l->before = bci, entered = true;
        if (in_loop(l, bci)) {
            if (!calm_insn(m->c->policy, &m->c->cls, &in)) return false;
            l->trusts |= trusts_other_class(m->c, &in);
            l->sets_ints |= may_set_ints(m->c, &in);
            if (in.op == CF_OP_IINC && stored[in.index] < 2) {
                stored[in.index]++;
                l->increment = bci; /* for now of any local */
            } else if (in.op == CF_OP_IINC || (in.op >= CF_OP_ISTORE && in.op <= CF_OP_ASTORE_3)) {
                stored[in.index] = STORED;
                stored[in.index + 1] |= stores_two(in.op) ? STORED : 0;
            }
        }
        bci += in.length;
    }
    return entered;
}

/* --- Which sites --------------------------------------------------------------------------------------- */

static bool is_own_final(struct rw_method *m, uint16_t field) {
    struct cf_member_ref ref = cf_member(&m->c->cls, field);
    return cf_str_eq(ref.owner, m->c->name) && !cf_str_is(m->name, "<init>") &&
           world_field(m->c->policy, ref.owner, ref.name) == WORLD_FINAL;
}

static bool array_stays(const struct study *s, const struct rw_operands *o) {
    if (o->array.from != 0) return s->stored[o->array.from - 1] == 0;
    if (o->array.field == 0 || !is_own_final(s->m, o->array.field)) return false;
    return o->array.base == 0 || (o->array.base == 1 && s->m->this_fixed);
}

static bool index_stays(const struct study *s, const struct rw_operands *o) {
    if (o->index.base == FS_CONSTANT) return true;
    return o->index.base != 0 && s->stored[o->index.base - 1] == 0;
}

static bool is_variable(const struct study *s, const struct rw_operands *o) {
    return o->index.base != 0 && o->index.base != FS_CONSTANT && s->stored[o->index.base - 1] == 1;
}

static unsigned array_slot(struct rw_loop *l, const struct fs_type *array) {
    for (unsigned i = 0; i < l->n_arrays; i++) {
        const struct fs_type *known = &l->arrays[i];
        if (array->from != 0 ? known->from == array->from : known->from == 0 && known->field == array->field)
            return i;
    }
    if (l->n_arrays == RW_SWEPT_ARRAYS) return RW_SWEPT_ARRAYS;
    l->arrays[l->n_arrays] = *array;
    return l->n_arrays++;
}

/* 1 + the site that has read the index, each time another element, or 0. */
static unsigned indices_of(const struct rw_loop *l, const struct rw_operands *o) {
    for (unsigned i = 0; !o->is_write && !l->sets_ints && o->index.site != 0 && i < l->n_sites; i++)
        if (l->sites[i].bci == o->index.site - 1 && l->sites[i].varies) return i + 1;
    return 0;
}

static void add_site(struct study *s, const struct rw_operands *o) {
    struct rw_loop *l = s->loop;
    bool varies = o->index.base == l->variable + 1;
    unsigned indices = varies ? 0 : indices_of(l, o);
    if (l->n_sites == RW_SWEPT_SITES || !array_stays(s, o)) return;
    if (!varies && indices == 0 && !index_stays(s, o)) return;
    unsigned slot = array_slot(l, &o->array);
    if (slot == RW_SWEPT_ARRAYS) return;
    l->sites[l->n_sites++] = (struct rw_swept){.bci = o->bci,
                                               .array = (uint8_t)slot,
                                               .indices = (uint8_t)indices,
                                               .varies = varies,
                                               .is_write = o->is_write,
                                               .index = o->index.base,
                                               .plus = o->index.plus};
}

/* The local that the first sweeping access goes by becomes the loop's variable. */
static bool find_variable(struct study *s) {
    const struct cf_code *code = s->m->m->code;
    struct rw_loop *l = s->loop;
    for (unsigned i = 0; i < s->m->n_operands; i++) {
        const struct rw_operands *o = &s->m->operands[i];
        if (!in_loop(l, o->bci) || !is_variable(s, o) || !array_stays(s, o)) continue;
        l->variable = (uint16_t)(o->index.base - 1);
        for (uint32_t bci = l->head; bci <= l->last;) {
            struct cf_insn in = cf_insn_decode(code, bci);
            if (in.op == CF_OP_IINC && in.index == l->variable) l->increment = bci, l->step = in.value;
            bci += in.length;
        }
        return l->step != 0 && l->step >= -STEP_MAX && l->step <= STEP_MAX;
    }
    return false;
}

/* --- What an iteration has done where ------------------------------------------------------------------- */

static void flow(struct study *s, uint32_t to, struct state from) {
    struct state *t = &s->states[to];
    if (!t->reached) {
        *t = from;
        t->reached = true;
        return;
    }
    t->must &= from.must;
    t->may |= from.may;
}

static void leave_loop(struct study *s, struct state at) {
    s->disputed |= at.must ^ at.may;
    s->exits++;
}

static void flow_jump(struct study *s, int32_t to, struct state at) {
    if (to == (int32_t)s->loop->head)
        s->at_latches &= at.must;
    else if (in_loop(s->loop, to))
        flow(s, (uint32_t)to, at);
    else
        leave_loop(s, at);
}

static void flow_from(struct study *s, const struct cf_insn *in, struct state at) {
    const struct cf_code *code = s->m->m->code;
    uint32_t next = in->bci + in->length;
    if (rw_is_jump(in->op)) flow_jump(s, in->target, at);
    if (rw_is_switch(in->op)) {
        flow_jump(s, in->target, at);
        for (uint32_t i = 0; i < in->n_cases; i++) flow_jump(s, cf_insn_case_target(code, in, i), at);
    }
    if (is_return(in->op)) leave_loop(s, at);
    if (rw_falls_through(in->op)) flow_jump(s, (int32_t)next, at);
}

static uint32_t done_by(const struct rw_loop *l, uint32_t bci) {
    if (bci == l->increment) return INCREMENTED;
    for (unsigned i = 0; i < l->n_sites; i++)
        if (l->sites[i].bci == bci) return UINT32_C(1) << i;
    return 0;
}

static void follow(struct study *s) {
    const struct rw_loop *l = s->loop;
    s->at_latches = UINT32_MAX;
    flow(s, l->head, (struct state){0});
    for (uint32_t bci = l->head; bci <= l->last;) {
        struct cf_insn in = cf_insn_decode(s->m->m->code, bci);
        struct state at = s->states[bci];
        bci += in.length;
        if (!at.reached) continue;
        if (may_throw(in.op)) s->disputed |= at.must ^ at.may;
        uint32_t done = done_by(l, in.bci);
        at.must |= done;
        at.may |= done;
        flow_from(s, &in, at);
    }
}

/* Keeps the sites for which the question "how often?" has one answer everywhere. */
static bool settle(struct study *s) {
    struct rw_loop *l = s->loop;
    uint32_t good = s->at_latches & ~s->disputed;
    if (!(good & INCREMENTED)) return false;
    for (unsigned i = 0; i < l->n_sites; i++) {
        struct rw_swept *site = &l->sites[i];
        const struct state *at = &s->states[site->bci];
        bool late = at->must & INCREMENTED, sometimes = (at->must ^ at->may) & INCREMENTED;
        site->good = (good >> i & 1) && at->reached && !(site->varies && sometimes);
        if (site->indices != 0) site->good &= l->sites[site->indices - 1].good;
        if (site->varies && late) site->plus += l->step; /* counted from the iteration's start */
        l->n_good += site->good;
    }
    return l->n_good > 0 && s->exits * l->n_good <= EXIT_CODE_MAX;
}

static bool study_loop(struct rw_method *m, struct rw_loop *l) {
    struct arena *a = &m->c->arena;
    uint8_t *stored = ARENA_NEW_N(a, m->m->code->max_locals + 2u, uint8_t);
    struct study s = {.m = m, .loop = l, .stored = stored};
    if (stored == NULL || !is_simple(m, l, stored) || !find_variable(&s)) return false;
    for (unsigned i = 0; i < m->n_operands; i++)
        if (in_loop(l, m->operands[i].bci)) add_site(&s, &m->operands[i]);
    s.states = ARENA_NEW_N(a, m->m->code->length + 1, struct state);
    if (s.states == NULL) return false;
    follow(&s);
    l->done = ARENA_NEW_N(a, m->m->code->length + 1, uint32_t);
    for (uint32_t bci = l->head; l->done != NULL && bci <= l->last; bci++) l->done[bci] = s.states[bci].must;
    return l->done != NULL && settle(&s);
}

/* --- Finding them ----------------------------------------------------------------------------------------
 */

static bool note_operands(struct rw_method *m) {
    uint32_t n = 0;
    if (!fs_walk_begin(&m->walk, &m->c->edit, &m->c->arena, m->m)) return false;
    m->operands = ARENA_NEW_N(&m->c->arena, RW_OPERANDS, struct rw_operands);
    while (m->operands != NULL && n < RW_OPERANDS && fs_walk_next(&m->walk)) {
        uint8_t op = m->walk.insn.op;
        bool is_write = op >= CF_OP_IASTORE && op <= CF_OP_SASTORE;
        const struct framesim *sim = &m->walk.sim;
        if (!is_write && !(op >= CF_OP_IALOAD && op <= CF_OP_SALOAD)) continue;
        if (rw_is_update(m, m->walk.insn.bci)) continue;
        if (!sim->now.live || sim->failed || sim->now.locals[0].tag == CF_V_UNINIT_THIS) continue;
        unsigned slot = !is_write ? 0 : op == CF_OP_LASTORE || op == CF_OP_DASTORE ? 2 : 1;
        m->operands[n++] = (struct rw_operands){.bci = m->walk.insn.bci,
                                                .is_write = is_write,
                                                .array = fs_peek(sim, slot + 1),
                                                .index = fs_peek(sim, slot)};
    }
    m->n_operands = n;
    return m->operands != NULL;
}

static struct rw_loop *loop_of(struct rw_method *m, uint32_t head) {
    for (unsigned i = 0; i < m->n_loops; i++)
        if (m->swept_loops[i].head == head) return &m->swept_loops[i];
    if (m->n_loops == RW_SWEPT_LOOPS) return NULL;
    m->swept_loops[m->n_loops] = (struct rw_loop){.head = head};
    return &m->swept_loops[m->n_loops++];
}

bool rw_find_sweeps(struct rw_method *m) {
    const struct cf_code *code = m->m->code;
    m->n_loops = 0;
    if (m->framed || code->max_locals == 0)
        return true; /* an exception has to pass the method's own handler */
    if (memchr(m->loops, 1, code->length) == NULL) return true;
    m->swept_loops = ARENA_NEW_N(&m->c->arena, RW_SWEPT_LOOPS, struct rw_loop);
    if (m->swept_loops == NULL || !note_operands(m)) return false;
    for (uint32_t bci = 0; m->n_operands > 0 && bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        struct rw_loop *l =
            rw_is_jump(in.op) && in.target <= (int32_t)bci ? loop_of(m, (uint32_t)in.target) : NULL;
        if (l != NULL) l->last = bci, l->end = bci + in.length;
        bci += in.length;
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < m->n_loops; i++)
        if (study_loop(m, &m->swept_loops[i])) m->swept_loops[kept++] = m->swept_loops[i];
    m->n_loops = kept;
    return true;
}

struct rw_swept *rw_swept_at(struct rw_method *m, uint32_t bci) {
    for (unsigned i = 0; i < m->n_loops; i++)
        for (unsigned k = 0; k < m->swept_loops[i].n_sites; k++)
            if (m->swept_loops[i].sites[k].bci == bci && m->swept_loops[i].sites[k].good)
                return &m->swept_loops[i].sites[k];
    return NULL;
}

/* --- The code --------------------------------------------------------------------------------------------
 */

/* Locals that a method's loops share: only one of them runs at a time. */
static uint16_t shared_int(struct rw_method *m, uint16_t *local) {
    if (*local != 0) return *local;
    *local = cfe_add_typed_local(m->out, (struct cf_vtype){CF_V_INTEGER, 0});
    cfa_op(cfe_entry(m->out), CF_OP_ICONST_0);
    cfa_local(cfe_entry(m->out), CF_OP_ISTORE, *local);
    return *local;
}

static uint16_t shared_array(struct rw_method *m, unsigned slot) {
    uint16_t *local = &m->sweep.arrays[slot];
    if (*local != 0) return *local;
    uint16_t cls = cfe_class(&m->c->edit, cf_z("java/lang/Object"));
    *local = cfe_add_typed_local(m->out, (struct cf_vtype){CF_V_OBJECT, cls});
    cfa_op(cfe_entry(m->out), CF_OP_ACONST_NULL);
    cfa_local(cfe_entry(m->out), CF_OP_ASTORE, *local);
    return *local;
}

static uint16_t shared_epoch(struct rw_method *m) {
    if (m->sweep.epoch != 0) return m->sweep.epoch;
    m->sweep.epoch = cfe_add_typed_local(m->out, (struct cf_vtype){CF_V_LONG, 0});
    cfa_op(cfe_entry(m->out), CF_OP_LCONST_0);
    cfa_local(cfe_entry(m->out), CF_OP_LSTORE, m->sweep.epoch);
    return m->sweep.epoch;
}

static bool is_told(const struct rw_swept *s) {
    return s->good && s->site != 0;
}

static void keep_array(struct rw_method *m, struct cf_asm *a, const struct fs_type *array, uint16_t to) {
    if (array->from != 0) {
        cfa_local(a, CF_OP_ALOAD, (uint16_t)(array->from - 1));
    } else if (array->base == 0) {
        cfa_const(a, CF_OP_GETSTATIC, array->field);
    } else {
        cfa_local(a, CF_OP_ALOAD, 0);
        cfa_const(a, CF_OP_GETFIELD, array->field);
    }
    cfa_local(a, CF_OP_ASTORE, to);
    (void)m;
}

/* Before the loop: what the exits will need, in locals that exception handlers know. */
static void begin(struct rw_method *m, const struct rw_loop *l) {
    struct cf_asm *a = cfe_after(m->out, l->before);
    uint16_t first = shared_int(m, &m->sweep.first), now = shared_int(m, &m->sweep.now);
    rw_need_epoch(m, a);
    cfa_local(a, CF_OP_LLOAD, m->epoch);
    cfa_local(a, CF_OP_LSTORE, shared_epoch(m));
    for (unsigned i = 0; i < l->n_arrays; i++) keep_array(m, a, &l->arrays[i], shared_array(m, i));
    cfa_local(a, CF_OP_ILOAD, l->variable);
    cfa_op(a, CF_OP_DUP);
    cfa_local(a, CF_OP_ISTORE, first);
    cfa_local(a, CF_OP_ISTORE, now);
    for (unsigned i = 0; i < l->n_sites; i++) {
        const struct rw_swept *s = &l->sites[i];
        if (!is_told(s) || s->varies || s->indices != 0 || s->index == FS_CONSTANT) continue;
        cfa_local(a, CF_OP_ILOAD, (uint16_t)(s->index - 1));
        cfa_local(a, CF_OP_ISTORE, shared_int(m, &m->sweep.indices[i]));
    }
    struct cf_asm *step = cfe_after(m->out, l->increment);
    cfa_local(step, CF_OP_ILOAD, l->variable);
    cfa_local(step, CF_OP_ISTORE, now);
    cfe_need_stack(m->out, 4);
}

static void push_first(struct rw_method *m, struct cf_asm *a, const struct rw_swept *s, unsigned i) {
    if (s->index == FS_CONSTANT) {
        cfa_push_int(a, s->plus);
        return;
    }
    cfa_local(a, CF_OP_ILOAD, s->varies ? m->sweep.first : m->sweep.indices[i]);
    if (s->plus == 0) return;
    cfa_push_int(a, s->plus);
    cfa_op(a, CF_OP_IADD);
}

/* One bit of what an exception's stretch has done, as 0 or 1. */
static void push_bit(struct rw_method *m, struct cf_asm *a, int bit) {
    cfa_local(a, CF_OP_ILOAD, m->sweep.done);
    cfa_push_int(a, bit);
    cfa_op(a, CF_OP_IUSHR);
    cfa_op(a, CF_OP_ICONST_1);
    cfa_op(a, CF_OP_IAND);
}

/* How often the site was run; `done` is NULL where only the local knows. */
static void push_count(struct rw_method *m, struct cf_asm *a, const struct rw_loop *l, unsigned i,
                       const uint32_t *done) {
    cfa_local(a, CF_OP_ILOAD, m->sweep.now);
    cfa_local(a, CF_OP_ILOAD, m->sweep.first);
    cfa_op(a, CF_OP_ISUB);
    if (l->step != 1) {
        cfa_push_int(a, l->step);
        cfa_op(a, CF_OP_IDIV);
    }
    if (done == NULL) {
        push_bit(m, a, (int)i);
        cfa_op(a, CF_OP_IADD);
        push_bit(m, a, 30);
        cfa_op(a, CF_OP_ISUB);
        return;
    }
    int more = (int)(*done >> i & 1) - ((*done & INCREMENTED) != 0);
    if (more == 0) return;
    cfa_push_int(a, more);
    cfa_op(a, CF_OP_IADD);
}

static void tell_site(struct rw_method *m, struct cf_asm *a, const struct rw_loop *l, unsigned i,
                      const uint32_t *done) {
    const struct rw_swept *s = &l->sites[i];
    const struct rw_swept *by = s->indices != 0 ? &l->sites[s->indices - 1] : NULL;
    cfa_local(a, CF_OP_ALOAD, m->sweep.arrays[s->array]);
    if (by != NULL) cfa_local(a, CF_OP_ALOAD, m->sweep.arrays[by->array]);
    push_first(m, a, by != NULL ? by : s, i);
    cfa_push_int(a, by != NULL || s->varies ? l->step : 0);
    push_count(m, a, l, i, done);
    cfa_local(a, CF_OP_LLOAD, m->sweep.epoch);
    cfa_push_int(a, (int32_t)s->site);
    if (by != NULL)
        rw_hook(a, IN_ELEMENTS, "gatheredRead", "(Ljava/lang/Object;Ljava/lang/Object;IIIJI)V");
    else
        rw_hook(a, IN_ELEMENTS, s->is_write ? "sweptWrite" : "sweptRead", "(Ljava/lang/Object;IIIJI)V");
}

static void tell(struct rw_method *m, struct cf_asm *a, const struct rw_loop *l, const uint32_t *done) {
    if (l->trusts) {
        cfa_local(a, CF_OP_LLOAD, m->sweep.epoch);
        rw_hook(a, IN_ACCESS, "ifStill", "(J)J");
        cfa_local(a, CF_OP_LSTORE, m->sweep.epoch);
    }
    for (unsigned i = 0; i < l->n_sites; i++)
        if (is_told(&l->sites[i])) tell_site(m, a, l, i, done);
    cfe_need_stack(m->out, 12);
}

/* Exits by jump go through the end of the method, where the sweeps are told on the way. */
static void leave_by_jump(struct rw_method *m, const struct rw_loop *l, const struct cf_insn *in) {
    struct cf_label way_out = cfe_label(m->out);
    cfa_branch(cfe_replace(m->out, in->bci), in->op == CF_OP_GOTO_W ? CF_OP_GOTO : in->op, way_out);
    struct cf_asm *tail = cfe_tail(m->out);
    cfa_bind(tail, way_out);
    tell(m, tail, l, &l->done[in->bci]);
    cfa_branch(tail, CF_OP_GOTO, cfe_label_at(m->out, (uint32_t)in->target));
}

static void add_exits(struct rw_method *m, const struct rw_loop *l) {
    const struct cf_code *code = m->m->code;
    for (uint32_t bci = l->head; bci <= l->last;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        if (is_return(in.op)) tell(m, cfe_before(m->out, bci), l, &l->done[bci]);
        if (rw_is_jump(in.op) && !in_loop(l, in.target)) leave_by_jump(m, l, &in);
        bci += in.length;
    }
    struct cf_insn last = cf_insn_decode(code, l->last);
    if (rw_falls_through(last.op)) tell(m, cfe_after(m->out, l->last), l, &l->done[l->last]);
}

/* A stretch of instructions that begin with the same done: an exception in it goes by `to`. */
static void catch_stretch(struct rw_method *m, uint32_t from, uint32_t end, uint32_t done,
                          struct cf_label to) {
    struct cf_asm *tail = cfe_tail(m->out);
    struct cf_label caught = cfe_label(m->out);
    cfa_bind(tail, caught);
    cfa_push_int(tail, (int32_t)done);
    cfa_local(tail, CF_OP_ISTORE, m->sweep.done);
    cfa_branch(tail, CF_OP_GOTO, to);
    cfe_add_handler(m->out, cfe_label_at(m->out, from), cfe_label_at(m->out, end), caught, 0, true);
}

static void add_handlers(struct rw_method *m, const struct rw_loop *l) {
    struct cf_label common = cfe_label(m->out);
    uint32_t kept = INCREMENTED, from = l->head;
    shared_int(m, &m->sweep.done);
    for (unsigned i = 0; i < l->n_sites; i++)
        if (is_told(&l->sites[i])) kept |= UINT32_C(1) << i;
    for (uint32_t bci = l->head; bci <= l->last;) {
        uint32_t next = bci + cf_insn_decode(m->m->code, bci).length;
        if (next > l->last || (l->done[next] & kept) != (l->done[from] & kept)) {
            catch_stretch(m, from, next, l->done[from] & kept, common);
            from = next;
        }
        bci = next;
    }
    struct cf_asm *tail = cfe_tail(m->out);
    cfa_bind(tail, common);
    tell(m, tail, l, NULL);
    cfa_op(tail, CF_OP_ATHROW);
}

void rw_tell_sweeps(struct rw_method *m) {
    m->sweep = (struct rw_sweep_locals){0};
    for (unsigned i = 0; i < m->n_loops; i++) {
        const struct rw_loop *l = &m->swept_loops[i];
        bool any = false;
        for (unsigned k = 0; k < l->n_sites; k++) any |= is_told(&l->sites[k]);
        if (!any) continue;
        begin(m, l);
        add_exits(m, l);
        add_handlers(m, l);
    }
}
