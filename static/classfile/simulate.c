/* Forward simulation of verification types; see framesim.h. */
#include "race/framesim.h"

#include "race/opcodes.h"

static const struct fs_type top = {.tag = CF_V_TOP};

/*
 * What each opcode pushes: a verification type by its letter, N for null, '.' for nothing, '*' for those with
 * their own case in step_special().  How much is popped is in cf_opcodes[].
 */
/* clang-format off */
static const char result_of[] =
    ".NIIIIIIIJJFFFDDII***"    /* nop .. ldc2_w */
    "IJFD*"                    /* iload .. aload */
    "IIIIJJJJFFFFDDDD****"     /* iload_0 .. aload_3 */
    "IJFD*III"                 /* iaload .. saload */
    "*****"                    /* istore .. astore */
    "********************"     /* istore_0 .. astore_3 */
    "........"                 /* iastore .. sastore */
    "..*******"                /* pop .. swap */
    "IJFDIJFDIJFDIJFDIJFDIJFD" /* add sub mul div rem neg */
    "IJIJIJIJIJIJ"             /* shifts, and, or, xor */
    ".JFDIFDIJDIJFIII"         /* iinc, conversions */
    "IIIII"                    /* compares */
    "...............*..."      /* ifeq .. goto, jsr, ret, switches */
    "......"                   /* returns */
    "****"                     /* getstatic .. putfield */
    "*****"                    /* invokes */
    "***I.*I..**..."           /* new .. ifnonnull, goto_w */
    "*";                       /* jsr_w */
/* clang-format on */
_Static_assert(sizeof result_of == CF_OPCODE_COUNT + 1, "one letter per opcode");

/* --- Types --------------------------------------------------------------------------------------------- */

struct fs_type fs_object(struct cf_str internal_name) {
    return (struct fs_type){.tag = CF_V_OBJECT, .name = internal_name};
}

static struct fs_type object_z(const char *name) {
    return fs_object(cf_z(name));
}

static struct fs_type of_letter(char kind) {
    switch (kind) {
    case 'J': return (struct fs_type){.tag = CF_V_LONG};
    case 'F': return (struct fs_type){.tag = CF_V_FLOAT};
    case 'D': return (struct fs_type){.tag = CF_V_DOUBLE};
    case 'N': return (struct fs_type){.tag = CF_V_NULL};
    default: return (struct fs_type){.tag = CF_V_INTEGER};
    }
}

/* Type of the field descriptor at d.p[0]; *used gets its length (0 if it is malformed). */
static struct fs_type of_desc(struct cf_str d, uint32_t *used) {
    uint32_t n = 0;
    while (n < d.n && d.p[n] == '[') n++;
    if (n < d.n && d.p[n] == 'L')
        while (n < d.n && d.p[n] != ';') n++;
    *used = n < d.n ? n + 1 : 0;
    if (*used == 0) return top;
    if (d.p[0] == '[') return fs_object((struct cf_str){d.p, *used});
    if (d.p[0] == 'L') return fs_object((struct cf_str){d.p + 1, *used - 2});
    return of_letter(d.p[0]);
}

static bool is_two_slots(struct fs_type t) {
    return t.tag == CF_V_LONG || t.tag == CF_V_DOUBLE;
}

static bool same_type(struct fs_type x, struct fs_type y) {
    if (x.tag != y.tag) return false;
    if (x.tag == CF_V_OBJECT) return cf_str_eq(x.name, y.name);
    return x.tag != CF_V_UNINIT || x.site == y.site;
}

/* Nothing is known any more of where it came from but what `from` says. */
static struct fs_type unrelated(struct fs_type t) {
    t.base = t.field = 0;
    t.plus = 0;
    return t;
}

static struct fs_type merged(struct fs_type x, struct fs_type y) {
    if (x.tag == CF_V_INTEGER && x.site != y.site) x.site = y.site = 0;
    if (x.from != y.from) x.from = y.from = 0;
    if (x.base != y.base || x.plus != y.plus || x.field != y.field) x = unrelated(x), y = unrelated(y);
    if (x.origin != y.origin) x.origin = y.origin = FS_ANYWHERE;
    if (same_type(x, y)) return x;
    if (x.tag == CF_V_NULL && y.tag == CF_V_OBJECT) return y;
    if (x.tag == CF_V_OBJECT && y.tag == CF_V_NULL) return x;
    if (x.tag == CF_V_OBJECT && y.tag == CF_V_OBJECT) return object_z("java/lang/Object");
    return top;
}

