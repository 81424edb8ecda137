/*
 * Numbers of threads.
 *
 * Threads that a loop starts get something from it that tells them apart.  Two forms are understood:
 *
 *     for (i = 0; i < n; i++) { a[i] = new Thread(new Worker(i, ...)); a[i].start(); }      (direct)
 *     for (i = 0; i < n; i++) workers[i] = new Worker(i, ...);                               (by array)
 *     for (k = 0; k < workers.length; k++) { new Thread(workers[k]).start(); }
 *
 * A thread's number is i in the first and its Runnable's place in the array in the second.  No two threads of
 * the kind that are alive at the same time have the same: all others are dead whenever the loop that starts
 * them begins (the array of threads is made), and no place of an array is taken twice.
 */
#ifndef RACE_RACES_NUMBERS_H
#define RACE_RACES_NUMBERS_H

#include "owner.h"
#include "symbols.h"

struct numbering {
    bool tried;
    bool known;
    bool by_array;
    struct thread_start start;
    ir_var number;    /* direct: the counter, in start.body */
    struct sym bound; /* number < bound, and at most so many are alive at once; or not known */
};

const struct numbering *numbering_of(struct races *r, uint32_t t);

/* The variable that is the number of the thread that runs an object made there, or none. */
ir_var number_at(struct races *r, const struct numbering *n, pts_obj runs, pts_inst *inst);

#endif
