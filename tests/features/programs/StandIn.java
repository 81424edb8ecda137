/** One check stands in for another access only where that one surely runs. */
public class StandIn {
    static final class Cell {
        int straight, branch, thrown, split, update, late, stopped;
        volatile int seen;
    }

    /** The read runs whenever the write has: the write's check will do. */
    static int straight(Cell s) {
        s.straight = 1;
        return s.straight * 2;
    }

    static int branch(Cell s, boolean never) {
        s.branch = 1;
        return never ? s.branch : 0;
    }

    static int thrown(Cell s, int[] none) {
        s.thrown = 1;
        return none[0] + s.thrown;
    }

    /** A release between the two. */
    static int split(Cell s) {
        s.split = 1;
        s.seen = 1;
        return s.split;
    }

    /** The write runs whenever the read has: the read needs no check. */
    static int update(Cell s) {
        return s.update++;
    }

    static int late(Cell s) {
        int x = s.late;
        s.seen = 2;
        return s.late = x + 1;
    }

    /** The write does not run, and the read must be seen all the same. */
    static void stopped(Cell s, int[] none) {
        s.stopped = s.stopped + none[0];
    }

    static void set(Cell s) {
        s.stopped = 1;
    }

    static void work(Cell s, boolean never, int[] none) {
        int sum = straight(s) + branch(s, never) + split(s) + update(s) + late(s);
        try {
            sum += thrown(s, none);
        } catch (ArrayIndexOutOfBoundsException e) {
            sum++;
        }
        try {
            stopped(s, none);
        } catch (ArrayIndexOutOfBoundsException e) {
            sum++;
        }
        if (sum == 0) throw new AssertionError();
    }

    public static void main(String[] args) throws InterruptedException {
        Cell s = new Cell();
        boolean never = args.length > 0;
        int[] none = new int[args.length];
        Thread a = new Thread(() -> work(s, never, none)), b = new Thread(() -> work(s, never, none));
        Thread c = new Thread(() -> set(s));
        a.start();
        b.start();
        c.start();
        a.join();
        b.join();
        c.join();
    }
}
