/*
 * The input relations of the thesis's algorithms, read off the points-to analysis by means of their own: only
 * the accesses themselves are taken from the race pipeline that they are to check.
 */
#ifndef RACE_ORACLE_FACTS_H
#define RACE_ORACLE_FACTS_H

#include "race/races.h"
#include "relation.h"

/* One column per variable of the rules. */
enum { T1, T2, C1, C2, E1, E2, M1, M2, F1, O1, N_COLUMNS };

struct facts {
    struct space space;
    struct relation calls; /* C1 M1 C2 M2: cscg and MI, the call site left out, starts of threads as well */
    struct relation roots; /* T1 C1 M1: what a thread begins with */
    struct relation vm_roots; /* C1 M1: what the VM calls by itself */
    struct relation me;       /* E1 M1 */
    struct relation field;    /* E1 F1: EF and EG in one, static fields being numbers of their own */
    struct relation statics;  /* E1: accesses of a static field */
    struct relation writes;   /* E1: wr */
    struct relation pts;      /* C1 E1 O1: EV and ptsV, the variable left out */
    struct relation escaped;  /* C1 E1 O1: of these, what may have escaped by then */
    struct relation parallel; /* T1 T2 C1 E1: while T1 executes E1 in C1, T2 may be running */
    struct relation held;     /* C1 E1 O1: locks */
};

struct facts_options {
    /*
     * By the book: objects escape statement by statement in the application (its library calls let nothing
     * escape, as in the thesis's example), the newest object of a site being local again; and a lock counts
     * if it *may* be held, as in Algorithm 2.5.  Otherwise an object escapes for good, and a lock counts if
     * it must be held and can be one object only: what is sound and what the product must not fall behind.
     */
    bool by_the_book;
};

void facts_init(struct facts *f, const struct races *races, const struct pts *pts,
                const struct facts_options *options);
void facts_release(struct facts *f);

/* Accesses of containers and of final fields are not the thesis's. */
bool facts_covers(const struct races *races, const struct pts *pts, races_site s);

#endif
