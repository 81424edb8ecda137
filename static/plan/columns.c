/*
 * Everything about a single column.  Strict on purpose: a plan decides what is not checked at run time, so a
 * reader that guesses at a damaged number would lose races without a word.
 */
#include "columns.h"

#include <string.h>

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

bool column_unescape(char *s) {
    char *from = strchr(s, '\\');
    if (from == NULL) return true;
    char *to = from;
    while (*from != '\0') {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        int hi = digit_of(from[1]);
        int lo = hi < 0 ? -1 : digit_of(from[2]);
        /* \00 would end the string early, and no name has it. */
        if (lo < 0 || hi * 16 + lo == 0) return false;
        *to++ = (char)(hi * 16 + lo);
        from += 3;
    }
    *to = '\0';
    return true;
}

size_t columns_cut(char *line, char **columns, size_t max) {
    size_t n = 0;
    while (true) {
        if (n == max) return max + 1;
        columns[n++] = line;
        line = strchr(line, '\t');
        if (line == NULL) return n;
        *line++ = '\0';
    }
}

bool column_u64(const char *s, int base, uint64_t *out) {
    uint64_t value = 0;
    if (*s == '\0') return false;
    for (; *s != '\0'; s++) {
        int d = digit_of(*s);
        if (d < 0 || d >= base || value > (UINT64_MAX - (uint64_t)d) / (uint64_t)base) return false;
        value = value * (uint64_t)base + (uint64_t)d;
    }
    *out = value;
    return true;
}

bool column_u32(const char *s, uint32_t *out) {
    uint64_t value;
    if (!column_u64(s, 10, &value) || value > UINT32_MAX) return false;
    *out = (uint32_t)value;
    return true;
}

bool column_i32(const char *s, int32_t *out) {
    bool negative = *s == '-';
    uint32_t value;
    if (!column_u32(s + negative, &value) || value > INT32_MAX) return false;
    *out = negative ? -(int32_t)value : (int32_t)value;
    return true;
}

bool column_range(char *s, uint32_t *first, uint32_t *last) {
    char *dash = strchr(s, '-');
    if (dash == NULL) return column_u32(s, first) && column_u32(s, last);
    *dash = '\0';
    return column_u32(s, first) && column_u32(dash + 1, last);
}
