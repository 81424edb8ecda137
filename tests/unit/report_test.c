/*
 * Reports: reading results, joining them with a plan, verdicts, fingerprints, hiding.  The printed formats
 * are tested by their real consumers in tests/report.
 */
#include "race/plan.h"
#include "race/report.h"
#include "race/suppress.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/race-report-test-XXXXXX";
static char plan_path[128], result_path[128], other_path[128];

static int make_folder(void **state) {
    (void)state;
    if (mkdtemp(folder) == NULL) return -1;
    snprintf(plan_path, sizeof plan_path, "%s/app.plan", folder);
    snprintf(result_path, sizeof result_path, "%s/r1.jsonl", folder);
    snprintf(other_path, sizeof other_path, "%s/r2.jsonl", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(plan_path);
    unlink(result_path);
    unlink(other_path);
    return rmdir(folder);
}

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void write_pair(struct plan_writer *w, plan_site_id a, plan_site_id b, const char *why) {
    plan_side_id first = plan_write_side(w, a, (plan_frame_id){0}, (plan_held_id){0});
    plan_side_id second = plan_write_side(w, b, (plan_frame_id){0}, (plan_held_id){0});
    plan_write_pair(w, first, second, why != NULL ? plan_write_why(w, why) : (plan_why_id){0});
}

/* A class p.A with six racy sites in m()V at bci 1, 2, ... 6 (lines 11, ...) and the pairs (1,2), (3,4), ...
 */
static void make_plan(struct plan *p, int pairs) {
    struct race_error err = {0};
    struct plan_writer *w = plan_writer_new(plan_path, &err);
    plan_site_id sites[64];
    plan_write_funnel(w, "original", 100);
    plan_write_class(w, "p/A", 1, "A.java", false);
    plan_write_method(w, "m", "()V", PLAN_UNTYPED);
    for (int i = 0; i < pairs * 2; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%d", i / 2 + 1);
        sites[i] = plan_write_site(w, (uint32_t)i + 1, 11 + i, i % 2 == 0, PLAN_INSTANCE, "p/A", name);
    }
    for (int i = 0; i < pairs; i++) write_pair(w, sites[i * 2], sites[i * 2 + 1], "no common lock");
    assert_true(plan_writer_commit(w, &err));
    assert_true(plan_load(p, plan_path, &err));
}

#define ACCESS(what, cls, method, desc, line, bci)                                                           \
    "{\"access\":\"" what "\",\"class\":\"" cls "\",\"method\":\"" method "\",\"desc\":\"" desc              \
    "\",\"line\":" line ",\"file\":\"A.java\",\"bci\":" bci                                                  \
    ",\"thread\":{\"name\":\"t\",\"created\":[\"p.M.main(M.java:3)\"]},"                                     \
    "\"locks\":[{\"class\":\"L\",\"acquired\":null}],\"stack\":[\"" cls "." method "(A.java:" line           \
    ")\",\"p.M.run(M.java:9)\"]}"
#define RACE(field, count, a, b)                                                                             \
    "{\"type\":\"race\",\"kind\":\"instance\",\"field\":\"" field "\",\"count\":" count ",\"accesses\":[" a  \
    "," b "]}\n"
#define HEADER                                                                                               \
    "{\"type\":\"header\",\"tool\":\"race\",\"version\":\"1\",\"pid\":7,\"mode\":\"full\",\"plan\":null}\n"
#define SUMMARY                                                                                              \
    "{\"type\":\"summary\",\"instrumented_sites\":5,\"total_sites\":9,\"skipped\":{\"too large\":2}}\n"
#define RACE1                                                                                                \
    RACE("p.A.f1", "3", ACCESS("write", "p.A", "m", "()V", "11", "1"),                                       \
         ACCESS("read", "p.A", "m", "()V", "12", "2"))

static void header_for(const struct plan *p, char *out, size_t size) {
    snprintf(out, size,
             "{\"type\":\"header\",\"tool\":\"race\",\"pid\":8,\"plan\":\"app.plan\",\"plan_digest\":"
             "\"%016" PRIx64 "\"}\n",
             p->digest);
}

static void load(struct report *r, const char *text) {
    struct race_error err = {0};
    report_init(r);
    write_file(result_path, text);
    if (!report_read_results(r, result_path, &err)) fail_msg("%s: %s", err.file, err.what);
}

static void test_reads_a_race(void **state) {
    (void)state;
    struct report r;
    load(&r, HEADER RACE1 SUMMARY);
    assert_true(report_join(&r, NULL, NULL));
    report_finish(&r);
    assert_int_equal(r.races.n, 1);
    const struct report_race *race = &r.races.v[0];
    assert_int_equal(race->verdict, REPORT_CONFIRMED);
    assert_string_equal(race->id, "R1");
    assert_string_equal(race->field, "p.A.f1");
    assert_int_equal(race->count, 3);
    assert_false(race->is_static);
    assert_true(race->accesses[0].is_write);
    assert_string_equal(race->accesses[1].stack.v[1], "p.M.run(M.java:9)");
    assert_string_equal(race->accesses[0].locks[0].cls, "L");
    assert_string_equal(race->accesses[0].created.v[0], "p.M.main(M.java:3)");
    assert_int_equal(r.summary.instrumented_sites, 5);
    assert_int_equal(r.summary.skipped_classes, 2);
    assert_true(report_fails(&r, REPORT_FAIL_CONFIRMED));
    assert_false(report_fails(&r, REPORT_FAIL_NONE));
    report_release(&r);
}

/* The same race again: the larger count within a JVM, the sum over JVMs, whichever access comes first. */
static void test_merges(void **state) {
    (void)state;
    struct report r;
    load(&r, HEADER RACE1 RACE("p.A.f1", "10", ACCESS("read", "p.A", "m", "()V", "12", "2"),
                               ACCESS("write", "p.A", "m", "()V", "11", "1")) SUMMARY HEADER RACE1 SUMMARY);
    assert_int_equal(r.runs.n, 2);
    assert_int_equal(r.races.n, 1);
    assert_int_equal(r.races.v[0].count, 13);
    assert_int_equal(r.races.v[0].runs, 2);
    report_release(&r);
}

static void test_cut_off_line(void **state) {
    (void)state;
    struct report r;
    load(&r, HEADER RACE1 "{\"type\":\"race\",\"kind\":\"inst");
    assert_int_equal(r.races.n, 1);
    assert_int_equal(r.notes.n, 2); /* cut off; no summary */
    report_release(&r);
}

static void refuse(const char *text, const char *what) {
    struct race_error err = {0};
    struct report r;
    report_init(&r);
    write_file(result_path, text);
    if (report_read_results(&r, result_path, &err)) fail_msg("accepted: %s", text);
    if (strstr(err.what, what) == NULL) fail_msg("wanted \"%s\", got \"%s\"", what, err.what);
    assert_non_null(strstr(err.file, "r1.jsonl"));
    assert_int_equal(err.exit_code, RACE_EXIT_INPUT);
    report_release(&r);
}

static void test_bad_results(void **state) {
    (void)state;
    refuse("", "is empty: the agent did not start");
    refuse("hello\n", "line 1: is not a JSON object");
    refuse("[]\n", "line 1: is not a JSON object");
    refuse(RACE1, "line 1: comes before the header");
    refuse(HEADER "{}\n", "line 2: is not a line of a result file");
    refuse(HEADER "{\"type\"\n" SUMMARY, "line 2: is not a JSON object");
    refuse(HEADER "{\"type\":\"race\"}\n", "without a field");
    refuse(HEADER "{\"type\":\"race\",\"field\":\"f\",\"kind\":\"odd\"}\n", "unknown kind");
    refuse(HEADER "{\"type\":\"race\",\"field\":\"f\",\"kind\":\"array\",\"accesses\":[1]}\n",
           "two accesses");
    refuse(HEADER "{\"type\":\"race\",\"field\":\"f\",\"kind\":\"array\",\"accesses\":[1,2]}\n",
           "without a class");
    refuse(HEADER "{\"type\":\"evidence\"}\n", "number of its pair");
    refuse(HEADER "{\"type\":\"ran\",\"sites\":[1,0]}\n", "number of a site");
    refuse("{\"type\":\"header\",\"plan_digest\":\"xyz\"}\n", "plan_digest");
    struct race_error err = {0};
    struct report r;
    report_init(&r);
    assert_false(report_read_results(&r, "/nonexistent.jsonl", &err));
    assert_non_null(strstr(err.what, "the agent did not run"));
    report_release(&r);
}

static enum report_verdict verdict_of(const struct report *r, const char *field) {
    for (size_t i = 0; i < r->races.n; i++)
        if (strcmp(r->races.v[i].field, field) == 0) return r->races.v[i].verdict;
    fail_msg("no %s", field);
    return REPORT_STATIC;
}

static const char *why_of(const struct report *r, const char *field) {
    for (size_t i = 0; i < r->races.n; i++)
        if (strcmp(r->races.v[i].field, field) == 0) return r->races.v[i].why;
    return "";
}

/* The pair n of make_plan() is of the sites 2n - 1 and 2n. */
#define RAN(sites) "{\"type\":\"ran\",\"sites\":[" sites "]}\n"
#define EVIDENCE(pair, met, lock, predicted)                                                                 \
    "{\"type\":\"evidence\",\"pair\":" pair ",\"met\":" met ",\"ordered\":{\"lock\":" lock                   \
    ",\"volatile\":0,\"start_join\":1,\"handoff\":0},\"lock\":\"p.Lock\","                                   \
    "\"predicted\":" predicted "}\n"

static void test_verdicts(void **state) {
    (void)state;
    struct race_error err = {0};
    struct report r;
    struct plan p;
    char header[256], text[8192];
    make_plan(&p, 6);
    header_for(&p, header, sizeof header);
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s", header, RACE1, RAN("1,2,3,4,5,6,7,8,10"),
             EVIDENCE("1", "5", "0", "0"), EVIDENCE("2", "4", "1", "2"), EVIDENCE("3", "4", "3", "0"),
             SUMMARY);
    load(&r, text);
    assert_true(report_join(&r, &p, &err));
    report_finish(&r);
    assert_int_equal(r.races.n, 6);
    assert_int_equal(verdict_of(&r, "p.A.f1"), REPORT_CONFIRMED);
    assert_int_equal(verdict_of(&r, "p.A.f2"), REPORT_PREDICTED);
    assert_int_equal(verdict_of(&r, "p.A.f3"), REPORT_ORDERED);
    assert_int_equal(verdict_of(&r, "p.A.f4"), REPORT_APART);
    assert_int_equal(verdict_of(&r, "p.A.f5"), REPORT_HALF);
    assert_int_equal(verdict_of(&r, "p.A.f6"), REPORT_UNEXERCISED);
    assert_non_null(strstr(why_of(&r, "p.A.f3"), "lock p.Lock 3 times"));
    assert_non_null(strstr(why_of(&r, "p.A.f3"), "start/join once"));
    assert_non_null(strstr(why_of(&r, "p.A.f3"), "no common lock"));
    assert_true(r.races.v[0].is_static); /* strongest first */
    assert_int_equal(r.races.v[0].verdict, REPORT_CONFIRMED);
    assert_true(r.races.v[0].accesses[0].ran); /* the run's stacks, not the analysis's */
    assert_int_equal(r.summary.static_warnings, 6);
    assert_int_equal(r.summary.verdicts[REPORT_HALF], 1);
    assert_int_equal(r.funnel.n, 1);
    assert_false(report_race_fails(&r.races.v[1], REPORT_FAIL_CONFIRMED));
    assert_true(report_race_fails(&r.races.v[1], REPORT_FAIL_PREDICTED));
    assert_true(report_race_fails(&r.races.v[5], REPORT_FAIL_ANY));
    report_release(&r);
    plan_release(&p);
}

