/* Manifests, read as leniently as the JVM does. */
#include "manifest.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h> /* strncasecmp */

/*
 * Lines are at most 72 bytes, so long values are continued on lines that start with one space.  The first
 * empty line ends the main attributes.  unfold() joins the lines of that part, separated by '\n' alone.
 */
static char *unfold(const char *text, size_t size) {
    char *out = malloc(size + 1);
    size_t n = 0;
    for (size_t i = 0; out != NULL && i < size;) {
        size_t end = i;
        while (end < size && text[end] != '\r' && text[end] != '\n' && text[end] != '\0') end++;
        if (end == i) break;
        bool continues = text[i] == ' ' && n > 0;
        if (continues) n--; /* the line break before it */
        memcpy(out + n, text + i + continues, end - i - continues);
        n += end - i - continues;
        out[n++] = '\n';
        if (end < size && text[end] == '\r') end++;
        if (end < size && text[end] == '\n') end++;
        if (end < size && text[end] == '\0') break;
        i = end;
    }
    if (out != NULL) out[n] = '\0';
    return out;
}

/* The value in "Name: value\n", without surrounding blanks, or NULL if the line has another name. */
static const char *value_of(const char *line, const char *name, size_t *len) {
    size_t n = strlen(name);
    if (strncasecmp(line, name, n) != 0 || line[n] != ':') return NULL;
    const char *v = line + n + 1, *end = strchrnul(v, '\n');
    while (v < end && *v == ' ') v++;
    while (end > v && end[-1] == ' ') end--;
    *len = (size_t)(end - v);
    return v;
}

void manifest_init(struct manifest *m, const char *text, size_t size) {
    *m = (struct manifest){0};
    char *flat = unfold(text, size);
    for (const char *line = flat; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1) {
        size_t len;
        const char *v = value_of(line, "Multi-Release", &len);
        if (v != NULL) m->multi_release = len == 4 && strncasecmp(v, "true", 4) == 0;
        v = value_of(line, "Class-Path", &len);
        if (v != NULL && m->class_path == NULL) m->class_path = strndup(v, len);
    }
    free(flat);
}

void manifest_release(struct manifest *m) {
    free(m->class_path);
    *m = (struct manifest){0};
}

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Undoes the escapes of URLs; a stray '%' stays as it is. */
static char *decode(const char *s, size_t n) {
    char *out = malloc(n + 1);
    size_t k = 0;
    for (size_t i = 0; out != NULL && i < n; i++) {
        bool escape = s[i] == '%' && i + 2 < n && hex(s[i + 1]) >= 0 && hex(s[i + 2]) >= 0;
        out[k++] = escape ? (char)(hex(s[i + 1]) << 4 | hex(s[i + 2])) : s[i];
        if (escape) i += 2;
    }
    if (out != NULL) out[k] = '\0';
    return out;
}

char *manifest_next_path(const char **at) {
    for (;;) {
        const char *s = *at + strspn(*at, " \t");
        size_t n = strcspn(s, " \t");
        *at = s + n;
        if (n == 0) return NULL;
        if (strncasecmp(s, "file:", 5) == 0) {
            s += 5;
            n -= 5;
            if (n >= 3 && strncmp(s, "///", 3) == 0) { /* file:///path: an empty host */
                s += 2;
                n -= 2;
            }
        } else if (memchr(s, ':', n) != NULL) {
            continue;
        }
        if (n > 0) return decode(s, n);
    }
}
