/*
 * Scripted events for the checker, in a small notation:
 *
 *     "1 fork 2; 1 w x; 2 r x !"
 *
 * Statements are "THREAD OPERATION NAME"; "!" says that this one, and no other, finds a race.  Threads are
 * single digits, 1 exists from the start; variables, locks and volatiles are single letters.
 *
 *     fork join end   of a thread        lock unlock    of a lock, with its name told to the checker
 *     done            end of a thread that a shutdown waits for; halt: the shutdown
 *     r w             read, write        vr vw rmw      read, blind write, read-modify-write of a volatile
 *     hr hw           the same as a hand-off (future, queue)
 *
 * The site of a statement is its position in the script, from 1.
 */
#ifndef RACE_TESTS_PLAY_H
#define RACE_TESTS_PLAY_H

#include "race/checker.h"

enum { NAMES = 128, RACES_MAX = 64 };

/* Public, so that a test can look at the words. */
struct play {
    struct checker *ck;
    struct ck_thread *threads[10];
    uint64_t finals[10];
    uint64_t syncs[NAMES];
    struct ck_var vars[NAMES];
    struct ck_race races[RACES_MAX];
    int race_count;
};

void play_begin(struct play *p, struct ck_config config);
void play_end(struct play *p);
void play(struct play *p, const char *script);

#endif
