/*
 * Runs the literal algorithms on a program.
 *
 *   oracle CLASS_PATH MAIN           compares them with the race pipeline; exit code 1 if they disagree
 *   oracle --table SOURCE CP MAIN    prints the tuples of originalRaces with the stages that keep each, and
 * those of `parallel` and `guarded` oracle --stages SOURCE CP MAIN   prints the pipeline's pairs of labelled
 * accesses with the stages that, alone, keep each
 *
 * Agreement: reachable, aliasing and (by reachability alone) escaping must be equal as sets of pairs.  In
 * `parallel` and `unlocked` the pipeline knows more (joins, signals, symbolic locks), so there it must not
 * keep a pair that the literal algorithm removes.
 */
#include "thesis.h"

#include "race/classpath.h"
#include "race/vec.h"

#include <stdlib.h>
#include <string.h>

struct subject {
    struct classpath *cp;
    struct class_source source;
    struct program *program;
    VEC(class_id) classes;
    struct pts *pts;
};

static void fail(const char *what, const struct race_error *err) {
    fprintf(stderr, "oracle: %s: %s\n", what, err != NULL ? err->what : "not found");
    exit(2);
}

static struct pts_root main_of(struct subject *x, const char *name) {
    class_id c = program_find_class(x->program, name);
    if (c.v == 0) fail(name, NULL);
    const struct class_info *info = program_info(x->program, c);
    for (uint32_t i = 0; i < info->n_methods; i++) {
        method_id m = {info->first_method.v + i};
        if (strcmp(program_str(x->program, program_method(x->program, m)->name), "main") == 0)
            return (struct pts_root){.method = m, .kind = PTS_ROOT_MAIN};
    }
    fail(name, NULL);
    abort();
}

static void open_subject(struct subject *x, const char *path, const char *main_class, bool by_the_book) {
    struct race_error err = {0};
    struct classpath_options where = {.path = path};
    x->cp = classpath_open(&where, &err);
    if (x->cp == NULL) fail(path, &err);
    x->source = classpath_source(x->cp);
    x->program = program_new(&x->source, (struct program_options){.keep_class_files = true});
    for (size_t i = 0; i < classpath_class_count(x->cp, CLASSPATH_APP); i++) {
        class_id c = program_find_class(x->program, classpath_class_at(x->cp, CLASSPATH_APP, i)->name);
        if (c.v != 0 && program_info(x->program, c)->state == CLASS_LOADED) vec_push(&x->classes, c);
    }
    struct pts_root root = main_of(x, main_class);
    struct pts_options options = {.mode = PTS_OBJECT, .k = by_the_book ? 2 : 1, .cp = x->cp};
    x->pts = pts_solve(x->program, &root, 1, &options, &err);
    if (x->pts == NULL) fail(main_class, &err);
}

static void close_subject(struct subject *x) {
    pts_free(x->pts);
    vec_release(&x->classes);
    program_free(x->program);
    classpath_free(x->cp);
}

static struct races *pipeline(struct subject *x, unsigned without, bool reach_only) {
    struct race_error err = {0};
    struct races_options options = {.without = without, .reach_only = reach_only};
    struct races *r = races_find(x->pts, x->classes.v, x->classes.n, &options, &err);
    if (r == NULL) fail("pipeline", &err);
    return r;
}

/* ---- comparing ---- */

struct comparison {
    struct subject *subject;
    struct facts *facts;
    const struct races *names; /* any run: all have the same accesses */
    bool agreed;
};

static struct relation pairs_of(struct comparison *c, unsigned without) {
    struct relation pairs = relation_empty(&c->facts->space, COLUMN(E1) | COLUMN(E2));
    struct races *r = pipeline(c->subject, without, true);
    for (uint32_t i = 0; i < races_n_pairs(r); i++) {
        const struct races_pair *p = races_pair(r, i);
        if (facts_covers(r, c->subject->pts, p->site[0]))
            relation_add(&c->facts->space, &pairs, (uint32_t[]){p->site[0].v, p->site[1].v});
    }
    races_free(r);
    return pairs;
}

static void print_access(const struct comparison *c, uint32_t site) {
    const struct races_access *a = races_access(c->names, (races_site){site});
    const struct method_info *m = program_method(c->subject->program, a->method);
    printf(" %s %s.%s:%d", a->is_write ? "write" : "read", program_class_name(c->subject->program, m->owner),
           program_str(c->subject->program, m->name), a->line);
}

static void print_pair(void *arg, const uint32_t *values) {
    const struct comparison *c = arg;
    printf("   ");
    print_access(c, values[0]);
    print_access(c, values[1]);
    putchar('\n');
}

static void complain(struct comparison *c, const char *what, struct relation pairs) {
    if (relation_count(&c->facts->space, pairs) == 0) return;
    printf("  %s:\n", what);
    relation_each(&c->facts->space, pairs, print_pair, c);
    c->agreed = false;
}

