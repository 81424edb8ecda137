/*
 * The plan: what the static half proved, and what it leaves for the run to check.
 *
 * A plan is a text file of lines; columns are separated by one tab.  `race analyze` writes it, the agent and
 * `race report` read it.  Inside a column every byte below 0x20 (so tab and newline too), 0x7f and the
 * backslash stand as \xx (two lower-case hex digits); a space stands for itself, since names may have some.
 *
 *     race-plan  3                                    version of the format, always the first line
 *     meta       KEY VALUE                            any number, before the first class; see PLAN_META_*
 *     funnel     STAGE NUMBER                         pairs left after a stage of the analysis, in order
 *     class      DIGEST NAME FILE FLAGS               an analysed class: internal name, SourceFile or "-"
 *     field        NAME DESC                          a race-unsafe field that the class declares
 *     lent         NAME DESC                          a field that is safe while callers hold what they must,
 *                                                     or that only unreached methods may race on
 *     method       NAME DESC typed|untyped|unreached  a method; one that is not listed is untyped
 *     requires       EXPR                             a lock that the method's proofs expect of callers
 *     site           BCI LINE r|w KIND OWNER NAME     an access that may race; see below
 *     frame      CALLER TEXT                          a frame of a call path and the number of the one that
 *                                                     called it; CALLER 0: TEXT is the root of a thread
 *     held       LOCK...                              a set of locks
 *     why        TEXT                                 one sentence for people
 *     side       SITE FRAME HELD                      a path to a site: its innermost frame, locks held there
 *     promise    ANNOTATION LOCATION CLASS METHOD DESC FILE LINE read|write|call TEXT
 *                                                     an annotation's promise that the code does not keep
 *     trust      ANNOTATION LOCATION                  a field whose annotation the report is to believe, or
 *                                                     "thread NAME" and a method that runs in that thread
 *     pair       SIDE SIDES WHY                       two sides that may race: SIDES is one or, written as
 *                                                     FIRST-LAST, many that SIDE makes a pair with each;
 *                                                     all pairs stand together, last
 *     end        COUNT DIGEST                         number of lines before this one, digest of their bytes
 *
 * (Here the columns are lined up with spaces; the file has no indentation.)  FLAGS is "-" or "unsafe" for a
 * race-unsafe class.  DIGEST is plan_digest() in 16 hex digits.  KIND is instance, static, array or
 * container; OWNER is the internal name of the class that declares the field, or the array's type descriptor
 * ("[I"), or the container's class; NAME is the field, empty for an array, the method called on a container.
 * LINE is -1 if there is none.  The sites of a method stand by ascending BCI; one BCI may have several (an
 * arraycopy reads and writes).  Sites, frames, helds, whys, sides and pairs are each numbered from 1 in file
 * order, and name only what stands before them; 0 says that there is none.  Evidence in result files names
 * pairs by their number; a pair line of n SIDES counts n times.  A large program has millions of pairs on few
 * paths, most of them among the accesses of a few objects, of which each may race with each: whatever many
 * pairs share stands once, and the many that an access has with others that were numbered one after the other
 * are one line.  Nobody makes a table of them, neither the reader nor the agent, and PLAN_MAX_PAIRS bounds
 * what a small file may stand for.
 *
 * Rules:
 *   - A class whose bytes have another digest than the plan's is unknown to the plan and checked in full.
 *   - Within a class that the plan knows, what is not listed is proved: only `site`s and accesses of race-
 *     unsafe `field`s can race.  Listing too much costs time, listing too little loses races.
 *   - Analysed callers hold what a method `requires`, or need no lock for an object that is still their own.
 *     A class that the plan does not know may not: then the proofs of `lent` fields are gone, and the agent
 *     checks all that it can from there on.
 *   - Nothing is known of an unreached method: the analysis saw no call of it.  If it runs nevertheless, then
 *     the analysis missed a call.  All accesses in it are checked, and the agent checks all that it can from
 *     there on.  Fields that such methods access are lent ones, unless they are race-unsafe.
 *   - This module is linked into the agent: it never ends the process and needs no library but race_base.
 *   - A loaded plan never changes: any number of threads may read it without a lock.
 */
#ifndef RACE_PLAN_H
#define RACE_PLAN_H

