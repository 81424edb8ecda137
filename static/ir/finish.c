/* From the builder's scratch arrays to a compact body: useless PHIs out, types of PHIs, final numbers. */
#include "builder.h"

#include <string.h>

static uint32_t find(struct ir_builder *b, uint32_t v) {
    struct build_var *vars = b->vars.v;
    while (vars[v].alias != v) v = vars[v].alias = vars[vars[v].alias].alias;
    return v;
}

static uint32_t n_operands(const struct ir_builder *b, const struct build_phi *phi) {
    return b->blocks.v[phi->block].n_preds;
}

/* ---- useless PHIs ---- */

/* A PHI whose operands are all itself or one other variable is that variable. */
static bool simplify(struct ir_builder *b, const struct build_phi *phi) {
    uint32_t only = 0;
    for (uint32_t i = 0; i < n_operands(b, phi); i++) {
        uint32_t v = find(b, b->args.v[phi->args + i].v);
        if (v == phi->def.v || v == only) continue;
        if (only != 0) return false;
        only = v;
    }
    if (only == 0) return false;
    b->vars.v[phi->def.v].alias = only;
    return true;
}

static void simplify_phis(struct ir_builder *b) {
    bool changed = b->phis.n > 0;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < b->phis.n; i++) {
            const struct build_phi *phi = &b->phis.v[i];
            if (b->vars.v[phi->def.v].alias == phi->def.v) changed |= simplify(b, phi);
        }
    }
}

static void mark_live(struct ir_builder *b, uint32_t v) {
    v = find(b, v);
    if (!b->vars.v[v].is_phi || b->phis.v[b->vars.v[v].phi].live) return;
    b->phis.v[b->vars.v[v].phi].live = true;
    vec_push(&b->work, b->vars.v[v].phi);
}

/* PHIs that no statement needs, not even through other PHIs, are dropped. */
static void find_live_phis(struct ir_builder *b) {
    if (b->phis.n == 0) return;
    vec_clear(&b->work);
    for (size_t i = 0; i < b->stmts.n; i++)
        for (uint32_t k = 0; k < b->stmts.v[i].n_args; k++) mark_live(b, b->args.v[b->stmts.v[i].args + k].v);
    while (b->work.n > 0) {
        const struct build_phi phi = b->phis.v[vec_pop(&b->work)];
        for (uint32_t i = 0; i < n_operands(b, &phi); i++) mark_live(b, b->args.v[phi.args + i].v);
    }
}

/* ---- types ---- */

enum { UNSEEN = UINT32_MAX }; /* type of a variable that nothing has flown into yet */

static bool lower(struct ir_builder *b, uint32_t var, uint32_t type) {
    uint32_t *now = &b->vars.v[var].type.v;
    if (type == UNSEEN || *now == type || *now == 0) return false;
    *now = *now == UNSEEN ? type : 0;
    return true;
}

static bool flow_phi_type(struct ir_builder *b, const struct build_phi *phi) {
    bool changed = false;
    for (uint32_t i = 0; i < n_operands(b, phi); i++) {
        const struct build_var *v = &b->vars.v[find(b, b->args.v[phi->args + i].v)];
        if (!v->is_null) changed |= lower(b, phi->def.v, v->type.v);
    }
    return changed;
}

static bool flow_element_type(struct ir_builder *b, const struct ir_stmt *s) {
    const struct build_var *array = &b->vars.v[find(b, b->args.v[s->args].v)];
    if (array->type.v == UNSEEN) return false;
    class_id component = {0};
    if (array->type.v != 0) component = program_peek(b->program, array->type)->component;
    return lower(b, s->def.v, component.v);
}

/*
 * Optimistic: a PHI has its operands' type unless two differ, null never counts, and elements follow their
 * array.  Each type falls at most twice, so this ends quickly.
 */
static void flow_types(struct ir_builder *b) {
    bool changed = false;
    for (size_t i = 0; i < b->phis.n; i++)
        if (b->phis.v[i].live && b->vars.v[b->phis.v[i].def.v].kind == IR_REF)
            changed = true, b->vars.v[b->phis.v[i].def.v].type.v = UNSEEN;
    vec_clear(&b->work);
    for (uint32_t i = 0; i < b->stmts.n; i++) {
        const struct ir_stmt *s = &b->stmts.v[i];
        if (s->op != IR_ARRAY_LOAD || s->sub != IR_ELEM_REF) continue;
        b->vars.v[s->def.v].type.v = UNSEEN;
        vec_push(&b->work, i);
        changed = true;
    }
    while (changed) {
        changed = false;
        for (size_t i = 0; i < b->phis.n; i++) {
            const struct build_phi *phi = &b->phis.v[i];
            if (phi->live && b->vars.v[phi->def.v].kind == IR_REF) changed |= flow_phi_type(b, phi);
        }
        for (size_t i = 0; i < b->work.n; i++) changed |= flow_element_type(b, &b->stmts.v[b->work.v[i]]);
    }
}

/* ---- layout ---- */

static void number(struct ir_builder *b, struct ir_body *body, uint32_t var, uint32_t stmt) {
    struct build_var *v = &b->vars.v[var];
    v->final = ++body->n_vars;
    class_id type = v->type;
    if (type.v == UNSEEN) type.v = 0; /* only null ever comes here */
    body->vars[v->final] = (struct ir_varinfo){.kind = v->kind, .type = type, .def = stmt};
}

