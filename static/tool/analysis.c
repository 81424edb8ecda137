#include "analysis.h"

#include <string.h>
#include <time.h> /* clock */

static bool open_program(struct analysis *a, struct race_error *err) {
    const struct analysis_settings *s = &a->settings;
    struct classpath_options where = {.path = s->class_path, .jdk_home = s->jdk};
    a->cp = classpath_open(&where, err);
    if (a->cp == NULL) return false;
    a->source = testdriver_source(&a->driver, classpath_source(a->cp));
    a->program = program_new(&a->source, (struct program_options){.keep_class_files = true});
    size_t n = classpath_class_count(a->cp, CLASSPATH_APP);
    progress_stage(&a->progress, "reading classes", n);
    for (size_t i = 0; i < n; i++) {
        const char *name = classpath_class_at(a->cp, CLASSPATH_APP, i)->name;
        if (strcmp(name, "module-info") == 0) continue;
        class_id c = program_find_class(a->program, name);
        if (c.v != 0 && program_info(a->program, c)->state == CLASS_LOADED) vec_push(&a->classes, c);
        progress_step(&a->progress, i);
    }
    return !program_failed(a->program, err);
}

static bool find_roots(struct analysis *a, struct race_error *err) {
    const struct analysis_settings *s = &a->settings;
    bool ok =
        s->main_class == NULL || roots_add_main(&a->roots, a->program, a->cp, &a->driver, s->main_class, err);
    for (size_t i = 0; ok && i < s->entries->n; i++)
        ok = roots_add_entry(&a->roots, a->program, a->cp, s->entries->v[i], err);
    for (size_t i = 0; ok && i < s->open->n; i++)
        ok = roots_add_open(&a->roots, a->program, a->cp, s->open->v[i], err);
    if (ok && s->open_annotated) ok = roots_add_annotated(&a->roots, a->program, a->cp, err);
    if (ok && s->tests) {
        struct pts_root root = {.method = testdriver_make(&a->driver, a->program, a->cp, err)};
        ok = root.method.v != 0;
        vec_push(&a->roots, root);
    }
    return ok;
}

static struct pts_options pts_options_of(const struct analysis *a) {
    const char *k = a->settings.context;
    struct pts_options o = {.mode = PTS_OBJECT, .k = 1, .cp = a->cp};
    if (k != NULL && strcmp(k, "auto") != 0) o.k = (unsigned)(k[0] - '0');
    return o;
}

/* Bit set of the stages named by --without. */
static bool stages_left_out(const struct strings *names, unsigned *without, struct race_error *err) {
    for (size_t i = 0; i < names->n; i++) {
        unsigned s = 0;
        while (s < RACES_N_STAGES && strcmp(names->v[i], races_stage_names[s]) != 0) s++;
        if (s == RACES_N_STAGES || s < RACES_ALIASING || s > RACES_UNLOCKED) {
            err->exit_code = RACE_EXIT_USAGE;
            return race_fail(err, "--without %s: use aliasing, escaping, parallel or unlocked", names->v[i]);
        }
        *without |= 1u << s;
    }
    return true;
}

static bool solve(struct analysis *a, const struct pts_options *pts_options,
                  const struct races_options *races_options, struct race_error *err) {
    progress_stage(&a->progress, "points-to analysis", 0);
    a->pts = pts_solve(a->program, a->roots.v, a->roots.n, pts_options, err);
    if (a->pts == NULL) return false;
    progress_stage(&a->progress, "looking for races", 0);
    a->races = races_find(a->pts, a->classes.v, a->classes.n, races_options, err);
    return a->races != NULL;
}

/* Once more with deeper contexts for what still races; a large program is not analysed twice. */
static bool refine(struct analysis *a, struct pts_options *pts_options,
                   const struct races_options *races_options, struct race_error *err) {
    enum { DEPTH = 3, LARGE = 1500000 }; /* edges: by seconds, a busy machine would give another answer */
    struct pts_sigma *sigma = pts_sigma_new(pts_options->k);
    bool ok = true;
    if (pts_stats(a->pts).edges < LARGE && races_refine(a->races, sigma, DEPTH) > 0) {
        races_free(a->races);
        a->races = NULL;
        pts_options->sigma = sigma;
        pts_options->reuse = a->pts;
        a->pts = NULL;
        ok = solve(a, pts_options, races_options, err);
        pts_options->sigma = NULL;
    }
    pts_sigma_free(sigma);
    return ok;
}

/* The owners prove some more pairs; guesses from a log come first. */
static bool check_types(struct analysis *a, struct race_error *err) {
    const struct strings *files = a->settings.discovered;
    struct types_log *log = types_log_new();
    bool ok = true;
    for (size_t i = 0; ok && files != NULL && i < files->n; i++) ok = types_log_read(log, files->v[i], err);
    if (ok) {
        progress_stage(&a->progress, "checking types", 0);
        clock_t start = clock();
        a->types = types_check(a->races, log);
        a->types_proved = types_drop_pairs(a->types);
        a->types_seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    }
    types_log_free(log);
    return ok;
}

bool analysis_run(struct analysis *a, struct race_error *err) {
    struct races_options races_options = {.lib = a->settings.lib};
    if (!stages_left_out(a->settings.without, &races_options.without, err)) return false;
    if (!open_program(a, err) || !find_roots(a, err)) return false;
    struct pts_options pts_options = pts_options_of(a);
    if (!solve(a, &pts_options, &races_options, err)) return false;
    bool automatic = a->settings.context == NULL || strcmp(a->settings.context, "auto") == 0;
    if (automatic && races_n_pairs(a->races) > 0 && !refine(a, &pts_options, &races_options, err))
        return false;
    return check_types(a, err);
}

void analysis_release(struct analysis *a) {
    progress_end(&a->progress);
    types_free(a->types);
    races_free(a->races);
    pts_free(a->pts);
    roots_release(&a->roots);
    vec_release(&a->classes);
    if (a->program != NULL) program_free(a->program);
    testdriver_release(&a->driver);
    if (a->cp != NULL) classpath_free(a->cp);
}
