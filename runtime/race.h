/*
 * Races found, one record for each unordered pair of (site, kind of access).
 */
#ifndef RACE_RUNTIME_RACE_H
#define RACE_RUNTIME_RACE_H

#include "memory.h"
#include "race/checker.h" /* struct ck_race_count */

enum { RACES_PLACES = 1 << 14 };

struct race_record {
    uint64_t key; /* never changes, like the sites and kinds */
    uint32_t now_site, earlier_site;
    bool now_write, earlier_write;
    uint32_t number;
    _Atomic uint64_t count; /* any thread */
};

struct races {
    /* Open addressing; a place is set once, by compare-and-swap, and never changes. */
    _Atomic(struct race_record *) places[RACES_PLACES];
    _Atomic uint32_t distinct;
    _Atomic uint64_t total;
};

void races_release(struct races *races, struct memory *m);

#endif
