/*
 * Interned sets of words: the reads of a variable that are concurrent, and the releases of a synchronisation
 * variable that were written over each other unseen.
 *
 * Simple model.  Each such variable has its own vector of epochs.
 *
 * Here.  A word can only hold a number, and it dies with its object without telling us.  So sets are
 * immutable and hash-consed: a thousand elements of a table that the same threads read in the same epochs
 * share one set. A set counts the words that hold it as far as it knows; at zero it is free.  Words that died
 * with their object leave counts behind, so when the table is full the set that was not used for longest is
 * evicted.  A number consists of a place and a generation, and a stale number finds nothing: for reads that
 * is a race perhaps missed.  For releases lost order would be a false alarm, so the releases of all sets that
 * are gone are kept, joined, in a `grave` that stands for any set that cannot be found.
 *
 * A place that was evicted may still be named by a word somewhere, so its generation never wraps: it is given
 * up when the generations are used up.
 */
#ifndef RACE_RUNTIME_SETS_H
#define RACE_RUNTIME_SETS_H

#include "memory.h"
#include "race/checker.h" /* words */

#include <pthread.h>

enum {
    SETS_STRIPES = 64,
    SETS_PLACE_BITS = 17,
    SETS_GENERATION_BITS = 12,
    SETS_MERGED = 1 << 29 /* bit of the set number that tells merged releases from reads */
};

struct set; /* one place; under the lock of its stripe */

struct stripe {
    pthread_mutex_t lock; /* guards all below and the sets whose place is this stripe modulo SETS_STRIPES */
    uint32_t free;        /* first free place + 1; chained by set.next */
    uint32_t fresh;       /* places of this stripe never used so far start here */
    uint32_t hand;        /* eviction goes round */
    uint64_t live;
};

struct sets {
    struct memory *memory;
    uint32_t places; /* never changes; a multiple of SETS_STRIPES */
    uint32_t mark;   /* SETS_MERGED or 0; never changes */
    struct set *table;
    uint32_t *buckets; /* place + 1 of the first set of a hash; under the lock of its stripe */
    struct stripe stripes[SETS_STRIPES];
    _Atomic uint64_t evicted; /* sets given up though a word may hold them; any thread */
    pthread_mutex_t grave_lock;
    uint32_t *grave; /* clock by slot of releases whose set is gone; under grave_lock; NULL for read sets */
};

/* A mutex that is held for less time than it takes to go to sleep. */
void brief_mutex_init(pthread_mutex_t *mutex);

/* false: out of memory. */
bool sets_init(struct sets *s, struct memory *m, uint32_t places, bool merged);
void sets_release(struct sets *s);

/* The word for a set of `count` >= 2 words in ascending order, held once more; 0 if there is no room. */
uint64_t sets_intern(struct sets *s, const uint64_t *words, uint32_t count);
/* Copies the words of a set to `out` (room for `max`); returns how many, 0 if it is gone. */
uint32_t sets_copy(struct sets *s, uint64_t word, uint64_t *out, uint32_t max);
/* One more holder; false if the set is gone. */
bool sets_hold(struct sets *s, uint64_t word);
/* One holder less. */
void sets_drop(struct sets *s, uint64_t word);
/* From now on holders come and go unseen: only eviction may free the set. */
bool sets_stick(struct sets *s, uint64_t word);
/* The clock up to which `slot` released into sets that are gone. */
uint32_t sets_grave_clock(struct sets *s, uint32_t slot);
/* Whether one word holds the set, as far as is known. */
bool sets_is_lone(struct sets *s, uint64_t word);
uint64_t sets_live(struct sets *s);

/* Inserts `mine` into `count` ascending words, in the place of one with the same slot if there is one; the
 * array has room for one more.  Returns the new count. */
uint32_t words_insert(uint64_t *words, uint32_t count, uint64_t mine);

#endif
