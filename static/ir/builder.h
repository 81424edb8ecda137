/*
 * What the stages of the IR builder share.
 *
 * Stages, one file each, in order:
 *   scan.c       bytecode -> ranges of instructions that run as one (struct code_range)
 *   flow.c       ranges -> reachable blocks and edges in reverse postorder; subroutines are copied per call
 *                (subroutine.c: what belongs to one)
 *   translate.c  blocks -> statements, with the operand stack simulated (arith.c: the plain computations)
 *   ssa.c        values of locals: on-demand PHIs, completed once all predecessors are known
 *   finish.c     useless PHIs out, types, compact arrays; graph.c: dominators and loops
 *
 * All scratch arrays live in the builder and are reused from method to method.  The first failure is kept in
 * `failed`; every stage returns at once when it is set.
 */
#ifndef RACE_IR_BUILDER_H
#define RACE_IR_BUILDER_H

#include "race/classfile.h"
#include "race/ir.h"
#include "race/opcodes.h"
#include "race/vec.h"

enum {
    MARK_INSN = 1,   /* an instruction starts here */
    MARK_LEADER = 2, /* a range starts here */
    MARK_JOIN = 4,   /* control comes here by a jump or by falling through */
    MARK_HANDLER = 8 /* an exception handler */
};

enum { NONE = UINT32_MAX };

/* Instructions [start, end) that run one after the other; `last` is the bci of the last one. */
struct code_range {
    uint32_t start, end, last;
    bool throws; /* some instruction may throw */
};

/* A running subroutine (jsr), seen from its caller.  Context 0 is the method itself. */
struct context {
    uint32_t parent;
    uint32_t subroutine;
    uint32_t return_to; /* range behind the jsr */
};

struct subroutine {
    uint32_t entry;   /* bci */
    uint32_t local;   /* where the return address is kept */
    uint32_t members; /* in builder.members: one byte per range, true if it can still return */
};

enum block_shape {
    BLOCK_CODE,  /* a range */
    BLOCK_ENTRY, /* parameters only, in front of a first instruction that is jumped to */
    BLOCK_CATCH  /* just the caught exception, in front of a handler that is also reached otherwise */
};

struct build_edge {
    uint32_t to;
    bool exceptional;
    class_id catch_type;
};

struct build_block {
    uint8_t shape;
    bool is_handler; /* starts with the caught exception */
    bool has_exits;  /* has exception edges */
    bool snapped;    /* the locals that handlers see have been copied */
    uint32_t range, context;
    uint32_t succs, n_succs;
    uint32_t preds, n_preds;
    uint32_t waiting;              /* predecessor edges whose source is not translated yet */
    uint32_t first_stmt, end_stmt; /* without PHIs */
    uint32_t first_phi, last_phi;  /* list through struct build_phi.next */
    uint32_t stack, depth;         /* operand stack at its end, in builder.stacks */
};

struct build_var {
    uint8_t kind; /* enum ir_kind */
    bool is_null; /* the null constant: belongs to every reference type */
    bool is_phi;
    class_id type;
    uint32_t alias;      /* the variable that stands for it; itself unless a PHI was useless */
    uint32_t phi;        /* is_phi: which */
    uint32_t subroutine; /* a return address: the context it ends; else 0 */
    uint32_t final;      /* number in the finished body */
};

struct build_phi {
    ir_var def;
    uint32_t block, next;
    uint32_t slot; /* local, or n_locals + depth on the stack */
    uint32_t args; /* in builder.args, NONE while incomplete */
    bool live;
};

struct ir_builder {
    struct program *program;
    const struct cf_class *cf;
    const struct cf_code *code;
    const struct method_info *info;
    method_id method;
    class_id cls;
    struct race_error *err;
    bool failed;
    const char *opaque;

    /* scan */
    VEC(uint8_t) marks;
    VEC(int32_t) cover; /* how many try ranges start minus end at a bci */
    VEC(struct code_range) ranges;
    VEC(uint32_t) range_at; /* bci -> range */
    bool has_subroutines;