struct fs_type fs_of_vtype(const struct framesim *s, struct cf_vtype t) {
    struct fs_type r = {.tag = t.tag};
    if (t.tag == CF_V_OBJECT) {
        r.cls = t.arg;
        r.name = cfe_class_name_at(s->edit, t.arg);
    } else if (t.tag == CF_V_UNINIT) {
        r.site = t.arg;
    } else if (t.tag == CF_V_UNINIT_THIS) {
        r.name = s->self.name;
    }
    return r;
}

/* --- Stack and locals ---------------------------------------------------------------------------------- */

static void push_slot(struct framesim *s, struct fs_type t) {
    if (s->now.depth >= s->now.max_stack)
        s->failed = true;
    else
        s->now.stack[s->now.depth++] = t;
}

static void push(struct framesim *s, struct fs_type t) {
    push_slot(s, t);
    if (is_two_slots(t)) push_slot(s, top);
}

static struct fs_type pop_slots(struct framesim *s, unsigned n) {
    if (s->now.depth < n) {
        s->failed = true;
        return top;
    }
    s->now.depth = (uint16_t)(s->now.depth - n);
    return s->now.stack[s->now.depth];
}

struct fs_type fs_peek(const struct framesim *s, unsigned slot) {
    return slot < s->now.depth ? s->now.stack[s->now.depth - 1 - slot] : top;
}

/* The local changes: values on the stack that were loaded from it are copies no more. */
static void forget_local(struct framesim *s, uint32_t index) {
    for (uint32_t i = 0; i < s->now.depth; i++) {
        if (s->now.stack[i].from == index + 1) s->now.stack[i].from = 0;
        if (s->now.stack[i].base == index + 1) s->now.stack[i] = unrelated(s->now.stack[i]);
    }
}

/* The local has become larger, so what is known relative to it has become less. */
static void increment_local(struct framesim *s, uint32_t index, int32_t by) {
    if (index < s->now.n_locals) s->now.locals[index].site = 0;
    for (uint32_t i = 0; i < s->now.depth; i++) {
        struct fs_type *t = &s->now.stack[i];
        int32_t plus = t->plus - by;
        if (t->from == index + 1) t->from = 0;
        if (t->base != index + 1) continue;
        if (plus != (int16_t)plus)
            *t = unrelated(*t);
        else
            t->plus = (int16_t)plus;
    }
}

static void set_local(struct framesim *s, uint32_t index, struct fs_type t) {
    unsigned slots = is_two_slots(t) ? 2 : 1;
    if (index + slots > s->now.n_locals) {
        s->failed = true;
        return;
    }
    forget_local(s, index);
    if (slots == 2) forget_local(s, index + 1);
    if (index > 0) forget_local(s, index - 1); /* a long that began one slot below is gone */
    t = unrelated(t);
    t.from = 0;
    if (index > 0 && is_two_slots(s->now.locals[index - 1])) s->now.locals[index - 1] = top;
    s->now.locals[index] = t;
    if (slots == 2) s->now.locals[index + 1] = top;
}

static void push_local(struct framesim *s, uint16_t index) {
    if (index >= s->now.n_locals) {
        s->failed = true;
        return;
    }
    struct fs_type t = s->now.locals[index];
    t.from = (uint16_t)(index + 1);
    push(s, t);
}

/* --- Frames and jumps ---------------------------------------------------------------------------------- */

static bool state_init(struct fs_state *st, struct arena *a, uint16_t max_locals, uint16_t max_stack) {
    *st = (struct fs_state){.n_locals = max_locals, .max_stack = max_stack};
    st->locals = ARENA_NEW_N(a, max_locals + 1u, struct fs_type);
    st->stack = ARENA_NEW_N(a, max_stack + 1u, struct fs_type);
    return st->locals != NULL && st->stack != NULL;
}

