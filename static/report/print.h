/*
 * The formats: each a function of a finished report.  False if writing failed.
 */
#ifndef RACE_REPORT_PRINT_H
#define RACE_REPORT_PRINT_H

#include "race/report.h"

bool print_text(const struct report *r, const struct report_print_options *o, FILE *out);
bool print_json(const struct report *r, const struct report_print_options *o, FILE *out);
bool print_sarif(const struct report *r, const struct report_print_options *o, FILE *out);
bool print_html(const struct report *r, const struct report_print_options *o, FILE *out);
bool print_github(const struct report *r, const struct report_print_options *o, FILE *out);
bool print_junit(const struct report *r, const struct report_print_options *o, FILE *out);

/* One race as the text report shows it, without colour; malloc'ed. */
char *print_race_block(const struct report *r, const struct report_race *race,
                       const struct report_print_options *o);

/* "write in pkg.C.m(C.java:12)": an access in a few words. */
const char *print_access_words(struct arena *a, const struct report_access *access);

#endif
