package java.lang;

import jdk.internal.vm.annotation.ForceInline;

/**
 * The shadow of an array: a long[] for each chunk of CHUNK elements, made when the chunk is first accessed. It is one of two
 * things (include/race/checker.h, "Arrays"):
 *
 * - runs, of odd length: the accesses of a single thread, as ranges of elements. Only that thread changes them in place,
 *   and only to make a run longer; all other changes come in a new long[], made under the lock of the {@link RaceShadow}.
 * - elements, of even length: a pair of words (read, write) per element, once a second thread has come, for good.
 *
 * So an array that threads sweep in bands costs a few words per chunk. The long[][] of chunks never changes once it is there,
 * so methods may keep it. An access that falls between another thread's making the elements and the owner's noticing can be
 * lost; that can hide a race, not make one up.
 */
final class RaceArrays {
    static final int SHIFT = 8;
    static final int CHUNK = 1 << SHIFT;

    /* Layout of the runs, as enum CK_COARSE_*. */
    static final int READS = 1, WRITES = 5;
    private static final int WORDS = 9;

    /* enum ck_array_todo */
    private static final int DONE = 0, REPLACE = 1, EXPAND = 2;
    /** Stands for a chunk that is not checked, for lack of memory. */
    private static final long[] LEFT = new long[WORDS];

    private RaceArrays() {}

    /** The chunk of element i, or null; also for an index that the array does not have. */
    @ForceInline
    static long[] chunk(long[][] chunks, int i) {
        int k = i >>> SHIFT;
        return chunks != null && k < chunks.length ? chunks[k] : null;
    }

    @ForceInline
    static boolean isElements(long[] chunk) {
        return (chunk.length & 1) == 0;
    }

    /**
     * The next element of the run that this thread is in, or one of those it has passed in the same epoch. An epoch is one
     * thread's, so a run of this epoch is this thread's own.
     */
    @ForceInline
    static boolean extendsRun(long[] runs, long epoch, int i, int k) {
        if ((runs[k] ^ epoch) >>> 20 != 0) return false;
        long range = runs[k + 1];
        int at = i & CHUNK - 1, lo = (int) range, hi = (int) (range >>> 32);
        if (at < lo || at > hi) return false;
        if (at == hi) runs[k + 1] = range + (1L << 32);
        return true;
    }

    /** An access of elements lo to hi - 1 of one chunk; returns the chunk if its elements are still to be checked. */
    static long[] access(RaceThread t, RaceShadow s, Object a, int lo, int hi, int kind, int site) {
        int length = java.lang.reflect.Array.getLength(a);
        t.busy++; // nothing in here is the program's
        try {
            synchronized (s) {
                return change(t, s, length, lo, hi, kind, site);
            }
        } catch (OutOfMemoryError e) {
            long[][] chunks = s.chunks;
            if (chunks != null) chunks[lo >>> SHIFT] = LEFT;
            return null;
        } finally {
            t.busy--;
        }
    }

    private static long[] change(RaceThread t, RaceShadow s, int length, int lo, int hi, int kind, int site) {
        if (s.chunks == null) s.chunks = new long[(length - 1 >>> SHIFT) + 1][];
        int base = lo & -CHUNK;
        long[] old = s.chunks[lo >>> SHIFT];
        if (old == LEFT) return null;
        if (old != null && isElements(old)) return old;
        int size = Math.min(CHUNK, length - base);
        long[] next = new long[WORDS];
        switch (step(t.peer, old, next, size, lo - base, hi - base, kind == 1, site)) {
            case DONE:
                return null;
            case REPLACE:
                s.chunks[lo >>> SHIFT] = next;
                return null;
            case EXPAND:
                long[] words = new long[2 * size];
                if (old != null) expand(old, words);
                s.chunks[lo >>> SHIFT] = words;
                if (old != null) old[READS] = old[WRITES] = 0; // whoever is still in a run sees that it is over
                return words;
            default:
                s.chunks[lo >>> SHIFT] = LEFT;
                return null;
        }
    }

    /** First index behind lo that is in another chunk, or hi. */
    static int chunkEnd(int lo, int hi) {
        return Math.min(hi, (lo & -CHUNK) + CHUNK);
    }

    private static native int step(long peer, long[] old, long[] next, int length, int lo, int hi, boolean write, int site);
    private static native void expand(long[] runs, long[] words);
}
