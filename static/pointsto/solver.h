/*
 * The solver behind race/pointsto.h: Java on top of the constraint graph.
 *
 * Reading order: code.h (what a method is reduced to), objects.c (abstract objects and contexts), policy.c
 * (who gets which context), solver.c (instances of methods, loads, stores), calls.c (call edges), plugin.h
 * (the oddities of Java), result.c and threads.c (after the fixed point).
 *
 * Ground rules: numbers are given in the order of discovery and nothing depends on addresses or hash order;
 * everything a constraint does must be idempotent, since merging nodes delivers objects again.
 */
#ifndef RACE_POINTSTO_SOLVER_H
#define RACE_POINTSTO_SOLVER_H

#include "code.h"
#include "graph.h"

#include "race/arena.h"
#include "race/pointsto.h"
#include "race/vec.h"

enum pts_cons_kind {
    PTS_CONS_LOAD,  /* a: destination node, b: ref_id of the field, 0 for array elements */
    PTS_CONS_STORE, /* a: source node, b: likewise */
    PTS_CONS_CALL,  /* a: site; for each object of the receiver */
    PTS_CONS_WATCH  /* a: watch; a plug-in wants to see the objects */
};

/* Field numbers of heap nodes: resolved field_ids, and these. */
enum { PTS_FIELD_ELEMS = 0, PTS_FIELD_MODEL = 0x40000000, PTS_FIELD_CAPTURE = (int)0x60000000 };

/* A call in one context: the statement of an instance, or a call that a plug-in derived from one. */
struct pts_site {
    uint32_t caller; /* instance; 0: the VM */
    uint32_t stmt;
    uint32_t call;    /* index in the caller's code, for plug-ins; PTS_NO_VAR for derived calls */
    uint32_t ref;     /* ref_id or dyn_id; 0 for derived calls */
    method_id method; /* resolved method; 0 if not yet */
    uint32_t ret;     /* node or PTS_NO_NODE */
    uint32_t *args;   /* nodes or PTS_NO_NODE; [0] is the receiver unless static */
    uint16_t n_args;
    uint8_t kind;  /* enum ir_call */
    uint8_t edge;  /* enum pts_edge_kind */
    uint32_t last; /* the callee found last: most receivers lead to the same again */
};

/* A reachable method in one context. */
struct pts_instance {
    struct pts_inst_info info;
    const struct pts_code *code;
    uint32_t base;     /* node of variable 0 */
    bool instantiated; /* its statements are in the graph */
};

struct pts;
struct pts_watch;
typedef void pts_watch_fn(struct pts *s, const struct pts_watch *w, uint32_t obj);

struct pts_watch {
    pts_watch_fn *fn;
    uint32_t site; /* the call that it belongs to */
    uint32_t a, b; /* for the plug-in */
};

/* Where a call on an object leads, whichever virtual call of that method it is: see calls.c. */
struct pts_known_call {
    uint32_t obj, method;
    uint32_t callee;               /* instance; 0: the model */
    const struct pts_model *model; /* stands for the method and sees the object again */
};

/* What a method means to the solver beyond its code. */
struct pts_method {
    struct pts_code *code;         /* NULL until first needed */
    const struct pts_model *model; /* a plug-in stands in for it; NULL: nobody */
    bool model_known;
    uint32_t plain; /* the instance without a context; 0: none yet */
    VEC(pts_inst) insts;
};

/* A class that a resource names, and the element of the class path that has the resource. */
struct pts_named {
    class_id cls;
    uint32_t element;
};

/* Code and allocation sites, shared by the successive runs of an adaptive analysis. */
struct pts_world {
    unsigned refs;
    struct program *p;
    struct arena arena; /* code, labels */
    struct ir_builder *builder;
    VEC(struct pts_alloc_info) allocs; /* [0] unused */
    struct pts_map alloc_map;
    VEC(struct pts_code *) code;    /* by method id */
    VEC(bool) is_compiling;         /* by method id: its code is being made */
    bool loaded_all;                /* every class of the application was loaded, for reflection */
    bool split;                     /* exceptions, boxes and builders are not merged */
    bool knows_named, names_unread; /* what resources name was looked for; not all could be read */
    VEC(struct pts_named) named;    /* see plugins/names.c */
    VEC(bool) is_named;             /* by class: some call got it */
    uint32_t n_named;               /* of these */
    VEC(bool *) refers, uses;       /* by element of the class path, which others; NULL: not yet known */
};

