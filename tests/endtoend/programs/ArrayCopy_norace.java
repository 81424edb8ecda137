// norace
// The copies read one shared source and write separate ranges of the target.
import java.util.concurrent.atomic.AtomicInteger;

public class ArrayCopy_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        int[] from = new int[64];
        for (int i = 0; i < 64; i++) from[i] = i;
        int[] to = new int[128];
        Thread t1 = new Thread(() -> {
            meet();
            for (int n = 0; n < 100; n++) System.arraycopy(from, 0, to, 0, 64);
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int n = 0; n < 100; n++) System.arraycopy(from, 0, to, 64, 64);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (to[63] != 63 || to[127] != 63) throw new AssertionError(to[63]);
        System.out.println("ok");
    }
}
