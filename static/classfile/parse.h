/*
 * Inside the class-file reader.
 *
 * Ground rules:
 *  - every byte is read through a struct cursor, every offset in an error is an offset in the file;
 *  - a structure that the JVM acts on (pool, code, handlers, stack maps, bootstrap methods) must be right or
 *    the class is refused;
 *  - a structure that only debuggers and reflection read (line and variable tables, annotations) never fails
 * a class: HotSpot loads classes whose obfuscator left such tables odd.  It is demoted to CF_ATTR_OTHER, and
 *    nothing is decoded from it;
 *  - nothing is allocated for a count before the bytes for that many items are known to be there.
 */
#ifndef RACE_CLASSFILE_PARSE_H
#define RACE_CLASSFILE_PARSE_H

#include "race/classfile.h"
#include "race/cursor.h" /* struct cursor */

struct cf_reader {
    struct cf_class *cls;
    struct race_error *err;
    size_t frame_budget; /* how many more stack map entries may be expanded, see frames.c */
};

/* Arrays live in the class's arena; NULL (with the error set) only when memory is out. */
void *cf_new_array(struct cf_reader *r, size_t n, size_t size);
#define CF_NEW_ARRAY(r, n, type) ((type *)cf_new_array((r), (n), sizeof(type)))

/* pool.c */
bool cf_read_pool(struct cf_reader *r, struct cursor *c);
bool cf_check_bootstrap_indices(struct cf_reader *r);
bool cf_is(const struct cf_class *cls, uint16_t index, enum cf_tag tag);
bool cf_is_or_0(const struct cf_class *cls, uint16_t index, enum cf_tag tag);
bool cf_is_loadable(const struct cf_class *cls, uint16_t index); /* as an ldc or bootstrap argument */
/* Fails with "WHAT: constant N is not a KIND" unless the index is of the kind. */
bool cf_want(struct cf_reader *r, size_t offset, uint16_t index, enum cf_tag tag, const char *what);

/* desc.c */
bool cf_desc_is_field(struct cf_str desc);
bool cf_desc_is_method(struct cf_str desc);
bool cf_name_is_class(struct cf_str name); /* internal form or array descriptor */
bool cf_name_is_unqualified(
    struct cf_str name); /* a field's name, or a method's other than <init>, <clinit> */
/* Takes one field type off the front of a checked descriptor's arguments; empty at ')'. */
struct cf_str cf_desc_next(struct cf_str *rest);

/* attrs.c */
enum cf_place { CF_IN_CLASS = 1, CF_IN_FIELD = 2, CF_IN_METHOD = 4, CF_IN_CODE = 8, CF_IN_RECORD = 16 };

/* Reads attributes_count and the attributes as byte ranges; `where` is for messages. */
bool cf_read_attrs(struct cf_reader *r, struct cursor *c, enum cf_place place, struct cf_attrs *attrs);
/* A cursor over an attribute's payload. */
struct cursor cf_attr_cursor(const struct cf_class *cls, const struct cf_attr *attr);
bool cf_check_class_attrs(struct cf_reader *r);
bool cf_check_field_attrs(struct cf_reader *r, struct cf_field *field);
bool cf_check_method_attrs(struct cf_reader *r, struct cf_method *method);

/* One bit per byte of code; a method has at most 65535. */
struct cf_bits {
    uint64_t w[1024];
};

static inline void cf_bit_set(struct cf_bits *b, uint32_t i) {
    b->w[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline bool cf_bit(const struct cf_bits *b, uint32_t i) {
    return b->w[i / 64] >> (i % 64) & 1;
}

/* The Code attribute under examination. */
struct cf_code_reader {
    struct cf_reader *r;
    const struct cf_method *method;
    struct cf_code *code;
    uint32_t code_at;      /* file offset of code[0] */
    struct cf_bits starts; /* where instructions start; only the first length bits mean anything */
    struct cf_bits targets;
};

static inline bool cf_is_start(const struct cf_code_reader *cr, uint32_t bci) {
    return bci < cr->code->length && cf_bit(&cr->starts, bci);
}

/* code.c */
bool cf_read_code(struct cf_reader *r, struct cf_method *method, const struct cf_attr *attr);
/* codecheck.c: every instruction; fills `starts`. */
bool cf_check_instructions(struct cf_code_reader *cr);
/* frames.c */
bool cf_read_frames(struct cf_code_reader *cr, struct cf_attr *attr);
/* annotations.c */
bool cf_annotations_ok(const struct cf_class *cls, const struct cf_attr *attr);
/* `code` is NULL for an attribute that stands on a class, field or method. */
bool cf_type_annotations_ok(const struct cf_class *cls, const struct cf_attr *attr,
                            const struct cf_code_reader *code);

#endif