bool fs_init(struct framesim *s, struct cf_edit *e, struct arena *arena, uint32_t n_places,
             uint16_t max_locals, uint16_t max_stack) {
    *s = (struct framesim){.edit = e, .arena = arena, .n_places = n_places};
    s->self = fs_object(cfe_class_name_at(e, e->cls->this_class));
    s->self.cls = e->cls->this_class;
    s->pending = ARENA_NEW_N(arena, n_places + 1, struct fs_state *);
    s->declared = ARENA_NEW_N(arena, max_locals + 1u, struct fs_type);
    s->failed =
        !state_init(&s->now, arena, max_locals, max_stack) || s->pending == NULL || s->declared == NULL;
    return !s->failed;
}

void fs_enter(struct framesim *s, uint16_t access, struct cf_str name, struct cf_str desc) {
    uint32_t at = 0, used;
    s->now.live = true;
    if (!(access & CF_ACC_STATIC)) {
        struct fs_type self = s->self;
        if (cf_str_is(name, "<init>") && !cf_str_is(self.name, "java/lang/Object"))
            self.tag = CF_V_UNINIT_THIS;
        set_local(s, at++, self);
    }
    for (uint32_t i = 1; i < desc.n && desc.p[i] != ')'; i += used) {
        struct fs_type t = of_desc((struct cf_str){desc.p + i, desc.n - i}, &used);
        if (used == 0) {
            s->failed = true;
            return;
        }
        set_local(s, at, t);
        at += is_two_slots(t) ? 2 : 1;
    }
    memcpy(s->declared, s->now.locals, s->now.n_locals * sizeof *s->declared);
}

static struct fs_type stated_type(const struct framesim *s, struct cf_vtype v, const uint32_t *site_of) {
    struct fs_type t = fs_of_vtype(s, v);
    if (t.tag == CF_V_UNINIT && site_of != NULL) t.site = site_of[v.arg];
    return t;
}

void fs_load(struct framesim *s, const struct cf_frame *f, const uint32_t *site_of) {
    s->now.live = true;
    s->now.depth = 0;
    for (uint32_t i = 0; i < s->now.n_locals; i++) s->now.locals[i] = top;
    for (uint32_t i = 0, at = 0; i < f->n_locals; i++) {
        struct fs_type t = stated_type(s, f->locals[i], site_of);
        /* A parameter whose class has no constant. */
        if (t.tag == CF_V_OBJECT && t.cls == 0 && at < s->now.n_locals) t = s->declared[at];
        set_local(s, at, t);
        at += is_two_slots(t) ? 2 : 1;
    }
    for (uint32_t i = 0; i < f->n_stack; i++) push(s, stated_type(s, f->stack[i], site_of));
}

static void copy_state(struct fs_state *to, const struct fs_state *from) {
    memcpy(to->locals, from->locals, from->n_locals * sizeof *from->locals);
    memcpy(to->stack, from->stack, from->depth * sizeof *from->stack);
    to->depth = from->depth;
    to->live = from->live;
}

/* Disagreeing stack depths cannot be merged; the first comer is kept. */
static void merge_state(struct fs_state *to, const struct fs_state *from) {
    for (uint32_t i = 0; i < to->n_locals; i++) to->locals[i] = merged(to->locals[i], from->locals[i]);
    if (to->depth != from->depth) return;
    for (uint32_t i = 0; i < to->depth; i++) to->stack[i] = merged(to->stack[i], from->stack[i]);
}

void fs_arrive(struct framesim *s, uint32_t place) {
    const struct fs_state *p = place < s->n_places ? s->pending[place] : NULL;
    if (p == NULL) return;
    if (s->now.live)
        merge_state(&s->now, p);
    else
        copy_state(&s->now, p);
}

void fs_jump(struct framesim *s, uint32_t place) {
    if (!s->now.live || place >= s->n_places) return;
    if (s->pending[place] != NULL) {
        merge_state(s->pending[place], &s->now);
        return;
    }
    struct fs_state *p = ARENA_NEW(s->arena, struct fs_state);
    if (p == NULL || !state_init(p, s->arena, s->now.n_locals, s->now.max_stack)) {
        s->failed = true;
        return;
    }
    copy_state(p, &s->now);
    s->pending[place] = p;
}