#include "race/arena.h" /* struct arena */
#include "race/error.h" /* struct race_error */
#include "race/ids.h"   /* RACE_DEFINE_ID */

#include <stdbool.h>
#include <stddef.h> /* size_t */
#include <stdint.h>

enum { PLAN_VERSION = 3, PLAN_MAX_PAIRS = 1 << 24 };

RACE_DEFINE_ID(plan_site_id) /* number of a site line, from 1 */
RACE_DEFINE_ID(plan_pair_id) /* number of a pair, from 1 */
RACE_DEFINE_ID(plan_frame_id)
RACE_DEFINE_ID(plan_held_id)
RACE_DEFINE_ID(plan_why_id)
RACE_DEFINE_ID(plan_side_id)

/* Keys of meta lines that readers know; others are kept and ignored. */
#define PLAN_META_TOOL "tool"                           /* "race 0.1.0" */
#define PLAN_META_ENTRY "entry"                         /* what was analysed, for people */
#define PLAN_META_JDK "jdk"                             /* release of the JDK it was analysed with: "17" */
#define PLAN_META_TOTAL_SITES "total_sites"             /* access instructions in the analysed classes */
#define PLAN_META_TOTAL_FIELDS "total_fields"           /* fields declared by them */
#define PLAN_META_TOTAL_METHODS "total_methods"         /* methods with code */
#define PLAN_META_UNTYPED_METHODS "untyped_methods"     /* those not proved */
#define PLAN_META_UNREACHED_METHODS "unreached_methods" /* those of which the analysis saw no call */
#define PLAN_META_UNREACHED_SITES "unreached_sites"     /* access instructions in them */
#define PLAN_META_MISSING_CLASSES "missing_classes"     /* classes that the program uses and nobody found */
#define PLAN_META_MISSING "missing"                     /* one of the first of them */
#define PLAN_META_SKIPPED_CLASSES "skipped_classes"     /* classes that could not be read */

enum plan_kind { PLAN_INSTANCE, PLAN_STATIC, PLAN_ARRAY, PLAN_CONTAINER };
enum { PLAN_N_KINDS = PLAN_CONTAINER + 1 };
extern const char *const plan_kind_names[PLAN_N_KINDS]; /* "instance", ... as in the file and in reports */

struct plan_field {
    const char *name, *desc;
};

/* A run of `n` entries that starts at index `first` of one of the plan's tables. */
struct plan_range {
    uint32_t first, n;
};

enum plan_proof { PLAN_UNTYPED, PLAN_TYPED, PLAN_UNREACHED };
enum { PLAN_N_PROOFS = PLAN_UNREACHED + 1 };
extern const char *const plan_proof_names[PLAN_N_PROOFS]; /* "untyped", ... as in the file */

struct plan_method {
    const char *name, *desc;
    uint32_t cls;               /* index into plan.classes */
    bool typed;                 /* proved as a whole: nothing in it needs a check */
    bool unreached;             /* no call of it was seen, so nothing is proved */
    struct plan_range sites;    /* into plan.sites, by ascending bci */
    struct plan_range requires; /* into plan.requires */
};

struct plan_site {
    uint32_t method; /* index into plan.methods */
    int32_t bci, line;
    uint8_t kind; /* enum plan_kind */
    bool is_write;
    const char *owner, *name;
};

struct plan_frame {
    plan_frame_id caller; /* none: the text is the root of a thread */
    const char *text;
};

struct plan_side {
    plan_site_id site;
    plan_frame_id frame; /* none: no path is known */
    plan_held_id held;   /* none: no lock is */
};

struct plan_pair {
    plan_side_id side[2]; /* of equal sites if a site races with itself in another thread */
    plan_why_id why;
};

/* A line of pairs: `side` with each of the `n` sides from `others` on. */
struct plan_pairs {
    plan_pair_id first; /* its first pair; the numbers of the others follow */
    plan_side_id side, others;
    uint32_t n;
    plan_why_id why;
};

struct plan_class {
    const char *name; /* internal form */
    const char *file; /* NULL if the class names none */
    uint64_t digest;
    bool unsafe; /* race-unsafe class: its instances may be shared without protection */
    struct plan_range fields, lents, methods;
};

