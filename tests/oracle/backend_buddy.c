#include "backend.h"

#include <bdd.h>

const char *const backend_name = "BuDDy";

void backend_start(unsigned n_vars) {
    bdd_init(1 << 20, 1 << 17);
    bdd_setmaxincrease(1 << 21);
    bdd_gbc_hook(NULL); /* it prints otherwise */
    bdd_setvarnum((int)n_vars);
}

void backend_stop(void) {
    bdd_done();
}

static bdd_node kept(BDD b) {
    return bdd_addref(b);
}

bdd_node backend_false(void) {
    return bdd_false();
}

/* From the last variable of the order up, so that each step makes one node. */
bdd_node backend_cube(const unsigned *vars, const bool *values, unsigned n) {
    BDD cube = bdd_addref(bdd_true());
    for (unsigned i = n; i-- > 0;) {
        BDD one = values[i] ? bdd_ithvar((int)vars[i]) : bdd_nithvar((int)vars[i]);
        BDD next = bdd_addref(bdd_and(one, cube));
        bdd_delref(cube);
        cube = next;
    }
    return cube;
}

bdd_node backend_and(bdd_node a, bdd_node b) {
    return kept(bdd_and((BDD)a, (BDD)b));
}
bdd_node backend_or(bdd_node a, bdd_node b) {
    return kept(bdd_or((BDD)a, (BDD)b));
}
bdd_node backend_minus(bdd_node a, bdd_node b) {
    return kept(bdd_apply((BDD)a, (BDD)b, bddop_diff));
}

static BDD set_of(const unsigned *vars, unsigned n) {
    BDD set = bdd_addref(bdd_true());
    for (unsigned i = n; i-- > 0;) {
        BDD next = bdd_addref(bdd_and(bdd_ithvar((int)vars[i]), set));
        bdd_delref(set);
        set = next;
    }
    return set;
}

bdd_node backend_exists(bdd_node a, const unsigned *vars, unsigned n) {
    BDD set = set_of(vars, n);
    bdd_node r = kept(bdd_exist((BDD)a, set));
    bdd_delref(set);
    return r;
}

bdd_node backend_and_exists(bdd_node a, bdd_node b, const unsigned *vars, unsigned n) {
    BDD set = set_of(vars, n);
    bdd_node r = kept(bdd_appex((BDD)a, (BDD)b, bddop_and, set));
    bdd_delref(set);
    return r;
}

bdd_node backend_rename(bdd_node a, const unsigned *from, const unsigned *to, unsigned n) {
    bddPair *pair = bdd_newpair();
    for (unsigned i = 0; i < n; i++) {
        bdd_setpair(pair, (int)from[i], (int)to[i]);
        bdd_setpair(pair, (int)to[i], (int)from[i]);
    }
    bdd_node r = kept(bdd_replace((BDD)a, pair));
    bdd_freepair(pair);
    return r;
}

bool backend_equal(bdd_node a, bdd_node b) {
    return a == b;
}

bdd_node backend_restrict(bdd_node a, unsigned var, bool value) {
    return kept(bdd_restrict((BDD)a, value ? bdd_ithvar((int)var) : bdd_nithvar((int)var)));
}

double backend_count(bdd_node a, const unsigned *vars, unsigned n) {
    BDD set = set_of(vars, n);
    double count = bdd_satcountset((BDD)a, set);
    bdd_delref(set);
    return count;
}

void backend_drop(bdd_node a) {
    bdd_delref((BDD)a);
}
