/* The accesses of the application's code: one entry per statement and location kind. */
#include "internal.h"

#include <string.h>

static struct races_access access_at(const struct ir_body *body, const struct ir_stmt *s) {
    return (struct races_access){.method = body->method,
                                 .stmt = (uint32_t)(s - body->stmts),
                                 .bci = s->bci,
                                 .line = s->line == 0 ? -1 : s->line};
}

/*
 * A final field is written by constructors only.  Reading it elsewhere is safe unless the object leaked from
 * its constructor; that shows when the write is not local any more, so final fields stay in and the stages
 * decide.  Static finals are written by the class initialiser, which every reader waits for.
 */
static bool field_may_race(const struct field_info *f) {
    if ((f->access & CF_ACC_VOLATILE) != 0) return false;
    return (f->access & (CF_ACC_FINAL | CF_ACC_STATIC)) != (CF_ACC_FINAL | CF_ACC_STATIC);
}

static void add_field(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    field_id f = program_ref_field(r->p, (ref_id){s->ref});
    if (f.v == 0) return; /* the JVM would throw */
    const struct field_info *info = program_field(r->p, f);
    if (!field_may_race(info)) return;
    struct races_access a = access_at(body, s);
    a.is_write = s->op == IR_PUT_FIELD || s->op == IR_PUT_STATIC;
    a.kind = s->op == IR_GET_STATIC || s->op == IR_PUT_STATIC ? PLAN_STATIC : PLAN_INSTANCE;
    if (a.kind == PLAN_INSTANCE) a.object = ir_arg(body, s, 0);
    a.field = f;
    a.type = info->owner;
    a.name = info->name;
    vec_push(&r->accesses, a);
}

static void add_array(struct races *r, const struct ir_body *body, const struct ir_stmt *s, ir_var array,
                      bool is_write) {
    struct races_access a = access_at(body, s);
    a.kind = PLAN_ARRAY;
    a.is_write = is_write;
    a.object = array;
    a.type = body->vars[array.v].type;
    a.name = program_name(r->p, "");
    vec_push(&r->accesses, a);
}

static bool is_array_class(const struct races *r, class_id c) {
    return c.v != 0 && program_class_name(r->p, c)[0] == '[';
}

static void add_call(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(r, s);
    if (s->n_args == 0) return;
    if (s->sub == IR_CALL_STATIC && name_is(r, ref->name, "arraycopy") &&
        class_is(r, ref->cls, "java/lang/System")) {
        add_array(r, body, s, ir_arg(body, s, 0), false);
        add_array(r, body, s, ir_arg(body, s, 2), true);
        return;
    }
    if (ref != NULL && is_array_class(r, ref->cls)) {
        if (name_is(r, ref->name, "clone")) add_array(r, body, s, ir_arg(body, s, 0), false);
        return;
    }
    add_container_accesses(r, body, s, access_at(body, s));
}

static void add_statement(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    switch (s->op) {
    case IR_GET_FIELD:
    case IR_PUT_FIELD:
    case IR_GET_STATIC:
    case IR_PUT_STATIC: add_field(r, body, s); break;
    case IR_ARRAY_LOAD: add_array(r, body, s, ir_arg(body, s, 0), false); break;
    case IR_ARRAY_STORE: add_array(r, body, s, ir_arg(body, s, 0), true); break;
    case IR_INVOKE: add_call(r, body, s); break;
    default: break;
    }
}

bool collect_accesses(struct races *r) {
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            const struct ir_body *body = body_of(r, (method_id){info->first_method.v + k});
            if (body == NULL) continue;
            for (uint32_t s = 0; s < body->n_stmts; s++) add_statement(r, body, &body->stmts[s]);
        }
    }
    return r->err == NULL || !r->err->set;
}
