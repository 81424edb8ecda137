package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Shadow words of an object that has no room for them: monitors (any object can be one), arrays, containers of the JDK,
 * and fields used through VarHandle or Unsafe that were not declared volatile.
 *
 * All shadows stand in one weak identity table. Look-ups take no lock and may miss an entry while the table grows;
 * {@link #of} then looks again under the lock, which alone inserts. An entry dies with its object and is dropped by one of
 * the next insertions: each looks at a few places of the table. Objects are compared by get(), not refersTo(): only the former is cheap in interpreted code too.
 */
final class RaceShadow extends WeakReference<Object> {
    private static final Unsafe U = Unsafe.getUnsafe();
    /** Place i of the table belongs to stripe i % STRIPES: its lock, how many entries it has, and where to look for dead ones. */
    private static final int STRIPES = 16, LOOKED_AT = 4;
    private static final Object[] LOCKS = newLocks();
    private static RaceShadow[] table = new RaceShadow[1 << 12];
    private static final int[] COUNTS = new int[STRIPES], CURSORS = new int[STRIPES];

    /** The object, if that refers to its shadow by a field of its own: see {@link RaceMonitors} and RaceLocks.ownable. */
    private final Object keeper;
    final int hash;
    private RaceShadow next;

    /**
     * Clock word of the object as a monitor: whoever holds that reads and writes it. Of a VarHandle, and of those who gave back
     * the read lock of a ReentrantReadWriteLock: by compare-and-set.
     */
    long sync;
    /** The checker's number for the object as a lock, 0 before it is first taken. */
    long key;
    /** Words of the object as a container, or of a whole VarHandle whose variable is not known. */
    volatile long write, read;
    /** Words of an array's elements, by chunks, and what threads remember of them; see {@link RaceArrays}. */
    volatile long[][] chunks;
    /** Clock words of array elements and undeclared slots by index, in blocks of 64 made when touched. */
    long[][] syncs;
    /** For a Class: what {@link RaceVars} has worked out about its layout. For a map that is the inside of a set: the class of the set. */
    Object layout;
    /** For a class of the program: what it is to the checker. */
    RaceKind kind;

    private RaceShadow(Object o, int hash, RaceShadow next) {
        super(o);
        keeper = null;
        this.hash = hash;
        this.next = next;
    }

    private RaceShadow(Object keeper) {
        super(null);
        this.keeper = keeper;
        hash = 0;
    }

    /** One that is not in the table: the object itself refers to it. */
    static RaceShadow keptBy(Object o) {
        return new RaceShadow(o);
    }

    @ForceInline
    boolean isKeptBy(Object o) {
        return keeper == o;
    }

    private static Object[] newLocks() {
        Object[] locks = new Object[STRIPES];
        for (int i = 0; i < STRIPES; i++) locks[i] = new Object();
        return locks;
    }

    static RaceShadow of(Object o) {
        int h = System.identityHashCode(o);
        RaceShadow s = find(o, h);
        return s != null ? s : insert(o, h);
    }

    private static RaceShadow find(Object o, int h) {
        RaceShadow[] t = table;
        for (RaceShadow s = t[h & t.length - 1]; s != null; s = s.next)
            if (s.hash == h && s.get() == o) return s;
        return null;
    }

    private static RaceShadow insert(Object o, int h) {
        int stripe = h & STRIPES - 1;
        RaceShadow s;
        boolean isFull;
        synchronized (LOCKS[stripe]) {
            s = find(o, h);
            if (s != null) return s;
            RaceShadow[] t = table;
            int i = h & t.length - 1;
            s = new RaceShadow(o, h, t[i]);
            U.storeFence(); // a reader that sees the entry sees its fields
            t[i] = s;
            COUNTS[stripe]++;
            for (int n = 0; n < LOOKED_AT; n++) dropDead(t, stripe);
            isFull = COUNTS[stripe] > t.length / STRIPES;
        }
        if (isFull) grow(0);
        return s;
    }

    /** Takes dead entries out of the next place of the stripe. */
    private static void dropDead(RaceShadow[] t, int stripe) {
        int i = CURSORS[stripe] + STRIPES & t.length - 1 | stripe;
        CURSORS[stripe] = i;
        RaceShadow last = null;
        for (RaceShadow s = t[i]; s != null; s = s.next) {
            if (!s.refersTo(null)) {
                last = s;
                continue;
            }
            if (last == null) t[i] = s.next;
            else last.next = s.next;
            COUNTS[stripe]--;
        }
    }

    /** Takes every stripe, one recursion each, then drops dead entries and doubles the table if that is not enough. */
    private static void grow(int stripe) {
        if (stripe < STRIPES) {
            synchronized (LOCKS[stripe]) {
                grow(stripe + 1);
            }
            return;
        }
        RaceShadow[] old = table;
        boolean isFull = false;
        for (int i = 0; i < STRIPES; i++) isFull |= COUNTS[i] > old.length / STRIPES;
        if (!isFull) return; // another thread did it
        int live = 0;
        for (int i = 0; i < old.length; i++)
            for (RaceShadow s = old[i]; s != null; s = s.next)
                if (!s.refersTo(null)) live++;
        RaceShadow[] t = new RaceShadow[live > old.length / 2 ? old.length * 2 : old.length];
        for (int i = 0; i < STRIPES; i++) COUNTS[i] = 0;
        for (int i = 0; i < old.length; i++) {
            for (RaceShadow s = old[i], n; s != null; s = n) {
                n = s.next;
                if (s.refersTo(null)) continue;
                int j = s.hash & t.length - 1;
                s.next = t[j];
                t[j] = s;
                COUNTS[j & STRIPES - 1]++;
            }
        }
        U.storeFence();
        table = t;
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

    private synchronized long[] addBlock(int k) {
        long[][] b = syncs;
        if (b == null || k >= b.length) {
            long[][] bigger = new long[Math.max(k + 1, b == null ? 0 : b.length * 2)][];
            for (int i = 0; b != null && i < b.length; i++) bigger[i] = b[i];
            b = bigger;
        }
        if (b[k] == null) b[k] = new long[64];
        U.storeFence();
        syncs = b;
        return b[k];
    }
}
