/*
 * Random programs through the checker and through the textbook checker of reference.c, event by event.
 *
 * With room for everything both must give the same answer for each access.  With hostile settings (few slots,
 * short logs, clocks that run out, little memory) the checker may miss races but must never report one that
 * is none.
 */
#include "race/checker.h"
#include "reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum {
    VARS = 12,
    ARRAYS = 3,
    ARRAY_LENGTH = 40,
    FIRST_ELEMENT = VARS, /* elements of the arrays follow the plain variables in the reference */
    LOCKS = 4,
    RW_LOCKS = 2,
    VOLATILES = 4,
    SYNC_RW = LOCKS, /* of each rw lock: one for the writers, one for the readers */
    SYNC_VOLATILE = LOCKS + 2 * RW_LOCKS,
    LIVE_MAX = 12
};
_Static_assert(FIRST_ELEMENT + ARRAYS * ARRAY_LENGTH <= REF_VARS, "variables");
_Static_assert(SYNC_VOLATILE + VOLATILES <= REF_SYNCS, "syncs");

struct actor {
    struct ck_thread *t; /* NULL: ended or not yet started */
    uint64_t final;      /* word of an ended thread; 0 once nobody will join it */
    int locks[LOCKS];    /* times held */
    int rw[RW_LOCKS];    /* 1: read, 2: write */
};

struct array {
    struct ck_coarse coarse;
    bool has_coarse, is_long;
    struct ck_var *elements;
};

struct world {
    uint64_t seed;
    struct checker *ck;
    struct ref *ref;
    struct actor actors[REF_THREADS];
    int started;
    int lock_owner[LOCKS], rw_readers[RW_LOCKS], rw_writer[RW_LOCKS];
    uint64_t sync[REF_SYNCS];
    struct ck_var vars[VARS];
    struct array arrays[ARRAYS];
    bool exact;
    bool writes_only; /* no reads, no arrays, no end of threads: every meeting is of two words that both sides
                         have */
    uint32_t discipline; /* per cent of the accesses without the right lock that are left out */
    uint64_t events, races, truths;
};

static uint32_t pick(struct world *w, uint32_t n) {
    w->seed ^= w->seed << 13;
    w->seed ^= w->seed >> 7;
    w->seed ^= w->seed << 17;
    return (uint32_t)((w->seed >> 11) % n);
}

static void judge(struct world *w, bool found, struct ref_answer want, const char *what, int t, int var) {
    w->events++;
    w->races += found;
    w->truths += want.truth;
    if (found && !want.truth)
        fail_msg("false alarm: event %llu, thread %d %s %d", (unsigned long long)w->events, t, what, var);
    if (w->exact && found != want.rule)
        fail_msg("event %llu, thread %d %s %d: found %d, expected %d", (unsigned long long)w->events, t, what,
                 var, found, want.rule);
}

static uint64_t in_place, rows_in_place; /* accesses settled by the caller's fast path; those with a row */

static void release(struct world *w, int t, int sync, bool blind) {
    w->sync[sync] = ck_release(w->actors[t].t, w->sync[sync], blind ? CK_RELEASE_BLIND : CK_RELEASE_OVER, 7);
    ref_release(w->ref, t, sync, blind);
}

static void acquire(struct world *w, int t, int sync, enum ck_edge kind) {
    ck_acquire(w->actors[t].t, w->sync[sync], kind);
    ref_acquire(w->ref, t, sync, kind == CK_BY_LOCK);
}

/* The same with a row.  False: not settled. */
static bool row_in_place(struct ck_thread *t, struct ck_var *v, uint32_t site, bool *race) {
    uint64_t r = atomic_load(&v->r), mine = (r >> 36) << 50 | ((t->epoch | site) & ((UINT64_C(1) << 50) - 1));
    uint64_t *own = t->column ? &t->column[(r >> 20) & (CK_ROWS - 1)] : NULL;
    if (!ck_word_is_set(r) || ck_word_site(r) == 0 || !own || (*own ^ mine) >> 50 != 0) return false;
    if ((*own ^ mine) >> 20 == 0) return true;
    *own = mine;
    *race = ck_read_check(t, atomic_load(&v->w), site, NULL);
    rows_in_place++;
    return true;
}

