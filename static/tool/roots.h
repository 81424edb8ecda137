/* Where the program starts, from the command line: -m, --entry and --open. */
#ifndef RACE_TOOL_ROOTS_H
#define RACE_TOOL_ROOTS_H

#include "command.h"
#include "race/classpath.h"
#include "race/pointsto.h"
#include "testdriver.h"

struct roots {
    struct pts_root *v;
    size_t n, cap;
    const char *within; /* a package that was opened to its own code, having nothing public; NULL: none */
};

void roots_release(struct roots *r);

/* The main method of a class.  One that is inherited, belongs to an object or has no arguments is called by
 * `driver`, which the program's source must know. */
bool roots_add_main(struct roots *r, struct program *p, const struct classpath *cp, struct testdriver *driver,
                    const char *text, struct race_error *err);
/* The methods that CLASS.METHOD names. */
bool roots_add_entry(struct roots *r, struct program *p, const struct classpath *cp, const char *text,
                     struct race_error *err);
/*
 * A class that is named is opened to its package: all its methods but private ones, and what it inherits.  Of
 * a package, and of those below it, the public methods of public classes are opened; if there are none, every
 * class is opened to the package, and `within` says so.
 */
bool roots_add_open(struct roots *r, struct program *p, const struct classpath *cp, const char *text,
                    struct race_error *err);

/* The same for all classes that are annotated @ThreadSafe or have a method that is. */
bool roots_add_annotated(struct roots *r, struct program *p, const struct classpath *cp,
                         struct race_error *err);

#endif
