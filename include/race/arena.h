/*
 * Arena: many small allocations with one lifetime.
 *
 * The parsed form of a class, the IR of a method and the program model are built once and dropped as a whole,
 * so they are bump-allocated.  Memory is zeroed.  Running out of memory ends the tool with one line; the
 * agent must not do that, so it sets `fail` beforehand: allocation then returns NULL and the flag reads true.
 */
#ifndef RACE_ARENA_H
#define RACE_ARENA_H

#include <stdbool.h>
#include <stddef.h> /* size_t */

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
    char *next, *end;           /* free part of the newest chunk */
    size_t total;               /* bytes obtained from the system */
    bool may_fail;              /* return NULL instead of ending the process */
    bool failed;                /* an allocation returned NULL */
};

void arena_init(struct arena *a);
void arena_release(struct arena *a);
void arena_clear(struct arena *a); /* drops every allocation, keeps one chunk for reuse */

void *arena_alloc(struct arena *a, size_t size);              /* 8-byte aligned, zeroed */
void *arena_alloc_n(struct arena *a, size_t n, size_t size);  /* overflow-checked array */
void *arena_copy(struct arena *a, const void *src, size_t n); /* memdup */
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_NEW_N(a, n, type) ((type *)arena_alloc_n((a), (n), sizeof(type)))

#endif
