/* From a method's IR to its steps (code.h). */
#include "solver.h"

#include "race/cursor.h"

#include <stdio.h>
#include <string.h>

struct compiler {
    struct pts_world *w;
    struct program *p;
    const struct ir_body *body;
    struct pts_code *code;
    bool is_app;
    uint32_t *alias; /* by ir_var: the variable it shares a number with */
    VEC(struct pts_step) steps;
    VEC(struct pts_code_call) calls;
    VEC(uint32_t) args;
    VEC(name_id) strings;
    VEC(class_id) arg_classes;
    VEC(uint32_t) result_casts;
    VEC(struct pts_code_cast) casts;
    uint32_t block; /* of the current statement */
};

static bool is_ref(const struct ir_body *body, ir_var v) {
    return v.v != 0 && body->vars[v.v].kind == IR_REF;
}

static bool is_null(const struct ir_body *body, ir_var v) {
    const struct ir_stmt *s = ir_def(body, v);
    return s->op == IR_CONST && s->sub == CONST_NULL;
}

static uint32_t root_of(struct compiler *c, uint32_t v) {
    while (c->alias[v] != v) v = c->alias[v];
    return v;
}

/* A PHI whose operands are one variable (or itself, or null) is that variable. */
static uint32_t phi_source(struct compiler *c, const struct ir_stmt *s) {
    uint32_t only = 0;
    for (uint32_t i = 0; i < s->n_args; i++) {
        ir_var a = ir_arg(c->body, s, i);
        if (!is_ref(c->body, a) || is_null(c->body, a)) continue;
        uint32_t r = root_of(c, a.v);
        if (r == s->def.v || r == only) continue;
        if (only != 0) return 0;
        only = r;
    }
    return only;
}

/* A cast to the type the variable is declared with changes nothing. */
static bool is_idle_cast(struct compiler *c, const struct ir_stmt *s) {
    ir_var a = ir_arg(c->body, s, 0);
    return s->ref == CLASS_OBJECT || c->body->vars[a.v].type.v == s->ref;
}

/* The method that the statement calls whatever its receiver, or 0. */
static method_id bound_callee(struct compiler *c, const struct ir_stmt *s) {
    method_id none = {0}, m = program_ref_method(c->p, (ref_id){s->ref});
    if (m.v == 0) return none;
    const struct method_info *info = program_method(c->p, m);
    bool is_static = (info->access & CF_ACC_STATIC) != 0;
    if (is_static != (s->sub == IR_CALL_STATIC)) return none;
    if (s->sub == IR_CALL_SPECIAL)
        return program_dispatch_special(c->p, program_method(c->p, c->body->method)->owner,
                                        program_ref(c->p, (ref_id){s->ref})->cls, m);
    unsigned access = info->access | program_info(c->p, info->owner)->access;
    return is_static || (access & CF_ACC_FINAL) || (info->access & CF_ACC_PRIVATE) ? m : none;
}

/* Whether a method's signature lets it return one of its parameters as it came. */
static bool may_give_back(struct program *p, const struct method_info *m) {
    class_id result = m->sig->result;
    if (class_is_primitive(result)) return false;
    if ((m->access & CF_ACC_STATIC) == 0 && program_is_subtype(p, m->owner, result)) return true;
    for (uint32_t i = 0; i < m->sig->n_params; i++)
        if (m->sig->params[i].v == result.v) return true;
    return false;
}

/*
 * The argument that a call gives back, or 0: `append` of a builder, requireNonNull.  Its result is one
 * variable with the argument, so that a chain of them is one object, and methods that end in such a call (the
 * other `append`) are of the same kind.
 */
static uint32_t given_back(struct compiler *c, const struct ir_stmt *s) {
    if (s->op != IR_INVOKE || s->sub == IR_CALL_DYNAMIC) return 0;
    method_id m = bound_callee(c, s);
    if (m.v == 0 || !may_give_back(c->p, program_method(c->p, m))) return 0;
    const struct pts_code *code = pts_code_of(c->w, m);
    return code != NULL && code->returned < s->n_args ? ir_arg(c->body, s, code->returned).v : 0;
}

