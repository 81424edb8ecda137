package java.lang;

import static java.lang.RaceMemory.FINAL;
import static java.lang.RaceMemory.INTERRUPTED;
import static java.lang.RaceMemory.SELF;
import static java.lang.RaceMemory.U;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The methods that rewritten bytecode calls: the O(1) part of the checker. Anything that is not decided by comparing an
 * epoch with the thread's own clock goes to C (the native methods at the end).
 *
 * Words (see include/race/checker.h): an epoch is slot << 50 | clock << 20 | site, compared unsigned; slot 0x3FFF marks an
 * interned set that only C understands; 0 is "never". Words are changed by compare-and-set only. A write puts its epoch in
 * place before it looks at the read word, and a read before it looks at the write word, so that of two accesses that truly
 * overlap at least one sees the other.
 *
 * Ground rules: no allocation, no lock and no native call on the path of a covered access; no lambda, no string
 * concatenation and nothing of java.util here, because these methods run inside the classes that implement them. The first
 * calls come before the VM has told Unsafe the size of an address, so nothing here touches Unsafe until `on`.
 */
public final class RaceHooks {
    /** What a method keeps in its local while it does not know the epoch: above the site, no word has these bits. */
    private static final long UNKNOWN = -1;
    private static final int SITE_BITS = 20;
    private static final long TICK = 1L << SITE_BITS;

    /* Words of struct ck_thread, by offset from RaceThread.peer; the epoch is the first. */
    private static final long LIMIT = 8, MEMBERS = 40, STEPS = 48, LOCKS = 56;
    /* struct ck_thread.locks: how many are held, operations so far, locks held, trail of operations. */
    private static final int HELD_MAX = 32, TRAIL_LENGTH = 64;
    private static final long HELD = 16, TRAIL = HELD + 16 * HELD_MAX;

    /**
     * Native table, 16 bytes a site: offsets of the two words of the site's field (read, write), or (clock word, 0). In a
     * class of its own because this one is initialised before native methods are bound.
     */
    private static final class Sites {
        static final long TABLE = siteTable();
    }


    /** Set by the agent once the VM is initialised; until then nothing is tracked. */
    static boolean on;
    /** Whether meetings of the plan's pairs are counted; set together with `on`. */
    static boolean evidence;
    /** Whether C wants to know of accesses before they are made; set together with `on`. */
    static boolean watching;

    /* Kinds of access, as in C. */
    private static final int READ = 0, WRITE = 1, WRITE_OVER_READS = 2;

    /* What makes an order, as enum ck_edge in C. */
    private static final int BY_LOCK = 0, BY_VOLATILE = 1, BY_JOIN = 3;

    /* Memory effects of a VarHandle or Unsafe operation, as in agent/rewrite.h. */
    private static final int ACQUIRE = 1, RELEASE = 2, UPDATE = 4, PLAIN_READ = 8, PLAIN_WRITE = 16;

    private RaceHooks() {}

    /** Called by the agent when the VM is initialised; its class hook binds the native methods on top of this. */
    static void bind() {
        bindHere();
    }

    private static Object bindHere() {
        return java.util.zip.CRC32C.class;
    }

    /** The current thread's state, or null while the VM starts, in the checker's own work, and for threads that ended. */
    @ForceInline
    private static RaceThread self() {
        if (!on) return null; // the VM starts or ends; there may be no Thread object yet
        RaceThread t = (RaceThread) U.getReference(Thread.currentThread(), SELF);
        if (t == null) return attach(Thread.currentThread());
        return t.busy == 0 ? t : null;
    }

    /** Whether everything that stands in an epoch word happened before the thread's present. */
    @ForceInline
    private static boolean covered(RaceThread t, long w) {
        return inPast(t.table, w);
    }

    /** 0 always is, the thread's own epochs always are, a set never is. */
    @ForceInline
    private static boolean inPast(long table, long w) {
        long page = U.getLong(table + (w >>> 56 << 3));
        return ((int) (w >>> SITE_BITS) & 0x3fffffff) <= U.getInt(page + (w >>> 48 & 0xfc));
    }

    /**
     * An older epoch of the same slot is in the thread's past, and its word may be replaced without compare-and-set: what
     * another thread put there in that instant is lost, but that thread has seen the older epoch.
     */
    @ForceInline
    private static boolean sameThread(long w, long e) {
        return (w ^ e) >>> 50 == 0;
    }

