/*
 * What annotations promise, by their simple names, whichever package they come from:
 *
 *   @GuardedBy("X")   on a field: X is held at every access; on a method: at every call
 *   @Immutable        on a class: its fields are written by its constructors only
 *
 * They are checked here, apart from races: a promise that the code does not keep is a mistake in the code or
 * in the promise, whoever else runs.  (Those that are believed are in trusts.c.) What cannot be understood (a
 * guard that is a method call, a lock in a field that changes) is not checked, and the caller is told so.
 */
#include "internal.h"

#include <string.h>

/* ---- what a guard names ---- */

static field_id field_named(struct races *r, class_id c, const char *name, size_t n) {
    for (unsigned depth = 0; c.v != 0 && depth < 100; depth++) {
        const struct class_info *info = program_info(r->p, c);
        for (uint32_t i = 0; i < info->n_fields; i++) {
            field_id f = {info->first_field.v + i};
            const char *have = program_str(r->p, program_field(r->p, f)->name);
            if (strncmp(have, name, n) == 0 && have[n] == '\0') return f;
        }
        c = info->super;
    }
    return (field_id){0};
}

/* A class by the last part of its name, of the application: "Outer" finds pkg/Outer and pkg/X$Outer. */
static class_id class_named(struct races *r, const char *name, size_t n) {
    for (size_t i = 0; i < r->n_classes; i++) {
        const char *have = program_class_name(r->p, r->classes[i]);
        size_t len = strlen(have);
        if (len < n || strncmp(have + len - n, name, n) != 0) continue;
        if (len == n || have[len - n - 1] == '/' || have[len - n - 1] == '$') return r->classes[i];
    }
    return (class_id){0};
}

/* Goes on from a path to one of its object's fields, or starts anew from a static field. */
static bool step_to(struct races *r, struct path *p, class_id *at, const char *name, size_t n) {
    field_id f = field_named(r, *at, name, n);
    if (f.v == 0 || !field_facts(r, f)->stable) return false;
    *at = program_field(r->p, f)->type;
    if ((program_field(r->p, f)->access & CF_ACC_STATIC) != 0) {
        *p = (struct path){.root = PATH_STATIC, .id = f.v};
        return true;
    }
    return path_extend(p, f);
}

static bool word_is(const char *word, size_t n, const char *z) {
    return strlen(z) == n && strncmp(word, z, n) == 0;
}

/*
 * The path of a guard such as "this", "lock", "this.lock", "Outer.this.lock", "Config.LOCK" or
 * "Config.class", seen from an object of class `at` with path `self`.  False: not understood, or "itself",
 * which says nothing of the field but of what is done with the object in it.
 */
static bool guard_path(struct races *r, struct cf_str guard, struct path self, class_id at,
                       struct path *out) {
    const char *word = guard.p, *end = guard.p + guard.n;
    bool first = true;
    *out = self;
    while (word < end) {
        const char *dot = memchr(word, '.', (size_t)(end - word));
        size_t n = (size_t)((dot != NULL ? dot : end) - word);
        class_id named = {0};
        if (memchr(word, '(', n) != NULL) return false;
        if (word_is(word, n, "this")) {
            if (!first && !step_to(r, out, &at, "this$0", 6)) return false; /* Outer.this */
        } else if (word_is(word, n, "class")) {
            *out = (struct path){.root = PATH_CLASS, .id = at.v};
        } else if (!step_to(r, out, &at, word, n)) {
            named = first ? class_named(r, word, n) : (class_id){0};
            if (named.v == 0) return false;
            /* The next word says what of this class: a field, .class, or the enclosing instance. */
            bool enclosing = end - word > (ptrdiff_t)n + 4 && strncmp(word + n, ".this", 5) == 0;
            if (!enclosing) at = named;
        }
        first = false;
        word += n + 1;
    }
    return out->root != PATH_NONE;
}

/* ---- whether it is held ---- */

static bool is_held(struct races *r, pts_inst i, uint32_t stmt, const struct path *want, bool for_write) {
    struct locks held;
    locks_held(r, i, stmt, &held);
    if (held.top) return true;
    pts_obj object = path_object(r, i, want);
    for (unsigned k = 0; k < held.n; k++) {
        if (held.v[k].shared && for_write) continue;
        if (path_equal(&held.v[k].path, want)) return true;
        if (object.v != 0 && pts_obj_eq(object, path_object(r, i, &held.v[k].path))) return true;
    }
    return false;
}

