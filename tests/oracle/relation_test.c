/* The relation layer against plain sets of tuples; one suite for whichever BDD library is built in. */
#include "relation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { X, Y, Z, N, N_COLUMNS }; /* X, Y, Z of one domain; N of another */
enum { SIZE = 13, OTHER = 5 };  /* no powers of two */
static const unsigned domains[N_COLUMNS] = {0, 0, 0, 1};
static const uint32_t sizes[2] = {SIZE, OTHER};

struct world {
    struct space space;
    struct relation q, r; /* q(x, y), r(y, n) */
    bool in_q[SIZE][SIZE], in_r[SIZE][OTHER];
};

static int setup(void **state) {
    struct world *w = calloc(1, sizeof *w);
    space_init(&w->space, domains, N_COLUMNS, sizes);
    w->q = relation_empty(&w->space, COLUMN(X) | COLUMN(Y));
    w->r = relation_empty(&w->space, COLUMN(Y) | COLUMN(N));
    unsigned seed = 7;
    for (uint32_t i = 0; i < SIZE; i++) {
        for (uint32_t j = 0; j < SIZE; j++) {
            seed = seed * 1103515245u + 12345u;
            if (seed >> 16 & 3) continue;
            w->in_q[i][j] = true;
            relation_add(&w->space, &w->q, (uint32_t[]){i, j});
            if (j >= OTHER) continue;
            w->in_r[i][j] = true;
            relation_add(&w->space, &w->r, (uint32_t[]){i, j});
        }
    }
    *state = w;
    return 0;
}

static int teardown(void **state) {
    struct world *w = *state;
    space_release(&w->space);
    free(w);
    return 0;
}

struct grid {
    bool seen[SIZE][SIZE];
    uint32_t n;
};

static void mark(void *arg, const uint32_t *values) {
    struct grid *g = arg;
    assert_true(values[0] < SIZE && values[1] < SIZE);
    assert_false(g->seen[values[0]][values[1]]);
    g->seen[values[0]][values[1]] = true;
    g->n++;
}

static void test_tuples_come_back(void **state) {
    struct world *w = *state;
    struct grid g = {0};
    relation_each(&w->space, w->q, mark, &g);
    assert_memory_equal(g.seen, w->in_q, sizeof g.seen);
    assert_int_equal(relation_count(&w->space, w->q), g.n);
    assert_true(g.n > 20);
}

static void test_join_drops_the_shared_column(void **state) {
    struct world *w = *state;
    struct relation p = relation_join_drop(&w->space, w->q, w->r, COLUMN(Y));
    struct relation slow = relation_drop(&w->space, relation_join(&w->space, w->q, w->r), COLUMN(Y));
    assert_true(relation_equal(p, slow));
    struct grid g = {0};
    relation_each(&w->space, p, mark, &g);
    for (unsigned x = 0; x < SIZE; x++) {
        for (unsigned n = 0; n < OTHER; n++) {
            bool want = false;
            for (unsigned y = 0; y < SIZE; y++) want |= w->in_q[x][y] && w->in_r[y][n];
            assert_int_equal(g.seen[x][n], want);
        }
    }
}

static void test_union_minus_and_order(void **state) {
    struct world *w = *state;
    struct relation less = relation_less(&w->space, X, Y), same = relation_same(&w->space, X, Y);
    struct relation up = relation_join(&w->space, w->q, less), flat = relation_join(&w->space, w->q, same);
    struct relation down = relation_minus(&w->space, relation_minus(&w->space, w->q, up), flat);
    struct relation all = relation_union(&w->space, relation_union(&w->space, up, flat), down);
    assert_true(relation_equal(all, w->q));
    struct grid g = {0};
    relation_each(&w->space, up, mark, &g);
    for (unsigned x = 0; x < SIZE; x++)
        for (unsigned y = 0; y < SIZE; y++) assert_int_equal(g.seen[x][y], w->in_q[x][y] && x < y);
}

static void test_rename_and_closure(void **state) {
    struct world *w = *state;
    struct space *s = &w->space;
    struct relation step = relation_rename(s, w->q, (unsigned[]){Y}, (unsigned[]){Z}, 1);
    step = relation_rename(s, step, (unsigned[]){X}, (unsigned[]){Y}, 1);
    struct relation closure = w->q, before;
    do { /* closure(x, z) :- closure(x, y), q(y, z) */
        before = closure;
        struct relation next = relation_join_drop(s, closure, step, COLUMN(Y));
        closure = relation_union(s, closure, relation_rename(s, next, (unsigned[]){Z}, (unsigned[]){Y}, 1));
    } while (!relation_equal(closure, before));
    bool want[SIZE][SIZE];
    memcpy(want, w->in_q, sizeof want);
    for (unsigned k = 0; k < SIZE; k++)
        for (unsigned i = 0; i < SIZE; i++)
            for (unsigned j = 0; j < SIZE; j++) want[i][j] |= want[i][k] && want[k][j];
    struct grid g = {0};
    relation_each(s, closure, mark, &g);
    assert_memory_equal(g.seen, want, sizeof want);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tuples_come_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_join_drops_the_shared_column, setup, teardown),
        cmocka_unit_test_setup_teardown(test_union_minus_and_order, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rename_and_closure, setup, teardown),
    };
    print_message("relations on %s\n", backend_name);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
