#include "hands.h"
#include "groups.h" /* argument_matches */
#include "slots.h"

#include <stdlib.h>
#include <string.h>

enum { TRIED_MAX = 40 }; /* objects looked at, each in all code of the application */

/* What a variable may name. */
enum { NOTHING, THING, PART };

struct hand_method {
    const struct ir_body *body;
    uint8_t *names;  /* by variable */
    uint32_t *group; /* by variable: those that may name one thing and its part have one root */
    uint64_t gives;  /* parameters that it may put into a queue */
};

/* One question. */
struct hand {
    struct races *r;
    pts_obj thing, part;
    field_id field; /* of the thing, for the part */
    VEC(struct hand_method) methods;
};

/* ---- queues ---- */

#define JUC "java/util/concurrent/"

static bool one_of(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(name, names[i]) == 0) return true;
    }
    return false;
}
#define ONE_OF(name, names) one_of(name, names, sizeof names / sizeof *names)

static bool is_queue(struct races *r, const struct ir_body *body, ir_var v) {
    static const char *const classes[] = {JUC "ArrayBlockingQueue",  JUC "LinkedBlockingQueue",
                                          JUC "LinkedBlockingDeque", JUC "ConcurrentLinkedQueue",
                                          JUC "LinkedTransferQueue", JUC "ConcurrentLinkedDeque",
                                          JUC "SynchronousQueue",    JUC "Exchanger"};
    uint32_t n;
    bool any = false;
    const pts_inst *insts = pts_insts_of(r->pts, body->method, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct pts_view set = pts_var(r->pts, insts[i], v);
        struct pts_iter it = {0};
        pts_obj o;
        while (pts_next(set, &it, &o)) {
            if (!ONE_OF(program_class_name(r->p, pts_obj_info(r->pts, o)->cls), classes)) return false;
            any = true;
        }
    }
    return any;
}

static bool calls_queue(struct races *r, const struct ir_body *body, const struct ir_stmt *s,
                        const char *const *names, size_t n) {
    const struct member_ref *ref = s->op == IR_INVOKE ? invoke_ref(r, s) : NULL;
    return ref != NULL && s->sub != IR_CALL_STATIC && s->n_args > 0 &&
           one_of(program_str(r->p, ref->name), names, n) && is_queue(r, body, ir_arg(body, s, 0));
}

/* Whether the call takes out what it returns. */
static bool takes_out(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    static const char *const names[] = {"take",      "takeFirst", "takeLast",    "poll",
                                        "pollFirst", "pollLast",  "removeFirst", "removeLast",
                                        "pop",       "exchange",  "remove"};
    return calls_queue(r, body, s, names, sizeof names / sizeof *names) &&
           body->vars[s->def.v].kind == IR_REF;
}

/* Whether the call puts its first argument in, or tries to. */
static bool puts_in(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    static const char *const names[] = {"add",       "addFirst",    "addLast",  "offer",   "offerFirst",
                                        "offerLast", "put",         "putFirst", "putLast", "push",
                                        "transfer",  "tryTransfer", "exchange"};
    return calls_queue(r, body, s, names, sizeof names / sizeof *names);
}

/* ---- variables ---- */

static uint32_t group_root(const struct hand_method *m, ir_var v) {
    uint32_t x = v.v;
    while (m->group[x] != x) x = m->group[x];
    return x;
}

static void join(struct hand_method *m, ir_var a, ir_var b) {
    if (m->names[a.v] != NOTHING && m->names[b.v] != NOTHING) m->group[group_root(m, a)] = group_root(m, b);
}

static void find_groups(struct hand_method *m) {
    for (uint32_t i = 0; i < m->body->n_stmts; i++) {
        const struct ir_stmt *s = &m->body->stmts[i];
        bool copies = s->op == IR_CAST || s->op == IR_PHI || s->op == IR_GET_FIELD;
        for (uint32_t k = 0; copies && k < s->n_args; k++) join(m, s->def, ir_arg(m->body, s, k));
        if (s->op == IR_PUT_FIELD) join(m, ir_arg(m->body, s, 0), ir_arg(m->body, s, 1));
    }
}

