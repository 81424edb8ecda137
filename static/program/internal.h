/*
 * What the files of the program model share.
 *
 * Reading order: names.c (strings, types, signatures), load.c (classes and their files), hierarchy.c,
 * resolve.c (5.4.3, 5.4.4), select.c (5.4.5, 5.4.6), refs.c (constant pools), dump.c.
 */
#ifndef RACE_PROGRAM_INTERNAL_H
#define RACE_PROGRAM_INTERNAL_H

#include "race/arena.h"
#include "race/program.h"
#include "race/vec.h"

#include "tables.h"

/* A parsed class file with what its constant pool has been turned into so far. */
struct class_file {
    struct cf_class cf;
    struct class_bytes bytes;
    uint32_t *cp_ids; /* per pool entry: by its tag a name_id, class_id or ref_id; 0 = not asked yet */
    class_id cls;
    bool pinned;
};

struct class_rec {
    struct class_info info;
    struct class_file *file; /* NULL if not parsed at the moment */
    VEC(class_id) subs;      /* direct, loaded */
    uint8_t nest_checked;    /* 0 not yet, 1 the host confirms, 2 it does not */
};

struct name_rec {
    const char *s;
    uint32_t n;
};

struct ref_rec {
    struct member_ref ref;
    uint32_t resolved; /* method_id or field_id */
    bool done;         /* `resolved` is known */
};

/* A solver that builds IR as it reaches methods jumps between classes, and parsing twice costs more than
 * memory. */
enum { PARSED_FILES = 1024 };

struct program {
    struct class_source source;
    struct program_options options;
    struct race_error error;
    struct arena arena; /* owns every string, *_info and signature */

    VEC(struct name_rec) names;
    struct id_table name_table;
    VEC(struct class_rec *) classes;
    VEC(const struct method_info *) methods;
    VEC(const struct field_info *) fields;
    struct id_table method_table, field_table; /* by owner, name and descriptor */
    VEC(class_id) phantoms;

    struct map64 class_of_name, type_of_desc, array_of, sig_of_desc;
    VEC(const struct method_sig *) sigs;

    VEC(struct ref_rec *) refs; /* pointers, so that what callers hold survives growth */
    struct id_table ref_table;
    VEC(const struct handle_info *) handles;
    VEC(const struct dyn_info *) dyns;
    struct map64 handle_of_cp, dyn_of_cp; /* by class and constant-pool index */
    struct map64 dispatch;                /* by receiver class and resolved method */

    struct class_file **parsed; /* ring of the files parsed last, if not all are kept */
    uint32_t n_parsed, next_parsed;
};

static inline struct class_rec *program_rec(const struct program *p, class_id c) {
    return p->classes.v[c.v];
}

class_id program_add_class_(struct program *p, name_id name);
void program_load_(struct program *p, class_id c);
struct class_file *program_file_(struct program *p, class_id c);
name_id program_utf8_(struct program *p, struct class_file *f, uint16_t index);
void program_files_release_(struct program *p);
void program_add_method_(struct program *p, const struct method_info *m);
void program_add_field_(struct program *p, const struct field_info *f);
/* Fills superchain, all_interfaces and the subclass lists; supertypes are loaded. */
void program_close_upwards_(struct program *p, struct class_rec *rec);
/* Among the maximally-specific superinterface methods: the only one that is not abstract, else 0; `any` gets
   some superinterface method that is neither private nor static. */
method_id program_default_method_(struct program *p, class_id c, name_id name, name_id desc, method_id *any);

#endif
