/* The progress line of long work: stage, done/total, elapsed.  Drawn on stderr if that is a terminal. */
#ifndef RACE_TOOL_PROGRESS_H
#define RACE_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h> /* size_t */
#include <time.h>

struct progress {
    bool on;
    bool drawn; /* a line stands on the screen */
    const char *stage;
    size_t total; /* 0: unknown */
    struct timespec start, last;
};

void progress_init(struct progress *p, bool quiet);
/* Starts a stage; `stage` must outlive it. */
void progress_stage(struct progress *p, const char *stage, size_t total);
/* Cheap enough to call for every class; redraws at most ten times a second. */
void progress_step(struct progress *p, size_t done);
/* Wipes the line; call before printing anything else. */
void progress_end(struct progress *p);

#endif
