#include "tasks.h"
#include "handed.h"
#include "race/opcodes.h"
#include "sources.h"

#include <string.h>

enum { CALLERS_DEEP = 6, STAGES_DEEP = 8, NO_TASK = UINT32_MAX };

/* Where an object is given to the JDK. */
struct pass {
    pts_inst inst;
    uint32_t stmt;
    bool many; /* in more than one place, in an array, or as the result of a method that the JDK calls */
};

struct tasks {
    VEC(struct task) v;
    uint32_t *of;        /* by inst: index + 1, or 0 */
    struct pass *passes; /* by object */
    bits completed;      /* futures that the application itself may complete, whatever their tasks do */
};

/* ---- calls that take a task ---- */

struct taker {
    const char *type, *name;
    uint8_t arg;
    bool repeats;
};

#define EXECUTOR "java/util/concurrent/Executor"
#define FUTURE "java/util/concurrent/CompletableFuture"

static const struct taker takers[] = {
    {EXECUTOR, "execute", 1, false},
    {EXECUTOR, "schedule", 1, false},
    {EXECUTOR, "scheduleAtFixedRate", 1, true},
    {EXECUTOR, "scheduleWithFixedDelay", 1, true},
    {EXECUTOR, "submit", 1, false},
    {"java/lang/ref/Cleaner", "register", 2, false},
    {"java/util/Timer", "schedule", 1, false}, /* with a period it repeats */
    {"java/util/Timer", "scheduleAtFixedRate", 1, true},
    {FUTURE, "runAsync", 0, false},
    {FUTURE, "supplyAsync", 0, false},
    {FUTURE, "exceptionally", 1, false},
    {FUTURE, "handle", 1, false},
    {FUTURE, "handleAsync", 1, false},
    {FUTURE, "runAfterBoth", 2, false},
    {FUTURE, "runAfterBothAsync", 2, false},
    {FUTURE, "thenAccept", 1, false},
    {FUTURE, "thenAcceptAsync", 1, false},
    {FUTURE, "thenAcceptBoth", 2, false},
    {FUTURE, "thenAcceptBothAsync", 2, false},
    {FUTURE, "thenApply", 1, false},
    {FUTURE, "thenApplyAsync", 1, false},
    {FUTURE, "thenCombine", 2, false},
    {FUTURE, "thenCombineAsync", 2, false},
    {FUTURE, "thenCompose", 1, false},
    {FUTURE, "thenComposeAsync", 1, false},
    {FUTURE, "thenRun", 1, false},
    {FUTURE, "thenRunAsync", 1, false},
    {FUTURE, "whenComplete", 1, false},
    {FUTURE, "whenCompleteAsync", 1, false},
};

static bool is_a(struct races *r, class_id c, const char *type) {
    class_id t = program_find_class(r->p, type);
    return t.v != 0 && program_is_subtype(r->p, c, t);
}

static const struct taker *taker_of(struct races *r, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL) return NULL;
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
        if (takers[i].arg < s->n_args && name_is(r, ref->name, takers[i].name) &&
            is_a(r, ref->cls, takers[i].type))
            return &takers[i];
    }
    return NULL;
}

/* Whether whoever is to run the task is the JDK's: the receiver, and an executor among the arguments. */
static bool runs_in_jdk(struct races *r, pts_inst i, const struct ir_body *body, const struct ir_stmt *s,
                        uint32_t task) {
    for (uint32_t k = 0; k < s->n_args; k++) {
        ir_var v = ir_arg(body, s, k);
        if (k == task || body->vars[v.v].kind != IR_REF) continue;
        struct pts_view set = pts_var(r->pts, i, v);
        struct pts_iter it = {0};
        pts_obj o;
        while (pts_next(set, &it, &o)) {
            class_id c = pts_obj_info(r->pts, o)->cls;
            if (is_app_class(r, c) && (k == 0 || is_a(r, c, EXECUTOR))) return false;
        }
    }
    return true;
}

/* ---- what is given to the JDK ---- */

