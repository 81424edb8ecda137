/* `race analyze`: the static half. */
#include "command.h"

struct analyze_settings {
    const char *class_path, *main_class, *jdk, *context, *output, *format;
    struct strings entries, open, discovered;
    bool lib, quiet;
};

#define FIELD(name) offsetof(struct analyze_settings, name)

static const struct option_spec options[] = {
    {"-cp", "--class-path", "PATH", OPTION_TEXT, FIELD(class_path),
     "directories, jars and `lib/*` separated by ':', as for java"},
    {"-m", "--main", "MAIN", OPTION_TEXT, FIELD(main_class),
     "the program starts in this class's main method"},
    {"--entry", NULL, "CLASS.METHOD", OPTION_LIST, FIELD(entries), "the program starts in these methods"},
    {"--open", NULL, "PKG|CLASS", OPTION_LIST, FIELD(open),
     "any code may call the public methods of these classes or packages, from any thread"},
    {"--jdk", NULL, "HOME", OPTION_TEXT, FIELD(jdk),
     "the JDK to analyse with (default: that of `java` on PATH)"},
    {"-k", NULL, "auto|1|2|3", OPTION_CHOICE, FIELD(context),
     "depth of the object contexts (default: auto, as deep as time and memory allow)"},
    {"--discovered", NULL, "FILE", OPTION_LIST, FIELD(discovered),
     "targets of reflection seen in a run with --mode discover"},
    {"--lib", NULL, NULL, OPTION_FLAG, FIELD(lib), "report races inside the JDK's own classes as well"},
    {"-o", "--output", "FILE.plan", OPTION_TEXT, FIELD(output), "write the plan for the agent to this file"},
    {"--format", NULL, "text|json|sarif|html", OPTION_CHOICE, FIELD(format),
     "form of the report (default: text)"},
    {"--quiet", "-q", NULL, OPTION_FLAG, FIELD(quiet), "show no progress"},
};

static int run(const struct invocation *inv) {
    const struct analyze_settings *s = inv->settings;
    if (inv->operands.n > 0) return tool_usage(inv->command, "unexpected word %s", inv->operands.v[0]);
    if (s->class_path == NULL) return tool_usage(inv->command, "give the program's class path with -cp PATH");
    if (s->main_class == NULL && s->entries.n == 0 && s->open.n == 0)
        return tool_usage(inv->command, "say where the program starts: -m MAIN, --entry or --open");
    return tool_unavailable(inv);
}

const struct command command_analyze = {
    .name = "analyze",
    .summary = "find pairs of accesses that may race, without running the program",
    .synopsis = "-cp PATH (-m MAIN | --entry CLASS.METHOD ... | --open PKG|CLASS ...) [--jdk HOME]\n"
                "[-k auto|1|2|3] [--discovered FILE ...] [--lib] [-o FILE.plan]\n"
                "[--format text|json|sarif|html] [--quiet]",
    .settings_size = sizeof(struct analyze_settings),
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
