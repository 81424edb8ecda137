/*
 * IR: one method as typed registers in SSA form.
 *
 * The operand stack is gone and locals are split: a variable has exactly one defining statement, which
 * dominates every use; values that meet at a join go through PHI statements at the block's start, one operand
 * per predecessor edge, in the order of the predecessor list.  Loads, stores and stack shuffles leave no
 * statement behind.
 *
 * Blocks are numbered in reverse postorder (0 is the entry), so a block's immediate dominator always has a
 * smaller number; unreachable code has no blocks.  Inside try ranges a block ends where the locals change
 * between two statements that may throw: all throwing statements of a block see the same locals, and the
 * handler's PHIs take exactly those values over the block's exception edges.  The same holds for monitors:
 * what is held on an exception edge is what is held just before the block's first throwing statement.
 *
 * A body is plain arrays in the arena it was built in; dropping the arena drops it.
 */
#ifndef RACE_IR_H
#define RACE_IR_H

#include "race/arena.h" /* struct arena */
#include "race/error.h"
#include "race/ids.h"
#include "race/program.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h> /* FILE */

RACE_DEFINE_ID(ir_var) /* a variable of one method; 0 means none */

enum ir_kind { IR_NONE, IR_INT, IR_LONG, IR_FLOAT, IR_DOUBLE, IR_REF };

/*
 * Statements.  "def" is the variable defined (if any), "args" the operands in order, "ref" the meaning of the
 * ref word.  An asterisk marks those that may throw.
 */
enum ir_op {
    IR_NOP,         /* left where a statement was dropped; never in a finished body */
    IR_PARAM,       /* def; ref = number of the parameter, receiver included; first in the entry block */
    IR_PHI,         /* def; one arg per predecessor; first in its block */
    IR_CATCH,       /* def = the caught exception; after the PHIs of a handler block */
    IR_CONST,       /* def; sub = enum const_kind; ref: see ir_const().  * for class, handle, type, dynamic */
    IR_NEW,         /* * def; ref = class_id */
    IR_NEW_ARRAY,   /* * def; args: length; ref = class_id of the array (also multianewarray: 1..n lengths) */
    IR_GET_FIELD,   /* * def; args: object; ref = ref_id */
    IR_PUT_FIELD,   /* * args: object, value; ref = ref_id */
    IR_GET_STATIC,  /* * def; ref = ref_id */
    IR_PUT_STATIC,  /* * args: value; ref = ref_id */
    IR_ARRAY_LOAD,  /* * def; args: array, index; sub = enum ir_elem */
    IR_ARRAY_STORE, /* * args: array, index, value; sub = enum ir_elem */
    IR_ARRAY_LENGTH,  /* * def; args: array */
    IR_INVOKE,        /* * def unless void; args: receiver (if any), arguments; sub = enum ir_call;
                           ref = ref_id, for IR_CALL_DYNAMIC dyn_id */
    IR_MONITOR_ENTER, /* * args: object */
    IR_MONITOR_EXIT,  /* args: object; taken as never failing, since it follows its monitorenter */
    IR_CAST,          /* * def; args: object; ref = class_id */
    IR_INSTANCE_OF,   /* * def; args: object; ref = class_id */
    IR_BINARY, /* def; args: two; ref = JVM opcode (iadd ... lxor, lcmp ... dcmpg); * if ir_may_throw() */
    IR_UNARY,  /* def; args: one; ref = JVM opcode (ineg, i2l ...) */
    IR_IF,     /* args: one or two; ref = JVM opcode; succs: [0] not taken, [1] taken */
    IR_SWITCH, /* args: key; ref = index of its struct ir_switch; succs: distinct targets */
    IR_GOTO,   /* ends a block that just goes on to succs[0] */
    IR_RETURN, /* args: value unless void */
    IR_THROW,  /* * args: exception */
    IR_N_OPS
};

enum ir_call { IR_CALL_VIRTUAL, IR_CALL_SPECIAL, IR_CALL_STATIC, IR_CALL_INTERFACE, IR_CALL_DYNAMIC };

/* Element kind of an array access; boolean and byte share their instructions. */
enum ir_elem {
    IR_ELEM_INT,
    IR_ELEM_LONG,
    IR_ELEM_FLOAT,
    IR_ELEM_DOUBLE,
    IR_ELEM_REF,
    IR_ELEM_BYTE,
    IR_ELEM_CHAR,
    IR_ELEM_SHORT
};

struct ir_stmt {
    uint8_t op;  /* enum ir_op */
    uint8_t sub; /* see enum ir_op */
    uint16_t n_args;
    ir_var def;
    uint32_t args; /* index of the first operand in ir_body.args */
    uint32_t ref;
    uint16_t bci;
    uint16_t line; /* 0 if unknown */
};

