#include "words.h"

#include "agent.h"
#include "race/classedit.h" /* cf_z */
#include "race/containercalls.h"
#include "sites.h"

#include <stdio.h>
#include <stdlib.h> /* qsort, bsearch */
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

static bool count_field(JNIEnv *jni, jclass c, jfieldID field, const char *name, bool is_static, void *ctx) {
    (void)jni, (void)c, (void)field, (void)name, (void)is_static;
    ++*(jint *)ctx;
    return false;
}

/* A field of a class, its name owned. */
struct own_field {
    char *name;
    jfieldID id;
    bool is_static;
};

struct own_fields {
    struct own_field *of;
    size_t n, cap;
};

static bool add_own(JNIEnv *jni, jclass c, jfieldID field, const char *name, bool is_static, void *ctx) {
    struct own_fields *fields = ctx;
    (void)jni, (void)c;
    if (fields->n == fields->cap) {
        size_t cap = 2 * fields->cap + 64;
        struct own_field *of = realloc(fields->of, cap * sizeof *of);
        if (of == NULL) return true;
        fields->of = of;
        fields->cap = cap;
    }
    fields->of[fields->n] = (struct own_field){strdup(name), field, is_static};
    return fields->of[fields->n++].name == NULL;
}

static int by_own_name(const void *a, const void *b) {
    return strcmp(((const struct own_field *)a)->name, ((const struct own_field *)b)->name);
}

static bool put_field(JNIEnv *jni, jobjectArray out, jint i, jobject f) {
    if (f != NULL) (*jni)->SetObjectArrayElement(jni, out, i, f);
    (*jni)->DeleteLocalRef(jni, f);
    return !(*jni)->ExceptionCheck(jni);
}

/* The field that a word watches: one of the same class, or one inherited from the JDK; or NULL. */
static jobject watched(JNIEnv *jni, jclass c, const struct own_fields *fields, const char *word) {
    struct own_field key = {.name = (char *)word + 3};
    const struct own_field *f = bsearch(&key, fields->of, fields->n, sizeof key, by_own_name);
    return f != NULL ? (*jni)->ToReflectedField(jni, c, f->id, f->is_static)
                     : find_field(jni, c, word + 3, true);
}

/* In a sorted list. */
static bool has_twin(const struct own_fields *fields, size_t i) {
    const struct own_field *f = &fields->of[i];
    return (i > 0 && by_own_name(f - 1, f) == 0) || (i + 1 < fields->n && by_own_name(f, f + 1) == 0);
}

/*
 * Puts each word that the class declares at out[n], out[n + 2], ..., and behind it the field that it watches;
 * fields of the same name have no words and stand there alone.  Returns where the next goes, or -1 with an
 * exception.  The VM finds the name of one field by going through all of them, and there are classes with
 * hundreds: so each name is asked for once.
 */
static jint put_words(JNIEnv *jni, jclass c, jobjectArray out, jint n) {
    struct own_fields fields = {0};
    walk_own_fields(jni, c, add_own, &fields);
    if (fields.n > 0 && fields.of[fields.n - 1].name == NULL) fields.n--;
    if (fields.n > 0) qsort(fields.of, fields.n, sizeof *fields.of, by_own_name);
    for (size_t i = 0; i < fields.n && n >= 0; i++) {
        const struct own_field *f = &fields.of[i];
        bool word = is_word(f->name), ok = true;
        if (!word && !has_twin(&fields, i)) continue;
        if (word) ok = put_field(jni, out, n + 1, watched(jni, c, &fields, f->name));
        ok = ok &&
             put_field(jni, out, word ? n : n + 1, (*jni)->ToReflectedField(jni, c, f->id, f->is_static));
        n = ok ? n + 2 : -1;
    }
    for (size_t i = 0; i < fields.n; i++) free(fields.of[i].name);
    free(fields.of);
    return n;
}

jobjectArray JNICALL words_of_class(JNIEnv *jni, jclass cls, jclass c) {
    (void)cls;
    jint most = 0, n = 0;
    walk_fields(jni, c, count_field, &most);
    jclass field_class = (*jni)->FindClass(jni, "java/lang/reflect/Field");
    jobjectArray out = field_class == NULL ? NULL : (*jni)->NewObjectArray(jni, 2 * most, field_class, NULL);
    for (jclass at = c; out != NULL && at != NULL && n >= 0; at = (*jni)->GetSuperclass(jni, at))
        n = put_words(jni, at, out, n);
    return out;
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
