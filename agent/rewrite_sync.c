/* Monitors, volatile fields, synchronized methods and class initialisers. */
#include "rewrite_internal.h"

#include "race/opcodes.h"

/* --- Monitors ------------------------------------------------------------------------------------------ */

static struct cf_str lock_type(struct rw_method *m) {
    struct fs_type t = fs_peek(&m->walk.sim, 0);
    return t.tag == CF_V_OBJECT ? t.name : cf_z("java/lang/Object");
}

static bool is_kept_here(const struct rw_method *m, struct cf_str type) {
    return m->c->keeps_monitor && cf_str_eq(type, m->c->name);
}

/* Calls a hook of the monitor on top of the stack, with what the object refers to if its class says where. */
static void monitor_hook(struct rw_method *m, struct cf_asm *a, struct cf_str type, const char *hook,
                         uint32_t site) {
    bool kept = is_kept_here(m, type);
    if (kept) {
        cfa_op(a, CF_OP_DUP);
        cfa_const(
            a, CF_OP_GETFIELD,
            cfe_ref(&m->c->edit, CF_FIELDREF, m->c->name, cf_z("$raceLock"), cf_z("Ljava/lang/Object;")));
    }
    cfa_push_int(a, (int32_t)site);
    rw_hook(a, IN_LOCKS, hook, kept ? "(Ljava/lang/Object;Ljava/lang/Object;I)V" : "(Ljava/lang/Object;I)V");
}

/* Whether an exception here would be handled by the handler that we are in. */
static bool is_self_covered(const struct cf_code *code, uint32_t bci) {
    for (uint32_t i = 0; i < code->n_handlers; i++) {
        const struct cf_handler *h = &code->handlers[i];
        if (h->start <= h->handler && h->handler <= bci && bci < h->end) return true;
    }
    return false;
}

/*
 * Compilers make the handler that leaves a monitor guard itself.  C1 gives up on a call in such a handler, so
 * the hook's exceptions get a handler of their own, which goes on leaving the monitor.
 */
static void unlock_guarded(struct rw_method *m, struct cf_asm *a, uint16_t lock_local, uint32_t site) {
    struct cf_label start = cfe_label(m->out), end = cfe_label(m->out), go_on = cfe_label(m->out),
                    failed = cfe_label(m->out);
    cfa_bind(a, start);
    cfa_op(a, CF_OP_DUP);
    monitor_hook(m, a, lock_type(m), "unlock", site);
    cfa_bind(a, end);
    cfa_bind(a, go_on);
    struct cf_asm *tail = cfe_tail(m->out);
    cfa_bind(tail, failed);
    cfa_op(tail, CF_OP_POP);
    cfa_local(tail, CF_OP_ALOAD, lock_local);
    cfa_branch(tail, CF_OP_GOTO, go_on);
    cfe_add_inner_handler(m->out, start, end, failed);
}

static void leave_monitor(struct rw_method *m, uint32_t site) {
    uint32_t bci = m->walk.insn.bci;
    struct cf_asm *a = cfe_before(m->out, bci);
    struct rw_object o = rw_object_at(m, 0);
    if (o.from_local && m->walk.sim.now.depth == 1 && is_self_covered(m->m->code, bci)) {
        unlock_guarded(m, a, o.local, site);
        return;
    }
    cfa_op(a, CF_OP_DUP);
    monitor_hook(m, a, lock_type(m), "unlock", site);
}

void rw_monitor(struct rw_method *m) {
    bool enter = m->walk.insn.op == CF_OP_MONITORENTER;
    uint32_t bci = m->walk.insn.bci;
    if (!m->c->tracked || rw_jdk_is_join(m)) return;
    uint32_t site = rw_site(m, SITE_SYNC, lock_type(m), cf_z(""), !enter);
    if (enter) {
        struct cf_asm *before = cfe_before(m->out, bci), *after = cfe_after_guarded(m->out, bci);
        cfa_op(before, CF_OP_DUP);
        if (!is_kept_here(m, lock_type(m))) {
            cfa_op(before, CF_OP_DUP);
            rw_hook(before, IN_LOCKS, "preLock", "(Ljava/lang/Object;)V");
        }
        monitor_hook(m, after, lock_type(m), "lock", site);
    } else {
        leave_monitor(m, site);
    }
    cfe_need_stack(m->out, 4);
    rw_mark(m, RW_TICKS);
}

