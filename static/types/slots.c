/* Slots, their uses, and the owners that the uses vote for. */
#include "../races/groups.h" /* argument_matches */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static uint32_t hash_of(pts_obj o, field_id f) {
    uint64_t h = ((uint64_t)o.v << 32 | f.v) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32);
}

static void table_grow(struct types *t) {
    uint32_t size = t->lookup == NULL ? 1024 : (t->lookup_mask + 1) * 2;
    t->lookup = ARENA_NEW_N(&t->arena, size, uint32_t);
    t->lookup_mask = size - 1;
    for (size_t i = 0; i < t->slots.n; i++) {
        uint32_t at = hash_of(t->slots.v[i].object, t->slots.v[i].field) & t->lookup_mask;
        while (t->lookup[at] != 0) at = (at + 1) & t->lookup_mask;
        t->lookup[at] = (uint32_t)i + 1;
    }
}

static struct slot *slot_find(struct types *t, pts_obj o, field_id f, bool add) {
    if (t->slots.n * 2 >= t->lookup_mask) table_grow(t);
    uint32_t at = hash_of(o, f) & t->lookup_mask;
    for (; t->lookup[at] != 0; at = (at + 1) & t->lookup_mask) {
        struct slot *s = &t->slots.v[t->lookup[at] - 1];
        if (pts_obj_eq(s->object, o) && field_id_eq(s->field, f)) return s;
    }
    if (!add) return NULL;
    vec_push(&t->slots, ((struct slot){.object = o, .field = f}));
    t->lookup[at] = (uint32_t)t->slots.n;
    return &vec_last(&t->slots);
}

struct slot *slot_of(struct types *t, pts_obj o, field_id f) {
    return slot_find(t, o, f, false);
}

/* ---- uses ---- */

/* What a class's initialiser writes comes before everybody else's first use of the class. */
static bool is_initialiser(struct races *r, const struct races_access *a) {
    if (a->kind != PLAN_STATIC) return false;
    const struct method_info *m = program_method(r->p, a->method);
    return name_is(r, m->name, "<clinit>") && class_id_eq(m->owner, program_field(r->p, a->field)->owner);
}

void each_use(struct types *t, void (*visit)(struct types *t, const struct use *u)) {
    struct races *r = t->r;
    for (uint32_t s = 1; s <= races_n_sites(r); s++) {
        struct use u = {.site = {s}, .access = races_access(r, (races_site){s})};
        uint32_t n;
        const pts_inst *insts = pts_insts_of(r->pts, u.access->method, &n);
        u.body = n > 0 ? body_of(r, u.access->method) : NULL;
        if (u.body == NULL) continue;
        u.local = is_initialiser(r, u.access) || is_local(r, u.access);
        for (uint32_t i = 0; i < n; i++) {
            u.inst = insts[i];
            visit(t, &u);
        }
    }
}

static bool is_slot_object(const struct races *r, const struct use *u, pts_obj o) {
    return u->access->kind != PLAN_CONTAINER || container_class(r, pts_obj_info(r->pts, o)->cls);
}

/* Whether this use of the object needs protection. */
static bool is_exposed(const struct types *t, const struct use *u, pts_obj o) {
    if (o.v == 0) return !u->local;
    if (!bits_has(&t->r->shared, o.v)) return false;
    return !u->local || bits_has(&t->r->published, o.v);
}

static field_id slot_field(const struct races_access *a) {
    return a->kind == PLAN_INSTANCE || a->kind == PLAN_STATIC ? a->field : (field_id){0};
}

void each_slot(struct types *t, const struct use *u,
               void (*visit)(struct types *t, const struct use *u, struct slot *s)) {
    field_id f = slot_field(u->access);
    if (u->access->object.v == 0) {
        struct slot *s = slot_find(t, (pts_obj){0}, f, false);
        if (s != NULL && is_exposed(t, u, s->object)) visit(t, u, s);
        return;
    }
    struct pts_view set = pts_var(t->r->pts, u->inst, u->access->object);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        if (!is_slot_object(t->r, u, o) || !is_exposed(t, u, o)) continue;
        struct slot *s = slot_find(t, o, f, false);
        if (s != NULL) visit(t, u, s);
    }
}

/* ---- votes ---- */

static void vote(struct slot *s, const struct owner *o) {
    for (unsigned i = 0; i < s->n_candidates; i++) {
        if (!owner_equal(&s->candidates[i].owner, o)) continue;
        s->candidates[i].votes++;
        return;
    }
    /* One that comes late cannot have everybody's vote, but it may still have most. */
    if (s->n_candidates < CANDIDATES_MAX)
        s->candidates[s->n_candidates++] = (struct candidate_owner){.owner = *o, .votes = 1};
}

/* What one use has to say about its slots. */
struct ballot {
    unsigned n;
    bool partial; /* the names are those of some callers only */
    struct owner names[OWNER_NAMES_MAX];
    field_id not_final;
};

enum { CALLERS_DEPTH = 4, SILENT_BITS = 4 };

/*
 * Callers that hold nothing are met again on many ways.  By instance and parameter, up to how many levels of
 * callers are known to have no name for a lock: four bits for each of the first 16 parameters.
 */
