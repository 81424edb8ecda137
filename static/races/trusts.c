/*
 * Annotations that are believed, by their simple names, whichever package they come from.  The analysis does
 * not lean on them: its pairs stay in the plan, and the report takes them for benign as long as no run shows
 * otherwise.
 *
 *   @LazyInit          on a field: several threads may compute the same value and write it; no race matters
 *   @Functional        on a method: it returns the same whenever it is called.  A field that is written with
 * such values only, in one piece, is as good as one with @LazyInit
 *   @ThreadConfined    on a field or class: one thread at a time uses it, by a rule that no lock shows
 *   @ThreadConfined("X"), @UiThread, @MainThread and the events of Litho, on a method or class: the code runs
 * in that one thread.  What only such code calls runs there, too
 */
#include "internal.h"

#include <string.h>

/* ---- reading annotations ---- */

bool races_field_annotated(struct races *r, field_id f, const char *name, struct cf_str *value) {
    const struct field_info *info = program_field(r->p, f);
    const struct cf_class *file = program_class_file(r->p, info->owner);
    return file != NULL && cf_annotated(file, &file->fields[info->index].attrs, name, value);
}

bool races_method_annotated(struct races *r, method_id m, const char *name, struct cf_str *value) {
    const struct method_info *info = program_method(r->p, m);
    const struct cf_class *file = program_class_file(r->p, info->owner);
    return file != NULL && cf_annotated(file, &file->methods[info->index].attrs, name, value);
}

bool races_class_annotated(struct races *r, class_id c, const char *name, struct cf_str *value) {
    const struct cf_class *file = program_class_file(r->p, c);
    return file != NULL && cf_annotated(file, &file->attrs, name, value);
}

const char *races_field_location(struct races *r, field_id f) {
    const struct field_info *info = program_field(r->p, f);
    enum plan_kind kind = (info->access & CF_ACC_STATIC) != 0 ? PLAN_STATIC : PLAN_INSTANCE;
    const char *owner = program_class_name(r->p, info->owner), *name = program_str(r->p, info->name);
    size_t n = plan_location_text(kind, owner, name, NULL, 0);
    char *text = arena_alloc(&r->arena, n + 1);
    plan_location_text(kind, owner, name, text, n + 1);
    return text;
}

/* ---- code that runs in one thread ---- */

/* A thread is the number of its name; besides: */
enum { NOT_SEEN = 0, ANY_THREAD = 1, THREADS = 2 };

static uint32_t thread_named(struct races *r, const char *name, size_t n) {
    return program_name(r->p, arena_printf(&r->arena, "%.*s", (int)n, name)).v + THREADS;
}

/* The thread that a method, its class or a class above it names; NOT_SEEN if none does. */
static uint32_t named_thread(struct races *r, method_id m) {
    static const char *const ui[] = {"UiThread", "MainThread", "OnEvent",  "OnBind",
                                     "OnUnbind", "OnMount",    "OnUnmount"};
    class_id owner = program_method(r->p, m)->owner;
    struct cf_str value;
    if (races_method_annotated(r, m, "ThreadConfined", &value)) return thread_named(r, value.p, value.n);
    for (size_t i = 0; i < sizeof ui / sizeof *ui; i++)
        if (races_method_annotated(r, m, ui[i], NULL)) return thread_named(r, "UI", 2);
    for (class_id c = owner; c.v != 0 && is_app_class(r, c); c = program_info(r->p, c)->super)
        if (races_class_annotated(r, c, "UiThread", NULL) || races_class_annotated(r, c, "MainThread", NULL))
            return thread_named(r, "UI", 2);
    return NOT_SEEN;
}

/* The thread of all callers that are known so far. */
static uint32_t callers_thread(struct races *r, const uint32_t *thread, pts_inst i) {
    uint32_t n, common = NOT_SEEN;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    for (uint32_t k = 0; k < n; k++) {
        bool inherits = calls[k].caller.v != 0 && calls[k].kind == PTS_EDGE_CALL;
        uint32_t t = inherits ? thread[calls[k].caller.v] : ANY_THREAD;
        if (t == NOT_SEEN) continue;
        if (common != NOT_SEEN && common != t) return ANY_THREAD;
        common = t;
    }
    return n == 0 ? ANY_THREAD : common;
}

/* Downwards from what is named: an instance runs in a thread if all that call it do. */
static void spread_threads(struct races *r, const bool *named, uint32_t *thread) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i <= r->n_insts; i++) {
            uint32_t t = named[i] ? thread[i] : callers_thread(r, thread, (pts_inst){i});
            changed |= t != thread[i];
            thread[i] = t;
        }
    }
}

/* Where every instance of the method runs; the name of a thread or NULL. */
static const char *method_thread(struct races *r, const uint32_t *thread, method_id m) {
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n);
    for (uint32_t i = 1; i < n; i++)
        if (thread[insts[i].v] != thread[insts[0].v]) return NULL;
    if (n == 0 || thread[insts[0].v] < THREADS) return NULL;
    return program_str(r->p, (name_id){thread[insts[0].v] - THREADS});
}

static void write_method(struct races *r, struct plan_writer *w, const char *thread, method_id m) {
    const struct method_info *info = program_method(r->p, m);
    char *cls = arena_strdup(&r->arena, program_class_name(r->p, info->owner));
    for (char *c = cls; *c != '\0'; c++)
        if (*c == '/') *c = '.';
    plan_write_trust(w, arena_printf(&r->arena, PLAN_TRUST_THREAD "%s", thread),
                     arena_printf(&r->arena, "%s.%s%s", cls, program_str(r->p, info->name),
                                  program_str(r->p, info->desc)));
}

