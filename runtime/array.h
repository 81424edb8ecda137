/* Runs of array elements, and the two shadows made of them: coarse in array.c, shared in shared.c. */
#ifndef RACE_RUNTIME_ARRAY_H
#define RACE_RUNTIME_ARRAY_H

#include "state.h"

/* Elements lo, lo + step, ... below hi; hi is one behind the last. */
struct run {
    uint64_t word;
    uint32_t lo, hi, step;
};

struct run run_at(const uint64_t *words, int at);
bool run_has(struct run r, uint32_t i);
bool run_contains(struct run outer, struct run inner);
/* The word of the newest run at `at` that has element i, and which one that is; else 0. */
uint64_t runs_word(const uint64_t *words, int at, uint32_t i, int *which);

/*
 * Adds a run in this thread's epoch to those at `at`; false if they cannot say that.  Runs of two sites stay
 * apart, so that every element is reported with a line that touched it.  `stamps`, if not NULL: the number of
 * runs begun so far, then that of each run.
 */
bool runs_add(uint64_t *words, int at, uint64_t *stamps, struct run mine);
bool runs_covered(const struct thread *t, const uint64_t *runs);

/* The array gets words for each element. */
enum ck_array_todo array_refine(struct checker *ck, uint32_t length);

/* The read of a coarse array by one more thread, or of an element that no run can take in. */
enum ck_array_todo shared_begin(struct thread *t, const uint64_t *coarse, struct ck_coarse *out,
                                uint32_t length, struct run mine);
enum ck_array_todo shared_read(struct thread *t, struct ck_coarse *out, uint32_t length, struct run mine);
enum ck_array_todo shared_write(struct thread *t, const struct ck_coarse *old, struct ck_coarse *out,
                                uint32_t length, struct run mine);
/* The reads of one element in all blocks, as a read word. */
uint64_t shared_reads_of(struct thread *t, const struct ck_coarse *c, uint32_t i);

#endif
