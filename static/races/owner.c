/*
 * Objects that belong to the thread that runs: in a thread's root method `this` is the thread itself, so two
 * threads that both reach the object from their own `this` over injective fields reach two objects.  (The
 * fourth scenario of the thesis's third chapter.)
 */
#include "groups.h"

/* Whether in this instance, run by thread t, the first parameter is always the running thread's own object.
 */
static bool this_is_thread(struct races *r, uint32_t t, pts_inst i, int depth) {
    const struct pts_thread *thread = pts_thread(r->pts, t);
    if (thread->kind != PTS_THREAD_START || depth > 8) return false;
    if (pts_inst_eq(thread->root, i)) {
        /* run() may also be called like any other method, by the thread itself. */
        uint32_t n;
        const struct pts_call *calls = pts_callers(r->pts, i, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_CALL) return false;
        }
        const struct method_info *m = program_method(r->p, pts_inst_info(r->pts, i)->method);
        return (m->access & CF_ACC_STATIC) == 0 && is_app_class(r, m->owner);
    }
    uint32_t n;
    const struct pts_call *calls = pts_callers(r->pts, i, &n);
    bool any = false;
    for (uint32_t k = 0; k < n; k++) {
        if (calls[k].caller.v == 0 || calls[k].kind != PTS_EDGE_CALL) return false;
        if (!bits_has(&r->threads_of[calls[k].caller.v], t)) continue; /* another thread's call */
        method_id m = pts_inst_info(r->pts, calls[k].caller)->method;
        const struct ir_body *body = is_app(r, m) ? body_of(r, m) : NULL;
        if (body == NULL) return false;
        const struct ir_stmt *s = &body->stmts[calls[k].stmt];
        if (s->op != IR_INVOKE || s->n_args == 0 || var_origin(body, ir_arg(body, s, 0)).v != 1 ||
            !argument_matches(r, s, pts_inst_info(r->pts, i)->method) ||
            !this_is_thread(r, t, calls[k].caller, depth + 1))
            return false;
        any = true;
    }
    return any;
}

/* The object as this.f.g with injective fields; the number of them, or -1. */
static int own_chain(struct races *r, const struct races_access *a, field_id fields[4]) {
    const struct ir_body *body = body_of(r, a->method);
    ir_var v = a->object;
    for (int n = 0; n < 4 && v.v != 0; n++) {
        v = var_origin(body, v);
        if (v.v == 1 && body->n_params >= 1) return n;
        const struct ir_stmt *def = ir_def(body, v);
        if (def->op != IR_GET_FIELD) return -1;
        fields[n] = program_ref_field(r->p, (ref_id){def->ref});
        if (fields[n].v == 0 || !field_facts(r, fields[n])->injective) return -1;
        v = ir_arg(body, def, 0);
    }
    return -1;
}

bool thread_owns(struct races *r, const struct races_access *a, struct races_side x,
                 const struct races_access *b, struct races_side y) {
    field_id fa[4], fb[4];
    if (x.thread != y.thread) return false;
    int n = own_chain(r, a, fa);
    if (n < 0 || own_chain(r, b, fb) != n) return false;
    for (int i = 0; i < n; i++) {
        if (!field_id_eq(fa[i], fb[i])) return false;
    }
    return this_is_thread(r, x.thread, x.inst, 0) && this_is_thread(r, y.thread, y.inst, 0);
}
