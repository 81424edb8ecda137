/* The command line: `race COMMAND ...`. */
#include "command.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

static const struct command *const commands[] = {&command_analyze, &command_run, &command_report,
                                                 &command_check, &command_dump};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static const struct command *find_command(const char *name) {
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

/* Names the command that was probably meant, or else the help. */
static int unknown_command(const char *word) {
    const char *names[N_COMMANDS + 1];
    for (size_t i = 0; i < N_COMMANDS; i++) names[i] = commands[i]->name;
    names[N_COMMANDS] = "help";
    const char *near = tool_nearest(word, names, N_COMMANDS + 1);
    const char *kind = word[0] == '-' ? "option" : "command";
    if (near != NULL) return tool_usage(NULL, "unknown %s %s; did you mean %s?", kind, word, near);
    return tool_usage(NULL, "unknown %s %s", kind, word);
}

/* `race help --man [COMMAND]`: the manual page of one command, or of all of them. */
static int manual(int n, char **words) {
    const struct command *c = n > 0 ? find_command(words[0]) : NULL;
    if (n > 1) return tool_usage(NULL, "there is one manual page for each command");
    if (n == 1 && c == NULL) return unknown_command(words[0]);
    if (c != NULL)
        manual_command(c, stdout);
    else
        manual_overview(commands, N_COMMANDS, stdout);
    return RACE_EXIT_OK;
}

static int completion(int n, char **words) {
    if (n != 1 || strcmp(words[0], "bash") != 0)
        return tool_usage(NULL, "name the shell: help --completion bash");
    completion_bash(commands, N_COMMANDS, stdout);
    return RACE_EXIT_OK;
}

static int help(int n, char **words) {
    if (n > 0 && strcmp(words[0], "--man") == 0) return manual(n - 1, words + 1);
    if (n > 0 && strcmp(words[0], "--completion") == 0) return completion(n - 1, words + 1);
    const struct command *c = n > 0 ? find_command(words[0]) : NULL;
    if (n > 1) return tool_usage(NULL, "help explains one command at a time");
    if (n == 1 && c == NULL) return unknown_command(words[0]);
    if (c != NULL)
        help_command(c, stdout);
    else
        help_overview(commands, N_COMMANDS, stdout);
    return RACE_EXIT_OK;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2 || argv[1][0] == '\0') return tool_usage(NULL, "no command given");
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        if (argc > 2) return tool_usage(NULL, "%s stands alone", word);
        puts("race " RACE_VERSION);
        return RACE_EXIT_OK;
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(argc - 2, argv + 2);
    const struct command *c = find_command(word);
    return c != NULL ? command_invoke(c, argc - 2, argv + 2) : unknown_command(word);
}

/* A class path of a thousand jars keeps as many files open. */
static void raise_file_limit(void) {
    struct rlimit r;
    if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur >= 8192) return;
    r.rlim_cur = r.rlim_max < 8192 ? r.rlim_max : 8192;
    setrlimit(RLIMIT_NOFILE, &r);
}

int main(int argc, char **argv) {
    raise_file_limit();
    /* A file that may not grow any more is an error to tell, and its beginning is to be removed. */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* whoever started this may not wait for its children; launch.c does */
    int code = dispatch(argc, argv);
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    /* A full disk must not look like success; a command that has failed has said why. */
    if (!failed || (code != RACE_EXIT_OK && code != RACE_EXIT_RACES)) return code;
    fprintf(stderr, "race: standard output: %s\n", strerror(errno));
    return RACE_EXIT_OTHER;
}
