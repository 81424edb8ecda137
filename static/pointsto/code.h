/*
 * What points-to keeps of a method: the reference flow as a short list of steps over local variables.
 *
 * Built once per method from its IR, which is then dropped; every context puts the steps into the graph anew.
 * Variables that the IR copies without a filter share one number, primitives and nulls have none.
 */
#ifndef RACE_POINTSTO_CODE_H
#define RACE_POINTSTO_CODE_H

#include "race/ir.h"
#include "race/pointsto.h"

#include <stdint.h>

#define PTS_NO_VAR UINT32_MAX

enum pts_step_op {
    PTS_STEP_NEW,          /* a = object of allocation b */
    PTS_STEP_INNER,        /* elements of the object in a: object of allocation b */
    PTS_STEP_COPY,         /* a = b filtered by class c (0: all) */
    PTS_STEP_LOAD,         /* a = b.c; c a ref_id, 0 for elements */
    PTS_STEP_STORE,        /* a.c = b */
    PTS_STEP_LOAD_STATIC,  /* a = static c (ref_id); statement b */
    PTS_STEP_STORE_STATIC, /* static c = b; statement a */
    PTS_STEP_THROW,        /* b is thrown */
    PTS_STEP_CATCH,        /* a = thrown objects of class c; b: and nothing else */
    PTS_STEP_CALL,         /* calls[a] */
    PTS_STEP_INIT          /* class c is initialised, triggered by statement a */
};

struct pts_step {
    uint8_t op;
    uint32_t a, b, c;
};

struct pts_code_call {
    uint32_t stmt;
    uint32_t ref;  /* ref_id or dyn_id */
    uint32_t ret;  /* variable */
    uint32_t args; /* first in pts_code.args */
    uint16_t n_args, line, bci;
    uint8_t kind;  /* enum ir_call */
    uint8_t loops; /* the statement is in a loop */
};

/* A cast, for the precision counters. */
struct pts_code_cast {
    uint32_t var;
    class_id type;
};

struct pts_code {
    method_id method;
    uint32_t n_vars;
    uint32_t n_params; /* receiver included */
    uint32_t *params;  /* variables; PTS_NO_VAR for primitives */
    uint32_t ret;      /* variable or PTS_NO_VAR */
    uint32_t returned; /* the parameter that it is, always; PTS_NO_VAR: none */
    class_id made;     /* class of an object that it makes and returns; 0: none */
    uint32_t n_ir_vars;
    uint32_t *var_of; /* by ir_var: variable or PTS_NO_VAR */
    struct pts_step *steps;
    struct pts_code_call *calls;
    uint32_t *args;
    struct pts_code_cast *casts;
    uint32_t n_steps, n_calls, n_args, n_casts;
    name_id *strings;       /* by call argument (same index as args): the constant string, or 0 */
    class_id *arg_classes;  /* likewise: the constant class */
    uint32_t *result_casts; /* by call: class its result is cast to, or 0 */
    const char *opaque;     /* no IR: why */
    class_id *throws;       /* of a native method: the exceptions that it declares */
    uint32_t n_throws;
    bool is_idle; /* returns at once */
    bool is_native;
    bool static_call; /* static method: no receiver */
};

#endif
