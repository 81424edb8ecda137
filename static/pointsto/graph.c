#include "graph.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_EDGES = 32 }; /* so many are looked through rather than looked up: most nodes have fewer */

void pts_map_release(struct pts_map *m) {
    free(m->entries);
    memset(m, 0, sizeof *m);
}

static struct pts_map_entry *map_slot(const struct pts_map *m, uint64_t key) {
    uint64_t h = key * UINT64_C(0x9E3779B97F4A7C15);
    h ^= h >> 29;
    size_t at = (size_t)h & (m->cap - 1);
    while (m->entries[at].key != 0 && m->entries[at].key != key) at = (at + 1) & (m->cap - 1);
    return &m->entries[at];
}

static void map_grow(struct pts_map *m) {
    struct pts_map bigger = {.cap = m->cap ? m->cap * 2 : 64, .n = m->n};
    size_t none = 0;
    void *entries = NULL;
    vec_grow_(&entries, &none, bigger.cap, sizeof *bigger.entries);
    bigger.entries = memset(entries, 0, bigger.cap * sizeof *bigger.entries);
    for (size_t i = 0; i < m->cap; i++)
        if (m->entries[i].key != 0) *map_slot(&bigger, m->entries[i].key) = m->entries[i];
    pts_map_release(m);
    *m = bigger;
}

uint32_t *pts_map_at(struct pts_map *m, uint64_t key, bool *is_new) {
    if (m->n * 3 >= m->cap * 2) map_grow(m);
    struct pts_map_entry *e = map_slot(m, key);
    *is_new = e->key == 0;
    if (*is_new) {
        *e = (struct pts_map_entry){.key = key};
        m->n++;
    }
    return &e->value;
}

uint32_t pts_map_get(const struct pts_map *m, uint64_t key, uint32_t absent) {
    if (m->cap == 0) return absent;
    const struct pts_map_entry *e = map_slot(m, key);
    return e->key ? e->value : absent;
}

void pts_graph_init(struct pts_graph *g, const struct pts_graph_ops *ops, void *self) {
    memset(g, 0, sizeof *g);
    g->ops = ops;
    g->self = self;
}

void pts_graph_release(struct pts_graph *g) {
    struct pts_node *n;
    VEC_FOREACH (n, &g->nodes) {
        pts_set_release(&n->all);
        pts_set_release(&n->delta);
        free(n->edges);
        free(n->cons);
    }
    for (size_t i = 0; i < g->filters.n; i++) {
        free(g->filters.v[i].mask);
        free(g->filters.v[i].classes);
    }
    vec_release(&g->nodes);
    vec_release(&g->obj_class);
    vec_release(&g->filters);
    vec_release(&g->order);
    vec_release(&g->queue);
    vec_release(&g->late);
    pts_pairs_release(&g->edges);
    pts_set_names_release(&g->names);
}

uint32_t pts_graph_nodes(struct pts_graph *g, uint32_t count) {
    uint32_t first = (uint32_t)g->nodes.n;
    vec_reserve(&g->nodes, g->nodes.n + count);
    vec_reserve(&g->order, g->order.n + count);
    for (uint32_t i = 0; i < count; i++) {
        struct pts_node n = {.rep = first + i, .rank = (uint32_t)g->order.n};
        vec_push(&g->nodes, n);
        vec_push(&g->order, first + i);
    }
    while (g->queue.n * 64 < g->order.n) vec_push(&g->queue, 0);
    return first;
}

uint32_t pts_graph_rep(struct pts_graph *g, uint32_t node) {
    struct pts_node *v = g->nodes.v;
    while (v[node].rep != node) {
        v[node].rep = v[v[node].rep].rep; /* halve the path */
        node = v[node].rep;
    }
    return node;
}

const struct pts_set *pts_graph_set(struct pts_graph *g, uint32_t node) {
    return &g->nodes.v[pts_graph_rep(g, node)].all;
}

void pts_graph_enqueue(struct pts_graph *g, uint32_t node) {
    uint32_t rank = g->nodes.v[node].rank;
    uint64_t bit = UINT64_C(1) << (rank % 64);
    if (g->queue.v[rank / 64] & bit) return;
    g->queue.v[rank / 64] |= bit;
    g->n_queued++;
}

uint32_t pts_graph_object(struct pts_graph *g, uint32_t cls) {
    vec_push(&g->obj_class, cls);
    return (uint32_t)g->obj_class.n - 1;
}

bool pts_graph_add(struct pts_graph *g, uint32_t node, uint32_t obj) {
    node = pts_graph_rep(g, node);
    struct pts_node *n = &g->nodes.v[node];
    if (!pts_set_add(&n->all, obj)) return false;
    pts_set_add(&n->delta, obj);
    pts_graph_enqueue(g, node);
    return true;
}

