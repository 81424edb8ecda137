/*
 * The end that `report`, `analyze` and `check` share: options of the report, and what is done with a filled
 * one.
 */
#ifndef RACE_TOOL_REPORTING_H
#define RACE_TOOL_REPORTING_H

#include "command.h"
#include "progress.h"
#include "race/report.h"

struct reporting {
    const char *format, *output, *baseline, *benign_off, *fail_on;
    const char *class_path; /* for suppression by annotation */
    struct strings suppress, sources;
    bool all;
};

/* clang-format off: a table reads best with one row per option. */

/* Rows of an option table for the member `m` (a struct reporting) of the settings `s`, without -o and
 * --format. */
#define REPORTING_FILTERS(s, m)                                                                              \
    {"--source",                                                                                             \
     NULL,                                                                                                   \
     "DIR",                                                                                                  \
     OPTION_EACH,                                                                                            \
     offsetof(s, m.sources),                                                                                 \
     "show source lines from this folder, a source root or a project (may be repeated)"},                    \
        {"--suppress",                                                                                       \
         NULL,                                                                                               \
         "FILE",                                                                                             \
         OPTION_EACH,                                                                                        \
         offsetof(s, m.suppress),                                                                            \
         "leave out races that match its race:PATTERN lines (may be repeated)"},                             \
        {"--baseline",                                                                                       \
         NULL,                                                                                               \
         "FILE",                                                                                             \
         OPTION_TEXT,                                                                                        \
         offsetof(s, m.baseline),                                                                            \
         "an earlier JSON report: show only what is new since"},                                             \
        {"--benign-off",                                                                                     \
         NULL,                                                                                               \
         "NAMES",                                                                                            \
         OPTION_TEXT,                                                                                        \
         offsetof(s, m.benign_off),                                                                          \
         "count these benign idioms as races: names separated by commas, or all"},                           \
        {"--fail-on",                                                                                        \
         NULL,                                                                                               \
         "confirmed|predicted|any|none",                                                                     \
         OPTION_CHOICE,                                                                                      \
         offsetof(s, m.fail_on),                                                                             \
         "exit with 66 if there is a race of this verdict or a worse one (default: confirmed)"},             \
    {                                                                                                        \
        "--all", NULL, NULL, OPTION_FLAG, offsetof(s, m.all), "text: every warning and frame in full"        \
    }

/* All of them. */
#define REPORTING_OPTIONS(s, m)                                                                              \
    {"--format",                                                                                             \
     NULL,                                                                                                   \
     "text|json|sarif|html|github|junit",                                                                    \
     OPTION_CHOICE,                                                                                          \
     offsetof(s, m.format),                                                                                  \
     "form of the report (default: text)"},                                                                  \
        {"-o", "--output", "FILE", OPTION_TEXT, offsetof(s, m.output), "write the report to this file"},     \
        REPORTING_FILTERS(s, m)

/* clang-format on */

/* Whether what the options name can be read, so that a wrong word is told before the work and not behind it.
 */
bool reporting_inputs(const struct reporting *o, struct race_error *err);

/* Hides, sorts, prints; returns the exit code.  The report is filled and stays the caller's; the progress
 * line is ended. */
int reporting_finish(struct report *r, const struct reporting *o, struct progress *progress);

#endif
