/*
 * The life of a report: its names, its order and its counts.
 */
#include "race/report.h"

#include "index.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

const char *const report_verdict_names[REPORT_N_VERDICTS] = {"static",  "unexercised", "half",     "apart",
                                                             "ordered", "predicted",   "confirmed"};

const char *const report_verdict_help[REPORT_N_VERDICTS] = {
    "The analysis could not prove that the two accesses never race; no run has tried them yet.",
    "Neither access ran.",
    "Only one of the two accesses ran.",
    "Both accesses ran, but never on the same location from two threads.",
    "The accesses met and were ordered each time by synchronisation.",
    "The accesses met and were ordered only by the accident of this schedule; another schedule can race.",
    "In a run both accesses touched one location from two threads, unordered, and at least one wrote."};

const char *const report_hidden_names[] = {"shown", "suppressed", "benign", "baseline"};
const char *const report_format_names[REPORT_N_FORMATS] = {"text", "json",   "sarif",
                                                           "html", "github", "junit"};
const char *const report_fail_on_names[] = {"confirmed", "predicted", "any", "none"};

void report_init(struct report *r) {
    *r = (struct report){0};
    arena_init(&r->arena);
}

void report_release(struct report *r) {
    index_free(r->index);
    vec_release(&r->races);
    vec_release(&r->runs);
    vec_release(&r->evidence);
    vec_release(&r->ran);
    vec_release(&r->funnel);
    vec_release(&r->skipped);
    vec_release(&r->proof);
    vec_release(&r->promises);
    vec_release(&r->stale);
    vec_release(&r->notes);
    vec_release(&r->unused_suppressions);
    arena_release(&r->arena);
}

/* Sites by name and place; qsort is not stable, so the order must be total. */
static int compare_access(const struct report_access *a, const struct report_access *b) {
    int c = strcmp(a->cls, b->cls);
    if (c == 0) c = strcmp(a->method, b->method);
    if (c == 0) c = (a->line > b->line) - (a->line < b->line);
    if (c == 0) c = (a->bci > b->bci) - (a->bci < b->bci);
    return c;
}

/* What is worth a look first, among races of one verdict: fields, which have a name, before elements of
 * arrays and collections, of which only a type is known; no lock at all before locks that are not the same.
 */
static int unlikeliness(const struct report_race *race) {
    bool named = race->kind == PLAN_INSTANCE || race->kind == PLAN_STATIC;
    bool locked =
        race->verdict != REPORT_CONFIRMED && race->accesses[0].n_locks + race->accesses[1].n_locks > 0;
    return (named ? 0 : 2) + (locked ? 1 : 0);
}

/* The strongest first; among equals by location, so that two reports of the same runs are equal too. */
static int compare_races(const void *pa, const void *pb) {
    const struct report_race *a = pa, *b = pb;
    if (a->verdict != b->verdict) return a->verdict < b->verdict ? 1 : -1;
    int c = unlikeliness(a) - unlikeliness(b);
    if (c == 0) c = strcmp(a->field, b->field);
    if (c == 0) c = compare_access(&a->accesses[0], &b->accesses[0]);
    if (c == 0) c = compare_access(&a->accesses[1], &b->accesses[1]);
    if (c == 0) c = (int)a->accesses[0].is_write - (int)b->accesses[0].is_write;
    return c;
}

void report_finish(struct report *r) {
    struct report_summary *s = &r->summary;
    if (r->races.n > 0) qsort(r->races.v, r->races.n, sizeof *r->races.v, compare_races);
    memset(s->verdicts, 0, sizeof s->verdicts);
    memset(s->hidden, 0, sizeof s->hidden);
    s->static_warnings = 0;
    for (size_t i = 0; i < r->races.n; i++) {
        struct report_race *race = &r->races.v[i];
        race->id = arena_printf(&r->arena, "R%zu", i + 1);
        s->hidden[race->hidden]++;
        if (race->hidden == REPORT_SHOWN) s->verdicts[race->verdict]++;
        s->static_warnings += race->is_static;
    }
    s->stale_classes = r->stale.n;
}

bool report_race_fails(const struct report_race *race, enum report_fail_on on) {
    if (race->hidden != REPORT_SHOWN) return false;
    switch (on) {
    case REPORT_FAIL_CONFIRMED: return race->verdict == REPORT_CONFIRMED;
    case REPORT_FAIL_PREDICTED: return race->verdict >= REPORT_PREDICTED;
    case REPORT_FAIL_ANY: return true;
    case REPORT_FAIL_NONE: return false;
    }
    return false;
}

bool report_fails(const struct report *r, enum report_fail_on on) {
    for (size_t i = 0; i < r->races.n; i++)
        if (report_race_fails(&r->races.v[i], on)) return true;
    return on == REPORT_FAIL_ANY && r->promises.n > 0;
}

void report_compare_jdks(struct report *r, const struct plan *plan) {
    int planned = (int)plan_meta_number(plan, PLAN_META_JDK, 0);
    for (size_t i = 0; i < r->runs.n; i++) {
        int here = r->runs.v[i].jdk != NULL ? atoi(r->runs.v[i].jdk) : 0;
        if (planned == 0 || here == 0 || planned == here) continue;
        const char *note = arena_printf(&r->arena, "%s: ran on JDK %d, but the plan was made with JDK %d",
                                        r->runs.v[i].file, here, planned);
        vec_push(&r->notes, text_clean(&r->arena, note));
    }
}
