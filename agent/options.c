#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { STRING, BOOL, SWITCH, INT, SIZE, MODE };

struct row {
    const char *key, *arg, *help;
    enum kind kind;
    size_t offset;
};

static const struct row rows[] = {
#define X(field, type, kind, dflt, arg, help)                                                                \
    {#field, arg, help, kind, offsetof(struct agent_options, field)},
    AGENT_OPTIONS(X)
#undef X
};

enum { N_ROWS = sizeof rows / sizeof rows[0] };

static const char *const mode_names[] = {"default", "full", "field", "method", "combined", "discover"};

const char *agent_mode_name(enum agent_mode mode) {
    return mode_names[mode];
}

static bool parse_bool(const char *s, bool *out) {
    bool yes = s[0] == '\0' || strcmp(s, "on") == 0 || strcmp(s, "true") == 0 || strcmp(s, "1") == 0;
    bool no = strcmp(s, "off") == 0 || strcmp(s, "false") == 0 || strcmp(s, "0") == 0;
    *out = yes;
    return yes || no;
}

static bool parse_switch(const char *s, int *out) {
    bool on;
    if (!parse_bool(s, &on)) return false;
    *out = on ? SWITCH_ON : SWITCH_OFF;
    return true;
}

static bool parse_size(const char *s, uint64_t *out) {
    char *end;
    unsigned long long n = strtoull(s, &end, 10);
    if (end == s || s[0] == '-') return false;
    unsigned shift = 0;
    switch (*end) {
    case 'k':
    case 'K': shift = 10; break;
    case 'm':
    case 'M': shift = 20; break;
    case 'g':
    case 'G': shift = 30; break;
    }
    if (shift != 0) end++;
    *out = (uint64_t)n << shift;
    return *end == '\0' && *out >> shift == n;
}

static bool parse_int(const char *s, int *out) {
    char *end;
    long n = strtol(s, &end, 10);
    *out = (int)n;
    return end != s && *end == '\0' && n >= 0 && n <= 255;
}

static bool parse_mode(const char *s, int *out) {
    for (int m = MODE_FULL; m <= MODE_DISCOVER; m++) {
        if (strcmp(s, mode_names[m]) != 0) continue;
        *out = m;
        return true;
    }
    return false;
}

static bool set(const struct row *row, const char *value, struct agent_options *o) {
    void *field = (char *)o + row->offset;
    switch (row->kind) {
    case BOOL: return parse_bool(value, field);
    case SWITCH: return parse_switch(value, field);
    case INT: return parse_int(value, field);
    case SIZE: return parse_size(value, field);
    case MODE: return parse_mode(value, field);
    case STRING: break;
    }
    if (value[0] == '\0') return false;
    free(*(char **)field);
    *(char **)field = strdup(value);
    return true;
}

static const struct row *find(const char *key) {
    for (int i = 0; i < N_ROWS; i++)
        if (strcmp(rows[i].key, key) == 0) return &rows[i];
    return NULL;
}

static bool parse_one(struct agent_options *o, char *item, struct race_error *err) {
    char *value = strchr(item, '=');
    if (value != NULL) *value++ = '\0';
    const struct row *row = find(item);
    if (row == NULL) return race_fail(err, "unknown agent option '%s' (help lists them)", item);
    if (value == NULL && row->kind != BOOL && row->kind != SWITCH)
        return race_fail(err, "agent option '%s' needs a value: %s=%s", item, item, row->arg);
    if (!set(row, value == NULL ? "" : value, o))
        return race_fail(err, "agent option '%s': bad value '%s' (%s)", item, value == NULL ? "" : value,
                         row->help);
    return true;
}

static void set_defaults(struct agent_options *o) {
#define X(field, type, kind, dflt, arg, help) o->field = (type)(uintptr_t)(dflt);
    AGENT_OPTIONS(X)
#undef X
    /* Strings are owned, so that release frees them all alike. */
    for (int i = 0; i < N_ROWS; i++) {
        char **field = (char **)((char *)o + rows[i].offset);
        if (rows[i].kind == STRING && *field != NULL) *field = strdup(*field);
    }
}

bool agent_options_parse(struct agent_options *o, const char *text, struct race_error *err) {
    set_defaults(o);
    err->exit_code = RACE_EXIT_USAGE;
    if (text == NULL || text[0] == '\0') return true;
    char *copy = strdup(text), *rest = copy;
    if (copy == NULL) return race_fail(err, "out of memory");
    bool ok = true;
    for (char *item; ok && (item = strsep(&rest, ",")) != NULL;)
        if (item[0] != '\0') ok = parse_one(o, item, err);
    free(copy);
    if (!ok) return false;
    bool needs_plan = o->mode == MODE_FIELD || o->mode == MODE_METHOD || o->mode == MODE_COMBINED;
    if (needs_plan && o->plan == NULL) return race_fail(err, "mode=%s needs plan=FILE", mode_names[o->mode]);
    if (o->mode == MODE_DEFAULT) o->mode = o->plan != NULL ? MODE_COMBINED : MODE_FULL;
    return true;
}

bool agent_patterns_match(const char *patterns, const char *name) {
    for (const char *p = patterns; *p != '\0';) {
        size_t n = strcspn(p, ";"), k = n;
        while (k > 0 && p[k - 1] == '*') k--;
        size_t i = 0;
        while (i < k && name[i] != '\0' && (name[i] == p[i] || (name[i] == '/' && p[i] == '.'))) i++;
        if (k > 0 && i == k) return true;
        p += n;
        if (*p == ';') p++;
    }
    return false;
}

bool agent_keeps_history(const struct agent_options *o) {
    return o->history == SWITCH_ON || (o->history == SWITCH_AUTO && o->plan != NULL);
}

void agent_options_release(struct agent_options *o) {
    for (int i = 0; i < N_ROWS; i++)
        if (rows[i].kind == STRING) free(*(char **)((char *)o + rows[i].offset));
    *o = (struct agent_options){0};
}

void agent_options_help(void) {
    puts("Options of librace.so: -agentpath:librace.so=key=value,key=value (lists separated by ';')");
    for (int i = 0; i < N_ROWS; i++) {
        char left[40];
        snprintf(left, sizeof left, "%s%s%s", rows[i].key, rows[i].arg[0] ? "=" : "", rows[i].arg);
        printf("  %-22s %s\n", left, rows[i].help);
    }
}
