#include "discover.h"

#include "agent.h"
#include "json.h"
#include "race/result.h"
#include "report.h" /* report_class_name */
#include "sites.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 8, LOCKS = 8, NAME = 64, LOOKS = 4096, FINAL = 0x10, STATIC = 0x8 };

/* Bit 0 is the object's own lock, bit 1 its class's, the others those in final fields. */
struct sample {
    jweak object;
    uint64_t first; /* the thread that came first */
    bool shared, written;
    uint16_t held; /* at every access since it is shared */
};

struct field {
    const char *owner, *name; /* the site's, which live for ever */
    bool is_static;
    jclass cls; /* whose final fields these are: the first object's class */
    unsigned n_samples, n_locks, looks;
    jfieldID lock_fields[LOCKS];
    char lock_names[LOCKS][NAME];
    struct sample samples[SAMPLES];
};

/* Guarded by `mutex`; a field stays where it is once it is there, and so do its locks. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct field **fields;
static size_t n_fields, cap_fields;
static struct field **by_site; /* SITE_MAX + 1 */

static jclass thread_class;
static jmethodID holds_lock;

bool discover_init(JNIEnv *jni) {
    jclass cls = (*jni)->FindClass(jni, "java/lang/Thread");
    if (cls != NULL) thread_class = (*jni)->NewGlobalRef(jni, cls);
    if (thread_class != NULL)
        holds_lock = (*jni)->GetStaticMethodID(jni, thread_class, "holdsLock", "(Ljava/lang/Object;)Z");
    (*jni)->ExceptionClear(jni);
    by_site = calloc(SITE_MAX + 1, sizeof *by_site);
    return holds_lock != NULL && by_site != NULL;
}

/* ---- fields ---- */

/* Remembers the final reference fields of the class: what is likely to be a lock. */
static void find_locks(JNIEnv *jni, struct field *f, jobject o) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    jclass cls = (*jni)->GetObjectClass(jni, o);
    jint n = 0;
    jfieldID *ids = NULL;
    f->cls = (*jni)->NewGlobalRef(jni, cls);
    if ((*jvmti)->GetClassFields(jvmti, cls, &n, &ids) != JVMTI_ERROR_NONE) n = 0;
    for (jint i = 0; i < n && f->n_locks < LOCKS; i++) {
        char *name = NULL, *desc = NULL;
        jint modifiers = 0;
        if ((*jvmti)->GetFieldName(jvmti, cls, ids[i], &name, &desc, NULL) != JVMTI_ERROR_NONE) continue;
        (*jvmti)->GetFieldModifiers(jvmti, cls, ids[i], &modifiers);
        if (desc[0] == 'L' && (modifiers & FINAL) != 0 && (modifiers & STATIC) == 0 && strlen(name) < NAME) {
            f->lock_fields[f->n_locks] = ids[i];
            snprintf(f->lock_names[f->n_locks++], NAME, "%s", name);
        }
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)desc);
    }
    if (ids != NULL) (*jvmti)->Deallocate(jvmti, (unsigned char *)ids);
    (*jni)->DeleteLocalRef(jni, cls);
}

/* The field of a site, made when first asked for; the mutex is held. */
static struct field *field_of(JNIEnv *jni, jobject o, uint32_t site) {
    const struct site *s = sites_get(site);
    if (by_site[site] != NULL) return by_site[site];
    for (size_t i = 0; i < n_fields; i++) {
        if (strcmp(fields[i]->name, s->field) == 0 && strcmp(fields[i]->owner, s->owner) == 0)
            return by_site[site] = fields[i];
    }
    if (n_fields == cap_fields) {
        size_t cap = cap_fields == 0 ? 256 : cap_fields * 2;
        struct field **more = realloc(fields, cap * sizeof *more);
        if (more == NULL) return NULL;
        fields = more;
        cap_fields = cap;
    }
    struct field *f = calloc(1, sizeof *f);
    if (f == NULL) return NULL;
    f->owner = s->owner;
    f->name = s->field;
    f->is_static = s->kind == SITE_STATIC;
    if (!f->is_static) find_locks(jni, f, o);
    fields[n_fields++] = f;
    return by_site[site] = f;
}

