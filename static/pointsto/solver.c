/* Instances of methods and their steps in the constraint graph. */
#include "solver.h"
#include "plugin.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- nodes ---- */

static uint32_t node_in(struct pts *s, struct pts_map *map, uint64_t key) {
    bool is_new;
    uint32_t *at = pts_map_at(map, key, &is_new);
    if (is_new) *at = pts_graph_nodes(&s->g, 1) + 1;
    return *at - 1;
}

uint32_t pts_field_node(struct pts *s, uint32_t obj, uint32_t field) {
    return node_in(s, &s->heap_map, (uint64_t)obj << 32 | field);
}

uint32_t pts_static_node(struct pts *s, field_id f) {
    return node_in(s, &s->static_map, f.v);
}

/* Catch clauses of one type share a node behind one filter. */
uint32_t pts_catch_node(struct pts *s, class_id type) {
    if (type.v == CLASS_THROWABLE) return s->thrown;
    size_t before = s->catch_map.n;
    uint32_t node = node_in(s, &s->catch_map, type.v);
    if (s->catch_map.n != before) pts_graph_edge(&s->g, s->thrown, node, type.v);
    return node;
}

bool pts_instance_of_class(struct pts *s, uint32_t obj, class_id c) {
    return c.v == CLASS_OBJECT || pts_graph_passes(&s->g, c.v, obj);
}

/* ---- methods ---- */

struct pts_method *pts_method_at(struct pts *s, method_id m) {
    while (s->methods.n <= m.v) {
        struct pts_method none = {0};
        vec_push(&s->methods, none);
    }
    struct pts_method *method = &s->methods.v[m.v];
    if (!method->model_known) {
        method->model_known = true;
        method->model = pts_model_of(s, m);
    }
    return method;
}

uint32_t pts_instance(struct pts *s, method_id m, pts_ctx c) {
    bool is_new;
    if (c.v == PTS_EPSILON && m.v < s->methods.n && s->methods.v[m.v].plain) return s->methods.v[m.v].plain;
    uint32_t *at = pts_map_at(&s->inst_map, (uint64_t)m.v << 32 | c.v, &is_new);
    if (!is_new) return *at;
    uint32_t id = *at = (uint32_t)s->insts.n;
    struct pts_instance inst = {.info = {.method = m, .ctx = c}, .code = pts_code_of(s->world, m)};
    inst.base = pts_graph_nodes(&s->g, inst.code->n_vars);
    vec_push(&s->insts, inst);
    vec_push(&s->new_insts, id);
    pts_inst public = {id};
    vec_push(&pts_method_at(s, m)->insts, public);
    if (c.v == PTS_EPSILON) s->methods.v[m.v].plain = id;
    return id;
}

static uint32_t node_of(const struct pts_instance *inst, uint32_t var) {
    return var == PTS_NO_VAR ? PTS_NO_NODE : inst->base + var;
}

uint32_t pts_param_node(struct pts *s, uint32_t inst, uint32_t i) {
    const struct pts_instance *n = &s->insts.v[inst];
    return i < n->code->n_params ? node_of(n, n->code->params[i]) : PTS_NO_NODE;
}

uint32_t pts_return_node(struct pts *s, uint32_t inst) {
    return node_of(&s->insts.v[inst], s->insts.v[inst].code->ret);
}

void pts_add_gap(struct pts *s, const char *what, method_id in, uint32_t stmt, const char *detail) {
    bool is_new;
    pts_map_at(&s->gap_map, ((uint64_t)in.v << 32 | stmt) + 1, &is_new);
    if (!is_new) return;
    struct pts_gap gap = {.what = what, .in = in, .stmt = stmt};
    gap.detail = detail ? arena_strdup(&s->arena, detail) : "";
    vec_push(&s->gaps, gap);
}

/* ---- class initialisation ---- */

static method_id clinit_of(struct pts *s, class_id c) {
    while (s->clinits.n <= c.v) vec_push(&s->clinits, PTS_NO_NODE);
    if (s->clinits.v[c.v] == PTS_NO_NODE) {
        name_id name = program_name(s->p, "<clinit>"), desc = program_name(s->p, "()V");
        uint32_t m = program_declared_method(s->p, c, name, desc).v;
        while (s->clinits.n <= c.v) vec_push(&s->clinits, PTS_NO_NODE);
        s->clinits.v[c.v] = m;
        s->stats.classes++;
    }
    return (method_id){s->clinits.v[c.v]};
}

