/* Constants of an edited class: found by hash in the original pool, or appended behind it. */
#include "edit.h"

#include "race/error.h"

enum { POOL_LIMIT = 65535 };

static uint32_t hash_bytes(const char *p, uint32_t n) {
    uint32_t h = 2166136261u; /* FNV-1a */
    for (uint32_t i = 0; i < n; i++) h = (h ^ (uint8_t)p[i]) * 16777619u;
    return h;
}

/* The constant's bits behind the tag, as one number; utf8 by content. */
static uint64_t const_bits(const struct cf_const *c) {
    switch (c->tag) {
    case CF_INTEGER: return (uint32_t)c->u.i;
    case CF_LONG: return (uint64_t)c->u.l;
    case CF_UTF8: return hash_bytes(c->u.utf8.p, c->u.utf8.n);
    default: return (uint32_t)c->a << 16 | c->b;
    }
}

static uint32_t const_hash(const struct cf_const *c) {
    uint64_t h = (const_bits(c) + c->tag) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(h >> 32);
}

static bool const_eq(const struct cf_const *x, const struct cf_const *y) {
    if (x->tag != y->tag) return false;
    if (x->tag == CF_UTF8) return cf_str_eq(x->u.utf8, y->u.utf8);
    return const_bits(x) == const_bits(y);
}

/* Kinds that the editor makes; only these are worth finding. */
static bool is_indexed(uint8_t tag) {
    switch (tag) {
    case CF_UTF8:
    case CF_INTEGER:
    case CF_LONG:
    case CF_CLASS:
    case CF_STRING:
    case CF_FIELDREF:
    case CF_METHODREF:
    case CF_INTERFACE_METHODREF:
    case CF_NAME_AND_TYPE: return true;
    default: return false;
    }
}

const struct cf_const *cfe_const(const struct cf_edit *e, uint16_t index) {
    if (index < e->cls->n_pool) return &e->cls->pool[index];
    uint32_t i = (uint32_t)index - e->cls->n_pool;
    return i < e->n_added ? &e->added[i] : &e->cls->pool[0];
}

static void enter(struct cf_edit *e, uint16_t index) {
    uint32_t at = const_hash(cfe_const(e, index)) & e->mask;
    while (e->buckets[at] != 0) at = (at + 1) & e->mask;
    e->buckets[at] = index;
}

/* (Re)builds the table when it is missing or more than half full. */
static bool ready(struct cf_edit *e) {
    uint32_t total = e->cls->n_pool + e->n_added;
    if (e->buckets != NULL && 2 * total < e->mask) return true;
    uint32_t size = 256;
    while (size < 4 * total) size *= 2;
    e->buckets = cfe_alloc(e, size, sizeof *e->buckets);
    if (e->buckets == NULL) return false;
    e->mask = size - 1;
    for (uint32_t i = 1; i < total; i++)
        if (is_indexed(cfe_const(e, (uint16_t)i)->tag)) enter(e, (uint16_t)i);
    return true;
}

static uint16_t append(struct cf_edit *e, const struct cf_const *c) {
    uint32_t slots = c->tag == CF_LONG ? 2 : 1;
    if ((uint32_t)e->cls->n_pool + e->n_added + slots > POOL_LIMIT) {
        cfe_fail(e, CFE_POOL_FULL);
        return 0;
    }
    struct cf_const copy = *c;
    if (c->tag == CF_UTF8) {
        char *p = cfe_alloc(e, (size_t)c->u.utf8.n + 1, 1);
        if (p == NULL) return 0;
        memcpy(p, c->u.utf8.p, c->u.utf8.n);
        copy.u.utf8.p = p;
    }
    uint16_t index = (uint16_t)(e->cls->n_pool + e->n_added);
    for (uint32_t i = 0; i < slots; i++) {
        if (!cfe_grow(e, (void **)&e->added, e->n_added, &e->cap_added, sizeof *e->added)) return 0;
        e->added[e->n_added++] = i == 0 ? copy : (struct cf_const){.tag = CF_UNUSABLE};
    }
    enter(e, index);
    return index;
}

static uint16_t intern(struct cf_edit *e, const struct cf_const *c) {
    if (e->failed != CFE_OK || !ready(e)) return 0;
    for (uint32_t at = const_hash(c) & e->mask; e->buckets[at] != 0; at = (at + 1) & e->mask)
        if (const_eq(cfe_const(e, e->buckets[at]), c)) return e->buckets[at];
    return append(e, c);
}

