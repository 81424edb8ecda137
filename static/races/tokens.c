#include "tokens.h"
#include "draws.h"
#include "ints.h"
#include "parallel.h"
#include "race/opcodes.h"

#include <stdlib.h>
#include <string.h>

enum { TOKENS_MAX = 64, TAKERS_MAX = 16 };

enum token_kind { TOKEN_TURN, TOKEN_SPIN, TOKEN_PERMIT };

/* A place that takes the token. */
struct take {
    method_id method;
    uint32_t stmt; /* the test, or the call */
    uint32_t read; /* where X is read */
    uint8_t succ;  /* of the test */
    bool on_edge;
    ir_var value; /* turn: what X is seen to be; none: `constant` */
    int64_t constant;
};

struct write {
    method_id method;
    uint32_t stmt;
};

struct token {
    uint8_t kind;
    bool plain;  /* neither volatile nor atomic: needs a lock around it */
    bool broken; /* proves nothing */
    bool drawn;  /* turn: the values are numbers drawn from a counter */
    field_id field;
    pts_obj object;
    int64_t free; /* spin */
    VEC(struct take) takes;
    VEC(struct write) writes;
};

struct tokens {
    VEC(struct token) v;
};

/* ---- what a statement does ---- */

enum use { USE_NONE, USE_READ, USE_WRITE, USE_CAS, USE_SWAP, USE_TAKE, USE_TRY, USE_RELEASE, USE_BREAK };

#define ATOMIC "java/util/concurrent/atomic/Atomic"

static bool is_int_const(const struct ir_body *body, ir_var v, int64_t *value) {
    const struct ir_stmt *def = ir_def(body, v);
    if (def->op != IR_CONST || (def->sub != CONST_INT && def->sub != CONST_LONG)) return false;
    *value = ir_const(body, def).u.i;
    return true;
}

static bool one_of(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(name, names[i]) == 0) return true;
    }
    return false;
}
#define ONE_OF(name, names) one_of(name, names, sizeof names / sizeof *names)

static enum use atomic_use(const char *name) {
    static const char *const harmless[] = {"<init>",   "getPlain",  "getOpaque", "toString",
                                           "intValue", "longValue", "hashCode",  "equals"};
    static const char *const cas[] = {"compareAndSet", "weakCompareAndSetVolatile",
                                      "weakCompareAndSetAcquire"};
    if (ONE_OF(name, harmless)) return USE_NONE;
    if (strcmp(name, "get") == 0 || strcmp(name, "getAcquire") == 0) return USE_READ;
    if (ONE_OF(name, cas)) return USE_CAS;
    if (strcmp(name, "getAndSet") == 0) return USE_SWAP;
    /* In plain or opaque mode, or as a mere acquire, a write is seen without order. */
    bool unordered = strstr(name, "Plain") != NULL || strstr(name, "Opaque") != NULL ||
                     strcmp(name, "weakCompareAndSet") == 0 || strstr(name, "Acquire") != NULL;
    return unordered ? USE_BREAK : USE_WRITE;
}

static enum use semaphore_use(const struct ir_body *body, const struct ir_stmt *s, const char *name) {
    static const char *const takes[] = {"acquire", "acquireUninterruptibly"};
    static const char *const harmless[] = {"availablePermits", "toString", "hasQueuedThreads",
                                           "getQueueLength",   "isFair",   "hashCode"};
    int64_t permits;
    if (strcmp(name, "<init>") == 0)
        return s->n_args >= 2 && is_int_const(body, ir_arg(body, s, 1), &permits) && permits == 1 ? USE_NONE
                                                                                                  : USE_BREAK;
    if (ONE_OF(name, harmless)) return USE_NONE;
    if (s->n_args != 1) return USE_BREAK;
    if (ONE_OF(name, takes)) return USE_TAKE;
    if (strcmp(name, "tryAcquire") == 0) return USE_TRY;
    return strcmp(name, "release") == 0 ? USE_RELEASE : USE_BREAK;
}

