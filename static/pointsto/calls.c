/* Call edges: from a site and a receiver to an instance of the method that runs. */
#include "solver.h"
#include "plugin.h"

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

void pts_call_on(struct pts *s, uint32_t id, uint32_t obj) {
    method_id m = resolve(s, id), target;
    if (m.v == 0 || !pts_instance_of_class(s, obj, program_method(s->p, m)->owner)) return;
    const struct pts_site *site = &s->sites.v[id];
    if (site->kind == IR_CALL_SPECIAL) {
        target = special_target(s, site);
    } else {
        if (pts_call_function(s, id, obj)) return;
        target = program_dispatch(s->p, s->objs.v[obj].cls, m);
        /* Model objects may be of abstract classes; a plug-in may know what the abstract method does. */
        bool is_model = s->world->allocs.v[s->objs.v[obj].alloc.v].kind == PTS_ALLOC_MODEL;
        if (target.v == 0 && is_model) target = m;
    }
    if (target.v) pts_call_method(s, id, target, obj);
}

void pts_call_method(struct pts *s, uint32_t id, method_id target, uint32_t recv) {
    const struct pts_model *model = pts_method_at(s, target)->model;
    if (model) {
        bool is_new;
        pts_map_at(&s->handled, ((uint64_t)id << 32 | recv) + 1, &is_new);
        if (is_new) model->fn(s, id, recv, model->data);
        if (model->replaces) return;
    }
    pts_ctx c = pts_ctx_for(s, &s->sites.v[id], recv, target);
    pts_call_edge(s, id, pts_instance(s, target, c), recv);
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

void pts_call_edge(struct pts *s, uint32_t id, uint32_t callee, uint32_t recv) {
    const struct pts_code *code = s->insts.v[callee].code;
    uint32_t first = 0;
    if (!code->static_call) {
        if (recv) pts_graph_add(&s->g, pts_param_node(s, callee, 0), recv);
        if (recv && code->returned == 0 && s->sites.v[id].ret != PTS_NO_NODE)
            pts_graph_add(&s->g, s->sites.v[id].ret, recv);
        first = 1;
    }
    bool is_new;
    if (s->sites.v[id].last == callee) return;
    s->sites.v[id].last = callee;
    pts_map_at(&s->call_map, ((uint64_t)id << 32 | callee) + 1, &is_new);
    if (!is_new) return;
    const struct pts_site *site = &s->sites.v[id];
    struct pts_call edge = {
        .caller = {site->caller}, .stmt = site->stmt, .callee = {callee}, .kind = site->edge};
    vec_push(&s->calls, edge);
    for (uint32_t i = first; i < site->n_args && i < code->n_params; i++) {
        uint32_t param = pts_param_node(s, callee, i);
        if (site->args[i] != PTS_NO_NODE && param != PTS_NO_NODE)
            pts_graph_edge(&s->g, site->args[i], param, 0);
    }
    flow_result(s, site, callee, recv);
    if (code->n_throws) pts_throw_declared(s, id, code);
}
