/*
 * What is special about single classes of the JDK: those that are left alone, and the places where threads
 * start and end, locks change owner and reflection lists fields.
 *
 * The simple rule for everything else: the JDK synchronises by monitors, volatile fields, VarHandle and
 * Unsafe, and these are followed wherever they stand.
 */
#include "rewrite_internal.h"

#include "race/opcodes.h"

#define CONCURRENT_MAP "java/util/concurrent/ConcurrentHashMap"
#define STAMPED_LOCK "java/util/concurrent/locks/StampedLock"

static bool starts(struct cf_str s, const char *z) {
    size_t n = strlen(z);
    return s.n >= n && memcmp(s.p, z, n) == 0;
}

/* --- Left alone ---------------------------------------------------------------------------------------- */

/*
 * The classes that hooks are made of, the bodies behind VarHandle and Unsafe (their callers are hooked; the
 * compiler replaces the bodies), and classes whose layout the VM knows by heart.
 */
bool rw_jdk_skips_class(struct cf_str name) {
    static const char *const exact[] = {
        "java/lang/Object",
        "java/lang/Class",
        "java/lang/String",
        "java/lang/System",
        "java/lang/ref/Reference",
        "java/lang/ref/WeakReference",
        "java/lang/ref/SoftReference",
        "java/lang/ref/PhantomReference",
        "jdk/internal/misc/Unsafe",
        "jdk/internal/misc/VM",
        "jdk/internal/reflect/Reflection",
        "sun/misc/Unsafe",
    };
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++)
        if (cf_str_is(name, exact[i])) return true;
    return starts(name, "java/lang/Race") || starts(name, "java/lang/invoke/VarHandle");
}

/* ConcurrentHashMap's bookkeeping would order threads that use different keys.  RaceMaps has what the number
 * of entries does order. */
bool rw_jdk_skips_method(const struct rw_class *c, struct cf_str method) {
    if (!c->policy->is_jdk || !cf_str_is(c->name, CONCURRENT_MAP)) return false;
    return cf_str_is(method, "addCount") || cf_str_is(method, "fullAddCount") ||
           cf_str_is(method, "sumCount");
}

/*
 * Methods in which nothing is tracked: the VM calls them when code runs for the first time, and the locks
 * that they take order threads that have nothing to do with each other.  They run no code of the program;
 * what its class initialisers do is not done in them.
 */
bool rw_jdk_is_quiet(const struct rw_method *m) {
    static const char *const rows[][2] = {
        {"jdk/internal/loader/BuiltinClassLoader", "loadClassOrNull"},
        {"java/lang/invoke/MethodHandleNatives", "linkMethod"},
        {"java/lang/invoke/MethodHandleNatives", "linkMethodHandleConstant"},
        {"java/lang/invoke/MethodHandleNatives", "findMethodHandleType"},
        {"java/lang/invoke/LambdaMetafactory", "metafactory"},
        {"java/lang/invoke/LambdaMetafactory", "altMetafactory"},
        {"java/lang/invoke/StringConcatFactory", "makeConcat"},
        {"java/lang/invoke/StringConcatFactory", "makeConcatWithConstants"},
        {"java/lang/runtime/ObjectMethods", "bootstrap"},
    };
    if (!m->c->policy->is_jdk || (m->m->access & CF_ACC_SYNCHRONIZED)) return false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (cf_str_is(m->c->name, rows[i][0]) && cf_str_is(m->name, rows[i][1])) return true;
    return false;
}

/*
 * Thread.join waits on the thread's own monitor, which is how it is made and not what it promises: the order
 * that it makes comes from a thread that has ended (see_dead).
 */
bool rw_jdk_is_join(const struct rw_method *m) {
    return m->c->policy->is_jdk && cf_str_is(m->c->name, "java/lang/Thread") && cf_str_is(m->name, "join");
}

bool rw_jdk_skips_field(struct cf_str owner, struct cf_str field) {
    if (!starts(owner, CONCURRENT_MAP)) return rw_jdk_skips_class(owner);
    return cf_str_is(field, "sizeCtl") || cf_str_is(field, "baseCount") ||
           cf_str_is(field, "transferIndex") || cf_str_is(field, "cellsBusy") ||
           cf_str_is(field, "counterCells");
}

bool world_acts_volatile(struct cf_str owner, struct cf_str field) {
    static const char *const rows[][2] = {
        {"java/util/concurrent/ConcurrentSkipListMap", "head"},
        {"java/util/concurrent/ConcurrentSkipListMap$Node", "val"},
        {"java/util/concurrent/ConcurrentSkipListMap$Node", "next"},
        {"java/util/concurrent/ConcurrentSkipListMap$Index", "right"},
        {"java/util/concurrent/SubmissionPublisher$BufferedSubscription", "array"},
        {"java/util/concurrent/ForkJoinPool$WorkQueue", "array"},
        {"java/util/concurrent/LinkedTransferQueue$DualNode", "next"},
    };
    if (!starts(owner, "java/util/concurrent/")) return false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (cf_str_is(owner, rows[i][0]) && cf_str_is(field, rows[i][1])) return true;
    return false;
}

