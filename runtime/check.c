/*
 * The rules for accesses: transitions of the read and write words of a variable.
 *
 * Simple model (FastTrack).  A read races with the last write, a write with the last write and with every
 * read since, unless they are covered by the accessing thread's vector clock.  A variable needs only its last
 * write, because an access that covers it covers all before; and only the reads that are not ordered among
 * each other.
 *
 * One addition (after "schedulable happens-before"): a read that races with a write has seen it, so what
 * follows in the reading thread comes after it in any run that goes the same way up to there.  The reader is
 * therefore ordered after the writer's epochs before that write.  The epoch of the write itself is left out:
 * it may still be going on, and accesses in it after the write are as concurrent as before.
 */
#include "state.h"

enum { ENTRY_WORDS = 4 };

static uint64_t *step_entry(uint64_t *table, uint64_t word) {
    return &table[(word >> CK_SITE_BITS & (CK_STEPS - 1)) * ENTRY_WORDS];
}

static uint64_t *note_entry(struct ck_thread *t, uint64_t set) {
    return &t->members[set >> CK_SITE_BITS & (CK_MEMBERS - 1)];
}

/* What `members` has for a set with t's epoch in it.  Number and clock do not overlap, so that no other pair
 * of the same slot has the same tag. */
static uint64_t member_tag(const struct ck_thread *t, uint64_t set) {
    return set << CK_SLOT_BITS ^ t->epoch >> CK_SITE_BITS;
}

/* Must not look like the other use of the table, a set that was acquired (sync.c). */
static void note_put(struct ck_thread *t, uint64_t set, uint64_t tag) {
    if (ck_word_site(tag)) *note_entry(t, set) = tag;
}

static void member_put(struct ck_thread *t, uint64_t set) {
    note_put(t, set, member_tag(t, set));
}

/* A set was found to be in t's past.  If that happens twice in an epoch it is likely to be asked of many
 * elements: the caller's fast path is told.  It then replaces the set unseen, so that the set's holders are
 * counted too high, and it may have to wait for its eviction. */
static void past_found(struct thread *t, uint64_t set) {
    uint64_t tag = member_tag(&t->pub, set);
    if (!ck_word_is_set(set) || word_is_row(set)) return; /* a row may have new reads any time */
    if (t->past == tag) note_put(&t->pub, set, ~tag);
    t->past = tag;
}

/* A transition that was asked for a second time in the same epoch is likely to be asked for by many elements
 * of one data structure: give it to the caller's fast path, whose holders we then cannot count. */
static uint64_t step_again(struct thread *t, uint64_t r, uint64_t mine) {
    const uint64_t *memo = step_entry(t->memo, r);
    if (memo[0] != r || memo[1] != mine || !sets_hold(&t->ck->reads, memo[2])) return 0;
    if (sets_stick(&t->ck->reads, memo[2])) {
        uint64_t *step = step_entry(t->pub.steps, r);
        for (int i = 0; i < 3; i++) step[i] = memo[i];
    }
    return memo[2];
}

static void step_remember(struct thread *t, uint64_t r, uint64_t mine, uint64_t set) {
    uint64_t *memo = step_entry(t->memo, r);
    memo[0] = r;
    memo[1] = mine;
    memo[2] = set;
}

uint32_t reads_copy(struct thread *t, uint64_t r) {
    if (word_is_row(r)) return rows_copy(t->ck, r, t->words);
    if (ck_word_is_set(r)) return sets_copy(&t->ck->reads, r, t->words, t->ck->config.set_cap + 1);
    t->words[0] = r;
    return 1;
}

/* Puts into t->words the reads of `r` that t does not cover; returns how many.  *own: the newest of t's slot
 * among all of them, else 0. */
static uint32_t reads_open(struct thread *t, uint64_t r, uint64_t *own) {
    uint32_t n = reads_copy(t, r), out = 0;
    *own = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (ck_word_slot(t->words[i]) == t->slot->number) *own = t->words[i];
        if (!thread_covers(t, t->words[i])) t->words[out++] = t->words[i];
    }
    return out;
}

/* The word for the `n` reads in t->words, of which `mine` is new.  `again`: t has been in the set `r` before,
 * with an older epoch, and will be again if it is the set of one variable only.  Then that gets a row. */
static uint64_t reads_word(struct thread *t, uint64_t r, uint64_t mine, uint32_t n, bool again) {
    bool wants_row = again && n <= ROWS_READERS && !t->ck->config.evidence && !thread_is_crowded(t);
    uint64_t word = 0;
    if (wants_row && sets_is_lone(&t->ck->reads, r)) word = rows_open(&t->pub, t->words, n, mine);
    return word ? word : sets_intern(&t->ck->reads, t->words, n);
}

