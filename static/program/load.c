/* The program's lifetime, and classes from name to loaded. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- parsed class files ---- */

static void file_free(struct program *p, struct class_file *f) {
    if (f == NULL) return;
    program_rec(p, f->cls)->file = NULL;
    cf_class_release(&f->cf);
    if (p->source.drop != NULL) p->source.drop(p->source.ctx, &f->bytes);
    free(f->cp_ids);
    free(f);
}

void program_files_release_(struct program *p) {
    for (size_t i = 1; i < p->classes.n; i++) file_free(p, p->classes.v[i]->file);
}

/* Takes the place of the oldest file that is not pinned; if all are, the ring simply does not know this one,
   and it stays until the program ends. */
static void remember(struct program *p, struct class_file *f) {
    if (p->options.keep_class_files) return;
    for (uint32_t i = 0; i < p->n_parsed; i++) {
        uint32_t slot = p->next_parsed++ % p->n_parsed;
        if (p->parsed[slot] != NULL && p->parsed[slot]->pinned) continue;
        file_free(p, p->parsed[slot]);
        p->parsed[slot] = f;
        return;
    }
}

/* NULL if there is no such class; broken ones set the program's error. */
static struct class_file *read_file(struct program *p, class_id c) {
    struct race_error err = {0};
    struct class_bytes bytes = {0};
    if (!p->source.find(p->source.ctx, program_class_name(p, c), &bytes, &err)) {
        if (err.set && !p->error.set) p->error = err;
        return NULL;
    }
    struct class_file *f = calloc(1, sizeof *f);
    if (f == NULL) abort();
    f->bytes = bytes;
    f->cls = c;
    if (!cf_parse(&f->cf, bytes.data, bytes.size, &err)) {
        race_error_set_file(&err, bytes.origin);
        if (!p->error.set) p->error = err;
        if (p->source.drop != NULL) p->source.drop(p->source.ctx, &f->bytes);
        free(f);
        return NULL;
    }
    program_rec(p, c)->file = f;
    remember(p, f);
    return f;
}

struct class_file *program_file_(struct program *p, class_id c) {
    struct class_rec *rec = program_rec(p, c);
    if (rec->info.state == CLASS_NAMED) program_load_(p, c);
    if (rec->info.state != CLASS_LOADED) return NULL;
    return rec->file != NULL ? rec->file : read_file(p, c);
}

const struct cf_class *program_class_file(struct program *p, class_id c) {
    struct class_file *f = program_file_(p, c);
    return f ? &f->cf : NULL;
}

void program_pin(struct program *p, class_id c, bool pinned) {
    struct class_file *f = program_file_(p, c);
    if (f != NULL) f->pinned = pinned;
}

const struct cf_method *program_cf_method(struct program *p, method_id m) {
    const struct method_info *info = program_method(p, m);
    const struct cf_class *cf = program_class_file(p, info->owner);
    return cf ? &cf->methods[info->index] : NULL;
}

/* ---- members ---- */

void program_add_method_(struct program *p, const struct method_info *m) {
    id_table_add(&p->method_table, hash_three(m->owner.v, m->name.v, m->desc.v), (uint32_t)p->methods.n);
    vec_push(&p->methods, m);
}

void program_add_field_(struct program *p, const struct field_info *f) {
    id_table_add(&p->field_table, hash_three(f->owner.v, f->name.v, f->desc.v), (uint32_t)p->fields.n);
    vec_push(&p->fields, f);
}

/* JVMS 2.9.3: native and varargs, with the one parameter Object[], in one of the two classes. */
static bool is_sig_polymorphic(struct program *p, const struct method_info *m) {
    if (m->owner.v != CLASS_METHOD_HANDLE && m->owner.v != CLASS_VAR_HANDLE) return false;
    uint16_t both = CF_ACC_NATIVE | CF_ACC_TRANSIENT; /* TRANSIENT's bit is VARARGS on methods */
    return (m->access & both) == both && m->sig->n_params == 1 &&
           m->sig->params[0].v == program_array_of(p, (class_id){CLASS_OBJECT}).v;
}

