/*
 * The stages.  Accesses are bucketed by field (all arrays in one bucket, all containers in another); each
 * pair of a bucket goes as far down the stages as its best combination of contexts and threads takes it.
 */
#include "around.h"
#include "branches.h"
#include "colours.h"
#include "elements.h"
#include "footprint.h"
#include "handles.h"
#include "hands.h"
#include "internal.h"
#include "levels.h"
#include "making.h"
#include "phases.h"
#include "race/containercalls.h" /* CC_GET */
#include "sources.h"
#include "swaps.h"
#include "symbols.h"
#include "tasks.h"
#include "tokens.h"
#include "turns.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const races_stage_names[RACES_N_STAGES] = {"original", "reachable", "aliasing", "escaping",
                                                       "parallel", "unlocked",  "ultimate"};

/* An access with what the stages ask about it again and again. */
struct candidate {
    races_site site;
    const struct races_access *access;
    uint32_t n_insts;
    const pts_inst *insts;
    const struct footprint **touches; /* by instance; NULL if it touches no object, or never runs */
    const struct footprint *all;      /* of them together */
    int64_t element;                  /* index in the array if it is a constant, else -1 */
    bool reachable;
    bool local;
    bool making; /* `this`, whose constructor has not ended */
    bool writes; /* or asks a map that is changed by that */
};

typedef VEC(struct candidate) bucket;

struct finder {
    struct races *r;
    struct footprints prints;
    /* What does not depend on what is published is decided by the first pass. */
    bool again;
    VEC(struct races_pair) steady; /* in the order of the pass */
    size_t next;                   /* of them */
    bits threads[2];               /* of the combination under way: those to be tried, by side */
    uint64_t funnel[RACES_N_STAGES];
};

static bool skip(const struct races *r, enum races_stage stage) {
    return (r->options.without >> stage & 1) != 0;
}

/* ---- objects ---- */

static uint64_t word_of(const bits *b, uint32_t index) {
    return index < b->n_words ? b->w[index] : 0;
}

/* Whether being the only owner at that time protects one of the two although the object is published. */
static bool is_frozen(struct races *r, const struct candidate *a, const struct candidate *b) {
    return (a->local && frozen_for(r, a->access, b->access)) ||
           (b->local && frozen_for(r, b->access, a->access));
}

/* Those of the objects that both may touch without one of them being their only owner at that time. */
static uint64_t escaping_of(struct finder *x, const struct candidate *a, const struct candidate *b,
                            struct object_word w) {
    struct races *r = x->r;
    if (skip(r, RACES_ESCAPING)) return w.bits;
    uint64_t found = w.bits & word_of(&r->shared, w.index);
    if (r->options.reach_only || (!a->local && !b->local)) return found;
    found &= word_of(&r->published, w.index);
    return found != 0 && !is_frozen(r, a, b) ? found : 0;
}

/* Takes the least object out of the word. */
static pts_obj take_object(uint32_t index, uint64_t *rest) {
    pts_obj o = {index * 64 + (uint32_t)__builtin_ctzll(*rest)};
    *rest &= *rest - 1;
    return o;
}

static const struct footprint *footprint_in(const struct candidate *c, pts_inst i) {
    uint32_t lo = 0, hi = c->n_insts;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        *(c->insts[mid].v <= i.v ? &lo : &hi) = mid;
    }
    return c->touches[lo];
}

/* Two that read race only on maps that are changed by that: leaves these. */
static void keep_raced_on(struct races *r, const struct candidate *a, const struct candidate *b,
                          struct object_word *w) {
    if (a->access->kind != PLAN_CONTAINER || a->access->is_write || b->access->is_write) return;
    uint64_t kept = 0;
    for (uint64_t rest = w->bits; rest != 0;) {
        pts_obj o = take_object(w->index, &rest);
        if (container_reorders(r, o)) kept |= (uint64_t)1 << (o.v & 63);
    }
    w->bits = kept;
}

