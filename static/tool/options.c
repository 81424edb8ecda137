/*
 * Parsing a command's words by its table.
 *
 * Options and operands may be mixed.  A value follows as the next word or, for long options, after '='. Words
 * are only borrowed: they live in argv as long as the process.
 */
#include "command.h"

#include "race/vec.h"

#include <stdlib.h>
#include <string.h>

/* Whether `word` is this option: alone, or with its value after '='. */
static bool spells(const char *word, const char *name, const char **value) {
    size_t n = name != NULL ? strlen(name) : 0;
    if (n == 0 || strncmp(word, name, n) != 0) return false;
    if (word[n] == '=' && name[1] == '-')
        *value = word + n + 1;
    else if (word[n] != '\0')
        return false;
    return true;
}

static const struct option_spec *find_option(const struct command *c, const char *word, const char **value) {
    *value = NULL;
    for (size_t i = 0; i < c->n_options; i++)
        if (spells(word, c->options[i].name, value) || spells(word, c->options[i].alias, value))
            return &c->options[i];
    return NULL;
}

/* Names the option that was probably meant, or else the help. */
static int unknown_option(const struct command *c, const char *word) {
    VEC(const char *) names = {0};
    const char *value;
    /* As for java, but a jar has no place among the options of the analysis. */
    if (strcmp(word, "-jar") == 0 && find_option(c, "-cp", &value) != NULL)
        return tool_usage(c,
                          "there is no -jar: give -cp FILE.jar, and the Main-Class of its manifest with -m");
    char *bare = strndup(word, strcspn(word, "="));
    for (size_t i = 0; i < c->n_options; i++) {
        vec_push(&names, c->options[i].name);
        if (c->options[i].alias != NULL) vec_push(&names, c->options[i].alias);
    }
    const char *near = bare != NULL ? tool_nearest(bare, names.v, names.n) : NULL;
    int code;
    if (near != NULL && strcmp(near, bare) == 0) /* only long options know '=' */
        code = tool_usage(c, "option %s takes its value as the next word", near);
    else if (near != NULL)
        code = tool_usage(c, "unknown option %s; did you mean %s?", bare, near);
    else
        code = tool_usage(c, "unknown option %s", word);
    vec_release(&names);
    free(bare);
    return code;
}

/* Whether the value is one of the words in "a|b|c". */
static bool is_choice(const char *choices, const char *value) {
    size_t len = strlen(value);
    for (const char *p = choices; len > 0; p++) {
        size_t n = strcspn(p, "|");
        if (n == len && strncmp(p, value, n) == 0) return true;
        p += n;
        if (*p == '\0') break;
    }
    return false;
}

static bool is_option(const char *word) {
    return word[0] == '-' && word[1] != '\0';
}

/* Stores the option's value; `*at` stands on its word and is left on the last word used. */
static int set_option(const struct command *c, const struct option_spec *o, const char *value, void *settings,
                      int n, char **words, int *at) {
    char *field = (char *)settings + o->offset;
    if (o->kind == OPTION_FLAG) {
        if (value != NULL) return tool_usage(c, "option %s takes no value", o->name);
        *(bool *)field = true;
        return 0;
    }
    /* A value may look like anything but `--`; "-" alone is a file name. */
    if (value == NULL && *at + 1 < n && strcmp(words[*at + 1], "--") != 0) value = words[++*at];
    if (value == NULL || value[0] == '\0') return tool_usage(c, "option %s needs %s", o->name, o->arg);
    if (o->kind == OPTION_CHOICE && !is_choice(o->arg, value))
        return tool_usage(c, "option %s: '%s' is none of %s", o->name, value, o->arg);
    if (o->kind != OPTION_LIST && o->kind != OPTION_EACH) {
        *(const char **)field = value;
        return 0;
    }
    struct strings *list = (struct strings *)field;
    vec_push(list, value);
    while (o->kind == OPTION_LIST && *at + 1 < n && !is_option(words[*at + 1])) {
        const char *next = words[++*at];
        vec_push(list, next);
    }
    return 0;
}

/* Everything but the help option; returns 0 or the exit code. */
static int parse(const struct command *c, int n, char **words, struct invocation *inv, void *settings) {
    for (int i = 0; i < n; i++) {
        const char *word = words[i], *value;
        if (strcmp(word, "--") == 0) {
            if (!c->takes_rest) return tool_usage(c, "there is nothing to come after --");
            inv->has_rest = true;
            while (++i < n) {
                word = words[i];
                vec_push(&inv->rest, word);
            }
        } else if (!is_option(word)) {
            vec_push(&inv->operands, word);
        } else {
            const struct option_spec *o = find_option(c, word, &value);
            int code = o != NULL ? set_option(c, o, value, settings, n, words, &i) : unknown_option(c, word);
            if (code != 0) return code;
        }
    }
    return 0;
}

/* Before anything else is looked at: help must not depend on correct options. */
static bool asks_for_help(int n, char **words) {
    for (int i = 0; i < n && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) return true;
    return false;
}

int command_invoke(const struct command *command, int n, char **words) {
    if (asks_for_help(n, words)) {
        help_command(command, stdout);
        return RACE_EXIT_OK;
    }
    void *settings = calloc(1, command->settings_size + 1);
    struct invocation inv = {.command = command, .settings = settings};
    if (settings == NULL) return tool_fail(&(struct race_error){.what = "out of memory"});
    int code = parse(command, n, words, &inv, settings);
    if (code == 0) code = command->run(&inv);
    for (size_t i = 0; i < command->n_options; i++)
        if (command->options[i].kind == OPTION_LIST || command->options[i].kind == OPTION_EACH)
            vec_release((struct strings *)((char *)settings + command->options[i].offset));
    vec_release(&inv.operands);
    vec_release(&inv.rest);
    free(settings);
    return code;
}
