/* From sources to the index of all classes. */
#include "source.h"

#include "race/classfile.h" /* the name of a lone .class file */
#include "race/utf8.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the hash table ---- */

static uint64_t hash_name(const char *s, size_t len) {
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a; names are short and differ at the end */
    for (size_t i = 0; i < len; i++) h = (h ^ (uint8_t)s[i]) * 0x100000001b3u;
    return h ^ h >> 29;
}

/* The slot of a name, or the free one where it belongs. */
static uint32_t *slot_of(const struct classpath *cp, const char *name, size_t len) {
    size_t mask = cp->table_size - 1;
    for (size_t i = hash_name(name, len) & mask;; i = (i + 1) & mask) {
        uint32_t at = cp->table[i];
        if (at == 0) return &cp->table[i];
        const char *other = cp->classes.v[at - 1].name;
        if (strncmp(other, name, len) == 0 && other[len] == '\0') return &cp->table[i];
    }
}

uint32_t classpath_lookup(const struct classpath *cp, const char *name, size_t len) {
    return cp->table_size > 0 ? *slot_of(cp, name, len) : 0;
}

static void out_of_memory(void) {
    fputs("race: out of memory\n", stderr);
    exit(RACE_EXIT_OTHER);
}

/* Kept at most half full, so that probes stay short. */
static void grow_table(struct classpath *cp) {
    uint32_t *old = cp->table;
    size_t old_size = cp->table_size;
    cp->table_size = old_size == 0 ? 1024 : old_size * 2;
    cp->table = calloc(cp->table_size, sizeof *cp->table);
    if (cp->table == NULL) out_of_memory();
    for (size_t i = 0; i < old_size; i++) {
        if (old[i] == 0) continue;
        const char *name = cp->classes.v[old[i] - 1].name;
        *slot_of(cp, name, strlen(name)) = old[i];
    }
    free(old);
}

/* ---- application classes ---- */

/* `where` of an archive's class: the version of a multi-release jar above the entry's index. */
enum { VERSION_SHIFT = 32 };

static void add_class(struct classpath *cp, size_t source, const char *name, size_t len, uint64_t where) {
    if (cp->table_used * 2 >= cp->table_size) grow_table(cp);
    uint32_t *slot = slot_of(cp, name, len);
    if (*slot == 0) {
        struct classpath_class c = {.part = CLASSPATH_APP, .source = (uint32_t)source, .where = where};
        c.name = arena_printf(&cp->arena, "%.*s", (int)len, name);
        vec_push(&cp->classes, c);
        *slot = (uint32_t)cp->classes.n;
        cp->table_used++;
        return;
    }
    /* The first definition wins, but inside one archive the highest version does, and of equals the last. */
    struct classpath_class *c = &cp->classes.v[*slot - 1];
    if (c->part == CLASSPATH_APP && c->source == source &&
        where >> VERSION_SHIFT >= c->where >> VERSION_SHIFT)
        c->where = where;
}

/* The file system and archives spell names in UTF-8, class files in their own way. */
static void add_file(struct classpath *cp, size_t source, const char *name, size_t len, uint64_t where) {
    if (utf8_is_plain(name, len)) {
        add_class(cp, source, name, len, where);
        return;
    }
    char *inside = malloc(UTF8_ROOM(len));
    if (inside == NULL) out_of_memory();
    add_class(cp, source, inside, utf8_modified(inside, name, len), where);
    free(inside);
}

