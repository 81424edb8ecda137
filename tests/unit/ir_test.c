/* IR of hand-written bytecode, where javac would not go; and the checker against damaged bodies. */
#include "mini_class.h"

#include "race/ir.h"
#include "race/opcodes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { CALL_HI = 0, CALL_LO = MINI_CALL, INT_LO = MINI_INT };

struct fixture {
    struct mini_source classes;
    struct class_source source;
    struct program *p;
    struct ir_builder *b;
    struct arena arena;
    struct race_error err;
};

static int setup(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL) return -1;
    f->source = mini_class_source(&f->classes);
    f->p = program_new(&f->source, (struct program_options){0});
    f->b = ir_builder_new(f->p);
    arena_init(&f->arena);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    arena_release(&f->arena);
    ir_builder_free(f->b);
    program_free(f->p);
    mini_release(&f->classes);
    free(f);
    return 0;
}

/* Builds static method m of a class that holds nothing else. */
static const struct ir_body *try_build(struct fixture *f, struct mini_member m, const char *desc) {
    char name[16];
    snprintf(name, sizeof name, "T%zu", f->classes.n);
    m.access = CF_ACC_STATIC;
    m.name = "m";
    m.desc = desc;
    mini_add(&f->classes, 49, CF_ACC_PUBLIC, name, "java/lang/Object", NULL, NULL,
             (struct mini_member[]){m, {0}});
    f->err = (struct race_error){0};
    method_id method = program_method_named(f->p, name, "m", desc);
    if (method.v == 0) {
        program_failed(f->p, &f->err);
        return NULL;
    }
    return ir_build(f->b, method, &f->arena, &f->err);
}

static const struct ir_body *build(struct fixture *f, struct mini_member m, const char *desc) {
    const struct ir_body *body = try_build(f, m, desc);
    if (body == NULL || !ir_check(f->p, body, &f->err)) fail_msg("%s", f->err.what);
    return body;
}

static const struct ir_stmt *find_op(const struct ir_body *body, enum ir_op op, unsigned nth) {
    for (uint32_t i = 0; i < body->n_stmts; i++)
        if (body->stmts[i].op == op && nth-- == 0) return &body->stmts[i];
    return NULL;
}

static unsigned count_op(const struct ir_body *body, enum ir_op op) {
    unsigned n = 0;
    while (find_op(body, op, n) != NULL) n++;
    return n;
}

static int64_t const_of(const struct ir_body *body, ir_var v) {
    const struct ir_stmt *s = ir_def(body, v);
    assert_int_equal(s->op, IR_CONST);
    return ir_const(body, s).u.i;
}

/* ---- values ---- */

static void stack_values_meet_in_a_phi(void **state) {
    static const uint8_t code[] = {
        0x1a,       /*  0 iload_0 */
        0x99, 0, 7, /*  1 ifeq 8 */
        0x04,       /*  4 iconst_1 */
        0xa7, 0, 4, /*  5 goto 9 */
        0x05,       /*  8 iconst_2 */
        0xac,       /*  9 ireturn */
    };
    const struct ir_body *body = build(*state, (struct mini_member){MINI_CODE(code)}, "(I)I");
    const struct ir_stmt *ret = find_op(body, IR_RETURN, 0), *phi = ir_def(body, ir_arg(body, ret, 0));
    assert_int_equal(phi->op, IR_PHI);
    assert_int_equal(const_of(body, ir_arg(body, phi, 0)), 1);
    assert_int_equal(const_of(body, ir_arg(body, phi, 1)), 2);
    assert_int_equal(body->n_blocks, 4);
}