/* How far the objects of a combination let it go, and the object that did. */
static enum races_stage objects_stage(struct finder *x, const struct candidate *a,
                                      const struct footprint *in_a, const struct candidate *b,
                                      const struct footprint *in_b, pts_obj *object) {
    bool aliasing = !skip(x->r, RACES_ALIASING);
    *object = (pts_obj){0};
    if (a->access->object.v == 0) return RACES_ESCAPING;
    struct meeting m = {.a = in_a, .b = aliasing ? in_b : NULL};
    enum races_stage best = RACES_REACHABLE;
    if (aliasing && !outlines_meet(&m.a->outline, &m.b->outline)) return best;
    while (meeting_next(&m)) {
        keep_raced_on(x->r, a, b, &m.common);
        uint64_t common = m.common.bits;
        if (common == 0) continue;
        uint64_t escaping = escaping_of(x, a, b, m.common);
        if (escaping != 0) {
            *object = take_object(m.common.index, &escaping);
            return RACES_ESCAPING;
        }
        if (best < RACES_ALIASING) *object = take_object(m.common.index, &common);
        best = RACES_ALIASING;
    }
    return best;
}

/* Whether the lock of a synchronized wrapper is held in both: taken inside the call, or by the program. */
static bool share_mutex(struct races *r, const struct candidate *a, pts_inst i, pts_obj ma,
                        const struct candidate *b, pts_inst j, pts_obj mb) {
    if (ma.v != 0 && (ma.v == mb.v || holds_object(r, b->access, j, ma))) return true;
    return mb.v != 0 && holds_object(r, a->access, i, mb);
}

static bool may_hold(struct races *r, const struct candidate *c, struct races_side side, pts_obj o) {
    return stands_behind(c->access) || thread_may_hold(r, side.thread, side.inst, c->access->object, o);
}

/* Whether both may touch one object when these very threads run them. */
static bool threads_meet(struct finder *x, const struct candidate *a, const struct candidate *b,
                         struct races_pair *pair, const struct races_side side[2]) {
    struct races *r = x->r;
    if (a->access->object.v == 0 || skip(r, RACES_ALIASING)) return true;
    struct meeting m = {.a = footprint_in(a, side[0].inst), .b = footprint_in(b, side[1].inst)};
    while (meeting_next(&m)) {
        keep_raced_on(r, a, b, &m.common);
        for (uint64_t rest = escaping_of(x, a, b, m.common); rest != 0;) {
            pts_obj o = take_object(m.common.index, &rest);
            if (!may_hold(r, a, side[0], o) || !may_hold(r, b, side[1], o)) continue;
            if (a->access->kind != PLAN_CONTAINER && !skip(r, RACES_PARALLEL) && !r->options.reach_only &&
                goes_by_hand(r, o))
                continue;
            if (!skip(r, RACES_UNLOCKED) && share_mutex(r, a, side[0].inst, footprint_mutex(m.a, o), b,
                                                        side[1].inst, footprint_mutex(m.b, o)))
                continue;
            pair->object = o;
            return true;
        }
    }
    return false;
}

/* ---- combinations ---- */

enum { ASKED_OBJECTS = 32 };

/* The objects that some threads may meet on in a combination; false if there are too many to ask about each.
 */
static bool few_objects(struct finder *x, const struct candidate *a, const struct candidate *b,
                        const struct races_side side[2], pts_obj *out, unsigned *n) {
    struct meeting m = {.a = footprint_in(a, side[0].inst), .b = footprint_in(b, side[1].inst)};
    *n = 0;
    while (meeting_next(&m)) {
        keep_raced_on(x->r, a, b, &m.common);
        for (uint64_t rest = escaping_of(x, a, b, m.common); rest != 0;) {
            if (*n == ASKED_OBJECTS) return false;
            out[(*n)++] = take_object(m.common.index, &rest);
        }
    }
    return true;
}

static bool may_hold_any(struct races *r, const struct candidate *c, struct races_side side,
                         const pts_obj *objects, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        if (may_hold(r, c, side, objects[i])) return true;
    }
    return false;
}

/* Takes out the threads that hold none of the objects: with none of the others they meet, so that there is no
 * need to try each with each.  Large programs have a hundred threads. */
