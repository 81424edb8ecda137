/*
 * Races on the same location in the same two methods: mostly one mistake, so the text tells them in one
 * block.
 */
#ifndef RACE_REPORT_KIN_H
#define RACE_REPORT_KIN_H

#include "race/report.h"

enum { NO_KIN = UINT32_MAX };

/* Of each race of a report, by its place there: the first of its kin and the next, or NO_KIN. */
struct kin {
    uint32_t first, next;
};

/* To be freed. */
struct kin *kin_find(const struct report *r);

#endif
