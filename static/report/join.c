/*
 * Joining the plan with the results: every pair that may race gets a verdict.
 *
 * The verdict of a pair is the strongest over all runs.  A confirmed race finds its pair by its two sites;
 * the rest is decided by the evidence line of the pair in each run.  A confirmed race without a pair is a
 * miss of the static half and stays in the report as such.
 */
#include "race/report.h"

#include "index.h"
#include "names.h"
#include "pairs.h"
#include "promises.h"
#include "why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A forgotten jar is known by the names of its classes. */
static void note_missing(struct report *r, const struct plan *p) {
    uint64_t n = plan_meta_number(p, PLAN_META_MISSING_CLASSES, 0), named = 0;
    const char *names = "";
    if (n == 0) return;
    for (uint32_t i = 0; i < p->n_meta; i++) {
        if (strcmp(p->meta[i].key, PLAN_META_MISSING) != 0) continue;
        names = arena_printf(&r->arena, "%s%s%s", names, named++ > 0 ? ", " : "", p->meta[i].value);
    }
    const char *note = arena_printf(
        &r->arena,
        "%" PRIu64 " class%s that the program uses %s not on the class path, so nothing is known of %s: %s%s",
        n, n == 1 ? "" : "es", n == 1 ? "is" : "are", n == 1 ? "it" : "them", names,
        n > named ? ", ..." : "");
    vec_push(&r->notes, text_clean(&r->arena, note));
}

/* What the plan says of the program as a whole: how much is proved, and the funnel. */
static void take_plan_numbers(struct report *r, const struct plan *p) {
    static const char *const keys[] = {PLAN_META_TOTAL_FIELDS, PLAN_META_TOTAL_METHODS,
                                       PLAN_META_UNTYPED_METHODS, PLAN_META_UNREACHED_METHODS,
                                       PLAN_META_UNREACHED_SITES};
    struct report_summary *s = &r->summary;
    uint64_t total = plan_meta_number(p, PLAN_META_TOTAL_SITES, 0), n;
    r->has_plan = true;
    if (total > s->total_sites) s->total_sites = total;
    s->skipped_classes += plan_meta_number(p, PLAN_META_SKIPPED_CLASSES, 0);
    for (uint32_t i = 0; i < p->n_funnel; i++) {
        n = strtoull(p->funnel[i].value, NULL, 10);
        vec_push(&r->funnel, ((struct report_count){text_clean(&r->arena, p->funnel[i].key), n}));
    }
    vec_push(&r->proof, ((struct report_count){"classes", p->n_classes}));
    vec_push(&r->proof, ((struct report_count){"unsafe_fields", p->n_fields}));
    vec_push(&r->proof, ((struct report_count){"unproved_sites", p->n_sites}));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (plan_meta(p, keys[i]) != NULL)
            vec_push(&r->proof, ((struct report_count){keys[i], plan_meta_number(p, keys[i], 0)}));
    const char *entry = plan_meta(p, PLAN_META_ENTRY);
    if (entry != NULL) r->entry = text_clean(&r->arena, entry);
    note_missing(r, p);
}

void report_from_plan(struct report *r, const struct plan *plan) {
    struct pairs pairs;
    take_plan_numbers(r, plan);
    pairs_init(&pairs, r, plan);
    for (uint32_t i = 1; i <= plan->n_pairs; i++) {
        struct report_race race = pairs_race(&pairs, (plan_pair_id){i});
        race.verdict = REPORT_STATIC;
        race.why = race.reason != NULL ? race.reason : report_verdict_help[REPORT_STATIC];
        vec_push(&r->races, race);
    }
    pairs_release(&pairs);
    promises_take(r, plan);
}

/* The verdict of one run on a pair that met. */
static enum report_verdict verdict_of(const struct report_evidence *e) {
    if (e->raced > 0) return REPORT_CONFIRMED;
    return e->predicted > 0 ? REPORT_PREDICTED : REPORT_ORDERED;
}

static void add_evidence(struct report_evidence *sum, const struct report_evidence *e) {
    sum->met += e->met;
    sum->raced += e->raced;
    sum->raced_runs += e->raced > 0;
    sum->predicted += e->predicted;
    for (int i = 0; i < RESULT_N_ORDERS; i++) {
        sum->ordered[i] += e->ordered[i];
        if (sum->by[i] == NULL) sum->by[i] = e->by[i];
    }
}

/* Per pair, summed evidence and the strongest verdict over the runs. */
struct answers {
    struct report_evidence *sums; /* by pair - 1 */
    uint8_t *verdicts;
};

