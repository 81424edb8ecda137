/* Prints race-agent(7) from the table of the agent's options, or with --markdown its rows for README.md. */
#include "../options.h"

#include "race/roff.h"

#include <stdio.h>
#include <string.h>

struct row {
    const char *key, *arg, *help;
};

static const struct row rows[] = {
#define X(field, type, kind, dflt, arg, help) {#field, arg, help},
    AGENT_OPTIONS(X)
#undef X
};

enum { N_ROWS = sizeof rows / sizeof *rows };

/* A bar would end a cell of the table. */
static void cell(const char *text) {
    for (const char *p = text; *p != '\0'; p++) fputs(*p == '|' ? "\\|" : (char[]){*p, '\0'}, stdout);
}

static void markdown(void) {
    puts("| option | meaning |\n|---|---|");
    for (int i = 0; i < N_ROWS; i++) {
        printf("| `%s%s", rows[i].key, rows[i].arg[0] != '\0' ? "=" : "");
        cell(rows[i].arg);
        fputs("` | ", stdout);
        cell(rows[i].help);
        puts(" |");
    }
}

static void page(void) {
    roff_title(stdout, "race-agent", "7", "Miscellaneous");
    fputs(".SH NAME\nrace\\-agent \\- options of the agent that checks a Java program for data races\n"
          ".SH SYNOPSIS\n.B java \\-agentpath:librace.so=\\fIkey\\fB=\\fIvalue\\fB,\\fIkey\\fB=\\fIvalue\\fR "
          "...\n"
          ".SH DESCRIPTION\n"
          "The agent checks the program while it runs and appends what it finds to a result file for\n"
          ".BR race\\-report (1).\n"
          "It says in one line at the start that it is there.\n"
          "Lists are separated by semicolons; values cannot contain commas.\n"
          "An option that the agent does not know stops the JVM before main.\n"
          ".BR race\\-run (1)\n"
          "passes the options on, so that the path of the library need not be known.\n"
          ".SH OPTIONS\n",
          stdout);
    for (int i = 0; i < N_ROWS; i++) {
        fputs(".TP\n", stdout);
        roff_font(stdout, 'B', rows[i].key);
        if (rows[i].arg[0] != '\0') {
            putchar('=');
            roff_font(stdout, 'I', rows[i].arg);
        }
        putchar('\n');
        roff_text(stdout, rows[i].help);
        putchar('\n');
    }
    fputs(".SH SEE ALSO\n.BR race (1),\n.BR race\\-run (1),\n.BR race\\-report (1)\n", stdout);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--markdown") == 0)
        markdown();
    else
        page();
    return fflush(stdout) != 0 || ferror(stdout);
}
