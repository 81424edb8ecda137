/*
 * Relations over small finite domains, stored as BDDs: what a literal reading of Datalog rules needs.
 *
 * A space has a fixed list of columns, each of a domain; a relation has some of the columns.  Joining two
 * relations means that they agree on the columns they share, so a rule is written with one column per
 * variable of the rule:
 *
 *     p(x, z) :- q(x, y), r(y, z)      p = relation_join_drop(s, q, r, COLUMN(Y))
 *
 * The space owns all relations; nothing is released before the space is.  There is one space at a time.
 */
#ifndef RACE_ORACLE_RELATION_H
#define RACE_ORACLE_RELATION_H

#include "backend.h" /* bdd_node */

#include <stdbool.h>
#include <stdint.h>

#define COLUMN(i) (1u << (i))

enum { SPACE_COLUMNS = 16, SPACE_BITS = 24 };

struct column {
    unsigned domain; /* columns of one domain can be renamed into each other and compared */
    unsigned bits;
    unsigned vars[SPACE_BITS]; /* most significant first */
};

struct space {
    unsigned n_columns;
    struct column columns[SPACE_COLUMNS];
};

struct relation {
    unsigned columns; /* set of COLUMN() */
    bdd_node node;
};

/* domains[i] is the domain of column i, sizes[d] how many values domain d has. */
void space_init(struct space *s, const unsigned *domains, unsigned n_columns, const uint32_t *sizes);
void space_release(struct space *s);

struct relation relation_empty(struct space *s, unsigned columns);
/* Values of the relation's columns in ascending order of the columns. */
void relation_add(struct space *s, struct relation *r, const uint32_t *values);
struct relation relation_join(struct space *s, struct relation a, struct relation b);
struct relation relation_join_drop(struct space *s, struct relation a, struct relation b, unsigned columns);
struct relation relation_drop(struct space *s, struct relation a, unsigned columns);
struct relation relation_union(struct space *s, struct relation a, struct relation b);
struct relation relation_minus(struct space *s, struct relation a, struct relation b);
/* Column from[i] becomes to[i], for n columns. */
struct relation relation_rename(struct space *s, struct relation a, const unsigned *from, const unsigned *to,
                                unsigned n);
/* { (x, y) | x < y } and { (x, x) } over two columns of one domain. */
struct relation relation_less(struct space *s, unsigned x, unsigned y);
struct relation relation_same(struct space *s, unsigned x, unsigned y);

bool relation_equal(struct relation a, struct relation b);
uint64_t relation_count(struct space *s, struct relation a);
/* Calls visit(arg, values) for each tuple, in ascending order. */
void relation_each(struct space *s, struct relation a, void (*visit)(void *arg, const uint32_t *values),
                   void *arg);

#endif
