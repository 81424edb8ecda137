/*
 * Classes by names that are computed: read from a resource, put together, handed in.
 *
 * Programs of many modules keep the names of their classes in configuration that comes with them.  So a name
 * that the application computes is taken to be any of its classes that a text resource of the class path
 * names, besides the constants that travel there (reflection.c), if the resource may be meant for that code:
 * the element of the path that has the resource has the code as well, or uses it, through others too.  (Jars
 * that know nothing of each other stand side by side: a data base that lists its modules does not list them
 * for the connection pool next to it.)  An instance made of such a class is only taken to be what its result
 * is cast to.  Names from elsewhere (arguments, files outside of the class path) stay unknown, and the place
 * stays listed.
 */
#include "../plugin.h"

#include <stdlib.h>

/* The resources are read when the first computed name is met. */
static void read_names(struct pts *s) {
    struct pts_world *w = s->world;
    struct classpath_mentions mentions = {0};
    if (w->knows_named || s->options.cp == NULL) return;
    w->knows_named = true;
    struct race_error err = {0};
    w->names_unread = !classpath_named_classes(s->options.cp, &mentions, &err);
    for (size_t i = 0; i < mentions.n; i++) {
        class_id c = program_find_class(s->p, mentions.v[i].name);
        if (c.v == 0 || program_info(s->p, c)->state != CLASS_LOADED) continue;
        vec_push(&w->named, ((struct pts_named){c, mentions.v[i].element}));
    }
    classpath_mentions_release(&mentions);
}

static bool *flags(size_t n) {
    bool *v = calloc(n, sizeof *v);
    if (v == NULL) abort();
    return v;
}

/* What the element's classes refer to. */
static const bool *refers_to(struct pts *s, uint32_t element) {
    struct pts_world *w = s->world;
    while (w->refers.n <= element) vec_push(&w->refers, NULL);
    if (w->refers.v[element] == NULL) {
        w->refers.v[element] = flags(classpath_element_count(s->options.cp));
        classpath_element_uses(s->options.cp, element, w->refers.v[element]);
    }
    return w->refers.v[element];
}

/* What the element uses, through others too. */
static const bool *uses(struct pts *s, uint32_t element) {
    struct pts_world *w = s->world;
    size_t n = classpath_element_count(s->options.cp);
    while (w->uses.n <= element) vec_push(&w->uses, NULL);
    if (w->uses.v[element] != NULL) return w->uses.v[element];
    bool *used = w->uses.v[element] = flags(n);
    VEC(uint32_t) open = {0};
    vec_push(&open, element);
    used[element] = true;
    for (size_t i = 0; i < open.n; i++) {
        const bool *next = refers_to(s, open.v[i]);
        for (uint32_t k = 1; k < n; k++) { /* the JDK uses nothing of the path */
            if (!next[k] || used[k]) continue;
            used[k] = true;
            vec_push(&open, k);
        }
    }
    vec_release(&open);
    return used;
}

/* The element of the code that makes the call; 0 if it is in none. */
static uint32_t element_of(struct pts *s, uint32_t site) {
    method_id m = s->insts.v[s->sites.v[site].caller].info.method;
    const char *name = program_class_name(s->p, program_method(s->p, m)->owner);
    const struct classpath_class *c = classpath_find(s->options.cp, name);
    return c == NULL ? 0 : c->source;
}

static void give(struct pts *s, uint32_t site, class_id c) {
    struct pts_world *w = s->world;
    while (w->is_named.n <= c.v) vec_push(&w->is_named, false);
    w->n_named += !w->is_named.v[c.v];
    w->is_named.v[c.v] = true;
    pts_give_class(s, site, c);
}

void pts_give_named(struct pts *s, uint32_t site) {
    if (!pts_from_app(s, site)) return;
    read_names(s);
    const struct pts_world *w = s->world;
    if (w->names_unread) pts_gap_here(s, site, "reflective call", "a resource that cannot be read");
    struct pts_inst_info caller = s->insts.v[s->sites.v[site].caller].info;
    bool is_new, any = false;
    uint32_t element = w->named.n != 0 ? element_of(s, site) : 0;
    for (size_t i = 0; i < w->named.n; i++) {
        if (element != 0 && !uses(s, w->named.v[i].element)[element]) continue;
        give(s, site, w->named.v[i].cls);
        any = true;
    }
    pts_map_at(&s->named_calls, (uint64_t)caller.method.v << 32 | s->sites.v[site].stmt, &is_new);
    s->stats.named_calls += is_new && any;
    s->stats.named_classes = w->n_named;
}

bool pts_is_excluded_named(struct pts *s, class_id c, class_id cast) {
    const struct pts_world *w = s->world;
    bool is_named = c.v < w->is_named.n && w->is_named.v[c.v];
    return is_named && cast.v != 0 && !program_is_subtype(s->p, c, cast);
}
