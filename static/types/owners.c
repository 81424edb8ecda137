/*
 * Locks as owners: the lock of a variable in one method becomes an expression over the accessed object
 * ("self", "this.lock", "the holder's monitor") that means the same at every other access, and back.
 */
#include "internal.h"

#include <string.h>

bool owner_equal(const struct owner *a, const struct owner *b) {
    if (a->kind != b->kind) return false;
    if (a->kind != OWNER_LOCK) return true;
    if (a->juc != b->juc || a->up != b->up || !path_equal(&a->path, &b->path)) return false;
    for (unsigned i = 0; i < a->up; i++) {
        if (!field_id_eq(a->up_fields[i], b->up_fields[i])) return false;
    }
    return true;
}

/* The accessed object and its holders over injective fields, from the inside out. */
struct chain {
    unsigned n;
    struct path paths[OWNER_UP_MAX + 1];
    field_id dropped[OWNER_UP_MAX];
};

static void chain_of(struct races *r, const struct use *u, struct chain *c) {
    ir_var v = u->access->object;
    c->n = 0;
    if (v.v == 0) return;
    c->paths[c->n++] = path_of(r, u->body, v);
    while (c->n <= OWNER_UP_MAX) {
        const struct ir_stmt *def = ir_def(u->body, var_origin(u->body, v));
        if (def->op != IR_GET_FIELD) return;
        field_id f = program_ref_field(r->p, (ref_id){def->ref});
        if (f.v == 0 || !field_facts(r, f)->injective) return;
        v = ir_arg(u->body, def, 0);
        c->dropped[c->n - 1] = f;
        c->paths[c->n++] = path_of(r, u->body, v);
    }
}

struct names {
    struct owner *v;
    unsigned n, max;
};

static void add_name(const struct owner *o, struct names *out) {
    for (unsigned i = 0; i < out->n; i++) {
        if (owner_equal(&out->v[i], o)) return;
    }
    if (out->n < out->max) out->v[out->n++] = *o;
}

static void name_lock(struct types *t, const struct use *u, const struct chain *c, const struct lock *l,
                      struct names *out) {
    struct owner o = {.kind = OWNER_LOCK, .juc = l->juc, .path = {.root = PATH_VAR}};
    for (unsigned i = 0; i < c->n; i++) {
        if (i > 0) o.up_fields[o.up++] = c->dropped[i - 1];
        if (!path_starts_with(&l->path, &c->paths[i])) continue;
        o.path.n = 0;
        for (unsigned k = c->paths[i].n; k < l->path.n; k++) path_extend(&o.path, l->path.fields[k]);
        add_name(&o, out);
    }
    o = (struct owner){.kind = OWNER_LOCK, .juc = l->juc, .path = l->path};
    if (l->path.root == PATH_STATIC || l->path.root == PATH_CLASS) add_name(&o, out);
    pts_obj only = path_object(t->r, u->inst, &l->path);
    o.path = (struct path){.root = PATH_OBJECT, .id = only.v};
    if (only.v != 0) add_name(&o, out);
}

unsigned owner_names(struct types *t, const struct use *u, struct owner *out, unsigned max) {
    struct locks held;
    struct chain c;
    struct names names = {.v = out, .max = max};
    locks_held(t->r, u->inst, u->access->stmt, &held);
    if (held.n == 0) return 0;
    chain_of(t->r, u, &c);
    for (unsigned i = 0; i < held.n; i++) {
        /* A read lock keeps writers out only if they take the write lock. */
        if (!held.v[i].shared || !u->access->is_write) name_lock(t, u, &c, &held.v[i], &names);
    }
    return names.n;
}

bool owner_instantiate(struct types *t, const struct use *u, const struct owner *o, struct lock *out) {
    *out = (struct lock){.juc = o->juc, .path = o->path};
    if (o->path.root != PATH_VAR) return true;
    struct chain c;
    chain_of(t->r, u, &c);
    if (o->up >= c.n) return false;
    for (unsigned i = 0; i < o->up; i++) {
        if (!field_id_eq(o->up_fields[i], c.dropped[i])) return false;
    }
    out->path = c.paths[o->up];
    for (unsigned i = 0; i < o->path.n; i++) {
        if (!path_extend(&out->path, o->path.fields[i])) return false;
    }
    return true;
}

bool locks_have(struct types *t, pts_inst i, const struct locks *held, const struct lock *lock,
                bool is_write) {
    for (unsigned k = 0; k < held->n; k++) {
        const struct lock *l = &held->v[k];
        if (l->juc != lock->juc || (l->shared && is_write)) continue;
        if (path_equal(&l->path, &lock->path)) return true;
        if (lock->path.root == PATH_OBJECT && path_object(t->r, i, &l->path).v == lock->path.id) return true;
    }
    return false;
}

field_id unstable_lock(struct types *t, const struct use *u) {
    struct races *r = t->r;
    struct locks held;
    locks_before(r, u->access->method, u->access->stmt, &held);
    for (unsigned i = 0; i < held.n; i++) {
        const struct path *p = &held.v[i].path;
        if (p->root != PATH_VAR || p->n > 0 || p->id <= u->body->n_params) continue;
        const struct ir_stmt *def = ir_def(u->body, var_origin(u->body, (ir_var){p->id}));
        if (def->op != IR_GET_FIELD && def->op != IR_GET_STATIC) continue;
        field_id f = program_ref_field(r->p, (ref_id){def->ref});
        if (f.v == 0 || field_facts(r, f)->stable) continue;
        if (def->op == IR_GET_STATIC) return f;
        if (u->access->object.v == 0) continue;
        struct path object = path_of(r, u->body, u->access->object);
        struct path holder = path_of(r, u->body, ir_arg(u->body, def, 0));
        if (path_equal(&object, &holder)) return f;
    }
    return (field_id){0};
}
