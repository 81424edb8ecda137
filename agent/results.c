#include "results.h"

#include "agent.h"
#include "bridge.h"
#include "discover.h"
#include "json.h"
#include "planuse.h"
#include "race/result.h"
#include "report.h"
#include "sites.h"
#include "suppressed.h"
#include "tally.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Guards the file and the order of lines; never held while Java code runs. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fd = -1;
static bool write_failed; /* said once; later lines are still tried */
static char path[4096];
static _Atomic uint64_t race_count;

/* %p is the pid, %t the time; any other % stands for itself. */
static void expand_path(const char *pattern) {
    size_t n = 0;
    for (const char *p = pattern; *p != '\0' && n + 24 < sizeof path; p++) {
        if (p[0] == '%' && p[1] == 'p')
            n += (size_t)sprintf(path + n, "%ld", (long)getpid()), p++;
        else if (p[0] == '%' && p[1] == 't')
            n += (size_t)sprintf(path + n, "%ld", (long)time(NULL)), p++;
        else
            path[n++] = *p;
    }
    path[n] = '\0';
}

/* One line, whole or not at all as far as the system allows: a reader ignores a last line that was cut off.
 */
static void write_line(struct json *j) {
    json_raw(j, "\n");
    if (!json_ok(j)) return;
    pthread_mutex_lock(&lock);
    for (size_t done = 0; fd >= 0 && done < j->n;) {
        ssize_t n = write(fd, j->text + done, j->n - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (!write_failed)
                fprintf(stderr, "race: %s: %s; results are incomplete\n", path, strerror(errno));
            write_failed = true;
            break;
        }
        done += (size_t)n;
    }
    pthread_mutex_unlock(&lock);
}

/* The command line of this process, words parted by blanks; cut if long. */
static void command_line(char *buf, size_t size) {
    size_t n = 0;
    int in = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = in < 0 ? -1 : read(in, buf, size - 1);
    if (got > 0) n = (size_t)got;
    if (in >= 0) close(in);
    while (n > 0 && buf[n - 1] == '\0') n--;
    for (size_t i = 0; i < n; i++)
        if (buf[i] == '\0') buf[i] = ' ';
    buf[n] = '\0';
}

static void write_header(void) {
    struct json j = {0};
    char now[40], digest[20], command[1000];
    time_t t = time(NULL);
    struct tm tm;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &tm));
    json_raw(&j, "{");
    json_pair_string(&j, "type", RESULT_HEADER);
    json_pair_string(&j, "tool", "race");
    json_pair_string(&j, "version", RACE_VERSION);
    json_pair_int(&j, "pid", getpid());
    json_pair_string(&j, "time", now);
    json_pair_string(&j, "mode", agent_mode_name(the_agent.options.mode));
    json_pair_string(&j, "plan", the_agent.options.plan);
    snprintf(digest, sizeof digest, "%016" PRIx64, planuse_digest());
    json_pair_string(&j, "plan_digest", planuse_active() ? digest : NULL);
    json_pair_string(&j, "jdk", the_agent.jdk_version);
    command_line(command, sizeof command);
    json_pair_string(&j, "main", command);
    json_raw(&j, "}");
    write_line(&j);
    json_release(&j);
}

/* "dir/r.jsonl" -> "dir/r-PID.jsonl" */
static void make_path_own(void) {
    char copy[sizeof path];
    strcpy(copy, path);
    const char *slash = strrchr(copy, '/'), *name = slash != NULL ? slash + 1 : copy,
               *dot = strrchr(name, '.');
    int stem = dot != NULL && dot != name ? (int)(dot - copy) : (int)strlen(copy);
    snprintf(path, sizeof path, "%.*s-%ld%s", stem, copy, (long)getpid(), copy + stem);
}

/*
 * A JVM that the program starts may have been given the same options: it must not cut off what this one has
 * found. Whoever holds the lock has the file; it ends with the process, so an old file is written anew.
 */
static bool is_taken(void) {
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && flock(fd, LOCK_EX | LOCK_NB) != 0 &&
           errno == EWOULDBLOCK;
}

static void open_file(void) {
    enum { FLAGS = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC };
    fd = open(path, FLAGS, 0666);
    if (fd >= 0 && is_taken()) {
        fprintf(stderr, "race: note: %s is being written by another JVM; ", path);
        make_path_own();
        fprintf(stderr, "the results of this one go to %s\n", path);
        close(fd);
        fd = open(path, FLAGS, 0666);
    }
    if (fd >= 0) (void)!ftruncate(fd, 0); /* not for a device or a pipe */
}

bool results_open(struct race_error *err) {
    expand_path(the_agent.options.out);
    open_file();
    if (fd < 0) {
        race_error_set_file(err, path);
        err->exit_code = RACE_EXIT_OTHER;
        return race_fail(err, "cannot write results: %s", strerror(errno));
    }
    write_header();
    return true;
}

static void put_frames(struct json *j, const char *key, const uint64_t *frames, size_t n) {
    char text[600];
    json_key(j, key);
    json_raw(j, "[");
    for (size_t i = 0; i < n; i++) {
        stacks_format(frames[i], text, sizeof text);
        json_item(j);
        json_string(j, text);
    }
    json_raw(j, "]");
}

static void put_locks(struct json *j, const struct found_access *a) {
    json_key(j, "locks");
    json_raw(j, "[");
    for (size_t i = 0; i < a->n_locks; i++) {
        json_item(j);
        json_raw(j, "{");
        json_pair_string(j, "class", a->locks[i].class_name);
        json_pair_string(j, "acquired", a->locks[i].acquired);
        json_raw(j, "}");
    }
    json_raw(j, "]");
}

