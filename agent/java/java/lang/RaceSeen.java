package java.lang;

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
 * - for each 64 elements the epoch, and a bit for each that was read in it.
 */
public final class RaceSeen {
    private static final int OWNER = 0, KEY = 1, BLOCK = 2, BITS = 3;
    private static final long CROWD = 0x3ffe;
    /** Threads that are remembered for one array, a power of two; those with the same low bits of the slot take turns. */
    static final int THREADS = 8;

    private RaceSeen() {}

    /** Whether the thread has read element i in the epoch e. */
    @ForceInline
    static boolean has(long[] seen, int i, long e) {
        int k = BITS + (i >>> 6 << 1);
        return k < seen.length - 1 && seen[k] == e && (seen[k + 1] >>> i & 1) != 0;
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

    private static long[] begin(long[][] chunks, long[] chunk, long slot) {
        try {
            long[] seen = new long[BITS + ((elements(chunks, chunk) - 1 >>> 6) + 1 << 1)];
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
        int k = BITS + (i >>> 6 << 1);
        if (k >= seen.length - 1) return;
        if (seen[k] != e) seen[k + 1] = 0;
        seen[k] = e;
        seen[k + 1] |= 1L << i;
    }
}