static enum use use_of(struct races *r, const struct ir_body *body, const struct ir_stmt *s, field_id *f) {
    *f = (field_id){0};
    if (s->op == IR_INVOKE) {
        const struct member_ref *ref = invoke_ref(r, s);
        if (ref == NULL || s->sub == IR_CALL_STATIC || s->n_args == 0) return USE_NONE;
        const char *cls = program_class_name(r->p, ref->cls), *name = program_str(r->p, ref->name);
        if (strcmp(cls, ATOMIC "Boolean") == 0 || strcmp(cls, ATOMIC "Integer") == 0 ||
            strcmp(cls, ATOMIC "Long") == 0)
            return atomic_use(name);
        return strcmp(cls, "java/util/concurrent/Semaphore") == 0 ? semaphore_use(body, s, name) : USE_NONE;
    }
    bool gets = s->op == IR_GET_FIELD || s->op == IR_GET_STATIC;
    if (!gets && s->op != IR_PUT_FIELD && s->op != IR_PUT_STATIC) return USE_NONE;
    ir_var value = gets ? s->def : ir_arg(body, s, s->n_args - 1u);
    uint8_t kind = body->vars[value.v].kind;
    if (kind != IR_INT && kind != IR_LONG) return USE_NONE;
    *f = program_ref_field(r->p, (ref_id){s->ref});
    if (f->v == 0) return USE_NONE;
    return gets ? USE_READ : USE_WRITE;
}

static bool is_static_op(const struct ir_stmt *s) {
    return s->op == IR_GET_STATIC || s->op == IR_PUT_STATIC;
}

/* The object whose variable the statement uses if it is the same one in every context and exists once. */
static bool only_holder(struct races *r, const struct ir_body *body, const struct ir_stmt *s, pts_obj *o) {
    *o = is_static_op(s) ? (pts_obj){0} : only_object_of(r, body, ir_arg(body, s, 0));
    return is_static_op(s) || o->v != 0;
}

static bool may_be_holder(struct races *r, const struct ir_body *body, const struct ir_stmt *s, pts_obj o) {
    if (is_static_op(s) || o.v == 0) return is_static_op(s) && o.v == 0;
    return may_be_object(r, body, ir_arg(body, s, 0), o);
}

/* ---- tests ---- */

/* Whether nothing happens between a read and the test at the end of its block that could write. */
static bool tested_at_once(const struct ir_body *body, uint32_t read, const struct ir_block *b) {
    if (read < b->first || read >= b->end) return false;
    for (uint32_t i = read + 1; i < b->end; i++) {
        uint8_t op = body->stmts[i].op;
        if (op == IR_INVOKE || op == IR_PUT_FIELD || op == IR_PUT_STATIC) return false;
    }
    return true;
}

static bool is_boolean_read(struct races *r, const struct ir_stmt *s) {
    if (s->op != IR_INVOKE) {
        field_id f = program_ref_field(r->p, (ref_id){s->ref});
        return f.v != 0 && name_is(r, program_field(r->p, f)->desc, "Z");
    }
    const struct member_ref *ref = invoke_ref(r, s);
    return ref != NULL && class_is(r, ref->cls, ATOMIC "Boolean");
}

struct comparison {
    ir_var left, right; /* right none: with zero */
    bool equal_when_taken;
};

static bool compares(const struct ir_body *body, const struct ir_stmt *test, struct comparison *c) {
    if (test->op != IR_IF) return false;
    c->left = ir_arg(body, test, 0);
    c->right = test->n_args == 2 ? ir_arg(body, test, 1) : (ir_var){0};
    c->equal_when_taken = test->ref == CF_OP_IFEQ || test->ref == CF_OP_IF_ICMPEQ;
    if (!c->equal_when_taken && test->ref != CF_OP_IFNE && test->ref != CF_OP_IF_ICMPNE) return false;
    const struct ir_stmt *cmp = ir_def(body, c->left);
    if (test->n_args == 1 && cmp->op == IR_BINARY && cmp->ref == CF_OP_LCMP) {
        c->left = ir_arg(body, cmp, 0);
        c->right = ir_arg(body, cmp, 1);
    }
    return true;
}

