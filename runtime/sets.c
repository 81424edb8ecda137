#include "sets.h"

#include <string.h> /* memcmp */

enum { GENERATION_MAX = (1 << SETS_GENERATION_BITS) - 1, PLACE_MASK = (1 << SETS_PLACE_BITS) - 1 };

enum { FEW = 2 };

struct set {
    uint64_t *words;   /* NULL: free */
    uint64_t few[FEW]; /* where they are unless there are more */
    uint32_t count;
    uint32_t holders;
    uint32_t hash;
    uint32_t next; /* place + 1 of the next set in the bucket, or of the next free place */
    uint16_t generation;
    bool used;    /* since the hand came by */
    bool sticky;  /* see sets_stick */
    bool tainted; /* was evicted once: old numbers may exist for ever */
};

void brief_mutex_init(pthread_mutex_t *mutex) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
    pthread_mutex_init(mutex, &kind);
    pthread_mutexattr_destroy(&kind);
}

static void words_free(struct sets *s, struct set *set) {
    if (set->words != set->few) memory_put(s->memory, set->words, set->count * sizeof *set->words);
    set->words = NULL;
}

bool sets_init(struct sets *s, struct memory *m, uint32_t places, bool merged) {
    *s = (struct sets){.memory = m, .mark = merged ? SETS_MERGED : 0};
    s->places = (places + SETS_STRIPES - 1) / SETS_STRIPES * SETS_STRIPES;
    if (s->places > PLACE_MASK + 1) s->places = PLACE_MASK + 1;
    for (uint32_t i = 0; i < SETS_STRIPES; i++) {
        brief_mutex_init(&s->stripes[i].lock);
        s->stripes[i].fresh = s->stripes[i].hand = i;
    }
    pthread_mutex_init(&s->grave_lock, NULL);
    s->table = memory_must(m, s->places * sizeof *s->table);
    s->buckets = memory_must(m, s->places * sizeof *s->buckets);
    if (merged) s->grave = memory_must(m, (CK_SLOT_SET + 1) * sizeof *s->grave);
    return s->table && s->buckets && (s->grave || !merged);
}

void sets_release(struct sets *s) {
    for (uint32_t i = 0; s->table && i < s->places; i++) words_free(s, &s->table[i]);
    memory_put(s->memory, s->table, s->places * sizeof *s->table);
    memory_put(s->memory, s->buckets, s->places * sizeof *s->buckets);
    memory_put(s->memory, s->grave, (CK_SLOT_SET + 1) * sizeof *s->grave);
    for (uint32_t i = 0; i < SETS_STRIPES; i++) pthread_mutex_destroy(&s->stripes[i].lock);
    pthread_mutex_destroy(&s->grave_lock);
}

static uint64_t set_word(const struct sets *s, uint32_t place) {
    uint32_t number = s->mark | (uint32_t)s->table[place].generation << SETS_PLACE_BITS | place;
    return ck_word_make(CK_SLOT_SET, number, 0);
}

/* The place of a word that is known to be a set of this table, or `places` if the word is no such thing. */
static uint32_t word_place(const struct sets *s, uint64_t word) {
    uint32_t number = ck_word_clock(word), place = number & PLACE_MASK;
    if (!ck_word_is_set(word) || (number & SETS_MERGED) != s->mark || place >= s->places) return s->places;
    return place;
}

/* Locks the stripe of a word and returns its set; NULL and no lock if it is gone. */
static struct set *set_lock(struct sets *s, uint64_t word, struct stripe **stripe) {
    uint32_t place = word_place(s, word);
    if (place == s->places) return NULL;
    *stripe = &s->stripes[place % SETS_STRIPES];
    pthread_mutex_lock(&(*stripe)->lock);
    struct set *set = &s->table[place];
    if (set->words && set_word(s, place) == word) return set;
    pthread_mutex_unlock(&(*stripe)->lock);
    return NULL;
}

