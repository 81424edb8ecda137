/*
 * The checker as a textbook has it, to compare the real one with: a full vector clock for each thread and
 * each synchronisation variable, nothing interned, nothing reused, no epochs in place of vectors.
 *
 * Two answers are given for each access:
 *   rule   by the rules of check.c: the last write, the reads not ordered among each other, the same-epoch
 * shortcut, and the order that a racy read takes from the write it saw (`shb`). truth  whether any earlier
 * conflicting access is unordered by happens-before alone.
 */
#ifndef RACE_TESTS_REFERENCE_H
#define RACE_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REF_THREADS = 160, REF_SYNCS = 24, REF_VARS = 220 };

struct ref_clock {
    uint32_t at[REF_THREADS];
};

struct ref_thread {
    struct ref_clock now;   /* with the order of racy reads */
    struct ref_clock pure;  /* happens-before only */
    struct ref_clock hard;  /* without the edges made by locks */
    uint32_t locks;         /* held, one bit each; set by the caller */
    struct ref_clock *ends; /* `now` at the end of each epoch, from 0 = before the first */
    size_t end_count, end_cap;
};

struct ref_read {
    uint32_t thread, clock;
};

struct ref_var {
    uint32_t writer, write_clock; /* the last write; clock 0: none */
    uint32_t write_locks;         /* that it held */
    struct ref_read reads[REF_THREADS];
    size_t read_count;
    struct ref_clock all_reads, all_writes; /* last access of each thread */
};

struct ref {
    bool shb;
    struct ref_thread threads[REF_THREADS];
    struct ref_clock sync_now[REF_SYNCS], sync_pure[REF_SYNCS], sync_hard[REF_SYNCS];
    struct ref_var vars[REF_VARS];
    uint64_t races; /* pairs that raced, by rule */
    /* Of writes that met the last write of another thread. */
    uint64_t met, by_lock, predicted;
};

struct ref_answer {
    bool rule, truth;
};

struct ref *ref_new(bool shb);
void ref_free(struct ref *ref);

/* Thread ids are chosen by the caller, each once.  `parent` < 0: none. */
void ref_start(struct ref *ref, int parent, int child);
void ref_join(struct ref *ref, int t, int ended);
void ref_acquire(struct ref *ref, int t, int sync, bool by_lock);
/* blind: what was released before stays in the variable. */
void ref_release(struct ref *ref, int t, int sync, bool blind);
/* Orders t after all that the others did so far. */
void ref_acquire_all(struct ref *ref, int t);
void ref_tick(struct ref *ref, int t);
struct ref_answer ref_read(struct ref *ref, int t, int var);
struct ref_answer ref_write(struct ref *ref, int t, int var);
/* The variable is a new one. */
void ref_forget(struct ref *ref, int var);

#endif
