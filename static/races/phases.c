#include "phases.h"
#include "bands.h" /* formula_of */
#include "built.h"
#include "ints.h"
#include "parallel.h" /* thread_set */
#include "race/opcodes.h"

#include <string.h>

enum { BARRIERS_MAX = 32, BUILT_MAX = 8, CLIMB_MAX = 8 };

enum barrier_use { USE_NONE, USE_MAKE, USE_WAIT, USE_LEAVE, USE_BREAK };

struct barrier {
    pts_obj object;
    bool broken;
    bool is_left; /* some thread leaves it for good */
    unsigned makes;
    struct sym parties;
    thread_set threads; /* that wait at it */
};

/* Possible numbers: rem (mod step) and not below lo; the only number lo if step is 0. */
struct phase {
    bool none; /* no path yet */
    bool any;
    bool left; /* may have left a barrier for good */
    int64_t lo, step, rem;
};

/* What one thread does about the barriers of one group. */
struct phase_view {
    struct phase_view *next;
    uint32_t thread;
    thread_set group;
    bool known;
    pts_inst inst; /* the method that waits */
    struct phase *at_block;
};

/* A class of the application that is a barrier. */
struct built {
    class_id cls;
    method_id wait;
};

struct phases {
    size_t n, n_built;
    struct barrier v[BARRIERS_MAX];
    struct built built[BUILT_MAX];
    bool unknown_calls; /* somebody else calls the barriers' methods: nothing is known */
    struct phase_view *views;
};

/* ---- barriers ---- */

static bool one_of(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(name, names[i]) == 0) return true;
    }
    return false;
}
#define ONE_OF(name, names) one_of(name, names, sizeof names / sizeof *names)

#define CYCLIC "java/util/concurrent/CyclicBarrier"
#define PHASER "java/util/concurrent/Phaser"

static const struct built *built_of(const struct races *r, class_id c) {
    for (size_t i = 0; i < r->phases->n_built; i++) {
        if (class_id_eq(r->phases->built[i].cls, c)) return &r->phases->built[i];
    }
    return NULL;
}

static bool is_barrier_class(const struct races *r, class_id c) {
    return class_is(r, c, CYCLIC) || class_is(r, c, PHASER) || built_of(r, c) != NULL;
}

static enum barrier_use built_use(const struct races *r, const struct built *b, name_id name, name_id desc) {
    const struct method_info *wait = program_method(r->p, b->wait);
    if (name_is(r, name, "<init>")) return name_is(r, desc, "(I)V") ? USE_MAKE : USE_BREAK;
    return name_id_eq(name, wait->name) && name_id_eq(desc, wait->desc) ? USE_WAIT : USE_NONE;
}

static enum barrier_use named_use(const struct races *r, class_id cls, name_id name, name_id desc) {
    static const char *const asks[] = {"getParties",
                                       "getNumberWaiting",
                                       "isBroken",
                                       "getPhase",
                                       "getRegisteredParties",
                                       "getArrivedParties",
                                       "getUnarrivedParties",
                                       "getRoot",
                                       "getParent",
                                       "isTerminated",
                                       "toString",
                                       "hashCode",
                                       "equals",
                                       "awaitAdvance"};
    const char *n = program_str(r->p, name);
    if (built_of(r, cls) != NULL) return built_use(r, built_of(r, cls), name, desc);
    if (ONE_OF(n, asks)) return USE_NONE;
    if (strcmp(n, "<init>") == 0) {
        bool counted = name_is(r, desc, "(I)V") || name_is(r, desc, "(ILjava/lang/Runnable;)V");
        return counted ? USE_MAKE : USE_BREAK;
    }
    if (class_is(r, cls, CYCLIC)) return strcmp(n, "await") == 0 ? USE_WAIT : USE_BREAK;
    if (strcmp(n, "arriveAndAwaitAdvance") == 0) return USE_WAIT;
    return strcmp(n, "arriveAndDeregister") == 0 ? USE_LEAVE : USE_BREAK;
}

static enum barrier_use use_of(const struct races *r, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL || s->n_args == 0 || !is_barrier_class(r, ref->cls)) return USE_NONE;
    return named_use(r, ref->cls, ref->name, ref->desc);
}

