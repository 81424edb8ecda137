package java.lang;

import static java.lang.RaceMemory.U;

import java.lang.ref.Reference;

/**
 * A walk over references, breadth first, from what was published to an object; see {@link RaceFrozen}. All behind a final
 * field is frozen. An object is visited at most twice: as it was found first, and once more when it is found to be frozen.
 *
 * Keeps nothing alive, initialises no class and ends after MOST objects. Other threads go on changing the references
 * meanwhile, so what the reader holds may have been replaced by the next of its kind: {@link RaceAlike} knows that.
 */
final class RaceWalk {
    private static final int MOST = 20_000;

    private final Object sought;
    private final RaceAlike alike;
    private boolean found, foundFrozen, foundAlike, sawFrozen;

    /* Objects in the order in which they were found, and a table of their places in it, from 1. */
    private Object[] queue = new Object[128];
    private boolean[] frozen = new boolean[128];
    private int[] table = new int[256];
    private int end;

    RaceWalk(Object sought, RaceAlike alike) {
        this.sought = sought;
        this.alike = alike;
    }

    /** How what is sought was found, or something like it; a walk that is cut short means FROZEN if it came by a final field. */
    int run() {
        int next = 0;
        while (next < end && end < MOST && !foundFrozen) {
            Object o = queue[next];
            follow(o, frozen[next++]);
        }
        if (foundFrozen) return RaceFrozen.FROZEN;
        if (found) return RaceFrozen.OPEN;
        return foundAlike || next < end && sawFrozen ? RaceFrozen.FROZEN : RaceFrozen.LOST;
    }

    void add(Object o, boolean isFrozen) {
        if (o == null) return;
        if (o == sought) {
            found = true;
            foundFrozen |= isFrozen;
        } else if (isFrozen) {
            sawFrozen = true;
            if (!foundAlike && o.getClass() == sought.getClass()) foundAlike = alike.isLike(o);
        }
        if (end == queue.length) grow();
        int h = System.identityHashCode(o);
        for (;; h++) {
            int at = table[h & table.length - 1] - 1;
            if (at < 0) break;
            if (queue[at] != o) continue;
            if (frozen[at] || !isFrozen) return;
            break; // found frozen now: once more, in the same place of the table
        }
        queue[end] = o;
        frozen[end++] = isFrozen;
        table[h & table.length - 1] = end;
    }

    private void grow() {
        Object[] q = new Object[2 * end];
        boolean[] f = new boolean[2 * end];
        table = new int[4 * end];
        for (int i = 0; i < end; i++) {
            q[i] = queue[i];
            f[i] = frozen[i];
        }
        queue = q;
        frozen = f;
        for (int i = 0; i < end; i++) {
            int h = System.identityHashCode(q[i]);
            while (table[h & table.length - 1] != 0 && q[table[h & table.length - 1] - 1] != q[i]) h++;
            table[h & table.length - 1] = i + 1; // the later of two is the frozen one
        }
    }

    private void follow(Object o, boolean isFrozen) {
        if (o instanceof Object[]) {
            Object[] a = (Object[]) o;
            for (int i = 0; i < a.length && end < MOST; i++) add(a[i], isFrozen);
        } else if (!isOpaque(o)) {
            long[] links = RaceLinks.of(o.getClass());
            for (int i = 0; i < links.length; i++)
                add(U.getReference(o, links[i] >>> 1), isFrozen || (links[i] & 1) != 0);
        }
    }

    /** Nobody hides what he publishes in these, and much else hangs on them; a weak reference must not be read like this. */
    private static boolean isOpaque(Object o) {
        return o instanceof String || o instanceof Class || o instanceof ClassLoader || o instanceof Thread
                || o instanceof ThreadGroup || o instanceof Module || o instanceof Reference;
    }
}
