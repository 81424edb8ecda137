/*
 * The progress line of long work: stage, percentage, done/total, elapsed.  Drawn on stderr if that is a
 * terminal.  A thread of its own redraws it, so that the time moves also while one call runs for minutes.
 */
#ifndef RACE_TOOL_PROGRESS_H
#define RACE_TOOL_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h> /* size_t */
#include <time.h>

struct progress {
    bool on; /* there is a thread */
    struct timespec start;
    atomic_size_t done;
    pthread_t ticker;
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t wake;  /* the work ended */
    bool ended;
    const char *stage;
    size_t total; /* 0: unknown */
};

void progress_init(struct progress *p, bool quiet);
/* Starts a stage; `stage` must outlive it. */
void progress_stage(struct progress *p, const char *stage, size_t total);
/* Cheap enough to call for every class. */
void progress_step(struct progress *p, size_t done);
/* Wipes the line and ends the thread; call before printing anything else.  A second call does nothing. */
void progress_end(struct progress *p);

#endif
