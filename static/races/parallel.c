/*
 * May happen in parallel: which abstract threads may be alive while a thread executes a statement.
 *
 * The model, for one thread P that runs at most once: follow P's code; starting a thread makes it and all
 * that it may start alive, returning from a join that must be its makes it dead.  May-alive grows over paths.
 * Each instance of a method is solved once, as a function of what is alive on entry:
 *     alive at s = (alive on entry - joined on all paths to s) + started on some path to s and not joined
 * and the entry sets then go down the call graph from P's root.
 *
 * Joining a thread ends those, too, that it has joined itself whenever it ends.
 *
 * Two threads may run at the same time only if some statement of every such P that starts both (itself or
 * through others) has both alive.  Threads of the VM and the user's entries are always alive.  Sets are of a
 * fixed size; programs with more abstract threads than that get no answer better than "may".
 */
#include "internal.h"
#include "joins.h"
#include "owner.h"
#include "parallel.h"
#include "race/opcodes.h"
#include "sources.h"

#include <string.h>

/* What code does to the set of threads alive, relative to its entry. */
struct change {
    thread_set started; /* may be alive through it */
    thread_set joined;  /* must be dead after it, unless in `started` */
};

struct inst_flow {
    struct change *at_block; /* on entry of each block; NULL for the JDK's methods */
    bool *reached;
    struct change whole; /* from entry to normal return */
    thread_set all;      /* everything that it may start, whatever happens to it later */
    thread_set entry;    /* alive on entry */
    bool runs;           /* the thread gets here */
    bool stale;          /* entry has grown since it was handed on */
};

/* One thread's view. */
struct thread_view {
    struct inst_flow *flows;      /* by inst */
    thread_set with[THREADS_MAX]; /* which others are alive at some statement where it is */
};

/* The answer about one statement, asked for each pair of accesses that it is in. */
struct alive_answer {
    uint32_t thread; /* + 1; 0: none */
    pts_inst inst;
    uint32_t stmt;
    thread_set alive;
};

struct parallel {
    bool too_many;
    thread_set always;                 /* alive whatever happens: VM threads, entries */
    thread_set offspring[THREADS_MAX]; /* itself and what it may start, transitively */
    thread_set starters[THREADS_MAX];  /* threads with a statement that starts it */
    thread_set no_loop_join;           /* threads of which two may be alive: a join of one proves little */
    thread_set no_array_join;          /* threads that may be alive when the array of others is made */
    struct thread_view *views[THREADS_MAX]; /* NULL: may run more than once */
    thread_set ended[THREADS_MAX];   /* others that run once and have ended when it has: it joins them */
    struct alive_answer *answers;    /* once all views are solved */
    thread_set descend[THREADS_MAX]; /* by thread: those whose every chain of starts begins in it */
};

struct flow {
    struct races *r;
    struct parallel *par;
    struct thread_view *view;
    uint32_t thread;
};

static thread_set bit(uint32_t t) {
    return (thread_set)1 << t;
}

/* ---- statements ---- */

static thread_set threads_of_object(struct races *r, pts_obj o) {
    thread_set set = 0;
    for (uint32_t t = 0; t < r->n_threads; t++) {
        if (pts_obj_eq(pts_thread(r->pts, t)->obj, o)) set |= bit(t);
    }
    return set;
}

/* Whether the thread's only start is `v.start()` in this very method, on the variable that is joined. */
static bool started_only_here(struct races *r, uint32_t t, pts_inst i, const struct ir_body *body, ir_var v) {
    const struct pts_thread *thread = pts_thread(r->pts, t);
    if (thread->n_starts != 1 || !pts_inst_eq(thread->starts[0].caller, i)) return false;
    const struct ir_stmt *s = &body->stmts[thread->starts[0].stmt];
    return s->op == IR_INVOKE && s->n_args > 0 &&
           ir_var_eq(var_origin(body, ir_arg(body, s, 0)), var_origin(body, v));
}

/*
 * A thread that was not started yet is not alive either: joining it at that time proves nothing about later.
 * So the joined thread's start must come first: this thread makes it, or it comes before this thread's own
 * start in one run of the method that makes both.
 */
