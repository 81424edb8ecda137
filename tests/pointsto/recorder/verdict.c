#include "verdict.h"
#include "explain.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables of the result ---- */

static int by_value(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

#define SORT(vec) qsort((vec)->v, (vec)->n, sizeof *(vec)->v, by_value)

/* First position with a value >= key. */
static size_t lower(const uint64_t *v, size_t n, uint64_t key) {
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (v[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static method_id method_of(const struct pts *pts, pts_inst i) {
    return i.v ? pts_inst_info(pts, i)->method : (method_id){0};
}

static void index_result(struct verdicts *v) {
    const struct pts *pts = v->pts;
    for (uint32_t i = 0; i <= pts_n_insts(pts); i++) {
        uint32_t n;
        const struct pts_call *calls = pts_callees(pts, (pts_inst){i}, &n);
        for (uint32_t k = 0; k < n; k++)
            vec_push(&v->edges,
                     (uint64_t)method_of(pts, calls[k].caller).v << 32 | method_of(pts, calls[k].callee).v);
    }
    for (uint32_t i = 0; i < pts_n_gaps(pts); i++) {
        vec_push(&v->gap_in, (uint64_t)pts_gap(pts, i)->in.v << 32 | i);
        v->makes_classes |= strcmp(pts_gap(pts, i)->what, "generated class") == 0;
    }
    for (uint32_t o = 1; o <= pts_n_objs(pts); o++)
        vec_push(&v->objs_of, (uint64_t)pts_obj_info(pts, (pts_obj){o})->alloc.v << 32 | o);
    for (uint32_t a = 1; a <= pts_n_allocs(pts); a++)
        vec_push(&v->allocs_at, (uint64_t)pts_alloc_info(pts, (pts_alloc){a})->method.v << 32 | a);
    SORT(&v->edges);
    SORT(&v->gap_in);
    SORT(&v->objs_of);
    SORT(&v->allocs_at);
}

/* The program's number of an observed method; 0 if no class file on the path has it. */
static method_id lookup(struct program *p, const struct obs_member *m) {
    if (m->is_hidden || m->cls[0] == '[') return (method_id){0};
    class_id c = program_find_class(p, m->cls);
    if (c.v == 0) return (method_id){0};
    return program_declared_method(p, c, program_name(p, m->name), program_name(p, m->desc));
}

void verdicts_init(struct verdicts *v, const struct pts *pts, const struct observed *o) {
    *v = (struct verdicts){.pts = pts, .p = pts_program(pts), .o = o};
    arena_init(&v->arena);
    arena_init(&v->bodies);
    v->builder = ir_builder_new(v->p);
    v->methods = ARENA_NEW_N(&v->arena, o->methods.n, method_id);
    for (size_t i = 1; i < o->methods.n; i++) v->methods[i] = lookup(v->p, &o->methods.v[i]);
    index_result(v);
}

void verdicts_release(struct verdicts *v) {
    ir_builder_free(v->builder);
    arena_release(&v->arena);
    arena_release(&v->bodies);
    explain_release(v);
    vec_release(&v->edges);
    vec_release(&v->gap_in);
    vec_release(&v->objs_of);
    vec_release(&v->allocs_at);
    vec_release(&v->reasons);
    vec_release(&v->missing);
    vec_release(&v->listed);
}

/* ---- what the result says ---- */

bool verdicts_reached(const struct verdicts *v, method_id m) {
    return m.v != 0 && pts_is_reachable(v->pts, m);
}

static bool has_edge(const struct verdicts *v, method_id caller, method_id callee) {
    uint64_t key = (uint64_t)caller.v << 32 | callee.v;
    size_t at = lower(v->edges.v, v->edges.n, key);
    return at < v->edges.n && v->edges.v[at] == key;
}

static const struct ir_body *body_of(struct verdicts *v, method_id m) {
    struct race_error err = {0};
    if (v->body_of.v == m.v) return v->body;
    arena_clear(&v->bodies);
    v->body_of = m;
    v->body = program_method(v->p, m)->has_code ? ir_build(v->builder, m, &v->bodies, &err) : NULL;
    return v->body;
}

/* An edge from a statement at this bytecode index, in some context. */
static bool has_edge_at(struct verdicts *v, method_id caller, uint32_t bci, method_id callee) {
    const struct ir_body *body = body_of(v, caller);
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(v->pts, caller, &n_insts);
    if (body == NULL) return false;
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callees(v->pts, insts[i], &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].stmt >= body->n_stmts || body->stmts[calls[k].stmt].bci != bci) continue;
            if (method_of(v->pts, calls[k].callee).v == callee.v) return true;
        }
    }
    return false;
}

/* The reason listed for a method, at a bytecode index unless that is VERDICTS_ANY_BCI; or NULL. */
const char *verdicts_gap(struct verdicts *v, method_id m, uint32_t bci) {
    size_t at = lower(v->gap_in.v, v->gap_in.n, (uint64_t)m.v << 32);
    for (; m.v != 0 && at < v->gap_in.n && v->gap_in.v[at] >> 32 == m.v; at++) {
        const struct pts_gap *gap = pts_gap(v->pts, (uint32_t)v->gap_in.v[at]);
        const struct ir_body *body = bci == VERDICTS_ANY_BCI ? NULL : body_of(v, m);
        if (bci == VERDICTS_ANY_BCI) return gap->what;
        if (body != NULL && gap->stmt < body->n_stmts && body->stmts[gap->stmt].bci == bci) return gap->what;
    }
    return NULL;
}

/* ---- outcomes ---- */

static void settle(struct verdicts *v, enum fact_kind kind, size_t index, enum outcome outcome,
                   const char *reason) {
    v->count[kind][outcome]++;
    if (outcome == LISTED && kind == FACT_CALL) {
        struct obs_site s = v->o->sites.v[v->o->calls.v[index].site];
        vec_push(&v->listed, (uint64_t)v->methods[s.method].v << 32 | s.bci);
    }
    if (outcome == MISSING) {
        struct missing_fact fact = {.kind = (uint8_t)kind, .index = index};
        vec_push(&v->missing, fact);
    }
    if (outcome != LISTED) return;
    for (size_t i = 0; i < v->reasons.n; i++) {
        if (strcmp(v->reasons.v[i].text, reason) != 0) continue;
        v->reasons.v[i].n++;
        return;
    }
    struct reason r = {.text = reason, .n = 1};
    vec_push(&v->reasons, r);
}

static bool is_clinit(const struct obs_member *m) {
    return strcmp(m->name, "<clinit>") == 0;
}

/* What the VM calls on its own account. */
static bool is_vm_entry(const struct obs_member *m) {
    static const char *const entries[][2] = {{"java/lang/Shutdown", "shutdown"},
                                             {"java/lang/ref/Finalizer", "register"}};
    static const char *const boxes[] = {"Boolean", "Byte", "Character", "Short",
                                        "Integer", "Long", "Float",     "Double"};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (strcmp(m->cls, entries[i][0]) == 0 && strcmp(m->name, entries[i][1]) == 0) return true;
    /* Results of reflection are boxed by generated code. */
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes && strcmp(m->name, "valueOf") == 0; i++)
        if (strncmp(m->cls, "java/lang/", 10) == 0 && strcmp(m->cls + 10, boxes[i]) == 0) return true;
    return false;
}

