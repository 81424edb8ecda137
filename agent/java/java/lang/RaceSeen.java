package java.lang;

import static java.lang.RaceEpoch.SITE_BITS;
import static java.lang.RaceEpoch.SLOT_SHIFT;
import static java.lang.RaceEpoch.epoch;
import static java.lang.RaceEpoch.isMember;
import static java.lang.RaceEpoch.isSet;
import static java.lang.RaceMemory.U;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What a thread remembers of an array that others read too, so that it need not look at the words of an element again in the
 * same epoch: those of a large array are spread over more memory than the caches hold, and change hands between them. It is
 * a long[] that only the thread uses, one of the first of the array's chunks ({@link RaceArrays}):
 *
 * - the thread's slot;
 * - the set of reads that many elements have, if the epoch is in it, as a key (see below);
 * - where in a chunk with several readers the thread's block begins;
 * - for each 32 elements the clock of an epoch, and below that a bit for each element that was read in it.
 */
public final class RaceSeen {
    private static final int OWNER = 0, KEY = 1, BLOCK = 2, BITS = 3;
    private static final long CROWD = 0x3ffe;
    /** Threads that are remembered for one array, a power of two; those with the same low bits of the slot take turns. */
    static final int THREADS = 8;

    private RaceSeen() {}

    /** An epoch of the thread whose slot stands there. */
    @ForceInline
    private static int clock(long e) {
        return (int) (e >>> SITE_BITS) & 0x3fffffff;
    }

    /** Whether the thread has read element i in the epoch e. */
    @ForceInline
    static boolean has(long[] seen, int i, long e) {
        int k = BITS + (i >>> 5);
        return k < seen.length && (int) (seen[k] >>> 32) == clock(e) && ((int) seen[k] >>> i & 1) != 0;
    }

    /**
     * Puts those of n elements that the thread has not read in the epoch into `left`, and returns how many. The elements are
     * those at the indices that stand in an int[].
     */
    static int left(long[] seen, int[] indices, int first, int step, int n, long e, int[] left) {
        if (seen != null) return step == 1 ? left(seen, indices, first, 1, n, clock(e), left)
                : left(seen, indices, first, step, n, clock(e), left);
        for (int j = 0; j < n; j++) left[j] = indices[first + j * step];
        return n;
    }

    /** Without a branch for each, since which these are cannot be foretold. */
    @ForceInline
    private static int left(long[] seen, int[] indices, int first, int step, int n, int clock, int[] left) {
        int found = 0;
        for (int j = 0; j < n; j++) {
            int i = indices[first + j * step], at = BITS + (i >>> 5);
            left[found] = i;
            if (at >= seen.length) continue; // not an element, unless a race has changed the index meanwhile
            long word = seen[at];
            int differs = (int) (word >>> 32) ^ clock;
            found += (differs | -differs) >>> 31 | ~(int) word >>> i & 1;
        }
        return found;
    }

    /** Whether a read word is the set that was last found to have the epoch e. */
    @ForceInline
    static boolean hasSet(long[] seen, long word, long e) {
        return keyFor(word, e) == seen[KEY];
    }

    /** Of an epoch and a set: in no other epoch has another set the same. */
    @ForceInline
    static long keyFor(long set, long e) {
        return set ^ e * 0x9e3779b97f4a7c15L;
    }

    @ForceInline
    static int block(long[] seen) {
        return (int) seen[BLOCK];
    }

    /** What was seen of the array `last`, if it is the same one. */
    @Hidden
    @ForceInline
    public static long[] ifSame(Object a, Object last, long[] seen) {
        return a == last ? seen : null;
    }

    /** What to remember behind a read of element i: for the next reads of the array in the same method; or null. */
    @Hidden
    @DontInline
    public static long[] of(long[][] chunks, int i, long e) {
        long slot = e >>> SLOT_SHIFT;
        long[] chunk = RaceArrays.chunk(chunks, i);
        if (chunk == null || slot == CROWD) return null;
        long[] seen = chunks[(int) slot & THREADS - 1];
        if (seen != null && seen[OWNER] == slot && has(seen, i, e)) return seen;
        RaceThread t = RaceEpoch.self();
        if (t == null || epoch(t) != e) return null;
        if (seen == null || seen[OWNER] != slot) {
            if (!RaceArrays.isElements(chunk) && !RaceReaders.isShared(chunk)) return null;
            seen = begin(chunks, chunk, slot);
        }
        if (seen != null) note(t, seen, chunk, i, e);
        return seen;
    }

    /** What the thread of the epoch e remembers of the array, or null. */
    static long[] by(long[][] chunks, long e) {
        long slot = e >>> SLOT_SHIFT;
        long[] seen = chunks == null || slot == CROWD ? null : chunks[(int) slot & THREADS - 1];
        return seen != null && seen[OWNER] == slot ? seen : null;
    }

    private static long[] begin(long[][] chunks, long[] chunk, long slot) {
        try {
            long[] seen = new long[BITS + (elements(chunks, chunk) - 1 >>> 5) + 1];
            seen[OWNER] = slot;
            U.storeFence();
            chunks[(int) slot & THREADS - 1] = seen;
            return seen;
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    /** How many elements the array has, at most. */
    private static int elements(long[][] chunks, long[] chunk) {
        int n = chunks.length - THREADS;
        if (n > 1) return n << RaceArrays.SHIFT;
        return RaceArrays.isElements(chunk) ? chunk.length >> 1 : RaceReaders.elements(chunk);
    }

    private static void note(RaceThread t, long[] seen, long[] chunk, int i, long e) {
        int k = (i & RaceArrays.CHUNK - 1) << 1;
        if (!RaceArrays.isElements(chunk)) seen[BLOCK] = RaceReaders.isShared(chunk) ? RaceReaders.blockOf(chunk, e) : 0;
        else if (k < chunk.length && isSet(chunk[k]) && isMember(t, chunk[k], e)) seen[KEY] = keyFor(chunk[k], e);
        mark(seen, i, e);
    }

    /** The thread has read element i in the epoch e. */
    static void mark(long[] seen, int i, long e) {
        int k = BITS + (i >>> 5);
        if (k >= seen.length) return;
        long others = (int) (seen[k] >>> 32) == clock(e) ? seen[k] : (long) clock(e) << 32;
        seen[k] = others | 1L << (i & 31);
    }
}
