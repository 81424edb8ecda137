/* What a method does with the objects of its parameters, whoever calls it. */
#ifndef RACE_RACES_SUMMARY_H
#define RACE_RACES_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

struct param_summary {
    uint64_t leaks;    /* parameters whose object, or one reachable from it, becomes visible elsewhere */
    uint64_t kept;     /* parameters that may be stored into another parameter's object */
    uint64_t into;     /* parameters whose objects (or parts of them) may be stored into */
    uint64_t stores;   /* parameters whose object may get something else stored into it or its parts */
    uint64_t from;     /* parameters that the result may be reachable from */
    bool fresh;        /* returns only objects that it made and that nobody else knows */
    bool returns_this; /* returns its first parameter and nothing else */
    bool copies;       /* returns only objects that it made; what they hold may be others' (clone) */
    bool foreign;      /* may return an object that is not reachable from its parameters */
    bool done;         /* final; else still being solved */
    uint16_t rounds;
};

#endif
