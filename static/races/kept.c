/* Arrays that keep their elements; see kept.h. */
#include "kept.h"
#include "joins.h"

/* ---- stores that only fill ---- */

/* The array that the field of `this` gets in this constructor, if nothing else ever puts anything there. */
static ir_var put_here(struct races *r, const struct ir_body *body, field_id f) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op == IR_PUT_FIELD && field_id_eq(program_ref_field(r->p, (ref_id){s->ref}), f) &&
            ir_arg(body, s, 0).v == 1)
            return var_origin(body, ir_arg(body, s, 1));
    }
    return (ir_var){0};
}

/* The variable that a new array of this method was put in first, whichever way this one names it; or none. */
static ir_var home_of(struct races *r, const struct ir_body *body, ir_var array) {
    ir_var v = var_origin(body, array), none = {0};
    const struct ir_stmt *def = ir_def(body, v);
    if (def->op == IR_GET_FIELD && ir_arg(body, def, 0).v == 1 &&
        name_is(r, program_method(r->p, body->method)->name, "<init>")) {
        field_id f = program_ref_field(r->p, (ref_id){def->ref});
        if (f.v == 0 || !field_facts(r, f)->stable) return none;
        v = put_here(r, body, f);
        if (v.v == 0) return none;
    }
    return ir_def(body, v)->op == IR_NEW_ARRAY ? v : none;
}

static uint32_t loop_of(const struct ir_body *body, uint32_t stmt) {
    return body->blocks[ir_block_of(body, stmt)].loop;
}

static bool is_constant_index(const struct ir_body *body, const struct ir_stmt *store, int64_t *value) {
    const struct ir_stmt *def = ir_def(body, ir_arg(body, store, 1));
    if (def->op != IR_CONST || def->sub != CONST_INT) return false;
    *value = ir_const(body, def).u.i;
    return true;
}

/* Whether the two never store into one place of the array that `home` is. */
static bool fill_apart(const struct ir_body *body, const struct ir_stmt *a, const struct ir_stmt *b) {
    int64_t i, k;
    return is_constant_index(body, a, &i) && is_constant_index(body, b, &k) && i != k;
}

static bool fills_once(struct races *r, const struct ir_body *body, const struct ir_stmt *store) {
    ir_var home = home_of(r, body, ir_arg(body, store, 0));
    if (home.v == 0) return false;
    uint32_t made_in = loop_of(body, body->vars[home.v].def);
    uint32_t stored_in = loop_of(body, (uint32_t)(store - body->stmts));
    uint32_t counted = loop_counted_by(body, ir_arg(body, store, 1));
    int64_t index;
    bool once = is_constant_index(body, store, &index)
                    ? stored_in == made_in
                    : counted != IR_NO_LOOP && stored_in == counted && body->loops[counted].parent == made_in;
    for (uint32_t i = 0; i < body->n_stmts && once; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s != store && s->op == IR_ARRAY_STORE && ir_var_eq(home_of(r, body, ir_arg(body, s, 0)), home))
            once = fill_apart(body, store, s);
    }
    return once;
}

/* ---- arrays that others may store into ---- */

static void mark(struct races *r, pts_inst i, ir_var array) {
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(pts_var(r->pts, i, array), &it, &o)) bits_add(&r->refilled_arrays, o.v);
}

/* Whether the call may store into an array that it gets although no code is there to be looked at. */
static bool stores_unseen(struct races *r, const struct ir_stmt *s) {
    static const char *const owners[] = {"java/lang/invoke/VarHandle", "java/lang/invoke/MethodHandle",
                                         "java/lang/reflect/Array",    "java/lang/reflect/Method",
                                         "jdk/internal/misc/Unsafe",   "sun/misc/Unsafe"};
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL) return false;
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) {
        if (class_is(r, ref->cls, owners[i])) return true;
    }
    method_id m = program_ref_method(r->p, (ref_id){s->ref});
    const struct method_info *info = m.v == 0 ? NULL : program_method(r->p, m);
    if (info == NULL) return true;
    return (info->access & CF_ACC_NATIVE) != 0 && info->owner.v != CLASS_OBJECT;
}

