/*
 * Reading the agent's result files (result.h) into a report.
 */
#include "race/report.h"

#include "index.h"
#include "names.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct input {
    struct report *r;
    const char *path;
    size_t line;
    size_t run; /* index of the JVM whose lines these are; SIZE_MAX before the first header */
    /* Per race of this JVM, what it counted so far: an agent may write a race again with a larger count. */
    struct report_index *seen;
    VEC(uint64_t) counts;
    struct race_error *err;
};

static bool bad(struct input *in, const char *what) {
    return race_fail(in->err, "line %zu: %s", in->line, what);
}

/* Agents may write "" for what they do not know; that is no name either. */
static const char *str_of(struct input *in, const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s != NULL && *s != '\0' ? arena_strdup(&in->r->arena, s) : NULL;
}

static uint64_t count_of(const json_t *o, const char *key) {
    json_int_t n = json_integer_value(json_object_get(o, key));
    return n > 0 ? (uint64_t)n : 0;
}

static int int_of(const json_t *o, const char *key) {
    const json_t *v = json_object_get(o, key);
    json_int_t n = json_integer_value(v);
    return json_is_integer(v) && n >= 0 && n <= INT32_MAX ? (int)n : -1;
}

static struct report_strings strings_of(struct input *in, const json_t *array) {
    struct report_strings s = {0};
    size_t i;
    json_t *item;
    s.v = ARENA_NEW_N(&in->r->arena, json_array_size(array), const char *);
    json_array_foreach(array, i, item) {
        if (json_is_string(item)) s.v[s.n++] = arena_strdup(&in->r->arena, json_string_value(item));
    }
    return s;
}

static void read_locks(struct input *in, const json_t *array, struct report_access *a) {
    size_t i;
    json_t *item;
    a->locks = ARENA_NEW_N(&in->r->arena, json_array_size(array), struct report_lock);
    json_array_foreach(array, i, item) {
        const char *cls = str_of(in, item, "class");
        if (cls != NULL) a->locks[a->n_locks++] = (struct report_lock){cls, str_of(in, item, "acquired")};
    }
}

static bool read_access(struct input *in, const json_t *o, struct report_access *a) {
    const char *access = json_string_value(json_object_get(o, "access"));
    const char *desc = str_of(in, o, "desc");
    const json_t *thread = json_object_get(o, "thread");
    *a = (struct report_access){.cls = str_of(in, o, "class"),
                                .method = str_of(in, o, "method"),
                                .desc = desc != NULL ? desc : "",
                                .file = str_of(in, o, "file"),
                                .line = int_of(o, "line"),
                                .bci = int_of(o, "bci"),
                                .ran = true,
                                .thread = str_of(in, thread, "name"),
                                .created = strings_of(in, json_object_get(thread, "created")),
                                .stack = strings_of(in, json_object_get(o, "stack"))};
    if (a->cls == NULL || a->method == NULL) return bad(in, "an access without a class or a method");
    if (access == NULL || (strcmp(access, "read") != 0 && strcmp(access, "write") != 0))
        return bad(in, "an access is neither read nor write");
    a->is_write = access[0] == 'w';
    read_locks(in, json_object_get(o, "locks"), a);
    a->locks_unknown = json_is_false(json_object_get(o, "locks_known"));
    if (a->stack.n == 0) { /* so that every access can be shown */
        a->stack.v = ARENA_NEW(&in->r->arena, const char *);
        a->stack.v[a->stack.n++] = frame_text(&in->r->arena, a->cls, a->method, a->file, a->line);
    }
    return true;
}

static bool kind_of(const char *name, enum plan_kind *kind) {
    for (int k = 0; name != NULL && k < PLAN_N_KINDS; k++) {
        if (strcmp(name, plan_kind_names[k]) != 0) continue;
        *kind = (enum plan_kind)k;
        return true;
    }
    return false;
}

