/* Manual pages, printed from the tables; the build runs `race help --man` once for each page. */
#include "command.h"

#include "race/report.h" /* report_verdict_* */
#include "race/roff.h"

/* The commands of README's "Use", run by the same test. */
static const char *const examples[][2] = {
    {"What may race, and the plan for the agent:", "race analyze -cp app.jar -m app.Main -o app.plan"},
    {"The program under the agent:", "race run --plan app.plan -- java -cp app.jar app.Main"},
    {"The verdict on every warning, from one or many runs:", "race report --plan app.plan race-*.jsonl"},
    {"All three in one go:", "race check -cp app.jar -m app.Main"},
};

static void exit_status(FILE *out) {
    static const char *const codes[][2] = {
        {"0", "There is nothing to fail on."}, {"66", "There are races at or above --fail-on."},
        {"64", "The command line is wrong."},  {"65", "A class, plan or result file cannot be used."},
        {"1", "Anything else went wrong."},
    };
    fputs(".SH EXIT STATUS\n", out);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        fprintf(out, ".TP\n%s\n", codes[i][0]);
        roff_text(out, codes[i][1]);
        fputc('\n', out);
    }
    fputs(".PP\nEvery error is one line on standard error.\n", out);
}

static void option(const struct option_spec *o, FILE *out) {
    fputs(".TP\n", out);
    roff_font(out, 'B', o->name);
    if (o->alias != NULL) {
        fputs(", ", out);
        roff_font(out, 'B', o->alias);
    }
    if (o->arg != NULL) {
        fputc(' ', out);
        roff_font(out, 'I', o->arg);
    }
    fputc('\n', out);
    roff_text(out, o->help);
    fputc('\n', out);
}

void manual_command(const struct command *command, FILE *out) {
    char name[64];
    snprintf(name, sizeof name, "race-%s", command->name);
    roff_title(out, name, "1", "User Commands");
    fprintf(out, ".SH NAME\nrace\\-%s \\- ", command->name);
    roff_text(out, command->summary);
    fprintf(out, "\n.SH SYNOPSIS\n.B race %s\n", command->name);
    roff_text(out, command->synopsis);
    fputs("\n.SH DESCRIPTION\n", out);
    if (command->details != NULL)
        roff_text(out, command->details);
    else
        fprintf(out, "See\n.BR race (1)\nfor what the command is part of.");
    fputs("\n.SH OPTIONS\n", out);
    for (size_t i = 0; i < command->n_options; i++) option(&command->options[i], out);
    exit_status(out);
    fputs(".SH SEE ALSO\n.BR race (1),\n.BR race\\-agent (7)\n", out);
}

static void verdicts(FILE *out) {
    fputs(".SH VERDICTS\nEach warning of the static half gets the strongest verdict of all runs:\n", out);
    for (int v = REPORT_CONFIRMED; v > REPORT_STATIC; v--) {
        fprintf(out, ".TP\n.B %s\n", report_verdict_names[v]);
        roff_text(out, report_verdict_help[v]);
        fputc('\n', out);
    }
}

void manual_overview(const struct command *const *commands, size_t n, FILE *out) {
    roff_title(out, "race", "1", "User Commands");
    fputs(".SH NAME\nrace \\- find data races in Java programs\n"
          ".SH SYNOPSIS\n.B race\n.I COMMAND\n[options]\n.br\n.B race help\n[COMMAND]\n.br\n"
          ".B race \\-\\-version\n"
          ".SH DESCRIPTION\n"
          "A static analysis of the class files names every pair of accesses that may race and proves the "
          "others free of races.\nA run under the agent, which checks only what is left unproved, then gives "
          "every warning a verdict.\n"
          ".SH COMMANDS\n",
          out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, ".TP\n.BR race\\-%s (1)\n", commands[i]->name);
        roff_text(out, commands[i]->summary);
        fputc('\n', out);
    }
    verdicts(out);
    exit_status(out);
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours, even on a terminal\n"
          ".TP\n.B TMPDIR\nwhere race check keeps the plan and the result while it runs\n"
          ".SH EXAMPLES\n",
          out);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        fputs(".TP\n", out);
        roff_text(out, examples[i][0]);
        fputs("\n.B ", out);
        roff_text(out, examples[i][1]);
        fputc('\n', out);
    }
    fputs(".SH SEE ALSO\n", out);
    for (size_t i = 0; i < n; i++) fprintf(out, ".BR race\\-%s (1),\n", commands[i]->name);
    fputs(".BR race\\-agent (7)\n", out);
}
