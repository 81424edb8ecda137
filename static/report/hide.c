/*
 * What a report counts but does not hold against anybody: suppressed races, benign idioms, known races.
 */
#include "race/report.h"

#include "names.h"
#include "race/suppress.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The first reason stays: suppressions before idioms before the baseline. */
static void hide(struct report_race *race, enum report_hidden how, const char *by) {
    race->hidden = how;
    race->hidden_by = by;
}

/* A pattern may name the class or any method that was on the stack. */
static struct suppression *match_access(const struct suppressions *list, const struct report_access *a) {
    struct suppression *found = suppressions_match(list, a->cls);
    for (size_t i = 0; found == NULL && i < a->stack.n; i++)
        found = suppressions_match_frame(list, a->stack.v[i]);
    return found;
}

/* They are no races and have no verdict: a suppressed one is dropped. */
static void hide_promises(struct report *r, struct suppressions *list) {
    size_t kept = 0;
    for (size_t i = 0; i < r->promises.n; i++) {
        const struct report_promise *p = &r->promises.v[i];
        struct suppression *s = suppressions_match(list, p->location);
        if (s == NULL) s = match_access(list, &p->at);
        if (s != NULL) {
            s->used++;
        } else {
            r->promises.v[kept++] = *p;
        }
    }
    r->promises.n = kept;
}

/* "pkg.C$D" as class files spell it, in the report's arena. */
static char *internal_name(struct report *r, const char *name, size_t n) {
    char *copy = arena_printf(&r->arena, "%.*s", (int)n, name);
    for (char *p = copy; *p != '\0'; p++)
        if (*p == '.') *p = '/';
    return copy;
}

/* Field names have dots for nested classes too: each split is tried, the longest package first. */
static struct suppression *match_field(struct report *r, const struct suppressions *list,
                                       const struct report_race *race,
                                       const struct suppress_classes *classes) {
    const char *member = name_last(race->field);
    if ((race->kind != PLAN_INSTANCE && race->kind != PLAN_STATIC) || member == race->field) return NULL;
    char *owner = internal_name(r, race->field, (size_t)(member - race->field) - 1);
    for (char *slash; owner != NULL; *slash = '$') {
        struct suppression *s = suppressions_match_annotated(list, owner, member, NULL, classes);
        slash = strrchr(owner, '/');
        if (s != NULL || slash == NULL) return s;
    }
    return NULL;
}

static struct suppression *match_annotated(struct report *r, const struct suppressions *list,
                                           const struct report_race *race,
                                           const struct suppress_classes *classes) {
    if (classes == NULL || !suppressions_by_annotation(list)) return NULL;
    struct suppression *s = match_field(r, list, race, classes);
    for (int i = 0; i < 2 && s == NULL; i++) {
        const struct report_access *a = &race->accesses[i];
        const char *cls = internal_name(r, a->cls, strlen(a->cls));
        s = suppressions_match_annotated(list, cls, a->method, a->desc, classes);
    }
    return s;
}

void report_hide_suppressed(struct report *r, struct suppressions *list,
                            const struct suppress_classes *classes) {
    for (size_t i = 0; i < r->races.n; i++) {
        struct report_race *race = &r->races.v[i];
        if (race->hidden != REPORT_SHOWN) continue;
        struct suppression *s = suppressions_match(list, race->field);
        if (s == NULL) s = match_access(list, &race->accesses[0]);
        if (s == NULL) s = match_access(list, &race->accesses[1]);
        if (s == NULL) s = match_annotated(r, list, race, classes);
        if (s == NULL) continue;
        s->used++;
        const char *reason = s->reason != NULL ? s->reason : "";
        hide(race, REPORT_SUPPRESSED,
             text_clean(&r->arena, arena_printf(&r->arena, "race:%s (%s)%s%s", s->pattern, s->where,
                                                *reason != '\0' ? ": " : "", reason)));
    }
    hide_promises(r, list);
    for (size_t i = 0; i < list->n; i++) {
        const struct suppression *s = &list->v[i];
        if (s->used > 0) continue;
        const char *text = arena_printf(&r->arena, "%s: race:%s", s->where, s->pattern);
        vec_push(&r->unused_suppressions, text_clean(&r->arena, text));
    }
}