/* What the successor proves if the test is of this operand; the other one is what it is compared with. */
static bool take_on_edge(struct races *r, const struct ir_body *body, const struct ir_block *b, uint32_t succ,
                         const struct comparison *c, ir_var read, ir_var other, struct take *t,
                         uint8_t *kind) {
    field_id f;
    const struct ir_stmt *s = ir_def(body, read);
    enum use use = use_of(r, body, s, &f);
    uint32_t at = (uint32_t)(s - body->stmts);
    bool equal = c->equal_when_taken == (succ == 1);
    int64_t expected = 0, put = 0;
    if (use == USE_NONE || !tested_at_once(body, at, b)) return false;
    *t = (struct take){.method = body->method, .stmt = b->end - 1u, .read = at, .on_edge = true};
    t->succ = (uint8_t)succ;
    if (use == USE_CAS || use == USE_TRY) { /* true */
        *kind = use == USE_TRY ? TOKEN_PERMIT : TOKEN_SPIN;
        if (other.v != 0 || equal) return false;
        if (use == USE_TRY) return true;
        return s->n_args == 3 && is_int_const(body, ir_arg(body, s, 1), &t->constant) &&
               is_int_const(body, ir_arg(body, s, 2), &put) && put != t->constant;
    }
    if (use != USE_READ && use != USE_SWAP) return false;
    if (other.v == 0 && !equal && is_boolean_read(r, s)) {
        expected = 1;
    } else if (!equal) {
        return false;
    } else if (other.v != 0 && !is_int_const(body, other, &expected)) {
        t->value = other;
    }
    t->constant = expected;
    *kind = use == USE_SWAP ? TOKEN_SPIN : TOKEN_TURN;
    if (use == USE_READ) return true;
    return t->value.v == 0 && is_int_const(body, ir_arg(body, s, 1), &put) && put != expected;
}

/* ---- collecting ---- */

static struct token *find_token(struct races *r, field_id f, pts_obj o) {
    for (size_t i = 0; i < r->tokens->v.n; i++) {
        struct token *t = &r->tokens->v.v[i];
        if (field_id_eq(t->field, f) && pts_obj_eq(t->object, o)) return t;
    }
    return NULL;
}

static void note_take(struct races *r, const struct ir_body *body, const struct take *t, uint8_t kind) {
    const struct ir_stmt *s = &body->stmts[t->read];
    field_id f;
    pts_obj o;
    use_of(r, body, s, &f);
    if (!only_holder(r, body, s, &o)) return;
    if (f.v != 0 && ((program_field(r->p, f)->access & CF_ACC_FINAL) != 0 || field_facts(r, f)->named))
        return;
    struct token *token = find_token(r, f, o);
    if (token == NULL) {
        struct token fresh = {.kind = kind, .field = f, .object = o, .free = t->constant};
        fresh.plain = f.v != 0 && (program_field(r->p, f)->access & CF_ACC_VOLATILE) == 0;
        if (r->tokens->v.n == TOKENS_MAX) return; /* not followed: proves nothing */
        vec_push(&r->tokens->v, fresh);
        token = &r->tokens->v.v[r->tokens->v.n - 1];
    }
    if (token->kind != kind || (kind == TOKEN_SPIN && token->free != t->constant)) token->broken = true;
    vec_push(&token->takes, *t);
}

