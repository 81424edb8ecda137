/*
 * Program model: the class table, its hierarchy, and resolution and selection as in JVMS 5.4.
 *
 * Ground rules:
 *  - Everything is an id.  A *type* is a class_id too: primitives, void and arrays are classes of the table.
 *  - A class may be known only by name (CLASS_NAMED).  It is read when somebody asks for its contents, and
 * its supertypes are read with it.  Naming a class never reads a file, so IR can be built without pulling in
 *    the world.
 *  - A class that cannot be found becomes a phantom: no members, supertype Object, listed once.
 *  - A class file that is broken (or part of a superclass cycle) becomes a phantom as well and sets the
 *    program's error; callers check program_failed() after each stage instead of after every query.
 *  - Pointers to *_info stay valid and unchanged once the class is loaded, for as long as the program lives.
 *    Parsed class files (program_class_file) come and go; ask again instead of keeping the pointer.
 *  - Not thread-safe: queries load and cache.
 */
#ifndef RACE_PROGRAM_H
#define RACE_PROGRAM_H

#include "race/class_source.h"
#include "race/classfile.h" /* struct cf_class, CF_ACC_* */
#include "race/error.h"
#include "race/ids.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h> /* FILE */

RACE_DEFINE_ID(name_id)   /* an interned string: name, descriptor, string constant */
RACE_DEFINE_ID(ref_id)    /* a symbolic reference to a field or method, interned over the whole program */
RACE_DEFINE_ID(handle_id) /* a method-handle constant */
RACE_DEFINE_ID(dyn_id)    /* an invokedynamic call site descriptor or a dynamic constant */

struct program;

/* ---- fixed ids ---- */

enum { /* values of class_id.v */
       CLASS_VOID = 1,
       CLASS_BOOLEAN,
       CLASS_BYTE,
       CLASS_CHAR,
       CLASS_SHORT,
       CLASS_INT,
       CLASS_LONG,
       CLASS_FLOAT,
       CLASS_DOUBLE, /* the last primitive */
       CLASS_OBJECT, /* java/lang/Object, and so on; known by name from the start */
       CLASS_STRING,
       CLASS_CLASS,
       CLASS_THROWABLE,
       CLASS_THREAD,
       CLASS_RUNNABLE,
       CLASS_CLONEABLE,
       CLASS_SERIALIZABLE,
       CLASS_METHOD_HANDLE,
       CLASS_METHOD_TYPE,
       CLASS_VAR_HANDLE,
       CLASS_N_FIXED
};

/* ---- what is known of a class and its members ---- */

enum class_state {
    CLASS_NAMED,   /* known by name only, not looked for yet */
    CLASS_LOADING, /* its supertypes are being loaded; never seen from outside */
    CLASS_LOADED,  /* from a class file */
    CLASS_PHANTOM, /* not found or broken */
    CLASS_BUILTIN  /* primitive or array */
};

struct class_info {
    class_id id;
    name_id name; /* internal: "java/lang/String", "[I", "int" */
    name_id package;
    name_id source_file; /* 0 if unknown */
    const char *origin;  /* where the class file came from; NULL for phantoms and builtins */
    uint8_t state;       /* enum class_state */
    bool from_jdk;
    bool incomplete; /* itself or a supertype is a phantom: subtype answers may miss some */
    uint16_t access; /* CF_ACC_*, as in the class file's header */
    uint16_t major;

    class_id super; /* 0 for Object and primitives; Object for interfaces and arrays */
    const class_id *interfaces;
    uint16_t n_interfaces;
    uint16_t n_fields, n_methods;
    field_id first_field; /* the members' ids are consecutive, in file order */
    method_id first_method;
    class_id nest_host; /* itself if it names none */

    class_id component; /* arrays: one dimension less; else 0 */
    uint16_t dimensions;

    /* Closed upwards as the class is loaded, which makes program_is_subtype() O(1) for classes. */
    uint32_t depth;             /* superclass steps to Object */
    const class_id *superchain; /* [0] = Object ... [depth] = itself */
    const class_id *all_interfaces;
    uint32_t n_all_interfaces; /* sorted by id, itself included if an interface */
};

struct field_info {
    class_id owner;
    name_id name, desc;
    class_id type;
    uint16_t access;
    uint16_t index; /* in cf_class.fields */
};

/* Of a method descriptor.  `words` counts argument words without the receiver. */
struct method_sig {
    uint16_t n_params, words;
    class_id result;
    const class_id *params;
};