static void unchanged_locals_need_no_phi(void **state) {
    static const uint8_t code[] = {
        0x03, 0x3c,       /*  0 iconst_0, istore_1 */
        0x1b, 0x1a,       /*  2 iload_1, iload_0 */
        0xa2, 0,    9,    /*  4 if_icmpge 13 */
        0x84, 1,    1,    /*  7 iinc 1 1 */
        0xa7, 0xff, 0xf8, /* 10 goto 2 */
        0x1a,             /* 13 iload_0 */
        0xac,             /* 14 ireturn */
    };
    const struct ir_body *body = build(*state, (struct mini_member){MINI_CODE(code)}, "(I)I");
    assert_int_equal(count_op(body, IR_PHI), 1);
    assert_int_equal(ir_arg(body, find_op(body, IR_RETURN, 0), 0).v, 1);
    assert_int_equal(body->n_loops, 1);
    assert_int_equal(body->blocks[body->loops[0].header].depth, 1);
    assert_false(body->loops[0].irreducible);
}

static void method_may_start_with_a_loop(void **state) {
    static const uint8_t code[] = {
        0x84, 0,    1,    /* 0 iinc 0 1 */
        0x1a,             /* 3 iload_0 */
        0x9a, 0xff, 0xfc, /* 4 ifne 0 */
        0xb1,             /* 7 return */
    };
    const struct ir_body *body = build(*state, (struct mini_member){MINI_CODE(code)}, "(I)V");
    assert_int_equal(body->blocks[0].n_preds, 0);
    const struct ir_stmt *phi = find_op(body, IR_PHI, 0);
    assert_int_equal(ir_arg(body, phi, 0).v, 1);
    assert_int_equal(ir_def(body, ir_arg(body, phi, 1))->op, IR_BINARY);
}

static void wide_values_move_as_one(void **state) {
    static const uint8_t code[] = {
        0x1e, 0x20, /* lload_0, lload_2 */
        0x5e,       /* dup2_x2 */
        0x61, 0x61, /* ladd, ladd */
        0xad,       /* lreturn */
    };
    const struct ir_body *body = build(*state, (struct mini_member){MINI_CODE(code)}, "(JJ)J");
    const struct ir_stmt *first = find_op(body, IR_BINARY, 0), *second = find_op(body, IR_BINARY, 1);
    assert_int_equal(ir_arg(body, first, 0).v, 1);
    assert_int_equal(ir_arg(body, first, 1).v, 2);
    assert_int_equal(ir_arg(body, second, 0).v, 2); /* the copy that went below */
    assert_int_equal(ir_arg(body, second, 1).v, first->def.v);
}

/* ---- exceptions ---- */

static void handler_sees_the_locals_of_each_throwing_point(void **state) {
    static const uint8_t code[] = {
        0x04, 0x3b,             /*  0 iconst_1, istore_0 */
        0xb8, CALL_HI, CALL_LO, /*  2 invokestatic call */
        0x05, 0x3b,             /*  5 iconst_2, istore_0 */
        0xb8, CALL_HI, CALL_LO, /*  7 invokestatic call */
        0x06, 0x3b,             /* 10 iconst_3, istore_0 */
        0x1a, 0xac,             /* 12 iload_0, ireturn */
        0x57, 0x1a,    0xac,    /* 14 pop, iload_0, ireturn */
    };
    struct mini_member m = {MINI_CODE(code), .handlers = {{0, 12, 14}}, .n_handlers = 1};
    const struct ir_body *body = build(*state, m, "()I");
    const struct ir_stmt *phi = find_op(body, IR_PHI, 0);
    assert_int_equal(count_op(body, IR_PHI), 1);
    assert_int_equal(phi->n_args, 2); /* never 3: nothing throws after the last store */
    assert_int_equal(const_of(body, ir_arg(body, phi, 0)), 1);
    assert_int_equal(const_of(body, ir_arg(body, phi, 1)), 2);
}

