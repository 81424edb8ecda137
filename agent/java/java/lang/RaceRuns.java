package java.lang;

import static java.lang.RaceMemory.U;

/**
 * Used runs of arrays (see {@link RaceArrays}), so that an array that goes back and forth between threads makes no garbage.
 *
 * A thread may be about to store into runs of its own that another thread has just replaced. So they go back to that thread
 * and to nobody else: once it takes them, it is no longer there.
 */
final class RaceRuns {
    /** A ring for each thread, by the low bits of its number; threads with the same bits throw each other's away. */
    private static final int PLACES = 256, THREADS = 16, TRIES = 4;
    private static final long[][] RINGS = new long[PLACES * THREADS][];
    /**
     * Where to take from each ring next and where to put something, a cache line apart. They are changed without care: who has
     * been led astray by another thread, or finds its places empty or full, goes on a few places further.
     */
    private static final int LINE = 16;
    private static final int[] TAKEN = new int[LINE * THREADS], GIVEN = new int[LINE * THREADS];

    private RaceRuns() {}

    /** Runs for the calling thread, whose number is `owner`, with anything in them. */
    static long[] take(long owner, int length) {
        int k = (int) owner & THREADS - 1, from = TAKEN[k * LINE];
        for (int i = from; i < from + TRIES; i++) {
            if (RINGS[place(k, i)] == null) continue;
            long[] runs = (long[]) U.getAndSetReference(RINGS, RaceLayout.referenceAt(place(k, i)), null);
            if (runs == null || runs[0] != owner) continue;
            TAKEN[k * LINE] = i + 1;
            return runs;
        }
        TAKEN[k * LINE] = from + TRIES;
        return new long[length];
    }

    /** Back to their owner, whose number is the first word. */
    static void give(long[] runs) {
        int k = (int) runs[0] & THREADS - 1, from = GIVEN[k * LINE];
        for (int i = from; i < from + TRIES; i++) {
            if (RINGS[place(k, i)] != null) continue;
            if (!U.compareAndSetReference(RINGS, RaceLayout.referenceAt(place(k, i)), null, runs)) continue;
            GIVEN[k * LINE] = i + 1;
            return;
        }
        GIVEN[k * LINE] = from + TRIES;
    }

    private static int place(int ring, int i) {
        return ring * PLACES + (i & PLACES - 1);
    }
}
