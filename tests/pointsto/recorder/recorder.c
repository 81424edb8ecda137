/*
 * librecorder.so: a JVMTI agent that logs which methods call which, and which allocation sites' objects are
 * stored where, while a program runs.  Option: the file to write.  The format is in tables.h.
 *
 * Every class that has a file is rewritten, the JDK's too (those loaded before VMInit by retransformation),
 * to call RaceRecorder, whose methods are the natives below.  They run no Java code, so nothing recurs.
 *
 *  - Calls: a call notes its site in a variable of the thread; the method that is entered next takes it. That
 *    the two belong together is checked on the stack, once for each pair: if other frames lie in between (a
 *    native method, reflection, function objects), or the VM itself calls, the chain of callers is logged.
 *    What the VM calls to load classes and to link invokedynamic is left out, with all that it calls in turn.
 *  - Objects: each carries its site's number as JVMTI tag, from Object's constructor on.  Which site is being
 *    constructed is known from a stack of the constructor calls that have not returned.  Objects that native
 *    code makes (clones, strings of constants, reflection) have no tag and are left out.
 */
#include "instrument.h"
#include "tables.h"

#include <jvmti.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    CACHE = 4096,       /* entries per thread; a power of two */
    MAX_PENDING = 4096, /* nested constructor calls */
    LOOK_BACK = 8       /* constructor calls that exceptions may have left on the stack */
};
#define CLASS_TAG (INT64_C(1) << 40) /* tags of Class objects: this and the number of the class's name */

struct pending {
    uint32_t made, cls;
    bool tagged;
};

struct thread_state {
    uint32_t site; /* of the call that was announced, or 0 */
    jint upcall; /* stack depth of the VM's own call that the thread is in, or 0: nothing is recorded then */
    unsigned depth;
    struct pending pending[MAX_PENDING];
    uint64_t calls[CACHE], stores[CACHE]; /* seen; hashed by what they hold */
};

static jvmtiEnv *jvmti;
static char *log_path;
static atomic_bool recording; /* from the program's main method on; objects are tagged before */
static _Thread_local struct thread_state *mine;

static struct thread_state *state(void) {
    if (mine == NULL) mine = calloc(1, sizeof *mine);
    if (mine == NULL) abort();
    return mine;
}

/* True if the thread has seen the key lately. */
static bool seen(uint64_t *cache, uint64_t key) {
    uint64_t *at = &cache[(key * UINT64_C(0x9E3779B97F4A7C15)) >> 52];
    if (*at == key) return true;
    *at = key;
    return false;
}

/* ---- calls ---- */

static uint32_t method_of(jmethodID id) {
    char *name = NULL, *desc = NULL, *sig = NULL;
    jclass cls = NULL;
    jboolean native = JNI_FALSE;
    uint32_t number = 0;
    if ((*jvmti)->GetMethodName(jvmti, id, &name, &desc, NULL) == JVMTI_ERROR_NONE &&
        (*jvmti)->GetMethodDeclaringClass(jvmti, id, &cls) == JVMTI_ERROR_NONE &&
        (*jvmti)->GetClassSignature(jvmti, cls, &sig, NULL) == JVMTI_ERROR_NONE) {
        (*jvmti)->IsMethodNative(jvmti, id, &native);
        bool hidden = strchr(sig, '.') != NULL; /* Lx/Y.0x1234; */
        number = tables_method(tables_text(sig + 1, strlen(sig) - 2), tables_text(name, strlen(name)),
                               tables_text(desc, strlen(desc)), native, hidden);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)desc);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)sig);
    return number;
}

/* Frames that only pass a call on. */
static bool is_machinery(struct rec_method m) {
    static const char *const packages[] = {"java/lang/reflect/", "jdk/internal/reflect/"};
    if (m.is_native || m.is_hidden || instrument_skips_class(m.cls)) return true;
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (strncmp(m.cls, packages[i], strlen(packages[i])) == 0) return true;
    return instrument_skips_method(m.cls, m.name, m.desc);
}

