/*
 * The shared shadow of an array: exact as long as a few threads read it in any order, and whoever writes to
 * it does so from one end to the other and after all of their reads.
 *
 * Simple model.  Every element has a write word and a read word for each thread.
 *
 * Here.  The writes are runs, as in the coarse shadow.  The reads of a thread are a few sets of elements, one
 * for each epoch and site, a bit for each element.
 *
 *     Invariant: each reader covered all runs of writes that were there, and each writer all sets of reads.
 *
 * So the order in which a run and a set came is the order in which the accesses happened, and a write hides
 * the reads before it, as it does in the simple model.  Stamps keep that order: a set has the number of runs
 * begun before it, a run its own number.  (A run that is made longer is of an epoch that is still going on,
 * so no other reader has come after it.)  A thread's newer reads hide its older ones.
 *
 * When a thread reads in a new epoch it needs a new set, in the place of one that is hidden.  If there is
 * none, or anything else does not fit, the array gets the simple model (CK_ARRAY_ELEMENTS).
 */
#include "array.h"

#include <string.h> /* memcpy */

enum { SET_BITS = 64 };

static uint64_t *block_at(struct ck_coarse *c, uint32_t i) {
    return c->words + CK_SHARED_READ + i * CK_BLOCK_WORDS(c->bits);
}

static uint64_t *entry_at(const struct ck_coarse *c, uint64_t *block, int i) {
    return block + i * CK_ENTRY_WORDS(c->bits);
}

static bool has_bit(const uint64_t *entry, uint32_t i) {
    return entry[CK_ENTRY_SET + i / SET_BITS] >> i % SET_BITS & 1;
}

/* The elements of a run in word w of a set. */
static uint64_t in_word(struct run r, uint32_t w) {
    uint32_t from = w * SET_BITS, lo = r.lo > from ? r.lo - from : 0, hi = r.hi - from;
    if (r.hi <= from || r.lo >= from + SET_BITS) return 0;
    if (hi > SET_BITS) hi = SET_BITS;
    if (r.step == 1) return UINT64_MAX << lo & UINT64_MAX >> (SET_BITS - hi);
    uint64_t mask = 0;
    for (uint32_t i = lo; i < hi; i++) mask |= (uint64_t)((from + i - r.lo) % r.step == 0) << i;
    return mask;
}

static void fill(uint64_t *set, struct run r, uint32_t bits) {
    for (uint32_t w = 0; w < bits; w++) set[w] |= in_word(r, w);
}

static void clear(uint64_t *set, struct run r, uint32_t bits) {
    for (uint32_t w = 0; w < bits; w++) set[w] &= ~in_word(r, w);
}

static void subtract(uint64_t *set, const uint64_t *other, uint32_t bits) {
    for (uint32_t i = 0; i < bits; i++) set[i] &= ~other[i];
}

static bool is_empty(const uint64_t *set, uint32_t bits) {
    uint64_t any = 0;
    for (uint32_t i = 0; i < bits; i++) any |= set[i];
    return any == 0;
}

/* The block of a slot, else an empty one, else NULL.  Where a thread's block is depends on the slot alone if
 * it can, so that the caller may expect it in the same place in all parts of an array. */
static uint64_t *block_of(struct ck_coarse *c, uint32_t slot) {
    uint64_t *empty = NULL;
    for (uint32_t i = 0; i < CK_READERS; i++) {
        uint64_t *block = block_at(c, (slot + i) % CK_READERS);
        if (*block && ck_word_slot(*block) == slot) return block;
        if (!*block && !empty) empty = block;
    }
    return empty;
}

/* Whether later reads of the thread, the set `mine` the last of them, and later writes hide all of an entry.
 */
