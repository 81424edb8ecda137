/*
 * Which race has these two sites?  Results of many runs, and the plan's pairs, merge by the answer.
 */
#ifndef RACE_REPORT_INDEX_H
#define RACE_REPORT_INDEX_H

#include "race/report.h"

struct report_index;

struct report_index *index_new(void);
void index_free(struct report_index *ix); /* NULL is fine */

/*
 * The key of a race: both sites, the same whichever access comes first.  The location is not part of it: a
 * run knows the class of an array or a container better than the analysis does.
 */
const char *index_key(struct arena *a, const struct report_race *race);
/* The same in two steps, for races that share their sites. */
const char *index_site_key(struct arena *a, const struct report_access *s);
const char *index_key_of(struct arena *a, const char *first, const char *second);

/* Position of the race with that key in report.races, or SIZE_MAX. */
size_t index_find(const struct report_index *ix, const char *key);
/* The key must live as long as the index. */
void index_add(struct report_index *ix, const char *key, size_t race);

#endif