static void compare(struct comparison *c, const char *stage, unsigned without, struct relation literal,
                    bool equal) {
    struct space *s = &c->facts->space;
    struct relation ours = pairs_of(c, without), theirs = thesis_pairs(c->facts, literal);
    printf("%s: pipeline %llu, literal %llu\n", stage, (unsigned long long)relation_count(s, ours),
           (unsigned long long)relation_count(s, theirs));
    complain(c, "kept by the pipeline only", relation_minus(s, ours, theirs));
    if (equal) complain(c, "kept by the literal algorithm only", relation_minus(s, theirs, ours));
}

static bool compare_all(struct subject *x) {
    enum {
        ESCAPING = 1u << RACES_ESCAPING,
        PARALLEL = 1u << RACES_PARALLEL,
        UNLOCKED = 1u << RACES_UNLOCKED
    };
    struct races *names = pipeline(x, 0, true);
    struct facts f;
    struct thesis t;
    facts_init(&f, names, x->pts, &(struct facts_options){0});
    thesis_run(&t, &f, &(struct thesis_options){0});
    struct comparison c = {x, &f, names, true};
    struct space *s = &f.space;
    compare(&c, "aliasing", ESCAPING | PARALLEL | UNLOCKED, t.aliasing, true);
    compare(&c, "escaping", PARALLEL | UNLOCKED, thesis_meeting(&f, t.original), true);
    compare(&c, "parallel", ESCAPING | UNLOCKED, relation_join(s, t.aliasing, t.parallel), false);
    compare(&c, "unlocked", ESCAPING | PARALLEL, relation_join(s, t.aliasing, t.unlocked), false);
    compare(&c, "ultimate", 0, t.ultimate, false);
    facts_release(&f);
    races_free(names);
    return c.agreed;
}

/* ---- Table 2.1 ---- */

enum { LINES = 500, LABEL = 8 };

/* Labels e1, h1 ... stand in comments of the source: // h1 e1 */
struct labels {
    char access[LINES][LABEL], alloc[LINES][LABEL];
};

static void read_labels(struct labels *l, const char *path) {
    FILE *in = fopen(path, "r");
    char line[400];
    if (in == NULL) fail(path, NULL);
    for (int n = 1; n < LINES && fgets(line, sizeof line, in) != NULL; n++) {
        char *comment = strstr(line, "//");
        for (char *word = comment != NULL ? strtok(comment + 2, " \n") : NULL; word != NULL;
             word = strtok(NULL, " \n")) {
            char *to = word[0] == 'e' ? l->access[n] : l->alloc[n];
            snprintf(to, LABEL, "%s", word);
        }
    }
    fclose(in);
}

struct table {
    struct subject *subject;
    struct facts *facts;
    const struct races *races;
    const struct labels *labels;
    const struct thesis *t;
};

static void print_object(const struct table *x, pts_obj o) {
    putchar('[');
    while (o.v != 0) {
        const struct pts_obj_info *info = pts_obj_info(x->subject->pts, o);
        fputs(x->labels->alloc[pts_alloc_info(x->subject->pts, info->alloc)->line], stdout);
        o = pts_ctx_info(x->subject->pts, info->rest).obj;
        if (o.v != 0) fputs("::", stdout);
    }
    putchar(']');
}

static void print_context(const struct table *x, pts_ctx c) {
    print_object(x, pts_ctx_info(x->subject->pts, c).obj);
}

static void print_thread(const struct table *x, uint32_t thread) {
    const struct pts_thread *t = pts_thread(x->subject->pts, thread);
    const struct pts_inst_info *root = pts_inst_info(x->subject->pts, t->root);
    print_context(x, root->ctx);
}

static bool has(const struct table *x, struct relation stage, const uint32_t *tuple) {
    struct relation one = relation_empty(&x->facts->space, stage.columns);
    relation_add(&x->facts->space, &one, tuple);
    return relation_count(&x->facts->space, relation_join(&x->facts->space, stage, one)) > 0;
}

static void print_row(void *arg, const uint32_t *v) {
    const struct table *x = arg; /* v: T1 T2 C1 C2 E1 E2 */
    const struct relation stages[] = {x->t->aliasing, x->t->escaping, x->t->parallel, x->t->unlocked,
                                      x->t->ultimate};
    for (int side = 0; side < 2; side++) {
        print_thread(x, v[side]);
        putchar(' ');
        print_context(x, (pts_ctx){v[2 + side]});
        printf(" %s ", x->labels->access[races_access(x->races, (races_site){v[4 + side]})->line]);
    }
    for (int i = 0; i < 5; i++) putchar(has(x, stages[i], v) ? "aepuU"[i] : '-');
    putchar('\n');
}

static const char *access_label(const struct races *races, const struct labels *labels, races_site s) {
    return labels->access[races_access(races, s)->line];
}

