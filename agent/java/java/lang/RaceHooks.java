package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The methods that rewritten bytecode calls: the O(1) part of the checker. Anything that is not decided by comparing an
 * epoch with the thread's own clock goes to C (the native methods at the end).
 *
 * Words (see include/race/checker.h): an epoch is slot << 50 | clock << 20 | site and positive; a negative word is the id
 * of an interned set that only C understands; 0 is "never". Words are changed by compare-and-set only. A write puts its
 * epoch in place before it looks at the read word, and a read before it looks at the write word, so that of two accesses
 * that truly overlap at least one sees the other.
 *
 * Ground rules: no allocation, no lock and no native call on the path of a covered access; no lambda, no string
 * concatenation and nothing of java.util here, because these methods run inside the classes that implement them.
 */
final class RaceHooks {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long SELF = U.objectFieldOffset(Thread.class, "$race");
    private static final long FINAL = U.objectFieldOffset(Thread.class, "$raceEnd");

    /** What a method keeps in its local while it does not know the epoch: no word has this value. */
    private static final long UNKNOWN = 1;
    private static final int SITE_BITS = 20;

    /** Native table, 16 bytes a site: offsets of the two words of the site's field (read, write), or (clock word, 0). */
    private static final long SITES = siteTable();

    /** Set by the agent once the VM is initialised; until then nothing is tracked. */
    static boolean on;

    /* Kinds of access, as in C. */
    private static final int READ = 0, WRITE = 1;

    /* Memory effects of a VarHandle or Unsafe operation, as in agent/rewrite.h. */
    private static final int ACQUIRE = 1, RELEASE = 2, UPDATE = 4, PLAIN_READ = 8, PLAIN_WRITE = 16;

    private RaceHooks() {}

    /** The current thread's state, or null while the VM starts, in the checker's own work, and for threads that ended. */
    @ForceInline
    private static RaceThread self() {
        RaceThread t = (RaceThread) U.getReference(Thread.currentThread(), SELF);
        if (t == null) return on ? attach(Thread.currentThread()) : null;
        return t.busy == 0 ? t : null;
    }

    /** Whether everything that stands in an epoch word happened before the thread's present. */
    @ForceInline
    private static boolean covered(RaceThread t, long w) {
        long slot = w >>> 50;
        long page = U.getLong(t.clock + (slot >>> 6 << 3));
        return w >>> SITE_BITS <= U.getLong(page + ((slot & 63) << 3)) >>> SITE_BITS;
    }

    @ForceInline
    private static boolean sameEpoch(long w, long e) {
        return (w ^ e) >>> SITE_BITS == 0;
    }

    // ---- accesses ----

    @Hidden
    static long readField(Object o, int site) {
        RaceThread t = self();
        if (t == null || o == null) return UNKNOWN;
        long off = U.getLong(SITES + ((long) site << 4));
        if (off == 0) off = resolve(o.getClass(), site, t);
        if (off < 0) return t.epoch;
        return read(t, o, off, U.getLong(SITES + ((long) site << 4) + 8), site);
    }

    @Hidden
    static long writeField(Object o, int site) {
        RaceThread t = self();
        if (t == null || o == null) return UNKNOWN;
        long off = U.getLong(SITES + ((long) site << 4));
        if (off == 0) off = resolve(o.getClass(), site, t);
        if (off < 0) return t.epoch;
        return write(t, o, off, U.getLong(SITES + ((long) site << 4) + 8), site);
    }

