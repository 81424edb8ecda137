/*
 * Which test of JUnit or TestNG is running, for the races found meanwhile.  One for the whole process: with
 * tests in parallel it is the one that started last.
 */
#ifndef RACE_AGENT_TESTS_H
#define RACE_AGENT_TESTS_H

#include <stddef.h>

/* `text` is how the framework prints the test: "m(pkg.C)" or JUnit 5's unique id; NULL: none is running. */
void tests_set(const char *text);
/* "pkg.C.m"; "" if no test is running. */
void tests_get(char *buf, size_t size);

#endif
