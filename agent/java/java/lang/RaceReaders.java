package java.lang;

import static java.lang.RaceArrays.CHUNK;
import static java.lang.RaceArrays.RUNS;
import static java.lang.RaceArrays.WRITES;
import static java.lang.RaceEpoch.SLOT_SHIFT;
import static java.lang.RaceEpoch.covered;
import static java.lang.RaceEpoch.epoch;
import static java.lang.RaceEpoch.sameEpoch;
import static java.lang.RaceEpoch.sameThread;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Chunks that a few threads read in any order ("shared" in include/race/checker.h, "Arrays", and runtime/shared.c): runs of
 * writes, in the place that they have in other chunks, and for each reader a block with a few entries, those of the newest
 * epoch first, and a version. An entry is a word, a stamp and a bit for each element that was read. Only the reader changes its block, as
 * the owner of runs does: see {@link RaceArrays}. The runs of writes change under the lock, but that their owner makes the
 * newest one longer.
 */
final class RaceReaders {
    /* Layout, as enum CK_SHARED_*. */
    private static final int COUNT = RaceArrays.LENGTH, READS = COUNT + 1 + RUNS;
    private static final int READERS = 3, ENTRIES = 3, STAMP = 1, SET = 2;
    /** Words of a set: for arrays of up to SHORT elements, and for all others. */
    private static final int BITS_SHORT = 1, BITS = CHUNK / 64;
    static final int SHORT = 64;
    static final int LENGTH_SHORT = length(BITS_SHORT);
    static final int LENGTH = length(BITS);

    private RaceReaders() {}

    private static int length(int bits) {
        return READS + READERS * (ENTRIES * (SET + bits) + 1) | 1;
    }

    /** Of chunks with runs. */
    @ForceInline
    static boolean isShared(long[] chunk) {
        return chunk.length > RaceArrays.LENGTH;
    }

    /** A copy of what C has made for a chunk with so many elements. */
    static long[] make(long[] from, int elements) {
        long[] chunk = new long[elements > SHORT ? LENGTH : LENGTH_SHORT];
        for (int i = 0; i < chunk.length; i++) chunk[i] = from[i];
        return chunk;
    }

    /** How many elements its sets can have. */
    static int elements(long[] chunk) {
        return bits(chunk) << 6;
    }

    private static int bits(long[] chunk) {
        return chunk.length == LENGTH ? BITS : BITS_SHORT;
    }

    private static int version(int bits) {
        return ENTRIES * (SET + bits);
    }

    /** Where the block begins that has words of this thread, or 0. */
    private static int block(long[] chunk, int bits, long e) {
        int size = version(bits) + 1, n = (int) ((e >>> SLOT_SHIFT) % READERS);
        for (int i = 0; i < READERS; i++) {
            int k = READS + n * size;
            if (chunk[k] != 0 && sameThread(chunk[k], e)) return k;
            n = n + 1 == READERS ? 0 : n + 1;
        }
        return 0;
    }

    /** The same for a thread that has read in this epoch already. */
    static int blockOf(long[] chunk, long e) {
        int k = block(chunk, bits(chunk), e);
        return k != 0 && sameEpoch(chunk[k], e) ? k : 0;
    }

    /**
     * A read of element i by the thread whose block begins at k: whether the newest entry has it, in this epoch, or can take
     * it in. (That an older entry has it, for another site, matters to reports alone: either site is a true one.)
     */
    @ForceInline
    static boolean hasRead(long[] chunk, int i, long e, int site, int k) {
        long begun = chunk[k] ^ e;
        if (begun >>> 20 != 0) return false;
        int at = k + SET + ((i & CHUNK - 1) >>> 6);
        long set = chunk[at], with = set | 1L << i;
        if (set == with) return true;
        if (begun != site) return false;
        chunk[at] = with;
        return true;
    }

    /** The same for the other entries of the epoch. One that is asked for again and again comes to the front. */
    @DontInline
    static boolean hasReadToo(long[] chunk, int i, long e, int site, int k) {
        int size = SET + bits(chunk), end = k + version(size - SET);
        if (!sameEpoch(chunk[k], e)) return false;
        for (int at = k + size; at < end; at += size) {
            if (!sameEpoch(chunk[at], e)) continue;
            int w = at + SET + ((i & CHUNK - 1) >>> 6);
            if ((chunk[w] >>> i & 1) == 0 && chunk[at] != (e | site)) continue;
            chunk[w] |= 1L << i;
            if ((i & 15) == 0) swap(chunk, k, at, size, end);
            return true;
        }
        return false;
    }

    private static void swap(long[] chunk, int k, int at, int size, int version) {
        RaceArrays.beginChange(chunk, version);
        for (int i = 0; i < size; i++) {
            long word = chunk[k + i];
            chunk[k + i] = chunk[at + i];
            chunk[at + i] = word;
        }
        RaceArrays.endChange(chunk, version);
    }

