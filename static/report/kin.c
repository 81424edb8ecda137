#include "kin.h"

#include <stdlib.h>
#include <string.h>

static int by_method(const struct report_access *a, const struct report_access *b) {
    int c = strcmp(a->cls, b->cls);
    return c != 0 ? c : strcmp(a->method, b->method);
}

/* The accesses of a race with the lesser method first, so that their order in the race does not count. */
static void sorted_accesses(const struct report_race *race, const struct report_access *out[2]) {
    bool swapped = by_method(&race->accesses[0], &race->accesses[1]) > 0;
    out[0] = &race->accesses[swapped ? 1 : 0];
    out[1] = &race->accesses[swapped ? 0 : 1];
}

static int in_order(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

/* 0 for kin.  What runs confirmed and what they predict may stand in one block. */
static int compare(const struct report_race *a, const struct report_race *b) {
    const struct report_access *x[2], *y[2];
    unsigned va = a->verdict >= REPORT_PREDICTED ? REPORT_PREDICTED : a->verdict;
    unsigned vb = b->verdict >= REPORT_PREDICTED ? REPORT_PREDICTED : b->verdict;
    int c = in_order(va, vb);
    if (c == 0) c = in_order(a->hidden, b->hidden);
    if (c == 0) c = in_order(a->kind, b->kind);
    if (c == 0) c = strcmp(a->field, b->field);
    if (c != 0) return c;
    sorted_accesses(a, x);
    sorted_accesses(b, y);
    c = by_method(x[0], y[0]);
    return c != 0 ? c : by_method(x[1], y[1]);
}

static int by_kin_and_place(const void *p, const void *q) {
    const struct report_race *a = *(const struct report_race *const *)p;
    const struct report_race *b = *(const struct report_race *const *)q;
    int c = compare(a, b);
    return c != 0 ? c : a < b ? -1 : a > b;
}

struct kin *kin_find(const struct report *r) {
    size_t n = r->races.n;
    struct kin *kin = malloc((n + 1) * sizeof *kin);
    const struct report_race **sorted = malloc((n + 1) * sizeof *sorted);
    if (kin == NULL || sorted == NULL) abort();
    for (size_t i = 0; i < n; i++) sorted[i] = &r->races.v[i];
    qsort(sorted, n, sizeof *sorted, by_kin_and_place);
    for (size_t i = 0; i < n; i++) {
        uint32_t at = (uint32_t)(sorted[i] - r->races.v);
        bool more = i > 0 && compare(sorted[i - 1], sorted[i]) == 0;
        uint32_t before = more ? (uint32_t)(sorted[i - 1] - r->races.v) : NO_KIN;
        kin[at] = (struct kin){more ? kin[before].first : at, NO_KIN};
        if (more) kin[before].next = at;
    }
    free(sorted);
    return kin;
}