    @Hidden
    static long readStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t == null) return UNKNOWN;
        long off = U.getLong(SITES + ((long) site << 4));
        if (off == 0) off = resolve(c, site, t);
        if (off < 0) return t.epoch;
        return read(t, staticBase(c, site), off, U.getLong(SITES + ((long) site << 4) + 8), site);
    }

    @Hidden
    static long writeStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t == null) return UNKNOWN;
        long off = U.getLong(SITES + ((long) site << 4));
        if (off == 0) off = resolve(c, site, t);
        if (off < 0) return t.epoch;
        return write(t, staticBase(c, site), off, U.getLong(SITES + ((long) site << 4) + 8), site);
    }

    @Hidden
    static long readArray(Object a, int i, int site) {
        RaceThread t = self();
        if (t == null || a == null) return UNKNOWN;
        return element(t, a, i, site, READ);
    }

    @Hidden
    static long writeArray(Object a, int i, int site) {
        RaceThread t = self();
        if (t == null || a == null) return UNKNOWN;
        return element(t, a, i, site, WRITE);
    }

    private static long element(RaceThread t, Object a, int i, int site, int kind) {
        // An index out of bounds makes the access itself throw; it must not grow the shadow.
        if (i < 0 || i >= java.lang.reflect.Array.getLength(a)) return t.epoch;
        long[] words = RaceShadow.of(a).block(i);
        long w = Unsafe.ARRAY_LONG_BASE_OFFSET + ((long) (i & 63) << 4);
        return kind == READ ? read(t, words, a, w + 8, w, site, i) : write(t, words, a, w + 8, w, site, i);
    }

    /** System.arraycopy, before it runs. Arguments it will reject are left to it. */
    @Hidden
    static void arraycopy(Object src, int from, Object dst, int to, int n, int site) {
        RaceThread t = self();
        if (t == null || src == null || dst == null || n <= 0 || from < 0 || to < 0) return;
        if (!src.getClass().isArray() || !dst.getClass().isArray()) return;
        if (from > java.lang.reflect.Array.getLength(src) - n || to > java.lang.reflect.Array.getLength(dst) - n) return;
        for (int i = 0; i < n; i++) element(t, src, from + i, site, READ);
        for (int i = 0; i < n; i++) element(t, dst, to + i, site, WRITE);
    }

    /** A call to an unsynchronised collection or builder of the JDK; the receiver may turn out to be another class. */
    @Hidden
    static void readContainer(Object c, int site) {
        RaceThread t = self();
        if (t == null || c == null || !RaceContainers.isOne(c.getClass())) return;
        RaceShadow s = RaceShadow.of(c);
        read(t, s, c, RaceContainers.READ, RaceContainers.WRITE, site, -1);
    }

    @Hidden
    static void writeContainer(Object c, int site) {
        RaceThread t = self();
        if (t == null || c == null || !RaceContainers.isOne(c.getClass())) return;
        RaceShadow s = RaceShadow.of(c);
        write(t, s, c, RaceContainers.READ, RaceContainers.WRITE, site, -1);
    }

    @ForceInline
    private static long read(RaceThread t, Object o, long roff, long woff, int site) {
        return read(t, o, o, roff, woff, site, -1);
    }

    @ForceInline
    private static long write(RaceThread t, Object o, long roff, long woff, int site) {
        return write(t, o, o, roff, woff, site, -1);
    }

    /** A read of a location whose words stand in `words` at two offsets; `o` and `index` say what it is, for reports. */
    private static long read(RaceThread t, Object words, Object o, long roff, long woff, int site, int index) {
        long e = t.epoch;
        for (;;) {
            long r = U.getLong(words, roff);
            if (sameEpoch(r, e)) return e;
            long mine = e | site;
            if (r != 0 && (r < 0 || !covered(t, r))) mine = joinRead(t.peer, r, mine);
            if (U.compareAndSetLong(words, roff, r, mine)) break;
        }
        long w = U.getLong(words, woff);
        if (w != 0 && !covered(t, w)) conflict(t, w, READ, o, site, index);
        return e;
    }

    private static long write(RaceThread t, Object words, Object o, long roff, long woff, int site, int index) {
        long e = t.epoch;
        for (;;) {
            long w = U.getLong(words, woff);
            if (sameEpoch(w, e)) return e;
            if (!U.compareAndSetLong(words, woff, w, e | site)) continue;
            if (w != 0 && !covered(t, w)) conflict(t, w, WRITE, o, site, index);
            break;
        }
        long r = U.getLong(words, roff);
        if (r != 0 && (r < 0 || !covered(t, r))) {
            conflict(t, r, WRITE, o, site, index);
            if (r < 0) U.compareAndSetLong(words, roff, r, 0);
        }
        return e;
    }

    /** The word is not in this thread's past, as far as Java can tell: C decides, describes and reports. */
    private static void conflict(RaceThread t, long word, int kind, Object o, int site, int index) {
        t.busy++;
        try {
            conflict(t.peer, word, kind, o, site, index);
        } finally {
            t.busy--;
        }
    }

    // ---- where the words of a field are ----

    private static Object staticBase(Class<?> c, int site) {
        return c; // HotSpot keeps statics in the mirror; resolve() has checked that this one does
    }

    /** Works out the offsets of a site's words once; -1 if the class has none (then the site is not checked). */
    private static long resolve(Class<?> c, int site, RaceThread t) {
        t.busy++;
        try {
            long at = SITES + ((long) site << 4);
            Field first = siteField(c, site, 0), second = siteField(c, site, 1);
            long a = first == null ? -1 : offset(first), b = second == null ? 0 : offset(second);
            U.putLong(at + 8, b);
            U.storeFence();
            U.putLong(at, a);
            return a;
        } finally {
            t.busy--;
        }
    }

    private static long offset(Field f) {
        if ((f.getModifiers() & 8) == 0) return U.objectFieldOffset(f);
        return U.staticFieldBase(f) == f.getDeclaringClass() ? U.staticFieldOffset(f) : -1;
    }

    // ---- clocks ----

    /** After a volatile read, with the clock word that stood beside the value (read after it). */
    @Hidden
    static void acquire(long word) {
        if (word == 0) return;
        RaceThread t = self();
        if (t != null) acquire(t, word);
    }

    @ForceInline
    private static void acquire(RaceThread t, long word) {
        if (word != 0 && (word < 0 || !covered(t, word))) acquire(t.peer, word);
    }

    /** Before a volatile write. */
    @Hidden
    static void releaseField(Object o, int site) {
        RaceThread t = self();
        if (t == null || o == null) return;
        long off = U.getLong(SITES + ((long) site << 4));
        if (off == 0) off = resolve(o.getClass(), site, t);
        if (off > 0) release(t, o, off, site, false);
    }

    @Hidden
    static void releaseStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t == null) return;
        long off = U.getLong(SITES + ((long) site << 4));
        if (off == 0) off = resolve(c, site, t);
        if (off > 0) release(t, staticBase(c, site), off, site, false);
    }

    /**
     * Publishes the thread's past in a clock word and opens a new epoch. An update (compare-and-set, a lock) takes what
     * stood there into the thread's past first; a blind write merges the two.
     */
    private static void release(RaceThread t, Object o, long off, int site, boolean update) {
        long mine = t.epoch | site;
        for (;;) {
            long w = U.getLong(o, off), n = mine;
            if (w != 0 && (w < 0 || !covered(t, w))) {
                if (update) acquire(t.peer, w);
                else n = merge(t.peer, w, mine);
            }
            if (U.compareAndSetLong(o, off, w, n)) break;
        }
        tick(t);
    }

    /** A new epoch; the clock's last value is C's affair. */
    @ForceInline
    private static void tick(RaceThread t) {
        long e = t.epoch + (1L << SITE_BITS);
        if ((e >>> SITE_BITS & (1L << 30) - 1) == (1L << 30) - 1) e = newSlot(t.peer);
        t.epoch = e;
        U.putLong(t.peer, e); // C reads the thread's present from the first word of its own structure
    }

    // ---- monitors ----

    /** Before monitorenter: gives the object its hash while nobody needs to inflate the lock for it. */
    @Hidden
    static void preLock(Object o) {
        System.identityHashCode(o);
    }

    /** After monitorenter, and first thing in a synchronized method. */
    @Hidden
    static void lock(Object o, int site) {
        RaceThread t = self();
        if (t == null) return;
        RaceShadow s = RaceShadow.of(o);
        t.push(s, site);
        acquire(t, s.sync);
    }

    /** Before monitorexit. */
    @Hidden
    static void unlock(Object o, int site) {
        RaceThread t = self();
        if (t == null) return;
        RaceShadow s = RaceShadow.of(o);
        t.pop(s);
        releaseHeld(t, s, site);
    }

    /** The monitor is held, so nobody else changes its word and the thread has acquired what stands there. */
    @ForceInline
    private static void releaseHeld(RaceThread t, RaceShadow s, int site) {
        s.sync = t.epoch | site;
        tick(t);
    }

    @Hidden
    static void waitOn(Object o) throws InterruptedException {
        waitOn(o, 0L);
    }

    @Hidden
    static void waitOn(Object o, long millis, int nanos) throws InterruptedException {
        RaceThread t = self();
        RaceShadow s = t == null ? null : beforeWait(t, o);
        try {
            o.wait(millis, nanos);
        } finally {
            if (t != null) acquire(t, s.sync);
        }
    }

    @Hidden
    static void waitOn(Object o, long millis) throws InterruptedException {
        RaceThread t = self();
        RaceShadow s = t == null ? null : beforeWait(t, o);
        try {
            o.wait(millis);
        } finally {
            if (t != null) acquire(t, s.sync);
        }
    }

    /** Without the monitor wait() throws; its word is then not ours to write. */
    private static RaceShadow beforeWait(RaceThread t, Object o) {
        RaceShadow s = RaceShadow.of(o);
        if (Thread.holdsLock(o)) releaseHeld(t, s, 0);
        return s;
    }

    /** AbstractOwnableSynchronizer.setExclusiveOwnerThread: names held locks; the order comes from the lock's state. */
    @Hidden
    static void owner(Object sync, Thread owner) {
        RaceThread t = self();
        if (t == null) return;
        RaceShadow s = RaceShadow.of(sync);
        if (owner == null) t.pop(s);
        else if (owner == Thread.currentThread()) t.push(s, 0);
    }

    // ---- threads ----

    /** Thread.start, before the new thread can run. */
    @Hidden
    static void threadStart(Thread child) {
        RaceThread t = self();
        if (t == null) return;
        t.busy++;
        try {
            U.putReference(child, SELF, start(t.peer, child));
        } finally {
            t.busy--;
        }
        tick(t);
    }

    /** Thread.exit, the last Java code of a platform thread: what it did is in the past of whoever sees it dead. */
    @Hidden
    static void threadExit() {
        Thread me = Thread.currentThread();
        RaceThread t = self();
        if (t == null) return;
        U.putLongVolatile(me, FINAL, t.epoch);
        tick(t);
        t.busy = 1 << 30; // nothing is tracked from here on
        end(t.peer);
    }

    @Hidden
    static boolean isAlive(Thread target) {
        boolean alive = target.isAlive();
        if (!alive) acquire(U.getLongVolatile(target, FINAL));
        return alive;
    }

    // ---- class initialisation ----

    /** What a class initialiser writes is ordered before every use of the class; C keeps the spans of epochs. */
    @Hidden
    static void clinitEnter() {
        RaceThread t = self();
        if (t == null) return;
        tick(t);
        clinit(t.peer, true);
    }

    @Hidden
    static void clinitExit() {
        RaceThread t = self();
        if (t == null) return;
        clinit(t.peer, false);
        tick(t);
    }

    // ---- VarHandle and Unsafe ----

    @Hidden
    static void unsafeBefore(Object base, long off, int mode, int site) {
        RaceThread t = self();
        if (t != null && base != null) RaceVars.before(t, base, off, mode, site);
    }

    @Hidden
    static void unsafeAfter(Object base, long off, int mode, int site) {
        RaceThread t = self();
        if (t != null && base != null) RaceVars.after(t, base, off, mode, site);
    }

    @Hidden
    static void handleBefore(java.lang.invoke.VarHandle h, Object base, int index, int mode, int site) {
        RaceThread t = self();
        if (t != null && h != null) RaceVars.before(t, h, base, index, mode, site);
    }

    @Hidden
    static void handleAfter(java.lang.invoke.VarHandle h, Object base, int index, int mode, int site) {
        RaceThread t = self();
        if (t != null && h != null) RaceVars.after(t, h, base, index, mode, site);
    }

    static void acquireAt(RaceThread t, Object o, long off) {
        acquire(t, U.getLongVolatile(o, off));
    }

    static void releaseAt(RaceThread t, Object o, long off, int site, boolean update) {
        release(t, o, off, site, update);
    }

    static void plainAt(RaceThread t, Object words, Object o, long roff, long woff, int site, boolean isWrite) {
        if (isWrite) write(t, words, o, roff, woff, site, -1);
        else read(t, words, o, roff, woff, site, -1);
    }

    // ---- references, clones, reflection ----

    /** ReferenceQueue.enqueue: everything done before an object became unreachable comes before its cleaning. */
    @Hidden
    static void enqueued() {
        RaceThread t = self();
        if (t != null) acquireAll(t.peer);
    }

    /** After Object.clone: the copy is a new location; the words copied with it are not its own. */
    @Hidden
    static void cloned(Object copy) {
        RaceThread t = self();
        if (t == null || copy == null) return;
        if (copy.getClass().isArray()) return;
        long[] offsets = RaceVars.words(t, copy.getClass());
        for (int i = 0; i < offsets.length; i++) U.putLong(copy, offsets[i], 0);
    }

    /** Reflection.filterFields: hides what the agent added, so that programs see the class they wrote. */
    @Hidden
    static Field[] hideFields(Field[] fields) {
        int n = 0;
        for (int i = 0; i < fields.length; i++)
            if (!isOurs(fields[i].getName())) n++;
        if (n == fields.length) return fields;
        Field[] kept = new Field[n];
        n = 0;
        for (int i = 0; i < fields.length; i++)
            if (!isOurs(fields[i].getName())) kept[n++] = fields[i];
        return kept;
    }

    /** Names that no compiler makes: $race, or $r_, $w_ and $v_ before the name of the field they watch. */
    private static boolean isOurs(String name) {
        if (name.length() < 4 || name.charAt(0) != '$') return false;
        char kind = name.charAt(1);
        return name.charAt(2) == '_' && (kind == 'r' || kind == 'w' || kind == 'v') || name.startsWith("$race");
    }

    // ---- C: agent/bridge.c ----

    private static native long siteTable();
    private static native RaceThread attach(Thread thread);
    private static native RaceThread start(long parent, Thread child);
    private static native void end(long peer);
    private static native void acquire(long peer, long word);
    private static native void acquireAll(long peer);
    private static native long merge(long peer, long word, long mine);
    private static native long joinRead(long peer, long word, long mine);
    private static native long newSlot(long peer);
    private static native void clinit(long peer, boolean enter);
    private static native void conflict(long peer, long word, int kind, Object o, int site, int index);
    /** The field that holds the site's first (0) or second (1) word, looked up from class c. */
    private static native Field siteField(Class<?> c, int site, int which);
    /** All word fields of a class and its superclasses: instance ones for clone, with volatile ones for `vars`. */
    static native Field[] wordFields(Class<?> c);
    /** The field a `$v_` word watches, or null; and the words `$r_`, `$w_`. */
    static native Field watched(Class<?> c, Field word);
}
