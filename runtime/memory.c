#include "memory.h"

#include <stdlib.h> /* calloc, free */
#include <string.h> /* memcpy */

void memory_init(struct memory *m, size_t max) {
    m->max = max;
    atomic_init(&m->used, 0);
    atomic_init(&m->failed, 0);
}

bool memory_tight(struct memory *m) {
    return atomic_load_explicit(&m->used, memory_order_relaxed) >= m->max;
}

void *memory_must(struct memory *m, size_t size) {
    void *p = calloc(1, size);
    if (!p) {
        atomic_fetch_add_explicit(&m->failed, 1, memory_order_relaxed);
        return NULL;
    }
    atomic_fetch_add_explicit(&m->used, size, memory_order_relaxed);
    return p;
}

void *memory_get(struct memory *m, size_t size) {
    size_t used = atomic_load_explicit(&m->used, memory_order_relaxed);
    if (used >= m->max || size > m->max - used) {
        atomic_fetch_add_explicit(&m->failed, 1, memory_order_relaxed);
        return NULL;
    }
    return memory_must(m, size);
}

void memory_put(struct memory *m, void *p, size_t size) {
    if (!p) return;
    atomic_fetch_sub_explicit(&m->used, size, memory_order_relaxed);
    free(p);
}

bool memory_grow(struct memory *m, void **p, size_t *cap, size_t want, size_t item) {
    if (want <= *cap) return true;
    size_t cap2 = *cap ? *cap * 2 : 8;
    if (cap2 < want) cap2 = want;
    void *p2 = memory_must(m, cap2 * item);
    if (!p2) return false;
    if (*p) memcpy(p2, *p, *cap * item);
    memory_put(m, *p, *cap * item);
    *p = p2;
    *cap = cap2;
    return true;
}
