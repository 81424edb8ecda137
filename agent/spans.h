/*
 * Spans of epochs in which a thread ran a class initialiser.
 *
 * The VM orders the end of a class initialiser before every use of the class, but it checks that in compiled
 * code that no hook sees.  So the initialiser's spans are kept instead, and an access that meets a word
 * written inside a finished span is ordered after the end of that span.  (A location that leaked out of a
 * running initialiser is not told apart: a race on it can be missed, none is invented.)
 */
#ifndef RACE_AGENT_SPANS_H
#define RACE_AGENT_SPANS_H

#include <stdbool.h>
#include <stdint.h>

/* The current thread enters or leaves an initialiser; `word` is what it released at that moment. */
void spans_enter(uint64_t word);
void spans_leave(uint64_t word);

/* The word released at the end of the span that `word` lies in; 0 if it lies in none. */
uint64_t spans_end_of(uint64_t word);

/* Whether the calling thread is in a class initialiser. */
bool spans_inside(void);

#endif
