#include "tables.h"

#include "race/vec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A set of keys with a value each, by open addressing; key 0 is free. */
struct table {
    uint64_t *keys;
    uint32_t *values;
    size_t n, cap;
};

struct method_row {
    uint32_t cls, name, desc;
    bool is_native, is_hidden;
};

struct pair {
    uint32_t a, b;
};

struct via_row {
    uint32_t method, first, n; /* callers: chains[first ...] */
};

struct heap_row {
    uint32_t holder, field, value, site;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static VEC(const char *) texts;
static VEC(struct method_row) methods;
static VEC(struct method_row) fields;
static VEC(struct rec_site) sites;
static VEC(struct pair) calls;
static VEC(struct via_row) vias;
static VEC(uint32_t) chains;
static VEC(struct heap_row) heap;
static struct table text_table, method_table, field_table, call_table, heap_table;

void tables_lock(void) {
    pthread_mutex_lock(&lock);
}

void tables_unlock(void) {
    pthread_mutex_unlock(&lock);
}

static uint64_t mix(uint64_t h, uint64_t x) {
    h = (h ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

static size_t slot(const struct table *t, uint64_t key) {
    size_t at = (size_t)mix(0, key) & (t->cap - 1);
    while (t->keys[at] != 0 && t->keys[at] != key) at = (at + 1) & (t->cap - 1);
    return at;
}

/* The value's place; *is_new if the key was not there.  Keys are hashes of what they stand for: with 64 bits
   and some hundred thousand entries no two meet. */
static uint32_t *table_at(struct table *t, uint64_t key, bool *is_new) {
    if (key == 0) key = 1;
    if (t->n * 2 >= t->cap) {
        struct table bigger = {.cap = t->cap ? t->cap * 2 : 1024, .n = t->n};
        bigger.keys = calloc(bigger.cap, sizeof *bigger.keys);
        bigger.values = calloc(bigger.cap, sizeof *bigger.values);
        if (bigger.keys == NULL || bigger.values == NULL) abort();
        for (size_t i = 0; i < t->cap; i++) {
            if (t->keys[i] == 0) continue;
            size_t at = slot(&bigger, t->keys[i]);
            bigger.keys[at] = t->keys[i];
            bigger.values[at] = t->values[i];
        }
        free(t->keys);
        free(t->values);
        *t = bigger;
    }
    size_t at = slot(t, key);
    *is_new = t->keys[at] == 0;
    if (*is_new) {
        t->keys[at] = key;
        t->n++;
    }
    return &t->values[at];
}

uint32_t tables_text(const char *p, size_t n) {
    uint64_t h = n;
    for (size_t i = 0; i < n; i++) h = mix(h, (uint8_t)p[i]);
    bool is_new;
    uint32_t *at = table_at(&text_table, h, &is_new);
    if (is_new) {
        char *copy = malloc(n + 1);
        if (copy == NULL) abort();
        memcpy(copy, p, n);
        copy[n] = '\0';
        vec_push(&texts, copy);
        *at = (uint32_t)texts.n;
    }
    return *at;
}

const char *tables_text_at(uint32_t text) {
    return texts.v[text - 1];
}

static uint64_t member_key(uint32_t cls, uint32_t name, uint32_t desc) {
    return mix(mix(mix(7, cls), name), desc);
}

uint32_t tables_method(uint32_t cls, uint32_t name, uint32_t desc, bool is_native, bool is_hidden) {
    bool is_new;
    uint32_t *at = table_at(&method_table, member_key(cls, name, desc), &is_new);
    if (is_new) {
        struct method_row row = {cls, name, desc, is_native, is_hidden};
        vec_push(&methods, row);
        *at = (uint32_t)methods.n;
    }
    return *at;
}

uint32_t tables_field(uint32_t cls, uint32_t name, uint32_t desc) {
    bool is_new;
    uint32_t *at = table_at(&field_table, member_key(cls, name, desc), &is_new);
    if (is_new) {
        struct method_row row = {.cls = cls, .name = name, .desc = desc};
        vec_push(&fields, row);
        *at = (uint32_t)fields.n;
    }
    return *at;
}

uint32_t tables_site(struct rec_site site) {
    vec_push(&sites, site);
    return (uint32_t)sites.n;
}

struct rec_site tables_site_at(uint32_t site) {
    return sites.v[site - 1];
}

struct rec_method tables_method_at(uint32_t method) {
    const struct method_row *m = &methods.v[method - 1];
    return (struct rec_method){tables_text_at(m->cls), tables_text_at(m->name), tables_text_at(m->desc),
                               m->is_native, m->is_hidden};
}

uint32_t tables_method_name(uint32_t method) {
    return methods.v[method - 1].name;
}

bool tables_is_new_call(uint32_t site, uint32_t method) {
    bool is_new;
    table_at(&call_table, mix(mix(3, site), method), &is_new);
    return is_new;
}

void tables_call(uint32_t site, uint32_t method) {
    struct pair p = {site, method};
    vec_push(&calls, p);
}

void tables_via(uint32_t method, const uint32_t *callers, unsigned n) {
    uint64_t key = mix(5, method);
    for (unsigned i = 0; i < n; i++) key = mix(key, callers[i]);
    bool is_new;
    table_at(&call_table, key, &is_new);
    if (!is_new) return;
    struct via_row row = {.method = method, .first = (uint32_t)chains.n, .n = n};
    for (unsigned i = 0; i < n; i++) vec_push(&chains, callers[i]);
    vec_push(&vias, row);
}

void tables_heap(uint32_t holder, uint32_t field, uint32_t value, uint32_t site) {
    bool is_new;
    table_at(&heap_table, mix(mix(mix(11, holder), field), value), &is_new);
    if (!is_new) return;
    struct heap_row row = {holder, field, value, site};
    vec_push(&heap, row);
}

void tables_write(FILE *out) {
    for (size_t i = 0; i < methods.n; i++) {
        struct rec_method m = tables_method_at((uint32_t)i + 1);
        fprintf(out, "M %zu %s %s %s%s%s\n", i + 1, m.cls, m.name, m.desc, m.is_native ? " native" : "",
                m.is_hidden ? " hidden" : "");
    }
    for (size_t i = 0; i < fields.n; i++)
        fprintf(out, "F %zu %s %s %s\n", i + 1, tables_text_at(fields.v[i].cls),
                tables_text_at(fields.v[i].name), tables_text_at(fields.v[i].desc));
    for (size_t i = 0; i < sites.n; i++)
        fprintf(out, "S %zu %u %u\n", i + 1, sites.v[i].method, sites.v[i].bci);
    for (size_t i = 0; i < calls.n; i++) fprintf(out, "call %u %u\n", calls.v[i].a, calls.v[i].b);
    for (size_t i = 0; i < vias.n; i++) {
        fprintf(out, "via %u", vias.v[i].method);
        for (uint32_t k = 0; k < vias.v[i].n; k++) fprintf(out, " %u", chains.v[vias.v[i].first + k]);
        fputc('\n', out);
    }
    for (size_t i = 0; i < heap.n; i++)
        fprintf(out, "heap %u %u %u %u\n", heap.v[i].holder, heap.v[i].field, heap.v[i].value,
                heap.v[i].site);
}
