/*
 * What was seen of each pair of a plan that met.
 *
 * A meeting that is ordered is `predicted` if only locks ordered it and the two accesses had none in common:
 * then the order is an accident of this run.  To know that, each thread has a second vector clock, the hard
 * view, that leaves out edges made by locks (state.h, VIEW_HARD).
 */
#ifndef RACE_RUNTIME_EVIDENCE_H
#define RACE_RUNTIME_EVIDENCE_H

#include "memory.h"
#include "race/checker.h" /* enum ck_edge */

#include <pthread.h>

/* Counters: any thread, atomically.  Sites and `wanted` never change. */
struct pair_state {
    uint32_t site_a, site_b; /* site_a <= site_b */
    bool wanted;             /* it is a pair; two sites that are none are not asked about again */
    _Atomic uint64_t met, raced, predicted, ordered[CK_EDGE_KINDS];
    _Atomic uint32_t via[CK_EDGE_KINDS][CK_VIAS]; /* sites, each once; filled from the start */
    _Atomic uint32_t common; /* lockset id common to all meetings ordered by a lock; PAIR_NO_LOCKSET before */
    _Atomic uint32_t likely; /* the same for meetings of which only the later access's locks are known */
};

enum { PAIR_NO_LOCKSET = UINT32_MAX / 2 };

/* Open addressing.  A table is only added to; a larger one replaces it, and the old one stays for those who
 * still look into it. */
struct pair_table {
    size_t places; /* a power of two */
    struct pair_table *older;
    _Atomic(struct pair_state *) at[];
};

struct evidence {
    pthread_mutex_t lock;               /* taken to add a pair */
    _Atomic(struct pair_table *) table; /* replaced under lock; read by all */
    size_t count;                       /* of pairs in it; under lock */
    _Atomic uint32_t *as;  /* by site: the one that it counts for; 0: not watched; NULL: no evidence wanted */
    _Atomic uint64_t *ran; /* one bit for each site; any thread */
};

bool evidence_init(struct evidence *e, struct memory *m, bool wanted);
void evidence_release(struct evidence *e, struct memory *m);

#endif
