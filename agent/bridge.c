#include "bridge.h"

#include "boundary.h"
#include "agent.h"
#include "discover.h"
#include "frozen.h"
#include "json.h"
#include "lockkeys.h"
#include "planuse.h"
#include "race/checker.h"
#include "report.h"
#include "results.h"
#include "sites.h"
#include "spans.h"
#include "stacks.h"
#include "tests.h"
#include "values.h"
#include "watch.h"
#include "words.h"

#include <sched.h> /* sched_yield */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The kinds of access of RaceAccess.java. */
enum { ACCESS_READ = 0, ACCESS_WRITE = 1, ACCESS_WRITE_OVER_READS = 2, ACCESS_READ_OPEN = 3 };

static struct checker *checker;

/* Filled by bridge_register() before any Java code runs. */
static jclass thread_state_class, hooks_class, epoch_class;
static jmethodID thread_state_new;

/* What the thread is checking right now, for on_race(): it runs inside conflict(). */
static __thread struct {
    JNIEnv *jni;
    jobject object; /* as it is shown */
    jobject holder; /* of the variable's value: the object, the class of a static field, the array */
} current;

static struct ck_thread *peer_of(jlong peer) {
    return (struct ck_thread *)(uintptr_t)peer;
}

/* ---- describing a race ---- */

/* The class of an object in source form, "int[]" for arrays; "?" if it cannot be had.  The class of a
   class is itself: it stands for an object that is not at hand. */
static void class_of(JNIEnv *jni, jobject o, char *buf, size_t size) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    char *signature = NULL;
    snprintf(buf, size, "?");
    jclass cls = o == NULL ? NULL : (*jni)->GetObjectClass(jni, o);
    if (cls == NULL) return;
    jclass of_class = (*jni)->GetObjectClass(jni, cls);
    if ((*jni)->IsSameObject(jni, of_class, cls)) cls = (*jni)->NewLocalRef(jni, o);
    (*jni)->DeleteLocalRef(jni, of_class);
    if (cls == NULL) return;
    if ((*jvmti)->GetClassSignature(jvmti, cls, &signature, NULL) == JVMTI_ERROR_NONE) {
        report_type_name(signature, buf, size);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    }
    (*jni)->DeleteLocalRef(jni, cls);
}

static void describe_field(const struct site *s, struct race_found *r) {
    static const char *const kinds[] = {"instance", "static", "array", "container", "sync"};
    const char *declared = atomic_load(&s->declared_in);
    r->kind = kinds[s->kind];
    if (s->kind == SITE_ARRAY || s->kind == SITE_CONTAINER)
        class_of(current.jni, current.object, r->field, sizeof r->field);
    else
        report_field_name(declared != NULL ? declared : s->owner, s->field, r->field, sizeof r->field);
}

static void describe_lock(const struct ck_held *held, struct found_lock *out) {
    const char *name = lockkeys_class(held->key);
    snprintf(out->class_name, sizeof out->class_name, "%s", name != NULL ? name : "?");
    out->acquired[0] = '\0';
    if (held->site != 0) report_site_frame(held->site, out->acquired, sizeof out->acquired);
}

static void describe_access(const struct ck_access *a, struct found_access *out) {
    out->is_write = a->write;
    out->site = a->site;
    snprintf(out->thread, sizeof out->thread, "%s", a->thread_name);
    out->n_created = ck_stack_frames(checker, a->created_at, out->created, STACK_DEPTH);
    if (out->n_created > STACK_DEPTH) out->n_created = STACK_DEPTH;
    out->n_stack = ck_stack_frames(checker, a->stack, out->stack, STACK_DEPTH);
    if (out->n_stack > STACK_DEPTH) out->n_stack = STACK_DEPTH;
    out->locks_known = a->locks_known;
    for (uint32_t i = 0; i < a->lock_count && out->n_locks < 8; i++)
        describe_lock(&a->locks[i], &out->locks[out->n_locks++]);
}

