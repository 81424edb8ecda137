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

/* The texts of one element. */
struct reading {
    const struct classpath *cp;
    uint32_t element;
    struct classpath_mentions *mentions;
};

/* ---- names in a text ---- */

/* What a class name is made of here, as it is written for Class.forName(). */
static bool is_name_char(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '$' || c == '_' || c >= 0x80;
}

/* A word with a package, or of a nested class: words such as "Main" are no names in most texts. */
static void add_word(const struct reading *r, const char *word, size_t len) {
    char name[512];
    if (len >= sizeof name || (memchr(word, '.', len) == NULL && memchr(word, '$', len) == NULL)) return;
    for (size_t i = 0; i < len; i++) name[i] = word[i] == '.' ? '/' : word[i];
    uint32_t at = classpath_lookup(r->cp, name, len);
    if (at == 0 || r->cp->classes.v[at - 1].part != CLASSPATH_APP) return;
    vec_push(r->mentions, ((struct classpath_mention){strndup(name, len), r->element}));
}

static void scan(const struct reading *r, const struct classpath_bytes *bytes) {
    const char *p = (const char *)bytes->data, *end = p + bytes->size;
    while (p < end) {
        const char *word = p;
        while (p < end && is_name_char((unsigned char)*p)) p++;
        if (p > word) add_word(r, word, (size_t)(p - word));
        p++;
    }
}

/* ---- the resources ---- */

static bool scan_archive(const struct reading *r, const struct source *s, struct race_error *err) {
    size_t skip = strlen(s->prefix);
    bool ok = true;
    for (size_t i = 0; i < archive_count(s->archive) && ok; i++) {
        const char *entry = archive_name(s->archive, i);
        struct classpath_bytes bytes = {0};
        if (strncmp(entry, s->prefix, skip) != 0 || !is_text(entry + skip)) continue;
        ok = archive_read(s->archive, i, CLASSPATH_MAX_RESOURCE, "a resource", &bytes.data, &bytes.size, err);
        if (ok) scan(r, &bytes);
        classpath_bytes_release(&bytes);
    }
    return ok;
}

static bool scan_file(const struct reading *r, const char *path, struct race_error *err) {
    struct classpath_bytes bytes = {0};
    bool ok = classpath_read_file(path, CLASSPATH_MAX_RESOURCE, "a resource", &bytes.data, &bytes.size, err);
    if (ok) scan(r, &bytes);
    classpath_bytes_release(&bytes);
    return ok;
}

/* What cannot be opened was reported when the class path was. */
static bool scan_directory(const struct reading *r, const struct source *s, struct race_error *err) {
    char *const roots[] = {s->path, NULL};
    size_t skip = strlen(s->path) + (strcmp(s->path, "/") != 0);
    FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    bool ok = true;
    if (walk == NULL) return true;
    for (FTSENT *e; ok && (e = fts_read(walk)) != NULL;)
        if (e->fts_info == FTS_F && is_text(e->fts_path + skip)) ok = scan_file(r, e->fts_path, err);
    fts_close(walk);
    return ok;
}

static int by_name(const void *a, const void *b) {
    const struct classpath_mention *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->element > y->element) - (x->element < y->element);
}

static void drop_repeated(struct classpath_mentions *mentions) {
    if (mentions->n > 1) qsort(mentions->v, mentions->n, sizeof *mentions->v, by_name);
    size_t kept = 0;
    for (size_t i = 0; i < mentions->n; i++) {
        if (kept > 0 && by_name(&mentions->v[kept - 1], &mentions->v[i]) == 0)
            free(mentions->v[i].name);
        else
            mentions->v[kept++] = mentions->v[i];
    }
    mentions->n = kept;
}

bool classpath_named_classes(const struct classpath *cp, struct classpath_mentions *mentions,
                             struct race_error *err) {
    bool ok = true;
    for (size_t i = 0; i < cp->sources.n && ok; i++) {
        const struct source *s = &cp->sources.v[i];
        struct reading r = {cp, (uint32_t)i, mentions};
        if (s->kind == SOURCE_ARCHIVE) ok = scan_archive(&r, s, err);
        if (s->kind == SOURCE_DIRECTORY) ok = scan_directory(&r, s, err);
    }
    drop_repeated(mentions);
    return ok;
}

void classpath_mentions_release(struct classpath_mentions *mentions) {
    for (size_t i = 0; i < mentions->n; i++) free(mentions->v[i].name);
    vec_release(mentions);
}
