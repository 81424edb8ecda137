/*
 * Unsafe, VarHandle and field updaters: reads and writes of fields by offset or handle.
 *
 * Which field is meant is a number computed in some initialiser.  What is nearly always true instead: such
 * fields are declared volatile, or are array elements.  So an access by offset to object o means every
 * volatile reference field of o's class, or, in a class without one, every reference field.
 */
#include "../plugin.h"

#include <string.h>

enum { GET = 1, SET = 2 }; /* what the operation does */

/* ---- the fields of a class that may be meant ---- */

static void add_fields(struct pts *s, class_id cls, bool only_volatile) {
    const struct class_info *info = program_info(s->p, cls);
    for (uint32_t i = 0; i < info->n_fields; i++) {
        field_id f = {info->first_field.v + i};
        const struct field_info *field = program_field(s->p, f);
        if (field->access & CF_ACC_STATIC || class_is_primitive(field->type)) continue;
        if (only_volatile && !(field->access & CF_ACC_VOLATILE)) continue;
        vec_push(&s->atomic_fields, f.v);
    }
    if (info->super.v) add_fields(s, info->super, only_volatile);
}

/* Index of the class's list in s->atomic_fields. */
static uint32_t fields_of(struct pts *s, class_id cls) {
    bool is_new;
    uint32_t at = *pts_map_at(&s->atomics, cls.v, &is_new);
    if (!is_new) return at - 1;
    uint32_t first = (uint32_t)s->atomic_fields.n;
    add_fields(s, cls, true);
    if (s->atomic_fields.n == first) add_fields(s, cls, false);
    vec_push(&s->atomic_fields, 0);
    *pts_map_at(&s->atomics, cls.v, &is_new) = first + 1;
    return first;
}

/* ---- accesses: w->a is the node to read into, w->b the one to write from ---- */

static void access_node(struct pts *s, const struct pts_watch *w, uint32_t node, class_id type) {
    uint32_t filter = type.v == CLASS_OBJECT ? 0 : type.v;
    if (w->a != PTS_NO_NODE) pts_graph_edge(&s->g, node, w->a, 0);
    if (w->b != PTS_NO_NODE) pts_graph_edge(&s->g, w->b, node, filter);
}

static void see_base(struct pts *s, const struct pts_watch *w, uint32_t obj) {
    class_id cls = s->objs.v[obj].cls;
    const struct class_info *info = program_info(s->p, cls);
    if (info->component.v) {
        if (!class_is_primitive(info->component))
            access_node(s, w, pts_field_node(s, obj, PTS_FIELD_ELEMS), info->component);
        return;
    }
    if (s->world->allocs.v[s->objs.v[obj].alloc.v].kind == PTS_ALLOC_CLASS) return; /* a static base */
    for (uint32_t i = fields_of(s, cls); s->atomic_fields.v[i] != 0; i++) {
        field_id f = {s->atomic_fields.v[i]};
        access_node(s, w, pts_field_node(s, obj, f.v), program_field(s->p, f)->type);
    }
}

static void access(struct pts *s, uint32_t site, uint32_t base, uint32_t ret, uint32_t value, uint32_t what) {
    if (!(what & GET)) ret = PTS_NO_NODE;
    if (!(what & SET)) value = PTS_NO_NODE;
    if (ret == PTS_NO_NODE && value == PTS_NO_NODE) return;
    pts_add_watch(s, base, see_base, site, ret, value);
}

/* Unsafe.op(base, offset [, expected], value): argument 0 is the Unsafe. */
static void unsafe_op(struct pts *s, uint32_t site, uint32_t recv, uint32_t what) {
    (void)recv;
    uint32_t last = pts_arg(s, site, s->sites.v[site].n_args - 1u);
    access(s, site, pts_arg(s, site, 1), pts_ret(s, site), last, what);
}

/* Arguments of a handle's operation apart from the variable itself: the new value, the expected one. */
static uint32_t n_values(struct pts *s, uint32_t site, uint32_t what) {
    uint32_t ref = s->sites.v[site].ref;
    const char *name = ref == 0 ? "" : program_str(s->p, program_ref(s->p, (ref_id){ref})->name);
    bool compares = strncmp(name, "compareAnd", 10) == 0 || strncmp(name, "weakCompare", 11) == 0;
    return compares ? 2 : (what & SET) ? 1 : 0;
}

