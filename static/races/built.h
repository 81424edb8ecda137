/*
 * Barriers that programs build of a monitor, a count and a number of rounds:
 *
 *     synchronized void await() {
 *         int mine = round;
 *         if (++count == parties) { count = 0; round++; notifyAll(); return; }
 *         while (mine == round) wait();
 *     }
 *
 * The argument.  Nobody but this method writes `count` and `round`, which start as zero, and it runs under
 * one monitor that only wait() gives up.  Each call counts itself once, before it waits.  `round` changes
 * only in the call that finds the count at `parties`, and that call sets the count back at once; so between
 * two changes exactly `parties` calls begin.  A call returns only if it changed `round` itself or has seen it
 * differ from what it was at its beginning: after the last of those calls has come.  The monitor orders all
 * of that.
 *
 * A call that ends by an exception was counted all the same.  If its thread never calls again, the count does
 * not get to `parties` any more, so nobody else passes: phases.c asks for that.
 */
#ifndef RACE_RACES_BUILT_H
#define RACE_RACES_BUILT_H

#include "internal.h"

/* Whether the class is such a barrier, made by <init>(int parties); the method that waits. */
bool is_built_barrier(struct races *r, class_id c, method_id *wait);

#endif
