/*
 * The program's class path (the property java.class.path), read without the VM: what a class will look like
 * that has not been loaded yet.  Directories and jars, with the Class-Path of a jar's manifest; first
 * definition wins.
 *
 * Any thread; one lock.  Nothing here is an error: an entry that cannot be read has no classes.
 */
#ifndef RACE_AGENT_APPPATH_H
#define RACE_AGENT_APPPATH_H

#include "race/classfile.h" /* struct cf_str */

#include <stddef.h>
#include <stdint.h>

void apppath_open(const char *class_path);
/* The bytes of a class by internal name, malloc'ed; NULL if it is not there. */
uint8_t *apppath_read(struct cf_str name, size_t *size);

#endif
