/*
 * Why a race stands in the report under its verdict, in a sentence or two.
 */
#ifndef RACE_REPORT_WHY_H
#define RACE_REPORT_WHY_H

#include "race/report.h"

/* What the runs saw of it. */
const char *why_seen(struct arena *a, const struct report_race *race);

/*
 * Why the static half has nothing to say of it; NULL if it has, or if there was no analysis.  `stale`: the
 * class of an access has changed since.
 */
const char *why_no_warning(const struct report_race *race, bool has_plan, bool stale);

/* `seen` and `reason` in one text. */
const char *why_text(struct arena *a, const struct report_race *race);

#endif
