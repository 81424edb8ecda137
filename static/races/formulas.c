#include "formulas.h"
#include "bands.h"
#include "groups.h" /* argument_matches */
#include "race/opcodes.h"
#include "sources.h"
#include "summary.h"

enum { DEPTH_MAX = 16, WORK_MAX = 400 };

static const struct sym unknown;

void formulas_init(struct formulas *f, struct races *r, uint32_t thread, const struct numbering *numbers) {
    *f = (struct formulas){.world = {.r = r}, .numbers = numbers, .thread = thread, .work = WORK_MAX};
    if (numbers != NULL) f->world.bound = numbers->bound;
}

static const struct frame *new_frame(struct formulas *f, struct frame frame) {
    return arena_copy(&f->world.r->arena, &frame, sizeof frame);
}

/* ---- where values come from ---- */

/* The method that made the object which a thread of the kind runs, as it was then. */
static const struct frame *creation_of(struct formulas *f, pts_obj o, const struct ir_stmt **made) {
    struct races *r = f->world.r;
    pts_inst inst = {0};
    ir_var number = number_at(r, f->numbers, o, &inst);
    if (number.v == 0) return NULL;
    const struct pts_alloc_info *a = pts_alloc_info(r->pts, pts_obj_info(r->pts, o)->alloc);
    const struct ir_body *body = body_of(r, a->method);
    *made = &body->stmts[a->stmt];
    return new_frame(f, (struct frame){ANY_THREAD, inst, body, NULL, NULL, number});
}

/* The only function object among the Runnables that calls the method. */
static pts_obj only_function(struct formulas *f, method_id m) {
    struct races *r = f->world.r;
    pts_obj found = {0}, o;
    if (f->numbers->start.runnable.v == 0) return found;
    struct pts_view set = pts_var(r->pts, f->numbers->start.inst, f->numbers->start.runnable);
    struct pts_iter it = {0};
    while (pts_next(set, &it, &o)) {
        if (!method_id_eq(function_target(r, o), m)) continue;
        if (found.v != 0) return (pts_obj){0};
        found = o;
    }
    return found;
}

struct only_source {
    struct source s;
    unsigned n;
};

static bool see_source(void *arg, const struct source *s) {
    struct only_source *x = arg;
    x->s = *s;
    return ++x->n < 2;
}

static bool is_numbered(const struct formulas *f, const struct frame *frame) {
    return f->numbers != NULL && f->numbers->known && frame->thread == f->thread;
}

static bool argument_behind(struct formulas *f, const struct frame *frame, uint32_t param,
                            struct value_at *out) {
    struct races *r = f->world.r;
    if (frame->caller != NULL) {
        const struct frame *from = frame->caller;
        if (param >= frame->call->n_args) return false;
        uint32_t block = ir_block_of(from->body, (uint32_t)(frame->call - from->body->stmts));
        *out = (struct value_at){from, ir_arg(from->body, frame->call, param), block};
        return true;
    }
    if (is_numbered(f, frame) && is_target(r, f->thread, frame->inst)) {
        pts_obj o = only_function(f, frame->body->method);
        const struct ir_stmt *made;
        const struct frame *from = o.v == 0 ? NULL : creation_of(f, o, &made);
        if (from == NULL || param >= made->n_args) return false;
        uint32_t block = ir_block_of(from->body, (uint32_t)(made - from->body->stmts));
        *out = (struct value_at){from, ir_arg(from->body, made, param), block};
        return true;
    }
    struct only_source x = {.n = 0};
    if (!each_source(r, frame->thread, frame->inst, param, see_source, &x) || x.n != 1) return false;
    const struct frame *from = new_frame(f, (struct frame){x.s.thread, x.s.inst, x.s.body, NULL, NULL, {0}});
    *out = (struct value_at){from, x.s.var, ir_block_of(x.s.body, x.s.stmt)};
    return true;
}

/* The one callee of a call in the frame, as a frame of its own. */
static const struct frame *called_frame(struct formulas *f, const struct frame *frame,
                                        const struct ir_stmt *call) {
    struct races *r = f->world.r;
    uint32_t n;
    const struct pts_call *calls =
        pts_callees_at(r->pts, frame->inst, (uint32_t)(call - frame->body->stmts), &n);
    const struct pts_call *only = NULL;
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind == PTS_EDGE_CLINIT) continue;
        if (only != NULL || calls[k].kind != PTS_EDGE_CALL) return NULL;
        only = &calls[k];
    }
    method_id m = only == NULL ? (method_id){0} : pts_inst_info(r->pts, only->callee)->method;
    if (m.v == 0 || !is_app(r, m) || !argument_matches(r, call, m)) return NULL;
    const struct ir_body *body = body_of(r, m);
    if (body == NULL) return NULL;
    return new_frame(f, (struct frame){frame->thread, only->callee, body, frame, call, {0}});
}

