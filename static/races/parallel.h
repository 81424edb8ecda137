/* Which threads may be alive at a statement. */
#ifndef RACE_RACES_PARALLEL_H
#define RACE_RACES_PARALLEL_H

#include "internal.h"

/* Abstract threads by their numbers; two machine words, aligned as arenas align. */
typedef unsigned __int128 thread_set __attribute__((aligned(8)));
enum { THREADS_MAX = 128 };

/* Whether thread t may be alive when p executes the access in this instance; true if that is not known. */
bool may_be_alive_at(struct races *r, uint32_t p, pts_inst i, const struct races_access *a, uint32_t t);

#endif