static bool is_reached(const struct races *r, pts_inst i) {
    const bits *t = &r->threads_of[i.v];
    for (uint32_t w = 0; w < t->n_words; w++) {
        if (t->w[w] != 0) return true;
    }
    return false;
}

/* The method itself promises that its callers hold it; whether they do shows at the calls. */
static bool is_promised(struct races *r, method_id m, const struct path *want) {
    const struct method_info *info = program_method(r->p, m);
    struct cf_str guard;
    struct path self = {0}, promised;
    if ((info->access & CF_ACC_STATIC) == 0) self = (struct path){.root = PATH_VAR, .id = 1};
    return races_method_annotated(r, m, "GuardedBy", &guard) &&
           guard_path(r, guard, self, info->owner, &promised) && path_equal(&promised, want);
}

/* In some context of the method that runs at all the guard is not held. */
static bool is_broken(struct races *r, method_id m, uint32_t stmt, const struct path *want, bool for_write) {
    uint32_t n;
    if (is_promised(r, m, want)) return false;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (is_reached(r, insts[k]) && !is_held(r, insts[k], stmt, want, for_write)) return true;
    }
    return false;
}

/* ---- telling ---- */

struct teller {
    struct races *r;
    struct plan_writer *w;
};

static void tell(struct teller *x, const char *annotation, const struct races_access *a, const char *location,
                 const char *text) {
    const struct method_info *m = program_method(x->r->p, a->method);
    const struct class_info *cls = program_info(x->r->p, m->owner);
    struct plan_promise promise = {.annotation = annotation,
                                   .location = location,
                                   .cls = program_class_name(x->r->p, m->owner),
                                   .method = program_str(x->r->p, m->name),
                                   .desc = program_str(x->r->p, m->desc),
                                   .file =
                                       cls->source_file.v != 0 ? program_str(x->r->p, cls->source_file) : "",
                                   .line = a->line,
                                   .access = a->name.v == 0 ? "call" : (a->is_write ? "write" : "read"),
                                   .text = text};
    plan_write_promise(x->w, &promise);
}

/* ---- the checks ---- */

/* Whoever makes the object is alone with it; a class is initialised by one thread. */
static bool is_making(struct races *r, const struct races_access *a) {
    const struct method_info *m = program_method(r->p, a->method);
    if (a->kind == PLAN_STATIC) return name_is(r, m->name, "<clinit>");
    if (is_local(r, a)) return true;
    return name_is(r, m->name, "<init>") && class_id_eq(m->owner, program_field(r->p, a->field)->owner) &&
           var_origin(body_of(r, a->method), a->object).v == 1;
}

static void check_guard(struct teller *x, const struct races_access *a) {
    struct races *r = x->r;
    struct cf_str guard;
    struct path want, self = {0};
    if (!races_field_annotated(r, a->field, "GuardedBy", &guard) || guard.n == 0 || is_making(r, a)) return;
    if (a->object.v != 0) self = path_of(r, body_of(r, a->method), a->object);
    class_id owner = program_field(r->p, a->field)->owner;
    if (!guard_path(r, guard, self, owner, &want)) return;
    if (!is_broken(r, a->method, a->stmt, &want, a->is_write)) return;
    tell(x, "GuardedBy", a, races_field_location(r, a->field),
         arena_printf(&r->arena, "declared guarded by %.*s, not held here", (int)guard.n, guard.p));
}

static void check_immutable(struct teller *x, const struct races_access *a) {
    struct races *r = x->r;
    class_id owner = program_field(r->p, a->field)->owner;
    if (a->kind != PLAN_INSTANCE || !a->is_write || !races_class_annotated(r, owner, "Immutable", NULL))
        return;
    if (is_making(r, a) || races_field_annotated(r, a->field, "LazyInit", NULL)) return;
    tell(x, "Immutable", a, races_field_location(r, a->field),
         "the class is declared immutable, but written here");
}

