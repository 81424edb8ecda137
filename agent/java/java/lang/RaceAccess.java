package java.lang;

import static java.lang.RaceEpoch.COLUMN;
import static java.lang.RaceEpoch.ROWS_MASK;
import static java.lang.RaceEpoch.SITE_BITS;
import static java.lang.RaceEpoch.SLOT_SHIFT;
import static java.lang.RaceEpoch.STEPS;
import static java.lang.RaceEpoch.STEPS_MASK;
import static java.lang.RaceEpoch.UNKNOWN;
import static java.lang.RaceEpoch.always;
import static java.lang.RaceEpoch.covered;
import static java.lang.RaceEpoch.discovering;
import static java.lang.RaceEpoch.epoch;
import static java.lang.RaceEpoch.evidence;
import static java.lang.RaceEpoch.isMember;
import static java.lang.RaceEpoch.isPast;
import static java.lang.RaceEpoch.isRow;
import static java.lang.RaceEpoch.isSet;
import static java.lang.RaceEpoch.optimistic;
import static java.lang.RaceEpoch.ready;
import static java.lang.RaceEpoch.sameEpoch;
import static java.lang.RaceEpoch.sameThread;
import static java.lang.RaceEpoch.self;
import static java.lang.RaceEpoch.tracked;
import static java.lang.RaceEpoch.watching;
import static java.lang.RaceEpoch.watchingAll;
import static java.lang.RaceMemory.PEER;
import static java.lang.RaceMemory.U;
import static java.lang.RaceSites.OFFSET;
import static java.lang.RaceSites.staticBase;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Accesses of fields, and the O(1) part of the check of any location: anything that is not decided by comparing an epoch
 * with the thread's own clock goes to C (the native methods at the end).
 *
 * Words are changed by compare-and-set only. A write puts its epoch in place before it looks at the read word, and a read
 * before it looks at the write word, so that of two accesses that truly overlap at least one sees the other.
 */
public final class RaceAccess {
    /* Kinds of access, as in C. */
    static final int READ = 0, WRITE = 1, WRITE_OVER_READS = 2, READ_OPEN = 3;

    private RaceAccess() {}

    // ---- fields ----

    @Hidden
    @DontInline
    public static long readField(Object o, int site) {
        RaceThread t = self();
        if (t == null || o == null) return UNKNOWN;
        long off = RaceSites.first(o.getClass(), site, t);
        if (off < 0) return epoch(t);
        return read(t, o, off, RaceSites.second(site), site);
    }

    @Hidden
    @DontInline
    public static long writeField(Object o, int site) {
        RaceThread t = self();
        if (t == null || o == null) return UNKNOWN;
        long off = RaceSites.first(o.getClass(), site, t);
        if (off < 0) return epoch(t);
        return writeNow(t, o, o, off, RaceSites.second(site), site, -1);
    }