struct method_info {
    class_id owner;
    name_id name, desc;
    const struct method_sig *sig;
    uint16_t access;
    uint16_t index;       /* in cf_class.methods */
    bool has_code;        /* a Code attribute stands in the file */
    bool sig_polymorphic; /* MethodHandle.invokeExact, VarHandle.get ... (JVMS 2.9.3) */
};

/* ---- lifetime and loading ---- */

struct program_options {
    bool keep_class_files; /* keep every parsed class; else only those parsed last */
    uint32_t parsed_files; /* how many those are; 0 = enough for most programs, some 50 MB */
};

/* The source must outlive the program. */
struct program *program_new(const struct class_source *source, struct program_options options);
void program_free(struct program *p);

/* True if some class was broken; `err` (may be NULL) gets the first such error. */
bool program_failed(const struct program *p, struct race_error *err);

/* Loads every class of the source. */
bool program_load_all(struct program *p, struct race_error *err);

uint32_t program_n_classes(const struct program *p); /* ids run from 1 to this number */
uint32_t program_n_methods(const struct program *p);
uint32_t program_n_fields(const struct program *p);

/* The phantoms so far, each once, in the order in which they were missed. */
const class_id *program_phantoms(const struct program *p, uint32_t *n);

/* ---- names ---- */

name_id program_intern(struct program *p, const char *s, size_t n);
name_id program_name(struct program *p, const char *z);
const char *program_str(const struct program *p, name_id name); /* NUL-terminated modified UTF-8 */
size_t program_str_len(const struct program *p, name_id name);

/* ---- classes ---- */

class_id program_class(struct program *p, const char *internal_name); /* by name, not loaded: never 0 */
class_id program_class_n(struct program *p, name_id internal_name);
class_id program_array_of(struct program *p, class_id component);
/* Of a field descriptor ("I", "[Ljava/lang/String;"); 0 if malformed. */
class_id program_type(struct program *p, const char *desc, size_t n);
/* Loads; 0 instead of a phantom if the class is missing. */
class_id program_find_class(struct program *p, const char *internal_name);

/* program_info() loads the class first, program_peek() never does.  The pointers are the same. */
const struct class_info *program_info(struct program *p, class_id c);
const struct class_info *program_peek(const struct program *p, class_id c);
const struct method_info *program_method(const struct program *p, method_id m);
const struct field_info *program_field(const struct program *p, field_id f);
const char *program_class_name(const struct program *p, class_id c);

static inline bool class_is_primitive(class_id c) {
    return c.v >= CLASS_VOID && c.v <= CLASS_DOUBLE;
}

/* The parsed class file, read again if it was dropped; NULL for phantoms and builtins.  Valid until the next
   call with another class, unless all are kept or it is pinned. */
const struct cf_class *program_class_file(struct program *p, class_id c);
void program_pin(struct program *p, class_id c, bool pinned);
const struct cf_method *program_cf_method(struct program *p, method_id m);

/* ---- hierarchy ---- */

/* Assignability of references (JVMS checkcast), arrays included.  Loads both. */
bool program_is_subtype(struct program *p, class_id sub, class_id super);
/* Direct subclasses and (for interfaces) direct implementors and subinterfaces among the loaded classes. */
const class_id *program_subclasses(struct program *p, class_id c, uint32_t *n);
/* Calls visit once for c and each loaded class below it, breadth first, until visit returns false. */
void program_each_below(struct program *p, class_id c, bool (*visit)(void *arg, class_id sub), void *arg);
bool program_same_package(struct program *p, class_id a, class_id b);
bool program_same_nest(struct program *p, class_id a, class_id b);

/* ---- members: declared, resolved (5.4.3), accessible (5.4.4), overriding (5.4.5), selected (5.4.6) ---- */

/* Declared in this very class, or 0. */
method_id program_declared_method(struct program *p, class_id c, name_id name, name_id desc);
field_id program_declared_field(struct program *p, class_id c, name_id name, name_id desc);
/* The same by C strings, e.g. ("java/lang/Thread", "start", "()V"). */
method_id program_method_named(struct program *p, const char *cls, const char *name, const char *desc);
field_id program_field_named(struct program *p, const char *cls, const char *name, const char *desc);

field_id program_resolve_field(struct program *p, class_id c, name_id name, name_id desc);
/* interface_ref: the constant is an InterfaceMethodref.  0 if the lookup fails or the kinds do not match
   (the JVM would throw NoSuchMethodError or IncompatibleClassChangeError). */
method_id program_resolve_method(struct program *p, class_id c, name_id name, name_id desc,
                                 bool interface_ref);