/* Whether the statement runs code of the JDK, or code that is not known. */
static bool leaves_application(struct races *r, pts_inst i, uint32_t stmt) {
    uint32_t n;
    bool any = false;
    const struct pts_call *calls = pts_callees_at(r->pts, i, stmt, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind == PTS_EDGE_CLINIT) continue;
        if (!is_app(r, pts_inst_info(r->pts, calls[k].callee)->method)) return true;
        any = true;
    }
    return !any;
}

/* Constructors of the JDK that a task's own constructor calls, and that tell nobody. */
static bool is_quiet(struct races *r, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(r, s);
    return ref != NULL && s->sub == IR_CALL_SPECIAL && name_is(r, ref->name, "<init>") &&
           (class_is(r, ref->cls, "java/lang/Object") || class_is(r, ref->cls, "java/util/TimerTask"));
}

static void note_pass(struct pass *passes, struct pts_view set, pts_inst i, uint32_t stmt, bool hidden) {
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        struct pass *p = &passes[o.v];
        if (p->inst.v != 0 && (!pts_inst_eq(p->inst, i) || p->stmt != stmt)) p->many = true;
        p->many |= hidden;
        p->inst = i;
        p->stmt = stmt;
    }
}

static const struct ir_body *app_body(struct races *r, pts_inst i) {
    method_id m = pts_inst_info(r->pts, i)->method;
    return is_app(r, m) ? body_of(r, m) : NULL;
}

static bool has_jdk_caller(struct races *r, pts_inst i) {
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].caller.v == 0 || app_body(r, calls[k].caller) == NULL) return true;
    }
    return false;
}

/* A future that somebody completes by hand says nothing about its task. */
static void note_completed(struct races *r, pts_inst i, const struct ir_body *body, const struct ir_stmt *s) {
    static const char *const names[] = {"complete",          "completeAsync",  "completeExceptionally",
                                        "completeOnTimeout", "obtrudeValue",   "obtrudeException",
                                        "orTimeout",         "quietlyComplete"};
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL || s->n_args == 0 || s->sub == IR_CALL_STATIC) return;
    bool cancels = name_is(r, ref->name, "cancel"), completes = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) completes |= name_is(r, ref->name, names[k]);
    if (!cancels && !completes) return;
    struct pts_view set = pts_var(r->pts, i, ir_arg(body, s, 0));
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        /* Of others, a cancelled one throws when it is asked. */
        if (completes || is_a(r, pts_obj_info(r->pts, o)->cls, FUTURE)) bits_add(&r->tasks->completed, o.v);
    }
}

static bool is_completed_by_hand(struct races *r, pts_inst i, ir_var future) {
    struct pts_view set = pts_var(r->pts, i, future);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        if (bits_has(&r->tasks->completed, o.v)) return true;
    }
    return false;
}

static void collect_passes(struct races *r, pts_inst i, const struct ir_body *body, struct pass *passes) {
    bool answers_jdk = has_jdk_caller(r, i);
    for (uint32_t n = 0; n < body->n_stmts; n++) {
        const struct ir_stmt *s = &body->stmts[n];
        bool stores = s->op == IR_ARRAY_STORE, returns = s->op == IR_RETURN && s->n_args > 0 && answers_jdk;
        ir_var last = stores || returns ? ir_arg(body, s, s->n_args - 1u) : (ir_var){0};
        if (last.v != 0 && body->vars[last.v].kind == IR_REF)
            note_pass(passes, pts_var(r->pts, i, last), i, n, true);
        if (s->op == IR_INVOKE) note_completed(r, i, body, s);
        if (s->op != IR_INVOKE || s->sub == IR_CALL_DYNAMIC || is_quiet(r, s) || !leaves_application(r, i, n))
            continue;
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (body->vars[ir_arg(body, s, k).v].kind == IR_REF)
                note_pass(passes, pts_var(r->pts, i, ir_arg(body, s, k)), i, n, false);
        }
    }
}

/* ---- roots ---- */

/* Whether nobody but code of the JDK (or, for a finalizer, the VM) calls the instance. */
static bool called_by_jdk(struct races *r, pts_inst i, bool by_vm) {
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        bool vm = calls[k].caller.v == 0;
        if (vm != by_vm) return false;
        if (vm) continue;
        if (calls[k].kind != PTS_EDGE_CALL || is_app(r, pts_inst_info(r->pts, calls[k].caller)->method))
            return false;
    }
    return n > 0 || by_vm;
}

