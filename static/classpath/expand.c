/* From the path string to sources: wildcards, manifests and archives in archives. */
#include "manifest.h"
#include "source.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct file_id {
    dev_t dev;
    ino_t ino;
};

struct expansion {
    struct classpath *cp;
    VEC(struct file_id) seen; /* a file counts once however often and by whatever name it is reached */
    size_t nested_bytes;      /* unpacked so far */
    size_t found;
};

/* All nested jars of a path together; a run of small bombs is a bomb too. */
#define MAX_NESTED_TOTAL ((size_t)2 << 30)

/* Where web archives and Spring Boot jars keep the application. */
static const struct {
    const char *classes, *libraries;
} containers[] = {{"BOOT-INF/classes/", "BOOT-INF/lib/"}, {"WEB-INF/classes/", "WEB-INF/lib/"}};
enum { N_CONTAINERS = sizeof containers / sizeof *containers };

static bool add_element(struct expansion *x, const char *path, bool from_manifest, struct race_error *err);

static bool seen_before(struct expansion *x, const struct stat *st) {
    struct file_id id = {st->st_dev, st->st_ino}, *p;
    VEC_FOREACH (p, &x->seen)
        if (p->dev == id.dev && p->ino == id.ino) return true;
    vec_push(&x->seen, id);
    return false;
}

static char *join(const char *dir, const char *name) {
    char *s;
    return asprintf(&s, "%s/%s", dir, name) < 0 ? NULL : s;
}

/* ---- directories ---- */

/* All jars of a directory in the order of their names; the JVM leaves the order open. */
static bool add_jars_of(struct expansion *x, const char *dir, struct race_error *err) {
    char pattern[4096];
    size_t n = 0;
    /* The directory's own name must not act as a pattern. */
    for (const char *p = dir; *p != '\0' && n + 16 < sizeof pattern; p++) {
        if (strchr("*?[\\", *p) != NULL) pattern[n++] = '\\';
        pattern[n++] = *p;
    }
    strcpy(pattern + n, "/*.[jJ][aA][rR]");
    glob_t g;
    bool ok = true;
    if (glob(pattern, 0, NULL, &g) != 0) return true;
    for (size_t i = 0; i < g.gl_pathc && ok; i++) ok = add_element(x, g.gl_pathv[i], false, err);
    globfree(&g);
    return ok;
}

/* A directory of classes, which may be an unpacked web archive or Spring Boot jar. */
static bool add_directory(struct expansion *x, const char *path, struct race_error *err) {
    struct source s = {.kind = SOURCE_DIRECTORY, .path = strdup(path), .prefix = ""};
    /* "dir/" and "dir" give the same origins. */
    for (size_t n = s.path != NULL ? strlen(s.path) : 0; n > 1 && s.path[n - 1] == '/'; n--)
        s.path[n - 1] = '\0';
    vec_push(&x->cp->sources, s);
    bool ok = true;
    for (int i = 0; i < N_CONTAINERS && ok; i++) {
        char *classes = join(path, containers[i].classes), *libraries = join(path, containers[i].libraries);
        struct stat st;
        if (classes != NULL && stat(classes, &st) == 0) ok = add_element(x, classes, false, err);
        if (libraries != NULL && ok) {
            libraries[strlen(libraries) - 1] = '\0';
            ok = add_jars_of(x, libraries, err);
        }
        free(classes);
        free(libraries);
    }
    return ok;
}

/* ---- archives ---- */

/* An archive without a manifest is as good as one with an empty manifest. */
static bool read_manifest(struct archive *a, struct manifest *m, struct race_error *err) {
    *m = (struct manifest){0};
    int64_t at = archive_locate(a, "META-INF/MANIFEST.MF");
    uint8_t *text = NULL;
    size_t size = 0;
    if (at < 0) return true;
    if (!archive_read(a, (size_t)at, CLASSPATH_MAX_RESOURCE, "a manifest", &text, &size, err)) return false;
    manifest_init(m, (const char *)text, size);
    free(text);
    return true;
}

static void add_archive_source(struct expansion *x, struct archive *a, const char *prefix,
                               bool multi_release) {
    struct source s = {
        .kind = SOURCE_ARCHIVE, .archive = a, .prefix = prefix, .multi_release = multi_release};
    vec_push(&x->cp->sources, s);
}

static bool is_direct_jar(const char *name, const char *folder) {
    size_t n = strlen(folder);
    return strncmp(name, folder, n) == 0 && strchr(name + n, '/') == NULL &&
           classpath_ends_with(name, ".jar");
}

