/*
 * What a thread computes from its number: which integers a variable is, as formulas (symbols.h), and the
 * bands of indices that threads of one kind share out among them.
 *
 * An index that is at least F(number) and less than F(number + 1) for a formula F that never falls is touched
 * by one thread only: for threads p < q, F(p + 1) <= F(q).  That covers `from = id * chunk`, `to = from +
 * chunk`, shares n * id / threads, single elements a[id], and a last thread that takes the rest.
 */
#ifndef RACE_RACES_BANDS_H
#define RACE_RACES_BANDS_H

#include "numbers.h"
#include "symbols.h"

/* A variable as one thread sees it. */
struct seen_var {
    uint32_t thread;
    pts_inst inst;
    const struct ir_body *body;
    ir_var var;
    uint32_t block; /* whose tests hold */
};

/* Whether two threads of the kind never have the same value in them. */
bool bands_apart(struct races *r, uint32_t thread, const struct seen_var *a, const struct seen_var *b);

/* The variable as a formula without numbers: the same in the whole run.  Not known if there is none. */
struct sym formula_of(struct races *r, pts_inst i, ir_var v);

#endif
