/*
 * Plan files: what is written is read back; damage of every kind is refused with its line and reason.
 */
#include "race/arena.h"
#include "race/plan.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/race-plan-test-XXXXXX";
static char path[128];

static int make_folder(void **state) {
    (void)state;
    if (mkdtemp(folder) == NULL) return -1;
    snprintf(path, sizeof path, "%s/app.plan", folder);
    return 0;
}

static int files_in_folder(void) {
    int n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d)) != NULL;) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void write_sample(void) {
    struct race_error err = {0};
    struct plan_writer *w = plan_writer_new(path, &err);
    assert_non_null(w);
    plan_write_meta(w, PLAN_META_TOOL, "race 0.1.0");
    plan_write_meta_number(w, PLAN_META_TOTAL_SITES, 42);
    plan_write_funnel(w, "original", 900);
    plan_write_funnel(w, "ultimate", 2);
    plan_write_class(w, "p/Plain", 0x0123456789abcdef, NULL, false);
    plan_write_class(w, "p/Outer$Inner", 7, "Outer.java", true);
    plan_write_field(w, "count", "I");
    plan_write_field(w, "odd\tname\\", "J");
    plan_write_lent(w, "balance", "I");
    plan_write_method(w, "safe", "()V", true);
    plan_write_requires(w, "this.lock");
    plan_write_method(w, "a b", "(I)V", false);
    plan_site_id s1 = plan_write_site(w, 4, 12, true, PLAN_INSTANCE, "p/Outer$Inner", "count");
    plan_site_id s2 = plan_write_site(w, 9, -1, false, PLAN_ARRAY, "[I", NULL);
    plan_write_site(w, 9, -1, true, PLAN_ARRAY, "[I", NULL);
    plan_write_site(w, 30, 15, false, PLAN_CONTAINER, "java/util/HashMap", "get");
    assert_int_equal(plan_write_pair(w, s1, s1).v, 1);
    plan_write_why(w, "both\nunlocked");
    const char *frames[] = {"p.Outer$Inner.a b(Outer.java:12)", "p.Main.main(Main.java:3)"};
    const char *locks[] = {"p.Lock"};
    plan_write_path(w, 1, "main", frames, 2);
    plan_write_held(w, 2, locks, 1);
    assert_int_equal(plan_write_pair(w, s1, s2).v, 2);
    plan_write_promise(w, &(struct plan_promise){"GuardedBy", "p.Outer.Inner.count", "p/Outer$Inner", "a b",
                                                 "(I)V", "", 12, "write", "not\nheld"});
    plan_write_trust(w, "LazyInit", "p.Outer.Inner.count");
    assert_true(plan_writer_commit(w, &err));
}

static void test_round_trip(void **state) {
    (void)state;
    struct race_error err = {0};
    struct plan p;
    write_sample();
    assert_true(plan_load(&p, path, &err));
    assert_int_equal(p.n_classes, 2);
    assert_int_equal(p.n_sites, 4);
    assert_int_equal(p.n_pairs, 2);
    assert_int_equal(plan_meta_number(&p, PLAN_META_TOTAL_SITES, 0), 42);
    assert_null(plan_meta(&p, "absent"));
    assert_string_equal(p.funnel[1].key, "ultimate");
    assert_int_equal(p.n_promises, 1);
    assert_string_equal(p.promises[0].text, "not\nheld");
    assert_string_equal(p.promises[0].file, "");
    assert_int_equal(p.promises[0].line, 12);
    assert_int_equal(p.n_trusts, 1);
    assert_string_equal(p.trusts[0].annotation, "LazyInit");
    const struct plan_class *plain = plan_find_class(&p, "p/Plain", 7);
    assert_true(plain->digest == 0x0123456789abcdef);
    assert_null(plain->file);
    assert_false(plain->unsafe);
    assert_null(plan_find_class(&p, "p/Plai", 6));
    const struct plan_class *c = plan_find_class(&p, "p/Outer$Inner", 13);
    assert_string_equal(c->file, "Outer.java");
    assert_true(c->unsafe);
    assert_true(plan_field_unsafe(&p, c, "odd\tname\\", 9));
    assert_false(plan_field_unsafe(&p, c, "coun", 4));
    assert_true(plan_field_lent(&p, c, "balance", 7));
    assert_false(plan_field_lent(&p, c, "count", 5));
    assert_false(plan_field_unsafe(&p, c, "balance", 7));
    plan_release(&p);
}

