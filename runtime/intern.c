#include "intern.h"

#include <string.h> /* memcmp */

void intern_init(struct intern *in, struct memory *m) {
    *in = (struct intern){.memory = m};
    pthread_mutex_init(&in->lock, NULL);
}

void intern_release(struct intern *in) {
    for (size_t i = 0; i < in->count; i++)
        memory_put(in->memory, in->items[i].numbers, in->items[i].count * sizeof(uint64_t));
    memory_put(in->memory, in->items, in->cap * sizeof *in->items);
    memory_put(in->memory, in->buckets, in->bucket_count * sizeof *in->buckets);
    pthread_mutex_destroy(&in->lock);
}

static uint32_t hash_of(const uint64_t *numbers, size_t count) {
    uint64_t h = count;
    for (size_t i = 0; i < count; i++) {
        h = (h ^ numbers[i]) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 31;
    }
    return (uint32_t)(h ^ h >> 32);
}

/* Doubles the buckets; a failure only makes chains longer, unless there are none at all. */
static bool rehash(struct intern *in) {
    size_t n = in->bucket_count ? in->bucket_count * 2 : 256;
    uint32_t *buckets = memory_get(in->memory, n * sizeof *buckets);
    if (!buckets) return in->bucket_count != 0;
    for (size_t i = 0; i < in->count; i++) {
        uint32_t *bucket = &buckets[in->items[i].hash & (n - 1)];
        in->items[i].next = *bucket;
        *bucket = (uint32_t)i + 1;
    }
    memory_put(in->memory, in->buckets, in->bucket_count * sizeof *in->buckets);
    in->buckets = buckets;
    in->bucket_count = n;
    return true;
}

static uint32_t find(const struct intern *in, const uint64_t *numbers, size_t count, uint32_t hash) {
    if (!in->bucket_count) return 0;
    for (uint32_t id = in->buckets[hash & (in->bucket_count - 1)]; id; id = in->items[id - 1].next) {
        const struct interned *it = &in->items[id - 1];
        if (it->hash == hash && it->count == count && !memcmp(it->numbers, numbers, count * sizeof *numbers))
            return id;
    }
    return 0;
}

static uint32_t insert(struct intern *in, const uint64_t *numbers, size_t count, uint32_t hash) {
    if (in->count >= in->bucket_count && !rehash(in)) return 0;
    uint64_t *copy = memory_get(in->memory, count * sizeof *copy);
    if (!copy) return 0;
    if (!memory_grow(in->memory, (void **)&in->items, &in->cap, in->count + 1, sizeof *in->items)) {
        memory_put(in->memory, copy, count * sizeof *copy);
        return 0;
    }
    memcpy(copy, numbers, count * sizeof *copy);
    uint32_t *bucket = &in->buckets[hash & (in->bucket_count - 1)];
    in->items[in->count++] = (struct interned){copy, (uint32_t)count, hash, *bucket};
    return *bucket = (uint32_t)in->count;
}

uint32_t intern_put(struct intern *in, const uint64_t *numbers, size_t count) {
    if (!count) return 0;
    uint32_t hash = hash_of(numbers, count);
    pthread_mutex_lock(&in->lock);
    uint32_t id = find(in, numbers, count, hash);
    if (!id) id = insert(in, numbers, count, hash);
    pthread_mutex_unlock(&in->lock);
    return id;
}

size_t intern_get(struct intern *in, uint32_t id, uint64_t *out, size_t max) {
    pthread_mutex_lock(&in->lock);
    size_t count = 0;
    if (id && id <= in->count) {
        count = in->items[id - 1].count;
        memcpy(out, in->items[id - 1].numbers, (count < max ? count : max) * sizeof *out);
    }
    pthread_mutex_unlock(&in->lock);
    return count;
}
