/* The plan: every analysed class with its digest, unsafe fields and sites, then the pairs. */
#include "details.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* What the plan says of a site, and its number there once it is written. */
struct site_state {
    bool racy;
    class_id type; /* array or container class seen in a pair */
    plan_site_id id;
};

struct output {
    struct types *t;
    struct races *r;
    const struct classpath *cp;
    struct plan_writer *w;
    struct site_state *sites;    /* by site */
    bits unsafe_fields;          /* by field_id */
    bits lent_fields;            /* by field_id: proved only if all calls are those that the analysis saw */
    const races_site *by_method; /* sites ordered by method, then bci */
};

/* ---- marks ---- */

static void mark(struct output *o) {
    struct races *r = o->r;
    o->sites = ARENA_NEW_N(&r->arena, r->accesses.n + 1, struct site_state);
    bits_init(&o->unsafe_fields, &r->arena, program_n_fields(r->p) + 1);
    bits_init(&o->lent_fields, &r->arena, program_n_fields(r->p) + 1);
    for (size_t i = 0; i < r->pairs.n; i++) {
        const struct races_pair *pair = &r->pairs.v[i];
        for (int k = 0; k < 2; k++) {
            struct site_state *s = &o->sites[pair->site[k].v];
            if (!s->racy) s->type = pair->type;
            s->racy = true;
            const struct races_access *a = races_access(r, pair->site[k]);
            if (a->field.v != 0) bits_add(&o->unsafe_fields, a->field.v);
        }
    }
}

static bool reached(const struct output *o, method_id m) {
    uint32_t n;
    (void)pts_insts_of(o->r->pts, m, &n);
    return n > 0;
}

static void lend(struct output *o, uint32_t field) {
    if (field != 0 && field <= program_n_fields(o->r->p) && !bits_has(&o->unsafe_fields, field))
        bits_add(&o->lent_fields, field);
}

/* All fields of a class of which nothing was reached: nothing is known of its objects, if there are any. */
static void lend_unreached_class(struct output *o, const struct class_info *info) {
    for (uint32_t i = 0; i < info->n_methods; i++) {
        if (reached(o, (method_id){info->first_method.v + i})) return;
    }
    for (uint32_t i = 0; i < info->n_fields; i++) lend(o, info->first_field.v + i);
}

/* What methods access that are not reached, and may run nevertheless. */
static void lend_unreached(struct output *o) {
    struct races *r = o->r;
    for (size_t i = 0; i < r->n_classes; i++) lend_unreached_class(o, program_info(r->p, r->classes[i]));
    for (uint32_t i = 1; i <= r->accesses.n; i++) {
        const struct races_access *a = races_access(r, (races_site){i});
        if (!reached(o, a->method)) lend(o, a->field.v);
    }
}

static void mark_lent(struct output *o) {
    lend_unreached(o);
    for (size_t i = 0; i < o->t->slots.n; i++) {
        const struct slot *s = &o->t->slots.v[i];
        if (s->lent) lend(o, s->field.v);
    }
}

/* ---- classes ---- */

static bool class_digest(struct output *o, const char *name, uint64_t *digest, struct race_error *err) {
    const struct classpath_class *cls = classpath_find(o->cp, name);
    struct classpath_bytes bytes;
    if (cls == NULL) return race_fail(err, "class %s is gone", name);
    if (!classpath_read(o->cp, cls, &bytes, err)) return false;
    *digest = plan_digest(bytes.data, bytes.size);
    classpath_bytes_release(&bytes);
    return true;
}

static void write_site(struct output *o, races_site site) {
    struct races *r = o->r;
    const struct races_access *a = races_access(r, site);
    struct site_state *s = &o->sites[site.v];
    const char *name = a->kind == PLAN_ARRAY ? "" : program_str(r->p, a->name);
    s->id =
        plan_write_site(o->w, a->bci, a->line, a->is_write, a->kind, program_class_name(r->p, s->type), name);
}

/* Accesses were collected class by class, method by method and in the order of statements, but the plan wants
 * bytecode order, which blocks need not follow. */
static int by_bci(const void *p, const void *q, void *arg) {
    const struct races *r = arg;
    const struct races_access *a = races_access(r, *(const races_site *)p);
    const struct races_access *b = races_access(r, *(const races_site *)q);
    if (a->method.v != b->method.v) return a->method.v < b->method.v ? -1 : 1;
    if (a->bci != b->bci) return a->bci < b->bci ? -1 : 1;
    return a->is_write - b->is_write;
}

