/* The whole-program stages of `race dump`: call graph, points-to, heap, threads. */
#ifndef RACE_TOOL_DUMP_POINTSTO_H
#define RACE_TOOL_DUMP_POINTSTO_H

#include "command.h" /* struct strings */
#include "testdriver.h"

#include "race/classpath.h"
#include "race/program.h"

#include <stdbool.h>

#define DUMP_POINTSTO_STAGES "callgraph, pointsto, heap, threads, gaps or stats"

struct dump_pointsto_settings {
    const char *main, *k; /* NULL: none; the default */
    struct strings entries, open, sites;
    bool exact_k, all;
    struct testdriver *driver; /* which the program's source knows */
};

bool dump_pointsto_has(const char *stage);
bool dump_pointsto(struct program *p, const struct classpath *cp, const char *stage,
                   const struct dump_pointsto_settings *settings, struct race_error *err);

#endif
