/* The progress line. */
#include "progress.h"

#include <stdio.h>
#include <unistd.h> /* isatty */

static double seconds_between(const struct timespec *a, const struct timespec *b) {
    return (double)(b->tv_sec - a->tv_sec) + (double)(b->tv_nsec - a->tv_nsec) / 1e9;
}

void progress_init(struct progress *p, bool quiet) {
    *p = (struct progress){.on = !quiet && isatty(STDERR_FILENO), .stage = ""};
    clock_gettime(CLOCK_MONOTONIC, &p->start);
}

/* "\r" and "erase to the end of the line": the line is always drawn over itself. */
static void draw(struct progress *p, size_t done, const struct timespec *now) {
    p->last = *now;
    p->drawn = true;
    fprintf(stderr, "\r\033[K%s", p->stage);
    if (p->total > 0)
        fprintf(stderr, " %zu/%zu", done, p->total);
    else if (done > 0)
        fprintf(stderr, " %zu", done);
    fprintf(stderr, "  %.1f s", seconds_between(&p->start, now));
    fflush(stderr);
}

void progress_stage(struct progress *p, const char *stage, size_t total) {
    p->stage = stage;
    p->total = total;
    if (!p->on) return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    draw(p, 0, &now);
}

void progress_step(struct progress *p, size_t done) {
    if (!p->on) return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (done == p->total || seconds_between(&p->last, &now) >= 0.1) draw(p, done, &now);
}

void progress_end(struct progress *p) {
    if (p->drawn) fputs("\r\033[K", stderr);
    p->drawn = false;
    fflush(stderr);
}
