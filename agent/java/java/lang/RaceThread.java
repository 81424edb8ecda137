package java.lang;

import jdk.internal.vm.annotation.ForceInline;

/**
 * What the checker knows of one thread, reached from a field added to {@link Thread}.
 *
 * Touched only by the thread it belongs to, except that the thread's starter fills it in before the start.
 */
final class RaceThread {
    /** The native struct ck_thread; its first words (epoch, limit of the clock) are read and written from Java too. */
    final long peer;
    /** Page table of the thread's vector clock, and of the one that leaves out edges made by locks alone. */
    final long table, hardTable;
    /** Depth of hooks that must not be checked themselves (reports, table growth). */
    int busy;
    /** How many of these are methods of the JDK that load or link classes. */
    int quiet;

    /** The shadows that it last looked up: of a monitor in the table (or one about to be taken), of elements or slots. */
    RaceShadow pending, slots;
    /** The shadow of the array that it last found at each site (by its low bits). */
    private final RaceChunks[] arrays = new RaceChunks[ARRAYS];
    private static final int ARRAYS = 64;
    /** The hash of the array that was last looked for there in vain. */
    private final int[] missed = new int[ARRAYS];
    /** What it last swept of that array at the site: the epoch and the site, then first | end << 32. */
    private final long[] swept = new long[2 * ARRAYS];

    /** Room for the elements of an array that are still to be checked. */
    final int[] left = new int[32];

    /** Room for the runs of an array, before (with one owner, with several readers) and after a change. */
    long[][] runs;

    /**
     * Shadows of the monitors it holds that stand in the table, innermost last, so that leaving one needs no look-up; above
     * `depth` those that it held before.
     */
    private RaceShadow[] held = new RaceShadow[8];
    private int depth;

    /** The synchronized wrapper that this thread has called, and where: see {@link RaceContainers}. */
    Object wrapper;
    int wrapperSite;

    /** Reads that wait for their stamp; null if there never was one. */
    RaceOptimistic optimistic;

    /**
     * For each site (by its low bits) how often this thread passes it with a new access, or after another thread's, before C is
     * told again; behind these, how often it will have come by then.
     */
    private int[] visits = NONE, meetings = NONE;
    private static final int SITES = 256, ENOUGH = 1 << 30;
    private static final int[] NONE = new int[SITES]; // never written

    /** Whether C should be told that the thread is about to access something at the site. */
    @ForceInline
    boolean showsVisit(int site) {
        int i = site & SITES - 1, left = visits[i];
        if (left == 0) return isVisitDue(i);
        visits[i] = left - 1;
        return false;
    }

    /** Whether C should be told that the thread met another's access there. */
    @ForceInline
    boolean showsMeeting(int site) {
        int i = site & SITES - 1, left = meetings[i];
        if (left == 0) return isMeetingDue(i);
        meetings[i] = left - 1;
        return false;
    }

    private boolean isVisitDue(int i) {
        if (visits == NONE) visits = new int[2 * SITES];
        return startOver(visits, i, 1024, 1024);
    }

    private boolean isMeetingDue(int i) {
        if (meetings == NONE) meetings = new int[2 * SITES];
        return startOver(meetings, i, 64, 4096);
    }

    /**
     * Tells all of the first `all`, then one of two, one of four, ... down to one of `rarest` (powers of two). Most that can be
     * seen at a site is seen early, and telling costs a hundred times what the check does.
     */
    private static boolean startOver(int[] counts, int i, int all, int rarest) {
        int n = counts[SITES + i], step = n < all ? 1 : Math.min(Integer.highestOneBit(n) / all, rarest);
        counts[i] = step - 1;
        counts[SITES + i] = Math.min(n + step, ENOUGH);
        return true;
    }

    /** A site mostly sees the same array again; the table of all shadows costs a hash and two misses of the cache. */
    @ForceInline
    RaceChunks shadow(Object array, int site) {
        RaceChunks s = arrays[site & ARRAYS - 1];
        return s != null && s.get() == array ? s : find(array, site);
    }

    /** Remembered if it is looked for twice in a row: there are sites that see another one each time, and storing a reference is dear. */
    private RaceChunks find(Object array, int site) {
        RaceChunks s = RaceChunks.of(array);
        int i = site & ARRAYS - 1;
        swept[i << 1] = 0;
        arrays[i] = missed[i] == s.hash ? s : null; // no other: what was swept is known of the last one only
        missed[i] = s.hash;
        return s;
    }

    /** Whether the site has swept these elements of the array that shadow() found before, in the epoch of the word. */
    @ForceInline
    boolean hasSwept(long word, int site, int first, int end) {
        int k = (site & ARRAYS - 1) << 1;
        return swept[k] == word && first >= (int) swept[k + 1] && end <= (int) (swept[k + 1] >>> 32);
    }

    @ForceInline
    void noteSwept(long word, int site, int first, int end) {
        int k = (site & ARRAYS - 1) << 1;
        swept[k] = word;
        swept[k + 1] = (long) end << 32 | first;
    }

    /** Storing a reference costs a fence under most collectors, so what stands there already is left alone. */
    void push(RaceShadow s) {
        if (depth == held.length) {
            RaceShadow[] more = new RaceShadow[2 * depth];
            for (int i = 0; i < depth; i++) more[i] = held[i];
            held = more;
        }
        if (held[depth] != s) held[depth] = s;
        depth++;
    }

    /** Notes a monitor that was taken before all that are noted. */
    void pushBelow(RaceShadow s) {
        push(s);
        for (int i = depth - 1; i > 0; i--) held[i] = held[i - 1];
        held[0] = s;
    }

    /** The shadow of a monitor that is being left: the innermost one held, unless monitors do not nest as they should. */
    RaceShadow pop(Object o) {
        if (depth > 0 && held[depth - 1].get() == o) return held[--depth];
        depth = 0; // taken before this thread was tracked, or unbalanced: look each up from here on
        return RaceShadow.of(o);
    }

    RaceThread(long peer, long table, long hardTable) {
        this.peer = peer;
        this.table = table;
        this.hardTable = hardTable;
    }
}