    /** Reads of elements lo, lo + step, ... hi - 1 by a thread that has a block; false: not settled. */
    static boolean sweep(RaceThread t, long[] chunk, int lo, int hi, int step, int site) {
        long e = epoch(t), word = e | site;
        int bits = bits(chunk), k = block(chunk, bits, e), same = 0;
        if (k == 0) return false;
        int from = lo & CHUNK - 1, to = from + hi - lo, end = k + version(bits);
        for (int i = k; i < end; i += SET + bits)
            if (chunk[i] == word) same = i;
        boolean isOnly = same == k && !sameEpoch(chunk[k + SET + bits], e);
        for (int w = from >> 6; w <= to - 1 >> 6; w++) {
            long rest = mask(w, from, to, step);
            for (int i = k; i < end && !isOnly; i += SET + bits)
                if (i != same && sameEpoch(chunk[i], e)) rest &= ~chunk[i + SET + w];
            if (rest == 0) continue;
            if (same == 0) return begin(t, chunk, k, from, to, step, word);
            chunk[same + SET + w] |= rest;
        }
        return true;
    }

    /** Those of the elements from, from + step, ... to - 1 that are in word w of a set. */
    private static long mask(int w, int from, int to, int step) {
        int lo = Math.max(from - (w << 6), 0), hi = Math.min(to - (w << 6), 64);
        long all = -1L << lo & -1L >>> 64 - hi;
        if (step == 1) return all;
        long mask = 0;
        for (int i = lo; i < hi; i++)
            if (RaceArrays.mod((w << 6) + i - from, step) == 0) mask |= 1L << i;
        return mask;
    }

    /**
     * The thread's first reads in an epoch: a new entry, if there is room or the new reads hide an older entry. That writes
     * do, and that an epoch has several sites, is seen in C.
     */
    private static boolean begin(RaceThread t, long[] chunk, int k, int from, int to, int step, long word) {
        int bits = bits(chunk), size = SET + bits, end = k + version(bits), victim = 0;
        if (sameEpoch(chunk[k], word) || !coversWrites(t, chunk)) return false;
        for (int i = k; i < end && victim == 0; i += size)
            if (chunk[i] == 0 || isHidden(chunk, i, k, end, bits, from, to, step)) victim = i;
        if (victim == 0) return false;
        RaceArrays.beginChange(chunk, end);
        for (int i = 0; i < size; i++) chunk[victim + i] = chunk[k + i];
        chunk[k] = word;
        chunk[k + STAMP] = chunk[COUNT];
        for (int w = 0; w < bits; w++) chunk[k + SET + w] = to > w << 6 && from < w + 1 << 6 ? mask(w, from, to, step) : 0;
        RaceArrays.endChange(chunk, end);
        return true;
    }

    /** Whether newer reads of the thread have all elements of entry i. */
    private static boolean isHidden(long[] chunk, int i, int k, int end, int bits, int from, int to, int step) {
        for (int w = 0; w < bits; w++) {
            long rest = chunk[i + SET + w];
            if (rest == 0) continue;
            if (to > w << 6 && from < w + 1 << 6) rest &= ~mask(w, from, to, step);
            for (int other = k; other < end; other += SET + bits)
                if (chunk[other] >>> 20 > chunk[i] >>> 20) rest &= ~chunk[other + SET + w];
            if (rest != 0) return false;
        }
        return true;
    }

    /** A thread that takes over the slot of another has its block, but may not know what that one knew. */
    private static boolean coversWrites(RaceThread t, long[] chunk) {
        for (int k = WRITES; k < WRITES + 2 * RUNS && chunk[k] != 0; k += 2)
            if (!covered(t, chunk[k])) return false;
        return true;
    }

    /** The chunk as it is between two changes of any of its readers. */
    static long[] snapshot(long[] chunk, long[] copy) {
        int bits = bits(chunk);
        for (int k = 0; k < READS; k++) copy[k] = chunk[k];
        for (int k = READS; k + version(bits) < chunk.length; k += version(bits) + 1)
            RaceArrays.snapshot(chunk, k, k + version(bits), copy);
        return copy;
    }

    /** Stores what has changed: this thread's block, or the runs of writes. */
    static void store(RaceThread t, long[] chunk, long[] from, int kind) {
        if (kind == 1) {
            for (int i = WRITES; i < READS; i++) chunk[i] = from[i];
            return;
        }
        int bits = bits(chunk), k = block(from, bits, epoch(t)), end = k + version(bits);
        RaceArrays.beginChange(chunk, end);
        for (int i = k; i < end; i++) chunk[i] = from[i];
        RaceArrays.endChange(chunk, end);
    }

    /** Another chunk is in its place: whoever is still at work in it sees that it is over. */
    static void end(long[] chunk) {
        for (int i = WRITES; i < WRITES + 2 * RUNS; i += 2) chunk[i] = 0;
        int size = version(bits(chunk)) + 1;
        for (int k = READS; k + size <= chunk.length; k += size) chunk[k] = 0;
    }
}
