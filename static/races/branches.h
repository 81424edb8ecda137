/*
 * Branches that a thread never takes, because of what it passes.
 *
 *     static void run(String op) { switch (op) { case "add": x++; break; case "clear": y = 0; ... } }
 *     new Thread(() -> run("add"))                           never gets to `y = 0`
 *
 * Parameters that are one constant in all calls by which a thread gets to an instance are followed through
 * the method, together with the blocks that control can get to with them: conditional constant propagation.
 * Ints and strings are followed, and what is asked of strings: equals() and hashCode(), as switches do.
 */
#ifndef RACE_RACES_BRANCHES_H
#define RACE_RACES_BRANCHES_H

#include "internal.h"

/* Whether the thread never executes the statement of the instance. */
bool never_taken(struct races *r, struct races_side side, const struct races_access *a);

#endif
