/*
 * Objects that belong to the thread that runs: in a thread's root method `this` is the thread itself, so two
 * threads that both reach the object from their own `this` over injective fields reach two objects.  (The
 * fourth scenario of the thesis's third chapter.)
 *
 * The same holds for the Runnable that a thread was made with, if no two threads that may run at once were
 * made with one: it is new whenever the thread is,
 *     new Thread(new Worker(...)).start()
 * or each round of a counting loop takes another element of an array that holds no object twice,
 *     for (i = 0; i < n; i++) { threads[i] = new Thread(workers[i]); threads[i].start(); }
 * and all threads of the kind are dead whenever that loop begins, so those alive are of one run of it.
 */
#include "owner.h"
#include "elements.h"
#include "groups.h"
#include "joins.h"
#include "parallel.h"
#include "sources.h"
#include "handed.h"

/* ---- Runnables ---- */

/* The Runnable in the call of the thread's constructor, or none. */
static ir_var runnable_of(struct races *r, const struct ir_body *body, ir_var thread) {
    ir_var found = {0};
    for (uint32_t k = 0; k < body->n_stmts; k++) {
        const struct ir_stmt *s = &body->stmts[k];
        const struct member_ref *ref = invoke_ref(r, s);
        if (ref == NULL || s->sub != IR_CALL_SPECIAL || !ir_var_eq(ir_arg(body, s, 0), thread) ||
            ref->cls.v != CLASS_THREAD || !name_is(r, ref->name, "<init>"))
            continue;
        const struct method_sig *sig = program_sig(r->p, ref->desc);
        for (uint32_t p = 0; sig != NULL && p < sig->n_params; p++) {
            if (class_is(r, sig->params[p], "java/lang/Runnable")) found = ir_arg(body, s, p + 1);
        }
    }
    return found;
}

bool used_by_one_thread(struct races *r, const struct ir_body *body, ir_var v) {
    unsigned uses = 0;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (!ir_var_eq(var_origin(body, ir_arg(body, s, k)), v) || s->op == IR_CAST) continue;
            const struct member_ref *ref = invoke_ref(r, s);
            if (ref == NULL || s->sub != IR_CALL_SPECIAL || !name_is(r, ref->name, "<init>")) return false;
            if (k > 0) uses++;
        }
    }
    return uses == 1;
}

bool dead_at(struct races *r, uint32_t t, pts_inst i, const struct ir_body *body, uint32_t stmt) {
    struct races_access at = {.method = body->method, .stmt = stmt};
    for (uint32_t p = 0; p < r->n_threads; p++) {
        if (!bits_has(&r->threads_of[i.v], p)) continue;
        if (pts_thread(r->pts, p)->many || may_be_alive_at(r, p, i, &at, t)) return false;
    }
    return true;
}

bool dead_before(struct races *r, uint32_t t, pts_inst i, const struct ir_body *body, uint32_t loop) {
    uint32_t before = body->blocks[body->loops[loop].header].idom;
    return dead_at(r, t, i, body, body->blocks[before].end - 1);
}

/* Whether the loop takes a different element of one array in each round. */
static bool takes_elements(struct races *r, pts_inst i, const struct ir_body *body,
                           const struct ir_stmt *load, uint32_t loop) {
    ir_var index = ir_arg(body, load, 1), array = var_origin(body, ir_arg(body, load, 0));
    if (!counts_up(body, index) || ir_block_of(body, body->vars[index.v].def) != body->loops[loop].header ||
        ir_in_loop(body, ir_block_of(body, body->vars[array.v].def), loop))
        return false;
    struct pts_view set = pts_var(r->pts, i, load->def);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        if (!in_distinct_elements(r, o)) return false;
    }
    return true;
}

bool thread_start_of(struct races *r, uint32_t t, struct thread_start *out) {
    const struct pts_thread *thread = pts_thread(r->pts, t);
    if (thread->kind != PTS_THREAD_START || thread->n_starts != 1 || thread->starts[0].caller.v == 0)
        return false;
    const struct pts_alloc_info *made = pts_alloc_info(r->pts, pts_obj_info(r->pts, thread->obj)->alloc);
    pts_inst i = thread->starts[0].caller;
    const struct ir_body *body = body_of(r, pts_inst_info(r->pts, i)->method);
    if (body == NULL || made->kind != PTS_ALLOC_NEW || !method_id_eq(made->method, body->method) ||
        made->stmt >= body->n_stmts || body->stmts[made->stmt].op != IR_NEW)
        return false;
    *out = (struct thread_start){i, body, made->stmt, thread->starts[0].stmt, {0}, NULL};
    ir_var v = runnable_of(r, body, body->stmts[made->stmt].def);
    if (v.v == 0) return true;
    out->runnable = var_origin(body, v);
    if (ir_def(body, out->runnable)->op == IR_ARRAY_LOAD) out->at = ir_def(body, out->runnable);
    return true;
}

