/*
 * The commands of the tool.  Each is one file, cmd_NAME.c, that defines one `struct command`; main.c has the
 * list.  The table of options in it is the only place where an option is named: parsing, `race help NAME`,
 * the manual and shell completions all walk it.
 */
#ifndef RACE_TOOL_COMMAND_H
#define RACE_TOOL_COMMAND_H

#include "race/error.h"

#include <stdbool.h>
#include <stddef.h> /* size_t, offsetof */
#include <stdio.h>  /* FILE */

/* A list of borrowed strings (they live in argv). */
struct strings {
    const char **v;
    size_t n, cap;
};

/* What an option does with its value, and the type of the settings field that gets it. */
enum option_kind {
    OPTION_FLAG,   /* bool: no value */
    OPTION_TEXT,   /* const char *: any value */
    OPTION_CHOICE, /* const char *: one of the words in `arg`, which is written "a|b|c" */
    OPTION_EACH,   /* struct strings: one value each time the option stands there */
    OPTION_LIST    /* struct strings: all words up to the next option; may be repeated */
};

struct option_spec {
    const char *name;  /* "-cp", "--jdk" */
    const char *alias; /* another spelling, or NULL */
    const char *arg;   /* what the value is called in the help; NULL for flags */
    enum option_kind kind;
    size_t offset; /* of the field in the command's settings */
    const char *help;
};

struct invocation;

struct command {
    const char *name;
    const char *summary;  /* one line */
    const char *synopsis; /* what follows `race NAME`; further lines after '\n' */
    const char *details;  /* paragraphs for the help, or NULL */
    const char
        *operand;    /* what words that are no options are, as an option's `arg`; NULL if there are none */
    bool takes_rest; /* words after `--` are allowed */
    size_t settings_size; /* the settings start zeroed */
    const struct option_spec *options;
    size_t n_options;
    int (*run)(const struct invocation *inv); /* returns the exit code */
};

struct invocation {
    const struct command *command;
    const void *settings;    /* the command's own struct */
    struct strings operands; /* words that are neither options nor values */
    struct strings rest;     /* words after `--` */
    bool has_rest;           /* there was a `--` */
};

extern const struct command command_analyze, command_run, command_report, command_check, command_dump;

/* Parses `words` (without the command's name) and runs the command. */
int command_invoke(const struct command *command, int n, char **words);

/* ---- help.c ---- */

void help_overview(const struct command *const *commands, size_t n, FILE *out);
void help_command(const struct command *command, FILE *out);

/* ---- manual.c and completion.c: what `cmake --install` puts in place ---- */

void manual_overview(const struct command *const *commands, size_t n, FILE *out);
void manual_command(const struct command *command, FILE *out);
void completion_bash(const struct command *const *commands, size_t n, FILE *out);

/* ---- message.c: every message is one line on stderr ---- */

/* Prints "race: FILE: what" and returns the error's exit code. */
int tool_fail(const struct race_error *err);
/* Prints "race: COMMAND: ..." with a pointer to the help and returns RACE_EXIT_USAGE. */
int tool_usage(const struct command *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* For commands whose part of the pipeline is not built. */
int tool_unavailable(const struct invocation *inv);
/* A remark that changes nothing: "race: note: ...". */
void tool_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The candidate most like `word`, or NULL if none is near. */
const char *tool_nearest(const char *word, const char *const *candidates, size_t n);

#endif
