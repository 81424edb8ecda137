/*
 * Making the driver.
 *
 *     static void main(String[] a)  { some = a.length; run0(); run1(); ... }
 *     static void runN()            { the fixtures and tests of one class }
 *     static T anyN()               { some object of type T, for parameters: each class that could be it }
 *
 * `some` is a number that the analysis does not know, so that it takes every branch for possible.  What
 * throws ends its step and not the suite, as under a framework: a failed test may leave its threads running.
 */
#include "testdriver.h"

#include "race/classedit.h"
#include "race/opcodes.h"
#include "race/vec.h"
#include "testsuite.h"

#include <stdlib.h>
#include <string.h>

/* ---- the source ---- */

static bool find(void *ctx, const char *name, struct class_bytes *out, struct race_error *err) {
    const struct testdriver *d = ctx;
    if (d->bytes == NULL || strcmp(name, TESTDRIVER_CLASS) != 0)
        return d->below.find(d->below.ctx, name, out, err);
    *out = (struct class_bytes){.data = d->bytes, .size = d->size, .origin = "the tests' main program"};
    return true;
}

static void drop(void *ctx, struct class_bytes *bytes) {
    const struct testdriver *d = ctx;
    if (bytes->data != d->bytes && d->below.drop != NULL) d->below.drop(d->below.ctx, bytes);
}

static bool each(void *ctx, bool (*visit)(void *arg, const char *name), void *arg, struct race_error *err) {
    const struct testdriver *d = ctx;
    return d->below.each(d->below.ctx, visit, arg, err);
}

struct class_source testdriver_source(struct testdriver *d, struct class_source below) {
    d->below = below;
    return (struct class_source){.ctx = d, .find = find, .drop = drop, .each = each};
}

void testdriver_release(struct testdriver *d) {
    free(d->bytes);
    d->bytes = NULL;
}

/* ---- code ---- */

/* public final class race/Tests extends Object, of Java 5: no stack maps are needed.  Members are added. */
static const uint8_t template[] = {
    0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49,   0,   5,   1,   0,   10,  'r', 'a', 'c', 'e', '/', 'T', 'e', 's',
    't',  's',  7,    0,    1, 1, 0, 16,   'j', 'a', 'v', 'a', '/', 'l', 'a', 'n', 'g', '/', 'O', 'b', 'j',
    'e',  'c',  't',  7,    0, 3, 0, 0x31, 0,   2,   0,   4,   0,   0,   0,   0,   0,   0,   0,   0};

struct maker {
    struct program *p;
    struct cf_edit edit;
    VEC(class_id) any; /* types with a method anyN, N being the position */
    uint32_t n_run, n_tests;
};

static const char *type_desc(struct maker *mk, class_id type, char *out, size_t size) {
    static const char primitives[] = "VZBCSIJFD";
    const char *name = program_class_name(mk->p, type);
    if (class_is_primitive(type))
        snprintf(out, size, "%c", primitives[type.v - CLASS_VOID]);
    else
        snprintf(out, size, name[0] == '[' ? "%s" : "L%s;", name);
    return out;
}

/* Calls anyN() of the type, which gets its code later. */
static void push_any(struct maker *mk, struct cf_asm *a, class_id type) {
    char name[24], desc[600], type_text[512];
    if (type.v == CLASS_LONG) return cfa_push_long(a, 0);
    if (type.v == CLASS_FLOAT || type.v == CLASS_DOUBLE)
        return cfa_op(a, type.v == CLASS_FLOAT ? CF_OP_FCONST_0 : CF_OP_DCONST_0);
    if (class_is_primitive(type)) return cfa_push_int(a, 0);
    size_t i = 0;
    while (i < mk->any.n && mk->any.v[i].v != type.v) i++;
    if (i == mk->any.n) vec_push(&mk->any, type);
    snprintf(name, sizeof name, "any%zu", i);
    snprintf(desc, sizeof desc, "()%s", type_desc(mk, type, type_text, sizeof type_text));
    cfa_invoke(a, CF_OP_INVOKESTATIC, TESTDRIVER_CLASS, name, desc);
}

static void push_parameters(struct maker *mk, struct cf_asm *a, const struct method_info *m) {
    for (uint32_t i = 0; i < m->sig->n_params; i++) push_any(mk, a, m->sig->params[i]);
}

static bool is_constructor(const struct program *p, const struct method_info *m) {
    return strcmp(program_str(p, m->name), "<init>") == 0;
}

