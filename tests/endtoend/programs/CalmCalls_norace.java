// norace
// Loops and methods that call others: some of these only compute, some hand over what was done before them.
import java.util.concurrent.atomic.AtomicInteger;

public class CalmCalls_norace {
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

        void hand(int to) {
            deep(to);
        }

        private void deep(int to) {
            turn = to;
        }
    }

    /** Each element is handed over in the loop that writes it, by a call. */
    static void publish(Cell c, int[] a) {
        for (int i = 0; i < a.length; i++) {
            a[i] = c.twice(i);
            c.hand(i + 1);
        }
    }

    /** The element is written over when it has come, while the other thread is still in its loop. */
    static void overtake(Cell c, int[] a) {
        for (int i = 0; i < a.length; i++) {
            while (c.turn <= i) Thread.yield();
            a[i] = c.twice(a[i]);
        }
    }

    public static void main(String[] args) throws Exception {
        int[] shared = new int[300];
        Cell c = new Cell();
        Thread t1 = new Thread(() -> {
            meet(2);
            c.late = 1;
            c.seen = c.twice(c.late);
            publish(c, shared);
        });
        Thread t2 = new Thread(() -> {
            meet(2);
            overtake(c, shared);
            c.seen = c.twice(c.seen);
            c.late = 3;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
