/*
 * Tasks: code of the application that the JDK runs because it was given a function or an object to run.
 *
 * The model.  A task is one object that the application hands to the JDK in one statement, its *submission*,
 * and a method of it, its *root*, that nobody but the JDK calls.  Whichever thread runs the root (a worker,
 * the submitting thread itself, the cleaner's), the submission comes before it, and it comes before whatever
 * says that it has ended: a normal return of Future.get, awaitTermination that returned true, or of await()
 * of a latch that the task counted down last.  Between the two lies the task's *window*; the statements of
 * the submitting method outside of it are ordered with every run of the task, provided that the submission
 * itself lies outside: then one run has ended before the next is asked for.
 *
 * All tasks of a list that invokeAll() is given have ended when it returns, though they run side by side.
 *
 * That holds for executors, timers and cleaners of the JDK only; one of the application may hand tasks on as
 * it likes.
 */
#ifndef RACE_RACES_TASKS_H
#define RACE_RACES_TASKS_H

#include "internal.h"

/* What ends a window: the end of the pool and the task's future; its latch as well; the end of the pool
 * alone. */
enum task_ends { ENDS_BY_FUTURE, ENDS_BY_LATCH, ENDS_BY_POOL, N_TASK_ENDS };

struct task {
    pts_inst root;
    pts_obj object;
    pts_inst maker; /* where it is submitted; none: a finalizer */
    uint32_t stmt;
    bool repeats;     /* the runs of one submission follow each other */
    bool once;        /* runs at most once */
    bool listed;      /* in a list, of which invokeAll() runs all: that is `stmt` */
    ir_var latch;     /* of the maker: counted down by each run, if any */
    uint32_t counted; /* where the root counts it down */
    bits windows[3];  /* of the maker's statements, by enum task_ends */
};

/* An object that is given to the JDK in one statement only. */
struct given {
    pts_obj object;
    pts_inst inst;
    uint32_t stmt;
};

/* Whether nobody but the JDK calls the instance, and that on one object, which is given to it there. */
bool given_to_jdk(struct races *r, pts_inst i, struct given *out);

void tasks_init(struct races *r);
void tasks_release(struct races *r);
/* The task whose root is the only way to the instance, or NULL. */
const struct task *task_of(const struct races *r, pts_inst i);
/* Whether a and b are ordered because one is, or both are, in a task. */
bool ordered_by_task(struct races *r, const struct races_access *a, pts_inst i, const struct races_access *b,
                     pts_inst j);

#endif
