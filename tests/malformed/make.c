/*
 * Writes malformed inputs into a directory, one fault each, and prints what `race` must say of each:
 *
 *     NAME <tab> ARGUMENT of `race dump classes` <tab> FILE named in the error <tab> pattern of the rest
 *
 * The class files are tests/common/sample_class.h with one place damaged; the archives have a single stored
 * or deflated entry, so that no zip tool is needed (and none would write these).
 */
#include "sample_class.h"

#include <errno.h>
#include <sys/stat.h>

static const char *dir;

static void save(const char *name, const uint8_t *p, size_t n) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(p, 1, n, f) != n || fclose(f) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(1);
    }
}

static void expect(const char *name, const char *argument, const char *file, const char *pattern) {
    printf("%s\t%s\t%s\t%s\n", name, argument, file, pattern);
}

/* ---- class files ---- */

static void put(uint8_t *p, unsigned width, uint32_t v) {
    for (unsigned i = 0; i < width; i++) p[i] = (uint8_t)(v >> (8 * (width - 1 - i)));
}

static void save_class(const char *name, const uint8_t *p, size_t n, const char *what) {
    char file[256], pattern[256];
    snprintf(file, sizeof file, "%s.class", name);
    snprintf(pattern, sizeof pattern, "offset [0-9]+: %s", what);
    save(file, p, n);
    expect(name, file, file, pattern);
}

/* Cut `plus` bytes behind a mark. */
static const struct cut {
    const char *name, *mark;
    size_t plus;
    const char *what;
} cuts[] = {
    {"cut-header", "access", 3, "file ends inside the class header"},
    {"cut-interfaces", "interface", 1, "file ends inside the interfaces"},
    {"cut-fields", "field", 5, "file ends inside the fields"},
    {"cut-methods", "native_method", 3, "file ends inside the methods"},
    {"cut-code", "getstatic", 1, "attribute Code is longer than"},
    {"cut-class-attributes", "class_attributes", 9, "class attributes are cut off"},
};

static const struct damage {
    const char *name, *mark;
    size_t plus;
    unsigned width;
    uint32_t value;
    const char *what;
} damages[] = {
    {"bad-this-class", "this_class", 0, 2, 0xFFFF, "this_class: constant 65535 is not a Class"},
    {"bad-superclass", "super_class", 0, 2, 1, "super_class: constant 1 is not a Class"},
    {"bad-constant-index", "getstatic", 1, 2, 0x7777, "getstatic at 4: constant is not a field"},
    {"bad-opcode", "code", 0, 1, 0xFD, "bad opcode 0xfd at 0"},
    {"bad-local", "iload_1", 0, 1, 29, "iload_3 at 8: local variable is not below max_locals"},
    {"branch-outside", "ifnull", 1, 2, 0x4000, "ifnull at 1: branch target lies outside the code"},
    {"branch-inside", "ifnull", 1, 2, 4, "ifnull at 1: target 5 is inside an instruction"},
    {"switch-too-long", "tableswitch", 11, 4, 0x7FFFFFF0, "tableswitch at 9: switch is longer than the code"},
    {"bad-handler", "handler", 4, 2, 31, "exception table: bad handler_pc 31"},
    {"stackmap-outside", "frame0", 0, 1, 50, "StackMapTable: frame lies outside the code"},
    {"stackmap-inside", "frame0", 0, 1, 10, "StackMapTable: frame lies inside an instruction"},
    {"stackmap-uninitialized", "frame3", 1, 1, 8, "StackMapTable: Uninitialized type does not name a new"},
    {"bad-code-length", "code_length", 0, 4, 0, "code length 0 is not in 1..65535"},
    {"bad-attribute-length", "code_attribute", 2, 4, 0xFFFFFFFF, "attribute Code is longer than"},
    {"bad-bootstrap", "bootstrap", 0, 2, 1, "bootstrap method: constant 1 is not a MethodHandle"},
    {"no-code", "native_method", 0, 2, 0, "method without Code"},
};

static void make_cuts(const struct class_builder *cb, const uint8_t *p) {
    save_class("cut-empty", p, 0, "not a class file");
    save_class("cut-version", p, 6, "file ends inside the version");
    save_class("cut-pool", p, 30, "file is too short for");
    save_class("cut-last-constant", p, cb_offset(cb, "access") - 1, "file ends inside constant");
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++)
        save_class(cuts[i].name, p, cb_offset(cb, cuts[i].mark) + cuts[i].plus, cuts[i].what);
}

static void make_damages(const struct class_builder *cb, uint8_t *p, size_t n) {
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        const struct damage *d = &damages[i];
        uint8_t *place = p + cb_offset(cb, d->mark) + d->plus, old[4];
        memcpy(old, place, d->width);
        put(place, d->width, d->value);
        save_class(d->name, p, n, d->what);
        memcpy(place, old, d->width);
    }
    p[0] ^= 1;
    save_class("bad-magic", p, n, "not a class file");
    p[0] ^= 1;
    p[7] = 200;
    save_class("newer-version", p, n, "class file version 200 is newer than");
    p[7] = 61;
    p[10] = 2;
    save_class("bad-constant-tag", p, n, "bad constant tag 2");
    p[10] = 1;
    p[13] = 0xFF; /* first character of the first Utf8 */
    save_class("bad-utf8", p, n, "string is not modified UTF-8");
    p[13] = 'S';
    save_class("trailing-bytes", p, n + 1, "extra bytes behind the class");
}

