/* The recorder's log, read back; the format is in tables.h. */
#ifndef RACE_TESTS_RECORDER_OBSERVED_H
#define RACE_TESTS_RECORDER_OBSERVED_H

#include "race/arena.h"
#include "race/error.h"
#include "race/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct obs_member {
    const char *cls, *name, *desc;
    bool is_native, is_hidden;
};

struct obs_site {
    uint32_t method, bci;
};

struct obs_call {
    uint32_t site, method;
};

struct obs_via {
    uint32_t method, n;
    uint32_t *callers; /* nearest first */
};

struct obs_heap {
    uint32_t holder, field, value, site;
};

struct observed {
    struct arena arena;
    VEC(struct obs_member) methods; /* [0] unused, as in all that are numbered */
    VEC(struct obs_member) fields;
    VEC(struct obs_site) sites;
    VEC(struct obs_call) calls;
    VEC(struct obs_via) vias;
    VEC(struct obs_heap) heap;
};

bool observed_load(struct observed *o, const char *path, struct race_error *err);
void observed_release(struct observed *o);

#endif
