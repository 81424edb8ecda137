#include "frozen.h"

#include "agent.h"
#include "sites.h"

#include <stdlib.h> /* calloc */
#include <string.h>

enum { ACC_STATIC = 0x0008, ACC_FINAL = 0x0010 };

static jclass frozen_class; /* set before any Java code runs */
static _Atomic(jmethodID) published;

/* In the place of a field's id in struct site: one that holds no references, or that was not found. */
static char no_reference;

void frozen_init(jclass cls) {
    frozen_class = cls;
}

/* ---- fields of a class ---- */

struct own_field {
    jfieldID id;
    char *name, *type; /* JVMTI's */
    jint access;
};

static bool is_reference(const char *type) {
    return type[0] == 'L' || type[0] == '[';
}

static bool field_get(jclass c, jfieldID id, struct own_field *f) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    *f = (struct own_field){.id = id};
    return (*jvmti)->GetFieldModifiers(jvmti, c, id, &f->access) == JVMTI_ERROR_NONE &&
           (*jvmti)->GetFieldName(jvmti, c, id, &f->name, &f->type, NULL) == JVMTI_ERROR_NONE;
}

static void fields_free(struct own_field *fields, jint n) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    for (jint i = 0; i < n; i++) {
        (*jvmti)->Deallocate(jvmti, (unsigned char *)fields[i].name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)fields[i].type);
    }
    free(fields);
}

/* The fields that the class declares; NULL if it has none or they cannot be had. */
static struct own_field *fields_of(jclass c, jint *n_out) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    jfieldID *ids = NULL;
    jint n = 0, got = 0;
    *n_out = 0;
    if ((*jvmti)->GetClassFields(jvmti, c, &n, &ids) != JVMTI_ERROR_NONE) return NULL;
    struct own_field *fields = n > 0 ? calloc((size_t)n, sizeof *fields) : NULL;
    while (fields != NULL && got < n && field_get(c, ids[got], &fields[got])) got++;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)ids);
    if (fields != NULL && got < n) {
        fields_free(fields, got);
        return NULL;
    }
    *n_out = got;
    return fields;
}

static bool is_named(const struct own_field *f, const char *name) {
    return strcmp(f->name, name) == 0;
}

/* By a name of which the class has only one, or the type would be a guess.  The agent's own fields are none
 * of the program's. */
static bool is_link(const struct own_field *fields, jint n, jint i, bool is_final) {
    const struct own_field *f = &fields[i];
    if ((f->access & ACC_STATIC) != 0 || ((f->access & ACC_FINAL) != 0) != is_final) return false;
    if (!is_reference(f->type) || strncmp(f->name, "$race", 5) == 0) return false;
    for (jint k = 0; k < n; k++)
        if (k != i && is_named(&fields[k], f->name)) return false;
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
    if (fields != NULL) fields_free(fields, n);
    return names;
}

/* ---- variables ---- */

/* The field of that name that the class declares, if it holds references; else &no_reference.  NULL: it has
 * no such field. */
static void *own_reference(jclass c, const char *name, bool is_static) {
    jint n;
    struct own_field *fields = fields_of(c, &n);
    void *found = NULL;
    for (jint i = 0; i < n; i++) {
        if (!is_named(&fields[i], name) || ((fields[i].access & ACC_STATIC) != 0) != is_static) continue;
        found = found == NULL && is_reference(fields[i].type) ? (void *)fields[i].id : &no_reference;
    }
    if (fields != NULL) fields_free(fields, n);
    return found;
}

/* The same from the class up to the one that declares the field. */
static void *find_reference(JNIEnv *jni, jobject holder, const struct site *s) {
    if (s->kind == SITE_STATIC) {
        void *found = own_reference(holder, s->field, true);
        return found != NULL ? found : &no_reference;
    }
    const char *declared = atomic_load(&s->declared_in);
    jclass c = (*jni)->GetObjectClass(jni, holder);
    void *found = NULL;
    while (c != NULL && found == NULL) {
        char *signature = NULL;
        jvmtiEnv *jvmti = the_agent.jvmti;
        if ((*jvmti)->GetClassSignature(jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE) break;
        size_t n = declared == NULL ? 0 : strlen(declared);
        bool is_here = n > 0 && strncmp(signature + 1, declared, n) == 0 && signature[n + 1] == ';';
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
        if (is_here) found = own_reference(c, s->field, false);
        jclass super = (*jni)->GetSuperclass(jni, c);
        (*jni)->DeleteLocalRef(jni, c);
        c = super;
    }
    if (c != NULL) (*jni)->DeleteLocalRef(jni, c);
    return found != NULL ? found : &no_reference;
}

/* The site's field; NULL if it holds no references. */
static jfieldID reference_of(JNIEnv *jni, jobject holder, uint32_t site) {
    struct site *s = (struct site *)sites_get(site);
    void *field = atomic_load_explicit(&s->reference, memory_order_relaxed);
    if (field == NULL) {
        field = find_reference(jni, holder, s);
        atomic_store_explicit(&s->reference, field, memory_order_relaxed);
    }
    return field == &no_reference ? NULL : (jfieldID)field;
}

/* Whether the variable holds references, as far as the site tells: one that copies arrays copies any. */
static bool holds_references(JNIEnv *jni, jobject holder, uint32_t site) {
    const struct site *s = sites_get(site);
    if (holder == NULL || site == 0 || s->kind == SITE_SYNC) return false;
    if (s->kind == SITE_ARRAY) return is_reference(s->field);
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
