/* Calls that take or release a java.util.concurrent lock. */
#ifndef RACE_RACES_LOCKOPS_H
#define RACE_RACES_LOCKOPS_H

#include "internal.h"

enum lock_op_kind {
    LOCK_OP_NONE,
    LOCK_OP_ACQUIRE,
    LOCK_OP_TRY, /* acquired if it returns true */
    LOCK_OP_RELEASE,
    LOCK_OP_RELEASE_UNKNOWN /* gives some lock back, nobody knows which */
};

struct lock_op {
    enum lock_op_kind kind;
    struct lock lock;
    bool any_mode; /* StampedLock.unlock: read or write */
};

struct lock_op lock_op_of(struct races *r, const struct ir_body *body, const struct ir_stmt *s);

/* Whether a call may lead to a method that releases a lock which it did not take. */
bool call_may_release(struct races *r, method_id m, uint32_t stmt);

#endif
