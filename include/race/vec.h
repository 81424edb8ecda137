/*
 * Growable arrays as a macro pair: VEC(type) declares one, vec_push & co. work on any of them.
 * Elements are plain values; vec_release frees only the array.  Out of memory ends the process
 * (agent code that must survive uses vec_try_reserve first).
 */
#ifndef RACE_VEC_H
#define RACE_VEC_H

#include <stdbool.h>
#include <stddef.h> /* size_t */

#define VEC(type)                                                                                            \
    struct {                                                                                                 \
        type *v;                                                                                             \
        size_t n, cap;                                                                                       \
    }

#define vec_push(vec, item)                                                                                  \
    (vec_grow_((void **)&(vec)->v, &(vec)->cap, (vec)->n + 1, sizeof *(vec)->v),                             \
     (void)((vec)->v[(vec)->n++] = (item)))
#define vec_reserve(vec, count) vec_grow_((void **)&(vec)->v, &(vec)->cap, (count), sizeof *(vec)->v)
#define vec_try_reserve(vec, count) vec_try_grow_((void **)&(vec)->v, &(vec)->cap, (count), sizeof *(vec)->v)
#define vec_pop(vec) ((vec)->v[--(vec)->n])
#define vec_last(vec) ((vec)->v[(vec)->n - 1])
#define vec_clear(vec) ((void)((vec)->n = 0))
#define vec_release(vec) vec_free_((void **)&(vec)->v, &(vec)->n, &(vec)->cap)
/* An empty vector may have no memory at all, and NULL + 0 is no address in C. */
#define VEC_FOREACH(p, vec) for (p = (vec)->v; (vec)->n > 0 && p < (vec)->v + (vec)->n; p++)

bool vec_try_grow_(void **v, size_t *cap, size_t want, size_t elem);
void vec_grow_(void **v, size_t *cap, size_t want, size_t elem);
void vec_free_(void **v, size_t *n, size_t *cap);

#endif
