#include "boundary.h"

#include "agent.h"
#include "apppath.h"
#include "bridge.h"
#include "planuse.h"
#include "results.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic bool told_strangers, broken;

void boundary_stranger(JNIEnv *jni, const char *name) {
    planuse_stranger(name);
    if (!planuse_requires_locks() || atomic_exchange(&told_strangers, true)) return;
    agent_log("%s is not in the plan: calls of methods that require locks are looked at", name);
    bridge_set_flag(jni, "strangers", true);
}

bool boundary_broken(void) {
    return atomic_load_explicit(&broken, memory_order_relaxed);
}

/* ---- who called ---- */

/* "Lpkg/C;" -> "pkg/C", malloc'ed by the VM; NULL if it is no class or has no name of its own (lambdas). */
static char *class_name(jclass cls) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    char *name = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, cls, &name, NULL) != JVMTI_ERROR_NONE) return NULL;
    size_t n = strlen(name);
    if (name[0] == 'L' && strchr(name, '.') == NULL) {
        memmove(name, name + 1, n - 1);
        name[n - 2] = '\0';
        return name;
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    return NULL;
}

/* Frames: the native method, RaceBoundary.entered, the method itself, then its caller. */
enum { CALLER = 3, LOOK = 4 };

/* The class of the nearest caller that has a name; NULL if it is one that the plan knows, or nobody. */
static char *unknown_caller(JNIEnv *jni) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    jvmtiFrameInfo frames[LOOK];
    jint n = 0;
    if ((*jvmti)->GetStackTrace(jvmti, NULL, CALLER, LOOK, frames, &n) != JVMTI_ERROR_NONE) return NULL;
    for (jint i = 0; i < n; i++) {
        jclass cls = NULL;
        if ((*jvmti)->GetMethodDeclaringClass(jvmti, frames[i].method, &cls) != JVMTI_ERROR_NONE) return NULL;
        char *name = class_name(cls);
        (*jni)->DeleteLocalRef(jni, cls);
        if (name == NULL) continue;
        if (!planuse_knows(name)) return name;
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
        return NULL;
    }
    return NULL;
}

/* ---- falling back ---- */

/* Gives the VM the class as it was analysed; the class hook then rewrites it with all its checks. */
static bool rewrite_again(jclass cls, const char *name) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    size_t size;
    bool stale;
    uint8_t *bytes = apppath_read((struct cf_str){name, (uint32_t)strlen(name)}, &size);
    if (bytes == NULL) return false;
    jvmtiClassDefinition definition = {cls, (jint)size, bytes};
    bool ok = planuse_class(name, bytes, size, &stale) != NULL &&
              jvmti_ok((*jvmti)->RedefineClasses(jvmti, 1, &definition), name);
    free(bytes);
    return ok;
}

static unsigned rewrite_all(JNIEnv *jni) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    jvmtiCapabilities caps = {0};
    jclass *classes = NULL;
    jint n = 0;
    unsigned done = 0;
    caps.can_redefine_classes = 1;
    if (!jvmti_ok((*jvmti)->AddCapabilities(jvmti, &caps), "redefinition") ||
        !jvmti_ok((*jvmti)->GetLoadedClasses(jvmti, &n, &classes), "loaded classes"))
        return 0;
    for (jint i = 0; i < n; i++) {
        char *name = class_name(classes[i]);
        if (name != NULL && planuse_knows(name)) done += rewrite_again(classes[i], name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
        (*jni)->DeleteLocalRef(jni, classes[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
    return done;
}

static void fall_back(JNIEnv *jni, struct breach *b) {
    b->n_stack = stacks_capture(b->stack);
    bridge_set_flag(jni, "strangers", false);
    bridge_set_flag(jni, "astray", true);
    b->classes = rewrite_all(jni);
    results_breach(b);
}

void JNICALL boundary_unreached(JNIEnv *jni, jclass cls, jint method) {
    (void)cls;
    if (atomic_exchange(&broken, true)) return;
    struct breach b = {0};
    planuse_method((uint32_t)method, &b.class_name, &b.method);
    fall_back(jni, &b);
}

void JNICALL boundary_unguarded(JNIEnv *jni, jclass cls, jint requirement) {
    (void)cls;
    if (boundary_broken()) return;
    char *caller = unknown_caller(jni);
    if (caller == NULL) return;
    if (!atomic_exchange(&broken, true)) {
        struct breach b = {.caller = caller};
        planuse_requirement((uint32_t)requirement - 1, &b.class_name, &b.method, &b.lock);
        fall_back(jni, &b);
    }
    (*the_agent.jvmti)->Deallocate(the_agent.jvmti, (unsigned char *)caller);
}
