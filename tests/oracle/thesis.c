#include "thesis.h"

#define J(a, b) relation_join(s, a, b)
#define U(a, b) relation_union(s, a, b)

/* The same facts about the other side of a pair. */
static struct relation other_side(struct space *s, struct relation a) {
    static const unsigned pairs[][2] = {{T1, T2}, {C1, C2}, {E1, E2}, {M1, M2}};
    unsigned from[4], to[4], n = 0;
    for (unsigned i = 0; i < 4; i++) {
        if ((a.columns & COLUMN(pairs[i][0])) == 0) continue;
        from[n] = pairs[i][0];
        to[n++] = pairs[i][1];
    }
    return relation_rename(s, a, from, to, n);
}

/* Columns of a relation over one side, with those of the other side taking their place: T1 <-> T2 ... */
static struct relation swapped_parallel(struct space *s, struct relation parallel) {
    /* parallel(t2, c2, e2, t1): T1 and T2 change places, and there is no third column to go through. */
    struct relation moved = relation_rename(s, parallel, (unsigned[]){C1, E1}, (unsigned[]){C2, E2}, 2);
    unsigned from[SPACE_BITS], to[SPACE_BITS], bits = s->columns[T1].bits;
    for (unsigned b = 0; b < bits; b++) {
        from[b] = s->columns[T1].vars[b];
        to[b] = s->columns[T2].vars[b];
    }
    moved.node = backend_rename(moved.node, from, to, bits);
    return moved;
}

/* ---- Algorithm 2.1 ---- */

/* (2.1) - (2.3), then what the VM calls by itself, which is taken for the first thread's. */
static struct relation spread(struct space *s, const struct facts *f, struct relation reaches) {
    struct relation before;
    do {
        before = reaches;
        struct relation next = relation_join_drop(s, reaches, f->calls, COLUMN(C1) | COLUMN(M1));
        next = relation_rename(s, next, (unsigned[]){C2, M2}, (unsigned[]){C1, M1}, 2);
        reaches = U(reaches, next);
    } while (!relation_equal(reaches, before));
    return reaches;
}

static struct relation reaches(struct space *s, const struct facts *f) {
    struct relation known = spread(s, f, f->roots);
    struct relation lost = relation_minus(s, f->vm_roots, relation_drop(s, known, COLUMN(T1)));
    struct relation first = relation_empty(s, COLUMN(T1));
    relation_add(s, &first, (uint32_t[]){0});
    struct relation by_vm = spread(s, f, J(first, lost));
    /* Only what no thread reaches: the rest is called from there, too, but known already. */
    return U(known, relation_minus(s, by_vm, J(first, relation_drop(s, known, COLUMN(T1)))));
}

static struct relation original(struct space *s, const struct facts *f, struct relation reaches_all,
                                bool both_orders) {
    struct relation runs = relation_join_drop(s, reaches_all, f->me, COLUMN(M1)); /* T1 C1 E1 */
    struct relation runs2 = other_side(s, runs);
    struct relation same_field = relation_join_drop(s, f->field, other_side(s, f->field), COLUMN(F1));
    struct relation less_e = relation_less(s, E1, E2), same_e = relation_same(s, E1, E2);
    struct relation apart = J(same_field, less_e);
    apart = U(J(apart, f->writes), J(apart, other_side(s, f->writes))); /* (2.4) - (2.7) */
    struct relation twice = J(same_e, f->writes);                       /* one statement, twice */
    struct relation less_c = relation_less(s, C1, C2), same_c = relation_same(s, C1, C2);
    if (both_orders) less_c = U(less_c, relation_less(s, C2, C1));
    struct relation up_to_t = U(relation_less(s, T1, T2), relation_same(s, T1, T2));
    struct relation both = J(runs, runs2);
    return U(J(both, apart), U(J(J(both, twice), less_c),               /* (2.8) */
                               J(J(J(both, twice), same_c), up_to_t))); /* (2.9) */
}

/* ---- the others ---- */

static struct relation on_statics(struct space *s, const struct facts *f, struct relation races) {
    return J(races, f->statics);
}

/* Algorithm 2.2 */
static struct relation aliasing(struct space *s, const struct facts *f, struct relation races) {
    struct relation meet = relation_join_drop(s, f->pts, other_side(s, f->pts), COLUMN(O1));
    return U(on_statics(s, f, races), J(races, meet));
}

/* Algorithm 2.3: each side may touch something that has escaped, not necessarily the same. */
static struct relation escaping(struct space *s, const struct facts *f, struct relation races) {
    struct relation side = relation_drop(s, f->escaped, COLUMN(O1));
    return U(on_statics(s, f, races), J(J(races, side), other_side(s, side)));
}

/* Algorithm 2.4 */
static struct relation parallel(struct space *s, const struct facts *f, struct relation races) {
    return J(J(races, f->parallel), swapped_parallel(s, f->parallel));
}

/* Algorithm 2.5 */
static struct relation unlocked(struct space *s, const struct facts *f, struct relation races,
                                bool one_thread_per_kind) {
    struct relation common = relation_join_drop(s, f->held, other_side(s, f->held), COLUMN(O1));
    struct relation unlikely = J(races, common);
    if (one_thread_per_kind) unlikely = U(unlikely, J(races, relation_same(s, T1, T2)));
    return relation_minus(s, races, unlikely);
}

struct relation thesis_meeting(struct facts *f, struct relation races) {
    struct space *s = &f->space;
    struct relation meet = relation_join_drop(s, f->escaped, other_side(s, f->escaped), COLUMN(O1));
    return U(on_statics(s, f, races), J(races, meet));
}

void thesis_run(struct thesis *t, struct facts *f, const struct thesis_options *options) {
    struct space *s = &f->space;
    t->reaches = reaches(s, f);
    t->original = original(s, f, t->reaches, options->both_orders);
    t->aliasing = aliasing(s, f, t->original);
    t->escaping = escaping(s, f, t->original);
    t->parallel = parallel(s, f, t->original);
    t->unlocked = unlocked(s, f, t->original, options->one_thread_per_kind);
    t->ultimate = thesis_meeting(f, J(t->parallel, t->unlocked)); /* Algorithm 2.6 */
}

struct relation thesis_pairs(struct facts *f, struct relation stage) {
    return relation_drop(&f->space, stage, COLUMN(T1) | COLUMN(C1) | COLUMN(T2) | COLUMN(C2));
}