static void on_race(void *arg, const struct ck_race *race) {
    (void)arg;
    if (the_agent.dying) return;
    struct race_found *r = calloc(1, sizeof *r);
    if (r == NULL) return;
    r->number = race->number;
    describe_field(sites_get(race->now.site), r);
    describe_access(&race->now, &r->now);
    r->now.n_stack = stacks_capture_at(r->now.stack, race->now.site);
    describe_access(&race->earlier, &r->earlier);
    values_now(current.jni, current.holder, race->now.site, (jint)race->where.index, r->value,
               sizeof r->value);
    tests_get(r->test, sizeof r->test);
    bool shown = results_race(r);
    free(r);
    if (shown && the_agent.options.halt_on_error) {
        results_close();
        _exit(RACE_EXIT_RACES);
    }
}

/* ---- threads ---- */

static void thread_name(JNIEnv *jni, jobject thread, char *buf, size_t size) {
    buf[0] = '\0';
    jclass cls = (*jni)->GetObjectClass(jni, thread);
    jfieldID field = (*jni)->GetFieldID(jni, cls, "name", "Ljava/lang/String;");
    jstring name = field == NULL ? NULL : (*jni)->GetObjectField(jni, thread, field);
    if (name != NULL) {
        const char *utf = (*jni)->GetStringUTFChars(jni, name, NULL);
        if (utf != NULL) {
            snprintf(buf, size, "%s", utf);
            (*jni)->ReleaseStringUTFChars(jni, name, utf);
        }
        (*jni)->DeleteLocalRef(jni, name);
    }
    (*jni)->ExceptionClear(jni);
    (*jni)->DeleteLocalRef(jni, cls);
}

static jobject make_thread(JNIEnv *jni, struct ck_thread *parent, jobject thread) {
    char name[64];
    thread_name(jni, thread, name, sizeof name);
    struct ck_thread_info info = {.name = name};
    if (parent != NULL) {
        uint64_t frames[STACK_DEPTH];
        size_t n = stacks_capture(frames);
        info.created_at = ck_stack_intern(checker, frames, n);
    }
    struct ck_thread *t = ck_thread_start(checker, parent, &info);
    if (t == NULL) return NULL;
    return (*jni)->NewObject(jni, thread_state_class, thread_state_new, (jlong)(uintptr_t)t,
                             (jlong)(uintptr_t)t->table, (jlong)(uintptr_t)t->hard_table);
}

static jobject JNICALL hook_start(JNIEnv *jni, jclass cls, jlong parent, jobject child) {
    (void)cls;
    return make_thread(jni, peer_of(parent), child);
}

/* A thread that Java did not start: main, threads of the VM, threads attached through JNI. */
static jobject JNICALL hook_attach(JNIEnv *jni, jclass cls, jobject thread) {
    (void)cls;
    if (the_agent.dying) return NULL;
    jclass thread_class = (*jni)->GetObjectClass(jni, thread);
    jfieldID field = (*jni)->GetFieldID(jni, thread_class, "$race", "Ljava/lang/Object;");
    jobject state = field == NULL ? NULL : make_thread(jni, NULL, thread);
    if (state != NULL) (*jni)->SetObjectField(jni, thread, field, state);
    (*jni)->ExceptionClear(jni);
    return state;
}

static jlong JNICALL hook_end(JNIEnv *jni, jclass cls, jlong peer, jboolean daemon) {
    (void)jni, (void)cls;
    uint64_t word = ck_thread_end(peer_of(peer));
    if (!daemon) ck_thread_awaited(checker, word);
    return (jlong)word;
}

static void JNICALL hook_acquire_awaited(JNIEnv *jni, jclass cls, jlong peer) {
    (void)jni, (void)cls;
    ck_acquire_awaited(peer_of(peer));
}

static void JNICALL hook_give_way(JNIEnv *jni, jclass cls) {
    (void)jni, (void)cls;
    sched_yield();
}

/* ---- clocks and accesses: thin calls ---- */

static jlong JNICALL hook_site_table(JNIEnv *jni, jclass cls) {
    (void)jni, (void)cls;
    return (jlong)(uintptr_t)sites_offset_table();
}

