/*
 * Calls that are more than calls: waiting, cloning, VarHandle and Unsafe operations, fences, array copies,
 * and the JDK's unsynchronised containers.
 *
 * A hook that needs operands from below the top of the stack has them spilled into scratch locals; they stay
 * there for the hook behind the call.
 */
#include "rewrite_internal.h"

#include "race/opcodes.h"

enum { MAX_ARGS = 255, FAR = 100 };

struct spill {
    unsigned n;
    uint16_t at[MAX_ARGS];
    char kind[MAX_ARGS];
};

/* --- Operands ------------------------------------------------------------------------------------------ */

/* Kinds of the parameters, and a scratch local for each. */
static void plan_spill(struct rw_method *m, struct cf_str desc, unsigned extra, struct spill *s) {
    uint16_t at = rw_scratch(m, cf_desc_arg_words(desc) + extra);
    s->n = 0;
    for (uint32_t i = 1; i < desc.n && desc.p[i] != ')' && s->n < MAX_ARGS; i++) {
        char kind = desc.p[i];
        s->kind[s->n] = kind;
        s->at[s->n++] = at;
        at = (uint16_t)(at + (kind == 'J' || kind == 'D' ? 2 : 1));
        while (i < desc.n && desc.p[i] == '[') i++;
        if (i < desc.n && desc.p[i] == 'L')
            while (i < desc.n && desc.p[i] != ';') i++;
    }
}

static void store_args(struct cf_asm *a, const struct spill *s) {
    uint8_t load, store;
    for (unsigned i = s->n; i-- > 0;) {
        rw_local_of(s->kind[i], &load, &store);
        cfa_local(a, store, s->at[i]);
    }
}

static void load_arg(struct cf_asm *a, const struct spill *s, unsigned i) {
    uint8_t load, store;
    rw_local_of(s->kind[i], &load, &store);
    cfa_local(a, load, s->at[i]);
}

static void load_args(struct cf_asm *a, const struct spill *s) {
    for (unsigned i = 0; i < s->n; i++) load_arg(a, s, i);
}

/* --- Memory effects by name ---------------------------------------------------------------------------- */

static bool starts(struct cf_str s, const char *z) {
    size_t n = strlen(z);
    return s.n >= n && memcmp(s.p, z, n) == 0;
}

static bool ends(struct cf_str s, const char *z) {
    size_t n = strlen(z);
    return s.n >= n && memcmp(s.p + s.n - n, z, n) == 0;
}

static bool is_update(struct cf_str name) {
    return starts(name, "compareAnd") || starts(name, "weakCompareAnd") || starts(name, "getAnd");
}

/* VarHandle and Unsafe name their access modes alike: the mode ends the name, and without one it is the
   strongest for updates and plain for the rest. */
static int effect_of(struct cf_str name) {
    if (is_update(name)) {
        if (ends(name, "Plain")) return 0;
        if (ends(name, "Acquire")) return EFFECT_ACQUIRE | EFFECT_UPDATE;
        if (ends(name, "Release")) return EFFECT_RELEASE | EFFECT_UPDATE;
        return EFFECT_ACQUIRE | EFFECT_RELEASE | EFFECT_UPDATE;
    }
    if (ends(name, "Opaque")) return 0;
    if (starts(name, "get"))
        return ends(name, "Volatile") || ends(name, "Acquire") ? EFFECT_ACQUIRE : EFFECT_PLAIN_READ;
    if (starts(name, "putOrdered")) return EFFECT_RELEASE;
    if (starts(name, "set") || starts(name, "put"))
        return ends(name, "Volatile") || ends(name, "Release") ? EFFECT_RELEASE : EFFECT_PLAIN_WRITE;
    return 0;
}

/* Plain modes are accesses: only where accesses are checked. */
static int wanted_effect(const struct rw_method *m, struct cf_str name) {
    int effect = effect_of(name);
    if (effect == EFFECT_PLAIN_WRITE && rw_jdk_stores_release(m->c)) return EFFECT_RELEASE;
    bool plain = (effect & (EFFECT_PLAIN_READ | EFFECT_PLAIN_WRITE)) != 0;
    return plain && m->level >= RW_SYNC ? 0 : effect;
}

