/* The checker's rules on scripted events. */
#include "play.h"
#include "race/checker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *script) {
    struct play p;
    play_begin(&p, (struct ck_config){0});
    play(&p, script);
    play_end(&p);
}

static void test_plain_races(void **state) {
    (void)state;
    expect("1 fork 2; 1 w x; 2 r x !");
    expect("1 fork 2; 1 w x; 2 w x !");
    expect("1 fork 2; 1 r x; 2 w x !");
    expect("1 fork 2; 1 r x; 2 r x");
    expect("1 fork 2; 1 w x; 2 w y");
    expect("1 w x; 1 r x; 1 w x");
}

static void test_start_and_join(void **state) {
    (void)state;
    expect("1 w x; 1 fork 2; 2 r x; 2 w x");
    expect("1 fork 2; 2 w x; 2 end 2; 1 w x !");
    expect("1 fork 2; 2 w x; 1 end 2; 1 join 2; 1 r x; 1 w x");
    expect("1 fork 2; 2 fork 3; 3 w x; 2 end 3; 2 join 3; 1 end 2; 1 join 2; 1 w x");
    expect("1 fork 2; 1 fork 3; 2 w x; 1 end 2; 3 join 2; 3 w x; 1 w x !");
}

static void test_shutdown(void **state) {
    (void)state;
    expect("1 fork 2; 1 fork 3; 2 w x; 2 fork 4; 4 w y; 1 done 2; 1 done 4; 3 halt x; 3 w x; 3 w y");
    expect("1 fork 2; 1 fork 3; 2 w x; 1 done 2; 3 w x !");
    /* It waits neither for daemons nor for those that go on. */
    expect("1 fork 2; 1 fork 3; 2 w x; 1 end 2; 3 halt x; 3 w x !");
    expect("1 fork 2; 1 fork 3; 2 w x; 3 halt x; 3 w x !");
    /* The slot of an ended thread goes on with another. */
    expect("1 fork 2; 1 fork 3; 2 w x; 1 done 2; 1 join 2; 1 fork 4; 4 w y; 3 halt x; 3 w x; 3 w y !");
}

static void test_locks(void **state) {
    (void)state;
    expect("1 fork 2; 1 lock a; 1 w x; 1 unlock a; 2 lock a; 2 w x; 2 unlock a");
    expect("1 fork 2; 1 lock a; 1 w x; 1 unlock a; 2 lock b; 2 w x !; 2 unlock b");
    expect("1 fork 2; 1 lock a; 1 unlock a; 1 w x; 2 lock a; 2 w x !");
    expect("1 fork 2; 1 fork 3; 1 w x; 1 lock a; 1 unlock a; 2 lock a; 2 unlock a; 2 lock b; 2 unlock b;"
           "3 lock b; 3 r x");
}

static void test_volatiles(void **state) {
    (void)state;
    expect("1 fork 2; 1 w x; 1 vw v; 2 vr v; 2 r x");
    expect("1 fork 2; 1 vw v; 1 w x; 2 vr v; 2 r x !");
    expect("1 fork 2; 1 fork 3; 1 w x; 2 w y; 1 vw v; 2 vw v; 3 vr v; 3 r x; 3 r y");
    expect("1 fork 2; 1 fork 3; 1 w x; 1 vw v; 2 rmw v; 3 vr v; 3 r x");
    /* Reading does not order the writer of a volatile after the reader. */
    expect("1 fork 2; 2 w x; 2 vr v; 1 vw v; 1 r x !");
}

static void test_concurrent_reads(void **state) {
    (void)state;
    expect("1 fork 2; 1 fork 3; 1 r x; 2 r x; 3 r x; 1 w x !");
    expect("1 fork 2; 1 fork 3; 2 r x; 3 r x; 2 vw v; 1 vr v; 1 w x !");
    expect("1 fork 2; 1 fork 3; 2 r x; 3 r x; 2 vw v; 3 vw u; 1 vr v; 1 vr u; 1 w x");
    expect("1 fork 2; 1 fork 3; 2 r x; 3 r x; 2 vw v; 3 vw v; 1 vr v; 1 w x; 2 r x !");
}

