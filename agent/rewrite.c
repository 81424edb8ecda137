/*
 * The rewriter's frame: which classes and methods, how much of each, and the tools the other parts share.
 *
 * A method is walked once, with the types before every instruction at hand.  Each part inserts what belongs
 * to its instructions; only when the whole method is known are the resets of the epoch local put behind the
 * instructions that may open a new epoch, and only where a check follows.  If the result passes the size that
 * HotSpot compiles (8000 bytes) or the format allows, the method is done again at the next lower level.
 */
#include "rewrite_internal.h"

#include "race/opcodes.h"

#include <stdio.h>
#include <stdlib.h>

enum { HUGE_METHOD = 8000, MAX_CODE = 65535 };

/* Fields that the words are kept in: public so that every user of the field can reach them, not serialised.
 */
enum { WORD_ACCESS = CF_ACC_PUBLIC | CF_ACC_TRANSIENT | CF_ACC_SYNTHETIC };

const char *rewrite_outcome_name(enum rewrite_outcome outcome) {
    switch (outcome) {
    case REWRITE_DONE: return "rewritten";
    case REWRITE_UNCHANGED: return "nothing to do";
    case REWRITE_MALFORMED: return "malformed class file";
    case REWRITE_NO_MEMORY: return "out of memory";
    case REWRITE_POOL_FULL: return "constant pool full";
    case REWRITE_OLD_FORMAT: return "class file version too old";
    default: return "internal error";
    }
}

/* --- Tools --------------------------------------------------------------------------------------------- */

char *rw_z(struct rw_class *c, struct cf_str s) {
    char *z = arena_alloc(&c->arena, s.n + 1u);
    if (z != NULL) memcpy(z, s.p, s.n);
    return z;
}

static bool has_final_reference(const struct cf_class *cls) {
    for (uint32_t i = 0; i < cls->n_fields; i++) {
        char kind = cf_utf8(cls, cls->fields[i].desc).p[0];
        if ((cls->fields[i].access & CF_ACC_FINAL) && (kind == 'L' || kind == '[')) return true;
    }
    return false;
}

/* What reports name: the place in the class that was analysed. */
static uint32_t original_bci(const struct rw_method *m, uint32_t bci) {
    const struct rewrite_policy *p = m->c->policy;
    return p->original_bci != NULL ? p->original_bci(p->ctx, m->name, m->desc, bci) : bci;
}

uint32_t rw_site(struct rw_method *m, uint8_t kind, struct cf_str owner, struct cf_str field, bool is_write) {
    uint32_t bci = m->walk.insn.bci;
    if (m->sites[bci] != 0) return m->sites[bci];
    struct site s = {.class_name = m->c->name_z,
                     .method = m->name_z,
                     .desc = m->desc_z,
                     .file = m->c->file_z,
                     .owner = rw_z(m->c, owner),
                     .field = rw_z(m->c, field),
                     .line = cf_line_at(m->m->code, bci),
                     .bci = (int32_t)original_bci(m, bci),
                     .kind = kind,
                     .is_write = is_write,
                     .freezes = cf_str_is(m->name, "<init>") && has_final_reference(&m->c->cls)};
    if (s.owner == NULL || s.field == NULL) return 0;
    uint32_t id = sites_add(&s);
    m->sites[bci] = id;
    if (id == 0)
        m->c->counts->site_overflow++;
    else if (kind != SITE_SYNC && m->c->policy->site_added != NULL)
        m->c->policy->site_added(m->c->policy->ctx, m->name, m->desc, bci, id);
    return id;
}

void rw_hook(struct cf_asm *a, const char *cls, const char *name, const char *desc) {
    cfa_invoke(a, CF_OP_INVOKESTATIC, cls, name, desc);
}

void rw_push_object(struct cf_asm *a, const struct rw_object *o) {
    if (o->is_static)
        cfa_ldc(a, o->cls);
    else if (o->from_local)
        cfa_local(a, CF_OP_ALOAD, o->local);
    else
        cfa_op(a, CF_OP_DUP);
}

struct rw_object rw_object_at(struct rw_method *m, unsigned slot) {
    struct fs_type t = fs_peek(&m->walk.sim, slot);
    struct rw_object o = {0};
    if (!m->walk.sim.now.live || m->walk.sim.failed || t.from == 0) return o;
    o.from_local = true;
    o.local = (uint16_t)(t.from - 1);
    o.not_null = o.local == 0 && m->this_fixed;
    return o;
}