static void test_methods_and_sites(void **state) {
    (void)state;
    struct race_error err = {0};
    struct plan p;
    write_sample();
    assert_true(plan_load(&p, path, &err));
    const struct plan_class *c = plan_find_class(&p, "p/Outer$Inner", 13);
    const struct plan_method *safe = plan_find_method(&p, c, "safe", 4, "()V", 3);
    assert_true(safe->typed);
    assert_int_equal(safe->requires.n, 1);
    assert_string_equal(p.requires[safe->requires.first], "this.lock");
    assert_ptr_equal(plan_requiring(&p, safe->requires.first), safe);
    assert_null(plan_requiring(&p, p.n_requires));
    assert_null(plan_find_method(&p, c, "safe", 4, "(I)V", 4));
    const struct plan_method *m = plan_find_method(&p, c, "a b", 3, "(I)V", 4);
    assert_false(m->typed);
    assert_int_equal(m->sites.n, 4);
    const struct plan_site *s = plan_find_site(&p, m, 4);
    assert_true(s->is_write);
    assert_int_equal(plan_site_id_of(&p, s).v, 1);
    assert_int_equal(plan_find_site(&p, m, 9)->is_write, 0); /* the first of two */
    assert_int_equal(plan_find_site(&p, m, 9)->line, -1);
    assert_int_equal(plan_find_site(&p, m, 30)->kind, PLAN_CONTAINER);
    assert_null(plan_find_site(&p, m, 5));
    assert_null(plan_find_site(&p, m, 31));
    assert_null(plan_find_site(&p, safe, 4));
    plan_release(&p);
}

static void test_pair_details(void **state) {
    (void)state;
    struct race_error err = {0};
    struct plan p;
    struct arena arena;
    struct plan_details d;
    write_sample();
    assert_true(plan_load(&p, path, &err));
    arena_init(&arena);
    assert_true(plan_pair_details(&p, (plan_pair_id){1}, &arena, &d));
    assert_string_equal(d.why, "both\nunlocked");
    assert_string_equal(d.side[0].root, "main");
    assert_int_equal(d.side[0].n_frames, 2);
    assert_string_equal(d.side[0].frames[1], "p.Main.main(Main.java:3)");
    assert_null(d.side[1].root);
    assert_int_equal(d.side[1].n_locks, 1);
    assert_string_equal(d.side[1].locks[0], "p.Lock");
    assert_true(plan_pair_details(&p, (plan_pair_id){2}, &arena, &d));
    assert_null(d.why);
    arena_release(&arena);
    plan_release(&p);
}

/* Adds the end line that the lines call for, so that a test damages one thing only. */
static char *with_end(const char *lines) {
    size_t n = strlen(lines), count = 0;
    char *text = malloc(n + 64);
    for (const char *p = lines; (p = strchr(p, '\n')) != NULL; p++) count++;
    sprintf(text, "%send\t%zu\t%016" PRIx64 "\n", lines, count, plan_digest(lines, n));
    return text;
}

#define HEAD "race-plan\t1\n"
#define CLASS "class\t0000000000000001\tp/A\tA.java\t-\n"
#define METHOD "method\tm\t()V\tuntyped\n"
#define SITE "site\t1\t2\tw\tinstance\tp/A\tf\n"

