/* Which elements of the path the classes of one refer to. */
#include "race/classfile.h"
#include "source.h"

#include <string.h>

static void mark_references(const struct classpath *cp, const struct cf_class *cls, bool *used) {
    for (uint16_t i = 1; i < cls->n_pool; i++) {
        if (cls->pool[i].tag != CF_CLASS) continue;
        struct cf_str name = cf_class_name(cls, i);
        uint32_t at = classpath_lookup(cp, name.p, name.n);
        if (at != 0) used[cp->classes.v[at - 1].source] = true;
    }
}

/* A class that cannot be read refers to nothing here; whoever needs the class reports it. */
static void mark_class(const struct classpath *cp, const struct classpath_class *c, bool *used) {
    struct classpath_bytes bytes;
    struct cf_class cls;
    struct race_error err = {0};
    if (!classpath_read(cp, c, &bytes, &err)) return;
    if (cf_parse(&cls, bytes.data, bytes.size, &err)) {
        mark_references(cp, &cls, used);
        cf_class_release(&cls);
    }
    classpath_bytes_release(&bytes);
}

size_t classpath_element_count(const struct classpath *cp) {
    return cp->sources.n;
}

void classpath_element_uses(const struct classpath *cp, uint32_t element, bool *used) {
    bool has_class = false;
    memset(used, 0, cp->sources.n * sizeof *used);
    for (size_t i = cp->begin[CLASSPATH_APP]; i < cp->end[CLASSPATH_APP]; i++) {
        const struct classpath_class *c = &cp->classes.v[i];
        if (c->source != element) continue;
        has_class = true;
        mark_class(cp, c, used);
    }
    if (!has_class) memset(used, 1, cp->sources.n * sizeof *used);
    used[element] = true;
}
