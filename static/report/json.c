/*
 * JSON by jansson, one value at a time.  The keys are a contract (scripts and CI rely on them): add, never
 * rename.
 */
#include "json.h"
#include "promises.h"

#include "print.h"

#include <stdlib.h>
#include <string.h>

enum { SNIPPET_AROUND = 3 }; /* lines shown on either side of an access */

json_t *json_text(const char *s) {
    return s != NULL ? json_string(s) : json_null();
}

static json_t *json_strings(const struct report_strings *s) {
    json_t *array = json_array();
    for (size_t i = 0; i < s->n; i++) json_array_append_new(array, json_string(s->v[i]));
    return array;
}

static json_t *json_locks(const struct report_access *a) {
    json_t *array = json_array();
    for (size_t i = 0; i < a->n_locks; i++)
        json_array_append_new(array, json_pack("{s:s, s:o}", "class", a->locks[i].cls, "acquired",
                                               json_text(a->locks[i].acquired)));
    return array;
}

/* A few lines around the access; NULL if there is no source for it. */
static json_t *json_snippet(struct sources *sources, const struct report_access *a) {
    json_t *lines = json_array();
    int first = a->line > SNIPPET_AROUND ? a->line - SNIPPET_AROUND : 1;
    for (int i = first; i <= a->line + SNIPPET_AROUND; i++) {
        const char *line = sources_line(sources, a, i);
        if (line == NULL) break;
        json_array_append_new(lines, json_string(line));
    }
    if (json_array_size(lines) > 0) return json_pack("{s:i, s:o}", "first", first, "lines", lines);
    json_decref(lines);
    return NULL;
}

static json_t *json_access(const struct report_access *a, struct sources *sources) {
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:i, s:o, s:i, s:b, s:{s:o, s:o}, s:o, s:o}", "access",
                          a->is_write ? "write" : "read", "class", a->cls, "method", a->method, "desc",
                          a->desc, "line", a->line, "file", json_text(a->file), "bci", a->bci, "ran", a->ran,
                          "thread", "name", json_text(a->thread), "created", json_strings(&a->created),
                          "locks", json_locks(a), "stack", json_strings(&a->stack));
    if (a->locks_unknown) json_object_set_new(o, "locks_known", json_false());
    if (sources != NULL) {
        json_object_set_new(o, "path", json_string(sources_path(sources, a)));
        json_t *snippet = json_snippet(sources, a);
        if (snippet != NULL) json_object_set_new(o, "snippet", snippet);
    }
    return o;
}

/* Only what the runs counted; the verdict that follows from it stands beside it. */
static json_t *json_evidence(const struct report_evidence *e) {
    static const char *const names[RESULT_N_ORDERS] = RESULT_ORDER_NAMES;
    json_t *ordered = json_object();
    for (int i = 0; i < RESULT_N_ORDERS; i++)
        json_object_set_new(ordered, names[i], json_integer((json_int_t)e->ordered[i]));
    json_t *o = json_pack("{s:I, s:I, s:I, s:I, s:o, s:I}", "first", (json_int_t)e->first, "second",
                          (json_int_t)e->second, "met", (json_int_t)e->met, "raced", (json_int_t)e->raced,
                          "ordered", ordered, "predicted", (json_int_t)e->predicted);
    for (int i = 0; i < RESULT_N_ORDERS; i++) {
        if (i != RESULT_BY_START_JOIN) json_object_set_new(o, names[i], json_text(e->by[i]));
    }
    return o;
}

static json_t *json_race(const struct report *r, const struct report_race *race, struct sources *sources) {
    json_t *o = json_pack("{s:s, s:s, s:s, s:b, s:s, s:s, s:I, s:s, s:[o, o]}", "id", race->id, "fingerprint",
                          race->fingerprint, "verdict", report_verdict_names[race->verdict], "static",
                          race->is_static, "kind", plan_kind_names[race->kind], "field", race->field, "count",
                          (json_int_t)race->count, "why", race->why != NULL ? race->why : "", "accesses",
                          json_access(&race->accesses[0], sources), json_access(&race->accesses[1], sources));
    if (race->pair.v != 0) json_object_set_new(o, "pair", json_integer(race->pair.v));
    if (race->pair.v != 0 && r->runs.n > 0)
        json_object_set_new(o, "evidence", json_evidence(&race->evidence));
    if (race->runs > 0) json_object_set_new(o, "runs", json_integer((json_int_t)race->runs));
    if (race->value != NULL) json_object_set_new(o, "value", json_string(race->value));
    if (race->test != NULL) json_object_set_new(o, "test", json_string(race->test));
    return o;
}

/* Enough to find it again and to serve as a baseline; the whole story would defeat the point of hiding it. */
static json_t *json_hidden(const struct report_race *race) {
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "id", race->id, "fingerprint", race->fingerprint,
                     "verdict", report_verdict_names[race->verdict], "field", race->field, "hidden",
                     report_hidden_names[race->hidden], "by", json_text(race->hidden_by));
}

