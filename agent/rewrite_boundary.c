/*
 * The boundary of what was analysed: a method whose proofs take a lock of its callers for granted looks, when
 * it is entered, whether they hold it.  A method of which the analysis saw no call tells that it runs.
 *
 * The plan names the lock as the analysis spells it.  What can be loaded first thing in the method is: the
 * object, a parameter, a field of this class, this class.  Of other expressions nothing is known there, and
 * the lock counts as not held.
 */
#include "rewrite_internal.h"

#include "race/opcodes.h"

#include <stdlib.h>
#include <string.h>

/* The local of the n-th reference or number that the descriptor names, from 1; false if it is no reference.
 */
static bool parameter(const struct rw_method *m, unsigned n, uint16_t *local) {
    const char *p = m->desc_z + 1;
    *local = (m->m->access & CF_ACC_STATIC) != 0 ? 0 : 1;
    for (unsigned i = 1; *p != ')' && *p != '\0'; i++) {
        char kind = *p;
        if (i == n) return kind == 'L' || kind == '[';
        *local = (uint16_t)(*local + (kind == 'J' || kind == 'D' ? 2 : 1));
        while (*p == '[') p++;
        p = *p == 'L' ? strchr(p, ';') : p;
        if (p == NULL) return false;
        p++;
    }
    return false;
}

/* Loads the field of that name, declared here, of the object on the stack or of the class. */
static bool load_field(struct rw_method *m, struct cf_asm *a, const char *name, bool is_static) {
    struct rw_class *c = m->c;
    for (uint32_t i = 0; i < c->cls.n_fields; i++) {
        const struct cf_field *f = &c->cls.fields[i];
        struct cf_str desc = cf_utf8(&c->cls, f->desc);
        if (!cf_str_is(cf_utf8(&c->cls, f->name), name)) continue;
        if (desc.p[0] != 'L' || ((f->access & CF_ACC_STATIC) != 0) != is_static) return false;
        if (!is_static) cfa_local(a, CF_OP_ALOAD, 0);
        cfa_const(a, is_static ? CF_OP_GETSTATIC : CF_OP_GETFIELD,
                  cfe_ref(&c->edit, CF_FIELDREF, c->name, cf_z(name), desc));
        return true;
    }
    return false;
}

/* Loads the lock; false if that is not possible, and then nothing is emitted. */
static bool load_lock(struct rw_method *m, struct cf_asm *a, const char *expr) {
    bool has_this = (m->m->access & CF_ACC_STATIC) == 0 && !cf_str_is(m->name, "<init>");
    uint16_t local;
    if (strncmp(expr, "arg", 3) == 0 && expr[3] >= '1' && expr[3] <= '9') {
        char *end;
        unsigned long n = strtoul(expr + 3, &end, 10);
        if (*end != '\0' || n > 255 || !parameter(m, (unsigned)n, &local)) return false;
        cfa_local(a, CF_OP_ALOAD, local);
        return true;
    }
    if (strcmp(expr, "this") == 0 && has_this) {
        cfa_local(a, CF_OP_ALOAD, 0);
        return true;
    }
    if (strncmp(expr, "this.", 5) == 0) return has_this && load_field(m, a, expr + 5, false);
    size_t n = m->c->name.n;
    if (strncmp(expr, m->c->name.p, n) != 0 || expr[n] != '.') return false;
    if (strcmp(expr + n, ".class") != 0) return load_field(m, a, expr + n + 1, true);
    if (m->c->cls.major < 49) return false; /* no constant for a class yet */
    cfa_ldc(a, m->c->cls.this_class);
    return true;
}

/* A method that nothing calls, as far as the analysis saw. */
static void tell_unreached(struct rw_method *m) {
    struct cf_asm *a = cfe_entry(m->out);
    cfa_push_int(a, (int32_t)m->unreached);
    rw_hook(a, IN_BOUNDARY, "strayed", "(I)V");
    cfe_need_stack(m->out, 1);
}

void rw_boundary(struct rw_method *m) {
    const struct rewrite_policy *p = m->c->policy;
    if (m->unreached != 0) tell_unreached(m);
    const char *expr;
    uint32_t number;
    if (p->required == NULL || cf_str_is(m->name, "<clinit>")) return;
    for (uint32_t i = 0; (expr = p->required(p->ctx, m->name, m->desc, i, &number)) != NULL; i++) {
        /* An object under construction is nobody else's yet. */
        if (cf_str_is(m->name, "<init>") && strncmp(expr, "this", 4) == 0) continue;
        struct cf_asm *a = cfe_entry(m->out);
        if (!load_lock(m, a, expr)) cfa_op(a, CF_OP_ACONST_NULL);
        cfa_push_int(a, (int32_t)number);
        rw_hook(a, IN_BOUNDARY, "entered", "(Ljava/lang/Object;I)V");
        cfe_need_stack(m->out, 2);
    }
}
