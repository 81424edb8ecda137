/*
 * Class files (JVMS chapter 4), Java 6 to 25: reading.
 *
 * cf_parse() checks the structure of the whole file (every index, count and length, every instruction
 * boundary) and gives a read-only view that borrows the bytes.  Nothing is interpreted twice: names are
 * (pointer, length) slices of the file, code stays bytes and is walked with cf_insn_decode().  Attributes
 * that bear code offsets are decoded; all others are kept as byte ranges.
 *
 * Changing a class is the business of classedit.h; names of opcodes are in opcodes.h.
 */
#ifndef RACE_CLASSFILE_H
#define RACE_CLASSFILE_H

#include "race/arena.h" /* struct arena */
#include "race/error.h" /* struct race_error */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CF_ACC_PUBLIC = 0x0001,
    CF_ACC_PRIVATE = 0x0002,
    CF_ACC_PROTECTED = 0x0004,
    CF_ACC_STATIC = 0x0008,
    CF_ACC_FINAL = 0x0010,
    CF_ACC_SYNCHRONIZED = 0x0020, /* methods; ACC_SUPER on classes */
    CF_ACC_VOLATILE = 0x0040,     /* fields; ACC_BRIDGE on methods */
    CF_ACC_TRANSIENT = 0x0080,    /* fields; ACC_VARARGS on methods */
    CF_ACC_NATIVE = 0x0100,
    CF_ACC_INTERFACE = 0x0200,
    CF_ACC_ABSTRACT = 0x0400,
    CF_ACC_STRICT = 0x0800,
    CF_ACC_SYNTHETIC = 0x1000,
    CF_ACC_ANNOTATION = 0x2000,
    CF_ACC_ENUM = 0x4000,
    CF_ACC_MODULE = 0x8000
};

enum cf_tag {
    CF_UNUSABLE = 0, /* index 0 and the second half of longs and doubles */
    CF_UTF8 = 1,
    CF_INTEGER = 3,
    CF_FLOAT = 4,
    CF_LONG = 5,
    CF_DOUBLE = 6,
    CF_CLASS = 7,
    CF_STRING = 8,
    CF_FIELDREF = 9,
    CF_METHODREF = 10,
    CF_INTERFACE_METHODREF = 11,
    CF_NAME_AND_TYPE = 12,
    CF_METHOD_HANDLE = 15,
    CF_METHOD_TYPE = 16,
    CF_DYNAMIC = 17,
    CF_INVOKE_DYNAMIC = 18,
    CF_MODULE = 19,
    CF_PACKAGE = 20
};

/* Modified UTF-8 as it stands in the file; not NUL-terminated. */
struct cf_str {
    const char *p;
    uint32_t n;
};

struct cf_const {
    uint8_t tag;      /* enum cf_tag */
    uint8_t ref_kind; /* METHOD_HANDLE: 1..9 */
    uint16_t a, b;    /* the entry's one or two indices in file order (METHOD_HANDLE: a = reference_index) */
    uint32_t offset;  /* of the tag byte in the file */
    union {
        struct cf_str utf8;
        int32_t i;
        float f;
        int64_t l;
        double d;
    } u;
};

enum cf_attr_kind {
    CF_ATTR_OTHER = 0,
    CF_ATTR_CODE,
    CF_ATTR_STACK_MAP_TABLE,
    CF_ATTR_LINE_NUMBER_TABLE,
    CF_ATTR_LOCAL_VARIABLE_TABLE,
    CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE,
    CF_ATTR_BOOTSTRAP_METHODS,
    CF_ATTR_EXCEPTIONS,
    CF_ATTR_SIGNATURE,
    CF_ATTR_SOURCE_FILE,
    CF_ATTR_INNER_CLASSES,
    CF_ATTR_ENCLOSING_METHOD,
    CF_ATTR_NEST_HOST,
    CF_ATTR_NEST_MEMBERS,
    CF_ATTR_RECORD,
    CF_ATTR_PERMITTED_SUBCLASSES,
    CF_ATTR_CONSTANT_VALUE,
    CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS,
    CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS,
    CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS,
    CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS,
    CF_ATTR_SYNTHETIC,
    CF_ATTR_DEPRECATED
};

