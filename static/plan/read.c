/*
 * Reading plans.
 *
 * The simple way would be to copy every column into its own string.  A plan of a large program has some
 * hundred thousand lines, and the JVM waits for them, so the file is read into one buffer and cut in place:
 * strings are pointers into it.  A first walk over the lines counts how many of each kind there are, so that
 * every table is allocated once and at its final size.
 */
#include "race/plan.h"

#include "columns.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_COLUMNS = 10 }; /* of the lines that are cut at once; promise has the most */

struct reader {
    struct plan *p;
    char *at, *end;
    uint32_t line; /* of the line being read, from 1 */
    uint32_t cap_classes, cap_fields, cap_lents, cap_methods, cap_requires, cap_promises, cap_trusts,
        cap_sites, cap_frames, cap_helds, cap_locks, cap_whys, cap_sides, cap_pairs, cap_meta, cap_funnel;
    uint64_t digest; /* of everything before the end line */
    bool ended;
    struct race_error *err;
};

static bool bad(struct reader *r, const char *what) {
    return race_fail(r->err, "line %" PRIu32 ": %s", r->line, what);
}

static bool on_meta(struct reader *r, char **col) {
    if (r->p->n_classes > 0) return bad(r, "meta must stand before the first class");
    r->p->meta[r->p->n_meta++] = (struct plan_entry){col[1], col[2]};
    return true;
}

static bool on_funnel(struct reader *r, char **col) {
    uint64_t n;
    if (!column_u64(col[2], 10, &n)) return bad(r, "the size of the stage is not a number");
    r->p->funnel[r->p->n_funnel++] = (struct plan_entry){col[1], col[2]};
    return true;
}

static bool on_class(struct reader *r, char **col) {
    struct plan *p = r->p;
    uint64_t digest;
    if (p->n_sides > 0) return bad(r, "class behind the first side");
    if (strlen(col[1]) != 16 || !column_u64(col[1], 16, &digest))
        return bad(r, "the class digest is not 16 hex digits");
    if (*col[2] == '\0') return bad(r, "the class has no name");
    bool unsafe = strcmp(col[4], "unsafe") == 0;
    if (!unsafe && strcmp(col[4], "-") != 0) return bad(r, "class flags are neither - nor unsafe");
    uint32_t at = (uint32_t)plan_digest(col[2], strlen(col[2])) & p->lookup_mask;
    for (; p->lookup[at] != 0; at = (at + 1) & p->lookup_mask)
        if (strcmp(p->classes[p->lookup[at] - 1].name, col[2]) == 0) return bad(r, "the class stands twice");
    p->classes[p->n_classes] = (struct plan_class){.name = col[2],
                                                   .file = strcmp(col[3], "-") == 0 ? NULL : col[3],
                                                   .digest = digest,
                                                   .unsafe = unsafe,
                                                   .fields = {p->n_fields, 0},
                                                   .lents = {p->n_lents, 0},
                                                   .methods = {p->n_methods, 0}};
    p->lookup[at] = ++p->n_classes;
    return true;
}

static bool on_field(struct reader *r, char **col) {
    struct plan *p = r->p;
    if (p->n_classes == 0 || p->n_sides > 0) return bad(r, "field without a class");
    p->fields[p->n_fields++] = (struct plan_field){col[1], col[2]};
    p->classes[p->n_classes - 1].fields.n++;
    return true;
}

static bool on_lent(struct reader *r, char **col) {
    struct plan *p = r->p;
    if (p->n_classes == 0 || p->n_sides > 0) return bad(r, "lent without a class");
    p->lents[p->n_lents++] = (struct plan_field){col[1], col[2]};
    p->classes[p->n_classes - 1].lents.n++;
    return true;
}

