/*
 * What a method does with the objects of its parameters: whether one may become visible to other threads or
 * stay behind in the heap.  Without regard to the order of statements; the least solution over the methods
 * that a call leads to.  A call that leads to very many methods is taken to leak everything.
 */
#include "groups.h"
#include "sources.h" /* is_function_target */
#include "race/containercalls.h"
#include "summary.h"

#include <string.h>

enum { SUMMARY_LIMIT = 600 }; /* methods; most constructors and collection calls lead to far fewer */

static const struct param_summary leaks_all = {.leaks = UINT64_MAX,
                                               .into = UINT64_MAX,
                                               .stores = UINT64_MAX,
                                               .from = UINT64_MAX,
                                               .foreign = true,
                                               .done = true};
static const struct param_summary harmless = {.from = UINT64_MAX, .done = true};

/* ---- natives ---- */

/* What a native returns is taken to be reachable from all its arguments. */
struct native_rule {
    const char *cls, *name; /* name NULL: every native of the class */
    struct param_summary summary;
};

/* Natives and methods that the points-to analysis does not go into. */
static const struct native_rule natives[] = {
    {"java/lang/Object", "clone", {.copies = true, .done = true}}, /* holds what the original holds */
    {"java/lang/Object", NULL, {.done = true}},
    {"java/lang/Class", NULL, {.foreign = true, .done = true}},
    {"java/lang/String", NULL, {.done = true}},
    {"java/lang/StringCoding", NULL, {.done = true}},
    {"java/lang/StringUTF16", NULL, {.done = true}},
    {"java/lang/Float", NULL, {.done = true}},
    {"java/lang/Double", NULL, {.done = true}},
    {"java/lang/StrictMath", NULL, {.done = true}},
    {"java/lang/Runtime", NULL, {.done = true}},
    {"java/lang/System", "arraycopy", {.kept = 1, .into = 4, .done = true}},
    {"java/lang/System", "identityHashCode", {.done = true}},
    {"java/lang/System", "nanoTime", {.done = true}},
    {"java/lang/System", "currentTimeMillis", {.done = true}},
    {"java/lang/Throwable", "fillInStackTrace", {.returns_this = true, .done = true}},
    {"java/lang/Thread", "currentThread", {.foreign = true, .done = true}},
    {"java/lang/Thread", "yield", {.done = true}},
    {"java/lang/Thread", "sleep", {.done = true}},
    {"java/util/Arrays",
     "copyOf",
     {.copies = true, .done = true}}, /* the copy holds what the original holds */
    {"java/util/Arrays", "copyOfRange", {.copies = true, .done = true}},
    {"java/lang/reflect/Array", "newInstance", {.fresh = true, .done = true}},
    {"java/lang/Throwable", "initCause", {.kept = 2, .into = 1, .returns_this = true, .done = true}},
    {"java/util/Objects", "requireNonNull", {.returns_this = true, .done = true}},
    {"java/lang/reflect/Array", "newArray", {.fresh = true, .done = true}},
};

static const struct param_summary *native_summary(struct races *r, const struct method_info *m) {
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++) {
        if (class_is(r, m->owner, natives[i].cls) &&
            (natives[i].name == NULL || name_is(r, m->name, natives[i].name)))
            return &natives[i].summary;
    }
    return &leaks_all;
}

/* ---- collections and builders ---- */

/*
 * Classes of the JDK whose methods keep their arguments inside and publish neither them nor `this`: the
 * containers that calls name, those that lock by themselves, and machines that are given text; nested classes
 * (iterators, views, nodes) included.  Formats and calendars, which call on much else, and interfaces are
 * not.
 */