/* What a class of java.util.concurrent published with its volatiles, it handed over: a task, a result, an
 * element. Atomic variables are the program's own volatiles. */
static enum ck_edge edge_of(uint64_t word, enum ck_edge edge) {
    static const char folder[] = "java/util/concurrent/", atomic[] = "java/util/concurrent/atomic/";
    if (edge != CK_BY_VOLATILE || ck_word_is_set(word) || ck_word_site(word) == 0) return edge;
    const char *name = sites_get(ck_word_site(word))->class_name;
    bool hands_over =
        strncmp(name, folder, sizeof folder - 1) == 0 && strncmp(name, atomic, sizeof atomic - 1) != 0;
    return hands_over ? CK_BY_HANDOFF : edge;
}

static void JNICALL hook_acquire(JNIEnv *jni, jclass cls, jlong peer, jlong word, jint edge) {
    (void)jni, (void)cls;
    ck_acquire(peer_of(peer), (uint64_t)word, edge_of((uint64_t)word, (enum ck_edge)edge));
}

static void JNICALL hook_acquire_all(JNIEnv *jni, jclass cls, jlong peer) {
    (void)jni, (void)cls;
    ck_acquire_all(peer_of(peer));
}

static jlong JNICALL hook_release(JNIEnv *jni, jclass cls, jlong peer, jlong word, jboolean blind,
                                  jint site) {
    (void)jni, (void)cls;
    return (jlong)ck_release(peer_of(peer), (uint64_t)word, blind ? CK_RELEASE_BLIND : CK_RELEASE_OVER,
                             (uint32_t)site);
}

static void JNICALL hook_dropped(JNIEnv *jni, jclass cls, jlong peer, jlong word) {
    (void)jni, (void)cls;
    ck_word_dropped(peer_of(peer), (uint64_t)word);
}

static jlong JNICALL hook_read_step(JNIEnv *jni, jclass cls, jlong peer, jlong word, jint site) {
    (void)jni, (void)cls;
    return (jlong)ck_read_step(peer_of(peer), (uint64_t)word, (uint32_t)site);
}

/*
 * What a constructor stores into an array or collection that a final field then refers to is frozen with that
 * field (JLS 17.5): whoever reaches it through the object sees it, however the object was published.
 * RaceFrozen follows publications that are races.  For the others, such as opaque stores and those in code
 * that is not checked, there is only this: which field the array is in is not known here, so all that
 * constructors of classes with final references store counts as frozen.
 */
static bool is_frozen(uint64_t word, uint32_t site) {
    const struct site *now = sites_get(site), *earlier = sites_get(ck_word_site(word));
    return earlier->freezes && earlier->is_write && !now->is_write && earlier->kind == now->kind &&
           (now->kind == SITE_ARRAY || now->kind == SITE_CONTAINER);
}

static jlong JNICALL hook_conflict(JNIEnv *jni, jclass cls, jlong peer, jlong word, jint kind, jobject o,
                                   jobject shown, jint site, jint index) {
    (void)cls;
    struct ck_thread *t = peer_of(peer);
    if (kind == ACCESS_READ && is_frozen((uint64_t)word, (uint32_t)site)) {
        ck_meet_frozen(t, (uint64_t)word, (uint32_t)site);
        return 0;
    }
    /* What a class initialiser did comes before every use of the class. */
    uint64_t end = spans_end_of((uint64_t)word);
    if (end != 0) ck_acquire(t, end, CK_BY_OTHER);
    current.jni = jni;
    current.object = shown;
    current.holder = o;
    struct ck_where where = {.object = 0, .index = index};
    uint64_t result = (uint64_t)word, writer = result;
    bool race = false;
    if (kind == ACCESS_READ || kind == ACCESS_READ_OPEN) {
        race = ck_read_check(t, result, (uint32_t)site, &where);
        if (end == 0) result = 0; /* told */
    } else if (kind == ACCESS_WRITE) {
        race = ck_write_check(t, result, (uint32_t)site, &where);
    } else {
        writer = t->epoch;
        result = ck_write_reads(t, result, (uint32_t)site, &where, &race);
    }
    current.object = current.holder = NULL;
    if (race) frozen_published(jni, o, writer, (uint32_t)site, index, kind == ACCESS_WRITE_OVER_READS);
    return (jlong)result;
}

