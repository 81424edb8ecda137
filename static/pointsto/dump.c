/* Stable text: one fact per line, no addresses, no numbers that shift when an unrelated class changes. */
#include "solver.h"

#include <string.h>

static void print_class(const struct pts *s, class_id c, FILE *out) {
    for (const char *z = program_class_name(s->p, c); *z; z++) fputc(*z == '/' ? '.' : *z, out);
}

static void print_method(const struct pts *s, method_id m, FILE *out) {
    const struct method_info *info = program_method(s->p, m);
    print_class(s, info->owner, out);
    fprintf(out, ".%s%s", program_str(s->p, info->name), program_str(s->p, info->desc));
}

/* T.main:12, or T.main@7 (bytecode or statement number) without line numbers. */
static void print_place(const struct pts *s, method_id m, uint32_t stmt, unsigned line, FILE *out) {
    const struct method_info *info = program_method(s->p, m);
    print_class(s, info->owner, out);
    fprintf(out, ".%s", program_str(s->p, info->name));
    if (line)
        fprintf(out, ":%u", line);
    else
        fprintf(out, "@%u", stmt);
}

static void print_alloc(const struct pts *s, const struct pts_alloc_info *h, FILE *out) {
    print_class(s, h->cls, out);
    switch (h->kind) {
    case PTS_ALLOC_MERGED: fputs("*", out); break;
    case PTS_ALLOC_CLASS:
        fputc('<', out);
        if (h->type.v) print_class(s, h->type, out);
        fputc('>', out);
        break;
    case PTS_ALLOC_MODEL: fprintf(out, "\"%s\"", h->label); break;
    default:
        fputc('@', out);
        print_place(s, h->method, h->stmt, h->line, out);
        break;
    }
}

static void print_sequence(const struct pts *s, pts_obj o, FILE *out) {
    for (bool first = true; o.v; first = false) {
        const struct pts_obj_info *info = &s->objs.v[o.v];
        if (!first) fputs(" :: ", out);
        print_alloc(s, &s->world->allocs.v[info->alloc.v], out);
        o = s->ctxs.v[info->rest.v].obj;
    }
}

static void print_origin(const struct pts *s, pts_ctx c, bool first, FILE *out) {
    pts_obj origin = s->ctxs.v[c.v].origin;
    if (origin.v == 0) return;
    fputs(first ? "in " : " in ", out);
    print_alloc(s, &s->world->allocs.v[s->objs.v[origin.v].alloc.v], out);
}

void pts_print_obj(const struct pts *s, pts_obj o, FILE *out) {
    fputc('[', out);
    print_sequence(s, o, out);
    print_origin(s, s->objs.v[o.v].rest, false, out);
    fputc(']', out);
}

void pts_print_ctx(const struct pts *s, pts_ctx c, FILE *out) {
    fputc('[', out);
    print_sequence(s, s->ctxs.v[c.v].obj, out);
    print_origin(s, c, s->ctxs.v[c.v].obj.v == 0, out);
    fputc(']', out);
}

static void print_inst(const struct pts *s, pts_inst i, FILE *out) {
    const struct pts_inst_info *info = &s->insts.v[i.v].info;
    if (i.v == 0) {
        fputs("VM", out);
        return;
    }
    pts_print_ctx(s, info->ctx, out);
    fputc(' ', out);
    print_method(s, info->method, out);
}

static bool inst_is_app(const struct pts *s, pts_inst i) {
    return i.v && pts_is_app(s, s->insts.v[i.v].info.method);
}

static bool obj_is_app(const struct pts *s, pts_obj o) {
    const struct pts_alloc_info *h = &s->world->allocs.v[s->objs.v[o.v].alloc.v];
    return h->method.v && pts_is_app(s, h->method);
}

/* Builds IR again for the few methods that are printed, for lines and variables. */
struct printer {
    const struct pts *s;
    struct ir_builder *builder;
    struct arena arena;
    method_id method;
    const struct ir_body *body;
};

static const struct ir_body *body_of(struct printer *p, method_id m) {
    if (p->method.v == m.v) return p->body;
    struct race_error err = {0};
    arena_clear(&p->arena);
    p->method = m;
    p->body = program_method(p->s->p, m)->has_code ? ir_build(p->builder, m, &p->arena, &err) : NULL;
    if (p->body && p->body->opaque) p->body = NULL;
    return p->body;
}

