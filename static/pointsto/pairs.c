#include "pairs.h"

#include "race/vec.h" /* vec_grow_: ends the process when memory runs out */

#include <stdlib.h>
#include <string.h>

enum { FIRST = 64, RECENT = 1 << 15 /* 256 kB: stays in the processor's cache */ };

static uint64_t *new_keys(size_t n) {
    void *keys = NULL;
    size_t cap = 0;
    vec_grow_(&keys, &cap, n, sizeof(uint64_t));
    memset(keys, 0, n * sizeof(uint64_t));
    return keys;
}

static uint64_t hash(uint64_t key) {
    uint64_t h = key * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

static uint64_t *slot(const struct pts_pairs *p, uint64_t key, uint64_t h) {
    size_t at = (size_t)h & (p->cap - 1);
    while (p->keys[at] != 0 && p->keys[at] != key) at = (at + 1) & (p->cap - 1);
    return &p->keys[at];
}

static void grow(struct pts_pairs *p) {
    struct pts_pairs bigger = {.n = p->n, .cap = p->cap ? p->cap * 2 : FIRST, .recent = p->recent};
    bigger.keys = new_keys(bigger.cap);
    for (size_t i = 0; i < p->cap; i++)
        if (p->keys[i] != 0) *slot(&bigger, p->keys[i], hash(p->keys[i])) = p->keys[i];
    free(p->keys);
    if (bigger.cap >= RECENT && bigger.recent == NULL) bigger.recent = new_keys(RECENT);
    *p = bigger;
}

bool pts_pairs_add(struct pts_pairs *p, uint32_t a, uint32_t b) {
    uint64_t key = ((uint64_t)a << 32 | b) + 1, h = hash(key);
    uint64_t *recent = p->recent ? &p->recent[h >> 40 & (RECENT - 1)] : NULL;
    if (recent && *recent == key) return false;
    if (p->n * 3 >= p->cap * 2) grow(p);
    uint64_t *at = slot(p, key, h);
    if (recent) *recent = key;
    if (*at == key) return false;
    *at = key;
    p->n++;
    return true;
}

void pts_pairs_clear(struct pts_pairs *p) {
    if (p->cap > 0) memset(p->keys, 0, p->cap * sizeof *p->keys);
    if (p->recent) memset(p->recent, 0, RECENT * sizeof *p->recent);
    p->n = 0;
}

void pts_pairs_release(struct pts_pairs *p) {
    free(p->keys);
    free(p->recent);
    memset(p, 0, sizeof *p);
}
