/*
 * The coarse shadow of an array: exact as long as one thread at a time sweeps over it.
 *
 * Simple model.  Every element has a read and a write word.
 *
 * Here.  Most arrays are used by one thread, or handed from one to the next, and from one end to the other.
 * A few runs for reads and a few for writes describe that exactly: the elements of the current sweep, and
 * those of the ones before.  A run may leave out elements in between at regular steps.
 *
 *     Invariant: the owner covers the words of all runs, so nothing the owner does can race.
 *
 * When a second thread reads what the owner has read, neither covers the other's reads; and reads may come in
 * any order.  Then the array becomes shared: see shared.c.
 *
 * Whatever does not fit is answered with CK_ARRAY_ELEMENTS, and the array gets the simple model.
 */
#include "array.h"

#include <string.h> /* memcpy */

enum { SMALL_MAX = 8 }; /* arrays up to this length have words for each element from the start */

struct run run_at(const uint64_t *words, int at) {
    uint32_t low = (uint32_t)words[at + 1];
    return (struct run){words[at], low & CK_RUN_MAX, (uint32_t)(words[at + 1] >> 32),
                        (low >> CK_RUN_STEP_SHIFT) + 1};
}

static void run_put(uint64_t *words, int at, struct run r) {
    words[at] = r.word;
    words[at + 1] = (uint64_t)r.hi << 32 | (uint64_t)(r.step - 1) << CK_RUN_STEP_SHIFT | r.lo;
}

bool run_has(struct run r, uint32_t i) {
    return r.lo <= i && i < r.hi && (i - r.lo) % r.step == 0;
}

static bool is_single(struct run r) {
    return r.hi - r.lo <= 1;
}

bool run_contains(struct run outer, struct run inner) {
    if (inner.lo == inner.hi) return true;
    return run_has(outer, inner.lo) && run_has(outer, inner.hi - 1) &&
           (is_single(inner) || inner.step % outer.step == 0);
}

/* The union of two runs, if it is one; it has the word of x. */
static bool run_join(struct run x, struct run y, struct run *out) {
    *out = x;
    if (run_contains(x, y)) return true;
    struct run u = {x.word, x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi,
                    is_single(x) ? y.step : x.step};
    uint32_t y_step = is_single(y) ? u.step : y.step, gap = x.lo > y.lo ? x.lo - y.lo : y.lo - x.lo;
    bool in_step = u.step == y_step && gap % u.step == 0;
    bool in_reach = x.lo <= y.hi - 1 + u.step && y.lo <= x.hi - 1 + u.step;
    /* The two colours of a chessboard's row. */
    bool alternate = x.step == 2 && y.step == 2 && gap == 1 && (x.hi == y.hi + 1 || y.hi == x.hi + 1);
    if (alternate) u.step = 1;
    *out = u;
    return alternate || (in_step && in_reach);
}

enum ck_array_todo array_refine(struct checker *ck, uint32_t length) {
    /* The words live in the caller's memory; the limit still says what is out of proportion. */
    if (length <= ck->config.max_memory / (4 * sizeof(uint64_t))) return CK_ARRAY_ELEMENTS;
    count(&ck->arrays_left);
    return CK_ARRAY_LEAVE;
}

/* Puts a run before those at `at`, without the ones that newer runs hide; false if there is no room. */
static bool runs_push(uint64_t *words, int at, uint64_t *stamps, struct run mine) {
    struct run runs[CK_RUNS + 1] = {mine};
    uint64_t stamped[CK_RUNS + 1] = {stamps ? stamps[0] : 0};
    int n = 1;
    for (int i = 0; i < CK_RUNS; i++) {
        struct run r = run_at(words, at + 2 * i);
        bool hidden = r.lo == r.hi;
        for (int k = 0; k < n && !hidden; k++) hidden = run_contains(runs[k], r);
        if (hidden) continue;
        if (stamps) stamped[n] = stamps[1 + i];
        runs[n++] = r;
    }
    if (n > CK_RUNS) return false;
    for (int i = 0; i < CK_RUNS; i++) run_put(words, at + 2 * i, i < n ? runs[i] : (struct run){0, 0, 0, 1});
    if (!stamps) return true;
    stamps[0]++;
    memcpy(stamps + 1, stamped, CK_RUNS * sizeof *stamps);
    return true;
}

