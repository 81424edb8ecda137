/* The program model: hierarchy, resolution and selection, by small classes made for each rule. */
#include "mini_class.h"

#include "race/classpath.h"
#include "race/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum {
    PUB = CF_ACC_PUBLIC,
    PRIV = CF_ACC_PRIVATE,
    PROT = CF_ACC_PROTECTED,
    STAT = CF_ACC_STATIC,
    ABST = CF_ACC_ABSTRACT,
    IFACE = CF_ACC_INTERFACE | CF_ACC_ABSTRACT | CF_ACC_PUBLIC
};

#define METHOD(flags) ((struct mini_member[]){{(flags), "m", "()V", MINI_CODE(mini_return)}, {0}})
#define ABSTRACT_METHOD ((struct mini_member[]){{PUB | ABST, "m", "()V", NULL, 0, 0, 0, {{0}}, 0}, {0}})

struct fixture {
    struct mini_source classes;
    struct class_source source;
    struct program *p;
};

static void add_class(struct fixture *f, const char *name, const char *super, const char *interfaces,
                      const struct mini_member *methods) {
    mini_add(&f->classes, 61, PUB, name, super ? super : "java/lang/Object", interfaces, NULL, methods);
}

static void add_interface(struct fixture *f, const char *name, const char *interfaces,
                          const struct mini_member *methods) {
    mini_add(&f->classes, 61, IFACE, name, "java/lang/Object", interfaces, NULL, methods);
}

static int setup(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL) return -1;
    const struct mini_member object[] = {{PUB, "<init>", "()V", MINI_CODE(mini_return)},
                                         {PUB, "toString", "()V", MINI_CODE(mini_return)},
                                         {PROT, "clone", "()V", MINI_CODE(mini_return)},
                                         {0}};
    mini_add(&f->classes, 61, PUB, "java/lang/Object", NULL, NULL, NULL, object);
    add_interface(f, "java/lang/Cloneable", NULL, NULL);
    add_interface(f, "java/io/Serializable", NULL, NULL);
    f->source = mini_class_source(&f->classes);
    f->p = program_new(&f->source, (struct program_options){.parsed_files = 16});
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    program_free(f->p);
    mini_release(&f->classes);
    free(f);
    return 0;
}

static class_id cls(struct fixture *f, const char *name) {
    return program_class(f->p, name);
}

static method_id m_of(struct fixture *f, const char *name) {
    return program_method_named(f->p, name, "m", "()V");
}

static method_id resolve(struct fixture *f, const char *name, bool interface_ref) {
    return program_resolve_method(f->p, cls(f, name), program_name(f->p, "m"), program_name(f->p, "()V"),
                                  interface_ref);
}

static method_id dispatch(struct fixture *f, const char *recv, method_id resolved) {
    return program_dispatch(f->p, cls(f, recv), resolved);
}

static bool sub(struct fixture *f, const char *a, const char *b) {
    return program_is_subtype(f->p, cls(f, a), cls(f, b));
}

#define assert_method(got, name) assert_int_equal((got).v, m_of(f, (name)).v)
#define assert_none(got) assert_int_equal((got).v, 0)

/* ---- loading ---- */

static void naming_a_class_reads_nothing(void **state) {
    struct fixture *f = *state;
    add_class(f, "A", NULL, NULL, NULL);
    class_id a = cls(f, "A");
    assert_int_equal(program_type(f->p, "[[LA;", 5).v, program_class(f->p, "[[LA;").v);
    assert_int_equal(f->classes.asked, 0);
    assert_int_equal(program_peek(f->p, a)->state, CLASS_NAMED);
    assert_int_equal(program_info(f->p, a)->state, CLASS_LOADED);
    assert_int_equal(f->classes.asked, 2); /* A and Object */
}

static void missing_classes_are_listed_once(void **state) {
    struct fixture *f = *state;
    add_class(f, "A", "Gone", "GoneToo", NULL);
    add_class(f, "B", "Gone", NULL, NULL);
    assert_true(sub(f, "A", "Gone"));
    assert_true(sub(f, "A", "GoneToo"));
    assert_true(sub(f, "B", "Gone"));
    uint32_t n;
    const class_id *v = program_phantoms(f->p, &n);
    assert_int_equal(n, 2);
    assert_string_equal(program_class_name(f->p, v[0]), "Gone");
    assert_string_equal(program_class_name(f->p, v[1]), "GoneToo");
    assert_true(program_info(f->p, cls(f, "A"))->incomplete);
    assert_int_equal(program_find_class(f->p, "Gone").v, 0);
    assert_false(program_failed(f->p, NULL));
}

