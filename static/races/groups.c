/* Groups of variables that may name parts of one structure; see groups.h. */
#include "groups.h"

#include <string.h>

uint32_t group_of(const struct groups *g, ir_var v) {
    uint32_t x = v.v;
    while (g->parent[x] != x) {
        g->parent[x] = g->parent[g->parent[x]];
        x = g->parent[x];
    }
    return x;
}

void group_join(struct groups *g, ir_var a, ir_var b) {
    uint32_t x = group_of(g, a), y = group_of(g, b);
    if (x != y) g->parent[x < y ? y : x] = x < y ? x : y;
}

bool is_mutable_ref(struct races *r, const struct ir_body *body, ir_var v) {
    static const char *const values[] = {"java/lang/String",  "java/lang/Integer", "java/lang/Long",
                                         "java/lang/Boolean", "java/lang/Class",   "java/lang/Double"};
    if (body->vars[v.v].kind != IR_REF || ir_def(body, v)->op == IR_CONST) return false;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (class_is(r, body->vars[v.v].type, values[i])) return false;
    }
    return true;
}

static void join(struct races *r, const struct ir_body *body, struct groups *g, ir_var a, ir_var b) {
    if (is_mutable_ref(r, body, a) && is_mutable_ref(r, body, b)) group_join(g, a, b);
}

static void join_call(struct races *r, const struct ir_body *body, struct groups *g,
                      const struct ir_stmt *s) {
    struct call_effect e = call_effect(r, body, (uint32_t)(s - body->stmts));
    for (uint32_t i = 0; i < s->n_args; i++) {
        if (s->def.v != 0 && !e.fresh && has_arg(e.from, i)) join(r, body, g, s->def, ir_arg(body, s, i));
        if (i >= 64 || (e.kept >> i & 1) == 0) continue;
        for (uint32_t k = 0; k < s->n_args && k < 64; k++) {
            if (k != i && (e.into >> k & 1) != 0) join(r, body, g, ir_arg(body, s, i), ir_arg(body, s, k));
        }
    }
}

void groups_build(struct races *r, const struct ir_body *body, struct groups *g, struct arena *arena) {
    g->parent = ARENA_NEW_N(arena, body->n_vars + 1, uint32_t);
    for (uint32_t v = 0; v <= body->n_vars; v++) g->parent[v] = v;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        switch (s->op) {
        case IR_CAST:
        case IR_PHI:
            for (uint32_t k = 0; k < s->n_args; k++) join(r, body, g, s->def, ir_arg(body, s, k));
            break;
        case IR_INVOKE: join_call(r, body, g, s); break;
        case IR_GET_FIELD:
        case IR_ARRAY_LOAD: join(r, body, g, s->def, ir_arg(body, s, 0)); break;
        case IR_PUT_FIELD: join(r, body, g, ir_arg(body, s, 0), ir_arg(body, s, 1)); break;
        case IR_ARRAY_STORE: join(r, body, g, ir_arg(body, s, 0), ir_arg(body, s, 2)); break;
        default: break;
        }
    }
}
