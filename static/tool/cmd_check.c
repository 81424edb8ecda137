/* `race check`: analyze, run and report in one go. */
#include "command.h"

struct check_settings {
    const char *class_path, *main_class, *jdk, *format, *output, *fail_on;
    bool quiet;
};

#define FIELD(name) offsetof(struct check_settings, name)

static const struct option_spec options[] = {
    {"-cp", "--class-path", "PATH", OPTION_TEXT, FIELD(class_path),
     "directories, jars and `lib/*` separated by ':', as for java"},
    {"-m", "--main", "MAIN", OPTION_TEXT, FIELD(main_class), "the class whose main method is run"},
    {"--jdk", NULL, "HOME", OPTION_TEXT, FIELD(jdk), "the JDK to use (default: that of `java` on PATH)"},
    {"--format", NULL, "text|json|sarif|html", OPTION_CHOICE, FIELD(format),
     "form of the report (default: text)"},
    {"-o", "--output", "FILE", OPTION_TEXT, FIELD(output), "write the report to this file"},
    {"--fail-on", NULL, "confirmed|predicted|any|none", OPTION_CHOICE, FIELD(fail_on),
     "exit with 66 if there is a race of this verdict or a worse one (default: confirmed)"},
    {"--quiet", "-q", NULL, OPTION_FLAG, FIELD(quiet), "show no progress"},
};

static int run(const struct invocation *inv) {
    const struct check_settings *s = inv->settings;
    if (inv->operands.n > 0) return tool_usage(inv->command, "unexpected word %s", inv->operands.v[0]);
    if (s->class_path == NULL) return tool_usage(inv->command, "give the program's class path with -cp PATH");
    if (s->main_class == NULL) return tool_usage(inv->command, "say which class to run with -m MAIN");
    return tool_unavailable(inv);
}

const struct command command_check = {
    .name = "check",
    .summary = "analyze, run and report in one go",
    .synopsis = "-cp PATH -m MAIN [--jdk HOME] [--format text|json|sarif|html] [-o FILE]\n"
                "[--fail-on confirmed|predicted|any|none] [--quiet] [-- ARGS]",
    .takes_rest = true,
    .settings_size = sizeof(struct check_settings),
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
