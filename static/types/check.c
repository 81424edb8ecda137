/* Choosing an owner for each slot, checking every use against it, and the classes that are race-unsafe. */
#include "internal.h"

#include "race/containercalls.h" /* CC_GET */

#include <stdlib.h>
#include <string.h>

/* ---- choosing ---- */

/* What is wrong with this owner by the counts alone; a lock's uses are checked one by one later. */
static enum type_warning quick_check(const struct types *t, const struct slot *s, const struct owner *o) {
    switch (o->kind) {
    case OWNER_THIS_THREAD: return s->uses == 0 ? WARN_NONE : WARN_ESCAPES;
    case OWNER_UNIQUE:
        return s->object.v != 0 && bits_has(&t->unique, s->object.v) ? WARN_NONE : WARN_NOT_UNIQUE;
    case OWNER_READONLY: return s->writes == 0 ? WARN_NONE : WARN_WRITES;
    default: break;
    }
    for (unsigned i = 0; i < s->n_candidates; i++) {
        if (owner_equal(&s->candidates[i].owner, o) && s->candidates[i].votes >= s->uses && !s->split)
            return WARN_NONE;
    }
    return WARN_UNLOCKED;
}

static bool try_owner(struct types *t, struct slot *s, const struct owner *o) {
    s->owner = *o;
    s->warning = (uint8_t)quick_check(t, s, o);
    return s->warning == WARN_NONE;
}

/* Names that say most about the class come first: the object itself, its fields, a holder, globals. */
static unsigned rank(const struct owner *o) {
    if (o->path.root == PATH_VAR) return o->up * 4u + o->path.n;
    return o->path.root == PATH_OBJECT ? 101 : 100;
}

static int by_rank(const void *p, const void *q) {
    const struct candidate_owner *a = p, *b = q;
    return (int)rank(&a->owner) - (int)rank(&b->owner);
}

/* The lock that most uses hold. */
static const struct candidate_owner *favourite(const struct slot *s) {
    const struct candidate_owner *best = NULL;
    for (unsigned i = 0; i < s->n_candidates; i++) {
        if (best == NULL || s->candidates[i].votes > best->votes) best = &s->candidates[i];
    }
    return best;
}

/* No owner fits: the one that was most likely meant, so that the warning says what is wrong with it. */
static void guess(struct types *t, struct slot *s) {
    const struct candidate_owner *best = favourite(s);
    struct owner o = {.kind = OWNER_THIS_THREAD};
    if (best == NULL && s->not_final.v != 0) {
        s->owner = (struct owner){.kind = OWNER_LOCK, .path = {.root = PATH_VAR}};
        path_extend(&s->owner.path, s->not_final);
        s->warning = WARN_ILL_FORMED;
        return;
    }
    if (best != NULL) {
        o = best->owner;
    } else if (s->object.v != 0 && bits_has(&t->handed_over, s->object.v)) {
        o.kind = OWNER_UNIQUE;
    } else if (s->early_writes > 0 && s->uses - s->writes >= s->writes) {
        o.kind = OWNER_READONLY;
    }
    try_owner(t, s, &o);
}

static void choose(struct types *t, struct slot *s) {
    static const uint8_t specials[] = {OWNER_THIS_THREAD, OWNER_UNIQUE, OWNER_READONLY};
    struct owner told;
    qsort(s->candidates, s->n_candidates, sizeof *s->candidates, by_rank);
    bool is_told = log_owner(t, s, &told);
    s->discovered = true;
    if (is_told && try_owner(t, s, &told)) return;
    s->discovered = false;
    /* Never used by two threads, but everybody can see it: nothing is written any more. */
    bool everybodys = s->object.v == 0 || bits_has(&t->r->shared, s->object.v);
    for (size_t i = everybodys ? 1 : 0; i < sizeof specials; i++) {
        if (try_owner(t, s, &(struct owner){.kind = specials[i]})) return;
    }
    for (unsigned i = 0; i < s->n_candidates; i++) {
        if (try_owner(t, s, &s->candidates[i].owner)) return;
    }
    if (is_told) {
        s->discovered = true;
        try_owner(t, s, &told);
    } else {
        guess(t, s);
    }
}

/* ---- checking ---- */

static void check_use(struct types *t, const struct use *u, struct slot *s) {
    if (s->owner.kind != OWNER_LOCK || s->warning == WARN_ILL_FORMED || s->where.v != 0) return;
    struct lock lock;
    bool ok = false;
    if (owner_instantiate(t, u, &s->owner, &lock)) {
        struct locks held;
        locks_before(t->r, u->access->method, u->access->stmt, &held);
        bool own = locks_have(t, u->inst, &held, &lock, u->access->is_write);
        ok = own || (!(held.own_only && lock.juc) && requires_held(t, u->inst, &lock));
        s->lent |= ok && !own;
    }
    if (ok) return;
    s->warning = WARN_UNLOCKED;
    s->where = u->site;
}

