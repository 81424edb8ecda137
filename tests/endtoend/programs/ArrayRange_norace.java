// norace
// Each thread reads and writes its own half; the halves are swapped only after both were joined.
import java.util.concurrent.atomic.AtomicInteger;

public class ArrayRange_norace {
    static final AtomicInteger GATE = new AtomicInteger();
    static final int[] A = new int[1024];

    static void half(int from) {
        meet();
        for (int i = from; i < from + 512; i++) A[i] = A[i] + i;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < 4; round++) {
            int first = (round & 1) * 512;
            GATE.set(0);
            Thread t1 = new Thread(() -> half(first));
            Thread t2 = new Thread(() -> half(512 - first));
            t1.start();
            t2.start();
            t1.join();
            t2.join();
        }
        for (int i = 0; i < 1024; i++) {
            if (A[i] != 4 * i) throw new AssertionError(i);
        }
        System.out.println("ok");
    }
}
