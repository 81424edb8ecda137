/*
 * Cycle merging and service order: Tarjan's algorithm over the unfiltered edges, without recursion.
 *
 * Components come out in reverse topological order, which gives the ranks for free.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

struct frame {
    uint32_t node, next_edge;
};

struct tarjan {
    struct pts_graph *g;
    uint32_t *index, *low; /* index 0: not visited */
    uint8_t *on_stack;
    uint32_t counter;
    VEC(uint32_t) stack;
    VEC(struct frame) frames;
    VEC(uint32_t) finished; /* representatives, sinks first */
};

/* Everything in only one of the two sets has to be seen by the other's edges and constraints again. */
void pts_graph_merge(struct pts_graph *g, uint32_t into, uint32_t from) {
    struct pts_node *a = &g->nodes.v[into], *b = &g->nodes.v[from];
    struct pts_set only_b = {0}, only_a = {0};
    if (!pts_set_equal(&a->all, &b->all)) {
        pts_set_union(&b->all, &a->all, &only_a);
        pts_set_union(&a->all, &b->all, &only_b);
        pts_set_union(&a->delta, &only_a, NULL);
        pts_set_union(&a->delta, &only_b, NULL);
    }
    pts_set_union(&a->delta, &b->delta, NULL);
    pts_set_release(&only_a);
    pts_set_release(&only_b);
    pts_set_release(&b->all);
    pts_set_release(&b->delta);

    size_t cap = a->cap_edges;
    void *v = a->edges;
    vec_grow_(&v, &cap, a->n_edges + b->n_edges, sizeof *a->edges);
    a->edges = v;
    a->cap_edges = (uint32_t)cap;
    if (b->n_edges) memcpy(a->edges + a->n_edges, b->edges, b->n_edges * sizeof *a->edges);
    a->n_edges += b->n_edges;

    cap = a->cap_cons;
    v = a->cons;
    vec_grow_(&v, &cap, a->n_cons + b->n_cons, sizeof *a->cons);
    a->cons = v;
    a->cap_cons = (uint32_t)cap;
    if (b->n_cons) memcpy(a->cons + a->n_cons, b->cons, b->n_cons * sizeof *a->cons);
    a->n_cons += b->n_cons;

    free(b->edges);
    free(b->cons);
    b->edges = NULL;
    b->cons = NULL;
    b->n_edges = b->cap_edges = b->n_cons = b->cap_cons = 0;
    b->rep = into;
    g->n_merged++;
}

static void enter(struct tarjan *t, uint32_t node) {
    t->index[node] = t->low[node] = ++t->counter;
    t->on_stack[node] = 1;
    vec_push(&t->stack, node);
    struct frame f = {.node = node};
    vec_push(&t->frames, f);
}

static void leave_component(struct tarjan *t, uint32_t root) {
    uint32_t member;
    do {
        member = vec_pop(&t->stack);
        t->on_stack[member] = 0;
        if (member != root) pts_graph_merge(t->g, root, member);
    } while (member != root);
    vec_push(&t->finished, root);
}

static void visit(struct tarjan *t, uint32_t start) {
    enter(t, start);
    while (t->frames.n) {
        struct frame *f = &vec_last(&t->frames);
        struct pts_node *n = &t->g->nodes.v[f->node];
        if (f->next_edge < n->n_edges) {
            struct pts_edge e = n->edges[f->next_edge++];
            uint32_t node = f->node, dst = pts_graph_rep(t->g, e.dst);
            if (e.filter != 0) continue;
            if (t->index[dst] == 0)
                enter(t, dst);
            else if (t->on_stack[dst] && t->index[dst] < t->low[node])
                t->low[node] = t->index[dst];
            continue;
        }
        uint32_t node = f->node;
        t->frames.n--;
        if (t->frames.n) {
            uint32_t parent = vec_last(&t->frames).node;
            if (t->low[node] < t->low[parent]) t->low[parent] = t->low[node];
        }
        if (t->low[node] == t->index[node]) leave_component(t, node);
    }
}

static int compare_edges(const void *a, const void *b) {
    const struct pts_edge *x = a, *y = b;
    if (x->dst != y->dst) return x->dst < y->dst ? -1 : 1;
    return x->filter < y->filter ? -1 : x->filter > y->filter;
}

/* Points edges at representatives and drops duplicates and loops. */
static void tidy_edges(struct pts_graph *g, uint32_t node) {
    struct pts_node *n = &g->nodes.v[node];
    bool changed = false;
    for (uint32_t i = 0; i < n->n_edges; i++) {
        uint32_t dst = pts_graph_rep(g, n->edges[i].dst);
        changed |= dst != n->edges[i].dst;
        n->edges[i].dst = dst;
    }
    if (!changed) return;
    qsort(n->edges, n->n_edges, sizeof *n->edges, compare_edges);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->n_edges; i++) {
        if (n->edges[i].dst == node) continue;
        if (kept && compare_edges(&n->edges[kept - 1], &n->edges[i]) == 0) continue;
        n->edges[kept++] = n->edges[i];
    }
    n->n_edges = kept;
}

static void rebuild(struct pts_graph *g, struct tarjan *t) {
    g->order.n = 0;
    memset(g->queue.v, 0, g->queue.n * sizeof *g->queue.v);
    g->queue.n = 0;
    g->n_queued = 0;
    uint64_t edges = 0;
    pts_pairs_clear(&g->edges);
    for (size_t i = t->finished.n; i-- > 0;) {
        uint32_t node = t->finished.v[i];
        tidy_edges(g, node);
        pts_graph_index_edges(g, node);
        edges += g->nodes.v[node].n_edges;
        g->nodes.v[node].rank = (uint32_t)g->order.n;
        vec_push(&g->order, node);
    }
    while (g->queue.n * 64 < g->order.n) vec_push(&g->queue, 0);
    for (size_t i = 0; i < g->order.n; i++)
        if (!pts_set_is_empty(&g->nodes.v[g->order.v[i]].delta)) pts_graph_enqueue(g, g->order.v[i]);
    g->n_edges = edges;
    g->ranked_nodes = (uint32_t)g->nodes.n;
    g->ranked_edges = (uint32_t)edges;
}

void pts_graph_sort(struct pts_graph *g) {
    size_t n = g->nodes.n;
    struct tarjan t = {.g = g};
    size_t cap[3] = {0, 0, 0};
    void *p[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) vec_grow_(&p[i], &cap[i], n + 1, i == 2 ? 1 : sizeof(uint32_t));
    t.index = memset(p[0], 0, (n + 1) * sizeof(uint32_t));
    t.low = p[1];
    t.on_stack = memset(p[2], 0, n + 1);
    for (uint32_t i = 0; i < n; i++)
        if (g->nodes.v[i].rep == i && t.index[i] == 0) visit(&t, i);
    rebuild(g, &t);
    g->n_sorts++;
    free(t.index);
    free(t.low);
    free(t.on_stack);
    vec_release(&t.stack);
    vec_release(&t.frames);
    vec_release(&t.finished);
}
