/*
 * The report as a JSON value: the contract of --format json, and the data of the HTML page.
 */
#ifndef RACE_REPORT_JSON_H
#define RACE_REPORT_JSON_H

#include "race/report.h"
#include "source.h"

#include <jansson.h>

/* `sources` adds file paths and snippets for the page; NULL leaves them out. */
json_t *json_of_report(const struct report *r, struct sources *sources);

/* A string, or null for NULL. */
json_t *json_text(const char *s);

#endif
