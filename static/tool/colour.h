/* Colours of text output: only on a terminal, and never against the user's NO_COLOR. */
#ifndef RACE_TOOL_COLOUR_H
#define RACE_TOOL_COLOUR_H

#include <stdbool.h>
#include <stdio.h> /* FILE */

enum colour { COLOUR_NONE, COLOUR_BOLD, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW, COLOUR_BLUE, COLOUR_DIM };

/* Whether text for `out` should be coloured. */
bool colour_wanted(FILE *out);

/* The escape sequence that switches to a colour, or "" if `on` is false. */
const char *colour_code(bool on, enum colour c);

#endif