static bool on_method(struct reader *r, char **col) {
    struct plan *p = r->p;
    if (p->n_classes == 0 || p->n_sides > 0) return bad(r, "method without a class");
    unsigned proof = 0;
    while (proof < PLAN_N_PROOFS && strcmp(col[3], plan_proof_names[proof]) != 0) proof++;
    if (proof == PLAN_N_PROOFS) return bad(r, "a method is typed, untyped or unreached");
    p->methods[p->n_methods++] = (struct plan_method){.name = col[1],
                                                      .desc = col[2],
                                                      .cls = p->n_classes - 1,
                                                      .typed = proof == PLAN_TYPED,
                                                      .unreached = proof == PLAN_UNREACHED,
                                                      .sites = {p->n_sites, 0},
                                                      .requires = {p->n_requires, 0}};
    p->classes[p->n_classes - 1].methods.n++;
    return true;
}

/* The method that requires and site lines belong to, or NULL. */
static struct plan_method *open_method(struct reader *r) {
    struct plan *p = r->p;
    bool open = p->n_classes > 0 && p->classes[p->n_classes - 1].methods.n > 0 && p->n_sides == 0;
    return open ? &p->methods[p->n_methods - 1] : NULL;
}

static bool on_requires(struct reader *r, char **col) {
    struct plan_method *m = open_method(r);
    if (m == NULL) return bad(r, "requires without a method");
    r->p->requires[r->p->n_requires++] = col[1];
    m->requires.n++;
    return true;
}

static bool on_site(struct reader *r, char **col) {
    struct plan *p = r->p;
    struct plan_method *m = open_method(r);
    struct plan_site s = {.method = p->n_methods - 1, .owner = col[5], .name = col[6]};
    if (m == NULL) return bad(r, "site without a method");
    if (!column_i32(col[1], &s.bci) || s.bci < 0) return bad(r, "the bytecode index is not a number");
    if (m->sites.n > 0 && p->sites[p->n_sites - 1].bci > s.bci)
        return bad(r, "sites of a method are not in ascending order");
    if (!column_i32(col[2], &s.line)) return bad(r, "the source line is not a number");
    s.is_write = strcmp(col[3], "w") == 0;
    if (!s.is_write && strcmp(col[3], "r") != 0) return bad(r, "an access is r or w");
    while (s.kind < PLAN_N_KINDS && strcmp(col[4], plan_kind_names[s.kind]) != 0) s.kind++;
    if (s.kind == PLAN_N_KINDS) return bad(r, "unknown kind of site");
    p->sites[p->n_sites++] = s;
    m->sites.n++;
    return true;
}

/* Numbers name what stands before, so each can be checked at once. */
static bool on_frame(struct reader *r, char **col) {
    struct plan *p = r->p;
    struct plan_frame f = {.text = col[2]};
    if (!column_u32(col[1], &f.caller.v)) return bad(r, "the caller of the frame is not a number");
    if (f.caller.v > p->n_frames) return bad(r, "the frame names a caller that is not there");
    p->frames[p->n_frames++] = f;
    return true;
}

static bool on_why(struct reader *r, char **col) {
    r->p->whys[r->p->n_whys++] = col[1];
    return true;
}

static bool on_side(struct reader *r, char **col) {
    struct plan *p = r->p;
    struct plan_side s;
    if (!column_u32(col[1], &s.site.v) || !column_u32(col[2], &s.frame.v) || !column_u32(col[3], &s.held.v))
        return bad(r, "a column of the side is not a number");
    if (s.site.v == 0 || s.site.v > p->n_sites) return bad(r, "the side names a site that is not there");
    if (s.frame.v > p->n_frames) return bad(r, "the side names a frame that is not there");
    if (s.held.v > p->n_helds) return bad(r, "the side names locks that are not there");
    p->sides[p->n_sides++] = s;
    return true;
}

