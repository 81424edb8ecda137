/*
 * Which allocation sites deserve a deeper context: those of the objects that pairs still meet on, and of the
 * objects that hold them (an inner object is told apart by its holder, so the holder must be too), and the
 * calls that they are told apart by.
 */
#include "internal.h"

struct holders {
    const bits *racing;
    bool holds;
};

static void see_field(void *arg, field_id f, struct pts_view set) {
    struct holders *x = arg;
    struct pts_iter it = {0};
    pts_obj o;
    (void)f;
    while (!x->holds && pts_next(set, &it, &o)) x->holds = bits_has(x->racing, o.v);
}

/* Only statements of the application are worth it: the JDK's objects follow their holders. */
static bool deepen(struct races *r, pts_obj o, struct pts_sigma *sigma, unsigned k) {
    const struct pts_alloc_info *a = pts_alloc_info(r->pts, pts_obj_info(r->pts, o)->alloc);
    if (a->method.v == 0 || !is_app(r, a->method) || pts_sigma_get(sigma, a->method, a->stmt) >= k)
        return false;
    pts_sigma_set(sigma, a->method, a->stmt, k);
    return true;
}

size_t races_refine(struct races *r, struct pts_sigma *sigma, unsigned k) {
    uint32_t n_objs = pts_n_objs(r->pts);
    size_t n = 0;
    bits racing;
    bits_init(&racing, &r->arena, n_objs + 1);
    for (size_t i = 0; i < r->pairs.n; i++) {
        if (r->pairs.v[i].object.v != 0) bits_add(&racing, r->pairs.v[i].object.v);
    }
    for (uint32_t o = 1; o <= n_objs; o++) {
        struct holders x = {.racing = &racing};
        if (!bits_has(&racing, o)) pts_each_field(r->pts, (pts_obj){o}, see_field, &x);
        if (!bits_has(&racing, o) && !x.holds) continue;
        n += deepen(r, (pts_obj){o}, sigma, k);
        pts_obj outer = pts_ctx_info(r->pts, pts_obj_info(r->pts, (pts_obj){o})->rest).obj;
        if (outer.v != 0 && pts_obj_info(r->pts, outer)->cls.v == CLASS_OBJECT)
            n += deepen(r, outer, sigma, k);
    }
    return n;
}
