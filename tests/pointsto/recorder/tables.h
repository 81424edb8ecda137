/*
 * What the recorder has numbered and seen.
 *
 * Methods, fields and sites get numbers when a class is rewritten; the rewritten code passes the numbers.
 * What is observed is a set of facts over them, each kept once, and written as text when the JVM ends:
 *
 *     M number class name descriptor [native] [hidden]
 *     F number class name descriptor                    (number 0: array elements)
 *     S number method bci
 *     call SITE METHOD                                  the call at the site entered the method
 *     via METHOD CALLER...                              the method was entered in another way: the frames
 * below, up to the first that is no machinery of reflection heap HOLDER FIELD VALUE SITE an object made at
 * VALUE was stored into the field of one made at HOLDER (0: a static field), at SITE among others
 *
 * Locking: everything is guarded by one lock of the tables, except the caches of threads (recorder.c).
 */
#ifndef RACE_TESTS_RECORDER_TABLES_H
#define RACE_TESTS_RECORDER_TABLES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct rec_method {
    const char *cls, *name, *desc;
    bool is_native, is_hidden;
};

struct rec_site {
    uint32_t method, bci;
    uint32_t field; /* of a store */
    uint32_t name;  /* of a call: the method's name */
    uint32_t cls;   /* of a `new`: number of the class's name; of an early store: the constructor's class */
};

enum { REC_MAX_CHAIN = 24 };

void tables_lock(void);
void tables_unlock(void);

/* All below: with the lock held. */
uint32_t tables_text(const char *p, size_t n); /* number of an interned text, from 1 */
const char *tables_text_at(uint32_t text);
uint32_t tables_method(uint32_t cls, uint32_t name, uint32_t desc, bool is_native, bool is_hidden);
uint32_t tables_field(uint32_t cls, uint32_t name, uint32_t desc);
uint32_t tables_site(struct rec_site site);
struct rec_site tables_site_at(uint32_t site);
struct rec_method tables_method_at(uint32_t method);
uint32_t tables_method_name(uint32_t method);

bool tables_is_new_call(uint32_t site, uint32_t method); /* true the first time; the caller then adds it */
void tables_call(uint32_t site, uint32_t method);
void tables_via(uint32_t method, const uint32_t *callers, unsigned n);
void tables_heap(uint32_t holder, uint32_t field, uint32_t value, uint32_t site);

void tables_write(FILE *out);

#endif
