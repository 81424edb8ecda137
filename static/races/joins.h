/* Loops that join all threads of an array. */
#ifndef RACE_RACES_JOINS_H
#define RACE_RACES_JOINS_H

#include "internal.h"
#include "parallel.h" /* thread_set */

/*
 * The threads, as a set of indices, that are dead when control leaves the loop by this edge of its header;
 * `made` gets the statement that makes the array.
 */
thread_set joined_by_loop(struct races *r, pts_inst i, const struct ir_body *body, uint32_t header,
                          uint32_t succ, uint32_t *made);

/* The same for a statement that hands the array to a method with such a loop: dead when it has returned. */
thread_set joined_by_call(struct races *r, pts_inst i, const struct ir_body *body, uint32_t stmt,
                          uint32_t *made);

/* A PHI that starts at zero and grows by one in each round of its loop. */
bool counts_up(const struct ir_body *body, ir_var v);
/* The loop whose rounds the variable counts, or IR_NO_LOOP. */
uint32_t loop_counted_by(const struct ir_body *body, ir_var v);
/* Whether the array is made here and stays in the method, and is filled at indices that count up. */
bool is_plain_array(const struct ir_body *body, ir_var array);

#endif
