/*
 * Rewriting one class: bytes in, bytes out, no JVM involved.
 *
 * What is inserted are calls to the static methods of java.lang.RaceAccess and its neighbours (agent/java),
 * with inline epoch checks around the calls that matter.  A class that cannot be rewritten is left as it was,
 * for a named reason.
 */
#ifndef RACE_AGENT_REWRITE_H
#define RACE_AGENT_REWRITE_H

#include "race/classfile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory effects passed to the VarHandle and Unsafe hooks; RaceVars.java has the same numbers. */
enum {
    EFFECT_ACQUIRE = 1,
    EFFECT_RELEASE = 2,
    EFFECT_UPDATE = 4,
    EFFECT_PLAIN_READ = 8,
    EFFECT_PLAIN_WRITE = 16
};

enum rewrite_outcome {
    REWRITE_DONE,      /* out has the new class */
    REWRITE_UNCHANGED, /* nothing to do in it */
    REWRITE_MALFORMED, /* does not parse; the VM will say so */
    REWRITE_NO_MEMORY,
    REWRITE_POOL_FULL,  /* more than 65,535 constants */
    REWRITE_OLD_FORMAT, /* jsr/ret or a version that cannot carry the checks */
    REWRITE_INTERNAL    /* the rewriter's own check failed */
};
const char *rewrite_outcome_name(enum rewrite_outcome outcome);

struct rewrite_policy {
    bool is_jdk;      /* synchronisation only, no access checks */
    bool accesses;    /* check accesses (a class can be excluded; its fields still get their words) */
    bool fields_only; /* but not those of array elements and containers */
    void *ctx;
    /* Whether a class name belongs to the JDK (then its fields have no words), decided by its package. */
    bool (*jdk_class)(void *ctx, struct cf_str name);
    /* Bytes of a JDK class, for the fields that a class of the program inherits; NULL if there is none;
       malloc'ed, freed by the rewriter. */
    uint8_t *(*jdk_bytes)(void *ctx, struct cf_str name, size_t *size);
    /* The same for a class of the program that may not be loaded yet; may be NULL, may not find it.  Fields
       of classes that stay unknown are checked by calls that look them up when they run. */
    uint8_t *(*class_bytes)(void *ctx, struct cf_str name, size_t *size);
    /*
     * What a plan decides; NULL without one.  wants_words: whether a field that this class declares gets
     * words. wants_site: whether the access at bci is checked.  site_added: an access got its number.
     * original_bci: where the instruction stood in the class that was analysed, if another agent has changed
     * it since.
     */
    bool (*wants_words)(void *ctx, struct cf_str field);
    bool (*wants_site)(void *ctx, struct cf_str method, struct cf_str desc, uint32_t bci);
    void (*site_added)(void *ctx, struct cf_str method, struct cf_str desc, uint32_t bci, uint32_t site);
    uint32_t (*original_bci)(void *ctx, struct cf_str method, struct cf_str desc, uint32_t bci);
    /* The i-th lock that the method requires of its callers, and its number; NULL if there are no more. */
    const char *(*required)(void *ctx, struct cf_str method, struct cf_str desc, uint32_t i,
                            uint32_t *number);
    /* The number of a method of which the plan saw no call, and which tells when it runs; else 0. */
    uint32_t (*unreached)(void *ctx, struct cf_str method, struct cf_str desc);
    /* Checks as calls only: a class that the plan does not know may use fields of one that it does, which may
       have no words; the call finds that out, an inline check would not link.  So it is in unreached methods.
     */
    bool calls_only;
};

struct rewrite_counts {
    uint32_t accesses, checked; /* access instructions; those that got a check */
    uint32_t huge_methods, full_methods,
        site_overflow; /* compact form; left alone (64 KB); no site number left */
};

/*
 * Rewrites the class.  On REWRITE_DONE *out is a malloc'ed buffer of *out_size bytes that the caller frees.
 */
enum rewrite_outcome rewrite_class(const uint8_t *bytes, size_t size, const struct rewrite_policy *policy,
                                   uint8_t **out, size_t *out_size, struct rewrite_counts *counts);

#endif
