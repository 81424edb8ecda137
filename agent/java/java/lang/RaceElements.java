package java.lang;

import static java.lang.RaceAccess.READ;
import static java.lang.RaceAccess.WRITE;
import static java.lang.RaceEpoch.UNKNOWN;
import static java.lang.RaceEpoch.epoch;
import static java.lang.RaceEpoch.evidence;
import static java.lang.RaceEpoch.isMember;
import static java.lang.RaceEpoch.isSet;
import static java.lang.RaceEpoch.optimistic;
import static java.lang.RaceEpoch.sameEpoch;
import static java.lang.RaceEpoch.sameThread;
import static java.lang.RaceEpoch.self;
import static java.lang.RaceEpoch.watching;
import static java.lang.RaceMemory.U;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Accesses of array elements, one by one and in ranges; {@link RaceArrays} keeps their words.
 *
 * What is not the inline part of a check is not inlined either: a method of the program has many checks, and with a copy of
 * all this for each the compiler would take seconds for it, while the program runs in unoptimised code.
 */
public final class RaceElements {
    private RaceElements() {}

    @Hidden
    @DontInline
    public static long readArray(Object a, int i, int site) {
        RaceThread t = self();
        if (t == null || a == null) return UNKNOWN;
        return element(t, a, i, site, READ);
    }

    @Hidden
    @DontInline
    public static long writeArray(Object a, int i, int site) {
        RaceThread t = self();
        if (t == null || a == null) return UNKNOWN;
        return element(t, a, i, site, WRITE);
    }

    /**
     * The inline part of an array check: whether the chunks that the method found the last time, for the same array, say
     * that the element was accessed before in this epoch, or is the next one of a run; or what the thread remembers of the
     * array does, if it is one that others read too.
     */
    @Hidden
    @ForceInline
    public static boolean isRead(long[][] chunks, int i, long e, long[] seen, int site) {
        long[] chunk = RaceArrays.chunk(chunks, i);
        if (chunk == null) return false;
        int k = (i & RaceArrays.CHUNK - 1) << 1;
        if (RaceArrays.isElements(chunk))
            return k < chunk.length && (sameEpoch(chunk[k], e) || seen != null && RaceSeen.hasSet(seen, chunk[k], e));
        if (RaceReaders.isShared(chunk)) {
            int at = seen == null ? 0 : RaceSeen.block(seen);
            return at != 0 && (RaceReaders.hasRead(chunk, i, e, site, at) || RaceReaders.hasReadToo(chunk, i, e, site, at));
        }
        return RaceArrays.extendsRun(chunk, e, i, site, RaceArrays.READS);
    }

    /** The same for an index that comes from anywhere, so that the words of the element are likely to be far away. */
    @Hidden
    @ForceInline
    public static boolean isReadAnywhere(long[][] chunks, int i, long e, long[] seen, int site) {
        return seen != null && RaceSeen.has(seen, i, e) || isReadFirst(chunks, i, e, seen, site);
    }

    @DontInline
    private static boolean isReadFirst(long[][] chunks, int i, long e, long[] seen, int site) {
        if (!isRead(chunks, i, e, seen, site)) return false;
        if (seen != null) RaceSeen.mark(seen, i, e);
        return true;
    }

    @Hidden
    @ForceInline
    public static boolean isWritten(long[][] chunks, int i, long e, int site) {
        long[] chunk = RaceArrays.chunk(chunks, i);
        if (chunk == null) return false;
        int k = ((i & RaceArrays.CHUNK - 1) << 1) + 1;
        if (!RaceArrays.isElements(chunk)) return RaceArrays.extendsRun(chunk, e, i, site, RaceArrays.WRITES);
        return k < chunk.length && sameEpoch(chunk[k], e);
    }

    /** The rest of it; returns the chunks for the next time. `last` is the array that `chunks` belong to. */
    @Hidden
    @DontInline
    public static long[][] readElement(Object a, int i, Object last, long[][] chunks, long e, int site) {
        if (a == last && e != UNKNOWN && !optimistic && isKnown(chunks, i, a, e, site, READ)) return chunks;
        return slowElement(a, i, site, READ);
    }

