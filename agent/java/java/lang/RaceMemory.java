package java.lang;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import jdk.internal.misc.Unsafe;

/**
 * Unsafe and the places of the fields added to classes that the VM itself knows. Apart from {@link RaceEpoch}, which is
 * initialised at the VM's very first steps: Unsafe must not be, for it would then believe that an address has no bytes.
 */
final class RaceMemory {
    static final Unsafe U = Unsafe.getUnsafe();
    static final long SELF = U.objectFieldOffset(Thread.class, "$race");
    /** Where the thread's epoch stands, for who wants nothing else: set when it is first asked for, 0 again when the thread ends. */
    static final long PEER = U.objectFieldOffset(Thread.class, "$racePeer");
    static final long FINAL = U.objectFieldOffset(Thread.class, "$raceEnd");
    /** Clock word of Thread.interrupted, which interrupt() sets. */
    static final long INTERRUPTED = U.objectFieldOffset(Thread.class, "$v_interrupted");
    /** The {@link RaceShadow} of a lock of java.util.concurrent, once it was looked up. */
    static final long LOCK_SHADOW = U.objectFieldOffset(AbstractOwnableSynchronizer.class, "$race");
    /** The clock words of who changed the number of entries, {@link RaceMaps}. */
    static final long COUNTERS = U.objectFieldOffset(ConcurrentHashMap.class, "$race");

    private RaceMemory() {}
}