uint64_t ck_read_step(struct ck_thread *pub, uint64_t r, uint32_t site) {
    struct thread *t = thread_of(pub);
    uint64_t mine = pub->epoch | site;
    sync_settle(t);
    if (ck_word_same_epoch(r, pub->epoch)) return r;
    if (thread_covers(t, r)) return mine;
    if (!thread_tables(t)) {
        count(&t->ck->sets_dropped);
        return mine;
    }
    if (*note_entry(pub, r) == member_tag(pub, r)) return r;
    if (word_is_row(r) && rows_read(pub, r, mine)) return r;
    uint64_t set = step_again(t, r, mine);
    if (!set) {
        uint64_t own;
        uint32_t n = reads_open(t, r, &own);
        if (own && ck_word_same_epoch(own, pub->epoch)) {
            if (!word_is_row(r)) member_put(pub, r);
            return r;
        }
        if (ck_word_is_set(r)) t->pending = r;
        if (!n) {
            past_found(t, r);
            return mine;
        }
        if (n >= t->ck->config.set_cap) {
            count(&t->ck->sets_dropped);
            n = t->ck->config.set_cap - 1;
        }
        set = reads_word(t, r, mine, words_insert(t->words, n, mine), own != 0 && !word_is_row(r));
        if (set && !word_is_row(set)) step_remember(t, r, mine, set);
    }
    if (ck_word_is_set(r)) t->pending = r;
    if (!set) {
        count(&t->ck->sets_dropped);
        return mine;
    }
    if (!word_is_row(set)) member_put(pub, set);
    return set;
}

static bool report(struct thread *t, uint64_t earlier, bool earlier_write, uint32_t site, bool write,
                   const struct ck_where *where) {
    if (atomic_load_explicit(&t->ck->off, memory_order_relaxed)) return false;
    race_found(t, earlier, earlier_write, site, write, where);
    return true;
}

bool ck_read_check(struct ck_thread *pub, uint64_t w, uint32_t site, const struct ck_where *where) {
    struct thread *t = thread_of(pub);
    if (t->ck->config.evidence) ck_meet(pub, w, site);
    if (thread_covers(t, w) || ck_word_is_set(w)) return false;
    bool race = report(t, w, true, site, false, where);
    /* Not an edge that every schedule has, so not for the hard view. */
    if (!t->ck->config.no_shb)
        sync_learn(t, ck_word_make(ck_word_slot(w), ck_word_clock(w) - 1, 0), CK_BY_OTHER, VIEW_FULL);
    return race;
}

bool ck_write_check(struct ck_thread *pub, uint64_t w, uint32_t site, const struct ck_where *where) {
    struct thread *t = thread_of(pub);
    if (t->ck->config.evidence) ck_meet(pub, w, site);
    if (thread_covers(t, w) || ck_word_is_set(w)) return false;
    return report(t, w, true, site, true, where);
}

uint64_t ck_write_reads(struct ck_thread *pub, uint64_t r, uint32_t site, const struct ck_where *where,
                        bool *race) {
    struct thread *t = thread_of(pub);
    sync_settle(t);
    if (t->ck->config.evidence) ck_meet(pub, r, site);
    /* A covered read may stay: whoever covers this write covers it too. */
    if (thread_covers(t, r)) return r;
    if (ck_word_is_set(r)) t->pending = r;
    if (!thread_tables(t)) return 0;
    uint64_t own;
    uint32_t n = reads_open(t, r, &own);
    for (uint32_t i = 0; i < n; i++)
        if (report(t, t->words[i], false, site, true, where)) *race = true;
    if (!n) past_found(t, r);
    return 0; /* all reads have been checked against this write, which now stands for them */
}

bool ck_var_read(struct ck_thread *t, struct ck_var *v, uint32_t site, const struct ck_where *where) {
    for (;;) {
        uint64_t r = atomic_load(&v->r);
        if (rows_have(t, r)) return false;
        uint64_t next = ck_read_step(t, r, site);
        if (next == r && !word_is_row(r)) return false;
        if (next == r) break;
        if (atomic_compare_exchange_strong(&v->r, &r, next)) break;
        ck_word_dropped(t, next);
    }
    return ck_read_check(t, atomic_load(&v->w), site, where);
}

bool ck_var_write(struct ck_thread *t, struct ck_var *v, uint32_t site, const struct ck_where *where) {
    if (ck_word_same_epoch(atomic_load(&v->w), t->epoch)) return false;
    uint64_t w = atomic_exchange(&v->w, t->epoch | site);
    bool race = ck_write_check(t, w, site, where);
    for (;;) {
        uint64_t r = atomic_load(&v->r), next = ck_write_reads(t, r, site, where, &race);
        if (next == r || atomic_compare_exchange_strong(&v->r, &r, next)) return race;
        ck_word_dropped(t, next);
    }
}
