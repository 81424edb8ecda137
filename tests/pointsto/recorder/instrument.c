#include "instrument.h"

#include "tables.h"

#include "race/framesim.h"
#include "race/opcodes.h"

struct work {
    struct cf_class cls;
    struct cf_edit edit;
    struct arena arena;
    uint32_t cls_text;
    /* the method in work */
    struct cfe_method *out;
    struct fs_walk walk;
    uint32_t method;
    uint32_t *made;              /* by bci: site of the `new` there, or 0 */
    uint16_t value_at, index_at; /* scratch locals of array stores */
    bool has_scratch, is_constructor;
};

static uint32_t text_of(struct cf_str s) {
    return tables_text(s.p, s.n);
}

static uint32_t site_here(struct work *w) {
    return tables_site((struct rec_site){.method = w->method, .bci = w->walk.insn.bci});
}

static void hook(struct work *w, struct cf_asm *a, const char *name, const char *desc) {
    cfa_invoke(a, CF_OP_INVOKESTATIC, RECORDER_CLASS, name, desc);
    cfe_need_stack(w->out, 4);
}

static void hook_int(struct work *w, struct cf_asm *a, uint32_t n, const char *name, const char *desc) {
    cfa_push_int(a, (int32_t)n);
    hook(w, a, name, desc);
}

/* Tells of the object on top of the stack behind the instruction. */
static void made_here(struct work *w) {
    struct cf_asm *a = cfe_after(w->out, w->walk.insn.bci);
    cfa_op(a, CF_OP_DUP);
    hook_int(w, a, site_here(w), "made", "(Ljava/lang/Object;I)V");
}

/* ---- calls ---- */

static bool makes_function(struct work *w) {
    const struct cf_const *dyn = &w->cls.pool[w->walk.insn.index];
    const struct cf_const *handle = &w->cls.pool[w->cls.bootstraps[dyn->a].method];
    return cf_str_is(cf_member(&w->cls, handle->a).owner, "java/lang/invoke/LambdaMetafactory");
}

static void constructor_call(struct work *w, struct fs_type object, unsigned words) {
    struct cf_asm *before = cfe_before(w->out, w->walk.insn.bci);
    struct cf_asm *after = cfe_after(w->out, w->walk.insn.bci);
    if (w->made[object.site] == 0)
        w->made[object.site] = tables_site(
            (struct rec_site){.method = w->method, .bci = object.site, .cls = text_of(object.name)});
    struct fs_type below = fs_peek(&w->walk.sim, words + 1);
    bool kept = below.tag == CF_V_UNINIT && below.site == object.site;
    cfa_push_int(before, (int32_t)site_here(w));
    hook_int(w, before, w->made[object.site], "construct", "(II)V");
    cfa_op(after, kept ? CF_OP_DUP : CF_OP_ACONST_NULL);
    hook_int(w, after, w->made[object.site], "constructed", "(Ljava/lang/Object;I)V");
}

static void call(struct work *w) {
    const struct cf_insn *insn = &w->walk.insn;
    struct cf_member_ref ref = cf_member(&w->cls, insn->index);
    if (insn->op == CF_OP_INVOKESPECIAL && cf_str_is(ref.name, "<init>")) {
        unsigned words = cf_desc_arg_words(ref.desc);
        struct fs_type object = fs_peek(&w->walk.sim, words);
        if (object.tag == CF_V_UNINIT) {
            constructor_call(w, object, words);
            return;
        }
    }
    uint32_t site =
        tables_site((struct rec_site){.method = w->method, .bci = insn->bci, .name = text_of(ref.name)});
    hook_int(w, cfe_before(w->out, insn->bci), site, "call", "(I)V");
    if (insn->op == CF_OP_INVOKEDYNAMIC && makes_function(w)) made_here(w);
}

/* ---- stores ---- */

static uint32_t store_site(struct work *w, uint32_t field) {
    return tables_site(
        (struct rec_site){.method = w->method, .bci = w->walk.insn.bci, .field = field, .cls = w->cls_text});
}

