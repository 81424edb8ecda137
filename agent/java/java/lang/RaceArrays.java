package java.lang;

import static java.lang.RaceEpoch.epoch;
import static java.lang.RaceEpoch.sameEpoch;
import static java.lang.RaceEpoch.sameThread;
import static java.lang.RaceMemory.U;

import jdk.internal.vm.annotation.ForceInline;

/**
 * The shadow of an array: a long[] for each chunk of CHUNK elements, made when the chunk is first accessed. It is one of three
 * things (include/race/checker.h, "Arrays"):
 *
 * - runs, of odd length: the accesses of a single thread, as ranges of elements. Only that thread changes them in place.
 *   It makes a run longer, or newer, by a store of one word; while it does more than that, the version is odd. Another
 *   thread, under the lock of the {@link RaceChunks}, reads them between changes and puts a new long[] in their place.
 * - shared, of odd length too: reads of a few threads in any order, and runs of writes, see {@link RaceReaders}.
 * - elements, of even length: a pair of words (read, write) per element, once a second thread has come, for good.
 *
 * So an array that threads sweep in bands costs a few words per chunk. The long[][] of chunks stays the same once it is there,
 * so methods may keep it. An access that falls between another thread's making the elements and the owner's noticing can be
 * lost; that can hide a race, not make one up.
 */
final class RaceArrays {
    static final int SHIFT = 10;
    static final int CHUNK = 1 << SHIFT;

    /* Layout of the runs, as enum CK_COARSE_* and CK_RUN_*: a run is a word and lo | (step - 1) << 24 | hi << 32. */
    static final int RUNS = 4;
    static final int READS = 1, WRITES = READS + 2 * RUNS;
    static final int WORDS = WRITES + 2 * RUNS;
    private static final int VERSION = WORDS;
    static final int LENGTH = VERSION + 2;
    private static final int STEP_SHIFT = 24, LOW = (1 << STEP_SHIFT) - 1;
    /** Of struct ck_thread. */
    private static final long ID = 32;
    /** How often to look whether a change is over: some tenths of a second. */
    private static final int PATIENCE = 1 << 22;

    /* enum ck_array_todo */
    private static final int DONE = 0, REPLACE = 1, SHARE = 2, EXPAND = 3;
    /** Stands for a chunk that is not checked, for lack of memory. */
    private static final long[] LEFT = new long[LENGTH];

    private RaceArrays() {}

    /** Where in the long[][] the chunk of element i stands: behind what threads have seen, see {@link RaceSeen}. */
    @ForceInline
    private static int place(int i) {
        return (i >>> SHIFT) + RaceSeen.THREADS;
    }

    /** The chunk of element i, or null; also for an index that the array does not have. */
    @ForceInline
    static long[] chunk(long[][] chunks, int i) {
        int k = place(i);
        return chunks != null && k < chunks.length ? chunks[k] : null;
    }

    @ForceInline
    static boolean isElements(long[] chunk) {
        return (chunk.length & 1) == 0;
    }

    /**
     * The next element of the run that this thread is in, or one of those it has passed in the same epoch. An epoch is one
     * thread's, so a run of this epoch is this thread's own. Only the site that began the run makes it longer: a report names
     * the run's site for each of its elements.
     */
    @ForceInline
    static boolean extendsRun(long[] runs, long epoch, int i, int site, int k) {
        long begun = runs[k] ^ epoch;
        if (begun >>> 20 != 0) return false;
        long range = runs[k + 1];
        int at = i & CHUNK - 1, lo = (int) range, hi = (int) (range >>> 32);
        if (at < lo || at > hi) return false; // so it is if the run has a step
        if (at < hi) return true;
        if (begun != site) return false;
        runs[k + 1] = range + (1L << 32);
        return true;
    }

    /** The same for n elements, from `first` on, that one loop of that site has gone through behind another. */
    @ForceInline
    static boolean extendsRun(long[][] chunks, long word, int first, int n, int kind) {
        long[] runs = chunk(chunks, first);
        int k = kind == 0 ? READS : WRITES, lo = first & CHUNK - 1;
        if (runs == null || isElements(runs) || runs[k] != word || lo + n > CHUNK) return false;
        long range = runs[k + 1];
        int to = (int) (range >>> 32);
        if (lo < (int) range || lo > to) return false; // so it is if the run has a step
        if (lo + n > to) runs[k + 1] = range + ((long) (lo + n - to) << 32);
        return true;
    }

