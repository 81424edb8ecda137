/*
 * Many threads in the checker at the same time.
 *
 * The program they play is race-free in all variables but one, so whatever is reported elsewhere is a false
 * alarm; and built with -fsanitize=thread the test shows data races of the checker itself:
 *
 *     cmake -S . -B build-tsan -DCMAKE_C_FLAGS=-fsanitize=thread && ninja -C build-tsan checker_stress_test
 */
#include "race/checker.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WORKERS = 6, ROUNDS = 4000, LOCKS = 3, SHARED = 64, SITE_RACY = 1, SITE_SAFE = 1000 };

struct lock {
    pthread_mutex_t mutex;
    uint64_t word; /* under mutex */
    struct ck_var guarded;
};

/* A value passed between two threads through a volatile flag. */
struct mailbox {
    _Atomic int full;
    _Atomic uint64_t word;
    struct ck_var content;
};

struct stage {
    struct checker *ck;
    struct lock locks[LOCKS];
    struct mailbox boxes[WORKERS];
    struct ck_var constants[SHARED]; /* written before the workers start, read by all of them */
    struct ck_var racy;
    _Atomic uint64_t merged; /* sync word that all write blindly */
    _Atomic int false_alarms, races;
};

struct worker {
    struct stage *stage;
    struct ck_thread *t;
    int number;
    uint64_t final;
    pthread_t thread;
};

static void on_race(void *arg, const struct ck_race *race) {
    struct stage *s = arg;
    if (race->now.site >= SITE_SAFE || race->earlier.site >= SITE_SAFE) {
        atomic_fetch_add(&s->false_alarms, 1);
        fprintf(stderr, "false alarm: sites %u and %u\n", race->now.site, race->earlier.site);
    }
    atomic_fetch_add(&s->races, 1);
}

static void release(struct ck_thread *t, _Atomic uint64_t *word, enum ck_release_how how) {
    for (;;) {
        uint64_t old = atomic_load(word);
        if (how == CK_RELEASE_OVER) ck_acquire(t, old, CK_BY_VOLATILE);
        uint64_t next = ck_release(t, old, how, SITE_SAFE);
        if (atomic_compare_exchange_strong(word, &old, next)) return;
        ck_word_dropped(t, next);
    }
}

static void use_lock(struct stage *s, struct ck_thread *t, int which) {
    struct lock *l = &s->locks[which];
    pthread_mutex_lock(&l->mutex);
    ck_acquire(t, l->word, CK_BY_LOCK);
    ck_lock_taken(t, (uint64_t)which + 1, false, SITE_SAFE);
    ck_var_read(t, &l->guarded, SITE_SAFE + 1, NULL);
    ck_var_write(t, &l->guarded, SITE_SAFE + 2, NULL);
    ck_lock_given(t, (uint64_t)which + 1);
    l->word = ck_release(t, l->word, CK_RELEASE_OVER, SITE_SAFE);
    pthread_mutex_unlock(&l->mutex);
}

/* The owner fills the box when it is empty, its neighbour empties it. */
static void use_mailbox(struct stage *s, struct worker *w) {
    struct mailbox *out = &s->boxes[w->number], *in = &s->boxes[(w->number + 1) % WORKERS];
    if (!atomic_load(&out->full)) {
        ck_acquire(w->t, atomic_load(&out->word), CK_BY_HANDOFF);
        ck_var_write(w->t, &out->content, SITE_SAFE + 3, NULL);
        release(w->t, &out->word, CK_RELEASE_BLIND);
        atomic_store(&out->full, 1);
    }
    if (atomic_load(&in->full)) {
        ck_acquire(w->t, atomic_load(&in->word), CK_BY_HANDOFF);
        ck_var_read(w->t, &in->content, SITE_SAFE + 4, NULL);
        ck_var_write(w->t, &in->content, SITE_SAFE + 5, NULL);
        release(w->t, &in->word, CK_RELEASE_OVER);
        atomic_store(&in->full, 0);
    }
}

static void *child_main(void *arg) {
    struct worker *w = arg;
    for (int i = 0; i < 5; i++) use_lock(w->stage, w->t, i % LOCKS);
    ck_var_read(w->t, &w->stage->constants[0], SITE_SAFE + 6, NULL);
    w->final = ck_thread_end(w->t);
    return NULL;
}

