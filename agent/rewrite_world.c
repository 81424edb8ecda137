#include "rewrite_world.h"

#include "race/opcodes.h"
#include "rewrite_calm.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14, CHAIN_LIMIT = 200 };
/* A method with more than that is not taken for calm. */
enum { CODE_MAX = 600, USES_MAX = 24 };

/* Guarded by `lock`; the entries themselves never change once they are in. */
static struct world_class *buckets[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t hash_more(uint32_t h, struct cf_str s) {
    for (uint32_t i = 0; i < s.n; i++) h = (h ^ (uint8_t)s.p[i]) * 16777619u;
    return h;
}

static uint32_t bucket_of(struct cf_str name) {
    uint32_t h = hash_more(2166136261u, name);
    return (h ^ h >> 15) & (BUCKETS - 1);
}

static uint32_t method_hash(struct cf_str name, struct cf_str desc) {
    return hash_more(hash_more(2166136261u, name), desc);
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

/* --- Summaries ----------------------------------------------------------------------------------------- */

/* What a method uses, as far as that has to be looked at. */
struct scan {
    bool may_be_calm;
    unsigned n;
    struct cf_member_ref refs[USES_MAX];
    uint8_t ops[USES_MAX];
};

static bool is_noted(const struct scan *s, const struct cf_member_ref *ref) {
    for (unsigned i = 0; i < s->n; i++)
        if (cf_str_eq(s->refs[i].name, ref->name) && cf_str_eq(s->refs[i].owner, ref->owner) &&
            cf_str_eq(s->refs[i].desc, ref->desc))
            return true;
    return false;
}

static void scan_method(const struct cf_class *cls, const struct cf_method *m, struct scan *s) {
    s->n = 0;
    s->may_be_calm = false;
    if (m->code == NULL || (m->access & CF_ACC_SYNCHRONIZED) || m->code->length > CODE_MAX) return;
    for (uint32_t bci = 0; bci < m->code->length;) {
        struct cf_insn in = cf_insn_decode(m->code, bci);
        enum calm calm = calm_alone(cls, &in);
        bci += in.length;
        if (calm == CALM_YES) continue;
        if (calm == CALM_NO) return;
        struct cf_member_ref ref = cf_member(cls, in.index);
        if (is_noted(s, &ref)) continue;
        if (s->n == USES_MAX) return;
        s->ops[s->n] = in.op;
        s->refs[s->n++] = ref;
    }
    s->may_be_calm = true;
}

/* Whether an instance method is synchronized or has a synchronized block, mostly one of its own object. */
static bool locks_itself(const struct cf_class *cls) {
    for (uint32_t i = 0; i < cls->n_methods; i++) {
        const struct cf_method *m = &cls->methods[i];
        if (m->access & CF_ACC_STATIC) continue;
        if (m->access & CF_ACC_SYNCHRONIZED) return true;
        for (uint32_t bci = 0; m->code != NULL && bci < m->code->length;) {
            struct cf_insn in = cf_insn_decode(m->code, bci);
            if (in.op == CF_OP_MONITORENTER) return true;
            bci += in.length;
        }
    }
    return false;
}

/* One block per class: the struct, the tables, then the names.  Counted first, then filled. */
struct block {
    size_t names;
    uint32_t n_methods, n_uses, n_others;
};

static void count_methods(const struct cf_class *cls, struct block *b) {
    struct scan s;
    for (uint32_t i = 0; i < cls->n_methods; i++) {
        const struct cf_method *m = &cls->methods[i];
        scan_method(cls, m, &s);
        b->n_others += !s.may_be_calm;
        if (!s.may_be_calm) continue;
        b->n_methods++;
        b->n_uses += s.n;
        b->names += cf_utf8(cls, m->name).n + cf_utf8(cls, m->desc).n + 2;
        for (unsigned k = 0; k < s.n; k++)
            b->names += s.refs[k].owner.n + s.refs[k].name.n + s.refs[k].desc.n + 3;
    }
}

static void fill_methods(const struct cf_class *cls, struct world_class *c, struct world_use *uses,
                         char **at) {
    struct scan s;
    for (uint32_t i = 0; i < cls->n_methods; i++) {
        const struct cf_method *m = &cls->methods[i];
        struct cf_str name = cf_utf8(cls, m->name), desc = cf_utf8(cls, m->desc);
        scan_method(cls, m, &s);
        if (!s.may_be_calm) {
            c->others[c->n_others++] = method_hash(name, desc);
            continue;
        }
        struct world_method *to = &c->methods[c->n_methods++];
        *to = (struct world_method){copy(at, name), copy(at, desc), m->access, (uint16_t)s.n, uses};
        for (unsigned k = 0; k < s.n; k++)
            *uses++ = (struct world_use){copy(at, s.refs[k].owner), copy(at, s.refs[k].name),
                                         copy(at, s.refs[k].desc), s.ops[k]};
    }
}

bool world_is_twin(const struct cf_class *cls, uint32_t field, bool *any_volatile) {
    struct cf_str name = cf_utf8(cls, cls->fields[field].name);
    unsigned n = 0;
    uint16_t access = 0;
    for (uint32_t i = 0; i < cls->n_fields; i++) {
        if (!cf_str_eq(cf_utf8(cls, cls->fields[i].name), name)) continue;
        access |= cls->fields[i].access;
        n++;
    }
    *any_volatile = (access & CF_ACC_VOLATILE) != 0;
    return n > 1;
}

static struct world_field field_of(const struct cf_class *cls, uint32_t i, char **at) {
    bool any_volatile, is_twin = world_is_twin(cls, i, &any_volatile);
    return (struct world_field){copy(at, cf_utf8(cls, cls->fields[i].name)), cls->fields[i].access, is_twin,
                                is_twin && any_volatile};
}

static struct world_class *summarise(const struct cf_class *cls, bool is_jdk, bool loaded) {
    struct cf_str name = cf_class_name(cls, cls->this_class);
    struct cf_str super =
        cls->super_class == 0 ? (struct cf_str){"", 0} : cf_class_name(cls, cls->super_class);
    struct block b = {.names = name.n + super.n + 2u};
    for (uint32_t i = 0; i < cls->n_fields; i++) b.names += cf_utf8(cls, cls->fields[i].name).n + 1;
    if (!is_jdk) count_methods(cls, &b);
    size_t size = sizeof(struct world_class) + cls->n_fields * sizeof(struct world_field) +
                  b.n_methods * sizeof(struct world_method) + b.n_uses * sizeof(struct world_use) +
                  b.n_others * sizeof(uint32_t) + b.names;
    struct world_class *c = malloc(size);
    if (c == NULL) return NULL;
    *c = (struct world_class){
        .is_jdk = is_jdk, .loaded = loaded, .access = cls->access, .n_fields = cls->n_fields};
    c->fields = (struct world_field *)(c + 1);
    c->methods = (struct world_method *)(c->fields + cls->n_fields);
    struct world_use *uses = (struct world_use *)(c->methods + b.n_methods);
    c->others = (uint32_t *)(uses + b.n_uses);
    char *at = (char *)(c->others + b.n_others);
    c->name = copy(&at, name);
    c->super = copy(&at, super);
    for (uint32_t i = 0; i < cls->n_fields; i++) c->fields[i] = field_of(cls, i, &at);
    if (!is_jdk) fill_methods(cls, c, uses, &at);
    c->locks_itself = locks_itself(cls);
    return c;
}

static void enter(struct world_class *c) {
    uint32_t b = bucket_of((struct cf_str){c->name, (uint32_t)strlen(c->name)});
    pthread_mutex_lock(&lock);
    c->next = buckets[b];
    buckets[b] = c;
    pthread_mutex_unlock(&lock);
}

static bool same_method(const struct world_method *a, const struct world_method *b) {
    if (a->access != b->access || a->n_uses != b->n_uses) return false;
    if (strcmp(a->name, b->name) != 0 || strcmp(a->desc, b->desc) != 0) return false;
    for (uint16_t i = 0; i < a->n_uses; i++) {
        const struct world_use *x = &a->uses[i], *y = &b->uses[i];
        if (x->op != y->op || strcmp(x->owner, y->owner) != 0 || strcmp(x->name, y->name) != 0 ||
            strcmp(x->desc, y->desc) != 0)
            return false;
    }
    return true;
}

static bool same_summary(const struct world_class *a, const struct world_class *b) {
    if (strcmp(a->super, b->super) != 0 || a->access != b->access || a->n_fields != b->n_fields ||
        a->n_methods != b->n_methods || a->n_others != b->n_others ||
        memcmp(a->others, b->others, a->n_others * sizeof *a->others) != 0)
        return false;
    for (uint32_t i = 0; i < a->n_fields; i++)
        if (a->fields[i].access != b->fields[i].access || strcmp(a->fields[i].name, b->fields[i].name) != 0)
            return false;
    for (uint32_t i = 0; i < a->n_methods; i++)
        if (!same_method(&a->methods[i], &b->methods[i])) return false;
    return true;
}

const struct world_class *world_note(const struct rewrite_policy *policy, const struct cf_class *cls) {
    const struct world_class *before = find(cf_class_name(cls, cls->this_class));
    struct world_class *c = summarise(cls, policy->is_jdk, true);
    if (c == NULL) return before;
    if (before != NULL) c->locks_itself = before->locks_itself;
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
            if (f->is_twin) return f->has_volatile_twin ? WORLD_FENCE : WORLD_TWIN;
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

static bool declares_another(const struct world_class *c, struct cf_str name, struct cf_str desc) {
    uint32_t h = method_hash(name, desc);
    for (uint32_t i = 0; i < c->n_others; i++)
        if (c->others[i] == h) return true;
    return false;
}

const struct world_method *world_method(const struct rewrite_policy *policy, struct cf_str owner,
                                        struct cf_str name, struct cf_str desc, bool *exact) {
    bool is_final = false;
    for (int depth = 0; depth < CHAIN_LIMIT; depth++) {
        if (policy->jdk_class(policy->ctx, owner)) return NULL;
        const struct world_class *c = world_class(policy, owner);
        if (c == NULL || c->is_jdk || declares_another(c, name, desc)) return NULL;
        if (depth == 0) is_final = c->access & CF_ACC_FINAL;
        for (uint32_t i = 0; i < c->n_methods; i++) {
            const struct world_method *m = &c->methods[i];
            if (!cf_str_is(name, m->name) || !cf_str_is(desc, m->desc)) continue;
            *exact = is_final || (m->access & (CF_ACC_FINAL | CF_ACC_PRIVATE));
            return m;
        }
        owner = (struct cf_str){c->super, (uint32_t)strlen(c->super)};
    }
    return NULL;
}
