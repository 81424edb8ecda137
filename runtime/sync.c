/*
 * Acquire and release.  See clock.h for the model; this file connects views, timelines and words.
 */
#include "state.h"

enum { SCRATCH_KEPT = 256 };

/* Raises one component, and remembers that for the timeline. */
static bool learn_one(struct thread *t, int which, uint32_t slot, uint32_t clock, struct hops hops) {
    if (clock <= view_get(&t->view[which], slot)) return true;
    return view_set(&t->view[which], &t->ck->memory, slot, clock) &&
           news_add(&t->news, &t->ck->memory, (struct news){0, slot, clock, hops});
}

/* Copies what slot s knew up to *clock and t does not know: entries to t->taken, and a mark if needed. *clock
 * becomes that of the mark if it was before: what the mark tells of others may rest on s at that clock. */
static bool learn_take(struct thread *t, struct slot *s, uint32_t *clock, int which, struct mark *mark) {
    const struct view *v = &t->view[which];
    uint32_t from = view_get(v, s->number);
    pthread_mutex_lock(&s->lock);
    const struct mark *found = timeline_mark_for(&s->line[which], from, *clock);
    if (found) {
        *mark = *found;
        from = found->at;
        /* Who knows the start that gave the mark has all of it. */
        bool have = found->origin && ck_word_clock(found->origin) <= view_get(v, ck_word_slot(found->origin));
        mark->base = have ? NULL : snapshot_retain(found->base);
    }
    if (*clock < from) {
        count(&t->ck->log_folds_hit);
        *clock = from;
    }
    t->taken.count = 0;
    bool ok = timeline_between(&s->line[which], &t->ck->memory, from, *clock, &t->taken);
    pthread_mutex_unlock(&s->lock);
    return ok;
}

/* Logs the news as a mark if they are many: with thousands of threads, a lock that goes round would otherwise
 * cost each of them an entry for each other.  A mark closes the epoch.  Own slot locked; false: not done. */
static bool learn_mark(struct thread *t, int which) {
    struct view *v = &t->view[which];
    struct slot *own = t->slot;
    if (t->news.count <= t->ck->config.news_log + 2 * (size_t)v->top) return false;
    uint32_t at = ck_word_clock(t->pub.epoch);
    struct snapshot *base = snapshot_take(v, &t->ck->memory, own->number, at);
    if (!base) return false;
    timeline_mark(&own->line[which], &t->ck->memory, (struct mark){.at = at, .base = base});
    thread_set_epoch(t, t->pub.epoch + CK_CLOCK_ONE);
    return true;
}

/* Writes t->news to the thread's own timeline. */
static bool learn_log(struct thread *t, int which) {
    struct slot *own = t->slot;
    bool crowded = thread_is_crowded(t);
    pthread_mutex_lock(&own->lock);
    /* Somebody knows this epoch as it was (slot_present): what comes now belongs to the next. */
    if (!crowded && own->peeked >= ck_word_clock(t->pub.epoch))
        thread_set_epoch(t, t->pub.epoch + CK_CLOCK_ONE);
    /* In the crowd the next release of whichever thread publishes it. */
    uint32_t at = crowded ? own->crowd_clock + 1 : ck_word_clock(t->pub.epoch);
    bool ok = (!crowded && learn_mark(t, which)) ||
              timeline_append(&own->line[which], &t->ck->memory, at, &t->news, t->ck->config.log_cap);
    pthread_mutex_unlock(&own->lock);
    return ok;
}

/* Each of many threads may need much scratch space once; it must not keep it. */
static void scratch_trim(struct thread *t) {
    if (t->news.cap > SCRATCH_KEPT) news_release(&t->news, &t->ck->memory);
    if (t->taken.cap > SCRATCH_KEPT) news_release(&t->taken, &t->ck->memory);
}

/* What was learnt by `before`, and then by `hop` from somebody else. */
static struct hops hop_on(struct hops before, struct hops hop) {
    bool keeps = hop.via == 0 || ((before.kinds & ~hop.kinds) >> CK_BY_HANDOFF & 1) != 0;
    return (struct hops){before.kinds | hop.kinds, keeps ? before.via : hop.via};
}