static void drop_strangers(struct finder *x, const struct candidate *a, const struct candidate *b,
                           const struct races_side side[2]) {
    const struct candidate *both[2] = {a, b};
    pts_obj objects[ASKED_OBJECTS];
    unsigned n;
    if (a->access->object.v == 0 || skip(x->r, RACES_ALIASING) || !few_objects(x, a, b, side, objects, &n))
        return;
    for (int k = 0; k < 2; k++) {
        struct races_side one = {.inst = side[k].inst};
        for (; one.thread < x->r->n_threads; one.thread++) {
            if (bits_has(&x->threads[k], one.thread) && !may_hold_any(x->r, both[k], one, objects, n))
                bits_drop(&x->threads[k], one.thread);
        }
    }
}

/* Whether the two are ordered whichever threads run them. */
static bool ordered_for_all(struct races *r, const struct races_access *a, pts_inst i,
                            const struct races_access *b, pts_inst j) {
    return ordered_by_initialiser(r, i, b, j) || ordered_by_initialiser(r, j, a, i) ||
           ordered_by_task(r, a, i, b, j);
}

/* `best` is how far others got: what cannot get further is not tried. */
static enum races_stage threads_stage(struct finder *x, const struct candidate *a, const struct candidate *b,
                                      struct races_pair *pair, enum races_stage best) {
    struct races *r = x->r;
    struct races_side side[2] = {pair->side[0], pair->side[1]};
    bool locked = !skip(r, RACES_UNLOCKED) && share_lock(r, a->access, side[0].inst, b->access, side[1].inst);
    if (locked && best >= RACES_PARALLEL) return best;
    if (!skip(r, RACES_PARALLEL) && ordered_for_all(r, a->access, side[0].inst, b->access, side[1].inst))
        return RACES_ESCAPING;
    for (int k = 0; k < 2; k++) {
        const bits *all = &r->threads_of[side[k].inst.v];
        memcpy(x->threads[k].w, all->w, all->n_words * sizeof *all->w);
    }
    if (!locked) drop_strangers(x, a, b, side);
    for (side[0].thread = 0; side[0].thread < r->n_threads; side[0].thread++) {
        if (!bits_has(&x->threads[0], side[0].thread)) continue;
        for (side[1].thread = 0; side[1].thread < r->n_threads; side[1].thread++) {
            if (!bits_has(&x->threads[1], side[1].thread)) continue;
            if (!skip(r, RACES_PARALLEL) && (!may_be_parallel(r, a->access, side[0], b->access, side[1]) ||
                                             ordered_by_signal(r, a->access, side[0], b->access, side[1]) ||
                                             ordered_by_signal(r, b->access, side[1], a->access, side[0]) ||
                                             separated_by_phase(r, a->access, side[0], b->access, side[1]) ||
                                             ordered_by_level(r, a->access, side[0], b->access, side[1])))
                continue;
            /* These cost more than all others; under a common lock nothing depends on them. */
            if (!locked &&
                (!threads_meet(x, a, b, pair, side) ||
                 (!skip(r, RACES_PARALLEL) && thread_owns(r, a->access, side[0], b->access, side[1])) ||
                 (!skip(r, RACES_ALIASING) && !r->options.reach_only &&
                  (apart_by_index(r, a->access, side[0], b->access, side[1]) ||
                   apart_by_swap(r, a->access, side[0], b->access, side[1]) ||
                   apart_by_colour(r, a->access, side[0], b->access, side[1]) ||
                   apart_by_turn(r, a->access, side[0], b->access, side[1]))) ||
                 (!skip(r, RACES_REACHABLE) && !r->options.reach_only &&
                  (never_taken(r, side[0], a->access) || never_taken(r, side[1], b->access)))))
                continue;
            pair->side[0] = side[0];
            pair->side[1] = side[1];
            return locked ? RACES_PARALLEL : RACES_ULTIMATE;
        }
    }
    return RACES_ESCAPING;
}

/* NULL for static fields. */
static const struct footprint *print_of(const struct candidate *c, uint32_t i) {
    return c->touches != NULL ? c->touches[i] : NULL;
}