/* The only object that the JDK can call to get to the instance, or none. */
static pts_obj called_object(struct races *r, pts_inst i, const struct ir_body *body) {
    method_id m = body->method;
    bool is_static = (program_method(r->p, m)->access & CF_ACC_STATIC) != 0;
    pts_obj only = {0}, o, more;
    struct pts_iter it = {0};
    if (!is_function_target(r, m)) {
        struct pts_view self = pts_var(r->pts, i, (ir_var){1});
        if (is_static || !pts_next(self, &it, &only) || pts_next(self, &it, &more)) return (pts_obj){0};
        return only;
    }
    for (uint32_t k = 1; k <= pts_n_objs(r->pts); k++) {
        if (!method_id_eq(function_target(r, (pts_obj){k}), m)) continue;
        if (only.v != 0) return (pts_obj){0};
        only = (pts_obj){k};
    }
    /* What `worker::run` runs on may be given to the JDK by itself too. */
    while (!is_static && pts_next(pts_var(r->pts, i, (ir_var){1}), &it, &o)) {
        if (r->tasks->passes[o.v].inst.v != 0) return (pts_obj){0};
    }
    return only;
}

bool given_to_jdk(struct races *r, pts_inst i, struct given *out) {
    const struct ir_body *body = app_body(r, i);
    if (body == NULL || !called_by_jdk(r, i, false)) return false;
    pts_obj o = called_object(r, i, body);
    if (o.v == 0 || r->tasks->passes[o.v].many || r->tasks->passes[o.v].inst.v == 0) return false;
    *out = (struct given){o, r->tasks->passes[o.v].inst, r->tasks->passes[o.v].stmt};
    return true;
}

/* The call of invokeAll() that runs the list which the object is added to, or NULL. */
static const struct ir_stmt *run_by_list(struct races *r, const struct ir_body *maker, pts_obj o) {
    const struct pts_alloc_info *made = pts_alloc_info(r->pts, pts_obj_info(r->pts, o)->alloc);
    ir_var list;
    if ((made->kind != PTS_ALLOC_NEW && made->kind != PTS_ALLOC_LAMBDA) ||
        !method_id_eq(made->method, maker->method))
        return NULL;
    const struct ir_stmt *s = handed_over_by(r, maker, &maker->stmts[made->stmt], &list);
    return s != NULL && list.v != 0 && s->n_args == 2 ? s : NULL;
}

static void add_list_root(struct races *r, struct task t, const struct ir_body *maker) {
    const struct ir_stmt *s = run_by_list(r, maker, t.object);
    const struct member_ref *ref = s == NULL ? NULL : invoke_ref(r, s);
    if (ref == NULL || !is_a(r, ref->cls, EXECUTOR) || !runs_in_jdk(r, t.maker, maker, s, 1)) return;
    t.stmt = (uint32_t)(s - maker->stmts);
    t.listed = true;
    vec_push(&r->tasks->v, t);
}

static void add_root(struct races *r, pts_inst i) {
    struct given g;
    if (!given_to_jdk(r, i, &g)) return;
    struct task t = {.root = i, .object = g.object, .maker = g.inst, .stmt = g.stmt};
    const struct ir_body *maker = app_body(r, t.maker);
    const struct ir_stmt *s = &maker->stmts[t.stmt];
    const struct taker *taker = taker_of(r, s);
    if (taker == NULL) {
        add_list_root(r, t, maker);
        return;
    }
    if (!pts_has(pts_var(r->pts, t.maker, ir_arg(maker, s, taker->arg)), g.object) ||
        !runs_in_jdk(r, t.maker, maker, s, taker->arg))
        return;
    t.repeats = taker->repeats || (strcmp(taker->type, "java/util/Timer") == 0 && s->n_args == 4);
    bool submitted_once =
        pts_inst_info(r->pts, t.maker)->once && maker->blocks[ir_block_of(maker, t.stmt)].depth == 0;
    t.once = submitted_once && !t.repeats;
    vec_push(&r->tasks->v, t);
}