static bool on_pair(struct reader *r, char **col) {
    struct plan *p = r->p;
    struct plan_pairs pairs = {.first = {p->n_pairs + 1}};
    uint32_t last;
    if (!column_u32(col[1], &pairs.side.v) || !column_range(col[2], &pairs.others.v, &last) ||
        !column_u32(col[3], &pairs.why.v))
        return bad(r, "a column of the pair is not a number");
    if (last < pairs.others.v) return bad(r, "the last side of the pairs stands before the first");
    if (pairs.side.v == 0 || pairs.others.v == 0 || pairs.side.v > p->n_sides || last > p->n_sides)
        return bad(r, "the pair names a side that is not there");
    if (pairs.why.v > p->n_whys) return bad(r, "the pair names a reason that is not there");
    pairs.n = last - pairs.others.v + 1;
    if (pairs.n > PLAN_MAX_PAIRS - p->n_pairs) return bad(r, "these are more pairs than a plan may have");
    p->pairs[p->n_pair_lines++] = pairs;
    p->n_pairs += pairs.n;
    return true;
}

static bool on_promise(struct reader *r, char **col) {
    struct plan_promise p = {.annotation = col[1],
                             .location = col[2],
                             .cls = col[3],
                             .method = col[4],
                             .desc = col[5],
                             .file = col[6],
                             .access = col[8],
                             .text = col[9]};
    if (!column_i32(col[7], &p.line)) return bad(r, "the source line is not a number");
    if (strcmp(p.access, "read") != 0 && strcmp(p.access, "write") != 0 && strcmp(p.access, "call") != 0)
        return bad(r, "a promise is broken by a read, a write or a call");
    r->p->promises[r->p->n_promises++] = p;
    return true;
}

static bool on_trust(struct reader *r, char **col) {
    r->p->trusts[r->p->n_trusts++] = (struct plan_trust){col[1], col[2]};
    return true;
}

/* Count and digest together: truncation, lines lost in the middle and edits all show. */
static bool on_end(struct reader *r, char **col) {
    uint64_t lines, digest;
    if (!column_u64(col[1], 10, &lines)) return bad(r, "the number of lines is not a number");
    if (!column_u64(col[2], 16, &digest)) return bad(r, "the digest is not a hexadecimal number");
    if (lines != r->line - 1) {
        race_fail(r->err, "line %" PRIu32 ": the plan should have %" PRIu64 " lines before this one", r->line,
                  lines);
        return false;
    }
    if (r->at < r->end) return bad(r, "something follows the end line");
    if (digest != r->digest) return bad(r, "the digest differs: the plan was changed after it was written");
    r->p->digest = digest;
    r->ended = true;
    return true;
}

/* Frequent ones first. */
static const struct line_kind {
    const char *keyword;
    size_t columns;
    bool (*read)(struct reader *r, char **col);
} line_kinds[] = {
    {"pair", 4, on_pair},   {"side", 4, on_side},         {"site", 7, on_site},   {"frame", 3, on_frame},
    {"why", 2, on_why},     {"method", 4, on_method},     {"class", 5, on_class}, {"field", 3, on_field},
    {"lent", 3, on_lent},   {"requires", 2, on_requires}, {"meta", 3, on_meta},   {"funnel", 3, on_funnel},
    {"trust", 3, on_trust}, {"promise", 10, on_promise},  {"end", 3, on_end},
};

/* The only line of any number of columns. */
static bool read_held(struct reader *r, char *line) {
    struct plan *p = r->p;
    p->helds[p->n_helds++].first = p->n_locks;
    for (char *lock = strchr(line, '\t'), *next; lock != NULL; lock = next) {
        next = strchr(++lock, '\t');
        if (next != NULL) *next = '\0';
        if (!column_unescape(lock)) return bad(r, "malformed escape");
        p->locks[p->n_locks++] = lock;
        p->helds[p->n_helds - 1].n++;
    }
    return true;
}