/* What the caller's fast path does with the notes on sets: see "Fast path" in checker.h.  False: not settled.
 */
static bool read_in_place(struct ck_thread *t, struct ck_var *v, uint32_t site, bool *race) {
    if (row_in_place(t, v, site, race)) return true;
    uint64_t r = atomic_load(&v->r), tag = r << CK_SLOT_BITS ^ t->epoch >> CK_SITE_BITS;
    uint64_t note = t->members[r >> CK_SITE_BITS & (CK_MEMBERS - 1)], mine = t->epoch | site;
    const uint64_t *step = &t->steps[(r >> CK_SITE_BITS & (CK_STEPS - 1)) * 4];
    bool stepped = step[0] == r && step[1] == mine;
    if (!r || (note != tag && note != ~tag && !stepped)) return false;
    if (note == tag) return true;
    atomic_store(&v->r, note == ~tag ? mine : step[2]);
    *race = ck_read_check(t, atomic_load(&v->w), site, NULL);
    return true;
}

static bool write_in_place(struct ck_thread *t, struct ck_var *v, uint32_t site, bool *race) {
    uint64_t r = atomic_load(&v->r), tag = r << CK_SLOT_BITS ^ t->epoch >> CK_SITE_BITS;
    if (t->members[r >> CK_SITE_BITS & (CK_MEMBERS - 1)] != ~tag) return false;
    if (ck_word_same_epoch(atomic_load(&v->w), t->epoch)) return true;
    *race = ck_write_check(t, atomic_exchange(&v->w, t->epoch | site), site, NULL);
    return true;
}

static bool var_access(struct ck_thread *t, struct ck_var *v, bool write, uint32_t site) {
    bool race = false;
    if (write ? write_in_place(t, v, site, &race) : read_in_place(t, v, site, &race)) {
        in_place++;
        return race;
    }
    return write ? ck_var_write(t, v, site, NULL) : ck_var_read(t, v, site, NULL);
}

static void do_variable(struct world *w, int t) {
    int var = (int)pick(w, VARS);
    if (!w->actors[t].locks[var % LOCKS] && pick(w, 100) < w->discipline) return;
    uint32_t site = w->writes_only ? 1 : 1 + pick(w, 500);
    if (w->writes_only || pick(w, 3) == 0)
        judge(w, var_access(w->actors[t].t, &w->vars[var], true, site), ref_write(w->ref, t, var), "writes",
              t, var);
    else
        judge(w, var_access(w->actors[t].t, &w->vars[var], false, site), ref_read(w->ref, t, var), "reads", t,
              var);
}

/* Elements of short arrays have one word of bits, those of long ones all that there are. */
static uint32_t length_of(const struct array *a) {
    return a->is_long ? 1000 : ARRAY_LENGTH;
}

static uint64_t bits_in_place; /* reads settled by the set of the newest entry */

/* What the caller's fast path does in shared state; like that, it looks at the thread's newest entry only. */
static bool bit_in_place(struct ck_thread *t, struct ck_coarse *c, uint32_t i, uint32_t site) {
    for (int k = 0; k < CK_READERS; k++) {
        uint64_t *entry = &c->words[CK_SHARED_READ + k * CK_BLOCK_WORDS(c->bits)];
        if (*entry == 0 || ck_word_slot(*entry) != ck_word_slot(t->epoch)) continue;
        if (!ck_word_same_epoch(*entry, t->epoch)) return false;
        uint64_t *set = &entry[CK_ENTRY_SET + i / 64], bit = UINT64_C(1) << i % 64;
        if (!(*set & bit) && ck_word_site(*entry) != site) return false;
        *set |= bit;
        bits_in_place++;
        return true;
    }
    return false;
}

