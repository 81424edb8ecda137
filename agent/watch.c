#include "watch.h"

#include "agent.h"
#include "planuse.h"
#include "race/checker.h"
#include "sites.h"
#include "spans.h"
#include "stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/*
 * Stacks are costly, so all captures together may take one part in HISTORY_SHARE of the time since the start;
 * the first few at each site are free, since most races show early.
 */
enum { HISTORY_SHARE = 50, HISTORY_FREE = 16, HISTORY_REST = 32, SEEN = 64 };

/* Set by watch_init(). */
static struct checker *checker;
static bool history, delays;
static uint64_t started_ns;

static _Atomic uint64_t history_ns; /* spent on captures; any thread */
/* By site; any thread.  `users` has the first thread that came by, or SHARED once there was a second. */
static _Atomic uint8_t *captures;
static _Atomic uint32_t *users;
enum { SHARED = UINT32_MAX };
/* By site, whether the option `aim` names it; any thread.  NULL: there is no such option. */
static _Atomic uint8_t *aims;
enum { AIM_UNKNOWN, AIM_YES, AIM_NO };

/* Where only one thread came by there are but a few delays: they are for short runs, in which a site may have
 * no second chance. */
enum { LONE_DELAYS = 32 };
static _Atomic uint32_t lone_delays; /* made so far; any thread */

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void watch_init(struct checker *ck) {
    checker = ck;
    started_ns = now_ns();
    /* Zeroed pages that cost nothing until they are used. */
    if (agent_keeps_history(&the_agent.options)) captures = calloc(SITE_MAX + 1, sizeof *captures);
    if (the_agent.options.confirm) users = calloc(SITE_MAX + 1, sizeof *users);
    if (the_agent.options.aim != NULL) aims = calloc(SITE_MAX + 1, sizeof *aims);
    history = captures != NULL;
    delays = users != NULL;
}

bool watch_wanted(void) {
    return history || delays;
}

bool watch_wants_all(void) {
    return delays;
}

/* ---- stacks ---- */

/* One of the site's free captures. */
static bool take_free(uint32_t site) {
    if (atomic_load_explicit(&captures[site], memory_order_relaxed) >= HISTORY_FREE) return false;
    atomic_fetch_add_explicit(&captures[site], 1, memory_order_relaxed);
    return true;
}

/* A thread that was refused does not ask for a while: even the clock has its price. */
static bool may_capture(uint32_t site, uint64_t *now) {
    static __thread uint32_t rest;
    bool is_free = take_free(site);
    if (!is_free && rest > 0) {
        rest--;
        return false;
    }
    *now = now_ns();
    uint64_t spent = atomic_load_explicit(&history_ns, memory_order_relaxed);
    if (is_free || spent * HISTORY_SHARE < *now - started_ns) return true;
    rest = HISTORY_REST;
    return false;
}

static void remember(struct ck_thread *t, uint32_t site) {
    /* A loop over many objects comes by often in one epoch; its stack is the same for the checker. */
    static __thread uint64_t seen[SEEN];
    uint64_t word = t->epoch | site, before;
    if (seen[site % SEEN] == word) return;
    seen[site % SEEN] = word;
    if (!may_capture(site, &before)) return;
    uint64_t frames[STACK_DEPTH];
    size_t n = stacks_capture_at(frames, site);
    if (n > 0) ck_history_add(t, site, ck_stack_intern(checker, frames, n));
    atomic_fetch_add_explicit(&history_ns, now_ns() - before, memory_order_relaxed);
}

/* ---- delays ---- */

/* A site of the plan is likely to race; without a plan, one where two threads were. */
static bool is_suspect(const struct ck_thread *t, uint32_t site) {
    if (planuse_active()) return true;
    uint32_t me = (uint32_t)t->id + 1, first = 0;
    if (atomic_load_explicit(&users[site], memory_order_relaxed) == SHARED) return true;
    if (atomic_compare_exchange_strong(&users[site], &first, me) || first == me) return false;
    atomic_store_explicit(&users[site], SHARED, memory_order_relaxed);
    return true;
}

static bool aimed_at(uint32_t site) {
    uint8_t aim = atomic_load_explicit(&aims[site], memory_order_relaxed);
    if (aim != AIM_UNKNOWN) return aim == AIM_YES;
    const struct site *s = sites_get(site);
    char name[700];
    snprintf(name, sizeof name, "%s.%s", s->class_name, s->method);
    bool yes = agent_patterns_match(the_agent.options.aim, name);
    atomic_store_explicit(&aims[site], yes ? AIM_YES : AIM_NO, memory_order_relaxed);
    return yes;
}

static void delay(struct ck_thread *t, uint32_t site) {
    if (aims != NULL && !aimed_at(site)) return;
    /* Others may be waiting for a class that this thread initialises. */
    if (spans_inside()) return;
    bool suspect = is_suspect(t, site);
    if (!suspect && atomic_load_explicit(&lone_delays, memory_order_relaxed) >= LONE_DELAYS) return;
    uint32_t us = ck_confirm_begin(t, site, (now_ns() - started_ns) / 1000);
    if (us == 0) return;
    if (!suspect) atomic_fetch_add_explicit(&lone_delays, 1, memory_order_relaxed);
    struct timespec pause = {.tv_nsec = (long)us * 1000};
    nanosleep(&pause, NULL); /* a signal may cut it short, which does no harm */
    ck_confirm_end(t);
}

void watch_access(struct ck_thread *t, uint32_t site) {
    if (site > SITE_MAX) return;
    if (delays) delay(t, site);
    if (history) remember(t, site);
}
