/*
 * Texts of the report: clean UTF-8, dotted names, frames.  Names arrive in the spelling of class files (from
 * the plan) or of Java stack traces (from the agent) and leave in one.
 */
#include "names.h"

#include "race/utf8.h"

#include <stdlib.h>
#include <string.h>

const char *text_clean(struct arena *a, const char *s) {
    size_t n = strlen(s);
    if (utf8_is_plain(s, n)) return arena_copy(a, s, n + 1);
    char *text = arena_alloc(a, UTF8_ROOM(n));
    utf8_clean(text, s);
    return text;
}

const char *name_with_dots(struct arena *a, const char *internal) {
    char *name = (char *)text_clean(a, internal);
    for (char *p = name; *p != '\0'; p++)
        if (*p == '/') *p = '.';
    return name;
}

const char *frame_text(struct arena *a, const char *cls, const char *method, const char *file, int line) {
    if (file == NULL) return arena_printf(a, "%s.%s(Unknown Source)", cls, method);
    if (line < 0) return arena_printf(a, "%s.%s(%s)", cls, method, file);
    return arena_printf(a, "%s.%s(%s:%d)", cls, method, file, line);
}

/* Of "loader/module@1/pkg.C.m(C.java:12)" Java itself prints the part before the class; it is no part of it.
 */
static const char *skip_module(const char *frame, size_t method_end) {
    const char *start = frame;
    for (const char *p = frame; p < frame + method_end; p++)
        /* The name of a hidden class has a slash as well, "C$$Lambda/0x0000..." */
        if (*p == '/' && strncmp(p, "/0x", 3) != 0) start = p + 1;
    return start;
}

struct report_access frame_parse(struct arena *a, const char *frame) {
    struct report_access out = {.line = -1, .bci = -1, .desc = "", .cls = "", .method = ""};
    size_t end = strcspn(frame, "(");
    const char *start = skip_module(frame, end), *dot = frame + end;
    while (dot > start && *dot != '.') dot--;
    out.cls = arena_printf(a, "%.*s", (int)(dot - start), start);
    out.method = arena_printf(a, "%.*s", (int)(frame + end - dot - (*dot == '.')), dot + (*dot == '.'));
    if (frame[end] == '\0') return out;
    const char *file = frame + end + 1;
    size_t n = strcspn(file, ":)");
    if (memchr(file, '.', n) == NULL) return out; /* Unknown Source, Native Method */
    out.file = arena_printf(a, "%.*s", (int)n, file);
    if (file[n] == ':') out.line = atoi(file + n + 1);
    return out;
}

const char *name_last(const char *dotted) {
    const char *dot = strrchr(dotted, '.');
    return dot != NULL ? dot + 1 : dotted;
}

bool frame_of_jdk(const char *frame) {
    return strncmp(frame, "java.", 5) == 0 || strncmp(frame, "jdk.", 4) == 0 ||
           strncmp(frame, "sun.", 4) == 0 || strstr(frame, "$$Lambda") != NULL;
}