/* An attribute as a byte range: header at `offset`, payload at `offset + 6`. */
struct cf_attr {
    uint8_t kind; /* enum cf_attr_kind; OTHER if unknown or not legal where it stands */
    uint16_t name;
    uint32_t offset; /* of attribute_name_index */
    uint32_t length; /* of the payload */
};

struct cf_attrs {
    struct cf_attr *v;
    uint16_t n;
};

struct cf_handler {
    uint16_t start, end, handler; /* bytecode offsets, [start, end) */
    uint16_t catch_type;          /* CONSTANT_Class or 0 for any */
};

enum cf_vtype_tag {
    CF_V_TOP,
    CF_V_INTEGER,
    CF_V_FLOAT,
    CF_V_DOUBLE,
    CF_V_LONG,
    CF_V_NULL,
    CF_V_UNINIT_THIS,
    CF_V_OBJECT, /* arg: CONSTANT_Class, or 0 for the declared type of a parameter */
    CF_V_UNINIT  /* arg: bytecode offset of the `new` */
};

struct cf_vtype {
    uint8_t tag;
    uint16_t arg;
};

/*
 * One stack map frame, expanded: every form of the file (same, chop, append...) becomes the full list.  Longs
 * and doubles are one entry, as in the file.
 */
struct cf_frame {
    uint16_t bci;
    uint16_t n_locals, n_stack;
    struct cf_vtype *locals, *stack;
};

struct cf_line {
    uint16_t bci, line;
};

struct cf_local_var {
    uint16_t start, length, name, desc, index; /* desc is a signature in the *TypeTable */
};

struct cf_code {
    uint32_t attr_offset; /* of the Code attribute's header in the file */
    uint16_t max_stack, max_locals;
    const uint8_t *code;
    uint32_t length;
    struct cf_handler *handlers;
    uint16_t n_handlers;
    struct cf_attrs attrs;
    struct cf_frame *frames; /* in bci order; the implicit first frame is not among them */
    uint32_t n_frames;
    bool has_frames;       /* a StackMapTable stands in the file (it may be empty) */
    struct cf_line *lines; /* all LineNumberTables, in file order */
    uint32_t n_lines;
    struct cf_local_var *vars; /* all LocalVariableTables */
    uint32_t n_vars;
};

struct cf_field {
    uint16_t access, name, desc;
    uint32_t offset; /* of access_flags in the file */
    struct cf_attrs attrs;
};

struct cf_method {
    uint16_t access, name, desc;
    uint32_t offset;
    struct cf_attrs attrs;
    struct cf_code *code; /* NULL for native and abstract methods */
};

struct cf_bootstrap {
    uint16_t method; /* CONSTANT_MethodHandle */
    uint16_t n_args;
    const uint16_t *args; /* constant-pool indices */
};

struct cf_inner {
    uint16_t inner, outer, name, access;
};

struct cf_class {
    const uint8_t *data; /* borrowed; must outlive the class */
    size_t size;
    struct arena arena; /* owns everything below */

    uint16_t minor, major;
    struct cf_const *pool; /* pool[0 .. n_pool-1]; pool[0] is unusable */
    uint16_t n_pool;
    uint32_t pool_end; /* file offset just behind the constant pool */
    uint16_t access, this_class, super_class;
    uint16_t *interfaces;
    uint16_t n_interfaces;
    struct cf_field *fields;
    uint16_t n_fields;
    struct cf_method *methods;
    uint16_t n_methods;
    struct cf_attrs attrs;

    struct cf_bootstrap *bootstraps;
    uint16_t n_bootstraps;
    struct cf_inner *inners;
    uint16_t n_inners;
    uint16_t source_file; /* CONSTANT_Utf8 or 0 */
    uint16_t nest_host;   /* CONSTANT_Class or 0 */
};

