/*
 * Why a race stands in the report under its verdict, in a sentence or two.
 */
#ifndef RACE_REPORT_WHY_H
#define RACE_REPORT_WHY_H

#include "race/report.h"

/* What the runs saw of it. */
const char *why_seen(struct arena *a, const struct report_race *race);

/*
 * The whole of it, beginning with `race->seen`.  `race->why` is the analysis's own reason, or NULL.
 * `has_plan`: there was an analysis at all; `stale`: the class of an access has changed since.
 */
const char *why_text(struct arena *a, const struct report_race *race, bool has_plan, bool stale);

#endif