static bool started_before(struct flow *x, uint32_t t) {
    struct races *r = x->r;
    if (x->par->starters[t] == bit(x->thread)) return true;
    const struct pts_thread *first = pts_thread(r->pts, t), *second = pts_thread(r->pts, x->thread);
    if (first->many || first->n_starts != 1 || second->n_starts != 1) return false;
    struct pts_call a = first->starts[0], b = second->starts[0];
    if (!pts_inst_eq(a.caller, b.caller) || a.caller.v == 0 || !pts_inst_info(r->pts, a.caller)->once)
        return false;
    const struct ir_body *body = body_of(r, pts_inst_info(r->pts, a.caller)->method);
    if (body == NULL) return false;
    uint32_t ba = ir_block_of(body, a.stmt), bb = ir_block_of(body, b.stmt);
    return ba == bb ? a.stmt < b.stmt : ir_dominates(body, ba, bb);
}

/* Whether the thread has surely been started, by its only start, when control comes to the statement. */
static bool starts_first(struct races *r, uint32_t t, pts_inst i, const struct ir_body *body, uint32_t stmt) {
    const struct pts_thread *thread = pts_thread(r->pts, t);
    if (thread->n_starts != 1 || !pts_inst_eq(thread->starts[0].caller, i)) return false;
    uint32_t start = thread->starts[0].stmt, from = ir_block_of(body, start), to = ir_block_of(body, stmt);
    return from == to ? start < stmt : ir_dominates(body, from, to);
}

/* The threads that have ended if the one has that a statement waits for without a time limit, or asks whether
 * it is alive: itself, and those that it joins. */
static thread_set joined_by(struct flow *x, pts_inst i, const struct ir_body *body, const struct ir_stmt *s,
                            const char *name, const char *desc) {
    struct races *r = x->r;
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL || s->n_args != 1 || !name_is(r, ref->name, name) || !name_is(r, ref->desc, desc) ||
        !program_is_subtype(r->p, ref->cls, (class_id){CLASS_THREAD}))
        return 0;
    struct pts_iter it = {0};
    pts_obj o, more;
    struct pts_view set = pts_var(r->pts, i, ir_arg(body, s, 0));
    if (!pts_next(set, &it, &o) || pts_next(set, &it, &more)) return 0;
    thread_set threads = threads_of_object(r, o);
    bool once = pts_obj_info(r->pts, o)->once;
    for (uint32_t t = 0; t < r->n_threads; t++) {
        if ((threads & bit(t)) == 0) continue;
        bool single = once && !pts_thread(r->pts, t)->many;
        bool last =
            (x->par->no_loop_join & bit(t)) == 0 && started_only_here(r, t, i, body, ir_arg(body, s, 0));
        if ((!single && !last) || !started_before(x, t)) threads &= ~bit(t);
    }
    thread_set all = threads;
    for (uint32_t t = 0; t < r->n_threads; t++) {
        if ((threads & bit(t)) != 0 && starts_first(r, t, i, body, (uint32_t)(s - body->stmts)))
            all |= x->par->ended[t];
    }
    return all;
}

static thread_set started_by(struct flow *x, const struct pts_call *call) {
    thread_set set = 0;
    for (uint32_t t = 0; t < x->r->n_threads; t++) {
        const struct pts_thread *thread = pts_thread(x->r->pts, t);
        for (uint32_t i = 0; i < thread->n_starts; i++) {
            const struct pts_call *s = &thread->starts[i];
            if (pts_inst_eq(s->caller, call->caller) && s->stmt == call->stmt &&
                pts_inst_eq(thread->root, call->callee))
                set |= x->par->offspring[t];
        }
    }
    return set;
}

static void step(struct flow *x, pts_inst i, const struct ir_body *body, uint32_t stmt, struct change *c) {
    uint32_t n;
    const struct ir_stmt *s = &body->stmts[stmt];
    const struct pts_call *calls = pts_callees_at(x->r->pts, i, stmt, &n);
    thread_set started = 0, joined = ~(thread_set)0;
    bool calls_code = false;
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind == PTS_EDGE_THREAD) {
            started |= started_by(x, &calls[k]);
            continue;
        }
        const struct inst_flow *f = &x->view->flows[calls[k].callee.v];
        started |= f->whole.started;
        if (calls[k].kind != PTS_EDGE_CALL) continue; /* an initialiser may have run before */
        joined &= f->whole.joined;
        calls_code = true;
    }
    if (!calls_code) joined = 0;
    uint32_t made;
    if (s->op == IR_INVOKE) joined |= joined_by(x, i, body, s, "join", "()V");
    if (s->op == IR_INVOKE) joined |= joined_by_call(x->r, i, body, stmt, &made) & ~x->par->no_array_join;
    c->started = (c->started & ~joined) | started;
    c->joined |= joined;
}

/* ---- one instance ---- */

