/*
 * Elements of different colours: what is even on one side and odd on the other is not the same.
 *
 *     for (j = 1 + ((i + colour) & 1); j < n; j += 2) row[j] = above[j] + below[j] ...      row = grid[i]
 *
 * Two elements are the same only if their rows are the same, so have one index, and their own indices are
 * equal.  So are then the sums of the two indices, and their lowest bits.  These are computed as sums modulo
 * two of a constant and of variables; j + i - 1 above is even or odd by `colour` alone, j + i by its
 * opposite.  Arithmetic that wraps around keeps the lowest bit.  A parameter that is left (`colour`) counts
 * by what is passed in the calls by which both sides can run in one phase (phases.h).
 */
#ifndef RACE_RACES_COLOURS_H
#define RACE_RACES_COLOURS_H

#include "internal.h"

bool apart_by_colour(struct races *r, const struct races_access *a, struct races_side x,
                     const struct races_access *b, struct races_side y);

#endif