/* The VM finalizes an object once. */
static void add_finalizers(struct races *r) {
    for (uint32_t k = 0; k < r->n_threads; k++) {
        const struct pts_thread *t = pts_thread(r->pts, k);
        const struct ir_body *body = t->kind == PTS_THREAD_VM ? app_body(r, t->root) : NULL;
        if (body == NULL || !name_is(r, program_method(r->p, body->method)->name, "finalize") ||
            !called_by_jdk(r, t->root, true))
            continue;
        struct pts_view self = pts_var(r->pts, t->root, (ir_var){1});
        struct pts_iter it = {0};
        pts_obj o, more;
        if (!pts_next(self, &it, &o) || pts_next(self, &it, &more) || !pts_obj_info(r->pts, o)->once)
            continue;
        vec_push(&r->tasks->v, ((struct task){.root = t->root, .object = o, .once = true}));
    }
}

/* ---- latches ---- */

static bool is_call(struct races *r, const struct ir_stmt *s, const char *cls, const char *name) {
    const struct member_ref *ref = invoke_ref(r, s);
    return ref != NULL && s->n_args > 0 && class_is(r, ref->cls, cls) && name_is(r, ref->name, name);
}

#define LATCH "java/util/concurrent/CountDownLatch"

/* Whether each use of the variable is a call of this method on it, or the one statement that is allowed. */
static bool used_only(struct races *r, const struct ir_body *body, ir_var v, const char *const *names,
                      size_t n_names, uint32_t allowed) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (!ir_var_eq(ir_arg(body, s, k), v) || i == allowed) continue;
            bool fine = false;
            for (size_t n = 0; n < n_names; n++) fine |= k == 0 && is_call(r, s, LATCH, names[n]);
            if (!fine) return false;
        }
    }
    return true;
}

/* The value that the constructor's call in the maker puts into a field that the compiler made for it. */
static ir_var captured_in_field(struct races *r, const struct task *t, const struct ir_body *maker,
                                field_id f, uint32_t *captured) {
    const struct pts_alloc_info *made = pts_alloc_info(r->pts, pts_obj_info(r->pts, t->object)->alloc);
    const struct class_info *c = program_info(r->p, program_field(r->p, f)->owner);
    uint32_t param = 0, n_gets = 0;
    if ((program_field(r->p, f)->access & CF_ACC_SYNTHETIC) == 0) return (ir_var){0};
    for (uint32_t k = 0; k < c->n_methods; k++) {
        const struct ir_body *body = body_of(r, (method_id){c->first_method.v + k});
        for (uint32_t n = 0; body != NULL && n < body->n_stmts; n++) {
            const struct ir_stmt *s = &body->stmts[n];
            if ((s->op != IR_PUT_FIELD && s->op != IR_GET_FIELD) ||
                !field_id_eq(program_ref_field(r->p, (ref_id){s->ref}), f))
                continue;
            if (s->op == IR_GET_FIELD) n_gets++;
            if (n_gets > 1) return (ir_var){0};
            if (s->op != IR_PUT_FIELD) continue;
            ir_var v = var_origin(body, ir_arg(body, s, 1));
            if (param != 0 || ir_def(body, v)->op != IR_PARAM) return (ir_var){0};
            param = v.v;
        }
    }
    if (param == 0 || made->kind != PTS_ALLOC_NEW || !method_id_eq(made->method, maker->method))
        return (ir_var){0};
    for (uint32_t n = 0; n < maker->n_stmts; n++) {
        const struct ir_stmt *s = &maker->stmts[n];
        const struct member_ref *ref = invoke_ref(r, s);
        if (ref == NULL || s->sub != IR_CALL_SPECIAL || !name_is(r, ref->name, "<init>") ||
            !ir_var_eq(ir_arg(maker, s, 0), maker->stmts[made->stmt].def) || param > s->n_args)
            continue;
        *captured = n;
        return ir_arg(maker, s, param - 1);
    }
    return (ir_var){0};
}