/* The strongest verdict of any run counts; two halves of two runs are still half. */
static void test_verdicts_of_many_runs(void **state) {
    (void)state;
    struct race_error err = {0};
    struct report r;
    struct plan p;
    char header[256], text[4096];
    make_plan(&p, 2);
    header_for(&p, header, sizeof header);
    snprintf(text, sizeof text, "%s%s%s%s%s", header, RAN("1,3,4"), EVIDENCE("2", "1", "1", "0"), header,
             RAN("2,3,4"));
    load(&r, text);
    assert_true(report_join(&r, &p, &err));
    assert_int_equal(verdict_of(&r, "p.A.f1"), REPORT_HALF);
    assert_int_equal(verdict_of(&r, "p.A.f2"), REPORT_ORDERED);
    assert_int_equal(r.races.v[1].evidence.first, 2);
    report_release(&r);
    plan_release(&p);
}

/* A race that the agent counted but did not describe again is confirmed all the same. */
static void test_raced_in_evidence(void **state) {
    (void)state;
    struct race_error err = {0};
    struct report r;
    struct plan p;
    char header[256], text[4096];
    make_plan(&p, 2);
    header_for(&p, header, sizeof header);
    const char *raced = "{\"type\":\"evidence\",\"pair\":%d,\"met\":9,\"raced\":7}\n";
    int n = snprintf(text, sizeof text, "%s%s", header, RACE1);
    n += snprintf(text + n, sizeof text - (size_t)n, raced, 1);
    snprintf(text + n, sizeof text - (size_t)n, raced, 2);
    load(&r, text);
    assert_true(report_join(&r, &p, &err));
    report_finish(&r);
    assert_int_equal(r.summary.verdicts[REPORT_CONFIRMED], 2);
    assert_int_equal(r.races.v[0].count, 7);
    assert_true(r.races.v[0].accesses[0].ran);
    assert_int_equal(r.races.v[1].count, 7);
    assert_int_equal(r.races.v[1].runs, 1);
    assert_false(r.races.v[1].accesses[0].ran);
    report_release(&r);
    plan_release(&p);
}

