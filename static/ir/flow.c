/*
 * Blocks and edges.
 *
 * A depth-first walk from the entry finds what can be reached and gives the reverse postorder in which the
 * later stages work.  A subroutine (jsr/ret, class files before Java 7) is walked once per call, in a context
 * of its own: its code is copied, and `ret` becomes an ordinary edge.
 */
#include "builder.h"

#include <string.h>

/* Copying subroutines can blow up; no compiler comes near this. */
enum { MAX_CONTEXTS = 512, MAX_COPIED_RANGES = 1 << 20 };

/* The same for exception tables: real ones have some hundred rows, and few of them cover one range. */
enum { MAX_HANDLERS_OF_BLOCK = 1 << 12, MAX_HANDLER_TESTS = 1 << 26, MAX_EDGES = 1 << 22 };

static uint32_t new_block(struct ir_builder *b, enum block_shape shape, uint32_t range, uint32_t context) {
    struct build_block block = {
        .shape = (uint8_t)shape, .range = range, .context = context, .first_phi = NONE, .last_phi = NONE};
    vec_push(&b->found, block);
    vec_push(&b->order, NONE);
    return (uint32_t)b->found.n - 1;
}

static uint32_t block_for(struct ir_builder *b, uint32_t context, uint32_t range) {
    context = ir_context_of_(b, context, range);
    uint32_t *slot = &b->block_of.v[context * b->ranges.n + range];
    if (*slot == NONE) *slot = new_block(b, BLOCK_CODE, range, context);
    return *slot;
}

/* A handler that ordinary control also reaches gets a block of its own for the exception. */
static uint32_t handler_for(struct ir_builder *b, uint32_t context, uint32_t range) {
    if (!(b->marks.v[b->ranges.v[range].start] & MARK_JOIN)) {
        uint32_t block = block_for(b, context, range);
        b->found.v[block].is_handler = true;
        return block;
    }
    context = ir_context_of_(b, context, range);
    uint32_t *slot = &b->catch_of.v[context * b->ranges.n + range];
    if (*slot == NONE) {
        *slot = new_block(b, BLOCK_CATCH, range, context);
        b->found.v[*slot].is_handler = true;
    }
    return *slot;
}

static uint32_t add_context(struct ir_builder *b, uint32_t parent, uint32_t entry, uint32_t return_to) {
    uint32_t sub = ir_subroutine_(b, entry);
    for (uint32_t c = parent; c != 0; c = b->contexts.v[c].parent)
        if (b->contexts.v[c].subroutine == sub) b->opaque = "recursive subroutine";
    for (uint32_t c = 1; c < b->contexts.n; c++) {
        const struct context *k = &b->contexts.v[c];
        if (k->parent == parent && k->subroutine == sub && k->return_to == return_to) return c;
    }
    size_t n = b->contexts.n;
    if (n >= MAX_CONTEXTS || n * b->ranges.n > MAX_COPIED_RANGES) b->opaque = "too many subroutine calls";
    if (b->opaque != NULL) return parent;
    vec_push(&b->contexts, ((struct context){parent, sub, return_to}));
    vec_reserve(&b->block_of, (n + 1) * b->ranges.n);
    vec_reserve(&b->catch_of, (n + 1) * b->ranges.n);
    b->block_of.n = b->catch_of.n = (n + 1) * b->ranges.n;
    memset(b->block_of.v + n * b->ranges.n, 0xff, b->ranges.n * sizeof *b->block_of.v);
    memset(b->catch_of.v + n * b->ranges.n, 0xff, b->ranges.n * sizeof *b->catch_of.v);
    return (uint32_t)n;
}

/* ---- edges out of a block ---- */

static void add_edge(struct ir_builder *b, uint32_t to) {
    vec_push(&b->edges, ((struct build_edge){.to = to}));
}

static uint32_t range_of(const struct ir_builder *b, int32_t bci) {
    return b->range_at.v[bci];
}

