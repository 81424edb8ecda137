/*
 * Functions that methods of the program run under their own locks.
 *
 *     void locked(Runnable r) { lock.lock(); try { r.run(); } finally { lock.unlock(); } }
 *     ...
 *     account.locked(() -> account.balance++);
 *
 * The function object is made for that one call, and the methods called do nothing with it but call it.  So
 * its body runs while the call is under way: what its maker holds at the call is held, and what each of the
 * methods holds wherever it calls the function.  The names are the maker's; those that start from values
 * which the function captured mean the same in its body.
 *
 * Methods that override one another may take different locks, one a monitor and one a ReentrantLock.  Which
 * method runs depends on the receiver alone.  If each holds a lock that it reaches from its receiver, then
 * two functions given to the method of one name and descriptor, of one receiver, are under one lock,
 * whichever that is: PATH_INSIDE names it by the receiver, and `lock.around` by the method.
 */
#ifndef RACE_RACES_AROUND_H
#define RACE_RACES_AROUND_H

#include "internal.h"

/* The locks under which the instance is run as such a function, by its own names; false if it is none.  They
 * are `top` while nobody's call of the maker has been looked at. */
bool around_locks(struct races *r, pts_inst i, struct locks *out);
/* The name of the method. */
const char *around_text(const struct races *r, uint32_t number);
void arounds_release(struct races *r);

#endif
