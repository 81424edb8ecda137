#include "swaps.h"
#include "phases.h"

/* The two fields and the method that exchanges them. */
struct swap {
    struct races *r;
    field_id f, g;
    struct races_access change; /* the first of the two writes; no method: never exchanged */
    uint32_t second;            /* the other one */
};

static field_id field_of(struct races *r, const struct ir_stmt *s) {
    return program_ref_field(r->p, (ref_id){s->ref});
}

static bool is_ours(const struct swap *w, field_id f) {
    return field_id_eq(f, w->f) || field_id_eq(f, w->g);
}

/* Whether the constructor puts something new into the field, and nowhere else. */
static bool puts_new(const struct swap *w, const struct ir_body *body, const struct ir_stmt *put) {
    const struct method_info *m = program_method(w->r->p, body->method);
    ir_var v = var_origin(body, ir_arg(body, put, 1));
    const struct ir_stmt *def = ir_def(body, v);
    if (!class_id_eq(m->owner, program_field(w->r->p, w->f)->owner) || !name_is(w->r, m->name, "<init>") ||
        ir_arg(body, put, 0).v != 1 || (def->op != IR_NEW && def->op != IR_NEW_ARRAY))
        return false;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s != put && s->op == IR_PUT_FIELD && is_ours(w, field_of(w->r, s)) &&
            ir_var_eq(var_origin(body, ir_arg(body, s, 1)), v))
            return false;
    }
    return body->blocks[ir_block_of(body, (uint32_t)(put - body->stmts))].depth == 0 &&
           body->blocks[ir_block_of(body, (uint32_t)(def - body->stmts))].depth == 0;
}

/* Whether the value was read from the field of the object, in the block and before the statement. */
static bool was_read(const struct swap *w, const struct ir_body *body, ir_var v, ir_var object, field_id f,
                     uint32_t first, uint32_t before) {
    const struct ir_stmt *get = ir_def(body, v);
    uint32_t at = body->vars[v.v].def;
    return get->op == IR_GET_FIELD && at >= first && at < before && field_id_eq(field_of(w->r, get), f) &&
           ir_var_eq(ir_arg(body, get, 0), object);
}

/* `put` writes one field; the next write of a field writes the other, each with what was in the other before.
 */
static bool begins_swap(struct swap *w, const struct ir_body *body, uint32_t put) {
    const struct ir_stmt *s = &body->stmts[put];
    const struct ir_block *block = &body->blocks[ir_block_of(body, put)];
    ir_var object = ir_arg(body, s, 0);
    uint32_t next = put + 1;
    while (next < block->end && (body->stmts[next].op == IR_CONST || body->stmts[next].op == IR_GOTO)) next++;
    const struct ir_stmt *t = &body->stmts[next];
    field_id f = field_of(w->r, s);
    field_id g = field_id_eq(f, w->f) ? w->g : w->f;
    if (next >= block->end || t->op != IR_PUT_FIELD || !field_id_eq(field_of(w->r, t), g) ||
        !ir_var_eq(ir_arg(body, t, 0), object))
        return false;
    /* Nothing between the reads and the writes may write the fields as well. */
    uint32_t first = put;
    while (first > block->first && body->stmts[first - 1].op != IR_PUT_FIELD &&
           body->stmts[first - 1].op != IR_INVOKE)
        first--;
    if (w->change.method.v != 0) return false; /* a second exchange */
    w->change = (struct races_access){.method = body->method, .stmt = put};
    w->second = next;
    return was_read(w, body, ir_arg(body, s, 1), object, g, first, put) &&
           was_read(w, body, ir_arg(body, t, 1), object, f, first, put);
}

static bool scan_body(struct swap *w, const struct ir_body *body) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op != IR_PUT_FIELD || !is_ours(w, field_of(w->r, s)) || puts_new(w, body, s)) continue;
        if (method_id_eq(w->change.method, body->method) && i == w->second) continue;
        if (!begins_swap(w, body, i)) return false;
    }
    return true;
}

/* Whether all that the program does to the two fields is to fill them with new objects and to exchange them.
 */
static bool only_swapped(struct swap *w) {
    struct races *r = w->r;
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const struct ir_body *body = pts_is_reachable(r->pts, m) ? body_of(r, m) : NULL;
            if (body != NULL && !scan_body(w, body)) return false;
        }
    }
    return true;
}

/* The field that the access's object was read from, in the same run of the method, and its only holder. */
static pts_obj holder_of(struct races *r, const struct races_access *a, pts_inst i, field_id *f) {
    const struct ir_body *body = body_of(r, a->method);
    pts_obj none = {0};
    if (a->object.v == 0) return none;
    const struct ir_stmt *get = ir_def(body, var_origin(body, a->object));
    if (get->op != IR_GET_FIELD) return none;
    *f = field_of(r, get);
    struct path p = path_of(r, body, ir_arg(body, get, 0));
    return f->v == 0 ? none : path_object(r, i, &p);
}

bool apart_by_swap(struct races *r, const struct races_access *a, struct races_side x,
                   const struct races_access *b, struct races_side y) {
    struct swap w = {.r = r};
    if (!has_phases(r)) return false;
    pts_obj h = holder_of(r, a, x.inst, &w.f);
    if (h.v == 0 || !pts_obj_eq(h, holder_of(r, b, y.inst, &w.g)) || field_id_eq(w.f, w.g)) return false;
    const struct field_info *f = program_field(r->p, w.f), *g = program_field(r->p, w.g);
    if (!class_id_eq(f->owner, g->owner) || field_facts(r, w.f)->named || field_facts(r, w.g)->named)
        return false;
    return only_swapped(&w) && w.change.method.v != 0 && changes_between_phases(r, a, x, b, y, &w.change);
}