/* --- Added --------------------------------------------------------------------------------------------- */

/* Of the JDK, those classes whose objects a program makes many of; the VM has made plans for others.  A map's
 * nodes are locked by the map. */
bool rw_jdk_keeps_monitor(struct cf_str name, bool locks_itself) {
    if (cf_str_is(name, CONCURRENT_MAP "$Node")) return true;
    if (!locks_itself) return false;
    return starts(name, "java/util/") || starts(name, "java/io/") ||
           cf_str_is(name, "java/lang/StringBuffer");
}

void rw_jdk_members(struct rw_class *c) {
    enum { ACCESS = CF_ACC_TRANSIENT | CF_ACC_SYNTHETIC };
    bool is_thread = cf_str_is(c->name, "java/lang/Thread");
    if (is_thread || cf_str_is(c->name, "java/lang/invoke/VarHandle") || cf_str_is(c->name, CONCURRENT_MAP) ||
        cf_str_is(c->name, "java/util/concurrent/locks/AbstractOwnableSynchronizer"))
        cfe_add_field(&c->edit, ACCESS, cf_z("$race"), cf_z("Ljava/lang/Object;"), 0);
    if (!is_thread) return;
    cfe_add_field(&c->edit, ACCESS | CF_ACC_VOLATILE, cf_z("$raceEnd"), cf_z("J"), 0);
    cfe_add_field(&c->edit, ACCESS, cf_z("$racePeer"), cf_z("J"), 0);
}

/* Hooks at the entry of a method; `args` says which of its first locals are passed. */
static const struct entry_hook {
    const char *cls, *method, *desc, *in, *hook, *hook_desc;
    int args;
} entry_hooks[] = {
    {"java/lang/Thread", "exit", "()V", IN_THREADS, "threadExit", "()V", 0},
    {"java/lang/Shutdown", "shutdown", "()V", IN_THREADS, "shutdown", "()V", 0},
    {"java/lang/VirtualThread", "afterDone", "(Z)V", IN_THREADS, "threadEnded", "(Ljava/lang/Thread;)V", 1},
    {"java/lang/VirtualThread", "afterTerminate", "(Z)V", IN_THREADS, "threadEnded", "(Ljava/lang/Thread;)V",
     1},
    {"java/util/concurrent/locks/AbstractOwnableSynchronizer", "setExclusiveOwnerThread",
     "(Ljava/lang/Thread;)V", IN_LOCKS, "owner", "(Ljava/lang/Object;Ljava/lang/Thread;)V", 2},
    {STAMPED_LOCK, "validate", "(J)Z", IN_OPTIMISTIC, "validating", "(Ljava/lang/Object;)V", 1},
    {STAMPED_LOCK, "tryConvertToOptimisticRead", "(J)J", IN_OPTIMISTIC, "validating", "(Ljava/lang/Object;)V",
     1},
    {STAMPED_LOCK, "tryConvertToReadLock", "(J)J", IN_OPTIMISTIC, "validating", "(Ljava/lang/Object;)V", 1},
    {STAMPED_LOCK, "tryConvertToWriteLock", "(J)J", IN_OPTIMISTIC, "validating", "(Ljava/lang/Object;)V", 1},
    {"java/lang/ref/ReferenceQueue", "enqueue", "(Ljava/lang/ref/Reference;)Z", IN_HOOKS, "enqueued", "()V",
     0},
    {CONCURRENT_MAP, "addCount", "(JI)V", IN_MAPS, "counting", "(Ljava/lang/Object;)V", 1},
};

void rw_jdk_entry(struct rw_method *m) {
    if (!m->c->policy->is_jdk) return;
    for (size_t i = 0; i < sizeof entry_hooks / sizeof entry_hooks[0]; i++) {
        const struct entry_hook *h = &entry_hooks[i];
        if (!cf_str_is(m->c->name, h->cls) || !cf_str_is(m->name, h->method) || !cf_str_is(m->desc, h->desc))
            continue;
        struct cf_asm *a = cfe_entry(m->out);
        for (int k = 0; k < h->args; k++) cfa_local(a, CF_OP_ALOAD, (uint16_t)k);
        rw_hook(a, h->in, h->hook, h->hook_desc);
        cfe_need_stack(m->out, 2);
    }
}

