#include "lockops.h"

#include <string.h>

#define JUC "java/util/concurrent/locks/"

/* Modes in which an object of a class is locked. */
enum lock_mode { MODE_NONE, MODE_EXCLUSIVE, MODE_SHARED };

static enum lock_mode mode_of_class(const struct races *r, class_id c) {
    const char *name = program_class_name(r->p, c);
    if (strncmp(name, JUC, sizeof JUC - 1) != 0) return MODE_NONE;
    name += sizeof JUC - 1;
    if (strcmp(name, "ReentrantLock") == 0 || strcmp(name, "ReentrantReadWriteLock$WriteLock") == 0 ||
        strcmp(name, "StampedLock$WriteLockView") == 0)
        return MODE_EXCLUSIVE;
    if (strcmp(name, "ReentrantReadWriteLock$ReadLock") == 0 || strcmp(name, "StampedLock$ReadLockView") == 0)
        return MODE_SHARED;
    return MODE_NONE;
}

/* The mode common to all objects that v may be, in any context. */
static enum lock_mode mode_of_var(struct races *r, const struct ir_body *body, ir_var v) {
    enum lock_mode mode = MODE_NONE;
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, body->method, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct pts_iter it = {0};
        pts_obj o;
        struct pts_view set = pts_var(r->pts, insts[i], v);
        while (pts_next(set, &it, &o)) {
            enum lock_mode m = mode_of_class(r, pts_obj_info(r->pts, o)->cls);
            if (m == MODE_NONE || (mode != MODE_NONE && m != mode)) return MODE_NONE;
            mode = m;
        }
    }
    return mode;
}

static bool only_of_class(struct races *r, const struct ir_body *body, ir_var v, const char *cls) {
    uint32_t n;
    const pts_inst *insts = pts_insts_of(r->pts, body->method, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct pts_iter it = {0};
        pts_obj o;
        struct pts_view set = pts_var(r->pts, insts[i], v);
        while (pts_next(set, &it, &o)) {
            if (!class_is(r, pts_obj_info(r->pts, o)->cls, cls)) return false;
        }
    }
    return true;
}

/*
 * The lock that `v.lock()` takes.  `rw.readLock()` and `rw.writeLock()` are two views of one lock, which gets
 * rw's name; any other object is its own.
 */
static bool lock_of_var(struct races *r, const struct ir_body *body, ir_var v, struct lock *out) {
    const struct ir_stmt *def = ir_def(body, var_origin(body, v));
    const struct member_ref *ref = invoke_ref(r, def);
    out->juc = true;
    if (ref != NULL && def->n_args == 1 &&
        (class_is(r, ref->cls, JUC "ReentrantReadWriteLock") || class_is(r, ref->cls, JUC "ReadWriteLock"))) {
        bool reads = name_is(r, ref->name, "readLock");
        if ((reads || name_is(r, ref->name, "writeLock")) &&
            only_of_class(r, body, ir_arg(body, def, 0), JUC "ReentrantReadWriteLock")) {
            out->shared = reads;
            out->path = path_of(r, body, ir_arg(body, def, 0));
            return true;
        }
    }
    enum lock_mode mode = mode_of_var(r, body, v);
    out->shared = mode == MODE_SHARED;
    out->path = path_of(r, body, v);
    return mode != MODE_NONE;
}

static struct lock_op op_on_lock(struct races *r, const struct ir_body *body, const struct ir_stmt *s,
                                 const char *name) {
    struct lock_op op = {0};
    bool known = lock_of_var(r, body, ir_arg(body, s, 0), &op.lock);
    if (strcmp(name, "unlock") == 0) {
        op.kind = known ? LOCK_OP_RELEASE : LOCK_OP_RELEASE_UNKNOWN;
    } else if (known && (strcmp(name, "lock") == 0 || strcmp(name, "lockInterruptibly") == 0)) {
        op.kind = LOCK_OP_ACQUIRE;
    } else if (known && strcmp(name, "tryLock") == 0) {
        op.kind = LOCK_OP_TRY;
    }
    return op;
}

static struct lock_op op_on_stamped(struct races *r, const struct ir_body *body, const struct ir_stmt *s,
                                    const char *name) {
    struct lock_op op = {.lock = {.juc = true, .path = path_of(r, body, ir_arg(body, s, 0))}};
    op.lock.shared = strstr(name, "read") != NULL || strstr(name, "Read") != NULL;
    op.any_mode = strcmp(name, "unlock") == 0;
    if (strncmp(name, "unlock", 6) == 0) {
        op.kind = LOCK_OP_RELEASE;
    } else if (strncmp(name, "readLock", 8) == 0 || strncmp(name, "writeLock", 9) == 0) {
        op.kind = LOCK_OP_ACQUIRE;
    } else if (strncmp(name, "tryConvert", 10) == 0 || strncmp(name, "tryUnlock", 9) == 0) {
        op.kind = LOCK_OP_RELEASE_UNKNOWN;
    }
    return op;
}

struct lock_op lock_op_of(struct races *r, const struct ir_body *body, const struct ir_stmt *s) {
    const struct member_ref *ref = invoke_ref(r, s);
    if (ref == NULL || s->n_args == 0 || s->sub == IR_CALL_STATIC) return (struct lock_op){0};
    const char *cls = program_class_name(r->p, ref->cls), *name = program_str(r->p, ref->name);
    if (strncmp(cls, JUC, sizeof JUC - 1) != 0) return (struct lock_op){0};
    cls += sizeof JUC - 1;
    if (strcmp(cls, "StampedLock") == 0) return op_on_stamped(r, body, s, name);
    if (strcmp(cls, "Lock") == 0 || strcmp(cls, "ReentrantLock") == 0 ||
        strncmp(cls, "ReentrantReadWriteLock$", 23) == 0)
        return op_on_lock(r, body, s, name);
    return (struct lock_op){0};
}

bool call_may_release(struct races *r, method_id m, uint32_t stmt) {
    if (r->releasing.w == NULL) return false;
    uint32_t n_insts, n;
    const pts_inst *insts = pts_insts_of(r->pts, m, &n_insts);
    for (uint32_t i = 0; i < n_insts; i++) {
        const struct pts_call *calls = pts_callees_at(r->pts, insts[i], stmt, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (calls[k].kind == PTS_EDGE_CALL && bits_has(&r->releasing, calls[k].callee.v)) return true;
        }
    }
    return false;
}
