#include "sites.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct name {
    UT_hash_handle hh;
    char text[];
};

enum { CHUNK_BITS = 12, CHUNK = 1 << CHUNK_BITS, CHUNKS = (SITE_MAX + 1) / CHUNK };

/*
 * Written under `lock`; chunks are published with a release store and never move, so a reader that has an id
 * (it got it from sites_add() or from a word) reads without the lock.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct name *names;
static _Atomic(struct site *) chunks[CHUNKS];
static _Atomic uint32_t count = 1;

static const struct site unknown = {
    .class_name = "?", .method = "?", .desc = "()V", .file = "", .owner = "?", .field = "?", .line = -1};

/* One copy per distinct text; "" for a text that cannot be stored. */
static const char *intern(const char *text) {
    if (text == NULL) return "";
    struct name *n;
    size_t len = strlen(text);
    HASH_FIND(hh, names, text, len, n);
    if (n != NULL) return n->text;
    n = malloc(sizeof *n + len + 1);
    if (n == NULL) return "";
    memcpy(n->text, text, len + 1);
    HASH_ADD_KEYPTR(hh, names, n->text, len, n);
    return n->text;
}

static struct site *slot_for(uint32_t id) {
    struct site *chunk = atomic_load_explicit(&chunks[id >> CHUNK_BITS], memory_order_acquire);
    if (chunk == NULL) {
        chunk = calloc(CHUNK, sizeof *chunk);
        if (chunk == NULL) return NULL;
        atomic_store_explicit(&chunks[id >> CHUNK_BITS], chunk, memory_order_release);
    }
    return &chunk[id & (CHUNK - 1)];
}

uint32_t sites_add(const struct site *site) {
    pthread_mutex_lock(&lock);
    uint32_t id = atomic_load_explicit(&count, memory_order_relaxed);
    struct site *s = id <= SITE_MAX ? slot_for(id) : NULL;
    if (s == NULL) {
        id = 0;
    } else {
        s->line = site->line;
        s->bci = site->bci;
        s->kind = site->kind;
        s->is_write = site->is_write;
        s->freezes = site->freezes;
        s->class_name = intern(site->class_name);
        s->method = intern(site->method);
        s->desc = intern(site->desc);
        s->file = intern(site->file);
        s->owner = intern(site->owner);
        s->field = intern(site->field);
        atomic_store_explicit(&count, id + 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return id;
}

void sites_set_declaring(uint32_t id, const char *class_name) {
    struct site *s = (struct site *)sites_get(id);
    if (s == &unknown) return;
    pthread_mutex_lock(&lock);
    atomic_store(&s->declared_in, intern(class_name));
    pthread_mutex_unlock(&lock);
}

const struct site *sites_get(uint32_t id) {
    if (id == 0 || id >= atomic_load_explicit(&count, memory_order_acquire)) return &unknown;
    return &atomic_load_explicit(&chunks[id >> CHUNK_BITS], memory_order_acquire)[id & (CHUNK - 1)];
}

uint32_t sites_count(void) {
    return atomic_load_explicit(&count, memory_order_relaxed) - 1;
}

void *sites_offset_table(void) {
    static void *table; /* set once, by the thread that initialises RaceSites */
    if (table == NULL) {
        void *p = mmap(NULL, (size_t)(SITE_MAX + 1) * 16, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        table = p == MAP_FAILED ? NULL : p;
    }
    return table;
}
