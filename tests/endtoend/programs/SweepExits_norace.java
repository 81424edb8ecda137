// norace
// Loops that are left in the middle, by exceptions, downwards and in steps: the other thread takes only elements that were not
// used.
import java.util.concurrent.atomic.AtomicInteger;

public class SweepExits_norace {
    static final AtomicInteger GATE = new AtomicInteger();
    static final byte[] BROKEN = new byte[300];
    static final char[] THROWN = new char[300];
    static final short[] SHORTER = new short[100];
    static final int[] RETURNED = new int[300];
    static final long[] BEHIND = new long[300];
    static final float[] DOWN = new float[300];
    static final double[] STEPPED = new double[300];
    static final boolean[] JUMPED = new boolean[300];
    static final String[] COUNTED = new String[300];
    static final Object[] REPEATED = new Object[300];

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    /** Elements 0 to 99, left from the middle. */
    static void broken(byte[] a) {
        for (int i = 0; i < a.length; i++) {
            a[i] = 1;
            if (i == 99) break;
        }
    }

    /** Elements 0 to 100 of a and 0 to 99 of b: the exception comes between the two. */
    static void thrown(char[] a, short[] b) {
        for (int i = 0;; i++) {
            a[i] = 1;
            b[i] = 1;
        }
    }

    /** Elements 0 to 100 of a and 0 to 99 of b. */
    static int returned(int[] a, long[] b) {
        for (int i = 0; i < a.length; i++) {
            a[i] = i;
            if (i == 100) return i;
            b[i] = i;
        }
        return -1;
    }

    /** Elements 199 down to 100. */
    static void down(float[] a) {
        for (int i = 199; i >= 100; i--) a[i] = 1;
    }

    /** Elements 0, 3, ... 198. */
    static void stepped(double[] a) {
        int i = 0;
        do {
            a[i] = 1;
            i += 3;
        } while (i < 200);
    }

    /** Elements 0 to 50 and 61 to 99. */
    static void jumped(boolean[] a) {
        for (int i = 0; i < 100; i++) {
            a[i] = true;
            if (i == 50) i += 10;
        }
    }

    /** Elements 0 to 99. */
    static void counted(String[] a) {
        int i = 0;
        while (i < 100) a[i++] = "x";
    }

    /** Element k only, and none if the loop is not entered. */
    static void repeated(Object[] a, int n, int k) {
        for (int i = 0; i < n; i++) {
            a[k] = a;
            a[k + 1].hashCode();
        }
    }

    static void first() {
        meet();
        broken(BROKEN);
        try {
            thrown(THROWN, SHORTER);
            throw new AssertionError();
        } catch (ArrayIndexOutOfBoundsException e) {
            if (!e.getMessage().contains("100")) throw e;
        }
        if (returned(RETURNED, BEHIND) != 100) throw new AssertionError();
        down(DOWN);
        stepped(STEPPED);
        jumped(JUMPED);
        counted(COUNTED);
        repeated(REPEATED, 0, 7);
        try {
            repeated(REPEATED, 2, 8);
            throw new AssertionError();
        } catch (NullPointerException e) {
            // a[9] is null
        }
    }

    static void second() {
        meet();
        BROKEN[100] = 2;
        THROWN[101] = 2;
        RETURNED[101] = 2;
        BEHIND[100] = 2;
        DOWN[99] = 2;
        DOWN[200] = 2;
        STEPPED[199] = 2;
        STEPPED[1] = 2;
        JUMPED[51] = false;
        JUMPED[60] = false;
        COUNTED[100] = "y";
        REPEATED[7] = "y";
        REPEATED[10] = "y";
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(SweepExits_norace::first);
        Thread t2 = new Thread(SweepExits_norace::second);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