static bool array_in_place(struct ck_thread *t, struct array *a, uint32_t lo, uint32_t hi, bool write,
                           uint32_t site) {
    if (!a->has_coarse) return false;
    struct ck_coarse *c = &a->coarse;
    if (c->bits != 0 && !write) return hi == lo + 1 && bit_in_place(t, c, lo, site);
    uint64_t *run = &c->words[write ? CK_COARSE_WRITE : CK_COARSE_READ];
    if (!ck_word_same_epoch(run[0], t->epoch)) return false;
    uint32_t from = (uint32_t)run[1],
             to = (uint32_t)(run[1] >> 32); /* `from` is too large if there are steps */
    if (from > CK_RUN_MAX || lo != to || hi != lo + 1) return false;
    run[1] = (uint64_t)hi << 32 | from;
    return true;
}

static uint64_t shared; /* reads of arrays with several readers */

static bool array_access(struct ck_thread *t, struct array *a, uint32_t lo, uint32_t hi, uint32_t step,
                         bool write, uint32_t site) {
    struct ck_coarse out;
    if (!a->elements && array_in_place(t, a, lo, hi, write, site)) return false;
    if (!a->elements) {
        enum ck_array_todo todo = ck_array_step(t, a->has_coarse ? &a->coarse : NULL, &out, length_of(a), lo,
                                                hi, step, write, site);
        if (todo == CK_ARRAY_DONE || todo == CK_ARRAY_LEAVE) return false;
        if (todo == CK_ARRAY_REPLACE || todo == CK_ARRAY_SHARE) {
            shared += todo == CK_ARRAY_SHARE;
            a->coarse = out;
            a->has_coarse = true;
            return false;
        }
        uint64_t words[2 * ARRAY_LENGTH] = {0};
        if (a->has_coarse) ck_array_expand(t, &a->coarse, 0, ARRAY_LENGTH, words);
        a->elements = calloc(ARRAY_LENGTH, sizeof *a->elements);
        for (int i = 0; i < ARRAY_LENGTH; i++) {
            atomic_init(&a->elements[i].r, words[2 * i]);
            atomic_init(&a->elements[i].w, words[2 * i + 1]);
        }
    }
    bool race = false;
    for (uint32_t i = lo; i < hi; i += step) race |= var_access(t, &a->elements[i], write, site);
    return race;
}

/* One access of elements lo, lo + step, ... hi - 1. */
static void touch(struct world *w, int t, int which, uint32_t lo, uint32_t hi, uint32_t step, bool write,
                  uint32_t site) {
    struct ref_answer want = {false, false};
    bool found = array_access(w->actors[t].t, &w->arrays[which], lo, hi, step, write, site);
    for (uint32_t k = lo; k < hi; k += step) {
        int var = FIRST_ELEMENT + which * ARRAY_LENGTH + (int)k;
        struct ref_answer one = write ? ref_write(w->ref, t, var) : ref_read(w->ref, t, var);
        want.rule |= one.rule;
        want.truth |= one.truth;
    }
    judge(w, found, want, write ? "writes array" : "reads array", t, which);
}

static void new_array(struct world *w, int which) {
    free(w->arrays[which].elements);
    w->arrays[which] = (struct array){.is_long = pick(w, 2)};
    for (int i = 0; i < ARRAY_LENGTH; i++) ref_forget(w->ref, FIRST_ELEMENT + which * ARRAY_LENGTH + i);
}

static void do_array(struct world *w, int t) {
    int which = (int)pick(w, ARRAYS);
    if (!w->actors[t].locks[which % LOCKS] && pick(w, 100) < w->discipline) return;
    if (pick(w, 40) == 0) new_array(w, which); /* so that there are always some in the coarse state */
    uint32_t lo = pick(w, ARRAY_LENGTH), hi = lo + 1 + pick(w, pick(w, 2) ? 1 : ARRAY_LENGTH - lo);
    /* Sweeps as programs make them: from the start, element by element. */
    bool sweep = pick(w, 2), write = pick(w, 3) == 0;
    uint32_t step = sweep ? 1 : 1 + pick(w, 3);
    if (sweep) lo = 0;
    if (step == 2 && pick(w, 2)) lo %= 2, hi = ARRAY_LENGTH; /* both colours come often */
    hi = lo + (hi - 1 - lo) / step * step + 1;
    for (uint32_t i = lo; i < hi; i++) {
        uint32_t end = sweep ? i + 1 : hi;
        touch(w, t, which, i, end, step, write, 1 + pick(w, 500));
        i = end - 1;
    }
}

