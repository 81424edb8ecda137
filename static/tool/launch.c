/* Finding the agent and starting Java with it. */
#include "launch.h"

#include "race/vec.h"

#include <errno.h>
#include <limits.h> /* PATH_MAX */
#include <string.h>
#include <unistd.h>

/* Relative to the tool's own file, so that an unpacked or moved installation works without settings. */
bool launch_find_agent(char *path, size_t size, struct race_error *err) {
    static const char *const places[] = {"", "agent/", "../lib/", "../" RACE_LIBDIR "/"};
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = '\0';
        *(strrchr(self, '/') + 1) = '\0';
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            int len = snprintf(path, size, "%s%slibrace.so", self, places[i]);
            if (len > 0 && (size_t)len < size && access(path, R_OK) == 0) return true;
        }
    }
    err->exit_code = RACE_EXIT_OTHER;
    race_error_set_file(err, "librace.so");
    return race_fail(err,
                     "the agent is neither beside the race command nor in its lib directory; install both");
}

static bool starts_java(const char *word) {
    const char *slash = strrchr(word, '/');
    return strcmp(slash != NULL ? slash + 1 : word, "java") == 0;
}

bool launch_insert_agent(const struct strings *words, const char *agent, struct strings *out) {
    bool inserted = false;
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i];
        vec_push(out, word);
        if (inserted || !starts_java(word)) continue;
        vec_push(out, agent);
        inserted = true;
    }
    return inserted;
}

/* exec, not fork: signals, the terminal and the exit code then are the program's own business. */
int launch_exec(const struct strings *words) {
    struct strings argv = {0};
    const char *end = NULL;
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i];
        vec_push(&argv, word);
    }
    vec_push(&argv, end);
    fflush(NULL);
    execvp(argv.v[0], (char *const *)argv.v);
    struct race_error err = {.exit_code = RACE_EXIT_OTHER};
    race_error_set_file(&err, argv.v[0]);
    race_fail(&err, "cannot run: %s", strerror(errno));
    vec_release(&argv);
    return tool_fail(&err);
}