    @Hidden
    @DontInline
    public static long[][] writeElement(Object a, int i, Object last, long[][] chunks, long e, int site) {
        if (a == last && e != UNKNOWN && isKnown(chunks, i, a, e, site, WRITE)) return chunks;
        return slowElement(a, i, site, WRITE);
    }

    /** Checks an element that has words in these chunks of the array; false if it has none. */
    @ForceInline
    private static boolean isKnown(long[][] chunks, int i, Object a, long e, int site, int kind) {
        long[] chunk = RaceArrays.chunk(chunks, i);
        if (chunk == null || !RaceArrays.isElements(chunk) || (i & RaceArrays.CHUNK - 1) << 1 >= chunk.length) return false;
        if (isOwnElement(chunk, i, e, site, kind)) return true;
        RaceThread t = self();
        if (t == null) return false;
        if (evidence) RaceSites.ranOnce(site);
        element(t, chunk, a, i, site, kind);
        return true;
    }

    private static long[][] slowElement(Object a, int i, int site, int kind) {
        RaceThread t = self();
        if (t == null || a == null) return null;
        RaceChunks s = t.shadow(a, site);
        long[][] chunks = s.chunks;
        if (!evidence && isDone(t, RaceArrays.chunk(chunks, i), i, site, kind)) return chunks;
        element(t, s, a, i, site, kind);
        return s.chunks;
    }

    /** An element that has words, and was accessed before in this epoch, or by this thread alone. */
    @ForceInline
    private static boolean isDone(RaceThread t, long[] chunk, int i, int site, int kind) {
        int k = (i & RaceArrays.CHUNK - 1) << 1;
        if (chunk == null || !RaceArrays.isElements(chunk) || k >= chunk.length) return false;
        long word = chunk[k + kind], e = epoch(t);
        if (sameEpoch(word, e)) return true;
        if (kind == READ && isSet(word)) return RaceAccess.hasRead(t, word, e);
        return !watching && !(optimistic && kind == READ) && isOwnElement(chunk, i, e, site, kind);
    }

    /** An element that only this thread has used, in a new epoch. */
    @ForceInline
    private static boolean isOwnElement(long[] words, int i, long e, int site, int kind) {
        int k = (i & RaceArrays.CHUNK - 1) << 1;
        if (k >= words.length) return false;
        long r = words[k], w = words[k + 1];
        if ((kind == READ ? r : w) == 0 || r != 0 && !sameThread(r, e) || w != 0 && !sameThread(w, e)) return false;
        words[kind == READ ? k : k + 1] = e | site;
        return true;
    }

    private static long element(RaceThread t, Object a, int i, int site, int kind) {
        return element(t, t.shadow(a, site), a, i, site, kind);
    }

    private static long element(RaceThread t, RaceChunks s, Object a, int i, int site, int kind) {
        // An index out of bounds makes the access itself throw; it must not grow the shadow.
        if (i < 0 || i >= java.lang.reflect.Array.getLength(a)) return epoch(t);
        if (evidence) RaceSites.ranOnce(site);
        long[] chunk = RaceArrays.chunk(s.chunks, i);
        if (chunk == null || !RaceArrays.isElements(chunk)) {
            if (optimistic && kind == READ && RaceOptimistic.isOpen(t)) return epoch(t);
            int run = kind == READ ? RaceArrays.READS : RaceArrays.WRITES;
            if (chunk != null && RaceArrays.extendsRun(chunk, epoch(t), i, site, run)) return epoch(t);
            if (watching) RaceAccess.watch(t, a, site);
            if (chunk != null && RaceArrays.sweep(t, chunk, i, i + 1, 1, kind, site)) return epoch(t);
            chunk = RaceArrays.access(t, s, a, i, i + 1, 1, kind, site);
            if (chunk == null) return epoch(t);
        }
        return element(t, chunk, a, i, site, kind);
    }

