#include "rewrite_calm.h"

#include "race/opcodes.h"
#include "race/classedit.h" /* cf_z */
#include "rewrite_world.h"

#include <string.h>

enum { DEPTH_MAX = 6, USES_MAX = 60 };

static bool constant_is_calm(const struct cf_class *cls, uint16_t index) {
    switch (cls->pool[index].tag) {
    case CF_INTEGER:
    case CF_FLOAT:
    case CF_LONG:
    case CF_DOUBLE:
    case CF_STRING: return true;
    default: return false; /* may load a class or run a bootstrap method */
    }
}

bool calm_in_jdk(const struct cf_member_ref *ref) {
    static const char *const owners[] = {"java/lang/Math",      "java/lang/StrictMath", "java/lang/Integer",
                                         "java/lang/Long",      "java/lang/Double",     "java/lang/Float",
                                         "java/lang/Character", "java/lang/Boolean"};
    if (cf_str_is(ref->owner, "java/lang/Object")) return cf_str_is(ref->name, "<init>");
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        if (!cf_str_is(ref->owner, owners[i])) continue;
        return memchr(ref->desc.p, 'L', ref->desc.n) == NULL; /* no user code behind an argument */
    }
    return false;
}

/* The first use of another class runs its initialiser; one of the method's own class comes too late for that.
 */
static bool is_own(const struct cf_class *cls, struct cf_str owner) {
    return cf_str_eq(owner, cf_class_name(cls, cls->this_class)) && !(cls->access & CF_ACC_INTERFACE);
}

static enum calm member_alone(const struct cf_class *cls, const struct cf_insn *in) {
    struct cf_member_ref ref = cf_member(cls, in->index);
    switch (in->op) {
    case CF_OP_GETFIELD:
    case CF_OP_PUTFIELD: return CALM_ASK_FIELD;
    case CF_OP_GETSTATIC:
    case CF_OP_PUTSTATIC: return is_own(cls, ref.owner) ? CALM_ASK_FIELD : CALM_NO;
    case CF_OP_INVOKESTATIC:
        if (calm_in_jdk(&ref)) return CALM_YES;
        return is_own(cls, ref.owner) ? CALM_ASK_METHOD : CALM_NO;
    case CF_OP_INVOKEVIRTUAL:
    case CF_OP_INVOKESPECIAL: return calm_in_jdk(&ref) ? CALM_YES : CALM_ASK_METHOD;
    default: return CALM_NO; /* invokeinterface, invokedynamic */
    }
}

enum calm calm_alone(const struct cf_class *cls, const struct cf_insn *in) {
    uint8_t op = in->op;
    if (op >= CF_OP_GETSTATIC && op <= CF_OP_INVOKEDYNAMIC) return member_alone(cls, in);
    if (op >= CF_OP_LDC && op <= CF_OP_LDC2_W) return constant_is_calm(cls, in->index) ? CALM_YES : CALM_NO;
    switch (op) {
    case CF_OP_NEW: return is_own(cls, cf_class_name(cls, in->index)) ? CALM_YES : CALM_NO;
    case CF_OP_ANEWARRAY:
    case CF_OP_MULTIANEWARRAY:
    case CF_OP_CHECKCAST:
    case CF_OP_INSTANCEOF:
    case CF_OP_MONITORENTER:
    case CF_OP_MONITOREXIT:
    case CF_OP_JSR:
    case CF_OP_JSR_W:
    case CF_OP_RET: return CALM_NO;
    default: return CALM_YES;
    }
}

bool calm_field(const struct rewrite_policy *policy, const struct cf_member_ref *ref) {
    enum world_field_kind kind = world_field(policy, ref->owner, ref->name);
    return kind == WORLD_PLAIN || kind == WORLD_FINAL || kind == WORLD_TWIN;
}

/* Looks into the method that a call runs; `left` is how many more uses may be looked at. */
static bool look_into(const struct rewrite_policy *policy, uint8_t op, const struct cf_member_ref *ref,
                      int depth, int *left) {
    bool exact;
    if (ref->owner.n == 0 || ref->owner.p[0] == '[') return false;
    const struct world_method *m = world_method(policy, ref->owner, ref->name, ref->desc, &exact);
    if (m == NULL || (op == CF_OP_INVOKEVIRTUAL && !exact)) return false;
    for (uint16_t i = 0; i < m->n_uses; i++) {
        const struct world_use *u = &m->uses[i];
        struct cf_member_ref used = {.owner = cf_z(u->owner), .name = cf_z(u->name), .desc = cf_z(u->desc)};
        if (depth == 0 || (*left)-- <= 0) return false;
        bool is_field = u->op >= CF_OP_GETSTATIC && u->op <= CF_OP_PUTFIELD;
        if (is_field ? !calm_field(policy, &used) : !look_into(policy, u->op, &used, depth - 1, left))
            return false;
    }
    return true;
}

bool calm_call(const struct rewrite_policy *policy, uint8_t op, const struct cf_member_ref *ref) {
    int left = USES_MAX;
    return look_into(policy, op, ref, DEPTH_MAX, &left);
}

bool calm_insn(const struct rewrite_policy *policy, const struct cf_class *cls, const struct cf_insn *in) {
    enum calm calm = calm_alone(cls, in);
    if (calm != CALM_ASK_FIELD && calm != CALM_ASK_METHOD) return calm == CALM_YES;
    struct cf_member_ref ref = cf_member(cls, in->index);
    return calm == CALM_ASK_FIELD ? calm_field(policy, &ref) : calm_call(policy, in->op, &ref);
}