static void print_parallel(void *arg, const uint32_t *v) {
    const struct table *x = arg; /* v: T1 T2 C1 E1 */
    fputs("parallel ", stdout);
    print_thread(x, v[0]);
    putchar(' ');
    print_context(x, (pts_ctx){v[2]});
    printf(" %s ", access_label(x->races, x->labels, (races_site){v[3]}));
    print_thread(x, v[1]);
    putchar('\n');
}

/* `parallel` of the threads and accesses that some tuple of originalRaces has. */
static struct relation parallel_of(struct facts *f, struct relation original) {
    struct space *s = &f->space;
    struct relation one = relation_drop(s, original, COLUMN(T2) | COLUMN(C2) | COLUMN(E2));
    struct relation two = relation_drop(s, original, COLUMN(T1) | COLUMN(C1) | COLUMN(E1));
    two = relation_rename(s, two, (unsigned[]){T2, C2, E2}, (unsigned[]){T1, C1, E1}, 3);
    struct relation executed = relation_union(s, one, two);
    struct relation threads = relation_drop(s, executed, COLUMN(C1) | COLUMN(E1));
    threads = relation_rename(s, threads, (unsigned[]){T1}, (unsigned[]){T2}, 1);
    return relation_join(s, relation_join(s, f->parallel, executed), threads);
}

static void print_guarded(void *arg, const uint32_t *v) {
    const struct table *x = arg; /* v: C1 E1 O1 */
    fputs("guarded ", stdout);
    print_context(x, (pts_ctx){v[0]});
    printf(" %s ", access_label(x->races, x->labels, (races_site){v[1]}));
    print_object(x, (pts_obj){v[2]});
    putchar('\n');
}

static void print_table(struct subject *x, const char *source) {
    struct labels *labels = calloc(1, sizeof *labels);
    struct races *races = pipeline(x, 0, true);
    struct facts f;
    struct thesis t;
    read_labels(labels, source);
    facts_init(&f, races, x->pts, &(struct facts_options){.by_the_book = true});
    thesis_run(&t, &f, &(struct thesis_options){.both_orders = true, .one_thread_per_kind = true});
    struct table table = {x, &f, races, labels, &t};
    relation_each(&f.space, t.original, print_row, &table);
    relation_each(&f.space, parallel_of(&f, t.original), print_parallel, &table);
    relation_each(&f.space, f.held, print_guarded, &table);
    facts_release(&f);
    races_free(races);
    free(labels);
}

/* ---- the pipeline's stages one by one ---- */

static bool has_pair(const struct races *r, const struct races_pair *wanted) {
    for (uint32_t i = 0; i < races_n_pairs(r); i++) {
        const struct races_pair *p = races_pair(r, i);
        if (p->site[0].v == wanted->site[0].v && p->site[1].v == wanted->site[1].v) return true;
    }
    return false;
}

static void print_stages(struct subject *x, const char *source) {
    static const enum races_stage stages[] = {RACES_ALIASING, RACES_ESCAPING, RACES_PARALLEL, RACES_UNLOCKED};
    enum { ALL = 1u << RACES_ALIASING | 1u << RACES_ESCAPING | 1u << RACES_PARALLEL | 1u << RACES_UNLOCKED };
    struct labels *labels = calloc(1, sizeof *labels);
    struct races *all = pipeline(x, ALL, false), *kept[5] = {[4] = pipeline(x, 0, false)};
    for (int i = 0; i < 4; i++) kept[i] = pipeline(x, ALL & ~(1u << stages[i]), false);
    read_labels(labels, source);
    for (uint32_t i = 0; i < races_n_pairs(all); i++) {
        const struct races_pair *p = races_pair(all, i);
        const char *a = access_label(all, labels, p->site[0]), *b = access_label(all, labels, p->site[1]);
        bool swap = strcmp(a, b) > 0;
        if (a[0] == '\0' || b[0] == '\0') continue;
        printf("%s %s ", swap ? b : a, swap ? a : b);
        for (int k = 0; k < 5; k++) putchar(has_pair(kept[k], p) ? "aepuU"[k] : '-');
        putchar('\n');
    }
    for (int i = 0; i < 5; i++) races_free(kept[i]);
    races_free(all);
    free(labels);
}

int main(int argc, char **argv) {
    struct subject x = {0};
    bool table = argc == 5 && strcmp(argv[1], "--table") == 0, agreed = true;
    bool stages = argc == 5 && strcmp(argv[1], "--stages") == 0;
    if (!table && !stages && argc != 3) {
        fputs("usage: oracle [--table SOURCE | --stages SOURCE] CLASS_PATH MAIN\n", stderr);
        return 64;
    }
    open_subject(&x, argv[argc - 2], argv[argc - 1], table || stages);
    if (table) {
        print_table(&x, argv[2]);
    } else if (stages) {
        print_stages(&x, argv[2]);
    } else {
        agreed = compare_all(&x);
    }
    close_subject(&x);
    return agreed ? 0 : 1;
}