/* The maker's variable that the root counts down. */
static ir_var captured_latch(struct races *r, const struct task *t, const struct ir_body *root,
                             const struct ir_body *maker, ir_var v, uint32_t *captured) {
    static const char *const counts[] = {"countDown"};
    const struct pts_alloc_info *made = pts_alloc_info(r->pts, pts_obj_info(r->pts, t->object)->alloc);
    const struct ir_stmt *def = ir_def(root, v);
    if (!used_only(r, root, v, counts, 1, UINT32_MAX)) return (ir_var){0};
    if (def->op == IR_GET_FIELD && ir_arg(root, def, 0).v == 1) {
        field_id f = program_ref_field(r->p, (ref_id){def->ref});
        return f.v == 0 ? (ir_var){0} : captured_in_field(r, t, maker, f, captured);
    }
    if (def->op != IR_PARAM || made->kind != PTS_ALLOC_LAMBDA || !method_id_eq(made->method, maker->method))
        return (ir_var){0};
    *captured = made->stmt;
    return v.v <= maker->stmts[made->stmt].n_args ? ir_arg(maker, &maker->stmts[made->stmt], v.v - 1)
                                                  : (ir_var){0};
}

/* A latch of one that is new for each submission, and that the task counts down in one place. */
static void find_latch(struct races *r, struct task *t) {
    static const char *const uses[] = {"<init>", "await", "getCount"};
    const struct ir_body *root = app_body(r, t->root), *maker = app_body(r, t->maker);
    uint32_t n_counts = 0, captured = 0, at = 0;
    for (uint32_t n = 0; n < root->n_stmts; n++) {
        if (!is_call(r, &root->stmts[n], LATCH, "countDown")) continue;
        n_counts++;
        at = n;
    }
    if (n_counts != 1 || t->repeats || t->listed) return;
    ir_var v = ir_arg(root, &root->stmts[at], 0);
    v = captured_latch(r, t, root, maker, v, &captured);
    if (v.v == 0 || ir_def(maker, v)->op != IR_NEW || !used_only(r, maker, v, uses, 3, captured)) return;
    uint32_t made = ir_block_of(maker, maker->vars[v.v].def), given = ir_block_of(maker, t->stmt);
    uint32_t loop = maker->blocks[given].loop;
    if (maker->blocks[made].loop != loop || maker->blocks[ir_block_of(maker, captured)].loop != loop ||
        !ir_dominates(maker, made, given))
        return;
    for (uint32_t n = 0; n < maker->n_stmts; n++) {
        const struct ir_stmt *s = &maker->stmts[n];
        if (!is_call(r, s, LATCH, "<init>") || !ir_var_eq(ir_arg(maker, s, 0), v)) continue;
        const struct ir_stmt *count = ir_def(maker, ir_arg(maker, s, 1));
        if (count->op != IR_CONST || ir_const(maker, count).u.i != 1) return;
    }
    t->latch = v;
    t->counted = at;
}

/* ---- stages ---- */

/* Whether the value is a future that completes only when the other one has: a stage behind it.  The futures
 * that a stage waits for stand before its function. */
static bool follows(struct races *r, pts_inst i, const struct ir_body *body, ir_var v, ir_var future,
                    int depth) {
    v = var_origin(body, v);
    if (is_completed_by_hand(r, i, v)) return false;
    if (ir_var_eq(v, future)) return true;
    const struct ir_stmt *s = ir_def(body, v);
    const struct taker *t = depth == 0 ? NULL : taker_of(r, s);
    if (t == NULL || strcmp(t->type, FUTURE) != 0) return false;
    for (uint32_t k = 0; k < t->arg; k++) {
        if (follows(r, i, body, ir_arg(body, s, k), future, depth - 1)) return true;
    }
    return false;
}

/* Whether the one task begins only when the other has ended, in one run of the method that submits both. */
static bool is_behind(struct races *r, const struct task *later, const struct task *first) {
    const struct ir_body *body = app_body(r, later->maker);
    const struct ir_stmt *s = &body->stmts[later->stmt];
    const struct taker *t = taker_of(r, s);
    ir_var future = body->stmts[first->stmt].def;
    if (t == NULL || strcmp(t->type, FUTURE) != 0 || future.v == 0) return false;
    for (uint32_t k = 0; k < t->arg; k++) {
        if (follows(r, later->maker, body, ir_arg(body, s, k), future, STAGES_DEEP)) return true;
    }
    return false;
}

/* ---- windows ---- */

struct window {
    struct races *r;
    const struct task *t;
    const struct ir_body *body;
    struct path pool; /* who runs the task */
    bool by_pool, by_latch, by_future;
    bits *in;
};