uint16_t rw_scratch(struct rw_method *m, unsigned slots) {
    if (slots <= m->scratch_slots) return m->scratch;
    bool is_last = m->scratch + m->scratch_slots == m->out->max_locals;
    if (m->scratch_slots > 0 && is_last)
        cfe_add_local(m->out, slots - m->scratch_slots); /* grows in place */
    else
        m->scratch = cfe_add_local(m->out, slots);
    m->scratch_slots = (uint16_t)slots;
    return m->scratch;
}

void rw_mark(struct rw_method *m, uint8_t mark) {
    m->marks[m->walk.insn.bci] |= mark;
}

void rw_local_of(char kind, uint8_t *load, uint8_t *store) {
    switch (kind) {
    case 'J': *load = CF_OP_LLOAD, *store = CF_OP_LSTORE; break;
    case 'F': *load = CF_OP_FLOAD, *store = CF_OP_FSTORE; break;
    case 'D': *load = CF_OP_DLOAD, *store = CF_OP_DSTORE; break;
    case 'L':
    case '[': *load = CF_OP_ALOAD, *store = CF_OP_ASTORE; break;
    default: *load = CF_OP_ILOAD, *store = CF_OP_ISTORE; break;
    }
}

bool rw_is_jump(uint8_t op) {
    uint8_t f = cf_opcodes[op].format;
    return f == CF_F_BRANCH || f == CF_F_BRANCH_W;
}

bool rw_is_switch(uint8_t op) {
    return op == CF_OP_TABLESWITCH || op == CF_OP_LOOKUPSWITCH;
}

bool rw_falls_through(uint8_t op) {
    return op != CF_OP_GOTO && op != CF_OP_GOTO_W && op != CF_OP_ATHROW && !rw_is_switch(op) &&
           !(op >= CF_OP_IRETURN && op <= CF_OP_RETURN) && op != CF_OP_RET;
}

/* --- The epoch local ----------------------------------------------------------------------------------- */

static void forget_epoch(struct cf_asm *a, uint16_t local) {
    cfa_op(a, CF_OP_ICONST_M1);
    cfa_op(a, CF_OP_I2L);
    cfa_local(a, CF_OP_LSTORE, local);
}

/*
 * Puts a reset behind each instruction that may open a new epoch, if a check may follow before the next
 * reset. Walked backwards; behind a jump anything may follow.
 */
static void place_resets(struct rw_method *m, const uint32_t *bcis, uint32_t n) {
    bool check_follows = false;
    for (uint32_t i = n; i-- > 0;) {
        uint32_t bci = bcis[i];
        struct cf_insn in = cf_insn_decode(m->m->code, bci);
        if (in.op == CF_OP_ATHROW || (in.op >= CF_OP_IRETURN && in.op <= CF_OP_RETURN))
            check_follows = in.op == CF_OP_ATHROW && m->m->code->n_handlers > 0;
        else if (rw_is_jump(in.op) || rw_is_switch(in.op) || in.op == CF_OP_RET)
            check_follows = true;
        if (m->marks[bci] & RW_TICKS) {
            if (check_follows) forget_epoch(cfe_after(m->out, bci), m->epoch);
            check_follows = false;
        }
        if (m->marks[bci] & RW_CHECKED) check_follows = true;
    }
}

/* A call that throws may have opened a new epoch just as well. */
static void reset_in_handlers(struct rw_method *m) {
    const struct cf_code *code = m->m->code;
    for (uint32_t i = 0; i < code->n_handlers; i++) {
        uint16_t at = code->handlers[i].handler;
        if (m->marks[at] & RW_RESET) continue;
        m->marks[at] |= RW_RESET;
        forget_epoch(cfe_before(m->out, at), m->epoch);
    }
}

/* --- One method ---------------------------------------------------------------------------------------- */

static bool stores_local_0(const struct cf_code *code) {
    for (uint32_t bci = 0; bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        uint8_t f = cf_opcodes[in.op].format;
        bool is_store = in.op >= CF_OP_ISTORE && in.op <= CF_OP_ASTORE_3;
        if (is_store && (f == CF_F_LOCAL || f == CF_F_LOCAL_N) && in.index == 0) return true;
        bci += in.length;
    }
    return false;
}

