/*
 * The invariant checker.
 *
 * It trusts nothing that the builder computed except the arrays themselves: what can be checked from first
 * principles (edges from both ends, dominance as a fixed point, operand kinds) is.
 */
#include "builder.h"

#include <string.h>

struct checker {
    struct program *program;
    const struct ir_body *body;
    struct race_error *err;
    struct arena scratch;
    uint32_t *block_of;      /* statement -> block */
    uint32_t *first_throw;   /* block -> its first throwing statement, or NONE */
    uint32_t *enter, *leave; /* dominator-tree intervals: a dominates b iff enter/leave enclose b's */
};

static bool bad(struct checker *c, uint32_t stmt, const char *what) {
    const struct method_info *m = program_method(c->program, c->body->method);
    return race_fail(c->err, "IR of %s.%s%s: statement %u: %s", program_class_name(c->program, m->owner),
                     program_str(c->program, m->name), program_str(c->program, m->desc), stmt, what);
}

static bool dominates(const struct checker *c, uint32_t a, uint32_t b) {
    return c->enter[a] <= c->enter[b] && c->leave[b] <= c->leave[a];
}

/* ---- blocks and edges ---- */

static bool check_block_shape(struct checker *c, uint32_t block) {
    const struct ir_body *body = c->body;
    const struct ir_block *k = &body->blocks[block];
    uint32_t expected = block == 0 ? 0 : body->blocks[block - 1].end;
    if (k->first != expected || k->end <= k->first || k->end > body->n_stmts)
        return bad(c, k->first, "block is empty or not behind the one before");
    uint32_t i = k->first;
    while (i < k->end && body->stmts[i].op == IR_PHI) i++;
    bool catches = i < k->end && body->stmts[i].op == IR_CATCH;
    if (catches != k->is_handler) return bad(c, i, "caught exception and handler block do not go together");
    c->first_throw[block] = NONE;
    for (uint32_t n = k->first; n < k->end; n++) {
        const struct ir_stmt *s = &body->stmts[n];
        c->block_of[n] = block;
        if (s->op == IR_NOP || s->op >= IR_N_OPS) return bad(c, n, "unknown statement");
        if (s->op == IR_PHI && n >= i) return bad(c, n, "phi behind other statements");
        if (s->op == IR_CATCH && n != i) return bad(c, n, "catch in the middle of a block");
        if (s->op == IR_PARAM && (block != 0 || s->ref != n || n >= body->n_params))
            return bad(c, n, "parameter out of place");
        if ((s->op >= IR_IF) != (n + 1 == k->end)) return bad(c, n, "block ends in the wrong place");
        if (c->first_throw[block] == NONE && ir_may_throw(s)) c->first_throw[block] = n;
    }
    return true;
}

static bool check_succs(struct checker *c, uint32_t block) {
    const struct ir_body *body = c->body;
    const struct ir_block *k = &body->blocks[block];
    uint32_t ordinary = 0;
    for (uint32_t i = 0; i < k->n_succs; i++) {
        const struct ir_edge *e = &ir_succs(body, k)[i];
        if (e->block >= body->n_blocks) return bad(c, k->end - 1, "edge to nowhere");
        if (e->exceptional != body->blocks[e->block].is_handler)
            return bad(c, k->end - 1, "kind of edge does not fit its target");
        if (!e->exceptional && i != ordinary++) return bad(c, k->end - 1, "ordinary edge behind a handler's");
    }
    if (ordinary < k->n_succs && c->first_throw[block] == NONE)
        return bad(c, k->end - 1, "exception edge from a block that cannot throw");
    uint8_t op = body->stmts[k->end - 1].op;
    bool right = op == IR_IF       ? ordinary == 2
                 : op == IR_SWITCH ? ordinary >= 1
                 : op == IR_GOTO   ? ordinary == 1
                                   : ordinary == 0;
    return right || bad(c, k->end - 1, "wrong number of successors");
}

