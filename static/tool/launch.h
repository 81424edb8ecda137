/* Running a Java program under the agent. */
#ifndef RACE_TOOL_LAUNCH_H
#define RACE_TOOL_LAUNCH_H

#include "command.h" /* struct strings */
#include "race/error.h"

/* The agent library that belongs to this tool: beside it, in its build tree, or in the lib directory of the
 * installation. */
bool launch_find_agent(char *path, size_t size, struct race_error *err);

/*
 * Appends `words` to `out` with `agent` ("-agentpath:...") inserted right after the word that starts Java,
 * which is the first one that is or ends in "/java" (so `env X=1 java ...` works).  False if there is none.
 */
bool launch_insert_agent(const struct strings *words, const char *agent, struct strings *out);

/* What becomes of a command's stdout. */
enum launch_output { LAUNCH_KEEP, LAUNCH_DROP, LAUNCH_TO_STDERR };

/*
 * Runs a command and waits for it; returns its exit code, or 128 plus the signal that ended it.  Meanwhile an
 * interrupt from the terminal is left to the command, and what is sent to end this process is passed on to
 * it: the caller then cleans up and says what there is to say.
 */
int launch_wait(const struct strings *words, enum launch_output output);

/* Replaces this process by the program; returns only to report that this failed. */
int launch_exec(const struct strings *words);

/* TMPDIR, or /tmp; a folder with a comma in its name is of no use, since the agent's options have them
 * between. */
const char *launch_temporary_folder(void);

#endif
