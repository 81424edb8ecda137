// race: array int[]
// race: instance CalmCalls_race.Cell.seen
// race: instance CalmCalls_race.Cell.late
// Loops and methods that call others: some of these only compute, some hand over what was done before them.
import java.util.concurrent.atomic.AtomicInteger;

public class CalmCalls_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static void meet(int n) {
        GATE.incrementAndGet();
        while (GATE.get() < n) Thread.yield();
    }

    static final class Cell {
        int seen, late;
        volatile int turn;

        int twice(int x) {
            return 2 * x + half(x);
        }

        private int half(int x) {
            return x >> 1;
        }

        /** Looks harmless from outside: the release is two calls down. */
        void hand(int to) {
            deep(to);
        }

        private void deep(int to) {
            turn = to;
        }
    }

    /** Swept, through calls that only compute. */
    static void fill(Cell c, int[] a) {
        for (int i = 0; i < a.length; i++) a[i] = c.twice(a[i]);
    }

    /** The second write comes after the hand-over: it is not covered by the first. */
    static void handTooEarly(Cell c) {
        c.late = 1;
        c.hand(1);
        c.late = 2;
    }

    public static void main(String[] args) throws Exception {
        int[] shared = new int[300];
        Cell c = new Cell();
        Thread t1 = new Thread(() -> {
            meet(2);
            fill(c, shared);
            c.seen = c.twice(c.seen);
            handTooEarly(c);
        });
        Thread t2 = new Thread(() -> {
            meet(2);
            fill(c, shared);
            c.seen = c.twice(c.seen);
            while (c.turn == 0) Thread.yield();
            c.late = 3;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
