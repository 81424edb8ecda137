/*
 * Class files: changing them.
 *
 * An edit is a list of wishes over a parsed class: constants to append, members to add, code to insert.
 * Nothing happens to the class itself; cfe_write() produces new bytes.  What no wish touches is copied byte
 * for byte, so a class without wishes comes out identical, and so does each untouched method.
 *
 * Code is edited by position in the *original* method.  Around every instruction there are these places:
 *
 *         [after(previous)]  >boundary<  [before(this)]  this instruction, or [replace(this)]  [after(this)]
 * ...
 *
 * Everything that names a bytecode index (branches, exception ranges, lines, local variables, frames) keeps
 * naming the boundary.  Hence code inserted *before* an instruction also runs when the instruction is jumped
 * to; code inserted *after* one runs only on falling through, and lies inside the ranges that cover it.
 * entry() precedes the boundary of index 0: a loop back to 0 does not run it again.  tail() follows the last
 * instruction and is reached only by labels (branches, handlers).
 *
 * Frames: inserted code that branches gets its stack map frames from a forward simulation of types through
 * the finished method (framesim.h).  Frames of the original are kept and moved.
 *
 * Failure: memory, pool or size limits never abort.  A method that cannot be edited is written unchanged
 * with its reason in cfe_method.reason; only a failure of the class as a whole makes cfe_write() fail.  All
 * functions may be called after a failure (they then do nothing), so callers need to check only once.
 */
#ifndef RACE_CLASSEDIT_H
#define RACE_CLASSEDIT_H

#include "race/arena.h"     /* struct arena */
#include "race/classfile.h" /* struct cf_class, cf_vtype */

#include <string.h> /* strlen */

enum cfe_reason {
    CFE_OK = 0,
    CFE_NO_MEMORY,
    CFE_POOL_FULL,         /* more than 65,535 constants */
    CFE_TOO_MANY_MEMBERS,  /* more than 65,535 fields or methods */
    CFE_CODE_TOO_LARGE,    /* the method would pass 65,535 bytes */
    CFE_TOO_MANY_LOCALS,   /* more than 65,535 local variable slots */
    CFE_STACK_TOO_DEEP,    /* more than 65,535 operand stack slots */
    CFE_TOO_MANY_HANDLERS, /* exception table or frame table overflows its count */
    CFE_UNVERIFIABLE,      /* types cannot be followed, so frames cannot be made */
    CFE_BAD_EDIT,          /* a branch to a label that was never bound, code for a method without code... */
    CFE_REASONS
};

/* A short phrase for reports. */
const char *cfe_reason_text(enum cfe_reason reason);

struct cf_edit;
struct cfe_item; /* one instruction of the edited method; private */
struct cfe_spot; /* the inserted code around one instruction; private */

/* A place in the code of one method. */
struct cf_label {
    uint32_t id;
};

/* Code under construction; always belongs to a place in a method. */
struct cf_asm {
    struct cfe_method *m;
    struct cfe_item *first, *last;
};

struct cfe_added_handler {
    struct cf_label start, end, handler;
    uint16_t catch_type;
    bool first;        /* before the handlers of the original */
    bool keeps_locals; /* the handler knows the locals as they are at the start of the range */
};

/* A local variable added to a method that holds a value of `type` from the end of entry() on, everywhere. */
struct cfe_typed_local {
    uint16_t index;
    struct cf_vtype type;
};

struct cfe_method {
    struct cf_edit *edit;
    const struct cf_method *original; /* NULL for an added method */
    uint16_t access, name, desc;
    enum cfe_reason reason; /* after cfe_write(): why the code was left as it was */
    bool header_changed, code_changed;