static struct barrier *barrier_of(struct races *r, pts_obj o) {
    struct phases *p = r->phases;
    for (size_t i = 0; i < p->n; i++) {
        if (pts_obj_eq(p->v[i].object, o)) return &p->v[i];
    }
    if (p->n == BARRIERS_MAX) return NULL; /* not followed: proves nothing */
    p->v[p->n] = (struct barrier){.object = o, .broken = !pts_obj_info(r->pts, o)->once};
    return &p->v[p->n++];
}

static thread_set threads_of(const struct races *r, pts_inst i) {
    const bits *in = &r->threads_of[i.v];
    thread_set set = in->n_words > 1 ? (thread_set)in->w[1] << 64 : 0;
    return in->n_words > 0 ? set | in->w[0] : set;
}

/*
 * What the constructor gets.  A sum with a positive constant counts as it is written: if it wrapped around it
 * would be negative, and then there is no barrier.
 */
static struct sym parties_of(struct races *r, pts_inst i, const struct ir_body *body, ir_var v) {
    const struct ir_stmt *def = ir_def(body, v);
    if (def->op == IR_BINARY && def->ref == CF_OP_IADD) {
        const struct ir_stmt *c = ir_def(body, ir_arg(body, def, 1));
        struct sym_world world = {.r = r};
        if (c->op == IR_CONST && c->sub == CONST_INT && ir_const(body, c).u.i > 0)
            return sym_add(&world, formula_of(r, i, ir_arg(body, def, 0)), sym_const(ir_const(body, c).u.i),
                           true);
    }
    return formula_of(r, i, v);
}

static void note_use(struct races *r, pts_inst i, const struct ir_body *body, const struct ir_stmt *s,
                     enum barrier_use use) {
    struct pts_view set = pts_var(r->pts, i, ir_arg(body, s, 0));
    bool exact = pts_count(set) == 1;
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        if (!is_barrier_class(r, pts_obj_info(r->pts, o)->cls)) {
            r->phases->unknown_calls = true; /* a subclass may do as it likes */
            continue;
        }
        struct barrier *b = barrier_of(r, o);
        if (b == NULL) continue;
        b->broken |= !exact || use == USE_BREAK;
        if (use == USE_MAKE) {
            b->makes++;
            b->parties = parties_of(r, i, body, ir_arg(body, s, 1));
            continue;
        }
        b->is_left |= use == USE_LEAVE || built_of(r, pts_obj_info(r->pts, o)->cls) != NULL;
        b->threads |= threads_of(r, i);
    }
}

/* Whether a caller's statement is one that collect() has seen, or the barrier's own business. */
static bool is_known_call(struct races *r, const struct pts_call *call, class_id owner) {
    if (call->caller.v == 0 || call->kind != PTS_EDGE_CALL) return false;
    method_id m = pts_inst_info(r->pts, call->caller)->method;
    if (!is_app(r, m)) return class_id_eq(program_method(r->p, m)->owner, owner);
    const struct ir_body *body = body_of(r, m);
    return body != NULL && use_of(r, &body->stmts[call->stmt]) != USE_NONE;
}

/* `barrier::await`, reflection, the JDK: calls that no statement shows. */
static bool has_unknown_calls(struct races *r) {
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        const struct method_info *m = program_method(r->p, pts_inst_info(r->pts, (pts_inst){i})->method);
        bool inner = (m->access & CF_ACC_PUBLIC) == 0 && !is_app_class(r, m->owner);
        if (!is_barrier_class(r, m->owner) || inner || named_use(r, m->owner, m->name, m->desc) == USE_NONE)
            continue;
        uint32_t n;
        const struct pts_call *calls = pts_callers(r->pts, (pts_inst){i}, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (!is_known_call(r, &calls[k], m->owner)) return true;
        }
    }
    return false;
}

static const struct ir_body *app_body(struct races *r, uint32_t i) {
    method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
    return is_app(r, m) ? body_of(r, m) : NULL;
}

