package java.lang;

/** The words of an array's elements, by chunks, and what threads remember of them: see {@link RaceArrays}. */
final class RaceChunks extends RaceEntry {
    volatile long[][] chunks;

    RaceChunks(Object o, int hash, RaceEntry next) {
        super(o, hash, next);
    }

    static RaceChunks of(Object array) {
        return (RaceChunks) of(array, true);
    }
}