/* The first time that this site's call enters this method: what does the stack say? */
static void first_call(uint32_t site, uint32_t method) {
    enum { BELOW = 2 }; /* RaceRecorder.enter and the method itself */
    jvmtiFrameInfo frames[REC_MAX_CHAIN];
    jint n = 0;
    uint32_t chain[REC_MAX_CHAIN];
    unsigned length = 0;
    (*jvmti)->GetStackTrace(jvmti, NULL, BELOW, REC_MAX_CHAIN, frames, &n);
    for (jint i = 0; i < n; i++) {
        uint32_t caller = method_of(frames[i].method);
        if (caller == 0) break;
        if (i == 0 && site != 0 && tables_site_at(site).method == caller) {
            tables_call(site, method);
            return;
        }
        chain[length++] = caller;
        if (!is_machinery(tables_method_at(caller))) break;
    }
    tables_via(method, chain, length);
}

/*
 * Whether the thread is inside a call that the VM made to load or link something.  `entering`: the frame
 * below the hook's is of a method that was just entered, so one as deep as the VM's call is another that came
 * after it.
 */
static bool in_upcall(struct thread_state *t, bool entering) {
    jint depth = 0;
    if (t->upcall == 0) return false;
    (*jvmti)->GetFrameCount(jvmti, NULL, &depth);
    if (depth - 1 < t->upcall + (entering ? 1 : 0)) t->upcall = 0; /* it has returned */
    return t->upcall != 0;
}

/* The launcher calls main() from native code: nothing is below it. */
static bool starts_program(uint32_t method) {
    jint depth = 0;
    tables_lock();
    struct rec_method m = tables_method_at(method);
    tables_unlock();
    if (strcmp(m.name, "main") != 0 || strcmp(m.desc, "([Ljava/lang/String;)V") != 0) return false;
    (*jvmti)->GetFrameCount(jvmti, NULL, &depth);
    if (depth != 2) return false; /* RaceRecorder.enter and main */
    atomic_store(&recording, true);
    return true;
}

static void JNICALL on_call(JNIEnv *jni, jclass self, jint site) {
    (void)jni, (void)self;
    state()->site = (uint32_t)site;
}

static void JNICALL on_enter(JNIEnv *jni, jclass self, jint method) {
    (void)jni, (void)self;
    struct thread_state *t = state();
    uint32_t site = t->site;
    t->site = 0;
    if (!atomic_load(&recording) && !starts_program((uint32_t)method)) return;
    if (in_upcall(t, true) || seen(t->calls, (uint64_t)site << 32 | (uint32_t)method)) return;
    (*jni)->PushLocalFrame(jni, 2 * REC_MAX_CHAIN);
    tables_lock();
    if (tables_is_new_call(site, (uint32_t)method)) first_call(site, (uint32_t)method);
    tables_unlock();
    (*jni)->PopLocalFrame(jni, NULL);
}

static void JNICALL on_enter_upcall(JNIEnv *jni, jclass self, jint method, jboolean always) {
    struct thread_state *t = state();
    bool asked = false;
    if (t->site != 0 && !always) {
        tables_lock();
        asked = tables_site_at(t->site).name == tables_method_name((uint32_t)method);
        tables_unlock();
    }
    if (asked) {
        on_enter(jni, self, method);
    } else if (!in_upcall(t, true)) {
        jint depth = 0;
        (*jvmti)->GetFrameCount(jvmti, NULL, &depth);
        t->upcall = depth - 1;
    }
}

/* ---- objects ---- */

static void JNICALL on_construct(JNIEnv *jni, jclass self, jint site, jint made) {
    (void)jni, (void)self;
    struct thread_state *t = state();
    t->site = (uint32_t)site;
    if (t->depth == MAX_PENDING) t->depth = 0; /* left by exceptions */
    tables_lock();
    uint32_t cls = tables_site_at((uint32_t)made).cls;
    tables_unlock();
    t->pending[t->depth++] = (struct pending){.made = (uint32_t)made, .cls = cls};
}