/* Marks what lies between the target of a backward jump and the jump. */
static void find_loops(struct rw_method *m) {
    const struct cf_code *code = m->m->code;
    m->loops = ARENA_NEW_N(&m->c->arena, code->length + 1, uint8_t);
    for (uint32_t bci = 0; m->loops != NULL && bci < code->length;) {
        struct cf_insn in = cf_insn_decode(code, bci);
        if (rw_is_jump(in.op) && in.target <= (int32_t)bci && !(m->loops[in.target] && m->loops[bci]))
            memset(m->loops + in.target, 1, bci - (uint32_t)in.target + 1);
        bci += in.length;
    }
}

static void instruction(struct rw_method *m) {
    uint8_t op = m->walk.insn.op;
    if (op >= CF_OP_GETSTATIC && op <= CF_OP_PUTFIELD)
        rw_field(m);
    else if (op >= CF_OP_INVOKEVIRTUAL && op <= CF_OP_INVOKEDYNAMIC)
        rw_call(m);
    else if (op == CF_OP_AASTORE && rw_jdk_stores_release(m->c))
        rw_jdk_store_task(m);
    else if ((op >= CF_OP_IALOAD && op <= CF_OP_SALOAD) || (op >= CF_OP_IASTORE && op <= CF_OP_SASTORE))
        rw_array(m);
    else if (op == CF_OP_MONITORENTER || op == CF_OP_MONITOREXIT)
        rw_monitor(m);
    else if (op >= CF_OP_IRETURN && op <= CF_OP_RETURN)
        rw_return(m);
}

/* True unless memory is short. */
static bool attempt(struct rw_method *m, enum rw_level level) {
    struct rw_class *c = m->c;
    const struct cf_code *code = m->m->code;
    cfe_clear_code(m->out);
    m->level = level;
    m->n_checked = 0;
    m->scratch = m->scratch_slots = 0;
    m->n_caches = 0;
    m->n_keys = 0;
    if (m->loops == NULL) find_loops(m);
    m->marks = ARENA_NEW_N(&c->arena, code->length + 1, uint8_t);
    uint32_t *bcis = ARENA_NEW_N(&c->arena, code->length + 1, uint32_t), n = 0;
    if (m->marks == NULL || bcis == NULL || m->loops == NULL) return false;
    m->has_epoch = level == RW_INLINE;
    if (m->has_epoch) m->epoch = cfe_add_typed_local(m->out, (struct cf_vtype){CF_V_LONG, 0});
    rw_method_frame(m);
    if (level < RW_SYNC && m->escapes == NULL && !rw_find_escapes(m)) return false;
    m->cover = NULL;
    if (level == RW_INLINE && (!rw_find_updates(m) || !rw_find_sweeps(m) || !rw_find_cover(m))) return false;
    if (!fs_walk_begin(&m->walk, &c->edit, &c->arena, m->m)) return false;
    while (fs_walk_next(&m->walk)) {
        bcis[n++] = m->walk.insn.bci;
        instruction(m);
    }
    m->again = true;
    if (m->n_checked == 0) {
        /* No check: the local is of no use.  It must not stay as the method's only change. */
        if (m->has_epoch) return attempt(m, RW_CALLS);
        return true;
    }
    if (!m->has_epoch) return true;
    forget_epoch(cfe_entry(m->out), m->epoch);
    place_resets(m, bcis, n);
    reset_in_handlers(m);
    rw_unset_memos(m);
    rw_tell_sweeps(m);
    return true;
}

static void rewrite_method(struct rw_class *c, uint32_t i) {
    struct rw_method m = {.c = c, .m = &c->cls.methods[i], .out = cfe_method(&c->edit, i)};
    if (m.m->code == NULL) return;
    m.name = cf_utf8(&c->cls, m.m->name);
    m.desc = cf_utf8(&c->cls, m.m->desc);
    m.name_z = rw_z(c, m.name);
    m.desc_z = rw_z(c, m.desc);
    m.sites = ARENA_NEW_N(&c->arena, m.m->code->length + 1, uint32_t);
    if (m.name_z == NULL || m.desc_z == NULL || m.sites == NULL) return;
    m.this_fixed = !(m.m->access & CF_ACC_STATIC) && !stores_local_0(m.m->code);

    const struct rewrite_policy *p = c->policy;
    if (p->unreached != NULL && p->accesses) m.unreached = p->unreached(p->ctx, m.name, m.desc);
    bool calls_only = p->calls_only || m.unreached != 0;
    enum rw_level level = !c->checks ? RW_SYNC : calls_only ? RW_CALLS : RW_INLINE;
    for (; level < RW_NOTHING; level++) {
        if (!attempt(&m, level)) {
            cfe_clear_code(m.out);
            return;
        }
        uint32_t size = cfe_code_size(m.out);
        bool was_huge = m.m->code->length > HUGE_METHOD;
        if (size <= HUGE_METHOD) break;
        if (level == RW_INLINE) c->counts->huge_methods++;
        if (level == RW_INLINE || size > MAX_CODE) continue;
        if (was_huge || level == RW_CALLS || level == RW_SYNC) break;
    }
    rw_tell_stand_ins(&m);
    if (level >= RW_SYNC && c->checks) c->counts->full_methods++;
    if (level == RW_NOTHING) cfe_clear_code(m.out);
    c->counts->checked += m.n_checked;
}

