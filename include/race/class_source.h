/*
 * Where the program model gets class files from.
 *
 * The class path implements this; tests implement it over a plain directory.  The source owns the bytes it
 * hands out and keeps them valid until they are given back with `drop` (or until the source itself ends).
 */
#ifndef RACE_CLASS_SOURCE_H
#define RACE_CLASS_SOURCE_H

#include "race/error.h" /* struct race_error */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct class_bytes {
    const uint8_t *data;
    size_t size;
    const char *origin; /* for error lines: "lib/a.jar!/p/X.class"; valid as long as the bytes */
    bool from_jdk;      /* came from the JDK's run-time image, not from the user's class path */
    void *owner;        /* for the source's own use */
};

struct class_source {
    void *ctx;

    /*
     * Finds the first definition of a class by its internal name ("java/lang/String", NUL-terminated).
     * Returns false with `err` unset if there is none, and false with `err` set if it is there but
     * unreadable.
     */
    bool (*find)(void *ctx, const char *name, struct class_bytes *out, struct race_error *err);

    /* Gives bytes back; may be NULL if the source keeps them anyway. */
    void (*drop)(void *ctx, struct class_bytes *bytes);

    /* Calls visit for the internal name of every class there is, in a stable order, until it returns false.
       May be NULL; then "load everything" is an error. */
    bool (*each)(void *ctx, bool (*visit)(void *arg, const char *name), void *arg, struct race_error *err);
};

#endif