/* The value that a short method returns. */
static bool result_behind(struct formulas *f, const struct frame *frame, const struct ir_stmt *call,
                          struct value_at *out) {
    if (call->sub == IR_CALL_DYNAMIC) return false;
    const struct frame *in = called_frame(f, frame, call);
    if (in == NULL || in->body->n_blocks != 1) return false;
    const struct ir_stmt *last = &in->body->stmts[in->body->n_stmts - 1];
    if (last->op != IR_RETURN || last->n_args != 1) return false;
    *out = (struct value_at){in, ir_arg(in->body, last, 0), 0};
    return true;
}

/* ---- fields ---- */

static bool dominates_returns(const struct ir_body *body, uint32_t block) {
    for (uint32_t b = 0; b < body->n_blocks; b++) {
        if (body->stmts[body->blocks[b].end - 1].op == IR_RETURN && !ir_dominates(body, block, b))
            return false;
    }
    return true;
}

/* The one statement by which a constructor sets the field of its object, or NULL. */
static const struct ir_stmt *only_put(struct races *r, const struct ir_body *body, field_id field) {
    const struct ir_stmt *found = NULL;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op != IR_PUT_FIELD || !field_id_eq(program_ref_field(r->p, (ref_id){s->ref}), field)) continue;
        if (found != NULL || ir_arg(body, s, 0).v != 1) return NULL;
        found = s;
    }
    return found;
}

/* The call of a constructor on the object. */
static const struct ir_stmt *constructor_call(struct races *r, const struct ir_body *body, ir_var object) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        const struct member_ref *ref = invoke_ref(r, s);
        if (ref != NULL && s->sub == IR_CALL_SPECIAL && ir_var_eq(ir_arg(body, s, 0), object) &&
            name_is(r, ref->name, "<init>"))
            return s;
    }
    return NULL;
}

/* What the constructor, or one that it calls on the same object, puts into the field. */
static bool put_behind(struct formulas *f, const struct frame *in, field_id field, struct value_at *out) {
    for (int i = 0; i < 4 && in != NULL; i++) {
        const struct ir_stmt *put = only_put(f->world.r, in->body, field);
        if (put != NULL) {
            uint32_t block = ir_block_of(in->body, (uint32_t)(put - in->body->stmts));
            *out = (struct value_at){in, ir_arg(in->body, put, 1), block};
            return dominates_returns(in->body, block);
        }
        const struct ir_stmt *call = constructor_call(f->world.r, in->body, (ir_var){1});
        in = call == NULL ? NULL : called_frame(f, in, call);
    }
    return false;
}

/* The object that the thread runs, if the variable is that in the frame. */
static pts_obj own_object(struct formulas *f, const struct frame *frame, ir_var v) {
    struct races *r = f->world.r;
    pts_obj o = {0}, more;
    if (!is_numbered(f, frame) || frame->caller != NULL || var_origin(frame->body, v).v != 1) return o;
    if (this_is_own(r, f->thread, OWN_THREAD, frame->inst)) return pts_thread(r->pts, f->thread)->obj;
    if (!this_is_own(r, f->thread, OWN_RUNNABLE, frame->inst)) return o;
    struct pts_iter it = {0};
    struct pts_view set = pts_var(r->pts, frame->inst, (ir_var){1});
    if (!pts_next(set, &it, &o) || pts_next(set, &it, &more)) return (pts_obj){0};
    return o;
}

static bool field_behind(struct formulas *f, const struct frame *frame, const struct ir_stmt *get,
                         struct value_at *out) {
    struct races *r = f->world.r;
    field_id field = program_ref_field(r->p, (ref_id){get->ref});
    if (field.v == 0 || !field_facts(r, field)->stable) return false;
    pts_obj o = own_object(f, frame, ir_arg(frame->body, get, 0));
    const struct ir_stmt *made;
    const struct frame *from = o.v == 0 ? NULL : creation_of(f, o, &made);
    const struct ir_stmt *call = from == NULL ? NULL : constructor_call(r, from->body, made->def);
    return call != NULL && put_behind(f, called_frame(f, from, call), field, out);
}

