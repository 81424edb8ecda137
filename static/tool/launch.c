/* Finding the agent and starting Java with it. */
#include "launch.h"

#include "race/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h> /* PATH_MAX */
#include <signal.h>
#include <stdlib.h> /* getenv */
#include <string.h>
#include <sys/wait.h>
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

/* The words as exec wants them: with a NULL behind. */
static struct strings terminated(const struct strings *words) {
    struct strings argv = {0};
    const char *end = NULL;
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i];
        vec_push(&argv, word);
    }
    vec_push(&argv, end);
    return argv;
}

static int cannot_run(const char *program) {
    struct race_error err = {.exit_code = RACE_EXIT_OTHER};
    race_error_set_file(&err, program);
    race_fail(&err, "cannot run: %s", strerror(errno));
    return tool_fail(&err);
}

/* exec, not fork: signals, the terminal and the exit code then are the program's own business. */
int launch_exec(const struct strings *words) {
    struct strings argv = terminated(words);
    fflush(NULL);
    signal(SIGXFSZ, SIG_DFL); /* as it was before main() */
    execvp(argv.v[0], (char *const *)argv.v);
    int code = cannot_run(argv.v[0]);
    vec_release(&argv);
    return code;
}

/* In the child, between fork and exec. */
static void become(char *const *argv, const sigset_t *mask, enum launch_output output) {
    sigprocmask(SIG_SETMASK, mask, NULL);
    int null = output == LAUNCH_DROP ? open("/dev/null", O_WRONLY) : -1;
    if (null >= 0) dup2(null, STDOUT_FILENO);
    if (output == LAUNCH_TO_STDERR) dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(argv[0], argv);
    _exit(cannot_run(argv[0]));
}

/* Waits for one of the blocked signals.  What the terminal sends has reached the command already. */
static void pass_on(pid_t pid, const sigset_t *signals) {
    siginfo_t info;
    int sig = sigwaitinfo(signals, &info);
    if (sig > 0 && sig != SIGCHLD && info.si_code == SI_USER) kill(pid, sig);
}

int launch_wait(const struct strings *words, enum launch_output output) {
    static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
    struct strings argv = terminated(words);
    sigset_t ours, before;
    sigemptyset(&ours);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&ours, signals[i]);
    fflush(NULL);
    sigprocmask(SIG_BLOCK, &ours, &before);
    pid_t pid = fork();
    if (pid == 0) become((char *const *)argv.v, &before, output);
    int status = 0, code;
    while (pid > 0 && waitpid(pid, &status, WNOHANG) == 0) pass_on(pid, &ours);
    if (pid < 0)
        code = cannot_run(argv.v[0]);
    else
        code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    sigprocmask(SIG_SETMASK, &before, NULL);
    vec_release(&argv);
    return code;
}

const char *launch_temporary_folder(void) {
    const char *tmp = getenv("TMPDIR");
    return tmp != NULL && tmp[0] != '\0' && strchr(tmp, ',') == NULL ? tmp : "/tmp";
}
