/*
 * Phases between barriers.
 *
 * The argument.  Barriers that exist once, on which a group of threads waits, all of the group and nobody
 * else, and that need as many arrivals as the group has threads: none of them opens before every thread of
 * the group has arrived.  So all threads of the group leave their k-th wait at the same time, whichever
 * barrier it is at: at the first opening of any of them nobody has left one before, so it is everybody's
 * first, and so on. What a thread does after its k-th wait and before the next is its phase k, and all of
 * phase k comes before all of phase k + 1.  Two accesses race only if their threads can be in the same phase.
 *
 * Barriers are those of the JDK and those that programs build themselves (built.h).
 *
 * A barrier's action runs in the last thread to arrive, between two phases: numbers are doubled, and the
 * action has the odd one.  Two accesses of actions are never at the same time at all.
 *
 * If fewer threads came than a barrier needs, nobody would leave it: it is enough that there are not more.  A
 * thread that leaves a wait by an exception is in an unknown phase from there on; the barrier is broken then
 * and lets nobody through.  What may be the phases of a statement is found by counting waits along the paths
 * of the one method that waits, modulo what a loop's round adds.
 */
#ifndef RACE_RACES_PHASES_H
#define RACE_RACES_PHASES_H

#include "internal.h"
#include "ints.h" /* struct supposition */

/* Whether the two never run in one phase. */
bool separated_by_phase(struct races *r, const struct races_access *a, struct races_side x,
                        const struct races_access *b, struct races_side y);

/* Whether the program has barriers at all. */
bool has_phases(struct races *r);
/* A call in the method that waits, by which an access runs. */
struct phase_call {
    const struct ir_body *body;
    const struct ir_stmt *stmt;
};
/* False: stop. */
typedef bool phase_visitor(void *arg, const struct phase_call *a, const struct phase_call *b);
/*
 * Visits all pairs of calls by which the two instances may run in one phase.  False if the visitor stopped,
 * or if the methods that wait do not call them themselves.
 */
bool each_common_phase(struct races *r, struct races_side x, struct races_side y, phase_visitor *visit,
                       void *arg);
/* False: stop. */
typedef bool turn_visitor(void *arg, const struct supposition *a, const struct supposition *b);
/*
 * Two accesses in loops of the methods that wait, which wait equally often in each round: visits the rounds,
 * by what is left of each loop's counter when it is divided by m, that may be in one phase.  False if the
 * visitor stopped, or if nothing is known.
 */
bool each_common_turn(struct races *r, const struct races_access *a, struct races_side x,
                      const struct races_access *b, struct races_side y, int64_t m, turn_visitor *visit,
                      void *arg);
/*
 * Whether two accesses that run in one phase run in one state of what the statement changes: it runs only in
 * actions of barriers at which both threads wait, and neither access's method waits itself.
 */
bool changes_between_phases(struct races *r, const struct races_access *a, struct races_side x,
                            const struct races_access *b, struct races_side y,
                            const struct races_access *change);

#endif
