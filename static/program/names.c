/* Interned strings, types of descriptors, and signatures. */
#include "internal.h"

#include <string.h>

name_id program_intern(struct program *p, const char *s, size_t n) {
    uint32_t hash = hash_bytes(s, n);
    size_t pos = hash;
    for (uint32_t id; (id = id_table_next(&p->name_table, hash, &pos)) != 0;) {
        const struct name_rec *r = &p->names.v[id];
        if (r->n == n && memcmp(r->s, s, n) == 0) return (name_id){id};
    }
    char *copy = arena_alloc(&p->arena, n + 1);
    memcpy(copy, s, n);
    name_id id = {(uint32_t)p->names.n};
    vec_push(&p->names, ((struct name_rec){copy, (uint32_t)n}));
    id_table_add(&p->name_table, hash, id.v);
    return id;
}

name_id program_name(struct program *p, const char *z) {
    return program_intern(p, z, strlen(z));
}

const char *program_str(const struct program *p, name_id name) {
    return p->names.v[name.v].s;
}

size_t program_str_len(const struct program *p, name_id name) {
    return p->names.v[name.v].n;
}

const char *program_class_name(const struct program *p, class_id c) {
    return program_str(p, program_rec(p, c)->info.name);
}

/* ---- classes by name ---- */

/* One class loader is assumed, so the package's name is the run-time package. */
static name_id package_of(struct program *p, name_id name) {
    const char *s = program_str(p, name);
    const char *slash = strrchr(s, '/');
    return slash ? program_intern(p, s, (size_t)(slash - s)) : program_intern(p, "", 0);
}

class_id program_add_class_(struct program *p, name_id name) {
    struct class_rec *rec = ARENA_NEW(&p->arena, struct class_rec);
    class_id id = {(uint32_t)p->classes.n};
    rec->info.id = rec->info.nest_host = id;
    rec->info.name = name;
    rec->info.package = package_of(p, name);
    rec->info.state = CLASS_NAMED;
    vec_push(&p->classes, rec);
    return id;
}

/* "[I" and "[Lx/Y;" as class names (checkcast, clone() of an array) are the array types. */
class_id program_class_n(struct program *p, name_id name) {
    uint32_t known = map64_get(&p->class_of_name, name.v, 0);
    if (known != 0) return (class_id){known};
    class_id id = {0};
    const char *s = program_str(p, name);
    if (s[0] == '[') id = program_type(p, s, program_str_len(p, name));
    if (id.v != 0) return id;
    id = program_add_class_(p, name);
    map64_put(&p->class_of_name, name.v, id.v);
    return id;
}

class_id program_class(struct program *p, const char *internal_name) {
    return program_class_n(p, program_name(p, internal_name));
}

/* The name of an array class is its descriptor. */
static name_id array_name(struct program *p, class_id component) {
    static const char prim[] = " VZBCSIJFD"; /* in the order of CLASS_VOID... */
    const char *s = program_class_name(p, component);
    size_t n = program_str_len(p, program_rec(p, component)->info.name);
    struct arena scratch;
    arena_init(&scratch);
    char *buf = arena_alloc(&scratch, n + 4);
    if (class_is_primitive(component)) {
        n = 2;
        buf[1] = prim[component.v];
    } else if (s[0] == '[') {
        memcpy(buf + 1, s, n++);
    } else {
        buf[1] = 'L';
        memcpy(buf + 2, s, n);
        buf[n + 2] = ';';
        n += 3;
    }
    buf[0] = '[';
    name_id name = program_intern(p, buf, n);
    arena_release(&scratch);
    return name;
}

/* Arrays are complete from the start (JLS 10.8): no class file will say more about them. */
class_id program_array_of(struct program *p, class_id component) {
    uint32_t known = map64_get(&p->array_of, component.v, 0);
    if (known != 0) return (class_id){known};

    name_id name = array_name(p, component);
    class_id id = program_add_class_(p, name);
    map64_put(&p->array_of, component.v, id.v);
    if (map64_get(&p->class_of_name, name.v, 0) == 0) map64_put(&p->class_of_name, name.v, id.v);

    struct class_rec *rec = program_rec(p, id);
    struct class_info *info = &rec->info;
    class_id *up = ARENA_NEW_N(&p->arena, 4, class_id);
    up[0] = (class_id){CLASS_OBJECT};
    up[1] = id;
    up[2] = (class_id){CLASS_CLONEABLE};
    up[3] = (class_id){CLASS_SERIALIZABLE};
    info->state = CLASS_BUILTIN;
    info->access = CF_ACC_PUBLIC | CF_ACC_FINAL | CF_ACC_ABSTRACT;
    info->super = up[0];
    info->interfaces = info->all_interfaces = up + 2; /* fixed ids, so sorted */
    info->n_interfaces = 2;
    info->n_all_interfaces = 2;
    info->depth = 1;
    info->superchain = up;
    info->component = component;
    info->dimensions = (uint16_t)(program_rec(p, component)->info.dimensions + 1);
    return id;
}

