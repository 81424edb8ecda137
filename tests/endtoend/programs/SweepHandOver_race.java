// race: array byte[]
// Elements change hands through a volatile, but one is taken before it was handed over.
import java.util.concurrent.atomic.AtomicInteger;

public class SweepHandOver_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final Object LOCK = new Object();
    static final int[] A = new int[700];
    static volatile int upTo;

    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    static void fill(int[] a, int from, int to, int step) {
        for (int i = from; i < to; i += step) a[i] = a[i] + 1;
    }

    /** Ranges of all kinds under the lock: none hides all the others. */
    static void rounds(int seed) {
        meet();
        int r = seed;
        for (int k = 0; k < 300; k++) {
            r = r * 1103515245 + 12345;
            int from = (r >>> 8) % 500, n = (r >>> 20) % 200, step = 1 + (k % 3);
            synchronized (LOCK) {
                fill(A, from, from + n, step);
            }
        }
    }

    /** Each element is published by a volatile write of its own, inside the loop. */
    static void publish(byte[] b) {
        for (int i = 0; i < b.length; i++) {
            b[i] = 1;
            upTo = i + 1;
        }
    }

    static int consume(byte[] b) {
        int sum = 0, seen = 0;
        while (seen < b.length) {
            int now = upTo;
            for (int i = seen; i < now; i++) sum += b[i];
            seen = now;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = new byte[500];
        Thread t1 = new Thread(() -> {
            rounds(1);
            publish(bytes);
        });
        Thread t2 = new Thread(() -> {
            rounds(2);
            bytes[499] = 0;
            if (consume(bytes) > bytes.length) throw new AssertionError();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
