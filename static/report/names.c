/*
 * Texts of the report: clean UTF-8, dotted names, frames.  Names arrive in the spelling of class files (from
 * the plan) or of Java stack traces (from the agent) and leave in one.
 */
#include "names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Length of the sequence that starts at s (well-formed or not), its code point in *cp, -1 if malformed. */
static size_t decode(const unsigned char *s, int32_t *cp) {
    static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80             ? 1
               : (s[0] & 0xe0) == 0xc0 ? 2
               : (s[0] & 0xf0) == 0xe0 ? 3
               : (s[0] & 0xf8) == 0xf0 ? 4
                                       : 0;
    *cp = -1;
    if (n == 0) return 1;
    if (n == 1) {
        *cp = s[0];
        return 1;
    }
    int32_t value = s[0] & (0x7f >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) return i; /* stops at the NUL as well */
        value = value << 6 | (s[i] & 0x3f);
    }
    if (value >= least[n] && value <= 0x10ffff) *cp = value;
    return n;
}

static char *encode(char *to, int32_t cp) {
    if (cp < 0x80) {
        *to++ = (char)cp;
    } else if (cp < 0x800) {
        *to++ = (char)(0xc0 | cp >> 6);
        *to++ = (char)(0x80 | (cp & 0x3f));
    } else if (cp < 0x10000) {
        *to++ = (char)(0xe0 | cp >> 12);
        *to++ = (char)(0x80 | (cp >> 6 & 0x3f));
        *to++ = (char)(0x80 | (cp & 0x3f));
    } else {
        *to++ = (char)(0xf0 | cp >> 18);
        *to++ = (char)(0x80 | (cp >> 12 & 0x3f));
        *to++ = (char)(0x80 | (cp >> 6 & 0x3f));
        *to++ = (char)(0x80 | (cp & 0x3f));
    }
    return to;
}

static bool is_high(int32_t cp) {
    return cp >= 0xd800 && cp < 0xdc00;
}

static bool is_low(int32_t cp) {
    return cp >= 0xdc00 && cp < 0xe000;
}

const char *text_clean(struct arena *a, const char *s) {
    size_t n = strlen(s), plain = 0;
    while (plain < n && (unsigned char)s[plain] < 0x80) plain++;
    if (plain == n) return arena_copy(a, s, n + 1);
    /* A malformed byte grows to the three of U+FFFD. */
    char *text = arena_alloc(a, n * 3 + 1), *to = text;
    const unsigned char *from = (const unsigned char *)s;
    while (*from != '\0') {
        int32_t cp, low;
        from += decode(from, &cp);
        if (is_high(cp)) {
            size_t len = decode(from, &low);
            if (is_low(low)) {
                from += len;
                cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
            }
        }
        to = encode(to, cp < 0 || is_high(cp) || is_low(cp) ? 0xfffd : cp);
    }
    *to = '\0';
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
