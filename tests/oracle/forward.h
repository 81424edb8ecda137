/*
 * A forward analysis of sets of small numbers over a whole program, context by context.
 *
 * The state is a bit set of fixed width.  At a method's entry it is what all callers have at their calls
 * (united, or intersected for a "must" analysis); at a block's entry what its predecessors have at their
 * ends, an exception edge having whatever held anywhere in its block; after a call also what the callees end
 * with.  Written as simply as possible: it checks analyses that are not.
 */
#ifndef RACE_ORACLE_FORWARD_H
#define RACE_ORACLE_FORWARD_H

#include "race/arena.h"
#include "race/pointsto.h"

struct forward;

struct forward_client {
    uint32_t width; /* in bits */
    bool must;      /* intersect where paths meet; calls then change nothing */
    bool app_only;  /* calls into the JDK change nothing */
    void *arg;
    /* What a thread's root, or a method that the VM calls, starts with; the state is empty before. */
    void (*start)(void *arg, pts_inst i, uint64_t *state);
    /* What holds on entry besides what callers have, a synchronized method's lock. */
    void (*enter)(void *arg, pts_inst i, const struct ir_body *body, uint64_t *state);
    void (*step)(void *arg, pts_inst i, const struct ir_body *body, uint32_t stmt, uint64_t *state);
};

/* `bodies` is indexed by method_id. */
struct forward *forward_run(const struct pts *pts, const struct ir_body *const *bodies,
                            const struct forward_client *client, struct arena *arena);
void forward_release(struct forward *f);
/* The state just before a statement; valid until the next call. */
const uint64_t *forward_before(struct forward *f, pts_inst i, uint32_t stmt);

static inline bool state_has(const uint64_t *state, uint32_t bit) {
    return (state[bit >> 6] >> (bit & 63) & 1) != 0;
}
static inline void state_add(uint64_t *state, uint32_t bit) {
    state[bit >> 6] |= (uint64_t)1 << (bit & 63);
}
static inline void state_drop(uint64_t *state, uint32_t bit) {
    state[bit >> 6] &= ~((uint64_t)1 << (bit & 63));
}

#endif