/* The object's sample, a new one while there is room; NULL if it is none. */
static struct sample *sample_of(JNIEnv *jni, struct field *f, jobject o) {
    for (unsigned i = 0; i < f->n_samples; i++) {
        if ((*jni)->IsSameObject(jni, f->samples[i].object, o)) return &f->samples[i];
    }
    if (f->n_samples == SAMPLES) return NULL;
    jweak ref = (*jni)->NewWeakGlobalRef(jni, o);
    if (ref == NULL) {
        (*jni)->ExceptionClear(jni);
        return NULL;
    }
    struct sample *s = &f->samples[f->n_samples++];
    *s = (struct sample){.object = ref, .held = UINT16_MAX};
    return s;
}

/* ---- accesses ---- */

static bool holds(JNIEnv *jni, jobject lock) {
    return lock != NULL && (*jni)->CallStaticBooleanMethod(jni, thread_class, holds_lock, lock);
}

static uint16_t locks_held(JNIEnv *jni, const struct field *f, jobject o) {
    if (f->is_static) return holds(jni, o) ? 2 : 0;
    jclass cls = (*jni)->GetObjectClass(jni, o);
    uint16_t held = (uint16_t)(holds(jni, o) | holds(jni, cls) << 1);
    (*jni)->DeleteLocalRef(jni, cls);
    if (!(*jni)->IsInstanceOf(jni, o, f->cls)) return held;
    for (unsigned i = 0; i < f->n_locks; i++) {
        jobject lock = (*jni)->GetObjectField(jni, o, f->lock_fields[i]);
        held |= (uint16_t)(holds(jni, lock) << (i + 2));
        (*jni)->DeleteLocalRef(jni, lock);
    }
    return held;
}

void discover_access(JNIEnv *jni, uint64_t thread, jobject o, uint32_t site) {
    const struct site *s = sites_get(site);
    if (o == NULL || site > SITE_MAX || (s->kind != SITE_INSTANCE && s->kind != SITE_STATIC)) return;
    pthread_mutex_lock(&mutex);
    struct field *f = field_of(jni, o, site);
    struct sample *sample = f == NULL || f->looks >= LOOKS ? NULL : sample_of(jni, f, o);
    if (sample != NULL) f->looks++;
    bool shared = false;
    if (sample != NULL) {
        if (sample->first == 0) sample->first = thread + 1;
        shared = sample->shared |= sample->first != thread + 1;
    }
    pthread_mutex_unlock(&mutex);
    if (!shared) return;
    uint16_t held = locks_held(jni, f, o); /* calls into Java, so not under the mutex */
    pthread_mutex_lock(&mutex);
    sample->held &= held;
    sample->written |= s->is_write;
    pthread_mutex_unlock(&mutex);
}

/* ---- the result ---- */

/* What all samples agree on; false if nothing. */
static bool owner_of(const struct field *f, char *text, size_t size, unsigned *n_shared) {
    uint16_t held = UINT16_MAX;
    bool written = false;
    *n_shared = 0;
    for (unsigned i = 0; i < f->n_samples; i++) {
        *n_shared += f->samples[i].shared;
        written |= f->samples[i].written;
        if (f->samples[i].shared) held &= f->samples[i].held;
    }
    char cls[400];
    report_class_name(f->owner, cls, sizeof cls);
    if (*n_shared == 0) {
        snprintf(text, size, "thisThread");
    } else if (!written) {
        snprintf(text, size, "readonly");
    } else if ((held & 1) != 0) {
        snprintf(text, size, "self");
    } else if ((held & 2) != 0) {
        snprintf(text, size, "%s.class", cls);
    } else {
        unsigned i = 0;
        while (i < f->n_locks && (held >> (i + 2) & 1) == 0) i++;
        if (i == f->n_locks) return false;
        snprintf(text, size, "this.%s", f->lock_names[i]);
    }
    return true;
}

void discover_owners(void (*emit)(struct json *line)) {
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < n_fields; i++) {
        const struct field *f = fields[i];
        char owner[500], cls[400];
        unsigned shared;
        if (!owner_of(f, owner, sizeof owner, &shared)) continue;
        report_class_name(f->owner, cls, sizeof cls);
        struct json j = {0};
        json_raw(&j, "{");
        json_pair_string(&j, "type", RESULT_OWNER);
        json_pair_string(&j, "class", cls);
        json_pair_string(&j, "field", f->name);
        json_pair_string(&j, "owner", owner);
        json_pair_int(&j, "objects", f->n_samples);
        json_pair_int(&j, "shared", shared);
        json_pair_int(&j, "accesses", f->looks);
        json_raw(&j, "}");
        emit(&j);
        json_release(&j);
    }
    pthread_mutex_unlock(&mutex);
}