    private static long element(RaceThread t, long[] chunk, Object a, int i, int site, int kind) {
        long at = RaceLayout.LONG_BASE + ((long) (i & RaceArrays.CHUNK - 1) << 4);
        if (kind == READ) return RaceAccess.read(t, chunk, a, at, at + 8, site, i);
        return RaceAccess.write(t, chunk, a, at, at + 8, site, i);
    }

    /** System.arraycopy, before it runs. Arguments it will reject are left to it. */
    @Hidden
    public static void arraycopy(Object src, int from, Object dst, int to, int n, int site) {
        if (src == null || dst == null || n <= 0 || from < 0 || to < 0) return;
        if (!src.getClass().isArray() || !dst.getClass().isArray()) return;
        if (from > java.lang.reflect.Array.getLength(src) - n || to > java.lang.reflect.Array.getLength(dst) - n) return;
        range(src, from, n, site, READ);
        range(dst, to, n, site, WRITE);
    }

    /** clone() of an array, before it runs: reads it all. */
    @Hidden
    public static void readWhole(Object a, int site) {
        if (a != null && a.getClass().isArray()) range(a, 0, java.lang.reflect.Array.getLength(a), site, READ);
    }

    private static void range(Object a, int from, int n, int site, int kind) {
        RaceThread t = self();
        if (t == null || n == 0) return;
        sweep(t, t.shadow(a, site), a, from, n, 1, site, kind);
    }

    // ---- accesses of a loop that are told when it is left: see agent/rewrite_sweep.c ----

    /**
     * The loop has made n accesses, the first at index `first`, each `step` further than the one before (a step of 0: all of
     * the same element), in the epoch e.
     */
    @Hidden
    @DontInline
    public static void sweptRead(Object a, int first, int step, int n, long e, int site) {
        swept(a, first, step, n, e, site, READ);
    }

    @Hidden
    @DontInline
    public static void sweptWrite(Object a, int first, int step, int n, long e, int site) {
        swept(a, first, step, n, e, site, WRITE);
    }

    private static void swept(Object a, int first, int step, int n, long e, int site, int kind) {
        RaceThread t = self();
        if (n == 0 || a == null || t == null || e == UNKNOWN) return;
        if (step == 0) {
            n = 1;
            step = 1;
        } else if (step < 0) {
            first += step * (n - 1);
            step = -step;
        }
        if (n < 0 || first < 0 || first + (n - 1L) * step >= java.lang.reflect.Array.getLength(a)) return;
        long now = epoch(t);
        if (now != e) {
            if (sameThread(now, e)) sweepEarlier(t, a, first, n, step, now, e, site, kind);
            return;
        }
        RaceChunks s = t.shadow(a, site);
        if (step != 1 || !isSwept(t, s, first, n, e | site, site, kind)) sweepNow(t, s, a, first, n, step, site, kind);
    }

    /** Nothing to do if the loop was run before in this epoch: such a site always reads, or always writes. */
    @ForceInline
    private static boolean isSwept(RaceThread t, RaceChunks s, int first, int n, long word, int site, int kind) {
        return t.hasSwept(word, site, first, first + n) || !watching && RaceArrays.extendsRun(s.chunks, word, first, n, kind);
    }

    @DontInline
    private static void sweepNow(RaceThread t, RaceChunks s, Object a, int first, int n, int step, int site, int kind) {
        long word = epoch(t) | site;
        sweep(t, s, a, first, n, step, site, kind);
        if (step == 1) t.noteSwept(word, site, first, first + n);
    }

    /**
     * The making of an exception, or the loading of a class, has moved the epoch on since the loop began: the accesses came
     * before whatever was released there. Nothing in here releases.
     */
    @DontInline
    private static void sweepEarlier(
            RaceThread t, Object a, int first, int n, int step, long now, long e, int site, int kind) {
        U.putLong(t.peer, e);
        try {
            sweep(t, t.shadow(a, site), a, first, n, step, site, kind);
        } finally {
            U.putLong(t.peer, Math.max(now, epoch(t)));
        }
    }

