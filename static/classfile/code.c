/* The Code attribute (JVMS 4.7.3) with its exception table and debug tables. */
#include "parse.h"

static bool fail_length(struct cf_reader *r, const struct cf_attr *a) {
    return race_fail_at(r->err, a->offset, "Code: wrong attribute length %u", a->length);
}

/* The handlers' ranges end at instructions too, or the editor could not move them. */
static bool read_handler(struct cf_code_reader *cr, struct cursor *c, struct cf_handler *h) {
    struct cf_reader *r = cr->r;
    size_t at = c->pos;
    h->start = cursor_u2(c);
    h->end = cursor_u2(c);
    h->handler = cursor_u2(c);
    h->catch_type = cursor_u2(c);
    if (!cf_is_start(cr, h->start))
        return race_fail_at(r->err, at, "exception table: bad start_pc %u", h->start);
    if (h->end <= h->start || (h->end != cr->code->length && !cf_is_start(cr, h->end)))
        return race_fail_at(r->err, at + 2, "exception table: bad end_pc %u", h->end);
    if (!cf_is_start(cr, h->handler))
        return race_fail_at(r->err, at + 4, "exception table: bad handler_pc %u", h->handler);
    return h->catch_type == 0 || cf_want(r, at + 6, h->catch_type, CF_CLASS, "exception table");
}

static bool read_handlers(struct cf_code_reader *cr, struct cursor *c) {
    struct cf_code *code = cr->code;
    size_t at = c->pos;
    uint16_t n = cursor_u2(c);
    if (c->failed || !cursor_fits(c, n, 8)) return race_fail_at(cr->r->err, at, "exception table is cut off");
    if ((code->handlers = CF_NEW_ARRAY(cr->r, n, struct cf_handler)) == NULL) return false;
    for (code->n_handlers = 0; code->n_handlers < n; code->n_handlers++)
        if (!read_handler(cr, c, &code->handlers[code->n_handlers])) return false;
    return true;
}

/* Not failures: see the ground rules in parse.h.  All of a table is kept or none of it. */
static bool lines_ok(const struct cf_code_reader *cr, const struct cf_attr *a) {
    struct cursor c = cf_attr_cursor(cr->r->cls, a);
    uint32_t n = cursor_u2(&c);
    if (c.failed || cursor_left(&c) != 4 * (size_t)n) return false;
    while (n-- > 0) {
        if (!cf_is_start(cr, cursor_u2(&c))) return false;
        cursor_u2(&c);
    }
    return true;
}

/* The same for LocalVariableTable and, with signatures instead of descriptors, LocalVariableTypeTable. */
static bool vars_ok(const struct cf_code_reader *cr, const struct cf_attr *a) {
    const struct cf_class *cls = cr->r->cls;
    struct cursor c = cf_attr_cursor(cls, a);
    uint32_t n = cursor_u2(&c), length = cr->code->length;
    if (c.failed || cursor_left(&c) != 10 * (size_t)n) return false;
    while (n-- > 0) {
        uint32_t start = cursor_u2(&c), end = start + cursor_u2(&c);
        uint16_t name = cursor_u2(&c), desc = cursor_u2(&c), index = cursor_u2(&c);
        if ((start != length && !cf_is_start(cr, start)) || (end != length && !cf_is_start(cr, end)))
            return false;
        if (!cf_is(cls, name, CF_UTF8) || !cf_is(cls, desc, CF_UTF8)) return false;
        if (index >= cr->code->max_locals) return false;
        if (a->kind == CF_ATTR_LOCAL_VARIABLE_TABLE && !cf_desc_is_field(cf_utf8(cls, desc))) return false;
    }
    return true;
}

/* Checks what has code offsets, and counts the entries of the debug tables. */
static bool check_code_attr(struct cf_code_reader *cr, struct cf_attr *a) {
    struct cf_code *code = cr->code;
    bool ok = true;
    switch (a->kind) {
    case CF_ATTR_STACK_MAP_TABLE:
        if (code->has_frames) return race_fail_at(cr->r->err, a->offset, "two StackMapTable attributes");
        return cf_read_frames(cr, a);
    case CF_ATTR_LINE_NUMBER_TABLE:
        if ((ok = lines_ok(cr, a))) code->n_lines += a->length / 4; /* the count field adds less than one */
        break;
    case CF_ATTR_LOCAL_VARIABLE_TABLE:
        if ((ok = vars_ok(cr, a))) code->n_vars += a->length / 10;
        break;
    case CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE: ok = vars_ok(cr, a); break;
    case CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS: ok = cf_type_annotations_ok(cr->r->cls, a, cr); break;
    default: break;
    }
    if (!ok) a->kind = CF_ATTR_OTHER;
    return true;
}

