/* Functions that methods of the program run under their own locks; see around.h. */
#include "around.h"
#include "groups.h"
#include "kept.h"
#include "orders.h"
#include "sources.h"

#include <stdlib.h>
#include <string.h>

/* Calls that run the same method of the same receiver, and give it the function as the same argument. */
struct kind {
    name_id name, desc;
    uint32_t arg;
    class_id home; /* for its package, if a method is known there only; else 0 */
};

struct around {
    const struct ir_body *maker;
    uint32_t made, call; /* statements of it */
    uint32_t arg;        /* of the call: the function */
    bool gives_back;     /* a j.u.c. lock of the maker may be gone when the function runs */
    struct locks own;    /* what the methods called hold, by the maker's names */
};

struct arounds {
    VEC(struct kind) kinds;
    VEC(const struct around *) of; /* by method */
    VEC(bool) tried;
};

static struct arounds *arounds(struct races *r) {
    if (r->arounds == NULL) {
        r->arounds = calloc(1, sizeof *r->arounds);
        if (r->arounds == NULL) abort();
    }
    return r->arounds;
}

void arounds_release(struct races *r) {
    if (r->arounds == NULL) return;
    vec_release(&r->arounds->kinds);
    vec_release(&r->arounds->of);
    vec_release(&r->arounds->tried);
    free(r->arounds);
    r->arounds = NULL;
}

static bool same_kind(struct races *r, const struct kind *a, const struct kind *b) {
    if (!name_id_eq(a->name, b->name) || !name_id_eq(a->desc, b->desc) || a->arg != b->arg) return false;
    if (a->home.v == 0 || b->home.v == 0) return a->home.v == b->home.v;
    return program_same_package(r->p, a->home, b->home);
}

/* From 1. */
static uint32_t kind_number(struct races *r, const struct kind *kind) {
    struct arounds *all = arounds(r);
    for (uint32_t i = 0; i < all->kinds.n; i++) {
        if (same_kind(r, &all->kinds.v[i], kind)) return i + 1;
    }
    vec_push(&all->kinds, *kind);
    return (uint32_t)all->kinds.n;
}

const char *around_text(const struct races *r, uint32_t number) {
    return program_str(r->p, r->arounds->kinds.v[number - 1].name);
}

/* ---- who makes the function, and for which call ---- */

static bool is_virtual(const struct ir_stmt *s) {
    return s->op == IR_INVOKE && (s->sub == IR_CALL_VIRTUAL || s->sub == IR_CALL_INTERFACE);
}

/* The site of the function objects that bring this call to the method; false if something else may, too. */
static bool site_of_call(struct races *r, const struct pts_call *call, method_id m, struct around *a) {
    if (call->kind != PTS_EDGE_CALL || call->caller.v == 0) return false;
    method_id caller = pts_inst_info(r->pts, call->caller)->method;
    const struct ir_body *body = is_app(r, caller) ? body_of(r, caller) : NULL;
    if (body == NULL || !is_virtual(&body->stmts[call->stmt])) return false;
    const struct ir_stmt *s = &body->stmts[call->stmt];
    if (is_named_alike(r, s, m)) return false;
    struct pts_view set = pts_var(r->pts, call->caller, ir_arg(body, s, 0));
    struct pts_iter it = {0};
    pts_obj o;
    bool any = false;
    while (pts_next(set, &it, &o)) {
        if (!method_id_eq(function_target(r, o), m)) continue;
        const struct pts_alloc_info *alloc = pts_alloc_info(r->pts, pts_obj_info(r->pts, o)->alloc);
        const struct ir_body *maker = body_of(r, alloc->method);
        if (a->maker != NULL && (a->maker != maker || a->made != alloc->stmt)) return false;
        a->maker = maker;
        a->made = alloc->stmt;
        any = true;
    }
    return any;
}