bool own_runnable(struct races *r, uint32_t t, struct thread_start *out) {
    if (!thread_start_of(r, t, out) || out->runnable.v == 0) return false;
    const struct ir_body *body = out->body;
    const struct ir_stmt *def = ir_def(body, out->runnable);
    uint32_t loop = body->blocks[ir_block_of(body, out->made)].loop;
    if (def->op == IR_NEW)
        return body->blocks[ir_block_of(body, (uint32_t)(def - body->stmts))].loop == loop &&
               used_by_one_thread(r, body, out->runnable);
    return out->at != NULL && loop != IR_NO_LOOP && takes_elements(r, out->inst, body, out->at, loop) &&
           used_by_one_thread(r, body, out->runnable) && dead_before(r, t, out->inst, body, loop);
}

/* Whether the call is the one that Thread.run() makes. */
static bool is_target_call(struct races *r, uint32_t t, const struct pts_call *call) {
    return pts_inst_eq(call->caller, pts_thread(r->pts, t)->root) &&
           program_method(r->p, pts_inst_info(r->pts, call->caller)->method)->owner.v == CLASS_THREAD;
}

bool is_target(struct races *r, uint32_t t, pts_inst i) {
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    bool any = false;
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].caller.v == 0 || calls[k].kind != PTS_EDGE_CALL) return false;
        if (!bits_has(&r->threads_of[calls[k].caller.v], t)) continue; /* another thread's call */
        if (!is_target_call(r, t, &calls[k])) return false;
        any = true;
    }
    return any;
}

/* ---- who `this` is ---- */

/* Whether `this` is a task that no two threads run. */
static bool all_run_once(struct races *r, pts_inst i) {
    method_id m = pts_inst_info(r->pts, i)->method;
    struct pts_view set = pts_var(r->pts, i, (ir_var){1});
    struct pts_iter it = {0};
    pts_obj o;
    if ((program_method(r->p, m)->access & CF_ACC_STATIC) != 0) return false;
    while (pts_next(set, &it, &o)) {
        if (!is_run_once(r, o)) return false;
    }
    return pts_count(set) > 0;
}

/* The calls that are being looked at, innermost first. */
struct own_call {
    pts_inst inst;
    const struct own_call *outer;
    int depth;
};

static bool is_among(const struct own_call *c, pts_inst i) {
    while (c != NULL && !pts_inst_eq(c->inst, i)) c = c->outer;
    return c != NULL;
}

/*
 * Whether in this instance, run by thread t, the first parameter is always the running thread's own object.
 * A recursive call passes on what the first call was given, and that came from elsewhere.
 */
static bool is_own(struct races *r, uint32_t t, enum own_kind kind, pts_inst i,
                   const struct own_call *outer) {
    const struct pts_thread *thread = pts_thread(r->pts, t);
    if (is_among(outer, i)) return true;
    const struct own_call here = {i, outer, outer == NULL ? 0 : outer->depth + 1};
    /* A task may be run by any thread: the one that submits it, for one. */
    bool started = thread->kind == PTS_THREAD_START;
    if ((!started && kind != OWN_TASK) || here.depth > 8) return false;
    if (pts_inst_eq(thread->root, i)) {
        if (kind == OWN_RUNNABLE || !started) return false;
        /* run() may also be called like any other method, by the thread itself. */
        uint32_t n;
        const struct pts_call *calls = pts_callers(r->pts, i, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_CALL) return false;
        }
        const struct method_info *m = program_method(r->p, pts_inst_info(r->pts, i)->method);
        return (m->access & CF_ACC_STATIC) == 0 && is_app_class(r, m->owner);
    }
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    bool any = false;
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].caller.v == 0 || calls[k].kind != PTS_EDGE_CALL) return false;
        if (!bits_has(&r->threads_of[calls[k].caller.v], t)) continue; /* another thread's call */
        method_id m = pts_inst_info(r->pts, calls[k].caller)->method;
        method_id callee = pts_inst_info(r->pts, i)->method;
        if (kind == OWN_RUNNABLE && is_target_call(r, t, &calls[k]) &&
            name_is(r, program_method(r->p, callee)->name, "run") && !is_function_target(r, callee)) {
            any = true;
            continue;
        }
        if (kind == OWN_TASK && is_task_call(r, &calls[k]) && !is_function_target(r, callee) &&
            all_run_once(r, i)) {
            any = true;
            continue;
        }
        const struct ir_body *body = is_app(r, m) ? body_of(r, m) : NULL;
        if (body == NULL) return false;
        const struct ir_stmt *s = &body->stmts[calls[k].stmt];
        if (s->op != IR_INVOKE || s->n_args == 0 || var_origin(body, ir_arg(body, s, 0)).v != 1 ||
            !argument_matches(r, s, callee) || !is_own(r, t, kind, calls[k].caller, &here))
            return false;
        any = true;
    }
    return any;
}

