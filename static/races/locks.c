/*
 * Locks that a method took itself and must still hold at each statement.
 *
 * The model: a forward analysis over the blocks; the state is a multiset of lock names (struct lock), and
 * where paths meet only what all of them hold stays.  A name rooted in a variable ends where that variable is
 * defined again.  Monitors are taken by synchronized methods and blocks; java.util.concurrent locks by calls,
 * a tryLock on the branch where it returned true.
 *
 * Releasing a j.u.c. lock that is not among the names held may release any of them, the callers' included:
 * the names go, and the flow says what it gives back if the callers have a name for it (`given_back`), or is
 * marked (`releases`), which in turn counts for every call that leads there.  A helper that takes a lock for
 * its caller says so, too (`gained`).
 */
#include "groups.h"
#include "internal.h"
#include "lockops.h"
#include "orders.h"
#include "tokens.h"
#include "race/opcodes.h"

#include <string.h>

bool lock_equal(const struct lock *a, const struct lock *b) {
    return a->shared == b->shared && a->juc == b->juc && a->around == b->around &&
           path_equal(&a->path, &b->path);
}

void locks_add(struct locks *l, const struct lock *lock) {
    if (l->n < LOCKS_MAX && lock->path.root != PATH_NONE) l->v[l->n++] = *lock;
}

static void remove_at(struct locks *l, unsigned i) {
    memmove(&l->v[i], &l->v[i + 1], (l->n - i - 1u) * sizeof *l->v);
    l->n--;
}

void locks_meet(struct locks *into, const struct locks *with) {
    if (with->top) return;
    if (into->top) {
        *into = *with;
        return;
    }
    struct locks rest = *with;
    for (unsigned i = 0; i < into->n;) {
        unsigned k = 0;
        while (k < rest.n && !lock_equal(&into->v[i], &rest.v[k])) k++;
        if (k == rest.n) {
            remove_at(into, i);
        } else { /* each occurrence counts once */
            remove_at(&rest, k);
            i++;
        }
    }
    into->own_only |= with->own_only;
    into->lost_tokens |= with->lost_tokens;
}

static bool locks_same(const struct locks *a, const struct locks *b) {
    if (a->top != b->top || a->own_only != b->own_only || a->lost_tokens != b->lost_tokens || a->n != b->n)
        return false;
    for (unsigned i = 0; i < a->n; i++) {
        if (!lock_equal(&a->v[i], &b->v[i])) return false;
    }
    return true;
}

static void drop_where(struct locks *l, bool juc) {
    for (unsigned i = l->n; i-- > 0;) {
        if (l->v[i].juc == juc) remove_at(l, i);
    }
}

/* Gives one hold of the lock back; false if it is not known to be held. */
static bool release(struct locks *l, const struct lock *lock, bool any_mode) {
    for (unsigned i = l->n; i-- > 0;) {
        const struct lock *held = &l->v[i];
        if (held->juc == lock->juc && (any_mode || held->shared == lock->shared) &&
            path_equal(&held->path, &lock->path)) {
            remove_at(l, i);
            return true;
        }
    }
    return false;
}

/* ---- one statement ---- */

struct flow {
    struct races *r;
    const struct ir_body *body;
    struct lock_flow *out;
};

/* Whether some callee gives back a lock that it did not take. */
static bool callees_give_back(struct races *r, method_id m, uint32_t stmt) {
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callees_at(r->pts, insts[i], stmt, &n);
        for (uint32_t k = 0; k < n; k++) {
            method_id callee = pts_inst_info(r->pts, calls[k].callee)->method;
            const struct lock_flow *flow = is_app(r, callee) ? lock_flow_of(r, callee) : NULL;
            if (flow != NULL && (!flow->solved || flow->given_back.n > 0)) return true;
        }
    }
    return false;
}

static void lose_all(struct flow *x, struct locks *l) {
    drop_where(l, true);
    l->own_only = true;
    x->out->releases = true;
}

/* A name that callers understand. */
static bool has_outer_name(const struct ir_body *body, const struct path *p) {
    return p->root == PATH_VAR ? p->id <= body->n_params : p->root != PATH_NONE;
}

