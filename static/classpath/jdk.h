/*
 * A JDK: where it is, which release, and the classes in its run-time image (lib/modules).
 *
 * The image is read with the JDK's own lib/libjimage.so, because its format is private to each release.  The
 * image is mapped read-only and libjimage keeps no state per look-up (the JVM itself calls it from all class
 * loading threads), so reading needs no lock.
 *
 * A process can read only one JDK: libjimage needs libjvm, and the loader keeps one library of that name.
 */
#ifndef RACE_CLASSPATH_JDK_H
#define RACE_CLASSPATH_JDK_H

#include "race/error.h"

#include <stdbool.h>
#include <stddef.h> /* size_t */
#include <stdint.h>

struct jdk;

/* `home` NULL means: the JDK of the `java` on PATH, or else of JAVA_HOME. */
struct jdk *jdk_open(const char *home, struct race_error *err);
void jdk_free(struct jdk *j);

const char *jdk_home(const struct jdk *j);
int jdk_release(const struct jdk *j);

/* Calls fn for every class in the image; module and package stay valid as long as the JDK is open, `simple`
 * is the class's name without package. */
typedef void jdk_class_fn(const char *module, const char *package, const char *simple, void *arg);
void jdk_each_class(const struct jdk *j, jdk_class_fn *fn, void *arg);

/* Reads "name".class of a module into a malloc'ed buffer. */
bool jdk_read(const struct jdk *j, const char *module, const char *name, size_t limit, uint8_t **data,
              size_t *size, struct race_error *err);

#endif
