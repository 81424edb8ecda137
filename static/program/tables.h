/*
 * The two hash tables of the program model.
 *
 * id_table finds an id by a key that is stored elsewhere (the caller compares); map64 maps a non-zero 64-bit
 * key to a 32-bit value.  Both only grow, and never hold pointers into themselves.
 */
#ifndef RACE_PROGRAM_TABLES_H
#define RACE_PROGRAM_TABLES_H

#include <stddef.h>
#include <stdint.h>

struct id_slot {
    uint32_t hash, id; /* id 0 = free */
};

struct id_table {
    struct id_slot *slots;
    size_t cap, n; /* cap is a power of two or 0 */
};

void id_table_release(struct id_table *t);
void id_table_add(struct id_table *t, uint32_t hash, uint32_t id);

/* The next id with this hash, or 0.  Start with *pos = hash. */
static inline uint32_t id_table_next(const struct id_table *t, uint32_t hash, size_t *pos) {
    if (t->cap == 0) return 0;
    for (;;) {
        const struct id_slot *s = &t->slots[(*pos)++ & (t->cap - 1)];
        if (s->id == 0) return 0;
        if (s->hash == hash) return s->id;
    }
}

struct map64 {
    uint64_t *keys; /* 0 = free */
    uint32_t *values;
    size_t cap, n;
};

void map64_release(struct map64 *m);
void map64_put(struct map64 *m, uint64_t key, uint32_t value); /* key must be new */
uint32_t map64_get(const struct map64 *m, uint64_t key, uint32_t missing);

static inline uint64_t hash_mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    return x;
}

static inline uint32_t hash_three(uint32_t a, uint32_t b, uint32_t c) {
    return (uint32_t)hash_mix(hash_mix((uint64_t)a << 32 | b) + c);
}

uint32_t hash_bytes(const char *s, size_t n);

#endif
