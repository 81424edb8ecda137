/* Pairs and names of sets against the simple models: a table of bits, and comparing the sets. */
#include "../../static/pointsto/names.h"
#include "../../static/pointsto/pairs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { SIDE = 600, TRIES = 400000 };

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Enough of them that the table in front comes into use, and a clear() in the middle. */
static void pairs_are_new_once(void **arg) {
    (void)arg;
    struct pts_pairs pairs = {0};
    bool *known = calloc((size_t)SIDE * SIDE, sizeof *known);
    uint32_t state = 1;
    size_t n = 0;
    assert_non_null(known);
    for (int i = 0; i < TRIES; i++) {
        uint32_t a = next_random(&state) % SIDE, b = next_random(&state) % SIDE;
        bool *at = &known[a * SIDE + b];
        assert_int_equal(pts_pairs_add(&pairs, a, b), !*at);
        assert_false(pts_pairs_add(&pairs, a, b));
        n += !*at;
        *at = true;
        assert_int_equal(pairs.n, n);
        if (i != TRIES / 2) continue;
        pts_pairs_clear(&pairs);
        for (size_t k = n = 0; k < (size_t)SIDE * SIDE; k++) known[k] = false;
    }
    assert_non_null(pairs.recent);
    pts_pairs_release(&pairs);
    free(known);
}

/* Of equal names the sets are equal, and a set that comes twice in a row keeps its name. */
static void names_tell_sets_apart(void **arg) {
    (void)arg;
    enum { SETS = 300, LAST = 20000 };
    static struct pts_set sets[SETS];
    static uint32_t owner[LAST]; /* the set that got the name, + 1 */
    struct pts_set_names names = {0};
    uint32_t state = 7;
    for (uint32_t i = 0; i < SETS; i++)
        for (uint32_t k = 0; k < 1 + i % 90; k++) pts_set_add(&sets[i], next_random(&state) % (10 + i));
    for (uint32_t i = 0; i < LAST - 1; i++) {
        uint32_t at = next_random(&state) % SETS, name = pts_set_name(&names, &sets[at]);
        assert_in_range(name, 1, LAST - 1);
        assert_int_equal(pts_set_name(&names, &sets[at]), name);
        if (owner[name] != 0) assert_true(pts_set_equal(&sets[owner[name] - 1], &sets[at]));
        owner[name] = at + 1;
    }
    pts_set_names_release(&names);
    for (uint32_t i = 0; i < SETS; i++) pts_set_release(&sets[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_new_once),
        cmocka_unit_test(names_tell_sets_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
