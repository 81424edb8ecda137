/*
 * How the program begins: its roots with their arguments, and what the VM itself calls.
 *
 * The VM's own start is modelled by System.initPhase1 (which makes System.in, out and err) and by the system
 * class loader; the module system's boot (phases 2 and 3) is left out: nothing it makes is handed to the
 * application except through class loaders.
 */
#include "../plugin.h"

#include <string.h>

/* Exceptions that no `new` makes: the VM throws them. */
static const char *const vm_exceptions[] = {"java/lang/NullPointerException",
                                            "java/lang/ArrayIndexOutOfBoundsException",
                                            "java/lang/ClassCastException",
                                            "java/lang/ArithmeticException",
                                            "java/lang/ArrayStoreException",
                                            "java/lang/NegativeArraySizeException",
                                            "java/lang/OutOfMemoryError",
                                            "java/lang/StackOverflowError",
                                            "java/lang/ExceptionInInitializerError",
                                            "java/lang/NoClassDefFoundError",
                                            "java/lang/IllegalMonitorStateException",
                                            "java/lang/InterruptedException",
                                            "java/lang/CloneNotSupportedException",
                                            "java/lang/ClassNotFoundException",
                                            "java/lang/UnsatisfiedLinkError",
                                            "java/lang/AbstractMethodError",
                                            "java/lang/InternalError",
                                            "java/lang/reflect/InvocationTargetException"};

static void vm_call(struct pts *s, const char *cls, const char *name, const char *desc, uint32_t recv,
                    uint32_t arg) {
    method_id m = program_method_named(s->p, cls, name, desc);
    if (m.v == 0) return; /* not in this release of the JDK */
    bool is_static = program_method(s->p, m)->access & CF_ACC_STATIC;
    uint32_t args[2] = {recv, arg};
    pts_derive_vm(s, is_static ? IR_CALL_STATIC : IR_CALL_SPECIAL, m, args, 2, PTS_NO_NODE);
}

static void start(struct pts *s) {
    for (size_t i = 0; i < sizeof vm_exceptions / sizeof *vm_exceptions; i++)
        if (program_find_class(s->p, vm_exceptions[i]).v)
            pts_put(s, s->thrown, pts_merged_obj(s, program_class(s->p, vm_exceptions[i])));
    if (program_find_class(s->p, "java/lang/Thread").v == 0) return; /* a program without a JDK, in tests */
    uint32_t main_thread = pts_model_obj(s, "java/lang/Thread", "main thread");
    uint32_t group = pts_model_obj(s, "java/lang/ThreadGroup", "main group");
    pts_put(s, s->thread_objs, main_thread);
    uint32_t nodes = pts_graph_nodes(&s->g, 2);
    pts_put(s, nodes, main_thread);
    pts_put(s, nodes + 1, group);
    vm_call(s, "java/lang/Thread", "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V", nodes,
            nodes + 1);
    vm_call(s, "java/lang/System", "initPhase1", "()V", PTS_NO_NODE, PTS_NO_NODE);
    method_id modules = program_method_named(s->p, "java/lang/System", "initPhase2", "(ZZ)I");
    if (modules.v) pts_add_gap(s, "start of the VM", modules, 0, "the module graph");
    vm_call(s, "java/lang/ClassLoader", "initSystemClassLoader", "()Ljava/lang/ClassLoader;", PTS_NO_NODE,
            PTS_NO_NODE);
    vm_call(s, "java/lang/Thread", "exit", "()V", s->thread_objs, PTS_NO_NODE);
    vm_call(s, "java/lang/Thread", "dispatchUncaughtException", "(Ljava/lang/Throwable;)V", s->thread_objs,
            s->thrown);
}

/* ---- arguments of roots ---- */

struct below {
    struct pts *s;
    uint32_t node;
    unsigned n;
};

static void put_instance(struct pts *s, uint32_t node, class_id cls) {
    pts_alloc a = pts_is_merged(s->p, cls, s->world->split) ? pts_alloc_merged(s->world, cls)
                                                            : pts_alloc_model(s->world, cls, "argument");
    pts_put(s, node, pts_plain_obj(s, a));
    pts_initialise(s, cls, 0, 0);
}