static bool meet(struct inst_flow *f, uint32_t b, const struct change *c) {
    struct change old = f->at_block[b];
    if (!f->reached[b]) {
        f->reached[b] = true;
        f->at_block[b] = *c;
        return true;
    }
    f->at_block[b].started |= c->started;
    f->at_block[b].joined &= c->joined;
    return old.started != f->at_block[b].started || old.joined != f->at_block[b].joined;
}

/* Out of a loop that joined all threads of an array. */
static void leave_loop(struct flow *x, pts_inst i, const struct ir_body *body, uint32_t b, uint32_t succ,
                       struct change *c) {
    uint32_t made;
    thread_set dead = joined_by_loop(x->r, i, body, b, succ, &made) & ~x->par->no_array_join;
    c->started &= ~dead;
    c->joined |= dead;
}

/* The call behind an operand of the test that ends the block, if nothing is called in between; else NULL. */
static const struct ir_stmt *asked_in_test(const struct ir_body *body, const struct ir_block *b,
                                           uint32_t arg) {
    const struct ir_stmt *test = &body->stmts[b->end - 1], *call = ir_def(body, ir_arg(body, test, arg));
    if (call < &body->stmts[b->first] || call >= test) return NULL;
    for (const struct ir_stmt *s = call + 1; s < test; s++) {
        if (s->op == IR_INVOKE) return NULL;
    }
    return call;
}

static bool is_terminated(struct flow *x, const struct ir_body *body, ir_var v) {
    const struct ir_stmt *get = ir_def(body, v);
    field_id field =
        get->op == IR_GET_STATIC ? program_ref_field(x->r->p, (ref_id){get->ref}) : (field_id){0};
    if (field.v == 0) return false;
    const struct field_info *f = program_field(x->r->p, field);
    return name_is(x->r, f->name, "TERMINATED") && name_is(x->r, f->desc, "Ljava/lang/Thread$State;");
}

/* A subclass may have a getState() that says anything. */
static bool calls_thread_itself(struct flow *x, pts_inst i, const struct ir_body *body,
                                const struct ir_stmt *call) {
    uint32_t n;
    const struct pts_call *calls = pts_callees_at(x->r->pts, i, (uint32_t)(call - body->stmts), &n);
    for (uint32_t k = 0; k < n; k++) {
        method_id m = pts_inst_info(x->r->pts, calls[k].callee)->method;
        if (program_method(x->r->p, m)->owner.v != CLASS_THREAD) return false;
    }
    return n > 0;
}

/* Where `t.isAlive()` was just seen to be false, or `t.getState()` to be TERMINATED. */
static void see_dead(struct flow *x, pts_inst i, const struct ir_body *body, const struct ir_block *b,
                     uint32_t succ, struct change *c) {
    const struct ir_stmt *test = &body->stmts[b->end - 1];
    if (test->op != IR_IF || test->n_args == 0) return;
    bool when_equal = test->ref == CF_OP_IFEQ || test->ref == CF_OP_IF_ACMPEQ;
    if (!when_equal && test->ref != CF_OP_IFNE && test->ref != CF_OP_IF_ACMPNE) return;
    if (succ != (when_equal ? 1 : 0)) return;
    thread_set dead = 0;
    if (test->n_args == 1) {
        const struct ir_stmt *call = asked_in_test(body, b, 0);
        if (call != NULL) dead = joined_by(x, i, body, call, "isAlive", "()Z");
    }
    for (uint32_t k = 0; test->n_args == 2 && k < 2; k++) {
        const struct ir_stmt *call = asked_in_test(body, b, k);
        if (call != NULL && is_terminated(x, body, ir_arg(body, test, 1 - k)) &&
            calls_thread_itself(x, i, body, call))
            dead = joined_by(x, i, body, call, "getState", "()Ljava/lang/Thread$State;");
    }
    c->started &= ~dead;
    c->joined |= dead;
}

static bool flow_block(struct flow *x, pts_inst i, const struct ir_body *body, uint32_t b, struct change *end,
                       bool *returns) {
    struct inst_flow *f = &x->view->flows[i.v];
    if (!f->reached[b]) return false;
    const struct ir_block *block = &body->blocks[b];
    struct change now = f->at_block[b], thrown = {0};
    bool throws = false;
    for (uint32_t s = block->first; s < block->end; s++) {
        bool may = ir_may_throw(&body->stmts[s]);
        struct change before = now;
        step(x, i, body, s, &now);
        if (may) {
            thrown.started |= before.started | now.started;
            thrown.joined = (throws ? thrown.joined : ~(thread_set)0) & before.joined & now.joined;
            throws = true;
        }
        if (body->stmts[s].op == IR_RETURN) {
            end->started |= now.started;
            end->joined = (*returns ? end->joined : ~(thread_set)0) & now.joined;
            *returns = true;
        }
    }
    bool changed = false;
    const struct ir_edge *succs = ir_succs(body, block);
    for (uint32_t k = 0; k < block->n_succs; k++) {
        if (succs[k].exceptional && !throws) continue;
        struct change edge = succs[k].exceptional ? thrown : now;
        if (!succs[k].exceptional) see_dead(x, i, body, block, k, &edge);
        if (!succs[k].exceptional && block->is_loop_header) leave_loop(x, i, body, b, k, &edge);
        changed |= meet(f, succs[k].block, &edge);
    }
    return changed;
}

