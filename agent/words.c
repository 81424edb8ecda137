#include "words.h"

#include "agent.h"
#include "race/classedit.h" /* cf_z */
#include "race/containercalls.h"
#include "sites.h"

#include <stdio.h>
#include <string.h>

enum { STATIC = 0x0008, MAX_NAME = 600 };

/* Called for each field of a class; true stops the walk. */
typedef bool field_visitor(JNIEnv *jni, jclass c, jfieldID field, const char *name, bool is_static,
                           void *ctx);

static bool walk_own_fields(JNIEnv *jni, jclass c, field_visitor *visit, void *ctx) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    jfieldID *fields = NULL;
    jint n = 0;
    bool stop = false;
    if ((*jvmti)->GetClassFields(jvmti, c, &n, &fields) != JVMTI_ERROR_NONE) return false;
    for (jint i = 0; i < n && !stop; i++) {
        char *name = NULL;
        jint access = 0;
        (*jvmti)->GetFieldModifiers(jvmti, c, fields[i], &access);
        if ((*jvmti)->GetFieldName(jvmti, c, fields[i], &name, NULL, NULL) != JVMTI_ERROR_NONE) continue;
        stop = visit(jni, c, fields[i], name, (access & STATIC) != 0, ctx);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)fields);
    return stop;
}

/* The class's own fields, then its superclasses'. */
static void walk_fields(JNIEnv *jni, jclass c, field_visitor *visit, void *ctx) {
    jclass at = (*jni)->NewLocalRef(jni, c);
    while (at != NULL && !walk_own_fields(jni, at, visit, ctx)) {
        jclass super = (*jni)->GetSuperclass(jni, at);
        (*jni)->DeleteLocalRef(jni, at);
        at = super;
    }
    if (at != NULL) (*jni)->DeleteLocalRef(jni, at);
}

struct by_name {
    const char *name;
    bool any_static; /* false: instance fields only */
    jobject found;
};

static bool match(JNIEnv *jni, jclass c, jfieldID field, const char *name, bool is_static, void *ctx) {
    struct by_name *b = ctx;
    if (strcmp(name, b->name) != 0 || (is_static && !b->any_static)) return false;
    b->found = (*jni)->ToReflectedField(jni, c, field, is_static);
    return true;
}

static jobject find_field(JNIEnv *jni, jclass c, const char *name, bool any_static) {
    struct by_name b = {.name = name, .any_static = any_static};
    walk_fields(jni, c, match, &b);
    (*jni)->ExceptionClear(jni);
    return b.found;
}

/* The superclass of c, or c itself, that has this internal name; c if there is none. */
static jclass named_super(JNIEnv *jni, jclass c, const char *internal_name) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    size_t n = strlen(internal_name);
    for (jclass at = c; at != NULL; at = (*jni)->GetSuperclass(jni, at)) {
        char *signature = NULL;
        if ((*jvmti)->GetClassSignature(jvmti, at, &signature, NULL) != JVMTI_ERROR_NONE) break;
        bool same = strlen(signature) == n + 2 && memcmp(signature + 1, internal_name, n) == 0;
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
        if (same) return at;
    }
    return c;
}

