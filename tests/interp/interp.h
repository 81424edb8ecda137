/*
 * A small interpreter for the IR, as a test of it: a program must print under it what it prints in the JVM.
 *
 * It knows the language but no library: JDK constructors do nothing, calls of Out.print() print, and any
 * other call into the JDK ends the test.  A variable that is read before it was set ends the test as well, so
 * a PHI that took the wrong operand shows even where the value happens to be right.
 */
#ifndef RACE_TESTS_INTERP_H
#define RACE_TESTS_INTERP_H

#include "race/ir.h"
#include "race/program.h"
#include "race/vec.h"

struct object;

struct value {
    uint8_t kind; /* enum ir_kind; IR_NONE = not set */
    union {
        int32_t i;
        int64_t l;
        float f;
        double d;
        struct object *r;
    } u;
};

struct field_slot {
    field_id field;
    struct value value;
};

struct object {
    class_id cls;
    uint32_t length;     /* arrays and closures: number of elements */
    struct value *elems; /* arrays: elements; closures: captured values */
    dyn_id closure;      /* made by invokedynamic, or 0 */
    name_id text;        /* string constants */
    VEC(struct field_slot) fields;
    int monitor; /* how often entered */
};

struct interp {
    struct program *p;
    struct ir_builder *builder;
    struct arena arena;
    const struct ir_body **bodies; /* by method */
    uint32_t n_bodies;
    VEC(struct field_slot) statics;
    VEC(uint32_t) initialized; /* classes */
    int entered;               /* monitors held by anybody */
    unsigned depth;
    uint64_t steps;
};

/* Ends the test with one line. */
_Noreturn void interp_stop(const char *what, const char *detail);

/* Computations; *zero is set by a division by zero. */
struct value interp_binary(uint32_t op, struct value a, struct value b, bool *zero);
struct value interp_unary(uint32_t op, struct value a);
bool interp_holds(uint32_t op, struct value a, struct value b);

/* Runs a method; a non-NULL *thrown is the exception that left it. */
struct value interp_call(struct interp *in, method_id m, const struct value *args, uint32_t n,
                         struct object **thrown);

#endif
