/* `race run`: the program under the agent. */
#include "command.h"
#include "launch.h"

#include "race/vec.h"

#include <limits.h> /* PATH_MAX */
#include <stdlib.h>
#include <string.h>

struct run_settings {
    const char *plan, *mode, *output, *aim, *include, *exclude, *suppress, *exitcode, *history, *max_memory,
        *report, *log;
    bool confirm, halt_on_error;
};

#define FIELD(name) offsetof(struct run_settings, name)

/* The longer spelling of each option is the agent's key with '-' for '_'; agent_text() relies on it. */
static const struct option_spec options[] = {
    {"--plan", NULL, "FILE", OPTION_TEXT, FIELD(plan),
     "check only what the plan of `race analyze` leaves unproved"},
    {"--mode", NULL, "full|field|method|combined|discover", OPTION_CHOICE, FIELD(mode),
     "what to check (default: combined with a plan, else full); discover samples how fields are protected, "
     "for analyze --discovered"},
    {"--confirm", NULL, NULL, OPTION_FLAG, FIELD(confirm),
     "delay threads at sites that may race, so that races show"},
    {"-o", "--out", "RESULT", OPTION_TEXT, FIELD(output),
     "where results go (default: race-%p.jsonl; %p is the pid, %t the time)"},
    {"--aim", NULL, "PATTERNS", OPTION_TEXT, FIELD(aim),
     "with --confirm: delay only in these classes or methods (pkg.C.m); patterns are separated by ';'"},
    {"--include", NULL, "PATTERNS", OPTION_TEXT, FIELD(include),
     "check accesses of these classes only; patterns are separated by ';'"},
    {"--exclude", NULL, "PATTERNS", OPTION_TEXT, FIELD(exclude), "do not check accesses of these classes"},
    {"--suppress", NULL, "FILE", OPTION_TEXT, FIELD(suppress),
     "do not report races that match the file's patterns"},
    {"--exitcode", NULL, "N", OPTION_TEXT, FIELD(exitcode),
     "exit code if a race was confirmed and the program's own is 0 (default: 66)"},
    {"--halt-on-error", NULL, NULL, OPTION_FLAG, FIELD(halt_on_error), "stop the program at the first race"},
    {"--history", NULL, "on|off", OPTION_CHOICE, FIELD(history),
     "keep the stack of the earlier access (default: on with a plan)"},
    {"--max-memory", NULL, "SIZE", OPTION_TEXT, FIELD(max_memory),
     "cap of the checker's own memory, such as 512m (default: 256m)"},
    {"--report", NULL, "on|off", OPTION_CHOICE, FIELD(report),
     "print each race as it is found (default: on)"},
    {"--log", NULL, "FILE", OPTION_TEXT, FIELD(log), "write a log of what the agent does"},
};

enum { N_OPTIONS = sizeof options / sizeof *options };

static void append_key(FILE *out, const char *name) {
    for (const char *p = name + strspn(name, "-"); *p != '\0'; p++) fputc(*p == '-' ? '_' : *p, out);
}

/* The options that are set, as "key=value,key=value". */
static void append_options(FILE *out, const struct run_settings *s) {
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const struct option_spec *o = &options[i];
        const char *field = (const char *)s + o->offset, *value;
        if (o->kind == OPTION_FLAG)
            value = *(const bool *)field ? "on" : NULL;
        else
            value = *(const char *const *)field;
        if (value == NULL) continue;
        fputc(',', out);
        append_key(out, o->alias != NULL ? o->alias : o->name);
        fprintf(out, "=%s", value);
    }
}

/* "-agentpath:LIB=options", malloc'ed.  Races make `race run` fail unless the user says otherwise. */
static char *agent_text(const char *library, const struct invocation *inv) {
    const struct run_settings *s = inv->settings;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    fprintf(out, "-agentpath:%s=exitcode=%s", library, s->exitcode != NULL ? s->exitcode : "66");
    struct run_settings rest = *s;
    rest.exitcode = NULL;
    append_options(out, &rest);
    for (size_t i = 0; i < inv->operands.n; i++) fprintf(out, ",%s", inv->operands.v[i]);
    fclose(out);
    return text;
}

/* The agent splits its options at commas and the JVM has no way to quote one. */
static int check_values(const struct invocation *inv) {
    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (options[i].kind == OPTION_FLAG) continue;
        const char *value = *(const char *const *)((const char *)inv->settings + options[i].offset);
        if (value != NULL && strchr(value, ',') != NULL)
            return tool_usage(inv->command, "option %s: the agent cannot take a comma in a value",
                              options[i].name);
    }
    for (size_t i = 0; i < inv->operands.n; i++)
        if (strchr(inv->operands.v[i], '=') == NULL)
            return tool_usage(inv->command, "unexpected word %s; put -- before the java command",
                              inv->operands.v[i]);
    const struct run_settings *s = inv->settings;
    bool focused = s->mode != NULL && strcmp(s->mode, "full") != 0 && strcmp(s->mode, "discover") != 0;
    if (focused && s->plan == NULL && inv->operands.n == 0)
        return tool_usage(inv->command, "--mode %s needs --plan FILE", s->mode);
    if (inv->rest.n == 0)
        return tool_usage(inv->command, "put the program's command after --, such as -- java Main");
    return 0;
}

static int run(const struct invocation *inv) {
    char library[PATH_MAX];
    struct race_error err = {0};
    int code = check_values(inv);
    if (code != 0) return code;
    if (!launch_find_agent(library, sizeof library, &err)) return tool_fail(&err);
    char *agent = agent_text(library, inv);
    struct strings words = {0};
    if (agent == NULL)
        code = tool_fail(&(struct race_error){.what = "out of memory"});
    else if (launch_insert_agent(&inv->rest, agent, &words))
        code = launch_exec(&words);
    else
        code = tool_usage(inv->command,
                          "no `java` among the words after --; for a build tool, add %s to the "
                          "options of the JVM it starts",
                          agent);
    vec_release(&words);
    free(agent);
    return code;
}

const struct command command_run = {
    .name = "run",
    .summary = "run a Java program under the agent",
    .synopsis = "[--plan FILE] [--mode full|field|method|combined|discover] [--confirm] [-o RESULT]\n"
                "[agent options] -- java ...",
    .details =
        "Options of the agent can be given as below or in its own form, KEY=VALUE. The exit code is the "
        "program's own if that is not 0, else 66 if a race was confirmed.",
    .takes_rest = true,
    .settings_size = sizeof(struct run_settings),
    .options = options,
    .n_options = N_OPTIONS,
    .run = run,
};
