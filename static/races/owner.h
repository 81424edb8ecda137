/* Threads and what they were made with. */
#ifndef RACE_RACES_OWNER_H
#define RACE_RACES_OWNER_H

#include "internal.h"

/* How all threads of a kind are made and started: by one statement each, in one method. */
struct thread_start {
    pts_inst inst;
    const struct ir_body *body;
    uint32_t made;            /* the thread's `new` */
    uint32_t start;           /* the call of start() */
    ir_var runnable;          /* what its constructor got, or none */
    const struct ir_stmt *at; /* what the runnable was read from: an array load; or NULL */
};

/* False if they are not all made in the method that starts them. */
bool thread_start_of(struct races *r, uint32_t t, struct thread_start *out);

/* Whether no two threads of the kind that may run at once have the same Runnable. */
bool own_runnable(struct races *r, uint32_t t, struct thread_start *out);

/* Whether the value goes into one thread's constructor and nowhere else, apart from its own. */
bool used_by_one_thread(struct races *r, const struct ir_body *body, ir_var v);

/* Whether every thread of the kind is dead when control comes to the statement. */
bool dead_at(struct races *r, uint32_t t, pts_inst i, const struct ir_body *body, uint32_t stmt);
/* The same for the statement before a loop is entered. */
bool dead_before(struct races *r, uint32_t t, pts_inst i, const struct ir_body *body, uint32_t loop);

/* Whether the instance is called as the thread's Runnable, by Thread.run(), and by nobody else in the thread.
 */
bool is_target(struct races *r, uint32_t t, pts_inst i);

/* What `this` of a thread's first method of the application may be: the thread, its Runnable, or a task that
 * is run once. */
enum own_kind { OWN_THREAD, OWN_RUNNABLE, OWN_TASK };
/* Whether in this instance, run by thread t, the first parameter is always the running thread's own. */
bool this_is_own(struct races *r, uint32_t t, enum own_kind kind, pts_inst i);

#endif