static void superclass_cycle_is_an_error(void **state) {
    struct fixture *f = *state;
    add_class(f, "A", "B", NULL, NULL);
    add_class(f, "B", "C", NULL, NULL);
    add_class(f, "C", "A", NULL, NULL);
    struct race_error err = {0};
    assert_false(program_load_all(f->p, &err));
    char line[300];
    race_error_format(&err, line, sizeof line);
    assert_non_null(strstr(line, "class A is its own superclass"));
    assert_int_equal(err.exit_code, RACE_EXIT_INPUT);
}

static void interface_cycle_is_an_error(void **state) {
    struct fixture *f = *state;
    add_interface(f, "I", "J", NULL);
    add_interface(f, "J", "I", NULL);
    assert_true(sub(f, "J", "java/lang/Object"));
    program_info(f->p, cls(f, "J"));
    assert_true(program_failed(f->p, NULL));
}

static void broken_class_sets_the_error_and_becomes_a_phantom(void **state) {
    struct fixture *f = *state;
    add_class(f, "A", NULL, NULL, METHOD(PUB));
    f->classes.classes[f->classes.n - 1].size -= 3;
    assert_int_equal(program_info(f->p, cls(f, "A"))->state, CLASS_PHANTOM);
    struct race_error err = {0};
    assert_true(program_failed(f->p, &err));
    assert_string_equal(err.file, "A");
}

static void file_with_another_class_does_not_count(void **state) {
    struct fixture *f = *state;
    add_class(f, "A", NULL, NULL, NULL);
    strcpy(f->classes.classes[f->classes.n - 1].name, "a");
    assert_int_equal(program_find_class(f->p, "a").v, 0);
    assert_false(program_failed(f->p, NULL));
}

static void dropped_files_are_read_again(void **state) {
    struct fixture *f = *state;
    char name[16];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "C%d", i);
        add_class(f, name, NULL, NULL, METHOD(PUB));
    }
    assert_true(program_load_all(f->p, &(struct race_error){0}));
    /* More classes than stay parsed: go round until the first must have been dropped. */
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) {
            snprintf(name, sizeof name, "C%d", i);
            const struct cf_method *m = program_cf_method(f->p, m_of(f, name));
            assert_non_null(m);
            assert_int_equal(m->code->length, 1);
        }
    }
    assert_in_range(f->classes.asked, 400, 404); /* once to load, once per round: nothing survives a round */
}

/* ---- hierarchy ---- */

static void subtypes_of_classes_interfaces_and_arrays(void **state) {
    struct fixture *f = *state;
    add_interface(f, "I", NULL, NULL);
    add_interface(f, "J", "I", NULL);
    add_class(f, "A", NULL, "J", NULL);
    add_class(f, "B", "A", NULL, NULL);
    assert_true(sub(f, "B", "A") && sub(f, "B", "I") && sub(f, "A", "J") && sub(f, "J", "I"));
    assert_true(sub(f, "I", "java/lang/Object"));
    assert_false(sub(f, "A", "B") || sub(f, "I", "J") || sub(f, "java/lang/Object", "I"));
    assert_true(sub(f, "[LB;", "[LI;") && sub(f, "[[LB;", "[[LA;") && sub(f, "[[I", "[Ljava/lang/Object;"));
    assert_true(sub(f, "[I", "java/lang/Cloneable") && sub(f, "[[I", "[Ljava/io/Serializable;"));
    assert_false(sub(f, "[I", "[J") || sub(f, "[I", "[Ljava/lang/Object;") || sub(f, "[LA;", "[LB;"));
    assert_false(sub(f, "[LA;", "A") || sub(f, "A", "[LA;"));
    uint32_t n;
    assert_int_equal(program_subclasses(f->p, cls(f, "A"), &n)[0].v, cls(f, "B").v);
    assert_int_equal(n, 1);
    assert_int_equal(program_subclasses(f->p, cls(f, "I"), &n)[0].v, cls(f, "J").v);
}

static bool count(void *arg, class_id c) {
    (void)c;
    ++*(int *)arg;
    return true;
}

static void walk_below_sees_each_class_once(void **state) {
    struct fixture *f = *state;
    add_interface(f, "I", NULL, NULL);
    add_interface(f, "J", "I", NULL);
    add_interface(f, "K", "I", NULL);
    add_class(f, "A", NULL, "J K I", NULL);
    program_load_all(f->p, &(struct race_error){0});
    int n = 0;
    program_each_below(f->p, cls(f, "I"), count, &n);
    assert_int_equal(n, 4);
}