static void use_args(const struct ir_body *body, const struct ir_stmt *s, uint8_t *used) {
    for (uint32_t i = 0; i < s->n_args; i++) {
        uint32_t v = ir_arg(body, s, i).v;
        if (used[v] == 0) used[v] = 1; /* 2: a PHI that was served */
    }
}

/*
 * Which variables anything looks at.  The others get no set: `map.put(k, v)` hands out what was there before,
 * mostly to nobody, and that would be everything the container ever held.
 */
static uint8_t *find_used(const struct ir_body *body, struct arena *scratch) {
    uint8_t *used = ARENA_NEW_N(scratch, body->n_vars + 1, uint8_t);
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op != IR_PHI) use_args(body, s, used);
        if (s->op == IR_PARAM || s->op == IR_NEW || s->op == IR_NEW_ARRAY) used[s->def.v] = 1;
    }
    /* A PHI uses its operands if it is used itself. */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = body->n_stmts; i-- > 0;) {
            const struct ir_stmt *s = &body->stmts[i];
            if (s->op != IR_PHI || used[s->def.v] != 1) continue;
            use_args(body, s, used);
            used[s->def.v] = 2;
            changed = true;
        }
    }
    return used;
}

static void number_vars(struct compiler *c, const uint8_t *used) {
    const struct ir_body *body = c->body;
    struct pts_code *code = c->code;
    for (uint32_t v = 0; v <= body->n_vars; v++) c->alias[v] = v;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (!is_ref(body, s->def)) continue;
        uint32_t src = given_back(c, s);
        if (src != 0)
            src = root_of(c, src);
        else if (s->op == IR_PHI)
            src = phi_source(c, s);
        else if (s->op == IR_CAST && is_idle_cast(c, s))
            src = root_of(c, ir_arg(body, s, 0).v);
        if (src != 0) c->alias[s->def.v] = src;
    }
    code->n_ir_vars = body->n_vars;
    code->var_of = ARENA_NEW_N(&c->w->arena, body->n_vars + 1, uint32_t);
    for (uint32_t v = 0; v <= body->n_vars; v++) code->var_of[v] = PTS_NO_VAR;
    for (uint32_t v = 1; v <= body->n_vars; v++) {
        ir_var x = {v}, root = {root_of(c, v)};
        if (!used[v] || !is_ref(body, x) || is_null(body, root)) continue;
        if (code->var_of[root.v] == PTS_NO_VAR) code->var_of[root.v] = code->n_vars++;
        code->var_of[v] = code->var_of[root.v];
    }
}

static uint32_t var(struct compiler *c, ir_var v) {
    return v.v ? c->code->var_of[v.v] : PTS_NO_VAR;
}

static void step(struct compiler *c, enum pts_step_op op, uint32_t a, uint32_t b, uint32_t d) {
    struct pts_step s = {.op = (uint8_t)op, .a = a, .b = b, .c = d};
    vec_push(&c->steps, s);
}

static void step_copy(struct compiler *c, uint32_t dst, uint32_t src, uint32_t filter) {
    if (dst != PTS_NO_VAR && src != PTS_NO_VAR && dst != src) step(c, PTS_STEP_COPY, dst, src, filter);
}

static struct pts_alloc_info info_here(struct compiler *c, const struct ir_stmt *s, enum pts_alloc_kind kind,
                                       class_id cls) {
    return (struct pts_alloc_info){.kind = (uint8_t)kind,
                                   .method = c->body->method,
                                   .stmt = (uint32_t)(s - c->body->stmts),
                                   .bci = s->bci,
                                   .line = s->line,
                                   .in_loop = c->body->blocks[c->block].depth > 0,
                                   .cls = cls};
}

static pts_alloc alloc_here(struct compiler *c, const struct ir_stmt *s, enum pts_alloc_kind kind,
                            class_id cls) {
    return pts_alloc_at(c->w, info_here(c, s, kind, cls));
}

