/*
 * The objects that an access may touch, in a form that two accesses are compared in quickly.
 *
 * Simple model: a set of objects; two accesses meet in the objects that both sets have.  Most pairs share
 * none, which an outline of 256 bits tells at once.  For the others the sets are kept as words of 64 objects
 * in ascending order, so that a step of the comparison decides about 64 objects, and whether they escape is
 * asked of the same words.  Accesses of one variable share their set.
 */
#ifndef RACE_RACES_FOOTPRINT_H
#define RACE_RACES_FOOTPRINT_H

#include "internal.h"

/* A bit for each of some objects, by its number modulo 256. */
struct outline {
    uint64_t w[4];
};

struct object_word {
    uint32_t index; /* object / 64 */
    uint64_t bits;  /* never 0 */
};

struct footprint {
    const struct container_set *behind; /* where the variable holds views; else NULL */
    struct outline outline;
    uint32_t n;
    struct object_word *v;
    bool reorders; /* one of the objects is a map that reading changes */
};

/* The footprints of one search; an entry per set of objects. */
struct footprints {
    struct races *r;
    struct footprint_entry *entries;
};

void footprints_init(struct footprints *f, struct races *r);
void footprints_release(struct footprints *f);
/* The objects of all of them, n > 0. */
const struct footprint *footprints_together(struct footprints *f, const struct footprint *const *v,
                                            uint32_t n);
/* What the access touches in one instance of its method. */
const struct footprint *footprint_of(struct footprints *f, const struct races_access *a, pts_inst i);

static inline bool outlines_meet(const struct outline *a, const struct outline *b) {
    uint64_t common = 0;
    for (int k = 0; k < 4; k++) common |= a->w[k] & b->w[k];
    return common != 0;
}

/* Walks the words that two footprints have in common:
 * struct meeting m = {.a = a, .b = b}; while (meeting_next(&m)) ... m.common.bits ...
 * Without b, all words of a. */
struct meeting {
    const struct footprint *a, *b;
    uint32_t i, j;
    struct object_word common;
};
bool meeting_next(struct meeting *m);

/* The lock that a synchronized wrapper takes around the access of the object; 0 if there is none. */
pts_obj footprint_mutex(const struct footprint *f, pts_obj o);

/* Whether the access is one of what stands behind the object of its variable. */
static inline bool stands_behind(const struct races_access *a) {
    return a->kind == PLAN_CONTAINER && (a->stands_for || a->read_by.v != 0);
}

#endif
