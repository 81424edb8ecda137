/*
 * Checks before field and array accesses.
 *
 * Inline form, for a read (a write compares $w_f):
 *
 *     if (object.$r_f is not of the epoch in the local)  local = RaceAccess.readField(object, site)
 *
 * The object is taken from the local variable that it was loaded from, when it still is there; else it is
 * copied on the stack.  A null object skips the check, so that the access itself throws, with its own
 * message.
 */
#include "rewrite_internal.h"

#include "race/opcodes.h"

/* Which helper does the checking, and what it returns to the epoch local. */
struct helper {
    const char *name, *desc;
};

static const struct helper field_helper[2][2] = {
    /* instance, static; by is_write */
    {{"readField", "(Ljava/lang/Object;I)J"}, {"readStatic", "(Ljava/lang/Class;I)J"}},
    {{"writeField", "(Ljava/lang/Object;I)J"}, {"writeStatic", "(Ljava/lang/Class;I)J"}},
};

/* The helper's result: the epoch, kept when there is a local for it. */
static void keep_epoch(struct rw_method *m, struct cf_asm *a) {
    if (m->has_epoch)
        cfa_local(a, CF_OP_LSTORE, m->epoch);
    else
        cfa_op(a, CF_OP_POP2);
}

static void call_helper(struct rw_method *m, struct cf_asm *a, const struct rw_object *o,
                        const struct helper *h, uint32_t site) {
    rw_push_object(a, o);
    cfa_push_int(a, (int32_t)site);
    rw_hook(a, IN_ACCESS, h->name, h->desc);
    keep_epoch(m, a);
}

static uint16_t new_key(struct rw_method *m) {
    uint16_t local = cfe_add_typed_local(m->out, (struct cf_vtype){CF_V_LONG, 0});
    cfa_op(cfe_entry(m->out), CF_OP_LCONST_0);
    cfa_local(cfe_entry(m->out), CF_OP_LSTORE, local);
    return local;
}

/* The key of a word in this method, or 0: only reads in loops have one. */
static uint16_t key_for(struct rw_method *m, uint16_t word, bool is_write) {
    if (is_write || !m->loops[m->walk.insn.bci]) return 0;
    for (unsigned i = 0; i < m->n_keys; i++)
        if (m->keys[i].field == word) return m->keys[i].local;
    if (m->n_keys == RW_KEYS) return 0;
    uint16_t local = new_key(m);
    m->keys[m->n_keys++] = (struct rw_key){.field = word, .local = local};
    return local;
}

static void load_word(struct cf_asm *a, const struct rw_object *o, uint16_t word) {
    if (!o->is_static) rw_push_object(a, o);
    cfa_const(a, o->is_static ? CF_OP_GETSTATIC : CF_OP_GETFIELD, word);
}

static void push_word(struct rw_method *m, struct cf_asm *a, const struct rw_object *o, uint16_t word) {
    load_word(a, o, word);
    cfa_local(a, CF_OP_LLOAD, m->epoch);
    cfa_op(a, CF_OP_LXOR);
}

/* Outside loops no key says that the epoch is in the set of reads that the word is: the thread's notes do. */
static void skip_shared(struct rw_method *m, struct cf_asm *a, const struct rw_object *o, uint16_t word,
                        struct cf_label checked) {
    load_word(a, o, word);
    cfa_local(a, CF_OP_LLOAD, m->epoch);
    rw_hook(a, IN_ACCESS, "isShared", "(JJ)Z");
    cfa_branch(a, CF_OP_IFNE, checked);
}

/* Where the local may not have the epoch, it is cheaper to ask for it than to have the helper find out that
   the field's word is of this epoch.  In a loop, the helper's first call brings it. */
static void ask_epoch(struct rw_method *m, struct cf_asm *a) {
    enum rw_known known = rw_knows_epoch(m);
    if (known == RW_UNKNOWN) {
        rw_hook(a, IN_ACCESS, "epochNow", "()J");
        cfa_local(a, CF_OP_LSTORE, m->epoch);
    } else if (known == RW_MAYBE && !m->loops[m->walk.insn.bci]) {
        rw_need_epoch(m, a);
    }
}

