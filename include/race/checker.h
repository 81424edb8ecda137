/*
 * The run-time checker: happens-before race detection on 64-bit shadow words.
 *
 * Simple model.  Every thread t has a vector clock.  Every variable remembers its last write and its last
 * reads as (thread, clock, site); an access that is not covered by the accessing thread's vector clock is a
 * race.  Every synchronisation variable remembers the clock of the thread that released it last.
 *
 * What this library does with it: all of that state is 64-bit *words* that the caller keeps beside the data
 * (shadow fields, long[]), so that it dies with the data.  The library computes transitions of words; the
 * caller stores them with compare-and-swap.  tests/unit/checker_oracle_test.c runs the simple model and this
 * library side by side.
 *
 * Ground rules:
 * - No JNI, no JVMTI, no JVM in here.  Nothing here calls back into the caller except `on_race`, which runs
 *   on the racing thread with no lock of the library held.
 * - Never aborts and never fails: out of memory means less precision, always on the side of a missed race
 *   and never of a false alarm, and is counted in struct ck_counters.
 * - A struct ck_thread belongs to the one thread it was made for.  Only that thread may pass it to a
 *   function here.  Different threads may call everything at the same time.
 * - O(1) comparisons may be made by the caller itself, on the public words of struct ck_thread: see
 *   "Fast path".
 */
#ifndef RACE_CHECKER_H
#define RACE_CHECKER_H

#include "race/ids.h" /* RACE_DEFINE_ID */

#include <stdbool.h>
#include <stddef.h> /* size_t, offsetof */
#include <stdint.h> /* uint64_t */

/* ---- Words ------------------------------------------------------------------------------------------- */

/*
 *   63       50 49              20 19        0
 *   [  slot   ] [     clock      ] [   site   ]     an access or a release: who, when, where
 *   [ 0x3FFF  ] [   set number   ] [    0     ]     an interned set of such words: reads, merged releases
 *   [ 0x3FFF  ] [ generation, row  ] [    1     ]     a row: reads that several threads go on making
 *   0                                               never
 *
 * Slots are numbers that live threads hold one each; 1 is the first.  No clock is ever 0.
 */
enum {
    CK_SITE_BITS = 20,
    CK_CLOCK_BITS = 30,
    CK_SLOT_BITS = 14,
    CK_SLOT_SHIFT = CK_SITE_BITS + CK_CLOCK_BITS,
    CK_SLOT_SET = 0x3FFF,   /* marks an interned set */
    CK_SLOT_CROWD = 0x3FFE, /* the slot that threads without one of their own share */
    CK_SITE_MAX = (1 << CK_SITE_BITS) - 1,
    CK_CLOCK_MAX = (1 << CK_CLOCK_BITS) - 1,
    CK_PAGE_SLOTS = 64, /* vector clock page: 64 clocks of 32 bits */
    CK_PAGES = 256      /* pages of a vector clock */
};

#define CK_CLOCK_ONE (UINT64_C(1) << CK_SITE_BITS)

static inline uint32_t ck_word_slot(uint64_t w) {
    return (uint32_t)(w >> CK_SLOT_SHIFT);
}
static inline uint32_t ck_word_clock(uint64_t w) {
    return (uint32_t)(w >> CK_SITE_BITS) & CK_CLOCK_MAX;
}
static inline uint32_t ck_word_site(uint64_t w) {
    return (uint32_t)w & CK_SITE_MAX;
}
static inline bool ck_word_is_set(uint64_t w) {
    return ck_word_slot(w) == CK_SLOT_SET;
}
static inline uint64_t ck_word_make(uint32_t slot, uint32_t clock, uint32_t site) {
    return (uint64_t)slot << CK_SLOT_SHIFT | (uint64_t)clock << CK_SITE_BITS | site;
}
/* Same thread and same clock; the sites may differ. */
static inline bool ck_word_same_epoch(uint64_t a, uint64_t b) {
    return (a ^ b) >> CK_SITE_BITS == 0;
}

/* ---- Ids --------------------------------------------------------------------------------------------- */

RACE_DEFINE_ID(ck_thread_id)  /* a thread of the run, never reused (slots are) */
RACE_DEFINE_ID(ck_stack_id)   /* an interned stack, see ck_stack_intern */
RACE_DEFINE_ID(ck_lockset_id) /* an interned set of locks; none = the empty set */

