/*
 * Objects that are still their thread's own at a statement.
 *
 * For each variable two bits: `own` - the object that it names was made by this thread and nobody else can
 * reach it yet; `deep` - the same for everything reachable from it.  A NEW sets both for its variable, so an
 * allocation in a loop speaks of the last object made there; a store into something that is not own, a static
 * field or a call that leaks clears them for the whole group of the variable (groups.h).
 *
 * What is own only because nothing holds it (unheld.h) stays so whatever becomes of its group.
 *
 * Parameters are own if they are own at every call of the method, the greatest solution over the call graph;
 * methods that the JDK or the VM calls get nothing.
 */
#include "groups.h"
#include "race/opcodes.h"
#include "summary.h"
#include "unheld.h"

#include <stdlib.h>
#include <string.h>

struct local_state {
    bits own, deep, unheld;
    bool reached;
};

struct local_flow {
    struct groups groups;
    struct names names;
    uint64_t own_in, deep_in; /* parameters, bit 0 = variable 1 */
    bool unheld_in;           /* a constructor's `this` */
    struct local_state *at_block;
    bool queued;
};

struct flow {
    struct races *r;
    const struct ir_body *body;
    struct local_flow *f;
};

/* ---- state ---- */

static void state_init(struct local_state *s, const struct ir_body *body, struct arena *arena) {
    bits_init(&s->own, arena, body->n_vars + 1);
    bits_init(&s->deep, arena, body->n_vars + 1);
    bits_init(&s->unheld, arena, body->n_vars + 1);
}

static void state_copy(struct local_state *to, const struct local_state *from) {
    memcpy(to->own.w, from->own.w, from->own.n_words * sizeof(uint64_t));
    memcpy(to->deep.w, from->deep.w, from->deep.n_words * sizeof(uint64_t));
    memcpy(to->unheld.w, from->unheld.w, from->unheld.n_words * sizeof(uint64_t));
    to->reached = from->reached;
}

/* into = into AND with; true if something went. */
static bool state_meet(struct local_state *into, const struct local_state *with) {
    if (!with->reached) return false;
    if (!into->reached) {
        state_copy(into, with);
        return true;
    }
    bool changed = false;
    for (uint32_t i = 0; i < into->own.n_words; i++) {
        uint64_t own = into->own.w[i] & with->own.w[i], deep = into->deep.w[i] & with->deep.w[i];
        uint64_t unheld = into->unheld.w[i] & with->unheld.w[i];
        changed |= own != into->own.w[i] || deep != into->deep.w[i] || unheld != into->unheld.w[i];
        into->own.w[i] = own;
        into->deep.w[i] = deep;
        into->unheld.w[i] = unheld;
    }
    return changed;
}

static void put(struct local_state *s, ir_var v, bool own, bool deep) {
    (own ? bits_add : bits_drop)(&s->own, v.v);
    (deep ? bits_add : bits_drop)(&s->deep, v.v);
    bits_drop(&s->unheld, v.v);
}

static void put_unheld(struct local_state *s, ir_var v, bool unheld) {
    if (unheld) bits_add(&s->unheld, v.v);
}

/* Values without state never matter. */
static bool own(struct flow *x, const struct local_state *s, ir_var v) {
    return !is_mutable_ref(x->r, x->body, v) || bits_has(&s->own, v.v) || bits_has(&s->unheld, v.v);
}
static bool deep(struct flow *x, const struct local_state *s, ir_var v) {
    return !is_mutable_ref(x->r, x->body, v) || bits_has(&s->deep, v.v);
}

static void clear_group(struct flow *x, struct local_state *s, ir_var v, bool own_too) {
    if (!is_mutable_ref(x->r, x->body, v)) return;
    uint32_t g = group_of(&x->f->groups, v);
    for (uint32_t k = 1; k <= x->body->n_vars; k++) {
        if (group_of(&x->f->groups, (ir_var){k}) != g) continue;
        bits_drop(&s->deep, k);
        if (own_too) bits_drop(&s->own, k);
    }
}

