/* `race dump`: what each stage makes of the classes, in a stable text form. */
#include "analysis.h"
#include "command.h"
#include "dump_pointsto.h"
#include "progress.h"
#include "target.h"

#include "race/arena.h"
#include "race/classpath.h"
#include "race/ir.h"
#include "race/program.h"

#include <stdlib.h>
#include <string.h>

struct dump_settings {
    const char *class_path, *jdk;
    const char *main, *k;      /* of the whole-program stages */
    struct strings entries;    /* likewise */
    struct strings open;       /* likewise */
    struct strings sites;      /* likewise */
    struct strings discovered; /* of the types */
    bool exact_k;              /* likewise */
    bool all, quiet;
};

#define FIELD(name) offsetof(struct dump_settings, name)

static const struct option_spec options[] = {
    {"-cp", "--class-path", "PATH", OPTION_TEXT, FIELD(class_path),
     "directories, jars and `lib/*` separated by ':', as for java"},
    {"--jdk", NULL, "HOME", OPTION_TEXT, FIELD(jdk), "the JDK to read (default: that of `java` on PATH)"},
    {"-m", "--main", "CLASS", OPTION_TEXT, FIELD(main), "the class whose main method starts the program"},
    {"--entry", NULL, "CLASS.METHOD", OPTION_LIST, FIELD(entries), "methods that others may call"},
    {"--open", NULL, "PKG|CLASS", OPTION_LIST, FIELD(open),
     "packages or classes whose public methods anybody may call"},
    {"-k", NULL, "0|1|2|3|origin|origin+1", OPTION_CHOICE, FIELD(k),
     "contexts: 0 none, N receivers of depth N, origin threads and tasks (default 1)"},
    {"--site", NULL, "CLASS.METHOD:LINE=K", OPTION_LIST, FIELD(sites),
     "another depth for objects made there"},
    {"--exact-k", NULL, NULL, OPTION_FLAG, FIELD(exact_k),
     "the same depth for the JDK's objects, containers too"},
    {"--discovered", NULL, "FILE", OPTION_LIST, FIELD(discovered),
     "types: try the owners that a run with --mode discover saw first"},
    {"--all", NULL, NULL, OPTION_FLAG, FIELD(all), "take the JDK's classes too"},
    {"--quiet", "-q", NULL, OPTION_FLAG, FIELD(quiet), "show no progress"},
};

struct dump {
    const struct dump_settings *settings;
    struct classpath *cp;
    struct testdriver driver;
    struct class_source source; /* must outlive the program */
    struct program *program;
    struct ir_builder *builder;
    struct arena arena; /* of one body at a time */
    struct progress progress;
};

/* ---- one class ---- */

typedef void print_body_fn(struct program *p, const struct ir_body *body, FILE *out);

/* Prints the bodies of a class's methods, or of those that `target` picks. */
static bool dump_bodies(struct dump *d, class_id c, const struct target *target, print_body_fn *print,
                        struct race_error *err) {
    const struct class_info *info = program_info(d->program, c);
    unsigned printed = 0;
    for (uint32_t i = 0; i < info->n_methods; i++) {
        method_id m = {info->first_method.v + i};
        if (!target_has_method(target, d->program, m)) continue;
        arena_clear(&d->arena);
        const struct ir_body *body = ir_build(d->builder, m, &d->arena, err);
        if (body == NULL) {
            race_error_set_file(err, info->origin != NULL ? info->origin : program_class_name(d->program, c));
            return false;
        }
        print(d->program, body, stdout);
        printed++;
    }
    if (printed == 0 && target->method != NULL) {
        race_error_set_file(err, program_class_name(d->program, c));
        return race_fail(err, "has no method %s", target->method);
    }
    return true;
}

static bool dump_class(struct dump *d, const char *what, class_id c, const struct target *target,
                       struct race_error *err) {
    if (strcmp(what, "ir") == 0) return dump_bodies(d, c, target, ir_dump_method, err);
    if (strcmp(what, "cfg") == 0) return dump_bodies(d, c, target, ir_dump_cfg, err);
    program_dump_class(d->program, c, stdout);
    return true;
}

/* What `name` stands for: a class, or some of its methods. */
static bool dump_one(struct dump *d, const char *what, const char *name, struct race_error *err) {
    struct target target;
    bool ok = target_init(&target, d->cp, name, err);
    if (ok) {
        class_id c = program_find_class(d->program, target.cls);
        ok = !program_failed(d->program, err);
        if (ok && class_id_is_none(c)) {
            race_error_set_file(err, name);
            ok = race_fail(err, "the class file of this name defines another class");
        }
        ok = ok && dump_class(d, what, c, &target, err);
    }
    target_release(&target);
    return ok;
}