/* ---- 5.4.3 ---- */

static void fields_are_looked_for_in_interfaces_before_superclasses(void **state) {
    struct fixture *f = *state;
    const struct mini_member x[] = {{PUB | STAT, "x", "I", NULL, 0, 0, 0, {{0}}, 0}, {0}};
    const struct mini_member other[] = {{PUB | STAT, "x", "J", NULL, 0, 0, 0, {{0}}, 0}, {0}};
    mini_add(&f->classes, 61, IFACE, "I", "java/lang/Object", NULL, x, NULL);
    mini_add(&f->classes, 61, PUB, "A", "java/lang/Object", NULL, x, NULL);
    mini_add(&f->classes, 61, PUB, "B", "A", "I", other, NULL);
    mini_add(&f->classes, 61, PUB, "C", "B", NULL, NULL, NULL);
    name_id name = program_name(f->p, "x");
    field_id in_i = program_resolve_field(f->p, cls(f, "C"), name, program_name(f->p, "I"));
    assert_int_equal(program_field(f->p, in_i)->owner.v, cls(f, "I").v);
    field_id in_b = program_resolve_field(f->p, cls(f, "C"), name, program_name(f->p, "J"));
    assert_int_equal(program_field(f->p, in_b)->owner.v, cls(f, "B").v);
    assert_int_equal(program_resolve_field(f->p, cls(f, "C"), name, program_name(f->p, "F")).v, 0);
}

static void superclass_beats_default_method(void **state) {
    struct fixture *f = *state;
    add_interface(f, "I", NULL, METHOD(PUB));
    add_class(f, "A", NULL, NULL, METHOD(PUB));
    add_class(f, "B", "A", "I", NULL);
    assert_method(resolve(f, "B", false), "A");
    assert_method(dispatch(f, "B", m_of(f, "I")), "A");
}

static void the_most_specific_default_wins(void **state) {
    struct fixture *f = *state;
    add_interface(f, "I", NULL, METHOD(PUB));
    add_interface(f, "J", "I", METHOD(PUB));
    add_interface(f, "K", "I", NULL);
    add_class(f, "A", NULL, "I K J", NULL);
    assert_method(resolve(f, "A", false), "J");
    assert_method(dispatch(f, "A", m_of(f, "I")), "J");
}

static void an_abstract_subinterface_hides_a_default(void **state) {
    struct fixture *f = *state;
    add_interface(f, "I", NULL, METHOD(PUB));
    add_interface(f, "J", "I", ABSTRACT_METHOD);
    add_class(f, "A", NULL, "J I", NULL);
    assert_int_not_equal(resolve(f, "A", false).v, 0); /* resolution may take any */
    assert_none(dispatch(f, "A", m_of(f, "I")));       /* AbstractMethodError */
}

static void conflicting_defaults_select_nothing(void **state) {
    struct fixture *f = *state;
    add_interface(f, "I", NULL, METHOD(PUB));
    add_interface(f, "J", NULL, METHOD(PUB));
    add_interface(f, "K", NULL, ABSTRACT_METHOD);
    add_class(f, "A", NULL, "I J", NULL);
    add_class(f, "B", NULL, "I K", NULL);
    assert_int_not_equal(resolve(f, "A", false).v, 0);
    assert_none(dispatch(f, "A", m_of(f, "I")));
    assert_method(dispatch(f, "B", m_of(f, "K")), "I"); /* the only one that is not abstract */
}

static void static_and_private_interface_methods_are_not_inherited(void **state) {
    struct fixture *f = *state;
    add_interface(f, "I", NULL, METHOD(PUB | STAT));
    add_interface(f, "J", NULL, METHOD(PRIV));
    add_class(f, "A", NULL, "I", NULL);
    add_class(f, "B", NULL, "J", NULL);
    assert_none(resolve(f, "A", false));
    assert_none(resolve(f, "B", false));
    assert_method(resolve(f, "J", true), "J");
    assert_method(dispatch(f, "B", m_of(f, "J")), "J");
}

static void reference_kind_must_fit_the_class(void **state) {
    struct fixture *f = *state;
    add_interface(f, "I", NULL, METHOD(PUB));
    add_class(f, "A", NULL, NULL, METHOD(PUB));
    assert_none(resolve(f, "I", false));
    assert_none(resolve(f, "A", true));
    assert_method(resolve(f, "I", true), "I");
}