static bool is_keeper(struct races *r, class_id c) {
    static const char *const others[] = {"java/lang/AbstractStringBuilder",
                                         "java/lang/StringBuffer",
                                         "java/util/Hashtable",
                                         "java/util/Scanner",
                                         "java/util/Stack",
                                         "java/util/Vector",
                                         "java/util/regex/Matcher"};
    const char *name = program_class_name(r->p, c);
    struct cf_str outer = {name, (uint32_t)strcspn(name, "$")};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (cf_str_is(outer, others[i])) return true;
    }
    if (!cc_is_named(outer) || strncmp(name, "java/text/", 10) == 0 ||
        cf_str_is(outer, "java/util/Calendar") || cf_str_is(outer, "java/util/GregorianCalendar"))
        return false;
    char *text = arena_printf(&r->arena, "%.*s", (int)outer.n, outer.p);
    class_id around = program_find_class(r->p, text);
    return around.v != 0 && (program_info(r->p, around)->access & CF_ACC_INTERFACE) == 0;
}

/*
 * Looking into them would find the whole JDK behind every message of an exception.  Methods that call back
 * (functions, comparators) are looked into all the same; equals, hashCode and toString of elements are taken
 * not to publish anything.
 */
static bool keeper_summary(struct races *r, const struct method_info *m, struct param_summary *out) {
    const char *cls = program_class_name(r->p, m->owner), *desc = program_str(r->p, m->desc);
    bool listed = is_keeper(r, m->owner);
    if (strcmp(cls, "java/util/regex/Pattern") == 0 && name_is(r, m->name, "matcher")) {
        *out = (struct param_summary){.stores = UINT64_MAX,
                                      .from = UINT64_MAX,
                                      .copies = true,
                                      .done = true}; /* holds pattern and text */
        return true;
    }
    /* A thread object becomes known to others when it is started, not when it is made. */
    listed |= m->owner.v == CLASS_THREAD && name_is(r, m->name, "<init>");
    if (!listed || (m->access & CF_ACC_STATIC) != 0 || strstr(desc, "java/util/function/") != NULL ||
        strstr(desc, "Comparator") != NULL || strstr(desc, "java/util/stream/") != NULL)
        return false;
    *out = (struct param_summary){.kept = ~(uint64_t)1, .into = 1, .from = UINT64_MAX, .done = true};
    /* A builder takes the text of its arguments, not the arguments. */
    if (strncmp(cls, "java/lang/", 10) == 0 && m->owner.v != CLASS_THREAD) out->kept = out->into = 0;
    out->returns_this =
        strstr(desc, ")Ljava/lang/StringBu") != NULL || strstr(desc, ")Ljava/util/StringJ") != NULL ||
        strstr(desc, ")Ljava/util/Scanner;") != NULL || strstr(desc, ")Ljava/util/regex/Matcher;") != NULL;
    return true;
}

/* ---- calls ---- */

/* Known so far; a method under way counts with what was found of it. */
static const struct param_summary *known(struct races *r, method_id m) {
    const struct param_summary *s = facts_of(r, m)->params;
    return s != NULL ? s : &harmless;
}

bool is_named_alike(const struct races *r, const struct ir_stmt *s, method_id callee) {
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL) return false;
    const struct method_info *m = program_method(r->p, callee);
    return name_id_eq(m->name, ref->name) && m->sig->n_params == program_sig(r->p, ref->desc)->n_params &&
           ((m->access & CF_ACC_STATIC) != 0) == (s->sub == IR_CALL_STATIC);
}

bool argument_matches(struct races *r, const struct ir_stmt *s, method_id callee) {
    bool by_function = s->sub == IR_CALL_VIRTUAL || s->sub == IR_CALL_INTERFACE;
    return is_named_alike(r, s, callee) && !(by_function && is_function_target(r, callee));
}

static void add_callee(struct races *r, const struct call_target *t, struct call_effect *e) {
    const struct param_summary *known_ = t->plain ? known(r, t->method) : &leaks_all;
    e->leaks |= known_->leaks;
    e->kept |= known_->kept;
    e->into |= known_->into;
    e->from |= known_->from;
    e->stores |= known_->stores;
    e->foreign |= known_->foreign;
    e->fresh &= known_->fresh;
    e->returns_this &= known_->returns_this;
    e->copies &= known_->copies;
}