/* Adds what this JVM counted to a race that is already in the report (or just was put there). */
static void count_race(struct input *in, size_t at, const char *key, uint64_t count) {
    struct report_race *race = &in->r->races.v[at];
    size_t mine = index_find(in->seen, key);
    if (mine == SIZE_MAX) {
        index_add(in->seen, key, in->counts.n);
        vec_push(&in->counts, count);
        race->count += count;
        race->runs++;
    } else if (count > in->counts.v[mine]) {
        race->count += count - in->counts.v[mine];
        in->counts.v[mine] = count;
    }
}

/* A race is new, or known from another run, or from an earlier line of this one. */
static bool on_race(struct input *in, const json_t *o) {
    struct report *r = in->r;
    const json_t *accesses = json_object_get(o, "accesses");
    struct report_race race = {.verdict = REPORT_CONFIRMED,
                               .field = str_of(in, o, "field"),
                               .value = str_of(in, o, "value"),
                               .test = str_of(in, o, "test")};
    if (race.field == NULL) return bad(in, "a race without a field");
    if (!kind_of(json_string_value(json_object_get(o, "kind")), &race.kind))
        return bad(in, "a race of an unknown kind");
    if (json_array_size(accesses) != 2) return bad(in, "a race needs two accesses");
    for (size_t i = 0; i < 2; i++)
        if (!read_access(in, json_array_get(accesses, i), &race.accesses[i])) return false;
    const char *key = index_key(&r->arena, &race);
    size_t at = index_find(r->index, key);
    if (at == SIZE_MAX) {
        at = r->races.n;
        race.fingerprint = report_fingerprint(&r->arena, &race);
        vec_push(&r->races, race);
        index_add(r->index, key, at);
    } else if (r->races.v[at].test == NULL) {
        r->races.v[at].test = race.test;
    }
    uint64_t count = count_of(o, "count");
    count_race(in, at, key, count > 0 ? count : 1);
    return true;
}

/* Counts of one JVM replace each other, those of different JVMs add up. */
static void start_run(struct input *in) {
    index_free(in->seen);
    in->seen = index_new();
    vec_clear(&in->counts);
}

static bool on_header(struct input *in, const json_t *o) {
    struct report_run run = {.file = text_clean(&in->r->arena, in->path),
                             .version = str_of(in, o, "version"),
                             .time = str_of(in, o, "time"),
                             .mode = str_of(in, o, "mode"),
                             .plan = str_of(in, o, "plan"),
                             .jdk = str_of(in, o, "jdk"),
                             .main = str_of(in, o, "main"),
                             .pid = (long)json_integer_value(json_object_get(o, "pid"))};
    const char *digest = json_string_value(json_object_get(o, "plan_digest"));
    if (digest != NULL) {
        char *end;
        run.plan_digest = strtoull(digest, &end, 16);
        run.has_plan_digest = *digest != '\0' && *end == '\0';
        if (!run.has_plan_digest) return bad(in, "plan_digest is not a hexadecimal number");
    }
    start_run(in);
    in->run = in->r->runs.n;
    vec_push(&in->r->runs, run);
    return true;
}

static bool on_ran(struct input *in, const json_t *o) {
    const json_t *array = json_object_get(o, "sites");
    uint32_t *sites = ARENA_NEW_N(&in->r->arena, json_array_size(array), uint32_t);
    size_t i, n = 0;
    json_t *item;
    json_array_foreach(array, i, item) {
        json_int_t site = json_integer_value(item);
        if (site <= 0 || site > UINT32_MAX) return bad(in, "what ran is not the number of a site");
        sites[n++] = (uint32_t)site;
    }
    vec_push(&in->r->ran, ((struct report_run_sites){in->run, sites, n}));
    return true;
}

