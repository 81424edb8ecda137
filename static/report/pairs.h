/*
 * The pairs of a plan as races.  A plan may have millions of them between few sites: the words for a site, a
 * side and a reason are made once, and races share them.
 */
#ifndef RACE_REPORT_PAIRS_H
#define RACE_REPORT_PAIRS_H

#include "race/report.h"

struct pair_site;

struct pairs {
    struct report *r; /* owns the strings */
    const struct plan *p;
    struct pair_site *sites;     /* by site - 1 */
    struct report_access *sides; /* by side - 1 */
    const char **whys;           /* by why - 1 */
    struct arena scratch;
};

void pairs_init(struct pairs *x, struct report *r, const struct plan *p);
void pairs_release(struct pairs *x); /* the races stay good */

struct report_race pairs_race(struct pairs *x, plan_pair_id id);
/* For index_find(); good until the next call. */
const char *pairs_index_key(struct pairs *x, plan_pair_id id);

#endif