/* Switches often send many keys to one place; one edge is enough. */
static void add_switch_edges(struct ir_builder *b, uint32_t context, const struct cf_insn *in) {
    size_t first = b->edges.n;
    for (uint32_t i = 0; i <= in->n_cases; i++) {
        int32_t target = i < in->n_cases ? cf_insn_case_target(b->code, in, i) : in->target;
        uint32_t to = block_for(b, context, range_of(b, target));
        /* Search the last few only: equal targets stand together, and a rare double edge is harmless. */
        size_t k = b->edges.n, low = k > first + 16 ? k - 16 : first;
        while (k > low && b->edges.v[k - 1].to != to) k--;
        if (k == low) add_edge(b, to);
    }
}

static void add_ordinary_edges(struct ir_builder *b, uint32_t context, uint32_t range) {
    const struct code_range r = b->ranges.v[range];
    struct cf_insn in = cf_insn_decode(b->code, r.last);
    switch (in.op) {
    case CF_OP_TABLESWITCH:
    case CF_OP_LOOKUPSWITCH: add_switch_edges(b, context, &in); return;
    case CF_OP_GOTO:
    case CF_OP_GOTO_W: add_edge(b, block_for(b, context, range_of(b, in.target))); return;
    case CF_OP_JSR:
    case CF_OP_JSR_W: {
        if (r.end >= b->code->length) {
            ir_fail_(b, "control falls off the end of the method");
            return;
        }
        uint32_t inner = add_context(b, context, (uint32_t)in.target, range_of(b, (int32_t)r.end));
        if (b->opaque == NULL) add_edge(b, block_for(b, inner, range_of(b, in.target)));
        return;
    }
    case CF_OP_RET:
        context = ir_ret_context_(b, context, in.index);
        if (context == 0)
            ir_fail_(b, "ret outside of a subroutine");
        else
            add_edge(b, block_for(b, b->contexts.v[context].parent, b->contexts.v[context].return_to));
        return;
    case CF_OP_ATHROW: return;
    default: break;
    }
    if (in.op >= CF_OP_IRETURN && in.op <= CF_OP_RETURN) return;
    bool conditional = (in.op >= CF_OP_IFEQ && in.op <= CF_OP_IF_ACMPNE) || in.op == CF_OP_IFNULL ||
                       in.op == CF_OP_IFNONNULL;
    add_edge(b, block_for(b, context, range_of(b, (int32_t)r.end)));
    if (conditional) add_edge(b, block_for(b, context, range_of(b, in.target)));
}

/* One per handler and catch type, in table order, up to the first that catches everything. */
static void add_exception_edges(struct ir_builder *b, uint32_t block, uint32_t context, uint32_t range) {
    const struct code_range r = b->ranges.v[range];
    if (!r.throws) return;
    size_t first = b->edges.n;
    for (uint16_t i = 0; i < b->code->n_handlers; i++) {
        const struct cf_handler *h = &b->code->handlers[i];
        if (r.start < h->start || r.start >= h->end) continue;
        class_id type = {0};
        if (h->catch_type != 0) type = program_cp_class(b->program, b->cls, h->catch_type);
        if (type.v == CLASS_THROWABLE) type.v = 0;
        uint32_t to = handler_for(b, context, range_of(b, h->handler));
        size_t k = first;
        while (k < b->edges.n && (b->edges.v[k].to != to || b->edges.v[k].catch_type.v != type.v)) k++;
        if (k == b->edges.n)
            vec_push(&b->edges, ((struct build_edge){.to = to, .exceptional = true, .catch_type = type}));
        if (type.v == 0) break;
        if (b->edges.n - first > MAX_HANDLERS_OF_BLOCK || b->edges.n > MAX_EDGES) {
            b->opaque = "too many exception handlers";
            return;
        }
    }
    b->found.v[block].has_exits = b->edges.n > first;
}

static void add_edges(struct ir_builder *b, uint32_t block) {
    const struct build_block k = b->found.v[block];
    size_t first = b->edges.n;
    if (k.shape == BLOCK_CODE) {
        add_ordinary_edges(b, k.context, k.range);
        add_exception_edges(b, block, k.context, k.range);
    } else {
        add_edge(b, block_for(b, k.context, k.range));
    }
    b->found.v[block].succs = (uint32_t)first;
    b->found.v[block].n_succs = (uint32_t)(b->edges.n - first);
}

/* ---- order ---- */

