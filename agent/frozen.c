#include "frozen.h"

#include "fields.h"
#include "sites.h"

#include <string.h>

static jclass frozen_class; /* set before any Java code runs */
static _Atomic(jmethodID) published;

/* In the place of a field's id in struct site: one that holds no references, or that was not found. */
static char no_reference;

void frozen_init(jclass cls) {
    frozen_class = cls;
}

/* ---- fields of a class ---- */

/* By a name of which the class has only one, or the type would be a guess.  The agent's own fields are none
 * of the program's. */
static bool is_link(const struct own_field *fields, jint n, jint i, bool is_final) {
    const struct own_field *f = &fields[i];
    if ((f->access & ACC_STATIC) != 0 || ((f->access & ACC_FINAL) != 0) != is_final) return false;
    if (!fields_is_reference(f->type[0]) || strncmp(f->name, "$race", 5) == 0) return false;
    for (jint k = 0; k < n; k++)
        if (k != i && strcmp(fields[k].name, f->name) == 0) return false;
    return true;
}

static jobjectArray names_array(JNIEnv *jni, const struct own_field *fields, jint n, bool is_final) {
    jint count = 0, at = 0;
    for (jint i = 0; i < n; i++) count += is_link(fields, n, i, is_final);
    jclass string = count == 0 ? NULL : (*jni)->FindClass(jni, "java/lang/String");
    jobjectArray out = string == NULL ? NULL : (*jni)->NewObjectArray(jni, count, string, NULL);
    for (jint i = 0; out != NULL && i < n; i++) {
        if (!is_link(fields, n, i, is_final)) continue;
        jstring name = (*jni)->NewStringUTF(jni, fields[i].name);
        if (name == NULL) return NULL; /* with an exception */
        (*jni)->SetObjectArrayElement(jni, out, at++, name);
        (*jni)->DeleteLocalRef(jni, name);
    }
    return out;
}

jobjectArray JNICALL frozen_link_names(JNIEnv *jni, jclass cls, jclass c, jboolean is_final) {
    (void)cls;
    jint n;
    struct own_field *fields = fields_of(c, &n);
    jobjectArray names = names_array(jni, fields, n, is_final);
    if (fields != NULL) fields_release(fields, n);
    return names;
}

/* ---- variables ---- */

/* The site's field; NULL if it holds no references. */
static jfieldID reference_of(JNIEnv *jni, jobject holder, uint32_t site) {
    struct site *s = (struct site *)sites_get(site);
    void *field = atomic_load_explicit(&s->reference, memory_order_relaxed);
    if (field == NULL) {
        char type;
        jfieldID found = fields_of_site(jni, holder, site, &type);
        field = found != NULL && fields_is_reference(type) ? (void *)found : &no_reference;
        atomic_store_explicit(&s->reference, field, memory_order_relaxed);
    }
    return field == &no_reference ? NULL : (jfieldID)field;
}

/* Whether the variable holds references, as far as the site tells: one that copies arrays copies any. */
static bool holds_references(JNIEnv *jni, jobject holder, uint32_t site) {
    const struct site *s = sites_get(site);
    if (holder == NULL || site == 0 || s->kind == SITE_SYNC) return false;
    if (s->kind == SITE_ARRAY) return fields_is_reference(s->field[0]);
    return s->kind == SITE_CONTAINER || reference_of(jni, holder, site) != NULL;
}

jobject JNICALL frozen_value_of(JNIEnv *jni, jclass cls, jobject holder, jint site) {
    (void)cls;
    const struct site *s = sites_get((uint32_t)site);
    if (s->kind == SITE_CONTAINER) return (*jni)->NewLocalRef(jni, holder);
    jfieldID field = reference_of(jni, holder, (uint32_t)site);
    return field == NULL            ? NULL
           : s->kind == SITE_STATIC ? (*jni)->GetStaticObjectField(jni, holder, field)
                                    : (*jni)->GetObjectField(jni, holder, field);
}

void frozen_published(JNIEnv *jni, jobject holder, uint64_t word, uint32_t site, jint index, bool before) {
    if (!holds_references(jni, holder, site)) return;
    jmethodID m = atomic_load(&published);
    if (m == NULL) {
        m = (*jni)->GetStaticMethodID(jni, frozen_class, "published", "(Ljava/lang/Object;JIIZ)V");
        atomic_store(&published, m);
    }
    if (m != NULL)
        (*jni)->CallStaticVoidMethod(jni, frozen_class, m, holder, (jlong)word, (jint)site, index,
                                     (jboolean)before);
    (*jni)->ExceptionClear(jni);
}