/* Each thread comes after what all the others have done. */
static void barrier(struct world *w) {
    for (int round = 0; round < 2; round++)
        for (int t = 0; t < w->started; t++) {
            if (!w->actors[t].t) continue;
            acquire(w, t, SYNC_VOLATILE, CK_BY_VOLATILE);
            release(w, t, SYNC_VOLATILE, false);
        }
}

static int random_actor(struct world *w) {
    int t = (int)pick(w, (uint32_t)w->started);
    while (!w->actors[t].t) t = (t + 1) % w->started;
    return t;
}

/*
 * As numeric programs work: some threads write an array in bands, all read it in any order, and now and then
 * a barrier between is missing.  Few do nothing else, so that arrays stay shared for many rounds.
 */
static void do_rounds(struct world *w) {
    int which = (int)pick(w, ARRAYS), rounds = 1 + (int)pick(w, 6);
    uint32_t writers = 1 + pick(w, 2), dense = 1 + pick(w, 3 * ARRAY_LENGTH);
    if (pick(w, 4)) new_array(w, which);
    for (int round = 0; round < rounds; round++) {
        uint32_t band = (ARRAY_LENGTH + writers - 1) / writers, writer = 0;
        for (int t = 0; t < w->started && writer < writers; t++) {
            if (!w->actors[t].t) continue;
            uint32_t lo = writer++ * band, hi = lo + band < ARRAY_LENGTH ? lo + band : ARRAY_LENGTH;
            if (pick(w, 2))
                touch(w, t, which, lo, hi, 1, true, 3);
            else
                for (uint32_t i = lo; i < hi - pick(w, 3) / 2; i++) touch(w, t, which, i, i + 1, 1, true, 4);
        }
        if (pick(w, 12)) barrier(w);
        for (int t = 0, readers = 0; t < w->started && readers < 4; t++) {
            if (!w->actors[t].t || pick(w, 5) == 0) continue;
            readers++;
            for (uint32_t n = 0; n < dense; n++) {
                uint32_t i = pick(w, ARRAY_LENGTH);
                touch(w, t, which, i, i + 1, 1, false, 5 + pick(w, 10) / 9);
            }
        }
        if (pick(w, 12)) barrier(w);
        if (pick(w, 4)) continue;
        /* One who has seen all begins to write; one who knows nothing of that comes. */
        int first = random_actor(w), second = random_actor(w);
        for (uint32_t i = 0; i < 1 + pick(w, 4); i++) touch(w, first, which, i, i + 1, 1, true, 3);
        uint32_t i = pick(w, ARRAY_LENGTH);
        touch(w, second, which, i, i + 1, 1, pick(w, 2), 6);
    }
}

static void do_lock(struct world *w, int t) {
    int lock = (int)pick(w, LOCKS);
    struct actor *a = &w->actors[t];
    if (a->locks[lock] && pick(w, 4)) {
        ck_lock_given(a->t, (uint64_t)lock + 1);
        if (--a->locks[lock] == 0) {
            w->ref->threads[t].locks &= ~(1u << lock);
            w->lock_owner[lock] = -1;
            release(w, t, lock, false);
        }
        return;
    }
    if (w->lock_owner[lock] >= 0 && w->lock_owner[lock] != t) return;
    if (!a->locks[lock]) acquire(w, t, lock, CK_BY_LOCK);
    w->lock_owner[lock] = t;
    a->locks[lock]++;
    w->ref->threads[t].locks |= 1u << lock;
    ck_lock_taken(a->t, (uint64_t)lock + 1, false, 9);
    ref_tick(w->ref, t);
}

