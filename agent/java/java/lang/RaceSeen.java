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
 * a long[] that only the thread uses, hung on the array's {@link RaceShadow}:
 *
 * - the set of reads that many elements have, if the epoch is in it, as a key (see below);
 * - where in a chunk with several readers the thread's block begins;
 * - for each 64 elements the epoch, and a bit for each that was read in it.
 */
public final class RaceSeen {
    private static final int KEY = 0, BLOCK = 1, BITS = 2;
    private static final long CROWD = 0x3ffe;
    /** Threads that are remembered for one array. */
    private static final int MOST = 8;

    private final long slot;
    private final long[] words;
    private final RaceSeen next;

    private RaceSeen(long slot, long[] words, RaceSeen next) {
        this.slot = slot;
        this.words = words;
        this.next = next;
    }

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
    public static long[] of(Object a, int i, long e, int site) {
        RaceThread t = RaceEpoch.self();
        if (t == null || a == null || epoch(t) != e || e >>> SLOT_SHIFT == CROWD) return null;
        RaceShadow s = t.shadow(a, site);
        long[] seen = find(s, e), chunk = RaceArrays.chunk(s.chunks, i);
        if (chunk == null || !RaceArrays.isElements(chunk) && !RaceReaders.isShared(chunk)) return seen;
        if (seen == null) seen = add(t, s, e, java.lang.reflect.Array.getLength(a));
        if (seen != null) note(t, seen, chunk, i, e);
        return seen;
    }

    private static void note(RaceThread t, long[] seen, long[] chunk, int i, long e) {
        int k = (i & RaceArrays.CHUNK - 1) << 1;
        if (!RaceArrays.isElements(chunk)) seen[BLOCK] = RaceReaders.blockOf(chunk, e);
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

    private static long[] find(RaceShadow s, long e) {
        for (RaceSeen x = s.seen; x != null; x = x.next)
            if (x.slot == e >>> SLOT_SHIFT) return x.words;
        return null;
    }

    /** The ones of threads that came first go, if there are many. */
    private static long[] add(RaceThread t, RaceShadow s, long e, int length) {
        t.busy++;
        try {
            synchronized (s) {
                int n = 0;
                for (RaceSeen x = s.seen; x != null; x = x.next) n++;
                long[] words = new long[BITS + ((length - 1 >>> 6) + 1 << 1)];
                RaceSeen x = new RaceSeen(e >>> SLOT_SHIFT, words, n < MOST ? s.seen : null);
                U.storeFence();
                s.seen = x;
                return words;
            }
        } catch (OutOfMemoryError x) {
            return null;
        } finally {
            t.busy--;
        }
    }
}