/* As many threads as may wait, at most, or not known. */
static struct sym waiters(struct races *r, const struct barrier *b) {
    struct sym_world world = {.r = r};
    struct sym n = sym_const(0);
    bool batch = false;
    for (uint32_t t = 0; t < r->n_threads; t++) {
        if ((b->threads >> t & 1) == 0) continue;
        const struct pts_thread *thread = pts_thread(r->pts, t);
        if (thread->kind != PTS_THREAD_MAIN && thread->kind != PTS_THREAD_START) return (struct sym){0};
        if (!thread->many) {
            n = sym_add(&world, n, sym_const(1), true);
            continue;
        }
        const struct numbering *numbers = numbering_of(r, t);
        if (!numbers->known || batch) return (struct sym){0};
        batch = true;
        /* A second batch of threads would begin to count anew, and find those missing that left. */
        const struct ir_block *made =
            &numbers->start.body->blocks[ir_block_of(numbers->start.body, numbers->start.made)];
        bool once = pts_inst_info(r->pts, numbers->start.inst)->once && made->depth == 1;
        if (!once && (b->is_left || b->threads != (thread_set)1 << t)) return (struct sym){0};
        n = sym_add(&world, n, numbers->bound, true);
    }
    return n;
}

static void find_built(struct races *r) {
    struct phases *p = r->phases;
    for (size_t i = 0; i < r->n_classes && p->n_built < BUILT_MAX; i++) {
        struct built b = {.cls = r->classes[i]};
        if (is_built_barrier(r, b.cls, &b.wait)) p->built[p->n_built++] = b;
    }
}

static void collect(struct races *r) {
    struct phases *p = r->phases;
    find_built(r);
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        const struct ir_body *body = app_body(r, i);
        for (uint32_t k = 0; body != NULL && k < body->n_stmts; k++) {
            enum barrier_use use = use_of(r, &body->stmts[k]);
            if (use != USE_NONE) note_use(r, (pts_inst){i}, body, &body->stmts[k], use);
        }
    }
    if (p->n == 0) return;
    p->unknown_calls |= has_unknown_calls(r);
    for (size_t i = 0; i < p->n; i++) {
        struct barrier *b = &p->v[i];
        struct sym n = waiters(r, b);
        b->broken |= b->makes != 1 || !sym_at_most(&n, &b->parties);
    }
}

/* ---- counting ---- */

static int64_t gcd(int64_t a, int64_t b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) {
        int64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static struct phase unknown_phase(bool left) {
    return (struct phase){.any = true, .left = left};
}

static struct phase join(struct phase a, struct phase b) {
    if (a.none) return b;
    if (b.none) return a;
    if (a.any || b.any) return unknown_phase(a.left || b.left);
    struct phase c = {.left = a.left || b.left, .lo = a.lo < b.lo ? a.lo : b.lo};
    c.step = gcd(gcd(a.step, b.step), a.rem - b.rem);
    c.rem = c.step == 0 ? a.rem : a.rem % c.step;
    return c;
}

static bool same(struct phase a, struct phase b) {
    return a.none == b.none && a.any == b.any && a.left == b.left && a.lo == b.lo && a.step == b.step &&
           a.rem == b.rem;
}

static struct phase later(struct phase a, int64_t by) {
    if (a.none || a.any) return a;
    a.lo += by;
    a.rem = a.step == 0 ? a.rem + by : (a.rem + by) % a.step;
    return a;
}

static bool apart(struct phase a, struct phase b) {
    if (a.any || b.any) return false;
    if (a.step == 0 && a.lo < b.lo) return true;
    if (b.step == 0 && b.lo < a.lo) return true;
    int64_t g = gcd(a.step, b.step);
    return g == 0 ? a.rem != b.rem : (a.rem - b.rem) % g != 0;
}

/* Whether all numbers are odd: inside an action. */
static bool in_action(struct phase a) {
    return !a.any && (a.step & 1) == 0 && (a.rem & 1) != 0;
}

/* What the statement does to a barrier of the group. */
static enum barrier_use group_use(struct races *r, thread_set group, pts_inst i, const struct ir_body *body,
                                  const struct ir_stmt *s) {
    enum barrier_use use = use_of(r, s);
    if (use != USE_WAIT && use != USE_LEAVE) return USE_NONE;
    struct pts_iter it = {0};
    pts_obj o;
    struct pts_view set = pts_var(r->pts, i, ir_arg(body, s, 0));
    if (!pts_next(set, &it, &o)) return USE_NONE;
    const struct barrier *b = barrier_of(r, o);
    return b != NULL && !b->broken && b->threads == group ? use : USE_NONE;
}

/* The phase after a statement; `broken` if a thread that left waits again. */
static struct phase step(struct races *r, const struct phase_view *v, const struct ir_body *body, uint32_t s,
                         struct phase now, bool *broken) {
    enum barrier_use use = group_use(r, v->group, v->inst, body, &body->stmts[s]);
    if (use == USE_NONE) return now;
    if (now.left) *broken = true;
    if (use == USE_LEAVE) return unknown_phase(true);
    return later(now, 2);
}

/* Such a barrier is not broken by a call that fails, which was counted: its thread must not come again. */
static bool waits_at_built(const struct races *r, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(r, s);
    return ref != NULL && built_of(r, ref->cls) != NULL;
}

static bool flow_block(struct races *r, struct phase_view *v, const struct ir_body *body, uint32_t b,
                       bool *broken) {
    const struct ir_block *block = &body->blocks[b];
    struct phase now = v->at_block[b], thrown = {.none = true};
    bool changed = false;
    if (now.none) return false;
    for (uint32_t s = block->first; s < block->end; s++) {
        struct phase after = step(r, v, body, s, now, broken);
        if (ir_may_throw(&body->stmts[s]))
            thrown = join(thrown, same(after, now)
                                      ? now
                                      : unknown_phase(after.left || waits_at_built(r, &body->stmts[s])));
        now = after;
    }
    for (uint32_t k = 0; k < block->n_succs; k++) {
        const struct ir_edge *e = &ir_succs(body, block)[k];
        struct phase into = join(v->at_block[e->block], e->exceptional ? thrown : now);
        changed |= !same(into, v->at_block[e->block]);
        v->at_block[e->block] = into;
    }
    return changed;
}

static bool count_waits(struct races *r, struct phase_view *v) {
    const struct ir_body *body = app_body(r, v->inst.v);
    v->at_block = ARENA_NEW_N(&r->arena, body->n_blocks, struct phase);
    for (uint32_t b = 1; b < body->n_blocks; b++) v->at_block[b].none = true;
    bool broken = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < body->n_blocks; b++) changed |= flow_block(r, v, body, b, &broken);
    }
    return !broken;
}

