// race: array int[]
// The two ranges overlap in one element, 512.
import java.util.concurrent.atomic.AtomicInteger;

public class ArrayRange_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        int[] a = new int[1024];
        Thread t1 = new Thread(() -> {
            meet();
            for (int i = 0; i <= 512; i++) a[i] = 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int i = 512; i < 1024; i++) a[i] = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