    /* flow */
    VEC(struct context) contexts;
    VEC(struct subroutine) subroutines;
    VEC(uint8_t) members;
    VEC(struct build_block) blocks; /* as found; in reverse postorder once flow.c is done */
    VEC(struct build_block) found;
    VEC(uint32_t) block_of, catch_of; /* context * ranges + range -> block, or NONE */
    VEC(struct build_edge) edges;
    VEC(uint32_t) preds; /* source blocks, and at the same index in pred_edges the edge's number */
    VEC(uint32_t) pred_edges;
    VEC(uint32_t) order, walk_block, walk_edge;

    /* translate and ssa */
    uint32_t n_locals, n_params, max_stack;
    uint32_t current; /* block */
    uint32_t bci, line, next_line;
    VEC(struct cf_line) lines;                 /* sorted by bci */
    VEC(uint32_t) at_entry, at_exit, at_throw; /* block * n_locals + local -> variable, 0 = not known */
    VEC(struct build_var) vars;
    VEC(struct build_phi) phis;
    VEC(struct ir_stmt) stmts;
    VEC(ir_var) args;
    VEC(uint32_t) stack, stacks, operands;
    VEC(struct ir_switch) switches;
    VEC(struct ir_case) cases;
    VEC(uint64_t) wide;

    VEC(uint32_t) work; /* PHIs to complete (ssa.c) or to look at (finish.c) */
    unsigned recursion;
};

/* Records what is wrong at the current bytecode index; returns false. */
bool ir_fail_(struct ir_builder *b, const char *what);

/* Makes the vector n long with all elements zero. */
#define vec_zero(vec, count)                                                                                 \
    (vec_reserve((vec), (count) + 1), (vec)->n = (count),                                                    \
     (void)memset((vec)->v, 0, ((vec)->n + 1) * sizeof *(vec)->v))

bool ir_scan_(struct ir_builder *b);
bool ir_insn_may_throw_(const struct ir_builder *b, uint8_t op, uint16_t index);
bool ir_flow_(struct ir_builder *b);
bool ir_translate_(struct ir_builder *b);

/* subroutine.c */
uint32_t ir_subroutine_(struct ir_builder *b, uint32_t entry);
/* The context of a range that is reached from code in `context`: that one, or an outer one if it was left. */
uint32_t ir_context_of_(const struct ir_builder *b, uint32_t context, uint32_t range);
/* The context that a `ret` of this local ends; 0 if there is none. */
uint32_t ir_ret_context_(const struct ir_builder *b, uint32_t context, uint32_t local);

/* translate.c, for arith.c */
ir_var ir_new_var_(struct ir_builder *b, enum ir_kind kind, class_id type);
ir_var ir_pop_(struct ir_builder *b, enum ir_kind kind);
ir_var ir_pop_any_(struct ir_builder *b);
void ir_push_(struct ir_builder *b, ir_var v);
struct ir_stmt *ir_emit_(struct ir_builder *b, enum ir_op op, ir_var def, const ir_var *args, unsigned n);
ir_var ir_int_const_(struct ir_builder *b, int32_t value);
enum ir_kind ir_kind_of_(class_id type);
/* Translates arithmetic, conversions, comparisons and stack shuffles; false if op is none of these. */
bool ir_arith_(struct ir_builder *b, const struct cf_insn *insn);

/* ssa.c */
ir_var ir_read_local_(struct ir_builder *b, uint32_t local, enum ir_kind kind);
void ir_write_local_(struct ir_builder *b, uint32_t local, ir_var v);
void ir_snapshot_(struct ir_builder *b);    /* the next statement may throw */
void ir_enter_stack_(struct ir_builder *b); /* operand stack at the start of the current block */
void ir_leave_block_(struct ir_builder *b); /* stores the stack, completes PHIs of loop headers */

/* finish.c, graph.c */
struct ir_body *ir_finish_(struct ir_builder *b, struct arena *arena);
void ir_graph_(struct ir_body *body, struct arena *arena);

#endif
