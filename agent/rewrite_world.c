#include "rewrite_world.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14, CHAIN_LIMIT = 200 };

/* Guarded by `lock`; the entries themselves never change once they are in. */
static struct world_class *buckets[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t bucket_of(struct cf_str name) {
    uint32_t h = 2166136261u;
    for (uint32_t i = 0; i < name.n; i++) h = (h ^ (uint8_t)name.p[i]) * 16777619u;
    return (h ^ h >> 15) & (BUCKETS - 1);
}

static struct world_class *find(struct cf_str name) {
    pthread_mutex_lock(&lock);
    struct world_class *c = buckets[bucket_of(name)];
    while (c != NULL && !cf_str_is(name, c->name)) c = c->next;
    pthread_mutex_unlock(&lock);
    return c;
}

static char *copy(char **at, struct cf_str s) {
    char *p = *at;
    memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    *at += s.n + 1;
    return p;
}

/* One block per class: the struct, the fields, then the names. */
static struct world_class *summarise(const struct cf_class *cls, bool is_jdk, bool loaded) {
    struct cf_str name = cf_class_name(cls, cls->this_class);
    struct cf_str super =
        cls->super_class == 0 ? (struct cf_str){"", 0} : cf_class_name(cls, cls->super_class);
    size_t size =
        sizeof(struct world_class) + cls->n_fields * sizeof(struct world_field) + name.n + super.n + 2;
    for (uint32_t i = 0; i < cls->n_fields; i++) size += cf_utf8(cls, cls->fields[i].name).n + 1;
    struct world_class *c = malloc(size);
    if (c == NULL) return NULL;
    *c = (struct world_class){.is_jdk = is_jdk, .loaded = loaded, .n_fields = cls->n_fields};
    c->fields = (struct world_field *)(c + 1);
    char *at = (char *)(c->fields + cls->n_fields);
    c->name = copy(&at, name);
    c->super = copy(&at, super);
    for (uint32_t i = 0; i < cls->n_fields; i++)
        c->fields[i] =
            (struct world_field){copy(&at, cf_utf8(cls, cls->fields[i].name)), cls->fields[i].access};
    return c;
}

static void enter(struct world_class *c) {
    uint32_t b = bucket_of((struct cf_str){c->name, (uint32_t)strlen(c->name)});
    pthread_mutex_lock(&lock);
    c->next = buckets[b];
    buckets[b] = c;
    pthread_mutex_unlock(&lock);
}

static bool same_summary(const struct world_class *a, const struct world_class *b) {
    if (strcmp(a->super, b->super) != 0 || a->n_fields != b->n_fields) return false;
    for (uint32_t i = 0; i < a->n_fields; i++)
        if (a->fields[i].access != b->fields[i].access || strcmp(a->fields[i].name, b->fields[i].name) != 0)
            return false;
    return true;
}

const struct world_class *world_note(const struct rewrite_policy *policy, const struct cf_class *cls) {
    const struct world_class *before = find(cf_class_name(cls, cls->this_class));
    struct world_class *c = summarise(cls, policy->is_jdk, true);
    if (c == NULL) return before;
    if (before != NULL && same_summary(before, c))
        free(c);
    else
        enter(c);
    return before;
}

static struct world_class *look_up(const struct rewrite_policy *policy, struct cf_str name) {
    bool is_jdk = policy->jdk_class(policy->ctx, name);
    size_t size = 0;
    uint8_t *bytes = NULL;
    if (is_jdk)
        bytes = policy->jdk_bytes(policy->ctx, name, &size);
    else if (policy->class_bytes != NULL)
        bytes = policy->class_bytes(policy->ctx, name, &size);
    if (bytes == NULL) return NULL;
    struct cf_class cls;
    struct race_error err = {0};
    struct world_class *c = NULL;
    if (cf_parse(&cls, bytes, size, &err)) {
        if (cf_str_eq(cf_class_name(&cls, cls.this_class), name)) c = summarise(&cls, is_jdk, false);
        cf_class_release(&cls);
    }
    free(bytes);
    if (c != NULL) enter(c);
    return c;
}

const struct world_class *world_class(const struct rewrite_policy *policy, struct cf_str name) {
    struct world_class *c = find(name);
    return c != NULL ? c : look_up(policy, name);
}

static const struct world_field *own_field(const struct world_class *c, struct cf_str name) {
    for (uint32_t i = 0; i < c->n_fields; i++)
        if (cf_str_is(name, c->fields[i].name)) return &c->fields[i];
    return NULL;
}

enum world_field_kind world_field(const struct rewrite_policy *policy, struct cf_str owner,
                                  struct cf_str name) {
    bool below_jdk = false; /* a class of the program stands below: inherited fields have their words there */
    for (int depth = 0; depth < CHAIN_LIMIT; depth++) {
        const struct world_class *c = world_class(policy, owner);
        if (c == NULL) return WORLD_UNKNOWN;
        const struct world_field *f = own_field(c, name);
        if (f != NULL) {
            if (f->access & CF_ACC_FINAL) return WORLD_FINAL;
            if (f->access & CF_ACC_VOLATILE) return WORLD_VOLATILE;
            if (!c->is_jdk) return WORLD_PLAIN;
            if (world_acts_volatile(owner, name)) return WORLD_VOLATILE;
            return below_jdk && !(f->access & CF_ACC_STATIC) ? WORLD_PLAIN : WORLD_FINAL;
        }
        below_jdk |= !c->is_jdk;
        if (c->super[0] == '\0') return WORLD_FINAL; /* a constant of an interface */
        owner = (struct cf_str){c->super, (uint32_t)strlen(c->super)};
    }
    return WORLD_UNKNOWN;
}
