/*
 * Whether two accesses of one object are guarded by one lock.
 *
 * The accessed objects are taken to be the same (the pair was not removed by aliasing), and from that the
 * locks must follow to be the same:
 *   - both are the same static field's, class constant's or only object's, with the same stable fields; or
 *   - both are the accessed object itself or the same stable fields of it (`this`, `this.lock`); or
 *   - both start from the holder of the accessed object, reached back over injective fields: equal contents
 *     prove equal holders; or
 *   - both start from one value that exists once in the whole run, or once for all threads alive (rounds.h),
 *     with the same stable fields; or
 *   - both are the token of one variable (tokens.h).
 * A lock held in read mode on both sides guards nothing.
 */
#include "internal.h"
#include "rounds.h"
#include "sources.h"
#include "tokens.h"

enum { CHAIN_MAX = 3 };

/* The accessed object and its holders, from the inside out. */
struct chain {
    unsigned n;
    struct path paths[CHAIN_MAX + 1];
    field_id dropped[CHAIN_MAX]; /* between paths[i] and paths[i + 1] */
};

static void chain_of(struct races *r, const struct races_access *a, struct chain *c) {
    const struct ir_body *body = body_of(r, a->method);
    ir_var v = a->object;
    c->n = 0;
    if (v.v == 0 || a->stands_for) return;
    c->paths[c->n++] = path_of(r, body, v);
    while (c->n <= CHAIN_MAX) {
        const struct ir_stmt *def = ir_def(body, var_origin(body, v));
        if (def->op != IR_GET_FIELD) return;
        field_id f = program_ref_field(r->p, (ref_id){def->ref});
        if (f.v == 0 || !field_facts(r, f)->injective) return;
        v = ir_arg(body, def, 0);
        c->dropped[c->n - 1] = f;
        c->paths[c->n++] = path_of(r, body, v);
    }
}

static bool same_suffix(const struct path *a, unsigned from_a, const struct path *b, unsigned from_b) {
    if (a->n - from_a != b->n - from_b) return false;
    for (unsigned i = 0; from_a + i < a->n; i++) {
        if (!field_id_eq(a->fields[from_a + i], b->fields[from_b + i])) return false;
    }
    return true;
}

static bool same_by_object(const struct path *a, const struct chain *ca, const struct path *b,
                           const struct chain *cb) {
    for (unsigned i = 0; i < ca->n && i < cb->n; i++) {
        if (i > 0 && !field_id_eq(ca->dropped[i - 1], cb->dropped[i - 1])) return false;
        if (path_starts_with(a, &ca->paths[i]) && path_starts_with(b, &cb->paths[i]) &&
            same_suffix(a, ca->paths[i].n, b, cb->paths[i].n))
            return true;
    }
    return false;
}

/* Whether both start from a value that exists once, such as what the body of one function object captured. */
static bool same_by_value(struct races *r, const struct path *a, pts_inst i, const struct path *b,
                          pts_inst j) {
    struct source x, y;
    if (a->root != PATH_VAR || b->root != PATH_VAR || !same_suffix(a, 0, b, 0)) return false;
    if (made_once(r, i, (ir_var){a->id}, &x))
        return made_once(r, j, (ir_var){b->id}, &y) && pts_inst_eq(x.inst, y.inst) && ir_var_eq(x.var, y.var);
    return same_in_round(r, i, (ir_var){a->id}, j, (ir_var){b->id});
}

static bool same_object(struct races *r, const struct path *a, pts_inst i, const struct chain *ca,
                        const struct path *b, pts_inst j, const struct chain *cb) {
    if (same_by_object(a, ca, b, cb) || same_by_value(r, a, i, b, j)) return true;
    pts_obj x = path_object(r, i, a);
    return x.v != 0 && pts_obj_eq(x, path_object(r, j, b));
}

/* What one method holds of one receiver (around.h). */
static bool same_inside(struct races *r, const struct lock *a, pts_inst i, const struct chain *ca,
                        const struct lock *b, pts_inst j, const struct chain *cb) {
    struct path x = a->path, y = b->path;
    if (x.root != PATH_INSIDE || y.root != PATH_INSIDE || a->around != b->around) return false;
    x.root = y.root = PATH_VAR;
    return same_object(r, &x, i, ca, &y, j, cb);
}

static bool same_lock(struct races *r, const struct lock *a, pts_inst i, const struct chain *ca,
                      const struct lock *b, pts_inst j, const struct chain *cb) {
    if (a->shared && b->shared) return false;
    if (a->juc != b->juc) return false; /* the monitor of a ReentrantLock does not keep out who locks it */
    if (a->around != 0 || b->around != 0) return same_inside(r, a, i, ca, b, j, cb);
    if (a->path.root == PATH_TOKEN) return path_equal(&a->path, &b->path) && token_holds(r, a->path.id);
    if ((a->path.root == PATH_KEY || a->path.root == PATH_STATIC || a->path.root == PATH_CLASS) &&
        path_equal(&a->path, &b->path))
        return true;
    return same_object(r, &a->path, i, ca, &b->path, j, cb);
}

bool holds_object(struct races *r, const struct races_access *a, pts_inst i, pts_obj o) {
    struct locks held;
    locks_held(r, i, a->stmt, &held);
    for (unsigned x = 0; x < held.n; x++) {
        if (!held.v[x].juc && path_object(r, i, &held.v[x].path).v == o.v) return true;
    }
    return false;
}

bool share_lock(struct races *r, const struct races_access *a, pts_inst i, const struct races_access *b,
                pts_inst j) {
    struct locks held[2];
    locks_held(r, i, a->stmt, &held[0]);
    if (held[0].n == 0) return false;
    locks_held(r, j, b->stmt, &held[1]);
    if (held[1].n == 0) return false;
    struct chain ca, cb;
    chain_of(r, a, &ca);
    chain_of(r, b, &cb);
    for (unsigned x = 0; x < held[0].n; x++) {
        for (unsigned y = 0; y < held[1].n; y++) {
            if (same_lock(r, &held[0].v[x], i, &ca, &held[1].v[y], j, &cb)) return true;
        }
    }
    return false;
}
