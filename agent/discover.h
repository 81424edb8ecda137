/*
 * Type discovery (mode discover): how the fields of a few objects are protected in this run.
 *
 * Of each field the first objects that come by are sampled; a sample knows the thread that was there first,
 * whether a second one came, what was written after that, and which of a few likely locks were held at every
 * access since: the object's own, those in its final fields, and its class's.  What all samples of a field
 * agree on is written as the field's owner.  It is a guess for `race analyze --discovered`, which checks it:
 * accesses that the checker's fast path settles are not looked at again, and j.u.c. locks are not known.
 */
#ifndef RACE_AGENT_DISCOVER_H
#define RACE_AGENT_DISCOVER_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

struct json;

/* Once, in the live phase; false if this VM has not what is needed. */
bool discover_init(JNIEnv *jni);
/* An access by a thread; `o` is the object, for a static field its class.  Any thread. */
void discover_access(JNIEnv *jni, uint64_t thread, jobject o, uint32_t site);
/* Calls `emit` with one line for each field that has an owner. */
void discover_owners(void (*emit)(struct json *line));

#endif
