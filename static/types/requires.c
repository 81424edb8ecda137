/*
 * Requires sets and locks-def-held.
 *
 * requires(m) is the least set that has, for every use in m that needs a lock which m does not take, that
 * lock as an expression over m's parameters, static fields and class constants, and for every call in m what
 * the callee requires and m does not hold.  locks-def-held is then the greatest solution of
 *
 *     in(c)  = in(parent(c)) + locks-acquired(c)
 *     out(c) = { l in requires(called(c)) | instantiate(c, l) in in(c), or its owner is a special one }
 *     in(m)  = requires(m) cut with out(c) of every call c of m
 *
 * per instance of a method, so that a call on one receiver does not spoil the others.  Roots of threads,
 * methods that the JDK calls and class initialisers are entered with nothing held.
 */
#include "../races/groups.h" /* argument_matches, call_effect */
#include "internal.h"

#include <string.h>

/* ---- one call ---- */

/* The lock in the caller's terms.  False if it has no name there. */
static bool lock_at_call(struct types *t, const struct pts_call *call, const struct ir_body *body,
                         const struct lock *lock, struct lock *out) {
    *out = *lock;
    if (lock->path.root != PATH_VAR) return true;
    const struct ir_stmt *s = &body->stmts[call->stmt];
    method_id callee = pts_inst_info(t->r->pts, call->callee)->method;
    if (lock->path.id > s->n_args || !argument_matches(t->r, s, callee)) return false;
    out->path = path_of(t->r, body, ir_arg(body, s, lock->path.id - 1));
    for (unsigned i = 0; i < lock->path.n; i++) {
        if (!path_extend(&out->path, lock->path.fields[i])) return false;
    }
    return out->path.root != PATH_NONE;
}

/* Whether the argument needs no lock in this call: thisThread, unique, or not shared yet. */
static bool is_special(struct types *t, const struct pts_call *call, const struct ir_body *body,
                       const struct requirement *q) {
    struct races *r = t->r;
    const struct ir_stmt *s = &body->stmts[call->stmt];
    if (q->object == 0 || q->object > s->n_args || q->object > 64 ||
        !argument_matches(r, s, pts_inst_info(r->pts, call->callee)->method))
        return false;
    ir_var arg = ir_arg(body, s, q->object - 1);
    struct pts_view set = pts_var(r->pts, call->caller, arg);
    struct pts_iter it = {0};
    pts_obj o;
    bool all_free = true;
    while (pts_next(set, &it, &o)) {
        bool is_free = !bits_has(&r->shared, o.v) || bits_has(&t->unique, o.v);
        if (!is_free && bits_has(&r->published, o.v)) return false;
        all_free &= is_free;
    }
    if (all_free) return true;
    struct races_access as_if = {.method = body->method, .stmt = call->stmt, .object = arg};
    struct call_effect e = call_effect(r, body, call->stmt);
    /* The callee could give it away first and use it then. */
    bool stays = ((e.leaks | e.kept) >> (q->object - 1) & 1) == 0;
    return stays && is_local(r, &as_if);
}

static int find_requirement(const struct method_requires *m, const struct lock *lock) {
    for (unsigned i = 0; i < m->n; i++) {
        if (m->v[i].lock.juc == lock->juc && path_equal(&m->v[i].lock.path, &lock->path)) return (int)i;
    }
    return -1;
}

/* Whether the caller takes the lock itself; `own_only`: what its own callers hold may be gone. */
static bool takes_lock(struct types *t, const struct pts_call *call, const struct lock *lock,
                       bool *own_only) {
    struct locks held;
    locks_before(t->r, pts_inst_info(t->r->pts, call->caller)->method, call->stmt, &held);
    *own_only = held.own_only;
    return locks_have(t, call->caller, &held, lock, true);
}

static const struct ir_body *caller_body(struct types *t, const struct pts_call *call) {
    if (call->caller.v == 0 || call->kind != PTS_EDGE_CALL) return NULL;
    method_id m = pts_inst_info(t->r->pts, call->caller)->method;
    return is_app(t->r, m) ? body_of(t->r, m) : NULL;
}

