/* Native methods that move references, and Java ones whose only point is to copy arrays. */
#include "../plugin.h"

static bool is_ref_array(struct pts *s, uint32_t obj) {
    class_id component = program_info(s->p, s->objs.v[obj].cls)->component;
    if (s->world->allocs.v[s->objs.v[obj].alloc.v].is_empty) return false;
    return component.v != 0 && !class_is_primitive(component);
}

/* ---- array copies: elements of the sources -> w->a -> elements of the targets ---- */

static void copy_from(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    if (is_ref_array(s, obj)) pts_flow(s, pts_field_node(s, obj, PTS_FIELD_ELEMS), w->a);
}

static void copy_to(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    if (!is_ref_array(s, obj)) return;
    class_id component = program_info(s->p, s->objs.v[obj].cls)->component;
    uint32_t filter = component.v == CLASS_OBJECT ? 0 : component.v;
    pts_graph_edge(&s->g, w->a, pts_field_node(s, obj, PTS_FIELD_ELEMS), filter);
}

static void arraycopy(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    if (pts_arg(s, site, 0) == PTS_NO_NODE || pts_arg(s, site, 2) == PTS_NO_NODE) return;
    uint32_t between = pts_graph_nodes(&s->g, 1);
    pts_add_watch(s, pts_arg(s, site, 0), copy_from, site, between, 0);
    pts_add_watch(s, pts_arg(s, site, 2), copy_to, site, between, 0);
}

/* The result has the class of the array it copies, one object per class and statement. */
static void copy_array(struct pts *s, uint32_t site, uint32_t obj) {
    if (program_info(s->p, s->objs.v[obj].cls)->component.v == 0) return;
    uint32_t copy = pts_made_here(s, site, s->objs.v[obj].cls);
    if (is_ref_array(s, obj))
        pts_flow(s, pts_field_node(s, obj, PTS_FIELD_ELEMS), pts_field_node(s, copy, PTS_FIELD_ELEMS));
    pts_put(s, pts_ret(s, site), copy);
}

static void see_original(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    copy_array(s, w->site, obj);
}

/* Arrays.copyOf and copyOfRange: analysed as written, all arrays of the program would meet in them. */
static void copy_of(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    pts_add_watch(s, pts_arg(s, site, 0), see_original, site, 0, 0);
}

/* copyOf(original, length, type): the class is the type's. */
static void see_type(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    const struct pts_alloc_info *h = &s->world->allocs.v[s->objs.v[obj].alloc.v];
    class_id cls = h->kind == PTS_ALLOC_CLASS ? h->type : (class_id){0};
    if (cls.v == 0 || program_info(s->p, cls)->component.v == 0)
        cls = program_array_of(s->p, (class_id){CLASS_OBJECT});
    uint32_t copy = pts_made_here(s, w->site, cls);
    class_id component = program_info(s->p, cls)->component;
    if (!class_is_primitive(component))
        pts_graph_edge(&s->g, w->a, pts_field_node(s, copy, PTS_FIELD_ELEMS),
                       component.v == CLASS_OBJECT ? 0 : component.v);
    pts_put(s, pts_ret(s, w->site), copy);
}

static void copy_of_type(struct pts *s, uint32_t site, uint32_t recv, uint32_t type_arg) {
    (void)recv;
    uint32_t between = pts_graph_nodes(&s->g, 1);
    pts_add_watch(s, pts_arg(s, site, 0), copy_from, site, between, 0);
    pts_add_watch(s, pts_arg(s, site, type_arg), see_type, site, between, 0);
}

static void clone(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    if (program_info(s->p, s->objs.v[recv].cls)->component.v) {
        copy_array(s, site, recv);
        return;
    }
    /* The copy's fields are the original's: one abstract object stands for both, hence for more than one. */
    s->world->allocs.v[s->objs.v[recv].alloc.v].in_loop = true;
    pts_put(s, pts_ret(s, site), recv);
}

/* ---- arrays by reflection ---- */

static void see_component(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    const struct pts_alloc_info *h = &s->world->allocs.v[s->objs.v[obj].alloc.v];
    class_id component = h->kind == PTS_ALLOC_CLASS && h->type.v ? h->type : (class_id){CLASS_OBJECT};
    if (component.v == CLASS_VOID) return;
    /* Arrays of arrays of arrays would come out of their own getClass() without end. */
    unsigned limit = pts_from_app(s, w->site) ? 2 : 1;
    if (program_info(s->p, component)->dimensions >= limit) component = (class_id){CLASS_OBJECT};
    pts_put(s, pts_ret(s, w->site), pts_made_here(s, w->site, program_array_of(s->p, component)));
}

static void new_array(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    pts_add_watch(s, pts_arg(s, site, 0), see_component, site, 0, 0);
    class_id cast = pts_result_cast(s, site);
    if (cast.v && program_info(s->p, cast)->component.v)
        pts_put(s, pts_ret(s, site), pts_made_here(s, site, cast));
}

static void array_get(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    if (pts_ret(s, site) != PTS_NO_NODE)
        pts_add_watch(s, pts_arg(s, site, 0), copy_from, site, pts_ret(s, site), 0);
}

static void array_set(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    if (pts_arg(s, site, 2) != PTS_NO_NODE)
        pts_add_watch(s, pts_arg(s, site, 0), copy_to, site, pts_arg(s, site, 2), 0);
}

/* ---- values that are as good as their argument ---- */