/* The VM makes an exception where a statement fails that makes none itself. */
static bool is_vm_exception(struct verdicts *v, const struct obs_member *m, method_id caller, uint32_t bci) {
    const struct ir_body *body = body_of(v, caller);
    bool fails = false;
    if (body == NULL || strncmp(m->cls, "java/lang/", 10) != 0 || strcmp(m->name, "<init>") != 0)
        return false;
    if (strstr(m->cls, "Exception") == NULL && strstr(m->cls, "Error") == NULL) return false;
    for (uint32_t i = 0; i < body->n_stmts; i++) {
        const struct ir_stmt *s = &body->stmts[i];
        if (s->bci != bci) continue;
        const struct member_ref *ref =
            s->op == IR_INVOKE && s->sub != IR_CALL_DYNAMIC ? program_ref(v->p, (ref_id){s->ref}) : NULL;
        if (ref != NULL && strcmp(program_str(v->p, ref->name), "<init>") == 0) return false;
        fails |= ir_may_throw(s);
    }
    return fails;
}

/* The graph of modules is made before main(), which the analysis leaves out and lists. */
static bool is_of_modules(const struct obs_member *m) {
    static const char *const prefixes[] = {"java/lang/Module", "java/lang/module/", "jdk/internal/module/",
                                           "jdk/internal/loader/BuiltinClassLoader$LoadedModule",
                                           "java/lang/StackTraceElement$HashedModules"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(m->cls, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

static bool is_jdk_method(const struct verdicts *v, method_id m) {
    return program_info(v->p, program_method(v->p, m)->owner)->from_jdk;
}

static bool is_of_reflection(const struct obs_member *m) {
    return strncmp(m->cls, "java/lang/reflect/", 18) == 0 ||
           strncmp(m->cls, "jdk/internal/reflect/", 21) == 0 || strncmp(m->cls, "sun/reflect/", 12) == 0;
}

/* A class of the receiver's kind whose constructor ran, but not in the analysis: made by listed code. */
static bool is_unseen_class(const struct verdicts *v, method_id callee) {
    return callee.v != 0 && v->unseen_classes[program_method(v->p, callee)->owner.v];
}

/* A method of a class that no file on the path has, where the report says that the program makes classes. */
static bool is_of_generated(const struct verdicts *v, const struct obs_member *m, method_id id) {
    return id.v == 0 && m->cls[0] != '[' && !m->is_hidden && v->makes_classes &&
           program_find_class(v->p, m->cls).v == 0;
}

/* Unreached code of the JDK calls the application: what is modelled has to call it as well. */
static bool is_callback(const struct verdicts *v, method_id caller, method_id callee) {
    if (caller.v == 0 || callee.v == 0 || verdicts_reached(v, callee) || is_unseen_class(v, callee))
        return false;
    return is_jdk_method(v, caller) && !is_jdk_method(v, callee);
}

static void judge_call(struct verdicts *v, size_t index) {
    struct obs_call c = v->o->calls.v[index];
    struct obs_site s = v->o->sites.v[c.site];
    const struct obs_member *callee_name = &v->o->methods.v[c.method];
    method_id caller = v->methods[s.method], callee = v->methods[c.method];
    const char *gap;
    bool present =
        caller.v && callee.v &&
        (is_clinit(callee_name) ? has_edge(v, caller, callee) : has_edge_at(v, caller, s.bci, callee));
    if (!present && callee.v && verdicts_reached(v, caller)) present = pts_is_modelled(v->pts, callee);
    if (present)
        settle(v, FACT_CALL, index, PRESENT, NULL);
    else if (!verdicts_reached(v, caller) && !is_callback(v, caller, callee))
        settle(v, FACT_CALL, index, BEHIND, NULL);
    else if (is_vm_entry(callee_name) && strcmp(callee_name->name, "valueOf") != 0)
        settle(v, FACT_CALL, index, VM_CALL, NULL);
    else if (is_vm_exception(v, callee_name, caller, s.bci))
        settle(v, FACT_CALL, index, VM_CALL, NULL);
    else if ((gap = verdicts_gap(v, caller, s.bci)) != NULL)
        settle(v, FACT_CALL, index, LISTED, gap);
    else if (is_unseen_class(v, callee))
        settle(v, FACT_CALL, index, LISTED, "receiver made by listed code");
    else if (is_of_generated(v, callee_name, callee))
        settle(v, FACT_CALL, index, LISTED, "generated class");
    else if (is_of_modules(callee_name) || is_of_modules(&v->o->methods.v[s.method]))
        settle(v, FACT_CALL, index, LISTED, "module system");
    else if (is_of_reflection(callee_name) || is_of_reflection(&v->o->methods.v[s.method]))
        settle(v, FACT_CALL, index, LISTED, "inside reflection");
    else if (explained_receiver(v, caller, s.bci))
        settle(v, FACT_CALL, index, LISTED, "value that comes out of listed code");
    else if (v->shared[caller.v])
        settle(v, FACT_CALL, index, LISTED, "JDK method that listed code calls too");
    else
        settle(v, FACT_CALL, index, MISSING, NULL);
}

/* Whether the JDK's method is called by Java code that the analysis does not reach, such as that of method
   handles: part of what a model stands for. */
static bool is_inside_model(const struct verdicts *v, const struct obs_via *via) {
    method_id callee = v->methods[via->method],
              caller = via->n ? v->methods[via->callers[0]] : (method_id){0};
    /* Generated code that concatenates strings works on the inside of String. */
    if (callee.v != 0 && via->n != 0 &&
        strstr(v->o->methods.v[via->callers[0]].cls, "$$StringConcat") != NULL)
        return program_method(v->p, callee)->owner.v == CLASS_STRING;
    if (callee.v == 0 || caller.v == 0 || v->o->methods.v[via->callers[0]].is_native) return false;
    return is_jdk_method(v, callee) && !verdicts_reached(v, caller);
}

static void judge_via(struct verdicts *v, size_t index) {
    const struct obs_via *via = &v->o->vias.v[index];
    method_id callee = v->methods[via->method];
    const char *gap = NULL;
    bool present = via->n == 0 ? verdicts_reached(v, callee) : callee.v && pts_is_modelled(v->pts, callee);
    bool behind = is_inside_model(v, via);
    for (uint32_t i = 0; i < via->n && !present; i++) {
        method_id caller = v->methods[via->callers[i]];
        present = caller.v && callee.v && has_edge(v, caller, callee);
        if (gap == NULL) gap = verdicts_gap(v, caller, VERDICTS_ANY_BCI);
        behind |= i + 1 == via->n && !verdicts_reached(v, caller); /* those before only pass on */
    }
    if (present)
        settle(v, FACT_VIA, index, PRESENT, NULL);
    else if (is_vm_entry(&v->o->methods.v[via->method]))
        settle(v, FACT_VIA, index, VM_CALL, NULL);
    else if (behind)
        settle(v, FACT_VIA, index, BEHIND, NULL);
    else if (gap != NULL)
        settle(v, FACT_VIA, index, LISTED, gap);
    else if (is_unseen_class(v, callee))
        settle(v, FACT_VIA, index, LISTED, "receiver made by listed code");
    else if (is_of_modules(&v->o->methods.v[via->method]))
        settle(v, FACT_VIA, index, LISTED, "module system");
    else if (via->n != 0 && v->shared[v->methods[via->callers[via->n - 1]].v])
        settle(v, FACT_VIA, index, LISTED, "JDK method that listed code calls too");
    else
        settle(v, FACT_VIA, index, MISSING, NULL);
}

/* The allocations of the result at an observed site. */
static bool is_alloc_at(struct verdicts *v, pts_alloc a, struct obs_site s, method_id m) {
    const struct pts_alloc_info *h = pts_alloc_info(v->pts, a);
    return h->method.v == m.v && h->bci == s.bci;
}

/* Class of what the statement at the site makes; 0 if it is none that makes something. */
static class_id made_class(struct verdicts *v, method_id m, uint32_t bci) {
    const struct ir_body *body = body_of(v, m);
    for (uint32_t i = 0; body != NULL && i < body->n_stmts; i++)
        if (body->stmts[i].bci == bci && (body->stmts[i].op == IR_NEW || body->stmts[i].op == IR_NEW_ARRAY))
            return (class_id){body->stmts[i].ref};
    return (class_id){0};
}

/* Calls fn for each abstract object of the site until it returns true. */
static bool any_object(struct verdicts *v, uint32_t site, bool (*fn)(struct verdicts *, pts_obj, void *),
                       void *arg) {
    struct obs_site s = v->o->sites.v[site];
    method_id m = v->methods[s.method];
    if (m.v == 0) return false;
    class_id cls = made_class(v, m, s.bci);
    /* Those with a statement, then the merged ones (method 0) of the class. */
    for (int merged = 0; merged < 2; merged++) {
        uint64_t method = merged ? 0 : m.v;
        for (size_t i = lower(v->allocs_at.v, v->allocs_at.n, method << 32);
             i < v->allocs_at.n && v->allocs_at.v[i] >> 32 == method; i++) {
            pts_alloc a = {(uint32_t)v->allocs_at.v[i]};
            const struct pts_alloc_info *h = pts_alloc_info(v->pts, a);
            if (merged ? h->kind != PTS_ALLOC_MERGED || h->cls.v != cls.v : !is_alloc_at(v, a, s, m))
                continue;
            for (size_t k = lower(v->objs_of.v, v->objs_of.n, (uint64_t)a.v << 32);
                 k < v->objs_of.n && v->objs_of.v[k] >> 32 == a.v; k++)
                if (fn(v, (pts_obj){(uint32_t)v->objs_of.v[k]}, arg)) return true;
        }
    }
    return false;
}

struct heap_query {
    field_id field; /* 0: elements */
    struct pts_view set;
    uint32_t value; /* site */
};

static bool is_in_set(struct verdicts *v, pts_obj o, void *arg) {
    struct heap_query *q = arg;
    (void)v;
    return pts_has(q->set, o);
}

static bool holds(struct verdicts *v, pts_obj holder, void *arg) {
    struct heap_query *q = arg;
    q->set = q->field.v ? pts_field(v->pts, holder, q->field) : pts_elems(v->pts, holder);
    return q->set.set != NULL && any_object(v, q->value, is_in_set, q);
}

static bool exists(struct verdicts *v, pts_obj o, void *arg) {
    (void)v, (void)o, (void)arg;
    return true;
}

static field_id field_of(struct verdicts *v, uint32_t field) {
    const struct obs_member *f = &v->o->fields.v[field];
    class_id c = program_find_class(v->p, f->cls);
    if (c.v == 0) return (field_id){0};
    return program_resolve_field(v->p, c, program_name(v->p, f->name), program_name(v->p, f->desc));
}

/* The object is made in code that a model stands for: the analysis has another one, made where it is called.
 */
static bool is_modelled_site(const struct verdicts *v, uint32_t site) {
    method_id m = v->methods[v->o->sites.v[site].method];
    return m.v != 0 && pts_is_modelled(v->pts, m);
}

static void judge_heap(struct verdicts *v, size_t index) {
    struct obs_heap h = v->o->heap.v[index];
    struct heap_query q = {.value = h.value};
    method_id in = v->methods[v->o->sites.v[h.site].method];
    bool present;
    if (h.field != 0) q.field = field_of(v, h.field);
    if (h.holder != 0) {
        present = (h.field == 0 || q.field.v != 0) && any_object(v, h.holder, holds, &q);
    } else {
        q.set = q.field.v ? pts_static(v->pts, q.field) : (struct pts_view){NULL};
        present = any_object(v, h.value, is_in_set, &q);
    }
    bool behind = !verdicts_reached(v, in) || is_modelled_site(v, h.value) ||
                  (h.holder != 0 && is_modelled_site(v, h.holder)) || !any_object(v, h.value, exists, NULL) ||
                  (h.holder != 0 && !any_object(v, h.holder, exists, NULL));
    if (present || behind)
        settle(v, FACT_HEAP, index, present ? PRESENT : BEHIND, NULL);
    else if (explained_store(v, in, v->o->sites.v[h.site].bci))
        settle(v, FACT_HEAP, index, LISTED, "value that comes out of listed code");
    else if (v->shared[in.v])
        settle(v, FACT_HEAP, index, LISTED, "JDK method that listed code calls too");
    else
        settle(v, FACT_HEAP, index, MISSING, NULL);
}

/* Marks the class if this method is a constructor that the analysis does not know to run. */
static void see_entered(struct verdicts *v, uint32_t method) {
    method_id m = v->methods[method];
    if (m.v == 0 || strcmp(v->o->methods.v[method].name, "<init>") != 0 || verdicts_reached(v, m)) return;
    v->unseen_classes[program_method(v->p, m)->owner.v] = true;
}

static void find_unseen_classes(struct verdicts *v) {
    v->unseen_classes = ARENA_NEW_N(&v->arena, program_n_classes(v->p) + 1, bool);
    for (size_t i = 0; i < v->o->calls.n; i++) see_entered(v, v->o->calls.v[i].method);
    for (size_t i = 0; i < v->o->vias.n; i++) see_entered(v, v->o->vias.v[i].method);
}

/* Reached methods of the JDK that unreached code was seen to call: with its objects they do more than the
   analysis can know. */
static void find_shared(struct verdicts *v) {
    v->shared = ARENA_NEW_N(&v->arena, program_n_methods(v->p) + 1, bool);
    bool more = true;
    for (size_t i = 0; i < v->o->vias.n; i++)
        if (is_inside_model(v, &v->o->vias.v[i])) v->shared[v->methods[v->o->vias.v[i].method].v] = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < v->o->calls.n; i++) {
            method_id caller = v->methods[v->o->sites.v[v->o->calls.v[i].site].method];
            method_id callee = v->methods[v->o->calls.v[i].method];
            if (caller.v == 0 || callee.v == 0 || !is_jdk_method(v, callee) || !verdicts_reached(v, callee))
                continue;
            if (v->shared[callee.v] || (verdicts_reached(v, caller) && !v->shared[caller.v])) continue;
            v->shared[callee.v] = more = true;
        }
    }
}

void verdicts_find(struct verdicts *v) {
    find_unseen_classes(v);
    find_shared(v);
    for (size_t i = 0; i < v->o->calls.n; i++) judge_call(v, i);
    for (size_t i = 0; i < v->o->vias.n; i++) judge_via(v, i);
    for (size_t i = 0; i < v->o->heap.n; i++) judge_heap(v, i);
}

unsigned verdicts_missing(const struct verdicts *v) {
    return (unsigned)v->missing.n;
}

/* ---- text ---- */

static void print_method(const struct verdicts *v, uint32_t method, FILE *out) {
    const struct obs_member *m = &v->o->methods.v[method];
    fprintf(out, "%s.%s%s", m->cls, m->name, m->desc);
}

static void print_site(const struct verdicts *v, uint32_t site, FILE *out) {
    struct obs_site s = v->o->sites.v[site];
    const struct obs_member *m = &v->o->methods.v[s.method];
    fprintf(out, "%s.%s@%u", m->cls, m->name, s.bci);
}

static void print_missing(const struct verdicts *v, struct missing_fact fact, FILE *out) {
    fputs("missing: ", out);
    if (fact.kind == FACT_CALL) {
        struct obs_call c = v->o->calls.v[fact.index];
        fputs("call ", out);
        print_site(v, c.site, out);
        fputs(" -> ", out);
        print_method(v, c.method, out);
    } else if (fact.kind == FACT_VIA) {
        const struct obs_via *via = &v->o->vias.v[fact.index];
        fputs("entry ", out);
        print_method(v, via->method, out);
        for (uint32_t i = 0; i < via->n; i++) {
            fputs(" <- ", out);
            print_method(v, via->callers[i], out);
        }
    } else {
        struct obs_heap h = v->o->heap.v[fact.index];
        fputs("store ", out);
        print_site(v, h.value, out);
        fputs(" in ", out);
        if (h.holder) print_site(v, h.holder, out);
        fprintf(out, ".%s at ", h.field ? v->o->fields.v[h.field].name : "[]");
        print_site(v, h.site, out);
    }
    fputc('\n', out);
}

void verdicts_print(const struct verdicts *v, unsigned show, FILE *out) {
    static const char *const kinds[FACT_KINDS] = {"calls", "entries", "stores"};
    for (unsigned k = 0; k < FACT_KINDS; k++) {
        const unsigned *n = v->count[k];
        fprintf(out, "%-8s %7u present, %6u behind, %4u by the VM, %5u listed, %5u missing\n", kinds[k],
                n[PRESENT], n[BEHIND], n[VM_CALL], n[LISTED], n[MISSING]);
    }
    for (size_t i = 0; i < v->reasons.n; i++)
        fprintf(out, "listed: %u %s\n", v->reasons.v[i].n, v->reasons.v[i].text);
    for (size_t i = 0; i < v->missing.n && i < show; i++) print_missing(v, v->missing.v[i], out);
    if (v->missing.n > show) fprintf(out, "... and %zu more\n", v->missing.n - show);
}
