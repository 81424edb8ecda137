/*
 * Completion for bash, printed from the tables.
 *
 * The script is a fixed function over three tables: the options of each command, what may follow an option,
 * and what the words of a command that are no options may be.  It needs nothing but bash.
 */
#include "command.h"

#include <string.h>

/* What completes a value: the words themselves, or @file, @dir, @path, @none. */
static void value_of(const char *arg, bool is_choice, FILE *out) {
    if (is_choice) {
        for (const char *p = arg; *p != '\0'; p++) fputc(*p == '|' ? ' ' : *p, out);
    } else if (strcmp(arg, "HOME") == 0 || strcmp(arg, "DIR") == 0) {
        fputs("@dir", out);
    } else if (strcmp(arg, "PATH") == 0) {
        fputs("@path", out);
    } else if (strncmp(arg, "FILE", 4) == 0 || strncmp(arg, "RESULT", 6) == 0) {
        fputs("@file", out);
    } else {
        fputs("@none", out);
    }
}

static void value_row(const struct command *c, const char *name, const struct option_spec *o, FILE *out) {
    if (name == NULL || o->arg == NULL) return;
    fprintf(out, "    ['%s %s']='", c->name, name);
    value_of(o->arg, o->kind == OPTION_CHOICE, out);
    fputs("'\n", out);
}

static void tables(const struct command *const *commands, size_t n, FILE *out) {
    fputs("declare -gA _race_options=(\n", out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "    [%s]='--help", commands[i]->name);
        for (size_t j = 0; j < commands[i]->n_options; j++) {
            const struct option_spec *o = &commands[i]->options[j];
            fprintf(out, " %s%s%s", o->name, o->alias != NULL ? " " : "", o->alias != NULL ? o->alias : "");
        }
        fprintf(out, "%s'\n", commands[i]->takes_rest ? " --" : "");
    }
    fputs(")\ndeclare -gA _race_values=(\n", out);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < commands[i]->n_options; j++) {
            const struct option_spec *o = &commands[i]->options[j];
            value_row(commands[i], o->name, o, out);
            value_row(commands[i], o->alias, o, out);
        }
    fputs(")\ndeclare -gA _race_operands=(\n", out);
    for (size_t i = 0; i < n; i++) {
        const char *operand = commands[i]->operand;
        if (operand == NULL) continue;
        fprintf(out, "    [%s]='", commands[i]->name);
        value_of(operand, strchr(operand, '|') != NULL, out);
        fputs("'\n", out);
    }
    fputs(")\n", out);
}

static const char script[] =
    "\n"
    "# _race_fill WHAT WORD: what may stand there.\n"
    "_race_fill() {\n"
    "    case $1 in\n"
    "        @file) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$2\") ;;\n"
    "        @dir) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$2\") ;;\n"
    "        @path) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"${2##*:}\") "
    ";;\n"
    "        @none) COMPREPLY=() ;;\n"
    "        *) mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$2\") ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_race() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} "
    "i\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then _race_fill \"$_race_commands help --help --version\" \"$word\"; "
    "return; "
    "fi\n"
    "    if [[ $command == help ]]; then _race_fill \"$_race_commands\" \"$word\"; return; fi\n"
    "    [[ -n ${_race_options[$command]-} ]] || return\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        # Behind -- stands another command with its own words.\n"
    "        [[ ${COMP_WORDS[i]} != -- ]] && continue\n"
    "        if [[ $command == run ]] && ((i + 1 == COMP_CWORD)); then\n"
    "            mapfile -t COMPREPLY < <(compgen -c -- \"$word\")\n"
    "        else\n"
    "            _race_fill @file \"$word\"\n"
    "        fi\n"
    "        return\n"
    "    done\n"
    "    # bash gives --option=value as three words and splits a class path at its colons.\n"
    "    i=$COMP_CWORD\n"
    "    if [[ $word == [:=] ]]; then word=; i=$((i + 1)); fi\n"
    "    while ((i > 3)) && [[ ${COMP_WORDS[i - 1]} == : ]]; do i=$((i - 2)); done\n"
    "    before=${COMP_WORDS[i - 1]}\n"
    "    if [[ $before == = ]]; then before=${COMP_WORDS[i - 2]}; fi\n"
    "    if [[ -n ${_race_values[\"$command $before\"]-} ]]; then\n"
    "        _race_fill \"${_race_values[\"$command $before\"]}\" \"$word\"\n"
    "    elif [[ $word == -* || -z ${_race_operands[$command]-} ]]; then\n"
    "        _race_fill \"${_race_options[$command]}\" \"$word\"\n"
    "    else\n"
    "        _race_fill \"${_race_operands[$command]}\" \"$word\"\n"
    "    fi\n"
    "}\n"
    "complete -F _race race\n";

void completion_bash(const struct command *const *commands, size_t n, FILE *out) {
    fputs("# Completion of the race command for bash, printed by `race help --completion`.\n", out);
    tables(commands, n, out);
    fputs("_race_commands='", out);
    for (size_t i = 0; i < n; i++) fprintf(out, "%s%s", i > 0 ? " " : "", commands[i]->name);
    fputs("'\n", out);
    fputs(script, out);
}
