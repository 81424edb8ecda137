/*
 * The main program that a test suite lacks: a class made up in memory whose main method runs every test of
 * the class path with its fixtures, one after the other, as the frameworks do by reflection.  The analysis
 * reads it like any other class; it never runs.  It also does what the JVM's launcher does for a main method
 * that is inherited or belongs to an object.
 */
#ifndef RACE_TOOL_TESTDRIVER_H
#define RACE_TOOL_TESTDRIVER_H

#include "race/class_source.h"
#include "race/classpath.h"
#include "race/error.h"
#include "race/program.h"

#include <stddef.h> /* size_t */
#include <stdint.h>

#define TESTDRIVER_CLASS "race/Tests"

struct testdriver {
    struct class_source below; /* where all other classes come from */
    uint8_t *bytes;            /* the class, once it is made */
    size_t size;
};

/* A source that knows the driver as well; `d` must outlive the program made from it. */
struct class_source testdriver_source(struct testdriver *d, struct class_source below);
/* Looks for tests in the application's classes and makes the driver; returns its main method, or 0 with `err`
 * set if there is no test. */
method_id testdriver_make(struct testdriver *d, struct program *p, const struct classpath *cp,
                          struct race_error *err);
/* The same for the main method `main` of `cls`, which another class may declare: initialises the class or
 * makes an object of it, and calls the method. */
method_id testdriver_make_main(struct testdriver *d, struct program *p, class_id cls, method_id main,
                               struct race_error *err);
void testdriver_release(struct testdriver *d);

#endif
