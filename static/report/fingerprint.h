/* Fingerprints in two steps, for pairs of a plan that share their sites. */
#ifndef RACE_REPORT_FINGERPRINT_H
#define RACE_REPORT_FINGERPRINT_H

#include "race/report.h"

/* What an access brings to the fingerprint of its races. */
struct fingerprint_parts {
    const char *access, *location;
};

struct fingerprint_parts fingerprint_parts(struct arena *arena, const struct report_access *a,
                                           const char *location);
/* `named` is the side that gives the location; the result comes from `arena`, the rest from `scratch`. */
const char *fingerprint_of(struct arena *arena, struct arena *scratch, enum plan_kind kind,
                           const struct fingerprint_parts *named, const struct fingerprint_parts *a,
                           const struct fingerprint_parts *b);

#endif