static enum races_stage pair_stage(struct finder *x, const struct candidate *a, const struct candidate *b,
                                   struct races_pair *out) {
    if (!a->reachable || !b->reachable) return RACES_ORIGINAL;
    /* Some combination gets as far as all contexts taken together do; no further is no combination to try. */
    pts_obj any;
    enum races_stage best = objects_stage(x, a, a->all, b, b->all, &any);
    if (best < RACES_ESCAPING || (a->making && b->making && !skip(x->r, RACES_PARALLEL))) return best;
    best = RACES_REACHABLE;
    for (uint32_t i = 0; i < a->n_insts; i++) {
        for (uint32_t j = 0; j < b->n_insts; j++) {
            struct races_pair pair = {.site = {a->site, b->site},
                                      .side = {{.inst = a->insts[i]}, {.inst = b->insts[j]}}};
            enum races_stage stage = objects_stage(x, a, print_of(a, i), b, print_of(b, j), &pair.object);
            if (stage == RACES_ESCAPING) stage = threads_stage(x, a, b, &pair, best);
            if (stage > best) {
                best = stage;
                *out = pair;
            }
            if (best == RACES_ULTIMATE) return best;
        }
    }
    return best;
}

static bool is_steady(const struct candidate *a, const struct candidate *b) {
    return !a->local && !b->local;
}

static void count(struct finder *x, bool steady, enum races_stage stage) {
    for (unsigned s = RACES_REACHABLE; s <= (unsigned)stage; s++) {
        x->r->funnel[s]++;
        x->funnel[s] += steady;
    }
}

static void try_pair(struct finder *x, const struct candidate *a, const struct candidate *b) {
    struct races *r = x->r;
    struct races_pair pair = {0};
    enum races_stage stage = pair_stage(x, a, b, &pair);
    count(x, is_steady(a, b), stage);
    if (stage != RACES_ULTIMATE) return;
    pair.type = a->access->type;
    if (pair.object.v != 0 && (a->access->kind == PLAN_ARRAY || a->access->kind == PLAN_CONTAINER))
        pair.type = pts_obj_info(r->pts, pair.object)->cls;
    vec_push(&r->pairs, pair);
    if (is_steady(a, b)) vec_push(&x->steady, pair);
}

/* The outcome of the first pass again. */
static void keep_pair(struct finder *x, const struct candidate *a, const struct candidate *b) {
    if (x->next == x->steady.n) return;
    const struct races_pair *pair = &x->steady.v[x->next];
    if (pair->site[0].v != a->site.v || pair->site[1].v != b->site.v) return;
    vec_push(&x->r->pairs, *pair);
    x->next++;
}

/* Most pairs of arrays and containers have no object in common, which this tells at once. */
static bool may_have_common_object(struct finder *x, const struct candidate *a, const struct candidate *b) {
    return a->access->object.v == 0 || skip(x->r, RACES_ALIASING) ||
           outlines_meet(&a->all->outline, &b->all->outline);
}

/*
 * Arrays that one statement fills, `{a, b, c ...}`, give as many pairs as the square of their length.  No two
 * of different elements meet, in whichever contexts and threads: without a look at those.
 */
static bool may_be_one_element(struct finder *x, const struct candidate *a, const struct candidate *b) {
    return a->element < 0 || b->element < 0 || a->element == b->element || skip(x->r, RACES_ALIASING) ||
           x->r->options.reach_only;
}

static void try_reachable(struct finder *x, const struct candidate *a, const struct candidate *b) {
    if (!a->writes && !b->writes) return;
    if (x->again && is_steady(a, b))
        keep_pair(x, a, b);
    else if (may_have_common_object(x, a, b) && may_be_one_element(x, a, b))
        try_pair(x, a, b);
    else
        count(x, is_steady(a, b), RACES_REACHABLE);
}

/* Counts the pairs with a write, and tries those that run at all. */
static void try_bucket(struct finder *x, const bucket *b) {
    VEC(const struct candidate *) run = {0};
    uint64_t n_reads = 0, n = b->n;
    for (size_t i = 0; i < b->n; i++) {
        n_reads += !b->v[i].writes;
        if (b->v[i].reachable) vec_push(&run, &b->v[i]);
    }
    x->r->funnel[RACES_ORIGINAL] += n * (n + 1) / 2 - n_reads * (n_reads + 1) / 2;
    for (size_t i = 0; i < run.n; i++) {
        for (size_t j = i; j < run.n; j++) try_reachable(x, run.v[i], run.v[j]);
    }
    vec_release(&run);
}

/* ---- handing over by a race ---- */

static uint64_t count_bits(const bits *b) {
    uint64_t n = 0;
    for (uint32_t w = 0; w < b->n_words; w++) n += (uint64_t)__builtin_popcountll(b->w[w]);
    return n;
}