/* What the run calls a read and the analysis a write is one call all the same, if it is on a container. */
static void test_containers_join_by_place(void **state) {
    (void)state;
    struct race_error err = {0};
    struct plan p;
    struct report r;
    struct plan_writer *w = plan_writer_new(plan_path, &err);
    plan_write_class(w, "p/A", 1, "A.java", false);
    plan_write_method(w, "m", "()V", PLAN_UNTYPED);
    plan_site_id a = plan_write_site(w, 1, 11, true, PLAN_CONTAINER, "java/util/GregorianCalendar", "set");
    plan_site_id b = plan_write_site(w, 2, 12, true, PLAN_CONTAINER, "java/util/GregorianCalendar", "get");
    write_pair(w, a, b, NULL);
    assert_true(plan_writer_commit(w, &err));
    assert_true(plan_load(&p, plan_path, &err));
#define MET_ON_CALENDAR(a, b)                                                                                \
    "{\"type\":\"race\",\"kind\":\"container\",\"field\":\"java.util.GregorianCalendar\",\"count\":1,"       \
    "\"accesses\":[" a "," b "]}\n"
    load(&r, HEADER MET_ON_CALENDAR(ACCESS("read", "p.A", "m", "()V", "12", "2"),
                                    ACCESS("write", "p.A", "m", "()V", "11", "1"))
                 MET_ON_CALENDAR(ACCESS("write", "p.A", "m", "()V", "11", "1"),
                                 ACCESS("write", "p.A", "m", "()V", "12", "2")) SUMMARY);
    assert_true(report_join(&r, &p, &err));
    report_finish(&r);
    assert_int_equal(r.races.n, 1);
    assert_true(r.races.v[0].is_static);
    assert_int_equal(r.races.v[0].count, 2);
    assert_int_equal(r.races.v[0].verdict, REPORT_CONFIRMED);
    report_release(&r);
    plan_release(&p);
}