    @ForceInline
    private static boolean isSet(long w) {
        return w >>> 50 == 0x3fff;
    }

    @ForceInline
    private static long epoch(RaceThread t) {
        return U.getLong(t.peer);
    }

    @ForceInline
    private static boolean sameEpoch(long w, long e) {
        return (w ^ e) >>> SITE_BITS == 0;
    }

    // ---- accesses ----

    @Hidden
    public static long readField(Object o, int site) {
        RaceThread t = self();
        if (t == null || o == null) return UNKNOWN;
        long off = U.getLong(Sites.TABLE + ((long) site << 4));
        if (off == 0) off = resolve(o.getClass(), site, t);
        if (off < 0) return epoch(t);
        return read(t, o, off, U.getLong(Sites.TABLE + ((long) site << 4) + 8), site);
    }

    @Hidden
    public static long writeField(Object o, int site) {
        RaceThread t = self();
        if (t == null || o == null) return UNKNOWN;
        long off = U.getLong(Sites.TABLE + ((long) site << 4));
        if (off == 0) off = resolve(o.getClass(), site, t);
        if (off < 0) return epoch(t);
        return write(t, o, off, U.getLong(Sites.TABLE + ((long) site << 4) + 8), site);
    }

    @Hidden
    public static long readStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t == null) return UNKNOWN;
        long off = U.getLong(Sites.TABLE + ((long) site << 4));
        if (off == 0) off = resolve(c, site, t);
        if (off < 0) return epoch(t);
        return read(t, staticBase(c, off), off & OFFSET, U.getLong(Sites.TABLE + ((long) site << 4) + 8), site);
    }

    @Hidden
    public static long writeStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t == null) return UNKNOWN;
        long off = U.getLong(Sites.TABLE + ((long) site << 4));
        if (off == 0) off = resolve(c, site, t);
        if (off < 0) return epoch(t);
        return write(t, staticBase(c, off), off & OFFSET, U.getLong(Sites.TABLE + ((long) site << 4) + 8), site);
    }

    // ---- accesses of fields that the rewriter knew nothing of: plain, volatile or neither is seen here ----

    /** A site that resolves to a clock word has no second word. */
    private static boolean isClock(int site) {
        return U.getLong(Sites.TABLE + ((long) site << 4) + 8) == 0;
    }

    @Hidden
    public static void lateRead(Object o, int site) {
        RaceThread t = self();
        if (t != null && o != null) late(t, o, o.getClass(), site, READ);
    }

    @Hidden
    public static void lateReadStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t != null) late(t, null, c, site, READ);
    }

    @Hidden
    public static void lateWrite(Object o, int site) {
        RaceThread t = self();
        if (t != null && o != null) late(t, o, o.getClass(), site, WRITE);
    }

    @Hidden
    public static void lateWriteStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t != null) late(t, null, c, site, WRITE);
    }

    private static void late(RaceThread t, Object o, Class<?> c, int site, int kind) {
        long off = U.getLong(Sites.TABLE + ((long) site << 4));
        if (off == 0) off = resolve(c, site, t);
        if (off <= 0) return;
        Object base = o == null ? staticBase(c, off) : o;
        off &= OFFSET;
        long second = U.getLong(Sites.TABLE + ((long) site << 4) + 8);
        if (second == 0) {
            if (kind == WRITE) release(t, base, off, site, false);
        } else if (kind == WRITE) {
            write(t, base, off, second, site);
        } else {
            read(t, base, off, second, site);
        }
    }

    /** Only the synchronisation of such a field: its class is not checked. */
    @Hidden
    public static void lateRelease(Object o, int site) {
        RaceThread t = self();
        if (t == null || o == null) return;
        if (lateOffset(t, o.getClass(), site) > 0) late(t, o, o.getClass(), site, WRITE);
    }

    @Hidden
    public static void lateReleaseStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t != null && lateOffset(t, c, site) > 0) late(t, null, c, site, WRITE);
    }

    @Hidden
    public static void lateAcquire(Object o, int site) {
        RaceThread t = self();
        if (t == null || o == null) return;
        long off = lateOffset(t, o.getClass(), site);
        if (off > 0) acquireAt(t, o, off);
    }

    @Hidden
    public static void lateAcquireStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t == null) return;
        long off = lateOffset(t, c, site);
        if (off > 0) acquireAt(t, staticBase(c, off), off & OFFSET);
    }

    /** Offset of the site's clock word; 0 or less if it is no volatile field. */
    private static long lateOffset(RaceThread t, Class<?> c, int site) {
        long off = U.getLong(Sites.TABLE + ((long) site << 4));
        if (off == 0) off = resolve(c, site, t);
        return isClock(site) ? off : -1;
    }

    @Hidden
    public static long readArray(Object a, int i, int site) {
        RaceThread t = self();
        if (t == null || a == null) return UNKNOWN;
        return element(t, a, i, site, READ);
    }

    @Hidden
    public static long writeArray(Object a, int i, int site) {
        RaceThread t = self();
        if (t == null || a == null) return UNKNOWN;
        return element(t, a, i, site, WRITE);
    }

    /** The thread's epoch, for a method that does not know it. */
    @Hidden
    public static long epochNow() {
        RaceThread t = self();
        return t == null ? UNKNOWN : epoch(t);
    }

    /**
     * The inline part of an array check: whether the chunks that the method found the last time, for the same array, say
     * that the element was accessed before in this epoch, or is the next one of a run.
     */
    @Hidden
    @ForceInline
    public static boolean isRead(long[][] chunks, int i, long e) {
        long[] chunk = RaceArrays.chunk(chunks, i);
        if (chunk == null) return false;
        int k = (i & RaceArrays.CHUNK - 1) << 1;
        if (!RaceArrays.isElements(chunk)) return RaceArrays.extendsRun(chunk, e, i, RaceArrays.READS);
        return k < chunk.length && sameEpoch(chunk[k], e);
    }

    @Hidden
    @ForceInline
    public static boolean isWritten(long[][] chunks, int i, long e) {
        long[] chunk = RaceArrays.chunk(chunks, i);
        if (chunk == null) return false;
        int k = ((i & RaceArrays.CHUNK - 1) << 1) + 1;
        if (!RaceArrays.isElements(chunk)) return RaceArrays.extendsRun(chunk, e, i, RaceArrays.WRITES);
        return k < chunk.length && sameEpoch(chunk[k], e);
    }

    /** The rest of it; returns the chunks for the next time. `last` is the array that `chunks` belong to. */
    @Hidden
    public static long[][] readElement(Object a, int i, Object last, long[][] chunks, long e, int site) {
        if (a == last && e != UNKNOWN) {
            long[] chunk = RaceArrays.chunk(chunks, i);
            if (chunk != null && RaceArrays.isElements(chunk)) {
                if (isOwnElement(chunk, i, e, site, READ) || isSharedRead(chunk, i, e)) return chunks;
            }
        }
        return slowElement(a, i, site, READ);
    }

    @Hidden
    public static long[][] writeElement(Object a, int i, Object last, long[][] chunks, long e, int site) {
        if (a == last && e != UNKNOWN) {
            long[] chunk = RaceArrays.chunk(chunks, i);
            if (chunk != null && RaceArrays.isElements(chunk) && isOwnElement(chunk, i, e, site, WRITE)) return chunks;
        }
        return slowElement(a, i, site, WRITE);
    }

    private static long[][] slowElement(Object a, int i, int site, int kind) {
        RaceThread t = self();
        if (t == null || a == null) return null;
        RaceShadow s = RaceShadow.of(a);
        element(t, s, a, i, site, kind);
        return s.chunks;
    }

    /** An element that only this thread has used, in a new epoch. */
    @ForceInline
    private static boolean isOwnElement(long[] words, int i, long e, int site, int kind) {
        int k = (i & RaceArrays.CHUNK - 1) << 1;
        if (k >= words.length) return false;
        long r = words[k], w = words[k + 1];
        if ((kind == READ ? r : w) == 0 || r != 0 && !sameThread(r, e) || w != 0 && !sameThread(w, e)) return false;
        words[kind == READ ? k : k + 1] = e | site;
        return true;
    }

    /** An element that several threads read, this one in this epoch already. */
    @ForceInline
    private static boolean isSharedRead(long[] words, int i, long e) {
        int k = (i & RaceArrays.CHUNK - 1) << 1;
        if (k >= words.length || !isSet(words[k])) return false;
        RaceThread t = self();
        return t != null && isMember(t, words[k], e);
    }

    /** Whether the thread's epoch is known to be in a set of reads. */
    @ForceInline
    private static boolean isMember(RaceThread t, long set, long e) {
        return U.getLong(U.getLong(t.peer + MEMBERS) + ((set >>> SITE_BITS & 63) << 3)) == (set << 14 ^ e >>> SITE_BITS);
    }

    private static long element(RaceThread t, Object a, int i, int site, int kind) {
        return element(t, RaceShadow.of(a), a, i, site, kind);
    }

    private static long element(RaceThread t, RaceShadow s, Object a, int i, int site, int kind) {
        // An index out of bounds makes the access itself throw; it must not grow the shadow.
        if (i < 0 || i >= java.lang.reflect.Array.getLength(a)) return epoch(t);
        if (evidence) ranOnce(site);
        long[] chunk = RaceArrays.chunk(s.chunks, i);
        if (chunk == null || !RaceArrays.isElements(chunk)) {
            int run = kind == READ ? RaceArrays.READS : RaceArrays.WRITES;
            if (chunk != null && RaceArrays.extendsRun(chunk, epoch(t), i, run)) return epoch(t);
            if (watching) before(t.peer, site);
            chunk = RaceArrays.access(t, s, a, i, i + 1, kind, site);
            if (chunk == null) return epoch(t);
        }
        return element(t, chunk, a, i, site, kind);
    }

    private static long element(RaceThread t, long[] chunk, Object a, int i, int site, int kind) {
        long at = RaceLayout.LONG_BASE + ((long) (i & RaceArrays.CHUNK - 1) << 4);
        return kind == READ ? read(t, chunk, a, at, at + 8, site, i) : write(t, chunk, a, at, at + 8, site, i);
    }

    /** System.arraycopy, before it runs. Arguments it will reject are left to it. */
    @Hidden
    public static void arraycopy(Object src, int from, Object dst, int to, int n, int site) {
        if (src == null || dst == null || n <= 0 || from < 0 || to < 0) return;
        if (!src.getClass().isArray() || !dst.getClass().isArray()) return;
        if (from > java.lang.reflect.Array.getLength(src) - n || to > java.lang.reflect.Array.getLength(dst) - n) return;
        range(src, from, n, site, READ);
        range(dst, to, n, site, WRITE);
    }

    /** clone() of an array, before it runs: reads it all. */
    @Hidden
    public static void readWhole(Object a, int site) {
        if (a != null && a.getClass().isArray()) range(a, 0, java.lang.reflect.Array.getLength(a), site, READ);
    }

    private static void range(Object a, int from, int n, int site, int kind) {
        RaceThread t = self();
        if (t == null || n == 0) return;
        if (evidence) ranOnce(site);
        RaceShadow s = RaceShadow.of(a);
        for (int lo = from, hi; lo < from + n; lo = hi) {
            hi = RaceArrays.chunkEnd(lo, from + n);
            long[] chunk = RaceArrays.chunk(s.chunks, lo);
            if (chunk == null || !RaceArrays.isElements(chunk)) chunk = RaceArrays.access(t, s, a, lo, hi, kind, site);
            for (int i = lo; chunk != null && i < hi; i++) element(t, chunk, a, i, site, kind);
        }
    }

    /** A call to an unsynchronised collection or builder of the JDK; the receiver may turn out to be another class. */
    @Hidden
    public static void readContainer(Object c, int site) {
        RaceThread t = self();
        if (t == null || c == null || !RaceContainers.isOne(c.getClass())) return;
        if (evidence) ranOnce(site);
        RaceShadow s = RaceShadow.of(c);
        read(t, s, c, RaceContainers.READ, RaceContainers.WRITE, site, -1);
    }

    @Hidden
    public static void writeContainer(Object c, int site) {
        RaceThread t = self();
        if (t == null || c == null || !RaceContainers.isOne(c.getClass())) return;
        if (evidence) ranOnce(site);
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
        long e = epoch(t);
        if (watching && !sameEpoch(U.getLong(words, roff), e)) before(t.peer, site);
        for (;;) {
            long r = U.getLong(words, roff), n = e | site;
            if (sameEpoch(r, e)) return e;
            if (sameThread(r, e)) {
                U.putLong(words, roff, n);
                break;
            }
            if (!covered(t, r)) {
                long i = r >>> SITE_BITS & 63;
                if (isMember(t, r, e)) return e;
                long step = U.getLong(t.peer + STEPS) + (i << 5);
                if (U.getLong(step) == r && U.getLong(step + 8) == n) n = U.getLong(step + 16);
                else n = readStep(t.peer, r, site);
            }
            if (r == n || U.compareAndSetLong(words, roff, r, n)) break;
            if (isSet(n)) dropped(t.peer, n);
        }
        long w = U.getLong(words, woff);
        if (!covered(t, w)) conflict(t, w, READ, o, site, index);
        else if (evidence) met(t, w, e, site);
        return e;
    }

    private static long write(RaceThread t, Object words, Object o, long roff, long woff, int site, int index) {
        long e = epoch(t), w;
        if (watching && !sameEpoch(U.getLong(words, woff), e)) before(t.peer, site);
        do {
            w = U.getLong(words, woff);
            if (sameEpoch(w, e)) return e;
            if (sameThread(w, e)) {
                U.putLong(words, woff, e | site);
                break;
            }
        } while (!U.compareAndSetLong(words, woff, w, e | site));
        if (!covered(t, w)) conflict(t, w, WRITE, o, site, index);
        else if (evidence) met(t, w, e, site);
        for (;;) {
            long r = U.getLong(words, roff);
            if (covered(t, r)) {
                if (evidence) met(t, r, e, site);
                return e;
            }
            long n = conflict(t, r, WRITE_OVER_READS, o, site, index);
            if (n == r || U.compareAndSetLong(words, roff, r, n)) return e;
            if (isSet(n)) dropped(t.peer, n);
        }
    }

    private static final int ALL_MEETINGS = 512, EVERY = 64;

    /**
     * Another thread's access that is in the past: what ordered the two is evidence for the plan's pair of them. The first
     * few hundred of a site are all told, then one in a while: data that is handed to and fro all the time would otherwise
     * cost more to watch than to check in full.
     */
    private static void met(RaceThread t, long w, long e, int site) {
        if (w == 0 || sameThread(w, e)) return;
        if (t.meetsOften(site, ALL_MEETINGS) && ++t.meetings % EVERY != 0) return;
        meet(t.peer, w, site);
    }

    /** The word is not in this thread's past, as far as Java can tell: C decides, describes and reports. */
    private static long conflict(RaceThread t, long word, int kind, Object o, int site, int index) {
        t.busy++;
        try {
            return conflict(t.peer, word, kind, o, site, index);
        } finally {
            t.busy--;
        }
    }

    /** Sites of arrays and containers have no offsets to find; their row of the table says that they ran. */
    private static void ranOnce(int site) {
        long at = Sites.TABLE + ((long) site << 4);
        if (U.getLong(at) != 0) return;
        U.putLong(at, 1);
        ran(site);
    }

    // ---- where the words of a field are ----

    /** Above the offset of a static field's first word: how many classes up from the one that the site names. */
    private static final int UP = 48;
    private static final long OFFSET = (1L << UP) - 1;

    private static Object staticBase(Class<?> c, long off) {
        for (long up = off >>> UP; up > 0; up--) c = c.getSuperclass();
        return c; // HotSpot keeps statics in the mirror; offset() has checked that this one does
    }

    /** Works out the offsets of a site's words once; -1 if the class has none (then the site is not checked). */
    private static long resolve(Class<?> c, int site, RaceThread t) {
        t.busy++;
        try {
            long at = Sites.TABLE + ((long) site << 4);
            Field first = siteField(c, site, 0), second = siteField(c, site, 1);
            long a = first == null ? -1 : offset(first, c), b = second == null ? 0 : offset(second, c) & OFFSET;
            U.putLong(at + 8, b);
            U.storeFence();
            U.putLong(at, a);
            if (evidence) ran(site);
            return a;
        } finally {
            t.busy--;
        }
    }

    /** -1 for a static field that is not in the mirror of c or of a superclass: then it is not checked. */
    private static long offset(Field f, Class<?> c) {
        if ((f.getModifiers() & 8) == 0) return U.objectFieldOffset(f);
        long up = 0;
        for (Class<?> k = c; k != null; k = k.getSuperclass(), up++)
            if (f.getDeclaringClass() == k) return U.staticFieldBase(f) == k ? U.staticFieldOffset(f) | up << UP : -1;
        return -1;
    }

    // ---- clocks ----

    /** After a volatile read, with the clock word that stood beside the value (read after it). */
    @Hidden
    public static void acquire(long word) {
        if (word == 0) return;
        RaceThread t = self();
        if (t != null) acquire(t, word);
    }

    /** For everything but locks: an order that every schedule has. */
    @ForceInline
    private static void acquire(RaceThread t, long word) {
        if (!inPast(t.hardTable, word) && !acquiredBefore(t, word)) acquire(t.peer, word, BY_VOLATILE);
    }

    /** Whether a set of releases has been acquired already. */
    @ForceInline
    private static boolean acquiredBefore(RaceThread t, long set) {
        return U.getLong(U.getLong(t.peer + MEMBERS) + ((set >>> SITE_BITS & 63) << 3)) == set;
    }

    @ForceInline
    private static void acquireLock(RaceThread t, long word) {
        if (!covered(t, word)) acquire(t.peer, word, BY_LOCK);
    }

    /** Before a volatile write. */
    @Hidden
    public static void releaseField(Object o, int site) {
        RaceThread t = self();
        if (t == null || o == null) return;
        long off = U.getLong(Sites.TABLE + ((long) site << 4));
        if (off == 0) off = resolve(o.getClass(), site, t);
        if (off > 0) release(t, o, off, site, false);
    }

    @Hidden
    public static void releaseStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t == null) return;
        long off = U.getLong(Sites.TABLE + ((long) site << 4));
        if (off == 0) off = resolve(c, site, t);
        if (off > 0) release(t, staticBase(c, off), off & OFFSET, site, false);
    }

    /**
     * Publishes the thread's past in a clock word and opens a new epoch. An update (compare-and-set, a lock) takes what
     * stood there into the thread's past first; a blind write merges the two.
     */
    private static void release(RaceThread t, Object o, long off, int site, boolean update) {
        for (;;) {
            long w = U.getLong(o, off);
            if (update && !inPast(t.hardTable, w) && !acquiredBefore(t, w)) acquire(t.peer, w, BY_VOLATILE);
            long e = epoch(t), n = e | site;
            if ((update || inPast(t.hardTable, w)) && mayTick(t, e)) U.putLong(t.peer, e + TICK);
            else n = release(t.peer, w, !update, site);
            if (U.compareAndSetLong(o, off, w, n)) return;
            if (isSet(n)) dropped(t.peer, n);
        }
    }

    /** Whether the epoch may be moved on here; its last value is C's affair. */
    @ForceInline
    private static boolean mayTick(RaceThread t, long e) {
        return Long.compareUnsigned(e, U.getLong(t.peer + LIMIT)) < 0;
    }

    // ---- monitors ----

    /** Before monitorenter: an object's hash is cheap to get, and to make, only while it is not locked. */
    @Hidden
    public static void preLock(Object o) {
        RaceThread t = self();
        if (t != null && o != null) t.pending = RaceShadow.of(o);
    }

    /** After monitorenter, and first thing in a synchronized method. */
    @Hidden
    public static void lock(Object o, int site) {
        RaceThread t = self();
        if (t == null) return;
        RaceShadow s = t.pending;
        if (s == null || s.get() != o) s = RaceShadow.of(o);
        t.push(s);
        acquireLock(t, s.sync);
        taken(t, s, o, site);
    }

    /** Before monitorexit. */
    @Hidden
    public static void unlock(Object o, int site) {
        RaceThread t = self();
        if (t == null) return;
        RaceShadow s = t.pop(o);
        given(t, s);
        releaseHeld(t, s, site);
    }

    /** The monitor is held, so nobody else changes its word and the thread has acquired what stands there. */
    private static void releaseHeld(RaceThread t, RaceShadow s, int site) {
        long e = epoch(t);
        if (mayTick(t, e)) {
            U.putLong(t.peer, e + TICK);
            s.sync = e | site;
        } else {
            s.sync = release(t.peer, s.sync, false, site);
        }
    }

    /** Notes a lock as held, for reports, and opens a new epoch, so that all accesses of an epoch hold the same locks. */
    private static void taken(RaceThread t, RaceShadow s, Object o, int site) {
        int key = s.key;
        if (key == 0) s.key = key = newLock(o);
        long locks = U.getLong(t.peer + LOCKS), n = U.getLong(locks), e = epoch(t);
        if (n >= HELD_MAX || !mayTick(t, e)) {
            taken(t.peer, key, site);
            return;
        }
        e += TICK;
        U.putLong(t.peer, e);
        long stamp = (e >>> SITE_BITS & 0x3fffffff) << 32 | site;
        long held = locks + HELD + (n << 4), op = U.getLong(locks + 8);
        U.putLong(held, key);
        U.putLong(held + 8, stamp);
        U.putLong(locks, n + 1);
        long trail = locks + TRAIL + ((op & TRAIL_LENGTH - 1) << 4);
        U.putLong(trail, key);
        U.putLong(trail + 8, stamp);
        U.putLong(locks + 8, op + 1);
    }

    private static void given(RaceThread t, RaceShadow s) {
        int key = s.key;
        if (key == 0) return;
        long locks = U.getLong(t.peer + LOCKS), n = U.getLong(locks);
        long held = locks + HELD + (n - 1 << 4);
        if (n == 0 || n > HELD_MAX || U.getLong(held) != key) {
            given(t.peer, key);
            return;
        }
        long clock = (epoch(t) >>> SITE_BITS & 0x3fffffff) + 1, op = U.getLong(locks + 8);
        long trail = locks + TRAIL + ((op & TRAIL_LENGTH - 1) << 4);
        U.putLong(trail, key | 1L << 63);
        U.putLong(trail + 8, clock << 32 | U.getLong(held + 8) & 0xffffffffL);
        U.putLong(locks, n - 1);
        U.putLong(locks + 8, op + 1);
    }

    @Hidden
    public static void waitOn(Object o) throws InterruptedException {
        waitOn(o, 0L);
    }

    @Hidden
    public static void waitOn(Object o, long millis, int nanos) throws InterruptedException {
        RaceThread t = self();
        RaceShadow s = t == null ? null : beforeWait(t, o);
        try {
            o.wait(millis, nanos);
        } catch (InterruptedException e) {
            interrupted();
            throw e;
        } finally {
            if (t != null) acquireLock(t, s.sync);
        }
    }

    @Hidden
    public static void waitOn(Object o, long millis) throws InterruptedException {
        RaceThread t = self();
        RaceShadow s = t == null ? null : beforeWait(t, o);
        try {
            o.wait(millis);
        } catch (InterruptedException e) {
            interrupted();
            throw e;
        } finally {
            if (t != null) acquireLock(t, s.sync);
        }
    }

    @Hidden
    public static void sleep(long millis) throws InterruptedException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            interrupted();
            throw e;
        }
    }

    @Hidden
    public static void sleep(long millis, int nanos) throws InterruptedException {
        try {
            Thread.sleep(millis, nanos);
        } catch (InterruptedException e) {
            interrupted();
            throw e;
        }
    }

    /** An InterruptedException shows that interrupt() was called, without a look at the flag. */
    private static void interrupted() {
        if (!on) return;
        acquire(U.getLongVolatile(Thread.currentThread(), INTERRUPTED));
    }

    /** Without the monitor wait() throws; its word is then not ours to write. */
    private static RaceShadow beforeWait(RaceThread t, Object o) {
        RaceShadow s = RaceShadow.of(o);
        if (Thread.holdsLock(o)) releaseHeld(t, s, 0);
        return s;
    }

    /** AbstractOwnableSynchronizer.setExclusiveOwnerThread: names held locks; the order comes from the lock's state. */
    @Hidden
    public static void owner(Object sync, Thread owner) {
        RaceThread t = self();
        if (t == null) return;
        RaceShadow s = RaceShadow.of(sync);
        if (owner == null) {
            given(t, s);
        } else if (owner == Thread.currentThread()) {
            taken(t, s, sync, 0);
        }
    }

    // ---- threads ----

    /** Thread.start, before the new thread can run. */
    @Hidden
    public static void threadStart(Thread child) {
        RaceThread t = self();
        if (t == null) return;
        t.busy++;
        try {
            U.putReference(child, SELF, start(t.peer, child));
        } finally {
            t.busy--;
        }
    }

    /** Thread.exit, the last Java code of a platform thread. */
    @Hidden
    public static void threadExit() {
        threadEnded(Thread.currentThread());
    }

    /**
     * What the thread did is in the past of whoever sees it dead. A virtual thread is buried by its carrier, which makes
     * its death known and therefore takes over its past.
     */
    @Hidden
    public static void threadEnded(Thread dead) {
        if (!on) return;
        RaceThread t = (RaceThread) U.getReference(dead, SELF);
        if (t == null || t.busy != 0) return;
        t.busy = 1 << 30; // nothing is tracked from here on
        U.putLongVolatile(dead, FINAL, end(t.peer));
        if (dead != Thread.currentThread()) acquire(U.getLongVolatile(dead, FINAL));
    }

    /** Thread.isAlive has found the thread dead. */
    @Hidden
    public static void seenDead(Thread target) {
        RaceThread t = self();
        if (t == null) return;
        long word = U.getLongVolatile(target, FINAL);
        if (!inPast(t.hardTable, word)) acquire(t.peer, word, BY_JOIN);
    }

    // ---- class initialisation ----

    /** What a class initialiser writes is ordered before every use of the class; C keeps the spans of epochs. */
    @Hidden
    public static void clinitEnter() {
        RaceThread t = self();
        if (t == null) return;
        clinit(t.peer, true);
    }

    @Hidden
    public static void clinitExit() {
        RaceThread t = self();
        if (t == null) return;
        clinit(t.peer, false);
    }

    // ---- VarHandle and Unsafe ----

    @Hidden
    public static void unsafeBefore(Object base, long off, int mode, int site) {
        RaceThread t = self();
        if (t != null && base != null) RaceVars.before(t, base, off, mode, site);
    }

    @Hidden
    public static void unsafeAfter(Object base, long off, int mode, int site) {
        RaceThread t = self();
        if (t != null && base != null) RaceVars.after(t, base, off, mode, site);
    }

    @Hidden
    public static void handleBefore(java.lang.invoke.VarHandle h, Object base, int index, int mode, int site) {
        RaceThread t = self();
        if (t != null && h != null) RaceVars.before(t, h, base, index, mode, site);
    }

    @Hidden
    public static void handleAfter(java.lang.invoke.VarHandle h, Object base, int index, int mode, int site) {
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
    public static void enqueued() {
        RaceThread t = self();
        if (t != null) acquireAll(t.peer);
    }

    /** After Object.clone: the copy is a new location; the words copied with it are not its own. */
    @Hidden
    public static void cloned(Object copy) {
        RaceThread t = self();
        if (t == null || copy == null) return;
        if (copy.getClass().isArray()) return;
        long[] offsets = RaceVars.words(t, copy.getClass());
        for (int i = 0; i < offsets.length; i++) U.putLong(copy, offsets[i], 0);
    }

    /** Reflection.filterFields: hides what the agent added, so that programs see the class they wrote. */
    @Hidden
    public static Field[] hideFields(Field[] fields) {
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

    // ---- tests of JUnit and TestNG ----

    @Hidden
    public static void testStarted(Object test) {
        test(test, null);
    }

    @Hidden
    public static void testMethod(Method method) {
        test(null, method);
    }

    /** TestNG forgets the result of a test that is over. */
    @Hidden
    public static void testResult(Object result) {
        if (result == null) test(null, null);
    }

    @Hidden
    public static void testEnded() {
        test(null, null);
    }

    private static void test(Object test, Method method) {
        RaceThread t = self();
        if (t == null) return;
        t.busy++; // naming a test runs code of the framework
        try {
            if (test != null) RaceTests.started(test);
            else if (method != null) RaceTests.method(method);
            else RaceTests.ended();
        } finally {
            t.busy--;
        }
    }

    // ---- C: agent/bridge.c ----

    private static native long siteTable();
    private static native RaceThread attach(Thread thread);
    private static native RaceThread start(long parent, Thread child);
    private static native long end(long peer);
    private static native void acquire(long peer, long word, int edge);
    private static native void acquireAll(long peer);
    private static native long release(long peer, long word, boolean blind, int site);
    private static native void dropped(long peer, long word);
    private static native int newLock(Object lock);
    private static native void taken(long peer, int key, int site);
    private static native void given(long peer, int key);
    private static native long readStep(long peer, long word, int site);
    /** Returns the word to put in the place of a read word that a write went over; else the word itself. */
    private static native long conflict(long peer, long word, int kind, Object o, int site, int index);
    private static native void meet(long peer, long word, int site);
    private static native void ran(int site);
    /** Remembers the stack of an access that is about to be made, or delays it. */
    private static native void before(long peer, int site);
    private static native void clinit(long peer, boolean enter);
    /** The field that holds the site's first (0) or second (1) word, looked up from class c. */
    private static native Field siteField(Class<?> c, int site, int which);
    /** All word fields of a class and its superclasses. */
    static native Field[] wordFields(Class<?> c);
    /** The field that a word field watches, or null. */
    static native Field watched(Class<?> c, Field word);
}
