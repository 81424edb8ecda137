/* What a variable holds while a race on it is told. */
#ifndef RACE_AGENT_VALUES_H
#define RACE_AGENT_VALUES_H

#include <jni.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes the value in Java's spelling to buf: 36, -0.5, true, 'x', null, "text" (cut if long), or the class
 * of an object.  "" if it cannot be had, and for containers, which hold no single value.  `holder`: the
 * object, the class of a static field, or the array.
 */
void values_now(JNIEnv *jni, jobject holder, uint32_t site, jint index, char *buf, size_t size);

#endif