static void test_miss_of_the_static_half(void **state) {
    (void)state;
    struct race_error err = {0};
    struct report r;
    struct plan p;
    char header[256], text[4096];
    make_plan(&p, 1);
    header_for(&p, header, sizeof header);
    snprintf(text, sizeof text, "%s%s%s%s", header,
             RACE("p.B.g", "1", ACCESS("write", "p.B", "m", "()V", "11", "1"),
                  ACCESS("read", "p.B", "m", "()V", "12", "2")),
             RACE("p.C.g", "1", ACCESS("write", "p.C", "m", "()V", "11", "1"),
                  ACCESS("read", "p.C", "m", "()V", "12", "2")),
             "{\"type\":\"stale\",\"class\":\"p.C\"}\n");
    load(&r, text);
    assert_true(report_join(&r, &p, &err));
    report_finish(&r);
    assert_int_equal(r.races.n, 3);
    assert_false(r.races.v[0].is_static);
    assert_non_null(strstr(why_of(&r, "p.B.g"), "did not warn of it"));
    assert_non_null(strstr(why_of(&r, "p.C.g"), "changed since the analysis"));
    assert_int_equal(r.summary.static_warnings, 1);
    report_release(&r);
    plan_release(&p);
}

static void test_wrong_plan(void **state) {
    (void)state;
    struct report r;
    struct plan p;
    make_plan(&p, 1);
    struct race_error err = {0};
    load(&r, "{\"type\":\"header\",\"plan\":\"old.plan\",\"plan_digest\":\"0000000000000001\"}\n");
    assert_false(report_join(&r, &p, &err));
    assert_non_null(strstr(err.what, "another plan (old.plan)"));
    report_release(&r);
    char header[256], text[1024];
    struct race_error err2 = {0};
    header_for(&p, header, sizeof header);
    snprintf(text, sizeof text, "%s%s", header, EVIDENCE("2", "1", "0", "0"));
    load(&r, text);
    assert_false(report_join(&r, &p, &err2));
    assert_non_null(strstr(err2.what, "pair 2"));
    report_release(&r);
    plan_release(&p);
}