/* ---- reads that final fields make safe ---- */

static jboolean JNICALL hook_knew(JNIEnv *jni, jclass cls, jlong at, jlong word) {
    (void)jni, (void)cls;
    return ck_knew(checker, (uint64_t)at, (uint64_t)word);
}

static void JNICALL hook_met_frozen(JNIEnv *jni, jclass cls, jlong peer, jlong word, jint site) {
    (void)jni, (void)cls;
    ck_meet_frozen(peer_of(peer), (uint64_t)word, (uint32_t)site);
}

static void JNICALL hook_before(JNIEnv *jni, jclass cls, jlong peer, jint site) {
    (void)jni, (void)cls;
    watch_access(peer_of(peer), (uint32_t)site);
}

static void JNICALL hook_sample(JNIEnv *jni, jclass cls, jlong peer, jobject o, jint site) {
    (void)cls;
    discover_access(jni, peer_of(peer)->id, o, (uint32_t)site);
}

static void JNICALL hook_clinit(JNIEnv *jni, jclass cls, jlong peer, jboolean enter) {
    (void)jni, (void)cls;
    uint64_t word = ck_release(peer_of(peer), 0, CK_RELEASE_OVER, 0);
    if (enter)
        spans_enter(word);
    else
        spans_leave(word);
}

/* ---- arrays ---- */

/* Coarse or shared, as its length says. */
static jsize coarse_words(const struct ck_coarse *c) {
    return c->bits != 0 ? (jsize)CK_SHARED_WORDS(c->bits) : CK_COARSE_WORDS;
}

static void coarse_read(JNIEnv *jni, jlongArray from, struct ck_coarse *to) {
    jsize length = (*jni)->GetArrayLength(jni, from);
    to->bits = length == CK_SHARED_WORDS(CK_BITS_MAX)     ? CK_BITS_MAX
               : length == CK_SHARED_WORDS(CK_BITS_SHORT) ? CK_BITS_SHORT
                                                          : 0;
    (*jni)->GetLongArrayRegion(jni, from, 0, coarse_words(to), (jlong *)to->words);
}

static jint JNICALL hook_array_step(JNIEnv *jni, jclass cls, jlong peer, jlongArray old, jlongArray next,
                                    jint length, jint lo, jint hi, jint step, jboolean write, jint site) {
    (void)cls;
    struct ck_coarse runs, out;
    if (old != NULL) coarse_read(jni, old, &runs);
    enum ck_array_todo todo =
        ck_array_step(peer_of(peer), old != NULL ? &runs : NULL, &out, (uint32_t)length, (uint32_t)lo,
                      (uint32_t)hi, (uint32_t)step, write, (uint32_t)site);
    if (todo == CK_ARRAY_REPLACE || todo == CK_ARRAY_SHARE)
        (*jni)->SetLongArrayRegion(jni, next, 0, coarse_words(&out), (const jlong *)out.words);
    return (jint)todo;
}

static void JNICALL hook_array_expand(JNIEnv *jni, jclass cls, jlong peer, jlongArray old, jlongArray words) {
    (void)cls;
    enum { PART = 256 };
    struct ck_coarse runs;
    uint64_t out[2 * PART];
    coarse_read(jni, old, &runs);
    uint32_t n = (uint32_t)(*jni)->GetArrayLength(jni, words) / 2;
    for (uint32_t lo = 0; lo < n; lo += PART) {
        uint32_t hi = n - lo < PART ? n : lo + PART;
        ck_array_expand(peer_of(peer), &runs, lo, hi, out);
        (*jni)->SetLongArrayRegion(jni, words, (jsize)(2 * lo), (jsize)(2 * (hi - lo)), (const jlong *)out);
    }
}