/* An invokedynamic makes a function object that holds its arguments, or a string; bootstraps keep nothing. */
static struct call_effect dynamic_effect(struct races *r, const struct ir_stmt *s) {
    const struct dyn_info *d = program_dyn(r->p, (dyn_id){s->ref});
    size_t n = program_str_len(r->p, d->desc);
    static const char string_result[] = ")Ljava/lang/String;";
    struct call_effect e = {.from = UINT64_MAX};
    if (n >= sizeof string_result - 1 &&
        strcmp(program_str(r->p, d->desc) + n - (sizeof string_result - 1), string_result) == 0)
        e.fresh = true; /* concatenation; toString of an argument is a call of its own to the points-to */
    return e;
}

struct call_effect call_effect(struct races *r, const struct ir_body *body, uint32_t stmt) {
    const struct ir_stmt *s = &body->stmts[stmt];
    if (s->sub == IR_CALL_DYNAMIC) return dynamic_effect(r, s);
    struct call_effect e = {.fresh = true, .returns_this = s->n_args > 0, .copies = true};
    const struct call_targets *targets = call_targets(r, body, stmt);
    for (uint32_t i = 0; i < targets->n; i++) add_callee(r, &targets->v[i], &e);
    if (targets->n > 0) return e;
    /* A native or another method that the points-to analysis models by itself; or it never runs. */
    method_id m = program_ref_method(r->p, (ref_id){s->ref});
    const struct method_info *info = m.v != 0 ? program_method(r->p, m) : NULL;
    const struct param_summary *unknown = info == NULL ? &leaks_all : native_summary(r, info);
    return (struct call_effect){.leaks = unknown->leaks,
                                .kept = unknown->kept,
                                .into = unknown->into,
                                .from = UINT64_MAX,
                                .stores = unknown->stores,
                                .fresh = unknown->fresh,
                                .returns_this = unknown->returns_this,
                                .copies = unknown->copies,
                                .foreign = unknown->foreign};
}

/* ---- one method ---- */

/* The JDK's shared empty arrays hold nothing and never will. */
static bool is_constant(struct races *r, const struct ir_stmt *get) {
    const struct member_ref *ref = program_ref(r->p, (ref_id){get->ref});
    return strstr(program_str(r->p, ref->name), "EMPTY") != NULL &&
           strncmp(program_class_name(r->p, ref->cls), "java/util/", 10) == 0;
}

struct group_flags {
    uint64_t params;
    bool leaked;
    bool filled; /* something else may be stored into it */
    bool mixed;  /* something foreign is or may be part of it */
};

struct summing {
    struct races *r;
    const struct ir_body *body;
    struct groups groups;
    struct group_flags *flags; /* by group */
    uint64_t *holds;           /* by variable: parameters that it is, or whose objects are inside of it */
    bool changed;              /* some `holds` grew */
    struct param_summary out;
};

static void leak(struct summing *x, ir_var v) {
    if (is_mutable_ref(x->r, x->body, v)) x->flags[group_of(&x->groups, v)].leaked = true;
}

static void fill(struct summing *x, ir_var v) {
    if (is_mutable_ref(x->r, x->body, v)) x->flags[group_of(&x->groups, v)].filled = true;
}

static void mix(struct summing *x, ir_var v) {
    if (is_mutable_ref(x->r, x->body, v)) x->flags[group_of(&x->groups, v)].mixed = true;
}

/* Whether the variable can be nothing but new here or a parameter itself. */
static bool known_value(struct summing *x, ir_var v) {
    const struct ir_stmt *def = ir_def(x->body, var_origin(x->body, v));
    if (def->op == IR_NEW || def->op == IR_NEW_ARRAY || def->op == IR_CONST || def->op == IR_PARAM)
        return true;
    if (!is_mutable_ref(x->r, x->body, v)) return true;
    return def->op == IR_INVOKE && call_effect(x->r, x->body, (uint32_t)(def - x->body->stmts)).fresh;
}