static bool find_maker(struct races *r, method_id m, struct around *a) {
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callers(r->pts, insts[i], &n);
        if (n == 0 || bits_has(&r->thread_roots, insts[i].v)) return false;
        for (uint32_t k = 0; k < n; k++) {
            if (!site_of_call(r, &calls[k], m, a)) return false;
        }
    }
    return a->maker != NULL && is_app(r, a->maker->method);
}

/* The one call that the function is an argument of, if that is all that becomes of it. */
static bool find_call(const struct ir_body *body, ir_var function, struct around *a) {
    unsigned uses = 0;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op == IR_CAST) continue;
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (!ir_var_eq(var_origin(body, ir_arg(body, s, k)), function)) continue;
            if (s->op != IR_INVOKE || s->sub == IR_CALL_DYNAMIC || (k == 0 && s->sub != IR_CALL_STATIC))
                return false;
            a->call = i;
            a->arg = k;
            uses++;
        }
    }
    return uses == 1;
}

/* ---- what the methods called do with it ---- */

static bool calls_function(struct races *r, const struct ir_stmt *s, uint32_t arg) {
    method_id m = is_virtual(s) && arg == 0 ? program_ref_method(r->p, (ref_id){s->ref}) : (method_id){0};
    return m.v != 0 && (program_method(r->p, m)->access & CF_ACC_ABSTRACT) != 0;
}

/* The same lock by the maker's name; false if it has none. */
static bool rename_for_maker(struct races *r, const struct around *a, const struct ir_body *callee,
                             struct lock *lock) {
    struct path inner = lock->path;
    if (inner.root == PATH_STATIC || inner.root == PATH_CLASS) return true;
    const struct ir_stmt *call = &a->maker->stmts[a->call];
    if (inner.root != PATH_VAR || inner.id > callee->n_params || inner.id > call->n_args) return false;
    lock->path = path_of(r, a->maker, ir_arg(a->maker, call, inner.id - 1));
    for (unsigned i = 0; i < inner.n; i++) {
        if (!path_extend(&lock->path, inner.fields[i])) return false;
    }
    return true;
}

static bool is_of_receiver(const struct lock *l) {
    return l->path.root == PATH_VAR && l->path.id == 1 && !l->shared;
}

/* What is held where one method calls the function: `all` by the maker's names, `own` those of the receiver.
 */
static void hold_at(struct races *r, struct around *a, const struct ir_body *callee, uint32_t stmt,
                    struct locks *all, struct locks *own) {
    struct locks held, renamed = {0}, of_receiver = {0};
    locks_before(r, callee->method, stmt, &held);
    a->gives_back |= held.own_only || held.lost_tokens != 0;
    for (unsigned i = 0; i < held.n; i++) {
        struct lock lock = held.v[i];
        if (is_of_receiver(&lock)) locks_add(&of_receiver, &lock);
        if (rename_for_maker(r, a, callee, &lock)) locks_add(&renamed, &lock);
    }
    locks_meet(all, &renamed);
    locks_meet(own, &of_receiver);
}

/* False if the method does anything else with the function. */
static bool look_at_callee(struct races *r, struct around *a, const struct ir_body *callee, struct locks *all,
                           struct locks *own) {
    for (uint32_t i = 0; i < callee->n_stmts; i++) {
        const struct ir_stmt *s = &callee->stmts[i];
        if (s->op == IR_CAST || s->op == IR_IF || s->op == IR_INSTANCE_OF) continue;
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (var_origin(callee, ir_arg(callee, s, k)).v != a->arg + 1) continue;
            if (!calls_function(r, s, k)) return false;
            hold_at(r, a, callee, i, all, own);
        }
    }
    return true;
}

/* Whether the receiver decides which method runs, and every method holds a lock that depends on it alone. */
struct inside {
    bool holds;
    bool juc;     /* some such lock is no monitor */
    bool package; /* some method overrides in its package only */
};

