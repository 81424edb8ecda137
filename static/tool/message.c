/* What the tool says on stderr: one line per message, and suggestions for mistyped words. */
#include "command.h"

#include <stdarg.h>
#include <stdint.h> /* SIZE_MAX */
#include <stdlib.h>
#include <string.h>

/* File and class names come from outside; a line break in one must not make two lines of a message. */
static void print_line(const char *prefix, const char *text, const char *suffix) {
    char clean[1024];
    size_t n = 0;
    for (const char *p = text; *p != '\0' && n + 1 < sizeof clean; p++)
        clean[n++] = (unsigned char)*p < 0x20 || *p == 0x7f ? '?' : *p;
    clean[n] = '\0';
    fprintf(stderr, "%s%s%s\n", prefix, clean, suffix);
}

int tool_fail(const struct race_error *err) {
    char line[768];
    fflush(stdout);
    race_error_format(err, line, sizeof line);
    print_line("", line, "");
    return err->exit_code != 0 ? err->exit_code : RACE_EXIT_OTHER;
}

int tool_usage(const struct command *command, const char *fmt, ...) {
    char text[512], hint[96];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    const char *name = command != NULL ? command->name : NULL;
    snprintf(hint, sizeof hint, "; see `race help%s%s`", name != NULL ? " " : "", name != NULL ? name : "");
    /* A suggestion already says what to do. */
    bool has_hint = strstr(text, "did you mean") != NULL;
    char prefix[64];
    snprintf(prefix, sizeof prefix, "race: %s%s", name != NULL ? name : "", name != NULL ? ": " : "");
    print_line(prefix, text, has_hint ? "" : hint);
    return RACE_EXIT_USAGE;
}

int tool_unavailable(const struct invocation *inv) {
    fprintf(stderr, "race: %s: not available in this build\n", inv->command->name);
    return RACE_EXIT_OTHER;
}

void tool_note(const char *fmt, ...) {
    char text[768];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    print_line("race: note: ", text, "");
}

/* Edit distance with a swap of neighbours as one step ("--foramt"), rows kept for the last two letters. */
static size_t distance(const char *a, const char *b) {
    enum { MAX = 32 };
    size_t n = strlen(a), m = strlen(b);
    size_t d[MAX + 1][MAX + 1];
    if (n > MAX || m > MAX) return SIZE_MAX;
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && d[i - 2][j - 2] + 1 < best) best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

/* A third of the letters may be wrong, but never more than three: beyond that it is another word. */
const char *tool_nearest(const char *word, const char *const *candidates, size_t n) {
    const char *best = NULL;
    size_t best_distance = strlen(word) / 3 + 1;
    if (best_distance > 3) best_distance = 3;
    for (size_t i = 0; i < n; i++) {
        size_t d = distance(word, candidates[i]);
        if (d < best_distance || (d == best_distance && best == NULL)) {
            best = candidates[i];
            best_distance = d;
        }
    }
    return best;
}