static void put_access(struct json *j, const struct found_access *a) {
    const struct site *s = sites_get(a->site);
    char name[400], frame[700];
    report_class_name(s->class_name, name, sizeof name);
    json_item(j);
    json_raw(j, "{");
    json_pair_string(j, "access", a->is_write ? "write" : "read");
    json_pair_string(j, "class", name);
    json_pair_string(j, "method", s->method);
    json_pair_string(j, "desc", s->desc);
    json_pair_int(j, "line", s->line);
    json_pair_string(j, "file", s->file);
    json_pair_int(j, "bci", s->bci);
    json_key(j, "thread");
    json_raw(j, "{");
    json_pair_string(j, "name", a->thread);
    put_frames(j, "created", a->created, a->n_created);
    json_raw(j, "}");
    put_locks(j, a);
    if (!a->locks_known) {
        json_key(j, "locks_known");
        json_raw(j, "false");
    }
    if (a->n_stack > 0) {
        put_frames(j, "stack", a->stack, a->n_stack);
    } else {
        report_site_frame(a->site, frame, sizeof frame);
        json_key(j, "stack");
        json_raw(j, "[");
        json_string(j, frame);
        json_raw(j, "]");
    }
    json_raw(j, "}");
}

bool results_race(const struct race_found *race) {
    if (suppressed_race(race)) return false;
    struct json j = {0};
    race_count++;
    json_raw(&j, "{");
    json_pair_string(&j, "type", RESULT_RACE);
    json_pair_int(&j, "number", race->number);
    json_pair_string(&j, "verdict", "confirmed");
    json_pair_string(&j, "kind", race->kind);
    json_pair_string(&j, "field", race->field);
    json_pair_int(&j, "count", 1);
    size_t count_at = j.n - 1;
    if (race->value[0] != '\0') json_pair_string(&j, "value", race->value);
    if (race->test[0] != '\0') json_pair_string(&j, "test", race->test);
    json_key(&j, "accesses");
    json_raw(&j, "[");
    put_access(&j, &race->earlier);
    put_access(&j, &race->now);
    json_raw(&j, "]}");
    tally_keep(
        &(struct tally_key){race->now.site, race->earlier.site, race->now.is_write, race->earlier.is_write},
        &j, count_at);
    write_line(&j);
    json_release(&j);
    if (the_agent.options.report) report_race(race);
    return true;
}

void results_stale(const char *class_name) {
    struct json j = {0};
    char name[400];
    report_class_name(class_name, name, sizeof name);
    json_raw(&j, "{");
    json_pair_string(&j, "type", RESULT_STALE);
    json_pair_string(&j, "class", name);
    json_raw(&j, "}");
    write_line(&j);
    json_release(&j);
}

void results_breach(const struct breach *b) {
    struct json j = {0};
    char name[400];
    json_raw(&j, "{");
    json_pair_string(&j, "type", RESULT_BREACH);
    report_class_name(b->class_name, name, sizeof name);
    json_pair_string(&j, "class", name);
    json_pair_string(&j, "method", b->method);
    json_pair_string(&j, "requires", b->lock);
    if (b->lock != NULL) report_class_name(b->caller, name, sizeof name);
    json_pair_string(&j, "caller", b->lock != NULL ? name : NULL);
    json_pair_int(&j, "classes", b->classes);
    put_frames(&j, "stack", b->stack, b->n_stack);
    json_raw(&j, "}");
    write_line(&j);
    json_release(&j);
    if (the_agent.options.report) report_breach(b);
}

uint64_t results_race_count(void) {
    return race_count;
}

static void put_skipped(struct json *j) {
    json_key(j, "skipped");
    json_raw(j, "{");
    for (int i = REWRITE_MALFORMED; i <= REWRITE_INTERNAL; i++)
        if (the_agent.skipped[i] != 0)
            json_pair_int(j, rewrite_outcome_name(i), (int64_t)the_agent.skipped[i]);
    json_raw(j, "}");
}

void results_close(void) {
    static _Atomic bool closed;
    if (atomic_exchange(&closed, true) || fd < 0) return;
    tally_each_grown(bridge_checker(), write_line);
    bridge_evidence(write_line);
    discover_owners(write_line);
    struct json j = {0};
    json_raw(&j, "{");
    json_pair_string(&j, "type", RESULT_SUMMARY);
    json_pair_int(&j, "races", (int64_t)race_count);
    json_pair_int(&j, "suppressed", (int64_t)suppressed_count());
    json_pair_int(&j, "unused_suppressions", (int64_t)suppressed_unused(the_agent.options.report));
    json_pair_int(&j, "instrumented_sites", (int64_t)the_agent.checked);
    json_pair_int(&j, "total_sites", (int64_t)the_agent.accesses);
    json_pair_int(&j, "classes", (int64_t)the_agent.classes);
    json_pair_int(&j, "rewritten_classes", (int64_t)the_agent.rewritten);
    json_pair_int(&j, "huge_methods", (int64_t)the_agent.huge_methods);
    json_pair_int(&j, "full_methods", (int64_t)the_agent.full_methods);
    json_pair_int(&j, "site_overflow", (int64_t)the_agent.site_overflow);
    put_skipped(&j);
    bridge_put_counters(&j);
    json_raw(&j, "}");
    write_line(&j);
    json_release(&j);
    /* Daemon threads may still find races; the number must not be that of another file by then. */
    pthread_mutex_lock(&lock);
    close(fd);
    fd = -1;
    pthread_mutex_unlock(&lock);
    if (the_agent.options.report) report_summary(race_count, suppressed_count(), path);
}