/* The last step of starting a thread: from here on it may run. */
static bool starts_thread(const struct rw_method *m, const struct cf_member_ref *ref) {
    if (cf_str_is(m->c->name, "java/lang/Thread")) return cf_str_is(ref->name, "start0");
    if (!cf_str_is(m->c->name, "java/lang/VirtualThread") || !cf_str_is(m->name, "start")) return false;
    return cf_str_is(ref->desc, "()V") && (cf_str_is(ref->name, "submitRunContinuation") ||
                                           cf_str_is(ref->name, "externalSubmitRunContinuationOrThrow"));
}

/*
 * The compare-and-set with which a thread takes or gives back a read lock.  It would order readers, which the
 * lock does not promise: a read lock comes after the write locks before it, a write lock after all.  So the
 * step itself is not tracked; those who give the lock back say so in a word of its own, which writers take
 * over (RaceLocks.owner), and those who take it look at the state again, where writers leave theirs.
 */
static bool is_reader_step(const struct rw_method *m, const struct cf_member_ref *ref) {
    if (!cf_str_is(m->c->name, "java/util/concurrent/locks/ReentrantReadWriteLock$Sync")) return false;
    if (!cf_str_is(ref->name, "compareAndSetState")) return false;
    return cf_str_is(m->name, "tryReleaseShared") || cf_str_is(m->name, "tryAcquireShared") ||
           cf_str_is(m->name, "fullTryAcquireShared") || cf_str_is(m->name, "tryReadLock");
}

static void reader_step(struct rw_method *m, const struct cf_member_ref *ref) {
    struct cf_asm *before = cfe_before(m->out, m->walk.insn.bci),
                  *after = cfe_after(m->out, m->walk.insn.bci);
    bool is_long = ref->desc.p[1] == 'J';
    cfa_local(before, CF_OP_ALOAD, 0);
    cfa_push_int(before, cf_str_is(m->name, "tryReleaseShared"));
    rw_hook(before, IN_LOCKS, "readerBegins", "(Ljava/lang/Object;Z)V");
    rw_hook(after, IN_THREADS, "quietExit", "()V");
    cfa_local(after, CF_OP_ALOAD, 0);
    cfa_const(
        after, CF_OP_INVOKEVIRTUAL,
        cfe_ref(&m->c->edit, CF_METHODREF, ref->owner, cf_z("getState"), cf_z(is_long ? "()J" : "()I")));
    cfa_op(after, is_long ? CF_OP_POP2 : CF_OP_POP);
    cfe_need_stack(m->out, 2);
}

/*
 * A pool that is shut down, or made smaller, tries the lock of each worker to see which are idle.  That is no
 * order with what they did before: nothing is promised but to who waits for the end.
 */
static bool is_idle_probe(const struct rw_method *m, const struct cf_member_ref *ref) {
    return cf_str_is(m->c->name, "java/util/concurrent/ThreadPoolExecutor") &&
           cf_str_is(m->name, "interruptIdleWorkers") &&
           cf_str_is(ref->owner, "java/util/concurrent/ThreadPoolExecutor$Worker") &&
           (cf_str_is(ref->name, "tryLock") || cf_str_is(ref->name, "unlock"));
}

void rw_jdk_call(struct rw_method *m, const struct cf_member_ref *ref) {
    if (is_reader_step(m, ref)) reader_step(m, ref);
    if (is_idle_probe(m, ref)) {
        rw_hook(cfe_before(m->out, m->walk.insn.bci), IN_THREADS, "quietEnter", "()V");
        rw_hook(cfe_after(m->out, m->walk.insn.bci), IN_THREADS, "quietExit", "()V");
    }
    if (!starts_thread(m, ref)) return;
    struct cf_asm *a = cfe_before(m->out, m->walk.insn.bci);
    cfa_op(a, CF_OP_DUP);
    rw_hook(a, IN_THREADS, "threadStart", "(Ljava/lang/Thread;)V");
    cfe_need_stack(m->out, 1);
}

/*
 * The pool's queues hold tasks in arrays: taken by acquiring reads, but put there by plain stores where a
 * lock is given back right behind.  A worker may have the task before that, so the store itself counts as
 * what it is meant to be, the release of a submission.  JDK 17 stores by an instruction, 25 by Unsafe.
 */
bool rw_jdk_stores_release(const struct rw_class *c) {
    return c->policy->is_jdk && c->tracked &&
           cf_str_is(c->name, "java/util/concurrent/ForkJoinPool$WorkQueue");
}

void rw_jdk_store_task(struct rw_method *m) {
    struct cf_asm *a = cfe_before(m->out, m->walk.insn.bci);
    uint16_t task = rw_scratch(m, 1);
    cfa_local(a, CF_OP_ASTORE, task);
    cfa_op(a, CF_OP_DUP2);
    rw_hook(a, IN_HOOKS, "elementReleased", "(Ljava/lang/Object;I)V");
    cfa_local(a, CF_OP_ALOAD, task);
    cfe_need_stack(m->out, 2);
}