static void test_reads_after_a_race_are_ordered(void **state) {
    (void)state;
    /* 2 has seen the flag, so in every run that gets there it also comes after what 1 did in earlier epochs.
     */
    expect("1 fork 2; 1 w x; 1 vw v; 1 w f; 2 r f !; 2 r x");
    /* The epoch of the racy write may still be going on: its other accesses stay concurrent. */
    expect("1 fork 2; 1 w x; 1 w f; 2 r f !; 2 r x !");
    struct play p;
    play_begin(&p, (struct ck_config){.no_shb = true});
    play(&p, "1 fork 2; 1 w x; 1 vw v; 1 w f; 2 r f !; 2 r x !");
    play_end(&p);
}

/* Who asks a folded log for an early clock gets more than was known then, and must also get what that rests
 * on: 1's epoch with y is behind 2's release of q, which is in the fold. */
static void test_folded_log_keeps_order(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){.log_cap = 1});
    play(&p, "1 fork 2; 1 fork 3; 1 vw u; 1 w y; 1 vw v; 2 vr v; 2 vw q; 1 vr q; 1 vw p");
    for (int i = 0; i < 3; i++) play(&p, "2 vw z; 1 vr z; 1 vw p");
    play(&p, "3 vr u; 3 vr q; 3 r y");
    assert_true(ck_counters_get(p.ck).log_folds_hit > 0);
    play_end(&p);
}

/* 4 is put into the slot of 2, which nobody has joined, so it takes over what 2 knew.  1 started 4, but does
 * not know that: it must learn it from 4's release, as it will skip 2's own. */
static void test_forced_slot_keeps_order(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){.max_slots = 5, .start_log = 1});
    play(&p, "1 fork 2; 1 fork 3; 1 fork 5; 1 fork 6; 3 w x; 3 vw a; 2 vr a; 2 vw b; 1 end 2;"
             "5 vw e; 1 vr e; 6 vw f; 1 vr f; 1 fork 4; 4 vw c; 1 vr c; 1 vr b; 1 r x");
    assert_int_equal(ck_counters_get(p.ck).slots_forced, 1);
    play_end(&p);
}

static uint64_t written(struct play *p, char var) {
    return atomic_load(&p->vars[(int)var].w);
}

static bool knew(struct play *p, char at, char var) {
    return ck_knew(p->ck, written(p, at), written(p, var));
}

static void test_what_was_known(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){0});
    play(&p, "1 w a; 1 fork 2; 1 fork 3; 1 w x; 1 vw v; 1 w y; 2 w b; 2 vw u; 2 vr v; 2 w c; 2 vw u; 2 w d;"
             "3 vr u; 3 w e");
    assert_true(knew(&p, 'b', 'a')); /* by the start */
    assert_false(knew(&p, 'b', 'x'));
    assert_true(knew(&p, 'c', 'x'));
    assert_true(knew(&p, 'd', 'x'));
    assert_true(knew(&p, 'e', 'x')); /* by way of 2 */
    assert_true(knew(&p, 'e', 'c'));
    assert_false(knew(&p, 'e', 'd'));
    assert_false(knew(&p, 'e', 'y'));
    assert_true(knew(&p, 'd', 'b')); /* the thread's own */
    assert_false(knew(&p, 'b', 'd'));
    play_end(&p);
}

/* What is folded cannot be told apart any more, and counts as known. */
static void test_what_was_known_long_ago(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){.log_cap = 1});
    play(&p, "1 fork 2; 1 w x; 1 vw v; 2 w a; 2 vw u; 2 vr v; 2 vw u");
    for (int i = 0; i < 4; i++) play(&p, "1 vw v; 2 vr v; 2 vw u");
    play(&p, "2 w b; 1 w y");
    assert_true(knew(&p, 'a', 'x'));
    assert_true(knew(&p, 'b', 'x'));
    assert_false(knew(&p, 'a', 'y'));
    play_end(&p);
}

