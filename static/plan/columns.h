/*
 * Columns of a plan line: cutting, escapes and numbers.  What the reader, the writer and the look-up of
 * details share.
 */
#ifndef RACE_PLAN_COLUMNS_H
#define RACE_PLAN_COLUMNS_H

#include <stdbool.h>
#include <stddef.h> /* size_t */
#include <stdint.h>

/* Whether a byte stands as \xx in a column. */
static inline bool column_escapes(unsigned char c) {
    return c < 0x20 || c == 0x7f || c == '\\';
}

/* Undoes the escapes of a NUL-terminated column in place; false if one is malformed. */
bool column_unescape(char *s);

/* Cuts the NUL-terminated line at its tabs; returns the number of columns, at most max + 1 (meaning: more).
 */
size_t columns_cut(char *line, char **columns, size_t max);

/* Strict numbers: nothing but digits of the base (and one '-' for signed ones), no overflow. */
bool column_u64(const char *s, int base, uint64_t *out);
bool column_u32(const char *s, uint32_t *out);
bool column_i32(const char *s, int32_t *out);
/* "7" or "7-9"; of a single number the last is the first. */
bool column_range(char *s, uint32_t *first, uint32_t *last);

#endif