/* Whether a normal return of the statement says that the task has ended. */
static bool ends_task(struct window *x, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(x->r, s);
    if (ref == NULL || s->n_args == 0 || s->sub == IR_CALL_STATIC) return false;
    ir_var self = var_origin(x->body, ir_arg(x->body, s, 0)), future = x->body->stmts[x->t->stmt].def;
    bool timed = s->n_args == 3;
    if (name_is(x->r, ref->name, "get") || (name_is(x->r, ref->name, "join") && !timed))
        return x->by_future && future.v != 0 &&
               follows(x->r, x->t->maker, x->body, self, future, STAGES_DEEP) && (s->n_args == 1 || timed) &&
               is_a(x->r, ref->cls, "java/util/concurrent/Future");
    if (is_call(x->r, s, LATCH, "await"))
        return x->by_latch && s->n_args == 1 && ir_var_eq(self, x->t->latch);
    if (!x->by_pool || !name_is(x->r, ref->name, "close") || !is_a(x->r, ref->cls, EXECUTOR)) return false;
    struct path p = path_of(x->r, x->body, ir_arg(x->body, s, 0));
    return s->n_args == 1 && path_equal(&p, &x->pool);
}

/* The same for an edge: awaitTermination, isTerminated, or await with a time limit, was seen to return true.
 */
static bool edge_ends_task(struct window *x, const struct ir_block *b, uint32_t succ) {
    const struct ir_stmt *test = &x->body->stmts[b->end - 1];
    if (test->op != IR_IF || test->n_args != 1) return false;
    if (!(test->ref == CF_OP_IFNE && succ == 1) && !(test->ref == CF_OP_IFEQ && succ == 0)) return false;
    const struct ir_stmt *call = ir_def(x->body, ir_arg(x->body, test, 0));
    const struct member_ref *ref = invoke_ref(x->r, call);
    if (ref == NULL || call->sub == IR_CALL_STATIC) return false;
    bool timed = call->n_args == 3;
    /* It was asked after the submission, not before. */
    uint32_t at = (uint32_t)(call - x->body->stmts);
    if (at < b->first || (at < x->t->stmt && x->t->stmt < b->end)) return false;
    if (timed && is_call(x->r, call, LATCH, "await"))
        return x->by_latch && ir_var_eq(var_origin(x->body, ir_arg(x->body, call, 0)), x->t->latch);
    if (!x->by_pool || !name_is(x->r, ref->name, timed ? "awaitTermination" : "isTerminated") ||
        !is_a(x->r, ref->cls, EXECUTOR))
        return false;
    struct path p = path_of(x->r, x->body, ir_arg(x->body, call, 0));
    return path_equal(&p, &x->pool);
}

static void walk_block(struct window *x, uint32_t b, uint32_t from, bits *seen, uint32_t *queue, size_t *n) {
    const struct ir_block *block = &x->body->blocks[b];
    const struct ir_edge *succs = ir_succs(x->body, block);
    bool ended = x->t->listed && from > block->first; /* behind invokeAll() */
    for (uint32_t s = from; s < block->end && !ended; s++) {
        bits_add(x->in, s);
        ended = ends_task(x, &x->body->stmts[s]);
    }
    for (uint32_t k = 0; k < block->n_succs; k++) {
        if (!succs[k].exceptional && (ended || edge_ends_task(x, block, k))) continue;
        if (bits_has(seen, succs[k].block)) continue;
        bits_add(seen, succs[k].block);
        queue[(*n)++] = succs[k].block;
    }
}

static void walk(struct window *x) {
    bits seen;
    uint32_t *queue = ARENA_NEW_N(&x->r->arena, x->body->n_blocks + 1, uint32_t);
    size_t n = 0;
    bits_init(&seen, &x->r->arena, x->body->n_blocks);
    bits_init(x->in, &x->r->arena, x->body->n_stmts);
    walk_block(x, ir_block_of(x->body, x->t->stmt), x->t->stmt + 1, &seen, queue, &n);
    for (size_t head = 0; head < n; head++)
        walk_block(x, queue[head], x->body->blocks[queue[head]].first, &seen, queue, &n);
}