/*
 * Benign idioms.  Each must be narrow: an idiom hides a race that is real by the letter of the memory model,
 * so it may only match where the language or its compiler makes every outcome the same.
 */

/* Like String.hash: hashCode() computes the same 32-bit value in every thread and stores it in one word. */
static bool is_hash_cache(const struct report_race *race) {
    if (race->kind != PLAN_INSTANCE) return false;
    for (int i = 0; i < 2; i++) {
        const struct report_access *a = &race->accesses[i];
        if (strcmp(a->method, "hashCode") != 0 || strcmp(a->desc, "()I") != 0) return false;
    }
    return strcasestr(name_last(race->field), "hash") != NULL;
}

static bool ends_with(const char *s, const char *tail) {
    size_t n = strlen(s), t = strlen(tail);
    return n >= t && strcmp(s + n - t, tail) == 0;
}

/* The state of a Kotlin coroutine: generated code, resumed by one thread at a time through the dispatcher. */
static bool is_coroutine_label(const struct report_race *race) {
    if (race->kind != PLAN_INSTANCE || strcmp(name_last(race->field), "label") != 0) return false;
    for (int i = 0; i < 2; i++) {
        const struct report_access *a = &race->accesses[i];
        bool resume = strcmp(a->method, "invokeSuspend") == 0 &&
                      strcmp(a->desc, "(Ljava/lang/Object;)Ljava/lang/Object;") == 0;
        if (!resume && !ends_with(a->desc, "Lkotlin/coroutines/Continuation;)Ljava/lang/Object;"))
            return false;
    }
    return true;
}

/*
 * Clojure's compiler gives each call of a protocol a static field with the class that was met there last.  It
 * only spares a look-up: whichever class stands in it is compared with that of the argument.
 */
static bool is_clojure_class_cache(const struct report_race *race) {
    static const char prefix[] = "__cached_class__";
    return race->kind == PLAN_STATIC && strncmp(name_last(race->field), prefix, sizeof prefix - 1) == 0;
}

static bool is_trusted(const struct report_race *race, const char *annotation) {
    return race->trusted != NULL && strcmp(race->trusted, annotation) == 0;
}

/* The author says so: one value, computed as often as need be. */
static bool is_lazy_init(const struct report_race *race) {
    return is_trusted(race, "LazyInit");
}

static bool is_functional(const struct report_race *race) {
    return is_trusted(race, "Functional");
}

/* A rule of the program that the analysis cannot see; but two threads that met have broken it. */
static bool is_confined(const struct report_race *race) {
    const char *a = race->accesses[0].confined, *b = race->accesses[1].confined;
    bool one_thread = a != NULL && b != NULL && strcmp(a, b) == 0;
    return (one_thread || is_trusted(race, "ThreadConfined")) && race->verdict != REPORT_CONFIRMED;
}

const struct report_idiom report_idioms[] = {
    {"clojure-class-cache", "the class that a protocol call of Clojure met last, compared before it is used",
     is_clojure_class_cache},
    {"functional", "the field is only written with results of @Functional methods, which are always the same",
     is_functional},
    {"hash-cache", "hashCode() caches its own result in one 32-bit field, as java.lang.String does",
     is_hash_cache},
    {"kotlin-coroutine-label", "the `label` field of a Kotlin coroutine, ordered by its dispatcher",
     is_coroutine_label},
    {"lazy-init", "the field is annotated @LazyInit: whichever thread's value stays, it is as good",
     is_lazy_init},
    {"thread-confined",
     "annotated @ThreadConfined, or both methods run in one thread (@UiThread ...), and no run showed "
     "otherwise",
     is_confined},
};
const size_t report_n_idioms = sizeof report_idioms / sizeof *report_idioms;

static bool listed(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *p = list; p != NULL; p = strchr(p, ',')) {
        p += *p == ',';
        size_t len = strcspn(p, ",");
        if ((len == n && strncmp(p, name, n) == 0) || (len == 3 && strncmp(p, "all", 3) == 0)) return true;
    }
    return false;
}

