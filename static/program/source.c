/* A class path as a source of classes. */
#include "race/class_source.h"
#include "race/classpath.h"

#include <stdlib.h>

static bool find(void *ctx, const char *name, struct class_bytes *out, struct race_error *err) {
    const struct classpath *cp = ctx;
    const struct classpath_class *cls = classpath_find(cp, name);
    if (cls == NULL) return false;
    struct classpath_bytes *bytes = calloc(1, sizeof *bytes);
    if (bytes == NULL) abort();
    if (!classpath_read(cp, cls, bytes, err)) {
        free(bytes);
        return false;
    }
    *out = (struct class_bytes){.data = bytes->data,
                                .size = bytes->size,
                                .origin = bytes->origin,
                                .from_jdk = cls->part != CLASSPATH_APP,
                                .owner = bytes};
    return true;
}

static void drop(void *ctx, struct class_bytes *bytes) {
    (void)ctx;
    classpath_bytes_release(bytes->owner);
    free(bytes->owner);
}

static bool each(void *ctx, bool (*visit)(void *arg, const char *name), void *arg, struct race_error *err) {
    (void)err;
    const struct classpath *cp = ctx;
    for (enum classpath_part part = CLASSPATH_APP; part <= CLASSPATH_JDK; part++) {
        size_t n = classpath_class_count(cp, part);
        for (size_t i = 0; i < n; i++)
            if (!visit(arg, classpath_class_at(cp, part, i)->name)) return true;
    }
    return true;
}

struct class_source classpath_source(const struct classpath *cp) {
    /* Every function above takes the class path as const again. */
    return (struct class_source){.ctx = (void *)(uintptr_t)cp, .find = find, .drop = drop, .each = each};
}
