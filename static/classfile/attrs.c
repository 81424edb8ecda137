/* Attributes (JVMS 4.7): their ranges, their kinds, and the checks of those outside Code. */
#include "parse.h"

#include <string.h>

/* An attribute has its meaning only where it belongs and only in files new enough; elsewhere the JVM ignores
   it as it ignores unknown ones, and so does the reader. */
static const struct attr_info {
    const char *name;
    uint8_t length; /* of the name */
    uint8_t kind;
    uint8_t places;
    uint8_t since;
} known[] = {
#define ATTR(text, kind, places, since)                                                                      \
    { text, sizeof(text) - 1, kind, places, since }
    ATTR("Code", CF_ATTR_CODE, CF_IN_METHOD, 45),
    ATTR("StackMapTable", CF_ATTR_STACK_MAP_TABLE, CF_IN_CODE, 50),
    ATTR("LineNumberTable", CF_ATTR_LINE_NUMBER_TABLE, CF_IN_CODE, 45),
    ATTR("LocalVariableTable", CF_ATTR_LOCAL_VARIABLE_TABLE, CF_IN_CODE, 45),
    ATTR("LocalVariableTypeTable", CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE, CF_IN_CODE, 49),
    ATTR("BootstrapMethods", CF_ATTR_BOOTSTRAP_METHODS, CF_IN_CLASS, 51),
    ATTR("Exceptions", CF_ATTR_EXCEPTIONS, CF_IN_METHOD, 45),
    ATTR("Signature", CF_ATTR_SIGNATURE, CF_IN_CLASS | CF_IN_FIELD | CF_IN_METHOD | CF_IN_RECORD, 49),
    ATTR("SourceFile", CF_ATTR_SOURCE_FILE, CF_IN_CLASS, 45),
    ATTR("InnerClasses", CF_ATTR_INNER_CLASSES, CF_IN_CLASS, 45),
    ATTR("EnclosingMethod", CF_ATTR_ENCLOSING_METHOD, CF_IN_CLASS, 49),
    ATTR("NestHost", CF_ATTR_NEST_HOST, CF_IN_CLASS, 55),
    ATTR("NestMembers", CF_ATTR_NEST_MEMBERS, CF_IN_CLASS, 55),
    ATTR("Record", CF_ATTR_RECORD, CF_IN_CLASS, 60),
    ATTR("PermittedSubclasses", CF_ATTR_PERMITTED_SUBCLASSES, CF_IN_CLASS, 61),
    ATTR("ConstantValue", CF_ATTR_CONSTANT_VALUE, CF_IN_FIELD, 45),
    ATTR("RuntimeVisibleAnnotations", CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS,
         CF_IN_CLASS | CF_IN_FIELD | CF_IN_METHOD | CF_IN_RECORD, 49),
    ATTR("RuntimeInvisibleAnnotations", CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS,
         CF_IN_CLASS | CF_IN_FIELD | CF_IN_METHOD | CF_IN_RECORD, 49),
    ATTR("RuntimeVisibleTypeAnnotations", CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS,
         CF_IN_CLASS | CF_IN_FIELD | CF_IN_METHOD | CF_IN_CODE | CF_IN_RECORD, 49),
    ATTR("RuntimeInvisibleTypeAnnotations", CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS,
         CF_IN_CLASS | CF_IN_FIELD | CF_IN_METHOD | CF_IN_CODE | CF_IN_RECORD, 49),
    ATTR("Synthetic", CF_ATTR_SYNTHETIC, CF_IN_CLASS | CF_IN_FIELD | CF_IN_METHOD, 45),
    ATTR("Deprecated", CF_ATTR_DEPRECATED, CF_IN_CLASS | CF_IN_FIELD | CF_IN_METHOD, 45),
#undef ATTR
};

/* Most lengths differ, so that a comparison of bytes is rare. */
static uint8_t kind_of(const struct cf_class *cls, struct cf_str name, enum cf_place place) {
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct attr_info *k = &known[i];
        if (k->length != name.n || memcmp(k->name, name.p, name.n) != 0) continue;
        return (k->places & place) != 0 && cls->major >= k->since ? k->kind : CF_ATTR_OTHER;
    }
    return CF_ATTR_OTHER;
}