static void interfaces_see_only_public_methods_of_object(void **state) {
    struct fixture *f = *state;
    add_interface(f, "I", NULL, NULL);
    name_id desc = program_name(f->p, "()V");
    class_id i = cls(f, "I");
    assert_int_not_equal(program_resolve_method(f->p, i, program_name(f->p, "toString"), desc, true).v, 0);
    assert_none(program_resolve_method(f->p, i, program_name(f->p, "clone"), desc, true));
    class_id array = program_class(f->p, "[I");
    assert_int_not_equal(program_resolve_method(f->p, array, program_name(f->p, "clone"), desc, false).v, 0);
}

static void method_handles_match_by_name(void **state) {
    struct fixture *f = *state;
    uint16_t flags = PUB | CF_ACC_FINAL | CF_ACC_NATIVE | CF_ACC_TRANSIENT;
    const char *generic = "([Ljava/lang/Object;)Ljava/lang/Object;";
    const struct mini_member methods[] = {{flags, "invoke", generic, NULL, 0, 0, 0, {{0}}, 0},
                                          {PUB, "other", generic, MINI_CODE(mini_return)},
                                          {0}};
    add_class(f, "java/lang/invoke/MethodHandle", NULL, NULL, methods);
    class_id mh = cls(f, "java/lang/invoke/MethodHandle");
    name_id desc = program_name(f->p, "(IJ)V");
    method_id m = program_resolve_method(f->p, mh, program_name(f->p, "invoke"), desc, false);
    assert_int_not_equal(m.v, 0);
    assert_true(program_method(f->p, m)->sig_polymorphic);
    assert_none(program_resolve_method(f->p, mh, program_name(f->p, "other"), desc, false));
}

/* ---- 5.4.5, 5.4.6 ---- */

static void package_private_is_overridden_in_the_package_only(void **state) {
    struct fixture *f = *state;
    add_class(f, "a/A", NULL, NULL, METHOD(0));
    add_class(f, "b/B", "a/A", NULL, METHOD(PUB));
    add_class(f, "a/C", "b/B", NULL, METHOD(PUB));
    assert_false(program_overrides(f->p, m_of(f, "b/B"), m_of(f, "a/A")));
    assert_true(program_overrides(f->p, m_of(f, "a/C"), m_of(f, "a/A")));
    assert_method(dispatch(f, "b/B", m_of(f, "a/A")), "a/A");
    assert_method(dispatch(f, "a/C", m_of(f, "a/A")), "a/C");
    assert_method(dispatch(f, "a/C", m_of(f, "b/B")), "a/C");
}

static void package_private_is_overridden_in_steps(void **state) {
    struct fixture *f = *state;
    add_class(f, "a/A", NULL, NULL, METHOD(0));
    add_class(f, "a/B", "a/A", NULL, METHOD(PUB));
    add_class(f, "b/C", "a/B", NULL, METHOD(PUB));
    add_class(f, "c/D", "b/C", NULL, METHOD(PUB));
    assert_true(program_overrides(f->p, m_of(f, "c/D"), m_of(f, "a/A")));
    assert_method(dispatch(f, "c/D", m_of(f, "a/A")), "c/D");
}

static void private_and_static_methods_do_not_override(void **state) {
    struct fixture *f = *state;
    add_class(f, "A", NULL, NULL, METHOD(PUB));
    add_class(f, "B", "A", NULL, METHOD(PRIV));
    add_class(f, "C", "B", NULL, METHOD(PUB | STAT));
    assert_method(dispatch(f, "C", m_of(f, "A")), "A");
    assert_method(dispatch(f, "C", m_of(f, "B")), "B"); /* a private method is what it is */
}

static void abstract_methods_are_not_selected(void **state) {
    struct fixture *f = *state;
    add_class(f, "A", NULL, NULL, METHOD(PUB));
    add_class(f, "B", "A", NULL, ABSTRACT_METHOD);
    assert_none(dispatch(f, "B", m_of(f, "A")));
    assert_method(dispatch(f, "A", m_of(f, "A")), "A");
}

static void super_calls_start_at_the_direct_superclass(void **state) {
    struct fixture *f = *state;
    add_class(f, "A", NULL, NULL, METHOD(PUB));
    add_class(f, "B", "A", NULL, METHOD(PUB)); /* added after C was compiled against A */
    add_class(f, "C", "B", NULL, METHOD(PUB));
    add_interface(f, "I", NULL, METHOD(PUB));
    method_id m = program_dispatch_special(f->p, cls(f, "C"), cls(f, "A"), m_of(f, "A"));
    assert_method(m, "B");
    assert_method(program_dispatch_special(f->p, cls(f, "C"), cls(f, "C"), m_of(f, "C")), "C");
    assert_method(program_dispatch_special(f->p, cls(f, "C"), cls(f, "I"), m_of(f, "I")), "I");
    method_id init = program_method_named(f->p, "java/lang/Object", "<init>", "()V");
    assert_int_equal(program_dispatch_special(f->p, cls(f, "C"), cls(f, "java/lang/Object"), init).v, init.v);
}