static void test_race_is_described(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){.history = true});
    uint64_t frames[] = {11, 12, 13};
    play(&p, "1 fork 2; 1 lock a; 1 lock b");
    ck_stack_id stack = ck_stack_intern(p.ck, frames, 3);
    ck_history_add(p.threads[1], 9, stack);
    struct ck_where where = {.object = 77, .index = 5};
    assert_false(ck_var_write(p.threads[1], &p.vars['x'], 9, NULL));
    play(&p, "1 unlock b; 1 unlock a; 1 lock c; 2 lock d");
    assert_true(ck_var_read(p.threads[2], &p.vars['x'], 10, &where));
    assert_int_equal(p.race_count, 1);
    const struct ck_race *r = &p.races[0];
    assert_int_equal(r->number, 1);
    assert_int_equal(r->where.object, 77);
    assert_int_equal(r->where.index, 5);
    assert_string_equal(r->now.thread_name, "worker-2");
    assert_int_equal(r->now.site, 10);
    assert_false(r->now.write);
    assert_int_equal(r->now.lock_count, 1);
    assert_int_equal(r->now.locks[0].key, 'd');
    assert_string_equal(r->earlier.thread_name, "main");
    assert_int_equal(r->earlier.site, 9);
    assert_true(r->earlier.write);
    assert_true(r->earlier.locks_known);
    assert_int_equal(r->earlier.lock_count, 2);
    int a = r->earlier.locks[0].key == 'a' ? 0 : 1;
    assert_int_equal(r->earlier.locks[a].key, 'a');
    assert_int_equal(r->earlier.locks[a].site, 2);
    assert_int_equal(r->earlier.locks[!a].key, 'b');
    assert_int_equal(r->earlier.locks[!a].site, 3);
    assert_int_equal(r->earlier.stack.v, stack.v);
    uint64_t back[2];
    assert_int_equal(ck_stack_frames(p.ck, stack, back, 2), 3);
    assert_int_equal(back[1], 12);
    play_end(&p);
}

static void test_locks_long_ago_are_unknown(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){.trail_len = 8});
    play(&p, "1 fork 2; 1 lock a; 1 w x; 1 unlock a");
    for (int i = 0; i < 5; i++) play(&p, "1 lock b; 1 unlock b");
    play(&p, "2 w x !");
    assert_false(p.races[0].earlier.locks_known);
    play_end(&p);
}

static void count_race(void *arg, const struct ck_race_count *race) {
    *(uint64_t *)arg += race->count;
}

static void test_races_are_counted_by_pair(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){0});
    play(&p, "1 fork 2");
    for (int i = 0; i < 5; i++) {
        /* Both directions of the same pair of sites. */
        ck_var_write(p.threads[1 + i % 2], &p.vars[i], 21, NULL);
        assert_true(ck_var_write(p.threads[2 - i % 2], &p.vars[i], 22, NULL));
    }
    assert_int_equal(p.race_count, 1);
    struct ck_counters c = ck_counters_get(p.ck);
    assert_int_equal(c.races, 1);
    assert_int_equal(c.races_total, 5);
    uint64_t total = 0;
    ck_races_each(p.ck, count_race, &total);
    assert_int_equal(total, 5);
    /* A read in the place of a write is another race. */
    ck_var_write(p.threads[1], &p.vars[9], 21, NULL);
    assert_true(ck_var_read(p.threads[2], &p.vars[9], 22, NULL));
    assert_int_equal(p.race_count, 2);
    play_end(&p);
}

static void test_locksets(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){0});
    assert_int_equal(ck_lockset_now(p.threads[1]).v, 0);
    play(&p, "1 lock b; 1 lock a; 1 lock a");
    ck_lockset_id ab = ck_lockset_now(p.threads[1]);
    uint64_t keys[4];
    assert_int_equal(ck_lockset_keys(p.ck, ab, keys, 4), 2);
    assert_int_equal(keys[0], 'a');
    assert_int_equal(keys[1], 'b');
    play(&p, "1 unlock a");
    assert_int_equal(ck_lockset_now(p.threads[1]).v, ab.v);
    play(&p, "1 unlock a; 1 lock c");
    ck_lockset_id bc = ck_lockset_now(p.threads[1]);
    ck_lockset_id b = ck_lockset_common(p.ck, ab, bc);
    assert_int_equal(ck_lockset_keys(p.ck, b, keys, 4), 1);
    assert_int_equal(keys[0], 'b');
    play(&p, "1 unlock c");
    assert_int_equal(ck_lockset_now(p.threads[1]).v, b.v);
    play_end(&p);
}

/* Plays a script in which sites 8 and 9 are the pair: what was seen of it. */
static struct ck_pair evidence_of(const char *script, uint32_t site_a, uint32_t site_b) {
    struct play p;
    play_begin(&p, (struct ck_config){.evidence = true});
    ck_site_watch(p.ck, site_a, site_a);
    ck_site_watch(p.ck, site_b, site_b);
    play(&p, script);
    ck_site_ran(p.ck, site_a);
    struct ck_pair pair = ck_pair_get(p.ck, site_b, site_a);
    assert_int_equal(ck_pair_get(p.ck, site_a, site_b + 1).met, 0);
    assert_true(ck_site_has_ran(p.ck, site_a));
    assert_false(ck_site_has_ran(p.ck, site_b));
    play_end(&p);
    return pair;
}

