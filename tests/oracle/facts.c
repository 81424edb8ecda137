#include "facts.h"

#include "forward.h"
#include "race/vec.h"

#include <stdlib.h>
#include <string.h>

enum { D_FIELD, D_ACCESS, D_METHOD, D_THREAD, D_CONTEXT, D_OBJECT, N_DOMAINS };
static const unsigned domains[N_COLUMNS] = {
    [T1] = D_THREAD, [T2] = D_THREAD, [C1] = D_CONTEXT, [C2] = D_CONTEXT, [E1] = D_ACCESS,
    [E2] = D_ACCESS, [M1] = D_METHOD, [M2] = D_METHOD,  [F1] = D_FIELD,   [O1] = D_OBJECT};

struct reader {
    struct facts *f;
    const struct races *races;
    const struct pts *pts;
    struct program *p;
    struct facts_options options;
    struct arena arena;
    const struct ir_body **bodies; /* by method_id */
    uint64_t *escaped;             /* objects that escape somewhere */
    uint32_t *lock_of;             /* by object: number of a lock, from 1 */
    pts_obj *locks;
    uint32_t n_locks;
    uint64_t **started_by; /* by thread: threads that it or its children may start */
};

static class_id class_of(const struct reader *x, method_id m) {
    return program_method(x->p, m)->owner;
}

bool facts_covers(const struct races *races, const struct pts *pts, races_site s) {
    const struct races_access *a = races_access(races, s);
    if (a->kind == PLAN_CONTAINER) return false;
    return a->field.v == 0 || (program_field(pts_program(pts), a->field)->access & CF_ACC_FINAL) == 0;
}

/* ---- code ---- */

static void read_bodies(struct reader *x) {
    struct ir_builder *builder = ir_builder_new(x->p);
    struct race_error err = {0};
    uint32_t top = 0;
    for (uint32_t i = 1; i <= pts_n_insts(x->pts); i++) {
        uint32_t m = pts_inst_info(x->pts, (pts_inst){i})->method.v;
        if (m > top) top = m;
    }
    x->bodies = ARENA_NEW_N(&x->arena, top + 1, const struct ir_body *);
    for (uint32_t i = 1; i <= pts_n_insts(x->pts); i++) {
        method_id m = pts_inst_info(x->pts, (pts_inst){i})->method;
        if (x->bodies[m.v] == NULL && program_method(x->p, m)->has_code)
            x->bodies[m.v] = ir_build(builder, m, &x->arena, &err);
    }
    ir_builder_free(builder);
}

/* ---- what escapes for good ---- */

typedef VEC(pts_obj) objects;

struct spreading {
    uint64_t *set;
    objects queue;
};

static void spread_one(struct spreading *s, pts_obj o) {
    if (o.v == 0 || state_has(s->set, o.v)) return;
    state_add(s->set, o.v);
    vec_push(&s->queue, o);
}

static void spread_set(void *arg, field_id f, struct pts_view set) {
    (void)f;
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) spread_one(arg, o);
}

static void spread_all(const struct reader *x, struct spreading *s) {
    while (s->queue.n > 0) pts_each_field(x->pts, vec_pop(&s->queue), spread_set, s);
    vec_release(&s->queue);
}

static void spread_from(const struct reader *x, uint64_t *set, struct pts_view roots) {
    struct spreading s = {.set = set};
    spread_set(&s, (field_id){0}, roots);
    spread_all(x, &s);
}

static void find_escaped(struct reader *x) {
    x->escaped = ARENA_NEW_N(&x->arena, pts_n_objs(x->pts) / 64 + 1, uint64_t);
    struct spreading s = {.set = x->escaped};
    for (uint32_t f = 1; f <= program_n_fields(x->p); f++) {
        if ((program_field(x->p, (field_id){f})->access & CF_ACC_STATIC) != 0)
            spread_set(&s, (field_id){0}, pts_static(x->pts, (field_id){f}));
    }
    for (uint32_t t = 0; t < pts_n_threads(x->pts); t++) {
        const struct pts_thread *thread = pts_thread(x->pts, t);
        const struct ir_body *body = x->bodies[pts_inst_info(x->pts, thread->root)->method.v];
        spread_one(&s, thread->obj);
        for (uint32_t v = 1; body != NULL && v <= body->n_params; v++)
            spread_set(&s, (field_id){0}, pts_var(x->pts, thread->root, (ir_var){v}));
    }
    for (uint32_t o = 1; o <= pts_n_objs(x->pts); o++) {
        uint8_t kind = pts_alloc_info(x->pts, pts_obj_info(x->pts, (pts_obj){o})->alloc)->kind;
        if (kind == PTS_ALLOC_MODEL || kind == PTS_ALLOC_CLASS || kind == PTS_ALLOC_MERGED)
            spread_one(&s, (pts_obj){o});
    }
    spread_all(x, &s);
}

