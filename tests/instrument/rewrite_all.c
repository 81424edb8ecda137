/*
 * Rewrites class files in bulk with the agent's rewriter, for a JVM to verify.
 *
 *     rewrite_all app|jdk|calls JDK_CLASSES APP_CLASSES < list     each line: INPUT OUTPUT
 *
 * JDK_CLASSES and APP_CLASSES are folders in which classes are looked up by name, as the agent does through
 * the run-time image and the class path.  Mode calls is app with checks as calls only.
 */
#include "../../agent/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *jdk_folder, *app_folder;

static uint8_t *read_all(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    if (f == NULL) return NULL;
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t *p = malloc(*size + 1);
    if (p != NULL && fread(p, 1, *size, f) != *size) {
        free(p);
        p = NULL;
    }
    fclose(f);
    return p;
}

static bool write_all(const char *path, const uint8_t *p, size_t n) {
    FILE *f = fopen(path, "wb");
    if (f == NULL) return false;
    bool ok = fwrite(p, 1, n, f) == n;
    return fclose(f) == 0 && ok;
}

static bool jdk_class(void *ctx, struct cf_str name) {
    (void)ctx;
    static const char *const prefixes[] = {"java/", "javax/", "jdk/", "sun/", "com/sun/"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (name.n > strlen(prefixes[i]) && memcmp(name.p, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static uint8_t *from_folder(const char *folder, struct cf_str name, size_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%.*s.class", folder, (int)name.n, name.p);
    return read_all(path, size);
}

static uint8_t *jdk_bytes(void *ctx, struct cf_str name, size_t *size) {
    (void)ctx;
    return from_folder(jdk_folder, name, size);
}

static uint8_t *class_bytes(void *ctx, struct cf_str name, size_t *size) {
    (void)ctx;
    return from_folder(app_folder, name, size);
}

int main(int argc, char **argv) {
    char in[4096], out[4096];
    unsigned outcomes[REWRITE_INTERNAL + 1] = {0}, unwritten = 0;
    if (argc != 4) {
        fputs("usage: rewrite_all app|jdk|calls JDK_CLASSES APP_CLASSES < list of INPUT OUTPUT\n", stderr);
        return 64;
    }
    jdk_folder = argv[2];
    app_folder = argv[3];
    bool is_jdk = strcmp(argv[1], "jdk") == 0;
    struct rewrite_policy policy = {.is_jdk = is_jdk,
                                    .accesses = !is_jdk,
                                    .jdk_class = jdk_class,
                                    .jdk_bytes = jdk_bytes,
                                    .class_bytes = class_bytes,
                                    .calls_only = strcmp(argv[1], "calls") == 0};
    struct rewrite_counts counts = {0};
    while (scanf("%4095s %4095s", in, out) == 2) {
        size_t size = 0, new_size = 0;
        uint8_t *bytes = read_all(in, &size), *new_bytes = NULL;
        if (bytes == NULL) return 1;
        enum rewrite_outcome r = rewrite_class(bytes, size, &policy, &new_bytes, &new_size, &counts);
        outcomes[r]++;
        if (r > REWRITE_UNCHANGED) fprintf(stderr, "%s: %s\n", in, rewrite_outcome_name(r));
        unwritten +=
            !write_all(out, r == REWRITE_DONE ? new_bytes : bytes, r == REWRITE_DONE ? new_size : size);
        free(bytes);
        free(new_bytes);
    }
    for (int r = 0; r <= REWRITE_INTERNAL; r++)
        if (outcomes[r] > 0) printf("%u %s, ", outcomes[r], rewrite_outcome_name((enum rewrite_outcome)r));
    printf("%u accesses, %u checked, %u huge, %u full\n", counts.accesses, counts.checked,
           counts.huge_methods, counts.full_methods);
    bool failed = outcomes[REWRITE_MALFORMED] + outcomes[REWRITE_NO_MEMORY] + outcomes[REWRITE_INTERNAL] > 0;
    return failed || unwritten > 0 || outcomes[REWRITE_DONE] == 0 ? 1 : 0;
}
