/* The JDK: finding it, telling its release, and its run-time image through libjimage. */
#include "jdk.h"

#include <dlfcn.h>
#include <limits.h> /* PATH_MAX */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h> /* access */

/* libjimage's interface (jimage.hpp of the JDK), unchanged from 9 to 25. */
typedef struct jimage_file jimage_file;
typedef int64_t jimage_location; /* 0: not found */
typedef bool jimage_visitor(jimage_file *image, const char *module, const char *version, const char *package,
                            const char *name, const char *extension, void *arg);
typedef jimage_file *jimage_open_fn(const char *path, int32_t *error);
typedef void jimage_close_fn(jimage_file *image);
typedef jimage_location jimage_find_fn(jimage_file *image, const char *module, const char *version,
                                       const char *name, int64_t *size);
typedef int64_t jimage_get_fn(jimage_file *image, jimage_location where, char *buf, int64_t size);
typedef void jimage_iterate_fn(jimage_file *image, jimage_visitor *visitor, void *arg);

/* libjimage ignores the version but insists on being given one. */
#define IMAGE_VERSION "9.0"

struct jdk {
    char *home;
    int release;
    void *libjvm, *libjimage; /* dlopen handles */
    jimage_file *image;
    jimage_close_fn *close;
    jimage_find_fn *find;
    jimage_get_fn *get;
    jimage_iterate_fn *iterate;
};

static bool has_file(const char *home, const char *relative) {
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/%s", home, relative);
    return n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0;
}

/* The JDK of `dir`/java: the target of all symbolic links without its bin/java. */
static char *home_of_java_in(const char *dir, size_t len) {
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%.*s/java", (int)len, dir);
    if (n < 0 || (size_t)n >= sizeof path || access(path, X_OK) != 0) return NULL;
    char *real = realpath(path, NULL);
    for (int up = 0; up < 2 && real != NULL; up++) {
        char *slash = strrchr(real, '/');
        if (slash != NULL) *slash = '\0';
    }
    return real;
}

static char *default_home(struct race_error *err) {
    const char *path = getenv("PATH");
    for (const char *p = path != NULL ? path : "", *end; *p != '\0'; p = *end != '\0' ? end + 1 : end) {
        end = strchrnul(p, ':');
        char *home = end > p ? home_of_java_in(p, (size_t)(end - p)) : NULL;
        /* A wrapper script or an old JRE is not what we look for; a later one may be. */
        if (home != NULL && has_file(home, "lib/modules")) return home;
        free(home);
    }
    const char *java_home = getenv("JAVA_HOME");
    if (java_home != NULL && has_file(java_home, "lib/modules")) return strdup(java_home);
    race_fail(err, "no JDK found: put `java` of a JDK 9 or later on PATH or give --jdk HOME");
    return NULL;
}

/* JAVA_VERSION="17.0.15" or "1.8.0_292" in HOME/release; 0 if that does not say. */
static int read_release_file(const char *home) {
    char path[PATH_MAX], line[512];
    int n = snprintf(path, sizeof path, "%s/release", home);
    FILE *f = n > 0 && (size_t)n < sizeof path ? fopen(path, "r") : NULL;
    if (f == NULL) return 0;
    int major = 0, minor = 0;
    while (major == 0 && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "JAVA_VERSION=\"%d.%d", &major, &minor) < 1) major = 0;
    fclose(f);
    return major == 1 ? minor : major;
}

/* Without a release file: class files of release N have the major version N + 44. */
static int guess_release(const struct jdk *j) {
    uint8_t *data = NULL;
    size_t size = 0;
    struct race_error ignored = {0};
    if (!jdk_read(j, "java.base", "java/lang/Object", 1 << 20, &data, &size, &ignored)) return 0;
    int major = size >= 8 ? data[6] << 8 | data[7] : 0;
    free(data);
    return major > 44 ? major - 44 : 0;
}

/* libjimage names libjvm as a dependency (without using anything of it) and does not say where it is, so it
 * is loaded first; the loader then finds it by its name. */
static void *load_libjimage(struct jdk *j, struct race_error *err) {
    static const char *const variants[] = {"server", "client", "minimal", "zero"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof variants / sizeof *variants && j->libjvm == NULL; i++) {
        snprintf(path, sizeof path, "%s/lib/%s/libjvm.so", j->home, variants[i]);
        if (access(path, R_OK) == 0) j->libjvm = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    }
    snprintf(path, sizeof path, "%s/lib/libjimage.so", j->home);
    void *lib = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (lib == NULL) race_fail(err, "cannot load lib/libjimage.so: %s", dlerror());
    return lib;
}

