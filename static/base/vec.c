#include "race/vec.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

bool vec_try_grow_(void **v, size_t *cap, size_t want, size_t elem) {
    if (want <= *cap) return true;
    size_t next = *cap < 8 ? 8 : *cap + *cap / 2;
    if (next < want) next = want;
    if (next > SIZE_MAX / 2 / elem) return false;
    void *bigger = realloc(*v, next * elem);
    if (bigger == NULL) return false;
    *v = bigger;
    *cap = next;
    return true;
}

void vec_grow_(void **v, size_t *cap, size_t want, size_t elem) {
    if (vec_try_grow_(v, cap, want, elem)) return;
    fputs("race: out of memory\n", stderr);
    exit(1);
}

void vec_free_(void **v, size_t *n, size_t *cap) {
    free(*v);
    *v = NULL;
    *n = *cap = 0;
}