/* A call of a method whose callers must hold a lock. */
static void check_call(struct teller *x, const struct ir_body *body, uint32_t stmt) {
    struct races *r = x->r;
    const struct ir_stmt *s = &body->stmts[stmt];
    struct cf_str guard;
    struct path want, self = {0};
    method_id callee = s->op == IR_INVOKE && s->sub != IR_CALL_DYNAMIC
                           ? program_ref_method(r->p, (ref_id){s->ref})
                           : (method_id){0};
    if (callee.v == 0 || !is_app(r, callee) || !races_method_annotated(r, callee, "GuardedBy", &guard))
        return;
    class_id owner = program_method(r->p, callee)->owner;
    if (s->sub != IR_CALL_STATIC) self = path_of(r, body, ir_arg(body, s, 0));
    if (guard.n == 0 || !guard_path(r, guard, self, owner, &want)) return;
    if (!is_broken(r, body->method, stmt, &want, true)) return;
    struct races_access at = {.method = body->method, .stmt = stmt, .line = s->line == 0 ? -1 : s->line};
    char *name = arena_strdup(&r->arena, program_class_name(r->p, owner));
    for (char *c = name; *c != '\0'; c++) {
        if (*c == '/' || *c == '$') *c = '.';
    }
    tell(x, "GuardedBy", &at,
         arena_printf(&r->arena, "%s.%s", name, program_str(r->p, program_method(r->p, callee)->name)),
         arena_printf(&r->arena, "callers must hold %.*s, not held here", (int)guard.n, guard.p));
}

static void check_calls(struct teller *x) {
    struct races *r = x->r;
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const struct ir_body *body = pts_is_reachable(r->pts, m) ? body_of(r, m) : NULL;
            for (uint32_t s = 0; body != NULL && s < body->n_stmts; s++) check_call(x, body, s);
        }
    }
}

void promises_write(struct races *r, struct plan_writer *w) {
    struct teller x = {.r = r, .w = w};
    for (size_t i = 0; i < r->accesses.n; i++) {
        const struct races_access *a = &r->accesses.v[i];
        if (a->field.v == 0 || !is_app_class(r, program_field(r->p, a->field)->owner)) continue;
        if (!pts_is_reachable(r->pts, a->method)) continue;
        check_guard(&x, a);
        check_immutable(&x, a);
    }
    check_calls(&x);
}

/* ---- guards that are not understood ---- */

struct unchecked {
    races_guard_visitor *visit;
    void *arg;
};

static void see_guard(struct races *r, class_id owner, name_id member, bool is_static, struct cf_str guard,
                      const struct unchecked *x) {
    struct path self = {0}, want;
    if (!is_static) self = (struct path){.root = PATH_VAR, .id = 1};
    if (guard.n == 0 || word_is(guard.p, guard.n, "itself") || guard_path(r, guard, self, owner, &want))
        return;
    bool call = memchr(guard.p, '(', guard.n) != NULL;
    char *cls = arena_strdup(&r->arena, program_class_name(r->p, owner));
    for (char *c = cls; *c != '\0'; c++) {
        if (*c == '/' || *c == '$') *c = '.';
    }
    x->visit(x->arg, arena_printf(&r->arena, "%s.%s", cls, program_str(r->p, member)),
             arena_printf(&r->arena, "%.*s", (int)guard.n, guard.p),
             call ? "it is a method call" : "no field of that name keeps its value");
}

void races_unchecked_guards(struct races *r, races_guard_visitor *visit, void *arg) {
    struct unchecked x = {visit, arg};
    struct cf_str guard;
    for (size_t i = 0; i < r->n_classes; i++) {
        const struct class_info *info = program_info(r->p, r->classes[i]);
        for (uint32_t k = 0; k < info->n_fields; k++) {
            field_id f = {info->first_field.v + k};
            const struct field_info *field = program_field(r->p, f);
            if (races_field_annotated(r, f, "GuardedBy", &guard))
                see_guard(r, r->classes[i], field->name, (field->access & CF_ACC_STATIC) != 0, guard, &x);
        }
        for (uint32_t k = 0; k < info->n_methods; k++) {
            method_id m = {info->first_method.v + k};
            const struct method_info *method = program_method(r->p, m);
            if (races_method_annotated(r, m, "GuardedBy", &guard))
                see_guard(r, r->classes[i], method->name, (method->access & CF_ACC_STATIC) != 0, guard, &x);
        }
    }
}