/* Emits the check; an object that is not in a local stands on top of the stack, and stays there. */
static void check_field(struct rw_method *m, struct cf_asm *a, const struct rw_object *o, uint16_t word,
                        const struct helper *h, uint32_t site) {
    bool is_write = h == &field_helper[1][o->is_static];
    cfe_need_stack(m->out, 6);
    if (!m->has_epoch || word == 0) {
        call_helper(m, a, o, h, site);
        return;
    }
    uint16_t key = key_for(m, word, is_write), memo = 0;
    bool has_memo = rw_memo(m, &memo);
    struct cf_label done = cfe_label(m->out), checked = cfe_label(m->out);
    if (has_memo) {
        cfa_local(a, CF_OP_ILOAD, memo);
        cfa_branch(a, CF_OP_IFNE, done);
    }
    if (!o->is_static && !o->not_null) {
        rw_push_object(a, o);
        cfa_branch(a, CF_OP_IFNULL, done);
    }
    ask_epoch(m, a);
    push_word(m, a, o, word);
    if (key != 0) {
        cfa_local(a, CF_OP_LLOAD, key);
        cfa_op(a, CF_OP_LXOR);
    }
    cfa_push_int(a, 20);
    cfa_op(a, CF_OP_LUSHR);
    cfa_op(a, CF_OP_LCONST_0);
    cfa_op(a, CF_OP_LCMP);
    cfa_branch(a, CF_OP_IFEQ, checked);
    if (key == 0 && !is_write) skip_shared(m, a, o, word, checked);
    call_helper(m, a, o, h, site);
    if (key != 0) {
        push_word(m, a, o, word);
        cfa_local(a, CF_OP_LSTORE, key);
    }
    cfa_bind(a, checked);
    if (has_memo) {
        cfa_op(a, CF_OP_ICONST_1);
        cfa_local(a, CF_OP_ISTORE, memo);
    }
    cfa_bind(a, done);
}

static uint16_t word_of(struct rw_method *m, const struct cf_member_ref *ref, char kind) {
    char *name = arena_printf(&m->c->arena, "$%c_%.*s", kind, (int)ref->name.n, ref->name.p);
    if (name == NULL) return 0;
    return cfe_ref(&m->c->edit, CF_FIELDREF, ref->owner, cf_z(name), cf_z("J"));
}

static bool is_wide(char kind) {
    return kind == 'J' || kind == 'D';
}

static void check_plain(struct rw_method *m, const struct cf_member_ref *ref, const struct rw_object *o,
                        bool is_write) {
    uint32_t site = rw_site(m, o->is_static ? SITE_STATIC : SITE_INSTANCE, ref->owner, ref->name, is_write);
    if (site == 0) return;
    uint16_t word = m->has_epoch ? word_of(m, ref, is_write ? 'w' : 'r') : 0;
    const struct helper *h = &field_helper[is_write][o->is_static];
    struct cf_asm *a = cfe_before(m->out, m->walk.insn.bci);
    char kind = ref->desc.p[0];
    uint8_t load, store;
    rw_mark(m, RW_CHECKED);
    m->n_checked++;
    if (!is_write || o->is_static || o->from_local) {
        check_field(m, a, o, word, h, site);
    } else if (!is_wide(kind)) {
        cfa_op(a, CF_OP_DUP2); /* object, value -> object, value, object */
        cfa_op(a, CF_OP_POP);
        check_field(m, a, o, word, h, site);
        cfa_op(a, CF_OP_POP);
        cfe_need_stack(m->out, 7);
    } else {
        rw_local_of(kind, &load, &store);
        uint16_t at = rw_scratch(m, 2);
        cfa_local(a, store, at);
        check_field(m, a, o, word, h, site);
        cfa_local(a, load, at);
    }
}

/* Whether the program or a plan wants this access checked. */
static bool wants(const struct rw_method *m) {
    const struct rewrite_policy *p = m->c->policy;
    return p->wants_site == NULL || p->wants_site(p->ctx, m->name, m->desc, m->walk.insn.bci);
}

static bool wanted(struct rw_method *m) {
    if (m->level >= RW_SYNC) return false;
    m->c->counts->accesses += !m->again;
    return wants(m);
}

