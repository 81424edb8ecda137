/*
 * What the fuzz targets over plans and results share: the promises that are asked of every report.
 */
#ifndef RACE_TESTS_REPORT_FUZZ_H
#define RACE_TESTS_REPORT_FUZZ_H

#include "race/error.h"  /* struct race_error */
#include "race/plan.h"   /* struct plan */
#include "race/report.h" /* struct report */

#include <stddef.h> /* size_t */

/* Says which promise was broken and aborts, which libFuzzer reports with the input. */
_Noreturn void broken(const char *promise, const char *what);

/* A refused input says why, in one line, unless RACE_FUZZ_ACCEPT asks that nothing is refused (seeds). */
void check_refusal(const struct race_error *err);

/* Puts the end line behind the lines: without the right digest nothing else of a plan is ever looked at. */
char *plan_with_end(const char *lines, size_t n, size_t *size);

/* Finishes the report and prints it in every format; JSON and SARIF must parse. */
void check_report(struct report *r);

#endif
