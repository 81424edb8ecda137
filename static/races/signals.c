/*
 * Order by signals: volatile flags, atomics, latches and semaphores.
 *
 * The argument, for a flag: it starts as zero (false, null), and only thread t ever writes anything else to
 * it.  Another thread that has seen it set comes after some such write; an access of t from which no further
 * path leads back out of the writes - it never runs after one of them - comes before all of them, so before
 * what the other thread does next.  A latch of N that exactly N statements count down, each at most once,
 * proves even more: who comes back from await() comes after each of them.
 *
 * What a thread must have seen is a forward analysis like that of locks (locks.c), only that nothing is ever
 * unseen: what a callee has seen when it returns, its caller has seen too.
 */
#include "handles.h"
#include "internal.h"
#include "race/opcodes.h"
#include "tasks.h"

#include <string.h>

typedef uint64_t signal_set;
enum { SIGNALS_MAX = 64, CLIMB_MAX = 8, ASK_DEPTH = 2, REACH_BUCKETS = 1024, SEEN_ANSWERS = 4096 };

enum signal_kind { SIGNAL_FLAG, SIGNAL_LATCH };

struct signal_write {
    pts_inst inst;
    uint32_t stmt;
};

struct signal {
    uint8_t kind;
    bool broken;    /* something about it is not understood */
    field_id field; /* volatile field; none for an object */
    pts_obj object; /* the atomic, latch or semaphore, or the field's holder; none for a static field */
    uint32_t count; /* latch: what it starts with */
    VEC(struct signal_write) writes;
};

struct seen_flow {
    signal_set *at_block;
    bool *reached;
};

struct reach;

struct seen_answer {
    pts_inst inst;
    uint32_t stmt;
    signal_set seen;
};

struct signals_before;

struct signals {
    VEC(struct signal) v;
    signal_set usable;                    /* those that can order anything */
    struct seen_flow *flows;              /* by inst; application only */
    signal_set *entry;                    /* by inst */
    signal_set *leave;                    /* by inst: seen at every normal return */
    struct reach *reached[REACH_BUCKETS]; /* answers about the call graph, kept */
    struct seen_answer answers[SEEN_ANSWERS];
    struct signals_before *before; /* by side; made when asked for */
};

/* ---- which signal a statement is about ---- */

/* What a statement does to a signal. */
enum signal_use { USE_NONE, USE_READ, USE_WRITE, USE_WAIT, USE_INIT, USE_BREAK };

#define ATOMIC "java/util/concurrent/atomic/Atomic"

static bool is_zero(const struct ir_body *body, ir_var v) {
    const struct ir_stmt *def = ir_def(body, v);
    if (def->op != IR_CONST) return false;
    return def->sub == CONST_NULL ||
           ((def->sub == CONST_INT || def->sub == CONST_LONG) && ir_const(body, def).u.i == 0);
}

static enum signal_use atomic_use(const struct ir_body *body, const struct ir_stmt *s, const char *name) {
    bool zero = s->n_args == 1 || (s->n_args == 2 && is_zero(body, ir_arg(body, s, 1)));
    if (strcmp(name, "<init>") == 0) return zero ? USE_INIT : USE_BREAK;
    if (strcmp(name, "get") == 0 || strcmp(name, "getAcquire") == 0) return USE_READ;
    if (strcmp(name, "set") == 0 || strcmp(name, "setRelease") == 0 || strcmp(name, "lazySet") == 0)
        return zero ? USE_NONE : USE_WRITE;
    static const char *const harmless[] = {"getPlain", "getOpaque", "toString", "intValue", "longValue"};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        if (strcmp(name, harmless[i]) == 0) return USE_NONE;
    }
    /* In plain or opaque mode a write is seen without any order. */
    return strstr(name, "Plain") != NULL || strstr(name, "Opaque") != NULL ? USE_BREAK : USE_WRITE;
}

