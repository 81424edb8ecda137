#include "interp.h"

#include <stdlib.h>
#include <string.h>

/* One activation. */
struct frame {
    struct interp *in;
    const struct ir_body *body;
    struct value *vars;
    uint32_t block;
    const struct value *args;
    struct object *thrown; /* exception of the statement that just ran */
    bool returned;
    struct value result;
    uint32_t next_succ; /* the successor that the block's last statement chose */
};

_Noreturn void interp_stop(const char *what, const char *detail) {
    fflush(stdout);
    fprintf(stderr, "interp: %s %s\n", what, detail);
    exit(2);
}

/* ---- heap ---- */

static struct object *new_object(struct interp *in, class_id cls) {
    struct object *o = ARENA_NEW(&in->arena, struct object);
    o->cls = cls;
    return o;
}

static struct value zero_of(class_id type) {
    static const uint8_t kinds[] = {
        [CLASS_BOOLEAN] = IR_INT, [CLASS_BYTE] = IR_INT,     [CLASS_CHAR] = IR_INT,
        [CLASS_SHORT] = IR_INT,   [CLASS_INT] = IR_INT,      [CLASS_LONG] = IR_LONG,
        [CLASS_FLOAT] = IR_FLOAT, [CLASS_DOUBLE] = IR_DOUBLE};
    return (struct value){.kind = class_is_primitive(type) ? kinds[type.v] : (uint8_t)IR_REF};
}

static struct object *new_array(struct interp *in, class_id cls, const struct value *lengths, uint32_t n) {
    struct object *o = new_object(in, cls);
    class_id component = program_info(in->p, cls)->component;
    o->length = (uint32_t)lengths[0].u.i;
    o->elems = ARENA_NEW_N(&in->arena, o->length + 1u, struct value);
    for (uint32_t i = 0; i < o->length; i++) {
        o->elems[i] = zero_of(component);
        if (n > 1) o->elems[i].u.r = new_array(in, component, lengths + 1, n - 1);
    }
    return o;
}

static void throw_new(struct frame *f, const char *cls) {
    f->thrown = new_object(f->in, program_class(f->in->p, cls));
}

static struct value *slot_of(struct interp *in, void *list, field_id field) {
    VEC(struct field_slot) *fields = list;
    for (size_t i = 0; i < fields->n; i++)
        if (fields->v[i].field.v == field.v) return &fields->v[i].value;
    vec_push(fields, ((struct field_slot){field, zero_of(program_field(in->p, field)->type)}));
    return &vec_last(fields).value;
}

/* ---- operands ---- */

static struct value get(struct frame *f, ir_var v) {
    if (f->vars[v.v].kind == IR_NONE) interp_stop("variable read before it was set", "");
    if (f->vars[v.v].kind != f->body->vars[v.v].kind) interp_stop("variable of the wrong kind", "");
    return f->vars[v.v];
}

static struct value arg(struct frame *f, const struct ir_stmt *s, uint32_t i) {
    return get(f, ir_arg(f->body, s, i));
}

static void set(struct frame *f, const struct ir_stmt *s, struct value v) {
    v.kind = f->body->vars[s->def.v].kind;
    f->vars[s->def.v] = v;
}

static struct object *object_arg(struct frame *f, const struct ir_stmt *s) {
    struct object *o = arg(f, s, 0).u.r;
    if (o == NULL) throw_new(f, "java/lang/NullPointerException");
    return o;
}

/* ---- statements ---- */

/* Superclasses first, as the JVM does; only the program's own classes have initializers that matter. */
static void initialize(struct frame *f, class_id cls) {
    struct interp *in = f->in;
    const struct class_info *info = program_info(in->p, cls);
    if (info->from_jdk || info->state != CLASS_LOADED) return;
    for (size_t i = 0; i < in->initialized.n; i++)
        if (in->initialized.v[i] == cls.v) return;
    vec_push(&in->initialized, cls.v);
    if (info->super.v != 0) initialize(f, info->super);
    method_id m =
        program_declared_method(in->p, cls, program_name(in->p, "<clinit>"), program_name(in->p, "()V"));
    if (m.v != 0) interp_call(in, m, NULL, 0, &f->thrown);
    if (f->thrown != NULL) interp_stop("exception in an initializer", program_class_name(in->p, cls));
}

static void do_const(struct frame *f, const struct ir_stmt *s) {
    struct const_value k = ir_const(f->body, s);
    struct value v = {.kind = f->body->vars[s->def.v].kind};
    switch (k.kind) {
    case CONST_INT: v.u.i = (int32_t)k.u.i; break;
    case CONST_LONG: v.u.l = k.u.i; break;
    case CONST_FLOAT: v.u.f = (float)k.u.d; break;
    case CONST_DOUBLE: v.u.d = k.u.d; break;
    case CONST_NULL: break;
    default:
        v.u.r = new_object(f->in, (class_id){CLASS_STRING});
        if (k.kind == CONST_STRING) v.u.r->text = k.u.name;
        break;
    }
    set(f, s, v);
}