static bool read_line(struct reader *r, char *line, char *eol) {
    bool escaped = memchr(line, '\\', (size_t)(eol - line)) != NULL;
    *eol = '\0';
    if (r->p->n_pairs > 0 && strncmp(line, "pa", 2) != 0 && line[0] != 'e')
        return bad(r, "behind the first pair there is room for pairs only");
    if (strncmp(line, "held\t", 5) == 0) return read_held(r, line);
    char *col[MAX_COLUMNS];
    size_t n = columns_cut(line, col, MAX_COLUMNS);
    /* Not the keyword: the tables were sized by how it is spelled. */
    for (size_t i = 1; escaped && i < n && i < MAX_COLUMNS; i++)
        if (!column_unescape(col[i])) return bad(r, "malformed escape");
    for (size_t i = 0; i < sizeof line_kinds / sizeof *line_kinds; i++) {
        if (strcmp(col[0], line_kinds[i].keyword) != 0) continue;
        return n == line_kinds[i].columns ? line_kinds[i].read(r, col) : bad(r, "wrong number of columns");
    }
    return race_fail(r->err, "line %" PRIu32 ": unknown keyword \"%.20s\"", r->line, col[0]);
}

/* The version decides how the rest is read, so it comes before everything else that could be wrong. */
static bool read_first_line(struct reader *r, size_t size) {
    static const char magic[] = "race-plan\t";
    if (size == 0) return race_fail(r->err, "is empty: run `race analyze` again");
    char *eol = memchr(r->at, '\n', size);
    if (eol == NULL || strncmp(r->at, magic, sizeof magic - 1) != 0)
        return race_fail(r->err, "is not a plan of `race analyze`");
    *eol = '\0';
    uint32_t version;
    r->line = 1;
    if (!column_u32(r->at + sizeof magic - 1, &version)) return bad(r, "the version is not a number");
    if (version != PLAN_VERSION)
        return race_fail(r->err,
                         "line 1: plan format %" PRIu32 ", but this race reads format %d: "
                         "run `race analyze` again",
                         version, PLAN_VERSION);
    r->at = eol + 1;
    return true;
}

static bool read_lines(struct reader *r) {
    while (r->at < r->end) {
        char *line = r->at, *eol = memchr(line, '\n', (size_t)(r->end - line));
        r->line++;
        if (eol == NULL) break;
        r->at = eol + 1;
        if (!read_line(r, line, eol)) return false;
    }
    if (r->ended) return true;
    return race_fail(r->err, "line %" PRIu32 ": the file is truncated: run `race analyze` again", r->line);
}

static void *table(uint32_t n, size_t size, bool *ok) {
    void *t = calloc((size_t)n + 1, size); /* + 1: no NULL for an empty table */
    if (t == NULL) *ok = false;
    return t;
}

static uint32_t count_columns(const char *line, const char *eol) {
    uint32_t n = 1;
    for (; line < eol; line++) n += *line == '\t';
    return n;
}

/* Counts the lines of each kind by their first letters, and where the digest's range ends. */
static size_t count_lines(struct reader *r) {
    size_t end_line = 0;
    for (char *p = r->at, *eol; p < r->end; p = eol + 1) {
        eol = memchr(p, '\n', (size_t)(r->end - p));
        if (eol == NULL) break;
        switch (p[0]) {
        case 's': p[2] == 't' ? r->cap_sites++ : r->cap_sides++; break;
        case 'p': p[2] == 'i' ? r->cap_pairs++ : r->cap_promises++; break;
        case 'h':
            r->cap_helds++;
            r->cap_locks += count_columns(p, eol);
            break;
        case 'w': r->cap_whys++; break;
        case 't': r->cap_trusts++; break;
        case 'm': p[2] == 't' && p[3] == 'h' ? r->cap_methods++ : r->cap_meta++; break;
        case 'c': r->cap_classes++; break;
        case 'f': *(p[1] == 'r' ? &r->cap_frames : p[1] == 'i' ? &r->cap_fields : &r->cap_funnel) += 1; break;
        case 'l': r->cap_lents++; break;
        case 'r': r->cap_requires++; break;
        case 'e': end_line = (size_t)(p - r->p->text); break;
        default: break;
        }
    }
    return end_line;
}