/* Finds the variables of a method that name the thing or its part; false if one may name both. */
static bool add_method(struct hand *x, const struct ir_body *body) {
    struct hand_method m = {.body = body};
    for (uint32_t v = 1; v <= body->n_vars; v++) {
        if (body->vars[v].kind != IR_REF) continue;
        bool thing = may_be_object(x->r, body, (ir_var){v}, x->thing);
        bool part = x->part.v != 0 && may_be_object(x->r, body, (ir_var){v}, x->part);
        if (!thing && !part) continue;
        if (thing && part) return false;
        if (m.names == NULL) {
            m.names = ARENA_NEW_N(&x->r->arena, body->n_vars + 1, uint8_t);
            m.group = ARENA_NEW_N(&x->r->arena, body->n_vars + 1, uint32_t);
            for (uint32_t k = 0; k <= body->n_vars; k++) m.group[k] = k;
        }
        m.names[v] = thing ? THING : PART;
    }
    if (m.names == NULL) return true;
    find_groups(&m);
    vec_push(&x->methods, m);
    return true;
}

static bool collect(struct hand *x) {
    struct races *r = x->r;
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const struct ir_body *body = pts_is_reachable(r->pts, m) ? body_of(r, m) : NULL;
            if (body != NULL && !add_method(x, body)) return false;
        }
    }
    return true;
}

static const struct hand_method *method_of(const struct hand *x, method_id m) {
    for (size_t i = 0; i < x->methods.n; i++) {
        if (method_id_eq(x->methods.v[i].body->method, m)) return &x->methods.v[i];
    }
    return NULL;
}

/* ---- where a variable gets it from ---- */

static bool called_plainly(struct races *r, method_id m) {
    uint32_t n_insts;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        uint32_t n;
        const struct pts_call *calls = pts_callers(r->pts, insts[i], &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind != PTS_EDGE_CALL || calls[k].caller.v == 0) return false;
            method_id from = pts_inst_info(r->pts, calls[k].caller)->method;
            const struct ir_body *body = is_app(r, from) ? body_of(r, from) : NULL;
            if (body == NULL || body->stmts[calls[k].stmt].op != IR_INVOKE ||
                !argument_matches(r, &body->stmts[calls[k].stmt], m))
                return false;
        }
    }
    return true;
}

/* Whether all that the statement calls is the application's, called as written. */
static bool calls_application(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    uint32_t n_insts, found = 0;
    const pts_inst *insts = pts_insts_of(r->pts, body->method, &n_insts);
    if (s->sub == IR_CALL_DYNAMIC) return false;
    for (uint32_t i = 0; i < n_insts; i++) {
        uint32_t n;
        const struct pts_call *calls = pts_callees_at(r->pts, insts[i], (uint32_t)(s - body->stmts), &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_CLINIT) continue;
            method_id m = pts_inst_info(r->pts, calls[k].callee)->method;
            if (calls[k].kind != PTS_EDGE_CALL || !is_app(r, m) || !argument_matches(r, s, m)) return false;
            found++;
        }
    }
    return found > 0;
}

static bool gets_it_well(struct hand *x, const struct hand_method *m, ir_var v) {
    const struct ir_body *body = m->body;
    const struct ir_stmt *s = ir_def(body, v);
    bool thing = m->names[v.v] == THING;
    switch (s->op) {
    case IR_NEW: return thing;
    case IR_NEW_ARRAY: return !thing;
    case IR_CAST:
    case IR_PHI: return true;
    case IR_PARAM: return called_plainly(x->r, body->method);
    case IR_INVOKE: return thing && (takes_out(x->r, body, s) || calls_application(x->r, body, s));
    case IR_GET_FIELD:
        return !thing && m->names[ir_arg(body, s, 0).v] == THING &&
               field_id_eq(program_ref_field(x->r->p, (ref_id){s->ref}), x->field);
    case IR_ARRAY_LOAD: return thing && takes_slot(x->r, body, s);
    default: return false;
    }
}