static void test_from_plan(void **state) {
    (void)state;
    struct report r;
    struct plan p;
    make_plan(&p, 3);
    report_init(&r);
    report_from_plan(&r, &p);
    report_finish(&r);
    assert_int_equal(r.races.n, 3);
    assert_int_equal(r.summary.verdicts[REPORT_STATIC], 3);
    assert_string_equal(r.races.v[0].why, "no common lock");
    assert_string_equal(r.races.v[0].accesses[0].stack.v[0], "p.A.m(A.java:11)");
    assert_false(report_fails(&r, REPORT_FAIL_PREDICTED));
    assert_true(report_fails(&r, REPORT_FAIL_ANY));
    report_release(&r);
    plan_release(&p);
}

static struct report_race race_of(const char *field, const char *cls, const char *method, const char *desc,
                                  int line) {
    struct report_access a = {.is_write = true, .cls = cls, .method = method, .desc = desc, .line = line};
    return (struct report_race){.field = field, .accesses = {a, a}};
}

static void test_fingerprints(void **state) {
    (void)state;
    struct arena a;
    arena_init(&a);
    struct report_race base = race_of("p.A.f", "p.A", "m", "()V", 1);
    struct report_race moved = race_of("p.A.f", "p.A", "m", "()V", 99);
    struct report_race other = race_of("p.A.g", "p.A", "m", "()V", 1);
    struct report_race overload = race_of("p.A.f", "p.A", "m", "(I)V", 1);
    assert_string_equal(report_fingerprint(&a, &base), report_fingerprint(&a, &moved));
    assert_string_not_equal(report_fingerprint(&a, &base), report_fingerprint(&a, &other));
    assert_string_not_equal(report_fingerprint(&a, &base), report_fingerprint(&a, &overload));
    struct report_race turned = base, mixed = base;
    mixed.accesses[1].is_write = turned.accesses[0].is_write = false;
    assert_string_equal(report_fingerprint(&a, &mixed), report_fingerprint(&a, &turned));
    assert_string_not_equal(report_fingerprint(&a, &mixed), report_fingerprint(&a, &base));
    struct report_race l0 = race_of("p.A.f", "p.A", "lambda$run$0", "()V", 1);
    struct report_race l7 = race_of("p.A.f", "p.A", "lambda$run$17", "(I)V", 5);
    assert_string_equal(report_fingerprint(&a, &l0), report_fingerprint(&a, &l7));
    struct report_race c1 = race_of("p.A.1.f", "p.A$1", "run", "()V", 1);
    struct report_race c2 = race_of("p.A.12.f", "p.A$12", "run", "()V", 1);
    assert_string_equal(report_fingerprint(&a, &c1), report_fingerprint(&a, &c2));
    struct report_race h1 = race_of("p.A.f", "p.A$$Lambda/0x00007f01", "run", "()V", 1);
    struct report_race h2 = race_of("p.A.f", "p.A$$Lambda/0x00007f99ab", "run", "()V", 1);
    assert_string_equal(report_fingerprint(&a, &h1), report_fingerprint(&a, &h2));
    struct report_race d1 = race_of("p.A.f", "p.A$$Lambda$1.0x00007f01", "run", "()V", 1);
    struct report_race d2 = race_of("p.A.f", "p.A$$Lambda$23.0x00007f99ab", "run", "()V", 1);
    assert_string_equal(report_fingerprint(&a, &d1), report_fingerprint(&a, &d2));
    /* Digits that a person wrote are part of the name. */
    struct report_race v1 = race_of("p.Http1.f", "p.Http1", "m2", "()V", 1);
    struct report_race v2 = race_of("p.Http2.f", "p.Http2", "m2", "()V", 1);
    assert_string_not_equal(report_fingerprint(&a, &v1), report_fingerprint(&a, &v2));
    arena_release(&a);
}

