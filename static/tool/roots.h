/* Where the program starts, from the command line: -m, --entry and --open. */
#ifndef RACE_TOOL_ROOTS_H
#define RACE_TOOL_ROOTS_H

#include "command.h"
#include "race/classpath.h"
#include "race/pointsto.h"

struct roots {
    struct pts_root *v;
    size_t n, cap;
};

void roots_release(struct roots *r);

/* The main method of a class. */
bool roots_add_main(struct roots *r, struct program *p, const struct classpath *cp, const char *text,
                    struct race_error *err);
/* The methods that CLASS.METHOD names. */
bool roots_add_entry(struct roots *r, struct program *p, const struct classpath *cp, const char *text,
                     struct race_error *err);
/* The public methods of a class, or of all classes of a package and of the packages below it. */
bool roots_add_open(struct roots *r, struct program *p, const struct classpath *cp, const char *text,
                    struct race_error *err);

/* The public methods of all classes annotated @ThreadSafe. */
bool roots_add_annotated(struct roots *r, struct program *p, const struct classpath *cp,
                         struct race_error *err);

#endif
