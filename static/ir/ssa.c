/*
 * Values of locals and of the operand stack across blocks.
 *
 * The simple model: a PHI for every local at every join, useless ones removed afterwards.  Here a PHI is made
 * only when a value is asked for and the predecessors disagree, or are not all translated yet (loop headers);
 * such a PHI gets its operands when the last predecessor is done.  The method of Braun et al., "Simple and
 * efficient construction of static single assignment form".
 *
 * Three rows of locals per block: the values at its entry (as far as somebody asked), those it set, and, for
 * its exception edges, those it had set when its first throwing statement ran.
 */
#include "builder.h"

#include <string.h>

static uint32_t *row(struct ir_builder *b, uint32_t *table, uint32_t block) {
    return table + (size_t)block * b->n_locals;
}

static uint32_t add_phi(struct ir_builder *b, uint32_t block, uint32_t slot, enum ir_kind kind) {
    uint32_t id = (uint32_t)b->phis.n;
    ir_var def = ir_new_var_(b, kind, (class_id){0});
    b->vars.v[def.v].is_phi = true;
    b->vars.v[def.v].phi = id;
    vec_push(&b->phis,
             ((struct build_phi){.def = def, .block = block, .next = NONE, .slot = slot, .args = NONE}));
    struct build_block *k = &b->blocks.v[block];
    if (k->last_phi == NONE)
        k->first_phi = id;
    else
        b->phis.v[k->last_phi].next = id;
    k->last_phi = id;
    return id;
}

static ir_var checked(struct ir_builder *b, ir_var v, enum ir_kind kind) {
    if (v.v != 0 && b->vars.v[v.v].kind != kind) ir_fail_(b, "value of the wrong type");
    return v;
}

static ir_var read_entry(struct ir_builder *b, uint32_t block, uint32_t local, enum ir_kind kind);

/* The value that a local has on a predecessor edge. */
static ir_var read_edge(struct ir_builder *b, uint32_t from, uint32_t edge, uint32_t local,
                        enum ir_kind kind) {
    bool exceptional = b->edges.v[edge].exceptional;
    uint32_t *table = exceptional ? b->at_throw.v : b->at_exit.v;
    uint32_t v = row(b, table, from)[local];
    if (v != 0) return checked(b, (ir_var){v}, kind);
    return read_entry(b, from, local, kind);
}

/* Fills a PHI's operands from all predecessors; they are translated by now. */
static void complete(struct ir_builder *b, uint32_t phi) {
    struct build_phi f = b->phis.v[phi];
    const struct build_block k = b->blocks.v[f.block];
    enum ir_kind kind = b->vars.v[f.def.v].kind;
    /* Reading may make other PHIs, so operands are gathered on a stack of their own first. */
    size_t base = b->operands.n;
    for (uint32_t i = 0; i < k.n_preds && !b->failed; i++) {
        uint32_t from = b->preds.v[k.preds + i];
        ir_var v;
        if (f.slot < b->n_locals)
            v = read_edge(b, from, b->pred_edges.v[k.preds + i], f.slot, kind);
        else if (f.slot - b->n_locals < b->blocks.v[from].depth)
            v = checked(b, (ir_var){b->stacks.v[b->blocks.v[from].stack + f.slot - b->n_locals]}, kind);
        else
            v = (ir_var){ir_fail_(b, "operand stacks of different depth meet")};
        vec_push(&b->operands, v.v);
    }
    b->phis.v[phi].args = (uint32_t)b->args.n;
    for (size_t i = base; i < b->operands.n; i++) vec_push(&b->args, ((ir_var){b->operands.v[i]}));
    b->operands.n = base;
}

static bool has_back_edge(const struct ir_builder *b, uint32_t block) {
    const struct build_block *k = &b->blocks.v[block];
    return k->n_preds > 0 && b->preds.v[k->preds + k->n_preds - 1] >= block; /* sorted by source */
}

/* At a join whose predecessors all come before it: a PHI only if they disagree. */
static ir_var read_join(struct ir_builder *b, uint32_t block, uint32_t local, enum ir_kind kind) {
    const struct build_block k = b->blocks.v[block];
    size_t base = b->operands.n;
    bool same = true;
    for (uint32_t i = 0; i < k.n_preds && !b->failed; i++) {
        ir_var v = read_edge(b, b->preds.v[k.preds + i], b->pred_edges.v[k.preds + i], local, kind);
        vec_push(&b->operands, v.v);
        same &= v.v == b->operands.v[base];
    }
    ir_var v = {b->operands.n > base ? b->operands.v[base] : 0};
    if (!same && !b->failed) {
        uint32_t phi = add_phi(b, block, local, kind);
        b->phis.v[phi].args = (uint32_t)b->args.n;
        for (size_t i = base; i < b->operands.n; i++) vec_push(&b->args, ((ir_var){b->operands.v[i]}));
        v = b->phis.v[phi].def;
    }
    b->operands.n = base;
    return v;
}

/*
 * A long row of joins would recurse as deeply; from some depth on, a PHI is put down unread and completed
 * later from the outermost call.
 */
enum { MAX_RECURSION = 400 };

static ir_var put_off(struct ir_builder *b, uint32_t block, uint32_t local, enum ir_kind kind) {
    uint32_t phi = add_phi(b, block, local, kind);
    vec_push(&b->work, phi);
    return b->phis.v[phi].def;
}

