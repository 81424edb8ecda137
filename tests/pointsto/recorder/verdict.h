/* Each observed fact against the points-to result. */
#ifndef RACE_TESTS_RECORDER_VERDICT_H
#define RACE_TESTS_RECORDER_VERDICT_H

#include "observed.h"

#include "race/ir.h"
#include "race/pointsto.h"

#include <stdio.h>

enum fact_kind { FACT_CALL, FACT_VIA, FACT_HEAP, FACT_KINDS };

enum outcome {
    PRESENT,
    BEHIND,  /* in or out of code that only listed calls lead to */
    VM_CALL, /* the virtual machine calls at places of its choice: class loading, linking */
    LISTED,  /* passes through a place that `race dump gaps` lists */
    MISSING,
    OUTCOMES
};

struct missing_fact {
    uint8_t kind;
    size_t index; /* in the observed list of its kind */
};

struct reason {
    const char *text;
    unsigned n;
};

struct verdicts {
    const struct pts *pts;
    struct program *p;
    const struct observed *o;
    struct ir_builder *builder;
    struct arena arena, bodies;
    method_id body_of;
    const struct ir_body *body;
    method_id *methods; /* by observed method; 0: not in a class file */
    /* sorted sets, for looking up */
    VEC(uint64_t) edges;     /* (caller method << 32 | callee method) */
    VEC(uint64_t) gap_in;    /* methods with a gap: method << 32 | gap number */
    VEC(uint64_t) objs_of;   /* allocation << 32 | object */
    VEC(uint64_t) allocs_at; /* method << 32 | allocation */
    bool *unseen_classes;    /* by class: a constructor ran that the analysis does not reach */
    bool makes_classes;      /* `generated class` is among the gaps */
    bool *shared;            /* by method: of the JDK, and listed code calls it as well */
    VEC(uint64_t) listed;    /* caller << 32 | bytecode index of calls that are listed */
    struct explain *explain; /* explain.c */
    unsigned count[FACT_KINDS][OUTCOMES];
    VEC(struct reason) reasons;
    VEC(struct missing_fact) missing;
};

void verdicts_init(struct verdicts *v, const struct pts *pts, const struct observed *o);
void verdicts_release(struct verdicts *v);
void verdicts_find(struct verdicts *v);
unsigned verdicts_missing(const struct verdicts *v);
bool verdicts_reached(const struct verdicts *v, method_id m);
/* The reason listed for a method, at a bytecode index unless that is VERDICTS_ANY_BCI; or NULL. */
enum { VERDICTS_ANY_BCI = UINT32_MAX };
const char *verdicts_gap(struct verdicts *v, method_id m, uint32_t bci);
/* Counters and reasons, and the first `show` missing facts. */
void verdicts_print(const struct verdicts *v, unsigned show, FILE *out);

#endif
