/*
 * Making and freeing a checker, and its counters.
 */
#include "state.h"

#include <stdlib.h> /* calloc */

static uint32_t or_default(uint32_t value, uint32_t otherwise) {
    return value ? value : otherwise;
}

/* The next power of two, within limits: rings are indexed by masking. */
static uint32_t ring_length(uint32_t want, uint32_t max) {
    uint32_t n = 8;
    while (n < want && n < max) n *= 2;
    return n;
}

static uint32_t at_most(uint32_t value, uint32_t max) {
    return value < max ? value : max;
}

static uint32_t at_least(uint32_t value, uint32_t min) {
    return value > min ? value : min;
}

static void config_complete(struct ck_config *c) {
    if (!c->max_memory) c->max_memory = (size_t)256 << 20;
    c->max_slots = at_most(or_default(c->max_slots, CK_SLOT_CROWD - 1), CK_SLOT_CROWD - 1);
    c->dead_slots = or_default(c->dead_slots, 1024);
    /* A few clocks of room above the limit: a start, a release and a lock may come before the move. */
    c->clock_limit = at_least(at_most(or_default(c->clock_limit, UINT32_MAX), CK_CLOCK_MAX - 8), 8);
    c->log_cap = or_default(c->log_cap, 8192);
    c->news_log = or_default(c->news_log, 64);
    c->start_log = or_default(c->start_log, 32);
    c->set_cap = at_least(or_default(c->set_cap, 1024), 2);
    c->sets_max = or_default(c->sets_max, 1 << SETS_PLACE_BITS);
    c->confirm_percent = or_default(c->confirm_percent, 10);
    c->confirm_decay = at_most(or_default(c->confirm_decay, 12), 32);
    c->history_len = ring_length(or_default(c->history_len, 1024), 1 << 20);
    c->trail_len = ring_length(or_default(c->trail_len, 64), 1024);
}

struct checker *ck_new(const struct ck_config *config) {
    struct checker *ck = calloc(1, sizeof *ck);
    if (!ck) return NULL;
    ck->config = *config;
    config_complete(&ck->config);
    memory_init(&ck->memory, ck->config.max_memory);
    pthread_mutex_init(&ck->slots_lock, NULL);
    ck->fresh = 1;
    ck->dead_end = &ck->dead;
    intern_init(&ck->locksets, &ck->memory);
    intern_init(&ck->stacks, &ck->memory);
    bool ok = evidence_init(&ck->evidence, &ck->memory, ck->config.evidence);
    if (ck->config.confirm) confirm_init(&ck->confirm, &ck->memory);
    rows_init(&ck->rows, &ck->memory, ck->config.sets_max);
    ok &= sets_init(&ck->reads, &ck->memory, ck->config.sets_max, false);
    ok &= sets_init(&ck->merges, &ck->memory, at_most(ck->config.sets_max, 1 << 14), true);
    if (ok) return ck;
    ck_free(ck);
    return NULL;
}

void ck_free(struct checker *ck) {
    if (!ck) return;
    threads_release(ck);
    rows_release(&ck->rows);
    sets_release(&ck->reads);
    sets_release(&ck->merges);
    intern_release(&ck->locksets);
    intern_release(&ck->stacks);
    races_release(&ck->races, &ck->memory);
    evidence_release(&ck->evidence, &ck->memory);
    confirm_release(&ck->confirm, &ck->memory);
    pthread_mutex_destroy(&ck->slots_lock);
    free(ck);
}

static uint64_t get(_Atomic uint64_t *counter) {
    return atomic_load_explicit(counter, memory_order_relaxed);
}

struct ck_counters ck_counters_get(struct checker *ck) {
    struct ck_counters c = {
        .log_folds_hit = get(&ck->log_folds_hit),
        .slots_forced = get(&ck->slots_forced),
        .threads_crowded = get(&ck->threads_crowded),
        .sets_dropped = get(&ck->sets_dropped) + get(&ck->reads.evicted) + get(&ck->rows.evicted),
        .merges_dropped = get(&ck->merges_dropped) + get(&ck->merges.evicted),
        .arrays_left = get(&ck->arrays_left),
        .no_memory = get(&ck->memory.failed),
        .clock_overflows = get(&ck->clock_overflows),
        .sets_live = sets_live(&ck->reads) + sets_live(&ck->merges),
        .bytes = atomic_load(&ck->memory.used),
        .delayed_us = get(&ck->confirm.spent_us),
        .races = atomic_load(&ck->races.distinct),
        .races_total = get(&ck->races.total),
    };
    pthread_mutex_lock(&ck->slots_lock);
    c.threads = ck->next_thread;
    c.threads_live = ck->threads_live;
    pthread_mutex_unlock(&ck->slots_lock);
    return c;
}