/* ---- one thread ---- */

/* The only instance in which the thread waits at barriers of the group, or none. */
static pts_inst waiting_inst(struct races *r, uint32_t t, thread_set group) {
    pts_inst found = {0};
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        const struct ir_body *body = bits_has(&r->threads_of[i], t) ? app_body(r, i) : NULL;
        for (uint32_t k = 0; body != NULL && k < body->n_stmts; k++) {
            if (group_use(r, group, (pts_inst){i}, body, &body->stmts[k]) == USE_NONE) continue;
            if (found.v != 0 && found.v != i) return (pts_inst){0};
            found.v = i;
        }
    }
    return found;
}

/* Whether the thread runs the instance at most once. */
static bool runs_once(struct races *r, uint32_t t, pts_inst i) {
    for (int depth = 0; depth < CLIMB_MAX; depth++) {
        uint32_t n, used = 0;
        const struct pts_call *calls = pts_callers(r->pts, i, &n), *only = NULL;
        bool is_root = pts_inst_eq(i, pts_thread(r->pts, t)->root);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_THREAD || (is_root && calls[k].caller.v == 0)) continue;
            if (calls[k].caller.v == 0 || calls[k].kind != PTS_EDGE_CALL) return false;
            if (!bits_has(&r->threads_of[calls[k].caller.v], t)) continue;
            only = &calls[k];
            used++;
        }
        if (is_root) return used == 0;
        if (used != 1) return false;
        const struct ir_body *body = body_of(r, pts_inst_info(r->pts, only->caller)->method);
        if (body == NULL || body->blocks[ir_block_of(body, only->stmt)].depth > 0) return false;
        i = only->caller;
    }
    return false;
}

static const struct phase_view *view_of(struct races *r, uint32_t t, thread_set group) {
    struct phase_view *v = r->phases->views;
    while (v != NULL && (v->thread != t || v->group != group)) v = v->next;
    if (v != NULL) return v;
    v = ARENA_NEW(&r->arena, struct phase_view);
    *v = (struct phase_view){.next = r->phases->views, .thread = t, .group = group};
    r->phases->views = v;
    v->inst = waiting_inst(r, t, group);
    v->known = v->inst.v != 0 && runs_once(r, t, v->inst) && count_waits(r, v);
    return v;
}