static bool is_hidden(const struct ck_coarse *c, uint64_t *block, const uint64_t *entry,
                      const uint64_t *mine) {
    uint64_t rest[CK_BITS_MAX];
    memcpy(rest, entry + CK_ENTRY_SET, c->bits * sizeof *rest);
    subtract(rest, mine, c->bits);
    for (int i = 0; i < CK_ENTRIES; i++) {
        const uint64_t *other = entry_at(c, block, i);
        if (ck_word_clock(*other) > ck_word_clock(*entry)) subtract(rest, other + CK_ENTRY_SET, c->bits);
    }
    for (int i = 0; i < CK_RUNS; i++)
        if (c->words[CK_SHARED_STAMPS + i] >= entry[CK_ENTRY_STAMP] && c->words[CK_COARSE_WRITE + 2 * i] != 0)
            clear(rest, run_at(c->words, CK_COARSE_WRITE + 2 * i), c->bits);
    return is_empty(rest, c->bits);
}

/* A new entry for the set, in the first place; false if there is no room. */
static bool push(struct ck_coarse *c, uint64_t *block, uint64_t word, const uint64_t *set) {
    uint64_t *victim = NULL;
    for (int i = 0; i < CK_ENTRIES && !victim; i++) {
        uint64_t *entry = entry_at(c, block, i);
        if (!*entry || is_hidden(c, block, entry, set)) victim = entry;
    }
    if (!victim) return false;
    if (victim != block) memcpy(victim, block, CK_ENTRY_WORDS(c->bits) * sizeof *block);
    block[0] = word;
    block[CK_ENTRY_STAMP] = c->words[CK_SHARED_COUNT];
    memcpy(block + CK_ENTRY_SET, set, c->bits * sizeof *set);
    return true;
}

/* Elements that the thread has read in this epoch at another site keep that one. */
static bool add(struct ck_coarse *c, uint64_t *block, uint64_t word, uint64_t *set) {
    uint64_t *same = NULL;
    for (int i = 0; i < CK_ENTRIES; i++) {
        uint64_t *entry = entry_at(c, block, i);
        if (!ck_word_same_epoch(*entry, word)) continue;
        if (*entry == word)
            same = entry;
        else
            subtract(set, entry + CK_ENTRY_SET, c->bits);
    }
    if (is_empty(set, c->bits)) return true;
    if (!same) return push(c, block, word, set);
    for (uint32_t i = 0; i < c->bits; i++) same[CK_ENTRY_SET + i] |= set[i];
    return true;
}

enum ck_array_todo shared_read(struct thread *t, struct ck_coarse *out, uint32_t length, struct run mine) {
    uint64_t set[CK_BITS_MAX] = {0}, *block = block_of(out, ck_word_slot(mine.word));
    fill(set, mine, out->bits);
    if (!block || !runs_covered(t, out->words + CK_COARSE_WRITE) || !add(out, block, mine.word, set))
        return array_refine(t->ck, length);
    return CK_ARRAY_SHARE;
}

/* A run of reads of the coarse shadow.  A thread's writes hide what it has read until then. */
static bool take_over(struct ck_coarse *c, struct run reads) {
    uint64_t set[CK_BITS_MAX] = {0}, *block = block_of(c, ck_word_slot(reads.word));
    if (!block) return false;
    fill(set, reads, c->bits);
    for (int i = 0; i < CK_RUNS; i++) {
        struct run writes = run_at(c->words, CK_COARSE_WRITE + 2 * i);
        if (ck_word_slot(writes.word) == ck_word_slot(reads.word) &&
            ck_word_clock(writes.word) >= ck_word_clock(reads.word))
            clear(set, writes, c->bits);
    }
    return add(c, block, reads.word, set);
}

