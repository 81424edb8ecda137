package java.lang;

import jdk.internal.vm.annotation.ForceInline;

/**
 * Shadow words of an object that has no room for them: monitors (any object can be one), containers of the JDK, and fields
 * used through VarHandle or Unsafe that were not declared volatile. Arrays have {@link RaceChunks} for their elements.
 */
final class RaceShadow extends RaceEntry {
    private static final RaceGate GATE = new RaceGate();

    /** The object, if that refers to its shadow by a field of its own: see {@link RaceMonitors} and RaceLocks.ownable. */
    private final Object keeper;

    /**
     * Clock word of the object as a monitor: whoever holds that reads and writes it. Of a VarHandle, and of those who gave back
     * the read lock of a ReentrantReadWriteLock: by compare-and-set.
     */
    long sync;
    /** The checker's number for the object as a lock, 0 before it is first taken. */
    long key;
    /** Words of the object as a container, or of a whole VarHandle whose variable is not known. */
    volatile long write, read;
    /** Clock words of array elements and undeclared slots by index, in blocks of 64 made when touched. */
    long[][] syncs;
    /** For a Class: what {@link RaceVars} has worked out about its layout. For a map that is the inside of a set: the class of the set. */
    Object layout;
    /** For a class of the program: what it is to the checker. */
    RaceKind kind;

    RaceShadow(Object o, int hash, RaceEntry next) {
        super(o, hash, next);
        keeper = null;
    }

    private RaceShadow(Object keeper) {
        super(null, 0, null);
        this.keeper = keeper;
    }

    /** One that is not in the table: the object itself refers to it. */
    static RaceShadow keptBy(Object o) {
        return new RaceShadow(o);
    }

    @ForceInline
    boolean isKeptBy(Object o) {
        return keeper == o;
    }

    static RaceShadow of(Object o) {
        return (RaceShadow) of(o, false);
    }

    long[] syncBlock(int i) {
        long[][] b = syncs;
        int k = i >>> 6;
        if (b != null && k < b.length) {
            long[] words = b[k];
            if (words != null) return words;
        }
        return addBlock(k);
    }

    private long[] addBlock(int k) {
        Thread me = GATE.visitor();
        try {
            GATE.enter(me);
            return addBlockAlone(k);
        } finally {
            if (GATE.owner == me) GATE.owner = null;
        }
    }

    private long[] addBlockAlone(int k) {
        long[][] b = syncs;
        if (b == null || k >= b.length) {
            long[][] bigger = new long[Math.max(k + 1, b == null ? 0 : b.length * 2)][];
            for (int i = 0; b != null && i < b.length; i++) bigger[i] = b[i];
            b = bigger;
        }
        if (b[k] == null) b[k] = new long[64];
        RaceMemory.U.storeFence();
        syncs = b;
        return b[k];
    }
}
