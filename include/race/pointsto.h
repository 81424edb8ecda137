/*
 * Call graph, points-to sets, heap abstraction and abstract threads of a whole program, JDK included.
 *
 * Domains (Naik's thesis, 4.4):
 *   h  pts_alloc  an allocation site: a statement of a method, or one of the merged kinds (all strings, all
 *                 boxes of a class, all exceptions of a class, class constants ...)
 *   o  pts_obj    an abstract object: a non-empty sequence [h :: h' :: ...] of allocation sites, most
 *                 significant first, at most Sigma(h) long; with origins, tagged by the origin too
 *   c  pts_ctx    an abstract context: epsilon or the receiver's abstract object, and an origin if asked for
 *   i  (method, statement) of a call; in a context: (pts_inst, statement)
 *   m  pts_inst   a reachable (context, method) pair; all per-context results hang on it
 * Relations:
 *   ptsV (c, v, o)      pts_var()           ptsG (g, o)         pts_static()
 *   heap (o, f, o)      pts_field(), pts_elems()
 *   cscg (c, i, c, m)   pts_callees(), pts_callers()
 *   reachable (c, m)    pts_n_insts(), pts_inst_info()
 *
 * All ids run from 1 in an order that depends only on the program and the options, so two runs print the
 * same. Results are read-only and stay valid until pts_free(); the program must outlive them.  What the
 * analysis assumes about reflection and natives is counted and listed (pts_gaps), never silent.
 */
#ifndef RACE_POINTSTO_H
#define RACE_POINTSTO_H

#include "race/classpath.h" /* struct classpath */
#include "race/error.h"
#include "race/ids.h"
#include "race/ir.h"      /* ir_var */
#include "race/program.h" /* struct program, class_id ... */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h> /* FILE */

RACE_DEFINE_ID(pts_alloc) /* an allocation site */
RACE_DEFINE_ID(pts_obj)   /* an abstract object */
RACE_DEFINE_ID(pts_ctx)   /* an abstract context; PTS_EPSILON is the empty one */
RACE_DEFINE_ID(pts_inst)  /* a reachable method in one context */

enum { PTS_EPSILON = 1 }; /* value of pts_ctx.v */

struct pts;

/* ---- what to analyse ---- */

enum pts_mode {
    PTS_INSENSITIVE,  /* one context, one object per site; the pass that bounds the others */
    PTS_OBJECT,       /* k-object-sensitive, k per site */
    PTS_ORIGIN,       /* context = the thread or task entry that leads here */
    PTS_ORIGIN_OBJECT /* origin and k-object-sensitive */
};

/* The k-value map Sigma: a default and exceptions.  Values below 1 count as 1. */
struct pts_sigma;
struct pts_sigma *pts_sigma_new(unsigned default_k);
void pts_sigma_free(struct pts_sigma *s);
void pts_sigma_set(struct pts_sigma *s, method_id m, uint32_t stmt, unsigned k);
unsigned pts_sigma_get(const struct pts_sigma *s, method_id m, uint32_t stmt);

struct pts_options {
    enum pts_mode mode;
    unsigned k;                    /* default k value, 1 if 0 */
    const struct pts_sigma *sigma; /* overrides k for sites of application classes and JDK ones alike */
    const struct classpath *cp;    /* for services and resources; may be NULL */
    struct pts *reuse; /* an earlier result for the same program, or NULL: its code is taken over, the rest is
                          freed before solving */
    bool exact_k;      /* contexts by the book: Sigma for JDK sites too, no extra depth for containers */
    bool split_exceptions; /* one object per site for exceptions, strings' builders and boxes too */
};

enum pts_root_kind {
    PTS_ROOT_MAIN,  /* static void main(String[]): the main thread */
    PTS_ROOT_ENTRY, /* called once by an unknown caller in a thread of its own; arguments of the declared
                       types */
    PTS_ROOT_OPEN   /* like ENTRY, by any number of threads (methods of an open program) */
};

struct pts_root {
    method_id method;
    enum pts_root_kind kind;
    class_id self; /* class of the object that it is called on; 0: the one that declares it */
};

/*
 * Solves.  `err` gets what made it impossible (no root, a broken class the program needs); NULL then.
 */
struct pts *pts_solve(struct program *p, const struct pts_root *roots, size_t n_roots,
                      const struct pts_options *options, struct race_error *err);