static void see_own(struct races *r, struct inside *in, method_id m, const struct locks *own) {
    uint16_t access = program_method(r->p, m)->access;
    bool monitor = own->top;
    for (unsigned i = 0; i < own->n; i++) monitor |= !own->v[i].juc;
    in->holds &= (own->top || own->n > 0) && (access & CF_ACC_PRIVATE) == 0;
    in->juc |= !monitor;
    in->package |= (access & (CF_ACC_PUBLIC | CF_ACC_PROTECTED)) == 0;
}

static void add_inside(struct races *r, struct around *a, const struct inside *in) {
    const struct ir_stmt *call = &a->maker->stmts[a->call];
    const struct member_ref *ref = invoke_ref(r, call);
    struct lock lock = {.juc = in->juc, .path = path_of(r, a->maker, ir_arg(a->maker, call, 0))};
    if (!in->holds || lock.path.root != PATH_VAR) return;
    struct kind kind = {ref->name, ref->desc, a->arg, in->package ? ref->cls : (class_id){0}};
    lock.path.root = PATH_INSIDE;
    lock.around = kind_number(r, &kind);
    locks_add(&a->own, &lock);
}

static bool look_at_callees(struct races *r, struct around *a) {
    const struct ir_stmt *call = &a->maker->stmts[a->call];
    struct inside inside = {.holds = is_virtual(call)};
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(r->pts, a->maker->method, &n_insts);
    a->own.top = true;
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callees_at(r->pts, insts[i], a->call, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_CLINIT) continue;
            method_id m = pts_inst_info(r->pts, calls[k].callee)->method;
            const struct ir_body *callee = is_app(r, m) ? body_of(r, m) : NULL;
            struct locks own = {.top = true};
            if (calls[k].kind != PTS_EDGE_CALL || callee == NULL || !argument_matches(r, call, m) ||
                !look_at_callee(r, a, callee, &a->own, &own))
                return false;
            see_own(r, &inside, m, &own);
        }
    }
    if (a->own.top) return false; /* nobody calls the function */
    add_inside(r, a, &inside);
    return true;
}

static bool find_around(struct races *r, method_id m, struct around *a) {
    if (!is_function_target(r, m) || name_is(r, program_method(r->p, m)->name, "<init>")) return false;
    return find_maker(r, m, a) && find_call(a->maker, a->maker->stmts[a->made].def, a) &&
           look_at_callees(r, a);
}

static const struct around *around_of(struct races *r, method_id m) {
    struct arounds *all = arounds(r);
    while (all->of.n <= m.v) {
        vec_push(&all->of, NULL);
        vec_push(&all->tried, false);
    }
    if (!all->tried.v[m.v]) {
        all->tried.v[m.v] = true;
        struct around a = {0};
        if (find_around(r, m, &a)) all->of.v[m.v] = arena_copy(&r->arena, &a, sizeof a);
    }
    return all->of.v[m.v];
}

/* ---- names in the function's body ---- */

/* The name in the function's body of what starts from a captured value; false if it does not. */
static bool path_in_body(struct races *r, const struct around *a, const struct path *p, struct path *out) {
    const struct ir_stmt *made = &a->maker->stmts[a->made];
    for (uint32_t i = 0; i < made->n_args; i++) {
        struct path arg = path_of(r, a->maker, ir_arg(a->maker, made, i));
        if (!path_starts_with(p, &arg)) continue;
        *out = (struct path){.root = PATH_VAR, .id = i + 1};
        for (unsigned k = arg.n; k < p->n; k++) path_extend(out, p->fields[k]);
        return true;
    }
    return false;
}

/* The parameter that is the variable's value, captured; 0 if it was not. */
static uint32_t captured_as(struct races *r, const struct around *a, ir_var v) {
    struct path inner, outer = path_of(r, a->maker, v);
    return path_in_body(r, a, &outer, &inner) && inner.n == 0 ? inner.id : 0;
}