/* Application constants such as "pkg.Plugin" are kept apart: Class.forName() may get them from afar. */
static bool names_class(struct compiler *c, name_id text) {
    const char *z = program_str(c->p, text);
    char name[256];
    size_t n = 0;
    bool looks_like_one = strchr(z, '.') || strchr(z, '$') || (*z >= 'A' && *z <= 'Z');
    if (!c->is_app || !looks_like_one) return false;
    for (; z[n]; n++) {
        bool ok = z[n] == '.' || z[n] == '_' || z[n] == '$' || (z[n] >= '0' && z[n] <= '9') ||
                  ((z[n] | 32) >= 'a' && (z[n] | 32) <= 'z');
        if (!ok || n + 1 == sizeof name) return false;
        name[n] = z[n] == '.' ? '/' : z[n];
    }
    name[n] = '\0';
    return program_find_class(c->p, name).v != 0;
}

static void compile_const(struct compiler *c, const struct ir_stmt *s) {
    uint32_t dst = var(c, s->def);
    if (dst == PTS_NO_VAR) return;
    struct const_value v = ir_const(c->body, s);
    pts_alloc a = {0};
    switch (v.kind) {
    case CONST_STRING:
        a = names_class(c, v.u.name) ? pts_alloc_string(c->w, v.u.name)
                                     : pts_alloc_merged(c->w, (class_id){CLASS_STRING});
        break;
    case CONST_CLASS: a = pts_alloc_class(c->w, v.u.cls); break;
    case CONST_METHOD_HANDLE: a = pts_alloc_merged(c->w, (class_id){CLASS_METHOD_HANDLE}); break;
    case CONST_METHOD_TYPE: a = pts_alloc_merged(c->w, (class_id){CLASS_METHOD_TYPE}); break;
    case CONST_DYNAMIC: {
        const char *desc = program_str(c->p, program_dyn(c->p, v.u.dyn)->desc);
        a = pts_alloc_merged(c->w, program_type(c->p, desc, strlen(desc)));
        break;
    }
    default: return;
    }
    step(c, PTS_STEP_NEW, dst, a.v, 0);
}

static void compile_new(struct compiler *c, const struct ir_stmt *s) {
    class_id cls = {s->ref};
    step(c, PTS_STEP_INIT, (uint32_t)(s - c->body->stmts), 0, cls.v);
    step(c, PTS_STEP_NEW, var(c, s->def), alloc_here(c, s, PTS_ALLOC_NEW, cls).v, 0);
}

/* `new T[0]`, as in the shared empty arrays of ArrayList and the like. */
static bool has_no_elements(struct compiler *c, const struct ir_stmt *s) {
    const struct ir_stmt *length = ir_def(c->body, ir_arg(c->body, s, 0));
    return length->op == IR_CONST && length->sub == CONST_INT && ir_const(c->body, length).u.i == 0;
}

/* `new T[a][b]` makes one object per level, each the element of the one before. */
static void compile_new_array(struct compiler *c, const struct ir_stmt *s) {
    class_id cls = {s->ref};
    uint32_t dst = var(c, s->def);
    pts_alloc outer = alloc_here(c, s, PTS_ALLOC_NEW, cls);
    c->w->allocs.v[outer.v].is_empty = has_no_elements(c, s);
    step(c, PTS_STEP_NEW, dst, outer.v, 0);
    for (uint32_t level = 1; level < s->n_args; level++) {
        cls = program_info(c->p, cls)->component;
        uint32_t inner = c->code->n_vars++;
        step(c, PTS_STEP_NEW, inner, alloc_here(c, s, PTS_ALLOC_INNER, cls).v, 0);
        step(c, PTS_STEP_STORE, dst, inner, 0);
        dst = inner;
    }
}

/* Class that the result of statement i is cast to right away, or 0: newInstance() wants to know. */
static uint32_t cast_of_result(struct compiler *c, uint32_t i) {
    const struct ir_body *body = c->body;
    ir_var def = body->stmts[i].def;
    for (uint32_t j = i + 1; j < body->n_stmts && j < i + 8; j++)
        if (body->stmts[j].op == IR_CAST && ir_arg(body, &body->stmts[j], 0).v == def.v)
            return body->stmts[j].ref;
    return 0;
}

