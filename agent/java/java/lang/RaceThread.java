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

    RaceThread(long peer, long table, long hardTable) {
        this.peer = peer;
        this.table = table;
        this.hardTable = hardTable;
    }
}