static void find_window(struct races *r, struct task *t, enum task_ends ends) {
    const struct ir_body *body = app_body(r, t->maker);
    struct window x = {.r = r, .t = t, .body = body, .in = &t->windows[ends]};
    x.by_latch = ends == ENDS_BY_LATCH;
    x.by_future = ends != ENDS_BY_POOL;
    const struct ir_stmt *s = &body->stmts[t->stmt];
    if (s->sub != IR_CALL_STATIC) x.pool = path_of(r, body, ir_arg(body, s, 0));
    x.by_pool = x.pool.root == PATH_STATIC || x.pool.root == PATH_VAR;
    walk(&x);
    /* The end of another pool, or of another round's, says nothing. */
    if (x.by_pool && x.pool.root == PATH_VAR && x.pool.id > body->n_params &&
        bits_has(x.in, body->vars[x.pool.id].def)) {
        x.by_pool = false;
        walk(&x);
    }
}

/* ---- set-up ---- */

static uint32_t climb(struct races *r, pts_inst i, int depth) {
    for (size_t k = 0; k < r->tasks->v.n; k++) {
        if (pts_inst_eq(r->tasks->v.v[k].root, i)) return (uint32_t)k;
    }
    uint32_t n, only = NO_TASK;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].caller.v == 0 || calls[k].kind != PTS_EDGE_CALL || depth == CALLERS_DEEP ||
            app_body(r, calls[k].caller) == NULL)
            return NO_TASK;
        uint32_t t = climb(r, calls[k].caller, depth + 1);
        if (t == NO_TASK || (only != NO_TASK && t != only)) return NO_TASK;
        only = t;
    }
    return only;
}

void tasks_init(struct races *r) {
    struct tasks *all = r->tasks = ARENA_NEW(&r->arena, struct tasks);
    bits_init(&all->completed, &r->arena, pts_n_objs(r->pts) + 1);
    all->of = ARENA_NEW_N(&r->arena, r->n_insts + 1, uint32_t);
    all->passes = ARENA_NEW_N(&r->arena, pts_n_objs(r->pts) + 1, struct pass);
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        const struct ir_body *body = app_body(r, (pts_inst){i});
        if (body != NULL) collect_passes(r, (pts_inst){i}, body, all->passes);
    }
    for (uint32_t i = 1; i <= r->n_insts; i++) add_root(r, (pts_inst){i});
    for (size_t k = 0; k < all->v.n; k++) {
        find_latch(r, &all->v.v[k]);
        for (int e = 0; e < N_TASK_ENDS; e++) find_window(r, &all->v.v[k], (enum task_ends)e);
    }
    add_finalizers(r);
    for (uint32_t i = 1; i <= r->n_insts && all->v.n > 0; i++) {
        if (app_body(r, (pts_inst){i}) != NULL) all->of[i] = climb(r, (pts_inst){i}, 0) + 1;
    }
}

void tasks_release(struct races *r) {
    if (r->tasks != NULL) vec_release(&r->tasks->v);
}

const struct task *task_of(const struct races *r, pts_inst i) {
    uint32_t at = r->tasks->of[i.v];
    return at == 0 ? NULL : &r->tasks->v.v[at - 1];
}

/* ---- questions ---- */

/* Whether the statement of the task, or what leads to it, never runs after the latch was counted down. */
static bool before_count(struct races *r, const struct task *t, pts_inst i, uint32_t stmt, int depth) {
    if (t->latch.v == 0 || depth > CALLERS_DEEP) return false;
    if (pts_inst_eq(i, t->root)) return !stmt_leads_to(r, app_body(r, i), t->counted, stmt);
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (!before_count(r, t, calls[k].caller, calls[k].stmt, depth + 1)) return false;
    }
    return n > 0;
}

/* The window that counts for a statement of the task. */
static const bits *window_for(struct races *r, const struct task *t, pts_inst i, uint32_t stmt) {
    return &t->windows[before_count(r, t, i, stmt, 0) ? ENDS_BY_LATCH : ENDS_BY_FUTURE];
}

/* Whether the task may still run when the maker returns to its caller. */
static bool outlives_maker(struct races *r, const struct task *t, const bits *window) {
    const struct ir_body *body = app_body(r, t->maker);
    for (uint32_t n = 0; n < body->n_stmts; n++) {
        if (body->stmts[n].op == IR_RETURN && bits_has(window, n)) return true;
    }
    return false;
}