static void compile_invoke(struct compiler *c, const struct ir_stmt *s) {
    const struct ir_body *body = c->body;
    uint32_t i = (uint32_t)(s - body->stmts);
    struct pts_code_call call = {.stmt = i,
                                 .ref = s->ref,
                                 .ret = var(c, s->def),
                                 .args = (uint32_t)c->args.n,
                                 .n_args = s->n_args,
                                 .line = s->line,
                                 .bci = s->bci,
                                 .kind = s->sub,
                                 .loops = body->blocks[c->block].depth > 0};
    for (uint32_t a = 0; a < s->n_args; a++) {
        ir_var v = ir_arg(body, s, a);
        const struct ir_stmt *def = ir_def(body, v);
        struct const_value k = {0};
        if (def->op == IR_CONST) k = ir_const(body, def);
        vec_push(&c->args, var(c, v));
        vec_push(&c->strings, k.kind == CONST_STRING ? k.u.name : (name_id){0});
        vec_push(&c->arg_classes, k.kind == CONST_CLASS ? k.u.cls : (class_id){0});
    }
    vec_push(&c->result_casts, call.ret == PTS_NO_VAR ? 0 : cast_of_result(c, i));
    step(c, PTS_STEP_CALL, (uint32_t)c->calls.n, 0, 0);
    vec_push(&c->calls, call);
}

static void compile_catch(struct compiler *c, const struct ir_stmt *s) {
    const struct ir_block *b = &c->body->blocks[c->block];
    const struct ir_edge *preds = ir_preds(c->body, b);
    uint32_t last = 0;
    size_t first = c->steps.n;
    for (uint32_t i = 0; i < b->n_preds; i++) {
        uint32_t type = preds[i].catch_type.v ? preds[i].catch_type.v : CLASS_THROWABLE;
        if (preds[i].exceptional && type != last) step(c, PTS_STEP_CATCH, var(c, s->def), 0, type);
        last = type;
    }
    if (c->steps.n == first + 1) c->steps.v[first].b = 1;
}

static void compile_phi(struct compiler *c, const struct ir_stmt *s) {
    if (c->alias[s->def.v] != s->def.v || !is_ref(c->body, s->def)) return;
    for (uint32_t i = 0; i < s->n_args; i++) step_copy(c, var(c, s->def), var(c, ir_arg(c->body, s, i)), 0);
}

static void compile_cast(struct compiler *c, const struct ir_stmt *s) {
    uint32_t src = var(c, ir_arg(c->body, s, 0));
    struct pts_code_cast cast = {.var = src, .type = {s->ref}};
    if (src == PTS_NO_VAR) return;
    vec_push(&c->casts, cast);
    if (c->alias[s->def.v] == s->def.v) step_copy(c, var(c, s->def), src, s->ref);
}

static void compile_return(struct compiler *c, const struct ir_stmt *s) {
    uint32_t v = s->n_args ? var(c, ir_arg(c->body, s, 0)) : PTS_NO_VAR;
    if (v == PTS_NO_VAR || v == c->code->ret) return;
    if (c->code->ret == PTS_NO_VAR) {
        c->code->ret = v;
        return;
    }
    /* A second returned variable: both flow into one of their own. */
    uint32_t both = c->code->n_vars++;
    step_copy(c, both, c->code->ret, 0);
    step_copy(c, both, v, 0);
    c->code->ret = both;
}

static void compile_access(struct compiler *c, const struct ir_stmt *s) {
    const struct ir_body *body = c->body;
    uint32_t def = var(c, s->def), a0 = s->n_args ? var(c, ir_arg(body, s, 0)) : PTS_NO_VAR;
    uint32_t last = s->n_args ? var(c, ir_arg(body, s, s->n_args - 1u)) : PTS_NO_VAR;
    bool has_base = a0 != PTS_NO_VAR;
    switch (s->op) {
    case IR_GET_FIELD:
        if (has_base && def != PTS_NO_VAR) step(c, PTS_STEP_LOAD, def, a0, s->ref);
        break;
    case IR_PUT_FIELD:
        if (has_base && last != PTS_NO_VAR) step(c, PTS_STEP_STORE, a0, last, s->ref);
        break;
    case IR_ARRAY_LOAD:
        if (has_base && def != PTS_NO_VAR) step(c, PTS_STEP_LOAD, def, a0, 0);
        break;
    case IR_ARRAY_STORE:
        if (has_base && last != PTS_NO_VAR && s->sub == IR_ELEM_REF) step(c, PTS_STEP_STORE, a0, last, 0);
        break;
    case IR_GET_STATIC: step(c, PTS_STEP_LOAD_STATIC, def, (uint32_t)(s - body->stmts), s->ref); break;
    case IR_PUT_STATIC: step(c, PTS_STEP_STORE_STATIC, (uint32_t)(s - body->stmts), last, s->ref); break;
    default: break;
    }
}

