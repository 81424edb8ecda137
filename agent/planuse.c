#include "planuse.h"

#include "json.h"
#include "race/checker.h"
#include "race/plan.h"
#include "race/result.h"
#include "report.h" /* report_class_name */
#include "sites.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Written by planuse_open() before any class is loaded; the plan is read-only after. */
static struct plan plan;
static struct plan_index pairs;
static bool active;
static enum agent_mode mode;

/*
 * Run-time numbers of the plan's sites, the first that each got, and back: a number may stand for several,
 * one of which is checked for all (rewrite_cover.c).  Written under `mutex`, since classes load on many
 * threads, and read by any thread: each is written before the site's code runs.
 */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t *site_number; /* by plan site id */
static _Atomic uint32_t
    plan_number[CK_SITE_MAX + 1]; /* by run-time number: the last plan site id of it ... */
static uint32_t *alike;           /* ... and by plan site id the one before; 0 ends them */

/* By class of the plan: another one of its name was loaded.  Set by any thread, never cleared. */
static _Atomic bool *strange;

static uint32_t number_of(plan_site_id site) {
    return atomic_load_explicit(&site_number[site.v], memory_order_acquire);
}

/*
 * A checked field must have its words, or the class would no longer link: a plan whose sites and race-unsafe
 * fields disagree is refused as a whole.  (Fields of classes that the plan does not list always have words.)
 */
static bool check_sites(const char *path, struct race_error *err) {
    for (uint32_t i = 0; i < plan.n_sites; i++) {
        const struct plan_site *s = &plan.sites[i];
        if (s->kind != PLAN_INSTANCE && s->kind != PLAN_STATIC) continue;
        const struct plan_class *c = plan_find_class(&plan, s->owner, strlen(s->owner));
        if (c == NULL || plan_field_unsafe(&plan, c, s->name, strlen(s->name))) continue;
        race_error_set_file(err, path);
        return race_fail(err, "site of %s.%s, which is not listed as race-unsafe; make the plan again",
                         s->owner, s->name);
    }
    return true;
}

bool planuse_open(const struct agent_options *options, struct race_error *err) {
    mode = (enum agent_mode)options->mode;
    if (options->plan == NULL) return true;
    if (!plan_load(&plan, options->plan, err)) return false;
    if (!check_sites(options->plan, err)) return false;
    site_number = calloc(plan.n_sites + 1, sizeof *site_number);
    alike = calloc(plan.n_sites + 1, sizeof *alike);
    strange = calloc(plan.n_classes + 1, sizeof *strange);
    if (!site_number || !alike || !strange || !plan_index_init(&pairs, &plan))
        return race_fail(err, "out of memory");
    active = true;
    return true;
}

bool planuse_active(void) {
    return active;
}

uint64_t planuse_digest(void) {
    return plan.digest;
}

int planuse_jdk(void) {
    return active ? (int)plan_meta_number(&plan, PLAN_META_JDK, 0) : 0;
}

const struct plan_class *planuse_class(const char *name, const uint8_t *bytes, size_t size, bool *stale) {
    *stale = false;
    if (!active || mode == MODE_DISCOVER) return NULL;
    const struct plan_class *c = plan_find_class(&plan, name, strlen(name));
    if (c == NULL) return NULL;
    *stale = plan_digest(bytes, size) != c->digest;
    return *stale ? NULL : c;
}

void planuse_stranger(const char *name) {
    const struct plan_class *c = plan_find_class(&plan, name, strlen(name));
    if (c != NULL) atomic_store_explicit(&strange[c - plan.classes], true, memory_order_relaxed);
}

bool planuse_knows(const char *name) {
    const struct plan_class *c = plan_find_class(&plan, name, strlen(name));
    return c != NULL && !atomic_load_explicit(&strange[c - plan.classes], memory_order_relaxed);
}

/* Lent fields too: they have to be checked when a call is not one of those that the analysis saw. */
bool planuse_wants_words(const struct plan_class *c, struct cf_str name) {
    return mode == MODE_METHOD || plan_field_unsafe(&plan, c, name.p, name.n) ||
           plan_field_lent(&plan, c, name.p, name.n);
}

