/*
 * Random hierarchies, as class files for the JVM and as questions to the program model.
 *
 *     selection DIR SEED    writes classes and DIR/calls.txt, prints what each call should give
 *
 * Every method m and every field x yields the name of the class that declares it.  Members are public,
 * protected, package-private, private, static, abstract or missing at random, in two packages, which no
 * compiler would accept: exactly the cases in which resolution and selection are easy to get wrong.
 */
#include "class_builder.h"

#include "race/classfile.h"
#include "race/classpath.h"
#include "race/program.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { N_INTERFACES = 5, N_CLASSES = 7, N_TYPES = N_INTERFACES + N_CLASSES, MAX_CALLS = 1000 };

#define METHOD_DESC "()Ljava/lang/String;"
#define FIELD_DESC "Ljava/lang/String;"

struct type {
    char name[16];
    bool is_interface;
    int super;      /* another type or -1 */
    int parents[3]; /* interfaces */
    int n_parents;
    int method, field; /* access flags or -1 */
};

enum call_kind { CALL_VIRTUAL, CALL_INTERFACE, CALL_SPECIAL, CALL_FIELD };

struct call {
    enum call_kind kind;
    int from, named, receiver;
};

struct world {
    struct type types[N_TYPES];
    struct call calls[MAX_CALLS];
    int n_calls;
    uint32_t seed;
    const char *dir;
};

static unsigned pick(struct world *w, unsigned n) {
    w->seed = w->seed * 1664525 + 1013904223;
    return (w->seed >> 11) % n;
}

/* ---- the hierarchy ---- */

static void add_parents(struct world *w, struct type *t, int limit) {
    t->n_parents = 0;
    for (int i = 0; i < limit && t->n_parents < 3; i++)
        if (pick(w, 3) == 0) t->parents[t->n_parents++] = i;
}

static int class_member(struct world *w, bool is_field) {
    static const int access[] = {CF_ACC_PUBLIC, CF_ACC_PROTECTED, 0, CF_ACC_PRIVATE};
    unsigned k = pick(w, 12);
    if (k < 4) return -1;
    int flags = access[pick(w, 4)];
    if (is_field) return flags | CF_ACC_STATIC;
    if (k == 4) flags |= CF_ACC_STATIC;
    if (k == 5 && !(flags & CF_ACC_PRIVATE)) flags |= CF_ACC_ABSTRACT;
    return flags;
}

static int interface_member(struct world *w, bool is_field) {
    if (is_field) return pick(w, 3) == 0 ? CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_FINAL : -1;
    switch (pick(w, 8)) {
    case 0:
    case 1: return CF_ACC_PUBLIC;
    case 2:
    case 3: return CF_ACC_PUBLIC | CF_ACC_ABSTRACT;
    case 4: return CF_ACC_PRIVATE;
    case 5: return CF_ACC_PUBLIC | CF_ACC_STATIC;
    default: return -1;
    }
}

static void make_types(struct world *w) {
    for (int i = 0; i < N_TYPES; i++) {
        struct type *t = &w->types[i];
        t->is_interface = i < N_INTERFACES;
        snprintf(t->name, sizeof t->name, "%c/%c%d", pick(w, 2) ? 'p' : 'q', t->is_interface ? 'I' : 'C', i);
        t->super = i > N_INTERFACES && pick(w, 5) > 0
                       ? N_INTERFACES + (int)pick(w, (unsigned)(i - N_INTERFACES))
                       : -1;
        add_parents(w, t, t->is_interface ? i : N_INTERFACES);
        t->method = t->is_interface ? interface_member(w, false) : class_member(w, false);
        t->field = t->is_interface ? interface_member(w, true) : class_member(w, true);
    }
}

static bool is_below(const struct world *w, int sub, int super) {
    if (sub == super) return true;
    const struct type *t = &w->types[sub];
    if (t->super >= 0 && is_below(w, t->super, super)) return true;
    for (int i = 0; i < t->n_parents; i++)
        if (is_below(w, t->parents[i], super)) return true;
    return false;
}

/* invokespecial may name the class itself, a superclass or a direct superinterface; else it does not verify.
 */
static bool may_call_special(const struct world *w, int from, int named) {
    const struct type *t = &w->types[from];
    if (!w->types[named].is_interface) return is_below(w, from, named);
    for (int i = 0; i < t->n_parents; i++)
        if (t->parents[i] == named) return true;
    return false;
}

static void make_calls(struct world *w) {
    for (int named = 0; named < N_TYPES; named++) {
        for (int from = N_INTERFACES; from < N_TYPES; from++) {
            w->calls[w->n_calls++] = (struct call){CALL_FIELD, from, named, from};
            if (may_call_special(w, from, named))
                w->calls[w->n_calls++] = (struct call){CALL_SPECIAL, from, named, from};
        }
        for (int receiver = N_INTERFACES; receiver < N_TYPES; receiver++) {
            if (!is_below(w, receiver, named)) continue;
            int from = N_INTERFACES + (int)pick(w, N_CLASSES);
            /* A protected method of another package is called on the caller's own kind only. */
            if (is_below(w, from, named) && !is_below(w, receiver, from)) from = receiver;
            enum call_kind kind = w->types[named].is_interface ? CALL_INTERFACE : CALL_VIRTUAL;
            w->calls[w->n_calls++] = (struct call){kind, from, named, receiver};
        }
    }
}