/* ---- Set-up
 * ------------------------------------------------------------------------------------------------ */

struct ck_race;

struct ck_config {
    /* Called for the first race of each unordered (site, site, kinds) pair; the struct dies after the call.
     * Later ones are only counted (ck_races_each). */
    void (*on_race)(void *arg, const struct ck_race *race);
    void *arg;
    /* Whether evidence is kept for two sites (as ck_site_watch counts them): once for each two that meet.  On
     * any thread; it must not call back.  NULL: always. */
    bool (*is_pair)(uint32_t site_a, uint32_t site_b);
    bool evidence;      /* keep the second clock that tells "ordered" from "predicted"; see ck_meet */
    bool history;       /* remember stacks of accesses given to ck_history_add */
    size_t max_memory;  /* bytes that the library may hold; beyond it, precision goes; 0 = 256 MB */
    uint32_t max_slots; /* slots, up to CK_SLOT_CROWD - 1; more live threads than that share; 0 = all */
    uint32_t
        dead_slots; /* slots of ended threads that are kept apart before they are reused anyway; 0 = 1024 */
    uint32_t clock_limit; /* clock at which a thread moves to a fresh slot; 0 = the largest */
    uint32_t log_cap;     /* entries of one slot's log before the older half is folded; 0 = 8192 */
    uint32_t start_log; /* what a new thread knows beyond the last one in its slot, up to so many, is logged;
                           0 = 32 */
    uint32_t news_log;  /* news of one acquire, up to about so many, are logged one by one; 0 = 64 */
    uint32_t set_cap;   /* elements of one set; 0 = 1024 */
    uint32_t sets_max;  /* sets alive at once; 0 = 131072, the most */
    uint32_t history_len;     /* accesses remembered per thread, a power of two; 0 = 1024 */
    uint32_t trail_len;       /* lock operations remembered per thread, a power of two; 0 = 64 */
    bool confirm;             /* hand out delays; see ck_confirm_begin */
    uint32_t confirm_percent; /* of the run time that all delays together may take; 0 = 10 */
    uint32_t confirm_decay;   /* in the end one access of 2^this is delayed at a site; 0 = 12 */
    uint64_t confirm_seed;
    bool no_shb; /* leave out the order that a racy read takes from the write it saw */
};

struct checker;

/* NULL only when out of memory. */
struct checker *ck_new(const struct ck_config *config);
/* No thread may still be inside the library. */
void ck_free(struct checker *ck);

/* ---- Threads ----------------------------------------------------------------------------------------- */

/*
 * Fast path.  The caller may read and write the public words of its own struct ck_thread by their offsets.
 *
 * covered(e), "what e stands for happened before now":
 *     page  = *(u64 *)(table + (e >>> 56) * 8)
 *     known = *(u32 *)(page + ((e >>> 48) & 0xFC))
 *     covered = ((int)(e >>> 20) & 0x3FFFFFFF) <= known
 * No special cases: 0 is always covered, a set never is, the thread's own slot always is.  Accesses and
 * acquires of kind CK_BY_LOCK use `table`, other acquires `hard_table` (the same unless config.evidence).
 *
 * Release in place, if epoch < epoch_limit (unsigned) and the old word is covered by `hard_table` or this is
 * a lock release or read-modify-write: new word = epoch | site, then epoch += 1 << 20.  Else ck_release.
 *
 * Same epoch: ((word ^ epoch) >>> 20) == 0: an access has nothing to do.  If the read word r is a set, or
 * another thread's epoch that is not covered, an access can still be settled without a call:
 *     tag  = r << 14 ^ epoch >>> 20
 *     note = members[(r >>> 20) & (CK_MEMBERS - 1)]
 *     note == tag      this epoch is in the set: a read has nothing to do
 *     note == ~tag     all reads in the set are covered: as if r were
 *     step = steps + ((r >>> 20) & (CK_STEPS - 1)) * 32 bytes
 *     step[0] == r && step[1] == (epoch | site)    the read word becomes step[2]; then check w
 * If r is a row, that is, with a site, the column has the thread's last read there:
 *     own  = column + ((r >>> 20) & (CK_ROWS - 1)) * 8 bytes
 *     mine = (r >>> 36) << 50 | (epoch | site) & ((1 << 50) - 1)
 *     ((*own ^ mine) >>> 20) == 0   read in this epoch: a read has nothing to do
 *     ((*own ^ mine) >>> 50) == 0   *own = mine, a full fence; then check w.  The read word stays
 *
 * An acquire of a set w: members[(w >>> 20) & (CK_MEMBERS - 1)] == w means it was acquired before.  The
 * tables are filled by ck_read_step, ck_write_reads and ck_acquire; their addresses may change there, never
 * elsewhere.
 *
 * Locks held, see ck_lock_taken.  `locks` is [0] number held, [1] operations so far, then CK_HELD_MAX entries
 * of two words for the locks held, then the trail of operations, trail_len entries.  An entry is
 *     key | shared << 62 | given << 63,  clock << 32 | site
 * Take in place, if epoch < epoch_limit and [0] < CK_HELD_MAX: epoch += 1 << 20; entry = {key, new clock and
 * site}; held[[0]++] = entry; trail[[1]++ & (trail_len - 1)] = entry.
 * Give in place, if it is the topmost: trail entry with the given bit, the clock + 1 and the site where it
 * was taken; [0]--; [1]++.
 */
