/*
 * State shared by the files of the race pipeline; see race/races.h for what it computes.
 *
 *   bodies.c     IR of the methods, built when first asked for
 *   containers.c which JDK calls are accesses of a container
 *   behind.c     what stands behind views, iterators and wrappers
 *   accesses.c   the accesses of the application
 *   fields.c     facts about fields that hold everywhere: stable, injective
 *   paths.c      symbolic names of values: x, x.f.g, C.s, C.class
 *   threads.c    which abstract threads run an instance; shortest call paths
 *   sources.c    where the values of parameters come from, thread by thread
 *   ints.c       which integers a variable can be
 *   symbols.c    integers as formulas
 *   formulas.c   which formula a variable is, as a thread computes it
 *   numbers.c    what tells the threads of a loop apart
 *   bands.c      ranges of indices that threads share out by their numbers
 *   draws.c      numbers that a counter hands out once
 *   ranges.c     numbers that a stream hands out once
 *   elements.c   array elements that cannot be the same
 *   colours.c    elements that are even on one side and odd on the other
 *   escape.c     objects that more than one thread may reach, whatever the program point
 *   targets.c    the methods that a call leads to
 *   summary.c    what a method does with its parameters' objects
 *   unheld.c     objects that nothing has a reference to but variables
 *   local.c      objects that are still their thread's own at a statement
 *   making.c     objects whose constructors have not ended
 *   branches.c   what a thread's arguments rule out
 *   parallel.c   which threads may be alive at a statement
 *   initial.c    what class initialisers and constructors with final fields do before others see it
 *   joins.c      loops that join all threads of an array
 *   handles.c    VarHandles and updaters that stand for one field
 *   foreign.c    atomics and latches that are used out of sight
 *   signals.c    what comes before a flag is set and after it was seen
 *   levels.c     what comes before and after a count
 *   built.c      barriers that programs build of a monitor
 *   phases.c     what comes before and after a barrier
 *   turns.c      elements that change hands at barriers
 *   swaps.c      fields that change places between two phases
 *   tasks.c      what the JDK runs for the program, and when it has ended
 *   owner.c      objects that belong to the running thread
 *   shares.c     tasks that a loop makes, each with a number of its own
 *   slots.c      arrays that are queues
 *   hands.c      objects that go from hand to hand
 *   handed.c     objects that an executor runs once
 *   tokens.c     locks that programs build of flags, turns and semaphores
 *   keys.c       functions that a concurrent map runs under the lock of a key
 *   kept.c       arrays that keep their elements
 *   around.c     functions that a method runs under its own locks
 *   locks.c      locks that must be held at a statement
 *   orders.c     two locks that are two others, in some order
 *   entrylocks.c locks that must be held on entry, over all callers
 *   rounds.c     values that all threads alive at one time have in common
 *   guard.c      whether two accesses of one object share a lock
 *   pairs.c      the stages
 *   promises.c   what annotations promise
 *   text.c       words for people
 */
#ifndef RACE_RACES_INTERNAL_H
#define RACE_RACES_INTERNAL_H

#include "race/arena.h"
#include "race/races.h"
#include "race/vec.h"

/* ---- small sets of numbers ---- */

typedef struct bits {
    uint64_t *w;
    uint32_t n_words;
} bits;

void bits_init(bits *b, struct arena *arena, uint32_t n);
static inline bool bits_has(const bits *b, uint32_t i) {
    return (b->w[i >> 6] >> (i & 63) & 1) != 0;
}
static inline void bits_add(bits *b, uint32_t i) {
    b->w[i >> 6] |= (uint64_t)1 << (i & 63);
}
static inline void bits_drop(bits *b, uint32_t i) {
    b->w[i >> 6] &= ~((uint64_t)1 << (i & 63));
}

/* Whether exactly that one is in it. */
static inline bool bits_only(const bits *b, uint32_t i) {
    uint64_t others = b->w[i >> 6] ^ (uint64_t)1 << (i & 63);
    for (uint32_t k = 0; k < b->n_words; k++) others |= k == i >> 6 ? 0 : b->w[k];
    return others == 0;
}

/* ---- answers about one side of a pair ---- */

/* A side is in many pairs, and what is asked of it alone has one answer: tables of such answers keep the last
 * one for each of this many hashes.  A power of two. */
enum { SIDE_ANSWERS = 1 << 16 };

static inline uint32_t side_hash(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint64_t h =
        ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u ^ ((uint64_t)c << 32 | d) * 0xc2b2ae3d27d4eb4fu;
    return (uint32_t)(h >> 40) & (SIDE_ANSWERS - 1);
}

