/*
 * Which locks a thread holds, and which it held at an earlier epoch.
 *
 * Simple model.  Every access stores the set of locks held with it.
 *
 * Here.  An access stores only its epoch.  As every change of the set starts a new epoch, the set can be
 * found again from the locks held now by undoing the operations that the thread's trail has since then.  The
 * trail is short, so for an access long ago the answer is "unknown".  The owner writes without a lock, others
 * read and then look whether it has moved on meanwhile; this is only done to describe a race or a meeting.
 */
#include "state.h"

#include <stdlib.h> /* qsort */
#include <string.h> /* memmove */

#define KEY_SHARED (UINT64_C(1) << 62)
#define KEY_GIVEN (UINT64_C(1) << 63)

enum { TRAIL_MAX = 1024, READ_TRIES = 4 };

/* Stands in for blocks that there was no memory for. */
static uint64_t spare_block[CK_LOCKS_TRAIL + 2 * TRAIL_MAX];

static uint64_t load(const uint64_t *p) {
    return __atomic_load_n(p, __ATOMIC_ACQUIRE); /* so that the check of [1] comes last */
}

static void store(uint64_t *p, uint64_t v) {
    __atomic_store_n(p, v, __ATOMIC_RELAXED);
}

static size_t block_size(const struct checker *ck) {
    return (CK_LOCKS_TRAIL + 2 * (size_t)ck->config.trail_len) * sizeof(uint64_t);
}

uint64_t *locks_new(struct checker *ck) {
    uint64_t *block = memory_must(&ck->memory, block_size(ck));
    return block ? block : spare_block;
}

void locks_free(struct checker *ck, uint64_t *locks) {
    if (locks != spare_block) memory_put(&ck->memory, locks, block_size(ck));
}

void locks_reset(uint64_t *locks) {
    store(&locks[0], 0);
}

static uint32_t held_count(const uint64_t *locks) {
    uint64_t n = load(&locks[0]);
    return n < CK_HELD_MAX ? (uint32_t)n : CK_HELD_MAX;
}

void locks_move(uint64_t *to, const uint64_t *from) {
    uint32_t n = held_count(from);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *e = &from[CK_LOCKS_HELD + 2 * i];
        store(&to[CK_LOCKS_HELD + 2 * i], load(e));
        /* Clock 0: held from the first epoch in the new slot on. */
        store(&to[CK_LOCKS_HELD + 2 * i + 1], load(e + 1) & UINT32_MAX);
    }
    store(&to[0], n);
}

static void trail_add(struct thread *t, uint64_t key, uint64_t when) {
    uint64_t *locks = t->pub.locks, at = load(&locks[1]);
    uint64_t *e = &locks[CK_LOCKS_TRAIL + 2 * (at & (t->ck->config.trail_len - 1))];
    store(e, key);
    store(e + 1, when);
    __atomic_store_n(&locks[1], at + 1, __ATOMIC_RELEASE);
}

void ck_lock_taken(struct ck_thread *pub, uint64_t key, bool shared, uint32_t site) {
    struct thread *t = thread_of(pub);
    sync_tick(t);
    uint64_t *locks = t->pub.locks;
    uint64_t when = (uint64_t)ck_word_clock(pub->epoch) << 32 | site;
    if (shared) key |= KEY_SHARED;
    uint32_t n = held_count(locks);
    if (n < CK_HELD_MAX) { /* deeper nesting is not described */
        store(&locks[CK_LOCKS_HELD + 2 * n], key);
        store(&locks[CK_LOCKS_HELD + 2 * n + 1], when);
        store(&locks[0], n + 1);
    }
    trail_add(t, key, when);
}

void ck_lock_given(struct ck_thread *pub, uint64_t key) {
    struct thread *t = thread_of(pub);
    uint64_t *locks = t->pub.locks;
    uint32_t n = held_count(locks), at = n;
    while (at > 0 && (load(&locks[CK_LOCKS_HELD + 2 * (at - 1)]) & ~KEY_SHARED) != key) at--;
    uint64_t full_key = key, taken = 0; /* for one taken before we could see it, or nested too deep */
    if (at) {
        full_key = load(&locks[CK_LOCKS_HELD + 2 * (at - 1)]);
        taken = load(&locks[CK_LOCKS_HELD + 2 * (at - 1) + 1]);
        for (uint32_t i = CK_LOCKS_HELD + 2 * at; i < CK_LOCKS_HELD + 2 * n; i++)
            store(&locks[i - 2], load(&locks[i]));
        store(&locks[0], n - 1);
    }
    uint64_t when = ((uint64_t)ck_word_clock(pub->epoch) + 1) << 32 | (taken & UINT32_MAX);
    trail_add(t, full_key | KEY_GIVEN, when);
}

void ck_lock_held(struct ck_thread *pub, uint64_t key) {
    uint64_t *locks = pub->locks;
    uint32_t n = held_count(locks);
    if (n == CK_HELD_MAX) return;
    /* Clock 0: at every epoch so far.  No operation, so others see the list grow without a sign; they find
     * the lock or they do not, as if they had looked a little earlier or later. */
    store(&locks[CK_LOCKS_HELD + 2 * n], key);
    store(&locks[CK_LOCKS_HELD + 2 * n + 1], 0);
    __atomic_store_n(&locks[0], n + 1, __ATOMIC_RELEASE);
}