void fs_set_stack(struct framesim *s, struct fs_type only) {
    s->now.depth = 0;
    push(s, only);
}

/* --- Instructions -------------------------------------------------------------------------------------- */

static void push_desc(struct framesim *s, struct cf_str desc) {
    uint32_t used;
    struct fs_type t = of_desc(desc, &used);
    if (used == 0)
        s->failed = true;
    else
        push(s, t);
}

static void step_ldc(struct framesim *s, uint16_t index) {
    switch (cfe_const(s->edit, index)->tag) {
    case CF_INTEGER: push(s, of_letter('I')); break;
    case CF_FLOAT: push(s, of_letter('F')); break;
    case CF_LONG: push(s, of_letter('J')); break;
    case CF_DOUBLE: push(s, of_letter('D')); break;
    case CF_STRING: push(s, object_z("java/lang/String")); break;
    case CF_CLASS: push(s, object_z("java/lang/Class")); break;
    case CF_METHOD_HANDLE: push(s, object_z("java/lang/invoke/MethodHandle")); break;
    case CF_METHOD_TYPE: push(s, object_z("java/lang/invoke/MethodType")); break;
    case CF_DYNAMIC: push_desc(s, cfe_member_at(s->edit, index).desc); break;
    default: s->failed = true; break;
    }
}

/* What the array's elements are, as a stack type. */
static struct fs_type component(struct framesim *s, struct fs_type array) {
    array.from = 0;
    if (array.tag == CF_V_NULL) return array;
    if (array.tag != CF_V_OBJECT || array.name.n < 2 || array.name.p[0] != '[') {
        s->failed = true;
        return top;
    }
    uint32_t used;
    return of_desc((struct cf_str){array.name.p + 1, array.name.n - 1}, &used);
}

static void step_store(struct framesim *s, uint8_t op, uint16_t index) {
    bool numbered = op >= CF_OP_ISTORE_0;
    unsigned kind = numbered ? (op - CF_OP_ISTORE_0) / 4u : (unsigned)(op - CF_OP_ISTORE);
    unsigned slots = kind == 1 || kind == 3 ? 2 : 1; /* int long float double reference */
    struct fs_type t = pop_slots(s, slots);
    set_local(s, numbered ? (op - CF_OP_ISTORE_0) % 4u : index, t);
}

/*
 * dup and friends as moves of slots: take `take` slots, put back the `dup` topmost ones first.
 */
static void step_dup(struct framesim *s, unsigned take, unsigned dup) {
    if (s->now.depth < take || s->now.depth + dup > s->now.max_stack) {
        s->failed = true;
        return;
    }
    struct fs_type *base = s->now.stack + s->now.depth - take;
    struct fs_type moved[2];
    memcpy(moved, base + take - dup, dup * sizeof *moved);
    memmove(base + dup, base, take * sizeof *base);
    memcpy(base, moved, dup * sizeof *moved);
    s->now.depth = (uint16_t)(s->now.depth + dup);
}

static void step_swap(struct framesim *s) {
    struct fs_type *stack = s->now.stack;
    if (s->now.depth < 2) {
        s->failed = true;
        return;
    }
    struct fs_type t = stack[s->now.depth - 1];
    stack[s->now.depth - 1] = stack[s->now.depth - 2];
    stack[s->now.depth - 2] = t;
}

static unsigned desc_slots(struct cf_str d) {
    return d.n == 1 && (d.p[0] == 'J' || d.p[0] == 'D') ? 2 : 1;
}

static void from_heap(struct framesim *s) {
    if (s->now.depth > 0) s->now.stack[s->now.depth - 1].origin = FS_HEAP;
}