/* Unpacks a jar inside `outer`.  What it holds in turn is not looked at: nobody nests deeper. */
static bool add_nested(struct expansion *x, struct archive *outer, size_t index, struct race_error *err) {
    uint8_t *data = NULL;
    size_t size = 0;
    if (!archive_read(outer, index, CLASSPATH_MAX_NESTED_JAR, "a nested jar", &data, &size, err))
        return false;
    char *label = archive_origin(outer, index);
    x->nested_bytes += size;
    if (label == NULL || x->nested_bytes > MAX_NESTED_TOTAL) {
        free(data);
        if (label != NULL) race_error_set_file(err, label);
        free(label);
        return race_fail(err, "the nested jars up to this one take more than %zu MB", MAX_NESTED_TOTAL >> 20);
    }
    struct archive *a = archive_open_memory(data, size, label, err);
    free(label);
    if (a == NULL) return false;
    vec_push(&x->cp->archives, a);
    struct manifest m;
    if (!read_manifest(a, &m, err)) return false;
    add_archive_source(x, a, "", m.multi_release);
    manifest_release(&m);
    return true;
}

/* The parts of a web archive or Spring Boot jar, in the order in which their loaders search. */
static bool add_contained(struct expansion *x, struct archive *a, struct race_error *err) {
    for (int c = 0; c < N_CONTAINERS; c++) {
        bool has_classes = false;
        for (size_t i = 0; i < archive_count(a) && !has_classes; i++)
            has_classes =
                strncmp(archive_name(a, i), containers[c].classes, strlen(containers[c].classes)) == 0;
        if (has_classes) add_archive_source(x, a, containers[c].classes, false);
        for (size_t i = 0; i < archive_count(a); i++)
            if (is_direct_jar(archive_name(a, i), containers[c].libraries) && !add_nested(x, a, i, err))
                return false;
    }
    return true;
}

/* The manifest's Class-Path: relative to the directory of the jar. */
static bool add_manifest_paths(struct expansion *x, const char *jar, const struct manifest *m,
                               struct race_error *err) {
    const char *slash = strrchr(jar, '/'), *at = m->class_path != NULL ? m->class_path : "";
    int dir = slash != NULL ? (int)(slash - jar + 1) : 0;
    bool ok = true;
    for (char *p; ok && (p = manifest_next_path(&at)) != NULL; free(p)) {
        char *full;
        if (asprintf(&full, "%.*s%s", p[0] == '/' ? 0 : dir, jar, p) < 0) continue;
        ok = add_element(x, full, true, err);
        free(full);
    }
    return ok;
}

/* An archive on the path: itself, what it contains, and what its manifest names. */
static bool add_archive(struct expansion *x, const char *path, struct race_error *err) {
    struct archive *a = archive_open_file(path, path, err);
    if (a == NULL) return false;
    vec_push(&x->cp->archives, a);
    struct manifest m;
    if (!read_manifest(a, &m, err)) return false;
    add_archive_source(x, a, "", m.multi_release);
    bool ok = add_contained(x, a, err) && add_manifest_paths(x, path, &m, err);
    manifest_release(&m);
    return ok;
}

/* ---- elements ---- */

/* One file or directory, however it was reached; recursion ends because each is taken once. */
static bool add_element(struct expansion *x, const char *path, bool from_manifest, struct race_error *err) {
    struct stat st;
    if (stat(path, &st) != 0) {
        /* Manifests written by build tools name many files that were never shipped. */
        if (!from_manifest) classpath_names_add(&x->cp->missing, path, strlen(path));
        return true;
    }
    x->found++;
    if (seen_before(x, &st)) return true;
    if (S_ISDIR(st.st_mode)) return add_directory(x, path, err);
    if (classpath_ends_with(path, ".class")) {
        struct source s = {.kind = SOURCE_FILE, .path = strdup(path), .prefix = ""};
        vec_push(&x->cp->sources, s);
        return true;
    }
    return add_archive(x, path, err);
}

/* One element of the path string: nothing, a wildcard, or a name. */
static bool add_spec(struct expansion *x, const char *spec, size_t len, struct race_error *err) {
    char *s = len > 0 ? strndup(spec, len) : strdup("."); /* as in the JVM, nothing is here */
    if (s == NULL) return race_fail(err, "out of memory");
    bool ok, wildcard = strcmp(s, "*") == 0 || classpath_ends_with(s, "/*");
    if (wildcard) {
        const char *dir = len > 1 ? (s[len - 2] = '\0', s) : ".";
        struct stat st;
        bool exists = stat(dir[0] != '\0' ? dir : "/", &st) == 0;
        x->found += exists;
        if (!exists) classpath_names_add(&x->cp->missing, spec, len);
        ok = add_jars_of(x, dir, err);
    } else {
        ok = add_element(x, s, false, err);
    }
    free(s);
    return ok;
}

bool classpath_expand(struct classpath *cp, const char *path, struct race_error *err) {
    struct expansion x = {.cp = cp};
    bool ok = true;
    for (const char *p = path; ok && p != NULL;) {
        size_t n = strcspn(p, ":");
        ok = add_spec(&x, p, n, err);
        p = p[n] == ':' ? p + n + 1 : NULL;
    }
    vec_release(&x.seen);
    if (ok && x.found == 0 && cp->missing.n > 0) {
        race_error_set_file(err, cp->missing.v[0]);
        ok = race_fail(err, cp->missing.n == 1
                                ? "no such file or directory"
                                : "no such file or directory, nor any other class path element");
    }
    return ok;
}