/* Whether every thread of the group counts its waits as it should. */
static bool group_holds(struct races *r, thread_set group) {
    for (uint32_t t = 0; t < r->n_threads; t++) {
        if ((group >> t & 1) != 0 && !view_of(r, t, group)->known) return false;
    }
    return true;
}

/* The phase before a statement of block b, or at its end. */
static struct phase counted_before(struct races *r, const struct phase_view *v, const struct ir_body *body,
                                   uint32_t b, uint32_t stmt) {
    struct phase now = v->at_block[b];
    bool broken = false;
    for (uint32_t s = body->blocks[b].first; s < stmt; s++) now = step(r, v, body, s, now, &broken);
    return now;
}

/* ---- rounds ---- */

/* A loop in which every round waits equally often, so that its counter tells the phase. */
struct rounds {
    uint32_t loop;
    int64_t start;  /* phase in which the first round begins */
    int64_t adds;   /* phases of a round */
    int64_t before; /* phases of a round up to the statement */
    ir_var counter; /* counts the rounds by one */
    int64_t first;  /* its value in the first round */
};

static int64_t waits_in(struct races *r, const struct phase_view *v, const struct ir_body *body,
                        uint32_t first, uint32_t end) {
    int64_t n = 0;
    for (uint32_t s = first; s < end; s++) {
        if (group_use(r, v->group, v->inst, body, &body->stmts[s]) == USE_WAIT) n += 2;
    }
    return n;
}

/*
 * Counts from the header on; false if two ways differ.  Where a wait fails the phase is not known, and the
 * caller sees that.
 */
static bool count_round(struct races *r, const struct phase_view *v, const struct ir_body *body,
                        uint32_t stmt, struct rounds *x) {
    uint32_t header = body->loops[x->loop].header, at = ir_block_of(body, stmt);
    VEC(int64_t) count = {0};
    bool fine = true;
    for (uint32_t b = 0; b < body->n_blocks; b++) vec_push(&count, b == header ? 0 : -1);
    x->adds = -1;
    for (uint32_t b = header; b < body->n_blocks && fine; b++) {
        const struct ir_block *block = &body->blocks[b];
        if (count.v[b] < 0 || !ir_in_loop(body, b, x->loop)) continue;
        int64_t waits = waits_in(r, v, body, block->first, block->end);
        for (uint32_t k = 0; k < block->n_succs && fine; k++) {
            const struct ir_edge *e = &ir_succs(body, block)[k];
            int64_t *known = e->block == header ? &x->adds : &count.v[e->block];
            if ((e->exceptional && waits > 0) || !ir_in_loop(body, e->block, x->loop)) continue;
            fine = *known < 0 || *known == count.v[b] + waits;
            *known = count.v[b] + waits;
        }
    }
    x->before = count.v[at] + waits_in(r, v, body, body->blocks[at].first, stmt);
    fine &= count.v[at] >= 0 && x->adds > 0;
    vec_release(&count);
    return fine;
}

/* The phase in which the loop is entered, if that is always the same one. */
static bool begins_at(struct races *r, const struct phase_view *v, const struct ir_body *body,
                      struct rounds *x) {
    uint32_t header = body->loops[x->loop].header;
    struct phase all = {.none = true};
    for (uint32_t k = 0; k < body->blocks[header].n_preds; k++) {
        const struct ir_edge *e = &ir_preds(body, &body->blocks[header])[k];
        if (ir_in_loop(body, e->block, x->loop)) continue;
        if (e->exceptional) return false;
        all = join(all, counted_before(r, v, body, e->block, body->blocks[e->block].end));
    }
    x->start = all.lo;
    return !all.none && !all.any && all.step == 0;
}