/* A constructor may set fields of its object before it calls super(); no other thread can see it yet. */
static bool is_under_construction(const struct rw_method *m, unsigned slot) {
    return fs_peek(&m->walk.sim, slot).tag == CF_V_UNINIT_THIS;
}

/* False: nothing is to be done about it. */
static bool decode_field(struct rw_method *m, struct rw_field_access *a) {
    const struct cf_insn *in = &m->walk.insn;
    struct rw_class *c = m->c;
    struct cf_member_ref ref = cf_member(&c->cls, in->index);
    bool is_static = in->op == CF_OP_GETSTATIC || in->op == CF_OP_PUTSTATIC;
    *a = (struct rw_field_access){.ref = ref,
                                  .is_write = in->op == CF_OP_PUTSTATIC || in->op == CF_OP_PUTFIELD};
    if (!c->tracked || ref.desc.n == 0 || (is_static && c->cls.major < 49)) return false;
    unsigned slot = !a->is_write ? 0 : is_wide(ref.desc.p[0]) ? 2 : 1;
    if (!is_static && is_under_construction(m, slot)) return false;

    bool is_jdk = c->policy->jdk_class(c->policy->ctx, ref.owner);
    a->kind = world_field(c->policy, ref.owner, ref.name);
    if (a->kind == WORLD_FINAL && is_jdk && c->policy->is_jdk && c->checks && cf_str_eq(ref.owner, c->name))
        a->kind = WORLD_PLAIN; /* a class of the JDK whose accesses were asked for */
    a->object = (struct rw_object){.is_static = true, .cls = c->cls.pool[in->index].a};
    if (!is_static) a->object = rw_object_at(m, slot);
    return a->kind != WORLD_UNKNOWN || !is_jdk;
}

bool rw_field_access(struct rw_method *m, struct rw_field_access *a) {
    return decode_field(m, a) && a->kind == WORLD_PLAIN && wants(m);
}

void rw_field(struct rw_method *m) {
    struct rw_field_access a;
    if (!decode_field(m, &a)) return;
    if (a.kind == WORLD_FENCE) {
        rw_hook(cfe_before(m->out, m->walk.insn.bci), IN_CLOCKS, "fence", "()V");
        rw_hook(cfe_after(m->out, m->walk.insn.bci), IN_CLOCKS, "fence", "()V");
        rw_mark(m, RW_TICKS);
    } else if (a.kind == WORLD_VOLATILE || a.kind == WORLD_UNKNOWN) {
        bool late = a.kind == WORLD_UNKNOWN;
        rw_volatile(m, &a.ref, &a.object, late, late && wanted(m));
    } else if (a.kind == WORLD_PLAIN && wanted(m)) {
        if (rw_is_covered(m))
            m->n_checked++; /* by the check of another */
        else
            check_plain(m, &a.ref, &a.object, a.is_write);
    }
}

/* --- Arrays -------------------------------------------------------------------------------------------- */

static const char element_kind[] = {'I', 'J', 'F', 'D', 'L', 'I', 'I', 'I'}; /* by opcode - iaload */
static const char *const element_desc[] = {"I", "J", "F", "D", "Ljava/lang/Object;", "B", "C", "S"};

/* Descriptor of the elements, from the array's type when it is known. */
static struct cf_str element_of(struct rw_method *m, unsigned slot, unsigned which) {
    struct fs_type t = fs_peek(&m->walk.sim, slot);
    if (t.tag == CF_V_OBJECT && t.name.n > 1 && t.name.p[0] == '[')
        return (struct cf_str){t.name.p + 1, t.name.n - 1};
    return cf_z(element_desc[which]);
}

static uint16_t new_cache(struct rw_method *m, const char *type) {
    uint16_t cls = cfe_class(&m->c->edit, cf_z(type));
    uint16_t local = cfe_add_typed_local(m->out, (struct cf_vtype){CF_V_OBJECT, cls});
    cfa_op(cfe_entry(m->out), CF_OP_ACONST_NULL);
    cfa_local(cfe_entry(m->out), CF_OP_ASTORE, local);
    return local;
}

