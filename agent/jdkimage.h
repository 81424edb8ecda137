/*
 * The running JDK's own classes, read from its run-time image with its own libjimage.so: which packages are
 * the JDK's, and the bytes of a class.  Safe on any thread and in any phase of the VM, since no Java code
 * runs.
 */
#ifndef RACE_AGENT_JDKIMAGE_H
#define RACE_AGENT_JDKIMAGE_H

#include "race/classfile.h" /* struct cf_str */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool jdkimage_open(const char *java_home, struct race_error *err);

/* Whether the package of a class, given by internal name, is in the image. */
bool jdkimage_has_package(struct cf_str class_name);

/* A malloc'ed copy of the class file, or NULL. */
uint8_t *jdkimage_read(struct cf_str class_name, size_t *size);

#endif