static bool is_silent(const struct types *t, pts_inst i, uint32_t param, unsigned depth) {
    if (param > 64 / SILENT_BITS) return false;
    return (t->silent[i.v] >> (param - 1) * SILENT_BITS & 15) >= CALLERS_DEPTH + 1 - depth;
}

static void note_silent(struct types *t, pts_inst i, uint32_t param, unsigned depth) {
    if (param > 64 / SILENT_BITS || is_silent(t, i, param, depth)) return;
    unsigned shift = (param - 1) * SILENT_BITS;
    t->silent[i.v] &= ~((uint64_t)15 << shift);
    t->silent[i.v] |= (uint64_t)(CALLERS_DEPTH + 1 - depth) << shift;
}

/*
 * What single callers hold, when not all of them hold the same: no proof, but it tells which lock is meant.
 * `param` is the accessed object in instance i.
 */
static void vote_of_callers(struct types *t, pts_inst i, uint32_t param, unsigned depth, struct ballot *b) {
    struct races *r = t->r;
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    unsigned at_first = b->n;
    if (is_silent(t, i, param, depth)) return;
    for (uint32_t k = 0; k < n && b->n < OWNER_NAMES_MAX; k++) {
        method_id m =
            calls[k].caller.v == 0 ? (method_id){0} : pts_inst_info(r->pts, calls[k].caller)->method;
        const struct ir_body *body = m.v != 0 && is_app(r, m) ? body_of(r, m) : NULL;
        if (body == NULL || calls[k].kind != PTS_EDGE_CALL) continue;
        const struct ir_stmt *s = &body->stmts[calls[k].stmt];
        if (param > s->n_args || !argument_matches(r, s, pts_inst_info(r->pts, i)->method)) continue;
        struct use as_if = {.access = &(struct races_access){.method = m,
                                                             .stmt = calls[k].stmt,
                                                             .object = ir_arg(body, s, param - 1)},
                            .inst = calls[k].caller,
                            .body = body};
        struct path object = path_of(r, body, as_if.access->object);
        unsigned before = b->n;
        b->n += owner_names(t, &as_if, b->names + b->n, OWNER_NAMES_MAX - b->n);
        if (b->n == before && depth < CALLERS_DEPTH && object.root == PATH_VAR && object.n == 0 &&
            object.id <= body->n_params)
            vote_of_callers(t, calls[k].caller, object.id, depth + 1, b);
    }
    if (b->n == at_first) note_silent(t, i, param, depth);
}

/* A method touches several fields of one object: what its callers say about that, the last for each hash. */
struct known_ballot {
    pts_inst inst;
    uint32_t param; /* 0: none */
    struct ballot ballot;
};
enum { KNOWN_BALLOTS = 256 };

static const struct ballot *ballot_of_callers(struct types *t, pts_inst i, uint32_t param) {
    struct known_ballot *known = &t->ballots[(i.v * 0x9e3779b1u + param) >> 7 & (KNOWN_BALLOTS - 1)];
    if (!pts_inst_eq(known->inst, i) || known->param != param) {
        *known = (struct known_ballot){.inst = i, .param = param, .ballot = {.partial = true}};
        vote_of_callers(t, i, param, 0, &known->ballot);
    }
    return &known->ballot;
}

static void count_use(struct types *t, const struct use *u, const struct ballot *b, pts_obj o, field_id f) {
    struct slot *s = slot_find(t, o, f, true);
    if (!is_exposed(t, u, o)) {
        s->early_writes += u->access->is_write;
        return;
    }
    s->uses++;
    s->split |= b->partial;
    s->writes += u->access->is_write;
    if (b->not_final.v != 0) s->not_final = b->not_final;
    for (unsigned i = 0; i < b->n; i++) vote(s, &b->names[i]);
}

static void collect(struct types *t, const struct use *u) {
    struct ballot b = {0};
    b.n = owner_names(t, u, b.names, OWNER_NAMES_MAX);
    if (b.n == 0) b.not_final = unstable_lock(t, u);
    if (b.n == 0 && u->access->object.v != 0) {
        struct path object = path_of(t->r, u->body, u->access->object);
        if (object.root == PATH_VAR && object.n == 0 && object.id <= u->body->n_params) {
            field_id not_final = b.not_final;
            b = *ballot_of_callers(t, u->inst, object.id);
            b.not_final = not_final;
        }
    }
    field_id f = slot_field(u->access);
    if (u->access->object.v == 0) {
        count_use(t, u, &b, (pts_obj){0}, f);
        return;
    }
    struct pts_view set = pts_var(t->r->pts, u->inst, u->access->object);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        if (is_slot_object(t->r, u, o)) count_use(t, u, &b, o, f);
    }
}

void slots_collect(struct types *t) {
    table_grow(t);
    t->silent = ARENA_NEW_N(&t->arena, t->r->n_insts + 1, uint64_t);
    t->ballots = ARENA_NEW_N(&t->arena, KNOWN_BALLOTS, struct known_ballot);
    each_use(t, collect);
}
