// norace
// The threads write alternate elements of the same small arrays.
import java.util.concurrent.atomic.AtomicInteger;

public class SmallArrays_norace {
    static final AtomicInteger GATE = new AtomicInteger();
    static final byte[] B = new byte[64];
    static final boolean[] Z = new boolean[64];
    static final char[] C = new char[64];
    static final short[] S = new short[64];
    static final float[] F = new float[64];

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            meet();
            for (int i = 0; i < 64; i += 2) {
                B[i]++;
                Z[i] = !Z[i];
                C[i]++;
                S[i]++;
                F[i]++;
            }
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int i = 1; i < 64; i += 2) {
                B[i]++;
                Z[i] = !Z[i];
                C[i]++;
                S[i]++;
                F[i]++;
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        for (int i = 0; i < 64; i++) {
            if (B[i] != 1 || !Z[i] || C[i] != 1 || S[i] != 1 || F[i] != 1) throw new AssertionError(i);
        }
        System.out.println("ok");
    }
}