struct ir_varinfo {
    uint8_t kind;  /* enum ir_kind */
    class_id type; /* declared class of a reference, as far as the statement tells: parameter, field, result,
                      new, cast, catch; a PHI of equal types; element of a known array.  0 = any object (null
                      included).  Named only, perhaps never loaded. */
    uint32_t def;  /* statement index */
};

struct ir_edge {
    uint32_t block; /* the other end */
    bool exceptional;
    class_id catch_type; /* exception edges: 0 = everything; several edges may lead to one handler */
};

struct ir_block {
    uint32_t first, end;     /* statements [first, end) */
    uint32_t succs, n_succs; /* in ir_body.edges: ordinary edges first, then handlers in table order */
    uint32_t preds, n_preds; /* in ir_body.edges; the same edges seen from their targets */
    uint32_t idom;           /* immediate dominator; the entry's is itself */
    uint32_t loop;           /* number of the innermost loop it is in, or IR_NO_LOOP */
    uint16_t depth;          /* loops around it */
    bool is_handler;
    bool is_loop_header;
};

enum { IR_NO_LOOP = UINT32_MAX };

struct ir_loop {
    uint32_t header;  /* block */
    uint32_t parent;  /* enclosing loop or IR_NO_LOOP */
    uint16_t depth;   /* 1 = outermost */
    bool irreducible; /* can also be entered elsewhere than at the header */
};

struct ir_case {
    int32_t key;
    uint32_t block;
};

struct ir_switch {
    struct ir_case *cases;
    uint32_t n_cases;
    uint32_t fallback; /* block of default */
};

struct ir_body {
    method_id method;
    const char *opaque; /* why the code could not be turned into IR (then there are no blocks), or NULL */
    uint32_t n_params;  /* receiver included; variables 1 .. n_params are the parameters */
    uint32_t n_vars;    /* variables are 1 .. n_vars */
    uint32_t n_stmts, n_args, n_blocks, n_edges, n_loops, n_switches, n_wide;
    struct ir_varinfo *vars; /* vars[0] unused */
    struct ir_stmt *stmts;   /* in block order */
    ir_var *args;
    struct ir_block *blocks;
    struct ir_edge *edges;
    struct ir_loop *loops; /* outer loops before inner ones */
    struct ir_switch *switches;
    uint64_t *wide; /* bits of long, float and double constants */
};

/* ---- building ---- */

/* Holds the scratch memory, so that building many methods allocates next to nothing. */
struct ir_builder;
struct ir_builder *ir_builder_new(struct program *p);
void ir_builder_free(struct ir_builder *b);

/*
 * Builds the body in `arena`.  A method without code has a body without blocks.  Code that the verifier would
 * reject gives NULL and an error that names class, method and bytecode index.
 */
const struct ir_body *ir_build(struct ir_builder *b, method_id m, struct arena *arena,
                               struct race_error *err);

/* ---- reading ---- */

static inline const ir_var *ir_args(const struct ir_body *body, const struct ir_stmt *s) {
    return body->args + s->args;
}

static inline ir_var ir_arg(const struct ir_body *body, const struct ir_stmt *s, uint32_t i) {
    return body->args[s->args + i];
}

static inline const struct ir_edge *ir_succs(const struct ir_body *body, const struct ir_block *b) {
    return body->edges + b->succs;
}

static inline const struct ir_edge *ir_preds(const struct ir_body *body, const struct ir_block *b) {
    return body->edges + b->preds;
}

/* The statement that defines v. */
static inline const struct ir_stmt *ir_def(const struct ir_body *body, ir_var v) {
    return &body->stmts[body->vars[v.v].def];
}

/* Value of an IR_CONST. */
struct const_value ir_const(const struct ir_body *body, const struct ir_stmt *s);
bool ir_may_throw(const struct ir_stmt *s);
bool ir_dominates(const struct ir_body *body, uint32_t a, uint32_t b); /* reflexive */
/* Block of a statement, by binary search. */
uint32_t ir_block_of(const struct ir_body *body, uint32_t stmt);
/* True if block b lies in loop l or in one nested in it. */
bool ir_in_loop(const struct ir_body *body, uint32_t b, uint32_t l);
const char *ir_op_name(enum ir_op op);

/* ---- checking and text ---- */

/*
 * Invariants: single definitions that dominate their uses, PHI operands = predecessors, operands of the right
 * kind, edges the same from both ends, handler values defined before anything in the block throws, dominators
 * and loops consistent.
 */
bool ir_check(struct program *p, const struct ir_body *body, struct race_error *err);

/* Stable text, for golden tests and `race dump`. */
void ir_dump_method(struct program *p, const struct ir_body *body, FILE *out);
void ir_dump_cfg(struct program *p, const struct ir_body *body, FILE *out);

#endif