static bool class_passes(struct pts_graph *g, uint32_t filter, uint32_t cls) {
    while (g->filters.n <= filter) {
        struct pts_filter none = {0};
        vec_push(&g->filters, none);
    }
    struct pts_filter *f = &g->filters.v[filter];
    if (cls >= f->n_classes) {
        size_t had = f->n_classes;
        void *v = f->classes;
        vec_grow_(&v, &f->n_classes, cls + 1, 1);
        f->classes = v;
        memset(f->classes + had, 0, f->n_classes - had);
    }
    if (f->classes[cls] == 0) {
        bool yes = g->ops->passes(g->self, filter, cls);
        g->filters.v[filter].classes[cls] = yes ? 1 : 2;
    }
    return g->filters.v[filter].classes[cls] == 1;
}

/* The filter's mask, decided for all objects there are. */
static const uint64_t *filter_mask(struct pts_graph *g, uint32_t filter) {
    class_passes(g, filter, 0); /* makes the filter, if there is none yet */
    struct pts_filter *f = &g->filters.v[filter];
    uint32_t n = (uint32_t)g->obj_class.n;
    if (f->upto == n) return f->mask;
    size_t had = f->cap;
    void *v = f->mask;
    vec_grow_(&v, &f->cap, n / 64 + 1, sizeof *f->mask);
    f->mask = v;
    memset(f->mask + had, 0, (f->cap - had) * sizeof *f->mask);
    for (uint32_t o = f->upto; o < n; o++)
        if (class_passes(g, filter, g->obj_class.v[o]))
            g->filters.v[filter].mask[o / 64] |= UINT64_C(1) << (o % 64);
    g->filters.v[filter].upto = n;
    return g->filters.v[filter].mask;
}

bool pts_graph_passes(struct pts_graph *g, uint32_t filter, uint32_t obj) {
    return filter == 0 || class_passes(g, filter, g->obj_class.v[obj]);
}

static void add_all(struct pts_graph *g, const struct pts_set *set, uint32_t dst) {
    struct pts_node *d = &g->nodes.v[dst];
    if (pts_set_union(&d->all, set, &d->delta)) pts_graph_enqueue(g, dst);
}

/* What passes a filter; a mask would be more work than a handful of objects is worth. */
static void flow_filtered(struct pts_graph *g, const struct pts_set *set, uint32_t dst, uint32_t filter) {
    if (set->is_big) {
        struct pts_set kept = {0};
        pts_set_masked(&kept, set, filter_mask(g, filter));
        add_all(g, &kept, dst);
        pts_set_release(&kept);
        return;
    }
    uint32_t few[PTS_SET_SMALL];
    struct pts_set kept = {.u.small = few};
    for (uint32_t i = 0; i < set->n; i++)
        if (pts_graph_passes(g, filter, set->u.small[i])) few[kept.n++] = set->u.small[i];
    add_all(g, &kept, dst);
}

/* Sends `set` over one edge; `name` is its name, or 0. */
static void flow(struct pts_graph *g, const struct pts_set *set, uint32_t name, uint32_t dst,
                 uint32_t filter) {
    g->n_props++;
    if (filter != 0) {
        flow_filtered(g, set, dst, filter);
    } else if (name == 0 || g->nodes.v[dst].last != name) {
        add_all(g, set, dst);
        if (name != 0) g->nodes.v[dst].last = name;
    }
}

void pts_graph_index_edges(struct pts_graph *g, uint32_t src) {
    const struct pts_node *n = &g->nodes.v[src];
    if (n->n_edges < FEW_EDGES) return;
    for (uint32_t i = 0; i < n->n_edges; i++)
        if (n->edges[i].filter == 0) pts_pairs_add(&g->edges, src, n->edges[i].dst);
}

/* Whether the edge exists.  Of many edges only unfiltered ones are known; the others may double. */
static bool has_edge(struct pts_graph *g, uint32_t src, uint32_t dst, uint32_t filter) {
    const struct pts_node *n = &g->nodes.v[src];
    if (n->n_edges >= FEW_EDGES) return filter == 0 && !pts_pairs_add(&g->edges, src, dst);
    for (uint32_t i = 0; i < n->n_edges; i++)
        if (n->edges[i].dst == dst && n->edges[i].filter == filter) return true;
    return false;
}

void pts_graph_edge(struct pts_graph *g, uint32_t src, uint32_t dst, uint32_t filter) {
    src = pts_graph_rep(g, src);
    dst = pts_graph_rep(g, dst);
    if (src == dst || has_edge(g, src, dst, filter)) return;
    struct pts_node *n = &g->nodes.v[src];
    size_t cap = n->cap_edges;
    void *v = n->edges;
    if (n->n_edges == n->cap_edges) vec_grow_(&v, &cap, n->n_edges ? n->n_edges * 2 : 2, sizeof *n->edges);
    n->edges = v;
    n->cap_edges = (uint32_t)cap;
    n->edges[n->n_edges++] = (struct pts_edge){.dst = dst, .filter = filter};
    if (n->n_edges == FEW_EDGES) pts_graph_index_edges(g, src);
    g->n_edges++;
    if (!pts_set_is_empty(&n->all)) flow(g, &n->all, 0, dst, filter);
}

