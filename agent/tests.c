#include "tests.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char current[400]; /* under `lock` */

/* Appends up to n characters of text, as far as there is room. */
static void append(char *out, size_t size, const char *text, size_t n) {
    size_t used = strlen(out);
    if (n > size - 1 - used) n = size - 1 - used;
    memcpy(out + used, text, n);
    out[used + n] = '\0';
}

/* Finds the next "[key:value]" from *at on; the value ends at one of `stop`.  Returns its length, 0 if none.
 */
static size_t segment(const char **at, const char *key, const char *stop) {
    const char *p = strstr(*at, key);
    if (p == NULL) return 0;
    *at = p + strlen(key);
    return strcspn(*at, stop);
}

/* "...[class:pkg.C]/[nested-class:Inner]/[method:m(int)]..." */
static bool from_unique_id(const char *text, char *out, size_t size) {
    static const char *const kinds[] = {"[method:", "[test-template:", "[test-factory:"};
    const char *at = text;
    size_t n = segment(&at, "[class:", "]");
    if (n == 0) return false;
    append(out, size, at, n);
    while ((n = segment(&at, "[nested-class:", "]")) != 0) {
        append(out, size, "$", 1);
        append(out, size, at, n);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        n = segment(&at, kinds[i], "(]");
        if (n == 0) continue;
        append(out, size, ".", 1);
        append(out, size, at, n);
        break;
    }
    return true;
}

/* "m(pkg.C)", "m[0](pkg.C)" */
static bool from_display_name(const char *text, char *out, size_t size) {
    const char *open = strrchr(text, '(');
    size_t n = strlen(text);
    if (open == NULL || open == text || text[n - 1] != ')') return false;
    snprintf(out, size, "%.*s.%.*s", (int)(text + n - 1 - open - 1), open + 1, (int)strcspn(text, "[("),
             text);
    return true;
}

void tests_set(const char *text) {
    char name[sizeof current] = "";
    if (text != NULL && !from_unique_id(text, name, sizeof name) &&
        !from_display_name(text, name, sizeof name))
        append(name, sizeof name, text, strlen(text));
    pthread_mutex_lock(&lock);
    memcpy(current, name, sizeof current);
    pthread_mutex_unlock(&lock);
}

void tests_get(char *buf, size_t size) {
    pthread_mutex_lock(&lock);
    snprintf(buf, size, "%s", current);
    pthread_mutex_unlock(&lock);
}
