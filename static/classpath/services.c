/* Resources, and the providers that java.util.ServiceLoader would find. */
#include "source.h"

#include "race/classfile.h" /* module-info */
#include "race/cursor.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- resources ---- */

/* Both leave bytes->data NULL if there is no such resource, which is no error. */
static bool read_archive_resource(const struct source *s, const char *name, struct classpath_bytes *bytes,
                                  struct race_error *err) {
    char *entry = NULL;
    if (asprintf(&entry, "%s%s", s->prefix, name) < 0) return race_fail(err, "out of memory");
    int64_t at = archive_locate(s->archive, entry);
    free(entry);
    if (at < 0) return true;
    bytes->origin = archive_origin(s->archive, (size_t)at);
    return archive_read(s->archive, (size_t)at, CLASSPATH_MAX_RESOURCE, "a resource", &bytes->data,
                        &bytes->size, err);
}

static bool read_directory_resource(const struct source *s, const char *name, struct classpath_bytes *bytes,
                                    struct race_error *err) {
    struct stat st;
    if (asprintf(&bytes->origin, "%s/%s", s->path, name) < 0) {
        bytes->origin = NULL;
        return race_fail(err, "out of memory");
    }
    if (stat(bytes->origin, &st) != 0 || !S_ISREG(st.st_mode)) return true;
    return classpath_read_file(bytes->origin, CLASSPATH_MAX_RESOURCE, "a resource", &bytes->data,
                               &bytes->size, err);
}

bool classpath_each_resource(const struct classpath *cp, const char *name, classpath_resource_fn *fn,
                             void *arg, struct race_error *err) {
    bool ok = true, more = true;
    for (size_t i = 0; i < cp->sources.n && ok && more; i++) {
        const struct source *s = &cp->sources.v[i];
        struct classpath_bytes bytes = {0};
        if (s->kind == SOURCE_ARCHIVE) ok = read_archive_resource(s, name, &bytes, err);
        if (s->kind == SOURCE_DIRECTORY) ok = read_directory_resource(s, name, &bytes, err);
        if (ok && bytes.data != NULL) more = fn(&bytes, arg);
        classpath_bytes_release(&bytes);
    }
    return ok;
}

/* ---- providers ---- */

/* Appends a class name, dotted or internal, unless it is there already. */
static void add_provider(struct classpath_names *names, const char *s, size_t len) {
    char *name = strndup(s, len);
    if (name == NULL) return;
    for (char *p = name; *p != '\0'; p++)
        if (*p == '.') *p = '/';
    bool known = false;
    for (size_t i = 0; i < names->n && !known; i++) known = strcmp(names->v[i], name) == 0;
    if (known)
        free(name);
    else
        vec_push(names, name);
}

/* A provider file: one name per line, '#' starts a comment. */
static bool add_listed(const struct classpath_bytes *bytes, void *arg) {
    const char *p = (const char *)bytes->data, *end = p + bytes->size;
    while (p < end) {
        const char *eol = p;
        while (eol < end && *eol != '\n' && *eol != '\r') eol++;
        const char *stop = memchr(p, '#', (size_t)(eol - p));
        if (stop == NULL) stop = eol;
        while (p < stop && isspace((unsigned char)*p)) p++;
        while (stop > p && isspace((unsigned char)stop[-1])) stop--;
        if (stop > p) add_provider(arg, p, (size_t)(stop - p));
        p = eol + 1;
    }
    return true;
}

static void skip_u2(struct cursor *c, size_t n) {
    cursor_bytes(c, n * 2);
}

/* exports and opens: index, flags, and the modules to which they are. */
static void skip_qualified(struct cursor *c) {
    for (unsigned n = cursor_u2(c); n > 0 && !c->failed; n--) {
        skip_u2(c, 2);
        skip_u2(c, cursor_u2(c));
    }
}

/* The Module attribute (JVMS 4.7.25) up to `provides S with P, Q`. */
static void add_provided(const struct cf_class *module, struct cursor c, const char *service,
                         struct classpath_names *names) {
    skip_u2(&c, 3);
    for (unsigned n = cursor_u2(&c); n > 0 && !c.failed; n--) skip_u2(&c, 3); /* requires */
    skip_qualified(&c);
    skip_qualified(&c);
    skip_u2(&c, cursor_u2(&c)); /* uses */
    for (unsigned n = cursor_u2(&c); n > 0 && !c.failed; n--) {
        bool wanted = cf_str_is(cf_class_name(module, cursor_u2(&c)), service);
        for (unsigned k = cursor_u2(&c); k > 0 && !c.failed; k--) {
            struct cf_str provider = cf_class_name(module, cursor_u2(&c));
            if (wanted && provider.n > 0) add_provider(names, provider.p, provider.n);
        }
    }
}

/* The providers of one module of the JDK.  Few services are ever asked for, so nothing is cached. */
static bool add_of_module(const struct classpath *cp, const struct classpath_class *info, const char *service,
                          struct classpath_names *names, struct race_error *err) {
    struct classpath_bytes bytes;
    struct cf_class module;
    if (!classpath_read(cp, info, &bytes, err)) return false;
    bool ok = cf_parse(&module, bytes.data, bytes.size, err);
    if (ok) {
        for (unsigned i = 0; i < module.attrs.n; i++) {
            const struct cf_attr *a = &module.attrs.v[i];
            if (cf_str_is(cf_utf8(&module, a->name), "Module"))
                add_provided(&module, cursor_make(bytes.data + a->offset + 6, a->length), service, names);
        }
        cf_class_release(&module);
    } else {
        race_error_set_file(err, bytes.origin);
    }
    classpath_bytes_release(&bytes);
    return ok;
}

bool classpath_providers(const struct classpath *cp, const char *service, struct classpath_names *providers,
                         struct race_error *err) {
    char *file = NULL;
    if (asprintf(&file, "META-INF/services/%s", service) < 0) return race_fail(err, "out of memory");
    for (char *p = file + strlen("META-INF/services/"); *p != '\0'; p++)
        if (*p == '/') *p = '.';
    bool ok = classpath_each_resource(cp, file, add_listed, providers, err);
    free(file);
    size_t n = classpath_class_count(cp, CLASSPATH_JDK_MODULES);
    for (size_t i = 0; i < n && ok; i++)
        ok = add_of_module(cp, classpath_class_at(cp, CLASSPATH_JDK_MODULES, i), service, providers, err);
    return ok;
}
