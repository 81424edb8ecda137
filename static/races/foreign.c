/*
 * Atomics, latches and semaphores that are used out of sight: by code of the JDK, through a function object
 * (`flag::set`) or as an object of a subclass, where the statement does not tell what it calls.
 */
#include "internal.h"

#include <string.h>

static bool is_watched(const char *cls) {
    return strncmp(cls, "java/util/concurrent/atomic/Atomic", 34) == 0 ||
           strcmp(cls, "java/util/concurrent/CountDownLatch") == 0 ||
           strcmp(cls, "java/util/concurrent/Semaphore") == 0;
}

/* Whether the call is one that says so: of the application, naming the class. */
static bool is_in_sight(struct races *r, const struct pts_call *call, class_id owner) {
    if (call->caller.v == 0) return false;
    method_id from = pts_inst_info(r->pts, call->caller)->method;
    if (class_id_eq(program_method(r->p, from)->owner, owner)) return true; /* its own affair */
    const struct ir_body *body = is_app(r, from) ? body_of(r, from) : NULL;
    const struct member_ref *ref = body == NULL ? NULL : invoke_ref(r, &body->stmts[call->stmt]);
    return ref != NULL && class_id_eq(ref->cls, owner);
}

void foreign_init(struct races *r) {
    bits_init(&r->foreign, &r->arena, pts_n_objs(r->pts) + 1);
    for (uint32_t i = 1; i <= r->n_insts; i++) {
        const struct method_info *m = program_method(r->p, pts_inst_info(r->pts, (pts_inst){i})->method);
        if ((m->access & CF_ACC_STATIC) != 0 || !is_watched(program_class_name(r->p, m->owner))) continue;
        uint32_t n;
        const struct pts_call *calls = pts_callers(r->pts, (pts_inst){i}, &n);
        bool outside = false;
        for (uint32_t k = 0; k < n && !outside; k++) outside = !is_in_sight(r, &calls[k], m->owner);
        struct pts_iter it = {0};
        pts_obj o;
        struct pts_view set = outside ? pts_var(r->pts, (pts_inst){i}, (ir_var){1}) : (struct pts_view){0};
        while (pts_next(set, &it, &o)) bits_add(&r->foreign, o.v);
    }
}
