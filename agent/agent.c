#include "agent.h"

#include "align.h"
#include "apppath.h"
#include "boundary.h"
#include "bridge.h"
#include "bystanders.h"
#include "embed.h"
#include "jdkimage.h"
#include "planuse.h"
#include "results.h"
#include "sites.h"
#include "suppressed.h"

#include <errno.h>
#include <link.h> /* dl_iterate_phdr */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct agent the_agent;

static FILE *log_file;

void agent_log(const char *fmt, ...) {
    if (log_file == NULL) return;
    va_list ap;
    va_start(ap, fmt);
    vfprintf(log_file, fmt, ap);
    va_end(ap);
    fputc('\n', log_file);
}

bool jvmti_ok(jvmtiError error, const char *what) {
    if (error == JVMTI_ERROR_NONE) return true;
    atomic_fetch_add_explicit(&the_agent.jvmti_errors, 1, memory_order_relaxed);
    agent_log("%s: JVMTI error %d", what, (int)error);
    return false;
}

/* ---- rewriting ---- */

static bool is_helper_class(const char *name) {
    return strncmp(name, "java/lang/Race", 14) == 0;
}

static bool jdk_class(void *ctx, struct cf_str name) {
    (void)ctx;
    return jdkimage_has_package(name);
}

static uint8_t *jdk_bytes(void *ctx, struct cf_str name, size_t *size) {
    (void)ctx;
    return jdkimage_read(name, size);
}

static uint8_t *class_bytes(void *ctx, struct cf_str name, size_t *size) {
    (void)ctx;
    return apppath_read(name, size);
}

static bool wants_accesses(const char *name, bool is_jdk) {
    const struct agent_options *o = &the_agent.options;
    if (o->exclude != NULL && agent_patterns_match(o->exclude, name)) return false;
    if (o->include != NULL) return agent_patterns_match(o->include, name);
    return !is_jdk && !bystander_class(name);
}

/* ---- a class that the plan knows ---- */

struct planned {
    const struct plan_class *cls;
    bool changed;       /* by another agent; then `align` leads back to the class that was analysed */
    struct align align; /* empty otherwise */
};

static uint32_t plan_bci(void *ctx, struct cf_str method, struct cf_str desc, uint32_t bci) {
    const struct planned *p = ctx;
    return p->changed ? align_original(&p->align, method, desc, bci) : bci;
}

static bool plan_words(void *ctx, struct cf_str field) {
    return planuse_wants_words(((const struct planned *)ctx)->cls, field);
}

/* What another agent has inserted is not the program's. */
static bool plan_site(void *ctx, struct cf_str method, struct cf_str desc, uint32_t bci) {
    uint32_t original = plan_bci(ctx, method, desc, bci);
    return original != ALIGN_NONE &&
           planuse_wants_site(((const struct planned *)ctx)->cls, method, desc, original);
}

static void plan_site_added(void *ctx, struct cf_str method, struct cf_str desc, uint32_t bci,
                            uint32_t site) {
    planuse_site_added(bridge_checker(), ((const struct planned *)ctx)->cls, method, desc,
                       plan_bci(ctx, method, desc, bci), site);
}

static const char *plan_required(void *ctx, struct cf_str method, struct cf_str desc, uint32_t i,
                                 uint32_t *number) {
    return planuse_required(((const struct planned *)ctx)->cls, method, desc, i, number);
}

static uint32_t plan_unreached(void *ctx, struct cf_str method, struct cf_str desc) {
    return planuse_unreached(((const struct planned *)ctx)->cls, method, desc);
}

/* In a class without a plan: all that is the program's. */
static bool original_site(void *ctx, struct cf_str method, struct cf_str desc, uint32_t bci) {
    return plan_bci(ctx, method, desc, bci) != ALIGN_NONE;
}

/*
 * A class whose bytes are not those of the analysis, or that has probes in it: changed by another agent, if
 * the class path still has the original.  Sets p->cls if the plan knows that one.
 */
static bool undo_change(struct planned *p, const char *name, const unsigned char *bytes, size_t size) {
    size_t original_size;
    bool stale;
    uint8_t *original = apppath_read((struct cf_str){name, (uint32_t)strlen(name)}, &original_size);
    if (original == NULL) return false;
    p->changed = align_init(&p->align, original, original_size, bytes, size);
    if (p->changed) p->cls = planuse_class(name, original, original_size, &stale);
    free(original);
    return p->changed;
}

static void apply_plan(JNIEnv *jni, const char *name, const unsigned char *bytes, size_t size,
                       struct planned *p, struct rewrite_policy *policy) {
    *p = (struct planned){0};
    if (policy->is_jdk) return;
    bool stale;
    p->cls = planuse_class(name, bytes, size, &stale);
    bool look = policy->accesses && p->cls == NULL;
    if (look && (stale || bystander_probes(bytes, size))) undo_change(p, name, bytes, size);
    if (look && stale && p->cls == NULL) results_stale(name);
    bool in_use = planuse_active() && !mode_is_full(the_agent.options.mode);
    if (in_use && p->cls == NULL && name[0] != '\0') boundary_stranger(jni, name);
    policy->calls_only = in_use && (p->cls == NULL || boundary_broken());
    policy->ctx = p;
    if (p->changed) {
        policy->wants_site = original_site;
        policy->original_bci = plan_bci;
    }
    if (p->cls == NULL) return;
    policy->site_added = plan_site_added;
    if (!in_use) return; /* everything is checked; the plan's pairs get their verdicts all the same */
    policy->wants_words = plan_words;
    policy->wants_site = boundary_broken() ? original_site : plan_site;
    policy->required = plan_required;
    policy->unreached = plan_unreached;
}

