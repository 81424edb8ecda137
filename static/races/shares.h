/*
 * Tasks that a loop makes, each with a number of its own:
 *
 *     for (i = 0; i < n; i++) pool.submit(() -> ... a[i] ...);
 *     for (i = 0; i < n; i++) list.add(() -> ... a[i] ...);  ...  pool.invokeAll(list);
 *
 * Each function object captures the loop's counter and is run once, so two runs of it have different numbers
 * if the loop that makes those which may run at one time runs once: it does not lie in another loop, or all
 * of the list have ended before the next list is given away.
 */
#ifndef RACE_RACES_SHARES_H
#define RACE_RACES_SHARES_H

#include "internal.h"

/* Whether the variables are the numbers of the tasks that run the instances, which are two different ones. */
bool numbered_by_task(struct races *r, uint32_t thread, pts_inst i, ir_var v, uint32_t other, pts_inst j,
                      ir_var w);

#endif
