/*
 * Values that all threads alive at one time have in common.
 *
 *     for (...) {
 *         Object lock = new Object();
 *         for (k = 0; k < n; k++) { a[k] = new Thread(() -> ... lock ...); a[k].start(); }
 *         for (k = 0; k < n; k++) a[k].join();
 *     }
 *
 * The function object captures the value of the round that makes it, the thread is made of it and started in
 * that round too, and all such threads are dead when the value is made anew: those alive are of one round.
 */
#ifndef RACE_RACES_ROUNDS_H
#define RACE_RACES_ROUNDS_H

#include "internal.h"

/* Whether the two variables are the same whenever threads run the two instances at one time. */
bool same_in_round(struct races *r, pts_inst i, ir_var v, pts_inst j, ir_var w);

/*
 * Whether two kinds of threads get their Runnables in rounds of one outermost loop, and are dead when the
 * next round begins: what is alive at one time is of one round.
 */
struct common_round {
    pts_inst inst;
    const struct ir_body *body;
    uint32_t loop;
};
bool have_common_round(struct races *r, uint32_t t, uint32_t u, struct common_round *out);

#endif