enum { CK_MEMBERS = 512, CK_STEPS = 128, CK_ROWS = 1 << 16 }; /* entries: powers of two */
enum { CK_HELD_MAX = 32, CK_LOCKS_HELD = 2, CK_LOCKS_TRAIL = CK_LOCKS_HELD + 2 * CK_HELD_MAX };

struct ck_thread {
    uint64_t epoch;        /* own slot and clock, site 0.  Written by the owner only */
    uint64_t epoch_limit;  /* from this epoch on, releases must go through ck_release; 0: always */
    uint32_t **table;      /* CK_PAGES pages; the address never changes while the thread lives */
    uint32_t **hard_table; /* the same without the edges that only a lock made; == table unless evidence */
    uint64_t id;           /* ck_thread_id; never changes */
    uint64_t *members;     /* owner only */
    uint64_t *steps;       /* owner only */
    /* Written by the owner; others read it when they describe a race.  The address changes when the thread
     * gets a new slot, that is, in ck_release and ck_lock_taken. */
    uint64_t *locks;
    uint64_t *column; /* owner only; NULL until needed, and it changes with the slot */
};
#define CK_OFF_EPOCH 0
#define CK_OFF_LIMIT 8
#define CK_OFF_TABLE 16
#define CK_OFF_HARD_TABLE 24
#define CK_OFF_ID 32
#define CK_OFF_MEMBERS 40
#define CK_OFF_STEPS 48
#define CK_OFF_LOCKS 56
#define CK_OFF_COLUMN 64

struct ck_thread_info {
    const char *name;       /* copied; may be NULL */
    ck_stack_id created_at; /* where the thread was started; none if unknown */
};

/* Makes the state of a new thread.  With a parent (called on the parent's thread) the child is ordered after
 * all the parent has done so far, and the parent's epoch moves on.  Without one it is ordered after nothing.
 * NULL only when out of memory: that thread then runs unchecked, and words it should have released must not
 * be believed to be ordered: the caller may give it the parent's struct instead. */
struct ck_thread *ck_thread_start(struct checker *ck, struct ck_thread *parent,
                                  const struct ck_thread_info *info);

/* Ends the thread and frees its state.  Returns its final word: whoever joins it acquires that (CK_BY_JOIN).
 */
uint64_t ck_thread_end(struct ck_thread *t);

/* The virtual machine waited for the end of this thread, whose final word it is, before it shuts down; and t
 * is the thread that shuts it down: it comes after all of them, as if it had joined them (CK_BY_JOIN). */
void ck_thread_awaited(struct checker *ck, uint64_t final);
void ck_acquire_awaited(struct ck_thread *t);

ck_thread_id ck_thread_number(const struct ck_thread *t);
/* Threads are often named after they start.  The name is copied. */
void ck_thread_rename(struct ck_thread *t, const char *name);

/* ---- Synchronisation --------------------------------------------------------------------------------- */

