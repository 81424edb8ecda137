#include "apppath.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

enum { MAX_ENTRIES = 4096, MAX_CLASS = 16 << 20, MAX_NAME = 4096 };

struct entry {
    char *path;
    zip_t *zip; /* NULL for a directory */
    bool usable;
};

/* Guarded by `lock`: libzip archives are not to be used by two threads. */
static struct entry entries[MAX_ENTRIES];
static size_t n_entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(const char *path, size_t n, int depth);

static uint8_t *read_stat(zip_t *zip, const char *name, size_t *size) {
    zip_stat_t st;
    zip_stat_init(&st);
    if (zip_stat(zip, name, 0, &st) != 0 || !(st.valid & ZIP_STAT_SIZE) || st.size > MAX_CLASS) return NULL;
    zip_file_t *f = zip_fopen_index(zip, st.index, 0);
    uint8_t *p = f == NULL ? NULL : malloc((size_t)st.size + 1);
    if (p != NULL && zip_fread(f, p, st.size) != (zip_int64_t)st.size) {
        free(p);
        p = NULL;
    }
    if (f != NULL) zip_fclose(f);
    if (p != NULL) p[st.size] = 0;
    *size = (size_t)st.size;
    return p;
}

/* Undoes the folding of manifest lines at 72 bytes. */
static void unfold(char *text) {
    char *to = text;
    for (char *from = text; *from != '\0'; from++) {
        if (*from == '\r') continue;
        if (*from == '\n' && from[1] == ' ')
            from++;
        else
            *to++ = *from;
    }
    *to = '\0';
}

/* Manifests have URLs: "%20" is a blank. */
static void unescape(char *url) {
    char *to = url;
    for (char *from = url; *from != '\0'; from++) {
        char hex[3] = {from[0] == '%' ? from[1] : '\0', '\0', '\0'}, *end;
        if (hex[0] != '\0') hex[1] = from[2];
        long c = strtol(hex, &end, 16);
        if (end == hex + 2 && c > 0) {
            *to++ = (char)c;
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

/* The path of a file: URL or of one without a scheme; NULL for those of another host. */
static char *path_of(char *url) {
    if (strncmp(url, "file:", 5) == 0) url += strncmp(url, "file:///", 8) == 0 ? 7 : 5;
    if (strchr(url, ':') != NULL) return NULL;
    unescape(url);
    return url;
}

/* The jars a manifest names, relative to the jar's own folder.  Build tools hand a long class path to a JVM
 * that way. */
static void add_manifest(const char *jar, zip_t *zip, int depth) {
    size_t size;
    char *text = (char *)read_stat(zip, "META-INF/MANIFEST.MF", &size);
    if (text == NULL) return;
    unfold(text);
    char *line = strstr(text, "Class-Path:");
    const char *slash = strrchr(jar, '/');
    int folder = slash == NULL ? 0 : (int)(slash - jar) + 1;
    if (line != NULL && (line == text || line[-1] == '\n')) {
        line[strcspn(line, "\n")] = '\0';
        char *save = NULL;
        for (char *url = strtok_r(line + 11, " ", &save); url != NULL; url = strtok_r(NULL, " ", &save)) {
            char path[MAX_NAME], *p = path_of(url);
            if (p == NULL) continue;
            int n = snprintf(path, sizeof path, "%.*s%s", p[0] == '/' ? 0 : folder, jar, p);
            if (n > 0 && n < (int)sizeof path) add(path, (size_t)n, depth + 1);
        }
    }
    free(text);
}

static bool known(const char *path, size_t n) {
    for (size_t i = 0; i < n_entries; i++)
        if (strncmp(entries[i].path, path, n) == 0 && entries[i].path[n] == '\0') return true;
    return false;
}

static void add(const char *path, size_t n, int depth) {
    if (n == 0 || n_entries == MAX_ENTRIES || depth > 8 || known(path, n)) return;
    struct entry *e = &entries[n_entries];
    struct stat st;
    e->path = strndup(path, n);
    if (e->path == NULL) return;
    n_entries++;
    if (stat(e->path, &st) != 0) return;
    e->usable = true;
    if (S_ISDIR(st.st_mode)) return;
    e->zip = zip_open(e->path, ZIP_RDONLY, NULL);
    e->usable = e->zip != NULL;
    if (e->usable) add_manifest(e->path, e->zip, depth);
}

void apppath_open(const char *class_path) {
    pthread_mutex_lock(&lock);
    for (const char *p = class_path; *p != '\0';) {
        size_t n = strcspn(p, ":");
        add(p, n, 0);
        p += n;
        if (*p == ':') p++;
    }
    pthread_mutex_unlock(&lock);
}

static uint8_t *read_plain(const char *folder, const char *name, size_t *size) {
    char path[2 * MAX_NAME];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return NULL;
    FILE *f = fopen(path, "rbe");
    if (f == NULL) return NULL;
    struct stat st;
    uint8_t *p = NULL;
    if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MAX_CLASS) {
        *size = (size_t)st.st_size;
        p = malloc(*size + 1);
    }
    if (p != NULL && fread(p, 1, *size, f) != *size) {
        free(p);
        p = NULL;
    }
    fclose(f);
    return p;
}

uint8_t *apppath_read(struct cf_str name, size_t *size) {
    char file[MAX_NAME];
    uint8_t *p = NULL;
    if (snprintf(file, sizeof file, "%.*s.class", (int)name.n, name.p) >= (int)sizeof file) return NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < n_entries && p == NULL; i++) {
        const struct entry *e = &entries[i];
        if (e->usable) p = e->zip != NULL ? read_stat(e->zip, file, size) : read_plain(e->path, file, size);
    }
    pthread_mutex_unlock(&lock);
    return p;
}
