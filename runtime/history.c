/*
 * Stacks of earlier accesses.  Each slot keeps a ring of (word, stack) of its last recorded accesses; the
 * word in a shadow finds its stack as long as the ring has not come round.  The owner writes; others read the
 * word, the stack, and the word again.
 */
#include "state.h"

ck_stack_id ck_stack_intern(struct checker *ck, const uint64_t *frames, size_t count) {
    return (ck_stack_id){intern_put(&ck->stacks, frames, count)};
}

size_t ck_stack_frames(struct checker *ck, ck_stack_id stack, uint64_t *frames, size_t max) {
    return intern_get(&ck->stacks, stack.v, frames, max);
}

void ck_history_add(struct ck_thread *pub, uint32_t site, ck_stack_id stack) {
    struct thread *t = thread_of(pub);
    if (!t->slot->history) return;
    struct history_entry *e = &t->slot->history[t->history_next++ & (t->ck->config.history_len - 1)];
    __atomic_store_n(&e->word, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&e->stack, stack.v, __ATOMIC_RELEASE); /* who sees this sees the 0 too */
    __atomic_store_n(&e->word, pub->epoch | site, __ATOMIC_RELEASE);
}

ck_stack_id history_find(struct checker *ck, uint64_t word) {
    struct slot *s = slot_find(ck, ck_word_slot(word));
    if (!s || !s->history) return (ck_stack_id){0};
    for (uint32_t i = 0; i < ck->config.history_len; i++) {
        struct history_entry *e = &s->history[i];
        if (__atomic_load_n(&e->word, __ATOMIC_ACQUIRE) != word) continue;
        uint64_t stack = __atomic_load_n(&e->stack, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&e->word, __ATOMIC_RELAXED) == word) return (ck_stack_id){(uint32_t)stack};
    }
    return (ck_stack_id){0};
}