static void same(struct pts *s, uint32_t site, uint32_t recv, uint32_t arg) {
    (void)recv;
    pts_flow(s, pts_arg(s, site, arg), pts_ret(s, site));
}

static void nothing(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)s, (void)site, (void)recv, (void)data;
}

/* System.setOut0 and the like: the VM's way to write a final static. */
static void set_stream(struct pts *s, uint32_t site, uint32_t recv, uint32_t which) {
    static const char *const names[] = {"in", "out", "err"};
    static const char *const descs[] = {"Ljava/io/InputStream;", "Ljava/io/PrintStream;",
                                        "Ljava/io/PrintStream;"};
    (void)recv;
    field_id f = program_field_named(s->p, "java/lang/System", names[which], descs[which]);
    if (f.v) pts_flow(s, pts_arg(s, site, 0), pts_static_node(s, f));
}

/* What the JDK's own libraries call back when they are loaded. */
static void load_library(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    method_id from = program_method_named(s->p, "jdk/internal/loader/NativeLibraries", "getFromClass",
                                          "()Ljava/lang/Class;");
    method_id flag = program_method_named(s->p, "java/lang/Boolean", "getBoolean", "(Ljava/lang/String;)Z");
    uint32_t text = pts_graph_nodes(&s->g, 1);
    pts_put(s, text, pts_merged_obj(s, (class_id){CLASS_STRING}));
    pts_derive(s, site, IR_CALL_STATIC, from, 0, NULL, 0, PTS_NO_NODE);
    pts_derive(s, site, IR_CALL_STATIC, flag, 0, &text, 1, PTS_NO_NODE);
}

/* The VM tells a class loader of the classes that it defines. */
static void define_native(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    method_id add = program_method_named(s->p, "java/lang/ClassLoader", "addClass", "(Ljava/lang/Class;)V");
    uint32_t args[2] = {pts_arg(s, site, 0), pts_graph_nodes(&s->g, 1)};
    pts_put(s, args[1], pts_merged_obj(s, (class_id){CLASS_CLASS}));
    pts_derive(s, site, IR_CALL_SPECIAL, add, 0, args, 2, PTS_NO_NODE);
}

/* StackTraceElement.initStackTraceElement(s): the VM writes each element's class. */
static void write_class(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    (void)w;
    field_id f =
        program_field_named(s->p, "java/lang/StackTraceElement", "declaringClassObject", "Ljava/lang/Class;");
    if (f.v && pts_instance_of_class(s, obj, program_class(s->p, "java/lang/StackTraceElement")))
        pts_put(s, pts_field_node(s, obj, f.v), pts_merged_obj(s, (class_id){CLASS_CLASS}));
}

static void trace_element(struct pts *s, uint32_t site, uint32_t recv, uint32_t is_array) {
    (void)recv;
    uint32_t elements = pts_arg(s, site, 0);
    if (is_array && elements != PTS_NO_NODE) {
        elements = pts_graph_nodes(&s->g, 1);
        pts_add_watch(s, pts_arg(s, site, 0), copy_from, site, elements, 0);
    }
    pts_add_watch(s, elements, write_class, site, 0, 0);
}

static const struct pts_model models[] = {
    {"java/lang/StackTraceElement", "initStackTraceElement", NULL, trace_element, 0, true},
    {"java/lang/StackTraceElement", "initStackTraceElements", NULL, trace_element, 1, true},
    {"java/lang/System", "arraycopy", NULL, arraycopy, 0, true},
    {"java/lang/System", "setIn0", NULL, set_stream, 0, true},
    {"java/lang/System", "setOut0", NULL, set_stream, 1, true},
    {"java/lang/System", "setErr0", NULL, set_stream, 2, true},
    {"jdk/internal/loader/NativeLibraries", "load", NULL, load_library, 0, false},
    {"java/lang/ClassLoader", "defineClass0", NULL, define_native, 0, false},
    {"java/lang/ClassLoader", "defineClass1", NULL, define_native, 0, false},
    {"java/lang/ClassLoader", "defineClass2", NULL, define_native, 0, false},
    {"java/util/Arrays", "copyOf", "([Ljava/lang/Object;I)[Ljava/lang/Object;", copy_of, 0, true},
    {"java/util/Arrays", "copyOf", "([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;", copy_of_type,
     2, true},
    {"java/util/Arrays", "copyOfRange", "([Ljava/lang/Object;II)[Ljava/lang/Object;", copy_of, 0, true},
    {"java/util/Arrays", "copyOfRange", "([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;",
     copy_of_type, 3, true},
    {"java/lang/Object", "clone", NULL, clone, 0, true},
    {"java/lang/reflect/Array", "newInstance", NULL, new_array, 0, true},
    {"java/lang/reflect/Array", "newArray", NULL, new_array, 0, true},
    {"java/lang/reflect/Array", "multiNewArray", NULL, new_array, 0, true},
    {"java/lang/reflect/Array", "get", NULL, array_get, 0, true},
    {"java/lang/reflect/Array", "set", NULL, array_set, 0, true},
    {"java/util/Objects", "requireNonNull", NULL, same, 0, true},
    {"java/lang/String", "intern", NULL, same, 0, true},
    {"java/lang/Throwable", "fillInStackTrace", NULL, same, 0, true},
    {"java/lang/Throwable", "initCause", NULL, same, 0, false},
    {"java/lang/Object", "registerNatives", NULL, nothing, 0, true},
};

const struct pts_plugin pts_plugin_natives = {.name = "natives", PTS_MODELS(models)};
