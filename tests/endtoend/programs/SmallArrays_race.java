// race: array byte[]
// race: array boolean[]
// race: array char[]
// race: array short[]
// race: array float[]
// Both threads write one element of each array; byte and boolean arrays share their instructions.
import java.util.concurrent.atomic.AtomicInteger;

public class SmallArrays_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final byte[] B = new byte[4];
    static final boolean[] Z = new boolean[4];
    static final char[] C = new char[4];
    static final short[] S = new short[4];
    static final float[] F = new float[4];

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            meet();
            B[1] = 1;
            Z[1] = true;
            C[1] = 1;
            S[1] = 1;
            F[1] = 1;
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
