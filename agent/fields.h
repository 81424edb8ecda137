/* Fields of the program's classes while it runs: of a class, and of a site. */
#ifndef RACE_AGENT_FIELDS_H
#define RACE_AGENT_FIELDS_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

enum { ACC_STATIC = 0x0008, ACC_FINAL = 0x0010 };

struct own_field {
    jfieldID id;
    char *name, *type; /* JVMTI's */
    jint access;
};

/* The fields that the class itself declares; NULL if it has none or they cannot be had. */
struct own_field *fields_of(jclass c, jint *n);
void fields_release(struct own_field *fields, jint n);

/* By the first character of a descriptor. */
bool fields_is_reference(char type);

/* The field that the site is about, and the first character of its descriptor; NULL if the class that
 * declares it cannot tell it by its name.  `holder`: the object, or the class of a static field. */
jfieldID fields_of_site(JNIEnv *jni, jobject holder, uint32_t site, char *type);

#endif
