#include "symbols.h"

#include <stdlib.h>
#include <string.h>

/* Bounds of what is computed with here: the product of two ints and the sum of two such stay in an int64_t.
 */
static const int64_t FAR = ((int64_t)1 << 62) - 1, FACTOR_MAX = (int64_t)1 << 40;

struct range {
    int64_t lo, hi;
};

struct atom {
    uint8_t kind;
    uint32_t a, b;       /* what it names */
    struct sym dividend; /* quotient */
    struct sym divisor;
    struct range range;
};

struct symbols {
    VEC(struct atom) v;
};

static const struct sym unknown;
static const struct range anything = {-(((int64_t)1 << 62) - 1), ((int64_t)1 << 62) - 1};

/* ---- atoms ---- */

static bool same_atom(const struct atom *a, const struct atom *b) {
    if (a->kind != b->kind || a->a != b->a || a->b != b->b) return false;
    if (a->range.lo != b->range.lo || a->range.hi != b->range.hi) return false; /* threads of another kind */
    return a->kind != ATOM_QUOTIENT ||
           (sym_equal(&a->dividend, &b->dividend) && sym_equal(&a->divisor, &b->divisor));
}

static struct sym of_atom(struct races *r, const struct atom *atom) {
    if (r->symbols == NULL) {
        r->symbols = calloc(1, sizeof *r->symbols);
        if (r->symbols == NULL) abort();
    }
    uint32_t i = 0;
    while (i < r->symbols->v.n && !same_atom(&r->symbols->v.v[i], atom)) i++;
    if (i == r->symbols->v.n) vec_push(&r->symbols->v, *atom);
    return (struct sym){.known = true, .n = 1, .terms = {{.factor = 1, .n = 1, .atoms = {i}}}};
}

static const struct atom *atom_at(const struct races *r, uint32_t i) {
    return &r->symbols->v.v[i];
}

struct sym sym_atom(struct races *r, enum atom_kind kind, uint32_t a, uint32_t b) {
    struct atom atom = {.kind = (uint8_t)kind, .a = a, .b = b, .range = {INT32_MIN, INT32_MAX}};
    if (kind == ATOM_LENGTH) atom.range.lo = 0;
    return of_atom(r, &atom);
}

struct sym sym_number(struct races *r) {
    /* An index of an array, or the counter of a loop that ends below some int. */
    struct atom atom = {.kind = ATOM_NUMBER, .range = {0, INT32_MAX - 1}};
    return of_atom(r, &atom);
}

void symbols_release(struct races *r) {
    if (r->symbols == NULL) return;
    vec_release(&r->symbols->v);
    free(r->symbols);
    r->symbols = NULL;
}

struct sym sym_const(int64_t v) {
    if (v > FACTOR_MAX || v < -FACTOR_MAX) return unknown;
    return (struct sym){.known = true, .n = v != 0, .terms = {{.factor = v}}};
}

/* ---- comparing ---- */

static int compare_atoms(const struct sym_term *a, const struct sym_term *b) {
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->atoms[i] != b->atoms[i]) return a->atoms[i] < b->atoms[i] ? -1 : 1;
    }
    return 0;
}

bool sym_equal(const struct sym *a, const struct sym *b) {
    if (!a->known || !b->known || a->n != b->n) return false;
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->terms[i].factor != b->terms[i].factor || compare_atoms(&a->terms[i], &b->terms[i]) != 0)
            return false;
    }
    return true;
}

static bool is_const(const struct sym *a, int64_t *value) {
    if (!a->known || a->n > 1 || (a->n == 1 && a->terms[0].n > 0)) return false;
    *value = a->n == 0 ? 0 : a->terms[0].factor;
    return true;
}

static bool put_term(struct sym *s, const struct sym_term *t) {
    uint32_t i = 0;
    int order = 1;
    if (t->factor == 0) return true;
    while (i < s->n && (order = compare_atoms(&s->terms[i], t)) < 0) i++;
    if (i < s->n && order == 0) {
        s->terms[i].factor += t->factor;
        if (s->terms[i].factor != 0) return llabs(s->terms[i].factor) <= FACTOR_MAX;
        memmove(&s->terms[i], &s->terms[i + 1], (s->n - i - 1) * sizeof s->terms[0]);
        s->n--;
        return true;
    }
    if (s->n == SYM_TERMS) return false;
    memmove(&s->terms[i + 1], &s->terms[i], (s->n - i) * sizeof s->terms[0]);
    s->terms[i] = *t;
    s->n++;
    return true;
}

static struct sym sum(struct sym a, const struct sym *b, int64_t times) {
    if (!a.known || !b->known) return unknown;
    for (uint32_t i = 0; i < b->n; i++) {
        struct sym_term t = b->terms[i];
        t.factor *= times;
        if (!put_term(&a, &t)) return unknown;
    }
    return a;
}

bool sym_at_most(const struct sym *a, const struct sym *b) {
    struct sym d = sum(*b, a, -1);
    int64_t v;
    return is_const(&d, &v) && v >= 0;
}

