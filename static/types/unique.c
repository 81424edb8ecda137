/*
 * The owner `unique`: objects with one reference, handed from thread to thread through concurrent queues.
 *
 * An object is looked at if some statement puts it into a queue of java.util.concurrent.  It is unique if
 *   - application code comes by it only as its maker (`new`), out of such a queue, as an argument or as a
 *     result of another method of the application;
 *   - it is never stored into a field or an array, thrown, captured or given to other code of the JDK; and
 *   - after a statement that puts it into a queue, or calls a method that does, the method has no living
 *     variable left that may name it.
 * Then each use lies between two hand-overs of the only reference, and a queue orders what comes before a put
 * before what comes after the matching take.
 */
#include "../races/groups.h" /* argument_matches */
#include "internal.h"

#include <string.h>

enum { WATCHED_MAX = 64 };

struct search {
    struct types *t;
    pts_obj watched[WATCHED_MAX];
    unsigned n;
    uint64_t *consumes; /* by method: parameters that it hands over, bit 0 = variable 1 */
    struct arena scratch;
};

/* ---- queues ---- */

static bool is_queue(struct races *r, class_id c) {
    static const char *const names[] = {
        "ArrayBlockingQueue",    "LinkedBlockingQueue",   "LinkedBlockingDeque",
        "LinkedTransferQueue",   "SynchronousQueue",      "DelayQueue",
        "PriorityBlockingQueue", "ConcurrentLinkedQueue", "ConcurrentLinkedDeque",
    };
    const char *name = program_class_name(r->p, c);
    if (strncmp(name, "java/util/concurrent/", 21) != 0) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name + 21, names[i]) == 0) return true;
    }
    return false;
}

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names != NULL; names++) {
        if (strcmp(name, *names) == 0) return true;
    }
    return false;
}

enum queue_use { QUEUE_NONE, QUEUE_PUT, QUEUE_TAKE };

/* Whether a call certainly puts its first argument into a queue, or takes its result out of one. */
static enum queue_use queue_use(struct races *r, pts_inst i, const struct ir_body *body,
                                const struct ir_stmt *s) {
    static const char *const puts[] = {"add",        "put",         "offer",    "addFirst", "addLast",
                                       "offerFirst", "offerLast",   "putFirst", "putLast",  "push",
                                       "transfer",   "tryTransfer", NULL};
    static const char *const takes[] = {"take",      "poll",     "remove",      "pop",
                                        "pollFirst", "pollLast", "removeFirst", "removeLast",
                                        "takeFirst", "takeLast", NULL};
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL || s->sub == IR_CALL_STATIC || s->n_args == 0) return QUEUE_NONE;
    struct pts_view set = pts_var(r->pts, i, ir_arg(body, s, 0));
    struct pts_iter it = {0};
    pts_obj q;
    if (pts_count(set) == 0) return QUEUE_NONE;
    while (pts_next(set, &it, &q)) {
        if (!is_queue(r, pts_obj_info(r->pts, q)->cls)) return QUEUE_NONE;
    }
    const char *name = program_str(r->p, ref->name);
    bool has_ref = false;
    for (uint32_t k = 1; k < s->n_args; k++) has_ref |= body->vars[ir_arg(body, s, k).v].kind == IR_REF;
    if (s->n_args >= 2 && body->vars[ir_arg(body, s, 1).v].kind == IR_REF && is_one_of(name, puts))
        return QUEUE_PUT;
    /* poll(long, TimeUnit) takes; remove(Object) looks for an equal one. */
    bool timed = s->n_args == 3 && strcmp(name, "poll") == 0;
    return is_one_of(name, takes) && (!has_ref || timed) ? QUEUE_TAKE : QUEUE_NONE;
}

/* ---- variables that may name the object ---- */

struct web {
    struct search *x;
    pts_inst inst;
    const struct ir_body *body;
    pts_obj object;
    bits vars;
    bits live_out; /* by block * (n_vars + 1) + var; made when first needed */
    bool has_liveness;
};

static bool in_web(const struct web *w, ir_var v) {
    return v.v != 0 && bits_has(&w->vars, v.v);
}

