#include "handles.h"

#include <string.h>

struct handle {
    uint8_t kind;
    bool leaked; /* may be used where nobody sees it */
    field_id kept_in;
    field_id field;
    method_id made_in;
    uint32_t stmt;
};

struct handles {
    VEC(struct handle) v;
};

#define ATOMIC "java/util/concurrent/atomic/Atomic"

static bool is_updater(const struct races *r, class_id c) {
    return class_is(r, c, ATOMIC "IntegerFieldUpdater") || class_is(r, c, ATOMIC "LongFieldUpdater") ||
           class_is(r, c, ATOMIC "ReferenceFieldUpdater");
}

/* ---- making ---- */

static field_id field_named(struct races *r, class_id c, name_id name, bool is_static) {
    const struct class_info *info = program_info(r->p, c);
    for (uint32_t k = 0; info->state == CLASS_LOADED && k < info->n_fields; k++) {
        field_id f = {info->first_field.v + k};
        const struct field_info *field = program_field(r->p, f);
        if (name_id_eq(field->name, name) && ((field->access & CF_ACC_STATIC) != 0) == is_static) return f;
    }
    return (field_id){0};
}

/* The static final field that the new handle goes to, and nowhere else. */
static field_id kept_in(struct races *r, const struct ir_body *body, ir_var made) {
    field_id f = {0};
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (!ir_var_eq(ir_arg(body, s, k), made)) continue;
            if (s->op != IR_PUT_STATIC || f.v != 0) return (field_id){0};
            f = program_ref_field(r->p, (ref_id){s->ref});
        }
    }
    return f.v != 0 && (program_field(r->p, f)->access & CF_ACC_FINAL) != 0 ? f : (field_id){0};
}

static void find_made(struct races *r, const struct ir_body *body) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        const struct member_ref *ref = invoke_ref(r, s);
        if (ref == NULL || s->def.v == 0) continue;
        bool is_static = name_is(r, ref->name, "findStaticVarHandle");
        bool var = (is_static || name_is(r, ref->name, "findVarHandle")) && s->n_args == 4 &&
                   class_is(r, ref->cls, "java/lang/invoke/MethodHandles$Lookup");
        bool updater = name_is(r, ref->name, "newUpdater") && s->n_args >= 2 && is_updater(r, ref->cls);
        if (!var && !updater) continue;
        const struct ir_stmt *cls = ir_def(body, ir_arg(body, s, var ? 1 : 0));
        const struct ir_stmt *name = ir_def(body, ir_arg(body, s, var ? 2 : s->n_args - 1u));
        if (cls->op != IR_CONST || cls->sub != CONST_CLASS || name->op != IR_CONST ||
            name->sub != CONST_STRING)
            continue;
        struct handle h = {.kind = var ? HANDLE_VAR : HANDLE_UPDATER, .made_in = body->method, .stmt = i};
        h.field = field_named(r, ir_const(body, cls).u.cls, ir_const(body, name).u.name, is_static);
        h.kept_in = kept_in(r, body, s->def);
        if (h.field.v != 0 && h.kept_in.v != 0) vec_push(&r->handles->v, h);
    }
}

/* ---- using ---- */

static bool is_making(const struct races *r, method_id m, uint32_t stmt) {
    for (size_t i = 0; i < r->handles->v.n; i++) {
        if (method_id_eq(r->handles->v.v[i].made_in, m) && r->handles->v.v[i].stmt == stmt) return true;
    }
    return false;
}

static bool is_call_on(const struct races *r, const struct ir_stmt *s, uint32_t arg) {
    const struct member_ref *ref = invoke_ref(r, s);
    return ref != NULL && arg == 0 && s->sub != IR_CALL_STATIC &&
           (class_is(r, ref->cls, "java/lang/invoke/VarHandle") || is_updater(r, ref->cls));
}

/* Marks what a use of a variable gives away: the name of a field, or a handle. */
static void see_use(struct races *r, const struct ir_body *body, uint32_t stmt, uint32_t arg) {
    const struct ir_stmt *s = &body->stmts[stmt];
    const struct ir_stmt *def = ir_def(body, ir_arg(body, s, arg));
    for (size_t i = 0; i < r->handles->v.n; i++) {
        struct handle *h = &r->handles->v.v[i];
        if (def->op == IR_CONST && def->sub == CONST_STRING &&
            name_id_eq(ir_const(body, def).u.name, program_field(r->p, h->field)->name) &&
            !is_making(r, body->method, stmt))
            h->leaked = true;
        if (def->op == IR_GET_STATIC &&
            field_id_eq(program_ref_field(r->p, (ref_id){def->ref}), h->kept_in) && !is_call_on(r, s, arg))
            h->leaked = true;
    }
}

static void each_body(struct races *r, void (*visit)(struct races *r, const struct ir_body *body)) {
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const struct ir_body *body = pts_is_reachable(r->pts, m) ? body_of(r, m) : NULL;
            if (body != NULL) visit(r, body);
        }
    }
}

static void see_uses(struct races *r, const struct ir_body *body) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        for (uint32_t k = 0; k < body->stmts[i].n_args; k++) see_use(r, body, i, k);
    }
}

void handles_init(struct races *r) {
    r->handles = ARENA_NEW(&r->arena, struct handles);
    each_body(r, find_made);
    if (r->handles->v.n > 0) each_body(r, see_uses);
}

void handles_release(struct races *r) {
    if (r->handles != NULL) vec_release(&r->handles->v);
}

/* ---- questions ---- */

bool is_handled(const struct races *r, field_id f) {
    bool any = false;
    for (size_t i = 0; i < r->handles->v.n; i++) {
        if (!field_id_eq(r->handles->v.v[i].field, f)) continue;
        if (r->handles->v.v[i].leaked) return false;
        any = true;
    }
    return any;
}

bool handle_call(struct races *r, const struct ir_body *body, const struct ir_stmt *s,
                 struct handle_call *out) {
    if (r->handles->v.n == 0 || s->op != IR_INVOKE || s->n_args == 0 || !is_call_on(r, s, 0)) return false;
    const struct ir_stmt *get = ir_def(body, var_origin(body, ir_arg(body, s, 0)));
    if (get->op != IR_GET_STATIC) return false;
    field_id kept = program_ref_field(r->p, (ref_id){get->ref});
    for (size_t i = 0; i < r->handles->v.n; i++) {
        const struct handle *h = &r->handles->v.v[i];
        if (!field_id_eq(h->kept_in, kept)) continue;
        bool is_static = (program_field(r->p, h->field)->access & CF_ACC_STATIC) != 0;
        *out = (struct handle_call){.kind = h->kind, .field = h->field, .first = is_static ? 1 : 2};
        if (!is_static && s->n_args < 2) return false;
        if (!is_static) out->holder = ir_arg(body, s, 1);
        return true;
    }
    return false;
}