/* A thread object that was started, with the instance that it runs. */
struct pts_started {
    uint32_t obj, root;
    uint32_t caller, stmt;
};

struct pts {
    struct pts_world *world;
    struct program *p;
    struct pts_options options;
    struct arena arena;
    struct pts_graph g;

    VEC(struct pts_obj_info) objs; /* [0] unused; the same numbers as in the graph */
    struct pts_map obj_map;
    VEC(struct pts_ctx_info) ctxs; /* [0] unused, [1] epsilon */
    struct pts_map ctx_map;

    VEC(struct pts_method) methods; /* by method id */
    VEC(struct pts_instance) insts; /* [0]: the VM, calls the roots */
    struct pts_map inst_map;
    VEC(uint32_t) new_insts; /* statements not yet in the graph */

    VEC(struct pts_site) sites;
    VEC(struct pts_watch) watches;
    VEC(struct pts_call) calls;         /* all edges, in order of discovery until pts_finish() sorts them */
    struct pts_pairs call_pairs;        /* (site, callee) that exist */
    struct pts_pairs handled;           /* (site, object) that a model has seen */
    struct pts_known_call *known_calls; /* see calls.c */

    struct pts_map heap_map;   /* (object, field) -> node + 1 */
    struct pts_map static_map; /* field -> node + 1 */
    struct pts_map catch_map;  /* exception class -> node + 1 */
    struct pts_map model_map;  /* (class, method name) -> model index + 1 */
    uint32_t thrown;           /* node: everything thrown */
    uint32_t thread_objs;      /* node: every thread that may be started or is current */
    VEC(uint32_t) clinits;     /* by class: its initialiser, 0 none, PTS_NO_NODE not looked at yet */
    struct pts_map init_map;   /* (instance, class) pairs that have an edge */
    VEC(const struct pts_model *) models;
    VEC(uint8_t) carriers; /* by class, see policy.c: 0 not looked at yet, 1 is one, 2 is none */
    VEC(struct pts_gap) gaps;
    struct pts_map gap_map;
    struct pts_map named_calls;  /* (method, statement) pairs that got the classes named in resources */
    struct pts_map derived;      /* derived calls, see pts_derive() */
    struct pts_map lambdas;      /* allocation -> dyn_id of the site that makes the function object */
    VEC(dyn_id) marked;          /* function objects of more than one interface, see pts_kind_of() */
    struct pts_map atomics;      /* class -> 1 + first in atomic_fields */
    VEC(uint32_t) atomic_fields; /* lists of field ids, each ended by 0 */
    uint32_t any_class;          /* the Class object that stands for all; 0: not made yet */
    uint32_t references;         /* node: every java.lang.ref.Reference */
    uint32_t providers;          /* node: instances of services that were asked for */

    /* after the fixed point */
    VEC(uint32_t) callee_start; /* by instance, into calls */
    VEC(struct pts_call) callers;
    VEC(uint32_t) caller_start;
    VEC(struct pts_thread) threads;
    VEC(struct pts_started) started; /* filled while solving */
    VEC(uint64_t) heap_keys;         /* object << 32 | field, sorted */
    VEC(struct pts_root) roots;
    struct pts_map packages; /* of the roots, as far as the first packages_of tell */
    size_t packages_of;
    struct pts_map outside_objs;   /* objects of the code around the program that were constructed */
    struct pts_map outside_fields; /* fields that it sets */
    struct pts_stats stats;
};

/* ---- objects.c ---- */
pts_alloc pts_alloc_at(struct pts_world *w, struct pts_alloc_info info); /* interned */
pts_alloc pts_alloc_merged(struct pts_world *w, class_id cls);
pts_alloc pts_alloc_class(struct pts_world *w, class_id type);
pts_alloc pts_alloc_model(struct pts_world *w, class_id cls, const char *label);
pts_alloc pts_alloc_string(struct pts_world *w, name_id text); /* a string that names a class */
/* An object of class cls that a call makes (a copy of an array, an instance by reflection). */
pts_alloc pts_alloc_call(struct pts_world *w, method_id m, const struct pts_code_call *call, class_id cls,
                         bool in_loop);