/* A site of another copy of a class counts for that of the first; one that is not watched has no evidence. */
static void test_copies_count_together(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){.evidence = true});
    ck_site_watch(p.ck, 500, 500);
    for (uint32_t site = 1; site < 300; site++) ck_site_watch(p.ck, site, site < 100 ? 1 : 2);
    play(&p, "1 fork 2");
    for (uint32_t site = 1; site < 310; site++) {
        struct ck_var x = {0};
        p.race_count = 0;
        ck_var_write(p.threads[1], &x, 500, NULL);
        ck_var_write(p.threads[2], &x, site, NULL);
        ck_site_ran(p.ck, site);
    }
    assert_int_equal(ck_pair_get(p.ck, 500, 1).raced, 99);
    assert_int_equal(ck_pair_get(p.ck, 2, 500).raced, 200);
    assert_int_equal(ck_pair_get(p.ck, 3, 500).met + ck_pair_get(p.ck, 305, 500).met, 0);
    assert_true(ck_site_has_ran(p.ck, 2));
    assert_false(ck_site_has_ran(p.ck, 305));
    play_end(&p);
}

static unsigned questions;

static bool next_to_each_other(uint32_t a, uint32_t b) {
    questions++;
    return a + 1 == b || b + 1 == a;
}

/* Only what is a pair is kept, and the caller is asked once for each two sites, however many there are. */
static void test_only_pairs_are_kept(void **state) {
    (void)state;
    enum { MOST = 400 };
    struct play p;
    play_begin(&p, (struct ck_config){.evidence = true, .is_pair = next_to_each_other});
    questions = 0;
    play(&p, "1 fork 2");
    for (uint32_t site = 1; site <= MOST + 1; site++) ck_site_watch(p.ck, site, site);
    for (int round = 0; round < 3; round++) {
        for (uint32_t site = 1; site <= MOST; site++) {
            struct ck_var x = {0}, y = {0};
            p.race_count = 0;
            ck_var_write(p.threads[1], &x, site, NULL);
            ck_var_write(p.threads[2], &x, site + 1, NULL);
            ck_var_write(p.threads[1], &y, site, NULL);
            ck_var_write(p.threads[2], &y, MOST + 2 - site, NULL);
        }
    }
    assert_int_equal(questions, MOST + MOST / 2 + 1);
    for (uint32_t site = 1; site < MOST / 2; site++) {
        assert_int_equal(ck_pair_get(p.ck, site, site + 1).raced, 3);
        assert_int_equal(ck_pair_get(p.ck, site, MOST + 2 - site).met, 0);
    }
    play_end(&p);
}

static void test_evidence(void **state) {
    (void)state;
    struct ck_pair e = evidence_of("1 fork 2; 1 w x; 2 w x !", 2, 3);
    assert_int_equal(e.met, 1);
    assert_int_equal(e.raced, 1);
    e = evidence_of("1 fork 2; 1 lock a; 1 w x; 1 unlock a; 2 lock a; 2 w x; 2 unlock a", 3, 6);
    assert_int_equal(e.ordered[CK_BY_LOCK], 1);
    assert_int_equal(e.lock, 'a');
    assert_int_equal(e.raced + e.predicted, 0);
    /* Ordered by lock a, but x is accessed outside: the other order of the critical sections would race. */
    e = evidence_of("1 fork 2; 1 w x; 1 lock a; 1 unlock a; 2 lock a; 2 unlock a; 2 w x", 2, 7);
    assert_int_equal(e.predicted, 1);
    assert_int_equal(e.met, 1);
    /* The same with a volatile beside the lock. */
    e = evidence_of("1 fork 2; 1 w x; 1 vw v; 1 lock a; 1 unlock a; 2 lock a; 2 unlock a; 2 vr v; 2 w x", 2,
                    9);
    assert_int_equal(e.ordered[CK_BY_VOLATILE], 1);
    assert_int_equal(e.via[CK_BY_VOLATILE][0], 3); /* the site of the volatile write */
    assert_int_equal(e.via[CK_BY_VOLATILE][1], 0);
    /* Of several hops the last one is told, but a hand-over before a volatile. */
    e = evidence_of("1 fork 2; 1 fork 3; 1 w x; 1 vw v; 2 vr v; 2 vw u; 3 vr u; 3 w x", 3, 8);
    assert_int_equal(e.ordered[CK_BY_VOLATILE], 1);
    assert_int_equal(e.via[CK_BY_VOLATILE][0], 6);
    e = evidence_of("1 fork 2; 1 fork 3; 1 w x; 1 hw q; 2 hr q; 2 vw v; 3 vr v; 3 w x", 3, 8);
    assert_int_equal(e.ordered[CK_BY_HANDOFF], 1);
    assert_int_equal(e.via[CK_BY_HANDOFF][0], 4);
    e = evidence_of("1 w x; 1 fork 2; 2 r x", 1, 3);
    assert_int_equal(e.ordered[CK_BY_START], 1);
    e = evidence_of("1 fork 2; 2 w x; 1 end 2; 1 join 2; 1 r x", 2, 5);
    assert_int_equal(e.ordered[CK_BY_JOIN], 1);
    e = evidence_of("1 fork 2; 1 w x; 1 hw q; 2 hr q; 2 w x", 2, 5);
    assert_int_equal(e.ordered[CK_BY_HANDOFF], 1);
    /* A hand-off whose other part is a lock is an accident too. */
    e = evidence_of("1 fork 2; 1 fork 3; 1 w x; 1 hw q; 2 hr q; 2 lock a; 2 unlock a; 3 lock a; 3 w x", 3, 9);
    assert_int_equal(e.predicted, 1);
    e = evidence_of("1 fork 2; 1 r x; 1 w y", 2, 3);
    assert_int_equal(e.met, 0);
}

