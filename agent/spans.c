#include "spans.h"

#include "race/checker.h" /* words */
#include "race/vec.h"

#include <pthread.h>

enum { DEPTH = 64 };

/* Initialisers nest; a virtual thread cannot leave its carrier inside one, so the carrier's memory will do.
 */
static __thread struct {
    uint64_t word[DEPTH];
    int n;
} open_spans;

struct span {
    uint64_t start, end;
};

/* Finished spans in the order they ended; only appended to, under the mutex. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static VEC(struct span) spans;

void spans_enter(uint64_t word) {
    if (open_spans.n < DEPTH) open_spans.word[open_spans.n] = word;
    open_spans.n++;
}

void spans_leave(uint64_t word) {
    if (open_spans.n == 0) return; /* the agent was not yet tracking when the initialiser began */
    if (--open_spans.n >= DEPTH) return;
    struct span s = {open_spans.word[open_spans.n], word};
    pthread_mutex_lock(&mutex);
    if (vec_try_reserve(&spans, spans.n + 1)) vec_push(&spans, s);
    pthread_mutex_unlock(&mutex);
}

bool spans_inside(void) {
    return open_spans.n > 0;
}

uint64_t spans_end_of(uint64_t word) {
    uint64_t end = 0;
    if (ck_word_is_set(word)) return 0;
    pthread_mutex_lock(&mutex);
    for (size_t i = spans.n; i-- > 0 && end == 0;) {
        const struct span *s = &spans.v[i];
        bool same_slot =
            ck_word_slot(s->start) == ck_word_slot(word) && ck_word_slot(s->end) == ck_word_slot(word);
        if (same_slot && ck_word_clock(word) > ck_word_clock(s->start) &&
            ck_word_clock(word) <= ck_word_clock(s->end))
            end = s->end;
    }
    pthread_mutex_unlock(&mutex);
    return end;
}
