/*
 * The JDK's unsynchronised collections, builders, formats and the like: a call on one, or one that is given
 * one and uses it at once, is an access of the whole.
 *
 * A view, an iterator or a wrapper stands for what is behind it.  Where the code itself shows what a view was
 * made of, the access is put down to that variable; elsewhere the fields of the JDK's objects lead on.
 */
#include "internal.h"

#include "race/classedit.h" /* cf_z */
#include "race/containercalls.h"
#include "race/opcodes.h"

#include <string.h>

/* The same classes as the run-time checker watches. */
static const char *const container_names[] = {
    "java/util/ArrayList",
    "java/util/HashMap",
    "java/util/LinkedHashMap",
    "java/util/LinkedList",
    "java/util/HashSet",
    "java/util/LinkedHashSet",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/ArrayDeque",
    "java/util/PriorityQueue",
    "java/util/IdentityHashMap",
    "java/util/WeakHashMap",
    "java/util/EnumMap",
    "java/util/BitSet",
    "java/lang/StringBuilder",
    "java/text/SimpleDateFormat",
    "java/text/DecimalFormat",
    "java/util/GregorianCalendar",
    "java/util/StringJoiner",
    "java/util/RegularEnumSet",
    "java/util/JumboEnumSet",
    "java/util/Scanner",
    "java/util/regex/Matcher",
    "javax/crypto/Cipher",
    "javax/crypto/Mac",
    "java/util/HashMap$Node",
    "java/util/HashMap$TreeNode",
    "java/util/TreeMap$Entry",
    "java/util/LinkedHashMap$Entry",
    "java/util/WeakHashMap$Entry",
};

enum { N_NAMES = sizeof container_names / sizeof *container_names, FAR = 16 };

/* What the sets of large enums are made for. */
struct jumbo_search {
    struct races *r;
    bool any, possible;
};

struct containers {
    class_id ids[N_NAMES];
    class_id jumbo; /* java/util/JumboEnumSet */
    bits ordered;   /* objects: maps made by the constructor that may ask for the order of access */
};

static void find_ordered(struct races *r) {
    bits_init(&r->containers->ordered, &r->arena, pts_n_objs(r->pts) + 1);
    method_id m = program_method_named(r->p, "java/util/LinkedHashMap", "<init>", "(IFZ)V");
    if (m.v == 0) return;
    uint32_t n = 0;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct pts_iter it = {0};
        pts_obj o;
        while (pts_next(pts_var(r->pts, insts[i], (ir_var){1}), &it, &o))
            bits_add(&r->containers->ordered, o.v);
    }
}

void containers_init(struct races *r) {
    r->containers = ARENA_NEW(&r->arena, struct containers);
    for (size_t i = 0; i < N_NAMES; i++) r->containers->ids[i] = program_class(r->p, container_names[i]);
    r->containers->jumbo = program_class(r->p, "java/util/JumboEnumSet");
    find_ordered(r);
}

static bool is_small_enum(const struct races *r, class_id c) {
    const struct class_info *info = program_info(r->p, c);
    uint32_t n = 0;
    if (info->state != CLASS_LOADED || (info->access & CF_ACC_ENUM) == 0) return false;
    for (uint32_t k = 0; k < info->n_fields; k++)
        n += (program_field(r->p, (field_id){info->first_field.v + k})->access & CF_ACC_ENUM) != 0;
    return n <= 64;
}

static void see_element_type(void *arg, field_id f, struct pts_view view) {
    struct jumbo_search *x = arg;
    struct pts_iter it = {0};
    pts_obj o;
    if (f.v == 0 || f.v > program_n_fields(x->r->p) ||
        !name_is(x->r, program_field(x->r->p, f)->name, "elementType"))
        return;
    while (pts_next(view, &it, &o)) {
        const struct pts_alloc_info *a = pts_alloc_info(x->r->pts, pts_obj_info(x->r->pts, o)->alloc);
        x->any = true;
        x->possible |= a->kind != PTS_ALLOC_CLASS || !is_small_enum(x->r, a->type);
    }
}

bool container_exists(struct races *r, pts_obj o) {
    if (!class_id_eq(pts_obj_info(r->pts, o)->cls, r->containers->jumbo)) return true;
    struct jumbo_search x = {.r = r};
    pts_each_field(r->pts, o, see_element_type, &x);
    return x.possible || !x.any;
}

/* Whether the class has a method that calls on a container may mean, and so perhaps its own locking. */
static bool has_use(const struct races *r, const struct class_info *c) {
    for (uint32_t i = 0; i < c->n_methods; i++) {
        const struct method_info *m = program_method(r->p, (method_id){c->first_method.v + i});
        if (cc_is_use(cf_z(program_str(r->p, m->name)))) return true;
    }
    return false;
}

/* The class of the JDK that a class of the program is made of, or itself. */
static class_id behind_class(const struct races *r, class_id c) {
    const struct class_info *info = program_peek(r->p, c);
    while (info->state == CLASS_LOADED && !info->from_jdk && info->super.v != 0)
        info = program_peek(r->p, info->super);
    return info->id;
}

class_id container_base(const struct races *r, class_id c) {
    class_id base = behind_class(r, c);
    for (size_t i = 0; i < N_NAMES; i++) {
        if (!class_id_eq(r->containers->ids[i], base)) continue;
        /* Ciphers and MACs are made of providers' classes, which may lock inside. */
        if (!class_id_eq(c, base) && strncmp(container_names[i], "javax/", 6) == 0) return (class_id){0};
        for (const struct class_info *k = program_peek(r->p, c); !class_id_eq(k->id, base);
             k = program_peek(r->p, k->super)) {
            if (has_use(r, k)) return (class_id){0};
        }
        return base;
    }
    return (class_id){0};
}