/* ---- what has escaped by now (Section 2.5) ---- */

/* Objects of the VM's making belong to everybody from the beginning. */
static void escape_start(void *arg, pts_inst i, uint64_t *state) {
    const struct reader *x = arg;
    for (uint32_t o = 1; o <= pts_n_objs(x->pts); o++) {
        uint8_t kind = pts_alloc_info(x->pts, pts_obj_info(x->pts, (pts_obj){o})->alloc)->kind;
        if (kind == PTS_ALLOC_MODEL || kind == PTS_ALLOC_CLASS || kind == PTS_ALLOC_MERGED)
            state_add(state, o);
    }
    for (uint32_t t = 0; t < pts_n_threads(x->pts); t++) {
        const struct pts_thread *thread = pts_thread(x->pts, t);
        const struct ir_body *body = x->bodies[pts_inst_info(x->pts, i)->method.v];
        if (!pts_inst_eq(thread->root, i) || body == NULL) continue;
        for (uint32_t v = 1; v <= body->n_params; v++) spread_from(x, state, pts_var(x->pts, i, (ir_var){v}));
    }
}

static void escape_enter(void *arg, pts_inst i, const struct ir_body *body, uint64_t *state) {
    (void)arg, (void)i, (void)body, (void)state;
}

static bool any_escaped(const uint64_t *state, struct pts_view set) {
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        if (state_has(state, o.v)) return true;
    }
    return false;
}

static void forget(uint64_t *state, struct pts_view set) {
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) state_drop(state, o.v);
}

static void escape_starts(const struct reader *x, pts_inst i, uint32_t stmt, uint64_t *state) {
    uint32_t n;
    const struct pts_call *calls = pts_callees_at(x->pts, i, stmt, &n);
    for (uint32_t k = 0; k < n; k++) {
        const struct ir_body *body = x->bodies[pts_inst_info(x->pts, calls[k].callee)->method.v];
        if (calls[k].kind != PTS_EDGE_THREAD || body == NULL) continue;
        for (uint32_t v = 1; v <= body->n_params; v++)
            spread_from(x, state, pts_var(x->pts, calls[k].callee, (ir_var){v}));
    }
}

static void escape_step(void *arg, pts_inst i, const struct ir_body *body, uint32_t stmt, uint64_t *state) {
    const struct reader *x = arg;
    const struct ir_stmt *s = &body->stmts[stmt];
    struct pts_view def = s->def.v != 0 ? pts_var(x->pts, i, s->def) : (struct pts_view){NULL};
    switch (s->op) {
    case IR_NEW:
    case IR_NEW_ARRAY: forget(state, def); break; /* the newest one has not escaped yet */
    case IR_GET_STATIC: spread_from(x, state, def); break;
    case IR_PUT_STATIC: spread_from(x, state, pts_var(x->pts, i, ir_arg(body, s, 0))); break;
    case IR_GET_FIELD:
    case IR_ARRAY_LOAD:
        if (any_escaped(state, pts_var(x->pts, i, ir_arg(body, s, 0)))) spread_from(x, state, def);
        break;
    case IR_PUT_FIELD:
    case IR_ARRAY_STORE:
        if (any_escaped(state, pts_var(x->pts, i, ir_arg(body, s, 0))))
            spread_from(x, state, pts_var(x->pts, i, ir_arg(body, s, s->n_args - 1u)));
        break;
    case IR_INVOKE: escape_starts(x, i, stmt, state); break;
    default: break;
    }
}

/* ---- which threads run (Section 2.6) ---- */

static void start_thread(const struct reader *x, uint32_t thread, uint64_t *state) {
    state_add(state, thread);
    for (uint32_t w = 0; w <= pts_n_threads(x->pts) / 64; w++) state[w] |= x->started_by[thread][w];
}

/* The main thread begins alone; any other, and what the VM calls whenever it likes, beside all others. */
static void parallel_start(void *arg, pts_inst i, uint64_t *state) {
    const struct reader *x = arg;
    if (pts_inst_eq(pts_thread(x->pts, 0)->root, i)) return;
    for (uint32_t t = 0; t < pts_n_threads(x->pts); t++) state_add(state, t);
}

static void parallel_enter(void *arg, pts_inst i, const struct ir_body *body, uint64_t *state) {
    (void)arg, (void)i, (void)body, (void)state;
}

