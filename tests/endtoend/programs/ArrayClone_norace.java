// norace
// The shared array is only read; each thread writes its own clone.
import java.util.concurrent.atomic.AtomicInteger;

public class ArrayClone_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        int[] a = {1, 2, 3, 4};
        Runnable work = () -> {
            meet();
            for (int n = 0; n < 200; n++) {
                int[] copy = a.clone();
                copy[2] += a[3];
                if (copy[2] != 7) throw new AssertionError();
            }
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
