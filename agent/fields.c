#include "fields.h"

#include "agent.h"
#include "sites.h"

#include <stdlib.h> /* calloc */
#include <string.h>

static bool field_get(jclass c, jfieldID id, struct own_field *f) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    *f = (struct own_field){.id = id};
    return (*jvmti)->GetFieldModifiers(jvmti, c, id, &f->access) == JVMTI_ERROR_NONE &&
           (*jvmti)->GetFieldName(jvmti, c, id, &f->name, &f->type, NULL) == JVMTI_ERROR_NONE;
}

void fields_release(struct own_field *fields, jint n) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    for (jint i = 0; i < n; i++) {
        (*jvmti)->Deallocate(jvmti, (unsigned char *)fields[i].name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)fields[i].type);
    }
    free(fields);
}

struct own_field *fields_of(jclass c, jint *n_out) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    jfieldID *ids = NULL;
    jint n = 0, got = 0;
    *n_out = 0;
    if ((*jvmti)->GetClassFields(jvmti, c, &n, &ids) != JVMTI_ERROR_NONE) return NULL;
    struct own_field *fields = n > 0 ? calloc((size_t)n, sizeof *fields) : NULL;
    while (fields != NULL && got < n && field_get(c, ids[got], &fields[got])) got++;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)ids);
    if (fields != NULL && got < n) {
        fields_release(fields, got);
        return NULL;
    }
    *n_out = got;
    return fields;
}

bool fields_is_reference(char type) {
    return type == 'L' || type == '[';
}

/* Of two fields with one name neither: which one the site is about would be a guess. */
static jfieldID own_named(jclass c, const char *name, bool is_static, char *type) {
    jint n;
    struct own_field *fields = fields_of(c, &n), *found = NULL;
    unsigned count = 0;
    for (jint i = 0; i < n; i++) {
        if (strcmp(fields[i].name, name) != 0 || ((fields[i].access & ACC_STATIC) != 0) != is_static)
            continue;
        found = &fields[i];
        count++;
    }
    jfieldID id = count == 1 ? found->id : NULL;
    if (id != NULL) *type = found->type[0];
    if (fields != NULL) fields_release(fields, n);
    return id;
}

static bool is_class(jclass c, const char *internal_name) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE) return false;
    size_t n = strlen(internal_name);
    bool same = n > 0 && strncmp(signature + 1, internal_name, n) == 0 && signature[n + 1] == ';';
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return same;
}

jfieldID fields_of_site(JNIEnv *jni, jobject holder, uint32_t site, char *type) {
    const struct site *s = sites_get(site);
    if (s->kind == SITE_STATIC) return own_named(holder, s->field, true, type);
    const char *declared = atomic_load(&s->declared_in);
    jclass c = declared == NULL ? NULL : (*jni)->GetObjectClass(jni, holder);
    while (c != NULL && !is_class(c, declared)) {
        jclass super = (*jni)->GetSuperclass(jni, c);
        (*jni)->DeleteLocalRef(jni, c);
        c = super;
    }
    if (c == NULL) return NULL;
    jfieldID id = own_named(c, s->field, false, type);
    (*jni)->DeleteLocalRef(jni, c);
    return id;
}
