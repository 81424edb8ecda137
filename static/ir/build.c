/* The builder's lifetime, the driver of its stages, and small questions about finished bodies. */
#include "builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ir_builder *ir_builder_new(struct program *p) {
    struct ir_builder *b = calloc(1, sizeof *b);
    if (b == NULL) abort();
    b->program = p;
    return b;
}

void ir_builder_free(struct ir_builder *b) {
    if (b == NULL) return;
    vec_release(&b->marks);
    vec_release(&b->cover);
    vec_release(&b->ranges);
    vec_release(&b->range_at);
    vec_release(&b->contexts);
    vec_release(&b->subroutines);
    vec_release(&b->members);
    vec_release(&b->blocks);
    vec_release(&b->found);
    vec_release(&b->block_of);
    vec_release(&b->catch_of);
    vec_release(&b->edges);
    vec_release(&b->preds);
    vec_release(&b->pred_edges);
    vec_release(&b->order);
    vec_release(&b->walk_block);
    vec_release(&b->walk_edge);
    vec_release(&b->lines);
    vec_release(&b->at_entry);
    vec_release(&b->at_exit);
    vec_release(&b->at_throw);
    vec_release(&b->vars);
    vec_release(&b->phis);
    vec_release(&b->stmts);
    vec_release(&b->args);
    vec_release(&b->stack);
    vec_release(&b->stacks);
    vec_release(&b->operands);
    vec_release(&b->switches);
    vec_release(&b->cases);
    vec_release(&b->wide);
    vec_release(&b->work);
    free(b);
}

bool ir_fail_(struct ir_builder *b, const char *what) {
    if (b->failed) return false;
    b->failed = true;
    const struct class_info *cls = program_peek(b->program, b->cls);
    race_error_set_file(b->err, cls->origin);
    return race_fail_at(b->err, b->code->attr_offset, "%s.%s: bytecode %u: %s",
                        program_class_name(b->program, b->cls), program_str(b->program, b->info->name),
                        b->bci, what);
}

/* Abstract, native and opaque methods: callers need not tell them from others to walk their (no) blocks. */
static const struct ir_body *without_code(method_id m, const char *opaque, struct arena *arena) {
    struct ir_body *body = ARENA_NEW(arena, struct ir_body);
    body->method = m;
    body->opaque = opaque;
    return body;
}

const struct ir_body *ir_build(struct ir_builder *b, method_id m, struct arena *arena,
                               struct race_error *err) {
    b->method = m;
    b->info = program_method(b->program, m);
    b->cls = b->info->owner;
    b->err = err;
    b->failed = false;
    b->opaque = NULL;
    b->bci = b->line = b->n_params = 0;
    if (!b->info->has_code) return without_code(m, NULL, arena);
    b->cf = program_class_file(b->program, b->cls);
    if (b->cf == NULL) {
        program_failed(b->program, err);
        race_fail(err, "class %s cannot be read again", program_class_name(b->program, b->cls));
        return NULL;
    }
    b->code = b->cf->methods[b->info->index].code;
    b->n_locals = b->code->max_locals;
    b->max_stack = b->code->max_stack > 0 ? b->code->max_stack : 1;
    uint32_t is_static = b->info->access & CF_ACC_STATIC;
    if (b->code->length == 0 || b->info->sig->words + (is_static ? 0u : 1u) > b->n_locals) {
        ir_fail_(b, b->code->length == 0 ? "no code" : "more arguments than locals");
        return NULL;
    }
    if (!ir_scan_(b) || !ir_flow_(b)) return NULL;
    if (b->opaque == NULL && !ir_translate_(b)) return NULL;
    if (b->opaque != NULL) return without_code(m, b->opaque, arena);
    return ir_finish_(b, arena);
}

/* ---- reading ---- */

static double as_double(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

struct const_value ir_const(const struct ir_body *body, const struct ir_stmt *s) {
    struct const_value v = {.kind = s->sub};
    switch (s->sub) {
    case CONST_INT: v.u.i = (int32_t)s->ref; break;
    case CONST_LONG: v.u.i = (int64_t)body->wide[s->ref]; break;
    case CONST_FLOAT:
    case CONST_DOUBLE: v.u.d = as_double(body->wide[s->ref]); break;
    case CONST_STRING:
    case CONST_METHOD_TYPE: v.u.name.v = s->ref; break;
    case CONST_CLASS: v.u.cls.v = s->ref; break;
    case CONST_METHOD_HANDLE: v.u.handle.v = s->ref; break;
    case CONST_DYNAMIC: v.u.dyn.v = s->ref; break;
    default: break;
    }
    return v;
}

/* Must agree with ir_insn_may_throw_(), by which blocks were split. */
bool ir_may_throw(const struct ir_stmt *s) {
    switch (s->op) {
    case IR_CONST: return s->sub >= CONST_CLASS;
    case IR_BINARY:
        return s->ref == CF_OP_IDIV || s->ref == CF_OP_LDIV || s->ref == CF_OP_IREM || s->ref == CF_OP_LREM;
    case IR_MONITOR_EXIT: return false;
    case IR_THROW: return true;
    default: return s->op >= IR_NEW && s->op <= IR_INSTANCE_OF;
    }
}

/* Dominators have smaller numbers, so the walk up can stop early. */
bool ir_dominates(const struct ir_body *body, uint32_t a, uint32_t b) {
    while (b > a) b = body->blocks[b].idom;
    return a == b;
}

uint32_t ir_block_of(const struct ir_body *body, uint32_t stmt) {
    uint32_t lo = 0, hi = body->n_blocks;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (body->blocks[mid].first <= stmt)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

bool ir_in_loop(const struct ir_body *body, uint32_t b, uint32_t l) {
    for (uint32_t at = body->blocks[b].loop; at != IR_NO_LOOP; at = body->loops[at].parent)
        if (at == l) return true;
    return false;
}

const char *ir_op_name(enum ir_op op) {
    static const char *const names[IR_N_OPS] = {
        [IR_NOP] = "nop",
        [IR_PARAM] = "param",
        [IR_PHI] = "phi",
        [IR_CATCH] = "catch",
        [IR_CONST] = "const",
        [IR_NEW] = "new",
        [IR_NEW_ARRAY] = "newarray",
        [IR_GET_FIELD] = "getfield",
        [IR_PUT_FIELD] = "putfield",
        [IR_GET_STATIC] = "getstatic",
        [IR_PUT_STATIC] = "putstatic",
        [IR_ARRAY_LOAD] = "arrayload",
        [IR_ARRAY_STORE] = "arraystore",
        [IR_ARRAY_LENGTH] = "arraylength",
        [IR_INVOKE] = "invoke",
        [IR_MONITOR_ENTER] = "monitorenter",
        [IR_MONITOR_EXIT] = "monitorexit",
        [IR_CAST] = "cast",
        [IR_INSTANCE_OF] = "instanceof",
        [IR_BINARY] = "binary",
        [IR_UNARY] = "unary",
        [IR_IF] = "if",
        [IR_SWITCH] = "switch",
        [IR_GOTO] = "goto",
        [IR_RETURN] = "return",
        [IR_THROW] = "throw",
    };
    return op < IR_N_OPS ? names[op] : "?";
}