static bool read_fields(struct program *p, struct class_info *info, struct class_file *file,
                        struct race_error *err) {
    const struct cf_class *cf = &file->cf;
    struct field_info *fields = ARENA_NEW_N(&p->arena, cf->n_fields + 1u, struct field_info);
    for (uint16_t i = 0; i < cf->n_fields; i++) {
        struct cf_str desc = cf_utf8(cf, cf->fields[i].desc);
        struct field_info *f = &fields[i];
        f->owner = info->id;
        f->name = program_utf8_(p, file, cf->fields[i].name);
        f->desc = program_utf8_(p, file, cf->fields[i].desc);
        f->type = program_type(p, desc.p, desc.n);
        f->access = cf->fields[i].access;
        f->index = i;
        if (f->type.v == 0)
            return race_fail_at(err, cf->fields[i].offset, "bad field descriptor %.*s", (int)desc.n, desc.p);
    }
    info->first_field.v = (uint32_t)p->fields.n;
    info->n_fields = cf->n_fields;
    for (uint16_t i = 0; i < cf->n_fields; i++) program_add_field_(p, &fields[i]);
    return true;
}

static bool read_methods(struct program *p, struct class_info *info, struct class_file *file,
                         struct race_error *err) {
    const struct cf_class *cf = &file->cf;
    struct method_info *methods = ARENA_NEW_N(&p->arena, cf->n_methods + 1u, struct method_info);
    for (uint16_t i = 0; i < cf->n_methods; i++) {
        struct method_info *m = &methods[i];
        m->owner = info->id;
        m->name = program_utf8_(p, file, cf->methods[i].name);
        m->desc = program_utf8_(p, file, cf->methods[i].desc);
        m->sig = program_sig(p, m->desc);
        m->access = cf->methods[i].access;
        m->index = i;
        m->has_code = cf->methods[i].code != NULL;
        if (m->sig == NULL)
            return race_fail_at(err, cf->methods[i].offset, "bad method descriptor %s",
                                program_str(p, m->desc));
        m->sig_polymorphic = is_sig_polymorphic(p, m);
    }
    info->first_method.v = (uint32_t)p->methods.n;
    info->n_methods = cf->n_methods;
    for (uint16_t i = 0; i < cf->n_methods; i++) program_add_method_(p, &methods[i]);
    return true;
}

/* ---- loading ---- */

/* program_cp_class() needs a loaded class; this one is about to be. */
static class_id class_named(struct program *p, struct class_file *f, uint16_t index) {
    if (index == 0) return (class_id){0};
    return program_class_n(p, program_utf8_(p, f, f->cf.pool[index].a));
}

/* Of a phantom nothing is known; as a direct subclass of Object it fits into every query. */
static void make_phantom(struct program *p, struct class_rec *rec) {
    struct class_info *info = &rec->info;
    info->state = CLASS_PHANTOM;
    info->incomplete = true;
    info->access = CF_ACC_PUBLIC;
    info->super.v = info->id.v == CLASS_OBJECT ? 0 : CLASS_OBJECT;
    info->n_interfaces = 0;
    if (info->super.v != 0) program_load_(p, info->super);
    program_close_upwards_(p, rec);
    vec_push(&p->phantoms, info->id);
}

/* Takes over everything but the supertypes' own contents; the parsed file is not needed afterwards. */
static bool read_class(struct program *p, struct class_rec *rec, struct class_file *f,
                       struct race_error *err) {
    struct class_info *info = &rec->info;
    const struct cf_class *cf = &f->cf;
    info->origin = arena_strdup(&p->arena, f->bytes.origin ? f->bytes.origin : "");
    info->from_jdk = f->bytes.from_jdk;
    info->access = cf->access;
    info->major = cf->major;
    info->super = class_named(p, f, cf->super_class);
    class_id *interfaces = ARENA_NEW_N(&p->arena, cf->n_interfaces + 1u, class_id);
    for (uint16_t i = 0; i < cf->n_interfaces; i++) interfaces[i] = class_named(p, f, cf->interfaces[i]);
    info->interfaces = interfaces;
    info->n_interfaces = cf->n_interfaces;
    if (cf->source_file != 0) info->source_file = program_utf8_(p, f, cf->source_file);
    if (cf->nest_host != 0) info->nest_host = class_named(p, f, cf->nest_host);
    bool is_module = (cf->access & CF_ACC_MODULE) != 0;
    if (info->super.v == 0 && info->id.v != CLASS_OBJECT && !is_module)
        return race_fail(err, "only java/lang/Object may have no superclass");
    return read_fields(p, info, f, err) && read_methods(p, info, f, err);
}

