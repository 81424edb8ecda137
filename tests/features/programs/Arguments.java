/**
 * An unproved method hands a shared object to a method whose other callers hand over their own: what arguments it gets
 * is the analysis's business, so that it needs no look at them in the run.
 */
public class Arguments {
    static final class Box {
        int count, spare;

        /** Proved for the boxes of keep(), but not for the one of lend(). */
        void inc() {
            count++;
        }

        /** Proved for all: only keep() calls it. */
        void waste() {
            spare++;
        }
    }

    static Box shared = new Box();
    static int lent;

    static void keep() {
        Box own = new Box();
        own.inc();
        own.waste();
    }

    /** Unproved: its own field races. */
    static void lend() {
        lent++;
        shared.inc();
    }

    static void work() {
        keep();
        lend();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(Arguments::work), b = new Thread(Arguments::work);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