struct holder_search {
    struct races *r;
    pts_obj wanted;
    bool found;
};

static void see_holder_field(void *arg, field_id f, struct pts_view set) {
    struct holder_search *x = arg;
    if (f.v == 0 || !pts_has(set, x->wanted)) return;
    /* What a function object captured, and what models keep, has no field of the program. */
    bool declared = f.v <= program_n_fields(x->r->p);
    if (!declared || is_app_class(x->r, program_field(x->r->p, f)->owner)) x->found = true;
}

/*
 * One abstract object stands for all string builders (and for all boxes of a class), and the JDK holds some
 * of them somewhere.  It counts as published only if a published object of the application holds it in a
 * field of its own; else one race would make every local builder of the program suspect.
 */
static void unmark_merged(struct races *r) {
    for (uint32_t o = 1; o <= pts_n_objs(r->pts); o++) {
        const struct pts_obj_info *info = pts_obj_info(r->pts, (pts_obj){o});
        if (!bits_has(&r->published, o) || pts_alloc_info(r->pts, info->alloc)->kind != PTS_ALLOC_MERGED)
            continue;
        struct holder_search x = {.r = r, .wanted = {o}};
        for (uint32_t q = 1; q <= pts_n_objs(r->pts) && !x.found; q++) {
            if (bits_has(&r->published, q) && is_app_class(r, pts_obj_info(r->pts, (pts_obj){q})->cls))
                pts_each_field(r->pts, (pts_obj){q}, see_holder_field, &x);
        }
        if (!x.found) bits_drop(&r->published, o);
    }
}

/*
 * Being the only owner when it writes protects the writer only if the object is handed over in order.  If the
 * reference itself goes through a race, everything behind it may be seen half-made: mark those objects.
 */
/* Calls by which a map gets what a function returns. */
static bool puts_results(struct races *r, const struct ir_stmt *s) {
    static const char *const names[] = {"compute", "computeIfAbsent", "computeIfPresent", "merge",
                                        "replaceAll"};
    const struct member_ref *ref = invoke_ref(r, s);
    for (size_t i = 0; ref != NULL && i < sizeof names / sizeof *names; i++) {
        if (name_is(r, ref->name, names[i])) return true;
    }
    return false;
}

static void publish(struct races *r, const struct races_pair *pair) {
    for (int k = 0; k < 2; k++) {
        const struct races_access *a = races_access(r, pair->site[k]);
        const struct ir_body *body = body_of(r, a->method);
        const struct ir_stmt *s = &body->stmts[a->stmt];
        if (!a->is_write) continue;
        if (s->op == IR_PUT_FIELD || s->op == IR_PUT_STATIC || s->op == IR_ARRAY_STORE) {
            ir_var value = ir_arg(body, s, s->n_args - 1u);
            if (body->vars[value.v].kind == IR_REF)
                bits_add_reachable(r, &r->published, pts_var(r->pts, pair->side[k].inst, value));
        } else if (s->op == IR_INVOKE) { /* a container, an arraycopy: whatever is put in */
            for (uint32_t i = puts_results(r, s) ? 0 : 1; i < s->n_args; i++) {
                if (body->vars[ir_arg(body, s, i).v].kind == IR_REF)
                    bits_add_reachable(r, &r->published,
                                       pts_var(r->pts, pair->side[k].inst, ir_arg(body, s, i)));
            }
        }
    }
}

/* VarHandle and Unsafe stores in plain or opaque mode, reflection: no order comes with them. */
static bool stores_unordered(struct races *r, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL) return false;
    if (class_is(r, ref->cls, "java/lang/invoke/VarHandle"))
        return name_is(r, ref->name, "set") || name_is(r, ref->name, "setOpaque") ||
               strstr(program_str(r->p, ref->name), "Plain") != NULL ||
               strstr(program_str(r->p, ref->name), "weak") != NULL ||
               strstr(program_str(r->p, ref->name), "Acquire") != NULL;
    if (class_is(r, ref->cls, "java/lang/reflect/Field")) return name_is(r, ref->name, "set");
    if (strncmp(program_class_name(r->p, ref->cls), "java/util/concurrent/atomic/", 28) == 0)
        return name_is(r, ref->name, "setPlain") || name_is(r, ref->name, "setOpaque") ||
               strstr(program_str(r->p, ref->name), "Plain") != NULL;
    return class_is(r, ref->cls, "sun/misc/Unsafe") && strncmp(program_str(r->p, ref->name), "put", 3) == 0;
}

