/* The constant pool (JVMS 4.4): reading, cross-checking and looking up. */
#include "parse.h"

#include <string.h>

/* What a tag's entry consists of and since which class-file version it may stand in a pool. */
static const struct tag_info {
    const char *name;
    uint8_t since; /* major version; 0: no such tag */
    uint8_t size;  /* payload bytes; of UTF8: its length field */
    uint8_t a, b;  /* tags that the two indices must name; 0: nothing to check, or no index */
} tags[] = {
    [CF_UTF8] = {"Utf8", 45, 2, 0, 0},
    [CF_INTEGER] = {"Integer", 45, 4, 0, 0},
    [CF_FLOAT] = {"Float", 45, 4, 0, 0},
    [CF_LONG] = {"Long", 45, 8, 0, 0},
    [CF_DOUBLE] = {"Double", 45, 8, 0, 0},
    [CF_CLASS] = {"Class", 45, 2, CF_UTF8, 0},
    [CF_STRING] = {"String", 45, 2, CF_UTF8, 0},
    [CF_FIELDREF] = {"Fieldref", 45, 4, CF_CLASS, CF_NAME_AND_TYPE},
    [CF_METHODREF] = {"Methodref", 45, 4, CF_CLASS, CF_NAME_AND_TYPE},
    [CF_INTERFACE_METHODREF] = {"InterfaceMethodref", 45, 4, CF_CLASS, CF_NAME_AND_TYPE},
    [CF_NAME_AND_TYPE] = {"NameAndType", 45, 4, CF_UTF8, CF_UTF8},
    [CF_METHOD_HANDLE] = {"MethodHandle", 51, 3, 0, 0},
    [CF_METHOD_TYPE] = {"MethodType", 51, 2, CF_UTF8, 0},
    [CF_DYNAMIC] = {"Dynamic", 55, 4, 0, CF_NAME_AND_TYPE},
    [CF_INVOKE_DYNAMIC] = {"InvokeDynamic", 51, 4, 0, CF_NAME_AND_TYPE},
    [CF_MODULE] = {"Module", 53, 2, CF_UTF8, 0},
    [CF_PACKAGE] = {"Package", 53, 2, CF_UTF8, 0},
};
enum { TAG_COUNT = sizeof tags / sizeof tags[0] };

bool cf_is(const struct cf_class *cls, uint16_t index, enum cf_tag tag) {
    return index != 0 && index < cls->n_pool && cls->pool[index].tag == tag;
}

bool cf_is_or_0(const struct cf_class *cls, uint16_t index, enum cf_tag tag) {
    return index == 0 || cf_is(cls, index, tag);
}

bool cf_is_loadable(const struct cf_class *cls, uint16_t index) {
    if (index >= cls->n_pool) return false;
    switch (cls->pool[index].tag) {
    case CF_INTEGER:
    case CF_FLOAT:
    case CF_LONG:
    case CF_DOUBLE:
    case CF_CLASS:
    case CF_STRING:
    case CF_METHOD_HANDLE:
    case CF_METHOD_TYPE:
    case CF_DYNAMIC: return true;
    default: return false;
    }
}

/* All complaints about a wrong index read alike. */
bool cf_want(struct cf_reader *r, size_t offset, uint16_t index, enum cf_tag tag, const char *what) {
    if (cf_is(r->cls, index, tag)) return true;
    return race_fail_at(r->err, offset, "%s: constant %u is not a %s", what, index, tags[tag].name);
}

/* An empty string that is not NULL spares every caller a test. */
struct cf_str cf_utf8(const struct cf_class *cls, uint16_t index) {
    return cf_is(cls, index, CF_UTF8) ? cls->pool[index].u.utf8 : (struct cf_str){.p = "", .n = 0};
}

struct cf_str cf_class_name(const struct cf_class *cls, uint16_t index) {
    return cf_utf8(cls, cf_is(cls, index, CF_CLASS) ? cls->pool[index].a : 0);
}

struct cf_member_ref cf_member(const struct cf_class *cls, uint16_t index) {
    struct cf_member_ref m = {.owner = cf_utf8(cls, 0), .name = cf_utf8(cls, 0), .desc = cf_utf8(cls, 0)};
    if (index >= cls->n_pool) return m;
    const struct cf_const *k = &cls->pool[index];
    switch (k->tag) {
    case CF_INTERFACE_METHODREF: m.is_interface = true; /* fall through */
    case CF_FIELDREF:
    case CF_METHODREF: m.owner = cf_class_name(cls, k->a); break;
    case CF_DYNAMIC:
    case CF_INVOKE_DYNAMIC: break;
    default: return m;
    }
    const struct cf_const *nt = &cls->pool[k->b];
    m.name = cf_utf8(cls, nt->a);
    m.desc = cf_utf8(cls, nt->b);
    return m;
}