void pts_free(struct pts *pts);

/* ---- sets ---- */

/* A borrowed set of abstract objects, ascending. */
struct pts_view {
    const void *set; /* NULL: empty */
};
struct pts_iter {
    uint32_t pos;
    uint64_t rest;
    bool started;
};
/* struct pts_iter it = {0}; pts_obj o; while (pts_next(view, &it, &o)) ... */
bool pts_next(struct pts_view view, struct pts_iter *it, pts_obj *o);
uint32_t pts_count(struct pts_view view);
bool pts_has(struct pts_view view, pts_obj o);
bool pts_intersects(struct pts_view a, struct pts_view b);

/* ---- objects and contexts ---- */

enum pts_alloc_kind {
    PTS_ALLOC_NEW,    /* `new`, array creation: method and stmt name the statement */
    PTS_ALLOC_INNER,  /* inner dimension of a multi-dimensional array creation */
    PTS_ALLOC_LAMBDA, /* function object of an invokedynamic site */
    PTS_ALLOC_MERGED, /* all strings / boxes / exceptions ... of a class: no statement */
    PTS_ALLOC_CLASS,  /* the Class object of a class (type) */
    PTS_ALLOC_MODEL   /* made by a native method or by the VM: what says which */
};

struct pts_alloc_info {
    uint8_t kind;     /* enum pts_alloc_kind */
    method_id method; /* 0 if no statement stands for it */
    uint32_t stmt;    /* index in its ir_body.stmts */
    uint16_t bci;
    uint16_t line;
    bool in_loop;      /* the statement lies in a loop of its method */
    bool is_empty;     /* array of length 0: it never has elements */
    class_id cls;      /* class of the objects */
    class_id type;     /* ALLOC_CLASS: the class it describes */
    const char *label; /* MODEL: what it stands for; else NULL */
};

struct pts_obj_info {
    pts_alloc alloc; /* car */
    pts_ctx rest;    /* cdr, as a context; PTS_EPSILON at the end */
    class_id cls;
    bool once; /* stands for at most one run-time object */
};

struct pts_ctx_info {
    pts_obj obj; /* the receiver's abstract object, or 0 */
    pts_obj
        origin; /* the thread or task object that began this origin, or 0 (main, or no origins asked for) */
};

uint32_t pts_n_allocs(const struct pts *pts);
uint32_t pts_n_objs(const struct pts *pts);
uint32_t pts_n_ctxs(const struct pts *pts);
const struct pts_alloc_info *pts_alloc_info(const struct pts *pts, pts_alloc a);
const struct pts_obj_info *pts_obj_info(const struct pts *pts, pts_obj o);
struct pts_ctx_info pts_ctx_info(const struct pts *pts, pts_ctx c);

/* ---- reachable methods ---- */

struct pts_inst_info {
    method_id method;
    pts_ctx ctx;
    bool once; /* runs at most once per program run: no loop, recursion or second caller leads to it */
};

uint32_t pts_n_insts(const struct pts *pts);
const struct pts_inst_info *pts_inst_info(const struct pts *pts, pts_inst i);
pts_inst pts_inst_of(const struct pts *pts, method_id m, pts_ctx c); /* 0 if not reachable */
/* All instances of a method, ascending; n = 0 if it is not reachable. */
const pts_inst *pts_insts_of(const struct pts *pts, method_id m, uint32_t *n);
bool pts_is_reachable(const struct pts *pts, method_id m);
/* A plug-in stands in for the method's code: calls of it have no edge, what it does hangs on the caller. */
bool pts_is_modelled(const struct pts *pts, method_id m);

/* ---- relations ---- */

struct pts_view pts_var(const struct pts *pts, pts_inst i, ir_var v);
struct pts_view pts_static(const struct pts *pts, field_id g);
struct pts_view pts_field(const struct pts *pts, pts_obj o, field_id f);
struct pts_view pts_elems(const struct pts *pts, pts_obj array);
/* The program leaves the field empty; code around it that nobody has seen puts objects there. */
bool pts_set_outside(const struct pts *pts, field_id f);
/* Calls visit(arg, f, set) for each non-empty reference field of o, elements with f = 0, in a stable order.
 */