static bool uses_web(const struct web *w, const struct ir_stmt *s) {
    for (uint32_t k = 0; k < s->n_args; k++) {
        if (in_web(w, ir_arg(w->body, s, k))) return true;
    }
    return false;
}

static bool live_in(const struct web *w, uint32_t b, uint32_t v) {
    const struct ir_block *block = &w->body->blocks[b];
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct ir_stmt *s = &w->body->stmts[i];
        if (s->def.v == v) return false;
        if (s->op == IR_PHI) continue; /* its operands live at the end of the predecessors */
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (ir_arg(w->body, s, k).v == v) return true;
        }
    }
    return bits_has(&w->live_out, b * (w->body->n_vars + 1) + v);
}

static bool phi_takes(const struct web *w, uint32_t b, uint32_t from, uint32_t v) {
    const struct ir_block *block = &w->body->blocks[b];
    const struct ir_edge *preds = ir_preds(w->body, block);
    for (uint32_t i = block->first; i < block->end && w->body->stmts[i].op == IR_PHI; i++) {
        const struct ir_stmt *phi = &w->body->stmts[i];
        for (uint32_t k = 0; k < phi->n_args && k < block->n_preds; k++) {
            if (preds[k].block == from && ir_arg(w->body, phi, k).v == v) return true;
        }
    }
    return false;
}

static void find_liveness(struct web *w) {
    const struct ir_body *body = w->body;
    uint32_t width = body->n_vars + 1;
    bits_init(&w->live_out, &w->x->scratch, body->n_blocks * width);
    w->has_liveness = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = body->n_blocks; b-- > 0;) {
            const struct ir_edge *succs = ir_succs(body, &body->blocks[b]);
            for (uint32_t v = 1; v <= body->n_vars; v++) {
                if (!bits_has(&w->vars, v) || bits_has(&w->live_out, b * width + v)) continue;
                bool live = false;
                for (uint32_t k = 0; k < body->blocks[b].n_succs && !live; k++)
                    live = live_in(w, succs[k].block, v) || phi_takes(w, succs[k].block, b, v);
                if (live) bits_add(&w->live_out, b * width + v);
                changed |= live;
            }
        }
    }
}

/* Whether the variable is used after the statement before it gets another value. */
static bool var_lives_after(const struct web *w, uint32_t stmt, uint32_t v) {
    uint32_t b = ir_block_of(w->body, stmt);
    for (uint32_t i = stmt + 1; i < w->body->blocks[b].end; i++) {
        const struct ir_stmt *s = &w->body->stmts[i];
        for (uint32_t k = 0; k < s->n_args; k++) {
            if (ir_arg(w->body, s, k).v == v) return true;
        }
        if (s->def.v == v) return false;
    }
    return bits_has(&w->live_out, b * (w->body->n_vars + 1) + v);
}

/* Whether any variable that may name the object is used after the statement. */
static bool lives_after(struct web *w, uint32_t stmt) {
    if (!w->has_liveness) find_liveness(w);
    for (uint32_t v = 1; v <= w->body->n_vars; v++) {
        if (bits_has(&w->vars, v) && var_lives_after(w, stmt, v)) return true;
    }
    return false;
}

/* ---- calls ---- */

/* Methods of Object that nobody overrides and that neither keep nor publish their receiver. */
static bool is_harmless(struct races *r, const struct member_ref *ref) {
    static const char *const names[] = {"<init>", "getClass", "wait", "notify", "notifyAll", NULL};
    return ref != NULL && ref->cls.v == CLASS_OBJECT && is_one_of(program_str(r->p, ref->name), names);
}

/* A call of application code with the object among the arguments; `consumed`: it gives it away. */
static bool call_keeps_unique(struct web *w, const struct ir_stmt *s, bool *consumed) {
    struct races *r = w->x->t->r;
    uint32_t n, at = (uint32_t)(s - w->body->stmts);
    unsigned named = 0;
    for (uint32_t k = 0; k < s->n_args; k++) named += in_web(w, ir_arg(w->body, s, k));
    const struct pts_call *calls = pts_callees_at(r->pts, w->inst, at, &n);
    bool ok = n > 0;
    for (uint32_t i = 0; i < n && ok; i++) {
        if (calls[i].kind == PTS_EDGE_CLINIT) continue;
        method_id m = pts_inst_info(r->pts, calls[i].callee)->method;
        ok = calls[i].kind == PTS_EDGE_CALL && is_app(r, m) && body_of(r, m) != NULL &&
             argument_matches(r, s, m);
        for (uint32_t k = 0; ok && k < s->n_args; k++) {
            if (in_web(w, ir_arg(w->body, s, k)) && (k >= 64 || (w->x->consumes[m.v] >> k & 1) != 0))
                *consumed = true;
        }
    }
    return ok && !(*consumed && named > 1);
}