static void check_uses(struct types *t, const struct use *u) {
    each_slot(t, u, check_use);
}

/* Where a special owner is violated. */
static void find_offender(struct types *t, const struct use *u, struct slot *s) {
    (void)t;
    if (s->warning == WARN_NONE || s->where.v != 0) return;
    if (s->warning == WARN_WRITES && !u->access->is_write) return;
    s->where = u->site;
}

static void find_offenders(struct types *t, const struct use *u) {
    each_slot(t, u, find_offender);
}

/* ---- classes ---- */

static void warn_class(struct types *t, class_id c, enum type_warning warning, const char *where) {
    if (c.v >= t->n_classes || t->classes[c.v].warning != WARN_NONE || !is_app_class(t->r, c)) return;
    t->classes[c.v] = (struct class_types){.warning = (uint8_t)warning, .where = where};
}

static const char *site_text(struct types *t, races_site site) {
    if (site.v == 0) return "";
    const struct races_access *a = races_access(t->r, site);
    const struct method_info *m = program_method(t->r->p, a->method);
    return arena_printf(&t->arena, "%s.%s:%d", program_class_name(t->r->p, m->owner),
                        program_str(t->r->p, m->name), a->line);
}

/* Whether the two objects, both of class c, have one owner wherever two threads use them. */
static bool same_owners(struct types *t, class_id c, pts_obj a, pts_obj b) {
    for (class_id k = c; k.v != 0; k = program_peek(t->r->p, k)->super) {
        const struct class_info *info = program_peek(t->r->p, k);
        for (uint32_t i = 0; i < info->n_fields; i++) {
            field_id f = {info->first_field.v + i};
            const struct slot *x = slot_of(t, a, f), *y = slot_of(t, b, f);
            if (x != NULL && y != NULL && x->uses > 0 && y->uses > 0 && !owner_equal(&x->owner, &y->owner))
                return false;
        }
    }
    return true;
}

/* Objects of one class that meet in one place must have the same owners there. */
static void check_place(struct types *t, struct pts_view set, enum type_warning warning, const char *where) {
    enum { COMPARED = 64 };
    pts_obj first[COMPARED];
    unsigned n = 0;
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        class_id c = pts_obj_info(t->r->pts, o)->cls;
        if (!is_app_class(t->r, c) || t->classes[c.v].warning != WARN_NONE) continue;
        unsigned i = 0;
        while (i < n && !class_id_eq(pts_obj_info(t->r->pts, first[i])->cls, c)) i++;
        if (i < n && !same_owners(t, c, first[i], o)) warn_class(t, c, warning, where);
        if (i == n && n < COMPARED) first[n++] = o;
    }
}

static const char *field_text(struct types *t, field_id f) {
    if (f.v == 0 || f.v > program_n_fields(t->r->p)) return "elements";
    const struct field_info *info = program_field(t->r->p, f);
    return arena_printf(&t->arena, "%s.%s", program_class_name(t->r->p, info->owner),
                        program_str(t->r->p, info->name));
}

static void check_field(void *arg, field_id f, struct pts_view set) {
    struct types *t = arg;
    if (pts_count(set) > 1) check_place(t, set, WARN_ASSIGNMENT, field_text(t, f));
}

static void check_assignments(struct types *t) {
    for (uint32_t f = 1; f <= program_n_fields(t->r->p); f++) {
        if ((program_field(t->r->p, (field_id){f})->access & CF_ACC_STATIC) != 0)
            check_field(t, (field_id){f}, pts_static(t->r->pts, (field_id){f}));
    }
    for (uint32_t o = 1; o <= pts_n_objs(t->r->pts); o++) {
        class_id c = pts_obj_info(t->r->pts, (pts_obj){o})->cls;
        if (is_app_class(t->r, c) || program_peek(t->r->p, c)->dimensions > 0)
            pts_each_field(t->r->pts, (pts_obj){o}, check_field, t);
    }
}

/* The receiver's owner is the class's own parameter; the others are declared by the method. */
static void check_invocations(struct types *t) {
    struct races *r = t->r;
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
        const struct ir_body *body = is_app(r, m) ? body_of(r, m) : NULL;
        if (body == NULL) continue;
        const struct method_info *info = program_method(r->p, m);
        const char *where = NULL;
        for (uint32_t v = (info->access & CF_ACC_STATIC) != 0 ? 1 : 2; v <= body->n_params; v++) {
            if (body->vars[v].kind != IR_REF) continue;
            struct pts_view set = pts_var(r->pts, (pts_inst){i}, (ir_var){v});
            if (pts_count(set) < 2) continue;
            if (where == NULL)
                where = arena_printf(&t->arena, "%s.%s", program_class_name(r->p, info->owner),
                                     program_str(r->p, info->name));
            check_place(t, set, WARN_INVOCATION, where);
        }
    }
}

