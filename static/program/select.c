/* Which method runs: overriding (JVMS 5.4.5) and selection (5.4.6, and 6.5 for invokespecial). */
#include "internal.h"

/* ---- 5.4.5 ---- */

/* The rule without its transitive clause. */
static bool overrides_directly(struct program *p, const struct method_info *sub,
                               const struct method_info *m) {
    if ((sub->access & (CF_ACC_PRIVATE | CF_ACC_STATIC)) || (m->access & (CF_ACC_PRIVATE | CF_ACC_STATIC)))
        return false;
    if (m->access & (CF_ACC_PUBLIC | CF_ACC_PROTECTED)) return true;
    return program_same_package(p, sub->owner, m->owner);
}

/*
 * Package-private methods can be overridden across packages in steps: C over B over A, where B is in A's
 * package and made the method public.  That is reachability along the superclass chain, so collect the
 * methods between the two, and see how far up one gets from `sub` by direct steps.
 */
static bool overrides_in_steps(struct program *p, method_id sub, method_id m) {
    const struct method_info *low = program_method(p, sub), *high = program_method(p, m);
    VEC(const struct method_info *) reached = {0};
    vec_push(&reached, low);
    bool found = false;
    class_id at = program_info(p, low->owner)->super;
    for (; at.v != 0 && at.v != high->owner.v && !found; at = program_info(p, at)->super) {
        method_id between = program_declared_method(p, at, high->name, high->desc);
        if (between.v == 0) continue;
        const struct method_info *mid = program_method(p, between);
        for (size_t i = 0; i < reached.n; i++) {
            if (!overrides_directly(p, reached.v[i], mid)) continue;
            found = overrides_directly(p, mid, high);
            vec_push(&reached, mid);
            break;
        }
    }
    vec_release(&reached);
    return found && at.v != 0;
}

bool program_overrides(struct program *p, method_id sub, method_id m) {
    const struct method_info *low = program_method(p, sub), *high = program_method(p, m);
    if (low->name.v != high->name.v || low->desc.v != high->desc.v) return false;
    if (overrides_directly(p, low, high)) return true;
    uint16_t visibility = high->access & (CF_ACC_PUBLIC | CF_ACC_PROTECTED | CF_ACC_PRIVATE);
    if (visibility != 0 || (high->access & CF_ACC_STATIC)) return false;
    return overrides_in_steps(p, sub, m);
}

/* ---- 5.4.6 ---- */

static method_id unless_abstract(struct program *p, method_id m) {
    if (m.v != 0 && (program_method(p, m)->access & CF_ACC_ABSTRACT)) return (method_id){0};
    return m;
}

static method_id select_method(struct program *p, class_id recv, method_id resolved) {
    const struct method_info *r = program_method(p, resolved);
    if (r->access & (CF_ACC_PRIVATE | CF_ACC_STATIC)) return resolved;
    for (class_id at = recv; at.v != 0; at = program_info(p, at)->super) {
        if (at.v == r->owner.v) return unless_abstract(p, resolved);
        method_id m = program_declared_method(p, at, r->name, r->desc);
        if (m.v == 0 || (program_method(p, m)->access & CF_ACC_STATIC)) continue;
        if (program_overrides(p, m, resolved)) return unless_abstract(p, m);
    }
    method_id any;
    return program_default_method_(p, recv, r->name, r->desc, &any);
}

method_id program_dispatch(struct program *p, class_id recv, method_id resolved) {
    if (recv.v == 0 || resolved.v == 0) return (method_id){0};
    uint64_t key = (uint64_t)recv.v << 32 | resolved.v;
    uint32_t known = map64_get(&p->dispatch, key, UINT32_MAX);
    if (known != UINT32_MAX) return (method_id){known};
    program_load_(p, recv);
    method_id m = select_method(p, recv, resolved);
    map64_put(&p->dispatch, key, m.v);
    return m;
}

/* ---- invokespecial ---- */

method_id program_dispatch_special(struct program *p, class_id caller, class_id named, method_id resolved) {
    if (resolved.v == 0) return resolved;
    const struct method_info *r = program_method(p, resolved);
    const struct class_info *from = program_info(p, caller), *start = program_info(p, named);
    bool is_interface = (start->access & CF_ACC_INTERFACE) != 0;
    bool is_init = program_str(p, r->name)[0] == '<';
    /* super.m() starts at the direct superclass, whatever class above it javac saw m in. */
    if (!is_init && !is_interface && caller.v != named.v && program_is_subtype(p, caller, named))
        start = program_info(p, from->super);
    for (class_id at = start->id; at.v != 0; at = program_info(p, at)->super) {
        method_id m = program_declared_method(p, at, r->name, r->desc);
        if (m.v == 0 || (program_method(p, m)->access & CF_ACC_STATIC)) continue;
        /* Above an interface stands Object, of which only the public methods count. */
        if (is_interface && at.v == CLASS_OBJECT && !(program_method(p, m)->access & CF_ACC_PUBLIC)) continue;
        return unless_abstract(p, m);
    }
    method_id any;
    return program_default_method_(p, start->id, r->name, r->desc, &any);
}
