/*
 * What the garbage collector calls: finalizers, and reference objects handed to their queues.
 *
 * Every object whose class overrides finalize() may be finalized, by a thread of the VM.  Every reference
 * object may come back from Reference.getAndClearReferencePendingList(); from there the JDK's own code takes
 * it to its queue or cleaner.
 */
#include "../plugin.h"

static void pending(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    pts_flow(s, s->references, pts_ret(s, site));
}

static void finalize_later(struct pts *s, uint32_t obj) {
    method_id finalize = program_method_named(s->p, "java/lang/Object", "finalize", "()V");
    if (finalize.v == 0) return;
    method_id target = program_dispatch(s->p, s->objs.v[obj].cls, finalize);
    if (target.v == 0 || target.v == finalize.v) return;
    if (pts_code_of(s->world, target)->is_idle) return; /* those of enums; the VM leaves them out, too */
    uint32_t node = pts_graph_nodes(&s->g, 1);
    pts_put(s, node, obj);
    pts_derive_vm(s, IR_CALL_VIRTUAL, finalize, &node, 1, PTS_NO_NODE);
}

void pts_on_object(struct pts *s, uint32_t obj) {
    const struct pts_alloc_info *h = &s->world->allocs.v[s->objs.v[obj].alloc.v];
    if (h->kind != PTS_ALLOC_NEW || program_info(s->p, h->cls)->component.v) return;
    if (program_is_subtype(s->p, h->cls, program_class(s->p, "java/lang/ref/Reference")))
        pts_put(s, s->references, obj);
    finalize_later(s, obj);
}

static const struct pts_model models[] = {
    {"java/lang/ref/Reference", "getAndClearReferencePendingList", NULL, pending, 0, true},
};

const struct pts_plugin pts_plugin_references = {.name = "references", PTS_MODELS(models)};
