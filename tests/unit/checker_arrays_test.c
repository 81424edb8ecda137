/* The coarse shadow of arrays: runs of one thread, bands, several readers. */
#include "play.h"
#include "race/checker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Two statements of one thread side by side: each element keeps the one that touched it. */
static void test_array_sites(void **state) {
    (void)state;
    struct play p;
    struct ck_coarse a, b;
    uint64_t words[40];
    play_begin(&p, (struct ck_config){0});
    struct ck_thread *one = p.threads[1];
    assert_int_equal(ck_array_step(one, NULL, &a, 20, 3, 4, 1, true, 5), CK_ARRAY_REPLACE);
    assert_int_equal(ck_array_step(one, &a, &b, 20, 4, 5, 1, true, 6), CK_ARRAY_REPLACE);
    assert_int_equal(ck_array_step(one, &b, &a, 20, 2, 3, 1, true, 5), CK_ARRAY_REPLACE);
    assert_int_equal(ck_array_step(one, &a, &b, 20, 2, 4, 1, true, 6), CK_ARRAY_REPLACE);
    ck_array_expand(one, &a, 0, 20, words);
    for (int i = 0; i < 20; i++) {
        uint64_t site = i == 2 || i == 3 ? 5 : 6;
        assert_int_equal(words[2 * i + 1], i >= 2 && i <= 4 ? (one->epoch | site) : 0);
    }
    play_end(&p);
}

static void test_array_bands(void **state) {
    (void)state;
    struct play p;
    struct ck_coarse a, b;
    play_begin(&p, (struct ck_config){0});
    play(&p, "1 fork 2");
    struct ck_thread *one = p.threads[1], *two = p.threads[2];
    assert_int_equal(ck_array_step(one, NULL, &a, 100, 0, 50, 1, true, 5), CK_ARRAY_REPLACE);
    assert_int_equal(ck_array_step(one, &a, &b, 100, 10, 20, 1, true, 5), CK_ARRAY_DONE);
    assert_int_equal(ck_array_step(one, &a, &b, 100, 50, 60, 1, true, 5), CK_ARRAY_REPLACE);
    assert_int_equal(ck_array_step(one, &b, &a, 100, 70, 71, 1, true, 5), CK_ARRAY_ELEMENTS);
    assert_int_equal(ck_array_step(two, &b, &a, 100, 60, 100, 1, true, 6), CK_ARRAY_ELEMENTS);
    uint64_t words[200];
    ck_array_expand(two, &b, 0, 100, words);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(words[2 * i], 0);
        assert_int_equal(words[2 * i + 1], i < 60 ? (one->epoch | 5) : 0);
    }
    /* Handed over through a volatile, the second thread takes the array without refining it. */
    play(&p, "1 vw v; 2 vr v");
    assert_int_equal(ck_array_step(two, &b, &a, 100, 0, 10, 1, false, 6), CK_ARRAY_REPLACE);
    assert_int_equal(a.words[CK_COARSE_OWNER], two->id);
    assert_int_equal(ck_array_step(two, NULL, &a, 4, 0, 1, 1, false, 6), CK_ARRAY_ELEMENTS);
    assert_int_equal(ck_array_step(two, NULL, &a, UINT32_MAX / 2, 0, 1, 1, true, 6), CK_ARRAY_REPLACE);
    assert_int_equal(ck_array_step(two, &a, &b, UINT32_MAX / 2, 99, 100, 1, true, 6), CK_ARRAY_LEAVE);
    assert_int_equal(ck_counters_get(p.ck).arrays_left, 1);
    play_end(&p);
}

/* Several threads read what one has written before; then the writer comes back. */
static void test_array_readers(void **state) {
    (void)state;
    struct play p;
    struct ck_coarse a, b;
    uint64_t words[200];
    play_begin(&p, (struct ck_config){0});
    struct ck_thread *one = p.threads[1];
    uint64_t written = one->epoch | 5;
    assert_int_equal(ck_array_step(one, NULL, &a, 100, 0, 100, 1, true, 5), CK_ARRAY_REPLACE);
    play(&p, "1 fork 2; 1 fork 3");
    struct ck_thread *two = p.threads[2], *three = p.threads[3];
    assert_int_equal(ck_array_step(two, &a, &b, 100, 0, 50, 1, false, 6), CK_ARRAY_REPLACE);
    assert_int_equal(ck_array_step(three, &b, &a, 100, 20, 100, 1, false, 7), CK_ARRAY_SHARE);
    assert_int_equal(a.bits, CK_BITS_MAX);
    assert_int_equal(ck_array_step(two, &a, &b, 100, 50, 60, 1, false, 6), CK_ARRAY_SHARE);
    /* Not in the writer's past, and nobody wrote what was read: the elements tell. */
    assert_int_equal(ck_array_step(one, &b, &a, 100, 0, 100, 1, true, 8), CK_ARRAY_ELEMENTS);
    ck_array_expand(one, &b, 0, 100, words);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(words[2 * i + 1], written);
        assert_int_equal(ck_word_is_set(words[2 * i]), i >= 20 && i < 60);
        if (i < 20) assert_int_equal(words[2 * i], two->epoch | 6);
        if (i >= 60) assert_int_equal(words[2 * i], three->epoch | 7);
    }
    assert_int_equal(words[2 * 20], words[2 * 59]);
    play(&p, "1 end 2; 1 join 2; 1 end 3; 1 join 3");
    assert_int_equal(ck_array_step(one, &b, &a, 100, 0, 99, 1, true, 8), CK_ARRAY_SHARE);
    ck_array_expand(one, &a, 98, 100, words); /* what was not written over still has its reads */
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], one->epoch | 8);
    assert_int_not_equal(words[2], 0);
    assert_int_equal(words[3], written);
    /* It stays as it is for two readers, though nothing is left of their reads. */
    assert_int_equal(ck_array_step(one, &b, &a, 100, 0, 100, 1, true, 8), CK_ARRAY_SHARE);
    ck_array_expand(one, &a, 0, 100, words);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(words[2 * i], 0);
        assert_int_equal(words[2 * i + 1], one->epoch | 8);
    }
    play_end(&p);
}

/* One thread reads in any order, and then writes it all. */
static void test_array_one_reader(void **state) {
    (void)state;
    struct play p;
    struct ck_coarse a, b;
    play_begin(&p, (struct ck_config){0});
    struct ck_thread *one = p.threads[1];
    assert_int_equal(ck_array_step(one, NULL, &a, 50, 7, 8, 1, false, 5), CK_ARRAY_REPLACE);
    assert_int_equal(ck_array_step(one, &a, &b, 50, 40, 41, 1, false, 5), CK_ARRAY_SHARE);
    assert_int_equal(b.bits, CK_BITS_SHORT);
    assert_int_equal(ck_array_step(one, &b, &a, 50, 0, 40, 1, true, 6), CK_ARRAY_SHARE);
    assert_int_equal(ck_array_step(one, &a, &b, 50, 40, 50, 1, true, 6), CK_ARRAY_REPLACE);
    assert_int_equal(b.bits, 0);
    assert_int_equal(b.words[CK_COARSE_OWNER], one->id);
    play_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_array_sites),
        cmocka_unit_test(test_array_bands),
        cmocka_unit_test(test_array_readers),
        cmocka_unit_test(test_array_one_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
