/*
 * Two locks that are two others, in some order.
 *
 *     Account first = a.id < b.id ? a : b, second = first == a ? b : a;
 *     synchronized (first) { synchronized (second) { a.balance--; b.balance++; } }
 *
 * Whoever needs two locks takes them in an order that all threads agree on.  Each of the two variables may be
 * either object, so neither names a lock of a's; both together are both.  They are, if each is one of two
 * values (a phi), and
 *   - both stand in one block and take the values crosswise on each edge; or
 *   - the branches that choose them ask the same question, and the answers are crosswise; or
 *   - the branch that chooses one asks whether the other is one of the values, and it is then not that one.
 *
 * The names of the two values mean the same objects as when they were chosen: what they start from is defined
 * in blocks that dominate both choices, so that in a loop each round chooses anew.
 */
#ifndef RACE_RACES_ORDERS_H
#define RACE_RACES_ORDERS_H

#include "internal.h"

/* Whether the two variables are two others in some order; `out` gets those. */
bool are_two_in_order(struct races *r, const struct ir_body *body, ir_var v, ir_var w, ir_var out[2]);
/* Adds the locks that pairs of held ones stand for. */
void locks_add_ordered(struct races *r, const struct ir_body *body, struct locks *held);

#endif