/* What a statement does with the object; false if it is not unique any more. */
static bool statement_keeps_unique(struct web *w, const struct ir_stmt *s, bool *consumed) {
    struct races *r = w->x->t->r;
    const ir_var *args = ir_args(w->body, s);
    *consumed = false;
    switch (s->op) {
    case IR_PUT_FIELD: return !in_web(w, args[1]);
    case IR_ARRAY_STORE: return !in_web(w, args[2]);
    case IR_PUT_STATIC:
    case IR_THROW: return !in_web(w, args[0]);
    case IR_INVOKE: break;
    default: return true;
    }
    if (s->sub == IR_CALL_DYNAMIC) return false;
    if (queue_use(r, w->inst, w->body, s) == QUEUE_PUT && !in_web(w, args[0])) {
        *consumed = true;
        for (uint32_t k = 2; k < s->n_args; k++) {
            if (in_web(w, args[k])) return false;
        }
        return true;
    }
    return is_harmless(r, invoke_ref(r, s)) || call_keeps_unique(w, s, consumed);
}

/* ---- where it comes from ---- */

static bool comes_from_callers(struct web *w) {
    struct races *r = w->x->t->r;
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, w->inst, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (calls[i].caller.v == 0 || calls[i].kind != PTS_EDGE_CALL) return false;
        method_id m = pts_inst_info(r->pts, calls[i].caller)->method;
        const struct ir_body *body = is_app(r, m) ? body_of(r, m) : NULL;
        if (body == NULL || !argument_matches(r, &body->stmts[calls[i].stmt], w->body->method)) return false;
    }
    return n > 0;
}

static bool definition_is_fine(struct web *w, ir_var v) {
    struct races *r = w->x->t->r;
    const struct ir_stmt *s = ir_def(w->body, v);
    switch (s->op) {
    case IR_NEW:
    case IR_NEW_ARRAY:
    case IR_CAST:
    case IR_PHI:
    case IR_CONST: return true;
    case IR_PARAM: return comes_from_callers(w);
    case IR_INVOKE: {
        bool consumed = false;
        if (s->sub == IR_CALL_DYNAMIC) return false;
        return queue_use(r, w->inst, w->body, s) == QUEUE_TAKE || call_keeps_unique(w, s, &consumed);
    }
    default: return false;
    }
}

/* ---- the search ---- */

static void web_init(struct web *w, struct search *x, pts_inst i, pts_obj o) {
    struct races *r = x->t->r;
    *w = (struct web){.x = x, .inst = i, .object = o};
    w->body = body_of(r, pts_inst_info(r->pts, i)->method);
    bits_init(&w->vars, &x->scratch, w->body->n_vars + 1);
    for (uint32_t v = 1; v <= w->body->n_vars; v++) {
        if (w->body->vars[v].kind == IR_REF && pts_has(pts_var(r->pts, i, (ir_var){v}), o))
            bits_add(&w->vars, v);
    }
}

/* Adds the parameters that this instance hands over. */
static bool learn_consumed(struct search *x, pts_inst i, pts_obj o) {
    struct web w;
    web_init(&w, x, i, o);
    uint64_t params = 0, *known = &x->consumes[w.body->method.v];
    for (uint32_t v = 1; v <= w.body->n_params && v <= 64; v++)
        params |= (uint64_t)bits_has(&w.vars, v) << (v - 1);
    if (params == 0 || (*known & params) == params) return false;
    for (uint32_t s = 0; s < w.body->n_stmts; s++) {
        bool consumed;
        if (!uses_web(&w, &w.body->stmts[s])) continue;
        statement_keeps_unique(&w, &w.body->stmts[s], &consumed);
        if (!consumed) continue;
        *known |= params; /* which of them is not told apart */
        return true;
    }
    return false;
}