static json_t *json_counts(const report_counts *counts) {
    json_t *o = json_object();
    for (size_t i = 0; i < counts->n; i++)
        json_object_set_new(o, counts->v[i].name, json_integer((json_int_t)counts->v[i].n));
    return o;
}

static json_t *json_summary(const struct report *r) {
    const struct report_summary *s = &r->summary;
    json_t *o = json_object();
    for (int v = REPORT_CONFIRMED; v > REPORT_STATIC; v--)
        json_object_set_new(o, report_verdict_names[v], json_integer((json_int_t)s->verdicts[v]));
    if (s->verdicts[REPORT_STATIC] > 0)
        json_object_set_new(o, "static", json_integer((json_int_t)s->verdicts[REPORT_STATIC]));
    const struct {
        const char *key;
        uint64_t n;
    } numbers[] = {
        {"static_warnings", s->static_warnings},
        {"instrumented_sites", s->instrumented_sites},
        {"total_sites", s->total_sites},
        {"skipped_classes", s->skipped_classes},
        {"stale_classes", s->stale_classes},
        {"suppressed", s->hidden[REPORT_SUPPRESSED]},
        {"benign", s->hidden[REPORT_BENIGN]},
        {"baseline", s->hidden[REPORT_IN_BASELINE]},
        {"runs", r->runs.n},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_object_set_new(o, numbers[i].key, json_integer((json_int_t)numbers[i].n));
    if (r->funnel.n > 0) json_object_set_new(o, "funnel", json_counts(&r->funnel));
    if (r->proof.n > 0) json_object_set_new(o, "proof", json_counts(&r->proof));
    if (r->skipped.n > 0) json_object_set_new(o, "skipped", json_counts(&r->skipped));
    return o;
}

static json_t *json_list(const char *const *v, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(array, json_string(v[i]));
    return array;
}

bool json_put(json_t *value, bool no_tags, FILE *out) {
    char *text = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    json_decref(value);
    if (text == NULL) return false;
    for (const char *p = text; *p != '\0';) {
        size_t n = no_tags ? strcspn(p, "<") : strlen(p);
        fwrite(p, 1, n, out);
        p += n;
        if (*p == '<') {
            fputs("\\u003c", out);
            p++;
        }
    }
    free(text);
    return true;
}

static bool put_member(const char *name, json_t *value, bool no_tags, FILE *out) {
    fprintf(out, ",\n\"%s\":", name);
    return json_put(value, no_tags, out);
}

/* The races that are shown, or the hidden ones; returns how many the limit left out, -1 on failure. */
static long put_races(const struct report *r, const struct json_page *page, bool hidden, FILE *out) {
    size_t n = 0;
    long left_out = 0;
    fprintf(out, ",\n\"%s\":[", hidden ? "hidden" : "races");
    for (size_t i = 0; i < r->races.n; i++) {
        const struct report_race *race = &r->races.v[i];
        if ((race->hidden != REPORT_SHOWN) != hidden) continue;
        if (page != NULL && n == page->limit) {
            left_out++;
            continue;
        }
        fputs(n++ == 0 ? "\n" : ",\n", out);
        json_t *o = hidden ? json_hidden(race) : json_race(r, race, page != NULL ? page->sources : NULL);
        if (!json_put(o, page != NULL, out)) return -1;
    }
    fputs("]", out);
    return left_out;
}

bool json_write(const struct report *r, const struct json_page *page, FILE *out) {
    bool tags = page != NULL;
    fputs("{\"tool\":\"race\"", out);
    bool ok = put_member("version", json_string(RACE_VERSION), tags, out) &&
              put_member("entry", json_text(r->entry), tags, out) &&
              put_member("summary", json_summary(r), tags, out);
    long races = ok ? put_races(r, page, false, out) : -1;
    long hidden = races >= 0 ? put_races(r, page, true, out) : -1;
    if (hidden < 0) return false;
    json_t *notes = json_list(r->notes.v, r->notes.n);
    if (races + hidden > 0)
        json_array_append_new(
            notes, json_sprintf("%ld weaker warnings are not on this page; --format json has them all",
                                races + hidden));
    ok = put_member("promises", json_promises(r), tags, out) &&
         put_member("stale", json_list(r->stale.v, r->stale.n), tags, out) &&
         put_member("notes", notes, tags, out) &&
         put_member("unused_suppressions", json_list(r->unused_suppressions.v, r->unused_suppressions.n),
                    tags, out);
    fputs("}\n", out);
    return ok;
}

bool print_json(const struct report *r, const struct report_print_options *o, FILE *out) {
    (void)o;
    return json_write(r, NULL, out);
}