static void a_result_is_not_there_if_its_call_throws(void **state) {
    static const uint8_t code[] = {
        0x04, 0x3b,            /*  0 iconst_1, istore_0 */
        0xb8, CALL_HI, INT_LO, /*  2 invokestatic number */
        0x3b,                  /*  5 istore_0 */
        0x1a, 0xac,            /*  6 iload_0, ireturn */
        0x57, 0x1a,    0xac,   /*  8 pop, iload_0, ireturn */
    };
    struct mini_member m = {MINI_CODE(code), .handlers = {{0, 6, 8}}, .n_handlers = 1};
    const struct ir_body *body = build(*state, m, "()I");
    assert_int_equal(const_of(body, ir_arg(body, find_op(body, IR_RETURN, 1), 0)), 1);
}

static void handler_reached_by_a_jump_gets_a_phi(void **state) {
    static const uint8_t code[] = {
        0x2a,                   /* 0 aload_0 */
        0xb8, CALL_HI, CALL_LO, /* 1 invokestatic call */
        0x57, 0x2a,             /* 4 pop, aload_0: falls into the handler */
        0xb0,                   /* 6 areturn */
    };
    struct mini_member m = {MINI_CODE(code), .handlers = {{0, 4, 6}}, .n_handlers = 1};
    const struct ir_body *body = build(*state, m, "(Ljava/lang/Object;)Ljava/lang/Object;");
    const struct ir_stmt *phi = ir_def(body, ir_arg(body, find_op(body, IR_RETURN, 0), 0));
    assert_int_equal(phi->op, IR_PHI);
    unsigned caught = 0;
    for (uint32_t i = 0; i < 2; i++) caught += ir_def(body, ir_arg(body, phi, i))->op == IR_CATCH;
    assert_int_equal(caught, 1);
}

static void handlers_without_a_throwing_instruction_vanish(void **state) {
    static const uint8_t code[] = {0x04, 0xac, 0x57, 0x05, 0xac};
    struct mini_member m = {MINI_CODE(code), .handlers = {{0, 2, 2}}, .n_handlers = 1};
    const struct ir_body *body = build(*state, m, "()I");
    assert_int_equal(body->n_blocks, 1);
    assert_null(find_op(body, IR_CATCH, 0));
}

static void monitors_split_protected_blocks(void **state) {
    static const uint8_t code[] = {
        0x2a, 0xc2,             /*  0 aload_0, monitorenter */
        0xb8, CALL_HI, CALL_LO, /*  2 invokestatic call */
        0x2a, 0xc3,             /*  5 aload_0, monitorexit */
        0xb8, CALL_HI, CALL_LO, /*  7 invokestatic call */
        0xb1,                   /* 10 return */
        0x57, 0xb1,             /* 11 pop, return */
    };
    struct mini_member m = {MINI_CODE(code), .handlers = {{0, 11, 11}}, .n_handlers = 1};
    const struct ir_body *body = build(*state, m, "(Ljava/lang/Object;)V");
    uint32_t enter = ir_block_of(body, (uint32_t)(find_op(body, IR_MONITOR_ENTER, 0) - body->stmts));
    uint32_t first = ir_block_of(body, (uint32_t)(find_op(body, IR_INVOKE, 0) - body->stmts));
    uint32_t second = ir_block_of(body, (uint32_t)(find_op(body, IR_INVOKE, 1) - body->stmts));
    assert_true(enter < first && first < second);
}

/* ---- loops ---- */

static void two_entries_make_a_loop_irreducible(void **state) {
    static const uint8_t code[] = {
        0x1a,             /*  0 iload_0 */
        0x99, 0,    6,    /*  1 ifeq 7 */
        0x84, 0,    1,    /*  4 iinc 0 1     <- first entry */
        0x84, 0,    2,    /*  7 iinc 0 2     <- second entry */
        0x1a,             /* 10 iload_0 */
        0x9a, 0xff, 0xf9, /* 11 ifne 4 */
        0xb1,             /* 14 return */
    };
    const struct ir_body *body = build(*state, (struct mini_member){MINI_CODE(code)}, "(I)V");
    assert_int_equal(body->n_loops, 1);
    assert_true(body->loops[0].irreducible);
    unsigned inside = 0;
    for (uint32_t b = 0; b < body->n_blocks; b++) inside += body->blocks[b].depth == 1;
    assert_int_equal(inside, 2);
}