/* A mistyped name would leave an idiom on without a word. */
static bool check_idiom_names(const char *off, struct race_error *err) {
    for (const char *p = off; p != NULL; p = strchr(p, ',')) {
        p += *p == ',';
        size_t len = strcspn(p, ","), i = 0;
        while (i < report_n_idioms &&
               (strlen(report_idioms[i].name) != len || strncmp(p, report_idioms[i].name, len) != 0))
            i++;
        if (i < report_n_idioms || (len == 3 && strncmp(p, "all", 3) == 0)) continue;
        race_fail(err, "no idiom is called \"%.*s\"", (int)len, p);
        err->exit_code = RACE_EXIT_USAGE;
        return false;
    }
    return true;
}

bool report_hide_idioms(struct report *r, const char *off, struct race_error *err) {
    if (!check_idiom_names(off, err)) return false;
    for (size_t k = 0; k < report_n_idioms; k++) {
        if (listed(off, report_idioms[k].name)) continue;
        for (size_t i = 0; i < r->races.n; i++) {
            struct report_race *race = &r->races.v[i];
            if (race->hidden == REPORT_SHOWN && report_idioms[k].matches(race))
                hide(race, REPORT_BENIGN, report_idioms[k].name);
        }
    }
    return true;
}

/* The known verdict of a fingerprint: "confirmed" > ... > "static". */
static int verdict_rank(const char *name) {
    for (int v = REPORT_N_VERDICTS - 1; name != NULL && v >= 0; v--)
        if (strcmp(name, report_verdict_names[v]) == 0) return v;
    return -1;
}

/* Fingerprint -> strongest verdict of the old report. */
static void learn(json_t *known, const json_t *races, bool only_baseline) {
    size_t i;
    json_t *race;
    json_array_foreach(races, i, race) {
        const char *print = json_string_value(json_object_get(race, "fingerprint"));
        const char *by = json_string_value(json_object_get(race, "hidden"));
        int rank = verdict_rank(json_string_value(json_object_get(race, "verdict")));
        if (print == NULL || rank < 0) continue;
        if (only_baseline && (by == NULL || strcmp(by, report_hidden_names[REPORT_IN_BASELINE]) != 0))
            continue;
        json_t *old = json_object_get(known, print);
        if (old == NULL || json_integer_value(old) < rank)
            json_object_set_new(known, print, json_integer(rank));
    }
}

static json_t *load_baseline(const char *path, struct race_error *err) {
    json_error_t why;
    FILE *f = fopen(path, "re");
    if (f == NULL) {
        race_fail(err, "cannot open the baseline: %s", strerror(errno));
        return NULL;
    }
    json_t *old = json_loadf(f, 0, &why);
    fclose(f);
    if (json_is_array(json_object_get(old, "races"))) return old;
    if (old == NULL)
        race_fail(err, "line %d: %s; a baseline is the output of `race report --format json`", why.line,
                  why.text);
    else
        race_fail(err, "has no races: a baseline is the output of `race report --format json`");
    json_decref(old);
    return NULL;
}

bool report_hide_baseline(struct report *r, const char *path, struct race_error *err) {
    json_t *old = load_baseline(path, err);
    if (old == NULL) {
        race_error_set_file(err, path);
        return false;
    }
    json_t *known = json_object();
    learn(known, json_object_get(old, "races"), false);
    /* A baseline may itself have been made with one: what that hid is known as well. */
    learn(known, json_object_get(old, "hidden"), true);
    const char *by = text_clean(&r->arena, path);
    for (size_t i = 0; i < r->races.n; i++) {
        struct report_race *race = &r->races.v[i];
        json_t *rank = json_object_get(known, race->fingerprint);
        bool as_strong = rank != NULL && json_integer_value(rank) >= (json_int_t)race->verdict;
        if (race->hidden == REPORT_SHOWN && as_strong) hide(race, REPORT_IN_BASELINE, by);
    }
    json_decref(known);
    json_decref(old);
    return true;
}
