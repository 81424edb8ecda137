/*
 * Classes by names that are computed: read from a resource, put together, handed in.
 *
 * Programs of many modules keep the names of their classes in configuration that comes with them.  So a name
 * that the application computes is taken to be any of its classes that a text resource of the class path
 * names, besides the constants that travel there (reflection.c).  An instance made of such a class is only
 * taken to be what its result is cast to.  Names from elsewhere (arguments, files outside of the class path)
 * stay unknown, and the place stays listed.
 */
#include "../plugin.h"

static void see_named(struct pts_world *w, class_id c) {
    while (w->is_named.n <= c.v) vec_push(&w->is_named, false);
    w->is_named.v[c.v] = true;
    vec_push(&w->named, c);
}

/* The resources are read when the first computed name is met. */
static void read_names(struct pts *s) {
    struct pts_world *w = s->world;
    struct classpath_names names = {0};
    if (w->knows_named || s->options.cp == NULL) return;
    w->knows_named = true;
    struct race_error err = {0};
    w->names_unread = !classpath_named_classes(s->options.cp, &names, &err);
    for (size_t i = 0; i < names.n; i++) {
        class_id c = program_find_class(s->p, names.v[i]);
        if (c.v != 0 && program_info(s->p, c)->state == CLASS_LOADED) see_named(w, c);
    }
    classpath_names_release(&names);
}

void pts_give_named(struct pts *s, uint32_t site) {
    if (!pts_from_app(s, site)) return;
    read_names(s);
    const struct pts_world *w = s->world;
    if (w->names_unread) pts_gap_here(s, site, "reflective call", "a resource that cannot be read");
    struct pts_inst_info caller = s->insts.v[s->sites.v[site].caller].info;
    bool is_new;
    for (size_t i = 0; i < w->named.n; i++) pts_give_class(s, site, w->named.v[i]);
    pts_map_at(&s->named_calls, (uint64_t)caller.method.v << 32 | s->sites.v[site].stmt, &is_new);
    s->stats.named_calls += is_new && w->named.n != 0;
    s->stats.named_classes = (uint32_t)w->named.n;
}

bool pts_is_excluded_named(struct pts *s, class_id c, class_id cast) {
    const struct pts_world *w = s->world;
    bool is_named = c.v < w->is_named.n && w->is_named.v[c.v];
    return is_named && cast.v != 0 && !program_is_subtype(s->p, c, cast);
}
