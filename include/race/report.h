/*
 * Reports: one struct describes what was found; the formats only print it.
 *
 * Three kinds of modules, in the order of the data, none of which knows the ones behind it:
 *   - fill:     results.c (what the agent saw), join.c (what the plan says, and the verdicts);
 *   - describe: fingerprint.c, why.c, hide.c (suppressions, benign idioms, baseline), report.c (order,
 * counts);
 *   - print:    text.c, json.c, sarif.c, html.c, github.c, junit.c, each a function of a finished report.
 *
 * A report is made like this:
 *     report_init -> report_read_results (any number) -> report_join (if there is a plan)
 *                 -> report_hide_* (any) -> report_finish -> report_print, report_fails
 * or, for the static half alone, report_init -> report_from_plan -> ... -> report_finish.
 *
 * Strings are UTF-8 and live in the report's arena.  The module belongs to the tool: it may end the process
 * when memory runs out.
 */
#ifndef RACE_REPORT_H
#define RACE_REPORT_H

#include "race/arena.h"  /* struct arena */
#include "race/error.h"  /* struct race_error */
#include "race/plan.h"   /* struct plan, enum plan_kind */
#include "race/result.h" /* RESULT_N_ORDERS */
#include "race/vec.h"    /* VEC */

#include <stdbool.h>
#include <stddef.h> /* size_t */
#include <stdint.h>
#include <stdio.h> /* FILE */

/* From the weakest to the strongest, so that verdicts of many runs merge with max. */
enum report_verdict {
    REPORT_STATIC, /* nothing ran: the static half alone */
    REPORT_UNEXERCISED,
    REPORT_HALF,
    REPORT_APART,
    REPORT_ORDERED,
    REPORT_PREDICTED,
    REPORT_CONFIRMED
};
enum { REPORT_N_VERDICTS = REPORT_CONFIRMED + 1 };
extern const char *const report_verdict_names[REPORT_N_VERDICTS];
extern const char *const report_verdict_help[REPORT_N_VERDICTS]; /* one sentence each */

struct report_strings {
    const char **v;
    size_t n;
};

struct report_lock {
    const char *cls;
    const char *acquired; /* frame, or NULL */
};

struct report_access {
    bool is_write;
    const char *cls; /* binary name with dots: pkg.Outer$Inner */
    const char *method, *desc;
    const char *file;   /* NULL if unknown */
    int line, bci;      /* -1 if unknown */
    bool ran;           /* thread, locks and stack are of a run; else a path that the analysis found */
    const char *thread; /* name in a run, root of the path otherwise; NULL if unknown */
    struct report_strings created; /* stack of the thread's start */
    struct report_lock *locks;
    size_t n_locks;
    bool locks_unknown;          /* a run that could not tell any more; then there are none here */
    struct report_strings stack; /* innermost frame first */
    const char *confined;        /* the one thread that runs the method, as annotations say; or NULL */
};

/* What the runs saw of a static warning; sums over the runs. */
struct report_evidence {
    uint64_t first, second; /* JVMs in which the side ran */
    uint64_t met, raced, predicted;
    size_t raced_runs; /* JVMs with raced > 0 */
    uint64_t ordered[RESULT_N_ORDERS];
    const char
        *by[RESULT_N_ORDERS]; /* class of the lock, names of volatiles or of what handed over, or NULL */
};

enum report_hidden { REPORT_SHOWN, REPORT_SUPPRESSED, REPORT_BENIGN, REPORT_IN_BASELINE };
extern const char *const report_hidden_names[]; /* "shown", "suppressed", "benign", "baseline" */

struct report_race {
    const char *id;          /* "R1"; position in the report */
    const char *fingerprint; /* stable over line moves, lambda and anonymous-class numbers */
    enum report_verdict verdict;
    bool is_static; /* the static half warned of it */
    enum plan_kind kind;
    const char *field;   /* as plan_location_text() spells it */
    uint64_t count;      /* unordered meetings seen */
    size_t runs;         /* JVMs that confirmed it */
    const char *seen;    /* what the runs saw, in a sentence; NULL without runs */
    const char *reason;  /* of the static half, or about it; NULL if there is none */
    const char *why;     /* both in one text */
    const char *value;   /* of the variable just before the later access, or NULL */
    const char *test;    /* test that ran when it was first seen, or NULL */
    plan_pair_id pair;   /* none if the plan does not have it */
    const char *trusted; /* annotation of the field that vouches for it, or NULL */
    struct report_access accesses[2];
    struct report_evidence evidence;
    enum report_hidden hidden;
    const char *hidden_by; /* the suppression, idiom or baseline; NULL if shown */
};

/* An annotation (@GuardedBy, @Immutable) that the code at this place does not keep; no run is needed. */
struct report_promise {
    const char *annotation; /* simple name */
    const char *location;   /* the field or method that has it */
    struct report_access at;
    const char *access; /* read, write or call */
    const char *text;   /* "declared guarded by lock, not held here" */
};