/* What made an edge.  Everything but CK_BY_LOCK is an edge that every schedule has. */
enum ck_edge {
    CK_BY_LOCK,
    CK_BY_VOLATILE, /* a volatile or atomic variable */
    CK_BY_START,    /* Thread.start */
    CK_BY_JOIN,     /* Thread.join, isAlive, getState; the end of the program */
    CK_BY_HANDOFF,  /* executor, queue, future, latch, wait/notify... where the caller models it */
    CK_BY_OTHER,    /* class initialisation, finalisation, ... */
    CK_EDGE_KINDS
};

/* How the new release meets the word it replaces. */
enum ck_release_how {
    CK_RELEASE_OVER, /* lock release or read-modify-write: the releaser has seen the old value, so it replaces
                        it */
    CK_RELEASE_BLIND /* blind volatile write, latch count-down, read-lock release: readers may still need the
                        old one */
};

/* The thread saw the variable whose word is `word`: orders it after the release(s) in the word.  May move the
 * epoch on (when it brings much news, or another thread has used ck_acquire_all meanwhile). */
void ck_acquire(struct ck_thread *t, uint64_t word, enum ck_edge kind);

/* Orders t after everything that any thread has done until now (an object became unreachable, and its
 * cleaning comes after all that used it); CK_BY_OTHER. */
void ck_acquire_all(struct ck_thread *t);

/* Returns the word to put in the place of `old`, and moves the thread's epoch on.  The caller
 * compare-and-swaps; when that fails it calls ck_word_dropped and starts again with the word it found. */
uint64_t ck_release(struct ck_thread *t, uint64_t old, enum ck_release_how how, uint32_t site);

/* Whether what `word` stands for happened before the end of the epoch `at`, as far as that epoch's thread
 * knew then.  What was known so long ago that it is not told apart any more counts as known.  Any thread. */
bool ck_knew(struct checker *ck, uint64_t at, uint64_t word);

/* Lost compare-and-swap: `word`, the last one that this thread got from a function of this header, was not
 * stored. Only words with ck_word_is_set matter; nothing happens for others. */
void ck_word_dropped(struct ck_thread *t, uint64_t word);

/* ---- Accesses ---------------------------------------------------------------------------------------- */

/* What is accessed, for reports only. */
struct ck_where {
    uint64_t object; /* the caller's number for the object (identity hash, ...); 0 = static or unknown */
    int64_t index;   /* element of an array; -1 if none */
};

/*
 * Accesses that the caller's fast path cannot settle.  A variable has a read word r and a write word w.
 *
 *   read:   do { r = *R; n = ck_read_step(t, r, site); } while (n != r && !cas(R, r, n));
 *           ck_read_check(t, *W, site, where);
 *   write:  n = t->epoch | site; w = exchange(W, n); ck_write_check(t, w, site, where);
 *           do { r = *R; n = ck_write_reads(t, r, site, where, &race); } while (n != r && !cas(R, r, n));
 *
 * Each lost cas is told with ck_word_dropped(t, n).  In this order two accesses at the same time cannot both
 * overlook the other.  All are cheap when the word is covered.  A check that returns true (ck_write_reads:
 * sets *race) found a race and has counted or reported it.
 */
uint64_t ck_read_step(struct ck_thread *t, uint64_t r, uint32_t site);
bool ck_read_check(struct ck_thread *t, uint64_t w, uint32_t site, const struct ck_where *where);
bool ck_write_check(struct ck_thread *t, uint64_t w, uint32_t site, const struct ck_where *where);
uint64_t ck_write_reads(struct ck_thread *t, uint64_t r, uint32_t site, const struct ck_where *where,
                        bool *race);

/* The same on words in C memory, with C11 atomics. */
struct ck_var {
    _Atomic uint64_t r;
    _Atomic uint64_t w;
};
bool ck_var_read(struct ck_thread *t, struct ck_var *v, uint32_t site, const struct ck_where *where);
bool ck_var_write(struct ck_thread *t, struct ck_var *v, uint32_t site, const struct ck_where *where);

/* ---- Arrays ------------------------------------------------------------------------------------------ */

