/*
 * Races that the user has accepted (option `suppress`): counted, but neither printed nor written.
 */
#ifndef RACE_AGENT_SUPPRESSED_H
#define RACE_AGENT_SUPPRESSED_H

#include "race/error.h"
#include "results.h" /* struct race_found */

#include <stdbool.h>
#include <stdint.h>

/* Reads the file; NULL means none. */
bool suppressed_open(const char *path, struct race_error *err);
/* Whether an entry matches the race; counts it if so.  Any thread. */
bool suppressed_race(const struct race_found *race);
uint64_t suppressed_count(void);
/* How many entries matched nothing; with `say` each is named on stderr. */
uint64_t suppressed_unused(bool say);

#endif