static void mark_stores(struct races *r, pts_inst i, const struct ir_body *body, bool app) {
    for (uint32_t k = 0; k < body->n_stmts; k++) {
        const struct ir_stmt *s = &body->stmts[k];
        if (s->op == IR_ARRAY_STORE && s->sub == IR_ELEM_REF) {
            if (!app || !fills_once(r, body, s)) mark(r, i, ir_arg(body, s, 0));
        } else if (s->op == IR_INVOKE && s->sub != IR_CALL_DYNAMIC && stores_unseen(r, s)) {
            for (uint32_t n = 0; n < s->n_args; n++) {
                if (body->vars[ir_arg(body, s, n).v].kind == IR_REF) mark(r, i, ir_arg(body, s, n));
            }
        }
    }
}

/* Made when first asked for: it looks at all code, the JDK's too. */
static void find_refilled(struct races *r) {
    bits_init(&r->refilled_arrays, &r->arena, pts_n_objs(r->pts) + 1);
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
        const struct ir_body *body = body_of(r, m);
        if (body != NULL) mark_stores(r, (pts_inst){i}, body, is_app(r, m));
    }
    for (uint32_t o = 1; o <= pts_n_objs(r->pts); o++) { /* made out of sight */
        const struct pts_alloc_info *a = pts_alloc_info(r->pts, pts_obj_info(r->pts, (pts_obj){o})->alloc);
        const struct ir_body *body = a->kind == PTS_ALLOC_NEW ? body_of(r, a->method) : NULL;
        bool plain = (body != NULL && body->stmts[a->stmt].op == IR_NEW_ARRAY) || a->kind == PTS_ALLOC_INNER;
        if (!plain) bits_add(&r->refilled_arrays, o);
    }
}

bool keeps_its_elements(struct races *r, pts_obj array) {
    if (r->refilled_arrays.w == NULL) find_refilled(r);
    return !bits_has(&r->refilled_arrays, array.v);
}

bool arrays_keep_elements(struct races *r, const struct ir_body *body, ir_var array) {
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, body->method, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct pts_iter it = {0};
        pts_obj o;
        while (pts_next(pts_var(r->pts, insts[i], array), &it, &o)) {
            if (!keeps_its_elements(r, o)) return false;
        }
    }
    return true;
}

/* ---- loads ---- */

static bool same_index(const struct ir_body *body, ir_var a, ir_var b) {
    const struct ir_stmt *x = ir_def(body, a), *y = ir_def(body, b);
    if (ir_var_eq(a, b)) return true;
    return x->op == IR_CONST && y->op == IR_CONST && x->sub == CONST_INT && y->sub == CONST_INT &&
           ir_const(body, x).u.i == ir_const(body, y).u.i;
}

/* Whether both name one array: a variable, a stable field of one object, a stable static one. */
static bool same_array(struct races *r, const struct ir_body *body, ir_var a, ir_var b) {
    for (;;) {
        a = var_origin(body, a);
        b = var_origin(body, b);
        if (ir_var_eq(a, b)) return true;
        const struct ir_stmt *x = ir_def(body, a), *y = ir_def(body, b);
        if (x->op != y->op || (x->op != IR_GET_FIELD && x->op != IR_GET_STATIC)) return false;
        field_id f = program_ref_field(r->p, (ref_id){x->ref});
        if (f.v == 0 || !field_id_eq(f, program_ref_field(r->p, (ref_id){y->ref})) ||
            !field_facts(r, f)->stable)
            return false;
        if (x->op == IR_GET_STATIC) return true;
        a = ir_arg(body, x, 0);
        b = ir_arg(body, y, 0);
    }
}

static bool comes_before(const struct ir_body *body, uint32_t a, uint32_t b) {
    uint32_t x = ir_block_of(body, a), y = ir_block_of(body, b);
    return x == y ? a < b : ir_dominates(body, x, y);
}

ir_var first_load(struct races *r, const struct ir_body *body, ir_var loaded) {
    const struct ir_stmt *load = ir_def(body, loaded);
    if (load->op != IR_ARRAY_LOAD || load->sub != IR_ELEM_REF) return loaded;
    uint32_t first = (uint32_t)(load - body->stmts);
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op == IR_ARRAY_LOAD && same_index(body, ir_arg(body, s, 1), ir_arg(body, load, 1)) &&
            comes_before(body, i, first) && same_array(r, body, ir_arg(body, s, 0), ir_arg(body, load, 0)))
            first = i;
    }
    bool same =
        first == (uint32_t)(load - body->stmts) || arrays_keep_elements(r, body, ir_arg(body, load, 0));
    return same ? body->stmts[first].def : loaded;
}
