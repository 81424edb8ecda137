/*
 * Writing plans: lines collected in memory, put in place by one rename.
 *
 * Details (frame, held, why, side) are shared: each is put at the end of the text first, and taken back if an
 * equal line is there already, which a table of the lines written so far tells.  The last pair waits for
 * those that make one line with it.
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

struct text {
    char *v;
    size_t n, cap;
};

/* A line of details: where it stands in the text, and its number among those of its keyword. */
struct shared_line {
    size_t at, n;
    uint32_t hash, number; /* number 0: a free place */
};

struct plan_writer {
    char *path, *temp;
    int fd;
    struct text text, pairs; /* the pairs go behind everything else */
    struct text *to;         /* the one of them that is added to */
    uint64_t lines;
    uint32_t n_classes, n_sites, n_frames, n_helds, n_whys, n_sides, n_pairs;
    struct plan_pairs waiting;  /* n 0: none */
    struct shared_line *shared; /* open addressing */
    size_t n_shared, places;    /* a power of two, or 0 */
    bool in_method;             /* a method of the current class is open */
    uint32_t last_bci;
    struct race_error err; /* the first thing that went wrong */
};

static void put_bytes(struct plan_writer *w, const char *s, size_t n) {
    struct text *t = w->to;
    if (w->err.set) return;
    if (t->cap - t->n < n) {
        size_t cap = t->cap * 2 > t->n + n ? t->cap * 2 : t->n + n + 4096;
        char *bigger = realloc(t->v, cap);
        if (bigger == NULL) {
            race_fail(&w->err, "out of memory");
            return;
        }
        t->v = bigger;
        t->cap = cap;
    }
    memcpy(t->v + t->n, s, n);
    t->n += n;
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

/* By hand: most of a large plan are numbers. */
static void put_digits(struct plan_writer *w, char before, uint64_t n) {
    char text[24], *at = text + sizeof text;
    do {
        *--at = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    *--at = before;
    put_bytes(w, at, (size_t)(text + sizeof text - at));
}

static void put_number(struct plan_writer *w, int64_t n) {
    if (n < 0) put_bytes(w, "\t", 1);
    put_digits(w, n < 0 ? '-' : '\t', n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
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

/* The disk is full or the folder is not there: the exit code is not that of bad input. */
static bool io_failed(struct plan_writer *w, struct race_error *err, const char *why) {
    if (err != NULL && !err->set) err->exit_code = RACE_EXIT_OTHER;
    race_fail(err, "cannot write the plan: %s", why);
    race_error_set_file(err, w->path);
    return false;
}

/* A rename would put a file in the place of a device such as /dev/null, and a plan is read again. */
static bool open_temp(struct plan_writer *w, struct race_error *err) {
    struct stat st;
    if (stat(w->path, &st) == 0 && !S_ISREG(st.st_mode))
        return io_failed(w, err, S_ISDIR(st.st_mode) ? strerror(EISDIR) : "it is not a regular file");
    w->fd = mkstemp(w->temp);
    return w->fd >= 0 || io_failed(w, err, strerror(errno));
}

struct plan_writer *plan_writer_new(const char *path, struct race_error *err) {
    struct plan_writer *w = calloc(1, sizeof *w);
    size_t n = strlen(path);
    if (w != NULL) {
        w->fd = -1;
        w->to = &w->text;
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
    if (!open_temp(w, err)) {
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
    if (!expects(w, w->n_sides == 0, "class behind a side")) return;
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
    if (!expects(w, w->n_classes > 0 && w->n_sides == 0, "field without a class")) return;
    put_keyword(w, "field");
    put_column(w, name);
    put_column(w, desc);
    end_line(w);
}

void plan_write_lent(struct plan_writer *w, const char *name, const char *desc) {
    if (!expects(w, w->n_classes > 0 && w->n_sides == 0, "lent without a class")) return;
    put_keyword(w, "lent");
    put_column(w, name);
    put_column(w, desc);
    end_line(w);
}

void plan_write_method(struct plan_writer *w, const char *name, const char *desc, enum plan_proof proof) {
    if (!expects(w, w->n_classes > 0 && w->n_sides == 0, "method without a class")) return;
    put_keyword(w, "method");
    put_column(w, name);
    put_column(w, desc);
    put_column(w, plan_proof_names[proof]);
    end_line(w);
    w->in_method = true;
    w->last_bci = 0;
}

void plan_write_requires(struct plan_writer *w, const char *lock) {
    if (!expects(w, w->in_method && w->n_sides == 0, "requires without a method")) return;
    put_keyword(w, "requires");
    put_column(w, lock);
    end_line(w);
}

plan_site_id plan_write_site(struct plan_writer *w, uint32_t bci, int line, bool is_write,
                             enum plan_kind kind, const char *owner, const char *name) {
    if (!expects(w, w->in_method && w->n_sides == 0, "site without a method")) return (plan_site_id){0};
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

/* ---- details ---- */

static bool shared_equal(const struct plan_writer *w, const struct shared_line *l, const char *line,
                         size_t n) {
    return l->n == n && memcmp(w->text.v + l->at, line, n) == 0;
}

static void shared_place(struct plan_writer *w, const struct shared_line *l) {
    size_t i = l->hash;
    while (w->shared[i & (w->places - 1)].number != 0) i++;
    w->shared[i & (w->places - 1)] = *l;
}

static bool shared_grow(struct plan_writer *w) {
    struct shared_line *old = w->shared;
    size_t n = w->places;
    if (w->n_shared * 2 < n) return true;
    w->places = n > 0 ? n * 2 : 1024;
    w->shared = calloc(w->places, sizeof *w->shared);
    if (w->shared == NULL) {
        w->shared = old;
        w->places = n;
        return race_fail(&w->err, "out of memory");
    }
    for (size_t i = 0; i < n; i++)
        if (old[i].number != 0) shared_place(w, &old[i]);
    free(old);
    return true;
}

/* Ends the line that begins at `start`, or takes it back if it stands in the plan already; its number. */
static uint32_t end_shared(struct plan_writer *w, size_t start, uint32_t *count) {
    if (w->err.set || !shared_grow(w)) return 0;
    const char *line = w->text.v + start;
    struct shared_line l = {.at = start, .n = w->text.n - start};
    uint64_t digest = plan_digest(line, l.n);
    l.hash = (uint32_t)(digest ^ digest >> 32);
    for (size_t i = l.hash;; i++) {
        const struct shared_line *other = &w->shared[i & (w->places - 1)];
        if (other->number == 0) break;
        if (other->hash != l.hash || !shared_equal(w, other, line, l.n)) continue;
        w->text.n = start;
        return other->number;
    }
    end_line(w);
    l.number = ++*count;
    w->n_shared++;
    shared_place(w, &l);
    return l.number;
}

plan_frame_id plan_write_frame(struct plan_writer *w, plan_frame_id caller, const char *text) {
    size_t start = w->text.n;
    if (!expects(w, caller.v <= w->n_frames, "frame of a caller that is not there"))
        return (plan_frame_id){0};
    put_keyword(w, "frame");
    put_number(w, caller.v);
    put_column(w, text);
    return (plan_frame_id){end_shared(w, start, &w->n_frames)};
}

plan_held_id plan_write_held(struct plan_writer *w, const char *const *locks, size_t n) {
    size_t start = w->text.n;
    if (n == 0 || w->err.set) return (plan_held_id){0};
    put_keyword(w, "held");
    for (size_t i = 0; i < n; i++) put_column(w, locks[i]);
    return (plan_held_id){end_shared(w, start, &w->n_helds)};
}

plan_why_id plan_write_why(struct plan_writer *w, const char *text) {
    size_t start = w->text.n;
    put_keyword(w, "why");
    put_column(w, text);
    return (plan_why_id){end_shared(w, start, &w->n_whys)};
}

plan_side_id plan_write_side(struct plan_writer *w, plan_site_id site, plan_frame_id frame,
                             plan_held_id held) {
    size_t start = w->text.n;
    bool known = site.v > 0 && site.v <= w->n_sites && frame.v <= w->n_frames && held.v <= w->n_helds;
    if (!expects(w, known, "side of something that is not there")) return (plan_side_id){0};
    put_keyword(w, "side");
    put_number(w, site.v);
    put_number(w, frame.v);
    put_number(w, held.v);
    return (plan_side_id){end_shared(w, start, &w->n_sides)};
}

/* Writes the line of the pairs that wait. */
static void end_pairs(struct plan_writer *w) {
    const struct plan_pairs *p = &w->waiting;
    if (p->n == 0) return;
    w->to = &w->pairs;
    put_keyword(w, "pair");
    put_number(w, p->side.v);
    put_number(w, p->others.v);
    if (p->n > 1) put_digits(w, '-', p->others.v + p->n - 1);
    put_number(w, p->why.v);
    end_line(w);
    w->to = &w->text;
    w->waiting.n = 0;
}

plan_pair_id plan_write_pair(struct plan_writer *w, plan_side_id first, plan_side_id second,
                             plan_why_id why) {
    bool known =
        first.v > 0 && second.v > 0 && first.v <= w->n_sides && second.v <= w->n_sides && why.v <= w->n_whys;
    if (!expects(w, known, "pair of something that is not there")) return (plan_pair_id){0};
    struct plan_pairs *p = &w->waiting;
    if (w->n_pairs == PLAN_MAX_PAIRS) {
        race_fail(&w->err, "more than %d pairs may race: too many for a plan", PLAN_MAX_PAIRS);
        return (plan_pair_id){0};
    }
    w->n_pairs++;
    if (p->n > 0 && p->side.v == first.v && p->why.v == why.v && p->others.v + p->n == second.v) {
        p->n++;
    } else {
        end_pairs(w);
        *p = (struct plan_pairs){.side = first, .others = second, .n = 1, .why = why};
    }
    return (plan_pair_id){w->n_pairs};
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
    end_pairs(w);
    uint64_t lines = w->lines;
    if (w->pairs.n > 0) put_bytes(w, w->pairs.v, w->pairs.n);
    uint64_t digest = plan_digest(w->text.v, w->text.n);
    put_keyword(w, "end");
    put_number(w, (int64_t)lines);
    put_hex(w, digest);
    end_line(w);
    bool ok = !w->err.set;
    if (!ok) {
        race_fail(err, "%s", w->err.what);
        race_error_set_file(err, w->path);
    }
    if (ok && !write_all(w->fd, w->text.v, w->text.n)) ok = io_failed(w, err, strerror(errno));
    if (close(w->fd) != 0 && ok) ok = io_failed(w, err, strerror(errno));
    w->fd = -1;
    if (ok && rename(w->temp, w->path) != 0) ok = io_failed(w, err, strerror(errno));
    if (ok) {
        free(w->temp);
        w->temp = NULL;
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
    free(w->text.v);
    free(w->pairs.v);
    free(w->shared);
    free(w);
}
