/*
 * java.lang.reflect.Proxy: an object without a class file whose every method calls the handler.
 *
 * The proxy's class is the interface its creation is cast to, else one of the constant Class objects in the
 * array of interfaces; the handler is kept in a field of the model object.
 */
#include "../plugin.h"

#include <string.h>

#define PROXY_LABEL "proxy"

static void make_proxy(struct pts *s, uint32_t site, class_id iface, uint32_t handler) {
    uint32_t obj = pts_plain_obj(s, pts_alloc_model(s->world, iface, PROXY_LABEL));
    pts_flow(s, handler, pts_field_node(s, obj, PTS_FIELD_MODEL));
    pts_put(s, pts_ret(s, site), obj);
}

static void see_interface(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    const struct pts_alloc_info *h = &s->world->allocs.v[s->objs.v[obj].alloc.v];
    if (h->kind == PTS_ALLOC_CLASS && h->type.v && program_info(s->p, h->type)->access & CF_ACC_INTERFACE)
        make_proxy(s, w->site, h->type, w->a);
}

static void new_proxy(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    uint32_t handler = pts_arg(s, site, 2), classes = pts_graph_nodes(&s->g, 1);
    class_id cast = pts_result_cast(s, site);
    if (handler == PTS_NO_NODE) return;
    if (cast.v && program_info(s->p, cast)->access & CF_ACC_INTERFACE) {
        make_proxy(s, site, cast, handler);
        return;
    }
    struct pts_cons load = {.kind = PTS_CONS_LOAD, .a = classes, .b = 0};
    if (pts_arg(s, site, 1) != PTS_NO_NODE) pts_graph_cons(&s->g, pts_arg(s, site, 1), load);
    pts_add_watch(s, classes, see_interface, site, handler, 0);
}

/* handler.invoke(proxy, method, new Object[] {arguments}) */
bool pts_call_proxy(struct pts *s, uint32_t site, uint32_t obj) {
    const struct pts_alloc_info *h = &s->world->allocs.v[s->objs.v[obj].alloc.v];
    if (h->label == NULL || strcmp(h->label, PROXY_LABEL) != 0) return false;
    if (!pts_pairs_add(&s->handled, site, obj)) return true;
    method_id called = s->sites.v[site].method;
    class_id owner = program_method(s->p, called)->owner;
    const char *name = program_str(s->p, program_method(s->p, called)->name);
    uint32_t args[4] = {pts_field_node(s, obj, PTS_FIELD_MODEL), pts_graph_nodes(&s->g, 3)};
    args[2] = args[1] + 1;
    args[3] = args[1] + 2;
    pts_put(s, args[1], obj);
    pts_put(s, args[2],
            pts_plain_obj(
                s, pts_alloc_about(s->world, program_class(s->p, "java/lang/reflect/Method"), name, owner)));
    uint32_t array = pts_made_here(s, site, program_array_of(s->p, (class_id){CLASS_OBJECT}));
    pts_put(s, args[3], array);
    for (uint32_t i = 1; i < s->sites.v[site].n_args; i++)
        pts_flow(s, pts_arg(s, site, i), pts_field_node(s, array, PTS_FIELD_ELEMS));
    method_id invoke = program_method_named(
        s->p, "java/lang/reflect/InvocationHandler", "invoke",
        "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;");
    pts_derive(s, site, IR_CALL_INTERFACE, invoke, obj, args, 4, pts_cast_ret(s, site));
    return true;
}

static const struct pts_model models[] = {
    {"java/lang/reflect/Proxy", "newProxyInstance", NULL, new_proxy, 0, true},
};

const struct pts_plugin pts_plugin_proxy = {.name = "proxy", PTS_MODELS(models)};
