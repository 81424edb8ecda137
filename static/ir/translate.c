/* Instructions -> statements, block by block in reverse postorder. */
#include "builder.h"

#include <string.h>

/*
 * The operand stack is simulated: pushing and popping moves variables around and leaves no statement.  What
 * the verifier would have to check is checked on the way (depth, kinds of operands), because nothing else
 * does, and later stages rely on it.
 */

/* ---- variables, stack and statements ---- */

enum ir_kind ir_kind_of_(class_id type) {
    switch (type.v) {
    case CLASS_VOID: return IR_NONE;
    case CLASS_BOOLEAN:
    case CLASS_BYTE:
    case CLASS_CHAR:
    case CLASS_SHORT:
    case CLASS_INT: return IR_INT;
    case CLASS_LONG: return IR_LONG;
    case CLASS_FLOAT: return IR_FLOAT;
    case CLASS_DOUBLE: return IR_DOUBLE;
    default: return IR_REF;
    }
}

ir_var ir_new_var_(struct ir_builder *b, enum ir_kind kind, class_id type) {
    uint32_t id = (uint32_t)b->vars.n;
    struct build_var v = {.kind = (uint8_t)kind, .alias = id};
    if (kind == IR_REF) v.type = type;
    vec_push(&b->vars, v);
    return (ir_var){id};
}

static ir_var var_of_type(struct ir_builder *b, class_id type) {
    return ir_new_var_(b, ir_kind_of_(type), type);
}

void ir_push_(struct ir_builder *b, ir_var v) {
    if (b->stack.n >= b->max_stack)
        ir_fail_(b, "operand stack overflow");
    else
        vec_push(&b->stack, v.v);
}

ir_var ir_pop_any_(struct ir_builder *b) {
    if (b->stack.n == 0) return (ir_var){ir_fail_(b, "operand stack underflow")};
    return (ir_var){vec_pop(&b->stack)};
}

ir_var ir_pop_(struct ir_builder *b, enum ir_kind kind) {
    ir_var v = ir_pop_any_(b);
    if (!b->failed && b->vars.v[v.v].kind != kind) ir_fail_(b, "operand of the wrong type");
    return v;
}

struct ir_stmt *ir_emit_(struct ir_builder *b, enum ir_op op, ir_var def, const ir_var *args, unsigned n) {
    struct ir_stmt s = {.op = (uint8_t)op,
                        .n_args = (uint16_t)n,
                        .def = def,
                        .args = (uint32_t)b->args.n,
                        .bci = (uint16_t)b->bci,
                        .line = (uint16_t)b->line};
    for (unsigned i = 0; i < n; i++) vec_push(&b->args, args[i]);
    vec_push(&b->stmts, s);
    return &vec_last(&b->stmts);
}

/* A statement that defines a variable which goes on the stack. */
static void emit_value(struct ir_builder *b, enum ir_op op, uint8_t sub, class_id type, const ir_var *args,
                       unsigned n, uint32_t ref) {
    ir_var def = var_of_type(b, type);
    struct ir_stmt *s = ir_emit_(b, op, def, args, n);
    s->sub = sub;
    s->ref = ref;
    ir_push_(b, def);
}

/* ---- constants ---- */

static ir_var emit_const(struct ir_builder *b, enum const_kind kind, enum ir_kind type, class_id cls,
                         uint32_t ref) {
    ir_var def = ir_new_var_(b, type, cls);
    struct ir_stmt *s = ir_emit_(b, IR_CONST, def, NULL, 0);
    s->sub = (uint8_t)kind;
    s->ref = ref;
    return def;
}

ir_var ir_int_const_(struct ir_builder *b, int32_t value) {
    return emit_const(b, CONST_INT, IR_INT, (class_id){0}, (uint32_t)value);
}

static uint32_t add_wide(struct ir_builder *b, uint64_t bits) {
    vec_push(&b->wide, bits);
    return (uint32_t)b->wide.n - 1;
}