/* Supertypes are loaded while their subtype is LOADING, which is how a cycle is noticed. */
static bool load_super(struct program *p, struct class_info *info, class_id super, struct race_error *err) {
    struct class_rec *rec = program_rec(p, super);
    if (rec->info.state == CLASS_LOADING)
        return race_fail(err, "class %s is its own superclass or superinterface, through %s",
                         program_str(p, rec->info.name), program_str(p, info->name));
    if (rec->info.state == CLASS_NAMED) program_load_(p, super);
    info->incomplete |= rec->info.incomplete;
    return true;
}

static bool load_supers(struct program *p, struct class_info *info, struct race_error *err) {
    if (info->super.v != 0 && !load_super(p, info, info->super, err)) return false;
    for (uint16_t i = 0; i < info->n_interfaces; i++)
        if (!load_super(p, info, info->interfaces[i], err)) return false;
    return true;
}

/* A class whose file was broken keeps no members, so that nobody sees half of one. */
static void make_broken(struct program *p, struct class_rec *rec, struct race_error *err) {
    race_error_set_file(err, rec->info.origin);
    if (!p->error.set) p->error = *err;
    rec->info.n_fields = rec->info.n_methods = 0;
    make_phantom(p, rec);
}

void program_load_(struct program *p, class_id c) {
    struct class_rec *rec = program_rec(p, c);
    if (rec->info.state != CLASS_NAMED) return;
    struct class_file *f = read_file(p, c);
    struct race_error err = {0};
    /* As in the JVM, a file that holds another class than its name says does not define the class asked for.
     */
    struct cf_str own = f ? cf_class_name(&f->cf, f->cf.this_class) : (struct cf_str){0};
    if (f == NULL || !cf_str_is(own, program_class_name(p, c))) {
        make_phantom(p, rec);
        return;
    }
    rec->info.state = CLASS_LOADING;
    if (!read_class(p, rec, f, &err) || !load_supers(p, &rec->info, &err)) {
        make_broken(p, rec, &err);
        return;
    }
    rec->info.state = CLASS_LOADED;
    program_close_upwards_(p, rec);
}

static bool load_one(void *arg, const char *name) {
    struct program *p = arg;
    program_load_(p, program_class(p, name));
    return true;
}

bool program_load_all(struct program *p, struct race_error *err) {
    if (p->source.each == NULL) return race_fail(err, "this class path cannot list its classes");
    if (!p->source.each(p->source.ctx, load_one, p, err)) return false;
    if (p->error.set && !err->set) *err = p->error;
    return !p->error.set;
}

/* ---- the program ---- */

static void add_fixed_classes(struct program *p) {
    static const char *const names[CLASS_N_FIXED] = {
        [CLASS_VOID] = "void",
        [CLASS_BOOLEAN] = "boolean",
        [CLASS_BYTE] = "byte",
        [CLASS_CHAR] = "char",
        [CLASS_SHORT] = "short",
        [CLASS_INT] = "int",
        [CLASS_LONG] = "long",
        [CLASS_FLOAT] = "float",
        [CLASS_DOUBLE] = "double",
        [CLASS_OBJECT] = "java/lang/Object",
        [CLASS_STRING] = "java/lang/String",
        [CLASS_CLASS] = "java/lang/Class",
        [CLASS_THROWABLE] = "java/lang/Throwable",
        [CLASS_THREAD] = "java/lang/Thread",
        [CLASS_RUNNABLE] = "java/lang/Runnable",
        [CLASS_CLONEABLE] = "java/lang/Cloneable",
        [CLASS_SERIALIZABLE] = "java/io/Serializable",
        [CLASS_METHOD_HANDLE] = "java/lang/invoke/MethodHandle",
        [CLASS_METHOD_TYPE] = "java/lang/invoke/MethodType",
        [CLASS_VAR_HANDLE] = "java/lang/invoke/VarHandle",
    };
    for (uint32_t i = 1; i < CLASS_N_FIXED; i++) {
        name_id name = program_name(p, names[i]);
        class_id c = program_add_class_(p, name);
        /* Primitives are not found by name: a class file may well define a class called "int". */
        if (i > CLASS_DOUBLE)
            map64_put(&p->class_of_name, name.v, c.v);
        else
            program_rec(p, c)->info.state = CLASS_BUILTIN;
    }
}

