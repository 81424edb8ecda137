/* Edits of a class: keeping the wishes, and writing the class around the edited methods. */
#include "edit.h"

#include "race/opcodes.h"

#include <stdlib.h>

static const char *const reason_text[CFE_REASONS] = {
    [CFE_OK] = "ok",
    [CFE_NO_MEMORY] = "out of memory",
    [CFE_POOL_FULL] = "constant pool full",
    [CFE_TOO_MANY_MEMBERS] = "too many members",
    [CFE_CODE_TOO_LARGE] = "code would pass 65535 bytes",
    [CFE_TOO_MANY_LOCALS] = "too many local variables",
    [CFE_STACK_TOO_DEEP] = "operand stack too deep",
    [CFE_TOO_MANY_HANDLERS] = "exception or frame table too long",
    [CFE_UNVERIFIABLE] = "types cannot be followed",
    [CFE_BAD_EDIT] = "inconsistent edit",
};

const char *cfe_reason_text(enum cfe_reason reason) {
    return (unsigned)reason < CFE_REASONS ? reason_text[reason] : "?";
}

/* --- Buffers and memory -------------------------------------------------------------------------------- */

void cfe_buf_release(struct cfe_buf *b) {
    free(b->p);
    *b = (struct cfe_buf){0};
}

void cfe_put(struct cfe_buf *b, const void *p, size_t n) {
    if (b->failed || n == 0) return;
    if (b->cap - b->n < n) {
        size_t cap = b->cap + b->cap / 2 + n + 256;
        uint8_t *bigger = realloc(b->p, cap);
        if (bigger == NULL) {
            b->failed = true;
            return;
        }
        b->p = bigger;
        b->cap = cap;
    }
    memcpy(b->p + b->n, p, n);
    b->n += n;
}

void cfe_put1(struct cfe_buf *b, uint8_t v) {
    cfe_put(b, &v, 1);
}

void cfe_put2(struct cfe_buf *b, uint16_t v) {
    uint8_t x[] = {(uint8_t)(v >> 8), (uint8_t)v};
    cfe_put(b, x, 2);
}

void cfe_put4(struct cfe_buf *b, uint32_t v) {
    uint8_t x[] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v};
    cfe_put(b, x, 4);
}

void cfe_set2(struct cfe_buf *b, size_t at, uint16_t v) {
    if (b->failed) return;
    b->p[at] = (uint8_t)(v >> 8);
    b->p[at + 1] = (uint8_t)v;
}

void cfe_set4(struct cfe_buf *b, size_t at, uint32_t v) {
    cfe_set2(b, at, (uint16_t)(v >> 16));
    cfe_set2(b, at + 2, (uint16_t)v);
}

void cfe_fail(struct cf_edit *e, enum cfe_reason reason) {
    if (e->failed == CFE_OK) e->failed = reason;
}

void *cfe_alloc(struct cf_edit *e, size_t n, size_t size) {
    void *p = arena_alloc_n(&e->arena, n, size);
    if (p == NULL) cfe_fail(e, CFE_NO_MEMORY);
    return p;
}

bool cfe_grow(struct cf_edit *e, void **v, uint32_t n, uint32_t *cap, size_t size) {
    if (n < *cap) return true;
    uint32_t bigger = *cap == 0 ? 8 : 2 * *cap;
    void *p = cfe_alloc(e, bigger, size);
    if (p == NULL) return false;
    if (n > 0) memcpy(p, *v, n * size);
    *v = p;
    *cap = bigger;
    return true;
}

/* --- Wishes -------------------------------------------------------------------------------------------- */

static void method_init(struct cfe_method *m, struct cf_edit *e, const struct cf_method *original) {
    *m = (struct cfe_method){.edit = e, .original = original};
    m->entry.m = m->tail.m = m->sink.m = m;
    if (original == NULL) return;
    m->access = original->access;
    m->name = original->name;
    m->desc = original->desc;
    if (original->code != NULL) {
        m->max_stack = original->code->max_stack;
        m->max_locals = original->code->max_locals;
    }
}

void cfe_init(struct cf_edit *e, const struct cf_class *cls) {
    *e = (struct cf_edit){.cls = cls, .access = cls->access};
    arena_init(&e->arena);
    arena_init(&e->scratch);
    e->arena.may_fail = e->scratch.may_fail = true;
    e->new_methods_end = &e->new_methods;
    e->new_fields_end = &e->new_fields;
    method_init(&e->sink, e, NULL);
    e->methods = cfe_alloc(e, (size_t)cls->n_methods + 1, sizeof *e->methods);
    if (e->methods == NULL) return;
    for (uint32_t i = 0; i < cls->n_methods; i++) method_init(&e->methods[i], e, &cls->methods[i]);
}

