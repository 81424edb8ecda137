/*
 * The state behind the public interface: the checker, its slots and its threads.
 *
 * Lock order: none of the locks below is ever held while another is taken, except slots_lock before a slot's
 * own lock.  No lock is held while on_race runs.
 */
#ifndef RACE_RUNTIME_STATE_H
#define RACE_RUNTIME_STATE_H

#include "clock.h"
#include "confirm.h"
#include "evidence.h"
#include "intern.h"
#include "memory.h"
#include "race.h"
#include "rows.h"
#include "sets.h"

#include <pthread.h>

/* The two vector clocks of a thread: all edges, and those that every schedule has. */
enum { VIEW_FULL, VIEW_HARD, VIEWS };

/* Which thread had a slot from which clock on. */
struct occupant {
    uint32_t first; /* clock */
    ck_thread_id thread;
    ck_stack_id created_at;
    char name[64];
};

/* One remembered access: its word and its stack. */
struct history_entry {
    uint64_t word, stack;
};

struct slot {
    pthread_mutex_t lock;
    struct checker *ck; /* never changes */
    uint32_t number;    /* never changes */

    /* Under `lock`. */
    struct timeline line[VIEWS];
    struct occupant *occupants; /* oldest first; a few, the oldest are forgotten */
    size_t occupant_count, occupant_cap;
    uint32_t peeked;      /* last clock that somebody learnt of while its epoch was going on */
    uint32_t crowd_clock; /* last release of the crowd; only in CK_SLOT_CROWD */

    /* Written by the thread that holds the slot; read by the one that takes it next, under slots_lock
     * between. */
    struct snapshot *final[VIEWS];
    uint32_t last;          /* last clock of the last holder; under slots_lock */
    uint32_t awaited;       /* last clock of the last holder that a shutdown waits for; under slots_lock */
    struct slot *next_dead; /* under slots_lock */
    const struct thread *holder; /* under slots_lock; NULL between two holders, and always for the crowd */

    /* Written by the holder, read by anybody with relaxed atomic loads and a check afterwards.  The blocks
     * themselves stay from the first holder to the end of the run. */
    uint64_t *locks;
    struct history_entry *history; /* NULL if off */
    uint64_t *column;              /* see rows.h; set once, under the lock there; NULL: none */
};

struct thread {
    struct ck_thread pub; /* first: the public pointer is this one */
    struct checker *ck;
    /* All below: the thread itself only. */
    struct slot *slot;
    struct view view[VIEWS]; /* [VIEW_HARD] only with evidence */
    struct news_list taken;  /* scratch: copied from another timeline */
    struct news_list news;   /* scratch: what this acquire raised */
    uint64_t *words;         /* scratch, at least set_cap + 2; NULL until needed */
    uint64_t *memo;          /* last transitions of read words, as `steps`, not yet for the caller's eyes */
    uint64_t past;           /* tag of the last set that was found to be in the past */
    uint64_t pending;      /* set word that the last returned word replaces, unless the caller says dropped */
    uint64_t *own_locks;   /* block for a thread in the crowd */
    uint32_t history_next; /* where in the slot's history the next access goes */
    ck_lockset_id lockset; /* of the locks held when their operations were lockset_at */
    uint64_t lockset_at;
    uint32_t confirm_draws; /* times that this thread asked for a delay */
    bool tables_owned;      /* pub.members and pub.steps are this thread's, not the shared empty ones */
};

struct checker {
    struct ck_config config; /* defaults filled in; never changes */
    struct memory memory;
    _Atomic bool off; /* set once when the order cannot be kept for lack of memory: no more reports */

    _Atomic(struct slot *) slots[CK_SLOT_SET]; /* set once each, under slots_lock; read by all */
    pthread_mutex_t slots_lock;
    uint32_t fresh;                /* first slot number never used; under slots_lock */
    struct slot *dead, **dead_end; /* slots of ended threads, oldest first; under slots_lock */
    uint32_t dead_count;
    uint32_t threads_live;
    uint32_t next_thread;