static unsigned value_count(struct cf_str name) {
    if (starts(name, "compareAnd") || starts(name, "weakCompareAnd")) return 2;
    return starts(name, "set") || starts(name, "getAnd") ? 1 : 0;
}

/* --- VarHandle and Unsafe ------------------------------------------------------------------------------ */

struct handle_call {
    struct spill args;
    uint16_t handle;
    unsigned n_coordinates;
    int effect;
    uint32_t site;
};

static void handle_hook(struct cf_asm *a, const struct handle_call *h, const char *hook) {
    bool has_base = h->n_coordinates > 0 && (h->args.kind[0] == 'L' || h->args.kind[0] == '[');
    cfa_local(a, CF_OP_ALOAD, h->handle);
    if (has_base)
        load_arg(a, &h->args, 0);
    else
        cfa_op(a, CF_OP_ACONST_NULL);
    if (h->n_coordinates == 2 && h->args.kind[1] == 'I')
        load_arg(a, &h->args, 1);
    else
        cfa_push_int(a, -1);
    cfa_push_int(a, h->effect);
    cfa_push_int(a, (int32_t)h->site);
    rw_hook(a, IN_HOOKS, hook, "(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;III)V");
}

static void var_handle(struct rw_method *m, const struct cf_member_ref *ref) {
    struct handle_call h = {.effect = wanted_effect(m, ref->name)};
    if (h.effect == 0) return;
    plan_spill(m, ref->desc, 1, &h.args);
    unsigned values = value_count(ref->name);
    if (h.args.n < values) return; /* not an access mode after all */
    h.n_coordinates = h.args.n - values;
    h.handle = (uint16_t)(m->scratch + cf_desc_arg_words(ref->desc));
    h.site = rw_site(m, SITE_SYNC, ref->owner, ref->name, (h.effect & EFFECT_RELEASE) != 0);
    struct cf_asm *before = cfe_before(m->out, m->walk.insn.bci);
    store_args(before, &h.args);
    cfa_local(before, CF_OP_ASTORE, h.handle);
    if (h.effect != EFFECT_ACQUIRE) handle_hook(before, &h, "handleBefore");
    cfa_local(before, CF_OP_ALOAD, h.handle);
    load_args(before, &h.args);
    if (h.effect & EFFECT_ACQUIRE) handle_hook(cfe_after(m->out, m->walk.insn.bci), &h, "handleAfter");
    cfe_need_stack(m->out, 7);
}

static void unsafe_hook(struct cf_asm *a, const struct spill *s, int effect, uint32_t site,
                        const char *hook) {
    load_arg(a, s, 0);
    load_arg(a, s, 1);
    cfa_push_int(a, effect);
    cfa_push_int(a, (int32_t)site);
    rw_hook(a, IN_HOOKS, hook, "(Ljava/lang/Object;JII)V");
}

static void unsafe(struct rw_method *m, const struct cf_member_ref *ref) {
    int effect = wanted_effect(m, ref->name);
    if (effect == 0 || !starts(ref->desc, "(Ljava/lang/Object;J")) return;
    struct spill s;
    plan_spill(m, ref->desc, 0, &s);
    uint32_t site = rw_site(m, SITE_SYNC, ref->owner, ref->name, (effect & EFFECT_RELEASE) != 0);
    struct cf_asm *before = cfe_before(m->out, m->walk.insn.bci);
    store_args(before, &s);
    if (effect != EFFECT_ACQUIRE) unsafe_hook(before, &s, effect, site, "unsafeBefore");
    load_args(before, &s);
    if (effect & EFFECT_ACQUIRE)
        unsafe_hook(cfe_after(m->out, m->walk.insn.bci), &s, effect, site, "unsafeAfter");
    cfe_need_stack(m->out, 7);
}

/* Fences of the program; those of the JDK stand beside volatile accesses of its own. */
static bool is_fence(struct rw_method *m, const struct cf_member_ref *ref) {
    if (m->c->policy->is_jdk || !ends(ref->name, "Fence") || !cf_str_is(ref->desc, "()V")) return false;
    return cf_str_is(ref->owner, "java/lang/invoke/VarHandle") || cf_str_is(ref->owner, "sun/misc/Unsafe") ||
           cf_str_is(ref->owner, "jdk/internal/misc/Unsafe");
}

