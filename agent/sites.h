/*
 * Sites: one per instrumented instruction, numbered from 1.
 *
 * Words in the program's objects carry the site's number in 20 bits, so there are at most SITE_MAX of them;
 * beyond that, code is left unchecked and counted.  A site is never removed (a word may name it long after
 * its class was unloaded), and but for what is found out later it never changes.
 */
#ifndef RACE_AGENT_SITES_H
#define RACE_AGENT_SITES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { SITE_MAX = (1 << 20) - 1 };

enum site_kind { SITE_INSTANCE, SITE_STATIC, SITE_ARRAY, SITE_CONTAINER, SITE_SYNC };

struct site {
    const char *class_name; /* of the code, internal form */
    const char *method, *desc, *file;
    const char *owner; /* class named by the field reference, internal form; container: the call's class */
    const char *field; /* array: descriptor of the element; container: name of the method called */
    int32_t line, bci;
    uint8_t kind; /* enum site_kind */
    bool is_write;
    bool freezes;                      /* in a constructor of a class with final references: see bridge.c */
    _Atomic(const char *) declared_in; /* class that declares the field, once it is known; else NULL */
    _Atomic(void *) reference;         /* of a field: what frozen.c has found out about its type */
};

/* Registers a site; the strings are copied (interned).  0 if there are too many or no memory. */
uint32_t sites_add(const struct site *site);

/* The class that turned out to declare the site's field, internal form. */
void sites_set_declaring(uint32_t id, const char *class_name);

/* A registered site; any thread, no lock.  Site 0 is a valid "unknown" site. */
const struct site *sites_get(uint32_t id);
uint32_t sites_count(void);

/* The table that java.lang.RaceSites keeps its field offsets in: 16 bytes a site, zeroed, committed when
 * touched. */
void *sites_offset_table(void);

#endif