bool value_behind(struct formulas *f, const struct frame *frame, ir_var v, struct value_at *out) {
    const struct ir_stmt *s = ir_def(frame->body, v);
    if (f->work == 0) return false;
    f->work--;
    switch (s->op) {
    case IR_PARAM: return argument_behind(f, frame, v.v - 1, out);
    case IR_GET_FIELD: return field_behind(f, frame, s, out);
    case IR_INVOKE: return result_behind(f, frame, s, out);
    default: return false;
    }
}

/* ---- atoms ---- */

static bool is_constructor_of(struct races *r, method_id m, class_id c) {
    const struct method_info *info = program_method(r->p, m);
    return class_id_eq(info->owner, c) && name_is(r, info->name, "<init>");
}

/* Whether the instance may run while an object of the class is being made by this thread. */
static bool is_under_constructor(struct races *r, pts_inst from, class_id c) {
    bits seen;
    bits_init(&seen, &r->arena, r->n_insts + 1);
    VEC(pts_inst) queue = {0};
    bits_add(&seen, from.v);
    vec_push(&queue, from);
    bool found = false;
    while (queue.n > 0 && !found) {
        pts_inst i = vec_pop(&queue);
        found = is_constructor_of(r, pts_inst_info(r->pts, i)->method, c);
        uint32_t n;
        const struct pts_call *calls = pts_callers(r->pts, i, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_THREAD || calls[k].caller.v == 0 ||
                bits_has(&seen, calls[k].caller.v))
                continue;
            bits_add(&seen, calls[k].caller.v);
            vec_push(&queue, calls[k].caller);
        }
    }
    vec_release(&queue);
    return found;
}

/* Whether the constructors let nobody see the object before they are done. */
static bool constructors_keep(struct races *r, class_id c) {
    const struct class_info *info = program_info(r->p, c);
    for (uint32_t k = 0; k < info->n_methods; k++) {
        method_id m = {info->first_method.v + k};
        if (is_constructor_of(r, m, c) && (summary_of(r, m)->leaks & 1) != 0) return false;
    }
    return true;
}

/* A field that has had its only value since its object was made, read when it was. */
static struct sym field_atom(struct formulas *f, const struct frame *frame, const struct ir_stmt *get,
                             int depth) {
    struct races *r = f->world.r;
    field_id field = program_ref_field(r->p, (ref_id){get->ref});
    if (field.v == 0 || !field_facts(r, field)->stable) return unknown;
    class_id owner = program_field(r->p, field)->owner;
    ir_var object = ir_arg(frame->body, get, 0);
    if (is_constructor_of(r, frame->body->method, owner)) { /* what it has just put there */
        const struct ir_stmt *put = object.v == 1 ? only_put(r, frame->body, field) : NULL;
        if (put == NULL) return unknown;
        uint32_t from = ir_block_of(frame->body, (uint32_t)(put - frame->body->stmts));
        uint32_t to = ir_block_of(frame->body, (uint32_t)(get - frame->body->stmts));
        bool before = from == to ? put < get : ir_dominates(frame->body, from, to);
        return before ? formula_at(f, frame, ir_arg(frame->body, put, 1), depth + 1) : unknown;
    }
    struct path p = path_of(r, frame->body, object);
    pts_obj o = path_object(r, frame->inst, &p);
    if (o.v == 0 || !constructors_keep(r, owner) || is_under_constructor(r, frame->inst, owner))
        return unknown;
    return sym_atom(r, ATOM_FIELD, o.v, field.v);
}

static struct sym static_atom(struct formulas *f, const struct frame *frame, const struct ir_stmt *get) {
    struct races *r = f->world.r;
    field_id field = program_ref_field(r->p, (ref_id){get->ref});
    if (field.v == 0 || (program_field(r->p, field)->access & CF_ACC_FINAL) == 0) return unknown;
    /* While the class is initialised it may still be zero, for the thread that does that. */
    for (const struct frame *x = frame; x != NULL; x = x->caller) {
        if (name_is(r, program_method(r->p, x->body->method)->name, "<clinit>")) return unknown;
    }
    return sym_atom(r, ATOM_STATIC, field.v, 0);
}

