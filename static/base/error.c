#include "race/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool fail_v(struct race_error *err, const char *fmt, va_list ap) {
    if (err == NULL || err->set) return false;
    err->set = true;
    if (err->exit_code == 0) err->exit_code = RACE_EXIT_INPUT;
    vsnprintf(err->what, sizeof err->what, fmt, ap);
    return false;
}

bool race_fail(struct race_error *err, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fail_v(err, fmt, ap);
    va_end(ap);
    return false;
}

bool race_fail_at(struct race_error *err, size_t offset, const char *fmt, ...) {
    va_list ap;
    if (err != NULL && !err->set) {
        err->has_offset = true;
        err->offset = offset;
    }
    va_start(ap, fmt);
    fail_v(err, fmt, ap);
    va_end(ap);
    return false;
}

void race_error_set_file(struct race_error *err, const char *file) {
    if (err == NULL || err->file[0] != '\0') return;
    /* Of a path that is too long the end says more than the beginning. */
    size_t n = strlen(file), room = sizeof err->file - 1;
    snprintf(err->file, sizeof err->file, "%s", n > room ? file + (n - room) : file);
}

size_t race_error_format(const struct race_error *err, char *buf, size_t size) {
    char offset[40] = "";
    if (err->has_offset) snprintf(offset, sizeof offset, "offset %zu: ", err->offset);
    int n = snprintf(buf, size, "race: %s%s%s%s", err->file, err->file[0] ? ": " : "", offset, err->what);
    if (n < 0) return 0;
    return (size_t)n < size ? (size_t)n : size - 1;
}
