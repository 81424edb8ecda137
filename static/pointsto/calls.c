/* Call edges: from a site and a receiver to an instance of the method that runs. */
#include "solver.h"
#include "plugin.h"

#include <string.h>

uint32_t pts_new_site(struct pts *s, struct pts_site site) {
    uint32_t *args = ARENA_NEW_N(&s->arena, site.n_args + 1u, uint32_t);
    for (uint32_t i = 0; i < site.n_args; i++) args[i] = site.args[i];
    site.args = args;
    vec_push(&s->sites, site);
    return (uint32_t)s->sites.n - 1;
}

void pts_add_watch(struct pts *s, uint32_t node, pts_watch_fn *fn, uint32_t site, uint32_t a, uint32_t b) {
    if (node == PTS_NO_NODE) return;
    struct pts_watch w = {.fn = fn, .site = site, .a = a, .b = b};
    vec_push(&s->watches, w);
    struct pts_cons cons = {.kind = PTS_CONS_WATCH, .a = (uint32_t)s->watches.n - 1};
    pts_graph_cons(&s->g, node, cons);
}

/* Resolves the symbolic reference once; a failure is a gap and the call leads nowhere. */
static method_id resolve(struct pts *s, uint32_t id) {
    struct pts_site *site = &s->sites.v[id];
    if (site->method.v == 0 && site->ref != 0) {
        method_id m = program_ref_method(s->p, (ref_id){site->ref});
        site = &s->sites.v[id];
        site->method = m;
        if (m.v == 0) {
            site->ref = 0;
            pts_add_gap(s, "unresolved call", s->insts.v[site->caller].info.method, site->stmt, NULL);
        }
    }
    return site->method;
}

void pts_enter_site(struct pts *s, uint32_t id) {
    struct pts_site *site = &s->sites.v[id];
    struct pts_cons cons = {.kind = PTS_CONS_CALL, .a = id};
    if (site->kind == IR_CALL_DYNAMIC) {
        pts_call_dynamic(s, id);
    } else if (site->kind == IR_CALL_STATIC) {
        method_id m = resolve(s, id);
        if (m.v == 0 || !(program_method(s->p, m)->access & CF_ACC_STATIC)) return;
        pts_initialise(s, program_method(s->p, m)->owner, s->sites.v[id].caller, s->sites.v[id].stmt);
        pts_call_method(s, id, m, 0);
    } else if (site->n_args && site->args[0] != PTS_NO_NODE) {
        pts_graph_cons(&s->g, site->args[0], cons);
    }
}

static method_id special_target(struct pts *s, const struct pts_site *site) {
    if (site->ref == 0) return site->method;
    const struct member_ref *ref = program_ref(s->p, (ref_id){site->ref});
    class_id caller = program_method(s->p, s->insts.v[site->caller].info.method)->owner;
    return program_dispatch_special(s->p, caller, ref->cls, site->method);
}

/*
 * What the call gives back.  A method that returns one of its parameters and nothing else (`append` of a
 * builder, requireNonNull) gives back what this very call passed, not what all calls pass to the instance.
 */
static void flow_result(struct pts *s, const struct pts_site *site, uint32_t callee, uint32_t recv) {
    const struct pts_code *code = s->insts.v[callee].code;
    uint32_t result = pts_return_node(s, callee);
    if (result == PTS_NO_NODE || site->ret == PTS_NO_NODE) return;
    if (code->returned < site->n_args && (code->returned > 0 || code->static_call))
        result = site->args[code->returned];
    if (code->returned == 0 && !code->static_call && recv) return; /* pts_call_edge() passes each receiver */
    if (result != PTS_NO_NODE) pts_graph_edge(&s->g, result, site->ret, 0);
}

/* The edge from the call to a callee that has the receiver already. */
static void join_call(struct pts *s, uint32_t id, uint32_t callee, uint32_t recv) {
    const struct pts_code *code = s->insts.v[callee].code;
    if (!code->static_call && recv && code->returned == 0 && s->sites.v[id].ret != PTS_NO_NODE)
        pts_graph_add(&s->g, s->sites.v[id].ret, recv);
    if (s->sites.v[id].last == callee) return;
    s->sites.v[id].last = callee;
    if (!pts_pairs_add(&s->call_pairs, id, callee)) return;
    const struct pts_site *site = &s->sites.v[id];
    struct pts_call edge = {
        .caller = {site->caller}, .stmt = site->stmt, .callee = {callee}, .kind = site->edge};
    vec_push(&s->calls, edge);
    for (uint32_t i = code->static_call ? 0 : 1; i < site->n_args && i < code->n_params; i++) {
        uint32_t param = pts_param_node(s, callee, i);
        if (site->args[i] != PTS_NO_NODE && param != PTS_NO_NODE)
            pts_graph_edge(&s->g, site->args[i], param, 0);
    }
    flow_result(s, site, callee, recv);
    if (code->n_throws) pts_throw_declared(s, id, code);
}