/* Walking all successors in order must meet each predecessor list in its order, and use it up. */
static bool check_preds(struct checker *c) {
    const struct ir_body *body = c->body;
    uint32_t *seen = ARENA_NEW_N(&c->scratch, body->n_blocks, uint32_t);
    for (uint32_t b = 0; b < body->n_blocks; b++) {
        for (uint32_t i = 0; i < body->blocks[b].n_succs; i++) {
            const struct ir_edge *e = &ir_succs(body, &body->blocks[b])[i];
            const struct ir_block *to = &body->blocks[e->block];
            uint32_t at = seen[e->block]++;
            if (at >= to->n_preds) return bad(c, to->first, "edge missing from the predecessors");
            const struct ir_edge *back = &ir_preds(body, to)[at];
            if (back->block != b || back->exceptional != e->exceptional ||
                back->catch_type.v != e->catch_type.v)
                return bad(c, to->first, "predecessors differ from the edges");
        }
    }
    for (uint32_t b = 0; b < body->n_blocks; b++)
        if (seen[b] != body->blocks[b].n_preds || (b > 0) != (seen[b] > 0))
            return bad(c, body->blocks[b].first, "predecessor without an edge");
    return true;
}

/* ---- dominators and loops ---- */

static bool check_dominators(struct checker *c) {
    const struct ir_block *blocks = c->body->blocks;
    for (uint32_t b = 1; b < c->body->n_blocks; b++) {
        if (blocks[b].idom >= b) return bad(c, blocks[b].first, "dominator not before the block");
        const struct ir_edge *preds = ir_preds(c->body, &blocks[b]);
        uint32_t idom = preds[0].block;
        for (uint32_t i = 1; i < blocks[b].n_preds; i++) {
            uint32_t other = preds[i].block;
            while (idom != other) {
                while (idom > other) idom = blocks[idom].idom;
                while (other > idom) other = blocks[other].idom;
            }
        }
        if (idom != blocks[b].idom) return bad(c, blocks[b].first, "wrong immediate dominator");
    }
    return true;
}

/* Intervals without building child lists: sizes of subtrees from the back, then places from the front. */
static void number_dominator_tree(struct checker *c) {
    uint32_t n = c->body->n_blocks;
    uint32_t *size = ARENA_NEW_N(&c->scratch, n, uint32_t);
    uint32_t *next = ARENA_NEW_N(&c->scratch, n, uint32_t);
    for (uint32_t b = n; b-- > 0;) {
        size[b]++;
        if (b > 0) size[c->body->blocks[b].idom] += size[b];
    }
    for (uint32_t b = 0; b < n; b++) {
        uint32_t parent = c->body->blocks[b].idom;
        c->enter[b] = b == 0 ? 0 : next[parent];
        if (b > 0) next[parent] += size[b];
        c->leave[b] = c->enter[b] + size[b];
        next[b] = c->enter[b] + 1;
    }
}

static bool check_loop_of(struct checker *c, uint32_t block) {
    const struct ir_body *body = c->body;
    const struct ir_block *k = &body->blocks[block];
    if (k->loop != IR_NO_LOOP) {
        if (k->loop >= body->n_loops || body->loops[k->loop].depth != k->depth)
            return bad(c, k->first, "wrong loop");
        const struct ir_loop *l = &body->loops[k->loop];
        if (!l->irreducible && !dominates(c, l->header, block))
            return bad(c, k->first, "loop header does not dominate its loop");
        if (l->parent != IR_NO_LOOP && (l->parent >= k->loop || body->loops[l->parent].depth + 1 != l->depth))
            return bad(c, k->first, "wrong loop nesting");
    } else if (k->depth != 0) {
        return bad(c, k->first, "loop depth without a loop");
    }
    for (uint32_t i = 0; i < k->n_succs; i++) {
        uint32_t to = ir_succs(body, k)[i].block;
        if (!dominates(c, to, block)) continue;
        if (!body->blocks[to].is_loop_header || body->loops[body->blocks[to].loop].header != to ||
            !ir_in_loop(body, block, body->blocks[to].loop))
            return bad(c, k->end - 1, "back edge that makes no loop");
    }
    return true;
}

/* ---- operands ---- */