/* Whether control gets from a call that threw to another statement. */
static bool throws_to(struct races *r, const struct ir_body *body, uint32_t call, uint32_t stmt) {
    const struct ir_block *b = &body->blocks[ir_block_of(body, call)];
    uint32_t to = ir_block_of(body, stmt);
    for (uint32_t k = 0; k < b->n_succs; k++) {
        const struct ir_edge *e = &ir_succs(body, b)[k];
        if (e->exceptional && (e->block == to || block_leads_to(r, body, e->block, to))) return true;
    }
    return false;
}

/* Whether the access, of a caller of the maker, comes before the call that leads there, or after it came back
 * when the task had ended.  What a call that threw leaves behind is not known. */
static bool around_maker(struct races *r, const struct task *t, const bits *window, pts_inst i,
                         uint32_t stmt) {
    pts_inst at = t->maker;
    bool open = outlives_maker(r, t, window);
    for (int depth = 0; depth < CALLERS_DEEP; depth++) {
        uint32_t n;
        const struct pts_call *calls = pts_callers(r->pts, at, &n);
        if (n != 1 || calls[0].caller.v == 0 || calls[0].kind != PTS_EDGE_CALL) return false;
        at = calls[0].caller;
        const struct ir_body *body = app_body(r, at);
        if (body == NULL || !pts_inst_info(r->pts, at)->once) return false;
        if (!pts_inst_eq(at, i)) continue;
        return stmt != calls[0].stmt && !(open ? stmt_leads_to(r, body, calls[0].stmt, stmt)
                                               : throws_to(r, body, calls[0].stmt, stmt));
    }
    return false;
}

/* Whether the statement of the maker, of what it calls or of its callers lies outside of the window. */
static bool outside(struct races *r, const struct task *t, const bits *window, pts_inst i, uint32_t stmt,
                    int depth) {
    if (pts_inst_eq(i, t->maker)) return !bits_has(window, stmt);
    if (around_maker(r, t, window, i, stmt)) return true;
    if (depth > CALLERS_DEEP) return false;
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].caller.v == 0 || calls[k].kind != PTS_EDGE_CALL ||
            app_body(r, calls[k].caller) == NULL ||
            !outside(r, t, window, calls[k].caller, calls[k].stmt, depth + 1))
            return false;
    }
    return n > 0;
}

/* Whether one run has always ended before the next is asked for. */
static bool is_alone(struct races *r, const struct task *t, const bits *window) {
    if (t->once) return true;
    const struct ir_body *maker = app_body(r, t->maker);
    if (t->repeats) return maker->blocks[ir_block_of(maker, t->stmt)].depth == 0;
    return !bits_has(window, t->stmt);
}

bool ordered_by_task(struct races *r, const struct races_access *a, pts_inst i, const struct races_access *b,
                     pts_inst j) {
    const struct task *t = task_of(r, j), *u = task_of(r, i);
    if (t == NULL) return u != NULL && ordered_by_task(r, b, j, a, i);
    if (t == u && t->once) return true;
    if (t->maker.v == 0 || !pts_inst_info(r->pts, t->maker)->once) return false;
    const bits *window = window_for(r, t, j, b->stmt);
    if (t == u) {
        if (t->listed) return false;
        const bits *other = window_for(r, t, i, a->stmt);
        return is_alone(r, t, window) && is_alone(r, t, other);
    }
    bool alone = t->once || is_alone(r, t, window);
    /* Of many that were submitted, the end of the pool says something of all, a future only of one. */
    if (u == NULL) return outside(r, t, alone ? window : &t->windows[ENDS_BY_POOL], i, a->stmt, 0);
    if (!alone) return false;
    if (!pts_inst_eq(t->maker, u->maker)) return false;
    const bits *other = window_for(r, u, i, a->stmt);
    if (!is_alone(r, u, other)) return false;
    bool before_u = !bits_has(window, u->stmt), before_t = !bits_has(other, t->stmt);
    return (before_u && before_t) || (before_u && is_behind(r, t, u)) || (before_t && is_behind(r, u, t));
}
