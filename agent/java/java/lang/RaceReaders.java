package java.lang;

import static java.lang.RaceArrays.RUNS;
import static java.lang.RaceArrays.WORDS;
import static java.lang.RaceEpoch.covered;
import static java.lang.RaceEpoch.epoch;
import static java.lang.RaceEpoch.sameEpoch;
import static java.lang.RaceEpoch.sameThread;
import static java.lang.RaceMemory.U;

import jdk.internal.vm.annotation.ForceInline;

/**
 * Chunks that a few threads read and nobody writes any more ("shared" in include/race/checker.h, "Arrays"): runs of writes,
 * which stay as they are, and for each reader a block with runs of its reads and a version. Only the reader changes its
 * block, as the owner of runs does: see {@link RaceArrays}.
 */
final class RaceReaders {
    /* Layout, as enum CK_SHARED_*. */
    private static final int WRITES = WORDS + 2, READS = WRITES + 2 * RUNS, VERSION = 2 * RUNS, BLOCK = VERSION + 1;
    private static final int READERS = 3;
    static final int LENGTH = READS + READERS * BLOCK + 1;

    private RaceReaders() {}

    @ForceInline
    static boolean isShared(long[] chunk) {
        return chunk.length == LENGTH;
    }

    /** Where the block begins that has words of this thread, or 0. */
    private static int block(long[] chunk, long e) {
        for (int k = READS; k + 1 < LENGTH; k += BLOCK)
            if (chunk[k] != 0 && sameThread(chunk[k], e)) return k;
        return 0;
    }

    /** The same for a thread that has read in this epoch already. */
    static int blockOf(long[] chunk, long e) {
        int k = block(chunk, e);
        return k != 0 && sameEpoch(chunk[k], e) ? k : 0;
    }

    /** Reads of elements lo, lo + step, ... hi - 1 by a thread that has a block; false: not settled. */
    static boolean sweep(RaceThread t, long[] chunk, int lo, int hi, int step, int site) {
        long e = epoch(t);
        int k = block(chunk, e);
        if (k == 0 || !sameEpoch(chunk[k], e) && !coversWrites(t, chunk)) return false;
        return RaceArrays.add(t, chunk, k, k + VERSION, lo, hi, step, site);
    }

    /** A thread that takes over the slot of another has its block, but may not know what that one knew. */
    private static boolean coversWrites(RaceThread t, long[] chunk) {
        for (int k = WRITES; k < READS && chunk[k] != 0; k += 2)
            if (!covered(t, chunk[k])) return false;
        return true;
    }

    /** The chunk as it is between two changes of any of its readers. */
    static void snapshot(long[] chunk, long[] copy) {
        for (int k = 0; k < READS; k++) copy[k] = chunk[k];
        for (int k = READS; k + 1 < LENGTH; k += BLOCK) RaceArrays.snapshot(chunk, k, k + VERSION, copy);
    }

    /** Stores this thread's block of `from`. */
    static void store(RaceThread t, long[] chunk, long[] from) {
        int k = block(from, epoch(t));
        RaceArrays.beginChange(chunk, k + VERSION);
        for (int i = k; i < k + VERSION; i++) chunk[i] = from[i];
        RaceArrays.endChange(chunk, k + VERSION);
    }

    /** Another chunk is in its place: whoever is still in a run sees that it is over. */
    static void end(long[] chunk) {
        for (int k = READS; k + 1 < LENGTH; k += BLOCK) chunk[k] = 0;
    }
}
