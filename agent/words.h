/* Finding word fields ($r_f, $w_f, $v_f) of classes by reflection: native methods of RaceSites, RaceVars and
   RaceKind.
 */
#ifndef RACE_AGENT_WORDS_H
#define RACE_AGENT_WORDS_H

#include <jni.h>

jobject JNICALL words_site_field(JNIEnv *jni, jclass cls, jclass c, jint site, jint which);
jobjectArray JNICALL words_of_class(JNIEnv *jni, jclass cls, jclass c);
jobject JNICALL words_layout_field(JNIEnv *jni, jclass cls, jclass c, jstring name);

/* RaceKind.hasUse: whether the class has a method that calls on containers may mean. */
jboolean JNICALL words_has_use(JNIEnv *jni, jclass cls, jclass c);

#endif
