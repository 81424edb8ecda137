/*
 * How the program begins: what the VM itself calls.  (The program's roots are in outside.c.)
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

const struct pts_plugin pts_plugin_startup = {.name = "startup", .start = start};