/* ---- what is done with it ---- */

enum deed { DEED_BAD, DEED_USES, DEED_GIVES };

static bool is_in_constructor(struct hand *x, const struct ir_body *body) {
    return name_is(x->r, program_method(x->r->p, body->method)->name, "<init>");
}

/* The constructor's own new array goes into the field of `this`. */
static bool sets_part(struct hand *x, const struct ir_body *body, const struct ir_stmt *s) {
    return is_in_constructor(x, body) && ir_arg(body, s, 0).v == 1 &&
           field_id_eq(program_ref_field(x->r->p, (ref_id){s->ref}), x->field) &&
           ir_def(body, ir_arg(body, s, 1))->op == IR_NEW_ARRAY &&
           body->blocks[ir_block_of(body, (uint32_t)(s - body->stmts))].depth == 0;
}

static bool group_has_param(const struct hand_method *m, ir_var v) {
    for (uint32_t p = 1; p <= m->body->n_params; p++) {
        if (m->names[p] != NOTHING && group_root(m, (ir_var){p}) == group_root(m, v)) return true;
    }
    return false;
}

static enum deed call_deed(struct hand *x, const struct hand_method *m, const struct ir_stmt *s, uint32_t k) {
    struct races *r = x->r;
    const struct ir_body *body = m->body;
    ir_var v = ir_arg(body, s, k);
    const struct member_ref *ref = invoke_ref(r, s);
    for (uint32_t i = 0; i < s->n_args; i++) {
        ir_var w = ir_arg(body, s, i);
        if (i != k && m->names[w.v] != NOTHING && group_root(m, w) == group_root(m, v)) return DEED_BAD;
    }
    if (ref != NULL && ref->cls.v == CLASS_OBJECT && name_is(r, ref->name, "<init>")) return DEED_USES;
    if (m->names[v.v] == THING && k == 1 && puts_in(r, body, s)) return DEED_GIVES;
    if (!calls_application(r, body, s) || k >= 64) return DEED_BAD;
    uint32_t n_insts;
    const pts_inst *insts = pts_insts_of(r->pts, body->method, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        uint32_t n;
        const struct pts_call *calls = pts_callees_at(r->pts, insts[i], (uint32_t)(s - body->stmts), &n);
        for (uint32_t c = 0; c < n; c++) {
            const struct hand_method *callee = method_of(x, pts_inst_info(r->pts, calls[c].callee)->method);
            if (callee != NULL && (callee->gives >> k & 1) != 0) return DEED_GIVES;
        }
    }
    return DEED_USES;
}

static enum deed deed_of(struct hand *x, const struct hand_method *m, const struct ir_stmt *s, uint32_t k) {
    const struct ir_body *body = m->body;
    bool thing = m->names[ir_arg(body, s, k).v] == THING;
    switch (s->op) {
    case IR_GET_FIELD:
    case IR_IF:
    case IR_CAST:
    case IR_PHI:
    case IR_INSTANCE_OF:
    case IR_MONITOR_ENTER:
    case IR_MONITOR_EXIT:
    case IR_ARRAY_LENGTH:
    case IR_ARRAY_LOAD: return DEED_USES;
    case IR_PUT_FIELD: return k == 0 || (!thing && sets_part(x, body, s)) ? DEED_USES : DEED_BAD;
    case IR_ARRAY_STORE:
        if (k == 0) return DEED_USES;
        return thing && fills_slot(x->r, body, s) ? DEED_GIVES : DEED_BAD;
    case IR_RETURN: return thing && !group_has_param(m, ir_arg(body, s, k)) ? DEED_GIVES : DEED_BAD;
    case IR_INVOKE: return call_deed(x, m, s, k);
    default: return DEED_BAD;
    }
}

/* ---- after it was given away ---- */

struct walk {
    const struct ir_body *body;
    uint32_t stop;             /* where the variable gets another value */
    const struct ir_stmt *use; /* of the variable */
    uint32_t operand;
    bool *seen;
};

