/*
 * Callers that the plan does not know.
 *
 * The proofs of some fields rest on locks that the callers of a method hold (the plan's `requires`).  Every
 * analysed call does; a class that is not in the plan, or has changed since, may not.  Once such a class is
 * loaded, the methods look when they are entered.  The first call from outside without the lock is told, with
 * its stack, and from then on the plan is no longer believed: its classes are rewritten again, with checks at
 * all their accesses.  (Fields that were proved in some other way have no words and stay unchecked.)
 *
 * The same happens when a method runs of which the analysis saw no call, by reflection for example: it missed
 * something, and what follows from that nobody knows.  Such methods tell when they are entered and are
 * checked in full themselves, whatever the mode; fields that they access have words.
 *
 * The paper looks at the owners of arguments as well, where an untyped method calls a typed one, because its
 * type checker sees one method at a time.  Our proofs follow every object through all analysed methods, typed
 * or not: a method is typed only if it is for each object that any of them may hand to it, so that such a
 * call has nothing to look at (features case "arguments").  What is left are objects that a class from
 * outside the plan makes itself, or shares though they were proved to stay with one thread: it is not known
 * to whom they belong, and accesses of analysed methods to them are not checked.  README.md has that under
 * its limits.
 */
#ifndef RACE_AGENT_BOUNDARY_H
#define RACE_AGENT_BOUNDARY_H

#include <jni.h>
#include <stdbool.h>

/* A class is being loaded that the plan does not know. */
void boundary_stranger(JNIEnv *jni, const char *name);

/* Whether a call broke the plan's assumptions. */
bool boundary_broken(void);

/* RaceBoundary.unguarded: a method was entered without the lock of that requirement (index + 1). */
void JNICALL boundary_unguarded(JNIEnv *jni, jclass cls, jint requirement);

/* RaceBoundary.unreached: a method was entered that nothing calls, as far as the analysis saw. */
void JNICALL boundary_unreached(JNIEnv *jni, jclass cls, jint method);

#endif
