/*
 * recorder_compare: is everything that a run did in the result of the points-to analysis?
 *
 *     recorder_compare LOG -cp PATH -m MAIN [-k 0|1|2|3] [--jdk HOME] [--show N]
 *
 * Prints how many of the observed calls and stores are in the analysis, how many pass through what `race dump
 * gaps` lists, by reason, and each one that is missing.  Exit code 1 if one is missing.
 *
 * A call whose caller the analysis does not reach at all is *behind* another one: the call by which the run
 * got into that part of the program is looked at itself, and so by induction all of it is behind something
 * listed, or something is missing.  The same goes for objects that such code makes.
 */
#include "observed.h"
#include "verdict.h"

#include "race/classpath.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *log, *path, *main, *jdk;
    unsigned k, show;
};

static int usage(void) {
    fputs("usage: recorder_compare LOG -cp PATH -m MAIN [-k 0|1|2|3] [--jdk HOME] [--show N]\n", stderr);
    return 64;
}

static bool parse(struct settings *s, int argc, char **argv) {
    *s = (struct settings){.path = "", .k = 1, .show = 20};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (word[0] != '-' && s->log == NULL) {
            s->log = word;
            continue;
        }
        if (value == NULL) return false;
        i++;
        if (strcmp(word, "-cp") == 0)
            s->path = value;
        else if (strcmp(word, "-m") == 0)
            s->main = value;
        else if (strcmp(word, "--jdk") == 0)
            s->jdk = value;
        else if (strcmp(word, "-k") == 0)
            s->k = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(word, "--show") == 0)
            s->show = (unsigned)strtoul(value, NULL, 10);
        else
            return false;
    }
    return s->log != NULL && s->main != NULL;
}

static method_id find_main(struct program *p, const char *name) {
    char internal[512];
    snprintf(internal, sizeof internal, "%s", name);
    for (char *c = internal; *c != '\0'; c++)
        if (*c == '.') *c = '/';
    return program_method_named(p, internal, "main", "([Ljava/lang/String;)V");
}

static int compare(const struct settings *s, const struct observed *o, struct classpath *cp,
                   struct race_error *err) {
    struct class_source source = classpath_source(cp);
    struct program *p = program_new(&source, (struct program_options){0});
    struct pts_root root = {.method = find_main(p, s->main), .kind = PTS_ROOT_MAIN};
    struct pts_options options = {.mode = s->k == 0 ? PTS_INSENSITIVE : PTS_OBJECT, .k = s->k, .cp = cp};
    struct pts *pts = NULL;
    int code = 65;
    if (root.method.v == 0)
        race_fail(err, "%s has no method main(String[])", s->main);
    else
        pts = pts_solve(p, &root, 1, &options, err);
    if (pts != NULL) {
        struct verdicts v;
        verdicts_init(&v, pts, o);
        verdicts_find(&v);
        verdicts_print(&v, s->show, stdout);
        code = verdicts_missing(&v) == 0 ? 0 : 1;
        verdicts_release(&v);
    }
    pts_free(pts);
    program_free(p);
    return code;
}

int main(int argc, char **argv) {
    struct settings s;
    struct observed o;
    struct race_error err = {0};
    if (!parse(&s, argc, argv)) return usage();
    struct classpath_options where = {.path = s.path, .jdk_home = s.jdk};
    struct classpath *cp = classpath_open(&where, &err);
    int code = 65;
    if (cp != NULL && observed_load(&o, s.log, &err)) {
        code = compare(&s, &o, cp, &err);
        observed_release(&o);
    }
    if (cp != NULL) classpath_free(cp);
    if (code == 65) {
        char line[600];
        race_error_format(&err, line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    return code;
}
