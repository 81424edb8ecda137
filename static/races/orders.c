/* Two locks that are two others, in some order; see orders.h. */
#include "orders.h"
#include "race/opcodes.h"

#include <string.h>

enum { QUESTION_DEPTH = 2 };

/* ---- equal values ---- */

static bool same_path(struct races *r, const struct ir_body *body, ir_var v, ir_var w) {
    struct path p = path_of(r, body, v), q = path_of(r, body, w);
    return p.root != PATH_NONE && path_equal(&p, &q);
}

static bool same_value(struct races *r, const struct ir_body *body, ir_var v, ir_var w, int depth) {
    if (same_path(r, body, v, w)) return true;
    const struct ir_stmt *a = ir_def(body, v), *b = ir_def(body, w);
    if (depth == 0 || a->op != b->op || a->n_args != b->n_args) return false;
    if (a->op == IR_CONST && a->sub == b->sub && a->sub == CONST_INT)
        return ir_const(body, a).u.i == ir_const(body, b).u.i;
    if (a->op != IR_BINARY || a->ref != b->ref) return false; /* lcmp and the like */
    for (uint32_t i = 0; i < a->n_args; i++) {
        if (!same_value(r, body, ir_arg(body, a, i), ir_arg(body, b, i), depth - 1)) return false;
    }
    return true;
}

/* ---- choices ---- */

/* A variable that is one of two values, by a branch. */
struct choice {
    const struct ir_stmt *phi, *branch;
    ir_var when[2]; /* the branch is not taken; is taken */
};

static const struct ir_stmt *phi_of(const struct ir_body *body, ir_var v) {
    const struct ir_stmt *s = ir_def(body, var_origin(body, v));
    return s->op == IR_PHI ? s : NULL;
}

static uint32_t block_of_phi(const struct ir_body *body, const struct ir_stmt *phi) {
    return ir_block_of(body, (uint32_t)(phi - body->stmts));
}

/* Which way the branch at the end of a block went if control comes over that edge into `to`; -1: either. */
static int way_of(const struct ir_body *body, uint32_t branch, uint32_t from, uint32_t to) {
    const struct ir_edge *succs = ir_succs(body, &body->blocks[branch]);
    for (int way = 0; way < 2; way++) {
        uint32_t next = succs[way].block;
        if (from == branch ? next == to : body->blocks[next].n_preds == 1 && ir_dominates(body, next, from))
            return way;
    }
    return -1;
}

static bool choice_of(const struct ir_body *body, const struct ir_stmt *phi, struct choice *out) {
    uint32_t at = block_of_phi(body, phi), from = body->blocks[at].idom;
    const struct ir_stmt *last = &body->stmts[body->blocks[from].end - 1];
    const struct ir_edge *preds = ir_preds(body, &body->blocks[at]), *succs;
    if (phi->n_args != 2 || from == at || last->op != IR_IF) return false;
    succs = ir_succs(body, &body->blocks[from]);
    if (succs[0].block == succs[1].block) return false;
    int way = way_of(body, from, preds[0].block, at);
    if (way < 0 || way_of(body, from, preds[1].block, at) != !way) return false;
    *out = (struct choice){.phi = phi, .branch = last};
    out->when[way] = ir_arg(body, phi, 0);
    out->when[!way] = ir_arg(body, phi, 1);
    return true;
}

/* 1 if the two branches ask the same question, 0 if each the other's opposite, -1 if something else. */
static int same_question(struct races *r, const struct ir_body *body, const struct ir_stmt *a,
                         const struct ir_stmt *b) {
    if (a == b) return 1;
    if (a->n_args != b->n_args || a->ref < CF_OP_IFEQ || a->ref > CF_OP_IF_ACMPNE) return -1;
    bool opposite = ((a->ref - CF_OP_IFEQ) ^ 1u) == b->ref - CF_OP_IFEQ;
    if (!opposite && a->ref != b->ref) return -1;
    for (uint32_t i = 0; i < a->n_args; i++) {
        if (!same_value(r, body, ir_arg(body, a, i), ir_arg(body, b, i), QUESTION_DEPTH)) return -1;
    }
    return !opposite;
}

/* ---- two variables that are two others ---- */

/* Both phis of one block: one takes what the other does not, on each edge. */
static bool cross_in_block(struct races *r, const struct ir_body *body, const struct ir_stmt *a,
                           const struct ir_stmt *b, ir_var out[2]) {
    if (block_of_phi(body, a) != block_of_phi(body, b) || a->n_args < 2) return false;
    for (uint32_t k = 0; k < 2; k++) out[k] = ir_arg(body, k == 0 ? a : b, 0);
    for (uint32_t i = 1; i < a->n_args; i++) {
        ir_var v = ir_arg(body, a, i), w = ir_arg(body, b, i);
        bool straight = same_path(r, body, v, out[0]) && same_path(r, body, w, out[1]);
        bool across = same_path(r, body, v, out[1]) && same_path(r, body, w, out[0]);
        if (!straight && !across) return false;
    }
    return true;
}

