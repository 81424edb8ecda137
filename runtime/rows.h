/*
 * Variables that a few threads go on reading in ever new epochs.
 *
 * Simple model.  Each such variable has its own vector of epochs; a reader stores into its own place there.
 *
 * Here.  A set (sets.h) would have to be replaced at each such read, by compare-and-swap and under locks that
 * all readers share.  Instead the read word of the variable names a *row*, and each slot has a *column* of
 * words, one for each row, that only the thread in the slot stores into.  A word in a column is
 *
 *     generation << 50 | clock << 20 | site
 *
 * and counts only if the generation is the row's; else the row has what was known of the reader when the row
 * was opened.  A row is closed when a write comes, or when its word was lost; its number then has a new
 * generation.  Words that died with their object leave rows behind: when there are no more, one in which
 * nobody has read lately is closed.  A stale number finds nothing, which is a race perhaps missed.
 */
#ifndef RACE_RUNTIME_ROWS_H
#define RACE_RUNTIME_ROWS_H

#include "memory.h"
#include "race/checker.h" /* words */

#include <pthread.h>
#include <stdatomic.h>

enum {
    ROWS_BITS = 16,       /* of the row in its number, CK_ROWS; the generation is above */
    ROWS_READERS = 6,     /* in one row */
    ROWS_COLUMNS_MAX = 64 /* slots with a column: each takes half a megabyte when it is full */
};

struct row {
    uint64_t words[ROWS_READERS]; /* of its readers, when they were last told of; ascending slots */
    uint32_t next;                /* row + 1 of the next free one */
    uint32_t digest;              /* of the readers' words when the hand last came by */
    uint16_t generation;
    uint8_t count;
    bool open;
};

struct rows {
    struct memory *memory;
    uint32_t places;      /* never changes; a power of two */
    pthread_mutex_t lock; /* guards all below, and which slots have columns */
    struct row *table;    /* NULL until the first is opened */
    uint32_t free, fresh, hand;
    uint32_t columns;
    _Atomic uint64_t evicted; /* rows closed though a word may name them; any thread */
};

/* Rows as sets.h has sets: `places` is rounded up to a power of two. */
void rows_init(struct rows *r, struct memory *m, uint32_t places);
void rows_release(struct rows *r);
void rows_free_column(struct rows *r, uint64_t *column);

/* Whether a word names a row: it then is no set, though it looks like one to all who do not ask. */
static inline bool word_is_row(uint64_t w) {
    return ck_word_is_set(w) && ck_word_site(w) != 0;
}

/* The word for a row with these reads, in ascending order, one of which is t's own; 0 if there is no room for
 * it. */
uint64_t rows_open(struct ck_thread *t, const uint64_t *words, uint32_t count, uint64_t mine);
/* Copies the reads of a row to `out` (room for ROWS_READERS); returns how many, 0 if it is gone. */
uint32_t rows_copy(struct checker *ck, uint64_t word, uint64_t *out);
void rows_close(struct rows *r, uint64_t word);
/* Whether t has read in its present epoch; false if the word names no row. */
bool rows_have(struct ck_thread *t, uint64_t word);
/* The read `mine` of t's present epoch goes into the row and into t's column; false if it cannot. */
bool rows_read(struct ck_thread *t, uint64_t word, uint64_t mine);

#endif
