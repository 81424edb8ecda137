/* What the fields of objects refer to: for RaceFrozen and RaceLinks, which find reads that final fields make
 * safe. */
#ifndef RACE_AGENT_FROZEN_H
#define RACE_AGENT_FROZEN_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

/* java.lang.RaceFrozen, a global reference; once. */
void frozen_init(jclass cls);

/*
 * A race at `site`, of which the epoch `word` wrote: remembered as a publication if the variable holds
 * references.  `holder`: the object, the class of a static field, the array or the container.  `before`: the
 * write is yet to come.
 */
void frozen_published(JNIEnv *jni, jobject holder, uint64_t word, uint32_t site, jint index, bool before);

jobject JNICALL frozen_value_of(JNIEnv *jni, jclass cls, jobject holder, jint site);
jobjectArray JNICALL frozen_link_names(JNIEnv *jni, jclass cls, jclass c, jboolean is_final);

#endif