static bool check_use(struct checker *c, uint32_t stmt, ir_var v, uint32_t before) {
    if (v.v == 0 || v.v > c->body->n_vars) return bad(c, stmt, "operand is no variable");
    uint32_t def = c->body->vars[v.v].def;
    uint32_t from = c->block_of[def], at = c->block_of[before];
    if (from == at ? def < before : dominates(c, from, at)) return true;
    return bad(c, stmt, "operand is not defined on every way here");
}

/* A value that arrives over an exception edge was there before anything in that block could throw. */
static bool check_phi(struct checker *c, uint32_t stmt) {
    const struct ir_body *body = c->body;
    const struct ir_stmt *s = &body->stmts[stmt];
    const struct ir_block *k = &body->blocks[c->block_of[stmt]];
    if (s->n_args != k->n_preds) return bad(c, stmt, "phi operands differ in number from predecessors");
    for (uint32_t i = 0; i < s->n_args; i++) {
        ir_var v = ir_arg(body, s, i);
        const struct ir_edge *e = &ir_preds(body, k)[i];
        uint32_t end = e->exceptional ? c->first_throw[e->block] : body->blocks[e->block].end - 1;
        if (!check_use(c, stmt, v, end)) return false;
        if (body->vars[v.v].kind != body->vars[s->def.v].kind)
            return bad(c, stmt, "phi operand of another kind");
    }
    return true;
}

/* Operand kinds of statement s, as far as its operator and sub tell: 'i', 'r', 'k' = as ref's type, 'e' = the
   element, '*' = anything; a last '+' repeats. */
static const char *operand_pattern(const struct ir_stmt *s) {
    switch (s->op) {
    case IR_NEW_ARRAY: return "i+";
    case IR_GET_FIELD: return "r";
    case IR_PUT_FIELD: return "rk";
    case IR_PUT_STATIC: return "k";
    case IR_ARRAY_LOAD: return "ri";
    case IR_ARRAY_STORE: return "rie";
    case IR_ARRAY_LENGTH:
    case IR_MONITOR_ENTER:
    case IR_MONITOR_EXIT:
    case IR_CAST:
    case IR_INSTANCE_OF:
    case IR_THROW: return "r";
    case IR_INVOKE:
    case IR_RETURN: return "*+";
    case IR_BINARY: return "**";
    case IR_UNARY: return "*";
    case IR_IF: return s->n_args == 1 ? "*" : "**";
    case IR_SWITCH: return "i";
    default: return "";
    }
}

static enum ir_kind elem_kind(uint8_t elem) {
    static const uint8_t kinds[] = {IR_INT, IR_LONG, IR_FLOAT, IR_DOUBLE, IR_REF, IR_INT, IR_INT, IR_INT};
    return elem < sizeof kinds ? kinds[elem] : IR_NONE;
}

static bool check_kinds(struct checker *c, uint32_t stmt) {
    const struct ir_stmt *s = &c->body->stmts[stmt];
    const char *pattern = operand_pattern(s);
    for (uint32_t i = 0; i < s->n_args; i++) {
        uint8_t kind = c->body->vars[ir_arg(c->body, s, i).v].kind, want = kind;
        switch (*pattern) {
        case 'i': want = IR_INT; break;
        case 'r': want = IR_REF; break;
        case 'k': want = ir_kind_of_(program_ref_type(c->program, (ref_id){s->ref})); break;
        case 'e': want = elem_kind(s->sub); break;
        case '*': break;
        default: return bad(c, stmt, "too many operands");
        }
        if (kind != want) return bad(c, stmt, "operand of the wrong kind");
        if (pattern[1] != '+') pattern++;
    }
    return *pattern == '\0' || pattern[1] == '+' || bad(c, stmt, "operands missing");
}

