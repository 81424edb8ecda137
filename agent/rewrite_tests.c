/*
 * Where test frameworks run a test: hooks there tell which test is running when a race is found.
 *
 * Each framework is watched at calls that it makes itself, whatever runs it (Maven, Gradle, an IDE): JUnit 4
 * where it tells its listeners, Jupiter where it executes a test's descriptor, TestNG where it calls the
 * method.
 */
#include "rewrite_internal.h"

#include "race/opcodes.h"

/* `local` is the argument that is passed to the hook, or -1. */
static const struct test_hook {
    const char *cls, *method, *desc, *hook, *hook_desc;
    int local;
} test_hooks[] = {
#define NAMED "(Ljava/lang/Object;)V"
#define METHOD "(Ljava/lang/reflect/Method;)V"
#define DESCRIPTION "(Lorg/junit/runner/Description;)V"
#define CONTEXT "Lorg/junit/jupiter/engine/execution/JupiterEngineExecutionContext;"
#define ENGINE "Lorg/junit/platform/engine/"
    {"org/junit/runner/notification/RunNotifier", "fireTestStarted", DESCRIPTION, "testStarted", NAMED, 1},
    {"org/junit/runner/notification/RunNotifier", "fireTestFinished", DESCRIPTION, "testEnded", "()V", -1},
    {"org/junit/jupiter/engine/descriptor/TestMethodTestDescriptor", "execute",
     "(" CONTEXT ENGINE "support/hierarchical/Node$DynamicTestExecutor;)" CONTEXT, "testStarted", NAMED, 0},
    {"org/junit/jupiter/engine/descriptor/TestMethodTestDescriptor", "nodeFinished",
     "(" CONTEXT ENGINE "TestDescriptor;" ENGINE "TestExecutionResult;)V", "testEnded", "()V", -1},
    {"org/testng/internal/MethodInvocationHelper", "invokeMethod", NULL, "testMethod", METHOD, 0},
    {"org/testng/internal/invokers/MethodInvocationHelper", "invokeMethod", NULL, "testMethod", METHOD, 0},
    {"org/testng/Reporter", "setCurrentTestResult", "(Lorg/testng/ITestResult;)V", "testResult", NAMED, 0},
#undef NAMED
#undef METHOD
#undef DESCRIPTION
#undef CONTEXT
#undef ENGINE
};

/* Overloads of one name in TestNG all begin with the method to call. */
static bool fits(const struct test_hook *h, const struct rw_method *m) {
    static const char first[] = "(Ljava/lang/reflect/Method;";
    if (!cf_str_is(m->c->name, h->cls) || !cf_str_is(m->name, h->method)) return false;
    if (h->desc != NULL) return cf_str_is(m->desc, h->desc);
    return (m->m->access & CF_ACC_STATIC) && m->desc.n > sizeof first &&
           memcmp(m->desc.p, first, sizeof first - 1) == 0;
}

void rw_test_entry(struct rw_method *m) {
    struct cf_str name = m->c->name;
    if (m->c->policy->is_jdk || name.n < 4 || memcmp(name.p, "org/", 4) != 0) return;
    for (size_t i = 0; i < sizeof test_hooks / sizeof test_hooks[0]; i++) {
        const struct test_hook *h = &test_hooks[i];
        if (!fits(h, m)) continue;
        struct cf_asm *a = cfe_entry(m->out);
        if (h->local >= 0) cfa_local(a, CF_OP_ALOAD, (uint16_t)h->local);
        rw_hook(a, IN_HOOKS, h->hook, h->hook_desc);
        cfe_need_stack(m->out, 1);
    }
}
