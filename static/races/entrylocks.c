/*
 * Locks that must be held when a method is entered: what all of its calls hold, in terms of its parameters.
 * The greatest solution: every instance starts with "everything" and only loses.  Code of the JDK between two
 * methods of the application is taken to hold nothing, which is safe.
 */
#include "around.h"
#include "groups.h"
#include "internal.h"
#include "lockops.h"

#include <string.h>

/* ---- who may release a caller's lock ---- */

static bool spread_releasing(struct races *r, pts_inst from) {
    VEC(pts_inst) queue = {0};
    if (bits_has(&r->releasing, from.v)) return false;
    bits_add(&r->releasing, from.v);
    vec_push(&queue, from);
    while (queue.n > 0) {
        uint32_t n;
        const struct pts_call *calls = pts_callers(r->pts, vec_pop(&queue), &n);
        for (uint32_t i = 0; i < n; i++) {
            if (calls[i].kind != PTS_EDGE_CALL || calls[i].caller.v == 0) continue;
            if (bits_has(&r->releasing, calls[i].caller.v)) continue;
            bits_add(&r->releasing, calls[i].caller.v);
            vec_push(&queue, calls[i].caller);
        }
    }
    vec_release(&queue);
    return true;
}

/* Code of the JDK that calls the method has no flow to say what becomes of its own caller's locks. */
static bool spread_to_strangers(struct races *r, pts_inst i) {
    uint32_t n;
    bool changed = false;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].kind == PTS_EDGE_CALL && calls[k].caller.v != 0 &&
            !is_app(r, pts_inst_info(r->pts, calls[k].caller)->method))
            changed |= spread_releasing(r, calls[k].caller);
    }
    return changed;
}

/* Flows depend on who releases, and who releases on the flows: repeat until nothing is added. */
static void solve_releasing(struct races *r) {
    bits_init(&r->releasing, &r->arena, r->n_insts + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i <= r->n_insts; i++) {
            method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
            if (!is_app(r, m)) continue;
            const struct lock_flow *flow = lock_flow_of(r, m);
            if (flow != NULL && flow->releases) changed |= spread_releasing(r, (pts_inst){i});
            if (flow != NULL && flow->given_back.n > 0) changed |= spread_to_strangers(r, (pts_inst){i});
        }
        if (!changed) break;
        for (size_t m = 0; m < r->methods.n; m++) r->methods.v[m].locks = NULL;
    }
}

/* ---- calls ---- */

/* A caller's hold lasts for the whole call: how often it holds the lock does not matter. */
static void add_once(struct locks *l, const struct lock *lock) {
    for (unsigned i = 0; i < l->n; i++) {
        if (lock_equal(&l->v[i], lock)) return;
    }
    locks_add(l, lock);
}

/* Adds the names that a lock of the caller has in the callee. */
static void translate(struct races *r, const struct pts_call *call, const struct ir_body *body, bool plain,
                      const struct lock *lock, struct locks *out) {
    struct lock renamed = *lock;
    struct path whole = lock->path;
    bool of_var = whole.root == PATH_VAR || whole.root == PATH_INSIDE;
    if (whole.root == PATH_OTHER) return;
    if (!of_var) add_once(out, lock);
    if (lock->path.root != PATH_INSIDE && lock->path.root != PATH_OBJECT && lock->path.root != PATH_TOKEN) {
        pts_obj only = path_object(r, call->caller, &lock->path);
        if (only.v != 0) {
            renamed.path = (struct path){.root = PATH_OBJECT, .id = only.v};
            add_once(out, &renamed);
        }
    }
    if (!plain || !of_var) return;
    whole.root = PATH_VAR;
    const struct ir_stmt *s = &body->stmts[call->stmt];
    for (uint32_t i = 0; i < s->n_args; i++) {
        if (body->vars[ir_arg(body, s, i).v].kind != IR_REF) continue;
        struct path arg = path_of(r, body, ir_arg(body, s, i));
        if (!path_starts_with(&whole, &arg)) continue;
        renamed.path = (struct path){.root = lock->path.root, .id = i + 1};
        for (unsigned k = arg.n; k < whole.n; k++) path_extend(&renamed.path, whole.fields[k]);
        add_once(out, &renamed);
    }
}

static void locks_at_call(struct races *r, const struct pts_call *call, struct locks *out) {
    *out = (struct locks){0};
    if (call->caller.v == 0 || call->kind != PTS_EDGE_CALL) return;
    method_id m = pts_inst_info(r->pts, call->caller)->method;
    if (!is_app(r, m)) return;
    const struct ir_body *body = body_of(r, m);
    if (body == NULL) return;
    struct locks held;
    locks_held(r, call->caller, call->stmt, &held);
    if (held.top) {
        out->top = true;
        return;
    }
    bool plain = argument_matches(r, &body->stmts[call->stmt], pts_inst_info(r->pts, call->callee)->method);
    for (unsigned i = 0; i < held.n; i++) translate(r, call, body, plain, &held.v[i], out);
}

void locks_held(struct races *r, pts_inst i, uint32_t stmt, struct locks *out) {
    method_id m = pts_inst_info(r->pts, i)->method;
    const struct locks *entry = &r->entry_locks[i.v];
    if (entry->top) { /* nobody's call has been looked at yet */
        *out = *entry;
        return;
    }
    locks_before(r, m, stmt, out);
    for (unsigned k = 0; k < entry->n; k++) {
        const struct path *p = &entry->v[k].path;
        if (p->root == PATH_TOKEN && (out->lost_tokens >> p->id & 1) != 0) continue;
        if (!out->own_only || !entry->v[k].juc) locks_add(out, &entry->v[k]);
    }
}

static bool update(struct races *r, pts_inst i) {
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    struct locks now = {.top = true}, from;
    if (n == 0 || bits_has(&r->thread_roots, i.v)) now = (struct locks){0};
    for (uint32_t k = 0; k < n && (now.top || now.n > 0); k++) {
        locks_at_call(r, &calls[k], &from);
        locks_meet(&now, &from);
    }
    struct lock key;
    if (!now.top && key_lock(r, i, &key)) add_once(&now, &key);
    if (!now.top && around_locks(r, i, &from)) {
        if (from.top) return false; /* its maker was not reached yet */
        for (unsigned k = 0; k < from.n; k++) add_once(&now, &from.v[k]);
    }
    struct locks *entry = &r->entry_locks[i.v];
    locks_meet(&now, entry); /* it only ever shrinks, however names are cut off */
    if (now.top == entry->top && now.n == entry->n) return false;
    *entry = now;
    return true;
}

void entry_locks_init(struct races *r) {
    find_lock_helpers(r);
    solve_releasing(r);
    r->entry_locks = ARENA_NEW_N(&r->arena, r->n_insts + 1, struct locks);
    VEC(pts_inst) app = {0};
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        if (!is_app(r, pts_inst_info(r->pts, (pts_inst){i})->method)) continue;
        r->entry_locks[i].top = true;
        vec_push(&app, ((pts_inst){i}));
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < app.n; k++) changed |= update(r, app.v[k]);
    }
    /* Only recursion without an entry is left: it never runs. */
    for (size_t k = 0; k < app.n; k++) r->entry_locks[app.v[k].v].top = false;
    vec_release(&app);
}
