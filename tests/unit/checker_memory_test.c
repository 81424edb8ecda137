/*
 * The checker without memory.  calloc is replaced (by the linker) with one that fails when the test says so:
 * nothing may crash, nothing may be reported that is no race, and what was lost is counted.
 */
#include "race/checker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

static long allocations_left = -1; /* -1: no limit */
static bool fails_for_good;        /* after the limit, or only once */

void *__wrap_calloc(size_t count, size_t size) {
    if (allocations_left == 0) {
        if (!fails_for_good) allocations_left = -1;
        return NULL;
    }
    if (allocations_left > 0) allocations_left--;
    return __real_calloc(count, size);
}

enum { THREADS = 6, VARS = 24 };

static void no_race(void *arg, const struct ck_race *race) {
    fail_msg("false alarm: sites %u and %u (%s)", race->now.site, race->earlier.site, (const char *)arg);
}

static void use_lock(struct ck_thread *t, uint64_t *word, struct ck_var *guarded) {
    ck_acquire(t, *word, CK_BY_LOCK);
    ck_lock_taken(t, 1, false, 3);
    ck_var_read(t, guarded, 4, NULL);
    ck_var_write(t, guarded, 5, NULL);
    ck_lock_given(t, 1);
    *word = ck_release(t, *word, CK_RELEASE_OVER, 6);
}

/* A program without races; a thread that cannot be made uses its parent's state, as the interface says. */
static void race_free_program(struct checker *ck) {
    struct ck_var constants[VARS] = {0}, guarded = {0};
    uint64_t lock = 0, merged = 0;
    struct ck_thread *first = ck_thread_start(ck, NULL, NULL), *t[THREADS];
    if (!first) return;
    for (int i = 0; i < VARS; i++) ck_var_write(first, &constants[i], 1, NULL);
    for (int i = 0; i < THREADS; i++) {
        t[i] = ck_thread_start(ck, first, &(struct ck_thread_info){.name = "t"});
        if (!t[i]) t[i] = first;
    }
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < THREADS; i++) {
            for (int k = 0; k < VARS; k++) ck_var_read(t[i], &constants[k], 2, NULL);
            use_lock(t[i], &lock, &guarded);
            merged = ck_release(t[i], merged, CK_RELEASE_BLIND, 7);
            uint64_t frames[2] = {(uint64_t)round, 9};
            ck_history_add(t[i], 2, ck_stack_intern(ck, frames, 2));
        }
        use_lock(first, &lock, &guarded);
    }
    ck_acquire(first, merged, CK_BY_VOLATILE);
    for (int i = 0; i < VARS; i++) ck_var_write(first, &constants[i], 8, NULL);
    for (int i = 0; i < THREADS; i++)
        if (t[i] != first) ck_acquire(first, ck_thread_end(t[i]), CK_BY_JOIN);
    ck_thread_end(first);
}

static struct ck_config config(void) {
    return (struct ck_config){
        .on_race = no_race, .arg = "program", .history = true, .evidence = true, .sets_max = 256};
}

static long count_allocations(void) {
    struct ck_config c = config();
    allocations_left = 1000000;
    struct checker *ck = ck_new(&c);
    race_free_program(ck);
    ck_free(ck);
    long used = 1000000 - allocations_left;
    allocations_left = -1;
    return used;
}

/* Every allocation of the program fails in its turn, alone or with all that follow. */
static void test_each_allocation_fails(void **state) {
    (void)state;
    long total = count_allocations();
    assert_true(total > 200);
    for (int mode = 0; mode < 2; mode++) {
        fails_for_good = mode == 1;
        for (long i = 0; i < total; i++) {
            struct ck_config c = config();
            allocations_left = i;
            struct checker *ck = ck_new(&c);
            if (ck) {
                race_free_program(ck);
                if (allocations_left <= 0 || i < total / 2) assert_true(ck_counters_get(ck).no_memory > 0);
            }
            allocations_left = -1;
            ck_free(ck);
        }
    }
    fails_for_good = false;
}

/* Beyond max_memory only the order between threads is kept: still no false alarm, and the memory stays small.
 */
static void test_memory_limit(void **state) {
    (void)state;
    struct ck_config c = config();
    struct checker *ck = ck_new(&c);
    race_free_program(ck);
    uint64_t at_ease = ck_counters_get(ck).bytes;
    ck_free(ck);
    c.max_memory = 1;
    ck = ck_new(&c);
    race_free_program(ck);
    struct ck_counters counters = ck_counters_get(ck);
    assert_true(counters.no_memory > 0);
    assert_true(counters.threads_crowded > 0);
    assert_true(counters.bytes < at_ease);
    ck_free(ck);
}

/* A race is still found when memory has run out after the threads were made. */
static void test_races_found_without_memory(void **state) {
    (void)state;
    struct ck_config c = {0};
    struct checker *ck = ck_new(&c);
    struct ck_thread *one = ck_thread_start(ck, NULL, NULL), *two = ck_thread_start(ck, one, NULL);
    struct ck_var v = {0};
    allocations_left = 0;
    fails_for_good = true;
    assert_false(ck_var_write(one, &v, 1, NULL));
    assert_true(ck_var_write(two, &v, 2, NULL));
    allocations_left = -1;
    ck_thread_end(one);
    ck_thread_end(two);
    assert_int_equal(ck_counters_get(ck).races_total, 1);
    ck_free(ck);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_allocation_fails),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_races_found_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
