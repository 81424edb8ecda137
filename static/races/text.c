/* Words for people: places, paths, locks and the reasons why no stage could remove a pair. */
#include "around.h"
#include "internal.h"
#include "tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* "pkg.Outer$Inner": the form of Java stack frames. */
static const char *dotted(struct races *r, const char *internal) {
    char *copy = arena_strdup(&r->arena, internal);
    for (char *c = copy; *c != '\0'; c++) {
        if (*c == '/') *c = '.';
    }
    return copy;
}

static const char *frame(struct races *r, method_id m, int line) {
    const struct method_info *info = program_method(r->p, m);
    const struct class_info *cls = program_peek(r->p, info->owner);
    const char *file = cls->source_file.v != 0 ? program_str(r->p, cls->source_file) : "Unknown Source";
    const char *name = dotted(r, program_class_name(r->p, info->owner));
    const char *method = program_str(r->p, info->name);
    if (line > 0) return arena_printf(&r->arena, "%s.%s(%s:%d)", name, method, file, line);
    return arena_printf(&r->arena, "%s.%s(%s)", name, method, file);
}

static int line_of(struct races *r, method_id m, uint32_t stmt) {
    const struct ir_body *body = body_of(r, m);
    return body != NULL && stmt < body->n_stmts && body->stmts[stmt].line != 0 ? body->stmts[stmt].line : -1;
}

const char *races_location(struct races *r, const struct races_pair *pair) {
    const struct races_access *a = races_access(r, pair->site[0]);
    const char *owner = program_class_name(r->p, pair->type), *name = program_str(r->p, a->name);
    size_t n = plan_location_text(a->kind, owner, name, NULL, 0);
    char *text = arena_alloc(&r->arena, n + 1);
    plan_location_text(a->kind, owner, name, text, n + 1);
    return text;
}

/* ---- paths ---- */

const char *races_root(struct races *r, const struct races_side *side) {
    const struct pts_thread *t = pts_thread(r->pts, side->thread);
    switch (t->kind) {
    case PTS_THREAD_MAIN: return "main";
    case PTS_THREAD_VM: return "virtual machine";
    case PTS_THREAD_ENTRY:
        return arena_printf(&r->arena, "entry %s", frame(r, pts_inst_info(r->pts, t->root)->method, -1));
    default: break;
    }
    if (t->n_starts == 0 || t->starts[0].caller.v == 0) return "thread";
    method_id m = pts_inst_info(r->pts, t->starts[0].caller)->method;
    return arena_printf(&r->arena, "Thread.start at %s", frame(r, m, line_of(r, m, t->starts[0].stmt)));
}

const char *races_access_text(struct races *r, races_site site) {
    const struct races_access *a = races_access(r, site);
    return frame(r, a->method, a->line);
}

const char *races_call_text(struct races *r, const struct pts_call *call) {
    method_id m = pts_inst_info(r->pts, call->caller)->method;
    return frame(r, m, line_of(r, m, call->stmt));
}

/* ---- locks ---- */

static const char *root_text(struct races *r, method_id m, const struct path *p) {
    switch (p->root) {
    case PATH_STATIC: {
        const struct field_info *f = program_field(r->p, (field_id){p->id});
        return arena_printf(&r->arena, "%s.%s", dotted(r, program_class_name(r->p, f->owner)),
                            program_str(r->p, f->name));
    }
    case PATH_CLASS:
        return arena_printf(&r->arena, "%s.class", dotted(r, program_class_name(r->p, (class_id){p->id})));
    case PATH_KEY: return key_text(r, p->id);
    case PATH_TOKEN: return token_text(r, p->id);
    case PATH_OBJECT: {
        const struct pts_obj_info *o = pts_obj_info(r->pts, (pts_obj){p->id});
        return arena_printf(&r->arena, "the %s", dotted(r, program_class_name(r->p, o->cls)));
    }
    default: break;
    }
    const struct ir_body *body = body_of(r, m);
    bool is_static = (program_method(r->p, m)->access & CF_ACC_STATIC) != 0;
    if (p->id == 1 && !is_static) return "this";
    if (p->id <= body->n_params) return arena_printf(&r->arena, "parameter %u", p->id - (is_static ? 0 : 1));
    class_id type = body->vars[p->id].type;
    if (type.v == 0) return "a local variable";
    return arena_printf(&r->arena, "a local %s", dotted(r, program_class_name(r->p, type)));
}