/* A method handle that stands for an operation of a VarHandle. */
static bool makes_handle(const struct cf_member_ref *ref) {
    if (cf_str_is(ref->owner, "java/lang/invoke/VarHandle")) return cf_str_is(ref->name, "toMethodHandle");
    return cf_str_is(ref->owner, "java/lang/invoke/MethodHandles") &&
           (cf_str_is(ref->name, "varHandleInvoker") || cf_str_is(ref->name, "varHandleExactInvoker"));
}

/* What a method handle does cannot be told at its call: once there is one as above, each may be one. */
static void method_handle(struct rw_method *m) {
    rw_hook(cfe_before(m->out, m->walk.insn.bci), IN_CLOCKS, "handleCall", "()V");
    rw_hook(cfe_after(m->out, m->walk.insn.bci), IN_CLOCKS, "handleCall", "()V");
}

/* --- Object.wait, clone, System.arraycopy --------------------------------------------------------------- */

static void wait_call(struct rw_method *m, const struct cf_member_ref *ref) {
    char *desc = arena_printf(&m->c->arena, "(Ljava/lang/Object;%.*s", (int)ref->desc.n - 1, ref->desc.p + 1);
    if (desc != NULL)
        rw_hook(cfe_replace(m->out, m->walk.insn.bci), IN_LOCKS, rw_jdk_is_join(m) ? "waitFor" : "waitOn",
                desc);
}

static bool is_wait(const struct cf_member_ref *ref, uint8_t op) {
    if (op == CF_OP_INVOKESTATIC || !cf_str_is(ref->name, "wait")) return false;
    return cf_str_is(ref->desc, "()V") || cf_str_is(ref->desc, "(J)V") || cf_str_is(ref->desc, "(JI)V");
}

static void clone_call(struct rw_method *m) {
    struct cf_asm *a = cfe_after(m->out, m->walk.insn.bci);
    cfa_op(a, CF_OP_DUP);
    rw_hook(a, IN_HOOKS, "cloned", "(Ljava/lang/Object;)V");
    cfe_need_stack(m->out, 1);
}

static void array_clone(struct rw_method *m, struct cf_str type) {
    uint32_t site = rw_site(m, SITE_ARRAY, cf_z(""), (struct cf_str){type.p + 1, type.n - 1}, false);
    if (site == 0) return;
    struct cf_asm *a = cfe_before(m->out, m->walk.insn.bci);
    cfa_op(a, CF_OP_DUP);
    cfa_push_int(a, (int32_t)site);
    rw_hook(a, IN_ELEMENTS, "readWhole", "(Ljava/lang/Object;I)V");
    cfe_need_stack(m->out, 2);
    m->n_checked++;
}

static void array_copy(struct rw_method *m, const struct cf_member_ref *ref) {
    struct spill s;
    uint32_t site = rw_site(m, SITE_ARRAY, cf_z(""), cf_z("Ljava/lang/Object;"), true);
    if (site == 0) return;
    plan_spill(m, ref->desc, 0, &s);
    struct cf_asm *a = cfe_before(m->out, m->walk.insn.bci);
    store_args(a, &s);
    load_args(a, &s);
    cfa_push_int(a, (int32_t)site);
    rw_hook(a, IN_ELEMENTS, "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;III)V");
    load_args(a, &s);
    cfe_need_stack(m->out, 2);
    m->n_checked++;
}

/* --- Containers ---------------------------------------------------------------------------------------- */

/* A new object, or the result of a call on one, belongs to this thread; so does one that never leaves its
   local. */
static bool is_own(struct rw_method *m, unsigned slot) {
    struct rw_object o = rw_object_at(m, slot);
    return o.from_local ? !m->escapes[o.local] : fs_peek(&m->walk.sim, slot).origin == FS_FRESH;
}

/* Temporary string builders are most of all calls on containers. */
static bool is_temporary(struct rw_method *m, const struct cf_member_ref *ref, unsigned slot) {
    if (!cf_str_is(ref->owner, "java/lang/StringBuilder")) return false;
    return !rw_object_at(m, slot).from_local && fs_peek(&m->walk.sim, slot).origin != FS_HEAP;
}