    uint16_t max_stack, max_locals;
    bool overflow_locals, overflow_stack;
    uint32_t *spot_of;       /* by bytecode index: 1 + index in spots, 0 none; length + 1 entries */
    struct cfe_spot **spots; /* in order of creation */
    uint32_t n_spots, cap_spots;
    struct cf_asm entry, tail, sink;
    uint32_t *label_bci; /* by label: original bytecode index + 1, or 0 when bound in inserted code */
    uint32_t n_labels, cap_labels;
    struct cfe_added_handler *handlers;
    uint32_t n_handlers, cap_handlers;
    struct cfe_typed_local *typed;
    uint32_t n_typed, cap_typed;
    struct cfe_method *next; /* of the added methods */
};

struct cfe_field {
    uint16_t access, name, desc, value; /* value: ConstantValue index or 0 */
    struct cfe_field *next;
};

struct cf_edit {
    const struct cf_class *cls;
    struct arena arena;     /* wishes */
    struct arena scratch;   /* one method's layout */
    enum cfe_reason failed; /* the class as a whole */
    uint16_t access;        /* class access flags; may be changed */

    struct cf_const *added; /* constants n_pool, n_pool + 1, ... (longs and doubles take two) */
    uint32_t n_added, cap_added;
    uint16_t *buckets; /* open hash over all constants, built at the first look-up */
    uint32_t mask;

    struct cfe_method *methods; /* parallel to cls->methods */
    struct cfe_method *new_methods, **new_methods_end;
    struct cfe_field *new_fields, **new_fields_end;
    uint32_t n_new_methods, n_new_fields;
    struct cfe_method sink; /* stands in for a method that could not be allocated */
};

/* `cls` must outlive the edit. */
void cfe_init(struct cf_edit *e, const struct cf_class *cls);
void cfe_release(struct cf_edit *e);

struct cfe_buf {
    uint8_t *p;
    size_t n, cap;
    bool failed;
};
void cfe_buf_release(struct cfe_buf *b);

/* Writes the edited class to `out`, which must be zeroed or reusable; its content is replaced. */
enum cfe_reason cfe_write(struct cf_edit *e, struct cfe_buf *out);
/* Whether any wish has been made. */
bool cfe_changed(const struct cf_edit *e);

/* --- Constants: the index of an equal constant, appended if there is none; 0 on failure. -----------------
 */

static inline struct cf_str cf_z(const char *z) {
    return (struct cf_str){z, (uint32_t)strlen(z)};
}

uint16_t cfe_utf8(struct cf_edit *e, struct cf_str s);
uint16_t cfe_class(struct cf_edit *e, struct cf_str internal_name);
uint16_t cfe_string(struct cf_edit *e, struct cf_str s);
uint16_t cfe_int(struct cf_edit *e, int32_t v);
uint16_t cfe_long(struct cf_edit *e, int64_t v);
uint16_t cfe_name_and_type(struct cf_edit *e, struct cf_str name, struct cf_str desc);
/* tag: CF_FIELDREF, CF_METHODREF or CF_INTERFACE_METHODREF */
uint16_t cfe_ref(struct cf_edit *e, enum cf_tag tag, struct cf_str owner, struct cf_str name,
                 struct cf_str desc);

/* Look-ups that know the appended constants too. */
const struct cf_const *cfe_const(const struct cf_edit *e, uint16_t index);
struct cf_str cfe_utf8_at(const struct cf_edit *e, uint16_t index);
struct cf_str cfe_class_name_at(const struct cf_edit *e, uint16_t index);
struct cf_member_ref cfe_member_at(const struct cf_edit *e, uint16_t index);

/* --- Members ------------------------------------------------------------------------------------------- */

/* value: a constant for static fields, or 0. */
void cfe_add_field(struct cf_edit *e, uint16_t access, struct cf_str name, struct cf_str desc,
                   uint16_t value);
/* Whether one of that name was added. */
bool cfe_adds_field(struct cf_edit *e, struct cf_str name);
/* Adds a method.  Its code, if any, is what is assembled in its cfe_tail(); never NULL. */
struct cfe_method *cfe_add_method(struct cf_edit *e, uint16_t access, struct cf_str name, struct cf_str desc);
/* The edit of cls->methods[i]. */
struct cfe_method *cfe_method(struct cf_edit *e, uint32_t i);
void cfe_set_access(struct cfe_method *m, uint16_t access);
void cfe_rename(struct cfe_method *m, struct cf_str name);