bool runs_add(uint64_t *words, int at, uint64_t *stamps, struct run mine) {
    for (int i = at; i < at + 2 * CK_RUNS; i += 2) {
        struct run now = run_at(words, i), both;
        if (!ck_word_same_epoch(now.word, mine.word)) break;
        if (run_contains(now, mine)) return true;
        if (now.word != mine.word) continue;
        if (!run_join(now, mine, &both)) return false; /* a gap */
        run_put(words, i, both);
        return true;
    }
    return runs_push(words, at, stamps, mine);
}

bool runs_covered(const struct thread *t, const uint64_t *runs) {
    for (int i = 0; i < 2 * CK_RUNS; i += 2)
        if (!thread_covers(t, runs[i])) return false;
    return true;
}

/* The array is coarse. */
static enum ck_array_todo step_coarse(struct thread *t, const uint64_t *old, struct ck_coarse *out,
                                      uint32_t length, struct run mine, bool write) {
    int at = write ? CK_COARSE_WRITE : CK_COARSE_READ;
    bool is_owner = old[CK_COARSE_OWNER] == t->pub.id;
    if (!runs_covered(t, old + CK_COARSE_WRITE) || !runs_covered(t, old + CK_COARSE_READ))
        return write || is_owner ? array_refine(t->ck, length) : shared_begin(t, old, out, length, mine);
    struct run now = run_at(old, at);
    if (is_owner && ck_word_same_epoch(now.word, t->pub.epoch) && run_contains(now, mine))
        return CK_ARRAY_DONE;
    *out = (struct ck_coarse){.bits = 0};
    memcpy(out->words, old, CK_COARSE_WORDS * sizeof *old);
    out->words[CK_COARSE_OWNER] = t->pub.id;
    if (runs_add(out->words, at, NULL, mine)) return CK_ARRAY_REPLACE;
    return write ? array_refine(t->ck, length) : shared_begin(t, old, out, length, mine);
}

enum ck_array_todo ck_array_step(struct ck_thread *pub, const struct ck_coarse *old, struct ck_coarse *out,
                                 uint32_t length, uint32_t lo, uint32_t hi, uint32_t step, bool write,
                                 uint32_t site) {
    struct thread *t = thread_of(pub);
    struct run mine = {pub->epoch | site, lo, hi, step};
    if (lo >= hi) return CK_ARRAY_DONE;
    if (hi > CK_RUN_MAX || step == 0 || step > CK_RUN_STEP_MAX || length <= SMALL_MAX || thread_is_crowded(t))
        return array_refine(t->ck, length);
    if (!old) {
        *out = (struct ck_coarse){.bits = 0};
        out->words[CK_COARSE_OWNER] = pub->id;
        run_put(out->words, write ? CK_COARSE_WRITE : CK_COARSE_READ, mine);
        return CK_ARRAY_REPLACE;
    }
    if (!old->bits) return step_coarse(t, old->words, out, length, mine, write);
    if (write) return shared_write(t, old, out, length, mine);
    *out = *old;
    return shared_read(t, out, length, mine);
}

uint64_t runs_word(const uint64_t *words, int at, uint32_t i, int *which) {
    for (int k = 0; k < CK_RUNS; k++) {
        struct run r = run_at(words, at + 2 * k);
        *which = k;
        if (run_has(r, i)) return r.word;
    }
    return 0;
}

void ck_array_expand(struct ck_thread *t, const struct ck_coarse *old, uint32_t lo, uint32_t hi,
                     uint64_t *words) {
    int which;
    for (uint32_t i = lo; i < hi; i++) {
        *words++ = old->bits ? shared_reads_of(thread_of(t), old, i)
                             : runs_word(old->words, CK_COARSE_READ, i, &which);
        *words++ = runs_word(old->words, CK_COARSE_WRITE, i, &which);
    }
}