    /**
     * The elements lo, lo + step, ... hi - 1 of a chunk with runs, by their owner or a reader: the same as ck_array_step, for
     * the cases that need no look at other threads. False: not settled.
     */
    static boolean sweep(RaceThread t, long[] runs, int lo, int hi, int step, int kind, int site) {
        if (RaceReaders.isShared(runs)) return kind == 0 && RaceReaders.sweep(t, runs, lo, hi, step, site);
        if (runs[0] != U.getLong(t.peer + ID)) return false;
        return add(t, runs, kind == 0 ? READS : WRITES, VERSION, lo, hi, step, site);
    }

    /** Adds to the runs at k, whose version stands at v. */
    static boolean add(RaceThread t, long[] runs, int k, int v, int lo, int hi, int step, int site) {
        long e = epoch(t), mine = range(lo & CHUNK - 1, hi - (lo & -CHUNK), step);
        for (int i = k; i < k + 2 * RUNS && sameEpoch(runs[i], e); i += 2) {
            long begun = runs[i + 1];
            if (begun == mine || contains(begun, mine)) return true;
            if (runs[i] != (e | site)) continue;
            long both = join(begun, mine);
            if (both == 0) return false;
            runs[i + 1] = both;
            return true;
        }
        if (runs[k] != 0 && !sameThread(runs[k], e)) return false;
        if (runs[k + 1] == mine) {
            runs[k] = e | site;
            return true;
        }
        return push(runs, k, v, e | site, mine);
    }

    /** Puts one more run before those at k, without those that it or another newer one hides; false: no room. */
    private static boolean push(long[] runs, int k, int v, long word, long mine) {
        int end = k + 2 * RUNS, kept = 0, n = 0;
        for (int i = k; i < end; i += 2) {
            if (isHidden(runs, k, i, mine, runs[i + 1])) continue;
            kept |= 1 << i - k;
            n++;
        }
        if (n == RUNS) return false;
        beginChange(runs, v);
        int to = k;
        for (int i = k; i < end; i += 2) {
            if ((kept >> i - k & 1) == 0) continue;
            long nextWord = runs[i], nextRange = runs[i + 1];
            runs[to] = word; // no further than i: what is overwritten has been read or dropped
            runs[to + 1] = mine;
            to += 2;
            word = nextWord;
            mine = nextRange;
        }
        for (; to < end; to += 2) {
            runs[to] = word;
            runs[to + 1] = mine;
            word = mine = 0;
        }
        endChange(runs, v);
        return true;
    }

    static void beginChange(long[] runs, int v) {
        U.putLongRelease(runs, at(v), runs[v] + 1);
        U.storeFence();
    }

    static void endChange(long[] runs, int v) {
        U.putLongRelease(runs, at(v), runs[v] + 1);
    }

    @ForceInline
    private static long at(int k) {
        return RaceLayout.LONG_BASE + ((long) k << 3);
    }

    /** Whether a run is empty, or lies within `mine` or within one of the runs before it. */
    private static boolean isHidden(long[] runs, int from, int to, long mine, long range) {
        if (hi(range) == lo(range) || contains(mine, range)) return true;
        for (int i = from; i < to; i += 2)
            if (contains(runs[i + 1], range)) return true;
        return false;
    }

    /**
     * The runs from k to v as they are between two changes of their owner, who may be at work; v is where their version is.
     * An owner that was stopped in the midst of a change never ends it: its accesses are then forgotten.
     */
    static void snapshot(long[] runs, int k, int v, long[] copy) {
        for (int n = 0; n < PATIENCE; n++) {
            long version = U.getLongAcquire(runs, at(v));
            for (int i = k; i < v; i++) copy[i] = runs[i];
            U.loadFence();
            if ((version & 1) == 0 && runs[v] == version) return;
            Thread.onSpinWait();
        }
        for (int i = k; i < v; i++) copy[i] = 0;
    }

    /** All of them, in one of the thread's own arrays. */
    private static long[] snapshot(long[] runs, long[][] room) {
        if (RaceReaders.isShared(runs)) return RaceReaders.snapshot(runs, room[runs.length == RaceReaders.LENGTH ? 2 : 1]);
        snapshot(runs, 0, VERSION, room[0]);
        return room[0];
    }

    @ForceInline
    private static long range(int lo, int hi, int step) {
        return (long) hi << 32 | (long) (hi - lo == 1 ? 0 : step - 1) << STEP_SHIFT | lo;
    }

    @ForceInline
    private static int hi(long range) {
        return (int) (range >>> 32);
    }

    @ForceInline
    private static int lo(long range) {
        return (int) range & LOW;
    }

    @ForceInline
    private static int step(long range) {
        return ((int) range >>> STEP_SHIFT) + 1;
    }