static void raise_verdict(struct answers *out, uint32_t pair, enum report_verdict verdict) {
    uint8_t *best = &out->verdicts[pair - 1];
    if ((uint8_t)verdict > *best) *best = (uint8_t)verdict;
}

static bool beyond_plan(struct report *r, size_t run, const char *what, uint32_t number, uint32_t most,
                        struct race_error *err) {
    race_fail(err, "evidence for %s %" PRIu32 ", but the plan has only %" PRIu32, what, number, most);
    race_error_set_file(err, r->runs.v[run].file);
    return false;
}

static void line_ran(const struct plan *p, const struct plan_pairs *line, const bool *ran,
                     struct answers *out) {
    bool first = ran[plan_side_site(p, line->side).v];
    for (uint32_t i = 0; i < line->n; i++) {
        bool second = ran[plan_side_site(p, (plan_side_id){line->others.v + i}).v];
        if (!first && !second) continue;
        uint32_t pair = line->first.v + i;
        out->sums[pair - 1].first += first;
        out->sums[pair - 1].second += second;
        raise_verdict(out, pair, first && second ? REPORT_APART : REPORT_HALF);
    }
}

/* What ran in a run: of pairs that did not meet there it is all that is known. */
static bool collect_ran(struct report *r, const struct plan *p, struct answers *out, struct race_error *err) {
    bool *ran = ARENA_NEW_N(&r->arena, p->n_sites + 1, bool);
    for (size_t i = 0; i < r->ran.n; i++) {
        const struct report_run_sites *sites = &r->ran.v[i];
        memset(ran, 0, p->n_sites + 1);
        for (size_t k = 0; k < sites->n; k++) {
            if (sites->v[k] > p->n_sites)
                return beyond_plan(r, sites->run, "site", sites->v[k], p->n_sites, err);
            ran[sites->v[k]] = true;
        }
        for (uint32_t k = 0; k < p->n_pair_lines; k++) line_ran(p, &p->pairs[k], ran, out);
    }
    return true;
}

static bool collect(struct report *r, const struct plan *p, struct answers *out, struct race_error *err) {
    out->sums = ARENA_NEW_N(&r->arena, p->n_pairs, struct report_evidence);
    out->verdicts = ARENA_NEW_N(&r->arena, p->n_pairs, uint8_t);
    memset(out->verdicts, REPORT_UNEXERCISED, p->n_pairs);
    if (!collect_ran(r, p, out, err)) return false;
    for (size_t i = 0; i < r->evidence.n; i++) {
        const struct report_run_evidence *e = &r->evidence.v[i];
        if (e->pair.v > p->n_pairs) return beyond_plan(r, e->run, "pair", e->pair.v, p->n_pairs, err);
        if (e->counts.met == 0) continue;
        raise_verdict(out, e->pair.v, verdict_of(&e->counts));
        add_evidence(&out->sums[e->pair.v - 1], &e->counts);
    }
    return true;
}

/* Pair numbers mean nothing under another plan, so evidence of such a run must not be counted. */
static bool check_runs(struct report *r, const struct plan *p, struct race_error *err) {
    for (size_t i = 0; i < r->runs.n; i++) {
        const struct report_run *run = &r->runs.v[i];
        if (!run->has_plan_digest) {
            vec_push(&r->notes,
                     arena_printf(&r->arena,
                                  "%s: JVM %ld ran without the plan; only its confirmed races count",
                                  run->file, run->pid));
        } else if (run->plan_digest != p->digest) {
            race_fail(err, "was recorded with another plan (%s): give that plan, or run again with this one",
                      run->plan != NULL ? run->plan : "name unknown");
            race_error_set_file(err, run->file);
            return false;
        }
    }
    return true;
}

/* A run's picture of a pair is better than the analysis's in all but the reason for the warning. */
static void merge_confirmed(struct report_race *run, const struct report_race *pair) {
    run->is_static = true;
    run->pair = pair->pair;
    run->reason = pair->reason;
}

/* The agent describes a race once and counts on; one that it only counted has the paths of the analysis. */
static void take_evidence(struct report_race *race, const struct report_evidence *sum) {
    race->evidence = *sum;
    if (sum->raced > race->count) race->count = sum->raced;
    if (sum->raced_runs > race->runs) race->runs = sum->raced_runs;
}

