// race: array int[]
// race: array double[]
// race: array long[]
// race: array short[]
// Elements that are read and written at once, as in a[i] += x: the other thread reads one, or takes one that an exception kept
// from being written.
import java.util.concurrent.atomic.AtomicInteger;

public class ElementUpdate_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final int[] DIVIDED = new int[10];
    static final double[] ADDED = new double[10];
    static final long[] COUNTED = new long[10];
    static final short[] CHOSEN = new short[10];
    static int zero;
    static boolean no;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    static void divide(int[] a, int by) {
        a[3] /= by;
    }

    static void add(double[] a, double x, double y) {
        a[3] -= x * y;
    }

    static void count(long[] a) {
        a[3]++;
    }

    /** The element is read, but what it becomes is not computed. */
    static void choose(short[] a, boolean yes) {
        a[3] += yes ? 1 : fail();
    }

    static short fail() {
        throw new IllegalStateException();
    }

    static void first() {
        meet();
        try {
            divide(DIVIDED, zero);
            throw new AssertionError();
        } catch (ArithmeticException e) {
            // the element was read all the same
        }
        add(ADDED, 2, 3);
        count(COUNTED);
        try {
            choose(CHOSEN, no);
            throw new AssertionError();
        } catch (IllegalStateException e) {
            // here too
        }
    }

    static void second() {
        meet();
        DIVIDED[3] = 1;
        CHOSEN[3] = 1;
        if (ADDED[3] > 0 || COUNTED[3] > 1) throw new AssertionError();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(ElementUpdate_race::first);
        Thread t2 = new Thread(ElementUpdate_race::second);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