void pts_each_field(const struct pts *pts, pts_obj o,
                    void (*visit)(void *arg, field_id f, struct pts_view set), void *arg);

enum pts_edge_kind {
    PTS_EDGE_CALL,   /* the callee runs before the call returns */
    PTS_EDGE_THREAD, /* Thread.start and the like: the callee is the root of a new thread */
    PTS_EDGE_CLINIT  /* class initialiser that this statement may trigger; stmt is the triggering one */
};

struct pts_call {
    pts_inst caller; /* 0: called by the VM (main, initialisers of the start-up, finalizers ...), or from
                        outside */
    uint32_t stmt;   /* the invoke in the caller's ir_body.stmts */
    pts_inst callee;
    uint8_t kind; /* enum pts_edge_kind */
};

/* Edges out of (into) an instance, ordered by statement, then callee.  They cover every statement. */
const struct pts_call *pts_callees(const struct pts *pts, pts_inst i, uint32_t *n);
const struct pts_call *pts_callers(const struct pts *pts, pts_inst i, uint32_t *n);
/* Just those of one call statement (a subrange of pts_callees). */
const struct pts_call *pts_callees_at(const struct pts *pts, pts_inst i, uint32_t stmt, uint32_t *n);

/* ---- abstract threads ---- */

enum pts_thread_kind {
    PTS_THREAD_MAIN,
    PTS_THREAD_START, /* a java.lang.Thread object that may be started */
    PTS_THREAD_ENTRY, /* an entry of the user's (PTS_ROOT_ENTRY, PTS_ROOT_OPEN) */
    PTS_THREAD_VM     /* finalizer, cleaner, signal handlers: run by the VM */
};

struct pts_thread {
    uint8_t kind;                  /* enum pts_thread_kind */
    bool many;                     /* may stand for more than one run-time thread */
    pts_obj obj;                   /* START: the thread object; else 0 */
    pts_inst root;                 /* run(), main(), the entry */
    const struct pts_call *starts; /* the statements that start it (kind THREAD) */
    uint32_t n_starts;
};

/* threads[0] is the first root's. */
uint32_t pts_n_threads(const struct pts *pts);
const struct pts_thread *pts_thread(const struct pts *pts, uint32_t t);

/* ---- what was assumed, counters, text ---- */

struct pts_gap {
    const char *what; /* "reflective call", "native method", "opaque code", ... */
    method_id in;     /* where; or the native method itself */
    uint32_t stmt;
    const char *detail;
};
uint32_t pts_n_gaps(const struct pts *pts);
const struct pts_gap *pts_gap(const struct pts *pts, uint32_t i);

struct pts_stats {
    uint32_t methods, app_methods; /* reachable, whatever the context */
    uint32_t insts, ctxs, objs, allocs;
    uint32_t classes;       /* initialised */
    uint32_t calls;         /* reachable invoke statements */
    uint32_t virtual_calls; /* of these virtual and interface calls with a target */
    uint32_t poly_calls;    /* more than one target method */
    uint32_t casts, may_fail_casts;
    uint32_t app_virtual_calls, app_poly_calls, app_casts,
        app_may_fail_casts;              /* the same, application only */
    uint32_t named_calls, named_classes; /* calls by computed names that got the classes resources name */
    uint64_t vars, var_objs;             /* reference variables with a set, and the sum of the sets' sizes */
    uint64_t nodes, edges, merged;       /* of the constraint graph */
    double seconds;                      /* CPU of the last pass */
    double insensitive_seconds;
};
struct pts_stats pts_stats(const struct pts *pts);

struct program *pts_program(const struct pts *pts);

/* Stable text.  With app_only, lines in which only JDK methods or objects occur are left out. */
void pts_print_obj(const struct pts *pts, pts_obj o, FILE *out); /* [T.main:12 :: ...] */
void pts_print_ctx(const struct pts *pts, pts_ctx c, FILE *out);
void pts_dump_callgraph(const struct pts *pts, bool app_only, FILE *out);
void pts_dump_pointsto(const struct pts *pts, bool app_only, FILE *out);
void pts_dump_heap(const struct pts *pts, bool app_only, FILE *out);
void pts_dump_threads(const struct pts *pts, FILE *out);
void pts_dump_gaps(const struct pts *pts, FILE *out);
void pts_dump_stats(const struct pts *pts, FILE *out);

#endif
