/*
 * Two fields that change places: double buffers.
 *
 *     x = new double[n]; y = new double[n];                  in the constructor
 *     t = x; x = y; y = t;                                   in a barrier's action
 *
 * The fields never hold the same array, apart from the moment of the exchange.  If that happens in the
 * actions of barriers only, no two accesses of one phase see different states of it (phases.h), so what one
 * takes from x and the other from y are different arrays.
 */
#ifndef RACE_RACES_SWAPS_H
#define RACE_RACES_SWAPS_H

#include "internal.h"

bool apart_by_swap(struct races *r, const struct races_access *a, struct races_side x,
                   const struct races_access *b, struct races_side y);

#endif
