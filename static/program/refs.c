/*
 * Constant-pool entries as program-wide ids.
 *
 * Most instructions of a class name the same few entries, so each parsed file remembers what its entries have
 * been turned into; only the first use pays for hashing.
 */
#include "internal.h"

#include <stdlib.h>

static uint32_t *slot(struct class_file *f, uint16_t index) {
    if (f->cp_ids == NULL) {
        f->cp_ids = calloc(f->cf.n_pool + 1u, sizeof *f->cp_ids);
        if (f->cp_ids == NULL) abort();
    }
    return &f->cp_ids[index];
}

static uint8_t tag_of(const struct class_file *f, uint16_t index) {
    return index < f->cf.n_pool ? f->cf.pool[index].tag : (uint8_t)CF_UNUSABLE;
}

static name_id intern(struct program *p, struct cf_str s) {
    return program_intern(p, s.p, s.n);
}

/* Names and descriptors are shared by many entries, so they are remembered as well. */
name_id program_utf8_(struct program *p, struct class_file *f, uint16_t index) {
    uint32_t *id = slot(f, index);
    if (*id == 0) *id = intern(p, cf_utf8(&f->cf, index)).v;
    return (name_id){*id};
}

/* ---- classes and members ---- */

class_id program_cp_class(struct program *p, class_id c, uint16_t index) {
    struct class_file *f = program_file_(p, c);
    if (f == NULL || tag_of(f, index) != CF_CLASS) return (class_id){0};
    uint32_t *id = slot(f, index);
    if (*id == 0) *id = program_class_n(p, program_utf8_(p, f, f->cf.pool[index].a)).v;
    return (class_id){*id};
}

static ref_id intern_ref(struct program *p, struct member_ref ref) {
    uint32_t flags = (ref.is_field ? 1u : 0) | (ref.interface_ref ? 2u : 0);
    uint32_t hash = hash_three(ref.cls.v, ref.name.v, ref.desc.v * 4 + flags);
    size_t pos = hash;
    for (uint32_t id; (id = id_table_next(&p->ref_table, hash, &pos)) != 0;) {
        const struct member_ref *r = &p->refs.v[id]->ref;
        if (r->cls.v == ref.cls.v && r->name.v == ref.name.v && r->desc.v == ref.desc.v &&
            r->is_field == ref.is_field && r->interface_ref == ref.interface_ref)
            return (ref_id){id};
    }
    ref_id id = {(uint32_t)p->refs.n};
    struct ref_rec *rec = ARENA_NEW(&p->arena, struct ref_rec);
    rec->ref = ref;
    vec_push(&p->refs, rec);
    id_table_add(&p->ref_table, hash, id.v);
    return id;
}

ref_id program_cp_ref(struct program *p, class_id c, uint16_t index) {
    struct class_file *f = program_file_(p, c);
    uint8_t tag = f ? tag_of(f, index) : (uint8_t)CF_UNUSABLE;
    if (tag != CF_FIELDREF && tag != CF_METHODREF && tag != CF_INTERFACE_METHODREF) return (ref_id){0};
    uint32_t *id = slot(f, index);
    if (*id != 0) return (ref_id){*id};
    const struct cf_const *name_and_type = &f->cf.pool[f->cf.pool[index].b];
    struct member_ref ref = {.name = program_utf8_(p, f, name_and_type->a),
                             .desc = program_utf8_(p, f, name_and_type->b),
                             .is_field = tag == CF_FIELDREF,
                             .interface_ref = tag == CF_INTERFACE_METHODREF};
    ref.cls = program_cp_class(p, c, f->cf.pool[index].a);
    *id = intern_ref(p, ref).v;
    return (ref_id){*id};
}

const struct member_ref *program_ref(const struct program *p, ref_id r) {
    return &p->refs.v[r.v]->ref;
}

method_id program_ref_method(struct program *p, ref_id r) {
    struct ref_rec *rec = p->refs.v[r.v];
    if (r.v == 0 || rec->ref.is_field) return (method_id){0};
    if (!rec->done) {
        const struct member_ref *ref = &rec->ref;
        rec->resolved = program_resolve_method(p, ref->cls, ref->name, ref->desc, ref->interface_ref).v;
        rec->done = true;
    }
    return (method_id){rec->resolved};
}

field_id program_ref_field(struct program *p, ref_id r) {
    struct ref_rec *rec = p->refs.v[r.v];
    if (r.v == 0 || !rec->ref.is_field) return (field_id){0};
    if (!rec->done) {
        rec->resolved = program_resolve_field(p, rec->ref.cls, rec->ref.name, rec->ref.desc).v;
        rec->done = true;
    }
    return (field_id){rec->resolved};
}

class_id program_ref_type(struct program *p, ref_id r) {
    name_id desc = p->refs.v[r.v]->ref.desc;
    uint32_t known = map64_get(&p->type_of_desc, desc.v, UINT32_MAX);
    if (known == UINT32_MAX) {
        known = program_type(p, program_str(p, desc), program_str_len(p, desc)).v;
        map64_put(&p->type_of_desc, desc.v, known);
    }
    return (class_id){known};
}

