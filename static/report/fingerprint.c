/*
 * Fingerprints: the same race has the same one after lines moved, lambdas were renumbered or anonymous
 * classes were added before it.
 *
 * What goes in: the kind, the location, and for each access what it does and in which method; the two
 * accesses in a fixed order.  Numbers that compilers hand out ("Outer$1", "lambda$run$0", "access$100", the
 * hidden class suffix "/0x0000..." or ".0x0000...") are replaced by '#'.  A lambda's descriptor changes with
 * the variables it captures, so it stays out.  Lines, bytecode indices, threads and stacks stay out.  Races
 * of the same two methods on the same field share a fingerprint; telling them apart would need a position,
 * and positions move.
 */
#include "fingerprint.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* Copies with compiler-made numbers replaced; `to` has room for the whole text. */
static char *normalise(char *to, const char *s) {
    char before = '\0';
    while (*s != '\0') {
        if (strncmp(s, "/0x", 3) == 0 || strncmp(s, ".0x", 3) == 0) {
            s += 3;
            while (isxdigit((unsigned char)*s)) s++;
        } else if ((before == '$' || before == '.') && isdigit((unsigned char)*s)) {
            while (isdigit((unsigned char)*s)) s++;
            *to++ = before = '#';
        } else {
            *to++ = before = *s++;
        }
    }
    *to = '\0';
    return to;
}

static char *access_key(struct arena *arena, const struct report_access *a) {
    size_t room = strlen(a->cls) + strlen(a->method) + strlen(a->desc) + 16;
    char *key = arena_alloc(arena, room), *to = key;
    *to++ = a->is_write ? 'w' : 'r';
    *to++ = ' ';
    to = normalise(to, a->cls);
    *to++ = '.';
    to = normalise(to, a->method);
    if (strncmp(a->method, "lambda$", 7) != 0) normalise(to, a->desc);
    return key;
}

struct fingerprint_parts fingerprint_parts(struct arena *arena, const struct report_access *a,
                                           const char *location) {
    char *text = arena_alloc(arena, strlen(location) + 1);
    normalise(text, location);
    return (struct fingerprint_parts){access_key(arena, a), text};
}

const char *fingerprint_of(struct arena *arena, struct arena *scratch, enum plan_kind kind,
                           const struct fingerprint_parts *named, const struct fingerprint_parts *a,
                           const struct fingerprint_parts *b) {
    bool swap = strcmp(a->access, b->access) > 0;
    const char *all = arena_printf(scratch, "%s\n%s\n%s\n%s", plan_kind_names[kind], named->location,
                                   swap ? b->access : a->access, swap ? a->access : b->access);
    return arena_printf(arena, "v1:%016" PRIx64, plan_digest(all, strlen(all)));
}

const char *report_fingerprint(struct arena *arena, const struct report_race *race) {
    struct fingerprint_parts parts[2];
    for (int i = 0; i < 2; i++) parts[i] = fingerprint_parts(arena, &race->accesses[i], race->field);
    return fingerprint_of(arena, arena, race->kind, &parts[0], &parts[0], &parts[1]);
}
