/* The attributes of a moved Code attribute: those that bear code offsets are rewritten, the rest copied. */
#include "edit.h"

#include "race/cursor.h"

/* Index 0 stays 0: code at the method's entry belongs to the first line and sees the parameters. */
static uint16_t moved_start(const struct cfe_layout *l, uint16_t bci) {
    return bci == 0 ? 0 : cfe_moved(l, bci);
}

static struct cursor payload(const struct cfe_layout *l, const struct cf_attr *at) {
    struct cursor c = cursor_make(l->m->edit->cls->data, l->m->edit->cls->size);
    c.pos = at->offset + 6;
    c.end = c.pos + at->length;
    return c;
}

static void begin(const struct cf_attr *at, struct cfe_buf *b) {
    cfe_put2(b, at->name);
    cfe_put4(b, at->length);
}

static void write_lines(const struct cfe_layout *l, const struct cf_attr *at, struct cfe_buf *b) {
    struct cursor c = payload(l, at);
    begin(at, b);
    uint16_t n = cursor_u2(&c);
    cfe_put2(b, n);
    for (uint32_t i = 0; i < n; i++) {
        cfe_put2(b, moved_start(l, cursor_u2(&c)));
        cfe_put2(b, cursor_u2(&c));
    }
}

/* start, length: of a local variable's range. */
static void write_range(const struct cfe_layout *l, struct cursor *c, struct cfe_buf *b) {
    uint16_t start = cursor_u2(c), length = cursor_u2(c);
    uint16_t from = moved_start(l, start);
    cfe_put2(b, from);
    cfe_put2(b, (uint16_t)(cfe_moved(l, (uint32_t)start + length) - from));
}

static void write_vars(const struct cfe_layout *l, const struct cf_attr *at, struct cfe_buf *b) {
    struct cursor c = payload(l, at);
    begin(at, b);
    uint16_t n = cursor_u2(&c);
    cfe_put2(b, n);
    for (uint32_t i = 0; i < n; i++) {
        write_range(l, &c, b);
        const uint8_t *rest = cursor_bytes(&c, 6);
        if (rest != NULL) cfe_put(b, rest, 6);
    }
}

/* --- Type annotations ---------------------------------------------------------------------------------- */

static void skip_annotation(struct cursor *c, int depth);

static void skip_element(struct cursor *c, int depth) {
    uint8_t tag = cursor_u1(c);
    if (depth > 64) c->failed = true; /* hostile nesting */
    if (c->failed) return;
    switch (tag) {
    case 'e': cursor_bytes(c, 4); break;
    case '@': skip_annotation(c, depth + 1); break;
    case '[':
        for (uint16_t n = cursor_u2(c); n > 0 && !c->failed; n--) skip_element(c, depth + 1);
        break;
    default: cursor_bytes(c, 2); break;
    }
}

static void skip_annotation(struct cursor *c, int depth) {
    cursor_u2(c);
    for (uint16_t n = cursor_u2(c); n > 0 && !c->failed; n--) {
        cursor_u2(c);
        skip_element(c, depth);
    }
}

/* target_info of JVMS 4.7.20.1; only the targets that may stand in a Code attribute bear offsets. */
static void write_target(const struct cfe_layout *l, struct cursor *c, struct cfe_buf *b) {
    uint8_t kind = cursor_u1(c);
    cfe_put1(b, kind);
    if (kind == 0x40 || kind == 0x41) { /* local variable, resource variable */
        uint16_t n = cursor_u2(c);
        cfe_put2(b, n);
        for (uint32_t i = 0; i < n && !c->failed; i++) {
            write_range(l, c, b);
            cfe_put2(b, cursor_u2(c));
        }
    } else if (kind == 0x42) { /* exception parameter: a row of the exception table */
        cfe_put2(b, (uint16_t)(cursor_u2(c) + l->n_first));
    } else if (kind >= 0x43 && kind <= 0x4B) { /* instanceof, new, method references, casts */
        uint16_t bci = cursor_u2(c);
        cfe_put2(b, (uint16_t)cfe_pos(l, bci <= l->code->length ? l->exact[bci] : 0));
        if (kind >= 0x47) cfe_put1(b, cursor_u1(c));
    } else {
        c->failed = true;
    }
}

/* Rewrites the annotations; on anything unexpected the attribute is dropped, for it must not lie. */
static void write_type_annotations(const struct cfe_layout *l, const struct cf_attr *at, struct cfe_buf *b) {
    struct cursor c = payload(l, at);
    begin(at, b);
    size_t start = b->n;
    uint16_t n = cursor_u2(&c);
    cfe_put2(b, n);
    for (uint32_t i = 0; i < n && !c.failed; i++) {
        write_target(l, &c, b);
        size_t from = c.pos;
        cursor_bytes(&c, 2u * cursor_u1(&c)); /* type_path */
        skip_annotation(&c, 0);
        cfe_put(b, c.data + from, c.pos - from);
    }
    if (!c.failed || b->failed) return;
    b->n = start;
    cfe_put2(b, 0);
    cfe_set4(b, start - 4, 2);
}

static void write_attr(const struct cfe_layout *l, const struct cf_attr *at, struct cfe_buf *b) {
    switch (at->kind) {
    case CF_ATTR_LINE_NUMBER_TABLE: write_lines(l, at, b); break;
    case CF_ATTR_LOCAL_VARIABLE_TABLE:
    case CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE: write_vars(l, at, b); break;
    case CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS: write_type_annotations(l, at, b); break;
    default: cfe_put(b, l->m->edit->cls->data + at->offset, 6 + (size_t)at->length); break;
    }
}

void cfe_write_code_attrs(struct cfe_layout *l, struct cfe_buf *b) {
    uint16_t n = 0;
    size_t count_at = b->n;
    cfe_put2(b, 0);
    for (uint32_t i = 0; l->code != NULL && i < l->code->attrs.n; i++) {
        const struct cf_attr *at = &l->code->attrs.v[i];
        if (at->kind == CF_ATTR_STACK_MAP_TABLE) continue;
        write_attr(l, at, b);
        n++;
    }
    if (l->n_frames > 0) {
        cfe_write_frames(l, b);
        n++;
    }
    cfe_set2(b, count_at, n);
}