void pts_graph_alias(struct pts_graph *g, uint32_t node, uint32_t same) {
    struct pts_node *n = &g->nodes.v[node];
    same = pts_graph_rep(g, same);
    bool unused = n->rep == node && n->n_edges == 0 && n->n_cons == 0 && pts_set_is_empty(&n->all);
    if (!unused) {
        pts_graph_edge(g, same, node, 0);
    } else if (same != node) {
        n->rep = same;
        g->n_merged++;
    }
}

void pts_graph_cons(struct pts_graph *g, uint32_t node, struct pts_cons cons) {
    node = pts_graph_rep(g, node);
    struct pts_node *n = &g->nodes.v[node];
    size_t cap = n->cap_cons;
    void *v = n->cons;
    if (n->n_cons == n->cap_cons) vec_grow_(&v, &cap, n->n_cons ? n->n_cons * 2 : 2, sizeof *n->cons);
    n->cons = v;
    n->cap_cons = (uint32_t)cap;
    n->cons[n->n_cons++] = cons;
    /* Run later, not here: a constraint may add constraints, and the recursion has no bound. */
    struct pts_late late = {.node = node, .cons = cons};
    if (!pts_set_is_empty(&n->all)) vec_push(&g->late, late);
}

static void serve_late(struct pts_graph *g) {
    while (g->late.n) {
        struct pts_late late = vec_pop(&g->late);
        struct pts_set all = {0};
        pts_set_copy(&all, pts_graph_set(g, late.node));
        g->ops->apply(g->self, late.cons, &all);
        pts_set_release(&all);
    }
}

/* The nodes that edges lead to lie anywhere in memory: asks for those of the next edges while others are
 * served.
 */
static void fetch_ahead(const struct pts_graph *g, const struct pts_edge *edges, uint32_t i, uint32_t n) {
    enum { FAR = 8, NEAR = 4 };
    if (i + FAR < n) __builtin_prefetch(&g->nodes.v[edges[i + FAR].dst]);
    if (i + NEAR < n) __builtin_prefetch(g->nodes.v[edges[i + NEAR].dst].all.u.small);
}

static void serve(struct pts_graph *g, uint32_t node) {
    struct pts_set delta = g->nodes.v[node].delta;
    memset(&g->nodes.v[node].delta, 0, sizeof delta);
    /* Constraints appended meanwhile see the whole set through `late`, hence the fixed bound. */
    uint32_t n_cons = g->nodes.v[node].n_cons;
    uint32_t n_edges = g->nodes.v[node].n_edges;
    uint32_t name = n_edges ? pts_set_name(&g->names, &delta) : 0;
    for (uint32_t i = 0; i < n_edges; i++) {
        struct pts_edge e = g->nodes.v[node].edges[i];
        fetch_ahead(g, g->nodes.v[node].edges, i, n_edges);
        uint32_t dst = pts_graph_rep(g, e.dst);
        if (dst != node) flow(g, &delta, name, dst, e.filter);
    }
    for (uint32_t i = 0; i < n_cons; i++) g->ops->apply(g->self, g->nodes.v[node].cons[i], &delta);
    pts_set_release(&delta);
}

/* Takes the next queued node at or after the cursor; PTS_NO_NODE at the end of a sweep. */
static uint32_t dequeue(struct pts_graph *g) {
    size_t word = g->cursor / 64;
    if (word >= g->queue.n) return PTS_NO_NODE;
    uint64_t bits = g->queue.v[word] & (~UINT64_C(0) << (g->cursor % 64));
    while (bits == 0) {
        if (++word == g->queue.n) return PTS_NO_NODE;
        bits = g->queue.v[word];
    }
    uint32_t rank = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
    g->queue.v[word] &= ~(UINT64_C(1) << (rank % 64));
    g->n_queued--;
    g->cursor = rank + 1;
    return g->order.v[rank];
}

/* A new order pays once the graph has grown well beyond the one that was sorted. */
static bool order_is_stale(const struct pts_graph *g) {
    return g->nodes.n > 256 + g->ranked_nodes + g->ranked_nodes / 2 ||
           g->n_edges > 256 + g->ranked_edges + g->ranked_edges / 2;
}

void pts_graph_solve(struct pts_graph *g) {
    for (;;) {
        uint32_t node = dequeue(g);
        if (node != PTS_NO_NODE) {
            serve(g, node);
            serve_late(g);
            continue;
        }
        bool more = g->ops->more ? g->ops->more(g->self) : false;
        serve_late(g);
        if (!more && g->n_queued == 0) return;
        if (order_is_stale(g)) pts_graph_sort(g);
        g->cursor = 0;
    }
}
