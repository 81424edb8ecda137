/* Fields and methods: declared, resolved (JVMS 5.4.3.2 to 5.4.3.4) and accessible (5.4.4). */
#include "internal.h"

/* ---- declared ---- */

method_id program_declared_method(struct program *p, class_id c, name_id name, name_id desc) {
    program_load_(p, c);
    uint32_t hash = hash_three(c.v, name.v, desc.v);
    size_t pos = hash;
    for (uint32_t id; (id = id_table_next(&p->method_table, hash, &pos)) != 0;) {
        const struct method_info *m = p->methods.v[id];
        if (m->owner.v == c.v && m->name.v == name.v && m->desc.v == desc.v) return (method_id){id};
    }
    return (method_id){0};
}

field_id program_declared_field(struct program *p, class_id c, name_id name, name_id desc) {
    program_load_(p, c);
    uint32_t hash = hash_three(c.v, name.v, desc.v);
    size_t pos = hash;
    for (uint32_t id; (id = id_table_next(&p->field_table, hash, &pos)) != 0;) {
        const struct field_info *f = p->fields.v[id];
        if (f->owner.v == c.v && f->name.v == name.v && f->desc.v == desc.v) return (field_id){id};
    }
    return (field_id){0};
}

method_id program_method_named(struct program *p, const char *cls, const char *name, const char *desc) {
    return program_declared_method(p, program_class(p, cls), program_name(p, name), program_name(p, desc));
}

field_id program_field_named(struct program *p, const char *cls, const char *name, const char *desc) {
    return program_declared_field(p, program_class(p, cls), program_name(p, name), program_name(p, desc));
}

/* ---- 5.4.3.2 ---- */

field_id program_resolve_field(struct program *p, class_id c, name_id name, name_id desc) {
    /* The class itself, then its superinterfaces (theirs included), then the same for the superclass. */
    for (; c.v != 0; c = program_info(p, c)->super) {
        field_id f = program_declared_field(p, c, name, desc);
        if (f.v != 0) return f;
        const struct class_info *info = program_info(p, c);
        for (uint16_t i = 0; i < info->n_interfaces; i++) {
            f = program_resolve_field(p, info->interfaces[i], name, desc);
            if (f.v != 0) return f;
        }
    }
    return (field_id){0};
}

/* ---- 5.4.3.3 and 5.4.3.4 ---- */

/*
 * Superinterface candidates are few, so the maximally specific ones are found by comparing each against each:
 * one is out if another candidate stands in a subinterface of its own.
 */
static bool overridden_below(struct program *p, class_id c, name_id name, name_id desc, class_id owner) {
    const struct class_info *info = program_info(p, c);
    for (uint32_t i = 0; i < info->n_all_interfaces; i++) {
        class_id in = info->all_interfaces[i];
        if (in.v == c.v || in.v == owner.v || !program_is_subtype(p, in, owner)) continue;
        method_id m = program_declared_method(p, in, name, desc);
        if (m.v != 0 && !(program_method(p, m)->access & (CF_ACC_PRIVATE | CF_ACC_STATIC))) return true;
    }
    return false;
}

method_id program_default_method_(struct program *p, class_id c, name_id name, name_id desc, method_id *any) {
    const struct class_info *info = program_info(p, c);
    method_id found = {0};
    bool several = false;
    any->v = 0;
    for (uint32_t i = 0; i < info->n_all_interfaces; i++) {
        class_id in = info->all_interfaces[i];
        if (in.v == c.v) continue;
        method_id m = program_declared_method(p, in, name, desc);
        if (m.v == 0) continue;
        uint16_t access = program_method(p, m)->access;
        if (access & (CF_ACC_PRIVATE | CF_ACC_STATIC)) continue;
        if (any->v == 0) *any = m;
        if ((access & CF_ACC_ABSTRACT) || overridden_below(p, c, name, desc, in)) continue;
        several = found.v != 0;
        if (several) break;
        found = m;
    }
    return several ? (method_id){0} : found;
}

/* MethodHandle.invoke & co. match by name alone, if the name is declared once. */
static method_id sig_polymorphic(struct program *p, class_id c, name_id name) {
    const struct class_info *info = program_info(p, c);
    method_id found = {0};
    for (uint16_t i = 0; i < info->n_methods; i++) {
        method_id m = {info->first_method.v + i};
        if (program_method(p, m)->name.v != name.v) continue;
        if (found.v != 0) return (method_id){0};
        found = m;
    }
    if (found.v != 0 && program_method(p, found)->sig_polymorphic) return found;
    return (method_id){0};
}

static method_id resolve_in_class(struct program *p, class_id c, name_id name, name_id desc) {
    for (class_id at = c; at.v != 0; at = program_info(p, at)->super) {
        method_id m = {0};
        if (at.v == CLASS_METHOD_HANDLE || at.v == CLASS_VAR_HANDLE) m = sig_polymorphic(p, at, name);
        if (m.v == 0) m = program_declared_method(p, at, name, desc);
        if (m.v != 0) return m;
    }
    method_id any, m = program_default_method_(p, c, name, desc, &any);
    return m.v != 0 ? m : any;
}

static method_id resolve_in_interface(struct program *p, class_id c, name_id name, name_id desc) {
    method_id m = program_declared_method(p, c, name, desc);
    if (m.v != 0) return m;
    m = program_declared_method(p, (class_id){CLASS_OBJECT}, name, desc);
    if (m.v != 0) {
        uint16_t access = program_method(p, m)->access;
        if ((access & CF_ACC_PUBLIC) && !(access & CF_ACC_STATIC)) return m;
    }
    method_id any;
    m = program_default_method_(p, c, name, desc, &any);
    return m.v != 0 ? m : any;
}

method_id program_resolve_method(struct program *p, class_id c, name_id name, name_id desc,
                                 bool interface_ref) {
    const struct class_info *info = program_info(p, c);
    if (info->state == CLASS_PHANTOM || class_is_primitive(c)) return (method_id){0};
    bool is_interface = (info->access & CF_ACC_INTERFACE) != 0;
    if (is_interface != interface_ref) return (method_id){0}; /* IncompatibleClassChangeError */
    return is_interface ? resolve_in_interface(p, c, name, desc) : resolve_in_class(p, c, name, desc);
}

/* ---- 5.4.4 ---- */

bool program_can_access_class(struct program *p, class_id from, class_id c) {
    const struct class_info *info = program_info(p, c);
    while (info->component.v != 0) info = program_info(p, info->component);
    if (class_is_primitive(info->id)) return true;
    return (info->access & CF_ACC_PUBLIC) || program_same_package(p, from, info->id);
}

static bool can_access(struct program *p, class_id from, class_id owner, uint16_t access, class_id through) {
    if (access & CF_ACC_PUBLIC) return true;
    if (access & CF_ACC_PRIVATE) return program_same_nest(p, from, owner);
    if (program_same_package(p, from, owner)) return true;
    if (!(access & CF_ACC_PROTECTED) || !program_is_subtype(p, from, owner)) return false;
    if (access & CF_ACC_STATIC) return true;
    return program_is_subtype(p, through, from) || program_is_subtype(p, from, through);
}

bool program_can_access_method(struct program *p, class_id from, method_id m, class_id through) {
    const struct method_info *info = program_method(p, m);
    return can_access(p, from, info->owner, info->access, through);
}

bool program_can_access_field(struct program *p, class_id from, field_id f, class_id through) {
    const struct field_info *info = program_field(p, f);
    return can_access(p, from, info->owner, info->access, through);
}