static field_id field_of(struct frame *f, const struct ir_stmt *s) {
    field_id field = program_ref_field(f->in->p, (ref_id){s->ref});
    if (field.v == 0) interp_stop("unresolved field", "");
    if (s->op == IR_GET_STATIC || s->op == IR_PUT_STATIC)
        initialize(f, program_field(f->in->p, field)->owner);
    return field;
}

/* Narrow fields and elements keep only their bits. */
static struct value narrow(struct value v, class_id type) {
    switch (type.v) {
    case CLASS_BOOLEAN: v.u.i &= 1; break;
    case CLASS_BYTE: v.u.i = (int8_t)v.u.i; break;
    case CLASS_CHAR: v.u.i = (uint16_t)v.u.i; break;
    case CLASS_SHORT: v.u.i = (int16_t)v.u.i; break;
    default: break;
    }
    return v;
}

static void do_field(struct frame *f, const struct ir_stmt *s) {
    bool is_static = s->op == IR_GET_STATIC || s->op == IR_PUT_STATIC;
    bool is_put = s->op == IR_PUT_FIELD || s->op == IR_PUT_STATIC;
    struct object *o = is_static ? NULL : object_arg(f, s);
    if (f->thrown != NULL) return;
    field_id field = field_of(f, s);
    struct value *slot = slot_of(f->in, is_static ? (void *)&f->in->statics : (void *)&o->fields, field);
    if (is_put)
        *slot = narrow(arg(f, s, is_static ? 0 : 1), program_field(f->in->p, field)->type);
    else
        set(f, s, *slot);
}

static void do_array(struct frame *f, const struct ir_stmt *s) {
    struct object *o = object_arg(f, s);
    if (o == NULL) return;
    int32_t i = s->op == IR_ARRAY_LENGTH ? 0 : arg(f, s, 1).u.i;
    class_id component = program_info(f->in->p, o->cls)->component;
    if (s->op == IR_ARRAY_LENGTH)
        set(f, s, (struct value){.u.i = (int32_t)o->length});
    else if (i < 0 || (uint32_t)i >= o->length)
        throw_new(f, "java/lang/ArrayIndexOutOfBoundsException");
    else if (s->op == IR_ARRAY_LOAD)
        set(f, s, o->elems[i]);
    else
        o->elems[i] = narrow(arg(f, s, 2), component);
}

static void do_new_array(struct frame *f, const struct ir_stmt *s) {
    struct value lengths[255];
    for (uint32_t i = 0; i < s->n_args; i++) {
        lengths[i] = arg(f, s, i);
        if (lengths[i].u.i < 0) throw_new(f, "java/lang/NegativeArraySizeException");
    }
    if (f->thrown != NULL) return;
    set(f, s, (struct value){.u.r = new_array(f->in, (class_id){s->ref}, lengths, s->n_args)});
}

static bool is_instance(struct frame *f, const struct object *o, class_id cls) {
    return program_is_subtype(f->in->p, o->cls, cls);
}

static void do_cast(struct frame *f, const struct ir_stmt *s) {
    struct value v = arg(f, s, 0);
    bool fits = v.u.r != NULL && is_instance(f, v.u.r, (class_id){s->ref});
    if (s->op == IR_INSTANCE_OF)
        set(f, s, (struct value){.u.i = fits});
    else if (fits || v.u.r == NULL)
        set(f, s, v);
    else
        throw_new(f, "java/lang/ClassCastException");
}

static void do_monitor(struct frame *f, const struct ir_stmt *s) {
    struct object *o = object_arg(f, s);
    if (o == NULL) return;
    int step = s->op == IR_MONITOR_ENTER ? 1 : -1;
    o->monitor += step;
    f->in->entered += step;
    if (o->monitor < 0) interp_stop("monitor left more often than entered", "");
}

/* ---- calls ---- */

static void print_value(struct interp *in, struct value v) {
    switch (v.kind) {
    case IR_INT: printf("%d\n", v.u.i); break;
    case IR_LONG: printf("%lld\n", (long long)v.u.l); break;
    case IR_REF: printf("%s\n", v.u.r ? program_str(in->p, v.u.r->text) : "null"); break;
    default: interp_stop("cannot print", "");
    }
}

