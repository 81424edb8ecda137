/* IR of the methods that the pipeline looks at, and small questions about names. */
#include "internal.h"

#include <string.h>

void bits_init(bits *b, struct arena *arena, uint32_t n) {
    b->n_words = (n + 63) / 64;
    b->w = ARENA_NEW_N(arena, b->n_words, uint64_t);
}

/* The table grows with the program: asking for a class may load it, which adds methods. */
struct method_facts *facts_of(struct races *r, method_id m) {
    while (r->methods.n <= m.v) vec_push(&r->methods, (struct method_facts){0});
    return &r->methods.v[m.v];
}

const struct ir_body *body_of(struct races *r, method_id m) {
    if (m.v == 0) return NULL;
    struct method_facts *f = facts_of(r, m);
    if (!f->tried) {
        f->tried = true;
        const struct method_info *info = program_method(r->p, m);
        if (info->has_code) {
            struct race_error err = {0};
            const struct ir_body *body = ir_build(r->builder, m, &r->arena, &err);
            /* The points-to analysis has met the same error; keep the first for the user all the same. */
            if (body == NULL && r->err != NULL && !r->err->set) *r->err = err;
            f->body = body != NULL && body->n_blocks > 0 ? body : NULL;
        }
    }
    return f->body;
}

bool is_app_class(struct races *r, class_id c) {
    const struct class_info *info = program_peek(r->p, c);
    return info->state == CLASS_LOADED && (!info->from_jdk || r->options.lib);
}

bool is_app(struct races *r, method_id m) {
    return is_app_class(r, program_method(r->p, m)->owner);
}

bool name_is(const struct races *r, name_id n, const char *z) {
    return strcmp(program_str(r->p, n), z) == 0;
}

bool class_is(const struct races *r, class_id c, const char *z) {
    return c.v != 0 && strcmp(program_class_name(r->p, c), z) == 0;
}

ir_var var_origin(const struct ir_body *body, ir_var v) {
    while (ir_def(body, v)->op == IR_CAST) v = ir_arg(body, ir_def(body, v), 0);
    return v;
}

const struct member_ref *invoke_ref(const struct races *r, const struct ir_stmt *s) {
    if (s->op != IR_INVOKE || s->sub == IR_CALL_DYNAMIC) return NULL;
    return program_ref(r->p, (ref_id){s->ref});
}

bool block_leads_to(struct races *r, const struct ir_body *body, uint32_t from, uint32_t to) {
    bits seen;
    bits_init(&seen, &r->arena, body->n_blocks);
    VEC(uint32_t) queue = {0};
    vec_push(&queue, from);
    while (queue.n > 0 && !bits_has(&seen, to)) {
        const struct ir_block *b = &body->blocks[vec_pop(&queue)];
        for (uint32_t k = 0; k < b->n_succs; k++) {
            uint32_t next = ir_succs(body, b)[k].block;
            if (bits_has(&seen, next)) continue;
            bits_add(&seen, next);
            vec_push(&queue, next);
        }
    }
    vec_release(&queue);
    return bits_has(&seen, to);
}

bool stmt_leads_to(struct races *r, const struct ir_body *body, uint32_t from, uint32_t to) {
    uint32_t bf = ir_block_of(body, from), bt = ir_block_of(body, to);
    return (bf == bt && to > from) || block_leads_to(r, body, bf, bt);
}

bool entered_once(const struct ir_body *body, uint32_t block) {
    const struct ir_block *b = &body->blocks[block];
    unsigned n = 0;
    for (uint32_t k = 0; k < b->n_preds; k++) {
        const struct ir_edge *e = &ir_preds(body, b)[k];
        if (ir_dominates(body, block, e->block)) continue;
        if (e->exceptional || e->block != b->idom || ++n > 1) return false;
    }
    return n == 1;
}