static size_t first_site_of(struct output *o, method_id m) {
    size_t lo = 0, hi = o->r->accesses.n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (races_access(o->r, o->by_method[mid])->method.v < m.v) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/*
 * The locks that the proofs of a method take for granted, in some context at least: there all analysed calls
 * hold them, or hand over an object that needs none.
 */
static void write_requires(struct output *o, method_id m) {
    const struct method_requires *q = &o->t->requires[m.v];
    uint32_t n, held = 0;
    const pts_inst *insts = pts_insts_of(o->r->pts, m, &n);
    for (uint32_t i = 0; i < n; i++) held |= o->t->held[insts[i].v];
    for (unsigned i = 0; i < q->n; i++) {
        if ((held >> i & 1) != 0) plan_write_requires(o->w, lock_expr(o->t, m, &q->v[i].lock));
    }
}

static void write_method(struct output *o, method_id m) {
    struct races *r = o->r;
    const struct method_info *info = program_method(r->p, m);
    size_t first = first_site_of(o, m), end = first;
    bool typed = true;
    for (; end < r->accesses.n && method_id_eq(races_access(r, o->by_method[end])->method, m); end++)
        typed &= !o->sites[o->by_method[end].v].racy;
    enum plan_proof proof = !reached(o, m) ? PLAN_UNREACHED : typed ? PLAN_TYPED : PLAN_UNTYPED;
    plan_write_method(o->w, program_str(r->p, info->name), program_str(r->p, info->desc), proof);
    write_requires(o, m);
    for (size_t i = first; i < end; i++) {
        if (o->sites[o->by_method[i].v].racy) write_site(o, o->by_method[i]);
    }
}

static bool write_class(struct output *o, class_id c, struct race_error *err) {
    struct races *r = o->r;
    const struct class_info *info = program_info(r->p, c);
    uint64_t digest = 0;
    const char *name = program_class_name(r->p, c);
    if (!class_digest(o, name, &digest, err)) return false;
    bool is_unsafe = false;
    for (uint32_t i = 0; i < info->n_fields; i++)
        is_unsafe |= bits_has(&o->unsafe_fields, info->first_field.v + i);
    plan_write_class(o->w, name, digest,
                     info->source_file.v != 0 ? program_str(r->p, info->source_file) : NULL, is_unsafe);
    for (uint32_t i = 0; i < info->n_fields; i++) {
        const struct field_info *f = program_field(r->p, (field_id){info->first_field.v + i});
        const char *field = program_str(r->p, f->name), *desc = program_str(r->p, f->desc);
        if (bits_has(&o->unsafe_fields, info->first_field.v + i)) plan_write_field(o->w, field, desc);
        if (bits_has(&o->lent_fields, info->first_field.v + i)) plan_write_lent(o->w, field, desc);
    }
    for (uint32_t i = 0; i < info->n_methods; i++) {
        method_id m = {info->first_method.v + i};
        if (program_method(r->p, m)->has_code) write_method(o, m);
    }
    return true;
}

/* ---- counts ---- */

static void write_counts(struct output *o) {
    struct races *r = o->r;
    uint64_t fields = 0, methods = 0, untyped = 0, unreached = 0, unreached_sites = 0;
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        fields += info->n_fields;
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            if (!program_method(r->p, m)->has_code) continue;
            methods++;
            unreached += !reached(o, m);
        }
    }
    method_id last = {0};
    for (size_t i = 0; i < r->accesses.n; i++) {
        const struct races_access *a = races_access(r, o->by_method[i]);
        unreached_sites += !reached(o, a->method);
        if (!o->sites[o->by_method[i].v].racy || method_id_eq(a->method, last)) continue;
        last = a->method;
        untyped++;
    }
    plan_write_meta_number(o->w, PLAN_META_TOTAL_SITES, r->accesses.n);
    plan_write_meta_number(o->w, PLAN_META_TOTAL_FIELDS, fields);
    plan_write_meta_number(o->w, PLAN_META_TOTAL_METHODS, methods);
    plan_write_meta_number(o->w, PLAN_META_UNTYPED_METHODS, untyped);
    plan_write_meta_number(o->w, PLAN_META_UNREACHED_METHODS, unreached);
    plan_write_meta_number(o->w, PLAN_META_UNREACHED_SITES, unreached_sites);
    for (unsigned s = 0; s < RACES_N_STAGES; s++) plan_write_funnel(o->w, races_stage_names[s], r->funnel[s]);
}

static void write_pairs(struct output *o) {
    struct details d;
    details_init(&d, o->r, o->w);
    for (size_t i = 0; i < o->r->pairs.n; i++) {
        const struct races_pair *pair = &o->r->pairs.v[i];
        plan_side_id side[2];
        for (int k = 0; k < 2; k++) side[k] = details_side(&d, pair, k, o->sites[pair->site[k].v].id);
        plan_write_pair(o->w, side[0], side[1], details_why(&d, pair, side));
    }
    details_release(&d);
}

bool types_write_plan(struct types *t, const struct classpath *cp, struct plan_writer *w,
                      struct race_error *err) {
    struct races *r = t->r;
    struct output o = {.t = t, .r = r, .cp = cp, .w = w};
    mark(&o);
    mark_lent(&o);
    races_site *order = ARENA_NEW_N(&r->arena, r->accesses.n + 1, races_site);
    for (size_t i = 0; i < r->accesses.n; i++) order[i] = (races_site){(uint32_t)i + 1};
    qsort_r(order, r->accesses.n, sizeof *order, by_bci, r);
    o.by_method = order;
    write_counts(&o);
    for (size_t i = 0; i < r->n_classes; i++) {
        if (!write_class(&o, r->classes[i], err)) return false;
    }
    write_pairs(&o);
    promises_write(r, w);
    trusts_write(r, w);
    return true;
}
