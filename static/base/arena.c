#include "race/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
    struct arena_chunk *older;
    size_t size;
    char data[];
};

/* Chunks grow with the arena, so that a small class costs little and a large program few system calls. */
enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

void arena_init(struct arena *a) {
    *a = (struct arena){0};
}

void arena_release(struct arena *a) {
    for (struct arena_chunk *c = a->chunks, *older; c != NULL; c = older) {
        older = c->older;
        free(c);
    }
    bool may_fail = a->may_fail;
    *a = (struct arena){.may_fail = may_fail};
}

void arena_clear(struct arena *a) {
    struct arena_chunk *keep = a->chunks;
    if (keep == NULL) return;
    for (struct arena_chunk *c = keep->older, *older; c != NULL; c = older) {
        older = c->older;
        free(c);
    }
    keep->older = NULL;
    memset(keep->data, 0, (size_t)(a->next - keep->data));
    a->next = keep->data;
    a->end = keep->data + keep->size;
    a->total = keep->size;
    a->failed = false;
}

static void *out_of_memory(struct arena *a) {
    if (!a->may_fail) {
        fputs("race: out of memory\n", stderr);
        exit(1);
    }
    a->failed = true;
    return NULL;
}

static bool add_chunk(struct arena *a, size_t size) {
    size_t want = a->total < FIRST_CHUNK ? FIRST_CHUNK : a->total;
    if (want > LARGEST_CHUNK) want = LARGEST_CHUNK;
    if (want < size) want = size;
    struct arena_chunk *c = calloc(1, sizeof *c + want);
    if (c == NULL) return false;
    c->older = a->chunks;
    c->size = want;
    a->chunks = c;
    a->next = c->data;
    a->end = c->data + want;
    a->total += want;
    return true;
}

void *arena_alloc(struct arena *a, size_t size) {
    if (size > SIZE_MAX / 2) return out_of_memory(a);
    size = (size + 7) & ~(size_t)7;
    /* An empty arena has nothing to point at, not even for zero bytes. */
    bool full = a->next == NULL || (size_t)(a->end - a->next) < size;
    if (full && !add_chunk(a, size)) return out_of_memory(a);
    void *p = a->next;
    a->next += size;
    return p;
}

void *arena_alloc_n(struct arena *a, size_t n, size_t size) {
    if (size != 0 && n > SIZE_MAX / 2 / size) return out_of_memory(a);
    return arena_alloc(a, n * size);
}

void *arena_copy(struct arena *a, const void *src, size_t n) {
    void *p = arena_alloc(a, n);
    if (p != NULL && n != 0) memcpy(p, src, n);
    return p;
}

char *arena_strdup(struct arena *a, const char *s) {
    return arena_copy(a, s, strlen(s) + 1);
}

char *arena_printf(struct arena *a, const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *s = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
    if (s != NULL) vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    return s;
}
