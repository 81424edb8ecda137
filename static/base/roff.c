#include "race/roff.h"

#include <ctype.h>
#include <stdbool.h>

void roff_title(FILE *out, const char *name, const char *section, const char *group) {
    fputs(".TH ", out);
    for (const char *p = name; *p != '\0'; p++) fputc(toupper((unsigned char)*p), out);
    /* No date: the page must be the same in every build of a version. */
    fprintf(out, " %s \"\" \"race %s\" \"%s\"\n", section, RACE_VERSION, group);
}

/* A plain '-' may be typeset as a hyphen, which nobody can paste into a shell; quotes have the same trouble.
 */
static void put(FILE *out, char c, bool at_start) {
    if (at_start && (c == '.' || c == '\'')) fputs("\\&", out);
    switch (c) {
    case '-': fputs("\\-", out); break;
    case '\\': fputs("\\e", out); break;
    case '\'': fputs("\\(aq", out); break;
    case '^': fputs("\\(ha", out); break;
    case '~': fputs("\\(ti", out); break;
    default: fputc(c, out);
    }
}

void roff_text(FILE *out, const char *text) {
    bool bold = false;
    char before = '\n';
    for (const char *p = text; *p != '\0'; before = *p++) {
        if (*p != '`') {
            put(out, *p, before == '\n');
            continue;
        }
        bold = !bold;
        fputs(bold ? "\\fB" : "\\fR", out);
    }
    if (bold) fputs("\\fR", out);
}

void roff_font(FILE *out, char font, const char *text) {
    fprintf(out, "\\f%c", font);
    for (const char *p = text; *p != '\0'; p++) put(out, *p, false);
    fputs("\\fR", out);
}