    struct sets reads, merges;
    struct rows rows;
    struct intern locksets; /* sorted keys */
    struct intern stacks;   /* frames, innermost first */
    struct races races;
    struct evidence evidence;
    struct confirm confirm;

    /* Any thread. */
    _Atomic uint64_t log_folds_hit, slots_forced, threads_crowded, sets_dropped, merges_dropped, arrays_left,
        clock_overflows;
};

static inline void count(_Atomic uint64_t *counter) {
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

static inline struct thread *thread_of(struct ck_thread *t) {
    return (struct thread *)t;
}

/* The owner's way to change its epoch: others may look at it (slot_present). */
static inline void thread_set_epoch(struct thread *t, uint64_t epoch) {
    __atomic_store_n(&t->pub.epoch, epoch, __ATOMIC_RELAXED);
}

static inline bool thread_is_crowded(const struct thread *t) {
    return t->slot->number == CK_SLOT_CROWD;
}

/* Whether what the word stands for happened before now.  A set is never covered. */
static inline bool thread_covers(const struct thread *t, uint64_t word) {
    return ck_word_clock(word) <= view_get(&t->view[VIEW_FULL], ck_word_slot(word));
}

static inline bool thread_covers_hard(const struct thread *t, uint64_t word) {
    uint32_t slot = ck_word_slot(word), page = slot / CK_PAGE_SLOTS;
    return ck_word_clock(word) <= t->pub.hard_table[page][slot % CK_PAGE_SLOTS];
}

/* threads.c */
struct slot *slot_find(struct checker *ck, uint32_t number);
/* The holder of slot at clock; false if forgotten. */
bool slot_occupant(struct checker *ck, uint64_t word, struct occupant *out);
/* The thread's clock is at its limit: continue in another slot. */
void thread_move(struct thread *t);
/* The present clock of a slot's holder, or the last one of a slot without; 0 for a number never used.  To
 * learn of an epoch that is still going on is allowed only with this: the holder is told to start a new one
 * before it learns anything itself, or the invariant of clock.h would not hold for this epoch. */
uint32_t slot_present(struct checker *ck, uint32_t number);
/* The last clock of a slot's holders for whose end a shutdown waits; 0: none. */
uint32_t slot_awaited(struct checker *ck, uint32_t number);
/* Allocates scratch space for sets and the tables of the fast path; false: out of memory. */
bool thread_tables(struct thread *t);
void threads_release(struct checker *ck);

/* check.c */
/* Copies the reads that a read word stands for to t->words; returns how many. */
uint32_t reads_copy(struct thread *t, uint64_t r);

/* sync.c */
/* Of the release, or whatever else the word stands for, and all that came before it. */
void sync_learn(struct thread *t, uint64_t word, enum ck_edge kind, int which);
/* Moves the thread's epoch on. */
void sync_tick(struct thread *t);
/* Forgets the set that the last returned word replaced, now that it was. */
void sync_settle(struct thread *t);

/* locks.c */
/* Never NULL: without memory, a block that all share and nobody can rely on. */
uint64_t *locks_new(struct checker *ck);
void locks_free(struct checker *ck, uint64_t *locks);
/* A new thread takes over the block: no lock is held. */
void locks_reset(uint64_t *locks);
/* The thread got another block: the locks it holds go along. */
void locks_move(uint64_t *to, const uint64_t *from);
/* The locks held at the word's epoch; false if that cannot be told any more. */
bool locks_at(struct checker *ck, uint64_t word, struct ck_held *out, uint32_t *count_out);
uint32_t locks_now(const struct thread *t, struct ck_held *out);

/* history.c */
ck_stack_id history_find(struct checker *ck, uint64_t word);

/* race.c: counts the race, and reports it if it is the first of its pair. */
void race_found(struct thread *t, uint64_t earlier, bool earlier_write, uint32_t site, bool write,
                const struct ck_where *where);

#endif