static void collect_takes(struct races *r, const struct ir_body *body) {
    struct take t;
    uint8_t kind;
    for (uint32_t b = 0; b < body->n_blocks; b++) {
        const struct ir_block *block = &body->blocks[b];
        struct comparison c;
        if (!compares(body, &body->stmts[block->end - 1], &c) ||
            ir_succs(body, block)[0].block == ir_succs(body, block)[1].block)
            continue;
        for (uint32_t succ = 0; succ < 2; succ++) {
            if (take_on_edge(r, body, block, succ, &c, c.left, c.right, &t, &kind) ||
                (c.right.v != 0 && take_on_edge(r, body, block, succ, &c, c.right, c.left, &t, &kind)))
                note_take(r, body, &t, kind);
        }
    }
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        field_id f;
        if (body->stmts[i].op != IR_INVOKE || use_of(r, body, &body->stmts[i], &f) != USE_TAKE) continue;
        t = (struct take){.method = body->method, .stmt = i, .read = i};
        note_take(r, body, &t, TOKEN_PERMIT);
    }
}

static bool is_take(const struct token *t, method_id m, uint32_t stmt) {
    for (size_t i = 0; i < t->takes.n; i++) {
        if (method_id_eq(t->takes.v[i].method, m) && t->takes.v[i].read == stmt) return true;
    }
    return false;
}

/* A spin lock may be written by anybody as long as it does not become free by it. */
static bool keeps_taken(const struct token *t, const struct ir_body *body, const struct ir_stmt *s,
                        enum use use) {
    int64_t put;
    if (t->kind != TOKEN_SPIN) return false;
    uint32_t at = use == USE_CAS ? 2 : s->n_args - 1u;
    return is_int_const(body, ir_arg(body, s, at), &put) && put != t->free;
}

/* A constructor's or initialiser's write of its own object's or class's field comes before everything. */
static bool initialises(struct races *r, const struct ir_body *body, const struct ir_stmt *s, field_id f) {
    const struct method_info *m = program_method(r->p, body->method);
    if (f.v == 0 || !class_id_eq(m->owner, program_field(r->p, f)->owner)) return false;
    return s->op == IR_PUT_STATIC ? name_is(r, m->name, "<clinit>")
                                  : name_is(r, m->name, "<init>") && ir_arg(body, s, 0).v == 1;
}

static void note_use(struct races *r, const struct ir_body *body, uint32_t stmt, enum use use, field_id f) {
    const struct ir_stmt *s = &body->stmts[stmt];
    for (size_t i = 0; i < r->tokens->v.n; i++) {
        struct token *t = &r->tokens->v.v[i];
        if (t->broken || !field_id_eq(t->field, f) || !may_be_holder(r, body, s, t->object)) continue;
        if (use == USE_BREAK) t->broken = true;
        bool writes = use == USE_WRITE || use == USE_CAS || use == USE_SWAP || use == USE_RELEASE;
        if (!writes || initialises(r, body, s, f)) continue;
        if (t->kind == TOKEN_SPIN && (is_take(t, body->method, stmt) || keeps_taken(t, body, s, use)))
            continue;
        vec_push(&t->writes, ((struct write){body->method, stmt}));
    }
}

static void collect_uses(struct races *r, const struct ir_body *body) {
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        field_id f;
        enum use use = use_of(r, body, &body->stmts[i], &f);
        if (use != USE_NONE && use != USE_READ) note_use(r, body, i, use, f);
    }
}

static void each_body(struct races *r, void (*visit)(struct races *r, const struct ir_body *body)) {
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const struct ir_body *body = pts_is_reachable(r->pts, m) ? body_of(r, m) : NULL;
            if (body != NULL) visit(r, body);
        }
    }
}

/* ---- whose turn ---- */

/* What a thread waits for, over all places. */
struct wanted {
    uint32_t thread;
    struct ints values;
};

/* Whether all places wait for numbers of one counter that does nothing but hand them out. */
static bool all_drawn(struct races *r, const struct token *t) {
    pts_obj counter = {0};
    for (size_t i = 0; i < t->takes.n; i++) {
        const struct take *take = &t->takes.v[i];
        if (take->value.v == 0) return false;
        pts_obj o = drawn_from(r, body_of(r, take->method), take->value);
        if (o.v == 0 || (i > 0 && !pts_obj_eq(o, counter))) return false;
        counter = o;
    }
    return true;
}

