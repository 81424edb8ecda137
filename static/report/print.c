/*
 * Which format, and where to: stdout or a file that is put in place by one rename.
 */
#include "print.h"

#include "names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *print_access_words(struct arena *a, const struct report_access *access) {
    return arena_printf(a, "%s in %s", access->is_write ? "write" : "read",
                        frame_text(a, access->cls, access->method, access->file, access->line));
}

bool report_print(const struct report *r, const struct report_print_options *o, FILE *out) {
    static bool (*const printers[REPORT_N_FORMATS])(const struct report *,
                                                    const struct report_print_options *, FILE *) = {
        [REPORT_TEXT] = print_text, [REPORT_JSON] = print_json,     [REPORT_SARIF] = print_sarif,
        [REPORT_HTML] = print_html, [REPORT_GITHUB] = print_github, [REPORT_JUNIT] = print_junit,
    };
    return printers[o->format](r, o, out) && fflush(out) == 0 && !ferror(out);
}

bool report_wants_colour(FILE *out) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    bool dumb = term != NULL && strcmp(term, "dumb") == 0;
    return (no == NULL || *no == '\0') && !dumb && isatty(fileno(out));
}

/* The disk is full or the folder is not there: the input was fine, so the exit code is not that of bad input.
 */
static bool io_failed(struct race_error *err, const char *path, const char *what) {
    race_fail(err, "cannot %s the report: %s", what, strerror(errno));
    if (err != NULL) err->exit_code = RACE_EXIT_OTHER;
    race_error_set_file(err, path);
    return false;
}

static bool print_to_temp(const struct report *r, const struct report_print_options *o, const char *path,
                          char *temp, struct race_error *err) {
    int fd = mkstemp(temp);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (out == NULL) {
        if (fd >= 0) close(fd);
        return io_failed(err, path, "write");
    }
    mode_t mask = umask(0);
    umask(mask);
    bool ok = fchmod(fd, 0666 & ~mask) == 0 && report_print(r, o, out);
    if (fclose(out) != 0) ok = false;
    if (ok && rename(temp, path) == 0) return true;
    io_failed(err, path, "write");
    unlink(temp);
    return false;
}

bool report_print_to(const struct report *r, const struct report_print_options *o, const char *path,
                     struct race_error *err) {
    if (path == NULL || strcmp(path, "-") == 0)
        return report_print(r, o, stdout) || io_failed(err, "stdout", "write");
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) { /* /dev/null, a pipe: a rename would replace it */
        FILE *out = fopen(path, "we");
        if (out == NULL) return io_failed(err, path, "write");
        bool ok = report_print(r, o, out);
        return (fclose(out) == 0 && ok) || io_failed(err, path, "write");
    }
    size_t n = strlen(path);
    char *temp = malloc(n + sizeof ".XXXXXX");
    if (temp == NULL) return race_fail(err, "out of memory");
    memcpy(temp, path, n);
    memcpy(temp + n, ".XXXXXX", sizeof ".XXXXXX");
    bool ok = print_to_temp(r, o, path, temp, err);
    free(temp);
    return ok;
}
