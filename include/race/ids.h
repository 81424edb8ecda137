/*
 * Typed small-integer ids.
 *
 * Classes, methods, fields, sites and so on are named by one-field structs instead of pointers: mixing two
 * kinds does not compile, ids are half the size of a pointer, stay valid when tables grow, and go straight
 * into files.  Id 0 of every kind means "none", so zeroed memory is always valid.
 */
#ifndef RACE_IDS_H
#define RACE_IDS_H

#include <stdbool.h>
#include <stdint.h> /* uint32_t */

#define RACE_DEFINE_ID(name)                                                                                 \
    typedef struct name {                                                                                    \
        uint32_t v;                                                                                          \
    } name;                                                                                                  \
    static inline bool name##_eq(name a, name b) {                                                           \
        return a.v == b.v;                                                                                   \
    }                                                                                                        \
    static inline bool name##_is_none(name a) {                                                              \
        return a.v == 0;                                                                                     \
    }

RACE_DEFINE_ID(class_id)  /* a class of the program model, phantom classes included */
RACE_DEFINE_ID(method_id) /* a method declared in some class */
RACE_DEFINE_ID(field_id)  /* a field declared in some class */
RACE_DEFINE_ID(site_id)   /* one instruction of one method */

#endif
