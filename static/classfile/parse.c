/* The class file as a whole (JVMS 4.1): header, members, and the order in which the parts are read. */
#include "parse.h"

#include <string.h>

enum {
    MAGIC = 0xCAFEBABE,
    OLDEST = 45, /* Java 1.1 */
    NEWEST = 69, /* Java 25 */
    /* 64 MB of expanded frames for one class is some 50 times what the largest real class needs. */
    FRAME_BUDGET = 16 << 20
};

void *cf_new_array(struct cf_reader *r, size_t n, size_t size) {
    void *p = arena_alloc_n(&r->cls->arena, n, size);
    if (p == NULL) race_fail(r->err, "out of memory");
    return p;
}

/* The version is checked before anything else is read: a file of a newer format would fail somewhere later,
   with a message that leads nowhere. */
static bool read_header(struct cf_reader *r, struct cursor *c) {
    struct cf_class *cls = r->cls;
    uint32_t magic = cursor_u4(c);
    if (c->failed || magic != MAGIC) return race_fail_at(r->err, 0, "not a class file (bad magic number)");
    cls->minor = cursor_u2(c);
    cls->major = cursor_u2(c);
    if (c->failed) return race_fail_at(r->err, c->end, "file ends inside the version");
    if (cls->major > NEWEST)
        return race_fail_at(r->err, 6, "class file version %u is newer than %u (Java 25)", cls->major,
                            NEWEST);
    if (cls->major < OLDEST)
        return race_fail_at(r->err, 6, "class file version %u is older than %u (Java 1.1)", cls->major,
                            OLDEST);
    return true;
}

/* Access flags are taken as they are: which combinations make sense is for those who use them.  Only Object
   and module descriptors have no superclass. */
static bool read_hierarchy(struct cf_reader *r, struct cursor *c) {
    struct cf_class *cls = r->cls;
    size_t at = c->pos;
    cls->access = cursor_u2(c);
    cls->this_class = cursor_u2(c);
    cls->super_class = cursor_u2(c);
    cls->n_interfaces = cursor_u2(c);
    if (c->failed) return race_fail_at(r->err, c->end, "file ends inside the class header");
    if (!cf_want(r, at + 2, cls->this_class, CF_CLASS, "this_class")) return false;
    if (cls->super_class != 0 && !cf_want(r, at + 4, cls->super_class, CF_CLASS, "super_class")) return false;
    if (cls->super_class == 0 && (cls->access & CF_ACC_MODULE) == 0 &&
        !cf_str_is(cf_class_name(cls, cls->this_class), "java/lang/Object"))
        return race_fail_at(r->err, at + 4, "class has no superclass");
    if (!cursor_fits(c, cls->n_interfaces, 2))
        return race_fail_at(r->err, at + 6, "file ends inside the interfaces");
    if ((cls->interfaces = CF_NEW_ARRAY(r, cls->n_interfaces, uint16_t)) == NULL) return false;
    for (uint32_t i = 0; i < cls->n_interfaces; i++) {
        cls->interfaces[i] = cursor_u2(c);
        if (!cf_want(r, c->pos - 2, cls->interfaces[i], CF_CLASS, "interface")) return false;
    }
    return true;
}

/* n_fields counts what has been read so far, so that it is right at every moment. */
static bool read_fields(struct cf_reader *r, struct cursor *c) {
    struct cf_class *cls = r->cls;
    size_t at = c->pos;
    uint16_t n = cursor_u2(c);
    if (c->failed || !cursor_fits(c, n, 8)) return race_fail_at(r->err, at, "file ends inside the fields");
    if ((cls->fields = CF_NEW_ARRAY(r, n, struct cf_field)) == NULL) return false;
    for (cls->n_fields = 0; cls->n_fields < n; cls->n_fields++) {
        struct cf_field *f = &cls->fields[cls->n_fields];
        f->offset = (uint32_t)c->pos;
        f->access = cursor_u2(c);
        f->name = cursor_u2(c);
        f->desc = cursor_u2(c);
        if (c->failed) return race_fail_at(r->err, c->end, "file ends inside the fields");
        if (!cf_want(r, f->offset + 2, f->name, CF_UTF8, "field name")) return false;
        if (!cf_want(r, f->offset + 4, f->desc, CF_UTF8, "field descriptor")) return false;
        if (!cf_name_is_unqualified(cf_utf8(cls, f->name)))
            return race_fail_at(r->err, f->offset + 2, "bad field name");
        if (!cf_desc_is_field(cf_utf8(cls, f->desc)))
            return race_fail_at(r->err, f->offset + 4, "bad field descriptor");
        if (!cf_read_attrs(r, c, CF_IN_FIELD, &f->attrs) || !cf_check_field_attrs(r, f)) return false;
    }
    return true;
}