/* Two empty classes that are each other's superclass. */
static void make_cycle(void) {
    static const char *const names[] = {"A", "B"};
    char path[4096];
    snprintf(path, sizeof path, "%s/cycle", dir);
    mkdir(path, 0777);
    for (int i = 0; i < 2; i++) {
        struct class_builder cb;
        size_t n;
        cb_init(&cb, 61);
        cb_u2(&cb, 0x0021);
        cb_u2(&cb, cb_class(&cb, names[i]));
        cb_u2(&cb, cb_class(&cb, names[1 - i]));
        for (int k = 0; k < 4; k++) cb_u2(&cb, 0);
        uint8_t *p = cb_finish(&cb, &n);
        snprintf(path, sizeof path, "cycle/%s.class", names[i]);
        save(path, p, n);
        free(p);
        cb_release(&cb);
    }
    expect("cyclic-superclass", "-cp cycle", "cycle/[AB].class", ".*(cycl|circular|its own superclass)");
}

/* ---- archives ---- */

static void le2(struct bytes *b, unsigned v) {
    bytes_u1(b, v & 0xFF);
    bytes_u1(b, v >> 8);
}

static void le4(struct bytes *b, uint32_t v) {
    le2(b, v & 0xFFFF);
    le2(b, v >> 16);
}

static uint32_t crc32_of(const uint8_t *p, size_t n) {
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

struct entry {
    const char *name;
    const uint8_t *data; /* as stored, i.e. compressed if method is 8 */
    uint32_t stored, size, crc;
    unsigned method;
};

/* What the local header and the central directory have in common. */
static void zip_common(struct bytes *b, const struct entry *e) {
    le2(b, 20);
    le2(b, 0);
    le2(b, e->method);
    le4(b, 0); /* time */
    le4(b, e->crc);
    le4(b, e->stored);
    le4(b, e->size);
    le2(b, (unsigned)strlen(e->name));
    le2(b, 0);
}

static void zip_name(struct bytes *b, const struct entry *e) {
    for (const char *s = e->name; *s != '\0'; s++) bytes_u1(b, (uint8_t)*s);
}

static void save_zip(const char *file, const struct entry *e) {
    struct bytes b = {0};
    le4(&b, 0x04034B50);
    zip_common(&b, e);
    zip_name(&b, e);
    for (uint32_t i = 0; i < e->stored; i++) bytes_u1(&b, e->data[i]);
    uint32_t central = (uint32_t)b.n;
    le4(&b, 0x02014B50);
    le2(&b, 20);
    zip_common(&b, e);
    for (int i = 0; i < 3; i++) le2(&b, 0); /* comment, disk, internal attributes */
    le4(&b, 0);
    le4(&b, 0);
    zip_name(&b, e);
    uint32_t end = (uint32_t)b.n;
    le4(&b, 0x06054B50);
    le4(&b, 0);
    le2(&b, 1);
    le2(&b, 1);
    le4(&b, end - central);
    le4(&b, central);
    le2(&b, 0);
    save(file, b.p, b.n);
    free(b.p);
}

static void make_zips(const uint8_t *p, size_t n) {
    struct entry e = {.name = "Sample.class", .data = p, .stored = (uint32_t)n, .size = (uint32_t)n};
    e.crc = crc32_of(p, n) ^ 1;
    save_zip("corrupt.jar", &e);
    expect("zip-corrupt-entry", "-cp corrupt.jar", "corrupt.jar!/Sample.class", ".*corrupt");

    struct bytes deflated = {0}; /* one block that is stored as it is */
    bytes_u1(&deflated, 1);
    le2(&deflated, (unsigned)n);
    le2(&deflated, ~(unsigned)n & 0xFFFF);
    for (size_t i = 0; i < n; i++) bytes_u1(&deflated, p[i]);
    e = (struct entry){.name = "Sample.class",
                       .data = deflated.p,
                       .stored = (uint32_t)deflated.n,
                       .size = 0xFFFFFFFE,
                       .crc = crc32_of(p, n),
                       .method = 8};
    save_zip("bomb.jar", &e);
    expect("zip-bomb", "-cp bomb.jar", "bomb.jar!/Sample.class", ".*(large|too big|bytes)");
    free(deflated.p);

    static const uint8_t text[] = "this is no zip archive";
    e = (struct entry){.name = "BOOT-INF/lib/in.jar",
                       .data = text,
                       .stored = sizeof text,
                       .size = sizeof text,
                       .crc = crc32_of(text, sizeof text)};
    save_zip("outer.jar", &e);
    expect("zip-in-zip", "-cp outer.jar", "outer.jar!/BOOT-INF/lib/in.jar", ".*not a zip");

    save("text.jar", text, sizeof text);
    expect("zip-not-a-zip", "-cp text.jar", "text.jar", ".*not a zip");
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: make DIRECTORY\n", stderr);
        return 64;
    }
    dir = argv[1];
    struct class_builder cb;
    cb_init(&cb, 61);
    sample_build(&cb);
    size_t n;
    uint8_t *p = cb_finish(&cb, &n);
    p = realloc(p, n + 1); /* for trailing-bytes */
    if (p == NULL) return 1;
    p[n] = 0;
    make_cuts(&cb, p);
    make_damages(&cb, p, n);
    make_cycle();
    make_zips(p, n);
    free(p);
    cb_release(&cb);
    return 0;
}
