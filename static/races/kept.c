/* Arrays that keep their elements; see kept.h. */
#include "kept.h"
#include "joins.h" /* loop_counted_by */

/* The only statement that stores into an array. */
struct only_store {
    method_id method; /* 0: none was seen */
    uint32_t stmt;
    bool more; /* or something that does not look like one */
};

/* ---- who stores ---- */

static void see_store(struct races *r, pts_obj array, method_id m, uint32_t stmt) {
    struct only_store *s = &r->only_stores[array.v];
    if (s->method.v != 0 && (!method_id_eq(s->method, m) || s->stmt != stmt)) s->more = true;
    s->method = m;
    s->stmt = stmt;
}

/* Methods that write into arrays without a store: what is given to them is not looked after any more. */
static bool writes_out_of_sight(struct races *r, const struct ir_stmt *s) {
    static const char *const classes[] = {"jdk/internal/misc/Unsafe",      "sun/misc/Unsafe",
                                          "java/lang/invoke/VarHandle",    "java/lang/reflect/Array",
                                          "java/lang/invoke/MethodHandle", "java/lang/System"};
    const struct member_ref *ref = invoke_ref(r, s);
    for (size_t i = 0; ref != NULL && i < sizeof classes / sizeof *classes; i++) {
        if (class_is(r, ref->cls, classes[i])) return true;
    }
    return false;
}

static void lose(struct races *r, struct pts_view set) {
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) r->only_stores[o.v].more = true;
}

static void see_body(struct races *r, pts_inst i, const struct ir_body *body) {
    for (uint32_t k = 0; k < body->n_stmts; k++) {
        const struct ir_stmt *s = &body->stmts[k];
        if (s->op == IR_ARRAY_STORE && s->sub == IR_ELEM_REF) {
            struct pts_view set = pts_var(r->pts, i, ir_arg(body, s, 0));
            struct pts_iter it = {0};
            pts_obj o;
            while (pts_next(set, &it, &o)) see_store(r, o, body->method, k);
        } else if (s->op == IR_INVOKE && writes_out_of_sight(r, s)) {
            for (uint32_t a = 0; a < s->n_args; a++) lose(r, pts_var(r->pts, i, ir_arg(body, s, a)));
        }
    }
}

/* Made when first asked for: it looks at all code, the JDK's too. */
static void find_stores(struct races *r) {
    r->only_stores = ARENA_NEW_N(&r->arena, pts_n_objs(r->pts) + 1, struct only_store);
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        const struct ir_body *body = body_of(r, pts_inst_info(r->pts, (pts_inst){i})->method);
        if (body != NULL) see_body(r, (pts_inst){i}, body);
    }
}

/* ---- one array ---- */

/* Whether the variable is the array that the method made: itself, or read from the stable field of `this`
 * that it was put into. */
static bool is_array_made(struct races *r, const struct ir_body *body, ir_var v, ir_var made) {
    v = var_origin(body, v);
    if (ir_var_eq(v, made)) return true;
    struct path p = path_of(r, body, v);
    bool is_static = (program_method(r->p, body->method)->access & CF_ACC_STATIC) != 0;
    if (is_static || p.root != PATH_VAR || p.id != 1 || p.n != 1) return false;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op == IR_PUT_FIELD && ir_arg(body, s, 0).v == 1 &&
            field_id_eq(program_ref_field(r->p, (ref_id){s->ref}), p.fields[0]) &&
            ir_var_eq(var_origin(body, ir_arg(body, s, 1)), made))
            return true;
    }
    return false;
}

bool keeps_its_elements(struct races *r, pts_obj array) {
    const struct pts_alloc_info *a = pts_alloc_info(r->pts, pts_obj_info(r->pts, array)->alloc);
    const struct ir_body *body = a->kind == PTS_ALLOC_NEW ? body_of(r, a->method) : NULL;
    if (body == NULL || body->stmts[a->stmt].op != IR_NEW_ARRAY || body->stmts[a->stmt].n_args != 1)
        return false;
    if (r->only_stores == NULL) find_stores(r);
    const struct only_store *only = &r->only_stores[array.v];
    if (only->more || !method_id_eq(only->method, a->method)) return false;
    const struct ir_stmt *store = &body->stmts[only->stmt];
    uint32_t loop = loop_counted_by(body, ir_arg(body, store, 1));
    return loop != IR_NO_LOOP && body->blocks[ir_block_of(body, only->stmt)].loop == loop &&
           body->loops[loop].parent == body->blocks[ir_block_of(body, a->stmt)].loop &&
           is_array_made(r, body, ir_arg(body, store, 0), body->stmts[a->stmt].def);
}
