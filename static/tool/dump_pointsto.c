#include "dump_pointsto.h"
#include "roots.h"

#include "race/arena.h"
#include "race/ir.h"
#include "race/pointsto.h"

#include <string.h>

static void print_callgraph(const struct pts *pts, bool all) {
    pts_dump_callgraph(pts, !all, stdout);
}

static void print_pointsto(const struct pts *pts, bool all) {
    pts_dump_pointsto(pts, !all, stdout);
}

static void print_heap(const struct pts *pts, bool all) {
    pts_dump_heap(pts, !all, stdout);
}

static void print_threads(const struct pts *pts, bool all) {
    (void)all;
    pts_dump_threads(pts, stdout);
}

static void print_gaps(const struct pts *pts, bool all) {
    (void)all;
    pts_dump_gaps(pts, stdout);
}

static void print_stats(const struct pts *pts, bool all) {
    (void)all;
    pts_dump_stats(pts, stdout);
}

static const struct stage {
    const char *name;
    void (*print)(const struct pts *pts, bool all);
} stages[] = {
    {"callgraph", print_callgraph}, {"pointsto", print_pointsto}, {"heap", print_heap},
    {"threads", print_threads},     {"gaps", print_gaps},         {"stats", print_stats},
};

static const struct stage *stage_named(const char *name) {
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (strcmp(stages[i].name, name) == 0) return &stages[i];
    return NULL;
}

bool dump_pointsto_has(const char *stage) {
    return stage_named(stage) != NULL;
}

/* Sets the depth of every allocation on one line of the methods named. */
static void set_line(struct pts_sigma *sigma, struct program *p, method_id m, unsigned line, unsigned k) {
    struct ir_builder *builder = ir_builder_new(p);
    struct race_error ignored = {0};
    struct arena arena;
    arena_init(&arena);
    const struct ir_body *body = ir_build(builder, m, &arena, &ignored);
    for (uint32_t i = 0; body && i < body->n_stmts; i++)
        if (body->stmts[i].line == line && (body->stmts[i].op == IR_NEW || body->stmts[i].op == IR_NEW_ARRAY))
            pts_sigma_set(sigma, m, i, k);
    arena_release(&arena);
    ir_builder_free(builder);
}

/* CLASS.METHOD:LINE=K */
static bool set_site(struct pts_sigma *sigma, struct program *p, const struct classpath *cp, const char *text,
                     struct race_error *err) {
    char name[512];
    unsigned line, k;
    const char *colon = strrchr(text, ':');
    if (colon == NULL || sscanf(colon, ":%u=%u", &line, &k) != 2 || (size_t)(colon - text) >= sizeof name) {
        err->exit_code = RACE_EXIT_USAGE;
        return race_fail(err, "--site %s: not of the form CLASS.METHOD:LINE=K", text);
    }
    memcpy(name, text, (size_t)(colon - text));
    name[colon - text] = '\0';
    struct roots methods = {0};
    bool ok = roots_add_entry(&methods, p, cp, name, err);
    for (size_t i = 0; i < methods.n; i++) set_line(sigma, p, methods.v[i].method, line, k);
    roots_release(&methods);
    return ok;
}

static struct pts_options options_of(const struct dump_pointsto_settings *s, const struct classpath *cp) {
    const char *k = s->k ? s->k : "1";
    struct pts_options o = {.mode = PTS_OBJECT, .k = 1, .cp = cp, .exact_k = s->exact_k};
    if (strcmp(k, "0") == 0)
        o.mode = PTS_INSENSITIVE;
    else if (strcmp(k, "origin") == 0)
        o.mode = PTS_ORIGIN;
    else if (strcmp(k, "origin+1") == 0)
        o.mode = PTS_ORIGIN_OBJECT;
    else
        o.k = (unsigned)(k[0] - '0');
    return o;
}

bool dump_pointsto(struct program *p, const struct classpath *cp, const char *stage,
                   const struct dump_pointsto_settings *settings, struct race_error *err) {
    struct roots roots = {0};
    bool ok = settings->main == NULL || roots_add_main(&roots, p, cp, settings->driver, settings->main, err);
    for (size_t i = 0; ok && i < settings->entries.n; i++)
        ok = roots_add_entry(&roots, p, cp, settings->entries.v[i], err);
    for (size_t i = 0; ok && i < settings->open.n; i++)
        ok = roots_add_open(&roots, p, cp, settings->open.v[i], err);
    struct pts_options options = options_of(settings, cp);
    struct pts_sigma *sigma = pts_sigma_new(options.k);
    for (size_t i = 0; ok && i < settings->sites.n; i++)
        ok = set_site(sigma, p, cp, settings->sites.v[i], err);
    if (settings->sites.n) options.sigma = sigma;
    if (ok) {
        struct pts *pts = pts_solve(p, roots.v, roots.n, &options, err);
        if (pts) stage_named(stage)->print(pts, settings->all);
        ok = pts != NULL;
        pts_free(pts);
    }
    pts_sigma_free(sigma);
    roots_release(&roots);
    return ok;
}
