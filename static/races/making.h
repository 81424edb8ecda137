/*
 * Objects in the making:
 *
 *     Command(Session s) { s.register(this); init(); }       void init() { trace = ...; }
 *
 * A constructor runs once for an object, with the constructors that it calls on it, in the thread that made
 * the object: nobody else has a reference on which it could be called.  So do methods that only constructors
 * call, on their own `this`.  Whatever two such methods do to their `this` is done by one thread, also where
 * the object is known to others already.
 */
#ifndef RACE_RACES_MAKING_H
#define RACE_RACES_MAKING_H

#include "internal.h"

/* Finds the methods that run on objects in the making only. */
void making_init(struct races *r);
/* Whether the access is one of `this` in such a method. */
bool is_in_making(struct races *r, const struct races_access *a);

#endif