static void invoke(struct maker *mk, struct cf_asm *a, uint8_t op, const struct method_info *m) {
    const char *owner = program_class_name(mk->p, m->owner);
    bool in_interface = program_info(mk->p, m->owner)->access & CF_ACC_INTERFACE;
    uint16_t ref = cfe_ref(&mk->edit, in_interface ? CF_INTERFACE_METHODREF : CF_METHODREF, cf_z(owner),
                           cf_z(program_str(mk->p, m->name)), cf_z(program_str(mk->p, m->desc)));
    cfa_const(a, in_interface && op == CF_OP_INVOKEVIRTUAL ? CF_OP_INVOKEINTERFACE : op, ref);
}

/* Leaves a new object on the stack, made by the class's first constructor that is not private. */
static void push_new(struct maker *mk, struct cf_asm *a, class_id cls) {
    const struct class_info *info = program_info(mk->p, cls);
    cfa_const(a, CF_OP_NEW, cfe_class(&mk->edit, cf_z(program_class_name(mk->p, cls))));
    for (uint32_t i = 0; i < info->n_methods; i++) {
        const struct method_info *m = program_method(mk->p, (method_id){info->first_method.v + i});
        if (!is_constructor(mk->p, m) || (m->access & CF_ACC_PRIVATE) != 0) continue;
        cfa_op(a, CF_OP_DUP);
        push_parameters(mk, a, m);
        invoke(mk, a, CF_OP_INVOKESPECIAL, m);
        return;
    }
}

/* One call with whatever it needs; the result is dropped.  `self` is the local variable of the object. */
static void call(struct maker *mk, struct cf_asm *a, const struct method_info *m, uint16_t self) {
    bool is_static = m->access & CF_ACC_STATIC;
    if (!is_static) cfa_local(a, CF_OP_ALOAD, self);
    push_parameters(mk, a, m);
    invoke(mk, a,
           is_static                    ? CF_OP_INVOKESTATIC
           : m->access & CF_ACC_PRIVATE ? CF_OP_INVOKESPECIAL
                                        : CF_OP_INVOKEVIRTUAL,
           m);
    class_id result = m->sig->result;
    if (result.v != CLASS_VOID)
        cfa_op(a, result.v == CLASS_LONG || result.v == CLASS_DOUBLE ? CF_OP_POP2 : CF_OP_POP);
}

/* From `start` to here nothing that is thrown gets out. */
static void end_step(struct cf_asm *a, struct cf_label start) {
    struct cf_label end = cfe_label(a->m), handler = cfe_label(a->m), next = cfe_label(a->m);
    cfa_bind(a, end);
    cfa_branch(a, CF_OP_GOTO, next);
    cfa_bind(a, handler);
    cfa_op(a, CF_OP_POP);
    cfa_bind(a, next);
    cfe_add_handler(a->m, start, end, handler, 0, false);
}

static struct cf_label begin_step(struct cf_asm *a) {
    struct cf_label start = cfe_label(a->m);
    cfa_bind(a, start);
    return start;
}

/* ---- a class ---- */

static void run_all(struct maker *mk, struct cf_asm *a, const struct test_class *t, enum test_role role) {
    for (size_t i = 0; i < t->methods.n; i++) {
        if (t->methods.v[i].role != role) continue;
        struct cf_label start = begin_step(a);
        call(mk, a, program_method(mk->p, t->methods.v[i].method), 0);
        end_step(a, start);
    }
}

static void make_object(struct maker *mk, struct cf_asm *a, const struct test_class *t) {
    push_new(mk, a, t->cls);
    cfa_local(a, CF_OP_ASTORE, 0);
}

static void run_test(struct maker *mk, struct cf_asm *a, const struct test_class *t,
                     const struct test_method *test) {
    struct cf_label again = cfe_label(a->m);
    cfa_bind(a, again);
    if (!t->keeps_instance) make_object(mk, a, t);
    run_all(mk, a, t, TEST_BEFORE);
    struct cf_label start = begin_step(a);
    call(mk, a, program_method(mk->p, test->method), 0);
    end_step(a, start);
    run_all(mk, a, t, TEST_AFTER);
    if (test->repeated) { /* each time with its fixtures */
        cfa_field(a, CF_OP_GETSTATIC, TESTDRIVER_CLASS, "some", "I");
        cfa_branch(a, CF_OP_IFNE, again);
    }
    mk->n_tests++;
}

static void run_class(struct maker *mk, const struct test_class *t) {
    char name[24];
    snprintf(name, sizeof name, "run%u", mk->n_run++);
    struct cfe_method *m = cfe_add_method(&mk->edit, CF_ACC_STATIC, cf_z(name), cf_z("()V"));
    struct cf_asm *a = cfe_tail(m);
    cfe_add_local(m, 1);
    cfe_need_stack(m, 255);
    make_object(mk, a, t);
    run_all(mk, a, t, TEST_SOURCE);
    run_all(mk, a, t, TEST_BEFORE_ALL);
    for (size_t i = 0; i < t->methods.n; i++)
        if (t->methods.v[i].role == TEST_TEST) run_test(mk, a, t, &t->methods.v[i]);
    run_all(mk, a, t, TEST_AFTER_ALL);
    cfa_op(a, CF_OP_RETURN);
}

