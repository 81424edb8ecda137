/*
 * Reads every class of a class path, builds the IR of every method and checks its invariants.
 *
 *     ir_sweep [--no-check] [--sample N] [--jdk HOME | --no-jdk] [-cp PATH]
 *
 * Prints one line per failure and a summary (classes/s, methods/s, MB/s, peak RSS); exit code 1 on failures.
 * --sample N takes every Nth class.  The JDK is part of what is swept unless --no-jdk is given; with -cp only
 * the application part is swept, the JDK just resolves names.
 */
#include "race/classpath.h"
#include "race/ir.h"
#include "race/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct sweep {
    struct program *program;
    struct ir_builder *builder;
    struct arena arena;
    bool check;
    uint64_t classes, methods, stmts, blocks, bytes, opaque, failures, code_bytes;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void report(struct sweep *s, const struct race_error *err) {
    char line[700];
    race_error_format(err, line, sizeof line);
    if (s->failures++ < 20) fprintf(stderr, "%s\n", line);
}

static void sweep_method(struct sweep *s, method_id m) {
    struct race_error err = {0};
    arena_clear(&s->arena);
    const struct ir_body *body = ir_build(s->builder, m, &s->arena, &err);
    if (body == NULL || (s->check && !ir_check(s->program, body, &err))) {
        report(s, &err);
        return;
    }
    s->methods += body->n_blocks > 0;
    s->stmts += body->n_stmts;
    s->blocks += body->n_blocks;
    s->opaque += body->opaque != NULL;
}

static void sweep_class(struct sweep *s, const char *name) {
    class_id c = program_class(s->program, name);
    const struct class_info *info = program_info(s->program, c);
    if (info->state != CLASS_LOADED) {
        fprintf(stderr, "%s: not loaded\n", name);
        s->failures++;
        return;
    }
    s->classes++;
    const struct cf_class *cf = program_class_file(s->program, c);
    if (cf != NULL) s->bytes += cf->size;
    for (uint16_t i = 0; i < info->n_methods; i++) sweep_method(s, (method_id){info->first_method.v + i});
}

static void sweep_part(struct sweep *s, const struct classpath *cp, enum classpath_part part, size_t step) {
    size_t n = classpath_class_count(cp, part);
    for (size_t i = 0; i < n; i += step) sweep_class(s, classpath_class_at(cp, part, i)->name);
}

static void print_summary(const struct sweep *s, double seconds) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    uint32_t n_phantoms;
    program_phantoms(s->program, &n_phantoms);
    printf("classes %llu, methods with code %llu, blocks %llu, statements %llu, opaque %llu, phantoms %u\n",
           (unsigned long long)s->classes, (unsigned long long)s->methods, (unsigned long long)s->blocks,
           (unsigned long long)s->stmts, (unsigned long long)s->opaque, n_phantoms);
    printf("%.2f s, %.0f classes/s, %.0f methods/s, %.1f MB/s, peak RSS %ld MB, failures %llu\n", seconds,
           (double)s->classes / seconds, (double)s->methods / seconds, (double)s->bytes / 1e6 / seconds,
           usage.ru_maxrss / 1024, (unsigned long long)s->failures);
}

static int run(struct classpath_options options, bool check, size_t step) {
    struct race_error err = {0};
    double start = now();
    struct classpath *cp = classpath_open(&options, &err);
    if (cp == NULL) {
        char line[700];
        race_error_format(&err, line, sizeof line);
        fprintf(stderr, "%s\n", line);
        return err.exit_code;
    }
    struct class_source source = classpath_source(cp);
    struct sweep s = {.check = check, .program = program_new(&source, (struct program_options){0})};
    s.builder = ir_builder_new(s.program);
    arena_init(&s.arena);
    sweep_part(&s, cp, options.path ? CLASSPATH_APP : CLASSPATH_JDK, step);
    if (program_failed(s.program, &err)) report(&s, &err);
    print_summary(&s, now() - start);
    arena_release(&s.arena);
    ir_builder_free(s.builder);
    program_free(s.program);
    classpath_free(cp);
    return s.failures > 0;
}

int main(int argc, char **argv) {
    struct classpath_options options = {0};
    bool check = true;
    size_t step = 1;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--no-check") == 0) {
            check = false;
        } else if (strcmp(argv[i], "--no-jdk") == 0) {
            options.no_jdk = true;
        } else if (strcmp(argv[i], "--jdk") == 0 && more) {
            options.jdk_home = argv[++i];
        } else if (strcmp(argv[i], "-cp") == 0 && more) {
            options.path = argv[++i];
        } else if (strcmp(argv[i], "--sample") == 0 && more && atoi(argv[i + 1]) > 0) {
            step = (size_t)atoi(argv[++i]);
        } else {
            fprintf(stderr, "usage: ir_sweep [--no-check] [--sample N] [--jdk HOME | --no-jdk] [-cp PATH]\n");
            return RACE_EXIT_USAGE;
        }
    }
    return run(options, check, step);
}
