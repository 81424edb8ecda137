/*
 * Code in the JVM that is not the program's: test runners, coverage tools.  Their own races (a probe is one
 * by design: threads set it without order) would drown those of the program, so their accesses are not
 * checked unless `include` names them.  Their synchronisation is tracked like everybody's.
 */
#ifndef RACE_AGENT_BYSTANDERS_H
#define RACE_AGENT_BYSTANDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By internal name. */
bool bystander_class(const char *name);
/* Whether a coverage tool may have put probes into the class. */
bool bystander_probes(const uint8_t *bytes, size_t size);

#endif