/* For messages. */
static const char *place_name(enum cf_place place) {
    switch (place) {
    case CF_IN_CLASS: return "class";
    case CF_IN_FIELD: return "field";
    case CF_IN_METHOD: return "method";
    case CF_IN_CODE: return "Code";
    default: return "record component";
    }
}

/* Only headers are read: what is inside is checked by the caller, who knows the rest of the structure. */
bool cf_read_attrs(struct cf_reader *r, struct cursor *c, enum cf_place place, struct cf_attrs *attrs) {
    size_t at = c->pos;
    uint16_t n = cursor_u2(c);
    if (c->failed || !cursor_fits(c, n, 6))
        return race_fail_at(r->err, at, "%s attributes are cut off", place_name(place));
    if ((attrs->v = CF_NEW_ARRAY(r, n, struct cf_attr)) == NULL) return false;
    for (attrs->n = 0; attrs->n < n; attrs->n++) {
        struct cf_attr *a = &attrs->v[attrs->n];
        a->offset = (uint32_t)c->pos;
        a->name = cursor_u2(c);
        a->length = cursor_u4(c);
        if (c->failed) return race_fail_at(r->err, c->end, "%s attributes are cut off", place_name(place));
        if (!cf_want(r, a->offset, a->name, CF_UTF8, "attribute name")) return false;
        struct cf_str name = cf_utf8(r->cls, a->name);
        if (cursor_bytes(c, a->length) == NULL)
            return race_fail_at(r->err, a->offset, "attribute %.*s is longer than what encloses it",
                                (int)(name.n > 80 ? 80 : name.n), name.p);
        a->kind = kind_of(r->cls, name, place);
    }
    return true;
}

struct cursor cf_attr_cursor(const struct cf_class *cls, const struct cf_attr *attr) {
    struct cursor c = cursor_make(cls->data, cls->size);
    c.pos = attr->offset + 6;
    c.end = c.pos + attr->length;
    return c;
}

const struct cf_attr *cf_attr_find(const struct cf_attrs *attrs, enum cf_attr_kind kind) {
    for (uint32_t i = 0; i < attrs->n; i++)
        if (attrs->v[i].kind == kind) return &attrs->v[i];
    return NULL;
}

/* A payload must be read to its last byte. */
static bool finish(struct cf_reader *r, const struct cf_attr *a, const struct cursor *c, const char *name) {
    if (!c->failed && cursor_left(c) == 0) return true;
    return race_fail_at(r->err, a->offset, "%s: wrong attribute length %u", name, a->length);
}

/* A list of `u2 count, u2 class...`; Exceptions, NestMembers and PermittedSubclasses have this form. */
static bool check_class_list(struct cf_reader *r, const struct cf_attr *a, const char *name) {
    struct cursor c = cf_attr_cursor(r->cls, a);
    uint16_t n = cursor_u2(&c);
    for (uint32_t i = 0; i < n && !c.failed; i++) {
        uint16_t index = cursor_u2(&c);
        if (!c.failed && !cf_want(r, c.pos - 2, index, CF_CLASS, name)) return false;
    }
    return finish(r, a, &c, name);
}

/* An attribute that is one index. */
static bool check_one(struct cf_reader *r, const struct cf_attr *a, enum cf_tag tag, const char *name,
                      uint16_t *out) {
    struct cursor c = cf_attr_cursor(r->cls, a);
    uint16_t index = cursor_u2(&c);
    if (!finish(r, a, &c, name) || !cf_want(r, a->offset + 6, index, tag, name)) return false;
    if (out != NULL) *out = index;
    return true;
}

/* What every member and the class may carry.  Reflection copes with odd annotations, so they are demoted. */
static bool check_common(struct cf_reader *r, struct cf_attr *a) {
    switch (a->kind) {
    case CF_ATTR_SIGNATURE: return check_one(r, a, CF_UTF8, "Signature", NULL);
    case CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS:
        if (!cf_annotations_ok(r->cls, a)) a->kind = CF_ATTR_OTHER;
        return true;
    case CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS:
        if (!cf_type_annotations_ok(r->cls, a, NULL)) a->kind = CF_ATTR_OTHER;
        return true;
    default: return true;
    }
}

