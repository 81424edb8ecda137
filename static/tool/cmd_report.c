/* `race report`: results of runs, merged and judged. */
#include "command.h"

struct report_settings {
    const char *plan, *format, *output, *baseline, *suppress, *fail_on;
};

#define FIELD(name) offsetof(struct report_settings, name)

static const struct option_spec options[] = {
    {"--plan", NULL, "FILE", OPTION_TEXT, FIELD(plan),
     "the plan of `race analyze`: every warning in it gets a verdict"},
    {"--format", NULL, "text|json|sarif|html", OPTION_CHOICE, FIELD(format),
     "form of the report (default: text)"},
    {"-o", "--output", "FILE", OPTION_TEXT, FIELD(output), "write the report to this file"},
    {"--baseline", NULL, "FILE", OPTION_TEXT, FIELD(baseline),
     "an earlier JSON report: what it has is not new"},
    {"--suppress", NULL, "FILE", OPTION_TEXT, FIELD(suppress), "patterns of races to leave out"},
    {"--fail-on", NULL, "confirmed|predicted|any|none", OPTION_CHOICE, FIELD(fail_on),
     "exit with 66 if there is a race of this verdict or a worse one (default: confirmed)"},
};

static int run(const struct invocation *inv) {
    if (inv->operands.n == 0) return tool_usage(inv->command, "name the result files of `race run`");
    return tool_unavailable(inv);
}

const struct command command_report = {
    .name = "report",
    .summary = "merge the results of runs and give every warning a verdict",
    .synopsis = "[--plan FILE] RESULT... [--format text|json|sarif|html] [-o FILE]\n"
                "[--baseline FILE] [--suppress FILE] [--fail-on confirmed|predicted|any|none]",
    .settings_size = sizeof(struct report_settings),
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