/*
 * The handle of a static field has no base.  Its values go through the handle itself, and through the static
 * fields of the calling class with the type that the call names.
 */
static void static_op(struct pts *s, uint32_t site, uint32_t recv, uint32_t what) {
    const struct pts_site *at = &s->sites.v[site];
    uint32_t ret = what & GET ? pts_cast_ret(s, site) : PTS_NO_NODE;
    uint32_t value = what & SET ? pts_arg(s, site, at->n_args - 1u) : PTS_NO_NODE;
    struct pts_watch w = {.a = ret, .b = value};
    if (recv != 0) access_node(s, &w, pts_field_node(s, recv, PTS_FIELD_MODEL), (class_id){CLASS_OBJECT});
    if (at->caller == 0 || at->ref == 0) return;
    const struct method_sig *sig = program_ref_sig(s->p, (ref_id){at->ref});
    const struct class_info *cls =
        program_info(s->p, program_method(s->p, s->insts.v[at->caller].info.method)->owner);
    for (uint32_t i = 0; sig != NULL && i < cls->n_fields; i++) {
        field_id f = {cls->first_field.v + i};
        const struct field_info *field = program_field(s->p, f);
        class_id type = sig->n_params ? sig->params[sig->n_params - 1] : sig->result;
        if ((field->access & CF_ACC_STATIC) && (type.v == field->type.v || type.v == CLASS_OBJECT) &&
            !class_is_primitive(field->type))
            access_node(s, &w, pts_static_node(s, f), field->type);
    }
}

/* VarHandle.op(base [, index] [, expected], value): the descriptor is the caller's own. */
static void handle_op(struct pts *s, uint32_t site, uint32_t recv, uint32_t what) {
    uint32_t n = s->sites.v[site].n_args;
    if (n == 1 + n_values(s, site, what)) {
        static_op(s, site, recv, what);
        return;
    }
    if (n < 2) return;
    access(s, site, pts_arg(s, site, 1), pts_cast_ret(s, site), n > 2 ? pts_arg(s, site, n - 1) : PTS_NO_NODE,
           what);
}

/* A handle or updater that the VM would spin: one abstract object of the class stands for all. */
static void a_handle(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    static const char *const classes[] = {"java/lang/invoke/VarHandle",
                                          "java/util/concurrent/atomic/AtomicReferenceFieldUpdater",
                                          "java/util/concurrent/atomic/AtomicIntegerFieldUpdater",
                                          "java/util/concurrent/atomic/AtomicLongFieldUpdater"};
    (void)recv;
    pts_put(s, pts_ret(s, site), pts_model_obj(s, classes[data], "handle"));
}

#define UNSAFE "jdk/internal/misc/Unsafe"
#define SUN_UNSAFE "sun/misc/Unsafe"
#define VARHANDLE "java/lang/invoke/VarHandle"
#define UPDATER "java/util/concurrent/atomic/AtomicReferenceFieldUpdater"
#define LOOKUP "java/lang/invoke/MethodHandles$Lookup"

#define UNSAFE_OPS(cls, type)                                                                                \
    {cls, "get" type, NULL, unsafe_op, GET, true}, {cls, "get" type "Volatile", NULL, unsafe_op, GET, true}, \
        {cls, "get" type "Acquire", NULL, unsafe_op, GET, true},                                             \
        {cls, "get" type "Opaque", NULL, unsafe_op, GET, true},                                              \
        {cls, "put" type, NULL, unsafe_op, SET, true},                                                       \
        {cls, "put" type "Volatile", NULL, unsafe_op, SET, true},                                            \
        {cls, "put" type "Release", NULL, unsafe_op, SET, true},                                             \
        {cls, "put" type "Opaque", NULL, unsafe_op, SET, true},                                              \
        {cls, "compareAndSet" type, NULL, unsafe_op, SET, true},                                             \
        {cls, "weakCompareAndSet" type, NULL, unsafe_op, SET, true},                                         \
        {cls, "weakCompareAndSet" type "Plain", NULL, unsafe_op, SET, true},                                 \
        {cls, "weakCompareAndSet" type "Acquire", NULL, unsafe_op, SET, true},                               \
        {cls, "weakCompareAndSet" type "Release", NULL, unsafe_op, SET, true},                               \
        {cls, "compareAndExchange" type, NULL, unsafe_op, GET | SET, true},                                  \
        {cls, "compareAndExchange" type "Acquire", NULL, unsafe_op, GET | SET, true},                        \
        {cls, "compareAndExchange" type "Release", NULL, unsafe_op, GET | SET, true},                        \
        {cls, "getAndSet" type, NULL, unsafe_op, GET | SET, true},                                           \
        {cls, "getAndSet" type "Acquire", NULL, unsafe_op, GET | SET, true}, {                               \
        cls, "getAndSet" type "Release", NULL, unsafe_op, GET | SET, true                                    \
    }