static uint64_t double_bits(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static void push_real(struct ir_builder *b, enum const_kind kind, double value) {
    enum ir_kind type = kind == CONST_FLOAT ? IR_FLOAT : IR_DOUBLE;
    ir_push_(b, emit_const(b, kind, type, (class_id){0}, add_wide(b, double_bits(value))));
}

static void push_long(struct ir_builder *b, int64_t value) {
    ir_push_(b, emit_const(b, CONST_LONG, IR_LONG, (class_id){0}, add_wide(b, (uint64_t)value)));
}

/* Null has no type of its own, which PHIs must know. */
static void push_null(struct ir_builder *b) {
    ir_var v = emit_const(b, CONST_NULL, IR_REF, (class_id){0}, 0);
    b->vars.v[v.v].is_null = true;
    ir_push_(b, v);
}

static void push_ref_const(struct ir_builder *b, enum const_kind kind, uint32_t cls, uint32_t ref) {
    ir_push_(b, emit_const(b, kind, IR_REF, (class_id){cls}, ref));
}

/* A dynamic constant may be of any type, which only its descriptor tells. */
static void push_dynamic(struct ir_builder *b, dyn_id dyn) {
    name_id desc = program_dyn(b->program, dyn)->desc;
    class_id type =
        program_type(b->program, program_str(b->program, desc), program_str_len(b->program, desc));
    if (dyn.v == 0 || type.v == 0)
        ir_fail_(b, "bad dynamic constant");
    else
        ir_push_(b, emit_const(b, CONST_DYNAMIC, ir_kind_of_(type), type, dyn.v));
}

static void do_ldc(struct ir_builder *b, uint16_t index) {
    struct const_value v = program_cp_const(b->program, b->cls, index);
    switch (v.kind) {
    case CONST_INT: ir_push_(b, ir_int_const_(b, (int32_t)v.u.i)); break;
    case CONST_LONG: push_long(b, v.u.i); break;
    case CONST_FLOAT:
    case CONST_DOUBLE: push_real(b, v.kind, v.u.d); break;
    case CONST_STRING: push_ref_const(b, v.kind, CLASS_STRING, v.u.name.v); break;
    case CONST_CLASS: push_ref_const(b, v.kind, CLASS_CLASS, v.u.cls.v); break;
    case CONST_METHOD_HANDLE: push_ref_const(b, v.kind, CLASS_METHOD_HANDLE, v.u.handle.v); break;
    case CONST_METHOD_TYPE: push_ref_const(b, v.kind, CLASS_METHOD_TYPE, v.u.name.v); break;
    case CONST_DYNAMIC: push_dynamic(b, v.u.dyn); break;
    default: ir_fail_(b, "constant that cannot be loaded"); break;
    }
}

static void do_const(struct ir_builder *b, const struct cf_insn *in) {
    uint8_t op = in->op;
    if (op == CF_OP_ACONST_NULL)
        push_null(b);
    else if (op <= CF_OP_ICONST_5)
        ir_push_(b, ir_int_const_(b, op - CF_OP_ICONST_0));
    else if (op <= CF_OP_LCONST_1)
        push_long(b, op - CF_OP_LCONST_0);
    else if (op <= CF_OP_FCONST_2)
        push_real(b, CONST_FLOAT, op - CF_OP_FCONST_0);
    else if (op <= CF_OP_DCONST_1)
        push_real(b, CONST_DOUBLE, op - CF_OP_DCONST_0);
    else if (op <= CF_OP_SIPUSH)
        ir_push_(b, ir_int_const_(b, in->value));
    else
        do_ldc(b, in->index);
}

/* ---- locals and arrays ---- */

static const uint8_t kinds_ilfda[5] = {IR_INT, IR_LONG, IR_FLOAT, IR_DOUBLE, IR_REF};

/* Loads and stores come in the order i l f d a: five general ones, then four short forms of each. */
static void do_local(struct ir_builder *b, const struct cf_insn *in, unsigned first, bool store) {
    unsigned n = in->op - first;
    unsigned kind = n < 5 ? n : (n - 5) / 4;
    uint32_t local = n < 5 ? in->index : (n - 5) % 4;
    if (store)
        ir_write_local_(b, local, ir_pop_(b, kinds_ilfda[kind]));
    else
        ir_push_(b, ir_read_local_(b, local, kinds_ilfda[kind]));
}

static void do_iinc(struct ir_builder *b, const struct cf_insn *in) {
    ir_var args[2] = {ir_read_local_(b, in->index, IR_INT), {0}};
    if (b->failed) return;
    args[1] = ir_int_const_(b, in->value);
    ir_var def = ir_new_var_(b, IR_INT, (class_id){0});
    ir_emit_(b, IR_BINARY, def, args, 2)->ref = CF_OP_IADD;
    ir_write_local_(b, in->index, def);
}

static enum ir_kind elem_kind(unsigned elem) {
    return elem <= IR_ELEM_REF ? kinds_ilfda[elem] : IR_INT;
}

static void do_array_load(struct ir_builder *b, unsigned elem) {
    ir_var args[2];
    args[1] = ir_pop_(b, IR_INT);
    args[0] = ir_pop_(b, IR_REF);
    if (b->failed) return;
    ir_var def = ir_new_var_(b, elem_kind(elem), (class_id){0}); /* finish.c finds the type */
    ir_emit_(b, IR_ARRAY_LOAD, def, args, 2)->sub = (uint8_t)elem;
    ir_push_(b, def);
}

static void do_array_store(struct ir_builder *b, unsigned elem) {
    ir_var args[3];
    args[2] = ir_pop_(b, elem_kind(elem));
    args[1] = ir_pop_(b, IR_INT);
    args[0] = ir_pop_(b, IR_REF);
    if (b->failed) return;
    ir_emit_(b, IR_ARRAY_STORE, (ir_var){0}, args, 3)->sub = (uint8_t)elem;
}

/* newarray, anewarray and multianewarray: one length per dimension that is allocated now. */
static void do_new_array(struct ir_builder *b, class_id array, unsigned dimensions) {
    ir_var lengths[256];
    if (array.v == 0 || dimensions == 0 || dimensions > 255) {
        ir_fail_(b, "bad array type");
        return;
    }
    for (unsigned i = dimensions; i > 0; i--) lengths[i - 1] = ir_pop_(b, IR_INT);
    if (!b->failed) emit_value(b, IR_NEW_ARRAY, 0, array, lengths, dimensions, array.v);
}

static class_id primitive_array(struct ir_builder *b, unsigned code) {
    static const uint8_t types[] = {CLASS_BOOLEAN, CLASS_CHAR,  CLASS_FLOAT, CLASS_DOUBLE,
                                    CLASS_BYTE,    CLASS_SHORT, CLASS_INT,   CLASS_LONG};
    if (code < 4 || code > 11) return (class_id){0};
    return program_array_of(b->program, (class_id){types[code - 4]});
}

/* ---- members ---- */

/* References stay symbolic: resolving them would load classes that the method may never reach. */
static void do_field(struct ir_builder *b, const struct cf_insn *in) {
    ref_id ref = program_cp_ref(b->program, b->cls, in->index);
    class_id type = {0};
    if (ref.v != 0 && program_ref(b->program, ref)->is_field) type = program_ref_type(b->program, ref);
    if (type.v == 0) {
        ir_fail_(b, "bad field reference");
        return;
    }
    enum ir_op op = IR_GET_STATIC;
    ir_var args[2];
    unsigned n = 0;
    if (in->op == CF_OP_PUTSTATIC || in->op == CF_OP_PUTFIELD) args[1] = ir_pop_(b, ir_kind_of_(type));
    if (in->op == CF_OP_GETFIELD || in->op == CF_OP_PUTFIELD) args[n++] = ir_pop_(b, IR_REF);
    if (b->failed) return;
    switch (in->op) {
    case CF_OP_GETSTATIC: break;
    case CF_OP_GETFIELD: op = IR_GET_FIELD; break;
    case CF_OP_PUTFIELD: op = IR_PUT_FIELD, n++; break;
    default: op = IR_PUT_STATIC, args[n++] = args[1]; break;
    }
    if (op == IR_GET_STATIC || op == IR_GET_FIELD)
        emit_value(b, op, 0, type, args, n, ref.v);
    else
        ir_emit_(b, op, (ir_var){0}, args, n)->ref = ref.v;
}

static void emit_call(struct ir_builder *b, enum ir_call kind, const struct method_sig *sig, uint32_t ref) {
    ir_var args[257];
    unsigned has_receiver = kind != IR_CALL_STATIC && kind != IR_CALL_DYNAMIC;
    unsigned n = sig->n_params + has_receiver;
    for (unsigned i = sig->n_params; i > 0; i--)
        args[i - 1 + has_receiver] = ir_pop_(b, ir_kind_of_(sig->params[i - 1]));
    if (has_receiver) args[0] = ir_pop_(b, IR_REF);
    if (b->failed) return;
    if (sig->result.v != CLASS_VOID) {
        emit_value(b, IR_INVOKE, (uint8_t)kind, sig->result, args, n, ref);
        return;
    }
    struct ir_stmt *s = ir_emit_(b, IR_INVOKE, (ir_var){0}, args, n);
    s->sub = (uint8_t)kind;
    s->ref = ref;
}

static void do_invoke(struct ir_builder *b, const struct cf_insn *in) {
    static const uint8_t kinds[] = {IR_CALL_VIRTUAL, IR_CALL_SPECIAL, IR_CALL_STATIC, IR_CALL_INTERFACE};
    const struct method_sig *sig = NULL;
    if (in->op == CF_OP_INVOKEDYNAMIC) {
        dyn_id dyn = program_cp_dyn(b->program, b->cls, in->index);
        const struct dyn_info *info = program_dyn(b->program, dyn);
        if (dyn.v != 0 && info->is_call) sig = program_sig(b->program, info->desc);
        if (sig != NULL) emit_call(b, IR_CALL_DYNAMIC, sig, dyn.v);
    } else {
        ref_id ref = program_cp_ref(b->program, b->cls, in->index);
        if (ref.v != 0 && !program_ref(b->program, ref)->is_field) sig = program_ref_sig(b->program, ref);
        if (sig != NULL) emit_call(b, kinds[in->op - CF_OP_INVOKEVIRTUAL], sig, ref.v);
    }
    if (sig == NULL) ir_fail_(b, "bad method reference");
}

/* The instructions that name a class. */
static void do_typed(struct ir_builder *b, const struct cf_insn *in) {
    class_id cls = program_cp_class(b->program, b->cls, in->index);
    if (cls.v == 0) {
        ir_fail_(b, "bad class reference");
        return;
    }
    ir_var arg = {0};
    if (in->op == CF_OP_CHECKCAST || in->op == CF_OP_INSTANCEOF) arg = ir_pop_(b, IR_REF);
    if (b->failed) return;
    switch (in->op) {
    case CF_OP_NEW: emit_value(b, IR_NEW, 0, cls, NULL, 0, cls.v); break;
    case CF_OP_ANEWARRAY: do_new_array(b, program_array_of(b->program, cls), 1); break;
    case CF_OP_MULTIANEWARRAY:
        if (program_peek(b->program, cls)->dimensions < in->value)
            ir_fail_(b, "more lengths than dimensions");
        else
            do_new_array(b, cls, (unsigned)in->value);
        break;
    case CF_OP_CHECKCAST: emit_value(b, IR_CAST, 0, cls, &arg, 1, cls.v); break;
    default: emit_value(b, IR_INSTANCE_OF, 0, (class_id){CLASS_INT}, &arg, 1, cls.v); break;
    }
}

/* ---- control ---- */

static void do_if(struct ir_builder *b, const struct cf_insn *in) {
    ir_var args[2];
    bool two = in->op >= CF_OP_IF_ICMPEQ && in->op <= CF_OP_IF_ACMPNE;
    bool refs = in->op == CF_OP_IF_ACMPEQ || in->op == CF_OP_IF_ACMPNE || in->op == CF_OP_IFNULL ||
                in->op == CF_OP_IFNONNULL;
    if (two) args[1] = ir_pop_(b, refs ? IR_REF : IR_INT);
    args[0] = ir_pop_(b, refs ? IR_REF : IR_INT);
    if (!b->failed) ir_emit_(b, IR_IF, (ir_var){0}, args, two ? 2 : 1)->ref = in->op;
}

/* Targets are looked up among the successors, since only there the subroutine's copy is known. */
static uint32_t target_block(const struct ir_builder *b, int32_t bci) {
    const struct build_block *k = &b->blocks.v[b->current];
    for (uint32_t e = k->succs; e < k->succs + k->n_succs; e++) {
        uint32_t to = b->edges.v[e].to;
        if (b->blocks.v[to].range == b->range_at.v[bci] && !b->edges.v[e].exceptional) return to;
    }
    return NONE;
}

/* Cases are kept by position in builder.cases until finish.c knows where they will live. */
static void do_switch(struct ir_builder *b, const struct cf_insn *in) {
    ir_var key = ir_pop_(b, IR_INT);
    if (b->failed) return;
    struct ir_switch sw = {.n_cases = in->n_cases, .fallback = target_block(b, in->target)};
    int32_t last = -1;
    uint32_t to = NONE;
    for (uint32_t i = 0; i < in->n_cases; i++) {
        int32_t target = cf_insn_case_target(b->code, in, i);
        if (target != last) to = target_block(b, target);
        last = target;
        vec_push(&b->cases, ((struct ir_case){cf_insn_case_key(b->code, in, i), to}));
    }
    ir_emit_(b, IR_SWITCH, (ir_var){0}, &key, 1)->ref = (uint32_t)b->switches.n;
    vec_push(&b->switches, sw);
}

static void do_return(struct ir_builder *b, uint8_t op) {
    class_id result = b->info->sig->result;
    if (op == CF_OP_RETURN) {
        if (result.v != CLASS_VOID) ir_fail_(b, "return without a value");
        ir_emit_(b, IR_RETURN, (ir_var){0}, NULL, 0);
        return;
    }
    ir_var v = ir_pop_(b, kinds_ilfda[op - CF_OP_IRETURN]);
    if (!b->failed && ir_kind_of_(result) != kinds_ilfda[op - CF_OP_IRETURN])
        ir_fail_(b, "return of a value of the wrong type");
    if (!b->failed) ir_emit_(b, IR_RETURN, (ir_var){0}, &v, 1);
}

/* The return address is an ordinary value that nobody can look into. */
static void do_jsr(struct ir_builder *b) {
    push_null(b);
    if (b->failed) return;
    const struct build_block *k = &b->blocks.v[b->current];
    struct build_var *v = &b->vars.v[vec_last(&b->stack)];
    v->subroutine = b->blocks.v[b->edges.v[k->succs].to].context;
    ir_emit_(b, IR_GOTO, (ir_var){0}, NULL, 0);
}

static void do_ret(struct ir_builder *b, uint32_t local) {
    ir_var v = ir_read_local_(b, local, IR_REF);
    if (b->failed) return;
    const struct build_var *info = &b->vars.v[v.v];
    if (!info->is_phi && info->subroutine != ir_ret_context_(b, b->blocks.v[b->current].context, local))
        b->opaque = "subroutine whose return address cannot be followed";
    ir_emit_(b, IR_GOTO, (ir_var){0}, NULL, 0);
}

static void do_unary_object(struct ir_builder *b, const struct cf_insn *in) {
    ir_var v = ir_pop_(b, IR_REF);
    if (b->failed) return;
    switch (in->op) {
    case CF_OP_ARRAYLENGTH: emit_value(b, IR_ARRAY_LENGTH, 0, (class_id){CLASS_INT}, &v, 1, 0); break;
    case CF_OP_ATHROW: ir_emit_(b, IR_THROW, (ir_var){0}, &v, 1); break;
    case CF_OP_MONITORENTER: ir_emit_(b, IR_MONITOR_ENTER, (ir_var){0}, &v, 1); break;
    default: ir_emit_(b, IR_MONITOR_EXIT, (ir_var){0}, &v, 1); break;
    }
}

/* ---- one instruction, one block, all blocks ---- */

static void translate_insn(struct ir_builder *b, const struct cf_insn *in) {
    uint8_t op = in->op;
    if (op == CF_OP_NOP) return;
    if (op <= CF_OP_LDC2_W) {
        do_const(b, in);
        return;
    }
    if (op <= CF_OP_ALOAD_3) {
        do_local(b, in, CF_OP_ILOAD, false);
    } else if (op <= CF_OP_SALOAD) {
        do_array_load(b, op - CF_OP_IALOAD);
    } else if (op <= CF_OP_ASTORE_3) {
        do_local(b, in, CF_OP_ISTORE, true);
    } else if (op <= CF_OP_SASTORE) {
        do_array_store(b, op - CF_OP_IASTORE);
    } else if (op == CF_OP_IINC) {
        do_iinc(b, in);
    } else if (op <= CF_OP_DCMPG) {
        ir_arith_(b, in);
    } else if (op <= CF_OP_IF_ACMPNE || op == CF_OP_IFNULL || op == CF_OP_IFNONNULL) {
        do_if(b, in);
    } else if (op >= CF_OP_IRETURN && op <= CF_OP_RETURN) {
        do_return(b, op);
    } else if (op >= CF_OP_GETSTATIC && op <= CF_OP_PUTFIELD) {
        do_field(b, in);
    } else if (op >= CF_OP_INVOKEVIRTUAL && op <= CF_OP_INVOKEDYNAMIC) {
        do_invoke(b, in);
    } else {
        switch (op) {
        case CF_OP_GOTO:
        case CF_OP_GOTO_W: ir_emit_(b, IR_GOTO, (ir_var){0}, NULL, 0); break;
        case CF_OP_JSR:
        case CF_OP_JSR_W: do_jsr(b); break;
        case CF_OP_RET: do_ret(b, in->index); break;
        case CF_OP_TABLESWITCH:
        case CF_OP_LOOKUPSWITCH: do_switch(b, in); break;
        case CF_OP_NEWARRAY: do_new_array(b, primitive_array(b, in->index), 1); break;
        case CF_OP_ARRAYLENGTH:
        case CF_OP_ATHROW:
        case CF_OP_MONITORENTER:
        case CF_OP_MONITOREXIT: do_unary_object(b, in); break;
        default: do_typed(b, in); break;
        }
    }
}

static void set_line(struct ir_builder *b, uint32_t bci) {
    while (b->next_line < b->lines.n && b->lines.v[b->next_line].bci <= bci)
        b->line = b->lines.v[b->next_line++].line;
}

/* Blocks are not in bytecode order: start from the last line entry at or before the block. */
static void seek_line(struct ir_builder *b, uint32_t bci) {
    size_t lo = 0, hi = b->lines.n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (b->lines.v[mid].bci <= bci)
            lo = mid + 1;
        else
            hi = mid;
    }
    b->next_line = (uint32_t)lo;
    b->line = lo > 0 ? b->lines.v[lo - 1].line : 0;
}

