/*
 * Forward simulation of verification types (JVMS 4.10.1) through a method, in one linear pass.
 *
 * The pass starts from the frame that the descriptor implies, takes every frame the class file states as it
 * is, and elsewhere computes the types instruction by instruction.  At a jump target without a stated frame
 * (inserted code; class files older than stack maps) the types of the jumps seen so far are merged; a
 * target that only later code jumps to has unknown types, and `now.live` is false there.
 *
 * Locals and stack are kept by slot: a long or double is followed by a TOP, which makes dup and friends plain
 * moves of slots.
 */
#ifndef RACE_FRAMESIM_H
#define RACE_FRAMESIM_H

#include "race/arena.h"
#include "race/classedit.h" /* struct cf_edit: constants, old and added */
#include "race/classfile.h"

/* Where a reference came from, as far as it is known. */
enum fs_origin {
    FS_ANYWHERE,
    FS_FRESH /* a new object, just constructed */,
    FS_HEAP /* a field or an array */
};

enum { FS_CONSTANT = 0xffff }; /* as base: the value is `plus` */

struct fs_type {
    uint8_t tag;    /* enum cf_vtype_tag */
    uint8_t origin; /* enum fs_origin */
    uint16_t from;  /* 1 + the local variable that still holds this very value, or 0 */
    uint16_t cls;   /* OBJECT: its CONSTANT_Class if one is known, else 0 */
    uint16_t base;  /* INTEGER: 1 + the local that this is `plus` more than, FS_CONSTANT, or 0 if that is not
                       known.  OBJECT with a `field`: 1 + the local with the object that it was read from */
    int16_t plus;
    uint16_t field; /* the CONSTANT_Fieldref that this was just read from, or 0; of a static one base is 0 */
    uint32_t site;  /* UNINIT: which `new`, in the caller's numbering.  INTEGER: 1 + that of the iaload that
                       brought this very value, or 0 */
    struct cf_str name; /* OBJECT: internal name, [ for arrays; UNINIT: the class it will be */
};

struct fs_state {
    bool live; /* false: not reachable from above, or not known */
    struct fs_type *locals, *stack;
    uint16_t n_locals, depth, max_stack;
};

struct framesim {
    struct cf_edit *edit;
    struct arena *arena;
    struct fs_state now;
    struct fs_type self;       /* the class under simulation */
    struct fs_type *declared;  /* locals at the method's entry: frames refer to parameters by position */
    bool failed;               /* stack under- or overflow, bad constants, no memory: types are void */
    struct fs_state **pending; /* by place: types brought by jumps from above */
    uint32_t n_places;
};

/* Places are whatever the caller numbers them: bytecode indices or positions in its own list. */
bool fs_init(struct framesim *s, struct cf_edit *e, struct arena *arena, uint32_t n_places,
             uint16_t max_locals, uint16_t max_stack);
/* Types at the method's entry. */
void fs_enter(struct framesim *s, uint16_t access, struct cf_str name, struct cf_str desc);
/* Takes a stated frame; sites of uninitialized types are bytecode indices, to be renumbered by `site_of`
   (NULL: kept). */
void fs_load(struct framesim *s, const struct cf_frame *f, const uint32_t *site_of);
/* Arrives at a place without a stated frame: merges what jumps brought. */
void fs_arrive(struct framesim *s, uint32_t place);
/* Records a jump from here to a place further on. */
void fs_jump(struct framesim *s, uint32_t place);
/* One instruction; site numbers a `new` or an iaload.  live becomes false behind an unconditional jump. */
void fs_step(struct framesim *s, uint8_t op, uint16_t index, int32_t value, uint32_t site);
/* An exception handler's start: only what `keep` says survives. */
void fs_set_stack(struct framesim *s, struct fs_type only);
struct fs_type fs_object(struct cf_str internal_name);
struct fs_type fs_of_vtype(const struct framesim *s, struct cf_vtype t);

/* The slot type at distance `slot` from the top of the stack; TOP outside. */
struct fs_type fs_peek(const struct framesim *s, unsigned slot);

/*
 * Walks the original code of a method:
 *
 *     struct fs_walk w;
 *     fs_walk_begin(&w, edit, arena, method);
 *     while (fs_walk_next(&w)) use(&w.insn, &w.sim.now);        (types before w.insn)
 */
struct fs_walk {
    struct framesim sim;
    const struct cf_code *code;
    struct cf_insn insn;
    uint32_t next_bci, next_frame;
    bool started;
};

bool fs_walk_begin(struct fs_walk *w, struct cf_edit *e, struct arena *arena, const struct cf_method *m);
bool fs_walk_next(struct fs_walk *w);

#endif
