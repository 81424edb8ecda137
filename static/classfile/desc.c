/*
 * Names and descriptors (JVMS 4.2, 4.3).  The rules are those HotSpot applies to classes it verifies; they
 * are checked once, when the constant pool is read, so that the look-ups below need not fail.
 */
#include "parse.h"

#include <string.h>

enum { MAX_DIMENSIONS = 255, MAX_ARG_WORDS = 255 };

/* The three characters that separate things in descriptors and in Java's own names. */
static bool plain_char(char ch) {
    return ch != '.' && ch != ';' && ch != '[';
}

/* A name in internal form: non-empty parts between slashes.  Anything else is allowed in it, as other
   languages than Java use names of their own. */
static bool is_class_path(const char *p, const char *end) {
    if (p == end || *p == '/' || end[-1] == '/') return false;
    for (; p < end; p++) {
        if (!plain_char(*p)) return false;
        if (*p == '/' && p[1] == '/') return false; /* p is not the last char, see above */
    }
    return true;
}

/* The end of the field type at p, or NULL. */
static const char *skip_type(const char *p, const char *end) {
    const char *start = p;
    while (p < end && *p == '[') p++;
    if (p == end || p - start > MAX_DIMENSIONS) return NULL;
    if (*p != 'L') return strchr("BCDFIJSZ", *p) != NULL && *p != '\0' ? p + 1 : NULL;
    const char *semicolon = memchr(p, ';', (size_t)(end - p));
    return semicolon != NULL && is_class_path(p + 1, semicolon) ? semicolon + 1 : NULL;
}

bool cf_desc_is_field(struct cf_str desc) {
    return skip_type(desc.p, desc.p + desc.n) == desc.p + desc.n;
}

/* The limit of 255 words keeps invokeinterface's count and the first frame small. */
bool cf_desc_is_method(struct cf_str desc) {
    const char *p = desc.p, *end = p + desc.n;
    if (desc.n < 3 || *p++ != '(') return false;
    unsigned words = 0;
    while (p < end && *p != ')') {
        words += *p == 'J' || *p == 'D' ? 2 : 1;
        if ((p = skip_type(p, end)) == NULL) return false;
    }
    if (p == end || words > MAX_ARG_WORDS) return false;
    p++;
    return (p + 1 == end && *p == 'V') || skip_type(p, end) == end;
}

bool cf_name_is_class(struct cf_str name) {
    if (name.n > 0 && name.p[0] == '[') return cf_desc_is_field(name);
    return is_class_path(name.p, name.p + name.n);
}

bool cf_name_is_unqualified(struct cf_str name) {
    for (uint32_t i = 0; i < name.n; i++)
        if (!plain_char(name.p[i]) || name.p[i] == '/') return false;
    return name.n > 0;
}

struct cf_str cf_desc_next(struct cf_str *rest) {
    const char *end = rest->n == 0 || *rest->p == ')' ? NULL : skip_type(rest->p, rest->p + rest->n);
    struct cf_str type = {.p = rest->p, .n = end == NULL ? 0 : (uint32_t)(end - rest->p)};
    rest->p += type.n;
    rest->n -= type.n;
    return type;
}

/* Also asked for descriptors from elsewhere, hence tolerant of bad ones. */
unsigned cf_desc_arg_words(struct cf_str desc) {
    unsigned words = 0;
    const char *p = desc.p, *end = p + desc.n;
    if (p == end || *p++ != '(') return 0;
    while (p < end && *p != ')') {
        words += *p == 'J' || *p == 'D' ? 2 : 1;
        while (p < end && *p == '[') p++;
        if (p < end && *p == 'L') p = memchr(p, ';', (size_t)(end - p));
        if (p == NULL) break;
        p++;
    }
    return words;
}

char cf_desc_return(struct cf_str desc) {
    const char *close = desc.n == 0 ? NULL : memchr(desc.p, ')', desc.n);
    return close == NULL || close + 1 == desc.p + desc.n ? '\0' : close[1];
}

bool cf_str_eq(struct cf_str a, struct cf_str b) {
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool cf_str_is(struct cf_str a, const char *z) {
    size_t n = strlen(z);
    return a.n == n && (n == 0 || memcmp(a.p, z, n) == 0);
}