static void protected_needs_a_subclass_or_the_package(void **state) {
    struct fixture *f = *state;
    add_class(f, "a/A", NULL, NULL, METHOD(PROT));
    add_class(f, "a/Near", NULL, NULL, NULL);
    add_class(f, "b/Sub", "a/A", NULL, NULL);
    add_class(f, "b/Other", "a/A", NULL, NULL);
    add_class(f, "b/Far", NULL, NULL, NULL);
    method_id m = m_of(f, "a/A");
    assert_true(program_can_access_method(f->p, cls(f, "a/Near"), m, cls(f, "a/A")));
    assert_true(program_can_access_method(f->p, cls(f, "b/Sub"), m, cls(f, "b/Sub")));
    assert_false(program_can_access_method(f->p, cls(f, "b/Sub"), m, cls(f, "b/Other")));
    assert_false(program_can_access_method(f->p, cls(f, "b/Far"), m, cls(f, "a/A")));
}

/* ---- against the real JDK ---- */

static void jdk_classes_resolve_and_dispatch(void **state) {
    (void)state;
    struct race_error err = {0};
    struct classpath *cp = classpath_open(&(struct classpath_options){0}, &err);
    assert_non_null(cp);
    struct class_source source = classpath_source(cp);
    struct program *p = program_new(&source, (struct program_options){0});

    method_id list_add = program_method_named(p, "java/util/List", "add", "(Ljava/lang/Object;)Z");
    method_id in_array_list = program_method_named(p, "java/util/ArrayList", "add", "(Ljava/lang/Object;)Z");
    assert_int_not_equal(in_array_list.v, 0);
    class_id array_list = program_class(p, "java/util/ArrayList");
    assert_int_equal(program_dispatch(p, array_list, list_add).v, in_array_list.v);

    const char *stream_desc = "()Ljava/util/stream/Stream;";
    method_id stream = program_method_named(p, "java/util/Collection", "stream", stream_desc);
    assert_int_equal(program_dispatch(p, array_list, stream).v, stream.v);
    assert_true(program_is_subtype(p, array_list, program_class(p, "java/lang/Iterable")));

    class_id map = program_class(p, "java/util/HashMap"), node = program_class(p, "java/util/HashMap$Node");
    assert_true(program_same_nest(p, map, node));
    assert_false(program_same_nest(p, node, program_class(p, "java/util/TreeMap$Entry")));

    class_id handle = program_class(p, "java/lang/invoke/VarHandle");
    method_id set = program_resolve_method(p, handle, program_name(p, "setVolatile"),
                                           program_name(p, "(Ljava/lang/Object;I)V"), false);
    assert_true(set.v != 0 && program_method(p, set)->sig_polymorphic);
    assert_false(program_failed(p, &err));
    program_free(p);
    classpath_free(cp);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(naming_a_class_reads_nothing),
        TEST(missing_classes_are_listed_once),
        TEST(superclass_cycle_is_an_error),
        TEST(interface_cycle_is_an_error),
        TEST(broken_class_sets_the_error_and_becomes_a_phantom),
        TEST(file_with_another_class_does_not_count),
        TEST(dropped_files_are_read_again),
        TEST(subtypes_of_classes_interfaces_and_arrays),
        TEST(walk_below_sees_each_class_once),
        TEST(fields_are_looked_for_in_interfaces_before_superclasses),
        TEST(superclass_beats_default_method),
        TEST(the_most_specific_default_wins),
        TEST(an_abstract_subinterface_hides_a_default),
        TEST(conflicting_defaults_select_nothing),
        TEST(static_and_private_interface_methods_are_not_inherited),
        TEST(reference_kind_must_fit_the_class),
        TEST(interfaces_see_only_public_methods_of_object),
        TEST(method_handles_match_by_name),
        TEST(package_private_is_overridden_in_the_package_only),
        TEST(package_private_is_overridden_in_steps),
        TEST(private_and_static_methods_do_not_override),
        TEST(abstract_methods_are_not_selected),
        TEST(super_calls_start_at_the_direct_superclass),
        TEST(protected_needs_a_subclass_or_the_package),
        cmocka_unit_test(jdk_classes_resolve_and_dispatch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
