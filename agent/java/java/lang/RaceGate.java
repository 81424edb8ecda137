package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Lets one thread at a time through a few instructions of the helper; who is in may come in again.
 *
 * A monitor would not do. Who leaves one wakes the thread that is next, and from Java 24 on that may be a virtual thread, which
 * then waits for a carrier: if all carriers are waiting for that very monitor, nobody goes on. So whoever waits here goes on
 * asking, and soon lets others have the processor.
 *
 *     Thread me = gate.visitor();
 *     try { gate.enter(me); ... } finally { if (gate.owner == me) gate.owner = null; }
 *
 * Leaving is a store and no call, for which there might be no room where the stack ends. Entering stands inside, because
 * Thread.stop may throw anywhere in it.
 */
final class RaceGate {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long OWNER = U.objectFieldOffset(RaceGate.class, "owner");
    private static final int SPINS = 100;

    volatile Thread owner;

    static RaceGate[] some(int n) {
        RaceGate[] gates = new RaceGate[n];
        for (int i = 0; i < n; i++) gates[i] = new RaceGate();
        return gates;
    }

    /** The current thread; null if it is in already. */
    Thread visitor() {
        Thread me = Thread.currentThread();
        return owner == me ? null : me;
    }

    void enter(Thread visitor) {
        if (visitor == null) return;
        for (int n = 0; owner != null || !U.compareAndSetReference(this, OWNER, null, visitor); n++) {
            if (n < SPINS) Thread.onSpinWait();
            else giveWay();
        }
    }

    /** Not Thread.yield(), by which a virtual thread would leave its carrier, nor park(), which takes the program's permit. */
    private static native void giveWay();
}