/* Thread.isAlive: whoever sees the thread dead comes after all it did.  join() asks it too. */
static void see_dead(struct rw_method *m, struct cf_asm *a) {
    struct cf_label alive = cfe_label(m->out);
    cfa_op(a, CF_OP_DUP);
    cfa_branch(a, CF_OP_IFNE, alive);
    cfa_local(a, CF_OP_ALOAD, 0);
    rw_hook(a, IN_THREADS, "seenDead", "(Ljava/lang/Thread;)V");
    cfa_bind(a, alive);
    cfe_need_stack(m->out, 1);
}

/* Thread.getState: the state is looked at in the hook. */
static void see_state(struct rw_method *m, struct cf_asm *a) {
    cfa_op(a, CF_OP_DUP);
    cfa_local(a, CF_OP_ALOAD, 0);
    rw_hook(a, IN_THREADS, "seenState", "(Ljava/lang/Thread$State;Ljava/lang/Thread;)V");
    cfe_need_stack(m->out, 2);
}

/* What a StampedLock says of stamps, behind its methods: the result and the lock go to the hook. */
static const struct stamp_hook {
    const char *method, *desc, *hook;
} stamp_hooks[] = {
    {"tryOptimisticRead", "()J", "began"},
    {"tryConvertToOptimisticRead", "(J)J", "convertedToOptimistic"},
    {"validate", "(J)Z", "validated"},
    {"tryConvertToReadLock", "(J)J", "converted"},
    {"tryConvertToWriteLock", "(J)J", "converted"},
    {"tryConvertToWriteLock", "(J)J", "takenToWrite"},
    {"writeLock", "()J", "takenToWrite"},
    {"writeLockInterruptibly", "()J", "takenToWrite"},
    {"tryWriteLock", "()J", "takenToWrite"},
    {"tryWriteLock", "(JLjava/util/concurrent/TimeUnit;)J", "takenToWrite"},
    {"readLock", "()J", "taken"},
    {"readLockInterruptibly", "()J", "taken"},
    {"tryReadLock", "()J", "taken"},
    {"tryReadLock", "(JLjava/util/concurrent/TimeUnit;)J", "taken"},
};

static void tell_stamp(struct rw_method *m, struct cf_asm *a) {
    for (size_t i = 0; i < sizeof stamp_hooks / sizeof stamp_hooks[0]; i++) {
        const struct stamp_hook *h = &stamp_hooks[i];
        if (!cf_str_is(m->name, h->method) || !cf_str_is(m->desc, h->desc)) continue;
        bool is_long = m->desc.p[m->desc.n - 1] == 'J';
        cfa_op(a, is_long ? CF_OP_DUP2 : CF_OP_DUP);
        cfa_local(a, CF_OP_ALOAD, 0);
        rw_hook(a, IN_OPTIMISTIC, h->hook, is_long ? "(JLjava/lang/Object;)V" : "(ZLjava/lang/Object;)V");
        cfe_need_stack(m->out, 3);
    }
}

/* The methods of a ConcurrentHashMap that tell how many entries it has. */
static bool tells_count(const struct rw_method *m) {
    return cf_str_is(m->c->name, CONCURRENT_MAP) &&
           (cf_str_is(m->name, "size") || cf_str_is(m->name, "isEmpty") ||
            cf_str_is(m->name, "mappingCount"));
}

void rw_jdk_return(struct rw_method *m) {
    if (!m->c->policy->is_jdk) return;
    uint32_t bci = m->walk.insn.bci;
    if (cf_str_is(m->c->name, STAMPED_LOCK)) tell_stamp(m, cfe_before(m->out, bci));
    if (cf_str_is(m->c->name, "java/lang/Thread") && cf_str_is(m->name, "isAlive"))
        see_dead(m, cfe_before(m->out, bci));
    else if (cf_str_is(m->c->name, "java/lang/Thread") && cf_str_is(m->name, "getState"))
        see_state(m, cfe_before(m->out, bci));
    else if (tells_count(m)) {
        struct cf_asm *a = cfe_before(m->out, bci);
        cfa_local(a, CF_OP_ALOAD, 0);
        rw_hook(a, IN_MAPS, "counted", "(Ljava/lang/Object;)V");
        cfe_need_stack(m->out, 1);
    } else if (cf_str_is(m->c->name, "jdk/internal/reflect/Reflection") && cf_str_is(m->name, "filterFields"))
        rw_hook(cfe_before(m->out, bci), IN_HOOKS, "hideFields",
                "([Ljava/lang/reflect/Field;)[Ljava/lang/reflect/Field;");
}