static void printer_init(struct printer *p, const struct pts *s) {
    *p = (struct printer){.s = s, .builder = ir_builder_new(s->p)};
    arena_init(&p->arena);
}

static void printer_release(struct printer *p) {
    arena_release(&p->arena);
    ir_builder_free(p->builder);
}

static unsigned line_of(struct printer *p, pts_inst i, uint32_t stmt) {
    const struct ir_body *body = i.v ? body_of(p, p->s->insts.v[i.v].info.method) : NULL;
    return body && stmt < body->n_stmts ? body->stmts[stmt].line : 0;
}

void pts_dump_callgraph(const struct pts *s, bool app_only, FILE *out) {
    static const char *const kinds[] = {"call", "thread", "init"};
    struct printer p;
    printer_init(&p, s);
    for (size_t i = 0; i < s->calls.n; i++) {
        const struct pts_call *c = &s->calls.v[i];
        if (app_only && !inst_is_app(s, c->caller) && !inst_is_app(s, c->callee)) continue;
        fprintf(out, "%s ", kinds[c->kind]);
        print_inst(s, c->caller, out);
        unsigned line = line_of(&p, c->caller, c->stmt);
        if (line)
            fprintf(out, ":%u", line);
        else if (c->caller.v)
            fprintf(out, "@%u", c->stmt);
        fputs(" -> ", out);
        print_inst(s, c->callee, out);
        fputc('\n', out);
    }
    printer_release(&p);
}

static void print_set(const struct pts *s, struct pts_view set, FILE *out) {
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        fputc(' ', out);
        pts_print_obj(s, o, out);
    }
    fputc('\n', out);
}

/* A variable is named by the statement that defines it: param 0, new, get f1, call T.get ... */
static void print_var(const struct pts *s, const struct ir_body *body, uint32_t v, FILE *out) {
    const struct ir_stmt *d = ir_def(body, (ir_var){v});
    const char *op = ir_op_name((enum ir_op)d->op);
    fprintf(out, "v%u", v);
    if (d->op == IR_PARAM)
        fprintf(out, "=%s(%u)", op, d->ref);
    else if (d->op == IR_GET_FIELD || d->op == IR_GET_STATIC ||
             (d->op == IR_INVOKE && d->sub != IR_CALL_DYNAMIC))
        fprintf(out, "=%s(%s)", op, program_str(s->p, program_ref(s->p, (ref_id){d->ref})->name));
    else
        fprintf(out, "=%s", op);
    if (d->line && d->op != IR_PARAM) fprintf(out, ":%u", d->line);
}

static void dump_inst_vars(struct printer *p, pts_inst i, FILE *out) {
    const struct pts *s = p->s;
    const struct ir_body *body = body_of(p, s->insts.v[i.v].info.method);
    for (uint32_t v = 1; body && v <= body->n_vars; v++) {
        struct pts_view set = pts_var(s, i, (ir_var){v});
        if (set.set == NULL) continue;
        print_inst(s, i, out);
        fputc(' ', out);
        print_var(s, body, v, out);
        fputs(" ->", out);
        print_set(s, set, out);
    }
}

void pts_dump_pointsto(const struct pts *s, bool app_only, FILE *out) {
    struct printer p;
    printer_init(&p, s);
    for (uint32_t m = 1; m < s->methods.n; m++) {
        if (app_only && s->methods.v[m].insts.n && !pts_is_app(s, (method_id){m})) continue;
        for (size_t k = 0; k < s->methods.v[m].insts.n; k++)
            dump_inst_vars(&p, s->methods.v[m].insts.v[k], out);
    }
    printer_release(&p);
    for (uint32_t f = 1; f <= program_n_fields(s->p); f++) {
        struct pts_view set = pts_static(s, (field_id){f});
        const struct field_info *info = program_field(s->p, (field_id){f});
        if (set.set == NULL || (app_only && program_info(s->p, info->owner)->from_jdk)) continue;
        print_class(s, info->owner, out);
        fprintf(out, ".%s ->", program_str(s->p, info->name));
        print_set(s, set, out);
    }
}

struct field_printer {
    const struct pts *s;
    pts_obj obj;
    bool app_only;
    FILE *out;
};