/* ---- ranges ---- */

static struct range times(struct range a, struct range b) {
    const int64_t v[4] = {a.lo, a.hi, b.lo, b.hi};
    for (int i = 0; i < 4; i++) {
        if (llabs(v[i]) > INT32_MAX + (int64_t)1) return anything;
    }
    int64_t p[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    struct range c = {p[0], p[0]};
    for (int i = 1; i < 4; i++) {
        if (p[i] < c.lo) c.lo = p[i];
        if (p[i] > c.hi) c.hi = p[i];
    }
    return c;
}

static struct range range_of(const struct sym_world *w, const struct sym *a);

static struct range atom_range(const struct sym_world *w, uint32_t i) {
    struct range range = atom_at(w->r, i)->range;
    if (!w->bound.known) return range;
    const struct sym_term *first = &w->bound.terms[0];
    if (atom_at(w->r, i)->kind == ATOM_NUMBER) {
        int64_t most = range_of(w, &w->bound).hi - 1;
        if (most < range.hi) range.hi = most;
    } else if (w->bound.n == 1 && first->factor == 1 && first->n == 1 && first->atoms[0] == i &&
               range.lo < 1) {
        range.lo = 1; /* the thread that asks has a number below it */
    }
    return range;
}

static struct range range_of(const struct sym_world *w, const struct sym *a) {
    struct range all = {0, 0};
    if (!a->known) return anything;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct sym_term *t = &a->terms[i];
        struct range range = {t->factor, t->factor};
        for (uint32_t k = 0; k < t->n; k++) range = times(range, atom_range(w, t->atoms[k]));
        all.lo += range.lo;
        all.hi += range.hi;
        if (all.lo < -FAR || all.hi > FAR) return anything;
    }
    for (unsigned i = 0; i < w->n_lengths && all.lo < 0; i++) {
        if (sym_equal(a, &w->lengths[i])) all.lo = 0;
    }
    return all;
}

static bool fits(struct range range, bool is_long) {
    int64_t most = is_long ? FAR - 1 : INT32_MAX;
    return range.lo >= (is_long ? -most : INT32_MIN) && range.hi <= most;
}

static struct sym checked(const struct sym_world *w, struct sym a, bool is_long) {
    return fits(range_of(w, &a), is_long) ? a : unknown;
}

struct sym sym_narrow(const struct sym_world *w, struct sym a) {
    return checked(w, a, false);
}

/* ---- arithmetic ---- */

struct sym sym_add(const struct sym_world *w, struct sym a, struct sym b, bool is_long) {
    return checked(w, sum(a, &b, 1), is_long);
}

struct sym sym_sub(const struct sym_world *w, struct sym a, struct sym b, bool is_long) {
    return checked(w, sum(a, &b, -1), is_long);
}

static struct sym product(struct sym a, const struct sym *b) {
    struct sym c = {.known = true};
    if (!a.known || !b->known) return unknown;
    for (uint32_t i = 0; i < a.n; i++) {
        for (uint32_t k = 0; k < b->n; k++) {
            struct sym_term t = a.terms[i];
            if (t.n + b->terms[k].n > SYM_ATOMS || llabs(t.factor) > INT32_MAX ||
                llabs(b->terms[k].factor) > INT32_MAX)
                return unknown;
            t.factor *= b->terms[k].factor;
            for (uint32_t x = 0; x < b->terms[k].n; x++) {
                uint32_t at = t.n++;
                for (; at > 0 && t.atoms[at - 1] > b->terms[k].atoms[x]; at--) t.atoms[at] = t.atoms[at - 1];
                t.atoms[at] = b->terms[k].atoms[x];
            }
            if (llabs(t.factor) > FACTOR_MAX || !put_term(&c, &t)) return unknown;
        }
    }
    return c;
}

/* Whether 0 <= a <= bound: the number, or the next one. */
static bool within_bound(const struct sym_world *w, const struct sym *a) {
    struct sym number = sym_number(w->r), d = sum(*a, &number, -1);
    int64_t v;
    return w->bound.known && is_const(&d, &v) && (v == 0 || v == 1);
}

/* x * (n / bound) for 0 <= x <= bound and n >= 0: at most n. */
static bool is_share(const struct sym_world *w, const struct sym *a, const struct sym *b) {
    if (!within_bound(w, a) || !b->known || b->n != 1 || b->terms[0].n != 1 || b->terms[0].factor != 1)
        return false;
    const struct atom *q = atom_at(w->r, b->terms[0].atoms[0]);
    return q->kind == ATOM_QUOTIENT && sym_equal(&q->divisor, &w->bound) &&
           range_of(w, &q->dividend).lo >= 0 && fits(range_of(w, &q->dividend), false);
}

struct sym sym_mul(const struct sym_world *w, struct sym a, struct sym b, bool is_long) {
    struct sym c = product(a, &b);
    return is_share(w, &a, &b) || is_share(w, &b, &a) ? c : checked(w, c, is_long);
}

