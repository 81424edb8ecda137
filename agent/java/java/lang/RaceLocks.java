package java.lang;

import static java.lang.RaceClocks.acquireLock;
import static java.lang.RaceEpoch.LOCKS;
import static java.lang.RaceEpoch.SITE_BITS;
import static java.lang.RaceEpoch.TICK;
import static java.lang.RaceEpoch.epoch;
import static java.lang.RaceEpoch.mayTick;
import static java.lang.RaceEpoch.tracked;
import static java.lang.RaceMemory.LOCK_SHADOW;
import static java.lang.RaceMemory.U;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * Monitors, waiting on them, and the owners of locks.
 *
 * The stack may end in these hooks. A monitor that were left without its word written would look as if nothing had been done
 * under it, so they go on into the stack that the VM reserves for that, and the error comes behind them.
 */
public final class RaceLocks {
    /* struct ck_thread.locks: how many are held, operations so far, locks held, trail of operations. */
    private static final int HELD_MAX = 32, TRAIL_LENGTH = 64;
    private static final long HELD = 16, TRAIL = HELD + 16 * HELD_MAX;

    private RaceLocks() {}

    /** Before monitorenter: the hash that finds an object in the table is cheap to get, and to make, only while it is not locked. */
    @Hidden
    @DontInline
    public static void preLock(Object o) {
        RaceThread t = tracked();
        if (t != null && o != null && RaceMonitors.offset(t, o.getClass()) < 0) tabled(t, o);
    }

    /** The same one is often taken again and again. */
    private static RaceShadow tabled(RaceThread t, Object o) {
        RaceShadow s = t.pending;
        if (s == null || s.get() != o) t.pending = s = RaceShadow.of(o);
        return s;
    }

    /** After monitorenter, and first thing in a synchronized method. */
    @Hidden
    @DontInline
    @ReservedStackAccess
    public static void lock(Object o, int site) {
        RaceThread t = tracked();
        if (t != null) lock(t, o, site);
    }

    private static void lock(RaceThread t, Object o, int site) {
        RaceShadow s = RaceMonitors.kept(t, o);
        if (s == null) t.push(s = tabled(t, o));
        lock(t, s, o, site);
    }

    /** The same where the class of the object has been asked already what it keeps. */
    @Hidden
    @DontInline
    @ReservedStackAccess
    public static void lock(Object o, Object kept, int site) {
        RaceThread t = tracked();
        if (t == null) return;
        if (RaceMonitors.isKept(kept, o)) lock(t, (RaceShadow) kept, o, site);
        else lock(t, o, site);
    }

    @ForceInline
    private static void lock(RaceThread t, RaceShadow s, Object o, int site) {
        acquireLock(t, s.sync);
        taken(t, s, o, site);
    }

    /** Before monitorexit. */
    @Hidden
    @DontInline
    @ReservedStackAccess
    public static void unlock(Object o, int site) {
        RaceThread t = tracked();
        if (t != null) unlock(t, o, site);
    }

    private static void unlock(RaceThread t, Object o, int site) {
        RaceShadow s = RaceMonitors.kept(t, o);
        if (s == null) s = t.pop(o);
        unlock(t, s, o, site);
    }

    @Hidden
    @DontInline
    @ReservedStackAccess
    public static void unlock(Object o, Object kept, int site) {
        RaceThread t = tracked();
        if (t == null) return;
        if (RaceMonitors.isKept(kept, o)) unlock(t, (RaceShadow) kept, o, site);
        else unlock(t, o, site);
    }

    @ForceInline
    private static void unlock(RaceThread t, RaceShadow s, Object o, int site) {
        given(t, s, o);
        releaseHeld(t, s, site);
    }

    /**
     * The monitor is held, so nobody else changes its word. The thread has acquired what stands there, unless it was stopped
     * on its way (Thread.stop, the end of the stack).
     */
    private static void releaseHeld(RaceThread t, RaceShadow s, int site) {
        acquireLock(t, s.sync);
        long e = epoch(t);
        if (mayTick(t, e)) {
            U.putLong(t.peer, e + TICK);
            s.sync = e | site;
        } else {
            s.sync = RaceClocks.release(t.peer, s.sync, false, site);
        }
    }

    /** Notes a lock as held, for reports, and opens a new epoch, so that all accesses of an epoch hold the same locks. */
    private static void taken(RaceThread t, RaceShadow s, Object o, int site) {
        long key = s.key;
        if (key == 0) s.key = key = newLock(o);
        long locks = U.getLong(t.peer + LOCKS), n = U.getLong(locks), e = epoch(t);
        if (n >= HELD_MAX || !mayTick(t, e)) {
            taken(t.peer, key, site);
            return;
        }
        e += TICK;
        U.putLong(t.peer, e);
        long stamp = (e >>> SITE_BITS & 0x3fffffff) << 32 | site;
        long held = locks + HELD + (n << 4), op = U.getLong(locks + 8);
        U.putLong(held, key);
        U.putLong(held + 8, stamp);
        U.putLong(locks, n + 1);
        long trail = locks + TRAIL + ((op & TRAIL_LENGTH - 1) << 4);
        U.putLong(trail, key);
        U.putLong(trail + 8, stamp);
        U.putLong(locks + 8, op + 1);
    }

