/*
 * Arrays that are queues of the program's own: all accesses are under one lock, and where an element is taken
 * out its place is cleared before the lock can be given up.
 *
 *     m = ring[head];  ring[head] = null;
 *
 * Under the lock nobody comes between the two, so each element that was put in is taken out once.
 */
#ifndef RACE_RACES_SLOTS_H
#define RACE_RACES_SLOTS_H

#include "internal.h"

/* Whether the place is cleared behind the array load, before a lock can be given up. */
bool is_cleared(struct races *r, const struct ir_body *body, const struct ir_stmt *load);
/* Whether the array load takes the element out. */
bool takes_slot(struct races *r, const struct ir_body *body, const struct ir_stmt *load);
/* Whether the array store puts its value into such an array. */
bool fills_slot(struct races *r, const struct ir_body *body, const struct ir_stmt *store);

#endif