static void place_phi(struct ir_builder *b, struct ir_body *body, const struct build_phi *phi) {
    const struct build_block *k = &b->blocks.v[phi->block];
    struct ir_stmt *s = &body->stmts[body->n_stmts];
    *s = (struct ir_stmt){.op = IR_PHI, .n_args = (uint16_t)k->n_preds, .args = body->n_args};
    s->bci = (uint16_t)b->ranges.v[k->range].start;
    s->def = phi->def;
    for (uint32_t i = 0; i < k->n_preds; i++) body->args[body->n_args++] = b->args.v[phi->args + i];
    number(b, body, phi->def.v, body->n_stmts++);
}

static void place_block(struct ir_builder *b, struct ir_body *body, uint32_t block) {
    const struct build_block *k = &b->blocks.v[block];
    body->blocks[block].first = body->n_stmts;
    body->blocks[block].is_handler = k->is_handler;
    for (uint32_t phi = k->first_phi; phi != NONE; phi = b->phis.v[phi].next)
        if (b->phis.v[phi].live) place_phi(b, body, &b->phis.v[phi]);
    for (uint32_t i = k->first_stmt; i < k->end_stmt; i++) {
        struct ir_stmt *s = &body->stmts[body->n_stmts];
        *s = b->stmts.v[i];
        s->args = body->n_args;
        for (uint32_t n = 0; n < s->n_args; n++)
            body->args[body->n_args++] = b->args.v[b->stmts.v[i].args + n];
        if (s->def.v != 0) number(b, body, s->def.v, body->n_stmts);
        body->n_stmts++;
    }
    body->blocks[block].end = body->n_stmts;
    /* PHIs got no line of their own: they belong to what follows. */
    struct ir_stmt *s = body->stmts + body->blocks[block].first;
    uint16_t line = b->stmts.v[k->first_stmt].line;
    for (; s->op == IR_PHI; s++) s->line = line;
}

static void place_edges(struct ir_builder *b, struct ir_body *body) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < body->n_blocks; i++) {
        const struct build_block *k = &b->blocks.v[i];
        body->blocks[i].succs = at;
        body->blocks[i].n_succs = k->n_succs;
        for (uint32_t e = k->succs; e < k->succs + k->n_succs; e++) {
            const struct build_edge *from = &b->edges.v[e];
            body->edges[at++] = (struct ir_edge){from->to, from->exceptional, from->catch_type};
        }
        body->blocks[i].preds = at;
        body->blocks[i].n_preds = k->n_preds;
        for (uint32_t p = k->preds; p < k->preds + k->n_preds; p++) {
            const struct build_edge *from = &b->edges.v[b->pred_edges.v[p]];
            body->edges[at++] = (struct ir_edge){b->preds.v[p], from->exceptional, from->catch_type};
        }
    }
    body->n_edges = at;
}

static void place_switches(struct ir_builder *b, struct ir_body *body, struct arena *arena) {
    body->n_switches = (uint32_t)b->switches.n;
    if (b->switches.n == 0) return;
    struct ir_case *cases = arena_copy(arena, b->cases.v, b->cases.n * sizeof *cases);
    body->switches = arena_copy(arena, b->switches.v, b->switches.n * sizeof *body->switches);
    for (uint32_t i = 0; i < body->n_switches; i++) {
        body->switches[i].cases = cases;
        cases += body->switches[i].n_cases;
    }
}

struct ir_body *ir_finish_(struct ir_builder *b, struct arena *arena) {
    simplify_phis(b);
    find_live_phis(b);
    flow_types(b);

    size_t n_phis = 0, n_args = 0;
    for (size_t i = 0; i < b->phis.n; i++) {
        if (!b->phis.v[i].live) continue;
        n_phis++;
        n_args += n_operands(b, &b->phis.v[i]);
    }
    for (size_t i = 0; i < b->stmts.n; i++) n_args += b->stmts.v[i].n_args;

    struct ir_body *body = ARENA_NEW(arena, struct ir_body);
    body->method = b->method;
    body->n_params = b->n_params;
    body->n_blocks = (uint32_t)b->blocks.n;
    body->vars = ARENA_NEW_N(arena, b->vars.n, struct ir_varinfo);
    body->stmts = ARENA_NEW_N(arena, b->stmts.n + n_phis, struct ir_stmt);
    body->args = ARENA_NEW_N(arena, n_args + 1, ir_var);
    body->blocks = ARENA_NEW_N(arena, b->blocks.n, struct ir_block);
    body->edges = ARENA_NEW_N(arena, b->edges.n * 2 + 1, struct ir_edge);
    for (uint32_t i = 0; i < body->n_blocks; i++) place_block(b, body, i);
    for (uint32_t i = 0; i < body->n_args; i++) body->args[i].v = b->vars.v[find(b, body->args[i].v)].final;
    for (uint32_t i = 0; i < body->n_stmts; i++) body->stmts[i].def.v = b->vars.v[body->stmts[i].def.v].final;
    place_edges(b, body);
    place_switches(b, body, arena);
    body->n_wide = (uint32_t)b->wide.n;
    if (b->wide.n > 0) body->wide = arena_copy(arena, b->wide.v, b->wide.n * sizeof *body->wide);
    ir_graph_(body, arena);
    return body;
}
