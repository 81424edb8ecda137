/*
 * Writing plans: lines collected in memory, put in place by one rename.
 */
#include "race/plan.h"

#include "columns.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct plan_writer {
    char *path, *temp;
    int fd;
    char *text;
    size_t n, cap;
    uint64_t lines;
    uint32_t n_classes, n_sites, n_pairs;
    bool in_method; /* a method of the current class is open */
    uint32_t last_bci;
    struct race_error err; /* the first thing that went wrong */
};

static void put_bytes(struct plan_writer *w, const char *s, size_t n) {
    if (w->err.set) return;
    if (w->cap - w->n < n) {
        size_t cap = w->cap * 2 > w->n + n ? w->cap * 2 : w->n + n + 4096;
        char *bigger = realloc(w->text, cap);
        if (bigger == NULL) {
            race_fail(&w->err, "out of memory");
            return;
        }
        w->text = bigger;
        w->cap = cap;
    }
    memcpy(w->text + w->n, s, n);
    w->n += n;
}

static void put_keyword(struct plan_writer *w, const char *keyword) {
    put_bytes(w, keyword, strlen(keyword));
}

static void put_column(struct plan_writer *w, const char *s) {
    put_bytes(w, "\t", 1);
    while (*s != '\0') {
        size_t plain = 0;
        while (s[plain] != '\0' && !column_escapes((unsigned char)s[plain])) plain++;
        put_bytes(w, s, plain);
        s += plain;
        if (*s == '\0') return;
        char escape[8];
        snprintf(escape, sizeof escape, "\\%02x", (unsigned char)*s++);
        put_bytes(w, escape, 3);
    }
}

static void put_number(struct plan_writer *w, int64_t n) {
    char text[24];
    snprintf(text, sizeof text, "\t%" PRId64, n);
    put_bytes(w, text, strlen(text));
}

static void put_hex(struct plan_writer *w, uint64_t n) {
    char text[24];
    snprintf(text, sizeof text, "\t%016" PRIx64, n);
    put_bytes(w, text, strlen(text));
}

static void end_line(struct plan_writer *w) {
    put_bytes(w, "\n", 1);
    w->lines++;
}

/* Guards the order of the calls. */
static bool expects(struct plan_writer *w, bool in_order, const char *what) {
    if (!in_order) race_fail(&w->err, "plan written in the wrong order: %s", what);
    return !w->err.set;
}

/* A temporary file gets mode 0600; the plan shall have what any new file has. */
static void make_readable(int fd) {
    mode_t mask = umask(0);
    umask(mask);
    (void)!fchmod(fd, 0666 & ~mask);
}

struct plan_writer *plan_writer_new(const char *path, struct race_error *err) {
    struct plan_writer *w = calloc(1, sizeof *w);
    size_t n = strlen(path);
    if (w != NULL) {
        w->fd = -1;
        w->path = strdup(path);
        w->temp = malloc(n + sizeof ".XXXXXX");
    }
    if (w == NULL || w->path == NULL || w->temp == NULL) {
        race_fail(err, "out of memory");
        plan_writer_abandon(w);
        return NULL;
    }
    memcpy(w->temp, path, n);
    memcpy(w->temp + n, ".XXXXXX", sizeof ".XXXXXX");
    w->fd = mkstemp(w->temp);
    if (w->fd < 0) {
        race_fail(err, "cannot write the plan: %s", strerror(errno));
        race_error_set_file(err, path);
        plan_writer_abandon(w);
        return NULL;
    }
    make_readable(w->fd);
    put_keyword(w, "race-plan");
    put_number(w, PLAN_VERSION);
    end_line(w);
    return w;
}

void plan_write_meta(struct plan_writer *w, const char *key, const char *value) {
    if (!expects(w, w->n_classes == 0, "meta behind a class")) return;
    put_keyword(w, "meta");
    put_column(w, key);
    put_column(w, value);
    end_line(w);
}

void plan_write_meta_number(struct plan_writer *w, const char *key, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    plan_write_meta(w, key, text);
}

void plan_write_funnel(struct plan_writer *w, const char *stage, uint64_t pairs) {
    if (!expects(w, w->n_classes == 0, "funnel behind a class")) return;
    put_keyword(w, "funnel");
    put_column(w, stage);
    put_number(w, (int64_t)pairs);
    end_line(w);
}

void plan_write_class(struct plan_writer *w, const char *name, uint64_t digest, const char *file,
                      bool unsafe) {
    if (!expects(w, w->n_pairs == 0, "class behind a pair")) return;
    put_keyword(w, "class");
    put_hex(w, digest);
    put_column(w, name);
    put_column(w, file == NULL || *file == '\0' ? "-" : file);
    put_column(w, unsafe ? "unsafe" : "-");
    end_line(w);
    w->n_classes++;
    w->in_method = false;
}

void plan_write_field(struct plan_writer *w, const char *name, const char *desc) {
    if (!expects(w, w->n_classes > 0 && w->n_pairs == 0, "field without a class")) return;
    put_keyword(w, "field");
    put_column(w, name);
    put_column(w, desc);
    end_line(w);
}

void plan_write_lent(struct plan_writer *w, const char *name, const char *desc) {
    if (!expects(w, w->n_classes > 0 && w->n_pairs == 0, "lent without a class")) return;
    put_keyword(w, "lent");
    put_column(w, name);
    put_column(w, desc);
    end_line(w);
}