static void print_field(void *arg, field_id f, struct pts_view set) {
    struct field_printer *p = arg;
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        if (p->app_only && !obj_is_app(p->s, p->obj) && !obj_is_app(p->s, o)) continue;
        pts_print_obj(p->s, p->obj, p->out);
        if (f.v == PTS_FIELD_ELEMS)
            fputs(" []", p->out);
        else if (f.v >= (uint32_t)PTS_FIELD_CAPTURE)
            fprintf(p->out, " captured %u", f.v - PTS_FIELD_CAPTURE);
        else if (f.v >= (uint32_t)PTS_FIELD_MODEL)
            fputs(" model", p->out);
        else
            fprintf(p->out, " %s", program_str(p->s->p, program_field(p->s->p, f)->name));
        fputs(" -> ", p->out);
        pts_print_obj(p->s, o, p->out);
        fputc('\n', p->out);
    }
}

void pts_dump_heap(const struct pts *s, bool app_only, FILE *out) {
    for (uint32_t o = 1; o < s->objs.n; o++) {
        struct field_printer p = {.s = s, .obj = {o}, .app_only = app_only, .out = out};
        pts_each_field(s, p.obj, print_field, &p);
    }
}

void pts_dump_threads(const struct pts *s, FILE *out) {
    static const char *const kinds[] = {"main", "thread", "entry", "vm"};
    struct printer p;
    printer_init(&p, s);
    for (size_t i = 0; i < s->threads.n; i++) {
        const struct pts_thread *t = &s->threads.v[i];
        fprintf(out, "%s %s ", kinds[t->kind], t->many ? "many" : "one");
        if (t->obj.v) pts_print_obj(s, t->obj, out), fputc(' ', out);
        print_inst(s, t->root, out);
        for (uint32_t k = 0; k < t->n_starts; k++) {
            fputs(k ? ", " : " started by ", out);
            print_inst(s, t->starts[k].caller, out);
            unsigned line = line_of(&p, t->starts[k].caller, t->starts[k].stmt);
            if (line) fprintf(out, ":%u", line);
        }
        fputc('\n', out);
    }
    printer_release(&p);
}

void pts_dump_gaps(const struct pts *s, FILE *out) {
    if (s->stats.named_calls)
        fprintf(out, "%u reflective calls got the %u classes named in resources\n", s->stats.named_calls,
                s->stats.named_classes);
    fprintf(out, "assumed that nothing happens at %zu places:\n", s->gaps.n);
    for (size_t i = 0; i < s->gaps.n; i++) {
        const struct pts_gap *g = &s->gaps.v[i];
        fprintf(out, "  %s: ", g->what);
        print_method(s, g->in, out);
        if (g->stmt) fprintf(out, "@%u", g->stmt);
        if (*g->detail) fprintf(out, " (%s)", g->detail);
        fputc('\n', out);
    }
}

void pts_dump_stats(const struct pts *s, FILE *out) {
    const struct pts_stats *st = &s->stats;
    fprintf(out, "reachable methods       %u (application %u)\n", st->methods, st->app_methods);
    fprintf(out, "methods in contexts     %u (%u contexts)\n", st->insts, st->ctxs);
    fprintf(out, "abstract objects        %u (%u sites)\n", st->objs, st->allocs);
    fprintf(out, "virtual calls           %u (application %u)\n", st->virtual_calls, st->app_virtual_calls);
    fprintf(out, "  with several targets  %u (application %u)\n", st->poly_calls, st->app_poly_calls);
    fprintf(out, "casts                   %u (application %u)\n", st->casts, st->app_casts);
    fprintf(out, "  that may fail         %u (application %u)\n", st->may_fail_casts, st->app_may_fail_casts);
    fprintf(out, "average points-to size  %.2f\n", st->vars ? (double)st->var_objs / (double)st->vars : 0.0);
    fprintf(out, "graph nodes             %llu (%llu merged), edges %llu\n", (unsigned long long)st->nodes,
            (unsigned long long)st->merged, (unsigned long long)st->edges);
    fprintf(out, "propagations            %llu (%llu orderings)\n", (unsigned long long)s->g.n_props,
            (unsigned long long)s->g.n_sorts);
    fprintf(out, "abstract threads        %zu\n", s->threads.n);
    if (st->named_calls)
        fprintf(out, "reflective calls        %u got the %u classes named in resources\n", st->named_calls,
                st->named_classes);
    fprintf(out, "places assumed empty    %zu\n", s->gaps.n);
    fprintf(out, "seconds of CPU          %.2f\n", st->seconds);
}
