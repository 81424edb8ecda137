/* `race help`, printed from the tables. */
#include "command.h"

#include <string.h>

enum { HELP_COLUMN = 30, HELP_WIDTH = 110 };

/* Words wrapped between two columns; the cursor stands at `column` already. */
static void print_wrapped(const char *text, int column, FILE *out) {
    int at = column;
    for (const char *p = text; *p != '\0';) {
        int n = (int)strcspn(p, " \n");
        if (at > column && at + 1 + n > HELP_WIDTH) {
            fprintf(out, "\n%*s", column, "");
            at = column;
        }
        at += fprintf(out, "%s%.*s", at > column ? " " : "", n, p);
        p += n;
        if (*p == '\n') {
            fprintf(out, "\n%*s", column, "");
            at = column;
        }
        if (*p != '\0') p++;
    }
    fputc('\n', out);
}

static void print_option(const struct option_spec *o, FILE *out) {
    char left[128];
    int n =
        snprintf(left, sizeof left, "%s%s%s%s%s", o->name, o->alias != NULL ? ", " : "",
                 o->alias != NULL ? o->alias : "", o->arg != NULL ? " " : "", o->arg != NULL ? o->arg : "");
    fprintf(out, "  %-*s", HELP_COLUMN - 2, left);
    if (n > HELP_COLUMN - 4) fprintf(out, "\n%*s", HELP_COLUMN, "");
    print_wrapped(o->help, HELP_COLUMN, out);
}

void help_command(const struct command *command, FILE *out) {
    int margin = fprintf(out, "usage: race %s ", command->name);
    print_wrapped(command->synopsis, margin, out);
    fprintf(out, "\n%s\n", command->summary);
    if (command->details != NULL) {
        fputc('\n', out);
        print_wrapped(command->details, 0, out);
    }
    if (command->n_options > 0) fputs("\nOptions:\n", out);
    for (size_t i = 0; i < command->n_options; i++) print_option(&command->options[i], out);
}

void help_overview(const struct command *const *commands, size_t n, FILE *out) {
    fputs("race finds data races in Java programs: a static analysis names every pair of accesses that may\n"
          "race, and a run under the agent confirms them.\n\n"
          "usage: race COMMAND ...\n\nCommands:\n",
          out);
    for (size_t i = 0; i < n; i++) fprintf(out, "  %-10s%s\n", commands[i]->name, commands[i]->summary);
    fputs(
        "\n`race help COMMAND` explains one of them; `race --version` prints the version.\n"
        "Exit codes: 0 nothing to fail on, 66 races found, 64 wrong usage, 65 bad input, 1 anything else.\n",
        out);
}
