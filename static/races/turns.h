/*
 * Elements that change hands at barriers.
 *
 *     for (p = 0; p < n; p++) {                              two threads, `id` is 0 or 1
 *         from = (p + id) % 2 * 32;
 *         for (i = from; i < from + 32; i++) a[i]++;
 *         barrier.await();
 *     }
 *
 * Which elements a round touches depends on what is left of the loop's counter when it is divided by some m,
 * and rounds that are in one phase (phases.h) have counters that are as far apart as the loops' starts.  For
 * each pair of remainders that can meet the elements are computed (ints.h), or the rows that they are of.
 *
 *     for (p = 0; p < n; p++) {
 *         from = (p & 1) * 32;
 *         ... new Thread(() -> fill(from)), new Thread(() -> fill(32 - from)); both are started and joined
 * ...
 *     }
 *
 * Threads of one round (rounds.h) captured what was computed from one p.
 */
#ifndef RACE_RACES_TURNS_H
#define RACE_RACES_TURNS_H

#include "internal.h"

bool apart_by_turn(struct races *r, const struct races_access *a, struct races_side x,
                   const struct races_access *b, struct races_side y);

#endif
