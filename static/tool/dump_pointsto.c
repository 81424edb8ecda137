#include "dump_pointsto.h"
#include "target.h"

#include "race/pointsto.h"
#include "race/vec.h"

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

struct roots {
    struct pts_root *v;
    size_t n, cap;
};

/* Adds the methods that `text` names; `main` stands for the main method of a class. */
static bool add_roots(struct roots *roots, struct program *p, const struct classpath *cp, const char *text,
                      bool is_main, struct race_error *err) {
    struct target target;
    size_t before = roots->n;
    bool ok = target_init(&target, cp, text, err);
    class_id c = ok ? program_find_class(p, target.cls) : (class_id){0};
    for (uint32_t i = 0; ok && c.v && i < program_info(p, c)->n_methods; i++) {
        method_id m = {program_info(p, c)->first_method.v + i};
        const struct method_info *info = program_method(p, m);
        struct pts_root root = {.method = m, .kind = is_main ? PTS_ROOT_MAIN : PTS_ROOT_ENTRY};
        if (is_main && (strcmp(program_str(p, info->name), "main") != 0 ||
                        strcmp(program_str(p, info->desc), "([Ljava/lang/String;)V") != 0))
            continue;
        if (!is_main && !target_has_method(&target, p, m)) continue;
        if (info->has_code) vec_push(roots, root);
    }
    target_release(&target);
    if (ok && roots->n == before) {
        race_error_set_file(err, text);
        return race_fail(err, is_main ? "has no method main(String[])" : "has no such method with code");
    }
    return ok;
}

/* Whether the class is the one named, nested in it, or in the package or one below it. */
static bool is_within(const char *cls, const char *text) {
    for (; *text; cls++, text++)
        if (*cls != (*text == '.' ? '/' : *text)) return false;
    return *cls == '\0' || *cls == '/' || *cls == '$';
}

/* Every public method with code of the public classes within. */
static bool add_open(struct roots *roots, struct program *p, const struct classpath *cp, const char *text,
                     struct race_error *err) {
    size_t before = roots->n;
    for (size_t i = 0; i < classpath_class_count(cp, CLASSPATH_APP); i++) {
        const char *name = classpath_class_at(cp, CLASSPATH_APP, i)->name;
        class_id c = is_within(name, text) ? program_find_class(p, name) : (class_id){0};
        if (c.v == 0 || !(program_info(p, c)->access & CF_ACC_PUBLIC)) continue;
        for (uint32_t k = 0; k < program_info(p, c)->n_methods; k++) {
            method_id m = {program_info(p, c)->first_method.v + k};
            const struct method_info *info = program_method(p, m);
            struct pts_root root = {.method = m, .kind = PTS_ROOT_OPEN};
            if (!(info->access & CF_ACC_PUBLIC) || !info->has_code || *program_str(p, info->name) == '<')
                continue;
            vec_push(roots, root);
        }
    }
    if (roots->n > before) return true;
    race_error_set_file(err, text);
    return race_fail(err, "no public class of the class path is or is in this");
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
    bool ok = add_roots(&methods, p, cp, name, false, err);
    for (size_t i = 0; i < methods.n; i++) set_line(sigma, p, methods.v[i].method, line, k);
    vec_release(&methods);
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
    bool ok = settings->main == NULL || add_roots(&roots, p, cp, settings->main, true, err);
    for (size_t i = 0; ok && i < settings->entries.n; i++)
        ok = add_roots(&roots, p, cp, settings->entries.v[i], false, err);
    for (size_t i = 0; ok && i < settings->open.n; i++)
        ok = add_open(&roots, p, cp, settings->open.v[i], err);
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
    vec_release(&roots);
    return ok;
}
