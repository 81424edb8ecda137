/*
 * How long a plan takes to load: the median of some loads, in CPU time, with what is in it.
 *
 *   plan_load LIMIT_MS FILE.plan         exit code 1 if it takes longer
 */
#include "race/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *p, const void *q) {
    double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    enum { LOADS = 5 };
    double took[LOADS];
    if (argc != 3) return 64;
    for (int i = 0; i < LOADS; i++) {
        struct race_error err = {0};
        struct plan p;
        double before = now_ms();
        if (!plan_load(&p, argv[2], &err)) {
            fprintf(stderr, "plan_load: %s\n", err.what);
            return 1;
        }
        took[i] = now_ms() - before;
        if (i == LOADS - 1)
            printf("%u classes, %u methods, %u sites, %u pairs in %u lines", p.n_classes, p.n_methods,
                   p.n_sites, p.n_pairs, p.n_pair_lines);
        plan_release(&p);
    }
    qsort(took, LOADS, sizeof *took, by_size);
    printf(": loaded in %.1f ms\n", took[LOADS / 2]);
    return took[LOADS / 2] <= strtod(argv[1], NULL) ? 0 : 1;
}