/* Of a reference with a mark or stamp, the latter is the signal. */
static enum signal_use marked_use(const struct ir_body *body, const struct ir_stmt *s, const char *name) {
    bool zero = s->n_args > 1 && is_zero(body, ir_arg(body, s, s->n_args - 1u));
    if (strcmp(name, "<init>") == 0) return zero ? USE_INIT : USE_BREAK;
    if (strcmp(name, "isMarked") == 0 || strcmp(name, "getStamp") == 0) return USE_READ;
    return zero || strcmp(name, "get") == 0 || strcmp(name, "getReference") == 0 ? USE_NONE : USE_WRITE;
}

static enum signal_use latch_use(const struct ir_stmt *s, const char *name) {
    if (strcmp(name, "<init>") == 0) return USE_INIT;
    if (strcmp(name, "countDown") == 0) return USE_WRITE;
    if (strcmp(name, "await") != 0) return USE_NONE;
    return s->n_args == 1 ? USE_WAIT : USE_READ; /* with a time limit it tells whether it was in time */
}

static enum signal_use semaphore_use(const struct ir_body *body, const struct ir_stmt *s, const char *name) {
    if (strcmp(name, "<init>") == 0)
        return s->n_args >= 2 && is_zero(body, ir_arg(body, s, 1)) ? USE_INIT : USE_BREAK;
    if (strcmp(name, "release") == 0) return USE_WRITE;
    return (strcmp(name, "acquire") == 0 || strcmp(name, "acquireUninterruptibly") == 0) && s->n_args == 1
               ? USE_WAIT
               : USE_NONE;
}

static enum signal_use call_use(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL || s->sub == IR_CALL_STATIC || s->n_args == 0) return USE_NONE;
    const char *cls = program_class_name(r->p, ref->cls), *name = program_str(r->p, ref->name);
    if (strcmp(cls, ATOMIC "Boolean") == 0 || strcmp(cls, ATOMIC "Integer") == 0 ||
        strcmp(cls, ATOMIC "Long") == 0 || strcmp(cls, ATOMIC "Reference") == 0)
        return atomic_use(body, s, name);
    if (strcmp(cls, ATOMIC "MarkableReference") == 0 || strcmp(cls, ATOMIC "StampedReference") == 0)
        return marked_use(body, s, name);
    if (strcmp(cls, "java/util/concurrent/CountDownLatch") == 0) return latch_use(s, name);
    if (strcmp(cls, "java/util/concurrent/Semaphore") == 0) return semaphore_use(body, s, name);
    return USE_NONE;
}

/* Of a VarHandle, plain and opaque modes give no order. */
static enum signal_use handle_use(struct races *r, const struct ir_body *body, const struct ir_stmt *s,
                                  const struct handle_call *c) {
    const char *name = program_str(r->p, invoke_ref(r, s)->name);
    bool var = c->kind == HANDLE_VAR, zero = s->n_args > c->first && is_zero(body, ir_arg(body, s, c->first));
    static const char *const reads[] = {"getAcquire", "getVolatile"};
    static const char *const idle[] = {"get", "getOpaque"};
    static const char *const sets[] = {"setRelease", "setVolatile"};
    static const char *const updater_sets[] = {"set", "lazySet"};
    if (!var && strcmp(name, "get") == 0) return USE_READ;
    for (int i = 0; i < 2; i++) {
        if (strcmp(name, reads[i]) == 0) return USE_READ;
        if (var && strcmp(name, idle[i]) == 0) return USE_NONE;
        if (strcmp(name, var ? sets[i] : updater_sets[i]) == 0) return zero ? USE_NONE : USE_WRITE;
    }
    bool unordered = strcmp(name, "set") == 0 || strstr(name, "Opaque") != NULL ||
                     strstr(name, "Plain") != NULL || strstr(name, "Acquire") != NULL;
    return var && unordered ? USE_BREAK : USE_WRITE;
}

/* A statement that concerns a signal. */
struct signal_op {
    enum signal_use use;
    field_id field;
    ir_var object; /* none: a static field */
};

