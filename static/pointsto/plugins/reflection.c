/*
 * Reflection as far as constants and casts tell.
 *
 * Class objects are one per class; Class.forName() of a constant string (in the call itself, or a string of
 * the application that names a class and travels there) gives the class's object.  Constructor, Method and
 * Field objects are model objects that remember class and name.  Where nothing is known, the cast on the
 * result of newInstance() says what may come out; the rest is listed as a gap.
 */
#include "../plugin.h"

#include <string.h>

#define CLASS "java/lang/Class"
#define CONSTRUCTOR "java/lang/reflect/Constructor"
#define METHOD "java/lang/reflect/Method"
#define FIELD "java/lang/reflect/Field"
#define ANY_NAME "*"

/* Classes that an instance of unknown class is taken to be of; beyond it the list is cut. */
enum { MAX_CANDIDATES = 256 };

static const struct pts_alloc_info *alloc_of(const struct pts *s, uint32_t obj) {
    return &s->world->allocs.v[s->objs.v[obj].alloc.v];
}

/* The class that a Class object (or a member object) is about; 0 if unknown. */
static class_id subject(const struct pts *s, uint32_t obj) {
    return obj ? alloc_of(s, obj)->type : (class_id){0};
}

static uint32_t about(struct pts *s, const char *cls, const char *label, class_id type) {
    return pts_plain_obj(s, pts_alloc_about(s->world, program_class(s->p, cls), label, type));
}

static bool can_instantiate(struct pts *s, class_id c) {
    if (c.v == 0 || class_is_primitive(c)) return false;
    const struct class_info *info = program_info(s->p, c);
    return info->state == CLASS_LOADED && !(info->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE));
}

/* ---- classes ---- */

static class_id class_named(struct pts *s, const char *dotted) {
    char name[512];
    size_t n = strlen(dotted);
    if (n >= sizeof name) return (class_id){0};
    for (size_t i = 0; i <= n; i++) name[i] = dotted[i] == '.' ? '/' : dotted[i];
    return program_find_class(s->p, name);
}

void pts_give_class(struct pts *s, uint32_t site, class_id c) {
    if (c.v == 0) return;
    pts_initialise(s, c, s->sites.v[site].caller, s->sites.v[site].stmt);
    pts_put(s, pts_ret(s, site), pts_class_obj(s, c));
}

static void see_name(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    const struct pts_alloc_info *h = alloc_of(s, obj);
    if (h->kind == PTS_ALLOC_MODEL && h->cls.v == CLASS_STRING) {
        pts_give_class(s, w->site, class_named(s, h->label));
        return;
    }
    pts_give_named(s, w->site);
    pts_gap_here(s, w->site, "reflective call", "class by a computed name");
    pts_put(s, pts_ret(s, w->site), pts_merged_obj(s, (class_id){CLASS_CLASS})); /* whatever it describes */
}

/* Unsafe.ensureClassInitialized and its like. */
static void see_initialised(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    class_id cls = subject(s, obj);
    if (cls.v && !class_is_primitive(cls))
        pts_initialise(s, cls, s->sites.v[w->site].caller, s->sites.v[w->site].stmt);
}

static void initialise(struct pts *s, uint32_t site, uint32_t recv, uint32_t arg) {
    (void)recv;
    pts_add_watch(s, pts_arg(s, site, arg), see_initialised, site, 0, 0);
    pts_flow(s, pts_arg(s, site, arg), pts_ret(s, site));
}

static void for_name(struct pts *s, uint32_t site, uint32_t recv, uint32_t arg) {
    (void)recv;
    name_id text = pts_string_arg(s, site, arg);
    if (text.v)
        pts_give_class(s, site, class_named(s, program_str(s->p, text)));
    else
        pts_add_watch(s, pts_arg(s, site, arg), see_name, site, 0, 0);
    /* Names of the JDK's own may come from where nobody can see, such as the module graph. */
    if (text.v == 0 && !pts_from_app(s, site))
        pts_put(s, pts_ret(s, site), pts_merged_obj(s, (class_id){CLASS_CLASS}));
}

/*
 * getClass(): exact for arrays (toArray() copies into an array of its argument's class) and, where the
 * application asks, for its own classes.  Else one object stands for all, since the JDK asks everywhere and
 * makes instances elsewhere.
 */
static void get_class(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    class_id cls = s->objs.v[recv].cls;
    const struct class_info *info = program_info(s->p, cls);
    bool exact = info->component.v != 0 || (!info->from_jdk && pts_from_app(s, site));
    if (s->any_class == 0) s->any_class = pts_merged_obj(s, (class_id){CLASS_CLASS});
    pts_put(s, pts_ret(s, site), exact ? pts_class_obj(s, cls) : s->any_class);
}

