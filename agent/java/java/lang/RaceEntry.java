package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What is kept of an object outside of it, in one weak identity table: a {@link RaceShadow}, and for the elements of an array
 * {@link RaceChunks}, which are small, since programs make many arrays.
 *
 * Look-ups take no lock and may miss an entry while the table grows; {@link #of} then looks again behind a gate, where alone
 * entries are inserted. An entry dies with its object and is dropped by one of the next insertions: each looks at a few places of the
 * table. Objects are compared by get(), not refersTo(): only the former is cheap in interpreted code too.
 */
abstract class RaceEntry extends WeakReference<Object> {
    private static final Unsafe U = Unsafe.getUnsafe();
    /** Place i of the table belongs to stripe i % STRIPES: its gate, how many entries it has, and where to look for dead ones. */
    private static final int STRIPES = 16, LOOKED_AT = 4;
    private static final RaceGate[] GATES = RaceGate.some(STRIPES);
    private static RaceEntry[] table = new RaceEntry[1 << 12];
    private static final int[] COUNTS = new int[STRIPES], CURSORS = new int[STRIPES];

    final int hash;
    private RaceEntry next;

    RaceEntry(Object o, int hash, RaceEntry next) {
        super(o);
        this.hash = hash;
        this.next = next;
    }

    @ForceInline
    static RaceEntry of(Object o, boolean ofElements) {
        int h = System.identityHashCode(o);
        RaceEntry s = find(o, h, ofElements);
        return s != null ? s : insert(o, h, ofElements);
    }

    /** What is kept of the object, if anything is. */
    static RaceEntry known(Object o, boolean ofElements) {
        return find(o, System.identityHashCode(o), ofElements);
    }

    @ForceInline
    private static RaceEntry find(Object o, int h, boolean ofElements) {
        RaceEntry[] t = table;
        for (RaceEntry s = t[h & t.length - 1]; s != null; s = s.next)
            if (s.hash == h && s.get() == o && s instanceof RaceChunks == ofElements) return s;
        return null;
    }

    private static RaceEntry insert(Object o, int h, boolean ofElements) {
        int stripe = h & STRIPES - 1;
        RaceGate gate = GATES[stripe];
        RaceEntry s;
        Thread me = gate.visitor();
        boolean isFull;
        try {
            gate.enter(me);
            s = find(o, h, ofElements);
            if (s != null) return s;
            RaceEntry[] t = table;
            int i = h & t.length - 1;
            s = ofElements ? new RaceChunks(o, h, t[i]) : new RaceShadow(o, h, t[i]);
            U.storeFence(); // a reader that sees the entry sees its fields
            t[i] = s;
            COUNTS[stripe]++;
            for (int n = 0; n < LOOKED_AT; n++) dropDead(t, stripe);
            isFull = COUNTS[stripe] > t.length / STRIPES;
        } finally {
            if (gate.owner == me) gate.owner = null;
        }
        if (isFull) grow(0);
        return s;
    }

    /** Takes dead entries out of the next place of the stripe. */
    private static void dropDead(RaceEntry[] t, int stripe) {
        int i = CURSORS[stripe] + STRIPES & t.length - 1 | stripe;
        CURSORS[stripe] = i;
        RaceEntry last = null;
        for (RaceEntry s = t[i]; s != null; s = s.next) {
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
            RaceGate gate = GATES[stripe];
            Thread me = gate.visitor();
            try {
                gate.enter(me);
                grow(stripe + 1);
            } finally {
                if (gate.owner == me) gate.owner = null;
            }
            return;
        }
        RaceEntry[] old = table;
        boolean isFull = false;
        for (int i = 0; i < STRIPES; i++) isFull |= COUNTS[i] > old.length / STRIPES;
        if (!isFull) return; // another thread did it
        int live = 0;
        for (int i = 0; i < old.length; i++)
            for (RaceEntry s = old[i]; s != null; s = s.next)
                if (!s.refersTo(null)) live++;
        RaceEntry[] t = new RaceEntry[live > old.length / 2 ? old.length * 2 : old.length];
        for (int i = 0; i < STRIPES; i++) COUNTS[i] = 0;
        for (int i = 0; i < old.length; i++) {
            for (RaceEntry s = old[i], n; s != null; s = n) {
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
}
