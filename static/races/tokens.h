/*
 * Locks that programs build themselves: a variable that says whose turn it is, a spin lock of compareAndSet,
 * a semaphore of one permit.
 *
 * The model.  A thread *takes* the token of a variable X when it comes out of a test or a call that proves
 * something about X, and *holds* it until it writes X itself.  At most one thread at a time holds it if every
 * write of X is made by the holder, and
 *
 *   turn    a thread takes it by seeing X equal to a value, and no value is waited for by two threads: the
 *           threads' values are disjoint sets (ints.h), or each is a number drawn from a counter that only
 *           ever counts.  At the first moment when a second thread took the token, the first one would hold
 *           it, X would still be the first one's value, and the second has seen another.
 *   spin    a thread takes it by changing X from a constant `free` to something else in one atomic step, and
 *           nobody but the holder writes `free`.
 *   permit  a semaphore that starts with one permit; only the holder releases.
 *
 * The holder's write is a release and the test an acquire, so what one holder did comes before what the next
 * one does; for a plain X that takes a lock around all its tests and writes.  Writes that can never be
 * parallel to a test (before the threads start, after they were joined) are free.
 *
 * Only variables that exist once are looked at: static fields, and fields, atomics and semaphores of objects
 * that exist once.  Held tokens are locks (struct lock) named PATH_TOKEN.
 */
#ifndef RACE_RACES_TOKENS_H
#define RACE_RACES_TOKENS_H

#include "internal.h"

/* What a statement of a method does to a token. */
enum token_act { TOKEN_TAKES, TOKEN_TAKES_ON_EDGE, TOKEN_WRITES };

struct token_mark {
    uint32_t stmt;
    uint8_t act;
    uint8_t succ; /* TAKES_ON_EDGE: by this successor of the block that ends with stmt */
    uint16_t token;
};

struct token_marks {
    uint32_t n;
    struct token_mark *v; /* by statement */
};

/* Finds the variables and what can be said before locks are known; marks the methods. */
void tokens_init(struct races *r);
/* Once locks are known: takes back those that somebody writes without holding them. */
void tokens_check(struct races *r);
void tokens_release(struct races *r);
bool token_holds(const struct races *r, uint32_t token);
const char *token_text(struct races *r, uint32_t token);

#endif