void cfe_release(struct cf_edit *e) {
    arena_release(&e->arena);
    arena_release(&e->scratch);
}

void cfe_add_field(struct cf_edit *e, uint16_t access, struct cf_str name, struct cf_str desc,
                   uint16_t value) {
    struct cfe_field *f = cfe_alloc(e, 1, sizeof *f);
    if (f == NULL) return;
    *f = (struct cfe_field){.access = access, .value = value};
    f->name = cfe_utf8(e, name);
    f->desc = cfe_utf8(e, desc);
    if (value != 0) cfe_utf8(e, cf_z("ConstantValue"));
    *e->new_fields_end = f;
    e->new_fields_end = &f->next;
    e->n_new_fields++;
}

bool cfe_adds_field(struct cf_edit *e, struct cf_str name) {
    uint16_t index = cfe_utf8(e, name);
    for (const struct cfe_field *f = e->new_fields; f != NULL; f = f->next)
        if (f->name == index) return true;
    return false;
}

struct cfe_method *cfe_add_method(struct cf_edit *e, uint16_t access, struct cf_str name,
                                  struct cf_str desc) {
    struct cfe_method *m = cfe_alloc(e, 1, sizeof *m);
    if (m == NULL) return &e->sink;
    method_init(m, e, NULL);
    m->access = access;
    m->name = cfe_utf8(e, name);
    m->desc = cfe_utf8(e, desc);
    m->max_locals = (uint16_t)(cf_desc_arg_words(desc) + ((access & CF_ACC_STATIC) ? 0 : 1));
    m->header_changed = true;
    *e->new_methods_end = m;
    e->new_methods_end = &m->next;
    e->n_new_methods++;
    return m;
}

struct cfe_method *cfe_method(struct cf_edit *e, uint32_t i) {
    return e->methods == NULL || i >= e->cls->n_methods ? &e->sink : &e->methods[i];
}

void cfe_set_access(struct cfe_method *m, uint16_t access) {
    m->header_changed |= m->access != access;
    m->access = access;
}

void cfe_rename(struct cfe_method *m, struct cf_str name) {
    m->name = cfe_utf8(m->edit, name);
    m->header_changed = true;
}

void cfe_clear_code(struct cfe_method *m) {
    struct cfe_method fresh;
    method_init(&fresh, m->edit, m->original);
    fresh.access = m->access;
    fresh.name = m->name;
    fresh.desc = m->desc;
    fresh.header_changed = m->header_changed;
    fresh.next = m->next;
    *m = fresh;
    m->entry.m = m->tail.m = m->sink.m = m;
}

static const struct cf_code *code_of(const struct cfe_method *m) {
    return m->original == NULL ? NULL : m->original->code;
}

/* The spot at bci, made on demand; NULL if the index is out of range or memory is short. */
static struct cfe_spot *spot_at(struct cfe_method *m, uint32_t bci) {
    const struct cf_code *code = code_of(m);
    if (code == NULL || bci >= code->length) {
        m->reason = CFE_BAD_EDIT;
        return NULL;
    }
    if (m->spot_of == NULL) m->spot_of = cfe_alloc(m->edit, (size_t)code->length + 1, sizeof *m->spot_of);
    if (m->spot_of == NULL) return NULL;
    if (m->spot_of[bci] != 0) return m->spots[m->spot_of[bci] - 1];
    if (!cfe_grow(m->edit, (void **)&m->spots, m->n_spots, &m->cap_spots, sizeof *m->spots)) return NULL;
    struct cfe_spot *s = cfe_alloc(m->edit, 1, sizeof *s);
    if (s == NULL) return NULL;
    s->before.m = s->replace.m = s->after.m = m;
    m->spots[m->n_spots++] = s;
    m->spot_of[bci] = m->n_spots;
    m->code_changed = true;
    return s;
}

struct cf_asm *cfe_before(struct cfe_method *m, uint32_t bci) {
    struct cfe_spot *s = spot_at(m, bci);
    return s == NULL ? &m->sink : &s->before;
}

struct cf_asm *cfe_after(struct cfe_method *m, uint32_t bci) {
    struct cfe_spot *s = spot_at(m, bci);
    return s == NULL ? &m->sink : &s->after;
}

struct cf_asm *cfe_after_guarded(struct cfe_method *m, uint32_t bci) {
    struct cfe_spot *s = spot_at(m, bci);
    if (s == NULL) return &m->sink;
    s->guarded = true;
    return &s->after;
}