    /** The loop has read n elements of a: those at the indices that stand in an int[], from `first` on, each `step` further. */
    @Hidden
    @DontInline
    public static void gatheredRead(Object a, Object indices, int first, int step, int n, long e, int site) {
        RaceThread t = self();
        if (n <= 0 || a == null || t == null || e == UNKNOWN || !(indices instanceof int[])) return;
        long now = epoch(t);
        if (now == e) {
            gather(t, a, (int[]) indices, first, step, n, e, site);
        } else if (sameThread(now, e)) { // as in sweepEarlier
            U.putLong(t.peer, e);
            try {
                gather(t, a, (int[]) indices, first, step, n, e, site);
            } finally {
                U.putLong(t.peer, Math.max(now, epoch(t)));
            }
        }
    }

    private static void gather(RaceThread t, Object a, int[] indices, int first, int step, int n, long e, int site) {
        long last = first + (n - 1L) * step;
        if (Math.min(first, last) < 0 || Math.max(first, last) >= indices.length) return;
        RaceChunks s = t.shadow(a, site);
        long[] seen = RaceSeen.by(s.chunks, e);
        int[] left = t.left;
        for (int most = left.length; n > 0; n -= most, first += most * step) {
            int k = RaceSeen.left(seen, indices, first, step, Math.min(n, most), e, left);
            for (int i = 0; i < k; i++) seen = gatherFirst(t, s, a, left[i], e, seen, site);
        }
    }

    @DontInline
    private static long[] gatherFirst(RaceThread t, RaceChunks s, Object a, int i, long e, long[] seen, int site) {
        if (i < 0 || i >= java.lang.reflect.Array.getLength(a)) return seen; // another thread has changed the index meanwhile
        if (isRead(s.chunks, i, e, seen, site)) {
            if (seen != null) RaceSeen.mark(seen, i, e);
            return seen;
        }
        element(t, s, a, i, site, READ);
        return RaceSeen.of(s.chunks, i, e);
    }

    /** The elements first, first + step, ..., n of them. */
    private static void sweep(RaceThread t, RaceChunks s, Object a, int first, int n, int step, int site, int kind) {
        if (evidence) RaceSites.ranOnce(site);
        int end = first + (n - 1) * step + 1;
        if (optimistic && kind == READ && RaceOptimistic.isOpen(t)) {
            for (int i = first; i < end; i += step) element(t, s, a, i, site, kind);
            return;
        }
        for (int lo = first, hi; lo < end; lo = hi - 1 + step) {
            hi = RaceArrays.chunkEnd(lo, end);
            hi -= RaceArrays.mod(hi - 1 - lo, step);
            long[] chunk = RaceArrays.chunk(s.chunks, lo);
            if (chunk == null || !RaceArrays.isElements(chunk)) {
                if (watching) RaceAccess.watch(t, a, site);
                if (chunk != null && RaceArrays.sweep(t, chunk, lo, hi, step, kind, site)) continue;
                chunk = RaceArrays.access(t, s, a, lo, hi, hi - lo == 1 ? 1 : step, kind, site);
            }
            if (chunk != null) sweep(t, chunk, a, lo, hi, step, site, kind);
        }
    }

    /** The same within a chunk whose elements have words of their own. */
    private static void sweep(RaceThread t, long[] chunk, Object a, int lo, int hi, int step, int site, int kind) {
        long e = epoch(t), shared = e; // a set that this epoch is in: the same one for many elements
        for (int i = lo; i < hi; i += step) {
            long word = chunk[((i & RaceArrays.CHUNK - 1) << 1) + kind];
            if (word == shared || sameEpoch(word, e)) continue;
            if (!watching && !evidence && isOwnElement(chunk, i, e, site, kind)) continue;
            if (isSet(word) && isMember(t, word, e)) shared = word;
            else element(t, chunk, a, i, site, kind);
        }
    }
}