/* Solves an instance with what is known of its callees; true if it changed as seen by its callers. */
static bool solve_app(struct flow *x, pts_inst i, const struct ir_body *body) {
    struct inst_flow *f = &x->view->flows[i.v];
    struct change end = {0};
    bool returns = false;
    if (f->at_block == NULL) {
        f->at_block = ARENA_NEW_N(&x->r->arena, body->n_blocks, struct change);
        f->reached = ARENA_NEW_N(&x->r->arena, body->n_blocks, bool);
    }
    memset(f->reached, 0, body->n_blocks * sizeof *f->reached);
    meet(f, 0, &(struct change){0});
    for (bool changed = true; changed;) {
        changed = false;
        end = (struct change){0};
        returns = false;
        for (uint32_t b = 0; b < body->n_blocks; b++) changed |= flow_block(x, i, body, b, &end, &returns);
    }
    bool grew = end.started != f->whole.started || end.joined != f->whole.joined;
    f->whole = end;
    return grew;
}

/*
 * Which threads each instance may start, by itself or through what it calls.  Few start any, so what they
 * start goes up from them to their callers, instead of every instance asking all its callees until no answer
 * changes.
 */
static void solve_all(struct flow *x) {
    struct inst_flow *flows = x->view->flows;
    VEC(uint32_t) grown = {0};
    uint32_t n;
    for (uint32_t i = 1; i <= x->r->n_insts; i++) {
        const struct pts_call *calls = pts_callees(x->r->pts, (pts_inst){i}, &n);
        for (uint32_t k = 0; k < n; k++)
            if (calls[k].kind == PTS_EDGE_THREAD) flows[i].all |= started_by(x, &calls[k]);
        if (flows[i].all != 0) vec_push(&grown, i);
    }
    while (grown.n > 0) {
        uint32_t i = vec_pop(&grown);
        const struct pts_call *calls = pts_callers(x->r->pts, (pts_inst){i}, &n);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t caller = calls[k].caller.v;
            bool is_new = (flows[i].all & ~flows[caller].all) != 0;
            if (caller == 0 || calls[k].kind == PTS_EDGE_THREAD || !is_new) continue;
            flows[caller].all |= flows[i].all;
            vec_push(&grown, caller);
        }
    }
    vec_release(&grown);
}

/* ---- entry sets ---- */

static bool enter(struct flow *x, pts_inst callee, thread_set alive) {
    struct inst_flow *f = &x->view->flows[callee.v];
    if (f->runs && (alive & ~f->entry) == 0) return false;
    f->entry |= alive;
    f->runs = f->stale = true;
    return true;
}

/*
 * Everything in `alive` may run while everything in `fresh` does.  Threads that are alive on entry of a
 * method were noted together where they were when it was called; doing so again would mix the method's
 * callers.
 */
static void note(struct flow *x, thread_set alive, thread_set fresh) {
    if (fresh == 0) return;
    for (uint32_t t = 0; t < x->r->n_threads; t++) {
        if ((alive & bit(t)) != 0) x->view->with[t] |= fresh;
        if ((fresh & bit(t)) != 0) x->view->with[t] |= alive;
    }
}

static thread_set alive_with(const struct inst_flow *f, const struct change *c) {
    return (f->entry & ~c->joined) | c->started;
}

static bool pass_calls(struct flow *x, pts_inst i, uint32_t stmt, thread_set alive) {
    uint32_t n;
    bool changed = false;
    const struct pts_call *calls = pts_callees_at(x->r->pts, i, stmt, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind != PTS_EDGE_THREAD) changed |= enter(x, calls[k].callee, alive);
    }
    return changed;
}