static void component_type(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    class_id cls = subject(s, recv), component = {0};
    if (cls.v) component = program_info(s->p, cls)->component;
    pts_put(s, pts_ret(s, site),
            component.v ? pts_class_obj(s, component) : pts_merged_obj(s, (class_id){CLASS_CLASS}));
}

static void some_class(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    pts_put(s, pts_ret(s, site), pts_merged_obj(s, (class_id){CLASS_CLASS}));
}

static void some_classes(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    uint32_t array = pts_made_here(s, site, program_array_of(s->p, (class_id){CLASS_CLASS}));
    pts_put(s, pts_field_node(s, array, PTS_FIELD_ELEMS), pts_merged_obj(s, (class_id){CLASS_CLASS}));
    pts_put(s, pts_ret(s, site), array);
}

static void some_string(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    pts_put(s, pts_ret(s, site), pts_merged_obj(s, (class_id){CLASS_STRING}));
}

static void loader(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    field_id f = program_field_named(s->p, "java/lang/ClassLoader", "scl", "Ljava/lang/ClassLoader;");
    if (f.v && pts_ret(s, site) != PTS_NO_NODE) pts_flow(s, pts_static_node(s, f), pts_ret(s, site));
}

/* The class that a Method, Constructor or Field is declared in, as far as the model object knows it. */
static void declaring_class(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    class_id cls = subject(s, recv);
    pts_put(s, pts_ret(s, site), cls.v ? pts_class_obj(s, cls) : pts_merged_obj(s, (class_id){CLASS_CLASS}));
}

static void pass_argument(struct pts *s, uint32_t site, uint32_t recv, uint32_t arg) {
    (void)recv;
    pts_flow(s, pts_arg(s, site, arg), pts_ret(s, site));
}

static void enum_constants(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    class_id cls = subject(s, recv);
    if (cls.v == 0 || !(program_info(s->p, cls)->access & CF_ACC_ENUM)) return;
    char desc[600];
    snprintf(desc, sizeof desc, "()[L%s;", program_class_name(s->p, cls));
    method_id m = program_method_named(s->p, program_class_name(s->p, cls), "values", desc);
    if (m.v) pts_derive(s, site, IR_CALL_STATIC, m, 0, NULL, 0, pts_ret(s, site));
}

/* ---- instances ---- */

struct candidates {
    struct pts *s;
    uint32_t site, args;
    unsigned n;
};

/* An abstract class stands for those below it that are made at run time. */
static bool visit_candidate(void *arg, class_id sub) {
    struct candidates *c = arg;
    const struct class_info *info = program_info(c->s->p, sub);
    if (info->state != CLASS_LOADED || info->access & CF_ACC_INTERFACE || info->from_jdk) return true;
    pts_put(c->s, pts_ret(c->s, c->site), pts_instantiate(c->s, c->site, sub, c->args));
    return ++c->n < MAX_CANDIDATES;
}

/* The program knows the classes below a type only once they are loaded. */
static void load_application(struct pts *s) {
    if (s->world->loaded_all || s->options.cp == NULL) return;
    s->world->loaded_all = true;
    size_t n = classpath_class_count(s->options.cp, CLASSPATH_APP);
    for (size_t i = 0; i < n; i++)
        program_find_class(s->p, classpath_class_at(s->options.cp, CLASSPATH_APP, i)->name);
}

bool pts_instantiate_below(struct pts *s, uint32_t site, class_id type, uint32_t args) {
    struct candidates c = {.s = s, .site = site, .args = args};
    if (type.v && type.v != CLASS_OBJECT && !class_is_primitive(type) && pts_from_app(s, site)) {
        load_application(s);
        program_each_below(s->p, type, visit_candidate, &c);
    }
    return c.n != 0;
}

static void instantiate(struct pts *s, uint32_t site, class_id cls, uint32_t args) {
    if (pts_is_excluded_named(s, cls, pts_result_cast(s, site))) return;
    if (can_instantiate(s, cls))
        pts_put(s, pts_ret(s, site), pts_instantiate(s, site, cls, args));
    else if (!pts_instantiate_below(s, site, pts_result_cast(s, site), args))
        pts_gap_here(s, site, "reflective call", "instance of an unknown class");
}

/* What an unknown member holds or returns: a class, text or number, if the result is cast to one. */
static void unknown_member(struct pts *s, uint32_t site, const char *detail) {
    class_id cast = pts_result_cast(s, site);
    pts_gap_here(s, site, "reflective call", detail);
    if (cast.v == CLASS_CLASS || (can_instantiate(s, cast) && pts_is_merged(s->p, cast, s->world->split)))
        pts_put(s, pts_ret(s, site), pts_merged_obj(s, cast));
}