/* ---- evidence ---- */

static void JNICALL hook_meet(JNIEnv *jni, jclass cls, jlong peer, jlong word, jint site) {
    (void)jni, (void)cls;
    ck_meet(peer_of(peer), (uint64_t)word, (uint32_t)site);
}

static void JNICALL hook_ran(JNIEnv *jni, jclass cls, jint site) {
    (void)jni, (void)cls;
    ck_site_ran(checker, (uint32_t)site);
}

/* ---- locks ---- */

static jlong JNICALL hook_new_lock(JNIEnv *jni, jclass cls, jobject lock) {
    (void)cls;
    char name[200];
    class_of(jni, lock, name, sizeof name);
    return (jlong)lockkeys_new(name);
}

static void JNICALL hook_taken(JNIEnv *jni, jclass cls, jlong peer, jlong key, jint site) {
    (void)jni, (void)cls;
    if (key != 0) ck_lock_taken(peer_of(peer), (uint64_t)key, false, (uint32_t)site);
}

static void JNICALL hook_given(JNIEnv *jni, jclass cls, jlong peer, jlong key) {
    (void)jni, (void)cls;
    if (key != 0) ck_lock_given(peer_of(peer), (uint64_t)key);
}

static void JNICALL hook_held(JNIEnv *jni, jclass cls, jlong peer, jlong key) {
    (void)jni, (void)cls;
    if (key != 0) ck_lock_held(peer_of(peer), (uint64_t)key);
}

/* ---- tests ---- */

static void JNICALL hook_test(JNIEnv *jni, jclass cls, jstring test) {
    (void)cls;
    const char *utf = test == NULL ? NULL : (*jni)->GetStringUTFChars(jni, test, NULL);
    tests_set(utf);
    if (utf != NULL) (*jni)->ReleaseStringUTFChars(jni, test, utf);
}

/* ---- set-up ---- */

/* Another one each run, so that repeated runs try other delays. */
static uint64_t confirm_seed(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_nsec << 20 ^ (uint64_t)now.tv_sec ^ (uint64_t)getpid() << 40;
}

bool bridge_init(struct race_error *err) {
    struct ck_config config = {.on_race = on_race,
                               .is_pair = planuse_is_pair,
                               .evidence = the_agent.options.plan != NULL,
                               .history = agent_keeps_history(&the_agent.options),
                               .confirm = the_agent.options.confirm,
                               .confirm_seed = confirm_seed(),
                               /* Few sites are left, so each may have more of the time. */
                               .confirm_decay = the_agent.options.aim != NULL ? 4 : 0,
                               .trail_len = 64, /* RaceLocks.TRAIL_LENGTH */
                               .max_memory = the_agent.options.max_memory};
    checker = ck_new(&config);
    if (checker == NULL) return race_fail(err, "out of memory");
    watch_init(checker);
    return true;
}

#define NATIVE(name, desc, fn)                                                                               \
    { (char *)(name), (char *)(desc), (void *)(fn) }

static const JNINativeMethod epoch_natives[] = {
    NATIVE("attach", "(Ljava/lang/Thread;)Ljava/lang/RaceThread;", hook_attach),
};

static const JNINativeMethod sites_natives[] = {
    NATIVE("siteTable", "()J", hook_site_table),
    NATIVE("ran", "(I)V", hook_ran),
    NATIVE("siteField", "(Ljava/lang/Class;II)Ljava/lang/reflect/Field;", words_site_field),
};

static const JNINativeMethod access_natives[] = {
    NATIVE("readStep", "(JJI)J", hook_read_step),
    NATIVE("conflict", "(JJILjava/lang/Object;Ljava/lang/Object;II)J", hook_conflict),
    NATIVE("meet", "(JJI)V", hook_meet),
    NATIVE("before", "(JI)V", hook_before),
    NATIVE("sample", "(JLjava/lang/Object;I)V", hook_sample),
};