/* Parameters are the first variables of a body, in order; long and double take two locals. */
static void emit_params(struct ir_builder *b) {
    const struct method_sig *sig = b->info->sig;
    uint32_t local = 0, n = 0;
    bool is_static = (b->info->access & CF_ACC_STATIC) != 0;
    for (uint32_t i = is_static ? 0 : (uint32_t)-1; i != sig->n_params; i++) {
        class_id type = i == (uint32_t)-1 ? b->cls : sig->params[i];
        ir_var v = var_of_type(b, type);
        ir_emit_(b, IR_PARAM, v, NULL, 0)->ref = n++;
        ir_write_local_(b, local, v);
        local += type.v == CLASS_LONG || type.v == CLASS_DOUBLE ? 2 : 1;
    }
    b->n_params = n;
}

/* One exception type if all edges agree, else Throwable. */
static void emit_catch(struct ir_builder *b) {
    const struct build_block *k = &b->blocks.v[b->current];
    class_id type = b->edges.v[b->pred_edges.v[k->preds]].catch_type;
    for (uint32_t i = 1; i < k->n_preds; i++)
        if (b->edges.v[b->pred_edges.v[k->preds + i]].catch_type.v != type.v) type.v = 0;
    if (type.v == 0) type.v = CLASS_THROWABLE;
    ir_var v = ir_new_var_(b, IR_REF, type);
    ir_emit_(b, IR_CATCH, v, NULL, 0);
    ir_push_(b, v);
}