static bool enter(struct ir_builder *b, uint32_t block) {
    if (b->order.v[block] != NONE) return false;
    b->order.v[block] = 0;
    b->bci = b->ranges.v[b->found.v[block].range].last;
    add_edges(b, block);
    vec_push(&b->walk_block, block);
    vec_push(&b->walk_edge, b->found.v[block].n_succs);
    return true;
}

/* Fills `order` with postorder numbers; returns how many there are.  The last successor is walked first, so
   that reverse postorder keeps the order of the source where it can. */
static uint32_t walk(struct ir_builder *b, uint32_t entry) {
    uint32_t n = 0;
    enter(b, entry);
    while (b->walk_block.n > 0 && !b->failed && b->opaque == NULL) {
        uint32_t block = vec_last(&b->walk_block);
        uint32_t *left = &vec_last(&b->walk_edge);
        if (*left > 0) {
            enter(b, b->edges.v[b->found.v[block].succs + --*left].to);
            continue;
        }
        b->order.v[block] = n++;
        b->walk_block.n--;
        b->walk_edge.n--;
    }
    return n;
}

/* Moves the blocks to their reverse postorder places and turns edge targets into those numbers. */
static void renumber(struct ir_builder *b, uint32_t n) {
    vec_reserve(&b->blocks, n);
    b->blocks.n = n;
    for (size_t i = 0; i < b->found.n; i++)
        if (b->order.v[i] != NONE) b->blocks.v[n - 1 - b->order.v[i]] = b->found.v[i];
    for (size_t i = 0; i < b->edges.n; i++) b->edges.v[i].to = n - 1 - b->order.v[b->edges.v[i].to];
}

static void add_preds(struct ir_builder *b) {
    vec_reserve(&b->preds, b->edges.n);
    vec_reserve(&b->pred_edges, b->edges.n);
    b->preds.n = b->pred_edges.n = b->edges.n;
    for (size_t i = 0; i < b->edges.n; i++) b->blocks.v[b->edges.v[i].to].n_preds++;
    uint32_t at = 0;
    for (size_t i = 0; i < b->blocks.n; i++) {
        b->blocks.v[i].preds = at;
        at += b->blocks.v[i].n_preds;
    }
    for (uint32_t i = 0; i < b->blocks.n; i++) {
        const struct build_block *from = &b->blocks.v[i];
        for (uint32_t e = from->succs; e < from->succs + from->n_succs; e++) {
            struct build_block *to = &b->blocks.v[b->edges.v[e].to];
            b->preds.v[to->preds + to->waiting] = i;
            b->pred_edges.v[to->preds + to->waiting++] = e;
        }
    }
}

bool ir_flow_(struct ir_builder *b) {
    vec_clear(&b->found);
    vec_clear(&b->order);
    vec_clear(&b->edges);
    vec_clear(&b->walk_block);
    vec_clear(&b->walk_edge);
    vec_clear(&b->contexts);
    vec_clear(&b->subroutines);
    vec_clear(&b->members);
    vec_push(&b->contexts, ((struct context){0}));
    vec_reserve(&b->block_of, b->ranges.n);
    vec_reserve(&b->catch_of, b->ranges.n);
    b->block_of.n = b->catch_of.n = b->ranges.n;
    memset(b->block_of.v, 0xff, b->ranges.n * sizeof *b->block_of.v);
    memset(b->catch_of.v, 0xff, b->ranges.n * sizeof *b->catch_of.v);

    if ((size_t)b->code->n_handlers * b->ranges.n > MAX_HANDLER_TESTS) {
        b->opaque = "too many exception handlers";
        return true;
    }
    bool jumped_to = (b->marks.v[0] & (MARK_JOIN | MARK_HANDLER)) != 0;
    uint32_t entry = jumped_to ? new_block(b, BLOCK_ENTRY, 0, 0) : block_for(b, 0, 0);
    uint32_t n = walk(b, entry);
    if (b->failed || b->opaque != NULL) return !b->failed;
    renumber(b, n);
    add_preds(b);
    for (size_t i = 0; i < b->blocks.n; i++)
        if (b->blocks.v[i].n_preds > UINT16_MAX) b->opaque = "too many ways into one block";
    return true;
}