static bool is_stale(const struct report *r, const struct report_race *race) {
    for (size_t i = 0; i < r->stale.n; i++)
        if (strcmp(r->stale.v[i], race->accesses[0].cls) == 0 ||
            strcmp(r->stale.v[i], race->accesses[1].cls) == 0)
            return true;
    return false;
}

/* Last of all, since the sentences depend on merged counts. */
static void explain(struct report *r) {
    uint64_t skipped = 0;
    for (size_t i = 0; i < r->races.n; i++) {
        struct report_race *race = &r->races.v[i];
        race->seen = why_seen(&r->arena, race);
        if (race->reason == NULL) race->reason = why_no_warning(race, r->has_plan, is_stale(r, race));
        /* Neighbours often have the very same sentences, and there may be millions. */
        const struct report_race *before = i > 0 ? race - 1 : race;
        bool same = i > 0 && before->seen == race->seen && before->reason == race->reason;
        race->why = same ? before->why : why_text(&r->arena, race);
    }
    for (size_t i = 0; i < r->skipped.n; i++) skipped += r->skipped.v[i].n;
    if (skipped > r->summary.skipped_classes) r->summary.skipped_classes = skipped;
}

static bool same_place(const struct report_access *a, const struct report_access *b) {
    return a->bci >= 0 && a->bci == b->bci && strcmp(a->cls, b->cls) == 0 &&
           strcmp(a->method, b->method) == 0 && strcmp(a->desc, b->desc) == 0;
}

/*
 * A call on a container is a read or a write by what its class does inside: the run knows the class, the
 * analysis takes the worse (Calendar.get computes fields).  The places alone tell that it is the same pair.
 */
static size_t find_container(const struct report *r, size_t n, const struct report_race *pair) {
    const struct report_access *a = pair->accesses;
    for (size_t i = 0; i < n && pair->kind == PLAN_CONTAINER; i++) {
        const struct report_race *run = &r->races.v[i];
        const struct report_access *b = run->accesses;
        if (run->kind != PLAN_CONTAINER || run->is_static) continue;
        if ((same_place(&a[0], &b[0]) && same_place(&a[1], &b[1])) ||
            (same_place(&a[0], &b[1]) && same_place(&a[1], &b[0])))
            return i;
    }
    return SIZE_MAX;
}

/* One pair of calls may have met as two writes in one run, and as a read and a write in another, or on
 * containers of several classes: it is one warning. */
static void absorb_twins(struct report *r, size_t n, size_t at, const struct report_race *pair, bool *gone) {
    struct report_race *race = &r->races.v[at];
    for (size_t i; (i = find_container(r, n, pair)) != SIZE_MAX;) {
        struct report_race *twin = &r->races.v[i];
        twin->is_static = true; /* found no more */
        race->count += twin->count;
        if (twin->runs > race->runs) race->runs = twin->runs;
        gone[i] = true;
    }
}

static void drop_gone(struct report *r, size_t n, const bool *gone) {
    size_t kept = 0;
    for (size_t i = 0; i < r->races.n; i++) {
        if (i >= n || !gone[i]) r->races.v[kept++] = r->races.v[i];
    }
    r->races.n = kept;
}

bool report_join(struct report *r, const struct plan *plan, struct race_error *err) {
    struct answers answers;
    if (r->index == NULL) r->index = index_new();
    if (plan == NULL) {
        explain(r);
        return true;
    }
    if (!check_runs(r, plan, err) || !collect(r, plan, &answers, err)) return false;
    take_plan_numbers(r, plan);
    struct pairs pairs;
    pairs_init(&pairs, r, plan);
    size_t n_run = r->races.n;
    bool *gone = ARENA_NEW_N(&r->arena, n_run, bool);
    for (uint32_t i = 1; i <= plan->n_pairs; i++) {
        struct report_race race = pairs_race(&pairs, (plan_pair_id){i});
        size_t at = index_find(r->index, pairs_index_key(&pairs, race.pair));
        if (at == SIZE_MAX) at = find_container(r, n_run, &race);
        race.verdict = (enum report_verdict)answers.verdicts[i - 1];
        if (at != SIZE_MAX && !r->races.v[at].is_static) {
            merge_confirmed(&r->races.v[at], &race);
            absorb_twins(r, n_run, at, &race, gone);
        } else {
            at = r->races.n;
            vec_push(&r->races, race);
        }
        take_evidence(&r->races.v[at], &answers.sums[i - 1]);
    }
    pairs_release(&pairs);
    drop_gone(r, n_run, gone);
    promises_take(r, plan);
    explain(r);
    return true;
}
