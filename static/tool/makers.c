#include "makers.h"

#include <string.h>

enum { DEEP = 8 }; /* constructors of one object that call each other */

static const struct ir_stmt *origin_of(const struct ir_body *body, ir_var v) {
    const struct ir_stmt *def = ir_def(body, v);
    while (def->op == IR_CAST) def = ir_def(body, ir_arg(body, def, 0));
    return def;
}

static bool is_this(const struct ir_stmt *def) {
    return def->op == IR_PARAM && def->def.v == 1;
}

/* Whether the variable is the object that is being made, a part of it, or one that is new here. */
static bool is_own(const struct ir_body *body, ir_var v) {
    const struct ir_stmt *def = origin_of(body, v);
    while (def->op == IR_GET_FIELD || def->op == IR_ARRAY_LOAD) def = origin_of(body, ir_arg(body, def, 0));
    return is_this(def) || def->op == IR_NEW || def->op == IR_NEW_ARRAY || def->op == IR_CONST;
}

/* The constructor of the same object that the statement calls, or none. */
static method_id called_first(struct program *p, const struct ir_body *body, const struct ir_stmt *s) {
    method_id m = {0};
    if (s->op != IR_INVOKE || s->sub != IR_CALL_SPECIAL || !is_this(origin_of(body, ir_arg(body, s, 0))))
        return m;
    m = program_ref_method(p, (ref_id){s->ref});
    bool found = m.v != 0 && strcmp(program_str(p, program_method(p, m)->name), "<init>") == 0 &&
                 !program_info(p, program_method(p, m)->owner)->from_jdk;
    return found ? m : (method_id){0};
}

static bool writes(struct program *p, struct ir_builder *b, method_id m, struct arena *arena, int depth) {
    struct race_error err = {0};
    const struct ir_body *body = depth < DEEP ? ir_build(b, m, arena, &err) : NULL;
    for (uint32_t i = 0; body != NULL && i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        method_id first = called_first(p, body, s);
        if (s->op == IR_PUT_STATIC || (first.v != 0 && writes(p, b, first, arena, depth + 1))) return true;
        if ((s->op == IR_PUT_FIELD || s->op == IR_ARRAY_STORE) && !is_own(body, ir_arg(body, s, 0)))
            return true;
    }
    return false;
}

bool writes_elsewhere(struct program *p, struct ir_builder *b, method_id constructor) {
    struct arena arena;
    arena_init(&arena);
    bool found = writes(p, b, constructor, &arena, 0);
    arena_release(&arena);
    return found;
}
