package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The shadow of an array before it has one pair of words per element: runs of accesses by a single thread, see "Arrays" in
 * include/race/checker.h. An access that comes between another thread's expansion and its publication can be lost; that
 * can hide a race, not make one up.
 */
final class RaceArrays {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long RUNS = U.objectFieldOffset(RaceShadow.class, "runs");
    private static final long ELEMENTS = U.objectFieldOffset(RaceShadow.class, "elements");

    /* Layout of the runs, as enum CK_COARSE_*. */
    static final int READS = 1, WRITES = 5;
    private static final int WORDS = 9;

    /* enum ck_array_todo */
    private static final int DONE = 0, REPLACE = 1, EXPAND = 2, LEAVE = 3;
    /** Stands for an array that is too large to be checked. */
    private static final long[] LEFT = new long[WORDS];

    private RaceArrays() {}

    /**
     * The next element of the run that this thread is in, or one of those it has passed in the same epoch. An epoch is one
     * thread's, so a run of this epoch is this thread's own.
     */
    @ForceInline
    static boolean extendsRun(long[] runs, long epoch, int i, int k) {
        if ((runs[k] ^ epoch) >>> 20 != 0) return false;
        long range = runs[k + 1];
        int lo = (int) range, hi = (int) (range >>> 32);
        if (i < lo || i > hi) return false;
        if (i == hi) runs[k + 1] = range + (1L << 32);
        return true;
    }

    /** An access of elements lo to hi - 1; returns the words of the elements if it is not settled yet. */
    static long[] access(RaceThread t, RaceShadow s, Object a, int lo, int hi, int kind, int site) {
        int length = java.lang.reflect.Array.getLength(a);
        for (;;) {
            long[] words = s.elements, runs = s.runs;
            if (words != null) return words;
            if (runs == LEFT) return null;
            long[] next = new long[WORDS];
            switch (step(t.peer, runs, next, length, lo, hi, kind == 1, site)) {
                case DONE:
                    return null;
                case REPLACE:
                    if (U.compareAndSetReference(s, RUNS, runs, next)) return null;
                    break;
                case EXPAND:
                    words = new long[2 * length];
                    if (runs != null) expand(runs, words);
                    U.compareAndSetReference(s, ELEMENTS, null, words);
                    if (runs != null) runs[READS] = runs[WRITES] = 0; // whoever is still in a run sees that it is over
                    return s.elements;
                default:
                    s.runs = LEFT;
                    return null;
            }
        }
    }

    private static native int step(long peer, long[] old, long[] next, int length, int lo, int hi, boolean write, int site);
    private static native void expand(long[] runs, long[] words);
}