static bool check_call(struct checker *c, uint32_t stmt) {
    const struct ir_body *body = c->body;
    const struct ir_stmt *s = &body->stmts[stmt];
    bool dynamic = s->sub == IR_CALL_DYNAMIC;
    name_id desc = dynamic ? program_dyn(c->program, (dyn_id){s->ref})->desc
                           : program_ref(c->program, (ref_id){s->ref})->desc;
    const struct method_sig *sig = program_sig(c->program, desc);
    unsigned receiver = !dynamic && s->sub != IR_CALL_STATIC;
    if (sig == NULL || s->n_args != sig->n_params + receiver)
        return bad(c, stmt, "wrong number of arguments");
    if (receiver && body->vars[ir_arg(body, s, 0).v].kind != IR_REF)
        return bad(c, stmt, "receiver no object");
    for (unsigned i = 0; i < sig->n_params; i++)
        if (body->vars[ir_arg(body, s, i + receiver).v].kind != ir_kind_of_(sig->params[i]))
            return bad(c, stmt, "argument of the wrong kind");
    uint8_t result = s->def.v ? body->vars[s->def.v].kind : (uint8_t)IR_NONE;
    return result == ir_kind_of_(sig->result) || bad(c, stmt, "result of the wrong kind");
}

/* ---- definitions ---- */

static bool check_def(struct checker *c, uint32_t stmt) {
    const struct ir_stmt *s = &c->body->stmts[stmt];
    bool always = (s->op >= IR_PARAM && s->op <= IR_GET_FIELD) || s->op == IR_GET_STATIC ||
                  s->op == IR_ARRAY_LOAD || s->op == IR_ARRAY_LENGTH ||
                  (s->op >= IR_CAST && s->op <= IR_UNARY);
    if (s->op != IR_INVOKE && always != (s->def.v != 0))
        return bad(c, stmt, "definition missing or too many");
    if (s->def.v == 0) return true;
    if (s->def.v > c->body->n_vars || c->body->vars[s->def.v].def != stmt)
        return bad(c, stmt, "variable defined twice");
    uint8_t kind = c->body->vars[s->def.v].kind;
    if (kind < IR_INT || kind > IR_REF) return bad(c, stmt, "variable without a kind");
    if (s->op == IR_ARRAY_LOAD && kind != elem_kind(s->sub)) return bad(c, stmt, "element of the wrong kind");
    return true;
}

static bool check_stmt(struct checker *c, uint32_t stmt) {
    const struct ir_body *body = c->body;
    const struct ir_stmt *s = &body->stmts[stmt];
    if (!check_def(c, stmt)) return false;
    if ((uint64_t)s->args + s->n_args > body->n_args) return bad(c, stmt, "operands out of range");
    if (s->op == IR_PHI) return check_phi(c, stmt);
    for (uint32_t i = 0; i < s->n_args; i++)
        if (!check_use(c, stmt, ir_arg(body, s, i), stmt)) return false;
    if (!check_kinds(c, stmt)) return false;
    return s->op != IR_INVOKE || check_call(c, stmt);
}

static bool check_body(struct checker *c) {
    const struct ir_body *body = c->body;
    for (uint32_t b = 0; b < body->n_blocks; b++)
        if (!check_block_shape(c, b)) return false;
    if (body->blocks[body->n_blocks - 1].end != body->n_stmts)
        return bad(c, 0, "statements behind the blocks");
    for (uint32_t b = 0; b < body->n_blocks; b++)
        if (!check_succs(c, b)) return false;
    if (!check_preds(c) || !check_dominators(c)) return false;
    number_dominator_tree(c);
    for (uint32_t b = 0; b < body->n_blocks; b++)
        if (!check_loop_of(c, b)) return false;
    uint32_t defs = 0;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        if (!check_stmt(c, i)) return false;
        defs += body->stmts[i].def.v != 0;
    }
    return defs == body->n_vars || bad(c, 0, "variable without a definition");
}

bool ir_check(struct program *p, const struct ir_body *body, struct race_error *err) {
    struct checker c = {.program = p, .body = body, .err = err};
    if (body->n_blocks == 0) return body->n_stmts == 0 || bad(&c, 0, "statements without a block");
    arena_init(&c.scratch);
    c.block_of = ARENA_NEW_N(&c.scratch, body->n_stmts + 1, uint32_t);
    c.first_throw = ARENA_NEW_N(&c.scratch, body->n_blocks, uint32_t);
    c.enter = ARENA_NEW_N(&c.scratch, body->n_blocks, uint32_t);
    c.leave = ARENA_NEW_N(&c.scratch, body->n_blocks, uint32_t);
    bool ok = check_body(&c);
    arena_release(&c.scratch);
    return ok;
}
