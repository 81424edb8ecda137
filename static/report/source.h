/*
 * Finding source files, their lines and their names.
 *
 * A class's file is looked for below each folder of --source: directly by package, and below the usual
 * layouts (src/main/java and so on), so that the root of a repository will do.
 */
#ifndef RACE_REPORT_SOURCE_H
#define RACE_REPORT_SOURCE_H

#include "race/report.h"

struct source_file;

struct sources {
    const char *const *folders;
    size_t n_folders;
    struct source_file *files; /* by path below the source root; hash table */
    struct arena arena;
};

void sources_init(struct sources *s, const struct report_print_options *o);
void sources_release(struct sources *s);

/*
 * The path of the access's file, '/'-separated: relative to the current folder if it was found there, else
 * by package ("pkg/C.java").  Never NULL.
 */
const char *sources_path(struct sources *s, const struct report_access *a);

/* A line (from 1) of the access's file without its end; NULL if there is no such file or line. */
const char *sources_line(struct sources *s, const struct report_access *a, int line);

/* Column (from 0) where a marker for the field belongs: its name in the line, else the first character. */
size_t sources_column(const char *line, const char *field);

#endif
