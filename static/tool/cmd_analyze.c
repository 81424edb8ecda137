/* `race analyze`: the static half. */
#include "analysis.h"
#include "command.h"
#include "launch.h"
#include "missing.h"
#include "reporting.h"

#include "race/plan.h"
#include "race/report.h"

#include <errno.h>
#include <limits.h> /* PATH_MAX */
#include <stdlib.h> /* mkstemps */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h> /* close, unlink */

struct analyze_settings {
    const char *class_path, *main_class, *jdk, *context, *output;
    struct strings entries, open, discovered, without;
    struct reporting out;
    bool open_annotated, tests, lib, quiet, stats;
};

#define FIELD(name) offsetof(struct analyze_settings, name)

static const struct option_spec options[] = {
    {"-cp", "--class-path", "PATH", OPTION_TEXT, FIELD(class_path),
     "directories, jars and `lib/*` separated by ':', as for java"},
    {"-m", "--main", "MAIN", OPTION_TEXT, FIELD(main_class),
     "the program starts in this class's main method"},
    {"--entry", NULL, "CLASS.METHOD", OPTION_LIST, FIELD(entries), "the program starts in these methods"},
    {"--open", NULL, "PKG|CLASS", OPTION_LIST, FIELD(open),
     "any code may call these classes or the public ones of these packages, from any thread"},
    {"--open-annotated", NULL, NULL, OPTION_FLAG, FIELD(open_annotated),
     "the same for all classes with @ThreadSafe on them or on a method"},
    {"--tests", NULL, NULL, OPTION_FLAG, FIELD(tests),
     "the program is the test suite on the class path: JUnit 3, 4 and 5 and TestNG"},
    {"--jdk", NULL, "HOME", OPTION_TEXT, FIELD(jdk),
     "the JDK to analyse with (default: that of `java` on PATH)"},
    {"-k", NULL, "auto|1|2|3", OPTION_CHOICE, FIELD(context),
     "depth of the object contexts (default: auto, as deep as time and memory allow)"},
    {"--discovered", NULL, "FILE", OPTION_LIST, FIELD(discovered),
     "try the owners that a run with --mode discover saw first; the analysis checks them"},
    {"--lib", NULL, NULL, OPTION_FLAG, FIELD(lib), "report races inside the JDK's own classes as well"},
    {"-o", "--output", "FILE.plan", OPTION_TEXT, FIELD(output), "write the plan for the agent to this file"},
    {"--format", NULL, "text|json|sarif|html|github|junit", OPTION_CHOICE, FIELD(out.format),
     "form of the report (default: text)"},
    {"--without", NULL, "STAGE", OPTION_LIST, FIELD(without),
     "leave stages of the analysis out, to see what they do: aliasing, escaping, parallel, unlocked"},
    {"--stats", NULL, NULL, OPTION_FLAG, FIELD(stats),
     "show how precise the call graph is, and the time and the pairs left of each stage"},
    REPORTING_FILTERS(struct analyze_settings, out),
    {"--quiet", "-q", NULL, OPTION_FLAG, FIELD(quiet), "show no progress"},
};

/* ---- output ---- */

static void write_entry(const struct analyze_settings *s, const struct analysis *a, struct plan_writer *w) {
    char jdk[16];
    snprintf(jdk, sizeof jdk, "%d", classpath_jdk_release(a->cp));
    plan_write_meta(w, PLAN_META_TOOL, "race " RACE_VERSION);
    plan_write_meta(w, PLAN_META_JDK, jdk);
    if (s->main_class != NULL) plan_write_meta(w, PLAN_META_ENTRY, s->main_class);
    for (size_t i = 0; i < s->entries.n; i++) plan_write_meta(w, PLAN_META_ENTRY, s->entries.v[i]);
    for (size_t i = 0; i < s->open.n; i++) plan_write_meta(w, PLAN_META_ENTRY, s->open.v[i]);
    if (s->open_annotated) plan_write_meta(w, PLAN_META_ENTRY, "@ThreadSafe");
    if (s->tests) plan_write_meta(w, PLAN_META_ENTRY, "the tests on the class path");
    missing_write(a, w);
}

static void print_stats(const struct analysis *a) {
    pts_dump_stats(a->pts, stderr);
    for (unsigned s = 0; s < RACES_N_STAGES; s++)
        fprintf(stderr, "%s %llu pairs, %.3f s\n", races_stage_names[s],
                (unsigned long long)races_funnel(a->races, s), races_stage_seconds(a->races, s));
    fprintf(stderr, "types: %u more pairs proved, %.3f s\n", a->types_proved, a->types_seconds);
}

/* The report is made from the plan, so that both say the same; without -o the plan is a temporary file, which
 * is gone before anything is printed: a reader of the report may end this process by closing its pipe. */
static int report_plan(const struct analyze_settings *s, const char *path) {
    struct race_error err = {0};
    struct plan plan = {0};
    struct progress progress;
    bool ok = plan_load(&plan, path, &err);
    if (path != s->output) unlink(path);
    if (!ok) return tool_fail(&err);
    progress_init(&progress, s->quiet);
    struct report report;
    report_init(&report);
    report_from_plan(&report, &plan);
    plan_release(&plan);
    struct reporting out = s->out;
    out.class_path = s->class_path;
    int code = reporting_finish(&report, &out, &progress);
    report_release(&report);
    return code;
}

