/*
 * Takes every class of a class path and a JDK through the stages, and counts what fails:
 *
 *     read    cf_parse() accepts it
 *     write   written back without wishes it is the same bytes
 *     ir      (if built in) every method's IR is built and passes its own checker
 *
 *   roundtrip [-cp PATH] [--jdk HOME] [--no-jdk|--app-only] [--module NAME] [--every N] [--stage
 * read|write|ir|ir-only]
 *
 * ir-only leaves out the write-back and the IR's checker: that is what the benchmark times.  Prints classes
 * per second, MB per second and the peak memory; exit code 1 if anything failed or there was nothing to do.
 */
#include "race/classedit.h"
#include "race/classfile.h"
#include "race/classpath.h"
#ifdef RACE_WITH_IR
#include "race/ir.h"
#include "race/program.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h> /* getrusage */
#include <time.h>

enum { MAX_REPORTED = 20 };

struct run {
    const struct classpath *cp;
    const char *module; /* NULL: all */
    size_t every;
    bool app_only; /* leave the JDK's own classes out */
    bool write, ir, check;
    size_t seen, classes, bytes, methods, opaque, failures;
#ifdef RACE_WITH_IR
    struct program *program;
    struct ir_builder *builder;
    struct arena arena;
#endif
};

static void report(struct run *r, const struct race_error *err) {
    char line[1024];
    race_error_format(err, line, sizeof line);
    if (++r->failures <= MAX_REPORTED) printf("FAILED %s\n", line);
}

static bool write_back(const struct cf_class *cls, struct race_error *err) {
    struct cf_edit edit;
    struct cfe_buf out = {0};
    cfe_init(&edit, cls);
    enum cfe_reason reason = cfe_write(&edit, &out);
    bool same = reason == CFE_OK && out.n == cls->size && memcmp(out.p, cls->data, out.n) == 0;
    if (!same) race_fail(err, "written back differently: %s", cfe_reason_text(reason));
    cfe_buf_release(&out);
    cfe_release(&edit);
    return same;
}

#ifdef RACE_WITH_IR
static void build_ir(struct run *r, const char *name, const char *origin) {
    class_id c = program_find_class(r->program, name);
    const struct class_info *info = program_info(r->program, c);
    for (uint32_t i = 0; i < info->n_methods; i++) {
        method_id m = {info->first_method.v + i};
        struct race_error err = {0};
        arena_clear(&r->arena);
        const struct ir_body *body = ir_build(r->builder, m, &r->arena, &err);
        r->methods++;
        r->opaque += body != NULL && body->opaque != NULL;
        if (body != NULL && (!r->check || ir_check(r->program, body, &err))) continue;
        race_error_set_file(&err, origin);
        report(r, &err);
    }
}
#endif

/* The parse below is the only one when there is no IR; with it the program model parses, and this one would
   only distort the benchmark. */
static void take(struct run *r, const struct classpath_class *cls) {
    struct race_error err = {0};
    struct classpath_bytes bytes = {0};
    bool parse = r->write || !r->ir;
    r->classes++;
    if (!classpath_read(r->cp, cls, &bytes, &err)) {
        report(r, &err);
        return;
    }
    r->bytes += bytes.size;
    struct cf_class file;
    if (parse) {
        if (cf_parse(&file, bytes.data, bytes.size, &err)) {
            if (r->write) write_back(&file, &err);
            cf_class_release(&file);
        }
        race_error_set_file(&err, bytes.origin);
        if (err.set) report(r, &err);
    }
#ifdef RACE_WITH_IR
    /* module-info has no code, and all modules' have one name. */
    if (r->ir && !err.set && cls->part != CLASSPATH_JDK_MODULES) build_ir(r, cls->name, bytes.origin);
#endif
    classpath_bytes_release(&bytes);
}

static void take_part(struct run *r, enum classpath_part part) {
    size_t n = classpath_class_count(r->cp, part);
    for (size_t i = 0; i < n; i++) {
        const struct classpath_class *cls = classpath_class_at(r->cp, part, i);
        if (r->module != NULL && (cls->module == NULL || strcmp(cls->module, r->module) != 0)) continue;
        if (r->seen++ % r->every == 0) take(r, cls);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void print_summary(const struct run *r, double seconds) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double mb = (double)r->bytes / 1e6;
    printf("%zu classes, %.1f MB", r->classes, mb);
    if (r->ir) printf(", %zu methods (%zu opaque)", r->methods, r->opaque);
    printf(", %zu failures\n", r->failures);
    printf("%.2f s, %.0f classes/s, %.1f MB/s, peak %ld MB\n", seconds, (double)r->classes / seconds,
           mb / seconds, usage.ru_maxrss / 1024);
}

static int usage(void) {
    fputs("usage: roundtrip [-cp PATH] [--jdk HOME] [--no-jdk|--app-only] [--module NAME] [--every N]\n"
          "                 [--stage read|write|ir|ir-only]\n",
          stderr);
    return 64;
}

static bool set_stage(struct run *r, const char *stage) {
    r->write = strcmp(stage, "write") == 0 || strcmp(stage, "ir") == 0;
    r->ir = strncmp(stage, "ir", 2) == 0;
    r->check = strcmp(stage, "ir") == 0;
#ifndef RACE_WITH_IR
    if (r->ir) return false;
#endif
    return r->write || r->ir || strcmp(stage, "read") == 0;
}

static void run_all(struct run *r) {
#ifdef RACE_WITH_IR
    struct class_source source = classpath_source(r->cp);
    r->program = program_new(&source, (struct program_options){0});
    r->builder = ir_builder_new(r->program);
    arena_init(&r->arena);
#endif
    for (int part = 0; part < (r->app_only ? CLASSPATH_APP + 1 : CLASSPATH_PARTS); part++)
        take_part(r, (enum classpath_part)part);
#ifdef RACE_WITH_IR
    arena_release(&r->arena);
    ir_builder_free(r->builder);
    struct race_error err = {0};
    if (program_failed(r->program, &err)) report(r, &err);
    program_free(r->program);
#endif
}

int main(int argc, char **argv) {
    struct run r = {.every = 1, .write = true};
    struct classpath_options options = {0};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--no-jdk") == 0) {
            options.no_jdk = true;
            continue;
        }
        if (strcmp(argv[i], "--app-only") == 0) {
            r.app_only = true;
            continue;
        }
        if (value == NULL) return usage();
        if (strcmp(argv[i], "-cp") == 0)
            options.path = value;
        else if (strcmp(argv[i], "--jdk") == 0)
            options.jdk_home = value;
        else if (strcmp(argv[i], "--module") == 0)
            r.module = value;
        else if (strcmp(argv[i], "--every") == 0)
            r.every = (size_t)atoi(value);
        else if (strcmp(argv[i], "--stage") != 0 || !set_stage(&r, value))
            return usage();
        i++;
    }
    if (r.every == 0) return usage();
    struct race_error err = {0};
    struct classpath *cp = classpath_open(&options, &err);
    if (cp == NULL) {
        report(&r, &err);
        return 1;
    }
    r.cp = cp;
    double start = now();
    run_all(&r);
    print_summary(&r, now() - start);
    classpath_free(cp);
    return r.failures == 0 && r.classes > 0 ? 0 : 1;
}