static bool suppresses(const char *pattern, const char *name, bool frame) {
    struct suppressions s;
    struct race_error err = {0};
    char text[256];
    suppressions_init(&s);
    snprintf(text, sizeof text, "race:%s\n", pattern);
    assert_true(suppressions_parse(&s, "x", text, &err));
    bool found = (frame ? suppressions_match_frame(&s, name) : suppressions_match(&s, name)) != NULL;
    suppressions_release(&s);
    return found;
}

static void test_suppression_patterns(void **state) {
    (void)state;
    assert_true(suppresses("p.A.f", "p.A.f", false));
    assert_false(suppresses("p.A.f", "p.A.ff", false));
    assert_false(suppresses("p.A", "p.A.f", false));
    assert_true(suppresses("p.*", "p.A.f", false));
    assert_true(suppresses("*.f", "p.A.f", false));
    assert_true(suppresses("*a*b*", "xxaxxaxbx", false));
    assert_false(suppresses("*a*b", "xxaxxaxbx", false));
    assert_true(suppresses("p.Outer.Inner", "p.Outer$Inner", false));
    assert_true(suppresses("p.A.m", "p.A.m(A.java:3)", true));
    assert_true(suppresses("p.A", "p.A.m(A.java:3)", true));
    assert_true(suppresses("*(A.java:3)", "p.A.m(A.java:3)", true));
    assert_false(suppresses("p.B", "p.A.m(A.java:3)", true));
}

static void test_suppression_files(void **state) {
    (void)state;
    struct suppressions s;
    struct race_error err = {0}, bad = {0}, empty = {0};
    suppressions_init(&s);
    assert_true(suppressions_parse(
        &s, "s.txt", "# stale comment\n\n# first\r\n# second\nrace:p.A\nrace:p.B  \n# third\nrace:p.C",
        &err));
    assert_int_equal(s.n, 3);
    assert_string_equal(s.v[0].reason, "first second");
    assert_string_equal(s.v[0].where, "s.txt:5");
    assert_string_equal(s.v[1].pattern, "p.B");
    assert_string_equal(s.v[1].reason, "first second"); /* one comment may stand above several entries */
    assert_string_equal(s.v[2].reason, "third");
    assert_false(suppressions_parse(&s, "s.txt", "race:p.D\ndeadlock:x\n", &bad));
    assert_non_null(strstr(bad.what, "line 2"));
    assert_false(suppressions_parse(&s, "s.txt", "race:  \n", &empty));
    assert_false(suppressions_load(&s, "/nonexistent", &(struct race_error){0}));
    suppressions_release(&s);
}

static void test_hiding(void **state) {
    (void)state;
    struct suppressions s;
    struct race_error err = {0};
    struct report r;
    load(&r, HEADER RACE1 RACE("p.B.hash", "1", ACCESS("write", "p.B", "hashCode", "()I", "1", "1"),
                               ACCESS("read", "p.B", "hashCode", "()I", "2", "2"))
                 RACE("p.B.other", "1", ACCESS("write", "p.B", "hashCode", "()I", "1", "5"),
                      ACCESS("read", "p.B", "hashCode", "()I", "2", "6")) SUMMARY);
    suppressions_init(&s);
    assert_true(suppressions_parse(&s, "s", "# known\nrace:p.A.f1\nrace:p.Nobody\n", &err));
    report_hide_suppressed(&r, &s, NULL);
    assert_true(report_hide_idioms(&r, NULL, &err));
    report_finish(&r);
    assert_int_equal(r.summary.hidden[REPORT_SUPPRESSED], 1);
    assert_int_equal(r.summary.hidden[REPORT_BENIGN], 1);
    assert_int_equal(r.summary.verdicts[REPORT_CONFIRMED], 1);
    assert_int_equal(r.unused_suppressions.n, 1);
    assert_string_equal(r.unused_suppressions.v[0], "s:3: race:p.Nobody");
    for (size_t i = 0; i < r.races.n; i++) {
        if (r.races.v[i].hidden == REPORT_SUPPRESSED)
            assert_string_equal(r.races.v[i].hidden_by, "race:p.A.f1 (s:2): known");
        if (r.races.v[i].hidden == REPORT_BENIGN) assert_string_equal(r.races.v[i].hidden_by, "hash-cache");
    }
    suppressions_release(&s);
    report_release(&r);
}