static void test_evidence_of_final_fields(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){.evidence = true});
    ck_site_watch(p.ck, 2, 2);
    ck_site_watch(p.ck, 7, 7);
    play(&p, "1 fork 2; 1 w x");
    ck_meet_frozen(p.threads[2], written(&p, 'x'), 7);
    ck_meet_frozen(p.threads[2], written(&p, 'x'), 8); /* not watched */
    struct ck_pair e = ck_pair_get(p.ck, 2, 7);
    assert_int_equal(e.met, 1);
    assert_int_equal(e.ordered[CK_BY_OTHER], 1);
    assert_int_equal(e.raced + e.predicted, 0);
    play_end(&p);
    play_begin(&p, (struct ck_config){.evidence = false});
    play(&p, "1 fork 2; 1 w x");
    ck_meet_frozen(p.threads[2], written(&p, 'x'), 7); /* nothing is kept */
    play_end(&p);
}

/* The trail of the earlier thread has come round: what the later access holds may have been held then too. */
static void test_evidence_long_after(void **state) {
    (void)state;
    static const struct {
        const char *last;
        uint64_t by_lock, predicted, lock;
    } cases[] = {{"2 lock a; 2 lock b; 2 w x; 2 unlock b; 2 unlock a", 1, 0, 'a'},
                 {"2 lock b; 2 unlock b; 2 w x", 0, 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct play p;
        play_begin(&p, (struct ck_config){.evidence = true, .trail_len = 8});
        play(&p, "1 fork 2; 1 lock a");
        ck_var_write(p.threads[1], &p.vars['x'], 500, NULL);
        play(&p, "1 unlock a");
        for (int k = 0; k < 5; k++) play(&p, "1 lock b; 1 unlock b");
        ck_site_watch(p.ck, 500, 500);
        for (uint32_t site = 1; site < 100; site++) ck_site_watch(p.ck, site, 1);
        play(&p, cases[i].last);
        struct ck_pair sum = ck_pair_get(p.ck, 1, 500);
        assert_int_equal(sum.ordered[CK_BY_LOCK], cases[i].by_lock);
        assert_int_equal(sum.predicted, cases[i].predicted);
        assert_int_equal(sum.lock, cases[i].lock);
        play_end(&p);
    }
}

/* A lock that thread 1 took before anybody looked: told when it is given back, or while it is still held. */
static void test_locks_told_late(void **state) {
    (void)state;
    for (int given = 0; given < 2; given++) {
        struct play p;
        play_begin(&p, (struct ck_config){.evidence = true});
        ck_site_watch(p.ck, 5, 5);
        ck_site_watch(p.ck, 6, 6);
        play(&p, "1 fork 2");
        ck_var_write(p.threads[1], &p.vars['x'], 5, NULL);
        if (given)
            ck_lock_given(p.threads[1], 'a');
        else
            ck_lock_held(p.threads[1], 'a');
        uint64_t word = ck_release(p.threads[1], 0, CK_RELEASE_OVER, 1);
        ck_acquire(p.threads[2], word, CK_BY_LOCK);
        ck_lock_taken(p.threads[2], 'a', false, 1);
        assert_false(ck_var_write(p.threads[2], &p.vars['x'], 6, NULL));
        struct ck_pair e = ck_pair_get(p.ck, 5, 6);
        assert_int_equal(e.predicted, 0);
        assert_int_equal(e.ordered[CK_BY_LOCK], 1);
        assert_int_equal(e.lock, 'a');
        play_end(&p);
    }
}

static void test_shared_locks_do_not_exclude(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){.evidence = true});
    ck_site_watch(p.ck, 5, 5);
    ck_site_watch(p.ck, 6, 6);
    play(&p, "1 fork 2");
    ck_lock_taken(p.threads[1], 'a', true, 1);
    ck_var_write(p.threads[1], &p.vars['x'], 5, NULL);
    play(&p, "1 lock b; 1 unlock b; 2 lock b; 2 unlock b");
    ck_lock_taken(p.threads[2], 'a', true, 1);
    assert_false(ck_var_write(p.threads[2], &p.vars['x'], 6, NULL));
    assert_int_equal(ck_pair_get(p.ck, 5, 6).predicted, 1);
    play_end(&p);
}