/*
 * The shadow of an array is a long[] that the caller hangs on the array.  It is one of
 *
 * - coarse (at least CK_COARSE_WORDS words): the exact state of an array that one thread sweeps over. Belongs
 * to the thread in [CK_COARSE_OWNER]; only that thread may store into it, everyone may read it.  For reads
 *   and for writes it has CK_RUNS runs, the newest first, each a word and a range
 *   lo | (step - 1) << 24 | hi << 32 (elements lo, lo + step, ... to hi - 1): an element has the word of the
 *   first run that it lies in, else 0;
 *
 * - shared (CK_SHARED_WORDS(bits) words): the exact state of an array, of at most 64 * bits elements, that a
 *   few threads read in any order.  The coarse part has no owner and no reads, only the runs of writes; each
 *   has a stamp, the number of runs that were begun before it.  Each reader has a block of entries, the
 *   newest first: a word, a set of elements, a bit each, and the number of runs of writes begun before the
 *   entry was.  Runs with that stamp or a later one came after the reads, and hide those of their elements.
 *   Every writer covered all entries, and every reader all runs, that it found.  A block belongs to the slot
 *   of its first entry, and only that thread stores into it; behind the entries it has a version for the
 *   caller's use;
 *
 * - or elements (length 2 * array length): element i has r at [2i] and w at [2i+1], checked like a field.
 *
 * Fast path in coarse state, owner only (owner word == own ck_thread.id): with k each run of CK_COARSE_READ
 * or _WRITE that is of the own epoch, the newest first: if the range contains the elements: done.  If [k] is
 * of the same site too, and the union with them is a range again: store that; done.  (Runs of two sites stay
 * apart: a report names the run's site.  The runs of older epochs need no care: newer ones hide them.)  If
 * the newest is of an older epoch of the owner and its range is just the elements: store the own epoch there;
 * done.  Else, unless there is a gap in the run of this site and epoch: install the elements as the newest
 * run, without those that lie within one newer run, if there is room.  All else goes to ck_array_step.
 *
 * Fast path in shared state: writes may make the newest run longer if it is of the own epoch and site. Reads,
 * if the first entry of the own block is of the own epoch: if it has the element's bit: done; if it is of the
 * same site: set the bit; done.
 */
enum {
    CK_COARSE_OWNER, /* the owner's ck_thread id */
    CK_COARSE_READ,  /* word of the current run of reads; + 1: its range; then the older runs */
    CK_RUNS = 4,     /* of reads, and of writes */
    CK_COARSE_WRITE = CK_COARSE_READ + 2 * CK_RUNS,
    CK_COARSE_WORDS = CK_COARSE_WRITE + 2 * CK_RUNS
};

enum {
    CK_SHARED_COUNT = CK_COARSE_WORDS + 2, /* runs of writes begun; behind what the caller keeps there */
    CK_SHARED_STAMPS = CK_SHARED_COUNT + 1,
    CK_SHARED_READ = CK_SHARED_STAMPS + CK_RUNS, /* the first reader's block: entries, version */
    CK_READERS = 3,
    CK_ENTRIES = 3,
    CK_ENTRY_STAMP = 1, /* behind the word */
    CK_ENTRY_SET = 2,
    CK_BITS_SHORT = 1, /* words of a set, for up to 64 elements */
    CK_BITS_MAX = 16   /* for all others */
};
#define CK_ENTRY_WORDS(bits) (CK_ENTRY_SET + (bits))
#define CK_BLOCK_WORDS(bits) (CK_ENTRIES * CK_ENTRY_WORDS(bits) + 1)
#define CK_SHARED_WORDS(bits)                                                                                \
    ((CK_SHARED_READ + CK_READERS * CK_BLOCK_WORDS(bits)) | 1) /* odd, unlike elements */

enum { CK_RUN_STEP_SHIFT = 24, CK_RUN_MAX = (1 << CK_RUN_STEP_SHIFT) - 1, CK_RUN_STEP_MAX = 256 };

enum ck_array_todo {
    CK_ARRAY_DONE,    /* settled, nothing to store */
    CK_ARRAY_REPLACE, /* install a new long[CK_COARSE_WORDS] with the words of `out` (compare-and-swap of the
                         reference; lost: start again).  The access is then done. */
    CK_ARRAY_SHARE, /* the same with a new long[CK_SHARED_WORDS(bits)]; if there is one, only the block of t,
                       or for a write the runs of writes, have changed and may be stored into it */
    CK_ARRAY_ELEMENTS, /* make a long[2 * length], fill it with ck_array_expand, install it
                          (compare-and-swap), then check each element of the access */
    CK_ARRAY_LEAVE     /* too large for max_memory: leave the array unchecked from now on (counted) */
};