static bool unheld(const struct flow *x, const struct local_state *s, ir_var v) {
    return bits_has(&s->unheld, v.v) || ir_def(x->body, v)->op == IR_CONST;
}

/* What the statement puts somewhere is held from now on, by whichever variable it is known. */
static void step_held(struct flow *x, struct local_state *s, const struct ir_stmt *t) {
    const uint32_t *next = x->f->names.next;
    for (uint32_t k = 0; k < t->n_args; k++) {
        uint32_t first = ir_arg(x->body, t, k).v, v = first;
        while (!bits_has(&s->unheld, v) && next[v] != first) v = next[v];
        if (!bits_has(&s->unheld, v) || !holds_argument(x->r, x->body, t, k)) continue;
        for (v = next[first]; v != first; v = next[v]) {
            if (!is_made_after(x->body, (ir_var){v}, (ir_var){first})) bits_drop(&s->unheld, v);
        }
        bits_drop(&s->unheld, first);
    }
}

/* ---- statements ---- */

static void step_store(struct flow *x, struct local_state *s, ir_var target, ir_var value) {
    if (!own(x, s, target)) {
        clear_group(x, s, value, true);
    } else if (!deep(x, s, value)) {
        clear_group(x, s, target, false);
    }
}

static void step_result(struct flow *x, struct local_state *s, const struct ir_stmt *call,
                        const struct call_effect *e) {
    if (call->def.v == 0) return;
    if (e->fresh) {
        put(s, call->def, true, true);
    } else if (e->returns_this) {
        ir_var self = ir_arg(x->body, call, 0);
        put(s, call->def, own(x, s, self), deep(x, s, self));
    } else { /* reachable from the arguments, if not from elsewhere */
        bool all = !e->foreign;
        for (uint32_t i = 0; i < call->n_args; i++)
            all &= !has_arg(e->from, i) || deep(x, s, ir_arg(x->body, call, i));
        put(s, call->def, all || e->copies, all);
    }
}

static void step_call(struct flow *x, struct local_state *s, const struct ir_stmt *call) {
    struct call_effect e = call_effect(x->r, x->body, (uint32_t)(call - x->body->stmts));
    for (uint32_t i = 0; i < call->n_args; i++) {
        ir_var arg = ir_arg(x->body, call, i);
        bool lost = has_arg(e.leaks, i);
        for (uint32_t k = 0; k < call->n_args && k < 64 && i < 64 && (e.kept >> i & 1) != 0; k++) {
            /* It may be stored anywhere in the other's structure. */
            if (k == i || (e.into >> k & 1) == 0) continue;
            lost |= !deep(x, s, ir_arg(x->body, call, k));
            if (!deep(x, s, arg)) clear_group(x, s, ir_arg(x->body, call, k), false);
        }
        if (lost) clear_group(x, s, arg, true);
        if (has_arg(e.stores, i)) clear_group(x, s, arg, false);
    }
    step_result(x, s, call, &e);
}

static void step(struct flow *x, struct local_state *s, const struct ir_stmt *t) {
    const struct ir_body *body = x->body;
    step_held(x, s, t);
    switch (t->op) {
    case IR_NEW:
    case IR_NEW_ARRAY:
        put(s, t->def, true, true);
        put_unheld(s, t->def, true);
        break;
    case IR_CAST:
        put(s, t->def, own(x, s, ir_arg(body, t, 0)), deep(x, s, ir_arg(body, t, 0)));
        put_unheld(s, t->def, unheld(x, s, ir_arg(body, t, 0)));
        break;
    case IR_GET_FIELD:
    case IR_ARRAY_LOAD: {
        bool d = deep(x, s, ir_arg(body, t, 0));
        put(s, t->def, d, d);
        break;
    }
    case IR_GET_STATIC:
    case IR_CATCH: put(s, t->def, false, false); break;
    case IR_CONST: put(s, t->def, true, true); break;
    case IR_PUT_STATIC: clear_group(x, s, ir_arg(body, t, 0), true); break;
    case IR_PUT_FIELD: step_store(x, s, ir_arg(body, t, 0), ir_arg(body, t, 1)); break;
    case IR_ARRAY_STORE: step_store(x, s, ir_arg(body, t, 0), ir_arg(body, t, 2)); break;
    case IR_INVOKE: step_call(x, s, t); break;
    default: break;
    }
}