/* What the caller's fast path computes, from the public words only. */
static bool fast_covered(uint32_t **table, uint64_t e) {
    const uint32_t *page = table[e >> 56];
    uint32_t known = *(const uint32_t *)((const char *)page + ((e >> 48) & 0xFC));
    return (uint32_t)((e >> 20) & 0x3FFFFFFF) <= known;
}

static void test_public_words(void **state) {
    (void)state;
    assert_int_equal(offsetof(struct ck_thread, epoch), CK_OFF_EPOCH);
    assert_int_equal(offsetof(struct ck_thread, epoch_limit), CK_OFF_LIMIT);
    assert_int_equal(offsetof(struct ck_thread, table), CK_OFF_TABLE);
    assert_int_equal(offsetof(struct ck_thread, hard_table), CK_OFF_HARD_TABLE);
    assert_int_equal(offsetof(struct ck_thread, id), CK_OFF_ID);
    assert_int_equal(offsetof(struct ck_thread, members), CK_OFF_MEMBERS);
    assert_int_equal(offsetof(struct ck_thread, steps), CK_OFF_STEPS);
    assert_int_equal(offsetof(struct ck_thread, column), CK_OFF_COLUMN);
    assert_int_equal(offsetof(struct ck_thread, locks), CK_OFF_LOCKS);
    struct play p;
    play_begin(&p, (struct ck_config){0});
    play(&p, "1 fork 2; 1 fork 3; 2 r x; 3 r x; 2 w y");
    struct ck_thread *t = p.threads[3];
    uint64_t set = atomic_load(&p.vars['x'].r);
    assert_true(ck_word_is_set(set));
    assert_true(fast_covered(t->table, 0));
    assert_false(fast_covered(t->table, set));
    assert_true(fast_covered(t->table, t->epoch | 99));
    assert_false(fast_covered(t->table, atomic_load(&p.vars['y'].w)));
    assert_int_equal(t->members[(set >> 20) & (CK_MEMBERS - 1)], set << 14 ^ t->epoch >> 20);
    play(&p, "2 vw v; 3 vr v");
    assert_true(fast_covered(t->table, atomic_load(&p.vars['y'].w)));
    play_end(&p);
}

/* Many elements read in the same epochs share their sets, and the second such read is offered to the fast
 * path. */
static void test_read_steps_are_offered(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){0});
    play(&p, "1 fork 2");
    for (int i = 0; i < 3; i++) ck_var_read(p.threads[1], &p.vars[i], 40, NULL);
    struct ck_thread *t = p.threads[2];
    uint64_t r = atomic_load(&p.vars[2].r);
    for (int i = 0; i < 2; i++) ck_var_read(t, &p.vars[i], 41, NULL);
    const uint64_t *step = &t->steps[((r >> 20) & (CK_STEPS - 1)) * 4];
    assert_int_equal(step[0], r);
    assert_int_equal(step[1], t->epoch | 41);
    assert_int_equal(step[2], atomic_load(&p.vars[0].r));
    assert_int_equal(atomic_load(&p.vars[0].r), atomic_load(&p.vars[1].r));
    assert_int_equal(ck_counters_get(p.ck).sets_live, 1);
    play_end(&p);
}

