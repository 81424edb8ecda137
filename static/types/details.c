#include "details.h"

#include <stdlib.h>
#include <string.h>

enum detail_kind { DETAIL_FRAME = 1, DETAIL_SIDE, DETAIL_WHY };

struct detail_place {
    struct detail_key key; /* kind 0: free */
    uint32_t number;
};

void details_init(struct details *d, struct races *r, struct plan_writer *w) {
    *d = (struct details){.r = r, .w = w};
}

void details_release(struct details *d) {
    free(d->places);
    vec_release(&d->held);
}

static struct detail_place *place_of(struct detail_place *places, size_t n, const struct detail_key *key) {
    size_t i = (size_t)plan_digest(key, sizeof *key);
    for (;; i++) {
        struct detail_place *p = &places[i & (n - 1)];
        if (p->key.kind == 0 || memcmp(&p->key, key, sizeof *key) == 0) return p;
    }
}

static void grow(struct details *d) {
    size_t n = d->n_places > 0 ? d->n_places * 2 : 1024;
    struct detail_place *places = calloc(n, sizeof *places);
    if (places == NULL) abort();
    for (size_t i = 0; i < d->n_places; i++)
        if (d->places[i].key.kind != 0) *place_of(places, n, &d->places[i].key) = d->places[i];
    free(d->places);
    d->places = places;
    d->n_places = n;
}

/* The number that the key got, or 0. */
static uint32_t known(struct details *d, const struct detail_key *key) {
    return d->n_places > 0 ? place_of(d->places, d->n_places, key)->number : 0;
}

static uint32_t remember(struct details *d, const struct detail_key *key, uint32_t number) {
    if (d->n * 2 >= d->n_places) grow(d);
    struct detail_place *p = place_of(d->places, d->n_places, key);
    d->n += p->key.kind == 0;
    *p = (struct detail_place){*key, number};
    return number;
}

/* The frame that calls the instance on the thread's shortest path to it; the thread's root if none does. */
static plan_frame_id frame_above(struct details *d, struct races_side side) {
    struct detail_key key = {DETAIL_FRAME, {side.thread, side.inst.v}};
    plan_frame_id id = {known(d, &key)};
    if (id.v != 0) return id;
    const struct pts_call *call = path_step(d->r, side.thread, side.inst);
    if (call == NULL) {
        id = plan_write_frame(d->w, (plan_frame_id){0}, races_root(d->r, &side));
    } else {
        plan_frame_id caller = frame_above(d, (struct races_side){call->caller, side.thread});
        id = plan_write_frame(d->w, caller, races_call_text(d->r, call));
    }
    remember(d, &key, id.v);
    return id;
}

plan_side_id details_side(struct details *d, const struct races_pair *pair, int side, plan_site_id site) {
    const struct races_side *s = &pair->side[side];
    struct detail_key key = {DETAIL_SIDE, {pair->site[side].v, s->thread, s->inst.v}};
    plan_side_id id = {known(d, &key)};
    if (id.v != 0) return id;
    size_t n;
    const char *const *locks = races_locks(d->r, pair, side, &n);
    plan_held_id held = plan_write_held(d->w, locks, n);
    plan_frame_id frame =
        plan_write_frame(d->w, frame_above(d, *s), races_access_text(d->r, pair->site[side]));
    id = plan_write_side(d->w, site, frame, held);
    while (d->held.n <= id.v) vec_push(&d->held, 0);
    d->held.v[id.v] = held.v;
    remember(d, &key, id.v);
    return id;
}

plan_why_id details_why(struct details *d, const struct races_pair *pair, const plan_side_id side[2]) {
    /* A writer that has failed numbers nothing any more. */
    if (side[0].v == 0 || side[1].v == 0) return (plan_why_id){0};
    struct detail_key key = {DETAIL_WHY,
                             {pair->object.v, pair->side[0].thread, pair->side[1].thread,
                              d->held.v[side[0].v], d->held.v[side[1].v]}};
    plan_why_id id = {known(d, &key)};
    if (id.v != 0) return id;
    id = plan_write_why(d->w, races_why(d->r, pair));
    remember(d, &key, id.v);
    return id;
}
