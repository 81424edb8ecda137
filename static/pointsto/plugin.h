/*
 * Plug-ins: what the bytecode alone does not say.
 *
 * A plug-in is one file in plugins/ with a table of models.  A model stands for one method (all overloads if
 * no descriptor is given): its function runs once for every call site and receiver that reaches the method
 * (receiver 0 for static ones) and adds nodes, edges, watches and derived calls.  If the model replaces the
 * method, the code is not analysed; else both happen.  A plug-in may also add facts at the start.
 */
#ifndef RACE_POINTSTO_PLUGIN_H
#define RACE_POINTSTO_PLUGIN_H

#include "solver.h"

typedef void pts_model_fn(struct pts *s, uint32_t site, uint32_t recv, uint32_t data);

struct pts_model {
    const char *cls, *name;
    const char *desc; /* NULL: all overloads */
    pts_model_fn *fn;
    uint32_t data;    /* passed to fn */
    uint8_t replaces; /* false, true or PTS_REPEATS */
};

/* Replaces the method and may run again for a call site and receiver: cheaper than to remember that it did.
 */
enum { PTS_REPEATS = 2 };

struct pts_plugin {
    const char *name;
    const struct pts_model *models;
    size_t n_models;
    void (*start)(struct pts *s); /* may be NULL */
};

#define PTS_MODELS(table) .models = (table), .n_models = sizeof(table) / sizeof *(table)

extern const struct pts_plugin pts_plugin_threads, pts_plugin_lambda, pts_plugin_natives,
    pts_plugin_privileged, pts_plugin_reflection, pts_plugin_unsafe, pts_plugin_references,
    pts_plugin_services, pts_plugin_startup, pts_plugin_proxy, pts_plugin_serial, pts_plugin_handles;

/* ---- what models use (plugins.c) ---- */

uint32_t pts_arg(const struct pts *s, uint32_t site, uint32_t i); /* node or PTS_NO_NODE; 0 is the receiver */
uint32_t pts_ret(const struct pts *s, uint32_t site);
/* The result of a call that casts what it hands out to the type it names itself: of a method handle, of a
 * proxy. */
uint32_t pts_cast_ret(struct pts *s, uint32_t site);
class_id pts_result_type(const struct pts *s, uint32_t site); /* that type; Object if it says no more */
void pts_flow(struct pts *s, uint32_t src, uint32_t dst);     /* an edge, unless one of them is missing */
void pts_put(struct pts *s, uint32_t node, uint32_t obj);     /* an object, likewise */
name_id pts_string_arg(const struct pts *s, uint32_t site, uint32_t i);
class_id pts_class_arg(const struct pts *s, uint32_t site, uint32_t i);
class_id pts_result_cast(const struct pts *s, uint32_t site);
bool pts_from_app(const struct pts *s, uint32_t site); /* the call stands in application code */

/*
 * A call that happens because of another one, from the same statement.  args are nodes.  There is one derived
 * call for each statement, method and tag (for instance the function object called): a second one with other
 * arguments adds these to the first, else function objects that call each other had no end.
 */
void pts_derive(struct pts *s, uint32_t site, enum ir_call kind, method_id m, uint32_t tag,
                const uint32_t *args, uint16_t n_args, uint32_t ret);
/* The same without resolving and entering it, for calls whose target is known. */
uint32_t pts_derive_site(struct pts *s, uint32_t site, enum ir_call kind, method_id m, uint32_t tag,
                         const uint32_t *args, uint16_t n_args, uint32_t ret, bool *is_new);
/* The same, seen from the VM: called from nowhere. */
uint32_t pts_derive_vm(struct pts *s, enum ir_call kind, method_id m, const uint32_t *args, uint16_t n_args,
                       uint32_t ret);
/* A node that gets only those objects of src that are of the type. */
uint32_t pts_filtered(struct pts *s, uint32_t src, class_id type);
/* An object of class cls that this call makes, in the caller's context. */
uint32_t pts_made_here(struct pts *s, uint32_t site, class_id cls);
/* The same, with constructors run on it: the one without arguments, or all with arguments from a node. */
uint32_t pts_instantiate(struct pts *s, uint32_t site, class_id cls, uint32_t arg_values);
/* Instances of the application's classes of a type, as the result of the call; false if there is none. */
bool pts_instantiate_below(struct pts *s, uint32_t site, class_id type, uint32_t arg_values);
void pts_gap_here(struct pts *s, uint32_t site, const char *what, const char *detail);

/* outside.c: roots with their arguments, by their place in s->roots; the VM's call of one has that place + 1
 * as its statement */
void pts_enter_root(struct pts *s, uint32_t index);
/* Fields of open classes that have no object once all is solved; true if any got one. */
bool pts_set_fields(struct pts *s);
/* reflection.c: the class's object as the result of the call, initialised */
void pts_give_class(struct pts *s, uint32_t site, class_id c);
/* names.c: the classes that resources name as the result of the call; of these an instance is not made where
 * it is cast to something else */
void pts_give_named(struct pts *s, uint32_t site);
bool pts_is_excluded_named(struct pts *s, class_id c, class_id cast);
/* lambda.c: invokedynamic; handles.c shares its way of calling a method handle's target */
void pts_bootstrap(struct pts *s, uint32_t site);
/* Function objects that are of more interfaces than the one they implement: `(Comparator<T> & Serializable)
 * ...`.
 */
bool pts_has_markers(struct pts *s, dyn_id dyn);
bool pts_function_is(struct pts *s, dyn_id dyn, class_id type);
/* A primitive result arrives as a box where the call is made through an object. */
void pts_box_result(struct pts *s, uint32_t site, method_id target);
/* lambda.c, proxy.c: calls on objects that have no class file */
bool pts_call_lambda(struct pts *s, uint32_t site, uint32_t obj);
bool pts_call_proxy(struct pts *s, uint32_t site, uint32_t obj);

#endif
