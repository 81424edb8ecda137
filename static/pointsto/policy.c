/*
 * Who gets which context.
 *
 * By the book (exact_k) every receiver is a context and every site has the k value that Sigma gives it.  With
 * the JDK's 20,000 methods that is mostly wasted: a format string's parser in the context of everybody who
 * ever formats.  By default
 *  - objects of application classes are contexts;
 *  - objects of JDK classes are contexts for the methods of *carriers* only, the classes that keep other
 *    people's objects (collections, concurrency, threads, streams), and only if the application made the
 *    object or it was made on behalf of one that matters (then its sequence has a tail);
 *  - static methods of the JDK take the caller's context in carriers only.
 * A method of the application is told apart for so many receivers only (MAX_CONTEXTS): those that come later
 * share its context-free instance.  Programs of the size of H2 have methods with hundreds of receivers, and
 * no counter of precision changes when the rest share one. Sites in carriers get a larger k, since containers
 * are built of containers: a HashSet's nodes are [Node :: HashMap :: HashSet], three long.
 */
#include "solver.h"

#include <string.h>

enum {
    /* H2 with -k 1: 20% less time and memory than without, 13,675 calls with several targets in both. */
    MAX_CONTEXTS = 32,
    FACTORY_STEPS = 4096 /* what all contexts of a factory may cost together */
};

struct pts_sigma {
    unsigned default_k;
    struct pts_map map; /* (method, statement) -> k */
};

struct pts_sigma *pts_sigma_new(unsigned default_k) {
    struct pts_sigma *s = NULL;
    size_t cap = 0;
    vec_grow_((void **)&s, &cap, 1, sizeof *s);
    memset(s, 0, sizeof *s);
    s->default_k = default_k ? default_k : 1;
    return s;
}

void pts_sigma_free(struct pts_sigma *s) {
    if (s == NULL) return;
    pts_map_release(&s->map);
    size_t n = 0, cap = 0;
    vec_free_((void **)&s, &n, &cap);
}

static uint64_t sigma_key(method_id m, uint32_t stmt) {
    return (uint64_t)m.v << 32 | stmt;
}

void pts_sigma_set(struct pts_sigma *s, method_id m, uint32_t stmt, unsigned k) {
    bool is_new;
    *pts_map_at(&s->map, sigma_key(m, stmt), &is_new) = k ? k : 1;
}

unsigned pts_sigma_get(const struct pts_sigma *s, method_id m, uint32_t stmt) {
    return pts_map_get(&s->map, sigma_key(m, stmt), s->default_k);
}

bool pts_is_app(const struct pts *s, method_id m) {
    return !program_info(s->p, program_method(s->p, m)->owner)->from_jdk;
}

/* Strings, boxes, exceptions, builders of the JDK: many sites, no interest in telling the objects apart. */
bool pts_is_merged(struct program *p, class_id c, bool split) {
    static const char *const kinds[] = {
        "java/lang/Boolean",       "java/lang/Byte",         "java/lang/Character",  "java/lang/Short",
        "java/lang/Integer",       "java/lang/Long",         "java/lang/Float",      "java/lang/Double",
        "java/lang/StringBuilder", "java/lang/StringBuffer", "java/math/BigInteger", "java/math/BigDecimal",
        "java/util/StringJoiner"};
    if (c.v == CLASS_STRING) return true;
    if (split) return false;
    const char *name = program_class_name(p, c);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, kinds[i]) == 0) return true;
    return program_is_subtype(p, c, (class_id){CLASS_THROWABLE});
}

static bool has_prefix(const char *z, const char *prefix) {
    return strncmp(z, prefix, strlen(prefix)) == 0;
}