static struct ck_held held_make(uint64_t key, uint64_t when) {
    return (struct ck_held){key & ~(KEY_SHARED | KEY_GIVEN), (uint32_t)when & CK_SITE_MAX,
                            (key & KEY_SHARED) != 0};
}

uint32_t locks_now(const struct thread *t, struct ck_held *out) {
    const uint64_t *e = &t->pub.locks[CK_LOCKS_HELD];
    uint32_t n = held_count(t->pub.locks);
    if (n > CK_RACE_LOCKS) n = CK_RACE_LOCKS;
    for (uint32_t i = 0; i < n; i++) out[i] = held_make(load(&e[2 * i]), load(&e[2 * i + 1]));
    return n;
}

/* Locks held, with the clock since when; 0 if before the trail. */
struct lock_state {
    uint64_t key[CK_HELD_MAX], when[CK_HELD_MAX];
    uint32_t count;
};

static void state_remove(struct lock_state *s, uint64_t key) {
    for (uint32_t i = s->count; i-- > 0;) {
        if (s->key[i] != key || s->when[i] >> 32) continue;
        s->count--;
        memmove(&s->key[i], &s->key[i + 1], (s->count - i) * sizeof s->key[0]);
        memmove(&s->when[i], &s->when[i + 1], (s->count - i) * sizeof s->when[0]);
        return;
    }
}

/* Undoes the operations after `clock`; false if the trail does not reach back so far. */
static bool state_undo(struct lock_state *s, const uint64_t *trail, uint64_t ops, uint32_t len,
                       uint32_t clock) {
    for (uint64_t i = ops; i-- > 0;) {
        if (ops - i > len) return false;
        uint64_t key = load(&trail[2 * (i & (len - 1))]), when = load(&trail[2 * (i & (len - 1)) + 1]);
        if (when >> 32 <= clock) return true;
        if (!(key & KEY_GIVEN)) {
            state_remove(s, key);
        } else if (s->count < CK_HELD_MAX) {
            s->key[s->count] = key & ~KEY_GIVEN;
            s->when[s->count++] = when & UINT32_MAX; /* clock 0: since when is not known */
        }
    }
    return true;
}

static bool state_read(struct lock_state *s, const uint64_t *locks, uint32_t len, uint32_t clock) {
    s->count = 0;
    uint32_t n = held_count(locks);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t when = load(&locks[CK_LOCKS_HELD + 2 * i + 1]);
        if (when >> 32 > clock) continue; /* taken later: needs no undoing */
        s->key[s->count] = load(&locks[CK_LOCKS_HELD + 2 * i]);
        s->when[s->count++] = when | UINT64_C(1) << 32; /* not 0: only undone ones are taken back */
    }
    return state_undo(s, locks + CK_LOCKS_TRAIL, load(&locks[1]), len, clock);
}

bool locks_at(struct checker *ck, uint64_t word, struct ck_held *out, uint32_t *count_out) {
    *count_out = 0;
    struct slot *slot = slot_find(ck, ck_word_slot(word));
    if (!slot || !slot->locks || slot->locks == spare_block) return false;
    const uint64_t *locks = slot->locks;
    for (int i = 0; i < READ_TRIES; i++) {
        uint64_t before = load(&locks[1]);
        struct lock_state s;
        if (!state_read(&s, locks, ck->config.trail_len, ck_word_clock(word))) return false;
        if (load(&locks[1]) != before) continue;
        for (uint32_t k = 0; k < s.count && k < CK_RACE_LOCKS; k++)
            out[(*count_out)++] = held_make(s.key[k], s.when[k]);
        return true;
    }
    return false;
}

/* ---- Locksets: the keys of a set of locks, sorted, interned -------------------------------------------- */

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

ck_lockset_id ck_lockset_now(struct ck_thread *pub) {
    struct thread *t = thread_of(pub);
    uint64_t ops = load(&pub->locks[1]) + 1; /* never 0, so that a fresh thread has nothing cached */
    if (t->lockset_at == ops && !thread_is_crowded(t)) return t->lockset;
    uint64_t keys[CK_HELD_MAX];
    uint32_t n = held_count(pub->locks), out = 0;
    for (uint32_t i = 0; i < n; i++) keys[i] = load(&pub->locks[CK_LOCKS_HELD + 2 * i]) & ~KEY_SHARED;
    qsort(keys, n, sizeof *keys, by_value);
    for (uint32_t i = 0; i < n; i++)
        if (!i || keys[i] != keys[i - 1]) keys[out++] = keys[i];
    t->lockset = (ck_lockset_id){intern_put(&t->ck->locksets, keys, out)};
    t->lockset_at = ops;
    return t->lockset;
}

size_t ck_lockset_keys(struct checker *ck, ck_lockset_id set, uint64_t *keys, size_t max) {
    return intern_get(&ck->locksets, set.v, keys, max);
}

ck_lockset_id ck_lockset_common(struct checker *ck, ck_lockset_id a, ck_lockset_id b) {
    if (a.v == b.v) return a;
    uint64_t x[CK_HELD_MAX], y[CK_HELD_MAX], both[CK_HELD_MAX];
    size_t nx = ck_lockset_keys(ck, a, x, CK_HELD_MAX), ny = ck_lockset_keys(ck, b, y, CK_HELD_MAX), n = 0;
    for (size_t i = 0, k = 0; i < nx && k < ny;) {
        if (x[i] == y[k]) both[n++] = x[i];
        if (x[i] <= y[k])
            i++;
        else
            k++;
    }
    return (ck_lockset_id){intern_put(&ck->locksets, both, n)};
}