static enum signal_use field_use(struct races *r, const struct ir_body *body, const struct ir_stmt *s,
                                 field_id f) {
    bool is_volatile = (program_field(r->p, f)->access & CF_ACC_VOLATILE) != 0, handled = is_handled(r, f);
    bool gets = s->op == IR_GET_FIELD || s->op == IR_GET_STATIC;
    if (!is_volatile && !handled) return USE_NONE;
    if (!handled && field_facts(r, f)->named) return USE_BREAK; /* handles and updaters may write it unseen */
    if (gets) return is_volatile ? USE_READ : USE_NONE;
    if (is_zero(body, ir_arg(body, s, s->n_args - 1u))) return USE_NONE;
    return is_volatile ? USE_WRITE : USE_BREAK;
}

static struct signal_op op_of(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    struct signal_op op = {.use = USE_NONE};
    struct handle_call call;
    if (s->op == IR_INVOKE) {
        if (handle_call(r, body, s, &call)) {
            op.field = call.field;
            op.object = call.holder;
            op.use = is_handled(r, call.field) ? handle_use(r, body, s, &call) : USE_BREAK;
            return op;
        }
        op.use = call_use(r, body, s);
        if (op.use != USE_NONE) op.object = ir_arg(body, s, 0);
        return op;
    }
    if (s->op < IR_GET_FIELD || s->op > IR_PUT_STATIC) return op;
    op.field = program_ref_field(r->p, (ref_id){s->ref});
    if (op.field.v == 0) return op;
    if (s->op == IR_GET_FIELD || s->op == IR_PUT_FIELD) op.object = ir_arg(body, s, 0);
    op.use = field_use(r, body, s, op.field);
    return op;
}

static size_t find_signal(struct races *r, field_id f, pts_obj o) {
    struct signals *all = r->signals;
    for (size_t i = 0; i < all->v.n; i++) {
        if (field_id_eq(all->v.v[i].field, f) && pts_obj_eq(all->v.v[i].object, o)) return i;
    }
    return SIZE_MAX;
}

/* ---- collecting ---- */

static void note_use(struct races *r, pts_inst i, const struct ir_body *body, const struct ir_stmt *s,
                     enum signal_use use, field_id f, pts_obj o, bool exact) {
    struct signals *all = r->signals;
    size_t at = find_signal(r, f, o);
    if (at == SIZE_MAX) {
        struct signal fresh = {.field = f, .object = o};
        if (all->v.n == SIGNALS_MAX) return; /* not followed: proves nothing */
        at = all->v.n;
        vec_push(&all->v, fresh);
    }
    struct signal *g = &all->v.v[at];
    if (o.v != 0 && (!exact || !pts_obj_info(r->pts, o)->once)) g->broken = true;
    if (use == USE_BREAK || (f.v == 0 && bits_has(&r->foreign, o.v))) g->broken = true;
    if (use == USE_WRITE) vec_push(&g->writes, ((struct signal_write){i, (uint32_t)(s - body->stmts)}));
    if (o.v != 0 && f.v == 0 &&
        class_is(r, pts_obj_info(r->pts, o)->cls, "java/util/concurrent/CountDownLatch")) {
        g->kind = SIGNAL_LATCH;
        const struct ir_stmt *count = use == USE_INIT ? ir_def(body, ir_arg(body, s, 1)) : NULL;
        if (count != NULL && count->op == IR_CONST) g->count = (uint32_t)ir_const(body, count).u.i;
    }
}

static void collect_uses(struct races *r, pts_inst i, const struct ir_body *body) {
    for (uint32_t n = 0; n < body->n_stmts; n++) {
        const struct ir_stmt *s = &body->stmts[n];
        struct signal_op op = op_of(r, body, s);
        if (op.use == USE_NONE) continue;
        if (op.object.v == 0) {
            note_use(r, i, body, s, op.use, op.field, (pts_obj){0}, true);
            continue;
        }
        struct pts_view set = pts_var(r->pts, i, op.object);
        struct pts_iter it = {0};
        pts_obj o;
        bool exact = pts_count(set) == 1;
        while (pts_next(set, &it, &o))
            note_use(r, i, body, s, op.use, op.field, o, exact || op.use == USE_READ);
    }
}

