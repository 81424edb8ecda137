/* Zip archives: a pool of libzip handles, and reading that believes nothing. */
#include "archive.h"

#include "race/arena.h" /* names */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

/* Idle handles kept per archive: each holds an open file, and file descriptors are scarcer than memory. */
enum { MAX_IDLE = 4 };

struct archive {
    char *label;
    char *path;    /* NULL for an archive in memory */
    uint8_t *data; /* its bytes, shared by all its handles; never change */
    size_t size;

    struct arena arena; /* names; written only while opening */
    const char **names;
    size_t n;

    pthread_mutex_t lock; /* guards the two below */
    zip_t *idle[MAX_IDLE];
    size_t n_idle;
};

static bool fail_zip(struct race_error *err, const char *label, const char *doing, zip_error_t *cause) {
    race_error_set_file(err, label);
    return race_fail(err, "%s%s", doing, zip_error_strerror(cause));
}

/* A handle is a file descriptor and its own copy of the directory, or the latter over shared bytes. */
static zip_t *open_handle(const struct archive *a, struct race_error *err) {
    zip_error_t cause;
    zip_error_init(&cause);
    zip_source_t *src = a->path != NULL ? zip_source_file_create(a->path, 0, -1, &cause)
                                        : zip_source_buffer_create(a->data, a->size, 0, &cause);
    zip_t *z = src != NULL ? zip_open_from_source(src, ZIP_RDONLY, &cause) : NULL;
    if (z == NULL) {
        if (src != NULL) zip_source_free(src);
        if (zip_error_code_zip(&cause) == ZIP_ER_NOZIP) {
            race_error_set_file(err, a->label);
            race_fail(err, "not a zip archive");
        } else {
            fail_zip(err, a->label, "cannot open archive: ", &cause);
        }
    }
    zip_error_fini(&cause);
    return z;
}

/* The lock is held only to move a pointer; opening and reading happen outside of it. */
static zip_t *take_handle(struct archive *a, struct race_error *err) {
    pthread_mutex_lock(&a->lock);
    zip_t *z = a->n_idle > 0 ? a->idle[--a->n_idle] : NULL;
    pthread_mutex_unlock(&a->lock);
    return z != NULL ? z : open_handle(a, err);
}

static void give_handle(struct archive *a, zip_t *z) {
    pthread_mutex_lock(&a->lock);
    bool kept = a->n_idle < MAX_IDLE;
    if (kept) a->idle[a->n_idle++] = z;
    pthread_mutex_unlock(&a->lock);
    if (!kept) zip_discard(z);
}

/* Copies the names once, so that the index and the messages need no handle. */
static bool read_names(struct archive *a, struct race_error *err) {
    zip_t *z = open_handle(a, err);
    if (z == NULL) return false;
    zip_int64_t n = zip_get_num_entries(z, 0);
    a->n = n > 0 ? (size_t)n : 0;
    a->names = ARENA_NEW_N(&a->arena, a->n, const char *);
    for (size_t i = 0; i < a->n; i++) {
        const char *name = zip_get_name(z, i, ZIP_FL_ENC_GUESS);
        a->names[i] = name != NULL ? arena_strdup(&a->arena, name) : "";
    }
    give_handle(a, z);
    return true;
}

/* Takes over `path` and `data`, whatever happens, so that callers have one case less to clean up. */
static struct archive *open_archive(char *path, uint8_t *data, size_t size, const char *label,
                                    struct race_error *err) {
    struct archive *a = calloc(1, sizeof *a);
    if (a == NULL) {
        race_fail(err, "out of memory");
        free(path);
        free(data);
        return NULL;
    }
    a->path = path;
    a->data = data;
    a->size = size;
    a->label = strdup(label);
    arena_init(&a->arena);
    pthread_mutex_init(&a->lock, NULL);
    if (a->label != NULL && read_names(a, err)) return a;
    archive_free(a);
    return NULL;
}

