#include "jdkimage.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C functions of libjimage.so, the same in JDK 9 to 25. */
typedef void *jimage;
typedef int64_t jimage_location;
typedef jimage jimage_open_fn(const char *name, int *error);
typedef const char *jimage_package_fn(jimage image, const char *package);
typedef jimage_location jimage_find_fn(jimage image, const char *module, const char *version,
                                       const char *name, int64_t *size);
typedef int64_t jimage_get_fn(jimage image, jimage_location where, char *buffer, int64_t size);

/* Set once by jdkimage_open() before any class is rewritten, read-only after. */
static struct {
    jimage image;
    jimage_package_fn *package;
    jimage_find_fn *find;
    jimage_get_fn *get;
} lib;

bool jdkimage_open(const char *java_home, struct race_error *err) {
    char path[4096];
    snprintf(path, sizeof path, "%s/lib/libjimage.so", java_home);
    void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (so == NULL) return race_fail(err, "cannot load %s", path);
    jimage_open_fn *open = (jimage_open_fn *)dlsym(so, "JIMAGE_Open");
    lib.package = (jimage_package_fn *)dlsym(so, "JIMAGE_PackageToModule");
    lib.find = (jimage_find_fn *)dlsym(so, "JIMAGE_FindResource");
    lib.get = (jimage_get_fn *)dlsym(so, "JIMAGE_GetResource");
    if (open == NULL || lib.package == NULL || lib.find == NULL || lib.get == NULL)
        return race_fail(err, "%s: not the library of a supported JDK", path);
    snprintf(path, sizeof path, "%s/lib/modules", java_home);
    int error = 0;
    lib.image = open(path, &error);
    return lib.image != NULL || race_fail(err, "%s: not a run-time image (error %d)", path, error);
}

/* What was asked of a package before: rewriting asks for the owner of every field, and the library takes a
 * microsecond and several allocations to answer.  Any thread; entries are never changed nor removed. */
struct package {
    struct package *next;
    const char *module; /* NULL if the JDK has no such package */
    size_t n;
    char name[]; /* not terminated */
};
enum { BUCKETS = 256 };
static _Atomic(struct package *) packages[BUCKETS];

static struct package *package_find(struct package *p, const char *name, size_t n) {
    while (p != NULL && (p->n != n || memcmp(p->name, name, n) != 0)) p = p->next;
    return p;
}

static void package_add(_Atomic(struct package *) *bucket, const char *name, size_t n, const char *module) {
    struct package *p = malloc(sizeof *p + n);
    if (p == NULL) return;
    p->module = module;
    p->n = n;
    memcpy(p->name, name, n);
    p->next = atomic_load(bucket);
    while (!atomic_compare_exchange_weak(bucket, &p->next, p)) continue;
}

/* The module of a class's package, or NULL. */
static const char *module_of(struct cf_str class_name) {
    char name[1024];
    size_t n = class_name.n;
    while (n > 0 && class_name.p[n - 1] != '/') n--;
    if (lib.image == NULL || n == 0 || n > sizeof name) return NULL;
    uint32_t hash = 0;
    for (size_t i = 0; i < n; i++) hash = hash * 31 + (unsigned char)class_name.p[i];
    _Atomic(struct package *) *bucket = &packages[hash % BUCKETS];
    const struct package *known = package_find(atomic_load(bucket), class_name.p, n);
    if (known != NULL) return known->module;
    memcpy(name, class_name.p, n);
    name[n - 1] = '\0';
    const char *module = lib.package(lib.image, name);
    package_add(bucket, class_name.p, n, module);
    return module;
}

bool jdkimage_has_package(struct cf_str class_name) {
    return module_of(class_name) != NULL;
}

uint8_t *jdkimage_read(struct cf_str class_name, size_t *size) {
    char name[1024];
    const char *module = module_of(class_name);
    if (module == NULL || class_name.n > sizeof name - 8) return NULL;
    snprintf(name, sizeof name, "%.*s.class", (int)class_name.n, class_name.p);
    int64_t n = 0;
    jimage_location where = lib.find(lib.image, module, "9.0", name, &n);
    uint8_t *bytes = where != 0 && n > 0 ? malloc((size_t)n) : NULL;
    if (bytes != NULL) {
        lib.get(lib.image, where, (char *)bytes, n);
        *size = (size_t)n;
    }
    return bytes;
}
