/*
 * Hand-overs that are counted: a variable that only ever rises, or an array whose elements are set one after
 * the other.
 *
 *     for (i = 0; i < n; i++) { a[i] = ...; filled = i + 1; }          one thread
 *     for (i = 0; i < n; i++) { while (filled <= i); use(a[i]); }      another
 *
 * The argument.  The first thread, the *teller*, exists once, and its loop runs once, counted by i from a
 * constant upwards.  Nobody but one statement in that loop writes the variable X, and it writes i + c, adds
 * one at most once a round, or sets the element X[i + c].  X starts as zero and is above zero from the first
 * write on, so it rises from write to write.  Who has seen X at v or above (or X[v] set) comes after the
 * write of round v - c, and with it after all that the teller did before that write.  An access in round i
 * is among that if i + d <= v - c, where d is 0 if it never runs after the write in its round, and else the
 * step of the counter.  That decides three kinds of pairs:
 *
 *   - elements of an array: only equal indices meet, and what was seen depends on the index;
 *   - an access behind a test for a constant that is not below what the last round writes;
 *   - two loops that tell each other: each pair of rounds is ordered by the one or by the other.
 */
#ifndef RACE_RACES_LEVELS_H
#define RACE_RACES_LEVELS_H

#include "internal.h"

/* Whether the two are always ordered, one way or the other. */
bool ordered_by_level(struct races *r, const struct races_access *a, struct races_side x,
                      const struct races_access *b, struct races_side y);
void levels_release(struct races *r);

#endif