/* Reads in ever new epochs must not leave sets behind. */
static void test_sets_are_freed(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){0});
    play(&p, "1 fork 2; 1 fork 3");
    for (int i = 0; i < 10000; i++) play(&p, "2 r x; 3 r x; 2 vw u; 3 vw v");
    assert_true(ck_counters_get(p.ck).sets_live < 8);
    assert_int_equal(ck_counters_get(p.ck).sets_dropped, 0);
    play_end(&p);
}

/* Asks `times` times for a delay at `site` and waits each one out; returns how many there were. */
static int delays_at(struct ck_thread *t, uint32_t site, int times, uint64_t now_us) {
    int delays = 0;
    for (int i = 0; i < times; i++) {
        uint32_t us = ck_confirm_begin(t, site, now_us);
        if (!us) continue;
        assert_in_range(us, 100, 10000);
        ck_confirm_end(t);
        delays++;
    }
    return delays;
}

static void test_delays(void **state) {
    (void)state;
    struct play p;
    uint64_t long_ago = UINT64_C(3600) * 1000000;
    play_begin(&p, (struct ck_config){.confirm = true, .confirm_seed = 5});
    /* Alone there is nobody to wait for. */
    assert_int_equal(delays_at(p.threads[1], 7, 100, long_ago), 0);
    play(&p, "1 fork 2");
    assert_int_equal(delays_at(p.threads[1], 7, 1, long_ago), 1);
    int some = delays_at(p.threads[1], 7, 1000, long_ago);
    assert_in_range(some, 3, 20); /* about one for each power of two */
    /* One of the two must go on. */
    assert_true(ck_confirm_begin(p.threads[1], 8, long_ago) > 0);
    assert_int_equal(ck_confirm_begin(p.threads[2], 9, long_ago), 0);
    ck_confirm_end(p.threads[1]);
    assert_true(ck_confirm_begin(p.threads[2], 9, long_ago) > 0);
    ck_confirm_end(p.threads[2]);
    /* A site where a race was found needs none. */
    ck_var_write(p.threads[1], &p.vars['x'], 10, NULL);
    assert_true(ck_var_write(p.threads[2], &p.vars['x'], 11, NULL));
    assert_int_equal(delays_at(p.threads[1], 10, 100, long_ago), 0);
    assert_int_equal(delays_at(p.threads[1], 11, 100, long_ago), 0);
    play_end(&p);
}

static void test_delay_budget(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){.confirm = true});
    play(&p, "1 fork 2");
    for (uint32_t site = 1; site < 5000; site++) delays_at(p.threads[1], site, 1, 1000000);
    uint64_t spent = ck_counters_get(p.ck).delayed_us;
    assert_in_range(spent, 50000, 120000); /* 10% of a second and the grace */
    play_end(&p);
    play_begin(&p, (struct ck_config){0});
    play(&p, "1 fork 2");
    assert_int_equal(delays_at(p.threads[1], 1, 100, 1000000), 0);
    play_end(&p);
}

static void test_thread_names(void **state) {
    (void)state;
    struct play p;
    play_begin(&p, (struct ck_config){0});
    play(&p, "1 fork 2; 1 end 2; 1 join 2; 1 fork 3");
    ck_thread_rename(p.threads[3], "renamed");
    /* 3 has taken over the slot of 2. */
    assert_int_equal(ck_word_slot(p.threads[3]->epoch), ck_word_slot(p.finals[2]));
    play(&p, "3 w x; 1 w x !");
    assert_string_equal(p.races[0].earlier.thread_name, "renamed");
    assert_int_equal(p.races[0].earlier.thread.v, 3);
    play_end(&p);
}

/* Ten thousand threads at a time and more than the clock's slots in all; each ordered with the starter only.
 */