static void compile_stmt(struct compiler *c, const struct ir_stmt *s) {
    switch (s->op) {
    case IR_PHI: compile_phi(c, s); break;
    case IR_CATCH: compile_catch(c, s); break;
    case IR_CONST: compile_const(c, s); break;
    case IR_NEW: compile_new(c, s); break;
    case IR_NEW_ARRAY: compile_new_array(c, s); break;
    case IR_INVOKE: compile_invoke(c, s); break;
    case IR_CAST: compile_cast(c, s); break;
    case IR_RETURN: compile_return(c, s); break;
    case IR_THROW: {
        uint32_t v = var(c, ir_arg(c->body, s, 0));
        if (v != PTS_NO_VAR) step(c, PTS_STEP_THROW, 0, v, 0);
        break;
    }
    default: compile_access(c, s); break;
    }
}

static void *keep(struct compiler *c, const void *v, size_t n, size_t size) {
    return n ? arena_copy(&c->w->arena, v, n * size) : NULL;
}

static void finish(struct compiler *c) {
    struct pts_code *code = c->code;
    code->steps = keep(c, c->steps.v, c->steps.n, sizeof *c->steps.v);
    code->calls = keep(c, c->calls.v, c->calls.n, sizeof *c->calls.v);
    code->args = keep(c, c->args.v, c->args.n, sizeof *c->args.v);
    code->casts = keep(c, c->casts.v, c->casts.n, sizeof *c->casts.v);
    code->strings = keep(c, c->strings.v, c->strings.n, sizeof *c->strings.v);
    code->arg_classes = keep(c, c->arg_classes.v, c->arg_classes.n, sizeof *c->arg_classes.v);
    code->result_casts = keep(c, c->result_casts.v, c->result_casts.n, sizeof *c->result_casts.v);
    code->n_steps = (uint32_t)c->steps.n;
    code->n_calls = (uint32_t)c->calls.n;
    code->n_args = (uint32_t)c->args.n;
    code->n_casts = (uint32_t)c->casts.n;
    vec_release(&c->steps);
    vec_release(&c->calls);
    vec_release(&c->args);
    vec_release(&c->casts);
    vec_release(&c->strings);
    vec_release(&c->arg_classes);
    vec_release(&c->result_casts);
}

/* The class of an object that the method makes and returns, or 0; what comes by few copies will do. */
static class_id made_for_callers(const struct pts_world *w, const struct pts_code *code) {
    uint32_t seen[8], n = 0;
    if (code->ret != PTS_NO_VAR) seen[n++] = code->ret;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < code->n_steps; k++) {
            const struct pts_step *st = &code->steps[k];
            if (st->a != seen[i]) continue;
            if (st->op == PTS_STEP_NEW) return w->allocs.v[st->b].cls;
            if (st->op == PTS_STEP_COPY && n < sizeof seen / sizeof *seen) seen[n++] = st->b;
        }
    }
    return (class_id){0};
}

