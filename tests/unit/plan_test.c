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
    plan_write_method(w, "safe", "()V", PLAN_TYPED);
    plan_write_requires(w, "this.lock");
    plan_write_method(w, "a b", "(I)V", PLAN_UNTYPED);
    plan_site_id s1 = plan_write_site(w, 4, 12, true, PLAN_INSTANCE, "p/Outer$Inner", "count");
    plan_site_id s2 = plan_write_site(w, 9, -1, false, PLAN_ARRAY, "[I", NULL);
    plan_write_site(w, 9, -1, true, PLAN_ARRAY, "[I", NULL);
    plan_write_site(w, 30, 15, false, PLAN_CONTAINER, "java/util/HashMap", "get");
    const char *locks[] = {"p.Lock", "p.Odd\tLock"};
    plan_frame_id root = plan_write_frame(w, (plan_frame_id){0}, "main");
    plan_frame_id caller = plan_write_frame(w, root, "p.Main.main(Main.java:3)");
    plan_frame_id leaf = plan_write_frame(w, caller, "p.Outer$Inner.a b(Outer.java:12)");
    plan_side_id by_path = plan_write_side(w, s1, leaf, (plan_held_id){0});
    plan_side_id by_lock = plan_write_side(w, s1, (plan_frame_id){0}, plan_write_held(w, locks, 2));
    plan_why_id why = plan_write_why(w, "both\nunlocked");
    assert_int_equal(plan_write_pair(w, by_path, by_lock, why).v, 1);
    plan_side_id other = plan_write_side(w, s2, root, (plan_held_id){0});
    assert_int_equal(plan_write_pair(w, by_path, other, (plan_why_id){0}).v, 2);
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

static uint32_t site_of_pair(const struct plan *p, uint32_t pair, int side) {
    struct plan_pair found = plan_pair_get(p, (plan_pair_id){pair});
    return plan_pair_site(p, &found, side).v;
}

static void test_pair_details(void **state) {
    (void)state;
    struct race_error err = {0};
    struct plan p;
    struct arena arena;
    struct plan_path path_of;
    write_sample();
    assert_true(plan_load(&p, path, &err));
    arena_init(&arena);
    assert_string_equal(plan_pair_why(&p, (plan_pair_id){1}), "both\nunlocked");
    assert_null(plan_pair_why(&p, (plan_pair_id){2}));
    assert_int_equal(site_of_pair(&p, 2, 0), 1);
    assert_int_equal(site_of_pair(&p, 2, 1), 2);
    assert_true(plan_side_path(&p, plan_pair_get(&p, (plan_pair_id){1}).side[0], &arena, &path_of));
    assert_string_equal(path_of.root, "main");
    assert_int_equal(path_of.n_frames, 2);
    assert_string_equal(path_of.frames[0], "p.Outer$Inner.a b(Outer.java:12)");
    assert_string_equal(path_of.frames[1], "p.Main.main(Main.java:3)");
    assert_int_equal(path_of.n_locks, 0);
    assert_true(plan_side_path(&p, plan_pair_get(&p, (plan_pair_id){1}).side[1], &arena, &path_of));
    assert_null(path_of.root);
    assert_int_equal(path_of.n_locks, 2);
    assert_string_equal(path_of.locks[0], "p.Lock");
    assert_string_equal(path_of.locks[1], "p.Odd\tLock");
    assert_true(plan_side_path(&p, plan_pair_get(&p, (plan_pair_id){2}).side[1], &arena, &path_of));
    assert_string_equal(path_of.root, "main"); /* a root alone is a path without frames */
    assert_int_equal(path_of.n_frames, 0);
    arena_release(&arena);
    plan_release(&p);
}

/* Writes a plan of a method of n sites, each of which races with each: n * (n + 1) / 2 pairs on one long
 * path, every detail of which is written anew for each pair.  Returns the size of the file. */