/* ---- all classes ---- */

struct summary {
    size_t classes, interfaces, fields, methods, code_methods, code_bytes, file_bytes;
    unsigned oldest, newest; /* class-file major versions */
};

/* `file` is NULL if the class came without one. */
static void count_class(struct summary *s, const struct class_info *info, const struct cf_class *file) {
    s->classes++;
    s->interfaces += (info->access & CF_ACC_INTERFACE) != 0;
    s->fields += info->n_fields;
    s->methods += info->n_methods;
    if (s->oldest == 0 || info->major < s->oldest) s->oldest = info->major;
    if (info->major > s->newest) s->newest = info->major;
    if (file == NULL) return;
    s->file_bytes += file->size;
    for (unsigned i = 0; i < file->n_methods; i++) {
        if (file->methods[i].code == NULL) continue;
        s->code_methods++;
        s->code_bytes += file->methods[i].code->length;
    }
}

/* The totals, and each missing class once. */
static void print_summary(const struct dump *d, const struct summary *s) {
    printf("classes        %zu (%zu interfaces), %zu bytes\n", s->classes, s->interfaces, s->file_bytes);
    if (s->classes > 0) printf("versions       Java %u to %u\n", s->oldest - 44, s->newest - 44);
    printf("fields         %zu\n", s->fields);
    printf("methods        %zu (%zu with code, %zu bytes of it)\n", s->methods, s->code_methods,
           s->code_bytes);
    uint32_t n;
    const class_id *phantoms = program_phantoms(d->program, &n);
    printf("missing        %u\n", n);
    for (uint32_t i = 0; i < n; i++) printf("  %s\n", program_class_name(d->program, phantoms[i]));
    if (classpath_jdk_home(d->cp) != NULL)
        printf("jdk            %d, %zu classes in %zu modules\n", classpath_jdk_release(d->cp),
               classpath_class_count(d->cp, CLASSPATH_JDK),
               classpath_class_count(d->cp, CLASSPATH_JDK_MODULES));
}

/* The summary for `classes`, every body for the others. */
static bool dump_part(struct dump *d, const char *what, enum classpath_part part, struct summary *s,
                      struct race_error *err) {
    static const struct target everything = {0};
    bool summarise = strcmp(what, "classes") == 0;
    size_t n = classpath_class_count(d->cp, part);
    progress_stage(&d->progress, "reading classes", n);
    for (size_t i = 0; i < n; i++) {
        progress_step(&d->progress, i);
        class_id c = program_find_class(d->program, classpath_class_at(d->cp, part, i)->name);
        if (program_failed(d->program, err)) return false;
        if (class_id_is_none(c)) continue; /* a file under another class's name; counted as missing */
        const struct class_info *info = program_info(d->program, c);
        if (summarise)
            count_class(s, info, program_class_file(d->program, c));
        else if (!dump_class(d, what, c, &everything, err))
            return false;
    }
    return true;
}

static bool dump_everything(struct dump *d, const char *what, struct race_error *err) {
    struct summary s = {0};
    bool ok = dump_part(d, what, CLASSPATH_APP, &s, err) &&
              (!d->settings->all || dump_part(d, what, CLASSPATH_JDK, &s, err));
    progress_end(&d->progress);
    if (ok && strcmp(what, "classes") == 0) print_summary(d, &s);
    return ok;
}

/* ---- the command ---- */

/* Opens the class path; a path to a class file is put before it. */
static bool open_path(struct dump *d, const char *file, struct race_error *err) {
    const char *rest = d->settings->class_path;
    struct classpath_options where = {.path = rest, .jdk_home = d->settings->jdk};
    char *joined = NULL;
    if (file != NULL && rest != NULL && asprintf(&joined, "%s:%s", file, rest) < 0)
        return race_fail(err, "out of memory");
    if (file != NULL) where.path = joined != NULL ? joined : file;
    d->cp = classpath_open(&where, err);
    if (file != NULL && d->cp != NULL && classpath_class_count(d->cp, CLASSPATH_APP) == 0) {
        /* The JDK has a class of this name; the one in the file is meant. */
        classpath_free(d->cp);
        where.no_jdk = true;
        d->cp = classpath_open(&where, err);
    }
    free(joined);
    return d->cp != NULL;
}