static void nested_loops_have_depths(void **state) {
    static const uint8_t code[] = {
        0x84, 0,    1,    /*  0 iinc 0 1      outer */
        0x84, 1,    1,    /*  3 iinc 1 1      inner */
        0x1b,             /*  6 iload_1 */
        0x9a, 0xff, 0xfc, /*  7 ifne 3 */
        0x1a,             /* 10 iload_0 */
        0x9a, 0xff, 0xf5, /* 11 ifne 0 */
        0xb1,             /* 14 return */
    };
    const struct ir_body *body = build(*state, (struct mini_member){MINI_CODE(code)}, "(II)V");
    assert_int_equal(body->n_loops, 2);
    assert_int_equal(body->loops[1].parent, 0);
    assert_int_equal(body->loops[1].depth, 2);
    assert_true(ir_in_loop(body, body->loops[1].header, 0));
    assert_false(ir_in_loop(body, body->loops[0].header, 1));
}

/* ---- subroutines ---- */

static void subroutines_are_copied_per_call(void **state) {
    static const uint8_t code[] = {
        0x03, 0x3b,             /*  0 iconst_0, istore_0 */
        0xa8, 0,       8,       /*  2 jsr 10 */
        0xa8, 0,       5,       /*  5 jsr 10 */
        0x1a, 0xac,             /*  8 iload_0, ireturn */
        0x4c,                   /* 10 astore_1 */
        0x84, 0,       5,       /* 11 iinc 0 5 */
        0xb8, CALL_HI, CALL_LO, /* 14 invokestatic call */
        0xa9, 1,                /* 17 ret 1 */
    };
    const struct ir_body *body = build(*state, (struct mini_member){MINI_CODE(code)}, "()I");
    assert_null(body->opaque);
    assert_int_equal(count_op(body, IR_INVOKE), 2);
    assert_int_equal(count_op(body, IR_PHI), 0);
    /* (0 + 5) + 5, in this order */
    const struct ir_stmt *outer = ir_def(body, ir_arg(body, find_op(body, IR_RETURN, 0), 0));
    const struct ir_stmt *inner = ir_def(body, ir_arg(body, outer, 0));
    assert_int_equal(const_of(body, ir_arg(body, inner, 0)), 0);
}

static void subroutines_nest(void **state) {
    static const uint8_t code[] = {
        0xa8, 0,       4,       /*  0 jsr 4 */
        0xb1,                   /*  3 return */
        0x4b,                   /*  4 astore_0 */
        0xa8, 0,       8,       /*  5 jsr 13 */
        0xa8, 0,       5,       /*  8 jsr 13 */
        0xa9, 0,                /* 11 ret 0 */
        0x4c,                   /* 13 astore_1 */
        0xb8, CALL_HI, CALL_LO, /* 14 invokestatic call */
        0xa9, 1,                /* 17 ret 1 */
    };
    const struct ir_body *body = build(*state, (struct mini_member){MINI_CODE(code)}, "()V");
    assert_null(body->opaque);
    assert_int_equal(count_op(body, IR_INVOKE), 2);
}

/* The finally block throws, the handler around it goes back to the start, and all begins again. */
static void subroutine_may_be_left_by_an_exception(void **state) {
    static const uint8_t code[] = {
        0xa8, 0,       4,       /*  0 jsr 4 */
        0xb1,                   /*  3 return */
        0x4c,                   /*  4 astore_1 */
        0xb8, CALL_HI, CALL_LO, /*  5 invokestatic call */
        0xa9, 1,                /*  8 ret 1 */
        0x57,                   /* 10 pop */
        0xa7, 0xff,    0xf5,    /* 11 goto 0 */
    };
    struct mini_member m = {MINI_CODE(code), .handlers = {{4, 10, 10}}, .n_handlers = 1};
    const struct ir_body *body = build(*state, m, "()V");
    assert_null(body->opaque);
    assert_int_equal(count_op(body, IR_INVOKE), 1);
    assert_int_equal(body->n_loops, 1);
}