static size_t write_crowd(uint32_t n) {
    enum { DEPTH = 40 };
    struct race_error err = {0};
    struct plan_writer *w = plan_writer_new(path, &err);
    const char *locks[] = {"p.Lock"};
    char text[64];
    plan_write_class(w, "p/A", 1, "A.java", true);
    plan_write_method(w, "m", "()V", PLAN_UNTYPED);
    for (uint32_t s = 0; s < n; s++) plan_write_site(w, s, (int)s, true, PLAN_INSTANCE, "p/A", "f");
    for (uint32_t i = 0; i < n * n; i++) {
        plan_side_id side[2];
        if (i / n > i % n) continue;
        for (int k = 0; k < 2; k++) {
            plan_frame_id f =
                plan_write_frame(w, (plan_frame_id){0}, "Thread.start at p.Main.main(Main.java:3)");
            for (int d = 0; d < DEPTH; d++) {
                snprintf(text, sizeof text, "p.Main.call%d(Main.java:%d)", d, d);
                f = plan_write_frame(w, f, text);
            }
            side[k] = plan_write_side(w, (plan_site_id){(k == 0 ? i / n : i % n) + 1}, f,
                                      plan_write_held(w, locks, 1));
        }
        plan_write_pair(w, side[0], side[1], plan_write_why(w, "no common lock: {} vs {p.Lock}"));
    }
    assert_true(plan_writer_commit(w, &err));
    FILE *f = fopen(path, "r");
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(f);
    fclose(f);
    return size;
}

/* However long the paths are and however many each site makes a pair with, another site costs three lines. */
static void test_details_stand_once(void **state) {
    (void)state;
    struct race_error err = {0};
    struct plan p;
    size_t small = write_crowd(100), large = write_crowd(200);
    assert_true(plan_load(&p, path, &err));
    assert_int_equal(p.n_frames, 41);
    assert_int_equal(p.n_helds, 1);
    assert_int_equal(p.n_whys, 1);
    assert_int_equal(p.n_sides, 200);
    assert_int_equal(p.n_pairs, 200 * 201 / 2);
    plan_release(&p);
    size_t sites = 100;
    if (large - small > sites * 84)
        fail_msg("%zu more sites make the plan %zu bytes larger", sites, large - small);
}

/* The pairs that share a line have their own numbers and sides, and are found by their sites. */
static void test_lines_of_pairs(void **state) {
    (void)state;
    enum { N = 60 };
    struct race_error err = {0};
    struct plan p;
    struct plan_index index;
    write_crowd(N);
    assert_true(plan_load(&p, path, &err));
    assert_true(plan_index_init(&index, &p));
    assert_int_equal(p.n_pair_lines, N);
    uint32_t pair = 0;
    for (uint32_t a = 1; a <= N; a++) {
        for (uint32_t b = a; b <= N; b++) {
            pair++;
            assert_int_equal(site_of_pair(&p, pair, 0), a);
            assert_int_equal(site_of_pair(&p, pair, 1), b);
            assert_true(plan_index_has(&index, (plan_site_id){b}, (plan_site_id){a}));
        }
    }
    assert_int_equal(pair, p.n_pairs);
    plan_index_release(&index);
    plan_release(&p);
    write_sample();
    assert_true(plan_load(&p, path, &err));
    assert_true(plan_index_init(&index, &p));
    static const bool wanted[5][5] = {{0}, {0, 1, 1, 0, 0}, {0, 1, 0, 0, 0}};
    for (uint32_t a = 1; a <= p.n_sites; a++)
        for (uint32_t b = 1; b <= p.n_sites; b++)
            assert_int_equal(plan_index_has(&index, (plan_site_id){a}, (plan_site_id){b}), wanted[a][b]);
    plan_index_release(&index);
    plan_release(&p);
}

