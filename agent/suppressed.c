#include "suppressed.h"

#include "apppath.h"
#include "race/suppress.h"
#include "report.h"
#include "sites.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Filled before any class is loaded; the use counts change under `lock`. */
static struct suppressions list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint64_t count;

bool suppressed_open(const char *path, struct race_error *err) {
    suppressions_init(&list);
    return path == NULL || suppressions_load(&list, path, err);
}

/* The first entry that matches the class or a frame of one access. */
static struct suppression *match_access(const struct found_access *a) {
    char text[700];
    report_class_name(sites_get(a->site)->class_name, text, sizeof text);
    struct suppression *s = suppressions_match(&list, text);
    if (s != NULL) return s;
    report_site_frame(a->site, text, sizeof text);
    s = suppressions_match_frame(&list, text);
    for (size_t i = 0; i < a->n_stack && s == NULL; i++) {
        stacks_format(a->stack[i], text, sizeof text);
        s = suppressions_match_frame(&list, text);
    }
    return s;
}

static uint8_t *read_class(void *ctx, const char *name, size_t *size) {
    (void)ctx;
    return apppath_read((struct cf_str){name, (uint32_t)strlen(name)}, size);
}

/* By an annotation of the field or of the code. */
static struct suppression *match_annotated(const struct found_access *a) {
    static const struct suppress_classes classes = {.read = read_class};
    const struct site *site = sites_get(a->site);
    const char *owner = atomic_load(&site->declared_in);
    if (owner == NULL) owner = site->owner;
    bool is_field = site->kind == SITE_INSTANCE || site->kind == SITE_STATIC;
    struct suppression *s = NULL;
    if (is_field && owner != NULL)
        s = suppressions_match_annotated(&list, owner, site->field, NULL, &classes);
    if (s == NULL && site->class_name != NULL)
        s = suppressions_match_annotated(&list, site->class_name, site->method, site->desc, &classes);
    return s;
}

bool suppressed_race(const struct race_found *race) {
    if (list.n == 0) return false;
    struct suppression *s = suppressions_match(&list, race->field);
    if (s == NULL) s = match_access(&race->earlier);
    if (s == NULL) s = match_access(&race->now);
    if (s == NULL && suppressions_by_annotation(&list)) {
        s = match_annotated(&race->earlier);
        if (s == NULL) s = match_annotated(&race->now);
    }
    if (s == NULL) return false;
    pthread_mutex_lock(&lock);
    s->used++;
    pthread_mutex_unlock(&lock);
    count++;
    return true;
}

uint64_t suppressed_count(void) {
    return count;
}

uint64_t suppressed_unused(bool say) {
    uint64_t unused = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < list.n; i++) {
        if (list.v[i].used != 0) continue;
        unused++;
        if (say) fprintf(stderr, "race: %s: race:%s matched nothing\n", list.v[i].where, list.v[i].pattern);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}
