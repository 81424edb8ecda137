/*
 * Objects that two threads may reach, whatever the program point: those reachable from static fields, from
 * thread objects (which is how a new thread learns of anything) and from what the VM hands to a thread's root
 * method.  Everything else is the allocating thread's own for its whole life.
 */
#include "internal.h"

typedef VEC(pts_obj) obj_queue;

struct reach {
    bits *set;
    obj_queue queue;
};

static void reach_add(struct reach *x, struct pts_view set) {
    struct pts_iter it = {0};
    pts_obj o;
    while (pts_next(set, &it, &o)) {
        if (bits_has(x->set, o.v)) continue;
        bits_add(x->set, o.v);
        vec_push(&x->queue, o);
    }
}

static void reach_field(void *arg, field_id f, struct pts_view set) {
    (void)f;
    reach_add(arg, set);
}

static void reach_close(struct races *r, struct reach *x) {
    while (x->queue.n > 0) {
        pts_obj o = vec_pop(&x->queue);
        pts_each_field(r->pts, o, reach_field, x);
    }
    vec_release(&x->queue);
}

void bits_add_reachable(struct races *r, bits *set, struct pts_view roots) {
    struct reach x = {.set = set};
    reach_add(&x, roots);
    reach_close(r, &x);
}

static void add_object(struct reach *x, pts_obj o) {
    if (o.v == 0 || bits_has(x->set, o.v)) return;
    bits_add(x->set, o.v);
    vec_push(&x->queue, o);
}

void escape_init(struct races *r) {
    uint32_t n_objs = pts_n_objs(r->pts);
    bits_init(&r->shared, &r->arena, n_objs + 1);
    bits_init(&r->published, &r->arena, n_objs + 1);
    struct reach x = {.set = &r->shared};
    for (uint32_t f = 1; f <= program_n_fields(r->p); f++) {
        const struct field_info *info = program_field(r->p, (field_id){f});
        if ((info->access & CF_ACC_STATIC) != 0) reach_add(&x, pts_static(r->pts, (field_id){f}));
    }
    for (uint32_t t = 0; t < r->n_threads; t++) {
        const struct pts_thread *thread = pts_thread(r->pts, t);
        add_object(&x, thread->obj);
        const struct ir_body *body = body_of(r, pts_inst_info(r->pts, thread->root)->method);
        if (body == NULL) continue;
        for (uint32_t v = 1; v <= body->n_params; v++) {
            reach_add(&x, pts_var(r->pts, thread->root, (ir_var){v}));
        }
    }
    /* Objects of the VM's making, class constants among them, are everybody's. */
    for (uint32_t o = 1; o <= n_objs; o++) {
        const struct pts_obj_info *info = pts_obj_info(r->pts, (pts_obj){o});
        uint8_t kind = pts_alloc_info(r->pts, info->alloc)->kind;
        if (kind == PTS_ALLOC_MODEL || kind == PTS_ALLOC_CLASS || kind == PTS_ALLOC_MERGED)
            add_object(&x, (pts_obj){o});
    }
    reach_close(r, &x);
}