/* Whether the use is that of a PHI where the edge from the block ends. */
static bool used_on_edge(const struct walk *w, uint32_t from, const struct ir_edge *e) {
    uint32_t at = ir_block_of(w->body, (uint32_t)(w->use - w->body->stmts));
    if (w->use->op != IR_PHI || e->block != at) return false;
    const struct ir_edge *back = &ir_preds(w->body, &w->body->blocks[at])[w->operand];
    return back->block == from && back->exceptional == e->exceptional;
}

static bool walk_from(struct walk *w, uint32_t b, uint32_t first) {
    const struct ir_block *block = &w->body->blocks[b];
    bool stopped = false;
    for (uint32_t s = first; s < block->end && !stopped; s++) {
        if (w->use->op != IR_PHI && &w->body->stmts[s] == w->use) return true;
        stopped = s == w->stop;
    }
    for (uint32_t k = 0; k < block->n_succs; k++) {
        const struct ir_edge *e = &ir_succs(w->body, block)[k];
        if (stopped && !e->exceptional) continue; /* an exception may come before the stop */
        if (used_on_edge(w, b, e)) return true;
        if (w->seen[e->block]) continue;
        w->seen[e->block] = true;
        if (walk_from(w, e->block, w->body->blocks[e->block].first)) return true;
    }
    return false;
}

/* Whether, once it is given away, control comes to the use of a variable that still has its old value. */
static bool uses_after(struct hand *x, const struct hand_method *m, uint32_t give, const struct ir_stmt *use,
                       uint32_t operand) {
    uint32_t stop = m->body->vars[ir_arg(m->body, use, operand).v].def;
    if (stop == give) return false;
    struct walk w = {m->body, stop, use, operand, ARENA_NEW_N(&x->r->arena, m->body->n_blocks, bool)};
    return walk_from(&w, ir_block_of(m->body, give), give + 1);
}

static bool ends_there(struct hand *x, const struct hand_method *m, uint32_t give, uint32_t k) {
    uint32_t root = group_root(m, ir_arg(m->body, &m->body->stmts[give], k));
    for (uint32_t i = 0; i < m->body->n_stmts; i++) {
        const struct ir_stmt *s = &m->body->stmts[i];
        for (uint32_t j = 0; j < s->n_args; j++) {
            ir_var v = ir_arg(m->body, s, j);
            if (m->names[v.v] != NOTHING && group_root(m, v) == root && uses_after(x, m, give, s, j))
                return false;
        }
    }
    return true;
}

/* ---- the answer ---- */

/* Marks the parameters of the group as given away; true if that is new. */
static bool note_gift(struct hand_method *m, ir_var v) {
    uint64_t before = m->gives;
    for (uint32_t p = 1; p <= m->body->n_params && p <= 64; p++) {
        if (m->names[p] != NOTHING && group_root(m, (ir_var){p}) == group_root(m, v))
            m->gives |= (uint64_t)1 << (p - 1);
    }
    return m->gives != before;
}

/* Goes through all uses; false if one is bad.  With `grew` only marks who gives what away. */
static bool look_at_uses(struct hand *x, struct hand_method *m, bool *grew) {
    for (uint32_t i = 0; i < m->body->n_stmts; i++) {
        const struct ir_stmt *s = &m->body->stmts[i];
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (m->names[ir_arg(m->body, s, k).v] == NOTHING) continue;
            enum deed deed = deed_of(x, m, s, k);
            if (deed == DEED_BAD) return false;
            if (deed != DEED_GIVES) continue;
            if (grew != NULL)
                *grew |= note_gift(m, ir_arg(m->body, s, k));
            else if (m->names[ir_arg(m->body, s, k).v] == PART || !ends_there(x, m, i, k))
                return false;
        }
    }
    return true;
}