static const struct ir_body *app_body(struct races *r, uint32_t i) {
    method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
    return is_app(r, m) ? body_of(r, m) : NULL;
}

/* ---- what has been seen ---- */

/* The signal that a statement reads or waits for, as a set. */
static signal_set signal_at(struct races *r, pts_inst i, const struct ir_body *body, const struct ir_stmt *s,
                            enum signal_use want) {
    struct signal_op op = op_of(r, body, s);
    if (op.use != want) return 0;
    pts_obj o = {0}, more;
    if (op.object.v != 0) {
        struct pts_view set = pts_var(r->pts, i, op.object);
        struct pts_iter it = {0};
        if (!pts_next(set, &it, &o) || pts_next(set, &it, &more)) return 0;
    }
    size_t at = find_signal(r, op.field, o);
    return at == SIZE_MAX ? 0 : (signal_set)1 << at;
}

/* Whether this edge of an IF is taken only when the value tested is not zero. */
static bool proves_set(const struct ir_body *body, const struct ir_stmt *test, uint32_t succ, ir_var *value) {
    *value = ir_arg(body, test, 0);
    if (test->n_args == 1)
        return succ == 1 ? test->ref == CF_OP_IFNE || test->ref == CF_OP_IFNONNULL || test->ref == CF_OP_IFGT
                         : test->ref == CF_OP_IFEQ || test->ref == CF_OP_IFNULL || test->ref == CF_OP_IFLE;
    const struct ir_stmt *c = ir_def(body, ir_arg(body, test, 1));
    if (c->op != IR_CONST || c->sub != CONST_INT || ir_const(body, c).u.i == 0) return false;
    return succ == 1 ? test->ref == CF_OP_IF_ICMPEQ : test->ref == CF_OP_IF_ICMPNE;
}

/* The signal whose state the value is: read here, or by a method that was called for it. */
static signal_set signal_of_value(struct races *r, pts_inst i, const struct ir_body *body, ir_var value,
                                  int depth) {
    const struct ir_stmt *def = ir_def(body, var_origin(body, value));
    signal_set here = signal_at(r, i, body, def, USE_READ), all = ~(signal_set)0;
    if (here != 0 || def->op != IR_INVOKE || depth == ASK_DEPTH) return here;
    uint32_t n, n_calls = 0;
    const struct pts_call *calls = pts_callees_at(r->pts, i, (uint32_t)(def - body->stmts), &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind == PTS_EDGE_CLINIT) continue;
        const struct ir_body *callee = calls[k].kind == PTS_EDGE_CALL ? app_body(r, calls[k].callee.v) : NULL;
        if (callee == NULL) return 0;
        n_calls++;
        for (uint32_t s = 0; s < callee->n_stmts && all != 0; s++) {
            if (callee->stmts[s].op != IR_RETURN) continue;
            all &=
                signal_of_value(r, calls[k].callee, callee, ir_arg(callee, &callee->stmts[s], 0), depth + 1);
        }
    }
    return n_calls > 0 ? all : 0;
}

static signal_set seen_on_edge(struct races *r, pts_inst i, const struct ir_body *body,
                               const struct ir_block *b, uint32_t succ) {
    const struct ir_stmt *test = &body->stmts[b->end - 1];
    ir_var value;
    if (test->op != IR_IF || !proves_set(body, test, succ, &value)) return 0;
    return signal_of_value(r, i, body, value, 0);
}

static signal_set seen_after(struct races *r, pts_inst i, const struct ir_body *body, uint32_t stmt) {
    signal_set seen = signal_at(r, i, body, &body->stmts[stmt], USE_WAIT), all = ~(signal_set)0;
    uint32_t n, n_calls = 0;
    const struct pts_call *calls = pts_callees_at(r->pts, i, stmt, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind != PTS_EDGE_CALL) continue;
        all &= r->signals->leave[calls[k].callee.v];
        n_calls++;
    }
    return n_calls > 0 ? seen | all : seen;
}