static void complete_put_off(struct ir_builder *b) {
    while (b->work.n > 0 && !b->failed) complete(b, vec_pop(&b->work));
}

static ir_var read_entry(struct ir_builder *b, uint32_t block, uint32_t local, enum ir_kind kind) {
    /* Up through blocks with one predecessor without recursion: chains of them can be long. */
    uint32_t at = block;
    ir_var v = {0};
    while (!b->failed) {
        const struct build_block *k = &b->blocks.v[at];
        v.v = row(b, b->at_entry.v, at)[local];
        if (v.v != 0) break;
        if (k->n_preds == 0) {
            ir_fail_(b, "local variable read before it is set");
        } else if (k->n_preds > 1 || has_back_edge(b, at)) {
            if (!has_back_edge(b, at)) {
                b->recursion++;
                v = b->recursion > MAX_RECURSION ? put_off(b, at, local, kind)
                                                 : read_join(b, at, local, kind);
                b->recursion--;
                break;
            }
            uint32_t phi = add_phi(b, at, local, kind);
            v = b->phis.v[phi].def;
            row(b, b->at_entry.v, at)[local] =
                v.v; /* before its operands are read: that may lead back here */
            if (b->blocks.v[at].waiting > 0) break;
            b->recursion++;
            if (b->recursion > MAX_RECURSION)
                vec_push(&b->work, phi);
            else
                complete(b, phi);
            b->recursion--;
            break;
        } else {
            uint32_t from = b->preds.v[k->preds], edge = b->pred_edges.v[k->preds];
            uint32_t *table = b->edges.v[edge].exceptional ? b->at_throw.v : b->at_exit.v;
            v.v = row(b, table, from)[local];
            if (v.v != 0) break;
            at = from;
        }
    }
    if (b->failed) return (ir_var){0};
    for (uint32_t k = block;; k = b->preds.v[b->blocks.v[k].preds]) {
        row(b, b->at_entry.v, k)[local] = v.v;
        if (k == at) break;
    }
    return checked(b, v, kind);
}

ir_var ir_read_local_(struct ir_builder *b, uint32_t local, enum ir_kind kind) {
    if (local >= b->n_locals) return (ir_var){ir_fail_(b, "local variable out of range")};
    uint32_t v = row(b, b->at_exit.v, b->current)[local];
    if (v != 0) return checked(b, (ir_var){v}, kind);
    ir_var found = read_entry(b, b->current, local, kind);
    complete_put_off(b);
    return found;
}

void ir_write_local_(struct ir_builder *b, uint32_t local, ir_var v) {
    if (local >= b->n_locals)
        ir_fail_(b, "local variable out of range");
    else
        row(b, b->at_exit.v, b->current)[local] = v.v;
}

void ir_snapshot_(struct ir_builder *b) {
    struct build_block *k = &b->blocks.v[b->current];
    if (!k->has_exits || k->snapped) return;
    k->snapped = true;
    memcpy(row(b, b->at_throw.v, b->current), row(b, b->at_exit.v, b->current),
           b->n_locals * sizeof *b->at_throw.v);
}

/* ---- operand stack ---- */

/* The first predecessor is translated whenever a block is, so it tells the depth and the kinds. */
void ir_enter_stack_(struct ir_builder *b) {
    const struct build_block k = b->blocks.v[b->current];
    vec_clear(&b->stack);
    if (k.is_handler || k.n_preds == 0) return;
    const struct build_block first = b->blocks.v[b->preds.v[k.preds]];
    bool loop = has_back_edge(b, b->current);
    for (uint32_t i = 0; i < first.depth && !b->failed; i++) {
        uint32_t v = b->stacks.v[first.stack + i];
        bool same = !loop;
        for (uint32_t n = 1; n < k.n_preds && same; n++) {
            const struct build_block *other = &b->blocks.v[b->preds.v[k.preds + n]];
            same = other->depth == first.depth && b->stacks.v[other->stack + i] == v;
        }
        if (!same) {
            uint32_t phi = add_phi(b, b->current, b->n_locals + i, b->vars.v[v].kind);
            v = b->phis.v[phi].def.v;
            if (k.waiting == 0) complete(b, phi);
        }
        vec_push(&b->stack, v);
    }
}

/* Stacks of different depth must not meet, even where no value of them is used. */
static void check_depth(struct ir_builder *b, const struct build_block *to, uint32_t depth) {
    if (!to->is_handler && b->blocks.v[b->preds.v[to->preds]].depth != depth)
        ir_fail_(b, "operand stacks of different depth meet");
}

void ir_leave_block_(struct ir_builder *b) {
    struct build_block *k = &b->blocks.v[b->current];
    k->stack = (uint32_t)b->stacks.n;
    k->depth = (uint32_t)b->stack.n;
    for (size_t i = 0; i < b->stack.n; i++) vec_push(&b->stacks, b->stack.v[i]);

    for (uint32_t e = k->succs; e < k->succs + k->n_succs && !b->failed; e++) {
        struct build_block *to = &b->blocks.v[b->edges.v[e].to];
        check_depth(b, to, k->depth);
        if (--to->waiting > 0) continue;
        if (b->edges.v[e].to > b->current) continue; /* not translated yet: nothing to complete */
        for (uint32_t phi = to->first_phi; phi != NONE && !b->failed; phi = b->phis.v[phi].next)
            if (b->phis.v[phi].args == NONE) complete(b, phi);
        complete_put_off(b);
    }
}