static void test_many_threads(void **state) {
    (void)state;
    enum { LIVE = 10000, ROUNDS = 4 };
    struct checker *ck = ck_new(&(struct ck_config){.max_memory = (size_t)512 << 20});
    struct ck_thread *main_thread = ck_thread_start(ck, NULL, NULL);
    struct ck_thread **t = calloc(LIVE, sizeof *t);
    struct ck_var mine = {0}, shared = {0};
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < LIVE; i++) {
            assert_false(ck_var_write(main_thread, &mine, 1, NULL));
            t[i] = ck_thread_start(ck, main_thread, NULL);
            assert_non_null(t[i]);
            assert_false(ck_var_read(t[i], &mine, 2, NULL));
            if (i == 1) assert_false(ck_var_write(t[0], &shared, 3, NULL));
            if (i == 1) assert_true(ck_var_write(t[1], &shared, 4, NULL));
            uint64_t word = i % 2 ? ck_thread_end(t[i]) : 0;
            ck_acquire(main_thread, word, CK_BY_JOIN);
            if (i % 2) t[i] = NULL;
            mine = (struct ck_var){0};
        }
        for (int i = 0; i < LIVE; i++)
            if (t[i]) ck_acquire(main_thread, ck_thread_end(t[i]), CK_BY_JOIN);
        assert_false(ck_var_write(main_thread, &shared, 5, NULL));
    }
    struct ck_counters c = ck_counters_get(ck);
    assert_int_equal(c.threads, LIVE * ROUNDS + 1);
    assert_int_equal(c.slots_forced + c.threads_crowded, 0);
    printf("many threads: %llu MB\n", (unsigned long long)(c.bytes >> 20));
    ck_thread_end(main_thread);
    free(t);
    ck_free(ck);
}

/* Ten thousand threads take one lock in turn, each learning of all before it. */
static void test_many_threads_and_a_lock(void **state) {
    (void)state;
    enum { LIVE = 10000 };
    struct checker *ck = ck_new(&(struct ck_config){0});
    struct ck_thread *main_thread = ck_thread_start(ck, NULL, NULL);
    struct ck_thread **t = calloc(LIVE, sizeof *t);
    struct ck_var guarded = {0}, open = {0};
    uint64_t lock = 0;
    for (int i = 0; i < LIVE; i++) t[i] = ck_thread_start(ck, main_thread, NULL);
    for (int i = 0; i < LIVE; i++) {
        ck_acquire(t[i], lock, CK_BY_LOCK);
        ck_lock_taken(t[i], 1, false, 1);
        assert_false(ck_var_write(t[i], &guarded, 2, NULL));
        ck_lock_given(t[i], 1);
        lock = ck_release(t[i], lock, CK_RELEASE_OVER, 3);
    }
    assert_false(ck_var_write(t[LIVE / 2], &open, 4, NULL));
    assert_true(ck_var_write(t[LIVE - 1], &open, 5, NULL));
    struct ck_counters c = ck_counters_get(ck);
    printf("many threads and a lock: %llu MB\n", (unsigned long long)(c.bytes >> 20));
    assert_int_equal(c.threads_crowded + c.no_memory, 0);
    assert_true(c.bytes < (uint64_t)200 << 20);
    for (int i = 0; i < LIVE; i++) ck_thread_end(t[i]);
    ck_thread_end(main_thread);
    free(t);
    ck_free(ck);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_races),
        cmocka_unit_test(test_start_and_join),
        cmocka_unit_test(test_shutdown),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_volatiles),
        cmocka_unit_test(test_concurrent_reads),
        cmocka_unit_test(test_reads_after_a_race_are_ordered),
        cmocka_unit_test(test_folded_log_keeps_order),
        cmocka_unit_test(test_forced_slot_keeps_order),
        cmocka_unit_test(test_what_was_known),
        cmocka_unit_test(test_what_was_known_long_ago),
        cmocka_unit_test(test_race_is_described),
        cmocka_unit_test(test_locks_long_ago_are_unknown),
        cmocka_unit_test(test_races_are_counted_by_pair),
        cmocka_unit_test(test_locksets),
        cmocka_unit_test(test_copies_count_together),
        cmocka_unit_test(test_only_pairs_are_kept),
        cmocka_unit_test(test_evidence),
        cmocka_unit_test(test_evidence_of_final_fields),
        cmocka_unit_test(test_evidence_long_after),
        cmocka_unit_test(test_locks_told_late),
        cmocka_unit_test(test_shared_locks_do_not_exclude),
        cmocka_unit_test(test_public_words),
        cmocka_unit_test(test_read_steps_are_offered),
        cmocka_unit_test(test_sets_are_freed),
        cmocka_unit_test(test_delays),
        cmocka_unit_test(test_delay_budget),
        cmocka_unit_test(test_thread_names),
        cmocka_unit_test(test_many_threads),
        cmocka_unit_test(test_many_threads_and_a_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