/*
 * target.f = value: they are one group already.  If the target was found by following references through a
 * group with foreign parts, it may be one of those, and everything in the group is visible there.
 */
static void sum_store(struct summing *x, ir_var target, ir_var value) {
    if (!is_mutable_ref(x->r, x->body, value)) return;
    if (!known_value(x, value)) fill(x, target);
    if (!known_value(x, target) && x->flags[group_of(&x->groups, target)].mixed) leak(x, target);
}

static void sum_call(struct summing *x, const struct ir_stmt *s) {
    struct call_effect e = call_effect(x->r, x->body, (uint32_t)(s - x->body->stmts));
    for (uint32_t i = 0; i < s->n_args; i++) {
        ir_var arg = ir_arg(x->body, s, i);
        if (has_arg(e.leaks, i)) leak(x, arg);
        if (has_arg(e.stores, i)) fill(x, arg);
        if (i >= 64 || (e.kept >> i & 1) == 0) continue;
        for (uint32_t k = 0; k < s->n_args && k < 64; k++) {
            if (k != i && (e.into >> k & 1) != 0) sum_store(x, ir_arg(x->body, s, k), arg);
        }
    }
}

/* Foreign parts come first: what a store does depends on all of them. */
static void mix_statement(struct summing *x, const struct ir_stmt *s) {
    if (s->op == IR_CATCH || (s->op == IR_GET_STATIC && !is_constant(x->r, s))) mix(x, s->def);
    if (s->op == IR_INVOKE && s->def.v != 0 &&
        call_effect(x->r, x->body, (uint32_t)(s - x->body->stmts)).foreign)
        mix(x, s->def);
}

static void sum_statement(struct summing *x, const struct ir_stmt *s) {
    switch (s->op) {
    case IR_PUT_STATIC:
    case IR_THROW: leak(x, ir_arg(x->body, s, 0)); break;
    case IR_PUT_FIELD: sum_store(x, ir_arg(x->body, s, 0), ir_arg(x->body, s, 1)); break;
    case IR_ARRAY_STORE: sum_store(x, ir_arg(x->body, s, 0), ir_arg(x->body, s, 2)); break;
    case IR_INVOKE: sum_call(x, s); break;
    default: break;
    }
}

/* ---- which parameters are stored into which ---- */

static void hold(struct summing *x, ir_var v, uint64_t params) {
    if ((x->holds[v.v] | params) == x->holds[v.v]) return;
    x->holds[v.v] |= params;
    x->changed = true;
}

static void hold_store(struct summing *x, ir_var target, ir_var value) {
    uint64_t in = x->holds[value.v];
    if (in == 0 || !is_mutable_ref(x->r, x->body, value)) return;
    ir_var origin = var_origin(x->body, target);
    uint8_t op = ir_def(x->body, origin)->op;
    hold(x, origin, in);
    if (op == IR_NEW || op == IR_NEW_ARRAY) return; /* goes where the new object goes */
    uint64_t self = op == IR_PARAM && origin.v <= 64 ? (uint64_t)1 << (origin.v - 1) : 0;
    x->out.kept |= in & ~self;
    x->out.into |= self != 0 ? self : x->holds[origin.v] | ~in;
}

static void hold_call(struct summing *x, const struct ir_stmt *s) {
    struct call_effect e = call_effect(x->r, x->body, (uint32_t)(s - x->body->stmts));
    for (uint32_t i = 0; i < s->n_args; i++) {
        ir_var arg = ir_arg(x->body, s, i);
        if (s->def.v != 0 && !e.fresh && has_arg(e.from, i)) hold(x, s->def, x->holds[arg.v]);
        if (i >= 64 || (e.kept >> i & 1) == 0) continue;
        for (uint32_t k = 0; k < s->n_args && k < 64; k++) {
            if (k != i && (e.into >> k & 1) != 0) hold_store(x, ir_arg(x->body, s, k), arg);
        }
    }
}