static void count(const struct rewrite_counts *c) {
    the_agent.accesses += c->accesses;
    the_agent.checked += c->checked;
    the_agent.huge_methods += c->huge_methods;
    the_agent.full_methods += c->full_methods;
    the_agent.site_overflow += c->site_overflow;
}

static void hand_over(jvmtiEnv *jvmti, uint8_t *bytes, size_t size, jint *new_len,
                      unsigned char **new_bytes) {
    unsigned char *copy = NULL;
    if (jvmti_ok((*jvmti)->Allocate(jvmti, (jlong)size, &copy), "memory for a class")) {
        memcpy(copy, bytes, size);
        *new_bytes = copy;
        *new_len = (jint)size;
        atomic_fetch_add_explicit(&the_agent.rewritten, 1, memory_order_relaxed);
    }
    free(bytes);
}

static void JNICALL on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
                             jobject domain, jint len, const unsigned char *bytes, jint *new_len,
                             unsigned char **new_bytes) {
    (void)domain;
    if (name != NULL && is_helper_class(name)) return;
    if (name != NULL && strcmp(name, BRIDGE_BIND_TRIGGER) == 0) bridge_bind_here(jni);
    const char *shown = name == NULL ? "" : name; /* hidden classes have no name here */
    struct cf_str str = {shown, (uint32_t)strlen(shown)};
    bool is_jdk = loader == NULL || jdkimage_has_package(str);
    struct rewrite_policy policy = {.is_jdk = is_jdk,
                                    .accesses = wants_accesses(shown, is_jdk),
                                    .fields_only = the_agent.options.mode == MODE_DISCOVER,
                                    .jdk_class = jdk_class,
                                    .jdk_bytes = jdk_bytes,
                                    .class_bytes = class_bytes};
    struct planned planned;
    apply_plan(jni, shown, bytes, (size_t)len, &planned, &policy);
    uint8_t *out = NULL;
    size_t size = 0;
    struct rewrite_counts counts = {0};
    enum rewrite_outcome outcome = rewrite_class(bytes, (size_t)len, &policy, &out, &size, &counts);
    align_release(&planned.align);
    atomic_fetch_add_explicit(&the_agent.classes, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&the_agent.skipped[outcome], 1, memory_order_relaxed);
    if (!is_jdk && redefined == NULL) count(&counts);
    if (outcome == REWRITE_DONE)
        hand_over(jvmti, out, size, new_len, new_bytes);
    else if (outcome != REWRITE_UNCHANGED)
        agent_log("%s left as it is: %s", shown, rewrite_outcome_name(outcome));
}

/* ---- the VM's life ---- */

/* Before any bytecode runs: the classes that the rewritten JDK calls must be there. */
static void JNICALL on_start(jvmtiEnv *jvmti, JNIEnv *jni) {
    (void)jvmti;
    for (size_t i = 0; i < embedded_class_count; i++) {
        const struct embedded_class *c = &embedded_classes[i];
        jclass cls =
            (*jni)->DefineClass(jni, c->name, NULL, (const jbyte *)c->bytes, (jsize)(c->end - c->bytes));
        if (cls == NULL || !bridge_register(jni, c->name, cls)) {
            fprintf(stderr, "race: cannot define %s; this JDK is not supported\n", c->name);
            _exit(RACE_EXIT_OTHER);
        }
    }
}

static void JNICALL on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void)jvmti, (void)thread;
    bridge_enable(jni);
    agent_log("checking");
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *jni) {
    (void)jvmti;
    bridge_disable(jni);
    atomic_store(&the_agent.dying, true);
    results_close();
}

/* The program's own exit code stands unless it is 0 and there is a race to tell. */
static void on_process_exit(int status, void *arg) {
    (void)arg;
    results_close();
    if (status == 0 && the_agent.options.exitcode != 0 && results_race_count() > 0) {
        fflush(NULL);
        _exit(the_agent.options.exitcode);
    }
}

static bool set_capabilities(jvmtiEnv *jvmti) {
    jvmtiCapabilities caps = {0};
    caps.can_generate_all_class_hook_events = 1;
    caps.can_generate_early_class_hook_events = 1;
    caps.can_generate_early_vmstart = 1;
    caps.can_get_source_file_name = 1;
    caps.can_get_line_numbers = 1;
    return jvmti_ok((*jvmti)->AddCapabilities(jvmti, &caps), "capabilities");
}

