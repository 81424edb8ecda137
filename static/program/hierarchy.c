/* Supertypes, subtypes, packages and nests. */
#include "internal.h"

#include "race/cursor.h"

#include <stdlib.h>
#include <string.h>

/* ---- closing upwards ---- */

static int by_id(const void *a, const void *b) {
    uint32_t x = ((const class_id *)a)->v, y = ((const class_id *)b)->v;
    return x < y ? -1 : x > y;
}

static void add_all_interfaces(struct program *p, struct class_info *info) {
    bool is_interface = (info->access & CF_ACC_INTERFACE) != 0;
    const struct class_info *super = info->super.v ? program_peek(p, info->super) : NULL;
    if (info->n_interfaces == 0 && !is_interface) {
        /* The common case shares the superclass's list. */
        info->all_interfaces = super ? super->all_interfaces : NULL;
        info->n_all_interfaces = super ? super->n_all_interfaces : 0;
        return;
    }
    size_t n = (is_interface ? 1 : 0) + (super ? super->n_all_interfaces : 0);
    for (uint16_t i = 0; i < info->n_interfaces; i++)
        n += 1 + program_peek(p, info->interfaces[i])->n_all_interfaces;
    class_id *all = ARENA_NEW_N(&p->arena, n, class_id);
    n = 0;
    if (is_interface) all[n++] = info->id;
    if (super != NULL && super->n_all_interfaces > 0) {
        memcpy(all + n, super->all_interfaces, super->n_all_interfaces * sizeof *all);
        n += super->n_all_interfaces;
    }
    for (uint16_t i = 0; i < info->n_interfaces; i++) {
        const struct class_info *in = program_peek(p, info->interfaces[i]);
        all[n++] = in->id; /* phantoms are not in their own lists */
        for (uint32_t k = 0; k < in->n_all_interfaces; k++) all[n++] = in->all_interfaces[k];
    }
    qsort(all, n, sizeof *all, by_id);
    uint32_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || all[kept - 1].v != all[i].v) all[kept++] = all[i];
    info->all_interfaces = all;
    info->n_all_interfaces = kept;
}

/* The chain of supertypes by depth: x is a subclass of y iff y stands in x's chain at y's depth. */
static void add_superchain(struct program *p, struct class_info *info) {
    const struct class_info *super = info->super.v ? program_peek(p, info->super) : NULL;
    uint32_t n = super ? super->depth + 1 : 0;
    class_id *chain = ARENA_NEW_N(&p->arena, n + 1, class_id);
    if (super != NULL) memcpy(chain, super->superchain, n * sizeof *chain);
    chain[n] = info->id;
    info->superchain = chain;
    info->depth = n;
}

void program_close_upwards_(struct program *p, struct class_rec *rec) {
    struct class_info *info = &rec->info;
    add_superchain(p, info);
    add_all_interfaces(p, info);
    if (info->super.v != 0) vec_push(&program_rec(p, info->super)->subs, info->id);
    for (uint16_t i = 0; i < info->n_interfaces; i++)
        vec_push(&program_rec(p, info->interfaces[i])->subs, info->id);
}

/* ---- queries ---- */

/* A handful of entries in most classes, so binary search beats anything larger. */
static bool has_interface(const struct class_info *info, class_id want) {
    uint32_t lo = 0, hi = info->n_all_interfaces;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (info->all_interfaces[mid].v < want.v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < info->n_all_interfaces && info->all_interfaces[lo].v == want.v;
}

bool program_is_subtype(struct program *p, class_id sub, class_id super) {
    for (;;) {
        if (sub.v == super.v) return true;
        if (class_is_primitive(sub) || class_is_primitive(super)) return false;
        if (super.v == CLASS_OBJECT) return true;
        const struct class_info *a = program_info(p, sub), *b = program_info(p, super);
        if (a->component.v == 0 || b->component.v == 0) {
            if (b->depth <= a->depth && a->superchain[b->depth].v == super.v) return true;
            return has_interface(a, super);
        }
        sub = a->component; /* arrays are covariant, down to equal primitives */
        super = b->component;
    }
}

const class_id *program_subclasses(struct program *p, class_id c, uint32_t *n) {
    const struct class_rec *rec = program_rec(p, c);
    *n = (uint32_t)rec->subs.n;
    return rec->subs.v;
}

void program_each_below(struct program *p, class_id c, bool (*visit)(void *arg, class_id sub), void *arg) {
    VEC(class_id) queue = {0};
    /* Marks are kept here rather than in the class records, so that visitors may ask again. */
    size_t n_marks = p->classes.n;
    bool *seen = calloc(n_marks, sizeof *seen);
    if (seen == NULL) abort();
    vec_push(&queue, c);
    seen[c.v] = true;
    for (size_t i = 0; i < queue.n; i++) {
        class_id at = queue.v[i];
        if (!visit(arg, at)) break;
        const struct class_rec *rec = program_rec(p, at);
        for (size_t k = 0; k < rec->subs.n; k++) {
            class_id sub = rec->subs.v[k];
            if (sub.v >= n_marks || seen[sub.v]) continue; /* loaded by a visitor: not part of this walk */
            seen[sub.v] = true;
            vec_push(&queue, sub);
        }
    }
    free(seen);
    vec_release(&queue);
}

bool program_same_package(struct program *p, class_id a, class_id b) {
    return name_id_eq(program_peek(p, a)->package, program_peek(p, b)->package);
}

/* The NestMembers attribute of the claimed host must name the class (JVMS 5.4.4). */
static bool host_confirms(struct program *p, class_id host, class_id member) {
    const struct cf_class *cf = program_class_file(p, host);
    const struct cf_attr *attr = cf ? cf_attr_find(&cf->attrs, CF_ATTR_NEST_MEMBERS) : NULL;
    if (attr == NULL || !program_same_package(p, host, member)) return false;
    struct cursor c = cursor_make(cf->data, attr->offset + 6 + attr->length);
    c.pos = attr->offset + 6;
    for (uint16_t n = cursor_u2(&c); n > 0 && !c.failed; n--) {
        uint16_t index = cursor_u2(&c);
        if (cf_str_is(cf_class_name(cf, index), program_class_name(p, member))) return true;
    }
    return false;
}

static class_id nest_host(struct program *p, class_id c) {
    class_id claimed = program_info(p, c)->nest_host;
    if (claimed.v == c.v) return c;
    struct class_rec *rec = program_rec(p, c);
    if (rec->nest_checked == 0) rec->nest_checked = host_confirms(p, claimed, c) ? 1 : 2;
    return rec->nest_checked == 1 ? claimed : c;
}

bool program_same_nest(struct program *p, class_id a, class_id b) {
    return a.v == b.v || nest_host(p, a).v == nest_host(p, b).v;
}
