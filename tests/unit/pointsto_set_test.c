/* Sets against a plain bit array, in both forms. */
#include "../../static/pointsto/set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { UNIVERSE = 4096 };

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void check_same(const struct pts_set *s, const uint8_t *model) {
    struct pts_set_iter it = {0};
    uint32_t x, count = 0;
    for (uint32_t i = 0; i < UNIVERSE; i++) {
        assert_int_equal(pts_set_has(s, i), model[i]);
        count += model[i];
    }
    assert_int_equal(pts_set_count(s), count);
    for (uint32_t i = 0; i < UNIVERSE; i++) {
        if (!model[i]) continue;
        assert_true(pts_set_next(s, &it, &x));
        assert_int_equal(x, i);
    }
    assert_false(pts_set_next(s, &it, &x));
}

static void test_add_in_any_order(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed < 20; seed++) {
        struct pts_set s = {0};
        uint8_t model[UNIVERSE] = {0};
        uint32_t r = seed, n = seed * 17;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t x = next_random(&r) % UNIVERSE;
            assert_int_equal(pts_set_add(&s, x), !model[x]);
            model[x] = 1;
        }
        check_same(&s, model);
        pts_set_release(&s);
    }
}

/* Fills set and model with n random elements. */
static void fill(struct pts_set *s, uint8_t *model, uint32_t n, uint32_t *r) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = next_random(r) % UNIVERSE;
        pts_set_add(s, x);
        model[x] = 1;
    }
}

static void check_union(uint32_t n_dst, uint32_t n_src, uint32_t n_fresh, uint32_t seed) {
    struct pts_set dst = {0}, src = {0}, fresh = {0}, copy = {0};
    uint8_t mdst[UNIVERSE] = {0}, msrc[UNIVERSE] = {0}, mfresh[UNIVERSE] = {0};
    uint32_t r = seed;
    fill(&dst, mdst, n_dst, &r);
    fill(&src, msrc, n_src, &r);
    fill(&fresh, mfresh, n_fresh, &r);
    bool any = false;
    for (uint32_t i = 0; i < UNIVERSE; i++) {
        if (!msrc[i] || mdst[i]) continue;
        any = true;
        mfresh[i] = mdst[i] = 1;
    }
    assert_int_equal(pts_set_union(&dst, &src, &fresh), any);
    check_same(&dst, mdst);
    check_same(&src, msrc);
    check_same(&fresh, mfresh);
    assert_false(pts_set_union(&dst, &src, &fresh));
    pts_set_copy(&copy, &dst);
    assert_true(pts_set_equal(&copy, &dst));
    pts_set_release(&copy);
    pts_set_release(&dst);
    pts_set_release(&src);
    pts_set_release(&fresh);
}

static void test_union_of_all_forms(void **state) {
    (void)state;
    static const uint32_t sizes[] = {0, 1, 5, 60, 70, 500, 3000};
    uint32_t seed = 1;
    for (size_t a = 0; a < 7; a++)
        for (size_t b = 0; b < 7; b++)
            for (size_t c = 0; c < 7; c++) check_union(sizes[a], sizes[b], sizes[c], seed++);
}

static void test_equality_ignores_the_form(void **state) {
    (void)state;
    struct pts_set big = {0}, small = {0}, many = {0};
    for (uint32_t i = 0; i < 100; i++) pts_set_add(&many, i * 3);
    pts_set_add(&big, 6);
    pts_set_add(&small, 6);
    assert_true(pts_set_equal(&big, &small));
    pts_set_union(&big, &many, NULL);
    assert_false(pts_set_equal(&big, &small));
    assert_true(pts_set_equal(&big, &many));
    pts_set_release(&big);
    pts_set_release(&small);
    pts_set_release(&many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_in_any_order),
        cmocka_unit_test(test_union_of_all_forms),
        cmocka_unit_test(test_equality_ignores_the_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