static void translate_block(struct ir_builder *b, uint32_t block) {
    b->current = block;
    const struct build_block k = b->blocks.v[block];
    const struct code_range r = b->ranges.v[k.range];
    b->blocks.v[block].first_stmt = (uint32_t)b->stmts.n;
    b->bci = r.start;
    seek_line(b, r.start);
    ir_enter_stack_(b);
    if (block == 0) emit_params(b);
    if (k.is_handler) emit_catch(b);
    if (k.shape == BLOCK_CODE) {
        for (uint32_t bci = r.start; bci < r.end && !b->failed;) {
            struct cf_insn in = cf_insn_decode(b->code, bci);
            b->bci = bci;
            set_line(b, bci);
            if (k.has_exits && ir_insn_may_throw_(b, in.op, in.index)) ir_snapshot_(b);
            translate_insn(b, &in);
            bci += in.length;
        }
    }
    if (b->failed) return;
    bool ends = b->stmts.n > b->blocks.v[block].first_stmt && vec_last(&b->stmts).op >= IR_IF;
    if (!ends) ir_emit_(b, IR_GOTO, (ir_var){0}, NULL, 0);
    b->blocks.v[block].end_stmt = (uint32_t)b->stmts.n;
    ir_leave_block_(b);
}

static void sort_lines(struct ir_builder *b) {
    vec_clear(&b->lines);
    for (uint32_t i = 0; i < b->code->n_lines; i++) {
        struct cf_line line = b->code->lines[i];
        vec_push(&b->lines, line);
        /* Nearly always in order already. */
        size_t k = b->lines.n - 1;
        for (; k > 0 && b->lines.v[k - 1].bci > line.bci; k--) b->lines.v[k] = b->lines.v[k - 1];
        b->lines.v[k] = line;
    }
}

/* Beyond this many cells per table no real method goes; such a one is treated as opaque. */
enum { MAX_CELLS = 1 << 24 };

bool ir_translate_(struct ir_builder *b) {
    size_t cells = b->blocks.n * (size_t)b->n_locals;
    if (cells > MAX_CELLS) {
        b->opaque = "too many locals and blocks";
        return true;
    }
    vec_zero(&b->at_entry, cells);
    vec_zero(&b->at_exit, cells);
    if (b->code->n_handlers > 0) vec_zero(&b->at_throw, cells);
    vec_clear(&b->vars);
    vec_push(&b->vars, ((struct build_var){0}));
    vec_clear(&b->phis);
    vec_clear(&b->stmts);
    vec_clear(&b->args);
    vec_clear(&b->stacks);
    vec_clear(&b->operands);
    vec_clear(&b->switches);
    vec_clear(&b->cases);
    vec_clear(&b->wide);
    vec_clear(&b->work);
    b->recursion = 0;
    sort_lines(b);
    for (uint32_t i = 0; i < b->blocks.n && !b->failed && b->opaque == NULL; i++) translate_block(b, i);
    return !b->failed;
}