/* ---- objects for parameters ---- */

struct candidates {
    struct maker *mk;
    struct cf_asm *a;
    unsigned n;
};

/* What stands behind the commonest types of the JDK that are not classes. */
static const char *const stand_ins[][2] = {
    {"java/util/List", "java/util/ArrayList"},     {"java/util/Collection", "java/util/ArrayList"},
    {"java/lang/Iterable", "java/util/ArrayList"}, {"java/util/Set", "java/util/HashSet"},
    {"java/util/Map", "java/util/HashMap"},        {"java/lang/CharSequence", "java/lang/String"},
    {"java/lang/Number", "java/lang/Integer"},
};

/*
 * if (some != 0) return new T(...);
 * A test object is a parameter only of the constructor of a test nested in its class, and then its own
 * fixtures run first.
 */
static void offer(struct candidates *c, class_id cls) {
    struct cf_label next = cfe_label(c->a->m);
    struct test_class t;
    cfa_field(c->a, CF_OP_GETSTATIC, TESTDRIVER_CLASS, "some", "I");
    cfa_branch(c->a, CF_OP_IFEQ, next);
    push_new(c->mk, c->a, cls);
    cfa_local(c->a, CF_OP_ASTORE, 0);
    if (test_class_init(&t, c->mk->p, cls)) run_all(c->mk, c->a, &t, TEST_BEFORE);
    test_class_release(&t);
    cfa_local(c->a, CF_OP_ALOAD, 0);
    cfa_op(c->a, CF_OP_ARETURN);
    cfa_bind(c->a, next);
    c->n++;
}

static bool offer_below(void *arg, class_id sub) {
    enum { MOST = 64 };
    struct candidates *c = arg;
    const struct class_info *info = program_info(c->mk->p, sub);
    if (info->state != CLASS_LOADED || info->from_jdk) return true;
    if ((info->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE)) == 0) offer(c, sub);
    return c->n < MOST;
}

static void offer_class(struct candidates *c, class_id type) {
    struct program *p = c->mk->p;
    const struct class_info *info = program_info(p, type);
    const char *name = program_class_name(p, type);
    bool concrete = info->state == CLASS_LOADED && (info->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE)) == 0;
    if (concrete && info->from_jdk) offer(c, type);
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++) {
        if (strcmp(name, stand_ins[i][0]) == 0) offer(c, program_class(p, stand_ins[i][1]));
    }
    if (type.v != CLASS_OBJECT) program_each_below(p, type, offer_below, c);
}

/* An array with one element. */
static void offer_array(struct maker *mk, struct cf_asm *a, class_id component) {
    static const uint8_t codes[] = {0, 4, 8, 5, 9, 10, 11, 6, 7}; /* newarray's, from void to double */
    cfa_push_int(a, 1);
    if (class_is_primitive(component)) {
        cfa_newarray(a, codes[component.v - CLASS_VOID]);
    } else {
        cfa_const(a, CF_OP_ANEWARRAY, cfe_class(&mk->edit, cf_z(program_class_name(mk->p, component))));
        cfa_op(a, CF_OP_DUP);
        cfa_push_int(a, 0);
        push_any(mk, a, component);
        cfa_op(a, CF_OP_AASTORE);
    }
    cfa_op(a, CF_OP_ARETURN);
}

static void make_any(struct maker *mk, size_t i) {
    char name[24], desc[600], type_text[512];
    class_id type = mk->any.v[i], component = program_info(mk->p, type)->component;
    snprintf(name, sizeof name, "any%zu", i);
    snprintf(desc, sizeof desc, "()%s", type_desc(mk, type, type_text, sizeof type_text));
    struct cfe_method *m = cfe_add_method(&mk->edit, CF_ACC_STATIC, cf_z(name), cf_z(desc));
    struct cf_asm *a = cfe_tail(m);
    cfe_add_local(m, 1);
    cfe_need_stack(m, 255);
    if (component.v != 0) return offer_array(mk, a, component);
    struct candidates c = {.mk = mk, .a = a};
    offer_class(&c, type);
    cfa_op(a, CF_OP_ACONST_NULL);
    cfa_op(a, CF_OP_ARETURN);
}

/* ---- all of it ---- */

