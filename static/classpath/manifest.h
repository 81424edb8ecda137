/* META-INF/MANIFEST.MF, as far as the class path needs it: the main attributes Multi-Release and Class-Path.
 */
#ifndef RACE_CLASSPATH_MANIFEST_H
#define RACE_CLASSPATH_MANIFEST_H

#include <stdbool.h>
#include <stddef.h> /* size_t */

struct manifest {
    bool multi_release;
    char *class_path; /* relative URLs separated by spaces, or NULL */
};

/* Never fails: what cannot be understood is as good as absent, as in the JVM. */
void manifest_init(struct manifest *m, const char *text, size_t size);
void manifest_release(struct manifest *m);

/*
 * The next element of class_path as a file path: "%20" is decoded, "file:" removed, other schemes skipped.
 * `*at` starts as class_path and is moved on.  Returns a malloc'ed string, relative to the jar's directory
 * unless it starts with '/', or NULL at the end.
 */
char *manifest_next_path(const char **at);

#endif
