#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAP = 256 };

static void *zeroed(size_t n, size_t size) {
    void *v = calloc(n, size);
    if (v != NULL) return v;
    fputs("race: out of memory\n", stderr);
    exit(1);
}

void id_table_release(struct id_table *t) {
    free(t->slots);
    *t = (struct id_table){0};
}

static void id_table_insert(struct id_table *t, struct id_slot slot) {
    size_t i = slot.hash;
    while (t->slots[i & (t->cap - 1)].id != 0) i++;
    t->slots[i & (t->cap - 1)] = slot;
}

void id_table_add(struct id_table *t, uint32_t hash, uint32_t id) {
    if (t->n * 4 >= t->cap * 3) {
        struct id_table bigger = {.cap = t->cap ? t->cap * 2 : FIRST_CAP, .n = t->n};
        bigger.slots = zeroed(bigger.cap, sizeof *bigger.slots);
        for (size_t i = 0; i < t->cap; i++)
            if (t->slots[i].id != 0) id_table_insert(&bigger, t->slots[i]);
        free(t->slots);
        *t = bigger;
    }
    t->n++;
    id_table_insert(t, (struct id_slot){hash, id});
}

void map64_release(struct map64 *m) {
    free(m->keys);
    free(m->values);
    *m = (struct map64){0};
}

static void map64_insert(struct map64 *m, uint64_t key, uint32_t value) {
    size_t i = hash_mix(key);
    while (m->keys[i & (m->cap - 1)] != 0) i++;
    m->keys[i & (m->cap - 1)] = key;
    m->values[i & (m->cap - 1)] = value;
}

void map64_put(struct map64 *m, uint64_t key, uint32_t value) {
    if (m->n * 3 >= m->cap * 2) {
        struct map64 bigger = {.cap = m->cap ? m->cap * 2 : FIRST_CAP, .n = m->n};
        bigger.keys = zeroed(bigger.cap, sizeof *bigger.keys);
        bigger.values = zeroed(bigger.cap, sizeof *bigger.values);
        for (size_t i = 0; i < m->cap; i++)
            if (m->keys[i] != 0) map64_insert(&bigger, m->keys[i], m->values[i]);
        free(m->keys);
        free(m->values);
        *m = bigger;
    }
    m->n++;
    map64_insert(m, key, value);
}

uint32_t map64_get(const struct map64 *m, uint64_t key, uint32_t missing) {
    if (m->cap == 0) return missing;
    for (size_t i = hash_mix(key);; i++) {
        uint64_t k = m->keys[i & (m->cap - 1)];
        if (k == key) return m->values[i & (m->cap - 1)];
        if (k == 0) return missing;
    }
}

/* Eight bytes at a time: names are the most hashed thing of all. */
uint32_t hash_bytes(const char *s, size_t n) {
    uint64_t h = n * 0xff51afd7ed558ccdu + 1;
    for (; n >= 8; s += 8, n -= 8) {
        uint64_t w;
        memcpy(&w, s, 8);
        h = hash_mix(h ^ w);
    }
    uint64_t w = 0;
    memcpy(&w, s, n);
    h = hash_mix(h ^ w);
    return (uint32_t)(h ^ h >> 32);
}