/* A lock that is not among those held goes: it may be any of them under another name, or the caller's. */
static void give_back(struct flow *x, struct locks *l, const struct lock *lock) {
    if (!has_outer_name(x->body, &lock->path) || x->out->given_back.n == LOCKS_MAX) {
        lose_all(x, l);
        return;
    }
    bool known = false;
    for (unsigned i = 0; i < x->out->given_back.n; i++) known |= lock_equal(&x->out->given_back.v[i], lock);
    if (!known) locks_add(&x->out->given_back, lock);
    if (lock->path.root == PATH_TOKEN) { /* it has one name only */
        l->lost_tokens |= (uint64_t)1 << lock->path.id;
        return;
    }
    drop_where(l, true);
    l->own_only = true;
}

/* The callee's lock under the caller's name. */
static bool outer_name(struct flow *x, const struct ir_stmt *call, method_id callee, struct lock *lock) {
    if (lock->path.root != PATH_VAR) return true;
    if (!argument_matches(x->r, call, callee) || lock->path.id > call->n_args) return false;
    struct path p = path_of(x->r, x->body, ir_arg(x->body, call, lock->path.id - 1));
    for (unsigned i = 0; i < lock->path.n; i++) {
        if (!path_extend(&p, lock->path.fields[i])) return false;
    }
    lock->path = p;
    return true;
}

/* A call of a method that takes or releases locks for its callers. */
static void step_helper(struct flow *x, const struct ir_stmt *s, struct locks *l) {
    const struct member_ref *ref = invoke_ref(x->r, s);
    if (ref == NULL || ref->name.v >= x->r->lock_helpers.n_words * 64u ||
        !bits_has(&x->r->lock_helpers, ref->name.v))
        return;
    uint32_t stmt = (uint32_t)(s - x->body->stmts);
    method_id only = only_callee(x->r, x->body->method, stmt);
    if (only.v == 0) {
        if (callees_give_back(x->r, x->body->method, stmt)) lose_all(x, l);
        return;
    }
    const struct lock_flow *flow = is_app(x->r, only) ? lock_flow_of(x->r, only) : NULL;
    if (flow == NULL) return;
    if (!flow->solved) { /* recursion */
        lose_all(x, l);
        return;
    }
    for (unsigned i = 0; i < flow->given_back.n; i++) {
        struct lock lock = flow->given_back.v[i];
        if (!outer_name(x, s, only, &lock)) {
            lose_all(x, l);
        } else if (!release(l, &lock, false)) {
            give_back(x, l, &lock);
        }
    }
    for (unsigned i = 0; i < flow->gained.n; i++) {
        struct lock lock = flow->gained.v[i];
        if (outer_name(x, s, only, &lock)) locks_add(l, &lock);
    }
}

static void step_call(struct flow *x, const struct ir_stmt *s, struct locks *l) {
    struct lock_op op = lock_op_of(x->r, x->body, s);
    switch (op.kind) {
    case LOCK_OP_ACQUIRE: locks_add(l, &op.lock); break;
    case LOCK_OP_RELEASE:
        if (!release(l, &op.lock, op.any_mode)) op.any_mode ? lose_all(x, l) : give_back(x, l, &op.lock);
        break;
    case LOCK_OP_RELEASE_UNKNOWN: lose_all(x, l); break;
    case LOCK_OP_NONE:
        if (call_may_release(x->r, x->body->method, (uint32_t)(s - x->body->stmts))) lose_all(x, l);
        step_helper(x, s, l);
        break;
    case LOCK_OP_TRY: break; /* on the edge */
    }
}

static struct lock token_lock(const struct token_mark *m) {
    return (struct lock){.juc = true, .path = {.root = PATH_TOKEN, .id = m->token}};
}

/* Tokens that the statement takes or gives away. */
static void step_tokens(struct flow *x, const struct ir_stmt *s, struct locks *l) {
    const struct token_marks *marks = facts_of(x->r, x->body->method)->tokens;
    uint32_t stmt = (uint32_t)(s - x->body->stmts);
    for (uint32_t i = 0; marks != NULL && i < marks->n; i++) {
        if (marks->v[i].stmt != stmt || marks->v[i].act == TOKEN_TAKES_ON_EDGE) continue;
        struct lock lock = token_lock(&marks->v[i]);
        if (marks->v[i].act == TOKEN_TAKES) {
            locks_add(l, &lock);
        } else {
            bool held = release(l, &lock, false);
            while (release(l, &lock, false)) continue; /* a test that was made twice */
            if (!held) give_back(x, l, &lock);
        }
    }
}

