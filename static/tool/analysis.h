/* The static half from class path to checked types: what `race analyze` and `race dump types` share. */
#ifndef RACE_TOOL_ANALYSIS_H
#define RACE_TOOL_ANALYSIS_H

#include "command.h" /* struct strings */
#include "progress.h"
#include "roots.h"
#include "testdriver.h"

#include "race/classpath.h"
#include "race/pointsto.h"
#include "race/program.h"
#include "race/races.h"
#include "race/types.h"
#include "race/vec.h"

struct analysis_settings {
    const char *class_path, *main_class, *jdk;
    const char *context; /* -k: "auto", NULL or a digit */
    const struct strings *entries, *open, *discovered, *without;
    bool open_annotated, tests, lib;
};

struct analysis {
    struct analysis_settings settings;
    struct classpath *cp;
    struct class_source source;
    struct testdriver driver;
    struct program *program;
    struct roots roots;
    struct pts *pts;
    struct races *races;
    struct types *types;
    uint32_t types_proved; /* pairs that only the types prove */
    double types_seconds;  /* CPU */
    VEC(class_id) classes; /* of the application */
    struct progress progress;
};

/* `a` holds the settings and an initialised progress line.  analysis_release() also after a failure. */
bool analysis_run(struct analysis *a, struct race_error *err);
void analysis_release(struct analysis *a);

#endif
