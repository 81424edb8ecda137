/*
 * One error, described well enough to be printed as the product's only error line:
 *
 *     race: FILE: offset N: what is wrong
 *
 * Functions that can fail take a `struct race_error *` and return false (or NULL).  The first failure wins:
 * an error that is already set is not overwritten, so cleanup code may fail without hiding the cause.
 */
#ifndef RACE_ERROR_H
#define RACE_ERROR_H

#include <stdbool.h>
#include <stddef.h> /* size_t */

enum {
    RACE_EXIT_OK = 0,
    RACE_EXIT_OTHER = 1,
    RACE_EXIT_USAGE = 64,
    RACE_EXIT_INPUT = 65,
    RACE_EXIT_RACES = 66
};

struct race_error {
    bool set;
    int exit_code;   /* one of RACE_EXIT_*; RACE_EXIT_INPUT unless the reporter says otherwise */
    char file[256];  /* what is being read; may be empty, tail kept if too long */
    bool has_offset; /* whether `offset` means something */
    size_t offset;   /* byte offset in the file */
    char what[256];
};

/* Sets `what` (printf style) and returns false, so that `return race_fail(...)` reads well. */
bool race_fail(struct race_error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same with the byte offset at which reading went wrong. */
bool race_fail_at(struct race_error *err, size_t offset, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Names the file of an error that has none yet. */
void race_error_set_file(struct race_error *err, const char *file);

/* Writes "race: FILE: offset N: what" without a newline, truncated to `size`; returns its length. */
size_t race_error_format(const struct race_error *err, char *buf, size_t size);

#endif