/* Leaves out what need not be looked at; false if nothing is left. */
static bool narrow(struct rw_method *m, const struct cf_member_ref *ref, const struct spill *s,
                   struct cc_touched *t) {
    unsigned words = cf_desc_arg_words(ref->desc);
    if (t->receiver != CC_NONE && (is_own(m, words) || is_temporary(m, ref, words))) t->receiver = CC_NONE;
    for (unsigned i = 0; i < s->n && i < 8; i++) {
        unsigned above = (unsigned)(s->at[i] - s->at[0]) + 1;
        if (!is_own(m, words - above)) continue;
        t->reads = (uint8_t)(t->reads & ~(1u << i));
        t->writes = (uint8_t)(t->writes & ~(1u << i));
    }
    return t->receiver != CC_NONE || t->reads != 0 || t->writes != 0;
}

static void container_hook(struct cf_asm *a, enum cc_use use, uint32_t site) {
    cfa_push_int(a, (int32_t)use);
    cfa_push_int(a, (int32_t)site);
    rw_hook(a, IN_CONTAINERS, "access", "(Ljava/lang/Object;II)V");
}

/* The arguments are in their scratch locals. */
static void argument_hooks(struct cf_asm *a, const struct spill *s, const struct cc_touched *t,
                           const struct rw_object *receiver, uint32_t site) {
    for (unsigned i = 0; i < s->n && i < 8; i++) {
        if (((t->reads | t->writes) >> i & 1) == 0) continue;
        if (t->bulk) {
            rw_push_object(a, receiver);
            load_arg(a, s, i);
            cfa_push_int(a, (int32_t)site);
            rw_hook(a, IN_CONTAINERS, "bulk", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
            continue;
        }
        load_arg(a, s, i);
        container_hook(a, t->writes >> i & 1 ? CC_WRITE : CC_READ, site);
    }
}

static void container(struct rw_method *m, const struct cf_member_ref *ref, struct cc_touched t) {
    struct spill s;
    plan_spill(m, ref->desc, 0, &s);
    if (!narrow(m, ref, &s, &t)) return;
    struct rw_object o = {0};
    if (t.receiver != CC_NONE || t.bulk) o = rw_object_at(m, cf_desc_arg_words(ref->desc));
    bool is_write = t.receiver == CC_WRITE || t.writes != 0;
    uint32_t site = rw_site(m, SITE_CONTAINER, ref->owner, ref->name, is_write);
    if (site == 0) return;
    struct cf_asm *a = cfe_before(m->out, m->walk.insn.bci);
    if (o.from_local && t.reads == 0 && t.writes == 0) s.n = 0; /* nothing is below the top */
    store_args(a, &s);
    argument_hooks(a, &s, &t, &o, site);
    if (t.receiver != CC_NONE) {
        rw_push_object(a, &o);
        container_hook(a, t.receiver, site);
    }
    load_args(a, &s);
    cfe_need_stack(m->out, 4);
    m->n_checked++;
}

/*
 * Inside the synchronized wrappers of java.util.Collections: the lock is held now, so the access that the
 * program asked for is made here; its site was noted when it called the wrapper.
 */
static void wrapped(struct rw_method *m, const struct cf_member_ref *ref) {
    struct cc_touched t = cc_call(m->walk.insn.op, ref);
    if (t.receiver == CC_NONE || t.receiver == CC_ITERATE) return;
    struct spill s;
    plan_spill(m, ref->desc, 0, &s);
    struct cf_asm *a = cfe_before(m->out, m->walk.insn.bci);
    store_args(a, &s);
    cfa_op(a, CF_OP_DUP);
    cfa_local(a, CF_OP_ALOAD, 0);
    cfa_push_int(a, (int32_t)t.receiver);
    rw_hook(a, IN_CONTAINERS, "wrapped", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
    load_args(a, &s);
    cfe_need_stack(m->out, 3);
}

static bool wants_container(struct rw_method *m) {
    const struct rewrite_policy *p = m->c->policy;
    if (m->level >= RW_SYNC || p->is_jdk || p->fields_only) return false;
    m->c->counts->accesses += !m->again;
    return p->wants_site == NULL || p->wants_site(p->ctx, m->name, m->desc, m->walk.insn.bci);
}

/* A call that names a class of the program is one of the class of the JDK that this is made of, if any. */
static struct cf_str container_owner(struct rw_method *m, const struct cf_member_ref *ref) {
    struct cf_str owner = ref->owner;
    if (owner.n == 0 || owner.p[0] == '[' || !cc_is_use(ref->name)) return owner;
    for (int far = 0; far < FAR && !cc_is_named(owner) && !m->c->policy->jdk_class(m->c->policy->ctx, owner);
         far++) {
        const struct world_class *w = world_class(m->c->policy, owner);
        if (w == NULL || w->super[0] == '\0') break;
        owner = cf_z(w->super);
    }
    return owner;
}

static void container_call(struct rw_method *m, const struct cf_member_ref *given) {
    if (m->c->policy->is_jdk) return;
    struct cf_member_ref call = *given, *ref = &call;
    call.owner = container_owner(m, given);
    struct cc_touched t = cc_call(m->walk.insn.op, ref);
    if (t.receiver == CC_NONE && t.reads == 0 && t.writes == 0) return;
    if (wants_container(m)) container(m, ref, t);
}

/* --- All calls ----------------------------------------------------------------------------------------- */

static void special_call(struct rw_method *m, const struct cf_member_ref *ref) {
    uint8_t op = m->walk.insn.op;
    if (is_wait(ref, op)) {
        wait_call(m, ref);
    } else if (op == CF_OP_INVOKESTATIC && cf_str_is(ref->owner, "java/lang/Thread") &&
               cf_str_is(ref->name, "sleep") &&
               (cf_str_is(ref->desc, "(J)V") || cf_str_is(ref->desc, "(JI)V"))) {
        rw_hook(cfe_replace(m->out, m->walk.insn.bci), IN_THREADS, "sleep",
                ref->desc.n == 4 ? "(J)V" : "(JI)V");
    } else if (op == CF_OP_INVOKESPECIAL && cf_str_is(ref->name, "clone") &&
               cf_str_is(ref->desc, "()Ljava/lang/Object;")) {
        clone_call(m);
    } else if (ref->owner.n > 1 && ref->owner.p[0] == '[' && cf_str_is(ref->name, "clone")) {
        if (wants_container(m)) array_clone(m, ref->owner);
    } else if (is_fence(m, ref)) {
        rw_hook(cfe_after(m->out, m->walk.insn.bci), IN_CLOCKS, "fence", "()V");
    } else if (!m->c->policy->is_jdk && makes_handle(ref)) {
        rw_hook(cfe_after(m->out, m->walk.insn.bci), IN_CLOCKS, "handleMade", "()V");
    } else if (!m->c->policy->is_jdk && cf_str_is(ref->owner, "java/lang/invoke/MethodHandle") &&
               starts(ref->name, "invoke")) {
        method_handle(m);
    } else if (op == CF_OP_INVOKEVIRTUAL && cf_str_is(ref->owner, "java/lang/invoke/VarHandle")) {
        var_handle(m, ref);
    } else if (op == CF_OP_INVOKEVIRTUAL && (cf_str_is(ref->owner, "jdk/internal/misc/Unsafe") ||
                                             cf_str_is(ref->owner, "sun/misc/Unsafe"))) {
        unsafe(m, ref);
    } else if (op == CF_OP_INVOKESTATIC && cf_str_is(ref->owner, "java/lang/System") &&
               cf_str_is(ref->name, "arraycopy")) {
        if (wants_container(m)) array_copy(m, ref);
    } else if (op == CF_OP_INVOKEINTERFACE && starts(m->c->name, "java/util/Collections$Synchronized")) {
        wrapped(m, ref);
    } else {
        container_call(m, ref);
    }
}

void rw_call(struct rw_method *m) {
    struct cf_member_ref ref = cf_member(&m->c->cls, m->walk.insn.index);
    if (m->walk.insn.op == CF_OP_INVOKEDYNAMIC) {
        container_call(m, &ref);
    } else {
        if (m->c->tracked && !rw_jdk_skips_method(m->c, m->name)) special_call(m, &ref);
        if (m->c->policy->is_jdk) rw_jdk_call(m, &ref);
    }
    if (!m->has_epoch) return;
    if (!calm_insn(m->c->policy, &m->c->cls, &m->walk.insn)) rw_mark(m, RW_TICKS);
}