uint16_t cfe_utf8(struct cf_edit *e, struct cf_str s) {
    struct cf_const c = {.tag = CF_UTF8, .u.utf8 = s};
    if (s.n > 65535) {
        cfe_fail(e, CFE_BAD_EDIT);
        return 0;
    }
    return intern(e, &c);
}

static uint16_t intern_pair(struct cf_edit *e, enum cf_tag tag, uint16_t a, uint16_t b) {
    struct cf_const c = {.tag = (uint8_t)tag, .a = a, .b = b};
    return intern(e, &c);
}

uint16_t cfe_class(struct cf_edit *e, struct cf_str internal_name) {
    return intern_pair(e, CF_CLASS, cfe_utf8(e, internal_name), 0);
}

uint16_t cfe_string(struct cf_edit *e, struct cf_str s) {
    return intern_pair(e, CF_STRING, cfe_utf8(e, s), 0);
}

uint16_t cfe_int(struct cf_edit *e, int32_t v) {
    struct cf_const c = {.tag = CF_INTEGER, .u.i = v};
    return intern(e, &c);
}

uint16_t cfe_long(struct cf_edit *e, int64_t v) {
    struct cf_const c = {.tag = CF_LONG, .u.l = v};
    return intern(e, &c);
}

uint16_t cfe_name_and_type(struct cf_edit *e, struct cf_str name, struct cf_str desc) {
    uint16_t n = cfe_utf8(e, name);
    return intern_pair(e, CF_NAME_AND_TYPE, n, cfe_utf8(e, desc));
}

uint16_t cfe_ref(struct cf_edit *e, enum cf_tag tag, struct cf_str owner, struct cf_str name,
                 struct cf_str desc) {
    uint16_t c = cfe_class(e, owner);
    return intern_pair(e, tag, c, cfe_name_and_type(e, name, desc));
}

struct cf_str cfe_utf8_at(const struct cf_edit *e, uint16_t index) {
    const struct cf_const *c = cfe_const(e, index);
    return c->tag == CF_UTF8 ? c->u.utf8 : (struct cf_str){"", 0};
}

struct cf_str cfe_class_name_at(const struct cf_edit *e, uint16_t index) {
    const struct cf_const *c = cfe_const(e, index);
    return c->tag == CF_CLASS ? cfe_utf8_at(e, c->a) : (struct cf_str){"", 0};
}

struct cf_member_ref cfe_member_at(const struct cf_edit *e, uint16_t index) {
    const struct cf_const *c = cfe_const(e, index);
    struct cf_member_ref r = {{"", 0}, {"", 0}, {"", 0}, c->tag == CF_INTERFACE_METHODREF};
    switch (c->tag) {
    case CF_FIELDREF:
    case CF_METHODREF:
    case CF_INTERFACE_METHODREF: r.owner = cfe_class_name_at(e, c->a); break;
    case CF_DYNAMIC:
    case CF_INVOKE_DYNAMIC: break;
    default: return r;
    }
    const struct cf_const *nat = cfe_const(e, c->b);
    if (nat->tag != CF_NAME_AND_TYPE) return r;
    r.name = cfe_utf8_at(e, nat->a);
    r.desc = cfe_utf8_at(e, nat->b);
    return r;
}

static void write_const(const struct cf_const *c, struct cfe_buf *b) {
    if (c->tag == CF_UNUSABLE) return; /* second half of a long */
    cfe_put1(b, c->tag);
    switch (c->tag) {
    case CF_UTF8:
        cfe_put2(b, (uint16_t)c->u.utf8.n);
        cfe_put(b, c->u.utf8.p, c->u.utf8.n);
        break;
    case CF_INTEGER: cfe_put4(b, (uint32_t)c->u.i); break;
    case CF_LONG:
        cfe_put4(b, (uint32_t)((uint64_t)c->u.l >> 32));
        cfe_put4(b, (uint32_t)c->u.l);
        break;
    case CF_CLASS:
    case CF_STRING: cfe_put2(b, c->a); break;
    default:
        cfe_put2(b, c->a);
        cfe_put2(b, c->b);
        break;
    }
}

void cfe_write_pool(const struct cf_edit *e, struct cfe_buf *b) {
    /* magic, version, count; then the original entries as they stand. */
    cfe_put(b, e->cls->data, 8);
    cfe_put2(b, (uint16_t)(e->cls->n_pool + e->n_added));
    cfe_put(b, e->cls->data + 10, e->cls->pool_end - 10);
    for (uint32_t i = 0; i < e->n_added; i++) write_const(&e->added[i], b);
}
