/* Bodies as text.  Stable: golden tests compare it. */
#include "builder.h"

#include <inttypes.h>

/* The letter is the kind, so that types are seen without looking up the definition. */
static void print_var(const struct ir_body *body, ir_var v, FILE *out) {
    static const char letters[] = "?ilfdr";
    fprintf(out, "%c%u", letters[body->vars[v.v].kind], v.v);
}

/* Strings with everything but plain characters escaped, and cut where they get long. */
static void print_string(const struct program *p, name_id name, FILE *out) {
    const char *s = program_str(p, name);
    size_t n = program_str_len(p, name), shown = n > 60 ? 60 : n;
    fputc('"', out);
    for (size_t i = 0; i < shown; i++) {
        unsigned char ch = (unsigned char)s[i];
        if (ch == '"' || ch == '\\')
            fprintf(out, "\\%c", ch);
        else if (ch >= 0x20 && ch < 0x7f)
            fputc(ch, out);
        else
            fprintf(out, "\\x%02x", ch);
    }
    fputs(n > shown ? "\"..." : "\"", out);
}

static void print_handle(const struct program *p, handle_id h, FILE *out) {
    static const char *const kinds[] = {"?",
                                        "getField",
                                        "getStatic",
                                        "putField",
                                        "putStatic",
                                        "invokeVirtual",
                                        "invokeStatic",
                                        "invokeSpecial",
                                        "newInvokeSpecial",
                                        "invokeInterface"};
    const struct handle_info *info = program_handle(p, h);
    fprintf(out, "%s ", kinds[info->kind <= HANDLE_INVOKE_INTERFACE ? info->kind : 0]);
    program_print_ref(p, info->ref, out);
}

static void print_dyn(struct program *p, dyn_id d, FILE *out);

static void print_const(struct program *p, struct const_value v, bool nested, FILE *out) {
    switch (v.kind) {
    case CONST_NULL: fputs("null", out); break;
    case CONST_INT: fprintf(out, "%" PRId64, v.u.i); break;
    case CONST_LONG: fprintf(out, "%" PRId64 "L", v.u.i); break;
    case CONST_FLOAT: fprintf(out, "%.9gF", v.u.d); break;
    case CONST_DOUBLE: fprintf(out, "%.17gD", v.u.d); break;
    case CONST_STRING: print_string(p, v.u.name, out); break;
    case CONST_CLASS: fprintf(out, "class %s", program_class_name(p, v.u.cls)); break;
    case CONST_METHOD_HANDLE: print_handle(p, v.u.handle, out); break;
    case CONST_METHOD_TYPE: fprintf(out, "type %s", program_str(p, v.u.name)); break;
    default:
        if (nested) /* a dynamic constant may, in a broken file, be its own argument */
            fprintf(out, "dynamic %s", program_str(p, program_dyn(p, v.u.dyn)->name));
        else
            print_dyn(p, v.u.dyn, out);
        break;
    }
}

/* With the bootstrap method and its static arguments: that is where lambdas keep their body. */
static void print_dyn(struct program *p, dyn_id d, FILE *out) {
    const struct dyn_info *info = program_dyn(p, d);
    fprintf(out, "dynamic %s:%s [", program_str(p, info->name), program_str(p, info->desc));
    print_handle(p, info->bootstrap, out);
    for (uint16_t i = 0; i < info->n_args; i++) {
        fputs("; ", out);
        print_const(p, program_dyn_arg(p, d, i), true, out);
    }
    fputc(']', out);
}

static void print_detail(struct program *p, const struct ir_body *body, const struct ir_stmt *s, FILE *out) {
    static const char *const calls[] = {"virtual", "special", "static", "interface", "dynamic"};
    static const char *const elems[] = {"int", "long", "float", "double", "ref", "byte", "char", "short"};
    switch (s->op) {
    case IR_PARAM: fprintf(out, " %u", s->ref); break;
    case IR_CONST:
        fputc(' ', out);
        print_const(p, ir_const(body, s), false, out);
        break;
    case IR_NEW:
    case IR_NEW_ARRAY:
    case IR_CAST:
    case IR_INSTANCE_OF: fprintf(out, " %s", program_class_name(p, (class_id){s->ref})); break;
    case IR_GET_FIELD:
    case IR_PUT_FIELD:
    case IR_GET_STATIC:
    case IR_PUT_STATIC:
        fputc(' ', out);
        program_print_ref(p, (ref_id){s->ref}, out);
        break;
    case IR_ARRAY_LOAD:
    case IR_ARRAY_STORE: fprintf(out, " %s", elems[s->sub]); break;
    case IR_INVOKE:
        fprintf(out, s->sub == IR_CALL_DYNAMIC ? " " : " %s ", calls[s->sub]);
        if (s->sub == IR_CALL_DYNAMIC)
            print_dyn(p, (dyn_id){s->ref}, out);
        else
            program_print_ref(p, (ref_id){s->ref}, out);
        break;
    case IR_BINARY:
    case IR_UNARY:
    case IR_IF: fprintf(out, " %s", cf_opcodes[s->ref].name); break;
    default: break;
    }
}