static bool on_evidence(struct input *in, const json_t *o) {
    static const char *const orders[RESULT_N_ORDERS] = RESULT_ORDER_NAMES;
    const json_t *ordered = json_object_get(o, "ordered");
    json_int_t pair = json_integer_value(json_object_get(o, "pair"));
    if (pair <= 0 || pair > UINT32_MAX) return bad(in, "evidence without the number of its pair");
    struct report_run_evidence e = {.run = in->run,
                                    .pair = {(uint32_t)pair},
                                    .counts = {.met = count_of(o, "met"),
                                               .raced = count_of(o, "raced"),
                                               .predicted = count_of(o, "predicted")}};
    for (int i = 0; i < RESULT_N_ORDERS; i++) {
        e.counts.ordered[i] = count_of(ordered, orders[i]);
        e.counts.by[i] = str_of(in, o, orders[i]);
    }
    vec_push(&in->r->evidence, e);
    return true;
}

/* Runs of the same classes name the same ones; each is listed once. */
static bool on_stale(struct input *in, const json_t *o) {
    const char *cls = str_of(in, o, "class");
    if (cls == NULL) return bad(in, "a stale class without its name");
    for (size_t i = 0; i < in->r->stale.n; i++)
        if (strcmp(in->r->stale.v[i], cls) == 0) return true;
    vec_push(&in->r->stale, cls);
    return true;
}

/* The proofs of this run did not hold to its end, which every reader has to know. */
static bool on_breach(struct input *in, const json_t *o) {
    const char *cls = str_of(in, o, "class"), *method = str_of(in, o, "method");
    const char *lock = str_of(in, o, "requires"), *caller = str_of(in, o, "caller");
    struct report_strings stack = strings_of(in, json_object_get(o, "stack"));
    if (cls == NULL || method == NULL || (lock == NULL) != (caller == NULL))
        return bad(in, "a breach without a class, a method, a lock or a caller");
    size_t at = 1; /* calls by reflection go through the JDK */
    while (at < stack.n && frame_of_jdk(stack.v[at])) at++;
    const char *from = at < stack.n ? stack.v[at] : caller, *what;
    if (lock != NULL)
        what = arena_printf(&in->r->arena,
                            "was called without the lock it requires (%s), by %s, which is not in the plan",
                            lock, from);
    else
        what = arena_printf(&in->r->arena, "ran, called by %s, though the analysis saw no call of it",
                            from != NULL ? from : "the JVM");
    const char *note =
        arena_printf(&in->r->arena, "%s: %s.%s %s; from then on this run checked all that it could", in->path,
                     cls, method, what);
    vec_push(&in->r->notes, text_clean(&in->r->arena, note));
    return true;
}

/* Many JVMs load much the same classes, so coverage is that of the largest, not the sum. */
static void raise_to(uint64_t *to, uint64_t n) {
    if (n > *to) *to = n;
}

static void add_skipped(struct report *r, const char *reason, uint64_t n) {
    struct report_count *c;
    VEC_FOREACH (c, &r->skipped) {
        if (strcmp(c->name, reason) != 0) continue;
        raise_to(&c->n, n);
        return;
    }
    vec_push(&r->skipped, ((struct report_count){arena_strdup(&r->arena, reason), n}));
}

/* Coverage lost within classes that were checked. */
static void note_lost(struct input *in, const json_t *o, const char *key, const char *what) {
    uint64_t n = count_of(o, key);
    if (n == 0) return;
    const char *note = arena_printf(&in->r->arena, "%s: %" PRIu64 " %s", in->path, n, what);
    vec_push(&in->r->notes, text_clean(&in->r->arena, note));
}

static bool on_summary(struct input *in, const json_t *o) {
    struct report_summary *s = &in->r->summary;
    const char *reason;
    json_t *n;
    json_object_foreach(json_object_get(o, "skipped"), reason, n) {
        if (json_integer_value(n) > 0) add_skipped(in->r, reason, (uint64_t)json_integer_value(n));
    }
    raise_to(&s->instrumented_sites, count_of(o, "instrumented_sites"));
    raise_to(&s->total_sites, count_of(o, "total_sites"));
    json_object_foreach(json_object_get(o, "degraded"), reason, n) {
        if (json_integer_value(n) > 0)
            note_lost(in, json_object_get(o, "degraded"), reason,
                      arena_printf(&in->r->arena, "times the checker had to give up precision (%s)", reason));
    }
    note_lost(in, o, "full_methods", "methods were too large to take checks");
    note_lost(in, o, "site_overflow", "access sites had no number left and were not checked");
    in->r->runs.v[in->run].complete = true;
    return true;
}