    @Hidden
    @DontInline
    public static long readStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t == null) return UNKNOWN;
        long off = RaceSites.first(c, site, t);
        if (off < 0) return epoch(t);
        return read(t, staticBase(c, off), off & OFFSET, RaceSites.second(site), site);
    }

    @Hidden
    @DontInline
    public static long writeStatic(Class<?> c, int site) {
        RaceThread t = self();
        if (t == null) return UNKNOWN;
        long off = RaceSites.first(c, site, t);
        if (off < 0) return epoch(t);
        Object base = staticBase(c, off);
        return writeNow(t, base, base, off & OFFSET, RaceSites.second(site), site, -1);
    }

    // ---- fields that the rewriter knew nothing of: plain, volatile or neither is seen here ----

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
        long off = RaceSites.first(c, site, t);
        if (off <= 0) return;
        Object base = o == null ? staticBase(c, off) : o;
        off &= OFFSET;
        long second = RaceSites.second(site);
        if (second == 0) {
            if (kind == WRITE) RaceClocks.release(t, base, off, site, false);
        } else if (kind == WRITE) {
            write(t, base, base, off, second, site, -1);
        } else {
            read(t, base, base, off, second, site, -1);
        }
    }

    /** Only the synchronisation of such a field: its class is not checked. */
    @Hidden
    public static void lateRelease(Object o, int site) {
        RaceThread t = tracked();
        if (t == null || o == null) return;
        if (lateOffset(t, o.getClass(), site) > 0) late(t, o, o.getClass(), site, WRITE);
    }

    @Hidden
    public static void lateReleaseStatic(Class<?> c, int site) {
        RaceThread t = tracked();
        if (t != null && lateOffset(t, c, site) > 0) late(t, null, c, site, WRITE);
    }

    @Hidden
    public static void lateAcquire(Object o, int site) {
        RaceThread t = tracked();
        if (t == null || o == null) return;
        long off = lateOffset(t, o.getClass(), site);
        if (off > 0) RaceClocks.acquireAt(t, o, off);
    }

    @Hidden
    public static void lateAcquireStatic(Class<?> c, int site) {
        RaceThread t = tracked();
        if (t == null) return;
        long off = lateOffset(t, c, site);
        if (off > 0) RaceClocks.acquireAt(t, staticBase(c, off), off & OFFSET);
    }

    /** Offset of the site's clock word; 0 or less if it is no volatile field. */
    private static long lateOffset(RaceThread t, Class<?> c, int site) {
        long off = RaceSites.first(c, site, t);
        return RaceSites.second(site) == 0 ? off : -1;
    }

    // ---- any location ----

    /** The thread's epoch, for a method that does not know it. The first check begins the tracking, not this. */
    @Hidden
    @ForceInline
    public static long epochNow() {
        if (!ready) return UNKNOWN;
        long peer = U.getLong(Thread.currentThread(), PEER);
        return peer == 0 ? findEpoch() : U.getLong(peer);
    }

    @DontInline
    private static long findEpoch() {
        RaceThread t = always();
        if (t == null) return UNKNOWN;
        U.putLong(Thread.currentThread(), PEER, t.peer);
        return epoch(t);
    }

    /** The epoch e, unless it is over. */
    @Hidden
    public static long ifStill(long e) {
        return epochNow() == e ? e : UNKNOWN;
    }

    /**
     * Sets of reads that were found to have an epoch in them, as keys: an epoch is one thread's, and what is in a set stays
     * in it, so all threads may use one table, and do not have to find out who they are.
     */
    private static final long[] SHARED = new long[1 << 10];
    private static final int SHARED_MASK = (1 << 10) - 1;

    /** Whether a read word is a set of reads that has the epoch e in it already. */
    @Hidden
    @ForceInline
    public static boolean isShared(long r, long e) {
        long key = RaceSeen.keyFor(r, e);
        return SHARED[place(r, e)] == key || isSet(r) && isShared(r, e, key);
    }

    @ForceInline
    private static int place(long r, long e) {
        return (int) ((r ^ e) >>> SITE_BITS) & SHARED_MASK;
    }

    @DontInline
    private static boolean isShared(long r, long e, long key) {
        RaceThread t = self();
        if (t == null || !isMember(t, r, e)) return false;
        SHARED[place(r, e)] = key;
        return true;
    }

    @ForceInline
    private static long read(RaceThread t, Object o, long roff, long woff, int site) {
        long e = epoch(t), r = U.getLong(o, roff);
        if (sameEpoch(r, e) || isSet(r) && hasRead(t, r, e)) return e;
        return readNow(t, o, o, roff, woff, site, -1);
    }

    /**
     * A read of a location whose words stand in `words` at two offsets; `o` and `index` say what it is, for reports. Not
     * inlined, nor is write(), for the reason given in {@link RaceElements}; only the hooks of fields have a copy each.
     */
    @DontInline
    static long read(RaceThread t, Object words, Object o, long roff, long woff, int site, int index) {
        return readNow(t, words, o, roff, woff, site, index);
    }

    @ForceInline
    private static long readNow(RaceThread t, Object words, Object o, long roff, long woff, int site, int index) {
        long e = epoch(t);
        if (optimistic && RaceOptimistic.defers(t, words, o, roff, woff, site, index)) return e;
        long r = U.getLong(words, roff);
        if (sameEpoch(r, e)) return e;
        if (watching) {
            watch(t, o, site);
            r = U.getLong(words, roff);
        }
        if (sameThread(r, e)) U.putLong(words, roff, e | site);
        else if (!noteRead(t, words, roff, e, site)) return e;
        long w = U.getLong(words, woff);
        if (!sameThread(w, e)) checkRead(t, w, words, o, e, site, index);
        return e;
    }

    /** A read that was made earlier, over the write w, in what is the thread's epoch again. */
    static void readBefore(RaceThread t, Object words, Object o, long roff, long w, int site, int index) {
        long e = epoch(t);
        if (noteRead(t, words, roff, e, site)) checkRead(t, w, words, o, e, site, index);
    }

    /** Puts the read in its word; false if it was there before. */
    private static boolean noteRead(RaceThread t, Object words, long roff, long e, int site) {
        for (;;) {
            long r = U.getLong(words, roff), n = e | site;
            if (sameEpoch(r, e)) return false;
            if (isSet(r)) {
                if (hasRead(t, r, e)) return false;
                if (isRow(r) && readAgain(t, r, n)) return true;
            }
            if (!isBehind(t, r, e)) n = readStep(t, r, n, site);
            if (r == n || U.compareAndSetLong(words, roff, r, n)) return true;
            if (isSet(n) || isSet(r)) RaceClocks.dropped(t.peer, n); // or C would count one holder less for r
        }
    }

    /** Where the thread's own word of a row stands; null if the thread has none yet. */
    @ForceInline
    private static long ownWord(RaceThread t, long row) {
        long column = U.getLong(t.peer + COLUMN);
        return column == 0 ? 0 : column + ((row >>> SITE_BITS & ROWS_MASK) << 3);
    }

    /** What it should be: the row's generation in the place of the slot. */
    @ForceInline
    private static long inRow(long row, long e) {
        return row >>> 36 << SLOT_SHIFT | e & (1L << SLOT_SHIFT) - 1;
    }

    /** Whether a read word that is a set or a row has a read of the epoch e. */
    @ForceInline
    static boolean hasRead(RaceThread t, long r, long e) {
        return isRow(r) ? isInRow(t, r, e) : isMember(t, r, e);
    }

    @ForceInline
    private static boolean isInRow(RaceThread t, long row, long e) {
        long at = ownWord(t, row);
        return at != 0 && sameEpoch(U.getLong(at), inRow(row, e));
    }

    /** Puts the read n in its word; false if the row does not know the thread. */
    @ForceInline
    private static boolean readAgain(RaceThread t, long row, long n) {
        long at = ownWord(t, row), mine = inRow(row, n);
        if (at == 0 || !sameThread(U.getLong(at), mine)) return false;
        U.putLong(at, mine); // as where sameThread() holds
        return true;
    }

    @ForceInline
    private static void checkRead(RaceThread t, long w, Object words, Object o, long e, int site, int index) {
        if (!covered(t, w)) conflict(t, w, READ, words, o, site, index);
        else if (evidence) met(t, w, e, site);
    }

    @DontInline
    static long write(RaceThread t, Object words, Object o, long roff, long woff, int site, int index) {
        return writeNow(t, words, o, roff, woff, site, index);
    }

    @ForceInline
    private static long writeNow(RaceThread t, Object words, Object o, long roff, long woff, int site, int index) {
        long e = epoch(t), w = U.getLong(words, woff);
        if (sameEpoch(w, e)) return e;
        if (watching) {
            watch(t, o, site);
            w = U.getLong(words, woff);
        }
        if (sameThread(w, e)) U.putLong(words, woff, e | site);
        else checkWrite(t, U.getAndSetLong(words, woff, e | site), words, o, e, site, index);
        if (!sameThread(U.getLong(words, roff), e)) checkReads(t, words, o, roff, e, site, index);
        return e;
    }

    @ForceInline
    private static void checkWrite(RaceThread t, long w, Object words, Object o, long e, int site, int index) {
        if (!covered(t, w)) conflict(t, w, WRITE, words, o, site, index);
        else if (evidence) met(t, w, e, site);
    }

    /** A write goes over the reads before it. */
    private static void checkReads(RaceThread t, Object words, Object o, long roff, long e, int site, int index) {
        for (;;) {
            long r = U.getLong(words, roff);
            if (isBehind(t, r, e)) {
                if (evidence) met(t, r, e, site);
                return;
            }
            long n = conflict(t, r, WRITE_OVER_READS, words, o, site, index);
            if (n == r || U.compareAndSetLong(words, roff, r, n)) return;
            if (isSet(n) || isSet(r)) RaceClocks.dropped(t.peer, n); // or C would count one holder less for r
        }
    }

    /** Whether all that a read word stands for is known to have happened before the thread's present. */
    @ForceInline
    private static boolean isBehind(RaceThread t, long r, long e) {
        return isSet(r) ? isPast(t, r, e) : covered(t, r);
    }

    /** The set of reads that takes the place of r when this thread's read n comes to it, as C has found before or finds now. */
    @ForceInline
    private static long readStep(RaceThread t, long r, long n, int site) {
        long step = U.getLong(t.peer + STEPS) + ((r >>> SITE_BITS & STEPS_MASK) << 5);
        if (U.getLong(step) == r && U.getLong(step + 8) == n) return U.getLong(step + 16);
        return readStep(t.peer, r, site);
    }

    // ---- what C is told ----

    /** An access that is about to be made: its stack may be remembered, or the thread delayed, or the object sampled. */
    static void watch(RaceThread t, Object o, int site) {
        if (discovering) sample(t.peer, o, site);
        if (watchingAll || t.showsVisit(site)) before(t.peer, site);
    }

    /** Another thread's access that is in the past: what ordered the two is evidence for the plan's pair of them. */
    private static void met(RaceThread t, long w, long e, int site) {
        if (w != 0 && !sameThread(w, e) && t.showsMeeting(site)) meet(t.peer, w, site);
    }

    /** The word is not in this thread's past, as far as Java can tell: C decides, describes and reports. */
    @DontInline
    private static long conflict(RaceThread t, long word, int kind, Object words, Object o, int site, int index) {
        t.busy++;
        try {
            Object at = words instanceof RaceShadow ? ((RaceShadow) words).get() : o;
            if (kind != READ) return conflict(t.peer, word, kind, at, o, site, index);
            int found = RaceFrozen.find(t, word, words, at, site, index);
            if (found == RaceFrozen.FROZEN) return word;
            boolean isSettled = conflict(t.peer, word, found == RaceFrozen.OPEN ? READ_OPEN : READ, at, o, site, index) == 0;
            if (isSettled) RaceFrozen.settle(found, word, site);
            return word;
        } finally {
            t.busy--;
        }
    }

    private static native long readStep(long peer, long word, int site);
    /**
     * Returns the word to put in the place of a read word that a write went over; of a read, 0 if it was told, or will never be.
     * Reports show the object `shown` instead of `at`.
     */
    private static native long conflict(long peer, long word, int kind, Object at, Object shown, int site, int index);
    private static native void meet(long peer, long word, int site);
    private static native void before(long peer, int site);
    private static native void sample(long peer, Object o, int site);
}
