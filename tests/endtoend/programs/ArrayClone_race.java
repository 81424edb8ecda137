// race: array int[]
// Cloning the array reads the element that the other thread writes.
import java.util.concurrent.atomic.AtomicInteger;

public class ArrayClone_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        int[] a = new int[4];
        Thread t1 = new Thread(() -> {
            meet();
            a[2] = 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            int[] copy = a.clone();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