/* Goes through an instance, hands entry sets on and notes who is alive together. */
static bool pass_app(struct flow *x, pts_inst i, const struct ir_body *body) {
    struct inst_flow *f = &x->view->flows[i.v];
    bool changed = false;
    for (uint32_t b = 0; b < body->n_blocks; b++) {
        if (!f->reached[b]) continue;
        struct change now = f->at_block[b];
        note(x, alive_with(f, &now), now.started);
        for (uint32_t s = body->blocks[b].first; s < body->blocks[b].end; s++) {
            changed |= pass_calls(x, i, s, alive_with(f, &now));
            step(x, i, body, s, &now);
            note(x, alive_with(f, &now), now.started);
        }
    }
    return changed;
}

static bool pass_jdk(struct flow *x, pts_inst i) {
    struct inst_flow *f = &x->view->flows[i.v];
    uint32_t n;
    bool changed = false;
    const struct pts_call *calls = pts_callees(x->r->pts, i, &n);
    note(x, f->entry | f->all, f->all);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind != PTS_EDGE_THREAD) changed |= enter(x, calls[k].callee, f->entry | f->all);
    }
    return changed;
}

static const struct ir_body *app_body(struct races *r, uint32_t i) {
    method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
    return is_app(r, m) ? body_of(r, m) : NULL;
}

/* The threads to which every chain of starts that leads there begins in p. */
static thread_set descendants(struct races *r, const struct parallel *par, uint32_t p) {
    thread_set roots = par->always & ~bit(p), reached = roots;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < r->n_threads; k++) {
            if ((reached & bit(k)) != 0 || k == p || (par->starters[k] & reached) == 0) continue;
            reached |= bit(k);
            changed = true;
        }
    }
    return ~reached;
}

static void solve_view(struct flow *x) {
    struct races *r = x->r;
    struct thread_view *view = x->view;
    view->flows = ARENA_NEW_N(&r->arena, r->n_insts + 1, struct inst_flow);
    solve_all(x);
    for (uint32_t i = 1; i <= r->n_insts; i++) view->flows[i].whole.started = view->flows[i].all;
    /* From "starts all that it may, joins nothing" down to the truth: every round is a sound answer. */
    for (int round = 0; round < 8; round++) {
        bool changed = false;
        for (uint32_t i = r->n_insts; i >= 1; i--) {
            const struct ir_body *body = bits_has(&r->threads_of[i], x->thread) ? app_body(r, i) : NULL;
            if (body != NULL) changed |= solve_app(x, (pts_inst){i}, body);
        }
        if (!changed) break;
    }
    /* What others started may be alive from the beginning; a join proves it dead all the same. */
    thread_set others = 0;
    thread_set own = descendants(r, x->par, x->thread);
    for (uint32_t t = 0; t < r->n_threads; t++) {
        if (t != x->thread && (own & bit(t)) == 0) others |= bit(t);
    }
    enter(x, pts_thread(r->pts, x->thread)->root, others);
    note(x, others, others);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i <= r->n_insts; i++) {
            if (!view->flows[i].stale) continue;
            view->flows[i].stale = false;
            const struct ir_body *body = app_body(r, i);
            changed |= body != NULL && view->flows[i].reached != NULL ? pass_app(x, (pts_inst){i}, body)
                                                                      : pass_jdk(x, (pts_inst){i});
        }
    }
}

/* A thread started in a loop and joined in the same round is alone, if it is dead whenever it is started. */
static bool check_loop_joins(struct flow *x) {
    struct races *r = x->r;
    bool changed = false;
    for (uint32_t t = 0; t < r->n_threads; t++) {
        const struct pts_thread *thread = pts_thread(r->pts, t);
        if (!thread->many || (x->par->no_loop_join & bit(t)) != 0) continue;
        bool alone = thread->n_starts == 1;
        pts_inst i = alone ? thread->starts[0].caller : (pts_inst){0};
        const struct ir_body *body = i.v == 0 ? NULL : app_body(r, i.v);
        const struct inst_flow *f = &x->view->flows[i.v];
        /* Other threads may start more of them behind this one's back. */
        alone =
            alone && body != NULL && f->runs && f->reached != NULL && x->par->starters[t] == bit(x->thread);
        if (alone) {
            uint32_t b = ir_block_of(body, thread->starts[0].stmt);
            struct change now = f->at_block[b];
            for (uint32_t s = body->blocks[b].first; s < thread->starts[0].stmt; s++)
                step(x, i, body, s, &now);
            alone = f->reached[b] && (alive_with(f, &now) & bit(t)) == 0;
        }
        if (!alone) {
            x->par->no_loop_join |= bit(t);
            changed = true;
        }
    }
    return changed;
}

/* ---- what a thread has joined when it ends ---- */

/* Whether the call of interrupt() may be on the thread.  Those on the running thread do not count: the thread
 * that find_ended() asks about has called nothing yet but joins. */