static const struct {
    const char *lines, *line, *reason;
} damaged[] = {
    {HEAD "classs\n", "line 2:", "unknown keyword \"classs\""},
    {HEAD "\n", "line 2:", "unknown keyword"},
    {HEAD "class\t1\tp/A\tA.java\t-\n", "line 2:", "16 hex digits"},
    {HEAD "class\tzzzzzzzzzzzzzzzz\tp/A\tA.java\t-\n", "line 2:", "16 hex digits"},
    {HEAD "class\t0000000000000001\t\tA.java\t-\n", "line 2:", "no name"},
    {HEAD "class\t0000000000000001\tp/A\tA.java\n", "line 2:", "number of columns"},
    {HEAD "class\t0000000000000001\tp/A\tA.java\t-\tx\tx\tx\tx\n", "line 2:", "number of columns"},
    {HEAD "class\t0000000000000001\tp/A\tA.java\tbig\n", "line 2:", "flags"},
    {HEAD CLASS CLASS, "line 3:", "twice"},
    {HEAD "field\tf\tI\n", "line 2:", "field without a class"},
    {HEAD "lent\tf\tI\n", "line 2:", "lent without a class"},
    {HEAD METHOD, "line 2:", "method without a class"},
    {HEAD CLASS SITE, "line 3:", "site without a method"},
    {HEAD CLASS METHOD "class\t0000000000000001\tp/B\t-\t-\n" SITE, "line 5:", "site without a method"},
    {HEAD CLASS "requires\tthis\n", "line 3:", "requires without a method"},
    {HEAD CLASS "method\tm\t()V\tmaybe\n", "line 3:", "typed or untyped"},
    {HEAD CLASS METHOD "site\tx\t2\tw\tinstance\tp/A\tf\n", "line 4:", "bytecode index"},
    {HEAD CLASS METHOD "site\t-1\t2\tw\tinstance\tp/A\tf\n", "line 4:", "bytecode index"},
    {HEAD CLASS METHOD "site\t1\t\tw\tinstance\tp/A\tf\n", "line 4:", "source line"},
    {HEAD CLASS METHOD "site\t1\t99999999999\tw\tinstance\tp/A\tf\n", "line 4:", "source line"},
    {HEAD CLASS METHOD "site\t1\t2\tx\tinstance\tp/A\tf\n", "line 4:", "r or w"},
    {HEAD CLASS METHOD "site\t1\t2\tw\tlocal\tp/A\tf\n", "line 4:", "kind of site"},
    {HEAD CLASS METHOD SITE "site\t0\t2\tw\tinstance\tp/A\tf\n", "line 5:", "ascending"},
    {HEAD CLASS METHOD "site\t1\t2\tw\tinstance\tp/A\\zz\tf\n", "line 4:", "escape"},
    {HEAD CLASS METHOD "site\t1\t2\tw\tinstance\tp/A\tf\\4\n", "line 4:", "escape"},
    {HEAD CLASS METHOD "site\t1\t2\tw\tinstance\tp/A\tf\\00\n", "line 4:", "escape"},
    {HEAD CLASS METHOD SITE "pair\t1\t2\n", "line 5:", "not there"},
    {HEAD CLASS METHOD SITE "pair\t0\t1\n", "line 5:", "not there"},
    {HEAD CLASS METHOD SITE "pair\tone\t1\n", "line 5:", "not a number"},
    {HEAD CLASS METHOD SITE "\\70air\t1\t1\n", "line 5:", "unknown keyword"},
    {HEAD "why\tx\n", "line 2:", "behind a pair"},
    {HEAD CLASS METHOD SITE "pair\t1\t1\ntrust\tA\tf\nwhy\tx\n", "line 7:", "behind a pair"},
    {HEAD CLASS METHOD SITE "pair\t1\t1\nwhy\ta\tb\n", "line 6:", "number of columns"},
    {HEAD CLASS METHOD SITE "pair\t1\t1\nwhy\ta\\q\n", "line 6:", "escape"},
    {HEAD CLASS METHOD SITE "pair\t1\t1\npath\t3\tmain\n", "line 6:", "side"},
    {HEAD CLASS METHOD SITE "pair\t1\t1\npath\t1\n", "line 6:", "root"},
    {HEAD CLASS METHOD SITE "pair\t1\t1\nheld\t\n", "line 6:", "side"},
    {HEAD CLASS METHOD SITE "pair\t1\t1\n" CLASS, "line 6:", "class behind"},
    {HEAD CLASS "meta\tk\tv\n", "line 3:", "before the first class"},
    {HEAD "funnel\toriginal\tmany\n", "line 2:", "not a number"},
    {HEAD "promise\tA\tf\tp/A\tm\t()V\t\tx\tread\tt\n", "line 2:", "source line"},
    {HEAD "promise\tA\tf\tp/A\tm\t()V\t\t1\tlook\tt\n", "line 2:", "read, a write or a call"},
    {HEAD "promise\tA\tf\tp/A\tm\t()V\t\t1\tread\n", "line 2:", "number of columns"},
    {HEAD "trust\tLazyInit\n", "line 2:", "number of columns"},
    {"race-plan\t2\n", "line 1:", "format 2"},
    {"race-plan\tone\n", "line 1:", "version is not a number"},
    {"race-plan\n", "", "is not a plan"},
    {"{\"type\":\"header\"}\n", "", "is not a plan"},
};

static void refuse(const char *text, size_t size, const char *line, const char *reason) {
    struct race_error err = {0};
    struct plan p;
    char message[512];
    if (plan_parse(&p, "x.plan", text, size, &err)) fail_msg("accepted: %s", text);
    race_error_format(&err, message, sizeof message);
    bool right = strncmp(message, "race: x.plan: ", 14) == 0 && strstr(message, line) != NULL &&
                 strstr(message, reason) != NULL;
    if (!right) fail_msg("wanted \"%s ... %s\", got \"%s\"", line, reason, message);
    assert_int_equal(err.exit_code, RACE_EXIT_INPUT);
    assert_null(p.text);
}