void pts_call_edge(struct pts *s, uint32_t id, uint32_t callee, uint32_t recv) {
    bool is_static = s->insts.v[callee].code->static_call;
    if (!is_static && recv) pts_graph_add(&s->g, pts_param_node(s, callee, 0), recv);
    join_call(s, id, callee, recv);
}

uint32_t pts_call_method(struct pts *s, uint32_t id, method_id target, uint32_t recv) {
    const struct pts_model *model = pts_method_at(s, target)->model;
    if (model) {
        bool runs = model->replaces == PTS_REPEATS || pts_pairs_add(&s->handled, id, recv);
        if (runs) model->fn(s, id, recv, model->data);
        if (model->replaces) return 0;
    }
    uint32_t callee = pts_instance(s, target, pts_ctx_for(s, &s->sites.v[id], recv, target));
    pts_call_edge(s, id, callee, recv);
    return callee;
}

/*
 * Calls already found.  Contexts hang on the receiver and the method alone (but for origins), so what a call
 * leads to, a second call of the method on the object leads to as well, and the callee has its receiver: only
 * the edge may be new.  The last answer for each hash is kept, a power of two of them.
 */
enum { KNOWN_CALLS = 1 << 16 };

static struct pts_known_call *known_call(struct pts *s, uint32_t obj, method_id m) {
    if (s->known_calls == NULL) {
        size_t cap = 0;
        void *v = NULL;
        vec_grow_(&v, &cap, KNOWN_CALLS, sizeof *s->known_calls);
        s->known_calls = memset(v, 0, KNOWN_CALLS * sizeof *s->known_calls);
    }
    uint64_t h = ((uint64_t)obj << 32 | m.v) * UINT64_C(0x9E3779B97F4A7C15);
    return &s->known_calls[h >> 48 & (KNOWN_CALLS - 1)];
}

/* Whether the answer for the call may be kept; proxies and function objects have answers of their own. */
static bool may_keep(const struct pts *s, const struct pts_site *site, uint32_t obj) {
    uint8_t kind = s->world->allocs.v[s->objs.v[obj].alloc.v].kind;
    return (s->options.mode == PTS_OBJECT || s->options.mode == PTS_INSENSITIVE) &&
           site->kind != IR_CALL_SPECIAL && kind != PTS_ALLOC_MODEL && kind != PTS_ALLOC_LAMBDA;
}

static void keep_call(struct pts *s, uint32_t id, method_id target, uint32_t obj, uint32_t callee) {
    const struct pts_site *site = &s->sites.v[id];
    const struct pts_model *model = pts_method_at(s, target)->model;
    if (!may_keep(s, site, obj) || (model && model->replaces != PTS_REPEATS)) return;
    *known_call(s, obj, site->method) =
        (struct pts_known_call){.obj = obj, .method = site->method.v, .callee = callee, .model = model};
}

void pts_call_on(struct pts *s, uint32_t id, uint32_t obj) {
    method_id m = resolve(s, id), target;
    const struct pts_site *site = &s->sites.v[id];
    if (m.v == 0) return;
    const struct pts_known_call *known = known_call(s, obj, m);
    if (known->obj == obj && known->method == m.v && site->kind != IR_CALL_SPECIAL) {
        if (known->callee)
            join_call(s, id, known->callee, obj);
        else
            known->model->fn(s, id, obj, known->model->data);
        return;
    }
    if (!pts_instance_of_class(s, obj, program_method(s->p, m)->owner)) return;
    site = &s->sites.v[id];
    if (site->kind == IR_CALL_SPECIAL) {
        target = special_target(s, site);
    } else {
        if (pts_call_function(s, id, obj)) return;
        target = program_dispatch(s->p, s->objs.v[obj].cls, m);
        /* Model objects may be of abstract classes; a plug-in may know what the abstract method does. */
        bool is_model = s->world->allocs.v[s->objs.v[obj].alloc.v].kind == PTS_ALLOC_MODEL;
        if (target.v == 0 && is_model) target = m;
    }
    if (target.v == 0) return;
    keep_call(s, id, target, obj, pts_call_method(s, id, target, obj));
}