static bool call_interrupts(struct races *r, uint32_t t, const struct pts_call *call) {
    const struct ir_body *body =
        call->caller.v == 0 ? NULL : body_of(r, pts_inst_info(r->pts, call->caller)->method);
    const struct ir_stmt *s = body == NULL ? NULL : &body->stmts[call->stmt];
    if (s == NULL || s->op != IR_INVOKE || s->n_args != 1) return true;
    const struct member_ref *self = invoke_ref(r, ir_def(body, var_origin(body, ir_arg(body, s, 0))));
    if (self != NULL && self->cls.v == CLASS_THREAD && name_is(r, self->name, "currentThread")) return false;
    return pts_has(pts_var(r->pts, call->caller, ir_arg(body, s, 0)), pts_thread(r->pts, t)->obj);
}

/* Whether some reachable code of another thread may interrupt the thread. */
static bool may_be_interrupted(struct races *r, uint32_t t) {
    pts_obj o = pts_thread(r->pts, t)->obj;
    for (uint32_t i = 1; o.v != 0 && i <= r->n_insts; i++) {
        const struct method_info *m = program_method(r->p, pts_inst_info(r->pts, (pts_inst){i})->method);
        if (m->owner.v != CLASS_THREAD || !name_is(r, m->name, "interrupt")) continue;
        uint32_t n;
        const struct pts_call *calls = pts_callers(r->pts, (pts_inst){i}, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (call_interrupts(r, t, &calls[k])) return true;
        }
    }
    return o.v == 0;
}

static bool is_new(const struct ir_body *body, ir_var v) {
    const struct ir_stmt *def = ir_def(body, var_origin(body, v));
    return def->op == IR_NEW || (def->op == IR_INVOKE && def->sub == IR_CALL_DYNAMIC);
}

/* The application's method that the thread surely runs, and nothing of the application's before it; or none.
 */
static pts_inst body_of_thread(struct races *r, uint32_t t) {
    pts_inst root = pts_thread(r->pts, t)->root, only = {0};
    struct thread_start s;
    if (app_body(r, root.v) != NULL) return root;
    if (program_method(r->p, pts_inst_info(r->pts, root)->method)->owner.v != CLASS_THREAD ||
        !thread_start_of(r, t, &s) || s.runnable.v == 0 || !is_new(s.body, s.runnable))
        return (pts_inst){0};
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        if (!bits_has(&r->threads_of[i], t) || !is_target(r, t, (pts_inst){i})) continue;
        if (only.v != 0) return (pts_inst){0};
        only = (pts_inst){i};
    }
    return only.v != 0 && app_body(r, only.v) != NULL ? only : (pts_inst){0};
}

static bool last_visit(void *arg, const struct source *s) {
    struct source *at = arg;
    bool first = at->body == NULL;
    *at = *s;
    return first;
}

/* Whether the variable is an object that was made where its value comes from, and not null. */
static bool comes_from_new(struct races *r, pts_inst i, const struct ir_body *body, ir_var v) {
    struct source at = {.inst = i, .body = body, .var = v};
    for (int depth = 0; depth < 4; depth++) {
        if (is_new(at.body, at.var)) return true;
        struct source from = {0};
        ir_var param = var_origin(at.body, at.var);
        if (ir_def(at.body, param)->op != IR_PARAM ||
            !each_source(r, ANY_THREAD, at.inst, param.v - 1, last_visit, &from) || from.body == NULL)
            return false;
        at = from;
    }
    return false;
}

/* Whether the join returns normally if the thread is not interrupted: its receiver is not null. */
static bool surely_joins(struct flow *x, pts_inst i, const struct ir_body *body, const struct ir_stmt *s) {
    return joined_by(x, i, body, s, "join", "()V") != 0 && comes_from_new(x->r, i, body, ir_arg(body, s, 0));
}

/* What is joined wherever the block may end the thread, by a return or by an exception of any statement;
 * `*throws` says whether a statement throws at all. */
static thread_set joined_at_ends(struct flow *x, pts_inst i, const struct ir_body *body, uint32_t b,
                                 bool *throws) {
    struct change now = x->view->flows[i.v].at_block[b];
    thread_set dead = ~(thread_set)0;
    for (uint32_t n = body->blocks[b].first; n < body->blocks[b].end; n++) {
        const struct ir_stmt *s = &body->stmts[n];
        bool may = ir_may_throw(s) && !surely_joins(x, i, body, s);
        if (may || s->op == IR_RETURN) dead &= now.joined & ~now.started;
        *throws |= may;
        step(x, i, body, n, &now);
    }
    return dead;
}

