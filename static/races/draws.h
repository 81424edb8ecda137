/*
 * Numbers that a counter hands out, each once:
 *
 *     for (i = next.getAndIncrement(); i < n; i = next.getAndIncrement()) use(a[i]);
 *
 * An atomic that exists once and on which the program does nothing but get and getAndIncrement (or nothing
 * but get and incrementAndGet: the numbers of the two overlap) never hands out a number twice, unless more
 * than 2^32 are drawn.  Two threads that each draw for themselves so never have the same number, and what
 * they take from an array by it are different elements.  That shares out work without any order between the
 * threads.
 */
#ifndef RACE_RACES_DRAWS_H
#define RACE_RACES_DRAWS_H

#include "internal.h"

/* The counter that the variable is always a number of, drawn in this run of its method; or none. */
pts_obj drawn_from(struct races *r, const struct ir_body *body, ir_var v);

/* The same for a variable that may be a parameter: drawn by the thread that runs the instance. */
pts_obj drawn_by_thread(struct races *r, uint32_t thread, pts_inst i, const struct ir_body *body, ir_var v);

#endif
