/*
 * The agent: one per process, made by Agent_OnLoad.
 *
 * Ground rules
 *   - Nothing here aborts or blocks the program: trouble is counted under a name and shown at exit.
 *   - Every JVMTI return code goes through jvmti_ok().
 *   - Callbacks check the phase they are in; no JNI call while the VM is still primordial.
 *   - Fields of `struct agent` are written before VMInit, by one thread, and only read afterwards, unless a
 * field says otherwise.
 */
#ifndef RACE_AGENT_AGENT_H
#define RACE_AGENT_AGENT_H

#include "options.h"
#include "rewrite.h" /* struct rewrite_counts */

#include <jvmti.h>
#include <stdatomic.h>
#include <stdbool.h>

struct agent {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    struct agent_options options;
    char jdk_version[80]; /* java.version: that of the VM where the other is not known */

    /* Counters, updated by any thread. */
    _Atomic uint64_t skipped[16]; /* by enum rewrite_outcome */
    _Atomic uint64_t classes;     /* seen */
    _Atomic uint64_t rewritten;   /* of those */
    _Atomic uint64_t accesses, checked, huge_methods, full_methods, site_overflow;
    _Atomic uint64_t jvmti_errors;
    _Atomic bool dying; /* the VM is shutting down: no more reports */
};

extern struct agent the_agent;

/* True for JVMTI_ERROR_NONE; otherwise counts the error and logs it with what was being done. */
bool jvmti_ok(jvmtiError error, const char *what);

/* A line in the log, if there is one (option `log`). */
void agent_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