static bool add_wanted(struct wanted *list, unsigned *n, uint32_t thread, struct ints values) {
    if (*n == TAKERS_MAX) return false;
    list[(*n)++] = (struct wanted){thread, values};
    return true;
}

static bool collect_wanted(struct races *r, const struct token *t, struct wanted *list, unsigned *n) {
    for (size_t k = 0; k < t->takes.n; k++) {
        const struct take *take = &t->takes.v[k];
        const struct ir_body *body = body_of(r, take->method);
        uint32_t n_insts, block = ir_block_of(body, take->stmt);
        const pts_inst *insts = pts_insts_of(r->pts, take->method, &n_insts);
        for (uint32_t i = 0; i < n_insts; i++) {
            for (uint32_t th = 0; th < r->n_threads; th++) {
                if (!bits_has(&r->threads_of[insts[i].v], th)) continue;
                struct ints v = take->value.v == 0 ? ints_const(take->constant)
                                                   : ints_of(r, th, insts[i], take->value, block);
                if (!add_wanted(list, n, th, v)) return false;
            }
        }
    }
    return true;
}

static bool turns_differ(struct races *r, const struct token *t) {
    struct wanted list[TAKERS_MAX];
    unsigned n = 0;
    bool two = false; /* a test by one thread alone orders nothing */
    if (!collect_wanted(r, t, list, &n)) return false;
    for (unsigned i = 0; i < n; i++) {
        two |= list[i].thread != list[0].thread;
        if (pts_thread(r->pts, list[i].thread)->many) return false;
        for (unsigned k = 0; k < i; k++) {
            if (list[i].thread != list[k].thread && !ints_disjoint(list[i].values, list[k].values))
                return false;
        }
    }
    return two;
}

static bool is_promising(struct races *r, struct token *t) {
    if (t->broken || t->writes.n == 0) return false;
    if (t->field.v == 0 && bits_has(&r->foreign, t->object.v)) return false;
    if (t->kind != TOKEN_TURN) return true;
    t->drawn = all_drawn(r, t);
    return t->drawn || turns_differ(r, t);
}

/* ---- marks ---- */

static void add_mark(struct races *r, method_id m, struct token_mark mark) {
    struct method_facts *facts = facts_of(r, m);
    if (facts->tokens == NULL) facts->tokens = ARENA_NEW(&r->arena, struct token_marks);
    struct token_marks *marks = facts->tokens;
    struct token_mark *v = ARENA_NEW_N(&r->arena, marks->n + 1, struct token_mark);
    if (marks->n > 0) memcpy(v, marks->v, marks->n * sizeof *v);
    v[marks->n] = mark;
    marks->v = v;
    marks->n++;
}

static void mark_methods(struct races *r) {
    for (size_t i = 0; i < r->tokens->v.n; i++) {
        struct token *t = &r->tokens->v.v[i];
        t->broken = !is_promising(r, t);
        if (t->broken) continue;
        for (size_t k = 0; k < t->takes.n; k++) {
            const struct take *take = &t->takes.v[k];
            add_mark(r, take->method,
                     (struct token_mark){take->stmt, take->on_edge ? TOKEN_TAKES_ON_EDGE : TOKEN_TAKES,
                                         take->succ, (uint16_t)i});
        }
        for (size_t k = 0; k < t->writes.n; k++)
            add_mark(r, t->writes.v[k].method,
                     (struct token_mark){t->writes.v[k].stmt, TOKEN_WRITES, 0, (uint16_t)i});
    }
}

void tokens_init(struct races *r) {
    r->tokens = calloc(1, sizeof *r->tokens);
    if (r->tokens == NULL) abort();
    each_body(r, collect_takes);
    if (r->tokens->v.n == 0) return;
    each_body(r, collect_uses);
    mark_methods(r);
}

void tokens_release(struct races *r) {
    if (r->tokens == NULL) return;
    for (size_t i = 0; i < r->tokens->v.n; i++) {
        vec_release(&r->tokens->v.v[i].takes);
        vec_release(&r->tokens->v.v[i].writes);
    }
    vec_release(&r->tokens->v);
    free(r->tokens);
}

