/*
 * Numbers for the contents of sets that were passed on lately: sets of one number have the same elements.
 *
 * What one object sets off arrives at a node along many edges (three in four deliveries of a large program
 * bring nothing new), mostly as one and the same set in a row: a node that remembers the number of the last
 * one need not look at the next.  Simple model: every set has a number of its own.
 */
#ifndef RACE_POINTSTO_NAMES_H
#define RACE_POINTSTO_NAMES_H

#include "set.h"

#include <stdint.h>

struct pts_named_set {
    uint32_t name; /* 0: free */
    struct pts_set set;
};
struct pts_set_names {
    struct pts_named_set *recent; /* by hash of the elements */
    uint32_t last;                /* number given out last */
};

uint32_t pts_set_name(struct pts_set_names *names, const struct pts_set *set); /* not 0 */
void pts_set_names_release(struct pts_set_names *names);

#endif
