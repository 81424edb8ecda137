/*
 * Objects that two threads may reach, whatever the program point: those reachable from static fields, from
 * thread objects (which is how a new thread learns of anything) and from what the VM hands to a thread's root
 * method.  Everything else is the allocating thread's own for its whole life.
 *
 * What a thread-local variable holds is reached through its thread's own map only, and nobody but that thread
 * looks into it: the way over a map's entry makes nothing shared.  A value that two threads find in their
 * maps came to one of them by another way, and that way is followed.  Inheritable variables are the
 * exception: a new thread copies its parent's entries, so with one of them around the entries count.
 */
#include "internal.h"

typedef VEC(pts_obj) obj_queue;

struct reach {
    bits *set;
    field_id own_value; /* not followed */
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
    struct reach *x = arg;
    if (f.v == 0 || !field_id_eq(f, x->own_value)) reach_add(x, set);
}

static void reach_close(struct races *r, struct reach *x) {
    while (x->queue.n > 0) {
        pts_obj o = vec_pop(&x->queue);
        pts_each_field(r->pts, o, reach_field, x);
    }
    vec_release(&x->queue);
}

void bits_add_reachable(struct races *r, bits *set, struct pts_view roots) {
    struct reach x = {.set = set, .own_value = r->own_value};
    reach_add(&x, roots);
    reach_close(r, &x);
}

static void add_object(struct reach *x, pts_obj o) {
    if (o.v == 0 || bits_has(x->set, o.v)) return;
    bits_add(x->set, o.v);
    vec_push(&x->queue, o);
}

/* The field of a thread's map that holds a variable's value, or none if threads may inherit values. */
static field_id thread_local_value(struct races *r) {
    class_id entry = program_find_class(r->p, "java/lang/ThreadLocal$ThreadLocalMap$Entry");
    class_id inheritable = program_find_class(r->p, "java/lang/InheritableThreadLocal");
    if (entry.v == 0 || program_info(r->p, entry)->state != CLASS_LOADED) return (field_id){0};
    for (uint32_t o = 1; o <= pts_n_objs(r->pts); o++) {
        if (program_is_subtype(r->p, pts_obj_info(r->pts, (pts_obj){o})->cls, inheritable))
            return (field_id){0};
    }
    const struct class_info *info = program_info(r->p, entry);
    for (uint32_t k = 0; k < info->n_fields; k++) {
        field_id f = {info->first_field.v + k};
        if (name_is(r, program_field(r->p, f)->name, "value")) return f;
    }
    return (field_id){0};
}

void escape_init(struct races *r) {
    uint32_t n_objs = pts_n_objs(r->pts);
    if (!r->options.reach_only) r->own_value = thread_local_value(r);
    bits_init(&r->shared, &r->arena, n_objs + 1);
    bits_init(&r->published, &r->arena, n_objs + 1);
    struct reach x = {.set = &r->shared, .own_value = r->own_value};
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
