/*
 * Accounted memory.  Everything the checker holds is taken from here, so that config.max_memory has a
 * meaning.
 *
 * Two kinds of need: what only buys precision (read sets, history) is refused beyond the limit; what keeps
 * the order between threads (clocks, logs) is given as long as the system has any, because without it there
 * would be false alarms.
 */
#ifndef RACE_RUNTIME_MEMORY_H
#define RACE_RUNTIME_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h> /* size_t */
#include <stdint.h> /* uint64_t */

struct memory {
    size_t max;              /* never changes after memory_init */
    _Atomic size_t used;     /* any thread */
    _Atomic uint64_t failed; /* refused or failed requests; any thread */
};

void memory_init(struct memory *m, size_t max);

/* Zeroed memory, or NULL beyond the limit or when the system has none. */
void *memory_get(struct memory *m, size_t size);
/* The same without the limit. */
void *memory_must(struct memory *m, size_t size);
/* Frees what one of the above gave; `size` as asked for then.  NULL is nothing. */
void memory_put(struct memory *m, void *p, size_t size);
/* Replaces a block of `*cap` items by one of at least `want`, contents kept; false when the system has no
 * memory. */
bool memory_grow(struct memory *m, void **p, size_t *cap, size_t want, size_t item);

/* Whether the limit is reached. */
bool memory_tight(struct memory *m);

#endif
