/* The progress line. */
#include "progress.h"

#include <stdio.h>
#include <unistd.h> /* isatty */

/* "\r" and "erase to the end of the line": the line is always drawn over itself.  Holds the lock. */
static void draw(struct progress *p) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)(now.tv_sec - p->start.tv_sec) + (double)(now.tv_nsec - p->start.tv_nsec) / 1e9;
    size_t done = atomic_load_explicit(&p->done, memory_order_relaxed);
    fprintf(stderr, "\r\033[K%s", p->stage);
    if (p->total > 0)
        fprintf(stderr, " %zu%% (%zu of %zu)", done * 100 / p->total, done, p->total);
    else if (done > 0)
        fprintf(stderr, " %zu", done);
    fprintf(stderr, "  %.1f s", seconds);
    fflush(stderr);
}

static void *tick(void *arg) {
    struct progress *p = arg;
    pthread_mutex_lock(&p->lock);
    while (!p->ended) {
        struct timespec until;
        if (p->stage != NULL) draw(p);
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += 100000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&p->wake, &p->lock, &until);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void progress_init(struct progress *p, bool quiet) {
    *p = (struct progress){0};
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    if (quiet || !isatty(STDERR_FILENO)) return;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    p->on = pthread_create(&p->ticker, NULL, tick, p) == 0; /* without one there is just no line */
}

void progress_stage(struct progress *p, const char *stage, size_t total) {
    if (!p->on) return;
    pthread_mutex_lock(&p->lock);
    p->stage = stage;
    p->total = total;
    atomic_store_explicit(&p->done, 0, memory_order_relaxed);
    draw(p);
    pthread_mutex_unlock(&p->lock);
}

void progress_step(struct progress *p, size_t done) {
    atomic_store_explicit(&p->done, done, memory_order_relaxed);
}

void progress_end(struct progress *p) {
    if (!p->on) return;
    pthread_mutex_lock(&p->lock);
    p->ended = true;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->ticker, NULL);
    p->on = false;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}