bool this_is_own(struct races *r, uint32_t t, enum own_kind kind, pts_inst i) {
    return is_own(r, t, kind, i, NULL);
}

/* ---- what is reached from it ---- */

enum { OWN_FIELDS = 4, OWN_DEPTH = 10, OWN_WORK = 200 };

/* An answer of own_path_of(): asked for each pair of accesses, and about one of them only. */
struct own_answer {
    uint32_t thread; /* + 1; 0: none */
    pts_inst inst;
    ir_var var;
    uint8_t kind, n;
    bool found;
    field_id fields[OWN_FIELDS];
};

/* Injective fields from an object out to the thread's own object. */
struct own_path {
    struct races *r;
    enum own_kind kind;
    int depth;
    unsigned *work; /* left to be spent on one question */
    bool any;       /* `fields` are those of some source already */
    unsigned n;
    field_id fields[OWN_FIELDS];
};

static bool find_own(struct own_path *x, uint32_t t, pts_inst i, const struct ir_body *body, ir_var v);

/* All calls must pass what is reached by the same fields. */
static bool see_argument(void *arg, const struct source *s) {
    struct own_path *all = arg, one = *all;
    one.any = false;
    one.n = 0;
    if (s->thread == ANY_THREAD || !find_own(&one, s->thread, s->inst, s->body, s->var)) return false;
    if (all->any && all->n != one.n) return false;
    for (unsigned i = 0; i < one.n; i++) {
        if (all->any && !field_id_eq(all->fields[i], one.fields[i])) return false;
        all->fields[i] = one.fields[i];
    }
    all->n = one.n;
    all->any = true;
    return true;
}

static bool find_own(struct own_path *x, uint32_t t, pts_inst i, const struct ir_body *body, ir_var v) {
    if (x->depth > OWN_DEPTH || *x->work == 0) return false;
    --*x->work;
    v = var_origin(body, v);
    const struct ir_stmt *def = ir_def(body, v);
    if (def->op == IR_GET_FIELD) {
        field_id f = program_ref_field(x->r->p, (ref_id){def->ref});
        if (f.v == 0 || !field_facts(x->r, f)->injective || x->n == OWN_FIELDS) return false;
        x->fields[x->n++] = f;
        return find_own(x, t, i, body, ir_arg(body, def, 0));
    }
    if (def->op != IR_PARAM) return false;
    if (v.v == 1 && this_is_own(x->r, t, x->kind, i)) return true;
    struct own_path beyond = {x->r, x->kind, x->depth + 1, x->work, false, 0, {{0}}};
    if (!each_source(x->r, t, i, v.v - 1, see_argument, &beyond) || !beyond.any ||
        x->n + beyond.n > OWN_FIELDS)
        return false;
    for (unsigned k = 0; k < beyond.n; k++) x->fields[x->n++] = beyond.fields[k];
    return true;
}

static const struct own_answer *own_path_of(struct races *r, enum own_kind kind, const struct races_access *a,
                                            struct races_side side) {
    if (r->own_answers == NULL) r->own_answers = ARENA_NEW_N(&r->arena, SIDE_ANSWERS, struct own_answer);
    struct own_answer *known =
        &r->own_answers[side_hash(side.inst.v, a->object.v, side.thread, (uint32_t)kind)];
    if (known->thread != side.thread + 1 || !pts_inst_eq(known->inst, side.inst) ||
        !ir_var_eq(known->var, a->object) || known->kind != kind) {
        unsigned work = OWN_WORK;
        struct own_path path = {.r = r, .kind = kind, .work = &work};
        bool found = find_own(&path, side.thread, side.inst, body_of(r, a->method), a->object);
        *known = (struct own_answer){side.thread + 1, side.inst, a->object, (uint8_t)kind,
                                     (uint8_t)path.n, found,     {{0}}};
        for (unsigned i = 0; i < path.n; i++) known->fields[i] = path.fields[i];
    }
    return known;
}

bool thread_owns(struct races *r, const struct races_access *a, struct races_side x,
                 const struct races_access *b, struct races_side y) {
    if (a->object.v == 0 || b->object.v == 0 || a->stands_for || b->stands_for) return false;
    for (enum own_kind kind = OWN_THREAD; kind <= OWN_TASK; kind++) {
        struct thread_start start;
        if (kind != OWN_TASK && x.thread != y.thread) continue;
        struct own_answer p = *own_path_of(r, kind, a, x); /* a copy: the next answer may take its place */
        if (!p.found) continue;
        struct own_answer q = *own_path_of(r, kind, b, y);
        if (!q.found || p.n != q.n) continue;
        bool same = true;
        for (unsigned i = 0; i < p.n; i++) same &= field_id_eq(p.fields[i], q.fields[i]);
        if (same && (kind != OWN_RUNNABLE || own_runnable(r, x.thread, &start))) return true;
    }
    return false;
}
