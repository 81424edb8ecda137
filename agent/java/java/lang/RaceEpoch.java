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
 * before native methods are bound, so nothing touches {@link RaceMemory} or {@link RaceSites} until `ready`.
 *
 * When tracking begins. Threads and class initialisers are followed as soon as the VM is ready. Clocks and locks are followed
 * from the first checked access on (`on`): a program of which the plan leaves nothing to check never pays for them. This
 * loses nothing:
 * - Order between two checked accesses A and B is a chain of releases and acquires that begins with a release by A's thread
 *   after A. `on` was set by then, and each thread of the chain sees it set when its hook asks, since the hook of an acquire
 *   asks behind the synchronisation itself, and that of a release behind the acquire or the access before it. A thread that
 *   still sees it unset has no checked access in its past, so that its releases stand for nothing.
 * - Locks that were held when tracking began are not known, but `predicted` needs to know only those that A and B have in
 *   common. If A's thread had taken such a lock before, B can hold it now only if A's thread has given it since: that is
 *   noted when it happens, as is waiting on it (RaceLocks.given, beforeWait). If B's thread took it before, A cannot have
 *   held it.
 */
final class RaceEpoch {
    /** What a method keeps in its local while it does not know the epoch: above the site, no word has these bits. */
    static final long UNKNOWN = -1;
    static final int SITE_BITS = 20, SLOT_SHIFT = 50;
    static final long TICK = 1L << SITE_BITS;

    /* Words of struct ck_thread, by offset from RaceThread.peer; the epoch is the first. */
    static final long LIMIT = 8, MEMBERS = 40, STEPS = 48, LOCKS = 56, COLUMN = 64;
    /* Their sizes, less one. */
    static final long MEMBERS_MASK = 511, STEPS_MASK = 127, ROWS_MASK = 0xffff;

    /** Set by the agent once the VM is initialised, and unset when it ends. */
    static boolean ready;
    /** Whether clocks and locks are followed: since the first checked access. Any thread sets it, only the agent unsets it. */
    static boolean on;
    /** Whether meetings of the plan's pairs are counted; set before `ready`. */
    static boolean evidence;
    /** Whether C wants to know of accesses before they are made, and of each of them; set before `ready`. */
    static boolean watching, watchingAll;
    /** Whether it samples objects (mode discover); set before `ready`. */
    static boolean discovering;
    /** A thread has asked for an optimistic stamp, and no other one need know of it: see {@link RaceOptimistic}. */
    static boolean optimistic;
    /** Classes are loaded that the plan does not know; see RaceBoundary. */
    static boolean strangers;
    /** The plan is not believed any more. */
    static boolean astray;

    /** Calls of method handles may be operations of VarHandles; see RaceClocks. */
    static boolean handles;

    private RaceEpoch() {}

    /**
     * The current thread's state at a checked access; the first one begins the tracking. Null while the VM starts, in the
     * checker's own work, and for threads that ended.
     */
    @ForceInline
    static RaceThread self() {
        return on || begin() ? state() : null;
    }

    /** The same at a synchronisation, which matters to nobody before the first checked access. */
    @ForceInline
    static RaceThread tracked() {
        return on ? state() : null;
    }

    /** The same where a thread or a class initialiser begins or ends: these are always followed. */
    @ForceInline
    static RaceThread always() {
        return ready ? state() : null; // before, there may be no Thread object
    }

    private static boolean begin() {
        if (!ready) return false;
        on = true;
        return true;
    }

    @ForceInline
    private static RaceThread state() {
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
        return (w ^ e) >>> SLOT_SHIFT == 0;
    }

    @ForceInline
    static boolean isSet(long w) {
        return w >>> SLOT_SHIFT == 0x3fff;
    }

    @ForceInline
    static long epoch(RaceThread t) {
        return U.getLong(t.peer);
    }

    @ForceInline
    static boolean sameEpoch(long w, long e) {
        return (w ^ e) >>> SITE_BITS == 0;
    }

    /** Of what {@link #isSet} says are sets, those whose readers each have a word of their own. */
    @ForceInline
    static boolean isRow(long w) {
        return ((int) w & (1 << SITE_BITS) - 1) != 0 && isSet(w);
    }

    /** What C has noted of a set. */
    @ForceInline
    private static long note(RaceThread t, long set) {
        return U.getLong(U.getLong(t.peer + MEMBERS) + ((set >>> SITE_BITS & MEMBERS_MASK) << 3));
    }

    /** Whether the thread's epoch is known to be in a set of reads. */
    @ForceInline
    static boolean isMember(RaceThread t, long set, long e) {
        return note(t, set) == (set << 14 ^ e >>> SITE_BITS);
    }

    /** Whether all reads of a set are known to have happened before the thread's present. */
    @ForceInline
    static boolean isPast(RaceThread t, long set, long e) {
        return note(t, set) == ~(set << 14 ^ e >>> SITE_BITS);
    }

    /** Whether a set of releases has been acquired already. */
    @ForceInline
    static boolean acquiredBefore(RaceThread t, long set) {
        return note(t, set) == set;
    }

    /** Whether the epoch may be moved on here; its last value is C's affair. */
    @ForceInline
    static boolean mayTick(RaceThread t, long e) {
        return Long.compareUnsigned(e, U.getLong(t.peer + LIMIT)) < 0;
    }

    private static native RaceThread attach(Thread thread);
}