static bool is_in_one_hand(struct hand *x) {
    if (!collect(x)) return false;
    for (size_t i = 0; i < x->methods.n; i++) {
        const struct hand_method *m = &x->methods.v[i];
        for (uint32_t v = 1; v <= m->body->n_vars; v++) {
            if (m->names[v] != NOTHING && !gets_it_well(x, m, (ir_var){v})) return false;
        }
    }
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t i = 0; i < x->methods.n; i++) {
            if (!look_at_uses(x, &x->methods.v[i], &grew)) return false;
        }
    }
    for (size_t i = 0; i < x->methods.n; i++) {
        if (!look_at_uses(x, &x->methods.v[i], NULL)) return false;
    }
    return true;
}

/* ---- candidates ---- */

struct holder {
    pts_obj part, object;
    field_id field;
    unsigned n;
    pts_obj now;
};

static void see_field(void *arg, field_id f, struct pts_view set) {
    struct holder *x = arg;
    if (!pts_has(set, x->part)) return;
    x->object = x->now;
    x->field = f;
    x->n++;
}

static void search_holder(struct races *r, struct holder *x, const bits *among) {
    for (uint32_t o = 1; o <= pts_n_objs(r->pts) && x->n < 2; o++) {
        if (among != NULL && !bits_has(among, o)) continue;
        x->now = (pts_obj){o};
        pts_each_field(r->pts, x->now, see_field, x);
    }
}

/* An array of numbers that is in one field of objects of one kind, which come out of queues. */
static bool find_holder(struct races *r, pts_obj part, struct holder *x) {
    const char *cls = program_class_name(r->p, pts_obj_info(r->pts, part)->cls);
    if (cls[0] != '[' || cls[1] == '[' || cls[1] == 'L') return false;
    *x = (struct holder){.part = part};
    search_holder(r, x, &r->hands.received); /* few, so most arrays cost nothing */
    if (x->n != 1) return false;
    *x = (struct holder){.part = part};
    search_holder(r, x, NULL);
    return x->n == 1 && x->field.v != 0 && x->field.v <= program_n_fields(r->p) &&
           (program_field(r->p, x->field)->access & CF_ACC_FINAL) != 0;
}

/* Notes what is taken out of queues. */
static void note_received(struct races *r, const struct ir_body *body) {
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, body->method, &n);
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (!(s->op == IR_ARRAY_LOAD ? is_cleared(r, body, s) : takes_out(r, body, s))) continue;
        for (uint32_t k = 0; k < n; k++) {
            struct pts_iter it = {0};
            pts_obj o;
            struct pts_view set = pts_var(r->pts, insts[k], s->def);
            while (pts_next(set, &it, &o)) bits_add(&r->hands.received, o.v);
        }
    }
}

static void hands_init(struct races *r) {
    uint32_t n = pts_n_objs(r->pts) + 1;
    bits *all[] = {&r->hands.received, &r->hands.tried, &r->hands.passed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) bits_init(all[i], &r->arena, n);
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const struct ir_body *body = pts_is_reachable(r->pts, m) ? body_of(r, m) : NULL;
            if (body != NULL) note_received(r, body);
        }
    }
}

static bool find_passed(struct races *r, pts_obj o) {
    struct holder h;
    struct hand x = {.r = r, .thing = o};
    if (find_holder(r, o, &h)) {
        x.thing = h.object;
        x.part = o;
        x.field = h.field;
    }
    if (!bits_has(&r->hands.received, x.thing.v) || !is_app_class(r, pts_obj_info(r->pts, x.thing)->cls) ||
        r->hands.n_tried == TRIED_MAX)
        return false;
    r->hands.n_tried++;
    bool fine = is_in_one_hand(&x);
    vec_release(&x.methods);
    return fine;
}

bool goes_by_hand(struct races *r, pts_obj o) {
    if (r->hands.tried.w == NULL) hands_init(r);
    if (!bits_has(&r->hands.tried, o.v)) {
        bits_add(&r->hands.tried, o.v);
        if (find_passed(r, o)) bits_add(&r->hands.passed, o.v);
    }
    return bits_has(&r->hands.passed, o.v);
}
