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
    if (ok) {
        struct pts_options options = options_of(settings, cp);
        struct pts *pts = pts_solve(p, roots.v, roots.n, &options, err);
        if (pts) stage_named(stage)->print(pts, settings->all);
        ok = pts != NULL;
        pts_free(pts);
    }
    vec_release(&roots);
    return ok;
}
