#include "confirm.h"

#include "state.h"

enum {
    CONFIRM_DONE = 255,
    DELAY_MIN_US = 250, /* also the delay of a thread that holds a lock */
    DELAY_DOUBLINGS = 3,
    GRACE_US = 20000 /* short runs may use this much whatever their time */
};

void confirm_init(struct confirm *c, struct memory *m) {
    c->delays = memory_get(m, CK_SITE_MAX + 1);
}

void confirm_release(struct confirm *c, struct memory *m) {
    memory_put(m, c->delays, CK_SITE_MAX + 1);
}

void confirm_found(struct confirm *c, uint32_t site) {
    if (c->delays) atomic_store_explicit(&c->delays[site & CK_SITE_MAX], CONFIRM_DONE, memory_order_relaxed);
}

/* The same numbers in every run with the same seed, as far as the threads are started in the same order. */
static uint64_t draw(struct thread *t, uint32_t site) {
    uint64_t h = t->ck->config.confirm_seed ^ (uint64_t)site << 32 ^ t->pub.id << 20 ^ t->confirm_draws++;
    h = (h ^ h >> 31) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return h ^ h >> 32;
}

/* Takes a place among the waiting; false if then nobody would be left to come. */
static bool wait_enter(struct checker *ck) {
    pthread_mutex_lock(&ck->slots_lock);
    uint32_t live = ck->threads_live;
    pthread_mutex_unlock(&ck->slots_lock);
    if (atomic_fetch_add(&ck->confirm.waiting, 1) + 1 < live) return true;
    atomic_fetch_sub(&ck->confirm.waiting, 1);
    return false;
}

static bool budget_take(struct checker *ck, uint64_t us, uint64_t now_us) {
    uint64_t budget = GRACE_US + now_us / 100 * ck->config.confirm_percent;
    if (atomic_fetch_add(&ck->confirm.spent_us, us) + us <= budget) return true;
    atomic_fetch_sub(&ck->confirm.spent_us, us);
    return false;
}

uint32_t ck_confirm_begin(struct ck_thread *pub, uint32_t site, uint64_t now_us) {
    struct thread *t = thread_of(pub);
    struct confirm *c = &t->ck->confirm;
    if (!c->delays) return 0;
    _Atomic uint8_t *made = &c->delays[site & CK_SITE_MAX];
    uint8_t n = atomic_load_explicit(made, memory_order_relaxed);
    if (n == CONFIRM_DONE) return 0;
    uint64_t dice = draw(t, site);
    if (dice & ((UINT64_C(1) << n) - 1)) return 0;
    struct ck_held held[CK_RACE_LOCKS];
    uint32_t us = DELAY_MIN_US;
    if (!locks_now(t, held)) us <<= (dice >> 40) % (DELAY_DOUBLINGS + 1);
    if (!wait_enter(t->ck)) return 0;
    if (!budget_take(t->ck, us, now_us)) {
        ck_confirm_end(pub);
        return 0;
    }
    if (n < t->ck->config.confirm_decay)
        atomic_compare_exchange_strong(made, &n, n + 1); /* lost: somebody else counted */
    return us;
}

void ck_confirm_end(struct ck_thread *pub) {
    atomic_fetch_sub(&thread_of(pub)->ck->confirm.waiting, 1);
}
