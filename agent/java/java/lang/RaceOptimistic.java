package java.lang;

import static java.lang.RaceEpoch.TICK;
import static java.lang.RaceEpoch.always;
import static java.lang.RaceEpoch.epoch;
import static java.lang.RaceEpoch.mayTick;
import static java.lang.RaceEpoch.sameThread;
import static java.lang.RaceMemory.U;

import jdk.internal.vm.annotation.Hidden;

/**
 * Optimistic reads of a StampedLock. What a thread reads between the stamp and its validation counts for nothing until then:
 * a stamp that is not valid any more makes the thread throw it away. So such reads are noted, not made. A valid stamp makes
 * them, as they would be under a read lock: after the writers that the validation saw, before the writers to come. One that
 * is not valid drops them; so does taking the lock if the stamp was 0, which is never valid. If nobody ever asks, they are
 * plain reads after all, in the epoch in which they happened.
 *
 * A stamp may be validated again and again, with reads in between. So reads go on being noted behind a valid stamp, but only
 * a few: the next that come are plain ones. Each thread has one of these, which only it touches.
 */
public final class RaceOptimistic {
    private static final int LOCKS = 4, READS = 1024, BEHIND = 64;
    /** Slot of the clock word in a lock's shadow: no field has that offset. */
    private static final int READERS = 0;

    private final Object[] locks = new Object[LOCKS];
    private final boolean[] valid = new boolean[LOCKS];
    private int open;
    /** One of the stamps was 0. */
    private boolean hopeless;

    /* Reads noted: what stood in the write word, for what is written later is no matter of theirs. */
    private int n;
    private final Object[] words = new Object[READS], objects = new Object[READS];
    private final long[] roffs = new long[READS], writes = new long[READS], epochs = new long[READS];
    private final int[] sites = new int[READS], indexes = new int[READS];

    private RaceOptimistic() {}

    // ---- what StampedLock tells ----

    /** tryOptimisticRead. */
    @Hidden
    public static void began(long stamp, Object lock) {
        RaceThread t = always();
        if (t == null) return;
        if (t.optimistic == null) t.optimistic = new RaceOptimistic();
        RaceEpoch.optimistic = true;
        t.optimistic.begin(t, lock, stamp == 0);
    }

    /** First thing in a validation: a writer that comes behind it comes after all that was read. */
    @Hidden
    public static void validating(Object lock) {
        RaceThread t = always();
        if (t == null || !isOpen(t) || t.optimistic.find(lock) < 0) return;
        RaceClocks.release(t, RaceShadow.of(lock).syncBlock(READERS), RaceLayout.LONG_BASE, 0, false);
    }

    @Hidden
    public static void validated(boolean isValid, Object lock) {
        RaceThread t = always();
        if (t != null && t.optimistic != null) t.optimistic.validate(t, lock, isValid);
    }

    /** A stamp was turned into one of another kind, or could not be. */
    @Hidden
    public static void converted(long stamp, Object lock) {
        validated(stamp != 0, lock);
        taken(stamp, lock);
    }

    @Hidden
    public static void convertedToOptimistic(long stamp, Object lock) {
        validated(stamp != 0, lock);
        if (stamp != 0) began(stamp, lock);
    }

    /** The lock was taken, if there is a stamp. */
    @Hidden
    public static void taken(long stamp, Object lock) {
        RaceThread t = always();
        if (t != null && stamp != 0 && isOpen(t)) t.optimistic.leave(t, lock);
    }

    /** The same of the write lock: whoever read before has done so. */
    @Hidden
    public static void takenToWrite(long stamp, Object lock) {
        taken(stamp, lock);
        RaceThread t = always();
        if (t == null || stamp == 0 || !RaceEpoch.optimistic) return;
        RaceClocks.acquireAt(t, RaceShadow.of(lock).syncBlock(READERS), RaceLayout.LONG_BASE);
    }

    // ---- reads ----

    /** Whether a read is only noted for now. */
    static boolean defers(RaceThread t, Object words, Object o, long roff, long woff, int site, int index) {
        return isOpen(t) && t.optimistic.note(t, words, o, roff, woff, site, index);
    }

    static boolean isOpen(RaceThread t) {
        return t.optimistic != null && t.optimistic.open != 0;
    }

    /** The thread ends. */
    static void end(RaceThread t) {
        if (t.optimistic != null) t.optimistic.close(t);
    }

    private boolean note(RaceThread t, Object in, Object o, long roff, long woff, int site, int index) {
        if (isValid() && n >= BEHIND) {
            close(t);
            return false;
        }
        if (n == READS) return true; // more than anybody reads at a time; better none than a false one
        words[n] = in;
        objects[n] = o;
        roffs[n] = roff;
        writes[n] = U.getLong(in, woff);
        epochs[n] = epoch(t);
        sites[n] = site;
        indexes[n++] = index;
        return true;
    }

    // ---- stamps ----

    private void begin(RaceThread t, Object lock, boolean isZero) {
        if (open == LOCKS || isValid() || find(lock) >= 0) close(t);
        hopeless = isZero || hopeless && open != 0;
        valid[open] = false;
        locks[open++] = lock;
        long e = epoch(t);
        if (mayTick(t, e)) U.putLong(t.peer, e + TICK); // what was read before is not read again for nothing
    }

    private void validate(RaceThread t, Object lock, boolean isValid) {
        int i = find(lock);
        if (i < 0) return;
        if (!isValid) {
            forget();
            open = 0;
            return;
        }
        valid[i] = true;
        if (isValid()) make(t);
    }

    private int find(Object lock) {
        for (int i = 0; i < open; i++)
            if (locks[i] == lock) return i;
        return -1;
    }

    /** Whether all that is open was found valid. */
    private boolean isValid() {
        for (int i = 0; i < open; i++)
            if (!valid[i]) return false;
        return open != 0;
    }

    /** The thread has taken the lock. */
    private void leave(RaceThread t, Object lock) {
        if (find(lock) < 0) return;
        if (hopeless) forget();
        close(t);
    }

    private void close(RaceThread t) {
        make(t);
        open = 0;
    }

    /** Makes the reads that were noted. */
    private void make(RaceThread t) {
        int kept = open;
        long now = epoch(t);
        open = 0;
        for (int i = 0; i < n; i++) {
            if (!sameThread(now, epochs[i])) continue;
            U.putLong(t.peer, epochs[i]);
            RaceAccess.readBefore(t, words[i], objects[i], roffs[i], writes[i], sites[i], indexes[i]);
            now = Math.max(now, epoch(t));
        }
        U.putLong(t.peer, now);
        forget();
        open = kept;
    }

    private void forget() {
        for (int i = 0; i < n; i++) words[i] = objects[i] = null;
        n = 0;
    }
}
