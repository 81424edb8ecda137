/*
 * invokedynamic: lambdas and method references, string concatenation, records' methods, pattern switches.
 *
 * A lambda's object is an object of its interface without a class file; the values it captured are fields
 * 0, 1, ... of it.  Calling the interface's abstract method calls the implementation with the captured values
 * first.  The implementation runs in the context of the function object, as the method of an inner class
 * would, even if the compiler made it static.
 */
#include "../plugin.h"

#include <string.h>

enum { MAX_ARGS = 255 };

static class_id box_of(struct pts *s, class_id primitive) {
    static const char *const boxes[] = {"java/lang/Void",      "java/lang/Boolean", "java/lang/Byte",
                                        "java/lang/Character", "java/lang/Short",   "java/lang/Integer",
                                        "java/lang/Long",      "java/lang/Float",   "java/lang/Double"};
    return program_class(s->p, boxes[primitive.v - CLASS_VOID]);
}

/* ---- making function objects ---- */

static void make_lambda(struct pts *s, uint32_t site, dyn_id dyn) {
    const struct dyn_info *d = program_dyn(s->p, dyn);
    const struct method_sig *sig = program_sig(s->p, d->desc);
    struct pts_instance *inst = &s->insts.v[s->sites.v[site].caller];
    const struct pts_code_call *call = &inst->code->calls[s->sites.v[site].call];
    if (sig == NULL) return;
    struct pts_alloc_info info = {.kind = PTS_ALLOC_LAMBDA,
                                  .method = inst->info.method,
                                  .stmt = call->stmt,
                                  .line = call->line,
                                  .bci = call->bci,
                                  .in_loop = call->loops,
                                  .cls = sig->result};
    pts_alloc a = pts_alloc_at(s->world, info);
    bool is_new;
    *pts_map_at(&s->lambdas, a.v, &is_new) = dyn.v;
    uint32_t obj = pts_make_obj(s, a, s->insts.v[s->sites.v[site].caller].info.ctx);
    for (uint32_t i = 0; i < s->sites.v[site].n_args; i++)
        if (pts_arg(s, site, i) != PTS_NO_NODE)
            pts_flow(s, pts_arg(s, site, i), pts_field_node(s, obj, PTS_FIELD_CAPTURE + i));
    pts_put(s, pts_ret(s, site), obj);
}

enum { FLAG_SERIALIZABLE = 1, FLAG_MARKERS = 2 }; /* of LambdaMetafactory.altMetafactory */

/* The flags are the bootstrap's argument 3, then the number of marker interfaces and these. */
static unsigned flags_of(struct pts *s, dyn_id dyn) {
    const struct dyn_info *d = program_dyn(s->p, dyn);
    const struct member_ref *ref = program_ref(s->p, program_handle(s->p, d->bootstrap)->ref);
    if (d->n_args < 4 || strcmp(program_str(s->p, ref->name), "altMetafactory") != 0) return 0;
    struct const_value flags = program_dyn_arg(s->p, dyn, 3);
    return flags.kind == CONST_INT ? (unsigned)flags.u.i : 0;
}

bool pts_has_markers(struct pts *s, dyn_id dyn) {
    return flags_of(s, dyn) & (FLAG_SERIALIZABLE | FLAG_MARKERS);
}

bool pts_function_is(struct pts *s, dyn_id dyn, class_id type) {
    const struct dyn_info *d = program_dyn(s->p, dyn);
    unsigned flags = flags_of(s, dyn);
    if (program_is_subtype(s->p, program_sig(s->p, d->desc)->result, type)) return true;
    if ((flags & FLAG_SERIALIZABLE) && type.v == CLASS_SERIALIZABLE) return true;
    for (uint16_t i = 5; (flags & FLAG_MARKERS) && i < d->n_args; i++) {
        struct const_value marker = program_dyn_arg(s->p, dyn, i);
        if (marker.kind == CONST_CLASS && program_is_subtype(s->p, marker.u.cls, type)) return true;
    }
    return false;
}

/* ---- calling them ---- */

/* What one call of a function object passes on. */
struct passing {
    uint32_t args[MAX_ARGS];
    uint32_t n;
};

static void pass(struct passing *p, uint32_t node) {
    if (p->n < MAX_ARGS) p->args[p->n++] = node;
}

