#include "report_fuzz.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void broken(const char *promise, const char *what) {
    fprintf(stderr, "broken promise: %s (%s)\n", promise, what);
    abort();
}

void check_refusal(const struct race_error *err) {
    char message[1024];
    if (!err->set || err->what[0] == '\0') broken("a refused file has a reason", "none");
    race_error_format(err, message, sizeof message);
    if (getenv("RACE_FUZZ_ACCEPT") != NULL) broken("a seed is accepted", message);
    if (strchr(message, '\n') != NULL) broken("an error is one line", message);
}

char *plan_with_end(const char *lines, size_t n, size_t *size) {
    size_t count = 0;
    char *text = malloc(n + 64);
    if (text == NULL) abort();
    memcpy(text, lines, n);
    for (size_t i = 0; i < n; i++) count += lines[i] == '\n';
    *size = n + (size_t)snprintf(text + n, 64, "end\t%zu\t%016" PRIx64 "\n", count, plan_digest(lines, n));
    return text;
}

static void check_format(const struct report *r, enum report_format format) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) abort();
    struct report_print_options o = {.format = format, .all = true};
    if (!report_print(r, &o, out)) broken("a report can be printed", report_format_names[format]);
    fclose(out);
    if (format == REPORT_JSON || format == REPORT_SARIF) {
        json_error_t why;
        json_t *j = json_loadb(text, size, 0, &why);
        if (j == NULL) broken("what is printed as JSON is JSON", why.text);
        json_decref(j);
    }
    free(text);
}

void check_report(struct report *r) {
    report_finish(r);
    for (int f = 0; f < REPORT_N_FORMATS; f++) check_format(r, (enum report_format)f);
}