static bool meet(struct seen_flow *f, uint32_t b, signal_set seen) {
    signal_set old = f->at_block[b];
    bool first = !f->reached[b];
    f->at_block[b] = first ? seen : old & seen;
    f->reached[b] = true;
    return first || f->at_block[b] != old;
}

static void solve_inst(struct races *r, pts_inst i, const struct ir_body *body) {
    struct seen_flow *f = &r->signals->flows[i.v];
    if (f->at_block == NULL) {
        f->at_block = ARENA_NEW_N(&r->arena, body->n_blocks, signal_set);
        f->reached = ARENA_NEW_N(&r->arena, body->n_blocks, bool);
    }
    memset(f->reached, 0, body->n_blocks * sizeof *f->reached);
    meet(f, 0, 0);
    signal_set leave = ~(signal_set)0;
    for (bool changed = true; changed;) {
        changed = false;
        leave = ~(signal_set)0;
        for (uint32_t b = 0; b < body->n_blocks; b++) {
            const struct ir_block *block = &body->blocks[b];
            if (!f->reached[b]) continue;
            signal_set now = f->at_block[b];
            for (uint32_t s = block->first; s < block->end; s++) now |= seen_after(r, i, body, s);
            if (body->stmts[block->end - 1].op == IR_RETURN) leave &= now;
            const struct ir_edge *succs = ir_succs(body, block);
            for (uint32_t k = 0; k < block->n_succs; k++)
                changed |=
                    meet(f, succs[k].block,
                         succs[k].exceptional ? f->at_block[b] : now | seen_on_edge(r, i, body, block, k));
        }
    }
    r->signals->leave[i.v] = leave;
}

/* Seen before a statement by the instance itself. */
static signal_set seen_before(struct races *r, pts_inst i, uint32_t stmt) {
    const struct ir_body *body = app_body(r, i.v);
    const struct seen_flow *f = &r->signals->flows[i.v];
    if (body == NULL || f->at_block == NULL) return 0;
    uint32_t b = ir_block_of(body, stmt);
    signal_set now = f->at_block[b];
    for (uint32_t s = body->blocks[b].first; s < stmt; s++) now |= seen_after(r, i, body, s);
    return now;
}

static bool update_entry(struct races *r, pts_inst i) {
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    signal_set now = n == 0 ? 0 : ~(signal_set)0;
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].caller.v == 0 || calls[k].kind != PTS_EDGE_CALL) now = 0;
        if (now == 0) break;
        now &= r->signals->entry[calls[k].caller.v] | seen_before(r, calls[k].caller, calls[k].stmt);
    }
    bool changed = now != r->signals->entry[i.v];
    r->signals->entry[i.v] &= now;
    return changed && r->signals->entry[i.v] == now;
}

void signals_init(struct races *r) {
    struct signals *all = r->signals = ARENA_NEW(&r->arena, struct signals);
    all->flows = ARENA_NEW_N(&r->arena, r->n_insts + 1, struct seen_flow);
    all->entry = ARENA_NEW_N(&r->arena, r->n_insts + 1, signal_set);
    all->leave = ARENA_NEW_N(&r->arena, r->n_insts + 1, signal_set);
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        const struct ir_body *body = app_body(r, i);
        if (body != NULL) collect_uses(r, (pts_inst){i}, body);
    }
    if (all->v.n == 0) return;
    /* From "a callee sees nothing" upwards: every round is a sound answer. */
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = r->n_insts; i >= 1; i--) {
            const struct ir_body *body = app_body(r, i);
            if (body != NULL) solve_inst(r, (pts_inst){i}, body);
        }
    }
    for (size_t i = 0; i < all->v.n; i++)
        all->usable |= (signal_set)(!all->v.v[i].broken && all->v.v[i].writes.n > 0) << i;
    for (uint32_t i = 1; i <= r->n_insts; i++) all->entry[i] = ~(signal_set)0;
    for (uint32_t t = 0; t < r->n_threads; t++) all->entry[pts_thread(r->pts, t)->root.v] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i <= r->n_insts; i++) {
            if (all->entry[i] != 0) changed |= update_entry(r, (pts_inst){i});
        }
    }
}