bool cf_check_field_attrs(struct cf_reader *r, struct cf_field *field) {
    for (uint32_t i = 0; i < field->attrs.n; i++) {
        struct cf_attr *a = &field->attrs.v[i];
        if (!check_common(r, a)) return false;
        /* The JVM ignores the value of an instance field. */
        if (a->kind != CF_ATTR_CONSTANT_VALUE || (field->access & CF_ACC_STATIC) == 0) continue;
        struct cursor c = cf_attr_cursor(r->cls, a);
        uint16_t index = cursor_u2(&c);
        if (!finish(r, a, &c, "ConstantValue")) return false;
        uint8_t tag = index < r->cls->n_pool ? r->cls->pool[index].tag : CF_UNUSABLE;
        if ((tag < CF_INTEGER || tag > CF_DOUBLE) && tag != CF_STRING)
            return race_fail_at(r->err, a->offset + 6, "ConstantValue: constant %u is not a value", index);
    }
    return true;
}

/* Code must be there exactly for methods that are neither native nor abstract. */
bool cf_check_method_attrs(struct cf_reader *r, struct cf_method *m) {
    bool wants_code = (m->access & (CF_ACC_NATIVE | CF_ACC_ABSTRACT)) == 0;
    for (uint32_t i = 0; i < m->attrs.n; i++) {
        struct cf_attr *a = &m->attrs.v[i];
        if (!check_common(r, a)) return false;
        if (a->kind == CF_ATTR_EXCEPTIONS && !check_class_list(r, a, "Exceptions")) return false;
        if (a->kind != CF_ATTR_CODE) continue;
        if (m->code != NULL) return race_fail_at(r->err, a->offset, "method has two Code attributes");
        if (!wants_code) return race_fail_at(r->err, a->offset, "Code in a native or abstract method");
        if (!cf_read_code(r, m, a)) return false;
    }
    if (wants_code && m->code == NULL) return race_fail_at(r->err, m->offset, "method without Code");
    return true;
}

/* The arguments are copied out of the file because they stand there unaligned and big-endian. */
static bool read_bootstrap(struct cf_reader *r, struct cursor *c, struct cf_bootstrap *b) {
    b->method = cursor_u2(c);
    b->n_args = cursor_u2(c);
    if (c->failed || !cursor_fits(c, b->n_args, 2))
        return race_fail_at(r->err, c->pos, "BootstrapMethods is cut off");
    if (!cf_want(r, c->pos - 4, b->method, CF_METHOD_HANDLE, "bootstrap method")) return false;
    uint16_t *args = CF_NEW_ARRAY(r, b->n_args, uint16_t);
    if (args == NULL) return false;
    b->args = args;
    for (uint32_t i = 0; i < b->n_args; i++) {
        args[i] = cursor_u2(c);
        if (!cf_is_loadable(r->cls, args[i]))
            return race_fail_at(r->err, c->pos - 2, "bootstrap argument: constant %u is not loadable",
                                args[i]);
    }
    return true;
}

static bool read_bootstraps(struct cf_reader *r, const struct cf_attr *a) {
    struct cf_class *cls = r->cls;
    if (cls->bootstraps != NULL) return race_fail_at(r->err, a->offset, "two BootstrapMethods attributes");
    struct cursor c = cf_attr_cursor(cls, a);
    uint16_t n = cursor_u2(&c);
    if (!cursor_fits(&c, n, 4)) return race_fail_at(r->err, a->offset, "BootstrapMethods is cut off");
    if ((cls->bootstraps = CF_NEW_ARRAY(r, n, struct cf_bootstrap)) == NULL) return false;
    for (cls->n_bootstraps = 0; cls->n_bootstraps < n; cls->n_bootstraps++)
        if (!read_bootstrap(r, &c, &cls->bootstraps[cls->n_bootstraps])) return false;
    return finish(r, a, &c, "BootstrapMethods");
}

