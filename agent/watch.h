/*
 * What is done before an access that Java could not settle by itself: remembering its stack (option
 * `history`), and sometimes a delay, so that the other side of a race can come (option `confirm`).
 */
#ifndef RACE_AGENT_WATCH_H
#define RACE_AGENT_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct checker;
struct ck_thread;

/* Once, before any Java code is tracked.  Time counts from here. */
void watch_init(struct checker *ck);
/* Whether watch_access() does anything at all in this run. */
bool watch_wanted(void);
/* Whether it decides by itself which accesses matter; else the caller may leave most of them out. */
bool watch_wants_all(void);
void watch_access(struct ck_thread *t, uint32_t site);

#endif