/* A few lines must not stand for more pairs than any reader can take. */
static void test_too_many_pairs(void **state) {
    (void)state;
    enum { SIDES = 5000, LINES = PLAN_MAX_PAIRS / SIDES };
    struct plan p;
    char *text = malloc((SIDES + LINES) * 40 + 1000), *at = text;
    at += sprintf(at, "race-plan\t%d\nclass\t0000000000000001\tp/A\tA.java\t-\nmethod\tm\t()V\tuntyped\n",
                  PLAN_VERSION);
    at += sprintf(at, "site\t1\t2\tw\tinstance\tp/A\tf\n");
    for (int i = 0; i < SIDES; i++) at += sprintf(at, "side\t1\t0\t0\n");
    for (int i = 0; i <= LINES; i++) {
        at += sprintf(at, "pair\t%d\t1-%d\t0\n", i % SIDES + 1, SIDES);
        if (i < LINES - 1) continue;
        size_t n = (size_t)(at - text);
        sprintf(at, "end\t%d\t%016" PRIx64 "\n", 4 + SIDES + i + 1, plan_digest(text, n));
        struct race_error why = {0};
        bool ok = plan_parse(&p, "x.plan", text, strlen(text), &why);
        if (i == LINES - 1) {
            assert_true(ok);
            assert_int_equal(p.n_pairs, LINES * SIDES);
            plan_release(&p);
        } else {
            assert_false(ok);
            assert_non_null(strstr(why.what, "more pairs than a plan may have"));
        }
    }
    free(text);
}

/* Adds the end line that the lines call for, so that a test damages one thing only. */
static char *with_end(const char *lines) {
    size_t n = strlen(lines), count = 0;
    char *text = malloc(n + 64);
    for (const char *p = lines; (p = strchr(p, '\n')) != NULL; p++) count++;
    sprintf(text, "%send\t%zu\t%016" PRIx64 "\n", lines, count, plan_digest(lines, n));
    return text;
}

#define HEAD "race-plan\t3\n"
#define CLASS "class\t0000000000000001\tp/A\tA.java\t-\n"
#define METHOD "method\tm\t()V\tuntyped\n"
#define SITE "site\t1\t2\tw\tinstance\tp/A\tf\n"
#define SIDE SITE "side\t1\t0\t0\n"

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
    {HEAD CLASS "method\tm\t()V\tmaybe\n", "line 3:", "typed, untyped or unreached"},
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
    {HEAD CLASS METHOD SIDE "pair\t1\t2\t0\n", "line 6:", "side that is not there"},
    {HEAD CLASS METHOD SIDE "pair\t0\t1\t0\n", "line 6:", "side that is not there"},
    {HEAD CLASS METHOD SIDE "pair\t1\t1\t1\n", "line 6:", "reason that is not there"},
    {HEAD CLASS METHOD SIDE "pair\tone\t1\t0\n", "line 6:", "not a number"},
    {HEAD CLASS METHOD SIDE "pair\t1\t1-2\t0\n", "line 6:", "side that is not there"},
    {HEAD CLASS METHOD SIDE "pair\t1\t0-1\t0\n", "line 6:", "side that is not there"},
    {HEAD CLASS METHOD SIDE "pair\t1\t1-4294967295\t0\n", "line 6:", "side that is not there"},
    {HEAD CLASS METHOD SIDE "side\t1\t0\t0\npair\t1\t2-1\t0\n", "line 7:", "stands before the first"},
    {HEAD CLASS METHOD SIDE "pair\t1\t1-\t0\n", "line 6:", "not a number"},
    {HEAD CLASS METHOD SIDE "pair\t1\t-1\t0\n", "line 6:", "not a number"},
    {HEAD CLASS METHOD SIDE "pair\t1\t1-1-1\t0\n", "line 6:", "not a number"},
    {HEAD CLASS METHOD SIDE "pair\t1-1\t1\t0\n", "line 6:", "not a number"},
    {HEAD CLASS METHOD SIDE "pair\t1\t1\n", "line 6:", "number of columns"},
    {HEAD CLASS METHOD SIDE "\\70air\t1\t1\t0\n", "line 6:", "unknown keyword"},
    {HEAD CLASS METHOD SIDE "pair\t1\t1\t0\nwhy\tx\n", "line 7:", "pairs only"},
    {HEAD CLASS METHOD SIDE "pair\t1\t1\t0\ntrust\tA\tf\n", "line 7:", "pairs only"},
    {HEAD CLASS METHOD SIDE "pair\t1\t1\t0\npromise\tA\tf\tp/A\tm\t()V\t\t1\tread\tt\n",
     "line 7:", "pairs only"},
    {HEAD CLASS METHOD SIDE "pair\t1\t1\t0\n" CLASS, "line 7:", "pairs only"},
    {HEAD "why\ta\tb\n", "line 2:", "number of columns"},
    {HEAD "why\ta\\q\n", "line 2:", "escape"},
    {HEAD "held\tp.Lock\ta\\q\n", "line 2:", "escape"},
    {HEAD "held\n", "line 2:", "unknown keyword"},
    {HEAD "frame\tx\tmain\n", "line 2:", "not a number"},
    {HEAD "frame\t1\tmain\n", "line 2:", "caller that is not there"},
    {HEAD "frame\t0\n", "line 2:", "number of columns"},
    {HEAD CLASS METHOD "side\t1\t0\t0\n", "line 4:", "site that is not there"},
    {HEAD CLASS METHOD SITE "side\t0\t0\t0\n", "line 5:", "site that is not there"},
    {HEAD CLASS METHOD SITE "side\t1\t1\t0\n", "line 5:", "frame that is not there"},
    {HEAD CLASS METHOD SITE "side\t1\t0\t1\n", "line 5:", "locks that are not there"},
    {HEAD CLASS METHOD SITE "side\t1\t-\t0\n", "line 5:", "not a number"},
    {HEAD CLASS METHOD SIDE CLASS, "line 6:", "class behind"},
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
    refuse("race-plan\t3\n\0", 13, "", "NUL");
    struct race_error err = {0};
    struct plan p;
    char *good = with_end(HEAD CLASS METHOD SIDE "pair\t1\t1\t0\n");
    assert_true(
        plan_parse(&p, "x.plan", good, strlen(good), &err)); /* the base of all of the above is good */
    plan_release(&p);
    free(good);
}