/* HotSpot lets an entry without an inner class pass (old compilers left such behind), and so do we. */
static bool read_inners(struct cf_reader *r, const struct cf_attr *a) {
    struct cf_class *cls = r->cls;
    if (cls->inners != NULL) return true; /* a second table is ignored */
    struct cursor c = cf_attr_cursor(cls, a);
    uint16_t n = cursor_u2(&c);
    if (!cursor_fits(&c, n, 8)) return race_fail_at(r->err, a->offset, "InnerClasses is cut off");
    if ((cls->inners = CF_NEW_ARRAY(r, n, struct cf_inner)) == NULL) return false;
    for (cls->n_inners = 0; cls->n_inners < n; cls->n_inners++) {
        struct cf_inner *in = &cls->inners[cls->n_inners];
        size_t at = c.pos;
        in->inner = cursor_u2(&c);
        in->outer = cursor_u2(&c);
        in->name = cursor_u2(&c);
        in->access = cursor_u2(&c);
        if (in->inner != 0 && !cf_want(r, at, in->inner, CF_CLASS, "inner class")) return false;
        if (in->outer != 0 && !cf_want(r, at + 2, in->outer, CF_CLASS, "outer class")) return false;
        if (in->name != 0 && !cf_want(r, at + 4, in->name, CF_UTF8, "inner class name")) return false;
    }
    return finish(r, a, &c, "InnerClasses");
}

static bool check_enclosing_method(struct cf_reader *r, const struct cf_attr *a) {
    struct cursor c = cf_attr_cursor(r->cls, a);
    uint16_t owner = cursor_u2(&c), method = cursor_u2(&c);
    if (!finish(r, a, &c, "EnclosingMethod")) return false;
    if (!cf_want(r, a->offset + 6, owner, CF_CLASS, "EnclosingMethod")) return false;
    return method == 0 || cf_want(r, a->offset + 8, method, CF_NAME_AND_TYPE, "EnclosingMethod");
}

/* Record components are fields seen once more; their attributes are checked and then forgotten. */
static bool check_record(struct cf_reader *r, const struct cf_attr *a) {
    struct cursor c = cf_attr_cursor(r->cls, a);
    uint16_t n = cursor_u2(&c);
    for (uint32_t i = 0; i < n && !c.failed; i++) {
        size_t at = c.pos;
        uint16_t name = cursor_u2(&c), desc = cursor_u2(&c);
        if (c.failed) break;
        if (!cf_want(r, at, name, CF_UTF8, "record component name")) return false;
        if (!cf_want(r, at + 2, desc, CF_UTF8, "record component descriptor")) return false;
        if (!cf_desc_is_field(cf_utf8(r->cls, desc)))
            return race_fail_at(r->err, at + 2, "bad record component descriptor");
        struct cf_attrs attrs;
        if (!cf_read_attrs(r, &c, CF_IN_RECORD, &attrs)) return false;
        for (uint32_t k = 0; k < attrs.n; k++)
            if (!check_common(r, &attrs.v[k])) return false;
    }
    return finish(r, a, &c, "Record");
}

/* What the file says about the class as a whole. */
bool cf_check_class_attrs(struct cf_reader *r) {
    struct cf_class *cls = r->cls;
    for (uint32_t i = 0; i < cls->attrs.n; i++) {
        struct cf_attr *a = &cls->attrs.v[i];
        bool ok = true;
        switch (a->kind) {
        case CF_ATTR_BOOTSTRAP_METHODS: ok = read_bootstraps(r, a); break;
        case CF_ATTR_SOURCE_FILE: ok = check_one(r, a, CF_UTF8, "SourceFile", &cls->source_file); break;
        case CF_ATTR_INNER_CLASSES: ok = read_inners(r, a); break;
        case CF_ATTR_ENCLOSING_METHOD: ok = check_enclosing_method(r, a); break;
        case CF_ATTR_NEST_HOST: ok = check_one(r, a, CF_CLASS, "NestHost", &cls->nest_host); break;
        case CF_ATTR_NEST_MEMBERS: ok = check_class_list(r, a, "NestMembers"); break;
        case CF_ATTR_PERMITTED_SUBCLASSES: ok = check_class_list(r, a, "PermittedSubclasses"); break;
        case CF_ATTR_RECORD: ok = check_record(r, a); break;
        default: ok = check_common(r, a); break;
        }
        if (!ok) return false;
    }
    return true;
}