static method_id target_of(struct frame *f, const struct ir_stmt *s, const struct value *args) {
    struct program *p = f->in->p;
    method_id resolved = program_ref_method(p, (ref_id){s->ref});
    if (resolved.v == 0)
        interp_stop("unresolved method", program_str(p, program_ref(p, (ref_id){s->ref})->name));
    if (s->sub == IR_CALL_STATIC) return resolved;
    if (s->sub == IR_CALL_SPECIAL) {
        class_id caller = program_method(p, f->body->method)->owner;
        return program_dispatch_special(p, caller, program_ref(p, (ref_id){s->ref})->cls, resolved);
    }
    return program_dispatch(p, args[0].u.r->cls, resolved);
}

/* The method handle of a lambda, with the captured values in front. */
static struct value call_closure(struct frame *f, const struct object *o, const struct value *args,
                                 uint32_t n) {
    struct program *p = f->in->p;
    struct const_value impl = program_dyn_arg(p, o->closure, 1);
    const struct handle_info *h = program_handle(p, impl.u.handle);
    struct value all[300];
    for (uint32_t i = 0; i < o->length; i++) all[i] = o->elems[i];
    for (uint32_t i = 1; i < n; i++) all[o->length + i - 1] = args[i];
    method_id m = program_ref_method(p, h->ref);
    if (h->kind == HANDLE_INVOKE_VIRTUAL || h->kind == HANDLE_INVOKE_INTERFACE)
        m = program_dispatch(p, all[0].u.r->cls, m);
    return interp_call(f->in, m, all, o->length + n - 1, &f->thrown);
}

static void make_closure(struct frame *f, const struct ir_stmt *s, const struct value *args) {
    struct object *o = new_object(f->in, (class_id){CLASS_OBJECT});
    o->closure.v = s->ref;
    o->length = s->n_args;
    o->elems = arena_copy(&f->in->arena, args, s->n_args * sizeof *args);
    set(f, s, (struct value){.u.r = o});
}

static void do_invoke(struct frame *f, const struct ir_stmt *s) {
    struct program *p = f->in->p;
    struct value args[257], result = {0};
    for (uint32_t i = 0; i < s->n_args; i++) args[i] = arg(f, s, i);
    if (s->sub == IR_CALL_DYNAMIC) {
        make_closure(f, s, args);
        return;
    }
    if (s->sub != IR_CALL_STATIC && args[0].u.r == NULL) {
        throw_new(f, "java/lang/NullPointerException");
        return;
    }
    if (s->sub == IR_CALL_INTERFACE && args[0].u.r->closure.v != 0) {
        result = call_closure(f, args[0].u.r, args, s->n_args);
    } else {
        method_id m = target_of(f, s, args);
        if (m.v == 0) interp_stop("no method to call", "");
        const struct method_info *info = program_method(p, m);
        if (s->sub == IR_CALL_STATIC) initialize(f, info->owner);
        if (strcmp(program_class_name(p, info->owner), "Out") == 0)
            print_value(f->in, args[0]);
        else if (!program_peek(p, info->owner)->from_jdk)
            result = interp_call(f->in, m, args, s->n_args, &f->thrown);
        else if (strcmp(program_str(p, info->name), "<init>") != 0)
            interp_stop("call into the library:", program_str(p, info->name));
    }
    if (f->thrown == NULL && s->def.v != 0) set(f, s, result);
}

/* ---- control ---- */

static void do_switch(struct frame *f, const struct ir_stmt *s) {
    const struct ir_switch *sw = &f->body->switches[s->ref];
    int32_t key = arg(f, s, 0).u.i;
    uint32_t to = sw->fallback;
    for (uint32_t i = 0; i < sw->n_cases; i++)
        if (sw->cases[i].key == key) to = sw->cases[i].block;
    const struct ir_block *k = &f->body->blocks[f->block];
    for (f->next_succ = 0; f->next_succ < k->n_succs; f->next_succ++)
        if (ir_succs(f->body, k)[f->next_succ].block == to) return;
    interp_stop("switch to a block that is no successor", "");
}