static void add_tokens(struct flow *x, const struct ir_block *b, uint32_t succ, struct locks *l) {
    const struct token_marks *marks = facts_of(x->r, x->body->method)->tokens;
    for (uint32_t i = 0; marks != NULL && i < marks->n; i++) {
        if (marks->v[i].stmt + 1 != b->end || marks->v[i].act != TOKEN_TAKES_ON_EDGE ||
            marks->v[i].succ != succ)
            continue;
        struct lock lock = token_lock(&marks->v[i]);
        locks_add(l, &lock);
    }
}

static void step(struct flow *x, const struct ir_stmt *s, struct locks *l) {
    struct lock monitor = {0};
    switch (s->op) {
    case IR_MONITOR_ENTER:
        monitor.path = path_of(x->r, x->body, ir_arg(x->body, s, 0));
        locks_add(l, &monitor);
        break;
    case IR_MONITOR_EXIT:
        monitor.path = path_of(x->r, x->body, ir_arg(x->body, s, 0));
        if (!release(l, &monitor, false)) drop_where(l, false);
        break;
    case IR_INVOKE: step_call(x, s, l); break;
    default: break;
    }
    step_tokens(x, s, l);
    if (s->def.v == 0 || s->op == IR_PARAM) return;
    for (unsigned i = l->n; i-- > 0;) { /* the variable means another object from here on */
        if (l->v[i].path.root == PATH_VAR && l->v[i].path.id == s->def.v) remove_at(l, i);
    }
}

/* ---- the method ---- */

/* On the edge of `if (lock.tryLock())` where it returned true. */
static void add_tried(struct flow *x, const struct ir_block *b, uint32_t succ, struct locks *l) {
    const struct ir_stmt *last = &x->body->stmts[b->end - 1];
    if (last->op != IR_IF || last->n_args != 1) return;
    /* succs[0] is where it falls through, succs[1] where it jumps. */
    if (!(last->ref == CF_OP_IFEQ && succ == 0) && !(last->ref == CF_OP_IFNE && succ == 1)) return;
    const struct ir_stmt *call = ir_def(x->body, ir_arg(x->body, last, 0));
    uint32_t at = (uint32_t)(call - x->body->stmts);
    if (call->op != IR_INVOKE || at < b->first || at >= b->end) return;
    for (uint32_t i = at + 1; i < b->end; i++) { /* nothing may give it back in between */
        if (x->body->stmts[i].op == IR_INVOKE) return;
    }
    struct lock_op op = lock_op_of(x->r, x->body, call);
    if (op.kind == LOCK_OP_TRY) locks_add(l, &op.lock);
}

static bool flow_block(struct flow *x, uint32_t b) {
    const struct ir_block *block = &x->body->blocks[b];
    struct locks now = x->out->at_block[b], thrown = {.top = true};
    if (now.top) return false;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct ir_stmt *s = &x->body->stmts[i];
        bool throws = ir_may_throw(s);
        if (throws) locks_meet(&thrown, &now);
        step(x, s, &now);
        /* Structured code does not fail to leave a monitor; a j.u.c. lock may be gone when a call throws. */
        if (throws && s->op == IR_INVOKE) locks_meet(&thrown, &now);
    }
    bool changed = false;
    const struct ir_edge *succs = ir_succs(x->body, block);
    for (uint32_t i = 0; i < block->n_succs; i++) {
        struct locks edge = succs[i].exceptional ? thrown : now, *target = &x->out->at_block[succs[i].block];
        if (edge.top) continue;
        if (!succs[i].exceptional) {
            add_tried(x, block, i, &edge);
            add_tokens(x, block, i, &edge);
        }
        struct locks old = *target;
        locks_meet(target, &edge);
        changed |= !locks_same(&old, target);
    }
    return changed;
}

