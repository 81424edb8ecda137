/*
 * The static race pipeline: from all pairs of accesses of one field to those that may race.
 *
 *     original -> reachable -> aliasing -> escaping -> parallel -> unlocked -> ultimate
 *
 * Each stage keeps the pairs that it cannot prove safe in at least one combination of contexts and threads
 * (Naik's four conditions; the lock analysis is the sound one, of locks that *must* be held).  A pair is two
 * access statements of application classes, at least one of them a write; a statement may race with itself.
 *
 * What is an access here: reads and writes of fields that are neither volatile nor safely final, of array
 * elements (System.arraycopy and clone() of an array included), and calls on the JDK's unsynchronised
 * collections and builders, which count as one read or write of the whole container.
 *
 * Soundness first: "may" means that no proof was found.  What the points-to analysis assumes about natives
 * and reflection (pts_gaps) is assumed here too.
 */
#ifndef RACE_RACES_H
#define RACE_RACES_H

#include "race/error.h"
#include "race/ids.h"
#include "race/ir.h"       /* ir_var */
#include "race/plan.h"     /* enum plan_kind */
#include "race/pointsto.h" /* struct pts, pts_inst */
#include "race/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h> /* FILE */

RACE_DEFINE_ID(races_site) /* an access of application code, from 1 */

enum races_stage {
    RACES_ORIGINAL,
    RACES_REACHABLE,
    RACES_ALIASING,
    RACES_ESCAPING,
    RACES_PARALLEL,
    RACES_UNLOCKED,
    RACES_ULTIMATE,
    RACES_N_STAGES
};
extern const char *const races_stage_names[RACES_N_STAGES];

struct races_options {
    unsigned without; /* bit (1 << enum races_stage): let every pair pass this stage */
    bool lib;         /* accesses inside the JDK's classes count too */
    /* Escape by reachability alone, no indices, no thread-local variables, no hand-overs: for comparing with
       the literal algorithms. */
    bool reach_only;
};

/* An access statement. */
struct races_access {
    method_id method;
    uint32_t stmt;
    uint16_t bci;
    int32_t line; /* -1 if unknown */
    uint8_t kind; /* enum plan_kind */
    bool is_write;
    field_id field;  /* instance, static */
    ir_var object;   /* whose field, element or contents; none for static fields */
    class_id type;   /* class that declares the field; array or container class as far as the code tells */
    name_id name;    /* of the field or of the method called */
    uint8_t use;     /* container: enum cc_use */
    bool stands_for; /* container: the object may be a view, an iterator or a wrapper of one */
    ir_var read_by;  /* container: the receiver of a call that reads it as an argument, under its own lock */
};

/* One combination of contexts and threads that no stage could remove. */
struct races_side {
    pts_inst inst;
    uint32_t thread; /* index for pts_thread() */
};

struct races_pair {
    races_site site[2];
    struct races_side side[2];
    pts_obj object; /* an abstract object that both may touch; 0 for static fields */
    class_id type;  /* array or container class of that object, else the declaring class */
};

struct races;

/*
 * Runs the pipeline.  `classes` are the application's; the results refer to them, to the program and to
 * `pts`, which must all outlive the races.  NULL with `err` set if a class's code is broken.
 */
struct races *races_find(const struct pts *pts, const class_id *classes, size_t n_classes,
                         const struct races_options *options, struct race_error *err);
void races_free(struct races *r);

/* Visits the @GuardedBy whose lock is not understood, and which are therefore not checked. */
typedef void races_guard_visitor(void *arg, const char *member, const char *guard, const char *why);
void races_unchecked_guards(struct races *r, races_guard_visitor *visit, void *arg);

uint64_t races_funnel(const struct races *r, enum races_stage stage);
uint32_t races_n_sites(const struct races *r);
const struct races_access *races_access(const struct races *r, races_site s);
/* The pairs of `ultimate`: field by field, then arrays, then containers. */
uint32_t races_n_pairs(const struct races *r);
const struct races_pair *races_pair(const struct races *r, uint32_t i);
double races_stage_seconds(const struct races *r, enum races_stage stage);

/* ---- texts; they live as long as the races ---- */

const char *races_location(struct races *r, const struct races_pair *pair); /* "pkg.C.f", "int[]", ... */
const char *races_why(struct races *r, const struct races_pair *pair);      /* one sentence */
/* "main", "Thread.start at a.B.m(B.java:7)", ... */
const char *races_root(struct races *r, const struct races_side *side);
/* Frames, "pkg.C.m(C.java:12)": of an access, and of a call in its caller. */
const char *races_access_text(struct races *r, races_site site);
const char *races_call_text(struct races *r, const struct pts_call *call);
/* Locks that must be held at the access. */
const char *const *races_locks(struct races *r, const struct races_pair *pair, int side, size_t *n);

/* ---- refinement ---- */

/*
 * Gives depth k to the allocation sites of the objects that pairs meet on and of their holders; returns how
 * many sites got deeper.  A points-to analysis with that map may tell them apart (Naik's thesis, Figure 4.8).
 */
size_t races_refine(struct races *r, struct pts_sigma *sigma, unsigned k);

/* Stable text: the funnel and one line per pair, for golden tests and `race analyze --format text`. */
void races_print_funnel(const struct races *r, FILE *out);

#endif
