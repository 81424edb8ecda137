package java.lang;

import static java.lang.RaceClocks.BY_JOIN;
import static java.lang.RaceEpoch.always;
import static java.lang.RaceEpoch.inPast;
import static java.lang.RaceEpoch.ready;
import static java.lang.RaceMemory.FINAL;
import static java.lang.RaceMemory.INTERRUPTED;
import static java.lang.RaceMemory.PEER;
import static java.lang.RaceMemory.SELF;
import static java.lang.RaceMemory.U;

import jdk.internal.vm.annotation.Hidden;

/** Starts, ends and interrupts of threads, and class initialisers, which run in whichever thread comes first. */
public final class RaceThreads {
    private RaceThreads() {}

    /** Thread.start, before the new thread can run. */
    @Hidden
    public static void threadStart(Thread child) {
        RaceThread t = always();
        if (t == null) return;
        t.busy++;
        try {
            U.putReference(child, SELF, start(t.peer, child));
        } finally {
            t.busy--;
        }
    }

    /** Thread.exit, the last Java code of a platform thread. */
    @Hidden
    public static void threadExit() {
        threadEnded(Thread.currentThread());
    }

    /**
     * What the thread did is in the past of whoever sees it dead. A virtual thread is buried by its carrier, which makes
     * its death known and therefore takes over its past.
     */
    @Hidden
    public static void threadEnded(Thread dead) {
        if (!ready) return;
        RaceThread t = (RaceThread) U.getReference(dead, SELF);
        if (t == null || t.busy != 0) return;
        if (RaceEpoch.optimistic) RaceOptimistic.end(t);
        t.busy = 1 << 30; // nothing is tracked from here on
        U.putLong(dead, PEER, 0);
        U.putLongVolatile(dead, FINAL, end(t.peer, dead.isDaemon()));
        if (dead != Thread.currentThread()) RaceClocks.acquire(U.getLongVolatile(dead, FINAL));
    }

    /** Thread.isAlive has found the thread dead. */
    @Hidden
    public static void seenDead(Thread target) {
        RaceThread t = always();
        if (t == null) return;
        long word = U.getLongVolatile(target, FINAL);
        if (!inPast(t.hardTable, word)) RaceClocks.acquire(t.peer, word, BY_JOIN);
    }

    /** Thread.getState: whoever is told that the thread has terminated comes after all it did, as with isAlive. */
    @Hidden
    public static void seenState(Thread.State state, Thread target) {
        if (state == Thread.State.TERMINATED) seenDead(target);
    }

    /** Shutdown.shutdown, which the VM calls once all threads but daemons have ended: its hooks come after them. */
    @Hidden
    public static void shutdown() {
        RaceThread t = always();
        if (t != null) acquireAwaited(t.peer);
    }

    @Hidden
    public static void sleep(long millis) throws InterruptedException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            interrupted();
            throw e;
        }
    }

    @Hidden
    public static void sleep(long millis, int nanos) throws InterruptedException {
        try {
            Thread.sleep(millis, nanos);
        } catch (InterruptedException e) {
            interrupted();
            throw e;
        }
    }

    /** An InterruptedException shows that interrupt() was called, without a look at the flag. */
    static void interrupted() {
        if (!ready) return;
        RaceClocks.acquire(U.getLongVolatile(Thread.currentThread(), INTERRUPTED));
    }

    // ---- class initialisation ----

    /** What a class initialiser writes is ordered before every use of the class; C keeps the spans of epochs. */
    @Hidden
    public static void clinitEnter() {
        RaceThread t = always();
        if (t == null) return;
        clinit(t.peer, true);
    }

    @Hidden
    public static void clinitExit() {
        RaceThread t = always();
        if (t == null) return;
        clinit(t.peer, false);
    }

    // ---- class loading and linking ----

    /** Nothing is tracked until quietExit: the JDK works for the VM, and its locks are no order to rely on. */
    @Hidden
    public static void quietEnter() {
        if (!ready) return;
        always(); // so that the thread has its state
        RaceThread t = (RaceThread) U.getReference(Thread.currentThread(), SELF);
        if (t == null) return;
        t.quiet++;
        t.busy++;
    }

    /** The matching entry may have come before anything was tracked. */
    @Hidden
    public static void quietExit() {
        if (!ready) return;
        RaceThread t = (RaceThread) U.getReference(Thread.currentThread(), SELF);
        if (t == null || t.quiet == 0) return;
        t.quiet--;
        t.busy--;
    }

    private static native RaceThread start(long parent, Thread child);
    private static native long end(long peer, boolean daemon);
    private static native void acquireAwaited(long peer);
    private static native void clinit(long peer, boolean enter);
}
