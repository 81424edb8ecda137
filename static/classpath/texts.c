/* Text resources, and the classes of the application that they name. */
#include "source.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>

/* What configuration is written in.  Prose and templates (.txt, .html) are left out. */
static bool is_text(const char *name) {
    static const char *const suffixes[] = {".properties", ".xml",  ".conf", ".cfg",       ".config",
                                           ".ini",        ".json", ".yml",  ".factories", ".imports"};
    if (strncmp(name, "META-INF/services/", strlen("META-INF/services/")) == 0) return true;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (classpath_ends_with(name, suffixes[i])) return true;
    return false;
}

/* ---- names in a text ---- */

/* What a class name is made of here, as it is written for Class.forName(). */
static bool is_name_char(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '$' || c == '_' || c >= 0x80;
}

/* A word with a package, or of a nested class: words such as "Main" are no names in most texts. */
static void add_word(const struct classpath *cp, const char *word, size_t len,
                     struct classpath_names *names) {
    char name[512];
    if (len >= sizeof name || (memchr(word, '.', len) == NULL && memchr(word, '$', len) == NULL)) return;
    for (size_t i = 0; i < len; i++) name[i] = word[i] == '.' ? '/' : word[i];
    uint32_t at = classpath_lookup(cp, name, len);
    if (at != 0 && cp->classes.v[at - 1].part == CLASSPATH_APP) classpath_names_add(names, name, len);
}

static void scan(const struct classpath *cp, const struct classpath_bytes *bytes,
                 struct classpath_names *names) {
    const char *p = (const char *)bytes->data, *end = p + bytes->size;
    while (p < end) {
        const char *word = p;
        while (p < end && is_name_char((unsigned char)*p)) p++;
        if (p > word) add_word(cp, word, (size_t)(p - word), names);
        p++;
    }
}

/* ---- the resources ---- */

static bool scan_archive(const struct classpath *cp, const struct source *s, struct classpath_names *names,
                         struct race_error *err) {
    size_t skip = strlen(s->prefix);
    bool ok = true;
    for (size_t i = 0; i < archive_count(s->archive) && ok; i++) {
        const char *entry = archive_name(s->archive, i);
        struct classpath_bytes bytes = {0};
        if (strncmp(entry, s->prefix, skip) != 0 || !is_text(entry + skip)) continue;
        ok = archive_read(s->archive, i, CLASSPATH_MAX_RESOURCE, "a resource", &bytes.data, &bytes.size, err);
        if (ok) scan(cp, &bytes, names);
        classpath_bytes_release(&bytes);
    }
    return ok;
}

static bool scan_file(const struct classpath *cp, const char *path, struct classpath_names *names,
                      struct race_error *err) {
    struct classpath_bytes bytes = {0};
    bool ok = classpath_read_file(path, CLASSPATH_MAX_RESOURCE, "a resource", &bytes.data, &bytes.size, err);
    if (ok) scan(cp, &bytes, names);
    classpath_bytes_release(&bytes);
    return ok;
}

/* What cannot be opened was reported when the class path was. */
static bool scan_directory(const struct classpath *cp, const struct source *s, struct classpath_names *names,
                           struct race_error *err) {
    char *const roots[] = {s->path, NULL};
    size_t skip = strlen(s->path) + (strcmp(s->path, "/") != 0);
    FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    bool ok = true;
    if (walk == NULL) return true;
    for (FTSENT *e; ok && (e = fts_read(walk)) != NULL;)
        if (e->fts_info == FTS_F && is_text(e->fts_path + skip)) ok = scan_file(cp, e->fts_path, names, err);
    fts_close(walk);
    return ok;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void drop_repeated(struct classpath_names *names) {
    if (names->n > 1) qsort(names->v, names->n, sizeof *names->v, by_text);
    size_t kept = 0;
    for (size_t i = 0; i < names->n; i++) {
        if (kept > 0 && strcmp(names->v[kept - 1], names->v[i]) == 0)
            free(names->v[i]);
        else
            names->v[kept++] = names->v[i];
    }
    names->n = kept;
}

bool classpath_named_classes(const struct classpath *cp, struct classpath_names *names,
                             struct race_error *err) {
    bool ok = true;
    for (size_t i = 0; i < cp->sources.n && ok; i++) {
        const struct source *s = &cp->sources.v[i];
        if (s->kind == SOURCE_ARCHIVE) ok = scan_archive(cp, s, names, err);
        if (s->kind == SOURCE_DIRECTORY) ok = scan_directory(cp, s, names, err);
    }
    drop_repeated(names);
    return ok;
}