static void test_idioms_switch_off(void **state) {
    (void)state;
    struct race_error err = {0}, bad = {0};
    struct report r;
    const char *suspend = "(Lkotlin/coroutines/Continuation;)Ljava/lang/Object;";
    report_init(&r);
    vec_push(&r.races, race_of("p.K.label", "p.K", "f", suspend, 1));
    vec_push(&r.races, race_of("p.K.label", "p.K", "f", "()V", 1));
    assert_true(report_hide_idioms(&r, "hash-cache,kotlin-coroutine-label", &err));
    assert_int_equal(r.races.v[0].hidden, REPORT_SHOWN);
    assert_true(report_hide_idioms(&r, "all", &err));
    assert_int_equal(r.races.v[0].hidden, REPORT_SHOWN);
    assert_true(report_hide_idioms(&r, "hash-cache", &err));
    assert_int_equal(r.races.v[0].hidden, REPORT_BENIGN);
    assert_int_equal(r.races.v[1].hidden, REPORT_SHOWN);
    assert_false(report_hide_idioms(&r, "hash-cash", &bad));
    assert_int_equal(bad.exit_code, RACE_EXIT_USAGE);
    report_release(&r);
}

/* Generated by Clojure's compiler; a field of an object that only has such a name is somebody's own. */
static void test_idiom_of_clojure(void **state) {
    (void)state;
    struct race_error err = {0};
    struct report r;
    report_init(&r);
    vec_push(&r.races, race_of("user.fn__1.__cached_class__0", "user$fn__1", "invoke", "()V", 1));
    r.races.v[0].kind = PLAN_STATIC;
    vec_push(&r.races, race_of("p.A.__cached_class__0", "p.A", "m", "()V", 1));
    vec_push(&r.races, race_of("p.A.cached_class__0", "p.A", "m", "()V", 1));
    r.races.v[2].kind = PLAN_STATIC;
    assert_true(report_hide_idioms(&r, NULL, &err));
    assert_int_equal(r.races.v[0].hidden, REPORT_BENIGN);
    assert_string_equal(r.races.v[0].hidden_by, "clojure-class-cache");
    assert_int_equal(r.races.v[1].hidden, REPORT_SHOWN);
    assert_int_equal(r.races.v[2].hidden, REPORT_SHOWN);
    report_release(&r);
}

static void print_json_to(struct report *r, const char *path) {
    struct race_error err = {0};
    struct report_print_options o = {.format = REPORT_JSON};
    report_finish(r);
    assert_true(report_print_to(r, &o, path, &err));
}