static void test_damage(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        char *text = with_end(damaged[i].lines);
        refuse(text, strlen(text), damaged[i].line, damaged[i].reason);
        free(text);
    }
    refuse("", 0, "", "is empty");
    refuse("race-plan\t1\n\0", 13, "", "NUL");
    struct race_error err = {0};
    struct plan p;
    char *good = with_end(HEAD CLASS METHOD SITE "pair\t1\t1\n");
    assert_true(
        plan_parse(&p, "x.plan", good, strlen(good), &err)); /* the base of all of the above is good */
    plan_release(&p);
    free(good);
}

/* Wherever the file is cut, and whichever byte is changed, it is refused. */
static void test_truncation_and_changes(void **state) {
    (void)state;
    char *good = with_end(HEAD CLASS "field\tf\tI\n" METHOD SITE "pair\t1\t1\nwhy\tx\n");
    size_t n = strlen(good);
    struct plan p;
    for (size_t cut = 0; cut < n; cut++) {
        struct race_error err = {0};
        assert_false(plan_parse(&p, "x.plan", good, cut, &err));
        assert_true(err.set);
    }
    for (size_t i = 0; i < n; i++) {
        struct race_error err = {0};
        char *copy = strdup(good);
        copy[i] ^= 1;
        if (plan_parse(&p, "x.plan", copy, n, &err)) fail_msg("byte %zu may change", i);
        free(copy);
    }
    char *longer = malloc(n + 8);
    sprintf(longer, "%send\n", good);
    refuse(longer, strlen(longer), "line 8:", "follows the end line");
    free(longer);
    free(good);
}

/* Everything that a reader of a loaded plan may ask for. */
static void walk(const struct plan *p) {
    struct arena arena;
    arena_init(&arena);
    for (uint32_t i = 0; i < p->n_sites; i++) {
        const struct plan_method *m = &p->methods[p->sites[i].method];
        assert_non_null(plan_find_site(p, m, (uint32_t)p->sites[i].bci));
        assert_non_null(plan_find_class(p, p->classes[m->cls].name, strlen(p->classes[m->cls].name)));
    }
    for (uint32_t i = 1; i <= p->n_pairs; i++) {
        struct plan_details details;
        assert_true(plan_pair_details(p, (plan_pair_id){i}, &arena, &details));
        assert_in_range(p->pairs[i - 1].first.v, 1, p->n_sites);
        assert_in_range(p->pairs[i - 1].second.v, 1, p->n_sites);
    }
    arena_release(&arena);
}

/* A small fuzzer: lines damaged at random behind a right digest are refused for a reason, or make sense. */
static void test_random_damage(void **state) {
    (void)state;
    static const char base[] =
        HEAD CLASS "field\tf\tI\n" METHOD "requires\tthis\n" SITE
                   "pair\t1\t1\nwhy\tx\npath\t1\tmain\ta.B.m(B.java:1)\nheld\t1\tthis\n";
    static const char bytes[] = "\t\n\\-019azpwsr\x7f";
    unsigned accepted = 0, refused = 0, seed = 1;
    for (int round = 0; round < 20000; round++) {
        char lines[sizeof base];
        memcpy(lines, base, sizeof base);
        for (int n = 1 + round % 3; n > 0; n--) {
            seed = seed * 1103515245u + 12345u;
            lines[(seed >> 8) % (sizeof base - 1)] = bytes[(seed >> 3) % (sizeof bytes - 1)];
        }
        struct race_error err = {0};
        struct plan p;
        char *text = with_end(lines);
        if (plan_parse(&p, "x.plan", text, strlen(text), &err)) {
            walk(&p);
            plan_release(&p);
            accepted++;
        } else {
            assert_true(err.set && err.what[0] != '\0');
            refused++;
        }
        free(text);
    }
    assert_true(accepted > 100 && refused > 100);
}

static void test_missing_file(void **state) {
    (void)state;
    struct race_error err = {0};
    struct plan p;
    assert_false(plan_load(&p, "/nonexistent/x.plan", &err));
    assert_non_null(strstr(err.what, "No such file"));
    struct race_error err2 = {0};
    assert_false(plan_load(&p, folder, &err2));
    assert_non_null(strstr(err2.what, "regular file"));
}

