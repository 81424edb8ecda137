/*
 * Runs the static method run() of classes by interpreting their IR, as Out.java does in the JVM:  interp -cp
 * PATH CLASS...
 */
#include "interp.h"

#include "race/classpath.h"

#include <stdlib.h>
#include <string.h>

static void run_class(struct program *p, const char *name) {
    struct interp in = {.p = p, .builder = ir_builder_new(p)};
    arena_init(&in.arena);
    method_id m = program_method_named(p, name, "run", "()V");
    if (m.v == 0) interp_stop("no method run() in", name);
    method_id init = program_method_named(p, name, "<clinit>", "()V");
    struct object *thrown = NULL;
    vec_push(&in.initialized, program_class(p, name).v);
    if (init.v != 0) interp_call(&in, init, NULL, 0, &thrown);
    interp_call(&in, m, NULL, 0, &thrown);
    if (thrown != NULL) interp_stop("exception out of run():", program_class_name(p, thrown->cls));
    if (in.entered != 0) interp_stop("monitors still held at the end of", name);
    free(in.bodies);
    vec_release(&in.statics);
    vec_release(&in.initialized);
    ir_builder_free(in.builder);
    arena_release(&in.arena);
}

int main(int argc, char **argv) {
    if (argc < 4 || strcmp(argv[1], "-cp") != 0) {
        fputs("usage: interp -cp PATH CLASS...\n", stderr);
        return 64;
    }
    struct race_error err = {0};
    struct classpath *cp = classpath_open(&(struct classpath_options){.path = argv[2]}, &err);
    if (cp == NULL) interp_stop("class path:", err.what);
    struct class_source source = classpath_source(cp);
    struct program *p = program_new(&source, (struct program_options){0});
    for (int i = 3; i < argc; i++) {
        printf("== %s\n", argv[i]);
        run_class(p, argv[i]);
    }
    program_free(p);
    classpath_free(cp);
    return 0;
}
