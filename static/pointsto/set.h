/*
 * Sets of small integers (abstract objects).
 *
 * Simple model: a sorted array.  Most points-to sets hold a handful of elements and stay that way.  A set
 * that grows past PTS_SET_SMALL elements becomes a sorted array of 64-bit chunks, because large sets are
 * dense in runs (objects are numbered as they are found, so neighbours are born together): a union then costs
 * one step per 64 numbers.  tests/unit/pointsto_set_test.c checks both forms against a plain bit array.
 */
#ifndef RACE_POINTSTO_SET_H
#define RACE_POINTSTO_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { PTS_SET_SMALL = 64 };

struct pts_chunk {
    uint32_t index; /* element / 64 */
    uint64_t bits;  /* never 0 */
};

struct pts_set {
    uint32_t n;          /* elements when small, chunks when big */
    uint32_t cap : 31;   /* allocated entries of the current form */
    uint32_t is_big : 1; /* which member of the union */
    union {
        uint32_t *small;
        struct pts_chunk *big;
    } u;
};

void pts_set_release(struct pts_set *s); /* leaves the empty set */
bool pts_set_is_empty(const struct pts_set *s);
bool pts_set_has(const struct pts_set *s, uint32_t x);
uint32_t pts_set_count(const struct pts_set *s);
uint32_t pts_set_hash(const struct pts_set *s);
bool pts_set_equal(const struct pts_set *a, const struct pts_set *b);

bool pts_set_add(struct pts_set *s, uint32_t x); /* true if x is new */
/* dst |= src; elements that were new go into `fresh` too (may be NULL).  True if anything was new. */
bool pts_set_union(struct pts_set *dst, const struct pts_set *src, struct pts_set *fresh);
/* dst = src & mask, a plain array of bits that covers src; dst must be empty. */
void pts_set_masked(struct pts_set *dst, const struct pts_set *src, const uint64_t *mask);
void pts_set_copy(struct pts_set *dst, const struct pts_set *src); /* dst must be empty */

/* Walks in ascending order:  struct pts_set_iter it = {0}; uint32_t x; while (pts_set_next(s, &it, &x)) ...
 */
struct pts_set_iter {
    uint32_t pos;
    uint64_t rest; /* bits of the current chunk not yet given out */
    bool started;
};
bool pts_set_next(const struct pts_set *s, struct pts_set_iter *it, uint32_t *x);

#endif