/* The threads that are dead however this one ends. */
static thread_set dead_with(struct flow *x, pts_inst i, const struct ir_body *body) {
    bits seen;
    thread_set dead = ~(thread_set)0;
    bits_init(&seen, &x->r->arena, body->n_blocks);
    bits_add(&seen, 0);
    for (bool changed = true; changed && dead != 0;) {
        changed = false;
        for (uint32_t b = 0; b < body->n_blocks; b++) {
            if (!bits_has(&seen, b) || !x->view->flows[i.v].reached[b]) continue;
            bool throws = false;
            dead &= joined_at_ends(x, i, body, b, &throws);
            const struct ir_edge *succs = ir_succs(body, &body->blocks[b]);
            for (uint32_t k = 0; k < body->blocks[b].n_succs; k++) {
                if (bits_has(&seen, succs[k].block) || (succs[k].exceptional && !throws)) continue;
                bits_add(&seen, succs[k].block);
                changed = true;
            }
        }
    }
    return dead;
}

static bool find_ended(struct flow *x) {
    struct races *r = x->r;
    pts_inst i = body_of_thread(r, x->thread);
    const struct inst_flow *f = &x->view->flows[i.v];
    bool known = i.v != 0 && f->runs && f->reached != NULL && !may_be_interrupted(r, x->thread);
    thread_set dead = known ? dead_with(x, i, app_body(r, i.v)) : 0, once = 0;
    for (uint32_t t = 0; t < r->n_threads; t++) {
        const struct pts_thread *other = pts_thread(r->pts, t);
        if (!other->many && other->obj.v != 0 && pts_obj_info(r->pts, other->obj)->once) once |= bit(t);
    }
    dead &= once;
    bool changed = dead != x->par->ended[x->thread];
    x->par->ended[x->thread] = dead;
    return changed;
}

/* The threads that may be alive before a statement of the view's thread. */
static thread_set alive_before(struct flow *x, pts_inst i, const struct ir_body *body, uint32_t stmt) {
    const struct inst_flow *f = &x->view->flows[i.v];
    uint32_t b = ir_block_of(body, stmt);
    struct change now = f->at_block[b];
    for (uint32_t s = body->blocks[b].first; s < stmt; s++) step(x, i, body, s, &now);
    return f->reached[b] ? alive_with(f, &now) : 0;
}

/* A loop joins the threads of one array only: those of an earlier one must be dead when it is made. */
static bool check_array_joins(struct flow *x) {
    thread_set before = x->par->no_array_join;
    for (uint32_t i = 1; i <= x->r->n_insts; i++) {
        const struct ir_body *body = x->view->flows[i].runs ? app_body(x->r, i) : NULL;
        if (body == NULL || x->view->flows[i].reached == NULL) continue;
        for (uint32_t b = 0; b < body->n_blocks; b++) {
            uint32_t made;
            thread_set set =
                body->blocks[b].is_loop_header ? joined_by_loop(x->r, (pts_inst){i}, body, b, 1, &made) : 0;
            if (set != 0) x->par->no_array_join |= set & alive_before(x, (pts_inst){i}, body, made);
        }
        for (uint32_t n = 0; n < body->n_stmts; n++) {
            uint32_t made;
            thread_set set = joined_by_call(x->r, (pts_inst){i}, body, n, &made);
            if (set != 0) x->par->no_array_join |= set & alive_before(x, (pts_inst){i}, body, made);
        }
    }
    return x->par->no_array_join != before;
}

/* ---- set-up ---- */

static void close_offspring(struct races *r, struct parallel *par) {
    for (uint32_t t = 0; t < r->n_threads; t++) {
        const struct pts_thread *thread = pts_thread(r->pts, t);
        par->offspring[t] |= bit(t);
        if (thread->kind != PTS_THREAD_START) par->always |= bit(t);
        for (uint32_t i = 0; i < thread->n_starts; i++) {
            if (thread->starts[i].caller.v == 0) {
                par->always |= bit(t);
                continue;
            }
            const bits *in = &r->threads_of[thread->starts[i].caller.v];
            for (uint32_t p = 0; p < r->n_threads; p++) {
                if (bits_has(in, p)) par->starters[t] |= bit(p);
            }
        }
        if (thread->n_starts == 0) par->always |= bit(t);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < r->n_threads; t++) {
            for (uint32_t p = 0; p < r->n_threads; p++) {
                if ((par->starters[t] & bit(p)) == 0) continue;
                thread_set grown = par->offspring[p] | par->offspring[t];
                changed |= grown != par->offspring[p];
                par->offspring[p] = grown;
            }
        }
    }
}

