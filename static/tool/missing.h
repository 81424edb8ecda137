/*
 * Classes that the program names in its code and that neither the class path nor the JDK has.  The analysis
 * takes nothing to happen in them, which a forgotten jar must not turn into "no warnings" without a word.
 */
#ifndef RACE_TOOL_MISSING_H
#define RACE_TOOL_MISSING_H

#include "analysis.h"
#include "race/plan.h" /* struct plan_writer */

/* How many there are, and the first of them, as meta lines; no line if there are none. */
void missing_write(const struct analysis *a, struct plan_writer *w);

#endif
