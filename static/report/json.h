/*
 * The report as JSON: the contract of --format json, and the data of the HTML page.
 */
#ifndef RACE_REPORT_JSON_H
#define RACE_REPORT_JSON_H

#include "race/report.h"
#include "source.h"

#include <jansson.h>

/* For what stands inside a page. */
struct json_page {
    struct sources *sources; /* adds file paths and snippets */
    size_t limit;            /* most races shown; the weakest are left out, and a note says so */
};

/*
 * Writes the report, one race per line and one race in memory at a time: a plan may have a hundred thousand
 * pairs. `page` is NULL for --format json.  False if a value could not be made.
 */
bool json_write(const struct report *r, const struct json_page *page, FILE *out);

/*
 * Writes a value in one line and drops it; false for NULL.  With no_tags every '<' is escaped, so that
 * nothing in a script element looks like a tag ('<' only occurs in strings).
 */
bool json_put(json_t *value, bool no_tags, FILE *out);

/* A string, or null for NULL. */
json_t *json_text(const char *s);

#endif
