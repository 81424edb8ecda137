#include "backend.h"

#include <stdio.h> /* cudd.h needs it and does not include it */
#include <stdlib.h>

#include <cudd.h>

const char *const backend_name = "CUDD";

static DdManager *dd; /* one at a time, as with BuDDy */

void backend_start(unsigned n_vars) {
    dd = Cudd_Init(n_vars, 0, CUDD_UNIQUE_SLOTS, CUDD_CACHE_SLOTS, 0);
    if (dd == NULL) abort();
}

void backend_stop(void) {
    Cudd_Quit(dd);
    dd = NULL;
}

static DdNode *node(bdd_node a) {
    return (DdNode *)a;
}

static bdd_node kept(DdNode *n) {
    if (n == NULL) abort(); /* out of memory */
    Cudd_Ref(n);
    return (bdd_node)n;
}

bdd_node backend_false(void) {
    return kept(Cudd_ReadLogicZero(dd));
}

bdd_node backend_cube(const unsigned *vars, const bool *values, unsigned n) {
    bdd_node cube = kept(Cudd_ReadOne(dd));
    for (unsigned i = n; i-- > 0;) {
        DdNode *one = Cudd_bddIthVar(dd, (int)vars[i]);
        bdd_node next = kept(Cudd_bddAnd(dd, values[i] ? one : Cudd_Not(one), node(cube)));
        backend_drop(cube);
        cube = next;
    }
    return cube;
}

bdd_node backend_and(bdd_node a, bdd_node b) {
    return kept(Cudd_bddAnd(dd, node(a), node(b)));
}
bdd_node backend_or(bdd_node a, bdd_node b) {
    return kept(Cudd_bddOr(dd, node(a), node(b)));
}
bdd_node backend_minus(bdd_node a, bdd_node b) {
    return kept(Cudd_bddAnd(dd, node(a), Cudd_Not(node(b))));
}

static bdd_node set_of(const unsigned *vars, unsigned n) {
    bool *values = malloc(n + 1);
    if (values == NULL) abort();
    for (unsigned i = 0; i < n; i++) values[i] = true;
    bdd_node set = backend_cube(vars, values, n);
    free(values);
    return set;
}

bdd_node backend_exists(bdd_node a, const unsigned *vars, unsigned n) {
    bdd_node set = set_of(vars, n);
    bdd_node r = kept(Cudd_bddExistAbstract(dd, node(a), node(set)));
    backend_drop(set);
    return r;
}

bdd_node backend_and_exists(bdd_node a, bdd_node b, const unsigned *vars, unsigned n) {
    bdd_node set = set_of(vars, n);
    bdd_node r = kept(Cudd_bddAndAbstract(dd, node(a), node(b), node(set)));
    backend_drop(set);
    return r;
}

bdd_node backend_rename(bdd_node a, const unsigned *from, const unsigned *to, unsigned n) {
    int n_vars = Cudd_ReadSize(dd), *permutation = malloc((size_t)n_vars * sizeof *permutation);
    if (permutation == NULL) abort();
    for (int i = 0; i < n_vars; i++) permutation[i] = i;
    for (unsigned i = 0; i < n; i++) {
        permutation[from[i]] = (int)to[i];
        permutation[to[i]] = (int)from[i];
    }
    bdd_node r = kept(Cudd_bddPermute(dd, node(a), permutation));
    free(permutation);
    return r;
}

bool backend_equal(bdd_node a, bdd_node b) {
    return a == b;
}

bdd_node backend_restrict(bdd_node a, unsigned var, bool value) {
    DdNode *one = Cudd_bddIthVar(dd, (int)var);
    return kept(Cudd_Cofactor(dd, node(a), value ? one : Cudd_Not(one)));
}

double backend_count(bdd_node a, const unsigned *vars, unsigned n) {
    (void)vars; /* it depends on these only, so their number is enough */
    return Cudd_CountMinterm(dd, node(a), (int)n);
}

void backend_drop(bdd_node a) {
    Cudd_RecursiveDeref(dd, node(a));
}
