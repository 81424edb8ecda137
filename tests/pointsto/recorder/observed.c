#include "observed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add_member(struct observed *o, char *line, bool is_field) {
    char *word[6] = {NULL}, *rest = NULL;
    unsigned n = 0;
    for (char *w = strtok_r(line, " \n", &rest); w != NULL && n < 6; w = strtok_r(NULL, " \n", &rest))
        word[n++] = w;
    if (n < 4) return false;
    struct obs_member m = {.cls = arena_strdup(&o->arena, word[1]),
                           .name = arena_strdup(&o->arena, word[2]),
                           .desc = arena_strdup(&o->arena, word[3])};
    for (unsigned i = 4; i < n; i++) {
        m.is_native |= strcmp(word[i], "native") == 0;
        m.is_hidden |= strcmp(word[i], "hidden") == 0;
    }
    if (is_field)
        vec_push(&o->fields, m);
    else
        vec_push(&o->methods, m);
    return strtoul(word[0], NULL, 10) == (is_field ? o->fields.n : o->methods.n) - 1;
}

static bool add_via(struct observed *o, char *line) {
    uint32_t numbers[64];
    unsigned n = 0;
    for (char *rest = NULL, *w = strtok_r(line, " \n", &rest); w != NULL && n < 64;
         w = strtok_r(NULL, " \n", &rest))
        numbers[n++] = (uint32_t)strtoul(w, NULL, 10);
    if (n == 0) return false;
    struct obs_via via = {.method = numbers[0], .n = n - 1};
    via.callers = ARENA_NEW_N(&o->arena, n, uint32_t);
    memcpy(via.callers, numbers + 1, (n - 1) * sizeof *numbers);
    vec_push(&o->vias, via);
    return true;
}

static bool add_line(struct observed *o, char *line) {
    struct obs_site s;
    struct obs_call c;
    struct obs_heap h;
    unsigned number;
    if (strncmp(line, "M ", 2) == 0 || strncmp(line, "F ", 2) == 0)
        return add_member(o, line + 2, line[0] == 'F');
    if (strncmp(line, "via ", 4) == 0) return add_via(o, line + 4);
    if (sscanf(line, "S %u %u %u", &number, &s.method, &s.bci) == 3) {
        vec_push(&o->sites, s);
        return number == o->sites.n - 1;
    }
    if (sscanf(line, "call %u %u", &c.site, &c.method) == 2) {
        vec_push(&o->calls, c);
        return true;
    }
    if (sscanf(line, "heap %u %u %u %u", &h.holder, &h.field, &h.value, &h.site) != 4) return false;
    vec_push(&o->heap, h);
    return true;
}

bool observed_load(struct observed *o, const char *path, struct race_error *err) {
    memset(o, 0, sizeof *o);
    arena_init(&o->arena);
    struct obs_member no_member = {0};
    struct obs_site no_site = {0};
    vec_push(&o->methods, no_member);
    vec_push(&o->fields, no_member);
    vec_push(&o->sites, no_site);
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t cap = 0, number = 0;
    bool ok = in != NULL;
    race_error_set_file(err, path);
    if (!ok) race_fail(err, "cannot be read");
    while (ok && getline(&line, &cap, in) > 0) {
        number++;
        ok = add_line(o, line) || race_fail(err, "line %zu is not one of the recorder's", number);
    }
    free(line);
    if (in != NULL) fclose(in);
    if (ok && o->calls.n == 0) ok = race_fail(err, "no call was recorded");
    return ok;
}

void observed_release(struct observed *o) {
    vec_release(&o->methods);
    vec_release(&o->fields);
    vec_release(&o->sites);
    vec_release(&o->calls);
    vec_release(&o->vias);
    vec_release(&o->heap);
    arena_release(&o->arena);
}
