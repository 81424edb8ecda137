/* The list of plug-ins, and what their models have in common. */
#include "plugin.h"

#include <string.h>

static const struct pts_plugin *const plugins[] = {
    &pts_plugin_startup,  &pts_plugin_threads, &pts_plugin_lambda,     &pts_plugin_privileged,
    &pts_plugin_natives,  &pts_plugin_unsafe,  &pts_plugin_reflection, &pts_plugin_references,
    &pts_plugin_services, &pts_plugin_proxy,   &pts_plugin_serial,     &pts_plugin_handles,
};

/* Models are found by class and method name; those with one name follow each other in s->models. */
static uint64_t model_key(class_id cls, name_id name) {
    return (uint64_t)cls.v << 32 | name.v;
}

static void add_models(struct pts *s, const struct pts_plugin *plugin) {
    for (size_t i = 0; i < plugin->n_models; i++) {
        const struct pts_model *m = &plugin->models[i];
        bool is_new;
        uint64_t key = model_key(program_class(s->p, m->cls), program_name(s->p, m->name));
        uint32_t *at = pts_map_at(&s->model_map, key, &is_new);
        if (is_new) *at = (uint32_t)s->models.n + 1;
        vec_push(&s->models, m);
    }
}

void pts_plugins_start(struct pts *s) {
    for (size_t i = 0; i < sizeof plugins / sizeof *plugins; i++) add_models(s, plugins[i]);
    for (size_t i = 0; i < sizeof plugins / sizeof *plugins; i++)
        if (plugins[i]->start) plugins[i]->start(s);
}

const struct pts_model *pts_model_of(struct pts *s, method_id m) {
    const struct method_info *info = program_method(s->p, m);
    uint32_t at = pts_map_get(&s->model_map, model_key(info->owner, info->name), 0);
    if (at == 0) return NULL;
    const char *cls = s->models.v[at - 1]->cls, *name = s->models.v[at - 1]->name;
    const char *desc = program_str(s->p, info->desc);
    for (size_t i = at - 1; i < s->models.n; i++) {
        const struct pts_model *model = s->models.v[i];
        if (strcmp(model->cls, cls) != 0 || strcmp(model->name, name) != 0) break;
        if (model->desc == NULL || strcmp(model->desc, desc) == 0) return model;
    }
    return NULL;
}

uint32_t pts_arg(const struct pts *s, uint32_t site, uint32_t i) {
    return i < s->sites.v[site].n_args ? s->sites.v[site].args[i] : PTS_NO_NODE;
}

uint32_t pts_ret(const struct pts *s, uint32_t site) {
    return s->sites.v[site].ret;
}

class_id pts_result_type(const struct pts *s, uint32_t site) {
    const struct pts_site *at = &s->sites.v[site];
    const struct method_sig *sig = at->ref ? program_ref_sig(s->p, (ref_id){at->ref}) : NULL;
    if (sig == NULL && at->method.v) sig = program_method(s->p, at->method)->sig;
    return sig == NULL || class_is_primitive(sig->result) ? (class_id){CLASS_OBJECT} : sig->result;
}

uint32_t pts_cast_ret(struct pts *s, uint32_t site) {
    class_id type = pts_result_type(s, site);
    if (pts_ret(s, site) == PTS_NO_NODE || type.v == CLASS_OBJECT) return pts_ret(s, site);
    uint32_t node = pts_graph_nodes(&s->g, 1);
    pts_graph_edge(&s->g, node, pts_ret(s, site), type.v);
    return node;
}

void pts_flow(struct pts *s, uint32_t src, uint32_t dst) {
    if (src != PTS_NO_NODE && dst != PTS_NO_NODE) pts_graph_edge(&s->g, src, dst, 0);
}

void pts_put(struct pts *s, uint32_t node, uint32_t obj) {
    if (node != PTS_NO_NODE) pts_graph_add(&s->g, node, obj);
}

/* The code's call behind a site; NULL for calls that no statement of ours stands for. */
static const struct pts_code_call *code_call(const struct pts *s, uint32_t site,
                                             const struct pts_code **code) {
    const struct pts_site *at = &s->sites.v[site];
    if (at->call == PTS_NO_VAR || at->caller == 0) return NULL;
    *code = s->insts.v[at->caller].code;
    return &(*code)->calls[at->call];
}