/* Whether the PHI of the loop's header starts from a constant and goes up by one in each round. */
static bool counts_rounds(const struct ir_body *body, const struct ir_stmt *phi, struct rounds *x) {
    const struct ir_block *h = &body->blocks[body->loops[x->loop].header];
    bool any = false;
    if (phi->op != IR_PHI || body->vars[phi->def.v].kind != IR_INT) return false;
    for (uint32_t k = 0; k < phi->n_args; k++) {
        const struct ir_stmt *def = ir_def(body, ir_arg(body, phi, k)), *one = def;
        if (ir_in_loop(body, ir_preds(body, h)[k].block, x->loop)) {
            if (def->op != IR_BINARY || def->ref != CF_OP_IADD || !ir_var_eq(ir_arg(body, def, 0), phi->def))
                return false;
            one = ir_def(body, ir_arg(body, def, 1));
            if (one->op != IR_CONST || ir_const(body, one).u.i != 1) return false;
            continue;
        }
        if (def->op != IR_CONST || (any && ir_const(body, def).u.i != x->first)) return false;
        x->first = ir_const(body, def).u.i;
        any = true;
    }
    x->counter = phi->def;
    return any;
}

/* The outermost loop around the statement; false if its rounds do not tell the phase. */
static bool find_rounds(struct races *r, const struct phase_view *v, const struct ir_body *body,
                        uint32_t stmt, struct rounds *x) {
    *x = (struct rounds){.loop = body->blocks[ir_block_of(body, stmt)].loop};
    while (x->loop != IR_NO_LOOP && body->loops[x->loop].parent != IR_NO_LOOP)
        x->loop = body->loops[x->loop].parent;
    return x->loop != IR_NO_LOOP && !body->loops[x->loop].irreducible && begins_at(r, v, body, x) &&
           count_round(r, v, body, stmt, x);
}

/* Whether the statement of the header is a counter of its rounds.  It may have wrapped around, which tests in
 * the loop do not show. */
static bool is_counter(struct races *r, const struct phase_view *v, const struct ir_body *body,
                       const struct ir_stmt *phi, struct rounds *x) {
    return counts_rounds(body, phi, x) &&
           ints_of(r, v->thread, v->inst, x->counter, body->loops[x->loop].header).lo >= x->first;
}

/* The phases of rounds c = q (mod m). */
static struct phase phase_in(const struct rounds *x, struct phase now, int64_t m, int64_t q) {
    int64_t phase = x->start + x->adds * (q - x->first) + x->before;
    return (struct phase){.left = now.left, .lo = m == 0 ? phase : now.lo, .step = m * x->adds, .rem = phase};
}

/*
 * What the counter of a loop tells about the phase of a statement in it: where only rounds with c = q (mod m)
 * get to, the phase is that of round q plus a multiple of m rounds.
 */
static struct phase by_round(struct races *r, const struct phase_view *v, const struct ir_body *body,
                             uint32_t stmt, struct phase now) {
    struct rounds x;
    if (now.any || now.none || now.step == 0 || !find_rounds(r, v, body, stmt, &x)) return now;
    const struct ir_block *h = &body->blocks[body->loops[x.loop].header];
    for (uint32_t s = h->first; s < h->end && body->stmts[s].op == IR_PHI; s++) {
        if (!is_counter(r, v, body, &body->stmts[s], &x)) continue;
        struct ints c = ints_of(r, v->thread, v->inst, x.counter, ir_block_of(body, stmt));
        if (c.step != 1) return phase_in(&x, now, c.step, c.rem);
    }
    return now;
}

static struct phase phase_before(struct races *r, const struct phase_view *v, const struct ir_body *body,
                                 uint32_t stmt) {
    return by_round(r, v, body, stmt, counted_before(r, v, body, ir_block_of(body, stmt), stmt));
}

/* The phases in which the access runs: where it stands, or where the calls that lead to it do. */
static struct phase phase_of(struct races *r, const struct phase_view *v, const struct races_access *a,
                             pts_inst in) {
    const struct ir_body *body = app_body(r, v->inst.v);
    if (pts_inst_eq(in, v->inst)) return phase_before(r, v, body, a->stmt);
    if (calls_lead_to(r, pts_thread(r->pts, v->thread)->root, in, v->inst)) return unknown_phase(false);
    struct phase all = {.none = true};
    uint32_t n;
    const struct pts_call *calls = pts_callees(r->pts, v->inst, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind == PTS_EDGE_THREAD || !calls_lead_to(r, calls[k].callee, in, v->inst)) continue;
        const struct ir_stmt *s = &body->stmts[calls[k].stmt];
        enum barrier_use use = group_use(r, v->group, v->inst, body, s);
        struct phase at = phase_before(r, v, body, calls[k].stmt);
        if (use == USE_WAIT && calls[k].kind == PTS_EDGE_CALL) at = later(at, 1);
        all = join(all, use == USE_LEAVE || (use == USE_WAIT && calls[k].kind != PTS_EDGE_CALL)
                            ? unknown_phase(false)
                            : at);
    }
    return all.none ? unknown_phase(false) : all;
}