/*
 * The locals that keep the array last accessed here and its words: a pair per array variable, or per site
 * where the array comes from elsewhere.  NULL when the method has enough of them.
 */
static struct rw_cache *cache_for(struct rw_method *m, const struct rw_object *array) {
    for (unsigned i = 0; i < m->n_caches; i++)
        if (array->from_local && m->caches[i].from_local && m->caches[i].of == array->local)
            return &m->caches[i];
    if (m->n_caches == RW_CACHES) return NULL;
    struct rw_cache *c = &m->caches[m->n_caches++];
    *c = (struct rw_cache){.from_local = array->from_local, .of = array->local};
    c->array = new_cache(m, "java/lang/Object");
    c->words = new_cache(m, "[[J");
    if (memchr(m->loops, 1, m->m->code->length) != NULL) c->seen = new_cache(m, "[J");
    return c;
}

/* The local is -1 while it does not have it; a rare epoch that is negative asks too. */
void rw_need_epoch(struct rw_method *m, struct cf_asm *a) {
    struct cf_label known = cfe_label(m->out);
    cfa_local(a, CF_OP_LLOAD, m->epoch);
    cfa_op(a, CF_OP_LCONST_0);
    cfa_op(a, CF_OP_LCMP);
    cfa_branch(a, CF_OP_IFGE, known);
    rw_hook(a, IN_ACCESS, "epochNow", "()J");
    cfa_local(a, CF_OP_LSTORE, m->epoch);
    cfa_bind(a, known);
}

/* Before `last` changes: what was seen of another array is forgotten. */
static void keep_seen(struct cf_asm *a, uint16_t array, const struct rw_cache *c) {
    cfa_local(a, CF_OP_ALOAD, array);
    cfa_local(a, CF_OP_ALOAD, c->array);
    cfa_local(a, CF_OP_ALOAD, c->seen);
    rw_hook(a, IN_SEEN, "ifSame", "(Ljava/lang/Object;Ljava/lang/Object;[J)[J");
    cfa_local(a, CF_OP_ASTORE, c->seen);
}

static void note_seen(struct rw_method *m, struct cf_asm *a, uint16_t index, const struct rw_cache *c) {
    cfa_local(a, CF_OP_ALOAD, c->words);
    cfa_local(a, CF_OP_ILOAD, index);
    cfa_local(a, CF_OP_LLOAD, m->epoch);
    rw_hook(a, IN_SEEN, "of", "([[JIJ)[J");
    cfa_local(a, CF_OP_ASTORE, c->seen);
}

/*
 *     if (array != last || !RaceElements.isRead(words, index, epoch, seen, site)) {
 *         words = RaceElements.readElement(array, index, last, words, epoch, site)
 *         last = array
 *         seen = RaceSeen.of(words, index, epoch)
 *     }
 *
 * Writes, and reads outside loops, only forget what was seen of another array.  If the index is not in a
 * variable it is isReadAnywhere.
 */
static void check_cached(struct rw_method *m, struct cf_asm *a, bool is_write, bool anywhere, uint32_t site,
                         uint16_t array, uint16_t index, const struct rw_cache *c) {
    const char *is_read = anywhere ? "isReadAnywhere" : "isRead";
    bool sees = !is_write && m->loops[m->walk.insn.bci];
    struct cf_label slow = cfe_label(m->out), done = cfe_label(m->out);
    cfa_local(a, CF_OP_ALOAD, array);
    cfa_local(a, CF_OP_ALOAD, c->array);
    cfa_branch(a, CF_OP_IF_ACMPNE, slow);
    cfa_local(a, CF_OP_ALOAD, c->words);
    cfa_local(a, CF_OP_ILOAD, index);
    cfa_local(a, CF_OP_LLOAD, m->epoch);
    if (!is_write && c->seen == 0) cfa_op(a, CF_OP_ACONST_NULL);
    if (!is_write && c->seen != 0) cfa_local(a, CF_OP_ALOAD, c->seen);
    cfa_push_int(a, (int32_t)site);
    rw_hook(a, IN_ELEMENTS, is_write ? "isWritten" : is_read, is_write ? "([[JIJI)Z" : "([[JIJ[JI)Z");
    cfa_branch(a, CF_OP_IFNE, done);
    cfa_bind(a, slow);
    if (c->seen != 0 && !sees) keep_seen(a, array, c);
    cfa_local(a, CF_OP_ALOAD, array);
    cfa_local(a, CF_OP_ILOAD, index);
    cfa_local(a, CF_OP_ALOAD, c->array);
    cfa_local(a, CF_OP_ALOAD, c->words);
    cfa_local(a, CF_OP_LLOAD, m->epoch);
    cfa_push_int(a, (int32_t)site);
    rw_hook(a, IN_ELEMENTS, is_write ? "writeElement" : "readElement",
            "(Ljava/lang/Object;ILjava/lang/Object;[[JJI)[[J");
    cfa_local(a, CF_OP_ASTORE, c->words);
    cfa_local(a, CF_OP_ALOAD, array);
    cfa_local(a, CF_OP_ASTORE, c->array);
    if (sees) note_seen(m, a, index, c);
    cfa_bind(a, done);
    cfe_need_stack(m->out, 7);
    rw_mark(m, RW_CHECKED);
}

