// race: array long[]
// One thread writes an element of the long array, the other reads the same one.
import java.util.concurrent.atomic.AtomicInteger;

public class LongArray_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        long[] a = new long[8];
        Thread t1 = new Thread(() -> {
            meet();
            a[3] = 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            long seen = a[3];
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
