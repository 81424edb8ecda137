/*
 * ServiceLoader: instances of the providers that META-INF/services and the modules name.
 *
 * The loader's own machinery is analysed; only its last step, making an instance, is replaced: it gives the
 * providers of every service that application code asked for with a constant class.  The cast at the use
 * keeps the services apart.  The JDK's own loads add only providers that the application brings along.
 */
#include "../plugin.h"

#include <string.h>

static void add_providers(struct pts *s, uint32_t site, class_id service) {
    struct classpath_names names = {0};
    struct race_error err = {0};
    bool app = pts_from_app(s, site);
    if (s->options.cp == NULL) {
        pts_gap_here(s, site, "service", "no class path to look in");
        return;
    }
    classpath_providers(s->options.cp, program_class_name(s->p, service), &names, &err);
    for (size_t i = 0; i < names.n; i++) {
        class_id c = program_find_class(s->p, names.v[i]);
        if (c.v == 0) continue;
        if (!app && program_info(s->p, c)->from_jdk) {
            pts_gap_here(s, site, "service", "the JDK's own providers");
            continue;
        }
        pts_put(s, s->providers, pts_instantiate(s, site, c, PTS_NO_NODE));
    }
    classpath_names_release(&names);
}

static void load(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    class_id service = pts_class_arg(s, site, 0);
    if (service.v == 0) service = pts_class_arg(s, site, 1); /* load(layer, service) */
    if (service.v)
        add_providers(s, site, service);
    else
        pts_gap_here(s, site, "service", "not a constant class");
}

static void instance(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    pts_flow(s, s->providers, pts_ret(s, site));
}

/* next() of the lazy iterators finds what is in loaded modules; every loader may have a provider. */
static void lookup(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    pts_put(s, pts_ret(s, site), pts_model_obj(s, "java/util/ServiceLoader$ProviderImpl", "provider"));
}

#define LOADER "java/util/ServiceLoader"

static const struct pts_model models[] = {
    {LOADER, "load", NULL, load, 0, false},
    {LOADER, "loadInstalled", NULL, load, 0, false},
    {LOADER "$ProviderImpl", "get", NULL, instance, 0, true},
    {LOADER "$ModuleServicesLookupIterator", "next", NULL, lookup, 0, false},
    {LOADER "$LazyClassPathLookupIterator", "next", NULL, lookup, 0, false},
    {LOADER "$LayerLookupIterator", "next", NULL, lookup, 0, false},
};

const struct pts_plugin pts_plugin_services = {.name = "services", PTS_MODELS(models)};