static const JNINativeMethod clocks_natives[] = {
    NATIVE("acquire", "(JJI)V", hook_acquire),
    NATIVE("acquireAll", "(J)V", hook_acquire_all),
    NATIVE("release", "(JJZI)J", hook_release),
    NATIVE("dropped", "(JJ)V", hook_dropped),
};

static const JNINativeMethod gate_natives[] = {
    NATIVE("giveWay", "()V", hook_give_way),
};

static const JNINativeMethod locks_natives[] = {
    NATIVE("newLock", "(Ljava/lang/Object;)J", hook_new_lock),
    NATIVE("taken", "(JJI)V", hook_taken),
    NATIVE("given", "(JJ)V", hook_given),
    NATIVE("held", "(JJ)V", hook_held),
};

static const JNINativeMethod threads_natives[] = {
    NATIVE("start", "(JLjava/lang/Thread;)Ljava/lang/RaceThread;", hook_start),
    NATIVE("end", "(JZ)J", hook_end),
    NATIVE("acquireAwaited", "(J)V", hook_acquire_awaited),
    NATIVE("clinit", "(JZ)V", hook_clinit),
};

static const JNINativeMethod vars_natives[] = {
    NATIVE("layoutField", "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/reflect/Field;",
           words_layout_field),
    NATIVE("wordFields", "(Ljava/lang/Class;)[Ljava/lang/reflect/Field;", words_of_class),
};

static const JNINativeMethod arrays_natives[] = {
    NATIVE("step", "(J[J[JIIIIZI)I", hook_array_step),
    NATIVE("expand", "(J[J[J)V", hook_array_expand),
};

static const JNINativeMethod frozen_natives[] = {
    NATIVE("valueOf", "(Ljava/lang/Object;I)Ljava/lang/Object;", frozen_value_of),
    NATIVE("knew", "(JJ)Z", hook_knew),
    NATIVE("met", "(JJI)V", hook_met_frozen),
};

static const JNINativeMethod links_natives[] = {
    NATIVE("names", "(Ljava/lang/Class;Z)[Ljava/lang/String;", frozen_link_names),
};

static const JNINativeMethod kind_natives[] = {
    NATIVE("hasUse", "(Ljava/lang/Class;)Z", words_has_use),
};

static const JNINativeMethod tests_natives[] = {
    NATIVE("current", "(Ljava/lang/String;)V", hook_test),
};

static const JNINativeMethod boundary_natives[] = {
    NATIVE("unguarded", "(I)V", boundary_unguarded),
    NATIVE("unreached", "(I)V", boundary_unreached),
};

#define ROW(name, natives)                                                                                   \
    { "java/lang/" name, natives, sizeof(natives) / sizeof(natives)[0], NULL }

/* Helper classes with native methods; `cls` is filled by bridge_register(). */
static struct native_class {
    const char *name;
    const JNINativeMethod *natives;
    size_t n;
    jclass cls;
} native_classes[] = {
    ROW("RaceEpoch", epoch_natives),   ROW("RaceSites", sites_natives),
    ROW("RaceAccess", access_natives), ROW("RaceClocks", clocks_natives),
    ROW("RaceLocks", locks_natives),   ROW("RaceThreads", threads_natives),
    ROW("RaceVars", vars_natives),     ROW("RaceArrays", arrays_natives),
    ROW("RaceTests", tests_natives),   ROW("RaceBoundary", boundary_natives),
    ROW("RaceKind", kind_natives),     ROW("RaceGate", gate_natives),
    ROW("RaceFrozen", frozen_natives), ROW("RaceLinks", links_natives),
};
enum { NATIVE_CLASSES = sizeof native_classes / sizeof native_classes[0] };

static bool remember(JNIEnv *jni, jclass cls, jclass *to) {
    *to = (*jni)->NewGlobalRef(jni, cls);
    return *to != NULL;
}