static bool dump(struct dump *d, const char *what, const char *name, struct race_error *err) {
    bool is_file = name != NULL && target_is_file(name);
    if (!open_path(d, is_file ? name : NULL, err)) return false;
    for (size_t i = 0; i < classpath_missing_count(d->cp); i++)
        tool_note("%s: no such file or directory; left out of the class path", classpath_missing(d->cp, i));
    d->source = testdriver_source(&d->driver, classpath_source(d->cp));
    d->program = program_new(&d->source, (struct program_options){0});
    d->builder = ir_builder_new(d->program);
    const struct dump_settings *s = d->settings;
    if (dump_pointsto_has(what)) {
        struct dump_pointsto_settings whole = {.main = s->main,
                                               .k = s->k,
                                               .entries = s->entries,
                                               .open = s->open,
                                               .sites = s->sites,
                                               .exact_k = s->exact_k,
                                               .all = s->all,
                                               .driver = &d->driver};
        return dump_pointsto(d->program, d->cp, what, &whole, err);
    }
    if (is_file) name = classpath_class_at(d->cp, CLASSPATH_APP, 0)->name;
    return name != NULL ? dump_one(d, what, name, err) : dump_everything(d, what, err);
}

/* ---- types ---- */

/* The same analysis as that of `race analyze`. */
static int dump_types(const struct dump_settings *s) {
    struct strings none = {0};
    struct analysis a = {.settings = {.class_path = s->class_path,
                                      .main_class = s->main,
                                      .jdk = s->jdk,
                                      .context = s->k,
                                      .entries = &s->entries,
                                      .open = &s->open,
                                      .discovered = &s->discovered,
                                      .without = &none}};
    struct race_error err = {0};
    progress_init(&a.progress, s->quiet);
    bool ok = analysis_run(&a, &err);
    progress_end(&a.progress);
    if (ok) types_dump(a.types, stdout);
    analysis_release(&a);
    return ok ? RACE_EXIT_OK : tool_fail(&err);
}

static int run(const struct invocation *inv) {
    static const char *const stages[] = {"classes", "ir", "cfg"};
    const struct dump_settings *s = inv->settings;
    const char *what = inv->operands.n > 0 ? inv->operands.v[0] : "";
    const char *name = inv->operands.n > 1 ? inv->operands.v[1] : NULL;
    bool types = strcmp(what, "types") == 0, known = types || dump_pointsto_has(what), whole = known;
    for (size_t i = 0; i < 3; i++) known |= strcmp(what, stages[i]) == 0;
    if (!known)
        return tool_usage(
            inv->command,
            "say what to print: classes, ir or cfg, or of a program types, " DUMP_POINTSTO_STAGES);
    if (inv->operands.n > 2) return tool_usage(inv->command, "unexpected word %s", inv->operands.v[2]);
    if (whole && s->main == NULL && s->entries.n == 0 && s->open.n == 0)
        return tool_usage(inv->command, "give -m MAIN, --entry CLASS.METHOD or --open PACKAGE");
    if (s->class_path == NULL && name == NULL && !s->all)
        return tool_usage(inv->command, "give -cp PATH, a class, or the path of a .class file");
    if (types) return dump_types(s);
    struct dump d = {.settings = s};
    struct race_error err = {0};
    arena_init(&d.arena);
    progress_init(&d.progress, s->quiet);
    bool ok = dump(&d, what, name, &err);
    progress_end(&d.progress);
    if (d.builder != NULL) ir_builder_free(d.builder);
    if (d.program != NULL) program_free(d.program);
    testdriver_release(&d.driver);
    arena_release(&d.arena);
    classpath_free(d.cp);
    return ok ? RACE_EXIT_OK : tool_fail(&err);
}

const struct command command_dump = {
    .name = "dump",
    .summary = "print classes, their IR or control flow, call graph, points-to sets, threads, types",
    .synopsis =
        "classes|ir|cfg -cp PATH [--jdk HOME] [--all] [CLASS[.METHOD] | FILE.class]\n"
        "callgraph|pointsto|heap|threads|gaps|stats|types -cp PATH (-m MAIN | --entry CLASS.METHOD ... | "
        "--open PKG ...) "
        "[-k K] [--discovered FILE ...]",
    .details = "Classes are named as in Java or as in class files: pkg.Outer.Inner, pkg.Outer$Inner or "
               "pkg/Outer$Inner; a method with its descriptor is one overload: pkg.X.m(I)V. Without a class, "
               "`classes` prints totals and the others print all classes of the path.",
    .operand = "classes|ir|cfg|callgraph|pointsto|heap|threads|gaps|stats|types",
    .settings_size = sizeof(struct dump_settings),
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