static bool allocate(struct reader *r) {
    struct plan *p = r->p;
    bool ok = true;
    uint32_t slots = 16;
    while (slots < r->cap_classes * 2 && slots < UINT32_MAX / 2) slots *= 2;
    p->meta = table(r->cap_meta, sizeof *p->meta, &ok);
    p->funnel = table(r->cap_funnel, sizeof *p->funnel, &ok);
    p->classes = table(r->cap_classes, sizeof *p->classes, &ok);
    p->fields = table(r->cap_fields, sizeof *p->fields, &ok);
    p->lents = table(r->cap_lents, sizeof *p->lents, &ok);
    p->methods = table(r->cap_methods, sizeof *p->methods, &ok);
    p->requires = table(r->cap_requires, sizeof *p->requires, &ok);
    p->sites = table(r->cap_sites, sizeof *p->sites, &ok);
    p->frames = table(r->cap_frames, sizeof *p->frames, &ok);
    p->helds = table(r->cap_helds, sizeof *p->helds, &ok);
    p->locks = table(r->cap_locks, sizeof *p->locks, &ok);
    p->whys = table(r->cap_whys, sizeof *p->whys, &ok);
    p->sides = table(r->cap_sides, sizeof *p->sides, &ok);
    p->pairs = table(r->cap_pairs, sizeof *p->pairs, &ok);
    p->promises = table(r->cap_promises, sizeof *p->promises, &ok);
    p->trusts = table(r->cap_trusts, sizeof *p->trusts, &ok);
    p->lookup = table(slots, sizeof *p->lookup, &ok);
    p->lookup_mask = slots - 1;
    return ok || race_fail(r->err, "out of memory");
}

/* Takes over p->text, which has `size` bytes and a NUL behind them. */
static bool parse_text(struct plan *p, size_t size, struct race_error *err) {
    struct reader r = {.p = p, .at = p->text, .end = p->text + size, .err = err};
    if (memchr(p->text, '\0', size) != NULL) return race_fail(err, "is not text: it has a NUL byte");
    size_t end_line = count_lines(&r);
    r.digest = plan_digest(p->text, end_line);
    return read_first_line(&r, size) && allocate(&r) && read_lines(&r);
}

bool plan_parse(struct plan *p, const char *path, const char *text, size_t size, struct race_error *err) {
    *p = (struct plan){.text = malloc(size + 1)};
    bool ok = p->text != NULL || race_fail(err, "out of memory");
    if (ok) {
        memcpy(p->text, text, size);
        p->text[size] = '\0';
        ok = parse_text(p, size, err);
    }
    if (ok) return true;
    race_error_set_file(err, path);
    plan_release(p);
    return false;
}

static bool read_all(int fd, char *buf, size_t size) {
    while (size > 0) {
        ssize_t n = read(fd, buf, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        buf += n;
        size -= (size_t)n;
    }
    return true;
}

static bool load_text(struct plan *p, const char *path, size_t *size, struct race_error *err) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return race_fail(err, "cannot open the plan: %s", strerror(errno));
    bool ok = true;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        ok = race_fail(err, "is not a regular file");
    else if (st.st_size >= UINT32_MAX) /* line numbers and table sizes are 32 bits */
        ok = race_fail(err, "is too large for a plan");
    *size = ok ? (size_t)st.st_size : 0;
    if (ok && (p->text = malloc(*size + 1)) == NULL) ok = race_fail(err, "out of memory");
    if (ok && !read_all(fd, p->text, *size)) ok = race_fail(err, "cannot be read");
    if (ok) p->text[*size] = '\0';
    close(fd);
    return ok;
}

bool plan_load(struct plan *p, const char *path, struct race_error *err) {
    size_t size;
    *p = (struct plan){0};
    if (load_text(p, path, &size, err) && parse_text(p, size, err)) return true;
    race_error_set_file(err, path);
    plan_release(p);
    return false;
}

void plan_release(struct plan *p) {
    free(p->meta);
    free(p->funnel);
    free(p->classes);
    free(p->fields);
    free(p->lents);
    free(p->methods);
    free(p->requires);
    free(p->sites);
    free(p->frames);
    free(p->helds);
    free(p->locks);
    free(p->whys);
    free(p->sides);
    free(p->pairs);
    free(p->promises);
    free(p->trusts);
    free(p->lookup);
    free(p->text);
    *p = (struct plan){0};
}
