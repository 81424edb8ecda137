/*
 * Arrays that keep their elements: what was read once from an element, and was not null, is there for good.
 *
 * Each element is written at most once: by one statement, in the method that makes the array, in a loop over
 * the indices that runs once for the array; nothing else in the program, JDK included, writes into it.  The
 * statement names the array as the variable that it was made in, or as the stable field of `this` that it was
 * put into there.
 */
#ifndef RACE_RACES_KEPT_H
#define RACE_RACES_KEPT_H

#include "internal.h"

bool keeps_its_elements(struct races *r, pts_obj array);

#endif
