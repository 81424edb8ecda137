/* Puts calls of RaceRecorder into a class: at method entries, calls, allocations and stores of references. */
#ifndef RACE_TESTS_RECORDER_INSTRUMENT_H
#define RACE_TESTS_RECORDER_INSTRUMENT_H

#include "race/classedit.h" /* struct cfe_buf */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDER_CLASS "java/lang/RaceRecorder"

/*
 * What passes calls on without being part of the program: method handles, proxies, generated accessors, and
 * how strings are concatenated.  It is not rewritten; the recorder looks through its frames.
 */
bool instrument_skips_class(const char *cls);
bool instrument_skips_method(const char *cls, const char *name, const char *desc);

/* False if the class could not be rewritten; `out` is then void. */
bool instrument_class(const uint8_t *bytes, size_t size, struct cfe_buf *out);

#endif