/* An annotation that the code at this place does not keep. */
struct plan_promise {
    const char *annotation;                 /* simple name */
    const char *location;                   /* the field or method that has it, as reports spell it */
    const char *cls, *method, *desc, *file; /* where it is not kept; internal name; file may be empty */
    int32_t line;                           /* -1 if unknown */
    const char *access;                     /* read, write or call */
    const char *text;                       /* what is wrong, for people */
};

#define PLAN_TRUST_THREAD "thread " /* before the thread's name */
struct plan_trust {
    const char *annotation, *location; /* of a method: pkg.Outer$Inner.method(desc)result */
};

struct plan_entry {
    const char *key, *value;
};

/* All strings live as long as the plan.  Public for reading; filled only by plan_load(). */
struct plan {
    struct plan_entry *meta;
    struct plan_entry *funnel; /* value: a decimal number */
    struct plan_class *classes;
    struct plan_field *fields, *lents;
    struct plan_method *methods;
    const char **requires;
    struct plan_site *sites; /* sites[id.v - 1] */
    struct plan_frame *frames;
    struct plan_range *helds; /* into locks */
    const char **locks;
    const char **whys;
    struct plan_side *sides;  /* sides[id.v - 1]; the same for those above */
    struct plan_pairs *pairs; /* by their first; see plan_pair_get() */
    struct plan_promise *promises;
    struct plan_trust *trusts;
    uint32_t n_meta, n_funnel, n_classes, n_fields, n_lents, n_methods, n_requires, n_sites, n_frames,
        n_helds, n_locks, n_whys, n_sides, n_pairs, n_pair_lines, n_promises, n_trusts;
    uint64_t digest; /* of the file; result files name it, so that evidence is not joined to another plan */

    char *text;       /* the file, cut into strings in place */
    uint32_t *lookup; /* class name -> index + 1, open addressing */
    uint32_t lookup_mask;
};

/*
 * Digest of a class file or of a plan: 64 bits of FNV-1a taken eight bytes at a time (little-endian words,
 * the last one padded with zeros, then the length), with a fold of the high half into the low one after each
 * multiplication, because a multiplication alone carries nothing downwards.  Detects change, not malice.
 */
uint64_t plan_digest(const void *data, size_t size);

/* Reads a whole plan.  On failure `err` names the file, the line and the reason, and `p` is left released. */
bool plan_load(struct plan *p, const char *path, struct race_error *err);
/* The same from memory (copied); `path` is only for errors. */
bool plan_parse(struct plan *p, const char *path, const char *text, size_t size, struct race_error *err);
void plan_release(struct plan *p);

/* Look-ups; NULL if there is none.  Names are internal names. */
const struct plan_class *plan_find_class(const struct plan *p, const char *name, size_t name_len);
const struct plan_method *plan_find_method(const struct plan *p, const struct plan_class *c, const char *name,
                                           size_t name_len, const char *desc, size_t desc_len);
/* The first site of that BCI; others of the same BCI follow it. */
const struct plan_site *plan_find_site(const struct plan *p, const struct plan_method *m, uint32_t bci);
/* Whether the class declares a race-unsafe field of that name. */
bool plan_field_unsafe(const struct plan *p, const struct plan_class *c, const char *name, size_t name_len);
/* Whether it declares a lent one. */
bool plan_field_lent(const struct plan *p, const struct plan_class *c, const char *name, size_t name_len);
/* The method that the requirement of that index in plan.requires belongs to. */
const struct plan_method *plan_requiring(const struct plan *p, uint32_t index);

static inline plan_site_id plan_site_id_of(const struct plan *p, const struct plan_site *s) {
    return (plan_site_id){(uint32_t)(s - p->sites) + 1};
}
static inline const struct plan_site *plan_site_get(const struct plan *p, plan_site_id id) {
    return &p->sites[id.v - 1];
}

static inline plan_site_id plan_side_site(const struct plan *p, plan_side_id id) {
    return p->sides[id.v - 1].site;
}

/* The pair of a number that the plan has. */
struct plan_pair plan_pair_get(const struct plan *p, plan_pair_id id);
/* The site of one side of a pair, 0 or 1. */
static inline plan_site_id plan_pair_site(const struct plan *p, const struct plan_pair *pair, int side) {
    return plan_side_site(p, pair->side[side]);
}