/* ---- the sets ---- */

static bool in_terms_of_parameters(const struct ir_body *body, const struct path *p) {
    return p->root != PATH_NONE && (p->root != PATH_VAR || p->id <= body->n_params);
}

/* For two objects: no single argument can excuse the requirement any more. */
static bool is_weaker(const struct requirement *known, const struct requirement *q) {
    return known->object != 0 && known->object != q->object;
}

/* Whether add_requirement() would change anything. */
static bool is_news(struct types *t, const struct ir_body *body, const struct requirement *q) {
    const struct method_requires *m = &t->requires[body->method.v];
    if (!in_terms_of_parameters(body, &q->lock.path)) return false;
    int at = find_requirement(m, &q->lock);
    return at >= 0 ? is_weaker(&m->v[at], q) : m->n < REQUIRES_MAX;
}

static bool add_requirement(struct types *t, const struct ir_body *body, const struct requirement *q,
                            uint32_t round) {
    struct method_requires *m = &t->requires[body->method.v];
    if (!is_news(t, body, q)) return false;
    int at = find_requirement(m, &q->lock);
    if (at >= 0)
        m->v[at].object = 0;
    else
        m->v[m->n++] = *q;
    m->changed = round;
    return true;
}

/* The parameter that the path is, or 0. */
static uint32_t as_parameter(const struct ir_body *body, const struct path *p) {
    return p->root == PATH_VAR && p->n == 0 && p->id <= body->n_params ? p->id : 0;
}

static void require_for(struct types *t, const struct use *u, struct slot *s) {
    struct requirement q = {0};
    if (s->owner.kind != OWNER_LOCK || s->warning == WARN_ILL_FORMED ||
        !owner_instantiate(t, u, &s->owner, &q.lock))
        return;
    struct locks held;
    locks_before(t->r, u->access->method, u->access->stmt, &held);
    if (locks_have(t, u->inst, &held, &q.lock, u->access->is_write)) return;
    if (u->access->object.v != 0) {
        struct path object = path_of(t->r, u->body, u->access->object);
        q.object = as_parameter(u->body, &object);
    }
    add_requirement(t, u->body, &q, 0);
}

static void require_for_use(struct types *t, const struct use *u) {
    each_slot(t, u, require_for);
}

/* What the callee of one call requires becomes the caller's, unless it holds it.  What the caller requires
 * already, because of another instance or call, needs no look at locks and objects: that is most of it. */
static bool pass_up(struct types *t, const struct pts_call *call, uint32_t round) {
    const struct ir_body *body = caller_body(t, call);
    const struct method_requires *q = &t->requires[pts_inst_info(t->r->pts, call->callee)->method.v];
    bool changed = false, own_only;
    for (unsigned i = 0; body != NULL && i < q->n; i++) {
        struct requirement above = {0};
        if (!lock_at_call(t, call, body, &q->v[i].lock, &above.lock)) continue;
        const struct ir_stmt *s = &body->stmts[call->stmt];
        if (q->v[i].object != 0 && q->v[i].object <= s->n_args) {
            struct path object = path_of(t->r, body, ir_arg(body, s, q->v[i].object - 1));
            above.object = as_parameter(body, &object);
        }
        if (!is_news(t, body, &above) || takes_lock(t, call, &above.lock, &own_only) ||
            is_special(t, call, body, &q->v[i]))
            continue;
        changed |= add_requirement(t, body, &above, round);
    }
    return changed;
}

/* ---- locks-def-held ---- */

static uint32_t held_at_call(struct types *t, const struct pts_call *call, uint32_t wanted) {
    const struct ir_body *body = caller_body(t, call);
    if (body == NULL) return 0;
    const struct method_requires *q = &t->requires[pts_inst_info(t->r->pts, call->callee)->method.v];
    const struct method_requires *own = &t->requires[body->method.v];
    uint32_t out = 0;
    for (unsigned i = 0; i < q->n; i++) {
        struct lock lock;
        bool own_only = false;
        if ((wanted >> i & 1) == 0) continue;
        bool named = lock_at_call(t, call, body, &q->v[i].lock, &lock);
        bool ok = named && takes_lock(t, call, &lock, &own_only);
        int at = named && !(own_only && lock.juc) ? find_requirement(own, &lock) : -1;
        ok |= at >= 0 && (t->held[call->caller.v] >> at & 1) != 0;
        ok = ok || is_special(t, call, body, &q->v[i]);
        out |= (uint32_t)ok << i;
    }
    return out;
}

