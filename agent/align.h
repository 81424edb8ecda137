/*
 * A class that another agent has changed before this one sees it (coverage, tracing, mocking), laid beside
 * the class as it was compiled: which of its instructions are the original's.
 *
 * The simple model: the changed code is the original code with instructions inserted.  Jumps are left out of
 * the comparison, since tools turn them around to insert code behind one of their ways, and local variables
 * behind the parameters may all have moved up.  If the original's instructions are found in the changed code,
 * in order, and those that access memory in one way only, the two are aligned; else the class is not.  Tests:
 * tests/unit/align_test.c, and tests/buildtools with the real JaCoCo.
 */
#ifndef RACE_AGENT_ALIGN_H
#define RACE_AGENT_ALIGN_H

#include "race/classfile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALIGN_NONE UINT32_MAX /* an instruction that the original does not have */

struct align_method {
    struct cf_str name, desc; /* in the bytes of the changed class */
    uint32_t *original;       /* by bytecode index of the changed code; NULL: the method is new */
    uint32_t length;
};

struct align {
    struct align_method *methods; /* of the changed class, those with code */
    size_t n;
};

/* False if the classes do not fit, or there is no memory; nothing is left to release then.  `changed` must
 * outlive the alignment. */
bool align_init(struct align *a, const uint8_t *original, size_t original_size, const uint8_t *changed,
                size_t changed_size);
void align_release(struct align *a);

/* The bytecode index in the original of an instruction of the changed class. */
uint32_t align_original(const struct align *a, struct cf_str method, struct cf_str desc, uint32_t bci);

#endif
