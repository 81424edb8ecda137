/*
 * Names and texts that several modules of the report need.
 */
#ifndef RACE_REPORT_NAMES_H
#define RACE_REPORT_NAMES_H

#include "race/arena.h"
#include "race/report.h"

/*
 * The text as clean UTF-8 in the arena.  Class files spell names in modified UTF-8 (surrogates one by one);
 * pairs of them are joined and what is still not UTF-8 becomes U+FFFD, since JSON and XML take nothing else.
 */
const char *text_clean(struct arena *a, const char *s);

/* "pkg/Outer$Inner" -> "pkg.Outer$Inner", cleaned. */
const char *name_with_dots(struct arena *a, const char *internal);

/* "pkg.C.m(C.java:12)" */
const char *frame_text(struct arena *a, const char *cls, const char *method, const char *file, int line);

/* Takes such a frame apart into class, method, file and line of the access; the rest of it is zeroed. */
struct report_access frame_parse(struct arena *a, const char *frame);

/* The last component of a dotted name. */
const char *name_last(const char *dotted);

/* "12,345" is hard to grep, so numbers stay plain; this only chooses the plural. */
static inline const char *plural(uint64_t n) {
    return n == 1 ? "" : "s";
}

/* Whether a frame of a stack is the JDK's own; the class that stands behind a lambda is its work too. */
bool frame_of_jdk(const char *frame);

#endif