static void print_targets(const struct ir_body *body, const struct ir_block *k, const struct ir_stmt *s,
                          FILE *out) {
    const struct ir_edge *succs = ir_succs(body, k);
    if (s->op == IR_GOTO) fprintf(out, " B%u", succs[0].block);
    if (s->op == IR_IF) fprintf(out, " then B%u else B%u", succs[1].block, succs[0].block);
    if (s->op != IR_SWITCH) return;
    const struct ir_switch *sw = &body->switches[s->ref];
    for (uint32_t i = 0; i < sw->n_cases; i++) fprintf(out, " %d:B%u", sw->cases[i].key, sw->cases[i].block);
    fprintf(out, " default:B%u", sw->fallback);
}

static void print_stmt(struct program *p, const struct ir_body *body, const struct ir_block *k,
                       const struct ir_stmt *s, FILE *out) {
    fprintf(out, "  %4u %4u  ", s->bci, s->line);
    if (s->def.v != 0) {
        print_var(body, s->def, out);
        class_id type = body->vars[s->def.v].type;
        if (type.v != 0) fprintf(out, ": %s", program_class_name(p, type));
        fputs(" = ", out);
    }
    fputs(ir_op_name(s->op), out);
    print_detail(p, body, s, out);
    for (uint32_t i = 0; i < s->n_args; i++) {
        fputs(i ? ", " : " (", out);
        print_var(body, ir_arg(body, s, i), out);
    }
    if (s->n_args > 0) fputc(')', out);
    print_targets(body, k, s, out);
    fputc('\n', out);
}

static void print_edges(struct program *p, const char *what, const struct ir_edge *edges, uint32_t n,
                        FILE *out) {
    for (uint32_t i = 0; i < n; i++) {
        fprintf(out, "%s B%u", i ? "," : what, edges[i].block);
        if (!edges[i].exceptional) continue;
        fprintf(out, " on %s", edges[i].catch_type.v ? program_class_name(p, edges[i].catch_type) : "any");
    }
}

static void print_block_head(struct program *p, const struct ir_body *body, uint32_t b, FILE *out) {
    const struct ir_block *k = &body->blocks[b];
    fprintf(out, "B%u:", b);
    print_edges(p, " from", ir_preds(body, k), k->n_preds, out);
    if (k->is_handler) fputs(" handler", out);
    if (k->is_loop_header) fprintf(out, " loop%s", body->loops[k->loop].irreducible ? " irreducible" : "");
    if (k->depth > 0) fprintf(out, " depth %u", k->depth);
    fputc('\n', out);
}

static bool print_head(struct program *p, const struct ir_body *body, FILE *out) {
    fputs("method ", out);
    program_print_method(p, body->method, out);
    fputc('\n', out);
    if (body->opaque != NULL) fprintf(out, "  opaque: %s\n", body->opaque);
    if (body->opaque == NULL && body->n_blocks == 0) fputs("  no code\n", out);
    return body->n_blocks > 0;
}

void ir_dump_method(struct program *p, const struct ir_body *body, FILE *out) {
    if (!print_head(p, body, out)) return;
    for (uint32_t b = 0; b < body->n_blocks; b++) {
        const struct ir_block *k = &body->blocks[b];
        print_block_head(p, body, b, out);
        for (uint32_t i = k->first; i < k->end; i++) print_stmt(p, body, k, &body->stmts[i], out);
        uint32_t ordinary = 0;
        while (ordinary < k->n_succs && !ir_succs(body, k)[ordinary].exceptional) ordinary++;
        if (ordinary == k->n_succs) continue;
        print_edges(p, "  throws to", ir_succs(body, k) + ordinary, k->n_succs - ordinary, out);
        fputc('\n', out);
    }
}

void ir_dump_cfg(struct program *p, const struct ir_body *body, FILE *out) {
    if (!print_head(p, body, out)) return;
    for (uint32_t b = 0; b < body->n_blocks; b++) {
        const struct ir_block *k = &body->blocks[b];
        const struct ir_stmt *first = &body->stmts[k->first], *last = &body->stmts[k->end - 1];
        fprintf(out, "  B%u bci %u-%u", b, first->bci, last->bci);
        print_edges(p, " ->", ir_succs(body, k), k->n_succs, out);
        if (b > 0) fprintf(out, "; idom B%u", k->idom);
        if (k->loop != IR_NO_LOOP) fprintf(out, "; loop B%u depth %u", body->loops[k->loop].header, k->depth);
        if (k->loop != IR_NO_LOOP && body->loops[k->loop].irreducible) fputs(" irreducible", out);
        fputc('\n', out);
    }
}