static const struct plan_method *method_of(const struct plan_class *c, struct cf_str method,
                                           struct cf_str desc) {
    return plan_find_method(&plan, c, method.p, method.n, desc.p, desc.n);
}

bool planuse_requires_locks(void) {
    return plan.n_requires > 0;
}

const char *planuse_required(const struct plan_class *c, struct cf_str method, struct cf_str desc, uint32_t i,
                             uint32_t *number) {
    const struct plan_method *m = method_of(c, method, desc);
    if (m == NULL || i >= m->requires.n) return NULL;
    *number = m->requires.first + i + 1;
    return plan.requires[m->requires.first + i];
}

uint32_t planuse_unreached(const struct plan_class *c, struct cf_str method, struct cf_str desc) {
    const struct plan_method *m = method_of(c, method, desc);
    return m != NULL && m->unreached ? (uint32_t)(m - plan.methods) + 1 : 0;
}

void planuse_method(uint32_t number, const char **class_name, const char **method) {
    const struct plan_method *m = &plan.methods[number - 1];
    *class_name = plan.classes[m->cls].name;
    *method = m->name;
}

void planuse_requirement(uint32_t index, const char **class_name, const char **method, const char **lock) {
    const struct plan_method *m = plan_requiring(&plan, index);
    *class_name = m != NULL ? plan.classes[m->cls].name : "";
    *method = m != NULL ? m->name : "";
    *lock = m != NULL ? plan.requires[index] : "";
}

bool planuse_wants_site(const struct plan_class *c, struct cf_str method, struct cf_str desc, uint32_t bci) {
    const struct plan_method *m = method_of(c, method, desc);
    if (m != NULL && m->unreached) return true;
    if (mode == MODE_METHOD) return m == NULL || !m->typed;
    return m != NULL && plan_find_site(&plan, m, bci) != NULL;
}

void planuse_site_added(struct checker *ck, const struct plan_class *c, struct cf_str method,
                        struct cf_str desc, uint32_t bci, uint32_t site) {
    const struct plan_method *m = method_of(c, method, desc);
    const struct plan_site *s = m == NULL ? NULL : plan_find_site(&plan, m, bci);
    if (s == NULL) return;
    uint32_t id = plan_site_id_of(&plan, s).v;
    pthread_mutex_lock(&mutex);
    if (site_number[id] == 0) {
        alike[id] = plan_number[site & CK_SITE_MAX];
        atomic_store_explicit(&plan_number[site & CK_SITE_MAX], id, memory_order_release);
        atomic_store_explicit(&site_number[id], site, memory_order_release);
    }
    /* Otherwise a second loader's copy of the class, or the class after a breach: no access of its own. */
    ck_site_watch(ck, site, site_number[id]);
    pthread_mutex_unlock(&mutex);
}

bool planuse_is_pair(uint32_t site_a, uint32_t site_b) {
    uint32_t first = atomic_load_explicit(&plan_number[site_a & CK_SITE_MAX], memory_order_acquire);
    uint32_t second = atomic_load_explicit(&plan_number[site_b & CK_SITE_MAX], memory_order_acquire);
    for (uint32_t a = first; a != 0; a = alike[a])
        for (uint32_t b = second; b != 0; b = alike[b])
            if (plan_index_has(&pairs, (plan_site_id){a}, (plan_site_id){b})) return true;
    return false;
}

static bool is_juc(const char *name) {
    return strncmp(name, "java/util/concurrent/", 21) == 0;
}

/* What was released there: "pkg.C.f", a volatile; the class of java.util.concurrent, or the JDK's on whose
 * variable an operation was called. */
static void name_release(const struct site *s, char *buf, size_t size) {
    static const char *const operations[] = {"java/lang/invoke/", "jdk/internal/misc/", "sun/misc/"};
    bool is_field = s->owner[0] != '\0' && !is_juc(s->class_name);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        is_field &= strncmp(s->owner, operations[i], strlen(operations[i])) != 0;
    if (is_field) {
        report_field_name(s->owner, s->field, buf, size);
    } else {
        report_class_name(s->class_name, buf, size);
        buf[strcspn(buf, "$")] = '\0';
    }
}