static void hold_statement(struct summing *x, const struct ir_stmt *s) {
    const struct ir_body *body = x->body;
    switch (s->op) {
    case IR_CAST:
    case IR_PHI:
        for (uint32_t k = 0; k < s->n_args; k++) hold(x, s->def, x->holds[ir_arg(body, s, k).v]);
        break;
    case IR_GET_FIELD:
    case IR_ARRAY_LOAD: hold(x, s->def, x->holds[ir_arg(body, s, 0).v]); break;
    case IR_PUT_FIELD: hold_store(x, ir_arg(body, s, 0), ir_arg(body, s, 1)); break;
    case IR_ARRAY_STORE: hold_store(x, ir_arg(body, s, 0), ir_arg(body, s, 2)); break;
    case IR_INVOKE: hold_call(x, s); break;
    default: break;
    }
}

/* ---- the summary ---- */

/* Whether the variable is only looked at, cast, filled and returned: nothing keeps it. */
static bool stays_here(const struct ir_body *body, ir_var v) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (!ir_var_eq(ir_arg(body, s, k), v)) continue;
            bool fine = s->op == IR_RETURN || s->op == IR_IF || s->op == IR_GET_FIELD ||
                        s->op == IR_INSTANCE_OF || (s->op == IR_PUT_FIELD && k == 0) ||
                        (s->op == IR_CAST && stays_here(body, s->def));
            if (!fine) return false;
        }
    }
    return true;
}

static bool is_copy(struct summing *x, ir_var v) {
    ir_var origin = var_origin(x->body, v);
    const struct ir_stmt *def = ir_def(x->body, origin);
    if (def->op == IR_CONST) return true;
    return def->op == IR_INVOKE && call_effect(x->r, x->body, (uint32_t)(def - x->body->stmts)).copies &&
           stays_here(x->body, origin);
}

static void sum_result(struct summing *x, bool *first, ir_var v) {
    const struct group_flags *f = &x->flags[group_of(&x->groups, v)];
    bool matters = is_mutable_ref(x->r, x->body, v);
    bool fresh = !matters || (f->params == 0 && !f->leaked && !f->mixed);
    bool is_this = var_origin(x->body, v).v == 1;
    x->out.fresh = (*first || x->out.fresh) && fresh;
    x->out.returns_this = (*first || x->out.returns_this) && is_this;
    x->out.copies = (*first || x->out.copies) && (fresh || is_copy(x, v));
    x->out.foreign |= matters && (f->leaked || f->mixed);
    if (matters) x->out.from |= x->body->n_params > 64 ? UINT64_MAX : f->params;
    *first = false;
}

static bool same_summary(const struct param_summary *a, const struct param_summary *b) {
    return a->leaks == b->leaks && a->kept == b->kept && a->into == b->into && a->from == b->from &&
           a->stores == b->stores && a->fresh == b->fresh && a->returns_this == b->returns_this &&
           a->copies == b->copies && a->foreign == b->foreign;
}

static void sum_body(struct summing *x) {
    const struct ir_body *body = x->body;
    for (uint32_t v = 1; v <= body->n_params && v <= 64; v++) {
        if (is_mutable_ref(x->r, body, (ir_var){v}))
            x->flags[group_of(&x->groups, (ir_var){v})].params |= x->holds[v] = (uint64_t)1 << (v - 1);
    }
    do {
        x->changed = false;
        for (uint32_t i = 0; i < body->n_stmts; i++) hold_statement(x, &body->stmts[i]);
    } while (x->changed);
    for (uint32_t i = 0; i < body->n_stmts; i++) mix_statement(x, &body->stmts[i]);
    for (uint32_t i = 0; i < body->n_stmts; i++) sum_statement(x, &body->stmts[i]);
    bool first = true;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->op == IR_RETURN && s->n_args > 0) sum_result(x, &first, ir_arg(body, s, 0));
    }
    for (uint32_t v = 1; v <= body->n_params && v <= 64; v++) {
        const struct group_flags *f = &x->flags[group_of(&x->groups, (ir_var){v})];
        uint64_t bit = (uint64_t)1 << (v - 1);
        if (f->leaked) x->out.leaks |= bit & f->params;
        if (f->filled) x->out.stores |= bit & f->params;
    }
}

