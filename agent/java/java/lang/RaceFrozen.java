package java.lang;

import static java.lang.RaceEpoch.SITE_BITS;
import static java.lang.RaceEpoch.SLOT_SHIFT;
import static java.lang.RaceEpoch.evidence;
import static java.lang.RaceMemory.U;

import java.lang.ref.WeakReference;

/**
 * Reads that are no races because of a final field (JLS 17.5): whoever finds an object by a race sees all the same what its
 * final fields refer to, as that was when the constructor ended, and whatever hangs on it.
 *
 * Only a race can bring this about, so only races are looked at. One that puts a reference where another thread finds it is
 * remembered as a publication: who made it and when, and where. A later read of what the publisher did (or knew of) by then
 * is no race if it is of something that hangs on a final field of what was published: {@link RaceWalk} goes and looks. Nothing
 * is asked of accesses that are no conflicts.
 *
 * When the object was made is not known, only when it was published. What a thread does to it between the two, or behind both in
 * the same epoch, counts as done before: a race with that is missed, none is invented.
 */
final class RaceFrozen extends WeakReference<Object> {
    private static final long SITES = (1L << SITE_BITS) - 1;

    /** By holder, site and thread; the older one of two in the same place is forgotten. Racy by design: an entry never changes. */
    private static final RaceFrozen[] PUBLISHED = new RaceFrozen[1 << 10];
    /** By slot, the clock of its last publication; null before the first of any. */
    private static int[] newest;

    /**
     * What was found for two sites: their numbers, and below them FROZEN or not, HANDED if so by what the publisher had from
     * another thread, how often the answer was given, as a power of two, and how often it will be before it is looked for again.
     * That two sites race is told once only, so it need not be found out twice.
     */
    private static final long[] ANSWERS = new long[1 << 10];
    private static final int STATE_BITS = 24, TIMES = 16, MOST_TIMES = 10;
    private static final long FROZEN = 1 << 23, HANDED = 1 << 22, LEFT = (1 << TIMES) - 1;

    /** Epoch of the publication. */
    private final long word;
    private final int site, index;
    /** What was there when the race was found; null if the publisher was about to put it there. */
    private final WeakReference<Object> value;

    private RaceFrozen(Object holder, Object value, long word, int site, int index) {
        super(holder);
        this.value = value == null ? null : new WeakReference<>(value);
        this.word = word;
        this.site = site;
        this.index = index;
    }

    // ---- publications ----

    /**
     * A race on a variable of the holder (an object, or the class of a static field; an array and an index; a container of the
     * JDK) that holds references; `before`: the write is yet to come. Called from C.
     */
    static void published(Object holder, long word, int site, int index, boolean before) {
        if (index >= 0 && !(holder instanceof Object[])) return;
        Object value = before ? null : valueAt(holder, site, index);
        int i = (System.identityHashCode(holder) + site * 31 + index) * 31 + (int) (word >>> SLOT_SHIFT) & PUBLISHED.length - 1;
        RaceFrozen old = PUBLISHED[i];
        if (old != null && old.is(holder, value, word, site, index)) return;
        RaceFrozen next = new RaceFrozen(holder, value, word, site, index);
        U.storeFence();
        PUBLISHED[i] = next;
        int[] clocks = newest == null ? new int[1 << 64 - SLOT_SHIFT] : newest;
        int slot = (int) (word >>> SLOT_SHIFT);
        clocks[slot] = Math.max(clocks[slot], clock(word));
        U.storeFence();
        newest = clocks;
    }

    private boolean is(Object holder, Object v, long w, int s, int i) {
        return (word ^ w) >>> SITE_BITS == 0 && site == s && index == i && refersTo(holder)
                && (value == null ? v == null : value.refersTo(v));
    }

    private static int clock(long word) {
        return (int) (word >>> SITE_BITS) & 0x3fffffff;
    }

    /** Whether the thread of w has published something since. */
    private static boolean isPublished(long w) {
        return clock(w) <= newest[(int) (w >>> SLOT_SHIFT)];
    }

    /** Whether what was done at w came before this publication. */
    private boolean isAfter(long w) {
        return (w ^ word) >>> SLOT_SHIFT == 0 ? clock(w) <= clock(word) : knew(word, w);
    }

    // ---- reads ----

    /** Whether a read that is not ordered after the write w is no race; `words`: of a container, its shadow. */
    static boolean isFrozen(RaceThread t, long w, Object words, Object o, int site, int index) {
        if (newest == null || o instanceof Class) return false; // nobody needs a final field to find a class
        long key = w & SITES | (long) site << SITE_BITS;
        int i = (int) (key * 0x9e3779b97f4a7c15L >>> 54);
        long a = ANSWERS[i];
        boolean isKnown = a >>> STATE_BITS == key && a != 0;
        if (isKnown && (a & FROZEN) == 0) return false;
        if (isKnown && (a & LEFT) != 0 && ((a & HANDED) != 0 || isPublished(w))) ANSWERS[i] = a - 1;
        else if (!look(w, words, o, site, index, i, key, isKnown ? (int) (a & FROZEN - 1) >>> TIMES & 31 : 0)) return false;
        if (evidence && t.showsMeeting(site)) met(t.peer, w, site);
        return true;
    }

    private static boolean look(long w, Object words, Object o, int site, int index, int i, long key, int times) {
        boolean found = look(w, words, o, site, index);
        long state = 0;
        if (found) {
            state = FROZEN | (isPublished(w) ? 0 : HANDED) | (long) Math.min(times + 1, MOST_TIMES) << TIMES;
            state |= (1 << times) - 1;
        }
        ANSWERS[i] = key << STATE_BITS | state;
        return found;
    }

    private static boolean look(long w, Object words, Object o, int site, int index) {
        try {
            RaceWalk walk = null;
            for (int i = 0; i < PUBLISHED.length; i++) {
                RaceFrozen p = PUBLISHED[i];
                Object holder = p == null ? null : p.get();
                if (holder == null || !p.isAfter(w)) continue;
                if (walk == null) walk = new RaceWalk(o, new RaceAlike(w, words, site, index));
                if (p.value != null) walk.add(p.value.get(), false);
                walk.add(valueAt(holder, p.site, p.index), false);
            }
            return walk != null && walk.findsFrozen();
        } catch (OutOfMemoryError | StackOverflowError e) {
            return true; // not known: then it is no race
        }
    }

    /** What the variable holds that the site accesses; the container itself. */
    private static Object valueAt(Object holder, int site, int index) {
        return index >= 0 ? ((Object[]) holder)[index] : valueOf(holder, site);
    }

    private static native Object valueOf(Object holder, int site);
    /** Whether the thread of the epoch `at` knew of the epoch w then. */
    private static native boolean knew(long at, long w);
    private static native void met(long peer, long w, int site);
}
