/* Suppression by annotation: what stands in the class files. */
#include "race/suppress.h"

#include "race/classfile.h"

#include <stdlib.h>
#include <string.h>

bool suppressions_by_annotation(const struct suppressions *s) {
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i].pattern[0] == '@') return true;
    return false;
}

static struct suppression *match(const struct suppressions *s, const struct cf_class *cls,
                                 const struct cf_attrs *attrs) {
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i].pattern[0] == '@' && cf_annotated(cls, attrs, s->v[i].pattern + 1, NULL)) return &s->v[i];
    return NULL;
}

/* "lambda$m$0" is code of m; Kotlin and older compilers put more in between, which then just does not match.
 */
static struct cf_str written_in(const char *method) {
    struct cf_str name = {method, (uint32_t)strlen(method)};
    if (strncmp(method, "lambda$", 7) != 0) return name;
    const char *start = method + 7, *end = strrchr(start, '$');
    return end != NULL ? (struct cf_str){start, (uint32_t)(end - start)} : name;
}

static struct suppression *match_member(const struct suppressions *s, const struct cf_class *cls,
                                        const char *member, const char *desc) {
    struct suppression *found = NULL;
    for (uint32_t i = 0; desc == NULL && i < cls->n_fields && found == NULL; i++)
        if (cf_str_is(cf_utf8(cls, cls->fields[i].name), member))
            found = match(s, cls, &cls->fields[i].attrs);
    struct cf_str method = written_in(member);
    bool exact = method.p == member;
    for (uint32_t i = 0; desc != NULL && i < cls->n_methods && found == NULL; i++) {
        const struct cf_method *m = &cls->methods[i];
        if (!cf_str_eq(cf_utf8(cls, m->name), method)) continue;
        if (!exact || cf_str_is(cf_utf8(cls, m->desc), desc)) found = match(s, cls, &m->attrs);
    }
    return found;
}

static struct suppression *match_class(const struct suppressions *s, const char *name, const char *member,
                                       const char *desc, const struct suppress_classes *classes) {
    struct cf_class cls;
    struct race_error err = {0};
    size_t size = 0;
    struct suppression *found = NULL;
    uint8_t *bytes = classes->read(classes->ctx, name, &size);
    if (bytes != NULL && cf_parse(&cls, bytes, size, &err)) {
        found = match(s, &cls, &cls.attrs);
        if (found == NULL && member != NULL) found = match_member(s, &cls, member, desc);
        cf_class_release(&cls);
    }
    free(bytes);
    return found;
}

struct suppression *suppressions_match_annotated(const struct suppressions *s, const char *cls,
                                                 const char *member, const char *desc,
                                                 const struct suppress_classes *classes) {
    struct suppression *found = match_class(s, cls, member, desc, classes);
    char *outer = strdup(cls), *dollar;
    while (found == NULL && outer != NULL && (dollar = strrchr(outer, '$')) != NULL) {
        *dollar = '\0';
        found = match_class(s, outer, NULL, NULL, classes);
    }
    free(outer);
    return found;
}