/* The first byte of the string that is not modified UTF-8, or n.  Before Java 1.4 (version 48) overlong forms
   were let through, as HotSpot still does. */
static uint32_t utf8_bad_at(const uint8_t *s, uint32_t n, bool old) {
    uint32_t i = 0;
    while (i < n) {
        uint64_t eight;
        /* Eight ASCII characters at a time: no top bit set, and no zero byte. */
        while (n - i >= 8 && (memcpy(&eight, s + i, 8), (eight & UINT64_C(0x8080808080808080)) == 0 &&
                                                            ((eight - UINT64_C(0x0101010101010101)) &
                                                             UINT64_C(0x8080808080808080)) == 0))
            i += 8;
        if (i == n) break;
        uint8_t c = s[i];
        if (c != 0 && c < 0x80) {
            i++;
        } else if ((c & 0xE0) == 0xC0) {
            if (n - i < 2 || (s[i + 1] & 0xC0) != 0x80) return i;
            unsigned v = (c & 0x1Fu) << 6 | (s[i + 1] & 0x3Fu);
            if (!old && v != 0 && v < 0x80) return i;
            i += 2;
        } else if ((c & 0xF0) == 0xE0) {
            if (n - i < 3 || (s[i + 1] & 0xC0) != 0x80 || (s[i + 2] & 0xC0) != 0x80) return i;
            unsigned v = (c & 0x0Fu) << 12 | (s[i + 1] & 0x3Fu) << 6 | (s[i + 2] & 0x3Fu);
            if (!old && v < 0x800) return i;
            i += 3;
        } else {
            return i;
        }
    }
    return n;
}

/* The text stays in the file; only its place is kept. */
static bool read_utf8(struct cf_reader *r, struct cursor *c, struct cf_const *k) {
    uint16_t n = cursor_u2(c);
    const uint8_t *s = cursor_bytes(c, n);
    if (s == NULL) return true; /* the caller sees that the cursor has failed */
    uint32_t bad = utf8_bad_at(s, n, r->cls->major < 48);
    if (bad != n) return race_fail_at(r->err, k->offset + 3 + bad, "string is not modified UTF-8");
    k->u.utf8 = (struct cf_str){.p = (const char *)s, .n = n};
    return true;
}

/* A constant that the file's version does not know is refused, as HotSpot does: its meaning is not defined
   there.  Running out of bytes is left to the caller, which knows the constant's number. */
static bool read_const(struct cf_reader *r, struct cursor *c, struct cf_const *k) {
    k->offset = (uint32_t)c->pos;
    k->tag = cursor_u1(c);
    if (c->failed) return true;
    if (k->tag >= TAG_COUNT || tags[k->tag].since == 0)
        return race_fail_at(r->err, k->offset, "bad constant tag %u", k->tag);
    const struct tag_info *tag = &tags[k->tag];
    if (r->cls->major < tag->since)
        return race_fail_at(r->err, k->offset, "%s constant in a class file of version %u", tag->name,
                            r->cls->major);
    uint64_t bits;
    uint32_t word;
    switch (k->tag) {
    case CF_UTF8: return read_utf8(r, c, k);
    case CF_INTEGER:
    case CF_FLOAT:
        word = cursor_u4(c);
        memcpy(&k->u, &word, sizeof word);
        return true;
    case CF_LONG:
    case CF_DOUBLE:
        bits = cursor_u8(c);
        memcpy(&k->u, &bits, sizeof bits);
        return true;
    case CF_METHOD_HANDLE:
        k->ref_kind = cursor_u1(c);
        k->a = cursor_u2(c);
        return true;
    default:
        k->a = cursor_u2(c);
        if (tag->size == 4) k->b = cursor_u2(c);
        return true;
    }
}

/* Field or method by the first character of the descriptor; special names must be those of the JVM. */
static bool check_name_and_type(struct cf_reader *r, const struct cf_const *k) {
    struct cf_str name = cf_utf8(r->cls, k->a), desc = cf_utf8(r->cls, k->b);
    bool is_method = desc.n > 0 && desc.p[0] == '(';
    if (!(is_method ? cf_desc_is_method(desc) : cf_desc_is_field(desc)))
        return race_fail_at(r->err, k->offset, "NameAndType: bad descriptor in constant %u", k->b);
    if (!cf_name_is_unqualified(name))
        return race_fail_at(r->err, k->offset, "NameAndType: bad name in constant %u", k->a);
    return true;
}

/* The NameAndType of a member reference must be of the member's kind. */
static bool check_member(struct cf_reader *r, const struct cf_const *k) {
    struct cf_str desc = cf_utf8(r->cls, r->cls->pool[k->b].b);
    bool is_method = desc.n > 0 && desc.p[0] == '(';
    bool want_method = k->tag != CF_FIELDREF && k->tag != CF_DYNAMIC;
    if (is_method == want_method) return true;
    return race_fail_at(r->err, k->offset, "%s with the descriptor of a %s", tags[k->tag].name,
                        is_method ? "method" : "field");
}

