/* Private to the rewriter: one class and one method in work, and the parts that insert code. */
#ifndef RACE_AGENT_REWRITE_INTERNAL_H
#define RACE_AGENT_REWRITE_INTERNAL_H

#include "race/classedit.h"
#include "race/containercalls.h"
#include "race/framesim.h"
#include "rewrite.h"
#include "rewrite_calm.h"
#include "rewrite_world.h"
#include "sites.h"

/* The classes of agent/java that inserted code calls. */
#define IN_ACCESS "java/lang/RaceAccess"
#define IN_ELEMENTS "java/lang/RaceElements"
#define IN_SEEN "java/lang/RaceSeen"
#define IN_CLOCKS "java/lang/RaceClocks"
#define IN_LOCKS "java/lang/RaceLocks"
#define IN_THREADS "java/lang/RaceThreads"
#define IN_OPTIMISTIC "java/lang/RaceOptimistic"
#define IN_MAPS "java/lang/RaceMaps"
#define IN_CONTAINERS "java/lang/RaceContainers"
#define IN_BOUNDARY "java/lang/RaceBoundary"
#define IN_HOOKS "java/lang/RaceHooks"

struct rw_class {
    const struct rewrite_policy *policy;
    struct rewrite_counts *counts;
    struct cf_class cls;
    struct cf_edit edit;
    struct arena arena; /* names and per-method tables */
    struct cf_str name;
    const char *name_z, *file_z;
    bool checks;  /* accesses of this class are checked */
    bool tracked; /* synchronisation of this class is followed */
    /* Its objects refer to what is kept of them as monitors by a field of this class, of no superclass. */
    bool keeps_monitor;
};

/* How much a method gets; each level is tried when the one above makes it too large. */
enum rw_level {
    RW_INLINE,  /* epoch in a local, compared before every access */
    RW_CALLS,   /* a call per access */
    RW_SYNC,    /* synchronisation only */
    RW_NOTHING, /* left alone */
};

/* Locals that remember an array and its words, for accesses through one array variable or at one site. */
struct rw_cache {
    bool from_local;
    uint16_t of; /* the array variable */
    uint16_t array, words;
    uint16_t seen; /* what the thread remembers of the array, see RaceSeen; 0 in a method without loops */
};
enum { RW_CACHES = 12 };

/*
 * The word of a field that many threads read is not an epoch but a set, and looks the same in all objects of
 * a loop.  A local keeps it, xor the epoch at which the thread was found in it, so that it counts in that
 * epoch only.
 */
struct rw_key {
    uint16_t field; /* CONSTANT_Fieldref of the word */
    uint16_t local;
};
enum { RW_KEYS = 12 };

/* The operands of an array access, as far as they are known. */
struct rw_operands {
    uint32_t bci;
    bool is_write;
    struct fs_type array, index;
};

/* An array access of a loop that is told when the loop is left; see rewrite_sweep.c. */
struct rw_swept {
    uint32_t bci;
    uint32_t site;  /* 0: not checked */
    uint16_t index; /* 1 + local of the index, less `plus`; or FS_CONSTANT */
    int32_t plus;
    uint8_t array;   /* in rw_loop.arrays */
    uint8_t indices; /* 1 + the site whose elements are the indices; 0: it is as above */
    bool good, varies, is_write;
};

enum { RW_SWEPT_LOOPS = 16, RW_SWEPT_SITES = 16, RW_SWEPT_ARRAYS = 8, RW_OPERANDS = 500 };

struct rw_loop {
    uint32_t head, last, end; /* first and last instruction, and the one behind */
    uint32_t before;          /* the instruction that falls into the loop */
    uint32_t increment;       /* of the variable, by step */
    uint16_t variable;
    int32_t step;
    unsigned n_sites, n_good, n_arrays;
    struct rw_swept sites[RW_SWEPT_SITES];
    struct fs_type arrays[RW_SWEPT_ARRAYS];
    bool trusts;    /* it calls methods of other classes, which were found calm */
    bool sets_ints; /* it may change the elements of an int[] */
    uint32_t *done; /* by bci: what the iteration has done when it comes there */
};

/* Locals that all sweeps of a method use; 0 while they are not there. */
struct rw_sweep_locals {
    uint16_t first, now, done, epoch, arrays[RW_SWEPT_ARRAYS], indices[RW_SWEPT_SITES];
};

struct rw_method {
    struct rw_class *c;
    const struct cf_method *m;
    struct cfe_method *out;
    struct cf_str name, desc;
    const char *name_z, *desc_z;
    uint32_t unreached; /* see struct rewrite_policy */
    enum rw_level level;
    bool again; /* not the first attempt: accesses have been counted */
    struct fs_walk walk;
    uint16_t epoch; /* RW_INLINE: local with the thread's epoch, or -1 while it is unknown */
    bool has_epoch;
    uint16_t scratch, scratch_slots; /* locals for spilled operands, shared by all sites */
    struct rw_cache caches[RW_CACHES];
    unsigned n_caches;
    bool this_fixed;             /* an instance method that never stores into local 0 */
    uint8_t *loops;              /* by bci: inside a loop */
    struct rw_key keys[RW_KEYS]; /* RW_INLINE: what fields read in loops hold */
    unsigned n_keys;
    uint8_t *updates;             /* RW_INLINE, by bci: see rewrite_update.c; NULL: there are none */
    struct rw_operands *operands; /* RW_INLINE: of the array accesses */
    uint32_t n_operands;
    struct rw_loop *swept_loops;
    unsigned n_loops;
    struct rw_sweep_locals sweep;
    struct rw_cover *cover; /* RW_INLINE: see rewrite_cover.c; NULL: nothing is known */
    uint8_t *marks;         /* by bci: RW_CHECKED, ... */
    uint32_t *sites;        /* by bci: number given at an earlier level, or 0 */
    uint8_t *escapes;       /* by local: it may hold an object that others know */
    uint32_t n_checked;
    bool framed;         /* entry and exits have hooks: synchronized, or a class initialiser */
    uint16_t monitor;    /* framed instance methods: local with the object */
    uint32_t frame_site; /* site of the monitor */
};

