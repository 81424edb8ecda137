/*
 * What the agent tells: the result file (one JSON object per line, each line written at once) and the report
 * on stderr.  A race is described once, in struct race_found; both formats print from it.
 */
#ifndef RACE_AGENT_RESULTS_H
#define RACE_AGENT_RESULTS_H

#include "race/error.h"
#include "stacks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct found_lock {
    char class_name[200];
    char acquired[300]; /* a frame; "" if not known */
};

struct found_access {
    bool is_write;
    uint32_t site;
    char thread[80];
    uint64_t created[STACK_DEPTH], stack[STACK_DEPTH];
    size_t n_created, n_stack; /* n_stack 0: only the site is known */
    struct found_lock locks[8];
    size_t n_locks;
    bool locks_known; /* false: it was too long ago */
};

struct race_found {
    uint32_t number;
    const char *kind; /* as in the JSON report */
    char field[400];
    char value[300]; /* of the variable just before the later access; "" if not known */
    char test[400];  /* "pkg.Class.method" of the test that was running; "" if none */
    struct found_access now, earlier;
};

/* A method was called without a lock that the plan's proofs take for granted, or was not to be called at all;
 * see boundary.h. */
struct breach {
    const char *class_name, *method; /* internal name */
    const char *lock;                /* as the plan spells it; NULL: nothing called it in the analysis */
    const char *caller;              /* internal name of the class that called; not told without a lock */
    unsigned classes;                /* of the plan, that are checked in full from now on */
    uint64_t stack[STACK_DEPTH];
    size_t n_stack;
};

/* Creates the result file and writes its header. */
bool results_open(struct race_error *err);
/* Writes and prints it, unless it is suppressed: then false. */
bool results_race(const struct race_found *race);
/* A class differs from the plan and is checked in full. */
void results_stale(const char *class_name);
void results_breach(const struct breach *b);
uint64_t results_race_count(void);
/* Final counters; closes the file.  The second call does nothing. */
void results_close(void);

#endif