bool program_can_access_class(struct program *p, class_id from, class_id c);
/* `through` is the class named in the symbolic reference (matters for protected members). */
bool program_can_access_method(struct program *p, class_id from, method_id m, class_id through);
bool program_can_access_field(struct program *p, class_id from, field_id f, class_id through);

/* Whether sub (in a subclass) can override m, package-private rules and their transitivity included. */
bool program_overrides(struct program *p, method_id sub, method_id m);

/*
 * The method that invokevirtual or invokeinterface runs for a receiver whose class is exactly `recv`, when
 * the reference resolved to `resolved`.  0 if none is found, if it is abstract, or if defaults conflict.
 * Cached.
 */
method_id program_dispatch(struct program *p, class_id recv, method_id resolved);

/* The method that invokespecial in class `caller` runs for a reference naming class `named`. */
method_id program_dispatch_special(struct program *p, class_id caller, class_id named, method_id resolved);

/* ---- symbolic references, interned over all constant pools ---- */

struct member_ref {
    class_id cls; /* as named, not resolved; an array class for e.g. int[].clone() */
    name_id name, desc;
    bool is_field;
    bool interface_ref;
};

/* Of a constant-pool entry of class c: FIELDREF, METHODREF or INTERFACE_METHODREF. */
ref_id program_cp_ref(struct program *p, class_id c, uint16_t index);
class_id program_cp_class(struct program *p, class_id c, uint16_t index);
const struct member_ref *program_ref(const struct program *p, ref_id r);

/* Resolve once, answer from a cache afterwards; 0 if resolution fails. */
method_id program_ref_method(struct program *p, ref_id r);
field_id program_ref_field(struct program *p, ref_id r);

/* Type of a field reference; signature of a method reference.  From the descriptor alone, nothing is loaded.
 */
class_id program_ref_type(struct program *p, ref_id r);
const struct method_sig *program_ref_sig(struct program *p, ref_id r);
const struct method_sig *program_sig(struct program *p, name_id desc); /* NULL if malformed */

enum { /* reference_kind of a method handle (JVMS 4.4.8) */
       HANDLE_GET_FIELD = 1,
       HANDLE_GET_STATIC,
       HANDLE_PUT_FIELD,
       HANDLE_PUT_STATIC,
       HANDLE_INVOKE_VIRTUAL,
       HANDLE_INVOKE_STATIC,
       HANDLE_INVOKE_SPECIAL,
       HANDLE_NEW_INVOKE_SPECIAL,
       HANDLE_INVOKE_INTERFACE
};

struct handle_info {
    uint8_t kind; /* HANDLE_* */
    ref_id ref;
};

enum const_kind {
    CONST_NULL,
    CONST_INT,
    CONST_LONG,
    CONST_FLOAT,
    CONST_DOUBLE,
    CONST_STRING,
    CONST_CLASS,
    CONST_METHOD_HANDLE,
    CONST_METHOD_TYPE,
    CONST_DYNAMIC
};

struct const_value {
    uint8_t kind; /* enum const_kind */
    union {
        int64_t i;    /* INT, LONG */
        double d;     /* FLOAT, DOUBLE */
        name_id name; /* STRING: its text; METHOD_TYPE: the descriptor */
        class_id cls;
        handle_id handle;
        dyn_id dyn;
    } u;
};

/* An invokedynamic site's (or dynamic constant's) static part.  Its identity is the constant-pool entry. */
struct dyn_info {
    class_id owner; /* the class whose constant pool it stands in */
    uint16_t cp_index;
    name_id name, desc; /* desc: a method descriptor for calls, a field descriptor for constants */
    bool is_call;
    handle_id bootstrap;
    uint16_t n_args;
};

struct const_value program_cp_const(struct program *p, class_id c,
                                    uint16_t index); /* of a loadable constant */
dyn_id program_cp_dyn(struct program *p, class_id c, uint16_t index);
const struct handle_info *program_handle(const struct program *p, handle_id h);
const struct dyn_info *program_dyn(const struct program *p, dyn_id d);
/* Static argument i of the bootstrap method. */
struct const_value program_dyn_arg(struct program *p, dyn_id d, uint16_t i);

/* ---- text ---- */

/* "java.util.Map.get(Object)" is for people; this is the exact form
 * "java/util/Map.get(Ljava/lang/Object;)...". */
void program_print_method(const struct program *p, method_id m, FILE *out);
void program_print_ref(const struct program *p, ref_id r, FILE *out);
/* Stable description of a class: header, supertypes, fields and methods in file order. */
void program_dump_class(struct program *p, class_id c, FILE *out);

#endif