/* --- Code ---------------------------------------------------------------------------------------------- */

/* Places; never NULL.  Code asked for twice at one place is appended to the first. */
struct cf_asm *cfe_before(struct cfe_method *m, uint32_t bci);
struct cf_asm *cfe_after(struct cfe_method *m, uint32_t bci);
/* The same, but exception ranges that start at the next instruction start before this code: what follows a
   monitorenter must be guarded like the block, or HotSpot finds the locking unstructured and never compiles
   it. */
struct cf_asm *cfe_after_guarded(struct cfe_method *m, uint32_t bci);
struct cf_asm *cfe_replace(struct cfe_method *m, uint32_t bci); /* drops the instruction; not of `new` */
struct cf_asm *cfe_entry(struct cfe_method *m);
struct cf_asm *cfe_tail(struct cfe_method *m);

/* A scratch local variable of that many slots: its value is not kept across frames of the original. */
uint16_t cfe_add_local(struct cfe_method *m, unsigned slots);
/* A local variable that entry() sets and that keeps this type throughout the method. */
uint16_t cfe_add_typed_local(struct cfe_method *m, struct cf_vtype type);
/* Asks for `slots` more operand stack than the original (the maximum of all such wishes counts). */
void cfe_need_stack(struct cfe_method *m, unsigned slots);

/* Bytes of the method's code with all wishes so far; UINT32_MAX if it cannot be laid out. */
uint32_t cfe_code_size(struct cfe_method *m);
/* Forgets all wishes for the method's code, for a second attempt. */
void cfe_clear_code(struct cfe_method *m);

struct cf_label cfe_label(struct cfe_method *m); /* to be bound with cfa_bind() */
struct cf_label cfe_label_at(struct cfe_method *m,
                             uint32_t bci); /* a boundary of the original; length = its end */
/*
 * Adds an exception handler.  At its first instruction the stack holds the exception and, unless the handler
 * is an original boundary with its own frame, only typed locals are known.
 */
void cfe_add_handler(struct cfe_method *m, struct cf_label start, struct cf_label end,
                     struct cf_label handler, uint16_t catch_type, bool first);

/* The same, first in the table, for a range in inserted code that stores into no local: the handler, which
   must come later in the method, knows the locals. */
void cfe_add_inner_handler(struct cfe_method *m, struct cf_label start, struct cf_label end,
                           struct cf_label handler);

/* --- Assembler ----------------------------------------------------------------------------------------- */

void cfa_op(struct cf_asm *a, uint8_t op);                    /* without operands */
void cfa_local(struct cf_asm *a, uint8_t op, uint16_t index); /* iload...astore; picks the short forms */
void cfa_push_int(struct cf_asm *a, int32_t v);               /* iconst, bipush, sipush or ldc */
void cfa_push_long(struct cf_asm *a, int64_t v);              /* lconst or ldc2_w */
void cfa_ldc(struct cf_asm *a, uint16_t index);               /* of a one-slot constant */
void cfa_const(struct cf_asm *a, uint8_t op, uint16_t index); /* field, invoke and class instructions */
void cfa_newarray(struct cf_asm *a, uint8_t primitive);       /* JVMS table 6.5.newarray-A */
void cfa_field(struct cf_asm *a, uint8_t op, const char *owner, const char *name, const char *desc);
void cfa_invoke(struct cf_asm *a, uint8_t op, const char *owner, const char *name, const char *desc);
void cfa_branch(struct cf_asm *a, uint8_t op, struct cf_label target);
void cfa_bind(struct cf_asm *a, struct cf_label label);
/* Pushes the parameters of a method from its locals, starting at slot `first`. */
void cfa_load_args(struct cf_asm *a, struct cf_str desc, uint16_t first);
/* The return instruction of a descriptor. */
uint8_t cfa_return_op(struct cf_str desc);

#endif