/* A coarse or shared shadow. */
struct ck_coarse {
    uint32_t bits;                                /* words of a set of elements; 0: coarse */
    uint64_t words[CK_SHARED_WORDS(CK_BITS_MAX)]; /* CK_COARSE_WORDS of them unless shared */
};

/* The access of elements lo, lo + step, ... hi-1 by t to an array of `length` elements whose shadow was read
 * into `old` (NULL if the array has none yet).  Finds no race itself: where one is possible it answers
 * CK_ARRAY_ELEMENTS. */
enum ck_array_todo ck_array_step(struct ck_thread *t, const struct ck_coarse *old, struct ck_coarse *out,
                                 uint32_t length, uint32_t lo, uint32_t hi, uint32_t step, bool write,
                                 uint32_t site);

/* Writes the words of elements lo..hi-1 as shadow `old` has them to words[0 .. 2*(hi-lo)-1]; t is the
 * calling thread. */
void ck_array_expand(struct ck_thread *t, const struct ck_coarse *old, uint32_t lo, uint32_t hi,
                     uint64_t *words);

/* ---- Locks held -------------------------------------------------------------------------------------- */

/* The thread has taken / is about to give back lock `key` (the caller's number for it, 1 .. 2^62-1).
 * `shared`: a read lock.  Recursive taking is told each time.  `site` is where it was taken, for reports.
 * These two are about names only; the order that a lock makes is ck_acquire before ck_lock_taken, and
 * ck_release after ck_lock_given.  Taking moves the epoch on and so does the release after giving, so that
 * all accesses of an epoch hold the same locks. */
void ck_lock_taken(struct ck_thread *t, uint64_t key, bool shared, uint32_t site);
void ck_lock_given(struct ck_thread *t, uint64_t key);
/* The caller may come to know of a lock only after it was taken.  ck_lock_given then says that t has held it
 * from the start until now; ck_lock_held says that it has, and still does. */
void ck_lock_held(struct ck_thread *t, uint64_t key);

struct ck_held {
    uint64_t key;
    uint32_t site; /* where it was taken */
    bool shared;
};

/* The interned set of locks that t holds now, and what is in a set. */
ck_lockset_id ck_lockset_now(struct ck_thread *t);
size_t ck_lockset_keys(struct checker *ck, ck_lockset_id set, uint64_t *keys, size_t max);
ck_lockset_id ck_lockset_common(struct checker *ck, ck_lockset_id a, ck_lockset_id b);

/* ---- Stacks and history ------------------------------------------------------------------------------ */

/* Frames are the caller's numbers.  Equal stacks get equal ids; none when out of memory. */
ck_stack_id ck_stack_intern(struct checker *ck, const uint64_t *frames, size_t count);
/* Copies up to `max` frames, innermost first as given; returns how many the stack has. */
size_t ck_stack_frames(struct checker *ck, ck_stack_id stack, uint64_t *frames, size_t max);

/* Remembers that the access with this site in the current epoch had this stack (config.history). */
void ck_history_add(struct ck_thread *t, uint32_t site, ck_stack_id stack);

/* ---- Races ------------------------------------------------------------------------------------------- */

enum { CK_RACE_LOCKS = 16 };

struct ck_access {
    ck_thread_id thread;
    char thread_name[64];   /* cut if longer; "" if forgotten */
    ck_stack_id created_at; /* where the thread was started */
    uint32_t site;
    bool write;
    uint64_t word;     /* slot, clock, site */
    ck_stack_id stack; /* from the history; none for the current access: the caller is on its stack */
    bool locks_known;  /* false: too long ago */
    uint32_t lock_count;
    struct ck_held locks[CK_RACE_LOCKS];
};

struct ck_race {
    struct ck_access now; /* the access being checked, on the calling thread */
    struct ck_access earlier;
    struct ck_where where;
    uint64_t count;  /* how often this pair of sites raced so far */
    uint32_t number; /* 1, 2, ... in the order found */
};

/* Every pair found so far with its count (sites and kinds only; `now` is the later access of the first time).
 */
