/* Where the values of parameters come from, thread by thread. */
#ifndef RACE_RACES_SOURCES_H
#define RACE_RACES_SOURCES_H

#include "internal.h"

enum { ANY_THREAD = UINT32_MAX };

/* A variable of some instance whose value becomes the parameter's, as seen by one thread or by any. */
struct source {
    uint32_t thread;
    pts_inst inst;
    const struct ir_body *body;
    ir_var var;
    uint32_t stmt; /* the call, or what made the function object */
};

/* False: stop, the answer is known. */
typedef bool source_visitor(void *arg, const struct source *s);

/*
 * Visits all sources of a parameter (from 0, receiver included) in the instance as run by the thread: the
 * arguments of calls, and what function objects captured.  False if the visitor stopped or a source is not
 * known: the VM, reflection, a call through the JDK that is no plain call.
 */
bool each_source(struct races *r, uint32_t thread, pts_inst i, uint32_t param, source_visitor *visit,
                 void *arg);

/* The method that a function object calls, or none. */
method_id function_target(struct races *r, pts_obj o);
/* Whether some function object calls the method. */
bool is_function_target(struct races *r, method_id m);

/*
 * Whether the variable may be this object when the thread runs the instance.  Contexts tell receivers apart,
 * not arguments: a method that two threads call with an argument of their own looks the same in both, so the
 * arguments are followed back through the calls of the one thread.
 */
bool thread_may_hold(struct races *r, uint32_t thread, pts_inst i, ir_var v, pts_obj o);

/*
 * Follows a variable back to where its value comes from, as long as there is one source.  True if that is a
 * variable that gets a value once in the whole run: `at` then names that value.
 */
bool made_once(struct races *r, pts_inst i, ir_var v, struct source *at);

#endif