/* ---- paths ---- */

enum path_root {
    PATH_NONE,
    PATH_VAR,
    PATH_STATIC,
    PATH_CLASS,
    PATH_OBJECT,
    PATH_TOKEN,
    PATH_KEY,
    PATH_INSIDE,
    PATH_OTHER
};
enum { PATH_MAX = 3 };

/* A name that denotes one object for as long as its root variable keeps its value: only stable fields follow
 * the root.  PATH_OBJECT names the only object that an abstract object stands for, PATH_TOKEN and PATH_KEY
 * locks that are no objects (tokens.h, keys.c).  Of a variable as well, but for locks only: PATH_INSIDE is
 * what a method holds of it as its receiver (around.h); PATH_OTHER is that of one of two parameters, the
 * `fields`, of which the variable is the other (orders.h). */
struct path {
    uint8_t root; /* enum path_root */
    uint8_t n;
    uint32_t id; /* ir_var, field_id, class_id, pts_obj, number of the token or key */
    field_id fields[PATH_MAX];
};

/* ---- locks ---- */

enum { LOCKS_MAX = 10 };

struct lock {
    struct path path;
    bool shared;     /* a read lock */
    bool juc;        /* java.util.concurrent: may be released by a callee */
    uint32_t around; /* PATH_INSIDE, PATH_OTHER: number of the method */
};

/* What must be held.  A lock taken twice stands twice.  Dropping a lock is always safe. */
struct locks {
    bool top;      /* not reached yet: everything */
    bool own_only; /* a lock of the caller's may have been released: its j.u.c. locks do not count */
    uint8_t n;
    uint64_t lost_tokens; /* the same for single tokens */
    struct lock v[LOCKS_MAX];
};

/* What one method does about locks, whoever calls it. */
struct lock_flow {
    struct locks *at_block;  /* on entry of each block */
    bool releases;           /* may release some j.u.c. lock that it did not take */
    bool solved;             /* else it is under way: nothing below is known yet */
    struct locks gained;     /* j.u.c. locks that it took and holds whenever it returns */
    struct locks given_back; /* j.u.c. locks that it did not take and may release; no others if !releases */
};

/* ---- facts about a method that later stages share ---- */

struct method_facts {
    const struct ir_body *body;
    struct lock_flow *locks;
    struct local_flow *local;
    struct param_summary *params;
    struct token_marks *tokens;
    struct call_targets **targets;     /* by statement; made when asked for */
    const struct locks **locks_before; /* likewise, once the locks are known for good */
    bool tried;                        /* body was asked for */
};

struct field_facts {
    bool stable;    /* keeps its value once it has been read: final, or written once by constructors */
    bool injective; /* no two objects ever hold the same object in it */
    bool written;   /* some reachable code writes it */
    bool named;     /* its name occurs as a string: handles and reflection may reach it */
};

struct races {
    struct program *p;
    const struct pts *pts;
    struct races_options options;
    struct arena arena;
    struct ir_builder *builder;
    struct race_error *err; /* of the call under way */

    class_id *classes;
    size_t n_classes;

    VEC(struct method_facts) methods; /* by method_id */
    struct field_facts *fields;       /* by field_id */
    uint32_t n_fields;

    VEC(struct races_access) accesses; /* site.v - 1 */
    VEC(struct races_pair) pairs;
    uint64_t funnel[RACES_N_STAGES];
    double seconds[RACES_N_STAGES];

    uint32_t n_insts, n_threads;
    bits *threads_of;            /* by inst: threads that may run it */
    bits thread_roots;           /* instances that a thread begins with */
    struct thread_paths **paths; /* by thread, made when asked for */

    bits shared;        /* objects that two threads may reach */
    field_id own_value; /* of a thread-local variable's entry, if it is its thread's own */
    bits making;        /* methods that run on objects in the making only (making.h) */
    bits published;     /* objects that may be handed over by a race: being local earlier proves nothing */

    bits mixed_elements;  /* what those hold */
    bits mixed_arrays;    /* arrays that may hold one object twice; made when asked for (elements.c) */
    bits refilled_arrays; /* arrays whose elements may change; likewise (kept.c) */

    struct parallel *parallel;
    struct tasks *tasks;
    struct signals *signals;
    bits releasing;            /* instances that may release a lock of their caller */
    struct locks *entry_locks; /* by inst */
    bool locks_final;          /* nothing that locks_before() depends on changes any more */
    bits lock_helpers;         /* names of methods that take or release j.u.c. locks */
    struct keys *keys;
    struct arounds *arounds; /* made when asked for (around.c) */
    bits foreign;            /* atomics, latches and semaphores that are used out of sight */
    struct handles *handles;
    struct tokens *tokens;
    bool tokens_checked;
    struct containers *containers;
    struct behind *behind;

