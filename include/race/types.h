/*
 * Owner types: which discipline protects each field of each abstract object, inferred and then checked.
 *
 * After "Optimized Run-Time Race Detection and Atomicity Checking Using Partial Discovered Types" (Agarwal,
 * Sasturkar, Wang, Stoller), sections 3 to 6, on the IR instead of on annotated sources.  Abstract objects in
 * their contexts take the place of owner parameters: two objects of one class may have different owners.
 *
 *   owner       means                                       proved by
 *   thisThread  only the thread that made it comes near      the object is not reachable from two threads
 *   unique      one reference, handed from thread to thread  no copy of the reference survives a hand-over
 *   readonly    written by its maker only, before sharing    every write finds the object still its thread's
 *   self        guarded by its own lock                      locks at every use, see below
 *   a lock      this.f.g, C.s, C.class, the only object of an allocation, or the same from a holder of the
 *               object ("owner(f).lock"): final expressions only
 *
 * A *slot* is one field of one abstract object (its elements, if it is an array; its contents, if it is a
 * container).  The checker takes one owner per slot and tests every use of the slot against it; a use of an
 * object that is still its thread's own and is handed over in order needs no lock.  A lock that a method does
 * not take itself becomes part of its `requires` set; locks-def-held is the greatest fixpoint of section
 * 6.1.1 over the calls between the instances of methods.
 *
 * Where the owners come from: candidates are counted over all uses (static inference); those of a discovery
 * log are tried first.  A wrong guess can only make the check fail: the check alone decides.
 *
 * Why both halves may be believed together: "no two uses of this slot can race" (here) and "these two
 * accesses cannot race" (races.h) are statements about all executions.  Each is derived without the other but
 * for the set of objects that are handed over by a race (races.h: published), which the pair pipeline
 * computes from all its pairs before any is dropped here: a superset of what it would be after.  So a pair
 * may be dropped if one of its accesses uses only slots that are proved here, and stays unproved only if both
 * fail.
 */
#ifndef RACE_TYPES_H
#define RACE_TYPES_H

#include "race/classpath.h" /* struct classpath */
#include "race/error.h"
#include "race/plan.h" /* struct plan_writer */
#include "race/races.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h> /* FILE */

struct types;
struct types_log;

/* ---- discovery logs: result files of `race run --mode discover` ---- */

struct types_log *types_log_new(void);
void types_log_free(struct types_log *log);
/* Adds a file.  One that is no discovery log, or is cut off, is an error that names it and the line. */
bool types_log_read(struct types_log *log, const char *path, struct race_error *err);

/* ---- inference and check ---- */

/* The races must outlive the types.  `log` may be NULL; it is not needed afterwards. */
struct types *types_check(struct races *r, const struct types_log *log);
void types_free(struct types *t);

/* Drops the pairs that the owners prove; returns how many. */
uint32_t types_drop_pairs(struct types *t);

/* Everything of the plan after the meta lines of the entry; class bytes are read again for their digests. */
bool types_write_plan(struct types *t, const struct classpath *cp, struct plan_writer *w,
                      struct race_error *err);

/* Stable text: classes, owners of their fields, requires sets, warnings. */
void types_dump(struct types *t, FILE *out);

#endif