const struct method_sig *program_ref_sig(struct program *p, ref_id r) {
    return program_sig(p, p->refs.v[r.v]->ref.desc);
}

/* ---- method handles, dynamic constants and call sites ---- */

static uint64_t cp_key(class_id c, uint16_t index) {
    return (uint64_t)c.v << 16 | index;
}

static handle_id cp_handle(struct program *p, class_id c, uint16_t index) {
    struct class_file *f = program_file_(p, c);
    if (f == NULL || tag_of(f, index) != CF_METHOD_HANDLE) return (handle_id){0};
    uint32_t known = map64_get(&p->handle_of_cp, cp_key(c, index), 0);
    if (known != 0) return (handle_id){known};
    const struct cf_const *k = &f->cf.pool[index];
    struct handle_info h = {.kind = k->ref_kind, .ref = program_cp_ref(p, c, k->a)};
    handle_id id = {(uint32_t)p->handles.n};
    vec_push(&p->handles, arena_copy(&p->arena, &h, sizeof h));
    map64_put(&p->handle_of_cp, cp_key(c, index), id.v);
    return id;
}

dyn_id program_cp_dyn(struct program *p, class_id c, uint16_t index) {
    struct class_file *f = program_file_(p, c);
    uint8_t tag = f ? tag_of(f, index) : (uint8_t)CF_UNUSABLE;
    if (tag != CF_DYNAMIC && tag != CF_INVOKE_DYNAMIC) return (dyn_id){0};
    uint32_t known = map64_get(&p->dyn_of_cp, cp_key(c, index), 0);
    if (known != 0) return (dyn_id){known};
    uint16_t bootstrap = f->cf.pool[index].a;
    if (bootstrap >= f->cf.n_bootstraps) return (dyn_id){0};
    struct cf_member_ref m = cf_member(&f->cf, index);
    /* Arguments are looked up on demand: a broken file may name a dynamic constant as its own argument. */
    struct dyn_info d = {.owner = c,
                         .cp_index = index,
                         .name = intern(p, m.name),
                         .desc = intern(p, m.desc),
                         .is_call = tag == CF_INVOKE_DYNAMIC,
                         .bootstrap = cp_handle(p, c, f->cf.bootstraps[bootstrap].method),
                         .n_args = f->cf.bootstraps[bootstrap].n_args};
    dyn_id id = {(uint32_t)p->dyns.n};
    vec_push(&p->dyns, arena_copy(&p->arena, &d, sizeof d));
    map64_put(&p->dyn_of_cp, cp_key(c, index), id.v);
    return id;
}

const struct handle_info *program_handle(const struct program *p, handle_id h) {
    return p->handles.v[h.v];
}

const struct dyn_info *program_dyn(const struct program *p, dyn_id d) {
    return p->dyns.v[d.v];
}

struct const_value program_dyn_arg(struct program *p, dyn_id d, uint16_t i) {
    const struct dyn_info *info = p->dyns.v[d.v];
    struct class_file *f = program_file_(p, info->owner);
    if (f == NULL || i >= info->n_args) return (struct const_value){.kind = CONST_NULL};
    return program_cp_const(p, info->owner, f->cf.bootstraps[f->cf.pool[info->cp_index].a].args[i]);
}

struct const_value program_cp_const(struct program *p, class_id c, uint16_t index) {
    struct const_value v = {.kind = CONST_NULL};
    struct class_file *f = program_file_(p, c);
    if (f == NULL) return v;
    const struct cf_const *k = &f->cf.pool[index < f->cf.n_pool ? index : 0];
    switch (k->tag) {
    case CF_INTEGER: v.kind = CONST_INT, v.u.i = k->u.i; break;
    case CF_LONG: v.kind = CONST_LONG, v.u.i = k->u.l; break;
    case CF_FLOAT: v.kind = CONST_FLOAT, v.u.d = k->u.f; break;
    case CF_DOUBLE: v.kind = CONST_DOUBLE, v.u.d = k->u.d; break;
    case CF_STRING:
        v.kind = CONST_STRING;
        v.u.name = program_utf8_(p, f, k->a);
        break;
    case CF_METHOD_TYPE: v.kind = CONST_METHOD_TYPE, v.u.name = program_utf8_(p, f, k->a); break;
    case CF_CLASS: v.kind = CONST_CLASS, v.u.cls = program_cp_class(p, c, index); break;
    case CF_METHOD_HANDLE: v.kind = CONST_METHOD_HANDLE, v.u.handle = cp_handle(p, c, index); break;
    case CF_DYNAMIC: v.kind = CONST_DYNAMIC, v.u.dyn = program_cp_dyn(p, c, index); break;
    default: break;
    }
    return v;
}
