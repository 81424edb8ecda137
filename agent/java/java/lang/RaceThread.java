package java.lang;

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

    /** The shadow of the object whose monitor this thread is about to take. */
    RaceShadow pending;
    /** Shadows of the monitors it holds, innermost last, so that leaving one needs no look-up. */
    private RaceShadow[] held = new RaceShadow[8];
    private int depth;

    /** The synchronized wrapper that this thread has called, and where: see {@link RaceContainers}. */
    Object wrapper;
    int wrapperSite;

    /** Meetings of the plan's pairs beyond the first ones of each site, and those first ones by the site's low bits. */
    int meetings;
    private short[] firstMeetings;

    /** Whether the site has had its first `limit` meetings in this thread; counts this one if not. */
    boolean meetsOften(int site, int limit) {
        short[] first = firstMeetings;
        if (first == null) firstMeetings = first = new short[1024];
        int i = site & 1023;
        if (first[i] >= limit) return true;
        first[i]++;
        return false;
    }

    void push(RaceShadow s) {
        if (depth == held.length) {
            RaceShadow[] more = new RaceShadow[2 * depth];
            for (int i = 0; i < depth; i++) more[i] = held[i];
            held = more;
        }
        held[depth++] = s;
    }

    boolean holds(RaceShadow s) {
        for (int i = depth; i-- > 0; )
            if (held[i] == s) return true;
        return false;
    }

    /** Notes a monitor that was taken before all that are noted. */
    void pushBelow(RaceShadow s) {
        push(s);
        for (int i = depth - 1; i > 0; i--) held[i] = held[i - 1];
        held[0] = s;
    }

    /** The shadow of a monitor that is being left: the innermost one held, unless monitors do not nest as they should. */
    RaceShadow pop(Object o) {
        if (depth > 0 && held[depth - 1].get() == o) {
            RaceShadow s = held[--depth];
            held[depth] = null;
            return s;
        }
        depth = 0; // taken before this thread was tracked, or unbalanced: look each up from here on
        return RaceShadow.of(o);
    }

    RaceThread(long peer, long table, long hardTable) {
        this.peer = peer;
        this.table = table;
        this.hardTable = hardTable;
    }
}