/* A lock of a variable that was not captured, if that is one of two values and both are, and the variable
 * that is the other one. */
static bool name_by_others(struct races *r, const struct around *a, struct lock *lock) {
    const struct ir_stmt *made = &a->maker->stmts[a->made];
    ir_var v = {lock->path.id}, two[2];
    if (lock->path.root != PATH_INSIDE || lock->path.n > 0) return false;
    for (uint32_t i = 0; i < made->n_args; i++) {
        ir_var w = var_origin(a->maker, ir_arg(a->maker, made, i));
        if (a->maker->vars[w.v].kind != IR_REF || !are_two_in_order(r, a->maker, v, w, two)) continue;
        uint32_t x = captured_as(r, a, two[0]), y = captured_as(r, a, two[1]);
        if (x == 0 || y == 0) continue;
        lock->path = (struct path){.root = PATH_OTHER, .id = i + 1, .n = 2, .fields = {{x}, {y}}};
        return true;
    }
    return false;
}

/* The lock of an element, a[i], where both a and i were captured and the body reads a[i] again. */
static void name_by_elements(struct races *r, const struct around *a, const struct ir_body *body,
                             const struct lock *lock, struct locks *out) {
    const struct ir_stmt *load = ir_def(a->maker, (ir_var){lock->path.id});
    struct path array, index;
    if (load->op != IR_ARRAY_LOAD || lock->path.n > 0) return;
    struct path array_made = path_of(r, a->maker, ir_arg(a->maker, load, 0));
    struct path index_made = path_of(r, a->maker, ir_arg(a->maker, load, 1));
    if (!path_in_body(r, a, &array_made, &array) || !path_in_body(r, a, &index_made, &index) ||
        !arrays_keep_elements(r, a->maker, ir_arg(a->maker, load, 0)))
        return;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op != IR_ARRAY_LOAD || s->sub != IR_ELEM_REF) continue;
        struct path x = path_of(r, body, ir_arg(body, s, 0)), y = path_of(r, body, ir_arg(body, s, 1));
        if (!path_equal(&x, &array) || !path_equal(&y, &index)) continue;
        struct lock again = *lock;
        again.path.id = s->def.v;
        locks_add(out, &again);
    }
}

static void name_in_body(struct races *r, const struct around *a, const struct ir_body *body,
                         struct lock lock, struct locks *out) {
    if (lock.path.root == PATH_OTHER) return;
    if (lock.path.root != PATH_VAR && lock.path.root != PATH_INSIDE) {
        locks_add(out, &lock);
        return;
    }
    struct path outer = lock.path, inner;
    outer.root = PATH_VAR;
    if (path_in_body(r, a, &outer, &inner)) {
        inner.root = lock.path.root;
        lock.path = inner;
        locks_add(out, &lock);
        return;
    }
    name_by_elements(r, a, body, &lock, out);
    if (name_by_others(r, a, &lock)) locks_add(out, &lock);
}

bool around_locks(struct races *r, pts_inst i, struct locks *out) {
    const struct around *a = around_of(r, pts_inst_info(r->pts, i)->method);
    if (a == NULL) return false;
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, a->maker->method, &n);
    const struct ir_body *body = body_of(r, pts_inst_info(r->pts, i)->method);
    *out = (struct locks){.top = true};
    for (uint32_t k = 0; k < n; k++) {
        struct locks held, named = {0};
        locks_held(r, insts[k], a->call, &held);
        if (held.top) continue;
        for (unsigned x = held.n; x-- > 0 && a->gives_back;) {
            if (held.v[x].juc) held.v[x] = held.v[--held.n];
        }
        for (unsigned x = 0; x < a->own.n; x++) locks_add(&held, &a->own.v[x]);
        locks_add_ordered(r, a->maker, &held);
        for (unsigned x = 0; x < held.n; x++) name_in_body(r, a, body, held.v[x], &named);
        locks_meet(out, &named);
    }
    return true;
}