static bool note_declaring(JNIEnv *jni, jclass c, jfieldID field, const char *name, bool is_static,
                           void *ctx) {
    (void)jni, (void)field, (void)is_static;
    uint32_t site = *(const uint32_t *)ctx;
    jvmtiEnv *jvmti = the_agent.jvmti;
    char *signature = NULL;
    if (strcmp(name, sites_get(site)->field) != 0) return false;
    if ((*jvmti)->GetClassSignature(jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE) return true;
    signature[strlen(signature) - 1] = '\0';
    sites_set_declaring(site, signature + 1);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return true;
}

/* Fields are looked up from the class that the reference names: a subclass may hide one of the same name. */
jobject JNICALL words_site_field(JNIEnv *jni, jclass cls, jclass c, jint site, jint which) {
    (void)cls;
    const struct site *s = sites_get((uint32_t)site);
    uint32_t id = (uint32_t)site;
    bool clock = s->kind == SITE_SYNC;
    if (clock && which == 1) return NULL;
    c = named_super(jni, c, s->owner);
    if (!clock && which == 0) walk_fields(jni, c, note_declaring, &id);
    char name[MAX_NAME];
    snprintf(name, sizeof name, "$%c_%s", clock ? 'v' : which == 0 ? 'r' : 'w', s->field);
    jobject found = find_field(jni, c, name, true);
    if (found != NULL || clock || which == 1) return found;
    /* A field that the rewriter knew nothing of may turn out to be volatile. */
    name[1] = 'v';
    return find_field(jni, c, name, true);
}

static bool is_word(const char *name) {
    return name[0] == '$' && name[1] != '\0' && strchr("rwv", name[1]) != NULL && name[2] == '_';
}

struct all_words {
    jobjectArray array;
    jclass field_class;
    jint n, cap;
};

static bool count_word(JNIEnv *jni, jclass c, jfieldID field, const char *name, bool is_static, void *ctx) {
    (void)jni, (void)c, (void)field, (void)is_static;
    if (is_word(name)) ((struct all_words *)ctx)->cap++;
    return false;
}

static bool add_word(JNIEnv *jni, jclass c, jfieldID field, const char *name, bool is_static, void *ctx) {
    struct all_words *all = ctx;
    if (!is_word(name) || all->n == all->cap) return false;
    jobject f = (*jni)->ToReflectedField(jni, c, field, is_static);
    if (f != NULL) (*jni)->SetObjectArrayElement(jni, all->array, all->n++, f);
    (*jni)->DeleteLocalRef(jni, f);
    return false;
}

jobjectArray JNICALL words_of_class(JNIEnv *jni, jclass cls, jclass c) {
    (void)cls;
    struct all_words all = {.field_class = (*jni)->FindClass(jni, "java/lang/reflect/Field")};
    walk_fields(jni, c, count_word, &all);
    all.array = (*jni)->NewObjectArray(jni, all.cap, all.field_class, NULL);
    if (all.array != NULL) walk_fields(jni, c, add_word, &all);
    return all.array;
}

static bool member_name(JNIEnv *jni, jobject field, char *buf, size_t size) {
    jclass cls = (*jni)->GetObjectClass(jni, field);
    jmethodID get = (*jni)->GetMethodID(jni, cls, "getName", "()Ljava/lang/String;");
    jstring name = get == NULL ? NULL : (*jni)->CallObjectMethod(jni, field, get);
    if ((*jni)->ExceptionCheck(jni)) return false; /* out of memory; the Java side throws it on */
    const char *utf = name == NULL ? NULL : (*jni)->GetStringUTFChars(jni, name, NULL);
    if (utf == NULL) return false;
    snprintf(buf, size, "%s", utf);
    (*jni)->ReleaseStringUTFChars(jni, name, utf);
    return true;
}

jobject JNICALL words_watched(JNIEnv *jni, jclass cls, jclass c, jobject word) {
    (void)cls;
    char name[MAX_NAME];
    return member_name(jni, word, name, sizeof name) ? find_field(jni, c, name + 3, true) : NULL;
}

jobject JNICALL words_layout_field(JNIEnv *jni, jclass cls, jclass c, jstring name) {
    (void)cls;
    const char *utf = (*jni)->GetStringUTFChars(jni, name, NULL);
    jobject f = utf == NULL ? NULL : find_field(jni, c, utf, false);
    if (utf != NULL) (*jni)->ReleaseStringUTFChars(jni, name, utf);
    return f;
}

jboolean JNICALL words_has_use(JNIEnv *jni, jclass cls, jclass c) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    jmethodID *methods = NULL;
    jint n = 0;
    bool found = false;
    (void)jni, (void)cls;
    if ((*jvmti)->GetClassMethods(jvmti, c, &n, &methods) != JVMTI_ERROR_NONE) return true;
    for (jint i = 0; i < n && !found; i++) {
        char *name = NULL;
        if ((*jvmti)->GetMethodName(jvmti, methods[i], &name, NULL, NULL) != JVMTI_ERROR_NONE) continue;
        found = cc_is_use(cf_z(name));
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
    return found;
}