/* One JVM that wrote results. */
struct report_run {
    const char *file; /* result file */
    const char *version, *time, *mode, *plan, *jdk, *main;
    bool has_plan_digest;
    uint64_t plan_digest;
    long pid;
    bool complete; /* has its summary line */
};

struct report_count {
    const char *name;
    uint64_t n;
};
typedef VEC(struct report_count) report_counts;

struct report_summary {
    uint64_t verdicts[REPORT_N_VERDICTS]; /* shown races only */
    uint64_t hidden[REPORT_IN_BASELINE + 1];
    uint64_t static_warnings, instrumented_sites, total_sites, skipped_classes, stale_classes;
};

struct report_run_evidence {
    size_t run; /* index into runs */
    plan_pair_id pair;
    struct report_evidence counts;
};

struct report_run_sites {
    size_t run;        /* index into runs */
    const uint32_t *v; /* numbers of the plan */
    size_t n;
};

struct report {
    struct arena arena;
    VEC(struct report_race) races;
    VEC(struct report_run) runs;
    VEC(struct report_run_evidence) evidence; /* until report_join() */
    VEC(struct report_run_sites) ran;         /* the same: sites that ran */
    report_counts funnel;                     /* pairs left after each stage of the analysis */
    report_counts skipped;                    /* classes left unchecked, by reason */
    report_counts proof;                      /* what the plan says of the program, see join.c */
    VEC(struct report_promise) promises;
    VEC(const char *) stale; /* classes that changed since the analysis */
    VEC(const char *) notes; /* what the reader should know about this report */
    VEC(const char *) unused_suppressions;
    const char *entry; /* what was analysed, or NULL */
    bool has_plan;
    struct report_summary summary;
    struct report_index *index; /* races by their sites, while results are read */
};

void report_init(struct report *r);
void report_release(struct report *r);

/* Adds the runs of a result file.  A file that is not there means that the agent did not run. */
bool report_read_results(struct report *r, const char *path, struct race_error *err);

/*
 * Joins the plan with the results read so far: every pair gets its verdict, every race its reason.  Without a
 * plan (NULL) there are only the confirmed races.  Fails if a run used another plan.
 */
bool report_join(struct report *r, const struct plan *plan, struct race_error *err);

/* Notes runs on another JDK than the plan's. */
void report_compare_jdks(struct report *r, const struct plan *plan);

/* Every pair of the plan, with verdict `static`. */
void report_from_plan(struct report *r, const struct plan *plan);

/* Fingerprint of a race: 16 hex digits behind the version of the scheme. */
const char *report_fingerprint(struct arena *arena, const struct report_race *race);

/*
 * Hiding.  A hidden race is counted, listed by name, and never fails a build.
 */
struct suppressions;
struct suppress_classes;
/* `classes` (may be NULL) is asked for annotations. */
void report_hide_suppressed(struct report *r, struct suppressions *list,
                            const struct suppress_classes *classes);

struct report_idiom {
    const char *name, *help;
    bool (*matches)(const struct report_race *race);
};
extern const struct report_idiom report_idioms[];
extern const size_t report_n_idioms;
/* `off` names idioms that count as races all the same, separated by commas; "all" and NULL are understood. */
bool report_hide_idioms(struct report *r, const char *off, struct race_error *err);

/* Hides races of an earlier `--format json` report, unless their verdict is stronger now. */
bool report_hide_baseline(struct report *r, const char *path, struct race_error *err);

/* Sorts (strongest first), numbers and counts; after this the report does not change. */
void report_finish(struct report *r);

/*
 * Printing.
 */
enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_SARIF, REPORT_HTML, REPORT_GITHUB, REPORT_JUNIT };
enum { REPORT_N_FORMATS = REPORT_JUNIT + 1 };
extern const char *const report_format_names[REPORT_N_FORMATS];

enum report_fail_on { REPORT_FAIL_CONFIRMED, REPORT_FAIL_PREDICTED, REPORT_FAIL_ANY, REPORT_FAIL_NONE };
extern const char *const report_fail_on_names[]; /* four, in the order of the enum */

struct report_print_options {
    enum report_format format;
    enum report_fail_on fail_on; /* JUnit: which races are failures */
    const char *const *sources;  /* folders with sources */
    size_t n_sources;
    bool colour;
    bool all; /* text: the whole story of every warning, not only of races */
};

/* False if writing failed. */
bool report_print(const struct report *r, const struct report_print_options *o, FILE *out);
/* Into a file (by rename, so that there is no partial one), or to stdout if path is NULL or "-". */
bool report_print_to(const struct report *r, const struct report_print_options *o, const char *path,
                     struct race_error *err);

/* Whether colour belongs on this stream: a terminal, and the user did not say NO_COLOR. */
bool report_wants_colour(FILE *out);

/* Whether a shown race is at or above the threshold. */
bool report_race_fails(const struct report_race *race, enum report_fail_on on);
bool report_fails(const struct report *r, enum report_fail_on on);

#endif
