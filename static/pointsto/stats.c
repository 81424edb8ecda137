/* Precision counters, so that a later change can be judged. */
#include "solver.h"

/* Distinct target methods of a call statement over all contexts of its method: 0, 1 or 2 (more than one). */
static unsigned count_targets(const struct pts *s, const struct pts_method *m, uint32_t stmt) {
    uint32_t first = 0;
    for (size_t k = 0; k < m->insts.n; k++) {
        uint32_t n;
        const struct pts_call *calls = pts_callees_at(s, m->insts.v[k], stmt, &n);
        for (uint32_t i = 0; i < n; i++) {
            if (calls[i].kind != PTS_EDGE_CALL) continue;
            uint32_t target = s->insts.v[calls[i].callee.v].info.method.v;
            if (first && target != first) return 2;
            first = target;
        }
    }
    return first != 0;
}

static bool may_fail(struct pts *s, const struct pts_method *m, const struct pts_code_cast *cast) {
    for (size_t k = 0; k < m->insts.n; k++) {
        uint32_t node = s->insts.v[m->insts.v[k].v].base + cast->var;
        const struct pts_set *set = pts_graph_set(&s->g, node);
        struct pts_set_iter it = {0};
        uint32_t obj;
        while (pts_set_next(set, &it, &obj))
            if (!pts_instance_of_class(s, obj, cast->type)) return true;
    }
    return false;
}

static void count_method(struct pts *s, const struct pts_method *m, const struct pts_code *code, bool app) {
    struct pts_stats *st = &s->stats;
    st->methods++;
    st->app_methods += app;
    st->calls += code->n_calls;
    for (uint32_t i = 0; i < code->n_calls; i++) {
        if (code->calls[i].kind != IR_CALL_VIRTUAL && code->calls[i].kind != IR_CALL_INTERFACE) continue;
        unsigned targets = count_targets(s, m, code->calls[i].stmt);
        if (targets == 0) continue;
        st->virtual_calls++;
        st->poly_calls += targets > 1;
        st->app_virtual_calls += app;
        st->app_poly_calls += app && targets > 1;
    }
    for (uint32_t i = 0; i < code->n_casts; i++) {
        bool fails = may_fail(s, m, &code->casts[i]);
        st->casts++;
        st->may_fail_casts += fails;
        st->app_casts += app;
        st->app_may_fail_casts += app && fails;
    }
}

void pts_compute_stats(struct pts *s) {
    struct pts_stats *st = &s->stats;
    for (size_t m = 1; m < s->methods.n; m++) {
        if (s->methods.v[m].insts.n == 0) continue;
        const struct pts_code *code = s->insts.v[s->methods.v[m].insts.v[0].v].code;
        count_method(s, &s->methods.v[m], code, pts_is_app(s, (method_id){(uint32_t)m}));
    }
    for (size_t i = 1; i < s->insts.n; i++) {
        for (uint32_t v = 0; v < s->insts.v[i].code->n_vars; v++) {
            uint32_t n = pts_set_count(pts_graph_set(&s->g, s->insts.v[i].base + v));
            st->vars += n != 0;
            st->var_objs += n;
        }
    }
    st->insts = pts_n_insts(s);
    st->ctxs = pts_n_ctxs(s);
    st->objs = pts_n_objs(s);
    st->allocs = pts_n_allocs(s);
    st->nodes = s->g.nodes.n;
    st->edges = s->g.n_edges;
    st->merged = s->g.n_merged;
}
