/*
 * Interned sequences of numbers: equal sequences get equal ids.  For locksets and stacks.  One lock: these
 * are used when a race, a meeting or a stack is recorded, not for every access.
 */
#ifndef RACE_RUNTIME_INTERN_H
#define RACE_RUNTIME_INTERN_H

#include "memory.h"

#include <pthread.h>

struct interned {
    uint64_t *numbers;
    uint32_t count;
    uint32_t hash;
    uint32_t next; /* id of the next in the bucket */
};

struct intern {
    struct memory *memory;
    pthread_mutex_t lock;   /* guards all below */
    struct interned *items; /* item of id i at [i - 1] */
    size_t count, cap;
    uint32_t *buckets;   /* first id by hash */
    size_t bucket_count; /* a power of two, or 0 */
};

void intern_init(struct intern *in, struct memory *m);
void intern_release(struct intern *in);
/* 0: the empty sequence, or no memory. */
uint32_t intern_put(struct intern *in, const uint64_t *numbers, size_t count);
/* Copies up to `max` numbers; returns how many there are. */
size_t intern_get(struct intern *in, uint32_t id, uint64_t *out, size_t max);

#endif