static void step_field(struct framesim *s, uint8_t op, uint16_t index) {
    struct cf_str desc = cfe_member_at(s->edit, index).desc;
    if (op == CF_OP_PUTFIELD || op == CF_OP_PUTSTATIC) pop_slots(s, desc_slots(desc));
    struct fs_type object = top;
    if (op == CF_OP_PUTFIELD || op == CF_OP_GETFIELD) object = pop_slots(s, 1);
    if (op == CF_OP_PUTFIELD || op == CF_OP_PUTSTATIC) return;
    push_desc(s, desc);
    from_heap(s);
    if (s->failed || desc_slots(desc) == 2) return;
    struct fs_type *t = &s->now.stack[s->now.depth - 1];
    if (t->tag != CF_V_OBJECT || (op == CF_OP_GETFIELD && object.from == 0)) return;
    t->field = index;
    t->base = object.from;
}

/* The constructor has run: every copy of the reference becomes a full object. */
static void initialise(struct framesim *s, struct fs_type was) {
    struct fs_type is = was.tag == CF_V_UNINIT_THIS ? s->self : fs_object(was.name);
    if (was.tag != CF_V_UNINIT_THIS && was.tag != CF_V_UNINIT) return;
    if (was.tag == CF_V_UNINIT) is.origin = FS_FRESH;
    for (uint32_t i = 0; i < s->now.n_locals; i++)
        if (same_type(s->now.locals[i], was)) s->now.locals[i] = is;
    for (uint32_t i = 0; i < s->now.depth; i++) {
        if (!same_type(s->now.stack[i], was)) continue;
        is.from = s->now.stack[i].from;
        s->now.stack[i] = is;
    }
}

static void step_invoke(struct framesim *s, uint8_t op, uint16_t index) {
    struct cf_member_ref r = cfe_member_at(s->edit, index);
    pop_slots(s, cf_desc_arg_words(r.desc));
    if (op != CF_OP_INVOKESTATIC && op != CF_OP_INVOKEDYNAMIC) {
        struct fs_type receiver = pop_slots(s, 1);
        if (op == CF_OP_INVOKESPECIAL && cf_str_is(r.name, "<init>")) {
            /* A frame states only where the `new` stands; the class comes from the call. */
            if (receiver.tag == CF_V_UNINIT) receiver.name = r.owner;
            initialise(s, receiver);
        }
    }
    uint32_t at = 0;
    while (at < r.desc.n && r.desc.p[at] != ')') at++;
    if (at + 1 >= r.desc.n)
        s->failed = true;
    else if (r.desc.p[at + 1] != 'V')
        push_desc(s, (struct cf_str){r.desc.p + at + 1, r.desc.n - at - 1});
}

static struct fs_type array_of(struct framesim *s, struct cf_str element) {
    bool is_array = element.n > 0 && element.p[0] == '[';
    uint32_t n = element.n + (is_array ? 1 : 3);
    char *p = arena_alloc(s->arena, n + 1u);
    if (p == NULL) {
        s->failed = true;
        return top;
    }
    p[0] = '[';
    if (!is_array) p[1] = 'L';
    memcpy(p + (is_array ? 1 : 2), element.p, element.n);
    if (!is_array) p[n - 1] = ';';
    return fs_object((struct cf_str){p, n});
}