/* --- Volatile fields ----------------------------------------------------------------------------------- */

static bool is_wide(struct cf_str desc) {
    return desc.p[0] == 'J' || desc.p[0] == 'D';
}

/* Swaps the object below a value that was just read to the top. */
static void object_to_top(struct cf_asm *a, struct cf_str desc) {
    if (is_wide(desc)) {
        cfa_op(a, CF_OP_DUP2_X1);
        cfa_op(a, CF_OP_POP2);
    } else {
        cfa_op(a, CF_OP_SWAP);
    }
}

/* Behind the read: takes over what the field's last writer published. */
static void after_read(struct rw_method *m, const struct cf_member_ref *ref, const struct rw_object *o,
                       uint32_t site, bool late) {
    struct cf_asm *a = cfe_after(m->out, m->walk.insn.bci);
    if (!o->is_static && !o->from_local) {
        cfa_op(cfe_before(m->out, m->walk.insn.bci), CF_OP_DUP); /* a copy to find the word by */
        object_to_top(a, ref->desc);
    } else if (o->from_local || late) {
        rw_push_object(a, o);
    }
    if (late) {
        cfa_push_int(a, (int32_t)site);
        rw_hook(a, IN_ACCESS, o->is_static ? "lateAcquireStatic" : "lateAcquire",
                o->is_static ? "(Ljava/lang/Class;I)V" : "(Ljava/lang/Object;I)V");
    } else {
        char *name = arena_printf(&m->c->arena, "$v_%.*s", (int)ref->name.n, ref->name.p);
        if (name == NULL) return;
        cfa_const(a, o->is_static ? CF_OP_GETSTATIC : CF_OP_GETFIELD,
                  cfe_ref(&m->c->edit, CF_FIELDREF, ref->owner, cf_z(name), cf_z("J")));
        rw_hook(a, IN_CLOCKS, "acquire", "(J)V");
    }
    cfe_need_stack(m->out, 5);
}

/* Calls a hook with (object, site) while the value to be written stands on the stack. */
static void before_write(struct rw_method *m, struct cf_str desc, const struct rw_object *o, const char *cls,
                         const char *hook, const char *hook_desc, uint32_t site) {
    struct cf_asm *a = cfe_before(m->out, m->walk.insn.bci);
    uint8_t load, store;
    bool shuffle = !o->is_static && !o->from_local, wide = is_wide(desc);
    rw_local_of(desc.p[0], &load, &store);
    if (shuffle && wide) {
        cfa_local(a, store, rw_scratch(m, 2));
        cfa_op(a, CF_OP_DUP);
    } else if (shuffle) {
        cfa_op(a, CF_OP_DUP2);
        cfa_op(a, CF_OP_POP);
    } else {
        rw_push_object(a, o);
    }
    cfa_push_int(a, (int32_t)site);
    rw_hook(a, cls, hook, hook_desc);
    if (shuffle && wide) cfa_local(a, load, rw_scratch(m, 2));
    cfe_need_stack(m->out, 5);
}

/* By [static]: hooks and their parameters. */
static const char *const release_hook[] = {"releaseField", "releaseStatic"};
static const char *const late_read[] = {"lateRead", "lateReadStatic"};
static const char *const late_write[] = {"lateWrite", "lateWriteStatic"};
static const char *const late_release[] = {"lateRelease", "lateReleaseStatic"};
static const char *const object_site[] = {"(Ljava/lang/Object;I)V", "(Ljava/lang/Class;I)V"};

/*
 * A volatile access; or, if `late`, one of a field that nothing is known of yet: the hooks find out whether
 * it is plain, volatile or neither when they first run.
 */