static void step(struct frame *f, const struct ir_stmt *s) {
    bool zero = false;
    struct value none = {.kind = IR_INT};
    switch (s->op) {
    case IR_PARAM: set(f, s, f->args[s->ref]); break;
    case IR_CATCH: break; /* set on the edge */
    case IR_CONST: do_const(f, s); break;
    case IR_NEW:
        initialize(f, (class_id){s->ref});
        set(f, s, (struct value){.u.r = new_object(f->in, (class_id){s->ref})});
        break;
    case IR_NEW_ARRAY: do_new_array(f, s); break;
    case IR_GET_FIELD:
    case IR_PUT_FIELD:
    case IR_GET_STATIC:
    case IR_PUT_STATIC: do_field(f, s); break;
    case IR_ARRAY_LOAD:
    case IR_ARRAY_STORE:
    case IR_ARRAY_LENGTH: do_array(f, s); break;
    case IR_INVOKE: do_invoke(f, s); break;
    case IR_MONITOR_ENTER:
    case IR_MONITOR_EXIT: do_monitor(f, s); break;
    case IR_CAST:
    case IR_INSTANCE_OF: do_cast(f, s); break;
    case IR_BINARY: {
        struct value v = interp_binary(s->ref, arg(f, s, 0), arg(f, s, 1), &zero);
        if (zero)
            throw_new(f, "java/lang/ArithmeticException");
        else
            set(f, s, v);
        break;
    }
    case IR_UNARY: set(f, s, interp_unary(s->ref, arg(f, s, 0))); break;
    case IR_IF: f->next_succ = interp_holds(s->ref, arg(f, s, 0), s->n_args > 1 ? arg(f, s, 1) : none); break;
    case IR_SWITCH: do_switch(f, s); break;
    case IR_GOTO: f->next_succ = 0; break;
    case IR_RETURN:
        f->returned = true;
        if (s->n_args > 0) f->result = arg(f, s, 0);
        break;
    case IR_THROW: f->thrown = object_arg(f, s); break;
    default: interp_stop("unknown statement", ir_op_name(s->op));
    }
    if (f->thrown != NULL && !ir_may_throw(s)) interp_stop("exception from", ir_op_name(s->op));
}

/* Goes along successor i: all PHIs of the target read their operands before any is set. */
static void follow(struct frame *f, uint32_t i) {
    const struct ir_body *body = f->body;
    const struct ir_edge *succs = ir_succs(body, &body->blocks[f->block]);
    uint32_t to = succs[i].block, nth = 0, pred = 0;
    for (uint32_t k = 0; k < i; k++) nth += succs[k].block == to;
    const struct ir_block *target = &body->blocks[to];
    while (ir_preds(body, target)[pred].block != f->block || nth-- > 0) pred++;

    uint32_t n = 0;
    while (body->stmts[target->first + n].op == IR_PHI) n++;
    struct value *values = calloc(n + 1u, sizeof *values);
    for (uint32_t k = 0; k < n; k++) values[k] = arg(f, &body->stmts[target->first + k], pred);
    for (uint32_t k = 0; k < n; k++) set(f, &body->stmts[target->first + k], values[k]);
    free(values);
    f->block = to;
}

/* True if a handler of the current block takes the exception. */
static bool caught(struct frame *f) {
    const struct ir_block *k = &f->body->blocks[f->block];
    for (uint32_t i = 0; i < k->n_succs; i++) {
        const struct ir_edge *e = &ir_succs(f->body, k)[i];
        if (!e->exceptional) continue;
        if (e->catch_type.v != 0 && !is_instance(f, f->thrown, e->catch_type)) continue;
        follow(f, i);
        const struct ir_stmt *s = &f->body->stmts[f->body->blocks[f->block].first];
        while (s->op == IR_PHI) s++;
        set(f, s, (struct value){.u.r = f->thrown});
        f->thrown = NULL;
        return true;
    }
    return false;
}

static void run_block(struct frame *f) {
    const struct ir_block *k = &f->body->blocks[f->block];
    if (++f->in->steps > 200000000) interp_stop("endless loop", "");
    for (uint32_t i = k->first; i < k->end && !f->returned && f->thrown == NULL; i++)
        if (f->body->stmts[i].op != IR_PHI) step(f, &f->body->stmts[i]);
    if (f->returned) return;
    if (f->thrown == NULL)
        follow(f, f->next_succ);
    else if (!caught(f))
        f->returned = true;
}

static const struct ir_body *body_of(struct interp *in, method_id m) {
    if (m.v >= in->n_bodies) {
        uint32_t n = m.v + 1000;
        in->bodies = realloc(in->bodies, n * sizeof *in->bodies);
        memset(in->bodies + in->n_bodies, 0, (n - in->n_bodies) * sizeof *in->bodies);
        in->n_bodies = n;
    }
    if (in->bodies[m.v] == NULL) {
        struct race_error err = {0};
        const struct ir_body *body = ir_build(in->builder, m, &in->arena, &err);
        if (body == NULL || !ir_check(in->p, body, &err)) interp_stop("bad IR:", err.what);
        if (body->n_blocks == 0) interp_stop("method without code:", body->opaque ? body->opaque : "");
        in->bodies[m.v] = body;
    }
    return in->bodies[m.v];
}

struct value interp_call(struct interp *in, method_id m, const struct value *args, uint32_t n,
                         struct object **thrown) {
    const struct ir_body *body = body_of(in, m);
    if (n != body->n_params) interp_stop("wrong number of arguments", "");
    if (++in->depth > 500) interp_stop("recursion too deep", "");
    struct frame f = {.in = in, .body = body, .args = args};
    f.vars = calloc(body->n_vars + 1u, sizeof *f.vars);
    while (!f.returned) run_block(&f);
    free(f.vars);
    in->depth--;
    *thrown = f.thrown;
    return f.result;
}