static bool cross_by_question(struct races *r, const struct ir_body *body, const struct choice *a,
                              const struct choice *b, ir_var out[2]) {
    int same = same_question(r, body, a->branch, b->branch);
    if (same < 0) return false;
    out[0] = a->when[0];
    out[1] = a->when[1];
    return same_path(r, body, b->when[same], out[0]) && same_path(r, body, b->when[!same], out[1]);
}

/* b is chosen by whether a is the value `out[k]`: if so it is the other one, and that one if a is not. */
static bool cross_by_identity(struct races *r, const struct ir_body *body, const struct choice *a,
                              const struct choice *b, ir_var out[2]) {
    const struct ir_stmt *test = b->branch;
    if (test->ref != CF_OP_IF_ACMPEQ && test->ref != CF_OP_IF_ACMPNE) return false;
    int equal = test->ref == CF_OP_IF_ACMPEQ;
    ir_var x = ir_arg(body, test, 0), y = ir_arg(body, test, 1);
    if (same_path(r, body, y, a->phi->def)) {
        ir_var swap = x;
        x = y;
        y = swap;
    }
    if (!same_path(r, body, x, a->phi->def)) return false;
    for (int k = 0; k < 2; k++) {
        out[0] = a->when[k];
        out[1] = a->when[!k];
        if (same_path(r, body, y, out[0]) && same_path(r, body, b->when[equal], out[1]) &&
            same_path(r, body, b->when[!equal], out[0]))
            return true;
    }
    return false;
}

/* What the value's name starts from is defined before both choices. */
static bool is_older(struct races *r, const struct ir_body *body, ir_var v, const struct ir_stmt *a,
                     const struct ir_stmt *b) {
    struct path p = path_of(r, body, v);
    if (p.root != PATH_VAR || p.id <= body->n_params) return p.root != PATH_NONE;
    uint32_t at = ir_block_of(body, body->vars[p.id].def);
    const struct ir_stmt *phis[] = {a, b};
    for (int i = 0; i < 2; i++) {
        uint32_t block = block_of_phi(body, phis[i]);
        if (block == at || !ir_dominates(body, at, block)) return false;
    }
    return true;
}

bool are_two_in_order(struct races *r, const struct ir_body *body, ir_var v, ir_var w, ir_var out[2]) {
    const struct ir_stmt *a = phi_of(body, v), *b = phi_of(body, w);
    struct choice x, y;
    if (a == NULL || b == NULL || a == b) return false;
    bool cross = cross_in_block(r, body, a, b, out);
    if (!cross && choice_of(body, a, &x) && choice_of(body, b, &y))
        cross = cross_by_question(r, body, &x, &y, out) || cross_by_identity(r, body, &x, &y, out) ||
                cross_by_identity(r, body, &y, &x, out);
    return cross && is_older(r, body, out[0], a, b) && is_older(r, body, out[1], a, b);
}

/* ---- locks ---- */

/* Whether the two are the same lock of two variables. */
static bool alike(const struct lock *a, const struct lock *b) {
    if ((a->path.root != PATH_VAR && a->path.root != PATH_INSIDE) || a->path.root != b->path.root ||
        a->around != b->around || a->juc != b->juc || a->shared != b->shared || a->path.n != b->path.n)
        return false;
    struct path p = a->path;
    p.id = b->path.id;
    return path_equal(&p, &b->path);
}

/* The same lock of another object. */
static void add_of(struct races *r, const struct ir_body *body, const struct lock *like, ir_var object,
                   struct locks *held) {
    struct lock lock = *like;
    lock.path = path_of(r, body, object);
    for (unsigned i = 0; i < like->path.n; i++) {
        if (!path_extend(&lock.path, like->path.fields[i])) return;
    }
    if (like->path.root == PATH_INSIDE && lock.path.root != PATH_VAR) return;
    lock.path.root = like->path.root == PATH_INSIDE ? PATH_INSIDE : lock.path.root;
    locks_add(held, &lock);
}

/* The lock of the variable, where `other` is that of the one of two parameters which the variable is not. */
static bool completes(const struct lock *other, const struct lock *l) {
    return other->path.root == PATH_OTHER && l->path.root == PATH_INSIDE && l->path.n == 0 &&
           l->path.id == other->path.id && l->around == other->around && l->juc == other->juc;
}

static bool find_two(struct races *r, const struct ir_body *body, const struct lock *a, const struct lock *b,
                     ir_var two[2]) {
    if (completes(a, b)) {
        for (int side = 0; side < 2; side++) two[side] = (ir_var){a->path.fields[side].v};
        return true;
    }
    return alike(a, b) && are_two_in_order(r, body, (ir_var){a->path.id}, (ir_var){b->path.id}, two);
}

void locks_add_ordered(struct races *r, const struct ir_body *body, struct locks *held) {
    unsigned n = held->n;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < n; k++) {
            ir_var two[2];
            bool once = i < k || held->v[i].path.root == PATH_OTHER;
            if (!once || !find_two(r, body, &held->v[i], &held->v[k], two)) continue;
            for (int side = 0; side < 2; side++) add_of(r, body, &held->v[k], two[side], held);
        }
    }
}