/* Of the names with angle brackets the JVM knows two; all others would clash with what it makes up itself. */
static bool check_method_head(struct cf_reader *r, const struct cf_method *m) {
    struct cf_class *cls = r->cls;
    if (!cf_want(r, m->offset + 2, m->name, CF_UTF8, "method name")) return false;
    if (!cf_want(r, m->offset + 4, m->desc, CF_UTF8, "method descriptor")) return false;
    struct cf_str name = cf_utf8(cls, m->name), desc = cf_utf8(cls, m->desc);
    if (!cf_name_is_unqualified(name)) return race_fail_at(r->err, m->offset + 2, "bad method name");
    if (!cf_desc_is_method(desc)) return race_fail_at(r->err, m->offset + 4, "bad method descriptor");
    if (name.p[0] != '<') return true;
    /* <clinit> with arguments is an ordinary method that is never called in files before version 51. */
    bool init = cf_str_is(name, "<init>"), clinit = cf_str_is(name, "<clinit>");
    if (!init && !clinit) return race_fail_at(r->err, m->offset + 2, "bad method name");
    if (init && cf_desc_return(desc) != 'V')
        return race_fail_at(r->err, m->offset + 4, "<init> returns a value");
    return true;
}

/* The code is read together with its method, while the method's descriptor is at hand for the first frame. */
static bool read_methods(struct cf_reader *r, struct cursor *c) {
    struct cf_class *cls = r->cls;
    size_t at = c->pos;
    uint16_t n = cursor_u2(c);
    if (c->failed || !cursor_fits(c, n, 8)) return race_fail_at(r->err, at, "file ends inside the methods");
    if ((cls->methods = CF_NEW_ARRAY(r, n, struct cf_method)) == NULL) return false;
    for (cls->n_methods = 0; cls->n_methods < n; cls->n_methods++) {
        struct cf_method *m = &cls->methods[cls->n_methods];
        m->offset = (uint32_t)c->pos;
        m->access = cursor_u2(c);
        m->name = cursor_u2(c);
        m->desc = cursor_u2(c);
        if (c->failed) return race_fail_at(r->err, c->end, "file ends inside the methods");
        if (!check_method_head(r, m)) return false;
        if (!cf_read_attrs(r, c, CF_IN_METHOD, &m->attrs) || !cf_check_method_attrs(r, m)) return false;
    }
    return true;
}

/* Bootstrap methods stand at the end of the file but are named by constants at its beginning, hence the last
   check. */
static bool read_class(struct cf_reader *r, struct cursor *c) {
    if (!read_header(r, c) || !cf_read_pool(r, c) || !read_hierarchy(r, c)) return false;
    if (!read_fields(r, c) || !read_methods(r, c)) return false;
    if (!cf_read_attrs(r, c, CF_IN_CLASS, &r->cls->attrs) || !cf_check_class_attrs(r)) return false;
    if (cursor_left(c) != 0) return race_fail_at(r->err, c->pos, "extra bytes behind the class");
    return cf_check_bootstrap_indices(r);
}

bool cf_parse(struct cf_class *cls, const uint8_t *data, size_t size, struct race_error *err) {
    *cls = (struct cf_class){.data = data, .size = size};
    arena_init(&cls->arena);
    cls->arena.may_fail = true; /* the agent reads classes too, and must outlive a lack of memory */
    /* Offsets are kept in 32 bits. */
    if (size > INT32_MAX) return race_fail(err, "class file is larger than 2 GB");
    struct cf_reader r = {.cls = cls, .err = err, .frame_budget = FRAME_BUDGET};
    struct cursor c = cursor_make(data, size);
    if (read_class(&r, &c)) return true;
    cf_class_release(cls);
    return false;
}

void cf_class_release(struct cf_class *cls) {
    arena_release(&cls->arena);
    *cls = (struct cf_class){0};
}