static uint32_t words_hash(const uint64_t *words, uint32_t count) {
    uint64_t h = count;
    for (uint32_t i = 0; i < count; i++) {
        h = (h ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 29;
    }
    return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

/* A bucket of the same stripe as the hash. */
static uint32_t *bucket_of(struct sets *s, uint32_t hash) {
    uint32_t per_stripe = s->places / SETS_STRIPES;
    return &s->buckets[hash % SETS_STRIPES * per_stripe + hash / SETS_STRIPES % per_stripe];
}

static void bury(struct sets *s, const struct set *set) {
    if (!s->grave) return;
    pthread_mutex_lock(&s->grave_lock);
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t *clock = &s->grave[ck_word_slot(set->words[i])];
        if (*clock < ck_word_clock(set->words[i])) *clock = ck_word_clock(set->words[i]);
    }
    pthread_mutex_unlock(&s->grave_lock);
}

/* Takes a set out of its bucket and frees its words; its place gets a new generation.  Stripe locked. */
static void set_remove(struct sets *s, struct stripe *stripe, uint32_t place, bool evicted) {
    struct set *set = &s->table[place];
    uint32_t *link = bucket_of(s, set->hash);
    while (*link != place + 1) link = &s->table[*link - 1].next;
    *link = set->next;
    bury(s, set);
    words_free(s, set);
    set->sticky = false;
    stripe->live--;
    if (evicted) {
        set->tainted = true;
        atomic_fetch_add_explicit(&s->evicted, 1, memory_order_relaxed);
    }
    if (set->generation == GENERATION_MAX && set->tainted) return; /* never again */
    set->generation =
        set->generation == GENERATION_MAX ? 1 : set->generation + 1; /* 0 would make a covered word */
    set->next = stripe->free;
    stripe->free = place + 1;
}

/* Evicts one set of the stripe that has not been used since the hand last came by. */
static void evict(struct sets *s, struct stripe *stripe) {
    uint32_t steps = 2 * (s->places / SETS_STRIPES);
    while (steps-- > 0) {
        uint32_t place = stripe->hand;
        stripe->hand += SETS_STRIPES;
        if (stripe->hand >= s->places) stripe->hand %= SETS_STRIPES;
        struct set *set = &s->table[place];
        if (!set->words) continue;
        if (set->used) {
            set->used = false;
            continue;
        }
        set_remove(s, stripe, place, true);
        return;
    }
}

/* A free place of the stripe, or `places`. */
static uint32_t place_take(struct sets *s, struct stripe *stripe) {
    if (!stripe->free && stripe->fresh < s->places) {
        uint32_t place = stripe->fresh;
        stripe->fresh += SETS_STRIPES;
        s->table[place].generation = 1;
        return place;
    }
    if (!stripe->free) evict(s, stripe);
    if (!stripe->free) return s->places;
    uint32_t place = stripe->free - 1;
    stripe->free = s->table[place].next;
    return place;
}

static uint64_t *words_copy(struct sets *s, struct stripe *stripe, const uint64_t *words, uint32_t count) {
    size_t size = count * sizeof *words;
    uint64_t *copy = memory_get(s->memory, size);
    if (!copy) {
        evict(s, stripe);
        copy = memory_get(s->memory, size);
    }
    if (copy) memcpy(copy, words, size);
    return copy;
}

static uint64_t set_insert(struct sets *s, struct stripe *stripe, const uint64_t *words, uint32_t count,
                           uint32_t hash) {
    uint64_t *copy = count > FEW ? words_copy(s, stripe, words, count) : NULL;
    if (count > FEW && !copy) return 0;
    uint32_t place = place_take(s, stripe);
    if (place == s->places) {
        memory_put(s->memory, copy, count * sizeof *words);
        return 0;
    }
    struct set *set = &s->table[place];
    uint32_t *bucket = bucket_of(s, hash);
    set->words = copy ? copy : memcpy(set->few, words, count * sizeof *words);
    set->count = count;
    set->holders = 1;
    set->hash = hash;
    set->used = true;
    set->next = *bucket;
    *bucket = place + 1;
    stripe->live++;
    return set_word(s, place);
}

uint64_t sets_intern(struct sets *s, const uint64_t *words, uint32_t count) {
    uint32_t hash = words_hash(words, count);
    struct stripe *stripe = &s->stripes[hash % SETS_STRIPES];
    pthread_mutex_lock(&stripe->lock);
    uint64_t word = 0;
    for (uint32_t at = *bucket_of(s, hash); at && !word; at = s->table[at - 1].next) {
        struct set *set = &s->table[at - 1];
        if (set->hash != hash || set->count != count || memcmp(set->words, words, count * sizeof *words) != 0)
            continue;
        set->holders++;
        set->used = true;
        word = set_word(s, at - 1);
    }
    if (!word) word = set_insert(s, stripe, words, count, hash);
    pthread_mutex_unlock(&stripe->lock);
    return word;
}

uint32_t sets_copy(struct sets *s, uint64_t word, uint64_t *out, uint32_t max) {
    struct stripe *stripe;
    struct set *set = set_lock(s, word, &stripe);
    if (!set) return 0;
    uint32_t count = set->count < max ? set->count : max;
    memcpy(out, set->words, count * sizeof *out);
    set->used = true;
    pthread_mutex_unlock(&stripe->lock);
    return count;
}

bool sets_hold(struct sets *s, uint64_t word) {
    struct stripe *stripe;
    struct set *set = set_lock(s, word, &stripe);
    if (!set) return false;
    set->holders++;
    set->used = true;
    pthread_mutex_unlock(&stripe->lock);
    return true;
}

void sets_drop(struct sets *s, uint64_t word) {
    struct stripe *stripe;
    struct set *set = set_lock(s, word, &stripe);
    if (!set) return;
    if (set->holders) set->holders--;
    if (!set->holders && !set->sticky) set_remove(s, stripe, word_place(s, word), false);
    pthread_mutex_unlock(&stripe->lock);
}

bool sets_stick(struct sets *s, uint64_t word) {
    struct stripe *stripe;
    struct set *set = set_lock(s, word, &stripe);
    if (!set) return false;
    set->sticky = true;
    pthread_mutex_unlock(&stripe->lock);
    return true;
}

bool sets_is_lone(struct sets *s, uint64_t word) {
    struct stripe *stripe;
    struct set *set = set_lock(s, word, &stripe);
    if (!set) return false;
    bool lone = set->holders == 1 && !set->sticky;
    pthread_mutex_unlock(&stripe->lock);
    return lone;
}

uint32_t sets_grave_clock(struct sets *s, uint32_t slot) {
    pthread_mutex_lock(&s->grave_lock);
    uint32_t clock = s->grave[slot];
    pthread_mutex_unlock(&s->grave_lock);
    return clock;
}

uint64_t sets_live(struct sets *s) {
    uint64_t live = 0;
    for (uint32_t i = 0; i < SETS_STRIPES; i++) {
        pthread_mutex_lock(&s->stripes[i].lock);
        live += s->stripes[i].live;
        pthread_mutex_unlock(&s->stripes[i].lock);
    }
    return live;
}

uint32_t words_insert(uint64_t *words, uint32_t count, uint64_t mine) {
    uint32_t at = 0;
    while (at < count && ck_word_slot(words[at]) < ck_word_slot(mine)) at++;
    if (at == count || ck_word_slot(words[at]) != ck_word_slot(mine)) {
        memmove(words + at + 1, words + at, (count - at) * sizeof *words);
        count++;
    }
    words[at] = mine;
    return count;
}
