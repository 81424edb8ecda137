// norace
// Accesses that an earlier one of the same field seems to cover: a release, an exception, another object, a way around it
// or a loop that ends stand between the two.
import java.util.concurrent.atomic.AtomicInteger;

public class CoveredFields_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    static final class Cell {
        int a, b, c, d, e, f, g;
        volatile int turnA, turnE, turnF, turnG;
    }

    /** A release between the two. */
    static void release(Cell s) {
        s.a = 1;
        s.turnA = 1;
        if (s.turnA != 1) throw new AssertionError();
    }

    /** Another object. */
    static void reassign(Cell s) {
        Cell p = new Cell();
        p.b = 1;
        p = p;
        p.b = 2;
    }

    /** A way around the first. */
    static void around(Cell s, boolean first) {
        if (first) s.c = 1;
        else first = true;
    }

    /** The first is jumped over by an exception. */
    static void exception(Cell s, int[] none) {
        try {
            s.d = none.length + 1;
        } catch (NullPointerException e) {
            none = new int[1];
        }
    }

    /** A release inside the loop. */
    static void inLoop(Cell s) {
        for (int i = 0; i < 3; i++) {
            if (i < 2) s.e = i;
            if (i == 1) s.turnE = 1;
        }
    }

    /** An inner loop that only reads and writes, around it one that releases. */
    static int twoLoops(Cell s, int rounds) {
        int sum = 0;
        for (int k = 0; k < rounds; k++) {
            for (int i = 0; i < 100; i++) {
                sum += s.f + i;
                s.f = sum;
            }
            if (k == 0) s.turnF = 1;
        }
        return sum;
    }

    /** The loop that reads is not run at all the second time. */
    static int perhaps(Cell s, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += s.g;
        return sum;
    }

    static void await(Cell s, int which) {
        while ((which == 0 ? s.turnA : which == 1 ? s.turnE : which == 2 ? s.turnF : s.turnG) == 0) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Cell s = new Cell();
        Thread t1 = new Thread(() -> {
            meet();
            reassign(s);
            around(s, false);
            exception(s, null);
            release(s);
            inLoop(s);
            twoLoops(s, 1);
            perhaps(s, 50);
            s.turnG = 1;
            perhaps(s, 0);
        });
        Thread t2 = new Thread(() -> {
            meet();
            s.b = 3;
            s.c = 3;
            s.d = 3;
            await(s, 0);
            s.a = 3;
            await(s, 1);
            s.e = 3;
            await(s, 2);
            s.f = 3;
            await(s, 3);
            s.g = 3;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
