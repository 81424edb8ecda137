/*
 * SARIF 2.1.0, for code scanning services and IDEs.
 *
 * One rule per verdict, because consumers take the precision from the rule.  A result stands at the access
 * that writes; the other access is its related location, and one code flow has both stacks as thread flows.
 */
#include "json.h"
#include "names.h"
#include "print.h"
#include "promises.h"
#include "source.h"

#include <ctype.h>
#include <string.h>

/* What code scanning services take of one run; the strongest come first. */
enum { MOST_RESULTS = 25000 };

struct sarif {
    const struct report *r;
    struct sources sources;
    struct arena arena;
};

/* By verdict. */
static const struct rule {
    const char *id, *name, *level, *precision, *severity;
} rules[REPORT_N_VERDICTS] = {
    [REPORT_STATIC] = {"race/static", "StaticRaceWarning", "warning", "medium", "warning"},
    [REPORT_UNEXERCISED] = {"race/unexercised", "UnexercisedRaceWarning", "note", "low", "recommendation"},
    [REPORT_HALF] = {"race/half", "HalfExercisedRaceWarning", "note", "low", "recommendation"},
    [REPORT_APART] = {"race/apart", "RaceWarningApart", "note", "low", "recommendation"},
    [REPORT_ORDERED] = {"race/ordered", "RaceWarningOrdered", "note", "low", "recommendation"},
    [REPORT_PREDICTED] = {"race/predicted", "PredictedRace", "warning", "high", "warning"},
    [REPORT_CONFIRMED] = {"race/confirmed", "ConfirmedRace", "error", "very-high", "error"},
};

static const char advice[] =
    "Two threads use this location without synchronisation and at least one of them writes, so a thread may "
    "see "
    "stale, torn or lost values. Guard both accesses by the same lock, make the field volatile if each "
    "access "
    "stands alone, use a class of java.util.concurrent, or keep the object in one thread.";

static json_t *json_rule(int v) {
    return json_pack("{s:s, s:s, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s, s:s, s:[s, s]}}", "id",
                     rules[v].id, "name", rules[v].name, "shortDescription", "text",
                     v == REPORT_CONFIRMED ? "Data race" : "Possible data race", "fullDescription", "text",
                     report_verdict_help[v], "help", "text", advice, "defaultConfiguration", "level",
                     rules[v].level, "properties", "precision", rules[v].precision, "problem.severity",
                     rules[v].severity, "tags", "concurrency", "reliability");
}

/* Percent-encodes a path for a URI. */
static const char *uri_of(struct arena *a, const char *path) {
    char *uri = arena_alloc(a, strlen(path) * 3 + 1), *to = uri;
    for (const unsigned char *p = (const unsigned char *)path; *p != '\0'; p++) {
        if (isalnum(*p) || strchr("/-._~$", *p) != NULL)
            *to++ = (char)*p;
        else
            to += sprintf(to, "%%%02X", *p);
    }
    *to = '\0';
    return uri;
}

static json_t *json_artifact(struct sarif *s, const struct report_access *a) {
    const char *uri = uri_of(&s->arena, sources_path(&s->sources, a));
    /* Outside the checkout there is nothing to be relative to. */
    if (*uri == '/') return json_pack("{s:s}", "uri", arena_printf(&s->arena, "file://%s", uri));
    return json_pack("{s:s, s:s}", "uri", uri, "uriBaseId", "%SRCROOT%");
}

/* Frames of the JDK have no file in anybody's checkout; consumers refuse results that point outside it. */
static bool is_jdk(const char *cls) {
    return strncmp(cls, "java.", 5) == 0 || strncmp(cls, "jdk.", 4) == 0 || strncmp(cls, "sun.", 4) == 0;
}

static json_t *json_physical(struct sarif *s, const struct report_access *a) {
    json_t *o = json_pack("{s:o}", "artifactLocation", json_artifact(s, a));
    if (a->line <= 0) return o;
    json_t *region = json_pack("{s:i}", "startLine", a->line);
    const char *text = sources_line(&s->sources, a, a->line);
    if (text != NULL) json_object_set_new(region, "snippet", json_pack("{s:s}", "text", text));
    json_object_set_new(o, "region", region);
    return o;
}

static json_t *json_location(struct sarif *s, const struct report_access *a, const char *message) {
    const char *full = arena_printf(&s->arena, "%s.%s%s", a->cls, a->method, a->desc);
    json_t *o =
        json_pack("{s:[{s:s, s:s}]}", "logicalLocations", "fullyQualifiedName", full, "kind", "function");
    if (!is_jdk(a->cls)) json_object_set_new(o, "physicalLocation", json_physical(s, a));
    if (message != NULL) json_object_set_new(o, "message", json_pack("{s:s}", "text", message));
    return o;
}

/* The stack from the thread's start to the access, as a reader steps through it. */
static json_t *json_thread_flow(struct sarif *s, const struct report_race *race,
                                const struct report_access *a, const char *id) {
    json_t *steps = json_array();
    for (size_t i = a->stack.n; i-- > 0;) {
        bool last = i == 0;
        struct report_access frame = frame_parse(&s->arena, a->stack.v[i]);
        const char *message =
            arena_printf(&s->arena, last ? "%s of %s" : "%s calls on",
                         last ? (a->is_write ? "write" : "read") : frame.method, race->field);
        json_t *location = json_location(s, last ? a : &frame, message);
        json_array_append_new(steps, json_pack("{s:o, s:s}", "location", location, "importance",
                                               last ? "essential" : "unimportant"));
    }
    const char *who = arena_printf(&s->arena, "%s %s", a->ran ? "thread" : "a thread of",
                                   a->thread != NULL ? a->thread : "?");
    return json_pack("{s:s, s:{s:s}, s:o}", "id", id, "message", "text", who, "locations", steps);
}

