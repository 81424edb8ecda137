/*
 * Tasks that are handed to an executor once.
 *
 *     pool.submit(new Task(...))
 *     for (...) list.add(new Task(...));  ...  pool.invokeAll(list)
 *
 * An executor runs what it is given once, so the object belongs to the thread that runs it, if nobody else
 * gets hold of it: no variable of the application has it but the one it was made in and `this` of its own
 * methods, and those do not pass it on.
 */
#ifndef RACE_RACES_HANDED_H
#define RACE_RACES_HANDED_H

#include "internal.h"

/*
 * The call that gives the object made by the statement to an executor, each object once: submit() or
 * execute(), or invokeAll() with the list that it is put into; or NULL.  `*list` is that list, or none.
 */
const struct ir_stmt *handed_over_by(const struct races *r, const struct ir_body *body,
                                     const struct ir_stmt *made, ir_var *list);
/* Whether no two threads ever run the object. */
bool is_run_once(struct races *r, pts_obj o);
/* Whether the call is one by which the JDK's executors run a task. */
bool is_task_call(struct races *r, const struct pts_call *call);

#endif
