/*
 * Vector clocks, and the log of how each one grew.
 *
 * Simple model.  A release by thread t stores a copy of t's whole vector clock in the lock; an acquire joins
 * that copy into the acquirer's clock.  Both cost O(threads), and every lock holds a vector.
 *
 * Here.  A release stores only (slot, clock) of t.  What t knew at that clock can be found again, because t
 * keeps a *timeline*: for each component that grew, an entry (own clock at that time, slot, new clock).  An
 * acquirer u that already knew t at clock k takes the entries stamped in (k, c]: the cost is the news, not
 * the threads.  It rests on
 *
 *     Invariant: if u's view has clock k for slot s, then u's view has everything that s's timeline holds up
 * to k.
 *
 * A timeline may also have a *mark*: a snapshot of all that was known at some clock.  It stands for the
 * entries up to there, which need not be logged (a thread starts with one), or can be thrown away when the
 * log grows too long.  Whoever asks for a clock before the first mark gets all of that mark, and its clock:
 * more order than there was, never less (counted by the caller).
 *
 * Views and snapshots share pages, copied when written, so that starting a thread copies pointers only.
 * tests/unit/checker_oracle_test.c compares all this with plain vector clocks.
 */
#ifndef RACE_RUNTIME_CLOCK_H
#define RACE_RUNTIME_CLOCK_H

#include "memory.h"
#include "race/checker.h" /* CK_PAGES, CK_PAGE_SLOTS */

/* What a live thread's view says about its own slot: everything is known. */
enum { CLOCK_OWN = CK_CLOCK_MAX };

/* One thread's vector clock.  Owner only (also while it is being made or ended by another thread). */
struct view {
    uint32_t **table; /* CK_PAGES pages, each CK_PAGE_SLOTS clocks; none is NULL */
    uint32_t top;     /* pages at and above this one are all zero */
};

/* An immutable copy of a view.  Shared by reference count; changed in place only while the count is 1. */
struct snapshot {
    _Atomic uint32_t refs;
    uint32_t count;
    uint32_t *pages[];
};

/* How something was learnt, over all the hops that it came by. */
struct hops {
    uint32_t kinds : 8; /* 1 << enum ck_edge, or-ed */
    uint32_t via : 24; /* site of a release among them, of a hand-over if there was one; 0: none has a site */
};

struct news {
    uint32_t at;    /* own clock when it was learnt; 0 in lists that have not been logged yet */
    uint32_t slot;  /* the component that grew */
    uint32_t clock; /* its new clock */
    struct hops hops;
};

/* A list of news that grows.  Owner only. */
struct news_list {
    struct news *items;
    size_t count, cap;
};

enum { MARKS_MAX = 16 };

struct mark {
    uint32_t at;
    uint64_t origin; /* word of the start that it comes from: who covers that has all of it; 0: none */
    struct snapshot *base;
};

/* All fields: under the lock of the slot it belongs to. */
struct timeline {
    struct news *log; /* sorted by `at`, each after the first mark */
    size_t count, cap;
    struct mark marks[MARKS_MAX]; /* sorted by `at`; everything up to the first is in that one only */
    size_t mark_count;
};

bool view_init(struct view *v, struct memory *m);
void view_release(struct view *v, struct memory *m);

static inline uint32_t view_get(const struct view *v, uint32_t slot) {
    return v->table[slot / CK_PAGE_SLOTS][slot % CK_PAGE_SLOTS];
}
/* Sets one component.  false: no memory, nothing changed. */
bool view_set(struct view *v, struct memory *m, uint32_t slot, uint32_t clock);

/* A snapshot with `clock` as the clock of `slot` (the owner's; 0 for none).  NULL when out of memory. */
struct snapshot *snapshot_take(const struct view *v, struct memory *m, uint32_t slot, uint32_t clock);
struct snapshot *snapshot_retain(struct snapshot *s);
void snapshot_put(struct snapshot *s, struct memory *m);
uint32_t snapshot_get(const struct snapshot *s, uint32_t slot);

/* Makes an all-zero view equal to the snapshot. */
void view_adopt(struct view *v, const struct snapshot *s);
/* Raises v to at least s, and appends each component that grew to `news` (if not NULL).  false: out of
 * memory. */
bool view_join(struct view *v, struct memory *m, const struct snapshot *s, struct hops hops,
               struct news_list *news);
/* Lists the components in which v is above s (s may be NULL: zero), except `own`.  Stops when there are more
 * than `max`.  false: out of memory. */
bool view_diff(const struct view *v, struct memory *m, const struct snapshot *s, uint32_t own, size_t max,
               struct news_list *news);

bool news_add(struct news_list *list, struct memory *m, struct news item);
void news_release(struct news_list *list, struct memory *m);

void timeline_release(struct timeline *line, struct memory *m);
/* Logs `news` at clock `at`; shortens a log longer than `cap`.  false: out of memory. */
bool timeline_append(struct timeline *line, struct memory *m, uint32_t at, const struct news_list *news,
                     size_t cap);
/* From now on everything up to `at` is in mark.base (taken over). */
void timeline_mark(struct timeline *line, struct memory *m, struct mark mark);
/* Throws away all entries and marks before the last mark. */
void timeline_forget(struct timeline *line, struct memory *m);
/* The mark for somebody who knows `known` and asks for `clock`: the last one in (known, clock], or the first
 * of all if even that is after both.  NULL if entries alone tell the rest. */
const struct mark *timeline_mark_for(const struct timeline *line, uint32_t known, uint32_t clock);
/* Copies the entries stamped in (from, to] to the end of `out`. */
bool timeline_between(const struct timeline *line, struct memory *m, uint32_t from, uint32_t to,
                      struct news_list *out);
/* The oldest logged entry by which `slot` reached `clock`; NULL if folded or never. */
const struct news *timeline_first(const struct timeline *line, uint32_t slot, uint32_t clock);
/* Whether `slot` had reached `clock` by the own clock `at`; what the first mark has counts as known before,
 * too. */
bool timeline_knew(const struct timeline *line, uint32_t at, uint32_t slot, uint32_t clock);

#endif