static bool starts_with(const char *s, const char *prefix) {
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* Length of the class name in "pkg/X.class", or 0 if it is none that the class path delivers. */
static size_t class_name_length(const char *entry) {
    static const char suffix[] = ".class";
    if (!classpath_ends_with(entry, suffix)) return 0;
    if (starts_with(entry, "META-INF/") || starts_with(entry, "BOOT-INF/") || starts_with(entry, "WEB-INF/"))
        return 0;
    if (strcmp(entry, "module-info.class") == 0) return 0;
    return strlen(entry) - (sizeof suffix - 1);
}

/* The version N in "META-INF/versions/N/rest" with 9 <= N <= release (`*rest` is set), or 0. */
static unsigned entry_version(const char *entry, int release, const char **rest) {
    static const char folder[] = "META-INF/versions/";
    if (!starts_with(entry, folder)) return 0;
    char *end;
    unsigned long n = strtoul(entry + sizeof folder - 1, &end, 10);
    if (*end != '/' || n < 9 || n > (unsigned long)release) return 0;
    *rest = end + 1;
    return (unsigned)n;
}

/*
 * Entries of an archive that belong to this source.  Versions of a multi-release jar are found under another
 * name, so they are entered like any class and add_class() lets the best one win.
 */
static void index_archive(struct classpath *cp, size_t source) {
    const struct source *s = &cp->sources.v[source];
    int release = classpath_jdk_release(cp);
    size_t skip = strlen(s->prefix);
    for (size_t i = 0; i < archive_count(s->archive); i++) {
        const char *entry = archive_name(s->archive, i), *rest = entry;
        unsigned version = s->multi_release ? entry_version(entry, release, &rest) : 0;
        if (!starts_with(entry, s->prefix)) continue;
        if (version == 0) rest = entry + skip;
        size_t len = class_name_length(rest);
        if (len > 0) add_file(cp, source, rest, len, (uint64_t)version << VERSION_SHIFT | i);
    }
}

static int by_name(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Symbolic links are followed; the walk itself notices cycles. */
static bool index_directory(struct classpath *cp, size_t source, struct race_error *err) {
    char *const roots[] = {cp->sources.v[source].path, NULL};
    size_t skip = strlen(roots[0]) + (strcmp(roots[0], "/") != 0);
    FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    bool ok = walk != NULL;
    for (FTSENT *e; ok && (e = fts_read(walk)) != NULL;) {
        if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR) {
            race_error_set_file(err, e->fts_path);
            ok = race_fail(err, "cannot read directory: %s", strerror(e->fts_errno));
        } else if (e->fts_info == FTS_F) {
            size_t len = class_name_length(e->fts_path + skip);
            if (len > 0) add_file(cp, source, e->fts_path + skip, len, 0);
        }
    }
    if (walk == NULL) {
        race_error_set_file(err, roots[0]);
        race_fail(err, "cannot read directory: %s", strerror(errno));
    } else {
        fts_close(walk);
    }
    return ok;
}

/* A lone .class file says its name only inside. */
static bool index_file(struct classpath *cp, size_t source, struct race_error *err) {
    const char *path = cp->sources.v[source].path;
    uint8_t *data = NULL;
    size_t size = 0;
    struct cf_class cls;
    if (!classpath_read_file(path, CLASSPATH_MAX_CLASS, "a class", &data, &size, err)) return false;
    bool ok = cf_parse(&cls, data, size, err);
    if (ok) {
        struct cf_str name = cf_class_name(&cls, cls.this_class);
        add_class(cp, source, name.p, name.n, 0);
        cf_class_release(&cls);
    } else {
        race_error_set_file(err, path);
    }
    free(data);
    return ok;
}

/* ---- the JDK ---- */

/* Called while libjimage walks the image in the order of its hash table; sorted afterwards. */
static void add_jdk_class(const char *module, const char *package, const char *simple, void *arg) {
    struct classpath *cp = arg;
    bool is_module = package[0] == '\0' && strcmp(simple, "module-info") == 0;
    struct classpath_class c = {
        .module = module, .part = is_module ? CLASSPATH_JDK_MODULES : CLASSPATH_JDK, .source = 0};
    c.name = is_module            ? "module-info"
             : package[0] == '\0' ? arena_strdup(&cp->arena, simple)
                                  : arena_printf(&cp->arena, "%s/%s", package, simple);
    vec_push(&cp->classes, c);
}

static int by_part_module_name(const void *a, const void *b) {
    const struct classpath_class *x = a, *y = b;
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    /* The image keeps one copy of each module's name, so this is rarely a comparison of strings. */
    int c = x->module == y->module ? 0 : strcmp(x->module, y->module);
    return c != 0 ? c : strcmp(x->name, y->name);
}

/* The JDK is entered first: what it defines cannot be redefined by the path. */
static void index_jdk(struct classpath *cp) {
    jdk_each_class(cp->jdk, add_jdk_class, cp);
    qsort(cp->classes.v, cp->classes.n, sizeof *cp->classes.v, by_part_module_name);
    size_t n = 0;
    while (n < cp->classes.n && cp->classes.v[n].part == CLASSPATH_JDK) n++;
    cp->end[CLASSPATH_JDK] = cp->begin[CLASSPATH_JDK_MODULES] = n;
    cp->end[CLASSPATH_JDK_MODULES] = cp->classes.n;
    for (size_t i = 0; i < n; i++) {
        if (cp->table_used * 2 >= cp->table_size) grow_table(cp);
        const char *name = cp->classes.v[i].name;
        *slot_of(cp, name, strlen(name)) = (uint32_t)i + 1;
        cp->table_used++;
    }
}

bool classpath_index(struct classpath *cp, struct race_error *err) {
    bool ok = true;
    if (cp->jdk != NULL) index_jdk(cp);
    cp->begin[CLASSPATH_APP] = cp->classes.n;
    for (size_t i = 0; i < cp->sources.n && ok; i++) {
        switch (cp->sources.v[i].kind) {
        case SOURCE_DIRECTORY: ok = index_directory(cp, i, err); break;
        case SOURCE_ARCHIVE: index_archive(cp, i); break;
        case SOURCE_FILE: ok = index_file(cp, i, err); break;
        case SOURCE_JDK: break;
        }
    }
    cp->end[CLASSPATH_APP] = cp->classes.n;
    return ok;
}
