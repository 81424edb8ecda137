/*
 * Which integers a variable can be: an interval and a congruence, [lo, hi] with x = rem (mod step).
 *
 * Values are those of one thread's runs of an instance (sources.h), and of the places that a block's
 * dominating tests let through.  Arithmetic that may wrap around keeps only what survives it: the part of the
 * step that divides 2^32.  So nothing here assumes that a program's indices stay in range.
 */
#ifndef RACE_RACES_INTS_H
#define RACE_RACES_INTS_H

#include "sources.h"

struct ints {
    int64_t lo, hi;
    int64_t step, rem; /* step 0: the constant rem = lo = hi */
};

struct ints ints_const(int64_t v);
struct ints ints_add(struct ints a, struct ints b, bool is_long);
bool ints_disjoint(struct ints a, struct ints b);
bool ints_is_const(struct ints a);

/* The variable's values where the block is executed. */
struct ints ints_of(struct races *r, uint32_t thread, pts_inst i, ir_var v, uint32_t block);

/*
 * A PHI of an outermost loop's header is rem (mod step): in the round in which the variable asked for is
 * computed, which is one of that method, or in the one in which the thread's Runnable was made.
 */
struct supposition {
    pts_inst runnable_in; /* where the Runnable is made; none: the first case */
    ir_var counter;
    int64_t step, rem;
};
struct ints ints_supposing(struct races *r, uint32_t thread, pts_inst i, ir_var v, uint32_t block,
                           const struct supposition *that);

/* A test `v OP right` of ints (CF_OP_IF_ICMP..) or longs that holds in a block; `at` is the block that tests.
 */
typedef void test_visitor(void *arg, uint32_t op, ir_var right, uint32_t at);
/* The tests of v that dominate the block. */
void each_test(const struct ir_body *body, ir_var v, uint32_t block, test_visitor *visit, void *arg);

#endif
