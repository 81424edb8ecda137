/*
 * The race lines that were written, so that at exit each whose count has grown can be written again.
 */
#ifndef RACE_AGENT_TALLY_H
#define RACE_AGENT_TALLY_H

#include "json.h"

#include <stdbool.h>
#include <stdint.h>

struct checker;

/* Which race a line is about: the sites and kinds of its two accesses, the later one first. */
struct tally_key {
    uint32_t now_site, earlier_site;
    bool now_write, earlier_write;
};

/* Keeps a copy of a line; `count_at` is where in it the digits "1" of the count stand.  Any thread. */
void tally_keep(const struct tally_key *key, const struct json *line, size_t count_at);

/* Calls `emit` with the line, complete but for its newline, of every race that happened more than once. */
void tally_each_grown(struct checker *ck, void (*emit)(struct json *line));

#endif