/* ---- descriptors ---- */

static class_id primitive(char c) {
    switch (c) {
    case 'V': return (class_id){CLASS_VOID};
    case 'Z': return (class_id){CLASS_BOOLEAN};
    case 'B': return (class_id){CLASS_BYTE};
    case 'C': return (class_id){CLASS_CHAR};
    case 'S': return (class_id){CLASS_SHORT};
    case 'I': return (class_id){CLASS_INT};
    case 'J': return (class_id){CLASS_LONG};
    case 'F': return (class_id){CLASS_FLOAT};
    case 'D': return (class_id){CLASS_DOUBLE};
    default: return (class_id){0};
    }
}

/* Length of the field descriptor at s (void not allowed), or 0. */
static size_t desc_length(const char *s, size_t n) {
    size_t i = 0;
    while (i < n && s[i] == '[') i++;
    if (i == n || i > 255 || s[i] == 'V') return 0;
    if (s[i] != 'L') return primitive(s[i]).v ? i + 1 : 0;
    const char *end = memchr(s + i, ';', n - i);
    return end && end > s + i + 1 ? (size_t)(end - s) + 1 : 0;
}

/* Of exactly one well-formed field descriptor. */
static class_id type_of(struct program *p, const char *s, size_t n) {
    if (n == 1) return primitive(s[0]);
    if (s[0] == 'L') {
        name_id name = program_intern(p, s + 1, n - 2);
        uint32_t known = map64_get(&p->class_of_name, name.v, 0);
        if (known == 0) {
            known = program_add_class_(p, name).v;
            map64_put(&p->class_of_name, name.v, known);
        }
        return (class_id){known};
    }
    name_id name = program_intern(p, s, n);
    uint32_t known = map64_get(&p->class_of_name, name.v, 0);
    if (known != 0) return (class_id){known};
    return program_array_of(p, type_of(p, s + 1, n - 1));
}

class_id program_type(struct program *p, const char *desc, size_t n) {
    if (n == 0 || desc_length(desc, n) != n) return (class_id){0};
    return type_of(p, desc, n);
}

/* Two passes: the arena cannot give back what a guess of the number of parameters would waste. */
static bool parse_sig(struct program *p, const char *s, size_t n, struct method_sig *sig) {
    if (n < 3 || s[0] != '(') return false;
    unsigned count = 0, words = 0;
    size_t i = 1;
    while (i < n && s[i] != ')') {
        size_t len = desc_length(s + i, n - i);
        if (len == 0 || ++count > 255) return false;
        words += s[i] == 'J' || s[i] == 'D' ? 2 : 1;
        i += len;
    }
    if (i + 1 >= n || words > 255) return false;
    class_id *params = ARENA_NEW_N(&p->arena, count ? count : 1, class_id);
    size_t at = 1;
    for (unsigned k = 0; k < count; k++) {
        size_t len = desc_length(s + at, n - at);
        params[k] = type_of(p, s + at, len);
        at += len;
    }
    sig->n_params = (uint16_t)count;
    sig->words = (uint16_t)words;
    sig->params = params;
    sig->result = s[i + 1] == 'V' && i + 2 == n ? primitive('V') : program_type(p, s + i + 1, n - i - 1);
    return sig->result.v != 0;
}

/* Malformed descriptors are remembered as NULL, like all others. */
const struct method_sig *program_sig(struct program *p, name_id desc) {
    uint32_t known = map64_get(&p->sig_of_desc, desc.v, UINT32_MAX);
    if (known != UINT32_MAX) return p->sigs.v[known];
    struct method_sig sig;
    const struct method_sig *kept = NULL;
    if (parse_sig(p, program_str(p, desc), program_str_len(p, desc), &sig))
        kept = arena_copy(&p->arena, &sig, sizeof sig);
    map64_put(&p->sig_of_desc, desc.v, (uint32_t)p->sigs.n);
    vec_push(&p->sigs, kept);
    return kept;
}
