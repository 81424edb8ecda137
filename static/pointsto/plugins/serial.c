/*
 * Deserialisation: readObject() makes an object without a constructor and runs the class's own hooks.
 *
 * Which class is in the stream nobody knows; the cast on the result says what the program expects.
 */
#include "../plugin.h"

static bool is_serializable_app_class(struct pts *s, class_id c) {
    const struct class_info *info = program_info(s->p, c);
    if (info->state != CLASS_LOADED || info->from_jdk) return false;
    if (info->access & (CF_ACC_ABSTRACT | CF_ACC_INTERFACE)) return false;
    return program_is_subtype(s->p, c, (class_id){CLASS_SERIALIZABLE});
}

struct reading {
    struct pts *s;
    uint32_t site;
    unsigned n;
};

static void run_hooks(struct pts *s, uint32_t site, class_id cls, uint32_t obj) {
    uint32_t args[2] = {pts_graph_nodes(&s->g, 1), pts_arg(s, site, 0)};
    const char *name = program_class_name(s->p, cls);
    method_id read = program_method_named(s->p, name, "readObject", "(Ljava/io/ObjectInputStream;)V");
    method_id resolve = program_method_named(s->p, name, "readResolve", "()Ljava/lang/Object;");
    method_id external = program_method_named(s->p, name, "readExternal", "(Ljava/io/ObjectInput;)V");
    pts_put(s, args[0], obj);
    if (read.v) pts_derive(s, site, IR_CALL_SPECIAL, read, obj, args, 2, PTS_NO_NODE);
    if (external.v) pts_derive(s, site, IR_CALL_SPECIAL, external, obj, args, 2, PTS_NO_NODE);
    if (resolve.v) pts_derive(s, site, IR_CALL_SPECIAL, resolve, obj, args, 1, pts_ret(s, site));
}

static bool visit_class(void *arg, class_id sub) {
    struct reading *r = arg;
    if (!is_serializable_app_class(r->s, sub)) return true;
    uint32_t obj = pts_made_here(r->s, r->site, sub);
    pts_initialise(r->s, sub, r->s->sites.v[r->site].caller, r->s->sites.v[r->site].stmt);
    pts_put(r->s, pts_ret(r->s, r->site), obj);
    run_hooks(r->s, r->site, sub, obj);
    return ++r->n < 32;
}

static void read_object(struct pts *s, uint32_t site, uint32_t recv, uint32_t data) {
    (void)recv, (void)data;
    class_id cast = pts_result_cast(s, site);
    struct reading r = {.s = s, .site = site};
    if (!pts_from_app(s, site)) return;
    if (cast.v && cast.v != CLASS_OBJECT) program_each_below(s->p, cast, visit_class, &r);
    if (r.n == 0) pts_gap_here(s, site, "deserialisation", "objects of unknown classes");
}

static const struct pts_model models[] = {
    {"java/io/ObjectInputStream", "readObject", NULL, read_object, 0, false},
    {"java/io/ObjectInputStream", "readUnshared", NULL, read_object, 0, false},
};

const struct pts_plugin pts_plugin_serial = {.name = "serialisation", PTS_MODELS(models)};