/* Number of the name of the object's class. */
static uint32_t class_of(JNIEnv *jni, jobject o) {
    jclass cls = (*jni)->GetObjectClass(jni, o);
    jlong tag = 0;
    char *sig = NULL;
    (*jvmti)->GetTag(jvmti, cls, &tag);
    if (tag < CLASS_TAG && (*jvmti)->GetClassSignature(jvmti, cls, &sig, NULL) == JVMTI_ERROR_NONE) {
        tables_lock();
        tag = CLASS_TAG + tables_text(sig + 1, strlen(sig) - 2);
        tables_unlock();
        (*jvmti)->SetTag(jvmti, cls, tag);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)sig);
    }
    (*jni)->DeleteLocalRef(jni, cls);
    return (uint32_t)(tag - CLASS_TAG);
}

static void JNICALL on_born(JNIEnv *jni, jclass self, jobject o) {
    (void)self;
    struct thread_state *t = state();
    t->site = 0;
    if (t->depth == 0) return;
    uint32_t cls = class_of(jni, o);
    for (unsigned i = 0; i < LOOK_BACK && i < t->depth; i++) {
        struct pending *p = &t->pending[t->depth - 1 - i];
        if (p->cls != cls || p->tagged) continue;
        p->tagged = true;
        (*jvmti)->SetTag(jvmti, o, p->made);
        return;
    }
}

static void JNICALL on_constructed(JNIEnv *jni, jclass self, jobject o, jint made) {
    (void)jni, (void)self;
    struct thread_state *t = state();
    unsigned depth = t->depth;
    while (depth > 0 && t->pending[depth - 1].made != (uint32_t)made) depth--;
    if (depth == 0) return;
    t->depth = depth - 1;
    /* Constructors of classes that could not be rewritten do not tell. */
    if (!t->pending[t->depth].tagged && o != NULL) (*jvmti)->SetTag(jvmti, o, made);
}

static void JNICALL on_made(JNIEnv *jni, jclass self, jobject o, jint site) {
    (void)jni, (void)self;
    if (o != NULL) (*jvmti)->SetTag(jvmti, o, site);
}

static uint32_t tag_of(jobject o) {
    jlong tag = 0;
    if (o != NULL) (*jvmti)->GetTag(jvmti, o, &tag);
    return tag > 0 && tag < CLASS_TAG ? (uint32_t)tag : 0;
}

static void add_store(struct thread_state *t, uint32_t holder, uint32_t value, uint32_t site) {
    uint64_t key = ((uint64_t)holder << 42) ^ ((uint64_t)value << 21) ^ site;
    if (seen(t->stores, key)) return;
    tables_lock();
    tables_heap(holder, tables_site_at(site).field, value, site);
    tables_unlock();
}

static void JNICALL on_store(JNIEnv *jni, jclass self, jobject holder, jobject value, jint site) {
    (void)jni, (void)self;
    struct thread_state *t = state();
    if (!atomic_load(&recording) || in_upcall(t, false)) return;
    uint32_t v = tag_of(value), h = tag_of(holder);
    if (v != 0 && (h != 0 || holder == NULL)) add_store(t, h, v, (uint32_t)site);
}

static void JNICALL on_store_early(JNIEnv *jni, jclass self, jobject value, jint site) {
    (void)jni, (void)self;
    struct thread_state *t = state();
    if (!atomic_load(&recording) || in_upcall(t, false)) return;
    uint32_t v = tag_of(value);
    if (v == 0 || t->depth == 0) return;
    const struct pending *p = &t->pending[t->depth - 1];
    tables_lock();
    bool same = tables_site_at((uint32_t)site).cls == p->cls;
    tables_unlock();
    if (same) add_store(t, p->made, v, (uint32_t)site);
}

/* ---- the VM's life ---- */

/* RECORDER_HELPER is the compiled class. */
__asm__(".section .rodata\n.balign 8\nrecorder_helper:\n.incbin \"" RECORDER_HELPER "\"\n"
        "recorder_helper_end:\n.previous\n");
extern const uint8_t recorder_helper[], recorder_helper_end[];

