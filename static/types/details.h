/*
 * The details of pairs in a plan: how each side gets there, and why no stage could remove the pair.
 *
 * The simple way writes them for every pair.  A large program has millions of pairs on few paths, so each
 * text is made once: what it depends on (the thread, the instance, the site, ...) is a key, and the number
 * that the plan gave it is remembered.
 */
#ifndef RACE_TYPES_DETAILS_H
#define RACE_TYPES_DETAILS_H

#include "../races/internal.h"

struct detail_key {
    uint32_t kind, v[5];
};

struct details {
    struct races *r;
    struct plan_writer *w;
    struct detail_place *places; /* open addressing */
    size_t n, n_places;          /* a power of two */
    VEC(uint32_t) held;          /* by plan_side_id: its plan_held_id */
};

void details_init(struct details *d, struct races *r, struct plan_writer *w);
void details_release(struct details *d);

/* The side of a pair; `site` is its site in the plan. */
plan_side_id details_side(struct details *d, const struct races_pair *pair, int side, plan_site_id site);
plan_why_id details_why(struct details *d, const struct races_pair *pair, const plan_side_id side[2]);

#endif
