/*
 * Annotations and type annotations (JVMS 4.7.16 to 4.7.20).  One walker over the structure serves the check,
 * the look-up of a single annotation and the editor's search for code offsets.
 */
#include "parse.h"

#include <string.h>

/* Nesting of element values; the stack must not depend on the input. */
enum { MAX_NESTING = 32 };

struct walk {
    const struct cf_class *cls;
    struct cursor c;
    cf_pc_visit *visit; /* may be NULL */
    void *visit_ctx;
};

/* A failed cursor reads zeros, and index 0 is of no kind; still the failure is tested, to stop at once. */
static bool want(struct walk *w, uint16_t index, enum cf_tag tag) {
    return !w->c.failed && cf_is(w->cls, index, tag);
}

static bool element_value(struct walk *w, int depth);

/* `u2 count, (u2 name, value)...` */
static bool element_pairs(struct walk *w, int depth) {
    uint16_t n = cursor_u2(&w->c);
    for (uint32_t i = 0; i < n; i++)
        if (!want(w, cursor_u2(&w->c), CF_UTF8) || !element_value(w, depth)) return false;
    return !w->c.failed;
}

/* The type is a descriptor, but reflection takes whatever it can resolve; so only its kind is checked. */
static bool annotation(struct walk *w, int depth) {
    return want(w, cursor_u2(&w->c), CF_UTF8) && element_pairs(w, depth);
}

/* JVMS 4.7.16.1: the tag is the descriptor character of the element's type, or one of s c e @ [. */
static bool element_value(struct walk *w, int depth) {
    if (depth == MAX_NESTING) return false;
    switch (cursor_u1(&w->c)) {
    case 'B':
    case 'C':
    case 'I':
    case 'S':
    case 'Z': return want(w, cursor_u2(&w->c), CF_INTEGER);
    case 'D': return want(w, cursor_u2(&w->c), CF_DOUBLE);
    case 'F': return want(w, cursor_u2(&w->c), CF_FLOAT);
    case 'J': return want(w, cursor_u2(&w->c), CF_LONG);
    case 's':
    case 'c': return want(w, cursor_u2(&w->c), CF_UTF8);
    case 'e': return want(w, cursor_u2(&w->c), CF_UTF8) && want(w, cursor_u2(&w->c), CF_UTF8);
    case '@': return annotation(w, depth + 1);
    case '[': {
        uint16_t n = cursor_u2(&w->c);
        for (uint32_t i = 0; i < n; i++)
            if (!element_value(w, depth + 1)) return false;
        return !w->c.failed;
    }
    default: return false;
    }
}

/* Called before the offset is read, so that the cursor stands on it. */
static void visit(struct walk *w, enum cf_pc_kind kind) {
    if (w->visit != NULL && !w->c.failed) w->visit(w->visit_ctx, kind, (uint32_t)w->c.pos);
}

/* The variable's ranges; javac gives one per piece of its life. */
static bool local_variable_target(struct walk *w) {
    uint16_t n = cursor_u2(&w->c);
    for (uint32_t i = 0; i < n && !w->c.failed; i++) {
        if (cursor_left(&w->c) >= 6) visit(w, CF_PC_RANGE);
        cursor_bytes(&w->c, 6); /* start_pc, length, index */
    }
    return !w->c.failed;
}

/* target_type and target_info (JVMS 4.7.20.1). */
static bool type_target(struct walk *w) {
    uint8_t type = cursor_u1(&w->c);
    switch (type) {
    case 0x00: /* type parameter of a class or method; formal parameter */
    case 0x01:
    case 0x16: return cursor_bytes(&w->c, 1) != NULL;
    case 0x10: /* supertype, bound of a type parameter, throws, catch */
    case 0x11:
    case 0x12:
    case 0x17:
    case 0x42: return cursor_bytes(&w->c, 2) != NULL;
    case 0x13: /* field, return, receiver */
    case 0x14:
    case 0x15: return !w->c.failed;
    case 0x40: /* local variable, resource variable */
    case 0x41: return local_variable_target(w);
    default: break;
    }
    if (type < 0x43 || type > 0x4B) return false;
    /* instanceof, new, ::new, :: have an offset; casts and type arguments also an argument index. */
    size_t size = type <= 0x46 ? 2 : 3;
    if (cursor_left(&w->c) >= size) visit(w, CF_PC_OFFSET);
    return cursor_bytes(&w->c, size) != NULL;
}