static void do_rw_lock(struct world *w, int t) {
    int lock = (int)pick(w, RW_LOCKS), writers = SYNC_RW + 2 * lock, readers = writers + 1;
    struct actor *a = &w->actors[t];
    if (a->rw[lock] == 1) {
        a->rw[lock] = 0;
        w->rw_readers[lock]--;
        release(w, t, readers, true);
    } else if (a->rw[lock] == 2) {
        a->rw[lock] = 0;
        w->rw_writer[lock] = 0;
        release(w, t, writers, false);
    } else if (pick(w, 3) && !w->rw_writer[lock]) {
        acquire(w, t, writers, CK_BY_LOCK);
        a->rw[lock] = 1;
        w->rw_readers[lock]++;
    } else if (!w->rw_writer[lock] && !w->rw_readers[lock]) {
        acquire(w, t, writers, CK_BY_LOCK);
        acquire(w, t, readers, CK_BY_LOCK);
        a->rw[lock] = 2;
        w->rw_writer[lock] = 1;
    }
}

static void do_volatile(struct world *w, int t) {
    int sync = SYNC_VOLATILE + (int)pick(w, VOLATILES);
    switch (pick(w, 3)) {
    case 0: release(w, t, sync, true); break;
    case 1: acquire(w, t, sync, CK_BY_VOLATILE); break;
    default: acquire(w, t, sync, CK_BY_VOLATILE); release(w, t, sync, false);
    }
}

static int live(const struct world *w) {
    int n = 0;
    for (int i = 0; i < w->started; i++) n += w->actors[i].t != NULL;
    return n;
}

static void start(struct world *w, int parent) {
    if (w->started == REF_THREADS || live(w) == LIVE_MAX) return;
    int child = w->started++;
    struct ck_thread_info info = {.name = "child"};
    w->actors[child].t = ck_thread_start(w->ck, parent < 0 ? NULL : w->actors[parent].t, &info);
    assert_non_null(w->actors[child].t);
    ref_start(w->ref, parent, child);
}

static void do_end(struct world *w, int t) {
    struct actor *a = &w->actors[t];
    if (live(w) < 3 || w->writes_only) return;
    for (int i = 0; i < LOCKS; i++)
        if (a->locks[i]) return;
    for (int i = 0; i < RW_LOCKS; i++)
        if (a->rw[i]) return;
    a->final = ck_thread_end(a->t);
    a->t = NULL;
}

static void do_join(struct world *w, int t) {
    int ended = (int)pick(w, (uint32_t)w->started);
    if (!w->actors[ended].final) return;
    ck_acquire(w->actors[t].t, w->actors[ended].final, CK_BY_JOIN);
    ref_join(w->ref, t, ended);
}

/* The checker may take the rest of the others' epochs as over too, so this is no matter for exact worlds. */
static void do_acquire_all(struct world *w, int t) {
    if (w->exact || pick(w, 10)) return;
    ck_acquire_all(w->actors[t].t);
    ref_acquire_all(w->ref, t);
}

static void step(struct world *w) {
    int t = random_actor(w);
    uint32_t dice = pick(w, 100);
    if (dice < 55)
        do_variable(w, t);
    else if (dice < 63 && !w->writes_only)
        pick(w, 100) ? do_array(w, t) : do_rounds(w);
    else if (dice < 80)
        do_lock(w, t);
    else if (dice < 86)
        do_rw_lock(w, t);
    else if (dice < 93)
        do_volatile(w, t);
    else if (dice < 96)
        start(w, pick(w, 20) ? t : -1);
    else if (dice < 98)
        do_end(w, t);
    else if (dice < 99)
        do_join(w, t);
    else
        do_acquire_all(w, t);
}

struct totals {
    uint64_t events, races, truths;
    struct ck_counters counters;
};

static struct world *world_new(const struct ck_config *config, uint64_t seed, bool exact) {
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->seed = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    w->exact = exact;
    w->discipline = (uint32_t[]){0, 60, 90, 98, 100}[seed % 5];
    w->ck = ck_new(config);
    w->ref = ref_new(!config->no_shb);
    assert_non_null(w->ck);
    for (int i = 0; i < LOCKS; i++) w->lock_owner[i] = -1;
    start(w, -1);
    start(w, 0);
    start(w, 0);
    return w;
}

