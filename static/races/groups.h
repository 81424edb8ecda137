/*
 * Variables of a method that may name one object or parts of one structure: a union-find over casts, PHIs,
 * loads, stores and calls.  Whatever leaks one variable of a group is taken to leak all of them.
 */
#ifndef RACE_RACES_GROUPS_H
#define RACE_RACES_GROUPS_H

#include "internal.h"

struct groups {
    uint32_t *parent; /* by variable */
};

uint32_t group_of(const struct groups *g, ir_var v);
void group_join(struct groups *g, ir_var a, ir_var b);
/* All joins that the method's statements ask for, by the summaries known so far. */
void groups_build(struct races *r, const struct ir_body *body, struct groups *g, struct arena *arena);

/* Whether the value can be an object with state of its own: not a string, box, class constant or primitive.
 */
bool is_mutable_ref(struct races *r, const struct ir_body *body, ir_var v);

/* What a call does with its arguments, over all callees. */
struct call_effect {
    uint64_t leaks;    /* arguments that become visible elsewhere */
    uint64_t kept;     /* arguments that may be stored into objects of other arguments */
    uint64_t into;     /* the arguments whose objects may be stored into */
    uint64_t stores;   /* the arguments whose objects may get something else */
    uint64_t from;     /* the arguments that the result may be reachable from, if it is not new */
    bool fresh;        /* the result is new and nobody else's */
    bool returns_this; /* the result is argument 0 */
    bool copies;       /* the result is new, but what it holds may be the arguments' */
    bool foreign;      /* the result may be anybody's; if not, it is reachable from the arguments in `from` */
};
struct call_effect call_effect(struct races *r, const struct ir_body *body, uint32_t stmt);
/* Whether the argument is in such a set; those that have no bit are in all. */
static inline bool has_arg(uint64_t args, uint32_t i) {
    return i >= 64 || (args >> i & 1) != 0;
}

/* The methods that a call leads to, in whatever context; class initialisers are left out. */
struct call_target {
    method_id method;
    bool plain; /* runs before the call returns, and argument_matches() */
};
struct call_targets {
    uint32_t n;
    struct call_target *v;
};
const struct call_targets *call_targets(struct races *r, const struct ir_body *body, uint32_t stmt);
/* Whether argument i of the call is parameter i of the callee: not so for lambdas, handles and the like. */
bool argument_matches(struct races *r, const struct ir_stmt *s, method_id callee);
/* The same unless the receiver is a function object made of the callee (`worker::run`). */
bool is_named_alike(const struct races *r, const struct ir_stmt *s, method_id callee);

#endif
