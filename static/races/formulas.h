/* Variables as formulas: the values that one thread, or any, computes. */
#ifndef RACE_RACES_FORMULAS_H
#define RACE_RACES_FORMULAS_H

#include "numbers.h"

/* A run of a method: by its instance, and by the call whose arguments it got where that is known. */
struct frame {
    uint32_t thread;
    pts_inst inst;
    const struct ir_body *body;
    const struct frame *caller; /* NULL: any call */
    const struct ir_stmt *call;
    ir_var number; /* the number of the thread that runs what is made here, or none */
};

struct formulas {
    struct sym_world world;
    const struct numbering *numbers; /* NULL: no thread is looked at */
    uint32_t thread;
    unsigned work; /* left to be spent on one question */
};

/* A variable and where its value is known to be what it is. */
struct value_at {
    const struct frame *frame;
    ir_var var;
    uint32_t block;
};

void formulas_init(struct formulas *f, struct races *r, uint32_t thread, const struct numbering *numbers);
struct sym formula_at(struct formulas *f, const struct frame *frame, ir_var v, int depth);
/*
 * One step back to where the value comes from: the argument of a parameter, what the constructor put into a
 * field of the thread's own object, what a short method returns.
 */
bool value_behind(struct formulas *f, const struct frame *frame, ir_var v, struct value_at *out);

#endif
