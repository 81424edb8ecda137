#include "race.h"

#include "state.h"

#include <string.h> /* memcpy */

enum { PROBES_MAX = 256 };

void races_release(struct races *races, struct memory *m) {
    for (size_t i = 0; i < RACES_PLACES; i++)
        memory_put(m, atomic_load(&races->places[i]), sizeof(struct race_record));
}

static uint64_t race_key(uint32_t site_a, bool write_a, uint32_t site_b, bool write_b) {
    uint64_t a = (uint64_t)site_a << 1 | write_a, b = (uint64_t)site_b << 1 | write_b;
    return (a < b ? a << 32 | b : b << 32 | a) + 1;
}

/* The record of the same key as `want`, which becomes it if there is none: *fresh.  NULL: no room. */
static struct race_record *record_find(struct checker *ck, const struct race_record *want, bool *fresh) {
    struct race_record *made = NULL, *found = NULL;
    uint64_t hash = want->key * UINT64_C(0x9E3779B97F4A7C15) >> 40;
    for (uint32_t i = 0; i < PROBES_MAX && !found; i++) {
        _Atomic(struct race_record *) *place = &ck->races.places[(hash + i) % RACES_PLACES];
        struct race_record *r = atomic_load_explicit(place, memory_order_acquire);
        if (!r && !made) {
            made = memory_must(&ck->memory, sizeof *made);
            if (!made) return NULL;
            made->key = want->key;
            made->now_site = want->now_site;
            made->earlier_site = want->earlier_site;
            made->now_write = want->now_write;
            made->earlier_write = want->earlier_write;
        }
        if (!r && atomic_compare_exchange_strong(place, &r, made)) {
            *fresh = true;
            return made;
        }
        if (r->key == want->key) found = r;
    }
    memory_put(&ck->memory, made, sizeof *made);
    return found;
}

static void describe_thread(struct checker *ck, struct ck_access *a) {
    struct occupant who;
    if (!slot_occupant(ck, a->word, &who)) return;
    a->thread = who.thread;
    a->created_at = who.created_at;
    memcpy(a->thread_name, who.name, sizeof who.name);
}

static void describe_earlier(struct checker *ck, struct ck_access *a, uint64_t word, bool write) {
    *a = (struct ck_access){.site = ck_word_site(word), .write = write, .word = word};
    describe_thread(ck, a);
    a->stack = history_find(ck, word);
    a->locks_known = locks_at(ck, word, a->locks, &a->lock_count);
}

static void describe_now(struct thread *t, struct ck_access *a, uint32_t site, bool write) {
    *a = (struct ck_access){.site = site, .write = write, .word = t->pub.epoch | site, .locks_known = true};
    describe_thread(t->ck, a);
    a->thread = ck_thread_number(&t->pub);
    a->lock_count = locks_now(t, a->locks);
}

void race_found(struct thread *t, uint64_t earlier, bool earlier_write, uint32_t site, bool write,
                const struct ck_where *where) {
    struct checker *ck = t->ck;
    struct race_record want = {.key = race_key(site, write, ck_word_site(earlier), earlier_write),
                               .now_site = site,
                               .earlier_site = ck_word_site(earlier),
                               .now_write = write,
                               .earlier_write = earlier_write};
    bool fresh = false;
    atomic_fetch_add_explicit(&ck->races.total, 1, memory_order_relaxed);
    struct race_record *record = record_find(ck, &want, &fresh);
    if (!record) return;
    uint64_t times = atomic_fetch_add_explicit(&record->count, 1, memory_order_relaxed) + 1;
    if (!fresh) return;
    confirm_found(&ck->confirm, site);
    confirm_found(&ck->confirm, ck_word_site(earlier));
    struct ck_race race = {.count = times, .where = {0, -1}};
    if (where) race.where = *where;
    race.number = atomic_fetch_add(&ck->races.distinct, 1) + 1;
    describe_now(t, &race.now, site, write);
    describe_earlier(ck, &race.earlier, earlier, earlier_write);
    if (ck->config.on_race) ck->config.on_race(ck->config.arg, &race);
}

void ck_races_each(struct checker *ck, void (*visit)(void *arg, const struct ck_race_count *race),
                   void *arg) {
    for (size_t i = 0; i < RACES_PLACES; i++) {
        struct race_record *r = atomic_load_explicit(&ck->races.places[i], memory_order_acquire);
        if (!r) continue;
        struct ck_race_count out = {r->now_site, r->earlier_site, r->now_write, r->earlier_write,
                                    atomic_load_explicit(&r->count, memory_order_relaxed)};
        visit(arg, &out);
    }
}