/* ---- blocks ---- */

/* The state on an edge, with the target's PHIs set from this predecessor's operands. */
static bool flow_edge(struct flow *x, uint32_t from, uint32_t to, const struct local_state *out,
                      struct local_state *edge) {
    const struct ir_block *target = &x->body->blocks[to];
    const struct ir_edge *preds = ir_preds(x->body, target);
    state_copy(edge, out);
    for (uint32_t i = target->first; i < target->end && x->body->stmts[i].op == IR_PHI; i++) {
        const struct ir_stmt *phi = &x->body->stmts[i];
        bool o = true, d = true, u = true;
        for (uint32_t k = 0; k < target->n_preds; k++) {
            if (preds[k].block != from) continue;
            o &= own(x, out, ir_arg(x->body, phi, k));
            d &= deep(x, out, ir_arg(x->body, phi, k));
            u &= unheld(x, out, ir_arg(x->body, phi, k));
        }
        put(edge, phi->def, o, d);
        put_unheld(edge, phi->def, u);
    }
    return state_meet(&x->f->at_block[to], edge);
}

/*
 * `if (ref.compareAndSet(old, x))`: where it returned false it stored nothing, and x is still whose it was.
 * The statement of such a call, if the block ends with its test and calls nothing else in between.
 */
static uint32_t tested_exchange(struct flow *x, const struct ir_block *b, uint32_t *failed_succ) {
    const struct ir_stmt *test = &x->body->stmts[b->end - 1];
    if (test->op != IR_IF || test->n_args != 1 || (test->ref != CF_OP_IFEQ && test->ref != CF_OP_IFNE))
        return UINT32_MAX;
    const struct ir_stmt *call = ir_def(x->body, ir_arg(x->body, test, 0));
    const struct member_ref *ref = invoke_ref(x->r, call);
    uint32_t at = (uint32_t)(call - x->body->stmts);
    if (ref == NULL || call->n_args != 3 || !name_is(x->r, ref->name, "compareAndSet") ||
        !class_is(x->r, ref->cls, "java/util/concurrent/atomic/AtomicReference") || at < b->first ||
        at >= b->end)
        return UINT32_MAX;
    for (uint32_t i = at + 1; i + 1 < b->end; i++) {
        if (x->body->stmts[i].op != IR_CONST && x->body->stmts[i].op != IR_CAST) return UINT32_MAX;
    }
    *failed_succ = test->ref == CF_OP_IFEQ ? 1 : 0;
    return at;
}

static bool flow_block(struct flow *x, uint32_t b, struct local_state scratch[4]) {
    const struct ir_block *block = &x->body->blocks[b];
    struct local_state *now = &scratch[0], *thrown = &scratch[1], *edge = &scratch[2], *failed = &scratch[3];
    if (!x->f->at_block[b].reached) return false;
    state_copy(now, &x->f->at_block[b]);
    thrown->reached = false;
    uint32_t failed_succ = UINT32_MAX, exchange = tested_exchange(x, block, &failed_succ);
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct ir_stmt *s = &x->body->stmts[i];
        bool throws = ir_may_throw(s);
        if (i == exchange) state_copy(failed, now);
        if (throws) state_meet(thrown, now);
        step(x, now, s);
        if (throws) state_meet(thrown, now);
    }
    bool changed = false;
    const struct ir_edge *succs = ir_succs(x->body, block);
    for (uint32_t i = 0; i < block->n_succs; i++) {
        const struct local_state *out = succs[i].exceptional ? thrown : i == failed_succ ? failed : now;
        if (out->reached) changed |= flow_edge(x, b, succs[i].block, out, edge);
    }
    return changed;
}

