/*
 * Where classes come from: the application's class path and the run-time image of a JDK.
 *
 * Opening a class path indexes every class name it can deliver; bytes are read only when asked for.  After
 * classpath_open() a `struct classpath` never changes as seen from outside, and every function that takes a
 * `const struct classpath *` may be called from any number of threads at once (archive handles are pooled
 * behind a lock, see archive.c).
 *
 * The path is written as for `java -cp`: elements separated by ':', each a directory, an archive (jar, war,
 * Spring Boot jar), `dir/` followed by `*` for all jars of a directory, or a single .class file.  As in the
 * JVM
 *   - the first definition of a name wins, and the JDK's own definition beats every one on the path;
 *   - an element that does not exist is skipped (and can be listed, so that the user learns of it);
 *   - the manifest's Class-Path inserts its elements right after the jar that names them;
 *   - a multi-release jar delivers the version that fits the JDK.
 * Names are internal names: "java/lang/String", "pkg/Outer$Inner".
 */
#ifndef RACE_CLASSPATH_H
#define RACE_CLASSPATH_H

#include "race/class_source.h" /* struct class_source */
#include "race/error.h"

#include <stdbool.h>
#include <stddef.h> /* size_t */
#include <stdint.h> /* uint8_t */

struct classpath;

struct classpath_options {
    const char *path;     /* as for `java -cp`; NULL or "" for none */
    const char *jdk_home; /* NULL: the JDK of the `java` on PATH */
    bool no_jdk;          /* leave the JDK out: all its classes are missing then (tests) */
};

/* Returns NULL with `err` set if an element is unreadable or there is no JDK; nothing is printed.  A process
 * can read one JDK only, but open it as often as it likes. */
struct classpath *classpath_open(const struct classpath_options *options, struct race_error *err);
void classpath_free(struct classpath *cp);

const char *classpath_jdk_home(const struct classpath *cp); /* NULL with no_jdk */
int classpath_jdk_release(const struct classpath *cp);      /* 17, 25, ...; 0 with no_jdk */

/* Elements of the path that do not exist, in order. */
size_t classpath_missing_count(const struct classpath *cp);
const char *classpath_missing(const struct classpath *cp, size_t i);

/* ---- classes ---- */

enum classpath_part {
    CLASSPATH_APP,         /* the application, in class path order */
    CLASSPATH_JDK,         /* the JDK, ordered by module and name */
    CLASSPATH_JDK_MODULES, /* the JDK's module-info classes, all named "module-info", ordered by module */
    CLASSPATH_PARTS
};

/* One class that can be read.  Owned by the class path and valid as long as it. */
struct classpath_class {
    const char *name;   /* internal name */
    const char *module; /* "java.base", ...; NULL for the application */
    enum classpath_part part;
    uint32_t source; /* the number of the element that delivers it; 0 is the JDK */
    uint64_t where;  /* where in there; private to the class path */
};

size_t classpath_class_count(const struct classpath *cp, enum classpath_part part);
const struct classpath_class *classpath_class_at(const struct classpath *cp, enum classpath_part part,
                                                 size_t i);

/* NULL if no element defines the name; a missing class is no error, the program model makes a phantom of it.
 */
const struct classpath_class *classpath_find(const struct classpath *cp, const char *name);
bool classpath_is_jdk(const struct classpath *cp, const char *name);

/* ---- bytes ---- */

/* An owned buffer and where it came from: "dir/pkg/X.class", "app.jar!/pkg/X.class",
 * "app.jar!/BOOT-INF/lib/x.jar!/pkg/X.class" or "jrt:/java.base/java/lang/String.class". */
struct classpath_bytes {
    uint8_t *data;
    size_t size;
    char *origin;
};

void classpath_bytes_release(struct classpath_bytes *bytes);

/* Reads a class.  A corrupt archive entry or one larger than CLASSPATH_MAX_CLASS fails with its origin named.
 */
bool classpath_read(const struct classpath *cp, const struct classpath_class *cls,
                    struct classpath_bytes *bytes, struct race_error *err);

/* Just the origin, for messages; free() it. */
char *classpath_origin(const struct classpath *cp, const struct classpath_class *cls);

/* No real class comes near this; the format's own limits (64 KB methods, 65,535 of them) would allow more. */
#define CLASSPATH_MAX_CLASS ((size_t)64 << 20)

/* The class path as the program model wants it; `each` visits the application's classes, then the JDK's. */
struct class_source classpath_source(const struct classpath *cp);

/* ---- resources and services ---- */

/* Called for each resource found, in class path order; `bytes` are released after the call.  Return false to
 * stop (which is no error). */
typedef bool classpath_resource_fn(const struct classpath_bytes *bytes, void *arg);

/* Every definition of a resource such as "META-INF/services/pkg.Service" in the application part. */
bool classpath_each_resource(const struct classpath *cp, const char *name, classpath_resource_fn *fn,
                             void *arg, struct race_error *err);

/* A list of owned strings. */
struct classpath_names {
    char **v;
    size_t n, cap;
};

void classpath_names_release(struct classpath_names *names);

/* Appends the internal names of the classes that provide a service, named like
 * "java/nio/file/spi/FileSystemProvider": those of META-INF/services on the path, then those that the JDK's
 * modules provide; each once. */
bool classpath_providers(const struct classpath *cp, const char *service, struct classpath_names *providers,
                         struct race_error *err);

/* An application class that a text resource names, and the element of the path that has the resource. */
struct classpath_mention {
    char *name; /* internal name, owned */
    uint32_t element;
};

struct classpath_mentions {
    struct classpath_mention *v;
    size_t n, cap;
};

void classpath_mentions_release(struct classpath_mentions *mentions);

/* Appends the application's classes that its text resources name (properties, XML and other configuration,
 * META-INF/services): sorted by name and element, each pair once.  Such a name has a package or is of a
 * nested class. */
bool classpath_named_classes(const struct classpath *cp, struct classpath_mentions *mentions,
                             struct race_error *err);

/* Elements are numbered from 0, the JDK. */
size_t classpath_element_count(const struct classpath *cp);
/* Sets used[0 .. classpath_element_count()-1]: whether the element's classes refer to classes of that one, or
 * it is the element itself.  One without classes (a folder of resources) uses all: it is for anybody.  Reads
 * all classes of the element. */
void classpath_element_uses(const struct classpath *cp, uint32_t element, bool *used);

#endif
