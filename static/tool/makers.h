/*
 * Constructors that do something to others while they make an object.
 *
 * Every constructor runs when the objects of an open class are made, before its methods do.  One that writes
 * a static field, or a field or element of what it was given, may as well run while other threads work; so it
 * is called by threads of its own, like a method.  Most only fill in their own object: calling those as well
 * made the analysis of commons-pool2 take eight times as long, and found nothing.
 *
 * Looked at is the constructor itself and those of its own object that it calls first.  Not seen are writes
 * by methods that it calls, reads, and writes to what it put into its own fields before.
 */
#ifndef RACE_TOOL_MAKERS_H
#define RACE_TOOL_MAKERS_H

#include "race/ir.h"

/* `b` may be made for this alone; a body that cannot be built writes nothing. */
bool writes_elsewhere(struct program *p, struct ir_builder *b, method_id constructor);

#endif
