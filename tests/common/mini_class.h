/*
 * Whole class files from a few lines, and a class source that serves them from memory.
 *
 * For rules that javac never puts to the test: conflicting defaults, methods that changed behind the caller's
 * back, jsr, handlers in odd places.  Every class has the same constant at the same index, so that
 * hand-written bytecode can name it.
 */
#ifndef RACE_TESTS_MINI_CLASS_H
#define RACE_TESTS_MINI_CLASS_H

#include "class_builder.h"

#include "race/class_source.h"
#include "race/classfile.h" /* CF_ACC_* */

/* Indices of the constants that every mini class starts with. */
enum { MINI_CALL = 6 /* Methodref x/X.call()V */, MINI_INT = 12 /* Methodref x/X.number()I */ };

struct mini_handler {
    uint16_t start, end, handler;
};

struct mini_member {
    uint16_t access;
    const char *name, *desc;
    /* methods with code */
    const uint8_t *code;
    uint16_t n_code, max_stack, max_locals;
    struct mini_handler handlers[4];
    uint16_t n_handlers;
};

enum { MINI_MAX_CLASSES = 128 };

struct mini_source {
    struct {
        char name[64];
        uint8_t *data;
        size_t size;
    } classes[MINI_MAX_CLASSES];
    size_t n;
    unsigned asked; /* how often find was called */
};

/* `return` does for every method whose body does not matter. */
static const uint8_t mini_return[] = {0xb1};
#define MINI_CODE(bytes) .code = (bytes), .n_code = sizeof(bytes), .max_stack = 8, .max_locals = 8

static inline void mini_write_member(struct class_builder *cb, const struct mini_member *m) {
    cb_u2(cb, m->access);
    cb_u2(cb, cb_utf8(cb, m->name));
    cb_u2(cb, cb_utf8(cb, m->desc));
    cb_u2(cb, m->code != NULL);
    if (m->code == NULL) return;
    size_t attr = cb_attr_begin(cb, "Code");
    cb_u2(cb, m->max_stack);
    cb_u2(cb, m->max_locals);
    cb_u4(cb, m->n_code);
    for (uint16_t i = 0; i < m->n_code; i++) cb_u1(cb, m->code[i]);
    cb_u2(cb, m->n_handlers);
    for (uint16_t i = 0; i < m->n_handlers; i++) {
        cb_u2(cb, m->handlers[i].start);
        cb_u2(cb, m->handlers[i].end);
        cb_u2(cb, m->handlers[i].handler);
        cb_u2(cb, 0);
    }
    cb_u2(cb, 0);
    cb_attr_end(cb, attr);
}

/* `interfaces` are separated by blanks; either list of members may be NULL and ends with a nameless one. */
static inline void mini_add(struct mini_source *s, uint16_t major, uint16_t access, const char *name,
                            const char *super, const char *interfaces, const struct mini_member *fields,
                            const struct mini_member *methods) {
    struct class_builder cb;
    cb_init(&cb, major);
    cb_member(&cb, 10, "x/X", "call", "()V");
    cb_member(&cb, 10, "x/X", "number", "()I");
    cb_u2(&cb, access);
    cb_u2(&cb, cb_class(&cb, name));
    cb_u2(&cb, super ? cb_class(&cb, super) : 0);
    uint16_t list[16], n = 0;
    char copy[256];
    snprintf(copy, sizeof copy, "%s", interfaces ? interfaces : "");
    for (char *t = strtok(copy, " "); t != NULL; t = strtok(NULL, " ")) list[n++] = cb_class(&cb, t);
    cb_u2(&cb, n);
    for (uint16_t i = 0; i < n; i++) cb_u2(&cb, list[i]);
    const struct mini_member *lists[2] = {fields, methods};
    for (int k = 0; k < 2; k++) {
        unsigned count = 0;
        while (lists[k] != NULL && lists[k][count].name != NULL) count++;
        cb_u2(&cb, count);
        for (unsigned i = 0; i < count; i++) mini_write_member(&cb, &lists[k][i]);
    }
    cb_u2(&cb, 0);
    if (s->n == MINI_MAX_CLASSES) abort();
    snprintf(s->classes[s->n].name, sizeof s->classes[0].name, "%s", name);
    s->classes[s->n].data = cb_finish(&cb, &s->classes[s->n].size);
    s->n++;
    cb_release(&cb);
}

static inline void mini_release(struct mini_source *s) {
    for (size_t i = 0; i < s->n; i++) free(s->classes[i].data);
    s->n = 0;
}

static inline bool mini_find(void *ctx, const char *name, struct class_bytes *out, struct race_error *err) {
    struct mini_source *s = ctx;
    (void)err;
    s->asked++;
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->classes[i].name, name) != 0) continue;
        *out = (struct class_bytes){
            .data = s->classes[i].data, .size = s->classes[i].size, .origin = s->classes[i].name};
        return true;
    }
    return false;
}

static inline bool mini_each(void *ctx, bool (*visit)(void *arg, const char *name), void *arg,
                             struct race_error *err) {
    struct mini_source *s = ctx;
    (void)err;
    for (size_t i = 0; i < s->n; i++)
        if (!visit(arg, s->classes[i].name)) break;
    return true;
}

static inline struct class_source mini_class_source(struct mini_source *s) {
    return (struct class_source){.ctx = s, .find = mini_find, .each = mini_each};
}

#endif