/* ---- class files ---- */

static void write_member(struct class_builder *cb, int flags, const char *name, const char *desc,
                         unsigned n_attrs) {
    cb_u2(cb, (unsigned)flags);
    cb_u2(cb, cb_utf8(cb, name));
    cb_u2(cb, cb_utf8(cb, desc));
    cb_u2(cb, n_attrs);
}

static void write_code(struct class_builder *cb, const uint8_t *code, unsigned n) {
    size_t attr = cb_attr_begin(cb, "Code");
    cb_u2(cb, 4);
    cb_u2(cb, 4);
    cb_u4(cb, n);
    for (unsigned i = 0; i < n; i++) cb_u1(cb, code[i]);
    cb_u2(cb, 0);
    cb_u2(cb, 0);
    cb_attr_end(cb, attr);
}

static void write_fields(struct class_builder *cb, const struct type *t) {
    cb_u2(cb, t->field >= 0);
    if (t->field < 0) return;
    write_member(cb, t->field, "x", FIELD_DESC, 1);
    size_t attr = cb_attr_begin(cb, "ConstantValue");
    cb_u2(cb, cb_ref1(cb, 8, t->name));
    cb_attr_end(cb, attr);
}

static void write_init(struct class_builder *cb, const char *super) {
    uint16_t init = cb_member(cb, 10, super, "<init>", "()V");
    const uint8_t code[] = {0x2a, 0xb7, (uint8_t)(init >> 8), (uint8_t)init, 0xb1};
    write_member(cb, CF_ACC_PUBLIC, "<init>", "()V", 1);
    write_code(cb, code, sizeof code);
}

static void write_m(struct class_builder *cb, const struct type *t) {
    bool has_code = !(t->method & CF_ACC_ABSTRACT);
    write_member(cb, t->method, "m", METHOD_DESC, has_code);
    if (!has_code) return;
    uint16_t text = cb_ref1(cb, 8, t->name);
    const uint8_t code[] = {0x13, (uint8_t)(text >> 8), (uint8_t)text, 0xb0};
    write_code(cb, code, sizeof code);
}

static void write_call(struct class_builder *cb, const struct world *w, int i) {
    const struct call *c = &w->calls[i];
    const struct type *named = &w->types[c->named];
    char name[16];
    snprintf(name, sizeof name, "call%d", i);
    write_member(cb, CF_ACC_PUBLIC | CF_ACC_STATIC, name, METHOD_DESC, 1);
    if (c->kind == CALL_FIELD) {
        uint16_t f = cb_member(cb, 9, named->name, "x", FIELD_DESC);
        const uint8_t code[] = {0xb2, (uint8_t)(f >> 8), (uint8_t)f, 0xb0};
        write_code(cb, code, sizeof code);
        return;
    }
    static const uint8_t ops[] = {[CALL_VIRTUAL] = 0xb6, [CALL_INTERFACE] = 0xb9, [CALL_SPECIAL] = 0xb7};
    uint16_t k = cb_class(cb, w->types[c->receiver].name);
    uint16_t init = cb_member(cb, 10, w->types[c->receiver].name, "<init>", "()V");
    uint16_t m = cb_member(cb, named->is_interface ? 11 : 10, named->name, "m", METHOD_DESC);
    uint8_t code[16] = {
        0xbb,          (uint8_t)(k >> 8), (uint8_t)k,        0x59,      0xb7, (uint8_t)(init >> 8),
        (uint8_t)init, ops[c->kind],      (uint8_t)(m >> 8), (uint8_t)m};
    unsigned n = 10;
    if (c->kind == CALL_INTERFACE) code[n++] = 1, code[n++] = 0;
    code[n++] = 0xb0;
    write_code(cb, code, n);
}

static void write_methods(struct class_builder *cb, const struct world *w, int index, const char *super) {
    const struct type *t = &w->types[index];
    unsigned n = (t->method >= 0) + !t->is_interface;
    for (int i = 0; i < w->n_calls; i++) n += w->calls[i].from == index;
    cb_u2(cb, n);
    if (!t->is_interface) write_init(cb, super);
    if (t->method >= 0) write_m(cb, t);
    for (int i = 0; i < w->n_calls; i++)
        if (w->calls[i].from == index) write_call(cb, w, i);
}

static void write_file(const struct world *w, const char *name, const uint8_t *data, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%c", w->dir, name[0]);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s.class", w->dir, name);
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(data, 1, size, f) != size || fclose(f) != 0) {
        perror(path);
        exit(2);
    }
}