/* The inner subroutine returns right to the caller of the outer one. */
static void subroutine_may_return_for_its_caller(void **state) {
    static const uint8_t code[] = {
        0xa8, 0,       4,       /*  0 jsr 4 */
        0xb1,                   /*  3 return */
        0x4b,                   /*  4 astore_0 */
        0xa8, 0,       5,       /*  5 jsr 10 */
        0xa9, 0,                /*  8 ret 0 */
        0x4c,                   /* 10 astore_1 */
        0xb8, CALL_HI, CALL_LO, /* 11 invokestatic call */
        0xa9, 0,                /* 14 ret 0 */
    };
    const struct ir_body *body = build(*state, (struct mini_member){MINI_CODE(code)}, "()V");
    assert_null(body->opaque);
    assert_int_equal(count_op(body, IR_INVOKE), 1);
    assert_int_equal(count_op(body, IR_RETURN), 1);
}

static void recursive_subroutine_is_opaque(void **state) {
    static const uint8_t code[] = {
        0xa8, 0,    4,    /* 0 jsr 4 */
        0xb1,             /* 3 return */
        0x4b,             /* 4 astore_0 */
        0xa8, 0xff, 0xff, /* 5 jsr 4 */
        0xa9, 0,          /* 8 ret 0 */
    };
    const struct ir_body *body = try_build(*state, (struct mini_member){MINI_CODE(code)}, "()V");
    assert_non_null(body);
    assert_string_equal(body->opaque, "recursive subroutine");
    assert_int_equal(body->n_blocks, 0);
}

/* ---- what the verifier would reject ---- */

static void rejects(struct fixture *f, struct mini_member m, const char *desc, const char *what) {
    assert_null(try_build(f, m, desc));
    if (!f->err.set || strstr(f->err.what, what) == NULL) fail_msg("'%s' instead of '%s'", f->err.what, what);
}

static void bad_code_is_reported(void **state) {
    static const uint8_t underflow[] = {0x57, 0xb1}, wrong_kind[] = {0x04, 0xb0}, unset[] = {0x1a, 0xac},
                         end[] = {0x04, 0x57}, no_value[] = {0xb1}, local[] = {0x15, 200, 0xac},
                         half[] = {0x09, 0x57, 0xb1},
                         overflow[] = {0x04, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0xac};
    struct fixture *f = *state;
    rejects(f, (struct mini_member){MINI_CODE(underflow)}, "()V", "bytecode 0: operand stack underflow");
    rejects(f, (struct mini_member){MINI_CODE(overflow)}, "()I", "operand stack overflow");
    rejects(f, (struct mini_member){MINI_CODE(wrong_kind)}, "()Ljava/lang/Object;",
            "bytecode 1: operand of the wrong type");
    rejects(f, (struct mini_member){MINI_CODE(unset)}, "()I", "local variable read before it is set");
    rejects(f, (struct mini_member){MINI_CODE(end)}, "()V", "falls off the end");
    rejects(f, (struct mini_member){MINI_CODE(no_value)}, "()I", "return without a value");
    rejects(f, (struct mini_member){MINI_CODE(local)}, "()I", "local variable");
    rejects(f, (struct mini_member){MINI_CODE(half)}, "()V", "half of a long");
}

static void stacks_of_different_depth_are_reported(void **state) {
    static const uint8_t code[] = {
        0x1a,       /* 0 iload_0 */
        0x04,       /* 1 iconst_1 */
        0x1a,       /* 2 iload_0 */
        0x99, 0, 4, /* 3 ifeq 7 */
        0x57,       /* 6 pop */
        0xb1,       /* 7 return */
    };
    rejects(*state, (struct mini_member){MINI_CODE(code)}, "(I)V", "different depth");
}

