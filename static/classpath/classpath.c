/* Opening, look-up and reading. */
#include "source.h"

#include "race/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool open_all(struct classpath *cp, const struct classpath_options *options, struct race_error *err) {
    /* Source 0 is the JDK, so that a zeroed class means it. */
    vec_push(&cp->sources, ((struct source){.kind = SOURCE_JDK}));
    /* The JDK first: its release selects the versions of multi-release jars. */
    if (!options->no_jdk && (cp->jdk = jdk_open(options->jdk_home, err)) == NULL) return false;
    if (options->path != NULL && options->path[0] != '\0' && !classpath_expand(cp, options->path, err))
        return false;
    return classpath_index(cp, err);
}

struct classpath *classpath_open(const struct classpath_options *options, struct race_error *err) {
    struct classpath *cp = calloc(1, sizeof *cp);
    if (cp == NULL) {
        race_fail(err, "out of memory");
        return NULL;
    }
    arena_init(&cp->arena);
    if (open_all(cp, options, err)) return cp;
    classpath_free(cp);
    return NULL;
}

void classpath_free(struct classpath *cp) {
    if (cp == NULL) return;
    for (size_t i = 0; i < cp->sources.n; i++) free(cp->sources.v[i].path);
    for (size_t i = 0; i < cp->archives.n; i++) archive_free(cp->archives.v[i]);
    vec_release(&cp->sources);
    vec_release(&cp->archives);
    vec_release(&cp->classes);
    classpath_names_release(&cp->missing);
    free(cp->table);
    jdk_free(cp->jdk);
    arena_release(&cp->arena);
    free(cp);
}

const char *classpath_jdk_home(const struct classpath *cp) {
    return cp->jdk != NULL ? jdk_home(cp->jdk) : NULL;
}

int classpath_jdk_release(const struct classpath *cp) {
    return cp->jdk != NULL ? jdk_release(cp->jdk) : 0;
}

size_t classpath_missing_count(const struct classpath *cp) {
    return cp->missing.n;
}

const char *classpath_missing(const struct classpath *cp, size_t i) {
    return cp->missing.v[i];
}

size_t classpath_class_count(const struct classpath *cp, enum classpath_part part) {
    return cp->end[part] - cp->begin[part];
}

const struct classpath_class *classpath_class_at(const struct classpath *cp, enum classpath_part part,
                                                 size_t i) {
    return &cp->classes.v[cp->begin[part] + i];
}

const struct classpath_class *classpath_find(const struct classpath *cp, const char *name) {
    uint32_t at = classpath_lookup(cp, name, strlen(name));
    return at != 0 ? &cp->classes.v[at - 1] : NULL;
}

bool classpath_is_jdk(const struct classpath *cp, const char *name) {
    const struct classpath_class *c = classpath_find(cp, name);
    return c != NULL && c->part == CLASSPATH_JDK;
}

/* ---- bytes ---- */

/* read() may deliver less than asked for, and the file may shrink meanwhile. */
static bool read_fd(int fd, size_t size, uint8_t *buf, struct race_error *err) {
    for (size_t have = 0; have < size;) {
        ssize_t n = read(fd, buf + have, size - have);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return race_fail(err, "cannot read: %s", strerror(errno));
        if (n == 0) return race_fail(err, "became shorter while it was read");
        have += (size_t)n;
    }
    return true;
}

static bool read_open_file(int fd, size_t limit, const char *kind, uint8_t **data, size_t *size,
                           struct race_error *err) {
    struct stat st;
    if (fstat(fd, &st) != 0) return race_fail(err, "cannot read: %s", strerror(errno));
    if (!S_ISREG(st.st_mode)) return race_fail(err, "not a regular file");
    if ((uintmax_t)st.st_size > limit)
        return race_fail(err, "size of %lld bytes is more than the %zu MB allowed for %s",
                         (long long)st.st_size, limit >> 20, kind);
    uint8_t *buf = malloc((size_t)st.st_size + 1);
    if (buf == NULL) return race_fail(err, "out of memory");
    if (!read_fd(fd, (size_t)st.st_size, buf, err)) {
        free(buf);
        return false;
    }
    *data = buf;
    *size = (size_t)st.st_size;
    return true;
}

bool classpath_read_file(const char *path, size_t limit, const char *kind, uint8_t **data, size_t *size,
                         struct race_error *err) {
    /* O_NONBLOCK: a named pipe must not hang the tool. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool ok = fd >= 0 ? read_open_file(fd, limit, kind, data, size, err)
                      : race_fail(err, "cannot open: %s", strerror(errno));
    if (fd >= 0) close(fd);
    if (!ok) race_error_set_file(err, path);
    return ok;
}

/* "DIR/pkg/X.class", spelt as file names are. */
static char *file_of_class(const char *directory, const char *name) {
    size_t n = strlen(name);
    char *file = malloc(UTF8_ROOM(n)), *text = NULL;
    if (file == NULL) return NULL;
    utf8_clean(file, name);
    int len = asprintf(&text, "%s/%s.class", directory, file);
    free(file);
    return len < 0 ? NULL : text;
}

char *classpath_origin(const struct classpath *cp, const struct classpath_class *cls) {
    const struct source *s = &cp->sources.v[cls->source];
    char *text = NULL;
    int n = 0;
    switch (s->kind) {
    case SOURCE_JDK: n = asprintf(&text, "jrt:/%s/%s.class", cls->module, cls->name); break;
    case SOURCE_FILE: text = strdup(s->path); break;
    case SOURCE_ARCHIVE: text = archive_origin(s->archive, (uint32_t)cls->where); break;
    case SOURCE_DIRECTORY: text = file_of_class(s->path, cls->name); break;
    }
    return n < 0 ? NULL : text;
}

/* Every way to fail leaves the bytes released and the origin in the error. */
bool classpath_read(const struct classpath *cp, const struct classpath_class *cls,
                    struct classpath_bytes *bytes, struct race_error *err) {
    const struct source *s = &cp->sources.v[cls->source];
    bool ok = false;
    *bytes = (struct classpath_bytes){.origin = classpath_origin(cp, cls)};
    if (bytes->origin == NULL) return race_fail(err, "out of memory");
    switch (s->kind) {
    case SOURCE_JDK:
        ok = jdk_read(cp->jdk, cls->module, cls->name, CLASSPATH_MAX_CLASS, &bytes->data, &bytes->size, err);
        break;
    case SOURCE_ARCHIVE:
        ok = archive_read(s->archive, (uint32_t)cls->where, CLASSPATH_MAX_CLASS, "a class", &bytes->data,
                          &bytes->size, err);
        break;
    case SOURCE_FILE:
    case SOURCE_DIRECTORY:
        ok = classpath_read_file(bytes->origin, CLASSPATH_MAX_CLASS, "a class", &bytes->data, &bytes->size,
                                 err);
        break;
    }
    if (!ok) {
        race_error_set_file(err, bytes->origin);
        classpath_bytes_release(bytes);
    }
    return ok;
}

void classpath_bytes_release(struct classpath_bytes *bytes) {
    free(bytes->data);
    free(bytes->origin);
    *bytes = (struct classpath_bytes){0};
}

/* ---- small helpers ---- */

bool classpath_ends_with(const char *s, const char *suffix) {
    size_t n = strlen(s), k = strlen(suffix);
    return n > k && strcmp(s + n - k, suffix) == 0;
}

void classpath_names_add(struct classpath_names *names, const char *s, size_t len) {
    vec_push(names, strndup(s, len));
}

void classpath_names_release(struct classpath_names *names) {
    for (size_t i = 0; i < names->n; i++) free(names->v[i]);
    vec_release(names);
}
