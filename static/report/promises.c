#include "promises.h"

#include "names.h"

#include <string.h>

/* Whether the text is the method's class, name and descriptor. */
static bool names_method(const char *text, const struct report_access *a) {
    size_t cls = strlen(a->cls), method = strlen(a->method);
    return strncmp(text, a->cls, cls) == 0 && text[cls] == '.' &&
           strncmp(text + cls + 1, a->method, method) == 0 && strcmp(text + cls + 1 + method, a->desc) == 0;
}

static void believe(struct report *r, const struct plan_trust *t) {
    size_t prefix = strlen(PLAN_TRUST_THREAD);
    bool thread = strncmp(t->annotation, PLAN_TRUST_THREAD, prefix) == 0;
    for (size_t i = 0; i < r->races.n; i++) {
        struct report_race *race = &r->races.v[i];
        for (int k = 0; thread && k < 2; k++) {
            struct report_access *a = &race->accesses[k];
            if (names_method(t->location, a)) a->confined = text_clean(&r->arena, t->annotation + prefix);
        }
        if (!thread && strcmp(race->field, t->location) == 0)
            race->trusted = text_clean(&r->arena, t->annotation);
    }
}

void promises_take(struct report *r, const struct plan *plan) {
    struct arena *a = &r->arena;
    for (uint32_t i = 0; i < plan->n_promises; i++) {
        const struct plan_promise *p = &plan->promises[i];
        struct report_promise promise = {.annotation = text_clean(a, p->annotation),
                                         .location = text_clean(a, p->location),
                                         .at = {.is_write = strcmp(p->access, "write") == 0,
                                                .cls = name_with_dots(a, p->cls),
                                                .method = text_clean(a, p->method),
                                                .desc = text_clean(a, p->desc),
                                                .file = *p->file != '\0' ? text_clean(a, p->file) : NULL,
                                                .line = p->line,
                                                .bci = -1},
                                         .access = text_clean(a, p->access),
                                         .text = text_clean(a, p->text)};
        vec_push(&r->promises, promise);
    }
    for (uint32_t i = 0; i < plan->n_trusts; i++) believe(r, &plan->trusts[i]);
}

const char *promise_text(struct arena *arena, const struct report_promise *p) {
    const struct report_access *a = &p->at;
    return arena_printf(arena, "%s: %s in %s: %s", p->location, p->access,
                        frame_text(arena, a->cls, a->method, a->file, a->line), p->text);
}

json_t *json_promises(const struct report *r) {
    json_t *array = json_array();
    const struct report_promise *p;
    VEC_FOREACH (p, &r->promises) {
        json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:s}", "annotation", p->annotation,
                              "location", p->location, "access", p->access, "class", p->at.cls, "method",
                              p->at.method, "desc", p->at.desc, "line", p->at.line, "text", p->text);
        if (p->at.file != NULL) json_object_set_new(o, "file", json_string(p->at.file));
        json_array_append_new(array, o);
    }
    return array;
}