struct ck_race_count {
    uint32_t now_site, earlier_site;
    bool now_write, earlier_write;
    uint64_t count;
};
void ck_races_each(struct checker *ck, void (*visit)(void *arg, const struct ck_race_count *race), void *arg);

/* ---- Evidence for the pairs of a plan ---------------------------------------------------------------- */

/*
 * A plan may have a million pairs, few of which ever meet: nothing is kept for a pair until it does.  The
 * caller says which sites are in pairs at all, and is asked once for each two of them that meet.
 */

enum { CK_VIAS = 4 };

/* What was seen of two sites in this run. */
struct ck_pair {
    uint64_t met;                    /* on one location, from two threads, at least one a write */
    uint64_t raced;                  /* of these: unordered (confirmed) */
    uint64_t predicted;              /* ordered, but only by locks, and no lock in common */
    uint64_t ordered[CK_EDGE_KINDS]; /* by kind; [CK_BY_LOCK]: a lock in common */
    uint64_t lock;                   /* key of a lock that was common to all meetings ordered by lock, or 0 */
    uint32_t via[CK_EDGE_KINDS]
                [CK_VIAS]; /* sites of releases that ordered some, then 0; full: perhaps more */
};

/* Evidence is kept for the site, counted for `as`: itself, or an earlier site that is the same access in
 * another copy of its class.  Before the site runs. */
void ck_site_watch(struct checker *ck, uint32_t site, uint32_t as);
/* The access at `site` now (t's locks and clocks) met the one in `earlier`, of another thread, one of them a
 * write.  With config.evidence the checks above call it themselves for every word they see, covered or not; a
 * caller that settles an access of a plan site by itself calls it with the covered word. */
void ck_meet(struct ck_thread *t, uint64_t earlier, uint32_t site);
/* The same of a read that follows the write in `earlier` by a rule of the caller's, as through a final field:
 * ordered, CK_BY_OTHER. */
void ck_meet_frozen(struct ck_thread *t, uint64_t earlier, uint32_t site);
/* Any thread; once per site is enough. */
void ck_site_ran(struct checker *ck, uint32_t site);
/* Whether it ran, or one that counts for it. */
bool ck_site_has_ran(struct checker *ck, uint32_t site);
/* What was seen so far of two sites that count for themselves; zeros if they never met. */
struct ck_pair ck_pair_get(struct checker *ck, uint32_t site_a, uint32_t site_b);

/* ---- Delays that let races show ---------------------------------------------------------------------- */

/*
 * Before an access at a site that may race: how many microseconds t should wait there, so that the other side
 * can come; mostly 0.  If it is not 0 the caller waits and then calls ck_confirm_end.  Not to be called in
 * class initialisers, where others may be waiting for t without a lock that we know of.
 *
 * `now_us` is the time since the run began.  The delays of a site become rarer with each one that was made,
 * and stop when a race was found there.  Never all live threads wait; a thread that holds a lock waits only
 * briefly; and all delays together keep within confirm_percent of the run time.
 */
uint32_t ck_confirm_begin(struct ck_thread *t, uint32_t site, uint64_t now_us);
void ck_confirm_end(struct ck_thread *t);

/* ---- Counters ---------------------------------------------------------------------------------------- */

/* Where precision was lost, and sizes.  A race may have been missed for each of the first group; none was
 * invented. */
struct ck_counters {
    uint64_t log_folds_hit;   /* acquires that got more order than they should, from a folded log */
    uint64_t slots_forced;    /* slots reused though their last thread was not known to be over */
    uint64_t threads_crowded; /* threads that had to share a slot */
    uint64_t sets_dropped;    /* read sets given up: too many, too large or no memory */
    uint64_t merges_dropped;  /* merged releases replaced by extra order */
    uint64_t arrays_left;     /* arrays too large for element shadows */
    uint64_t no_memory;       /* failed or refused allocations of any kind */
    uint64_t clock_overflows; /* threads moved to a fresh slot: no loss by itself */

    uint64_t delayed_us; /* all delays together */

    uint64_t threads; /* started over the run */
    uint64_t threads_live;
    uint64_t sets_live;
    uint64_t bytes;       /* held by the library now */
    uint64_t races;       /* distinct pairs */
    uint64_t races_total; /* occurrences */
};
struct ck_counters ck_counters_get(struct checker *ck);

#endif
