#include "colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h> /* isatty */

bool colour_wanted(FILE *out) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no != NULL && no[0] != '\0') return false;
    return term != NULL && strcmp(term, "dumb") != 0 && isatty(fileno(out));
}

const char *colour_code(bool on, enum colour c) {
    static const char *const codes[] = {
        [COLOUR_NONE] = "\033[0m",   [COLOUR_BOLD] = "\033[1m",    [COLOUR_RED] = "\033[31m",
        [COLOUR_GREEN] = "\033[32m", [COLOUR_YELLOW] = "\033[33m", [COLOUR_BLUE] = "\033[34m",
        [COLOUR_DIM] = "\033[2m",
    };
    return on ? codes[c] : "";
}
