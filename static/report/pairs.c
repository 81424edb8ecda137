#include "pairs.h"

#include "fingerprint.h"
#include "index.h"
#include "names.h"

struct pair_site {
    struct report_access access; /* without a path */
    const char *location;
    struct fingerprint_parts parts;
    const char *index_key;
};

static struct report_access site_access(struct report *r, const struct plan *p, const struct plan_site *s) {
    const struct plan_method *m = &p->methods[s->method];
    const struct plan_class *c = &p->classes[m->cls];
    return (struct report_access){.is_write = s->is_write,
                                  .cls = name_with_dots(&r->arena, c->name),
                                  .method = text_clean(&r->arena, m->name),
                                  .desc = text_clean(&r->arena, m->desc),
                                  .file = c->file != NULL ? text_clean(&r->arena, c->file) : NULL,
                                  .line = s->line,
                                  .bci = s->bci};
}

static const char *location_text(struct report *r, const struct plan_site *s) {
    size_t n = plan_location_text(s->kind, s->owner, s->name, NULL, 0);
    char *text = arena_alloc(&r->arena, n + 1);
    plan_location_text(s->kind, s->owner, s->name, text, n + 1);
    return text_clean(&r->arena, text);
}

static void describe_site(struct pairs *x, uint32_t i) {
    const struct plan_site *s = &x->p->sites[i];
    struct pair_site *out = &x->sites[i];
    out->access = site_access(x->r, x->p, s);
    out->location = location_text(x->r, s);
    out->parts = fingerprint_parts(&x->r->arena, &out->access, out->location);
    out->index_key = index_site_key(&x->r->arena, &out->access);
}

/* What the analysis knows of one side: a path from the thread's root and the locks on it. */
static void describe_side(struct pairs *x, uint32_t i, const char *const *frames) {
    struct arena *arena = &x->r->arena;
    struct report_access *a = &x->sides[i];
    struct plan_path path;
    *a = x->sites[x->p->sides[i].site.v - 1].access;
    plan_side_path(x->p, (plan_side_id){i + 1}, &x->scratch, &path);
    a->stack.n = path.n_frames > 0 ? path.n_frames : 1;
    a->stack.v = ARENA_NEW_N(arena, a->stack.n, const char *);
    if (path.n_frames == 0) a->stack.v[0] = frame_text(arena, a->cls, a->method, a->file, a->line);
    uint32_t f = x->p->sides[i].frame.v;
    for (size_t k = 0; k < path.n_frames; k++, f = x->p->frames[f - 1].caller.v)
        a->stack.v[k] = frames[f - 1];
    if (f != 0) a->thread = frames[f - 1];
    a->locks = ARENA_NEW_N(arena, path.n_locks, struct report_lock);
    a->n_locks = path.n_locks;
    for (size_t k = 0; k < path.n_locks; k++) a->locks[k].cls = text_clean(arena, path.locks[k]);
    arena_clear(&x->scratch);
}

void pairs_init(struct pairs *x, struct report *r, const struct plan *p) {
    *x = (struct pairs){.r = r, .p = p};
    arena_init(&x->scratch);
    struct arena *arena = &r->arena;
    const char **frames = ARENA_NEW_N(arena, p->n_frames, const char *);
    x->sites = ARENA_NEW_N(arena, p->n_sites, struct pair_site);
    x->sides = ARENA_NEW_N(arena, p->n_sides, struct report_access);
    x->whys = ARENA_NEW_N(arena, p->n_whys, const char *);
    for (uint32_t i = 0; i < p->n_frames; i++) frames[i] = text_clean(arena, p->frames[i].text);
    for (uint32_t i = 0; i < p->n_sites; i++) describe_site(x, i);
    for (uint32_t i = 0; i < p->n_sides; i++) describe_side(x, i, frames);
    for (uint32_t i = 0; i < p->n_whys; i++) x->whys[i] = text_clean(arena, p->whys[i]);
}

void pairs_release(struct pairs *x) {
    arena_release(&x->scratch);
}

static const struct pair_site *site_of(const struct pairs *x, const struct plan_pair *pair, int side) {
    return &x->sites[plan_pair_site(x->p, pair, side).v - 1];
}

/* The location of a pair is named after the side that writes: it is the one that must change. */
struct report_race pairs_race(struct pairs *x, plan_pair_id id) {
    struct plan_pair pair = plan_pair_get(x->p, id);
    const struct pair_site *first = site_of(x, &pair, 0), *second = site_of(x, &pair, 1);
    const struct pair_site *named = first->access.is_write ? first : second;
    enum plan_kind kind = x->p->sites[named - x->sites].kind;
    arena_clear(&x->scratch);
    return (struct report_race){.is_static = true,
                                .pair = id,
                                .kind = kind,
                                .field = named->location,
                                .accesses = {x->sides[pair.side[0].v - 1], x->sides[pair.side[1].v - 1]},
                                .reason = pair.why.v != 0 ? x->whys[pair.why.v - 1] : NULL,
                                .fingerprint = fingerprint_of(&x->r->arena, &x->scratch, kind, &named->parts,
                                                              &first->parts, &second->parts)};
}

const char *pairs_index_key(struct pairs *x, plan_pair_id id) {
    struct plan_pair pair = plan_pair_get(x->p, id);
    arena_clear(&x->scratch);
    return index_key_of(&x->scratch, site_of(x, &pair, 0)->index_key, site_of(x, &pair, 1)->index_key);
}