static void init_one(struct pts *s, class_id c, uint32_t inst, uint32_t stmt) {
    method_id m = clinit_of(s, c);
    if (m.v == 0) return;
    uint32_t callee = pts_instance(s, m, (pts_ctx){PTS_EPSILON});
    if (callee == inst) return;
    struct pts_call edge = {.caller = {inst}, .stmt = stmt, .callee = {callee}, .kind = PTS_EDGE_CLINIT};
    vec_push(&s->calls, edge);
}

void pts_initialise(struct pts *s, class_id c, uint32_t inst, uint32_t stmt) {
    bool is_new;
    pts_map_at(&s->init_map, ((uint64_t)inst << 32 | c.v) + 1, &is_new);
    if (!is_new) return;
    const struct class_info *info = program_info(s->p, c);
    if (info->state != CLASS_LOADED) return;
    init_one(s, c, inst, stmt);
    if (info->access & CF_ACC_INTERFACE) return; /* its superinterfaces are not initialised with it */
    for (uint32_t i = 0; i < info->n_interfaces; i++) {
        /* Only interfaces with default methods would be; one initialiser too many does no harm. */
        init_one(s, info->interfaces[i], inst, stmt);
    }
    if (info->super.v) pts_initialise(s, info->super, inst, stmt);
}

/* ---- steps ---- */

static void step_static(struct pts *s, uint32_t inst, const struct pts_step *st) {
    bool load = st->op == PTS_STEP_LOAD_STATIC;
    uint32_t stmt = load ? st->b : st->a, var = load ? st->a : st->b;
    field_id f = program_ref_field(s->p, (ref_id){st->c});
    if (f.v == 0) return;
    pts_initialise(s, program_field(s->p, f)->owner, inst, stmt);
    if (var == PTS_NO_VAR) return;
    uint32_t node = pts_static_node(s, f), here = s->insts.v[inst].base + var;
    if (load)
        pts_graph_alias(&s->g, here, node); /* SSA: nothing else is assigned to it */
    else
        pts_graph_edge(&s->g, here, node, 0);
}

static void step_call(struct pts *s, uint32_t inst, uint32_t index) {
    const struct pts_instance *n = &s->insts.v[inst];
    const struct pts_code *code = n->code;
    const struct pts_code_call *call = &code->calls[index];
    struct pts_site site = {.caller = inst,
                            .stmt = call->stmt,
                            .call = index,
                            .ref = call->ref,
                            .ret = node_of(n, call->ret),
                            .args = ARENA_NEW_N(&s->arena, call->n_args + 1u, uint32_t),
                            .n_args = call->n_args,
                            .kind = call->kind,
                            .edge = PTS_EDGE_CALL};
    for (uint32_t i = 0; i < call->n_args; i++) site.args[i] = node_of(n, code->args[call->args + i]);
    uint32_t id = (uint32_t)s->sites.n;
    vec_push(&s->sites, site);
    pts_enter_site(s, id);
}

static void take_step(struct pts *s, uint32_t inst, const struct pts_step *st) {
    uint32_t base = s->insts.v[inst].base;
    struct pts_cons cons;
    switch (st->op) {
    case PTS_STEP_NEW:
        pts_graph_add(&s->g, base + st->a, pts_make_obj(s, (pts_alloc){st->b}, s->insts.v[inst].info.ctx));
        break;
    case PTS_STEP_COPY: pts_graph_edge(&s->g, base + st->b, base + st->a, st->c); break;
    case PTS_STEP_LOAD:
        cons = (struct pts_cons){.kind = PTS_CONS_LOAD, .a = base + st->a, .b = st->c};
        pts_graph_cons(&s->g, base + st->b, cons);
        break;
    case PTS_STEP_STORE:
        cons = (struct pts_cons){.kind = PTS_CONS_STORE, .a = base + st->b, .b = st->c};
        pts_graph_cons(&s->g, base + st->a, cons);
        break;
    case PTS_STEP_LOAD_STATIC:
    case PTS_STEP_STORE_STATIC: step_static(s, inst, st); break;
    case PTS_STEP_THROW: pts_graph_edge(&s->g, base + st->b, s->thrown, CLASS_THROWABLE); break;
    case PTS_STEP_CATCH:
        if (st->a == PTS_NO_VAR) break;
        if (st->b)
            pts_graph_alias(&s->g, base + st->a, pts_catch_node(s, (class_id){st->c}));
        else
            pts_graph_edge(&s->g, pts_catch_node(s, (class_id){st->c}), base + st->a, 0);
        break;
    case PTS_STEP_CALL: step_call(s, inst, st->a); break;
    case PTS_STEP_INIT: pts_initialise(s, (class_id){st->c}, inst, st->a); break;
    default: break;
    }
}

