/*
 * What the rewriter knows of other classes: superclass, fields, and what its small methods do, by name.
 *
 * A field reference names a class that may merely inherit the field, and does not say whether it is volatile
 * or final.  Classes are noted as they pass through the rewriter; a class that has not been loaded yet is
 * looked up through the policy's callbacks, and what was found is a promise: should another class of that
 * name be loaded, it gets the words that references already rely on.
 *
 * Ground rules: any thread, one lock, never holds it while calling out; entries are never freed or changed.
 */
#ifndef RACE_AGENT_REWRITE_WORLD_H
#define RACE_AGENT_REWRITE_WORLD_H

#include "rewrite.h"

struct world_field {
    const char *name; /* NUL-terminated */
    uint16_t access;
    bool is_twin, has_volatile_twin; /* see world_is_twin() */
};

/* Something of another class, or of the same, that has to be looked at before a method is found calm. */
struct world_use {
    const char *owner, *name, *desc;
    uint8_t op;
};

/* A method that may be calm (rewrite_calm.c): it is if all its uses are. */
struct world_method {
    const char *name, *desc;
    uint16_t access, n_uses;
    const struct world_use *uses;
};

struct world_class {
    const char *name, *super; /* super is "" for java.lang.Object */
    bool is_jdk;
    bool loaded; /* seen in the rewriter, as opposed to looked up */
    /* The first class of this name has monitors in instance methods; so a changed one gets the same fields.
     */
    bool locks_itself;
    uint16_t access;
    uint32_t n_fields, n_methods, n_others;
    struct world_field *fields;
    struct world_method *methods; /* those that may be calm; of classes of the program only */
    uint32_t *others;             /* hashes of the names of all other methods */
    struct world_class *next;     /* of the same bucket, newest first */
};

/* Notes a class that is being loaded; returns what had been promised under its name before, or NULL. */
const struct world_class *world_note(const struct rewrite_policy *policy, const struct cf_class *cls);

enum world_field_kind {
    WORLD_UNKNOWN, /* a class of the chain cannot be found */
    WORLD_PLAIN,
    WORLD_VOLATILE,
    WORLD_FINAL, /* or a field of the JDK that is not checked */
    WORLD_TWIN,  /* not checked: the class has another field of that name */
    WORLD_FENCE, /* the same, and one of them is volatile: an access of any orders as a fence does */
};

/*
 * Whether the class has another field of that name, of another type (obfuscators make such; compilers do
 * not): words are found by name alone, so these have none.
 */
bool world_is_twin(const struct cf_class *cls, uint32_t field, bool *any_volatile);

/* What a reference to owner.name means. */
enum world_field_kind world_field(const struct rewrite_policy *policy, struct cf_str owner,
                                  struct cf_str name);

/* Fields of the JDK that are volatile in all but name: written by VarHandle or before a fence, read plainly.
 */
bool world_acts_volatile(struct cf_str owner, struct cf_str field);

/* The method that owner inherits or declares, if it may be calm and *exact: if no subclass can have another
   in its place; else NULL. */
const struct world_method *world_method(const struct rewrite_policy *policy, struct cf_str owner,
                                        struct cf_str name, struct cf_str desc, bool *exact);

/* The class by name, looked up if need be; NULL if unknown. */
const struct world_class *world_class(const struct rewrite_policy *policy, struct cf_str name);

#endif
