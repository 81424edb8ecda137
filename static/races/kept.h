/*
 * Arrays that keep their elements: what was read once from an element, and was not null, is there for good.
 *
 *     locks = new Object[n];
 *     for (int i = 0; i < n; i++) locks[i] = new Object();
 *
 * So `a[i]` can be the name of a lock as a final field can: two reads with one index of one array mean one
 * object.
 *
 * The argument: each element is written at most once, while the method runs that made the array.  The array
 * is a variable of the method, or a stable field of `this` that this constructor puts it in: whoever stores
 * by that name stores into the array that this very call made.  One statement stores, in a loop that runs
 * once for the array and counts its index up; or all have constant indices, no two the same, and run once. An
 * array that anything else may store into, by whatever name, is none of these: other code, the JDK's too,
 * System.arraycopy, VarHandles, reflection, natives.
 */
#ifndef RACE_RACES_KEPT_H
#define RACE_RACES_KEPT_H

#include "internal.h"

bool keeps_its_elements(struct races *r, pts_obj array);
/* Whether all arrays that the variable may be keep theirs. */
bool arrays_keep_elements(struct races *r, const struct ir_body *body, ir_var array);

/* The first load in the method that gives the same as this array load whenever it is not null, its own
 * variable if there is none before. */
ir_var first_load(struct races *r, const struct ir_body *body, ir_var loaded);

#endif
