/*
 * The coarse shadow of an array: exact as long as one thread at a time sweeps over it.
 *
 * Simple model.  Every element has a read and a write word.
 *
 * Here.  Most arrays are used by one thread, or handed from one to the next, and from one end to the other.
 * Two runs for reads and two for writes describe that exactly: the elements of the current sweep, and those
 * of the one before.
 *
 *     Invariant: the owner covers the words of all runs, so nothing the owner does can race.
 *
 * Whatever does not fit is answered with CK_ARRAY_ELEMENTS, and the array gets the simple model.
 */
#include "state.h"

#include <string.h> /* memcpy */

enum { SMALL_MAX = 8 }; /* arrays up to this length have words for each element from the start */

struct run {
    uint64_t word;
    uint32_t lo, hi;
};

static struct run run_at(const uint64_t *words, int at) {
    return (struct run){words[at], (uint32_t)words[at + 1], (uint32_t)(words[at + 1] >> 32)};
}

static void run_put(uint64_t *words, int at, struct run r) {
    words[at] = r.word;
    words[at + 1] = (uint64_t)r.hi << 32 | r.lo;
}

static enum ck_array_todo refine(struct checker *ck, uint32_t length) {
    /* The words live in the caller's memory; the limit still says what is out of proportion. */
    if (length <= ck->config.max_memory / (4 * sizeof(uint64_t))) return CK_ARRAY_ELEMENTS;
    count(&ck->arrays_left);
    return CK_ARRAY_LEAVE;
}

static bool covers_all(const struct thread *t, const uint64_t *old) {
    return thread_covers(t, old[CK_COARSE_READ]) && thread_covers(t, old[CK_COARSE_READ_OLD]) &&
           thread_covers(t, old[CK_COARSE_WRITE]) && thread_covers(t, old[CK_COARSE_WRITE_OLD]);
}

/* Adds lo..hi-1 in the epoch of `mine` to the runs at `at`; false if they cannot say that. */
static bool runs_add(uint64_t *words, int at, uint64_t mine, uint32_t lo, uint32_t hi) {
    struct run now = run_at(words, at), before = run_at(words, at + 2);
    if (ck_word_same_epoch(now.word, mine)) {
        if (lo > now.hi || hi < now.lo) return false; /* a gap */
        if (lo < now.lo) now.lo = lo;
        if (hi > now.hi) now.hi = hi;
        run_put(words, at, now);
        return true;
    }
    /* The current run becomes the older one, if what that was is hidden or empty. */
    bool hidden = before.lo == before.hi || (now.lo <= before.lo && before.hi <= now.hi);
    if (!hidden) return false;
    run_put(words, at + 2, now);
    run_put(words, at, (struct run){mine, lo, hi});
    return true;
}

enum ck_array_todo ck_array_step(struct ck_thread *pub, const uint64_t *old, uint64_t out[CK_COARSE_WORDS],
                                 uint32_t length, uint32_t lo, uint32_t hi, bool write, uint32_t site) {
    struct thread *t = thread_of(pub);
    int at = write ? CK_COARSE_WRITE : CK_COARSE_READ;
    if (lo >= hi) return CK_ARRAY_DONE;
    if (length <= SMALL_MAX || thread_is_crowded(t)) return refine(t->ck, length);
    if (!old) {
        memset(out, 0, CK_COARSE_WORDS * sizeof *out);
        out[CK_COARSE_OWNER] = pub->id;
        run_put(out, at, (struct run){pub->epoch | site, lo, hi});
        return CK_ARRAY_REPLACE;
    }
    if (!covers_all(t, old)) return refine(t->ck, length);
    struct run now = run_at(old, at);
    if (old[CK_COARSE_OWNER] == pub->id && ck_word_same_epoch(now.word, pub->epoch) && now.lo <= lo &&
        hi <= now.hi)
        return CK_ARRAY_DONE;
    memcpy(out, old, CK_COARSE_WORDS * sizeof *out);
    out[CK_COARSE_OWNER] = pub->id;
    if (!runs_add(out, at, pub->epoch | site, lo, hi)) return refine(t->ck, length);
    return CK_ARRAY_REPLACE;
}

static uint64_t run_word(const uint64_t *words, int at, uint32_t i) {
    struct run now = run_at(words, at), before = run_at(words, at + 2);
    if (now.lo <= i && i < now.hi) return now.word;
    return before.lo <= i && i < before.hi ? before.word : 0;
}

void ck_array_expand(const uint64_t old[CK_COARSE_WORDS], uint32_t lo, uint32_t hi, uint64_t *words) {
    for (uint32_t i = lo; i < hi; i++) {
        *words++ = run_word(old, CK_COARSE_READ, i);
        *words++ = run_word(old, CK_COARSE_WRITE, i);
    }
}
