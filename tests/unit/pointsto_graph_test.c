/* The constraint graph against the simple model: iterate all constraints over bit arrays until stable. */
#include "../../static/pointsto/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { NODES = 60, OBJECTS = 40, FIELD_NODES = OBJECTS, ALL = NODES + FIELD_NODES, MAX = 400 };
enum { LOAD = 1, STORE = 2 };

/* One random system: object o's only field is node NODES + o. */
struct script {
    struct {
        uint32_t kind, a, b, filter; /* 0 edge a->b; LOAD b = a.f; STORE a.f = b */
    } rules[MAX];
    uint32_t n_rules;
    uint8_t start[ALL][OBJECTS];
    struct pts_graph *g;
    uint32_t fed; /* rules given to the graph so far (the rest arrives while it solves) */
};

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Objects are of class o % 4; filter f lets class f - 1 and class 0 pass. */
static bool passes(void *self, uint32_t filter, uint32_t cls) {
    (void)self;
    return cls == 0 || cls == filter - 1;
}

static void apply(void *self, struct pts_cons cons, const struct pts_set *delta) {
    struct script *s = self;
    struct pts_set_iter it = {0};
    uint32_t o;
    while (pts_set_next(delta, &it, &o)) {
        if (cons.kind == LOAD)
            pts_graph_edge(s->g, NODES + o, cons.a, 0);
        else
            pts_graph_edge(s->g, cons.a, NODES + o, 0);
    }
}

static void feed(struct script *s, uint32_t i) {
    uint32_t a = s->rules[i].a, b = s->rules[i].b;
    if (s->rules[i].kind == 0)
        pts_graph_edge(s->g, a, b, s->rules[i].filter);
    else
        pts_graph_cons(s->g, a, (struct pts_cons){.kind = s->rules[i].kind, .a = b});
}

static bool more(void *self) {
    struct script *s = self;
    if (s->fed == s->n_rules) return false;
    feed(s, s->fed++);
    return true;
}

static const struct pts_graph_ops ops = {.apply = apply, .passes = passes, .more = more};

static bool include(uint8_t *from, uint8_t *to, uint32_t filter) {
    bool changed = false;
    for (uint32_t o = 0; o < OBJECTS; o++) {
        if (!from[o] || to[o] || (filter && !passes(NULL, filter, o % 4))) continue;
        to[o] = 1;
        changed = true;
    }
    return changed;
}

static void solve_simply(const struct script *s, uint8_t sets[ALL][OBJECTS]) {
    memcpy(sets, s->start, ALL * OBJECTS);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < s->n_rules; i++) {
            uint32_t a = s->rules[i].a, b = s->rules[i].b;
            if (s->rules[i].kind == 0) changed |= include(sets[a], sets[b], s->rules[i].filter);
            for (uint32_t o = 0; o < OBJECTS && s->rules[i].kind; o++) {
                if (!sets[a][o]) continue;
                changed |= s->rules[i].kind == LOAD ? include(sets[NODES + o], sets[b], 0)
                                                    : include(sets[b], sets[NODES + o], 0);
            }
        }
    }
}

static void make_script(struct script *s, uint32_t seed) {
    uint32_t r = seed;
    memset(s, 0, sizeof *s);
    s->n_rules = 40 + next_random(&r) % 160;
    for (uint32_t i = 0; i < s->n_rules; i++) {
        uint32_t what = next_random(&r) % 8;
        s->rules[i].kind = what < 5 ? 0 : what == 5 ? LOAD : STORE;
        s->rules[i].a = next_random(&r) % NODES;
        s->rules[i].b = next_random(&r) % NODES;
        s->rules[i].filter = what == 0 ? 1 + next_random(&r) % 4 : 0;
    }
    for (uint32_t i = 0; i < OBJECTS; i++) s->start[next_random(&r) % NODES][i] = 1;
}

static void check_script(struct script *s, bool sort_often) {
    struct pts_graph g;
    uint8_t expected[ALL][OBJECTS];
    pts_graph_init(&g, &ops, s);
    s->g = &g;
    for (uint32_t o = 0; o < OBJECTS; o++) assert_int_equal(pts_graph_object(&g, o % 4), o);
    pts_graph_nodes(&g, ALL);
    for (uint32_t n = 0; n < ALL; n++)
        for (uint32_t o = 0; o < OBJECTS; o++)
            if (s->start[n][o]) pts_graph_add(&g, n, o);
    for (s->fed = 0; s->fed < s->n_rules / 2;) feed(s, s->fed++);
    if (sort_often) pts_graph_sort(&g);
    pts_graph_solve(&g);
    if (sort_often) {
        pts_graph_sort(&g);
        pts_graph_solve(&g);
    }
    solve_simply(s, expected);
    for (uint32_t n = 0; n < ALL; n++)
        for (uint32_t o = 0; o < OBJECTS; o++)
            assert_int_equal(pts_set_has(pts_graph_set(&g, n), o), expected[n][o]);
    pts_graph_release(&g);
}

static void test_random_systems_agree_with_simple_model(void **state) {
    (void)state;
    static struct script s;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        make_script(&s, seed);
        check_script(&s, seed % 2);
    }
}

static void test_cycles_become_one_node(void **state) {
    (void)state;
    struct pts_graph g;
    struct script s = {0};
    pts_graph_init(&g, &ops, &s);
    s.g = &g;
    pts_graph_nodes(&g, 4);
    pts_graph_object(&g, 0);
    pts_graph_edge(&g, 0, 1, 0);
    pts_graph_edge(&g, 1, 2, 0);
    pts_graph_edge(&g, 2, 0, 0);
    pts_graph_edge(&g, 2, 3, 2); /* a filter keeps node 3 out of the cycle */
    pts_graph_edge(&g, 3, 2, 0);
    pts_graph_sort(&g);
    assert_int_equal(pts_graph_rep(&g, 0), pts_graph_rep(&g, 2));
    assert_int_equal(pts_graph_rep(&g, 1), pts_graph_rep(&g, 2));
    assert_int_not_equal(pts_graph_rep(&g, 3), pts_graph_rep(&g, 2));
    pts_graph_add(&g, 1, 0);
    pts_graph_solve(&g);
    assert_true(pts_set_has(pts_graph_set(&g, 0), 0));
    assert_true(pts_set_has(pts_graph_set(&g, 3), 0));
    pts_graph_release(&g);
}

static void test_map_keeps_what_it_got(void **state) {
    (void)state;
    struct pts_map m = {0};
    bool is_new;
    for (uint64_t k = 1; k < 5000; k++) *pts_map_at(&m, k * k, &is_new) = (uint32_t)k;
    for (uint64_t k = 1; k < 5000; k++) assert_int_equal(pts_map_get(&m, k * k, 0), k);
    assert_int_equal(pts_map_get(&m, 3, 77), 77);
    pts_map_at(&m, 16, &is_new);
    assert_false(is_new);
    pts_map_release(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_keeps_what_it_got),
        cmocka_unit_test(test_cycles_become_one_node),
        cmocka_unit_test(test_random_systems_agree_with_simple_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