static void add_suppression(json_t *result, const struct report_race *race) {
    if (race->hidden == REPORT_SHOWN) return;
    json_object_set_new(result, "suppressions",
                        json_pack("[{s:s, s:s}]", "kind", "external", "justification",
                                  race->hidden_by != NULL ? race->hidden_by : ""));
}

static json_t *json_result(struct sarif *s, const struct report_race *race) {
    int main = race->accesses[0].is_write ? 0 : 1;
    const struct report_access *a = &race->accesses[main], *b = &race->accesses[1 - main];
    const struct rule *rule = &rules[race->verdict];
    const char *text = arena_printf(&s->arena, "%s on %s: %s, %s. %s",
                                    race->verdict == REPORT_CONFIRMED ? "Data race" : "Possible data race",
                                    race->field, print_access_words(&s->arena, a),
                                    print_access_words(&s->arena, b), race->why != NULL ? race->why : "");
    json_t *related = json_location(s, b, print_access_words(&s->arena, b));
    json_object_set_new(related, "id", json_integer(1));
    json_t *flow = json_pack("{s:[o, o]}", "threadFlows", json_thread_flow(s, race, a, "thread1"),
                             json_thread_flow(s, race, b, "thread2"));
    json_t *o =
        json_pack("{s:s, s:i, s:s, s:{s:s}, s:[o], s:[o], s:[o], s:{s:s}, s:{s:s, s:s, s:b, s:s, s:I}}",
                  "ruleId", rule->id, "ruleIndex", (int)race->verdict, "level", rule->level, "message",
                  "text", text, "locations", json_location(s, a, NULL), "relatedLocations", related,
                  "codeFlows", flow, "partialFingerprints", "raceFingerprint/v1", race->fingerprint,
                  "properties", "verdict", report_verdict_names[race->verdict], "precision", rule->precision,
                  "static", race->is_static, "id", race->id, "count", (json_int_t)race->count);
    add_suppression(o, race);
    return o;
}

/* A rule of its own, behind those of the verdicts. */
static json_t *json_promise_rule(void) {
    return json_pack(
        "{s:s, s:s, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s, s:s, s:[s, s]}}", "id", "race/promise",
        "name", "AnnotationNotKept", "shortDescription", "text", "Annotation not kept", "fullDescription",
        "text", "An annotation such as @GuardedBy or @Immutable promises what the code here does not do.",
        "help", "text",
        "Hold the lock that the annotation names at this access, or change the annotation to what is meant.",
        "defaultConfiguration", "level", "warning", "properties", "precision", "high", "problem.severity",
        "warning", "tags", "concurrency", "reliability");
}

static json_t *json_promise(struct sarif *s, const struct report_promise *p) {
    return json_pack("{s:s, s:i, s:s, s:{s:s}, s:[o]}", "ruleId", "race/promise", "ruleIndex",
                     REPORT_N_VERDICTS, "level", "warning", "message", "text", promise_text(&s->arena, p),
                     "locations", json_location(s, &p->at, NULL));
}

/* Says how many results the limit left out, in the place that SARIF has for it. */
static void put_invocation(size_t left_out, FILE *out) {
    fputs(",\n\"invocations\":[{\"executionSuccessful\":true", out);
    if (left_out > 0)
        fprintf(out,
                ",\"toolExecutionNotifications\":[{\"level\":\"note\",\"message\":{\"text\":"
                "\"%zu weaker warnings are left out; --format json has them all\"}}]",
                left_out);
    fputs("}]", out);
}

static bool put_results(struct sarif *s, FILE *out) {
    size_t n = 0, left_out = 0;
    bool ok = true;
    fputs("\"results\":[", out);
    for (size_t i = 0; ok && i < s->r->races.n; i++) {
        const struct report_race *race = &s->r->races.v[i];
        if (race->hidden == REPORT_IN_BASELINE) continue;
        if (n == MOST_RESULTS) {
            left_out++;
            continue;
        }
        fputs(n++ == 0 ? "\n" : ",\n", out);
        ok = json_put(json_result(s, race), false, out);
        arena_clear(&s->arena);
    }
    for (size_t i = 0; ok && i < s->r->promises.n && n < MOST_RESULTS; i++) {
        fputs(n++ == 0 ? "\n" : ",\n", out);
        ok = json_put(json_promise(s, &s->r->promises.v[i]), false, out);
        arena_clear(&s->arena);
    }
    fputs("]", out);
    put_invocation(left_out, out);
    return ok;
}

/* The skeleton is written as text, so that one result is in memory at a time. */
static bool put_log(struct sarif *s, FILE *out) {
    json_t *all_rules = json_array();
    for (int v = 0; v < REPORT_N_VERDICTS; v++) json_array_append_new(all_rules, json_rule(v));
    json_array_append_new(all_rules, json_promise_rule());
    fputs("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\n"
          "\"tool\":{\"driver\":{\"name\":\"race\",\"organization\":\"race\",\"semanticVersion\":"
          "\"" RACE_VERSION "\",\"rules\":",
          out);
    bool ok = json_put(all_rules, false, out);
    fputs("}},\n\"columnKind\":\"utf16CodeUnits\",\n", out);
    ok = ok && put_results(s, out);
    fputs("}]}\n", out);
    return ok;
}

bool print_sarif(const struct report *r, const struct report_print_options *options, FILE *out) {
    struct sarif s = {.r = r};
    sources_init(&s.sources, options);
    arena_init(&s.arena);
    bool ok = put_log(&s, out);
    sources_release(&s.sources);
    arena_release(&s.arena);
    return ok;
}