static bool starts_at(const struct pts_thread *thread, pts_inst i, uint32_t stmt) {
    for (uint32_t k = 0; k < thread->n_starts; k++) {
        if (pts_inst_eq(thread->starts[k].caller, i) && thread->starts[k].stmt == stmt) return true;
    }
    return false;
}

static void parallel_step(void *arg, pts_inst i, const struct ir_body *body, uint32_t stmt, uint64_t *state) {
    const struct reader *x = arg;
    if (body->stmts[stmt].op != IR_INVOKE) return;
    for (uint32_t t = 0; t < pts_n_threads(x->pts); t++) {
        if (starts_at(pts_thread(x->pts, t), i, stmt)) start_thread(x, t, state);
    }
}

typedef VEC(pts_inst) insts;

/* Instances that a thread runs, as a set. */
static uint64_t *run_by(struct reader *x, pts_inst root) {
    uint64_t *seen = ARENA_NEW_N(&x->arena, pts_n_insts(x->pts) / 64 + 1, uint64_t);
    insts queue = {0};
    state_add(seen, root.v);
    vec_push(&queue, root);
    while (queue.n > 0) {
        uint32_t n;
        const struct pts_call *calls = pts_callees(x->pts, vec_pop(&queue), &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_THREAD || state_has(seen, calls[k].callee.v)) continue;
            state_add(seen, calls[k].callee.v);
            vec_push(&queue, calls[k].callee);
        }
    }
    vec_release(&queue);
    return seen;
}

static void find_children(struct reader *x) {
    uint32_t n = pts_n_threads(x->pts);
    x->started_by = ARENA_NEW_N(&x->arena, n + 1, uint64_t *);
    for (uint32_t t = 0; t < n; t++) {
        const uint64_t *runs = run_by(x, pts_thread(x->pts, t)->root);
        x->started_by[t] = ARENA_NEW_N(&x->arena, n / 64 + 1, uint64_t);
        for (uint32_t u = 0; u < n; u++) {
            const struct pts_thread *thread = pts_thread(x->pts, u);
            for (uint32_t k = 0; k < thread->n_starts; k++) {
                if (state_has(runs, thread->starts[k].caller.v)) state_add(x->started_by[t], u);
            }
        }
    }
    for (uint32_t mid = 0; mid < n; mid++) {
        for (uint32_t t = 0; t < n; t++) {
            for (uint32_t w = 0; state_has(x->started_by[t], mid) && w <= n / 64; w++)
                x->started_by[t][w] |= x->started_by[mid][w];
        }
    }
}

/* ---- locks (Section 2.7) ---- */

/* By the book every object that the variable may refer to counts; else the only one that it can. */
static void lock_bits(const struct reader *x, struct pts_view set, bool take, uint64_t *state) {
    struct pts_iter it = {0};
    pts_obj o;
    if (!x->options.by_the_book && take && pts_count(set) != 1) return;
    while (pts_next(set, &it, &o)) {
        uint32_t lock = x->lock_of[o.v];
        if (lock == 0 || (!x->options.by_the_book && take && !pts_obj_info(x->pts, o)->once)) continue;
        if (take) {
            state_add(state, lock);
        } else {
            state_drop(state, lock);
        }
    }
}

static void lock_start(void *arg, pts_inst i, uint64_t *state) {
    (void)arg, (void)i, (void)state;
}

static void lock_enter(void *arg, pts_inst i, const struct ir_body *body, uint64_t *state) {
    const struct reader *x = arg;
    unsigned access = program_method(x->p, body->method)->access;
    if ((access & CF_ACC_SYNCHRONIZED) != 0 && (access & CF_ACC_STATIC) == 0)
        lock_bits(x, pts_var(x->pts, i, (ir_var){1}), true, state);
}

static void lock_step(void *arg, pts_inst i, const struct ir_body *body, uint32_t stmt, uint64_t *state) {
    const struct ir_stmt *s = &body->stmts[stmt];
    if (s->op != IR_MONITOR_ENTER && s->op != IR_MONITOR_EXIT) return;
    lock_bits(arg, pts_var(((const struct reader *)arg)->pts, i, ir_arg(body, s, 0)),
              s->op == IR_MONITOR_ENTER, state);
}

static void add_locks(struct reader *x, struct pts_view set) {
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        if (x->lock_of[o.v] != 0) continue;
        x->lock_of[o.v] = ++x->n_locks;
        x->locks[x->n_locks] = o;
    }
}