static void test_writer_errors(void **state) {
    (void)state;
    struct race_error err = {0};
    write_sample();
    assert_null(plan_writer_new("/nonexistent/x.plan", &err));
    assert_non_null(strstr(err.what, "cannot write"));
    struct plan_writer *w = plan_writer_new(path, &err);
    plan_write_class(w, "p/Other", 1, NULL, false);
    plan_writer_abandon(w);
    assert_int_equal(files_in_folder(), 1);
    struct race_error order = {0};
    w = plan_writer_new(path, &order);
    plan_write_class(w, "p/Other", 1, NULL, false);
    plan_write_site(w, 1, 1, true, PLAN_INSTANCE, "p/Other", "f");
    assert_false(plan_writer_commit(w, &order));
    assert_non_null(strstr(order.what, "wrong order"));
    assert_int_equal(files_in_folder(), 1);
    struct plan p;
    struct race_error none = {0};
    assert_true(plan_load(&p, path, &none)); /* the old plan is still there */
    assert_non_null(plan_find_class(&p, "p/Plain", 7));
    plan_release(&p);
}

static void test_location_text(void **state) {
    (void)state;
    static const struct {
        enum plan_kind kind;
        const char *owner, *name, *text;
    } cases[] = {
        {PLAN_INSTANCE, "p/q/Outer$Inner", "f", "p.q.Outer.Inner.f"},
        {PLAN_STATIC, "A", "x$y", "A.x$y"},
        {PLAN_STATIC, "p/Obj$", "M", "p.Obj$.M"},
        {PLAN_INSTANCE, "p/$A", "f", "p.$A.f"},
        {PLAN_INSTANCE, "p/A$$Lambda", "f", "p.A$$Lambda.f"},
        {PLAN_INSTANCE, "p/A$1$B", "f", "p.A$1.B.f"},
        {PLAN_ARRAY, "[I", "", "int[]"},
        {PLAN_ARRAY, "[[Lp/A$B;", "", "p.A.B[][]"},
        {PLAN_CONTAINER, "java/util/HashMap", "put", "java.util.HashMap"},
    };
    char buf[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = plan_location_text(cases[i].kind, cases[i].owner, cases[i].name, buf, sizeof buf);
        assert_string_equal(buf, cases[i].text);
        assert_int_equal(n, strlen(buf));
    }
    assert_int_equal(plan_location_text(PLAN_STATIC, "abc", "d", buf, 3), 5);
    assert_string_equal(buf, "ab");
}

/* Ten thousand classes and a hundred thousand sites, as for a large server: the JVM waits for this. */
static void test_large_plan_loads_fast(void **state) {
    (void)state;
    struct race_error err = {0};
    struct plan_writer *w = plan_writer_new(path, &err);
    char name[64];
    uint32_t n_sites = 0;
    for (int c = 0; c < 10000; c++) {
        snprintf(name, sizeof name, "org/apache/derby/impl/store/Class%d", c);
        plan_write_class(w, name, (uint64_t)c * 77, "Class.java", false);
        plan_write_field(w, "field", "I");
        for (int m = 0; m < 10; m++) {
            snprintf(name, sizeof name, "method%d", m);
            plan_write_method(w, name, "(Ljava/lang/String;I)V", m % 2 != 0);
            n_sites =
                plan_write_site(w, (uint32_t)m, m, true, PLAN_INSTANCE, "org/apache/derby/X", "field").v;
        }
    }
    for (uint32_t s = 1; s <= n_sites; s++) {
        plan_write_pair(w, (plan_site_id){s}, (plan_site_id){n_sites + 1 - s});
        plan_write_why(w, "no common lock");
    }
    assert_true(plan_writer_commit(w, &err));
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        struct timespec t0, t1;
        struct plan p;
        /* CPU time, so that a busy machine does not fail the test. */
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
        assert_true(plan_load(&p, path, &err));
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
        assert_int_equal(p.n_sites, 100000);
        assert_int_equal(p.n_pairs, 100000);
        const char *last = "org/apache/derby/impl/store/Class9999";
        assert_true(plan_find_class(&p, last, strlen(last))->digest == 9999 * 77);
        plan_release(&p);
        double ms = (double)(t1.tv_sec - t0.tv_sec) * 1e3 + (double)(t1.tv_nsec - t0.tv_nsec) / 1e6;
        if (ms < best) best = ms;
    }
    print_message("loaded in %.1f ms\n", best);
#ifndef __SANITIZE_ADDRESS__
    assert_true(best < 100);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_methods_and_sites),
        cmocka_unit_test(test_pair_details),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_truncation_and_changes),
        cmocka_unit_test(test_random_damage),
        cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_writer_errors),
        cmocka_unit_test(test_location_text),
        cmocka_unit_test(test_large_plan_loads_fast),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