static void write_threads(struct races *r, struct plan_writer *w) {
    uint32_t *thread = ARENA_NEW_N(&r->arena, r->n_insts + 1, uint32_t);
    bool *named = ARENA_NEW_N(&r->arena, r->n_insts + 1, bool), any = false;
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        method_id m = pts_inst_info(r->pts, (pts_inst){i})->method;
        thread[i] = is_app(r, m) ? named_thread(r, m) : NOT_SEEN;
        any |= named[i] = thread[i] != NOT_SEEN;
    }
    if (!any) return;
    spread_threads(r, named, thread);
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const char *where = method_thread(r, thread, m);
            if (where != NULL) write_method(r, w, where, m);
        }
    }
}

/* ---- values that are the same whenever they are computed ---- */

static bool declares_functional(struct races *r, class_id c, const struct method_info *like) {
    const struct class_info *info = program_info(r->p, c);
    for (uint32_t i = 0; i < info->n_methods; i++) {
        method_id m = {info->first_method.v + i};
        const struct method_info *have = program_method(r->p, m);
        if (have->name.v == like->name.v && have->desc.v == like->desc.v)
            return races_method_annotated(r, m, "Functional", NULL);
    }
    return false;
}

/* The method says so, or what it implements or overrides. */
static bool is_functional(struct races *r, method_id m) {
    const struct method_info *like = program_method(r->p, m);
    const struct class_info *info = program_info(r->p, like->owner);
    for (class_id c = like->owner; c.v != 0; c = program_info(r->p, c)->super)
        if (declares_functional(r, c, like)) return true;
    for (uint32_t i = 0; i < info->n_all_interfaces; i++)
        if (declares_functional(r, info->all_interfaces[i], like)) return true;
    return false;
}

static bool is_boxing(struct races *r, method_id m) {
    const struct method_info *info = program_method(r->p, m);
    const char *name = program_str(r->p, info->name);
    size_t n = strlen(name);
    if (strncmp(program_class_name(r->p, info->owner), "java/lang/", 10) != 0) return false;
    if (strcmp(name, "valueOf") == 0) return info->sig->n_params == 1;
    return n > 5 && strcmp(name + n - 5, "Value") == 0 && info->sig->n_params == 0;
}

/* A functional call's result, or one computed from constants and such results alone; a constant itself is no
 * promise. */
static bool functional_value(struct races *r, const struct ir_body *body, ir_var v, bool *any,
                             unsigned depth) {
    enum { DEEPEST = 12 };
    const struct ir_stmt *def = ir_def(body, var_origin(body, v));
    if (depth > DEEPEST) return false;
    if (def->op == IR_CONST) return true;
    if (def->op == IR_INVOKE) {
        if (def->sub == IR_CALL_DYNAMIC) return false;
        method_id m = program_ref_method(r->p, (ref_id){def->ref});
        if (m.v == 0) return false;
        bool functional = is_functional(r, m);
        *any |= functional;
        return functional ||
               (is_boxing(r, m) && functional_value(r, body, ir_arg(body, def, 0), any, depth + 1));
    }
    if (def->op != IR_UNARY && def->op != IR_BINARY && def->op != IR_CAST) return false;
    for (uint32_t i = 0; i < def->n_args; i++)
        if (!functional_value(r, body, ir_arg(body, def, i), any, depth + 1)) return false;
    return true;
}

/* Fields of two words are written in two pieces. */
static bool functional_write(struct races *r, const struct races_access *a) {
    const struct ir_body *body = body_of(r, a->method);
    const struct ir_stmt *s = &body->stmts[a->stmt];
    class_id type = program_field(r->p, a->field)->type;
    bool any = false;
    if (s->op != IR_PUT_FIELD && s->op != IR_PUT_STATIC) return false;
    if (type.v == CLASS_LONG || type.v == CLASS_DOUBLE) return false;
    return functional_value(r, body, ir_arg(body, s, s->op == IR_PUT_FIELD ? 1 : 0), &any, 0) && any;
}

static void write_functional(struct races *r, struct plan_writer *w) {
    enum { UNSEEN, FUNCTIONAL, OTHER };
    uint8_t *writes = ARENA_NEW_N(&r->arena, r->n_fields, uint8_t);
    for (size_t i = 0; i < r->accesses.n; i++) {
        const struct races_access *a = &r->accesses.v[i];
        if (!a->is_write || a->field.v == 0 || !is_app_class(r, program_field(r->p, a->field)->owner))
            continue;
        if (!pts_is_reachable(r->pts, a->method) || writes[a->field.v] == OTHER) continue;
        writes[a->field.v] = functional_write(r, a) ? FUNCTIONAL : OTHER;
    }
    for (uint32_t f = 1; f < r->n_fields; f++)
        if (writes[f] == FUNCTIONAL)
            plan_write_trust(w, "Functional", races_field_location(r, (field_id){f}));
}

/* ---- fields ---- */

static void write_fields(struct races *r, struct plan_writer *w) {
    static const char *const believed[] = {"LazyInit", "ThreadConfined"};
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        bool confined = races_class_annotated(r, r->classes[i], "ThreadConfined", NULL);
        for (uint32_t k = 0; k < info->n_fields; k++) {
            field_id f = {info->first_field.v + k};
            for (size_t b = 0; b < sizeof believed / sizeof *believed; b++)
                if (races_field_annotated(r, f, believed[b], NULL) || (b == 1 && confined))
                    plan_write_trust(w, believed[b], races_field_location(r, f));
        }
    }
}

void trusts_write(struct races *r, struct plan_writer *w) {
    write_fields(r, w);
    write_functional(r, w);
    write_threads(r, w);
}