enum ck_array_todo shared_begin(struct thread *t, const uint64_t *coarse, struct ck_coarse *out,
                                uint32_t length, struct run mine) {
    if (t->ck->config.evidence) return array_refine(t->ck, length); /* who met whom is asked of elements */
    if (length > CK_BITS_MAX * SET_BITS) return array_refine(t->ck, length);
    *out = (struct ck_coarse){.bits = length > CK_BITS_SHORT * SET_BITS ? CK_BITS_MAX : CK_BITS_SHORT};
    memcpy(out->words + CK_COARSE_WRITE, coarse + CK_COARSE_WRITE, 2 * CK_RUNS * sizeof *coarse);
    out->words[CK_SHARED_COUNT] = 1; /* all runs were begun before, and hide nothing else */
    for (int i = CK_RUNS; i-- > 0;) {
        struct run reads = run_at(coarse, CK_COARSE_READ + 2 * i);
        if (reads.word && !take_over(out, reads)) return array_refine(t->ck, length);
    }
    return shared_read(t, out, length, mine);
}

/* Whether a write of `mine` leaves no read that is not hidden. */
static bool ends_reads(struct ck_coarse *c, struct run mine) {
    uint64_t set[CK_BITS_MAX] = {0};
    fill(set, mine, c->bits);
    for (uint32_t i = 0; i < CK_READERS; i++) {
        uint64_t *block = block_at(c, i);
        for (int k = 0; k < CK_ENTRIES; k++) {
            uint64_t *entry = entry_at(c, block, k);
            if (*entry && !is_hidden(c, block, entry, set)) return false;
        }
    }
    return true;
}

static bool covers_reads(const struct thread *t, struct ck_coarse *c) {
    for (uint32_t i = 0; i < CK_READERS; i++)
        for (int k = 0; k < CK_ENTRIES; k++)
            if (!thread_covers(t, *entry_at(c, block_at(c, i), k))) return false;
    return true;
}

static int readers(struct ck_coarse *c) {
    int n = 0;
    for (uint32_t i = 0; i < CK_READERS; i++) n += *block_at(c, i) != 0;
    return n;
}

enum ck_array_todo shared_write(struct thread *t, const struct ck_coarse *old, struct ck_coarse *out,
                                uint32_t length, struct run mine) {
    *out = *old;
    if (!runs_covered(t, out->words + CK_COARSE_WRITE) || !covers_reads(t, out) ||
        !runs_add(out->words, CK_COARSE_WRITE, out->words + CK_SHARED_COUNT, mine))
        return array_refine(t->ck, length);
    /* Two readers will read again, and a shadow made anew each time is garbage; more of them need the room.
     */
    if (readers(out) == 2 || !ends_reads(out, mine)) return CK_ARRAY_SHARE;
    memset(out->words + CK_COARSE_WORDS, 0, sizeof out->words - CK_COARSE_WORDS * sizeof out->words[0]);
    out->words[CK_COARSE_OWNER] = t->pub.id;
    out->bits = 0;
    return CK_ARRAY_REPLACE;
}

/* The newest entry of the block that has element i, unless a later write hides it. */
static uint64_t read_in(const struct ck_coarse *c, uint64_t *block, uint32_t i, uint64_t write_stamp) {
    const uint64_t *newest = NULL;
    for (int k = 0; k < CK_ENTRIES; k++) {
        const uint64_t *entry = entry_at(c, block, k);
        if (has_bit(entry, i) && (!newest || ck_word_clock(*entry) > ck_word_clock(*newest))) newest = entry;
    }
    return newest && write_stamp < newest[CK_ENTRY_STAMP] ? *newest : 0;
}

uint64_t shared_reads_of(struct thread *t, const struct ck_coarse *c, uint32_t i) {
    uint64_t reads[CK_READERS + 1];
    uint32_t n = 0;
    int which;
    bool written = runs_word(c->words, CK_COARSE_WRITE, i, &which) != 0;
    uint64_t stamp = written ? c->words[CK_SHARED_STAMPS + which] : 0;
    for (uint32_t k = 0; k < CK_READERS; k++) {
        uint64_t word = read_in(c, block_at((struct ck_coarse *)c, k), i, stamp);
        if (word) n = words_insert(reads, n, word);
    }
    if (n < 2) return n ? reads[0] : 0;
    uint64_t set = sets_intern(&t->ck->reads, reads, n);
    if (!set) count(&t->ck->sets_dropped);
    return set ? set : reads[0];
}
