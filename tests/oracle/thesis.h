/* Algorithms 2.1 to 2.6 of Naik's thesis, rule by rule on relations. */
#ifndef RACE_ORACLE_THESIS_H
#define RACE_ORACLE_THESIS_H

#include "facts.h"

/* All but `reaches` over T1 C1 E1 T2 C2 E2. */
struct thesis {
    struct relation reaches; /* T1 C1 M1 */
    struct relation original, aliasing, escaping, parallel, unlocked, ultimate;
};

struct thesis_options {
    /*
     * Rule (2.8) has c < c', so that no pair comes twice; Table 2.1 shows both orders of such a pair.
     */
    bool both_orders;
    /* Rule (2.16): threads of one kind are taken for the same thread, which is not sound. */
    bool one_thread_per_kind;
};

void thesis_run(struct thesis *t, struct facts *f, const struct thesis_options *options);

/* Of these, what may touch one object that has escaped on both sides: the middle of Algorithm 2.6. */
struct relation thesis_meeting(struct facts *f, struct relation races);

/* The pairs E1 E2 of some stage. */
struct relation thesis_pairs(struct facts *f, struct relation stage);

#endif