static void locals_of_different_kind_may_not_be_read_behind_a_join(void **state) {
    static const uint8_t code[] = {
        0x1a,          /* 0 iload_0 */
        0x99, 0,    8, /* 1 ifeq 9 */
        0x04, 0x3c,    /* 4 iconst_1, istore_1 */
        0xa7, 0,    5, /* 6 goto 11 */
        0x0b, 0x44,    /* 9 fconst_0, fstore_1 */
        0x1b, 0xac,    /* 11 iload_1, ireturn */
    };
    rejects(*state, (struct mini_member){MINI_CODE(code)}, "(I)I", "value of the wrong type");
}

/* A long row of joins must not exhaust the C stack when one value is looked for through all of them. */
static void long_rows_of_joins_are_fine(void **state) {
    enum { JOINS = 9000 };
    uint8_t *code = malloc(JOINS * 7 + 2);
    size_t n = 0;
    for (int i = 0; i < JOINS; i++) {
        const uint8_t diamond[] = {0x1a, 0x99, 0, 6,
                                   0xa7, 0,    3}; /* iload_0, ifeq +6 (next), goto +3 (next) */
        memcpy(code + n, diamond, sizeof diamond);
        n += sizeof diamond;
    }
    code[n++] = 0x1b; /* iload_1 */
    code[n++] = 0xac;
    struct mini_member m = {
        .code = code, .n_code = (uint16_t)n, .max_stack = 2, .max_locals = 2, .n_handlers = 0};
    const struct ir_body *body = build(*state, m, "(II)I");
    assert_int_equal(count_op(body, IR_PHI), 0);
    assert_int_equal(ir_arg(body, find_op(body, IR_RETURN, 0), 0).v, 2);
    free(code);
}

/* ---- the checker finds damage ---- */

static const uint8_t victim_code[] = {
    0x03, 0x3c,             /*  0 iconst_0, istore_1 */
    0x1b, 0x1a,             /*  2 iload_1, iload_0 */
    0xa2, 0,       12,      /*  4 if_icmpge 16 */
    0xb8, CALL_HI, CALL_LO, /*  7 invokestatic call */
    0x84, 1,       1,       /* 10 iinc 1 1 */
    0xa7, 0xff,    0xf5,    /* 13 goto 2 */
    0x1b, 0xac,             /* 16 iload_1, ireturn */
    0x57, 0x1b,    0xac,    /* 18 pop, iload_1, ireturn */
};

static struct ir_stmt *op_in(struct ir_body *body, enum ir_op op) {
    return body->stmts + (find_op(body, op, 0) - body->stmts);
}

static void damage_def(struct ir_body *b) {
    op_in(b, IR_BINARY)->def.v = 1;
}
static void damage_use(struct ir_body *b) {
    b->args[op_in(b, IR_IF)->args].v = op_in(b, IR_BINARY)->def.v;
}
static void damage_range(struct ir_body *b) {
    b->args[op_in(b, IR_IF)->args].v = b->n_vars + 1;
}
static void damage_phi(struct ir_body *b) {
    op_in(b, IR_PHI)->n_args--;
}
static void damage_phi_kind(struct ir_body *b) {
    b->vars[op_in(b, IR_PHI)->def.v].kind = IR_LONG;
}
static void damage_kind(struct ir_body *b) {
    op_in(b, IR_BINARY)->op = IR_MONITOR_ENTER;
}
static void damage_idom(struct ir_body *b) {
    b->blocks[b->n_blocks - 1].idom = 0;
}
static void damage_edge(struct ir_body *b) {
    b->edges[b->blocks[1].succs].block = 0;
}
static void damage_pred(struct ir_body *b) {
    b->edges[b->blocks[1].preds].exceptional = true;
}
static void damage_loop(struct ir_body *b) {
    b->blocks[b->loops[0].header].loop = IR_NO_LOOP;
}
static void damage_depth(struct ir_body *b) {
    b->blocks[b->loops[0].header].depth++;
}
static void damage_end(struct ir_body *b) {
    op_in(b, IR_IF)->op = IR_SWITCH;
}
static void damage_order(struct ir_body *b) {
    b->blocks[1].first++;
}
static void damage_catch(struct ir_body *b) {
    op_in(b, IR_CATCH)->op = IR_CONST;
}
static void damage_call(struct ir_body *b) {
    op_in(b, IR_INVOKE)->sub = IR_CALL_VIRTUAL;
}
static void damage_param(struct ir_body *b) {
    op_in(b, IR_PARAM)->ref = 7;
}
static void damage_n_vars(struct ir_body *b) {
    b->n_vars++;
}