static bool write_plan(const struct analyze_settings *s, struct analysis *a, const char *path,
                       struct race_error *err) {
    struct plan_writer *w = plan_writer_new(path, err);
    if (w == NULL) return false;
    write_entry(s, a, w);
    if (!types_write_plan(a->types, a->cp, w, err)) {
        plan_writer_abandon(w);
        return false;
    }
    return plan_writer_commit(w, err);
}

/* /dev/null, a pipe: nothing that could be put in place by a rename or read again. */
static bool is_special(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static bool copy_plan(const char *from, const char *to, struct race_error *err) {
    FILE *in = fopen(from, "re"), *out = fopen(to, "we");
    char block[65536];
    bool ok = in != NULL && out != NULL;
    for (size_t n; ok && (n = fread(block, 1, sizeof block, in)) > 0;) ok = fwrite(block, 1, n, out) == n;
    if (in != NULL) fclose(in);
    if (out != NULL && fclose(out) != 0) ok = false;
    if (ok) return true;
    err->exit_code = RACE_EXIT_OTHER;
    race_error_set_file(err, to);
    return race_fail(err, "cannot write the plan: %s", strerror(errno));
}

/* Opens a temporary file for a plan that is not kept, or not in a file. */
static bool temporary_plan(char *path, size_t size, struct race_error *err) {
    snprintf(path, size, "%s/race-XXXXXX.plan", launch_temporary_folder());
    int fd = mkstemps(path, 5);
    if (fd >= 0) return close(fd) == 0;
    err->exit_code = RACE_EXIT_OTHER;
    return race_fail(err, "cannot make a temporary file; set TMPDIR");
}

static void tell_guard(void *arg, const char *member, const char *guard, const char *why) {
    (void)arg;
    tool_note("@GuardedBy(\"%s\") of %s is not checked: %s", guard, member, why);
}

static int analyse_and_report(const struct analyze_settings *s) {
    struct race_error err = {0};
    struct analysis a = {.settings = {.class_path = s->class_path,
                                      .main_class = s->main_class,
                                      .jdk = s->jdk,
                                      .context = s->context,
                                      .entries = &s->entries,
                                      .open = &s->open,
                                      .discovered = &s->discovered,
                                      .without = &s->without,
                                      .open_annotated = s->open_annotated,
                                      .tests = s->tests,
                                      .lib = s->lib}};
    char temporary[PATH_MAX];
    const char *path = s->output;
    if (!reporting_inputs(&s->out, &err)) return tool_fail(&err);
    progress_init(&a.progress, s->quiet);
    bool ok = analysis_run(&a, &err);
    if (ok && (path == NULL || is_special(path))) {
        ok = temporary_plan(temporary, sizeof temporary, &err);
        path = temporary;
    }
    if (ok) ok = write_plan(s, &a, path, &err);
    if (ok && path == temporary && s->output != NULL) ok = copy_plan(path, s->output, &err);
    if (!ok && path == temporary) unlink(temporary);
    if (ok) progress_end(&a.progress);
    if (ok && !s->quiet) races_unchecked_guards(a.races, tell_guard, NULL);
    if (ok && !s->quiet && a.roots.within != NULL)
        tool_note("%s has no public class: its classes are open to code of their package", a.roots.within);
    if (ok && s->stats) print_stats(&a);
    analysis_release(&a);
    return ok ? report_plan(s, path) : tool_fail(&err);
}

static int run(const struct invocation *inv) {
    const struct analyze_settings *s = inv->settings;
    if (inv->operands.n > 0) return tool_usage(inv->command, "unexpected word %s", inv->operands.v[0]);
    if (s->class_path == NULL) return tool_usage(inv->command, "give the program's class path with -cp PATH");
    if (s->main_class == NULL && s->entries.n == 0 && s->open.n == 0 && !s->open_annotated && !s->tests)
        return tool_usage(inv->command, "say where the program starts: -m MAIN, --tests, --entry or --open");
    if (s->output != NULL && strcmp(s->output, "-") == 0)
        return tool_usage(inv->command, "the plan needs a file of its own: -o FILE.plan");
    return analyse_and_report(s);
}

const struct command command_analyze = {
    .name = "analyze",
    .summary = "find pairs of accesses that may race, without running the program",
    .synopsis = "-cp PATH (-m MAIN | --tests | --entry CLASS.METHOD ... | --open PKG|CLASS ...)\n"
                "[--jdk HOME] [-k auto|1|2|3] [--discovered FILE ...] [--lib] [-o FILE.plan]\n"
                "[--format text|json|sarif|html|github|junit] [--quiet]",
    .details =
        "Reads the class files, proves as many accesses free of races as it can and prints every pair that "
        "may race. The plan tells the agent what is left to check. Without -m, --entry or --open names where "
        "the program starts: methods that a framework calls, or a library: every method but private ones of "
        "a "
        "class that is named, the public methods of the public classes of a package. --tests "
        "takes every test on the class path with its fixtures, one after the other; rules, extensions and "
        "what a framework injects are not seen.",
    .settings_size = sizeof(struct analyze_settings),
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