/* --- One class ----------------------------------------------------------------------------------------- */

static void add_word(struct rw_class *c, char kind, struct cf_str field, uint16_t access) {
    char *name = arena_printf(&c->arena, "$%c_%.*s", kind, (int)field.n, field.p);
    if (name == NULL || cfe_adds_field(&c->edit, cf_z(name))) return;
    cfe_add_field(&c->edit, (uint16_t)(WORD_ACCESS | access), cf_z(name), cf_z("J"), 0);
}

static void add_words(struct rw_class *c, struct cf_str field, uint16_t access) {
    uint16_t keep = access & CF_ACC_STATIC;
    if (access & CF_ACC_FINAL) return;
    if ((access & CF_ACC_VOLATILE) || (c->policy->is_jdk && world_acts_volatile(c->name, field))) {
        if (c->tracked && !rw_jdk_skips_field(c->name, field))
            add_word(c, 'v', field, (uint16_t)(keep | CF_ACC_VOLATILE));
        return;
    }
    if (c->policy->is_jdk && !c->checks) return;
    add_word(c, 'r', field, keep);
    add_word(c, 'w', field, keep);
}

static bool declares(const struct cf_class *cls, struct cf_str name) {
    for (uint32_t i = 0; i < cls->n_fields; i++)
        if (cf_str_eq(cf_utf8(cls, cls->fields[i].name), name)) return true;
    return false;
}

static struct cf_str as_str(const char *z) {
    return (struct cf_str){z, (uint32_t)strlen(z)};
}

/* Fields that the program's class inherits from the JDK: their words stand in the first class that is not. Of
   two of one name only the nearest can be meant there, and comes first. */
static void add_inherited_words(struct rw_class *c) {
    if (c->policy->is_jdk || c->cls.super_class == 0) return;
    struct cf_str super = cf_class_name(&c->cls, c->cls.super_class);
    if (!c->policy->jdk_class(c->policy->ctx, super)) return;
    for (int depth = 0; depth < 100 && super.n > 0; depth++) {
        const struct world_class *w = world_class(c->policy, super);
        if (w == NULL) return;
        for (uint32_t i = 0; i < w->n_fields; i++) {
            const struct world_field *f = &w->fields[i];
            bool reachable = (f->access & (CF_ACC_PUBLIC | CF_ACC_PROTECTED)) != 0;
            if (!reachable || (f->access & (CF_ACC_STATIC | CF_ACC_VOLATILE)) ||
                declares(&c->cls, as_str(f->name)))
                continue;
            add_words(c, as_str(f->name),
                      f->access); /* whatever a plan says: it lists no fields of the JDK */
        }
        super = as_str(w->super);
    }
}

/* References may already rely on a class of this name that was found but is not the one being loaded. */
static void keep_promises(struct rw_class *c, const struct world_class *promised) {
    if (promised == NULL || promised->is_jdk) return;
    for (uint32_t i = 0; i < promised->n_fields; i++) {
        struct cf_str name = as_str(promised->fields[i].name);
        uint16_t access = promised->fields[i].access;
        if (!promised->fields[i].is_twin && !declares(&c->cls, name)) add_words(c, name, access);
    }
}

static bool has_monitor(const struct world_class *w) {
    return w->is_jdk ? rw_jdk_keeps_monitor(as_str(w->name), w->locks_itself) : w->locks_itself;
}

