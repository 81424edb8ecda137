// race: array int[]
// Steps of two and of three meet in every sixth element.
import java.util.concurrent.atomic.AtomicInteger;

public class ArrayStride_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        int[] a = new int[600];
        Thread t1 = new Thread(() -> {
            meet();
            for (int i = 0; i < a.length; i += 2) a[i] = 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int i = 0; i < a.length; i += 3) a[i] = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