void rw_volatile(struct rw_method *m, const struct cf_member_ref *ref, const struct rw_object *o, bool late,
                 bool check) {
    uint8_t op = m->walk.insn.op;
    bool is_write = op == CF_OP_PUTFIELD || op == CF_OP_PUTSTATIC;
    uint8_t kind = !late ? SITE_SYNC : o->is_static ? SITE_STATIC : SITE_INSTANCE;
    if (rw_jdk_skips_field(ref->owner, ref->name)) return;
    bool numbered = late || is_write; /* a volatile read needs no number */
    uint32_t site = numbered ? rw_site(m, kind, ref->owner, ref->name, is_write) : 0;
    if (site == 0 && numbered) return;
    m->n_checked += check;
    if (is_write) {
        const char *const *hook = !late ? release_hook : check ? late_write : late_release;
        before_write(m, ref->desc, o, late ? IN_ACCESS : IN_CLOCKS, hook[o->is_static],
                     object_site[o->is_static], site);
        rw_mark(m, RW_TICKS);
        return;
    }
    if (check) {
        struct cf_asm *a = cfe_before(m->out, m->walk.insn.bci);
        rw_push_object(a, o);
        cfa_push_int(a, (int32_t)site);
        rw_hook(a, IN_ACCESS, late_read[o->is_static], object_site[o->is_static]);
    }
    after_read(m, ref, o, site, late);
}

/* --- Whole methods ------------------------------------------------------------------------------------- */

static bool is_initialiser(const struct rw_method *m) {
    return cf_str_is(m->name, "<clinit>") && !m->c->policy->is_jdk;
}

static bool is_locked(const struct rw_method *m) {
    if (rw_jdk_is_join(m)) return false;
    return (m->m->access & CF_ACC_SYNCHRONIZED) && (!(m->m->access & CF_ACC_STATIC) || m->c->cls.major >= 49);
}

/* Calls a hook of a synchronized method's monitor: its class, or the object, which entry() keeps in a local
 * of its own. */
static void frame_hook(struct rw_method *m, struct cf_asm *a, const char *hook) {
    bool is_static = (m->m->access & CF_ACC_STATIC) != 0;
    if (is_static)
        cfa_ldc(a, m->c->cls.this_class);
    else
        cfa_local(a, CF_OP_ALOAD, m->monitor);
    monitor_hook(m, a, is_static ? cf_z("java/lang/Class") : m->c->name, hook, m->frame_site);
}

static uint32_t frame_site(struct rw_method *m) {
    m->walk.insn.bci = 0;
    return rw_site(m, SITE_SYNC, m->c->name, cf_z(""), false);
}

/* What a method does when it is left, by return or by exception. */
static void leave(struct rw_method *m, struct cf_asm *a) {
    if (is_initialiser(m)) {
        rw_hook(a, IN_THREADS, "clinitExit", "()V");
    } else if (rw_jdk_is_quiet(m)) {
        rw_hook(a, IN_THREADS, "quietExit", "()V");
    } else {
        frame_hook(m, a, "unlock");
    }
}

static void add_exit_handler(struct rw_method *m) {
    struct cf_asm *tail = cfe_tail(m->out);
    struct cf_label handler = cfe_label(m->out);
    cfa_bind(tail, handler);
    leave(m, tail);
    cfa_op(tail, CF_OP_ATHROW);
    cfe_add_handler(m->out, cfe_label_at(m->out, 0), cfe_label_at(m->out, m->m->code->length), handler, 0,
                    false);
    cfe_need_stack(m->out, 4);
}

void rw_method_frame(struct rw_method *m) {
    m->framed = m->c->tracked && (is_initialiser(m) || rw_jdk_is_quiet(m) || is_locked(m));
    rw_jdk_entry(m);
    rw_test_entry(m);
    rw_boundary(m);
    if (!m->framed) return;
    struct cf_asm *a = cfe_entry(m->out);
    if (is_initialiser(m)) {
        rw_hook(a, IN_THREADS, "clinitEnter", "()V");
    } else if (rw_jdk_is_quiet(m)) {
        rw_hook(a, IN_THREADS, "quietEnter", "()V");
    } else {
        if (m->frame_site == 0) {
            m->frame_site = frame_site(m);
            m->sites[0] = 0; /* the first instruction may have a site of its own */
        }
        if (!(m->m->access & CF_ACC_STATIC)) {
            m->monitor = cfe_add_typed_local(m->out, (struct cf_vtype){CF_V_OBJECT, m->c->cls.this_class});
            cfa_local(a, CF_OP_ALOAD, 0);
            cfa_local(a, CF_OP_ASTORE, m->monitor);
        }
        frame_hook(m, a, "lock");
    }
    add_exit_handler(m);
}

void rw_return(struct rw_method *m) {
    rw_jdk_return(m);
    if (m->framed) leave(m, cfe_before(m->out, m->walk.insn.bci));
}