/* The whole attribute; it must end where the last annotation ends. */
static bool type_annotations(struct walk *w) {
    uint16_t n = cursor_u2(&w->c);
    for (uint32_t i = 0; i < n; i++) {
        if (!type_target(w)) return false;
        if (cursor_bytes(&w->c, 2 * (size_t)cursor_u1(&w->c)) == NULL) return false; /* type_path */
        if (!annotation(w, 0)) return false;
    }
    return !w->c.failed && cursor_left(&w->c) == 0;
}

bool cf_annotations_ok(const struct cf_class *cls, const struct cf_attr *attr) {
    struct walk w = {.cls = cls, .c = cf_attr_cursor(cls, attr)};
    uint16_t n = cursor_u2(&w.c);
    for (uint32_t i = 0; i < n; i++)
        if (!annotation(&w, 0)) return false;
    return !w.c.failed && cursor_left(&w.c) == 0;
}

struct pc_check {
    const struct cf_class *cls;
    const struct cf_code_reader *code;
    bool ok;
};

/* Ranges may end (or, if empty, start) right behind the code. */
static void check_pc(void *ctx, enum cf_pc_kind kind, uint32_t at) {
    struct pc_check *check = ctx;
    const uint8_t *p = check->cls->data + at;
    uint32_t start = (uint32_t)(p[0] << 8 | p[1]);
    if (check->code == NULL) {
        check->ok = false; /* a code offset outside code */
    } else if (kind == CF_PC_OFFSET) {
        check->ok &= cf_is_start(check->code, start);
    } else {
        uint32_t end = start + (uint32_t)(p[2] << 8 | p[3]), length = check->code->code->length;
        check->ok &= (start == length || cf_is_start(check->code, start)) &&
                     (end == length || cf_is_start(check->code, end));
    }
}

bool cf_type_annotations_ok(const struct cf_class *cls, const struct cf_attr *attr,
                            const struct cf_code_reader *code) {
    struct pc_check check = {.cls = cls, .code = code, .ok = true};
    struct walk w = {.cls = cls, .c = cf_attr_cursor(cls, attr), .visit = check_pc, .visit_ctx = &check};
    return type_annotations(&w) && check.ok;
}

void cf_type_annotation_pcs(const struct cf_class *cls, const struct cf_attr *attr, cf_pc_visit *visitor,
                            void *ctx) {
    struct walk w = {.cls = cls, .c = cf_attr_cursor(cls, attr), .visit = visitor, .visit_ctx = ctx};
    type_annotations(&w);
}

/* Does "Lpkg/Outer$Name;" end in the simple name? */
static bool has_simple_name(struct cf_str desc, const char *simple) {
    size_t n = strlen(simple);
    if (desc.n < n + 2 || desc.p[desc.n - 1] != ';') return false;
    const char *start = desc.p + desc.n - 1 - n;
    return memcmp(start, simple, n) == 0 && (start[-1] == '/' || start[-1] == '$' || start == desc.p + 1);
}

/* Reads the pairs of the annotation at the cursor, keeping the string element "value". */
static bool pairs_with_value(struct walk *w, struct cf_str *value) {
    uint16_t n = cursor_u2(&w->c);
    *value = cf_utf8(w->cls, 0);
    for (uint32_t i = 0; i < n; i++) {
        struct cf_str name = cf_utf8(w->cls, cursor_u2(&w->c));
        size_t at = w->c.pos;
        if (!element_value(w, 0)) return false;
        const uint8_t *p = w->cls->data + at;
        if (!cf_str_is(name, "value")) continue;
        if (p[0] == '[' && (p[1] | p[2]) != 0) p += 3; /* of several the first */
        if (*p++ != 's') continue;
        *value = cf_utf8(w->cls, (uint16_t)(p[0] << 8 | p[1]));
    }
    return true;
}

/* Annotations that say what guards a field come from several packages, with the same simple names. */
bool cf_annotated(const struct cf_class *cls, const struct cf_attrs *attrs, const char *simple_name,
                  struct cf_str *value) {
    struct cf_str found = cf_utf8(cls, 0);
    if (value != NULL) *value = found;
    for (uint32_t i = 0; i < attrs->n; i++) {
        const struct cf_attr *a = &attrs->v[i];
        if (a->kind != CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS &&
            a->kind != CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS)
            continue;
        struct walk w = {.cls = cls, .c = cf_attr_cursor(cls, a)};
        uint16_t n = cursor_u2(&w.c);
        for (uint32_t k = 0; k < n; k++) {
            struct cf_str type = cf_utf8(cls, cursor_u2(&w.c));
            if (!pairs_with_value(&w, &found)) break;
            if (!has_simple_name(type, simple_name)) continue;
            if (value != NULL) *value = found;
            return true;
        }
    }
    return false;
}
