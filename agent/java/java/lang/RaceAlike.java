package java.lang;

import static java.lang.RaceEpoch.SITE_BITS;
import static java.lang.RaceEpoch.SLOT_SHIFT;
import static java.lang.RaceMemory.U;

/**
 * Tells whether another object of the same class was written by the same thread and code as the one that a read is about: then
 * it is the next of its kind, and was published in its place. See {@link RaceWalk}.
 */
final class RaceAlike {
    /** So many are looked at. */
    private static final int MOST = 64;

    private final long write;
    private final boolean isContainer;
    private final int site, index;
    private int looked;

    /** Of a read at `site` that follows the write; `words` is where those of a container or an element stand. */
    RaceAlike(long write, Object words, int site, int index) {
        this.write = write;
        this.isContainer = words instanceof RaceShadow;
        this.site = site;
        this.index = index;
    }

    boolean isLike(Object o) {
        if (looked++ >= MOST) return false;
        if (isContainer) {
            RaceShadow s = (RaceShadow) RaceEntry.known(o, false);
            return s != null && isSame(s.write);
        }
        if (index >= 0) return hasElement((RaceChunks) RaceEntry.known(o, true));
        long off = RaceSites.second(site);
        return off != 0 && isSame(U.getLong(o, off));
    }

    /** Whatever a chunk is, the words of accesses stand in it, and nothing else looks like one of them. */
    private boolean hasElement(RaceChunks s) {
        long[] chunk = s == null ? null : RaceArrays.chunk(s.chunks, index);
        if (chunk == null) return false;
        for (int i = 0; i < chunk.length; i++)
            if (isSame(chunk[i])) return true;
        return false;
    }

    /** Whether it is of the same thread and site. */
    private boolean isSame(long word) {
        return (word ^ write) >>> SLOT_SHIFT == 0 && (word ^ write) << 64 - SITE_BITS == 0;
    }
}