static bool visit_below(void *arg, class_id sub) {
    struct below *b = arg;
    const struct class_info *info = program_info(b->s->p, sub);
    if (info->state != CLASS_LOADED || info->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE)) return true;
    if (info->from_jdk) return true;
    put_instance(b->s, b->node, sub);
    return ++b->n < 64;
}

/* Some object of the declared type: the class itself, and the application's classes below it. */
static void put_argument(struct pts *s, uint32_t node, class_id type) {
    const struct class_info *info = program_info(s->p, type);
    if (info->component.v) {
        uint32_t array = pts_plain_obj(s, pts_alloc_model(s->world, type, "argument"));
        pts_put(s, node, array);
        if (!class_is_primitive(info->component))
            put_argument(s, pts_field_node(s, array, PTS_FIELD_ELEMS), info->component);
        return;
    }
    struct below b = {.s = s, .node = node};
    bool concrete = info->state == CLASS_LOADED && !(info->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE));
    if (concrete) put_instance(s, node, type);
    if (type.v != CLASS_OBJECT) program_each_below(s->p, type, visit_below, &b);
}

static void make_arguments(struct pts *s, const struct pts_root *root, uint32_t *args, uint32_t n_args) {
    const struct method_info *m = program_method(s->p, root->method);
    bool is_static = m->access & CF_ACC_STATIC;
    for (uint32_t i = 0; i < n_args; i++) {
        class_id type = !is_static && i == 0 ? m->owner : m->sig->params[is_static ? i : i - 1];
        args[i] = PTS_NO_NODE;
        if (class_is_primitive(type)) continue;
        args[i] = pts_graph_nodes(&s->g, 1);
        if (root->kind != PTS_ROOT_MAIN) {
            put_argument(s, args[i], type);
            continue;
        }
        uint32_t array = pts_model_obj(s, "[Ljava/lang/String;", "main arguments");
        pts_put(s, args[i], array);
        pts_put(s, pts_field_node(s, array, PTS_FIELD_ELEMS), pts_merged_obj(s, (class_id){CLASS_STRING}));
    }
}

/* An entry's receiver went through its constructors. */
static void construct(struct pts *s, class_id cls, uint32_t receiver) {
    const struct class_info *info = program_info(s->p, cls);
    for (uint32_t i = 0; i < info->n_methods; i++) {
        method_id m = {info->first_method.v + i};
        const struct method_info *ctor = program_method(s->p, m);
        uint32_t args[256] = {receiver};
        if (strcmp(program_str(s->p, ctor->name), "<init>") != 0) continue;
        if (ctor->access & CF_ACC_PRIVATE) continue;
        for (uint32_t k = 0; k < ctor->sig->n_params && k < 255; k++) {
            args[k + 1] = PTS_NO_NODE;
            if (class_is_primitive(ctor->sig->params[k])) continue;
            args[k + 1] = pts_graph_nodes(&s->g, 1);
            put_argument(s, args[k + 1], ctor->sig->params[k]);
        }
        pts_derive_vm(s, IR_CALL_SPECIAL, m, args, (uint16_t)(ctor->sig->n_params + 1), PTS_NO_NODE);
    }
}

void pts_enter_root(struct pts *s, const struct pts_root *root) {
    const struct method_info *m = program_method(s->p, root->method);
    bool is_static = m->access & CF_ACC_STATIC;
    uint32_t args[256], n = m->sig->n_params + (is_static ? 0u : 1u);
    if (n > 255) return;
    make_arguments(s, root, args, n);
    if (!is_static) construct(s, m->owner, args[0]);
    pts_initialise(s, m->owner, 0, 0);
    pts_derive_vm(s, is_static ? IR_CALL_STATIC : IR_CALL_VIRTUAL, root->method, args, (uint16_t)n,
                  PTS_NO_NODE);
}

const struct pts_plugin pts_plugin_startup = {.name = "startup", .start = start};
