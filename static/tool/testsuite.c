/* Finding tests and fixtures by the rules of the frameworks. */
#include "testsuite.h"

#include "race/classfile.h"

#include <string.h>

/* Simple names are enough: the frameworks share them, and agree on what they mean. */
static const struct {
    const char *annotation;
    enum test_role role;
    bool repeated;
} roles[] = {
    {"Test", TEST_TEST, false},
    {"ParameterizedTest", TEST_TEST, true},
    {"RepeatedTest", TEST_TEST, true},
    {"TestFactory", TEST_TEST, true},
    {"TestTemplate", TEST_TEST, true},
    {"Theory", TEST_TEST, true},
    {"Before", TEST_BEFORE, false},
    {"BeforeEach", TEST_BEFORE, false},
    {"BeforeMethod", TEST_BEFORE, false},
    {"After", TEST_AFTER, false},
    {"AfterEach", TEST_AFTER, false},
    {"AfterMethod", TEST_AFTER, false},
    {"BeforeClass", TEST_BEFORE_ALL, false},
    {"BeforeAll", TEST_BEFORE_ALL, false},
    {"BeforeTest", TEST_BEFORE_ALL, false},
    {"BeforeSuite", TEST_BEFORE_ALL, false},
    {"BeforeGroups", TEST_BEFORE_ALL, false},
    {"AfterClass", TEST_AFTER_ALL, false},
    {"AfterAll", TEST_AFTER_ALL, false},
    {"AfterTest", TEST_AFTER_ALL, false},
    {"AfterSuite", TEST_AFTER_ALL, false},
    {"AfterGroups", TEST_AFTER_ALL, false},
    {"Parameters", TEST_SOURCE, false},
    {"DataProvider", TEST_SOURCE, false},
};

/* One class while it is looked at. */
struct search {
    struct program *p;
    class_id cls;        /* the class that would be run */
    bool is_test_case;   /* JUnit 3 */
    bool has_parameters; /* a static method may make arguments */
    struct test_class *found;
};

/* JUnit 3 goes by names. */
static enum test_role role_by_name(const struct program *p, const struct method_info *m) {
    const char *name = program_str(p, m->name);
    if (m->sig->n_params > 0 || (m->access & CF_ACC_STATIC) != 0) return TEST_NONE;
    if (strcmp(name, "setUp") == 0) return TEST_BEFORE;
    if (strcmp(name, "tearDown") == 0) return TEST_AFTER;
    return strncmp(name, "test", 4) == 0 && (m->access & CF_ACC_PUBLIC) != 0 ? TEST_TEST : TEST_NONE;
}

/* TestNG: @Test on a class makes a test of each public method that says nothing else. */
static bool by_class(struct program *p, const struct method_info *m) {
    const struct cf_class *file = program_class_file(p, m->owner);
    return (m->access & CF_ACC_PUBLIC) != 0 && (m->access & (CF_ACC_STATIC | CF_ACC_SYNTHETIC)) == 0 &&
           program_str(p, m->name)[0] != '<' && file != NULL &&
           cf_annotated(file, &file->attrs, "Test", NULL);
}

static struct test_method judge(struct search *s, method_id id) {
    const struct method_info *m = program_method(s->p, id);
    const struct cf_class *file = program_class_file(s->p, m->owner);
    const struct cf_method *method = program_cf_method(s->p, id);
    struct test_method t = {.method = id, .role = TEST_NONE};
    for (size_t i = 0; i < sizeof roles / sizeof *roles && t.role == TEST_NONE; i++) {
        if (!cf_annotated(file, &method->attrs, roles[i].annotation, NULL)) continue;
        t.role = roles[i].role;
        t.repeated = roles[i].repeated || m->sig->n_params > 0;
        s->has_parameters |= t.repeated;
    }
    if (t.role == TEST_NONE && s->is_test_case) t.role = role_by_name(s->p, m);
    if (t.role == TEST_NONE && by_class(s->p, m)) {
        t.role = TEST_TEST;
        s->found->keeps_instance = true;
    }
    return t;
}

