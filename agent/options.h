/*
 * Options of the agent: `key=value,key=value`, lists separated by `;`.
 *
 * One table (AGENT_OPTIONS) defines every key: its field, its type, its default, what it means.  The parser,
 * the help text and the manual walk the same table.
 */
#ifndef RACE_AGENT_OPTIONS_H
#define RACE_AGENT_OPTIONS_H

#include "race/error.h" /* struct race_error */

#include <stdbool.h>
#include <stdint.h>

/* Options that depend on others unless they are given. */
enum agent_switch { SWITCH_OFF, SWITCH_ON, SWITCH_AUTO };

enum agent_mode { MODE_DEFAULT, MODE_FULL, MODE_FIELD, MODE_METHOD, MODE_COMBINED, MODE_DISCOVER };

/* X(field, C type, kind, default, argument, help) */
#define AGENT_OPTIONS(X)                                                                                     \
    X(plan, char *, STRING, NULL, "FILE", "check only what the plan of `race analyze` leaves unproved")      \
    X(mode, int, MODE, MODE_DEFAULT, "MODE",                                                                 \
      "full, field, method, combined or discover (default: combined with a plan, else full)")                \
    X(out, char *, STRING, "race-%p.jsonl", "FILE", "where results go; %p is the pid, %t the time")          \
    X(confirm, bool, BOOL, false, "on|off", "delay threads at sites that may race, so that races show")      \
    X(aim, char *, STRING, NULL, "PATTERNS",                                                                 \
      "with confirm: delay only in these classes or methods (pkg.C.m)")                                      \
    X(include, char *, STRING, NULL, "PATTERNS", "check accesses of these classes only (JDK ones too)")      \
    X(exclude, char *, STRING, NULL, "PATTERNS", "do not check accesses of these classes")                   \
    X(suppress, char *, STRING, NULL, "FILE", "do not report races that match the file's patterns")          \
    X(exitcode, int, INT, 0, "N", "exit with this code if a race was confirmed and the program's own is 0")  \
    X(halt_on_error, bool, BOOL, false, "on|off", "stop the JVM at the first race, with exit code 66")       \
    X(history, int, SWITCH, SWITCH_AUTO, "on|off",                                                           \
      "keep the stack of the earlier access as well (default: on with a plan)")                              \
    X(max_memory, uint64_t, SIZE, 0, "SIZE", "cap of the checker's own memory (default: 256m)")              \
    X(report, bool, BOOL, true, "on|off", "print each race on stderr as it is found")                        \
    X(log, char *, STRING, NULL, "FILE", "write a log of what the agent does (`-` for stderr)")              \
    X(help, bool, BOOL, false, "", "list the options and stop")

struct agent_options {
#define X(field, type, kind, dflt, arg, help) type field;
    AGENT_OPTIONS(X)
#undef X
};

/* Fills `o` from the text behind `-agentpath:librace.so=`; NULL is the empty text.  Strings are heap copies.
 */
bool agent_options_parse(struct agent_options *o, const char *text, struct race_error *err);
void agent_options_release(struct agent_options *o);
void agent_options_help(void); /* on stdout */

/* Patterns are prefixes of names in source form separated by ';'; a trailing '*' is allowed and means nothing
 * more. The name is that of a class in internal form, perhaps with ".method" behind it. */
bool agent_patterns_match(const char *patterns, const char *name);

/* Whether stacks of accesses are remembered in this run. */
bool agent_keeps_history(const struct agent_options *o);

const char *agent_mode_name(enum agent_mode mode);
/* Whether the mode leaves nothing out because of a plan. */
static inline bool mode_is_full(enum agent_mode mode) {
    return mode == MODE_FULL || mode == MODE_DISCOVER;
}

#endif