/* ---- checking ---- */

static struct races_access access_of(const struct ir_body *body, uint32_t stmt) {
    const struct ir_stmt *s = &body->stmts[stmt];
    struct races_access a = {.method = body->method, .stmt = stmt};
    if (s->op == IR_GET_FIELD || s->op == IR_PUT_FIELD) a.object = ir_arg(body, s, 0);
    return a;
}

static bool is_held(struct races *r, pts_inst i, uint32_t stmt, size_t token) {
    struct locks held;
    locks_held(r, i, stmt, &held);
    for (unsigned k = 0; k < held.n; k++) {
        if (held.v[k].path.root == PATH_TOKEN && held.v[k].path.id == token) return true;
    }
    return false;
}

/* Whether no other thread that ever takes the token is alive at the write. */
static bool is_free_write(struct races *r, const struct token *t, pts_inst i, const struct races_access *w) {
    for (uint32_t p = 0; p < r->n_threads; p++) {
        if (!bits_has(&r->threads_of[i.v], p)) continue;
        if (pts_thread(r->pts, p)->many) return false;
        for (size_t k = 0; k < t->takes.n; k++) {
            uint32_t n;
            const pts_inst *insts = pts_insts_of(r->pts, t->takes.v[k].method, &n);
            for (uint32_t j = 0; j < n; j++) {
                for (uint32_t q = 0; q < r->n_threads; q++) {
                    if (q != p && bits_has(&r->threads_of[insts[j].v], q) && may_be_alive_at(r, p, i, w, q))
                        return false;
                }
            }
        }
    }
    return true;
}

/* A plain variable is read and written under one lock. */
static bool guarded(struct races *r, const struct token *t, pts_inst i, const struct races_access *w) {
    for (size_t k = 0; k < t->takes.n; k++) {
        struct races_access read = access_of(body_of(r, t->takes.v[k].method), t->takes.v[k].read);
        uint32_t n;
        const pts_inst *insts = pts_insts_of(r->pts, read.method, &n);
        for (uint32_t j = 0; j < n; j++) {
            if (!share_lock(r, &read, insts[j], w, i)) return false;
        }
    }
    return true;
}

static bool write_is_fine(struct races *r, size_t token, const struct write *w) {
    const struct token *t = &r->tokens->v.v[token];
    const struct races_access a = access_of(body_of(r, w->method), w->stmt);
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, w->method, &n);
    for (uint32_t i = 0; i < n; i++) {
        bool mine = is_held(r, insts[i], w->stmt, token) && (!t->plain || guarded(r, t, insts[i], &a));
        if (!mine && !is_free_write(r, t, insts[i], &a)) return false;
    }
    return true;
}

void tokens_check(struct races *r) {
    /* `guarded` asks for locks: while it does, tokens must not vouch for one another. */
    VEC(size_t) bad = {0};
    for (size_t i = 0; i < r->tokens->v.n; i++) {
        const struct token *t = &r->tokens->v.v[i];
        bool fine = !t->broken;
        for (size_t k = 0; k < t->writes.n && fine; k++) fine = write_is_fine(r, i, &t->writes.v[k]);
        if (!fine) vec_push(&bad, i);
    }
    for (size_t i = 0; i < bad.n; i++) r->tokens->v.v[bad.v[i]].broken = true;
    vec_release(&bad);
    r->tokens_checked = true;
}

bool token_holds(const struct races *r, uint32_t token) {
    return r->tokens_checked && !r->tokens->v.v[token].broken;
}

const char *token_text(struct races *r, uint32_t token) {
    const struct token *t = &r->tokens->v.v[token];
    const char *what = t->field.v != 0 ? program_str(r->p, program_field(r->p, t->field)->name)
                                       : program_class_name(r->p, pts_obj_info(r->pts, t->object)->cls);
    return arena_printf(&r->arena, "the turn of %s", what);
}