static void check_classes(struct types *t) {
    t->n_classes = program_n_classes(t->r->p) + 1;
    t->classes = ARENA_NEW_N(&t->arena, t->n_classes, struct class_types);
    for (size_t k = 0; k < t->slots.n * WARN_NOT_UNIQUE; k++) { /* the conditions in their order */
        const struct slot *s = &t->slots.v[k % t->slots.n];
        if (s->object.v == 0 || s->warning != k / t->slots.n + 1) continue;
        const char *where = site_text(t, s->where);
        warn_class(t, pts_obj_info(t->r->pts, s->object)->cls, s->warning, where);
        if (s->field.v != 0) warn_class(t, program_field(t->r->p, s->field)->owner, s->warning, where);
    }
    check_assignments(t);
    check_invocations(t);
}

/*
 * A use through a view or an iterator, or a look-up that changes the order of a map: the owner that the
 * direct uses vote for says nothing of it, so what it touches is not proved.
 */
static bool is_indirect(struct types *t, const struct use *u) {
    if (u->access->kind != PLAN_CONTAINER) return false;
    if (u->access->stands_for) return true;
    if (u->access->use != CC_GET) return false;
    struct pts_view set = pts_var(t->r->pts, u->inst, u->access->object);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        if (container_reorders(t->r, o)) return true;
    }
    return false;
}

static void distrust(struct types *t, pts_obj o) {
    struct slot *s = slot_of(t, o, (field_id){0});
    if (s != NULL && s->warning == WARN_NONE) s->warning = WARN_UNLOCKED;
}

static void distrust_use(struct types *t, const struct use *u) {
    if (!is_indirect(t, u)) return;
    if (u->access->stands_for) {
        const struct container_set *set = containers_behind(t->r, u->access, u->inst);
        for (uint32_t i = 0; i < set->n; i++) distrust(t, set->v[i].object);
        return;
    }
    struct pts_view set = pts_var(t->r->pts, u->inst, u->access->object);
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) distrust(t, o);
}

/* ---- interface ---- */

struct types *types_check(struct races *r, const struct types_log *log) {
    struct types *t = calloc(1, sizeof *t);
    if (t == NULL) abort();
    arena_init(&t->arena);
    t->r = r;
    t->log = log;
    slots_collect(t);
    unique_find(t);
    for (size_t i = 0; i < t->slots.n; i++) choose(t, &t->slots.v[i]);
    requires_solve(t);
    /* From here on every use of a lock's slot is looked at: the votes have done their work. */
    for (size_t i = 0; i < t->slots.n; i++) {
        struct slot *s = &t->slots.v[i];
        if (s->owner.kind == OWNER_LOCK && s->warning == WARN_UNLOCKED) s->warning = WARN_NONE;
    }
    each_use(t, check_uses);
    each_use(t, find_offenders);
    each_use(t, distrust_use);
    check_classes(t);
    t->log = NULL;
    return t;
}

void types_free(struct types *t) {
    if (t == NULL) return;
    vec_release(&t->slots);
    arena_release(&t->arena);
    free(t);
}

/* ---- pairs ---- */

/* One slot that is not proved makes the site suspect. */
static void suspect(struct types *t, const struct use *u, struct slot *s) {
    if (s->warning != WARN_NONE) bits_add(&t->suspects, u->site.v);
}

static void suspect_use(struct types *t, const struct use *u) {
    if (is_indirect(t, u)) bits_add(&t->suspects, u->site.v);
    each_slot(t, u, suspect);
}

bool site_is_proved(struct types *t, races_site s) {
    if (t->suspects.w == NULL) {
        bits_init(&t->suspects, &t->arena, races_n_sites(t->r) + 1);
        each_use(t, suspect_use);
    }
    return !bits_has(&t->suspects, s.v);
}

uint32_t types_drop_pairs(struct types *t) {
    struct races *r = t->r;
    uint32_t kept = 0, before = (uint32_t)r->pairs.n;
    /* Stages that were left out on purpose prove nothing here either. */
    if (r->options.without != 0) return 0;
    for (uint32_t i = 0; i < before; i++) {
        const struct races_pair *p = &r->pairs.v[i];
        if (!site_is_proved(t, p->site[0]) && !site_is_proved(t, p->site[1])) r->pairs.v[kept++] = *p;
    }
    r->pairs.n = kept;
    r->funnel[RACES_ULTIMATE] = kept;
    return before - kept;
}