static void world_free(struct world *w) {
    for (int i = 0; i < w->started; i++)
        if (w->actors[i].t) ck_thread_end(w->actors[i].t);
    for (int i = 0; i < ARRAYS; i++) free(w->arrays[i].elements);
    ck_free(w->ck);
    ref_free(w->ref);
    free(w);
}

static void run_world(const struct ck_config *config, uint64_t seed, bool exact, int steps,
                      struct totals *totals) {
    struct world *w = world_new(config, seed, exact);
    for (int i = 0; i < steps; i++) step(w);
    struct ck_counters c = ck_counters_get(w->ck);
    /* A read that is covered by now may be kept, by a remembered transition or beside a later write: so a
     * write can race with more. */
    if (exact) assert_true(c.races_total >= w->ref->races);
    totals->events += w->events;
    totals->races += w->races;
    totals->truths += w->truths;
    totals->counters.log_folds_hit += c.log_folds_hit;
    totals->counters.slots_forced += c.slots_forced;
    totals->counters.threads_crowded += c.threads_crowded;
    totals->counters.sets_dropped += c.sets_dropped;
    totals->counters.merges_dropped += c.merges_dropped;
    totals->counters.clock_overflows += c.clock_overflows;
    world_free(w);
}

static struct totals run_worlds(const char *name, const struct ck_config *config, bool exact, int worlds,
                                int steps) {
    struct totals totals = {0};
#ifdef __SANITIZE_ADDRESS__
    worlds /= 4; /* slower by far; what the sanitizers look for does not need as many */
#endif
    for (int i = 1; i <= worlds; i++) run_world(config, (uint64_t)i, exact, steps, &totals);
    printf("%s: %llu accesses, %llu racy, %llu in truth\n", name, (unsigned long long)totals.events,
           (unsigned long long)totals.races, (unsigned long long)totals.truths);
    /* A comparison of nothing with nothing would prove nothing. */
    assert_true(totals.races > totals.events / 1000);
    assert_true(totals.truths < totals.events);
    return totals;
}

static void test_same_answers(void **state) {
    (void)state;
    struct ck_config config = {.sets_max = 4096, .news_log = 1000000};
    struct totals t = run_worlds("same answers", &config, true, 500, 6000);
    printf("settled by the notes on sets: %llu\n", (unsigned long long)in_place);
    assert_true(in_place > t.events / 1000);
    printf("reads with a row: %llu\n", (unsigned long long)rows_in_place);
    assert_true(rows_in_place > t.events / 10000);
    printf("reads of arrays with several readers: %llu\n", (unsigned long long)shared);
    assert_true(shared > t.events / 1000);
    printf("of them by a set of bits: %llu\n", (unsigned long long)bits_in_place);
    assert_true(bits_in_place > t.events / 1000);
    assert_int_equal(t.counters.log_folds_hit + t.counters.slots_forced + t.counters.threads_crowded, 0);
    assert_int_equal(t.counters.sets_dropped + t.counters.merges_dropped, 0);
}

static void test_same_answers_without_shb(void **state) {
    (void)state;
    struct ck_config config = {.sets_max = 4096, .news_log = 1000000, .no_shb = true};
    run_worlds("without shb", &config, true, 200, 6000);
}

static void test_same_answers_with_evidence(void **state) {
    (void)state;
    struct ck_config config = {.sets_max = 4096, .news_log = 1000000, .evidence = true};
    run_worlds("with evidence", &config, true, 200, 6000);
}

static void test_clock_overflow_is_exact(void **state) {
    (void)state;
    struct ck_config config = {.sets_max = 4096, .news_log = 1000000, .clock_limit = 20};
    struct totals t = run_worlds("clock overflow", &config, true, 200, 6000);
    assert_true(t.counters.clock_overflows > 200);
}

static void test_marks_are_exact(void **state) {
    (void)state;
    struct ck_config config = {.sets_max = 4096, .news_log = 1000000, .start_log = 1};
    run_worlds("marks", &config, true, 200, 6000);
}