/* A method of a superclass that a class below it declares again is not run by itself. */
static bool overridden(struct search *s, const struct method_info *m) {
    const struct class_info *info = program_info(s->p, s->cls);
    if (m->access & (CF_ACC_STATIC | CF_ACC_PRIVATE)) return false;
    for (uint32_t d = info->depth; d > 0 && info->superchain[d].v != m->owner.v; d--)
        if (program_declared_method(s->p, info->superchain[d], m->name, m->desc).v != 0) return true;
    return false;
}

static void add_methods(struct search *s, class_id cls) {
    const struct class_info *info = program_info(s->p, cls);
    if (info->state != CLASS_LOADED || info->from_jdk) return;
    for (uint32_t i = 0; i < info->n_methods; i++) {
        method_id id = {info->first_method.v + i};
        const struct method_info *m = program_method(s->p, id);
        if (!m->has_code || overridden(s, m)) continue;
        struct test_method t = judge(s, id);
        if (t.role != TEST_NONE) vec_push(&s->found->methods, t);
    }
}

/* Of a parameterised test: any static method without parameters may be its source. */
static void add_sources(struct search *s) {
    const struct class_info *info = program_info(s->p, s->cls);
    for (uint32_t i = 0; i < info->n_methods; i++) {
        struct test_method t = {.method = {info->first_method.v + i}, .role = TEST_SOURCE};
        const struct method_info *m = program_method(s->p, t.method);
        if ((m->access & CF_ACC_STATIC) == 0 || (m->access & CF_ACC_SYNTHETIC) != 0) continue;
        if (m->has_code && m->sig->n_params == 0 && m->sig->result.v != CLASS_VOID &&
            judge(s, t.method).role == TEST_NONE)
            vec_push(&s->found->methods, t);
    }
}

/* Annotations that only TestNG has. */
static bool is_testng(struct program *p, method_id id) {
    static const char *const names[] = {"BeforeMethod", "AfterMethod", "DataProvider", "BeforeSuite"};
    const struct cf_class *file = program_class_file(p, program_method(p, id)->owner);
    const struct cf_method *method = program_cf_method(p, id);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (cf_annotated(file, &method->attrs, names[i], NULL)) return true;
    return false;
}

bool test_class_init(struct test_class *t, struct program *p, class_id cls) {
    const struct class_info *info = program_info(p, cls);
    *t = (struct test_class){.cls = cls};
    if (info->state != CLASS_LOADED || info->from_jdk) return false;
    struct search s = {.p = p, .cls = cls, .found = t};
    class_id test_case = program_find_class(p, "junit/framework/TestCase");
    s.is_test_case = test_case.v != 0 && test_case.v != cls.v && program_is_subtype(p, cls, test_case);
    for (uint32_t i = 0; i < info->n_all_interfaces; i++) add_methods(&s, info->all_interfaces[i]);
    for (uint32_t d = 0; d <= info->depth; d++)
        if (info->superchain[d].v != test_case.v) add_methods(&s, info->superchain[d]);
    if (s.has_parameters) add_sources(&s);
    const struct cf_class *file = program_class_file(p, cls);
    t->keeps_instance |= cf_annotated(file, &file->attrs, "TestInstance", NULL);
    for (size_t i = 0; i < t->methods.n; i++) t->keeps_instance |= is_testng(p, t->methods.v[i].method);
    return t->methods.n > 0;
}

void test_class_release(struct test_class *t) {
    vec_release(&t->methods);
}

bool test_class_runs(const struct test_class *t, struct program *p) {
    if (program_info(p, t->cls)->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE)) return false;
    for (size_t i = 0; i < t->methods.n; i++)
        if (t->methods.v[i].role == TEST_TEST) return true;
    return false;
}