void signals_release(struct races *r) {
    if (r->signals == NULL) return;
    for (size_t i = 0; i < r->signals->v.n; i++) vec_release(&r->signals->v.v[i].writes);
    vec_release(&r->signals->v);
}

/* ---- what comes before a write ---- */

/* What calls lead to from an instance, never through another one. */
struct reach {
    pts_inst from, without;
    bits seen;
    struct reach *next;
};

static struct reach *reach_of(struct races *r, pts_inst from, pts_inst without) {
    struct reach **bucket = &r->signals->reached[(from.v * 31 + without.v) % REACH_BUCKETS];
    for (struct reach *x = *bucket; x != NULL; x = x->next) {
        if (pts_inst_eq(x->from, from) && pts_inst_eq(x->without, without)) return x;
    }
    struct reach *x = ARENA_NEW(&r->arena, struct reach);
    *x = (struct reach){.from = from, .without = without, .next = *bucket};
    *bucket = x;
    bits_init(&x->seen, &r->arena, r->n_insts + 1);
    VEC(pts_inst) queue = {0};
    bits_add(&x->seen, from.v);
    vec_push(&queue, from);
    while (queue.n > 0) {
        uint32_t n;
        const struct pts_call *calls = pts_callees(r->pts, vec_pop(&queue), &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_THREAD || pts_inst_eq(calls[k].callee, without)) continue;
            if (bits_has(&x->seen, calls[k].callee.v)) continue;
            bits_add(&x->seen, calls[k].callee.v);
            vec_push(&queue, calls[k].callee);
        }
    }
    vec_release(&queue);
    return x;
}

bool calls_lead_to(struct races *r, pts_inst from, pts_inst to, pts_inst without) {
    return !pts_inst_eq(from, without) && bits_has(&reach_of(r, from, without)->seen, to.v);
}

/* Statements that one thread runs one after the other: of a thread that exists once, or of a task that runs
 * once, by whatever thread. */
struct sequence {
    const struct task *task; /* or NULL */
    uint32_t thread;
    pts_inst root;
};

static bool sequence_of(struct races *r, struct races_side x, struct sequence *out) {
    const struct task *t = task_of(r, x.inst);
    *out = (struct sequence){.thread = x.thread, .root = pts_thread(r->pts, x.thread)->root};
    if (t == NULL || !t->once) return !pts_thread(r->pts, x.thread)->many;
    out->task = t;
    out->root = t->root;
    return true;
}

static bool runs_once(struct races *r, pts_inst i) {
    const struct task *t = task_of(r, i);
    return pts_inst_info(r->pts, i)->once || (t != NULL && t->once && pts_inst_eq(t->root, i));
}

/* Whether everything by which the statement's instance leads to the access lies before the statement. */
static bool inside_and_before(struct races *r, const struct sequence *from, const struct races_access *a,
                              pts_inst in, struct signal_write w) {
    const struct ir_body *body = app_body(r, w.inst.v);
    if (body == NULL) return false;
    if (pts_inst_eq(in, w.inst)) return !stmt_leads_to(r, body, w.stmt, a->stmt);
    if (calls_lead_to(r, from->root, in, w.inst)) return false;
    uint32_t n;
    const struct pts_call *calls = pts_callees(r->pts, w.inst, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind == PTS_EDGE_THREAD || !calls_lead_to(r, calls[k].callee, in, w.inst)) continue;
        if (calls[k].stmt == w.stmt || stmt_leads_to(r, body, w.stmt, calls[k].stmt)) return false;
    }
    return true;
}

/* Whether the access, in this sequence, never runs after the write: here, or seen from the write's callers.
 */