static void compile_body(struct pts_world *w, struct pts_code *code, const struct ir_body *body,
                         struct arena *scratch) {
    struct compiler c = {.w = w, .p = w->p, .body = body, .code = code};
    c.is_app = !program_info(w->p, program_method(w->p, body->method)->owner)->from_jdk;
    code->is_idle = true;
    for (uint32_t i = 0; i < body->n_stmts; i++)
        code->is_idle &= body->stmts[i].op == IR_PARAM || body->stmts[i].op == IR_RETURN;
    c.alias = ARENA_NEW_N(scratch, body->n_vars + 1, uint32_t);
    number_vars(&c, find_used(body, scratch));
    for (uint32_t i = 0; i < code->n_params; i++) code->params[i] = code->var_of[i + 1];
    for (c.block = 0; c.block < body->n_blocks; c.block++)
        for (uint32_t i = body->blocks[c.block].first; i < body->blocks[c.block].end; i++)
            compile_stmt(&c, &body->stmts[i]);
    for (uint32_t i = 0; i < code->n_params && code->ret != PTS_NO_VAR; i++)
        if (code->params[i] == code->ret) code->returned = i;
    finish(&c);
    code->made = made_for_callers(w, code);
}

/* Without code there still are parameters and a result for callers and plug-ins to connect to. */
static void compile_nothing(struct pts_world *w, struct pts_code *code, const struct method_info *m) {
    for (uint32_t i = 0; i < code->n_params; i++) {
        class_id type = code->static_call ? m->sig->params[i] : (class_id){CLASS_OBJECT};
        if (!code->static_call && i > 0) type = m->sig->params[i - 1];
        code->params[i] = class_is_primitive(type) ? PTS_NO_VAR : code->n_vars++;
    }
    if (!class_is_primitive(m->sig->result)) code->ret = code->n_vars++;
    (void)w;
}

static void read_throws(struct pts_world *w, struct pts_code *code) {
    const struct cf_method *m = program_cf_method(w->p, code->method);
    const struct cf_attr *attr = m ? cf_attr_find(&m->attrs, CF_ATTR_EXCEPTIONS) : NULL;
    if (attr == NULL) return;
    const struct cf_class *cf = program_class_file(w->p, program_method(w->p, code->method)->owner);
    struct cursor c = cursor_make(cf->data, attr->offset + 6 + attr->length);
    c.pos = attr->offset + 6;
    uint16_t n = cursor_u2(&c);
    code->throws = ARENA_NEW_N(&w->arena, n + 1u, class_id);
    for (; code->n_throws < n && !c.failed; code->n_throws++) {
        char name[512];
        struct cf_str text = cf_class_name(cf, cursor_u2(&c));
        snprintf(name, sizeof name, "%.*s", (int)text.n, text.p);
        code->throws[code->n_throws] = program_class(w->p, name);
    }
}

static struct pts_code *compile(struct pts_world *w, method_id m) {
    const struct method_info *info = program_method(w->p, m);
    struct pts_code *code = ARENA_NEW(&w->arena, struct pts_code);
    struct race_error err = {0};
    struct arena scratch;
    code->method = m;
    code->ret = code->returned = PTS_NO_VAR;
    code->is_native = (info->access & CF_ACC_NATIVE) != 0;
    code->static_call = (info->access & CF_ACC_STATIC) != 0;
    code->n_params = info->sig->n_params + (code->static_call ? 0u : 1u);
    code->params = ARENA_NEW_N(&w->arena, code->n_params + 1, uint32_t);
    if (code->is_native) read_throws(w, code);
    arena_init(&scratch);
    const struct ir_body *body = info->has_code ? ir_build(w->builder, m, &scratch, &err) : NULL;
    if (body && !body->opaque) {
        compile_body(w, code, body, &scratch);
    } else {
        if (info->has_code) code->opaque = arena_strdup(&w->arena, body ? body->opaque : err.what);
        compile_nothing(w, code, info);
    }
    arena_release(&scratch);
    return code;
}

struct pts_code *pts_code_of(struct pts_world *w, method_id m) {
    while (w->code.n <= m.v) vec_push(&w->code, NULL);
    while (w->is_compiling.n <= m.v) vec_push(&w->is_compiling, false);
    if (w->is_compiling.v[m.v]) return NULL;
    if (w->code.v[m.v] == NULL) {
        w->is_compiling.v[m.v] = true;
        struct pts_code *code = compile(w, m);
        while (w->code.n <= m.v) vec_push(&w->code, NULL);
        w->code.v[m.v] = code;
        w->is_compiling.v[m.v] = false;
    }
    return w->code.v[m.v];
}
