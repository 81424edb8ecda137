/*
 * A hash table from the two sites of a race to its position in the report.  Positions instead of pointers,
 * because the list of races moves when it grows.
 */
#include "index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct entry {
    const char *key;
    size_t race;
    UT_hash_handle hh;
};

struct report_index {
    struct entry *entries;
};

static void *or_die(void *p) {
    if (p != NULL) return p;
    fputs("race: out of memory\n", stderr);
    exit(RACE_EXIT_OTHER);
}

struct report_index *index_new(void) {
    return or_die(calloc(1, sizeof(struct report_index)));
}

void index_free(struct report_index *ix) {
    if (ix == NULL) return;
    struct entry *e, *next;
    HASH_ITER (hh, ix->entries, e, next) {
        HASH_DEL(ix->entries, e);
        free(e);
    }
    free(ix);
}

const char *index_site_key(struct arena *a, const struct report_access *s) {
    /* Without a bytecode index (another tool's results) the line is the next best. */
    return arena_printf(a, "%c%s.%s%s@%c%d", s->is_write ? 'w' : 'r', s->cls, s->method, s->desc,
                        s->bci >= 0 ? 'b' : 'l', s->bci >= 0 ? s->bci : s->line);
}

const char *index_key_of(struct arena *a, const char *first, const char *second) {
    bool swap = strcmp(first, second) > 0;
    return arena_printf(a, "%s %s", swap ? second : first, swap ? first : second);
}

const char *index_key(struct arena *a, const struct report_race *race) {
    return index_key_of(a, index_site_key(a, &race->accesses[0]), index_site_key(a, &race->accesses[1]));
}

size_t index_find(const struct report_index *ix, const char *key) {
    struct entry *e;
    HASH_FIND_STR(ix->entries, key, e);
    return e != NULL ? e->race : SIZE_MAX;
}

void index_add(struct report_index *ix, const char *key, size_t race) {
    struct entry *e = or_die(calloc(1, sizeof *e));
    e->key = key;
    e->race = race;
    HASH_ADD_KEYPTR(hh, ix->entries, e->key, strlen(e->key), e);
}
