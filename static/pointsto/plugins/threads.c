/*
 * Threads: start() runs run() in a new thread.
 *
 * The edge leaves the statement that calls start(), as the thesis draws it; the body of Thread.start() is
 * analysed as well.  Pools, timers and fork-join need nothing here: their workers are threads whose run()
 * leads to the task through fields and queues that are analysed like everything else.
 */
#include "../plugin.h"

#include <string.h>

/* Calls the thread's root on site `id` and remembers the pair. */
static void begin(struct pts *s, uint32_t id, method_id target, uint32_t recv) {
    s->sites.v[id].edge = PTS_EDGE_THREAD;
    pts_graph_add(&s->g, s->thread_objs, recv);
    uint32_t root = pts_instance(s, target, pts_ctx_for(s, &s->sites.v[id], recv, target));
    pts_call_edge(s, id, root, recv);
    struct pts_started started = {
        .obj = recv, .root = root, .caller = s->sites.v[id].caller, .stmt = s->sites.v[id].stmt};
    vec_push(&s->started, started);
}

static void begin_thread(struct pts *s, uint32_t site, uint32_t recv) {
    method_id run = program_method_named(s->p, "java/lang/Thread", "run", "()V");
    method_id target = program_dispatch(s->p, s->objs.v[recv].cls, run);
    if (target.v == 0) return;
    bool is_new;
    uint32_t id = pts_derive_site(s, site, IR_CALL_VIRTUAL, run, recv, NULL, 0, PTS_NO_NODE, &is_new);
    if (is_new) begin(s, id, target, recv);
}

static void start(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    if (recv) begin_thread(s, site, recv);
}

/* start0() is reached from start() and, in newer JDKs, from start(ThreadContainer); only the latter counts.
 */
static void start0(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    uint32_t caller = s->sites.v[site].caller;
    if (caller == 0 || recv == 0) return;
    const struct method_info *m = program_method(s->p, s->insts.v[caller].info.method);
    if (strcmp(program_str(s->p, m->name), "start") == 0 && m->sig->n_params == 0) return;
    begin_thread(s, site, recv);
}

static void current(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    pts_flow(s, s->thread_objs, pts_ret(s, site));
}

/* Virtual threads run their task on a continuation that the VM switches to: call it from start() instead. */
static void virtual_init(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    uint32_t task = pts_arg(s, site, s->sites.v[site].n_args - 1u);
    if (recv) pts_flow(s, task, pts_field_node(s, recv, PTS_FIELD_MODEL));
}

static void virtual_start(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)data;
    method_id run = program_method_named(s->p, "java/lang/VirtualThread", "run", "(Ljava/lang/Runnable;)V");
    if (recv == 0 || run.v == 0) return;
    uint32_t args[2] = {PTS_NO_NODE, pts_field_node(s, recv, PTS_FIELD_MODEL)};
    bool is_new;
    uint32_t id = pts_derive_site(s, site, IR_CALL_SPECIAL, run, recv, args, 2, PTS_NO_NODE, &is_new);
    if (is_new) begin(s, id, run, recv);
}

static const struct pts_model models[] = {
    {"java/lang/Thread", "start", "()V", start, 0, false},
    {"java/lang/Thread", "start0", NULL, start0, 0, true},
    {"java/lang/Thread", "currentThread", NULL, current, 0, true},
    {"java/lang/Thread", "currentCarrierThread", NULL, current, 0, true},
    {"java/lang/VirtualThread", "<init>", NULL, virtual_init, 0, false},
    {"java/lang/VirtualThread", "start", NULL, virtual_start, 0, true},
};

const struct pts_plugin pts_plugin_threads = {.name = "threads", PTS_MODELS(models)};
