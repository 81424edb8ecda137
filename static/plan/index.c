/*
 * Pairs by their sites.  The simple way is a table of all pairs; there may be millions, and they are asked
 * for rarely, so only the lines of pairs are indexed, by the side that they begin with.
 */
#include "race/plan.h"

#include <stdlib.h>

bool plan_index_init(struct plan_index *x, const struct plan *p) {
    *x = (struct plan_index){.p = p,
                             .first_side = calloc((size_t)p->n_sites + 1, sizeof *x->first_side),
                             .next_side = calloc((size_t)p->n_sides + 1, sizeof *x->next_side),
                             .first_line = calloc((size_t)p->n_sides + 1, sizeof *x->first_line),
                             .next_line = calloc((size_t)p->n_pair_lines + 1, sizeof *x->next_line)};
    if (!x->first_side || !x->next_side || !x->first_line || !x->next_line) {
        plan_index_release(x);
        return false;
    }
    for (uint32_t side = 1; side <= p->n_sides; side++) {
        uint32_t *first = &x->first_side[plan_side_site(p, (plan_side_id){side}).v];
        x->next_side[side] = *first;
        *first = side;
    }
    for (uint32_t line = 1; line <= p->n_pair_lines; line++) {
        uint32_t *first = &x->first_line[p->pairs[line - 1].side.v];
        x->next_line[line] = *first;
        *first = line;
    }
    return true;
}

void plan_index_release(struct plan_index *x) {
    free(x->first_side);
    free(x->next_side);
    free(x->first_line);
    free(x->next_line);
    *x = (struct plan_index){0};
}

/* Whether the line has a side of the site behind its own. */
static bool line_has(const struct plan_index *x, const struct plan_pairs *line, uint32_t site) {
    for (uint32_t side = x->first_side[site]; side != 0; side = x->next_side[side])
        if (side >= line->others.v && side - line->others.v < line->n) return true;
    return false;
}

static bool begins(const struct plan_index *x, uint32_t site, uint32_t other) {
    for (uint32_t side = x->first_side[site]; side != 0; side = x->next_side[side])
        for (uint32_t line = x->first_line[side]; line != 0; line = x->next_line[line])
            if (line_has(x, &x->p->pairs[line - 1], other)) return true;
    return false;
}

bool plan_index_has(const struct plan_index *x, plan_site_id a, plan_site_id b) {
    return begins(x, a.v, b.v) || begins(x, b.v, a.v);
}