/* What is held at every return, as far as callers have a name for it. */
static void find_gained(struct flow *x) {
    struct locks *gained = &x->out->gained;
    gained->top = true;
    for (uint32_t b = 0; b < x->body->n_blocks; b++) {
        const struct ir_block *block = &x->body->blocks[b];
        struct locks now = x->out->at_block[b];
        if (now.top || x->body->stmts[block->end - 1].op != IR_RETURN) continue;
        for (uint32_t i = block->first; i < block->end; i++) step(x, &x->body->stmts[i], &now);
        locks_meet(gained, &now);
    }
    if (gained->top) *gained = (struct locks){0}; /* never returns */
    for (unsigned i = gained->n; i-- > 0;) {
        if (!gained->v[i].juc || !has_outer_name(x->body, &gained->v[i].path)) remove_at(gained, i);
    }
}

static void entry_state(struct races *r, method_id m, struct locks *l) {
    const struct method_info *info = program_method(r->p, m);
    *l = (struct locks){0};
    if ((info->access & CF_ACC_SYNCHRONIZED) == 0) return;
    struct lock monitor = {.path = {.root = PATH_VAR, .id = 1}};
    if ((info->access & CF_ACC_STATIC) != 0)
        monitor.path = (struct path){.root = PATH_CLASS, .id = info->owner.v};
    locks_add(l, &monitor);
}

const struct lock_flow *lock_flow_of(struct races *r, method_id m) {
    const struct ir_body *body = body_of(r, m);
    struct method_facts *facts = facts_of(r, m);
    if (facts->locks != NULL || body == NULL) return facts->locks;
    struct lock_flow *out = facts->locks = ARENA_NEW(&r->arena, struct lock_flow);
    out->at_block = ARENA_NEW_N(&r->arena, body->n_blocks, struct locks);
    for (uint32_t b = 0; b < body->n_blocks; b++) out->at_block[b].top = true;
    entry_state(r, m, &out->at_block[0]);
    struct flow x = {r, body, out};
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < body->n_blocks; b++) changed |= flow_block(&x, b);
    }
    find_gained(&x);
    out->solved = true;
    return out;
}

static bool is_lock_helper(struct races *r, const struct ir_body *body) {
    if (facts_of(r, body->method)->tokens != NULL) return true;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        if (body->stmts[i].op == IR_INVOKE && lock_op_of(r, body, &body->stmts[i]).kind != LOCK_OP_NONE)
            return true;
    }
    return false;
}

void find_lock_helpers(struct races *r) {
    VEC(uint32_t) names = {0};
    uint32_t max = 0;
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const struct ir_body *body = pts_is_reachable(r->pts, m) ? body_of(r, m) : NULL;
            if (body == NULL || !is_lock_helper(r, body)) continue;
            uint32_t name = program_method(r->p, m)->name.v;
            vec_push(&names, name);
            if (name > max) max = name;
        }
    }
    bits_init(&r->lock_helpers, &r->arena, max + 1);
    for (size_t i = 0; i < names.n; i++) bits_add(&r->lock_helpers, names.v[i]);
    vec_release(&names);
}

static void find_locks_before(struct races *r, method_id m, uint32_t stmt, struct locks *out) {
    *out = (struct locks){0};
    const struct lock_flow *flow = lock_flow_of(r, m);
    const struct ir_body *body = body_of(r, m);
    if (flow == NULL) return;
    uint32_t b = ir_block_of(body, stmt);
    *out = flow->at_block[b];
    struct lock_flow scratch = *flow;
    struct flow x = {r, body, &scratch};
    if (out->top) { /* dead code */
        *out = (struct locks){0};
        return;
    }
    for (uint32_t i = body->blocks[b].first; i < stmt; i++) step(&x, &body->stmts[i], out);
    locks_add_ordered(r, body, out);
}

/* Later stages ask again and again, each in every context of the method. */
void locks_before(struct races *r, method_id m, uint32_t stmt, struct locks *out) {
    static const struct locks none = {0};
    const struct ir_body *body = r->locks_final ? body_of(r, m) : NULL;
    if (body == NULL) {
        find_locks_before(r, m, stmt, out);
        return;
    }
    struct method_facts *facts = facts_of(r, m);
    if (facts->locks_before == NULL)
        facts->locks_before = ARENA_NEW_N(&r->arena, body->n_stmts, const struct locks *);
    const struct locks **at = &facts->locks_before[stmt];
    if (*at == NULL) {
        find_locks_before(r, m, stmt, out);
        bool empty = out->n == 0 && !out->top && !out->own_only && out->lost_tokens == 0;
        *at = empty ? &none : arena_copy(&r->arena, out, sizeof *out);
    }
    *out = **at;
}