static bool stays_unique(struct search *x, pts_inst i, pts_obj o) {
    struct web w;
    web_init(&w, x, i, o);
    for (uint32_t v = 1; v <= w.body->n_vars; v++) {
        if (bits_has(&w.vars, v) && !definition_is_fine(&w, (ir_var){v})) return false;
    }
    for (uint32_t s = 0; s < w.body->n_stmts; s++) {
        bool consumed;
        if (!uses_web(&w, &w.body->stmts[s])) continue;
        if (!statement_keeps_unique(&w, &w.body->stmts[s], &consumed)) return false;
        if (consumed && lives_after(&w, s)) return false;
    }
    return true;
}

static bool holds(struct search *x, pts_inst i, pts_obj o) {
    struct races *r = x->t->r;
    const struct ir_body *body = body_of(r, pts_inst_info(r->pts, i)->method);
    for (uint32_t v = 1; body != NULL && v <= body->n_vars; v++) {
        if (body->vars[v].kind == IR_REF && pts_has(pts_var(r->pts, i, (ir_var){v}), o)) return true;
    }
    return false;
}

static bool is_unique(struct search *x, pts_obj o) {
    struct races *r = x->t->r;
    VEC(pts_inst) insts = {0};
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        if (is_app(r, pts_inst_info(r->pts, (pts_inst){i})->method) && holds(x, (pts_inst){i}, o))
            vec_push(&insts, ((pts_inst){i}));
    }
    memset(x->consumes, 0, (program_n_methods(r->p) + 1) * sizeof *x->consumes);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < insts.n; i++) {
            arena_clear(&x->scratch);
            changed |= learn_consumed(x, insts.v[i], o);
        }
    }
    bool ok = true;
    for (size_t i = 0; i < insts.n && ok; i++) {
        arena_clear(&x->scratch);
        ok = stays_unique(x, insts.v[i], o);
    }
    vec_release(&insts);
    return ok;
}

/* Objects made by the application that some statement puts into a queue. */
static void watch_puts(struct search *x, pts_inst i, const struct ir_body *body) {
    struct types *t = x->t;
    const struct pts *pts = t->r->pts;
    for (uint32_t k = 0; k < body->n_stmts; k++) {
        const struct ir_stmt *s = &body->stmts[k];
        if (s->op != IR_INVOKE || queue_use(t->r, i, body, s) != QUEUE_PUT) continue;
        struct pts_view set = pts_var(pts, i, ir_arg(body, s, 1));
        struct pts_iter it = {0};
        pts_obj o;
        while (pts_next(set, &it, &o)) {
            const struct pts_alloc_info *a = pts_alloc_info(pts, pts_obj_info(pts, o)->alloc);
            class_id cls = pts_obj_info(pts, o)->cls;
            bool fits = is_app_class(t->r, cls) || program_peek(t->r->p, cls)->dimensions > 0;
            if (a->kind != PTS_ALLOC_NEW || !fits || bits_has(&t->handed_over, o.v)) continue;
            bits_add(&t->handed_over, o.v);
            if (x->n < WATCHED_MAX) x->watched[x->n++] = o;
        }
    }
}

void unique_find(struct types *t) {
    struct races *r = t->r;
    struct search x = {.t = t};
    bits_init(&t->unique, &t->arena, pts_n_objs(r->pts) + 1);
    bits_init(&t->handed_over, &t->arena, pts_n_objs(r->pts) + 1);
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
        const struct ir_body *body = is_app(r, m) ? body_of(r, m) : NULL;
        if (body != NULL) watch_puts(&x, (pts_inst){i}, body);
    }
    if (x.n == 0) return;
    arena_init(&x.scratch);
    x.consumes = ARENA_NEW_N(&t->arena, program_n_methods(r->p) + 1, uint64_t);
    for (unsigned k = 0; k < x.n; k++) {
        if (is_unique(&x, x.watched[k])) bits_add(&t->unique, x.watched[k].v);
    }
    arena_release(&x.scratch);
}