/* A model object that stands for a class: its Constructor, its Method of that name, its ServiceLoader ... */
pts_alloc pts_alloc_about(struct pts_world *w, class_id cls, const char *label, class_id type);
uint32_t pts_make_obj(struct pts *s, pts_alloc a, pts_ctx c); /* h (+)_Sigma(h) c */
uint32_t pts_plain_obj(struct pts *s, pts_alloc a);           /* [h] */
pts_ctx pts_make_ctx(struct pts *s, uint32_t obj, uint32_t origin);
uint32_t pts_merged_obj(struct pts *s, class_id cls);
uint32_t pts_model_obj(struct pts *s, const char *cls, const char *label);
uint32_t pts_class_obj(struct pts *s, class_id type);

/* ---- policy.c ---- */
bool pts_is_merged(struct program *p, class_id c, bool split);
unsigned pts_k_of(struct pts *s, pts_alloc a, pts_ctx c);
pts_ctx pts_ctx_for(struct pts *s, const struct pts_site *site, uint32_t recv, method_id callee);
bool pts_is_app(const struct pts *s, method_id m);

/* ---- code.c / compile.c ---- */
struct pts_code *pts_code_of(struct pts_world *w, method_id m); /* NULL if asked for while it is being made */

/* ---- solver.c ---- */
uint32_t pts_kind_of(struct pts *s, pts_alloc a); /* what the graph's filters go by */
uint32_t pts_field_node(struct pts *s, uint32_t obj, uint32_t field);
uint32_t pts_static_node(struct pts *s, field_id f);
uint32_t pts_catch_node(struct pts *s, class_id type);
uint32_t pts_instance(struct pts *s, method_id m, pts_ctx c); /* makes it reachable */
uint32_t pts_param_node(struct pts *s, uint32_t inst, uint32_t i);
uint32_t pts_return_node(struct pts *s, uint32_t inst);
void pts_initialise(struct pts *s, class_id c, uint32_t inst, uint32_t stmt);
struct pts_method *pts_method_at(struct pts *s, method_id m);
void pts_add_gap(struct pts *s, const char *what, method_id in, uint32_t stmt, const char *detail);
bool pts_instance_of_class(struct pts *s, uint32_t obj, class_id c);

/* ---- calls.c ---- */
uint32_t pts_new_site(struct pts *s, struct pts_site site); /* copies args */
void pts_enter_site(struct pts *s, uint32_t site);          /* puts the call into the graph */
void pts_call_on(struct pts *s, uint32_t site, uint32_t obj);
void pts_call_edge(struct pts *s, uint32_t site, uint32_t callee, uint32_t recv);
/* Returns the instance that is called; 0 if a model stands for the method. */
uint32_t pts_call_method(struct pts *s, uint32_t site, method_id target, uint32_t recv);
void pts_add_watch(struct pts *s, uint32_t node, pts_watch_fn *fn, uint32_t site, uint32_t a, uint32_t b);

/* ---- opaque.c ---- */
void pts_enter_opaque(struct pts *s, uint32_t inst);
void pts_throw_declared(struct pts *s, uint32_t site, const struct pts_code *code); /* once for each call */

/* ---- plugins.c ---- */
void pts_plugins_start(struct pts *s);
const struct pts_model *pts_model_of(struct pts *s, method_id m);
/* Calls of function objects and proxies: true if the object is one and the call was dealt with. */
bool pts_call_function(struct pts *s, uint32_t site, uint32_t obj);
void pts_call_dynamic(struct pts *s, uint32_t site);

/* Called once for every abstract object that a statement makes. */
void pts_on_object(struct pts *s, uint32_t obj);

/* ---- threads.c, result.c ---- */
void pts_find_threads(struct pts *s);
void pts_finish(struct pts *s);
void pts_compute_stats(struct pts *s);

#endif