struct cf_asm *cfe_replace(struct cfe_method *m, uint32_t bci) {
    struct cfe_spot *s = spot_at(m, bci);
    if (s == NULL) return &m->sink;
    if (code_of(m)->code[bci] == CF_OP_NEW) m->reason = CFE_BAD_EDIT; /* frames name it by its index */
    s->replaced = true;
    return &s->replace;
}

struct cf_asm *cfe_entry(struct cfe_method *m) {
    m->code_changed = true;
    return &m->entry;
}

struct cf_asm *cfe_tail(struct cfe_method *m) {
    m->code_changed = true;
    return &m->tail;
}

uint16_t cfe_add_local(struct cfe_method *m, unsigned slots) {
    uint32_t index = m->max_locals;
    if (index + slots > 65535) {
        m->overflow_locals = true;
        return 0;
    }
    m->max_locals = (uint16_t)(index + slots);
    m->code_changed = true;
    return (uint16_t)index;
}

uint16_t cfe_add_typed_local(struct cfe_method *m, struct cf_vtype type) {
    uint16_t index = cfe_add_local(m, type.tag == CF_V_LONG || type.tag == CF_V_DOUBLE ? 2 : 1);
    if (cfe_grow(m->edit, (void **)&m->typed, m->n_typed, &m->cap_typed, sizeof *m->typed))
        m->typed[m->n_typed++] = (struct cfe_typed_local){.index = index, .type = type};
    return index;
}

void cfe_need_stack(struct cfe_method *m, unsigned slots) {
    uint32_t base = code_of(m) == NULL ? 0 : code_of(m)->max_stack;
    if (base + slots > 65535)
        m->overflow_stack = true;
    else if (base + slots > m->max_stack)
        m->max_stack = (uint16_t)(base + slots);
}

struct cf_label cfe_label(struct cfe_method *m) {
    if (!cfe_grow(m->edit, (void **)&m->label_bci, m->n_labels, &m->cap_labels, sizeof *m->label_bci))
        return (struct cf_label){CFE_NONE};
    m->label_bci[m->n_labels] = 0;
    return (struct cf_label){m->n_labels++};
}

struct cf_label cfe_label_at(struct cfe_method *m, uint32_t bci) {
    struct cf_label l = cfe_label(m);
    if (l.id != CFE_NONE) m->label_bci[l.id] = bci + 1;
    return l;
}

void cfe_add_handler(struct cfe_method *m, struct cf_label start, struct cf_label end,
                     struct cf_label handler, uint16_t catch_type, bool first) {
    if (!cfe_grow(m->edit, (void **)&m->handlers, m->n_handlers, &m->cap_handlers, sizeof *m->handlers))
        return;
    m->handlers[m->n_handlers++] = (struct cfe_added_handler){start, end, handler, catch_type, first, false};
    m->code_changed = true;
}

void cfe_add_inner_handler(struct cfe_method *m, struct cf_label start, struct cf_label end,
                           struct cf_label handler) {
    uint32_t n = m->n_handlers;
    cfe_add_handler(m, start, end, handler, 0, true);
    if (m->n_handlers > n) m->handlers[n].keeps_locals = true;
}

/* --- Writing ------------------------------------------------------------------------------------------- */

bool cfe_changed(const struct cf_edit *e) {
    if (e->n_added != 0 || e->access != e->cls->access || e->n_new_fields != 0 || e->n_new_methods != 0)
        return true;
    for (uint32_t i = 0; e->methods != NULL && i < e->cls->n_methods; i++)
        if (e->methods[i].header_changed || e->methods[i].code_changed) return true;
    return false;
}

static uint32_t attrs_end(uint32_t start, const struct cf_attrs *attrs) {
    if (attrs->n == 0) return start + 8; /* access, name, descriptor, count */
    const struct cf_attr *last = &attrs->v[attrs->n - 1];
    return last->offset + 6 + last->length;
}

/* Lays out and appends the Code attribute; false (with m->reason) leaves the buffer as it was. */
static bool write_edited_code(struct cfe_method *m, struct cfe_buf *b) {
    struct cfe_layout l = {.m = m, .code = code_of(m)};
    size_t start = b->n;
    arena_clear(&m->edit->scratch);
    bool ok = cfe_linearise(&l) && cfe_place(&l) && cfe_simulate(&l);
    if (ok) cfe_write_code(&l, b);
    if (l.reason != CFE_OK) m->reason = l.reason;
    if (m->edit->scratch.failed) m->reason = CFE_NO_MEMORY;
    m->edit->scratch.failed = false;
    if (m->reason == CFE_OK) return true;
    if (!b->failed) b->n = start;
    return false;
}