/* The length of an array: what it was made with, or that of the only one. */
static struct sym length_of(struct formulas *f, const struct frame *frame, ir_var array, int depth) {
    struct value_at at = {frame, var_origin(frame->body, array), 0};
    for (int i = 0; i < 4; i++) {
        const struct ir_stmt *def = ir_def(at.frame->body, at.var);
        if (def->op == IR_NEW_ARRAY) {
            struct sym n = formula_at(f, at.frame, ir_arg(at.frame->body, def, 0), depth + 1);
            if (n.known && f->world.n_lengths < SYM_LENGTHS) f->world.lengths[f->world.n_lengths++] = n;
            return n;
        }
        if (def->op != IR_PARAM || !value_behind(f, at.frame, at.var, &at)) break;
        at.var = var_origin(at.frame->body, at.var);
    }
    struct path p = path_of(f->world.r, frame->body, array);
    pts_obj o = path_object(f->world.r, frame->inst, &p);
    return o.v == 0 ? unknown : sym_atom(f->world.r, ATOM_LENGTH, o.v, 0);
}

/* A variable that is set once in a run of the program. */
static struct sym var_atom(struct formulas *f, const struct frame *frame, ir_var v) {
    const struct ir_block *b = &frame->body->blocks[ir_block_of(frame->body, frame->body->vars[v.v].def)];
    if (frame->body->vars[v.v].kind != IR_INT || b->depth > 0 ||
        !pts_inst_info(f->world.r->pts, frame->inst)->once)
        return unknown;
    return sym_atom(f->world.r, ATOM_VAR, frame->inst.v, v.v);
}

/* ---- formulas ---- */

static struct sym binary(struct formulas *f, const struct frame *frame, const struct ir_stmt *s, int depth) {
    const struct sym_world *w = &f->world;
    struct sym a = formula_at(f, frame, ir_arg(frame->body, s, 0), depth + 1);
    struct sym b = formula_at(f, frame, ir_arg(frame->body, s, 1), depth + 1);
    bool is_long = frame->body->vars[s->def.v].kind == IR_LONG;
    switch (s->ref) {
    case CF_OP_IADD:
    case CF_OP_LADD: return sym_add(w, a, b, is_long);
    case CF_OP_ISUB:
    case CF_OP_LSUB: return sym_sub(w, a, b, is_long);
    case CF_OP_IMUL:
    case CF_OP_LMUL: return sym_mul(w, a, b, is_long);
    case CF_OP_IDIV:
    case CF_OP_LDIV: return sym_div(w, a, b);
    default: return unknown;
    }
}

static struct sym computed(struct formulas *f, const struct frame *frame, ir_var v, int depth) {
    const struct ir_stmt *s = ir_def(frame->body, v);
    struct value_at behind;
    struct sym found = unknown;
    switch (s->op) {
    case IR_CONST:
        if (s->sub == CONST_INT || s->sub == CONST_LONG) return sym_const(ir_const(frame->body, s).u.i);
        return unknown;
    case IR_BINARY: found = binary(f, frame, s, depth); break;
    case IR_UNARY:
        found = formula_at(f, frame, ir_arg(frame->body, s, 0), depth + 1);
        if (s->ref == CF_OP_L2I) {
            found = sym_narrow(&f->world, found);
        } else if (s->ref != CF_OP_I2L) {
            found = unknown;
        }
        break;
    case IR_ARRAY_LENGTH: found = length_of(f, frame, ir_arg(frame->body, s, 0), depth); break;
    case IR_GET_STATIC: found = static_atom(f, frame, s); break;
    case IR_GET_FIELD: found = field_atom(f, frame, s, depth); break;
    default: break;
    }
    if (!found.known && value_behind(f, frame, v, &behind))
        found = formula_at(f, behind.frame, behind.var, depth + 1);
    return found;
}

struct sym formula_at(struct formulas *f, const struct frame *frame, ir_var v, int depth) {
    uint8_t kind = frame->body->vars[v.v].kind;
    if ((kind != IR_INT && kind != IR_LONG) || depth > DEPTH_MAX || f->work == 0) return unknown;
    f->work--;
    if (frame->number.v != 0 && ir_var_eq(frame->number, v)) return sym_number(f->world.r);
    struct sym found = computed(f, frame, v, depth);
    return found.known ? found : var_atom(f, frame, v);
}

struct sym formula_of(struct races *r, pts_inst i, ir_var v) {
    struct formulas f;
    formulas_init(&f, r, ANY_THREAD, NULL);
    struct frame frame = {ANY_THREAD, i, body_of(r, pts_inst_info(r->pts, i)->method), NULL, NULL, {0}};
    return formula_at(&f, &frame, v, 0);
}
