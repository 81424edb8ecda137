/*
 * Facts about fields that hold in every execution, from one look at all reachable code of the application.
 *
 * stable:    once a read returned something other than null, every later read of the same object's field
 *            returns the same: `final`, or written exactly once, by the constructor, on `this`.
 * injective: two different objects never hold the same object in it: everything written is fresh and goes
 *            nowhere else into the same field.  So equal contents prove equal holders.
 *
 * Reflection, field updaters and VarHandles need the field's name as a string; a field whose name occurs as a
 * string constant gets neither fact unless it is final.
 */
#include "internal.h"
#include "summary.h"

#include <stdlib.h>

typedef VEC(uint32_t) numbers;

struct scan {
    struct races *r;
    numbers strings;       /* name_ids of string constants */
    uint8_t *unstable;     /* by field */
    uint8_t *shared_value; /* by field: a written value may be in another object's field as well */
    method_id *put_in;     /* by field: constructor that writes it */
};

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Whether the constructor runs another one of its class first, which then has written already. */
static bool delegates(struct races *r, const struct ir_body *body) {
    class_id owner = program_method(r->p, body->method)->owner;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        const struct member_ref *ref = invoke_ref(r, s);
        if (ref != NULL && s->sub == IR_CALL_SPECIAL && ir_arg(body, s, 0).v == 1 &&
            class_id_eq(ref->cls, owner) && name_is(r, ref->name, "<init>"))
            return true;
    }
    return false;
}

/* The one write that leaves a field stable: once, by its own class's constructor or initialiser. */
static bool initialises(struct scan *x, const struct ir_body *body, const struct ir_stmt *s, field_id f) {
    struct races *r = x->r;
    const struct method_info *m = program_method(r->p, body->method);
    bool is_static = s->op == IR_PUT_STATIC;
    if (!class_id_eq(m->owner, program_field(r->p, f)->owner)) return false;
    if (!name_is(r, m->name, is_static ? "<clinit>" : "<init>")) return false;
    if (!is_static && (ir_arg(body, s, 0).v != 1 || delegates(r, body))) return false;
    if (method_id_eq(x->put_in[f.v], body->method)) return false; /* a second write */
    x->put_in[f.v] = body->method;
    return body->blocks[ir_block_of(body, (uint32_t)(s - body->stmts))].depth == 0;
}

/* Whether the value is an object that only this statement puts anywhere into this field. */
static bool fresh_value(struct races *r, const struct ir_body *body, const struct ir_stmt *put, field_id f) {
    ir_var v = var_origin(body, ir_arg(body, put, 1));
    const struct ir_stmt *def = ir_def(body, v);
    if (def->op == IR_CONST) return def->sub == CONST_NULL;
    if (def->op == IR_INVOKE) { /* a factory is as good as `new` */
        method_id m = only_callee(r, body->method, (uint32_t)(def - body->stmts));
        if (m.v == 0 || !summary_of(r, m)->fresh) return false;
    } else if (def->op != IR_NEW && def->op != IR_NEW_ARRAY) {
        return false;
    }
    uint32_t at = ir_block_of(body, (uint32_t)(put - body->stmts));
    uint32_t made = ir_block_of(body, (uint32_t)(def - body->stmts));
    if (body->blocks[at].loop != body->blocks[made].loop) return false; /* put again without a new object */
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s != put && s->op == IR_PUT_FIELD && field_id_eq(program_ref_field(r->p, (ref_id){s->ref}), f) &&
            ir_var_eq(var_origin(body, ir_arg(body, s, 1)), v))
            return false;
    }
    return true;
}

static void scan_put(struct scan *x, const struct ir_body *body, const struct ir_stmt *s) {
    field_id f = program_ref_field(x->r->p, (ref_id){s->ref});
    if (f.v == 0 || f.v >= x->r->n_fields) return;
    x->r->fields[f.v].written = true;
    if (!initialises(x, body, s, f)) x->unstable[f.v] = 1;
    if (s->op == IR_PUT_STATIC || !fresh_value(x->r, body, s, f)) x->shared_value[f.v] = 1;
}

static void scan_body(struct scan *x, const struct ir_body *body) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op == IR_PUT_FIELD || s->op == IR_PUT_STATIC) {
            scan_put(x, body, s);
        } else if (s->op == IR_CONST && s->sub == CONST_STRING) {
            vec_push(&x->strings, ir_const(body, s).u.name.v);
        }
    }
}

/* A clone holds what its original holds. */
static bool may_be_cloned(struct races *r, class_id c) {
    uint32_t n;
    if (program_is_subtype(r->p, c, (class_id){CLASS_CLONEABLE})) return true;
    const class_id *below = program_subclasses(r->p, c, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (may_be_cloned(r, below[i])) return true;
    }
    return false;
}

static void conclude(struct scan *x, field_id f) {
    struct races *r = x->r;
    const struct field_info *info = program_field(r->p, f);
    struct field_facts *facts = &r->fields[f.v];
    bool is_final = (info->access & CF_ACC_FINAL) != 0;
    const struct class_info *owner = program_peek(r->p, info->owner);
    if (owner->from_jdk) { /* its writers were not looked at */
        facts->stable = is_final;
        return;
    }
    bool named = x->strings.n > 0 &&
                 bsearch(&info->name.v, x->strings.v, x->strings.n, sizeof *x->strings.v, by_value) != NULL;
    facts->named = named;
    facts->stable = is_final || (x->unstable[f.v] == 0 && !named);
    facts->injective = facts->written && x->shared_value[f.v] == 0 && !named && !pts_set_outside(r->pts, f) &&
                       !may_be_cloned(r, info->owner);
}

void fields_init(struct races *r) {
    r->n_fields = program_n_fields(r->p) + 1;
    r->fields = ARENA_NEW_N(&r->arena, r->n_fields, struct field_facts);
    struct scan x = {.r = r};
    x.unstable = ARENA_NEW_N(&r->arena, r->n_fields, uint8_t);
    x.shared_value = ARENA_NEW_N(&r->arena, r->n_fields, uint8_t);
    x.put_in = ARENA_NEW_N(&r->arena, r->n_fields, method_id);
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            if (!pts_is_reachable(r->pts, m)) continue;
            const struct ir_body *body = body_of(r, m);
            if (body != NULL) scan_body(&x, body);
        }
    }
    if (x.strings.n > 1) qsort(x.strings.v, x.strings.n, sizeof *x.strings.v, by_value);
    for (uint32_t f = 1; f < r->n_fields; f++) conclude(&x, (field_id){f});
    vec_release(&x.strings);
}
