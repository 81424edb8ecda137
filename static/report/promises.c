#include "promises.h"

#include "names.h"

#include <string.h>

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
    for (uint32_t i = 0; i < plan->n_trusts; i++) {
        for (size_t k = 0; k < r->races.n; k++) {
            if (strcmp(r->races.v[k].field, plan->trusts[i].location) == 0)
                r->races.v[k].trusted = text_clean(a, plan->trusts[i].annotation);
        }
    }
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