/* Value of a meta line or NULL; as a number, `otherwise` if it is missing or none. */
const char *plan_meta(const struct plan *p, const char *key);
uint64_t plan_meta_number(const struct plan *p, const char *key, uint64_t otherwise);

/* One side of a pair as the static half saw it. */
struct plan_path {
    const char *root; /* the thread's root, e.g. "main" or "Thread.start at a.B.m(B.java:7)"; NULL: no path */
    const char **frames; /* innermost first, "pkg.C.m(C.java:12)" */
    const char **locks;
    size_t n_frames, n_locks;
};
/* The lists come from the arena (which may be of the kind that fails: then false). */
bool plan_side_path(const struct plan *p, plan_side_id id, struct arena *arena, struct plan_path *out);
const char *plan_pair_why(const struct plan *p, plan_pair_id id); /* NULL if the plan has none */

/* Which sites the pairs join, for callers that know sites.  Needs the plan as long as it is used; any thread.
 */
struct plan_index {
    const struct plan *p;
    uint32_t *first_side, *next_side; /* by site, by side: lists of the sides of a site; 0 ends them */
    uint32_t *first_line, *next_line; /* by side, by line: lists of the lines of pairs, from 1, of a side */
};
bool plan_index_init(struct plan_index *x, const struct plan *p); /* false: out of memory */
void plan_index_release(struct plan_index *x);
bool plan_index_has(const struct plan_index *x, plan_site_id a, plan_site_id b); /* in any order */

/*
 * The name of a location as reports spell it: "pkg.Outer.Inner.f", "int[]" for an array, the class for a
 * container.  A '$' becomes a '.' only before the name of a nested class, so "Scala$", "X$$Lambda" and the
 * anonymous "X$1" keep theirs.
 * Writes at most `size` bytes with the NUL; returns the full length, like snprintf.
 */
size_t plan_location_text(enum plan_kind kind, const char *owner, const char *name, char *buf, size_t size);

/*
 * Writing.  The calls come in the order of the lines above; out of order is a mistake of the caller and
 * makes plan_writer_commit() fail, as every other error does (the first one wins), so that only that call
 * needs a check.  The text is collected in memory; the temporary file that commit renames into place is
 * created at once, so that an unwritable folder shows before a long analysis and not after it.
 */
struct plan_writer;

struct plan_writer *plan_writer_new(const char *path, struct race_error *err); /* NULL on failure */
void plan_write_meta(struct plan_writer *w, const char *key, const char *value);
void plan_write_meta_number(struct plan_writer *w, const char *key, uint64_t value);
void plan_write_funnel(struct plan_writer *w, const char *stage, uint64_t pairs);
void plan_write_class(struct plan_writer *w, const char *name, uint64_t digest, const char *file,
                      bool unsafe);
void plan_write_field(struct plan_writer *w, const char *name, const char *desc);
void plan_write_lent(struct plan_writer *w, const char *name, const char *desc);
void plan_write_method(struct plan_writer *w, const char *name, const char *desc, enum plan_proof proof);
void plan_write_requires(struct plan_writer *w, const char *lock);
plan_site_id plan_write_site(struct plan_writer *w, uint32_t bci, int line, bool is_write,
                             enum plan_kind kind, const char *owner, const char *name);
/* Between here and the promises the order is free.  What was written before is not written again: equal
 * arguments give the number that they got first.  `caller`, `frame`, `held` and `why` may be none. */
plan_frame_id plan_write_frame(struct plan_writer *w, plan_frame_id caller, const char *text);
plan_held_id plan_write_held(struct plan_writer *w, const char *const *locks, size_t n); /* none if n is 0 */
plan_why_id plan_write_why(struct plan_writer *w, const char *text);
plan_side_id plan_write_side(struct plan_writer *w, plan_site_id site, plan_frame_id frame,
                             plan_held_id held);
plan_pair_id plan_write_pair(struct plan_writer *w, plan_side_id first, plan_side_id second, plan_why_id why);

void plan_write_promise(struct plan_writer *w, const struct plan_promise *p);
void plan_write_trust(struct plan_writer *w, const char *annotation, const char *location);

/* Puts the plan in place; frees the writer either way.  On failure no file is left and an old one is kept. */
bool plan_writer_commit(struct plan_writer *w, struct race_error *err);
/* Drops the temporary file; frees the writer. */
void plan_writer_abandon(struct plan_writer *w);

#endif