/* True if the summary changed. */
static bool summarise(struct races *r, method_id m, struct arena *scratch) {
    struct param_summary *old = facts_of(r, m)->params, now = {.done = true};
    const struct ir_body *body = body_of(r, m);
    if (body == NULL) {
        const struct method_info *info = program_method(r->p, m);
        bool opaque = info->has_code || (info->access & CF_ACC_NATIVE) != 0;
        now = !opaque ? harmless : info->has_code ? leaks_all : *native_summary(r, info);
        now.from = UINT64_MAX;
    } else {
        arena_clear(scratch);
        struct summing x = {.r = r, .body = body};
        groups_build(r, body, &x.groups, scratch);
        x.flags = ARENA_NEW_N(scratch, body->n_vars + 1, struct group_flags);
        x.holds = ARENA_NEW_N(scratch, body->n_vars + 1, uint64_t);
        sum_body(&x);
        now = x.out;
        /* Fresh or `this` can only be lost over the rounds, like everything that is found is kept. */
        if (old->rounds > 0) {
            now.fresh &= old->fresh;
            now.returns_this &= old->returns_this;
            now.copies &= old->copies;
        }
    }
    now.done = old->done;
    now.rounds = old->rounds + 1;
    bool changed = old->rounds == 0 || !same_summary(old, &now);
    *old = now;
    return changed;
}

/* ---- the methods that a call leads to ---- */

typedef VEC(method_id) method_list;

/* Depth first, callees before callers as far as there is an order. */
static void collect(struct races *r, method_id m, method_list *list, unsigned *budget) {
    struct method_facts *facts = facts_of(r, m);
    if (facts->params != NULL || *budget == 0) return;
    --*budget;
    facts->params = ARENA_NEW(&r->arena, struct param_summary);
    if (keeper_summary(r, program_method(r->p, m), facts->params)) return;
    facts->params->fresh = facts->params->returns_this = facts->params->copies = true;
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callees(r->pts, insts[i], &n);
        for (uint32_t k = 0; k<n && * budget> 0; k++) {
            if (calls[k].kind == PTS_EDGE_CALL)
                collect(r, pts_inst_info(r->pts, calls[k].callee)->method, list, budget);
        }
    }
    vec_push(list, m);
}

/*
 * A method of the application that leads to too much: the callees that do are taken to leak everything, the
 * others and the method itself are looked at.  Callees that come back here find `leaks_all`.
 */
static void summarise_alone(struct races *r, method_id m) {
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callees(r->pts, insts[i], &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_CALL) summary_of(r, pts_inst_info(r->pts, calls[k].callee)->method);
        }
    }
    struct arena scratch;
    arena_init(&scratch);
    summarise(r, m, &scratch);
    arena_release(&scratch);
}

const struct param_summary *summary_of(struct races *r, method_id m) {
    struct param_summary *s = facts_of(r, m)->params;
    if (s != NULL && s->done) return s;
    method_list list = {0};
    unsigned budget = SUMMARY_LIMIT;
    collect(r, m, &list, &budget);
    if (budget == 0) {
        /* Forget the half-collected ones: each gets a chance of its own when it is asked for. */
        for (size_t i = 0; i < list.n; i++) facts_of(r, list.v[i])->params = NULL;
        facts_of(r, m)->params = ARENA_NEW(&r->arena, struct param_summary);
        *facts_of(r, m)->params = leaks_all;
        vec_release(&list);
        if (is_app(r, m)) summarise_alone(r, m);
        return facts_of(r, m)->params;
    }
    struct arena scratch;
    arena_init(&scratch);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < list.n; i++) changed |= summarise(r, list.v[i], &scratch);
    }
    for (size_t i = 0; i < list.n; i++) facts_of(r, list.v[i])->params->done = true;
    arena_release(&scratch);
    vec_release(&list);
    return facts_of(r, m)->params;
}