struct archive *archive_open_file(const char *path, const char *label, struct race_error *err) {
    char *copy = strdup(path);
    if (copy != NULL) return open_archive(copy, NULL, 0, label, err);
    race_fail(err, "out of memory");
    return NULL;
}

struct archive *archive_open_memory(uint8_t *data, size_t size, const char *label, struct race_error *err) {
    return open_archive(NULL, data, size, label, err);
}

void archive_free(struct archive *a) {
    if (a == NULL) return;
    for (size_t i = 0; i < a->n_idle; i++) zip_discard(a->idle[i]);
    pthread_mutex_destroy(&a->lock);
    arena_release(&a->arena);
    free(a->label);
    free(a->path);
    free(a->data);
    free(a);
}

const char *archive_label(const struct archive *a) {
    return a->label;
}

size_t archive_count(const struct archive *a) {
    return a->n;
}

const char *archive_name(const struct archive *a, size_t index) {
    return a->names[index];
}

int64_t archive_locate(const struct archive *a, const char *name) {
    for (size_t i = a->n; i-- > 0;)
        if (strcmp(a->names[i], name) == 0) return (int64_t)i;
    return -1;
}

char *archive_origin(const struct archive *a, size_t index) {
    char *s;
    return asprintf(&s, "%s!/%s", a->label, a->names[index]) < 0 ? NULL : s;
}

/* Reads to the end of the entry, one byte further than declared, because only the end makes libzip compare
 * the checksum. */
static bool read_all(zip_file_t *f, uint8_t *buf, size_t declared, struct race_error *err) {
    size_t have = 0;
    for (;;) {
        zip_int64_t n = zip_fread(f, buf + have, declared + 1 - have);
        if (n < 0) return race_fail(err, "corrupt entry: %s", zip_error_strerror(zip_file_get_error(f)));
        if (n == 0) break;
        have += (size_t)n;
        if (have > declared)
            return race_fail(err, "corrupt entry: larger than its declared %zu bytes", declared);
    }
    if (have < declared)
        return race_fail(err, "corrupt entry: ends after %zu of its declared %zu bytes", have, declared);
    return true;
}

/* The declared size is compared with the limit before a byte is allocated: that is the whole defence against
 * bombs, because read_all() stops one byte after it. */
static bool read_entry(zip_t *z, size_t index, size_t limit, const char *kind, uint8_t **data, size_t *size,
                       struct race_error *err) {
    zip_stat_t st;
    if (zip_stat_index(z, index, 0, &st) != 0 || !(st.valid & ZIP_STAT_SIZE))
        return race_fail(err, "corrupt entry: %s", zip_error_strerror(zip_get_error(z)));
    if (st.size > limit)
        return race_fail(err, "declared size of %llu bytes is more than the %zu MB allowed for %s",
                         (unsigned long long)st.size, limit >> 20, kind);
    zip_file_t *f = zip_fopen_index(z, index, 0);
    if (f == NULL) return race_fail(err, "corrupt entry: %s", zip_error_strerror(zip_get_error(z)));
    uint8_t *buf = malloc((size_t)st.size + 1);
    bool ok = buf != NULL ? read_all(f, buf, (size_t)st.size, err) : race_fail(err, "out of memory");
    zip_fclose(f);
    if (!ok) {
        free(buf);
        return false;
    }
    *data = buf;
    *size = (size_t)st.size;
    return true;
}

bool archive_read(struct archive *a, size_t index, size_t limit, const char *kind, uint8_t **data,
                  size_t *size, struct race_error *err) {
    zip_t *z = take_handle(a, err);
    if (z == NULL) return false;
    bool ok = read_entry(z, index, limit, kind, data, size, err);
    give_handle(a, z); /* libzip handles survive a corrupt entry */
    if (!ok) {
        char *origin = archive_origin(a, index);
        race_error_set_file(err, origin != NULL ? origin : a->label);
        free(origin);
    }
    return ok;
}
