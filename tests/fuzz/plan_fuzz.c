/*
 * libFuzzer target over the plan reader: the input is a plan without its end line, which is put right here.
 *
 * Whatever the lines are, nothing may crash, leak or hang, and a refusal has its reason in one line.  Of a
 * plan that is accepted more is asked: everything that a reader may look up is there, and a report of it can
 * be printed in every format.
 */
#include "report_fuzz.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_TEXT = 1 << 20 }; /* no input is longer */

static void check_lookups(const struct plan *p) {
    struct arena arena;
    arena_init(&arena);
    for (uint32_t i = 0; i < p->n_sites; i++) {
        const struct plan_method *m = &p->methods[p->sites[i].method];
        const char *name = p->classes[m->cls].name;
        if (plan_find_site(p, m, (uint32_t)p->sites[i].bci) == NULL) broken("a site is found", name);
        if (plan_find_class(p, name, strlen(name)) == NULL) broken("a class is found", name);
    }
    for (uint32_t i = 0; i < p->n_methods; i++) {
        const struct plan_method *m = &p->methods[i];
        const struct plan_class *c = &p->classes[m->cls];
        if (plan_find_method(p, c, m->name, strlen(m->name), m->desc, strlen(m->desc)) == NULL)
            broken("a method is found", m->name);
    }
    for (uint32_t i = 1; i <= p->n_pairs; i++) {
        struct plan_pair pair = plan_pair_get(p, (plan_pair_id){i});
        for (int k = 0; k < 2; k++)
            if (plan_pair_site(p, &pair, k).v - 1 >= p->n_sites) broken("a pair has two sites", "number");
        const char *why = plan_pair_why(p, (plan_pair_id){i});
        if (why != NULL && strlen(why) > MOST_TEXT) broken("a reason ends", why);
    }
    for (uint32_t i = 1; i <= p->n_sides; i++) {
        struct plan_path path;
        if (!plan_side_path(p, (plan_side_id){i}, &arena, &path)) broken("a side has a path", "memory");
        for (size_t k = 0; k < path.n_frames; k++)
            if (strlen(path.frames[k]) > MOST_TEXT) broken("a frame ends", path.frames[k]);
    }
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct plan plan;
    struct race_error err = {0};
    size_t n;
    char *text = plan_with_end((const char *)data, size, &n);
    if (plan_parse(&plan, "x.plan", text, n, &err)) {
        check_lookups(&plan);
        struct report r;
        report_init(&r);
        report_from_plan(&r, &plan);
        check_report(&r);
        report_release(&r);
        plan_release(&plan);
    } else {
        check_refusal(&err);
    }
    free(text);
    return 0;
}
