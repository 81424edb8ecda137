#include "relation.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_VARS = SPACE_COLUMNS * SPACE_BITS };

static unsigned bits_for(uint32_t size) {
    unsigned bits = 1;
    while (bits < SPACE_BITS && ((uint64_t)1 << bits) < size) bits++;
    if (((uint64_t)1 << bits) < size) abort(); /* the domain does not fit */
    return bits;
}

/* The bits of the columns of one domain are interleaved: comparing and renaming then keeps BDDs small. */
void space_init(struct space *s, const unsigned *domains, unsigned n_columns, const uint32_t *sizes) {
    unsigned n_vars = 0, last = 0;
    s->n_columns = n_columns;
    for (unsigned c = 0; c < n_columns; c++) {
        s->columns[c] = (struct column){.domain = domains[c], .bits = bits_for(sizes[domains[c]])};
        if (domains[c] > last) last = domains[c];
    }
    for (unsigned d = 0; d <= last; d++) {
        for (unsigned b = 0; b < SPACE_BITS; b++) {
            for (unsigned c = 0; c < n_columns; c++) {
                if (s->columns[c].domain == d && b < s->columns[c].bits) s->columns[c].vars[b] = n_vars++;
            }
        }
    }
    backend_start(n_vars);
}

void space_release(struct space *s) {
    (void)s;
    backend_stop();
}

/* The variables of some columns in the order of the BDD; whose[i] says where each comes from. */
struct var_ref {
    unsigned var, column, bit;
};

static int by_var(const void *p, const void *q) {
    const struct var_ref *a = p, *b = q;
    return a->var < b->var ? -1 : a->var > b->var;
}

static unsigned vars_of(const struct space *s, unsigned columns, struct var_ref *out) {
    unsigned n = 0;
    for (unsigned c = 0; c < s->n_columns; c++) {
        if ((columns & COLUMN(c)) == 0) continue;
        for (unsigned b = 0; b < s->columns[c].bits; b++)
            out[n++] = (struct var_ref){s->columns[c].vars[b], c, b};
    }
    qsort(out, n, sizeof *out, by_var);
    return n;
}

static unsigned plain_vars_of(const struct space *s, unsigned columns, unsigned *out) {
    struct var_ref refs[MAX_VARS];
    unsigned n = vars_of(s, columns, refs);
    for (unsigned i = 0; i < n; i++) out[i] = refs[i].var;
    return n;
}

struct relation relation_empty(struct space *s, unsigned columns) {
    (void)s;
    return (struct relation){.columns = columns, .node = backend_false()};
}

void relation_add(struct space *s, struct relation *r, const uint32_t *values) {
    struct var_ref refs[MAX_VARS];
    unsigned vars[MAX_VARS], n = vars_of(s, r->columns, refs);
    bool bits[MAX_VARS];
    uint32_t of_column[SPACE_COLUMNS];
    for (unsigned c = 0; c < s->n_columns; c++) {
        if ((r->columns & COLUMN(c)) != 0) of_column[c] = *values++;
    }
    for (unsigned i = 0; i < n; i++) {
        vars[i] = refs[i].var;
        bits[i] = (of_column[refs[i].column] >> (s->columns[refs[i].column].bits - 1 - refs[i].bit) & 1) != 0;
    }
    bdd_node cube = backend_cube(vars, bits, n), both = backend_or(r->node, cube);
    backend_drop(cube);
    backend_drop(r->node);
    r->node = both;
}

struct relation relation_join(struct space *s, struct relation a, struct relation b) {
    (void)s;
    return (struct relation){a.columns | b.columns, backend_and(a.node, b.node)};
}

struct relation relation_join_drop(struct space *s, struct relation a, struct relation b, unsigned columns) {
    unsigned vars[MAX_VARS], n = plain_vars_of(s, columns, vars);
    return (struct relation){(a.columns | b.columns) & ~columns, backend_and_exists(a.node, b.node, vars, n)};
}

struct relation relation_drop(struct space *s, struct relation a, unsigned columns) {
    unsigned vars[MAX_VARS], n = plain_vars_of(s, columns, vars);
    return (struct relation){a.columns & ~columns, backend_exists(a.node, vars, n)};
}

struct relation relation_union(struct space *s, struct relation a, struct relation b) {
    (void)s;
    if (a.columns != b.columns) abort();
    return (struct relation){a.columns, backend_or(a.node, b.node)};
}

