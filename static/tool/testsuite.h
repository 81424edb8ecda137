/*
 * A test suite as a program: which classes of the class path have tests, and in which order a test framework
 * runs their methods.  JUnit 3 is known by its superclass, JUnit 4, JUnit 5 and TestNG by the simple names of
 * their annotations.
 */
#ifndef RACE_TOOL_TESTSUITE_H
#define RACE_TOOL_TESTSUITE_H

#include "race/program.h"
#include "race/vec.h" /* VEC */

#include <stdbool.h>

enum test_role {
    TEST_SOURCE,     /* makes arguments for tests */
    TEST_BEFORE_ALL, /* once before the tests of a class */
    TEST_BEFORE,     /* before each test */
    TEST_TEST,
    TEST_AFTER,
    TEST_AFTER_ALL,
    TEST_NONE
};

struct test_method {
    method_id method;
    enum test_role role;
    bool repeated; /* may run many times: with arguments, repetitions, or by a factory */
};

struct test_class {
    class_id cls;
    VEC(struct test_method) methods; /* superclasses first */
    bool keeps_instance; /* all tests run on one object (TestNG, @TestInstance); else on one each */
};

/* The fixtures and tests of a class with what it inherits; false if it has none.  Free with
 * test_class_release(). */
bool test_class_init(struct test_class *t, struct program *p, class_id cls);
void test_class_release(struct test_class *t);
/* Whether a framework could run it: it can be made, and has a test. */
bool test_class_runs(const struct test_class *t, struct program *p);

#endif
