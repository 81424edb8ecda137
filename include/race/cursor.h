/*
 * The one way bytes are read: a bounds-checked big-endian cursor.
 *
 * A read past the end sets `failed`, returns 0 and leaves the position at the end, so a parser may read a
 * whole structure and check once.  Counts read from the input must be checked against cursor_left() (or
 * cursor_fits()) before anything is allocated for them.
 */
#ifndef RACE_CURSOR_H
#define RACE_CURSOR_H

#include <stdbool.h>
#include <stddef.h> /* size_t */
#include <stdint.h>

struct cursor {
    const uint8_t *data;
    size_t pos, end; /* offsets in data; sub-cursors share data, so pos stays an offset in the whole file */
    bool failed;
};

static inline struct cursor cursor_make(const uint8_t *data, size_t size) {
    return (struct cursor){.data = data, .pos = 0, .end = size};
}

static inline size_t cursor_left(const struct cursor *c) {
    return c->end - c->pos;
}

/* True if `count` items of at least `size` bytes each can still follow. */
static inline bool cursor_fits(const struct cursor *c, size_t count, size_t size) {
    return size == 0 || count <= cursor_left(c) / size;
}

static inline bool cursor_take_(struct cursor *c, size_t n) {
    if (cursor_left(c) >= n) return true;
    c->failed = true;
    c->pos = c->end;
    return false;
}

static inline uint8_t cursor_u1(struct cursor *c) {
    return cursor_take_(c, 1) ? c->data[c->pos++] : 0;
}

static inline uint16_t cursor_u2(struct cursor *c) {
    if (!cursor_take_(c, 2)) return 0;
    const uint8_t *p = c->data + c->pos;
    c->pos += 2;
    return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t cursor_u4(struct cursor *c) {
    if (!cursor_take_(c, 4)) return 0;
    const uint8_t *p = c->data + c->pos;
    c->pos += 4;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t cursor_u8(struct cursor *c) {
    uint64_t hi = cursor_u4(c);
    return hi << 32 | cursor_u4(c);
}

/* Skips n bytes; returns where they start, or NULL past the end. */
static inline const uint8_t *cursor_bytes(struct cursor *c, size_t n) {
    if (!cursor_take_(c, n)) return NULL;
    const uint8_t *p = c->data + c->pos;
    c->pos += n;
    return p;
}

/* A cursor over the next n bytes, which this one skips.  Past the end both are failed. */
static inline struct cursor cursor_sub(struct cursor *c, size_t n) {
    struct cursor s = *c;
    if (!cursor_take_(c, n))
        return (struct cursor){.data = c->data, .pos = c->end, .end = c->end, .failed = true};
    s.end = s.pos + n;
    c->pos += n;
    return s;
}

#endif