void sync_learn(struct thread *t, uint64_t word, enum ck_edge kind, int which) {
    uint32_t slot = ck_word_slot(word), clock = ck_word_clock(word);
    struct slot *s = slot_find(t->ck, slot);
    if (!s || clock <= view_get(&t->view[which], slot)) return;
    struct hops hop = {1u << kind, ck_word_site(word)};
    struct mark mark = {0};
    t->news.count = 0;
    bool ok = learn_take(t, s, &clock, which, &mark);
    if (mark.base) {
        struct hops marked = {mark.origin ? 1 << CK_BY_START : 1 << CK_BY_OTHER, 0};
        ok &= view_join(&t->view[which], &t->ck->memory, mark.base, hop_on(marked, hop), &t->news);
        snapshot_put(mark.base, &t->ck->memory);
    }
    for (size_t i = 0; ok && i < t->taken.count; i++) {
        const struct news *e = &t->taken.items[i];
        ok = learn_one(t, which, e->slot, e->clock, hop_on(e->hops, hop));
    }
    if (ok) ok = learn_one(t, which, slot, clock, hop);
    /* In the crowd, what comes from its own timeline is in there already. */
    if (ok && slot != t->slot->number) ok = learn_log(t, which);
    scratch_trim(t);
    if (!ok) atomic_store(&t->ck->off, true); /* order was lost: from here on a report could be wrong */
    if (thread_is_crowded(t)) {
        uint32_t now = view_get(&t->view[VIEW_FULL], CK_SLOT_CROWD);
        thread_set_epoch(t, ck_word_make(CK_SLOT_CROWD, now, 0));
    }
}

/* The releases in a set that is gone are somewhere in the grave. */
static void acquire_grave(struct thread *t, enum ck_edge kind, int which) {
    for (uint32_t slot = 1; slot < CK_SLOT_SET; slot++) {
        uint32_t clock = sets_grave_clock(&t->ck->merges, slot);
        if (clock) sync_learn(t, ck_word_make(slot, clock, 0), kind, which);
    }
}

static void acquire_set(struct thread *t, uint64_t word, enum ck_edge kind, int which) {
    if (!thread_tables(t)) {
        atomic_store(&t->ck->off, true);
        return;
    }
    uint32_t n = sets_copy(&t->ck->merges, word, t->words, t->ck->config.set_cap + 2);
    for (uint32_t i = 0; i < n; i++) sync_learn(t, t->words[i], kind, which);
    if (!n) acquire_grave(t, kind, which);
    /* Only an acquire of the kind that the caller's fast path asks about may be remembered for it. */
    if (which == VIEW_HARD || !t->ck->config.evidence)
        t->pub.members[word >> CK_SITE_BITS & (CK_MEMBERS - 1)] = word;
}

static void acquire_in(struct thread *t, uint64_t word, enum ck_edge kind, int which) {
    if (ck_word_is_set(word))
        acquire_set(t, word, kind, which);
    else
        sync_learn(t, word, kind, which);
}

void ck_acquire(struct ck_thread *pub, uint64_t word, enum ck_edge kind) {
    struct thread *t = thread_of(pub);
    if (!word) return;
    acquire_in(t, word, kind, VIEW_FULL);
    if (t->ck->config.evidence && kind != CK_BY_LOCK) acquire_in(t, word, kind, VIEW_HARD);
}

bool ck_knew(struct checker *ck, uint64_t at, uint64_t word) {
    uint32_t slot = ck_word_slot(word), clock = ck_word_clock(word), then = ck_word_clock(at);
    struct slot *s = slot_find(ck, ck_word_slot(at));
    if (!s || ck_word_is_set(word)) return false;
    if (slot == s->number) return clock <= then;
    if (s->number == CK_SLOT_CROWD) return true; /* clocks of a crowd do not say when one of it learnt */
    pthread_mutex_lock(&s->lock);
    bool knew = timeline_knew(&s->line[VIEW_FULL], then, slot, clock);
    pthread_mutex_unlock(&s->lock);
    return knew;
}

