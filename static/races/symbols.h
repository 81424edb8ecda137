/*
 * Integers as formulas: sums of products of a constant and *atoms*, numbers that have one value in a whole
 * run (a final field of the only object, a variable that is set once) or one for each thread (its number).
 *
 * A formula stands for a mathematical integer.  Whoever makes one from Java's arithmetic has to know that the
 * result did not wrap around: the functions below that take `is_long` answer "not known" if it might.
 */
#ifndef RACE_RACES_SYMBOLS_H
#define RACE_RACES_SYMBOLS_H

#include "internal.h"

enum atom_kind {
    ATOM_NUMBER, /* of the running thread: no two threads of a kind that may run at once have the same */
    ATOM_FIELD,  /* an int field of the only object */
    ATOM_STATIC, /* a static final int */
    ATOM_VAR,    /* a variable that gets a value once */
    ATOM_LENGTH, /* of the only array that an abstract object stands for */
    ATOM_QUOTIENT
};

enum { SYM_TERMS = 4, SYM_ATOMS = 3 };

struct sym_term {
    int64_t factor;
    uint32_t n;
    uint32_t atoms[SYM_ATOMS]; /* ascending */
};

/* The constant is a term without atoms; terms are in order of their atoms, none has factor 0. */
struct sym {
    bool known;
    uint32_t n;
    struct sym_term terms[SYM_TERMS];
};

enum { SYM_LENGTHS = 4 };

/* What is known of the thread's number, 0 <= number < bound, and of others. */
struct sym_world {
    struct races *r;
    struct sym bound; /* not known: no bound */
    unsigned n_lengths;
    struct sym lengths[SYM_LENGTHS]; /* of arrays that exist: not negative */
};

struct sym sym_const(int64_t v);
struct sym sym_number(struct races *r);
/* An atom named by two numbers; int32 unless it is a length. */
struct sym sym_atom(struct races *r, enum atom_kind kind, uint32_t a, uint32_t b);

struct sym sym_add(const struct sym_world *w, struct sym a, struct sym b, bool is_long);
struct sym sym_sub(const struct sym_world *w, struct sym a, struct sym b, bool is_long);
struct sym sym_mul(const struct sym_world *w, struct sym a, struct sym b, bool is_long);
struct sym sym_div(const struct sym_world *w, struct sym a, struct sym b);
/* The same number as an int, if it is one. */
struct sym sym_narrow(const struct sym_world *w, struct sym a);

bool sym_equal(const struct sym *a, const struct sym *b);
/* Whether a <= b, whatever the atoms are: their difference is a constant. */
bool sym_at_most(const struct sym *a, const struct sym *b);
/* The formula for the next number: number + 1 in the place of number. */
struct sym sym_next(const struct sym_world *w, struct sym a);
/* Whether it never falls as the number grows. */
bool sym_grows(const struct sym_world *w, const struct sym *a);
bool sym_has_number(struct races *r, const struct sym *a);

void symbols_release(struct races *r);

#endif
