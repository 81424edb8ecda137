/*
 * Method handles: found by constant class and name, called by invoke and invokeExact.
 *
 * A handle is a model object that remembers class and member name; combinators (bindTo, asType and so on)
 * keep it.  A handle that comes from elsewhere is listed as a gap where it is called.
 */
#include "../plugin.h"

#include <string.h>

#define LOOKUP "java/lang/invoke/MethodHandles$Lookup"
#define HANDLE "java/lang/invoke/MethodHandle"

enum { FIND_METHOD, FIND_CONSTRUCTOR };

static void find(struct pts *s, uint32_t site, uint32_t recv, uint32_t what) {
    (void)recv;
    class_id cls = pts_class_arg(s, site, 1);
    name_id name = pts_string_arg(s, site, 2);
    const char *label = what == FIND_CONSTRUCTOR ? "<init>" : name.v ? program_str(s->p, name) : NULL;
    if (cls.v == 0 || label == NULL) {
        pts_put(s, pts_ret(s, site), pts_merged_obj(s, (class_id){CLASS_METHOD_HANDLE}));
        return;
    }
    class_id handle = {CLASS_METHOD_HANDLE};
    pts_put(s, pts_ret(s, site), pts_plain_obj(s, pts_alloc_about(s->world, handle, label, cls)));
}

/* The handle's arguments are the call's; a bound receiver is not told apart from a passed one. */
static void call_target(struct pts *s, uint32_t site, method_id m) {
    const struct method_info *info = program_method(s->p, m);
    const struct pts_site *at = &s->sites.v[site];
    bool is_static = info->access & CF_ACC_STATIC;
    uint32_t n = at->n_args - 1u, want = info->sig->n_params + (is_static ? 0u : 1u);
    uint32_t args[256];
    if (want > 255) return;
    for (uint32_t i = 0; i < want; i++) args[i] = i < n ? pts_arg(s, site, i + 1) : PTS_NO_NODE;
    pts_derive(s, site, is_static ? IR_CALL_STATIC : IR_CALL_VIRTUAL, m, 0, args, (uint16_t)want,
               pts_cast_ret(s, site));
}

static void invoke(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    const struct pts_alloc_info *h = &s->world->allocs.v[s->objs.v[recv].alloc.v];
    class_id cls = h->type;
    if (cls.v == 0 || h->label == NULL) {
        /* Constructors of a class that is known only at run time; the call says what comes out. */
        pts_instantiate_below(s, site, pts_result_type(s, site), pts_arg(s, site, 1));
        pts_gap_here(s, site, "method handle", "unknown target");
        return;
    }
    if (strcmp(h->label, "<init>") == 0) {
        pts_put(s, pts_ret(s, site), pts_instantiate(s, site, cls, pts_arg(s, site, 1)));
        return;
    }
    name_id name = program_name(s->p, h->label);
    for (; cls.v; cls = program_info(s->p, cls)->super) {
        const struct class_info *info = program_info(s->p, cls);
        for (uint32_t i = 0; i < info->n_methods; i++) {
            method_id m = {info->first_method.v + i};
            if (program_method(s->p, m)->name.v == name.v) call_target(s, site, m);
        }
    }
}

static void keep(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    pts_put(s, pts_ret(s, site), recv);
}

static const struct pts_model models[] = {
    {LOOKUP, "findVirtual", NULL, find, FIND_METHOD, true},
    {LOOKUP, "findStatic", NULL, find, FIND_METHOD, true},
    {LOOKUP, "findSpecial", NULL, find, FIND_METHOD, true},
    {LOOKUP, "findConstructor", NULL, find, FIND_CONSTRUCTOR, true},
    {HANDLE, "invoke", NULL, invoke, 0, true},
    {HANDLE, "invokeExact", NULL, invoke, 0, true},
    {HANDLE, "invokeWithArguments", NULL, invoke, 0, true},
    {HANDLE, "asType", NULL, keep, 0, true},
    {HANDLE, "bindTo", NULL, keep, 0, true},
};

const struct pts_plugin pts_plugin_handles = {.name = "method handles", PTS_MODELS(models)};