/* What happened to the pair of site 1 with itself, against the reference's own account. */
static void test_evidence(void **state) {
    (void)state;
    struct ck_config config = {.sets_max = 4096, .news_log = 1000000, .evidence = true, .trail_len = 1024};
    uint64_t predicted = 0;
    for (int i = 1; i <= 100; i++) {
        struct world *w = world_new(&config, (uint64_t)i, true);
        w->writes_only = true;
        ck_site_watch(w->ck, 1, 1);
        for (int k = 0; k < 4000; k++) step(w);
        struct ck_pair pair = ck_pair_get(w->ck, 1, 1);
        assert_int_equal(pair.met, w->ref->met);
        assert_int_equal(pair.raced, w->ref->races);
        assert_int_equal(pair.ordered[CK_BY_LOCK], w->ref->by_lock);
        assert_int_equal(pair.predicted, w->ref->predicted);
        predicted += pair.predicted;
        world_free(w);
    }
    printf("evidence: %llu predicted\n", (unsigned long long)predicted);
    assert_true(predicted > 100);
}

/* Much news at once closes the epoch, which the reference does not: some accesses are checked again. */
static void test_news_as_marks(void **state) {
    (void)state;
    struct ck_config config = {.sets_max = 4096, .news_log = 1};
    run_worlds("news as marks", &config, false, 200, 6000);
    config.no_shb = true;
    config.clock_limit = 60;
    config.evidence = true;
    run_worlds("news as marks, without shb", &config, false, 200, 6000);
}

static void test_few_slots(void **state) {
    (void)state;
    struct ck_config config = {.sets_max = 4096, .max_slots = 14, .dead_slots = 1};
    struct totals t = run_worlds("few slots", &config, false, 200, 6000);
    assert_true(t.counters.slots_forced > 100);
    config.start_log = 1;
    run_worlds("few slots with marks", &config, false, 200, 6000);
}

static void test_crowd(void **state) {
    (void)state;
    struct ck_config config = {.sets_max = 4096, .max_slots = 4};
    struct totals t = run_worlds("crowd", &config, false, 200, 6000);
    assert_true(t.counters.threads_crowded > 100);
    config.clock_limit = 9;
    config.max_slots = 24;
    t = run_worlds("crowd after overflow", &config, false, 200, 6000);
    assert_true(t.counters.threads_crowded > 100);
}

static void test_short_logs(void **state) {
    (void)state;
    for (uint32_t cap = 3; cap <= 24; cap *= 2) {
        struct ck_config config = {.sets_max = 4096, .log_cap = cap};
        struct totals t = run_worlds("short logs", &config, false, 200, 6000);
        assert_true(t.counters.log_folds_hit > 10);
    }
}

static void test_few_sets(void **state) {
    (void)state;
    struct ck_config config = {.sets_max = 64, .set_cap = 3};
    struct totals t = run_worlds("few sets", &config, false, 200, 6000);
    assert_true(t.counters.sets_dropped > 100);
    assert_true(t.counters.merges_dropped > 10);
}

static void test_everything_short(void **state) {
    (void)state;
    struct ck_config config = {.sets_max = 64,
                               .set_cap = 3,
                               .max_slots = 9,
                               .dead_slots = 1,
                               .log_cap = 4,
                               .clock_limit = 40,
                               .evidence = true,
                               .trail_len = 8,
                               .news_log = 1,
                               .max_memory = 1};
    run_worlds("everything short", &config, false, 200, 6000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_answers),
        cmocka_unit_test(test_same_answers_without_shb),
        cmocka_unit_test(test_same_answers_with_evidence),
        cmocka_unit_test(test_clock_overflow_is_exact),
        cmocka_unit_test(test_marks_are_exact),
        cmocka_unit_test(test_evidence),
        cmocka_unit_test(test_news_as_marks),
        cmocka_unit_test(test_few_slots),
        cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_short_logs),
        cmocka_unit_test(test_few_sets),
        cmocka_unit_test(test_everything_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