/* Names of what ordered by that kind of edge, each once; null if none is known. */
static void put_vias(const struct ck_pair *e, const char *key, enum ck_edge kind, struct json *j) {
    char names[CK_VIAS][200], text[CK_VIAS * 210] = "";
    size_t n = 0;
    for (int i = 0; i < CK_VIAS && e->via[kind][i] != 0; i++) {
        bool known = false;
        name_release(sites_get(e->via[kind][i]), names[n], sizeof names[n]);
        for (size_t k = 0; k < n; k++) known |= strcmp(names[k], names[n]) == 0;
        n += !known;
    }
    for (size_t i = 0; i < n; i++) {
        strcat(text, i > 0 ? ", " : "");
        strcat(text, names[i]);
    }
    if (e->via[kind][CK_VIAS - 1] != 0) strcat(text, ", ...");
    json_pair_string(j, key, n > 0 ? text : NULL);
}

static void put_evidence(const struct ck_pair *e, plan_pair_id pair, const char *lock, struct json *j) {
    json_raw(j, "{");
    json_pair_string(j, "type", RESULT_EVIDENCE);
    json_pair_int(j, "pair", pair.v);
    json_pair_int(j, "met", (int64_t)e->met);
    json_pair_int(j, "raced", (int64_t)e->raced);
    json_key(j, "ordered");
    json_raw(j, "{");
    json_pair_int(j, "lock", (int64_t)e->ordered[CK_BY_LOCK]);
    json_pair_int(j, "volatile", (int64_t)e->ordered[CK_BY_VOLATILE]);
    json_pair_int(j, "start_join", (int64_t)(e->ordered[CK_BY_START] + e->ordered[CK_BY_JOIN]));
    json_pair_int(j, "handoff", (int64_t)(e->ordered[CK_BY_HANDOFF] + e->ordered[CK_BY_OTHER]));
    json_raw(j, "}");
    json_pair_string(j, "lock", lock);
    put_vias(e, "volatile", CK_BY_VOLATILE, j);
    put_vias(e, "handoff", CK_BY_HANDOFF, j);
    json_pair_int(j, "predicted", (int64_t)e->predicted);
    json_raw(j, "}");
}

/* The sites that ran: for the pairs that did not meet this says it all. */
static void put_ran(struct checker *ck, struct json *j) {
    json_raw(j, "{");
    json_pair_string(j, "type", RESULT_RAN);
    json_key(j, "sites");
    json_raw(j, "[");
    for (uint32_t id = 1; id <= plan.n_sites; id++) {
        if (!ck_site_has_ran(ck, number_of((plan_site_id){id}))) continue;
        json_item(j);
        json_int(j, id);
    }
    json_raw(j, "]");
    json_raw(j, "}");
}

static void line_evidence(struct checker *ck, const struct plan_pairs *line,
                          const char *(*lock_name)(uint64_t key), void (*emit)(struct json *line)) {
    uint32_t first = number_of(plan_side_site(&plan, line->side));
    if (!ck_site_has_ran(ck, first)) return;
    for (uint32_t i = 0; i < line->n; i++) {
        uint32_t second = number_of(plan_side_site(&plan, (plan_side_id){line->others.v + i}));
        if (!ck_site_has_ran(ck, second)) continue;
        struct ck_pair e = ck_pair_get(ck, first, second);
        if (e.met == 0) continue;
        struct json j = {0};
        put_evidence(&e, (plan_pair_id){line->first.v + i}, e.lock != 0 ? lock_name(e.lock) : NULL, &j);
        emit(&j);
        json_release(&j);
    }
}

void planuse_evidence(struct checker *ck, const char *(*lock_name)(uint64_t key),
                      void (*emit)(struct json *line)) {
    if (!active) return;
    struct json ran = {0};
    put_ran(ck, &ran);
    emit(&ran);
    json_release(&ran);
    for (uint32_t i = 0; i < plan.n_pair_lines; i++) line_evidence(ck, &plan.pairs[i], lock_name, emit);
}