struct relation relation_minus(struct space *s, struct relation a, struct relation b) {
    (void)s;
    if (a.columns != b.columns) abort();
    return (struct relation){a.columns, backend_minus(a.node, b.node)};
}

struct relation relation_rename(struct space *s, struct relation a, const unsigned *from, const unsigned *to,
                                unsigned n) {
    unsigned old[MAX_VARS], new[MAX_VARS], n_vars = 0, columns = a.columns;
    for (unsigned i = 0; i < n; i++) {
        const struct column *x = &s->columns[from[i]], *y = &s->columns[to[i]];
        if (x->domain != y->domain || (a.columns & COLUMN(from[i])) == 0 || (a.columns & COLUMN(to[i])) != 0)
            abort();
        columns = (columns & ~COLUMN(from[i])) | COLUMN(to[i]);
        for (unsigned b = 0; b < x->bits; b++) {
            old[n_vars] = x->vars[b];
            new[n_vars++] = y->vars[b];
        }
    }
    return (struct relation){columns, backend_rename(a.node, old, new, n_vars)};
}

/* x and y agree on one bit: both 0 or both 1. */
static bdd_node same_bit(unsigned x, unsigned y) {
    unsigned vars[2] = {x < y ? x : y, x < y ? y : x};
    bdd_node zeros = backend_cube(vars, (bool[]){false, false}, 2);
    bdd_node ones = backend_cube(vars, (bool[]){true, true}, 2);
    return backend_or(zeros, ones);
}

struct relation relation_less(struct space *s, unsigned x, unsigned y) {
    const struct column *a = &s->columns[x], *b = &s->columns[y];
    bdd_node less = backend_false();
    for (unsigned i = a->bits; i-- > 0;) { /* less from this bit on: 0 < 1, or equal and less further on */
        bool a_first = a->vars[i] < b->vars[i];
        unsigned vars[2] = {a_first ? a->vars[i] : b->vars[i], a_first ? b->vars[i] : a->vars[i]};
        bdd_node here = backend_cube(vars, (bool[]){!a_first, a_first}, 2);
        less = backend_or(here, backend_and(same_bit(a->vars[i], b->vars[i]), less));
    }
    return (struct relation){COLUMN(x) | COLUMN(y), less};
}

struct relation relation_same(struct space *s, unsigned x, unsigned y) {
    const struct column *a = &s->columns[x], *b = &s->columns[y];
    bdd_node same = same_bit(a->vars[0], b->vars[0]);
    for (unsigned i = 1; i < a->bits; i++) same = backend_and(same, same_bit(a->vars[i], b->vars[i]));
    return (struct relation){COLUMN(x) | COLUMN(y), same};
}

bool relation_equal(struct relation a, struct relation b) {
    return a.columns == b.columns && backend_equal(a.node, b.node);
}

uint64_t relation_count(struct space *s, struct relation a) {
    unsigned vars[MAX_VARS], n = plain_vars_of(s, a.columns, vars);
    return (uint64_t)backend_count(a.node, vars, n);
}

struct walk {
    struct space *s;
    unsigned n_vars, n_values;
    unsigned vars[MAX_VARS], slot[MAX_VARS]; /* column by column: ascending order of tuples */
    bdd_node empty;
    uint32_t values[SPACE_COLUMNS];
    void (*visit)(void *arg, const uint32_t *values);
    void *arg;
};

static void walk_from(struct walk *w, bdd_node node, unsigned at) {
    if (backend_equal(node, w->empty)) return;
    if (at == w->n_vars) {
        w->visit(w->arg, w->values);
        return;
    }
    uint32_t before = w->values[w->slot[at]];
    for (int bit = 0; bit < 2; bit++) {
        bdd_node half = backend_restrict(node, w->vars[at], bit != 0);
        w->values[w->slot[at]] = before << 1 | (uint32_t)bit;
        walk_from(w, half, at + 1);
        backend_drop(half);
    }
    w->values[w->slot[at]] = before;
}

void relation_each(struct space *s, struct relation a, void (*visit)(void *arg, const uint32_t *values),
                   void *arg) {
    struct walk w = {.s = s, .empty = backend_false(), .visit = visit, .arg = arg};
    for (unsigned c = 0; c < s->n_columns; c++) {
        if ((a.columns & COLUMN(c)) == 0) continue;
        for (unsigned b = 0; b < s->columns[c].bits; b++) {
            w.vars[w.n_vars] = s->columns[c].vars[b];
            w.slot[w.n_vars++] = w.n_values;
        }
        w.n_values++;
    }
    walk_from(&w, a.node, 0);
}
