/*
 * Asking a loaded plan.  Nothing here changes it; see read.c for how the tables are filled.
 */
#include "race/plan.h"

#include "columns.h"

#include <stdio.h>
#include <string.h>

const char *const plan_kind_names[PLAN_N_KINDS] = {"instance", "static", "array", "container"};
const char *const plan_proof_names[PLAN_N_PROOFS] = {"untyped", "typed", "unreached"};

uint64_t plan_digest(const void *data, size_t size) {
    const uint64_t prime = 0x100000001b3, basis = 0xcbf29ce484222325;
    const unsigned char *p = data;
    uint64_t h = basis;
    for (size_t left = size; left > 0;) {
        size_t n = left < 8 ? left : 8;
        uint64_t word = 0;
        /* Byte by byte, so that the digest is the same on a big-endian machine; compilers make it one load.
         */
        if (n == 8) {
            for (int i = 0; i < 8; i++) word |= (uint64_t)p[i] << (8 * i);
        } else {
            for (size_t i = 0; i < n; i++) word |= (uint64_t)p[i] << (8 * i);
        }
        h = (h ^ word) * prime;
        h ^= h >> 32;
        p += n;
        left -= n;
    }
    h = (h ^ size) * prime;
    return h ^ h >> 32;
}

static bool text_is(const char *z, const char *s, size_t n) {
    return strncmp(z, s, n) == 0 && z[n] == '\0';
}

const struct plan_class *plan_find_class(const struct plan *p, const char *name, size_t name_len) {
    if (p->lookup == NULL) return NULL;
    uint32_t at = (uint32_t)plan_digest(name, name_len) & p->lookup_mask;
    for (; p->lookup[at] != 0; at = (at + 1) & p->lookup_mask) {
        const struct plan_class *c = &p->classes[p->lookup[at] - 1];
        if (text_is(c->name, name, name_len)) return c;
    }
    return NULL;
}

/* A class has few methods and the agent asks once for each, so a walk is good enough. */
const struct plan_method *plan_find_method(const struct plan *p, const struct plan_class *c, const char *name,
                                           size_t name_len, const char *desc, size_t desc_len) {
    const struct plan_method *m = p->methods + c->methods.first;
    for (uint32_t i = 0; i < c->methods.n; i++, m++)
        if (text_is(m->name, name, name_len) && text_is(m->desc, desc, desc_len)) return m;
    return NULL;
}

const struct plan_site *plan_find_site(const struct plan *p, const struct plan_method *m, uint32_t bci) {
    const struct plan_site *sites = p->sites + m->sites.first;
    uint32_t lo = 0, hi = m->sites.n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if ((uint32_t)sites[mid].bci < bci)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < m->sites.n && (uint32_t)sites[lo].bci == bci ? &sites[lo] : NULL;
}

static bool has_field(const struct plan_field *fields, struct plan_range range, const char *name,
                      size_t name_len) {
    for (uint32_t i = 0; i < range.n; i++)
        if (text_is(fields[range.first + i].name, name, name_len)) return true;
    return false;
}

bool plan_field_unsafe(const struct plan *p, const struct plan_class *c, const char *name, size_t name_len) {
    return has_field(p->fields, c->fields, name, name_len);
}

bool plan_field_lent(const struct plan *p, const struct plan_class *c, const char *name, size_t name_len) {
    return has_field(p->lents, c->lents, name, name_len);
}

const struct plan_method *plan_requiring(const struct plan *p, uint32_t index) {
    for (uint32_t i = 0; i < p->n_methods; i++) {
        const struct plan_range *r = &p->methods[i].requires;
        if (index >= r->first && index - r->first < r->n) return &p->methods[i];
    }
    return NULL;
}

const char *plan_meta(const struct plan *p, const char *key) {
    for (uint32_t i = 0; i < p->n_meta; i++)
        if (strcmp(p->meta[i].key, key) == 0) return p->meta[i].value;
    return NULL;
}

uint64_t plan_meta_number(const struct plan *p, const char *key, uint64_t otherwise) {
    const char *value = plan_meta(p, key);
    uint64_t n;
    return value != NULL && column_u64(value, 10, &n) ? n : otherwise;
}

