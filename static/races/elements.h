/* Array elements: which of two accesses can be the same one. */
#ifndef RACE_RACES_ELEMENTS_H
#define RACE_RACES_ELEMENTS_H

#include "internal.h"

/*
 * Whether the two accesses, as run by these threads, are of different elements or of objects that are
 * different because they were taken from different elements.
 */
bool apart_by_index(struct races *r, const struct races_access *a, struct races_side x,
                    const struct races_access *b, struct races_side y);

/* Whether no two elements of the arrays that may hold the object ever are the same object. */
bool in_distinct_elements(struct races *r, pts_obj o);

#endif
