/*
 * libFuzzer target over the reader of result files: the input is one, and is joined with a plan of two pairs.
 *
 * Whatever the lines are, nothing may crash, leak or hang, and a refusal has its reason in one line.  What is
 * accepted can be printed in every format, with the plan and without.
 */
#include "report_fuzz.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char plan_lines[] = "race-plan\t3\n"
                                 "class\t0000000000000007\tp/Outer$Inner\tOuter.java\tunsafe\n"
                                 "field\tcount\tI\n"
                                 "method\ta b\t(I)V\tuntyped\n"
                                 "site\t4\t12\tw\tinstance\tp/Outer$Inner\tcount\n"
                                 "site\t9\t13\tr\tinstance\tp/Outer$Inner\tcount\n"
                                 "side\t1\t0\t0\n"
                                 "side\t2\t0\t0\n"
                                 "pair\t1\t2\t0\n"
                                 "pair\t1\t1\t0\n";

/* Reads the file behind the descriptor and, if it is accepted, prints it. */
static void read_and_print(const char *path, const struct plan *plan) {
    struct report r;
    struct race_error err = {0};
    report_init(&r);
    if (report_read_results(&r, path, &err) && report_join(&r, plan, &err)) {
        check_report(&r);
    } else {
        check_refusal(&err);
    }
    report_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct plan plan;
    if (plan.text == NULL) {
        struct race_error err = {0};
        size_t n;
        char *text = plan_with_end(plan_lines, sizeof plan_lines - 1, &n);
        if (!plan_parse(&plan, "x.plan", text, n, &err)) broken("the plan is good", err.what);
        free(text);
    }
    int fd = memfd_create("result", 0);
    char path[64];
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_and_print(path, &plan);
    read_and_print(path, NULL);
    close(fd);
    return 0;
}
