/*
 * State of the owner types; see race/types.h for what they mean.
 *
 *   owners.c     names of locks as owners of an accessed object, and back
 *   slots.c      slots, their uses, and the candidates that the uses vote for
 *   unique.c     objects with one reference that is handed over
 *   requires.c   requires sets and locks-def-held
 *   check.c      choosing an owner per slot; checking every use; race-unsafe classes
 *   discovered.c discovery logs
 *   dump.c       text
 *   planout.c    the plan
 *
 * The bodies, paths, locks and escape results are those of the pair pipeline (races/internal.h).
 */
#ifndef RACE_TYPES_INTERNAL_H
#define RACE_TYPES_INTERNAL_H

#include "../races/internal.h"
#include "race/types.h"

enum owner_kind { OWNER_NONE, OWNER_THIS_THREAD, OWNER_UNIQUE, OWNER_READONLY, OWNER_LOCK };

enum { OWNER_UP_MAX = 2, CANDIDATES_MAX = 6, REQUIRES_MAX = 16, OWNER_NAMES_MAX = 24 };

/*
 * A path with root PATH_VAR and id 0 starts at the object itself (n = 0: `self`), or at the holder that is
 * reached back over the `up` injective fields.
 */
struct owner {
    uint8_t kind; /* enum owner_kind */
    uint8_t up;
    bool juc; /* a java.util.concurrent lock, not the monitor */
    struct path path;
    field_id up_fields[OWNER_UP_MAX];
};

/* The six ways in which a class can be race-unsafe, numbered as in the paper. */
enum type_warning {
    WARN_NONE,
    WARN_ILL_FORMED, /* an owner that is no final expression */
    WARN_ESCAPES,    /* a thisThread instance may reach another thread */
    WARN_WRITES,     /* a write to a readonly instance */
    WARN_NOT_UNIQUE, /* a second reference to a unique instance */
    WARN_ASSIGNMENT, /* owners differ where objects are stored */
    WARN_INVOCATION, /* owners differ where arguments are passed */
    WARN_UNLOCKED    /* of a field only: its lock is not held at an access */
};

struct candidate_owner {
    struct owner owner;
    uint32_t votes;
};

struct slot {
    pts_obj object;        /* 0: a static field */
    field_id field;        /* 0: elements or contents */
    uint32_t uses, writes; /* those that need protection */
    uint32_t early_writes; /* while the object was its maker's alone */
    uint8_t n_candidates;
    bool lent;        /* a use relies on a lock that callers hold */
    bool split;       /* callers disagree on the locks: votes prove nothing */
    bool discovered;  /* the owner is the log's */
    uint8_t warning;  /* enum type_warning; WARN_NONE: proved */
    races_site where; /* the use that failed, if one did */
    struct owner owner;
    field_id not_final; /* a lock that was used for it but is no final expression */
    struct candidate_owner candidates[CANDIDATES_MAX];
};

/* One use of a slot is an access in an instance; this is what all of its objects have in common. */
struct use {
    races_site site;
    const struct races_access *access;
    pts_inst inst;
    const struct ir_body *body;
    bool local; /* still its thread's own, or before the class is initialised */
};

struct requirement {
    struct lock lock;
    uint32_t object; /* the parameter whose object is used under it; 0: another object, or several */
};

struct method_requires {
    uint8_t n;
    bool ill_typed;   /* a call in it does not hold what the callee requires */
    uint32_t changed; /* the round in which something was last added, from 1; see requires.c */
    struct requirement v[REQUIRES_MAX];
};

struct class_types {
    uint8_t warning; /* enum type_warning of the class as a whole, WARN_NONE if it is safe */
    const char *where;
};

struct types {
    struct races *r;
    struct arena arena;
    VEC(struct slot) slots;
    uint32_t *lookup; /* (object, field) -> slot + 1 */
    uint32_t lookup_mask;
    uint64_t *silent;                 /* by inst; see slots.c */
    struct known_ballot *ballots;     /* likewise */
    bits unique;                      /* objects */
    bits handed_over;                 /* objects that go through a queue */
    struct method_requires *requires; /* by method_id */
    uint32_t n_methods;
    uint32_t *held;              /* by inst: bit i = requires[i] is held at every call: locks-def-held */
    uint32_t *changed;           /* by inst: the round in which `held` last changed, from 1 */
    struct class_types *classes; /* by class_id */
    uint32_t n_classes;
    bits suspects;               /* sites with a slot that is not proved; made when first asked for */
    const struct types_log *log; /* only while checking */
    field_id *log_fields;        /* of its lines */
};

/* owners.c */
bool owner_equal(const struct owner *a, const struct owner *b);
/* The names as owners of the accessed object of all locks held at the access; how many, at most `max`. */
unsigned owner_names(struct types *t, const struct use *u, struct owner *out, unsigned max);
/* The lock that the owner is at this access; false if it has no name here. */
bool owner_instantiate(struct types *t, const struct use *u, const struct owner *o, struct lock *out);
/* Whether one of the locks is this one, strong enough for the access. */
bool locks_have(struct types *t, pts_inst i, const struct locks *held, const struct lock *lock,
                bool is_write);
/* The field behind a lock that is held but is not final, for the accessed object; 0 if there is none. */
field_id unstable_lock(struct types *t, const struct use *u);

/* slots.c */
void slots_collect(struct types *t);
struct slot *slot_of(struct types *t, pts_obj o, field_id f);
/* Calls visit for each use of the application, in a stable order. */
void each_use(struct types *t, void (*visit)(struct types *t, const struct use *u));
/* Calls visit for each slot that the use may be about and that needs protection there. */
void each_slot(struct types *t, const struct use *u,
               void (*visit)(struct types *t, const struct use *u, struct slot *s));

/* unique.c */
void unique_find(struct types *t);

/* requires.c */
void requires_solve(struct types *t);
bool requires_held(struct types *t, pts_inst i, const struct lock *lock);

/* check.c */
/* Whether every slot that the access may be about is proved. */
bool site_is_proved(struct types *t, races_site s);

/* discovered.c */
/* The log's owner for the slot; false if it has none. */
bool log_owner(struct types *t, const struct slot *s, struct owner *out);

/* dump.c */
const char *owner_text(struct types *t, const struct owner *o);
const char *lock_expr(struct types *t, method_id m, const struct lock *l);

#endif