/* n * x / bound for 0 <= x <= bound and n >= 0 lies between 0 and n. */
static bool share_of(const struct sym_world *w, const struct sym *a, const struct sym *b,
                     struct range *range) {
    struct sym number = sym_number(w->r), next = number, one = sym_const(1);
    next = sum(next, &one, 1);
    if (!w->bound.known || !sym_equal(b, &w->bound)) return false;
    for (uint32_t i = 0; i < a->n; i++) {
        struct sym_term rest = a->terms[i];
        uint32_t k = 0;
        while (k < rest.n && atom_at(w->r, rest.atoms[k])->kind != ATOM_NUMBER) k++;
        if (k == rest.n) continue;
        memmove(&rest.atoms[k], &rest.atoms[k + 1], (rest.n - k - 1) * sizeof rest.atoms[0]);
        rest.n--;
        struct sym n = {.known = true, .n = 1, .terms = {rest}};
        struct sym at = product(number, &n), after = product(next, &n);
        struct range most = range_of(w, &n);
        if ((!sym_equal(a, &at) && !sym_equal(a, &after)) || most.lo < 0) return false;
        *range = (struct range){0, most.hi};
        return true;
    }
    return false;
}

struct sym sym_div(const struct sym_world *w, struct sym a, struct sym b) {
    int64_t x, y;
    if (!a.known || !b.known) return unknown;
    struct range top = range_of(w, &a), below = range_of(w, &b);
    if (is_const(&b, &y)) {
        if (y <= 0) return unknown;
        if (is_const(&a, &x)) return sym_const(x / y);
    }
    struct atom q = {.kind = ATOM_QUOTIENT, .dividend = a, .divisor = b};
    if (!share_of(w, &a, &b, &q.range)) {
        if (below.lo < 1) return unknown; /* by something negative it would change its sign, or wrap around */
        q.range = (struct range){top.lo < 0 ? top.lo : 0, top.hi > 0 ? top.hi : 0};
        if (is_const(&b, &y)) q.range = (struct range){top.lo / y, top.hi / y};
    }
    return of_atom(w->r, &q);
}

/* ---- as functions of the number ---- */

static bool atom_has_number(struct races *r, uint32_t i) {
    const struct atom *a = atom_at(r, i);
    if (a->kind == ATOM_NUMBER) return true;
    return a->kind == ATOM_QUOTIENT && (sym_has_number(r, &a->dividend) || sym_has_number(r, &a->divisor));
}

bool sym_has_number(struct races *r, const struct sym *a) {
    for (uint32_t i = 0; i < a->n; i++) {
        for (uint32_t k = 0; k < a->terms[i].n; k++) {
            if (atom_has_number(r, a->terms[i].atoms[k])) return true;
        }
    }
    return false;
}

static struct sym next_atom(const struct sym_world *w, uint32_t i) {
    struct atom a = *atom_at(w->r, i); /* a copy: new atoms move the table */
    struct sym one = sym_const(1);
    if (a.kind == ATOM_NUMBER) return sum(sym_number(w->r), &one, 1);
    if (a.kind == ATOM_QUOTIENT && atom_has_number(w->r, i))
        return sym_div(w, sym_next(w, a.dividend), sym_next(w, a.divisor));
    return (struct sym){.known = true, .n = 1, .terms = {{.factor = 1, .n = 1, .atoms = {i}}}};
}

struct sym sym_next(const struct sym_world *w, struct sym a) {
    struct sym all = {.known = true};
    if (!a.known) return unknown;
    for (uint32_t i = 0; i < a.n; i++) {
        struct sym t = sym_const(a.terms[i].factor);
        for (uint32_t k = 0; k < a.terms[i].n; k++) {
            struct sym next = next_atom(w, a.terms[i].atoms[k]);
            t = product(t, &next);
        }
        all = sum(all, &t, 1);
    }
    return all;
}

static bool atom_grows(const struct sym_world *w, uint32_t i) {
    struct atom a = *atom_at(w->r, i);
    if (!atom_has_number(w->r, i) || a.kind == ATOM_NUMBER) return true;
    return !sym_has_number(w->r, &a.divisor) && range_of(w, &a.divisor).lo >= 1 && sym_grows(w, &a.dividend);
}

bool sym_grows(const struct sym_world *w, const struct sym *a) {
    if (!a->known) return false;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct sym_term *t = &a->terms[i];
        bool constant = true;
        for (uint32_t k = 0; k < t->n; k++) constant &= !atom_has_number(w->r, t->atoms[k]);
        if (constant) continue;
        if (t->factor < 0) return false;
        for (uint32_t k = 0; k < t->n; k++) { /* a product grows if its factors do and none is negative */
            if (!atom_grows(w, t->atoms[k]) || atom_range(w, t->atoms[k]).lo < 0) return false;
        }
    }
    return true;
}
