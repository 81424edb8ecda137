/* Promises of annotations that the code does not keep, and those that the report believes. */
#ifndef RACE_REPORT_PROMISES_H
#define RACE_REPORT_PROMISES_H

#include "json.h"
#include "race/report.h"

/* Takes them from the plan; races on a field that an annotation vouches for are marked. */
void promises_take(struct report *r, const struct plan *plan);

/* "X.f: written in X.m(X.java:12), declared guarded by lock, not held here" */
const char *promise_text(struct arena *arena, const struct report_promise *p);
json_t *json_promises(const struct report *r);

#endif
