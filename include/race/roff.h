/*
 * Text for manual pages, which the tool and the agent print from their tables of options.
 *
 * The pages use the macros of man(7) only.  Texts of the tables are plain: these functions are the one place
 * that knows which characters mean something to roff.
 */
#ifndef RACE_ROFF_H
#define RACE_ROFF_H

#include <stdio.h> /* FILE */

/* A heading line of the page: NAME in capitals, section, version. */
void roff_title(FILE *out, const char *name, const char *section, const char *group);

/* The text with roff's own characters escaped; what stands between `backquotes` becomes bold. */
void roff_text(FILE *out, const char *text);

/* A whole word or phrase in bold ('B') or italics ('I'). */
void roff_font(FILE *out, char font, const char *text);

#endif
