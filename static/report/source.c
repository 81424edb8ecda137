/*
 * Source files by class, read once and kept in lines.  A file that is not found is remembered too, so that a
 * report without sources does not probe the disk for every race.
 */
#include "source.h"

#include "names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uthash.h>

struct source_file {
    const char *key;    /* "pkg/C.java" */
    const char *path;   /* where it was found, or the key */
    const char **lines; /* NULL if it was not found */
    size_t n_lines;
    UT_hash_handle hh;
};

static const char *const layouts[] = {
    "", "src/main/java/", "src/test/java/", "src/main/kotlin/", "src/test/kotlin/", "src/", "java/", "test/"};

void sources_init(struct sources *s, const struct report_print_options *o) {
    *s = (struct sources){.folders = o->sources, .n_folders = o->n_sources};
    arena_init(&s->arena);
}

void sources_release(struct sources *s) {
    HASH_CLEAR(hh, s->files);
    arena_release(&s->arena);
}

/* "pkg.Outer$Inner" in "Outer.java" -> "pkg/Outer.java" */
static const char *key_of(struct sources *s, const struct report_access *a) {
    size_t package = (size_t)(name_last(a->cls) - a->cls);
    const char *simple = a->cls + package;
    char *key;
    if (a->file != NULL)
        key = arena_printf(&s->arena, "%.*s%s", (int)package, a->cls, a->file);
    else
        key = arena_printf(&s->arena, "%.*s%.*s.java", (int)package, a->cls,
                           (int)(1 + strcspn(*simple != '\0' ? simple + 1 : simple, "$")), simple);
    for (size_t i = 0; i < package; i++)
        if (key[i] == '.') key[i] = '/';
    return key;
}

static char *read_file(struct sources *s, const char *path) {
    enum { TOO_LARGE = 16 << 20 }; /* no source file; somebody's data */
    FILE *f = fopen(path, "re");
    if (f == NULL) return NULL;
    char *text = NULL;
    long size;
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && size < TOO_LARGE) {
        rewind(f);
        char *raw = arena_alloc(&s->arena, (size_t)size + 1);
        raw[fread(raw, 1, (size_t)size, f)] = '\0';
        text = (char *)text_clean(&s->arena, raw);
    }
    fclose(f);
    return text;
}

static void cut_lines(struct sources *s, struct source_file *file, char *text) {
    size_t n = 1;
    for (const char *p = text; (p = strchr(p, '\n')) != NULL; p++) n++;
    file->lines = ARENA_NEW_N(&s->arena, n, const char *);
    for (char *line = text; line != NULL;) {
        file->lines[file->n_lines++] = line;
        char *eol = strchr(line, '\n');
        if (eol != NULL) *eol = '\0';
        size_t len = strlen(line);
        if (len > 0 && line[len - 1] == '\r') line[len - 1] = '\0';
        line = eol != NULL ? eol + 1 : NULL;
    }
}

/* Below the current folder a path is written relative to it, so that a CI finds the file in its checkout. */
static const char *relative(struct sources *s, const char *path) {
    char here[4096];
    while (strncmp(path, "./", 2) == 0) path += 2;
    if (*path != '/' || getcwd(here, sizeof here) == NULL) return path;
    char *real = realpath(path, NULL);
    const char *copy = real != NULL ? arena_strdup(&s->arena, real) : path;
    free(real);
    size_t n = strlen(here);
    return strncmp(copy, here, n) == 0 && copy[n] == '/' ? copy + n + 1 : copy;
}

static void locate(struct sources *s, struct source_file *file) {
    for (size_t i = 0; i < s->n_folders; i++) {
        for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) {
            const char *dir = s->folders[i];
            size_t n = strlen(dir);
            const char *slash = n > 0 && dir[n - 1] == '/' ? "" : "/";
            const char *path = arena_printf(&s->arena, "%s%s%s%s", dir, slash, layouts[k], file->key);
            char *text = read_file(s, path);
            if (text == NULL) continue;
            file->path = relative(s, path);
            cut_lines(s, file, text);
            return;
        }
    }
}

static struct source_file *find(struct sources *s, const struct report_access *a) {
    const char *key = key_of(s, a);
    struct source_file *file;
    HASH_FIND_STR(s->files, key, file);
    if (file != NULL) return file;
    file = ARENA_NEW(&s->arena, struct source_file);
    file->key = file->path = key;
    locate(s, file);
    HASH_ADD_KEYPTR(hh, s->files, file->key, strlen(file->key), file);
    return file;
}

const char *sources_path(struct sources *s, const struct report_access *a) {
    return find(s, a)->path;
}

const char *sources_line(struct sources *s, const struct report_access *a, int line) {
    if (s->n_folders == 0 || line < 1) return NULL;
    struct source_file *file = find(s, a);
    return (size_t)line <= file->n_lines ? file->lines[line - 1] : NULL;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

size_t sources_column(const char *line, const char *field) {
    const char *name = name_last(field);
    size_t n = strlen(name);
    for (const char *p = line; n > 0 && (p = strstr(p, name)) != NULL; p++)
        if ((p == line || !is_word(p[-1])) && !is_word(p[n])) return (size_t)(p - line);
    return strspn(line, " \t");
}