    /** Whether one run has all elements of another, which has some. */
    @ForceInline
    private static boolean contains(long outer, long inner) {
        int from = lo(inner) - lo(outer);
        if (from < 0 || hi(inner) > hi(outer)) return false;
        int step = step(outer);
        if (step == 1) return true;
        return mod(from, step) == 0 && mod(hi(inner) - 1 - lo(inner), step) == 0 && mod(step(inner), step) == 0 | isSingle(inner);
    }

    /** x modulo a step, which mostly is a power of two; x is not negative. */
    @ForceInline
    static int mod(int x, int step) {
        return (step & step - 1) == 0 ? x & step - 1 : x % step;
    }

    @ForceInline
    private static boolean isSingle(long range) {
        return hi(range) - lo(range) == 1;
    }

    /** The run that is the union of two, or 0; as run_join in runtime/array.c. */
    private static long join(long x, long y) {
        int lo = Math.min(lo(x), lo(y)), hi = Math.max(hi(x), hi(y)), gap = Math.abs(lo(x) - lo(y));
        int step = isSingle(x) ? step(y) : step(x), other = isSingle(y) ? step : step(y);
        if (step(x) == 2 && step(y) == 2 && gap == 1 && Math.abs(hi(x) - hi(y)) == 1) return range(lo, hi, 1);
        if (step != other || mod(gap, step) != 0 || lo(x) >= hi(y) + step || lo(y) >= hi(x) + step) return 0;
        return range(lo, hi, step);
    }

    /** Chunks are changed behind one of these, by the array's hash. */
    private static final RaceGate[] GATES = RaceGate.some(64);

    /**
     * An access of elements lo, lo + step, ... hi - 1 of one chunk; returns the chunk if its elements are still to be
     * checked.
     */
    static long[] access(RaceThread t, RaceChunks s, Object a, int lo, int hi, int step, int kind, int site) {
        int length = java.lang.reflect.Array.getLength(a);
        RaceGate gate = GATES[s.hash & GATES.length - 1];
        Thread me = gate.visitor();
        t.busy++; // nothing in here is the program's
        try {
            gate.enter(me);
            return change(t, s, length, lo, hi, step, kind, site);
        } catch (OutOfMemoryError e) {
            long[][] chunks = s.chunks;
            if (chunks != null) chunks[place(lo)] = LEFT;
            return null;
        } finally {
            if (gate.owner == me) gate.owner = null;
            t.busy--;
        }
    }

    private static long[] change(RaceThread t, RaceChunks s, int length, int lo, int hi, int step, int kind, int site) {
        if (s.chunks == null) s.chunks = new long[place(length - 1) + 1][];
        int base = lo & -CHUNK;
        int size = Math.min(CHUNK, length - base);
        long[] old = s.chunks[place(lo)], next;
        if (old == LEFT) return null;
        if (old != null && isElements(old)) return old;
        if (t.runs == null) t.runs = newRoom();
        long[] runs = old == null ? null : snapshot(old, t.runs), changed = t.runs[3];
        int room = length > RaceReaders.SHORT ? CHUNK : length; // all chunks of an array have sets of the same size
        switch (step(t.peer, runs, changed, room, lo - base, hi - base, step, kind == 1, site)) {
            case DONE:
                return null;
            case REPLACE:
                next = RaceRuns.take(changed[0], LENGTH);
                for (int i = 0; i < WORDS; i++) next[i] = changed[i];
                break;
            case SHARE:
                if (RaceReaders.isShared(old)) {
                    RaceReaders.store(t, old, changed, kind);
                    return null;
                }
                next = RaceReaders.make(changed, room);
                break;
            case EXPAND:
                next = new long[2 * size];
                if (old != null) expand(t.peer, runs, next);
                break;
            default:
                next = LEFT;
        }
        U.storeFence();
        s.chunks[place(lo)] = next;
        if (old != null) end(old);
        return isElements(next) ? next : null;
    }

    /** For runs before and after a change. */
    private static long[][] newRoom() {
        int most = RaceReaders.LENGTH;
        return new long[][] {new long[WORDS], new long[RaceReaders.LENGTH_SHORT], new long[most], new long[most]};
    }

    /** Another chunk is in its place: whoever is still in a run sees that it is over. */
    private static void end(long[] old) {
        if (RaceReaders.isShared(old)) {
            RaceReaders.end(old);
            return;
        }
        old[READS] = old[WRITES] = 0;
        RaceRuns.give(old);
    }

    /** First index behind lo that is in another chunk, or hi. */
    static int chunkEnd(int lo, int hi) {
        return Math.min(hi, (lo & -CHUNK) + CHUNK);
    }

    private static native int step(long peer, long[] old, long[] next, int length, int lo, int hi, int step, boolean write,
            int site);
    private static native void expand(long peer, long[] runs, long[] words);
}
