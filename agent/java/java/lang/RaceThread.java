package java.lang;

/**
 * What the checker knows of one thread, reached from a field added to {@link Thread}.
 *
 * Touched only by the thread it belongs to, except that the thread's starter fills it in before the start.
 */
final class RaceThread {
    /** slot << 50 | clock << 20; the low 20 bits, where recorded accesses carry their site, are zero. */
    long epoch;
    /** Address of the native page table of this thread's vector clock: 128 pages of 64 epochs each. */
    final long clock;
    /** The native thread, opaque here. */
    final long peer;
    /** Depth of hooks that must not be checked themselves (reports, table growth). */
    int busy;

    /** The monitors and owned locks this thread holds, innermost last, with the site that took each. */
    RaceShadow[] held = new RaceShadow[8];
    int[] heldSite = new int[8];
    int depth;

    RaceThread(long epoch, long clock, long peer) {
        this.epoch = epoch;
        this.clock = clock;
        this.peer = peer;
    }

    void push(RaceShadow lock, int site) {
        if (depth == held.length) grow();
        held[depth] = lock;
        heldSite[depth++] = site;
    }

    /** Removes the innermost hold of a lock; locks may be released in any order. */
    void pop(RaceShadow lock) {
        for (int i = depth - 1; i >= 0; i--) {
            if (held[i] != lock) continue;
            depth--;
            for (int j = i; j < depth; j++) {
                held[j] = held[j + 1];
                heldSite[j] = heldSite[j + 1];
            }
            held[depth] = null;
            return;
        }
    }

    private void grow() {
        int n = held.length * 2;
        RaceShadow[] locks = new RaceShadow[n];
        int[] sites = new int[n];
        for (int i = 0; i < depth; i++) {
            locks[i] = held[i];
            sites[i] = heldSite[i];
        }
        held = locks;
        heldSite = sites;
    }
}