/* Captured values first, then the call's arguments; primitives are boxed where the callee takes objects. */
static void collect_args(struct pts *s, uint32_t site, uint32_t obj, const struct dyn_info *d,
                         struct passing *p) {
    const struct method_sig *captured = program_sig(s->p, d->desc);
    const struct method_sig *called = program_method(s->p, s->sites.v[site].method)->sig;
    for (uint32_t i = 0; i < captured->n_params; i++)
        pass(p, class_is_primitive(captured->params[i]) ? PTS_NO_NODE
                                                        : pts_field_node(s, obj, PTS_FIELD_CAPTURE + i));
    for (uint32_t i = 1; i < s->sites.v[site].n_args; i++) {
        uint32_t node = pts_arg(s, site, i);
        if (node == PTS_NO_NODE && i <= called->n_params && class_is_primitive(called->params[i - 1])) {
            node = pts_graph_nodes(&s->g, 1);
            pts_put(s, node, pts_merged_obj(s, box_of(s, called->params[i - 1])));
        }
        pass(p, node);
    }
}

void pts_box_result(struct pts *s, uint32_t site, method_id impl) {
    class_id result = program_method(s->p, impl)->sig->result;
    if (pts_ret(s, site) != PTS_NO_NODE && class_is_primitive(result) && result.v != CLASS_VOID)
        pts_put(s, pts_ret(s, site), pts_merged_obj(s, box_of(s, result)));
}

static void call_constructor(struct pts *s, uint32_t site, uint32_t obj, method_id impl, struct passing *p) {
    const struct pts_alloc_info *h = &s->world->allocs.v[s->objs.v[obj].alloc.v];
    class_id cls = program_method(s->p, impl)->owner;
    pts_ctx c = pts_ctx_for(s, &s->sites.v[site], obj, impl);
    struct passing with = {.n = 1};
    with.args[0] = pts_graph_nodes(&s->g, 1);
    for (uint32_t i = 0; i < p->n; i++) pass(&with, p->args[i]);
    pts_initialise(s, cls, s->sites.v[site].caller, s->sites.v[site].stmt);
    struct pts_code_call at = {.stmt = h->stmt, .line = h->line, .bci = h->bci};
    pts_alloc a = pts_alloc_call(s->world, h->method, &at, cls, true);
    if (pts_is_merged(s->p, cls, s->world->split)) a = pts_alloc_merged(s->world, cls);
    pts_put(s, with.args[0], pts_make_obj(s, a, c));
    pts_derive(s, site, IR_CALL_SPECIAL, impl, obj, with.args, (uint16_t)with.n, PTS_NO_NODE);
    pts_flow(s, with.args[0], pts_ret(s, site));
}

/* The context of a static implementation is the function object's, not the caller's. */
static void call_static(struct pts *s, uint32_t site, uint32_t obj, method_id impl, struct passing *p) {
    bool is_new;
    uint32_t id = pts_derive_site(s, site, IR_CALL_STATIC, impl, obj, p->args, (uint16_t)p->n,
                                  pts_ret(s, site), &is_new);
    if (!is_new) return;
    pts_initialise(s, program_method(s->p, impl)->owner, s->sites.v[id].caller, s->sites.v[id].stmt);
    if (pts_method_at(s, impl)->model) {
        pts_call_method(s, id, impl, 0);
        return;
    }
    pts_ctx c = pts_ctx_for(s, &s->sites.v[id], obj, impl);
    pts_call_edge(s, id, pts_instance(s, impl, c), 0);
}

static void call_implementation(struct pts *s, uint32_t site, uint32_t obj, dyn_id dyn) {
    const struct dyn_info *d = program_dyn(s->p, dyn);
    struct const_value arg = program_dyn_arg(s->p, dyn, 1);
    if (arg.kind != CONST_METHOD_HANDLE) return;
    const struct handle_info *h = program_handle(s->p, arg.u.handle);
    method_id impl = program_ref_method(s->p, h->ref);
    if (impl.v == 0) {
        pts_gap_here(s, site, "unresolved call", "function object");
        return;
    }
    struct passing p = {.n = 0};
    collect_args(s, site, obj, d, &p);
    switch (h->kind) {
    case HANDLE_INVOKE_STATIC: call_static(s, site, obj, impl, &p); break;
    case HANDLE_NEW_INVOKE_SPECIAL: call_constructor(s, site, obj, impl, &p); return;
    case HANDLE_INVOKE_SPECIAL:
        pts_derive(s, site, IR_CALL_SPECIAL, impl, obj, p.args, (uint16_t)p.n, pts_ret(s, site));
        break;
    default: pts_derive(s, site, IR_CALL_VIRTUAL, impl, obj, p.args, (uint16_t)p.n, pts_ret(s, site)); break;
    }
    pts_box_result(s, site, impl);
}

