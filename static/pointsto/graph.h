/*
 * The constraint graph: inclusion constraints between sets of abstract objects, solved by difference
 * propagation.  It knows nothing of Java.
 *
 * Simple model: every node has a set; an edge a -> b says set(a) <= set(b), an edge with a filter lets only
 * objects of one type through; a constraint on a node runs a callback for every object that ever enters the
 * node's set (loads, stores and calls, which add more edges).  Repeat until nothing changes.
 *
 * What makes it fast:
 *  - each node keeps the part of its set that its edges and constraints have not seen (`delta`), so an object
 *    crosses an edge once;
 *  - nodes are served in topological order of the copy edges, so deltas meet before they travel on;
 *  - nodes on a cycle of unfiltered edges have equal sets and become one node (scc.c).
 * tests/unit/pointsto_graph_test.c compares it with the simple model on random systems.
 */
#ifndef RACE_POINTSTO_GRAPH_H
#define RACE_POINTSTO_GRAPH_H

#include "names.h"
#include "pairs.h"
#include "set.h"

#include "race/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTS_NO_NODE UINT32_MAX

struct pts_edge {
    uint32_t dst;
    uint32_t filter; /* 0: everything passes; else a type number */
};

/* What to do for each object of a node; the meaning of kind, a and b is the owner's. */
struct pts_cons {
    uint32_t kind, a, b;
};

struct pts_node {
    struct pts_set all, delta; /* delta <= all: not yet passed on */
    uint32_t rep;              /* itself, or the node it was merged into */
    uint32_t last;             /* name of the set that it got last, a part of `all`; 0: none */
    uint32_t rank;             /* position in the service order */
    uint32_t n_edges, cap_edges;
    uint32_t n_cons, cap_cons;
    struct pts_edge *edges;
    struct pts_cons *cons;
};

/*
 * An open-addressing map from 64-bit keys to 32-bit values; key 0 is not allowed.  Key and value stand side
 * by side: in maps of millions, each array looked at is a cache miss.
 */
struct pts_map_entry {
    uint64_t key;
    uint32_t value;
};
struct pts_map {
    struct pts_map_entry *entries; /* cap of them; key 0: free */
    size_t n, cap;
};
void pts_map_release(struct pts_map *m);
uint32_t *pts_map_at(struct pts_map *m, uint64_t key, bool *is_new); /* inserts 0 if absent */
uint32_t pts_map_get(const struct pts_map *m, uint64_t key, uint32_t absent);

/* A constraint that has to see the objects its node already had. */
struct pts_late {
    uint32_t node;
    struct pts_cons cons;
};

/* A type as a filter: a bit per object that passes, extended when it is used after new objects came. */
struct pts_filter {
    uint64_t *mask;
    size_t cap;       /* words */
    uint32_t upto;    /* objects below this number are decided */
    uint8_t *classes; /* answers by class: 0 not asked yet, 1 passes, 2 does not */
    size_t n_classes;
};

struct pts_graph_ops {
    /* Runs one constraint for the objects of `delta`; may add nodes, edges and constraints. */
    void (*apply)(void *self, struct pts_cons cons, const struct pts_set *delta);
    /* Whether objects of class `cls` pass the filter. */
    bool (*passes)(void *self, uint32_t filter, uint32_t cls);
    /* Called when no node has work left and at regular points before; true if it added work. */
    bool (*more)(void *self);
};

struct pts_graph {
    const struct pts_graph_ops *ops;
    void *self;
    VEC(struct pts_node) nodes;
    VEC(uint32_t) obj_class;        /* by object number; the filters look here */
    struct pts_pairs edges;         /* unfiltered (src, dst) pairs that exist, of nodes with many */
    VEC(struct pts_filter) filters; /* by filter number */

    VEC(uint32_t) order; /* rank -> node */
    VEC(uint64_t) queue; /* bit per rank: node has work */
    size_t n_queued;
    uint32_t cursor;

    struct pts_set_names names; /* of the sets passed on */
    VEC(struct pts_late) late;  /* constraints added to nodes that already had objects */

    uint32_t ranked_nodes, ranked_edges; /* sizes when the order was last computed */
    uint64_t n_edges, n_props, n_merged, n_sorts;
};

void pts_graph_init(struct pts_graph *g, const struct pts_graph_ops *ops, void *self);
void pts_graph_release(struct pts_graph *g);

uint32_t pts_graph_nodes(struct pts_graph *g, uint32_t count); /* adds nodes, returns the first */
uint32_t pts_graph_rep(struct pts_graph *g, uint32_t node);
const struct pts_set *pts_graph_set(struct pts_graph *g, uint32_t node);

uint32_t pts_graph_object(struct pts_graph *g, uint32_t cls); /* the next object number, from 0 */
bool pts_graph_add(struct pts_graph *g, uint32_t node, uint32_t obj);
void pts_graph_edge(struct pts_graph *g, uint32_t src, uint32_t dst, uint32_t filter);
void pts_graph_cons(struct pts_graph *g, uint32_t node, struct pts_cons cons);
/* Makes `node`, whose set will only ever be that of `same`, one with it.  An edge if it is in use already. */
void pts_graph_alias(struct pts_graph *g, uint32_t node, uint32_t same);
bool pts_graph_passes(struct pts_graph *g, uint32_t filter, uint32_t obj);

void pts_graph_solve(struct pts_graph *g);

/* Makes the unfiltered edges of a node known, if it has many. */
void pts_graph_index_edges(struct pts_graph *g, uint32_t src);

/* scc.c: merges cycles, renumbers the service order. */
void pts_graph_sort(struct pts_graph *g);
void pts_graph_merge(struct pts_graph *g, uint32_t into, uint32_t from);
void pts_graph_enqueue(struct pts_graph *g, uint32_t node);

#endif