/* Only the application's locks: what the library locks it does not hold at an access of the application. */
static void find_locks(struct reader *x) {
    x->lock_of = ARENA_NEW_N(&x->arena, pts_n_objs(x->pts) + 1, uint32_t);
    x->locks = ARENA_NEW_N(&x->arena, pts_n_objs(x->pts) + 2, pts_obj);
    for (uint32_t i = 1; i <= pts_n_insts(x->pts); i++) {
        method_id m = pts_inst_info(x->pts, (pts_inst){i})->method;
        const struct ir_body *body = x->bodies[m.v];
        if (body == NULL || program_info(x->p, class_of(x, m))->from_jdk) continue;
        if ((program_method(x->p, m)->access & (CF_ACC_SYNCHRONIZED | CF_ACC_STATIC)) == CF_ACC_SYNCHRONIZED)
            add_locks(x, pts_var(x->pts, (pts_inst){i}, (ir_var){1}));
        for (uint32_t s = 0; s < body->n_stmts; s++) {
            if (body->stmts[s].op == IR_MONITOR_ENTER)
                add_locks(x, pts_var(x->pts, (pts_inst){i}, ir_arg(body, &body->stmts[s], 0)));
        }
    }
}

/* ---- relations ---- */

static void add_calls(struct reader *x) {
    struct facts *f = x->f;
    f->calls = relation_empty(&f->space, COLUMN(C1) | COLUMN(M1) | COLUMN(C2) | COLUMN(M2));
    f->vm_roots = relation_empty(&f->space, COLUMN(C1) | COLUMN(M1));
    for (uint32_t i = 1; i <= pts_n_insts(x->pts); i++) {
        const struct pts_inst_info *to = pts_inst_info(x->pts, (pts_inst){i});
        uint32_t n;
        const struct pts_call *callers = pts_callers(x->pts, (pts_inst){i}, &n);
        bool by_vm = n == 0;
        for (uint32_t k = 0; k < n; k++) {
            by_vm |= callers[k].caller.v == 0;
            if (callers[k].caller.v == 0 || callers[k].kind == PTS_EDGE_THREAD) continue;
            const struct pts_inst_info *from = pts_inst_info(x->pts, callers[k].caller);
            relation_add(&f->space, &f->calls,
                         (uint32_t[]){from->ctx.v, to->ctx.v, from->method.v, to->method.v});
        }
        if (by_vm) relation_add(&f->space, &f->vm_roots, (uint32_t[]){to->ctx.v, to->method.v});
    }
    f->roots = relation_empty(&f->space, COLUMN(T1) | COLUMN(C1) | COLUMN(M1));
    for (uint32_t t = 0; t < pts_n_threads(x->pts); t++) {
        const struct pts_inst_info *root = pts_inst_info(x->pts, pts_thread(x->pts, t)->root);
        relation_add(&f->space, &f->roots, (uint32_t[]){t, root->ctx.v, root->method.v});
    }
}

static void add_accesses(struct reader *x) {
    struct facts *f = x->f;
    f->me = relation_empty(&f->space, COLUMN(E1) | COLUMN(M1));
    f->field = relation_empty(&f->space, COLUMN(E1) | COLUMN(F1));
    f->statics = relation_empty(&f->space, COLUMN(E1));
    f->writes = relation_empty(&f->space, COLUMN(E1));
    for (uint32_t e = 1; e <= races_n_sites(x->races); e++) {
        const struct races_access *a = races_access(x->races, (races_site){e});
        if (!facts_covers(x->races, x->pts, (races_site){e})) continue;
        relation_add(&f->space, &f->me, (uint32_t[]){e, a->method.v});
        relation_add(&f->space, &f->field, (uint32_t[]){e, a->kind == PLAN_ARRAY ? 0 : a->field.v});
        if (a->kind == PLAN_STATIC) relation_add(&f->space, &f->statics, &e);
        if (a->is_write) relation_add(&f->space, &f->writes, &e);
    }
}

static void add_objects(struct reader *x, struct forward *escape, uint32_t e, pts_inst i) {
    struct facts *f = x->f;
    const struct races_access *a = races_access(x->races, (races_site){e});
    const uint64_t *state = escape != NULL ? forward_before(escape, i, a->stmt) : x->escaped;
    struct pts_iter it = {0};
    pts_obj o;
    while (a->object.v != 0 && pts_next(pts_var(x->pts, i, a->object), &it, &o)) {
        uint32_t tuple[] = {pts_inst_info(x->pts, i)->ctx.v, e, o.v};
        relation_add(&f->space, &f->pts, tuple);
        if (state != NULL && state_has(state, o.v)) relation_add(&f->space, &f->escaped, tuple);
    }
}