static bool add_instances(void *self) {
    struct pts *s = self;
    bool any = s->new_insts.n != 0;
    for (size_t i = 0; i < s->new_insts.n; i++) {
        uint32_t inst = s->new_insts.v[i];
        const struct pts_code *code = s->insts.v[inst].code;
        s->insts.v[inst].instantiated = true;
        if (code->is_native || code->opaque) pts_enter_opaque(s, inst);
        for (uint32_t k = 0; k < code->n_steps; k++) take_step(s, inst, &code->steps[k]);
    }
    s->new_insts.n = 0;
    return any;
}

/* ---- loads and stores ---- */

static bool is_ref_array(struct pts *s, uint32_t obj, class_id *component) {
    const struct class_info *info = program_info(s->p, s->objs.v[obj].cls);
    *component = info->component;
    if (s->world->allocs.v[s->objs.v[obj].alloc.v].is_empty) return false;
    return component->v != 0 && !class_is_primitive(*component);
}

static void apply_access(struct pts *s, struct pts_cons cons, const struct pts_set *delta) {
    field_id f = {0};
    class_id owner = {0};
    if (cons.b != 0) {
        f = program_ref_field(s->p, (ref_id){cons.b});
        if (f.v == 0) return;
        owner = program_field(s->p, f)->owner;
    }
    struct pts_set_iter it = {0};
    uint32_t obj;
    while (pts_set_next(delta, &it, &obj)) {
        uint32_t filter = 0;
        if (cons.b == 0) {
            class_id component;
            if (!is_ref_array(s, obj, &component)) continue;
            if (component.v != CLASS_OBJECT) filter = component.v;
        } else if (!pts_instance_of_class(s, obj, owner)) {
            continue;
        }
        uint32_t node = pts_field_node(s, obj, f.v);
        if (cons.kind == PTS_CONS_LOAD)
            pts_graph_edge(&s->g, node, cons.a, 0);
        else
            pts_graph_edge(&s->g, cons.a, node, filter);
    }
}

static void apply(void *self, struct pts_cons cons, const struct pts_set *delta) {
    struct pts *s = self;
    if (cons.kind == PTS_CONS_LOAD || cons.kind == PTS_CONS_STORE) {
        apply_access(s, cons, delta);
        return;
    }
    struct pts_set_iter it = {0};
    uint32_t obj;
    while (pts_set_next(delta, &it, &obj)) {
        if (cons.kind == PTS_CONS_CALL) {
            pts_call_on(s, cons.a, obj);
        } else {
            struct pts_watch w = s->watches.v[cons.a];
            w.fn(s, &w, obj);
        }
    }
}

/* The graph's kinds of objects: classes, and function objects of more than one interface (odd numbers). */
uint32_t pts_kind_of(struct pts *s, pts_alloc a) {
    const struct pts_alloc_info *h = &s->world->allocs.v[a.v];
    dyn_id dyn = {h->kind == PTS_ALLOC_LAMBDA ? pts_map_get(&s->lambdas, a.v, 0) : 0};
    if (dyn.v == 0 || !pts_has_markers(s, dyn)) return h->cls.v << 1;
    vec_push(&s->marked, dyn);
    return (uint32_t)(s->marked.n - 1) << 1 | 1;
}

static bool passes(void *self, uint32_t filter, uint32_t kind) {
    struct pts *s = self;
    class_id type = {filter};
    if (kind & 1) return pts_function_is(s, s->marked.v[kind >> 1], type);
    return kind != 0 && program_is_subtype(s->p, (class_id){kind >> 1}, type);
}

static const struct pts_graph_ops graph_ops = {.apply = apply, .passes = passes, .more = add_instances};

/* ---- life ---- */

static struct pts_world *world_new(struct program *p, const struct pts_options *options) {
    struct pts_world *w = NULL;
    size_t cap = 0;
    vec_grow_((void **)&w, &cap, 1, sizeof *w);
    memset(w, 0, sizeof *w);
    w->refs = 1;
    w->p = p;
    w->split = options->split_exceptions;
    arena_init(&w->arena);
    w->builder = ir_builder_new(p);
    struct pts_alloc_info none = {0};
    vec_push(&w->allocs, none);
    return w;
}

