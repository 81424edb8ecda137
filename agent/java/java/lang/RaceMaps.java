package java.lang;

import static java.lang.RaceEpoch.SLOT_SHIFT;
import static java.lang.RaceEpoch.epoch;
import static java.lang.RaceEpoch.tracked;
import static java.lang.RaceMemory.COUNTERS;
import static java.lang.RaceMemory.U;

import jdk.internal.vm.annotation.Hidden;

/**
 * The number of entries of a ConcurrentHashMap. Followed as the atomic counters that it is, it would order threads that put and
 * remove different keys. So who changes it comes after nobody; but who asks for it comes after all who changed it before, as
 * waiting until a map is empty needs.
 *
 * Those who change it release into clock words that hang on the map, each thread into that of its slot, so that words seldom
 * change hands.
 */
public final class RaceMaps {
    private static final int WORDS = 16; // a power of two

    private RaceMaps() {}

    /** Before the number changes. */
    @Hidden
    public static void counting(Object map) {
        RaceThread t = tracked();
        if (t == null) return;
        long[] words = (long[]) U.getReferenceAcquire(map, COUNTERS);
        if (words == null) words = made(map);
        RaceClocks.release(t, words, word((int) (epoch(t) >>> SLOT_SHIFT) & WORDS - 1), 0, false);
    }

    /** After it was looked at. */
    @Hidden
    public static void counted(Object map) {
        RaceThread t = tracked();
        if (t == null) return;
        long[] words = (long[]) U.getReferenceAcquire(map, COUNTERS);
        for (int i = 0; words != null && i < WORDS; i++) RaceClocks.acquireAt(t, words, word(i));
    }

    private static long word(int i) {
        return RaceLayout.LONG_BASE + ((long) i << 3);
    }

    private static long[] made(Object map) {
        U.compareAndSetReference(map, COUNTERS, null, new long[WORDS]);
        return (long[]) U.getReferenceAcquire(map, COUNTERS);
    }
}