/* Wherever the file is cut, and whichever byte is changed, it is refused. */
static void test_truncation_and_changes(void **state) {
    (void)state;
    char *good = with_end(HEAD CLASS "field\tf\tI\n" METHOD SITE "why\tx\nside\t1\t0\t0\npair\t1\t1\t1\n");
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
    refuse(longer, strlen(longer), "line 9:", "follows the end line");
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
        const char *why = plan_pair_why(p, (plan_pair_id){i});
        assert_true(why == NULL || strlen(why) < 100);
        for (int side = 0; side < 2; side++) {
            struct plan_path details;
            assert_true(plan_side_path(p, plan_pair_get(p, (plan_pair_id){i}).side[side], &arena, &details));
            assert_in_range(site_of_pair(p, i, side), 1, p->n_sites);
        }
    }
    arena_release(&arena);
}

/* A small fuzzer: lines damaged at random behind a right digest are refused for a reason, or make sense. */
static void test_random_damage(void **state) {
    (void)state;
    static const char base[] = HEAD CLASS "field\tf\tI\n" METHOD "requires\tthis\n" SITE
                                          "why\tx\nframe\t0\tmain\nframe\t1\ta.B.m(B.java:1)\nheld\tthis\n"
                                          "side\t1\t2\t1\nside\t1\t0\t0\npair\t1\t1-2\t1\n";
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
            plan_write_method(w, name, "(Ljava/lang/String;I)V", m % 2 != 0 ? PLAN_TYPED : PLAN_UNTYPED);
            n_sites =
                plan_write_site(w, (uint32_t)m, m, true, PLAN_INSTANCE, "org/apache/derby/X", "field").v;
        }
    }
    plan_why_id why = plan_write_why(w, "no common lock");
    plan_frame_id none = {0};
    for (uint32_t s = 1; s <= n_sites; s++) plan_write_side(w, (plan_site_id){s}, none, (plan_held_id){0});
    for (uint32_t s = 1; s <= n_sites; s++)
        plan_write_pair(w, (plan_side_id){s}, (plan_side_id){n_sites + 1 - s}, why);
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
        cmocka_unit_test(test_details_stand_once),
        cmocka_unit_test(test_lines_of_pairs),
        cmocka_unit_test(test_too_many_pairs),
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
