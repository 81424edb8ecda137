/*
 * Suppression files: reading and matching.  No jansson and no exit() in here, since the agent links it as
 * well; running out of memory is an error like any other.
 */
#include "race/suppress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void suppressions_init(struct suppressions *s) {
    *s = (struct suppressions){0};
}

void suppressions_release(struct suppressions *s) {
    for (size_t i = 0; i < s->n; i++) {
        free(s->v[i].pattern);
        free(s->v[i].reason);
        free(s->v[i].where);
    }
    free(s->v);
    *s = (struct suppressions){0};
}

static bool append(struct suppressions *s, struct suppression entry) {
    if (s->n == s->cap) {
        size_t cap = s->cap < 8 ? 8 : s->cap * 2;
        struct suppression *v = realloc(s->v, cap * sizeof *v);
        if (v == NULL) return false;
        s->v = v;
        s->cap = cap;
    }
    s->v[s->n++] = entry;
    return true;
}

/* Adds "race:pattern" with the comment lines above it. */
static bool add_entry(struct suppressions *s, const char *pattern, const char *reason, const char *name,
                      size_t line, struct race_error *err) {
    size_t room = strlen(name) + 32;
    struct suppression e = {
        .pattern = strdup(pattern), .reason = *reason != '\0' ? strdup(reason) : NULL, .where = malloc(room)};
    bool ok = e.pattern != NULL && e.where != NULL && (*reason == '\0' || e.reason != NULL);
    if (ok) snprintf(e.where, room, "%s:%zu", name, line);
    if (ok && append(s, e)) return true;
    free(e.pattern);
    free(e.reason);
    free(e.where);
    return race_fail(err, "out of memory");
}

/* Cuts blanks off both ends, in place. */
static char *trim(char *s) {
    s += strspn(s, " \t\r");
    size_t n = strlen(s);
    while (n > 0 && strchr(" \t\r", s[n - 1]) != NULL) s[--n] = '\0';
    return s;
}

static void add_reason(char *reason, size_t size, const char *comment) {
    size_t n = strlen(reason);
    snprintf(reason + n, size - n, "%s%s", n > 0 ? " " : "", comment);
}

static bool parse_lines(struct suppressions *s, const char *name, char *text, struct race_error *err) {
    char reason[512] = "";
    size_t number = 0;
    bool after_entry = false; /* the next comment starts a new reason */
    for (char *line = text, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        number++;
        line = trim(line);
        if (*line == '\0') { /* an empty line parts a comment from what follows */
            reason[0] = '\0';
        } else if (*line == '#') {
            if (after_entry) reason[0] = '\0';
            after_entry = false;
            add_reason(reason, sizeof reason, trim(line + 1));
        } else if (strncmp(line, "race:", 5) != 0) {
            return race_fail(err, "line %zu: expected race:PATTERN or a comment with #", number);
        } else if (*trim(line + 5) == '\0' || strcmp(trim(line + 5), "@") == 0) {
            return race_fail(err, "line %zu: the pattern is empty", number);
        } else {
            if (!add_entry(s, trim(line + 5), reason, name, number, err)) return false;
            after_entry = true;
        }
    }
    return true;
}

bool suppressions_parse(struct suppressions *s, const char *name, const char *text, struct race_error *err) {
    char *copy = strdup(text);
    bool ok = copy != NULL ? parse_lines(s, name, copy, err) : race_fail(err, "out of memory");
    free(copy);
    if (!ok) race_error_set_file(err, name);
    return ok;
}

static char *read_text(const char *path, struct race_error *err) {
    FILE *f = fopen(path, "re");
    size_t n = 0, cap = 0;
    char *text = NULL;
    bool ok = f != NULL || race_fail(err, "cannot open the suppressions: %s", strerror(errno));
    while (ok) {
        if (cap - n < 4096) {
            cap = cap * 2 + 8192;
            char *bigger = realloc(text, cap);
            if (bigger == NULL) ok = race_fail(err, "out of memory");
            if (bigger != NULL) text = bigger;
            if (!ok) break;
        }
        size_t got = fread(text + n, 1, cap - n - 1, f);
        n += got;
        if (got == 0) break;
    }
    if (ok && ferror(f)) ok = race_fail(err, "cannot read the suppressions: %s", strerror(errno));
    if (f != NULL) fclose(f);
    if (ok) {
        text[n] = '\0';
        return text;
    }
    free(text);
    race_error_set_file(err, path);
    return NULL;
}

bool suppressions_load(struct suppressions *s, const char *path, struct race_error *err) {
    char *text = read_text(path, err);
    bool ok = text != NULL && suppressions_parse(s, path, text, err);
    free(text);
    return ok;
}

/* A '.' of the pattern also stands for a '$', so that nested classes can be written as in the source. */
static bool same(char pattern, char c) {
    return pattern == c || (pattern == '.' && c == '$');
}

/* Glob with '*' only; greedy with one step back, so linear in practice. */
static bool glob(const char *pattern, const char *s, size_t n) {
    const char *star = NULL, *end = s + n, *retry = s;
    while (s < end) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = s;
        } else if (*pattern != '\0' && same(*pattern, *s)) {
            pattern++;
            s++;
        } else if (star != NULL) {
            pattern = star;
            s = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

static struct suppression *match(const struct suppressions *s, const char *name, size_t n) {
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i].pattern[0] != '@' && glob(s->v[i].pattern, name, n)) return &s->v[i];
    return NULL;
}

struct suppression *suppressions_match(const struct suppressions *s, const char *name) {
    return match(s, name, strlen(name));
}

struct suppression *suppressions_match_frame(const struct suppressions *s, const char *frame) {
    size_t n = strlen(frame), method = strcspn(frame, "("), cls = method;
    while (cls > 0 && frame[cls - 1] != '.') cls--;
    struct suppression *found = match(s, frame, method);
    if (found == NULL && cls > 0) found = match(s, frame, cls - 1);
    return found != NULL ? found : match(s, frame, n);
}
