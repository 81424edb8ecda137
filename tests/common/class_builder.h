/*
 * A tiny class-file writer for tests: bytes are emitted in file order, constants on demand, and places of
 * interest are marked so that a test can damage exactly one of them.
 *
 * It shares no code with the reader or the editor on purpose.
 */
#ifndef RACE_TESTS_CLASS_BUILDER_H
#define RACE_TESTS_CLASS_BUILDER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
    uint8_t *p;
    size_t n, cap;
};

enum { CB_MAX_MARKS = 64, CB_MAX_CONSTS = 4096 };

struct class_builder {
    uint16_t major;
    struct bytes pool, body;
    uint16_t n_pool; /* next free index */
    struct {
        const char *name;
        size_t at; /* in body */
    } marks[CB_MAX_MARKS];
    size_t n_marks;
    size_t const_at[CB_MAX_CONSTS]; /* of each constant's tag, in pool */
};

static inline void bytes_u1(struct bytes *b, unsigned v) {
    if (b->n == b->cap) {
        b->cap = b->cap == 0 ? 256 : 2 * b->cap;
        b->p = realloc(b->p, b->cap);
        if (b->p == NULL) abort();
    }
    b->p[b->n++] = (uint8_t)v;
}

static inline void bytes_u2(struct bytes *b, unsigned v) {
    bytes_u1(b, v >> 8 & 0xFF);
    bytes_u1(b, v & 0xFF);
}

static inline void bytes_u4(struct bytes *b, uint32_t v) {
    bytes_u2(b, v >> 16);
    bytes_u2(b, v & 0xFFFF);
}

static inline void bytes_put_u4(struct bytes *b, size_t at, uint32_t v) {
    for (int i = 0; i < 4; i++) b->p[at + (size_t)i] = (uint8_t)(v >> (24 - 8 * i));
}

static inline void cb_init(struct class_builder *cb, uint16_t major) {
    *cb = (struct class_builder){.major = major, .n_pool = 1};
}

static inline void cb_release(struct class_builder *cb) {
    free(cb->pool.p);
    free(cb->body.p);
}

static inline void cb_u1(struct class_builder *cb, unsigned v) {
    bytes_u1(&cb->body, v);
}

static inline void cb_u2(struct class_builder *cb, unsigned v) {
    bytes_u2(&cb->body, v);
}

static inline void cb_u4(struct class_builder *cb, uint32_t v) {
    bytes_u4(&cb->body, v);
}

static inline void cb_mark(struct class_builder *cb, const char *name) {
    if (cb->n_marks == CB_MAX_MARKS) abort();
    cb->marks[cb->n_marks].name = name;
    cb->marks[cb->n_marks++].at = cb->body.n;
}

/* ---- constants; equal ones are not shared, a test class has few ---- */

static inline uint16_t cb_const(struct class_builder *cb, unsigned tag) {
    if (cb->n_pool == CB_MAX_CONSTS) abort();
    cb->const_at[cb->n_pool] = cb->pool.n;
    bytes_u1(&cb->pool, tag);
    return cb->n_pool++;
}

static inline uint16_t cb_utf8(struct class_builder *cb, const char *s) {
    uint16_t i = cb_const(cb, 1);
    bytes_u2(&cb->pool, (unsigned)strlen(s));
    for (; *s != '\0'; s++) bytes_u1(&cb->pool, (uint8_t)*s);
    return i;
}

/* A constant that is one index: Class 7, String 8, MethodType 16. */
static inline uint16_t cb_ref1(struct class_builder *cb, unsigned tag, const char *s) {
    uint16_t utf8 = cb_utf8(cb, s), i = cb_const(cb, tag);
    bytes_u2(&cb->pool, utf8);
    return i;
}

static inline uint16_t cb_class(struct class_builder *cb, const char *name) {
    return cb_ref1(cb, 7, name);
}

static inline uint16_t cb_name_and_type(struct class_builder *cb, const char *name, const char *desc) {
    uint16_t n = cb_utf8(cb, name), d = cb_utf8(cb, desc), i = cb_const(cb, 12);
    bytes_u2(&cb->pool, n);
    bytes_u2(&cb->pool, d);
    return i;
}

/* Fieldref 9, Methodref 10, InterfaceMethodref 11. */
static inline uint16_t cb_member(struct class_builder *cb, unsigned tag, const char *owner, const char *name,
                                 const char *desc) {
    uint16_t c = cb_class(cb, owner), nt = cb_name_and_type(cb, name, desc), i = cb_const(cb, tag);
    bytes_u2(&cb->pool, c);
    bytes_u2(&cb->pool, nt);
    return i;
}

static inline uint16_t cb_long(struct class_builder *cb, uint64_t v) {
    uint16_t i = cb_const(cb, 5);
    bytes_u4(&cb->pool, (uint32_t)(v >> 32));
    bytes_u4(&cb->pool, (uint32_t)v);
    cb->n_pool++;
    return i;
}

/* ---- attributes: begin writes the header, end fixes the length ---- */

static inline size_t cb_attr_begin(struct class_builder *cb, const char *name) {
    cb_u2(cb, cb_utf8(cb, name));
    cb_u4(cb, 0);
    return cb->body.n;
}

static inline void cb_attr_end(struct class_builder *cb, size_t begin) {
    bytes_put_u4(&cb->body, begin - 4, (uint32_t)(cb->body.n - begin));
}

/* ---- the finished file, malloced ---- */

static inline uint8_t *cb_finish(const struct class_builder *cb, size_t *size) {
    struct bytes out = {0};
    bytes_u4(&out, 0xCAFEBABE);
    bytes_u2(&out, 0);
    bytes_u2(&out, cb->major);
    bytes_u2(&out, cb->n_pool);
    for (size_t i = 0; i < cb->pool.n; i++) bytes_u1(&out, cb->pool.p[i]);
    for (size_t i = 0; i < cb->body.n; i++) bytes_u1(&out, cb->body.p[i]);
    *size = out.n;
    return out.p;
}

/* File offset of a mark; a name that was not marked is a mistake in the test. */
static inline size_t cb_offset(const struct class_builder *cb, const char *mark) {
    for (size_t i = 0; i < cb->n_marks; i++)
        if (strcmp(cb->marks[i].name, mark) == 0) return 10 + cb->pool.n + cb->marks[i].at;
    fprintf(stderr, "no mark named %s\n", mark);
    abort();
}

#endif
