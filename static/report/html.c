/*
 * HTML: one file without any reference to the outside.  The page (page.html, page.css, page.js) shows the
 * JSON report that stands inside it; here the parts are only put together.
 */
#include "json.h"
#include "page.h"
#include "print.h"

#include <stdlib.h>
#include <string.h>

/* Inside a script element nothing may look like a tag; in JSON '<' only occurs in strings. */
static void put_data(FILE *out, const char *json) {
    for (; *json != '\0'; json++) {
        if (*json == '<')
            fputs("\\u003c", out);
        else
            fputc(*json, out);
    }
}

static bool put_part(FILE *out, const char *name, size_t n, const char *json) {
    if (n == 3 && strncmp(name, "css", n) == 0)
        fputs(page_css, out);
    else if (n == 2 && strncmp(name, "js", n) == 0)
        fputs(page_js, out);
    else if (n == 4 && strncmp(name, "data", n) == 0)
        put_data(out, json);
    else
        return false;
    return true;
}

bool print_html(const struct report *r, const struct report_print_options *o, FILE *out) {
    struct sources sources;
    sources_init(&sources, o);
    json_t *report = json_of_report(r, &sources);
    char *json = report != NULL ? json_dumps(report, JSON_COMPACT) : NULL;
    bool ok = json != NULL;
    for (const char *p = page_html, *open; ok && *p != '\0';) {
        open = strstr(p, "{{");
        if (open == NULL) open = p + strlen(p);
        fwrite(p, 1, (size_t)(open - p), out);
        if (*open == '\0') break;
        const char *close = strstr(open, "}}");
        ok = close != NULL && put_part(out, open + 2, (size_t)(close - open) - 2, json);
        p = ok ? close + 2 : open;
    }
    free(json);
    json_decref(report);
    sources_release(&sources);
    return ok && !ferror(out);
}
