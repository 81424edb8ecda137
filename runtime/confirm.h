/*
 * Which accesses are delayed, and for how long, so that the other side of a race can come.
 */
#ifndef RACE_RUNTIME_CONFIRM_H
#define RACE_RUNTIME_CONFIRM_H

#include "memory.h"

struct confirm {
    _Atomic uint8_t *delays;   /* made so far, by site; CONFIRM_DONE: no more.  NULL if off.  Any thread */
    _Atomic uint64_t spent_us; /* all delays together; any thread */
    _Atomic uint32_t waiting;  /* threads in a delay; any thread */
};

/* Out of memory means off. */
void confirm_init(struct confirm *c, struct memory *m);
void confirm_release(struct confirm *c, struct memory *m);
/* A race was found at the site: it needs no more help. */
void confirm_found(struct confirm *c, uint32_t site);

#endif
