package java.lang;

import static java.lang.RaceEpoch.evidence;
import static java.lang.RaceEpoch.self;
import static java.lang.RaceEpoch.tracked;
import static java.lang.RaceMemory.U;

import jdk.internal.vm.annotation.Hidden;

/**
 * Calls to the JDK's unsynchronised collections, builders and formats: each counts as a read or a write of the container as
 * a whole, at the line of the program that made the call. Views, iterators and wrappers lead to their container.
 *
 * The words stand in the shadow of what holds the elements: the map inside a set, for a set, since its iterators know only
 * the map. A synchronized wrapper takes its lock inside the call; the access is then made there.
 */
public final class RaceContainers {
    /* How a call uses its object, as enum cc_use in C. */
    static final int READ = 1, WRITE = 2, GET = 3, ITERATE = 4, FORMAT = 5, FORMAT_DOUBLE = 6;

    static final long READ_WORD = U.objectFieldOffset(RaceShadow.class, "read");
    static final long WRITE_WORD = U.objectFieldOffset(RaceShadow.class, "write");

    /** Some thread has set the value of an entry: before, only a few reads of them are remembered, of which there are many. */
    private static boolean entriesChange;
    private static final int FEW_READS = 10_000;
    private static int entryReads; // in a race some are counted once

    /** Views of views of views: a chain that is longer is not followed. */
    private static final int FAR = 16;

    private RaceContainers() {}

    /** Before a call on c, or one that is given c and uses it at once; c may turn out to be anything. */
    @Hidden
    public static void access(Object c, int use, int site) {
        RaceThread t = self();
        if (t != null && c != null) follow(t, c, use, site);
    }

    /** Before a call that makes the receiver read c: not followed if that happens under a lock of the receiver. */
    @Hidden
    public static void bulk(Object receiver, Object c, int site) {
        RaceThread t = self();
        if (t == null || c == null || receiver == null) return;
        Object at = receiver;
        for (int i = 0; i < FAR && at != null; i++) {
            RaceKind k = RaceKind.of(at.getClass());
            if (k.what == RaceKind.NONE || k.what == RaceKind.WRAPPER) return;
            if (k.what != RaceKind.LINK) {
                follow(t, c, READ, site);
                return;
            }
            at = U.getReference(at, k.link);
        }
    }

    /** In a synchronized wrapper, with its lock held, before it makes the call. */
    @Hidden
    public static void wrapped(Object c, Object wrapper, int use) {
        RaceThread t = tracked(); // access() was here before, or the call is none of the program's
        if (t == null || c == null || t.wrapper != wrapper) return;
        t.wrapper = null;
        follow(t, c, use, t.wrapperSite);
    }

    private static void follow(RaceThread t, Object c, int use, int site) {
        Class<?> set = null;
        for (int i = 0; i < FAR && c != null; i++) {
            RaceKind k = RaceKind.of(c.getClass());
            if (k.what == RaceKind.LINK) {
                if (set == null && k.isSet) set = c.getClass();
            } else if (k.what != RaceKind.WRAPPER) {
                if (k.what != RaceKind.NONE) touch(t, c, k, set, use, site);
                return;
            } else if (use != ITERATE) {
                t.wrapper = c;
                t.wrapperSite = site;
                return;
            }
            c = U.getReference(c, k.link);
        }
    }

    private static void touch(RaceThread t, Object c, RaceKind k, Class<?> set, int use, int site) {
        if (evidence) RaceSites.ranOnce(site);
        if (k.what == RaceKind.ENTRY && !entriesChange) {
            if (use == WRITE) entriesChange = true;
            else if (entryReads < FEW_READS) entryReads++;
            else return;
        }
        RaceShadow s = RaceShadow.of(c);
        if (set != null) s.layout = set;
        Object shown = s.layout == null ? c : s.layout;
        if (use == WRITE || k.changes(c, use)) RaceAccess.write(t, s, shown, READ_WORD, WRITE_WORD, site, -1);
        else RaceAccess.read(t, s, shown, READ_WORD, WRITE_WORD, site, -1);
    }
}