bool has_phases(struct races *r) {
    if (r->n_threads > THREADS_MAX) return false;
    if (r->phases == NULL) {
        r->phases = ARENA_NEW(&r->arena, struct phases);
        collect(r);
    }
    return r->phases->n > 0 && !r->phases->unknown_calls;
}

/* The calls of the waiting method by which the thread runs the instance. */
struct phase_calls {
    const struct ir_body *body;
    VEC(uint32_t) stmts;
};

/* Whether the thread calls the instance from elsewhere too, be it from itself. */
static bool called_elsewhere(struct races *r, uint32_t t, pts_inst in, pts_inst from) {
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, in, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].caller.v == 0) return true;
        if (!pts_inst_eq(calls[k].caller, from) && bits_has(&r->threads_of[calls[k].caller.v], t))
            return true;
    }
    return false;
}

/* False if it is not only called from there, without any method between. */
static bool find_calls(struct races *r, const struct phase_view *v, pts_inst in, struct phase_calls *out) {
    uint32_t n;
    const struct pts_call *calls = pts_callees(r->pts, v->inst, &n);
    *out = (struct phase_calls){.body = app_body(r, v->inst.v)};
    if (pts_inst_eq(in, v->inst) || calls_lead_to(r, pts_thread(r->pts, v->thread)->root, in, v->inst))
        return false;
    if (called_elsewhere(r, v->thread, in, v->inst)) return false;
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind == PTS_EDGE_THREAD || !calls_lead_to(r, calls[k].callee, in, v->inst)) continue;
        if (calls[k].kind != PTS_EDGE_CALL || !pts_inst_eq(calls[k].callee, in) ||
            group_use(r, v->group, v->inst, out->body, &out->body->stmts[calls[k].stmt]) != USE_NONE)
            return false;
        vec_push(&out->stmts, calls[k].stmt);
    }
    return out->stmts.n > 0;
}

static bool visit_common(struct races *r, const struct phase_view *va, const struct phase_calls *a,
                         const struct phase_view *vb, const struct phase_calls *b, phase_visitor *visit,
                         void *arg) {
    for (size_t i = 0; i < a->stmts.n; i++) {
        for (size_t k = 0; k < b->stmts.n; k++) {
            struct phase_call p = {a->body, &a->body->stmts[a->stmts.v[i]]};
            struct phase_call q = {b->body, &b->body->stmts[b->stmts.v[k]]};
            if (apart(phase_before(r, va, a->body, a->stmts.v[i]),
                      phase_before(r, vb, b->body, b->stmts.v[k])))
                continue;
            if (!visit(arg, &p, &q)) return false;
        }
    }
    return true;
}

bool each_common_phase(struct races *r, struct races_side x, struct races_side y, phase_visitor *visit,
                       void *arg) {
    bool fine = false;
    if (!has_phases(r)) return false;
    thread_set both = (thread_set)1 << x.thread | (thread_set)1 << y.thread;
    for (size_t i = 0; i < r->phases->n && !fine; i++) {
        thread_set group = r->phases->v[i].threads;
        if (r->phases->v[i].broken || (group & both) != both || !group_holds(r, group)) continue;
        const struct phase_view *va = view_of(r, x.thread, group), *vb = view_of(r, y.thread, group);
        struct phase_calls ca = {0}, cb = {0};
        fine = find_calls(r, va, x.inst, &ca) && find_calls(r, vb, y.inst, &cb) &&
               visit_common(r, va, &ca, vb, &cb, visit, arg);
        vec_release(&ca.stmts);
        vec_release(&cb.stmts);
    }
    return fine;
}