/* A method may have several tables of a kind (javac's own are single); they are joined.  check_code_attr()
   has counted them and demoted the bad ones. */
static bool read_debug_tables(struct cf_reader *r, struct cf_code *code) {
    if ((code->lines = CF_NEW_ARRAY(r, code->n_lines, struct cf_line)) == NULL) return false;
    if ((code->vars = CF_NEW_ARRAY(r, code->n_vars, struct cf_local_var)) == NULL) return false;
    struct cf_line *line = code->lines;
    struct cf_local_var *var = code->vars;
    for (uint32_t i = 0; i < code->attrs.n; i++) {
        const struct cf_attr *a = &code->attrs.v[i];
        struct cursor c = cf_attr_cursor(r->cls, a);
        if (a->kind == CF_ATTR_LINE_NUMBER_TABLE) {
            for (uint32_t n = cursor_u2(&c); n > 0; n--, line++) {
                line->bci = cursor_u2(&c);
                line->line = cursor_u2(&c);
            }
        } else if (a->kind == CF_ATTR_LOCAL_VARIABLE_TABLE) {
            for (uint32_t n = cursor_u2(&c); n > 0; n--, var++) {
                var->start = cursor_u2(&c);
                var->length = cursor_u2(&c);
                var->name = cursor_u2(&c);
                var->desc = cursor_u2(&c);
                var->index = cursor_u2(&c);
            }
        }
    }
    return true;
}

/* max_locals must hold the arguments, which the first frame relies on. */
static bool read_bytecode(struct cf_code_reader *cr, struct cursor *c, const struct cf_attr *a) {
    struct cf_reader *r = cr->r;
    struct cf_code *code = cr->code;
    code->max_stack = cursor_u2(c);
    code->max_locals = cursor_u2(c);
    code->length = cursor_u4(c);
    if (c->failed) return fail_length(r, a);
    if (code->length == 0 || code->length > UINT16_MAX)
        return race_fail_at(r->err, c->pos - 4, "code length %u is not in 1..65535", code->length);
    cr->code_at = (uint32_t)c->pos;
    if ((code->code = cursor_bytes(c, code->length)) == NULL)
        return race_fail_at(r->err, cr->code_at - 4, "code length %u is longer than the attribute",
                            code->length);
    unsigned words = cf_desc_arg_words(cf_utf8(r->cls, cr->method->desc));
    if (words + ((cr->method->access & CF_ACC_STATIC) == 0) > code->max_locals)
        return race_fail_at(r->err, cr->code_at - 6, "arguments do not fit into max_locals %u",
                            code->max_locals);
    return cf_check_instructions(cr);
}

/* Attributes come behind the code in the file, so every offset in them can be checked against the
   instructions' starts. */
bool cf_read_code(struct cf_reader *r, struct cf_method *method, const struct cf_attr *a) {
    struct cf_code *code = CF_NEW_ARRAY(r, 1, struct cf_code);
    if (code == NULL) return false;
    code->attr_offset = a->offset;
    struct cf_code_reader cr; /* the bit sets are cleared as far as needed, not as a whole */
    cr.r = r;
    cr.method = method;
    cr.code = code;
    struct cursor c = cf_attr_cursor(r->cls, a);
    if (!read_bytecode(&cr, &c, a) || !read_handlers(&cr, &c)) return false;
    if (!cf_read_attrs(r, &c, CF_IN_CODE, &code->attrs)) return false;
    if (cursor_left(&c) != 0) return fail_length(r, a);
    for (uint32_t i = 0; i < code->attrs.n; i++)
        if (!check_code_attr(&cr, &code->attrs.v[i])) return false;
    method->code = code;
    return read_debug_tables(r, code);
}