static void solve(struct races *r, method_id m, struct arena *scratch) {
    const struct ir_body *body = body_of(r, m);
    struct flow x = {r, body, facts_of(r, m)->local};
    for (uint32_t b = 0; b < body->n_blocks; b++) x.f->at_block[b].reached = false;
    struct local_state *entry = &x.f->at_block[0], work[4];
    memset(entry->own.w, 0, entry->own.n_words * sizeof(uint64_t));
    memset(entry->deep.w, 0, entry->deep.n_words * sizeof(uint64_t));
    memset(entry->unheld.w, 0, entry->unheld.n_words * sizeof(uint64_t));
    for (uint32_t v = 1; v <= body->n_params && v <= 64; v++) {
        put(entry, (ir_var){v}, (x.f->own_in >> (v - 1) & 1) != 0, (x.f->deep_in >> (v - 1) & 1) != 0);
    }
    if (x.f->unheld_in) bits_add(&entry->unheld, 1);
    entry->reached = true;
    for (int i = 0; i < 4; i++) state_init(&work[i], body, scratch);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < body->n_blocks; b++) changed |= flow_block(&x, b, work);
    }
}

/* ---- the call graph ---- */

typedef VEC(method_id) method_list;

/* Parameters keep only what every caller gives them. */
static void lower(struct races *r, method_id callee, uint64_t own_args, uint64_t deep_args, bool unheld_this,
                  method_list *queue) {
    struct local_flow *f = facts_of(r, callee)->local;
    if (f == NULL) return;
    uint64_t o = f->own_in & own_args, d = f->deep_in & deep_args;
    if (o == f->own_in && d == f->deep_in && (unheld_this || !f->unheld_in)) return;
    f->unheld_in &= unheld_this;
    f->own_in = o;
    f->deep_in = d;
    if (!f->queued) vec_push(queue, callee);
    f->queued = true;
}

static bool is_constructor(const struct races *r, name_id name) {
    return name_is(r, name, "<init>");
}

/* Whether a constructor that the statement calls gets a `this` that nothing holds.  No other argument is that
 * object, which is no value before its constructor runs.  Function objects and reflection call constructors
 * on new objects only. */
static bool passes_unheld(const struct flow *x, const struct local_state *s, const struct ir_stmt *t) {
    const struct member_ref *ref = invoke_ref(x->r, t);
    if (ref == NULL || t->sub != IR_CALL_SPECIAL || !is_constructor(x->r, ref->name)) return true;
    return bits_has(&s->unheld, ir_arg(x->body, t, 0).v);
}

static void pass_arguments(struct flow *x, const struct local_state *s, uint32_t stmt, method_list *queue) {
    const struct ir_stmt *t = &x->body->stmts[stmt];
    uint64_t own_args = 0, deep_args = 0;
    bool unheld_this = passes_unheld(x, s, t);
    for (uint32_t i = 0; i < t->n_args && i < 64; i++) {
        ir_var arg = ir_arg(x->body, t, i);
        bool before = own(x, s, arg);
        /* The same object passed twice, or inside of another argument, is still one thread's own. */
        own_args |= (uint64_t)before << i;
        deep_args |= (uint64_t)(before && deep(x, s, arg)) << i;
    }
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(x->r->pts, x->body->method, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callees_at(x->r->pts, insts[i], stmt, &n);
        for (uint32_t k = 0; k < n; k++) {
            method_id callee = pts_inst_info(x->r->pts, calls[k].callee)->method;
            bool plain = calls[k].kind == PTS_EDGE_CALL && argument_matches(x->r, t, callee);
            lower(x->r, callee, plain ? own_args : 0, plain ? deep_args : 0, unheld_this, queue);
        }
    }
}