static void new_instance(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    instantiate(s, site, subject(s, recv), PTS_NO_NODE);
}

static void load_elements(struct pts *s, uint32_t array, uint32_t into) {
    struct pts_cons load = {.kind = PTS_CONS_LOAD, .a = into, .b = 0};
    if (array != PTS_NO_NODE) pts_graph_cons(&s->g, array, load);
}

static void constructor_new_instance(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    uint32_t values = pts_graph_nodes(&s->g, 1);
    load_elements(s, pts_arg(s, site, 1), values);
    instantiate(s, site, subject(s, recv), values);
}

/* ClassLoader.defineClass() in the application: nobody can see what the class does. */
static void define_class(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    if (!pts_from_app(s, site)) return;
    pts_gap_here(s, site, "generated class", "defined at run time");
    pts_put(s, pts_ret(s, site), pts_merged_obj(s, (class_id){CLASS_CLASS}));
}

/* ---- members ---- */

enum { GET_ONE = 0, GET_ALL = 1 };
static const char *const member_classes[] = {CONSTRUCTOR, METHOD, FIELD};

/* data: index of the member's class * 2 + GET_ONE or GET_ALL. */
static void get_member(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    const char *cls = member_classes[data / 2];
    class_id type = subject(s, recv);
    name_id text = pts_string_arg(s, site, 1);
    const char *name = text.v && data / 2 != 0 ? program_str(s->p, text) : ANY_NAME;
    uint32_t member = about(s, cls, name, type);
    if (data % 2 == GET_ONE) {
        pts_put(s, pts_ret(s, site), member);
        return;
    }
    uint32_t array = pts_made_here(s, site, program_array_of(s->p, program_class(s->p, cls)));
    pts_put(s, pts_field_node(s, array, PTS_FIELD_ELEMS), member);
    pts_put(s, pts_ret(s, site), array);
}

static void call_by_reflection(struct pts *s, uint32_t site, method_id m, uint32_t values) {
    const struct method_info *info = program_method(s->p, m);
    bool is_static = info->access & CF_ACC_STATIC;
    uint32_t args[256], n = 0;
    if (info->sig->n_params > 254) return;
    if (!is_static) args[n++] = pts_arg(s, site, 1);
    for (uint32_t i = 0; i < info->sig->n_params; i++)
        args[n++] = pts_filtered(s, values, info->sig->params[i]);
    pts_derive(s, site, is_static ? IR_CALL_STATIC : IR_CALL_VIRTUAL, m, 0, args, (uint16_t)n,
               pts_ret(s, site));
    pts_box_result(s, site, m);
}

/* Method.invoke: all methods of that name in the class and above it. */
static void invoke(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    class_id cls = subject(s, recv);
    const char *label = alloc_of(s, recv)->label;
    if (cls.v == 0 || label == NULL || strcmp(label, ANY_NAME) == 0) {
        unknown_member(s, site, "unknown method");
        return;
    }
    uint32_t values = pts_graph_nodes(&s->g, 1);
    load_elements(s, pts_arg(s, site, 2), values);
    name_id name = program_name(s->p, label);
    for (; cls.v; cls = program_info(s->p, cls)->super) {
        const struct class_info *info = program_info(s->p, cls);
        for (uint32_t i = 0; i < info->n_methods; i++) {
            method_id m = {info->first_method.v + i};
            if (program_method(s->p, m)->name.v == name.v) call_by_reflection(s, site, m, values);
        }
    }
}

/* w->a: the field, w->b: the value's node; w->fn tells reading from writing. */
static void read_field(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    if (pts_instance_of_class(s, obj, program_field(s->p, (field_id){w->a})->owner))
        pts_graph_edge(&s->g, pts_field_node(s, obj, w->a), w->b, 0);
}

static void write_field(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    const struct field_info *f = program_field(s->p, (field_id){w->a});
    if (pts_instance_of_class(s, obj, f->owner))
        pts_graph_edge(&s->g, w->b, pts_field_node(s, obj, w->a), f->type.v == CLASS_OBJECT ? 0 : f->type.v);
}

