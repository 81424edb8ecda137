/*
 * Code that nobody can see: natives, and methods without IR.
 *
 * The result is some object of the declared class, and natives make and throw what their `throws` clause
 * names; else nothing is taken to happen, which is listed.
 */
#include "plugin.h"

/* A class an object of which can exist. */
static bool is_concrete(struct pts *s, class_id c) {
    const struct class_info *info = program_info(s->p, c);
    if (info->component.v) return true;
    return info->state == CLASS_LOADED && !(info->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE));
}

/* Natives of the JDK that are worth a line: those that hand out objects other than texts and numbers. */
static bool is_notable(struct pts *s, const struct method_info *m) {
    class_id result = m->sig->result;
    if (!program_info(s->p, m->owner)->from_jdk) return true;
    if (class_is_primitive(result) || result.v == CLASS_STRING || result.v == CLASS_CLASS) return false;
    return !class_is_primitive(program_info(s->p, result)->component);
}

void pts_enter_opaque(struct pts *s, uint32_t inst) {
    const struct pts_code *code = s->insts.v[inst].code;
    const struct method_info *m = program_method(s->p, code->method);
    class_id result = m->sig->result;
    /* JNI makes byte buffers of this class only. */
    if (result.v == program_class(s->p, "java/nio/ByteBuffer").v)
        result = program_class(s->p, "java/nio/DirectByteBuffer");
    if (!class_is_primitive(result) && is_concrete(s, result))
        pts_graph_add(&s->g, pts_return_node(s, inst),
                      pts_plain_obj(s, pts_alloc_model(s->world, result, "native result")));
    if (code->opaque)
        pts_add_gap(s, "opaque code", code->method, 0, code->opaque);
    else if (is_notable(s, m))
        pts_add_gap(s, "native method", code->method, 0, NULL);
}

/* JNI passes texts to the constructors of exceptions, and numbers. */
void pts_throw_declared(struct pts *s, uint32_t site, const struct pts_code *code) {
    uint32_t texts = pts_graph_nodes(&s->g, 1);
    pts_put(s, texts, pts_merged_obj(s, (class_id){CLASS_STRING}));
    for (uint32_t i = 0; i < code->n_throws; i++)
        if (is_concrete(s, code->throws[i]))
            pts_put(s, s->thrown, pts_instantiate(s, site, code->throws[i], texts));
}
