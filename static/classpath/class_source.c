/* The class path as a class_source. */
#include "race/class_source.h"

#include "race/classpath.h"

#include <stdlib.h>

static bool source_find(void *ctx, const char *name, struct class_bytes *out, struct race_error *err) {
    const struct classpath_class *c = classpath_find(ctx, name);
    if (c == NULL) return false;
    struct classpath_bytes *bytes = malloc(sizeof *bytes);
    if (bytes == NULL) return race_fail(err, "out of memory");
    if (!classpath_read(ctx, c, bytes, err)) {
        free(bytes);
        return false;
    }
    *out = (struct class_bytes){.data = bytes->data,
                                .size = bytes->size,
                                .origin = bytes->origin,
                                .from_jdk = c->part == CLASSPATH_JDK,
                                .owner = bytes};
    return true;
}

static void source_drop(void *ctx, struct class_bytes *out) {
    (void)ctx;
    struct classpath_bytes *bytes = out->owner;
    if (bytes != NULL) classpath_bytes_release(bytes);
    free(bytes);
    *out = (struct class_bytes){0};
}

static bool source_each(void *ctx, bool (*visit)(void *arg, const char *name), void *arg,
                        struct race_error *err) {
    static const enum classpath_part parts[] = {CLASSPATH_APP, CLASSPATH_JDK};
    (void)err; /* all names are known since the class path was opened */
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (size_t i = 0; i < classpath_class_count(ctx, parts[k]); i++)
            if (!visit(arg, classpath_class_at(ctx, parts[k], i)->name)) return true;
    return true;
}

struct class_source classpath_source(const struct classpath *cp) {
    /* The functions above only read it; the interface has no const for sources that do not. */
    return (struct class_source){
        .ctx = (void *)cp, .find = source_find, .drop = source_drop, .each = source_each};
}
