/*
 * HTML: one file without any reference to the outside.  The page (page.html, page.css, page.js) shows the
 * JSON report that stands inside it; here the parts are only put together.
 */
#include "json.h"
#include "page.h"
#include "print.h"

#include <string.h>

/* A browser takes some hundred megabytes, but nobody reads so far down. */
enum { MOST_RACES = 20000 };

static bool put_part(const char *name, size_t n, const struct report *r, struct sources *sources, FILE *out) {
    if (n == 3 && strncmp(name, "css", n) == 0)
        fputs(page_css, out);
    else if (n == 2 && strncmp(name, "js", n) == 0)
        fputs(page_js, out);
    else if (n == 4 && strncmp(name, "data", n) == 0)
        return json_write(r, &(struct json_page){.sources = sources, .limit = MOST_RACES}, out);
    else
        return false;
    return true;
}

bool print_html(const struct report *r, const struct report_print_options *o, FILE *out) {
    struct sources sources;
    sources_init(&sources, o);
    bool ok = true;
    for (const char *p = page_html, *open; ok && *p != '\0';) {
        open = strstr(p, "{{");
        if (open == NULL) open = p + strlen(p);
        fwrite(p, 1, (size_t)(open - p), out);
        if (*open == '\0') break;
        const char *close = strstr(open, "}}");
        ok = close != NULL && put_part(open + 2, (size_t)(close - open) - 2, r, &sources, out);
        p = ok ? close + 2 : open;
    }
    sources_release(&sources);
    return ok && !ferror(out);
}
