// norace
// Elements that loops read at indices from another array: the other thread takes only elements that were not read.
import java.util.concurrent.atomic.AtomicInteger;

public class Gather_norace {
    static final AtomicInteger GATE = new AtomicInteger();
    static final int[] INDICES = new int[100];
    static final double[] STRAIGHT = new double[4000];
    static final long[] BY_VARIABLE = new long[4000];
    static final float[] DOWN = new float[4000];
    static final short[] BROKEN = new short[4000];
    static final byte[] THROWN = new byte[4000];
    static final char[] AGAIN = new char[4000];
    static final int[] MOVED = new int[4000];

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    /** All indices. */
    static double straight(double[] a, int[] indices) {
        double sum = 0;
        for (int i = 0; i < indices.length; i++) sum += a[indices[i]];
        return sum;
    }

    /** Every second one, with an index that is first put into a variable. */
    static long byVariable(long[] a, int[] indices) {
        long sum = 0;
        for (int i = 0; i < 100; i += 2) {
            int k = indices[i];
            sum += a[k];
        }
        return sum;
    }

    /** Indices 59 down to 50. */
    static float down(float[] a, int[] indices) {
        float sum = 0;
        for (int i = 59; i >= 50; i--) sum += a[indices[i]];
        return sum;
    }

    /** Indices 0 to 20. */
    static int broken(short[] a, int[] indices) {
        int sum = 0;
        for (int i = 0; i < indices.length; i++) {
            sum += a[indices[i]];
            if (i == 20) break;
        }
        return sum;
    }

    /** Indices 0 to 30: there are no more of `few`. */
    static int thrown(byte[] a, int[] few) {
        int sum = 0;
        for (int i = 0;; i++) sum += a[few[i]];
    }

    /** The same elements again and again, so that most of them have been read before. */
    static int again(char[] a, int[] indices) {
        int sum = 0;
        for (int n = 0; n < 50; n++)
            for (int i = 0; i < indices.length; i++) sum += a[indices[i]];
        return sum;
    }

    /** The loop changes the indices behind it: it has read elements 7 * i, none of those that stand there when it is left. */
    static int moved(int[] a, int[] indices) {
        int sum = 0;
        for (int i = 0; i < indices.length; i++) {
            sum += a[indices[i]];
            indices[i] += 1;
        }
        return sum;
    }

    static void first() {
        int[] few = new int[31], own = INDICES.clone();
        System.arraycopy(own, 0, few, 0, few.length);
        meet();
        double sum = straight(STRAIGHT, INDICES) + byVariable(BY_VARIABLE, INDICES) + down(DOWN, INDICES);
        sum += broken(BROKEN, INDICES) + again(AGAIN, INDICES) + moved(MOVED, own);
        try {
            thrown(THROWN, few);
            throw new AssertionError();
        } catch (ArrayIndexOutOfBoundsException e) {
            if (!e.getMessage().contains("31")) throw e;
        }
        if (sum != 0) throw new AssertionError();
    }

    static void second() {
        meet();
        STRAIGHT[7 * 99 + 1] = 1;
        BY_VARIABLE[7 * 97] = 1;
        DOWN[7 * 49] = 1;
        DOWN[7 * 60] = 1;
        BROKEN[7 * 21] = 1;
        THROWN[7 * 31] = 1;
        AGAIN[7 * 64 + 32] = 1;
        MOVED[7 * 5 + 1] = 1;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < INDICES.length; i++) INDICES[i] = 7 * i;
        Thread t1 = new Thread(Gather_norace::first);
        Thread t2 = new Thread(Gather_norace::second);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
