/* The report on stderr, in the form that users of thread sanitizers know. */
#ifndef RACE_AGENT_REPORT_H
#define RACE_AGENT_REPORT_H

#include "results.h"

/* "pkg/Outer$Inner" -> "pkg.Outer$Inner" */
void report_class_name(const char *internal, char *buf, size_t size);
/* A JVM type signature in source form: "[I" -> "int[]", "Ljava/util/ArrayList;" -> "java.util.ArrayList". */
void report_type_name(const char *signature, char *buf, size_t size);
/* A site as a stack frame: "pkg.C.m(C.java:12)". */
void report_site_frame(uint32_t site, char *buf, size_t size);
/* The declaring class and field as the report names them: "pkg.Outer.Inner.f". */
void report_field_name(const char *owner, const char *field, char *buf, size_t size);

void report_breach(const struct breach *b);
void report_race(const struct race_found *race);
void report_summary(uint64_t races, uint64_t suppressed, const char *path);

#endif