name_id pts_string_arg(const struct pts *s, uint32_t site, uint32_t i) {
    const struct pts_code *code;
    const struct pts_code_call *call = code_call(s, site, &code);
    return call && i < call->n_args ? code->strings[call->args + i] : (name_id){0};
}

class_id pts_class_arg(const struct pts *s, uint32_t site, uint32_t i) {
    const struct pts_code *code;
    const struct pts_code_call *call = code_call(s, site, &code);
    return call && i < call->n_args ? code->arg_classes[call->args + i] : (class_id){0};
}

class_id pts_result_cast(const struct pts *s, uint32_t site) {
    const struct pts_code *code;
    const struct pts_code_call *call = code_call(s, site, &code);
    return call ? (class_id){code->result_casts[s->sites.v[site].call]} : (class_id){0};
}

bool pts_from_app(const struct pts *s, uint32_t site) {
    uint32_t caller = s->sites.v[site].caller;
    return caller != 0 && pts_is_app(s, s->insts.v[caller].info.method);
}

/* A number for a pair of numbers below 2^30. */
static uint32_t pair_number(struct pts *s, uint64_t kind, uint32_t x, uint32_t y, bool *is_new) {
    uint32_t *at = pts_map_at(&s->derived, kind << 60 | (uint64_t)x << 30 | y, is_new);
    if (*is_new) *at = (uint32_t)s->derived.n;
    return *at;
}

/*
 * Function objects, handles and reflection cast what they pass on to what the target declares; the values
 * come from erased code (Consumer.accept(Object)) and would be anything else.
 */
static void feed_site(struct pts *s, uint32_t id, const uint32_t *args, uint16_t n_args, uint32_t ret) {
    const struct method_info *m = program_method(s->p, s->sites.v[id].method);
    uint32_t first = s->sites.v[id].kind == IR_CALL_STATIC ? 0 : 1;
    for (uint32_t i = 0; i < n_args; i++) {
        class_id type = {CLASS_OBJECT};
        if (i >= first && i - first < m->sig->n_params) type = m->sig->params[i - first];
        if (args[i] != PTS_NO_NODE && !class_is_primitive(type))
            pts_graph_edge(&s->g, args[i], s->sites.v[id].args[i], type.v == CLASS_OBJECT ? 0 : type.v);
    }
    pts_flow(s, s->sites.v[id].ret, ret);
}

uint32_t pts_derive_site(struct pts *s, uint32_t site, enum ir_call kind, method_id m, uint32_t tag,
                         const uint32_t *args, uint16_t n_args, uint32_t ret, bool *is_new) {
    struct pts_site derived = s->sites.v[site];
    uint32_t place = pair_number(s, 1, derived.caller, derived.stmt, is_new);
    uint32_t target = pair_number(s, 2, place, m.v, is_new);
    bool is_static = kind == IR_CALL_STATIC;
    uint32_t key = pair_number(s, 3, target, tag << 1 | is_static, is_new);
    uint32_t *known = pts_map_at(&s->derived, UINT64_C(4) << 60 | key, is_new);
    if (!*is_new) {
        uint32_t id = *known;
        feed_site(s, id, args, n_args, ret);
        return id;
    }
    uint32_t id = *known = (uint32_t)s->sites.n, nodes[256];
    uint32_t first = pts_graph_nodes(&s->g, n_args + 1u);
    for (uint32_t i = 0; i < n_args; i++) nodes[i] = first + i;
    derived = (struct pts_site){.caller = derived.caller,
                                .stmt = derived.stmt,
                                .call = PTS_NO_VAR,
                                .method = m,
                                .ret = first + n_args,
                                .args = nodes,
                                .n_args = n_args,
                                .kind = (uint8_t)kind,
                                .edge = PTS_EDGE_CALL};
    pts_new_site(s, derived);
    feed_site(s, id, args, n_args, ret);
    return id;
}