/* Without a cache: a call that looks everything up, and gives the epoch. */
static void check_by_call(struct rw_method *m, struct cf_asm *a, bool is_write, uint32_t site, uint16_t array,
                          uint16_t index) {
    cfa_local(a, CF_OP_ALOAD, array);
    cfa_local(a, CF_OP_ILOAD, index);
    cfa_push_int(a, (int32_t)site);
    rw_hook(a, IN_ELEMENTS, is_write ? "writeArray" : "readArray", "(Ljava/lang/Object;II)J");
    keep_epoch(m, a);
    cfe_need_stack(m->out, 4);
}

void rw_array(struct rw_method *m) {
    uint8_t op = m->walk.insn.op, load, store;
    bool is_write = op >= CF_OP_IASTORE;
    unsigned which = op - (is_write ? CF_OP_IASTORE : CF_OP_IALOAD);
    if (!m->c->tracked || m->c->policy->fields_only || !wanted(m)) return;
    if (m->has_epoch && rw_is_update(m, m->walk.insn.bci)) {
        m->n_checked++; /* with the store */
        return;
    }
    unsigned slot = !is_write                      ? 0
                    : is_wide(element_kind[which]) ? 2
                                                   : 1; /* of the index; the array is below */
    struct rw_object array = rw_object_at(m, slot + 1), index = rw_object_at(m, slot);
    uint32_t site = rw_site(m, SITE_ARRAY, cf_z(""), element_of(m, slot + 1, which), is_write);
    if (site == 0) return;
    struct rw_swept *swept = m->has_epoch ? rw_swept_at(m, m->walk.insn.bci) : NULL;
    if (swept != NULL) {
        swept->site = site;
        rw_mark(m, RW_CHECKED);
        m->n_checked++;
        return;
    }
    struct rw_cache *cache = m->has_epoch ? cache_for(m, &array) : NULL;
    struct cf_asm *a = cfe_before(m->out, m->walk.insn.bci);
    /* Operands that are not in locals are copied there; those of the access stay on the stack, so that the
       message of an exception still names where the array came from. */
    bool spill = !array.from_local || !index.from_local;
    uint16_t at = spill ? rw_scratch(m, 4) : 0, in_array = spill ? at : array.local;
    uint16_t in_index = spill ? (uint16_t)(at + 1) : index.local, value = (uint16_t)(at + 2);
    rw_local_of(element_kind[which], &load, &store);
    if (cache != NULL) rw_need_epoch(m, a);
    if (spill && is_write) cfa_local(a, store, value);
    if (spill) cfa_op(a, CF_OP_DUP2);
    if (spill) cfa_local(a, CF_OP_ISTORE, in_index);
    if (spill) cfa_local(a, CF_OP_ASTORE, in_array);
    cfe_need_stack(m->out, 9);
    if (cache != NULL)
        check_cached(m, a, is_write, !index.from_local, site, in_array, in_index, cache);
    else
        check_by_call(m, a, is_write, site, in_array, in_index);
    if (spill && is_write) cfa_local(a, load, value);
    m->n_checked++;
}
