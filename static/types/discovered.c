/*
 * Discovery logs: result files whose lines of type "owner" say how the fields of the objects that were
 * sampled were protected in a run; see race/result.h.  They are guesses, and the checker treats them so.
 */
#include "internal.h"

#include "race/result.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* All strings in the log's arena. */
struct log_line {
    const char *cls, *field, *owner;
};

struct types_log {
    struct arena arena;
    VEC(struct log_line) lines;
};

struct types_log *types_log_new(void) {
    struct types_log *log = calloc(1, sizeof *log);
    if (log == NULL) abort();
    arena_init(&log->arena);
    return log;
}

void types_log_free(struct types_log *log) {
    if (log == NULL) return;
    vec_release(&log->lines);
    arena_release(&log->arena);
    free(log);
}

/* ---- reading ---- */

struct reader {
    struct types_log *log;
    unsigned line;
    bool header, summary;
};

static const char *text_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : "";
}

static bool bad(const struct reader *x, struct race_error *err, const char *what) {
    return race_fail(err, "line %u: %s", x->line, what);
}

/* "pkg.Outer$Inner" as in class files. */
static const char *internal_name(struct types_log *log, const char *dotted) {
    char *copy = arena_strdup(&log->arena, dotted);
    for (char *c = copy; *c != '\0'; c++) {
        if (*c == '.') *c = '/';
    }
    return copy;
}

static bool take_owner(struct reader *x, const json_t *object, struct race_error *err) {
    struct types_log *log = x->log;
    const char *cls = text_of(object, "class"), *field = text_of(object, "field"),
               *owner = text_of(object, "owner");
    if (*cls == '\0' || *field == '\0' || *owner == '\0')
        return bad(x, err, "an owner line needs class, field and owner");
    struct log_line line = {internal_name(log, cls), arena_strdup(&log->arena, field),
                            arena_strdup(&log->arena, owner)};
    vec_push(&log->lines, line);
    return true;
}

static bool take_line(struct reader *x, const char *text, size_t n, struct race_error *err) {
    x->line++;
    json_t *object = json_loadb(text, n, 0, NULL);
    const char *type = object != NULL ? text_of(object, "type") : "";
    bool ok = true;
    if (!json_is_object(object)) {
        ok = bad(x, err, "is no JSON object; the log is damaged or cut off");
    } else if (!x->header) {
        x->header = strcmp(type, RESULT_HEADER) == 0 && strcmp(text_of(object, "mode"), "discover") == 0;
        if (!x->header) ok = bad(x, err, "is no discovery log; make one with race run --mode discover");
    } else if (strcmp(type, RESULT_OWNER) == 0) {
        ok = take_owner(x, object, err);
    } else if (strcmp(type, RESULT_SUMMARY) == 0) {
        x->summary = true;
    }
    json_decref(object);
    return ok;
}

static bool read_lines(struct reader *x, FILE *in, struct race_error *err) {
    char *line = NULL;
    size_t cap = 0;
    bool ok = true;
    for (ssize_t n; ok && (n = getline(&line, &cap, in)) > 0;) ok = take_line(x, line, (size_t)n, err);
    free(line);
    if (!ok) return false;
    if (!x->header) return race_fail(err, "is empty; make a log with race run --mode discover");
    return x->summary || race_fail(err, "has no summary at its end: the log is cut off, make it again");
}

bool types_log_read(struct types_log *log, const char *path, struct race_error *err) {
    struct reader x = {.log = log};
    FILE *in = fopen(path, "r");
    bool ok = in != NULL ? read_lines(&x, in, err) : race_fail(err, "%s", strerror(errno));
    if (in != NULL) fclose(in);
    if (!ok) race_error_set_file(err, path);
    return ok;
}

/* ---- asking ---- */

static field_id field_in(struct types *t, class_id c, const char *name, size_t n) {
    for (; c.v != 0; c = program_peek(t->r->p, c)->super) {
        const struct class_info *info = program_peek(t->r->p, c);
        for (uint32_t i = 0; i < info->n_fields; i++) {
            field_id f = {info->first_field.v + i};
            const char *text = program_str(t->r->p, program_field(t->r->p, f)->name);
            if (strncmp(text, name, n) == 0 && text[n] == '\0') return f;
        }
    }
    return (field_id){0};
}

/* "a.b" behind "this.": fields from the object's class on. */
static bool add_fields(struct types *t, class_id c, const char *names, struct path *path) {
    for (;;) {
        size_t n = strcspn(names, ".");
        field_id f = field_in(t, c, names, n);
        if (f.v == 0 || !path_extend(path, f)) return false;
        if (names[n] == '\0') return true;
        c = program_field(t->r->p, f)->type;
        names += n + 1;
    }
}

/* "pkg.C.class" or "pkg.C.field". */
static bool global_lock(struct types *t, const char *text, struct path *path) {
    const char *dot = strrchr(text, '.');
    if (dot == NULL) return false;
    char *cls = arena_strdup(&t->arena, text);
    cls[dot - text] = '\0';
    for (char *c = cls; *c != '\0'; c++) {
        if (*c == '.') *c = '/';
    }
    class_id c = program_find_class(t->r->p, cls);
    if (c.v == 0 || c.v > program_n_classes(t->r->p)) return false;
    if (strcmp(dot + 1, "class") == 0) {
        *path = (struct path){.root = PATH_CLASS, .id = c.v};
        return true;
    }
    field_id f = field_in(t, c, dot + 1, strlen(dot + 1));
    *path = (struct path){.root = PATH_STATIC, .id = f.v};
    return f.v != 0 && (program_field(t->r->p, f)->access & CF_ACC_STATIC) != 0;
}

static bool owner_from(struct types *t, const struct slot *s, const char *text, struct owner *out) {
    static const struct {
        const char *name;
        uint8_t kind;
    } specials[] = {
        {"thisThread", OWNER_THIS_THREAD}, {"readonly", OWNER_READONLY}, {"unique", OWNER_UNIQUE}};
    *out = (struct owner){.kind = OWNER_LOCK, .path = {.root = PATH_VAR}};
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (strcmp(text, specials[i].name) != 0) continue;
        *out = (struct owner){.kind = specials[i].kind};
        return true;
    }
    if (strcmp(text, "self") == 0) return s->object.v != 0;
    if (strncmp(text, "this.", 5) != 0) return global_lock(t, text, &out->path);
    return s->object.v != 0 && add_fields(t, pts_obj_info(t->r->pts, s->object)->cls, text + 5, &out->path);
}

/* The field of each line, 0 if there is none; a line may name a class below the one that declares it. */
static void resolve_lines(struct types *t) {
    t->log_fields = ARENA_NEW_N(&t->arena, t->log->lines.n + 1, field_id);
    for (size_t i = 0; i < t->log->lines.n; i++) {
        const struct log_line *line = &t->log->lines.v[i];
        class_id c = program_find_class(t->r->p, line->cls);
        if (c.v != 0) t->log_fields[i] = field_in(t, c, line->field, strlen(line->field));
    }
}

bool log_owner(struct types *t, const struct slot *s, struct owner *out) {
    if (t->log == NULL || s->field.v == 0) return false;
    if (t->log_fields == NULL) resolve_lines(t);
    for (size_t i = 0; i < t->log->lines.n; i++) {
        if (field_id_eq(t->log_fields[i], s->field) && owner_from(t, s, t->log->lines.v[i].owner, out))
            return true;
    }
    return false;
}
