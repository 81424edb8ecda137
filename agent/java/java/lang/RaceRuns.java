package java.lang;

import static java.lang.RaceMemory.U;

/**
 * Used runs of arrays (see {@link RaceArrays}), so that an array that goes back and forth between threads makes no garbage.
 *
 * A thread may be about to store into runs of its own that another thread has just replaced. So they go back to that thread
 * and to nobody else: once it takes them, it is no longer there.
 */
final class RaceRuns {
    /** A stack for each thread, by the low bits of its number; threads with the same bits throw each other's away. */
    private static final int PLACES = 256, THREADS = 16, TRIES = 4;
    private static final long[][] STACKS = new long[PLACES * THREADS][];
    /** How many are on each stack; who loses a count to another thread finds the next ones a few places off, or not at all. */
    private static final int[] TOPS = new int[THREADS];

    private RaceRuns() {}

    /** Runs for the calling thread, whose number is `owner`, with anything in them. */
    static long[] take(long owner, int length) {
        int k = (int) owner & THREADS - 1, top = TOPS[k];
        for (int i = top; i > 0 && i > top - TRIES; i--) {
            long[] runs = (long[]) U.getAndSetReference(STACKS, at(k, i - 1), null);
            TOPS[k] = i - 1;
            if (runs != null && runs[0] == owner) return runs;
        }
        return new long[length];
    }

    /** Back to their owner, whose number is the first word. */
    static void give(long[] runs) {
        int k = (int) runs[0] & THREADS - 1, top = TOPS[k];
        for (int i = top; i < PLACES && i < top + TRIES; i++) {
            if (!U.compareAndSetReference(STACKS, at(k, i), null, runs)) continue;
            TOPS[k] = i + 1;
            return;
        }
    }

    private static long at(int k, int i) {
        return RaceLayout.referenceAt(k * PLACES + i);
    }
}
