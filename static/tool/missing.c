#include "missing.h"

#include <stdlib.h>

enum { NAMED = 3 };

/* A byte for each class, set for phantoms.  Those that are looked for by name only (reflection, services) are
 * among them, so that alone is no reason to speak of one. */
static uint8_t *phantom_marks(const struct program *p) {
    uint32_t n;
    const class_id *phantoms = program_phantoms(p, &n);
    uint8_t *marks = calloc((size_t)program_n_classes(p) + 1, 1);
    for (uint32_t i = 0; marks != NULL && i < n; i++) marks[phantoms[i].v] = 1;
    return marks;
}

/* Counts the marked classes in the constant pool and clears their marks. */
static uint32_t named_here(struct program *p, const struct cf_class *file, uint8_t *marks, uint32_t n_marks,
                           uint32_t found, class_id first[NAMED]) {
    for (uint16_t i = 1; i < file->n_pool; i++) {
        if (file->pool[i].tag != CF_CLASS) continue;
        struct cf_str name = cf_class_name(file, i);
        class_id c = program_class_n(p, program_intern(p, name.p, name.n));
        if (c.v > n_marks || !marks[c.v]) continue;
        marks[c.v] = 0;
        if (found < NAMED) first[found] = c;
        found++;
    }
    return found;
}

void missing_write(const struct analysis *a, struct plan_writer *w) {
    uint8_t *marks = phantom_marks(a->program);
    uint32_t found = 0, n_marks = program_n_classes(a->program);
    class_id first[NAMED];
    for (size_t i = 0; marks != NULL && i < a->classes.n; i++) {
        const struct cf_class *file = program_class_file(a->program, a->classes.v[i]);
        if (file != NULL) found = named_here(a->program, file, marks, n_marks, found, first);
    }
    free(marks);
    if (found == 0) return;
    plan_write_meta_number(w, PLAN_META_MISSING_CLASSES, found);
    for (uint32_t i = 0; i < found && i < NAMED; i++) {
        char text[400];
        plan_location_text(PLAN_CONTAINER, program_class_name(a->program, first[i]), "", text, sizeof text);
        plan_write_meta(w, PLAN_META_MISSING, text);
    }
}