static void (*const damages[])(struct ir_body *) = {
    damage_def,   damage_use,   damage_range, damage_phi,   damage_phi_kind, damage_kind,
    damage_idom,  damage_edge,  damage_pred,  damage_loop,  damage_depth,    damage_end,
    damage_order, damage_catch, damage_call,  damage_param, damage_n_vars,
};

static void checker_finds_damage(void **state) {
    struct fixture *f = *state;
    struct mini_member m = {MINI_CODE(victim_code), .handlers = {{7, 10, 18}}, .n_handlers = 1};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct ir_body *body = (struct ir_body *)build(f, m, "(I)I");
        damages[i](body);
        struct race_error err = {0};
        if (ir_check(f->p, body, &err)) fail_msg("damage %zu was not found", i);
        assert_true(err.set);
    }
}

/* A value set by the block itself must not reach the handler if it is set behind the throwing statement. */
static void checker_finds_values_that_come_too_late(void **state) {
    static const uint8_t code[] = {
        0x1a, 0x3c,            /*  0 iload_0, istore_1 */
        0xb8, CALL_HI, INT_LO, /*  2 invokestatic number */
        0x3c,                  /*  5 istore_1 */
        0x05, 0x3c,            /*  6 iconst_2, istore_1 */
        0xb8, CALL_HI, INT_LO, /*  8 invokestatic number */
        0xac,                  /* 11 ireturn */
        0x57, 0x1b,    0xac,   /* 12 pop, iload_1, ireturn */
    };
    struct fixture *f = *state;
    struct mini_member m = {MINI_CODE(code), .handlers = {{2, 11, 12}}, .n_handlers = 1};
    struct ir_body *body = (struct ir_body *)build(f, m, "(I)I");
    const struct ir_stmt *phi = find_op(body, IR_PHI, 0), *call = find_op(body, IR_INVOKE, 0);
    assert_int_equal(ir_arg(body, phi, 0).v, 1);
    body->args[phi->args].v = call->def.v;
    assert_false(ir_check(f->p, body, &f->err));
    assert_non_null(strstr(f->err.what, "not defined on every way"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(stack_values_meet_in_a_phi),
        TEST(unchanged_locals_need_no_phi),
        TEST(method_may_start_with_a_loop),
        TEST(wide_values_move_as_one),
        TEST(handler_sees_the_locals_of_each_throwing_point),
        TEST(a_result_is_not_there_if_its_call_throws),
        TEST(handler_reached_by_a_jump_gets_a_phi),
        TEST(handlers_without_a_throwing_instruction_vanish),
        TEST(monitors_split_protected_blocks),
        TEST(two_entries_make_a_loop_irreducible),
        TEST(nested_loops_have_depths),
        TEST(subroutines_are_copied_per_call),
        TEST(subroutines_nest),
        TEST(subroutine_may_be_left_by_an_exception),
        TEST(subroutine_may_return_for_its_caller),
        TEST(recursive_subroutine_is_opaque),
        TEST(bad_code_is_reported),
        TEST(stacks_of_different_depth_are_reported),
        TEST(locals_of_different_kind_may_not_be_read_behind_a_join),
        TEST(long_rows_of_joins_are_fine),
        TEST(checker_finds_damage),
        TEST(checker_finds_values_that_come_too_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
