/*
 * Numbers of a range that a stream hands out, each to one run of a function:
 *
 *     IntStream.range(0, n).parallel().forEach(i -> a[i] = ...);
 *
 * forEach() comes back when all runs have ended, unless one of them threw.  So if one thread executes the
 * statement, once at a time, and does not come back to it after an exception, runs that overlap are of one
 * range, and no two of them have the same number.
 */
#ifndef RACE_RACES_RANGES_H
#define RACE_RACES_RANGES_H

#include "internal.h"

/* The function object whose number, of the run under way, the variable is; or none. */
pts_obj range_number(struct races *r, uint32_t thread, pts_inst i, const struct ir_body *body, ir_var v);

#endif