static void pass_all(struct races *r, method_id m, method_list *queue, struct arena *scratch) {
    const struct ir_body *body = body_of(r, m);
    struct flow x = {r, body, facts_of(r, m)->local};
    struct local_state now;
    state_init(&now, body, scratch);
    for (uint32_t b = 0; b < body->n_blocks; b++) {
        if (!x.f->at_block[b].reached) continue;
        state_copy(&now, &x.f->at_block[b]);
        for (uint32_t i = body->blocks[b].first; i < body->blocks[b].end; i++) {
            if (body->stmts[i].op == IR_INVOKE) pass_arguments(&x, &now, i, queue);
            step(&x, &now, &body->stmts[i]);
        }
    }
}

/* Whether something other than a plain call of the application enters the method. */
static bool called_from_outside(struct races *r, method_id m) {
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callers(r->pts, insts[i], &n);
        if (n == 0) return true;
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].caller.v == 0 || calls[k].kind != PTS_EDGE_CALL ||
                !is_app(r, pts_inst_info(r->pts, calls[k].caller)->method))
                return true;
        }
    }
    for (uint32_t t = 0; t < r->n_threads; t++) {
        if (method_id_eq(pts_inst_info(r->pts, pts_thread(r->pts, t)->root)->method, m)) return true;
    }
    return false;
}

/* Summaries of everything that the method calls, so that its flow finds them finished. */
static void summarise_callees(struct races *r, method_id m) {
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callees(r->pts, insts[i], &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_CALL) summary_of(r, pts_inst_info(r->pts, calls[k].callee)->method);
        }
    }
}

static void add_method(struct races *r, method_id m, method_list *queue) {
    const struct ir_body *body = body_of(r, m);
    if (body == NULL || facts_of(r, m)->local != NULL) return;
    summarise_callees(r, m);
    struct local_flow *f = facts_of(r, m)->local = ARENA_NEW(&r->arena, struct local_flow);
    groups_build(r, body, &f->groups, &r->arena);
    names_build(r, body, &f->names, &r->arena);
    /* Parameters may be parts of one structure. */
    ir_var first = {0};
    for (uint32_t v = 1; v <= body->n_params; v++) {
        if (!is_mutable_ref(r, body, (ir_var){v})) continue;
        if (first.v != 0) group_join(&f->groups, first, (ir_var){v});
        first = (ir_var){v};
    }
    f->unheld_in = is_constructor(r, program_method(r->p, m)->name);
    f->at_block = ARENA_NEW_N(&r->arena, body->n_blocks, struct local_state);
    for (uint32_t b = 0; b < body->n_blocks; b++) state_init(&f->at_block[b], body, &r->arena);
    f->own_in = f->deep_in = called_from_outside(r, m) ? 0 : UINT64_MAX;
    f->queued = true;
    vec_push(queue, m);
}

void local_init(struct races *r) {
    method_list queue = {0};
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
        if (is_app(r, m)) add_method(r, m, &queue);
    }
    struct arena scratch;
    arena_init(&scratch);
    for (size_t head = 0; head < queue.n; head++) {
        method_id m = queue.v[head];
        facts_of(r, m)->local->queued = false;
        arena_clear(&scratch);
        solve(r, m, &scratch);
        pass_all(r, m, &queue, &scratch);
    }
    arena_release(&scratch);
    vec_release(&queue);
}

bool is_local(struct races *r, const struct races_access *a) {
    const struct local_flow *f = facts_of(r, a->method)->local;
    if (f == NULL || a->object.v == 0 || a->stands_for) return false;
    const struct ir_body *body = body_of(r, a->method);
    uint32_t b = ir_block_of(body, a->stmt);
    if (!f->at_block[b].reached) return true; /* never runs */
    struct arena scratch;
    arena_init(&scratch);
    struct flow x = {r, body, facts_of(r, a->method)->local};
    struct local_state now;
    state_init(&now, body, &scratch);
    state_copy(&now, &f->at_block[b]);
    for (uint32_t i = body->blocks[b].first; i < a->stmt; i++) step(&x, &now, &body->stmts[i]);
    bool result = bits_has(&now.own, a->object.v) || bits_has(&now.unheld, a->object.v);
    arena_release(&scratch);
    return result;
}