bool pts_call_lambda(struct pts *s, uint32_t site, uint32_t obj) {
    method_id called = s->sites.v[site].method;
    method_id found = program_dispatch(s->p, s->objs.v[obj].cls, called);
    if (found.v && !(program_method(s->p, found)->access & CF_ACC_ABSTRACT))
        return false; /* a default method */
    bool is_new = pts_pairs_add(&s->handled, site, obj);
    uint32_t dyn = pts_map_get(&s->lambdas, s->objs.v[obj].alloc.v, 0);
    if (is_new && dyn) call_implementation(s, site, obj, (dyn_id){dyn});
    return true;
}

/* ---- the other bootstraps ---- */

static void call_on_node(struct pts *s, uint32_t site, uint32_t node, const char *name, const char *desc,
                         uint32_t ret) {
    if (node == PTS_NO_NODE) return;
    method_id m = program_method_named(s->p, "java/lang/Object", name, desc);
    pts_derive(s, site, IR_CALL_VIRTUAL, m, node, &node, 1, ret);
}

/* "" + x calls x.toString(). */
static void concat(struct pts *s, uint32_t site) {
    for (uint32_t i = 0; i < s->sites.v[site].n_args; i++)
        call_on_node(s, site, pts_arg(s, site, i), "toString", "()Ljava/lang/String;", PTS_NO_NODE);
    pts_put(s, pts_ret(s, site), pts_merged_obj(s, (class_id){CLASS_STRING}));
}

/* A record's equals, hashCode or toString calls the same method on every component. */
static void record_method(struct pts *s, uint32_t site, dyn_id dyn) {
    const struct dyn_info *d = program_dyn(s->p, dyn);
    const char *name = program_str(s->p, d->name);
    bool text = strcmp(name, "toString") == 0, equal = strcmp(name, "equals") == 0;
    const char *desc = text ? "()Ljava/lang/String;" : equal ? "(Ljava/lang/Object;)Z" : "()I";
    uint32_t self = pts_arg(s, site, 0);
    for (uint16_t i = 2; i < d->n_args && self != PTS_NO_NODE; i++) {
        struct const_value arg = program_dyn_arg(s->p, dyn, i);
        if (arg.kind != CONST_METHOD_HANDLE) continue;
        uint32_t value = pts_graph_nodes(&s->g, 1);
        struct pts_cons load = {
            .kind = PTS_CONS_LOAD, .a = value, .b = program_handle(s->p, arg.u.handle)->ref.v};
        if (class_is_primitive(program_ref_type(s->p, (ref_id){load.b}))) continue;
        pts_graph_cons(&s->g, self, load);
        call_on_node(s, site, value, name, desc, PTS_NO_NODE);
    }
    if (text) pts_put(s, pts_ret(s, site), pts_merged_obj(s, (class_id){CLASS_STRING}));
}

void pts_bootstrap(struct pts *s, uint32_t site) {
    dyn_id dyn = {s->sites.v[site].ref};
    const struct handle_info *h = program_handle(s->p, program_dyn(s->p, dyn)->bootstrap);
    const struct member_ref *ref = program_ref(s->p, h->ref);
    const char *cls = program_class_name(s->p, ref->cls);
    if (strcmp(cls, "java/lang/invoke/LambdaMetafactory") == 0)
        make_lambda(s, site, dyn);
    else if (strcmp(cls, "java/lang/invoke/StringConcatFactory") == 0)
        concat(s, site);
    else if (strcmp(cls, "java/lang/runtime/ObjectMethods") == 0)
        record_method(s, site, dyn);
    else if (strcmp(cls, "java/lang/runtime/SwitchBootstraps") != 0) /* it only chooses a number */
        pts_gap_here(s, site, "unknown bootstrap", cls);
}

const struct pts_plugin pts_plugin_lambda = {.name = "lambda"};