/* Room for what is kept of an object as a monitor: see RaceMonitors.java. */
static void add_monitor(struct rw_class *c) {
    const struct world_class *w = world_class(c->policy, c->name);
    if (!c->tracked || w == NULL || !has_monitor(w)) return;
    cfe_add_field(&c->edit, CF_ACC_PRIVATE | CF_ACC_TRANSIENT | CF_ACC_SYNTHETIC, cf_z("$raceLock"),
                  cf_z("Ljava/lang/Object;"), 0);
    do {
        w = world_class(c->policy, as_str(w->super));
    } while (w != NULL && !has_monitor(w) && w->super[0] != '\0');
    c->keeps_monitor = w != NULL && !has_monitor(w);
}

static void add_members(struct rw_class *c, const struct world_class *promised) {
    if (c->cls.access & CF_ACC_INTERFACE) return;
    add_monitor(c);
    for (uint32_t i = 0; i < c->cls.n_fields; i++) {
        struct cf_str name = cf_utf8(&c->cls, c->cls.fields[i].name);
        uint16_t access = c->cls.fields[i].access;
        bool ask = c->policy->wants_words != NULL && !(access & CF_ACC_VOLATILE), any_volatile;
        if (world_is_twin(&c->cls, i, &any_volatile)) continue;
        if (!ask || c->policy->wants_words(c->policy->ctx, name)) add_words(c, name, access);
    }
    add_inherited_words(c);
    keep_promises(c, promised);
}

static enum rewrite_outcome outcome_of(enum cfe_reason reason) {
    switch (reason) {
    case CFE_OK: return REWRITE_DONE;
    case CFE_NO_MEMORY: return REWRITE_NO_MEMORY;
    case CFE_POOL_FULL: return REWRITE_POOL_FULL;
    default: return REWRITE_INTERNAL;
    }
}

static enum rewrite_outcome write_class(struct rw_class *c, uint8_t **out, size_t *out_size) {
    if (c->edit.failed == CFE_OK && !cfe_changed(&c->edit)) return REWRITE_UNCHANGED;
    struct cfe_buf b = {0};
    enum rewrite_outcome r = outcome_of(cfe_write(&c->edit, &b));
    for (uint32_t i = 0; r == REWRITE_DONE && i < c->cls.n_methods; i++)
        if (cfe_method(&c->edit, i)->reason != CFE_OK) c->counts->full_methods++;
    if (r == REWRITE_DONE) {
        *out = b.p;
        *out_size = b.n;
    } else {
        cfe_buf_release(&b);
    }
    return r;
}

static bool open_class(struct rw_class *c) {
    arena_init(&c->arena);
    c->arena.may_fail = true;
    cfe_init(&c->edit, &c->cls);
    c->name = cf_class_name(&c->cls, c->cls.this_class);
    c->name_z = rw_z(c, c->name);
    c->file_z = c->cls.source_file == 0 ? NULL : rw_z(c, cf_utf8(&c->cls, c->cls.source_file));
    c->tracked = !(c->policy->is_jdk && rw_jdk_skips_class(c->name));
    c->checks = c->policy->accesses && c->tracked;
    return c->name_z != NULL;
}

/* A class that cannot hold the checks still gets the words, for other classes rely on them. */
static enum rewrite_outcome words_only(struct rw_class *c, const struct world_class *promised, uint8_t **out,
                                       size_t *out_size) {
    cfe_release(&c->edit);
    cfe_init(&c->edit, &c->cls);
    add_members(c, promised);
    return write_class(c, out, out_size);
}

enum rewrite_outcome rewrite_class(const uint8_t *bytes, size_t size, const struct rewrite_policy *policy,
                                   uint8_t **out, size_t *out_size, struct rewrite_counts *counts) {
    struct rw_class c = {.policy = policy, .counts = counts};
    struct race_error err = {0};
    if (!cf_parse(&c.cls, bytes, size, &err)) return REWRITE_MALFORMED;
    enum rewrite_outcome r = REWRITE_UNCHANGED;
    if (!(c.cls.access & CF_ACC_MODULE)) {
        const struct world_class *promised = world_note(policy, &c.cls);
        r = REWRITE_NO_MEMORY;
        if (open_class(&c)) {
            add_members(&c, promised);
            if (policy->is_jdk) rw_jdk_members(&c);
            for (uint32_t i = 0; i < c.cls.n_methods; i++) rewrite_method(&c, i);
            r = write_class(&c, out, out_size);
            if (r == REWRITE_POOL_FULL && words_only(&c, promised, out, out_size) == REWRITE_DONE)
                r = REWRITE_DONE, counts->full_methods += c.cls.n_methods;
        }
        cfe_release(&c.edit);
        arena_release(&c.arena);
    }
    cf_class_release(&c.cls);
    return r;
}
