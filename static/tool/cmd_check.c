/*
 * `race check`: analyze, run and report in one go.
 *
 * The three steps are this very program with the words that a user would give it, and the plan and the result
 * are files in a directory of their own that is removed at the end.  So `check` cannot do anything that the
 * single commands do not.
 */
#include "command.h"
#include "launch.h"
#include "reporting.h"

#include "race/vec.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct check_settings {
    const char *class_path, *main_class, *jdk, *format, *output, *fail_on, *baseline;
    struct strings sources, suppress;
    bool confirm, quiet;
};

#define FIELD(name) offsetof(struct check_settings, name)

static const struct option_spec options[] = {
    {"-cp", "--class-path", "PATH", OPTION_TEXT, FIELD(class_path),
     "directories, jars and `lib/*` separated by ':', as for java"},
    {"-m", "--main", "MAIN", OPTION_TEXT, FIELD(main_class), "the class whose main method is run"},
    {"--jdk", NULL, "HOME", OPTION_TEXT, FIELD(jdk), "the JDK to use (default: that of `java` on PATH)"},
    {"--format", NULL, "text|json|sarif|html|github|junit", OPTION_CHOICE, FIELD(format),
     "form of the report (default: text)"},
    {"-o", "--output", "FILE", OPTION_TEXT, FIELD(output), "write the report to this file"},
    {"--fail-on", NULL, "confirmed|predicted|any|none", OPTION_CHOICE, FIELD(fail_on),
     "exit with 66 if there is a race of this verdict or a worse one (default: confirmed)"},
    {"--source", NULL, "DIR", OPTION_EACH, FIELD(sources),
     "show source lines from this folder, a source root or a project (may be repeated)"},
    {"--suppress", NULL, "FILE", OPTION_EACH, FIELD(suppress),
     "leave out races that match its race:PATTERN lines (may be repeated)"},
    {"--baseline", NULL, "FILE", OPTION_TEXT, FIELD(baseline),
     "an earlier JSON report: show only what is new since"},
    {"--confirm", NULL, NULL, OPTION_FLAG, FIELD(confirm),
     "delay threads at sites that may race, so that races show"},
    {"--quiet", "-q", NULL, OPTION_FLAG, FIELD(quiet), "show no progress"},
};

/* Where the steps leave their files. */
struct workplace {
    char folder[256], plan[300], result[300];
};

static bool workplace_init(struct workplace *w) {
    snprintf(w->folder, sizeof w->folder, "%s/race-check-XXXXXX", launch_temporary_folder());
    if (mkdtemp(w->folder) == NULL) return false;
    snprintf(w->plan, sizeof w->plan, "%s/plan", w->folder);
    snprintf(w->result, sizeof w->result, "%s/result.jsonl", w->folder);
    return true;
}

static void workplace_release(struct workplace *w) {
    unlink(w->plan);
    unlink(w->result);
    rmdir(w->folder);
}

static void add(struct strings *words, const char *word) {
    vec_push(words, word);
}

/* An option with its value, if there is one. */
static void add_option(struct strings *words, const char *name, const char *value) {
    if (value == NULL) return;
    add(words, name);
    add(words, value);
}

static void add_options(struct strings *words, const char *name, const struct strings *values) {
    for (size_t i = 0; i < values->n; i++) add_option(words, name, values->v[i]);
}

static struct strings this_tool(const char *command) {
    struct strings words = {0};
    add(&words, "/proc/self/exe");
    add(&words, command);
    return words;
}

static int analyze(const struct check_settings *s, const struct workplace *w) {
    struct strings words = this_tool("analyze");
    add_option(&words, "-cp", s->class_path);
    add_option(&words, "-m", s->main_class);
    add_option(&words, "--jdk", s->jdk);
    add_option(&words, "-o", w->plan);
    if (s->quiet) add(&words, "--quiet");
    int code = launch_wait(&words, LAUNCH_DROP);
    vec_release(&words);
    return code;
}