static bool is_carrier_by_name(const char *z) {
    static const char *const prefixes[] = {"java/util/concurrent/", "java/util/stream/",
                                           "java/util/function/",   "java/lang/ref/",
                                           "java/lang/Thread",      "java/lang/InheritableThreadLocal",
                                           "java/util/Timer",       "java/util/Collections",
                                           "java/util/Arrays",      "java/util/ImmutableCollections",
                                           "java/util/Optional",    "java/util/Objects"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (has_prefix(z, prefixes[i])) return true;
    return false;
}

/* Collections, maps, iterators and entries of java.util, and what is nested in them. */
static bool is_collection(struct program *p, class_id c) {
    static const char *const kinds[] = {"java/util/Collection",  "java/util/Map",
                                        "java/util/Iterator",    "java/util/Map$Entry",
                                        "java/util/Enumeration", "java/util/Spliterator"};
    char outer[256];
    const char *z = program_class_name(p, c), *dollar = strchr(z, '$');
    if (!has_prefix(z, "java/util/") || strchr(z + strlen("java/util/"), '/')) return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (program_is_subtype(p, c, program_class(p, kinds[i]))) return true;
    if (dollar == NULL || (size_t)(dollar - z) >= sizeof outer) return false;
    memcpy(outer, z, (size_t)(dollar - z));
    outer[dollar - z] = '\0';
    return is_collection(p, program_class(p, outer));
}

static bool is_carrier(struct pts *s, class_id c) {
    while (s->carriers.n <= c.v) vec_push(&s->carriers, 0);
    if (s->carriers.v[c.v] == 0) {
        bool yes = is_carrier_by_name(program_class_name(s->p, c)) || is_collection(s->p, c);
        s->carriers.v[c.v] = yes ? 1 : 2;
    }
    return s->carriers.v[c.v] == 1;
}

unsigned pts_k_of(struct pts *s, pts_alloc a, pts_ctx c) {
    const struct pts_alloc_info *h = &s->world->allocs.v[a.v];
    unsigned k = s->options.k ? s->options.k : 1;
    if (s->options.mode == PTS_INSENSITIVE || s->options.mode == PTS_ORIGIN) return 1;
    if (s->options.sigma) {
        unsigned set = pts_sigma_get(s->options.sigma, h->method, h->stmt);
        if (set != s->options.sigma->default_k || s->options.exact_k) return set;
        k = set;
    }
    if (s->options.exact_k || h->method.v == 0) return k;
    /* In a call's own context the call must show, or it would be of no use. */
    uint32_t outer = s->ctxs.v[c.v].obj.v;
    if (outer && s->objs.v[outer].cls.v == CLASS_OBJECT) k++; /* Object's own methods make nothing */
    if (pts_is_app(s, h->method)) return k;
    return s->ctxs.v[c.v].obj.v == 0 ? 1 : k + 2;
}

static bool is_statement(const struct pts_alloc_info *h) {
    return h->kind == PTS_ALLOC_NEW || h->kind == PTS_ALLOC_INNER || h->kind == PTS_ALLOC_LAMBDA;
}

/* Whether the object makes a context of its own for a method of class `owner`. */
static bool matters(struct pts *s, uint32_t obj, class_id owner) {
    const struct pts_obj_info *o = &s->objs.v[obj];
    const struct pts_alloc_info *h = &s->world->allocs.v[o->alloc.v];
    if (s->options.exact_k) return true;
    if (!is_statement(h)) return false;
    if (!program_info(s->p, h->cls)->from_jdk && program_info(s->p, h->cls)->component.v == 0) return true;
    if (program_info(s->p, owner)->from_jdk && !is_carrier(s, owner)) return false;
    return s->ctxs.v[o->rest.v].obj.v != 0 || pts_is_app(s, h->method);
}

/* An application class made the object, or it is of one. */
static bool is_app_obj(const struct pts *s, uint32_t obj) {
    const struct pts_alloc_info *h = &s->world->allocs.v[s->objs.v[obj].alloc.v];
    return (h->method.v && pts_is_app(s, h->method)) || !program_info(s->p, h->cls)->from_jdk;
}

/*
 * The origin a callee runs under.  A thread of the application begins one.  Threads that the JDK made (pool
 * workers, timers, the common pool) share one; they run tasks of the application, and entering the
 * application from such a thread begins the task's own origin.  Origins are named by bare sites, else threads
 * that start threads had no end.
 */
static uint32_t origin_for(struct pts *s, const struct pts_site *site, uint32_t recv, method_id callee,
                           uint32_t now) {
    if (s->options.mode != PTS_ORIGIN && s->options.mode != PTS_ORIGIN_OBJECT) return 0;
    if (recv == 0) return now;
    uint32_t bare = pts_plain_obj(s, s->objs.v[recv].alloc);
    uint32_t worker = pts_model_obj(s, "java/lang/Thread", "worker");
    if (site->edge == PTS_EDGE_THREAD) return is_app_obj(s, recv) ? bare : worker;
    if (now != worker || !pts_is_app(s, callee)) return now;
    bool from_jdk = site->caller != 0 && !pts_is_app(s, s->insts.v[site->caller].info.method);
    return from_jdk ? bare : now;
}

/* Containers and arrays that a static method makes and returns, as long as its contexts stay cheap. */
static bool is_factory(struct pts *s, method_id callee) {
    const struct pts_code *code = pts_code_of(s->world, callee);
    class_id made = code->made;
    if (made.v == 0 || pts_method_at(s, callee)->insts.n * code->n_steps > FACTORY_STEPS) return false;
    return program_info(s->p, made)->component.v != 0 ||
           (program_info(s->p, made)->from_jdk && is_carrier(s, made));
}

/*
 * A static method of the application that makes threads (`static Thread spawn(Runnable r)`) has no receiver
 * to tell its calls apart, and all threads of a program would be one: its contexts are the calls themselves,
 * named by objects that exist only for that.  So are those of its factories of containers, else the lists of
 * the whole program would be one, and those of the JDK's factories (Executors, List.of ...) where the
 * application calls them.
 */
static bool wants_call_ctx(struct pts *s, const struct pts_site *site, method_id callee) {
    if (s->options.exact_k || (s->options.mode != PTS_OBJECT && s->options.mode != PTS_ORIGIN_OBJECT))
        return false;
    if (site->caller == 0 || site->call == PTS_NO_VAR) return false;
    const struct method_info *m = program_method(s->p, callee);
    if ((m->access & CF_ACC_STATIC) == 0 || class_is_primitive(m->sig->result)) return false;
    if (!pts_is_app(s, callee))
        return is_carrier(s, m->owner) && pts_is_app(s, s->insts.v[site->caller].info.method);
    return program_is_subtype(s->p, m->sig->result, (class_id){CLASS_THREAD}) || is_factory(s, callee);
}

static pts_ctx call_ctx(struct pts *s, const struct pts_site *site, pts_ctx caller) {
    const struct pts_instance *in = &s->insts.v[site->caller];
    const struct pts_code_call *call = &in->code->calls[site->call];
    pts_alloc a = pts_alloc_call(s->world, in->info.method, call, (class_id){CLASS_OBJECT}, call->loops);
    return pts_make_ctx(s, pts_make_obj(s, a, caller), s->ctxs.v[caller.v].origin.v);
}

pts_ctx pts_ctx_for(struct pts *s, const struct pts_site *site, uint32_t recv, method_id callee) {
    pts_ctx epsilon = {PTS_EPSILON};
    if (s->options.mode == PTS_INSENSITIVE) return epsilon;
    pts_ctx caller = site->caller ? s->insts.v[site->caller].info.ctx : epsilon;
    struct pts_ctx_info now = s->ctxs.v[caller.v];
    uint32_t origin = origin_for(s, site, recv, callee, now.origin.v);
    class_id owner = program_method(s->p, callee)->owner;
    if (recv == 0) {
        if (wants_call_ctx(s, site, callee)) return call_ctx(s, site, caller);
        bool keep = s->options.exact_k || !program_info(s->p, owner)->from_jdk || is_carrier(s, owner);
        return keep ? caller : pts_make_ctx(s, 0, origin);
    }
    /* Constructors of Thread decide what runs where: without receivers, every thread ran every task. */
    bool is_thread = owner.v == CLASS_THREAD;
    if (s->options.mode == PTS_ORIGIN ? !is_thread : !matters(s, recv, owner))
        return pts_make_ctx(s, 0, origin);
    pts_ctx own = pts_make_ctx(s, recv, origin);
    bool limited = !s->options.exact_k && !program_info(s->p, owner)->from_jdk;
    if (limited && pts_method_at(s, callee)->insts.n >= MAX_CONTEXTS && pts_inst_of(s, callee, own).v == 0)
        return pts_make_ctx(s, 0, origin);
    return own;
}
