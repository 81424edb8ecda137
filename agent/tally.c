#include "tally.h"

#include "race/checker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct kept {
    UT_hash_handle hh;
    uint64_t key;
    size_t count_at;
    char text[];
};

/* A program with more races than this has other worries; the counts of the rest stay at 1. */
enum { KEEP_BYTES = 32 << 20 };

/* Guards the table; its entries never change. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept *table;
static size_t kept_bytes;

static uint64_t number_of(uint32_t now, bool now_write, uint32_t earlier, bool earlier_write) {
    return ((uint64_t)now << 1 | now_write) << 32 | (uint64_t)earlier << 1 | earlier_write;
}

void tally_keep(const struct tally_key *key, const struct json *line, size_t count_at) {
    if (!json_ok(line)) return;
    struct kept *k = malloc(sizeof *k + line->n + 1);
    if (k == NULL) return;
    k->key = number_of(key->now_site, key->now_write, key->earlier_site, key->earlier_write);
    k->count_at = count_at;
    memcpy(k->text, line->text, line->n + 1);
    pthread_mutex_lock(&lock);
    if (kept_bytes + line->n < KEEP_BYTES) {
        kept_bytes += line->n;
        HASH_ADD(hh, table, key, sizeof k->key, k);
        k = NULL;
    }
    pthread_mutex_unlock(&lock);
    free(k);
}

static void visit(void *arg, const struct ck_race_count *race) {
    void (*emit)(struct json *) = *(void (**)(struct json *))arg;
    if (race->count <= 1) return;
    uint64_t key = number_of(race->now_site, race->now_write, race->earlier_site, race->earlier_write);
    struct kept *k;
    pthread_mutex_lock(&lock);
    HASH_FIND(hh, table, &key, sizeof key, k);
    pthread_mutex_unlock(&lock);
    if (k == NULL) return; /* suppressed, or too many */
    struct json line = {0};
    char rest = k->text[k->count_at];
    k->text[k->count_at] = '\0'; /* only this thread reads it from here on */
    json_raw(&line, k->text);
    k->text[k->count_at] = rest;
    json_int(&line, (int64_t)race->count);
    json_raw(&line, k->text + k->count_at + 1);
    emit(&line);
    json_release(&line);
}

void tally_each_grown(struct checker *ck, void (*emit)(struct json *line)) {
    ck_races_each(ck, visit, &emit);
}
