/*
 * Numbers for the locks of the program, which tell their class: reports name a lock by it.
 *
 * A program may use millions of locks, but of few classes.  Nothing is kept of a lock itself, so that nothing
 * is left when it dies.
 */
#ifndef RACE_AGENT_LOCKKEYS_H
#define RACE_AGENT_LOCKKEYS_H

#include <stdint.h> /* uint64_t */

/* The number of a new lock of a class, given in source form; another one each time, and as the checker wants
 * them (ck_lock_taken).  0 if memory is short.  Any thread. */
uint64_t lockkeys_new(char *class_name);

/* The class of a lock, or NULL.  Stays valid.  Any thread. */
const char *lockkeys_class(uint64_t key);

#endif
