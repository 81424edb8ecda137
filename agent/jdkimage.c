#include "jdkimage.h"

#include <dlfcn.h>
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

/* The module of a class's package, or NULL; `name` gets the class name NUL-terminated. */
static const char *module_of(struct cf_str class_name, char *name, size_t room) {
    if (lib.image == NULL || class_name.n + 1 > room) return NULL;
    memcpy(name, class_name.p, class_name.n);
    name[class_name.n] = '\0';
    char *slash = strrchr(name, '/');
    if (slash == NULL) return NULL;
    *slash = '\0';
    const char *module = lib.package(lib.image, name);
    *slash = '/';
    return module;
}

bool jdkimage_has_package(struct cf_str class_name) {
    char name[1024];
    return module_of(class_name, name, sizeof name) != NULL;
}

uint8_t *jdkimage_read(struct cf_str class_name, size_t *size) {
    char name[1024];
    const char *module = module_of(class_name, name, sizeof name - 8);
    if (module == NULL) return NULL;
    strcat(name, ".class");
    int64_t n = 0;
    jimage_location where = lib.find(lib.image, module, "9.0", name, &n);
    uint8_t *bytes = where != 0 && n > 0 ? malloc((size_t)n) : NULL;
    if (bytes != NULL) {
        lib.get(lib.image, where, (char *)bytes, n);
        *size = (size_t)n;
    }
    return bytes;
}