static const char *lock_text(struct races *r, method_id m, const struct lock *l) {
    const char *text = root_text(r, m, &l->path);
    for (unsigned i = 0; i < l->path.n; i++) {
        const struct field_info *f = program_field(r->p, l->path.fields[i]);
        text = arena_printf(&r->arena, "%s.%s", text, program_str(r->p, f->name));
    }
    if (l->around != 0) return arena_printf(&r->arena, "%s, in %s()", text, around_text(r, l->around));
    return l->shared ? arena_printf(&r->arena, "%s (read)", text) : text;
}

const char *const *races_locks(struct races *r, const struct races_pair *pair, int side, size_t *n) {
    const struct races_access *a = races_access(r, pair->site[side]);
    struct locks held;
    locks_held(r, pair->side[side].inst, a->stmt, &held);
    const char **texts = ARENA_NEW_N(&r->arena, held.n + 1u, const char *);
    *n = 0;
    for (unsigned i = 0; i < held.n; i++) {
        if (held.v[i].path.root == PATH_TOKEN && !token_holds(r, held.v[i].path.id)) continue;
        if (held.v[i].path.root == PATH_OTHER) continue; /* half of what is known */
        const char *text = lock_text(r, a->method, &held.v[i]);
        bool known = false;
        for (size_t k = 0; k < *n; k++) known |= strcmp(texts[k], text) == 0;
        if (!known) texts[(*n)++] = text;
    }
    return texts;
}

/* ---- reasons ---- */

static const char *set_text(struct races *r, const char *const *texts, size_t n) {
    const char *text = "";
    for (size_t i = 0; i < n; i++)
        text = arena_printf(&r->arena, "%s%s%s", text, i > 0 ? ", " : "", texts[i]);
    return arena_printf(&r->arena, "{%s}", text);
}

static const char *object_text(struct races *r, const struct races_pair *pair) {
    if (pair->object.v == 0) return "one static field";
    const struct pts_obj_info *o = pts_obj_info(r->pts, pair->object);
    const struct pts_alloc_info *a = pts_alloc_info(r->pts, o->alloc);
    const char *cls = dotted(r, program_class_name(r->p, o->cls));
    if (a->method.v == 0) return arena_printf(&r->arena, "both may reach a %s", cls);
    return arena_printf(&r->arena, "both may reach new %s at %s", cls,
                        frame(r, a->method, a->line == 0 ? -1 : a->line));
}

const char *races_why(struct races *r, const struct races_pair *pair) {
    size_t n[2];
    const char *const *locks[2];
    for (int i = 0; i < 2; i++) locks[i] = races_locks(r, pair, i, &n[i]);
    const char *guard = n[0] + n[1] == 0
                            ? "no lock is held on either side"
                            : arena_printf(&r->arena, "no common lock: %s vs %s", set_text(r, locks[0], n[0]),
                                           set_text(r, locks[1], n[1]));
    const char *roots[2] = {races_root(r, &pair->side[0]), races_root(r, &pair->side[1])};
    const char *threads = pair->side[0].thread == pair->side[1].thread
                              ? arena_printf(&r->arena, "several threads of %s may run at once", roots[0])
                              : arena_printf(&r->arena, "%s and %s may run at once", roots[0], roots[1]);
    return arena_printf(&r->arena, "%s; %s; %s", object_text(r, pair), threads, guard);
}

void races_print_funnel(const struct races *r, FILE *out) {
    for (unsigned s = 0; s < RACES_N_STAGES; s++) {
        fprintf(out, "%s%s %llu", s > 0 ? " -> " : "", races_stage_names[s],
                (unsigned long long)r->funnel[s]);
    }
    fputc('\n', out);
}