bool plan_side_path(const struct plan *p, plan_side_id id, struct arena *arena, struct plan_path *out) {
    const struct plan_side *side = &p->sides[id.v - 1];
    *out = (struct plan_path){0};
    if (side->held.v != 0) {
        struct plan_range held = p->helds[side->held.v - 1];
        out->locks = p->locks + held.first;
        out->n_locks = held.n;
    }
    size_t n = 0;
    /* A caller has a smaller number than what it calls, so these end. */
    for (uint32_t f = side->frame.v; f != 0; f = p->frames[f - 1].caller.v) n++;
    if (n == 0) return true;
    out->frames = ARENA_NEW_N(arena, n, const char *);
    if (out->frames == NULL) return false;
    uint32_t f = side->frame.v;
    for (; p->frames[f - 1].caller.v != 0; f = p->frames[f - 1].caller.v)
        out->frames[out->n_frames++] = p->frames[f - 1].text;
    out->root = p->frames[f - 1].text;
    return true;
}

struct plan_pair plan_pair_get(const struct plan *p, plan_pair_id id) {
    uint32_t lo = 0, hi = p->n_pair_lines; /* the line is in [lo, hi) */
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        *(p->pairs[mid].first.v <= id.v ? &lo : &hi) = mid;
    }
    const struct plan_pairs *line = &p->pairs[lo];
    return (struct plan_pair){{line->side, {line->others.v + (id.v - line->first.v)}}, line->why};
}

const char *plan_pair_why(const struct plan *p, plan_pair_id id) {
    uint32_t why = plan_pair_get(p, id).why.v;
    return why != 0 ? p->whys[why - 1] : NULL;
}

/* Appends to a buffer that may be too small, counting what would have been written. */
struct out {
    char *buf;
    size_t size, n;
};

static void put(struct out *o, char c) {
    if (o->n + 1 < o->size) o->buf[o->n] = c;
    o->n++;
}

/* Whether the '$' at s[i] parts an outer class from a named one; numbered classes keep theirs, as in stack
 * traces. */
static bool parts_names(const char *s, size_t i, size_t n) {
    if (i == 0 || i + 1 >= n || strchr("/.$", s[i - 1]) != NULL) return false;
    return strchr("/.$0123456789", s[i + 1]) == NULL;
}

static void put_class(struct out *o, const char *name, size_t n) {
    for (size_t i = 0; i < n; i++)
        put(o, name[i] == '/' || (name[i] == '$' && parts_names(name, i, n)) ? '.' : name[i]);
}

static const char *primitive_name(char tag) {
    static const char tags[] = "ZBCSIJFD";
    static const char *const names[] = {"boolean", "byte", "char", "short", "int", "long", "float", "double"};
    const char *at = tag != '\0' ? strchr(tags, tag) : NULL;
    return at != NULL ? names[at - tags] : NULL;
}

static void put_array(struct out *o, const char *desc) {
    size_t dims = strspn(desc, "["), n = strlen(desc);
    const char *primitive = n == dims + 1 ? primitive_name(desc[dims]) : NULL;
    if (primitive != NULL)
        for (; *primitive != '\0'; primitive++) put(o, *primitive);
    else if (n >= dims + 2 && desc[dims] == 'L' && desc[n - 1] == ';')
        put_class(o, desc + dims + 1, n - dims - 2);
    else
        put_class(o, desc + dims, n - dims);
    for (size_t i = 0; i < (dims > 0 ? dims : 1); i++) put(o, '['), put(o, ']');
}

size_t plan_location_text(enum plan_kind kind, const char *owner, const char *name, char *buf, size_t size) {
    struct out o = {buf, size, 0};
    if (kind == PLAN_ARRAY) {
        put_array(&o, owner);
    } else {
        put_class(&o, owner, strlen(owner));
        if (kind != PLAN_CONTAINER) {
            put(&o, '.');
            for (; *name != '\0'; name++) put(&o, *name);
        }
    }
    if (size > 0) buf[o.n < size ? o.n : size - 1] = '\0';
    return o.n;
}
