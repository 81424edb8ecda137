package java.lang;

import static java.lang.RaceMemory.SELF;
import static java.lang.RaceMemory.U;

import jdk.internal.vm.annotation.ForceInline;

/**
 * Epoch words, the thread that runs, and what it knows: what all hooks begin with.
 *
 * Words (see include/race/checker.h): an epoch is slot << 50 | clock << 20 | site, compared unsigned; slot 0x3FFF marks an
 * interned set that only C understands; 0 is "never".
 *
 * Ground rules for this class and for all whose methods rewritten bytecode calls: no allocation, no lock and no native call
 * on the path of a covered access; no lambda, no string concatenation and nothing of java.util, because these methods run
 * inside the classes that implement them. The first calls come before the VM has told Unsafe the size of an address and
 * before native methods are bound, so nothing touches {@link RaceMemory} or {@link RaceSites} until `on`.
 */
final class RaceEpoch {
    /** What a method keeps in its local while it does not know the epoch: above the site, no word has these bits. */
    static final long UNKNOWN = -1;
    static final int SITE_BITS = 20;
    static final long TICK = 1L << SITE_BITS;

    /* Words of struct ck_thread, by offset from RaceThread.peer; the epoch is the first. */
    static final long LIMIT = 8, MEMBERS = 40, STEPS = 48, LOCKS = 56;

    /** Set by the agent once the VM is initialised; until then nothing is tracked. */
    static boolean on;
    /** Whether meetings of the plan's pairs are counted; set together with `on`. */
    static boolean evidence;
    /** Whether C wants to know of accesses before they are made; set together with `on`. */
    static boolean watching;

    private RaceEpoch() {}

    /** The current thread's state, or null while the VM starts, in the checker's own work, and for threads that ended. */
    @ForceInline
    static RaceThread self() {
        if (!on) return null; // the VM starts or ends; there may be no Thread object yet
        RaceThread t = (RaceThread) U.getReference(Thread.currentThread(), SELF);
        if (t == null) return attach(Thread.currentThread());
        return t.busy == 0 ? t : null;
    }

    /** Whether everything that stands in an epoch word happened before the thread's present. */
    @ForceInline
    static boolean covered(RaceThread t, long w) {
        return inPast(t.table, w);
    }

    /** 0 always is, the thread's own epochs always are, a set never is. */
    @ForceInline
    static boolean inPast(long table, long w) {
        long page = U.getLong(table + (w >>> 56 << 3));
        return ((int) (w >>> SITE_BITS) & 0x3fffffff) <= U.getInt(page + (w >>> 48 & 0xfc));
    }

    /**
     * An older epoch of the same slot is in the thread's past, and its word may be replaced without compare-and-set: what
     * another thread put there in that instant is lost, but that thread has seen the older epoch.
     */
    @ForceInline
    static boolean sameThread(long w, long e) {
        return (w ^ e) >>> 50 == 0;
    }

    @ForceInline
    static boolean isSet(long w) {
        return w >>> 50 == 0x3fff;
    }

    @ForceInline
    static long epoch(RaceThread t) {
        return U.getLong(t.peer);
    }

    @ForceInline
    static boolean sameEpoch(long w, long e) {
        return (w ^ e) >>> SITE_BITS == 0;
    }

    /** Whether the thread's epoch is known to be in a set of reads. */
    @ForceInline
    static boolean isMember(RaceThread t, long set, long e) {
        return U.getLong(U.getLong(t.peer + MEMBERS) + ((set >>> SITE_BITS & 63) << 3)) == (set << 14 ^ e >>> SITE_BITS);
    }

    /** Whether a set of releases has been acquired already. */
    @ForceInline
    static boolean acquiredBefore(RaceThread t, long set) {
        return U.getLong(U.getLong(t.peer + MEMBERS) + ((set >>> SITE_BITS & 63) << 3)) == set;
    }

    /** Whether the epoch may be moved on here; its last value is C's affair. */
    @ForceInline
    static boolean mayTick(RaceThread t, long e) {
        return Long.compareUnsigned(e, U.getLong(t.peer + LIMIT)) < 0;
    }

    private static native RaceThread attach(Thread thread);
}