/* Field.get and set: the field of that name in the class or above it. */
static void field_access(struct pts *s, uint32_t site, uint32_t recv, uint32_t is_set) {
    class_id cls = subject(s, recv);
    const char *label = alloc_of(s, recv)->label;
    if (cls.v == 0 || label == NULL || strcmp(label, ANY_NAME) == 0) {
        unknown_member(s, site, "unknown field");
        return;
    }
    name_id name = program_name(s->p, label);
    uint32_t value = is_set ? pts_arg(s, site, 2) : pts_ret(s, site);
    for (; cls.v && value != PTS_NO_NODE; cls = program_info(s->p, cls)->super) {
        const struct class_info *info = program_info(s->p, cls);
        for (uint32_t i = 0; i < info->n_fields; i++) {
            field_id f = {info->first_field.v + i};
            const struct field_info *field = program_field(s->p, f);
            if (field->name.v != name.v || class_is_primitive(field->type)) continue;
            if (!(field->access & CF_ACC_STATIC)) {
                pts_add_watch(s, pts_arg(s, site, 1), is_set ? write_field : read_field, site, f.v, value);
                continue;
            }
            uint32_t node = pts_static_node(s, f);
            pts_flow(s, is_set ? value : node, is_set ? node : value);
        }
    }
}

static const struct pts_model models[] = {
    {CLASS, "forName", "(Ljava/lang/String;)Ljava/lang/Class;", for_name, 0, true},
    {CLASS, "forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;", for_name, 0, true},
    {CLASS, "forName", "(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;", for_name, 1, true},
    {"java/lang/ClassLoader", "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;", for_name, 1, false},
    {"java/lang/ClassLoader", "defineClass", NULL, define_class, 0, false},
    {"java/lang/invoke/MethodHandles$Lookup", "defineClass", NULL, define_class, 0, false},
    {"java/lang/invoke/MethodHandles$Lookup", "defineHiddenClass", NULL, define_class, 0, false},
    {"jdk/internal/misc/Unsafe", "ensureClassInitialized", NULL, initialise, 1, true},
    {"java/lang/invoke/MethodHandles$Lookup", "ensureInitialized", NULL, initialise, 1, true},
    {"java/lang/Object", "getClass", NULL, get_class, 0, PTS_REPEATS},
    {CLASS, "getComponentType", NULL, component_type, 0, true},
    {CLASS, "getSuperclass", NULL, some_class, 0, true},
    {CLASS, "getPrimitiveClass", NULL, some_class, 0, true},
    {CLASS, "getName", NULL, some_string, 0, true},
    {CLASS, "getSimpleName", NULL, some_string, 0, true},
    {CLASS, "getTypeName", NULL, some_string, 0, true},
    {CLASS, "getCanonicalName", NULL, some_string, 0, true},
    {CLASS, "toString", NULL, some_string, 0, true},
    {CLASS, "getClassLoader", NULL, loader, 0, true},
    {CLASS, "getClassLoader0", NULL, loader, 0, true},
    {CLASS, "cast", NULL, pass_argument, 1, true},
    {CLASS, "asSubclass", NULL, pass_argument, 0, true},
    {CLASS, "getEnumConstants", NULL, enum_constants, 0, true},
    {CLASS, "getEnumConstantsShared", NULL, enum_constants, 0, true},
    {CLASS, "newInstance", NULL, new_instance, 0, true},
    {CLASS, "getConstructor", NULL, get_member, 0, true},
    {CLASS, "getDeclaredConstructor", NULL, get_member, 0, true},
    {CLASS, "getConstructors", NULL, get_member, 1, true},
    {CLASS, "getDeclaredConstructors", NULL, get_member, 1, true},
    {CLASS, "getMethod", NULL, get_member, 2, true},
    {CLASS, "getDeclaredMethod", NULL, get_member, 2, true},
    {CLASS, "getMethods", NULL, get_member, 3, true},
    {CLASS, "getDeclaredMethods", NULL, get_member, 3, true},
    {CLASS, "getField", NULL, get_member, 4, true},
    {CLASS, "getDeclaredField", NULL, get_member, 4, true},
    {CLASS, "getFields", NULL, get_member, 5, true},
    {CLASS, "getDeclaredFields", NULL, get_member, 5, true},
    {CONSTRUCTOR, "newInstance", NULL, constructor_new_instance, 0, true},
    {METHOD, "invoke", NULL, invoke, 0, true},
    {METHOD, "getReturnType", NULL, some_class, 0, true},
    {METHOD, "getParameterTypes", NULL, some_classes, 0, true},
    {CONSTRUCTOR, "getParameterTypes", NULL, some_classes, 0, true},
    {FIELD, "getType", NULL, some_class, 0, true},
    {METHOD, "getDeclaringClass", NULL, declaring_class, 0, true},
    {CONSTRUCTOR, "getDeclaringClass", NULL, declaring_class, 0, true},
    {FIELD, "getDeclaringClass", NULL, declaring_class, 0, true},
    {FIELD, "get", NULL, field_access, 0, true},
    {FIELD, "set", NULL, field_access, 1, true},
};

const struct pts_plugin pts_plugin_reflection = {.name = "reflection", PTS_MODELS(models)};
