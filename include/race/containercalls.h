/*
 * Calls to the JDK's unsynchronised collections, builders and formats, and to its matchers, scanners, ciphers
 * and MACs, by what they do to the container as a whole.  Both halves go by this: what the run-time half
 * checks is what the static half warns of.
 *
 * A call names a class or an interface; whether the object is a container, a view or an iterator of one, or
 * something else, is for the caller to find out.
 */
#ifndef RACE_CONTAINERCALLS_H
#define RACE_CONTAINERCALLS_H

#include "race/classfile.h" /* struct cf_member_ref */

#include <stdbool.h>
#include <stdint.h>

/* RaceContainers.java has the same numbers. */
enum cc_use {
    CC_NONE,
    CC_READ,
    CC_WRITE,
    CC_GET,           /* a write where order of access is kept */
    CC_ITERATE,       /* a read that synchronized wrappers leave without a lock */
    CC_FORMAT,        /* what it writes depends on the kind of format */
    CC_FORMAT_DOUBLE, /* the same */
};

struct cc_touched {
    enum cc_use receiver;
    uint8_t reads, writes; /* arguments that are used at once, by bit */
    bool bulk;             /* the receiver reads its argument: under its own lock if it has one */
};

/* Whether calls that touch a container may name this class or interface. */
bool cc_is_named(struct cf_str cls);

/*
 * Whether a call of that name may touch a container.  A subclass of one in the program counts as one if no
 * class of the program on the way to the JDK has a method of such a name: it may bring its own locking.  A
 * call that names such a class is one of the JDK's class behind it.
 */
bool cc_is_use(struct cf_str method);

/* `op` is the invoke instruction; of an invokedynamic only name and descriptor count. */
struct cc_touched cc_call(uint8_t op, const struct cf_member_ref *ref);

#endif