static const struct pts_model models[] = {
    UNSAFE_OPS(UNSAFE, "Reference"),
    UNSAFE_OPS(UNSAFE, "Object"),
    UNSAFE_OPS(SUN_UNSAFE, "Object"),
    {SUN_UNSAFE, "compareAndSwapObject", NULL, unsafe_op, SET, true},
    {SUN_UNSAFE, "putOrderedObject", NULL, unsafe_op, SET, true},
    {VARHANDLE, "get", NULL, handle_op, GET, true},
    {VARHANDLE, "getVolatile", NULL, handle_op, GET, true},
    {VARHANDLE, "getAcquire", NULL, handle_op, GET, true},
    {VARHANDLE, "getOpaque", NULL, handle_op, GET, true},
    {VARHANDLE, "set", NULL, handle_op, SET, true},
    {VARHANDLE, "setVolatile", NULL, handle_op, SET, true},
    {VARHANDLE, "setRelease", NULL, handle_op, SET, true},
    {VARHANDLE, "setOpaque", NULL, handle_op, SET, true},
    {VARHANDLE, "compareAndSet", NULL, handle_op, SET, true},
    {VARHANDLE, "weakCompareAndSet", NULL, handle_op, SET, true},
    {VARHANDLE, "weakCompareAndSetPlain", NULL, handle_op, SET, true},
    {VARHANDLE, "weakCompareAndSetAcquire", NULL, handle_op, SET, true},
    {VARHANDLE, "weakCompareAndSetRelease", NULL, handle_op, SET, true},
    {VARHANDLE, "compareAndExchange", NULL, handle_op, GET | SET, true},
    {VARHANDLE, "compareAndExchangeAcquire", NULL, handle_op, GET | SET, true},
    {VARHANDLE, "compareAndExchangeRelease", NULL, handle_op, GET | SET, true},
    {VARHANDLE, "getAndSet", NULL, handle_op, GET | SET, true},
    {VARHANDLE, "getAndSetAcquire", NULL, handle_op, GET | SET, true},
    {VARHANDLE, "getAndSetRelease", NULL, handle_op, GET | SET, true},
    {LOOKUP, "findVarHandle", NULL, a_handle, 0, true},
    {LOOKUP, "findStaticVarHandle", NULL, a_handle, 0, true},
    {LOOKUP, "unreflectVarHandle", NULL, a_handle, 0, true},
    {"java/lang/invoke/MethodHandles", "arrayElementVarHandle", NULL, a_handle, 0, true},
    {"java/lang/invoke/MethodHandles", "byteArrayViewVarHandle", NULL, a_handle, 0, true},
    {"java/lang/invoke/MethodHandles", "byteBufferViewVarHandle", NULL, a_handle, 0, true},
    {VARHANDLE, "withInvokeExactBehavior", NULL, a_handle, 0, true},
    {UPDATER, "newUpdater", NULL, a_handle, 1, true},
    {UPDATER, "get", NULL, handle_op, GET, true},
    {UPDATER, "set", NULL, handle_op, SET, true},
    {UPDATER, "lazySet", NULL, handle_op, SET, true},
    {UPDATER, "compareAndSet", NULL, handle_op, SET, true},
    {UPDATER, "weakCompareAndSet", NULL, handle_op, SET, true},
    {UPDATER, "getAndSet", NULL, handle_op, GET | SET, true},
    {"java/util/concurrent/atomic/AtomicIntegerFieldUpdater", "newUpdater", NULL, a_handle, 2, true},
    {"java/util/concurrent/atomic/AtomicLongFieldUpdater", "newUpdater", NULL, a_handle, 3, true},
};

const struct pts_plugin pts_plugin_unsafe = {.name = "unsafe", PTS_MODELS(models)};