static bool runs_before(struct races *r, const struct sequence *from, const struct races_access *a,
                        pts_inst in, struct signal_write w) {
    for (int i = 0; i < CLIMB_MAX; i++) {
        if (!runs_once(r, w.inst)) return false;
        if (inside_and_before(r, from, a, in, w)) return true;
        uint32_t n;
        const struct pts_call *calls = pts_callers(r->pts, w.inst, &n);
        if (n != 1 || calls[0].caller.v == 0 || calls[0].kind != PTS_EDGE_CALL) return false;
        w = (struct signal_write){calls[0].caller, calls[0].stmt};
    }
    return false;
}

static bool only_in(struct races *r, pts_inst i, const struct sequence *from) {
    if (from->task != NULL) return task_of(r, i) == from->task;
    return bits_only(&r->threads_of[i.v], from->thread);
}

/* Each of the latch's statements runs at most once, and there are as many as it counts. */
static bool counts_exactly(struct races *r, const struct signal *g) {
    if (g->count == 0 || g->writes.n != g->count) return false;
    for (size_t i = 0; i < g->writes.n; i++) {
        const struct ir_body *body = app_body(r, g->writes.v[i].inst.v);
        if (!runs_once(r, g->writes.v[i].inst) ||
            body->blocks[ir_block_of(body, g->writes.v[i].stmt)].depth > 0)
            return false;
    }
    return true;
}

/* What the instance has seen before the statement; pairs ask for the same few again and again. */
static signal_set seen_at(struct races *r, pts_inst i, uint32_t stmt) {
    struct seen_answer *known = &r->signals->answers[(i.v * 31 + stmt) % SEEN_ANSWERS];
    if (!pts_inst_eq(known->inst, i) || known->stmt != stmt)
        *known = (struct seen_answer){i, stmt, r->signals->entry[i.v] | seen_before(r, i, stmt)};
    return known->seen;
}

/* The signals that come behind an access in a side. */
struct signals_before {
    const struct races_access *access;
    pts_inst inst;
    uint32_t thread;
    bool in_sequence;
    struct sequence from;
    signal_set asked, proved;
};

static struct signals_before *before_at(struct races *r, const struct races_access *a, struct races_side x) {
    struct signals *all = r->signals;
    if (all->before == NULL) all->before = ARENA_NEW_N(&r->arena, SIDE_ANSWERS, struct signals_before);
    struct signals_before *known = &all->before[side_hash(a->method.v, a->stmt, x.inst.v, x.thread)];
    if (known->access != a || !pts_inst_eq(known->inst, x.inst) || known->thread != x.thread) {
        *known = (struct signals_before){.access = a, .inst = x.inst, .thread = x.thread};
        known->in_sequence = sequence_of(r, x, &known->from);
    }
    return known;
}

/* Whether whoever sees the signal comes behind the access. */
static bool comes_before(struct races *r, const struct signals_before *k, const struct signal *g) {
    bool latch = g->kind == SIGNAL_LATCH, proved = !latch;
    if (latch && !counts_exactly(r, g)) return false;
    for (size_t i = 0; i < g->writes.n; i++) {
        bool before = only_in(r, g->writes.v[i].inst, &k->from) &&
                      runs_before(r, &k->from, k->access, k->inst, g->writes.v[i]);
        if (before == latch) return latch; /* of a latch one write is enough, of a flag it takes all */
    }
    return proved;
}

bool ordered_by_signal(struct races *r, const struct races_access *a, struct races_side x,
                       const struct races_access *b, struct races_side y) {
    struct signals *all = r->signals;
    signal_set seen = all->usable != 0 ? seen_at(r, y.inst, b->stmt) & all->usable : 0;
    if (seen == 0) return false;
    struct signals_before *known = before_at(r, a, x);
    if (!known->in_sequence) return false;
    for (signal_set rest = seen & ~known->asked; rest != 0; rest &= rest - 1) {
        int i = __builtin_ctzll(rest);
        if (comes_before(r, known, &all->v.v[i])) known->proved |= (signal_set)1 << i;
    }
    known->asked |= seen;
    return (known->proved & seen) != 0;
}