void ck_acquire_all(struct ck_thread *pub) {
    struct thread *t = thread_of(pub);
    for (uint32_t slot = 1; slot < CK_SLOT_SET; slot++) {
        /* The others in the crowd are others, though of the same slot. */
        bool own = slot == t->slot->number && slot != CK_SLOT_CROWD;
        uint32_t clock = own ? 0 : slot_present(t->ck, slot);
        if (clock == 0) continue;
        uint64_t word = ck_word_make(slot, clock, 0);
        sync_learn(t, word, CK_BY_OTHER, VIEW_FULL);
        if (t->ck->config.evidence) sync_learn(t, word, CK_BY_OTHER, VIEW_HARD);
    }
}

void ck_acquire_awaited(struct ck_thread *pub) {
    struct thread *t = thread_of(pub);
    for (uint32_t slot = 1; slot < CK_SLOT_SET; slot++) {
        uint32_t clock = slot_awaited(t->ck, slot);
        if (clock == 0) continue;
        uint64_t word = ck_word_make(slot, clock, 0);
        sync_learn(t, word, CK_BY_JOIN, VIEW_FULL);
        if (t->ck->config.evidence) sync_learn(t, word, CK_BY_JOIN, VIEW_HARD);
    }
}

void sync_tick(struct thread *t) {
    if (thread_is_crowded(t)) return;
    thread_set_epoch(t, t->pub.epoch + CK_CLOCK_ONE);
    if (ck_word_clock(t->pub.epoch) >= t->ck->config.clock_limit) thread_move(t);
}

/* The thread's own word for a release now, and on to the next epoch. */
static uint64_t release_word(struct thread *t, uint32_t site) {
    if (!thread_is_crowded(t)) {
        uint64_t word = t->pub.epoch | site;
        sync_tick(t);
        return word;
    }
    pthread_mutex_lock(&t->slot->lock);
    uint32_t clock = ++t->slot->crowd_clock;
    pthread_mutex_unlock(&t->slot->lock);
    if (clock >= CK_CLOCK_MAX - 1) {
        atomic_store(&t->ck->off, true);
        clock = CK_CLOCK_MAX - 1;
    }
    return ck_word_make(CK_SLOT_CROWD, clock, site);
}

static void word_drop(struct checker *ck, uint64_t word) {
    if (word_is_row(word))
        rows_close(&ck->rows, word);
    else
        sets_drop(ck_word_clock(word) & SETS_MERGED ? &ck->merges : &ck->reads, word);
}

void sync_settle(struct thread *t) {
    if (!t->pending) return;
    word_drop(t->ck, t->pending);
    t->pending = 0;
}

void ck_word_dropped(struct ck_thread *pub, uint64_t word) {
    struct thread *t = thread_of(pub);
    t->pending = 0; /* the replaced word is still held */
    if (ck_word_is_set(word)) word_drop(t->ck, word);
}

/* Puts the releases of `old` that t does not cover into t->words; false if `old` is a set that is gone. */
static bool merge_words(struct thread *t, uint64_t old, uint32_t *out) {
    uint32_t n = 1;
    t->words[0] = old;
    if (ck_word_is_set(old)) n = sets_copy(&t->ck->merges, old, t->words, t->ck->config.set_cap + 1);
    *out = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!thread_covers_hard(t, t->words[i])) t->words[(*out)++] = t->words[i];
    return n > 0;
}

static uint64_t release_merged(struct thread *t, uint64_t old, uint32_t site) {
    uint32_t n;
    if (!thread_tables(t) || !merge_words(t, old, &n)) return 0;
    /* Only now: a release may end with a move to another slot, where more is known than the word stands for.
     */
    uint64_t mine = release_word(t, site);
    n = words_insert(t->words, n, mine);
    if (n == 1) return mine;
    return n <= t->ck->config.set_cap ? sets_intern(&t->ck->merges, t->words, n) : 0;
}

uint64_t ck_release(struct ck_thread *pub, uint64_t old, enum ck_release_how how, uint32_t site) {
    struct thread *t = thread_of(pub);
    sync_settle(t);
    if (ck_word_is_set(old)) t->pending = old;
    if (how == CK_RELEASE_OVER || thread_covers_hard(t, old)) return release_word(t, site);
    uint64_t merged = release_merged(t, old, site);
    if (merged) return merged;
    /* No set: learn the old releases, so that the own word stands for them too. */
    count(&t->ck->merges_dropped);
    ck_acquire(pub, old, CK_BY_VOLATILE);
    return release_word(t, site);
}