/* Races are reported afterwards, with the verdicts, so the agent itself says nothing. */
static int run_program(const struct invocation *inv, const struct workplace *w) {
    const struct check_settings *s = inv->settings;
    struct strings words = this_tool("run");
    char java[300];
    snprintf(java, sizeof java, "%s%s", s->jdk != NULL ? s->jdk : "", s->jdk != NULL ? "/bin/java" : "java");
    add_option(&words, "--plan", w->plan);
    add_option(&words, "--out", w->result);
    add_option(&words, "--report", "off");
    add_option(&words, "--exitcode", "0");
    if (s->confirm) add(&words, "--confirm");
    add(&words, "--");
    add(&words, java);
    add_option(&words, "-cp", s->class_path);
    add(&words, s->main_class);
    for (size_t i = 0; i < inv->rest.n; i++) add(&words, inv->rest.v[i]);
    /* A report for machines must be all that is on stdout. */
    bool mixed = s->output == NULL && s->format != NULL && strcmp(s->format, "text") != 0;
    int code = launch_wait(&words, mixed ? LAUNCH_TO_STDERR : LAUNCH_KEEP);
    vec_release(&words);
    return code;
}

static int report(const struct check_settings *s, const struct workplace *w) {
    struct strings words = this_tool("report");
    add_option(&words, "--plan", w->plan);
    add_option(&words, "--format", s->format);
    add_option(&words, "-o", s->output);
    add_option(&words, "--fail-on", s->fail_on);
    add_option(&words, "--baseline", s->baseline);
    add_options(&words, "--source", &s->sources);
    add_options(&words, "--suppress", &s->suppress);
    add_option(&words, "-cp", s->class_path);
    add(&words, w->result);
    int code = launch_wait(&words, LAUNCH_KEEP);
    vec_release(&words);
    return code;
}

/* Races outrank the program's own exit code, which outranks success. */
static int check(const struct invocation *inv, const struct workplace *w) {
    int analyzed = analyze(inv->settings, w);
    if (analyzed != RACE_EXIT_OK && analyzed != RACE_EXIT_RACES) return analyzed;
    int ran = run_program(inv, w);
    if (access(w->result, R_OK) != 0) return ran != RACE_EXIT_OK ? ran : RACE_EXIT_OTHER;
    int reported = report(inv->settings, w);
    return reported != RACE_EXIT_OK ? reported : ran;
}

static int run(const struct invocation *inv) {
    const struct check_settings *s = inv->settings;
    struct workplace w;
    if (inv->operands.n > 0) return tool_usage(inv->command, "unexpected word %s", inv->operands.v[0]);
    if (s->class_path == NULL) return tool_usage(inv->command, "give the program's class path with -cp PATH");
    if (s->main_class == NULL) return tool_usage(inv->command, "say which class to run with -m MAIN");
    struct reporting inputs = {.sources = s->sources, .suppress = s->suppress, .baseline = s->baseline};
    struct race_error err = {0};
    if (!reporting_inputs(&inputs, &err)) return tool_fail(&err);
    if (!workplace_init(&w))
        return tool_fail(&(struct race_error){.what = "cannot make a temporary directory; set TMPDIR"});
    int code = check(inv, &w);
    workplace_release(&w);
    return code;
}

const struct command command_check = {
    .name = "check",
    .summary = "analyze, run and report in one go",
    .synopsis =
        "-cp PATH -m MAIN [--jdk HOME] [--format text|json|sarif|html|github|junit] [-o FILE]\n"
        "[--fail-on confirmed|predicted|any|none] [--source DIR] [--suppress FILE] [--baseline FILE]\n"
        "[--confirm] [--quiet] [-- ARGS]",
    .details =
        "The program runs once, with the words after -- as its arguments. The exit code is 66 if there is a "
        "race to fail on, else the program's own.",
    .takes_rest = true,
    .settings_size = sizeof(struct check_settings),
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
