/*
 * The class path taken apart: a list of sources in look-up order and one index from name to class.
 *
 *     path string --expand.c--> sources --index.c--> classes + hash table --classpath.c--> look-up, bytes
 *
 * All of it is written while opening, by one thread; afterwards nothing here changes.
 */
#ifndef RACE_CLASSPATH_SOURCE_H
#define RACE_CLASSPATH_SOURCE_H

#include "archive.h"
#include "jdk.h"
#include "race/arena.h"
#include "race/classpath.h"
#include "race/vec.h"

enum source_kind {
    SOURCE_DIRECTORY,
    SOURCE_ARCHIVE,
    SOURCE_FILE, /* one .class file */
    SOURCE_JDK
};

struct source {
    enum source_kind kind;
    char *path;              /* directory without trailing '/', or file */
    struct archive *archive; /* owned by classpath.archives */
    const char *prefix;      /* of the entries that belong to this source: "", "WEB-INF/classes/"... */
    bool multi_release;
};

struct classpath {
    struct arena arena; /* class names */
    struct jdk *jdk;    /* NULL with no_jdk */
    VEC(struct archive *) archives;
    VEC(struct source) sources;
    struct classpath_names missing;

    /* Parts stand one after another: the JDK, its modules, the application. */
    VEC(struct classpath_class) classes;
    size_t begin[CLASSPATH_PARTS], end[CLASSPATH_PARTS];

    /* Open addressing; an element is an index in `classes` plus one, 0 is free. */
    uint32_t *table;
    size_t table_size, table_used; /* the size is a power of two */
};

/* expand.c: appends the sources that the path names. */
bool classpath_expand(struct classpath *cp, const char *path, struct race_error *err);

/* index.c: enters all classes of the JDK and of all sources. */
bool classpath_index(struct classpath *cp, struct race_error *err);
/* The position in `classes` plus one, or 0. */
uint32_t classpath_lookup(const struct classpath *cp, const char *name, size_t len);

/* classpath.c: a regular file of at most `limit` bytes, malloc'ed; `err` names the file. */
bool classpath_read_file(const char *path, size_t limit, const char *kind, uint8_t **data, size_t *size,
                         struct race_error *err);

/* Appends a copy of s[0 .. len-1]. */
void classpath_names_add(struct classpath_names *names, const char *s, size_t len);

bool classpath_ends_with(const char *s, const char *suffix);

/* Limits for entries that are no classes.  A nested jar is unpacked into memory. */
#define CLASSPATH_MAX_RESOURCE ((size_t)16 << 20)
#define CLASSPATH_MAX_NESTED_JAR ((size_t)512 << 20)

#endif