bool container_class(const struct races *r, class_id c) {
    return container_base(r, c).v != 0;
}

bool container_reorders(const struct races *r, pts_obj o) {
    return bits_has(&r->containers->ordered, o.v);
}

/* ---- accesses ---- */

static bool one_of(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return false;
}
#define ONE_OF(name, names) one_of(name, names, sizeof names / sizeof *names)

/* The variable that a view or an iterator was made of in this method, else the variable itself. */
static ir_var source_of(const struct races *r, const struct ir_body *body, ir_var v) {
    static const char *const makers[] = {"descendingIterator",
                                         "descendingKeySet",
                                         "descendingMap",
                                         "descendingSet",
                                         "entrySet",
                                         "headMap",
                                         "headSet",
                                         "iterator",
                                         "keySet",
                                         "listIterator",
                                         "subList",
                                         "subMap",
                                         "subSet",
                                         "tailMap",
                                         "tailSet",
                                         "values",
                                         "reversed",
                                         "navigableKeySet"};
    for (int far = 0; far < FAR; far++) {
        ir_var origin = var_origin(body, v);
        const struct ir_stmt *def = ir_def(body, origin);
        const struct member_ref *ref = invoke_ref(r, def);
        if (ref == NULL || def->sub == IR_CALL_STATIC || def->n_args == 0) return v;
        if (strncmp(program_class_name(r->p, ref->cls), "java/util/", 10) != 0) return v;
        if (!ONE_OF(program_str(r->p, ref->name), makers)) return v;
        v = ir_arg(body, def, 0);
    }
    return v;
}

/* Calendars and formats compute fields inside even when they are asked a question. */
static bool always_writes(const char *owner) {
    static const char *const owners[] = {"java/text/DateFormat",       "java/text/DecimalFormat",
                                         "java/text/Format",           "java/text/NumberFormat",
                                         "java/text/SimpleDateFormat", "java/util/Calendar",
                                         "java/util/GregorianCalendar"};
    return ONE_OF(owner, owners);
}

/* Whether an object that stands for a container, and is none, may be in the variable. */
static bool may_stand_for(struct races *r, method_id m, ir_var v) {
    uint32_t n = 0;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct pts_iter it = {0};
        pts_obj o;
        while (pts_next(pts_var(r->pts, insts[i], v), &it, &o)) {
            if (stands_for_container(r, o)) return true;
        }
    }
    return false;
}

static void add(struct races *r, const struct ir_body *body, struct races_access a, ir_var v, enum cc_use use,
                bool is_write) {
    a.kind = PLAN_CONTAINER;
    a.is_write = is_write;
    a.use = (uint8_t)use;
    a.object = source_of(r, body, v);
    a.stands_for = may_stand_for(r, a.method, a.object);
    vec_push(&r->accesses, a);
}

/* Whether the arguments are asked by one call each, toArray, forEach or toString, which synchronized wrappers
 * make under their lock. */
static bool asks_once(const struct ir_stmt *s, const struct cf_member_ref *call) {
    static const char *const copiers[] = {"java/util/ArrayList", "java/util/LinkedList",
                                          "java/util/ArrayDeque", "java/util/PriorityQueue",
                                          "java/util/Vector"};
    if (s->sub == IR_CALL_DYNAMIC) return true;
    return s->sub == IR_CALL_SPECIAL && ONE_OF(call->owner.p, copiers);
}

static uint8_t opcode_of(uint8_t sub) {
    switch (sub) {
    case IR_CALL_STATIC: return CF_OP_INVOKESTATIC;
    case IR_CALL_SPECIAL: return CF_OP_INVOKESPECIAL;
    case IR_CALL_DYNAMIC: return CF_OP_INVOKEDYNAMIC;
    default: return CF_OP_INVOKEVIRTUAL;
    }
}

void add_container_accesses(struct races *r, const struct ir_body *body, const struct ir_stmt *s,
                            struct races_access a) {
    struct cf_member_ref call = {0};
    if (s->sub == IR_CALL_DYNAMIC) {
        const struct dyn_info *d = program_dyn(r->p, (dyn_id){s->ref});
        call.name = cf_z(program_str(r->p, a.name = d->name));
        call.desc = cf_z(program_str(r->p, d->desc));
    } else {
        const struct member_ref *ref = invoke_ref(r, s);
        a.type = ref->cls;
        a.name = ref->name;
        call.owner = cf_z(program_class_name(r->p, behind_class(r, ref->cls)));
        call.name = cf_z(program_str(r->p, ref->name));
        call.desc = cf_z(program_str(r->p, ref->desc));
    }
    struct cc_touched t = cc_call(opcode_of(s->sub), &call);
    enum cc_use asked = asks_once(s, &call) ? CC_READ : CC_ITERATE;
    unsigned first = s->sub == IR_CALL_STATIC || s->sub == IR_CALL_DYNAMIC ? 0 : 1;
    for (unsigned i = 0; i + first < s->n_args && i < 8; i++) {
        if (((t.reads | t.writes) >> i & 1) == 0) continue;
        ir_var v = ir_arg(body, s, i + first);
        struct races_access b = a;
        b.type = body->vars[v.v].type;
        if (t.bulk) b.read_by = ir_arg(body, s, 0);
        add(r, body, b, v, asked, (t.writes >> i & 1) != 0);
    }
    if (t.receiver == CC_NONE || s->n_args == 0) return;
    bool iterator = strcmp(call.owner.p, "java/util/Iterator") == 0 ||
                    strcmp(call.owner.p, "java/util/ListIterator") == 0;
    add(r, body, a, ir_arg(body, s, 0), iterator ? CC_ITERATE : t.receiver,
        t.receiver == CC_WRITE || always_writes(call.owner.p));
}