static const struct {
    const char *type;
    bool (*read)(struct input *in, const json_t *o);
} line_types[] = {
    {RESULT_RACE, on_race},       {RESULT_EVIDENCE, on_evidence}, {RESULT_RAN, on_ran},
    {RESULT_HEADER, on_header},   {RESULT_STALE, on_stale},       {RESULT_BREACH, on_breach},
    {RESULT_SUMMARY, on_summary},
};

static bool read_object(struct input *in, const json_t *o) {
    const char *type = json_string_value(json_object_get(o, "type"));
    if (type == NULL) return bad(in, "is not a line of a result file: it has no type");
    if (in->run == SIZE_MAX && strcmp(type, RESULT_HEADER) != 0)
        return bad(in, "comes before the header: is this a result file of the agent?");
    for (size_t i = 0; i < sizeof line_types / sizeof *line_types; i++)
        if (strcmp(type, line_types[i].type) == 0) return line_types[i].read(in, o);
    return true; /* a type of a newer agent */
}

/* A JVM that was killed in the middle of a line leaves it without its end. */
static bool cut_off(struct input *in) {
    vec_push(
        &in->r->notes,
        text_clean(&in->r->arena,
                   arena_printf(&in->r->arena, "%s: the last line is cut off and was ignored", in->path)));
    return true;
}

static bool read_line(struct input *in, const char *line, size_t n) {
    bool whole = n > 0 && line[n - 1] == '\n';
    json_error_t why;
    json_t *o = json_loadb(line, n, 0, &why);
    in->line++;
    if (o == NULL || !json_is_object(o)) {
        json_decref(o);
        if (whole && n == 1) return true;
        if (!whole && in->line > 1) return cut_off(in);
        return bad(in, "is not a JSON object: is this a result file of the agent?");
    }
    bool ok = read_object(in, o);
    json_decref(o);
    return ok;
}

static bool read_lines(struct input *in, FILE *f) {
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    bool ok = true;
    while (ok && (n = getline(&line, &cap, f)) > 0) ok = read_line(in, line, (size_t)n);
    free(line);
    if (ok && ferror(f)) ok = race_fail(in->err, "cannot be read: %s", strerror(errno));
    if (ok && in->run == SIZE_MAX) ok = race_fail(in->err, "is empty: the agent did not start");
    return ok;
}

/* A missing summary means that counts, evidence and coverage of that JVM are missing too. */
static void note_incomplete(struct report *r, size_t first_run) {
    for (size_t i = first_run; i < r->runs.n; i++) {
        struct report_run *run = &r->runs.v[i];
        if (run->complete) continue;
        vec_push(&r->notes,
                 arena_printf(&r->arena, "%s: JVM %ld did not end normally; its evidence is missing",
                              run->file, run->pid));
    }
}

bool report_read_results(struct report *r, const char *path, struct race_error *err) {
    struct input in = {.r = r, .path = path, .run = SIZE_MAX, .err = err};
    if (r->index == NULL) r->index = index_new();
    size_t first_run = r->runs.n;
    FILE *f = fopen(path, "re");
    bool ok = f != NULL;
    if (!ok && errno == ENOENT)
        race_fail(err, "no such result file: the agent did not run (see `race help run`)");
    else if (!ok)
        race_fail(err, "cannot be opened: %s", strerror(errno));
    if (ok) ok = read_lines(&in, f);
    if (f != NULL) fclose(f);
    index_free(in.seen);
    vec_release(&in.counts);
    if (ok) note_incomplete(r, first_run);
    if (!ok) race_error_set_file(err, path);
    return ok;
}
