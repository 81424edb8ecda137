/*
 * Order by initialisation, which the language gives without any lock.
 *
 * Classes: whoever uses a class first waits until its initialiser has ended, unless it runs the initialiser
 * itself.  So what an initialiser does comes before whatever another thread does after a use of the class.
 *
 * Final fields: what a constructor did to an object before it ended is seen by a read that comes through the
 * final field that the constructor put it in, however the holder was handed over.
 */
#include "internal.h"
#include "race/opcodes.h"

enum { CALLERS_DEEP = 4 };

/* ---- classes ---- */

/* The class whose initialiser is the only thing that leads to the instance, or none. */
static class_id initialiser_of(struct races *r, pts_inst i, int depth) {
    const struct method_info *m = program_method(r->p, pts_inst_info(r->pts, i)->method);
    if (name_is(r, m->name, "<clinit>")) return m->owner;
    uint32_t n;
    class_id only = {0};
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].caller.v == 0 || calls[k].kind != PTS_EDGE_CALL || depth == CALLERS_DEEP)
            return (class_id){0};
        class_id c = initialiser_of(r, calls[k].caller, depth + 1);
        if (c.v == 0 || (only.v != 0 && !class_id_eq(c, only))) return (class_id){0};
        only = c;
    }
    return only;
}

/* Whether control gets past the statement only when the class is initialised, or is being so by this thread.
 */
static bool uses_class(struct races *r, const struct ir_stmt *s, class_id c) {
    if (s->op == IR_GET_STATIC || s->op == IR_PUT_STATIC) {
        field_id f = program_ref_field(r->p, (ref_id){s->ref});
        return f.v != 0 && class_id_eq(program_field(r->p, f)->owner, c);
    }
    if (s->op == IR_INVOKE && s->sub == IR_CALL_STATIC) {
        method_id m = program_ref_method(r->p, (ref_id){s->ref});
        return m.v != 0 && class_id_eq(program_method(r->p, m)->owner, c);
    }
    return false;
}

static bool after_use(struct races *r, const struct races_access *a, class_id c) {
    const struct method_info *m = program_method(r->p, a->method);
    if (class_id_eq(m->owner, c) && (m->access & CF_ACC_STATIC) != 0) return true;
    const struct ir_body *body = body_of(r, a->method);
    uint32_t at = ir_block_of(body, a->stmt);
    for (uint32_t b = 0; b < body->n_blocks; b++) {
        if (!ir_dominates(body, b, at)) continue;
        uint32_t end = b == at ? a->stmt : body->blocks[b].end;
        for (uint32_t s = body->blocks[b].first; s < end; s++) {
            if (uses_class(r, &body->stmts[s], c)) return true;
        }
    }
    return false;
}

static class_id known_initialiser(struct races *r, pts_inst i) {
    if (r->initialisers == NULL) {
        r->initialisers = ARENA_NEW_N(&r->arena, r->n_insts + 1, class_id);
        bits_init(&r->initialisers_known, &r->arena, r->n_insts + 1);
    }
    if (!bits_has(&r->initialisers_known, i.v)) {
        r->initialisers[i.v] = initialiser_of(r, i, 0);
        bits_add(&r->initialisers_known, i.v);
    }
    return r->initialisers[i.v];
}

bool ordered_by_initialiser(struct races *r, pts_inst i, const struct races_access *b, pts_inst j) {
    class_id c = known_initialiser(r, i);
    if (c.v == 0) return false;
    if (b->kind == PLAN_STATIC && class_id_eq(b->type, c)) return true; /* the access is a use itself */
    return class_id_eq(known_initialiser(r, j), c) || after_use(r, b, c);
}

/* ---- final fields ---- */

/* Whether one statement writes the field, and it is the constructor's that puts the value there. */
static bool only_puts(struct races *r, field_id f, method_id constructor, ir_var value) {
    const struct class_info *c = program_info(r->p, program_field(r->p, f)->owner);
    bool found = false;
    for (uint32_t k = 0; k < c->n_methods; k++) {
        method_id m = {c->first_method.v + k};
        const struct ir_body *body =
            name_is(r, program_method(r->p, m)->name, "<init>") ? body_of(r, m) : NULL;
        for (uint32_t n = 0; body != NULL && n < body->n_stmts; n++) {
            const struct ir_stmt *s = &body->stmts[n];
            if (s->op != IR_PUT_FIELD || !field_id_eq(program_ref_field(r->p, (ref_id){s->ref}), f)) continue;
            if (found || !method_id_eq(m, constructor) || ir_arg(body, s, 0).v != 1 ||
                !ir_var_eq(var_origin(body, ir_arg(body, s, 1)), value))
                return false;
            found = true;
        }
    }
    return found;
}

/* Whether nobody else knows the object when its constructor ends. */
static bool keeps_this(struct races *r, const struct ir_body *body) {
    for (uint32_t n = 0; n < body->n_stmts; n++) {
        struct races_access end = {.method = body->method, .stmt = n, .object = {1}};
        if (body->stmts[n].op == IR_RETURN && !is_local(r, &end)) return false;
    }
    return true;
}

bool frozen_for(struct races *r, const struct races_access *a, const struct races_access *b) {
    if (b->is_write || b->stands_for || a->object.v == 0 || b->object.v == 0) return false;
    const struct method_info *m = program_method(r->p, a->method);
    if (!name_is(r, m->name, "<init>")) return false;
    const struct ir_body *body = body_of(r, b->method);
    const struct ir_stmt *get = ir_def(body, var_origin(body, b->object));
    field_id f = get->op == IR_GET_FIELD ? program_ref_field(r->p, (ref_id){get->ref}) : (field_id){0};
    if (f.v == 0 || (program_field(r->p, f)->access & CF_ACC_FINAL) == 0 ||
        !class_id_eq(program_field(r->p, f)->owner, m->owner))
        return false;
    body = body_of(r, a->method);
    ir_var made = var_origin(body, a->object);
    uint8_t op = ir_def(body, made)->op;
    return (op == IR_NEW || op == IR_NEW_ARRAY) && only_puts(r, f, a->method, made) && keeps_this(r, body);
}
