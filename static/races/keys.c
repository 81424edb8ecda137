/*
 * Functions that a ConcurrentHashMap runs for one key, one after the other: what is given to compute and its
 * kin.  Such a function holds the lock of its key, which is no object; it is named by the map and the key.
 *
 * The map exists once, the key is a string constant, and the function is given to nobody else.  Other maps
 * promise less: that of ConcurrentSkipListMap may run a function twice at once.
 */
#include "internal.h"
#include "tasks.h"

struct key {
    pts_obj map;
    name_id text;
};

struct keys {
    VEC(struct key) v;
};

/* The argument that is the function; 0 if the call runs none for a key. */
static uint32_t function_argument(struct races *r, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL || s->sub == IR_CALL_STATIC) return 0;
    if (name_is(r, ref->name, "merge")) return s->n_args == 4 ? 3 : 0;
    bool computes = name_is(r, ref->name, "compute") || name_is(r, ref->name, "computeIfAbsent") ||
                    name_is(r, ref->name, "computeIfPresent");
    return computes && s->n_args == 3 ? 2 : 0;
}

static uint32_t number_of(struct races *r, struct key k) {
    if (r->keys == NULL) r->keys = ARENA_NEW(&r->arena, struct keys);
    for (size_t i = 0; i < r->keys->v.n; i++) {
        if (pts_obj_eq(r->keys->v.v[i].map, k.map) && name_id_eq(r->keys->v.v[i].text, k.text))
            return (uint32_t)i;
    }
    vec_push(&r->keys->v, k);
    return (uint32_t)r->keys->v.n - 1;
}

bool key_lock(struct races *r, pts_inst i, struct lock *out) {
    struct given g;
    if (!given_to_jdk(r, i, &g)) return false;
    const struct ir_body *body = body_of(r, pts_inst_info(r->pts, g.inst)->method);
    const struct ir_stmt *s = &body->stmts[g.stmt];
    uint32_t arg = function_argument(r, s);
    if (arg == 0 || !pts_has(pts_var(r->pts, g.inst, ir_arg(body, s, arg)), g.object)) return false;
    struct pts_view maps = pts_var(r->pts, g.inst, ir_arg(body, s, 0));
    struct pts_iter it = {0};
    struct key k = {0};
    pts_obj more;
    const struct ir_stmt *key = ir_def(body, var_origin(body, ir_arg(body, s, 1)));
    if (key->op != IR_CONST || key->sub != CONST_STRING || !pts_next(maps, &it, &k.map) ||
        pts_next(maps, &it, &more) || !pts_obj_info(r->pts, k.map)->once ||
        !class_is(r, pts_obj_info(r->pts, k.map)->cls, "java/util/concurrent/ConcurrentHashMap"))
        return false;
    k.text = ir_const(body, key).u.name;
    *out = (struct lock){.path = {.root = PATH_KEY, .id = number_of(r, k)}};
    return true;
}

const char *key_text(struct races *r, uint32_t key) {
    return arena_printf(&r->arena, "the map's key \"%s\"", program_str(r->p, r->keys->v.v[key].text));
}

void keys_release(struct races *r) {
    if (r->keys != NULL) vec_release(&r->keys->v);
}
