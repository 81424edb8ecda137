/* Which threads may be alive at a statement. */
#ifndef RACE_RACES_PARALLEL_H
#define RACE_RACES_PARALLEL_H

#include "internal.h"

/* Whether thread t may be alive when p executes the access in this instance; true if that is not known. */
bool may_be_alive_at(struct races *r, uint32_t p, pts_inst i, const struct races_access *a, uint32_t t);

#endif