void plan_write_method(struct plan_writer *w, const char *name, const char *desc, bool typed) {
    if (!expects(w, w->n_classes > 0 && w->n_pairs == 0, "method without a class")) return;
    put_keyword(w, "method");
    put_column(w, name);
    put_column(w, desc);
    put_column(w, typed ? "typed" : "untyped");
    end_line(w);
    w->in_method = true;
    w->last_bci = 0;
}

void plan_write_requires(struct plan_writer *w, const char *lock) {
    if (!expects(w, w->in_method && w->n_pairs == 0, "requires without a method")) return;
    put_keyword(w, "requires");
    put_column(w, lock);
    end_line(w);
}

plan_site_id plan_write_site(struct plan_writer *w, uint32_t bci, int line, bool is_write,
                             enum plan_kind kind, const char *owner, const char *name) {
    if (!expects(w, w->in_method && w->n_pairs == 0, "site without a method")) return (plan_site_id){0};
    if (!expects(w, bci >= w->last_bci, "sites of a method not by ascending bytecode index"))
        return (plan_site_id){0};
    put_keyword(w, "site");
    put_number(w, bci);
    put_number(w, line);
    put_column(w, is_write ? "w" : "r");
    put_column(w, plan_kind_names[kind]);
    put_column(w, owner);
    put_column(w, kind == PLAN_ARRAY ? "" : name);
    end_line(w);
    w->last_bci = bci;
    return (plan_site_id){++w->n_sites};
}

plan_pair_id plan_write_pair(struct plan_writer *w, plan_site_id first, plan_site_id second) {
    bool known = first.v > 0 && second.v > 0 && first.v <= w->n_sites && second.v <= w->n_sites;
    if (!expects(w, known, "pair of a site that is not there")) return (plan_pair_id){0};
    put_keyword(w, "pair");
    put_number(w, first.v);
    put_number(w, second.v);
    end_line(w);
    return (plan_pair_id){++w->n_pairs};
}

void plan_write_why(struct plan_writer *w, const char *text) {
    if (!expects(w, w->n_pairs > 0, "why without a pair")) return;
    put_keyword(w, "why");
    put_column(w, text);
    end_line(w);
}

static void put_side(struct plan_writer *w, const char *keyword, int side) {
    put_keyword(w, keyword);
    put_number(w, side);
}

void plan_write_path(struct plan_writer *w, int side, const char *root, const char *const *frames, size_t n) {
    if (!expects(w, w->n_pairs > 0 && (side == 1 || side == 2), "path without a pair")) return;
    put_side(w, "path", side);
    put_column(w, root);
    for (size_t i = 0; i < n; i++) put_column(w, frames[i]);
    end_line(w);
}

void plan_write_held(struct plan_writer *w, int side, const char *const *locks, size_t n) {
    if (!expects(w, w->n_pairs > 0 && (side == 1 || side == 2), "held without a pair")) return;
    put_side(w, "held", side);
    for (size_t i = 0; i < n; i++) put_column(w, locks[i]);
    end_line(w);
}

void plan_write_promise(struct plan_writer *w, const struct plan_promise *p) {
    put_keyword(w, "promise");
    put_column(w, p->annotation);
    put_column(w, p->location);
    put_column(w, p->cls);
    put_column(w, p->method);
    put_column(w, p->desc);
    put_column(w, p->file);
    put_number(w, p->line);
    put_column(w, p->access);
    put_column(w, p->text);
    end_line(w);
}

void plan_write_trust(struct plan_writer *w, const char *annotation, const char *location) {
    put_keyword(w, "trust");
    put_column(w, annotation);
    put_column(w, location);
    end_line(w);
}

static bool write_all(int fd, const char *text, size_t n) {
    while (n > 0) {
        ssize_t done = write(fd, text, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        text += done;
        n -= (size_t)done;
    }
    return true;
}

bool plan_writer_commit(struct plan_writer *w, struct race_error *err) {
    uint64_t lines = w->lines, digest = plan_digest(w->text, w->n);
    put_keyword(w, "end");
    put_number(w, (int64_t)lines);
    put_hex(w, digest);
    end_line(w);
    if (!w->err.set && !write_all(w->fd, w->text, w->n))
        race_fail(&w->err, "cannot write the plan: %s", strerror(errno));
    if (close(w->fd) != 0 && !w->err.set) race_fail(&w->err, "cannot write the plan: %s", strerror(errno));
    w->fd = -1;
    if (!w->err.set && rename(w->temp, w->path) != 0)
        race_fail(&w->err, "cannot put the plan in place: %s", strerror(errno));
    bool ok = !w->err.set;
    if (ok) {
        free(w->temp);
        w->temp = NULL;
    } else {
        race_fail(err, "%s", w->err.what);
        race_error_set_file(err, w->path);
    }
    plan_writer_abandon(w);
    return ok;
}

void plan_writer_abandon(struct plan_writer *w) {
    if (w == NULL) return;
    if (w->fd >= 0) close(w->fd);
    /* Until mkstemp() has made a name of it, the template names no file. */
    if (w->temp != NULL) unlink(w->temp);
    free(w->path);
    free(w->temp);
    free(w->text);
    free(w);
}