/* The functions are looked up by name, so that the tool neither links nor depends on any one JDK. */
static bool open_image(struct jdk *j, struct race_error *err) {
    j->libjimage = load_libjimage(j, err);
    if (j->libjimage == NULL) return false;
    jimage_open_fn *open = (jimage_open_fn *)dlsym(j->libjimage, "JIMAGE_Open");
    j->close = (jimage_close_fn *)dlsym(j->libjimage, "JIMAGE_Close");
    j->find = (jimage_find_fn *)dlsym(j->libjimage, "JIMAGE_FindResource");
    j->get = (jimage_get_fn *)dlsym(j->libjimage, "JIMAGE_GetResource");
    j->iterate = (jimage_iterate_fn *)dlsym(j->libjimage, "JIMAGE_ResourceIterator");
    if (open == NULL || j->close == NULL || j->find == NULL || j->get == NULL || j->iterate == NULL)
        return race_fail(err, "lib/libjimage.so lacks a function; JDK 9 to 25 have it");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/lib/modules", j->home);
    int32_t code = 0;
    j->image = open(path, &code);
    return j->image != NULL || race_fail(err, "lib/modules is not a run-time image (error %d)", (int)code);
}

static bool open_jdk(struct jdk *j, struct race_error *err) {
    /* Everything below appends short names to it in buffers of PATH_MAX. */
    if (strlen(j->home) > PATH_MAX - 64) return race_fail(err, "path is too long");
    if (!has_file(j->home, "lib/modules"))
        return race_fail(err, "not the home of a JDK 9 or later: there is no lib/modules in it");
    if (!open_image(j, err)) return false;
    j->release = read_release_file(j->home);
    if (j->release == 0) j->release = guess_release(j);
    return j->release > 0 || race_fail(err, "cannot tell the release of this JDK");
}

struct jdk *jdk_open(const char *home, struct race_error *err) {
    struct jdk *j = calloc(1, sizeof *j);
    if (j == NULL) {
        race_fail(err, "out of memory");
        return NULL;
    }
    j->home = home != NULL ? strdup(home) : default_home(err);
    if (j->home != NULL && open_jdk(j, err)) return j;
    if (j->home != NULL) race_error_set_file(err, j->home);
    jdk_free(j);
    return NULL;
}

void jdk_free(struct jdk *j) {
    if (j == NULL) return;
    if (j->image != NULL) j->close(j->image);
    /* The two libraries stay loaded: libjvm is not made to be unloaded. */
    free(j->home);
    free(j);
}

const char *jdk_home(const struct jdk *j) {
    return j->home;
}

int jdk_release(const struct jdk *j) {
    return j->release;
}

struct each_class {
    jdk_class_fn *fn;
    void *arg;
};

/* The image holds resources of all kinds; only classes matter here. */
static bool visit(jimage_file *image, const char *module, const char *version, const char *package,
                  const char *name, const char *extension, void *arg) {
    (void)image;
    (void)version;
    const struct each_class *e = arg;
    if (strcmp(extension, "class") == 0) e->fn(module, package, name, e->arg);
    return true;
}

void jdk_each_class(const struct jdk *j, jdk_class_fn *fn, void *arg) {
    struct each_class e = {.fn = fn, .arg = arg};
    j->iterate(j->image, visit, &e);
}

bool jdk_read(const struct jdk *j, const char *module, const char *name, size_t limit, uint8_t **data,
              size_t *size, struct race_error *err) {
    char path[1024];
    int n = snprintf(path, sizeof path, "%s.class", name);
    int64_t length = 0;
    jimage_location where =
        n > 0 && (size_t)n < sizeof path ? j->find(j->image, module, IMAGE_VERSION, path, &length) : 0;
    if (where == 0) return race_fail(err, "not in the run-time image of %s", j->home);
    if (length < 0 || (size_t)length > limit)
        return race_fail(err, "size of %lld bytes is more than the %zu MB allowed for a class",
                         (long long)length, limit >> 20);
    uint8_t *buf = malloc((size_t)length + 1);
    if (buf == NULL) return race_fail(err, "out of memory");
    if (j->get(j->image, where, (char *)buf, length) != length) {
        free(buf);
        return race_fail(err, "cannot be read from the run-time image of %s", j->home);
    }
    *data = buf;
    *size = (size_t)length;
    return true;
}