/* Where the value goes is the handle's secret: anybody may find it there. */
static void publish_value(struct races *r, struct pts_view set) {
    bits_add_reachable(r, &r->published, set);
    bits_add_reachable(r, &r->shared, set);
}

static void publish_unordered(struct races *r) {
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
        const struct ir_body *body = is_app(r, m) ? body_of(r, m) : NULL;
        for (uint32_t s = 0; body != NULL && s < body->n_stmts; s++) {
            const struct ir_stmt *t = &body->stmts[s];
            if (!stores_unordered(r, t)) continue;
            for (uint32_t k = 1; k < t->n_args; k++) {
                if (body->vars[ir_arg(body, t, k).v].kind == IR_REF)
                    publish_value(r, pts_var(r->pts, (pts_inst){i}, ir_arg(body, t, k)));
            }
        }
    }
}

/* ---- buckets ---- */

static uint64_t bucket_key(const struct races_access *a) {
    return a->kind <= PLAN_STATIC ? a->field.v : UINT64_MAX - a->kind;
}

static int by_bucket(const void *p, const void *q) {
    const struct candidate *a = p, *b = q;
    uint64_t x = bucket_key(a->access), y = bucket_key(b->access);
    if (x != y) return x < y ? -1 : 1;
    return a->site.v < b->site.v ? -1 : a->site.v > b->site.v;
}

static void find_footprints(struct finder *x, struct candidate *c) {
    const struct races_access *a = c->access;
    c->touches = ARENA_NEW_N(&x->r->arena, c->n_insts, const struct footprint *);
    for (uint32_t i = 0; i < c->n_insts; i++) {
        c->touches[i] = footprint_of(&x->prints, a, c->insts[i]);
        c->writes |= a->use == CC_GET && c->touches[i]->reorders;
    }
    c->all = footprints_together(&x->prints, c->touches, c->n_insts);
}

static int64_t constant_index(struct races *r, const struct races_access *a) {
    if (a->kind != PLAN_ARRAY) return -1;
    const struct ir_body *body = body_of(r, a->method);
    const struct ir_stmt *s = &body->stmts[a->stmt];
    if (s->op != IR_ARRAY_LOAD && s->op != IR_ARRAY_STORE) return -1;
    const struct ir_stmt *index = ir_def(body, var_origin(body, ir_arg(body, s, 1)));
    return index->op == IR_CONST && index->sub == CONST_INT ? ir_const(body, index).u.i : -1;
}

static struct candidate candidate_of(struct finder *x, races_site site) {
    struct races *r = x->r;
    struct candidate c = {.site = site, .access = races_access(r, site)};
    c.insts = pts_insts_of(r->pts, c.access->method, &c.n_insts);
    for (uint32_t i = 0; i < c.n_insts; i++) {
        const bits *t = &r->threads_of[c.insts[i].v];
        for (uint32_t w = 0; w < t->n_words; w++) c.reachable |= t->w[w] != 0;
    }
    c.local = c.reachable && is_local(r, c.access);
    c.making = c.reachable && !r->options.reach_only && is_in_making(r, c.access);
    c.writes = c.access->is_write;
    c.element = constant_index(r, c.access);
    if (c.reachable && c.access->object.v != 0) find_footprints(x, &c);
    return c;
}

/* Final fields are safe to read however the object came: only a leak from the constructor undoes that. */
static bool is_final_field(const struct races *r, const struct races_access *a) {
    return a->kind == PLAN_INSTANCE && (program_field(r->p, a->field)->access & CF_ACC_FINAL) != 0;
}

static void one_pass(struct finder *x, struct candidate *all, size_t n) {
    struct races *r = x->r;
    memcpy(r->funnel, x->funnel, sizeof r->funnel);
    vec_clear(&r->pairs);
    x->next = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && bucket_key(all[end].access) == bucket_key(all[i].access); end++) continue;
        bucket b = {.v = all + i, .n = end - i, .cap = end - i};
        bool leaked = !is_final_field(r, all[i].access);
        for (size_t k = i; k < end && !leaked; k++) leaked = all[k].access->is_write && !all[k].local;
        if (leaked) try_bucket(x, &b);
    }
    x->again = true;
}

