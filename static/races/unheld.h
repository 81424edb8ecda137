/*
 * Objects that nothing holds: no field, element, static variable or function object has a reference to them,
 * only variables of the thread that made them.
 *
 *     Command(Session session) { this.session = session; this.trace = session.getTrace(); }
 *
 * Groups (groups.h) take `this` and `session` for parts of one structure, and what becomes of the session for
 * what becomes of both.  But nobody gets from a session to an object that was never put anywhere.
 */
#ifndef RACE_RACES_UNHELD_H
#define RACE_RACES_UNHELD_H

#include "groups.h"

/* Variables that may name the same object without having been read from one: casts, PHIs, and what calls give
 * back. */
struct names {
    struct groups same;
    uint32_t *next; /* the variables of a class in a ring */
};

void names_build(struct races *r, const struct ir_body *body, struct names *n, struct arena *arena);
/*
 * Whether the object is made behind the value of the other variable, and so is not that value: wherever the
 * object is in its variable, the value was computed before.
 */
bool is_made_after(const struct ir_body *body, ir_var made, ir_var v);
/* Whether the statement may put the object of its argument somewhere. */
bool holds_argument(struct races *r, const struct ir_body *body, const struct ir_stmt *s, uint32_t arg);

#endif
