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
     * What was found for two sites: their numbers, and below them the answer; HANDED if it is about what the publisher had from
     * another thread; for FROZEN, how often it was found, and how often it will be given before it is looked for again. Then only
     * an object that is found without a final field changes it. That two sites race is told once, so it is found out once.
     */
    private static final long[] ANSWERS = new long[1 << 10];
    private static final int STATE_BITS = 24, ANSWER = 22, TIMES = 16, MOST_TIMES = 15;
    private static final long HANDED = 1 << 21, LEFT = (1 << TIMES) - 1;
    static final int UNKNOWN = 0, FROZEN = 1, OPEN = 2, LOST = 3;

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

    /**
     * What a read that is not ordered after the write w found: FROZEN, OPEN if the way there has no final field, or UNKNOWN.
     * `words`: of a container, its shadow.
     */
    static int find(RaceThread t, long w, Object words, Object o, int site, int index) {
        if (newest == null || o instanceof Class) return UNKNOWN; // nobody needs a final field to find a class
        long key = key(w, site), a = ANSWERS[place(key)];
        boolean isKnown = a >>> STATE_BITS == key && a != 0;
        int answer = isKnown ? (int) (a >>> ANSWER) & 3 : UNKNOWN;
        if (isKnown && answer != FROZEN) return answer;
        if (isKnown && (a & LEFT) != 0 && ((a & HANDED) != 0 || isPublished(w))) {
            ANSWERS[place(key)] = a - 1;
        } else {
            int found = look(w, words, o, site, index);
            if (found == LOST && !isKnown) found = UNKNOWN;
            if (found == UNKNOWN || found == OPEN) return found;
            int times = isKnown ? (int) Math.min((a >>> TIMES & 15) + 1, MOST_TIMES) : 0;
            long state = (long) FROZEN << ANSWER | (isPublished(w) ? 0 : HANDED) | (long) times << TIMES | (1 << times) - 1;
            ANSWERS[place(key)] = key << STATE_BITS | state;
        }
        if (evidence && t.showsMeeting(site)) met(t.peer, w, site);
        return FROZEN;
    }

    /** The read was told as a race, or C knows better: it need not be looked for again. */
    static void settle(int answer, long w, int site) {
        long key = key(w, site);
        if (newest != null) ANSWERS[place(key)] = key << STATE_BITS | (long) answer << ANSWER;
    }

    private static long key(long w, int site) {
        return w & SITES | (long) site << SITE_BITS;
    }

    private static int place(long key) {
        return (int) (key * 0x9e3779b97f4a7c15L >>> 54);
    }

    /** LOST: there are publications that it may have come by, but it was not found. */
    private static int look(long w, Object words, Object o, int site, int index) {
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
            return walk == null ? UNKNOWN : walk.run();
        } catch (VirtualMachineError e) {
            return FROZEN; // not known: then it is no race
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