enum { RW_CHECKED = 1, RW_TICKS = 2, RW_RESET = 4, RW_UNSET = 8 };

/* Where the object of an access is when the inserted code runs. */
struct rw_object {
    bool is_static, from_local, not_null;
    uint16_t cls;   /* static: CONSTANT_Class */
    uint16_t local; /* from_local */
};

/* A field instruction. */
struct rw_field_access {
    struct cf_member_ref ref;
    struct rw_object object;
    enum world_field_kind kind;
    bool is_write;
};

/* rewrite.c */
char *rw_z(struct rw_class *c, struct cf_str s);
/* The number of the site at the current instruction; 0 if there is none to be had. */
uint32_t rw_site(struct rw_method *m, uint8_t kind, struct cf_str owner, struct cf_str field, bool is_write);
void rw_hook(struct cf_asm *a, const char *cls, const char *name, const char *desc);
/* Loads the object: from its local, as class, or as a copy of the top of the stack. */
void rw_push_object(struct cf_asm *a, const struct rw_object *o);
/* The stack value `slot` slots below the top, as the object of an access. */
struct rw_object rw_object_at(struct rw_method *m, unsigned slot);
/* Index of at least that many scratch slots. */
uint16_t rw_scratch(struct rw_method *m, unsigned slots);
void rw_mark(struct rw_method *m, uint8_t mark);
void rw_local_of(char kind, uint8_t *load, uint8_t *store);

bool rw_is_jump(uint8_t op);
bool rw_is_switch(uint8_t op);
bool rw_falls_through(uint8_t op);

/* rewrite_access.c */
void rw_field(struct rw_method *m);
/* The field instruction at hand, if it is a plain access that is to be checked. */
bool rw_field_access(struct rw_method *m, struct rw_field_access *a);
void rw_array(struct rw_method *m);

/* Asks for the epoch if the local does not have it. */
void rw_need_epoch(struct rw_method *m, struct cf_asm *a);

/* rewrite_cover.c */
bool rw_find_cover(struct rw_method *m);
/* Whether the access at hand needs no check. */
bool rw_is_covered(const struct rw_method *m);
/* Tells the plan under which numbers the accesses without a check are to be found. */
void rw_tell_stand_ins(struct rw_method *m);
/* Whether the local has the epoch, here. */
enum rw_known { RW_UNKNOWN, RW_MAYBE, RW_KNOWN };
enum rw_known rw_knows_epoch(const struct rw_method *m);
/* The local that tells whether the access at hand has been checked; false if there is none. */
bool rw_memo(struct rw_method *m, uint16_t *local);
void rw_unset_memos(struct rw_method *m);

/* Marks where the method jumps to, by bci. */
void rw_note_targets(const struct cf_code *code, uint8_t *targets);

/* rewrite_update.c */
bool rw_find_updates(struct rw_method *m);
/* Whether the array load at bci is checked with the store that surely follows. */
bool rw_is_update(const struct rw_method *m, uint32_t bci);

/* rewrite_sweep.c */
bool rw_find_sweeps(struct rw_method *m);
/* The sweep that the access at bci is part of, or NULL. */
struct rw_swept *rw_swept_at(struct rw_method *m, uint32_t bci);
void rw_tell_sweeps(struct rw_method *m);

/* rewrite_sync.c */
void rw_monitor(struct rw_method *m);
/* late: nothing is known of the field yet; then `check` says whether a plain access is to be checked. */
void rw_volatile(struct rw_method *m, const struct cf_member_ref *ref, const struct rw_object *o, bool late,
                 bool check);
void rw_method_frame(struct rw_method *m); /* synchronized methods, class initialisers */
void rw_return(struct rw_method *m);

/* rewrite_call.c */
void rw_call(struct rw_method *m);

/* rewrite_containers.c */
bool rw_find_escapes(struct rw_method *m);

/* rewrite_jdk.c: what is special about single classes of the JDK. */
bool rw_jdk_skips_class(struct cf_str name);
bool rw_jdk_skips_method(const struct rw_class *c, struct cf_str method);
bool rw_jdk_is_quiet(const struct rw_method *m);
bool rw_jdk_skips_field(struct cf_str owner, struct cf_str field);
bool rw_jdk_keeps_monitor(struct cf_str name, bool locks_itself);
void rw_jdk_members(struct rw_class *c);
void rw_jdk_entry(struct rw_method *m);
void rw_jdk_call(struct rw_method *m, const struct cf_member_ref *ref);
void rw_jdk_return(struct rw_method *m);
bool rw_jdk_is_join(const struct rw_method *m);
bool rw_jdk_stores_release(const struct rw_class *c);
void rw_jdk_store_task(struct rw_method *m);

/* rewrite_boundary.c */
void rw_boundary(struct rw_method *m);

/* rewrite_tests.c */
void rw_test_entry(struct rw_method *m);

#endif