static void test_baseline(void **state) {
    (void)state;
    struct race_error err = {0}, bad = {0};
    struct report r;
    struct plan p;
    load(&r, HEADER RACE1 SUMMARY);
    print_json_to(&r, other_path);
    report_release(&r);
    /* Moved lines, one new race. */
    load(&r, HEADER RACE("p.A.f1", "3", ACCESS("write", "p.A", "m", "()V", "21", "31"),
                         ACCESS("read", "p.A", "m", "()V", "22", "32"))
                 RACE("p.A.new", "3", ACCESS("write", "p.A", "m", "()V", "21", "41"),
                      ACCESS("read", "p.A", "m", "()V", "22", "42")) SUMMARY);
    assert_true(report_hide_baseline(&r, other_path, &err));
    report_finish(&r);
    assert_int_equal(r.summary.hidden[REPORT_IN_BASELINE], 1);
    assert_int_equal(r.summary.verdicts[REPORT_CONFIRMED], 1);
    /* A baseline made with a baseline knows both. */
    print_json_to(&r, other_path);
    for (size_t i = 0; i < r.races.n; i++) r.races.v[i].hidden = REPORT_SHOWN;
    assert_true(report_hide_baseline(&r, other_path, &err));
    report_finish(&r);
    assert_int_equal(r.summary.hidden[REPORT_IN_BASELINE], 2);
    report_release(&r);
    /* A warning that was confirmed since is news. */
    make_plan(&p, 1);
    report_init(&r);
    report_from_plan(&r, &p);
    print_json_to(&r, other_path);
    report_release(&r);
    load(&r, HEADER RACE1 SUMMARY);
    assert_true(report_hide_baseline(&r, other_path, &err));
    assert_int_equal(r.races.v[0].hidden, REPORT_SHOWN);
    write_file(other_path, "{\"a\":1}");
    assert_false(report_hide_baseline(&r, other_path, &bad));
    assert_non_null(strstr(bad.what, "--format json"));
    report_release(&r);
    plan_release(&p);
}

/* No format may fail or leave a partial file behind, whatever bytes a name has. */
static void test_odd_names(void **state) {
    (void)state;
    struct race_error err = {0};
    struct report r;
    struct plan_writer *w = plan_writer_new(plan_path, &err);
    /* modified UTF-8: a surrogate pair byte by byte, a lone surrogate, a stray byte, a control character */
    plan_write_class(w, "p/\xed\xa0\xbd\xed\xb8\x80\xed\xa0\xbd\xff\x01<&\"", 1, NULL, false);
    plan_write_method(w, "m <x>\n", "()V", PLAN_UNTYPED);
    plan_site_id s = plan_write_site(w, 0, -1, true, PLAN_STATIC, "p/\xff", "\x7f</script>");
    write_pair(w, s, s, NULL);
    assert_true(plan_writer_commit(w, &err));
    struct plan p;
    assert_true(plan_load(&p, plan_path, &err));
    report_init(&r);
    report_from_plan(&r, &p);
    report_finish(&r);
    assert_string_equal(r.races.v[0].accesses[0].cls, "p.\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbd\x01<&\"");
    for (int f = 0; f < REPORT_N_FORMATS; f++) {
        struct report_print_options o = {.format = (enum report_format)f};
        char *text = NULL;
        size_t n = 0;
        FILE *out = open_memstream(&text, &n);
        assert_true(report_print(&r, &o, out));
        fclose(out);
        assert_true(n > 0);
        assert_null(strchr(text, '\x01'));
        if (f == REPORT_HTML) assert_null(strstr(text, "</script>\""));
        free(text);
    }
    report_release(&r);
    plan_release(&p);
}

static void test_unwritable_output(void **state) {
    (void)state;
    struct race_error err = {0};
    struct report r;
    struct report_print_options o = {.format = REPORT_JSON};
    report_init(&r);
    report_finish(&r);
    assert_false(report_print_to(&r, &o, "/nonexistent/x.json", &err));
    assert_int_equal(err.exit_code, RACE_EXIT_OTHER);
    assert_true(report_print_to(&r, &o, "/dev/null", &(struct race_error){0}));
    report_release(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_a_race),
        cmocka_unit_test(test_merges),
        cmocka_unit_test(test_cut_off_line),
        cmocka_unit_test(test_bad_results),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_verdicts_of_many_runs),
        cmocka_unit_test(test_raced_in_evidence),
        cmocka_unit_test(test_containers_join_by_place),
        cmocka_unit_test(test_miss_of_the_static_half),
        cmocka_unit_test(test_wrong_plan),
        cmocka_unit_test(test_from_plan),
        cmocka_unit_test(test_fingerprints),
        cmocka_unit_test(test_suppression_patterns),
        cmocka_unit_test(test_suppression_files),
        cmocka_unit_test(test_hiding),
        cmocka_unit_test(test_idioms_switch_off),
        cmocka_unit_test(test_idiom_of_clojure),
        cmocka_unit_test(test_baseline),
        cmocka_unit_test(test_odd_names),
        cmocka_unit_test(test_unwritable_output),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