/* Threads of the JDK's own making join nothing that matters here. */
static bool in_application(struct races *r, const struct pts_thread *thread) {
    for (uint32_t i = 0; i < thread->n_starts; i++) {
        pts_inst caller = thread->starts[i].caller;
        if (caller.v != 0 && is_app(r, pts_inst_info(r->pts, caller)->method)) return true;
    }
    return thread->kind != PTS_THREAD_START;
}

void parallel_init(struct races *r) {
    struct parallel *par = r->parallel = ARENA_NEW(&r->arena, struct parallel);
    par->too_many = r->n_threads > THREADS_MAX;
    if (par->too_many) return;
    close_offspring(r, par);
    /* Only main's loops are looked at; everything else may start two of a kind. */
    for (uint32_t t = 0; t < r->n_threads; t++) {
        if (pts_thread(r->pts, 0)->kind != PTS_THREAD_MAIN || (par->always & bit(t)) != 0 ||
            par->starters[t] != bit(0))
            par->no_loop_join |= bit(t);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < r->n_threads; t++) {
            const struct pts_thread *thread = pts_thread(r->pts, t);
            if (thread->many || thread->kind == PTS_THREAD_VM || !in_application(r, thread)) continue;
            struct thread_view *view = par->views[t] = ARENA_NEW(&r->arena, struct thread_view);
            struct flow x = {r, par, view, t};
            solve_view(&x);
            if (thread->kind == PTS_THREAD_MAIN) changed |= check_loop_joins(&x);
            changed |= check_array_joins(&x);
            changed |= find_ended(&x);
        }
    }
    for (uint32_t p = 0; p < r->n_threads; p++) par->descend[p] = descendants(r, par, p);
    par->answers = ARENA_NEW_N(&r->arena, SIDE_ANSWERS, struct alive_answer);
}

/* ---- questions ---- */

static bool descends(const struct parallel *par, uint32_t p, uint32_t t) {
    return (par->descend[p] & bit(t)) != 0;
}

/* Those that may be alive when p executes the access. */
static thread_set find_alive(struct races *r, uint32_t p, pts_inst i, const struct races_access *a) {
    struct thread_view *view = r->parallel->views[p];
    struct inst_flow *f = &view->flows[i.v];
    if (f->reached == NULL) return f->entry | f->all;
    struct flow x = {r, r->parallel, view, p};
    return alive_before(&x, i, body_of(r, a->method), a->stmt);
}

static bool alive_at(struct races *r, uint32_t p, pts_inst i, const struct races_access *a, uint32_t t) {
    struct parallel *par = r->parallel;
    if (!par->views[p]->flows[i.v].runs) return true; /* entered by the VM, behind the call graph's back */
    if (par->answers == NULL) return (find_alive(r, p, i, a) & bit(t)) != 0;
    struct alive_answer *known = &par->answers[side_hash(p, i.v, a->stmt, 0)];
    if (known->thread != p + 1 || !pts_inst_eq(known->inst, i) || known->stmt != a->stmt)
        *known = (struct alive_answer){p + 1, i, a->stmt, find_alive(r, p, i, a)};
    return (known->alive & bit(t)) != 0;
}

bool may_be_alive_at(struct races *r, uint32_t p, pts_inst i, const struct races_access *a, uint32_t t) {
    return r->parallel->too_many || r->parallel->views[p] == NULL || alive_at(r, p, i, a, t);
}

bool may_be_parallel(struct races *r, const struct races_access *a, struct races_side x,
                     const struct races_access *b, struct races_side y) {
    struct parallel *par = r->parallel;
    const struct pts_thread *t = pts_thread(r->pts, x.thread);
    if (x.thread == y.thread) {
        return t->many && (par->too_many || (par->no_loop_join & bit(x.thread)) != 0);
    }
    if (par->too_many) return true;
    if (par->views[x.thread] != NULL && !alive_at(r, x.thread, x.inst, a, y.thread)) return false;
    if (par->views[y.thread] != NULL && !alive_at(r, y.thread, y.inst, b, x.thread)) return false;
    if (par->views[x.thread] != NULL && descends(par, x.thread, y.thread)) return true;
    if (par->views[y.thread] != NULL && descends(par, y.thread, x.thread)) return true;
    for (uint32_t p = 0; p < r->n_threads; p++) {
        if (par->views[p] == NULL || p == x.thread || p == y.thread) continue;
        if (descends(par, p, x.thread) && descends(par, p, y.thread) &&
            (par->views[p]->with[x.thread] & bit(y.thread)) == 0)
            return false;
    }
    return true;
}