static void die(const char *what) {
    fprintf(stderr, "recorder: %s\n", what);
    exit(1);
}

static void JNICALL on_class(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
                             jobject domain, jint len, const unsigned char *bytes, jint *new_len,
                             unsigned char **new_bytes) {
    (void)jni, (void)redefined, (void)loader, (void)domain;
    struct cfe_buf out = {0};
    unsigned char *copy = NULL;
    if (name == NULL || strcmp(name, RECORDER_CLASS) == 0 || instrument_skips_class(name)) return;
    if (instrument_class(bytes, (size_t)len, &out) &&
        (*env)->Allocate(env, (jlong)out.n, &copy) == JVMTI_ERROR_NONE) {
        memcpy(copy, out.p, out.n);
        *new_bytes = copy;
        *new_len = (jint)out.n;
    }
    cfe_buf_release(&out);
}

static void JNICALL on_start(jvmtiEnv *env, JNIEnv *jni) {
    (void)env;
    static const JNINativeMethod natives[] = {
        {"call", "(I)V", (void *)on_call},
        {"enter", "(I)V", (void *)on_enter},
        {"enterUpcall", "(IZ)V", (void *)on_enter_upcall},
        {"construct", "(II)V", (void *)on_construct},
        {"born", "(Ljava/lang/Object;)V", (void *)on_born},
        {"constructed", "(Ljava/lang/Object;I)V", (void *)on_constructed},
        {"made", "(Ljava/lang/Object;I)V", (void *)on_made},
        {"store", "(Ljava/lang/Object;Ljava/lang/Object;I)V", (void *)on_store},
        {"storeEarly", "(Ljava/lang/Object;I)V", (void *)on_store_early},
    };
    jclass cls = (*jni)->DefineClass(jni, RECORDER_CLASS, NULL, (const jbyte *)recorder_helper,
                                     (jsize)(recorder_helper_end - recorder_helper));
    if (cls == NULL) die("cannot define the helper class");
    if ((*jni)->RegisterNatives(jni, cls, natives, sizeof natives / sizeof *natives) != 0)
        die("cannot bind the helper class");
}

static void JNICALL on_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)jni, (void)thread;
    jclass *classes = NULL;
    jint n = 0, kept = 0;
    (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    if ((*env)->GetLoadedClasses(env, &n, &classes) != JVMTI_ERROR_NONE) die("cannot list the classes");
    for (jint i = 0; i < n; i++) {
        jboolean yes = JNI_FALSE;
        (*env)->IsModifiableClass(env, classes[i], &yes);
        if (yes) classes[kept++] = classes[i];
    }
    if ((*env)->RetransformClasses(env, kept, classes) != JVMTI_ERROR_NONE)
        die("cannot rewrite the JDK's classes");
    (*env)->Deallocate(env, (unsigned char *)classes);
}

static void JNICALL on_death(jvmtiEnv *env, JNIEnv *jni) {
    (void)env, (void)jni;
    atomic_store(&recording, false);
    FILE *out = fopen(log_path, "w");
    if (out == NULL) die("cannot write the log");
    tables_lock();
    tables_write(out);
    tables_unlock();
    if (fclose(out) != 0) die("cannot write the log");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    jvmtiCapabilities caps = {0};
    jvmtiEventCallbacks cb = {
        .VMStart = on_start, .VMInit = on_init, .VMDeath = on_death, .ClassFileLoadHook = on_class};
    caps.can_generate_all_class_hook_events = 1;
    caps.can_generate_early_vmstart = 1;
    caps.can_retransform_classes = 1;
    caps.can_retransform_any_class = 1;
    caps.can_tag_objects = 1;
    if (options == NULL || *options == '\0') die("say where to write: -agentpath:librecorder.so=FILE");
    log_path = strdup(options);
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) die("this VM has no JVMTI 11");
    if ((*jvmti)->AddCapabilities(jvmti, &caps) != JVMTI_ERROR_NONE) die("a capability is missing");
    (*jvmti)->SetEventCallbacks(jvmti, &cb, sizeof cb);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_START, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
    return JNI_OK;
}
