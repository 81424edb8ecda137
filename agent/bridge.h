/*
 * The bridge between Java and the checker: the native methods of the helper classes, nothing else.  The only
 * file that knows both JNI and runtime/.
 */
#ifndef RACE_AGENT_BRIDGE_H
#define RACE_AGENT_BRIDGE_H

#include "race/error.h"

#include <jni.h>
#include <stdbool.h>

bool bridge_init(struct race_error *err);
/* Remembers a helper class; its native methods are bound when the VM is initialised. */
bool bridge_register(JNIEnv *jni, const char *name, jclass cls);
/* RaceHooks.bind() is loading this class: the moment to bind. */
#define BRIDGE_BIND_TRIGGER "java/util/zip/CRC32C"
void bridge_bind_here(JNIEnv *jni);
void bridge_enable(JNIEnv *jni);  /* VMInit: from now on events are tracked */
void bridge_disable(JNIEnv *jni); /* VMDeath */

/* Sets a static boolean of RaceEpoch. */
void bridge_set_flag(JNIEnv *jni, const char *name, bool value);

struct checker;
struct json;
struct checker *bridge_checker(void);
/* One line of evidence per pair of the plan. */
void bridge_evidence(void (*emit)(struct json *line));
void bridge_put_counters(struct json *j); /* the checker's own counters, for the summary line */

#endif