bool bridge_register(JNIEnv *jni, const char *name, jclass cls) {
    for (size_t i = 0; i < NATIVE_CLASSES; i++) {
        struct native_class *c = &native_classes[i];
        if (strcmp(name, c->name) != 0) continue;
        if (!remember(jni, cls, &c->cls)) return false;
        if (c->natives == frozen_natives) frozen_init(c->cls);
    }
    if (strcmp(name, "java/lang/RaceHooks") == 0) return remember(jni, cls, &hooks_class);
    if (strcmp(name, "java/lang/RaceEpoch") == 0) return remember(jni, cls, &epoch_class);
    if (strcmp(name, "java/lang/RaceThread") != 0) return true;
    thread_state_new = (*jni)->GetMethodID(jni, cls, "<init>", "(JJJ)V");
    return thread_state_new != NULL && remember(jni, cls, &thread_state_class);
}

static bool bound;

void bridge_bind_here(JNIEnv *jni) {
    bound = true;
    for (size_t i = 0; i < NATIVE_CLASSES; i++) {
        const struct native_class *c = &native_classes[i];
        bound = bound && (*jni)->RegisterNatives(jni, c->cls, c->natives, (jint)c->n) == 0;
    }
}

/*
 * The VM prints a warning for each native method of a platform class that is bound by anyone but a platform
 * class.  So RaceHooks.bind() loads a class that nothing else uses, and the class hook, which then runs on
 * top of it, does the binding.
 */
static bool bind(JNIEnv *jni) {
    jmethodID m = (*jni)->GetStaticMethodID(jni, hooks_class, "bind", "()V");
    if (m != NULL) (*jni)->CallStaticVoidMethod(jni, hooks_class, m);
    (*jni)->ExceptionClear(jni);
    if (!bound) bridge_bind_here(jni); /* the class was there already: bound with the warnings */
    return bound;
}

void bridge_set_flag(JNIEnv *jni, const char *name, bool value) {
    jfieldID field = (*jni)->GetStaticFieldID(jni, epoch_class, name, "Z");
    if (field != NULL) (*jni)->SetStaticBooleanField(jni, epoch_class, field, value);
}

void bridge_enable(JNIEnv *jni) {
    if (!bind(jni)) {
        fprintf(stderr, "race: cannot bind the helper classes; nothing is checked\n");
        return;
    }
    bridge_set_flag(jni, "evidence", planuse_active());
    bool discovering = the_agent.options.mode == MODE_DISCOVER && discover_init(jni);
    bridge_set_flag(jni, "watching", watch_wanted() || discovering);
    bridge_set_flag(jni, "discovering", discovering);
    bridge_set_flag(jni, "watchingAll", watch_wants_all());
    bridge_set_flag(jni, "ready", true);
}

void bridge_disable(JNIEnv *jni) {
    bridge_set_flag(jni, "ready", false);
    bridge_set_flag(jni, "on", false);
}

struct checker *bridge_checker(void) {
    return checker;
}

void bridge_evidence(void (*emit)(struct json *line)) {
    planuse_evidence(checker, lockkeys_class, emit);
}

void bridge_put_counters(struct json *j) {
    struct ck_counters c = ck_counters_get(checker);
    json_pair_int(j, "threads", (int64_t)c.threads);
    json_pair_int(j, "races_total", (int64_t)c.races_total);
    json_pair_int(j, "checker_bytes", (int64_t)c.bytes);
    json_pair_int(j, "delayed_us", (int64_t)c.delayed_us);
    json_key(j, "degraded");
    json_raw(j, "{");
    json_pair_int(j, "log_folds_hit", (int64_t)c.log_folds_hit);
    json_pair_int(j, "slots_forced", (int64_t)c.slots_forced);
    json_pair_int(j, "threads_crowded", (int64_t)c.threads_crowded);
    json_pair_int(j, "sets_dropped", (int64_t)c.sets_dropped);
    json_pair_int(j, "merges_dropped", (int64_t)c.merges_dropped);
    json_pair_int(j, "arrays_left", (int64_t)c.arrays_left);
    json_pair_int(j, "no_memory", (int64_t)c.no_memory);
    json_raw(j, "}");
}
