/* The types as stable text, for people and golden tests. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static const char *with_fields(struct types *t, const char *text, const struct path *p) {
    for (unsigned i = 0; i < p->n; i++)
        text = arena_printf(&t->arena, "%s.%s", text,
                            program_str(t->r->p, program_field(t->r->p, p->fields[i])->name));
    return text;
}

static const char *root_text(struct types *t, const struct path *p) {
    struct program *program = t->r->p;
    switch (p->root) {
    case PATH_STATIC: {
        const struct field_info *f = program_field(program, (field_id){p->id});
        return arena_printf(&t->arena, "%s.%s", program_class_name(program, f->owner),
                            program_str(program, f->name));
    }
    case PATH_CLASS:
        return arena_printf(&t->arena, "%s.class", program_class_name(program, (class_id){p->id}));
    case PATH_OBJECT: {
        const struct pts_obj_info *o = pts_obj_info(t->r->pts, (pts_obj){p->id});
        return arena_printf(&t->arena, "the %s", program_class_name(program, o->cls));
    }
    default: return "?";
    }
}

/* The one whose field holds the object, the one whose field holds that, ... */
static const char *holder_text(struct types *t, const struct owner *o) {
    const char *text = "this";
    for (unsigned i = 0; i < o->up; i++)
        text = arena_printf(&t->arena, "holder(%s)",
                            program_str(t->r->p, program_field(t->r->p, o->up_fields[i])->name));
    return text;
}

const char *owner_text(struct types *t, const struct owner *o) {
    static const char *const specials[] = {"none", "thisThread", "unique", "readonly"};
    if (o->kind != OWNER_LOCK) return specials[o->kind];
    if (o->path.root == PATH_VAR && o->up == 0 && o->path.n == 0) return "self";
    const char *root = o->path.root == PATH_VAR ? holder_text(t, o) : root_text(t, &o->path);
    return with_fields(t, root, &o->path);
}

const char *lock_expr(struct types *t, method_id m, const struct lock *l) {
    bool is_static = (program_method(t->r->p, m)->access & CF_ACC_STATIC) != 0;
    const char *root;
    if (l->path.root != PATH_VAR) {
        root = root_text(t, &l->path);
    } else if (!is_static && l->path.id == 1) {
        root = "this";
    } else {
        root = arena_printf(&t->arena, "arg%u", l->path.id - (is_static ? 0 : 1));
    }
    return with_fields(t, root, &l->path);
}

static const char *warning_text(enum type_warning w) {
    static const char *const texts[] = {
        "",
        "its owner is no final expression",
        "a thisThread instance may escape",
        "a readonly instance is written",
        "a unique instance has a second reference",
        "owners differ in an assignment",
        "owners differ in an invocation",
        "its lock is not held",
    };
    return texts[w];
}

/* ---- lines ---- */

static void print_site(struct types *t, races_site site, FILE *out) {
    if (site.v == 0) return;
    const struct races_access *a = races_access(t->r, site);
    const struct method_info *m = program_method(t->r->p, a->method);
    fprintf(out, " (%s in %s.%s:%d)", a->is_write ? "write" : "read", program_class_name(t->r->p, m->owner),
            program_str(t->r->p, m->name), a->line);
}

static void print_slot(struct types *t, const struct slot *s, FILE *out) {
    fputs("    ", out);
    if (s->object.v == 0) {
        fputs("static", out);
    } else {
        pts_print_obj(t->r->pts, s->object, out);
    }
    fprintf(out, " %s%s", owner_text(t, &s->owner), s->discovered ? ", discovered" : "");
    if (s->warning != WARN_NONE) {
        fprintf(out, ": %s", warning_text(s->warning));
        print_site(t, s->where, out);
    }
    fputc('\n', out);
}

static bool field_is_proved(struct types *t, field_id f, bool *used) {
    bool safe = true;
    *used = false;
    for (size_t i = 0; i < t->slots.n; i++) {
        if (!field_id_eq(t->slots.v[i].field, f)) continue;
        *used = true;
        safe &= t->slots.v[i].warning == WARN_NONE;
    }
    return safe;
}

static void print_field(struct types *t, class_id c, field_id f, FILE *out) {
    bool used, proved = field_is_proved(t, f, &used);
    if (!used) return;
    const char *by_class = t->classes[c.v].warning == WARN_NONE ? "safe" : "race-unsafe by its class";
    fprintf(out, "  field %s %s\n", program_str(t->r->p, program_field(t->r->p, f)->name),
            proved ? by_class : "race-unsafe");
    for (size_t i = 0; i < t->slots.n; i++) {
        if (field_id_eq(t->slots.v[i].field, f)) print_slot(t, &t->slots.v[i], out);
    }
}

static void print_locks(struct types *t, method_id m, uint32_t which, FILE *out) {
    const struct method_requires *q = &t->requires[m.v];
    const char *comma = "";
    fputc('{', out);
    for (unsigned i = 0; i < q->n; i++) {
        if ((which >> i & 1) == 0) continue;
        fprintf(out, "%s%s", comma, lock_expr(t, m, &q->v[i].lock));
        comma = ", ";
    }
    fputc('}', out);
}

static bool is_typed(struct types *t, method_id m) {
    if (t->requires[m.v].ill_typed) return false;
    for (uint32_t s = 1; s <= races_n_sites(t->r); s++) {
        const struct races_access *a = races_access(t->r, (races_site){s});
        if (method_id_eq(a->method, m) && !site_is_proved(t, (races_site){s})) return false;
    }
    return true;
}

static void print_method(struct types *t, method_id m, FILE *out) {
    uint32_t n, held = UINT32_MAX;
    const struct method_info *info = program_method(t->r->p, m);
    const pts_inst *insts = pts_insts_of(t->r->pts, m, &n);
    if (n == 0 || !info->has_code) return;
    for (uint32_t i = 0; i < n; i++) held &= t->held[insts[i].v];
    fprintf(out, "  method %s%s %s", program_str(t->r->p, info->name), program_str(t->r->p, info->desc),
            is_typed(t, m) ? "typed" : "untyped");
    if (t->requires[m.v].n > 0) {
        fputs(" requires ", out);
        print_locks(t, m, UINT32_MAX, out);
        fputs(" held ", out);
        print_locks(t, m, held, out);
    }
    fputc('\n', out);
}

static void print_class(struct types *t, class_id c, FILE *out) {
    const struct class_info *info = program_info(t->r->p, c);
    const struct class_types *state = &t->classes[c.v];
    fprintf(out, "class %s ", program_class_name(t->r->p, c));
    if (state->warning == WARN_NONE) {
        fputs("safe\n", out);
    } else {
        fprintf(out, "race-unsafe (%d): %s%s%s%s\n", state->warning, warning_text(state->warning),
                *state->where != '\0' ? " (" : "", state->where, *state->where != '\0' ? ")" : "");
    }
    for (uint32_t i = 0; i < info->n_fields; i++) print_field(t, c, (field_id){info->first_field.v + i}, out);
    for (uint32_t i = 0; i < info->n_methods; i++)
        print_method(t, (method_id){info->first_method.v + i}, out);
}

void types_dump(struct types *t, FILE *out) {
    bool any = false;
    for (size_t i = 0; i < t->r->n_classes; i++) print_class(t, t->r->classes[i], out);
    for (size_t i = 0; i < t->slots.n; i++) {
        if (t->slots.v[i].field.v != 0) continue;
        if (!any) fputs("elements and contents\n", out);
        any = true;
        print_slot(t, &t->slots.v[i], out);
    }
}
