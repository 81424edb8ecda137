/*
 * A set of pairs of small numbers that only grows: which edges, call edges ... exist already.
 *
 * Simple model: a hash table of 64-bit keys.  It has millions of them, so each look at it is a cache miss,
 * and most questions are about pairs that were asked for a moment ago (the objects of one set lead to few
 * callees): a small table in front keeps those.
 */
#ifndef RACE_POINTSTO_PAIRS_H
#define RACE_POINTSTO_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pts_pairs {
    uint64_t *keys; /* cap of them; 0: free */
    size_t n, cap;
    uint64_t *recent; /* by hash: a pair that is in the set; NULL as long as the set is small */
};

bool pts_pairs_add(struct pts_pairs *p, uint32_t a, uint32_t b); /* true if the pair is new */
void pts_pairs_clear(struct pts_pairs *p);
void pts_pairs_release(struct pts_pairs *p);

#endif
