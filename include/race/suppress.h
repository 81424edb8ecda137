/*
 * Suppressions: a file that says which races are known and accepted.
 *
 *     # why the next line is there
 *     race:pkg.Stats.hits
 *     race:pkg.legacy.*
 *     race:pkg.Cache.get
 *     race:@RaceTolerated
 *
 * A pattern names a field ("pkg.Outer.Inner.f"), a class or a method of a stack frame ("pkg.C.m"); '*' stands
 * for any characters.  A race is suppressed if the pattern matches its location, the class of either access,
 * or any frame of either stack.  A '$' of a nested class may be written '.', as in field names.  '@' and the
 * simple name of an annotation match a race whose field, or whose access by its method, class or enclosing
 * class, is annotated so in the class file.  The comment lines right above an entry are its reason.
 *
 * The agent uses this too: nothing here ends the process.
 */
#ifndef RACE_SUPPRESS_H
#define RACE_SUPPRESS_H

#include "race/error.h" /* struct race_error */

#include <stdbool.h>
#include <stddef.h> /* size_t */
#include <stdint.h>

struct suppression {
    char *pattern;
    char *reason; /* NULL if no comment stands above it */
    char *where;  /* "file:line" */
    uint64_t used;
};

struct suppressions {
    struct suppression *v;
    size_t n, cap;
};

void suppressions_init(struct suppressions *s);
void suppressions_release(struct suppressions *s);

/* Adds the entries of a file, or of a text with a name for errors. */
bool suppressions_load(struct suppressions *s, const char *path, struct race_error *err);
bool suppressions_parse(struct suppressions *s, const char *name, const char *text, struct race_error *err);

/* Bytes of a class by its internal name, malloc'ed; NULL if it is not to be had. */
struct suppress_classes {
    uint8_t *(*read)(void *ctx, const char *name, size_t *size);
    void *ctx;
};
/* The first entry for an annotation of the class (internal name), of a class around it, or of its member: a
 * field if `desc` is NULL, else a method; a lambda has the annotations of the method it stands in. */
struct suppression *suppressions_match_annotated(const struct suppressions *s, const char *cls,
                                                 const char *member, const char *desc,
                                                 const struct suppress_classes *classes);
/* Whether there is such an entry at all, so that nobody reads classes for nothing. */
bool suppressions_by_annotation(const struct suppressions *s);

/* The first entry that matches the name (of a field, class or method), or NULL.  Does not count as a use. */
struct suppression *suppressions_match(const struct suppressions *s, const char *name);
/* The same for a frame "pkg.C.m(C.java:12)": class, method and the whole text are tried. */
struct suppression *suppressions_match_frame(const struct suppressions *s, const char *frame);

#endif