/* A thread other than the main one runs beside all others; two of the same kind if there may be several. */
static void add_parallel(struct reader *x, struct forward *parallel, uint32_t e, pts_inst i) {
    struct facts *f = x->f;
    const uint64_t *state = forward_before(parallel, i, races_access(x->races, (races_site){e})->stmt);
    uint32_t ctx = pts_inst_info(x->pts, i)->ctx.v, n = pts_n_threads(x->pts);
    for (uint32_t t = 0; t < n; t++) {
        for (uint32_t u = 0; u < n; u++) {
            if (t == u && !pts_thread(x->pts, t)->many) continue;
            if (t == 0 && (state == NULL || !state_has(state, u))) continue;
            relation_add(&f->space, &f->parallel, (uint32_t[]){t, u, ctx, e});
        }
    }
}

static void add_held(struct reader *x, struct forward *locks, uint32_t e, pts_inst i) {
    const uint64_t *state = forward_before(locks, i, races_access(x->races, (races_site){e})->stmt);
    for (uint32_t k = 1; state != NULL && k <= x->n_locks; k++) {
        if (state_has(state, k))
            relation_add(&x->f->space, &x->f->held,
                         (uint32_t[]){pts_inst_info(x->pts, i)->ctx.v, e, x->locks[k].v});
    }
}

static void add_flow(struct reader *x) {
    struct facts *f = x->f;
    struct forward_client escape = {.width = pts_n_objs(x->pts),
                                    .app_only = true,
                                    .arg = x,
                                    .start = escape_start,
                                    .enter = escape_enter,
                                    .step = escape_step};
    struct forward_client parallel = {.width = pts_n_threads(x->pts),
                                      .arg = x,
                                      .start = parallel_start,
                                      .enter = parallel_enter,
                                      .step = parallel_step};
    struct forward_client lock = {.width = x->n_locks,
                                  .must = !x->options.by_the_book,
                                  .arg = x,
                                  .start = lock_start,
                                  .enter = lock_enter,
                                  .step = lock_step};
    struct forward *escapes =
        x->options.by_the_book ? forward_run(x->pts, x->bodies, &escape, &x->arena) : NULL;
    struct forward *runs = forward_run(x->pts, x->bodies, &parallel, &x->arena);
    struct forward *holds = forward_run(x->pts, x->bodies, &lock, &x->arena);
    f->pts = relation_empty(&f->space, COLUMN(C1) | COLUMN(E1) | COLUMN(O1));
    f->escaped = relation_empty(&f->space, f->pts.columns);
    f->held = relation_empty(&f->space, f->pts.columns);
    f->parallel = relation_empty(&f->space, COLUMN(T1) | COLUMN(T2) | COLUMN(C1) | COLUMN(E1));
    for (uint32_t e = 1; e <= races_n_sites(x->races); e++) {
        uint32_t n;
        const pts_inst *all = pts_insts_of(x->pts, races_access(x->races, (races_site){e})->method, &n);
        for (uint32_t k = 0; facts_covers(x->races, x->pts, (races_site){e}) && k < n; k++) {
            add_objects(x, escapes, e, all[k]);
            add_parallel(x, runs, e, all[k]);
            add_held(x, holds, e, all[k]);
        }
    }
    if (escapes != NULL) forward_release(escapes);
    forward_release(runs);
    forward_release(holds);
}

void facts_init(struct facts *f, const struct races *races, const struct pts *pts,
                const struct facts_options *options) {
    struct reader x = {.f = f, .races = races, .pts = pts, .p = pts_program(pts), .options = *options};
    arena_init(&x.arena);
    read_bodies(&x);
    uint32_t top_method = 0;
    for (uint32_t i = 1; i <= pts_n_insts(pts); i++) {
        uint32_t m = pts_inst_info(pts, (pts_inst){i})->method.v;
        if (m > top_method) top_method = m;
    }
    const uint32_t sizes[N_DOMAINS] = {
        [D_FIELD] = program_n_fields(x.p) + 1, [D_ACCESS] = races_n_sites(races) + 1,
        [D_METHOD] = top_method + 1,           [D_THREAD] = pts_n_threads(pts) + 1,
        [D_CONTEXT] = pts_n_ctxs(pts) + 1,     [D_OBJECT] = pts_n_objs(pts) + 1};
    space_init(&f->space, domains, N_COLUMNS, sizes);
    find_escaped(&x);
    find_children(&x);
    find_locks(&x);
    add_calls(&x);
    add_accesses(&x);
    add_flow(&x);
    arena_release(&x.arena);
}

void facts_release(struct facts *f) {
    space_release(&f->space);
}
