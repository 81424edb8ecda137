/*
 * What the relation layer needs of a BDD library.  backend_buddy.c and backend_cudd.c implement it; the build
 * takes CUDD if CMake finds it, else BuDDy, and the same tests run on both.
 *
 * A node that a function returns is kept by the library until backend_drop() or backend_stop().
 */
#ifndef RACE_ORACLE_BACKEND_H
#define RACE_ORACLE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

typedef intptr_t bdd_node;

extern const char *const backend_name;

void backend_start(unsigned n_vars);
void backend_stop(void);

bdd_node backend_false(void);
/* The conjunction of variables (or of their negations), for one tuple. */
bdd_node backend_cube(const unsigned *vars, const bool *values, unsigned n);
bdd_node backend_and(bdd_node a, bdd_node b);
bdd_node backend_or(bdd_node a, bdd_node b);
bdd_node backend_minus(bdd_node a, bdd_node b);
/* There are values of the variables such that a (and b). */
bdd_node backend_exists(bdd_node a, const unsigned *vars, unsigned n);
bdd_node backend_and_exists(bdd_node a, bdd_node b, const unsigned *vars, unsigned n);
/* Exchanges from[i] and to[i]; a must not depend on any to[i]. */
bdd_node backend_rename(bdd_node a, const unsigned *from, const unsigned *to, unsigned n);
bool backend_equal(bdd_node a, bdd_node b);
/* The node for one value of the top variables; walks to a single tuple are done with it. */
bdd_node backend_restrict(bdd_node a, unsigned var, bool value);
/* Assignments of these variables that satisfy a, which must depend on no others. */
double backend_count(bdd_node a, const unsigned *vars, unsigned n);
void backend_drop(bdd_node a);

#endif