static void write_method(struct cfe_method *m, struct cfe_buf *b) {
    const struct cf_method *o = m->original;
    const uint8_t *data = m->edit->cls->data;
    if (!m->header_changed && !m->code_changed) {
        cfe_put(b, data + o->offset, attrs_end(o->offset, &o->attrs) - o->offset);
        return;
    }
    cfe_put2(b, m->access);
    cfe_put2(b, m->name);
    cfe_put2(b, m->desc);
    size_t count_at = b->n;
    cfe_put2(b, o == NULL ? 0 : o->attrs.n);
    if (o == NULL) {
        if (m->code_changed && write_edited_code(m, b)) cfe_set2(b, count_at, 1);
        /* An added method without its code would be malformed, so that is a failure of the class. */
        if (m->reason != CFE_OK) cfe_fail(m->edit, m->reason);
        return;
    }
    for (uint32_t i = 0; i < o->attrs.n; i++) {
        const struct cf_attr *at = &o->attrs.v[i];
        bool is_code = o->code != NULL && at->offset == o->code->attr_offset;
        if (is_code && m->code_changed && write_edited_code(m, b)) continue;
        cfe_put(b, data + at->offset, 6 + (size_t)at->length);
    }
}

static void write_fields(const struct cf_edit *e, uint32_t start, uint32_t end, uint16_t value_name,
                         struct cfe_buf *b) {
    cfe_put2(b, (uint16_t)(e->cls->n_fields + e->n_new_fields));
    cfe_put(b, e->cls->data + start, end - start);
    for (const struct cfe_field *f = e->new_fields; f != NULL; f = f->next) {
        cfe_put2(b, f->access);
        cfe_put2(b, f->name);
        cfe_put2(b, f->desc);
        cfe_put2(b, f->value != 0);
        if (f->value == 0) continue;
        cfe_put2(b, value_name);
        cfe_put4(b, 2);
        cfe_put2(b, f->value);
    }
}

/* Everything behind the pool, with the methods written beforehand. */
static void write_class(struct cf_edit *e, const struct cfe_buf *methods, struct cfe_buf *out) {
    const struct cf_class *c = e->cls;
    uint32_t fields = c->pool_end + 8 + 2u * c->n_interfaces + 2;
    uint32_t fields_end =
        c->n_fields == 0 ? fields
                         : attrs_end(c->fields[c->n_fields - 1].offset, &c->fields[c->n_fields - 1].attrs);
    uint32_t methods_end = c->n_methods == 0 ? fields_end + 2
                                             : attrs_end(c->methods[c->n_methods - 1].offset,
                                                         &c->methods[c->n_methods - 1].attrs);
    uint16_t value_name = 0;
    for (const struct cfe_field *f = e->new_fields; f != NULL; f = f->next)
        if (f->value != 0) value_name = cfe_utf8(e, cf_z("ConstantValue")); /* present since cfe_add_field */

    cfe_write_pool(e, out);
    cfe_put2(out, e->access);
    cfe_put(out, c->data + c->pool_end + 2, 6 + 2u * c->n_interfaces);
    write_fields(e, fields, fields_end, value_name, out);
    cfe_put2(out, (uint16_t)(c->n_methods + e->n_new_methods));
    cfe_put(out, methods->p, methods->n);
    cfe_put(out, c->data + methods_end, c->size - methods_end);
}

enum cfe_reason cfe_write(struct cf_edit *e, struct cfe_buf *out) {
    out->n = 0;
    out->failed = false;
    if (!cfe_changed(e) && e->failed == CFE_OK) {
        cfe_put(out, e->cls->data, e->cls->size);
        return out->failed ? CFE_NO_MEMORY : CFE_OK;
    }
    if (e->cls->n_fields + e->n_new_fields > 65535 || e->cls->n_methods + e->n_new_methods > 65535)
        cfe_fail(e, CFE_TOO_MANY_MEMBERS);
    /* Methods first: making their frames may still add constants. */
    struct cfe_buf methods = {0};
    for (uint32_t i = 0; e->failed == CFE_OK && i < e->cls->n_methods; i++)
        write_method(&e->methods[i], &methods);
    for (struct cfe_method *m = e->new_methods; e->failed == CFE_OK && m != NULL; m = m->next)
        write_method(m, &methods);
    if (e->failed == CFE_OK) write_class(e, &methods, out);
    if (methods.failed || out->failed) cfe_fail(e, CFE_NO_MEMORY);
    cfe_buf_release(&methods);
    return e->failed;
}