static void world_drop(struct pts_world *w) {
    if (--w->refs) return;
    ir_builder_free(w->builder);
    arena_release(&w->arena);
    vec_release(&w->allocs);
    vec_release(&w->code);
    vec_release(&w->is_compiling);
    vec_release(&w->named);
    vec_release(&w->is_named);
    for (size_t i = 0; i < w->uses.n; i++) free(w->uses.v[i]);
    for (size_t i = 0; i < w->refers.n; i++) free(w->refers.v[i]);
    vec_release(&w->uses);
    vec_release(&w->refers);
    pts_map_release(&w->alloc_map);
    free(w);
}

void pts_free(struct pts *s) {
    if (s == NULL) return;
    for (size_t i = 0; i < s->methods.n; i++) vec_release(&s->methods.v[i].insts);
    pts_graph_release(&s->g);
    struct pts_map *maps[] = {&s->obj_map,   &s->ctx_map,   &s->inst_map,   &s->heap_map, &s->static_map,
                              &s->catch_map, &s->model_map, &s->gap_map,    &s->init_map, &s->lambdas,
                              &s->derived,   &s->atomics,   &s->named_calls};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) pts_map_release(maps[i]);
    pts_pairs_release(&s->call_pairs);
    pts_pairs_release(&s->handled);
    free(s->known_calls);
    vec_release(&s->objs);
    vec_release(&s->ctxs);
    vec_release(&s->methods);
    vec_release(&s->insts);
    vec_release(&s->new_insts);
    vec_release(&s->sites);
    vec_release(&s->watches);
    vec_release(&s->calls);
    vec_release(&s->clinits);
    vec_release(&s->models);
    vec_release(&s->gaps);
    vec_release(&s->carriers);
    vec_release(&s->callee_start);
    vec_release(&s->callers);
    vec_release(&s->caller_start);
    vec_release(&s->threads);
    vec_release(&s->started);
    vec_release(&s->heap_keys);
    vec_release(&s->roots);
    pts_map_release(&s->packages);
    pts_map_release(&s->outside_objs);
    pts_map_release(&s->outside_fields);
    vec_release(&s->atomic_fields);
    vec_release(&s->marked);
    arena_release(&s->arena);
    world_drop(s->world);
    free(s);
}

static struct pts *pts_new(struct program *p, const struct pts_options *options) {
    struct pts *s = NULL;
    size_t cap = 0;
    vec_grow_((void **)&s, &cap, 1, sizeof *s);
    memset(s, 0, sizeof *s);
    s->p = p;
    s->options = *options;
    if (options->reuse) {
        s->world = options->reuse->world;
        s->world->refs++;
        pts_free(options->reuse);
        s->options.reuse = NULL;
    } else {
        s->world = world_new(p, options);
    }
    arena_init(&s->arena);
    pts_graph_init(&s->g, &graph_ops, s);
    struct pts_obj_info no_obj = {0};
    struct pts_ctx_info no_ctx = {0};
    struct pts_instance vm = {0};
    vec_push(&s->objs, no_obj);
    pts_graph_object(&s->g, 0);
    vec_push(&s->ctxs, no_ctx);
    vec_push(&s->insts, vm);
    pts_make_ctx(s, 0, 0); /* epsilon is number 1 */
    s->thrown = pts_graph_nodes(&s->g, 4);
    s->thread_objs = s->thrown + 1;
    s->references = s->thrown + 2;
    s->providers = s->thrown + 3;
    return s;
}

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct pts *pts_solve(struct program *p, const struct pts_root *roots, size_t n_roots,
                      const struct pts_options *options, struct race_error *err) {
    if (n_roots == 0) {
        race_fail(err, "nothing to analyse: no main method and no entry");
        return NULL;
    }
    double start = cpu_seconds();
    struct pts *s = pts_new(p, options);
    for (size_t i = 0; i < n_roots; i++) vec_push(&s->roots, roots[i]);
    pts_plugins_start(s);
    for (size_t i = 0; i < n_roots; i++) pts_enter_root(s, (uint32_t)i);
    do pts_graph_solve(&s->g);
    while (pts_set_fields(s));
    pts_finish(s);
    pts_find_threads(s);
    s->stats.seconds = cpu_seconds() - start;
    pts_compute_stats(s);
    if (program_failed(p, err)) {
        pts_free(s);
        return NULL;
    }
    return s;
}