    struct {
        bits tried, fine; /* that only hand out numbers (draws.h) */
    } counters;
    struct {           /* made when asked for (hands.h) */
        bits received; /* objects that come out of queues */
        bits tried, passed;
        unsigned n_tried;
    } hands;
    struct own_answer *own_answers;       /* see owner.c */
    struct thread_round *thread_rounds;   /* by thread; see rounds.c */
    struct held_answer *held_answers;     /* see unheld.c */
    struct branch_answer *branch_answers; /* see branches.c */
    struct callee_answer *callee_answers; /* see paths.c */
    struct hold_answer *hold_answers;     /* see sources.c */
    struct rounds_answer *rounds_answers; /* see levels.c */
    struct climb_answer *climb_answers;   /* see elements.c */
    bits handed_tried, handed_once;       /* objects asked for, and those run once (handed.c) */
    struct ints_answer *ints_answers;     /* see ints.c */
    class_id *initialisers;               /* by inst: see initial.c; made when asked for */
    bits initialisers_known;
    bits function_targets;     /* by method; made when asked for (sources.c) */
    struct numbering *numbers; /* by thread; made when asked for (numbers.h) */
    struct phases *phases;     /* made when asked for (phases.h) */
    struct levels *levels;     /* made when asked for (levels.h) */
    struct symbols *symbols;   /* formulas (symbols.h) */
};

/* bodies.c */
struct method_facts *facts_of(struct races *r, method_id m);
const struct ir_body *body_of(struct races *r, method_id m); /* NULL: no code */
bool is_app(struct races *r, method_id m);
bool is_app_class(struct races *r, class_id c);
bool name_is(const struct races *r, name_id n, const char *z);
bool class_is(const struct races *r, class_id c, const char *z);
/* Runs through the SSA copies: casts. */
ir_var var_origin(const struct ir_body *body, ir_var v);
/* Whether control can leave one block and get to another, or back to the same. */
bool block_leads_to(struct races *r, const struct ir_body *body, uint32_t from, uint32_t to);
/* Whether control can get from just behind one statement to another of the same body. */
bool stmt_leads_to(struct races *r, const struct ir_body *body, uint32_t from, uint32_t to);
/* Whether the block is entered by one ordinary edge, from its immediate dominator; ways back out of a loop
 * that it heads do not count. */
bool entered_once(const struct ir_body *body, uint32_t block);
/* The member reference of an invoke that is no invokedynamic, or NULL. */
const struct member_ref *invoke_ref(const struct races *r, const struct ir_stmt *s);

/* containers.c */
void containers_init(struct races *r);
/* The container of the JDK that objects of the class are, by themselves or as a subclass of it; 0 if none. */
class_id container_base(const struct races *r, class_id c);
bool container_class(const struct races *r, class_id c);
/* False for a set of a kind that is made for enums of more than 64 constants, if there is no such enum. */
bool container_exists(struct races *r, pts_obj o);
/* Whether the object is a map that may keep the order of access: then asking it changes it. */
bool container_reorders(const struct races *r, pts_obj o);
/* The containers that an invoke touches; `a` says where it stands. */
void add_container_accesses(struct races *r, const struct ir_body *body, const struct ir_stmt *s,
                            struct races_access a);

/* behind.c */
struct container_behind {
    pts_obj object;
    pts_obj mutex; /* held inside the call; 0 if none is known */
};
struct container_set {
    uint32_t n;
    struct container_behind *v;
};
void behind_init(struct races *r);
void behind_release(struct races *r);
/* Whether the object is a view, an iterator or a wrapper of a container. */
bool stands_for_container(struct races *r, pts_obj o);
const struct container_set *containers_behind(struct races *r, const struct races_access *a, pts_inst i);

/* accesses.c */
bool collect_accesses(struct races *r);

/* fields.c */
void fields_init(struct races *r);
static inline const struct field_facts *field_facts(const struct races *r, field_id f) {
    return &r->fields[f.v < r->n_fields ? f.v : 0];
}

/* paths.c */
struct path path_of(struct races *r, const struct ir_body *body, ir_var v);
bool path_extend(struct path *p, field_id f);
bool path_equal(const struct path *a, const struct path *b);
/* If whole = prefix + rest: true, and `rest` is the number of fields that prefix has. */
bool path_starts_with(const struct path *whole, const struct path *prefix);
/* Whether at most one of two abstract objects ever comes to exist, once: new A or new B in the branches of a
 * method that runs once. */
