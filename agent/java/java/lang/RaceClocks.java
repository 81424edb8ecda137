package java.lang;

import static java.lang.RaceEpoch.TICK;
import static java.lang.RaceEpoch.acquiredBefore;
import static java.lang.RaceEpoch.covered;
import static java.lang.RaceEpoch.epoch;
import static java.lang.RaceEpoch.inPast;
import static java.lang.RaceEpoch.isSet;
import static java.lang.RaceEpoch.mayTick;
import static java.lang.RaceEpoch.tracked;
import static java.lang.RaceMemory.U;
import static java.lang.RaceSites.OFFSET;
import static java.lang.RaceSites.staticBase;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/** Clock words: what a volatile variable, a lock or a thread's end hands over from whoever released to whoever acquires. */
public final class RaceClocks {
    /* What makes an order, as enum ck_edge in C. */
    static final int BY_LOCK = 0, BY_VOLATILE = 1, BY_JOIN = 3;

    /** The clock word of all fences together. */
    private static final long[] FENCES = new long[1];

    private RaceClocks() {}

    /** After a volatile read, with the clock word that stood beside the value (read after it). */
    @Hidden
    @ForceInline
    public static void acquire(long word) {
        if (word != 0) acquireWord(word);
    }

    /** Not inlined: the methods of a lock, with a copy of this for each look at its state, are too large to be inlined themselves. */
    @DontInline
    private static void acquireWord(long word) {
        RaceThread t = tracked();
        if (t != null) acquire(t, word);
    }

    /** For everything but locks: an order that every schedule has. */
    @ForceInline
    static void acquire(RaceThread t, long word) {
        if (!inPast(t.hardTable, word) && !acquiredBefore(t, word)) acquire(t.peer, word, BY_VOLATILE);
    }

    static void acquireAt(RaceThread t, Object o, long off) {
        acquire(t, U.getLongVolatile(o, off));
    }

    @ForceInline
    static void acquireLock(RaceThread t, long word) {
        if (!covered(t, word)) acquire(t.peer, word, BY_LOCK);
    }

    /** Before a volatile write. */
    @Hidden
    @DontInline
    public static void releaseField(Object o, int site) {
        RaceThread t = tracked();
        if (t == null || o == null) return;
        long off = RaceSites.first(o.getClass(), site, t);
        if (off > 0) release(t, o, off, site, false);
    }

    @Hidden
    @DontInline
    public static void releaseStatic(Class<?> c, int site) {
        RaceThread t = tracked();
        if (t == null) return;
        long off = RaceSites.first(c, site, t);
        if (off > 0) release(t, staticBase(c, off), off & OFFSET, site, false);
    }

    /**
     * A fence orders nothing by itself: it needs an atomic access on either side that both threads know, and which one
     * that is cannot be told from here. So a fence comes after every fence before it, which may hide a race, but never
     * invents one.
     */
    @Hidden
    @DontInline
    public static void fence() {
        RaceThread t = tracked();
        if (t != null) release(t, FENCES, RaceLayout.LONG_BASE, 0, true);
    }

    /** The program made a method handle of an operation of a VarHandle. */
    @Hidden
    public static void handleMade() {
        RaceEpoch.handles = true;
    }

    /** Before and behind a call of a method handle, which may be such an operation, of any variable: see {@link #fence}. */
    @Hidden
    public static void handleCall() {
        if (RaceEpoch.handles) fence();
    }

    /**
     * Publishes the thread's past in a clock word and opens a new epoch. An update (compare-and-set, a lock) takes what
     * stood there into the thread's past first; a blind write merges the two.
     */
    static void release(RaceThread t, Object o, long off, int site, boolean update) {
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

    static native void acquire(long peer, long word, int edge);
    static native void acquireAll(long peer);
    static native long release(long peer, long word, boolean blind, int site);
    static native void dropped(long peer, long word);
}
