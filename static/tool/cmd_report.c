/* `race report`: results of runs, merged and judged. */
#include "command.h"
#include "progress.h"
#include "reporting.h"

#include "race/plan.h"
#include "race/report.h"

#include <sys/stat.h>

struct report_settings {
    const char *plan;
    bool list_benign;
    struct reporting out;
};

static const struct option_spec options[] = {
    {"--plan", NULL, "FILE", OPTION_TEXT, offsetof(struct report_settings, plan),
     "the plan of `race analyze`: every warning in it gets a verdict"},
    REPORTING_OPTIONS(struct report_settings, out),
    {"-cp", "--class-path", "PATH", OPTION_TEXT, offsetof(struct report_settings, out.class_path),
     "the program's class files, for suppressions by annotation (race:@NAME)"},
    {"--list-benign", NULL, NULL, OPTION_FLAG, offsetof(struct report_settings, list_benign),
     "list the benign idioms that are not counted as races, and stop"},
};

static int list_benign(void) {
    for (size_t i = 0; i < report_n_idioms; i++)
        printf("%-24s %s\n", report_idioms[i].name, report_idioms[i].help);
    return RACE_EXIT_OK;
}

/* In kilobytes, so that the progress of one large file among many small ones is honest. */
static size_t size_of(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (size_t)st.st_size / 1024 + 1 : 1;
}

/* Reads everything before the first line is printed, so that a bad file leaves no half report. */
static bool fill(struct report *r, const struct invocation *inv, struct progress *progress,
                 struct race_error *err) {
    const struct report_settings *s = inv->settings;
    struct plan plan = {0};
    size_t total = 0, done = 0;
    bool ok = s->plan == NULL || plan_load(&plan, s->plan, err);
    for (size_t i = 0; i < inv->operands.n; i++) total += size_of(inv->operands.v[i]);
    progress_stage(progress, "reading results: kB", total);
    for (size_t i = 0; ok && i < inv->operands.n; i++) {
        ok = report_read_results(r, inv->operands.v[i], err);
        progress_step(progress, done += size_of(inv->operands.v[i]));
    }
    progress_stage(progress, "judging the warnings", 0);
    if (ok) ok = report_join(r, s->plan != NULL ? &plan : NULL, err);
    if (ok && s->plan != NULL) report_compare_jdks(r, &plan);
    plan_release(&plan);
    return ok;
}

static int run(const struct invocation *inv) {
    const struct report_settings *s = inv->settings;
    struct report r;
    if (s->list_benign && inv->operands.n > 0)
        return tool_usage(inv->command, "--list-benign reads no result file");
    if (s->list_benign) return list_benign();
    if (inv->operands.n == 0)
        return tool_usage(inv->command, "no result file: name the race-*.jsonl files that the agent wrote; "
                                        "if there are none, the agent did not run");
    struct race_error err = {0};
    struct progress progress;
    if (!reporting_inputs(&s->out, &err)) return tool_fail(&err);
    progress_init(&progress, false);
    report_init(&r);
    bool ok = fill(&r, inv, &progress, &err);
    if (!ok) progress_end(&progress);
    int code = ok ? reporting_finish(&r, &s->out, &progress) : tool_fail(&err);
    report_release(&r);
    return code;
}

const struct command command_report = {
    .name = "report",
    .summary = "merge the results of runs and give every warning a verdict",
    .synopsis = "[--plan FILE] RESULT... [--format text|json|sarif|html|github|junit] [-o FILE]\n"
                "[--source DIR] [--baseline FILE] [--suppress FILE] [-cp PATH] [--benign-off NAMES]\n"
                "[--fail-on confirmed|predicted|any|none] [--all] [--list-benign]",
    .details =
        "Results of many runs merge: a warning gets the strongest verdict that any of them gives it. "
        "Suppressed races, benign idioms and races of the baseline are counted but not shown and never "
        "change the exit code.",
    .operand = "RESULT",
    .settings_size = sizeof(struct report_settings),
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