bool separated_by_phase(struct races *r, const struct races_access *a, struct races_side x,
                        const struct races_access *b, struct races_side y) {
    if (!has_phases(r)) return false;
    struct phases *p = r->phases;
    thread_set both = (thread_set)1 << x.thread | (thread_set)1 << y.thread;
    for (size_t i = 0; i < p->n; i++) {
        thread_set group = p->v[i].threads;
        if (p->v[i].broken || (group & both) != both || !group_holds(r, group)) continue;
        struct phase pa = phase_of(r, view_of(r, x.thread, group), a, x.inst);
        struct phase pb = phase_of(r, view_of(r, y.thread, group), b, y.inst);
        if (apart(pa, pb) || (in_action(pa) && in_action(pb))) return true;
    }
    return false;
}

/* ---- turns ---- */

/* One side of a pair, where it stands in the method that waits. */
struct turn_side {
    struct phase now;
    struct rounds rounds;
};

static bool find_turns(struct races *r, const struct phase_view *v, const struct races_access *a, pts_inst in,
                       struct turn_side *out) {
    const struct ir_body *body = app_body(r, v->inst.v);
    if (!pts_inst_eq(in, v->inst)) return false;
    out->now = counted_before(r, v, body, ir_block_of(body, a->stmt), a->stmt);
    if (out->now.any || out->now.none || !find_rounds(r, v, body, a->stmt, &out->rounds)) return false;
    const struct ir_block *h = &body->blocks[body->loops[out->rounds.loop].header];
    for (uint32_t s = h->first; s < h->end && body->stmts[s].op == IR_PHI; s++) {
        if (is_counter(r, v, body, &body->stmts[s], &out->rounds)) return true;
    }
    return false;
}

static bool visit_turns(const struct turn_side *a, const struct turn_side *b, int64_t m, turn_visitor *visit,
                        void *arg) {
    for (int64_t p = 0; p < m; p++) {
        for (int64_t q = 0; q < m; q++) {
            struct supposition sa = {.counter = a->rounds.counter, .step = m, .rem = p};
            struct supposition sb = {.counter = b->rounds.counter, .step = m, .rem = q};
            if (!apart(phase_in(&a->rounds, a->now, m, p), phase_in(&b->rounds, b->now, m, q)) &&
                !visit(arg, &sa, &sb))
                return false;
        }
    }
    return true;
}

bool each_common_turn(struct races *r, const struct races_access *a, struct races_side x,
                      const struct races_access *b, struct races_side y, int64_t m, turn_visitor *visit,
                      void *arg) {
    if (!has_phases(r)) return false;
    thread_set both = (thread_set)1 << x.thread | (thread_set)1 << y.thread;
    for (size_t i = 0; i < r->phases->n; i++) {
        struct turn_side sides[2];
        thread_set group = r->phases->v[i].threads;
        if (r->phases->v[i].broken || (group & both) != both || !group_holds(r, group)) continue;
        if (find_turns(r, view_of(r, x.thread, group), a, x.inst, &sides[0]) &&
            find_turns(r, view_of(r, y.thread, group), b, y.inst, &sides[1]) &&
            visit_turns(&sides[0], &sides[1], m, visit, arg))
            return true;
    }
    return false;
}

/* Whether only actions of the group run the statement. */
static bool is_action_of(struct races *r, thread_set group, const struct races_access *change) {
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, change->method, &n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t t = 0; t < r->n_threads; t++) {
            if (!bits_has(&r->threads_of[insts[i].v], t)) continue;
            if ((group >> t & 1) == 0 || !in_action(phase_of(r, view_of(r, t, group), change, insts[i])))
                return false;
        }
    }
    return true;
}

bool changes_between_phases(struct races *r, const struct races_access *a, struct races_side x,
                            const struct races_access *b, struct races_side y,
                            const struct races_access *change) {
    if (!has_phases(r)) return false;
    struct phases *p = r->phases;
    thread_set both = (thread_set)1 << x.thread | (thread_set)1 << y.thread;
    for (size_t i = 0; i < p->n; i++) {
        thread_set group = p->v[i].threads;
        if (p->v[i].broken || (group & both) != both || !group_holds(r, group)) continue;
        const struct phase_view *va = view_of(r, x.thread, group), *vb = view_of(r, y.thread, group);
        if (pts_inst_eq(va->inst, x.inst) || pts_inst_eq(vb->inst, y.inst)) continue;
        if (!phase_of(r, va, a, x.inst).any && !phase_of(r, vb, b, y.inst).any &&
            is_action_of(r, group, change))
            return true;
    }
    return false;
}