static bool set_events(jvmtiEnv *jvmti) {
    jvmtiEventCallbacks cb = {0};
    cb.VMStart = on_start;
    cb.VMInit = on_init;
    cb.VMDeath = on_death;
    cb.ClassFileLoadHook = on_class;
    if (!jvmti_ok((*jvmti)->SetEventCallbacks(jvmti, &cb, sizeof cb), "callbacks")) return false;
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                                        JVMTI_EVENT_CLASS_FILE_LOAD_HOOK};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (!jvmti_ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL), "events"))
            return false;
    return true;
}

static bool open_jdk(jvmtiEnv *jvmti, struct race_error *err) {
    char *home = NULL;
    if (!jvmti_ok((*jvmti)->GetSystemProperty(jvmti, "java.home", &home), "java.home"))
        return race_fail(err, "the VM does not know java.home");
    bool ok = jdkimage_open(home, err);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)home);
    return ok;
}

static void open_class_path(jvmtiEnv *jvmti) {
    char *path = NULL;
    if ((*jvmti)->GetSystemProperty(jvmti, "java.class.path", &path) != JVMTI_ERROR_NONE || path == NULL)
        return;
    apppath_open(path);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)path);
}

static void learn_version(jvmtiEnv *jvmti) {
    char *version = NULL;
    if ((*jvmti)->GetSystemProperty(jvmti, "java.version", &version) != JVMTI_ERROR_NONE &&
        (*jvmti)->GetSystemProperty(jvmti, "java.vm.version", &version) != JVMTI_ERROR_NONE)
        return;
    snprintf(the_agent.jdk_version, sizeof the_agent.jdk_version, "%s", version);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)version);
}

/* The analysis followed the calls of one JDK; another one may take other ways to the program's code. */
static void compare_jdks(void) {
    int planned = planuse_jdk(), here = atoi(the_agent.jdk_version);
    if (planned != 0 && here != 0 && planned != here)
        fprintf(stderr,
                "race: note: the plan was made with JDK %d, and this is JDK %d: analyse again with --jdk and "
                "the home of this one\n",
                planned, here);
}

static bool open_log(struct race_error *err) {
    const char *name = the_agent.options.log;
    if (name == NULL) return true;
    log_file = strcmp(name, "-") == 0 ? stderr : fopen(name, "we");
    if (log_file == NULL) {
        err->exit_code = RACE_EXIT_OTHER;
        race_error_set_file(err, name);
        return race_fail(err, "cannot write the log: %s", strerror(errno));
    }
    setvbuf(log_file, NULL, _IOLBF, 0);
    return true;
}

/* Counts the libraries of this name: a second installation is another one to the loader. */
static int count_agents(struct dl_phdr_info *library, size_t size, void *n) {
    (void)size;
    const char *slash = strrchr(library->dlpi_name, '/');
    if (slash != NULL && strcmp(slash + 1, "librace.so") == 0) ++*(int *)n;
    return 0;
}

/* Two agents would rewrite each other's code. */
static bool is_second_agent(void) {
    static bool loaded;
    int n = 0;
    dl_iterate_phdr(count_agents, &n);
    bool second = loaded || n > 1;
    loaded = true;
    return second;
}

static bool load(JavaVM *vm, char *text, struct race_error *err) {
    struct agent *a = &the_agent;
    if (is_second_agent()) {
        err->exit_code = RACE_EXIT_USAGE;
        return race_fail(err,
                         "the agent is given twice, the second time with the options '%s': remove one "
                         "(JAVA_TOOL_OPTIONS may have it as well)",
                         text != NULL ? text : "");
    }
    a->vm = vm;
    if (!agent_options_parse(&a->options, text, err)) return false;
    err->exit_code = 0; /* from here on it is not the usage that is wrong */
    if (a->options.help) {
        agent_options_help();
        exit(RACE_EXIT_OK);
    }
    if (!open_log(err)) return false;
    if ((*vm)->GetEnv(vm, (void **)&a->jvmti, JVMTI_VERSION_11) != JNI_OK)
        return race_fail(err, "this VM has no JVMTI 11");
    if (!set_capabilities(a->jvmti)) return race_fail(err, "the VM lacks a capability that is needed");
    learn_version(a->jvmti);
    open_class_path(a->jvmti);
    if (!suppressed_open(a->options.suppress, err)) return false;
    if (!planuse_open(&a->options, err) || !open_jdk(a->jvmti, err)) return false;
    compare_jdks();
    if (!bridge_init(err) || !results_open(err)) return false;
    if (!set_events(a->jvmti)) return race_fail(err, "the VM refuses events");
    return true;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    struct race_error err = {0};
    if (load(vm, options, &err)) {
        on_exit(on_process_exit, NULL);
        fprintf(stderr, "race %s: %s%s%smode %s\n", RACE_VERSION, the_agent.options.plan ? "plan " : "",
                the_agent.options.plan ? the_agent.options.plan : "", the_agent.options.plan ? ", " : "",
                agent_mode_name(the_agent.options.mode));
        return JNI_OK;
    }
    char line[600];
    race_error_format(&err, line, sizeof line);
    fprintf(stderr, "%s\n", line);
    exit(err.exit_code);
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) {
    (void)vm;
    results_close();
}