void find_pairs(struct races *r) {
    struct finder x = {.r = r};
    footprints_init(&x.prints, r);
    for (int k = 0; k < 2; k++) bits_init(&x.threads[k], &r->arena, r->n_threads + 1);
    size_t n = r->accesses.n;
    struct candidate *all = ARENA_NEW_N(&r->arena, n + 1, struct candidate);
    for (size_t i = 0; i < n; i++) all[i] = candidate_of(&x, (races_site){(uint32_t)i + 1});
    qsort(all, n, sizeof *all, by_bucket);
    publish_unordered(r);
    r->locks_final = true;
    for (bool changed = true; changed;) {
        one_pass(&x, all, n);
        changed = false;
        if (skip(r, RACES_ESCAPING)) break;
        uint64_t before = count_bits(&r->published);
        for (size_t i = 0; i < r->pairs.n; i++) publish(r, &r->pairs.v[i]);
        unmark_merged(r);
        changed = count_bits(&r->published) > before;
    }
    vec_release(&x.steady);
    footprints_release(&x.prints);
}

/* ---- interface ---- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct step {
    enum races_stage stage;
    void (*run)(struct races *r);
};

static void init_model(struct races *r) {
    containers_init(r);
    behind_init(r);
    collect_accesses(r);
}

/* In order: each uses what the ones before it found. */
static const struct step steps[] = {
    {RACES_ORIGINAL, init_model},       {RACES_REACHABLE, threads_init}, {RACES_ALIASING, fields_init},
    {RACES_ESCAPING, escape_init},      {RACES_ESCAPING, local_init},    {RACES_PARALLEL, making_init},
    {RACES_PARALLEL, parallel_init},    {RACES_PARALLEL, tasks_init},    {RACES_PARALLEL, handles_init},
    {RACES_PARALLEL, foreign_init},     {RACES_PARALLEL, signals_init},  {RACES_UNLOCKED, tokens_init},
    {RACES_UNLOCKED, entry_locks_init}, {RACES_UNLOCKED, tokens_check},  {RACES_ULTIMATE, find_pairs},
};

struct races *races_find(const struct pts *pts, const class_id *classes, size_t n_classes,
                         const struct races_options *options, struct race_error *err) {
    struct races *r = calloc(1, sizeof *r);
    if (r == NULL) abort();
    arena_init(&r->arena);
    r->p = pts_program(pts);
    r->pts = pts;
    if (options != NULL) r->options = *options;
    r->builder = ir_builder_new(r->p);
    r->err = err;
    r->classes = arena_copy(&r->arena, classes, n_classes * sizeof *classes);
    r->n_classes = n_classes;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        double start = now();
        steps[i].run(r);
        r->seconds[steps[i].stage] += now() - start;
        if (err != NULL && err->set) {
            races_free(r);
            return NULL;
        }
    }
    r->err = NULL;
    return r;
}

void races_free(struct races *r) {
    if (r == NULL) return;
    behind_release(r);
    handles_release(r);
    keys_release(r);
    tasks_release(r);
    signals_release(r);
    levels_release(r);
    tokens_release(r);
    arounds_release(r);
    symbols_release(r);
    vec_release(&r->methods);
    vec_release(&r->accesses);
    vec_release(&r->pairs);
    ir_builder_free(r->builder);
    arena_release(&r->arena);
    free(r);
}

uint64_t races_funnel(const struct races *r, enum races_stage stage) {
    return r->funnel[stage];
}
uint32_t races_n_sites(const struct races *r) {
    return (uint32_t)r->accesses.n;
}
const struct races_access *races_access(const struct races *r, races_site s) {
    return &r->accesses.v[s.v - 1];
}
uint32_t races_n_pairs(const struct races *r) {
    return (uint32_t)r->pairs.n;
}
const struct races_pair *races_pair(const struct races *r, uint32_t i) {
    return &r->pairs.v[i];
}
double races_stage_seconds(const struct races *r, enum races_stage stage) {
    return r->seconds[stage];
}