static void make_main(struct maker *mk) {
    struct cfe_method *m = cfe_add_method(&mk->edit, CF_ACC_PUBLIC | CF_ACC_STATIC, cf_z("main"),
                                          cf_z("([Ljava/lang/String;)V"));
    struct cf_asm *a = cfe_tail(m);
    char name[24];
    cfe_add_local(m, 1);
    cfe_need_stack(m, 2);
    cfa_local(a, CF_OP_ALOAD, 0);
    cfa_op(a, CF_OP_ARRAYLENGTH);
    cfa_field(a, CF_OP_PUTSTATIC, TESTDRIVER_CLASS, "some", "I");
    for (uint32_t i = 0; i < mk->n_run; i++) {
        snprintf(name, sizeof name, "run%u", i);
        cfa_invoke(a, CF_OP_INVOKESTATIC, TESTDRIVER_CLASS, name, "()V");
    }
    cfa_op(a, CF_OP_RETURN);
    cfe_add_field(&mk->edit, CF_ACC_STATIC, cf_z("some"), cf_z("I"), 0);
}

/* What the JVM's launcher does. */
static void add_main(struct maker *mk, class_id cls, const struct method_info *main) {
    struct cfe_method *m = cfe_add_method(&mk->edit, CF_ACC_STATIC, cf_z("run0"), cf_z("()V"));
    struct cf_asm *a = cfe_tail(m);
    char name[512];
    cfe_add_local(m, 1);
    cfe_need_stack(m, 255);
    if (main->access & CF_ACC_STATIC) {
        snprintf(name, sizeof name, "%s", program_class_name(mk->p, cls));
        for (char *slash = name; (slash = strchr(slash, '/')) != NULL;) *slash = '.';
        cfa_ldc(a, cfe_string(&mk->edit, cf_z(name)));
        cfa_invoke(a, CF_OP_INVOKESTATIC, "java/lang/Class", "forName",
                   "(Ljava/lang/String;)Ljava/lang/Class;");
    } else {
        push_new(mk, a, cls);
    }
    cfa_local(a, CF_OP_ASTORE, 0);
    call(mk, a, main, 0);
    cfa_op(a, CF_OP_RETURN);
    mk->n_run = 1;
    for (size_t i = 0; i < mk->any.n; i++) make_any(mk, i);
    make_main(mk);
}

static void add_tests(struct maker *mk, const struct classpath *cp) {
    size_t n = classpath_class_count(cp, CLASSPATH_APP);
    for (size_t i = 0; i < n; i++) {
        struct test_class t;
        class_id cls = program_find_class(mk->p, classpath_class_at(cp, CLASSPATH_APP, i)->name);
        if (cls.v == 0 || !test_class_init(&t, mk->p, cls)) continue;
        if (test_class_runs(&t, mk->p)) run_class(mk, &t);
        test_class_release(&t);
    }
    for (size_t i = 0; i < mk->any.n; i++) make_any(mk, i);
    make_main(mk);
}

static bool maker_init(struct maker *mk, struct program *p, struct cf_class *cls, struct race_error *err) {
    *mk = (struct maker){.p = p};
    if (!cf_parse(cls, template, sizeof template, err)) return false;
    cfe_init(&mk->edit, cls);
    return true;
}

/* Gives the driver its class, unless an error is set; returns its main method, or 0. */
static method_id maker_finish(struct maker *mk, struct cf_class *cls, struct testdriver *d,
                              struct race_error *err) {
    struct cfe_buf out = {0};
    enum cfe_reason why = cfe_write(&mk->edit, &out);
    if (!err->set && d->bytes != NULL)
        race_fail(err, "--tests cannot be combined with this -m: analyse the two one by one");
    else if (!err->set && (why != CFE_OK || (d->bytes = malloc(out.n)) == NULL))
        race_fail(err, "cannot make a main program: %s", cfe_reason_text(why));
    if (!err->set) {
        memcpy(d->bytes, out.p, out.n);
        d->size = out.n;
    }
    cfe_buf_release(&out);
    cfe_release(&mk->edit);
    vec_release(&mk->any);
    cf_class_release(cls);
    if (err->set) return (method_id){0};
    return program_method_named(mk->p, TESTDRIVER_CLASS, "main", "([Ljava/lang/String;)V");
}

method_id testdriver_make(struct testdriver *d, struct program *p, const struct classpath *cp,
                          struct race_error *err) {
    struct cf_class cls;
    struct maker mk;
    if (!maker_init(&mk, p, &cls, err)) return (method_id){0};
    add_tests(&mk, cp);
    if (mk.n_tests == 0)
        race_fail(err, "there is no test on the class path: name the folder of the compiled tests in -cp");
    return maker_finish(&mk, &cls, d, err);
}

method_id testdriver_make_main(struct testdriver *d, struct program *p, class_id cls, method_id main,
                               struct race_error *err) {
    struct cf_class file;
    struct maker mk;
    if (!maker_init(&mk, p, &file, err)) return (method_id){0};
    add_main(&mk, cls, program_method(p, main));
    return maker_finish(&mk, &file, d, err);
}