void pts_derive(struct pts *s, uint32_t site, enum ir_call kind, method_id m, uint32_t tag,
                const uint32_t *args, uint16_t n_args, uint32_t ret) {
    bool is_new;
    if (m.v == 0 || n_args > 255) return;
    uint32_t id = pts_derive_site(s, site, kind, m, tag, args, n_args, ret, &is_new);
    if (is_new) pts_enter_site(s, id);
}

uint32_t pts_derive_vm(struct pts *s, enum ir_call kind, method_id m, const uint32_t *args, uint16_t n_args,
                       uint32_t ret) {
    struct pts_site derived = {.call = PTS_NO_VAR,
                               .method = m,
                               .ret = ret,
                               .args = (uint32_t *)args,
                               .n_args = n_args,
                               .kind = (uint8_t)kind,
                               .edge = PTS_EDGE_CALL};
    uint32_t id = pts_new_site(s, derived);
    if (m.v) pts_enter_site(s, id);
    return id;
}

uint32_t pts_made_here(struct pts *s, uint32_t site, class_id cls) {
    const struct pts_site *at = &s->sites.v[site];
    if (at->caller == 0 || pts_is_merged(s->p, cls, s->world->split)) return pts_merged_obj(s, cls);
    struct pts_inst_info caller = s->insts.v[at->caller].info;
    struct pts_code_call call = {.stmt = at->stmt, .loops = true};
    if (at->call != PTS_NO_VAR) call = s->insts.v[at->caller].code->calls[at->call];
    return pts_make_obj(s, pts_alloc_call(s->world, caller.method, &call, cls, call.loops), caller.ctx);
}

uint32_t pts_filtered(struct pts *s, uint32_t src, class_id type) {
    if (src == PTS_NO_NODE || class_is_primitive(type)) return PTS_NO_NODE;
    uint32_t node = pts_graph_nodes(&s->g, 1);
    pts_graph_edge(&s->g, src, node, type.v == CLASS_OBJECT ? 0 : type.v);
    return node;
}

static void construct(struct pts *s, uint32_t site, method_id ctor, uint32_t self, uint32_t arg_values) {
    const struct method_sig *sig = program_method(s->p, ctor)->sig;
    uint32_t args[256] = {self};
    if (sig->n_params > 254) return;
    for (uint32_t i = 0; i < sig->n_params; i++) args[i + 1] = pts_filtered(s, arg_values, sig->params[i]);
    pts_derive(s, site, IR_CALL_SPECIAL, ctor, 0, args, (uint16_t)(sig->n_params + 1), PTS_NO_NODE);
}

uint32_t pts_instantiate(struct pts *s, uint32_t site, class_id cls, uint32_t arg_values) {
    const struct class_info *info = program_info(s->p, cls);
    uint32_t obj = pts_made_here(s, site, cls), self = pts_graph_nodes(&s->g, 1);
    pts_put(s, self, obj);
    pts_initialise(s, cls, s->sites.v[site].caller, s->sites.v[site].stmt);
    name_id init = program_name(s->p, "<init>");
    for (uint32_t i = 0; i < info->n_methods; i++) {
        method_id m = {info->first_method.v + i};
        const struct method_info *ctor = program_method(s->p, m);
        if (ctor->name.v != init.v || (arg_values == PTS_NO_NODE && ctor->sig->n_params)) continue;
        construct(s, site, m, self, arg_values);
    }
    return obj;
}

void pts_gap_here(struct pts *s, uint32_t site, const char *what, const char *detail) {
    const struct pts_site *at = &s->sites.v[site];
    if (at->caller) pts_add_gap(s, what, s->insts.v[at->caller].info.method, at->stmt, detail);
}

bool pts_call_function(struct pts *s, uint32_t site, uint32_t obj) {
    const struct pts_alloc_info *h = &s->world->allocs.v[s->objs.v[obj].alloc.v];
    if (h->kind == PTS_ALLOC_LAMBDA) return pts_call_lambda(s, site, obj);
    return h->kind == PTS_ALLOC_MODEL && pts_call_proxy(s, site, obj);
}

void pts_call_dynamic(struct pts *s, uint32_t site) {
    pts_bootstrap(s, site);
}