static struct fs_type primitive_array(uint16_t code) {
    static const char *const name[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
    return code >= 4 && code <= 11 ? object_z(name[code - 4]) : top;
}

static void step_object(struct framesim *s, uint8_t op, uint16_t index, int32_t value, uint32_t site) {
    struct cf_str name = cfe_class_name_at(s->edit, index);
    struct fs_type t = fs_object(name);
    t.cls = index;
    switch (op) {
    case CF_OP_NEW:
        t.tag = CF_V_UNINIT;
        t.cls = 0;
        t.site = site;
        break;
    case CF_OP_NEWARRAY:
        pop_slots(s, 1);
        t = primitive_array(index);
        break;
    case CF_OP_ANEWARRAY:
        pop_slots(s, 1);
        t = array_of(s, name);
        break;
    case CF_OP_MULTIANEWARRAY: pop_slots(s, (unsigned)value); break;
    default: pop_slots(s, 1); break; /* checkcast */
    }
    push(s, t);
}

static void step_stack(struct framesim *s, uint8_t op) {
    switch (op) {
    case CF_OP_DUP: step_dup(s, 1, 1); break;
    case CF_OP_DUP_X1: step_dup(s, 2, 1); break;
    case CF_OP_DUP_X2: step_dup(s, 3, 1); break;
    case CF_OP_DUP2: step_dup(s, 2, 2); break;
    case CF_OP_DUP2_X1: step_dup(s, 3, 2); break;
    case CF_OP_DUP2_X2: step_dup(s, 4, 2); break;
    default: step_swap(s); break;
    }
}

static void step_special(struct framesim *s, uint8_t op, uint16_t index, int32_t value, uint32_t site) {
    if (op >= CF_OP_LDC && op <= CF_OP_LDC2_W) {
        step_ldc(s, index);
    } else if (op == CF_OP_ALOAD) {
        push_local(s, index);
    } else if (op >= CF_OP_ALOAD_0 && op <= CF_OP_ALOAD_3) {
        push_local(s, (uint16_t)(op - CF_OP_ALOAD_0));
    } else if (op == CF_OP_AALOAD) {
        pop_slots(s, 1);
        push(s, component(s, pop_slots(s, 1)));
        from_heap(s);
    } else if (op >= CF_OP_ISTORE && op <= CF_OP_ASTORE_3) {
        step_store(s, op, index);
    } else if (op >= CF_OP_DUP && op <= CF_OP_SWAP) {
        step_stack(s, op);
    } else if (op >= CF_OP_GETSTATIC && op <= CF_OP_PUTFIELD) {
        step_field(s, op, index);
    } else if (op >= CF_OP_INVOKEVIRTUAL && op <= CF_OP_INVOKEDYNAMIC) {
        step_invoke(s, op, index);
    } else if (op == CF_OP_JSR || op == CF_OP_JSR_W) {
        s->now.live = false; /* what the subroutine leaves behind is not followed */
    } else {
        step_object(s, op, index, value, site);
    }
}

static bool ends_block(uint8_t op) {
    return op == CF_OP_GOTO || op == CF_OP_GOTO_W || op == CF_OP_RET || op == CF_OP_ATHROW ||
           (op >= CF_OP_TABLESWITCH && op <= CF_OP_RETURN);
}

/* A value of primitive type read from a local. */
static struct fs_type loaded(const struct framesim *s, uint8_t op, uint16_t index) {
    struct fs_type t = of_letter(result_of[op]);
    uint16_t local = op >= CF_OP_ILOAD_0 ? (op - CF_OP_ILOAD_0) % 4u : index;
    t.from = (uint16_t)(1 + local);
    if (t.tag != CF_V_INTEGER) return t;
    if (t.from != FS_CONSTANT) t.base = t.from;
    if (local < s->now.n_locals && s->now.locals[local].tag == CF_V_INTEGER)
        t.site = s->now.locals[local].site;
    return t;
}

/* An int whose value is known, or known relative to a local. */
static struct fs_type computed(const struct framesim *s, uint8_t op, int32_t value) {
    struct fs_type t = of_letter('I');
    int32_t plus = value;
    uint16_t base = FS_CONSTANT;
    if (op >= CF_OP_ICONST_M1 && op <= CF_OP_ICONST_5) {
        plus = op - CF_OP_ICONST_0;
    } else if (op == CF_OP_IADD || op == CF_OP_ISUB) {
        struct fs_type y = fs_peek(s, 0), x = fs_peek(s, 1);
        bool swap = op == CF_OP_IADD && x.base == FS_CONSTANT;
        base = swap ? y.base : x.base;
        plus = op == CF_OP_IADD ? x.plus + y.plus : x.plus - y.plus;
        if ((swap ? x.base : y.base) != FS_CONSTANT) base = 0;
    } else if (op != CF_OP_BIPUSH && op != CF_OP_SIPUSH) {
        base = 0;
    }
    if (base == 0 || plus != (int16_t)plus) return t;
    t.base = base;
    t.plus = (int16_t)plus;
    return t;
}

void fs_step(struct framesim *s, uint8_t op, uint16_t index, int32_t value, uint32_t site) {
    if (!s->now.live || s->failed || op >= CF_OPCODE_COUNT) return;
    char kind = result_of[op];
    if (kind == '*') {
        step_special(s, op, index, value, site);
        return;
    }
    struct fs_type number = kind == 'I' ? computed(s, op, value) : top;
    if (op == CF_OP_IALOAD) number.site = site + 1;
    pop_slots(s, (unsigned)cf_opcodes[op].pops);
    if (op == CF_OP_IINC) increment_local(s, index, value);
    if (op >= CF_OP_ILOAD && op <= CF_OP_ALOAD_3)
        push(s, loaded(s, op, index));
    else if (kind == 'I')
        push(s, number);
    else if (kind != '.')
        push(s, of_letter(kind));
    if (ends_block(op)) s->now.live = false;
}

/* --- Walking original code ----------------------------------------------------------------------------- */

bool fs_walk_begin(struct fs_walk *w, struct cf_edit *e, struct arena *arena, const struct cf_method *m) {
    *w = (struct fs_walk){.code = m->code};
    if (m->code == NULL ||
        !fs_init(&w->sim, e, arena, m->code->length, m->code->max_locals, m->code->max_stack))
        return false;
    fs_enter(&w->sim, m->access, cfe_utf8_at(e, m->name), cfe_utf8_at(e, m->desc));
    return true;
}

static void jump_if_forward(struct fs_walk *w, int32_t target) {
    if (target > (int32_t)w->insn.bci) fs_jump(&w->sim, (uint32_t)target);
}

/* Without stated frames types travel along the jumps. */
static void spread(struct fs_walk *w) {
    switch (cf_opcodes[w->insn.op].format) {
    case CF_F_BRANCH:
    case CF_F_BRANCH_W: jump_if_forward(w, w->insn.target); break;
    case CF_F_TABLE_SWITCH:
    case CF_F_LOOKUP_SWITCH:
        jump_if_forward(w, w->insn.target);
        for (uint32_t i = 0; i < w->insn.n_cases; i++)
            jump_if_forward(w, cf_insn_case_target(w->code, &w->insn, i));
        break;
    default: break;
    }
}

/* A handler sees the locals as they are where its range begins (the best guess without frames). */
static void spread_to_handlers(struct fs_walk *w) {
    struct fs_state saved = w->sim.now;
    for (uint32_t i = 0; i < w->code->n_handlers; i++) {
        const struct cf_handler *h = &w->code->handlers[i];
        if (h->start != w->next_bci || h->handler <= h->start) continue;
        struct fs_type one[1] = {object_z("java/lang/Throwable")};
        w->sim.now.stack = one;
        w->sim.now.depth = 1;
        fs_jump(&w->sim, h->handler);
    }
    w->sim.now = saved;
}

static void arrive(struct fs_walk *w) {
    const struct cf_code *code = w->code;
    if (code->has_frames) {
        while (w->next_frame < code->n_frames && code->frames[w->next_frame].bci < w->next_bci)
            w->next_frame++;
        if (w->next_frame < code->n_frames && code->frames[w->next_frame].bci == w->next_bci)
            fs_load(&w->sim, &code->frames[w->next_frame], NULL);
        return;
    }
    w->sim.failed = false;
    fs_arrive(&w->sim, w->next_bci);
    if (!w->sim.now.live) {
        /* Only later code jumps here.  Compilers keep the locals of the code above; the stack is empty. */
        w->sim.now.live = true;
        w->sim.now.depth = 0;
    }
    spread_to_handlers(w);
}

static void leave(struct fs_walk *w) {
    bool was_live = w->sim.now.live;
    fs_step(&w->sim, w->insn.op, w->insn.index, w->insn.value, w->insn.bci);
    if (w->code->has_frames) return;
    bool goes_on = w->sim.now.live;
    w->sim.now.live = was_live; /* an unconditional jump carries the types too */
    spread(w);
    w->sim.now.live = goes_on;
}

bool fs_walk_next(struct fs_walk *w) {
    if (w->started) leave(w);
    w->started = true;
    if (w->next_bci >= w->code->length) return false;
    arrive(w);
    w->insn = cf_insn_decode(w->code, w->next_bci);
    w->next_bci += w->insn.length;
    return true;
}
