/*
 * AccessController.doPrivileged and its like: call the action right from the statement.
 *
 * The JDK's own code does the same in a few more steps, but through one static method, which would mix the
 * results of all actions of the program.  The contexts that are handed over come out again where the VM is
 * asked for the current one.
 */
#include "../plugin.h"

#define CONTEXT "java/security/AccessControlContext"

/* All contexts that anybody runs an action with. */
static uint32_t contexts(struct pts *s) {
    return pts_field_node(s, pts_model_obj(s, CONTEXT, "native result"), PTS_FIELD_MODEL);
}

static void do_privileged(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    static const char *const ifaces[] = {"java/security/PrivilegedAction",
                                         "java/security/PrivilegedExceptionAction"};
    (void)recv, (void)data;
    uint32_t action = pts_arg(s, site, 0);
    pts_flow(s, pts_filtered(s, pts_arg(s, site, 1), program_class(s->p, CONTEXT)), contexts(s));
    if (action == PTS_NO_NODE) return;
    for (size_t i = 0; i < 2; i++) {
        method_id run = program_method_named(s->p, ifaces[i], "run", "()Ljava/lang/Object;");
        pts_derive(s, site, IR_CALL_INTERFACE, run, 0, &action, 1, pts_ret(s, site));
    }
}

/* The context of the nearest privileged frame, or the one that the thread inherited. */
static void stack_context(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    pts_put(s, pts_ret(s, site), pts_model_obj(s, CONTEXT, "native result"));
    pts_flow(s, contexts(s), pts_ret(s, site));
}

static const struct pts_model models[] = {
    {"java/security/AccessController", "getStackAccessControlContext", NULL, stack_context, 0, true},
    {"java/security/AccessController", "getInheritedAccessControlContext", NULL, stack_context, 0, true},
    {"java/security/AccessController", "doPrivileged", NULL, do_privileged, 0, true},
    {"java/security/AccessController", "doPrivilegedWithCombiner", NULL, do_privileged, 0, true},
};

const struct pts_plugin pts_plugin_privileged = {.name = "privileged", PTS_MODELS(models)};