struct program *program_new(const struct class_source *source, struct program_options options) {
    struct program *p = calloc(1, sizeof *p);
    if (p == NULL) abort();
    p->source = *source;
    p->options = options;
    p->n_parsed = options.parsed_files ? options.parsed_files : PARSED_FILES;
    p->parsed = calloc(p->n_parsed, sizeof *p->parsed);
    if (p->parsed == NULL) abort();
    arena_init(&p->arena);
    /* Id 0 means none in every table. */
    vec_push(&p->names, ((struct name_rec){"", 0}));
    vec_push(&p->classes, NULL);
    vec_push(&p->methods, NULL);
    vec_push(&p->fields, NULL);
    vec_push(&p->refs, ARENA_NEW(&p->arena, struct ref_rec));
    vec_push(&p->handles, ARENA_NEW(&p->arena, struct handle_info));
    vec_push(&p->dyns, ARENA_NEW(&p->arena, struct dyn_info));
    add_fixed_classes(p);
    return p;
}

void program_free(struct program *p) {
    if (p == NULL) return;
    program_files_release_(p);
    for (size_t i = 1; i < p->classes.n; i++) vec_release(&p->classes.v[i]->subs);
    vec_release(&p->names);
    vec_release(&p->classes);
    vec_release(&p->methods);
    vec_release(&p->fields);
    vec_release(&p->phantoms);
    vec_release(&p->sigs);
    vec_release(&p->refs);
    vec_release(&p->handles);
    vec_release(&p->dyns);
    id_table_release(&p->name_table);
    id_table_release(&p->method_table);
    id_table_release(&p->field_table);
    id_table_release(&p->ref_table);
    struct map64 *maps[] = {&p->class_of_name, &p->type_of_desc, &p->array_of, &p->sig_of_desc,
                            &p->handle_of_cp,  &p->dyn_of_cp,    &p->dispatch};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map64_release(maps[i]);
    arena_release(&p->arena);
    free(p->parsed);
    free(p);
}

bool program_failed(const struct program *p, struct race_error *err) {
    if (p->error.set && err != NULL && !err->set) *err = p->error;
    return p->error.set;
}

uint32_t program_n_classes(const struct program *p) {
    return (uint32_t)p->classes.n - 1;
}

uint32_t program_n_methods(const struct program *p) {
    return (uint32_t)p->methods.n - 1;
}

uint32_t program_n_fields(const struct program *p) {
    return (uint32_t)p->fields.n - 1;
}

const class_id *program_phantoms(const struct program *p, uint32_t *n) {
    *n = (uint32_t)p->phantoms.n;
    return p->phantoms.v;
}

class_id program_find_class(struct program *p, const char *internal_name) {
    class_id c = program_class(p, internal_name);
    const struct class_info *info = program_info(p, c);
    return info->state == CLASS_PHANTOM ? (class_id){0} : c;
}

const struct class_info *program_info(struct program *p, class_id c) {
    struct class_rec *rec = program_rec(p, c);
    if (rec->info.state == CLASS_NAMED) program_load_(p, c);
    return &rec->info;
}

const struct class_info *program_peek(const struct program *p, class_id c) {
    return &program_rec(p, c)->info;
}

const struct method_info *program_method(const struct program *p, method_id m) {
    return p->methods.v[m.v];
}

const struct field_info *program_field(const struct program *p, field_id f) {
    return p->fields.v[f.v];
}
