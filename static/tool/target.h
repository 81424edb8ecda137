/* A class or method as people write it: pkg.Outer.Inner.method, pkg/Outer$Inner.method(I)V, path/to/X.class.
 */
#ifndef RACE_TOOL_TARGET_H
#define RACE_TOOL_TARGET_H

#include "race/classpath.h"
#include "race/error.h"
#include "race/program.h" /* struct program, method_id */

struct target {
    char *cls;    /* internal name of a class on the class path; NULL: any */
    char *method; /* its name, or NULL for all */
    char *desc;   /* its descriptor, or NULL for all overloads */
};

/* Looks the class up, trying the longest class name first, so that a nested class beats a method. */
bool target_init(struct target *t, const struct classpath *cp, const char *text, struct race_error *err);
void target_release(struct target *t);

bool target_has_method(const struct target *t, const struct program *p, method_id m);

/* Whether the text is the path of a class file that exists. */
bool target_is_file(const char *text);

#endif