/* Kinds 6 and 7 (invokestatic, invokespecial) may name interface methods since Java 8. */
static bool check_method_handle(struct cf_reader *r, const struct cf_const *k) {
    const struct cf_class *cls = r->cls;
    bool ok;
    switch (k->ref_kind) {
    case 1:
    case 2:
    case 3:
    case 4: ok = cf_is(cls, k->a, CF_FIELDREF); break;
    case 5:
    case 8: ok = cf_is(cls, k->a, CF_METHODREF); break;
    case 6:
    case 7: ok = cf_is(cls, k->a, CF_METHODREF) || cf_is(cls, k->a, CF_INTERFACE_METHODREF); break;
    case 9: ok = cf_is(cls, k->a, CF_INTERFACE_METHODREF); break;
    default: return race_fail_at(r->err, k->offset, "MethodHandle of bad kind %u", k->ref_kind);
    }
    if (ok) return true;
    return race_fail_at(r->err, k->offset, "MethodHandle of kind %u: bad reference %u", k->ref_kind, k->a);
}

/* Indices first, meaning second: the second pass may follow them. */
static bool check_indices(struct cf_reader *r, const struct cf_const *k) {
    const struct tag_info *tag = &tags[k->tag];
    if (tag->a != 0 && !cf_want(r, k->offset, k->a, tag->a, tag->name)) return false;
    if (tag->b != 0 && !cf_want(r, k->offset, k->b, tag->b, tag->name)) return false;
    return true;
}

/* Names and descriptors are checked where they are used as such: a Utf8 by itself may be anything. */
static bool check_meaning(struct cf_reader *r, const struct cf_const *k) {
    switch (k->tag) {
    case CF_CLASS:
        if (cf_name_is_class(cf_utf8(r->cls, k->a))) return true;
        return race_fail_at(r->err, k->offset, "Class: bad name in constant %u", k->a);
    case CF_METHOD_TYPE:
        if (cf_desc_is_method(cf_utf8(r->cls, k->a))) return true;
        return race_fail_at(r->err, k->offset, "MethodType: bad descriptor in constant %u", k->a);
    case CF_NAME_AND_TYPE: return check_name_and_type(r, k);
    case CF_FIELDREF:
    case CF_METHODREF:
    case CF_INTERFACE_METHODREF:
    case CF_DYNAMIC:
    case CF_INVOKE_DYNAMIC: return check_member(r, k);
    case CF_METHOD_HANDLE: return check_method_handle(r, k);
    default: return true;
    }
}

/* Entries may refer to later ones, so the pool is read as a whole before any index is followed. */
bool cf_read_pool(struct cf_reader *r, struct cursor *c) {
    struct cf_class *cls = r->cls;
    size_t at = c->pos;
    uint16_t n = cursor_u2(c);
    if (c->failed) return race_fail_at(r->err, at, "file ends before the constant pool");
    if (n == 0) return race_fail_at(r->err, at, "constant pool count is 0");
    /* The smallest entry has three bytes; a long takes two indices. */
    if (!cursor_fits(c, (n - 1u) / 2, 3))
        return race_fail_at(r->err, at, "file is too short for %u constants", n - 1u);
    if ((cls->pool = CF_NEW_ARRAY(r, n, struct cf_const)) == NULL) return false;
    cls->n_pool = n;
    for (uint32_t i = 1; i < n; i++) {
        struct cf_const *k = &cls->pool[i];
        if (!read_const(r, c, k)) return false;
        if (c->failed) return race_fail_at(r->err, c->end, "file ends inside constant %u", i);
        if (k->tag != CF_LONG && k->tag != CF_DOUBLE) continue;
        if (++i == n) return race_fail_at(r->err, k->offset, "8-byte constant in the last slot");
    }
    cls->pool_end = (uint32_t)c->pos;
    for (uint32_t i = 1; i < n; i++)
        if (!check_indices(r, &cls->pool[i])) return false;
    for (uint32_t i = 1; i < n; i++)
        if (!check_meaning(r, &cls->pool[i])) return false;
    return true;
}

/* Only possible when the class's attributes have been read, which come last in the file. */
bool cf_check_bootstrap_indices(struct cf_reader *r) {
    const struct cf_class *cls = r->cls;
    for (uint32_t i = 1; i < cls->n_pool; i++) {
        const struct cf_const *k = &cls->pool[i];
        if ((k->tag == CF_DYNAMIC || k->tag == CF_INVOKE_DYNAMIC) && k->a >= cls->n_bootstraps)
            return race_fail_at(r->err, k->offset, "%s: there is no bootstrap method %u", tags[k->tag].name,
                                k->a);
    }
    return true;
}