bool are_alternatives(struct races *r, pts_obj a, pts_obj b);
/* The only run-time object that the path can name in this instance, or none. */
pts_obj path_object(struct races *r, pts_inst i, const struct path *p);
/* The object that the variable is in every context of its method, if it is one that exists once; or none. */
pts_obj only_object_of(struct races *r, const struct ir_body *body, ir_var v);
/* Whether the variable may be the object in some context. */
bool may_be_object(struct races *r, const struct ir_body *body, ir_var v, pts_obj o);
/* The only callee of an invoke over all contexts, or none. */
method_id only_callee(struct races *r, method_id m, uint32_t stmt);

/* threads.c */
void threads_init(struct races *r);
/* The call that a shortest path from the thread's root to the instance ends with; NULL for the root itself.
 */
const struct pts_call *path_step(struct races *r, uint32_t thread, pts_inst to);

/* escape.c */
void escape_init(struct races *r);
void bits_add_reachable(struct races *r, bits *set, struct pts_view roots);

/* summary.c */
const struct param_summary *summary_of(struct races *r, method_id m);

/* local.c */
void local_init(struct races *r);
bool is_local(struct races *r, const struct races_access *a);

/* parallel.c */
void parallel_init(struct races *r);
bool may_be_parallel(struct races *r, const struct races_access *a, struct races_side x,
                     const struct races_access *b, struct races_side y);

/* initial.c */
/* Whether the instance runs in the initialiser of a class, and b in j after a use of that class, or in the
 * initialiser too. */
bool ordered_by_initialiser(struct races *r, pts_inst i, const struct races_access *b, pts_inst j);
/* Whether a, on an object that is new in a constructor, is seen by b, which reads it through a final field.
 */
bool frozen_for(struct races *r, const struct races_access *a, const struct races_access *b);

/* foreign.c */
void foreign_init(struct races *r);

/* signals.c */
void signals_init(struct races *r);
void signals_release(struct races *r);
/* Whether a flag, latch or semaphore orders a before b: b has seen what the first thread did after a. */
bool ordered_by_signal(struct races *r, const struct races_access *a, struct races_side x,
                       const struct races_access *b, struct races_side y);

/* Whether calls lead from `from` to `to`, never through `without`. */
bool calls_lead_to(struct races *r, pts_inst from, pts_inst to, pts_inst without);

/* owner.c */
/* Whether each of the two sides, in two threads of one kind, touches an object of its own thread's. */
bool thread_owns(struct races *r, const struct races_access *a, struct races_side x,
                 const struct races_access *b, struct races_side y);

/* keys.c */
/* The lock that the instance holds because a map runs it. */
bool key_lock(struct races *r, pts_inst i, struct lock *out);
const char *key_text(struct races *r, uint32_t key);
void keys_release(struct races *r);

/* locks.c */
const struct lock_flow *lock_flow_of(struct races *r, method_id m);
/* Locks that the method itself took and still holds before the statement. */
void locks_before(struct races *r, method_id m, uint32_t stmt, struct locks *out);
void locks_meet(struct locks *into, const struct locks *with);
bool lock_equal(const struct lock *a, const struct lock *b);
/* The methods whose calls matter to their callers' locks, by name. */
void find_lock_helpers(struct races *r);
void locks_add(struct locks *l, const struct lock *lock);

/* entrylocks.c */
void entry_locks_init(struct races *r);
void locks_held(struct races *r, pts_inst i, uint32_t stmt, struct locks *out);

/* guard.c */
/* Whether the monitor of this very object is held at the access. */
bool holds_object(struct races *r, const struct races_access *a, pts_inst i, pts_obj o);
bool share_lock(struct races *r, const struct races_access *a, pts_inst i, const struct races_access *b,
                pts_inst j);

/* promises.c */
void promises_write(struct races *r, struct plan_writer *w);

/* ---- trusts.c: annotations, and those that are believed ---- */
bool races_field_annotated(struct races *r, field_id f, const char *name, struct cf_str *value);
bool races_method_annotated(struct races *r, method_id m, const char *name, struct cf_str *value);
bool races_class_annotated(struct races *r, class_id c, const char *name, struct cf_str *value);
const char *races_field_location(struct races *r, field_id f); /* as reports spell it */
void trusts_write(struct races *r, struct plan_writer *w);

/* pairs.c */
void find_pairs(struct races *r);

#endif
