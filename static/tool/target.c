/* From what people write to a class and its methods. */
#include "target.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h> /* access */

/* Tries a/b/C, then a/b$C, then a$b$C; `name` is changed to the spelling that exists. */
static bool find_spelling(const struct classpath *cp, char *name) {
    for (char *slash;;) {
        if (classpath_find(cp, name) != NULL) return true;
        slash = strrchr(name, '/');
        if (slash == NULL) return false;
        *slash = '$';
    }
}

/* The internal name of an existing class, or NULL. */
static char *find_class(const struct classpath *cp, const char *text, size_t len) {
    char *name = strndup(text, len);
    for (char *p = name; p != NULL && *p != '\0'; p++)
        if (*p == '.') *p = '/';
    if (name != NULL && len > 0 && find_spelling(cp, name)) return name;
    free(name);
    return NULL;
}

/* "m" or "m(I)V" behind the class name. */
static void set_method(struct target *t, const char *text) {
    size_t n = strcspn(text, "(");
    t->method = strndup(text, n);
    if (text[n] != '\0') t->desc = strdup(text + n);
}

bool target_init(struct target *t, const struct classpath *cp, const char *text, struct race_error *err) {
    *t = (struct target){0};
    size_t len = strcspn(text, "("); /* dots in a descriptor are none of ours */
    if (text[len] == '\0') t->cls = find_class(cp, text, len);
    if (t->cls != NULL) return true;
    size_t dot = len;
    while (dot > 0 && text[dot - 1] != '.') dot--;
    if (dot > 1) t->cls = find_class(cp, text, dot - 1);
    if (t->cls == NULL) {
        const char *missing = classpath_missing_count(cp) > 0 ? classpath_missing(cp, 0) : "";
        race_error_set_file(err, text);
        return race_fail(err, "no such class on the class path or in the JDK%s%s%s",
                         *missing ? ": there is no " : "", missing, *missing ? " to look in" : "");
    }
    set_method(t, text + dot);
    return true;
}

void target_release(struct target *t) {
    free(t->cls);
    free(t->method);
    free(t->desc);
    *t = (struct target){0};
}

bool target_has_method(const struct target *t, const struct program *p, method_id m) {
    const struct method_info *info = program_method(p, m);
    if (t->method != NULL && strcmp(program_str(p, info->name), t->method) != 0) return false;
    return t->desc == NULL || strcmp(program_str(p, info->desc), t->desc) == 0;
}

bool target_is_file(const char *text) {
    size_t n = strlen(text);
    return n > 6 && strcmp(text + n - 6, ".class") == 0 && access(text, F_OK) == 0;
}