static void write_type(const struct world *w, int index) {
    const struct type *t = &w->types[index];
    const char *super = t->super >= 0 ? w->types[t->super].name : "java/lang/Object";
    struct class_builder cb;
    cb_init(&cb, 61);
    cb_u2(&cb, CF_ACC_PUBLIC |
                   (t->is_interface ? CF_ACC_INTERFACE | CF_ACC_ABSTRACT : CF_ACC_SYNCHRONIZED /* super */));
    cb_u2(&cb, cb_class(&cb, t->name));
    cb_u2(&cb, cb_class(&cb, super));
    cb_u2(&cb, (unsigned)t->n_parents);
    for (int i = 0; i < t->n_parents; i++) cb_u2(&cb, cb_class(&cb, w->types[t->parents[i]].name));
    write_fields(&cb, t);
    write_methods(&cb, w, index, super);
    cb_u2(&cb, 0);
    size_t size;
    uint8_t *data = cb_finish(&cb, &size);
    write_file(w, t->name, data, size);
    free(data);
    cb_release(&cb);
}

/* ---- the model's answers; NULL where the JVM throws a LinkageError ---- */

static const char *field_answer(struct program *p, class_id from, class_id named) {
    field_id f = program_resolve_field(p, named, program_name(p, "x"), program_name(p, FIELD_DESC));
    if (f.v == 0 || !program_can_access_field(p, from, f, named)) return NULL;
    return program_class_name(p, program_field(p, f)->owner);
}

/*
 * Where a class of the receiver declares m private or static and interfaces have defaults for it, HotSpot
 * finds the default, finds the private method, or throws, depending on where interfaces are listed again. The
 * model follows the specification (the search goes on for virtual calls, and stops for special ones); such
 * calls are not compared.
 */
static bool is_left_out(const struct world *w, const struct call *c, const char *owner) {
    if (owner == NULL || c->kind == CALL_FIELD) return false;
    bool is_default = owner[2] == 'I';
    int hidden = CF_ACC_PRIVATE | (is_default ? CF_ACC_STATIC : 0);
    if (is_default != (c->kind != CALL_SPECIAL)) return false;
    if (c->kind == CALL_SPECIAL && strcmp(owner, w->types[c->from].name) == 0) return false;
    for (int at = c->receiver; at >= 0; at = w->types[at].super) {
        const struct type *t = &w->types[at];
        if (c->kind == CALL_SPECIAL && strcmp(owner, t->name) != 0) continue;
        if (t->method >= 0 && (t->method & hidden)) return true;
    }
    return false;
}

static const char *answer(struct program *p, const struct world *w, const struct call *c) {
    class_id from = program_class(p, w->types[c->from].name),
             named = program_class(p, w->types[c->named].name);
    if (c->kind == CALL_FIELD) return field_answer(p, from, named);
    method_id r = program_resolve_method(p, named, program_name(p, "m"), program_name(p, METHOD_DESC),
                                         w->types[c->named].is_interface);
    if (r.v == 0 || !program_can_access_method(p, from, r, named)) return NULL;
    if (program_method(p, r)->access & CF_ACC_STATIC) return NULL;
    class_id receiver = program_class(p, w->types[c->receiver].name);
    method_id m = c->kind == CALL_SPECIAL ? program_dispatch_special(p, from, named, r)
                                          : program_dispatch(p, receiver, r);
    if (m.v == 0) return NULL;
    const struct method_info *info = program_method(p, m);
    /* JVMS 6.5: what invokeinterface selects must be public or private. */
    if (c->kind == CALL_INTERFACE && !(info->access & (CF_ACC_PUBLIC | CF_ACC_PRIVATE))) return NULL;
    return program_class_name(p, info->owner);
}

static void print_answers(struct world *w) {
    struct race_error err = {0};
    struct classpath *cp = classpath_open(&(struct classpath_options){.path = w->dir}, &err);
    if (cp == NULL) {
        fprintf(stderr, "%s\n", err.what);
        exit(2);
    }
    struct class_source source = classpath_source(cp);
    struct program *p = program_new(&source, (struct program_options){0});
    static const char *const kinds[] = {"virtual", "interface", "special", "field"};
    char path[512];
    snprintf(path, sizeof path, "%s/calls.txt", w->dir);
    FILE *list = fopen(path, "w");
    if (list == NULL) exit(2);
    for (int i = 0; i < w->n_calls; i++) {
        const struct call *c = &w->calls[i];
        const char *got = answer(p, w, c);
        if (is_left_out(w, c, got)) continue;
        char line[128];
        snprintf(line, sizeof line, "%s call%d %s:%s.on.%s", w->types[c->from].name, i, kinds[c->kind],
                 w->types[c->named].name, w->types[c->receiver].name);
        fprintf(list, "%s\n", line);
        printf("%s %s\n", line, got ? got : "error");
    }
    fclose(list);
    program_free(p);
    classpath_free(cp);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: selection DIR SEED\n", stderr);
        return 64;
    }
    struct world w = {.dir = argv[1], .seed = (uint32_t)atoi(argv[2]) * 2654435761u};
    make_types(&w);
    make_calls(&w);
    for (int i = 0; i < N_TYPES; i++) write_type(&w, i);
    print_answers(&w);
    return 0;
}