/*
 * Parses data[0 .. size-1], which must outlive the class.  On failure `err` says what and where, and `cls` is
 * left released.
 */
bool cf_parse(struct cf_class *cls, const uint8_t *data, size_t size, struct race_error *err);
void cf_class_release(struct cf_class *cls);

/* Constant-pool look-ups.  cf_parse() has checked all indices, so these cannot fail on a parsed class's own
   indices; each returns an empty string for an index of another kind. */
struct cf_str cf_utf8(const struct cf_class *cls, uint16_t index);
struct cf_str cf_class_name(const struct cf_class *cls,
                            uint16_t index); /* internal form: java/lang/String, [I */

struct cf_member_ref {
    struct cf_str owner, name, desc;
    bool is_interface; /* CONSTANT_InterfaceMethodref */
};
/* Of a FIELDREF, METHODREF or INTERFACE_METHODREF; of DYNAMIC and INVOKE_DYNAMIC with an empty owner. */
struct cf_member_ref cf_member(const struct cf_class *cls, uint16_t index);

bool cf_str_eq(struct cf_str a, struct cf_str b);
bool cf_str_is(struct cf_str a, const char *z);

/* Number of argument words (long, double count 2) without receiver; kind of the result as descriptor char. */
unsigned cf_desc_arg_words(struct cf_str desc);
char cf_desc_return(struct cf_str desc);

/*
 * One decoded instruction.  `wide` prefixes are folded in: op is the widened opcode, length covers both.
 */
struct cf_insn {
    uint32_t bci;
    uint32_t length;
    uint8_t op;     /* enum cf_opcode in opcodes.h */
    bool wide;      /* had a wide prefix */
    uint16_t index; /* local variable (of iload_1 etc. too), constant-pool index or primitive array type */
    int32_t
        value; /* immediate of bipush, sipush, iinc; dimensions of multianewarray; count of invokeinterface */
    int32_t target; /* absolute bci of a branch; default target of a switch */
    int32_t low;    /* tableswitch: lowest key */
    uint32_t n_cases;
    uint32_t cases; /* switch: offset in code[] of the first table entry */
};

/* Decodes the instruction at bci of checked code. */
struct cf_insn cf_insn_decode(const struct cf_code *code, uint32_t bci);
/* Key and absolute target of case i of a decoded switch. */
int32_t cf_insn_case_key(const struct cf_code *code, const struct cf_insn *insn, uint32_t i);
int32_t cf_insn_case_target(const struct cf_code *code, const struct cf_insn *insn, uint32_t i);

/*
 * The locals of the implicit first frame; returns their number, at most 256.  A parameter of reference type
 * is CF_V_OBJECT with arg 0, as its type need not be in the constant pool; frames that inherit it keep it at
 * the same position, so that its type can be found in the descriptor.
 */
uint16_t cf_initial_locals(const struct cf_class *cls, const struct cf_method *method, struct cf_vtype *out);

/* Source line of a bytecode index, or -1. */
int cf_line_at(const struct cf_code *code, uint32_t bci);

/* Code offsets in a type annotation attribute of a Code attribute, for those who move code. */
enum cf_pc_kind {
    CF_PC_OFFSET, /* u2 offset of an instruction */
    CF_PC_RANGE   /* u2 start, u2 length */
};
typedef void cf_pc_visit(void *ctx, enum cf_pc_kind kind, uint32_t at); /* at: file offset of the first u2 */
void cf_type_annotation_pcs(const struct cf_class *cls, const struct cf_attr *attr, cf_pc_visit *visit,
                            void *ctx);

/* The first attribute of a kind, or NULL. */
const struct cf_attr *cf_attr_find(const struct cf_attrs *attrs, enum cf_attr_kind kind);

/* True if a runtime-visible or -invisible annotation with this *simple* name (no package, no outer class)
   stands on the attributes' owner; if value is not NULL it gets the string element "value" (the first of
   several), when present. */
bool cf_annotated(const struct cf_class *cls, const struct cf_attrs *attrs, const char *simple_name,
                  struct cf_str *value);

#endif