    /** A lock that the thread took before tracking began is noted here for the first time, as one that it held until now. */
    private static void given(RaceThread t, RaceShadow s, Object o) {
        long key = s.key;
        if (key == 0) s.key = key = newLock(o);
        long locks = U.getLong(t.peer + LOCKS), n = U.getLong(locks);
        long held = locks + HELD + (n - 1 << 4);
        if (n == 0 || n > HELD_MAX || U.getLong(held) != key) {
            given(t.peer, key);
            return;
        }
        long clock = (epoch(t) >>> SITE_BITS & 0x3fffffff) + 1, op = U.getLong(locks + 8);
        long trail = locks + TRAIL + ((op & TRAIL_LENGTH - 1) << 4);
        U.putLong(trail, key | 1L << 63);
        U.putLong(trail + 8, clock << 32 | U.getLong(held + 8) & 0xffffffffL);
        U.putLong(locks, n - 1);
        U.putLong(locks + 8, op + 1);
    }

    @Hidden
    public static void waitOn(Object o) throws InterruptedException {
        waitOn(o, 0L);
    }

    @Hidden
    public static void waitOn(Object o, long millis, int nanos) throws InterruptedException {
        RaceThread t = tracked();
        RaceShadow s = t == null ? null : beforeWait(t, o);
        try {
            o.wait(millis, nanos);
        } catch (InterruptedException e) {
            RaceThreads.interrupted();
            throw e;
        } finally {
            afterWait(o, s);
        }
    }

    @Hidden
    public static void waitOn(Object o, long millis) throws InterruptedException {
        RaceThread t = tracked();
        RaceShadow s = t == null ? null : beforeWait(t, o);
        try {
            o.wait(millis);
        } catch (InterruptedException e) {
            RaceThreads.interrupted();
            throw e;
        } finally {
            afterWait(o, s);
        }
    }

    /** In Thread.join: only an interrupt makes an order. */
    @Hidden
    public static void waitFor(Object thread, long millis) throws InterruptedException {
        try {
            thread.wait(millis);
        } catch (InterruptedException e) {
            RaceThreads.interrupted();
            throw e;
        }
    }

    /** Without the monitor wait() throws; its word is then not ours to write. */
    private static RaceShadow beforeWait(RaceThread t, Object o) {
        RaceShadow s = RaceMonitors.of(t, o);
        if (!Thread.holdsLock(o)) return s;
        noteHeld(t, s, o);
        releaseHeld(t, s, 0);
        return s;
    }

    /** Tracking may have begun while the thread waited: what others did before they let it go on counts all the same. */
    private static void afterWait(Object o, RaceShadow s) {
        RaceThread t = tracked();
        if (t == null) return;
        if (s == null) {
            s = RaceMonitors.of(t, o);
            if (Thread.holdsLock(o)) noteHeld(t, s, o);
        }
        acquireLock(t, s.sync);
    }

    /** A monitor that the thread took before tracking began, and that others may have had since or will have. */
    private static void noteHeld(RaceThread t, RaceShadow s, Object o) {
        if (s.key == 0) s.key = newLock(o);
        else if (holds(t, s.key)) return;
        if (!s.isKeptBy(o)) t.pushBelow(s);
        held(t.peer, s.key);
    }

    /** Whether the lock is noted as held; those beyond HELD_MAX are not, and a further one is not noted either. */
    private static boolean holds(RaceThread t, long key) {
        long locks = U.getLong(t.peer + LOCKS), n = U.getLong(locks);
        if (n >= HELD_MAX) return true;
        for (long i = 0; i < n; i++)
            if (U.getLong(locks + HELD + (i << 4)) == key) return true;
        return false;
    }

    /** The shadow of an AbstractOwnableSynchronizer as a lock, not as a monitor. */
    @ForceInline
    private static RaceShadow ownable(Object sync) {
        return RaceMonitors.keptAt(sync, LOCK_SHADOW);
    }

    /** Before a step of a read lock, which is not tracked; quietExit comes behind it. Writers come after who `gives` it back. */
    @Hidden
    public static void readerBegins(Object sync, boolean gives) {
        RaceThread t = tracked();
        if (t != null && gives) RaceClocks.release(t, ownable(sync), RaceVars.SYNC, 0, false);
        RaceThreads.quietEnter();
    }

    /**
     * AbstractOwnableSynchronizer.setExclusiveOwnerThread: names held locks; the order comes from the lock's state, and for
     * write locks from the readers before.
     */
    @Hidden
    @DontInline
    public static void owner(Object sync, Thread owner) {
        RaceThread t = tracked();
        if (t == null) return;
        RaceShadow s = ownable(sync);
        if (owner == null) {
            given(t, s, sync);
        } else if (owner == Thread.currentThread()) {
            if (s.sync != 0) RaceClocks.acquire(t, s.sync);
            taken(t, s, sync, 0);
        }
    }

    private static native long newLock(Object lock);
    private static native void taken(long peer, long key, int site);
    private static native void given(long peer, long key);
    private static native void held(long peer, long key);
}
