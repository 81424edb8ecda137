#include "reporting.h"

#include "race/classpath.h"
#include "race/suppress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h> /* access */

/* Position of a word in a list of names; the option table has already refused all others. */
static int choice(const char *word, const char *const *names, int n) {
    for (int i = 0; word != NULL && i < n; i++)
        if (strcmp(word, names[i]) == 0) return i;
    return 0;
}

static uint8_t *read_class(void *ctx, const char *name, size_t *size) {
    const struct classpath_class *c = classpath_find(ctx, name);
    struct classpath_bytes bytes = {0};
    struct race_error err = {0};
    if (c == NULL || !classpath_read(ctx, c, &bytes, &err)) return NULL; /* then it has no annotation */
    free(bytes.origin);
    *size = bytes.size;
    return bytes.data;
}

/* With the program's class files at hand, but not the JDK's: those have no annotation of the user. */
static bool hide_annotated(struct report *r, struct suppressions *list, const char *path,
                           struct race_error *err) {
    struct classpath_options where = {.path = path, .no_jdk = true};
    if (path == NULL) {
        err->exit_code = RACE_EXIT_USAGE;
        return race_fail(err, "a suppression by annotation needs the class files: give -cp PATH");
    }
    struct classpath *cp = classpath_open(&where, err);
    if (cp == NULL) return false;
    struct suppress_classes classes = {.read = read_class, .ctx = cp};
    report_hide_suppressed(r, list, &classes);
    classpath_free(cp);
    return true;
}

static bool hide_suppressed(struct report *r, const struct reporting *o, struct race_error *err) {
    struct suppressions list;
    suppressions_init(&list);
    bool ok = true;
    for (size_t i = 0; ok && i < o->suppress.n; i++) ok = suppressions_load(&list, o->suppress.v[i], err);
    if (ok && suppressions_by_annotation(&list))
        ok = hide_annotated(r, &list, o->class_path, err);
    else if (ok)
        report_hide_suppressed(r, &list, NULL);
    suppressions_release(&list);
    return ok;
}

/* What the options leave out, and the order of the rest. */
static bool arrange(struct report *r, const struct reporting *o, struct race_error *err) {
    if (!hide_suppressed(r, o, err) || !report_hide_idioms(r, o->benign_off, err)) return false;
    if (o->baseline != NULL && !report_hide_baseline(r, o->baseline, err)) return false;
    report_finish(r);
    return true;
}

static bool readable(const char *path, const char *what, struct race_error *err) {
    if (access(path, R_OK) == 0) return true;
    race_error_set_file(err, path);
    return race_fail(err, "cannot open the %s: %s", what, strerror(errno));
}

bool reporting_inputs(const struct reporting *o, struct race_error *err) {
    bool ok = o->baseline == NULL || readable(o->baseline, "baseline", err);
    for (size_t i = 0; ok && i < o->suppress.n; i++) ok = readable(o->suppress.v[i], "suppressions", err);
    for (size_t i = 0; ok && i < o->sources.n; i++) ok = readable(o->sources.v[i], "sources", err);
    return ok;
}

int reporting_finish(struct report *r, const struct reporting *o, struct progress *progress) {
    struct race_error err = {0};
    enum report_fail_on fail_on = (enum report_fail_on)choice(o->fail_on, report_fail_on_names, 4);
    bool to_stdout = o->output == NULL || strcmp(o->output, "-") == 0;
    struct report_print_options print = {
        .format = (enum report_format)choice(o->format, report_format_names, REPORT_N_FORMATS),
        .fail_on = fail_on,
        .sources = o->sources.v,
        .n_sources = o->sources.n,
        .colour = to_stdout && report_wants_colour(stdout),
        .all = o->all};
    progress_stage(progress, "writing the report", 0);
    bool ok = arrange(r, o, &err);
    if (!ok || to_stdout) progress_end(progress); /* the report may go to the same terminal */
    if (ok) ok = report_print_to(r, &print, o->output, &err);
    progress_end(progress);
    if (!ok) return tool_fail(&err);
    return report_fails(r, fail_on) ? RACE_EXIT_RACES : RACE_EXIT_OK;
}
