/*
 * Locks that a method took itself and must still hold at each statement.
 *
 * The model: a forward analysis over the blocks; the state is a multiset of lock names (struct lock), and
 * where paths meet only what all of them hold stays.  A name rooted in a variable ends where that variable is
 * defined again.  Monitors are taken by synchronized methods and blocks; java.util.concurrent locks by calls,
 * a tryLock on the branch where it returned true.
 *
 * Releasing a j.u.c. lock that is not among the names held may release any of them, the callers' included:
 * the names go and the flow is marked (`releases`), which in turn counts for every call that leads there.
 */
#include "internal.h"
#include "lockops.h"
#include "race/opcodes.h"

#include <string.h>

bool lock_equal(const struct lock *a, const struct lock *b) {
    return a->shared == b->shared && a->juc == b->juc && path_equal(&a->path, &b->path);
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
}

static bool locks_same(const struct locks *a, const struct locks *b) {
    if (a->top != b->top || a->own_only != b->own_only || a->n != b->n) return false;
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

static void lose_all(struct flow *x, struct locks *l) {
    drop_where(l, true);
    l->own_only = true;
    x->out->releases = true;
}

static void step_call(struct flow *x, const struct ir_stmt *s, struct locks *l) {
    struct lock_op op = lock_op_of(x->r, x->body, s);
    switch (op.kind) {
    case LOCK_OP_ACQUIRE: locks_add(l, &op.lock); break;
    case LOCK_OP_RELEASE:
        if (!release(l, &op.lock, op.any_mode)) lose_all(x, l);
        break;
    case LOCK_OP_RELEASE_UNKNOWN: lose_all(x, l); break;
    case LOCK_OP_NONE:
        if (call_may_release(x->r, x->body->method, (uint32_t)(s - x->body->stmts))) lose_all(x, l);
        break;
    case LOCK_OP_TRY: break; /* on the edge */
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
        if (!succs[i].exceptional) add_tried(x, block, i, &edge);
        struct locks old = *target;
        locks_meet(target, &edge);
        changed |= !locks_same(&old, target);
    }
    return changed;
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
    return out;
}

void locks_before(struct races *r, method_id m, uint32_t stmt, struct locks *out) {
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
}