/* Starts a thread, and joins it or not. */
static void use_child(struct worker *w) {
    struct worker child = {.stage = w->stage};
    struct ck_var local = {0};
    ck_var_write(w->t, &local, SITE_SAFE + 7, NULL);
    child.t = ck_thread_start(w->stage->ck, w->t, NULL);
    if (!child.t || pthread_create(&child.thread, NULL, child_main, &child)) abort();
    pthread_join(child.thread, NULL);
    if (w->number % 2) ck_acquire(w->t, child.final, CK_BY_JOIN);
}

static void *worker_main(void *arg) {
    struct worker *w = arg;
    struct stage *s = w->stage;
    for (int i = 0; i < ROUNDS; i++) {
        use_lock(s, w->t, (i + w->number) % LOCKS);
        use_mailbox(s, w);
        for (int k = 0; k < SHARED; k += 1 + i % 7) ck_var_read(w->t, &s->constants[k], SITE_SAFE + 8, NULL);
        if (i % 3 == 0)
            ck_var_write(w->t, &s->racy, SITE_RACY, NULL);
        else
            ck_var_read(w->t, &s->racy, SITE_RACY + 1, NULL);
        if (i % 5 == 0) release(w->t, &s->merged, CK_RELEASE_BLIND);
        if (i % 50 == 0) ck_acquire(w->t, atomic_load(&s->merged), CK_BY_VOLATILE);
        if (i % 60 == 0) use_child(w);
        if (i % 500 == 499) ck_acquire_all(w->t);
        ck_history_add(w->t, SITE_RACY, (ck_stack_id){1});
        if (i % 16 == 0) sched_yield();
    }
    w->final = ck_thread_end(w->t);
    return NULL;
}

static struct ck_counters run_stage(struct ck_config config) {
    struct stage *s = calloc(1, sizeof *s);
    struct worker workers[WORKERS];
    assert_non_null(s);
    config.on_race = on_race;
    config.arg = s;
    s->ck = ck_new(&config);
    for (uint32_t i = 0; i < 2; i++) {
        ck_site_watch(s->ck, SITE_RACY + i, SITE_RACY + i);
        ck_site_watch(s->ck, SITE_SAFE + 1 + i, SITE_SAFE + 1 + i);
    }
    for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&s->locks[i].mutex, NULL);
    struct ck_thread *main_thread = ck_thread_start(s->ck, NULL, NULL);
    for (int i = 0; i < SHARED; i++) ck_var_write(main_thread, &s->constants[i], SITE_SAFE + 9, NULL);
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (struct worker){.stage = s, .number = i};
        workers[i].t = ck_thread_start(s->ck, main_thread, NULL);
        assert_non_null(workers[i].t);
        assert_int_equal(pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i].thread, NULL);
        ck_acquire(main_thread, workers[i].final, CK_BY_JOIN);
    }
    for (int i = 0; i < SHARED; i++) ck_var_write(main_thread, &s->constants[i], SITE_SAFE + 10, NULL);
    for (int i = 0; i < LOCKS; i++) ck_var_write(main_thread, &s->locks[i].guarded, SITE_SAFE + 11, NULL);
    assert_int_equal(atomic_load(&s->false_alarms), 0);
    assert_true(atomic_load(&s->races) > 0);
    struct ck_counters c = ck_counters_get(s->ck);
    ck_thread_end(main_thread);
    assert_int_equal(ck_counters_get(s->ck).threads_live, 0);
    ck_free(s->ck);
    free(s);
    return c;
}

static void test_at_ease(void **state) {
    (void)state;
    struct ck_counters c = run_stage((struct ck_config){.history = true, .evidence = true});
    assert_int_equal(c.threads_crowded + c.no_memory, 0);
}

static void test_in_a_crowd(void **state) {
    (void)state;
    struct ck_counters c = run_stage((struct ck_config){.max_slots = 5, .dead_slots = 1});
    assert_true(c.threads_crowded > 0);
}

static void test_everything_short(void **state) {
    (void)state;
    struct ck_counters c = run_stage((struct ck_config){.max_slots = 4000,
                                                        .dead_slots = 2,
                                                        .clock_limit = 200,
                                                        .log_cap = 16,
                                                        .sets_max = 64,
                                                        .set_cap = 3,
                                                        .trail_len = 8,
                                                        .evidence = true});
    assert_true(c.clock_overflows > 0);
    assert_true(c.slots_forced > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at_ease),
        cmocka_unit_test(test_in_a_crowd),
        cmocka_unit_test(test_everything_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