static void store_field(struct work *w) {
    struct cf_member_ref ref = cf_member(&w->cls, w->walk.insn.index);
    if (ref.desc.p[0] != 'L' && ref.desc.p[0] != '[') return;
    uint32_t field = tables_field(text_of(ref.owner), text_of(ref.name), text_of(ref.desc));
    uint32_t site = store_site(w, field);
    struct cf_asm *a = cfe_before(w->out, w->walk.insn.bci);
    if (w->walk.insn.op == CF_OP_PUTSTATIC) {
        cfa_op(a, CF_OP_DUP);
        cfa_op(a, CF_OP_ACONST_NULL);
        cfa_op(a, CF_OP_SWAP);
        hook_int(w, a, site, "store", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
    } else if (fs_peek(&w->walk.sim, 1).tag == CF_V_UNINIT_THIS) {
        cfa_op(a, CF_OP_DUP);
        hook_int(w, a, site, "storeEarly", "(Ljava/lang/Object;I)V");
    } else {
        cfa_op(a, CF_OP_DUP2);
        hook_int(w, a, site, "store", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
    }
}

static void store_element(struct work *w) {
    struct cf_asm *a = cfe_before(w->out, w->walk.insn.bci);
    if (!w->has_scratch) {
        w->value_at = cfe_add_local(w->out, 1);
        w->index_at = cfe_add_local(w->out, 1);
        w->has_scratch = true;
    }
    cfa_local(a, CF_OP_ASTORE, w->value_at);
    cfa_local(a, CF_OP_ISTORE, w->index_at);
    cfa_op(a, CF_OP_DUP);
    cfa_local(a, CF_OP_ALOAD, w->value_at);
    hook_int(w, a, store_site(w, 0), "store", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
    cfa_local(a, CF_OP_ILOAD, w->index_at);
    cfa_local(a, CF_OP_ALOAD, w->value_at);
}

/* ---- methods ---- */

static void instruction(struct work *w) {
    if (!w->walk.sim.now.live || w->walk.sim.failed) return;
    switch (w->walk.insn.op) {
    case CF_OP_INVOKEVIRTUAL:
    case CF_OP_INVOKESPECIAL:
    case CF_OP_INVOKESTATIC:
    case CF_OP_INVOKEINTERFACE:
    case CF_OP_INVOKEDYNAMIC: call(w); break;
    case CF_OP_NEWARRAY:
    case CF_OP_ANEWARRAY:
    case CF_OP_MULTIANEWARRAY: made_here(w); break;
    case CF_OP_PUTFIELD:
    case CF_OP_PUTSTATIC: store_field(w); break;
    case CF_OP_AASTORE: store_element(w); break;
    default: break;
    }
}

bool instrument_skips_class(const char *cls) {
    static const char *const prefixes[] = {"java/lang/invoke/", "sun/invoke/",
                                           "jdk/internal/reflect/Generated", "java/lang/StringConcatHelper"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(cls, prefixes[i], strlen(prefixes[i])) == 0 &&
            strcmp(cls, "java/lang/invoke/MethodHandleNatives") != 0)
            return true;
    return strstr(cls, "$Proxy") != NULL;
}

bool instrument_skips_method(const char *cls, const char *name, const char *desc) {
    return strcmp(cls, "java/lang/String") == 0 && strcmp(name, "valueOf") == 0 &&
           strcmp(desc, "(Ljava/lang/Object;)Ljava/lang/String;") == 0;
}

/*
 * Linking of invokedynamic and of native methods, what the VM does because this agent is there, and what
 * reads the module graph, which is made before main().
 */
static bool is_always_upcall(struct work *w, struct cf_str name) {
    struct cf_str cls = cf_class_name(&w->cls, w->cls.this_class);
    if (cf_str_is(cls, "java/lang/ClassLoader") && cf_str_is(name, "findNative")) return true;
    if (cf_str_is(cls, "jdk/internal/module/Modules") && cf_str_is(name, "transformedByAgent")) return true;
    return cf_str_is(cls, "java/lang/invoke/MethodHandleNatives") ||
           cf_str_is(cls, "java/lang/StackTraceElement$HashedModules");
}

/* Methods that the VM calls to load classes, as the program may too. */
static bool is_loading(struct work *w, struct cf_str name, struct cf_str desc) {
    struct cf_str cls = cf_class_name(&w->cls, w->cls.this_class);
    if (cf_str_is(cls, "java/lang/ClassLoader") && cf_str_is(name, "checkPackageAccess")) return true;
    return cf_str_is(name, "loadClass") && cf_str_is(desc, "(Ljava/lang/String;)Ljava/lang/Class;");
}

static void tell_entry(struct work *w, struct cf_str name, struct cf_str desc) {
    struct cf_asm *entry = cfe_entry(w->out);
    bool always = is_always_upcall(w, name);
    cfa_push_int(entry, (int32_t)w->method);
    if (always || is_loading(w, name, desc)) {
        cfa_push_int(entry, always);
        hook(w, entry, "enterUpcall", "(IZ)V");
    } else {
        hook(w, entry, "enter", "(I)V");
    }
}

static void method(struct work *w, uint32_t i) {
    const struct cf_method *m = &w->cls.methods[i];
    if (m->code == NULL) return;
    struct cf_str name = cf_utf8(&w->cls, m->name), desc = cf_utf8(&w->cls, m->desc);
    w->out = cfe_method(&w->edit, i);
    w->method = tables_method(w->cls_text, text_of(name), text_of(desc), false, false);
    struct rec_method numbered = tables_method_at(w->method);
    if (instrument_skips_method(numbered.cls, numbered.name, numbered.desc)) return;
    w->has_scratch = false;
    w->made = ARENA_NEW_N(&w->arena, m->code->length + 1, uint32_t);
    if (cf_str_is(name, "<init>") && w->cls.super_class == 0) {
        cfa_local(cfe_entry(w->out), CF_OP_ALOAD, 0);
        hook(w, cfe_entry(w->out), "born", "(Ljava/lang/Object;)V");
    } else {
        tell_entry(w, name, desc);
    }
    if (!fs_walk_begin(&w->walk, &w->edit, &w->arena, m)) return;
    while (fs_walk_next(&w->walk)) instruction(w);
}

bool instrument_class(const uint8_t *bytes, size_t size, struct cfe_buf *out) {
    struct work w = {0};
    struct race_error err = {0};
    if (!cf_parse(&w.cls, bytes, size, &err)) return false;
    arena_init(&w.arena);
    cfe_init(&w.edit, &w.cls);
    tables_lock();
    w.cls_text = text_of(cf_class_name(&w.cls, w.cls.this_class));
    for (uint32_t i = 0; i < w.cls.n_methods; i++) method(&w, i);
    tables_unlock();
    bool ok = cfe_write(&w.edit, out) == CFE_OK;
    cfe_release(&w.edit);
    arena_release(&w.arena);
    cf_class_release(&w.cls);
    return ok;
}