/* Callers that hold what they held in the last round say what they said then. */
static bool update(struct types *t, pts_inst i, uint32_t round) {
    uint32_t n, now = t->held[i.v];
    const struct pts_call *calls = pts_callers(t->r->pts, i, &n);
    if (now == 0) return false;
    if (n == 0 || bits_has(&t->r->thread_roots, i.v)) now = 0;
    for (uint32_t k = 0; k < n && now != 0; k++) {
        if (t->changed[calls[k].caller.v] + 1 >= round) now &= held_at_call(t, &calls[k], now);
    }
    if (now == t->held[i.v]) return false;
    t->held[i.v] = now;
    t->changed[i.v] = round;
    return true;
}

bool requires_held(struct types *t, pts_inst i, const struct lock *lock) {
    int at = find_requirement(&t->requires[pts_inst_info(t->r->pts, i)->method.v], lock);
    return at >= 0 && (t->held[i.v] >> at & 1) != 0;
}

/* A method with a call that does not hold what the callee requires is not typed. */
static void mark_ill_typed(struct types *t, pts_inst i) {
    uint32_t n;
    const struct method_requires *q = &t->requires[pts_inst_info(t->r->pts, i)->method.v];
    const struct pts_call *calls = pts_callers(t->r->pts, i, &n);
    uint32_t all = q->n == 0 ? 0 : (uint32_t)((1ull << q->n) - 1);
    for (uint32_t k = 0; k < n && all != 0; k++) {
        const struct ir_body *body = caller_body(t, &calls[k]);
        if (body != NULL && !t->requires[body->method.v].ill_typed && held_at_call(t, &calls[k], all) != all)
        t->requires[body->method.v].ill_typed = true;
    }
}

/* Rounds over all instances until nothing changes any more; the first is number 1. */
static void each_app_inst(struct types *t, bool (*visit)(struct types *t, pts_inst i, uint32_t round)) {
    uint32_t round = 0;
    for (bool changed = true; changed;) {
        changed = false;
        round++;
        for (uint32_t i = 1; i <= t->r->n_insts; i++) {
            if (is_app(t->r, pts_inst_info(t->r->pts, (pts_inst){i})->method))
                changed |= visit(t, (pts_inst){i}, round);
        }
    }
}

/* What did not change since the last round has been passed up then. */
static bool pass_up_all(struct types *t, pts_inst i, uint32_t round) {
    uint32_t n;
    bool changed = false;
    const struct method_requires *q = &t->requires[pts_inst_info(t->r->pts, i)->method.v];
    if (q->n == 0 || q->changed + 1 < round) return false;
    const struct pts_call *calls = pts_callers(t->r->pts, i, &n);
    for (uint32_t k = 0; k < n; k++) changed |= pass_up(t, &calls[k], round);
    return changed;
}

void requires_solve(struct types *t) {
    t->n_methods = program_n_methods(t->r->p) + 1;
    t->requires = ARENA_NEW_N(&t->arena, t->n_methods, struct method_requires);
    t->held = ARENA_NEW_N(&t->arena, t->r->n_insts + 1, uint32_t);
    t->changed = ARENA_NEW_N(&t->arena, t->r->n_insts + 1, uint32_t);
    each_use(t, require_for_use);
    each_app_inst(t, pass_up_all);
    for (uint32_t i = 1; i <= t->r->n_insts; i++) {
        unsigned n = t->requires[pts_inst_info(t->r->pts, (pts_inst){i})->method.v].n;
        t->held[i] = (uint32_t)((1ull << n) - 1);
    }
    each_app_inst(t, update);
    for (uint32_t i = 1; i <= t->r->n_insts; i++) mark_ill_typed(t, (pts_inst){i});
}
